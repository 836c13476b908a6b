"""What tests may need that no extra brings, or not everybody has: hidden from every test that does not say that it needs it.

A test says so by ``@pytest.mark.needs("bubblewrap")``, or by taking the fixture ``bubblewrap``, itself or through another fixture;
and so for each name in THINGS.  Where the thing is missing, the test is skipped.  A test that uses it and does not say so finds
nothing and fails on every machine, also where somebody has installed it.

What is hidden is hidden from processes that a test starts, from doctests and from notebooks, too: programs are left out of the PATH,
packages are covered by a folder on PYTHONPATH, and the folder of data sets is named by a variable of the environment.  (On Windows
programs can be seen as ever.)  With FSTATS_BARE=1 nothing is found at all, as on a machine that has only Python.
"""

from __future__ import annotations

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

from fstats.datasets.openml import FOLDER
from fstats.publish import paper

ROOT = Path(__file__).parent.parent
BARE = "FSTATS_BARE"
HEAD = "what not everybody has"
WAITED, RAN = "waited for", "ran with"


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
        del sys.modules[self.name]
        if self.module is not None:
            sys.modules[self.name] = self.module

    def hide(self, stage: Path) -> None:
        """Let nobody import it."""
        error = f"ModuleNotFoundError(\"No module named '{self.name}'\", name='{self.name}')"
        (stage / "packages" / f"{self.name}.py").write_text(f"raise {error}\n", encoding="utf-8")
        self.module = sys.modules.get(self.name)
        sys.modules[self.name] = None  # type: ignore[assignment]  # by which Python knows that it is not there


@dataclass
class DataSets:
    """A folder of data sets."""

    what: str
    how: str

    @cached_property
    def value(self) -> Path:
        """The folder that the environment names, or that lies beside the checkout."""
        return Path(os.environ.get(FOLDER) or ROOT.parent / "shared" / "data")

    @cached_property
    def lacks(self) -> str:
        """Why no test can use it here; empty if they can."""
        return "" if self.value.is_dir() else "is not here"

    def show(self, _: Path) -> None:
        """Name it."""
        os.environ[FOLDER] = str(self.value)

    def hide(self, _: Path) -> None:
        """Name none."""
        os.environ.pop(FOLDER, None)


WALLS = ("--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--ro-bind", "/", "/", "--proc", "/proc", "--", "true")
THINGS: dict[str, Program | Package | DataSets] = {
    "bubblewrap": Program("bubblewrap", "apt install bubblewrap", ("bwrap",), trial=WALLS),
    "chromium": Program("Chromium", "apt install chromium, or Google Chrome", paper.BROWSERS, paper.INSTALLED),
    "latex": Program("LaTeX", "apt install texlive-latex-recommended", ("pdflatex",)),
    "git": Program("git", "apt install git, and a clone", ("git",), trial=("-C", str(ROOT), "ls-files", "--error-unmatch", "README.md")),
    "torch": Package("PyTorch", 'pip install -e ".[digits]"', "torch"),
    "distributed": Package("Dask", "pip install distributed", "distributed"),
    "data_folder": DataSets("The folder of data sets", f"{FOLDER} names it, or it is ../shared/data"),
}


def _fixture(name: str) -> Any:
    @pytest.fixture(scope="session", name=name)
    def found(_: Hiding) -> Any:
        return THINGS[name].value

    return found


class Hiding:
    """The plugin of pytest: hides, shows, skips and counts."""

    bubblewrap, chromium, latex, git, torch, distributed, data_folder = map(_fixture, THINGS)

    def __init__(self) -> None:
        self.counts: Counter[tuple[str, str]] = Counter()
        self.shown: set[str] = set()
        self.stage: Path | None = None
        self.before = dict(os.environ)

    # -- from the beginning of the run to its end ------------------------------------------------------------------------------
    def pytest_configure(self, config: pytest.Config) -> None:
        """Find everything and hide it, where tests are run: not in a process that hands them out to others."""
        words = f"needs(thing): skipped where the thing is missing, which no other test sees: {', '.join(THINGS)}"
        config.addinivalue_line("markers", words)
        if not hasattr(config, "workerinput") and config.getoption("dist", "no") != "no":
            return
        self.stage = Path(tempfile.mkdtemp(prefix="optional-"))
        for room in ("programs", "packages"):
            (self.stage / room).mkdir()
        for thing in THINGS.values():
            thing.lacks = f"is hidden by {BARE}" if os.environ.get(BARE) else thing.lacks
        names = {name for thing in THINGS.values() if isinstance(thing, Program) for name in thing.names}
        places = [str(self.stage / "programs"), *(self._without(names, place) for place in os.get_exec_path())]
        os.environ["PATH"] = os.pathsep.join(places)
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(self.stage / "packages"), os.environ.get("PYTHONPATH")]))
        paper.INSTALLED = ()
        for thing in THINGS.values():
            thing.hide(self.stage)

    def _without(self, names: Iterable[str], place: str) -> str:
        """A folder of the PATH, or a folder of links to all that is in it but these names."""
        assert self.stage is not None
        if os.name != "posix" or not any(os.path.lexists(os.path.join(place, name)) for name in names):
            return place
        links = Path(tempfile.mkdtemp(dir=self.stage))
        for one in os.scandir(place):
            if one.name not in names:
                (links / one.name).symlink_to(os.path.abspath(one.path))
        return str(links)

    def pytest_unconfigure(self) -> None:
        """The environment is as it was."""
        if self.stage is not None:
            os.environ.clear()
            os.environ.update(self.before)
            shutil.rmtree(self.stage)

    # -- each test -------------------------------------------------------------------------------------------------------------
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
        assert self.stage is not None
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

    # -- what was there --------------------------------------------------------------------------------------------------------
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count, where the tests are handed out."""
        if report.when == "setup":
            self.counts.update(report.user_properties)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """A line for each thing."""
        asked = {name for _, name in self.counts}
        everything = terminalreporter.config.args_source is pytest.Config.ArgsSource.TESTPATHS
        if everything or asked:
            terminalreporter.section(HEAD)
        for name in THINGS if everything else [name for name in THINGS if name in asked]:
            told = [f"{self.counts[did, name]} tests {did} it" for did in (WAITED, RAN) if (did, name) in self.counts]
            terminalreporter.write_line(f"{THINGS[name].what}: {', '.join(told) or 'no test needed it'} ({THINGS[name].how})")


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
