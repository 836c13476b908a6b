"""The course as a web site that needs no network: Sphinx reads the notebooks as they are stored, and the docstrings.

Sphinx, MyST-NB (the reader of notebooks) and the theme do the work; here stands what they are given: the notebooks with their
pictures as files and alternative texts, a page of contents and the reference; the settings are in site.toml.
"""

from __future__ import annotations

import re
import shutil
import tempfile
import tomllib
import warnings
from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from ..runtime.atomic_write import check_own_folder, atomic_folder
from . import api_reference, assets
from .browser_python.site_files import (
    PageFiles,
    add_text_fields,
    explorer_caption,
    explorer_scripts,
    notebook_script,
    question_count_script,
    write_service_worker,
    write_site_files,
)
from .html_export import MATHJAX
from .notebook_content import (
    headings,
    is_left_out,
    jupyterlab_caption,
    keep_web_links,
    notebook_title,
    planned_minutes,
    read_notebook,
    replace_pictures,
    rewrite_links,
    rewrite_notebook_links,
)

FOLDERS = {"notebooks": "Notebooks", "exercises": "Exercises"}
CELL = "cell-id="  # how JupyterLab's links name a cell
GLOSSARY = "glossary"  # the notebook of words, which the site shows beside the folders


class SiteBuildError(RuntimeError):
    """The site has faults: a link that leads nowhere, a docstring that cannot be read."""


class ContentsEntry(NamedTuple):
    """A line of the table of contents."""

    path: Path
    question: str

    @property
    def document(self) -> str:
        """Its place in the site, without an ending."""
        return f"{self.path.parent.name}/{self.path.stem}"


def build_site(
    root: Path, to: Path, some: Sequence[Path] = (), names: Sequence[str] = (), progress: bool = True, live: bool = False
) -> int:
    """Write the site of a repository's notebooks and exercises; returns the number of its pages.

    With `some` notebooks only these are in it, and links to others are words; with `names` only these are in its reference.  In a `live`
    site the explorers move.
    """
    if not (root / "README.md").is_file():
        raise FileNotFoundError(f"the site is built in a clone of the repository: there is no README.md in {root}, which lists the course")
    check_own_folder(to, (to / ".buildinfo").exists(), "--to", "site")
    with atomic_folder(to, instead=True) as part, tempfile.TemporaryDirectory() as place:
        source, pages = Path(place) / "source", Path(place) / "site"
        added = write_site_files(source / "_static", pages / "live") if live else None
        write_sources(root, source, some, names, live)
        _run_sphinx(source, pages, Path(place) / "kept", progress, added)
        assets.write_licences(pages, assets.SITE_LICENCES)
        (pages / "_static" / "webpack-macros.html").unlink(missing_ok=True)  # a template of the theme, no page
        if live:
            write_service_worker(pages)
        for path in filter(Path.is_file, pages.rglob("*")):  # copytree would tell of each file of which the disk is full
            there = part / path.relative_to(pages)
            there.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, there)
    return len(list(to.rglob("*.html")))


# -- what Sphinx reads -------------------------------------------------------------------------------------------------------------
def write_sources(root: Path, source: Path, some: Sequence[Path] = (), names: Sequence[str] = (), live: bool = False) -> None:
    """The folder that Sphinx reads."""
    import nbformat

    wanted = {path.resolve() for path in some}
    listed = {folder: [one for one in read_contents(root, folder) if not wanted or one.path.resolve() in wanted] for folder in FOLDERS}
    known = {one.path.resolve() for lines in listed.values() for one in lines}
    static = source / "_static"
    assets.copy_mathjax(static)
    for ending in ("css", "js"):
        shutil.copyfile(assets.HERE / f"site.{ending}", static / f"fstats.{ending}")
    for folder, lines in listed.items():
        (source / folder).mkdir(parents=True)
        for one in lines:
            page = static_notebook(read_notebook(one.path), one, static / "pictures", known, live)
            (source / folder / one.path.name).write_text(nbformat.writes(page, version=4), encoding="utf-8")
        (source / folder / "index.md").write_text(_folder_index(folder, lines, live), encoding="utf-8")
    (source / "index.md").write_text(_front_page(root, listed, live), encoding="utf-8")
    api_reference.write_reference(source / "reference", names)


