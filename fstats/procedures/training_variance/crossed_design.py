"""What a crossed design of splits and seeds must hold, and the designs that a plan names."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...core.numerics.floating_point_ties import round_noise_to_zero
from ...core.validation import check
from ...core.validation.integer_precision import check_mean_precision
from ...core.value_types import Array


class DesignSize(NamedTuple):
    """A design that sees the difference."""

    data_sets: int
    splits: int
    seeds: int

    @property
    def runs(self) -> int:
        """How often each of the two models is trained."""
        return self.data_sets * self.splits * self.seeds


def crossed_differences(value: Any, name: str) -> Array:
    """Differences for each split (the first axis) and each seed (the second), at least two of both."""
    x = check.numbers(value, name)
    if x.ndim < 2 or min(x.shape[:2]) < 2:
        raise ValueError(
            f"{name} must have the shape (splits, seeds), at least 2 of each, with every seed on every split; got {x.shape}: with one of "
            "them its part cannot be told from the rest (OneSampleT takes the differences over the other)"
        )
    return check_mean_precision(x, name, (0, 1))


def crossed_differences_by_data_set(value: Any, name: str) -> Array:
    """The same for each data set along an axis before these, at least two of them."""
    x = check.numbers(value, name)
    if x.ndim < 3 or min(x.shape[:3]) < 2:
        raise ValueError(
            f"{name} must have the shape (data sets, splits, seeds), at least 2 of each, with every seed of a data set on every split of "
            f"it; got {x.shape}: for one data set take VarianceParts"
        )
    return check_mean_precision(x, name, (0, 1, 2))


def mean_square_difference(x: Any, y: Any) -> Any:
    """The difference of mean squares, 0 where only noise tells them apart."""
    return round_noise_to_zero(x - y, np.maximum(x, y))


def round_up(x: Any) -> int:
    """The least whole number not below x, nor below 1; noise does not add one."""
    return max(1, int(np.ceil(x * (1 - 1e-12))))
