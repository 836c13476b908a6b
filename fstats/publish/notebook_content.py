"""A notebook as somebody reads it who has no kernel: its title, its sections, its pictures, and which of them stand for explorers."""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator, Sequence
from html import escape
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from ..core.validation.name_suggestions import AmbiguousNameError, resolve_numbered_name
from ..teaching.course_files import NO_SOLUTIONS
from ..teaching.lesson import NUMBER_WORDS

PNG = "image/png"
LAB_ONLY_TAG = "lab-only"  # the tag of a cell that says nothing where there is no kernel, and no page of one's own
_EXPLORER = re.compile(r"\[(?!picture: )([^\]]+)\] ")  # how the picture begins that stands for an explorer where no kernel runs
_HEADING = re.compile(r"^(#{1,6})\s+(.+?)\s*$", re.M)
_CODE = re.compile(r"^```.*?^```", re.M | re.S)


class Heading(NamedTuple):
    """A heading: how deep it is, and its words."""

    level: int
    words: str


def read_notebook(path: Path) -> Any:
    """The notebook of a file."""
    from ..teaching import notebook_build

    return notebook_build.read_notebook_file(path)


def headings(cell: Any) -> list[Heading]:
    """The headings of a cell of words, from top to bottom."""
    if cell.cell_type != "markdown":
        return []
    return [Heading(len(signs), words) for signs, words in _HEADING.findall(_CODE.sub("", cell.source))]


def notebook_title(notebook: Any) -> str:
    """The first heading."""
    return next((words for cell in notebook.cells for _, words in headings(cell)), "")


def planned_minutes(notebook: Any) -> str:
    """How long it takes, as its first words promise; a page that only lists promises nothing."""
    found = re.search(r"\*\*Time\.\*\* (\d+) minutes\.|^In ([a-z-]+) minutes you will\b", notebook.cells[0].source, re.M)
    return str(found[1] or NUMBER_WORDS[found[2]]) if found else ""


def slide_type(cell: Any) -> str:
    """What a lecturer has made of a cell: "slide", "subslide", "fragment", "skip", "notes", or nothing."""
    found = str(cell.metadata.get("slideshow", {}).get("slide_type", ""))
    return "" if found == "-" else found


def is_answer(cell: Any) -> bool:
    """Whether it answers what the reader is asked to move or to find out; on slides that is the speaker's."""
    return "answers" in cell.metadata.get("tags", ())


def is_left_out(cell: Any) -> bool:
    """Whether it says nothing to a reader: a note for the lecturer, or what needs a kernel and pages of one's own."""
    return LAB_ONLY_TAG in cell.metadata.get("tags", ()) or (slide_type(cell) == "notes" and not is_answer(cell))


def explorer_name(output: Any) -> str:
    """The name of the explorer for which a picture stands; empty for any other output."""
    data = output.get("data", {})
    found = _EXPLORER.match(data.get("text/plain", "")) if PNG in data else None
    return found[1] if found else ""


def alt_text(output: Any) -> str:
    """What a picture shows, in words."""
    return str(output.get("metadata", {}).get(PNG, {}).get("alt", "") or output.data.get("text/plain", ""))


def cells_with_sections(notebook: Any) -> Iterator[tuple[Any, str]]:
    """Each cell, and the last heading above or in it, as JupyterLab writes it behind a #."""
    section = ""
    for cell in notebook.cells:
        if found := headings(cell):
            section = found[-1].words.replace(" ", "-")
        yield cell, section


