"""Holm's procedure."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.step import step
from ...core.validation import check
from ...core.value_types import Array, broadcast_column
from .stepwise_procedure import StepwiseProcedure


class Holm(StepwiseProcedure):
    r"""Holm's procedure: which of several hypotheses are false, when none that is true may be rejected?

    The smallest p-value is compared with :math:`\alpha / m`, the next with :math:`\alpha / (m - 1)`, and so on up to
    :math:`\alpha`; the first that lies above its threshold ends the climb.  As adjusted p-values:

    .. math:: \tilde p_{(r)} = \min\left\{1,\ \max_{g \leq r}\ (m - g + 1)\, p_{(g)}\right\}

    Given scores, the hypotheses are that two classifiers have the same mean rank, with
    :math:`z = (\bar R_l - \bar R_j) / \mathrm{SE}` and two-sided normal p-values.  :meth:`from_pvalues` takes p-values from
    anywhere, :meth:`from_test` those of another test.

    Parameters
    ----------
    scores : array_like or DataFrame, shape (N, k) or (N, k, ...)
        Scores of k >= 2 classifiers (columns) on N >= 2 data sets (rows), any unit.  Further axes are independent repetitions.
    labels : list of str, optional
        Names of the classifiers; by default the column names of a DataFrame, or A, B, C, ...
    data_sets : list of str, optional
        Names of the data sets; by default those in a DataFrame's index.
    higher_is_better : bool
        False for errors and losses: then the lowest score has rank 1.
    metric : str
        What the scores are, such as "RMSE"; where its name says loss or error, lower is better by default.
    control : str, optional
        The label of the classifier that all others are compared with; without it all pairs are compared.
    alpha : float
        Familywise level: the chance of rejecting any true hypothesis; one is rejected if and only if ``adjusted <= alpha``.

    Attributes
    ----------
    pairs, pvalues, adjusted, reject : arrays with an entry for each comparison
        Adjusted p-values stand in the order of `pairs` and are at most 1.
    ladder : list of StepwiseRow
        The rungs from the smallest p-value up: pair, pvalue, threshold, adjusted, reject.

    Notes
    -----
    Holm's procedure asks nothing of how the p-values depend on each other, and rejects whatever Bonferroni's does.  Equal
    p-values have equal adjusted ones.  Classifiers with the same mean rank have p = 1.  Ties do not enter the standard error,
    which makes the procedure a little cautious where scores tie.

    Raises
    ------
    ValueError, TypeError
        As for :class:`fstats.Friedman`; for an unknown control, p-values that are not between 0 and 1.

    References
    ----------
    Holm (1979), A simple sequentially rejective multiple test procedure, Scandinavian Journal of Statistics 6, pages 65 to 70.
    Demsar (2006), JMLR 7, section 3.2.2.  Garcia and Herrera (2008), JMLR 9, section 2 (all pairs, adjusted p-values).

    Examples
    --------
    3 * 0.01, then 2 * 0.02 = 0.04, then 1 * 0.03, which cannot be less than the 0.04 before.

    >>> import fstats
    >>> fstats.Holm.from_pvalues([0.02, 0.01, 0.03]).adjusted
    array([0.04, 0.03, 0.04])
    """

    @step("t_r", "$m - r + 1", over="r", check=check.counts)
    def most_true(self) -> Any:
        """How many hypotheses can still be true when those on the rungs before are false."""
        return self.m - np.arange(self.m)

    @step(r"\alpha_r", r"\frac{$alpha}{$most_true}", over="r")
    def thresholds(self) -> Array:
        """What the p-value on each rung is compared with: the level, shared by as many hypotheses as can still be true."""
        return self.alpha / self.most_true

    @step(r"\tilde p_{(r)}", r"\min\left\{1,\ \max\{$most_true\,$sorted_pvalues,\ \tilde p_{(r - 1)}\}\right\}", over="r")
    def sorted_adjusted(self) -> Array:
        """Smallest level at which the rung is rejected: climb from the smallest p-value and stop at the first above its threshold."""
        raised = broadcast_column(self.most_true, self.sorted_pvalues) * self.sorted_pvalues
        return np.minimum(1, np.maximum.accumulate(raised, axis=0))
