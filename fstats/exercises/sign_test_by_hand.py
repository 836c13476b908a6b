"""Exercise: the sign test, which only counts who wins."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from .. import plot
from ..grading.exercise import Exercise
from ..grading.mistake import Mistake
from ..grading.question import Question, Section
from ..null import Value
from ..pairwise.sign_test import SignTest
from ..picture import Picture
from ..step import step

RELATIVES = Section("02_wilcoxon", "The relatives")


class LossesForWins(SignTest):
    """You counted the data sets on which B wins. A higher score is better, so A wins where a is larger than b: count those."""

    @step("n_+", r"\#\{i : $d < 0\}")
    def wins(self) -> Value:
        """Wins of B."""
        return (self.d < 0).sum(0)


class DrawsCounted(SignTest):
    """You counted the data sets without a winner, too. They speak for neither side, and the coin was thrown only where somebody won: leave them out."""

    @step("n", r"\#\{i : $d\}")
    def n(self) -> Any:
        """All data sets."""
        return len(self.d)


class OneTail(SignTest):
    """That is one tail. Nobody said beforehand who would win, so a result as lopsided the other way would have counted as well: double it."""

    @step("p", r"P($null \leq $statistic)", over="$statistic")
    def pvalue(self) -> Value:
        """One tail."""
        return self.null.at_most(self.statistic)


class ThisResultOnly(SignTest):
    """That is twice the probability of exactly this result. The p-value is about results at least as extreme: add those with fewer wins for the loser."""

    @step("p", r"2\,P($null = $statistic)", over="$statistic")
    def pvalue(self) -> Value:
        """One atom of the distribution."""
        return 2 * (self.null.at_most(self.statistic) - self.null.at_most(self.statistic - 1))


class WithoutThisResult(SignTest):
    """You added the results with still fewer wins for the loser, but left out the result itself. "At least as extreme" includes it. (In Python, range(k) ends before k.)"""

    @step("p", r"2\,P($null < $statistic)", over="$statistic")
    def pvalue(self) -> Value:
        """The tail without its first atom."""
        return 2 * self.null.at_most(self.statistic - 1)


def picture(test: Any) -> Picture:
    """The scores, without the count of wins in the usual title, which would give answers away."""
    return replace(plot.scores(test), title="Scores of A and B", text=f"Scores of A and B on {len(test.a)} data sets, joined in pairs.")


def draw(rng: np.random.Generator) -> dict[str, Any]:
    """Nine to twelve data sets, one or two of them draws, with a winner who does not win everywhere."""
    n = int(rng.integers(9, 13))
    b = rng.integers(60, 90, n)
    d = rng.choice([-1, 1], n, p=[0.25, 0.75]) * rng.integers(1, 9, n)
    d[: rng.integers(1, 3)] = 0
    return {"a": b + rng.permutation(d), "b": b}


EXERCISE = Exercise(
    name="sign_test_by_hand",
    test=SignTest,
    given={"a": [88, 75, 91, 70, 83, 79, 66, 94, 72, 85], "b": [84, 75, 86, 73, 80, 71, 64, 90, 70, 82]},
    draw=draw,
    picture=picture,
    questions=(
        Question("q1", "wins", RELATIVES),
        Question("q2", "n", RELATIVES),
        Question("q3", "pvalue", RELATIVES, points=2),
    ),
    mistakes=(
        Mistake(LossesForWins, "wins of B for wins of A", RELATIVES, only=("q1",)),
        Mistake(DrawsCounted, "draws counted", RELATIVES),
        Mistake(OneTail, "one tail", RELATIVES),
        Mistake(ThisResultOnly, "this very result only", RELATIVES),
        Mistake(WithoutThisResult, "this very result left out", RELATIVES),
    ),
)
