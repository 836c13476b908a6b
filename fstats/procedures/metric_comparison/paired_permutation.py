"""The paired permutation test of any metric."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import sqrt

from ...core.number_format import format_plain
from ...core.step import step
from ...core.validation import check
from ...core.value_types import Value
from .joint_outcomes import Joint
from .paired_metric import PairedMetric
from .resampling_distributions import Exchanged


class PairedPermutation(PairedMetric):
    r"""Paired permutation test: could the predictions of two classifiers, compared by any metric, be exchanged record by record?

    If they could, then on each record a fair coin might as well have said which prediction is A's.  All ways to exchange them are equally
    likely, and p is the share of those in which the metric differs as much,

    .. math:: p = \min\left\{1,\ 2\,P(D_0 \geq |D|)\right\}.

    Parameters
    ----------
    draws : int
        How many random ways to exchange, at least 100, where all are too many.
    y_true, a, b, metric, rng, labels, alternative, alpha
        As for :class:`fstats.PairedBootstrap`.

    Notes
    -----
    **What is counted.**  Only records on which the outcomes differ for the metric matter, and of those that differ alike only how many are
    exchanged: n of them make n + 1 ways with binomial probabilities, not 2^n.  For the accuracy all differ alike, and p is that of
    :class:`fstats.McNemarExact`, to the last digit up to 500 records.  Where such ways are few, or quickly gone through, all are, and p is
    exact; else as many as `draws` says are drawn, each together with its opposite, and the records as they are count as one of them, so
    that p is never 0 and its level holds with any number of draws.  `mc_error` is then the standard error that drawing leaves in p.

    **What is exchanged.**  For AUC and average precision the ranks that each gives all records, as scores of two models may have any scale;
    for means of losses the losses; for all else the predictions.

    **What H0 is.**  That A and B may be exchanged is more than that their metrics are equal.  For accuracy it is the same.  For a mean of
    losses, for F1 or AUC, two classifiers that are equally good but fail in different ways break it.  Of simulated data sets with equal
    metrics it rejected at alpha = 0.05 (``test_any_metric.py``): where exchanging is right, 0.4 % for the accuracy on 20 records and 2.3 %
    on 50 (exact, and cautious as McNemar's test), 4.7 % for AUC on 40; where it is not, 5.2 % for F1 on 100, where one is precise and
    the other finds more, but 8.2 % for the mean absolute error on 20 and for RMSE 18 % on 20 and 11 % on 100, where one makes rare but
    large mistakes.  For an interval, and where equal metrics are the question, take :class:`fstats.PairedBootstrap`, which has no less
    trouble with the last.

    Where the outcomes never differ p = 1.

    Raises
    ------
    ValueError, TypeError
        For lengths that differ, values that the metric does not take, an unknown metric or alternative, fewer than 100 draws, a metric that
        is not defined on the records, a level outside (0, 1).

    References
    ----------
    Fisher (1935), The design of experiments, section 21.  Efron and Tibshirani (1993), An introduction to the bootstrap, chapter 15.
    Phipson and Smyth (2010), Permutation p-values should never be zero, Statistical Applications in Genetics and Molecular Biology 9,
    article 39.  Bandos, Rockette and Gur (2005), A permutation test sensitive to differences in areas for comparing ROC curves from a
    paired design, Statistics in Medicine 24, pages 2873 to 2893.

    Examples
    --------
    A is off by 0, 0 and 0, B by 1, 2 and 4.  Of the 8 ways to exchange these distances one has as large a difference of the mean in favour
    of A, 7/3, and one in favour of B: p = 2/8.

    >>> import fstats
    >>> test = fstats.PairedPermutation([5, 6, 7], [5, 6, 7], [6, 8, 3], metric="mae")
    >>> print(test.statistic.round(4), test.pvalue, test.mc_error)
    2.3333 0.25 0.0
    """

    @step("m", r"\#\{\text{outcomes of } $a \text{ and } $b \text{ differ}\} <- $y_true $metric", check=check.counts)
    def discordant(self) -> Value:
        """Records on which the two have different outcomes for the metric."""
        return np.asarray(self._of_each(lambda joint: joint.differing))[()]

    @step("D_0", r"\text{D with } $a \text{ and } $b \text{ exchanged at random } <- $y_true $metric $draws $rng", relation=r"\sim")
    def null(self) -> Exchanged:
        """Distribution of D under H0: each record has its two outcomes either way, by a fair coin."""

        def exchanged(joint: Joint) -> Any:
            return joint.exchanged(self.draws, self.rng)

        found = [exchanged(joint) for joint in self._joint]
        return Exchanged(tuple(tails for tails, _ in found), self.y_true.shape[1:], tuple(0 if exact else self.draws for _, exact in found))

    @step(
        r"\mathrm{SE}_p",
        r"\sqrt{\frac{$pvalue (1 - $pvalue)}{B}} \text{ of draws, 0 of all ways } <- $null",
        after=True,
        check=check.nonnegative,
    )
    def mc_error(self) -> Value:
        """Standard error of p by the chance of the draws, at most; 0 where none were needed."""
        draws = np.reshape(self.null.draws, self.null.shape)
        return np.where(draws > 0, sqrt(self.pvalue * (1 - self.pvalue) / np.maximum(draws, 1)), 0.0)[()]

    @property
    def remark(self) -> str:
        """Why degenerate data are answered as they are, and how exact p is."""
        if np.ndim(self.statistic) or self.get_or_default("discordant", None) is None:
            return ""
        if not self.discordant:
            return "The two come to the same on every record: nothing speaks against H0."
        if np.isinf(self.critical_value).all():
            return f"With so few records that differ ({format_plain(self.discordant)}) no outcome could have rejected H0 at this alpha."
        drawn = f"p comes from {self.draws:,} random ways to exchange, with a standard error of at most {self.mc_error:.1g}."
        return drawn if self.mc_error else ""
