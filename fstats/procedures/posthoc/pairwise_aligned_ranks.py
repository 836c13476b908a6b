"""All pairs of classifiers, compared by their aligned ranks."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy import sqrt
from scipy import special

from ...core.hypothesis import SMALLEST_POSITIVE_FLOAT
from ...core.numerics.floating_point_ties import round_noise_to_zero
from ...core.numerics.zero_division import ratio
from ...core.step import input_field, step
from ...core.validation import check
from ...core.value_types import Array, Value
from ..multiple.friedman_aligned_ranks import AlignedRanking
from ..multiple.many_classifiers import classifier_labels
from .pairwise_tests import EachPairAlone
from .posthoc_comparison import ControlComparison, places


class PairwiseAligned(AlignedRanking, EachPairAlone):
    r"""Aligned ranks in pairs: how much speaks for a difference, pair by pair, after Friedman's test with aligned ranks?

    The difference of two mean aligned ranks is measured in its standard error, what it would vary by if each data set's ranks
    :math:`\hat r_{ij}` were dealt to the classifiers at random,

    .. math:: z = \frac{\bar R_l - \bar R_j}{\mathrm{SE}}, \qquad
              \mathrm{SE} = \sqrt{\frac{2}{(k - 1) N^2} \sum_{ij} \left(\hat r_{ij} - \frac{\hat R_i}{k}\right)^2},

    and compared with the normal distribution.  Each p-value looks at its two classifiers alone.  They are not adjusted for their
    number: hand them to a procedure, such as ``fstats.Holm.from_test(fstats.FriedmanAligned(scores))``, which makes these.

    Parameters
    ----------
    scores : array_like or DataFrame, shape (N, k) or (N, k, ...)
        Scores of k >= 2 classifiers (columns) on N >= 2 data sets (rows), in a unit that all data sets share.  Further axes are
        independent repetitions.
    labels : list of str, optional
        Names of the classifiers; by default a DataFrame's column names, or A, B, C, ...
    higher_is_better : bool
        False for errors and losses: then the lowest score has rank 1.
    metric : str
        What the scores are, such as "RMSE"; where its name says loss or error, lower is better by default.
    control : str, optional
        The label of the classifier that all others are compared with; without it all pairs are compared.

    Notes
    -----
    Other programs take sqrt(k (k N + 1) / 6) for the standard error (scmamp since 2016, STAC), as if all k N ranks were dealt to all
    places at random.  But alignment has left each data set nearly the same sum of ranks, and so an alignment's differences vary more,
    by the factor k / (k - 1) in their squares: with that formula a true H0 of two classifiers is rejected in 16 % of all cases at
    alpha = 0.05, of four in 9 % (both simulated in the tests).  Here the squares are those of the ranks as they are, ties included;
    with k = 2, z squared is the statistic of :class:`fstats.FriedmanAligned`.

    Two classifiers with the same mean rank have p = 1; so have all pairs where all ranks are tied.

    Raises
    ------
    ValueError, TypeError
        As for :class:`fstats.Friedman`, and for an unknown control.

    References
    ----------
    Hodges and Lehmann (1962), Rank methods for combination of independent experiments in analysis of variance, Annals of
    Mathematical Statistics 33, pages 482 to 497.  Garcia, Fernandez, Luengo and Herrera (2010), Information Sciences 180,
    pages 2044 to 2064.

    Examples
    --------
    Aligned ranks 1, 3.5, 6 and 2, 3.5, 5 have the sum of squares 2.5**2 * 2 + 1.5**2 * 2 = 17, so SE = sqrt(2 / (2 * 4) * 17).

    >>> import fstats
    >>> pairs = fstats.PairwiseAligned([[9, 6, 3], [5, 4, 3]])
    >>> print(*pairs.pairs, pairs.differences, round(pairs.se, 4), pairs.pvalues.round(4))
    A – B A – C B – C [2. 4. 2.] 2.0616 [0.332  0.0523 0.332 ]
    """

    names_by_index: ClassVar = EachPairAlone.names_by_index

    control: str | None = input_field(r"\text{control}", "The classifier that all others are compared with.", default=None, kw_only=True)

    against = ControlComparison.against
    pairs = ControlComparison.pairs

    @step("d_h", r"\bar R_l - \bar R_j <- $mean_ranks, $pairs, $labels", over="h")
    def differences(self) -> Array:
        """Difference of the mean aligned ranks, second less first: positive where the first of the pair is better."""
        first, second = places(self.pairs, classifier_labels(self))
        return self.mean_ranks[second] - self.mean_ranks[first]

    @step(
        r"\mathrm{SE}",
        r"\sqrt{\frac{2}{($k - 1)\,$n^2} \sum_{ij} \left($ranks - \frac{$dataset_sums}{$k}\right)^2}",
        check=check.nonnegative,
    )
    def se(self) -> Value:
        """Standard error of a difference of two mean ranks when each data set's ranks fall to the classifiers by chance."""
        within = round_noise_to_zero(self.ranks - self.dataset_sums[:, None] / self.k, self.ranks)
        return sqrt(2 * (within**2).sum((0, 1)) / ((self.k - 1) * self.n**2))

    @step("z_h", r"\frac{$differences}{$se}", over="h")
    def z(self) -> Array:
        """The difference in standard errors."""
        return np.asarray(ratio(self.differences, self.se))

    @step("p_h", r"2\,P(Z \geq |$z|)", over="h", check=check.probabilities)
    def pvalues(self) -> Array:
        """Two-sided probability of a standard normal Z at least as far out, not adjusted for the number of pairs."""
        return np.maximum(2 * special.ndtr(-np.abs(self.z)), SMALLEST_POSITIVE_FLOAT)

    @property
    def difference_sign(self) -> Any:
        """For each pair a number that is positive where the first looks better."""
        return self.differences
