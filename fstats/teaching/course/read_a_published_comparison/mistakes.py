"""What goes wrong: the right test with one wrong step each."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import sqrt

from ....core.value import Interval
from ....distributions.continuous import StudentT
from ...grading.mistake import slip
from .. import shared
from .steps import CORRECTION, MANY, NULL, PRINTED, STATISTIC, TABLE, TAILS, Claims

no_root_of_n = shared.no_root_of_n.on(
    Claims,
    "the square root of n is missing",
    STATISTIC,
    """That is how far the difference strays from one data set to another. The mean of n data sets strays less: divide by
    the root of n.
    """,
    only=("q1", "q2"),
)


n_for_its_root = shared.n_for_its_root.on(
    Claims,
    "n for its square root",
    STATISTIC,
    """You divided by n. A mean of n differences strays less than one of them by the square root of n only.""",
    only=("q1", "q2"),
)


degrees_n = shared.degrees_n.on(
    Claims,
    "n degrees of freedom",
    NULL,
    """You took n degrees of freedom. One is spent on the mean from which the standard deviation is measured: n - 1 are
    left.
    """,
)


one_tail = shared.one_tail.on(
    Claims,
    "p-value of one tail",
    TAILS,
    """That is one tail. A test that would have called the opposite result significant, too, has two; one tail is for those
    who said so before they saw the data. (Keep this number in mind: you may meet it again.)
    """,
)


@slip(
    Claims,
    "t_range",
    r"\left[\frac{$mean - 0.05}{($sd - 0.05) / \sqrt{$n}},\ \frac{$mean + 0.05}{($sd + 0.05) / \sqrt{$n}}\right]",
    "both rounded in the same direction",
    PRINTED,
)
def together_up_and_down(test: Claims) -> Any:
    """You let both figures be rounded in the same direction. The mean and the standard deviation were rounded each for
    itself: t is smallest with the smallest mean and the largest standard deviation, and largest the other way round.
    """
    return Interval((test.mean - 0.05) / ((test.sd - 0.05) / sqrt(test.n)), (test.mean + 0.05) / ((test.sd + 0.05) / sqrt(test.n)))


@slip(
    Claims,
    "t_range",
    r"\left[\frac{$mean + 0.05}{($sd - 0.05) / \sqrt{$n}},\ \frac{$mean - 0.05}{($sd + 0.05) / \sqrt{$n}}\right]",
    "largest t first",
    PRINTED,
)
def largest_t_first(test: Claims) -> Any:
    """Both ends are right, but they stand in the wrong order: the smallest first."""
    return Interval((test.mean + 0.05) / ((test.sd - 0.05) / sqrt(test.n)), (test.mean - 0.05) / ((test.sd + 0.05) / sqrt(test.n)))


@slip(
    Claims,
    "t_range",
    r"\left[\frac{$mean - 0.1}{($sd + 0.1) / \sqrt{$n}},\ \frac{$mean + 0.1}{($sd - 0.1) / \sqrt{$n}}\right]",
    "a whole unit for half a unit",
    PRINTED,
)
def whole_unit(test: Claims) -> Any:
    """You let the printed figures be wrong by a whole unit of their last digit. A figure that was rounded is off by half a
    unit at most.
    """
    return Interval((test.mean - 0.1) / ((test.sd + 0.1) / sqrt(test.n)), (test.mean + 0.1) / ((test.sd - 0.1) / sqrt(test.n)))


@slip(Claims, "p_range", r"[2\,P($null \geq $t_printed - 0.005),\ 2\,P($null \geq $t_printed + 0.005)]", "largest p first", PRINTED)
def largest_p_first(test: Claims) -> Any:
    """Both ends are right, but they stand in the wrong order: the larger t has the smaller p."""
    return Interval(2 * test.null.at_least(test.t_printed - 0.005), 2 * test.null.at_least(test.t_printed + 0.005))


@slip(Claims, "p_range", r"[P($null \geq $t_printed + 0.005),\ P($null \geq $t_printed - 0.005)]", "one tail of the printed t", TAILS)
def one_tail_of_printed(test: Claims) -> Any:
    """Those are p-values of one tail. The question is which two-sided ones can belong to the printed t: both tails. (But
    do look at what you found, beside the printed p.)
    """
    return Interval(test.null.at_least(test.t_printed + 0.005), test.null.at_least(test.t_printed - 0.005))


@slip(
    Claims,
    "p_range",
    r"[2\,P($null \geq $t_printed + 0.01),\ 2\,P($null \geq $t_printed - 0.01)]",
    "a whole unit of the printed t",
    PRINTED,
)
def whole_unit_of_t(test: Claims) -> Any:
    """You let the printed t be wrong by a whole unit of its last digit. A figure that was rounded is off by half a unit at
    most.
    """
    return Interval(2 * test.null.at_least(test.t_printed + 0.01), 2 * test.null.at_least(test.t_printed - 0.01))


@slip(Claims, "p_adjusted", r"$baselines \cdot $pvalue", "only the printed comparisons counted", MANY)
def only_printed(test: Claims) -> Any:
    """You counted the comparisons that the table shows. Every variant that was tried was a chance to win by luck, whether
    it was printed or not.
    """
    return test.baselines * test.pvalue


@slip(Claims, "p_adjusted", r"($variants + $baselines) \cdot $pvalue", "comparisons added for multiplied", MANY)
def comparisons_added(test: Claims) -> Any:
    """You added the numbers of variants and of old classifiers. Each variant was compared with each of the old ones: that
    many pairs are a product.
    """
    return (test.variants + test.baselines) * test.pvalue


@slip(Claims, "p_adjusted", r"\frac{$pvalue}{$variants \cdot $baselines}", "p divided by the number of comparisons", MANY)
def p_divided(test: Claims) -> Any:
    """You divided p by the number of comparisons, which makes it smaller. More comparisons must make it harder to be
    significant: divide alpha, or multiply p.
    """
    return test.pvalue / (test.variants * test.baselines)


@slip(Claims, "fold_se", r"\frac{$fold_sd}{\sqrt{$repeats \cdot $folds}}", "folds taken as independent", CORRECTION)
def folds_as_independent(test: Claims) -> Any:
    """You took the folds for independent experiments, as the paper does. Their training sets are almost the same records:
    repeating the cross-validation makes this number as small as you like, and the data set no larger.
    """
    return test.fold_sd / sqrt(test.repeats * test.folds)


@slip(Claims, "fold_se", r"\sqrt{\frac{1}{$folds} + $ratio}\;$fold_sd", "folds of one repetition for all", CORRECTION)
def folds_of_one_run(test: Claims) -> Any:
    """You counted the folds of one repetition only. The mean is taken over all folds of all repetitions: r times k."""
    return sqrt(1 / test.folds + test.ratio) * test.fold_sd


@slip(Claims, "fold_se", r"\left(\frac{1}{$repeats \cdot $folds} + $ratio\right)$fold_sd", "the root is missing", CORRECTION)
def no_root(test: Claims) -> Any:
    """The root is missing. What stands in the parentheses multiplies a variance; a standard deviation is multiplied by the
    root of it.
    """
    return (1 / (test.repeats * test.folds) + test.ratio) * test.fold_sd


@slip(Claims, "fold_p", r"P(t_{$repeats \cdot $folds - 1} \geq |$fold_t|)", "one tail on the folds", TAILS)
def one_tail_of_folds(test: Claims) -> Any:
    """That is one tail. Nobody had said before which of the two should be ahead: both tails count."""
    return StudentT(test.repeats * test.folds - 1).at_least(abs(test.fold_t))


@slip(Claims, "fold_p", r"2\,P(t_{$folds - 1} \geq |$fold_t|)", "degrees of freedom of one repetition", CORRECTION)
def degrees_of_one_run(test: Claims) -> Any:
    """You took one less than the number of folds of one repetition. The standard deviation was taken over all folds of all
    repetitions: one less than r times k.
    """
    return 2 * StudentT(test.folds - 1).at_least(abs(test.fold_t))


@slip(Claims, "ratio", "$folds - 1", "training by test for test by training", CORRECTION)
def upside_down(test: Claims) -> Any:
    """That is upside down: training records by test records. With it the standard error of the mean comes out larger than
    the standard deviation of a single fold, which cannot be. Take test by training.
    """
    return test.folds - 1


@slip(Claims, "ratio", r"\frac{1}{$folds}", "share of all records for test by training", CORRECTION)
def share_of_all(test: Claims) -> Any:
    """You took the share of test records among all records. That is the correlation rho that Nadeau and Bengio guess;
    their correction is rho / (1 - rho), which is test records by training records.
    """
    return 1 / test.folds


@slip(Claims, "n10_most", r"$records \cdot (100 - $accuracy_a) / 100", "n01 and n10 swapped", TABLE, only=("q13",))
def other_cell(test: Claims) -> Any:
    """Those are the errors of the new classifier: the most that the other cell, n01, can hold. In n10 the old one is
    wrong, so its errors are the limit.
    """
    return np.rint(test.records * (100 - test.accuracy_a) / 100)


@slip(Claims, "n10_most", r"$records \cdot ($accuracy_a - $accuracy_b) / 100", "the least for the most", TABLE, only=("q13",))
def least_for_most(test: Claims) -> Any:
    """That is by how many records HEDGEROW is ahead, and so the least that n10 can be (if n01 is 0). At most it holds all
    records on which the other one is wrong.
    """
    return np.rint(test.records * (test.accuracy_a - test.accuracy_b) / 100)


@slip(Claims, "n10_most", "(100 - $accuracy_b) / 100", "a share for a count", TABLE, only=("q13",))
def share_for_count(test: Claims) -> Any:
    """That is a share of all records. Count them: the share times the number of records of the test set."""
    return (100 - test.accuracy_b) / 100


@slip(Claims, "n10_most", r"$records \cdot $accuracy_a / 100", "all right ones for the discordant ones", TABLE, only=("q13",))
def all_right_ones(test: Claims) -> Any:
    """You counted all records that the new classifier gets right. On most of them the old one is right, too; in n10 it is
    wrong, and it is not wrong that often.
    """
    return np.rint(test.records * test.accuracy_a / 100)


@slip(
    Claims,
    "mcnemar_range",
    r"\left[\frac{$lead^2}{$n10_most + $n01_most},\ \frac{$lead^2}{$lead}\right]",
    "no continuity correction",
    TABLE,
)
def no_correction(test: Claims) -> Any:
    """You left out the continuity correction that was asked for: take 1 from the difference of the two counts before
    squaring.
    """
    return Interval(test.lead**2 / (test.n10_most + test.n01_most), test.lead)


@slip(
    Claims,
    "mcnemar_range",
    r"\left[\frac{($lead - 1)^2}{$lead},\ \frac{($lead - 1)^2}{$n10_most + $n01_most}\right]",
    "largest statistic first",
    TABLE,
)
def largest_first(test: Claims) -> Any:
    """Both ends are right, but they stand in the wrong order: the smallest first."""
    return Interval((test.lead - 1) ** 2 / test.lead, (test.lead - 1) ** 2 / (test.n10_most + test.n01_most))


@slip(
    Claims,
    "mcnemar_range",
    r"\left[\frac{($lead - 1)^2}{$n10_most + $n01_most},\ \frac{($n10_most - 1)^2}{$n10_most}\right]",
    "n10 left as it was",
    TABLE,
)
def most_with_nothing(test: Claims) -> Any:
    """For the second one you set n01 to 0 and left n10 as it was. But their difference is fixed by the accuracies: where
    n01 shrinks, n10 shrinks with it.
    """
    return Interval((test.lead - 1) ** 2 / (test.n10_most + test.n01_most), (test.n10_most - 1) ** 2 / test.n10_most)


@slip(Claims, "mcnemar_range", r"\left[\frac{($lead - 1)^2}{$records},\ \frac{($lead - 1)^2}{$lead}\right]", "all records below", TABLE)
def all_records_below(test: Claims) -> Any:
    """For the first one you divided by all records. McNemar's test divides by those on which just one of the two is right,
    n10 + n01; even if the two never fail together, that is only the errors of both.
    """
    return Interval((test.lead - 1) ** 2 / test.records, (test.lead - 1) ** 2 / test.lead)
