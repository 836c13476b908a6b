"""What pages need to be read without a network: MathJax and reveal.js, taken from the packages that bring them, and the licences."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from importlib.metadata import distribution
from importlib.util import find_spec
from pathlib import Path

from ..runtime.optional_dependencies import DISTRIBUTION

HERE = Path(__file__).parent
MATHJAX = "sphinx-mathjax-offline", "static/mathjax/tex-svg-full.js"  # one file, which loads no other and needs no font
REVEAL = "sphinx_revealjs", "_static/revealjs"
SITE_LICENCES = (
    "snowballstemmer",
    "sphinx",
    "myst-nb",
    "pydata-sphinx-theme",
    "bootstrap",
    "fontawesome",
)  # of whose files a site has some
PAGE_LICENCES = ("nbconvert", "jupyterlab", "accessible-pygments")  # and of whose a deck and a page for paper have some
REVEAL_FILES = ("LICENSE", "dist/reveal.js", "dist/reveal.css", "dist/reset.css", "plugin/notes/notes.js")


def package_file(package: str, inside: str) -> Path:
    """A file or a folder that an installed package brings; the package itself is not imported."""
    found = find_spec(package)
    if found is None or found.origin is None:
        raise ModuleNotFoundError(f'this needs {package}, which is not installed: pip install "{DISTRIBUTION}[site]"', name=package)
    return Path(found.origin).parent / inside


def mathjax_script() -> str:
    """MathJax as one script."""
    return package_file(*MATHJAX).read_text(encoding="utf-8")


def copy_mathjax(folder: Path) -> None:
    """MathJax as a file of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(package_file(*MATHJAX), folder / "mathjax.js")


def copy_reveal(folder: Path) -> None:
    """reveal.js with its speaker view, without its themes and fonts."""
    for name in REVEAL_FILES:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(package_file(*REVEAL) / name, folder / name)


def write_licences(folder: Path, whose: Iterable[str]) -> None:
    """The licences of what pages are made of, beside them: ours, MathJax's and those of others, by name."""
    together = join_licences((name, licence_text(name)) for name in (DISTRIBUTION, "mathjax", *whose))
    (folder / "LICENCES.txt").write_bytes(together)


def licensed(folder: Path) -> bool:
    """Whether pages of ours lie there: these licences are beside them."""
    path = folder / "LICENCES.txt"
    return path.is_file() and path.read_bytes().startswith(join_licences([(DISTRIBUTION, b"")]))


def licence_text(name: str) -> bytes:
    """The text that a package brings, or ours of one that brings none, or what it says of itself."""
    ours = HERE / "licences" / f"{name}.txt"
    if ours.is_file():
        return ours.read_bytes()
    found = distribution(name)
    text = next((path for path in found.files or () if path.name.startswith(("LICENSE", "COPYING"))), None)
    if text is None:
        return f"It brings no text, and says of itself: {found.metadata.json.get('license', 'nothing')}\n".encode()
    return text.read_binary()


def join_licences(licences: Iterable[tuple[str, bytes]]) -> bytes:
    """Licences as one text."""
    return b"\n\n".join(f"== {name} ==\n\n".encode() + words for name, words in licences)
