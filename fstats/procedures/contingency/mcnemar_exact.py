"""Exact and mid-p McNemar tests."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy import special

from ...core.hypothesis import format_confidence_interval
from ...core.number_format import format_plain
from ...core.numerics.bisection import bisect
from ...core.numerics.zero_division import ratio
from ...core.rejection_region import SMALL_COUNT_TAILS
from ...core.step import step
from ...core.validation import check, result_checks
from ...core.value_types import Interval, Value
from ...distributions.continuous_distributions import beta_quantile
from ...distributions.symmetric_binomial import MidPBinomial, SymmetricBinomial
from .discordant_records import DiscordantTest
from .proportion_interval import clopper_pearson_limit


class McNemarExact(DiscordantTest):
    r"""Exact McNemar test: is one classifier right on more than half of the records on which exactly one classifier is right?

    Origin: published, McNemar (1947).

    A discordant record is a record on which exactly one of the two classifiers is right.  If the classifiers A and B are equally accurate,
    each classifier is right on a discordant record with probability 1/2.  The number of discordant records on which B is right then has the
    distribution

    .. math:: P(N_{01} \leq k) = \sum_{j=0}^{k} \binom{n}{j} \frac{1}{2^n}, \qquad n = n_{01} + n_{10}.

    Parameters
    ----------
    n01 : int or array_like of shape (...)
        Number of records on which only B is right.  Axes are independent repetitions.  A 2x2 table, or true classes and predictions,
        are also taken, as in :class:`fstats.McNemar`.
    n10 : int or array_like of shape (...)
        Number of records on which only A is right.
    labels : list of str, optional
        Names of the two classifiers, A first, for sentences and column headings; by default A and B.
    alternative : {"two-sided", "greater", "less"}
        "greater" claims that A is more accurate (n10 is larger), "less" that A is less accurate.
    alpha : float
        Level; H0 is rejected if and only if ``pvalue <= alpha``.

    Notes
    -----
    `statistic` is the count of discordant records that is small if H0 is wrong: the smaller of n01 and n10 for "two-sided", n01 for
    "greater", n10 for "less".  The two-sided p is twice the tail probability, at most 1.  Records on which both classifiers are right or
    both are wrong contain no information about the difference and are not used.  Without discordant records p = 1.  The records must be
    independent.

    Raises
    ------
    ValueError, TypeError
        If a count is negative, fractional or not a number, the alternative is unknown, or the level is outside (0, 1).

    References
    ----------
    McNemar (1947), Psychometrika 12, pages 153 to 157.  Salzberg (1997), On comparing classifiers, Data Mining and Knowledge
    Discovery 1, section 3.1; his one-sided p = P(S >= s) of "system II is better than I" is the p of this test with A = I, B = II, "less".

    Examples
    --------
    There are 12 discordant records, and A is right on 1 of them: p = 2 (1 + 12) / 2**12.

    >>> import fstats
    >>> test = fstats.McNemarExact(11, 1)
    >>> print(test.statistic, test.critical_value, test.pvalue == 26 / 4096)
    1.0 2.0 True
    """

    tails = SMALL_COUNT_TAILS

    @step("m", {"two-sided": r"\min\{$n01, $n10\}", "greater": "$n01", "less": "$n10"}, by="alternative", check=check.counts)
    def statistic(self) -> Value:
        """The count of discordant records that is small if H0 is wrong."""
        if self.alternative == "two-sided":
            return np.minimum(self.n01, self.n10)
        return self.n01 if self.alternative == "greater" else self.n10

    @step("M_0", r"\mathrm{Bin}\left($n, \frac{1}{2}\right)", relation=r"\sim")
    def null(self) -> SymmetricBinomial | MidPBinomial:
        """Distribution of the number of heads under H0: a fair coin decides which classifier is right on each discordant record."""
        return SymmetricBinomial(self.n)

    @step(r"\mathrm{OR}", r"\frac{$n10}{$n01}", after=True, check=check.nonnegative)
    def odds_ratio(self) -> Value:
        """Odds that A, not B, is right on a discordant record: above 1 if A is better; 1 if there are no discordant records."""
        return np.where(np.equal(self.n01 + self.n10, 0), 1.0, ratio(self.n10, self.n01))[()]

    _ci_formula = r"\text{exact odds of } $n10 : $n01 \text{ at level } $alpha <- $reject"

    @step(r"\mathrm{CI}", _ci_formula, by="alternative", over="e", after=True, check=result_checks.interval_ends)
    def ci(self) -> Interval:
        """Exact conditional confidence interval for the odds ratio (from the Clopper-Pearson interval for n10 / n)."""
        return _odds_interval(self, clopper_pearson_limit)

    @property
    def interval_text(self) -> str:
        """Odds and their confidence interval."""
        if not self.get_or_default("effect_text", ""):
            return ""
        odds = "odds " if np.isinf(self.odds_ratio) else f"odds of {format_plain(self.odds_ratio)}, "
        # replace a lower limit of 0, so that it is not displayed: odds cannot be below 0
        ends = self.ci if self.ci.low > 0 else self.ci._replace(low=np.float64(-np.inf))
        return format_confidence_interval(ends, self.alpha, of=odds)

    @property
    def remark(self) -> str:
        """Explanation of the result for degenerate data."""
        if np.ndim(self.n) or not np.isinf(self.critical_value):
            return ""
        if not self.n:
            return "The classifiers are right and wrong on the same records: the data give no evidence against H0."
        return "With so few discordant records, no outcome could have rejected H0 at this alpha."


ShareFunction = Callable[[Value, Value, float], Value]


def _odds_interval(test: McNemarExact, share: ShareFunction) -> Interval:
    """Return the confidence interval of the odds; `share` computes a limit for the share of A among the discordant records."""
    level = test.alpha / 2 if test.alternative == "two-sided" else test.alpha

    def lower_odds(wins: Value, losses: Value) -> Value:
        lower_share = share(wins, losses, level)
        return ratio(lower_share, 1 - lower_share)

    zeros = test.n01 * 0.0
    low = zeros if test.alternative == "less" else lower_odds(test.n10, test.n01)
    high = zeros + np.inf if test.alternative == "greater" else ratio(1.0, lower_odds(test.n01, test.n10))
    return Interval(low, high, *(test.reject & np.isclose(end, 1.0, rtol=1e-12) for end in (low, high)))


def _mid_p_share(wins: Value, losses: Value, level: float) -> Value:
    """Return the win probability at which P(more wins) + P(equally many wins) / 2 is `level`; 0 or 1 if no probability has it."""
    wins_or_1, losses_or_1 = np.maximum(wins, 1), np.maximum(losses, 1)

    def mid_p(share: Value) -> Value:
        """Return the probability of more wins than observed plus half the probability of exactly the observed number."""
        at_least = np.where(np.equal(wins, 0), 1.0, special.betainc(wins_or_1, losses + 1, share))
        more = np.where(np.equal(losses, 0), 0.0, special.betainc(wins + 1, losses_or_1, share))
        return (at_least + more) / 2

    # lower end of the bisection: at this share, P(observed number of wins or more) = level, so mid-p is smaller
    low = clopper_pearson_limit(wins, losses, level)
    # upper end of the bisection: at this share, P(more wins than observed) = level, so mid-p is larger
    high = np.where(np.equal(losses, 0), 1.0, beta_quantile(wins + 1, losses_or_1, level))
    low, _ = bisect(lambda share: mid_p(share) <= level, low, high)
    return np.where(mid_p(np.float64(1.0)) <= level, 1.0, np.where(mid_p(np.float64(0.0)) > level, 0.0, low))[()]


class McNemarMidP(McNemarExact):
    r"""McNemar test with mid-p: the exact McNemar test, but its p-value contains only half of the probability of the observed count.

    Origin: published, Fagerland, Lydersen and Laake (2013).

    .. math:: p = 2\left(P(M_0 \leq m) - \tfrac{1}{2} P(M_0 = m)\right)

    Parameters
    ----------
    n01, n10, labels, alternative, alpha
        As for :class:`fstats.McNemarExact`.

    Notes
    -----
    The exact test is conservative, because its possible p-values are far apart.  The mid-p test counts the observed outcome only by half.
    The mid-p test is not conservative on average, but its true level slightly exceeds alpha for some n.  If n01 = n10, or without
    discordant records, p = 1 (one-sided 0.5).  `ci` holds the odds that the mid-p test (not the exact test) would not reject.

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
    There are 12 discordant records, and A is right on 1 of them: p = 2 (1 + 12/2) / 2**12.

    >>> import fstats
    >>> fstats.McNemarMidP(11, 1).pvalue == 14 / 4096
    np.True_
    """

    @step("M_0", r"\mathrm{Bin}\left($n, \frac{1}{2}\right) \text{, its last value counted by half}", relation=r"\sim")
    def null(self) -> MidPBinomial:
        """Distribution of the number of heads under H0: a fair coin decides which classifier is right on each discordant record."""
        return MidPBinomial(SymmetricBinomial(self.n))

    _ci_formula = r"\text{odds of } $n10 : $n01 \text{ at level } $alpha \text{, the count itself by half} <- $reject"

    @step(r"\mathrm{CI}", _ci_formula, by="alternative", over="e", after=True)
    def ci(self) -> Interval:
        """Mid-p confidence interval: the odds ratios that the mid-p test would not reject at the same alpha."""
        return _odds_interval(self, _mid_p_share)
