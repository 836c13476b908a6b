"""Build the web site of the course with Sphinx.

The sources are stored notebooks and docstrings.

This module prepares the input of Sphinx, of MyST-NB (which reads notebooks) and of the theme: notebooks whose pictures are files
with alternative texts, a page of contents, and the API reference. The settings of Sphinx are in site.toml.
"""

from __future__ import annotations

import re
import shutil
import tempfile
import tomllib
import warnings
from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

from ..runtime.atomic_write import atomic_folder, check_own_folder
from ..teaching.course_files import PACKAGE
from ..teaching.polls import covered_cells, find_polls
from . import api_reference, assets
from . import notebook_content as content
from .browser_python import site_files
from .desk_page import add_desk_page
from .front_page import GLOSSARY, explorer_notebook, first_explorer, front_page, numbered_title
from .html_export import MATHJAX
from .walk_pages import walk_front_end, walk_scripts, walk_style

FOLDERS = {"notebooks": "Notebooks", "exercises": "Exercises"}
BETS_SCRIPT = PACKAGE / "teaching" / "settings" / "labextensions" / "fstats" / "static" / "bets.js"
# words about keys in the text of notebooks, without which a sentence is complete; site.css hides them on touch screens
KEY_WORDS = re.compile(
    r" \((?:Shift \+ Enter|press [mn] [^)]*|key [mw])\)| with Shift \+ Enter\b|, or press Tab and use the arrow keys|"
    r"; (?:press|the key) m [^.\n]*| Press [mw] (?:for|to) [^.\n]*\.| The right arrow key shows the next line\.|"
    r"\bPress Shift \+ Enter [^.\n]*\. ?"
)
CELL = "cell-id="  # JupyterLab writes this text before the id of a cell in a link


class SiteBuildError(RuntimeError):
    """Error for a site with faults, such as broken links or invalid docstrings."""


class ContentsEntry(NamedTuple):
    """Row of the table of contents."""

    path: Path
    question: str

    @property
    def document(self) -> str:
        """Path of the notebook in the site, without suffix."""
        return f"{self.path.parent.name}/{self.path.stem}"


def build_site(
    root: Path, to: Path, some: Sequence[Path] = (), names: Sequence[str] = (), progress: bool = True, live: bool = False
) -> int:
    """Write the site of the notebooks and exercises of a repository, and return the number of its pages.

    With `some`, the site contains only these notebooks, and links to other notebooks become text. With `names`, the reference contains
    only these names. In a `live` site the explorers move.
    """
    if not (root / "README.md").is_file():
        raise FileNotFoundError(f"the site must be built in a clone of the repository; {root} has no README.md, which lists the course")
    check_own_folder(to, (to / ".buildinfo").exists(), "--to", "site")
    with atomic_folder(to, instead=True) as part, tempfile.TemporaryDirectory() as place:
        source, pages = Path(place) / "source", Path(place) / "site"
        added = site_files.write_site_files(source / "_static", pages / "live") if live else None
        write_sources(root, source, some, names, live)
        _run_sphinx(source, pages, Path(place) / "kept", progress, added)
        assets.write_licences(pages, assets.SITE_LICENCES)
        (pages / "_static" / "webpack-macros.html").unlink(missing_ok=True)  # this file of the theme is a template and not a page
        if live:
            site_files.write_service_worker(pages)
        # copy the files one by one, because on a full disk copytree would report every file
        for path in filter(Path.is_file, pages.rglob("*")):
            target = part / path.relative_to(pages)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
    return len(list(to.rglob("*.html")))


# -- source files for Sphinx --------------------------------------------------------------------------------------------------------
def write_sources(root: Path, source: Path, some: Sequence[Path] = (), names: Sequence[str] = (), live: bool = False) -> None:
    """Write the folder of sources that Sphinx reads."""
    import nbformat

    wanted = {path.resolve() for path in some}
    listed = {
        folder: [entry for entry in read_contents(root, folder) if not wanted or entry.path.resolve() in wanted] for folder in FOLDERS
    }
    known = {entry.path.resolve() for entries in listed.values() for entry in entries}
    static = source / "_static"
    assets.copy_mathjax(static)
    (static / "fstats.css").write_text((assets.HERE / "site.css").read_text(encoding="utf-8") + walk_style(), encoding="utf-8")
    scripts = (path.read_text(encoding="utf-8") for path in (BETS_SCRIPT, assets.HERE / "site.js"))
    (static / "fstats.js").write_text("\n".join([walk_front_end(), *scripts]), encoding="utf-8")
    for folder, entries in listed.items():
        (source / folder).mkdir(parents=True)
        for entry in entries:
            page = static_notebook(content.read_notebook(entry.path), entry, static / "pictures", known, live)
            (source / folder / entry.path.name).write_text(nbformat.writes(page, version=4), encoding="utf-8")
        (source / folder / "index.md").write_text(_folder_index(folder, entries, live), encoding="utf-8")
    page = (root / ".github" / "COMING_FROM.md").read_text(encoding="utf-8")
    if live:
        add_desk_page(source)
        page = page.replace("the desk compares", "[the desk](desk.md) compares").replace("The desk reads", "[The desk](desk.md) reads")
    (source / "coming_from.md").write_text(page, encoding="utf-8")
    paths = {folder: [entry.path for entry in entries] for folder, entries in listed.items()}
    api_reference.write_reference(source / "reference", names, paths)
    explorer = static_notebook(explorer_notebook(), ContentsEntry(root / "index.ipynb", ""), static / "pictures", known, live)
    lessons = {entry.document: entry.question for entry in listed["notebooks"]}
    exercises = _contents_table(listed["exercises"], "exercises/", live)
    page = front_page(root, FOLDERS, lessons, first_explorer(explorer), exercises, live, static)
    (source / "index.md").write_text(page, encoding="utf-8")


