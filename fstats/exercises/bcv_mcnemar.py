"""Exercise: ten contingency tables of a block-regularized 5x2 cross-validation become one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from .. import check
from ..grading.exercise import Exercise
from ..grading.mistake import Mistake
from ..grading.question import Choice, Option, Question, Section
from ..hypothesis import LARGE, HypothesisTest
from ..null import Array, ChiSquared, Value
from ..picture import BLUE, VERMILLION, Picture, Points
from ..resampling.bcv_mcnemar import BlockedFiveByTwoMcNemar
from ..step import given, step

TABLE = Section("03_contingency_table", "Step 3. Salzberg's table: look only where they differ")
MCNEMAR = Section("03_contingency_table", "Step 4. McNemar's variants, side by side")
MEAN = Section("08_bcv_mcnemar", "Step 1. Ten tables, and their mean")
WORTH = Section("08_bcv_mcnemar", "Step 3. How uncertain is the mean of ten? (Theorem 1)")
EFFECTIVE = Section("08_bcv_mcnemar", "Step 4. The effective table (Theorem 3)")
STATISTIC = Section("08_bcv_mcnemar", "Step 5. McNemar's statistic of it")
LEVEL = Section("08_bcv_mcnemar", "Does it keep its level?")


class TenTables(HypothesisTest):
    """5x2 BCV McNemar's test from the discordant counts: do the algorithms differ?"""

    tails = LARGE
    parameter, compares = r"\pi_A - \pi_B", "accuracy"
    names: ClassVar[Mapping[str, Any]] = {"k": ("fold 1", "fold 2"), "c": ("n01", "n10")}

    n01: Any = given("n_{01}", "Records that A gets wrong and B right, in each repetition and fold.", over="jk", check=check.counts)
    n10: Any = given("n_{10}", "Records that A gets right and B wrong.", over="jk", check=check.counts, like="n01")
    n_fold: Any = given("n_k", "Records in each fold.", check=check.positive)
    rho1: Any = given(r"\rho_1", "Correlation of the two folds of a repetition.", check=check.number)
    rho2: Any = given(r"\rho_2", "Correlation of folds of different repetitions.", check=check.number)

    @step(r"\bar n_c", r"\left(\frac{1}{10} \sum_{jk} $n01,\ \frac{1}{10} \sum_{jk} $n10\right)", over="c")
    def mean(self) -> Array:
        """Mean of n01, and of n10, over the ten tables."""
        return np.array([self.n01.sum(), self.n10.sum()]) / 10

    t = BlockedFiveByTwoMcNemar.t

    @step("n_{c,e}", r"$t\,$mean", over="c")
    def effective(self) -> Array:
        """Discordant counts n01 and n10 of the effective table."""
        return self.t * self.mean

    @step("n_e", r"$t\,$n_fold")
    def n_effective(self) -> Value:
        """Records in the effective table."""
        return self.t * self.n_fold

    @step("n_{01,e}", r"$effective \text{ at } c = 01")
    def n01_effective(self) -> Value:
        """Effective records that A gets wrong and B right."""
        return self.effective[0]

    @step("n_{10,e}", r"$effective \text{ at } c = 10")
    def n10_effective(self) -> Value:
        """Effective records that A gets right and B wrong."""
        return self.effective[1]

    statistic = BlockedFiveByTwoMcNemar.statistic
    null = BlockedFiveByTwoMcNemar.null

    @step("M_+", r"\frac{(|\sum_{jk} $n01 - \sum_{jk} $n10| - 1)^2}{\sum_{jk} $n01 + \sum_{jk} $n10}", after=True)
    def pooled(self) -> Value:
        """McNemar's statistic of the sum of all ten tables."""
        wrong, right = self.n01.sum(), self.n10.sum()
        return (abs(wrong - right) - 1) ** 2 / (wrong + right)

    @step("p_+", r"P($null \geq $pooled)", after=True)
    def pooled_pvalue(self) -> Value:
        """Probability of a statistic at least as large, if each entry of the sum were a record of its own."""
        return self.null.at_least(self.pooled)


class Swapped(TenTables):
    """You exchanged the two. The first index is A's: n01 counts where A is wrong (0) and B is right (1). The statistic would not notice, but whoever asks which one is better would hear the wrong name."""

    @step(r"\bar n_c", r"\left(\frac{1}{10} \sum_{jk} $n10,\ \frac{1}{10} \sum_{jk} $n01\right)", over="c")
    def mean(self) -> Array:
        """Exchanged."""
        return np.array([self.n10.sum(), self.n01.sum()]) / 10


