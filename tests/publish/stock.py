"""`python -m tests.publish.stock`: run the course in an engine that has everything, and write down what it took of the libraries."""

from __future__ import annotations

import json
import tempfile
import zipfile
from pathlib import Path

from fstats.publish.live import artifacts, pack
from fstats.publish.live.serving import serve
from fstats.publish.reading import read
from tests.browser.laboratory import browser_page
from tests.publish.live_engine import lay, printed, run

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
print("\\n".join(sorted(name.removeprefix("{pack.PYTHON}/").removeprefix("{pack.SITE}/") for name in files)))
"""
ALSO = (  # what a page needs and no notebook says
    "import fstats.explore, traitlets, latex2mathml.converter, encodings.idna, encodings.latin_1, zipfile, unittest, doctest, pydoc",
    "import matplotlib.backends.backend_agg, matplotlib.backends.backend_svg, PIL.PngImagePlugin",
)


def main() -> None:
    """Write stock.json."""
    with tempfile.TemporaryDirectory() as place, browser_page() as page:
        lay(Path(place), everything=True)
        found: set[str] = set()
        with serve(Path(place)) as address:
            for path in [None, *sorted((ROOT / "notebooks").glob("*.ipynb")), *sorted((ROOT / "solutions").glob("*.ipynb"))]:
                page.goto(address)
                page.set_default_timeout(0)
                printed(page, [BEFORE])
                cells = ALSO if path is None else [cell.source for cell in read(path).cells if cell.cell_type == "code"]
                for cell in cells:
                    for one in run(page, cell):
                        if one["error"]:
                            print(path and path.name, one["error"].splitlines()[-1], flush=True)
                found |= set(printed(page, [AFTER]).split("\n"))
                print(path and path.name, len(found), flush=True)
    with zipfile.ZipFile(artifacts.library()) as whole:
        known = set(whole.namelist())
    pack.STOCK.write_text(json.dumps(sorted(found & known), indent=0) + "\n", encoding="utf-8")
    print(len(found & known), "of", len(known))


if __name__ == "__main__":
    main()
