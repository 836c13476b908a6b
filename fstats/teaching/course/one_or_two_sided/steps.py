"""Functions that compute steps of the exercise on one-sided tests."""

from __future__ import annotations

from typing import Any


def both_one_sided_tails(test: Any) -> Any:
    """Return the probability that t lies beyond the one-sided critical value on either side."""
    return 2 * test.null.at_least(test.one_sided_critical_value)
