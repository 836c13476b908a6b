"""Student's and Welch's t-tests for two independent samples."""

from __future__ import annotations

import numpy as np
from numpy import sqrt

from ...core.arithmetic_steps import mean_step, ratio_step, sd_step
from ...core.numerics.floating_point_ties import round_noise_to_zero
from ...core.numerics.zero_division import ratio, square_root
from ...core.rejection_region import SYMMETRIC_TAILS
from ...core.step import count_step, input_field, step
from ...core.validation import check
from ...core.value_types import ScoresLike, Value
from .confidence_interval import no_spread_note, t_interval
from .independent_samples import IndependentSamples, sample_scores_for_mean
from .paired_t import PairedT


class TwoSampleT(IndependentSamples):
    r"""Two-sample t-test: do two classifiers, each scored on its own independent data sets (or runs), differ in mean score?

    Origin: published, Fisher (1925).

    .. math:: t = \frac{\bar x - \bar y}{s_p \sqrt{1/n_x + 1/n_y}}, \qquad
              s_p^2 = \frac{(n_x - 1) s_x^2 + (n_y - 1) s_y^2}{n_x + n_y - 2}

    Parameters
    ----------
    x, y : array_like, shapes (n_x,) and (n_y,), or (n_x, ...) and (n_y, ...)
        Scores of classifier A and of classifier B on their own data sets, at least 2 each.  Further axes are independent
        repetitions, the same for both.
    labels : list of str, optional
        Names of the two classifiers, A first, for sentences and column headings; by default the names of two pandas Series, or A and B.
    higher_is_better : bool
        False for errors and losses.  With False, the difference is the mean of B minus the mean of A, so positive still means that A is
        better.
    metric, unit : str
        Name of the metric, such as "RMSE", and name of the unit of analysis, such as "seed"; both are used in sentences.
    alternative : {"two-sided", "greater", "less"}
        "greater" claims that A is better (the mean of x is higher; for errors, lower), "less" that A is worse.
    alpha : float
        Level; H0 is rejected if and only if ``pvalue <= alpha``.

    Notes
    -----
    The samples must be independent of each other; for scores on the *same* data sets use :class:`fstats.PairedT`, which has far more
    power.  Both samples should be roughly normal with the same spread; if the spreads differ, use :class:`fstats.WelchT`.  If neither
    sample has any spread, t is 0 or infinite; `remark` explains such a t.

    Raises
    ------
    ValueError, TypeError
        If there are fewer than two scores, a value is not a finite number, the repetitions differ, the alternative is unknown, or the
        level is outside (0, 1).

    References
    ----------
    Student (1908), The probable error of a mean, Biometrika 6, pages 1 to 25.  Fisher (1925), Statistical methods for research
    workers, section 24.1.  Course slides T7, slide "Parametric case: the paired t-test", table of types.

    Examples
    --------
    The means are 2 and 4 and both variances are 1: t = -2 / sqrt(2/3).

    >>> import fstats
    >>> test = fstats.TwoSampleT([1, 2, 3], [3, 4, 5])
    >>> print(round(test.statistic, 4), test.df, round(test.pvalue, 4))
    -2.4495 4 0.0705
    """

    tails = SYMMETRIC_TAILS
    parameter = r"\mu_x - \mu_y"
    compares = "mean score"
    estimated_by = "difference"

    x: ScoresLike = input_field("x_i", "Scores of classifier A.", over="i", check=sample_scores_for_mean, unit="score")
    y: ScoresLike = input_field("y_j", "Scores of classifier B.", over="j", check=sample_scores_for_mean, unit="score")

    n_x = count_step("n_x", "x", "i", "Number of data sets of A.", check=check.count(2))

    n_y = count_step("n_y", "y", "j", "Number of data sets of B.", check=check.count(2))

    mean_x = mean_step(r"\bar x", "x", "n_x", "i", "Mean score of A.", unit="score")

    mean_y = mean_step(r"\bar y", "y", "n_y", "j", "Mean score of B.", unit="score")

    sd_x = sd_step("s_x", "x", "mean_x", "n_x", "i", "Standard deviation of A's scores.", check=check.nonnegative, unit="score")

    sd_y = sd_step("s_y", "y", "mean_y", "n_y", "j", "Standard deviation of B's scores.", check=check.nonnegative, unit="score")

    @step("s", r"\sqrt{\frac{($n_x - 1)\,$sd_x^2 + ($n_y - 1)\,$sd_y^2}{$n_x + $n_y - 2}}", check=check.nonnegative, unit="score")
    def sd(self) -> Value:
        """Pooled standard deviation: spread of the scores around the mean score of their classifier."""
        return np.hypot(square_root(self.n_x - 1) * self.sd_x, square_root(self.n_y - 1) * self.sd_y) / square_root(self.n_x + self.n_y - 2)

    @step(r"\mathrm{SE}", r"$sd \sqrt{\frac{1}{$n_x} + \frac{1}{$n_y}}", check=check.nonnegative, unit="score")
    def se(self) -> Value:
        """Standard error: standard deviation of the difference of the means over repeated samples."""
        return self.sd * sqrt(1 / self.n_x + 1 / self.n_y)

    @step("D", {True: "$mean_x - $mean_y", False: "$mean_y - $mean_x"}, by="higher_is_better", unit="score")
    def difference(self) -> Value:
        """Difference of the mean scores; positive if A is better."""
        difference = self.mean_x - self.mean_y
        return round_noise_to_zero(difference if self.higher_is_better else -difference, self.mean_x)

    statistic = ratio_step("t", "difference", "se", "Difference of the two mean scores, in standard errors.")

    @step(r"\nu", "$n_x + $n_y - 2", check=check.positive)
    def df(self) -> Value | int:
        """Degrees of freedom: number of all scores minus 2, because two means are estimated."""
        return self.n_x + self.n_y - 2

    null = PairedT.null.restated("Distribution of t under H0: the true means are equal.")

    ci = t_interval("difference", "Confidence interval: the true differences that this test would not reject at the same alpha.")

    @step("d", r"\frac{$difference}{$sd}", after=True)
    def effect_size(self) -> Value:
        """Cohen's d: difference of the mean scores in standard deviations; does not depend on the sample sizes."""
        return ratio(self.difference, self.sd)

    @property
    def remark(self) -> str:
        """Explanation of the result for degenerate data."""
        differ = "All scores of A are equal, all scores of B are equal, and A and B differ by {}"
        return no_spread_note(self, "difference", "All scores are equal", differ)


