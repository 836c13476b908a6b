"""The Bayesian Bradley-Terry model: many classifiers, by who beats whom on how many data sets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np

from ....core.number_format import format_plain
from ....core.numerics.floating_point_ties import noise_free_difference
from ....core.step import input_field, step
from ....core.unit_of_analysis import DEFAULT_UNIT, UnitOfAnalysis
from ....core.validation import check
from ....core.value_types import Array, Value
from ...multiple.many_classifiers import classifier_labels
from ...posthoc.posthoc_comparison import pair_positions
from ..fold_differences import wins_by_folds
from ..pairwise_rope_comparison import PairwiseRopeComparison
from ..rope_comparison import BETTER
from .ability_posterior import POINT_SET_COUNT, AbilityPosteriorBatch
from .bradley_terry_input_checks import half_share, log_prior_sd, point_count
from .preference_counts import PairCounts, PreferenceModel, disconnected_graph_note

MIDDLE = 0.5  # the chance of equals
ELO = 400 / np.log(10)  # points of an Elo rating for a unit of ability: 400 are odds of ten to one
PRIOR = "prior of ln sigma with standard deviation {}"
FEW = 0.05  # of the points: with less weight they are rough


class BradleyTerry(PreferenceModel, UnitOfAnalysis, PairwiseRopeComparison):
    r"""Bayesian Bradley-Terry model: how probable is it that a classifier beats another on the next data set, and by how much?

    Each classifier has an ability :math:`\beta_j`, and the chance to beat another hangs on how far the two lie apart,

    .. math:: \pi_{jl} = \frac{e^{\beta_j}}{e^{\beta_j} + e^{\beta_l}}, \qquad \beta_j \sim N(0, \sigma^2), \qquad
        \ln \sigma \sim N(0, \tau^2).

    What the data tell is who beat whom on how many data sets, for each pair.  Only orders count, so that the scores of different data
    sets need no common unit, and the region of practical equivalence is the same for every metric: :math:`|\pi_{jl} - 1/2| \leq r`.

    Preferences, where people (or models) judged two systems at a time, start from :meth:`from_wins` or :meth:`from_judgements`.

    Parameters
    ----------
    scores : array_like or DataFrame, shape (N, k) or (N, k, ...)
        Scores of k >= 2 classifiers (columns) on N >= 2 data sets (rows), any unit.  Further axes are independent repetitions.
    labels : list of str, optional
        Names of the classifiers; by default a DataFrame's column names, or A, B, C, ...
    data_sets : list of str, optional
        Names of the data sets; by default those in a DataFrame's index.
    higher_is_better : bool
        False for errors and losses.
    metric, unit : str
        What the scores are; what a comparison is of, where it is no data set, such as "judgement".
    rope : float
        Half the width of the region of practical equivalence, a share of data sets below 1/2: with 0.05 two classifiers are equivalent if
        one beats the other on 45 to 55 of 100 data sets.
    counted : {"dependent", "independent"}
        What the comparisons of one data set are worth, see below; "independent" is the source's model.
    tau : float
        How wide the prior of :math:`\ln \sigma` is, above 0 and at most 2.
    alpha : float
        A region is decided for if its probability is at least 1 - alpha; the credible intervals leave so much outside.
    points : int
        How many weighted points, from 1,000 to a million.

    Notes
    -----
    **Comparisons of a data set hang together.**  The model takes the k (k - 1) / 2 comparisons of a data set for independent, but one
    that suits A lets A win all of its comparisons.  Where all classifiers are alike the wins of two of them differ with the variance
    N k (k + 1) / 6, the model thinks N k / 2.  "dependent" lets each comparison count for 3 / (k + 1), so that the posterior is as wide as
    wins stray (a composite likelihood, Varin, Reid and Firth 2011; with k = 2 nothing changes).  In simulations of tables with 10 and 40
    data sets "independent" decided for a winner of some pair among 12 classifiers that are all alike in 96 % and 88 % of the tables,
    "dependent" in 15 % and 10 %; among 5 in 38 % and 29 % against 11 % and 8 %.  Where abilities differed, intervals of 95 % held the
    true chance in 67 % and in 96 % of all pairs of 12, in 85 % and 96 % of 5 (``test_bradley_terry.py``).

    A **tie** counts as half a win of either.  (The program of the model's author gives an odd number of ties to both sides rounded up.)
    A difference so small that only rounding makes it is a tie.  :meth:`from_results` also calls a tie what the folds do not tell apart.

    No chain of draws is run: `points` Halton points get weights, the prior's :math:`\sigma` lies on a grid; by `mc_error` the
    probabilities stray.  Nothing is promised of repeated use, for one pair or for all of them together.

    Raises
    ------
    ValueError, TypeError
        As for :class:`fstats.Friedman`; for a rope outside [0, 1/2), points that are too few or too many.

    References
    ----------
    Wainer (2023), A Bayesian Bradley-Terry model to compare multiple ML algorithms on multiple data sets, Journal of Machine Learning
    Research 24, article 341.  Varin, Reid and Firth (2011), An overview of composite likelihood methods, Statistica Sinica 21,
    pages 5 to 42.

    Examples
    --------
    A wins 3 times of 4.  The prior draws 3/4 towards 1/2.

    >>> import fstats
    >>> test = fstats.BradleyTerry([[3, 1], [5, 2], [4, 3], [1, 2]])
    >>> print(*test.pairs, test.wins, test.losses, test.estimates.round(2))
    A – B [3] [1] [0.64]
    """

    middle = MIDDLE

    @property
    def xlabel(self) -> str:  # type: ignore[override]
        """What is expected of a pair, for a picture."""
        return self.with_unit_words("chance to win the next data set")

    in_report: ClassVar[Mapping[str, str]] = {"k": "k = {} classifiers", "comparisons": "{} comparisons of two", "tau": PRIOR}

    rope: float = input_field(
        "r", "Half the width of the region of equivalence, as a share of data sets.", check=half_share, default=0.05, kw_only=True
    )
    counted: str = input_field(
        r"\text{counted}",
        "Whether the comparisons of a data set count as independent.",
        check=check.choice("dependent", "independent"),
        default="dependent",
        kw_only=True,
    )
    tau: float = input_field(r"\tau", "Standard deviation of the prior of ln(sigma).", check=log_prior_sd, default=0.5, kw_only=True)
    points: int = input_field("m", "So many weighted points.", check=point_count, default=2**15, kw_only=True)

    @classmethod
    def from_results(cls, results: Any, *, local: float | None = None, **settings: Any) -> Self:
        """The model by results; a pair ties where its mean difference is at most `local` deviations over folds (the source: 0.4)."""
        if local is None:
            return cls(results, **settings)
        return cls.from_steps(**PairCounts(*wins_by_folds(results, check.nonnegative(local, "local"), cls.__name__))._asdict(), **settings)

    @step("w_h", r"\#\{i : j \text{ better than } l\} <- $scores $pairs $labels $higher_is_better", over="h", check=check.counts)
    def wins(self) -> Array:
        """On so many data sets the first of the pair is better."""
        return (self._sides_of_pairs() > 0).sum(0)

    @step("v_h", r"\#\{i : l \text{ better than } j\} <- $scores $pairs $labels $higher_is_better", over="h", check=check.counts)
    def losses(self) -> Array:
        """On so many the second is."""
        return (self._sides_of_pairs() < 0).sum(0)

    @step("t_h", r"\#\{i : j \text{ as good as } l\} <- $scores $pairs $labels $higher_is_better", over="h", check=check.counts)
    def ties(self) -> Array:
        """On so many neither is."""
        return (self._sides_of_pairs() == 0).sum(0)

    def _sides_of_pairs(self) -> Array:
        """For each data set and pair a number that is positive where the first is better."""
        first, second = pair_positions(self.pairs, classifier_labels(self))
        better = self.scores if self.higher_is_better else -self.scores
        return np.asarray(noise_free_difference(better[:, first], better[:, second]))

    @step("m", r"\sum_h ($wins + $losses + $ties)", check=check.counts)
    def comparisons(self) -> Value:
        """Number of comparisons of two classifiers."""
        return (self.wins + self.losses + self.ties).sum(0)

    @step("c", {"dependent": r"\frac{3}{$k + 1}", "independent": "1"}, by="counted", check=check.positive)
    def worth(self) -> float:
        """What a comparison counts: 1 if all are independent, less where those of one data set hang together."""
        return 3 / (self.k + 1) if self.counted == "dependent" else 1.0

    @step("a_h", r"$worth \left($wins + \frac{$ties}{2}\right)", over="h", check=check.nonnegative)
    def won(self) -> Array:
        """What speaks for the first of the pair: its wins, and half of the ties."""
        return self.worth * (self.wins + self.ties / 2)

    @step("b_h", r"$worth \left($losses + \frac{$ties}{2}\right)", over="h", check=check.nonnegative)
    def lost(self) -> Array:
        """What speaks for the second."""
        return self.worth * (self.losses + self.ties / 2)

    @step(
        r"(\beta_j, \sigma)",
        r"\prod_h \pi_h^{$won} (1 - \pi_h)^{$lost} \prod_j N(\beta_j; 0, \sigma^2)\, N(\ln \sigma; 0, $tau^2) <- $k $points",
        relation=r"\sim",
    )
    def posterior(self) -> AbilityPosteriorBatch:
        """What is believed of the abilities and of their spread, up to a factor."""
        return AbilityPosteriorBatch(self.won, self.lost, self.k, self.tau, self.points)

    @step(r"E[\beta_j]", r"\text{mean of } \beta_j \text{ less that of all } <- $posterior", over="j")
    def abilities(self) -> Array:
        """Expected ability of each classifier; only differences of abilities mean something."""
        return np.asarray(self.posterior.ask(lambda one: one.abilities()))

    @step("e_j", r"\frac{400}{\ln 10}\,$abilities", over="j")
    def elo(self) -> Array:
        """Ability on the scale of Elo's ratings, 0 on the average: 400 points more are odds of ten to one."""
        return ELO * self.abilities

    @step(r"e^-_j", r"\frac{$alpha}{2} \text{ of } e_j \text{ lies below } <- $posterior", over="j")
    def elo_low(self) -> Array:
        """Lower end of its credible interval."""
        return np.asarray(ELO * self.posterior.ask(lambda one: one.ends(self.alpha)[0]))

    @step(r"e^+_j", r"\frac{$alpha}{2} \text{ of } e_j \text{ lies above } <- $posterior", over="j")
    def elo_high(self) -> Array:
        """Upper end of it."""
        return np.asarray(ELO * self.posterior.ask(lambda one: one.ends(self.alpha)[1]))

    @step(r"P(\text{best}_j)", r"P(\beta_j = \max \beta) <- $posterior", over="j", check=check.probabilities)
    def best(self) -> Array:
        """Probability that no classifier is more able."""
        return np.asarray(self.posterior.ask(lambda one: one.best()))

    @step(r"E[\pi_h]", r"\text{mean of } \pi_h <- $posterior", over="h", check=check.probabilities)
    def estimates(self) -> Array:
        """Expected chance that the first of the pair beats the second on the next data set like these."""
        return np.asarray(self.posterior.ask(lambda one: one.average(lambda chance: chance).mean(0)))

    @step("l_h", r"\frac{$alpha}{2} \text{ of } \pi_h \text{ lies below } <- $posterior", over="h", check=check.probabilities)
    def low(self) -> Array:
        """Lower end of the credible interval of that chance."""
        return np.asarray(self.posterior.ask(lambda one: one.quantiles(self.alpha)[:, 0]))

    @step("u_h", r"\frac{$alpha}{2} \text{ of } \pi_h \text{ lies above } <- $posterior", over="h", check=check.probabilities)
    def high(self) -> Array:
        """Upper end of it."""
        return np.asarray(self.posterior.ask(lambda one: one.quantiles(self.alpha)[:, 1]))

    @step(r"P(\pi_h > 1/2)", r"P(\pi_h > 1/2) <- $posterior", over="h", check=check.probabilities)
    def superior(self) -> Array:
        """Probability that the first of the pair is the more able one, by however little."""
        return np.asarray(self.posterior.ask(lambda one: one.regions(0.0).mean(0)[:, BETTER]))

    @step(
        "P_{hs}",
        r"\left(P(\pi_h < 1/2 - $rope),\ P(\text{between}),\ P(\pi_h > 1/2 + $rope)\right) <- $posterior",
        over="hs",
        check=check.probabilities,
    )
    def probabilities(self) -> Array:
        """Probability that the second is better, that both are equivalent in practice, that the first is better."""
        return np.asarray(self.posterior.ask(lambda one: one.regions(self.rope).mean(0)))

    @step(
        r"\mathrm{SE}_\mathrm{MC}",
        rf"\text{{largest standard error of }} P_{{hs}} \text{{ by {POINT_SET_COUNT} sets of points }} <- $posterior $rope",
        check=check.nonnegative,
        after=True,
    )
    def mc_error(self) -> Value:
        """How far the probabilities stray because points stand for the whole posterior."""
        return self.posterior.ask(lambda one: one.regions(self.rope).std(0, ddof=1).max() / np.sqrt(POINT_SET_COUNT))

    # -- in words ------------------------------------------------------------------------------------------------------
    @property
    def ability(self) -> Array:
        """The expected abilities."""
        return self.abilities

    @property
    def even(self) -> bool:
        """Whether each pair is."""
        return bool((self.won == self.lost).all())

    @property
    def beyond(self) -> str:
        """What it means that one is better, for sentences."""
        return f"on a share above {format_plain(MIDDLE + self.rope)} of data sets like these"

    @property
    def remark(self) -> str:
        """What the decisions are worth, and where the points are rough."""
        too_sure = "The comparisons of one data set count as independent, which they are not: the probabilities are too sure."
        share = self.posterior.ask(lambda one: one.effective) / self.points
        rough = f"Only {100 * share:.2g} % of the points carry weight, so that ends of intervals are rough: take more points."
        dependent = self.counted == "independent" and self.k > 2 and self.unit == DEFAULT_UNIT
        few = disconnected_graph_note(np.asarray(self.won + self.lost) > 0, self.k)
        return " ".join(filter(None, (few, too_sure * dependent, rough * bool(share < FEW))))
