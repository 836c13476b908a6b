"""Exercise: how an entry of a table of critical values comes about, and how to check a printed one."""

from __future__ import annotations

from collections.abc import Iterator
from math import factorial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import check
from ..exact import RandomSigns
from ..grading.exercise import Exercise
from ..grading.mistake import Mistake
from ..grading.question import Choice, Function, Option, Question, Section
from ..null import Array
from ..step import Procedure, given, step

RANKS = Section("02_wilcoxon", "Steps 2 and 3. Differences, without zeros, ranked by size, with their sign")
COUNT = Section("02_wilcoxon", "Step 5. How small is small? Count")
DECISION = Section("02_wilcoxon", "Step 6. Decide")
TABLE = Section("02_wilcoxon", "A lesson in checking a table")

ROWS = range(5, 26)
PRINTED = {  # the slides' two-tailed columns, n = 5, ..., 25
    0.10: (0, 2, 3, 5, 8, 10, 13, 17, 21, 25, 30, 35, 40, 46, 52, 59, 66, 73, 81, 89, 98),
    0.05: (0, 2, 3, 4, 6, 8, 10, 13, 16, 19, 23, 27, 31, 36, 40, 45, 51, 56, 62, 68, 75),
    0.01: (0, 0, 1, 2, 3, 5, 7, 9, 11, 14, 17, 21, 24, 28, 32, 37, 41, 46, 51, 56, 62),
}


def chances(n: float) -> Array:
    """P(W = 0), P(W = 1), ... for the ranks 1, ..., n."""
    if n > 100:
        raise ValueError(f"no table goes that far; got n = {n}")
    return RandomSigns(np.arange(1.0, n + 1)).atoms()[1]


def tails(n: float) -> Array:
    """P(W <= 0), P(W <= 1), ... for the ranks 1, ..., n."""
    return chances(n).cumsum()


def last(keeps: NDArray[np.bool]) -> int:
    """The last w, from 0 up, that keeps to a rule; -1 if 0 does not."""
    return int(np.append(keeps, False).argmin()) - 1


class Entry(Procedure):
    """Counting, an entry of the table, and the true level of a printed one."""

    ranks: int = given("k", "How many ranks there are to share out (parts 1 to 3).")
    limit: int = given("w", "A sum of ranks (parts 2 and 3).")
    data_sets: int = given("m", "How many data sets there are (part 4).")
    zeros: int = given("z", "On how many of them A and B are equal.")
    alpha: float = given(r"\alpha", "The level at which you want to test (parts 5 and 6).")
    row: int = given("n_t", "A row of the printed table (from part 8 on).")
    column: float = given(r"\alpha_t", "The level of a two-tailed column of the printed table.")
    printed: int = given("c_t", "What is printed there.")

    @step("N", "2^{$ranks}")
    def patterns(self) -> int:
        """Number of ways to share the ranks 1, ..., k out between A and B, all equally likely under H0."""
        return int(2**self.ranks)

    @step("u", r"\#\{\text{ways to share out } 1, \ldots, $ranks : W^- \leq $limit\}")
    def ways(self) -> int:
        """Number of these ways for which the ranks of B add up to at most w."""
        return round(tails(self.ranks)[self.limit] * 2**self.ranks)

    @step(r"P(W \leq w)", r"2 \cdot \frac{$ways}{$patterns}")
    def chance(self) -> float:
        """Probability under H0 that the smaller of the two sums, whoever it belongs to, is at most w."""
        return 2 * self.ways / self.patterns

    @step("n", "$data_sets - $zeros", check=check.count(1))
    def n(self) -> int:
        """Row of the table: the number of ranks that are shared out."""
        return self.data_sets - self.zeros

    @step("c", r"\max\{w : P(W^- \leq w) \leq $alpha / 2\},\ \text{ranks } 1, \ldots, $n")
    def critical(self) -> int:
        """Two-tailed critical value: the largest sum that rejects; -1 if none does."""
        return last(tails(self.n) <= self.alpha / 2)

    @step(r"n_{\min}", r"\min\{n : \frac{2}{2^n} \leq $alpha\}")
    def fewest(self) -> int:
        """Smallest number of ranks for which a two-sided test can reject at all."""
        return next(n for n in range(1, 60) if 2 / 2**n <= self.alpha)

    @step(r"\alpha_{\mathrm{true}}", r"2\,P(W^- \leq $printed),\ \text{ranks } 1, \ldots, $row")
    def level(self) -> float:
        """Probability of rejecting a true null hypothesis, two-sided, if the printed entry is trusted."""
        return float(2 * tails(self.row)[self.printed])

    @step(r"\text{too easily}", "$level > $column", relation=r"\Leftrightarrow")
    def too_easily(self) -> np.bool:
        """Whether the printed entry rejects more often than its column says."""
        return np.greater(self.level, self.column)

    @step("e", r"\#\{n : \text{printed} \neq \max\{w : P(W^- \leq w) \leq $column / 2\}\}")
    def errors(self) -> int:
        """Number of wrong entries among the 21 of the two-tailed column."""
        return sum(last(tails(n) <= self.column / 2) != cell for n, cell in zip(ROWS, PRINTED[self.column], strict=True))


