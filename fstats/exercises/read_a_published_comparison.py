"""Exercise: the claims of a (made-up) paper, worked out again from what it prints."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import sqrt

from .. import check
from ..grading.exercise import Exercise
from ..grading.mistake import Mistake
from ..grading.question import Choice, Option, Question, Section
from ..null import Interval, StudentT, Value
from ..pairwise.paired_t import PairedT
from ..step import Procedure, given, step

STATISTIC = Section("01_paired_t", "Half the information is enough")
NULL = Section("01_paired_t", "Step 4. How far is far? The null distribution")
TAILS = Section("01_paired_t", "One direction only")
PRINTED = Section("01_paired_t", "Printed beside ours")
MANY = Section("04_anova", "Why not simply test all pairs?")
CORRECTION = Section("06_cross_validation_is_not_independent", "The correction, and where it comes from")
ACCURACIES = Section("03_contingency_table", "Step 1. Two accuracies say nothing about their difference")
TABLE = Section("03_contingency_table", "Step 3. Salzberg's table: look only where they differ")
NOT_EQUAL = Section("09_which_test", "Not significant is not equal")


class Claims(Procedure):
    """What follows from the printed figures of a comparison, claim by claim."""

    n: int = given("n", "Claim 1: number of data sets.")
    mean: float = given(r"\bar d", "Claim 1: mean difference, new less old, in points.")
    sd: float = given("s_d", "Claim 1: standard deviation of the differences.")
    t_printed: float = given(r"t_{\mathrm{printed}}", "Claim 1: t as it is printed.")
    p_printed: float = given(r"p_{\mathrm{printed}}", "Claim 1: p as it is printed.")
    baselines: int = given("b", "Number of old classifiers in the table.")
    variants: int = given("v", "Number of variants of the new classifier that were tried.")
    repeats: int = given("r", "Claim 2: repetitions of the cross-validation.")
    folds: int = given("k", "Claim 2: folds of each.")
    fold_mean: float = given(r"\bar d_f", "Claim 2: mean difference over all folds, in points.")
    fold_sd: float = given("s_f", "Claim 2: standard deviation over all folds.")
    records: int = given("N", "Claim 3: records in the test set.")
    accuracy_a: float = given(r"\mathrm{acc}_A", "Claim 3: accuracy of the new classifier, in percent.")
    accuracy_b: float = given(r"\mathrm{acc}_B", "Claim 3: accuracy of the old one.")

    se, statistic, df, null = PairedT.se, PairedT.statistic, PairedT.df, PairedT.null

    @step("p", r"2\,P($null \geq |$statistic|)")
    def pvalue(self) -> Value:
        """Two-sided p-value of t."""
        return 2 * self.null.at_least(abs(self.statistic))

    @step(
        r"t_{\mathrm{range}}",
        r"\left[\frac{$mean - 0.05}{($sd + 0.05) / \sqrt{$n}},\ \frac{$mean + 0.05}{($sd - 0.05) / \sqrt{$n}}\right]",
        over="e",
    )
    def t_range(self) -> Interval:
        """The smallest and the largest t that rounding of the mean and the standard deviation leaves possible."""
        return Interval((self.mean - 0.05) / ((self.sd + 0.05) / sqrt(self.n)), (self.mean + 0.05) / ((self.sd - 0.05) / sqrt(self.n)))

    @step(r"p_{\mathrm{range}}", r"[2\,P($null \geq $t_printed + 0.005),\ 2\,P($null \geq $t_printed - 0.005)]", over="e")
    def p_range(self) -> Interval:
        """The smallest and the largest two-sided p-value that rounding of the printed t leaves possible."""
        return Interval(2 * self.null.at_least(self.t_printed + 0.005), 2 * self.null.at_least(self.t_printed - 0.005))

    @step(r"p_{\mathrm{adj}}", r"\min\{1,\ $variants \cdot $baselines \cdot $pvalue\}")
    def p_adjusted(self) -> Value:
        """Bonferroni's adjusted p-value: the two-sided one times the number of comparisons, each variant with each old classifier."""
        return np.minimum(1, self.variants * self.baselines * self.pvalue)

    @step(r"\frac{n_2}{n_1}", r"\frac{1}{$folds - 1}")
    def ratio(self) -> float:
        """Records to test by records to train, in each fold."""
        return 1 / (self.folds - 1)

    @step(r"\mathrm{SE}_f", r"\sqrt{\frac{1}{$repeats \cdot $folds} + $ratio}\;$fold_sd")
    def fold_se(self) -> Value:
        """Corrected resampled standard error of the mean difference over the folds."""
        return sqrt(1 / (self.repeats * self.folds) + self.ratio) * self.fold_sd

    @step("t_f", r"\frac{$fold_mean}{$fold_se}")
    def fold_t(self) -> Value:
        """The mean difference over the folds in corrected standard errors."""
        return self.fold_mean / self.fold_se

    @step("p_f", r"2\,P(t_{$repeats \cdot $folds - 1} \geq |$fold_t|)")
    def fold_p(self) -> Value:
        """Its two-sided p-value, with one degree of freedom less than there are folds in all."""
        return 2 * StudentT(self.repeats * self.folds - 1).at_least(abs(self.fold_t))

    @step("n_{10}", r"$records \cdot (100 - $accuracy_b) / 100")
    def n10_most(self) -> Value:
        """The largest number of records on which the new classifier can be right and the old one wrong."""
        return np.rint(self.records * (100 - self.accuracy_b) / 100)

    @step("n_{01}", r"$records \cdot (100 - $accuracy_a) / 100")
    def n01_most(self) -> Value:
        """The largest number of records on which it can be the other way round."""
        return np.rint(self.records * (100 - self.accuracy_a) / 100)

    @step("D", "$n10_most - $n01_most")
    def lead(self) -> Value:
        """By how many records the new classifier is ahead: n10 - n01, whatever the two are."""
        return self.n10_most - self.n01_most

    @step("M", r"\left[\frac{($lead - 1)^2}{$n10_most + $n01_most},\ \frac{($lead - 1)^2}{$lead}\right]", over="e")
    def mcnemar_range(self) -> Interval:
        """The smallest and the largest McNemar statistic (with continuity correction) that two classifiers of these accuracies can have."""
        return Interval((self.lead - 1) ** 2 / (self.n10_most + self.n01_most), check.ratio((self.lead - 1) ** 2, self.lead))


