"""Type I error rates and power curves by Monte Carlo simulation.

The rates have Monte Carlo standard errors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv, betaln, logsumexp

from ..core.number_format import format_plain
from ..core.validation.keyword_arguments import with_suggestions
from ..core.value_types import Array
from ..render.display_table import Table, TableDisplay
from .data_sources import Source
from .rejection_counts import count_rejections, tests_by_name


class Rate(NamedTuple):
    """Rejection rate of one test."""

    test: str
    effect: Any
    rejections: int
    repetitions: int

    @property
    def rate(self) -> float:
        """Share of the data sets on which the test rejected."""
        return self.rejections / self.repetitions if self.repetitions else float("nan")

    @property
    def se(self) -> float:
        """Monte Carlo standard error of the rate; half a rejection and half a non-rejection are added, so the error is never 0."""
        if not self.repetitions:
            return float("nan")
        share = (self.rejections + 0.5) / (self.repetitions + 1)
        return float(np.sqrt(share * (1 - share) / self.repetitions))

    @property
    def interval(self) -> tuple[float, float]:
        """Clopper and Pearson's exact 95 % interval: the true rates that are compatible with this count.

        For each rate in the interval, both tail probabilities of the observed count are at least 0.025: the probability of at most as
        many rejections, and the probability of at least as many rejections.

        >>> [round(end, 3) for end in Rate("KFoldT", None, 10, 200).interval]
        [0.024, 0.09]
        """
        return self.clopper_pearson_interval(0.025)

    def clopper_pearson_interval(self, share: float) -> tuple[float, float]:
        """Return the exact interval with this error probability on either side; a small share allows many simultaneous intervals."""
        k, others = self.rejections, self.repetitions - self.rejections
        return float(betaincinv(k, others + 1, share)) if k else 0.0, float(betaincinv(k + 1, others, 1 - share)) if others else 1.0

    def verdict(self, alpha: float = 0.05) -> str:
        """Compare the interval with alpha: the exact binomial test of the type I error, with 0.025 on either side.

        >>> [Rate("KFoldT", None, count, 1000).verdict() for count in (20, 50, 80)]
        ['conservative', 'cannot be told', 'liberal']
        """
        low, high = self.interval
        return "liberal" if low > alpha else "conservative" if high < alpha else "cannot be told"


def fisher_exact_pvalue(one: Rate, other: Rate) -> float:
    """Return the two-sided p-value of Fisher's exact test of equal rates.

    Fisher's test is valid for any number of data sets, even for few data sets, for which a normal approximation fails.

    >>> round(fisher_exact_pvalue(Rate("theirs", None, 6, 100), Rate("ours", None, 4, 8)), 4)
    0.0023
    """
    drawn, (m, n) = one.rejections + other.rejections, (one.repetitions, other.repetitions)
    # possible numbers of rejections of `one` if the total number of rejections is fixed
    counts = np.arange(max(0, drawn - n), min(m, drawn) + 1)
    logs = -(np.log(m + 1) + betaln(counts + 1, m - counts + 1)) - (np.log(n + 1) + betaln(drawn - counts + 1, n - drawn + counts + 1))
    probabilities = np.exp(logs - logsumexp(logs))
    return float(min(1.0, probabilities[probabilities <= probabilities[counts == one.rejections] * (1 + 1e-9)].sum()))


@dataclass(frozen=True, repr=False)
class Rates(TableDisplay):
    """Rejection rate of each test, for each effect."""

    title: str
    tests: tuple[str, ...]
    effects: tuple[Any, ...]  # sizes of the true effect; (None,) if only the type I error is simulated
    rejections: NDArray[np.int64]  # numbers of rejections, shape (tests, effects)
    repetitions: int  # number of data sets for each effect
    # maps, for each effect, the number of a data set to the error message of the learner that failed on this data set
    failures: tuple[Mapping[int, str], ...] = ()

    def __iter__(self) -> Iterator[Rate]:
        failed = [len(each) for each in self.failures] or [0] * len(self.effects)
        for test, counts in zip(self.tests, self.rejections.tolist(), strict=True):
            for effect, count, failures in zip(self.effects, counts, failed, strict=True):
                yield Rate(test, effect, count, self.repetitions - failures)

    def __getitem__(self, test: Any) -> Any:
        """Return the rate of one test; a list of rates if there are several effects."""
        name = test.__name__ if isinstance(test, type) else test
        if name not in self.tests:
            raise KeyError(f"`test` must be one of {', '.join(self.tests)}; got {name!r}")
        rates = [rate for rate in self if rate.test == name]
        return rates[0] if self.effects == (None,) else rates

    @property
    def rate(self) -> Array:
        """Share of the data sets on which each test (row) rejected, for each effect (column)."""
        return self._rows_by_test([rate.rate for rate in self])

    @property
    def se(self) -> Array:
        """Monte Carlo standard error of each rate."""
        return self._rows_by_test([rate.se for rate in self])

    def _rows_by_test(self, numbers: list[float]) -> Array:
        return np.reshape(numbers, (len(self.tests), len(self.effects)))

    @property
    def _table(self) -> Table:
        if self.effects == (None,):
            lines = [[rate.test, rate.rejections, f"{rate.rate:.4f} ± {rate.se:.4f}"] for rate in self]
            return Table(["test", "rejections", "rate ± standard error"], lines, self.title, notes=self.notes)
        cells = iter([f"{rate.rate:.4f} ± {rate.se:.4f}" for rate in self])
        lines = [[test, *(next(cells) for _ in self.effects)] for test in self.tests]
        return Table(["test", *map(format_plain, self.effects)], lines, self.title, notes=self.notes)

    @property
    def notes(self) -> list[str]:
        """Note on data sets on which a learner failed, which are left out for all tests; empty if no learner failed."""
        failures = [(effect, number, why) for effect, each in zip(self.effects, self.failures) for number, why in each.items()]
        if not failures:
            return []
        effect, number, why = failures[0]
        at = "" if effect is None else f" at effect {format_plain(effect)}"
        text = f"A learner failed on {len(failures)} data set{'s' * (len(failures) > 1)}, left out for all tests"
        return [f"{text}; first on data set {number + 1}{at}: {why}"]

    def to_dict(self) -> dict[str, Any]:
        """Return the rates as plain Python values."""
        rates = [{**rate._asdict(), "rate": rate.rate, "se": rate.se} for rate in self]
        failures = [{str(number): why for number, why in each.items()} for each in self.failures]
        return {"title": self.title, "repetitions": self.repetitions, "rates": rates, "failures": failures}


@with_suggestions
def type_one_error(
    tests: Any,
    source: Source,
    repetitions: int,
    *,
    rng: int = 0,
    jobs: int = 1,
    alpha: float = 0.05,
    chunk: int = 1000,
    store: Any = None,
    progress: bool = True,
) -> Rates:
    """Estimate how often tests reject a true H0.

    Parameters
    ----------
    tests : list of classes, or mapping
        Tests on resampled scores, such as ``[fstats.KFoldT, fstats.FiveByTwoT]``; or a mapping from names of your choice to tests with
        settings: ``{"one-sided": (fstats.KFoldT, {"alternative": "greater"})}``.
    source : Source
        The source of the data, such as :class:`fstats.simulate.Epsilon`; H0 must be true there.
    repetitions : int
        Number of data sets.  All tests use the same data sets, and tests on the same plan use the same splits.
    rng : int
        Seed.
    jobs, store, progress
        As in :func:`fstats.simulate.run`; a unit of work is a chunk of data sets.
    alpha : float
        Level of the tests.
    chunk : int
        Number of data sets in a unit of work.  A different number gives different random numbers.

    Returns
    -------
    Rates
        A table; ``rates["KFoldT"].rate`` and ``.se`` are numbers, the share of rejections and its Monte Carlo standard error.

    Raises
    ------
    ValueError, TypeError
        If a test does not use resampled scores, if a setting is unknown, if a number of repetitions is below 1, or if the store was
        made with other arguments.

    References
    ----------
    Wang and Li, Block-regularized 5x2 cross-validated McNemar's test for comparing two classification algorithms, section 5.2 and
    Table 5.

    Examples
    --------
    The combined 5x2 cv t-test treats its ten differences as independent, and rejects a true H0 in nearly a third of all data sets.

    >>> import fstats
    >>> from fstats.simulate import Epsilon, type_one_error
    >>> rates = type_one_error([fstats.FiveByTwoT, fstats.CombinedFiveByTwoT], Epsilon(n=300, epsilon=0.1), 2000)
    >>> rates["FiveByTwoT"].rate < 0.05, rates["CombinedFiveByTwoT"].rate > 0.25
    (True, True)
    """
    rejections, failures = count_rejections(tests, [source], repetitions, rng, jobs, alpha, chunk, store, progress)
    title = f"Type I error at alpha = {format_plain(alpha)} on {source!r}, {repetitions} data sets"
    return Rates(title, tuple(tests_by_name(tests)), (None,), rejections, repetitions, failures)


@with_suggestions
def power_curve(
    tests: Any,
    source: Callable[[Any], Source],
    effects: Sequence[Any],
    repetitions: int,
    *,
    rng: int = 0,
    jobs: int = 1,
    alpha: float = 0.05,
    chunk: int = 1000,
    store: Any = None,
    progress: bool = True,
) -> Rates:
    """Estimate how often tests reject, depending on the effect.

    Parameters
    ----------
    tests : list of classes, or mapping
        As in :func:`fstats.simulate.type_one_error`.
    source : callable
        The source of the data for each effect: ``lambda effect: Epsilon(advantage=effect)``.
    effects : sequence
        The effects, such as ``[0, 0.02, 0.04]``.
    repetitions : int
        Number of data sets for each effect.
    rng, jobs, alpha, chunk, store, progress
        As in :func:`fstats.simulate.type_one_error`.

    Returns
    -------
    Rates
        A table with a column for each effect; ``rates.rate`` and ``rates.se`` are arrays, tests by effects.

    Raises
    ------
    ValueError, TypeError
        As in :func:`fstats.simulate.type_one_error`.

    References
    ----------
    Wang and Li, Block-regularized 5x2 cross-validated McNemar's test for comparing two classification algorithms, section 5.2 and
    Figure 4.

    Examples
    --------
    >>> import fstats
    >>> from fstats.simulate import Epsilon, power_curve
    >>> curve = power_curve([fstats.CombinedFiveByTwoF], lambda effect: Epsilon(advantage=effect), [0, 0.05, 0.1], 500)
    >>> [bool(more > less) for less, more in zip(curve.rate[0], curve.rate[0, 1:])]
    [True, True]
    """
    effects = list(effects)
    sources = [source(effect) for effect in effects]
    rejections, failures = count_rejections(tests, sources, repetitions, rng, jobs, alpha, chunk, store, progress)
    title = f"Power at alpha = {format_plain(alpha)}, {repetitions} data sets for each effect"
    return Rates(title, tuple(tests_by_name(tests)), tuple(effects), rejections, repetitions, failures)
