"""Interactive explorer of McNemar's test."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from ...core.hypothesis import HypothesisTest
from ...core.validation.check import counts
from ...plot.drawing.picture import Picture
from ...plot.drawing.picture_marks import BLUE, VERMILLION, Bars, Label, Mark
from ...procedures.contingency.mcnemar import McNemar
from ...procedures.contingency.mcnemar_exact import McNemarExact, McNemarMidP
from ..widgets import LEVEL_SLIDER, DragHandle, Explorer, Slider, integer_slider
from .paired_scores_explorer import ALTERNATIVE

MOST = 60  # maximum of each count of records on which only one classifier is right
# the statistic of this test is a square, so the only alternative is two-sided
TWO_SIDED = Slider(ALTERNATIVE.name, ALTERNATIVE.label, ALTERNATIVE.values[:1])
TESTS: dict[str, tuple[Callable[..., HypothesisTest], Slider[Any]]] = {
    "exact": (McNemarExact, ALTERNATIVE),
    "mid-p": (McNemarMidP, ALTERNATIVE),
    "χ², corrected": (partial(McNemar, correction=True), TWO_SIDED),
    "χ², plain": (partial(McNemar, correction=False), TWO_SIDED),
}
N01 = integer_slider("n01", "Only B is right", 0, MOST)
N10 = integer_slider("n10", "Only A is right", 0, MOST)
TEST = Slider("test", "Test", tuple(TESTS))


class McNemarExplorer(Explorer[HypothesisTest]):
    """Explorer of one of McNemar's tests on two discordant counts."""

    question = "Does one classifier win the disagreements too often for luck?"
    main_controls = ("n01", "n10", "test")

    def __init__(self, n01: Any, n10: Any, alpha: float) -> None:
        for name, count in (("n01", n01), ("n10", n10)):
            if not isinstance(counts(count, name), float) or count > MOST:
                raise ValueError(f"`{name}` must be a count from 0 to {MOST}, the range of its slider; got {count!r}")
        super().__init__(
            "McNemar's tests with sliders", n01=int(n01), n10=int(n10), test=0, alpha=LEVEL_SLIDER.position(alpha), alternative=0
        )

    @property
    def _chosen_test(self) -> tuple[Callable[..., HypothesisTest], Slider[Any]]:
        return TESTS[TEST.value(self._slider_positions["test"])]

    @property
    def sliders(self) -> Sequence[Slider[Any]]:
        """Sliders for both counts, the test, the level, and the alternative."""
        return [N01, N10, TEST, LEVEL_SLIDER, self._chosen_test[1]]

    @property
    def test(self) -> HypothesisTest:
        """Current test, newly computed."""
        at = self.values
        return self._chosen_test[0](at["n01"], at["n10"], alpha=at["alpha"], alternative=at["alternative"])

    def pictures(self, test: HypothesisTest) -> Sequence[Picture]:
        """Return the two counts as bars, and the null distribution."""
        at = self.values
        return [discordant_bars(at["n01"], at["n10"]), test.plot()]

    def drag_handles(self, test: HypothesisTest) -> Sequence[DragHandle]:  # noqa: ARG002
        """Return the handles on the tops of both bars."""
        at = self.values
        return [self.handle_on_axis(name, 0, x, at[name], "y") for x, name in enumerate(("n01", "n10"), 1)]


def discordant_bars(n01: int, n10: int) -> Picture:
    """Draw the two discordant counts as bars, on an axis that never changes.

    >>> discordant_bars(11, 1)
    [picture: The two disagree on 12 records: only B is right on 11, only A on 1.]
    """
    marks: tuple[Mark, ...] = (
        Bars(np.array([1.0]), np.array([float(n01)]), 0.7, VERMILLION, "only B is right", hatched=True),
        Bars(np.array([2.0]), np.array([float(n10)]), 0.7, BLUE, "only A is right"),
        *(Label(float(x), n + 0.06 * MOST, str(n), "middle", bold=True) for x, n in ((1, n01), (2, n10))),
    )
    text = f"The two disagree on {n01 + n10} records: only B is right on {n01}, only A on {n10}."
    return Picture(f"A and B disagree on {n01 + n10} records", "", "records", (0.4, 2.6), (0.0, 1.12 * MOST), marks, text, xticks=False)


def discordant(n01: int, n10: int, *, alpha: float = 0.05) -> McNemarExplorer:
    """Explore McNemar's tests with sliders: move the two discordant counts, the test, the level, the alternative.

    Parameters
    ----------
    n01, n10 : int
        Numbers of records at the start on which only B is right (n01) and only A is right (n10); from 0 to 60.
    alpha : float
        Level at the start: 0.001, 0.005, 0.01, 0.02, 0.05, 0.1 or 0.2.
    """
    return McNemarExplorer(n01, n10, alpha)
