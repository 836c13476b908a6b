"""Finner's procedure."""

from __future__ import annotations

import numpy as np

from ...core.step import step
from ...core.value_types import Array, broadcast_column
from .stepwise_procedure import StepwiseProcedure


class Finner(StepwiseProcedure):
    r"""Finner's procedure: which of several hypotheses can be rejected?

    Origin: published, Finner (1993).

    The probability of at least one false rejection is at most alpha.

    Like Holm's procedure, Finner's procedure starts at the smallest p-value, and rejects hypotheses until a p-value is above its threshold.
    The thresholds are

    .. math:: \alpha_r = 1 - (1 - \alpha)^{r / m}, \qquad
              \tilde p_{(r)} = \max_{g \leq r}\ 1 - (1 - p_{(g)})^{m / g}

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
    The thresholds assume independent p-values, and lie close to a straight line from :math:`\alpha / m` to :math:`\alpha`.
    Comparisons that share a classifier are not independent; for such comparisons the familywise level is only approximate.

    Raises
    ------
    ValueError, TypeError
        As for :class:`fstats.Friedman`; also if the control is unknown or a p-value is not between 0 and 1.

    References
    ----------
    Finner (1993), On a monotonicity problem in step-down multiple test procedures, JASA 88, pages 920 to 923.  Garcia, Fernandez,
    Luengo and Herrera (2010), Advanced nonparametric tests for multiple comparisons, Information Sciences 180,
    pages 2044 to 2064.

    Examples
    --------
    The adjusted p-values are 1 - 0.9**2 = 0.19 and 1 - 0.8 = 0.2.

    >>> import fstats
    >>> fstats.Finner.from_pvalues([0.1, 0.2]).adjusted.round(10)
    array([0.19, 0.2 ])
    """

    @step(r"\alpha_r", r"1 - (1 - $alpha)^{r / $m}", over="r")
    def thresholds(self) -> Array:
        """Threshold for the p-value on each rung (rung 1 holds the smallest p-value)."""
        return -np.expm1(np.arange(1, self.m + 1) / self.m * np.log1p(-self.alpha))

    @step(r"\tilde p_{(r)}", r"\max\left\{1 - (1 - $sorted_pvalues)^{$m / r},\ \tilde p_{(r - 1)}\right\}", over="r")
    def sorted_adjusted(self) -> Array:
        """Adjusted p-value on each rung: the largest value of the formula on this rung and on all rungs before it."""
        power = broadcast_column(self.m / np.arange(1, self.m + 1), self.sorted_pvalues)
        with np.errstate(divide="ignore"):  # for p = 1, log(1 - p) is -inf, and the result is correct
            return np.maximum.accumulate(-np.expm1(power * np.log1p(-self.sorted_pvalues)), axis=0)
