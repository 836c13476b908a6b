"""Assertions that several tests share."""

from collections.abc import Callable
from typing import Any

import pytest


def assert_raises(call: Callable[[], Any], match: str, error: type[BaseException] = ValueError) -> None:
    """Check that a call raises an error with these words."""
    with pytest.raises(error, match=match):
        call()
