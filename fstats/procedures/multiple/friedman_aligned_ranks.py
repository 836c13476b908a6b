"""Friedman aligned-ranks test."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

import numpy as np

from ...core.numerics.average_ranks import average_ranks
from ...core.numerics.floating_point_ties import TIE_NOISE, absolute_noise, round_noise_to_zero, unify_ties
from ...core.numerics.zero_division import ratio
from ...core.step import input_field, step
from ...core.validation import check, tables
from ...core.validation.stated_value_consistency import check_sum, check_upper_bound
from ...core.value_types import Array, ScoresLike, Value
from ...distributions.continuous_distributions import ChiSquared
from .friedman import Friedman
from .many_classifiers import SCORES, Omnibus, RankProcedure, RankTable, descending_rank_formula


class AlignedRanking(RankProcedure):
    """Aligned ranks: the mean of each data set is subtracted from its scores, and all k N aligned scores are ranked together."""

    scores: ScoresLike = input_field("s_{ij}", SCORES, over="ij", check=tables.score_table, unit="score")
    labels: Any = input_field(r"\text{label}_j", "Name of each classifier.", over="j", default=None)

    @step(r"\bar s_i", r"\frac{1}{k} \sum_j $scores", over="i", unit="score")
    def dataset_means(self) -> Array:
        """Mean score of all classifiers on each data set (high on easy data sets)."""
        return self.scores.mean(1)

    @step("a_{ij}", "$scores - $dataset_means", over="ij", unit="score")
    def aligned(self) -> Array:
        """Aligned scores: each score minus the mean score of the data set; scores that differ only by rounding noise are set equal."""
        noise = np.maximum(absolute_noise(self.scores, axis=(0, 1)), TIE_NOISE * np.abs(self.scores).max((0, 1)))
        a = round_noise_to_zero(self.scores - self.dataset_means[:, None], noise, 1.0)
        return unify_ties(a.reshape(-1, *a.shape[2:]), noise).reshape(a.shape)

    @step(r"\hat r_{ij}", descending_rank_formula("{ij}", "aligned"), by="higher_is_better", over="ij", check=tables.rank_table)
    def ranks(self) -> Array:
        """Rank of each aligned score among all aligned scores, 1 = best; equal scores share the mean of their ranks."""
        a = -self.aligned if self.higher_is_better else self.aligned
        return average_ranks(a.reshape(-1, *a.shape[2:])).reshape(a.shape)

    n = RankTable.n
    k = RankTable.k

    @step(r"\hat R_i", r"\sum_j $ranks", over="i", check=check.nonnegative)
    def dataset_sums(self) -> Array:
        """Sum of the aligned ranks on each data set; alignment makes the sums of all data sets nearly equal."""
        return self.ranks.sum(1)

    rank_sums = RankTable.rank_sums.restated("Sum of the ranks of each classifier over the data sets.", symbol=r"\hat R_j")

    mean_ranks = RankTable.mean_ranks.restated("Mean aligned rank of each classifier, from 1 to k N; the lowest is the best.")


class FriedmanAligned(AlignedRanking, Omnibus):
    r"""Friedman aligned-ranks test: do k classifiers differ over the same N independent data sets?

    Origin: published, Hodges and Lehmann (1962).

    The test assumes that score differences are comparable across data sets.

    The mean score on a data set is subtracted from each score on this data set.  All k N aligned scores are ranked together, 1 = best.  An
    aligned rank also compares a score with the scores on *other* data sets.  Friedman's ranks from 1 to k only compare scores on the same
    data set.  If there are only a few classifiers, comparisons across data sets contribute much of the information about their differences.
    Under H0 every rank sum :math:`\hat R_j` is near N (k N + 1)/2.  The statistic

    .. math:: T = \frac{(k - 1) \sum_j \left(\hat R_j - \frac{N (k N + 1)}{2}\right)^2}
                       {\sum_{ij} \hat r_{ij}^2 - \frac{1}{k} \sum_i \hat R_i^2}

    is compared with the chi-squared distribution with k - 1 degrees of freedom.

    Parameters
    ----------
    scores : array_like or DataFrame, shape (N, k) or (N, k, ...)
        Scores of k >= 2 classifiers (columns) on N >= 2 data sets (rows).  The unit must be the same on all data sets, because
        differences are compared across data sets.  Further axes are independent repetitions.
    ties : {"correct", "ignore"}
        "correct" uses the squares of the observed ranks.  "ignore" uses the squares of 1, ..., k N, as in the formula of Garcia and
        others, and makes T too small if aligned scores are tied.
    labels, higher_is_better, metric, alternative, alpha
        See :class:`fstats.Friedman`; the test is always one-tailed.

    Notes
    -----
    With ``ties="correct"``, T is the spread of the rank sums divided by the variance that the rank sums have if the aligned ranks of each
    data set are assigned to the classifiers at random (Hodges and Lehmann).  Aligned scores that differ only by rounding noise are tied.
    The tolerance for ties is 64 units in the last place of the largest score of the table, in float32 4 units.  If all ranks are tied, T
    = 0 and p = 1.

    The effect size is T divided by the maximum of T: 0 if the rank sums are equal, 1 if all data sets hold the same ranks.  To find out
    which classifiers differ, use a post hoc procedure such as ``fstats.Holm.from_test(fstats.FriedmanAligned(scores))``; such a procedure
    tests the pairs with :class:`fstats.PairwiseAligned`.

    Raises
    ------
    ValueError, TypeError
        As for :class:`fstats.Friedman`.

    References
    ----------
    Hodges and Lehmann (1962), Rank methods for combination of independent experiments in analysis of variance, Annals of
    Mathematical Statistics 33, pages 482 to 497.  Garcia, Fernandez, Luengo and Herrera (2010), Advanced nonparametric tests for
    multiple comparisons in the design of experiments in computational intelligence and data mining, Information Sciences 180,
    pages 2044 to 2064.

    Examples
    --------
    A is the best classifier on both data sets.  The aligned scores 3, 0, -3 and 1, 0, -1 have the ranks 1, 3.5, 6 and 2, 3.5, 5.

    >>> import fstats
    >>> test = fstats.FriedmanAligned([[9, 6, 3], [5, 4, 3]])
    >>> print(test.rank_sums, test.dataset_sums, round(test.statistic, 4), round(test.pvalue, 4))
    [ 3.  7. 11.] [10.5 10.5] 3.7647 0.1522
    """

    parameter = r"\theta"
    compares = "typical score"
    estimated_by = "mean_ranks"
    value_phrase = "with mean aligned ranks "
    equal_estimates = "All mean aligned ranks are equal"

    ties: Literal["correct", "ignore"] = input_field(r"\text{ties}", "Whether ties are corrected for.", default="correct", kw_only=True)

    def _check_totals(self, known: Mapping[str, Any]) -> None:
        """Check that the given values are possible for ranks 1 to k N."""
        super()._check_totals(known)
        n, k = known.get("n"), known.get("k")
        if n is None or k is None:
            return
        if "rank_sums" in known:
            check_sum("rank_sums", known["rank_sums"].sum(0), k * n * (k * n + 1) / 2, "1 + ... + k N")
        if "statistic" in known:
            bound = "N (k - 1), reached if all data sets have the same ranks,"
            check_upper_bound("statistic", known["statistic"], n * (k - 1), bound, rounding=0.5)

    _within_formula: ClassVar = {
        "correct": r"\sum_{ij} $ranks^2 - \frac{1}{$k} \sum_i $dataset_sums^2",
        "ignore": r"\frac{$k $n ($k\,$n + 1)(2\,$k\,$n + 1)}{6} - \frac{1}{$k} \sum_i $dataset_sums^2",
    }

    @step("V", _within_formula, by="ties", check=check.nonnegative)
    def within(self) -> Value:
        """Sum of squares of the aligned ranks around the mean rank of their data set."""
        if self.ties == "correct":
            squares = (self.ranks**2).sum((0, 1))
        else:
            total = self.k * self.n
            squares = total * (total + 1) * (2 * total + 1) / 6
        return round_noise_to_zero(squares - (self.dataset_sums**2).sum(0) / self.k, squares)

    @step(r"T", r"\frac{($k - 1) \sum_j \left($rank_sums - \frac{$n ($k\,$n + 1)}{2}\right)^2}{$within}", check=check.nonnegative)
    def statistic(self) -> Value:
        """Aligned-ranks statistic T: spread of the rank sums, relative to the spread of the ranks within the data sets."""
        middle = self.n * (self.k * self.n + 1) / 2
        return ratio((self.k - 1) * ((self.rank_sums - middle) ** 2).sum(0), self.within)

    df = Friedman.df

    @step("X_0", r"\chi^2_{$df}", relation=r"\sim")
    def null(self) -> ChiSquared:
        """Approximate distribution of T under H0: the ranks of each data set are assigned to the classifiers at random."""
        return ChiSquared(self.df)

    @step(r"W_T", r"\frac{$statistic}{$n\,$df}", after=True, check=check.proportion)
    def effect_size(self) -> Value:
        """T divided by the maximum of T: 0 if the rank sums are equal, 1 if all data sets hold the same ranks."""
        return self.statistic / (self.n * self.df)
