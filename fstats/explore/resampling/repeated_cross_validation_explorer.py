"""Interactive explorer of tests after repeated cross-validation.

It shows type I errors of an exact test on the predictions of all repetitions.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...core.number_format import format_plain
from ...plot.drawing.picture import Picture
from ...plot.drawing.picture_marks import GREY, Curve, compared_rates
from ...studies.contingency.cross_validated_classifiers import LEARNERS
from ...studies.contingency.repeated_fold_study import FOLDS, REPEATS, stored
from ...studies.contingency.repeated_folds_procedure import RepeatedFolds
from ..widgets import Explorer, Slider

LEARNER = Slider("learner", "Learner", tuple(LEARNERS))
FOLDS_K = Slider("folds", "Folds K", FOLDS)
REPEATS_L = Slider("repeats", "Repetitions L", REPEATS)


class RepeatedCrossValidationExplorer(Explorer[RepeatedFolds]):
    """Sliders for the learner, the number of folds K and the number of repetitions L."""

    question = "Can the exact test use counts from cross-validation?"
    main_controls = ("learner", "folds", "repeats")
    dragged = (("repeats", 0, "naive"),)  # the rejection rate of the exact test

    sliders = (LEARNER, FOLDS_K, REPEATS_L)

    def __init__(self, learner: str, folds: int, repeats: int) -> None:
        cell = stored().cell(learner, folds, repeats)  # raises a ValueError if there are no stored results for the settings
        first = self._positions_of_values(learner=learner, folds=folds, repeats=repeats)
        super().__init__(f"K-fold cross-validation, repeated L times, on {cell.naive.repetitions} data sets", **first)

    @property
    def test(self) -> RepeatedFolds:
        """Stored results that belong to the values of the sliders."""
        return RepeatedFolds(**self.values)

    def pictures(self, test: RepeatedFolds) -> Sequence[Picture]:
        """Return the picture of the rejection rates of both tests for a true H0, by the number of repetitions L."""
        return [rejection_rate_by_repetitions_plot(test)]


def rejection_rate_by_repetitions_plot(test: RepeatedFolds) -> Picture:
    """Draw the rejection rates for a true H0, by the number of repetitions.

    >>> rejection_rate_by_repetitions_plot(RepeatedFolds(10, 1))
    [picture: Share of data sets on which a true H0 is rejected, by the number of repetitions L. With 1: exact test ..., corrected ...]
    """
    cells = [stored().cell(test.learner, test.folds, repeats) for repeats in REPEATS]
    x, naive, corrected = (
        np.array(values, float) for values in (REPEATS, [c.naive.rate for c in cells], [c.corrected.rate for c in cells])
    )
    at = np.array([float(test.repeats)])
    chosen = {"exact test, all L N": test.naive, "corrected t-test": test.corrected}
    marks = compared_rates(Curve(np.array([0.0, 32.0]), np.full(2, 0.05), GREY), x, naive, corrected, at, chosen)
    opening = "Share of data sets on which a true H0 is rejected, by the number of repetitions L"
    text = f"{opening}. With {test.repeats}: exact test {format_plain(test.naive, 3)}, corrected {format_plain(test.corrected, 3)}."
    title = f"True H0 rejected: {test.learner}, K = {test.folds}"
    return Picture(title, "repetitions L", "share of data sets", (0.0, 32.0), (0.0, 0.52), marks, text, whole_x=True)


def repeated_folds(*, learner: str = "nearest mean", folds: int = 10, repeats: int = 1) -> RepeatedCrossValidationExplorer:
    """Explore the exact test after K-fold cross-validation, repeated L times, with sliders over the stored study.

    Parameters
    ----------
    learner : str
        Learner at the start: "nearest mean", "naive Bayes", "1-nearest neighbour" or "decision stump".
    folds : int
        Number of folds K at the start: 2, 5 or 10.
    repeats : int
        Number of repetitions L at the start: 1, 2, 5, 10 or 30.
    """
    return RepeatedCrossValidationExplorer(learner, folds, repeats)
