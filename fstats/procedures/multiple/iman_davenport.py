"""Iman-Davenport test."""

from __future__ import annotations

from copy import copy
from typing import Literal

import numpy as np

from ...core.numerics.floating_point_ties import round_noise_to_zero
from ...core.numerics.zero_division import ratio
from ...core.step import input_field, step
from ...core.validation import check
from ...core.value_types import Value
from .friedman import Friedman
from .rank_f_test import RankFTest

CHI_SQUARED_ROUNDING = 0.5  # maximum rounding error of a given chi-squared


class ImanDavenport(RankFTest):
    r"""Iman-Davenport test: do k classifiers have the same mean rank over N independent data sets?

    Origin: published, Iman and Davenport (1980).

    Friedman's chi-squared test is conservative: it rejects a true H0 less often than alpha.  Iman and Davenport transform Friedman's
    chi-squared into

    .. math:: F_F = \frac{(N - 1)\,\chi^2_F}{N (k - 1) - \chi^2_F},

    and compare F_F with the F distribution with k - 1 and (k - 1)(N - 1) degrees of freedom.

    Parameters
    ----------
    ties : {"correct", "ignore"}
        Treatment of ties in Friedman's chi-squared; see :class:`fstats.Friedman`.
    scores, labels, data_sets, higher_is_better, metric, alternative, alpha
        See :class:`fstats.Friedman`; the test is always one-tailed.

    Notes
    -----
    With ``ties="correct"`` the test is the repeated-measures analysis of variance of the ranks.  If all data sets give the classifiers
    the same ranks, F is infinite, and p is the exact probability of the same ranks on all data sets if the ranks of each data set,
    including ties, are permuted at random.  If all mean ranks are equal, p = 1.

    Raises
    ------
    ValueError, TypeError
        As for :class:`fstats.Friedman`.

    References
    ----------
    Iman and Davenport (1980), Approximations of the critical region of the Friedman statistic, Communications in Statistics A 9,
    pages 571 to 595.  Demsar (2006), JMLR 7, section 3.2.2.

    Examples
    --------
    Chi-squared is 3 on three data sets: F = 2 * 3 / (3 * 2 - 3) = 2.

    >>> import fstats
    >>> test = fstats.ImanDavenport.from_steps(n=3, k=3, chi_squared=3.0)
    >>> print(test.statistic, test.df, test.df_error, round(test.pvalue, 10))
    2.0 2 4 0.25
    """

    parameter = r"\rho"
    compares = "mean rank"
    estimated_by = "mean_ranks"
    equal_estimates = "All mean ranks are equal"
    zero_if_equal = "chi_squared"
    complete_agreement = "All data sets give the classifiers the same ranks"

    ties: Literal["correct", "ignore"] = input_field(r"\text{ties}", "Whether ties are corrected for.", default="correct", kw_only=True)

    tie_correction = Friedman.tie_correction
    chi_squared = copy(Friedman.statistic)

    @step("F_F", r"\frac{($n - 1)\,$chi_squared}{$n ($k - 1) - $chi_squared}", check=check.nonnegative)
    def statistic(self) -> Value:
        """Iman and Davenport's F: Friedman's chi-squared relative to the disagreement of the data sets about the ranks."""
        maximum = self.n * (self.k - 1)
        gap = round_noise_to_zero(maximum - self.chi_squared, maximum)
        # replace a small negative gap by 0, because a rounded chi-squared may exceed its maximum N (k - 1)
        gap = np.where((gap < 0) & (gap > -CHI_SQUARED_ROUNDING), 0.0, gap)[()]
        return ratio((self.n - 1) * self.chi_squared, gap)

    @step("W", r"\frac{$chi_squared}{$n\,($k - 1)}", after=True, check=check.proportion)
    def effect_size(self) -> Value:
        """Kendall's W: 0 if all mean ranks are equal, 1 if all data sets give the classifiers the same ranks."""
        return self.chi_squared / (self.n * (self.k - 1))
