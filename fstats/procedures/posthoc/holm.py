"""Holm's procedure."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.step import step
from ...core.validation import check
from ...core.value_types import Array, broadcast_column
from .stepwise_procedure import StepwiseProcedure


class Holm(StepwiseProcedure):
    r"""Holm's procedure: which of several hypotheses can be rejected?

    Origin: published, Holm (1979).

    The probability of at least one false rejection is at most alpha.

    The smallest of m p-values is compared with :math:`\alpha / m`, the second smallest p-value with :math:`\alpha / (m - 1)`, and so on, up
    to the largest p-value, which is compared with :math:`\alpha`.  Holm's procedure stops at the first p-value above its threshold.  It
    rejects all hypotheses with smaller p-values than this one.  The adjusted p-values are

    .. math:: \tilde p_{(r)} = \min\left\{1,\ \max_{g \leq r}\ (m - g + 1)\, p_{(g)}\right\}

    If the input is a table of scores, each hypothesis states that two classifiers have the same mean rank, and the p-values are two-sided
    normal p-values of :math:`z = (\bar R_l - \bar R_j) / \mathrm{SE}`.  :meth:`from_pvalues` takes p-values from any source, and
    :meth:`from_test` the p-values of another test.

    Parameters
    ----------
    scores : array_like or DataFrame, shape (N, k) or (N, k, ...)
        Scores of k >= 2 classifiers (columns) on N >= 2 data sets (rows), in any unit.  Further axes are independent repetitions.
        A list of scores for each classifier (``Holm(a, b, c)``), or a dictionary of such lists, is taken as the columns.
    labels : list of str, optional
        Names of the classifiers; by default the column names of a DataFrame, or A, B, C, ...
    data_sets : list of str, optional
        Names of the data sets; by default the index of a DataFrame.
    higher_is_better : bool
        False for errors and losses: with False, the lowest score has rank 1.
    metric : str
        Name of the metric, such as "RMSE"; if the name says loss or error, lower is better by default.
    control : str, optional
        Label of the control, with which every other classifier is compared; without a control, all pairs are compared.
    alpha : float
        Familywise level: probability of rejecting at least one true hypothesis.  A hypothesis is rejected if and only if
        ``adjusted <= alpha``.

    Attributes
    ----------
    pairs, pvalues, adjusted, reject : arrays with an entry for each comparison
        Adjusted p-values are in the order of `pairs` and are at most 1.
    ladder : list of StepwiseRow
        Hypotheses sorted from the smallest p-value to the largest, one row (rung) for each hypothesis, with pair, pvalue, threshold,
        adjusted, reject.

    Notes
    -----
    Holm's procedure allows any dependence of the p-values, and rejects every hypothesis that the Bonferroni procedure rejects.  Equal
    p-values have equal adjusted p-values.  Classifiers with the same mean rank have p = 1.  Ties do not change the standard error; if
    there are ties, the procedure is slightly conservative.

    Raises
    ------
    ValueError, TypeError
        As for :class:`fstats.Friedman`; also if the control is unknown or a p-value is not between 0 and 1.

    References
    ----------
    Holm (1979), A simple sequentially rejective multiple test procedure, Scandinavian Journal of Statistics 6, pages 65 to 70.
    Demsar (2006), JMLR 7, section 3.2.2.  Garcia and Herrera (2008), JMLR 9, section 2 (all pairs, adjusted p-values).

    Examples
    --------
    The products of p-values and factors are 3 * 0.01 = 0.03, 2 * 0.02 = 0.04 and 1 * 0.03 = 0.03; the third product is raised to the
    second, 0.04.

    >>> import fstats
    >>> fstats.Holm.from_pvalues([0.02, 0.01, 0.03]).adjusted
    array([0.04, 0.03, 0.04])
    """

    @step("t_r", "$m - r + 1", over="r", check=check.counts)
    def most_true(self) -> Any:
        """Number of hypotheses that can still be true if the hypotheses with smaller p-values are false."""
        return self.m - np.arange(self.m)

    @step(r"\alpha_r", r"\frac{$alpha}{$most_true}", over="r")
    def thresholds(self) -> Array:
        """Threshold for the p-value on each rung: the level alpha divided by the number of hypotheses that can still be true."""
        return self.alpha / self.most_true

    @step(r"\tilde p_{(r)}", r"\min\left\{1,\ \max\{$most_true\,$sorted_pvalues,\ \tilde p_{(r - 1)}\}\right\}", over="r")
    def sorted_adjusted(self) -> Array:
        """Adjusted p-value on each rung: the largest value of the formula on this rung and on all rungs before it."""
        products = broadcast_column(self.most_true, self.sorted_pvalues) * self.sorted_pvalues
        return np.minimum(1, np.maximum.accumulate(products, axis=0))
