"""Nemenyi test with critical difference."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import sqrt

from ...core.hypothesis import SMALLEST_POSITIVE_FLOAT
from ...core.step import step
from ...core.validation import check, result_checks
from ...core.value_types import Array, Interval, Value
from ...distributions.studentized_range import StudentizedRange
from .posthoc_comparison import RankComparison


class Nemenyi(RankComparison):
    r"""Nemenyi test: which pairs of classifiers differ in mean rank?

    Origin: published, Demsar (2006).

    Two mean ranks differ significantly if their difference is at least the critical difference:

    .. math:: \mathrm{CD} = q_\alpha \sqrt{\frac{k (k + 1)}{6 N}},

    :math:`q_\alpha` is the critical value of the studentized range of k means with infinite degrees of freedom, divided by
    :math:`\sqrt 2`.

    Parameters
    ----------
    scores : array_like or DataFrame, shape (N, k) or (N, k, ...)
        Scores of k >= 2 classifiers (columns) on N >= 2 data sets (rows), in any unit.  Further axes are independent repetitions.
        A list of scores for each classifier (``Nemenyi(a, b, c)``), or a dictionary of such lists, is taken as the columns.
    labels : list of str, optional
        Names of the classifiers; by default the column names of a DataFrame, or A, B, C, ...
    data_sets : list of str, optional
        Names of the data sets; by default the index of a DataFrame.
    higher_is_better : bool
        False for errors and losses: with False, the lowest score has rank 1.
    metric : str
        Name of the metric, such as "RMSE"; if the name says loss or error, lower is better by default.
    alpha : float
        Familywise level: probability of rejecting at least one pair if there is no difference among the classifiers.

    Attributes
    ----------
    pairs, differences, pvalues, reject : arrays with an entry for each pair
        p-values are already adjusted for all pairs.  A positive difference means that the first classifier of the pair is better.
    q_alpha, cd : float
        Critical value (divided by the root of 2, as in Table 5 of Demsar) and critical difference of mean ranks.
    ci : Interval
        Simultaneous confidence limits of the differences: difference minus CD and difference plus CD.

    Notes
    -----
    The standard error is not corrected for ties, as usual, so with ties the test is slightly conservative.

    The mean ranks of two classifiers depend on the other classifiers in the table.  To use only the scores of the two compared
    classifiers, apply :class:`fstats.Holm` to :class:`fstats.Pairwise` with signed ranks; signed ranks need differences that are
    comparable between data sets.  H0 states that all orders of the ranks are equally likely, which is false for equal means with unequal
    spreads.  In a simulation with 2 of 8 classifiers having 5 times the spread (n = 30), at least one pair was rejected in 7.5 % of the
    tables.

    The intervals have the width that is right if there is no difference among the classifiers.  If some classifiers are better, the
    intervals are usually too wide: in simulations with normal scores, all intervals contain the true differences of mean ranks in 97 to
    100 % of the tables.  The intervals are too narrow if classifiers change places, such as the best on half of the data sets and the
    worst on the others, because differences of its ranks vary more: in one simulated case all intervals contained the true differences in
    89 % of the tables, not in 95 %.

    Raises
    ------
    ValueError, TypeError
        As for :class:`fstats.Friedman`.

    References
    ----------
    Demsar (2006), JMLR 7, section 3.2.2 and Table 5(a), after Nemenyi's thesis of 1963, Distribution-free multiple comparisons,
    Princeton.  Benavoli, Corani and Mangili (2016), Should we really use post-hoc tests based on mean-ranks?, JMLR 17, pages 1 to 10.

    Examples
    --------
    The example of Demsar has N = 14 and k = 4; the article prints 2.569 and 1.25.

    >>> import fstats
    >>> test = fstats.Nemenyi.from_steps(n=14, k=4)
    >>> print(round(test.q_alpha, 3), round(test.cd, 2))
    2.569 1.25
    """

    @step(r"Q_0", r"q_{$k,\ \infty}", relation=r"\sim", check=result_checks.null_distribution)
    def null(self) -> StudentizedRange:
        """Distribution of the range of the mean ranks of k classifiers under H0, in standard errors of one mean rank."""
        return StudentizedRange(int(self.k))

    @step("p_h", r"P($null \geq \sqrt{2}\,|$z|)", over="h", check=check.probabilities)
    def pvalues(self) -> Value:
        """Adjusted p-value: probability under H0 that the largest difference of two mean ranks is at least this large."""
        return np.maximum(self.null.at_least(sqrt(2) * np.abs(self.z)), SMALLEST_POSITIVE_FLOAT)

    @step(r"q_\alpha", r"\frac{1}{\sqrt{2}} \min\{x : P($null \geq x) \leq $alpha\}", check=check.positive)
    def q_alpha(self) -> Value:
        """Critical value of a difference of mean ranks, in standard errors of the difference."""
        return self.null.high(self.alpha) / sqrt(2)

    @step(r"\mathrm{CD}", r"$q_alpha\,$se", check=check.positive)
    def cd(self) -> Value:
        """Critical difference: two mean ranks differ significantly if their difference is at least this large."""
        return self.q_alpha * self.se

    @step(r"\text{reject } H_h", r"$pvalues \leq $alpha", relation=r"\Leftrightarrow", over="h", check=result_checks.decisions)
    def reject(self) -> Any:
        """Decision for each pair."""
        return self.pvalues <= self.alpha

    @step(r"l_h", r"$differences - $cd", over="h", after=True)
    def ci_low(self) -> Array:
        """Lower end of the simultaneous confidence interval of the difference."""
        return self.differences - self.cd

    @step(r"u_h", r"$differences + $cd", over="h", after=True)
    def ci_high(self) -> Array:
        """Upper end of the simultaneous confidence interval of the difference."""
        return self.differences + self.cd

    @property
    def ci(self) -> Interval:
        """Simultaneous confidence intervals: all contain the true differences with probability 1 - alpha (Bonferroni-Dunn: at least)."""
        return Interval(self.ci_low, self.ci_high)