def read_contents(root: Path, folder: str) -> list[ContentsEntry]:
    """The notebooks of a folder with the questions that the table of its README asks, or of that above it, in its order."""
    page = next(page for page in (root / folder / "README.md", root / "README.md") if page.is_file())
    lines = re.findall(rf"^\| \[`\w+`\]\((?:{folder}/)?(\w+\.ipynb)\) \| (.+?) \|$", page.read_text(encoding="utf-8"), re.M)
    return [ContentsEntry(root / folder / name, question) for name, question in lines]


def static_notebook(notebook: Any, listed: ContentsEntry, pictures: Path, known: set[Path], live: bool = False) -> Any:
    """The notebook with its pictures as files, which say in words what they show, and without what only its lecturer reads.

    In a `live` site what lets an explorer move stands behind its picture.
    """
    import nbformat

    def stored(data: bytes) -> str:
        name = sha256(data).hexdigest()[:16] + ".png"
        (pictures / name).write_bytes(data)
        return f"../_static/pictures/{name}"

    pictures.mkdir(parents=True, exist_ok=True)
    moving = explorer_scripts(notebook) if live else []
    script = notebook_script(notebook, listed.path.name) if live else ""
    notebook.cells = [cell for cell in notebook.cells if not is_left_out(cell)]
    replace_pictures(notebook, stored, explorer_caption if live else jupyterlab_caption(f"{listed.document}.ipynb"))
    for output, frame in moving:
        if "text/html" in output.data:  # it stands in a cell that the site has
            output.data["text/html"] += frame
    if live:
        add_text_fields(notebook)
        notebook.cells += [nbformat.v4.new_markdown_cell(script)] * bool(script)
    rewrite_notebook_links(notebook, lambda target: _link_target(target, listed.path, known))
    for output in (output for cell in notebook.cells for output in cell.get("outputs", [])):
        if "text/html" in output.get("data", {}):
            output.data = {"text/html": output.data["text/html"]}
        elif output.get("name") == "stderr":
            output.name = "stdout"
    return notebook


def _link_target(target: str, path: Path, known: set[Path]) -> str:
    """A link's target, if the site has it; the cell in which a section begins, by its heading."""
    file, _, place = target.partition("#")
    if not file or "://" in file:
        return target
    document = (path.parent / file).resolve()
    if document not in known:
        return ""
    return f"{file}#{_heading_of_cell(document, place.removeprefix(CELL))}" if place.startswith(CELL) else target


@lru_cache(maxsize=256)
def _heading_of_cell(document: Path, cell: str) -> str:
    """The heading with which a cell begins, as links have it."""
    return next(name.replace(" ", "-") for one in read_notebook(document).cells if one.get("id") == cell for _, name in headings(one))


# -- pages of their own ----------------------------------------------------------------------------------------------------------------
def _front_page(root: Path, listed: dict[str, list[ContentsEntry]], live: bool) -> str:
    readme = (root / "README.md").read_text(encoding="utf-8")
    heading, _, rest = readme.partition("\n\n")
    said = rewrite_links(rest.partition("\n\n")[0], keep_web_links)  # of the README's other sections the site has none
    tree = "\n".join(f"{words} <{folder}/index>" for folder, words in FOLDERS.items())
    words = next((one.document for one in listed["notebooks"] if one.path.stem == GLOSSARY), "")
    explained = f"Words are explained in the {{doc}}`glossary <{words}>`" if words else "Words are explained where they come up"
    also = f"Glossary <{words}>\n" * bool(words)
    lists = "\n\n".join(f"## {FOLDERS[folder]}\n\n{_contents_table(lines, f'{folder}/', live)}" for folder, lines in listed.items())
    moves = (
        "Explorers move and cells run in the pages, by Python in your browser, where your answers stay."
        if live
        else "To move the explorers and to have your exercises answered, take the repository and run `fstats lab`."
    )
    return (
        f"{heading}\n\n{said}\n\nThe pages show what the notebooks computed when they were last run. {moves} {explained}, every test in "
        f"the {{doc}}`reference <reference/index>`.\n\n{lists}\n\n"
        f"```{{toctree}}\n:hidden:\n\n{tree}\n{also}Reference <reference/index>\n```\n"
    )


def _folder_index(folder: str, lines: Sequence[ContentsEntry], live: bool) -> str:
    others = [one for one in lines if one.path.stem != GLOSSARY]  # which stands beside the folders
    names = "\n".join(f"{_numbered_title(one, read_notebook(one.path)).replace('$', '')} <{one.path.stem}>" for one in others)
    return f"# {FOLDERS[folder]}\n\n{_contents_table(lines, '', live)}\n\n```{{toctree}}\n:hidden:\n:maxdepth: 1\n\n{names}\n```\n"


