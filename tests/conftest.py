"""What holds for every test: how far hypothesis looks, which checks are slow, how the notebooks are run as tests.

What not everybody has, such as Chromium, is hidden from each test that does not say that it needs it: optional.py.

The profile "ci" of hypothesis is the default: few examples, the same ones on every run.  Before a release, or after a change
to the mathematics, look further with one of

    HYPOTHESIS_PROFILE=deep pytest tests/procedures/test_properties.py
    pytest --hypothesis-profile=deep tests/procedures/test_properties.py
"""

import gc
import os
import sys
from importlib.util import find_spec

import kernels
import optional
import pytest

KERNELS = pytest.StashKey()

for threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):  # the matrices are small; threads that wait for each other take longer
    os.environ.setdefault(threads, "1")
os.environ["TQDM_DISABLE"] = "1"  # or a slow machine shows progress bars in notebooks that nbval runs, and calls them a difference

if find_spec("hypothesis") is not None:  # a single file of tests may be run with pytest and the library alone
    from hypothesis import settings

    settings.register_profile("ci", max_examples=60, derandomize=True, deadline=None)
    settings.register_profile("deep", max_examples=2000, deadline=None)
    settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """What is collected stays to the end: nobody looks through it for garbage, now or whenever a test has made some."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(tryfirst=True)  # before xdist reads its options
def pytest_cmdline_main(config):
    """Who asks for everything, and has pytest-xdist, gets it by a worker more than there are cores, each file by one of them."""
    everything = config.args_source is config.ArgsSource.TESTPATHS
    if everything:  # Python is started hundreds of times: each would compile the same files again
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    alone = config.option.collectonly or config.option.usepdb or config.option.trace or hasattr(config, "workerinput")
    if config.pluginmanager.hasplugin("xdist") and everything and not alone and config.option.numprocesses is None:
        config.option.numprocesses = (os.cpu_count() or 1) + 1  # one of them often waits for a browser or a kernel
        config.option.dist = "loadfile"
        config.option.loadscopereorder = False  # in the order of pytest_collection_modifyitems


def pytest_configure(config):
    """Notebooks are tests where nbval is there to run them; who asks for everything without it is told, and nothing else runs."""
    config.pluginmanager.register(optional)  # for notebooks and doctests, too, which lie in other folders
    if config.pluginmanager.hasplugin("nbval"):
        config.option.nbval = not config.option.nbval_lax
        config.option.nbval_cell_timeout = min(config.option.nbval_cell_timeout, 60)
    elif config.args_source is config.ArgsSource.TESTPATHS:
        raise pytest.UsageError(
            'nbval is not installed, so no notebook, solution or exercise would be run: pip install -e ".[test]" for everything; '
            "for a part of it name the files, such as pytest tests/core/test_step.py"
        )


def pytest_collection_modifyitems(config, items):
    """Complete checks that take long run when they are asked for: ``pytest -m slow``."""
    if "slow" in (config.option.markexpr or ""):
        return
    slow = [item for item in items if item.get_closest_marker("slow")]
    if slow:
        config.hook.pytest_deselected(items=slow)
        items[:] = [item for item in items if item not in slow]
    items.sort(key=lambda item: "browser" not in item.path.parts)  # few tests that take long: begun last, they would be waited for


def pytest_collection_finish(session):
    """The kernels of the notebooks, if there are any to run, import their libraries once and while other tests run."""
    config = session.config
    notebooks = [item for item in session.items if item.path.suffix == ".ipynb"]
    if notebooks and sys.platform == "linux" and not (config.option.collectonly or config.option.nbval_kernel_name):
        config.stash[KERNELS] = kernels.Kernels()
        config.option.nbval_kernel_name = kernels.NAME


def pytest_unconfigure(config):
    """The kernels end with the run."""
    if KERNELS in config.stash:
        config.stash[KERNELS].stop()


@pytest.fixture(scope="module")
def browser():
    """One browser for a file of tests: it keeps the engine of live sites from the first of them on."""
    from laboratory import browser_page

    with browser_page() as page:
        yield page
