"""What the words of a formula mean in numbers: the functions that a formula calls once it is read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import special

from ...core.numerics.average_ranks import average_ranks
from ...core.numerics.floating_point_ties import difference_with_ties, noise_free_difference  # noqa: F401
from ...core.numerics.zero_division import product, ratio  # noqa: F401 (formulas call them)
from ...distributions.continuous_distributions import ChiSquared, FisherF, Normal, StudentT, Uniform, beta_quantile  # noqa: F401
from ...distributions.exact_rank_distributions import SignedRankSum
from ...distributions.studentized_range import StudentizedRange  # noqa: F401
from ...distributions.symmetric_binomial import SymmetricBinomial
from ..bayes.posterior_distributions import DirichletShares, LocatedT  # noqa: F401

MOST = 10**7  # numbers that are tried one by one


def probability(law: Any, relation: str, x: Any) -> Any:
    """P(X <relation> x): the tails of a law, and what follows from them."""
    if relation == "<=":
        return law.at_most(x)
    if relation == ">=":
        return law.at_least(x)
    if relation == "<":
        return 1 - law.at_least(x)
    if relation == ">":
        return 1 - law.at_most(x)
    return law.at_most(x) + law.at_least(x) - 1


def first_integer(holds: Callable[[Any], Any]) -> int:
    """The first of 0, 1, 2, ... for which something holds."""
    start, stop = 0, 64
    while start < MOST:
        with np.errstate(invalid="ignore"):  # nothing is left where all ways are used up
            found = np.flatnonzero(holds(np.arange(start, stop, dtype=float)))
        if len(found):
            return start + int(found[0])
        start, stop = stop, 4 * stop
    raise ValueError(
        f"the first number for which the formula holds was looked for up to {start:,}, and none does: say it with other bounds"
    )


def running_extreme(extreme: Any, x: Any, axis: int, backwards: bool = False) -> Any:
    """The largest (the smallest) so far, from the first entry on or from the last."""
    return np.flip(extreme.accumulate(np.flip(x, axis), axis), axis) if backwards else extreme.accumulate(x, axis)


def stack(place: int, *values: Any) -> Any:
    """Values side by side, along a new axis."""
    return np.stack(np.broadcast_arrays(*values), place)


def count(condition: Any, axis: Any = None) -> Any:
    """How often a condition holds."""
    return np.count_nonzero(condition, axis)


def entry_count(x: Any, *axes: int) -> int:
    """How many entries there are along these axes."""
    found = 1
    for axis in axes:
        found *= np.shape(x)[axis]
    return found


def up_to(n: Any) -> Any:
    """1, 2, ..., n."""
    return np.arange(1, int(np.max(n)) + 1)


def ranks_of(x: Any, axis: int = 0, zeros: bool = True) -> Any:
    """Average ranks from the smallest on; where zeros are left out their rank is 0."""
    if zeros:
        return average_ranks(x, axis)
    away = np.equal(x, 0)
    return np.where(away, 0, average_ranks(np.where(away, -np.inf, x), axis) - away.sum(axis))


def ranks_among(x: Any, group: Any) -> Any:
    """Average ranks among the entries of the same group."""
    found = np.empty(np.shape(x))
    for one in np.ndindex(found.shape[1:]):
        for label in np.unique(group[(slice(None), *one)]):
            same = group[(slice(None), *one)] == label
            found[(same, *one)] = average_ranks(np.asarray(x)[(slice(None), *one)][same])
    return found


def concatenate(*values: Any) -> Any:
    """One sample after the other."""
    return np.concatenate(values)


def reorder(x: Any, order: Any) -> Any:
    """The entries of x in an order (numbers from 1 on)."""
    return np.take_along_axis(np.asarray(x), np.asarray(order) - 1, 0)


def restore_order(x: Any, order: Any) -> Any:
    """The entries of x where they stood before they were put in order."""
    return np.take_along_axis(np.asarray(x), np.argsort(order, 0), 0)


def fair_coins(n: Any) -> SymmetricBinomial:
    """Tosses of a fair coin."""
    return SymmetricBinomial(n)


def random_signs(ranks: Any, fixed: Any = 0.0) -> SignedRankSum:
    """The sum of those ranks that fall on one side, and so much besides."""
    return SignedRankSum(np.asarray(ranks, float), fixed)


def normal(mean: Any = 0, variance: Any = 1) -> Normal:
    """The normal distribution of this mean and variance."""
    return Normal(mean, np.sqrt(variance))


def normal_quantile(p: Any) -> Any:
    """The quantile of the normal distribution with p below it."""
    return special.ndtri(p)


def add_degree_of_freedom(law: Any) -> Any:
    """The same law with one degree of freedom more."""
    return FisherF(law.df + 1, law.df_error) if isinstance(law, FisherF) else type(law)(law.df + 1)


def is_same_distribution(law: Any, other: Any) -> bool:
    """Whether two laws have the same chances."""
    if hasattr(law, "largest"):
        return bool(np.allclose(law.largest(), other.largest()))
    return all(np.allclose(law.at_most(x), other.at_most(x), 1e-9, 1e-12, equal_nan=True) for x in np.linspace(-3, 20, 24))


def sample_sd(x: Any) -> Any:
    """Standard deviation, with n - 1, along the first axis."""
    return np.std(x, axis=0, ddof=1)


def table_from_rows(rows: list[int], *values: Any) -> Any:
    """A table whose values stand in these rows, from the left; what is missing is 0."""
    table = np.zeros((rows[-1] + 1, max(map(rows.count, rows))))
    for place, (row, value) in enumerate(zip(rows, values, strict=True)):
        table[row, place - rows.index(row)] = value
    return table


def pairwise_step(using: Any, scores: Any, pairs: Any, labels: Any, step: str) -> Any:
    """A step of a test of two, for each pair of columns."""
    columns = [[list(labels).index(name) for name in pair] for pair in pairs]
    return np.array([getattr(using(scores[:, one], scores[:, other]), step) for one, other in columns])


def pair_entries(x: Any, pairs: Any, labels: Any, which: int) -> Any:
    """The entry of the first (the second) of each pair."""
    return np.array([x[list(labels).index(pair[which])] for pair in pairs])


def largest_at_most(listed: Any, most: Any) -> Any:
    """The largest number in a list that is at most so much."""
    return np.array([max(one for one in listed if one <= limit) for limit in most])


def logarithm_of_ways(n: Any, m: Any) -> Any:
    """The logarithm of how many ways there are to choose m of n: minus infinity where there is none."""
    left = np.maximum(n - m, 0)
    return np.where(m > n, -np.inf, special.gammaln(n + 1) - special.gammaln(m + 1) - special.gammaln(left + 1))


def distribution_mean(law: Any) -> Any:
    """The mean of a law on separate values."""
    x, chances = law.atoms()
    return np.sum(x * chances)


def distribution_sd(law: Any) -> Any:
    """Its standard deviation."""
    x, chances = law.atoms()
    return np.sqrt(np.sum(chances * (x - distribution_mean(law)) ** 2))


def ordinal_ranks(x: Any, axis: int = 0) -> Any:
    """Ranks of which equal values get different ones, in their order."""
    return np.argsort(np.argsort(x, axis, kind="stable"), axis, kind="stable") + 1
