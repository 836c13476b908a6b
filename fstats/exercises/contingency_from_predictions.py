"""Exercise: from the predictions of two classifiers to the contingency table and McNemar's tests."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import maximum, minimum

from ..contingency.discordant import Discordant
from ..contingency.mcnemar_exact import McNemarExact
from ..contingency.predictions import PairedTable
from ..grading.exercise import Exercise
from ..grading.mistake import Mistake
from ..grading.question import Choice, Option, Question, Section
from ..hypothesis import HypothesisTest
from ..null import Array, ChiSquared, FairCoins, Value
from ..step import step

ACCURACIES = Section("03_contingency_table", "Step 1. Two accuracies say nothing about their difference")
TABLE = Section("03_contingency_table", "Step 3. Salzberg's table: look only where they differ")
VARIANTS = Section("03_contingency_table", "Step 4. McNemar's variants, side by side")
UNPAIRED = Section("03_contingency_table", "Step 6. A test that ignores the pairing")

NUMBERS = ("q5", "q6", "q10", "q11")  # where n shows: a wrong yes or no at q7 could have many reasons
KINDS = {"c": "cat", "d": "dog", "f": "fox"}  # three, so that two classifiers can be wrong in different ways


class FromPredictions(PairedTable):
    """The exact test and the corrected chi-squared test, from the predictions on."""

    @step("a_r", "[$pred_a = $y_true]", over="r")
    def right_a(self) -> Any:
        """Whether A is right, record by record."""
        return self.pred_a == self.y_true

    @step("b_r", "[$pred_b = $y_true]", over="r")
    def right_b(self) -> Any:
        """Whether B is right, record by record."""
        return self.pred_b == self.y_true

    @step("n_{uv}", r"\#\{r : $right_a = u,\ $right_b = v\}", over="uv")
    def table(self) -> Array:
        """Records by whether A (line) and B (column) are wrong (0, first) or right (1, second)."""
        return counted(self.right_a, self.right_b)

    n = Discordant.n
    null = McNemarExact.null
    reject = HypothesisTest.reject

    @step("m", r"\min\{$n01, $n10\}")
    def statistic(self) -> Value:
        """The count that is small when H0 is wrong."""
        return minimum(self.n01, self.n10)

    @step("p", r"2\,P($null \leq $statistic)")
    def pvalue(self) -> Value:
        """Two-sided p-value of the exact McNemar test."""
        return minimum(1, 2 * self.null.at_most(self.statistic))

    @step("p'", r"2 \left(\frac{1}{2}\right)^{|$n10 - $n01|}")
    def one_way(self) -> Value:
        """Exact two-sided p-value of a pair with the same two accuracies whose discordant records all point one way."""
        return 2 * 0.5 ** np.abs(self.n10 - self.n01)

    @step(r"\chi^2", r"\frac{(|$n01 - $n10| - 1)^2}{$n}")
    def chi_squared(self) -> Value:
        """McNemar's statistic with continuity correction."""
        return maximum(0, np.abs(self.n01 - self.n10) - 1) ** 2 / self.n

    @step(r"p_{\chi^2}", r"P(\chi^2_1 \geq $chi_squared)")
    def approximate_pvalue(self) -> Value:
        """Two-sided p-value of the chi-squared test."""
        return ChiSquared(1).at_least(self.chi_squared)


def counted(u: Any, v: Any) -> Array:
    """Records by two yes-or-no columns, no before yes."""
    return np.array([[(i & j).sum() for j in (~v, v)] for i in (~u, u)], float)


class AgreementForCorrectness(FromPredictions):
    """You compared A with B. That shows where the two agree, and they may agree on something wrong. Whether A is right, only the true label knows: compare A with that."""

    @step("a_r", "[$pred_a = $pred_b]", over="r")
    def right_a(self) -> Any:
        """Agreement."""
        return self.pred_a == self.pred_b


class Transposed(FromPredictions):
    """You let B come first. The first index (the line of the table) is A's, the second (the column) is B's; 0 is wrong, 1 is right. So n01 counts the records that A gets wrong and B gets right."""

    @step("n_{uv}", r"\#\{r : $right_b = u,\ $right_a = v\}", over="uv")
    def table(self) -> Array:
        """B first."""
        return counted(self.right_b, self.right_a)


class DifferentPredictions(FromPredictions):
    """You counted the records on which the two predictions differ. With more than two classes both may be wrong in different ways, and such a record favours nobody. Discordant means: exactly one of them is right."""

    @step("n", r"\#\{r : $pred_a \neq $pred_b\}")
    def n(self) -> Value:
        """Different predictions."""
        return np.float64((self.pred_a != self.pred_b).sum())


