"""What goes wrong: the right test with one wrong step each."""

from __future__ import annotations

from typing import Any

from numpy import sqrt

from ....distributions.continuous import Normal, StudentT
from ...grading.mistake import slip
from .. import shared
from .steps import DECIDE, DIRECTION, DIVISOR, FOLDS, RATES, SIMULATE, STATISTIC, WHY, TypeOneError


@slip(TypeOneError, "size", r"1 - 2\,P(T_{$df} \geq $critical_value)", "non-rejections counted", SIMULATE, only=("q1",))
def not_rejected(test: TypeOneError) -> Any:
    """You counted the repetitions that did not reject. A type I error is a rejection, since H0 is true in every
    repetition: count abs(t) >= c.
    """
    return 1 - 2 * StudentT(test.df).at_least(test.critical_value)


@slip(TypeOneError, "size", r"P(T_{$df} \geq $critical_value)", "one side counted", DECIDE, only=("q1",))
def one_side(test: TypeOneError) -> Any:
    """You counted one side only, t >= c. A two-sided test rejects on the other side, too: compare the size of t, abs(t),
    with c.
    """
    return StudentT(test.df).at_least(test.critical_value)


@slip(
    TypeOneError,
    "size",
    r"2\,P\left(T_{$df} \geq $critical_value \sqrt{\frac{$n - 1}{$n}}\right)",
    "divided by n",
    DIVISOR,
    only=("q1",),
)
def divided_by_n(test: TypeOneError) -> Any:
    """Your standard deviations are divided by n (numpy's std does that unless you say ddof=1). So every t is a little too
    large, and more of them reject than should.
    """
    return 2 * StudentT(test.df).at_least(test.critical_value * sqrt((test.n - 1) / test.n))


@slip(TypeOneError, "size", r"2\,P(T_{$df} \geq $critical_value \sqrt{$n})", "the square root of n is missing", STATISTIC, only=("q1",))
def no_root_of_n(test: TypeOneError) -> Any:
    """The mean was divided by the standard deviation, not by its standard error: the square root of n is missing. Such
    values are too small and hardly ever reject.
    """
    return 2 * StudentT(test.df).at_least(test.critical_value * sqrt(test.n))


normal_for_t = shared.critical_value_of_normal.on(
    TypeOneError,
    "normal for Student's t",
    SIMULATE,
    """You compared with the critical value of the normal distribution. It comes later, as a slip to look at; here take
    Student's, with n - 1 degrees of freedom.
    """,
    only=("q1",),
)


@slip(TypeOneError, "critical_value", r"\min\{x : P(T_{$df} \geq x) \leq $alpha\}", "critical value of one tail", DECIDE, only=("q1",))
def critical_value_of_one_tail(test: TypeOneError) -> Any:
    """Your critical value leaves alpha in one tail, and then you rejected in both. Two-sided, each tail gets alpha / 2."""
    return StudentT(test.df).high(test.alpha)


@slip(TypeOneError, "z", r"\min\{x : P(Z \geq x) \leq $alpha\}", "one tail of the normal distribution", DECIDE)
def one_tail_of_normal(test: TypeOneError) -> Any:
    """Your normal critical value leaves alpha in one tail. Two slips at once are hard to tell apart: leave alpha / 2 in
    each tail, so that only the curve is wrong.
    """
    return Normal(0.0, 1.0).high(test.alpha)


@slip(TypeOneError, "z", "$critical_value", "Student's critical value again", SIMULATE)
def students_again(test: TypeOneError) -> Any:
    """That is the rate with Student's critical value. Here the slip itself is asked for: compare the same t with the
    critical value of the normal distribution.
    """
    return test.critical_value


@slip(TypeOneError, "size_one", r"P(T_{$df} \geq $one_tailed)", "a direction fixed before", DIRECTION)
def direction_before(test: TypeOneError) -> Any:
    """That is about alpha, as of an honest test: one-sided, with its direction fixed before, or two-sided with a limit for
    two sides. Whoever looks first keeps the limit of one side, and always finds the data on his: he rejects if t is
    beyond it in either direction.
    """
    return StudentT(test.df).at_least(test.one_tailed)


@slip(TypeOneError, "se", r"\frac{$size (1 - $size)}{$repetitions}", "variance for standard error", SIMULATE, only=("q4",))
def variance_of_a_rate(test: TypeOneError) -> Any:
    """That is the variance of the rate. Its standard error is the square root of it, in the unit of the rate."""
    return test.size * (1 - test.size) / test.repetitions


