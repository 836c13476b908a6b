"""Fixtures that several rooms share; how the tests are run stands in suite.py."""

import pytest
from stored import changed as changed


@pytest.fixture(scope="module")
def browser():
    """One browser for a file of tests: it keeps the engine of live sites from the first of them on."""
    from laboratory import browser_page

    with browser_page() as page:
        yield page
