"""Paired bootstrap test and confidence interval for any metric.

The intervals are the percentile interval and BCa.
"""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np
from numpy import sqrt
from scipy import special

from ...core.hypothesis import NO_SPREAD_MESSAGE
from ...core.number_format import format_plain
from ...core.numerics.floating_point_ties import round_noise_to_zero
from ...core.numerics.zero_division import ratio
from ...core.step import input_field, step
from ...core.validation import check, result_checks
from ...core.value_types import Interval, Value
from .joint_outcomes import JointOutcomes
from .paired_metric import PairedMetric
from .resampling_distributions import BootstrapNull, Resamples

MIN_DISCORDANT_RECORDS = 20  # with fewer discordant records, the resamples have too few distinct differences
NOT_REJECTED = r"\text{what } $null \text{ does not reject, with }"


def skewness(joint: JointOutcomes) -> float:
    """Return the acceleration: a sixth of the skewness of the influence of single records; 0 if all have the same influence."""
    d, counts = joint.jackknife_differences()
    if np.isnan(d).any():
        raise ValueError(
            f"`metric` must be defined without any single record for BCa intervals; {joint.metric.display_name} gave nan. Write "
            "`interval='percentile'`."
        )
    influence = np.asarray(round_noise_to_zero(counts @ d / joint.n - d, np.full(len(d), np.abs(d).max())))
    unit = np.abs(influence).max() or 1.0
    return float(ratio(counts @ (influence / unit) ** 3, 6 * (counts @ (influence / unit) ** 2) ** 1.5))


