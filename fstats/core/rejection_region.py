"""Which values of a statistic are evidence against H0: a tail says what is extreme, and all that follows from it.

A test says which tail goes with which alternative: :data:`SYMMETRIC_TAILS`, :data:`UPPER_TAIL`, :data:`SMALL_COUNT_TAILS`, :data:`ASYMMETRIC_TAILS`, or a table of its own.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np

from .null_distribution import NullDistribution
from .value_types import Interval, Value


class Tail(ABC):
    """One way to be extreme.  It holds nothing but its rules: two tails of one kind are equal, and nothing about them changes."""

    __slots__ = ()

    pvalue_formula: ClassVar[str]  # of a p-value; the slots are steps of a test
    critical_value_formula: ClassVar[str]  # and of its critical value
    small: ClassVar[bool] = False  # whether x rejects that is at most c (of two, the lower one)
    edges: ClassVar[tuple[str, str]] = ("-c", "c")  # what the two ends of the rejection region are called

    @abstractmethod
    def pvalue(self, null: NullDistribution, x: Value) -> Value:
        """Probability, if H0 is true, of a statistic at least as extreme as x."""

    @abstractmethod
    def critical_value(self, null: NullDistribution, alpha: float) -> Any:
        """The least extreme value that rejects at this level (infinite where none can); two of them where the null may be skew."""

    @abstractmethod
    def region(self, c: Any) -> Interval:
        """The rejection region: the values up to the first end, and those from the second, the ends included."""

    @abstractmethod
    def in_order(self, x: Value, c: Any) -> tuple[Value, Value]:
        """Statistic and critical value as they stand where x rejects: the first is at most the second then, and only then."""

    @abstractmethod
    def interval(self, c: Any, end: Callable[[Value], Value]) -> Interval:
        """The values of a parameter that are not rejected; `end` says which one a critical value leads to: a larger one further down."""

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self)

    def __hash__(self) -> int:
        return hash(type(self))

    def __repr__(self) -> str:
        return type(self).__name__


class Upper(Tail):
    """Large values."""

    __slots__ = ()

    pvalue_formula = r"P($null \geq $statistic)"
    critical_value_formula = r"\min\{x : P($null \geq x) \leq $alpha\}"

    def pvalue(self, null: NullDistribution, x: Value) -> Value:
        return null.at_least(x)

    def critical_value(self, null: NullDistribution, alpha: float) -> Value:
        return null.high(alpha)

    def region(self, c: Value) -> Interval:
        return Interval(-infinity_like(c), c)

    def in_order(self, x: Value, c: Value) -> tuple[Value, Value]:
        return c, x

    def interval(self, c: Value, end: Callable[[Value], Value]) -> Interval:
        low = end(c)
        return Interval(low, infinity_like(low))


class Lower(Tail):
    """Small values."""

    __slots__ = ()

    pvalue_formula = r"P($null \leq $statistic)"
    critical_value_formula = r"\max\{x : P($null \leq x) \leq $alpha\}"
    small = True
    edges = ("c", "")

    def pvalue(self, null: NullDistribution, x: Value) -> Value:
        return null.at_most(x)

    def critical_value(self, null: NullDistribution, alpha: float) -> Value:
        return null.low(alpha)

    def region(self, c: Value) -> Interval:
        return Interval(c, infinity_like(c))

    def in_order(self, x: Value, c: Value) -> tuple[Value, Value]:
        return x, c

    def interval(self, c: Value, end: Callable[[Value], Value]) -> Interval:
        high = end(c)
        return Interval(-infinity_like(high), high)


class TwoSided(Tail):
    """Values far from 0 on either side, of a null that is symmetric around 0."""

    __slots__ = ()

    pvalue_formula = r"2\,P($null \geq |$statistic|)"
    critical_value_formula = r"\min\{x : P($null \geq x) \leq $alpha / 2\}"

    def pvalue(self, null: NullDistribution, x: Value) -> Value:
        return 2 * null.at_least(abs(x))

    def critical_value(self, null: NullDistribution, alpha: float) -> Value:
        return null.high(alpha / 2)

    def region(self, c: Value) -> Interval:
        return Interval(-c, c)

    def in_order(self, x: Value, c: Value) -> tuple[Value, Value]:
        return c, np.abs(x)

    def interval(self, c: Value, end: Callable[[Value], Value]) -> Interval:
        return Interval(end(c), end(-c))


class DoubledLower(Lower):
    """Small values of the smaller of two sums, which may be that of A or that of B: hence twice the tail."""

    __slots__ = ()

    pvalue_formula = r"\min\{1,\ 2\,P($null \leq $statistic)\}"
    critical_value_formula = r"\max\{x : P($null \leq x) \leq $alpha / 2\}"

    def pvalue(self, null: NullDistribution, x: Value) -> Value:
        return np.minimum(1, 2 * null.at_most(x))

    def critical_value(self, null: NullDistribution, alpha: float) -> Value:
        return null.low(alpha / 2)


class DoubledSmallerTail(Tail):
    """Small values and large ones, of a null that may be skew: twice the tail that is the less likely one."""

    __slots__ = ()

    pvalue_formula = r"\min\{1,\ 2\,P($null \leq $statistic),\ 2\,P($null \geq $statistic)\}"
    critical_value_formula = r"\text{the outermost } x : P($null \leq x) \leq $alpha / 2,\ P($null \geq x) \leq $alpha / 2"
    small = True
    edges = ("c", "c'")

    def pvalue(self, null: NullDistribution, x: Value) -> Value:
        return np.minimum(1, np.minimum(2 * null.at_most(x), 2 * null.at_least(x)))

    def critical_value(self, null: NullDistribution, alpha: float) -> Interval:
        return Interval(null.low(alpha / 2), null.high(alpha / 2))

    def region(self, c: Interval) -> Interval:
        return c

    def in_order(self, x: Value, c: Interval) -> tuple[Value, Value]:
        return (x, c.low) if x - c.low < c.high - x else (c.high, x)

    def interval(self, c: Interval, end: Callable[[Value], Value]) -> Interval:
        return Interval(end(c.high), end(c.low))


def infinity_like(like: Value) -> Value:
    """Infinity, once for each repetition."""
    return np.full(np.shape(like), np.inf)[()]


UPPER, LOWER, BOTH, LOWER_TWICE, SMALLER_TWICE = Upper(), Lower(), TwoSided(), DoubledLower(), DoubledSmallerTail()
TAILS: tuple[Tail, ...] = (UPPER, LOWER, BOTH, LOWER_TWICE, SMALLER_TWICE)

SYMMETRIC_TAILS: Mapping[str, Tail] = {"two-sided": BOTH, "less": LOWER, "greater": UPPER}  # t, z
UPPER_TAIL: Mapping[str, Tail] = {"two-sided": UPPER}  # chi-squared, F, q
SMALL_COUNT_TAILS: Mapping[str, Tail] = {"two-sided": LOWER_TWICE, "less": LOWER, "greater": LOWER}  # rank sums, discordant counts
ASYMMETRIC_TAILS: Mapping[str, Tail] = {"two-sided": SMALLER_TWICE, "less": LOWER, "greater": UPPER}  # a null that may be skew