class AllFourCells(FromPredictions):
    """You added all four cells. Records that both get right, or both wrong, say nothing about which one is better: only the two cells off the diagonal count."""

    @step("n", "$records")
    def n(self) -> Value:
        """All records."""
        return self.records


class NetLead(FromPredictions):
    """That is by how many records one classifier leads: what remains of the accuracies' difference. The wins on either side cancel in it. Discordant are all records that exactly one of them gets right, whoever it is: add, do not subtract."""

    @step("n", "|$n10 - $n01|")
    def n(self) -> Value:
        """The lead."""
        return np.abs(self.n10 - self.n01)


class CoinForEveryRecord(FromPredictions):
    """You tossed a coin for every record. On a record that both get right, or both wrong, there is nothing to toss for. H0 makes a fair coin only of the discordant records: the binomial distribution has n of them."""

    @step("M_0", r"\mathrm{Bin}\left($records, \frac{1}{2}\right)", relation=r"\sim")
    def null(self) -> FairCoins:
        """Coins for all records."""
        return FairCoins(self.records)


class OneTail(FromPredictions):
    """That is one tail. Nobody said beforehand which classifier would win, and as lopsided a result for the other one would have surprised you as much: both tails count."""

    @step("p", r"P($null \leq $statistic)")
    def pvalue(self) -> Value:
        """One tail."""
        return self.null.at_most(self.statistic)


class PointForTail(FromPredictions):
    """You took the probability of exactly this count. A p-value asks for a result at least as extreme: add the probabilities of all smaller counts, down to 0."""

    @step("p", r"2\,P($null = $statistic)")
    def pvalue(self) -> Value:
        """Only the count itself."""
        return 2 * (self.null.at_most(self.statistic) - self.null.at_most(self.statistic - 1))


class NoCorrection(FromPredictions):
    """The continuity correction is missing. The counts jump in steps and the curve does not; subtract 1 from the distance of the two counts before you square it."""

    @step(r"\chi^2", r"\frac{($n01 - $n10)^2}{$n}")
    def chi_squared(self) -> Value:
        """Plain."""
        return (self.n01 - self.n10) ** 2 / self.n


class NotSquared(FromPredictions):
    """The square is missing. Chi-squared is the square of a distance in units of its spread: square what stands above, leave n below as it is."""

    @step(r"\chi^2", r"\frac{|$n01 - $n10| - 1}{$n}")
    def chi_squared(self) -> Value:
        """Not squared."""
        return (np.abs(self.n01 - self.n10) - 1) / self.n


class Independence(FromPredictions):
    """That is the chi-squared test of independence on the same table (chi2_contingency computes it). It asks whether the two tend to fail on the same records; they nearly always do, equally good or not. McNemar's question is whether the two cells off the diagonal are equally likely."""

    @step(r"\chi^2", r"\text{test of independence on } $table")
    def chi_squared(self) -> Value:
        """Pearson's, with Yates's correction."""
        (a, b), (c, d) = self.table
        margins = (a + b) * (c + d) * (a + c) * (b + d)
        size = a + b + c + d
        return size * maximum(0, np.abs(a * d - b * c) - size / 2) ** 2 / margins


class DifferentRecords(FromPredictions):
    """That is the square of z for two proportions, as if A and B had been tested on different records. They saw the same ones, and most hard records are hard for both; only the discordant ones tell them apart."""

    @step(
        r"\chi^2",
        r"\frac{($difference)^2}{2\,\bar\pi (1 - \bar\pi) / $records},\ \bar\pi \text{ the mean of the accuracies, from } $right_a \text{ and } $right_b",
    )
    def chi_squared(self) -> Value:
        """Two proportions."""
        pooled = (self.right_a.mean() + self.right_b.mean()) / 2
        return self.difference**2 / (2 * pooled * (1 - pooled) / self.records)


class DoubledTail(FromPredictions):
    """You doubled the tail. A square has no sign: 8 against 1 and 1 against 8 give the same chi-squared, so its upper tail already holds both directions."""

    @step(r"p_{\chi^2}", r"2\,P(\chi^2_1 \geq $chi_squared)")
    def approximate_pvalue(self) -> Value:
        """Twice."""
        return 2 * ChiSquared(1).at_least(self.chi_squared)


