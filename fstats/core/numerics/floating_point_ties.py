"""Ties of floating-point numbers.

Values that differ only by rounding noise are equal.

A score is exact to the last place of its floating-point type, and the computation of a score (a mean over folds) loses a few more
places.  For this reason two scores tie, and their difference is 0, if the difference is at most a tolerance.  The tolerance is given in
units in the last place of the largest score (of each repetition):

* 64 units in double precision, which leaves 14 decimal digits;
* 4 units in float32, which leaves 6 decimal digits, and in float16;
* 0 for whole numbers up to 2**44, which are exact (:mod:`fstats.core.validation.integer_precision` refuses larger integers).

The scores of records are an exception: if all scores of a classifier have the same sign (probabilities), the noise of each score
depends on the size of that score.

The floating-point type is the type of the input, or the coarsest type of several inputs; an array stores the type in the metadata of
its dtype.  Numbers in float32 or float16 are first replaced by their printed decimals, if the type can hold that many digits
(:func:`printed_decimals`).  After this replacement no digit is lost, and the rule for doubles holds.
"""

from __future__ import annotations

from itertools import pairwise
from math import hypot
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..value_types import Array, broadcast_column

# size of a float type in bytes -> relative rounding error of its numbers (4 units in the last place)
SHORT_FLOAT_NOISE = {2: 2.0**-9, 4: 2.0**-21}
TIE_NOISE = 2.0**-46  # doubles with a smaller relative difference are ties (64 units in the last place)
DOUBLE_NOISE = 2.0**-40  # relative rounding error of values that are computed from doubles, such as sums of squares
FEW_NUMBERS = 100  # below this number of entries, Python's own functions are faster than numpy
LONG_ROW_LENGTH = 64  # from this row length on, a loop over the rows is faster than ufunc.accumulate
MAX_EXACT_INTEGER = 2.0**44  # larger whole numbers are not treated as exact, because they may be rounded fractions


def to_double(x: NDArray[Any], short: int = 8) -> Array:
    """Convert to doubles; the dtype stores whether the values, or some columns, come from a shorter floating-point type."""
    if x.dtype.kind == "f" and x.dtype.itemsize < 8:
        short = x.dtype.itemsize
        x, known = printed_decimals(x)
        if known:
            return x
    wide = x.astype(float)
    return wide if short >= 8 else wide.astype(np.dtype("f8", metadata={"short": short}))


def printed_value(x: Any) -> float:
    """Return a number as a float; a number of a short floating-point type becomes its printed decimals.

    >>> printed_value(np.float32(0.8)), printed_value("0.8"), float(np.float32(0.8))
    (0.8, 0.8, 0.800000011920929)
    """
    return float(str(x)) if isinstance(x, np.floating) and x.dtype.itemsize < 8 else float(x)


def printed_decimals(x: NDArray[Any]) -> tuple[Array, bool]:
    """Return the printed decimals of numbers of a short type, and whether the type can hold that many digits.

    >>> printed_decimals(np.array([0.88, 0.85], "f4"))[0].tolist(), printed_decimals(np.array([1 / 3], "f4"))[1]
    ([0.88, 0.85], False)
    """
    wide = x.astype(float)
    digits = np.finfo(x.dtype).precision  # number of reliable decimal digits: 6 for float32, 3 for float16
    largest = np.abs(wide).max(initial=0)
    if not 1e-15 < largest < 1e15:  # outside this range, floats cannot represent the powers of ten exactly
        return wide, False
    places = digits - 1 - int(np.floor(np.log10(largest)))
    printed = np.rint(wide * 10.0**places) / 10.0**places if places >= 0 else wide
    return (printed, True) if (printed.astype(x.dtype) == x).all() else (wide, False)


def max_relative_noise(*arrays: Any) -> float:
    """Return an upper bound of the noise relative to the largest of these numbers, computed from their types alone."""
    share = TIE_NOISE
    for x in arrays:
        if x.dtype.metadata:
            share = max(share, SHORT_FLOAT_NOISE.get(x.dtype.metadata.get("short", 8), TIE_NOISE))
    return share


def noise_upper_bound(*arrays: Array) -> float:
    """Return an upper bound of the absolute noise of these numbers; the bound is fast to compute but not tight."""
    largest = 0.0
    for x in arrays:  # for few numbers, hypot is faster than the maximum, and it is an upper bound of the maximum
        largest += hypot(*x.ravel().tolist()) if x.size < FEW_NUMBERS else max(x.max(), -x.min())
    return max_relative_noise(*arrays) * largest


