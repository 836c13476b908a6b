"""The Bayesian multilevel comparison: many classifiers whose differences come from one population."""

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
from ..multiple.many_classifiers import classifier_labels
from ..multiple.repeated_measures_anova import RepeatedAnova
from ..multiple.sphericity import BlockDesign
from ..posthoc.posthoc_comparison import pair_positions
from .multilevel_posterior import MultilevelPosterior
from .pairwise_rope_comparison import PairwiseRopeComparison
from .rope_comparison import rope_width


class BayesianMultilevel(ScaledSquares, PairwiseRopeComparison):
    r"""Bayesian multilevel comparison: which of k classifiers differ in mean score by more than matters, if all are looked at together?

    The score of classifier j on data set i is the data set's, the classifier's and luck's,

    .. math:: s_{ij} = \mu_i + \beta_j + \epsilon_{ij}, \qquad \epsilon_{ij} \sim N(0, \sigma^2), \qquad \beta_j \sim N(0, \tau^2).

    The classifiers come from one population whose spread :math:`\tau` is estimated with them.  Where they hardly differ, every difference
    is drawn towards 0, the large ones that luck makes too: the model corrects for the number of pairs by itself.  Of
    :math:`\bar s_j - \bar s` is kept the share

    .. math:: B = \frac{\tau^2}{\tau^2 + \sigma^2 / N}.

    Nothing is known before of :math:`\mu_i` and of :math:`\ln \sigma` (uniform); :math:`\tau / \sigma` has half a Cauchy distribution.

    Parameters
    ----------
    scores : array_like or DataFrame, shape (N, k) or (N, k, ...)
        Scores of k >= 2 classifiers (columns) on N >= 2 data sets (rows), all in one unit.  Further axes are independent repetitions.
    rope : float
        Half the width of the region of practical equivalence: differences of at most this, either way, do not matter.  In the unit of the
        scores, 0 or more (``float("inf")`` too), and fixed before seeing the data.
    labels, data_sets : list of str, optional
        Names of the classifiers and of the data sets; by default those of a DataFrame, or A, B, C, ...
    higher_is_better : bool
        False for errors and losses.
    metric : str
        What the scores are, such as "RMSE"; where its name says loss or error, lower is better by default.
    prior : float
        Scale of the prior of :math:`\tau / \sigma`, above 0: with probability 1/2 the spread of the classifiers is below this times luck's.
    alpha : float
        A region is decided for if its probability is at least 1 - alpha; the credible intervals leave so much outside.

    Notes
    -----
    Nothing is drawn at random: given :math:`\tau / \sigma` the differences are Student's t with N (k - 1) degrees of freedom around
    :math:`B (\bar s_j - \bar s_l)`, and that one number is integrated on a grid.

    In simulations somebody among 3 to 12 classifiers that are all alike was decided for in 3 to 8 % of tables with 10 and 40 data sets
    (with a rope of 0, residuals normal or heavy-tailed), though all pairs are looked at and no p-value is adjusted; intervals of 95 % held
    93 to 96 % of the differences of classifiers that differ (``test_multilevel.py``).  No such level is promised.

    It takes one spread of luck for all pairs, as :class:`fstats.RepeatedAnova` and :class:`fstats.TukeyHSD` do.  Two classifiers that are
    nearly the same program differ less by luck than others, and are told apart too seldom; those that stray most are too often: where the
    spreads of 5 to 12 classifiers went from 0.2 to 2 times the usual one the 3 to 8 % were 9 to 13 %.
    :class:`fstats.BayesianHierarchical` looks at one pair alone, with a spread of each data set and its folds, and
    :class:`fstats.BradleyTerry` asks for no common unit.

    Where no residual is left (all classifiers differ by the same on every data set) the means are believed as they are; `remark` says so.

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
    Three classifiers that do not differ in the mean: no difference is expected, and both directions are equally probable.

    >>> import fstats
    >>> test = fstats.BayesianMultilevel([[1, 2, 3], [2, 3, 1], [3, 1, 2]], rope=0.5)
    >>> print(test.estimates.round(9), test.probabilities[0].round(3))
    [0. 0. 0.] [0.126 0.748 0.126]
    """

    measured = ("scores",)
    in_report: ClassVar[Mapping[str, str]] = {"k": "k = {} classifiers", "n": "n = {} data sets", "prior": "prior scale {}"}

    scores: Any = input_field(
        "s_{ij}", "Score of each classifier on each data set.", over="ij", check=tables.score_table_for_means, unit="score"
    )
    rope: float = input_field("r", "The largest difference that does not matter, either way.", check=rope_width, kw_only=True, unit="score")
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
        """How far each classifier lies from the mean of all; positive is better."""
        away = round_noise_to_zero(self.means - self.grand_mean, np.abs(self.means).max(0))
        return away if self.higher_is_better else -away

    @step(
        r"\beta_j - \beta_l",
        r"t_{$n (k - 1)}\left(B (b_j - b_l),\ \frac{2 B}{$n} \cdot \frac{$ss_error + \sum_j b_j^2 / v}{$n (k - 1)}\right) "
        r"\text{ mixed over } \tau / \sigma <- $effects $prior",
        relation=r"\sim",
    )
    def posterior(self) -> MultilevelPosterior:
        """What is believed of each difference; v is tau^2 / sigma^2 + 1/N, and B is tau^2 / sigma^2 / v."""
        return MultilevelPosterior(self.n, self.effects / self.unit, self.ss_error, self.prior)

    @step("E[B]", r"\text{mean of } B <- $posterior", check=check.proportion)
    def kept(self) -> Value:
        """What is kept of a classifier's distance from the mean of all; the rest counts as luck."""
        return self.posterior.kept

    @step(r"E[\beta_j]", "$kept\\,$effects", over="j", unit="score")
    def shrunk(self) -> Array:
        """Expected effect of each classifier: its distance, drawn towards the others."""
        return np.asarray(self.kept * self.effects)

    @step(r"E[\delta_h]", r"E[\beta_j] - E[\beta_l] <- $shrunk $pairs $labels", over="h", unit="score")
    def estimates(self) -> Array:
        """Expected difference of each pair; positive where the first is better."""
        first, second = pair_positions(self.pairs, classifier_labels(self))
        return self.shrunk[first] - self.shrunk[second]

    @step("l_h", r"\frac{$alpha}{2} \text{ of } \delta_h \text{ lies below } <- $posterior", over="h", unit="score")
    def low(self) -> Array:
        """Lower end of the credible interval of that difference."""
        return self.posterior.quantile(self.alpha / 2) * self.unit

    @step("u_h", r"\frac{$alpha}{2} \text{ of } \delta_h \text{ lies above } <- $posterior", over="h", unit="score")
    def high(self) -> Array:
        """Upper end of it."""
        return self.posterior.quantile(1 - self.alpha / 2) * self.unit

    @step(
        "P_{hs}",
        r"\left(P(\delta_h < -$rope),\ P(\text{between}),\ P(\delta_h > $rope)\right) <- $posterior",
        over="hs",
        check=check.probabilities,
    )
    def probabilities(self) -> Array:
        """Probability that the second is better by more than the rope, that they differ by less, that the first is better by more."""
        return self.posterior.regions(self.rope / self.unit)

    @property
    def ability(self) -> Array:
        """The expected effects."""
        return self.shrunk

    @property
    def even(self) -> bool:
        """Whether no mean is ahead."""
        return not self.effects.any()

    @property
    def beyond(self) -> str:
        """What it means that one is better, for sentences."""
        return f"by more than {format_plain(self.rope)} in mean score"

    @property
    def remark(self) -> str:
        """Why degenerate data are answered as they are."""
        if self.get_or_default("ss_error", None) != 0:
            return ""
        return "No residual is left to measure luck by: the means are believed as they are; look for a mistake in the data."
