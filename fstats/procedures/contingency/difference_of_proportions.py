"""The test for the difference of two proportions."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy import sqrt

from ...core.classifier_pair import TwoClassifierTest
from ...core.numerics.zero_division import ratio
from ...core.rejection_region import BOTH, LOWER, SYMMETRIC_TAILS, UPPER
from ...core.step import input_field, step
from ...core.validation import check, result_checks
from ...core.value_types import CountsLike, Interval, Value
from ...distributions.continuous_distributions import Normal
from .paired_table import PairedTable

_SCORE_FORMULA = r"\frac{$difference - \delta}{\mathrm{SE}_\delta}"
_STANDARD_ERROR_FORMULA = (
    r"\mathrm{SE}_\delta \text{ pooled as } $accuracy_a,\ $accuracy_b \text{ of } $n,\ $n_b \text{ records are if } \pi_A - \pi_B = \delta"
)
HALVINGS = 60  # of [-1, 1]: more than a float can tell apart


class DifferenceOfProportions(TwoClassifierTest):
    r"""Difference of two proportions: do two classifiers differ in accuracy, if they had been tested on different records?

    .. math::

        z = \frac{\hat\pi_A - \hat\pi_B}{\sqrt{\bar\pi (1 - \bar\pi) (1 / n_A + 1 / n_B)}}, \qquad
        \bar\pi = \frac{c_A + c_B}{n_A + n_B}

    **It ignores pairing.**  Two classifiers are nearly always tested on the *same* records; then their accuracies are correlated,
    this test does not know it, and McNemar's tests are right.  It is here because it is used.

    Parameters
    ----------
    correct_a, correct_b : int or array_like of shape (...)
        Records that A and B get right.  Axes are independent repetitions.
    n : int or array_like of shape (...)
        Records that A was tested on, at least 1; B too, unless `n_b` says otherwise.
    n_b : int or array_like of shape (...), optional
        Records that B was tested on, at least 1, where they are not as many.
    labels : list of str, optional
        Names of the two classifiers, A first, for sentences and column headings; by default A and B.
    alternative : {"two-sided", "greater", "less"}
        "greater" claims that A is more accurate, "less" that A is less accurate.
    alpha : float
        Level; H0 is rejected if and only if ``pvalue <= alpha``.

    Notes
    -----
    The variance is pooled, as H0 says.  If both are right on all records, or on none, z = 0 and p = 1.

    `ci` holds the differences that the same test would not reject, each with the variance that it implies itself (the score interval).
    So it holds 0 if and only if H0 is not rejected, and it has a width even where both are right on all records: five of five each
    leave differences up to 0.43 open.

    Raises
    ------
    ValueError, TypeError
        For counts that are negative, fractional or above n, an unknown alternative, a level outside (0, 1).

    References
    ----------
    Dietterich (1998), Approximate statistical tests for comparing supervised classification learning algorithms, Neural Computation
    10, section 3.2.  The interval: Mee (1984), Confidence bounds for the difference between two probabilities, Biometrics 40,
    pages 1175 to 1176; the accuracies under a given difference: Farrington and Manning (1990), Statistics in Medicine 9, pages 1447
    to 1454.

    Examples
    --------
    84 % and 79 % of 500: z = 0.05 / sqrt(2 * 0.815 * 0.185 / 500).

    >>> import fstats
    >>> test = fstats.DifferenceOfProportions(420, 395, 500)
    >>> print(round(test.statistic, 4), round(test.pvalue, 4))
    2.036 0.0418

    Test sets of their own, 90 % of 50 and 80 % of 200: pooled 205 / 250 = 0.82, z = 0.1 / sqrt(0.82 * 0.18 * (1/50 + 1/200)).

    >>> test = fstats.DifferenceOfProportions(45, 160, 50, 200)
    >>> print(round(test.statistic, 4), round(test.pvalue, 4))
    1.6462 0.0997
    """

    tails = SYMMETRIC_TAILS
    parameter = r"\pi_A - \pi_B"
    compares = "accuracy"
    estimated_by = "difference"

    correct_a: CountsLike = input_field("c_A", "Records that A gets right.", check=check.counts)
    correct_b: CountsLike = input_field("c_B", "Records that B gets right.", check=check.counts, like="correct_a")
    n: CountsLike = input_field("n_A", "Records that A was tested on.", check=check.count(1))
    n_b: Any = input_field("n_B", "Records that B was tested on.", check=check.count(1), default=None)

    def __post_init__(self) -> None:
        super().__post_init__()
        values, as_many = self.__dict__, self.n_b is None
        if as_many:
            values.pop("n_b")
            if "n" in values:
                values["n_b"] = values["n"]
        for correct, tested, called in (("correct_a", "n", "n"), ("correct_b", "n_b", "n" if as_many else "n_b")):
            if correct in values and tested in values:
                _check_correct_counts(values[correct], values[tested], correct, called)

    @classmethod
    def from_predictions(cls, y_true: Any, pred_a: Any, pred_b: Any, **settings: Any) -> Self:
        """The test on two classifiers' predictions; its first step is the 2x2 `table` whose inside it ignores."""
        table = PairedTable(y_true, pred_a, pred_b, alpha=settings.get("alpha", 0.05), labels=settings.pop("labels", None))
        return cls.following(table, n=table.records, labels=table.labels, **settings)

    @step(r"\hat\pi_A", r"\frac{$correct_a}{$n}", check=check.proportion)
    def accuracy_a(self) -> Value:
        """Accuracy of A."""
        return self.correct_a / self.n

    @step(r"\hat\pi_B", r"\frac{$correct_b}{$n_b}", check=check.proportion)
    def accuracy_b(self) -> Value:
        """Accuracy of B."""
        return self.correct_b / self.n_b

    @step(r"\bar\pi", r"\frac{$correct_a + $correct_b}{$n + $n_b}", check=check.proportion)
    def pooled(self) -> Value:
        """The common accuracy that H0 speaks of."""
        return (self.correct_a + self.correct_b) / (self.n + self.n_b)

    @step(r"\mathrm{SE}", r"\sqrt{$pooled (1 - $pooled) \left(\frac{1}{$n} + \frac{1}{$n_b}\right)}", check=check.nonnegative)
    def se(self) -> Value:
        """Standard error of the difference, if the records were different ones."""
        return sqrt(self.pooled * (1 - self.pooled) * (1 / self.n + 1 / self.n_b))

    @step("D", "$accuracy_a - $accuracy_b", check=check.number_between(-1, 1))
    def difference(self) -> Value:
        """Difference of the accuracies; positive where A is better."""
        return self.accuracy_a - self.accuracy_b

    @step("z", r"\frac{$difference}{$se}")
    def statistic(self) -> Value:
        """How many standard errors separate the two accuracies."""
        return ratio(self.difference, self.se)

    @step("Z_0", r"\mathrm{Normal}(0, 1)", relation=r"\sim")
    def null(self) -> Normal:
        """Approximate distribution of z under H0: the true accuracies are equal."""
        return Normal(0.0, 1.0)

    @step(
        r"\mathrm{CI}",
        {
            BOTH: rf"\left\{{\delta : \left|{_SCORE_FORMULA}\right| \leq $critical_value\right\}},\ {_STANDARD_ERROR_FORMULA}",
            UPPER: rf"\left\{{\delta : {_SCORE_FORMULA} \leq $critical_value\right\}},\ {_STANDARD_ERROR_FORMULA}",
            LOWER: rf"\left\{{\delta : {_SCORE_FORMULA} \geq $critical_value\right\}},\ {_STANDARD_ERROR_FORMULA}",
        },
        by="tail",
        over="e",
        after=True,
        check=result_checks.interval_ends,
    )
    def ci(self) -> Interval:
        """Confidence interval: the differences that this test would not reject, if the records were different ones."""
        return self.tail.interval(self.critical_value, self._difference_with_score)

    def _difference_with_score(self, z: Value) -> Any:
        """The true difference from which the one found is so many standard errors away (by halving: the score falls with it)."""
        low, high = self.difference * 0 - 1.0, self.difference * 0 + 1.0
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            p_a, p_b = _constrained_accuracies(self.accuracy_a, self.accuracy_b, self.n, self.n_b, middle)
            score = ratio(self.difference - middle, sqrt(p_a * (1 - p_a) / self.n + p_b * (1 - p_b) / self.n_b))
            low, high = np.where(score > z, middle, low), np.where(score > z, high, middle)
        end: Any = (low + high) / 2
        return end[()]

    @step("h", r"2 \arcsin\sqrt{$accuracy_a} - 2 \arcsin\sqrt{$accuracy_b}", after=True, check=check.number_between(-np.pi, np.pi))
    def effect_size(self) -> Value:
        """Cohen's h: the difference of the accuracies on a scale on which their spread is even."""
        return 2 * np.arcsin(sqrt(self.accuracy_a)) - 2 * np.arcsin(sqrt(self.accuracy_b))

    @property
    def remark(self) -> str:
        """What the test ignores, and why degenerate data are answered as they are."""
        if np.ndim(self.se):
            return ""
        told = [] if self.se else ["Both are right on all records or on none: the data give no evidence against H0."]
        sizes = [self.__dict__.get(name) for name in ("n", "n_b")]
        if sizes[0] == sizes[1]:  # two sizes are two test sets
            a, b = self.sides
            told.append(f"The test takes the records of {a} and {b} for different ones; if they were the same, use a McNemar test.")
        return " ".join(told)


