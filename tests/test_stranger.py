"""A test as a stranger writes it, who has only README: one class outside the package, which stands in no list of names."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest
from scipy import stats

import fstats
from fstats.core import check
from fstats.core.degenerate import ratio
from fstats.core.hypothesis import HypothesisTest
from fstats.core.step import step
from fstats.core.tail import SIGNED, Tail
from fstats.core.value import Value
from fstats.distributions.continuous import Normal
from fstats.procedures.multiple.table import Ranking


class PageTrend(Ranking, HypothesisTest):
    """Page's trend test: do the classifiers rank in the order of the columns, the best first?

    Parameters
    ----------
    scores : array_like, shape (N, k) or (N, k, ...)
        Scores of k classifiers, in the columns, from the one that is expected to be the best to the worst.

    References
    ----------
    Page (1963), Ordered hypotheses for multiple treatments, JASA 58, section 3.

    Examples
    --------
    >>> float(PageTrend([[3, 2, 1], [3, 2, 1]]).page)
    28.0
    """

    tails: Mapping[str, Tail] = SIGNED
    parameter = r"\rho"
    compares = "trend of the ranks"

    @step("E", r"\frac{$n $k ($k + 1)^2}{4}", check=check.positive)
    def expected(self) -> Value:
        """Mean of L when each order of the classifiers is equally likely."""
        return np.float64(self.n * self.k * (self.k + 1) ** 2 / 4)

    @step("L", r"\sum_j j \cdot $rank_sums", check=check.positive)
    def page(self) -> Value:
        """Page's L: the rank sums, weighted by the place that each classifier is expected to have."""
        return (np.arange(1, len(self.rank_sums) + 1) * self.rank_sums.T).sum(-1)

    @step("V", r"\frac{$k ($k + 1)}{12} \sum_{ij} \left($ranks - \frac{$k + 1}{2}\right)^2", check=check.nonnegative)
    def variance(self) -> Value:
        """Variance of L when each order of these ranks, ties included, is equally likely."""
        return self.k * (self.k + 1) / 12 * ((self.ranks - (self.k + 1) / 2) ** 2).sum((0, 1))

    @step("z", r"\frac{$page - $expected}{\sqrt{$variance}}")
    def statistic(self) -> Value:
        """How many standard deviations L lies above its mean."""
        return ratio(self.page - self.expected, np.sqrt(self.variance))

    @step("Z_0", r"N(0, 1)", relation=r"\sim")
    def null(self) -> Normal:
        """How z varies, approximately, when there is no trend."""
        return Normal()

    @step(r"\bar\rho", r"\frac{12 ($page - $expected)}{$n $k ($k^2 - 1)}", after=True)
    def effect_size(self) -> Value:
        """Mean rank correlation with the expected order: 1 if every data set shows it, -1 if every one shows its reverse."""
        return 12 * (self.page - self.expected) / (self.n * self.k * (self.k**2 - 1))

    @property
    def claim(self) -> str:
        """What the test looks for."""
        order = {"two-sided": "or its reverse", "greater": "the best first", "less": "the worst first"}[self.alternative]
        return f"a trend of the ranks in the order of the columns, {order}"

    @property
    def remark(self) -> str:
        """Why data without any difference are answered as they are."""
        return "" if self.page != self.expected else "The ranks show no trend at all: nothing speaks against H0."


class Concordance(Ranking, HypothesisTest):
    """The least that a test of k classifiers has to say: nothing about its words."""

    parameter, compares = r"\rho", "mean rank"

    @step("z", r"$n - $k")
    def statistic(self) -> Value:
        """A number."""
        return np.float64(self.n - self.k)

    null = PageTrend.null
