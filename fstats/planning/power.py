"""Power and sample size of statistical tests.

They are exact if a closed form is known, and otherwise estimated by simulation.
"""

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
from ..procedures.contingency.binomial_proportion import MAX_RECORDS, BinomialProportion
from ..procedures.contingency.mcnemar import McNemar
from ..procedures.contingency.mcnemar_exact import McNemarExact
from ..procedures.contingency.proportion_interval import METHOD_NAMES, expected_half_width
from ..procedures.pairwise.one_sample_t import OneSampleT
from ..procedures.pairwise.paired_t import PairedT
from ..procedures.pairwise.rank_sum import RankSum
from ..procedures.pairwise.sign_test import SignTest
from ..procedures.pairwise.signed_rank import SignedRank
from ..procedures.pairwise.two_sample_t import TwoSampleT, WelchT
from .binomial_power import CountPower, ProportionPower, SawtoothPower, smallest_where
from .many_classifier_power import (
    MAX_TEST_SCORES,
    PowerTarget,
    check_number_of_scores,
    is_many_classifier_test,
    is_pairwise_test,
    simulated_power,
    true_means,
)

MAX_SIZE = 10**9  # largest sample size that the search tries
MAX_PROPORTION_SIZE = 200_000  # largest number of records that the search tries for BinomialProportion
MAX_SIMULATED_SCORES = 10**8  # maximum of sample size times number of simulations; it limits the time of a search
TRIALS = 10_000
MAX_BLOCK_SIZE = 2**24  # maximum number of simulated scores in memory

COUNT_TESTS = (SignTest, McNemarExact, McNemar, BinomialProportion)
SIMULATED_TESTS = (SignedRank, RankSum, WelchT)
SUPPORTED_TESTS = (PairedT, OneSampleT, TwoSampleT, *COUNT_TESTS, *SIMULATED_TESTS)


@dataclass(frozen=True, repr=False)
class Power:
    """A power, with its Monte Carlo standard error (0 if the power is exact) and the method of computation (``how``)."""

    value: float
    standard_error: float
    how: str
    n: SampleSize

    def __float__(self) -> float:
        return self.value

    def __repr__(self) -> str:
        error = f", standard error {self.standard_error:.1g}" if self.standard_error else ""
        return f"power {format_plain(self.value)} with n = {self.n} ({self.how}{error})"


@dataclass(frozen=True, repr=False)
class HalfWidth(Power):
    """Half of the width of a confidence interval (``value``), with the number of records ``n``."""

    def __repr__(self) -> str:
        return f"half-width {format_plain(self.value)} with n = {self.n} ({self.how})"


