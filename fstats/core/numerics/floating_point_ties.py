"""What prints equal is equal, and rounding noise is no data: one rule for every test, in units of the last place.

A score is known to the last place of the type it was made in, and computing it (a mean over folds) blurs a few places more.  So
scores tie, and a difference is 0, within

* 64 units in the last place of the largest score (of each repetition) in double precision: 14 decimal digits count;
* 4 units in the last place in float32, of which 6 decimal digits count, and in float16;
* nothing at all for whole numbers up to 2**44: they are exact (larger integers are refused, :mod:`fstats.core.validation.integer_precision`).

A classifier's scores of records are the one exception: where all have one sign (probabilities) each has noise of its own size.

The type is that of what was handed in, the coarsest one if there are several; an array remembers it in the metadata of its dtype.
What is read from float32 or float16 is first taken for the decimals that it prints, if they have few enough digits for the type to
hold them (:func:`printed_decimals`): then nothing is lost and the rule for doubles holds.
"""

from __future__ import annotations

from itertools import pairwise
from math import hypot
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..value_types import Array, broadcast_column

SHORT_FLOAT_NOISE = {
    2: 2.0**-9,
    4: 2.0**-21,
}  # the share of the largest score that is noise, by the bytes of a short type: 4 units in the last place
TIE_NOISE = 2.0**-46  # and of doubles: 64 units in the last place
DOUBLE_NOISE = 2.0**-40  # the share of a number that is noise in what was computed from it: sums of squares, eigenvalues
FEW_NUMBERS = 100  # numbers that Python's own functions deal with faster
LONG = 64  # entries of a row from which on a loop over rows costs less
MAX_EXACT_INTEGER = (
    2.0**44
)  # whole numbers up to here are exact, and so are their sums; larger ones may be doubles without room for a fraction


def to_double(x: NDArray[Any], short: int = 8) -> Array:
    """Numbers as doubles that remember whether they, or the columns they come from, were made in a type of fewer bytes."""
    if x.dtype.kind == "f" and x.dtype.itemsize < 8:
        short = x.dtype.itemsize
        x, known = printed_decimals(x)
        if known:
            return x
    wide = x.astype(float)
    return wide if short >= 8 else wide.astype(np.dtype("f8", metadata={"short": short}))


def printed_value(x: Any) -> float:
    """A number as a float; one of a short type as the decimals that it prints.

    >>> printed_value(np.float32(0.8)), printed_value("0.8"), float(np.float32(0.8))
    (0.8, 0.8, 0.800000011920929)
    """
    return float(str(x)) if isinstance(x, np.floating) and x.dtype.itemsize < 8 else float(x)


def printed_decimals(x: NDArray[Any]) -> tuple[Array, bool]:
    """Numbers of a short type as the decimals that they print, and whether these have few enough digits for the type to hold them.

    >>> printed_decimals(np.array([0.88, 0.85], "f4"))[0].tolist(), printed_decimals(np.array([1 / 3], "f4"))[1]
    ([0.88, 0.85], False)
    """
    wide = x.astype(float)
    digits = np.finfo(x.dtype).precision  # 6 for float32, 3 for float16
    largest = np.abs(wide).max(initial=0)
    if not 1e-15 < largest < 1e15:  # powers of ten beyond are themselves rounded
        return wide, False
    places = digits - 1 - int(np.floor(np.log10(largest)))
    printed = np.rint(wide * 10.0**places) / 10.0**places if places >= 0 else wide
    return (printed, True) if (printed.astype(x.dtype) == x).all() else (wide, False)


def max_relative_noise(*measured: Any) -> float:
    """Which share of the largest of these numbers may be noise, by their types alone: of whole numbers less is, so this is the most."""
    part = TIE_NOISE
    for x in measured:
        if x.dtype.metadata:
            part = max(part, SHORT_FLOAT_NOISE.get(x.dtype.metadata.get("short", 8), TIE_NOISE))
    return part


