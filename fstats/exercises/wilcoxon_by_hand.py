"""Exercise: Wilcoxon's signed-rank test, line by line, and what went wrong in a printed solution of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from numpy import sqrt, where

from .. import plot
from ..exact import RandomSigns
from ..grading.exercise import Exercise
from ..grading.mistake import Mistake
from ..grading.question import Choice, Function, Option, Question, Section
from ..null import Array, Normal, Value
from ..pairwise.signed_rank import SignedRank
from ..picture import Picture
from ..rank import average_ranks
from ..step import step

RANKS = Section("02_wilcoxon", "Steps 2 and 3. Differences, without zeros, ranked by size, with their sign")
SUMS = Section("02_wilcoxon", "Step 4. Sum the ranks of each side")
COUNT = Section("02_wilcoxon", "Step 5. How small is small? Count")
DECISION = Section("02_wilcoxon", "Step 6. Decide")
TABLE = Section("02_wilcoxon", "A lesson in checking a table")
SLIDES = Section("02_wilcoxon", "The slides' exercise: fifteen data sets")
ZEROS = Section("02_wilcoxon", "Ties, zeros, and what they change")


RANKED = ("q3", "q13")  # further down, two wrong columns of ranks can have the same sum


def in_table(n: Any, chance: float) -> Value:
    """The largest w that n ranks without ties undercut or reach with at most this probability."""
    return RandomSigns(np.arange(1.0, n + 1)).low(chance)


class ByHand(SignedRank):
    """The test as it is done with a table: the critical value is that of n ranks without ties; p counts these very ranks."""

    @step("c", r"\max\{w : P(W_0 \leq w) \leq $alpha / 2\},\ W_0 \text{ of the ranks } 1, \ldots, $n")
    def critical_value(self) -> Any:
        """The table's two-tailed entry for n: the largest rank sum that still rejects."""
        return in_table(self.n, self.alpha / 2)


class Slip(ByHand):
    """What becomes of the rank sum when the ranks are written down sorted, in the order of the data sets."""

    @step(r"W^-_C", r"\sum_{$d < 0} C_i,\ C \text{ the } $ranks \text{ sorted, beside the differences that are not 0}")
    def w_of_column(self) -> Value:
        """Sum of the ranks that such a column gives to the data sets where B is better."""
        return where(self.d < 0, sorted_from_the_top(self.ranks), 0).sum(0)


def sorted_from_the_top(ranks: Array) -> Array:
    """The ranks in ascending order in the places of those that are ranks."""
    column = np.zeros(len(ranks))
    column[ranks > 0] = np.sort(ranks[ranks > 0])
    return column


class TheOtherWayRound(ByHand):
    """You took B minus A. Then a positive number means that B is better, and W+ and W- change places. Agree on a direction, and keep it: A minus B, positive where A is better."""

    @step("d_i", "$b - $a", over="i")
    def d(self) -> Array:
        """Difference, the wrong way round."""
        return self.b - self.a


class ZerosCounted(ByHand):
    """You counted all data sets. A difference of 0 has no sign and gets no rank, so no coin is tossed for it: n is the number of ranks, the data sets on which A and B differ."""

    @step("n", r"\#\{$d\}")
    def n(self) -> Value:
        """All data sets."""
        return np.float64(len(self.d))


class ZerosKept(ByHand):
    """You gave the zeros the lowest ranks, and so pushed all other ranks up. A difference of 0 favours nobody: leave it out before you rank, and let rank 1 go to the smallest size that is not 0."""

    @step("R_i", r"\mathrm{rank}\,|$d| \text{ with zeros}", over="i", blank=True)
    def ranks(self) -> Array:
        """Ranks with zeros."""
        return average_ranks(abs(self.d))


class TiesInOrder(ByHand):
    """Equal sizes got different ranks, in the order in which they stand in the table. In another order the rank sums would be others, though the data are the same. Equal sizes share the mean of the ranks that they take up together."""

    @step("R_i", r"\mathrm{rank}\,|$d| \text{ without zeros, equal ones numbered from the top}", over="i", blank=True)
    def ranks(self) -> Array:
        """Ranks without sharing."""
        order = np.argsort(np.argsort(abs(self.d), kind="stable"))
        return where(self.d == 0, 0.0, order + 1.0 - (self.d == 0).sum(0))


class SignedRanked(ByHand):
    """You ranked the differences with their signs, so the largest win of B got rank 1. Rank the sizes, without the signs: the rank says how large a difference is, and only afterwards its sign says whose it is."""

    @step("R_i", r"\mathrm{rank}\,$d \text{ without zeros}", over="i", blank=True)
    def ranks(self) -> Array:
        """Ranks of signed differences."""
        return where(self.d == 0, 0.0, average_ranks(self.d) - where(self.d > 0, (self.d == 0).sum(0), 0))


