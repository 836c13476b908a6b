"""The package's own tests of values, run by pytest inside the engine of live sites: a Python of 32 bits, without processes or threads."""

import io
import re
import zipfile
from base64 import b64encode
from contextlib import redirect_stdout
from importlib.metadata import distribution
from pathlib import Path

import pytest
from laboratory import LIVE, ROOT, Page
from live_engine import lay, printed

from fstats.publish.browser_python.file_server import serve_folder

pytestmark = LIVE
TOOLS = ("pytest", "pluggy", "iniconfig", "packaging", "pygments")  # what a run of tests imports
ROOMS = ("", "published", "procedures", "distributions")
BEGIN = """
import os, sys, types, zipfile
zipfile.ZipFile("own.zip").extractall("/tmp/own")
sys.path[:0] = ["/tmp/own/tools", "/tmp/own/tests"]
os.chdir("/tmp/own")
import pytest
class Anything(types.ModuleType):
    __path__ = []
    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self
    def __call__(self, *some, **named): return self
    def __or__(self, other): return self
    def given(self, *some, **named): return pytest.mark.skip(reason="hypothesis is compiled for other machines")
    def example(self, *some, **named): return lambda test: test
for name in ("hypothesis", "hypothesis.strategies", "hypothesis.extra", "hypothesis.extra.numpy"):
    sys.modules[name] = Anything(name)
"""
"""In place of hypothesis stands what skips its tests; what stands beside them in the same files is run."""
LACKING = "cacheprovider", "faulthandler", "logging", "capture"  # parts of pytest that want devices, signals and descriptors
PROCESSES = "not (loaded_only_when_asked or tells_its_version)"  # they start another Python, which has no place inside
OPTIONS = ["-q", "--tb=short", "--basetemp=/tmp/made", "--override-ini=addopts=", "-m"]
OPTIONS += ["not slow", "-k", PROCESSES, *(f"-pno:{part}" for part in LACKING)]


def test_published_values_and_enumerations(browser: Page, tmp_path: Path) -> None:
    """What was published, and signs and ranks counted one by one: in each run."""
    assert_passing(browser, tmp_path, 196, "procedures/test_published.py", "procedures/test_paired_t.py", "procedures/test_signed_rank.py")


@pytest.mark.slow
def test_all_values(browser: Page, tmp_path: Path) -> None:
    """Each test of a procedure or a distribution, full enumerations included."""
    browser.set_default_timeout(0)
    assert_passing(browser, tmp_path, 6800, "procedures", "distributions")


def assert_passing(page: Page, folder: Path, least: int, *which: str) -> None:
    """So many tests of these files, at least, pass inside, and none fails."""
    lay(folder, everything=True)
    with serve_folder(folder) as address:
        page.goto(address)
        page.evaluate("data => engine.ask({ do: 'file', name: 'own.zip', data })", b64encode(own_tests()).decode())
        said = printed(page, [BEGIN, f"pytest.main({[*OPTIONS, *(f'tests/{one}' for one in which)]})"])
    print(said)
    *_, last = said.strip().splitlines()
    assert not re.search("failed|error", last), said
    assert int(re.search(r"(\d+) passed", last)[1]) >= least


def own_tests() -> bytes:
    """The tests of values and what runs them, as an archive."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as into:
        for name in TOOLS:
            for file in distribution(name).files or ():
                if file.suffix == ".py" and ".." not in file.parts:
                    into.write(file.locate(), f"tools/{file}")
        for path in [one for room in ROOMS for one in (ROOT / "tests" / room).glob("*.*")]:
            if path.name not in ("conftest.py", "optional.py"):  # they speak of what is installed
                into.write(path, path.relative_to(ROOT))
        into.write(ROOT / "pyproject.toml", "pyproject.toml")
    return archive.getvalue()


def test_weighted_points_are_the_same_with_what_a_page_brings(browser: Page, tmp_path: Path) -> None:
    """Sobol's points want a file of numbers that no page brings, and without it a wrong posterior came out of a warning."""
    cell = "import fstats; print(fstats.BradleyTerry([[1, 2, 4], [2, 3, 1], [3, 1, 0]], points=2048).probabilities.round(9).tolist())"
    lay(tmp_path)
    with serve_folder(tmp_path) as address:
        browser.goto(address)
        said = printed(browser, [cell])
    ours = io.StringIO()
    with redirect_stdout(ours):
        exec(cell, {})
    assert said == ours.getvalue()
