"""Friedman test."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

import numpy as np

from ...core.numerics.zero_division import ratio
from ...core.step import input_field, step
from ...core.validation import check
from ...core.value_types import Value
from ...distributions.continuous_distributions import ChiSquared
from .friedman_null_distribution import FriedmanNull
from .many_classifiers import Omnibus, RankTable, check_rank_totals


class Friedman(RankTable, Omnibus):
    r"""Friedman test: do k classifiers have the same mean rank over N independent data sets?

    Origin: published, Friedman (1937).

    On each data set the classifiers get ranks from 1 (best) to k.  Under H0 every mean rank :math:`\bar R_j` is near the middle rank (k +
    1)/2.  The statistic

    .. math:: \chi^2_F = \frac{12 N}{k (k + 1)} \sum_j \left(\bar R_j - \frac{k + 1}{2}\right)^2

    is compared with the chi-squared distribution with k - 1 degrees of freedom.

    Parameters
    ----------
    scores : array_like or DataFrame, shape (N, k) or (N, k, ...)
        Scores of k >= 2 classifiers (columns) on N >= 2 data sets (rows), in any unit.  Further axes are independent repetitions.
        A list of scores for each classifier (``Friedman(a, b, c)``), or a dictionary of such lists, is taken as the columns.
    labels : list of str, optional
        Names of the classifiers; by default the column names of a DataFrame, or A, B, C, ...
    data_sets : list of str, optional
        Names of the data sets; by default the index of a DataFrame.
    higher_is_better : bool
        False for errors and losses: with False, the lowest score has rank 1.
    metric : str
        Name of the metric, such as "RMSE"; if the name says loss or error, lower is better by default.
    ties : {"correct", "ignore"}
        "correct" divides the statistic by the ratio of the spread of the ranks with ties to the spread without ties (as SciPy and R do).
        "ignore" uses the formula of Demsar, which makes p too large if there are ties.
    method : {"chi-squared", "exact"}
        "chi-squared" is the approximation for large N.  "exact" counts all permutations of the observed ranks, including ties, within
        each data set.  The exact method computes p for up to 5 classifiers on 9 data sets, 6 on 8, 7 on 4, and 8 to 11 on 2; with
        ties, also larger tables.  Otherwise it raises an error after some seconds; :class:`fstats.ImanDavenport` is then the better
        approximation.
    alternative : {"two-sided"}
        No other value is possible, because the test is always one-tailed.
    alpha : float
        Level; H0 is rejected if and only if ``pvalue <= alpha``.

    Notes
    -----
    Scores that differ only by rounding noise are tied.  The tolerance for ties is 64 units in the last place of the largest score of the
    table in double precision and 4 units in float32; integers are exact.  If all ranks are tied, the statistic is 0 and p = 1.  The
    effect size is Kendall's W.  W is 0 if the mean ranks are equal, and 1 if and only if all data sets give the classifiers the same
    ranks.

    Raises
    ------
    ValueError, TypeError
        If there are fewer than two classifiers or data sets, a value is not a finite number (the message names row and column), two
        labels are equal, `ties`, `method` or `alternative` is unknown, or the level is outside (0, 1).

    References
    ----------
    Friedman (1937), JASA 32, pages 675 to 701.  Demsar (2006), Statistical comparisons of classifiers over multiple data sets,
    JMLR 7, section 3.2.2.  Conover (1999), Practical nonparametric statistics, section 5.8 (ties).

    Examples
    --------
    Both data sets give the three classifiers the same ranks: the rank sums are 2, 4, 6.

    >>> import fstats
    >>> test = fstats.Friedman([[0.9, 0.8, 0.7], [0.6, 0.5, 0.4]])
    >>> print(test.rank_sums, round(test.statistic, 10), round(test.pvalue, 4), test.effect_size)
    [2. 4. 6.] 4.0 0.1353 1.0
    """

    parameter = r"\rho"
    compares = "mean rank"
    estimated_by = "mean_ranks"

    ties: Literal["correct", "ignore"] = input_field(r"\text{ties}", "Whether ties are corrected for.", default="correct", kw_only=True)
    method: Literal["chi-squared", "exact"] = input_field(
        r"\text{method}", "Method of computing the null distribution.", default="chi-squared", kw_only=True
    )

    def _check_totals(self, known: Mapping[str, Any]) -> None:
        """Check that the given values are possible for ranks 1 to k on each data set."""
        super()._check_totals(known)
        check_rank_totals(known, "statistic")

    _tie_correction_formula = r"\frac{12}{$n $k ($k^2 - 1)} \sum_{ij} \left($ranks - \frac{$k + 1}{2}\right)^2"

    @step("C", _tie_correction_formula, by="ties", only="correct", check=check.nonnegative)
    def tie_correction(self) -> Value:
        """Spread of the observed ranks divided by the spread of ranks without ties; 1 if there are no ties."""
        return 12 / (self.n * self.k * (self.k**2 - 1)) * ((self.ranks - (self.k + 1) / 2) ** 2).sum((0, 1))

    _statistic_formula: ClassVar = {
        "correct": r"\frac{12\,$n}{$k ($k + 1)\,$tie_correction} \sum_j \left($mean_ranks - \frac{$k + 1}{2}\right)^2",
        "ignore": r"\frac{12\,$n}{$k ($k + 1)} \sum_j \left($mean_ranks - \frac{$k + 1}{2}\right)^2",
    }

    @step(r"\chi^2_F", _statistic_formula, by="ties", check=check.nonnegative)
    def statistic(self) -> Value:
        """Friedman's chi-squared: spread of the mean ranks around the middle rank."""
        spread = 12 * self.n / (self.k * (self.k + 1)) * ((self.mean_ranks - (self.k + 1) / 2) ** 2).sum(0)
        return ratio(spread, self.tie_correction) if self.ties == "correct" else spread

    @step(r"\nu", "$k - 1", check=check.count(1))
    def df(self) -> int:
        """Degrees of freedom: number of classifiers minus 1."""
        return self.k - 1

    @property
    def variant(self) -> str:
        """Key of the formula of the null distribution: "chi-squared", "exact correct" or "exact ignore"."""
        return self.method if self.method == "chi-squared" else f"{self.method} {self.ties}"

    _null_formula: ClassVar = {
        "chi-squared": r"\chi^2_{$df}",
        "exact correct": r"\chi^2_F \text{ with } $tie_correction \text{ after permuting } $ranks \text{ in each line}",
        "exact ignore": r"\chi^2_F \text{ after permuting } $ranks \text{ in each line}",
    }

    @step("X_0", _null_formula, by="variant", relation=r"\sim")
    def null(self) -> ChiSquared | FriedmanNull:
        """Distribution of the statistic under H0: each order of the classifiers is equally likely on each data set."""
        if self.method == "chi-squared":
            return ChiSquared(self.df)
        return FriedmanNull(self.ranks, self.tie_correction if self.ties == "correct" else 1.0)

    @step("W", r"\frac{$statistic}{$n\,$df}", after=True, check=check.proportion)
    def effect_size(self) -> Value:
        """Kendall's W: 0 if all mean ranks are equal, 1 if all data sets give the classifiers the same ranks."""
        return self.statistic / (self.n * self.df)

    @property
    def remark(self) -> str:
        """Explanation of the result for degenerate data."""
        if np.ndim(self.statistic) or np.ptp(self.mean_ranks) > 0:
            return ""
        return "All mean ranks are equal: the data give no evidence against H0."
