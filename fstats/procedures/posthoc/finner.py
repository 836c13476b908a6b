"""Finner's procedure."""

from __future__ import annotations

import numpy as np

from ...core.step import step
from ...core.value_types import Array, broadcast_column
from .stepwise_procedure import StepwiseProcedure


class Finner(StepwiseProcedure):
    r"""Finner's procedure: which of several hypotheses are false, when none that is true may be rejected?

    As Holm's, from the smallest p-value up to the first that lies above its threshold, which is

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
    The thresholds suit independent p-values, and are close to a straight line from :math:`\alpha / m` up to
    :math:`\alpha`.  Comparisons that share a classifier are not independent, so take the familywise level as approximate.

    Raises
    ------
    ValueError, TypeError
        As for :class:`fstats.Friedman`; for an unknown control, p-values that are not between 0 and 1.

    References
    ----------
    Finner (1993), On a monotonicity problem in step-down multiple test procedures, JASA 88, pages 920 to 923.  Garcia, Fernandez,
    Luengo and Herrera (2010), Advanced nonparametric tests for multiple comparisons, Information Sciences 180,
    pages 2044 to 2064.

    Examples
    --------
    1 - 0.9**2 = 0.19, then 1 - 0.8 = 0.2.

    >>> import fstats
    >>> fstats.Finner.from_pvalues([0.1, 0.2]).adjusted.round(10)
    array([0.19, 0.2 ])
    """

    @step(r"\alpha_r", r"1 - (1 - $alpha)^{r / $m}", over="r")
    def thresholds(self) -> Array:
        """What the p-value on each rung is compared with."""
        return -np.expm1(np.arange(1, self.m + 1) / self.m * np.log1p(-self.alpha))

    @step(r"\tilde p_{(r)}", r"\max\left\{1 - (1 - $sorted_pvalues)^{$m / r},\ \tilde p_{(r - 1)}\right\}", over="r")
    def sorted_adjusted(self) -> Array:
        """Smallest level at which the rung is rejected: climb from the smallest p-value and stop at the first above its threshold."""
        power = broadcast_column(self.m / np.arange(1, self.m + 1), self.sorted_pvalues)
        with np.errstate(divide="ignore"):  # p = 1
            return np.maximum.accumulate(-np.expm1(power * np.log1p(-self.sorted_pvalues)), axis=0)
