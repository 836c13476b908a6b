"""What goes wrong in working a paper's claims out again."""

from __future__ import annotations

import numpy as np
from numpy import sqrt

from ...null import Interval, StudentT
from ...step import step
from .claims import Claims


class RootOfNMissing(Claims):
    """That is how far the difference strays from one data set to another. The mean of n data sets strays less: divide by the root of n."""

    se = step(r"\mathrm{SE}", "$sd")(lambda test: np.float64(test.sd))


class NForItsRoot(Claims):
    """You divided by n. A mean of n differences strays less than one of them by the square root of n only."""

    se = step(r"\mathrm{SE}", r"\frac{$sd}{$n}")(lambda test: np.float64(test.sd / test.n))


class DegreesN(Claims):
    """You took n degrees of freedom. One is spent on the mean from which the standard deviation is measured: n - 1 are left."""

    df = step(r"\nu", "$n")(lambda test: test.n)


class OneTail(Claims):
    """That is one tail. A test that would have called the opposite result significant, too, has two; one tail is for those who said so before they saw the data. (Keep this number in mind: you may meet it again.)"""

    pvalue = step("p", r"P($null \geq |$statistic|)")(lambda test: test.null.at_least(abs(test.statistic)))


class TogetherUpAndDown(Claims):
    """You let both figures be rounded in the same direction. The mean and the standard deviation were rounded each for itself: t is smallest with the smallest mean and the largest standard deviation, and largest the other way round."""

    t_range = step(
        r"t_{\mathrm{range}}",
        r"\left[\frac{$mean - 0.05}{($sd - 0.05) / \sqrt{$n}},\ \frac{$mean + 0.05}{($sd + 0.05) / \sqrt{$n}}\right]",
        over="e",
    )(lambda test: Interval((test.mean - 0.05) / ((test.sd - 0.05) / sqrt(test.n)), (test.mean + 0.05) / ((test.sd + 0.05) / sqrt(test.n))))


class LargestTFirst(Claims):
    """Both ends are right, but they stand in the wrong order: the smallest first."""

    t_range = step(
        r"t_{\mathrm{range}}",
        r"\left[\frac{$mean + 0.05}{($sd - 0.05) / \sqrt{$n}},\ \frac{$mean - 0.05}{($sd + 0.05) / \sqrt{$n}}\right]",
        over="e",
    )(lambda test: Interval((test.mean + 0.05) / ((test.sd - 0.05) / sqrt(test.n)), (test.mean - 0.05) / ((test.sd + 0.05) / sqrt(test.n))))


class WholeUnit(Claims):
    """You let the printed figures be wrong by a whole unit of their last digit. A figure that was rounded is off by half a unit at most."""

    t_range = step(
        r"t_{\mathrm{range}}",
        r"\left[\frac{$mean - 0.1}{($sd + 0.1) / \sqrt{$n}},\ \frac{$mean + 0.1}{($sd - 0.1) / \sqrt{$n}}\right]",
        over="e",
    )(lambda test: Interval((test.mean - 0.1) / ((test.sd + 0.1) / sqrt(test.n)), (test.mean + 0.1) / ((test.sd - 0.1) / sqrt(test.n))))


class LargestPFirst(Claims):
    """Both ends are right, but they stand in the wrong order: the larger t has the smaller p."""

    p_range = step(r"p_{\mathrm{range}}", r"[2\,P($null \geq $t_printed - 0.005),\ 2\,P($null \geq $t_printed + 0.005)]", over="e")(
        lambda test: Interval(2 * test.null.at_least(test.t_printed - 0.005), 2 * test.null.at_least(test.t_printed + 0.005))
    )


class OneTailOfPrinted(Claims):
    """Those are p-values of one tail. The question is which two-sided ones can belong to the printed t: both tails. (But do look at what you found, beside the printed p.)"""

    p_range = step(r"p_{\mathrm{range}}", r"[P($null \geq $t_printed + 0.005),\ P($null \geq $t_printed - 0.005)]", over="e")(
        lambda test: Interval(test.null.at_least(test.t_printed + 0.005), test.null.at_least(test.t_printed - 0.005))
    )


class WholeUnitOfT(Claims):
    """You let the printed t be wrong by a whole unit of its last digit. A figure that was rounded is off by half a unit at most."""

    p_range = step(r"p_{\mathrm{range}}", r"[2\,P($null \geq $t_printed + 0.01),\ 2\,P($null \geq $t_printed - 0.01)]", over="e")(
        lambda test: Interval(2 * test.null.at_least(test.t_printed + 0.01), 2 * test.null.at_least(test.t_printed - 0.01))
    )


class OnlyPrinted(Claims):
    """You counted the comparisons that the table shows. Every variant that was tried was a chance to win by luck, whether it was printed or not."""

    p_adjusted = step(r"p_{\mathrm{adj}}", r"$baselines \cdot $pvalue")(lambda test: test.baselines * test.pvalue)


class Added(Claims):
    """You added the numbers of variants and of old classifiers. Each variant was compared with each of the old ones: that many pairs are a product."""

    p_adjusted = step(r"p_{\mathrm{adj}}", r"($variants + $baselines) \cdot $pvalue")(
        lambda test: (test.variants + test.baselines) * test.pvalue
    )


class Divided(Claims):
    """You divided p by the number of comparisons, which makes it smaller. More comparisons must make it harder to be significant: divide alpha, or multiply p."""

    p_adjusted = step(r"p_{\mathrm{adj}}", r"\frac{$pvalue}{$variants \cdot $baselines}")(
        lambda test: test.pvalue / (test.variants * test.baselines)
    )


