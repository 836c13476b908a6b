"""Li's procedure."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.numerics.zero_division import ratio
from ...core.step import step
from ...core.validation import check
from ...core.value_types import Array, broadcast_column
from .stepwise_procedure import StepwiseProcedure


class Li(StepwiseProcedure):
    r"""Li's two-step procedure: which of several hypotheses are false, when none that is true may be rejected?

    First step: if the largest p-value is at most :math:`\alpha`, all hypotheses are rejected.  Second step: otherwise that
    one is kept, and each other is rejected if its p-value is at most :math:`(1 - p_{(m)})\,\alpha / (1 - \alpha)`.

    .. math:: \tilde p_{(r)} = \frac{p_{(r)}}{p_{(r)} + 1 - p_{(m)}}

    Parameters
    ----------
    scores, labels, data_sets, higher_is_better, metric, control, alpha
        As for :class:`fstats.Holm`.

    Attributes
    ----------
    pairs, pvalues, adjusted, reject, ladder
        As for :class:`fstats.Holm`.

    Notes
    -----
    The largest p-value decides how much the others may say: if it is 1 (two classifiers with the same mean rank), nothing
    with p > 0 can be rejected.  The procedure suits independent p-values, which those of comparisons that share a classifier
    are not, so take the familywise level as approximate.

    Raises
    ------
    ValueError, TypeError
        As for :class:`fstats.Friedman`; for an unknown control, p-values that are not between 0 and 1.

    References
    ----------
    Li (2008), A two-step rejection procedure for testing multiple hypotheses, Journal of Statistical Planning and Inference 138,
    pages 1521 to 1527.  Garcia, Fernandez, Luengo and Herrera (2010), Advanced nonparametric tests for multiple comparisons,
    Information Sciences 180, pages 2044 to 2064.

    Examples
    --------
    0.1 / (0.1 + 1 - 0.6) = 0.2, and 0.6 / (0.6 + 1 - 0.6) = 0.6.

    >>> import fstats
    >>> fstats.Li.from_pvalues([0.1, 0.6]).adjusted
    array([0.2, 0.6])
    """

    @step("p_{(m)}", r"\max_h\ $pvalues", check=check.probability)
    def largest(self) -> Any:
        """The largest p-value."""
        return self.pvalues.max(0)

    @step(r"\alpha_r", r"(1 - $largest)\,\frac{$alpha}{1 - $alpha} \text{ for } r < $m;\ \alpha_m = $alpha", over="r")
    def thresholds(self) -> Array:
        """What each p-value is compared with: first the largest, which takes all others along; if it fails, each other on its own."""
        second = (1 - self.largest) * self.alpha / (1 - self.alpha)
        last = broadcast_column(np.arange(1, self.m + 1) == self.m, self.largest[None])
        return np.where(last, self.alpha, second[None])

    @step(r"\tilde p_{(r)}", r"\frac{$sorted_pvalues}{$sorted_pvalues + 1 - $largest}", over="r")
    def sorted_adjusted(self) -> Any:
        """Smallest level at which the rung is rejected, in the first step or the second."""
        return ratio(self.sorted_pvalues, self.sorted_pvalues + (1 - self.largest))