class UpsideDown(ByHand):
    """You gave rank 1 to the largest size. Then a hair's breadth weighs most and a landslide least. The smallest size gets rank 1, so that a large difference brings a large rank to its side."""

    @step("R_i", r"\mathrm{rank}\,(-|$d|) \text{ without zeros}", over="i", blank=True)
    def ranks(self) -> Array:
        """Ranks from the largest size down."""
        return where(self.d == 0, 0.0, average_ranks(-abs(self.d)))


class RowOrder(ByHand):
    """You wrote the sorted ranks down in the order of the data sets, so they stand beside differences to which they do not belong. A rank belongs to its difference: the largest size, wherever it stands, has the largest rank."""

    @step("R_i", r"\mathrm{sort}(\mathrm{rank}\,|$d|) \text{ from the top}", over="i", blank=True)
    def ranks(self) -> Array:
        """Sorted ranks, from the top."""
        return sorted_from_the_top(where(self.d == 0, 0.0, average_ranks(abs(self.d)) - (self.d == 0).sum(0)))


class WinsCounted(ByHand):
    """You counted data sets, as the sign test does. Here a clear win weighs more than a narrow one: each data set brings its rank to the side of the winner, not just 1."""

    @step("R_i", r"1 \text{ where } $d \neq 0", over="i", blank=True)
    def ranks(self) -> Array:
        """One for each."""
        return where(self.d == 0, 0.0, 1.0)


class PlusForMin(ByHand):
    """You took W+. Two-sided, the statistic is the smaller of the two sums, whoever it belongs to: the table asks how small the losing side is."""

    @step("W", "$w_plus")
    def statistic(self) -> Value:
        """The sum of A."""
        return self.w_plus


class OneTailedEntry(ByHand):
    """That entry leaves all of alpha to one side; it stands in the one-tailed column. Two-sided, A or B may be the one that loses, so each side gets alpha / 2: take the two-tailed column."""

    @step("c", r"\max\{w : P(W_0 \leq w) \leq $alpha\},\ W_0 \text{ of the ranks } 1, \ldots, $n")
    def critical_value(self) -> Any:
        """One-tailed entry."""
        return in_table(self.n, self.alpha)


class HalvedTwice(ByHand):
    """You halved alpha, and then looked up alpha / 2 in a column that is headed "two-tailed": it had been halved already. A column headed two-tailed is entered with alpha itself."""

    @step("c", r"\max\{w : P(W_0 \leq w) \leq $alpha / 4\},\ W_0 \text{ of the ranks } 1, \ldots, $n")
    def critical_value(self) -> Any:
        """Entry of half the level."""
        return in_table(self.n, self.alpha / 4)


class OneSidedP(ByHand):
    """That is the probability that one given side has so small a sum. Two-sided, it could as well have been the other side: both count, so double it."""

    @step("p", r"P($null \leq $statistic)")
    def pvalue(self) -> Value:
        """One tail."""
        return self.null.at_most(self.statistic)


class NormalForExact(ByHand):
    """That is the normal approximation. It is made for many ranks; with so few the exact p-value can be counted, and should be: go through all ways to give the ranks a sign."""

    @step("p", r"2\,P\left(Z \leq \frac{$statistic - \frac{1}{2} \sum_i $ranks}{\frac{1}{2} \sqrt{\sum_i R_i^2}}\right)")
    def pvalue(self) -> Value:
        """Normal approximation."""
        return 2 * Normal(self.ranks.sum() / 2, sqrt((self.ranks**2).sum()) / 2).at_most(self.statistic)


class NotMoved(Slip):
    """That is the sum with the ranks at their right places. In the sorted column other ranks stand beside the data sets where B is better: add up what stands there."""

    @step(r"W^-_C", "$w_minus")
    def w_of_column(self) -> Value:
        """As if nothing had happened."""
        return self.w_minus


def picture(test: Any) -> Picture:
    """The scores, without the count of wins in the usual title."""
    return replace(plot.scores(test), title="Scores of A and B", text=f"Scores of A and B on {len(test.a)} data sets, joined in pairs.")


def draw(rng: np.random.Generator) -> dict[str, Any]:
    """Whole percents of 12 to 15 data sets: A is ahead in the sum of ranks; a zero, ties, and wins of B."""
    while True:
        n = int(rng.integers(12, 16))
        sizes = rng.integers(1, 14, n)
        sizes[rng.integers(n)] = 0
        d = sizes * np.where(rng.random(n) < 0.3, -1, 1)
        a = rng.integers(max(d.max(), 0) + 55, 86, n)
        data: dict[str, Any] = {"a": a, "b": a - d, "alpha": float(rng.choice([0.05, 0.1]))}
        test = ByHand(**data)
        tied = len(np.unique(sizes[sizes > 0])) < (sizes > 0).sum()
        alike = (test.statistic <= test.critical_value) == test.reject  # the table and the count decide
        if tied and alike and 3 <= test.w_minus < test.w_plus and (d < 0).sum() >= 3:
            return data


