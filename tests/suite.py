"""How the tests are run.  pyproject.toml loads this file, so that it holds for whatever pytest is given: everything, a file, a notebook.

There are three tiers, and no test belongs to two of them:

    pytest                  what a newcomer and every change needs: four minutes on two cores
    pytest -m complete      everything else, but for
    pytest -m slow          studies and installations, each of which takes minutes

A test joins the complete tier by the marker ``complete``, or as one case of many: of a test with more than a few cases the first tier runs
some, spread evenly over the list, unless the test says ``every_case``.  Of the tests in a browser it runs those that say ``one_case``, each
with its first case.  Whoever names a single test, as in ``pytest FILE::TEST``, gets
it with all its cases, whatever its tier.  Tests with random examples run in both: with few examples first, with many in the complete tier.
"""

import gc
import os
import sys
from collections import defaultdict
from collections.abc import Iterable
from importlib.util import find_spec
from typing import Any

FEW = 8  # cases of a test in the first tier
EXAMPLES = {"first": 12, "complete": 60, "deep": 2000}  # random examples of hypothesis in a test; the same ones on every run, but for deep
MINUTES = {"": "about four minutes", "complete": "about twenty minutes", "slow": "hours"}
os.environ["TQDM_DISABLE"] = "1"  # or a slow machine shows progress bars in notebooks that nbval runs, and calls them a difference
for threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):  # the matrices are small; threads that wait for each other take longer
    os.environ.setdefault(threads, "1")
# A grammar of addresses that jsonschema compiles, where it is installed, whenever it is imported: seconds of each process that reads a
# notebook, though no notebook holds such an address.  Without it nbval is loaded five times as fast.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]

import kernels  # noqa: E402 - after what these modules import must not see
import optional  # noqa: E402
import pytest  # noqa: E402

KERNELS = pytest.StashKey[kernels.Kernels]()


def everything(config: pytest.Config) -> bool:
    """Whether no file, folder or test was named."""
    return config.args_source is config.ArgsSource.TESTPATHS


def tier(config: pytest.Config) -> str:
    """The tier that ``-m`` names; the first has no name."""
    return next((name for name in ("slow", "complete") if name in (config.option.markexpr or "")), "")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Numbers are stored on request: tests/stored.py."""
    parser.addoption("--store", action="store_true", help="store the numbers that must stay what they are, and hold nothing against them")


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """What is collected stays to the end: nobody looks through it for garbage, now or whenever a test has made some."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(wrapper=True)  # before xdist reads its options
def pytest_cmdline_main(config: pytest.Config):
    """Who asks for everything, and has pytest-xdist, gets it by as many workers as there are cores, each file by one of them."""
    if find_spec("hypothesis") is not None:  # a single file of tests may be run with pytest and the library alone
        from hypothesis import settings

        for name, examples in EXAMPLES.items():
            settings.register_profile(name, max_examples=examples, derandomize=name != "deep", deadline=None)
        settings.load_profile("complete" if tier(config) else "first")  # its option may name another
    if everything(config):  # Python is started hundreds of times: each would compile the same files again
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    alone = config.option.collectonly or config.option.usepdb or config.option.trace or hasattr(config, "workerinput")
    if config.pluginmanager.hasplugin("xdist") and not alone:
        if everything(config) and config.option.numprocesses is None:
            config.option.numprocesses = (os.cpu_count() or 1) + bool(tier(config))  # beyond the first, one often waits for a browser
        if config.option.numprocesses and config.option.dist == "no":  # all cells of a notebook must run in one worker
            config.option.dist = "loadfile"
            config.option.loadscopereorder = False  # in the order of pytest_collection_modifyitems
    return (yield)


def pytest_configure(config: pytest.Config) -> None:
    """Notebooks are tests where nbval is there to run them; who asks for everything without it is told, and nothing else runs."""
    config.pluginmanager.register(optional)
    if config.pluginmanager.hasplugin("nbval"):
        config.option.nbval = not config.option.nbval_lax
        config.option.nbval_cell_timeout = min(config.option.nbval_cell_timeout, 60)
    elif everything(config):
        raise pytest.UsageError(
            'nbval is not installed, so no notebook, solution or exercise would be run: pip install -e ".[test]" for everything; '
            "for a part of it name the files, such as pytest tests/core/test_step.py"
        )


def pytest_report_header(config: pytest.Config) -> str:
    """How long it will take."""
    return f"{MINUTES[tier(config)]} on two cores" if everything(config) else ""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what belongs to another tier, unless it was named."""
    asked, named = tier(config), any("::" in argument for argument in config.args)
    for item in complete(items):
        item.add_marker("complete")
    left: set[str] = {"slow"} - {asked} if not named else set()
    left |= {"complete"} if not asked and not named else set()
    out = [item for item in items if any(item.get_closest_marker(name) for name in left)]
    if asked == "complete":
        out = [item for item in items if item.get_closest_marker("slow")]
        for item in items:
            if getattr(getattr(item, "obj", None), "is_hypothesis_test", False):
                item.add_marker("complete")
    gone = set(map(id, out))
    config.hook.pytest_deselected(items=out)
    items[:] = [item for item in items if id(item) not in gone]
    items.sort(key=lambda item: "browser" not in item.path.parts)  # few tests that take long: begun last, they would be waited for


def complete(items: Iterable[pytest.Item]) -> list[pytest.Item]:
    """The cases of tests with many cases, and the tests in a browser, that the first tier leaves out."""
    cases: dict[tuple[str, str], list[pytest.Item]] = defaultdict(list)
    for item in items:
        if item.get_closest_marker("slow"):
            continue
        if (hasattr(item, "callspec") or item.get_closest_marker("browser")) and not item.get_closest_marker("every_case"):
            cases[item.nodeid.partition("[")[0], item.path.name].append(item)
    return [item for found in cases.values() for k, item in enumerate(found) if k not in chosen(found)]


def chosen(found: list[pytest.Item]) -> set[int]:
    """The places of the cases of one test that the first tier runs: all of a few, else the first, the last, and others between them."""
    if found[0].get_closest_marker("browser"):
        return {0} if found[0].get_closest_marker("one_case") else set()
    return {round(k * (len(found) - 1) / (FEW - 1)) for k in range(FEW)}


def pytest_collection_finish(session: pytest.Session) -> None:
    """The kernels of the notebooks, if there are any to run, import their libraries once and while other tests run."""
    config = session.config
    notebooks = [item for item in session.items if item.path.suffix == ".ipynb"]
    if notebooks and sys.platform == "linux" and not (config.option.collectonly or config.option.nbval_kernel_name):
        config.stash[KERNELS] = kernels.Kernels()
        config.option.nbval_kernel_name = kernels.NAME


def pytest_unconfigure(config: pytest.Config) -> None:
    """The kernels end with the run."""
    if KERNELS in config.stash:
        config.stash[KERNELS].stop()


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Where the tests are that did not run."""
    if not tier(config) and terminalreporter.stats.get("deselected"):
        terminalreporter.write_line("the tests that were deselected run with pytest -m complete, and pytest -m slow")
