"""What a null distribution is: two tails that include the observed value, and the two critical values that go with them.

``at_most(x)`` is P(X <= x) and ``at_least(x)`` is P(X >= x): both include x, which matters where X is discrete.
``low(alpha)`` is the largest value c with P(X <= c) <= alpha, ``high(alpha)`` the smallest with P(X >= c) <= alpha;
-inf and +inf where there is none.  Parameters may be arrays, one entry for each repetition.
"""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

from .value_types import Array, Value


class NullDistribution(Protocol):
    """What a test asks of the distribution of its statistic under H0."""

    def at_most(self, x: Any) -> Value: ...
    def at_least(self, x: Any) -> Value: ...
    def low(self, alpha: float) -> Value: ...
    def high(self, alpha: float) -> Value: ...


@runtime_checkable
class ContinuousNull(NullDistribution, Protocol):
    """A null distribution with a density, for pictures."""

    def density(self, x: Array) -> Array: ...


@runtime_checkable
class DiscreteNull(NullDistribution, Protocol):
    """A null distribution on separate values, for pictures."""

    def atoms(self) -> tuple[Array, Array]: ...
