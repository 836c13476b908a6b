"""Power, and the size that reaches it: exact where there is a closed form, else by simulating batches of tests."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy import sqrt

from ..core.hypothesis import HypothesisTest
from ..core.number_format import format_plain
from ..core.procedure import Procedure
from ..core.validation import check
from ..core.validation.keyword_arguments import with_suggestions
from ..core.value_types import Array, SampleSize
from ..distributions.noncentral_t import noncentral_t_sf
from ..procedures.contingency.mcnemar import McNemar
from ..procedures.contingency.mcnemar_exact import McNemarExact
from ..procedures.pairwise.one_sample_t import OneSampleT
from ..procedures.pairwise.paired_t import PairedT
from ..procedures.pairwise.rank_sum import RankSum
from ..procedures.pairwise.sign_test import SignTest
from ..procedures.pairwise.signed_rank import SignedRank
from ..procedures.pairwise.two_sample_t import TwoSampleT, WelchT
from .binomial_power import SawtoothPower
from .many_classifier_power import PowerTarget, is_many_classifier_test, is_pairwise_test, simulated_power, true_means

MOST = 10**9  # where the search for a size gives up
MOST_DRAWN = 10**8  # simulated scores of one sample: where the search for a size by simulation gives up
TRIALS = 10_000
AT_ONCE = 2**24  # simulated scores that are held in memory

COUNT_TESTS = (SignTest, McNemarExact, McNemar)
SIMULATED_TESTS = (SignedRank, RankSum, WelchT)
SUPPORTED_TESTS = (PairedT, OneSampleT, TwoSampleT, *COUNT_TESTS, *SIMULATED_TESTS)


@dataclass(frozen=True, repr=False)
class Power:
    """A probability of rejecting, with its Monte Carlo standard error (0 where it is exact) and how it was found."""

    value: float
    standard_error: float
    how: str
    n: SampleSize

    def __float__(self) -> float:
        return self.value

    def __repr__(self) -> str:
        error = f", standard error {self.standard_error:.1g}" if self.standard_error else ""
        return f"power {format_plain(self.value)} with n = {self.n} ({self.how}{error})"


@with_suggestions
def power(
    test: type[Any],
    *,
    n: SampleSize,
    effect_size: Any,
    find: PowerTarget = "any",
    trials: int = TRIALS,
    rng: Any = 0,
    **settings: Any,
) -> Power:
    """How probable is it that a test rejects, if the true effect has a given size?

    Parameters
    ----------
    test : class
        ``PairedT``, ``OneSampleT``, ``TwoSampleT``, ``SignTest``, ``McNemarExact``, ``McNemarMidP`` or ``McNemar`` (exact);
        ``WelchT``, ``SignedRank`` or ``RankSum`` (simulated with normal scores).  For many classifiers (simulated as well): ``Friedman``,
        ``ImanDavenport``, ``FriedmanAligned``, ``Quade``, ``RepeatedAnova``; ``Nemenyi``, ``BonferroniDunn``, ``Holm`` and the other
        procedures on mean ranks.
    n : int or pair of int
        Data sets; discordant records for the McNemar tests; data sets that have a winner for the sign test; a pair
        ``(n_x, n_y)`` for two independent samples (one number means that many each).
    effect_size : float, or list of floats
        The true effect, on the scale of the test's own `effect_size`: standard deviations for the t-tests; A's share of the
        wins or of the discordant records less one half (between -1/2 and 1/2) for the sign and McNemar tests.  For the rank
        tests the shift in standard deviations of normal scores (differences, if paired).  For many classifiers the true mean
        score of each, higher is better, in standard deviations of a score on a data set: ``[0, 0, 0.5]`` for three of which one is
        half a standard deviation better.
    find : {"any", "each", "all"}
        For procedures that compare pairs: the probability of finding at least one of the true differences, the mean share of them that
        is found, or the probability of finding all of them; each in its right direction.  Without any true difference the
        probability of finding one that is not there.
    trials : int
        Simulated tests, where the power is simulated.
    rng : int, numpy.random.Generator or None
        Seed of the simulation; the same seed gives the same numbers, None others each time.
    **settings
        `alternative`, `alpha` and the other settings of the test.

    Returns
    -------
    Power
        ``value``, ``standard_error`` (0 where exact), ``how``; ``float(...)`` gives the value.

    Raises
    ------
    ValueError, TypeError
        For a test whose power is not worked out, a size that is too small or a pair for a test of one sample, an effect that is not
        a finite number or, for counts, not between -1/2 and 1/2, and a `find` other than "any" for a test that compares no pairs;
        arguments that this test does not need are checked all the same.

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

    Four classifiers, one of them a standard deviation better, on 15 data sets:

    >>> fstats.power(fstats.Friedman, n=15, effect_size=[0, 0, 0, 1])
    power 0.6221 with n = 15 (10000 simulated tests, standard error 0.005)
    """
    effects = _asked(test, effect_size, find, trials, rng)
    if is_many_classifier_test(test):
        return Power(*simulated_power(test, n, effects, find, int(trials), rng, settings), f"{int(trials)} simulated tests", n)
    (effect,) = map(float, effects)
    if issubclass(test, COUNT_TESTS):
        return _binomial(test, n, effect, settings)
    if issubclass(test, SIMULATED_TESTS):
        return _simulated(test, n, effect, int(trials), rng, settings)
    return _noncentral_t(test, n, effect, settings)


@with_suggestions
def sample_size(test: type[Any], *, effect_size: Any, power: float = 0.8, **settings: Any) -> Power:
    """How many data sets (or discordant records) does a test need to find an effect of a given size?

    Parameters
    ----------
    test, effect_size, **settings
        As for :func:`fstats.power`, with `find`, `trials` and `rng`.
    power : float
        The power that is asked for.

    Returns
    -------
    Power
        Its ``n`` is the smallest size whose power reaches the one asked for (of each sample, if there are two), its ``value``
        that power.  The power of a test on counts rises in a saw; a larger n may lie just below again.

    Raises
    ------
    ValueError, TypeError
        As for :func:`fstats.power`; for a power outside (0, 1), an effect of 0, and where no size up to a billion is enough (by
        simulation: up to 10,000 with the usual number of trials, shared by the classifiers if there are many; :class:`fstats.TwoSampleT`
        then comes close to
        :class:`fstats.WelchT`, and a rank test needs about 1.05 times as many as the t-test).

    References
    ----------
    Cohen (1988), Statistical power analysis for the behavioral sciences, sections 2.4 and 5.4.

    Examples
    --------
    >>> import fstats
    >>> fstats.sample_size(fstats.PairedT, effect_size=0.5).n
    34
    >>> fstats.sample_size(fstats.Nemenyi, effect_size=[0, 0, 0, 1], find="all", trials=2000)
    power 0.824 with n = 45 (2000 simulated tests, standard error 0.009)
    """
    target = check.level(power, "power")
    if "n" in settings:
        raise TypeError(
            f"sample_size finds n, so it takes none; got n = {check.format_received_value(settings['n'])}: fstats.power says what so many find"
        )
    trials = settings.get("trials", TRIALS)
    effects = _asked(test, effect_size, settings.get("find", "any"), trials, settings.get("rng", 0))
    many = is_many_classifier_test(test)
    if not np.ptp(effects if many else [*effects, 0.0]):
        raise ValueError(
            f"effect_size must not be {effects[0]:g}{' for all' * many}: where there is no "
            f"effect, no size finds one; got {check.format_received_value(effect_size)}"
        )

    def reached(n: int) -> Power:
        return _power(test, n=n, effect_size=effect_size, **settings)

    if issubclass(test, COUNT_TESTS):  # a saw: the first tooth that reaches it
        first = SawtoothPower(test, float(effect_size), settings).first(target, 1, MOST)
        if first is None:
            raise _no_size(MOST)
        return reached(first)
    most = MOST_DRAWN // int(trials) if issubclass(test, SIMULATED_TESTS) or many else MOST
    most = most // len(effects) if many else most
    low, high = 1, 2
    while reached(high).value < target:
        if high >= most:
            raise _no_size(most)
        low, high = high, min(2 * high, most)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if reached(middle).value < target else (low, middle)
    return reached(high)


def _asked(test: Any, effect_size: Any, find: Any, trials: Any, rng: Any) -> Array:
    """The effect, one number or one for each classifier; an error for a test without power, and for whatever else makes no sense."""
    if not (isinstance(test, type) and issubclass(test, Procedure)):
        raise TypeError(
            f"test must be a class of tests, such as fstats.PairedT or fstats.Friedman; got {check.format_received_value(test)}"
        )
    many = is_many_classifier_test(test)
    if not many and (not issubclass(test, SUPPORTED_TESTS) or "margin" in test.inputs):
        raise TypeError(f"power is not worked out for {test.__name__}; simulate batches of tests and take the mean of their reject")
    if check.choice("any", "each", "all")(find, "find") != "any" and not is_pairwise_test(test):
        raise ValueError(f"find must be 'any' for {test.__name__}, which decides on one hypothesis and not on pairs; got {find!r}")
    check.count(1)(trials, "trials")
    try:
        np.random.default_rng(rng)
    except (TypeError, ValueError):
        raise TypeError(
            f"rng must be a seed, a whole number from 0 on, a numpy Generator, or None; got {check.format_received_value(rng)}"
        ) from None
    if many:
        return true_means(effect_size, test)
    effect = check.number(effect_size, "effect_size")
    if np.ndim(effect):
        raise ValueError(f"effect_size must be one number for {test.__name__}; got {check.format_received_value(effect_size)}")
    if issubclass(test, COUNT_TESTS) and not -0.5 <= effect <= 0.5:
        raise ValueError(f"effect_size must lie between -0.5 and 0.5, as A's share of the wins less one half; got {effect:g}")
    return np.array([effect], float)


def _no_size(most: int) -> ValueError:
    return ValueError(
        f"more than {most:,} would be needed, or no size is enough: the direction of effect_size may be opposite to the alternative"
    )


_power = power  # sample_size has an argument of that name


def _sizes(n: SampleSize, least: int, groups: int) -> list[int]:
    """The size of each of so many samples; one number means that many each."""
    listed = list(n) if isinstance(n, (tuple, list)) else [n] * groups
    if len(listed) != groups:
        raise ValueError(
            f"n must be one number{' or a pair (n_x, n_y)' * (groups == 2)} for this test; got {check.format_received_value(n)}"
        )
    return [int(check.count(least)(size, "n")) for size in listed]


def _noncentral_t(test: type[HypothesisTest], n: SampleSize, effect: float, settings: dict[str, Any]) -> Power:
    """Under an effect the statistic follows the noncentral t distribution."""
    if issubclass(test, TwoSampleT):
        n_x, n_y = _sizes(n, 2, groups=2)
        df, away = n_x + n_y - 2, effect / sqrt(1 / n_x + 1 / n_y)
        plan: HypothesisTest = test.from_steps(n_x=n_x, n_y=n_y, **settings)
    else:
        (size,) = _sizes(n, 2, groups=1)
        df, away = size - 1, effect * sqrt(size)
        plan = test.of_size(size, **settings)
    low, high = map(float, plan.tail.region(plan.critical_value))
    value = noncentral_t_sf(high, df, away) + noncentral_t_sf(-low, df, -away)
    return Power(min(value, 1.0), 0.0, "noncentral t", n)


def _binomial(test: type[HypothesisTest], n: SampleSize, effect: float, settings: dict[str, Any]) -> Power:
    """The counts that reject, by their probability if A wins each with probability 1/2 + effect."""
    saw = SawtoothPower(test, effect, settings)
    sizes = np.array(_sizes(n, 1, groups=1))
    return Power(float(saw.power(sizes, saw.most_losses(sizes))[0]), 0.0, "sum over the binomial law", n)


def _simulated(test: type[HypothesisTest], n: SampleSize, effect: float, trials: int, rng: Any, settings: dict[str, Any]) -> Power:
    """The share of simulated tests that reject."""
    paired = issubclass(test, SignedRank)
    sizes = _sizes(n, 2, groups=1 if paired else 2)
    draw = np.random.default_rng(rng)
    rejected, most = 0, max(1, AT_ONCE // max(sizes))
    for start in range(0, trials, most):
        width = min(most, trials - start)
        first: Array = draw.normal(effect, 1, (sizes[0], width))
        second = np.zeros_like(first) if paired else draw.normal(0, 1, (sizes[1], width))
        rejected += int(np.sum(test(first, second, **settings).reject))  # type: ignore[call-arg, arg-type]
    value = rejected / trials
    return Power(value, float(sqrt(value * (1 - value) / trials)), f"{trials} simulated tests", n)