@slip(TypeOneError, "se", r"\sqrt{$size (1 - $size)}", "spread of one repetition", SIMULATE, only=("q4",))
def spread_of_one_repetition(test: TypeOneError) -> Any:
    """That is how far a single repetition (0 or 1) strays from the rate. The mean of N of them strays less: divide by the
    square root of N.
    """
    return sqrt(test.size * (1 - test.size))


@slip(TypeOneError, "se", r"\frac{\sqrt{$size (1 - $size)}}{$repetitions}", "N for its square root", SIMULATE, only=("q4",))
def n_for_its_root(test: TypeOneError) -> Any:
    """You divided by N, not by its square root. Four times as many repetitions halve the error, they do not quarter it:
    that is why simulations take so long.
    """
    return sqrt(test.size * (1 - test.size)) / test.repetitions


@slip(TypeOneError, "se", r"\sqrt{\frac{$size (1 - $size)}{$n}}", "data sets for repetitions", SIMULATE, only=("q4",))
def data_sets_for_repetitions(test: TypeOneError) -> Any:
    """You divided by n, the number of data sets within one repetition. The rate is a mean over the repetitions: how exact
    it is depends on how many of these there are.
    """
    return sqrt(test.size * (1 - test.size) / test.n)


@slip(TypeOneError, "se", r"\frac{1}{2 \sqrt{$repetitions}}", "one half for the rate", SIMULATE, only=("q4",))
def one_half_for_the_rate(test: TypeOneError) -> Any:
    """That is the largest standard error that any rate could have, the one of a fair coin. A rare event is counted more
    exactly: put in the rate itself.
    """
    return 0.5 / sqrt(test.repetitions)


@slip(TypeOneError, "needed", r"\frac{$alpha (1 - $alpha)}{$wanted}", "wanted standard error not squared", RATES)
def wanted_not_squared(test: TypeOneError) -> Any:
    """The wanted standard error is not squared. Solve the formula of the standard error for N: square both sides first."""
    return test.alpha * (1 - test.alpha) / test.wanted


@slip(TypeOneError, "needed", r"\frac{\sqrt{$alpha (1 - $alpha)}}{$wanted}", "root of the number of repetitions", RATES)
def root_not_squared(test: TypeOneError) -> Any:
    """That is the square root of what is needed: the ratio of the two spreads. The number of repetitions is its square."""
    return sqrt(test.alpha * (1 - test.alpha)) / test.wanted


@slip(TypeOneError, "needed", r"\frac{1}{4\,$wanted^2}", "repetitions for the rate one half", RATES)
def largest_variance(test: TypeOneError) -> Any:
    """That many would be enough for any rate, even one half. The true rate here is known to be near alpha, where the
    variance is much smaller.
    """
    return 0.25 / test.wanted**2


@slip(TypeOneError, "needed", r"\frac{$repetitions \cdot $se}{$wanted}", "repetitions in proportion to the error", RATES)
def in_proportion(test: TypeOneError) -> Any:
    """You changed the number of repetitions in proportion to the standard error. It goes with the square: half the error
    takes four times the work.
    """
    return test.repetitions * test.se / test.wanted


@slip(TypeOneError, "distance", r"\frac{$alpha - $observed}{\sqrt{$alpha (1 - $alpha) / $others}}", "the sign: alpha minus rate", RATES)
def alpha_minus_rate(test: TypeOneError) -> Any:
    """The sign is turned round: take the rate that was found minus the one that was promised. Then positive means that the
    test rejects too often.
    """
    return (test.alpha - test.observed) / sqrt(test.alpha * (1 - test.alpha) / test.others)


@slip(
    TypeOneError,
    "distance",
    r"\frac{$observed - $alpha}{\sqrt{$alpha (1 - $alpha) / $repetitions}}",
    "your own repetitions for those of the others",
    RATES,
)
def your_repetitions(test: TypeOneError) -> Any:
    """You took the number of your own repetitions. How exact the rate of the others is depends on how many repetitions
    they made.
    """
    return (test.observed - test.alpha) / sqrt(test.alpha * (1 - test.alpha) / test.repetitions)


@slip(TypeOneError, "distance", r"\frac{$observed - $alpha}{$alpha (1 - $alpha) / $others}", "distance in variances", RATES)
def in_variances(test: TypeOneError) -> Any:
    """You divided by the variance of the rate. Distances are measured in standard errors: take the square root."""
    return (test.observed - test.alpha) / (test.alpha * (1 - test.alpha) / test.others)


