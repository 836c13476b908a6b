"""What goes wrong in words: the functions that mistakes.toml names."""

from __future__ import annotations

from typing import Any

from ....distributions.continuous_distributions import Normal
from .steps import EquivalenceByHand


def size_not_squared(test: EquivalenceByHand) -> Any:
    """Number of data sets not squared."""
    return (Normal(0.0, 1.0).high(test.alpha) + Normal(0.0, 1.0).high(test.beta / 2)) * test.sd / test.margin
