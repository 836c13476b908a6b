"""Functions for mistakes whose formula is in words; mistakes.toml contains the names of these functions."""

from __future__ import annotations

from typing import Any

from ....distributions.continuous_distributions import Normal
from .steps import EquivalenceByHand


def size_not_squared(test: EquivalenceByHand) -> Any:
    """Return the number of data sets that results if the square is forgotten."""
    return (Normal(0.0, 1.0).high(test.alpha) + Normal(0.0, 1.0).high(test.beta / 2)) * test.sd / test.margin