def relative_noise(*measured: Any, axis: Any = 0) -> Any:
    """Return the noise relative to the largest of these numbers, for each repetition, for the coarsest of their types.

    >>> float(relative_noise(np.array([1, 2, 3]))), relative_noise(np.array([0.1, 0.7])) == TIE_NOISE
    (0.0, True)
    """
    arrays = [np.asarray(x) for x in measured]
    share = max_relative_noise(*arrays)
    if all((x.flat[:8] != np.rint(x.flat[:8])).any() for x in arrays) and all(x.ndim == 1 for x in arrays):
        return share  # fast path: the first eight numbers show that not all numbers are whole
    whole = np.all([((x == np.rint(x)) & (np.abs(x) <= MAX_EXACT_INTEGER)).all(axis) for x in arrays], axis=0)
    return np.where(whole, 0.0, share)[()]


def computed_relative_noise(*measured: Any, axis: Any = 0) -> Any:
    """Return the relative noise of a value computed from these numbers, such as a mean; 0 for whole numbers."""
    share = relative_noise(*measured, axis=axis)
    return np.where(np.equal(share, 0), 0.0, np.maximum(share, DOUBLE_NOISE))[()]


def absolute_noise(*measured: Any, axis: Any = 0) -> Any:
    """Return the absolute noise: the relative noise times the largest number along the axis (numbers of one unit)."""
    largest = np.abs(measured[0]).max(axis)
    for more in measured[1:]:
        largest = np.maximum(largest, np.abs(more).max(axis))
    return relative_noise(*measured, axis=axis) * largest


def round_noise_to_zero(x: Any, against: Any, share: Any = DOUBLE_NOISE) -> Any:
    """Replace x by 0 where x is only rounding noise of its source ``against``, so that equal differences have no spread."""
    if not isinstance(x, np.ndarray):
        return x if abs(x) > share * abs(against) else np.float64(0)
    if np.abs(x).min() > np.max(share) * np.abs(against).max():
        return x  # fast path (ten times as fast): no entry is rounding noise
    return np.where(np.abs(x) <= share * np.abs(against), 0.0, x)


def noise_free_difference(a: Any, b: Any) -> Any:
    """Return the differences a - b: 0 for mere noise, and the same value for all entries that differ only by noise.

    >>> noise_free_difference(np.array([0.3, 0.5]), np.array([0.1 + 0.2, 0.4])).round(4)
    array([0. , 0.1])
    """
    d = a - b
    bound = noise_upper_bound(a, b)
    if _is_noise_free(d, bound) and _has_spread(d, 2 * bound):
        return d  # fast path: no difference is noise, and the differences are not all equal
    if not np.any(blur := absolute_noise(a, b)):
        return d
    d = np.where(np.abs(d) <= blur, 0.0, d)
    return np.where((d.max(0) - d.min(0) <= 2 * blur) & (d != 0).all(0), d[0], d)


def _is_noise_free(d: Array, bound: float) -> bool:
    """Return whether each number is 0 or has an absolute value above the bound."""
    small = np.abs(d) <= bound
    return not np.count_nonzero(small) or not np.count_nonzero(small & (d != 0))


def _has_spread(d: Array, least: float) -> bool:
    """Return whether the range of the numbers of each repetition is larger than `least`."""
    if d.ndim == 1:
        return bool(abs(d[0] - d[-1]) > least or d.max() - d.min() > least)
    return bool((d.max(0) - d.min(0) > least).all())


def has_no_ties(x: Array, axis: int = 0) -> bool:
    """Return whether all numbers along the axis are so far apart that no two numbers can tie."""
    ordered = np.sort(x, axis)
    ordered = ordered if not axis else ordered.swapaxes(0, axis)
    return bool((ordered[1:] - ordered[:-1]).min(initial=np.inf) > noise_upper_bound(x))


def sorted_with_positions(x: Array) -> tuple[Array, Any]:
    """Return the numbers sorted along the first axis, and their positions in the flattened array."""
    positions = np.argsort(x, axis=0)
    if x.ndim > 1:
        positions = positions * x[0].size + np.arange(x[0].size).reshape(x.shape[1:])
    return x.take(positions), positions


