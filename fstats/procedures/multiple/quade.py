"""Quade test."""

from __future__ import annotations

from ...core.numerics.average_ranks import average_ranks
from ...core.numerics.floating_point_ties import difference_with_ties, round_noise_to_zero
from ...core.numerics.zero_division import ratio
from ...core.step import step
from ...core.validation import check
from ...core.value_types import Array, Value
from .rank_f_test import RankFTest


class Quade(RankFTest):
    r"""Quade test: do k classifiers have the same weighted mean rank over N independent data sets?

    Origin: published, Quade (1979).

    Data sets with larger differences have more weight.

    The range of a data set is its largest score minus its smallest score.  Each data set is weighted by the rank :math:`Q_i` of its range
    (1 = smallest range): :math:`S_{ij} = Q_i (r_{ij} - (k + 1)/2)`.  With :math:`A = \sum_{ij} S_{ij}^2` and :math:`B = \sum_j S_j^2 /
    N`,

    .. math:: F = \frac{(N - 1)\,B}{A - B}

    The statistic F is compared with the F distribution with k - 1 and (k - 1)(N - 1) degrees of freedom.

    Parameters
    ----------
    scores : array_like or DataFrame, shape (N, k) or (N, k, ...)
        Scores of k >= 2 classifiers (columns) on N >= 2 data sets (rows).  The unit must be the same on all data sets, because
        ranges are compared.  Further axes are independent repetitions.
    labels, data_sets, higher_is_better, metric, alternative, alpha
        See :class:`fstats.Friedman`; the test is always one-tailed.

    Notes
    -----
    With k = 2 the Quade test is related to the Wilcoxon signed-rank test.  Equal scores and equal ranges share the mean of their ranks.
    If all :math:`S_j` are 0, then F = 0 and p = 1.  If all data sets give the same ranks and the weights leave no disagreement (A = B), F
    is infinite, and p is the exact probability of equal ranks on all data sets if the ranks of each data set, including ties, are
    permuted at random.

    Raises
    ------
    ValueError, TypeError
        As for :class:`fstats.Friedman`.

    References
    ----------
    Quade (1979), Using weighted rankings in the analysis of complete blocks with additive block effects, JASA 74, pages 680 to 683.
    Conover (1999), Practical nonparametric statistics, section 5.8.

    Examples
    --------
    The ranges 2, 4, 6 of the data sets have the ranks 1, 2, 3.  B is better on two data sets; A is better on the data set with the
    smallest weight.

    >>> import fstats
    >>> test = fstats.Quade([[3, 1], [1, 5], [1, 7]])
    >>> print(test.weights, test.weighted_sums, test.total, round(test.treatments, 4), round(test.statistic, 4))
    [1. 2. 3.] [ 2. -2.] 7.0 2.6667 1.2308
    """

    parameter = r"\theta"
    compares = "typical rank"
    estimated_by = "weighted_sums"
    value_phrase = "with weighted rank sums "
    equal_estimates = "All weighted rank sums are 0"
    zero_if_equal = "treatments"
    complete_agreement = "The data sets agree completely"

    @step("D_i", r"\max_j $scores - \min_j $scores", over="i", check=check.nonnegative, unit="score")
    def ranges(self) -> Array:
        """Range of the scores on each data set."""
        return difference_with_ties(self.scores.max(1), self.scores.min(1))

    @step("Q_i", r"\mathrm{rank}_i\,$ranges", over="i", check=check.half_integers)
    def weights(self) -> Array:
        """Rank of the range of each data set, 1 = smallest; equal ranges share the mean of their ranks."""
        return average_ranks(self.ranges)

    @step("S_{ij}", r"$weights \left($ranks - \frac{$k + 1}{2}\right)", over="ij")
    def weighted_ranks(self) -> Array:
        """Weighted ranks: rank minus the middle rank, times the rank of the range of the data set."""
        return self.weights[:, None] * (self.ranks - (self.k + 1) / 2)

    @step("S_j", r"\sum_i $weighted_ranks", over="j")
    def weighted_sums(self) -> Array:
        """Sum of the weighted ranks of each classifier; below 0 if the classifier is better than average."""
        return self.weighted_ranks.sum(0)

    @step("A", r"\sum_{ij} $weighted_ranks^2", check=check.nonnegative)
    def total(self) -> Value:
        """Total sum of squares of the weighted ranks."""
        return (self.weighted_ranks**2).sum((0, 1))

    @step("B", r"\frac{1}{$n} \sum_j $weighted_sums^2", check=check.nonnegative)
    def treatments(self) -> Value:
        """Sum of squares between the classifiers."""
        return (self.weighted_sums**2).sum(0) / self.n

    @step("F_Q", r"\frac{($n - 1)\,$treatments}{$total - $treatments}", check=check.nonnegative)
    def statistic(self) -> Value:
        """Quade's F: spread between the classifiers divided by the disagreement of the data sets about the ranks."""
        return ratio((self.n - 1) * self.treatments, round_noise_to_zero(self.total - self.treatments, self.total))

    @step(r"B / A", r"\frac{$treatments}{$total}", after=True, check=check.proportion)
    def effect_size(self) -> Value:
        """Share of the sum of squares of the weighted ranks that lies between the classifiers, from 0 to 1."""
        return ratio(self.treatments, self.total)
