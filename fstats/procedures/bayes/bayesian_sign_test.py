"""The Bayesian sign test."""

from __future__ import annotations

from typing import Any, Literal

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
    """Those of a Dirichlet distribution: not below 0, not all 0, and small enough to be told apart."""
    x = check.nonnegative(value, name)
    if np.ndim(x) and not x.any(0).all():
        raise ValueError(f"{name} must be above 0 for at least one region: without data and prior nothing is believed; got all 0")
    if (x > MOST_DATA).any():
        raise ValueError(f"{name} must be at most {MOST_DATA:g} data sets in each region; got {x.max():g}")
    return x


class BayesianSignTest(ScoresWithRope):
    r"""Bayesian sign test: on how many of independent data sets is there a difference that matters, and whose?

    Of all data sets like these a share :math:`\theta_-` has B ahead by more than the rope, a share :math:`\theta_0` has a difference
    that does not matter, and a share :math:`\theta_+` has A ahead.  With a Dirichlet process as prior what is believed of the three
    after seeing the data is

    .. math:: (\theta_-, \theta_0, \theta_+) \sim \mathrm{Dirichlet}(n_- + s_-,\ n_0 + s_0,\ n_+ + s_+),

    where the n are numbers of data sets and the prior counts as s more of them, all in one region.  The answer is the probability of
    each share to be the largest of the three.

    Parameters
    ----------
    a, b : array_like, shape (n,) or (n, ...)
        Scores of the classifiers on the same n >= 1 data sets, in the same order; higher is better, any unit.  Further axes are
        independent repetitions.
    rope : float
        Half the width of the region of practical equivalence: differences of at most this, either way, do not matter.  In the unit of the
        scores, 0 or more (``float("inf")`` too), and fixed before seeing the data.
    labels : list of str, optional
        Names of the two classifiers for sentences and heads, A's first; by default those of two pandas Series, or A and B.
    higher_is_better : bool
        False for errors and losses: then differences are B's less A's, so that they are positive where A is better as well.
    metric, unit : str
        What the scores are, such as "RMSE", and what each is of, such as "seed"; sentences use these words.
    alpha : float
        A region is decided for if its probability is at least 1 - alpha.
    prior : float
        How many data sets the prior counts as, 0 or more.
    place : {"equivalent", "better", "worse"}
        The region in which those lie: "better" is the one where A is better.

    Notes
    -----
    The probabilities are integrals, exact but for rounding, where other programs draw at random.  A difference that lies on an end of
    the rope is inside; rounding noise does not take it out (0.88 - 0.85 against 0.03).  With a rope of 0 only exact ties (and the prior)
    are equivalent.  A region without data set and prior has the share 0.

    The data sets should be independent; folds of one data set are not (:class:`fstats.BayesianCorrelatedT`).  How far ahead somebody is
    does not count (:class:`fstats.BayesianSignedRank`).

    Raises
    ------
    ValueError, TypeError
        For lengths that differ, no data set at all, anything but finite numbers, a rope or a prior below 0, a prior above a billion, an
        unknown place, a level outside (0, 1).

    References
    ----------
    Benavoli, Corani, Demsar and Zaffalon (2017), Time for a change: a tutorial for comparing multiple classifiers through Bayesian
    analysis, JMLR 18, article 77, pages 1 to 36.

    Examples
    --------
    One data set with A ahead, and a prior of one more in the rope: Dirichlet(0, 1, 1), so that each of two shares is the largest with
    probability 1/2.  With a second win it is Dirichlet(0, 1, 2), and 3/4 for A.

    >>> import fstats
    >>> print(fstats.BayesianSignTest([0.9], [0.8], rope=0.01).probabilities.round(12))
    [0.  0.5 0.5]
    >>> print(fstats.BayesianSignTest([0.9, 0.7], [0.8, 0.6], rope=0.01).probabilities.round(12))
    [0.   0.25 0.75]
    """

    asks = "The most frequent outcome on data sets like these is"

    prior: float = input_field("s", "How many data sets the prior counts as.", check=prior_strength, default=1.0, kw_only=True)
    place: Literal["worse", "equivalent", "better"] = input_field(
        r"\text{place}", "The region in which the prior puts them.", check=check.choice(*PLACES), default="equivalent", kw_only=True
    )

    @step(
        r"\alpha_c",
        {
            "worse": r"$counts + ($prior,\ 0,\ 0)_c",
            "equivalent": r"$counts + (0,\ $prior,\ 0)_c",
            "better": r"$counts + (0,\ 0,\ $prior)_c",
        },
        by="place",
        over="c",
        check=dirichlet_parameters,
    )
    def concentration(self) -> Array:
        """Data sets in each region, with those of the prior: the parameters of the posterior."""
        return (self.counts.T + self.prior * (np.array(PLACES) == self.place)).T

    @step(r"\theta", r"\mathrm{Dirichlet}($concentration)", relation=r"\sim")
    def posterior(self) -> DirichletShares:
        """What is believed of the shares of the three regions among all data sets like these."""
        return DirichletShares(self.concentration)

    @step(r"E[\theta_c]", r"\frac{$concentration}{\sum_c $concentration}", over="c", check=check.proportion)
    def expected(self) -> Array:
        """Expected share of each region."""
        return self.concentration / self.concentration.sum(0)

    @step("P_c", r"P\left(${posterior}_c = \max $posterior\right)", over="c", check=check.probabilities)
    def probabilities(self) -> Array:
        """Probability of each region that its share is the largest of the three, by integration."""
        return self.posterior.largest()

    @property
    def remark(self) -> str:
        """What must be known of very few or very equal data."""
        return self.one_or_none