def accumulate(ufunc: np.ufunc, x: Any) -> Any:
    """Return ``ufunc.accumulate(x, 0)``; long rows are processed one at a time to save time."""
    if x[:1].size < LONG_ROW_LENGTH:
        return ufunc.accumulate(x, 0)
    x = x.copy()
    for before, row in pairwise(x):
        ufunc(before, row, out=row)
    return x


def unify_ties(x: Array, blur: Any, axis: int = 0) -> Array:
    """Give all entries that differ only by noise the same value, so that these entries tie exactly.

    The noise `blur` is one number, one for each repetition (the last axes), or one for each entry; for two entries the larger noise
    applies.

    >>> unify_ties(np.array([0.88 - 0.85, 0.69 - 0.66]), TIE_NOISE).tolist()
    [0.029999999999999916, 0.029999999999999916]
    """
    if not np.any(blur):
        return x
    has_entry_noise = np.shape(blur) == x.shape
    if has_entry_noise:
        ordered_blur = np.take_along_axis(blur, np.argsort(x, axis), axis)
        blur = np.maximum(*(np.take(ordered_blur, range(start, x.shape[axis] - 1 + start), axis) for start in (0, 1)))
    if axis:
        x, blur = np.moveaxis(x, axis, 0), np.moveaxis(blur, axis, 0) if has_entry_noise else blur
    ordered, positions = sorted_with_positions(x)
    gaps = ordered[1:] - ordered[:-1]
    joined = gaps <= blur
    if not ((gaps > 0) & joined).any():
        return np.moveaxis(x, 0, axis)  # fast path: no entry changes
    number = broadcast_column(np.arange(1, len(x)), x)
    first = np.zeros(x.shape, int)  # position at which the group of ties of each number begins
    first[1:] = np.where(joined, 0, number)
    out = np.empty(x.shape)
    out.reshape(-1)[positions] = np.take_along_axis(ordered, accumulate(np.maximum, first), 0)
    return np.moveaxis(out, 0, axis)


def decimal_scale(*measured: Any) -> float | None:
    """Return the smallest power of ten up to 10,000 that makes all numbers whole (up to far less than noise), or else None.

    >>> decimal_scale(np.array([0.88, 0.5]), np.array([3.0])), decimal_scale(np.array([1 / 3]))
    (100.0, None)
    """
    if max_relative_noise(*measured) > TIE_NOISE:
        return None
    for unit in (1.0, 10.0, 100.0, 1000.0, 10_000.0):
        if all(_is_integer_valued(x.reshape(-1)[:8] * unit) for x in measured):
            return unit if all(_is_integer_valued(x * unit) for x in measured) else None
    return None


def _is_integer_valued(x: Any) -> bool:
    """Return whether all numbers are whole (up to an eighth of the noise of their repetition) and below 2**44."""
    x = np.atleast_1d(x)
    largest, off = np.maximum(x.max(0), -x.min(0)), np.abs(x - np.rint(x)).max(0)
    return bool(np.max(largest) < MAX_EXACT_INTEGER and (off <= TIE_NOISE / 8 * largest).all())


def difference_with_ties(a: Array, b: Array, plus: Any = 0.0) -> Array:
    """Return the differences a - b + plus for ranking: 0 for mere noise, one size for sizes that differ only by noise.

    >>> difference_with_ties(np.array([0.88, 0.66, 0.3]), np.array([0.85, 0.69, 0.1 + 0.2])).round(4)
    array([ 0.03, -0.03,  0.  ])
    """
    with np.errstate(over="ignore", invalid="ignore"):
        # add an axis for the entries, because `plus` has only one value for each repetition
        unit = decimal_scale(a, b, np.asarray(plus)[np.newaxis])
    if unit is not None:
        return np.rint((a - b + plus) * unit) / unit + 0.0  # fast path for multiples of 1 / unit; adding 0.0 turns -0 into 0
    d, blur = a - b + plus, absolute_noise(a, b)
    sizes = unify_ties(np.where(np.abs(d) <= blur, 0.0, np.abs(d)), blur)
    return np.copysign(sizes, d) + 0.0 if np.any(blur) else d  # adding 0.0 turns -0 into 0


def min_float_bytes(value: Any) -> int:
    """Return the size in bytes of the shortest floating-point type among the columns of a pandas object; 8 for doubles."""
    types = getattr(value, "dtypes", None)
    if types is None:
        return 8
    columns = types.tolist() if hasattr(types, "tolist") else [types]
    return min((column.itemsize for column in columns if getattr(column, "kind", "") == "f"), default=8)
