"""What goes wrong in counting out a critical value: the same work with one wrong line each."""

from __future__ import annotations

from math import factorial

from ...step import step
from .entry import Entry, chances, last, tails


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


class EmptyForgotten(Entry):
    """You forgot the empty set: the one way in which B gets no rank at all. Its sum is 0, which is at most w, and it is the most extreme way of all."""

    @step("u", r"\#\{\text{ways to share out } 1, \ldots, $ranks : 0 < W^- \leq $limit\}")
    def ways(self) -> int:
        """Without the empty set."""
        return round(tails(self.ranks)[self.limit] * 2**self.ranks) - 1


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
    """You left all of alpha to one side; two-sided, the small sum may be that of A or that of B, so that a true H0 would be rejected up to twice as often as alpha allows. Each side gets alpha / 2."""

    @step("c", r"\max\{w : P(W^- \leq w) \leq $alpha\},\ \text{ranks } 1, \ldots, $n")
    def critical(self) -> int:
        """Alpha not halved."""
        return last(tails(self.n) <= self.alpha)


class OneTooFar(Entry):
    """You stopped where the probability of the sums below w still keeps to alpha / 2. Since W = w rejects, too, its own probability has to be in it: P(W <= w), not P(W < w). (If you counted the tails that keep to alpha / 2: the first of them belongs to the sum 0.)"""

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
    """You left out the printed value itself. A sum equal to the critical value rejects, too: its probability belongs to the level. (In Python, [:w] ends before w.)"""

    @step(r"\alpha_{\mathrm{true}}", r"2\,P(W^- < $printed),\ \text{ranks } 1, \ldots, $row")
    def level(self) -> float:
        """Without the entry itself."""
        return float(2 * (tails(self.row) - chances(self.row))[self.printed])