class SumForMean(TenTables):
    """Those are the sums over ten tables. The factor that comes next says how many tables of the size of one the ten are worth; it wants the table of one typical fold, the mean."""

    @step(r"\bar n_c", r"\left(\sum_{jk} $n01,\ \sum_{jk} $n10\right)", over="c")
    def mean(self) -> Array:
        """Sums."""
        return np.array([self.n01.sum(), self.n10.sum()]) * 1.0


class TenIndependent(TenTables):
    """You took both correlations for 0, so that ten tables are worth ten. But each record is tested five times, by models that were trained on much the same: what one table says, the next one mostly repeats."""

    @step("t", "10")
    def t(self) -> Value:
        """Ten independent tables."""
        return np.float64(10)


class FixedLosses(TenTables):
    """You took the two folds of a repetition for uncorrelated. That holds if predictions do not depend on the training set (Lemma 3); real ones do, and the cautious test takes rho1 as it is given."""

    @step("t", r"\frac{10}{1 + 8\,$rho2}")
    def t(self) -> Value:
        """Without rho1."""
        return 10 / (1 + 8 * self.rho2)


class EightForgotten(TenTables):
    """The 8 is missing. Each table has one partner in its own repetition, and eight tables in the other four repetitions: rho1 comes once, rho2 eight times."""

    @step("t", r"\frac{10}{1 + $rho1 + $rho2}")
    def t(self) -> Value:
        """Without the 8."""
        return 10 / (1 + self.rho1 + self.rho2)


class UpsideDown(TenTables):
    """Your fraction stands on its head: it says that ten tables are worth less than one. The more they are correlated, the less they are worth; so the correlations belong below, and the 10 on top."""

    @step("t", r"\frac{1 + $rho1 + 8\,$rho2}{10}")
    def t(self) -> Value:
        """Upside down."""
        return (1 + self.rho1 + 8 * self.rho2) / 10


class FactorTwice(TenTables):
    """You multiplied by t twice. A table that is worth t tables has t times their counts; squares come in only at the statistic."""

    @step("n_{c,e}", r"$t^2\,$mean", over="c")
    def effective(self) -> Array:
        """Factor squared."""
        return self.t**2 * self.mean


class NoCorrection(TenTables):
    """The continuity correction is missing. Counts move in steps and chi-squared does not; McNemar's test takes 1 off the difference before it is squared, and this test does so, too."""

    @step("M", r"\frac{($n01_effective - $n10_effective)^2}{$n01_effective + $n10_effective}")
    def statistic(self) -> Value:
        """Without correction."""
        return (self.n01_effective - self.n10_effective) ** 2 / (self.n01_effective + self.n10_effective)


class CorrectionFirst(TenTables):
    """You took 1 off the difference of the mean counts, and multiplied afterwards. McNemar's test is made on the effective table: first the factor, then the correction. (Taken off the mean counts, it would have to be 1/t.)"""

    @step("M", r"$t\,\frac{(|\bar n_{01} - \bar n_{10}| - 1)^2}{\bar n_{01} + \bar n_{10}} \text{ of } $mean")
    def statistic(self) -> Value:
        """Correction before the factor."""
        n01, n10 = self.mean.tolist()
        return self.t * (abs(n01 - n10) - 1) ** 2 / (n01 + n10)


class AllFourCells(TenTables):
    """You divided by all records of the effective table. Those that both get right, or both get wrong, say nothing about which one is better; only the discordant ones stand below."""

    @step("M", r"\frac{(|$n01_effective - $n10_effective| - 1)^2}{$n_effective}")
    def statistic(self) -> Value:
        """All records below."""
        return np.subtract(np.abs(self.n01_effective - self.n10_effective), 1) ** 2 / self.n_effective


class TenDegrees(TenTables):
    """You took a degree of freedom for each table. That would suit a sum of ten statistics, one from each; here the ten tables have become one, and it has one."""

    @step("M_0", r"\chi^2_{10}", relation=r"\sim")
    def null(self) -> ChiSquared:
        """Ten degrees of freedom."""
        return ChiSquared(10)


class HalfTail(TenTables):
    """You halved the tail (or left alpha / 2 in it). A square has lost its sign: both directions make M large, and the upper tail holds both already."""

    @step("p", r"\frac{1}{2} P($null \geq $statistic)")
    def pvalue(self) -> Value:
        """Half the tail."""
        return self.null.at_least(self.statistic) / 2


def counts(test: TenTables) -> Picture:
    """The discordant counts of the ten tables, one after the other."""
    n01, n10, place = test.n01.ravel(), test.n10.ravel(), np.arange(1.0, 11)
    marks = Points(place, n01, BLUE, "n01: only B is right"), Points(place, n10, VERMILLION, "n10: only A is right", open=True)
    text = "Discordant records in the ten tables, n01 and n10: " + ", ".join(f"{x:g} and {y:g}" for x, y in zip(n01, n10)) + "."
    top = float(max(n01.max(), n10.max())) + 1
    return Picture("Discordant records in each table", "table", "records", (0.5, 10.5), (-0.5, top), marks, text, whole_x=True)


