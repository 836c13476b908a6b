"""Third-party files of the web site.

MathJax, reveal.js and their licences are copied from installed packages.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable
from importlib.metadata import distribution
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ..runtime.optional_dependencies import DISTRIBUTION

HERE = Path(__file__).parent
TEMPLATES = HERE / "templates" / "site"  # folder of the page templates for Sphinx
MATHJAX = "sphinx-mathjax-offline", "static/mathjax/tex-svg-full.js"  # a single file of MathJax, which loads no other files and no fonts
REVEAL = "sphinx_revealjs", "_static/revealjs"
# packages whose files a site contains
SITE_LICENCES = ("snowballstemmer", "sphinx", "myst-nb", "pydata-sphinx-theme", "bootstrap", "fontawesome")
PAGE_LICENCES = ("nbconvert", "jupyterlab", "accessible-pygments")  # packages whose files slide decks and printable pages contain
REVEAL_FILES = ("LICENSE", "dist/reveal.js", "dist/reveal.css", "dist/reset.css", "plugin/notes/notes.js")


def package_file(package: str, inside: str) -> Path:
    """Return the path of a file or folder in an installed package; the package is not imported."""
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(
            f'this command needs {package}, which is not installed. Run `pip install "{DISTRIBUTION}[site]"`.', name=package
        )
    return Path(spec.origin).parent / inside


def fill_template(name: str, **values: Any) -> str:
    """Return the text of a page of the site from its template."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    pages = Environment(loader=FileSystemLoader(TEMPLATES), undefined=StrictUndefined, keep_trailing_newline=True)
    return pages.get_template(name).render(values)


def mathjax_script() -> str:
    """Return the text of the MathJax script."""
    return package_file(*MATHJAX).read_text(encoding="utf-8")


def copy_mathjax(folder: Path) -> None:
    """Write MathJax as a separate file to a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(package_file(*MATHJAX), folder / "mathjax.js")


def copy_reveal(folder: Path) -> None:
    """Copy reveal.js with its speaker view to a folder, without themes and fonts."""
    for name in REVEAL_FILES:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(package_file(*REVEAL) / name, folder / name)


def write_licences(folder: Path, packages: Iterable[str]) -> None:
    """Write the licences of fstats, of MathJax and of other packages to a file in the folder of the pages."""
    text = join_licences((name, licence_text(name)) for name in (DISTRIBUTION, "mathjax", *packages))
    (folder / "LICENCES.txt").write_bytes(text)


def licensed(folder: Path) -> bool:
    """Return whether a folder contains pages of fstats, which is the case if it contains the file of licences."""
    path = folder / "LICENCES.txt"
    return path.is_file() and path.read_bytes().startswith(join_licences([(DISTRIBUTION, b"")]))


def front_end(name: str, widget: Any) -> str:
    """Return the front end of a widget, or of its class, as a script that assigns an object with the function `render` to a name."""
    render = re.sub(r"^export default .*$", "", str(widget._esm), flags=re.M)
    return f"{name} = (() => {{\n{render}\nreturn {{ render }};\n}})();\n"


def licence_text(name: str) -> bytes:
    """Return the licence text in a package, or our copy of the text, or the name of the licence in the metadata of the package."""
    own_copy = HERE / "licences" / f"{name}.txt"
    if own_copy.is_file():
        return own_copy.read_bytes()
    package = distribution(name)
    text = next((path for path in package.files or () if path.name.startswith(("LICENSE", "LICENCE", "COPYING"))), None)
    if text is None:
        return f"The package contains no licence text. Its metadata say: {package.metadata.json.get('license', 'nothing')}\n".encode()
    return text.read_binary()


def join_licences(licences: Iterable[tuple[str, bytes]]) -> bytes:
    """Join licences to one text, with the names as headings."""
    return b"\n\n".join(f"== {name} ==\n\n".encode() + words for name, words in licences)
