"""Exact number of random partitions until a wanted test result."""

from __future__ import annotations

from bisect import bisect_left
from typing import Any, NamedTuple

import numpy as np
from scipy.special import gammaln

from ...core.validation import check
from .partition_scores import SIGNS, LearnerPair, TableRow


def hunt(pair: LearnerPair) -> Hunt:
    """Return the search for a verdict among random partitions of one data set.

    Parameters
    ----------
    pair : LearnerPair
        Two learners on one data set.

    Examples
    --------
    >>> from fstats.studies import fold_hacking
    >>> found = hunt(fold_hacking.stored("iris", mode="as printed").pair("GNB", "KNN"))
    >>> found.expected("-"), found.needed("-", 0.95), found.first("-")
    (77.5..., 230, 9)
    """
    return Hunt(pair)


def hit_probability(total: int, count: int, tries: Any) -> Any:
    """Return the probability that `tries` of `total` partitions, drawn without replacement, contain one of the `count` wanted ones.

    >>> round(float(hit_probability(10, 2, 3)), 4)  # 1 - (8 * 7 * 6) / (10 * 9 * 8)
    0.5333
    """
    m, misses = np.asarray(tries), total - count
    some = np.minimum(m, misses)
    none = gammaln(misses + 1) - gammaln(misses - some + 1) - gammaln(total + 1) + gammaln(total - some + 1)
    return np.where(m > misses, 1.0, -np.expm1(none))[()]


def required_tries(total: int, count: int, chance: float) -> int:
    """Return the smallest number of tries with a hit probability of at least `chance`; `count` must be at least 1.

    >>> required_tries(10, 2, 0.5), required_tries(10, 2, 0.95)
    (3, 8)
    """
    return bisect_left(range(total), chance, lo=1, key=lambda tries: hit_probability(total, count, tries))


class FirstSeeds(NamedTuple):
    """Results of the search among the first seeds."""

    tries: int
    first: dict[str, int | None]  # sign of a verdict -> first seed that gives it
    lowest: TableRow
    highest: TableRow


class Hunt:
    """Search for a verdict: partitions are drawn from the population without replacement until one gives the wanted verdict.

    :func:`hunt` returns this object.

    Parameters
    ----------
    pair : LearnerPair
        Two learners on one data set.
    """

    def __init__(self, pair: LearnerPair) -> None:
        self.pair = pair
        self.total = len(pair.verdicts)
        self.seeds = {sign: int((pair.verdicts == verdict).sum()) for sign, verdict in SIGNS.items()}

    def chance(self, sign: str, tries: Any) -> Any:
        """Return the probability that at least one of several partitions gives the wanted verdict.

        If K of R partitions give the wanted verdict, the probability is 1 - C(R - K, m) / C(R, m) for m tries.

        Parameters
        ----------
        sign : {"=", "-", "+"}
            Wanted verdict: no significant difference, the right learner is better, the left learner is better.
        tries : int or array of int
            Number of partitions, from 0 to the size of the population.
        """
        m, count = np.asarray(tries), self._count(sign)
        if (m < 0).any() or (m > self.total).any():
            raise ValueError(f"`tries` must be between 0 and {self.total}, the number of repetitions; got {tries!r}")
        return hit_probability(self.total, count, m)

    def expected(self, sign: str) -> float:
        """Return the mean number of partitions to try, (R + 1) / (K + 1); infinity if no partition gives the verdict."""
        count = self._count(sign)
        return (self.total + 1) / (count + 1) if count else float("inf")

    def needed(self, sign: str, chance: float) -> int:
        """Return the number of partitions after which the verdict is found with a given probability.

        Raises
        ------
        ValueError
            If no partition gives the verdict, or if the probability is outside (0, 1).
        """
        wanted = check.level(chance, "chance")
        if not self._count(sign):
            raise ValueError(f"`sign` must be a verdict of at least one of the {self.total} repetitions; got {sign!r}")
        return required_tries(self.total, self._count(sign), wanted)

    def first(self, sign: str) -> int | None:
        """Return the first seed, counted from 0, that gives the verdict; None if no seed gives the verdict."""
        seeds = np.flatnonzero(self.pair.verdicts == SIGNS[check.choice(*SIGNS)(sign, "sign")])
        return int(seeds[0]) if len(seeds) else None

    def among(self, tries: int) -> FirstSeeds:
        """Return the verdicts of the first seeds 0, 1, 2, ...: the results from which a researcher could choose the most suitable.

        Parameters
        ----------
        tries : int
            Number of seeds, at least 1.
        """
        m = int(check.count(1)(tries, "tries"))
        t, signs = self.pair.t[:m], self.pair.verdicts[:m]
        first = {sign: int(np.argmax(signs == value)) if (signs == value).any() else None for sign, value in SIGNS.items()}
        return FirstSeeds(min(m, self.total), first, self.pair.row(int(np.argmin(t))), self.pair.row(int(np.argmax(t))))

    def _count(self, sign: str) -> int:
        return self.seeds[check.choice(*SIGNS)(sign, "sign")]
