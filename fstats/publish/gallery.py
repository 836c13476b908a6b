"""Gallery of examples in the API reference.

An example has a question, a line of code, a worked example and a picture.
"""

from __future__ import annotations

import re
import tomllib
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from html import escape
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from ..plot.drawing.picture import Picture
from ..teaching.course_files import PACKAGE
from .assets import HERE
from .notebook_content import notebook_title, read_notebook

NOT_RUN = "-"  # mark of a line of code that the gallery shows without a result


class Example(NamedTuple):
    """Worked example: its code, the last line of the code, the printed result, and the picture of the result."""

    code: str
    line: str
    text: str = ""
    picture: Picture | None = None


_GROUPS: dict[str, Any] = tomllib.loads((HERE / "gallery.toml").read_text(encoding="utf-8"))
OTHER_CODE = frozenset(_GROUPS.pop("other_code"))  # methods that the site does not document, because readers do not call them
DATA: dict[str, str] = _GROUPS.pop("data")  # maps a name in the lines of the gallery to the statement that defines it
# maps a question to the public names that answer the question
GROUPS: dict[str, list[str]] = {title: list(lines) for title, lines in _GROUPS.items()}


@lru_cache(maxsize=256)
def work_out(name: str) -> Example:
    """Compute the worked example of a name."""
    entry = next(lines[name] for lines in _GROUPS.values() if name in lines)
    line, drawing = (entry, "") if isinstance(entry, str) else entry
    code = "\n".join([*_statements(line), line])
    if drawing == NOT_RUN:
        return Example(code, line)
    space: dict[str, Any] = {}
    with warnings.catch_warnings(action="ignore"):
        exec("\n".join(_statements(f"{line} {drawing}")), space)
        result = space["result"] = eval(line, space)
        drawn = eval(drawing, space) if drawing else result.plot() if hasattr(result, "plot") else None
    return Example(code, line, repr(result), drawn)


def _statements(line: str) -> list[str]:
    """Return the statements that define the names in a line; each statement is after the statements that it needs."""
    found: dict[str, None] = {}
    for name in dict.fromkeys(["fstats", *re.findall(r"\w+", re.sub(r"#.*|\"[^\"]*\"", "", line))]):
        if name in DATA and DATA[name] != line:
            found |= dict.fromkeys([*_statements(DATA[name]), DATA[name]])
    return list(found)


# -- cards of the gallery --------------------------------------------------------------------------------------------------------
def question(summary: str) -> tuple[str, str]:
    """Split the first sentence of a docstring, without its marks of reStructuredText, into the title and the question of the reader.

    >>> question("Paired t-test: do two classifiers differ?")
    ('Paired t-test', 'Do two classifiers differ?')
    """
    text = re.sub(r":\w+:`~?(?:fstats\.)?([^`]+)`|`+([^`]+)`+", lambda match: match[1] or match[2], summary)
    title, _, asked = text.partition(": ")
    return (title, asked[:1].upper() + asked[1:]) if asked.endswith("?") else ("", text)


def card(name: str, summary: str) -> str:
    """Return the entry of a name in the gallery as HTML: picture (or printed result), name, question, and one line of code."""
    example, (title, asked) = work_out(name), question(summary)
    text = escape("\n".join(line[:60] for line in example.text.splitlines()[-9:]))  # the last lines contain the conclusion
    shown = image(name, example.picture.text) if example.picture else f'<span class="fstats-printed" aria-hidden="true">{text}</span>'
    heading = re.sub(r"(?<=[a-z])(?=[A-Z])", "<wbr>", name) + f" <small>{escape(title)}</small>" * (title not in ("", name))
    words = f"<span>{escape(asked)}</span><code>{escape(example.line)}</code>"
    return f'<li><a href="{name}.html">{shown}<strong>{heading}</strong></a>{words}</li>'


def image(name: str, alt: str) -> str:
    """Return the picture of a name as HTML."""
    return f'<img class="fstats-picture dark-light" src="../_static/gallery/{name}.svg" alt="{escape(alt)}" loading="lazy">'


# -- documentation page of a name ---------------------------------------------------------------------------------------------------
def example_lines(name: str, static: Path) -> Iterator[str]:
    """Yield the worked example of a name as reStructuredText, and save its picture."""
    example = work_out(name)
    if example.picture:
        (static / "gallery").mkdir(parents=True, exist_ok=True)
        (static / "gallery" / f"{name}.svg").write_text(example.picture.svg(), encoding="utf-8")
        yield from (".. raw:: html", "", f"   {image(name, example.picture.text)}", "")
    for kind, text in (("python", example.code), ("text", example.text)):
        if text:
            yield from (f".. code-block:: {kind}", "", *(f"   {line}".rstrip() for line in text.splitlines()), "")


def link_lines(name: str, module: str, related: Sequence[str], pages: Mapping[str, Sequence[Path]], static: Path) -> Iterator[str]:
    """Yield the links of a page as reStructuredText: lesson, exercise, source and related names; the source is saved as text."""
    if lesson := most_mentions(name, tuple(pages.get("notebooks", ()))):
        yield f"* Lesson: :doc:`{_title(lesson)} <../notebooks/{lesson.stem}>`"
        text = "\n".join(cell.source for cell in read_notebook(lesson).cells)
        linked = sorted((path for path in pages.get("exercises", ()) if path.name in text), key=lambda path: text.index(path.name))
        if best := most_mentions(name, tuple(linked)):
            both = (f":doc:`{_title(path)} <../exercises/{path.stem}>`" for path in dict.fromkeys([linked[0], best]))
            yield f"* {', '.join(both)}"
    source = Path(str(import_module(module).__file__))
    copy = static / "source" / f"{source.relative_to(PACKAGE).as_posix().replace('/', '.')}.txt"
    copy.parent.mkdir(parents=True, exist_ok=True)
    copy.write_bytes(source.read_bytes())
    yield f"* Source: `{source.name} <../_static/source/{copy.name}>`__"
    if related:
        yield f"* See also: {', '.join(f':doc:`{other}`' for other in related)}"
    yield ""


@lru_cache(maxsize=512)
def most_mentions(name: str, paths: tuple[Path, ...]) -> Path | None:
    """Return the notebook that mentions a name most often; if none does, the notebook that mentions its group most often."""
    numbered = [path for path in paths if path.stem[0].isdigit()]
    group = next((names for names in GROUPS.values() if name in names), [])
    counts = {path: (_words(path)[name], sum(_words(path)[other] for other in group)) for path in numbered}
    return max(counts, key=lambda path: counts[path], default=None)


def _title(path: Path) -> str:
    return notebook_title(read_notebook(path)).replace("$", "")


@lru_cache(maxsize=256)
def _words(path: Path) -> Counter[str]:
    """Return the number of occurrences of each word in the code of a notebook, or in the code of the questions of an exercise."""
    cells = read_notebook(path).cells
    texts = [text for cell in cells for text in ([cell.source] if cell.cell_type == "code" else re.findall(r"`(.+?)`", cell.source))]
    if path.parent.name == "exercises":
        course = PACKAGE / "teaching" / "course" / path.stem.partition("_")[2]
        texts += [file.read_text(encoding="utf-8") for file in (*course.glob("*.py"), *course.glob("steps.toml"))]
    return Counter(re.findall(r"\w+", "\n".join(texts)))
