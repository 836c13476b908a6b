"""The Bonferroni-Dunn test: all classifiers against a control."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special

from ...core.hypothesis import SMALLEST_POSITIVE_FLOAT
from ...core.step import NotStated, input_field, step
from ...core.validation import check, result_checks
from ...core.value_types import Array, Interval, Value
from .nemenyi import Nemenyi
from .posthoc_comparison import ControlComparison


def _needed(value: Any, name: str) -> Any:
    """A control must be named."""
    if value is None:
        raise ValueError(f"{name} must be one of the labels; got None: to compare all pairs use fstats.Nemenyi")
    return value


class BonferroniDunn(ControlComparison):
    r"""Bonferroni-Dunn test: which classifiers differ from a control in mean rank?

    A mean rank differs from the control's if it lies at least the critical difference away:

    .. math:: \mathrm{CD} = q_\alpha \sqrt{\frac{k (k + 1)}{6 N}}, \qquad q_\alpha = z_{1 - \alpha / (2 (k - 1))},

    where :math:`q_\alpha` comes from the normal distribution: the level is shared by k - 1 two-sided comparisons.

    Parameters
    ----------
    scores, labels, data_sets, higher_is_better, metric
        As for :class:`fstats.Nemenyi`.
    control : str
        The label of the classifier that all others are compared with.
    alpha : float
        Familywise level: the chance of rejecting any comparison when all classifiers are alike.

    Attributes
    ----------
    pairs, differences, pvalues, reject : arrays with an entry for each comparison
        The control stands second in each pair: a positive difference means that the other classifier is better.  p-values are
        adjusted for all comparisons already.
    q_alpha, cd : float
        Critical value (as in Demsar's Table 5) and critical difference of mean ranks.
    ci : Interval
        Simultaneous confidence limits of the differences: difference minus and plus CD.

    Notes
    -----
    Choose the control before looking at the scores: the best of k classifiers is not a control.  :class:`fstats.Holm` with a
    control rejects at least as much.  As usual, ties do not enter the standard error.  A classifier whose mean rank equals the
    control's has p = 1.

    The intervals have the width that holds where all classifiers are alike.  Where some are better they are rather too wide (simulated:
    97 to 100 % of the tables have all true differences of mean ranks inside, for normal scores); too narrow where classifiers trade places,
    the best on half of the data sets and the worst on the others, for then a difference of ranks varies more: 80 % of
    the tables for a control among 8 that does so.

    Raises
    ------
    ValueError, TypeError
        As for :class:`fstats.Friedman`, and for a control that is not one of the labels.

    References
    ----------
    Dunn (1961), Multiple comparisons among means, JASA 56, pages 52 to 64.  Demsar (2006), JMLR 7, section 3.2.2 and Table 5(b),
    whose 2.724 for k = 9 at 0.05 is a misprint of 2.734.

    Examples
    --------
    Demsar's example has N = 14 and k = 4; he prints 2.394 and 1.16 (cut off, not rounded).

    >>> import fstats
    >>> test = fstats.BonferroniDunn.from_steps(n=14, k=4)
    >>> print(round(test.q_alpha, 3), round(test.cd, 3))
    2.394 1.168
    """

    control: str = input_field(r"\text{control}", "The classifier that all others are compared with.", check=_needed, kw_only=True)

    @property
    def against(self) -> str:
        """Which pairs are compared: those with the control."""
        if self.control is None:
            raise NotStated("it needs control (The classifier that all others are compared with)")
        return "control"

    @step("p_h", r"\min\{1,\ ($k - 1) \cdot 2\,P(Z \geq |$z|)\}", over="h", check=check.probabilities)
    def pvalues(self) -> Array:
        """Two-sided probability of a standard normal Z at least as far out, times the number of comparisons."""
        return np.clip((self.k - 1) * 2 * special.ndtr(-np.abs(self.z)), SMALLEST_POSITIVE_FLOAT, 1)

    @step(r"q_\alpha", r"z_{1 - $alpha / (2 ($k - 1))}", check=check.positive)
    def q_alpha(self) -> Value:
        """Critical value in standard errors of a difference: the normal quantile at the shared level."""
        return -special.ndtri(self.alpha / (2 * (self.k - 1)))

    @step(r"\mathrm{CD}", r"$q_alpha\,$se", check=check.positive)
    def cd(self) -> Value:
        """Critical difference: a mean rank at least this far from the control's differs."""
        return self.q_alpha * self.se

    @step(r"\text{reject } H_h", r"$pvalues \leq $alpha", relation=r"\Leftrightarrow", over="h", check=result_checks.decisions)
    def reject(self) -> Any:
        """Which classifiers differ from the control."""
        return self.pvalues <= self.alpha

    ci_low = Nemenyi.ci_low
    ci_high = Nemenyi.ci_high

    @property
    def ci(self) -> Interval:
        """Simultaneous confidence intervals of the differences: with probability at least 1 - alpha all of them are right."""
        return Interval(self.ci_low, self.ci_high)
