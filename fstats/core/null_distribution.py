"""Interface of null distributions.

A null distribution has tail probabilities on both sides, and critical values.

``at_most(x)`` is P(X <= x) and ``at_least(x)`` is P(X >= x).  Both probabilities include x, which matters for discrete distributions.
``low(alpha)`` is the largest value c with P(X <= c) <= alpha, and -inf if no value has this property.  ``high(alpha)`` is the smallest
value c with P(X >= c) <= alpha, and +inf if no value has this property.  Parameters may be arrays, with one entry for each repetition.
"""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

from .value_types import Array, Value


class NullDistribution(Protocol):
    """Interface of the distribution of a test statistic under H0."""

    def at_most(self, x: Any) -> Value: ...
    def at_least(self, x: Any) -> Value: ...
    def low(self, alpha: float) -> Value: ...
    def high(self, alpha: float) -> Value: ...


@runtime_checkable
class ContinuousNull(NullDistribution, Protocol):
    """A continuous null distribution; pictures draw its density."""

    def density(self, x: Array) -> Array: ...


@runtime_checkable
class DiscreteNull(NullDistribution, Protocol):
    """A discrete null distribution; pictures draw the probability of each value."""

    def atoms(self) -> tuple[Array, Array]: ...
