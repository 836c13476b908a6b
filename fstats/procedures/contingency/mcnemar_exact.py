"""McNemar's test, exact."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy import special

from ...core.hypothesis import format_confidence_interval
from ...core.number_format import format_plain
from ...core.numerics.zero_division import ratio
from ...core.rejection_region import SMALL_COUNT_TAILS
from ...core.step import step
from ...core.validation import check, result_checks
from ...core.value_types import Interval, Value
from ...distributions.continuous_distributions import beta_quantile
from ...distributions.symmetric_binomial import MidPBinomial, SymmetricBinomial
from .discordant_records import DiscordantTest


class McNemarExact(DiscordantTest):
    r"""Exact McNemar test: of the records that exactly one classifier gets right, does one classifier get more than half?

    If A and B are equally accurate, each discordant record is A's or B's by a fair coin,

    .. math:: P(N_{01} \leq k) = \sum_{j=0}^{k} \binom{n}{j} \frac{1}{2^n}, \qquad n = n_{01} + n_{10}.

    Parameters
    ----------
    n01 : int or array_like of shape (...)
        Records that A gets wrong and B right.  Axes are independent repetitions.
    n10 : int or array_like of shape (...)
        Records that A gets right and B wrong.
    labels : list of str, optional
        Names of the two classifiers for sentences and heads, A's first; by default A and B.
    alternative : {"two-sided", "greater", "less"}
        "greater" claims that A is more accurate (n10 the larger), "less" that A is less accurate.
    alpha : float
        Level; H0 is rejected if and only if ``pvalue <= alpha``.

    Notes
    -----
    `statistic` is the count that is small when H0 is wrong: the smaller one two-sided, n01 for "greater", n10 for "less".
    The two-sided p is twice the tail, at most 1.  Records on which both are right or both are wrong say nothing about the
    difference and do not enter.  Without discordant records p = 1.  The records must be independent.

    Raises
    ------
    ValueError, TypeError
        For counts that are negative, fractional or not numbers, an unknown alternative, a level outside (0, 1).

    References
    ----------
    McNemar (1947), Psychometrika 12, pages 153 to 157.  Salzberg (1997), On comparing classifiers, Data Mining and Knowledge
    Discovery 1, section 3.1, where the one-sided p = P(S >= s) of "system II is better than I" is ours with A = I, B = II, "less".

    Examples
    --------
    Of 12 discordant records A wins 1: p = 2 (1 + 12) / 2**12.

    >>> import fstats
    >>> test = fstats.McNemarExact(11, 1)
    >>> print(test.statistic, test.critical_value, test.pvalue == 26 / 4096)
    1.0 2.0 True
    """

    tails = SMALL_COUNT_TAILS

    @step("m", {"two-sided": r"\min\{$n01, $n10\}", "greater": "$n01", "less": "$n10"}, by="alternative", check=check.counts)
    def statistic(self) -> Value:
        """The count that is small when H0 is wrong."""
        if self.alternative == "two-sided":
            return np.minimum(self.n01, self.n10)
        return self.n01 if self.alternative == "greater" else self.n10

    @step("M_0", r"\mathrm{Bin}\left($n, \frac{1}{2}\right)", relation=r"\sim")
    def null(self) -> SymmetricBinomial | MidPBinomial:
        """Distribution of the count under H0: each discordant record is won with probability 1/2."""
        return SymmetricBinomial(self.n)

    @step(r"\mathrm{OR}", r"\frac{$n10}{$n01}", after=True, check=check.nonnegative)
    def odds_ratio(self) -> Value:
        """Odds that a discordant record is A's: above 1 where A is better; 1 if there are none."""
        return np.where(np.equal(self.n01 + self.n10, 0), 1.0, ratio(self.n10, self.n01))[()]

    @step(
        r"\mathrm{CI}",
        r"\text{exact odds of } $n10 : $n01 \text{ at level } $alpha <- $reject",
        by="alternative",
        over="e",
        after=True,
        check=result_checks.interval_ends,
    )
    def ci(self) -> Interval:
        """Exact conditional confidence interval for the odds ratio (from Clopper and Pearson's for A's share)."""
        return _odds_interval(self, _clopper_pearson_share)

    @property
    def interval_text(self) -> str:
        """The odds, and what they may be in truth."""
        if not self.get_or_default("effect_text", ""):
            return ""
        odds = "odds " if np.isinf(self.odds_ratio) else f"odds of {format_plain(self.odds_ratio)}, "
        ends = self.ci if self.ci.low > 0 else self.ci._replace(low=np.float64(-np.inf))  # odds are never below 0, so that says nothing
        return format_confidence_interval(ends, self.alpha, of=odds)

    @property
    def remark(self) -> str:
        """Why degenerate data are answered as they are."""
        if np.ndim(self.n) or not np.isinf(self.critical_value):
            return ""
        if not self.n:
            return "The classifiers are right and wrong on the same records: nothing speaks against H0."
        return "With so few discordant records no outcome could have rejected H0 at this alpha."