def noise_upper_bound(*measured: Array) -> float:
    """No more of any of these numbers than this is noise: quickly told, and somewhat too much."""
    largest = 0.0
    for x in measured:  # of few numbers the length of a vector is quicker than the largest of them, and no less
        largest += hypot(*x.ravel().tolist()) if x.size < FEW_NUMBERS else max(x.max(), -x.min())
    return max_relative_noise(*measured) * largest


def relative_noise(*measured: Any, axis: Any = 0) -> Any:
    """Which share of the largest of these numbers may be noise, for each repetition: that of the coarsest type among them.

    >>> float(relative_noise(np.array([1, 2, 3]))), relative_noise(np.array([0.1, 0.7])) == TIE_NOISE
    (0.0, True)
    """
    arrays = [np.asarray(x) for x in measured]
    part = max_relative_noise(*arrays)
    if all((x.flat[:8] != np.rint(x.flat[:8])).any() for x in arrays) and all(x.ndim == 1 for x in arrays):
        return part  # the first few decide most single cases at once
    whole = np.all([((x == np.rint(x)) & (np.abs(x) <= MAX_EXACT_INTEGER)).all(axis) for x in arrays], axis=0)
    return np.where(whole, 0.0, part)[()]


def computed_relative_noise(*measured: Any, axis: Any = 0) -> Any:
    """The share that is noise in what was computed from these numbers, a mean say: more than in themselves, but nothing of whole ones."""
    part = relative_noise(*measured, axis=axis)
    return np.where(np.equal(part, 0), 0.0, np.maximum(part, DOUBLE_NOISE))[()]


def absolute_noise(*measured: Any, axis: Any = 0) -> Any:
    """How much of each number may be noise: a share of the largest of those that belong together (along the axis), in one
    unit as they are.
    """
    largest = np.abs(measured[0]).max(axis)
    for more in measured[1:]:
        largest = np.maximum(largest, np.abs(more).max(axis))
    return relative_noise(*measured, axis=axis) * largest


def round_noise_to_zero(x: Any, against: Any, share: Any = DOUBLE_NOISE) -> Any:
    """x, but 0 where it is only the noise of ``against``, from which it was computed: equal differences have no spread."""
    if not isinstance(x, np.ndarray):
        return x if abs(x) > share * abs(against) else np.float64(0)
    if np.abs(x).min() > np.max(share) * np.abs(against).max():
        return x  # the common case, at a tenth of the price
    return np.where(np.abs(x) <= share * np.abs(against), 0.0, x)


def noise_free_difference(a: Any, b: Any) -> Any:
    """Differences a - b, but 0 where that is noise, and one and the same number where only noise makes the entries differ.

    >>> noise_free_difference(np.array([0.3, 0.5]), np.array([0.1 + 0.2, 0.4])).round(4)
    array([0. , 0.1])
    """
    d = a - b
    most = noise_upper_bound(a, b)
    if _is_noise_free(d, most) and _has_spread(d, 2 * most):
        return d  # the common case
    if not np.any(blur := absolute_noise(a, b)):
        return d
    d = np.where(np.abs(d) <= blur, 0.0, d)
    return np.where((d.max(0) - d.min(0) <= 2 * blur) & (d != 0).all(0), d[0], d)


def _is_noise_free(d: Array, most: float) -> bool:
    """Whether each number is 0 or larger than this."""
    small = (d <= most) & (d >= -most)
    return not np.count_nonzero(small) or not np.count_nonzero(small & (d != 0))


def _has_spread(d: Array, least: float) -> bool:
    """Whether the numbers of each repetition lie farther apart than this."""
    if d.ndim == 1:
        return bool(abs(d[0] - d[-1]) > least or d.max() - d.min() > least)
    return bool((d.max(0) - d.min(0) > least).all())


def has_no_ties(x: Array, axis: int = 0) -> bool:
    """Whether no two of the numbers along the axis are so near to each other that they may tie."""
    ordered = np.sort(x, axis)
    ordered = ordered if not axis else ordered.swapaxes(0, axis)
    return bool((ordered[1:] - ordered[:-1]).min(initial=np.inf) > noise_upper_bound(x))


