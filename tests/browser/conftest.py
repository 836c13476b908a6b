"""What tests in a browser share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from laboratory import browser_page

if TYPE_CHECKING:
    from playwright.sync_api import Page


@pytest.fixture(scope="module")
def browser() -> Iterator[Page]:
    """One browser for a file of tests: it keeps the engine of live sites from the first of them on."""
    with browser_page() as page:
        yield page
