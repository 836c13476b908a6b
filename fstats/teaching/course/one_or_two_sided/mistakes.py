"""What goes wrong: the right test with one wrong step each."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...grading.mistake import slip
from .. import shared
from .steps import DECISION, DIFFERENCES, DIRECTION, NULL, SIGNS, STANDARD_ERROR, OneOrTwo

b_minus_a = shared.b_minus_a.on(
    OneOrTwo,
    "the sign: B minus A",
    DIFFERENCES,
    """You took B minus A. For a two-sided test that would only be a matter of taste, but here the sign decides who is
    supported: A minus B, positive where A is better.
    """,
    only=("q3",),
)


divided_by_n = shared.divided_by_n.on(
    OneOrTwo,
    "divided by n",
    DIFFERENCES,
    """Your standard deviation divides by n. The deviations are taken from the mean of the very same data and come out too
    small; n - 1 puts that right (in numpy: ddof=1).
    """,
    only=("q3",),
)


no_root_of_n = shared.no_root_of_n.on(
    OneOrTwo,
    "standard deviation for standard error",
    STANDARD_ERROR,
    """You divided by the standard deviation: how far one difference strays. The mean of n differences strays less, by the
    square root of n.
    """,
    only=("q3",),
)


normal_for_t = shared.normal_for_t.on(
    OneOrTwo,
    "normal for Student's t",
    NULL,
    """You took the normal distribution. So few data estimate their own spread badly, and t strays farther than that curve
    says: take Student's, with n - 1 degrees of freedom.
    """,
    only=("q4", "q5", "q6", "q7"),
)


critical_value_of_one_tail = shared.alpha_above.on(
    OneOrTwo,
    "critical value of one tail",
    DECISION,
    """That leaves alpha in one tail. Carla would be glad of a difference in either direction, so she has to share her
    alpha: alpha / 2 on either side, and a critical value farther out.
    """,
)


alpha_halved = shared.half_alpha_above.on(
    OneOrTwo,
    "alpha halved in a one-sided test",
    DIRECTION,
    """You left alpha / 2 above it: that is the two-sided critical value. Anna rejects on one side only, so nothing has to
    be shared. The whole alpha lies there, and her critical value is smaller.
    """,
    only=("q5", "q9"),
    step="one_sided_critical_value",
)


@slip(OneOrTwo, "one_sided_critical_value", r"\min\{x : P($null \geq x) \leq 2\,$alpha\}", "alpha doubled", DIRECTION, only=("q5",))
def alpha_doubled(test: OneOrTwo) -> Any:
    """You left twice alpha above it. In a table for two tails the column 2 alpha is the right one, since half of it lies
    on either side; in a table for one tail, and in scipy, ask for alpha itself.
    """
    return test.null.high(2 * test.alpha)


one_tail = shared.one_tail.on(
    OneOrTwo,
    "p-value of one tail",
    NULL,
    """That is the area of one tail. Carla claimed no direction: a t as far out on the other side would have supported her
    as well, so both tails count.
    """,
)


@slip(OneOrTwo, "p_greater", r"2\,P($null \geq |$statistic|)", "both tails for one direction", DIRECTION)
def both_tails(test: OneOrTwo) -> Any:
    """You counted both tails. For Anna only a large positive t is evidence; a t as far out on the other side would have
    spoken for Ben. Her p-value is the area to the right of t alone.
    """
    return 2 * test.null.at_least(np.abs(test.statistic))


other_tail = shared.lower_tail.on(
    OneOrTwo,
    "the other tail",
    DIRECTION,
    """You took the area to the left of t. Extreme means: towards what is claimed. Anna claims that A is better, large t
    support her, so her area begins at t and goes to the right.
    """,
    step="p_greater",
)


@slip(OneOrTwo, "p_less", r"\frac{$pvalue}{2}", "p halved although the difference points the other way", DIRECTION)
def halved_whatever_the_sign(test: OneOrTwo) -> Any:
    """You halved the two-sided p-value. That is right only if the difference points the way that was claimed; here it
    points the other way. The area that speaks for Ben lies to the left of t, and that is nearly everything.
    """
    return test.pvalue / 2


@slip(OneOrTwo, "p_less", "$pvalue", "Carla's p-value for Ben", DIRECTION)
def carlas_for_ben(test: OneOrTwo) -> Any:
    """That is Carla's p-value, both tails. Ben claimed a direction: for him only the values of t to the left of yours, and
    yours itself, are at least as extreme.
    """
    return test.pvalue


@slip(OneOrTwo, "p_less", "1 - $pvalue", "1 - p of two sides", DIRECTION)
def one_minus_two_sided(test: OneOrTwo) -> Any:
    """You subtracted the two-sided p-value from 1: that is the area between -t and t. To the left of t there is also the
    left tail: take away one tail only.
    """
    return 1 - test.pvalue


@slip(
    OneOrTwo,
    "rejects",
    r"|$statistic| \geq $one_sided_critical_value \text{ (Anna and Ben)},\ |$statistic| \geq $critical_value \text{ (Carla)}",
    "|t| compared in a one-sided test",
    DIRECTION,
)
def absolute_t(test: OneOrTwo) -> Any:
    """You compared |t| with a one-sided critical value. The bars throw the direction away, and the direction is all that a
    one-sided claim is about: a t far out on the wrong side is no evidence for it. Compare t itself, with its sign.
    """
    t, c = np.abs(test.statistic), test.one_sided_critical_value
    return np.array([t >= c, t >= c, t >= test.critical_value])


@slip(OneOrTwo, "level_after_looking", "$alpha", "the level that was hoped for", DIRECTION)
def level_hoped_for(test: OneOrTwo) -> Any:
    """That is the level Dora wrote down. It would hold if the side had been fixed beforehand, or if the limit were that of
    two sides. But she keeps the limit of one side, and rejects beyond it on the right and on the left as well.
    """
    return test.alpha


@slip(OneOrTwo, "sign_greater", r"2\,P($coins \geq $wins)", "both tails of the coins", SIGNS)
def sign_both_tails(test: OneOrTwo) -> Any:
    """You doubled the tail. Anna fixed her direction beforehand: only many wins of A support her, few wins do not. One
    tail is all.
    """
    return 2 * test.coins.at_least(test.wins)


@slip(OneOrTwo, "sign_greater", "P($coins > $wins)", "the observed count left out", SIGNS)
def count_left_out(test: OneOrTwo) -> Any:
    """That is the probability of more wins than were observed. At least as extreme includes what was observed: begin with
    it. (In scipy binom.sf(w, n, 0.5) begins at w + 1.)
    """
    return test.coins.at_least(test.wins + 1)


@slip(OneOrTwo, "sign_greater", "P($coins = $wins)", "P(X = k) for P(X ≥ k)", SIGNS)
def point_for_tail(test: OneOrTwo) -> Any:
    """You took the probability of exactly this count. A p-value asks for a result at least as extreme: add the
    probabilities of all larger counts.
    """
    return test.coins.at_least(test.wins) - test.coins.at_least(test.wins + 1)


@slip(OneOrTwo, "sign_greater", r"P($coins \leq $wins)", "the other tail of the coins", SIGNS, only=("q12",))
def other_tail_of_coins(test: OneOrTwo) -> Any:
    """You counted from your number of wins downwards. Many wins of A support Anna: begin at yours and go up. (You will
    need the other direction for Ben.)
    """
    return test.coins.at_most(test.wins)


@slip(OneOrTwo, "sign_less", "1 - $sign_greater", "1 - p for counts", SIGNS)
def rest_of_one(test: OneOrTwo) -> Any:
    """That is 1 less Anna's p-value: the probability of fewer wins than were observed. For a curve that is right, but
    counts come in steps: the observed number of wins is as extreme as itself for Ben, too, and belongs to both tails.
    """
    return 1 - test.sign_greater
