"""The explorer of two analyses of variance: pull the data sets apart, and see which test cares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from .. import plot
from ..multiple.one_way_anova import OneWayAnova
from ..multiple.repeated_anova import RepeatedAnova
from ..number import p_beside, plain
from ..picture import Picture
from ..row import Row
from .explorer import Control, Explorer
from .pairs import LEVELS, position_of


@dataclass(frozen=True)
class BothAnovas:
    """The same scores, analysed as if independent, and as they are: in blocks."""

    one_way: OneWayAnova
    repeated: RepeatedAnova

    def worked(self) -> tuple[Row, ...]:
        """The rows of the repeated-measures analysis."""
        return tuple(row for row in self.repeated.worked() if row.kind != "conclusion")

    @property
    def conclusion(self) -> str:
        """What the two analyses decide, in one sentence."""
        one, two = ("rejects" if test.reject else "fails to reject" for test in (self.one_way, self.repeated))
        return (
            f"At alpha = {plain(self.repeated.alpha)} the one-way analysis {one} H0 (F = {plain(self.one_way.statistic)}, {p_beside(self.one_way.pvalue, self.one_way.alpha)}), "
            f"{'and' if one == two else 'but'} the one with data sets as blocks {two} it (F = {plain(self.repeated.statistic)}, {p_beside(self.repeated.pvalue, self.repeated.alpha)})."
        )


class AnovaExplorer(Explorer):
    """Two sliders change the table: how far the data sets lie apart, and how good the last classifier is."""

    def __init__(self, scores: Any, labels: Any, alpha: float, step: float) -> None:
        given = RepeatedAnova(scores, labels)
        if given.scores.ndim != 2:
            raise ValueError(f"scores must be one table, without repetitions; got shape {given.scores.shape}")
        self._given, self._labels, self.unit, self._level = given.scores, given.labels, step, position_of(alpha)
        super().__init__("Two analyses of variance with sliders")

    def _start(self) -> None:
        self._at = {"apart": 10, "bonus": 0, "alpha": self._level}

    def _take(self, moved: Mapping[str, int]) -> None:
        self._at |= moved

    @property
    def controls(self) -> Sequence[Control]:
        """The sliders as they stand."""
        at = self._at
        return [
            Control("apart", "Data sets lie apart", 0, 30, at["apart"], f"{plain(at['apart'] / 10)} times as given"),
            Control("bonus", f"Bonus for {self._labels[-1]}", -20, 20, at["bonus"], f"{at['bonus'] * self.unit:+.4g}"),
            Control("alpha", "Level alpha", 0, len(LEVELS) - 1, at["alpha"], plain(LEVELS[at["alpha"]])),
        ]

    @property
    def test(self) -> BothAnovas:  # type: ignore[override]
        """Both analyses of the scores as they stand."""
        of_datasets = self._given.mean(1, keepdims=True) - self._given.mean()
        scores = self._given + (self._at["apart"] / 10 - 1) * of_datasets
        scores[:, -1] += self._at["bonus"] * self.unit
        alpha = LEVELS[self._at["alpha"]]
        return BothAnovas(OneWayAnova(scores, self._labels, alpha=alpha), RepeatedAnova(scores, self._labels, alpha=alpha))

    def pictures(self, test: Any) -> Sequence[Picture]:
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
