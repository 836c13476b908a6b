"""Input checks for crossed designs of seeds and splits."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...core.numerics.floating_point_ties import round_noise_to_zero
from ...core.validation import check
from ...core.validation.integer_precision import check_mean_precision
from ...core.value_types import Array


class DesignSize(NamedTuple):
    """Numbers of data sets, splits and seeds of a design that detects a difference."""

    data_sets: int
    splits: int
    seeds: int

    @property
    def runs(self) -> int:
        """Number of trainings of each of the two models."""
        return self.data_sets * self.splits * self.seeds


def crossed_differences(value: Any, name: str) -> Array:
    """Check differences for each split (first axis) and each seed (second axis), at least two of both."""
    x = check.numbers(value, name)
    if x.ndim < 2 or min(x.shape[:2]) < 2:
        raise ValueError(
            f"`{name}` must have the shape (splits, seeds), both at least 2; got shape {x.shape}. For one seed or one split, use "
            "OneSampleT on the differences."
        )
    return check_mean_precision(x, name, (0, 1))


def crossed_differences_by_data_set(value: Any, name: str) -> Array:
    """Check differences with an axis of data sets before the splits and seeds, at least two of each."""
    x = check.numbers(value, name)
    if x.ndim < 3 or min(x.shape[:3]) < 2:
        got = f"shape {x.shape}. For one data set, use VarianceParts."
        raise ValueError(f"`{name}` must have the shape (data sets, splits, seeds), each at least 2; got {got}")
    return check_mean_precision(x, name, (0, 1, 2))


def mean_square_difference(x: Any, y: Any) -> Any:
    """Return the difference of mean squares; 0 if it is rounding noise."""
    return round_noise_to_zero(x - y, np.maximum(x, y))


def round_up(x: Any) -> int:
    """Return the smallest whole number that is at least x and at least 1; an excess of x by rounding noise is ignored."""
    return max(1, int(np.ceil(x * (1 - 1e-12))))