def _check_correct_counts(correct: Value, tested: Value, name: str, called: str) -> None:
    """Raise an error for the first count of right records that is above the number of all."""
    try:
        above = correct > tested
    except ValueError:
        raise ValueError(f"{name} and {called} must have the same repetitions; got {np.shape(correct)} and {np.shape(tested)}") from None
    if np.any(above):
        right, records = (each[above].flat[0] for each in np.broadcast_arrays(correct, tested))
        raise ValueError(f"{name} cannot be above {called}; got {right:g} right of {records:g} records")


def _constrained_accuracies(accuracy_a: Value, accuracy_b: Value, n_a: Value, n_b: Value, apart: Value) -> tuple[Value, Value]:
    """The most likely accuracies among those whose difference is `apart` (Farrington and Manning's cubic equation, solved)."""
    theta = n_b / n_a
    a = 1 + theta
    b = -(1 + theta + accuracy_a + theta * accuracy_b + apart * (theta + 2))
    c = apart**2 + apart * (2 * accuracy_a + theta + 1) + accuracy_a + theta * accuracy_b
    d = -accuracy_a * apart * (1 + apart)
    turn = b / (3 * a)
    v = turn**3 - b * c / (6 * a**2) + d / (2 * a)
    u = np.where(v < 0, -1.0, 1.0) * sqrt(np.maximum(turn**2 - c / (3 * a), 0))
    angle = (np.pi + np.arccos(np.clip(ratio(v, u**3), -1, 1))) / 3
    p_a = np.clip(2 * u * np.cos(angle) - turn, np.maximum(apart, 0), np.minimum(1 + apart, 1))
    return p_a, np.clip(p_a - apart, 0, 1)