class DegreesN(Claims):
    """You took n degrees of freedom. One is spent on the mean from which the standard deviation is measured: n - 1 are left."""

    df = step(r"\nu", "$n")(lambda test: test.n)


class OneTail(Claims):
    """That is one tail. A test that would have called the opposite result significant, too, has two; one tail is for those who said so before they saw the data. (Keep this number in mind, and look at the paper once more.)"""

    pvalue = step("p", r"P($null \geq |$statistic|)")(lambda test: test.null.at_least(abs(test.statistic)))


class WholeUnit(Claims):
    """You let the printed figures be wrong by a whole unit of their last digit. A figure that was rounded is off by half a unit at most."""

    t_range = step(
        r"t_{\mathrm{range}}",
        r"\left[\frac{$mean - 0.1}{($sd + 0.1) / \sqrt{$n}},\ \frac{$mean + 0.1}{($sd - 0.1) / \sqrt{$n}}\right]",
        over="e",
    )(lambda test: Interval((test.mean - 0.1) / ((test.sd + 0.1) / sqrt(test.n)), (test.mean + 0.1) / ((test.sd - 0.1) / sqrt(test.n))))


class OnlyPrinted(Claims):
    """You counted the comparisons that the table shows. Every variant that was tried was a chance to win by luck, whether it was printed or not."""

    p_adjusted = step(r"p_{\mathrm{adj}}", r"$baselines \cdot $pvalue")(lambda test: test.baselines * test.pvalue)


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


class UpsideDown(Claims):
    """That is upside down: training records by test records. With it the standard error of the mean comes out larger than the standard deviation of a single fold, which cannot be. Take test by training."""

    ratio = step(r"\frac{n_2}{n_1}", "$folds - 1")(lambda test: test.folds - 1)


class ShareOfAll(Claims):
    """You took the share of test records among all records. That is the correlation rho itself; the correction is rho / (1 - rho), test records by training records."""

    ratio = step(r"\frac{n_2}{n_1}", r"\frac{1}{$folds}")(lambda test: 1 / test.folds)


class OtherCell(Claims):
    """Those are the errors of the new classifier: the most that the other cell, n01, can hold. In n10 the old one is wrong, so its errors are the limit."""

    n10_most = step("n_{10}", r"$records \cdot (100 - $accuracy_a) / 100")(
        lambda test: np.rint(test.records * (100 - test.accuracy_a) / 100)
    )


class RightOnes(Claims):
    """You counted all records that the new classifier gets right. On most of them the old one is right, too; in n10 it is wrong, and it is not wrong that often."""

    n10_most = step("n_{10}", r"$records \cdot $accuracy_a / 100")(lambda test: np.rint(test.records * test.accuracy_a / 100))


class NoCorrection(Claims):
    """You left out the continuity correction that was asked for: take 1 from the difference of the two counts before squaring."""

    mcnemar_range = step("M", r"\left[\frac{$lead^2}{$n10_most + $n01_most},\ \frac{$lead^2}{$lead}\right]", over="e")(
        lambda test: Interval(test.lead**2 / (test.n10_most + test.n01_most), test.lead)
    )


