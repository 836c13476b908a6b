"""Tails: what is said of one in several ways is the same, over null distributions of every kind."""

import copy
import pickle
from typing import Any

import numpy as np
import pytest

from fstats import RankSum, SignedRank
from fstats.core.rejection_region import BOTH, LEAST_PROBABLE, LOWER, LOWER_TWICE, SMALLER_TWICE, TAILS, UPPER, Tail
from fstats.core.value_types import Interval
from fstats.distributions.binomial import Binomial
from fstats.distributions.continuous_distributions import StudentT

T = StudentT(4)
SUMS = SignedRank([3, 1, 4, 1.5, 5, 9, 2.5, 6], [0] * 8).null
SKEW = RankSum([0, 1, 1, 3, 3, 3], [0, 0, 0, 0, 1, 5, 5, 5]).null
CASES = [
    *((tail, null) for tail in (UPPER, LOWER, BOTH, SMALLER_TWICE) for null in (T, SUMS, SKEW) if tail != BOTH or null is T),
    (LOWER_TWICE, SUMS),
    *((LEAST_PROBABLE, null) for null in (Binomial(20, 0.3), Binomial(9, 0.5))),
]
ALPHAS = (0.004, 0.01, 0.05, 0.1, 0.3)


def values(tail: Tail, null: Any) -> Any:
    """Values that the statistic may have; of the smaller of two sums none is above the middle."""
    x = np.linspace(-9, 9, 181) if null is T else null.atoms()[0]
    return x[x <= (x[0] + x[-1]) / 2] if tail == LOWER_TWICE else x


@pytest.mark.parametrize(("tail", "null"), CASES, ids=str)
@pytest.mark.parametrize("alpha", ALPHAS)
def test_chance_region_and_order_decide_alike(tail: Tail, null: Any, alpha: float) -> None:
    """A value rejects if its chance is at most alpha, if it lies in the region, and if it stands in order beside the critical value."""
    c = tail.critical_value(null, alpha)
    low, high = tail.region(c)
    for x in values(tail, null):
        rejects = tail.pvalue(null, x) <= alpha
        assert rejects == (x <= low or x >= high)
        first, second = tail.ordered_pair(x, c)
        assert rejects == (first <= second)


def test_the_cases_hold_what_they_are_for() -> None:
    """A skew null, one on which only one end of the region is finite, and values that reject beside others that do not."""
    middle = SKEW.atoms()[0][[0, -1]].mean()
    low, high = SMALLER_TWICE.critical_value(SKEW, 0.05)
    assert middle - low != high - middle
    assert [SMALLER_TWICE.pvalue(SKEW, end) <= 0.05 for end in (low, high)] == [True, True]
    for tail, null in CASES:
        chances = [tail.pvalue(null, x) for x in values(tail, null)]
        assert min(chances) <= 0.3 < max(chances)


@pytest.mark.parametrize("tail", [UPPER, LOWER, BOTH, SMALLER_TWICE], ids=str)
def test_the_interval_holds_what_is_not_rejected(tail: Tail) -> None:
    """Of a mean that is measured in standard errors, whose critical values need not be symmetric."""
    mean, se = 1.3, 0.7
    c = Interval(np.float64(-1.5), np.float64(2.5)) if tail == SMALLER_TWICE else tail.critical_value(T, 0.1)
    low, high = tail.region(c)
    ends = tail.interval(c, lambda c: mean - c * se)
    for truth in np.linspace(-4, 6, 1001) + 0.003:  # none lies on an end
        t = (mean - truth) / se
        assert (ends.low < truth < ends.high) == (low < t < high)


@pytest.mark.parametrize("tail", [UPPER, LOWER, BOTH], ids=str)
def test_each_repetition_has_ends_of_its_own(tail: Tail) -> None:
    c = tail.critical_value(T, 0.05)
    batch = tail.interval(c, lambda c: np.array([1.0, 2.0]) - c)
    for r, mean in enumerate([1.0, 2.0]):
        assert tail.interval(c, lambda c, mean=mean: np.float64(mean - c)) == (batch.low[r], batch.high[r])


@pytest.mark.parametrize("tail", TAILS, ids=str)
def test_a_copy_is_the_same_tail_and_nothing_about_it_can_be_changed(tail: Tail) -> None:
    # Wherever it comes from it is found in a table of tails; and it differs from all others, and from a word.
    for trip in (copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))):
        again = trip(tail)
        assert (again, {tail: "found"}[again]) == (tail, "found")
    assert [other for other in TAILS if other == tail] == [tail]
    assert tail != repr(tail)
    with pytest.raises(AttributeError):
        tail.rejects_small_values = True  # type: ignore[misc]
    with pytest.raises(AttributeError):
        tail.alpha = 0.05  # type: ignore[attr-defined]
