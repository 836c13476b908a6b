"""Front page of the web site.

The page has one question with an explorer, links, and the list of lessons.
"""

from __future__ import annotations

import re
import tomllib
from base64 import b64decode
from collections.abc import Mapping, Sequence
from html import escape
from io import BytesIO
from pathlib import Path
from typing import Any

from .assets import TEMPLATES, fill_template
from .browser_python.prerendered_explorers import evaluate_cell
from .notebook_content import PNG, alt_text, keep_web_links, notebook_title, planned_minutes, read_notebook, rewrite_links

# sources of the two code cells of the walk on the first page
EXPLORER = "from fstats import PairedT", "PairedT([85, 70, 79, 78, 83], [87, 68, 85, 75, 83]).walk(upto='reject')"
GLOSSARY = "notebooks/glossary"  # path of the glossary; the navigation lists it separately from the lessons
SMALL = 320  # width of the small pictures of lessons, in pixels


def front_page(
    root: Path, folders: Mapping[str, str], lessons: Mapping[str, str], explorer: str, exercises: str, live: bool, static: Path
) -> str:
    """Return the first page in Markdown: `lessons` has the question of each document, `explorer` and `exercises` are parts of the page."""
    text = (root / "README.md").read_text(encoding="utf-8").split("\n\n")[1]
    introduction = rewrite_links(text, lambda to: "coming_from.md" if to.endswith("COMING_FROM.md") else keep_web_links(to))
    numbered = {name: read_notebook(root / f"{name}.ipynb") for name in lessons if Path(name).stem[0].isdigit()}
    cards = [lesson_card(name, notebook, lessons[name], static) for name, notebook in numbered.items()]
    parts = {"explorer": explorer, "cards": cards, "exercises": exercises, "introduction": introduction}
    return fill_template(
        "index.md.j2", **parts, folders=folders, glossary=GLOSSARY in lessons, live=live, doors=doors([*lessons, *["desk"] * live])
    )


def explorer_notebook() -> Any:
    """Return a notebook with the walk of the first page: the paired t-test of the course, up to the decision."""
    import nbformat

    cells = [nbformat.v4.new_code_cell(source) for source in EXPLORER]
    data, metadata = evaluate_cell(*EXPLORER)._repr_mimebundle_()
    cells[-1].outputs = [nbformat.v4.new_output("display_data", {kind: data[kind] for kind in (PNG, "text/plain")}, metadata=metadata)]
    return nbformat.v4.new_notebook(cells=cells)


def first_explorer(page: Any) -> str:
    """Return the HTML of the first explorer of a page, for a page in the folder above; "" without an explorer."""
    shown = (output.get("data", {}).get("text/html", "") for cell in page.cells for output in cell.get("outputs", []))
    return next((html for html in shown if html.startswith('<figure class="fstats-still"')), "").replace('="../', '="')


def doors(documents: Sequence[str]) -> list[dict[str, str]]:
    """Return the doors, the links to the main parts: each to the first of its places that is in the documents, or to its last place."""
    found = tomllib.loads((TEMPLATES / "doors.toml").read_text(encoding="utf-8"))["door"]
    for door in found:
        place = next((place for place in door["places"] if place.partition("#")[0] in documents), door["places"][-1])
        document, *section = place.split("#")
        door["link"] = "#".join([f"{document}.html", *section])
        door["text"] = door.get(document, door["text"])
    return found


def lesson_card(document: str, notebook: Any, question: str, static: Path) -> str:
    """Return the entry of a lesson as HTML: a small copy of its first picture, title, question and minutes."""
    output = next((output for cell in notebook.cells for output in cell.get("outputs", []) if PNG in output.get("data", {})), None)
    image = f'<img class="fstats-picture" {small_picture(document, output, static)} loading="lazy" decoding="async">' if output else ""
    title = escape(numbered_title(document, notebook).replace("$", ""))
    minutes = f"<small>{planned} minutes</small>" if (planned := planned_minutes(notebook)) else ""
    return f'<li><a href="{document}.html">{image}<strong>{title}</strong></a><span>{escape(question)}</span>{minutes}</li>'


def small_picture(document: str, output: Any, static: Path) -> str:
    """Save a small copy of a stored picture (its first part, if the picture has parts), and return the attributes of its HTML element."""
    from PIL import Image

    image = Image.open(BytesIO(b64decode(output.data[PNG]))).convert("RGB")
    heights = output.metadata.get(PNG, {}).get("heights") or [1]
    image = image.crop((0, 0, image.width, round(image.height * heights[0] / sum(heights))))
    image.thumbnail((SMALL, SMALL), Image.Resampling.LANCZOS)
    path = static / "small" / f"{Path(document).stem}.png"
    path.parent.mkdir(parents=True, exist_ok=True)
    image.quantize(64).save(path, optimize=True)
    text = escape(re.sub(r"^.picture: |]$", "", alt_text(output)))
    return f'src="_static/small/{path.name}" alt="{text}" width="{image.width}" height="{image.height}"'


def numbered_title(document: str, notebook: Any) -> str:
    """Return the title of a notebook with its number; the titles of exercises already contain the number."""
    folder, _, stem = document.partition("/")
    number, title = stem.partition("_")[0], notebook_title(notebook)
    return f"{number} {title}" if folder == "notebooks" and number[0].isdigit() else title
