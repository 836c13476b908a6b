"""What goes wrong: the right test with one wrong step each."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import sqrt

from ....core.rank import ranks_in_rows
from ....distributions.continuous import ChiSquared, Normal
from ....distributions.studentized_range import StudentizedRange
from ....procedures.multiple.iman_davenport import ImanDavenport
from ...grading.mistake import slip
from .. import shared
from .steps import CHI_SQUARED, IMAN, MEAN_RANKS, NEMENYI, RANKS, TIES, ByCriticalDifference


@slip(ImanDavenport, "ranks", r"\mathrm{rank}_j($scores)", "ranks upside down", RANKS, only=("q1", "q2"))
def upside_down(test: ImanDavenport) -> Any:
    """You gave rank 1 to the lowest score. Here scores are accuracies and rank 1 belongs to the best. The statistics would
    not notice, but your best classifier would be the worst one.
    """
    return ranks_in_rows(-test.scores)


@slip(ImanDavenport, "ranks", r"\mathrm{rank}_i(-$scores)", "ranks by column", RANKS, only=("q1", "q2"))
def by_column(test: ImanDavenport) -> Any:
    """You ranked the data sets within each classifier. That says which data set is easy; to compare classifiers, rank them
    against each other, line by line, within one data set.
    """
    return ranks_in_rows(test.scores.T).T


@slip(
    ImanDavenport,
    "ranks",
    r"\mathrm{rank}_j(-$scores) \text{, ties in the order of the columns}",
    "ties not averaged",
    RANKS,
    only=("q1", "q2"),
)
def in_order_of_appearance(test: ImanDavenport) -> Any:
    """Where scores tie, you let the one further left have the better rank. Nothing but the order of the columns speaks for
    it; equal scores share the mean of the ranks that they take up together.
    """
    return (np.argsort(np.argsort(-test.scores, axis=1, kind="stable"), axis=1) + 1).astype(float)


@slip(
    ImanDavenport,
    "ranks",
    r"1 + \#\{l : s_{il} > s_{ij}\} \text{ of } $scores",
    "the best rank for all that tie",
    RANKS,
    only=("q1", "q2"),
)
def best_for_all(test: ImanDavenport) -> Any:
    """Where scores tie, you gave all of them the best of their ranks, as in sports. Then the ranks of a data set no longer
    add up to 1 + 2 + ... + k; equal scores share the mean of the ranks that they take up together.
    """
    return 1.0 + (test.scores[:, None] > test.scores[:, :, None]).sum(2)


@slip(
    ImanDavenport,
    "ranks",
    r"1 + \#\{\text{different } s_{il} > s_{ij}\} \text{ of } $scores",
    "no rank left out behind a tie",
    RANKS,
    only=("q1", "q2"),
)
def no_rank_left_out(test: ImanDavenport) -> Any:
    """Behind a tie you went on with the very next rank, as if the classifiers that tie took up one place together. They
    take up as many places as they are: give all of them the mean of these, and go on behind.
    """
    return np.array([1.0 + (np.unique(line)[:, None] > line).sum(0) for line in test.scores])


@slip(ImanDavenport, "mean_ranks", "$rank_sums", "rank sums for mean ranks", MEAN_RANKS, only=("q2", "q4", "q5"))
def sums_of_ranks(test: ImanDavenport) -> Any:
    """Those are the sums of the ranks. Divide by the number of data sets: a mean rank lies between 1 and k, and can be
    compared from study to study.
    """
    return test.rank_sums


@slip(
    ImanDavenport,
    "chi_squared",
    r"\frac{12\,$n}{$k ($k + 1)} \sum_j \left($mean_ranks - \frac{$k + 1}{2}\right)^2",
    "no tie correction",
    TIES,
)
def ties_not_corrected(test: ImanDavenport) -> Any:
    """You left the tie correction out. Tied ranks have less room to spread, so the same statistic means more: divide by C,
    the share of the spread that is left.
    """
    return 12 * test.n / (test.k * (test.k + 1)) * ((test.mean_ranks - (test.k + 1) / 2) ** 2).sum()


@slip(
    ImanDavenport,
    "chi_squared",
    r"$tie_correction \frac{12\,$n}{$k ($k + 1)} \sum_j \left($mean_ranks - \frac{$k + 1}{2}\right)^2",
    "times the tie correction",
    TIES,
    only=("q4", "q5"),
)
def times_the_correction(test: ImanDavenport) -> Any:
    """You multiplied by the tie correction. That makes the statistic smaller, but with less room to spread the same
    distances mean more: divide by C, the share of the spread that is left.
    """
    return test.tie_correction * 12 * test.n / (test.k * (test.k + 1)) * ((test.mean_ranks - (test.k + 1) / 2) ** 2).sum()


@slip(
    ImanDavenport,
    "chi_squared",
    r"\frac{12\,$n}{$k ($k + 1)\,$tie_correction} \sum_j $mean_ranks^2",
    "the middle rank not taken away",
    CHI_SQUARED,
    only=("q4", "q5"),
)
def middle_not_taken_away(test: ImanDavenport) -> Any:
    """You squared the mean ranks themselves. They are large even if all classifiers are alike; what counts is how far they
    lie from the middle rank, so take (k + 1) / 2 away before you square.
    """
    return 12 * test.n / (test.k * (test.k + 1) * test.tie_correction) * (test.mean_ranks**2).sum()


@slip(ImanDavenport, "statistic", "$chi_squared", "chi-squared for F", IMAN)
def chi_squared_for_f(test: ImanDavenport) -> Any:
    """That is still Friedman's chi-squared. Iman and Davenport put it in relation to the largest value that it could have,
    N (k - 1); only this quotient follows an F distribution.
    """
    return test.chi_squared


@slip(ImanDavenport, "statistic", r"\frac{$n\,$chi_squared}{$n ($k - 1) - $chi_squared}", "N for N - 1 in F", IMAN)
def n_for_n_minus_one(test: ImanDavenport) -> Any:
    """You multiplied by the number of data sets. Iman and Davenport's formula has one fewer on top; only below stand all
    of them.
    """
    return test.n * test.chi_squared / (test.n * (test.k - 1) - test.chi_squared)


degrees_with_all_datasets = shared.degrees_with_all_data_sets.on(
    ImanDavenport,
    "N for N - 1 data sets",
    IMAN,
    """You multiplied by the number of data sets. Below stands how much the data sets disagree with the mean ranks, and
    these were found from the same data sets: that costs one of them, as it does in a variance.
    """,
)


@slip(ImanDavenport, "null", r"\chi^2_{$df}", "chi-squared curve for F", IMAN)
def chi_squared_curve(test: ImanDavenport) -> Any:
    """That comes from the chi-squared curve, which belongs to Friedman's statistic. For Iman and Davenport's F look it up
    in the F distribution, with both degrees of freedom.
    """
    return ChiSquared(test.df)


degrees_swapped = shared.degrees_swapped.on(
    ImanDavenport,
    "degrees of freedom exchanged",
    IMAN,
    """The degrees of freedom are exchanged. The first number, the smaller one here, belongs to the classifiers, the second
    to the disagreement of the data sets; the two curves are quite different.
    """,
)


critical_value_of_two_tails = shared.half_alpha_above.on(
    ImanDavenport,
    "critical value of two tails",
    IMAN,
    """You cut off half of alpha, as for a two-sided t-test. Every difference of mean ranks, of whatever sign, makes F
    large: all of alpha belongs to the upper end.
    """,
)


wrong_side = shared.lower_tail.on(
    ImanDavenport,
    "the area on the wrong side",
    IMAN,
    """That is the area to the left of your F. Large values speak against the null hypothesis: the p-value is the area from
    F upwards, what is left of 1 (in scipy, `sf` and not `cdf`).
    """,
)


both_tails = shared.both_tails.on(
    ImanDavenport,
    "p-value of two tails",
    IMAN,
    """You doubled the probability, as a two-sided t-test does. Every difference of mean ranks, of whatever sign, makes F
    large: the upper tail alone is the p-value.
    """,
)


@slip(ImanDavenport, "pvalue", r"P(\chi^2_{$df} \geq $chi_squared)", "p-value of chi-squared", IMAN)
def pvalue_of_chi_squared(test: ImanDavenport) -> Any:
    """That is the p-value of Friedman's chi-squared. It is a little too cautious, which is why you went on to F: take the
    area to the right of your F under the F distribution.
    """
    return ChiSquared(test.df).at_least(test.chi_squared)


root_of_two_missing = shared.alpha_above.on(
    ByCriticalDifference,
    "q not divided by the square root of 2",
    NEMENYI,
    """That is the studentized range as its own tables have it. It is measured in standard errors of one mean rank, while
    the formula of the critical difference wants those of a difference of two: divide by the square root of 2.
    """,
    only=("q10", "q11"),
    step="q_alpha",
)


@slip(ByCriticalDifference, "null", r"q_{$k - 1,\ \infty}", "k - 1 for k", NEMENYI, only=("q10", "q11"))
def k_minus_one_for_k(test: ByCriticalDifference) -> Any:
    """You looked up k - 1. The range is that of all k mean ranks, from the best one to the worst: look up k, the number of
    classifiers. (k - 1 belongs to comparisons with a control.)
    """
    return StudentizedRange(int(test.k) - 1)


@slip(ByCriticalDifference, "q_alpha", "z_{1 - $alpha / ($k ($k - 1))}", "Bonferroni for Nemenyi", NEMENYI, only=("q10", "q11"))
def bonferroni_for_range(test: ByCriticalDifference) -> Any:
    """That is Bonferroni's normal quantile: alpha shared by all pairs. It keeps the level, but is stricter than necessary,
    since the pairs share their classifiers. Nemenyi's test knows the largest distance exactly: take the studentized
    range.
    """
    return Normal(0.0, 1.0).high(test.alpha / (test.k * (test.k - 1)))


@slip(ByCriticalDifference, "q_alpha", "z_{1 - $alpha / 2}", "the quantile of a single pair", NEMENYI, only=("q10",))
def quantile_of_one_pair(test: ByCriticalDifference) -> Any:
    """That is the normal quantile for one single pair, chosen beforehand. Here all pairs are looked at, and the largest
    distance is found among them, which is larger by chance alone: take the studentized range of all classifiers.
    """
    return Normal(0.0, 1.0).high(test.alpha / 2)


@slip(
    ByCriticalDifference,
    "cd",
    r"$q_alpha \frac{$k ($k + 1)}{6\,$n}",
    "the root of the critical difference is missing",
    NEMENYI,
    only=("q11",),
)
def no_root(test: ByCriticalDifference) -> Any:
    """The square root is missing. What stands under it is a variance, the square of a distance; a critical difference is a
    distance of mean ranks.
    """
    return test.q_alpha * test.k * (test.k + 1) / (6 * test.n)


@slip(ByCriticalDifference, "cd", r"$q_alpha \sqrt{\frac{$k ($k + 1)}{$n}}", "N for 6 N", NEMENYI, only=("q11",))
def six_missing(test: ByCriticalDifference) -> Any:
    """The 6 below the root is missing: you divided by the number of data sets only. It comes from the variance of a rank,
    and from the two mean ranks that stand in a difference.
    """
    return test.q_alpha * sqrt(test.k * (test.k + 1) / test.n)


@slip(ByCriticalDifference, "cd", r"$q_alpha \sqrt{\frac{$k ($k - 1)}{6\,$n}}", "k - 1 for k + 1", NEMENYI, only=("q11",))
def k_minus_one_for_k_plus_one(test: ByCriticalDifference) -> Any:
    """You wrote k - 1 where k + 1 stands. Below the root stands the variance of a difference of two mean ranks, and ranks
    from 1 to k have the variance (k - 1)(k + 1) / 12; the k - 1 has been cancelled already.
    """
    return test.q_alpha * sqrt(test.k * (test.k - 1) / (6 * test.n))


@slip(ByCriticalDifference, "reject", "|$differences| < $cd", "joined read as different", NEMENYI)
def joined_for_different(test: ByCriticalDifference) -> Any:
    """You marked the pairs that lie closer together than the critical difference. Those are the ones that the test does
    not tell apart; a difference is shown where the distance is at least as large.
    """
    return abs(test.differences) < test.cd
