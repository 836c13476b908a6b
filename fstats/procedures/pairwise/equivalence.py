"""Equivalence tests for two classifiers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ...core.classifier_pair import PairedScores, TwoClassifierTest, directed_step
from ...core.hypothesis import NO_SPREAD_MESSAGE, format_confidence_interval
from ...core.number_format import format_plain, format_range
from ...core.numerics.floating_point_ties import difference_with_ties, round_noise_to_zero
from ...core.numerics.zero_division import product, ratio
from ...core.rejection_region import LOWER, UPPER, Tail
from ...core.step import NotStated, input_field, step
from ...core.validation import check, result_checks
from ...core.value_types import Interval, ScoresLike, Value
from ...distributions.continuous_distributions import Uniform
from .paired_t import PairedT
from .signed_rank import SignedRank

MARGIN = "The largest difference that would be unimportant."
EQUIVALENCE_TAILS: Mapping[str, Tail] = {"equivalence": UPPER}


class Equivalence(TwoClassifierTest):
    """Base class of tests that two classifiers differ by less than a margin."""

    unproven_claim = "that they differ"
    if TYPE_CHECKING:  # subclasses define this input; type checkers need a declaration here
        margin: float

    alternative: Any = input_field("H_1", "Alternative hypothesis.", default="equivalence", kw_only=True)
    alpha: float = input_field(
        r"\alpha", "Tolerated probability of rejecting a true null hypothesis.", check=check.equivalence_level, default=0.05, kw_only=True
    )

    @property
    def claim(self) -> str:
        """The alternative hypothesis in words."""
        a, b = self.sides
        return f"that {a} and {b} differ by less than {format_range(self.margin)} in {self.compared}"

    @property
    def hypotheses(self) -> str:
        """Both hypotheses in symbols."""
        return rf"|{self.parameter}| < \delta \text{{, against }} H_0: |{self.parameter}| \geq \delta"


class EquivalenceT(Equivalence, PairedT):
    r"""Equivalence t-test: is the true mean difference of two classifiers over independent data sets between -margin and +margin?

    Origin: published, Schuirmann (1987).

    A paired t-test that fails to reject H0 does not show that classifiers A and B are equal.  In an equivalence test the null hypothesis is
    that A and B *differ*:

    .. math:: H_0: |\mu_d| \geq \delta, \qquad H_1: -\delta < \mu_d < \delta

    Equivalence is shown if two one-sided paired t-tests both reject.  The first one-sided test has H0 "the mean difference is
    :math:`-\delta` or lower". The second one-sided test has H0 "the mean difference is :math:`\delta` or higher".  The statistic is the
    smaller of the t values of the two one-sided tests.

    Parameters
    ----------
    a, b : array_like, shape (n,) or (n, ...)
        As for :class:`fstats.PairedT`.
    margin : float
        Limit below which a difference is unimportant, above 0 and in the unit of the scores.  Choose the margin before you see the data.
    labels : list of str, optional
        Names of the two classifiers, A first, for sentences and column headings; by default the names of two pandas Series, or A and B.
    higher_is_better : bool
        False for errors and losses.  With False, each difference is B minus A, so that a positive difference still means that A is
        better.
    metric, unit : str
        Name of the metric, such as "RMSE", and name of the unit of analysis, such as "seed"; both are used in sentences.
    alternative : {"equivalence"}
        The only value.
    alpha : float
        Level, below 0.5; H0 (the classifiers differ by the margin or more) is rejected if and only if ``pvalue <= alpha``.

    Notes
    -----
    The test rejects if and only if the confidence interval at 1 - 2 alpha, `ci`, lies within the margin.  If all differences are equal, p
    is 0 or 1, or 0.5 if the differences are equal to the margin; `remark` explains such a p-value.

    a and b must be scores on independent data sets.  Records of one test set (1 right, 0 wrong) and folds of one data set are not
    independent data sets.  For example, five records on which both classifiers are right have no spread and would show equivalence at any
    margin.  :func:`fstats.which_test` names the tests for records or folds of one data set.

    Raises
    ------
    ValueError, TypeError
        In the cases of :class:`fstats.PairedT`, and if the margin is not above 0 or the level is 0.5 or more.

    References
    ----------
    Schuirmann (1987), A comparison of the two one-sided tests procedure and the power approach for assessing the equivalence of
    average bioavailability, Journal of Pharmacokinetics and Biopharmaceutics 15, pages 657 to 680.

    Examples
    --------
    Data of the course: d = -2, 2, -6, 3, 0 with mean -0.6 and standard error 1.6.  For a margin of 5 points t = (5 - 0.6) / 1.6.

    >>> import fstats
    >>> test = fstats.EquivalenceT([85, 70, 79, 78, 83], [87, 68, 85, 75, 83], margin=5)
    >>> print(round(test.statistic, 3), round(test.pvalue, 4), test.reject)
    2.75 0.0257 True
    """

    tails: ClassVar[Mapping[str, Tail]] = EQUIVALENCE_TAILS
    parameter = r"\mu_d"

    margin: float = input_field(r"\delta", MARGIN, check=check.positive, kw_only=True, unit="score")

    @step("t_-", r"\frac{$mean + $margin}{$se}")
    def t_low(self) -> Value:
        """Number of standard errors by which the mean difference is above the lower margin."""
        return ratio(round_noise_to_zero(self.mean + self.margin, self.margin), self.se)

    @step("t_+", r"\frac{$margin - $mean}{$se}")
    def t_high(self) -> Value:
        """Number of standard errors by which the mean difference is below the upper margin."""
        return ratio(round_noise_to_zero(self.margin - self.mean, self.margin), self.se)

    @step("t", r"\min\{$t_low, $t_high\}")
    def statistic(self) -> Value:
        """The smaller of the two t values, because the mean difference must be far enough from both margins."""
        return np.minimum(self.t_low, self.t_high)

    null = PairedT.null.restated("Distribution of t if the true mean difference lies on a margin.")

    _ci_formula = r"[$mean - $critical_value\,$se,\ $mean + $critical_value\,$se]"

    @step(r"\mathrm{CI}", _ci_formula, over="e", after=True, check=result_checks.interval_ends)
    def ci(self) -> Interval:
        """Confidence interval at 1 - 2 alpha: equivalence is shown if the whole interval lies within the margin."""
        half_width = product(self.critical_value, self.se)
        return Interval(self.mean - half_width, self.mean + half_width)

    @property
    def remark(self) -> str:
        """Explanation of the result for degenerate data."""
        if np.ndim(self.statistic) or self.se:
            return ""
        if not self.statistic:
            return "All differences are equal to the margin: the data give no evidence either way."
        side = "within" if abs(float(self.mean)) < self.margin else "beyond"
        cause = f"All differences are {format_plain(self.mean)}, {side} the margin: {NO_SPREAD_MESSAGE}"
        return f"{cause}, hence p = {format_plain(self.pvalue)}; look for a mistake in the data."

    @property
    def finding(self) -> str:
        """Conclusion of a rejection, with the estimated difference."""
        return f"{self.claim}{self.get_or_default('effect_text', '')}"

    @property
    def effect_text(self) -> str:
        """The estimated difference."""
        return f", at an estimated difference of {format_plain(self.mean)}"

    @property
    def interval_text(self) -> str:
        """Confidence interval of the true difference, which must lie within the margin."""
        return format_confidence_interval(self.get_or_default("ci", None), 2 * self.alpha)


class EquivalenceSignedRank(PairedScores, Equivalence):
    r"""Equivalence test by ranks: is the centre of the differences over independent data sets between -margin and +margin?

    Origin: variant, of Caldwell (2022): both one-sided tests are exact, and the principle of Berger and Hsu (1996) joins them.

    Equivalence is shown if two one-sided signed-rank tests both reject.  The first one-sided test has H0 "the centre of the differences is
    at or below -margin". The second one-sided test has H0 "the centre of the differences is at or above +margin".  The p-value of the
    equivalence test is the larger of the p-values of the two one-sided tests.

    Parameters
    ----------
    a, b : array_like, shape (n,) or (n, ...)
        As for :class:`fstats.SignedRank`.
    margin, labels, higher_is_better, metric, unit, alternative, alpha
        As for :class:`fstats.EquivalenceT`.

    Notes
    -----
    Each one-sided test is exact, including ties and (dropped) zeros.  The larger of the two p-values is both the statistic and the
    p-value of the equivalence test.  This p-value is valid: under H0 the true centre is beyond one margin, and the test against that
    margin has a p-value of at most p with probability at most p.  `ci` is the interval at 1 - 2 alpha of the test without ties or zeros.

    Raises
    ------
    ValueError, TypeError
        In the cases of :class:`fstats.SignedRank`, and if the margin is not above 0 or the level is 0.5 or more.

    References
    ----------
    Caldwell (2022), Exploring equivalence testing with the updated TOSTER R package, and its manual, paragraph
    "wilcox_TOST" (this test with the normal approximation).  Berger and Hsu (1996), Bioequivalence trials, intersection-union tests and
    equivalence confidence sets, Statistical Science 11, pages 283 to 319 (the intersection-union principle).  Wellek (2010),
    Testing statistical hypotheses of equivalence and noninferiority, section 5.4, describes another equivalence test by signed
    ranks; it tests the probability that the mean of two differences is above 0.

    Examples
    --------
    The differences are 1, -1, 2, -2, 0.  Differences plus 3 are all positive, and differences minus 3 are all negative: p = 1 / 2**5.

    >>> import fstats
    >>> test = fstats.EquivalenceSignedRank([1, -1, 2, -2, 0], [0, 0, 0, 0, 0], margin=3)
    >>> print(test.p_above, test.p_below, test.pvalue, test.reject)
    0.03125 0.03125 0.03125 True
    """

    tails: ClassVar[Mapping[str, Tail]] = {"equivalence": LOWER}
    parameter = r"\theta"
    compares = "typical score"

    a: ScoresLike = input_field("s_A", "Scores of classifier A.", over="i", check=check.scores, unit="score")
    b: ScoresLike = input_field("s_B", "Scores of classifier B, paired with A's.", over="i", check=check.scores, like="a", unit="score")
    margin: float = input_field(r"\delta", MARGIN, check=check.positive, kw_only=True, unit="score")

    @directed_step("p_-", r"P(W_0 \leq W^-) \text{ of the ranks of } $a + $margin - $b", check=check.probability)
    def p_above(self) -> Value:
        """The p-value of the signed-rank test that the centre is above the lower margin."""
        return SignedRank.from_steps(d=difference_with_ties(*self.terms, plus=self.margin), alternative="greater").pvalue

    @directed_step("p_+", r"P(W_0 \leq W^+) \text{ of the ranks of } $a - $margin - $b", check=check.probability)
    def p_below(self) -> Value:
        """The p-value of the signed-rank test that the centre is below the upper margin."""
        return SignedRank.from_steps(d=difference_with_ties(*self.terms, plus=-self.margin), alternative="less").pvalue

    @step("P", r"\max\{$p_above, $p_below\}", check=check.probability)
    def statistic(self) -> Value:
        """The larger of the two p-values, because the centre must be far enough from both margins."""
        return np.maximum(self.p_above, self.p_below)

    @step("P_0", r"\text{uniform on } [0, 1] \text{ at worst}", relation=r"\sim")
    def null(self) -> Uniform:
        """Distribution of the larger p-value in the worst case: the true centre is equal to a margin."""
        return Uniform()

    _ci_formula = r"\text{signed-rank interval of } $a - $b \text{ at } 1 - 2\,$alpha"

    @directed_step(r"\mathrm{CI}", _ci_formula, over="e", after=True, check=result_checks.interval_ends, unit="score")
    def ci(self) -> Interval:
        """Confidence interval at 1 - 2 alpha for the centre, from the test without ties and zeros."""
        above, below = (SignedRank(*self.terms, alternative=side, alpha=self.alpha).ci for side in ("greater", "less"))
        return Interval(above.low, below.high, above.open_low, below.open_high)

    @directed_step("r", r"\text{rank-biserial correlation of } $a - $b", after=True, check=check.number_between(-1, 1))
    def effect_size(self) -> Value:
        """Matched-pairs rank-biserial correlation, computed as in fstats.SignedRank."""
        return SignedRank(*self.terms).effect_size

    @property
    def p_name(self) -> str:
        """Name of the p-value, which is that of a signed-rank test; "p" if the scores or the margin are not stated."""
        try:
            return str(SignedRank.from_steps(d=difference_with_ties(*self.terms, plus=self.margin)).null.p_name)
        except NotStated:
            return "p"

    @property
    def finding(self) -> str:
        """Conclusion of a rejection."""
        return self.claim

    @property
    def interval_text(self) -> str:
        """Confidence interval of the true centre."""
        return format_confidence_interval(self.get_or_default("ci", None), 2 * self.alpha, of="a difference ")

    @property
    def remark(self) -> str:
        """Note if the confidence interval and the decision of the test disagree."""
        if np.ndim(self.get_or_default("reject", ())) or (ends := self.get_or_default("ci", None)) is None or "ci" in self.stated:
            return ""
        beyond = ends.low < -self.margin or ends.high > self.margin or ends.holds(-self.margin) or ends.holds(self.margin)
        if beyond != self.reject:
            return ""
        place, verb = ("reaches beyond", "rejects") if beyond else ("lies within", "does not reject")
        return f"The confidence interval ignores ties and zeros; therefore it {place} the margin although the test {verb} H0."
