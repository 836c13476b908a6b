"""Post hoc pairwise comparisons on aligned ranks."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy import sqrt
from scipy import special

from ...core.hypothesis import SMALLEST_POSITIVE_FLOAT
from ...core.numerics.floating_point_ties import round_noise_to_zero
from ...core.step import input_field, step
from ...core.validation import check
from ...core.value_types import Array, Value
from ..multiple.friedman_aligned_ranks import AlignedRanking
from .pairwise_tests import UnadjustedPairwiseTests
from .posthoc_comparison import ControlComparison, RankComparison


class PairwiseAligned(AlignedRanking, UnadjustedPairwiseTests):
    r"""Pairwise tests with aligned ranks, without adjusted p-values: which pairs of classifiers differ in mean aligned rank?

    Origin: variant, of Garcia, Fernandez, Luengo and Herrera (2010): the standard error is that of ranks assigned within each
    data set; evidence: the simulations in the notes.

    The difference of two mean aligned ranks is divided by its standard error when the ranks :math:`\hat r_{ij}` of each data set are
    assigned to the classifiers at random,

    .. math:: z = \frac{\bar R_l - \bar R_j}{\mathrm{SE}}, \qquad
              \mathrm{SE} = \sqrt{\frac{2}{(k - 1) N^2} \sum_{ij} \left(\hat r_{ij} - \frac{\hat R_i}{k}\right)^2},

    and z is compared with the normal distribution.  Each p-value belongs to one pair of classifiers, and is not adjusted for the number of
    pairs.  A procedure such as ``fstats.Holm.from_test(fstats.FriedmanAligned(scores))`` computes these p-values and adjusts them.

    Parameters
    ----------
    scores : array_like or DataFrame, shape (N, k) or (N, k, ...)
        Scores of k >= 2 classifiers (columns) on N >= 2 data sets (rows).  The unit must be the same on all data sets.  Further axes
        are independent repetitions.
    labels : list of str, optional
        Names of the classifiers; by default the column names of a DataFrame, or A, B, C, ...
    higher_is_better : bool
        False for errors and losses: with False, the lowest score has rank 1.
    metric : str
        Name of the metric, such as "RMSE"; if the name says loss or error, lower is better by default.
    control : str, optional
        Label of the control, with which every other classifier is compared; without a control, all pairs are compared.

    Notes
    -----
    Other programs (scmamp since 2016, STAC) use the standard error sqrt(k (k N + 1) / 6), which assumes that all k N ranks are assigned
    at random, without regard to data sets.  Alignment makes the rank sums of the data sets nearly equal, so the true variance of the
    differences is larger by the factor k / (k - 1).  With the formula of these programs, a true H0 is rejected at alpha = 0.05 in 16 % of
    all cases for two classifiers and in 9 % for four (both simulated in the tests).  This class uses the squares of the observed ranks,
    including ties.  With k = 2, z squared is the statistic of :class:`fstats.FriedmanAligned`.

    Two classifiers with the same mean rank have p = 1.  If all ranks are tied, all pairs have p = 1.

    Raises
    ------
    ValueError, TypeError
        As for :class:`fstats.Friedman`, and if the control is unknown.

    References
    ----------
    Hodges and Lehmann (1962), Rank methods for combination of independent experiments in analysis of variance, Annals of
    Mathematical Statistics 33, pages 482 to 497.  Garcia, Fernandez, Luengo and Herrera (2010), Information Sciences 180,
    pages 2044 to 2064.

    Examples
    --------
    The aligned ranks 1, 3.5, 6 and 2, 3.5, 5 have the sum of squares 2.5**2 * 2 + 1.5**2 * 2 = 17, so SE = sqrt(2 / (2 * 4) * 17).

    >>> import fstats
    >>> pairs = fstats.PairwiseAligned([[9, 6, 3], [5, 4, 3]])
    >>> print(*pairs.pairs, pairs.differences, round(pairs.se, 4), pairs.pvalues.round(4))
    A – B A – C B – C [2. 4. 2.] 2.0616 [0.332  0.0523 0.332 ]
    """

    names_by_index: ClassVar = UnadjustedPairwiseTests.names_by_index

    control: str | None = input_field(r"\text{control}", "Control: every other classifier is compared with it.", default=None, kw_only=True)

    comparison_family = ControlComparison.comparison_family
    pairs = ControlComparison.pairs

    differences = RankComparison.differences

    _se_formula = r"\sqrt{\frac{2}{($k - 1)\,$n^2} \sum_{ij} \left($ranks - \frac{$dataset_sums}{$k}\right)^2}"

    @step(r"\mathrm{SE}", _se_formula, check=check.nonnegative)
    def se(self) -> Value:
        """Standard error of a difference of two mean ranks when the ranks of each data set are assigned to the classifiers at random."""
        within = round_noise_to_zero(self.ranks - self.dataset_sums[:, None] / self.k, self.ranks)
        return sqrt(2 * (within**2).sum((0, 1)) / ((self.k - 1) * self.n**2))

    z = RankComparison.z

    @step("p_h", r"2\,P(Z \geq |$z|)", over="h", check=check.probabilities)
    def pvalues(self) -> Array:
        """Two-sided p-value: probability that a standard normal Z is at least as extreme; not adjusted for the number of hypotheses."""
        return np.maximum(2 * special.ndtr(-np.abs(self.z)), SMALLEST_POSITIVE_FLOAT)

    @property
    def difference_sign(self) -> Any:
        """Number for each pair, positive if the first classifier of the pair looks better."""
        return self.differences