def replace_pictures(notebook: Any, source: Callable[[bytes], str], said: Callable[[str, str], str], one_by_one: bool = False) -> None:
    """Put HTML in the place of pictures: an image from this source, with its alternative text, and what is said below an explorer's.

    `said` takes the explorer's name and the section in which it stands; both are HTML that `said` itself escapes.  Where pictures of an
    explorer stand one below the other, a slide shows them `one_by_one`.  Explorers are numbered: a link may lead to one.
    """
    number = count(1)
    for cell, section in cells_with_sections(notebook):
        for output in cell.get("outputs", []):
            if PNG not in output.get("data", {}):
                continue
            data = b64decode(output.data[PNG])
            width, height = (int.from_bytes(data[k : k + 4], "big") for k in (16, 20))  # where the format has them
            about = f'alt="{escape(alt_text(output))}" width="{width}" height="{height}"'
            image = f'<img class="fstats-picture dark-light" src="{source(data)}" {about} loading="lazy" decoding="async">'
            if moving := explorer_name(output):
                heights = output.metadata.get(PNG, {}).get("heights", ())
                if one_by_one and len(heights) > 1:
                    image = _split_image(image, width, height, heights)
                words = said(moving, section)
                image = f'<figure class="fstats-still" id="explorer-{next(number)}">{image}<figcaption>{words}</figcaption></figure>'
            output.data, output.metadata = {"text/html": image}, {}


def _split_image(image: str, width: int, height: int, heights: Sequence[float]) -> str:
    """An image in parts, each of which covers the one before when the lecturer goes on; what they show is said once."""
    silent = re.sub(r' alt="[^"]*"', ' alt=""', image)
    above = 0.0
    parts: list[str] = []
    for one in heights:
        share = height * one / sum(heights)
        moved = (silent if parts else image).replace("<img ", f'<img style="margin-top:-{100 * above / width:.3f}%" ')
        parts.append(f'<div class="fstats-part{" fragment" * bool(parts)}" style="aspect-ratio:{width}/{share:.1f}">{moved}</div>')
        above += share
    return f'<div class="fstats-parts">{"".join(parts)}</div>'


def data_url(data: bytes) -> str:
    """A picture as an address that holds it."""
    return "data:image/png;base64," + b64encode(data).decode()


def jupyterlab_caption(document: str, address: str = "") -> Callable[[str, str], str]:
    """What is said below the picture of an explorer of this notebook, on paper and on pages that nobody serves; with a link to a copy."""
    named = f"<code>{escape(document)}</code>"
    named = f'<a href="{escape(address)}">{named}</a>' if address else named

    def said(name: str, section: str) -> str:
        place = f', section "{escape(section.replace("-", " "))}"' if section else ""
        return f"<strong>{escape(name)}</strong>, as it starts. It moves in JupyterLab: <code>fstats lab</code>, then {named}{place}."

    return said


_LINK = re.compile(r"```.*?```|`[^`\n]*`|(?<!!)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(([^)\s]+)\)", re.S)  # code holds no links


def rewrite_links(words: str, target: Callable[[str], str]) -> str:
    """Markdown whose links lead to where `target` says; to nowhere, and they are words."""

    def link(found: re.Match[str]) -> str:
        if found[2] is None:
            return found[0]
        to = target(found[2])
        return f"[{found[1]}]({to})" if to else found[1]

    return _LINK.sub(link, words)


def rewrite_notebook_links(notebook: Any, target: Callable[[str], str]) -> None:
    """The same for the words of a notebook."""
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = rewrite_links(cell.source, target)


def keep_web_links(to: str) -> str:
    """Where a link leads on a page that stands alone: to other places of the web, or to nowhere."""
    return to if "://" in to else ""


def select_notebooks(names: Sequence[str], folder: Path) -> list[Path]:
    """The notebooks that are meant: by file, or as `meant` finds them; all lessons if none is named."""
    if not names:
        return sorted(folder.glob("*.ipynb"))
    return [Path(name) if name.endswith(".ipynb") and Path(name).is_file() else find_notebook(name, folder) for name in names]


def find_notebook(name: str, folder: Path) -> Path:
    """The notebook that is meant by any of its names: a lesson of this folder, or else an exercise of the folder beside it."""
    if Path(name).parent.name == "solutions" and not (folder.parent / "solutions").is_dir():
        raise LookupError(f"{name} {NO_SOLUTIONS}")
    rooms = [{path.stem: path for path in sorted(room.glob("*.ipynb"))} for room in (folder, folder.parent / "exercises")]
    for known in rooms:
        try:
            return known[resolve_numbered_name(name, known, "notebook")]
        except AmbiguousNameError:
            raise
        except LookupError:
            continue
    every = rooms[0] | rooms[1]
    return every[resolve_numbered_name(name, every, "notebook")]
