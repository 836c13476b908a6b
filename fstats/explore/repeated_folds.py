"""The explorer of repeated cross-validation: what the exact test does with all L N classifications, from the stored study."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .. import check
from ..number import plain
from ..picture import BLUE, GREY, VERMILLION, Curve, Picture, Points
from ..procedure import Procedure
from ..step import given, step
from ..studies.contingency.folds import DATA_SETS, FOLDS, RECORDS, REPEATS, Cell, standard_error, stored
from ..studies.contingency.learners import LEARNERS
from .explorer import Control, Explorer


class RepeatedFolds(Procedure):
    """Repeated folds: what does the exact test do with the L N classifications of K-fold cross-validation, if H0 is true?

    A learner is compared with itself on other features of the same law, so that both are equally good; 2,000 data sets of 120 records.
    """

    folds: int = given("K", "Folds of each cross-validation.", check=check.count(2))
    repeats: int = given("L", "Repetitions of the cross-validation, each with another random partition.", check=check.count(1))
    learner: str = given(r"\text{learner}", "What is trained.", check=check.one_of(*LEARNERS), default="nearest mean", kw_only=True)

    @step("L N", rf"$repeats \cdot {RECORDS}")
    def classifications(self) -> int:
        """Classifications of each system, which the exact test takes for independent."""
        return self.repeats * RECORDS

    @step("P_1", r"P(\text{exact test rejects}); \ $folds, $repeats, $learner")
    def naive(self) -> float:
        """Share of the data sets on which the exact test on all classifications rejects at 0.05, though both are equally good."""
        return self._cell.rate

    @step(r"\mathrm{SE}_1", r"\text{Monte Carlo standard error of } P_1; \ $folds, $repeats, $learner")
    def naive_se(self) -> float:
        """How far that share strays by chance."""
        return standard_error(self._cell.naive, self._cell.data_sets)

    @step("W", r"L N\,\frac{\sum (s + f)}{\sum (s - f)^2} \text{ over data sets}; \ $folds, $repeats, $learner")
    def worth(self) -> float:
        """How many independent classifications they are worth: of so many, s - f would stray as far as it does."""
        return self._cell.worth

    @step("P_2", r"P(\text{corrected t-test rejects}); \ $folds, $repeats, $learner")
    def corrected(self) -> float:
        """The same share for the corrected t-test on the K L differences."""
        return self._cell.corrected_rate

    @step(r"\mathrm{SE}_2", r"\text{Monte Carlo standard error of } P_2; \ $folds, $repeats, $learner")
    def corrected_se(self) -> float:
        """How far that share strays by chance."""
        return standard_error(self._cell.corrected, self._cell.data_sets)

    @property
    def _cell(self) -> Cell:
        return stored().cell(self.learner, self.folds, self.repeats)

    @property
    def conclusion(self) -> str:
        """What the study shows, in words."""
        return (
            f"{self.learner}, {self.folds} folds, L = {self.repeats}: the exact test takes {self.classifications} classifications for independent; "
            f"they are worth {round(self.worth)}. It rejects a true H0 in {plain(100 * self.naive, 3)} % of {DATA_SETS} data sets "
            f"(corrected t-test: {plain(100 * self.corrected, 3)} %)."
        )


class RepeatedFoldsExplorer(Explorer):
    """Sliders for the learner, K and L."""

    def __init__(self, learner: str, folds: int, repeats: int) -> None:
        cell = stored().cell(learner, folds, repeats)  # which says what there is
        self._first = {"learner": list(LEARNERS).index(learner), "folds": FOLDS.index(folds), "repeats": REPEATS.index(repeats)}
        super().__init__(f"K-fold cross-validation, repeated L times, on {cell.data_sets} data sets")

    def _start(self) -> None:
        self._at = dict(self._first)

    def _take(self, moved: Mapping[str, int]) -> None:
        self._at |= moved

    @property
    def controls(self) -> Sequence[Control]:
        """The sliders as they stand."""
        at = self._at
        return [
            Control("learner", "Learner", 0, len(LEARNERS) - 1, at["learner"], list(LEARNERS)[at["learner"]]),
            Control("folds", "Folds K", 0, len(FOLDS) - 1, at["folds"], plain(FOLDS[at["folds"]])),
            Control("repeats", "Repetitions L", 0, len(REPEATS) - 1, at["repeats"], plain(REPEATS[at["repeats"]])),
        ]

    @property
    def test(self) -> RepeatedFolds:  # type: ignore[override]
        """The stored results for the sliders as they stand."""
        at = self._at
        return RepeatedFolds(FOLDS[at["folds"]], REPEATS[at["repeats"]], learner=list(LEARNERS)[at["learner"]])

    def pictures(self, test: Any) -> Sequence[Picture]:
        """How often each test rejects a true H0, by L."""
        return [rejected_by_repeats(test)]


def rejected_by_repeats(test: RepeatedFolds) -> Picture:
    """How often a true H0 is rejected, by the number of repetitions.

    >>> rejected_by_repeats(RepeatedFolds(10, 1))
    [picture: Share of data sets on which a true H0 is rejected, by the number of repetitions L. With 1: exact test ..., corrected ...]
    """
    cells = [stored().cell(test.learner, test.folds, repeats) for repeats in REPEATS]
    x, naive, corrected = (np.array(values, float) for values in (REPEATS, [c.rate for c in cells], [c.corrected_rate for c in cells]))
    at = np.array([float(test.repeats)])
    return Picture(
        title=f"True H0 rejected: {test.learner}, K = {test.folds}",
        xlabel="repetitions L",
        ylabel="share of data sets",
        xlim=(0.0, 32.0),
        ylim=(0.0, 0.52),
        marks=(
            Curve(np.array([0.0, 32.0]), np.full(2, 0.05), GREY),
            Curve(x, naive, VERMILLION),
            Curve(x, corrected, BLUE),
            Points(at, np.array([test.naive]), VERMILLION, "exact test, all L N", open=True),
            Points(at, np.array([test.corrected]), BLUE, "corrected t-test"),
        ),
        text=f"Share of data sets on which a true H0 is rejected, by the number of repetitions L. With {test.repeats}: exact test "
        f"{plain(test.naive, 3)}, corrected {plain(test.corrected, 3)}.",
        whole_x=True,
    )


def repeated_folds(*, learner: str = "nearest mean", folds: int = 10, repeats: int = 1) -> Explorer:
    """The exact test after K-fold cross-validation, repeated L times, with sliders over the stored study.

    Parameters
    ----------
    learner : str
        "nearest mean", "naive Bayes", "1-nearest neighbour" or "decision stump".
    folds : int
        K at the start: 2, 5 or 10.
    repeats : int
        L at the start: 1, 2, 5, 10 or 30.
    """
    return RepeatedFoldsExplorer(learner, folds, repeats)
