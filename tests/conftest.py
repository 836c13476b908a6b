"""Fixtures that several rooms share; how the tests are run stands in suite.py."""

from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from stored import changed as changed


@pytest.fixture
def rng(request):
    """The same random numbers for each test of a file, by its SEED."""
    return np.random.default_rng(request.module.SEED)


@pytest.fixture
def without_slips(monkeypatch):
    """No search for slips of the pen: it takes nearly all the time of a reply to a wrong number, adds a sentence and changes no verdict."""
    monkeypatch.setattr("fstats.teaching.grading.verdicts.verdict_rules.likely_slip", lambda _: "")


@pytest.fixture(scope="session")
def strong(bubblewrap):  # noqa: ARG001 - it is on the PATH
    """A marker behind bubblewrap, for all tests of a run."""
    from fstats.teaching.marking.marks.marker import Marker
    from fstats.teaching.marking.sandbox.notebook_session import Limits

    with closing(Marker(limits=Limits(cpu=5, wall=30))) as marker:
        yield marker


@pytest.fixture(scope="session")
def small(tmp_path_factory):
    """A site of one notebook, one exercise and two names."""
    from fstats.publish import website

    root, to = Path(__file__).parents[1], tmp_path_factory.mktemp("small") / "site"
    some = [root / "notebooks" / "01_paired_t.ipynb", root / "exercises" / "01_paired_t_by_hand.ipynb"]
    website.build_site(root, to, some, ("PairedT", "which_test"), progress=False)
    return to


@pytest.fixture(scope="module")
def browser():
    """One browser for a file of tests: it keeps the engine of live sites from the first of them on."""
    from laboratory import browser_page

    with browser_page() as page:
        yield page
