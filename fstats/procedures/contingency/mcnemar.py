"""McNemar's chi-squared test."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from ...core.numerics.zero_division import ratio
from ...core.rejection_region import UPPER_TAIL
from ...core.step import input_field, step
from ...core.validation import check
from ...core.value_types import Value
from ...distributions.continuous_distributions import ChiSquared
from .discordant_records import DiscordantTest


class McNemar(DiscordantTest):
    r"""McNemar's chi-squared test: is one classifier right on more than half of the records on which exactly one classifier is right?

    Origin: published, McNemar (1947); Edwards (1948).

    .. math:: \chi^2 = \frac{\max(0, |n_{01} - n_{10}| - 1)^2}{n_{01} + n_{10}}

    The statistic is compared with the chi-squared distribution with one degree of freedom.  The resulting p-value approximates the p-value
    of the exact test.

    Parameters
    ----------
    n01 : int or array_like of shape (...)
        Number of records on which only B is right.  Axes are independent repetitions.  In the place of both counts, the test takes the
        2x2 table of statsmodels and mlxtend (``[[both right, only A right], [only B right, both wrong]]``: rows are A right and A
        wrong), a pandas.crosstab of two columns of True and False, a :class:`fstats.PairedTable` (not its `table`, which begins with
        wrong), or the true classes and two lists of predictions.
    n10 : int or array_like of shape (...)
        Number of records on which only A is right.
    correction : bool
        Edwards' continuity correction: subtract 1 from the difference of the counts (never below 0).
    labels : list of str, optional
        Names of the two classifiers, A first, for sentences and column headings; by default A and B.
    alternative : {"two-sided"}
        No one-sided alternative is possible, because a squared statistic has no sign.
    alpha : float
        Level; H0 is rejected if and only if ``pvalue <= alpha``.

    Notes
    -----
    For a one-sided test use :class:`fstats.McNemarExact`.  If the counts are equal, or both 0, the statistic is 0 and p = 1.

    Raises
    ------
    ValueError, TypeError
        If a count is negative, fractional or not a number, the alternative is one-sided, or the level is outside (0, 1).

    References
    ----------
    McNemar (1947), Psychometrika 12, pages 153 to 157.  Edwards (1948), Note on the correction for continuity, Psychometrika 13,
    pages 185 to 187.  Wang and Li, Block-regularized 5x2 cross-validated McNemar's test for comparing two classification
    algorithms, section 2.1, Eq. 2.

    Examples
    --------
    ``|11 - 1| - 1`` = 9 and 81 / 12 = 6.75.

    >>> import fstats
    >>> test = fstats.McNemar(11, 1)
    >>> print(test.statistic, round(test.pvalue, 6))
    6.75 0.009375
    """

    tails = UPPER_TAIL
    correction: bool = input_field(
        r"\text{correction}", "Whether 1 is subtracted for continuity.", check=check.boolean, default=True, kw_only=True
    )

    _statistic_formula: ClassVar = {True: r"\frac{\max\{0,\ |$n01 - $n10| - 1\}^2}{$n}", False: r"\frac{($n01 - $n10)^2}{$n}"}

    @step(r"\chi^2", _statistic_formula, by="correction", check=check.nonnegative)
    def statistic(self) -> Value:
        """Squared difference of the two counts, divided by the number of discordant records."""
        imbalance = np.maximum(0, abs(self.n01 - self.n10) - 1) if self.correction else self.n01 - self.n10
        return ratio(imbalance**2, self.n)

    @step(r"X_0", r"\chi^2_1", relation=r"\sim")
    def null(self) -> ChiSquared:
        """Approximate distribution of the statistic under H0: each classifier is right on a discordant record with probability 1/2."""
        return ChiSquared(1)

    @property
    def remark(self) -> str:
        """Explanation of the result for degenerate data, and the better test of few discordant records."""
        if np.ndim(self.n):
            return ""
        if not self.n:
            return "The classifiers are right and wrong on the same records: the data give no evidence against H0."
        return "With fewer than 25 discordant records, use mid-p: fstats.McNemarMidP(test.n01, test.n10)." if self.n < 25 else ""