def _contents_table(lines: Sequence[ContentsEntry], before: str, live: bool) -> str:
    rows, notebooks = [], {one.path.stem: read_notebook(one.path) for one in lines}
    for one in lines:
        notebook = notebooks[one.path.stem]
        rows.append(f"| [{_numbered_title(one, notebook)}]({before}{one.path.name}) | {one.question} | {planned_minutes(notebook)} |")
    heads = f"| {Path(lines[0].path).parent.name.rstrip('s') if lines else ''} | question | minutes |"
    return "\n".join([heads, "|:--|:--|--:|", *rows]) + (question_count_script(notebooks.items()) if live else "")


def _numbered_title(one: ContentsEntry, notebook: Any) -> str:
    """Its title, for a lesson behind the number by which others name it; exercises say theirs in the title."""
    number = one.path.stem.partition("_")[0]
    return (
        f"{number} {notebook_title(notebook)}" if one.path.parent.name == "notebooks" and number[0].isdigit() else notebook_title(notebook)
    )


# -- Sphinx ----------------------------------------------------------------------------------------------------------------------------
def heading_slug(words: str) -> str:
    """How a link names a heading, as in JupyterLab."""
    return words.replace(" ", "-")


def _run_sphinx(source: Path, pages: Path, kept: Path, progress: bool, live: PageFiles | None = None) -> None:
    from io import StringIO

    from sphinx.application import Sphinx
    from sphinx.errors import SphinxError
    from sphinx.util.docutils import docutils_namespace, patch_docutils

    import fstats

    said = StringIO()
    settings = tomllib.loads((assets.HERE / "site.toml").read_text(encoding="utf-8"))
    if live:
        settings["html_js_files"] += [[live.script, {"defer": "defer"}]]
        settings["html_css_files"] += [live.style]
    settings |= {"release": fstats.__version__, "mathjax3_config": {"tex": MATHJAX["tex"]} | settings["mathjax3_config"]}
    with warnings.catch_warnings(), patch_docutils(str(source)), docutils_namespace():
        warnings.simplefilter("ignore")  # of what libraries plan to do to each other; what Sphinx says of the pages is in `said`
        app = Sphinx(str(source), None, str(pages), str(kept), "html", settings, status=None, warning=said, freshenv=True)
        app.set_html_assets_policy("always")  # formulas also stand in outputs, of which Sphinx does not know
        if live:
            app.connect("html-page-context", _head_links(live.links))
        if progress:
            app.connect("source-read", _progress_bar(source))
        try:
            app.build(force_all=True)
        except SphinxError as error:
            raise SiteBuildError(f"the site cannot be built: {' '.join(str(error).split())}") from error
    if faults := list(_sphinx_warnings(said.getvalue(), source)):
        raise SiteBuildError("the site has faults:\n" + "\n".join(faults))


CONTENT_SECURITY_POLICY = (
    '<meta http-equiv="Content-Security-Policy" content="'
    "default-src 'self' data: blob: 'unsafe-inline' 'unsafe-eval'; object-src 'none'; base-uri 'self'; form-action 'self'\" />"
)
"""What a page may ask for: nothing of any other address, whatever a cell shows in it."""


def _head_links(links: dict[str, str]) -> Any:
    """Links from the head of each page to files of the folder _static, after the rule that it asks nobody else."""

    def add(_: Any, __: str, ___: str, context: dict[str, Any], ____: Any) -> None:
        lines = (f'<link rel="{what}" href="{context["pathto"](f"_static/{file}", 1)}" />' for what, file in links.items())
        context["metatags"] = "\n".join([CONTENT_SECURITY_POLICY, context.get("metatags", ""), *lines])

    return add


def _progress_bar(source: Path) -> Any:
    """A bar that counts the pages as they are read."""
    from ..runtime.parallel_tasks import run_tasks

    total = sum(path.suffix in (".md", ".ipynb", ".rst") for path in source.rglob("*"))
    bar = run_tasks(lambda: None, (() for _ in range(total)), total=total, title="pages")
    return lambda *_: next(bar, None)


def _sphinx_warnings(said: str, source: Path) -> Iterator[str]:
    """What Sphinx warned of, without colours and without the place where the sources lay."""
    lines = re.sub(r"\x1b\[[\d;]*m", "", said).replace(f"{source}/", "").splitlines()
    yield from filter(str.strip, lines)