def draw(rng: np.random.Generator) -> dict[str, Any]:
    """Claims that do not hold: a one-tailed p, folds taken as independent, accuracies that leave both verdicts open."""
    while True:
        n, mean, sd = int(rng.integers(13, 21)), rng.integers(10, 26) / 10, rng.integers(16, 46) / 10
        t = round(float((mean + rng.uniform(-0.04, 0.04)) / ((sd + rng.uniform(-0.04, 0.04)) / sqrt(n))), 2)
        p = float(StudentT(n - 1).at_least(t))
        variants, baselines, repeats, folds = (int(rng.choice(found)) for found in ((3, 4), (3, 4, 5), (5, 10, 20), (5, 10)))
        fold_mean, fold_sd = rng.integers(4, 16) / 10, rng.integers(10, 31) / 10
        naive = fold_mean / fold_sd * sqrt(repeats * folds)
        corrected = naive / sqrt(1 + repeats * folds / (folds - 1))
        records, wrong, lead = int(rng.choice((200, 250, 500, 1000))), rng.uniform(0.06, 0.18), int(rng.integers(8, 25))
        a = round(wrong * records)
        own = float(StudentT(n - 1).at_least(mean / sd * sqrt(n)))
        if min(p, own) > 0.027 and max(p, own) < 0.044 and naive > 4.3 and corrected < 1.7 and (lead - 1) ** 2 < 3 * (2 * a + lead):
            found = dict(n=n, mean=mean, sd=sd, t_printed=t, p_printed=round(p, 3), baselines=baselines, variants=variants)
            found |= dict(repeats=repeats, folds=folds, fold_mean=fold_mean, fold_sd=fold_sd, records=records)
            return found | dict(accuracy_a=100 * (1 - a / records), accuracy_b=100 * (1 - (a + lead) / records))


EXERCISE = Exercise(
    name="read_a_published_comparison",
    test=Claims,
    given=dict(n=14, mean=1.4, sd=2.6, t_printed=2.02, p_printed=0.032, baselines=4, variants=3)
    | dict(repeats=10, folds=10, fold_mean=0.8, fold_sd=1.9, records=500, accuracy_a=87.0, accuracy_b=83.8),
    draw=draw,
    questions=(
        Question("q1", "se", STATISTIC),
        Question("q2", "statistic", STATISTIC),
        Question("q3", "t_range", PRINTED),
        Question("q4", "pvalue", TAILS),
        Question("q5", "p_range", PRINTED),
        Choice(
            "q6",
            "How did the printed p come about?",
            (
                Option("It is the p-value of one tail.", "Half of what belongs to its t; one tail has to be announced beforehand."),
                Option(
                    "It is the two-sided one, rounded.",
                    "Rounding explains what lies within your last range; the printed p lies far outside.",
                    "rounding blamed for more than it can do",
                ),
                Option("It is the one of the normal curve.", "Work it out from the printed t, two-sided: it is another number."),
            ),
            TAILS,
        ),
        Question("q7", "p_adjusted", MANY),
        Choice(
            "q8",
            "Only the best variant is in the abstract. Why do the others count?",
            (
                Option("The best of several is often ahead by luck.", "The largest of many results is a lucky one: it flatters."),
                Option(
                    "They do not: it alone is claimed to be better.",
                    "It was chosen because it looked best, by the very data that are to prove it. Choosing is a part of the procedure.",
                    "only the winner counted",
                ),
                Option("More variants are more data: p gets smaller.", "The data are the same, used again for each variant."),
            ),
            MANY,
        ),
        Question("q9", "ratio", CORRECTION),
        Question("q10", "fold_se", CORRECTION),
        Question("q11", "fold_t", CORRECTION),
        Question("q12", "fold_p", CORRECTION),
        Question("q13", "n10_most", TABLE),
        Question("q14", "mcnemar_range", TABLE),
        Choice(
            "q15",
            "The critical value is 3.84. What do the two printed accuracies tell about significance?",
            (
                Option("Nothing: either verdict is possible.", "It hangs on the records that only one gets right: not printed."),
                Option(
                    "The new one is better: its accuracy is higher.",
                    "A lead says nothing without the number of records on which they differ: the fewer, the more telling.",
                    "accuracy difference read as significance",
                ),
                Option("The lead is luck: the least value fails to reject.", "That is one end of what is possible; the other rejects."),
            ),
            ACCURACIES,
        ),
        Choice(
            "q16",
            "'No significant difference to the forest (p = .41): it performs as well.' What is wrong?",
            (
                Option("Not found is not the same as not there.", "To claim 'as well', state a margin beforehand, and test equivalence."),
                Option(
                    "Nothing: with such a p they are equal.",
                    "p is worked out as if they were equal; few data give a large p to large differences, too.",
                    "not significant read as equal",
                ),
                Option("The level: at 0.5 it would be significant.", "No level turns this test into one of equality."),
            ),
            NOT_EQUAL,
        ),
    ),
    mistakes=(
        Mistake(DegreesN, "n degrees of freedom", NULL),
        Mistake(OneTail, "p-value of one tail", TAILS),
        Mistake(WholeUnit, "a whole unit for half a unit", PRINTED),
        Mistake(OnlyPrinted, "only the printed comparisons counted", MANY),
        Mistake(Divided, "p divided by the number of comparisons", MANY),
        Mistake(FoldsAsIndependent, "folds taken as independent", CORRECTION),
        Mistake(UpsideDown, "training by test for test by training", CORRECTION),
        Mistake(ShareOfAll, "share of all records for test by training", CORRECTION),
        Mistake(OtherCell, "n01 and n10 swapped", TABLE, only=("q13",)),
        Mistake(RightOnes, "all right ones for the discordant ones", TABLE, only=("q13",)),
        Mistake(NoCorrection, "no continuity correction", TABLE),
    ),
)
