"""What goes wrong: the right test with one wrong step each."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import sqrt, where

from ....core.rank import average_ranks
from ....distributions.continuous import Normal
from ...grading.mistake import slip
from .. import shared
from .steps import COUNT, RANKS, SLIDES, SUMS, TABLE, ZEROS, ByHand, SortedColumn, in_table, sorted_from_the_top, untied

RANKED = ("q3", "q13")  # further down, two wrong columns of ranks can have the same sum


b_minus_a = shared.b_minus_a.on(
    ByHand,
    "the sign: B minus A",
    RANKS,
    """You took B minus A. Then a positive number means that B is better, and W+ and W- change places. Agree on a
    direction, and keep it: A minus B, positive where A is better.
    """,
    only=("q1", "q4", "q5"),
)


@slip(ByHand, "d", "|$a - $b|", "signs dropped", RANKS, only=("q1", "q13"))
def sizes_only(test: ByHand) -> Any:
    """You dropped the signs. The sizes are what will be ranked, but the signs must be kept: they say whose rank it is.
    Take A minus B, negative where B is better.
    """
    return abs(test.a - test.b)


@slip(ByHand, "n", r"\#\{$d\}", "zeros counted", RANKS, only=("q2",))
def zeros_counted(test: ByHand) -> Any:
    """You counted all data sets. A difference of 0 has no sign and gets no rank, so no coin is tossed for it: n is the
    number of ranks, the data sets on which A and B differ.
    """
    return len(test.d)


@slip(ByHand, "ranks", r"\mathrm{rank}\,|$d| \text{ with zeros}", "zeros ranked", ZEROS, only=RANKED)
def zeros_kept(test: ByHand) -> Any:
    """You gave the zeros the lowest ranks, and so pushed all other ranks up. A difference of 0 favours nobody: leave it
    out before you rank, and let rank 1 go to the smallest size that is not 0.
    """
    return average_ranks(abs(test.d))


@slip(
    ByHand,
    "ranks",
    r"\mathrm{rank}\,|$d| \text{ without zeros, equal ones numbered from the top}",
    "ties not averaged",
    RANKS,
    only=RANKED,
)
def ties_in_order(test: ByHand) -> Any:
    """Equal sizes got different ranks, in the order in which they stand in the table. In another order the rank sums would
    be others, though the data are the same. Equal sizes share the mean of the ranks that they take up together.
    """
    order = np.argsort(np.argsort(abs(test.d), kind="stable"))
    return where(test.d == 0, 0.0, order + 1.0 - (test.d == 0).sum(0))


@slip(ByHand, "ranks", r"1 + \#\{j : 0 < |d_j| < |$d|\} \text{ without zeros}", "ties given their lowest rank", RANKS, only=RANKED)
def ties_lowest(test: ByHand) -> Any:
    """Equal sizes all got the lowest of their ranks, as in sports, where two can come first. Then the ranks no longer add
    up to n (n + 1) / 2, and ties weigh too little. Equal sizes share the mean of the ranks that they take up together.
    """
    sizes = abs(test.d)
    return where(sizes == 0, 0.0, np.searchsorted(np.sort(sizes[sizes > 0]), sizes) + 1.0)


@slip(ByHand, "ranks", r"\mathrm{rank}\,$d \text{ without zeros}", "signed differences ranked", RANKS, only=RANKED)
def signed_ranked(test: ByHand) -> Any:
    """You ranked the differences with their signs, so the largest win of B got rank 1. Rank the sizes, without the signs:
    the rank says how large a difference is, and only afterwards its sign says whose it is.
    """
    return where(test.d == 0, 0.0, average_ranks(test.d) - where(test.d > 0, (test.d == 0).sum(0), 0))


@slip(ByHand, "ranks", r"\mathrm{rank}\,(-|$d|) \text{ without zeros}", "ranks upside down", RANKS, only=RANKED)
def upside_down(test: ByHand) -> Any:
    """You gave rank 1 to the largest size. Then a hair's breadth weighs most and a landslide least. The smallest size gets
    rank 1, so that a large difference brings a large rank to its side.
    """
    return where(test.d == 0, 0.0, average_ranks(-abs(test.d)))


@slip(ByHand, "ranks", r"\mathrm{sort}(\mathrm{rank}\,|$d|) \text{ from the top}", "ranks in the order of the rows", SLIDES, only=RANKED)
def row_order(test: ByHand) -> Any:
    """You wrote the sorted ranks down in the order of the data sets, so they stand beside differences to which they do not
    belong. A rank belongs to its difference: the largest size, wherever it stands, has the largest rank.
    """
    return sorted_from_the_top(where(test.d == 0, 0.0, average_ranks(abs(test.d)) - (test.d == 0).sum(0)))


@slip(ByHand, "ranks", r"1 \text{ where } $d \neq 0", "wins counted, ranks forgotten", SUMS, only=("q4", "q5", "q13"))
def wins_counted(test: ByHand) -> Any:
    """You counted data sets, as the sign test does. Here a clear win weighs more than a narrow one: each data set brings
    its rank to the side of the winner, not just 1.
    """
    return where(test.d == 0, 0.0, 1.0)


plus_for_min = shared.w_plus_for_min.on(
    ByHand,
    "W+ for the smaller sum",
    SUMS,
    """You took W+. Two-sided, the statistic is the smaller of the two sums, whoever it belongs to: the table asks how
    small the losing side is.
    """,
    only=("q6", "q13"),
)


minus_for_min = shared.w_minus_for_min.on(
    ByHand,
    "W- whoever is better",
    SUMS,
    """Your function always returns W-. Two-sided, the statistic is the smaller of the two sums: where B is better, that is
    W+.
    """,
    only=("q13",),
)


@slip(
    ByHand,
    "critical_value",
    r"\max\{w : P(W_0 \leq w) \leq $alpha\},\ W_0 \text{ of the ranks } 1, \ldots, $n",
    "one-tailed entry of the table",
    TABLE,
)
def one_tailed_entry(test: ByHand) -> Any:
    """That entry leaves all of alpha to one side; it stands in the one-tailed column. Two-sided, A or B may be the one
    that loses, so each side gets alpha / 2: take the two-tailed column.
    """
    return in_table(test.n, test.alpha)


@slip(
    ByHand,
    "critical_value",
    r"\max\{w : P(W_0 \leq w) \leq $alpha / 4\},\ W_0 \text{ of the ranks } 1, \ldots, $n",
    "alpha halved twice",
    SLIDES,
)
def halved_twice(test: ByHand) -> Any:
    """That is what the column of half your alpha says. Where a column is headed "two-tailed", alpha has been halved
    already: enter it with alpha itself, as it stands in this exercise.
    """
    return in_table(test.n, test.alpha / 4)


one_tail = shared.lower_tail.on(
    ByHand,
    "p-value of one tail",
    COUNT,
    """That is the probability that one given side has so small a sum. Two-sided, it could as well have been the other
    side: both count, so double it.
    """,
)


@slip(
    ByHand,
    "pvalue",
    r"2\,P\left(Z \leq \frac{$statistic - \frac{1}{2} \sum_i $ranks}{\frac{1}{2} \sqrt{\sum_i R_i^2}}\right)",
    "normal approximation for the exact p",
    ZEROS,
)
def normal_for_exact(test: ByHand) -> Any:
    """That is the normal approximation. It is made for many ranks; with so few the exact p-value can be counted, and
    should be: go through all ways to give the ranks a sign.
    """
    return 2 * Normal(test.ranks.sum() / 2, sqrt((test.ranks**2).sum()) / 2).at_most(test.statistic)


w_left_out = shared.without_this_result.on(
    ByHand,
    "W itself left out",
    COUNT,
    """You left out the ways whose sum is W itself. The p-value is about results at least as extreme as yours, and yours is
    one of them: count the sums of at most W.
    """,
)


@slip(ByHand, "pvalue", r"2\,P(W_0 \leq $statistic),\ W_0 \text{ of the ranks } 1, \ldots, $n", "the ranks 1 to n for one's own", COUNT)
def untied_ranks(test: ByHand) -> Any:
    """You went through the ways to share out the ranks 1, 2, ..., n. Yours have ties, so other sums come about: let the
    coins share out the very ranks that you found, and count the sums again.
    """
    return 2 * untied(test.n).at_most(test.statistic)


@slip(SortedColumn, "w_of_column", "$w_minus", "the sum of the right ranks", SLIDES)
def right_ranks(test: SortedColumn) -> Any:
    """That is the sum with the ranks at their right places. In the sorted column other ranks stand beside the data sets
    where B is better: add up what stands there.
    """
    return test.w_minus


@slip(
    SortedColumn,
    "w_of_column",
    r"\sum_{$d < 0} C_i,\ C \text{ the } $ranks \text{ and the zeros sorted}",
    "the zero sorted, too",
    SLIDES,
)
def zero_sorted(test: SortedColumn) -> Any:
    """You sorted the zero along with the ranks, so it stands at the top, and ranks slipped down by a line. A difference of
    0 has no rank: leave its line empty, and write the sorted ranks into the other lines.
    """
    return where(test.d < 0, np.sort(test.ranks), 0).sum(0)