Share = Callable[[Value, Value, float], Value]


def _odds_interval(test: McNemarExact, share: Share) -> Interval:
    """The interval of the odds, as the alternative wants it, from the share at which so many wins are just as rare as alpha allows."""
    level = test.alpha / 2 if test.alternative == "two-sided" else test.alpha

    def odds(wins: Value, losses: Value) -> Value:
        least = share(wins, losses, level)
        return ratio(least, 1 - least)

    nothing = test.n01 * 0.0
    low = nothing if test.alternative == "less" else odds(test.n10, test.n01)
    high = nothing + np.inf if test.alternative == "greater" else ratio(1.0, odds(test.n01, test.n10))
    return Interval(low, high, *(test.reject & np.isclose(end, 1.0, rtol=1e-12) for end in (low, high)))


def _clopper_pearson_share(wins: Value, losses: Value, level: float) -> Value:
    """A's share at which so many wins or more have the probability `level`; 0 where there are none."""
    return np.where(np.equal(wins, 0), 0.0, beta_quantile(np.maximum(wins, 1), losses + 1, level))[()]


def _mid_p_share(wins: Value, losses: Value, level: float) -> Value:
    """A's share at which more wins, and half of just as many, have the probability `level`; 0 or 1 where there is none."""
    least, most = np.maximum(wins, 1), np.maximum(losses, 1)

    def rarer(share: Value) -> Value:
        """Probability of more wins, and half of just as many."""
        as_many = np.where(np.equal(wins, 0), 1.0, special.betainc(least, losses + 1, share))
        more = np.where(np.equal(losses, 0), 0.0, special.betainc(wins + 1, most, share))
        return (as_many + more) / 2

    low = _clopper_pearson_share(wins, losses, level)  # there, as many or more are that rare: with half of them it is a greater share
    high = np.where(np.equal(losses, 0), 1.0, beta_quantile(wins + 1, most, level))  # there, more are that rare
    for _ in range(60):
        middle = (low + high) / 2
        fits = rarer(middle) <= level
        low, high = np.where(fits, middle, low), np.where(fits, high, middle)
    return np.where(rarer(np.float64(1.0)) <= level, 1.0, np.where(rarer(np.float64(0.0)) > level, 0.0, low))[()]


class McNemarMidP(McNemarExact):
    r"""McNemar test with mid-p: the exact test, but the observed count itself belongs to the tail only by half.

    .. math:: p = 2\left(P(M_0 \leq m) - \tfrac{1}{2} P(M_0 = m)\right)

    Parameters
    ----------
    n01, n10, labels, alternative, alpha
        As for :class:`fstats.McNemarExact`.

    Notes
    -----
    The exact test is cautious, because its tail jumps over alpha; counting the observed value by half takes the caution back
    on average.  The level may exceed alpha a little for single n.  Equal counts give p = 1, none at all too (one-sided 0.5).
    `ci` holds the odds that this test, not the exact one, would not reject.

    Raises
    ------
    ValueError, TypeError
        As :class:`fstats.McNemarExact`.

    References
    ----------
    Fagerland, Lydersen and Laake (2013), The McNemar test for binary matched-pairs data: mid-p and asymptotic are better than exact
    conditional, BMC Medical Research Methodology 13, article 91, Eq. 2 of its supplement.

    Examples
    --------
    Of 12 discordant records A wins 1: p = 2 (1 + 12/2) / 2**12.

    >>> import fstats
    >>> fstats.McNemarMidP(11, 1).pvalue == 14 / 4096
    np.True_
    """

    @step("M_0", r"\mathrm{Bin}\left($n, \frac{1}{2}\right) \text{, its last value counted by half}", relation=r"\sim")
    def null(self) -> MidPBinomial:
        """Distribution of the count under H0: each discordant record is won with probability 1/2."""
        return MidPBinomial(SymmetricBinomial(self.n))

    @step(
        r"\mathrm{CI}",
        r"\text{odds of } $n10 : $n01 \text{ at level } $alpha \text{, the count itself by half} <- $reject",
        by="alternative",
        over="e",
        after=True,
    )
    def ci(self) -> Interval:
        """Mid-p confidence interval: the odds ratios that this test would not reject at the same alpha."""
        return _odds_interval(self, _mid_p_share)
