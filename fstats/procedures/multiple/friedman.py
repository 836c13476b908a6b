"""Friedman's test."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from ...core.numerics.zero_division import ratio
from ...core.step import input_field, step
from ...core.validation import check
from ...core.value_types import Value
from ...distributions.continuous_distributions import ChiSquared
from .friedman_null_distribution import PermutedRows
from .many_classifiers import Omnibus, Ranking, ranks_add_up


class Friedman(Ranking, Omnibus):
    r"""Friedman test: do k classifiers have the same mean rank over N independent data sets?

    On each data set the classifiers are ranked, 1 = best.  If all are alike, every mean rank :math:`\bar R_j` lies near the
    middle rank (k + 1)/2:

    .. math:: \chi^2_F = \frac{12 N}{k (k + 1)} \sum_j \left(\bar R_j - \frac{k + 1}{2}\right)^2

    is compared with the chi-squared distribution with k - 1 degrees of freedom.

    Parameters
    ----------
    scores : array_like or DataFrame, shape (N, k) or (N, k, ...)
        Scores of k >= 2 classifiers (columns) on N >= 2 data sets (rows), any unit.  Further axes are independent repetitions.
    labels : list of str, optional
        Names of the classifiers; by default a DataFrame's column names, or A, B, C, ...
    data_sets : list of str, optional
        Names of the data sets; by default those in a DataFrame's index.
    higher_is_better : bool
        False for errors and losses: then the lowest score has rank 1.
    metric : str
        What the scores are, such as "RMSE"; where its name says loss or error, lower is better by default.
    ties : {"correct", "ignore"}
        "correct" divides by the spread that the ranks have left with ties (as SciPy and R do); "ignore" is the formula as
        Demsar prints it, which makes p too large when scores tie.
    method : {"chi-squared", "exact"}
        "chi-squared" is the approximation for large N; "exact" counts all ways to permute these very ranks, ties included,
        within each data set (small tables only; it refuses what would take too long).
    alternative : {"two-sided"}
        There is none to choose: the test has one tail by nature.
    alpha : float
        Level; H0 is rejected if and only if ``pvalue <= alpha``.

    Notes
    -----
    Scores tie that differ by rounding noise only: by 64 units in the last place of the table's largest score in double precision, by
    4 in float32; whole numbers are exact.  If all ranks are tied then the statistic is 0 and p = 1.  The effect
    size is Kendall's W: 0 if the mean ranks are equal, 1 if all data sets rank the classifiers alike (only then).

    Raises
    ------
    ValueError, TypeError
        For fewer than two classifiers or data sets, anything but finite numbers (the error names row and column), labels that
        are not different, an unknown word for ties or method, any alternative, a level outside (0, 1).

    References
    ----------
    Friedman (1937), JASA 32, pages 675 to 701.  Demsar (2006), Statistical comparisons of classifiers over multiple data sets,
    JMLR 7, section 3.2.2.  Conover (1999), Practical nonparametric statistics, section 5.8 (ties).

    Examples
    --------
    Two data sets rank three classifiers alike: rank sums 2, 4, 6.

    >>> import fstats
    >>> test = fstats.Friedman([[0.9, 0.8, 0.7], [0.6, 0.5, 0.4]])
    >>> print(test.rank_sums, round(test.statistic, 10), round(test.pvalue, 4), test.effect_size)
    [2. 4. 6.] 4.0 0.1353 1.0
    """

    parameter = r"\rho"
    compares = "mean rank"
    estimated_by = "mean_ranks"

    ties: Literal["correct", "ignore"] = input_field(
        r"\text{ties}", "Whether ties are corrected for.", check=check.choice("correct", "ignore"), default="correct", kw_only=True
    )
    method: Literal["chi-squared", "exact"] = input_field(
        r"\text{method}",
        "Where the null distribution comes from.",
        check=check.choice("chi-squared", "exact"),
        default="chi-squared",
        kw_only=True,
    )

    def _check_totals(self, known: Mapping[str, Any]) -> None:
        """Ranks 1 to k are shared out on each data set."""
        super()._check_totals(known)
        ranks_add_up(known, "statistic")

    @step(
        "C",
        r"\frac{12}{$n $k ($k^2 - 1)} \sum_{ij} \left($ranks - \frac{$k + 1}{2}\right)^2",
        by="ties",
        only="correct",
        check=check.nonnegative,
    )
    def tie_correction(self) -> Value:
        """Spread of the ranks as a share of what it is without ties (1 = no ties)."""
        return 12 / (self.n * self.k * (self.k**2 - 1)) * ((self.ranks - (self.k + 1) / 2) ** 2).sum((0, 1))

    @step(
        r"\chi^2_F",
        {
            "correct": r"\frac{12\,$n}{$k ($k + 1)\,$tie_correction} \sum_j \left($mean_ranks - \frac{$k + 1}{2}\right)^2",
            "ignore": r"\frac{12\,$n}{$k ($k + 1)} \sum_j \left($mean_ranks - \frac{$k + 1}{2}\right)^2",
        },
        by="ties",
        check=check.nonnegative,
    )
    def statistic(self) -> Value:
        """How far the mean ranks spread around the middle rank."""
        spread = 12 * self.n / (self.k * (self.k + 1)) * ((self.mean_ranks - (self.k + 1) / 2) ** 2).sum(0)
        return ratio(spread, self.tie_correction) if self.ties == "correct" else spread

    @step(r"\nu", "$k - 1", check=check.count(1))
    def df(self) -> int:
        """Degrees of freedom: k mean ranks, of which one follows from the others."""
        return self.k - 1

    @property
    def variant(self) -> str:
        """Which null distribution holds: "chi-squared", "exact correct" or "exact ignore"."""
        return self.method if self.method == "chi-squared" else f"{self.method} {self.ties}"

    @step(
        "X_0",
        {
            "chi-squared": r"\chi^2_{$df}",
            "exact correct": r"\chi^2_F \text{ with } $tie_correction \text{ after permuting } $ranks \text{ in each line}",
            "exact ignore": r"\chi^2_F \text{ after permuting } $ranks \text{ in each line}",
        },
        by="variant",
        relation=r"\sim",
    )
    def null(self) -> ChiSquared | PermutedRows:
        """Distribution of the statistic under H0: each order of the classifiers is equally likely on each data set."""
        if self.method == "chi-squared":
            return ChiSquared(self.df)
        return PermutedRows(self.ranks, self.tie_correction if self.ties == "correct" else 1.0)

    @step("W", r"\frac{$statistic}{$n\,$df}", after=True, check=check.proportion)
    def effect_size(self) -> Value:
        """Kendall's W: 0 if all mean ranks are equal, 1 if all data sets rank the classifiers alike."""
        return self.statistic / (self.n * self.df)

    @property
    def remark(self) -> str:
        """Why degenerate data are answered as they are."""
        if np.ndim(self.statistic) or np.ptp(self.mean_ranks) > 0:
            return ""
        return "All mean ranks are equal: nothing speaks against H0."
