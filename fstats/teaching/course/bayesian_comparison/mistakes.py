"""What goes wrong: the right test with one wrong step each."""

from __future__ import annotations

from typing import Any

from numpy import sqrt
from scipy import special

from ...grading.mistake import slip
from .. import shared
from .steps import DIVISOR, POSTERIOR, ROPE, SPREAD, AreasByHand

divided_by_n = shared.divided_by_n.on(
    AreasByHand,
    "divided by n for n - 1",
    DIVISOR,
    """You divided the sum of squares by n. The deviations are taken from the mean of the very same differences and come
    out too small; n - 1 puts that right. (numpy's std divides by n, too, unless you say ddof=1.)
    """,
    only=("q2", "q3"),
)


variance_for_sd = shared.variance_for_sd.on(
    AreasByHand,
    "variance for standard deviation",
    SPREAD,
    """That is the variance, whose unit is the square of a percentage point. The standard deviation is its root, in the
    unit of the differences.
    """,
    only=("q2", "q3"),
)


independent = shared.naive_standard_error.on(
    AreasByHand,
    "folds taken for independent",
    POSTERIOR,
    """You divided the standard deviation by the root of n, as if the folds shared no records. They do: rho / (1 - rho)
    belongs under the root, beside 1 / n.
    """,
    step="scale",
)


@slip(AreasByHand, "scale", r"\sqrt{\frac{1}{$n} + $rho}\,$sd", "rho for rho / (1 - rho)", POSTERIOR, only=("q3",))
def bare_correlation(test: AreasByHand) -> Any:
    """You added rho to 1 / n. What is added is rho / (1 - rho): a spread that is measured within correlated differences is
    too small itself, by the root of 1 - rho.
    """
    return sqrt(1 / test.n + test.rho) * test.sd


@slip(AreasByHand, "scale", r"\left(\frac{1}{$n} + \frac{$rho}{1 - $rho}\right) $sd", "the root is missing", POSTERIOR)
def no_root_of_factor(test: AreasByHand) -> Any:
    """The root is missing. The sum multiplies the variance; the standard deviation, its root, is multiplied by the root of
    the sum.
    """
    return (1 / test.n + test.rho / (1 - test.rho)) * test.sd


@slip(AreasByHand, "t_low", r"\frac{-$rope + $mean}{$scale}", "the mean with the wrong sign", ROPE, only=("q4",))
def mean_added(test: AreasByHand) -> Any:
    """You added the mean. The end of the rope is seen *from* the mean: it is the end less the mean, also where the end is
    below 0.
    """
    return (-test.rope + test.mean) / test.scale


@slip(AreasByHand, "t_low", r"\frac{-$rope}{$scale}", "seen from 0", ROPE, only=("q4",))
def lower_end_from_zero(test: AreasByHand) -> Any:
    """You measured the lower end from 0. The posterior lies around the mean difference: measure from there."""
    return -test.rope / test.scale


@slip(AreasByHand, "t_high", r"\frac{$mean - $rope}{$scale}", "mean less end", ROPE, only=("q5",))
def turned_round(test: AreasByHand) -> Any:
    """You took the mean less the end of the rope. It is the end less the mean, as for the lower end; then what lies above
    the rope lies above your number, too.
    """
    return (test.mean - test.rope) / test.scale


@slip(AreasByHand, "t_high", r"\frac{$rope}{$scale}", "the upper end seen from 0", ROPE, only=("q5",))
def upper_end_from_zero(test: AreasByHand) -> Any:
    """You measured the upper end from 0. The posterior lies around the mean difference: measure from there."""
    return test.rope / test.scale


@slip(AreasByHand, "below", r"P(T \geq $t_low),\ T \sim t_{$df}", "the area above the lower end", POSTERIOR)
def above_the_lower_end(test: AreasByHand) -> Any:
    """That is all that lies *above* the lower end of the rope. B is better by more than the rope where the difference,
    A minus B, lies below it.
    """
    return special.stdtr(test.df, -test.t_low)


@slip(AreasByHand, "above", r"P(T \leq $t_high),\ T \sim t_{$df}", "the area below the upper end", POSTERIOR)
def below_the_upper_end(test: AreasByHand) -> Any:
    """That is all that lies *below* the upper end of the rope: A better by no more than the rope, equivalent, or B better.
    A better by more is what lies above.
    """
    return special.stdtr(test.df, test.t_high)


@slip(AreasByHand, "inside", "1 - $below", "one side forgotten", ROPE)
def all_but_one_side(test: AreasByHand) -> Any:
    """You took off what lies below the rope only. What lies above it is no part of the rope either: take off both."""
    return 1 - test.below


@slip(AreasByHand, "inside", "1 - $above", "the other side forgotten", ROPE)
def all_but_the_other_side(test: AreasByHand) -> Any:
    """You took off what lies above the rope only. What lies below it is no part of the rope either: take off both."""
    return 1 - test.above
