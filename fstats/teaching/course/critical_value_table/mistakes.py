"""What goes wrong: the right test with one wrong step each."""

from __future__ import annotations

from math import factorial
from typing import Any

from ...grading.mistake import slip
from .steps import COUNT, DECISION, RANKS, TABLE, Entry, chances, last, tails


@slip(Entry, "patterns", "$ranks!", "orders for coins: n! for 2^n", COUNT)
def orders_for_coins(test: Entry) -> Any:
    """You counted in how many orders the ranks can stand. Their order is settled; what chance decides is only on whose
    side each one falls, one of two possibilities for each rank, like a coin.
    """
    return factorial(test.ranks)


@slip(Entry, "ways", r"\#\{\text{ways to share out } 1, \ldots, $ranks : W^- < $limit\}", "below w for at most w", COUNT)
def below_for_at_most(test: Entry) -> Any:
    """You left out the ways whose sum is w itself. "At most" includes it, as a p-value includes the outcome that was seen."""
    return round(tails(test.ranks)[test.limit - 1] * 2**test.ranks)


@slip(Entry, "ways", r"\#\{\text{ways to share out } 1, \ldots, $ranks : 0 < W^- \leq $limit\}", "the empty set forgotten", COUNT)
def empty_set_forgotten(test: Entry) -> Any:
    """You forgot the empty set: the one way in which B gets no rank at all. Its sum is 0, which is at most w, and it is
    the most extreme way of all.
    """
    return round(tails(test.ranks)[test.limit] * 2**test.ranks) - 1


@slip(Entry, "ways", "$limit + 1", "sums counted, not ways", COUNT)
def sums_for_ways(test: Entry) -> Any:
    """You counted the sums 0, 1, ..., w, each once. Some of them come about in several ways: 3 is the rank 3 alone, or 1
    and 2 together. Count the ways.
    """
    return test.limit + 1


@slip(Entry, "chance", r"2 \cdot \frac{$limit + 1}{$ranks\,($ranks + 1) / 2 + 1}", "all sums taken as equally likely", COUNT)
def equally_likely(test: Entry) -> Any:
    """You took all possible sums as equally likely. The coins are fair, not the sums: a sum in the middle comes about in
    many ways, 0 in one only. Divide the number of ways by the number of all ways.
    """
    return 2 * (test.limit + 1) / (test.ranks * (test.ranks + 1) / 2 + 1)


@slip(Entry, "chance", r"\frac{$ways}{$patterns}", "one side for both", COUNT)
def one_side_only(test: Entry) -> Any:
    """That is the probability that the sum of B is so small. The smaller sum can be that of B or that of A, and either is
    as likely: both count.
    """
    return test.ways / test.patterns


@slip(Entry, "n", "$data_sets", "zeros counted in n", RANKS, only=("q4", "q5"))
def zeros_included(test: Entry) -> Any:
    """You took all data sets. Where A and B are equal there is no rank to share out: the row of the table is the number of
    differences that are not 0.
    """
    return test.data_sets


@slip(
    Entry,
    "critical",
    r"\max\{w : P(W^- \leq w) \leq $alpha\},\ \text{ranks } 1, \ldots, $n",
    "alpha not halved (the one-tailed entry)",
    DECISION,
)
def not_halved(test: Entry) -> Any:
    """You left all of alpha to one side; two-sided, the small sum may be that of A or that of B, so that a true H0 would
    be rejected up to twice as often as alpha allows. Each side gets alpha / 2.
    """
    return last(tails(test.n) <= test.alpha)


@slip(Entry, "critical", r"\max\{w : P(W^- < w) \leq $alpha / 2\},\ \text{ranks } 1, \ldots, $n", "P(W < w) for P(W <= w)", TABLE)
def one_too_far(test: Entry) -> Any:
    """You stopped where the probability of the sums below w still keeps to alpha / 2. Since W = w rejects, too, its own
    probability has to be in it: P(W <= w), not P(W < w). (If you counted the tails that keep to alpha / 2: the first of
    them belongs to the sum 0.)
    """
    return last(tails(test.n) <= test.alpha / 2) + 1


@slip(
    Entry,
    "critical",
    r"\max\{w : P(W^- = v) \leq $alpha / 2 \text{ for each } v \leq w\},\ \text{ranks } 1, \ldots, $n",
    "P(W = w) for P(W <= w)",
    TABLE,
)
def single_sums(test: Entry) -> Any:
    """You compared the probability of each single sum with alpha / 2. The test rejects for all sums up to c, so their
    probabilities add up: it is P(W <= w) that has to keep to alpha / 2.
    """
    return last(chances(test.n) <= test.alpha / 2)


@slip(Entry, "fewest", r"\min\{n : \frac{1}{2^n} \leq $alpha\}", "1 / 2^n for 2 / 2^n", TABLE)
def one_sided_fewest(test: Entry) -> Any:
    """With so few ranks the most extreme outcome has one-sided a p-value of at most alpha. Two-sided its mirror image is
    as extreme, so p is 2 / 2^n, not 1 / 2^n.
    """
    return next(n for n in range(1, 60) if 1 / 2**n <= test.alpha)


@slip(Entry, "level", r"P(W^- \leq $printed),\ \text{ranks } 1, \ldots, $row", "level of one side", TABLE)
def one_sided_level(test: Entry) -> Any:
    """That is the probability of one side. The column is two-tailed: whoever trusts it rejects when the smaller sum is
    small, be it that of A or that of B. Twice as much.
    """
    return float(tails(test.row)[test.printed])


@slip(Entry, "level", r"2\,P(W^- < $printed),\ \text{ranks } 1, \ldots, $row", "level without the entry itself", TABLE)
def level_below(test: Entry) -> Any:
    """You left out the printed value itself. A sum equal to the critical value rejects, too: its probability belongs to
    the level. (In Python, [:w] ends before w.)
    """
    return float(2 * (tails(test.row) - chances(test.row))[test.printed])
