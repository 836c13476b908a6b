"""Benjamini-Hochberg and Benjamini-Yekutieli procedures.

Both control the false discovery rate.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.number_format import format_confidence_level
from ...core.step import step
from ...core.validation import check
from ...core.value_types import Array, Value, broadcast_column
from .stepwise_procedure import StepwiseProcedure


class BenjaminiHochberg(StepwiseProcedure):
    r"""Benjamini-Hochberg procedure: which of several hypotheses can be rejected?

    Origin: published, Benjamini and Hochberg (1995).

    The procedure controls the false discovery rate of independent p-values: the expected share of wrong rejections is at most alpha.

    The r-th smallest of m p-values has the threshold :math:`\frac{r}{m} \alpha`.  The procedure starts at the largest p-value, continues
    with smaller p-values, and stops at the first p-value that is at or below its threshold.  The hypothesis with this p-value and all
    hypotheses with smaller p-values are rejected.

    .. math:: \tilde p_{(r)} = \min_{g \geq r}\ \frac{m}{g}\, p_{(g)}

    Parameters
    ----------
    scores, labels, data_sets, higher_is_better, metric, control
        As for :class:`fstats.Holm`.
    alpha : float
        Limit of the false discovery rate: the expected share of true hypotheses among the rejected hypotheses (0 if no hypothesis is
        rejected) is at most alpha.

    Attributes
    ----------
    pairs, pvalues, adjusted, reject, ladder
        As for :class:`fstats.Holm`.

    Notes
    -----
    **What it controls, and what it does not.**  On average over many experiments, at most a share alpha of the rejections is false.  The
    procedure does not control the probability that at least one rejection is false; :class:`fstats.Holm` does.  With 20 rejections at
    alpha = 0.05, expect about one false rejection.  Do not report a single rejection as if its hypothesis had been tested alone.  The
    procedure suits a screening of many hypotheses that are tested again later; for a claim about few classifiers use
    :class:`fstats.Holm`.

    The p-values must be independent or positively dependent, as the p-values of comparisons with one control are.  The p-values of all
    pairs of classifiers do not fulfil this condition in general; :class:`BenjaminiYekutieli` allows any dependence.

    Raises
    ------
    ValueError, TypeError
        As for :class:`fstats.Friedman`; also if the control is unknown or a p-value is not between 0 and 1.

    References
    ----------
    Benjamini and Hochberg (1995), Controlling the false discovery rate: a practical and powerful approach to multiple testing, Journal
    of the Royal Statistical Society B 57, pages 289 to 300.

    Examples
    --------
    The products of factor and p-value are 3/1 * 0.01 = 0.03, 3/2 * 0.02 = 0.03 and 3/3 * 0.04 = 0.04.  Holm's adjusted p-values are 0.03,
    0.04, 0.04.

    >>> import fstats
    >>> fstats.BenjaminiHochberg.from_pvalues([0.01, 0.02, 0.04]).adjusted
    array([0.03, 0.03, 0.04])
    """

    @step("a_r", r"\frac{$m}{r}", over="r", check=check.positive)
    def raised_by(self) -> Any:
        """Factor by which the p-value on each rung is multiplied: m hypotheses divided by r rejections."""
        return self.m / np.arange(1, self.m + 1)

    @step(r"\alpha_r", r"\frac{$alpha}{$raised_by}", over="r", check=check.proportion)
    def thresholds(self) -> Array:
        """Threshold for the p-value on each rung (rung 1 holds the smallest p-value)."""
        return np.asarray(self.alpha / self.raised_by)

    @step(r"\tilde p_{(r)}", r"\min\{1,\ $raised_by\,$sorted_pvalues,\ \tilde p_{(r + 1)}\}", over="r", check=check.probabilities)
    def sorted_adjusted(self) -> Array:
        """Adjusted p-value on each rung: the smallest of the multiplied p-values on this rung and on all later rungs."""
        products = broadcast_column(self.raised_by, self.sorted_pvalues) * self.sorted_pvalues
        return np.minimum(1, np.minimum.accumulate(products[::-1], axis=0)[::-1])

    @step(r"\tilde p_h", r"$sorted_adjusted \text{ of the rung with } $order = h", over="h", check=check.probabilities)
    def adjusted(self) -> Array:
        """Adjusted p-value of each hypothesis: the smallest false discovery rate at which the hypothesis is rejected."""
        return StepwiseProcedure.adjusted.fn(self)

    @property
    def conclusion(self) -> str:
        """Sentence with the decisions (of a single table) and the error rate that they control."""
        conclusion = super().conclusion
        if not self.reject.any():
            return conclusion
        percent = 100 - float(format_confidence_level(self.alpha))
        opening = f"{conclusion} On average at most {percent:.4g} % of such rejections are false (false discovery rate)"
        return f"{opening}; Holm's procedure would control the probability that any rejection is false, but this procedure does not."


class BenjaminiYekutieli(BenjaminiHochberg):
    r"""Benjamini-Yekutieli procedure: which of several hypotheses can be rejected?

    Origin: published, Benjamini and Yekutieli (2001).

    The procedure controls the false discovery rate (the expected share of wrong rejections), also for dependent p-values.

    The thresholds are those of :class:`fstats.BenjaminiHochberg`, divided by the factor c = 1 + 1/2 + ... + 1/m:

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
    The p-values may depend on each other in any way, as the p-values of all pairs of classifiers do.  In exchange, the thresholds are
    divided by c: 2.93 for the 10 pairs of 5 classifiers, and 4.39 for the 45 pairs of 10 classifiers.  With few hypotheses
    :class:`fstats.Holm` often rejects more hypotheses and also controls the probability of any false rejection.  Benjamini-Yekutieli
    controls only the false discovery rate, as :class:`fstats.BenjaminiHochberg` does.

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
    c = 1 + 1/2 + 1/3 = 11/6, so each adjusted p-value of Benjamini and Hochberg is multiplied by 11/6.

    >>> import fstats
    >>> fstats.BenjaminiYekutieli.from_pvalues([0.01, 0.02, 0.04]).adjusted.round(4)
    array([0.055 , 0.055 , 0.0733])
    """

    @step("c", r"\sum_{i = 1}^{$m} \frac{1}{i}", check=check.positive)
    def harmonic(self) -> Value:
        """Factor by which the thresholds are divided, so that the p-values may depend on each other in any way."""
        return np.float64((1 / np.arange(1, self.m + 1)).sum())

    @step("a_r", r"\frac{$m\,$harmonic}{r}", over="r", check=check.positive)
    def raised_by(self) -> Any:
        """Factor by which the p-value on each rung is multiplied."""
        return self.m * self.harmonic / np.arange(1, self.m + 1)
