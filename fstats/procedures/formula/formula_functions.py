"""Functions for the evaluation of translated LaTeX formulas."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np
from numpy import count_nonzero as count  # noqa: F401 (formulas use this name, and the other unused names)
from scipy import special
from scipy.special import ndtri as normal_quantile  # noqa: F401

from ...core.numerics.average_ranks import average_ranks
from ...core.numerics.floating_point_ties import difference_with_ties, noise_free_difference  # noqa: F401
from ...core.numerics.zero_division import product, ratio  # noqa: F401
from ...distributions.binomial import Binomial  # noqa: F401
from ...distributions.continuous_distributions import ChiSquared, FisherF, Normal, StudentT, Uniform, beta_quantile  # noqa: F401
from ...distributions.studentized_range import StudentizedRange  # noqa: F401
from ...distributions.symmetric_binomial import SymmetricBinomial
from ...distributions.untied_signed_rank_sum import signed_rank_sum as random_signs  # noqa: F401
from ..bayes.posterior_distributions import DirichletShares, LocatedT  # noqa: F401

MAX_INTEGER = 10**7  # first_integer tries no block of integers that starts above this number


def probability(distribution: Any, relation: str, x: Any) -> Any:
    """Return P(X <relation> x), computed from the two tails of a distribution."""
    at_most, at_least = distribution.at_most(x), distribution.at_least(x)
    return {"<=": at_most, ">=": at_least, "<": 1 - at_least, ">": 1 - at_most}.get(relation, at_most + at_least - 1)


def first_integer(holds: Callable[[Any], Any]) -> int:
    """Return the first of 0, 1, 2, ... that fulfils a condition."""
    start, stop = 0, 64
    while start < MAX_INTEGER:
        with np.errstate(invalid="ignore"):  # for impossible counts, a logarithm may be inf - inf
            numbers = np.flatnonzero(holds(np.arange(start, stop, dtype=float)))
        if len(numbers):
            return start + int(numbers[0])
        start, stop = stop, 4 * stop
    raise ValueError(f"the condition of the formula must be true for a number up to {start:,}; got none")


def running_extreme(extreme: Any, x: Any, axis: int, backwards: bool = False) -> Any:
    """Return the running maximum (or minimum), from the first entry on or backwards from the last entry."""
    return np.flip(extreme.accumulate(np.flip(x, axis), axis), axis) if backwards else extreme.accumulate(x, axis)


def stack(axis: int, *values: Any) -> Any:
    """Stack values along a new axis."""
    return np.stack(np.broadcast_arrays(*values), axis)


def entry_count(x: Any, *axes: int) -> int:
    """Return the number of entries of an array along given axes."""
    return prod(np.shape(x)[axis] for axis in axes)


def up_to(n: Any) -> Any:
    """Return 1, 2, ..., n."""
    return np.arange(1, int(np.max(n)) + 1)


def ranks_of(x: Any, axis: int = 0, zeros: bool = True) -> Any:
    """Return average ranks, 1 = smallest; with zeros=False, zeros are not ranked and get the rank 0."""
    if zeros:
        return average_ranks(x, axis)
    is_zero = np.equal(x, 0)
    return np.where(is_zero, 0, average_ranks(np.where(is_zero, -np.inf, x), axis) - is_zero.sum(axis))


def ranks_among(x: Any, group: Any) -> Any:
    """Return average ranks among the entries of the same group."""
    ranks = np.empty(np.shape(x))
    for index in np.ndindex(ranks.shape[1:]):
        for label in np.unique(group[(slice(None), *index)]):
            same = group[(slice(None), *index)] == label
            ranks[(same, *index)] = average_ranks(np.asarray(x)[(slice(None), *index)][same])
    return ranks


def concatenate(*values: Any) -> Any:
    """Concatenate samples."""
    return np.concatenate(values)


def reorder(x: Any, order: Any) -> Any:
    """Return the entries of x in a given order; positions are counted from 1."""
    return np.take_along_axis(np.asarray(x), np.asarray(order) - 1, 0)


def restore_order(x: Any, order: Any) -> Any:
    """Return sorted entries of x to their original order (inverse of `reorder`)."""
    return np.take_along_axis(np.asarray(x), np.argsort(order, 0), 0)


fair_coins = SymmetricBinomial  # distribution of the number of heads in n tosses


def normal(mean: Any = 0, variance: Any = 1) -> Normal:
    """Return the normal distribution with a given mean and variance."""
    return Normal(mean, np.sqrt(variance))


def add_degree_of_freedom(distribution: Any) -> Any:
    """Return the same distribution with one more degree of freedom."""
    if isinstance(distribution, FisherF):
        return FisherF(distribution.df + 1, distribution.df_error)
    return type(distribution)(distribution.df + 1)


def is_same_distribution(first: Any, second: Any) -> bool:
    """Return whether two distributions have the same probabilities."""
    if hasattr(first, "largest"):
        return bool(np.allclose(first.largest(), second.largest()))
    return all(np.allclose(first.at_most(x), second.at_most(x), 1e-9, 1e-12, equal_nan=True) for x in np.linspace(-3, 20, 24))


def sample_sd(x: Any) -> Any:
    """Return the standard deviation along the first axis, with divisor n - 1."""
    return np.std(x, axis=0, ddof=1)


def table_from_rows(rows: list[int], *values: Any) -> Any:
    """Fill the rows of a table with values from left to right; the row of each value is given, and missing cells are 0."""
    table = np.zeros((rows[-1] + 1, max(map(rows.count, rows))))
    for number, (row, value) in enumerate(zip(rows, values, strict=True)):
        table[row, number - rows.index(row)] = value
    return table


def pairwise_step(test: Any, scores: Any, pairs: Any, labels: Any, step: str) -> Any:
    """Return a step of a test of two classifiers for each pair of columns."""
    columns = [[list(labels).index(name) for name in pair] for pair in pairs]
    return np.array([getattr(test(scores[:, a], scores[:, b]), step) for a, b in columns])


def pair_entries(x: Any, pairs: Any, labels: Any, which: int) -> Any:
    """Return the entry of the first (which=0) or second (which=1) classifier of each pair."""
    return np.array([x[list(labels).index(pair[which])] for pair in pairs])


def largest_at_most(listed: Any, most: Any) -> Any:
    """Return for each bound the largest number of a list that does not exceed it."""
    return np.array([max(number for number in listed if number <= bound) for bound in most])


def log_binomial(n: Any, m: Any) -> Any:
    """Return the logarithm of the binomial coefficient of n and m; minus infinity for m > n."""
    rest = np.maximum(n - m, 0)
    return np.where(m > n, -np.inf, special.gammaln(n + 1) - special.gammaln(m + 1) - special.gammaln(rest + 1))


def distribution_mean(distribution: Any) -> Any:
    """Return the mean of a discrete distribution."""
    x, probabilities = distribution.atoms()
    return np.sum(x * probabilities)


def distribution_sd(distribution: Any) -> Any:
    """Return the standard deviation of a discrete distribution."""
    x, probabilities = distribution.atoms()
    return np.sqrt(np.sum(probabilities * (x - distribution_mean(distribution)) ** 2))


def ordinal_ranks(x: Any, axis: int = 0) -> Any:
    """Return ranks in which equal values get different ranks, in the order of their positions."""
    return np.argsort(np.argsort(x, axis, kind="stable"), axis, kind="stable") + 1
