"""Hochberg's procedure."""

from __future__ import annotations

import numpy as np

from ...core.step import step
from ...core.value_types import Array, broadcast_column
from .holm import Holm


class Hochberg(Holm):
    r"""Hochberg's procedure: which of several hypotheses can be rejected?

    Origin: published, Hochberg (1988).

    The probability of at least one false rejection is at most alpha.

    Hochberg's procedure uses the same thresholds as Holm's procedure, but Hochberg's procedure starts at the largest p-value.  The largest
    p-value is compared with :math:`\alpha`, the second largest p-value with :math:`\alpha / 2`, and so on.  Hochberg's procedure stops at
    the first p-value that is at or below its threshold.  The hypothesis with this p-value and all hypotheses with smaller p-values are
    rejected.

    .. math:: \tilde p_{(r)} = \min_{g \geq r}\ (m - g + 1)\, p_{(g)}

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
    Hochberg's procedure rejects every hypothesis that Holm's procedure rejects, and sometimes more hypotheses.  Hochberg's procedure is
    valid only if Simes' inequality holds; it holds for independent p-values and for many kinds of positively dependent p-values.
    Adjusted p-values cannot exceed the largest p-value.

    Raises
    ------
    ValueError, TypeError
        As for :class:`fstats.Friedman`; also if the control is unknown or a p-value is not between 0 and 1.

    References
    ----------
    Hochberg (1988), A sharper Bonferroni procedure for multiple tests of significance, Biometrika 75, pages 800 to 802.
    Demsar (2006), JMLR 7, section 3.2.2.

    Examples
    --------
    The products of p-values and factors are 3 * 0.01 = 0.03, 2 * 0.02 = 0.04 and 1 * 0.03 = 0.03; the second product is lowered to the
    third, 0.03.  Holm's adjusted p-values are 0.03, 0.04, 0.04.

    >>> import fstats
    >>> fstats.Hochberg.from_pvalues([0.01, 0.02, 0.03]).adjusted
    array([0.03, 0.03, 0.03])
    """

    @step(r"\tilde p_{(r)}", r"\min\{$most_true\,$sorted_pvalues,\ \tilde p_{(r + 1)}\}", over="r")
    def sorted_adjusted(self) -> Array:
        """Adjusted p-value on each rung: the smallest product of p-value and number of possibly true hypotheses on this or a later rung."""
        products = broadcast_column(self.most_true, self.sorted_pvalues) * self.sorted_pvalues
        return np.minimum.accumulate(products[::-1], axis=0)[::-1]
