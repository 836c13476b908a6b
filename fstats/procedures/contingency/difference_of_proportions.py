"""Two-sample test of proportions."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from numpy import sqrt

from ...core.arithmetic_steps import ratio_step
from ...core.classifier_pair import TwoClassifierTest
from ...core.numerics.bisection import bisect
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


class DifferenceOfProportions(TwoClassifierTest):
    r"""Difference of two proportions: do two classifiers, tested on different records, differ in accuracy?

    Origin: published, Dietterich (1998).

    .. math::

        z = \frac{\hat\pi_A - \hat\pi_B}{\sqrt{\bar\pi (1 - \bar\pi) (1 / n_A + 1 / n_B)}}, \qquad
        \bar\pi = \frac{c_A + c_B}{n_A + n_B}

    **The test ignores pairing.**  Two classifiers are nearly always tested on the *same* records.  The accuracies on the same records are
    correlated, and this test ignores the correlation.  For such data use McNemar's tests.  The test of two proportions is included
    because it is often used.

    Parameters
    ----------
    correct_a, correct_b : int or array_like of shape (...)
        Number of records on which A and B are right.  Axes are independent repetitions.
    n : int or array_like of shape (...)
        Number of records on which A was tested, at least 1.  If `n_b` is not given, B was tested on the same number.
    n_b : int or array_like of shape (...), optional
        Number of records on which B was tested, at least 1; by default `n`.
    labels : list of str, optional
        Names of the two classifiers, A first, for sentences and column headings; by default A and B.
    alternative : {"two-sided", "greater", "less"}
        "greater" claims that A is more accurate, "less" that A is less accurate.
    alpha : float
        Level; H0 is rejected if and only if ``pvalue <= alpha``.

    Notes
    -----
    The variance is pooled, because the accuracies are equal under H0.  If both classifiers are right on all records, or both on none, z =
    0 and p = 1.

    `ci` (a score interval) holds the true differences that the same test would not reject, each with the variance under that difference.
    `ci` contains 0 if and only if H0 is not rejected.  `ci` has a width even if both classifiers are right on all records: with five of
    five right for each, true differences up to 0.43 are possible.

    Raises
    ------
    ValueError, TypeError
        If a count is negative, fractional or above n, the alternative is unknown, or the level is outside (0, 1).

    References
    ----------
    Dietterich (1998), Approximate statistical tests for comparing supervised classification learning algorithms, Neural Computation
    10, section 3.2.  The interval: Mee (1984), Confidence bounds for the difference between two probabilities, Biometrics 40,
    pages 1175 to 1176; the accuracies under a given difference: Farrington and Manning (1990), Statistics in Medicine 9, pages 1447
    to 1454.

    Examples
    --------
    The accuracies are 84 % and 79 % of 500 records: z = 0.05 / sqrt(2 * 0.815 * 0.185 / 500).

    >>> import fstats
    >>> test = fstats.DifferenceOfProportions(420, 395, 500)
    >>> print(round(test.statistic, 4), round(test.pvalue, 4))
    2.036 0.0418

    For separate test sets, 90 % of 50 and 80 % of 200 records: the pooled accuracy is 205 / 250 = 0.82, and
    z = 0.1 / sqrt(0.82 * 0.18 * (1/50 + 1/200)).

    >>> test = fstats.DifferenceOfProportions(45, 160, 50, 200)
    >>> print(round(test.statistic, 4), round(test.pvalue, 4))
    1.6462 0.0997
    """

    tails = SYMMETRIC_TAILS
    parameter = r"\pi_A - \pi_B"
    compares = "accuracy"
    estimated_by = "difference"

    correct_a: CountsLike = input_field("c_A", "Number of records on which A is right.", check=check.counts)
    correct_b: CountsLike = input_field("c_B", "Number of records on which B is right.", check=check.counts, like="correct_a")
    n: CountsLike = input_field("n_A", "Number of records on which A was tested.", check=check.count(1))
    n_b: Any = input_field("n_B", "Number of records on which B was tested.", check=check.count(1), default=None)

    def __post_init__(self) -> None:
        super().__post_init__()
        values, same_size = self.__dict__, self.n_b is None
        if same_size:
            values.pop("n_b")
            if "n" in values:
                values["n_b"] = values["n"]
        for correct, tested, size_name in (("correct_a", "n", "n"), ("correct_b", "n_b", "n" if same_size else "n_b")):
            if correct in values and tested in values:
                check_correct_counts(values[correct], values[tested], correct, size_name)

    @classmethod
    def from_predictions(cls, y_true: Any, pred_a: Any, pred_b: Any, **settings: Any) -> Self:
        """Return the test on the predictions of two classifiers; its first step is the 2x2 `table` (only the totals matter)."""
        table = PairedTable(y_true, pred_a, pred_b, alpha=settings.get("alpha", 0.05), labels=settings.pop("labels", None))
        return cls.following(table, n=table.records, labels=table.labels, **settings)

    accuracy_a = ratio_step(r"\hat\pi_A", "correct_a", "n", "Accuracy of A.", check=check.proportion)

    accuracy_b = ratio_step(r"\hat\pi_B", "correct_b", "n_b", "Accuracy of B.", check=check.proportion)

    @step(r"\bar\pi", r"\frac{$correct_a + $correct_b}{$n + $n_b}", check=check.proportion)
    def pooled(self) -> Value:
        """Common accuracy under H0."""
        return (self.correct_a + self.correct_b) / (self.n + self.n_b)

    @step(r"\mathrm{SE}", r"\sqrt{$pooled (1 - $pooled) \left(\frac{1}{$n} + \frac{1}{$n_b}\right)}", check=check.nonnegative)
    def se(self) -> Value:
        """Standard error of the difference of the accuracies for different records."""
        return sqrt(self.pooled * (1 - self.pooled) * (1 / self.n + 1 / self.n_b))

    @step("D", "$accuracy_a - $accuracy_b", check=check.number_between(-1, 1))
    def difference(self) -> Value:
        """Accuracy of A minus accuracy of B; positive if A is better."""
        return self.accuracy_a - self.accuracy_b

    statistic = ratio_step("z", "difference", "se", "Difference of the two accuracies, in standard errors.")

    @step("Z_0", r"\mathrm{Normal}(0, 1)", relation=r"\sim")
    def null(self) -> Normal:
        """Approximate distribution of z under H0: the true accuracies are equal."""
        return Normal(0.0, 1.0)

    _ci_formula: ClassVar = {
        BOTH: rf"\left\{{\delta : \left|{_SCORE_FORMULA}\right| \leq $critical_value\right\}},\ {_STANDARD_ERROR_FORMULA}",
        UPPER: rf"\left\{{\delta : {_SCORE_FORMULA} \leq $critical_value\right\}},\ {_STANDARD_ERROR_FORMULA}",
        LOWER: rf"\left\{{\delta : {_SCORE_FORMULA} \geq $critical_value\right\}},\ {_STANDARD_ERROR_FORMULA}",
    }

    @step(r"\mathrm{CI}", _ci_formula, by="tail", over="e", after=True, check=result_checks.interval_ends)
    def ci(self) -> Interval:
        """Confidence interval: the differences that this test would not reject for different records."""
        return self.tail.interval(self.critical_value, self._difference_with_score)

    def _difference_with_score(self, z: Value) -> Any:
        """Return the true difference whose score is z, by bisection (the score decreases as the true difference grows)."""

        def has_larger_score(d: Value) -> Any:
            p_a, p_b = _constrained_accuracies(self.accuracy_a, self.accuracy_b, self.n, self.n_b, d)
            return ratio(self.difference - d, sqrt(p_a * (1 - p_a) / self.n + p_b * (1 - p_b) / self.n_b)) > z

        return sum(bisect(has_larger_score, self.difference * 0 - 1.0, self.difference * 0 + 1.0)) / 2

    @step("h", r"2 \arcsin\sqrt{$accuracy_a} - 2 \arcsin\sqrt{$accuracy_b}", after=True, check=check.number_between(-np.pi, np.pi))
    def effect_size(self) -> Value:
        """Cohen's h: difference of the accuracies on a scale with constant variance."""
        return 2 * np.arcsin(sqrt(self.accuracy_a)) - 2 * np.arcsin(sqrt(self.accuracy_b))

    @property
    def remark(self) -> str:
        """Limits of the test, and an explanation of the result for degenerate data."""
        if np.ndim(self.se):
            return ""
        notes = [] if self.se else ["Both are right on all records or on none: the data give no evidence against H0."]
        sizes = [self.__dict__.get(name) for name in ("n", "n_b")]
        if sizes[0] == sizes[1]:  # test sets of different sizes cannot contain the same records
            a, b = self.sides
            notes.append(f"The test assumes that {a} and {b} were tested on different records; for the same records use a McNemar test.")
        return " ".join(notes)


