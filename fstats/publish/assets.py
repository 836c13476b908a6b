"""What pages need to be read without a network: MathJax and reveal.js, taken from the packages that bring them."""

from __future__ import annotations

import shutil
from importlib.util import find_spec
from pathlib import Path

from ..running.extras import DISTRIBUTION

HERE = Path(__file__).parent
MATHJAX = "sphinx-mathjax-offline", "static/mathjax/tex-svg-full.js"  # one file, which loads no other and needs no font
REVEAL = "sphinx_revealjs", "_static/revealjs"
OF_REVEAL = ("LICENSE", "dist/reveal.js", "dist/reveal.css", "dist/reset.css", "plugin/notes/notes.js")


def packaged(package: str, inside: str) -> Path:
    """A file or a folder that an installed package brings; the package itself is not imported."""
    found = find_spec(package)
    if found is None or found.origin is None:
        raise ModuleNotFoundError(f'this needs {package}, which is not installed: pip install "{DISTRIBUTION}[site]"', name=package)
    return Path(found.origin).parent / inside


def mathjax() -> str:
    """MathJax as one script."""
    return packaged(*MATHJAX).read_text(encoding="utf-8")


def lay_mathjax(folder: Path) -> None:
    """MathJax as a file of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(packaged(*MATHJAX), folder / "mathjax.js")


def lay_reveal(folder: Path) -> None:
    """reveal.js with its speaker view, without its themes and fonts."""
    for name in OF_REVEAL:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(packaged(*REVEAL) / name, folder / name)
