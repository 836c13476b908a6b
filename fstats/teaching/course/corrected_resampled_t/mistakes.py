"""What goes wrong: the right test with one wrong step each."""

from __future__ import annotations

from typing import Any

from numpy import sqrt

from ...grading.mistake import slip
from .. import shared
from .steps import CORRECTION, DIVISOR, NULL, SPREAD, STATISTIC, UNCERTAIN, BothErrors

divided_by_n = shared.divided_by_n.on(
    BothErrors,
    "divided by J for J - 1",
    DIVISOR,
    """You divided the sum of squares by J. The deviations are taken from the mean of the very same differences and come
    out too small; J - 1 puts that right. (numpy's std divides by J, too, unless you say ddof=1.)
    """,
    only=("q2", "q3", "q4", "q6"),
)


variance_for_sd = shared.variance_for_sd.on(
    BothErrors,
    "variance for standard deviation",
    SPREAD,
    """That is the variance, whose unit is the square of a percentage point. The standard deviation is its root, in the
    unit of the differences.
    """,
)


no_root_of_j = shared.n_for_its_root.on(
    BothErrors,
    "J for its square root",
    STATISTIC,
    """You divided by J, not by its root. Even for independent splits, four times as many halve the standard error; they do
    not quarter it.
    """,
    step="naive_se",
)


in_deviations = shared.in_deviations.on(
    BothErrors,
    "standard deviation for standard error",
    STATISTIC,
    """You divided by the standard deviation, which says how far one difference strays. The t measures the mean of J
    differences: divide by its standard error.
    """,
    only=("q4",),
    step="naive_statistic",
)


degrees_j = shared.degrees_n.on(
    BothErrors,
    "J degrees of freedom",
    NULL,
    """One degree of freedom is spent on the mean, from which the deviations are measured: J - 1 are left.""",
    only=("q5", "q6"),
)


normal_for_t = shared.normal_for_t.on(
    BothErrors,
    "normal for Student's t",
    NULL,
    """That value belongs to the normal distribution. The standard deviation was estimated from a few splits; Student's
    curve knows that, and has heavier tails.
    """,
)


@slip(BothErrors, "naive_pvalue", r"P($null \geq |$naive_statistic|)", "naive p-value of one tail", NULL)
def naive_one_tail(test: BothErrors) -> Any:
    """That is the probability of one tail. Two-sided, the other algorithm ahead by as much would have been just as
    extreme: double it.
    """
    return test.null.at_least(abs(test.naive_statistic))


@slip(BothErrors, "naive_pvalue", r"2\,P($null \leq |$naive_statistic|)", "naive p-value above 1", NULL)
def naive_wrong_side(test: BothErrors) -> Any:
    """A probability cannot be above 1. You doubled the wide side of the curve instead of the tail. Take the absolute value
    of t first, then the area beyond it (sf, not cdf), and double that.
    """
    return 2 * test.null.at_most(abs(test.naive_statistic))


@slip(
    BothErrors,
    "test_by_train",
    r"\frac{$n_test}{$n_train + $n_test}",
    "divided by all records",
    CORRECTION,
    only=("q8", "q9", "q10", "q11", "q12"),
)
def share_of_all(test: BothErrors) -> Any:
    """You divided by all records. That share is the correlation that Nadeau and Bengio assume between two splits; what
    enters the variance is the correlation by one less the correlation, and in that quotient the total cancels: records
    to test, by records to train.
    """
    return test.n_test / (test.n_train + test.n_test)


@slip(BothErrors, "test_by_train", r"\frac{$n_train}{$n_test}", "training by test records", CORRECTION)
def upside_down(test: BothErrors) -> Any:
    """Your ratio stands on its head. With it the mean over all splits would be less certain than the difference on a
    single split, which cannot be. Records to test stand on top.
    """
    return test.n_train / test.n_test


@slip(BothErrors, "factor", "$test_by_train", "1/J forgotten", CORRECTION)
def splits_forgotten(test: BothErrors) -> Any:
    """1/J is missing. The ratio is what remains if you draw splits without end; the chance that lies in drawing only J of
    them comes on top.
    """
    return test.test_by_train


@slip(BothErrors, "factor", r"\frac{1}{$n} \cdot $test_by_train", "product for sum", CORRECTION)
def product_for_sum(test: BothErrors) -> Any:
    """You multiplied, which makes the error smaller than the naive one. The two sources of chance, the few splits and the
    one data set, add up: their variances are summed.
    """
    return test.test_by_train / test.n


@slip(BothErrors, "factor", r"1 + $n \cdot $test_by_train", "factor against the naive variance", CORRECTION, only=("q9",))
def against_naive(test: BothErrors) -> Any:
    """That is how many times the corrected variance is as large as the naive one. Asked is what stands before the squared
    standard deviation: 1/J and the ratio, added as they are.
    """
    return 1 + test.n * test.test_by_train


still_naive = shared.naive_standard_error.on(
    BothErrors,
    "splits taken as independent",
    CORRECTION,
    """That is still the standard error of independent splits. It shrinks with every split that you draw, though no new
    record ever comes in. Multiply the variance by your sum of two parts, in the place of 1/J.
    """,
)


@slip(BothErrors, "se", r"\left(\frac{1}{\sqrt{$n}} + $test_by_train\right)\,$sd", "correction outside the root", CORRECTION)
def outside_the_root(test: BothErrors) -> Any:
    """You took the root of 1/J alone, and added the ratio behind it. The correction belongs to the variance: sum first,
    one root over both.
    """
    return (1 / sqrt(test.n) + test.test_by_train) * test.sd


@slip(BothErrors, "se", r"$factor\,$sd", "the root of the sum is missing", CORRECTION)
def no_root(test: BothErrors) -> Any:
    """The root is missing. The sum multiplies the variance; the standard deviation, its root, is multiplied by the root of
    the sum.
    """
    return test.factor * test.sd


@slip(BothErrors, "se", r"$factor\,$sd^2", "variance for standard error", CORRECTION, only=("q10",))
def variance_of_the_mean(test: BothErrors) -> Any:
    """That is the variance of the mean, in squares of percentage points. The standard error is its root."""
    return test.factor * test.sd**2


@slip(BothErrors, "se", r"\sqrt{$factor}\,\frac{$sd}{\sqrt{$n}}", "divided by the root of J twice", CORRECTION)
def divided_twice(test: BothErrors) -> Any:
    """You divided by the root of J once more. The 1/J within the sum has done that already, and for the shared part no
    number of splits does it.
    """
    return sqrt(test.factor) * test.sd / sqrt(test.n)


one_tail = shared.one_tail.on(
    BothErrors,
    "p-value of one tail",
    NULL,
    """That is the probability of one tail. Two-sided, the other algorithm ahead by as much would have been just as
    extreme: both tails count.
    """,
)


wrong_side = shared.wrong_side.on(
    BothErrors,
    "p-value above 1",
    NULL,
    """A probability cannot be above 1. You doubled the wide side of the curve; take the absolute value of t, the area
    beyond it, and double that.
    """,
)


@slip(BothErrors, "worth", "$factor", "not turned over", UNCERTAIN)
def not_turned_over(test: BothErrors) -> Any:
    """That is the factor itself. For independent splits the factor is 1 divided by their number, so turn it over."""
    return test.factor


@slip(BothErrors, "worth", r"$n\,\frac{$naive_se}{$se}", "standard errors compared for variances", UNCERTAIN)
def ratio_of_errors(test: BothErrors) -> Any:
    """You compared the standard errors. What shrinks in proportion to the number of independent splits is the variance:
    compare the squares.
    """
    return test.n * test.naive_se / test.se
