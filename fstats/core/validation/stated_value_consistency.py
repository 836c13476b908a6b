"""Values that were stated and follow from others that were stated too: do they agree, up to their rounding?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np

from ..number_format import format_plain, rounding_half_width
from ..value_types import Interval
from .check import half_integers, is_count_check, positions
from .tables import rank_table

MOST_ENTRIES = 64  # values whose rounding is followed one by one
RELATIVE_ROUNDING_ERROR = 1e-9  # of floating point, relative

StepRecomputation = Callable[[str, Mapping[str, Any]], Any]  # (a step, what is changed among the other stated values) -> the value, or None
Recomputation = Callable[[Mapping[str, Any]], Any]  # (what is changed among the other stated values) -> the value, or None


def is_exact_check(check: Any) -> bool:
    """Whether a check takes values that nobody rounds: counts, and ranks."""
    return is_count_check(check) or check in (positions, half_integers, rank_table)


def check_consistency(test: Any, raw: Mapping[str, Any], without: StepRecomputation) -> None:
    """Raise an error where a stated step of a test contradicts the others; `raw` is what was stated, as it was written."""
    steps, stated = test.steps, test.stated
    rounded = {name: raw[name] for name in stated if not is_exact_check(steps[name].check) and np.asarray(raw[name]).dtype.kind in "iuf"}
    for name in stated:
        recomputed = partial(without, name)
        found, told = recomputed({}), test.__dict__[name]
        if found is None:
            continue
        own = max((rounding_half_width(x) for x in np.ravel(raw[name]).tolist()), default=0.0) if name in rounded else 0.0
        if not is_consistent(told, own, found, recomputed, {key: value for key, value in rounded.items() if key != name}):
            raise ValueError(
                f"what is stated contradicts itself: {name} is {format_stated_value(told)}, but from {', '.join(key for key in raw if key != name)} "
                f"follows {format_stated_value(found)}: leave out what is not sure, or carry a wrong value on by "
                f"{type(test).__name__}.from_steps(...).assuming({name}=...)"
            )


def is_consistent(told: Any, own: float, found: Any, recomputed: Recomputation, rounded: Mapping[str, Any]) -> bool:
    """Whether a stated value can be the one that follows from the others.

    Parameters
    ----------
    told, found : number, array, interval or truth value
        What was stated, and what follows from the other values as they were stated.
    own : float
        Half a unit of the stated value's last digit.
    recomputed : callable
        What follows if some of the others are changed.
    rounded : mapping
        Those of the others that may be rounded.
    """
    if isinstance(told, Interval) and isinstance(found, Interval):
        ends = ((told.low, found.low, "low"), (told.high, found.high, "high"))
        return all(
            is_consistent(a, own, b, lambda changed, end=end: getattr(recomputed(changed), end, None), rounded)  # type: ignore[misc]
            for a, b, end in ends
        )
    x, y = np.asarray(told), np.asarray(found)
    if x.dtype.kind not in "biuf" or y.dtype.kind not in "biuf":
        return True  # a distribution, names: nothing to measure
    try:
        np.broadcast_shapes(x.shape, y.shape)
    except ValueError:
        return False
    if sum(np.size(value) for value in rounded.values()) > MOST_ENTRIES:
        return True
    if x.dtype.kind == "b":
        return bool(np.array_equal(x, y)) or any(np.array_equal(x, again) for again in _recompute_within_rounding(recomputed, rounded))
    x, y = x.astype(float), y.astype(float)
    with np.errstate(all="ignore"):
        room = own + RELATIVE_ROUNDING_ERROR * np.maximum(np.abs(x), np.abs(y))
        fits = (x == y) | (np.abs(x - y) <= room) | np.isnan(y)
        if fits.all():
            return True
        for below, above in zip(
            *[_recompute_within_rounding(recomputed, rounded)] * 2
        ):  # each number up and down by what its rounding may hide
            room = room + np.fmax(np.abs(below - y), np.abs(above - y))
        return bool((fits | ~np.isfinite(room) | (np.abs(x - y) <= room)).all())


def _recompute_within_rounding(recomputed: Recomputation, rounded: Mapping[str, Any]) -> Iterator[Any]:
    """What follows if one number is as small as its rounding allows, then as large; number after number."""
    for name, value in rounded.items():
        for place in np.ndindex(np.shape(value)):
            half = rounding_half_width(np.asarray(value)[place].item())
            for sign in (-1, 1):
                changed = np.array(value, float)
                changed[place] += sign * half
                again = recomputed({name: changed[()]})
                yield np.nan if again is None else np.asarray(again)


def format_stated_value(value: Any) -> str:
    """A value in an error message."""
    if isinstance(value, Interval):
        return (
            f"[{format_stated_value(value.low)}, {format_stated_value(value.high)}]"
            if np.ndim(value.low)
            else value.written(format_stated_value)
        )
    return format_plain(value, 6) if np.ndim(value) == 0 else np.array2string(np.asarray(value), precision=6, threshold=6, separator=", ")


def check_sum(names: str, found: Any, expected: Any, rule: str, rounding: float = 0.0) -> None:
    """Values that were stated, and what their sum must be."""
    x, y = np.broadcast_arrays(np.asarray(found, float), np.asarray(expected, float))
    wrong = np.abs(x - y) > rounding + 1e-9 * np.abs(y)
    if wrong.any():
        raise ValueError(
            f"what is stated contradicts itself: {names} must add up to {rule} = {y[wrong].flat[0]:g}; got {x[wrong].flat[0]:g}"
        )


def check_upper_bound(name: str, found: Any, most: Any, rule: str, rounding: float = 0.0) -> None:
    """A value that was stated, and what it is at most."""
    x, y = np.broadcast_arrays(np.asarray(found, float) - rounding, np.asarray(most, float))
    if (x > y).any():
        raise ValueError(
            f"what is stated contradicts itself: {name} cannot be above {rule} = {y[x > y].flat[0]:g}; got {x[x > y].flat[0] + rounding:g}"
        )