def draw(rng: np.random.Generator) -> dict[str, Any]:
    """About the same records are discordant in every repetition; ten tables pooled would convince, the effective one does not."""
    while True:
        few = int(rng.integers(4, 11))
        totals = np.array([few, few + int(rng.integers(5, 12))])[:, np.newaxis] + rng.integers(-1, 3, (2, 5))
        ones = rng.binomial(totals, 0.5)
        both = rng.permutation(np.stack([ones, totals - ones], axis=2))
        given = {"n01": both[0], "n10": both[1], "n_fold": int(rng.choice([100, 120, 150])), "rho1": 0.5, "rho2": 0.5}
        test = TenTables(**given)
        if 0.07 < test.pvalue < 0.5 and test.pooled_pvalue < 0.005:
            return given


EXERCISE = Exercise(
    name="bcv_mcnemar",
    test=TenTables,
    given={
        "n01": [[3, 5], [2, 5], [4, 3], [4, 4], [2, 6]],
        "n10": [[8, 7], [9, 7], [6, 9], [9, 6], [7, 7]],
        "n_fold": 120,
        "rho1": 0.5,
        "rho2": 0.5,
    },
    draw=draw,
    picture=counts,
    questions=(
        Question("q1", "mean", MEAN),
        Choice(
            "q2",
            "Why not simply add up the ten tables, and make McNemar's test on the sum?",
            (
                Option(
                    "Each record is tested in every repetition, and the sum would count it five times, as if it were five records.",
                    "The sum holds five times as many entries as there are records; McNemar's test would take each of them for a new coin toss.",
                ),
                Option(
                    "It can be done: ten tables hold more records than one, and the test gains the power that they bring.",
                    "They hold more entries, not more records. What looks like power are the same few records, asked again and again.",
                    "more tables taken for more records",
                ),
                Option(
                    "The counts of the sum are too large: McNemar's test with its continuity correction is made for small tables.",
                    "The larger the counts, the better is its approximation, if they come from different records. Here they do not.",
                    "size of the counts taken for the trouble",
                ),
            ),
            MEAN,
        ),
        Question("q3", "t", WORTH),
        Question("q4", "effective", EFFECTIVE),
        Question("q5", "n_effective", EFFECTIVE),
        Question("q6", "statistic", STATISTIC),
        Question("q7", "critical_value", STATISTIC),
        Question("q8", "pvalue", STATISTIC),
        Question("q9", "reject", STATISTIC),
        Question("q10", "pooled", MCNEMAR),
        Question("q11", "pooled_pvalue", LEVEL),
        Choice(
            "q12",
            "Nobody knows the two correlations. What happens if in truth they are smaller than the values that the test takes?",
            (
                Option(
                    "The test is too cautious: it takes the ten tables for less than they are worth, and overlooks differences that it could find.",
                    "A true H0 is then rejected less often than alpha allows. The authors chose this side of the error on purpose.",
                ),
                Option(
                    "The test is too bold: it takes the ten tables for more than they are worth, and rejects true hypotheses too often.",
                    "Look at the factor: larger correlations make it smaller, and so are the effective counts. The test was given the larger ones.",
                    "large correlations taken for boldness",
                ),
                Option(
                    "Nothing: the correlations change the size of the effective table, but its rates stay, and the test compares rates.",
                    "The rates stay, that is true; but how much an imbalance means depends on how many records show it.",
                    "rates without their size",
                ),
            ),
            LEVEL,
        ),
    ),
    mistakes=(
        Mistake(Swapped, "n01 and n10 exchanged", TABLE),
        Mistake(SumForMean, "sum for mean", MEAN),
        Mistake(TenIndependent, "ten tables taken as independent", WORTH),
        Mistake(FixedLosses, "the first correlation left out", WORTH),
        Mistake(EightForgotten, "the 8 is missing", WORTH),
        Mistake(UpsideDown, "factor upside down", WORTH),
        Mistake(FactorTwice, "factor squared", EFFECTIVE),
        Mistake(NoCorrection, "continuity correction forgotten", STATISTIC),
        Mistake(CorrectionFirst, "correction before the factor", STATISTIC),
        Mistake(AllFourCells, "all four cells below", TABLE),
        Mistake(TenDegrees, "ten degrees of freedom", STATISTIC),
        Mistake(HalfTail, "half the tail", STATISTIC),
    ),
)
