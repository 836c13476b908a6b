"""Check that values passed by a user agree up to rounding."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np

from ..number_format import format_plain, rounding_half_width
from ..value_types import Interval
from .check import half_integers, is_count_check, positions
from .tables import rank_table

MAX_ROUNDED_VALUES = 64  # with more rounded values, their consistency is not checked
RELATIVE_ROUNDING_ERROR = 1e-9  # relative error allowed for floating-point computations

StepRecomputation = Callable[[str, Mapping[str, Any]], Any]  # (name of a step, changed values of other steps) -> value of the step, or None
Recomputation = Callable[[Mapping[str, Any]], Any]  # (changed values of other steps) -> value of one step, or None


def is_exact_check(check: Any) -> bool:
    """Return whether a check takes values that are never rounded: counts and ranks."""
    return is_count_check(check) or check in (positions, half_integers, rank_table)


def check_consistency(test: Any, raw: Mapping[str, Any], without: StepRecomputation) -> None:
    """Raise ValueError if a stated step of a test contradicts the other steps; `raw` holds the stated values as written by the user."""
    steps, stated = test.steps, test.stated
    rounded = {name: raw[name] for name in stated if not is_exact_check(steps[name].check) and np.asarray(raw[name]).dtype.kind in "iuf"}
    for name in stated:
        recomputed = partial(without, name)
        computed, value = recomputed({}), test.__dict__[name]
        if computed is None:
            continue
        half_width = max((rounding_half_width(x) for x in np.ravel(raw[name]).tolist()), default=0.0) if name in rounded else 0.0
        if not is_consistent(value, half_width, computed, recomputed, {key: x for key, x in rounded.items() if key != name}):
            raise ValueError(
                f"the stated values contradict each other: {name} is stated as {format_stated_value(value)}, but {name} = "
                f"{format_stated_value(computed)} follows from {', '.join(key for key in raw if key != name)}. Leave out uncertain "
                f"values. To continue from a wrong value, write {type(test).__name__}.from_steps(...).assuming({name}=...)."
            )


def is_consistent(value: Any, half_width: float, computed: Any, recomputed: Recomputation, rounded: Mapping[str, Any]) -> bool:
    """Return whether a stated value agrees, up to rounding, with the value that follows from the other stated values.

    Parameters
    ----------
    value, computed : number, array, interval or truth value
        The stated value, and the value that follows from the other stated values.
    half_width : float
        Half a unit of the last digit of the stated value.
    recomputed : callable
        Function that computes the value after changes of the other stated values.
    rounded : mapping
        The other stated values that may be rounded.
    """
    if isinstance(value, Interval) and isinstance(computed, Interval):
        ends = ((value.low, computed.low, "low"), (value.high, computed.high, "high"))
        return all(
            is_consistent(a, half_width, b, lambda changed, end=end: getattr(recomputed(changed), end, None), rounded)  # type: ignore[misc]
            for a, b, end in ends
        )
    x, y = np.asarray(value), np.asarray(computed)
    if x.dtype.kind not in "biuf" or y.dtype.kind not in "biuf":
        return True  # text and other objects are not compared
    try:
        np.broadcast_shapes(x.shape, y.shape)
    except ValueError:
        return False
    if sum(np.size(other) for other in rounded.values()) > MAX_ROUNDED_VALUES:
        return True
    if x.dtype.kind == "b":
        return bool(np.array_equal(x, y)) or any(np.array_equal(x, again) for again in _recompute_within_rounding(recomputed, rounded))
    x, y = x.astype(float), y.astype(float)
    with np.errstate(all="ignore"):
        tolerance = half_width + RELATIVE_ROUNDING_ERROR * np.maximum(np.abs(x), np.abs(y))
        fits = (x == y) | (np.abs(x - y) <= tolerance) | np.isnan(y)
        if fits.all():
            return True
        changes = _recompute_within_rounding(recomputed, rounded)
        # tolerance: effect on the computed value if each stated number is lowered and raised by its rounding error
        for below, above in zip(changes, changes):
            tolerance = tolerance + np.fmax(np.abs(below - y), np.abs(above - y))
        return bool((fits | ~np.isfinite(tolerance) | (np.abs(x - y) <= tolerance)).all())


def _recompute_within_rounding(recomputed: Recomputation, rounded: Mapping[str, Any]) -> Iterator[Any]:
    """Yield two recomputed values for each number: one with the number lowered by its rounding error, one with the number raised."""
    for name, value in rounded.items():
        for index in np.ndindex(np.shape(value)):
            half = rounding_half_width(np.asarray(value)[index].item())
            for sign in (-1, 1):
                changed = np.array(value, float)
                changed[index] += sign * half
                again = recomputed({name: changed[()]})
                yield np.nan if again is None else np.asarray(again)


def format_stated_value(value: Any) -> str:
    """Write a stated value for an error message."""
    if isinstance(value, Interval):
        return (
            f"[{format_stated_value(value.low)}, {format_stated_value(value.high)}]"
            if np.ndim(value.low)
            else value.written(format_stated_value)
        )
    return format_plain(value, 6) if np.ndim(value) == 0 else np.array2string(np.asarray(value), precision=6, threshold=6, separator=", ")


def check_sum(names: str, total: Any, expected: Any, rule: str, rounding: float = 0.0) -> None:
    """Raise ValueError unless stated values have the required sum."""
    x, y = np.broadcast_arrays(np.asarray(total, float), np.asarray(expected, float))
    wrong = np.abs(x - y) > rounding + 1e-9 * np.abs(y)
    if wrong.any():
        message = f"the stated values contradict each other: {names} must add up to {rule} = {y[wrong].flat[0]:g}; got {x[wrong].flat[0]:g}"
        raise ValueError(message)


def check_upper_bound(name: str, value: Any, most: Any, rule: str, rounding: float = 0.0) -> None:
    """Raise ValueError if a stated value is above its upper bound."""
    x, y = np.broadcast_arrays(np.asarray(value, float) - rounding, np.asarray(most, float))
    if (x > y).any():
        limit = f"{rule} = {y[x > y].flat[0]:g}"
        raise ValueError(f"the stated values contradict each other: {name} cannot be above {limit}; got {x[x > y].flat[0] + rounding:g}")
