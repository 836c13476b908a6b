"""What goes wrong: the right test with one wrong step each."""

from __future__ import annotations

from typing import Any

from ...grading.mistake import slip
from .. import shared
from .steps import LOONEY, ONE_WAY, REPEATED, BothAnalyses


@slip(BothAnalyses, "ss_classifiers", r"\sum_j ($means - $grand_mean)^2", "the number of data sets is missing", ONE_WAY)
def n_times_missing(test: BothAnalyses) -> Any:
    """The number of data sets is missing in front. Each mean stands for as many scores as there are data sets, and every
    one of these scores counts; otherwise this sum cannot be set beside those of the single scores.
    """
    return ((test.means - test.grand_mean) ** 2).sum()


@slip(BothAnalyses, "ss_classifiers", r"\frac{$n}{$k} \sum_j ($means - $grand_mean)^2", "variance for the sum of squares", ONE_WAY)
def variance_for_sum(test: BothAnalyses) -> Any:
    """That comes from a variance of the means (or a standard deviation, squared), which is divided already. A sum of
    squares is only a sum; the division comes later, in a line of its own, by the degrees of freedom.
    """
    return test.n * ((test.means - test.grand_mean) ** 2).sum() / test.k


@slip(BothAnalyses, "ss_classifiers", r"$k \sum_j ($means - $grand_mean)^2", "k for N in front", ONE_WAY)
def other_number_in_front(test: BothAnalyses) -> Any:
    """You put the number of classifiers in front. Write the imagined table down: how often does the mean of one classifier
    stand in it? Once for each data set.
    """
    return test.k * ((test.means - test.grand_mean) ** 2).sum()


@slip(BothAnalyses, "ss_datasets", r"\sum_i ($dataset_means - $grand_mean)^2", "the number of classifiers is missing", REPEATED)
def k_times_missing(test: BothAnalyses) -> Any:
    """The number of classifiers is missing in front. In the imagined table the mean of a data set stands once for each
    classifier, and every entry counts.
    """
    return ((test.dataset_means - test.grand_mean) ** 2).sum()


@slip(BothAnalyses, "ss_datasets", r"$n \sum_i ($dataset_means - $grand_mean)^2", "N for k in front", REPEATED)
def other_number_in_front_of_datasets(test: BothAnalyses) -> Any:
    """You put the number of data sets in front, as for the classifiers. Here the mean of one data set fills a line of the
    imagined table: how many entries has a line?
    """
    return test.n * ((test.dataset_means - test.grand_mean) ** 2).sum()


@slip(BothAnalyses, "residuals", "$scores - $means", "data sets not taken out", REPEATED, only=("q6", "q7", "q11", "q12"))
def datasets_left_in(test: BothAnalyses) -> Any:
    """You took only the classifier's mean away. That some data sets are easy and some are hard is still in your residuals,
    and would count as chance. It is what the one-way analysis does; here the same data sets were used for all, so take
    their means out, too.
    """
    return test.scores - test.means


@slip(BothAnalyses, "residuals", "$scores - $grand_mean", "total for error", REPEATED, only=("q6", "q7", "q11", "q12"))
def total_for_error(test: BothAnalyses) -> Any:
    """You took only the grand mean away. Squared and summed, these distances are the total, of which classifiers and data
    sets have a share each; the error is what these two leave.
    """
    return test.scores - test.grand_mean


@slip(
    BothAnalyses,
    "residuals",
    "$scores - $dataset_means - $means",
    "the grand mean taken away twice",
    REPEATED,
    only=("q6", "q7", "q11", "q12"),
)
def grand_mean_not_put_back(test: BothAnalyses) -> Any:
    """Both means that you took away hold the grand mean, so it went twice: put it back once. Residuals add up to 0 in
    every line and every column; yours do not, which is a check worth keeping.
    """
    return test.scores - test.dataset_means[:, None] - test.means


@slip(BothAnalyses, "df", "$k", "k degrees of freedom", REPEATED, only=("q8", "q10", "q12", "q13", "q14"))
def degrees_k(test: BothAnalyses) -> Any:
    """The distances of the classifiers' means from the grand mean add up to 0, so that the last one follows from the
    others. One degree of freedom fewer than there are classifiers.
    """
    return test.k


@slip(BothAnalyses, "df", "$n - 1", "degrees of freedom of the data sets", REPEATED, only=("q8", "q10", "q12"))
def degrees_of_datasets(test: BothAnalyses) -> Any:
    """Those are the degrees of freedom of the data sets. Above stands the spread of the classifiers: count their means,
    and think of what their distances from the grand mean add up to.
    """
    return test.n - 1


@slip(BothAnalyses, "df_error", "$k ($n - 1)", "degrees of freedom of the one-way analysis", REPEATED)
def error_degrees_of_one_way(test: BothAnalyses) -> Any:
    """Those are the degrees of freedom of the one-way analysis. You took the means of the data sets out, and they cost
    degrees of freedom as well.
    """
    return test.k * (test.n - 1)


error_degrees_of_library = shared.degrees_with_all_data_sets.on(
    BothAnalyses,
    "N for N - 1 degrees of freedom",
    LOONEY,
    """One factor is too large (a library has made the same slip). The residuals add up to 0 in every line and in every
    column: one is lost in both directions, not only in one.
    """,
)


