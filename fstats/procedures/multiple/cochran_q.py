"""Cochran's Q test."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np

from ...core.arithmetic_steps import ratio_step, sum_step
from ...core.numerics.zero_division import ratio
from ...core.step import count_step, input_field, step
from ...core.validation import check, tables
from ...core.validation.score_lists import ScoreLists
from ...core.validation.stated_value_consistency import check_upper_bound
from ...core.value_types import Value
from ...distributions.continuous_distributions import ChiSquared
from .friedman import Friedman
from .many_classifiers import ManyClassifiers, Omnibus


class CochranQ(ManyClassifiers, Omnibus):
    r"""Cochran's Q test: do k classifiers have the same accuracy on the same N records?

    Origin: published, Cochran (1950).

    :math:`G_j` is the number of records on which classifier j is right, and :math:`L_i` the number of classifiers that are right on
    record i.  The statistic is

    .. math:: Q = \frac{(k - 1) \left(k \sum_j G_j^2 - T^2\right)}{k T - \sum_i L_i^2}, \quad T = \sum_j G_j,

    and is compared with the chi-squared distribution with k - 1 degrees of freedom.

    Parameters
    ----------
    correct : array_like or DataFrame, shape (N, k) or (N, k, ...)
        1 if a classifier (column) is right on a record (row), 0 if it is wrong.  Further axes are independent repetitions.
        A list of True and False for each classifier is also taken.
    labels : list of str, optional
        Names of the classifiers; by default the column names of a DataFrame, or A, B, C, ...
    alternative : {"two-sided"}
        No other value is possible, because the test is always one-tailed.
    alpha : float
        Level; H0 is rejected if and only if ``pvalue <= alpha``.

    Notes
    -----
    Records on which all classifiers are right, or all are wrong, do not change the statistic.  With k = 2, Cochran's Q test is McNemar's
    test without continuity correction.  With any k, Cochran's Q test is the Friedman test of the zeros and ones, corrected for ties.  If
    all classifiers are right on the same records, Q = 0 and p = 1.

    Raises
    ------
    ValueError, TypeError
        If a value is neither 0 nor 1, there are fewer than two records or classifiers, two labels are equal, an alternative is given,
        or the level is outside (0, 1).

    References
    ----------
    Cochran (1950), The comparison of percentages in matched samples, Biometrika 37, pages 256 to 266.  Kuncheva (2004), Combining
    pattern classifiers, section 1.4.

    Examples
    --------
    The three classifiers are right on 3, 2 and 1 records, and on the three records 3, 2 and 1 classifiers are right:
    Q = 2 (3 * 14 - 36) / (3 * 6 - 14) = 3.

    >>> import fstats
    >>> test = fstats.CochranQ([[1, 1, 1], [1, 1, 0], [1, 0, 0]])
    >>> print(test.right, test.statistic, round(test.pvalue, 4))
    [3. 2. 1.] 3.0 0.2231
    """

    parameter = r"\pi"
    compares = "accuracy"
    estimated_by = "accuracies"
    equal_estimates = "All accuracies are equal"

    correct: Any = input_field("x_{ij}", "Whether each classifier is right on each record.", over="ij", check=tables.binary_table)
    labels: Any = input_field(r"\text{label}_j", "Name of each classifier.", over="j", default=None)

    @classmethod
    def _from_lists(cls, lists: ScoreLists, settings: Mapping[str, Any]) -> Self:
        if lists.labels is None and any(np.asarray(entry).dtype.kind != "b" for entry in lists.lists):
            raise TypeError(
                f"CochranQ needs one table of right (1) and wrong (0) answers; got {len(lists.lists)} lists. With true classes y, write "
                "`CochranQ(numpy.column_stack([pred_a == y, pred_b == y, ...]))`."
            )
        return super()._from_lists(lists, settings)

    @property
    def highest_is_best(self) -> bool:
        """Always True, because the highest accuracy is the best."""
        return True

    def _check_totals(self, known: Mapping[str, Any]) -> None:
        """Check that Q is at most N (k - 1), the value of Q if the classifiers differ in the same way on every record."""
        super()._check_totals(known)
        if {"statistic", "n", "k"} <= known.keys():
            check_upper_bound("statistic", known["statistic"], known["n"] * (known["k"] - 1), "N (k - 1)", rounding=0.5)

    n = count_step("N", "correct", "i", "Number of records.", check=check.count(2))

    right = sum_step("G_j", "correct", "i", "Number of records on which each classifier is right.", over="j", check=check.counts)

    k = count_step("k", "right", "j", "Number of classifiers.", check=check.count(2))

    accuracies = ratio_step(r"\hat\pi_j", "right", "n", "Accuracy of each classifier.", over="j", check=check.proportion)

    hits = sum_step("L_i", "correct", "j", "Number of classifiers that are right on each record.", over="i", check=check.counts, axis=1)

    total = sum_step("T", "right", "j", "Total number of right predictions of all classifiers.", check=check.nonnegative)

    @step("Q", r"\frac{($k - 1) \left($k \sum_j $right^2 - $total^2\right)}{$k\,$total - \sum_i $hits^2}", check=check.nonnegative)
    def statistic(self) -> Value:
        """Cochran's Q: spread of the numbers of right predictions, relative to the spread within the records."""
        between = self.k * (self.right**2).sum(0) - self.total**2
        return ratio((self.k - 1) * between, self.k * self.total - (self.hits**2).sum(0))

    df = Friedman.df

    @step("X_0", r"\chi^2_{$df}", relation=r"\sim")
    def null(self) -> ChiSquared:
        """Approximate distribution of Q under H0: all classifiers are equally accurate."""
        return ChiSquared(self.df)

    @step("W", r"\frac{$statistic}{$n\,$df}", after=True, check=check.proportion)
    def effect_size(self) -> Value:
        """Kendall's W of the zeros and ones: 0 if all accuracies are equal, 1 if the classifiers differ in the same way on every record."""
        return self.statistic / (self.n * self.df)
