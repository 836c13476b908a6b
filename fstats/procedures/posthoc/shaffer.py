"""Shaffer's procedure."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from ...core.step import step
from ...core.validation import check
from .holm import Holm
from .stepwise_procedure import AllPairs


class Shaffer(AllPairs, Holm):
    r"""Shaffer's procedure: which pairs of classifiers differ, when none that are alike may be told apart?

    Holm's procedure, but it reckons with logic.  If A = B and B = C then A = C: of the three pairs of three classifiers exactly
    two cannot be true.  So the level is shared by fewer hypotheses: on rung r by

    .. math:: t_r = \max\{s \in S(k) : s \leq m - r + 1\}, \qquad
              S(k) = \bigcup_{j=1}^{k} \left\{\binom{j}{2} + x : x \in S(k - j)\right\},

    where S(k) are the numbers of pairs that can be true at once, with S(0) = S(1) = {0}.

    Parameters
    ----------
    control : None
        There is none to choose: the procedure reckons with what all pairs together allow.
    scores, labels, data_sets, higher_is_better, metric, alpha
        As for :class:`fstats.Holm`.

    Attributes
    ----------
    pairs, pvalues, adjusted, reject, ladder
        As for :class:`fstats.Holm`.

    Notes
    -----
    This is Shaffer's static procedure (her S1): the thresholds depend on how many hypotheses were rejected, not on which.  It
    asks nothing of how the p-values depend on each other and rejects whatever Holm's procedure does.  Any k will do.

    Raises
    ------
    ValueError, TypeError
        As for :class:`fstats.Friedman`; for a control, p-values that are not between 0 and 1 or not one for each pair.

    References
    ----------
    Shaffer (1986), Modified sequentially rejective multiple test procedures, JASA 81, pages 826 to 831.  Garcia and Herrera (2008),
    JMLR 9, section 2, page 2680.

    Examples
    --------
    Three pairs of three classifiers: once one is false, only one of the others can be true.

    >>> import fstats
    >>> test = fstats.Shaffer.from_pvalues([0.01, 0.02, 0.03])
    >>> print(test.true_counts, test.most_true, test.adjusted)
    [0 1 3] [3 1 1] [0.03 0.03 0.03]
    """

    @step("S(k)", r"\bigcup_{j = 1}^{$k} \left\{\frac{j (j - 1)}{2} + x : x \in S($k - j)\right\}", over="c", check=check.counts)
    def true_counts(self) -> Any:
        """How many pairs can be true at once: those within the groups of classifiers that are alike."""
        return np.array(sorted(true_counts(int(self.k))))

    @step("t_r", r"\max\{s \leq $m - r + 1 : s \in $true_counts\}", over="r", check=check.counts)
    def most_true(self) -> Any:
        """How many pairs can still be true when those on the rungs before are false."""
        left = self.m - np.arange(self.m)
        return self.true_counts[np.searchsorted(self.true_counts, left, side="right") - 1]


@lru_cache(64)
def true_counts(k: int) -> frozenset[int]:
    """The numbers of pairs of k classifiers that can be true at once: j are alike, the others are k - j on their own."""
    return frozenset(j * (j - 1) // 2 + x for j in range(1, k + 1) for x in true_counts(k - j)) if k else frozenset({0})
