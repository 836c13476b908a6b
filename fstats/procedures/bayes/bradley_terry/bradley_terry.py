"""Bayesian Bradley-Terry model of wins on data sets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal, Self

import numpy as np

from ....core.number_format import format_plain
from ....core.numerics.floating_point_ties import noise_free_difference
from ....core.step import input_field, step
from ....core.unit_of_analysis import DEFAULT_UNIT, UnitOfAnalysis
from ....core.validation import check
from ....core.value_types import Array, Value
from ...limited_number import limited
from ...multiple.many_classifiers import classifier_labels
from ...posthoc.posthoc_comparison import pair_positions
from ..fold_differences import wins_by_folds
from ..pairwise_rope_comparison import PairwiseRopeComparison
from ..rope_comparison import BETTER
from .ability_posterior import POINT_SET_COUNT, AbilityPosteriorBatch
from .preference_counts import PairCounts, counts_from_judgements, counts_from_matrix, disconnected_graph_note

NULL_VALUE = 0.5  # probability that a classifier wins against an equally good classifier
ELO = 400 / np.log(10)  # Elo points per unit of ability (400 Elo points mean odds of ten to one)
PRIOR = "prior of ln sigma with standard deviation {}"
MIN_EFFECTIVE_SHARE = 0.05  # minimum share of effective points; below it, a note says that the results are imprecise


MIN_POINTS, MAX_POINTS = 1_000, 1_000_000
MAX_LOG_SD = 2.0  # maximum prior standard deviation of ln sigma: then two standard deviations are a factor of 55 in sigma

# checks the total number of points in all point sets
point_count = check.single_number(check.count(MIN_POINTS, MAX_POINTS, "or it takes too long"))


half_share = limited(check.single_number(check.nonnegative), lambda x: x < 0.5, "a share of data sets below 0.5")
_log_sd_limit = f"at most {MAX_LOG_SD:g} (sigma is then between 1/50 and 50)"
log_prior_sd = limited(check.single_number(check.positive), lambda x: x <= MAX_LOG_SD, _log_sd_limit)


class BradleyTerry(UnitOfAnalysis, PairwiseRopeComparison):
    r"""Bayesian Bradley-Terry model: how probable is it that a classifier beats another classifier on the next data set?

    Origin: variant, of Wainer (2023): each comparison has the weight 3 / (k + 1), and a tie counts half; evidence: the
    simulations in the notes.

    Each classifier has an ability :math:`\beta_j`.  The probability that classifier j beats classifier l depends on the difference of
    their abilities,

    .. math:: \pi_{jl} = \frac{e^{\beta_j}}{e^{\beta_j} + e^{\beta_l}}, \qquad \beta_j \sim N(0, \sigma^2), \qquad
        \ln \sigma \sim N(0, \tau^2).

    The data are the numbers of wins and losses of each pair over data sets.  The model uses only the order of the scores on each data set,
    so the scores of different data sets need no common unit.  The region of practical equivalence is the same for every metric:
    :math:`|\pi_{jl} - 1/2| \leq r`.

    If people (or models) state which of two systems they prefer, use :meth:`from_wins` or :meth:`from_judgements`.

    Parameters
    ----------
    scores : array_like or DataFrame, shape (N, k) or (N, k, ...)
        Scores of k >= 2 classifiers (columns) on N >= 2 data sets (rows), any unit.  Further axes are independent repetitions.
    labels : list of str, optional
        Names of the classifiers.  Default: a DataFrame's column names, or A, B, C, ...
    data_sets : list of str, optional
        Names of the data sets.  Default: the index of a DataFrame.
    higher_is_better : bool
        False for errors and losses.
    metric, unit : str
        Name of the scores; unit of a comparison if it is not a data set, such as "judgement".
    rope : float
        Half the width of the region of practical equivalence, as a share of data sets below 1/2: with 0.05 two classifiers are equivalent
        if one beats the other on 45 to 55 of 100 data sets.
    counted : {"dependent", "independent"}
        Whether the comparisons of one data set count as dependent or independent, see Notes; the source (Wainer 2023) uses "independent".
    tau : float
        Standard deviation of the prior of :math:`\ln \sigma`, above 0 and at most 2.
    alpha : float
        The decision is for a region if the probability of the region is at least 1 - alpha.  Credible intervals have probability 1 -
        alpha.
    points : int
        Number of weighted points, from 1,000 to a million.

    Notes
    -----
    **The comparisons of one data set are dependent.**  The model of the source assumes that the k (k - 1) / 2 comparisons of a data set
    are independent.  In fact they depend on each other: on a data set that suits A, A wins all of its comparisons.  If all classifiers
    are equal, the difference in wins of two classifiers has the variance N k (k + 1) / 6, but the model assumes N k / 2.  "dependent"
    gives each comparison the weight 3 / (k + 1), so that the posterior has the right width (a composite likelihood, Varin, Reid and Firth
    2011; for k = 2 nothing changes).  In simulations of tables with 10 and 40 data sets and 12 equal classifiers, "independent" declared
    a winner of at least one pair in 96 % and 88 % of the tables, "dependent" in 15 % and 10 %.  With 5 classifiers "independent" declared
    a winner in 38 % and 29 %, "dependent" in 11 % and 8 %.  With different abilities, 95 % intervals of "independent" contained the true
    probability for 67 % of all pairs of 12 classifiers and 85 % of all pairs of 5; intervals of "dependent" for 96 % in both cases
    (``test_bradley_terry.py``).

    A **tie** counts as half a win for either classifier.  (The program of the model's author rounds half of an odd number of ties up, for
    both classifiers.)  A difference within rounding noise is a tie.  :meth:`from_results` can also count differences within the variation
    between folds as ties.

    The posterior is computed on `points` weighted Halton points, with :math:`\sigma` on a grid, not by a Markov chain.  `mc_error` is the
    standard error of the probabilities.  The model guarantees no error rate for repeated use, neither for one pair nor for all of them.

    Raises
    ------
    ValueError, TypeError
        As for :class:`fstats.Friedman`; for a rope outside [0, 1/2), or too few or too many points.

    References
    ----------
    Wainer (2023), A Bayesian Bradley-Terry model to compare multiple ML algorithms on multiple data sets, Journal of Machine Learning
    Research 24, article 341.  Varin, Reid and Firth (2011), An overview of composite likelihood methods, Statistica Sinica 21,
    pages 5 to 42.

    Examples
    --------
    A is better on 3 of 4 data sets.  The prior shrinks the estimate 3/4 towards 1/2.

    >>> import fstats
    >>> test = fstats.BradleyTerry([[3, 1], [5, 2], [4, 3], [1, 2]])
    >>> print(*test.pairs, test.wins, test.losses, test.estimates.round(2))
    A – B [3] [1] [0.64]
    """

    null_value = NULL_VALUE

    @property
    def xlabel(self) -> str:  # type: ignore[override]
        """Axis label of the expected values."""
        return self.with_unit_words("chance to win the next data set")

    in_report: ClassVar[Mapping[str, str]] = {"k": "k = {} classifiers", "comparisons": "{} comparisons of two", "tau": PRIOR}

    rope: float = input_field(
        "r", "Half the width of the region of equivalence, as a share of data sets.", check=half_share, default=0.05, kw_only=True
    )
    counted: Literal["dependent", "independent"] = input_field(
        r"\text{counted}", "How the comparisons of one data set count: as dependent or as independent.", default="dependent", kw_only=True
    )
    tau: float = input_field(r"\tau", "Standard deviation of the prior of ln(sigma).", check=log_prior_sd, default=0.5, kw_only=True)
    points: int = input_field("m", "Number of weighted points.", check=point_count, default=2**15, kw_only=True)

    @classmethod
    def from_results(cls, results: Any, *, local: float | None = None, **settings: Any) -> Self:
        """Create the model from results; a mean difference of at most `local` fold standard deviations is a tie (0.4 in the source)."""
        if local is None:
            return cls(results, **settings)
        return cls.from_steps(**PairCounts(*wins_by_folds(results, check.nonnegative(local, "local"), cls.__name__))._asdict(), **settings)

    @classmethod
    def from_wins(cls, wins: Any, *, ties: Any = None, labels: Any = None, **settings: Any) -> Self:
        """Create the model from counts of preferences, each one judgement: ``BradleyTerry.from_wins([[0, 30], [20, 0]])``.

        Parameters
        ----------
        wins : array_like or DataFrame, shape (k, k)
            ``wins[i][j]`` is the number of times that system i (row) was preferred to system j (column); the diagonal is zero.
        ties : array_like, shape (k, k), optional
            Number of ties of each pair: a symmetric table, or a table with only one half filled in.
        labels : list of str, optional
            Names of the systems.  Default: a DataFrame's column names, or A, B, C, ...
        **settings
            See the class.  Each judgement is an independent comparison (``counted="independent"``), and sentences refer to judgements
            (`unit`).  If the same people or questions occur several times, judgements are less independent, and the intervals are too
            short.
        """
        return cls._from_counts(counts_from_matrix(wins, ties, labels), settings)

    @classmethod
    def from_judgements(cls, judgements: Any, **settings: Any) -> Self:
        """Create the model from single judgements: ``BradleyTerry.from_judgements([("A", "B"), ("A", "C", True)])``.

        Parameters
        ----------
        judgements : list or DataFrame
            Each judgement is ``(winner, loser)`` or ``(winner, loser, tie)`` with `tie` True or False; or a DataFrame with these columns.
        """
        return cls._from_counts(counts_from_judgements(judgements), settings)

    @classmethod
    def _from_counts(cls, counts: PairCounts, settings: Mapping[str, Any]) -> Self:
        if unused := settings.keys() & {"higher_is_better", "metric", "scores", "data_sets"}:
            listed = ", ".join(sorted(unused))
            raise TypeError(f"{listed} can be used only with scores; got winners. Leave out {listed}.")
        return cls.from_steps(**counts._asdict(), **({"counted": "independent", "unit": "judgement"} | dict(settings)))

    @step("w_h", r"\#\{i : j \text{ better than } l\} <- $scores $pairs $labels $higher_is_better", over="h", check=check.counts)
    def wins(self) -> Array:
        """Number of data sets on which the first classifier of the pair is better."""
        return (self._sides_of_pairs() > 0).sum(0)

    @step("v_h", r"\#\{i : l \text{ better than } j\} <- $scores $pairs $labels $higher_is_better", over="h", check=check.counts)
    def losses(self) -> Array:
        """Number of data sets on which the second classifier of the pair is better."""
        return (self._sides_of_pairs() < 0).sum(0)

    @step("t_h", r"\#\{i : j \text{ as good as } l\} <- $scores $pairs $labels $higher_is_better", over="h", check=check.counts)
    def ties(self) -> Array:
        """Number of data sets on which both classifiers of the pair are equally good."""
        return (self._sides_of_pairs() == 0).sum(0)

    def _sides_of_pairs(self) -> Array:
        """Return, for each data set and pair, a number that is positive if the first classifier of the pair is better."""
        first, second = pair_positions(self.pairs, classifier_labels(self))
        better = self.scores if self.higher_is_better else -self.scores
        return np.asarray(noise_free_difference(better[:, first], better[:, second]))

    @step("m", r"\sum_h ($wins + $losses + $ties)", check=check.counts)
    def comparisons(self) -> Value:
        """Number of comparisons of two classifiers."""
        return (self.wins + self.losses + self.ties).sum(0)

    @step("c", {"dependent": r"\frac{3}{$k + 1}", "independent": "1"}, by="counted", check=check.positive)
    def worth(self) -> float:
        """Weight of a comparison: 1 for independent comparisons, smaller if the comparisons of one data set are dependent."""
        return 3 / (self.k + 1) if self.counted == "dependent" else 1.0

    @step("a_h", r"$worth \left($wins + \frac{$ties}{2}\right)", over="h", check=check.nonnegative)
    def won(self) -> Array:
        """Weighted wins of the first classifier of the pair, including half of the ties."""
        return self.worth * (self.wins + self.ties / 2)

    @step("b_h", r"$worth \left($losses + \frac{$ties}{2}\right)", over="h", check=check.nonnegative)
    def lost(self) -> Array:
        """Weighted wins of the second classifier of the pair, including half of the ties."""
        return self.worth * (self.losses + self.ties / 2)

    @step(
        r"(\beta_j, \sigma)",
        r"\prod_h \pi_h^{$won} (1 - \pi_h)^{$lost} \prod_j N(\beta_j; 0, \sigma^2)\, N(\ln \sigma; 0, $tau^2) <- $k $points",
        relation=r"\sim",
    )
    def posterior(self) -> AbilityPosteriorBatch:
        """Posterior of the abilities and of their spread."""
        return AbilityPosteriorBatch(self.won, self.lost, self.k, self.tau, self.points)

    @step(r"E[\beta_j]", r"\text{mean of } \beta_j \text{ less that of all } <- $posterior", over="j")
    def abilities(self) -> Array:
        """Expected ability of each classifier; only differences of abilities have a meaning."""
        return np.asarray(self.posterior.evaluate(lambda posterior: posterior.abilities()))

    @step("e_j", r"\frac{400}{\ln 10}\,$abilities", over="j")
    def elo(self) -> Array:
        """Ability on the Elo scale, with mean 0: 400 points more are odds of ten to one."""
        return ELO * self.abilities

    @step(r"e^-_j", r"\frac{$alpha}{2} \text{ of } e_j \text{ lies below } <- $posterior", over="j")
    def elo_low(self) -> Array:
        """Lower end of the credible interval of the Elo rating."""
        return np.asarray(ELO * self.posterior.evaluate(lambda posterior: posterior.ability_intervals(self.alpha)[0]))

    @step(r"e^+_j", r"\frac{$alpha}{2} \text{ of } e_j \text{ lies above } <- $posterior", over="j")
    def elo_high(self) -> Array:
        """Upper end of the credible interval of the Elo rating."""
        return np.asarray(ELO * self.posterior.evaluate(lambda posterior: posterior.ability_intervals(self.alpha)[1]))

    @step(r"P(\text{best}_j)", r"P(\beta_j = \max \beta) <- $posterior", over="j", check=check.probabilities)
    def best(self) -> Array:
        """Probability, for each classifier, that it has the largest ability."""
        return np.asarray(self.posterior.evaluate(lambda posterior: posterior.best_probabilities()))

    @step(r"E[\pi_h]", r"\text{mean of } \pi_h <- $posterior", over="h", check=check.probabilities)
    def estimates(self) -> Array:
        """Expected probability that the first classifier of the pair beats the second on the next data set like these."""
        return np.asarray(self.posterior.evaluate(lambda posterior: posterior.average(lambda p: p).mean(0)))

    @step("l_h", r"\frac{$alpha}{2} \text{ of } \pi_h \text{ lies below } <- $posterior", over="h", check=check.probabilities)
    def low(self) -> Array:
        """Lower end of the credible interval of the win probability."""
        return np.asarray(self.posterior.evaluate(lambda posterior: posterior.quantiles(self.alpha)[:, 0]))

    @step("u_h", r"\frac{$alpha}{2} \text{ of } \pi_h \text{ lies above } <- $posterior", over="h", check=check.probabilities)
    def high(self) -> Array:
        """Upper end of the credible interval of the win probability."""
        return np.asarray(self.posterior.evaluate(lambda posterior: posterior.quantiles(self.alpha)[:, 1]))

    @step(r"P(\pi_h > 1/2)", r"P(\pi_h > 1/2) <- $posterior", over="h", check=check.probabilities)
    def superior(self) -> Array:
        """Probability that the first classifier of the pair has the larger ability, by any amount."""
        return np.asarray(self.posterior.evaluate(lambda posterior: posterior.regions(0.0).mean(0)[:, BETTER]))

    _probabilities_formula = r"\left(P(\pi_h < 1/2 - $rope),\ P(\text{between}),\ P(\pi_h > 1/2 + $rope)\right) <- $posterior"

    @step("P_{hs}", _probabilities_formula, over="hs", check=check.probabilities)
    def probabilities(self) -> Array:
        """Probabilities for each pair: second classifier better, both practically equivalent, first classifier better."""
        return np.asarray(self.posterior.evaluate(lambda posterior: posterior.regions(self.rope).mean(0)))

    _mc_error_formula = rf"\text{{largest standard error of }} P_{{hs}} \text{{ by {POINT_SET_COUNT} sets of points }} <- $posterior $rope"

    @step(r"\mathrm{SE}_\mathrm{MC}", _mc_error_formula, check=check.nonnegative, after=True)
    def mc_error(self) -> Value:
        """Largest standard error of the probabilities, due to the finite number of points."""
        return self.posterior.evaluate(lambda posterior: posterior.regions(self.rope).std(0, ddof=1).max() / np.sqrt(POINT_SET_COUNT))

    # -- conclusion ----------------------------------------------------------------------------------------------------
    @property
    def ability(self) -> Array:
        """Expected abilities."""
        return self.abilities

    @property
    def is_tied(self) -> bool:
        """Whether the two classifiers of each pair have equally many wins."""
        return bool((self.won == self.lost).all())

    @property
    def better_meaning(self) -> str:
        """Meaning of "better", as the end of a sentence."""
        return f"on a share above {format_plain(NULL_VALUE + self.rope)} of data sets like these"

    @property
    def remark(self) -> str:
        """Notes on dependent comparisons, on pairs without any connection, and on imprecise points."""
        independence_note = "The comparisons of one data set count as independent, but they are not: the probabilities are too extreme."
        share = self.posterior.evaluate(lambda posterior: posterior.effective_sample_size) / self.points
        points_note = f"Only {100 * share:.2g} % of the points are effective, so the ends of intervals are imprecise: use more points."
        dependent = self.counted == "independent" and self.k > 2 and self.unit == DEFAULT_UNIT
        graph_note = disconnected_graph_note(np.asarray(self.won + self.lost) > 0, self.k)
        return " ".join(filter(None, (graph_note, independence_note * dependent, points_note * bool(share < MIN_EFFECTIVE_SHARE))))
