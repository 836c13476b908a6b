"""What goes wrong: the right test with one wrong step each."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import sqrt

from ....core.degenerate import ratio
from ....core.rank import average_ranks
from ....distributions.exact import RandomSigns
from ....distributions.symmetric_binomial import SymmetricBinomial
from ....procedures.pairwise.paired_t import PairedT
from ....procedures.pairwise.sign_test import SignTest
from ...grading.mistake import slip
from .. import shared
from .steps import CORNERS, COUNT, DIFFERENCES, DIVISOR, NULL, PAIRING, RANKS, SIGNS, STATISTIC, SUMS, TIES, CountedSignedRank


@slip(CountedSignedRank, "ranks", r"\mathrm{rank}\,$sizes \text{, ties in their order}", "ties not averaged", RANKS, only=("q1", "q4"))
def in_order_of_arrival(test: CountedSignedRank) -> Any:
    """Equal numbers got different ranks, the one that stands first the smaller one. Nothing in the data says which of them
    is smaller: let them share the mean of the ranks that they span.
    """
    return np.argsort(np.argsort(test.sizes, kind="stable")).astype(float) + 1


@slip(CountedSignedRank, "ranks", r"\mathrm{argsort}\,$sizes + 1", "argsort for ranks", RANKS, only=("q1", "q4"))
def places_for_ranks(test: CountedSignedRank) -> Any:
    """argsort tells where the smallest number stands, where the second smallest stands, and so on: a list of places. A
    rank goes the other way and tells for each place how many numbers are smaller. Try 30, 10, 20: the ranks are 3, 1,
    2.
    """
    return np.argsort(test.sizes, kind="stable").astype(float) + 1


@slip(CountedSignedRank, "ranks", r"\mathrm{argsort}\,$sizes", "argsort for ranks, from 0", RANKS, only=("q1",))
def places_from_zero(test: CountedSignedRank) -> Any:
    """That is argsort as it comes: it tells where the smallest number stands, where the second smallest stands, and so on,
    counted from 0. A rank goes the other way: for each place, how many numbers are smaller, and 1 for itself. Try 30,
    10, 20: the ranks are 3, 1, 2.
    """
    return np.argsort(test.sizes, kind="stable").astype(float)


@slip(
    CountedSignedRank,
    "ranks",
    r"\mathrm{rank}\,$sizes - 1 \text{, ties in their order}",
    "argsort twice, and nothing more",
    RANKS,
    only=("q1",),
)
def from_zero_by_arrival(test: CountedSignedRank) -> Any:
    """argsort of argsort counts from 0, as Python does, and gives equal numbers different ranks. Add 1, and let equal
    numbers share the mean of the ranks that they span; the idea above needs no sorting at all.
    """
    return np.argsort(np.argsort(test.sizes, kind="stable"), kind="stable").astype(float)


@slip(CountedSignedRank, "ranks", r"\mathrm{sorted}(\mathrm{rank}\,$sizes)", "ranks in the order of size", RANKS, only=("q1",))
def in_order_of_size(test: CountedSignedRank) -> Any:
    """Your ranks come in the order of size. Give them back in the order in which the numbers came: the first rank belongs
    to the first number. (Somewhere you sorted, and did not put things back into their places.)
    """
    return np.sort(average_ranks(test.sizes))


@slip(CountedSignedRank, "ranks", r"1 + \#\{l : x_l < $sizes\}", "ties all get the smallest rank", RANKS, only=("q1", "q4"))
def smallest_of_the_tied(test: CountedSignedRank) -> Any:
    """Equal numbers all got the smallest of the ranks that they span, as in sport. Then the ranks no longer add up to 1 +
    2 + ... + n; the mean of the ranks keeps the sum.
    """
    return (test.sizes[:, None] > test.sizes).sum(1).astype(float) + 1


@slip(CountedSignedRank, "ranks", r"\#\{l : x_l \leq $sizes\}", "ties all get the largest rank", RANKS, only=("q1",))
def largest_of_the_tied(test: CountedSignedRank) -> Any:
    """Equal numbers all got the largest of the ranks that they span: you counted how many numbers are not larger. The mean
    of the ranks is what they share; count the smaller ones and the equal ones apart.
    """
    return (test.sizes[:, None] >= test.sizes).sum(1).astype(float)


@slip(CountedSignedRank, "ranks", r"\mathrm{rank}\,$sizes - \frac{1}{2}", "ranks half a rank too small", RANKS, only=("q1",))
def half_a_rank_less(test: CountedSignedRank) -> Any:
    """Every rank is one half too small. A number equals itself, too: s smaller and e equal ones (itself among them) span
    the ranks s + 1, ..., s + e. What is the middle of these? Try it with a number that is alone: s + 1 has to come out.
    """
    return average_ranks(test.sizes) - 0.5


@slip(CountedSignedRank, "ranks", r"1 + \#\{\text{different } x_l < $sizes\}", "ties take up one rank", RANKS, only=("q1", "q4"))
def one_rank_for_the_tied(test: CountedSignedRank) -> Any:
    """Equal numbers took up one rank together, and the next number got the very next rank. Three equal numbers span three
    ranks: they share the mean of these, and the next number comes after all three.
    """
    return np.unique(test.sizes, return_inverse=True)[1].astype(float) + 1


@slip(CountedSignedRank, "ranks", r"\mathrm{rank}(-$sizes)", "ranks upside down", RANKS, only=("q1", "q4"))
def upside_down(test: CountedSignedRank) -> Any:
    """You gave rank 1 to the largest. Here a large difference has to weigh most: rank 1 = smallest. (Rank 1 = best is the
    custom where classifiers are ranked, in the Friedman test.)
    """
    return average_ranks(-test.sizes)


@slip(CountedSignedRank, "ranks", r"\mathrm{rank}\,$sizes - 1", "ranks begin at 0", RANKS, only=("q1", "q4"))
def from_zero(test: CountedSignedRank) -> Any:
    """Your ranks begin at 0, as Python counts. Ranks begin at 1; with 0 the smallest difference would have no weight at
    all.
    """
    return average_ranks(test.sizes) - 1


@slip(CountedSignedRank, "ranks", r"\lfloor \mathrm{rank}\,$sizes \rfloor", "halves of ranks cut off", RANKS, only=("q1",))
def halves_cut_off(test: CountedSignedRank) -> Any:
    """Shared ranks such as 1.5 lost their half. An array of whole numbers keeps whole numbers only: np.zeros_like(sizes)
    is one where the sizes are whole. Make the ranks an array of floats.
    """
    return np.floor(average_ranks(test.sizes))


b_minus_a = shared.b_minus_a.on(
    PairedT,
    "the sign: B minus A",
    DIFFERENCES,
    """Your function takes B minus A, so its sign says the opposite. A minus B: positive where A, the first argument, is
    better.
    """,
)


divided_by_n = shared.divided_by_n.on(
    PairedT,
    "divided by n",
    DIVISOR,
    """The sum of squares is divided by n; with n - 1 it would be right. This is what np.std does unless you say ddof=1:
    read what a function divides by before you trust it.
    """,
)


no_root_of_n = shared.no_root_of_n.on(
    PairedT,
    "the square root of n is missing",
    STATISTIC,
    """The mean is measured in standard deviations of single differences. The mean of n differences strays less: divide the
    standard deviation by the square root of n first.
    """,
)


n_for_its_root = shared.n_for_its_root.on(
    PairedT,
    "n for its square root",
    STATISTIC,
    """You divided the standard deviation by n. It is the variance of a mean that goes with 1/n; the standard deviation
    goes with 1 over the square root of n.
    """,
    only=("q2",),
)


@slip(PairedT, "se", r"\frac{$sd}{\sqrt{$n - 1}}", "n - 1 taken twice", STATISTIC, only=("q2",))
def one_less_twice(test: PairedT) -> Any:
    """One was taken off n twice: in the standard deviation, where it belongs, and once more under the root. The standard
    error of a mean of n differences divides by the square root of n.
    """
    return test.sd / sqrt(test.n - 1)


variance_for_sd = shared.variance_for_sd.on(
    PairedT,
    "variance for standard deviation",
    DIFFERENCES,
    """You took the variance of the differences for their standard deviation. It has the wrong unit, squared points: take
    its square root.
    """,
    only=("q2",),
)


unpaired = shared.unpaired.on(
    PairedT,
    "unpaired for paired",
    PAIRING,
    """That is t for two independent samples: its standard error comes from the spread of A's scores and of B's, each on
    its own. These scores are paired; take the spread of the differences.
    """,
)


@slip(PairedT, "statistic", r"\left|\frac{$mean}{$se}\right|", "the sign of t is lost", STATISTIC)
def sign_lost(test: PairedT) -> Any:
    """Your function returns the size of t without its sign. A two-sided p-value does not need the sign, but the reader
    does: it says who is better.
    """
    return np.abs(ratio(test.mean, test.se))


@slip(
    PairedT,
    "statistic",
    r"\frac{$mean}{$se} \text{ if } \mathrm{SE} > 0, \text{ else } 0",
    "no spread taken for no difference",
    STATISTIC,
)
def no_spread_no_difference(test: PairedT) -> Any:
    """Where there is no spread your function always returns 0. But if A is better by the very same amount everywhere,
    nothing could speak more clearly: then t is infinite. It is 0 only where the mean difference is 0, too.
    """
    return 0.0 if test.se == 0 else test.mean / test.se


@slip(
    PairedT,
    "statistic",
    r"\frac{$mean}{$se} \text{ if } \mathrm{SE} > 0, \text{ else } 0 \text{ or } \infty",
    "the sign of infinity is lost",
    STATISTIC,
    only=("q2",),
)
def infinity_without_sign(test: PairedT) -> Any:
    """Without spread your function says plus infinity, also where B is better everywhere. Infinity has a sign, too: that
    of the differences.
    """
    t = ratio(test.mean, test.se)
    return np.abs(t) if np.isinf(t) else t


@slip(SignTest, "null", r"\mathrm{Bin}\left(\#\{$d\}, \frac{1}{2}\right)", "sign test: zeros counted as tosses", TIES)
def zeros_tossed(test: SignTest) -> Any:
    """Data sets without a winner were counted among the tosses. A coin that stands on its edge has not been tossed: n is
    the number of wins and losses only.
    """
    return SymmetricBinomial(len(test.d))


@slip(SignTest, "losses", r"\#\{i : $d \leq 0\}", "sign test: zeros counted as losses", TIES)
def zeros_lost(test: SignTest) -> Any:
    """Your losses are all data sets that A does not win, those without a winner included. A zero favours nobody: count d <
    0 for the losses, and leave zeros out of n.
    """
    return (test.d <= 0).sum(0)


@slip(SignTest, "statistic", "$losses", "sign test: only A's losses looked at", SIGNS)
def only_losses(test: SignTest) -> Any:
    """Your tail always begins at the losses of A, so a large p comes out where B is clearly better. Two-sided, look at the
    smaller one of wins and losses.
    """
    return test.losses


@slip(SignTest, "statistic", "$wins", "sign test: only A's wins looked at", SIGNS, only=("q3",))
def only_wins(test: SignTest) -> Any:
    """Your tail always begins at the wins of A, so a large p comes out where A is clearly better. Two-sided, look at the
    smaller one of wins and losses.
    """
    return test.wins


@slip(SignTest, "statistic", r"\max\{$wins, $losses\}", "sign test: larger count for the smaller", SIGNS, only=("q3",))
def larger_count(test: SignTest) -> Any:
    """You summed up to the larger one of wins and losses, which is nearly everything. The tail ends at the smaller one."""
    return np.maximum(test.wins, test.losses)


one_tail_of_signs = shared.lower_tail.on(
    SignTest,
    "sign test: one tail",
    SIGNS,
    """That is one tail: so few wins for one of the two. Two-sided, as few wins for the other would have been just as
    extreme: double it, up to 1.
    """,
)


exactly_this_many = shared.this_result_up_to_one.on(
    SignTest,
    "sign test: exactly this count",
    SIGNS,
    """You took the probability of exactly this count. A p-value is the probability of this count or a more extreme one:
    sum over all j from 0 to m.
    """,
)


more_extreme_only = shared.without_this_result_up_to_one.on(
    SignTest,
    "sign test: observed count left out",
    SIGNS,
    """Your tail begins one step too far out: it lacks the count that was observed. At least as extreme includes what you
    have seen.
    """,
)


above_one = shared.above_one.on(
    SignTest,
    "sign test: p above 1",
    SIGNS,
    """Your function can return more than 1, which no probability is. With as many wins as losses each tail holds more than
    one half, since both contain the middle: let p be 1 there, min(1, 2 * tail).
    """,
)


@slip(CountedSignedRank, "d", r"$a - $b \text{, not rounded}", "ties that the computer does not see", CORNERS, only=("q4", "q7"))
def noise_untied(test: CountedSignedRank) -> Any:
    """Your function is right on whole numbers only. 0.88 - 0.85 and 0.69 - 0.66 both print as 0.03, but the computer's
    numbers differ in the 17th digit, and your ranks see it: round the differences (to ten digits, say) before you rank
    their sizes.
    """
    return test.a - test.b


@slip(CountedSignedRank, "kept", "$d", "zeros ranked", RANKS, only=("q4", "q7"))
def zeros_ranked(test: CountedSignedRank) -> Any:
    """Differences of 0 took the lowest ranks, and pushed all others up. A zero favours nobody: leave it out before you
    rank.
    """
    return test.d


only_ranks_of_a = shared.w_plus_for_min.on(
    CountedSignedRank,
    "W+ for the smaller sum",
    SUMS,
    """Your function always counts from the sum of A's ranks, so nothing is ever found where A is the better one.
    Two-sided, take the smaller one of W+ and W-.
    """,
)


only_ranks_of_b = shared.w_minus_for_min.on(
    CountedSignedRank,
    "W- for the smaller sum",
    SUMS,
    """Your function always counts from the sum of B's ranks, so nothing is ever found where B is the better one.
    Two-sided, take the smaller one of W+ and W-.
    """,
    only=("q4",),
)


@slip(CountedSignedRank, "statistic", r"\max\{$w_plus, $w_minus\}", "larger sum for the smaller", SUMS, only=("q4",))
def larger_sum(test: CountedSignedRank) -> Any:
    """You took the larger one of the two sums, and then counted the sums that are at most so large: nearly all of them.
    Take the smaller one.
    """
    return np.maximum(test.w_plus, test.w_minus)


@slip(CountedSignedRank, "ranks", r"\mathrm{rank}\,$kept", "ranks of signed differences", RANKS, only=("q4",))
def ranks_of_signed(test: CountedSignedRank) -> Any:
    """You ranked the differences with their signs, so that the lowest ranks all went to B. Rank their sizes: a difference
    of -5 is a large one. The sign says afterwards to whom the rank goes.
    """
    return average_ranks(test.kept)


@slip(
    CountedSignedRank,
    "null",
    r"\sum_k \epsilon_k\,k,\ k = 1, \ldots, \#\{$ranks\}",
    "ranks of a table for the ranks with ties",
    TIES,
    only=("q4",),
)
def ranks_of_a_table(test: CountedSignedRank) -> Any:
    """You counted with the ranks 1, 2, ..., n, as printed tables do. Where sizes tie there are other ranks to share out:
    count all ways to give a side to the very ranks that you found.
    """
    return RandomSigns(np.arange(0.0, len(test.ranks) + 1))


one_tail_of_ranks = shared.lower_tail.on(
    CountedSignedRank,
    "signed ranks: one tail",
    COUNT,
    """That is one tail only: so small a sum on the side where it is small. Two-sided, either side could have been the
    small one: double the share, up to 1.
    """,
)


smaller_sums_only = shared.without_this_result_up_to_one.on(
    CountedSignedRank,
    "signed ranks: observed sum left out",
    COUNT,
    """You counted the sums below W, without W itself. At least as extreme includes what was observed: a clear win of A
    would otherwise have p = 0.
    """,
    only=("q4",),
)


exactly_this_sum = shared.this_result_up_to_one.on(
    CountedSignedRank,
    "signed ranks: exactly this sum",
    COUNT,
    """You counted the ways that give exactly this sum. A p-value takes in what is more extreme, too: count the sums that
    are at most W.
    """,
    only=("q4",),
)


ranks_above_one = shared.above_one.on(
    CountedSignedRank,
    "signed ranks: p above 1",
    COUNT,
    """Your function can return more than 1, which no probability is. Where both sides have about the same sum each tail
    holds more than one half: let p be 1 there, min(1, 2 * share).
    """,
)


one_tail_of_t = shared.one_tail.on(
    PairedT,
    "one tail of Student's t",
    NULL,
    """That is the probability of one tail. Two-sided, a t as large on the other side would be just as extreme: both tails
    count.
    """,
)


normal_for_t = shared.normal_for_t.on(
    PairedT,
    "normal for Student's t",
    NULL,
    """That p-value comes from the normal curve. The standard deviation was estimated from a few differences, which makes
    large values of t more frequent: use Student's curve with n - 1 degrees of freedom.
    """,
)


degrees_n = shared.degrees_n.on(
    PairedT,
    "n degrees of freedom",
    NULL,
    """You took n degrees of freedom. One is spent on the mean from which the standard deviation is measured: n - 1 are
    left.
    """,
)


other_tail_of_t = shared.wrong_side.on(
    PairedT,
    "the wrong side of t",
    NULL,
    """You took the area on the wrong side of t. As extreme as t or more means away from 0: to the right of |t|, and as
    much again on the other side. (Take the size of t first; with a negative t the area to its right is the large one.)
    """,
)