def read_contents(root: Path, folder: str) -> list[ContentsEntry]:
    """Return the notebooks of a folder with their questions, in the order of the table in the README of the folder or the main README."""
    page = next(page for page in (root / folder / "README.md", root / "README.md") if page.is_file())
    lines = re.findall(rf"^\| \[`\w+`\]\((?:{folder}/)?(\w+\.ipynb)\) \| (.+?) \|$", page.read_text(encoding="utf-8"), re.M)
    return [ContentsEntry(root / folder / name, question) for name, question in lines]


def static_notebook(notebook: Any, listed: ContentsEntry, pictures: Path, known: set[Path], live: bool = False) -> Any:
    """Return the notebook with its pictures as files with alternative texts, and without the cells for lecturers.

    In a `live` site, the data of an explorer come after its picture.
    """
    import nbformat

    def save_picture(data: bytes) -> str:
        name = sha256(data).hexdigest()[:16] + ".png"
        (pictures / name).write_bytes(data)
        return f"../_static/pictures/{name}"

    pictures.mkdir(parents=True, exist_ok=True)
    moving = [*walk_scripts(notebook), *(site_files.explorer_scripts(notebook) if live else [])]
    script = site_files.notebook_script(notebook, listed.path.name) if live else ""
    ends = mark_polls(notebook)
    notebook.cells = [part for cell in notebook.cells for part in ([] if content.is_left_out(cell) else [cell]) + ends.get(cell.id, [])]
    content.replace_pictures(notebook, save_picture, site_files.explorer_caption if live else _still_caption)
    for output, frame in moving:
        if "text/html" in output.data:  # replace_pictures has converted this output to HTML
            output.data["text/html"] += frame
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = KEY_WORDS.sub(r'<span class="fstats-keys">\g<0></span>', cell.source)
    if live:
        site_files.add_text_fields(notebook)
        notebook.cells += [nbformat.v4.new_markdown_cell(script)] * bool(script)
    content.rewrite_notebook_links(notebook, lambda target: _link_target(target, listed.path, known))
    for output in (output for cell in notebook.cells for output in cell.get("outputs", [])):
        if "text/html" in output.get("data", {}):
            output.data = {"text/html": output.data["text/html"]}
        elif output.get("name") == "stderr":
            output.name = "stdout"
    return notebook


def _still_caption(name: str, _: str) -> str:
    about = '<a href="../index.html#for-those-who-install">after an installation</a>'
    return f"<strong>{escape(name)}</strong>, at the start. It moves on the live site of the course, and in JupyterLab {about}."


def mark_polls(notebook: Any) -> dict[str, list[Any]]:
    """Mark the polls in the text of a notebook, and return cells that mark where the answers end, by the id of the cell before.

    The page covers the answers until a reader has chosen (bets.js).
    """
    import nbformat

    ends: dict[str, list[Any]] = {}
    for poll in find_polls(notebook.cells):
        covered = covered_cells(notebook.cells, poll.id)
        asked = notebook.cells[covered.start - 1]
        number = ' data-number="true"' * (not poll.choices)
        asked.source = f'<div class="fstats-bet" data-end="end-of-{poll.id}"{number}>\n\n{asked.source}\n\n</div>'
        end = nbformat.v4.new_markdown_cell(f'<span id="end-of-{poll.id}" hidden></span>')
        ends.setdefault(notebook.cells[covered.stop - 1].id, []).append(end)
    return ends


def _link_target(target: str, path: Path, known: set[Path]) -> str:
    """Return the target of a link in the site, or "" if the site lacks it; for a link to a cell, return the heading of the cell."""
    file, _, fragment = target.partition("#")
    if not file or "://" in file:
        return target
    document = (path.parent / file).resolve()
    if document not in known:
        return ""
    return f"{file}#{_heading_of_cell(document, fragment.removeprefix(CELL))}" if fragment.startswith(CELL) else target


