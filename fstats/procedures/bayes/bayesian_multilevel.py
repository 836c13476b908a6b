"""Bayesian multilevel model for comparing many classifiers.

The effects of the classifiers come from one population.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from ...core.number_format import format_plain
from ...core.numerics.floating_point_ties import round_noise_to_zero
from ...core.numerics.sums_of_squares import ScaledSquares
from ...core.step import input_field, step
from ...core.validation import check, tables
from ...core.value_types import Array, Value
from ..multiple.many_classifiers import SCORES, classifier_labels
from ..multiple.repeated_measures_anova import RepeatedAnova
from ..multiple.sphericity import BlockDesign
from ..posthoc.posthoc_comparison import pair_positions
from .multilevel_posterior import MultilevelPosterior
from .pairwise_rope_comparison import PairwiseRopeComparison
from .rope_comparison import rope_width


class BayesianMultilevel(ScaledSquares, PairwiseRopeComparison):
    r"""Bayesian multilevel comparison: which of k classifiers differ in mean score by a relevant amount?

    Origin: ours, composed in fstats after Gelman, Hill and Yajima (2012), with the prior of Gelman (2006); evidence: the
    simulations in the notes.

    One joint model describes all k classifiers.

    The score of classifier j on data set i is the sum of effects of the data set and of the classifier, and of random error,

    .. math:: s_{ij} = \mu_i + \beta_j + \epsilon_{ij}, \qquad \epsilon_{ij} \sim N(0, \sigma^2), \qquad \beta_j \sim N(0, \tau^2).

    The effects of the classifiers come from one population, whose spread :math:`\tau` is estimated together with the effects.  If the
    classifiers hardly differ, the model shrinks all estimated differences towards 0, even large differences that arose by chance.  Because
    the model shrinks the differences, no further correction for the number of pairs is needed.  The model keeps a share B of each distance
    :math:`\bar s_j - \bar s`:

    .. math:: B = \frac{\tau^2}{\tau^2 + \sigma^2 / N}.

    The priors of :math:`\mu_i` and of :math:`\ln \sigma` are uniform; :math:`\tau / \sigma` has a half-Cauchy distribution.

    Parameters
    ----------
    scores : array_like or DataFrame, shape (N, k) or (N, k, ...)
        Scores of k >= 2 classifiers (columns) on N >= 2 data sets (rows), all in one unit.  Further axes are independent repetitions.
    rope : float
        Largest difference that does not matter in practice: half the width of the region of practical equivalence (ROPE).  The rope is at
        least 0 (``float("inf")`` is allowed), in the unit of the scores.  Choose the rope before you look at the data.
    labels, data_sets : list of str, optional
        Names of the classifiers and of the data sets.  Default: those of a DataFrame, or A, B, C, ...
    higher_is_better : bool
        False for errors and losses.
    metric : str
        Name of the scores, such as "RMSE"; if it contains loss or error, lower is better by default.
    prior : float
        Scale of the prior of :math:`\tau / \sigma`, above 0; the scale is the prior median of this ratio.
    alpha : float
        The decision is for a region if the probability of the region is at least 1 - alpha.  Credible intervals have probability 1 -
        alpha.

    Notes
    -----
    The computation uses no random draws.  Given :math:`\tau / \sigma`, the differences are Student's t with N (k - 1) degrees of freedom
    around :math:`B (\bar s_j - \bar s_l)`.  The ratio :math:`\tau / \sigma` is integrated out on a grid.

    In simulations with 3 to 12 equal classifiers, 10 and 40 data sets, a rope of 0, and normal or heavy-tailed residuals, the model
    declared a winner of at least one pair in 3 to 8 % of the tables, without any adjustment for the number of pairs.  For classifiers
    that differ, 95 % intervals contained 93 to 96 % of the differences (``test_multilevel.py``).  These simulated rates are no guaranteed
    level.

    The model has one residual standard deviation for all pairs, as :class:`fstats.RepeatedAnova` and :class:`fstats.TukeyHSD` do.  Two
    nearly identical programs have smaller random differences than other pairs, so the model too seldom finds a difference between them.
    The model too often finds differences between classifiers with the largest random variation: with spreads of 0.2 to 2 times the usual
    spread among 5 to 12 equal classifiers, a winner was declared in 9 to 13 % of the tables.  :class:`fstats.BayesianHierarchical`
    compares one pair alone, with a separate spread for each data set.  :class:`fstats.BradleyTerry` needs no common unit.

    If there are no residuals (the differences are the same on every data set), the posterior equals the means; `remark` says so.

    Raises
    ------
    ValueError, TypeError
        As for :class:`fstats.RepeatedAnova`; for a rope below 0, a prior that is not above 0.

    References
    ----------
    Gelman, Hill and Yajima (2012), Why we (usually) don't have to worry about multiple comparisons, Journal of Research on Educational
    Effectiveness 5, pages 189 to 211.  Gelman (2006), Prior distributions for variance parameters in hierarchical models, Bayesian
    Analysis 1, section 4.3 (half a Cauchy distribution).

    Examples
    --------
    Three classifiers with equal means: the expected differences are 0, and both directions are equally probable.

    >>> import fstats
    >>> test = fstats.BayesianMultilevel([[1, 2, 3], [2, 3, 1], [3, 1, 2]], rope=0.5)
    >>> print(test.estimates.round(9), test.probabilities[0].round(3))
    [0. 0. 0.] [0.126 0.748 0.126]
    """

    measured = ("scores",)
    in_report: ClassVar[Mapping[str, str]] = {"k": "k = {} classifiers", "n": "n = {} data sets", "prior": "prior scale {}"}

    scores: Any = input_field("s_{ij}", SCORES, over="ij", check=tables.score_table_for_means, unit="score")
    rope: float = input_field("r", "Largest irrelevant difference, in either direction.", check=rope_width, kw_only=True, unit="score")
    prior: float = input_field(
        r"\gamma", "Scale of the prior of tau / sigma.", check=check.single_number(check.positive), default=1.0, kw_only=True
    )

    n = BlockDesign.n
    means = BlockDesign.means
    dataset_means = BlockDesign.dataset_means
    grand_mean = BlockDesign.grand_mean
    residuals = BlockDesign.residuals
    ss_error = RepeatedAnova.ss_error

    @step("b_j", {True: "$means - $grand_mean", False: "$grand_mean - $means"}, by="higher_is_better", over="j", unit="score")
    def effects(self) -> Array:
        """Distance of the mean of each classifier from the mean of all classifiers; positive if the classifier is better than average."""
        distance = round_noise_to_zero(self.means - self.grand_mean, np.abs(self.means).max(0))
        return distance if self.higher_is_better else -distance

    @step(
        r"\beta_j - \beta_l",
        r"t_{$n (k - 1)}\left(B (b_j - b_l),\ \frac{2 B}{$n} \cdot \frac{$ss_error + \sum_j b_j^2 / v}{$n (k - 1)}\right) "
        r"\text{ mixed over } \tau / \sigma <- $effects $prior",
        relation=r"\sim",
    )
    def posterior(self) -> MultilevelPosterior:
        """Posterior of each difference; v is tau^2 / sigma^2 + 1/N, and B is tau^2 / sigma^2 / v."""
        return MultilevelPosterior(self.n, self.effects / self.unit, self.ss_error, self.prior)

    @step("E[B]", r"\text{mean of } B <- $posterior", check=check.proportion)
    def kept(self) -> Value:
        """Share of the distance from the mean of all classifiers that the model keeps; the rest of the distance counts as chance."""
        return self.posterior.shrinkage

    @step(r"E[\beta_j]", "$kept\\,$effects", over="j", unit="score")
    def shrunk(self) -> Array:
        """Expected effect of each classifier: its distance from the mean of all classifiers, shrunk towards 0."""
        return np.asarray(self.kept * self.effects)

    @step(r"E[\delta_h]", r"E[\beta_j] - E[\beta_l] <- $shrunk $pairs $labels", over="h", unit="score")
    def estimates(self) -> Array:
        """Expected difference of each pair; positive if the first classifier of the pair is better."""
        first, second = pair_positions(self.pairs, classifier_labels(self))
        return self.shrunk[first] - self.shrunk[second]

    @step("l_h", r"\frac{$alpha}{2} \text{ of } \delta_h \text{ lies below } <- $posterior", over="h", unit="score")
    def low(self) -> Array:
        """Lower end of the credible interval of the difference."""
        return self.posterior.quantile(self.alpha / 2) * self.unit

    @step("u_h", r"\frac{$alpha}{2} \text{ of } \delta_h \text{ lies above } <- $posterior", over="h", unit="score")
    def high(self) -> Array:
        """Upper end of the credible interval of the difference."""
        return self.posterior.quantile(1 - self.alpha / 2) * self.unit

    _probabilities_formula = r"\left(P(\delta_h < -$rope),\ P(\text{between}),\ P(\delta_h > $rope)\right) <- $posterior"

    @step("P_{hs}", _probabilities_formula, over="hs", check=check.probabilities)
    def probabilities(self) -> Array:
        """Probabilities for each pair: second classifier better by more than the rope, difference within the rope, first one better."""
        return self.posterior.regions(self.rope / self.unit)

    @property
    def ability(self) -> Array:
        """Expected effects of the classifiers."""
        return self.shrunk

    @property
    def is_tied(self) -> bool:
        """Whether the means of all classifiers are equal."""
        return not self.effects.any()

    @property
    def better_meaning(self) -> str:
        """Meaning of "better", as the end of a sentence."""
        return f"by more than {format_plain(self.rope)} in mean score"

    @property
    def remark(self) -> str:
        """Explanation of the result for degenerate data."""
        if self.get_or_default("ss_error", None) != 0:
            return ""
        return "There are no residuals to estimate random variation: the posterior equals the means; look for a mistake in the data."