@with_suggestions
def power(
    test: type[Any], *, n: SampleSize, effect_size: Any, find: PowerTarget = "any", trials: int = TRIALS, rng: Any = 0, **settings: Any
) -> Power:
    """Compute the power of a test: the probability that the test rejects if the true effect has a given size.

    Parameters
    ----------
    test : class
        ``PairedT``, ``OneSampleT``, ``TwoSampleT``, ``SignTest``, ``McNemarExact``, ``McNemarMidP``, ``McNemar`` or
        ``BinomialProportion`` (exact);
        ``WelchT``, ``SignedRank`` or ``RankSum`` (simulated with normal scores).  Tests for many classifiers (also simulated):
        ``Friedman``, ``ImanDavenport``, ``FriedmanAligned``, ``Quade``, ``RepeatedAnova``; ``Nemenyi``, ``BonferroniDunn``, ``Holm``
        and the other procedures on mean ranks.
    n : int or pair of int
        Number of data sets.  For one accuracy: number of records.  For the McNemar tests: number of discordant records.  For the sign
        test: number of data sets without ties.  For two independent samples: a pair of sizes ``(n_x, n_y)``, or a single number as the
        size of each sample.
    effect_size : float, or list of floats
        The true effect, on the scale of the test's step `effect_size`.  For t-tests the effect is in standard deviations.  For the sign
        test the effect is A's share of the wins minus one half, and for the McNemar tests A's share of the discordant records minus one
        half (between -1/2 and 1/2).  For ``BinomialProportion`` the effect is the true accuracy minus `share`.  For rank tests the effect
        is the shift in standard deviations of normal scores (of differences, if paired).  For many classifiers the effect is a list with
        the true mean score of each classifier (higher is better), in standard deviations of a score on a data set.  For example, ``[0, 0,
        0.5]`` means three classifiers, and the last classifier is half a standard deviation better than the other classifiers.
    find : {"any", "each", "all"}
        For procedures that compare pairs: the probability to find at least one true difference ("any"), the mean share of true
        differences that are found ("each"), or the probability to find all ("all"); a difference in the wrong direction does not count.
        Without any true difference, the power is the probability of a false rejection.
    trials : int
        Number of simulated tests, if the power is simulated.
    rng : int, numpy.random.Generator or None
        Seed of the simulation; the same seed gives the same result, None gives a different result at each call.
    **settings
        `alternative`, `alpha` and the other settings of the test.

    Returns
    -------
    Power
        ``value``, ``standard_error`` (0 if exact), ``how``; ``float(...)`` gives the value.

    Raises
    ------
    ValueError, TypeError
        If power is not available for the test; if the size is too small; if a test of one sample gets a pair of sizes; if the effect is
        not a finite number; if an effect on counts is not between -1/2 and 1/2; if `find` is not "any" for a test that compares no
        pairs.  Arguments that the test does not need are checked, too.

    References
    ----------
    Cohen (1988), Statistical power analysis for the behavioral sciences, sections 2.2 and 5.2.

    Examples
    --------
    Paired t-test, effect of half a standard deviation, 34 data sets:

    >>> import fstats
    >>> fstats.power(fstats.PairedT, n=34, effect_size=0.5)
    power 0.8078 with n = 34 (noncentral t)
    >>> fstats.power(fstats.McNemarExact, n=20, effect_size=0.3)
    power 0.8042 with n = 20 (sum over the binomial law)

    Four classifiers on 15 data sets; one classifier is a standard deviation better than the other classifiers:

    >>> fstats.power(fstats.Friedman, n=15, effect_size=[0, 0, 0, 1])
    power 0.6221 with n = 15 (10000 simulated tests, standard error 0.005)
    """
    effects = _check_effect(test, effect_size, find, trials, rng, settings)
    if is_many_classifier_test(test):
        return Power(*simulated_power(test, n, effects, find, int(trials), rng, settings), f"{int(trials)} simulated tests", n)
    (effect,) = map(float, effects)
    if issubclass(test, COUNT_TESTS):
        (size,) = _sample_sizes(n, 1, groups=1)
        return Power(_power_on_counts(test, effect, settings).power_at(size), 0.0, "sum over the binomial law", n)
    if issubclass(test, SIMULATED_TESTS):
        return _simulated_power(test, n, effect, int(trials), rng, settings)
    return _noncentral_t_power(test, n, effect, settings)


