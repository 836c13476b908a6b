"""`python -m tests.publish.stock`: run the course in an engine that has everything, and write down what it took of the libraries."""

from __future__ import annotations

import json
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from fstats.publish.browser_python import engine_bundle
from fstats.publish.browser_python.file_server import serve_folder
from fstats.publish.notebook_content import read_notebook
from fstats.runtime import wasi_interpreter
from tests.browser.laboratory import browser_page
from tests.browser.live_engine import lay, printed, run

if TYPE_CHECKING:
    from playwright.sync_api import Page

ROOT = Path(__file__).parents[2]
BEFORE = """
import zipfile, zipimport, sys
taken, _data, _open = set(), zipimport.zipimporter.get_data, zipfile.ZipFile.open
def get_data(self, path):
    taken.add(path)
    return _data(self, path)
def open_(self, name, *rest, **more):
    taken.add(getattr(name, "filename", name))
    return _open(self, name, *rest, **more)
zipimport.zipimporter.get_data, zipfile.ZipFile.open = get_data, open_
"""
AFTER = f"""
import sys
files = {{*taken, *(getattr(module, "__file__", None) or "" for module in [*sys.modules.values()])}}
for name in [*sys.modules]:  # some modules put others in their place
    files |= {{name.replace(".", "/") + ending for ending in (".pyc", "/__init__.pyc")}}
print("\\n".join(sorted(name.removeprefix("{engine_bundle.PYTHON}/").removeprefix("{engine_bundle.SITE}/more/") for name in files)))
"""
FIRST = [  # what every explorer and the desk take, and what happens in every page
    "import fstats.explore, traitlets, latex2mathml.converter, encodings.idna, encodings.latin_1, zipfile, traceback, linecache, threading",
    "explorer = fstats.explore.paired_t([85, 70, 79, 78, 83], [87, 68, 85, 75, 83])",
    "explorer.move(score=90)",
    "1 / 0",
    "from fstats.explore.results_desk.table_reading import example_names",
    "desks = [fstats.explore.desk(name) for name in example_names()]",
]
ALSO = ["import matplotlib.pyplot, matplotlib.backends.backend_agg, matplotlib.backends.backend_svg, PIL.PngImagePlugin, unittest, doctest"]


def main() -> None:
    """Write stock.json."""
    with tempfile.TemporaryDirectory() as place, browser_page() as page, zipfile.ZipFile(wasi_interpreter.standard_library()) as whole:
        known = set(whole.namelist())
        lay(Path(place), everything=True)
        page.set_default_timeout(0)
        with serve_folder(Path(place)) as address:
            first = known & {*_taken(page, address, FIRST), "ssl.pyc"}  # http.client tries it, in vain, and would fetch the rest
            found = known & _taken(page, address, ALSO)
            for path in [*sorted((ROOT / "notebooks").glob("*.ipynb")), *sorted((ROOT / "solutions").glob("*.ipynb"))]:
                found |= known & _taken(page, address, [cell.source for cell in read_notebook(path).cells if cell.cell_type == "code"])
                print(path.name, len(first), len(found), flush=True)
    engine_bundle.BUNDLED_MODULES.write_text(
        json.dumps({"first": sorted(first), "more": sorted(found - first)}, indent=0) + "\n", encoding="utf-8"
    )


def _taken(page: Page, address: str, cells: Sequence[str]) -> set[str]:
    """What cells that run in a new engine take of the libraries; an error that one meets is printed."""
    page.goto(address)
    printed(page, [BEFORE])
    for one in run(page, *cells):
        if one["error"]:
            print(one["error"].splitlines()[-1], flush=True)
    return set(printed(page, [AFTER]).split("\n"))


if __name__ == "__main__":
    main()
