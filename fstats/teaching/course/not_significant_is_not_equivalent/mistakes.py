"""What goes wrong: the right test with one wrong step each."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core.value import Interval
from ....distributions.continuous import Normal
from ....procedures.pairwise.paired_t import PairedT
from ...grading.mistake import slip
from .. import shared
from .steps import DECISION, EQUIVALENT, NULL, SIZE, SPREAD, STANDARD_ERROR, Alike

b_minus_a = shared.b_minus_a.on(
    PairedT,
    "the sign: B minus A",
    SPREAD,
    """You took B minus A, so your interval is mirrored at 0 and the two margins change places. Take A minus B: positive
    where A is better.
    """,
)


divided_by_n = shared.divided_by_n.on(
    PairedT,
    "divided by n",
    SPREAD,
    """Your standard deviation divides by n. The deviations are taken from the mean of the very same data and come out too
    small; n - 1 puts that right (in numpy: ddof=1). Too small an error is dangerous just here: it makes two classifiers
    look alike.
    """,
    only=("q2",),
)


no_root_of_n = shared.no_root_of_n.on(
    PairedT,
    "standard deviation for standard error",
    STANDARD_ERROR,
    """That is the standard deviation: how far one difference strays. The mean of n differences strays less, by the square
    root of n.
    """,
    only=("q2",),
)


normal_for_t = shared.normal_for_t.on(
    PairedT,
    "normal for Student's t",
    NULL,
    """You took the normal distribution. Few data estimate their own spread badly; Student's curve with n - 1 degrees of
    freedom knows that, and its intervals are wider.
    """,
)


one_tail = shared.one_tail.on(
    PairedT,
    "p-value of one tail",
    DECISION,
    """That is one tail only. You ask whether A and B differ at all, so a difference as large in the other direction
    counts, too: double it.
    """,
)


@slip(PairedT, "ci", r"[$mean - $critical_value\,$sd,\ $mean + $critical_value\,$sd]", "interval with the standard deviation", DECISION)
def sd_in_interval(test: PairedT) -> Any:
    """You went out by standard deviations. That says where single differences lie; the interval is for their mean, so its
    unit is the standard error.
    """
    return Interval(test.mean - test.critical_value * test.sd, test.mean + test.critical_value * test.sd)


ninety_for_ninety_five = shared.alpha_above.on(
    PairedT,
    "90 % interval for 95 %",
    DECISION,
    """Your interval leaves alpha out at either end, 10 % in all: it is a 90 % interval. (You will need that one, too, in a
    moment.) For 95 % leave alpha / 2 at either end.
    """,
)


@slip(Alike, "t_low", r"\frac{$mean}{$se}", "the margin is left out", EQUIVALENT, only=("q6",))
def margin_left_out(test: Alike) -> Any:
    """You measured from 0: that is the statistic of the ordinary t-test. The new null hypothesis says that the true
    difference is at the margin or beyond, so measure the distance from the margin.
    """
    return test.mean / test.se


other_margin = shared.from_the_upper_margin.on(
    Alike,
    "the other margin",
    EQUIVALENT,
    """You subtracted the margin, and so measured from the upper one. The lower margin lies at minus delta; going up from
    there to the mean, the two distances add.
    """,
    only=("q6",),
    step="t_low",
)


sign_at_the_upper_margin = shared.from_the_upper_margin.on(
    Alike,
    "the sign at the upper margin",
    EQUIVALENT,
    """You took the mean less the margin. Many books do, and then look at the lower tail; here both tests count a distance
    towards the inside as positive, so that the two can be compared. Go from the mean up to the margin.
    """,
    only=("q7",),
    step="t_high",
)


@slip(Alike, "statistic", r"\max\{$t_low, $t_high\}", "only the easier one of the two tests", EQUIVALENT, only=("q8", "q9"))
def easier_test(test: Alike) -> Any:
    """You let the easier of the two tests speak. It shows that the difference is not beyond the far margin, which nobody
    feared; beyond the near one it may still be. Both tests have to reject, so the harder one decides.
    """
    return np.maximum(test.t_low, test.t_high)


both_tails = shared.both_tails.on(
    Alike,
    "doubled the p-value of two one-sided tests",
    EQUIVALENT,
    """You doubled it, for two tails or for two tests. Each test looks one way only. And nothing has to be corrected,
    because both must reject: two hurdles to take make it harder to claim something, not easier.
    """,
    only=("q9",),
)


@slip(Alike, "pvalue", "P($null < $statistic)", "the area on the other side", EQUIVALENT, only=("q9",))
def other_end(test: Alike) -> Any:
    """You took the area to the left of t. The farther inside the margin the mean lies, the larger is t: at least as
    extreme lies to the right (in scipy sf, not cdf).
    """
    return 1 - test.null.at_least(test.statistic)


normal_once_more = shared.normal_for_t.on(
    Alike,
    "normal for Student's t in the equivalence test",
    EQUIVALENT,
    """You took the normal distribution. The spread is estimated from few differences here as well: Student's curve with n
    - 1 degrees of freedom, as in the ordinary t-test.
    """,
    only=("q9", "q11", "q12"),
)


ninety_five_for_ninety = shared.half_alpha_above.on(
    Alike,
    "95 % interval for 90 %",
    EQUIVALENT,
    """You left alpha / 2 at either end: the 95 % interval. Each of the two one-sided tests spends all of alpha at its own
    end, so the interval that says the same as both leaves alpha at either end: 90 %.
    """,
    only=("q11", "q12"),
)


@slip(Alike, "margin_shown", r"$critical_value\,$se", "half the width of the interval", EQUIVALENT)
def half_width(test: Alike) -> Any:
    """That is half the width of the interval. The interval is not centred on 0 but on the mean; to hold all of it, the
    margin has to reach to its farther end.
    """
    return test.critical_value * test.se


@slip(Alike, "margin_shown", r"$critical_value\,$se - |$mean|", "the nearer end of the interval", EQUIVALENT)
def nearer_end(test: Alike) -> Any:
    """That margin reaches to the nearer end of the interval only. At the farther end the interval still sticks out; the
    margin has to hold all of it.
    """
    return test.critical_value * test.se - abs(test.mean)


@slip(Alike, "size", r"\left(\frac{(z_{$alpha} + z_{$beta})\,$sd}{$margin}\right)^2", "the power of one test for that of two", SIZE)
def power_of_one_test(test: Alike) -> Any:
    """You let each of the two tests fail with the probability beta. If the truth lies in the middle, either may fail, and
    together they fail about twice as often: each may have only beta / 2.
    """
    return ((Normal(0.0, 1.0).high(test.alpha) + Normal(0.0, 1.0).high(test.beta)) * test.sd / test.margin) ** 2


@slip(Alike, "size", r"\left(\frac{(z_{$alpha / 2} + z_{$beta / 2})\,$sd}{$margin}\right)^2", "half of alpha for a one-sided test", SIZE)
def level_shared(test: Alike) -> Any:
    """You took half of alpha, as two-sided tests do. Here each of the two tests looks one way only, and spends all of
    alpha there.
    """
    return ((Normal(0.0, 1.0).high(test.alpha / 2) + Normal(0.0, 1.0).high(test.beta / 2)) * test.sd / test.margin) ** 2


@slip(Alike, "size", r"\left(\frac{(z_{$alpha} + z_{$beta / 2})\,$se}{$margin}\right)^2", "standard error for standard deviation", SIZE)
def error_for_spread(test: Alike) -> Any:
    """You took the standard error. It has the size of your own study in it already; the formula asks for the spread of
    single differences and finds the size.
    """
    return ((Normal(0.0, 1.0).high(test.alpha) + Normal(0.0, 1.0).high(test.beta / 2)) * test.se / test.margin) ** 2


@slip(Alike, "size", r"\frac{(z_{$alpha} + z_{$beta / 2})\,$sd}{$margin}", "number of data sets not squared", SIZE)
def size_not_squared(test: Alike) -> Any:
    """The square is missing. The standard error shrinks with the root of n: for half of it four times as many data sets
    are needed.
    """
    return (Normal(0.0, 1.0).high(test.alpha) + Normal(0.0, 1.0).high(test.beta / 2)) * test.sd / test.margin
