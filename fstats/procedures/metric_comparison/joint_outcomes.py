"""The joint outcomes of two classifiers on the same records, drawn again or exchanged: counts of the different ones, not records."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import accumulate
from math import prod
from typing import Any

import numpy as np

from ...core.numerics.floating_point_ties import DOUBLE_NOISE, round_noise_to_zero, unify_ties
from ...core.value_types import Array, Integers
from ..multiple.friedman_null_distribution import Tails
from .metrics import Metric
from .unique_outcomes import unique_with_counts

CELLS = 2**21  # counts that are made at once: 16 MB
WORK = 2**25  # counts of all ways to exchange up to which these are gone through, however few ways would be drawn
SLOW = 8  # drawing the count of an outcome takes as long as drawing so many records
FEW_COINS = 1_000  # whose ways are counted in whole numbers
TRIES = 20  # rounds of drawing again what has no metric


class Joint:
    """What two classifiers come to on the same records: each pair of outcomes that is there, and how often."""

    def __init__(self, metric: Metric, y: Any, a: Any, b: Any) -> None:
        self.metric, self.n = metric, len(y)
        y, a, b = metric.outcomes(y, a, b)
        values, codes, _ = unique_with_counts(np.concatenate([a, b]))
        classes, of_class, _ = unique_with_counts(y)
        kinds, outcomes, _ = unique_with_counts(np.tile(of_class, 2) * len(values) + codes)
        self.y, self.p = classes[kinds // len(values)], values[kinds % len(values)]  # of each different outcome
        pairs, self.cell, counts = unique_with_counts(outcomes[: self.n] * len(kinds) + outcomes[self.n :])
        self.a, self.b = pairs // len(kinds), pairs % len(kinds)  # of each different pair of outcomes
        self.counts = counts.astype(float)

    def of(self, sets: Array) -> tuple[Array, Array]:
        """The metric of A and that of B on each set of records, a line of counts of the pairs."""
        return self._sides[0](sets), self._sides[1](sets)

    @cached_property
    def _sides(self) -> tuple[Callable[[Array], Array], Callable[[Array], Array]]:
        return self._measured(self.a), self._measured(self.b)

    def difference(self, m_a: Array, m_b: Array) -> Array:
        """By how much A is better; 0 where that is rounding."""
        away = m_a - m_b if self.metric.higher_is_better else m_b - m_a
        return np.asarray(round_noise_to_zero(away, np.maximum(np.abs(m_a), np.abs(m_b))))

    def _measured(self, ids: Integers) -> Callable[[Array], Array]:
        """The metric of sets of records, from columns that each count the outcome of that number: what is sorted is sorted once."""
        metric, y, p = self.metric, self.y, self.p
        if len(ids) <= len(y):  # hardly any outcome comes twice: nothing is gained by adding its columns
            order = np.argsort(p[ids], kind="stable") if metric.ranks else slice(None)
            y, p = y[ids][order], p[ids][order]
            return lambda columns: metric.of(y, p, columns[:, order])
        if len(ids) * len(y) <= CELLS // 64:
            same = np.equal.outer(ids, np.arange(len(y))).astype(float)
            return lambda columns: metric.of(y, p, columns @ same)
        order = np.argsort(ids, kind="stable")
        starts = np.flatnonzero(np.r_[True, np.diff(ids[order]) > 0])
        there = ids[order][starts]
        return lambda columns: metric.of(y[there], p[there], np.add.reduceat(columns[:, order], starts, axis=1))

    def _few(self, many: int) -> Iterator[int]:
        """So many sets of records, a few at a time."""
        few = max(1, CELLS // max(len(self.y), len(self.a)))
        yield from (min(few, many - done) for done in range(0, many, few))

    # -- drawn again ------------------------------------------------------------------------------------------------------
    def resampled(self, draws: int, seed: int) -> tuple[Array, int]:
        """The difference on so many draws of n records, with replacement, from these; and how many more had no metric."""
        rng, found, again = np.random.default_rng(seed), np.empty(0), -draws
        for _ in range(TRIES):
            parts = [self.difference(*self.of(self._drawn(few, rng))) for few in self._few(draws - len(found))]
            again += sum(map(len, parts))
            found = np.concatenate([found, *(part[~np.isnan(part)] for part in parts)])
            if len(found) == draws:
                return np.sort(found), again
        drawn = again + draws
        raise ValueError(f"metric must be defined on most resamples; {self.metric.words} was not on {drawn - len(found):,} of {drawn:,}")

    def _drawn(self, many: int, rng: np.random.Generator) -> Array:
        cells = len(self.counts)
        if SLOW * cells <= self.n:
            return rng.multinomial(self.n, self.counts / self.n, many).astype(float)
        places = self.cell[rng.integers(0, self.n, (many, self.n))] + cells * np.arange(many)[:, None]
        return np.bincount(places.ravel(), minlength=many * cells).reshape(many, cells).astype(float)

    def without_each(self) -> tuple[Array, Array]:
        """The difference without one record of each pair of outcomes, and how many such records there are."""
        parts, done = [], 0
        for few in self._few(len(self.counts)):
            sets = np.tile(self.counts, (few, 1))
            sets[np.arange(few), done + np.arange(few)] -= 1
            parts.append(self.difference(*self.of(sets)))
            done += few
        return np.concatenate(parts), self.counts

    # -- exchanged --------------------------------------------------------------------------------------------------------
    @property
    def differing(self) -> int:
        """Records on which the outcomes differ."""
        return int(self.counts[self.a != self.b].sum())

    def exchanged(self, draws: int, seed: int) -> tuple[Tails, bool]:
        """The difference when each record exchanges the two outcomes by a fair coin, and whether that is all ways, not draws."""
        apart = self.a != self.b
        pairs = np.minimum(self.a, self.b)[apart] * len(self.y) + np.maximum(self.a, self.b)[apart]
        kinds, which = np.unique(pairs, return_inverse=True)
        sizes = np.bincount(which, self.counts[apart], len(kinds)).astype(np.int64)
        ids = np.r_[kinds // len(self.y), kinds % len(self.y), self.a[~apart]]
        most = max(draws, WORK // (len(self.y) + len(ids)) if self.metric.quick else 0)
        ways = prod(int(size) + 1 for size in sizes.tolist()) if len(sizes) <= 64 else most + 1
        exact = ways <= most
        rng, parts, done, measured = np.random.default_rng(seed), [], 0, self._measured(ids)
        for few in self._few(ways if exact else draws):
            if exact:
                first = np.stack(np.unravel_index(np.arange(done, done + few), sizes + 1), 1) if len(sizes) else np.zeros((1, 0), int)
            else:
                first = rng.integers(0, 2, (few, len(sizes))) if sizes.max() == 1 else rng.binomial(sizes, 0.5, (few, len(sizes)))
            same, second = np.broadcast_to(self.counts[~apart], (few, int((~apart).sum()))), sizes - first
            sides = (np.concatenate([*both, same], 1).astype(float) for both in ((first, second), (second, first)))
            parts.append([measured(side) for side in sides])
            done += few
        m_a, m_b = np.concatenate(parts, 1)
        if np.isnan(m_a + m_b).any():
            raise ValueError(f"metric must be defined whichever outcomes are exchanged; {self.metric.words} gave nan")
        d, noise = self.difference(m_a, m_b), DOUBLE_NOISE * float(np.abs([m_a, m_b]).max())
        if exact:
            return _tails(d, _ways(sizes.tolist()), noise), True
        seen = np.r_[d, self.difference(*self.of(self.counts[None]))]  # the records as they are, too
        return _tails(np.r_[seen, -seen], np.ones(2 * len(seen)), noise), False


def _ways(sizes: list[int]) -> Any:
    """In how many ways so many coins of each group show 0, 1, ... heads: whole numbers of any length; of many coins the shares."""
    ways = np.ones(1, object if sum(sizes) <= FEW_COINS else float)
    for size in sizes:
        ways = np.multiply.outer(ways, _heads_of(size) if ways.dtype == float else np.array(_counted(size), object)).ravel()
    return ways


def _counted(size: int) -> list[int]:
    return list(accumulate(range(size), lambda ways, k: ways * (size - k) // (k + 1), initial=1))


def _heads_of(size: int) -> Array:
    """Chances of 0, 1, ... heads, by the ratio of neighbours, from the likeliest."""
    k = np.arange(size)
    logs = np.r_[0.0, np.log((size - k) / (k + 1)).cumsum()]
    chances = np.exp(logs - logs.max())
    return np.asarray(chances / chances.sum())


def _tails(d: Array, ways: Any, noise: float) -> Tails:
    """The different values with both tails, each the nearest float to the fraction."""
    values, place = np.unique(unify_ties(d, noise), return_inverse=True)
    counts = np.zeros(len(values), ways.dtype)
    np.add.at(counts, place, ways)
    below, above = counts.cumsum(), counts[::-1].cumsum()[::-1]
    return values, (below / below[-1]).astype(float), (above / above[0]).astype(float)
