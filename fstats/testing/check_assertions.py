"""Assertions for conformance checks.

They are of the equality of any values, and of the names that a step reads.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..core.procedure import Procedure
from ..core.value_types import Interval


class ConformanceError(AssertionError):
    """Error for a class that violates a rule of all tests; the message says the rule, the received value and the remedy."""


def require(holds: object, rule: str, got: object, remedy: str) -> None:
    """Raise ConformanceError with rule, received value and remedy, unless the rule holds."""
    if not holds:
        raise ConformanceError(f"{rule}; got {got}. {remedy}")


def variant_settings(test: Procedure) -> dict[str, Any]:
    """Return the settings of a test (inputs that choose a variant), by name."""
    return {name: getattr(test, name) for name, about in test.inputs.items() if about["setting"]}


def are_names(value: object) -> bool:
    """Return whether a value holds names or pairs of names, such as labels or pairs of classifiers."""
    return isinstance(value, np.ndarray) and value.dtype.kind in "UO"


def comparable_arrays(value: Any) -> list[Any]:
    """Return a value as a list of arrays to compare."""
    if are_names(value):
        return [value]
    return [np.asarray(end, float) for end in value] if isinstance(value, Interval) else [np.asarray(value, float)]


def is_equal(x: Any, y: Any, rtol: float = 1e-12, atol: float = 1e-15) -> bool:
    """Return whether two values are equal up to the last digits; the last digits depend on numpy's order of summation."""
    if are_names(x):
        return bool(np.array_equal(x, y))
    if isinstance(x, (int, float, np.generic, np.ndarray, Interval)):
        pairs = zip(comparable_arrays(x), comparable_arrays(y), strict=True)
        return all(a.shape == b.shape and np.allclose(b, a, rtol, atol, equal_nan=True) for a, b in pairs)
    if hasattr(x, "largest"):  # x is a joint posterior distribution of several probabilities
        return str(x) == str(y) and is_equal(x.largest(), y.largest())
    if hasattr(x, "at_most"):  # x is a null distribution or a posterior distribution
        return str(x) == str(y) and all(is_equal(x.at_most(k), y.at_most(k)) for k in np.linspace(-3, 20, 47))
    return str(x) == str(y)


def read_names(test: Procedure, function: Callable[[Any], Any]) -> set[str]:
    """Return the names of the inputs and steps that a function of a test reads."""
    used: set[str] = set()
    kind: Any = type(test)

    class Spy(kind):  # type: ignore[misc]
        """A copy of the test that records the names of the inputs and steps that are read."""

        def __getattribute__(self, name: str) -> Any:
            if name in test.inputs or name in test.steps:
                used.add(name)
                return getattr(test, name)
            return super().__getattribute__(name)

    function(object.__new__(Spy))
    return used