class Orders(Entry):
    """You counted in how many orders the ranks can stand. Their order is settled; what chance decides is only on whose side each one falls, one of two possibilities for each rank, like a coin."""

    @step("N", "$ranks!")
    def patterns(self) -> int:
        """Orders."""
        return factorial(self.ranks)


class Below(Entry):
    """You left out the ways whose sum is w itself. "At most" includes it, as a p-value includes the outcome that was seen."""

    @step("u", r"\#\{\text{ways to share out } 1, \ldots, $ranks : W^- < $limit\}")
    def ways(self) -> int:
        """Without w itself."""
        return round(tails(self.ranks)[self.limit - 1] * 2**self.ranks)


class SumsForWays(Entry):
    """You counted the sums 0, 1, ..., w, each once. Some of them come about in several ways: 3 is the rank 3 alone, or 1 and 2 together. Count the ways."""

    @step("u", "$limit + 1")
    def ways(self) -> int:
        """Each sum once."""
        return self.limit + 1


class EquallyLikely(Entry):
    """You took all possible sums as equally likely. The coins are fair, not the sums: a sum in the middle comes about in many ways, 0 in one only. Divide the number of ways by the number of all ways."""

    @step(r"P(W \leq w)", r"2 \cdot \frac{$limit + 1}{$ranks\,($ranks + 1) / 2 + 1}")
    def chance(self) -> float:
        """Share of the possible sums."""
        return 2 * (self.limit + 1) / (self.ranks * (self.ranks + 1) / 2 + 1)


class OneSideOnly(Entry):
    """That is the probability that the sum of B is so small. The smaller sum can be that of B or that of A, and either is as likely: both count."""

    @step(r"P(W \leq w)", r"\frac{$ways}{$patterns}")
    def chance(self) -> float:
        """One side."""
        return self.ways / self.patterns


class ZerosIncluded(Entry):
    """You took all data sets. Where A and B are equal there is no rank to share out: the row of the table is the number of differences that are not 0."""

    @step("n", "$data_sets")
    def n(self) -> int:
        """All data sets."""
        return self.data_sets


class NotHalved(Entry):
    """You left all of alpha to one side; two-sided, the small sum may be that of A or that of B, so that H0 would be rejected twice as often as alpha allows. Each side gets alpha / 2."""

    @step("c", r"\max\{w : P(W^- \leq w) \leq $alpha\},\ \text{ranks } 1, \ldots, $n")
    def critical(self) -> int:
        """Alpha not halved."""
        return last(tails(self.n) <= self.alpha)


class OneTooFar(Entry):
    """You stopped where the probability of the sums *below* w still keeps to alpha / 2. Since W = w rejects, too, its own probability has to be in it: P(W <= w), not P(W < w)."""

    @step("c", r"\max\{w : P(W^- < w) \leq $alpha / 2\},\ \text{ranks } 1, \ldots, $n")
    def critical(self) -> int:
        """One sum too far."""
        return last(tails(self.n) <= self.alpha / 2) + 1


class SingleSums(Entry):
    """You compared the probability of each single sum with alpha / 2. The test rejects for all sums up to c, so their probabilities add up: it is P(W <= w) that has to keep to alpha / 2."""

    @step("c", r"\max\{w : P(W^- = v) \leq $alpha / 2 \text{ for each } v \leq w\},\ \text{ranks } 1, \ldots, $n")
    def critical(self) -> int:
        """Single sums."""
        return last(chances(self.n) <= self.alpha / 2)


class OneSidedFewest(Entry):
    """With so few ranks the most extreme outcome has one-sided a p-value of at most alpha. Two-sided its mirror image is as extreme, so p is 2 / 2^n, not 1 / 2^n."""

    @step(r"n_{\min}", r"\min\{n : \frac{1}{2^n} \leq $alpha\}")
    def fewest(self) -> int:
        """One-sided."""
        return next(n for n in range(1, 60) if 1 / 2**n <= self.alpha)


class OneSidedLevel(Entry):
    """That is the probability of one side. The column is two-tailed: whoever trusts it rejects when the smaller sum is small, be it that of A or that of B. Twice as much."""

    @step(r"\alpha_{\mathrm{true}}", r"P(W^- \leq $printed),\ \text{ranks } 1, \ldots, $row")
    def level(self) -> float:
        """One side."""
        return float(tails(self.row)[self.printed])