@with_suggestions
def sample_size(
    test: type[Any],
    *,
    effect_size: Any = None,
    power: float = 0.8,
    margin: float | None = None,
    accuracy: float | None = None,
    **settings: Any,
) -> Power:
    """Compute how many data sets (or discordant records) a test needs to find an effect of a given size.

    For one accuracy (``BinomialProportion``), compute also how many records make the confidence interval short enough.

    Parameters
    ----------
    test, effect_size, **settings
        As for :func:`fstats.power`, with `find`, `trials` and `rng`.
    power : float
        The required power.
    margin : float, optional
        For ``BinomialProportion``: largest half-width of the two-sided interval, such as 0.03.  Without `effect_size` the result is the
        smallest number of records with this half-width, and with `effect_size` the number of records also has the required power.
    accuracy : float, optional
        The expected true accuracy, for `margin`: the half-width is then the mean over all possible counts.  By default the half-width
        is the largest, for half of the records right.

    Returns
    -------
    Power
        ``n`` is the smallest size with the required power (for two samples, the size of each sample), and ``value`` is the power for
        this n. The power of a test on counts is a sawtooth function of n, so a larger n may have slightly less power.

    Raises
    ------
    ValueError, TypeError
        As for :func:`fstats.power`; also if the power is outside (0, 1), if the effect is 0, or if no size up to a billion is enough.
        If the power is simulated, the largest size is 10,000 with the default number of trials (for many classifiers, 10,000 divided by
        the number of classifiers).  For larger sizes, use :class:`fstats.TwoSampleT` as an approximation of :class:`fstats.WelchT`; a
        rank test needs about 1.05 times the size of the t-test.

    References
    ----------
    Cohen (1988), Statistical power analysis for the behavioral sciences, sections 2.4 and 5.4.

    Examples
    --------
    >>> import fstats
    >>> fstats.sample_size(fstats.PairedT, effect_size=0.5).n
    34
    >>> fstats.sample_size(fstats.BinomialProportion, effect_size=0.1, share=0.8)
    power 0.8018 with n = 100 (sum over the binomial law)
    >>> fstats.sample_size(fstats.BinomialProportion, margin=0.03, accuracy=0.8)
    half-width 0.02999 with n = 680 (mean of the Wilson interval if the accuracy is 0.8)
    >>> fstats.sample_size(fstats.Nemenyi, effect_size=[0, 0, 0, 1], find="all", trials=2000)
    power 0.824 with n = 45 (2000 simulated tests, standard error 0.009)
    """
    target = check.level(power, "power")
    if "n" in settings:
        raise TypeError(
            f"`n` must be left out, because sample_size computes `n`; got {check.format_received_value(settings['n'])}. For a given `n`, "
            "call power."
        )
    least = 1
    if margin is not None or accuracy is not None:
        narrow = _size_for_margin(test, margin, accuracy, settings)
        if effect_size is None:
            return narrow
        least = int(narrow.n)  # type: ignore[arg-type]
    if effect_size is None:
        raise TypeError(
            f"sample_size needs `effect_size=`, the size of the true effect; got none. Write `sample_size({test.__name__}, "
            "effect_size=...)`."
        )
    trials = settings.get("trials", TRIALS)
    effects = _check_effect(test, effect_size, settings.get("find", "any"), trials, settings.get("rng", 0), settings)
    takes_table = is_many_classifier_test(test)
    if not np.ptp(effects if takes_table else [*effects, 0.0]):
        no_effect = f"{effects[0]:g} for all classifiers" if takes_table else "0"
        got = check.format_received_value(effect_size)
        raise ValueError(f"`effect_size` must not be {no_effect}, which no sample size can detect; got {got}")

    def power_at(n: int) -> Power:
        return _power(test, n=n, effect_size=effect_size, **settings)

    # the power of count tests does not increase steadily with n, so search for the first n with enough power
    if issubclass(test, COUNT_TESTS):
        most = MAX_PROPORTION_SIZE if issubclass(test, BinomialProportion) else MAX_SIZE
        first = _power_on_counts(test, float(effect_size), settings).smallest_size(target, least, most)
    else:
        simulated = issubclass(test, SIMULATED_TESTS) or takes_table
        most = min(MAX_SIMULATED_SCORES // int(trials), MAX_TEST_SCORES // 2) if simulated else MAX_SIZE
        most = most // len(effects) if takes_table else most
        first = smallest_where(lambda n: power_at(n).value >= target, 1, most)
    if first is None:
        raise ValueError(f"no sample size up to {most:,} is enough. Check the sign of `effect_size`, which may contradict `alternative`.")
    return power_at(first)


def _check_effect(test: Any, effect_size: Any, find: Any, trials: Any, rng: Any, settings: dict[str, Any]) -> Array:
    """Check the arguments and return the effect: one number, or one for each classifier."""
    if not (isinstance(test, type) and issubclass(test, Procedure)):
        message = f"`test` must be a class of tests, such as fstats.PairedT or fstats.Friedman; got {check.format_received_value(test)}"
        raise TypeError(message)
    takes_table = is_many_classifier_test(test)
    if not takes_table and (not issubclass(test, SUPPORTED_TESTS) or "margin" in test.inputs):
        raise TypeError(
            f"power is not available for {test.__name__}. Simulate batches of tests, and take the mean of `reject` of each batch."
        )
    if check.choice("any", "each", "all")(find, "find") != "any" and not is_pairwise_test(test):
        raise ValueError(f"`find` must be 'any' for {test.__name__}, which tests no pairs; got {find!r}")
    check.count(1)(trials, "trials")
    try:
        np.random.default_rng(rng)
    except (TypeError, ValueError):
        message = f"`rng` must be a seed (a whole number from 0 on), a numpy Generator, or None; got {check.format_received_value(rng)}"
        raise TypeError(message) from None
    if takes_table:
        return true_means(effect_size, test)
    effect = check.number(effect_size, "effect_size")
    if np.ndim(effect):
        raise ValueError(f"`effect_size` must be one number for {test.__name__}; got {check.format_received_value(effect_size)}")
    if issubclass(test, BinomialProportion):
        share = check.single_number(check.proportion)(settings.get("share", 0.5), "share")
        if not -1e-12 <= share + effect <= 1 + 1e-12:
            raise ValueError(
                f"`effect_size` (true accuracy minus {share:g}, the share) must be between {-share:g} and {1 - share:g}; got {effect:g}"
            )
    elif issubclass(test, COUNT_TESTS) and not -0.5 <= effect <= 0.5:
        raise ValueError(f"`effect_size` (share of wins of A minus 0.5) must be between -0.5 and 0.5; got {effect:g}")
    return np.array([effect], float)


_power = power  # second name: in sample_size, the argument `power` hides the function `power`


def _sample_sizes(n: SampleSize, least: int, groups: int) -> list[int]:
    """Return the size of each sample; a single number is the size of every sample."""
    listed = list(n) if isinstance(n, (tuple, list)) else [n] * groups
    if len(listed) != groups:
        message = f"`n` must be one number{' or a pair (n_x, n_y)' * (groups == 2)} for this test; got {check.format_received_value(n)}"
        raise ValueError(message)
    return [int(check.count(least)(size, "n")) for size in listed]


def _noncentral_t_power(test: type[HypothesisTest], n: SampleSize, effect: float, settings: dict[str, Any]) -> Power:
    """Compute the power of a t-test from the noncentral t distribution that the statistic has under an effect."""
    if issubclass(test, TwoSampleT):
        n_x, n_y = _sample_sizes(n, 2, groups=2)
        df, away = n_x + n_y - 2, effect / sqrt(1 / n_x + 1 / n_y)
        plan: HypothesisTest = test.from_steps(n_x=n_x, n_y=n_y, **settings)
    else:
        (size,) = _sample_sizes(n, 2, groups=1)
        df, away = size - 1, effect * sqrt(size)
        plan = test.from_sample_size(size, **settings)
    low, high = map(float, plan.tail.region(plan.critical_value))
    value = noncentral_t_sf(high, df, away) + noncentral_t_sf(-low, df, -away)
    return Power(min(value, 1.0), 0.0, "noncentral t", n)


def _power_on_counts(test: type[HypothesisTest], effect: float, settings: dict[str, Any]) -> SawtoothPower:
    """Return the power of a test on counts as a function of n; A wins each comparison with probability 1/2 + effect."""
    if issubclass(test, BinomialProportion):
        return ProportionPower(min(max(settings.get("share", 0.5) + effect, 0.0), 1.0), settings)
    return CountPower(test, effect, settings)


def _size_for_margin(test: Any, margin: Any, accuracy: Any, settings: dict[str, Any]) -> HalfWidth:
    """Return the smallest number of records for which the half-width of the interval is at most `margin`."""
    if not (isinstance(test, type) and issubclass(test, BinomialProportion)):
        raise TypeError(
            f"`margin` and `accuracy` can be used only with BinomialProportion; got {getattr(test, '__name__', test)}. Leave out "
            "`margin=` and `accuracy=`."
        )
    if margin is None:
        raise TypeError(
            "`accuracy` needs `margin=`, the half-width of the interval; got no margin. Write `margin=...`, or `effect_size=` with "
            "accuracy minus share."
        )
    if settings.get("alternative", "two-sided") != "two-sided":
        raise ValueError(f"`margin=` needs a two-sided interval; got alternative={settings['alternative']!r}. Leave out `alternative=`.")
    plan = BinomialProportion.from_steps(**settings)
    largest = check.single_number(check.positive)(margin, "margin")
    if accuracy is not None:
        accuracy = check.single_number(check.proportion)(accuracy, "accuracy")
    n = smallest_where(lambda records: expected_half_width(records, accuracy, plan.method, plan.alpha) <= largest, 0, MAX_RECORDS)
    if n is None:
        raise ValueError(f"`margin` must be larger, or n is above {MAX_RECORDS:,}; got {largest:g}")
    kind = "largest" if accuracy is None else "mean"
    how = f"{kind} of the {METHOD_NAMES[plan.method]} interval" + (
        f" if the accuracy is {format_plain(accuracy)}" if kind == "mean" else ""
    )
    return HalfWidth(expected_half_width(n, accuracy, plan.method, plan.alpha), 0.0, how, n)


def _simulated_power(test: type[HypothesisTest], n: SampleSize, effect: float, trials: int, rng: Any, settings: dict[str, Any]) -> Power:
    """Compute the power as the proportion of simulated tests that reject H0."""
    paired = issubclass(test, SignedRank)
    sizes = _sample_sizes(n, 2, groups=1 if paired else 2)
    check_number_of_scores(max(sizes), len(sizes), trials)
    draw = np.random.default_rng(rng)
    rejected, block = 0, max(1, MAX_BLOCK_SIZE // max(sizes))
    for start in range(0, trials, block):
        width = min(block, trials - start)
        first: Array = draw.normal(effect, 1, (sizes[0], width))
        second = np.zeros_like(first) if paired else draw.normal(0, 1, (sizes[1], width))
        rejected += int(np.sum(test(first, second, **settings).reject))  # type: ignore[call-arg, arg-type]
    value = rejected / trials
    return Power(value, float(sqrt(value * (1 - value) / trials)), f"{trials} simulated tests", n)
