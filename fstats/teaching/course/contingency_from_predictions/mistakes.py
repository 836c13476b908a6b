"""What goes wrong: the right test with one wrong step each."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....distributions.continuous import ChiSquared
from ....distributions.symmetric_binomial import SymmetricBinomial
from ...grading.mistake import slip
from .. import shared
from .steps import ACCURACIES, TABLE, UNPAIRED, VARIANTS, FromPredictions, discordant_of

NUMBERS = ("q5", "q6", "q10", "q11")  # where n shows: a wrong yes or no at q7 could have many reasons


@slip(FromPredictions, "right_a", "[$pred_a = $pred_b]", "agreement for correctness", TABLE, only=("q1",))
def agreement_for_correctness(test: FromPredictions) -> Any:
    """You compared A with B. That shows where the two agree, and they may agree on something wrong. Whether A is right,
    only the true label knows: compare A with that.
    """
    return test.pred_a == test.pred_b


@slip(FromPredictions, "table", r"\#\{r : $right_b = u,\ $right_a = v\}", "n01 and n10 swapped", TABLE, only=("q2", "q3"))
def transposed(test: FromPredictions) -> Any:
    """You let B come first. The first index (the line of the table) is A's, the second (the column) is B's; 0 is wrong, 1
    is right. So n01 counts the records that A gets wrong and B gets right.
    """
    return discordant_of(test.right_b, test.right_a)


@slip(FromPredictions, "table", r"\#\{r : $right_a = 1 - u,\ $right_b = 1 - v\}", "right before wrong", TABLE, only=("q2",))
def right_first(test: FromPredictions) -> Any:
    """You put right before wrong, in the lines and in the columns. Many books do; here 0 is wrong and comes first, so the
    first line and the first column are those of the wrong ones. Both upside down and left to right, your table is
    mirrored.
    """
    return discordant_of(~test.right_a, ~test.right_b)


@slip(FromPredictions, "n01", r"\sum_v n_{0v} \text{ of } $table", "all errors of A", TABLE, only=("q3",))
def all_errors_of_a(test: FromPredictions) -> Any:
    """You counted all records that A gets wrong. On some of them B is wrong as well, and they favour nobody: take only
    those that B gets right.
    """
    return test.table[0].sum()


@slip(FromPredictions, "difference", r"\frac{$n01 - $n10}{$records}", "the sign: B minus A", ACCURACIES, only=("q4",))
def b_minus_a(test: FromPredictions) -> Any:
    """You took B minus A. Here all differences are A minus B, so that they are positive where A is ahead and negative
    where B is.
    """
    return (test.n01 - test.n10) / test.records


@slip(FromPredictions, "difference", r"100\,\frac{$n10 - $n01}{$records}", "percent for a share", ACCURACIES, only=("q4",))
def percent_for_share(test: FromPredictions) -> Any:
    """That is the difference in percentage points. A share is asked for, and a share lies between -1 and 1: leave the
    factor 100 out.
    """
    return 100 * (test.n10 - test.n01) / test.records


@slip(FromPredictions, "difference", r"\frac{$n10 - $n01}{$n}", "a share of the discordant records only", ACCURACIES, only=("q4",))
def share_of_the_discordant(test: FromPredictions) -> Any:
    """You divided by the discordant records. An accuracy is a share of all records, and so is the difference of two:
    divide by their number.
    """
    return (test.n10 - test.n01) / test.n


@slip(FromPredictions, "n", r"\#\{r : $pred_a \neq $pred_b\}", "different predictions for discordant records", TABLE, only=NUMBERS)
def different_predictions(test: FromPredictions) -> Any:
    """You counted the records on which the two predictions differ. With more than two classes both may be wrong in
    different ways, and such a record favours nobody. Discordant means: exactly one of them is right.
    """
    return (test.pred_a != test.pred_b).sum()


@slip(FromPredictions, "n", "$records", "all four cells", TABLE, only=("q5", "q10"))
def all_four_cells(test: FromPredictions) -> Any:
    """You added all four cells. Records that both get right, or both wrong, say nothing about which one is better: only
    the two cells off the diagonal count.
    """
    return test.records


@slip(FromPredictions, "n", "|$n10 - $n01|", "the lead for the discordant records", ACCURACIES, only=NUMBERS)
def net_lead(test: FromPredictions) -> Any:
    """That is by how many records one classifier leads: what remains of the accuracies' difference. The wins on either
    side cancel in it. Discordant are all records that exactly one of them gets right, whoever it is: add, do not
    subtract.
    """
    return np.abs(test.n10 - test.n01)


@slip(FromPredictions, "null", r"\mathrm{Bin}\left($records, \frac{1}{2}\right)", "a coin for every record", TABLE, only=("q6",))
def coin_for_every_record(test: FromPredictions) -> Any:
    """You tossed a coin for every record. On a record that both get right, or both wrong, there is nothing to toss for. H0
    makes a fair coin only of the discordant records: the binomial distribution has n of them.
    """
    return SymmetricBinomial(test.records)


one_tail = shared.lower_tail.on(
    FromPredictions,
    "p-value of one tail",
    TABLE,
    """That is one tail. Nobody said beforehand which classifier would win, and as lopsided a result for the other one
    would have surprised you as much: both tails count.
    """,
    only=("q6",),
)


point_for_tail = shared.this_result_only.on(
    FromPredictions,
    "P(X = k) for P(X ≤ k)",
    TABLE,
    """You took the probability of exactly this count. A p-value asks for a result at least as extreme: add the
    probabilities of all smaller counts, down to 0.
    """,
    only=("q6",),
)


count_left_out = shared.without_this_result.on(
    FromPredictions,
    "the observed count left out",
    TABLE,
    """You added up the counts beyond yours and left out your own. At least as extreme includes what was observed. (In
    scipy, binom.sf(k, n, 0.5) begins at k + 1.)
    """,
    only=("q6",),
)


@slip(FromPredictions, "pvalue", r"2\,P($null \leq \max\{$n01, $n10\})", "the larger count for the smaller", TABLE, only=("q6",))
def larger_count(test: FromPredictions) -> Any:
    """You added up to the larger of the two counts, and that is nearly everything: doubled, it is above 1, as no
    probability can be. Begin at the smaller count and go down; or at the larger one and go up.
    """
    return 2 * test.null.at_most(np.maximum(test.n01, test.n10))


@slip(FromPredictions, "one_way", r"2 \left(\frac{1}{2}\right)^{$n}", "other accuracies than yours", ACCURACIES)
def all_of_the_discordant_one_way(test: FromPredictions) -> Any:
    """You let all of your own discordant records point one way. That hands the loser's wins to the other one, and moves
    the two accuracies farther apart. Keep the accuracies: what is the lead, and how many records make it if the loser
    wins none?
    """
    return 2 * 0.5**test.n


@slip(FromPredictions, "one_way", r"\left(\frac{1}{2}\right)^{|$n10 - $n01|}", "one tail where all point one way", TABLE)
def one_tail_one_way(test: FromPredictions) -> Any:
    """That is one tail: all coins fall for the classifier that is ahead. Two-sided also counts that all of them fall for
    the other one.
    """
    return 0.5 ** np.abs(test.n10 - test.n01)


@slip(FromPredictions, "chi_squared", r"\frac{($n01 - $n10)^2}{$n}", "no continuity correction", VARIANTS)
def no_correction(test: FromPredictions) -> Any:
    """The continuity correction is missing. The counts jump in steps and the curve does not; subtract 1 from the distance
    of the two counts before you square it.
    """
    return (test.n01 - test.n10) ** 2 / test.n


@slip(FromPredictions, "chi_squared", r"\frac{(|$n01 - $n10| + 1)^2}{$n}", "correction with the wrong sign", VARIANTS)
def correction_with_wrong_sign(test: FromPredictions) -> Any:
    """Your correction makes the distance larger by 1; perhaps the bars are missing and the difference below 0. Take the
    distance of the two counts without its sign, then 1 away from it: the correction is there to be cautious.
    """
    return (np.abs(test.n01 - test.n10) + 1) ** 2 / test.n


@slip(FromPredictions, "chi_squared", r"\frac{(|$n01 - $n10| - 1/2)^2}{$n}", "correction by one half", VARIANTS)
def half_correction(test: FromPredictions) -> Any:
    """You took away one half. For a single count that would be right. But n is fixed: when one of the two counts grows by
    1 the other one shrinks by 1, so their distance jumps by 2, and half a jump is 1.
    """
    return (np.abs(test.n01 - test.n10) - 0.5) ** 2 / test.n


@slip(FromPredictions, "chi_squared", r"\frac{|$n01 - $n10| - 1}{$n}", "chi-squared not squared", VARIANTS)
def not_squared(test: FromPredictions) -> Any:
    """The square is missing. Chi-squared is the square of a distance in units of its spread: square what stands above,
    leave n below as it is.
    """
    return (np.abs(test.n01 - test.n10) - 1) / test.n


@slip(FromPredictions, "chi_squared", r"\text{test of independence on } $table", "test of independence on the table", TABLE)
def test_of_independence(test: FromPredictions) -> Any:
    """That is the chi-squared test of independence on the same table (chi2_contingency computes it). It asks whether the
    two tend to fail on the same records; they nearly always do, equally good or not. McNemar's question is whether the
    two cells off the diagonal are equally likely.
    """
    (a, b), (c, d) = test.table
    margins = (a + b) * (c + d) * (a + c) * (b + d)
    size = a + b + c + d
    return size * np.maximum(0, np.abs(a * d - b * c) - size / 2) ** 2 / margins


@slip(
    FromPredictions,
    "chi_squared",
    r"\frac{($difference)^2}{2\,\bar\pi (1 - \bar\pi) / $records},\ "
    r"\bar\pi \text{ the mean of the accuracies, from } $right_a \text{ and } $right_b",
    "unpaired test of two proportions",
    UNPAIRED,
)
def unpaired_proportions(test: FromPredictions) -> Any:
    """That is the square of z for two proportions, as if A and B had been tested on different records. They saw the same
    ones, and most hard records are hard for both; only the discordant ones tell them apart.
    """
    pooled = (test.right_a.mean() + test.right_b.mean()) / 2
    return test.difference**2 / (2 * pooled * (1 - pooled) / test.records)


@slip(FromPredictions, "approximate_pvalue", r"2\,P(\chi^2_1 \geq $chi_squared)", "the tail of chi-squared doubled", VARIANTS)
def doubled_tail(test: FromPredictions) -> Any:
    """You doubled the tail. A square has no sign: 8 against 1 and 1 against 8 give the same chi-squared, so its upper tail
    already holds both directions.
    """
    return 2 * ChiSquared(1).at_least(test.chi_squared)


@slip(FromPredictions, "approximate_pvalue", r"P(\chi^2_1 < $chi_squared)", "the lower tail of chi-squared", VARIANTS)
def lower_tail(test: FromPredictions) -> Any:
    """You took the area to the left: how often chi-squared is smaller than yours. Large values speak against H0, so at
    least as extreme lies to the right (in scipy sf, not cdf).
    """
    return 1 - ChiSquared(1).at_least(test.chi_squared)
