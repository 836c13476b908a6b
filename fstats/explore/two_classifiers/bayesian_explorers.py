"""Interactive explorers of Bayesian comparisons of classifiers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ... import plot
from ...core.classifier_pair import series_names
from ...core.validation import check
from ...plot.drawing.picture import Picture
from ...procedures.bayes.bayesian_correlated_t import BayesianCorrelatedT
from ...procedures.bayes.bayesian_sign_test import PLACES, BayesianSignTest
from ..widgets import LEVEL_SLIDER, Explorer, Slider, step_slider
from .paired_scores_explorer import check_paired_scores

WIDTHS = 30  # number of steps of the slider for the width of the rope
REACH = 20  # number of steps of the slider on each side of a shift of 0
RHO = Slider("rho", "Correlation rho", (0.0, 0.05, 0.1, 0.2, 0.5))
PRIOR = Slider("prior", "Weight of the prior, in data sets", (0.0, 0.5, 1.0, 2.0, 5.0, 10.0))


def rope_slider(step: Any) -> Slider[float]:
    """Return the slider of half the width of the rope, in steps of this size."""
    return step_slider("rope", "Rope r", 0, WIDTHS, step, "±{:g}".format)


class RopeExplorer(Explorer[BayesianCorrelatedT]):
    """The correlated t-test with sliders for the width of the rope, a shift of all differences, the correlation, and the level."""

    question = "Does the difference matter, and how sure is the answer?"
    main_controls = ("rope", "shift", "rho")
    dragged = (("rope", 1, "p_rope"),)  # the point on the curve of the probability of equivalence

    def __init__(self, d: Any, rho: float, rope: float, step: float, alpha: float, labels: Any) -> None:
        self._original_differences = check.numbers(d, "d").ravel()
        self._labels = labels
        self._rope = rope_slider(step)
        self._shift = step_slider("shift", "Added to all differences", -REACH, REACH, step)
        start = self._positions_of_values(rope=rope, shift=0, rho=rho, alpha=alpha)
        super().__init__("The Bayesian correlated t-test with sliders", **start)

    @property
    def sliders(self) -> Sequence[Slider[Any]]:
        """Sliders for the rope, the shift of all differences, the correlation of the differences, and the level."""
        return [self._rope, self._shift, RHO, LEVEL_SLIDER]

    @property
    def test(self) -> BayesianCorrelatedT:
        """Comparison that is shown, newly computed."""
        at = self.values
        d = self._original_differences + at.pop("shift")
        return BayesianCorrelatedT(d, **at, labels=self._labels)

    def pictures(self, test: BayesianCorrelatedT) -> Sequence[Picture]:
        """Return the posterior with its three areas, and the three probabilities by the width of the rope."""
        return [plot.posterior(test), plot.by_rope(test, self._rope.values)]


class PriorExplorer(Explorer[BayesianSignTest]):
    """The Bayesian sign test with sliders for the rope, the strength of the prior and the region in which it lies, and the level."""

    question = "How much of the answer comes from the prior?"
    main_controls = ("rope", "prior", "place")
    dragged = (("rope", 1, "p_rope"),)  # the point on the curve of the probability of equivalence

    def __init__(self, a: Any, b: Any, rope: float, step: float, prior: float, place: str, alpha: float) -> None:
        self._a, self._b = check_paired_scores(a, b)
        self._labels = series_names(a, b)
        self._rope = rope_slider(step)
        self._prior_region: Slider[str] = Slider("place", f"In the prior's data sets, {(self._labels or ('A', 'B'))[0]} is", PLACES)
        start = self._positions_of_values(rope=rope, prior=prior, place=place, alpha=alpha)
        super().__init__("The Bayesian sign test with sliders", **start)

    @property
    def sliders(self) -> Sequence[Slider[Any]]:
        """Sliders for the rope, the prior, and the level."""
        return [self._rope, PRIOR, self._prior_region, LEVEL_SLIDER]

    @property
    def test(self) -> BayesianSignTest:
        """Comparison that is shown, newly computed."""
        return BayesianSignTest(self._a, self._b, **self.values, labels=self._labels)

    def pictures(self, test: BayesianSignTest) -> Sequence[Picture]:
        """Return the triangle of the three shares, and the three probabilities by the width of the rope."""
        return [plot.posterior(test), plot.by_rope(test, self._rope.values)]


def rope(d: Any, *, rho: float = 0.1, rope: float = 0.01, step: float = 0.001, alpha: float = 0.05, labels: Any = None) -> RopeExplorer:
    """Explore the Bayesian correlated t-test with sliders: what follows from a wider region of practical equivalence (rope)?

    Parameters
    ----------
    d : array_like, shape (n,)
        Score of A minus score of B on each split of one data set.
    rho : float
        Correlation at the start: 0, 0.05, 0.1, 0.2 or 0.5.
    rope : float
        Half the width of the rope at the start, a multiple of the step.
    step : float
        Change of the rope or of all differences with one key press; 30 steps for the rope, 20 steps to either side for the differences.
    alpha : float
        Level at the start: 0.001, 0.005, 0.01, 0.02, 0.05, 0.1 or 0.2.
    labels : list of str, optional
        Names of the two classifiers.
    """
    return RopeExplorer(d, rho, rope, step, alpha, labels)


def prior(
    a: Any, b: Any, *, rope: float = 0.01, step: float = 0.001, prior: float = 1.0, place: str = "equivalent", alpha: float = 0.05
) -> PriorExplorer:
    """Explore the Bayesian sign test with sliders for the rope and the prior: how much do the data still say?

    Parameters
    ----------
    a, b : array_like
        Scores of two classifiers on the same data sets.
    rope : float
        Half the width of the rope at the start, a multiple of the step.
    step : float
        Change of the rope with one key press; 30 steps.
    prior : float
        Weight of the prior at the start, in data sets: 0, 0.5, 1, 2, 5 or 10.
    place : str
        Result on the prior's data sets at the start: "worse", "equivalent" or "better".
    alpha : float
        Level at the start: 0.001, 0.005, 0.01, 0.02, 0.05, 0.1 or 0.2.
    """
    return PriorExplorer(a, b, rope, step, prior, place, alpha)
