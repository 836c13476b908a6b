"""What checks compare: values of any kind, and what a step reads."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..core.procedure import Procedure
from ..core.value_types import Interval


class Broken(AssertionError):
    """A rule of all tests that a class does not keep: the rule, what was got, and what to do."""


def require(holds: object, rule: str, got: object, do: str) -> None:
    """Raise an error that can be acted upon, unless the rule holds."""
    if not holds:
        raise Broken(f"{rule}; got {got}. {do}")


def variant_settings(test: Procedure) -> dict[str, Any]:
    """The inputs that choose between variants, by name."""
    return {name: getattr(test, name) for name, about in test.inputs.items() if about["setting"]}


def are_names(value: object) -> bool:
    """Whether a value holds text or pairs of it: labels, pairs of classifiers."""
    return isinstance(value, np.ndarray) and value.dtype.kind in "UO"


def comparable_arrays(value: Any) -> list[Any]:
    """A value as a list of arrays to compare."""
    if are_names(value):
        return [value]
    return [np.asarray(end, float) for end in value] if isinstance(value, Interval) else [np.asarray(value, float)]


def is_equal(x: Any, y: Any, rtol: float = 1e-12, atol: float = 1e-15) -> bool:
    """Equal, up to the last digits where numpy sums a column and a table in different orders."""
    if are_names(x):
        return bool(np.array_equal(x, y))
    if isinstance(x, (int, float, np.generic, np.ndarray, Interval)):
        both = list(zip(comparable_arrays(x), comparable_arrays(y), strict=True))
        return all(a.shape == b.shape and np.allclose(b, a, rtol, atol, equal_nan=True) for a, b in both)
    if hasattr(x, "largest"):  # shares, one of which is the largest
        return str(x) == str(y) and is_equal(x.largest(), y.largest())
    if hasattr(x, "at_most"):  # a null distribution, or a posterior
        return str(x) == str(y) and all(is_equal(x.at_most(k), y.at_most(k)) for k in np.linspace(-3, 20, 47))
    return str(x) == str(y)


def read_names(test: Procedure, function: Callable[[Any], Any]) -> set[str]:
    """The inputs and steps that a function of a test reads."""
    used: set[str] = set()
    kind: Any = type(test)

    class Spy(kind):  # type: ignore[misc]
        """The same test, but it takes notes."""

        def __getattribute__(self, name: str) -> Any:
            if name in test.inputs or name in test.steps:
                used.add(name)
                return getattr(test, name)
            return super().__getattribute__(name)

    function(object.__new__(Spy))
    return used
