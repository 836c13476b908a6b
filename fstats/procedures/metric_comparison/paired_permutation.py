"""Paired permutation test for any metric."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import sqrt

from ...core.number_format import format_plain
from ...core.step import step
from ...core.validation import check
from ...core.value_types import Value
from .joint_outcomes import JointOutcomes
from .paired_metric import PairedMetric
from .resampling_distributions import PermutationNull


class PairedPermutation(PairedMetric):
    r"""Paired permutation test: are the predictions of two classifiers exchangeable on each record?

    Origin: published, Fisher (1935).

    The test compares the two classifiers in any metric, such as accuracy or F1.

    Under H0, the two predictions for each record are exchangeable: if some of the records are chosen, and the predictions of A and B on
    them are exchanged, all choices are equally likely.  The p-value is the share of choices with which the metrics differ at least as much
    as in the data,

    .. math:: p = \min\left\{1,\ 2\,P(D_0 \geq |D|)\right\}.

    Parameters
    ----------
    draws : int
        Number of random exchanges, at least 100, if there are too many possible exchanges to evaluate all.
    y_true, a, b, metric, rng, labels, alternative, alpha
        As for :class:`fstats.PairedBootstrap`.

    Notes
    -----
    **What is counted.**  Only records on which the outcomes differ for the metric matter.  For records with the same pair of outcomes,
    only the number of exchanged records matters: n such records give n + 1 ways with binomial probabilities, not 2^n.  For accuracy, p
    equals the p-value of :class:`fstats.McNemarExact`, to the last digit up to 500 records.  If all ways can be evaluated quickly, all
    ways are evaluated, and p is exact.  If there are too many ways, `draws` random ways are drawn, each together with its opposite, and
    the data count as one more draw.  Because the data count as a draw, p is never 0, and the test keeps its level for any number of
    draws.  `mc_error` is the standard error of p due to the random draws.

    **What is exchanged.**  For AUC and average precision, the test exchanges the ranks that each model gives to the records, because
    scores of two models may have different scales.  For means of losses it exchanges the losses, and for all other metrics the
    predictions.

    **What H0 says.**  H0 states that A and B are exchangeable, which is stronger than the statement that the metrics are equal.  For
    accuracy both statements are equivalent.  For a mean of losses, for F1 or AUC, two equally good classifiers with different kinds of
    errors violate H0.  In simulated data sets with equal metrics the rejection rates at alpha = 0.05 were as follows
    (``test_any_metric.py``).  If H0 is true: 0.4 % for the accuracy on 20 records and 2.3 % on 50 (exact, and cautious like McNemar's
    test), 4.7 % for AUC on 40.  If H0 is false although the metrics are equal: 5.2 % for F1 on 100 (one classifier precise, the other
    with more recall), but 8.2 % for the mean absolute error on 20 and for RMSE 18 % on 20 and 11 % on 100 (one classifier with rare but
    large errors).  For an interval, and for the question of equal metrics, use :class:`fstats.PairedBootstrap`; it has similar problems
    with RMSE.

    If the outcomes of A and B are equal on every record, p = 1.

    Raises
    ------
    ValueError, TypeError
        For different lengths, values that do not fit the metric, an unknown metric or alternative, fewer than 100 draws, a metric that
        is not defined on the records, a level outside (0, 1).

    References
    ----------
    Fisher (1935), The design of experiments, section 21.  Efron and Tibshirani (1993), An introduction to the bootstrap, chapter 15.
    Phipson and Smyth (2010), Permutation p-values should never be zero, Statistical Applications in Genetics and Molecular Biology 9,
    article 39.  Bandos, Rockette and Gur (2005), A permutation test sensitive to differences in areas for comparing ROC curves from a
    paired design, Statistics in Medicine 24, pages 2873 to 2893.

    Examples
    --------
    The errors of A are 0, 0 and 0, and the errors of B are 1, 2 and 4.  Of the 8 ways to exchange these errors, one has a mean difference
    of 7/3 in favour of A and one has 7/3 in favour of B: p = 2/8.

    >>> import fstats
    >>> test = fstats.PairedPermutation([5, 6, 7], [5, 6, 7], [6, 8, 3], metric="mae")
    >>> print(test.statistic.round(4), test.pvalue, test.mc_error)
    2.3333 0.25 0.0
    """

    @step("m", r"\#\{\text{outcomes of } $a \text{ and } $b \text{ differ}\} <- $y_true $metric", check=check.counts)
    def discordant(self) -> Value:
        """Number of records on which A and B have different outcomes for the metric."""
        return np.asarray(self._map_repetitions(lambda joint: joint.discordant_count))[()]

    @step("D_0", r"\text{D with } $a \text{ and } $b \text{ exchanged at random } <- $y_true $metric $draws $rng", relation=r"\sim")
    def null(self) -> PermutationNull:
        """Distribution of D under H0: the two outcomes of each record are exchanged with probability 1/2."""

        def distribution(joint: JointOutcomes) -> Any:
            return joint.permutation_distribution(self.draws, self.rng)

        tables, exact = zip(*map(distribution, self._joint), strict=True)
        return PermutationNull(tables, self.y_true.shape[1:], tuple(0 if is_exact else self.draws for is_exact in exact))

    _mc_error_formula = r"\sqrt{\frac{$pvalue (1 - $pvalue)}{B}} \text{ of draws, 0 of all ways } <- $null"

    @step(r"\mathrm{SE}_p", _mc_error_formula, after=True, check=check.nonnegative)
    def mc_error(self) -> Value:
        """Upper bound of the standard error of p due to the random draws; 0 if p is exact."""
        draws = np.reshape(self.null.draws, self.null.shape)
        return np.where(draws > 0, sqrt(self.pvalue * (1 - self.pvalue) / np.maximum(draws, 1)), 0.0)[()]

    @property
    def remark(self) -> str:
        """Explanation of the result for degenerate data, and the precision of p."""
        if np.ndim(self.statistic) or self.get_or_default("discordant", None) is None:
            return ""
        if not self.discordant:
            return "The two have the same outcome on every record: the data give no evidence against H0."
        if np.isinf(self.critical_value).all():
            return f"With so few differing records ({format_plain(self.discordant)}) no result could reject H0 at this alpha."
        draws_note = f"p comes from {self.draws:,} random exchanges, with a standard error of at most {self.mc_error:.1g}."
        return draws_note if self.mc_error else ""
