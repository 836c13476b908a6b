"""What goes wrong: the right test with one wrong step each."""

from __future__ import annotations

from typing import Any

from ....procedures.pairwise.paired_t import PairedT
from ...grading.mistake import slip
from .. import shared
from .steps import DECISION, DIFFERENCES, DIVISOR, NULL, PAIRING, STATISTIC

b_minus_a = shared.b_minus_a.on(
    PairedT,
    "the sign: B minus A",
    DIFFERENCES,
    """You took B minus A. Then a positive number means that B is better, and every sign below is turned round. Agree on a
    direction, and keep it: A minus B, positive where A is better.
    """,
)


divided_by_n = shared.divided_by_n.on(
    PairedT,
    "divided by n",
    DIVISOR,
    """You divided the sum of squares by n. The deviations are taken from the mean of the very same data, which lies in
    their middle, so they come out too small; dividing by n - 1 puts that right. (numpy's std divides by n, too, unless
    you say ddof=1.)
    """,
)


variance_for_sd = shared.variance_for_sd.on(
    PairedT,
    "variance for standard deviation",
    DIFFERENCES,
    """That is the variance: its unit is the square of a score. The standard deviation is its square root, in the unit of
    the scores.
    """,
)


no_root_of_n = shared.no_root_of_n.on(
    PairedT,
    "the square root of n is missing",
    STATISTIC,
    """The square root of n is missing: that is how far one difference strays, not how far the mean of n of them does. A
    mean is steadier than its parts.
    """,
)


n_for_its_root = shared.n_for_its_root.on(
    PairedT,
    "n for its square root",
    STATISTIC,
    """You divided by n, not by its square root. Four times as many data sets halve the standard error, they do not quarter
    it.
    """,
)


unpaired = shared.unpaired.on(
    PairedT,
    "unpaired for paired",
    PAIRING,
    """That is the standard error for two independent samples. It holds the differences between easy and hard data sets
    against the classifiers; on the same data sets, look at the spread of the differences.
    """,
)


degrees_n = shared.degrees_n.on(
    PairedT,
    "n degrees of freedom",
    NULL,
    """One degree of freedom is spent on the mean, from which the deviations are measured: n - 1 are left.""",
)


@slip(PairedT, "df", "2 $n - 2", "degrees of freedom of two samples", PAIRING)
def degrees_of_two_samples(test: PairedT) -> Any:
    """Those are the degrees of freedom of two independent samples. Here there are only n numbers, the differences, and one
    mean of them.
    """
    return 2 * test.n - 2


normal_for_t = shared.normal_for_t.on(
    PairedT,
    "normal for Student's t",
    NULL,
    """That value belongs to the normal distribution. The standard deviation was estimated from few data, which makes
    extreme values of t more frequent; Student's curve knows that.
    """,
)


critical_value_of_one_tail = shared.alpha_above.on(
    PairedT,
    "critical value of one tail",
    DECISION,
    """That leaves alpha in one tail. A two-sided test has to share alpha between the two: alpha / 2 on either side.""",
)


one_tail = shared.one_tail.on(
    PairedT,
    "p-value of one tail",
    NULL,
    """That is the probability of one tail. Two-sided, a difference as large in the other direction would have been just as
    extreme: both tails count.
    """,
)


@slip(PairedT, "pvalue", r"1 - 2\,P($null \geq |$statistic|)", "1 - p for p", NULL)
def one_minus_p(test: PairedT) -> Any:
    """You have 1 - p: how often chance alone gives something less extreme. It is neither the p-value nor the probability
    that the classifiers differ.
    """
    return 1 - 2 * test.null.at_least(abs(test.statistic))
