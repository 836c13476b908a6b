"""The paired bootstrap of any metric."""

from __future__ import annotations

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
from .joint_outcomes import Joint
from .paired_metric import PairedMetric
from .resampling_distributions import FallenShort, Resamples

MIN_DISCORDANT_RECORDS = 20  # records, of which resamples have too few different differences
NOT_REJECTED = r"\text{what } $null \text{ does not reject, with }"


def skewness(joint: Joint) -> float:
    """A sixth of the skewness of what single records do to the difference; 0 where they all do the same."""
    d, counts = joint.without_each()
    if np.isnan(d).any():
        raise ValueError(
            f'metric must be defined without each single record for interval="BCa"; {joint.metric.words} gave nan: '
            'write interval="percentile"'
        )
    away = np.asarray(round_noise_to_zero(counts @ d / joint.n - d, np.full(len(d), np.abs(d).max())))
    unit = np.abs(away).max() or 1.0
    return float(ratio(counts @ (away / unit) ** 3, 6 * (counts @ (away / unit) ** 2) ** 1.5))


class PairedBootstrap(PairedMetric):
    r"""Paired bootstrap: do two classifiers differ in a metric, any one, on the same records?

    Other test sets of n records are imitated by drawing n records with replacement from these, B times, each with its true value and both
    predictions.  A true difference :math:`\delta` is rejected where the differences :math:`D^*` of the resamples hardly reach it,

    .. math:: p = 2 \min\left\{\frac{\#\{D^* \leq 0\} + 1}{B + 1},\ \frac{\#\{D^* \geq 0\} + 1}{B + 1}\right\},

    and the interval holds those that are not: the middle of the resamples (*percentile*), or a middle that is moved for their bias and for
    a standard error that changes with the difference (*BCa*).

    Parameters
    ----------
    y_true : array_like, shape (n,) or (n, ...)
        The true value of each of n >= 2 records: a class, 1 and 0 where one class is the positive one, or a number.
    a, b : array_like, shape (n,) or (n, ...)
        What the classifiers predict for each record, as the metric takes it: classes, scores, probabilities of the class 1, numbers.
        Further axes are independent repetitions.
    metric : str or Metric
        What is compared, by its name ("accuracy", "f1_macro", "auc", "log_loss", ...: see :class:`fstats.Metric`), or your own.
    interval : {"percentile", "BCa"}
        How resamples become an interval and p.
    draws : int
        How many resamples, at least 100.
    rng : int, numpy Generator or None
        The seed of the draws: the same seed gives the same numbers.  From a Generator (or for None) a seed is drawn, which is kept.
    labels : list of str, optional
        Names of the two classifiers in sentences and table headings, A first.  Default: the names of two pandas Series, or A and B.
    alternative : {"two-sided", "greater", "less"}
        "greater" claims that A is better: a higher score, or a lower loss.
    alpha : float
        Significance level.  H0 is rejected if and only if ``pvalue <= alpha``.

    Notes
    -----
    H0 says that the metrics would be equal on all records of the kind.  It does not say that the predictions could be exchanged, which
    is what :class:`fstats.PairedPermutation` asks.  Records must be independent, and the classifiers are as they were trained.

    **Where no drawing is needed.**  Accuracy has an exact test, :class:`fstats.McNemarExact`, and AUC a formula,
    :class:`fstats.DeLong`; a mean of losses is a mean, and with many records :class:`fstats.PairedT` on the losses says the same.  The
    others, F1, macro-F1, balanced accuracy, MCC, average precision and RMSE, are ratios or roots of several counts and sums, and need
    resampling.

    **How well the level is kept.**  Of simulated data sets with equal metrics these shares were rejected at alpha = 0.05, by percentile and
    by BCa (``test_any_metric.py``; 1 less them is the coverage of the interval): for the accuracy 4.2 and 9.5 % on 20 records, 4.3 and
    5.0 % on 50; for F1 5.0 and 4.3 % on 100; for AUC 5.4 and 6.5 % on 40.  Where one of the two makes rare but large mistakes, both
    intervals are too short: for the mean absolute error on 20 records 9.8 and 8.9 %, for RMSE 18 and 15 %, on 100 records 9.7 and 7.8 %.
    There BCa gains something; of counts it gains nothing, and on few records it rejects too often.  Nor is p exact where few records
    differ: of 10 records 4 differ, all of them in favour of A; a resample misses them with a chance of 0.6^10, so p is about 0.012, and
    that of :class:`fstats.McNemarExact` 0.125.

    The records as they are count as one resample more, so p is never below 2 / (B + 1).  `mc_error` is the standard error that the number
    of draws leaves in p; all repetitions of a batch have the same seed.  A resample without one of the classes has no AUC and no average
    precision (a metric of your own may give nan): another is drawn in its place, and `remark` says how many.  Where all resamples have
    the same difference they show no luck, however few records there are: `remark` says so.

    Resamples are counts of the outcomes that differ for the metric: for a million records and their accuracy, 4 counts.  Scores and losses
    that are all different leave as many counts as records: 9,999 resamples of a million took 3 minutes of a processor for losses, and some
    10 for AUC.  BCa leaves out each of them in turn, in 22 seconds for 100,000 and a hundred times that for a million.

    Raises
    ------
    ValueError, TypeError
        For lengths that differ, values that the metric does not take, an unknown metric, interval or alternative, fewer than 100 draws, a
        metric that is not defined on the records, or on hardly any resample, a level outside (0, 1).

    References
    ----------
    Efron and Tibshirani (1993), An introduction to the bootstrap, section 13.3 (percentile), section 14.3 (BCa) and section 15.4 (the
    level at which an interval reaches 0).  Efron (1987), Better bootstrap confidence intervals, JASA 82, pages 171 to 185.

    Examples
    --------
    A is right on both records, B on the first.  A resample holds the second never, once or twice, with chances 1/4, 1/2 and 1/4, so
    D* = 0 in a quarter of them, and p = 2/4.

    >>> import fstats
    >>> test = fstats.PairedBootstrap([1, 0], [1, 0], [1, 1])
    >>> print(test.statistic, abs(test.pvalue - 0.5) < 4 * test.mc_error, *test.ci)
    0.5 True 0.0 1.0
    """

    interval: str = input_field(
        r"\text{interval}", "How resamples become an interval.", check=check.choice("percentile", "BCa"), default="percentile", kw_only=True
    )

    @step("D^*", r"\text{D of } $draws \text{ resamples of } $y_true, $a, $b <- $metric $rng", relation=r"\sim")
    def resampled(self) -> Resamples:
        """Difference on records drawn with replacement from these."""
        again: list[int] = []

        def drawn(joint: Joint) -> object:
            differences, more = joint.resampled(self.draws, self.rng)
            again.append(more)
            return differences

        return Resamples(self._of_each(drawn), len(self.y_true), max(again))

    @step(r"\mathrm{SE}", r"\text{how far } $resampled \text{ stray}", check=check.nonnegative)
    def se(self) -> Value:
        """Standard error of the difference: the standard deviation of the resamples."""
        d = self.resampled.differences
        return np.std(round_noise_to_zero(d - d[0], np.abs(d).max(0)), axis=0, ddof=1)

    @step(
        "z_0",
        r"\Phi^{-1}\left(P($resampled < $statistic) + \frac{1}{2} P($resampled = $statistic)\right)",
        by="interval",
        only="BCa",
    )
    def bias(self) -> Value:
        """Bias of the resamples: 0 where half of them lie below the difference found."""
        return special.ndtri(self.resampled.around(self.statistic))

    @step(
        r"\hat a",
        r"\frac{\sum_i (\bar D - D_{(i)})^3}{6 \left(\sum_i (\bar D - D_{(i)})^2\right)^{3/2}},\ D_{(i)} \text{ without record } i "
        "<- $y_true $a $b $metric",
        by="interval",
        only="BCa",
    )
    def acceleration(self) -> Value:
        """Acceleration: how the standard error changes with the difference."""
        found: Value = self._of_each(skewness)
        return found

    @step(
        "D_0",
        {
            "percentile": r"\text{D less } $resampled <- $statistic",
            "BCa": r"\text{D less } $resampled \text{, corrected by } $bias \text{ and } $acceleration <- $statistic",
        },
        by="interval",
        relation=r"\sim",
    )
    def null(self) -> FallenShort:
        """Distribution of D under H0: that by which resamples fall short of the difference from which they were drawn."""
        if self.interval == "percentile":
            return FallenShort(self.resampled, self.statistic)
        return FallenShort(self.resampled, self.statistic, self.bias, self.acceleration)

    @step(
        r"\mathrm{CI}",
        {
            "two-sided": NOT_REJECTED + r" $alpha / 2 \text{ on either side}",
            "greater": NOT_REJECTED + r" $alpha \text{ below}",
            "less": NOT_REJECTED + r" $alpha \text{ above}",
        },
        by="alternative",
        over="e",
        after=True,
        check=result_checks.interval_ends,
    )
    def ci(self) -> Interval:
        """Confidence interval: the true differences that this test would not reject at the same alpha."""
        share = self.alpha / 2 if self.alternative == "two-sided" else self.alpha
        kept = self.null.kept(share, share)
        endless = np.full(np.shape(kept.low), np.inf)[()]
        return {"greater": Interval(kept.low, endless), "less": Interval(-endless, kept.high)}.get(self.alternative, kept)

    @step(
        r"\mathrm{SE}_p",
        {
            "two-sided": r"\sqrt{\frac{$pvalue (2 - $pvalue)}{$draws}}",
            "greater": r"\sqrt{\frac{$pvalue (1 - $pvalue)}{$draws}}",
            "less": r"\sqrt{\frac{$pvalue (1 - $pvalue)}{$draws}}",
        },
        by="alternative",
        after=True,
        check=check.nonnegative,
    )
    def mc_error(self) -> Value:
        """Standard error of p by the chance of the draws."""
        sure = 2 if self.alternative == "two-sided" else 1
        return sqrt(np.maximum(self.pvalue * (sure - self.pvalue), 0.0) / self.draws)

    @property
    def remark(self) -> str:
        """Why degenerate data are answered as they are, how exact the draws are, and what needs none."""
        if np.ndim(self.statistic) or self.if_known("se", None) is None:
            return ""
        if not self.se:
            if not self.statistic:
                return "No resample tells the two apart: nothing speaks against H0."
            return f"The difference is {format_plain(self.statistic)} in every resample: {NO_SPREAD_MESSAGE}, and p says nothing but how many there are."
        drawn = f"p comes from {self.draws:,} random resamples, with a standard error of {self.mc_error:.1g}"
        other = f"; {self.metric.exact_route} needs none" if self.metric.exact_route else ""
        again = self.resampled.again
        redrawn = f" In the place of {again:,} more, which had no {self.metric.words}, others were drawn." if again else ""
        apart = self._joint[0].differing
        exact = self.metric.exact_route if self.metric.exact_route.endswith("Exact") else "PairedPermutation"
        few = f" Only {apart} record{'s tell' if apart > 1 else ' tells'} the two apart, so p is rough: {exact} is exact there."
        return f"{drawn}{other}.{redrawn}{few * (apart < MIN_DISCORDANT_RECORDS)}"
