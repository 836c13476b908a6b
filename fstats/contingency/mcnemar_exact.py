"""McNemar's test, exact."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from .. import check
from ..check import ratio
from ..hypothesis import SMALL, HypothesisTest
from ..null import Counts, FairCoins, Value
from ..step import given, step
from .predictions import PairedTable


class McNemarExact(HypothesisTest):
    r"""Exact McNemar test: of the records that exactly one classifier gets right, does one classifier get more than half?

    If A and B are equally accurate, each discordant record is A's or B's by a fair coin,

    .. math:: P(N_{01} \leq k) = \sum_{j=0}^{k} \binom{n}{j} \frac{1}{2^n}, \qquad n = n_{01} + n_{10}.

    Parameters
    ----------
    n01 : int or array_like of shape (...)
        Records that A gets wrong and B right.  Axes are independent repetitions.
    n10 : int or array_like of shape (...)
        Records that A gets right and B wrong.
    alternative : {"two-sided", "greater", "less"}
        "greater" claims that A is more accurate (n10 the larger), "less" that A is less accurate.
    alpha : float
        Level; H0 is rejected if and only if ``pvalue <= alpha``.

    Notes
    -----
    `statistic` is the count that is small when H0 is wrong: the smaller one two-sided, n01 for "greater", n10 for "less".
    The two-sided p is twice the tail, at most 1.  Records on which both are right or both are wrong say nothing about the
    difference and do not enter.  Without discordant records p = 1.  The records must be independent.

    Raises
    ------
    ValueError, TypeError
        For counts that are negative, fractional or not numbers, an unknown alternative, a level outside (0, 1).

    References
    ----------
    McNemar (1947), Psychometrika 12.  Salzberg (1997), On comparing classifiers, Data Mining and Knowledge Discovery 1,
    section 3.1, where the one-sided p = P(S >= s) of "system II is better than I" is ours with A = I, B = II, "less".

    Examples
    --------
    Of 12 discordant records A wins 1: p = 2 (1 + 12) / 2**12.

    >>> import fstats
    >>> test = fstats.McNemarExact(11, 1)
    >>> print(test.statistic, test.critical_value, test.pvalue == 26 / 4096)
    1.0 2.0 True
    """

    tails = SMALL
    parameter = r"\pi_A - \pi_B"
    compares = "accuracy"

    n01: Counts = given("n_{01}", "Records that A gets wrong and B right.", check=check.counts)
    n10: Counts = given("n_{10}", "Records that A gets right and B wrong.", check=check.counts, like="n01")

    @classmethod
    def from_predictions(cls, y_true: Any, pred_a: Any, pred_b: Any, **settings: Any) -> Self:
        """The test on two classifiers' predictions for the same records; its first step is the 2x2 `table`.

        >>> import fstats
        >>> fstats.McNemarExact.from_predictions(list("xxyy"), list("xyyy"), list("xxxx")).n10
        np.float64(2.0)
        """
        return cls.following(PairedTable(y_true, pred_a, pred_b), **settings)

    @step("n", "$n01 + $n10", check=check.counts)
    def n(self) -> Value:
        """Discordant records: exactly one classifier is right."""
        return self.n01 + self.n10

    @step("m", {"two-sided": r"\min\{$n01, $n10\}", "greater": "$n01", "less": "$n10"}, by="alternative", check=check.counts)
    def statistic(self) -> Value:
        """The count that is small when H0 is wrong."""
        if self.alternative == "two-sided":
            return np.minimum(self.n01, self.n10)
        return self.n01 if self.alternative == "greater" else self.n10

    @step("M_0", r"\mathrm{Bin}\left($n, \frac{1}{2}\right)", relation=r"\sim")
    def null(self) -> FairCoins:
        """How the count varies when each discordant record is a fair coin."""
        return FairCoins(self.n)

    @step("g", r"\frac{$n10 - $n01}{2\,$n}", after=True)
    def effect_size(self) -> Value:
        """Cohen's g: A's share of the discordant records less one half; 0 if there are none."""
        return ratio(self.n10 - self.n01, 2 * self.n)

    @property
    def remark(self) -> str:
        """Why degenerate data are answered as they are."""
        if np.ndim(self.n) or not np.isinf(self.critical_value):
            return ""
        if not self.n:
            return "The classifiers are right and wrong on the same records: nothing speaks against H0."
        return "With so few discordant records no outcome could have rejected H0 at this alpha."
