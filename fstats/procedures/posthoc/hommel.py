"""Hommel's procedure."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.step import step
from ...core.validation import check
from ...core.value_types import Array, broadcast_column
from .stepwise_procedure import StepwiseProcedure


class Hommel(StepwiseProcedure):
    r"""Hommel's procedure: which of several hypotheses can be rejected?

    Origin: published, Hommel (1988).

    The probability of at least one false rejection is at most alpha.

    j is the largest number for which Simes' test of the j largest p-values at level :math:`\alpha` does not reject the joint hypothesis
    that all j hypotheses are true:

    .. math:: j = \max\left\{i : p_{(m - i + l)} > \frac{l\,\alpha}{i} \text{ for } l = 1, \ldots, i\right\}

    If no number j satisfies the inequalities, all hypotheses are rejected (the largest p-value is then also at most :math:`\alpha`).  If
    some number j satisfies the inequalities, the hypotheses with :math:`p \leq \alpha / j` are rejected.

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
    Hommel's procedure is the closed test that applies Simes' test to every intersection of hypotheses: a hypothesis is rejected if every
    intersection that contains it is rejected.  Hommel's procedure rejects every hypothesis that Hochberg's procedure rejects; both
    procedures require Simes' inequality.  The number j depends on alpha; the adjusted p-values (Wright, 1992) do not depend on alpha.

    Raises
    ------
    ValueError, TypeError
        As for :class:`fstats.Friedman`; also if the control is unknown or a p-value is not between 0 and 1.

    References
    ----------
    Hommel (1988), A stagewise rejective multiple test procedure based on a modified Bonferroni test, Biometrika 75, pages 383 to
    386.  Wright (1992), Adjusted P-values for simultaneous inference, Biometrics 48, pages 1005 to 1013.  Demsar (2006), JMLR 7,
    section 3.2.2.

    Examples
    --------
    For j = 2: 0.04 > 0.05 / 2 and 0.06 > 2 * 0.05 / 2.  For j = 3: 0.01 is not above 0.05 / 3.  So j = 2, and p <= 0.05 / 2 rejects.

    >>> import fstats
    >>> test = fstats.Hommel.from_pvalues([0.01, 0.04, 0.06])
    >>> print(test.j, test.adjusted)
    2 [0.03 0.06 0.06]
    """

    _j_formula = r"\max\{i \leq $m : p_{(m - i + l)} > l\,$alpha / i \text{ for } l = 1, \ldots, i\} \text{ of } $sorted_pvalues"

    @step("j", _j_formula, check=check.counts)
    def j(self) -> Any:
        """Largest number of hypotheses that can all be true according to Simes' test of the largest p-values; 0 if all are rejected."""
        j = np.zeros(np.shape(self.sorted_pvalues)[1:], int)
        for i in range(1, self.m + 1):
            largest = self.sorted_pvalues[self.m - i :]
            j = np.where((largest > broadcast_column(np.arange(1, i + 1), largest) * self.alpha / i).all(0), i, j)
        return j[()]

    @step(r"\alpha_r", r"\frac{$alpha}{\max\{1,\ $j\}} \text{ for } r = 1, \ldots, $m", over="r")
    def thresholds(self) -> Array:
        """Threshold for every p-value: alpha / j; alpha if j = 0, because all p-values are then at most alpha."""
        return np.repeat((self.alpha / np.maximum(1, self.j))[None], self.m, axis=0)

    @step(
        r"\tilde p_{(r)}",
        r"\max_{i \leq $m}\ \min\left\{i\,$sorted_pvalues,\ \frac{i}{1}\,p_{(m - i + "
        r"1)},\ \frac{i}{2}\,p_{(m - i + 2)},\ \ldots,\ \frac{i}{i}\,p_{(m)}\right\}",
        over="r",
    )
    def sorted_adjusted(self) -> Array:
        """Adjusted p-value on each rung: the largest p-value of Simes' tests of this hypothesis together with largest other p-values."""
        p = adjusted = self.sorted_pvalues
        for i in range(2, self.m + 1):
            # p-value of Simes' test on the i largest p-values
            simes = (p[self.m - i :] * i / broadcast_column(np.arange(1, i + 1), p)).min(0)
            adjusted = np.maximum(adjusted, np.minimum(i * p, simes))
        return adjusted
