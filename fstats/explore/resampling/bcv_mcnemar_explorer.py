"""Interactive explorer of the 5x2 BCV McNemar test."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from ... import plot
from ...core.number_format import format_plain, format_pvalue
from ...plot.drawing.picture import Picture
from ...plot.drawing.picture_marks import BLUE, GREY, VERMILLION, Curve, Label, Line, Mark, Points, VerticalLine
from ...procedures.resampling.block_regularized.blocked_five_by_two_mcnemar import BlockedFiveByTwoMcNemar
from ...teaching.demonstrations.bcv_mcnemar_correlation import largest_rejecting_correlation, statistics_by_correlation
from ..widgets import LEVEL_SLIDER, Explorer, Slider

CORRELATIONS = tuple(k / 20 for k in range(21))
RHO1 = Slider("rho1", "Correlation ρ₁ of the two folds of one repetition", CORRELATIONS)
RHO2 = Slider("rho2", "Correlation ρ₂ of folds of different repetitions", CORRELATIONS)
GRID = np.linspace(0.0, 1.0, 201)


class BcvMcNemarExplorer(Explorer[BlockedFiveByTwoMcNemar]):
    """The test on ten tables with sliders for both correlations and the level."""

    question = "How do the two unknown correlations change the test?"
    main_controls = ("rho1", "rho2", "alpha")
    dragged = (("rho2", 0, "statistic"),)  # the point on the curve of M

    sliders = (RHO1, RHO2, LEVEL_SLIDER)

    def __init__(self, tables: Any, rho1: float, rho2: float, alpha: float) -> None:
        given = BlockedFiveByTwoMcNemar(tables)
        if np.ndim(given.tables) > 4:
            raise ValueError(
                f"`tables` must be the tables of one comparison, without an axis of repetitions; got shape {given.tables.shape}"
            )
        self._tables = given.tables
        super().__init__("5x2 BCV McNemar's test with sliders", **self._positions_of_values(rho1=rho1, rho2=rho2, alpha=alpha))

    @property
    def test(self) -> BlockedFiveByTwoMcNemar:
        """Current test, newly computed."""
        return BlockedFiveByTwoMcNemar(self._tables, **self.values)

    def pictures(self, test: BlockedFiveByTwoMcNemar) -> Sequence[Picture]:
        """Return the picture of M for every rho2, and the null distribution with the current M."""
        return [statistic_by_correlation_plot(test), plot.null(test)]


def statistic_by_correlation_plot(test: BlockedFiveByTwoMcNemar) -> Picture:
    """Draw M for every rho2, with the critical value, the current correlations, and the recommended correlations.

    >>> statistic_by_correlation_plot(BlockedFiveByTwoMcNemar([[[[5, 2], [8, 35]]] * 2] * 5))
    [picture: M falls as rho2 grows, with rho1 = 0.5 from 22.81 at rho2 = 0 to 2.684 at rho2 = 1. H0 is rejected up to rho2 = 0.718. ...]
    """
    recommended = test.assuming(rho1=0.5, rho2=0.5)
    curve, critical, limit = statistics_by_correlation(test, GRID), float(test.critical_value), (1 + float(test.rho1)) / 2
    top = 1.35 * max(curve.max(), critical)
    last = largest_rejecting_correlation(test)
    # round down, so that the test rejects H0 also at the displayed limit
    shown = np.floor(1000 * last) / 1000
    if last < 0:
        verdict = "H0 is rejected for no rho2 from 0 to 1"
    else:
        verdict = f"H0 is rejected {f'up to rho2 = {shown:.3f}' if last < 1 else 'for every rho2 from 0 to 1'}"
    at: tuple[float, Literal["start", "end"]] = (1.01, "end") if curve[2 * len(curve) // 3] < critical + 0.05 * top else (0.01, "start")
    marks: tuple[Mark, ...] = (
        Curve(GRID, curve, GREY),
        Line((0.0, 1.02), (critical, critical), VERMILLION, 2.5),
        Label(at[0], critical + 0.05 * top, f"c = {format_plain(critical)}", at[1], VERMILLION, bold=True),
        *([VerticalLine(limit, "largest possible ρ₂", GREY, dashed=True, side="left")] if limit < 1 else []),
        _statistic_point(recommended, VERMILLION, "ρ₁ = ρ₂ = ½", open=True),
        _statistic_point(test, BLUE, "current"),
    )
    text = (
        f"M falls as rho2 grows, with rho1 = {format_plain(test.rho1)} from {format_plain(curve[0])} at rho2 = 0 to "
        f"{format_plain(curve[-1])} at rho2 = 1. {verdict}. The current rho2 = {format_plain(test.rho2)} gives M = "
        f"{format_plain(test.statistic)} and {format_pvalue(test.pvalue, test.alpha)}; the recommended rho1 = rho2 = 0.5 gives M = "
        f"{format_plain(recommended.statistic)} and {format_pvalue(recommended.pvalue, recommended.alpha)}."
    )
    return Picture("A larger ρ₂ makes M smaller", "ρ₂", "M", (0.0, 1.02), (0.0, top), marks, text)


def _statistic_point(test: BlockedFiveByTwoMcNemar, color: str, name: str, open: bool = False) -> Points:
    legend = f"{name}: {format_pvalue(test.pvalue, test.alpha)}"
    return Points(np.array([float(test.rho2)]), np.array([float(test.statistic)]), color, legend, open=open, radius=8.0 if open else 6.0)


def bcv_mcnemar(tables: Any, *, rho1: float = 0.5, rho2: float = 0.5, alpha: float = 0.05) -> BcvMcNemarExplorer:
    """Explore the 5x2 BCV McNemar's test with sliders: move the two unknown correlations and the level.

    Parameters
    ----------
    tables : array_like of int, shape (5, 2, 2, 2)
        Counts of test records for each repetition and fold, by whether A is wrong (0) or right (1) and B is wrong (0) or right (1).
    rho1, rho2 : float
        Correlations at the start: 0, 0.05, 0.1, ..., 1.
    alpha : float
        Level at the start: 0.001, 0.005, 0.01, 0.02, 0.05, 0.1 or 0.2.
    """
    return BcvMcNemarExplorer(tables, rho1, rho2, alpha)
