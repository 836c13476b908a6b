"""Extract headings, links and pictures from notebooks.

Static pages also need the title and the explorers of a notebook.
"""

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
LAB_ONLY_TAG = "lab-only"  # tag of cells that work only in JupyterLab
# matches the name of an explorer in the text that a notebook stores with a picture of the explorer
_EXPLORER = re.compile(r"\[(?!picture: )([^\]]+)\] ")
_HEADING = re.compile(r"^(#{1,6})\s+(.+?)\s*$", re.M)
_CODE = re.compile(r"^```.*?^```", re.M | re.S)


class Heading(NamedTuple):
    """Level and text of a heading."""

    level: int
    text: str


def read_notebook(path: Path) -> Any:
    """Read the notebook in a file."""
    from ..teaching import notebook_build

    return notebook_build.read_notebook_file(path)


def headings(cell: Any) -> list[Heading]:
    """Return the headings of a Markdown cell from top to bottom; a code cell has no headings."""
    if cell.cell_type != "markdown":
        return []
    return [Heading(len(signs), text) for signs, text in _HEADING.findall(_CODE.sub("", cell.source))]


def notebook_title(notebook: Any) -> str:
    """Return the first heading of a notebook."""
    return next((text for cell in notebook.cells for _, text in headings(cell)), "")


def planned_minutes(notebook: Any) -> str:
    """Return the planned minutes that the first cell states; "" for a page without planned minutes, such as a list."""
    match = re.search(r"\*\*Time\.\*\* (\d+) minutes\.|^In ([a-z-]+) minutes you will\b", notebook.cells[0].source, re.M)
    return str(match[1] or NUMBER_WORDS[match[2]]) if match else ""


def slide_type(cell: Any) -> str:
    """Return the slide type of a cell: "slide", "subslide", "fragment", "skip", "notes", or "" if the cell has no slide type."""
    name = str(cell.metadata.get("slideshow", {}).get("slide_type", ""))
    return "" if name == "-" else name


def is_answer(cell: Any) -> bool:
    """Return whether a cell answers a question to the reader; on slides, answers are speaker notes."""
    return "answers" in cell.metadata.get("tags", ())


def is_left_out(cell: Any) -> bool:
    """Return whether a cell is left out on pages: a note for the lecturer, or a cell that needs a kernel or a notebook."""
    return LAB_ONLY_TAG in cell.metadata.get("tags", ()) or (slide_type(cell) == "notes" and not is_answer(cell))


def explorer_name(output: Any) -> str:
    """Return the name of the explorer that a stored picture shows; "" for any other output."""
    data = output.get("data", {})
    match = _EXPLORER.match(data.get("text/plain", "")) if PNG in data else None
    return match[1] if match else ""


def alt_text(output: Any) -> str:
    """Return the alternative text of a picture."""
    return str(output.get("metadata", {}).get(PNG, {}).get("alt", "") or output.data.get("text/plain", ""))


def cells_with_sections(notebook: Any) -> Iterator[tuple[Any, str]]:
    """Yield each cell with the last heading above or in the cell, in the form of links in JupyterLab (the part after the #)."""
    section = ""
    for cell in notebook.cells:
        if cell_headings := headings(cell):
            section = cell_headings[-1].text.replace(" ", "-")
        yield cell, section


def replace_pictures(notebook: Any, source: Callable[[bytes], str], caption: Callable[[str, str], str], one_by_one: bool = False) -> None:
    """Replace pictures by HTML: an image from `source` with its alternative text, and a caption below the picture of an explorer.

    `caption` takes the name of the explorer and its section, and returns HTML in which name and section are escaped. With `one_by_one`, a
    slide shows the pictures of an explorer one after the other. Explorers are numbered, so that links can lead to an explorer.
    """
    number = count(1)
    for cell, section in cells_with_sections(notebook):
        for output in cell.get("outputs", []):
            if PNG not in output.get("data", {}):
                continue
            data = b64decode(output.data[PNG])
            # bytes 16 to 19 and 20 to 23 of a PNG file, counted from 0, contain width and height
            width, height = (int.from_bytes(data[k : k + 4], "big") for k in (16, 20))
            about = f'alt="{escape(alt_text(output))}" width="{width}" height="{height}"'
            image = f'<img class="fstats-picture dark-light" src="{source(data)}" {about} loading="lazy" decoding="async">'
            if name := explorer_name(output):
                heights = output.metadata.get(PNG, {}).get("heights", ())
                if one_by_one and len(heights) > 1:
                    image = _split_image(image, width, height, heights)
                text = caption(name, section)
                image = f'<figure class="fstats-still" id="explorer-{next(number)}">{image}<figcaption>{text}</figcaption></figure>'
            output.data, output.metadata = {"text/html": image}, {}


