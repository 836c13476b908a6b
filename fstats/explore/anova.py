"""The explorer of two analyses of variance: pull the data sets apart, and see which test cares."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from .. import plot
from ..demonstrations.both_anovas import BothAnovas
from ..multiple.one_way_anova import OneWayAnova
from ..multiple.repeated_anova import RepeatedAnova
from ..number import plain
from ..picture import Picture
from .explorer import Explorer
from .slider import LEVEL, Slider

APART = Slider("apart", "Data sets lie apart", [tenths / 10 for tenths in range(31)], lambda factor: f"{plain(factor)} times as given")
MOST_STEPS = 20  # by which the last classifier becomes better or worse


class AnovaExplorer(Explorer[BothAnovas]):
    """Two sliders change the table: how far the data sets lie apart, and how good the last classifier is."""

    def __init__(self, scores: Any, labels: Any, alpha: float, step: float) -> None:
        given = RepeatedAnova(scores, labels)
        if given.scores.ndim != 2:
            raise ValueError(f"scores must be one table, without repetitions; got shape {given.scores.shape}")
        self._given, self._labels = given.scores, given.labels
        bonuses = [steps * step for steps in range(-MOST_STEPS, MOST_STEPS + 1)]
        self._bonus = Slider("bonus", f"Bonus for {self._labels[-1]}", bonuses, "{:+.4g}".format, -MOST_STEPS)
        super().__init__("Two analyses of variance with sliders", apart=APART.position(1.0), bonus=0, alpha=LEVEL.position(alpha))

    @property
    def sliders(self) -> Sequence[Slider[Any]]:
        """What changes the table, and the level."""
        return [APART, self._bonus, LEVEL]

    @property
    def test(self) -> BothAnovas:
        """Both analyses of the scores as they stand."""
        at = self.values
        of_datasets = self._given.mean(1, keepdims=True) - self._given.mean()
        scores = self._given + (at["apart"] - 1) * of_datasets
        scores[:, -1] += at["bonus"]
        alpha = at["alpha"]
        return BothAnovas(OneWayAnova(scores, self._labels, alpha=alpha), RepeatedAnova(scores, self._labels, alpha=alpha))

    def pictures(self, test: BothAnovas) -> Sequence[Picture]:
        """The scores, each data set a line, and both null distributions."""
        one_way = replace(plot.null(test.one_way), title="F, as if the columns were independent")
        return [plot.profiles(test.repeated), one_way, replace(plot.null(test.repeated), title="F, with data sets as blocks")]


def anova(scores: Any, labels: Any = None, *, alpha: float = 0.05, step: float = 0.01) -> AnovaExplorer:
    """Two analyses of variance of the same table with sliders: pull the data sets apart, help the last classifier.

    Parameters
    ----------
    scores : array_like or DataFrame, shape (N, k)
        Scores of the classifiers (columns) on the data sets (rows).
    labels : list of str, optional
        Names of the classifiers.
    alpha : float
        Level at the start: 0.001, 0.005, 0.01, 0.02, 0.05, 0.1 or 0.2.
    step : float
        How far one key press moves the last classifier.
    """
    return AnovaExplorer(scores, labels, alpha, step)
