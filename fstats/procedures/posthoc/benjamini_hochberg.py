"""The procedures of Benjamini and Hochberg and of Benjamini and Yekutieli, which control the false discovery rate."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.number_format import format_confidence_level
from ...core.step import step
from ...core.validation import check
from ...core.value_types import Array, Value, broadcast_column
from .stepwise_procedure import StepwiseProcedure


class BenjaminiHochberg(StepwiseProcedure):
    r"""Benjamini-Hochberg procedure: which of several hypotheses are false, when a few rejections may be wrong?

    The p-values are walked from the largest down: the r-th smallest is compared with :math:`\frac{r}{m} \alpha`; the first that is at most
    its threshold is rejected with all smaller ones.

    .. math:: \tilde p_{(r)} = \min_{g \geq r}\ \frac{m}{g}\, p_{(g)}

    Parameters
    ----------
    scores, labels, data_sets, higher_is_better, metric, control
        As for :class:`fstats.Holm`.
    alpha : float
        False discovery rate: the share of true hypotheses among those that are rejected (0 where none is) is at most this on the average.

    Attributes
    ----------
    pairs, pvalues, adjusted, reject, ladder
        As for :class:`fstats.Holm`.

    Notes
    -----
    **What it controls, and what it does not.**  Of the differences that are found at most a share alpha is false, on the average over many
    such experiments.  How probable it is that any of them is false is not controlled, as it is by :class:`fstats.Holm`: with 20 findings
    at 0.05 one false one is to be expected.  No single finding may be cited as if it were tested alone.  It suits screening of many
    hypotheses, whose findings are tested again; for a claim about few classifiers take :class:`fstats.Holm`.

    The p-values must be independent, or depend on each other positively, as those of comparisons with one control do; the p-values of all
    pairs do not all: :class:`BenjaminiYekutieli` asks nothing of them.

    Raises
    ------
    ValueError, TypeError
        As for :class:`fstats.Friedman`; for an unknown control, p-values that are not between 0 and 1.

    References
    ----------
    Benjamini and Hochberg (1995), Controlling the false discovery rate: a practical and powerful approach to multiple testing, Journal
    of the Royal Statistical Society B 57, pages 289 to 300.

    Examples
    --------
    3/1 * 0.01 = 0.03, 3/2 * 0.02 = 0.03, 3/3 * 0.04 = 0.04.  Holm's are 0.03, 0.04, 0.04.

    >>> import fstats
    >>> fstats.BenjaminiHochberg.from_pvalues([0.01, 0.02, 0.04]).adjusted
    array([0.03, 0.03, 0.04])
    """

    @step("a_r", r"\frac{$m}{r}", over="r", check=check.positive)
    def raised_by(self) -> Any:
        """How many times larger the p-value on each rung counts: m hypotheses, of which r would be rejected."""
        return self.m / np.arange(1, self.m + 1)

    @step(r"\alpha_r", r"\frac{$alpha}{$raised_by}", over="r", check=check.proportion)
    def thresholds(self) -> Array:
        """What the p-value on each rung is compared with."""
        return np.asarray(self.alpha / self.raised_by)

    @step(r"\tilde p_{(r)}", r"\min\{1,\ $raised_by\,$sorted_pvalues,\ \tilde p_{(r + 1)}\}", over="r", check=check.probabilities)
    def sorted_adjusted(self) -> Array:
        """Smallest false discovery rate at which the rung is rejected: come down from the largest p-value; the first at most its threshold
        takes all smaller ones along.
        """
        raised = broadcast_column(self.raised_by, self.sorted_pvalues) * self.sorted_pvalues
        return np.minimum(1, np.minimum.accumulate(raised[::-1], axis=0)[::-1])

    @step(r"\tilde p_h", r"$sorted_adjusted \text{ of the rung with } $order = h", over="h", check=check.probabilities)
    def adjusted(self) -> Array:
        """Adjusted p-value of each hypothesis: the smallest false discovery rate at which it is rejected."""
        return StepwiseProcedure.adjusted.fn(self)

    @property
    def conclusion(self) -> str:
        """The decisions (of a single table), and what they may be taken for."""
        said = super().conclusion
        if not self.reject.any():
            return said
        wrong = f"On the average at most {100 - float(format_confidence_level(self.alpha)):.4g} % of such findings are false"
        return f"{said} {wrong} (false discovery rate); that none of them is, as after Holm's procedure, is not claimed."


class BenjaminiYekutieli(BenjaminiHochberg):
    r"""Benjamini-Yekutieli procedure: which hypotheses are false, when a few rejections may be wrong and p-values are dependent?

    As :class:`fstats.BenjaminiHochberg`, with thresholds that are smaller by the sum of the first m fractions:

    .. math:: \tilde p_{(r)} = \min_{g \geq r}\ \frac{m\, c}{g}\, p_{(g)}, \qquad c = \sum_{i = 1}^m \frac{1}{i}

    Parameters
    ----------
    scores, labels, data_sets, higher_is_better, metric, control, alpha
        As for :class:`fstats.BenjaminiHochberg`.

    Attributes
    ----------
    pairs, pvalues, adjusted, reject, ladder
        As for :class:`fstats.Holm`.

    Notes
    -----
    It asks nothing of how the p-values depend on each other, as those of all pairs of classifiers do.  The price is the factor c: for the
    10 pairs of 5 classifiers 2.93, for the 45 pairs of 10 classifiers 4.39; with few hypotheses :class:`fstats.Holm` often finds more,
    and controls more.  What is controlled, and what is not, is as for :class:`fstats.BenjaminiHochberg`.

    Raises
    ------
    ValueError, TypeError
        As for :class:`fstats.BenjaminiHochberg`.

    References
    ----------
    Benjamini and Yekutieli (2001), The control of the false discovery rate in multiple testing under dependency, Annals of Statistics 29,
    pages 1165 to 1188, theorem 1.3.

    Examples
    --------
    c = 1 + 1/2 + 1/3 = 11/6, so each of those of Benjamini and Hochberg counts 11/6 times.

    >>> import fstats
    >>> fstats.BenjaminiYekutieli.from_pvalues([0.01, 0.02, 0.04]).adjusted.round(4)
    array([0.055 , 0.055 , 0.0733])
    """

    @step("c", r"\sum_{i = 1}^{$m} \frac{1}{i}", check=check.positive)
    def harmonic(self) -> Value:
        """By how much thresholds are smaller, so that p-values may depend on each other in any way."""
        return np.float64((1 / np.arange(1, self.m + 1)).sum())

    @step("a_r", r"\frac{$m\,$harmonic}{r}", over="r", check=check.positive)
    def raised_by(self) -> Any:
        """How many times larger the p-value on each rung counts."""
        return self.m * self.harmonic / np.arange(1, self.m + 1)