def draw(rng: np.random.Generator) -> dict[str, Any]:
    """Twenty to 24 photographs: one classifier leads, and both tend to fail on the same ones, now and then in different ways."""
    while True:
        few, lead, neither, size = (int(x) for x in rng.integers([1, 4, 4, 20], [4, 10, 8, 25]))
        many, both = few + lead, size - 2 * few - lead - neither
        p = 2 * FairCoins(many + few).at_most(few)
        if both >= 5 and 0.01 < p < 0.3 and both * neither - few * many > size / 2 + 4:
            break
    cells = [neither, few, many, both]
    right_a, right_b = (np.repeat(bits, cells) for bits in rng.permutation([[0, 0, 1, 1], [0, 1, 0, 1]]))
    truth, slip = rng.integers(3, size=size), rng.integers(1, 3, size)
    other = np.where(np.arange(size) <= neither // 2, 3 - slip, slip)  # where both are wrong: half of them in different ways
    kinds, order = np.array(list(KINDS.values())), rng.permutation(size)
    says = truth, np.where(right_a, truth, (truth + slip) % 3), np.where(right_b, truth, (truth + other) % 3)
    return {name: kinds[column[order]].tolist() for name, column in zip(("y_true", "pred_a", "pred_b"), says, strict=True)}


EXERCISE = Exercise(
    name="contingency_from_predictions",
    test=FromPredictions,
    given={
        "y_true": [KINDS[kind] for kind in "cffffcdfdcddcccffcdddcdf"],
        "pred_a": [KINDS[kind] for kind in "cfcdccdfdccddccdfcdddcdd"],
        "pred_b": [KINDS[kind] for kind in "fcfcccdfddffcffcdfdddfdd"],
    },
    draw=draw,
    questions=(
        Question("q1", "right_a", TABLE),
        Question("q2", "table", TABLE),
        Question("q3", "n01", TABLE),
        Question("q4", "difference", ACCURACIES),
        Question("q5", "n", TABLE),
        Question("q6", "pvalue", TABLE),
        Question("q7", "reject", TABLE),
        Question("q8", "one_way", ACCURACIES),
        Choice(
            "q9",
            "Add 1000 photographs that both classifiers get right. What happens to the exact p-value?",
            (
                Option("It stays as it is.", "Only the discordant photographs enter it; these say nothing about which one is better."),
                Option(
                    "It becomes smaller.",
                    "More records help only where they tell the two apart: n, n01 and n10 are what they were.",
                    "more records, smaller p",
                ),
                Option(
                    "It becomes larger.",
                    "The accuracies come closer to each other, but the test does not compare them: n, n01 and n10 are what they were.",
                    "p read from the accuracies",
                ),
            ),
            ACCURACIES,
        ),
        Question("q10", "chi_squared", VARIANTS),
        Question("q11", "approximate_pvalue", VARIANTS),
        Choice(
            "q12",
            "Two tests of the same hypothesis, two p-values. Which one do you report?",
            (
                Option(
                    "The one that was chosen before the data were seen.",
                    "And with so few discordant photographs choose the exact one: the curve of chi-squared only imitates the coins.",
                ),
                Option(
                    "The smaller one: it makes better use of the data.",
                    "Whoever takes the smaller of two p-values rejects true hypotheses more often than alpha says.",
                    "the more convenient p-value",
                ),
                Option(
                    "The one of chi-squared: its correction makes it exact.",
                    "The correction brings the curve closer to the coins; it remains an approximation, and needs more records.",
                    "an approximation taken for exact",
                ),
            ),
            VARIANTS,
        ),
    ),
    mistakes=(
        Mistake(AgreementForCorrectness, "agreement for correctness", TABLE, only=("q1",)),
        Mistake(Transposed, "n01 and n10 swapped", TABLE),
        Mistake(DifferentPredictions, "different predictions for discordant records", TABLE, only=NUMBERS),
        Mistake(AllFourCells, "all four cells", TABLE, only=("q5", "q10")),
        Mistake(NetLead, "the lead for the discordant records", ACCURACIES, only=NUMBERS),
        Mistake(CoinForEveryRecord, "a coin for every record", TABLE, only=("q6",)),
        Mistake(OneTail, "p-value of one tail", TABLE, only=("q6",)),
        Mistake(PointForTail, "P(X = k) for P(X ≤ k)", TABLE, only=("q6",)),
        Mistake(NoCorrection, "no continuity correction", VARIANTS),
        Mistake(NotSquared, "chi-squared not squared", VARIANTS),
        Mistake(Independence, "test of independence on the table", TABLE),
        Mistake(DifferentRecords, "unpaired test of two proportions", UNPAIRED),
        Mistake(DoubledTail, "the tail of chi-squared doubled", VARIANTS),
    ),
)