def unseen(rng: np.random.Generator) -> Iterator[tuple[str, dict[str, Any]]]:
    """Scores of every kind that the rules speak of."""
    kinds: dict[str, list[int]] = {
        "neither ties nor zeros": [2, 4, -5, 7, -8, 10, 13, -14, 17],
        "ties": [6, 6, -6, 2, -2, 9, 11, 13, -4],
        "zeros": [0, 0, 3, -1, 4, 8, -5, 12, 10],
        "ties and zeros, B is better": [0, -5, -5, -7, -7, 7, -10, 5, 3],
        "A wins everywhere": [1, 2, 2, 4, 5, 6, 8, 9, 9],
        "no difference at all": [0] * 9,
    }
    for kind, d in [*kinds.items()] * 3:
        b = rng.integers(60, 80, 9)
        yield kind, {"a": b + rng.permutation(d), "b": b}


EXERCISE = Exercise(
    name="wilcoxon_by_hand",
    test=ByHand,
    given={  # the slides' scores; those of B on the data sets 2, 4, 7, 9, 11, 12 are changed: theirs have no zeros, and B never wins
        "a": [95, 88, 90, 85, 92, 87, 91, 95, 82, 96, 88, 90, 85, 92, 87],
        "b": [80, 93, 80, 93, 78, 80, 91, 70, 90, 80, 95, 94, 80, 78, 80],
        "alpha": 0.1,
    },
    draw=draw,
    picture=picture,
    questions=(
        Question("q1", "d", RANKS),
        Question("q2", "n", RANKS),
        Question("q3", "ranks", RANKS),
        Question("q4", "w_plus", SUMS),
        Question("q5", "w_minus", SUMS),
        Question("q6", "statistic", SUMS),
        Question("q7", "critical_value", TABLE),
        Choice(
            "q8",
            "W and the critical value c lie before you. When do you reject H0?",
            (
                Option("If W is at most c.", "Under H0 the ranks split about evenly; a small W says that one side has nearly all."),
                Option(
                    "If W is at least c.",
                    "So it is with t, which is large when the classifiers differ. W is the smaller sum: it is small when they do.",
                    "large W taken as evidence",
                ),
                Option(
                    "If W is below c.",
                    "The slides write W < c, but c itself still belongs to the sums whose total probability keeps to alpha: W = c rejects.",
                    "W = c taken as no evidence",
                ),
            ),
            DECISION,
        ),
        Question("q9", "pvalue", COUNT),
        Question("q10", "reject", DECISION),
        Choice(
            "q11",
            "How did the ranks printed in the slides come about?",
            (
                Option("The right ranks were sorted, then written from the top.", "None of them stands beside its own difference."),
                Option(
                    "The largest difference got rank 1.",
                    "Then a difference of 25 would have one of the first ranks. Its two printed ranks are neither the first nor the last.",
                    "printed ranks read as upside down",
                ),
                Option("Ties were numbered from the top.", "Then no halves would be printed.", "printed ranks read as not averaged"),
            ),
            SLIDES,
        ),
        Question("q12", "w_of_column", SLIDES, of=Slip),
        Function("q13", "statistic", ("a", "b"), unseen, SUMS, points=2),
    ),
    mistakes=(
        Mistake(TheOtherWayRound, "the sign: B minus A", RANKS, only=("q1", "q4", "q5")),
        Mistake(ZerosCounted, "zeros counted", RANKS, only=("q2",)),
        Mistake(ZerosKept, "zeros ranked", ZEROS, only=RANKED),
        Mistake(TiesInOrder, "ties not averaged", RANKS, only=RANKED),
        Mistake(SignedRanked, "signed differences ranked", RANKS, only=RANKED),
        Mistake(UpsideDown, "ranks upside down", RANKS, only=RANKED),
        Mistake(RowOrder, "ranks in the order of the rows", SLIDES, only=RANKED),
        Mistake(WinsCounted, "wins counted, ranks forgotten", SUMS, only=("q4", "q5", "q13")),
        Mistake(PlusForMin, "W+ for the smaller sum", SUMS, only=("q6", "q13")),
        Mistake(OneTailedEntry, "one-tailed entry of the table", TABLE),
        Mistake(HalvedTwice, "alpha halved twice", SLIDES),
        Mistake(OneSidedP, "p-value of one tail", COUNT),
        Mistake(NormalForExact, "normal approximation for the exact p", ZEROS),
        Mistake(NotMoved, "the sum of the right ranks", SLIDES),
    ),
)
