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
    r"""Shaffer's procedure: which pairs of classifiers differ?

    Origin: published, Shaffer (1986).

    The probability of at least one false rejection is at most alpha.

    Shaffer's procedure improves Holm's procedure: it uses the logical relations between the hypotheses.  For example, if A = B and B = C,
    then A = C. Therefore it is impossible that exactly two of the hypotheses A = B, B = C and A = C are true.  Because of such logical
    relations, Shaffer's procedure often divides the level by a smaller number than Holm's procedure, and never by a larger
    one.  The divisor on rung r (r-th smallest p-value) is

    .. math:: t_r = \max\{s \in S(k) : s \leq m - r + 1\}, \qquad
              S(k) = \bigcup_{j=1}^{k} \left\{\binom{j}{2} + x : x \in S(k - j)\right\},

    where S(k) is the set of possible numbers of true pairs, with S(0) = S(1) = {0}.

    Parameters
    ----------
    control : None
        No control is possible, because the procedure uses logical relations among all pairs.
    scores, labels, data_sets, higher_is_better, metric, alpha
        As for :class:`fstats.Holm`.

    Attributes
    ----------
    pairs, pvalues, adjusted, reject, ladder
        As for :class:`fstats.Holm`.

    Notes
    -----
    The procedure is the static one of Shaffer's two (S1): thresholds depend on the number of rejected hypotheses, not on which hypotheses
    were rejected.  The procedure allows any dependence of the p-values and any number k of classifiers.  Shaffer's procedure rejects
    every hypothesis that Holm's procedure rejects.

    Raises
    ------
    ValueError, TypeError
        As for :class:`fstats.Friedman`; also if a control is given, a p-value is not between 0 and 1, or they are not one for each pair.

    References
    ----------
    Shaffer (1986), Modified sequentially rejective multiple test procedures, JASA 81, pages 826 to 831.  Garcia and Herrera (2008),
    JMLR 9, section 2, page 2680.

    Examples
    --------
    Three classifiers have three pairs: if the hypothesis of one pair is false, at most one of the other two can be true.

    >>> import fstats
    >>> test = fstats.Shaffer.from_pvalues([0.01, 0.02, 0.03])
    >>> print(test.true_counts, test.most_true, test.adjusted)
    [0 1 3] [3 1 1] [0.03 0.03 0.03]
    """

    @step("S(k)", r"\bigcup_{j = 1}^{$k} \left\{\frac{j (j - 1)}{2} + x : x \in S($k - j)\right\}", over="c", check=check.counts)
    def true_counts(self) -> Any:
        """Possible numbers of true pairs, that is, of pairs of equal classifiers."""
        return np.array(sorted(true_counts(int(self.k))))

    @step("t_r", r"\max\{s \leq $m - r + 1 : s \in $true_counts\}", over="r", check=check.counts)
    def most_true(self) -> Any:
        """Largest number of pairs that can still be true if the pairs with smaller p-values are false."""
        return self.true_counts[np.searchsorted(self.true_counts, self.m - np.arange(self.m), side="right") - 1]


@lru_cache(64)
def true_counts(k: int) -> frozenset[int]:
    """Return the possible numbers of true pairs of k classifiers; recursion over the size j of one group of equal classifiers."""
    return frozenset(j * (j - 1) // 2 + x for j in range(1, k + 1) for x in true_counts(k - j)) if k else frozenset({0})