class LevelBelow(Entry):
    """You left out the printed value itself. A sum equal to the critical value rejects, too: its probability belongs to the level."""

    @step(r"\alpha_{\mathrm{true}}", r"2\,P(W^- < $printed),\ \text{ranks } 1, \ldots, $row")
    def level(self) -> float:
        """Without the entry itself."""
        return float(2 * (tails(self.row) - chances(self.row))[self.printed])


def draw(rng: np.random.Generator) -> dict[str, Any]:
    """A few ranks to count with pencil, a table row to look up, and a cell of the printed table, right or wrong."""
    column, row = float(rng.choice([0.10, 0.05, 0.01])), int(rng.integers(7, 15))
    return {
        "ranks": int(rng.integers(6, 8)),
        "limit": int(rng.choice([5, 7])),  # for 6 the slips at q2 and q3 meet
        "data_sets": int(rng.integers(11, 15)),
        "zeros": int(rng.integers(2, 4)),
        "alpha": float(rng.choice([0.10, 0.05, 0.02, 0.01])),
        "row": row,
        "column": column,
        "printed": PRINTED[column][ROWS.index(row)],
    }


def unseen(rng: np.random.Generator) -> Iterator[tuple[str, dict[str, Any]]]:
    """Entries of usual tables; such as do not exist; such as use alpha up."""
    for n in rng.permutation(range(6, 21)).tolist():
        yield "entries of a table", {"n": n, "alpha": float(rng.choice([0.10, 0.05, 0.01])) if n > 7 else 0.10}
    yield from (("nothing can reject", {"n": n, "alpha": 0.01}) for n in (4, 6, 7))
    yield from (("alpha / 2 used up to the last bit", {"n": n, "alpha": 10 / 2**n}) for n in (6, 8, 10))


EXERCISE = Exercise(
    name="critical_value_table",
    test=Entry,
    given={"ranks": 6, "limit": 5, "data_sets": 12, "zeros": 2, "alpha": 0.05, "row": 10, "column": 0.01, "printed": 5},
    draw=draw,
    questions=(
        Question("q1", "patterns", COUNT),
        Question("q2", "ways", COUNT),
        Question("q3", "chance", COUNT),
        Question("q4", "n", RANKS),
        Question("q5", "critical", DECISION),
        Question("q6", "fewest", TABLE),
        Choice(
            "q7",
            "For n = 17 the slides print 40 in the two-tailed column of 0.10 and 33 in the one-tailed column of 0.05. What do you know before you compute anything?",
            (
                Option("At least one of the two is wrong.", "Both leave 0.05 on one side: the same cut, so the same number."),
                Option(
                    "Nothing: they belong to different tests.",
                    "The tests differ in what they reject, but both cut off a tail of 0.05 from the same distribution.",
                    "one-tailed 0.05 taken to differ from two-tailed 0.10",
                ),
                Option("The 33 is wrong: half of 40 is 20.", "Levels are halved, not sums of ranks.", "entries halved instead of levels"),
            ),
            TABLE,
        ),
        Question("q8", "level", TABLE),
        Question("q9", "too_easily", TABLE),
        Choice(
            "q10",
            "An entry of a table is smaller than it should be, and somebody trusts it. What comes of that?",
            (
                Option("True differences are overlooked more often than necessary.", "W has to be smaller than it need be: power is lost."),
                Option(
                    "True null hypotheses are rejected more often than alpha allows.",
                    "So it would be with an entry that is too large. Here W must be smaller still before it rejects.",
                    "the direction of a wrong entry mixed up",
                ),
                Option("The p-value comes out too small.", "p is counted from the ranks, without a table.", "p taken from the table"),
            ),
            TABLE,
        ),
        Function("q11", "critical", ("n", "alpha"), unseen, TABLE, points=2),
        Question("q12", "errors", TABLE),
    ),
    mistakes=(
        Mistake(Orders, "orders for coins: n! for 2^n", COUNT),
        Mistake(Below, "below w for at most w", COUNT),
        Mistake(SumsForWays, "sums counted, not ways", COUNT),
        Mistake(EquallyLikely, "all sums taken as equally likely", COUNT),
        Mistake(OneSideOnly, "one side for both", COUNT),
        Mistake(ZerosIncluded, "zeros counted in n", RANKS, only=("q4", "q5")),
        Mistake(NotHalved, "alpha not halved (the one-tailed entry)", DECISION),
        Mistake(OneTooFar, "P(W < w) for P(W <= w)", TABLE),
        Mistake(SingleSums, "P(W = w) for P(W <= w)", TABLE),
        Mistake(OneSidedFewest, "1 / 2^n for 2 / 2^n", TABLE),
        Mistake(OneSidedLevel, "level of one side", TABLE),
        Mistake(LevelBelow, "level without the entry itself", TABLE),
    ),
)
