"""Counts of records by label and predictions of two classifiers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property, partial
from math import comb, prod
from typing import Any

import numpy as np

from ...core.numerics.floating_point_ties import DOUBLE_NOISE, round_noise_to_zero, unify_ties
from ...core.value_types import Array, Integers
from ..multiple.friedman_null_distribution import Tails
from .metrics import LossMetric, Metric

MAX_BLOCK_CELLS = 2**17  # maximum number of counts in memory (1 MB, to fit into the processor's cache)
# if all permutations together need at most this number of counts, evaluate all, even if fewer draws are requested
MAX_EXACT_WORK = 2**25
DRAW_COST = 8  # ratio of the time to draw the count of an outcome to the time to draw a record
MAX_INTEGER_COINS = 1_000  # with more records whose outcomes differ, permutations are counted with floats
MAX_ROUNDS = 20  # maximum number of rounds of drawing, until the metric is defined on all resamples


class JointOutcomes:
    """Distinct pairs of outcomes of two classifiers on the same records, and the number of records with each."""

    def __init__(self, metric: Metric, y: Any, a: Any, b: Any) -> None:
        self.metric, self.n = metric, len(y)
        y, a, b = metric.outcomes(y, a, b)
        values, codes = np.unique(np.concatenate([a, b]), return_inverse=True)
        classes, class_codes = np.unique(y, return_inverse=True)
        kinds, outcomes = np.unique(np.tile(class_codes, 2) * len(values) + codes, return_inverse=True)
        self.y, self.p = classes[kinds // len(values)], values[kinds % len(values)]  # true value and prediction of each distinct outcome
        pair_codes = outcomes[: self.n] * len(kinds) + outcomes[self.n :]
        pairs, self.cell, counts = np.unique(pair_codes, return_inverse=True, return_counts=True)
        self.a, self.b = pairs // len(kinds), pairs % len(kinds)  # index of A's outcome and of B's outcome in each distinct pair
        self.counts = counts.astype(float)

    def metrics(self, sets: Array) -> tuple[Array, Array]:
        """Return the metrics of A and of B on each set of records, which is a row with the count of each pair of outcomes."""
        return self._sides[0](sets), self._sides[1](sets)

    @cached_property
    def _sides(self) -> tuple[Callable[[Array], Array], Callable[[Array], Array]]:
        return self._metric_function(self.a), self._metric_function(self.b)

    def difference(self, m_a: Array, m_b: Array) -> Array:
        """Return the advantage of A in the metric; 0 if the difference is rounding noise."""
        difference = m_a - m_b if self.metric.higher_is_better else m_b - m_a
        return np.asarray(round_noise_to_zero(difference, np.maximum(np.abs(m_a), np.abs(m_b))))

    def _metric_function(self, ids: Integers) -> Callable[[Array], Array]:
        """Return a function that computes the metric of sets of records from counts; ``ids`` holds the outcome of each column.

        The outcomes are sorted only once for all sets of records.
        """
        metric = self.metric
        order = np.argsort(self.p[ids], kind="stable") if metric.sorts_by_prediction else slice(None)
        y, p = self.y[ids][order], self.p[ids][order]
        return lambda columns: metric.evaluate(y, p, columns[:, order])

    def _block_sizes(self, total: int) -> Iterator[int]:
        """Yield the sizes of blocks of sets of records."""
        size = max(1, MAX_BLOCK_CELLS // max(len(self.y), len(self.a)))
        yield from (min(size, total - done) for done in range(0, total, size))

    # -- bootstrap --------------------------------------------------------------------------------------------------------
    def bootstrap_differences(self, draws: int, seed: int) -> tuple[Array, int]:
        """Return the differences on resamples of n records with replacement, and the number of replaced resamples without a metric."""
        rng, differences, redraw_count = np.random.default_rng(seed), np.empty(0), -draws
        for _ in range(MAX_ROUNDS):
            parts = [self.difference(*metrics) for metrics in self._resampled_metrics(draws - len(differences), rng)]
            redraw_count += sum(map(len, parts))
            differences = np.concatenate([differences, *(part[~np.isnan(part)] for part in parts)])
            if len(differences) == draws:
                return np.sort(differences), redraw_count
        total = redraw_count + draws
        got = f"{self.metric.display_name} was undefined on {total - len(differences):,} of {total:,}"
        raise ValueError(f"`metric` must be defined on most resamples; {got} resamples. Use more records or another metric.")

    def _resampled_metrics(self, total: int, rng: np.random.Generator) -> Iterator[Any]:
        """Yield blocks of the metrics of A and of B on random resamples."""
        cells, sizes = len(self.counts), self._block_sizes(total)
        if DRAW_COST * cells <= self.n:
            yield from (self.metrics(rng.multinomial(self.n, self.counts / self.n, size).astype(float)) for size in sizes)
            return
        draws = (rng.integers(0, self.n, (size, self.n)) for size in sizes)
        # mean losses need no counts: add the losses of A (real part) and of B (imaginary part) in one complex sum
        if isinstance(self.metric, LossMetric):

            def means(losses: Array) -> Array:
                both = (losses[self.a] + 1j * losses[self.b])[self.cell]
                sums = np.concatenate([both.take(records).sum(1) for records in draws])
                return np.stack([sums.real, sums.imag]) / self.n

            yield self.metric.from_means(self.p, means)
        for records in draws:
            places = self.cell[records] + cells * np.arange(len(records))[:, None]
            yield self.metrics(np.bincount(places.ravel(), minlength=places.shape[0] * cells).reshape(-1, cells).astype(float))

    def jackknife_differences(self) -> tuple[Array, Array]:
        """Return, for each distinct pair of outcomes, the difference after one such record is left out, and the number of such records."""
        if isinstance(self.metric, LossMetric):

            def means(losses: Array) -> Array:
                own = losses[np.stack([self.a, self.b])]
                # add the losses before and after a pair, because subtracting its loss from the total would lose digits
                sums = np.pad(self.counts * own, ((0, 0), (1, 1)))
                others = sums.cumsum(1)[:, :-2] + sums[:, ::-1].cumsum(1)[:, -3::-1]
                return np.asarray((others + (self.counts - 1) * own) / (self.n - 1))

            return self.difference(*self.metric.from_means(self.p, means)), self.counts
        parts, done = [], 0
        for size in self._block_sizes(len(self.counts)):
            sets = np.tile(self.counts, (size, 1))
            sets[np.arange(size), done + np.arange(size)] -= 1
            parts.append(self.difference(*self.metrics(sets)))
            done += size
        return np.concatenate(parts), self.counts

    # -- permutation ------------------------------------------------------------------------------------------------------
    @property
    def discordant_count(self) -> int:
        """Number of records on which the outcomes of A and B differ."""
        return int(self.counts[self.a != self.b].sum())

    def permutation_distribution(self, draws: int, seed: int) -> tuple[Tails, bool]:
        """Return the distribution of the difference if a fair coin exchanges the outcomes of each record, and whether it is exact."""
        apart = self.a != self.b
        pairs = np.minimum(self.a, self.b)[apart] * len(self.y) + np.maximum(self.a, self.b)[apart]
        kinds, which = np.unique(pairs, return_inverse=True)
        sizes = np.bincount(which, self.counts[apart], len(kinds)).astype(np.int64)
        ids = np.r_[kinds // len(self.y), kinds % len(self.y), self.a[~apart]]
        limit = max(draws, MAX_EXACT_WORK // (len(self.y) + len(ids)) if self.metric.is_vectorized else 0)
        ways = prod(int(size) + 1 for size in sizes.tolist()) if len(sizes) <= 64 else limit + 1
        exact = ways <= limit
        rng, parts, done, metric_of = np.random.default_rng(seed), [], 0, self._metric_function(ids)
        for block in self._block_sizes(ways if exact else draws):
            if exact:
                heads = np.stack(np.unravel_index(np.arange(done, done + block), sizes + 1), 1) if len(sizes) else np.zeros((1, 0), int)
            else:
                heads = rng.integers(0, 2, (block, len(sizes))) if sizes.max() == 1 else rng.binomial(sizes, 0.5, (block, len(sizes)))
            first = heads.astype(float)  # number of records of each kind on which A gets the first outcome
            second = sizes - first
            if isinstance(self.metric, LossMetric):
                parts.append(self.metric.from_means(self.p[ids], partial(self._exchanged_means, first, second, self.counts[~apart])))
            else:
                same = np.broadcast_to(self.counts[~apart], (block, int((~apart).sum())))
                sides = (np.concatenate([*both, same], 1) for both in ((first, second), (second, first)))
                parts.append(np.stack([metric_of(side) for side in sides]))
            done += block
        m_a, m_b = np.concatenate(parts, 1)
        if np.isnan(m_a + m_b).any():
            name = self.metric.display_name
            raise ValueError(
                f"`metric` must be defined for every exchange of outcomes between A and B; {name} gave nan. Use another metric."
            )
        d, noise = self.difference(m_a, m_b), DOUBLE_NOISE * float(np.abs([m_a, m_b]).max())
        if exact:
            return _tail_table(d, _permutation_counts(sizes.tolist()), noise), True
        # include the observed difference, because exchanging no outcomes is also a permutation
        sample = np.r_[d, self.difference(*self.metrics(self.counts[None]))]
        return _tail_table(np.r_[sample, -sample], np.ones(2 * len(sample)), noise), False

    def _exchanged_means(self, first: Array, second: Array, same: Array, losses: Array) -> Array:
        """Return the mean losses of A and of B; on `first` (`second`) records, A gets the first (second) outcome of a pair."""
        pairs = losses[: 2 * second.shape[1]].reshape(2, -1).T
        sums = first @ pairs + second @ pairs[:, ::-1]
        return np.asarray((sums.T + same @ losses[pairs.size :]) / self.n)


def _permutation_counts(sizes: list[int]) -> Any:
    """Return, for groups of fair coins, the number of ways to get each combination of numbers of heads (for many coins, as proportions)."""
    ways = np.ones(1, object if sum(sizes) <= MAX_INTEGER_COINS else float)
    for size in sizes:
        row = _binomial_probabilities(size) if ways.dtype == float else np.array([comb(size, k) for k in range(size + 1)], object)
        ways = np.multiply.outer(ways, row).ravel()
    return ways


def _binomial_probabilities(size: int) -> Array:
    """Return the probabilities of 0, 1, ... heads; computed from the ratios of neighbouring probabilities."""
    k = np.arange(size)
    logs = np.r_[0.0, np.log((size - k) / (k + 1)).cumsum()]
    probabilities = np.exp(logs - logs.max())
    return np.asarray(probabilities / probabilities.sum())


def _tail_table(d: Array, ways: Any, noise: float) -> Tails:
    """Return the distinct values with both tail probabilities, each rounded to the nearest float."""
    values, place = np.unique(unify_ties(d, noise), return_inverse=True)
    counts = np.zeros(len(values), ways.dtype)
    np.add.at(counts, place, ways)
    below, above = counts.cumsum(), counts[::-1].cumsum()[::-1]
    return values, (below / below[-1]).astype(float), (above / above[0]).astype(float)