class PairedBootstrap(PairedMetric):
    r"""Paired bootstrap: do two classifiers, tested on the same records, differ in a given metric (any metric)?

    Origin: variant, of Efron and Tibshirani (1993): the data count as one more resample; evidence: the simulations in the notes.

    The test draws B resamples, which imitate other test sets.  For each resample, n records are drawn from the data with replacement, each
    with its true value and both predictions.  :math:`D^*` is the difference of the metrics on a resample.  A true difference of 0 is
    rejected if hardly any :math:`D^*` is on the other side of 0,

    .. math:: p = 2 \min\left\{\frac{\#\{D^* \leq 0\} + 1}{B + 1},\ \frac{\#\{D^* \geq 0\} + 1}{B + 1}\right\}.

    The confidence interval contains all true differences that the test does not reject.  The *percentile* interval contains the middle part
    of the differences on the resamples.  The *BCa* interval is corrected for bias, and for a standard error that depends on the true
    difference.

    Parameters
    ----------
    y_true : array_like, shape (n,) or (n, ...)
        True value of each of n >= 2 records: a class (1 and 0 for metrics with a positive class), or a number.
    a, b : array_like, shape (n,) or (n, ...)
        Prediction of each classifier for each record, as the metric needs it: classes, scores, probabilities of class 1, or numbers.
        Further axes are independent repetitions.
    metric : str or Metric
        Name of the metric ("accuracy", "f1_macro", "auc", "log_loss", ...: see :class:`fstats.Metric`), or your own Metric.
    interval : {"percentile", "BCa"}
        Method for the interval and p.
    draws : int
        Number of resamples, at least 100.
    rng : int, numpy Generator or None
        Seed of the draws: the same seed gives the same numbers.  From a Generator (or for None) a seed is drawn and stored.
    labels : list of str, optional
        Names of the two classifiers in sentences and table headings, A first.  Default: the names of two pandas Series, or A and B.
    alternative : {"two-sided", "greater", "less"}
        "greater": A is better (a higher score, or a lower loss).  "less": A is worse.
    alpha : float
        Significance level.  H0 is rejected if and only if ``pvalue <= alpha``.

    Notes
    -----
    H0 states that the metrics of A and B are equal in the population of records.  The stronger H0 of :class:`fstats.PairedPermutation`
    states that the predictions are exchangeable.  Records must be independent, and the classifiers are fixed after training.

    **Alternatives without random draws.**  For accuracy there is an exact test, :class:`fstats.McNemarExact`, and for AUC a formula,
    :class:`fstats.DeLong`.  For a mean of losses and many records, :class:`fstats.PairedT` on the losses gives the same result.  F1,
    macro-F1, balanced accuracy, MCC, average precision and RMSE are ratios or roots of several counts and sums, and need resampling.

    **How well the level is kept.**  In simulated data sets with equal metrics the rejection rates at alpha = 0.05 were as follows, by
    percentile and by BCa (``test_any_metric.py``; 1 minus the rate is the coverage of the interval).  Accuracy: 4.2 and 9.5 % on 20
    records, 4.3 and 5.0 % on 50.  F1: 5.0 and 4.3 % on 100.  AUC: 5.4 and 6.5 % on 40.  If one classifier makes rare but large errors,
    both intervals are too short: for the mean absolute error on 20 records 9.8 and 8.9 %, for RMSE 18 and 15 %, on 100 records 9.7 and
    7.8 %.  BCa is slightly better for rare large errors.  For metrics of counts BCa is not better than percentile, and on few records BCa
    rejects too often.  p is not exact if few records differ.  For example, if the classifiers differ on 4 of 10 records, all in favour of
    A, a resample contains none of the 4 records with probability 0.6^10.  The bootstrap p is therefore about 0.012, while
    :class:`fstats.McNemarExact` gives 0.125.

    The data count as one more resample, so p is never below 2 / (B + 1).  `mc_error` is the standard error of p due to the number of
    draws; for BCa it includes the error of the bias, which the same draws determine.  All repetitions of a batch have the same seed.
    A resample without one of the classes has no AUC and no average precision (your own metric may return nan, too).  A resample without a
    defined metric is replaced by another draw, and `remark` gives the number of replacements.  If all resamples have the same difference,
    the bootstrap shows no random variation, however few records there are; `remark` warns of this case.

    A resample is stored as counts of the distinct outcomes: 4 counts for the accuracy of a million records.  If all scores are different,
    there are as many counts as records: 9,999 resamples of a million took about 10 minutes of CPU time for AUC.  A mean of losses needs
    no counts and took a minute and a half.  BCa also needs the metric without each single record.  A mean of losses gives all of them at
    once.  Other metrics with many distinct outcomes took 22 seconds for 100,000 records and a hundred times as long for a million.

    Raises
    ------
    ValueError, TypeError
        For different lengths, values that do not fit the metric, an unknown metric, interval or alternative, fewer than 100 draws, a
        metric that is not defined on the records, or on hardly any resample, a level outside (0, 1).

    References
    ----------
    Efron and Tibshirani (1993), An introduction to the bootstrap, section 13.3 (percentile), section 14.3 (BCa) and section 15.4 (the
    level at which an interval just contains 0).  Efron (1987), Better bootstrap confidence intervals, JASA 82, pages 171 to 185.

    Examples
    --------
    A is right on both records, B only on the first record.  A resample contains the second record never, once or twice, with
    probabilities 1/4, 1/2 and 1/4, so D* = 0 in a quarter of the resamples, and p = 2/4.

    >>> import fstats
    >>> test = fstats.PairedBootstrap([1, 0], [1, 0], [1, 1])
    >>> print(test.statistic, abs(test.pvalue - 0.5) < 4 * test.mc_error, *test.ci)
    0.5 True 0.0 1.0
    """

    interval: Literal["percentile", "BCa"] = input_field(r"\text{interval}", "Method for the interval.", default="percentile", kw_only=True)

    @step("D^*", r"\text{D of } $draws \text{ resamples of } $y_true, $a, $b <- $metric $rng", relation=r"\sim")
    def resampled(self) -> Resamples:
        """Differences on resamples of the records, drawn with replacement."""
        redraw_counts: list[int] = []

        def differences(joint: JointOutcomes) -> object:
            values, redraw_count = joint.bootstrap_differences(self.draws, self.rng)
            redraw_counts.append(redraw_count)
            return values

        return Resamples(self._map_repetitions(differences), len(self.y_true), max(redraw_counts))

    @step(r"\mathrm{SE}", r"\text{how far } $resampled \text{ stray}", check=check.nonnegative)
    def se(self) -> Value:
        """Standard error of the difference: standard deviation of the differences on the resamples."""
        d = self.resampled.differences
        spread = round_noise_to_zero(d - d[0], np.abs(d).max(0))
        exponent = np.frexp(np.abs(spread).max(0))[1]  # divide by a power of two, so that squares neither overflow nor underflow
        return np.ldexp(np.std(np.ldexp(spread, -exponent), axis=0, ddof=1), exponent)

    @step("z_0", r"\Phi^{-1}\left(P($resampled < $statistic) + \frac{1}{2} P($resampled = $statistic)\right)", by="interval", only="BCa")
    def bias(self) -> Value:
        """Bias of the resamples: 0 if the differences on half of the resamples are below the observed difference."""
        return special.ndtri(self.resampled.mid_share(self.statistic))

    _acceleration_formula = (
        r"\frac{\sum_i (\bar D - D_{(i)})^3}{6 \left(\sum_i (\bar D - D_{(i)})^2\right)^{3/2}},\ D_{(i)} \text{ without record } i "
        "<- $y_true $a $b $metric"
    )

    @step(r"\hat a", _acceleration_formula, by="interval", only="BCa")
    def acceleration(self) -> Value:
        """Acceleration: rate at which the standard error changes with the difference."""
        values: Value = self._map_repetitions(skewness)
        return values

    _null_formula: ClassVar = {
        "percentile": r"\text{D less } $resampled <- $statistic",
        "BCa": r"\text{D less } $resampled \text{, corrected by } $bias \text{ and } $acceleration <- $statistic",
    }

    @step("D_0", _null_formula, by="interval", relation=r"\sim")
    def null(self) -> BootstrapNull:
        """Distribution of D under H0: observed difference minus the differences of the resamples."""
        if self.interval == "percentile":
            return BootstrapNull(self.resampled, self.statistic)
        return BootstrapNull(self.resampled, self.statistic, self.bias, self.acceleration)

    _ci_formula: ClassVar = {
        "two-sided": NOT_REJECTED + r" $alpha / 2 \text{ on either side}",
        "greater": NOT_REJECTED + r" $alpha \text{ below}",
        "less": NOT_REJECTED + r" $alpha \text{ above}",
    }

    @step(r"\mathrm{CI}", _ci_formula, by="alternative", over="e", after=True, check=result_checks.interval_ends)
    def ci(self) -> Interval:
        """Confidence interval: true differences that this test does not reject at the same alpha."""
        share = self.alpha / 2 if self.alternative == "two-sided" else self.alpha
        interval = self.null.interval(share, share)
        infinity = np.full(np.shape(interval.low), np.inf)[()]
        return {"greater": Interval(interval.low, infinity), "less": Interval(-infinity, interval.high)}.get(self.alternative, interval)

    @property
    def variant(self) -> str:
        """Key of the formula of the error due to the draws: interval and alternative."""
        return f"{self.interval} {self.alternative}"

    _mc_error_formula: ClassVar = {
        "percentile two-sided": r"\sqrt{\frac{$pvalue (2 - $pvalue)}{$draws}}",
        "percentile greater": r"\sqrt{\frac{$pvalue (1 - $pvalue)}{$draws}}",
        "percentile less": r"\sqrt{\frac{$pvalue (1 - $pvalue)}{$draws}}",
        **dict.fromkeys(
            ("BCa two-sided", "BCa greater", "BCa less"),
            r"\text{error of p by } $null \text{ at } $statistic \text{, with that of the bias}",
        ),
    }

    @step(r"\mathrm{SE}_p", _mc_error_formula, by="variant", after=True, check=check.nonnegative)
    def mc_error(self) -> Value:
        """Standard error of p due to the random draws, which also determine the bias of BCa."""
        if self.interval == "BCa":
            greater, less = (self.null.draws_error(self.statistic, direction) for direction in (1, -1))
            two_sided = 2 * np.where(self.null.at_least(self.statistic) < self.null.at_most(self.statistic), greater, less)[()]
            return {"greater": greater, "less": less}.get(self.alternative, two_sided)
        largest_p = 2 if self.alternative == "two-sided" else 1
        return sqrt(np.maximum(self.pvalue * (largest_p - self.pvalue), 0.0) / self.draws)

    @property
    def remark(self) -> str:
        """Explanation of the result for degenerate data, precision of the draws, and a test without random draws."""
        if np.ndim(self.statistic) or self.get_or_default("se", None) is None:
            return ""
        if not self.se:
            if not self.statistic:
                return "No resample shows a difference: the data give no evidence against H0."
            difference = format_plain(self.statistic)
            return f"The difference is {difference} in every resample: {NO_SPREAD_MESSAGE}, and p depends only on the number of resamples."
        draws_note = f"p comes from {self.draws:,} random resamples, with a standard error of {self.mc_error:.1g}"
        route = self.metric.exact_route
        route_note = f"; {route} needs none" if route else ""
        redraws = self.resampled.redraw_count
        redraw_note = f" {redraws:,} more resamples without {self.metric.display_name} were replaced." if redraws else ""
        discordant = self._joint[0].discordant_count
        exact_test = route if route.endswith("Exact") else "PairedPermutation"
        records = f"{discordant} record{'s' if discordant > 1 else ''}"
        few_note = f" The two differ on only {records}, so p is rough: {exact_test} is exact there."
        return f"{draws_note}{route_note}.{redraw_note}{few_note * (discordant < MIN_DISCORDANT_RECORDS)}"
