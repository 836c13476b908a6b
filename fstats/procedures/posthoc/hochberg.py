"""Hochberg's procedure."""

from __future__ import annotations

import numpy as np

from ...core.step import step
from ...core.value_types import Array, broadcast_column
from .holm import Holm


class Hochberg(Holm):
    r"""Hochberg's procedure: which of several hypotheses are false, when none that is true may be rejected?

    Holm's thresholds, walked from the other end: the largest p-value is compared with :math:`\alpha`, the next smaller with
    :math:`\alpha / 2`, and so on; the first that is at most its threshold is rejected with all smaller ones.

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
    Hochberg's procedure rejects whatever Holm's does, and sometimes more.  The price is a condition: Simes' inequality must
    hold, as it does for independent p-values and for many that depend on each other positively.  Adjusted p-values cannot
    exceed the largest p-value.

    Raises
    ------
    ValueError, TypeError
        As for :class:`fstats.Friedman`; for an unknown control, p-values that are not between 0 and 1.

    References
    ----------
    Hochberg (1988), A sharper Bonferroni procedure for multiple tests of significance, Biometrika 75, pages 800 to 802.
    Demsar (2006), JMLR 7, section 3.2.2.

    Examples
    --------
    0.03 * 1 = 0.03 is less than 2 * 0.02 = 0.04, so 0.03 counts for both; 3 * 0.01 = 0.03.  Holm's are 0.03, 0.04, 0.04.

    >>> import fstats
    >>> fstats.Hochberg.from_pvalues([0.01, 0.02, 0.03]).adjusted
    array([0.03, 0.03, 0.03])
    """

    @step(r"\tilde p_{(r)}", r"\min\{$most_true\,$sorted_pvalues,\ \tilde p_{(r + 1)}\}", over="r")
    def sorted_adjusted(self) -> Array:
        """Smallest level at which the rung is rejected: come down from the largest p-value; the first at most its threshold
        takes all smaller ones along.
        """
        raised = broadcast_column(self.most_true, self.sorted_pvalues) * self.sorted_pvalues
        return np.minimum.accumulate(raised[::-1], axis=0)[::-1]
