"""Steps that the questions ask for, and the notebook sections that explain them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ....core.procedure import Procedure
from ....core.step import input_field, step
from ....core.validation import check
from ....core.value_types import Array
from ....distributions.exact_rank_distributions import SignedRankSum

ROWS = range(5, 26)
PRINTED = {  # two-tailed critical values printed on the slides, for n = 5, ..., 25
    0.10: (0, 2, 3, 5, 8, 10, 13, 17, 21, 25, 30, 35, 40, 46, 52, 59, 66, 73, 81, 89, 98),
    0.05: (0, 2, 3, 4, 6, 8, 10, 13, 16, 19, 23, 27, 31, 36, 40, 45, 51, 56, 62, 68, 75),
    0.01: (0, 0, 1, 2, 3, 5, 7, 9, 11, 14, 17, 21, 24, 28, 32, 37, 41, 46, 51, 56, 62),
}


def rank_sum_probabilities(n: float) -> Array:
    """Return P(W = 0), P(W = 1), ... for the ranks 1, ..., n."""
    if n > 100:
        raise ValueError(f"n must be at most 100, as in tables; got n = {n}")
    return SignedRankSum(np.arange(1.0, n + 1)).atoms()[1]


def rank_sum_tail_probabilities(n: float) -> Array:
    """Return P(W <= 0), P(W <= 1), ... for the ranks 1, ..., n."""
    return rank_sum_probabilities(n).cumsum()


def last_where_true(keeps: NDArray[np.bool]) -> int:
    """Return the last w, counted from 0, for which the condition holds; return -1 if the condition does not hold for w = 0."""
    return int(np.append(keeps, False).argmin()) - 1


class CriticalValueEntry(Procedure):
    """A count by hand, an entry of the table, and the true level of a printed entry."""

    ranks: int = input_field("k", "Number of ranks (parts 1 to 3).")
    limit: int = input_field("w", "A rank sum (parts 2 and 3).")
    data_sets: int = input_field("m", "Number of data sets (part 4).")
    zeros: int = input_field("z", "Number of data sets on which A and B are equal.")
    alpha: float = input_field(r"\alpha", "Level of your test (parts 5 and 6).")
    row: int = input_field("n_t", "A row of the printed table (from part 8 on).")
    column: float = input_field(r"\alpha_t", "The level of a two-tailed column of the printed table.")
    printed: int = input_field("c_t", "The printed entry in that row and column.")

    @step("N", "2^{$ranks}", check=check.count(1))
    def patterns(self) -> int:
        """Number of ways to divide the ranks 1, ..., k between A and B, all equally likely under H0."""
        return int(2**self.ranks)

    @step("u", r"\#\{\text{ways to share out } 1, \ldots, $ranks : W^- \leq $limit\}", check=check.count(0))
    def ways(self) -> int:
        """Number of ways to divide the ranks for which the ranks of B add up to at most w."""
        return round(rank_sum_tail_probabilities(self.ranks)[self.limit] * 2**self.ranks)

    @step(r"P(W \leq w)", r"2 \cdot \frac{$ways}{$patterns}")
    def chance(self) -> float:
        """Probability under H0 that the smaller of the two rank sums, that of A or of B, is at most w."""
        return 2 * self.ways / self.patterns

    @step("n", "$data_sets - $zeros", check=check.count(1))
    def n(self) -> int:
        """Row of the table: the number of ranked differences."""
        return self.data_sets - self.zeros

    @step("c", r"\max\{w : P(W^- \leq w) \leq $alpha / 2\},\ \text{ranks } 1, \ldots, $n")
    def critical(self) -> int:
        """Two-tailed critical value: the largest sum that rejects; -1 if no sum rejects."""
        return last_where_true(rank_sum_tail_probabilities(self.n) <= self.alpha / 2)

    @step(r"n_{\min}", r"\min\{n : \frac{2}{2^n} \leq $alpha\}", check=check.count(1))
    def fewest(self) -> int:
        """Smallest number of ranks for which a two-sided test can reject at all."""
        return next(n for n in range(1, 60) if 2 / 2**n <= self.alpha)

    @step(r"\alpha_{\mathrm{true}}", r"2\,P(W^- \leq $printed),\ \text{ranks } 1, \ldots, $row")
    def level(self) -> float:
        """Two-sided probability of rejecting a true null hypothesis with the printed entry."""
        return float(2 * rank_sum_tail_probabilities(self.row)[self.printed])

    @step(r"\text{too easily}", "$level > $column", relation=r"\Leftrightarrow")
    def too_easily(self) -> np.bool:
        """Whether the printed entry rejects more often than its column says."""
        return np.greater(self.level, self.column)

    @step("e", r"\#\{n : \text{printed} \neq \max\{w : P(W^- \leq w) \leq $column / 2\}\}", check=check.count(0))
    def errors(self) -> int:
        """Number of wrong entries among the 21 of the two-tailed column."""
        return sum(
            last_where_true(rank_sum_tail_probabilities(n) <= self.column / 2) != cell
            for n, cell in zip(ROWS, PRINTED[self.column], strict=True)
        )
