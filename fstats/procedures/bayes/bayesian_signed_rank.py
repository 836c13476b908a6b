"""The Bayesian signed-rank test."""

from __future__ import annotations

from numpy import sqrt

from ...core.classifier_pair import directed_formula
from ...core.numerics.floating_point_ties import absolute_noise
from ...core.step import input_field, step
from ...core.validation import check
from ...core.value_types import Array, Value
from .posterior_distributions import WalshShares
from .rope_comparison import draws, positive_prior_strength, seed
from .rope_region_counts import ScoresWithRope


class BayesianSignedRank(ScoresWithRope):
    r"""Bayesian signed-rank test: is there a difference that matters over independent data sets, and whose, if its size counts?

    As Wilcoxon's test does, it looks at the means of two differences.  A Dirichlet process as prior gives each of the n data sets, and
    one more with the difference 0, a random weight,

    .. math:: (w_0, w_1, \ldots, w_n) \sim \mathrm{Dirichlet}(s, 1, \ldots, 1), \qquad d_0 = 0,

    and the regions shares of all pairs: :math:`\theta_+` those whose mean lies above the rope, :math:`\theta_-` below, :math:`\theta_0`
    inside,

    .. math:: \theta_+ = \sum_{i,j} w_i w_j\, [d_i + d_j > 2r].

    The answer is the probability of each share to be the largest of the three, by random draws of the weights.

    Parameters
    ----------
    a, b, rope, labels, higher_is_better, metric, unit, alpha
        As for :class:`fstats.BayesianSignTest`.
    prior : float
        How many data sets the prior counts as, above 0; they have the difference 0.
    draws : int
        How many random draws, at least 100.
    rng : int, numpy Generator or None
        The seed of the draws: the same seed gives the same numbers.  From a Generator (or for None) a seed is drawn, which is kept.

    Notes
    -----
    `mc_error` is the standard error of the probabilities, which the number of draws causes; all repetitions of a batch have the same
    draws.  A mean of two differences that lies on an end of the rope is inside (there are programs that count half of it as outside);
    rounding noise does not take it out.  With a rope of 0 only exact ties are equivalent.  The differences should be symmetric about
    their centre for that to be what the test is about, and the data sets independent.

    Raises
    ------
    ValueError, TypeError
        For lengths that differ, no data set at all, anything but finite numbers, a rope below 0, a prior that is not above 0 or
        above a billion, fewer than 100
        draws, a level outside (0, 1).

    References
    ----------
    Benavoli, Mangili, Corani, Zaffalon and Ruggeri (2014), A Bayesian Wilcoxon signed-rank test based on the Dirichlet process,
    ICML, pages 1026 to 1034.  Benavoli, Corani, Demsar and Zaffalon (2017), JMLR 18, article 77, pages 1 to 36.

    Examples
    --------
    One data set with A ahead by 3 of a rope of 1, and a prior of one: the weight w of that data set is uniform.  The pair with itself
    lies above the rope, and so does that with the prior's 0 (3/2 is more than 1): the share of A is 1 - (1 - w)^2, the largest where it
    is above 1/2, which has probability 1 - (1 - sqrt(1/2)) = 0.707.

    >>> import fstats
    >>> test = fstats.BayesianSignedRank([3], [0], rope=1, prior=1, draws=100_000)
    >>> abs(test.p_better - 0.5**0.5) < 4 * test.mc_error[2]
    np.True_
    """

    asks = "For the mean difference over two such data sets the most frequent outcome is"

    prior: float = input_field("s", "How many data sets the prior counts as.", check=positive_prior_strength, default=0.5, kw_only=True)
    draws: int = input_field("m", "Random draws.", check=draws, default=50_000, kw_only=True)
    rng: int = input_field(r"\text{seed}", "From which the random draws follow.", check=seed, default=0, kw_only=True)

    @step(
        "m_c",
        directed_formula(r"\#\{i \leq j : \frac{d_i + d_j}{2} < -$rope,\ \text{else},\ > $rope\},\ d_i = $a - $b"),
        by="higher_is_better",
        over="c",
        check=check.counts,
    )
    def pairs(self) -> Array:
        """Number of means of two differences in each region, those of a difference with itself included."""
        first, second = self.terms
        return WalshShares(first - second, self.rope, 0.0, absolute_noise(first, second), 0, 0).pairs()

    @step(
        r"\theta",
        directed_formula(
            r"\sum_{i,j} w_i w_j\,[\frac{d_i + d_j}{2} \text{ beyond or within } \pm $rope],\ "
            r"d_i = $a - $b,\ d_0 = 0,\ w \sim \mathrm{Dirichlet}($prior, 1, \ldots, 1),\ $draws \text{ draws } <- $rng"
        ),
        by="higher_is_better",
        relation=r"=",
    )
    def posterior(self) -> WalshShares:
        """What is believed of the shares of the three regions among all means of two differences."""
        first, second = self.terms
        return WalshShares(first - second, self.rope, self.prior, absolute_noise(first, second), self.draws, self.rng)

    @step(r"E[\theta_c]", r"\text{mean of } ${posterior}_c", over="c", check=check.proportion)
    def expected(self) -> Array:
        """Expected share of each region (exact)."""
        return self.posterior.expected()

    @step("P_c", r"P\left(${posterior}_c = \max $posterior\right)", over="c", check=check.probabilities)
    def probabilities(self) -> Array:
        """Probability of each region that its share is the largest of the three: the share of the draws in which it is."""
        return self.posterior.largest()

    @step(r"\mathrm{SE}_c", r"\sqrt{\frac{$probabilities (1 - $probabilities)}{$draws}}", over="c", check=check.nonnegative, after=True)
    def mc_error(self) -> Array:
        """Standard error of the probability: how far it strays by the chance of the draws."""
        return sqrt(self.probabilities * (1 - self.probabilities) / self.draws)

    def told(self, region: int) -> str:
        """A probability with its error; one that no draw, or every draw, shows is not said to be 0 or 1 where more draws might show it."""
        p = self.probabilities[region]
        if p in (0.0, 1.0) and not self.is_certain(region):
            return f"less than 1 in {self.draws}" if p == 0 else f"more than 1 - 1/{self.draws}"
        return super().told(region)

    def is_certain(self, region: int) -> bool:
        """Whether a probability of 0 or 1 would remain whatever the draws: no pair lies in the region, or all that share lie there."""
        shares = self.expected
        return bool(shares[region] < 1e-12 or shares[region] > 1 - 1e-12)

    @property
    def remark(self) -> str:
        """How exact the draws are, and what must be known of very few or very equal data."""
        error: Value = self.mc_error.max()
        drawn = f"Computed from {self.draws} random draws, with a standard error of at most {error:.1g}." if error else ""
        return " ".join(filter(None, [drawn, self.one_or_none]))
