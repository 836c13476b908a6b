"""What prints equal is equal, and rounding noise is no data: one rule for every test, in units of the last place.

A score is known to the last place of the type it was made in, and computing (a mean over folds, a difference) blurs a few
places more.  So the last quarter of the type's binary digits, of the largest score (of each repetition), is taken for noise:

* whole numbers (up to 2**44) are exact, nothing of them is noise;
* numbers that just fill a float32 were made in one: 18 of its 24 digits count, about 5 decimal digits;
* all others were made in double precision: 40 of its 53 digits count, about 12 decimal digits.

What is read from float32 or float16 is first taken for the decimals that it prints (:func:`decimals`), if they have few enough
digits for the type to hold them: then nothing is lost and the rule for doubles holds.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .value import Array

DOUBLE, SINGLE = 2.0**-40, 2.0**-18  # the share of a number's size that is taken for noise
EXACT = 2.0**44  # whole numbers up to here are exact, and so are their sums; larger ones may be doubles without room for a fraction
BEYOND_SINGLE, END_OF_SINGLE = (
    np.int64((1 << 29) - 1),
    np.int64(3 << 29),
)  # of a double's digits: those a float32 has no room for, and its last two


def share(*measured: Any) -> float:
    """Which share of their size may be noise in numbers such as these: that of the least exact type that could have held all of them.

    >>> share([1, 2, 3]) == 0, share([0.1, 0.7]) == DOUBLE, share(np.array([0.1, 0.7], "f4").astype(float)) == SINGLE
    (True, True, True)
    """
    arrays = [np.atleast_1d(np.asarray(x, float)) for x in measured]
    if all(_whole(x.flat[:8]) and _whole(x) for x in arrays):  # the first few decide most cases at once
        return 0.0
    if any(_has(x.flat[:8], BEYOND_SINGLE) or _has(x, BEYOND_SINGLE) for x in arrays):
        return DOUBLE
    return SINGLE if any(_has(x, END_OF_SINGLE) for x in arrays) else DOUBLE


def _whole(x: Any) -> bool:
    return bool((x == np.rint(x)).all()) and bool(np.abs(x).max(initial=0) <= EXACT)


def _has(x: Any, digits: np.int64) -> bool:
    """Whether one of these numbers has any of these binary digits (whatever its exponent)."""
    return bool((np.ascontiguousarray(x).view(np.int64) & digits).any())


def decimals(x: NDArray[Any]) -> Array:
    """Numbers of a short type as the decimals that they print, where these have no more digits than the type can hold for certain.

    >>> decimals(np.array([0.88, 0.85], "f4")).tolist()
    [0.88, 0.85]
    """
    wide = x.astype(float)
    digits = np.finfo(x.dtype).precision  # 6 for float32, 3 for float16
    largest = np.abs(wide).max(initial=0)
    if not 1e-15 < largest < 1e15:  # powers of ten beyond are themselves rounded
        return wide
    places = digits - 1 - int(np.floor(np.log10(largest)))
    printed = np.rint(wide * 10.0**places) / 10.0**places if places >= 0 else wide
    return printed if (printed.astype(x.dtype) == x).all() else wide


def noise(*measured: Any, axis: int = 0) -> Any:
    """How much of each number may be noise: a share of the largest of those that belong together (along the axis), in one unit as they are."""
    largest = np.abs(measured[0]).max(axis)
    for more in measured[1:]:
        largest = np.maximum(largest, np.abs(more).max(axis))
    return share(*measured) * largest


def settle(x: Any, against: Any, share: float = DOUBLE) -> Any:
    """x, but 0 where it is only the noise of ``against``, from which it was computed: equal differences have no spread."""
    if not isinstance(x, np.ndarray):
        return x if abs(x) > share * np.abs(against) else np.float64(0)
    if np.abs(x).min() > share * np.abs(against).max():
        return x  # the common case, at a tenth of the price
    return np.where(np.abs(x) <= share * np.abs(against), 0.0, x)


def difference(a: Any, b: Any) -> Any:
    """Differences a - b, but 0 where that is noise, and one and the same number where only noise makes the entries differ.

    >>> difference(np.array([0.3, 0.5]), np.array([0.1 + 0.2, 0.4])).round(4)
    array([0. , 0.1])
    """
    d = a - b
    size, most = np.abs(d), SINGLE * np.abs(a).max()  # b is as large, or else the difference is
    varied = np.abs(d[0] - d[-1]) > 2 * most
    if (varied if varied.ndim == 0 else varied.all()) and not ((size <= most) & (size > 0)).any():
        return d  # the common case: nothing to do, whatever the type
    if not np.any(blur := noise(a, b)):
        return d
    d = np.where(size <= blur, 0.0, d)
    return np.where((d.max(0) - d.min(0) <= 2 * blur) & (d != 0).all(0), d[0], d)


def tied(x: Array, blur: Any, axis: int = 0) -> Array:
    """The numbers x with one number for all entries whose sizes differ by noise only, so that they tie to the last digit.

    >>> tied(np.array([0.88 - 0.85, 0.66 - 0.69]), DOUBLE).tolist()
    [0.029999999999999916, -0.029999999999999916]
    """
    if not np.any(blur):
        return x
    gaps = np.diff(np.sort(np.abs(x), axis), axis=axis)
    if not ((gaps > 0) & (gaps <= np.expand_dims(blur, axis))).any():
        return x  # the common case: nothing to do
    x = np.moveaxis(x, axis, 0) if axis else x
    sizes = np.abs(x)
    order = np.argsort(sizes, axis=0)
    place, *across = np.ix_(*map(np.arange, order.shape))
    ordered = sizes[order, *across]
    starts = np.ones_like(ordered, bool)  # of runs of equal sizes
    starts[1:] = np.diff(ordered, axis=0) > blur
    out = np.empty_like(sizes)
    out[order, *across] = ordered[np.maximum.accumulate(np.where(starts, place, 0), 0), *across]
    out = np.copysign(out, x)
    return np.moveaxis(out, 0, axis) if axis else out


def tied_difference(a: Array, b: Array, plus: Any = 0.0) -> Array:
    """Differences a - b (plus a shift) for ranks: 0 where that is noise, and one size for all differences that noise alone tells apart.

    >>> tied_difference(np.array([0.88, 0.66, 0.3]), np.array([0.85, 0.69, 0.1 + 0.2])).round(4)
    array([ 0.03, -0.03,  0.  ])
    """
    d, blur = a - b + plus, noise(a, b)
    return tied(np.where(np.abs(d) <= blur, 0.0, d), blur)
