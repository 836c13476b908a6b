"""Shorter forms of pytest.raises and pytest.mark.parametrize."""

from collections.abc import Callable
from typing import Any

import pytest


def assert_raises(call: Callable[[], Any], match: str, error: type[BaseException] | tuple[type[BaseException], ...] = ValueError) -> None:
    """Check that a call raises an error with these words."""
    with pytest.raises(error, match=match):
        call()


def parametrize(names: str, *cases: Any, **options: Any) -> pytest.MarkDecorator:
    """Mark a test that runs once for each case; the names of its parameters are separated by commas."""
    return pytest.mark.parametrize(names, cases, **options)
