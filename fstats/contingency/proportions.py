"""The test for the difference of two proportions."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy import sqrt

from .. import check
from ..check import product, ratio
from ..hypothesis import SIGNED, HypothesisTest
from ..null import Counts, Interval, Normal, Value
from ..step import given, step
from .predictions import PairedTable

_REACH = r"$critical_value \sqrt{\frac{$accuracy_a (1 - $accuracy_a) + $accuracy_b (1 - $accuracy_b)}{$n}}"


class DifferenceOfProportions(HypothesisTest):
    r"""Difference of two proportions: do two classifiers differ in accuracy, if they had been tested on different records?

    .. math:: z = \frac{\hat\pi_A - \hat\pi_B}{\sqrt{2 \bar\pi (1 - \bar\pi) / n}}, \qquad \bar\pi = \frac{\hat\pi_A + \hat\pi_B}{2}

    **It ignores pairing.**  Two classifiers are nearly always tested on the *same* records; then their accuracies are correlated,
    this test does not know it, and McNemar's tests are right.  It is here because it is used.

    Parameters
    ----------
    correct_a, correct_b : int or array_like of shape (...)
        Records that A and B get right.  Axes are independent repetitions.
    n : int or array_like of shape (...)
        Records that each was tested on, at least 1.
    alternative : {"two-sided", "greater", "less"}
        "greater" claims that A is more accurate, "less" that A is less accurate.
    alpha : float
        Level; H0 is rejected if and only if ``pvalue <= alpha``.

    Notes
    -----
    The variance is pooled, as H0 says.  If both are right on all records, or on none, z = 0 and p = 1.

    Raises
    ------
    ValueError, TypeError
        For counts that are negative, fractional or above n, an unknown alternative, a level outside (0, 1).

    References
    ----------
    Dietterich (1998), Approximate statistical tests for comparing supervised classification learning algorithms, Neural
    Computation 10, section 3.2.

    Examples
    --------
    84 % and 79 % of 500: z = 0.05 / sqrt(2 * 0.815 * 0.185 / 500).

    >>> import fstats
    >>> test = fstats.DifferenceOfProportions(420, 395, 500)
    >>> print(round(test.statistic, 4), round(test.pvalue, 4))
    2.036 0.0418
    """

    tails = SIGNED
    parameter = r"\pi_A - \pi_B"
    compares = "accuracy"

    correct_a: Counts = given("c_A", "Records that A gets right.", check=check.counts)
    correct_b: Counts = given("c_B", "Records that B gets right.", check=check.counts, like="correct_a")
    n: Counts = given("n", "Records that each was tested on.", check=check.count(1))

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("correct_a", "correct_b"):
            if name in self.__dict__ and "n" in self.__dict__ and np.any(self.__dict__[name] > self.n):
                right, n = (x[self.__dict__[name] > self.n][0] for x in np.broadcast_arrays(self.__dict__[name], self.n))
                raise ValueError(f"{name} cannot be above n; got {right:g} right of {n:g} records")

    @classmethod
    def from_predictions(cls, y_true: Any, pred_a: Any, pred_b: Any, **settings: Any) -> Self:
        """The test on two classifiers' predictions; its first step is the 2x2 `table` whose inside it ignores."""
        table = PairedTable(y_true, pred_a, pred_b, alpha=settings.get("alpha", 0.05))
        return cls.following(table, n=table.records, **settings)

    @step(r"\hat\pi_A", r"\frac{$correct_a}{$n}", check=check.share)
    def accuracy_a(self) -> Value:
        """Accuracy of A."""
        return self.correct_a / self.n

    @step(r"\hat\pi_B", r"\frac{$correct_b}{$n}", check=check.share)
    def accuracy_b(self) -> Value:
        """Accuracy of B."""
        return self.correct_b / self.n

    @step(r"\bar\pi", r"\frac{$correct_a + $correct_b}{2\,$n}", check=check.share)
    def pooled(self) -> Value:
        """The common accuracy that H0 speaks of."""
        return (self.correct_a + self.correct_b) / (2 * self.n)

    @step(r"\mathrm{SE}", r"\sqrt{\frac{2\,$pooled (1 - $pooled)}{$n}}", check=check.nonnegative)
    def se(self) -> Value:
        """Standard error of the difference, if the records were different ones."""
        return sqrt(2 * self.pooled * (1 - self.pooled) / self.n)

    @step("D", "$accuracy_a - $accuracy_b", check=check.within(-1, 1))
    def difference(self) -> Value:
        """Difference of the accuracies; positive where A is better."""
        return self.accuracy_a - self.accuracy_b

    @step("z", r"\frac{$difference}{$se}")
    def statistic(self) -> Value:
        """How many standard errors separate the two accuracies."""
        return ratio(self.difference, self.se)

    @step("Z_0", r"\mathrm{Normal}(0, 1)", relation=r"\sim")
    def null(self) -> Normal:
        """How z varies when the true accuracies are equal, roughly."""
        return Normal(0.0, 1.0)

    @step(
        r"\mathrm{CI}",
        {
            "both": rf"$difference \mp {_REACH}",
            "upper": rf"[$difference - {_REACH},\ \infty)",
            "lower": rf"(-\infty,\ $difference - {_REACH}]",
        },
        by="tail",
        over="e",
        after=True,
        check=check.ends,
    )
    def ci(self) -> Interval:
        """Confidence interval (Wald's, not pooled as in the test, which may therefore disagree with it) for the difference, if the records were different ones."""
        variance = (self.accuracy_a * (1 - self.accuracy_a) + self.accuracy_b * (1 - self.accuracy_b)) / self.n
        return self.interval(self.difference, product(self.critical_value, sqrt(variance)))

    @step("h", r"2 \arcsin\sqrt{$accuracy_a} - 2 \arcsin\sqrt{$accuracy_b}", after=True, check=check.within(-np.pi, np.pi))
    def effect_size(self) -> Value:
        """Cohen's h: the difference of the accuracies on a scale on which their spread is even."""
        return 2 * np.arcsin(sqrt(self.accuracy_a)) - 2 * np.arcsin(sqrt(self.accuracy_b))

    @property
    def remark(self) -> str:
        """What the test ignores, and why degenerate data are answered as they are."""
        if np.ndim(self.se):
            return ""
        degenerate = "" if self.se else "Both are right on all records or on none: nothing speaks against H0. "
        return f"{degenerate}The test takes the records of A and B for different ones; if they were the same, use a McNemar test."
