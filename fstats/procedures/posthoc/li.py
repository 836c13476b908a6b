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
    r"""Li's two-step procedure: which of several hypotheses can be rejected?

    Origin: published, Li (2008).

    The probability of at least one false rejection is at most alpha.

    First step: if the largest p-value :math:`p_{(m)}` is at most :math:`\alpha`, all hypotheses are rejected.  Second step, if
    :math:`p_{(m)} > \alpha`: each hypothesis with a p-value of at most :math:`(1 - p_{(m)})\,\alpha / (1 - \alpha)` is rejected, except
    the hypothesis with the largest p-value.

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
    The result depends strongly on the largest p-value.  If the largest p-value is 1 (two classifiers with the same mean rank), no
    hypothesis with p > 0 can be rejected.  The procedure assumes independent p-values.  Comparisons that share a classifier are not
    independent; for such comparisons the familywise level is only approximate.

    Raises
    ------
    ValueError, TypeError
        As for :class:`fstats.Friedman`; also if the control is unknown or a p-value is not between 0 and 1.

    References
    ----------
    Li (2008), A two-step rejection procedure for testing multiple hypotheses, Journal of Statistical Planning and Inference 138,
    pages 1521 to 1527.  Garcia, Fernandez, Luengo and Herrera (2010), Advanced nonparametric tests for multiple comparisons,
    Information Sciences 180, pages 2044 to 2064.

    Examples
    --------
    The adjusted p-values are 0.1 / (0.1 + 1 - 0.6) = 0.2 and 0.6 / (0.6 + 1 - 0.6) = 0.6.

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
        """Threshold for each p-value: alpha for the largest p-value (first step), the threshold of the second step for other p-values."""
        second = (1 - self.largest) * self.alpha / (1 - self.alpha)
        last = broadcast_column(np.arange(1, self.m + 1) == self.m, self.largest[None])
        return np.where(last, self.alpha, second[None])

    @step(r"\tilde p_{(r)}", r"\frac{$sorted_pvalues}{$sorted_pvalues + 1 - $largest}", over="r")
    def sorted_adjusted(self) -> Any:
        """Smallest level at which the hypothesis on this rung is rejected, in the first or the second step."""
        return ratio(self.sorted_pvalues, self.sorted_pvalues + (1 - self.largest))