@slip(TypeOneError, "distance", r"\frac{$observed - $alpha}{\sqrt{$alpha (1 - $alpha)}}", "distance in spreads of one repetition", RATES)
def in_spreads_of_one(test: TypeOneError) -> Any:
    """You divided by how far a single repetition strays. A rate of M repetitions strays less, by the root of M: take its
    standard error.
    """
    return (test.observed - test.alpha) / sqrt(test.alpha * (1 - test.alpha))


@slip(
    TypeOneError,
    "distance",
    r"\frac{$observed - $alpha}{\sqrt{$observed (1 - $observed) / $others}}",
    "standard error of the observed rate",
    RATES,
)
def spread_around_the_observed(test: TypeOneError) -> Any:
    """Your standard error is that of the rate that was found; for an interval around it that would do. Here the question
    is what happens if the true rate is alpha: then alpha says how far a rate strays.
    """
    return (test.observed - test.alpha) / sqrt(test.observed * (1 - test.observed) / test.others)


@slip(TypeOneError, "inflation", "1", "folds simulated as independent", FOLDS, only=("q8",))
def folds_as_independent(test: TypeOneError) -> Any:
    """Your differences came out independent, so nothing was wrong with the test. The common part has to be the same number
    for all folds of one repetition: draw it once for each repetition, not for each difference.
    """
    return 1.0


@slip(TypeOneError, "inflation", r"\sqrt{1 + \frac{$folds $rho^2}{(1 - $rho)^2}}", "rho for its square root", WHY, only=("q8",))
def roots_forgotten(test: TypeOneError) -> Any:
    """You multiplied by rho and by 1 - rho themselves, so that your differences hang together less than they should. A
    number multiplied by x has x squared times the variance: the common part is to have the variance rho, so multiply it
    by the root of rho, and the other part by the root of 1 - rho.
    """
    return sqrt(1 + test.folds * test.rho**2 / (1 - test.rho) ** 2)


normal_for_folds = shared.critical_value_of_normal.on(
    TypeOneError,
    "normal for Student's t on folds",
    FOLDS,
    """You compared with the critical value of the normal distribution. The test takes its K differences for a sample and
    uses Student's t with K - 1 degrees of freedom; its fault lies elsewhere.
    """,
    only=("q8", "q10"),
    step="critical_folds",
)


@slip(TypeOneError, "inflation", r"1 + \frac{$folds $rho}{1 - $rho}", "ratio of variances for its root", WHY, only=("q9", "q10"))
def ratio_of_variances(test: TypeOneError) -> Any:
    """That is the ratio of the variances. t is measured in standard errors, so it grows by the square root of that."""
    return 1 + test.folds * test.rho / (1 - test.rho)


@slip(TypeOneError, "inflation", r"\sqrt{1 + ($folds - 1)\,$rho}", "only the numerator of t looked at", WHY, only=("q9", "q10"))
def only_the_mean(test: TypeOneError) -> Any:
    """That is how much more the mean strays than for independent differences. But the denominator of t changes as well:
    correlated differences lie closer together, and s is too small by the square root of 1 - rho.
    """
    return sqrt(1 + (test.folds - 1) * test.rho)


@slip(TypeOneError, "inflation", r"\frac{1}{\sqrt{1 - $rho}}", "only the denominator of t looked at", WHY, only=("q9", "q10"))
def only_the_spread(test: TypeOneError) -> Any:
    """That is how much too small s is. But the mean strays more as well, since what the folds have in common does not
    average out: both make t larger.
    """
    return 1 / sqrt(1 - test.rho)


@slip(TypeOneError, "inflation", r"\sqrt{\frac{1 - $rho}{1 + ($folds - 1)\,$rho}}", "f upside down", WHY, only=("q9",))
def upside_down(test: TypeOneError) -> Any:
    """Your fraction stands on its head. The mean strays more and s is smaller, so this t is larger than one of independent
    differences: f must be above 1.
    """
    return sqrt((1 - test.rho) / (1 + (test.folds - 1) * test.rho))


@slip(TypeOneError, "honest", r"\frac{$critical_folds}{$inflation}", "bar lowered instead of raised", WHY)
def divided_by_f(test: TypeOneError) -> Any:
    """You divided by f, which makes it even easier to reject. These t are f times too large, so the bar has to be f times
    higher.
    """
    return test.critical_folds / test.inflation