def check_correct_counts(correct: Value, tested: Value, name: str, size_name: str) -> None:
    """Raise ValueError if a count of right records exceeds the number of records."""
    try:
        above = correct > tested
    except ValueError:
        raise ValueError(f"`{name}` and `{size_name}` must have the same shape; got {np.shape(correct)} and {np.shape(tested)}") from None
    if np.any(above):
        count, records = (values[above].flat[0] for values in np.broadcast_arrays(correct, tested))
        raise ValueError(f"`{name}` must be at most {size_name}; got {count:g} right of {records:g} records")


def _constrained_accuracies(accuracy_a: Value, accuracy_b: Value, n_a: Value, n_b: Value, difference: Value) -> tuple[Value, Value]:
    """Return the most likely accuracies with a given difference (solution of the cubic equation of Farrington and Manning)."""
    theta = n_b / n_a
    a = 1 + theta
    b = -(1 + theta + accuracy_a + theta * accuracy_b + difference * (theta + 2))
    c = difference**2 + difference * (2 * accuracy_a + theta + 1) + accuracy_a + theta * accuracy_b
    d = -accuracy_a * difference * (1 + difference)
    turn = b / (3 * a)
    v = turn**3 - b * c / (6 * a**2) + d / (2 * a)
    u = np.where(v < 0, -1.0, 1.0) * sqrt(np.maximum(turn**2 - c / (3 * a), 0))
    angle = (np.pi + np.arccos(np.clip(ratio(v, u**3), -1, 1))) / 3
    p_a = np.clip(2 * u * np.cos(angle) - turn, np.maximum(difference, 0), np.minimum(1 + difference, 1))
    return p_a, np.clip(p_a - difference, 0, 1)
