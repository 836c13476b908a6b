"""The Bayesian sign test."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import numpy as np

from ...core.step import input_field, step
from ...core.validation import check
from ...core.value_types import Array
from .posterior_distributions import DirichletShares
from .rope_comparison import prior_strength
from .rope_region_counts import ScoresWithRope

PLACES = ("worse", "equivalent", "better")
MOST_DATA = 1e12


def dirichlet_parameters(value: Any, name: str) -> Array:
    """Check the parameters of a Dirichlet distribution: not below 0, not all 0, and small enough for floating-point differences."""
    x = check.nonnegative(value, name)
    if np.ndim(x) and not x.any(0).all():
        raise ValueError(f"`{name}` must be above 0 for at least one region; got 0 for all regions")
    if (x > MOST_DATA).any():
        raise ValueError(f"`{name}` must be at most {MOST_DATA:g} data sets in each region; got {x.max():g}")
    return x


class BayesianSignTest(ScoresWithRope):
    r"""Bayesian sign test: on what share of independent data sets is A better, B better, or the difference not relevant?

    Origin: published, Benavoli, Corani, Demsar and Zaffalon (2017).

    The population contains all data sets that are like the data sets of the sample.  Classifier B is better by more than the rope on a
    share :math:`\theta_-` of the population, the difference is not relevant on a share :math:`\theta_0`, and classifier A is better by more
    than the rope on a share :math:`\theta_+`.  With a Dirichlet process as prior, the posterior of the three shares is

    .. math:: (\theta_-, \theta_0, \theta_+) \sim \mathrm{Dirichlet}(n_- + s_-,\ n_0 + s_0,\ n_+ + s_+).

    In this formula :math:`n_-`, :math:`n_0` and :math:`n_+` are the numbers of data sets in the three regions.  The prior has the same
    weight as s additional data sets, all in one region.  For each of the three regions, the test returns the probability that this region
    has the largest share.

    Parameters
    ----------
    a, b : array_like, shape (n,) or (n, ...)
        Scores of the classifiers on the same n >= 1 data sets, in the same order; higher is better, any unit.  Further axes are
        independent repetitions.  A single list, without `b`, holds the differences A - B.
    rope : float
        Largest difference that does not matter in practice: half the width of the region of practical equivalence (ROPE).  The rope is at
        least 0 (``float("inf")`` is allowed), in the unit of the scores.  Choose the rope before you look at the data.
    labels : list of str, optional
        Names of the two classifiers in sentences and table headings, A first.  Default: the names of two pandas Series, or A and B.
    higher_is_better : bool
        False for errors and losses: with False, differences are B minus A, so that a positive difference still means that A is better.
    metric, unit : str
        Name of the scores, such as "RMSE", and unit of analysis, such as "seed"; sentences use these words.
    alpha : float
        The decision is for a region if the probability of the region is at least 1 - alpha.
    prior : float
        Weight of the prior as a number of data sets, 0 or more.
    place : {"equivalent", "better", "worse"}
        Region of the prior's data sets; "better" is the region in which A is better.

    Notes
    -----
    The probabilities are integrals, exact up to rounding; other programs use random draws.  A difference equal to the rope counts as
    inside the rope, in spite of rounding noise (0.88 - 0.85 against 0.03).  With a rope of 0 only exact ties (and the prior) are inside
    the rope.  A region without data sets and without prior has the share 0.

    The data sets should be independent; folds of one data set are not (see :class:`fstats.BayesianCorrelatedT`).  The size of a
    difference does not count (see :class:`fstats.BayesianSignedRank`).

    Raises
    ------
    ValueError, TypeError
        For different lengths, empty scores, numbers that are not finite, a rope or a prior below 0, a prior above a billion, an
        unknown place, a level outside (0, 1).

    References
    ----------
    Benavoli, Corani, Demsar and Zaffalon (2017), Time for a change: a tutorial for comparing multiple classifiers through Bayesian
    analysis, JMLR 18, article 77, pages 1 to 36.

    Examples
    --------
    A is better on one data set, and the prior counts as one data set in the rope: the posterior is Dirichlet(0, 1, 1), and each of two
    shares is the largest with probability 1/2.  With a second win of A the posterior is Dirichlet(0, 1, 2), and the probability of A is
    3/4.

    >>> import fstats
    >>> print(fstats.BayesianSignTest([0.9], [0.8], rope=0.01).probabilities.round(12))
    [0.  0.5 0.5]
    >>> print(fstats.BayesianSignTest([0.9, 0.7], [0.8, 0.6], rope=0.01).probabilities.round(12))
    [0.   0.25 0.75]
    """

    conclusion_opening = "The most frequent outcome on data sets like these is"

    prior: float = input_field("s", "Weight of the prior, in data sets.", check=prior_strength, default=1.0, kw_only=True)
    place: Literal["worse", "equivalent", "better"] = input_field(
        r"\text{place}", "Region of the prior's data sets.", default="equivalent", kw_only=True
    )

    _concentration_formula: ClassVar = {
        "worse": r"$counts + ($prior,\ 0,\ 0)_c",
        "equivalent": r"$counts + (0,\ $prior,\ 0)_c",
        "better": r"$counts + (0,\ 0,\ $prior)_c",
    }

    @step(r"\alpha_c", _concentration_formula, by="place", over="c", check=dirichlet_parameters)
    def concentration(self) -> Array:
        """Parameters of the posterior: number of data sets in each region, including the data sets of the prior."""
        return (self.counts.T + self.prior * (np.array(PLACES) == self.place)).T

    @step(r"\theta", r"\mathrm{Dirichlet}($concentration)", relation=r"\sim")
    def posterior(self) -> DirichletShares:
        """Posterior of the shares of the three regions among all data sets like these."""
        return DirichletShares(self.concentration)

    @step(r"E[\theta_c]", r"\frac{$concentration}{\sum_c $concentration}", over="c", check=check.proportion)
    def expected(self) -> Array:
        """Expected share of each region."""
        return self.concentration / self.concentration.sum(0)

    @step("P_c", r"P\left(${posterior}_c = \max $posterior\right)", over="c", check=check.probabilities)
    def probabilities(self) -> Array:
        """Probability, for each region, that its share is the largest of the three (an integral)."""
        return self.posterior.largest()

    @property
    def remark(self) -> str:
        """Note about very few data sets, or data sets that all lie in one region."""
        return self.sparse_data_note