@slip(BothAnalyses, "df_error", r"$k\,$n - 1", "degrees of freedom of all scores", REPEATED, only=("q9", "q11", "q12"))
def error_degrees_of_all(test: BothAnalyses) -> Any:
    """Those are the degrees of freedom of all scores together. The classifiers and the data sets have taken theirs out of
    them; what remains belongs to the residuals.
    """
    return test.k * test.n - 1


@slip(BothAnalyses, "ms_classifiers", "$ss_classifiers", "sum of squares for the mean square", ONE_WAY)
def sum_for_mean_square(test: BothAnalyses) -> Any:
    """That is still the sum of squares. A sum grows with the number of terms; only divided by its degrees of freedom can
    it be compared with another one.
    """
    return test.ss_classifiers


@slip(BothAnalyses, "ms_error", "$ss_error", "sum of squares for the mean square of the error", REPEATED, only=("q11", "q12"))
def error_sum_for_mean_square(test: BothAnalyses) -> Any:
    """That is still the sum of the squared residuals. Divide it by the number of residuals that are free; only then is it
    the mean square of the error.
    """
    return test.ss_error


@slip(BothAnalyses, "statistic", r"\frac{$ms_error}{$ms_classifiers}", "F upside down", ONE_WAY)
def upside_down(test: BothAnalyses) -> Any:
    """Your fraction stands on its head. What you look for, the spread of the classifiers, goes on top; chance, by which it
    is measured, goes below. Large must speak against the null hypothesis.
    """
    return test.ms_error / test.ms_classifiers


@slip(BothAnalyses, "statistic", r"\frac{$ss_classifiers}{$ss_error}", "F of sums of squares", REPEATED)
def sums_for_mean_squares(test: BothAnalyses) -> Any:
    """You divided one sum of squares by the other. They have different numbers of free terms; F compares mean squares."""
    return test.ss_classifiers / test.ss_error


degrees_swapped = shared.degrees_swapped.on(
    BothAnalyses,
    "degrees of freedom exchanged",
    REPEATED,
    """The degrees of freedom are exchanged. The first number belongs to the numerator of F, the classifiers, the second to
    the denominator, the error; the two curves are quite different.
    """,
)


critical_value_of_two_tails = shared.half_alpha_above.on(
    BothAnalyses,
    "critical value of two tails",
    ONE_WAY,
    """You cut off half of alpha, as for a two-sided t-test. The squares in F have turned every difference, of whatever
    sign, into a large F: all of alpha belongs to the upper end.
    """,
)


@slip(BothAnalyses, "critical_value", r"\max\{x : P($null \leq x) \leq $alpha\}", "critical value at the lower end", ONE_WAY)
def lower_critical_value(test: BothAnalyses) -> Any:
    """That is the lower end of the F distribution: only few values of F lie below it. Large values speak against the null
    hypothesis, so look for the point with 5 % of the area above it.
    """
    return test.null.low(test.alpha)


wrong_side = shared.lower_tail.on(
    BothAnalyses,
    "the area on the wrong side",
    ONE_WAY,
    """That is the area to the left of your F. Large values speak against the null hypothesis: the p-value is the area from
    F upwards, what is left of 1 (in scipy, `sf` and not `cdf`).
    """,
)


both_tails = shared.both_tails.on(
    BothAnalyses,
    "p-value of two tails",
    ONE_WAY,
    """You doubled the probability, as a two-sided t-test does. The squares in F have turned every difference, of whatever
    sign, into a large F: the upper tail alone is the p-value.
    """,
)


@slip(BothAnalyses, "ss_within", r"\sum_{ij} $residuals^2", "data sets taken out", ONE_WAY)
def datasets_taken_out_here(test: BothAnalyses) -> Any:
    """That is the error of the repeated-measures analysis again. The one-way analysis knows nothing of data sets: for it a
    score strays from the mean of its classifier, and that is all.
    """
    return (test.residuals**2).sum()


@slip(BothAnalyses, "df_within", "($k - 1) ($n - 1)", "degrees of freedom of the repeated-measures analysis", ONE_WAY)
def degrees_of_the_other(test: BothAnalyses) -> Any:
    """You divided the sum within by the degrees of freedom of the other analysis. Here no means of data sets were taken
    out, so none has to be paid for: all scores, less one for each classifier.
    """
    return (test.k - 1) * (test.n - 1)


@slip(BothAnalyses, "one_way", r"\frac{$ms_classifiers}{$ss_within}", "sum of squares within not divided", ONE_WAY)
def within_not_divided(test: BothAnalyses) -> Any:
    """You divided the mean square of the classifiers by the whole sum of squares within. Below, too, belongs a mean
    square: divide that sum by its degrees of freedom first.
    """
    return test.ms_classifiers / test.ss_within


@slip(BothAnalyses, "one_way", r"\frac{$ms_classifiers}{$ms_error}", "F of the repeated-measures analysis", ONE_WAY)
def same_as_repeated(test: BothAnalyses) -> Any:
    """That is the F of the repeated-measures analysis again. For the one-way analysis chance is all the spread within the
    columns, data sets and all: put the mean square within below.
    """
    return test.ms_classifiers / test.ms_error
