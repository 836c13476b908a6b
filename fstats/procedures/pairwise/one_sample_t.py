"""One-sample t-test."""

from __future__ import annotations

from ...core.arithmetic_steps import mean_step
from ...core.hypothesis import HypothesisTest, format_confidence_interval
from ...core.number_format import format_plain, format_range
from ...core.numerics.floating_point_ties import round_noise_to_zero
from ...core.numerics.sums_of_squares import standard_deviation
from ...core.numerics.zero_division import ratio
from ...core.rejection_region import SYMMETRIC_TAILS
from ...core.step import count_step, input_field, step
from ...core.validation import check
from ...core.value_types import ScoresLike, Value
from .confidence_interval import no_spread_note, t_interval
from .paired_t import PairedT
from .two_sample_t import TwoSampleT


class OneSampleT(HypothesisTest):
    r"""One-sample t-test: is the true mean score of a classifier over independent data sets equal to a given value?

    Origin: published, Student (1908).

    .. math:: t = \frac{\bar x - \mu_0}{s / \sqrt n}

    Parameters
    ----------
    x : array_like, shape (n,) or (n, ...)
        Scores on n >= 2 data sets.  Further axes are independent repetitions.
    mu : float
        Value of the true mean under H0, such as the accuracy of guessing.
    alternative : {"two-sided", "greater", "less"}
        "greater" claims that the true mean is above mu, "less" that the true mean is below mu.
    alpha : float
        Level; H0 is rejected if and only if ``pvalue <= alpha``.

    Notes
    -----
    The scores should be independent and roughly normal.  If all scores are equal, t is 0 (mean = mu, p = 1) or infinite (mean not equal
    to mu, p = 0); `remark` explains this.  The paired t-test is the one-sample t-test on the differences.

    Raises
    ------
    ValueError, TypeError
        If there are fewer than two scores, a value is not a finite number, the alternative is unknown, or the level is outside (0, 1).

    References
    ----------
    Student (1908), The probable error of a mean, Biometrika 6, section IX.

    Examples
    --------
    The mean is 2 and the deviations are -1, 0, 1: t = (2 - 1) / (1 / sqrt(3)).

    >>> import fstats
    >>> test = fstats.OneSampleT([1, 2, 3], mu=1)
    >>> print(round(test.statistic, 4), test.df, round(test.pvalue, 4))
    1.7321 2 0.2254
    """

    tails = SYMMETRIC_TAILS
    parameter = r"\mu - \mu_0"
    estimated_by = "mean"
    unproven_claim = "that it is exactly that value"

    x: ScoresLike = input_field("x_i", "Scores of the classifier.", over="i", check=check.scores_for_mean, unit="score")
    mu: float = input_field(r"\mu_0", "Value of the true mean under H0.", check=check.number, default=0.0, unit="score")

    n = count_step("n", "x", "i", "Number of data sets.", check=check.count(2))

    mean = mean_step(r"\bar x", "x", "n", "i", "Mean score.", unit="score")

    @step("s", r"\sqrt{\frac{1}{$n - 1} \sum_i ($x - $mean)^2}", check=check.nonnegative, unit="score")
    def sd(self) -> Value:
        """Standard deviation of the scores, with n - 1 because the mean was estimated from the same data."""
        return standard_deviation(self.x, self.mean, self.n - 1)

    se = PairedT.se.restated("Standard error: standard deviation of the mean score over repeated samples.")

    @step("D", "$mean - $mu", unit="score")
    def difference(self) -> Value:
        """Mean score minus the value of the null hypothesis."""
        return round_noise_to_zero(self.mean - self.mu, self.mean)

    statistic = TwoSampleT.statistic.restated("Difference between the mean score and the value of the null hypothesis, in standard errors.")

    df = PairedT.df

    null = PairedT.null.restated("Distribution of t under H0: the true mean score is equal to mu.")

    ci = t_interval("mean", "Confidence interval: the true means that this test would not reject at the same alpha.")

    @step("d", r"\frac{$difference}{$sd}", after=True)
    def effect_size(self) -> Value:
        """Cohen's d: mean score minus mu, in standard deviations; does not depend on the sample size n."""
        return ratio(self.difference, self.sd)

    @property
    def claim(self) -> str:
        """The alternative hypothesis in words."""
        verb = {"two-sided": "differs from", "greater": "is above", "less": "is below"}[self.alternative]
        return f"that the mean score {verb} {format_range(self.mu)}"

    @property
    def finding(self) -> str:
        """Conclusion of a rejection: the mean is above or below the given value, with the estimated mean."""
        above = {"greater": 1, "less": -1}.get(self.alternative) or self.get_or_default("statistic", 0)
        if not above:
            return self.claim
        mean = self.get_or_default("mean", None)
        estimate = "" if mean is None else f", at {format_plain(mean)}"
        return f"that the mean score is {'above' if above > 0 else 'below'} {format_range(self.mu)}{estimate}"

    @property
    def interval_text(self) -> str:
        """Confidence interval of the true mean score."""
        return format_confidence_interval(self.get_or_default("ci", None), self.alpha)

    @property
    def remark(self) -> str:
        """Explanation of the result for degenerate data."""
        differ = "All scores are equal, and they differ from the given value by {}"
        return no_spread_note(self, "difference", "All scores are equal to the given value", differ)