def sorted_with_positions(x: Array) -> tuple[Array, Any]:
    """The numbers in order along the first axis, and the places where they stand in the array made flat."""
    places = np.argsort(x, axis=0)
    if x.ndim > 1:
        places = places * x[0].size + np.arange(x[0].size).reshape(x.shape[1:])
    return x.take(places), places


def accumulate(ufunc: np.ufunc, x: Any) -> Any:
    """What ``ufunc.accumulate`` gives along the first axis; a row at a time where rows are long, which is faster there."""
    if x[:1].size < LONG:
        return ufunc.accumulate(x, 0)
    x = x.copy()
    for before, row in pairwise(x):
        ufunc(before, row, out=row)
    return x


def unify_ties(x: Array, blur: Any, axis: int = 0) -> Array:
    """The numbers x with one number for all entries that differ by noise only, so that they tie to the last digit.

    The blur is one number, one for each repetition (the last axes), or one for each entry, of which the larger of two counts.

    >>> unify_ties(np.array([0.88 - 0.85, 0.69 - 0.66]), TIE_NOISE).tolist()
    [0.029999999999999916, 0.029999999999999916]
    """
    if not np.any(blur):
        return x
    of_entries = np.shape(blur) == x.shape
    if of_entries:
        own = np.take_along_axis(blur, np.argsort(x, axis), axis)
        blur = np.maximum(*(np.take(own, range(start, x.shape[axis] - 1 + start), axis) for start in (0, 1)))
    if axis:
        x, blur = np.moveaxis(x, axis, 0), np.moveaxis(blur, axis, 0) if of_entries else blur
    ordered, places = sorted_with_positions(x)
    gaps = ordered[1:] - ordered[:-1]
    joined = gaps <= blur
    if not ((gaps > 0) & joined).any():
        return np.moveaxis(x, 0, axis)  # the common case: nothing to do
    place = broadcast_column(np.arange(1, len(x)), x)
    first = np.zeros(x.shape, int)  # of the run to which a number belongs
    first[1:] = np.where(joined, 0, place)
    out = np.empty(x.shape)
    out.reshape(-1)[places] = np.take_along_axis(ordered, accumulate(np.maximum, first), 0)
    return np.moveaxis(out, 0, axis)


def decimal_scale(*measured: Any) -> float | None:
    """The power of ten that makes whole numbers of all these, up to far less than noise; None where there is no small one.

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
    """Whether these are whole numbers of an ordinary size, up to an eighth of what is noise in each repetition."""
    x = np.atleast_1d(x)
    largest, off = np.maximum(x.max(0), -x.min(0)), np.abs(x - np.rint(x)).max(0)
    return bool(np.max(largest) < MAX_EXACT_INTEGER and (off <= TIE_NOISE / 8 * largest).all())


def difference_with_ties(a: Array, b: Array, plus: Any = 0.0) -> Array:
    """Differences a - b (plus a shift) for ranks: 0 where that is noise, and one size for all differences that noise alone tells apart.

    >>> difference_with_ties(np.array([0.88, 0.66, 0.3]), np.array([0.85, 0.69, 0.1 + 0.2])).round(4)
    array([ 0.03, -0.03,  0.  ])
    """
    with np.errstate(over="ignore", invalid="ignore"):
        unit = decimal_scale(a, b, np.asarray(plus)[np.newaxis])  # one shift for each repetition, no column of them
    if unit is not None:
        return np.rint((a - b + plus) * unit) / unit + 0.0  # the common case: and no -0
    d, blur = a - b + plus, absolute_noise(a, b)
    sizes = unify_ties(np.where(np.abs(d) <= blur, 0.0, np.abs(d)), blur)
    return np.copysign(sizes, d) + 0.0 if np.any(blur) else d  # and no -0


def min_float_bytes(value: Any) -> int:
    """The bytes of the shortest float among the columns of a pandas object; 8 if there are none but doubles."""
    types = getattr(value, "dtypes", None)
    if types is None:
        return 8
    columns = types.tolist() if hasattr(types, "tolist") else [types]
    return min((column.itemsize for column in columns if getattr(column, "kind", "") == "f"), default=8)
