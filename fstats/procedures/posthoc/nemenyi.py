"""Nemenyi's test and the critical difference."""

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
    r"""Nemenyi's test: which pairs of classifiers differ in mean rank?

    Two mean ranks differ if they lie at least the critical difference apart:

    .. math:: \mathrm{CD} = q_\alpha \sqrt{\frac{k (k + 1)}{6 N}},

    where :math:`q_\alpha` is the critical value of the studentized range of k with infinite degrees of freedom, divided by
    :math:`\sqrt 2`.

    Parameters
    ----------
    scores : array_like or DataFrame, shape (N, k) or (N, k, ...)
        Scores of k >= 2 classifiers (columns) on N >= 2 data sets (rows), any unit.  Further axes are independent repetitions.
    labels : list of str, optional
        Names of the classifiers; by default the column names of a DataFrame, or A, B, C, ...
    data_sets : list of str, optional
        Names of the data sets; by default those in a DataFrame's index.
    higher_is_better : bool
        False for errors and losses: then the lowest score has rank 1.
    metric : str
        What the scores are, such as "RMSE"; where its name says loss or error, lower is better by default.
    alpha : float
        Familywise level: the chance of rejecting any pair when all classifiers are alike.

    Attributes
    ----------
    pairs, differences, pvalues, reject : arrays with an entry for each pair
        p-values are adjusted for all pairs already.  A positive difference means that the first of the pair is better.
    q_alpha, cd : float
        Critical value (divided by the root of 2, as in Demsar's Table 5) and critical difference of mean ranks.
    ci : Interval
        Simultaneous confidence limits of the differences: difference minus and plus CD.

    Notes
    -----
    As usual, ties do not enter the standard error, which makes the test a little cautious where scores tie.

    What mean ranks say of two classifiers depends on who else is in the table: :class:`fstats.Holm` on :class:`fstats.Pairwise` with
    signed ranks looks at the two alone, where differences can be compared between data sets.  H0 says that all orders of the ranks are
    equally likely.  With equal means and unequal spreads they are not: simulated, some pair was told apart in 7.5 % of the tables (2 of 8
    with 5 times the spread, n = 30).

    The intervals have the width that holds where all classifiers are alike.  Where some are better they are rather too wide (simulated:
    97 to 100 % of the tables have all true differences of mean ranks inside, for normal scores); too narrow where classifiers trade places,
    the best on half of the data sets and the worst on the others, for then a difference of ranks varies more: 89 % in place of
    95 %.

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
    Demsar's example has N = 14 and k = 4; he prints 2.569 and 1.25.

    >>> import fstats
    >>> test = fstats.Nemenyi.from_steps(n=14, k=4)
    >>> print(round(test.q_alpha, 3), round(test.cd, 2))
    2.569 1.25
    """

    @step(r"Q_0", r"q_{$k,\ \infty}", relation=r"\sim", check=result_checks.null_distribution)
    def null(self) -> StudentizedRange:
        """Range of the mean ranks of k classifiers that are alike, in standard errors of one mean rank."""
        return StudentizedRange(int(self.k))

    @step("p_h", r"P($null \geq \sqrt{2}\,|$z|)", over="h", check=check.probabilities)
    def pvalues(self) -> Value:
        """Probability, if all are alike, that any two mean ranks lie at least this far apart."""
        return np.maximum(self.null.at_least(sqrt(2) * np.abs(self.z)), SMALLEST_POSITIVE_FLOAT)

    @step(r"q_\alpha", r"\frac{1}{\sqrt{2}} \min\{x : P($null \geq x) \leq $alpha\}", check=check.positive)
    def q_alpha(self) -> Value:
        """Critical value in standard errors of a difference."""
        return self.null.high(self.alpha) / sqrt(2)

    @step(r"\mathrm{CD}", r"$q_alpha\,$se", check=check.positive)
    def cd(self) -> Value:
        """Critical difference: mean ranks at least this far apart differ."""
        return self.q_alpha * self.se

    @step(r"\text{reject } H_h", r"$pvalues \leq $alpha", relation=r"\Leftrightarrow", over="h", check=result_checks.decisions)
    def reject(self) -> Any:
        """Which pairs differ."""
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
        """Simultaneous confidence intervals of the differences: with probability 1 - alpha all of them are right."""
        return Interval(self.ci_low, self.ci_high)
