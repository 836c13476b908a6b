"""The Bayesian signed-rank test."""

from __future__ import annotations

from numpy import sqrt

from ...core.classifier_pair import directed_step
from ...core.numerics.floating_point_ties import absolute_noise
from ...core.step import input_field, step
from ...core.validation import check
from ...core.value_types import Array, Value
from .posterior_distributions import WalshShares
from .rope_comparison import draws, positive_prior_strength, seed
from .rope_region_counts import ScoresWithRope


class BayesianSignedRank(ScoresWithRope):
    r"""Bayesian signed-rank test: is the difference of two classifiers over independent data sets practically relevant?

    Origin: published, Benavoli, Mangili, Corani, Zaffalon and Ruggeri (2014).

    The test uses the sizes of the differences, not only their signs.

    Wilcoxon's signed-rank test computes the mean of each pair of differences, and counts how many of these means lie above 0 and below 0.
    This test finds which share of the means lies above, inside and below the rope, the region of practical equivalence.

    A Dirichlet process as prior gives a random weight to each of the n data sets, and to one additional data set with the difference 0,

    .. math:: (w_0, w_1, \ldots, w_n) \sim \mathrm{Dirichlet}(s, 1, \ldots, 1), \qquad d_0 = 0,

    The share of a region is the weight of all pairs of differences whose mean lies in the region: :math:`\theta_+` above the rope,
    :math:`\theta_-` below the rope, :math:`\theta_0` inside the rope,

    .. math:: \theta_+ = \sum_{i,j} w_i w_j\, [d_i + d_j > 2r].

    There are three regions: B better, not relevant, A better.  For each region, the test estimates the probability that this region has the
    largest share of the pairs, by random draws of the weights.

    Parameters
    ----------
    a, b, rope, labels, higher_is_better, metric, unit, alpha
        As for :class:`fstats.BayesianSignTest`.
    prior : float
        Weight of the prior as a number of data sets with the difference 0, above 0.
    draws : int
        Number of random draws, at least 100.
    rng : int, numpy Generator or None
        Seed of the draws: the same seed gives the same numbers.  From a Generator (or for None) a seed is drawn and stored.

    Notes
    -----
    `mc_error` is the standard error of the probabilities, due to the limited number of draws.  All repetitions of a batch use the same
    draws.  A mean of two differences that is equal to the rope counts as inside the rope, in spite of rounding noise (some programs count
    half of such a mean as outside).  With a rope of 0 only exact ties are inside the rope.  The result refers to the centre of the
    differences if their distribution is symmetric about it.  The data sets should be independent.

    Raises
    ------
    ValueError, TypeError
        For different lengths, empty scores, numbers that are not finite, a rope below 0, a prior that is not above 0 or
        is above a billion, fewer than 100 draws, a level outside (0, 1).

    References
    ----------
    Benavoli, Mangili, Corani, Zaffalon and Ruggeri (2014), A Bayesian Wilcoxon signed-rank test based on the Dirichlet process,
    ICML, pages 1026 to 1034.  Benavoli, Corani, Demsar and Zaffalon (2017), JMLR 18, article 77, pages 1 to 36.

    Examples
    --------
    One data set with A better by 3, a rope of 1, and a prior of one: the weight w of that data set is uniform.  The mean of the
    difference with itself is 3, and the mean of the difference with the 0 of the prior is 3/2; both means are above the rope.  The share
    of A is 1 - (1 - w)^2.  The share of A is the largest if it is above 1/2, which has probability 1 - (1 - sqrt(1/2)) = 0.707.

    >>> import fstats
    >>> test = fstats.BayesianSignedRank([3], [0], rope=1, prior=1, draws=100_000)
    >>> abs(test.p_better - 0.5**0.5) < 4 * test.mc_error[2]
    np.True_
    """

    conclusion_opening = "For the mean over two such data sets the most frequent outcome is"

    prior: float = input_field("s", "Weight of the prior, in data sets.", check=positive_prior_strength, default=0.5, kw_only=True)
    draws: int = input_field("m", "Number of random draws.", check=draws, default=50_000, kw_only=True)
    rng: int = input_field(r"\text{seed}", "Seed of the random draws.", check=seed, default=0, kw_only=True)

    @directed_step(
        "m_c", r"\#\{i \leq j : \frac{d_i + d_j}{2} < -$rope,\ \text{else},\ > $rope\},\ d_i = $a - $b", over="c", check=check.counts
    )
    def pairs(self) -> Array:
        """Number of means of two differences in each region; pairs of a difference with itself are included."""
        first, second = self.terms
        return WalshShares(first - second, self.rope, 0.0, absolute_noise(first, second), 0, 0).pairs()

    @directed_step(
        r"\theta",
        r"\sum_{i,j} w_i w_j\,[\frac{d_i + d_j}{2} \text{ beyond or within } \pm $rope],\ "
        r"d_i = $a - $b,\ d_0 = 0,\ w \sim \mathrm{Dirichlet}($prior, 1, \ldots, 1),\ $draws \text{ draws } <- $rng",
        relation=r"=",
    )
    def posterior(self) -> WalshShares:
        """Posterior of the shares of the three regions among all means of two differences."""
        first, second = self.terms
        return WalshShares(first - second, self.rope, self.prior, absolute_noise(first, second), self.draws, self.rng)

    @step(r"E[\theta_c]", r"\text{mean of } ${posterior}_c", over="c", check=check.proportion)
    def expected(self) -> Array:
        """Expected share of each region, computed without random draws."""
        return self.posterior.expected()

    @step("P_c", r"P\left(${posterior}_c = \max $posterior\right)", over="c", check=check.probabilities)
    def probabilities(self) -> Array:
        """Probability, for each region, that its share is the largest of the three: proportion of draws with the largest share."""
        return self.posterior.largest()

    @step(r"\mathrm{SE}_c", r"\sqrt{\frac{$probabilities (1 - $probabilities)}{$draws}}", over="c", check=check.nonnegative, after=True)
    def mc_error(self) -> Array:
        """Standard error of each probability, due to the random draws."""
        return sqrt(self.probabilities * (1 - self.probabilities) / self.draws)

    def probability_text(self, region: int) -> str:
        """Return a probability as text; 0 and 1 are given as bounds if they could change with more draws."""
        p = self.probabilities[region]
        if p in (0.0, 1.0) and not self.is_certain(region):
            return f"less than 1 in {self.draws}" if p == 0 else f"more than 1 - 1/{self.draws}"
        return super().probability_text(region)

    def is_certain(self, region: int) -> bool:
        """Return whether a probability of 0 or 1 holds for any draws, because no pair or every pair with weight lies in the region."""
        shares = self.expected
        return bool(shares[region] < 1e-12 or shares[region] > 1 - 1e-12)

    @property
    def remark(self) -> str:
        """Precision of the draws, and a note about very few data, or data that all lie in one region."""
        error: Value = self.mc_error.max()
        precision_note = f"Computed from {self.draws} random draws, with a standard error of at most {error:.1g}." if error else ""
        return " ".join(filter(None, [precision_note, self.sparse_data_note]))
