"""Common wrong calculations in the exercise on equivalence testing."""

from __future__ import annotations

from typing import Any

from ....distributions.continuous_distributions import Normal


def size_not_squared(test: Any) -> Any:
    """Return the number of data sets that results if the square is forgotten."""
    return (Normal(0.0, 1.0).high(test.alpha) + Normal(0.0, 1.0).high(test.beta / 2)) * test.sd / test.margin
