"""Check that integers convert to floats without loss of precision."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np

from ..number_format import truncate_text
from ..numerics.floating_point_ties import MAX_EXACT_INTEGER
from ..value_types import Array

# maximum ratio of whole numbers to their differences; up to this ratio, the mean keeps 22 binary digits of the differences
MAX_RELATIVE_SIZE = 2.0**30


def check_integer_range(largest: float, value: Any, x: Any, name: str) -> None:
    """Raise ValueError if an input contains a whole number beyond `largest`; `value` is the input, `x` the array made from it."""
    if x.dtype.kind == "f" and (not x.size or float(np.abs(x).max()) <= largest):
        return  # no number exceeds the limit
    if x.dtype.kind not in "iu":
        # with the dtype object, each column of a DataFrame keeps its type
        each = value.to_numpy(object) if hasattr(value, "to_numpy") else np.asarray(value, object)
        x = np.array([entry for entry in each.flat if isinstance(entry, Integral)], object)
    if x.size and (beyond := x[(x > int(largest)) | (x < -int(largest))]).size:
        raise ValueError(
            f"`{name}` must hold whole numbers up to 2**{int(np.log2(largest))} = {int(largest):,}, which lose no digits; got "
            f"{truncate_text(f'{beyond.flat[0]:,}')}. Subtract the same number from all values, or pass floats."
        )


def check_mean_precision(x: Array, name: str, axis: int | tuple[int, ...]) -> Array:
    """Return numbers whose mean is computed; raise ValueError for whole numbers so large that rounding would lose their differences."""
    if np.vdot(x, x) > MAX_RELATIVE_SIZE**2:  # fast check first: if the sum of squares is small, no number is too large
        size = np.abs(x).max(axis)
        if ((size <= MAX_EXACT_INTEGER) & (size / MAX_RELATIVE_SIZE > np.maximum(np.ptp(x, axis), 1)) & (x == np.rint(x)).all(axis)).any():
            raise ValueError(
                f"`{name}` must hold whole numbers below 2**30 times their differences, or their mean is rounded; got {x.min():.15g} to "
                f"{x.max():.15g}. Subtract the same number from all values."
            )
    return x