@lru_cache(maxsize=256)
def _heading_of_cell(document: Path, cell: str) -> str:
    """Return the heading at the beginning of a cell as the target of a link."""
    return next(
        name.replace(" ", "-")
        for item in content.read_notebook(document).cells
        if item.get("id") == cell
        for _, name in content.headings(item)
    )


# -- index pages -----------------------------------------------------------------------------------------------------------------------
def _folder_index(folder: str, entries: Sequence[ContentsEntry], live: bool) -> str:
    others = [entry for entry in entries if entry.document != GLOSSARY]  # the navigation lists the glossary separately
    names = {entry.path.stem: numbered_title(entry.document, content.read_notebook(entry.path)).replace("$", "") for entry in others}
    return assets.fill_template("folder.md.j2", title=FOLDERS[folder], table=_contents_table(entries, "", live), names=names)


def _contents_table(entries: Sequence[ContentsEntry], folder: str, live: bool) -> str:
    rows, notebooks = [], {entry.path.stem: content.read_notebook(entry.path) for entry in entries}
    for entry in entries:
        notebook = notebooks[entry.path.stem]
        title = numbered_title(entry.document, notebook)
        rows.append(f"| [{title}]({folder}{entry.path.name}) | {entry.question} | {content.planned_minutes(notebook)} |")
    heads = f"| {Path(entries[0].path).parent.name.rstrip('s') if entries else ''} | question | minutes |"
    return "\n".join([heads, "|:--|:--|--:|", *rows]) + (site_files.question_count_script(notebooks.items()) if live else "")


# -- Sphinx ----------------------------------------------------------------------------------------------------------------------------
def heading_slug(heading: str) -> str:
    """Return the name of a heading in links, in the form of JupyterLab."""
    return heading.replace(" ", "-")


def _run_sphinx(source: Path, pages: Path, kept: Path, progress: bool, live: site_files.PageFiles | None = None) -> None:
    from io import StringIO

    from sphinx.application import Sphinx
    from sphinx.errors import SphinxError
    from sphinx.util.docutils import docutils_namespace, patch_docutils

    import fstats

    sphinx_log = StringIO()
    settings = tomllib.loads((assets.HERE / "site.toml").read_text(encoding="utf-8"))
    if live:
        settings["html_js_files"] += [[live.script, {"defer": "defer"}]]
        settings["html_css_files"] += [live.style]
    settings |= {"release": fstats.__version__, "mathjax3_config": {"tex": MATHJAX["tex"]} | settings["mathjax3_config"]}
    # ignore warnings of libraries; warnings about pages are in Sphinx's log
    with warnings.catch_warnings(action="ignore"), patch_docutils(str(source)), docutils_namespace():
        app = Sphinx(str(source), None, str(pages), str(kept), "html", settings, status=None, warning=sphinx_log, freshenv=True)
        app.set_html_assets_policy("always")  # Sphinx does not notice formulas in outputs, so load MathJax on every page
        if live:
            app.connect("html-page-context", _head_links(live.links))
        if progress:
            app.connect("source-read", _progress_bar(source))
        try:
            app.build(force_all=True)
        except SphinxError as error:
            raise SiteBuildError(f"the site cannot be built: {' '.join(str(error).split())}") from error
    # remove the colour codes and the path of the temporary folder from the log
    log = re.sub(r"\x1b\[[\d;]*m", "", sphinx_log.getvalue()).replace(f"{source}/", "")
    if faults := list(filter(str.strip, log.splitlines())):
        raise SiteBuildError("the built site has these faults:\n" + "\n".join(faults))


CONTENT_SECURITY_POLICY = (
    '<meta http-equiv="Content-Security-Policy" content="'
    "default-src 'self' data: blob: 'unsafe-inline' 'unsafe-eval'; object-src 'none'; base-uri 'self'; form-action 'self'\" />"
)
"""Content security policy for browsers: a page and the outputs of its cells must not request data from other addresses."""


def _head_links(links: dict[str, str]) -> Any:
    """Return a function that adds links to files in _static to the head of each page; the links follow the content security policy."""

    def add(_: Any, __: str, ___: str, context: dict[str, Any], ____: Any) -> None:
        lines = (f'<link rel="{what}" href="{context["pathto"](f"_static/{file}", 1)}" />' for what, file in links.items())
        context["metatags"] = "\n".join([CONTENT_SECURITY_POLICY, context.get("metatags", ""), *lines])

    return add


def _progress_bar(source: Path) -> Any:
    """Return a function that moves a progress bar when a page is read."""
    from ..runtime.parallel_tasks import run_tasks

    total = sum(path.suffix in (".md", ".ipynb", ".rst") for path in source.rglob("*"))
    bar = run_tasks(lambda: None, (() for _ in range(total)), total=total, title="pages")
    return lambda *_: next(bar, None)
