r"""More near neighbours: slips with counts and tables, with sums of squares, with probabilities of counted things.

Like those of :mod:`.neighbours` they are known by the formula of the right line.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy import sqrt

from ...core.null import Discrete
from ...distributions.continuous import ChiSquared, FisherF, Normal
from ...distributions.exact import RandomSigns
from .critical_value_table.steps import PRINTED, ROWS
from .neighbour import Neighbour, of_null, with_residuals


def _moments(null: Discrete) -> tuple[float, float]:
    """Mean and standard deviation of a distribution on separate values."""
    x, chances = (np.asarray(one, float) for one in null.atoms())
    mean = float((x * chances).sum())
    return mean, float(sqrt((chances * (x - mean) ** 2).sum()))


COUNTED: Mapping[str, tuple[Neighbour, ...]] = {
    "2^{$ranks}": (
        Neighbour(
            "one coin too many",
            r"2^{$ranks + 1}",
            lambda t: 2 ** (t.ranks + 1),
            "That is one coin too many. Each of the k ranks falls on one of two sides, and there is nothing else to decide.",
        ),
        Neighbour(
            "one coin too few",
            r"2^{$ranks - 1}",
            lambda t: 2 ** (t.ranks - 1),
            "That is one coin too few. Each of the k ranks is free, the last one, too.",
        ),
        Neighbour(
            "pairs for ways",
            r"\frac{$ranks ($ranks - 1)}{2}",
            lambda t: t.ranks * (t.ranks - 1) // 2,
            "Those are the pairs of ranks. Any number of ranks may fall on a side, not two only.",
        ),
    ),
    r"\#\{\text{ways to share out } 1, \ldots, $ranks : W^- \leq $limit\}": (
        Neighbour(
            "both sides at once",
            r"2 \cdot \#\{\text{ways to share out } 1, \ldots, $ranks : W^- \leq $limit\}",
            lambda t: 2 * round(float(RandomSigns(np.arange(1.0, t.ranks + 1)).at_most(t.limit)) * 2**t.ranks),
            "You doubled already. Asked for are the ways for which the ranks of B are few; the other side comes in the next question.",
        ),
        Neighbour(
            "exactly w",
            r"\#\{\text{ways to share out } 1, \ldots, $ranks : W^- = $limit\}",
            lambda t: (
                round(float(RandomSigns(np.arange(1.0, t.ranks + 1)).at_most(t.limit)) * 2**t.ranks)
                - round(float(RandomSigns(np.arange(1.0, t.ranks + 1)).at_most(t.limit - 1)) * 2**t.ranks)
            ),
            "Those are the ways whose sum is w itself. Smaller sums are more extreme still: count them, too.",
        ),
        Neighbour(
            "at least w",
            r"\#\{\text{ways to share out } 1, \ldots, $ranks : W^- \geq $limit\}",
            lambda t: 2**t.ranks - round(float(RandomSigns(np.arange(1.0, t.ranks + 1)).at_most(t.limit - 1)) * 2**t.ranks),
            "You counted from w on upwards. Extreme are the small sums: those of at most w.",
        ),
        Neighbour(
            "all the others",
            r"\#\{\text{ways to share out } 1, \ldots, $ranks : W^- > $limit\}",
            lambda t: 2**t.ranks - round(float(RandomSigns(np.arange(1.0, t.ranks + 1)).at_most(t.limit)) * 2**t.ranks),
            "Those are all the other ways. Asked for are those with a sum of at most w.",
        ),
        Neighbour(
            "single ranks only",
            r"$limit",
            lambda t: t.limit,
            "That is how many single ranks fit. Sets of several ranks may have such a sum, too, and the empty set has the sum 0.",
        ),
    ),
    r"2 \cdot \frac{$ways}{$patterns}": (
        Neighbour(
            "halved for doubled",
            r"\frac{$ways}{2\,$patterns}",
            lambda t: t.ways / t.patterns / 2,
            "You halved. Two sides may be the small one, which makes it twice as likely.",
        ),
        Neighbour(
            "squared for doubled",
            r"\left(\frac{$ways}{$patterns}\right)^2",
            lambda t: (t.ways / t.patterns) ** 2,
            "You multiplied the two sides. They cannot both be the small one: either one or the other, so add.",
        ),
        Neighbour(
            "the opposite",
            r"1 - 2 \cdot \frac{$ways}{$patterns}",
            lambda t: 1 - 2 * t.ways / t.patterns,
            "That is the probability of all other outcomes.",
        ),
    ),
    "$data_sets - $zeros": (
        Neighbour(
            "zeros added",
            r"$data_sets + $zeros",
            lambda t: t.data_sets + t.zeros,
            "You added them. Where A and B are equal there is no rank: take these data sets off.",
        ),
        Neighbour(
            "a degree of freedom taken off",
            r"$data_sets - $zeros - 1",
            lambda t: t.data_sets - t.zeros - 1,
            "You took one more off. A table of ranks knows no degrees of freedom: its line is how many ranks there are.",
        ),
        Neighbour(
            "zeros only",
            r"$zeros",
            lambda t: t.zeros,
            "Those are the data sets that are left out. How many are ranked?",
        ),
    ),
    r"\max\{w : P(W^- \leq w) \leq $alpha / 2\},\ \text{ranks } 1, \ldots, $n": (
        Neighbour(
            "halved twice",
            r"\max\{w : P(W^- \leq w) \leq $alpha / 4\},\ \text{ranks } 1, \ldots, $n",
            lambda t: float(RandomSigns(np.arange(1.0, t.n + 1)).low(t.alpha / 4)),
            "You halved alpha twice: each side gets alpha / 2.",
        ),
        Neighbour(
            "the largest sum",
            r"\frac{$n ($n + 1)}{2}",
            lambda t: t.n * (t.n + 1) // 2,
            "That is the sum of all ranks. Which sum is the largest one that still rejects?",
        ),
        Neighbour(
            "the other end",
            r"\frac{$n ($n + 1)}{2} - \max\{w : P(W^- \leq w) \leq $alpha / 2\}",
            lambda t: t.n * (t.n + 1) // 2 - float(RandomSigns(np.arange(1.0, t.n + 1)).low(t.alpha / 2)),
            "That is the limit for the larger sum. A table looks at the smaller one.",
        ),
    ),
    r"\min\{n : \frac{2}{2^n} \leq $alpha\}": (
        Neighbour(
            "not rounded up",
            r"\log_2 \frac{2}{$alpha}",
            lambda t: np.log2(2 / t.alpha),
            "That is where the two sides of the inequality are equal. Half a rank there is not: which whole number is the first to fulfil it?",
        ),
        Neighbour(
            "ways for ranks",
            r"\frac{2}{$alpha}",
            lambda t: 2 / t.alpha,
            "So many ways there have to be. How many ranks give that many ways?",
        ),
        Neighbour(
            "one more than needed",
            r"1 + \min\{n : \frac{2}{2^n} \leq $alpha\}",
            lambda t: np.ceil(np.log2(2 / t.alpha)) + 1,
            "One less is enough already: what is 2 / 2^n there?",
        ),
    ),
    r"2\,P(W^- \leq $printed),\ \text{ranks } 1, \ldots, $row": (
        Neighbour(
            "exactly the entry",
            r"2\,P(W^- = $printed),\ \text{ranks } 1, \ldots, $row",
            lambda t: (
                2
                * (
                    float(RandomSigns(np.arange(1.0, t.row + 1)).at_most(t.printed))
                    - float(RandomSigns(np.arange(1.0, t.row + 1)).at_most(t.printed - 1))
                )
            ),
            "That is the probability of the entry alone. Whoever trusts it rejects for all smaller sums, too.",
        ),
    ),
    r"\#\{n : \text{printed} \neq \max\{w : P(W^- \leq w) \leq $column / 2\}\}": (
        Neighbour(
            "the right ones counted",
            r"21 - \#\{n : \text{printed wrong}\},\ $column",
            lambda t: (
                21
                - sum(RandomSigns(np.arange(1.0, n + 1)).low(t.column / 2) != cell for n, cell in zip(ROWS, PRINTED[t.column], strict=True))
            ),
            "Those are the entries that are right. How many are printed wrong?",
        ),
    ),
    r"$table \text{ with } u = 0,\ v = 1": (
        Neighbour(
            "both cells in which one is wrong",
            r"$table \text{ with } u \neq v",
            lambda t: float(np.asarray(t.table)[0, 1] + np.asarray(t.table)[1, 0]),
            "Those are all that one of the two gets wrong. Asked for are those that A gets wrong and B right.",
        ),
        Neighbour(
            "a share for the count",
            r"\frac{$table \text{ with } u = 0,\ v = 1}{N}",
            lambda t: np.asarray(t.table)[0, 1] / np.sum(t.table),
            "That is a share. Asked for is how many records they are.",
        ),
    ),
    r"\frac{$n10 - $n01}{$records}": (
        Neighbour(
            "a quotient for the difference",
            r"\frac{\sum_r $right_a}{\sum_r $right_b}",
            lambda t: np.mean(t.right_a) / np.mean(t.right_b),
            "You divided one accuracy by the other. Asked for is by how much A is above B: subtract.",
        ),
        Neighbour(
            "A's accuracy alone",
            r"\frac{1}{N} \sum_r $right_a",
            lambda t: np.mean(t.right_a),
            "That is A's accuracy alone. By how much is it above B's?",
        ),
        Neighbour(
            "B's accuracy alone",
            r"\frac{1}{N} \sum_r $right_b",
            lambda t: np.mean(t.right_b),
            "That is B's accuracy. By how much is A's above it?",
        ),
    ),
    "$n01 + $n10": (
        Neighbour(
            "all on which anyone is wrong",
            r"$records - \#\{\text{both right}\} \text{ of } $table",
            lambda t: t.records - int(np.asarray(t.table)[1, 1]),
            "You counted those that both get wrong as well. They have no winner.",
        ),
        Neighbour(
            "all records",
            r"$records",
            lambda t: t.records,
            "Those are all records. Discordant are those that exactly one of the two gets right.",
        ),
    ),
    r"\frac{(|$n01 - $n10| - 1)^2}{$n}": (
        Neighbour(
            "neither the coins nor the correction",
            r"\frac{($n01 - $n10)^2}{$records}",
            lambda t: (t.n01 - t.n10) ** 2 / t.records,
            "You divided by all records, and left the 1 out. Divide by the coins, and take 1 off before you square.",
        ),
        Neighbour(
            "1 taken off after squaring",
            r"\frac{($n01 - $n10)^2 - 1}{$n}",
            lambda t: ((t.n01 - t.n10) ** 2 - 1) / t.n,
            "You took the 1 off the square. It comes off the distance, before you square.",
        ),
    ),
    r"\frac{1}{$k} \sum_j $scores": (
        Neighbour(
            "the grand mean taken off already",
            r"\bar s_i - \bar s \text{ of } $scores",
            lambda t: t.scores.mean(1) - t.scores.mean(),
            "Those are the distances from the grand mean. Asked for are the means themselves.",
        ),
        Neighbour(
            "divided by the data sets",
            r"\frac{1}{n} \sum_j $scores",
            lambda t: t.scores.sum(1) / t.scores.shape[0],
            "You divided by the number of data sets. On each data set there is a score for each classifier.",
        ),
    ),
    r"\frac{1}{$n} \sum_i $scores": (
        Neighbour(
            "divided by the classifiers",
            r"\frac{1}{k} \sum_i $scores",
            lambda t: t.scores.sum(0) / t.scores.shape[1],
            "You divided by the number of classifiers. Each classifier has a score on each data set.",
        ),
        Neighbour(
            "n - 1 below a mean",
            r"\frac{1}{$n - 1} \sum_i $scores",
            lambda t: t.scores.sum(0) / (t.n - 1),
            "You divided by n - 1. That belongs to a variance; a mean divides by all n.",
        ),
    ),
    r"\frac{1}{$k} \sum_j $means": (
        Neighbour(
            "divided by the data sets only",
            r"\sum_j $means",
            lambda t: t.means.sum(),
            "You divided the sum of all scores by the number of data sets. There are k scores on each.",
        ),
        Neighbour(
            "divided by the classifiers only",
            r"\frac{$n}{$k} \sum_j $means",
            lambda t: t.n * t.means.sum() / t.k,
            "You divided the sum of all scores by the number of classifiers. Each has n of them.",
        ),
        Neighbour(
            "one less than there are",
            r"\frac{$n\,\sum_j $means}{$n $k - 1}",
            lambda t: t.n * t.means.sum() / (t.n * t.k - 1),
            "You divided by one less than there are. A mean divides by all.",
        ),
    ),
    r"$n \sum_j ($means - $grand_mean)^2": (
        Neighbour(
            "the grand mean not taken off",
            r"$n \sum_j $means^2",
            lambda t: t.n * (t.means**2).sum(),
            "You squared the means themselves. Take the grand mean off first: asked for is how far they lie from it.",
        ),
        Neighbour(
            "a variance for the sum",
            r"\frac{1}{$k - 1} \sum_j ($means - $grand_mean)^2",
            lambda t: ((t.means - t.grand_mean) ** 2).sum() / (t.k - 1),
            "That is the variance of the means. Asked for is a sum, over all entries of the table.",
        ),
        Neighbour(
            "times all scores",
            r"$n\,$k \sum_j ($means - $grand_mean)^2",
            lambda t: t.n * t.k * ((t.means - t.grand_mean) ** 2).sum(),
            "You multiplied with the number of all scores. Each mean stands n times in that table.",
        ),
    ),
    r"$k \sum_i ($dataset_means - $grand_mean)^2": (
        Neighbour(
            "not squared",
            r"$k \sum_i |$dataset_means - $grand_mean|",
            lambda t: t.k * abs(t.dataset_means - t.grand_mean).sum(),
            "You added the distances up without squaring them.",
        ),
        Neighbour(
            "a variance for the sum",
            r"\frac{1}{n - 1} \sum_i ($dataset_means - $grand_mean)^2",
            lambda t: ((t.dataset_means - t.grand_mean) ** 2).sum() / (len(t.dataset_means) - 1),
            "That is the variance of the means. Asked for is a sum, over all entries of the table.",
        ),
        Neighbour(
            "times all scores",
            r"n\,$k \sum_i ($dataset_means - $grand_mean)^2",
            lambda t: len(t.dataset_means) * t.k * ((t.dataset_means - t.grand_mean) ** 2).sum(),
            "You multiplied with the number of all scores. Each mean stands k times in that table.",
        ),
    ),
    "$scores - $dataset_means - $means + $grand_mean": (
        Neighbour(
            "the grand mean with the wrong sign",
            r"$scores - $dataset_means - $means - $grand_mean",
            lambda t: t.scores - t.dataset_means[:, np.newaxis] - t.means - t.grand_mean,
            "You took the grand mean off once more. It has been taken off twice, within either mean: put it back once.",
        ),
        Neighbour(
            "what is expected",
            r"$dataset_means + $means - $grand_mean",
            lambda t: t.dataset_means[:, np.newaxis] + t.means - t.grand_mean,
            "That is what data set and classifier account for. Asked for is what remains of the scores when it is taken off.",
        ),
        Neighbour(
            "without their signs",
            r"|$scores - $dataset_means - $means + $grand_mean|",
            lambda t: abs(t.scores - t.dataset_means[:, np.newaxis] - t.means + t.grand_mean),
            "You dropped the signs. With them the residuals of each line add up to 0.",
        ),
    ),
    r"\sum_{ij} $residuals^2": (
        Neighbour(
            "added up without squares",
            r"\sum_{ij} $residuals",
            lambda t: 0.0 * t.residuals.sum(),
            "The residuals themselves add up to 0, whatever the data. Square them first.",
        ),
        Neighbour(
            "the root of it",
            r"\sqrt{\sum_{ij} $residuals^2}",
            lambda t: np.sqrt((t.residuals**2).sum()),
            "You took the root. A sum of squares stays as it is.",
        ),
    ),
    "($k - 1) ($n - 1)": (
        Neighbour(
            "added for multiplied",
            r"($k - 1) + ($n - 1)",
            lambda t: t.k + t.n - 2,
            "You added. Cover the last line and the last column: what is left is a table, k - 1 times n - 1.",
        ),
        Neighbour(
            "those above",
            r"$k - 1",
            lambda t: t.k - 1,
            "Those are the degrees of freedom of the classifiers, which stand above.",
        ),
        Neighbour(
            "all residuals",
            r"$n\,$k",
            lambda t: t.n * t.k,
            "Those are all of them. In each line and each column they add up to 0, so that some follow from the others.",
            with_residuals,
        ),
    ),
    r"\frac{$ss_classifiers}{$df}": (
        Neighbour(
            "divided by the data sets",
            r"\frac{$ss_classifiers}{$n}",
            lambda t: t.ss_classifiers / t.n,
            "You divided by the number of data sets. Divide by how many of the classifiers' distances are free.",
        ),
        Neighbour(
            "divided by all scores",
            r"\frac{$ss_classifiers}{$n $k}",
            lambda t: t.ss_classifiers / (t.n * t.k),
            "You divided by the number of scores. Divide by how many of the classifiers' distances are free.",
        ),
    ),
    r"\frac{$ms_classifiers}{$ms_error}": (
        Neighbour(
            "the data sets' F",
            r"\frac{$ss_datasets / ($n - 1)}{$ms_error}",
            lambda t: t.ss_datasets / (t.n - 1) / t.ms_error,
            "That is the F of the data sets. The question is whether the classifiers differ.",
        ),
        Neighbour(
            "a difference for the quotient",
            r"$ms_classifiers - $ms_error",
            lambda t: t.ms_classifiers - t.ms_error,
            "You subtracted. F is a quotient: how many times as large?",
        ),
    ),
    r"P($null \geq $statistic)": (
        Neighbour(
            "chi-squared for F",
            r"P(\chi^2 \geq $statistic) \text{ in place of } $null",
            lambda t: ChiSquared(t.null.df).at_least(t.statistic),
            "That is the chi-squared curve. F has a second degree of freedom, since the mean square below was estimated, too.",
            of_null(FisherF),
        ),
    ),
    r"\sum_{ij} ($scores - $means)^2": (
        Neighbour(
            "a mean square for the sum",
            r"\frac{1}{n k - k} \sum_{ij} ($scores - $means)^2",
            lambda t: ((t.scores - t.means) ** 2).sum() / (t.scores.size - t.scores.shape[1]),
            "That is the mean square already. Asked for is the sum of squares, before it is divided.",
        ),
    ),
    r"\frac{12}{$n $k ($k^2 - 1)} \sum_{ij} \left($ranks - \frac{$k + 1}{2}\right)^2": (
        Neighbour(
            "not divided",
            r"\sum_{ij} \left($ranks - \frac{$k + 1}{2}\right)^2",
            lambda t: ((t.ranks - (t.k + 1) / 2) ** 2).sum(),
            "That is the sum of the squared distances. Divide it by what it would be without any tie.",
        ),
        Neighbour(
            "what it would be without ties",
            r"\frac{$n $k ($k^2 - 1)}{12}",
            lambda t: t.n * t.k * (t.k**2 - 1) / 12,
            "That is the sum without any tie. Yours is divided by it.",
        ),
    ),
    r"\frac{($n - 1)\,$chi_squared}{$n ($k - 1) - $chi_squared}": (
        Neighbour(
            "parentheses forgotten",
            r"\frac{($n - 1)\,$chi_squared}{$n} ($k - 1) - $chi_squared",
            lambda t: (t.n - 1) * t.chi_squared / t.n * (t.k - 1) - t.chi_squared,
            "Python divided by N alone. All that stands below the line belongs in parentheses.",
        ),
        Neighbour(
            "chi-squared by its degrees of freedom",
            r"\frac{$chi_squared}{$k - 1}",
            lambda t: t.chi_squared / (t.k - 1),
            "You divided chi-squared by its degrees of freedom. Iman and Davenport also look at how much of its largest value is missing.",
        ),
    ),
    r"\#\{i : $d > 0\}": (
        Neighbour(
            "all data sets",
            r"\#\{i : $d\}",
            lambda t: len(t.d),
            "Those are all data sets. On how many of them is A ahead?",
        ),
        Neighbour(
            "points for wins",
            r"\sum_i |$d|",
            lambda t: abs(t.d).sum(0),
            "You added points. The test only counts: by how much one wins does not matter.",
        ),
        Neighbour(
            "all that A does not win",
            r"\#\{i : $d \leq 0\}",
            lambda t: (t.d <= 0).sum(0),
            "Those are the ones that A does not win. On how many is A ahead?",
        ),
    ),
    "$wins + $losses": (
        Neighbour(
            "both columns",
            r"2 \cdot \#\{i : $d\}",
            lambda t: 2 * len(t.d),
            "You counted scores. A data set has two of them, and one winner at most.",
        ),
        Neighbour(
            "wins less losses",
            r"$wins - $losses",
            lambda t: t.wins - t.losses,
            "You took the losses off. A data set that B wins has a winner as well: add them.",
        ),
        Neighbour(
            "draws halved",
            r"$wins + $losses + \frac{1}{2} \#\{i : $d = 0\}",
            lambda t: t.wins + t.losses + (t.d == 0).sum(0) / 2,
            "You counted half of the draws. A draw has no winner: leave it out.",
        ),
        Neighbour(
            "a degree of freedom taken off",
            r"$wins + $losses - 1",
            lambda t: t.wins + t.losses - 1,
            "You took one off. Counting coins knows no degrees of freedom: all that have a winner count.",
        ),
        Neighbour(
            "the ways for the coins",
            r"2^{$wins + $losses}",
            lambda t: 2.0 ** (t.wins + t.losses),
            "That is in how many ways the coins may fall. How many coins are there?",
        ),
    ),
    r"\min\{1,\ 2\,P($null \leq $statistic)\}": (
        Neighbour(
            "the normal curve",
            r"2\,P\left(Z \geq \frac{|E - $statistic|}{s}\right),\ E,\ s \text{ of } $null",
            lambda t: 2 * Normal(0.0, 1.0).at_least(abs(t.statistic - _moments(t.null)[0]) / _moments(t.null)[1]),
            "That is the normal curve. With so few one can count exactly.",
        ),
        Neighbour(
            "ways for a share",
            r"2^{$n} \cdot 2\,P($null \leq $statistic)",
            lambda t: 2 * t.null.at_most(t.statistic) * 2.0**t.n,
            "Those are ways. A probability is their share of all ways: divide by 2 to the n.",
        ),
        Neighbour(
            "exactly this result",
            r"2\,P($null = $statistic)",
            lambda t: 2 * (t.null.at_most(t.statistic) - t.null.at_most(t.statistic - 0.5)),
            "That is the probability of exactly this result. Add those that are more extreme still.",
        ),
    ),
    r"\frac{$hits}{$seeds}": (
        Neighbour(
            "those that prove neither",
            r"\#\{s : |$mine| < $critical_value\} / $seeds",
            lambda t: (abs(t.mine) < t.critical_value).sum() / t.seeds,
            "That is the share that proves neither. Asked for is the share that proves A better.",
        ),
    ),
    r"\min\{m : 1 - (1 - $rate)^m \geq $chance\}": (
        Neighbour(
            "q for 1 - q",
            r"\left\lceil\frac{\log(1 - $chance)}{\log $rate}\right\rceil",
            lambda t: np.ceil(np.log(1 - t.chance) / np.log(t.rate)),
            "You put q where its opposite belongs: a single try misses with the probability 1 - q.",
        ),
        Neighbour(
            "one more than needed",
            r"1 + \min\{m : 1 - (1 - $rate)^m \geq $chance\}",
            lambda t: np.ceil(np.log(1 - t.chance) / np.log(1 - t.rate)) + 1,
            "One less is enough already: what is 1 - (1 - q)^m there?",
        ),
    ),
    r"\frac{$claimed_t}{\sqrt{1 + $n \cdot $test_train_ratio}}": (
        Neighbour(
            "of the first partition",
            r"\frac{$statistic}{\sqrt{1 + $n \cdot $test_train_ratio}}",
            lambda t: t.statistic / sqrt(1 + t.n * t.test_train_ratio),
            "That is the partition of the beginning. Asked for is the first of your seeds that proves A better.",
        ),
    ),
    "(1 - $rate)^{$halvings}": (
        Neighbour(
            "all of them",
            r"$rate^{$halvings}",
            lambda t: t.rate**t.halvings,
            "That is the probability that every one gives it. None means: each of them misses, with the probability 1 - q.",
        ),
        Neighbour(
            "rates added",
            r"1 - $halvings\,$rate",
            lambda t: 1 - t.halvings * t.rate,
            "You added the rates. Each try misses with the probability 1 - q, one after the other: multiply.",
        ),
        Neighbour(
            "seeds for halvings",
            r"(1 - $rate)^{$seeds}",
            lambda t: (1 - t.rate) ** t.seeds,
            "You took the seeds. It is the halvings that were looked at with this test.",
        ),
        Neighbour(
            "the level for q",
            r"(1 - $alpha)^{$halvings}",
            lambda t: (1 - t.alpha) ** t.halvings,
            "You took alpha. Suppose that it gives the wanted verdict as easily as the plain t does, with your q.",
        ),
        Neighbour(
            "one try",
            r"1 - $rate",
            lambda t: 1 - t.rate,
            "That is how likely a single one misses. There are as many as `halvings` says.",
        ),
    ),
    r"$records - \frac{$records}{$folds}": (
        Neighbour(
            "folds for records",
            r"$folds - 1",
            lambda t: t.folds - 1,
            "So many folds train. How many records are in them?",
        ),
        Neighbour(
            "a share for the records",
            r"\frac{$folds - 1}{$folds}",
            lambda t: (t.folds - 1) / t.folds,
            "That is the share that trains. How many records are that?",
        ),
        Neighbour(
            "one left out",
            r"$records - 1",
            lambda t: t.records - 1,
            "You left out one record. A fold holds N / K of them.",
        ),
    ),
    r"$train - \frac{$records}{$folds}": (
        Neighbour(
            "what is tested",
            r"2\,\frac{$records}{$folds}",
            lambda t: 2 * t.records / t.folds,
            "That is what the two splits test. In both training sets are all the others.",
        ),
        Neighbour(
            "folds for records",
            r"$folds - 2",
            lambda t: t.folds - 2,
            "So many folds are in both. How many records are in them?",
        ),
    ),
    r"(1 - $test_share)^2\,$records": (
        Neighbour(
            "what is tested",
            r"$test_share\,$records",
            lambda t: t.test_share * t.records,
            "That is what one split tests. Asked for is what trains in both.",
        ),
        Neighbour(
            "what both test",
            r"2\,$test_share\,$records",
            lambda t: 2 * t.test_share * t.records,
            "That is what the two splits test together. Asked for is what trains in both.",
        ),
        Neighbour(
            "a share for the records",
            r"(1 - $test_share)^2",
            lambda t: (1 - t.test_share) ** 2,
            "That is the share. How many records are that?",
        ),
    ),
    r"\sum_k ($d - $means)^2": (
        Neighbour(
            "not squared",
            r"|d_{i1} - d_{i2}| / 2 \text{ of } $d,\ $means",
            lambda t: abs(t.d[:, 0] - t.means),
            "That is how far either fold lies from their mean. Square it, and add the two up.",
        ),
        Neighbour(
            "around 0",
            r"\sum_k $d^2",
            lambda t: (t.d**2).sum(1),
            "You squared the differences themselves. Take the mean of their repetition off first.",
        ),
    ),
    r"\sqrt{\frac{1}{5} \sum_i $variances}": (
        Neighbour(
            "a sum for a root of the mean",
            r"\sum_i $variances",
            lambda t: t.variances.sum(),
            "That is the sum of the variances. Take their mean, and then the root.",
        ),
    ),
    r"$d \text{ with } i = 1,\ k = 1": (
        Neighbour(
            "the distance of the two folds",
            r"d_{11} - d_{12} \text{ of } $d",
            lambda t: t.d[0, 0] - t.d[0, 1],
            "You subtracted the two folds from each other. Each is a difference of A and B already: one of them stands on top.",
        ),
    ),
    r"\frac{\sqrt{10} \cdot \frac{1}{10} \sum_{ik} $d}{$se}": (
        Neighbour(
            "the first difference for the mean",
            r"\frac{\sqrt{10}\,d_{11}}{$se} \text{ of } $d",
            lambda t: sqrt(10) * t.d[0, 0] / t.se,
            "On top stands the first difference. Here it is the mean of all ten.",
        ),
    ),
    r"\frac{10}{1 + $rho1 + 8\,$rho2}": (
        Neighbour(
            "the partner counted twice",
            r"\frac{10}{1 + 2\,$rho1 + 8\,$rho2}",
            lambda t: 10 / (1 + 2 * t.rho1 + 8 * t.rho2),
            "You gave a table two partners. In a repetition there are two tables: one other.",
        ),
    ),
    r"\frac{\max\{0,\ |$n01_effective - $n10_effective| - 1\}^2}{$n01_effective + $n10_effective}": (
        Neighbour(
            "a product below",
            r"\frac{(|$n01_effective - $n10_effective| - 1)^2}{$n01_effective\,$n10_effective}",
            lambda t: (abs(t.n01_effective - t.n10_effective) - 1) ** 2 / (t.n01_effective * t.n10_effective),
            "You multiplied the two counts. Below stands how many discordant records there are: add them.",
        ),
    ),
    r"\frac{(|\sum_{jk} $n01 - \sum_{jk} $n10| - 1)^2}{\sum_{jk} $n01 + \sum_{jk} $n10}": (
        Neighbour(
            "divided by all records",
            r"\frac{(|\sum_{jk} $n01 - \sum_{jk} $n10| - 1)^2}{10\,$n_fold}",
            lambda t: (abs(t.n01.sum() - t.n10.sum()) - 1) ** 2 / (10 * t.n_fold),
            "You divided by all records. Divide by those that speak for either: the discordant ones.",
        ),
        Neighbour(
            "1 taken off the mean table",
            r"10 \cdot \frac{(|\bar n_{01} - \bar n_{10}| - 1)^2}{\bar n_{01} + \bar n_{10}} \text{ of } $n01,\ $n10",
            lambda t: 10 * (abs(t.n01.mean() - t.n10.mean()) - 1) ** 2 / (t.n01.mean() + t.n10.mean()),
            "You took the 1 off the mean table and multiplied afterwards. It comes off the table that is tested: the sum.",
        ),
    ),
    r"\sqrt{\frac{$size (1 - $size)}{$repetitions}}": (
        Neighbour(
            "half an interval",
            r"1.96 \sqrt{\frac{$size (1 - $size)}{$repetitions}}",
            lambda t: 1.96 * sqrt(t.size * (1 - t.size) / t.repetitions),
            "That is half of a confidence interval. Asked for is one standard error.",
        ),
    ),
    r"\frac{$observed - $alpha}{\sqrt{$alpha (1 - $alpha) / $others}}": (
        Neighbour(
            "alpha not taken off",
            r"\frac{$observed}{\sqrt{$alpha (1 - $alpha) / $others}}",
            lambda t: t.observed / sqrt(t.alpha * (1 - t.alpha) / t.others),
            "You measured how far the rate lies from 0. Take alpha off: it is the distance from there.",
        ),
    ),
    r"\sqrt{1 + \frac{$folds $rho}{1 - $rho}}": (
        Neighbour(
            "the spread of the mean",
            r"\sqrt{\frac{1}{$folds} + \frac{$folds - 1}{$folds}\,$rho}",
            lambda t: sqrt(1 / t.folds + (t.folds - 1) / t.folds * t.rho),
            "That is how far the mean strays. How many times as much is it as the test believes?",
        ),
    ),
    r"\frac{$alpha}{$most_true}": (
        Neighbour(
            "one too many",
            r"\frac{$alpha}{$most_true + 1}",
            lambda t: t.alpha / (np.asarray(t.most_true) + 1),
            "You shared by one too many on each rung. On the first one m hypotheses may be true, not m + 1.",
        ),
        Neighbour(
            "not shared at all",
            r"$alpha \text{ for each of } $most_true",
            lambda t: np.full(len(t.most_true), t.alpha),
            "That is the level itself. On a rung it is shared by all hypotheses that may still be true.",
        ),
    ),
    r"\min\{$most_true\,$sorted_pvalues,\ \tilde p_{(r + 1)}\}": (
        Neighbour(
            "the largest so far, from the last rung",
            r"\max\{$most_true\,$sorted_pvalues,\ \tilde p_{(r + 1)}\}",
            lambda t: np.minimum(1, np.maximum.accumulate((np.asarray(t.most_true) * t.sorted_pvalues)[::-1])[::-1]),
            "You let the number rise on the way back. Hochberg keeps the smallest so far.",
        ),
    ),
    r"\frac{$mean + $margin}{$se}": (
        Neighbour(
            "divided by n further up",
            r"\frac{$mean + $margin}{$se} \sqrt{\frac{n}{n - 1}},\ n \text{ the number of } $d",
            lambda t: (t.mean + t.margin) / (t.se * sqrt((len(t.d) - 1) / len(t.d))),
            "The standard deviation was divided by n further up.",
        ),
    ),
    r"\left(\frac{(z_{$alpha} + z_{$beta / 2})\,$sd}{$margin}\right)^2": (
        Neighbour(
            "the lower end for one of the two",
            r"\left(\frac{(z_{1 - $alpha} + z_{$beta / 2})\,$sd}{$margin}\right)^2",
            lambda t: ((Normal(0.0, 1.0).low(t.alpha) + Normal(0.0, 1.0).high(t.beta / 2)) * t.sd / t.margin) ** 2,
            "One of the two z has the wrong sign: z with index q has the probability q above it.",
        ),
    ),
    r"|$mean| + $critical_value\,$se": (
        Neighbour(
            "the margin that was agreed",
            r"$margin",
            lambda t: t.margin,
            "That is the margin that was agreed on. Asked for is the smallest at which your test would have rejected.",
        ),
    ),
    r"P($coins \geq $wins)": (
        Neighbour(
            "a share for the probability",
            r"\frac{$wins}{n} \text{ of } $coins",
            lambda t: t.wins / t.coins.n,
            "That is the share that A wins. How often would fair coins show so many heads, or more?",
        ),
    ),
    r"$records \cdot (100 - $accuracy_b) / 100": (
        Neighbour(
            "all errors of both",
            r"$records \cdot (200 - $accuracy_a - $accuracy_b) / 100",
            lambda t: np.rint(t.records * (200 - t.accuracy_a - t.accuracy_b) / 100),
            "Those are the errors of both. Where HEDGEROW is right and the other wrong, the other one errs: how often does it?",
        ),
        Neighbour(
            "percent for records",
            r"100 - $accuracy_b",
            lambda t: 100 - t.accuracy_b,
            "That is a percentage. How many of the records are that?",
        ),
    ),
    r"\mathrm{rank}\,|$d| \text{ without zeros}": (
        Neighbour(
            "ties all get the largest rank",
            r"\#\{j : 0 < |d_j| \leq |d_i|\} \text{ of } $d",
            lambda t: np.array([np.sum((abs(t.d) <= abs(x)) & (t.d != 0)) if x else 0 for x in t.d], float),
            "Equal sizes got the last of the places that they take up together. Let them share the mean of these places.",
        ),
        Neighbour(
            "ties all get the smallest rank",
            r"1 + \#\{j : 0 < |d_j| < |$d|\} \text{ without zeros}",
            lambda t: np.array([1 + np.sum((abs(t.d) < abs(x)) & (t.d != 0)) if x else 0 for x in t.d], float),
            "Equal sizes got the first of the places that they take up together. Let them share the mean of these places.",
        ),
        Neighbour(
            "no rank left out behind a tie",
            r"1 + \#\{\text{different sizes below } |d_i|\} \text{ of } $d",
            lambda t: np.array([1 + len({abs(y) for y in t.d if 0 < abs(y) < abs(x)}) if x else 0 for x in t.d], float),
            "After a tie you went on with the next number. The tied ones take up as many places as they are: the next one comes behind all of them.",
        ),
        Neighbour(
            "argsort for ranks",
            r"\mathrm{argsort}\,|$d|",
            lambda t: np.argsort(abs(np.asarray(t.d)), kind="stable").astype(float),
            "That is argsort: it says which data set stands first, second, ... Asked for is which place each of them has.",
        ),
    ),
    r"\#\{i : $d \neq 0\}": (
        Neighbour(
            "wins of A only",
            r"\#\{i : $d > 0\}",
            lambda t: (t.d > 0).sum(0),
            "Those are the data sets on which A wins. Those on which B wins get a rank, too.",
        ),
        Neighbour(
            "a degree of freedom taken off",
            r"\#\{i : $d \neq 0\} - 1",
            lambda t: (t.d != 0).sum(0) - 1,
            "You took one more off. Ranks know no degrees of freedom.",
        ),
    ),
    r"\sum_{$d > 0} $ranks": (
        Neighbour(
            "the difference of the sums",
            r"\sum_{$d > 0} $ranks - \sum_{$d < 0} $ranks",
            lambda t: t.ranks[t.d > 0].sum() - t.ranks[t.d < 0].sum(),
            "You took the sum of the others off. Asked for is the sum of A's ranks alone.",
        ),
        Neighbour(
            "a mean for the sum",
            r"\frac{1}{n^+} \sum_{$d > 0} $ranks",
            lambda t: t.ranks[t.d > 0].mean(),
            "That is the mean of A's ranks. Add them up.",
        ),
    ),
    r"\sum_{$d < 0} $ranks": (
        Neighbour(
            "a mean for the sum",
            r"\frac{1}{n^-} \sum_{$d < 0} $ranks",
            lambda t: t.ranks[t.d < 0].mean(),
            "That is the mean of B's ranks. Add them up.",
        ),
    ),
    "$a - $b": (
        Neighbour(
            "sum for difference",
            r"$a + $b",
            lambda t: t.a + t.b,
            "You added. Subtract: by how much is A ahead?",
        ),
        Neighbour(
            "each column sorted first",
            r"\text{sorted } $a - \text{sorted } $b",
            lambda t: np.sort(t.a, axis=0) - np.sort(t.b, axis=0),
            "You sorted each column first. Then scores of different data sets stand beside each other: the pairs are lost.",
        ),
        Neighbour(
            "shares of B",
            r"\frac{$a - $b}{$b}",
            lambda t: (t.a - t.b) / t.b,
            "You divided by the scores of B. The test works with the plain differences.",
        ),
    ),
    r"\sqrt{\frac{1}{$n - 1} \sum_i ($d - $mean)^2}": (
        Neighbour(
            "not divided",
            r"\sqrt{\sum_i ($d - $mean)^2}",
            lambda t: sqrt(((t.d - t.mean) ** 2).sum(0)),
            "You took the root of the sum. Divide by n - 1 first.",
        ),
        Neighbour(
            "the range",
            r"\max_i $d - \min_i $d",
            lambda t: np.ptp(t.d, axis=0),
            "That is the range, from the smallest to the largest. A standard deviation tells how far they typically lie from their mean.",
        ),
        Neighbour(
            "of all scores",
            r"s \text{ of all } $a,\ $b",
            lambda t: np.concatenate([t.a, t.b]).std(0, ddof=1),
            "That is the spread of all scores. Asked for is that of the differences, which forget what is hard for both.",
        ),
    ),
    "$n - 1": (
        Neighbour(
            "both columns",
            r"2\,$n - 1",
            lambda t: 2 * t.n - 1,
            "You counted both columns. There are n differences.",
        ),
    ),
    r"\frac{-$rope - $mean}{$scale}": (
        Neighbour(
            "the upper end for the lower",
            r"\frac{$rope - $mean}{$scale}",
            lambda t: (t.rope - t.mean) / t.scale,
            "That is the upper end of the rope. The lower one lies as far below 0.",
        ),
        Neighbour(
            "not divided by the scale",
            r"-$rope - $mean",
            lambda t: -t.rope - t.mean,
            "That is the distance in the unit of the scores. Divide it by the scale of the posterior.",
        ),
    ),
    r"\frac{$rope - $mean}{$scale}": (
        Neighbour(
            "the lower end for the upper",
            r"\frac{-$rope - $mean}{$scale}",
            lambda t: (-t.rope - t.mean) / t.scale,
            "That is the lower end of the rope. The upper one lies as far above 0.",
        ),
        Neighbour(
            "not divided by the scale",
            r"$rope - $mean",
            lambda t: t.rope - t.mean,
            "That is the distance in the unit of the scores. Divide it by the scale of the posterior.",
        ),
    ),
    "1 - $below - $above": (
        Neighbour(
            "what lies outside the rope",
            r"$below + $above",
            lambda t: t.below + t.above,
            "That is all that lies outside the rope. Asked for is what lies within: the rest.",
        ),
    ),
}
