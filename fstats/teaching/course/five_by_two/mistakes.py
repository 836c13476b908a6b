"""What goes wrong: the right test with one wrong step each."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import sqrt

from ....distributions.continuous import FisherF
from ...grading.mistake import slip
from .. import shared
from .steps import ALPAYDIN, DIETTERICH, NUMBERING, TAILS, WRONG, YILDIZ, ThreeTests


@slip(
    ThreeTests,
    "variances",
    r"\frac{1}{2} \sum_k ($d - $means)^2",
    "variance divided by 2",
    DIETTERICH,
    only=("q1", "q2", "q4", "q6", "q8"),
)
def half_the_sum(test: ThreeTests) -> Any:
    """You divided the sum of the two squared deviations by 2. The mean of two numbers lies exactly between them, so their
    deviations come out too small; the divisor is 2 - 1 = 1, and nothing is left to divide by.
    """
    return ((test.d - test.means[:, np.newaxis]) ** 2).sum(1) / 2


@slip(
    ThreeTests,
    "variances",
    r"(d_{i1} - d_{i2})^2 \text{ of } $d",
    "whole square for half of it",
    DIETTERICH,
    only=("q1", "q2", "q4", "q6", "q8"),
)
def whole_square(test: ThreeTests) -> Any:
    """That is the squared distance between the two folds. Each fold lies only half that distance from their mean: two
    squared halves make half of the square. Measure from the mean of the repetition.
    """
    return (test.d[:, 0] - test.d[:, 1]) ** 2


@slip(ThreeTests, "variances", r"\sqrt{\sum_k ($d - $means)^2}", "standard deviations for variances", DIETTERICH, only=("q1",))
def roots_of_variances(test: ThreeTests) -> Any:
    """These are standard deviations, the roots of the variances. Leave the squares as they are: variances of several
    repetitions can be averaged, and the root comes afterwards.
    """
    return sqrt(((test.d - test.means[:, np.newaxis]) ** 2).sum(1))


@slip(ThreeTests, "se", r"\frac{1}{5} \sum_i $variances", "the root is missing", DIETTERICH)
def no_root(test: ThreeTests) -> Any:
    """That is the mean of the five variances; its unit is the square of a percentage point. What stands below a difference
    has to be in the same unit: take the root.
    """
    return test.variances.sum() / 5


@slip(ThreeTests, "se", r"\frac{1}{5} \sum_i \sqrt{$variances}", "standard deviations averaged", DIETTERICH)
def mean_of_roots(test: ThreeTests) -> Any:
    """You took five roots and averaged them. Variances are averaged first, and the root of their mean comes last: a mean
    of roots is too small.
    """
    return sqrt(test.variances).sum() / 5


@slip(ThreeTests, "se", r"\sqrt{\sum_i $variances}", "sum of the variances for their mean", DIETTERICH, only=("q2",))
def sum_for_mean(test: ThreeTests) -> Any:
    """You took the root of the sum of the five variances. All five estimate how far one and the same difference strays:
    average them before you take the root.
    """
    return sqrt(test.variances.sum())


@slip(
    ThreeTests,
    "se",
    r"\frac{1}{\sqrt{5}} \sqrt{\frac{1}{5} \sum_i $variances}",
    "standard error of a mean of five",
    DIETTERICH,
    only=("q2",),
)
def error_of_a_mean_of_five(test: ThreeTests) -> Any:
    """You divided by the root of 5 once more, as for the mean of five differences. What will be measured with it is a
    single difference: the mean of the variances, and its root, are all it takes.
    """
    return sqrt(test.variances.sum()) / 5


@slip(ThreeTests, "estimate", r"\frac{1}{10} \sum_{ik} $d", "mean of ten for the first difference", WRONG)
def mean_for_first(test: ThreeTests) -> Any:
    """That is the mean of all ten differences. It looks like the better estimate, but the ten share records, so nobody
    knows how far their mean strays; the variances tell it for one difference only. Dietterich takes the first.
    """
    return test.d.sum() / 10


@slip(
    ThreeTests,
    "statistic",
    r"\frac{\sqrt{10}\,\bar d}{s_d},\ \bar d \text{ and } s_d \text{ of the ten } $d",
    "paired t-test over ten differences",
    YILDIZ,
)
def paired_t_of_ten(test: ThreeTests) -> Any:
    """That is the paired t-test over ten differences. It takes them for independent, but all ten come from the same
    records, and its standard error is far too small. Divide the one difference by the standard error that you have.
    """
    return sqrt(10) * test.d.mean() / test.d.std(ddof=1)


@slip(ThreeTests, "df", r"\#\{(i, k) : $d\} - 1", "degrees of freedom: ten less one", DIETTERICH)
def degrees_nine(test: ThreeTests) -> Any:
    """Ten less one would be right for the standard deviation of ten independent differences. The standard error here is
    made of the variances, and each of them, of two numbers around their mean, brings one degree of freedom.
    """
    return test.d.size - 1


@slip(ThreeTests, "df", r"\#\{(i, k) : $d\}", "degrees of freedom: ten", DIETTERICH, only=("q5", "q15"))
def degrees_ten(test: ThreeTests) -> Any:
    """You counted the ten differences. Each repetition spends one of its two on its own mean; what is left is one degree
    of freedom for each variance.
    """
    return test.d.size


normal_for_t = shared.normal_for_t.on(
    ThreeTests,
    "normal for Student's t",
    TAILS,
    """That comes from the normal distribution. The standard error is estimated, from five variances only; Student's curve
    knows that, and has heavier tails.
    """,
    only=("q6", "q8"),
)


one_tail = shared.one_tail.on(
    ThreeTests,
    "p-value of one tail",
    TAILS,
    """That is the probability of one tail. Two-sided, a difference as large in favour of the other algorithm would have
    been just as extreme: both tails count.
    """,
)


wrong_side = shared.wrong_side.on(
    ThreeTests,
    "p-value above 1",
    TAILS,
    """A probability cannot be above 1. You doubled the wide side of the curve instead of the tail. Take the absolute value
    of t first, then the area beyond it (sf, not cdf), and double that.
    """,
)


@slip(ThreeTests, "reach", "$critical_value", "critical value for a distance", NUMBERING)
def critical_value_alone(test: ThreeTests) -> Any:
    """That is the critical value, a number of standard errors. Asked is a distance in percentage points: how long is one
    standard error?
    """
    return test.critical_value


@slip(ThreeTests, "reach", r"\min\{x : P($null \geq x) \leq $alpha\} \cdot $se", "one-sided critical value", TAILS)
def one_sided_reach(test: ThreeTests) -> Any:
    """You used the critical value of a one-sided test. This one rejects on both sides, so each tail gets half of alpha,
    and the critical value lies farther out.
    """
    return test.null.high(test.alpha) * test.se


@slip(ThreeTests, "sum_of_squares", r"\left(\sum_{ik} $d\right)^2", "square of the sum", ALPAYDIN)
def square_of_the_sum(test: ThreeTests) -> Any:
    """You summed first and squared then: differences of opposite sign would cancel, and ten alike would count ten times
    over. F takes each difference on its own: square first, then sum.
    """
    return test.d.sum() ** 2


@slip(ThreeTests, "f", r"\frac{$sum_of_squares}{\sum_i $variances}", "F without the 2", ALPAYDIN)
def two_missing(test: ThreeTests) -> Any:
    """The 2 below is missing. F compares two means: that of ten squares with that of five variances. (1/10) over (1/5)
    leaves a 2 below.
    """
    return test.sum_of_squares / test.variances.sum()


@slip(ThreeTests, "f", r"\frac{2 \sum_i $variances}{$sum_of_squares}", "F upside down", ALPAYDIN, only=("q11",))
def f_upside_down(test: ThreeTests) -> Any:
    """Your F stands on its head. Large values should speak against H0: what grows when one algorithm is better, the
    squares of the differences, stands on top.
    """
    return 2 * test.variances.sum() / test.sum_of_squares


@slip(ThreeTests, "f_degrees", r"(\#\{i : $variances\},\ \#\{(i, k) : $d\})", "degrees of freedom exchanged", ALPAYDIN)
def degrees_exchanged(test: ThreeTests) -> Any:
    """You have them the other way round. Those of the numerator come first, and on top stand the squares of the
    differences; the variances stand below. F with exchanged degrees of freedom is another curve.
    """
    return np.array([len(test.variances), test.d.size])


@slip(
    ThreeTests,
    "f_degrees",
    r"(\#\{(i, k) : $d\} - 1,\ \#\{i : $variances\} - 1)",
    "degrees of freedom: one less each",
    ALPAYDIN,
    only=("q12",),
)
def one_less_each(test: ThreeTests) -> Any:
    """You took 1 off each. On top nothing is spent: under H0 the true mean is 0, and the squares are taken around 0, not
    around a mean of their own. Below, each variance has paid for its mean already, and brings one.
    """
    return np.array([test.d.size - 1, len(test.variances) - 1])


@slip(ThreeTests, "f_pvalue", r"2\,P(F_{$f_degrees} \geq $f)", "upper tail doubled", ALPAYDIN)
def upper_tail_doubled(test: ThreeTests) -> Any:
    """You doubled the tail. Squares have lost their sign: both directions make F large, so the upper tail alone is already
    two-sided.
    """
    return 2 * FisherF(*test.f_degrees).at_least(test.f)


@slip(ThreeTests, "f_pvalue", r"P(F_{$f_degrees} \leq $f)", "lower tail for upper", ALPAYDIN)
def lower_tail(test: ThreeTests) -> Any:
    """That is the probability of a smaller F (cdf). Large values of F speak against H0, so the p-value is the area above
    yours (sf).
    """
    return FisherF(*test.f_degrees).at_most(test.f)


@slip(ThreeTests, "combined", r"\frac{\frac{1}{10} \sum_{ik} $d}{$se}", "the root of 10 is missing", YILDIZ)
def no_root_of_ten(test: ThreeTests) -> Any:
    """The root of 10 is missing. The combined t takes the mean of ten for as steady as if they were independent: its
    variance is a tenth of that of one difference, and its standard error smaller by the root of 10.
    """
    return test.d.sum() / 10 / test.se


@slip(ThreeTests, "combined", r"\frac{\sqrt{5} \cdot \frac{1}{10} \sum_{ik} $d}{$se}", "root of 5 for root of 10", YILDIZ, only=("q14",))
def root_of_five(test: ThreeTests) -> Any:
    """You took the root of 5 for that of 10. It would be right if the two folds of a repetition told no more than one;
    this test takes all ten differences for independent.
    """
    return sqrt(5) * test.d.sum() / 10 / test.se


@slip(ThreeTests, "combined_pvalue", r"P($null \geq |$combined|)", "combined p-value of one tail", TAILS)
def combined_one_tail(test: ThreeTests) -> Any:
    """That is the probability of one tail. Like Dietterich's t, this one is two-sided: both tails count."""
    return test.null.at_least(abs(test.combined))


@slip(ThreeTests, "combined_pvalue", r"2\,P($null \leq |$combined|)", "combined p-value above 1", TAILS)
def combined_wrong_side(test: ThreeTests) -> Any:
    """A probability cannot be above 1. You doubled the wide side of the curve; take the absolute value of t, the area
    beyond it, and double that.
    """
    return 2 * test.null.at_most(abs(test.combined))
