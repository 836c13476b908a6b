"""P-value, critical value and decision of a test.

They follow from the tail of the rejection region.

A test maps each alternative to a tail.  The mappings are :data:`SYMMETRIC_TAILS`, :data:`UPPER_TAIL`, :data:`SMALL_COUNT_TAILS`,
:data:`ASYMMETRIC_TAILS`, :data:`BINOMIAL_TAILS`, or a mapping that the test defines.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np

from .value_types import Interval, Value


class Tail:
    """Rule for extreme values of a statistic: large values reject H0.  Tails have no state: two tails of one class are equal."""

    __slots__ = ()

    pvalue_formula: ClassVar[str] = r"P($null \geq $statistic)"  # LaTeX formula; $name is the slot of a step
    critical_value_formula: ClassVar[str] = r"\min\{x : P($null \geq x) \leq $alpha\}"
    rejects_small_values: ClassVar[bool] = False  # True if values at or below a critical value reject H0
    boundary_symbols: ClassVar[tuple[str, str]] = ("-c", "c")  # symbols of the lower and upper boundary of the rejection region

    def pvalue(self, null: Any, x: Value) -> Value:
        """Return the probability, if H0 is true, of a statistic at least as extreme as x."""
        return null.at_least(x)

    def critical_value(self, null: Any, alpha: float) -> Any:
        """Return the least extreme value that rejects at this level, or infinity; two values if the null distribution may be skewed."""
        return null.high(alpha)

    def region(self, c: Any) -> Interval:
        """Return the rejection region: the values up to the first end and those from the second end on, both ends included."""
        return Interval(-infinity_like(c), c)

    def ordered_pair(self, x: Value, c: Any) -> tuple[Value, Value]:
        """Return statistic x and critical value in such an order that first <= second if and only if x rejects."""
        return c, x

    def interval(self, c: Any, end: Callable[[Value], Value]) -> Interval:
        """Return the interval of the parameter values that are not rejected.

        `end` maps a critical value to the corresponding end of the interval; a larger critical value gives a lower end.
        """
        low = end(c)
        return Interval(low, infinity_like(low))

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self)

    def __hash__(self) -> int:
        return hash(type(self))

    def __repr__(self) -> str:
        return type(self).__name__


class Lower(Tail):
    """Small values reject H0."""

    __slots__ = ()

    pvalue_formula = r"P($null \leq $statistic)"
    critical_value_formula = r"\max\{x : P($null \leq x) \leq $alpha\}"
    rejects_small_values = True
    boundary_symbols = ("c", "")

    def pvalue(self, null: Any, x: Value) -> Value:
        return null.at_most(x)

    def critical_value(self, null: Any, alpha: float) -> Value:
        return null.low(alpha)

    def region(self, c: Value) -> Interval:
        return Interval(c, infinity_like(c))

    def ordered_pair(self, x: Value, c: Value) -> tuple[Value, Value]:
        return x, c

    def interval(self, c: Value, end: Callable[[Value], Value]) -> Interval:
        high = end(c)
        return Interval(-infinity_like(high), high)


class TwoSided(Tail):
    """Values far from 0 on either side reject H0; the null distribution is symmetric around 0."""

    __slots__ = ()

    pvalue_formula = r"2\,P($null \geq |$statistic|)"
    critical_value_formula = r"\min\{x : P($null \geq x) \leq $alpha / 2\}"

    def pvalue(self, null: Any, x: Value) -> Value:
        return 2 * null.at_least(abs(x))

    def critical_value(self, null: Any, alpha: float) -> Value:
        return null.high(alpha / 2)

    def region(self, c: Value) -> Interval:
        return Interval(-c, c)

    def ordered_pair(self, x: Value, c: Value) -> tuple[Value, Value]:
        return c, np.abs(x)

    def interval(self, c: Value, end: Callable[[Value], Value]) -> Interval:
        return Interval(end(c), end(-c))


class DoubledLower(Lower):
    """Small values of the smaller of two sums reject H0; the tail is doubled because this may be the sum of A or the sum of B."""

    __slots__ = ()

    pvalue_formula = r"\min\{1,\ 2\,P($null \leq $statistic)\}"
    critical_value_formula = r"\max\{x : P($null \leq x) \leq $alpha / 2\}"

    def pvalue(self, null: Any, x: Value) -> Value:
        return np.minimum(1, 2 * null.at_most(x))

    def critical_value(self, null: Any, alpha: float) -> Value:
        return null.low(alpha / 2)


class DoubledSmallerTail(Tail):
    """Small and large values reject H0; the smaller tail probability is doubled, because the null distribution may be skewed."""

    __slots__ = ()

    pvalue_formula = r"\min\{1,\ 2\,P($null \leq $statistic),\ 2\,P($null \geq $statistic)\}"
    critical_value_formula = r"\text{the outermost } x : P($null \leq x) \leq $alpha / 2,\ P($null \geq x) \leq $alpha / 2"
    rejects_small_values = True
    boundary_symbols = ("c", "c'")

    def pvalue(self, null: Any, x: Value) -> Value:
        return np.minimum(1, np.minimum(2 * null.at_most(x), 2 * null.at_least(x)))

    def critical_value(self, null: Any, alpha: float) -> Interval:
        return Interval(null.low(alpha / 2), null.high(alpha / 2))

    def region(self, c: Interval) -> Interval:
        return c

    def ordered_pair(self, x: Value, c: Interval) -> tuple[Value, Value]:
        return (x, c.low) if x - c.low < c.high - x else (c.high, x)

    def interval(self, c: Interval, end: Callable[[Value], Value]) -> Interval:
        return Interval(end(c.high), end(c.low))


class LeastProbable(DoubledSmallerTail):
    """Improbable values reject H0: p is the probability of all values that are not more probable than the observed one (Sterne's rule)."""

    __slots__ = ()

    pvalue_formula = r"\sum_{x : P($null = x) \leq P($null = $statistic)} P($null = x)"
    critical_value_formula = r"\text{the innermost } x : \ \sum_{y : P($null = y) \leq P($null = x)} P($null = y) \leq $alpha"

    def pvalue(self, null: Any, x: Value) -> Value:
        return null.not_more_probable(x)

    def critical_value(self, null: Any, alpha: float) -> Interval:
        return null.least_probable(alpha)


def infinity_like(like: Value) -> Value:
    """Return infinity, once for each repetition."""
    return np.full(np.shape(like), np.inf)[()]


UPPER, LOWER, BOTH, LOWER_TWICE, SMALLER_TWICE = Tail(), Lower(), TwoSided(), DoubledLower(), DoubledSmallerTail()
LEAST_PROBABLE = LeastProbable()
TAILS: tuple[Tail, ...] = (UPPER, LOWER, BOTH, LOWER_TWICE, SMALLER_TWICE, LEAST_PROBABLE)

SYMMETRIC_TAILS: Mapping[str, Tail] = {"two-sided": BOTH, "less": LOWER, "greater": UPPER}  # rejection regions of t and z
UPPER_TAIL: Mapping[str, Tail] = {"two-sided": UPPER}  # rejection regions of chi-squared, F and q
# rejection regions of the signed-rank test, the sign test and McNemar's exact test: small values of the statistic reject H0
SMALL_COUNT_TAILS: Mapping[str, Tail] = {"two-sided": LOWER_TWICE, "less": LOWER, "greater": LOWER}
# rejection regions of statistics with a skewed null distribution
ASYMMETRIC_TAILS: Mapping[str, Tail] = {"two-sided": SMALLER_TWICE, "less": LOWER, "greater": UPPER}
BINOMIAL_TAILS: Mapping[str, Tail] = {"two-sided": LEAST_PROBABLE, "less": LOWER, "greater": UPPER}  # rejection regions of binomial counts
