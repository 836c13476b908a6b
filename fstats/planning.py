"""Power, and the size that reaches it: exact where there is a closed form, else by simulating batches of tests."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy import sqrt
from scipy import special

from . import check
from .contingency.mcnemar import McNemar
from .contingency.mcnemar_exact import McNemarExact
from .hypothesis import HypothesisTest
from .null import Array
from .number import plain
from .pairwise.one_sample_t import OneSampleT
from .pairwise.paired_t import PairedT
from .pairwise.rank_sum import RankSum
from .pairwise.sign_test import SignTest
from .pairwise.signed_rank import SignedRank
from .pairwise.two_sample_t import TwoSampleT, WelchT

Size = int | tuple[int, int]
MOST = 100_000  # where the search for a size gives up


@dataclass(frozen=True, repr=False)
class Power:
    """A probability of rejecting, with its Monte Carlo standard error (0 where it is exact) and how it was found."""

    value: float
    standard_error: float
    how: str
    n: Size

    def __float__(self) -> float:
        return self.value

    def __repr__(self) -> str:
        error = f", standard error {self.standard_error:.1g}" if self.standard_error else ""
        return f"power {plain(self.value)} with n = {self.n} ({self.how}{error})"


def power(test: type[HypothesisTest], *, n: Size, effect_size: float, trials: int = 10_000, rng: Any = 0, **settings: Any) -> Power:
    """How probable is it that a test rejects, if the true effect has a given size?

    Parameters
    ----------
    test : class
        ``PairedT``, ``OneSampleT``, ``TwoSampleT``, ``SignTest``, ``McNemarExact``, ``McNemarMidP`` or ``McNemar`` (exact);
        ``WelchT``, ``SignedRank`` or ``RankSum`` (simulated with normal scores).
    n : int or pair of int
        Data sets; discordant records for the McNemar tests; data sets that have a winner for the sign test; a pair
        ``(n_x, n_y)`` for two independent samples (one number means that many each).
    effect_size : float
        The true effect, on the scale of the test's own `effect_size`: standard deviations for the t-tests; A's share of the
        wins or of the discordant records less one half (between -1/2 and 1/2) for the sign and McNemar tests.  For the rank
        tests the shift in standard deviations of normal scores (differences, if paired).
    trials : int
        Simulated tests, where the power is simulated.
    rng : int or numpy.random.Generator
        Seed of the simulation; the same seed gives the same numbers.
    **settings
        `alternative`, `alpha` and the other settings of the test.

    Returns
    -------
    Power
        ``value``, ``standard_error`` (0 where exact), ``how``; ``float(...)`` gives the value.

    References
    ----------
    Cohen (1988), Statistical power analysis for the behavioral sciences, sections 2.2 and 5.2.

    Examples
    --------
    Half a standard deviation, 34 data sets:

    >>> import fstats
    >>> fstats.power(fstats.PairedT, n=34, effect_size=0.5)
    power 0.8078 with n = 34 (noncentral t)
    >>> fstats.power(fstats.McNemarExact, n=20, effect_size=0.3)
    power 0.8042 with n = 20 (sum over the binomial law)
    """
    effect = float(check.number(effect_size, "effect_size"))
    if issubclass(test, (PairedT, OneSampleT, TwoSampleT)) and not issubclass(test, WelchT) and "margin" not in test.inputs:
        return _noncentral_t(test, n, effect, settings)
    if issubclass(test, (SignTest, McNemarExact, McNemar)):
        return _binomial(test, n, effect, settings)
    if issubclass(test, (SignedRank, RankSum, WelchT)):
        return _simulated(test, n, effect, trials, rng, settings)
    raise TypeError(f"power is not worked out for {test.__name__}; simulate batches of tests and take the mean of their reject")


def sample_size(test: type[HypothesisTest], *, effect_size: float, power: float = 0.8, **settings: Any) -> Power:
    """How many data sets (or discordant records) does a test need to find an effect of a given size?

    Parameters
    ----------
    test, effect_size, **settings
        As for :func:`fstats.power`, with `trials` and `rng`.
    power : float
        The power that is asked for.

    Returns
    -------
    Power
        Its ``n`` is the smallest size whose power reaches the one asked for (of each sample, if there are two), its ``value``
        that power.  The power of a test on counts rises in a saw; a larger n may lie just below again.

    Examples
    --------
    >>> import fstats
    >>> fstats.sample_size(fstats.PairedT, effect_size=0.5).n
    34
    """
    target = check.level(power, "power")
    if check.number(effect_size, "effect_size") == 0:
        raise ValueError("effect_size must not be 0: where there is no effect, no size finds one; got 0")

    def reached(n: int) -> Power:
        return _power(test, n=n, effect_size=effect_size, **settings)

    if issubclass(test, (SignTest, McNemarExact, McNemar)):  # a saw: the first tooth that reaches it
        for n in range(1, MOST):
            if (found := reached(n)).value >= target:
                return found
    low, high = 1, 2
    while high <= MOST and reached(high).value < target:
        low, high = high, 2 * high
    if high > MOST:
        raise ValueError(f"more than {MOST} would be needed; the direction of effect_size may be opposite to the alternative")
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if reached(middle).value < target else (low, middle)
    return reached(high)


_power = power  # sample_size has an argument of that name


def _noncentral_t(test: type[HypothesisTest], n: Size, effect: float, settings: dict[str, Any]) -> Power:
    """Under an effect the statistic follows the noncentral t distribution."""
    sizes = [check.count(2)(size, "n") for size in (n if isinstance(n, tuple) else (n,))]
    if issubclass(test, TwoSampleT):
        n_x, n_y = sizes if len(sizes) == 2 else sizes * 2
        df, away = n_x + n_y - 2, effect * sqrt(n_x * n_y / (n_x + n_y))
        plan: HypothesisTest = test.from_steps(n_x=n_x, n_y=n_y, **settings)
    else:
        df, away = sizes[0] - 1, effect * sqrt(sizes[0])
        plan = test.of_size(sizes[0], **settings)
    c = float(plan.critical_value)
    upper, lower = float(1 - special.nctdtr(df, away, c)), float(special.nctdtr(df, away, -c if plan.tail == "both" else c))
    value = {"upper": upper, "lower": lower, "both": upper + lower}[plan.tail]
    return Power(value, 0.0, "noncentral t", n)


def _binomial(test: type[HypothesisTest], n: Size, effect: float, settings: dict[str, Any]) -> Power:
    """Every split of n wins, weighted by its probability if A wins each with probability 1/2 + effect."""
    if not -0.5 <= effect <= 0.5:
        raise ValueError(f"effect_size must lie between -0.5 and 0.5, as A's share of the wins less one half; got {effect:g}")
    total = check.count(1)(n, "n")
    wins = np.arange(total + 1.0)
    names = ("losses", "wins") if issubclass(test, SignTest) else ("n01", "n10")
    rejected = test.from_steps(**dict(zip(names, (total - wins, wins), strict=True)), **settings).reject
    share = 0.5 + effect
    logs = special.gammaln(total + 1) - special.gammaln(wins + 1) - special.gammaln(total - wins + 1)
    chances = np.exp(logs + special.xlogy(wins, share) + special.xlog1py(total - wins, -share))
    return Power(float(min(chances[rejected].sum(), 1.0)), 0.0, "sum over the binomial law", n)


def _simulated(test: type[HypothesisTest], n: Size, effect: float, trials: int, rng: Any, settings: dict[str, Any]) -> Power:
    """The share of simulated tests that reject."""
    repetitions = check.count(1)(trials, "trials")
    sizes = [check.count(2)(size, "n") for size in (n if isinstance(n, tuple) else (n, n))]
    draw = np.random.default_rng(rng)
    first: Array = draw.normal(effect, 1, (sizes[0], repetitions))
    second = np.zeros_like(first) if issubclass(test, SignedRank) else draw.normal(0, 1, (sizes[1], repetitions))
    value = float(np.mean(test(first, second, **settings).reject))  # type: ignore[call-arg, arg-type]
    return Power(value, float(sqrt(value * (1 - value) / repetitions)), f"{repetitions} simulated tests", n)