def _split_image(image: str, width: int, height: int, heights: Sequence[float]) -> str:
    """Split an image into parts that take turns in the same place; only the first part has the alternative text."""
    without_alt = re.sub(r' alt="[^"]*"', ' alt=""', image)
    above = 0.0
    parts: list[str] = []
    for part_height in heights:
        share = height * part_height / sum(heights)
        moved = (without_alt if parts else image).replace("<img ", f'<img style="margin-top:-{100 * above / width:.3f}%" ')
        cut = f'<div style="aspect-ratio:{width}/{share:.1f}">{moved}</div>'  # .fstats-part is white and covers a higher part before it
        parts.append(f'<div class="fstats-part{" fragment" * bool(parts)}">{cut}</div>')
        above += share
    return f'<div class="fstats-parts">{"".join(parts)}</div>'


def data_url(data: bytes) -> str:
    """Return a picture as a data URL."""
    return "data:image/png;base64," + b64encode(data).decode()


def jupyterlab_caption(document: str, address: str = "") -> Callable[[str, str], str]:
    """Return a function for the captions of explorers on pages without Python; `address` is the address of a copy of the notebook."""
    link = f"<code>{escape(document)}</code>"
    link = f'<a href="{escape(address)}">{link}</a>' if address else link

    def caption(name: str, section: str) -> str:
        place = f', section "{escape(section.replace("-", " "))}"' if section else ""
        return f"<strong>{escape(name)}</strong>, at the start. It moves in JupyterLab: <code>fstats lab</code>, then {link}{place}."

    return caption


# matches links, and also code, so that links inside code are not changed
_LINK = re.compile(r"```.*?```|`[^`\n]*`|(?<!!)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(([^)\s]+)\)", re.S)


def rewrite_links(text: str, target: Callable[[str], str]) -> str:
    """Replace the targets of Markdown links by the results of `target`; links with an empty target become plain text."""

    def link(match: re.Match[str]) -> str:
        if match[2] is None:
            return match[0]
        to = target(match[2])
        return f"[{match[1]}]({to})" if to else match[1]

    return _LINK.sub(link, text)


def rewrite_notebook_links(notebook: Any, target: Callable[[str], str]) -> None:
    """Rewrite the links in the text of a notebook."""
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = rewrite_links(cell.source, target)


def keep_web_links(to: str) -> str:
    """Return the target of a link on a page without other files: web addresses stay unchanged, all other targets become empty."""
    return to if "://" in to else ""


def select_notebooks(names: Sequence[str], folder: Path) -> list[Path]:
    """Return the notebooks with the given names or files; without names, return all lessons."""
    if not names:
        return sorted(folder.glob("*.ipynb"))
    return [Path(name) if name.endswith(".ipynb") and Path(name).is_file() else find_notebook(name, folder) for name in names]


def find_notebook(name: str, folder: Path) -> Path:
    """Return the notebook with the given name: a lesson in the folder, otherwise an exercise in the folder of exercises beside it."""
    if Path(name).parent.name == "solutions" and not (folder.parent / "solutions").is_dir():
        raise LookupError(f"the notebook {name} needs the solutions, {NO_SOLUTIONS}")
    folders = [{path.stem: path for path in sorted(place.glob("*.ipynb"))} for place in (folder, folder.parent / "exercises")]
    for known in folders:
        try:
            return known[resolve_numbered_name(name, known, "notebook")]
        except AmbiguousNameError:
            raise
        except LookupError:
            continue
    notebooks = folders[0] | folders[1]
    return notebooks[resolve_numbered_name(name, notebooks, "notebook")]