class FoldsAsIndependent(Claims):
    """You took the folds for independent experiments, as the paper does. Their training sets are almost the same records: repeating the cross-validation makes this number as small as you like, and the data set no larger."""

    fold_se = step(r"\mathrm{SE}_f", r"\frac{$fold_sd}{\sqrt{$repeats \cdot $folds}}")(
        lambda test: test.fold_sd / sqrt(test.repeats * test.folds)
    )


class FoldsOfOneRun(Claims):
    """You counted the folds of one repetition only. The mean is taken over all folds of all repetitions: r times k."""

    fold_se = step(r"\mathrm{SE}_f", r"\sqrt{\frac{1}{$folds} + $ratio}\;$fold_sd")(
        lambda test: sqrt(1 / test.folds + test.ratio) * test.fold_sd
    )


class RootForgotten(Claims):
    """The root is missing. What stands in the parentheses multiplies a variance; a standard deviation is multiplied by the root of it."""

    fold_se = step(r"\mathrm{SE}_f", r"\left(\frac{1}{$repeats \cdot $folds} + $ratio\right)$fold_sd")(
        lambda test: (1 / (test.repeats * test.folds) + test.ratio) * test.fold_sd
    )


class OneTailOfFolds(Claims):
    """That is one tail. Nobody had said before which of the two should be ahead: both tails count."""

    fold_p = step("p_f", r"P(t_{$repeats \cdot $folds - 1} \geq |$fold_t|)")(
        lambda test: StudentT(test.repeats * test.folds - 1).at_least(abs(test.fold_t))
    )


class DegreesOfOneRun(Claims):
    """You took one less than the number of folds of one repetition. The standard deviation was taken over all folds of all repetitions: one less than r times k."""

    fold_p = step("p_f", r"2\,P(t_{$folds - 1} \geq |$fold_t|)")(lambda test: 2 * StudentT(test.folds - 1).at_least(abs(test.fold_t)))


class UpsideDown(Claims):
    """That is upside down: training records by test records. With it the standard error of the mean comes out larger than the standard deviation of a single fold, which cannot be. Take test by training."""

    ratio = step(r"\frac{n_2}{n_1}", "$folds - 1")(lambda test: test.folds - 1)


class ShareOfAll(Claims):
    """You took the share of test records among all records. That is the correlation rho that Nadeau and Bengio guess; their correction is rho / (1 - rho), which is test records by training records."""

    ratio = step(r"\frac{n_2}{n_1}", r"\frac{1}{$folds}")(lambda test: 1 / test.folds)


class OtherCell(Claims):
    """Those are the errors of the new classifier: the most that the other cell, n01, can hold. In n10 the old one is wrong, so its errors are the limit."""

    n10_most = step("n_{10}", r"$records \cdot (100 - $accuracy_a) / 100")(
        lambda test: np.rint(test.records * (100 - test.accuracy_a) / 100)
    )


class Lead(Claims):
    """That is by how many records HEDGEROW is ahead, and so the least that n10 can be (if n01 is 0). At most it holds all records on which the other one is wrong."""

    n10_most = step("n_{10}", r"$records \cdot ($accuracy_a - $accuracy_b) / 100")(
        lambda test: np.rint(test.records * (test.accuracy_a - test.accuracy_b) / 100)
    )


class Share(Claims):
    """That is a share of all records. Count them: the share times the number of records of the test set."""

    n10_most = step("n_{10}", r"(100 - $accuracy_b) / 100")(lambda test: np.float64((100 - test.accuracy_b) / 100))


class RightOnes(Claims):
    """You counted all records that the new classifier gets right. On most of them the old one is right, too; in n10 it is wrong, and it is not wrong that often."""

    n10_most = step("n_{10}", r"$records \cdot $accuracy_a / 100")(lambda test: np.rint(test.records * test.accuracy_a / 100))


class NoCorrection(Claims):
    """You left out the continuity correction that was asked for: take 1 from the difference of the two counts before squaring."""

    mcnemar_range = step("M", r"\left[\frac{$lead^2}{$n10_most + $n01_most},\ \frac{$lead^2}{$lead}\right]", over="e")(
        lambda test: Interval(test.lead**2 / (test.n10_most + test.n01_most), test.lead)
    )


class LargestFirst(Claims):
    """Both ends are right, but they stand in the wrong order: the smallest first."""

    mcnemar_range = step("M", r"\left[\frac{($lead - 1)^2}{$lead},\ \frac{($lead - 1)^2}{$n10_most + $n01_most}\right]", over="e")(
        lambda test: Interval((test.lead - 1) ** 2 / test.lead, (test.lead - 1) ** 2 / (test.n10_most + test.n01_most))
    )


class MostWithNothing(Claims):
    """For the second one you set n01 to 0 and left n10 as it was. But their difference is fixed by the accuracies: where n01 shrinks, n10 shrinks with it."""

    mcnemar_range = step("M", r"\left[\frac{($lead - 1)^2}{$n10_most + $n01_most},\ \frac{($n10_most - 1)^2}{$n10_most}\right]", over="e")(
        lambda test: Interval((test.lead - 1) ** 2 / (test.n10_most + test.n01_most), (test.n10_most - 1) ** 2 / test.n10_most)
    )


class AllRecordsBelow(Claims):
    """For the first one you divided by all records. McNemar's test divides by those on which just one of the two is right, n10 + n01; even if the two never fail together, that is only the errors of both."""

    mcnemar_range = step("M", r"\left[\frac{($lead - 1)^2}{$records},\ \frac{($lead - 1)^2}{$lead}\right]", over="e")(
        lambda test: Interval((test.lead - 1) ** 2 / test.records, (test.lead - 1) ** 2 / test.lead)
    )