class WelchT(TwoSampleT):
    r"""Welch's t-test: do two classifiers, each scored on its own data sets (or runs), differ in mean score?

    Origin: published, Welch (1947).

    The variances of the two classifiers may differ.

    Welch's test is the two-sample t-test with another standard error and other degrees of freedom:

    .. math:: \mathrm{SE}^2 = \frac{s_x^2}{n_x} + \frac{s_y^2}{n_y}, \qquad
              \nu = \frac{\mathrm{SE}^4}{\frac{(s_x^2/n_x)^2}{n_x - 1} + \frac{(s_y^2/n_y)^2}{n_y - 1}}

    Parameters
    ----------
    x, y, labels, higher_is_better, metric, unit, alternative, alpha
        As for :class:`fstats.TwoSampleT`.

    Notes
    -----
    The notes of :class:`fstats.TwoSampleT` apply, but the spreads of the two samples may differ.  The degrees of freedom are usually not
    an integer; if neither sample has any spread, df = n_x + n_y - 2.  The effect size is the difference of the means divided by the root
    of the mean of the two variances.

    Raises
    ------
    ValueError, TypeError
        In the cases of :class:`fstats.TwoSampleT`.

    References
    ----------
    Welch (1947), The generalization of Student's problem, Biometrika 34, pages 28 to 35.

    Examples
    --------
    The variances are 1 and 4, and each sample has 3 scores: SE = sqrt(5/3), df = (5/3)**2 / ((1/3)**2 / 2 + (4/3)**2 / 2) = 50/17.

    >>> import fstats
    >>> test = fstats.WelchT([1, 2, 3], [2, 4, 6])
    >>> print(round(test.statistic, 4), round(test.df, 4))
    -1.5492 2.9412
    """

    @step("s", r"\sqrt{\frac{$sd_x^2 + $sd_y^2}{2}}", check=check.nonnegative, unit="score")
    def sd(self) -> Value:
        """Root of the mean of the two variances; only the effect size uses this value."""
        return np.hypot(self.sd_x, self.sd_y) / sqrt(2)

    @step(r"\mathrm{SE}", r"\sqrt{\frac{$sd_x^2}{$n_x} + \frac{$sd_y^2}{$n_y}}", check=check.nonnegative, unit="score")
    def se(self) -> Value:
        """Standard error of the difference of the means: root of the sum of the squared standard errors of both means."""
        return np.hypot(self.sd_x / square_root(self.n_x), self.sd_y / square_root(self.n_y))

    @step(r"\nu", r"\frac{$se^4}{\frac{$sd_x^4}{$n_x^2 ($n_x - 1)} + \frac{$sd_y^4}{$n_y^2 ($n_y - 1)}}", check=check.positive)
    def df(self) -> Value:
        """Degrees of freedom: at least min(n_x, n_y) - 1 and at most n_x + n_y - 2."""
        # divide the standard deviations by the standard error, because fourth powers of large numbers could overflow
        x, y = ratio(self.sd_x, self.se), ratio(self.sd_y, self.se)
        shares = x**4 / (self.n_x**2 * (self.n_x - 1)) + y**4 / (self.n_y**2 * (self.n_y - 1))
        return np.where(self.se == 0, self.n_x + self.n_y - 2, ratio(1.0, shares))[()]
