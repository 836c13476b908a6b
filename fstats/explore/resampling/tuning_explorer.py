"""The explorer of tuning: choose the best of many settings on the records that test it, and see who is fooled."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...core.number_format import format_plain
from ...plot.drawing.picture import Picture
from ...plot.drawing.picture_marks import BLUE, GREY, VERMILLION, Curve, Points
from ...teaching.demonstrations.tuning_on_test_set import ACCURACY, DATA_SETS, MOST, TuningOnTestSet, choose_best_setting, mcnemar_twice
from ..widgets.drag_handle import DragHandle
from ..widgets.explorer import SimulationExplorer
from ..widgets.slider import LEVEL_SLIDER, Slider, integer_slider

SETTINGS_COUNT = Slider("tried", "Settings that are tried", (1, 2, 3, 5, 10, 20, MOST))
RECORDS = Slider("n", "Number of records n", (50, 100, 200, 400))
SIMILARITY = Slider("alike", "Settings are alike", (0.0, 0.3, 0.5, 0.7, 0.9))
DRAW = integer_slider("draw", "Data set", 1, 40)


class TuningExplorer(SimulationExplorer[TuningOnTestSet]):
    """Sliders for the settings that are tried, the records, how alike settings are, which data set is shown, the level."""

    question = "What is the best of many settings worth?"
    leading = ("tried", "n", "alike")
    sliders = (SETTINGS_COUNT, RECORDS, SIMILARITY, DRAW, LEVEL_SLIDER)
    title = "Tuned and tested, simulated"
    simulation = TuningOnTestSet

    def pictures(self, test: TuningOnTestSet) -> Sequence[Picture]:
        """What is reported and what holds, and how often McNemar's test is fooled, by the settings that were tried."""
        return [accuracy_by_settings_plot(test), rejection_rate_by_settings_plot(test)]

    def grips(self, test: TuningOnTestSet) -> Sequence[DragHandle]:
        """How often the test is fooled with so many settings."""
        return [self.along("tried", 1, float(test.tried), test.level_same)]


def accuracy_by_settings_plot(test: TuningOnTestSet) -> Picture:
    """The mean accuracy of the chosen setting, on the records that chose it and on fresh ones, by how many were tried.

    >>> accuracy_by_settings_plot(TuningOnTestSet(10, 50, 0.5, 1))
    [picture: Mean accuracy of the best setting by how many were tried; the true one is 75 %. With 10: ... % on the records that chose it,
    ... % on fresh ones; in this data set ... and ... %.]
    """
    found = [choose_best_setting(tried, test.n, test.alike) for tried in SETTINGS_COUNT.values]
    same, fresh = (100 * np.array([getattr(one, name).mean() for one in found]) for name in ("reported", "fresh"))
    x, at = np.array(SETTINGS_COUNT.values, float), np.array([float(test.tried)])
    shown = np.array([[100 * test.reported], [100 * test.fresh]])
    here = list(SETTINGS_COUNT.values).index(test.tried)
    low, high = min(same.min(), fresh.min(), shown.min()), max(same.max(), fresh.max(), shown.max())
    return Picture(
        title="Right on how many of 100?",
        xlabel="settings that were tried",
        ylabel="accuracy, %",
        xlim=(0.0, MOST + 2.0),
        whole_x=True,
        ylim=(float(low) - 1.0, float(high) + 1.0),
        marks=(
            Curve(np.array([0.0, MOST + 2.0]), np.full(2, 100 * ACCURACY), GREY, f"true: {format_plain(100 * ACCURACY)}"),
            Curve(x, same, VERMILLION, dashed=True),
            Curve(x, fresh, BLUE),
            Points(at, shown[0], VERMILLION, f"records that chose: {format_plain(shown[0, 0], 3)}", open=True),
            Points(at, shown[1], BLUE, f"fresh records: {format_plain(shown[1, 0], 3)}"),
        ),
        text=f"Mean accuracy of the best setting by how many were tried; the true one is {format_plain(100 * ACCURACY)} %. With {test.tried}: "
        f"{format_plain(same[here], 3)} % on the records that chose it, {format_plain(fresh[here], 3)} % on fresh ones; in this data set "
        f"{format_plain(shown[0, 0], 3)} and {format_plain(shown[1, 0], 3)} %.",
    )


def rejection_rate_by_settings_plot(test: TuningOnTestSet) -> Picture:
    """How often McNemar's test rejects a true H0 by how many settings were tried.

    >>> rejection_rate_by_settings_plot(TuningOnTestSet(10, 50, 0.5, 1))
    [picture: Share of 400 data sets on which McNemar's test rejects a true H0, by the settings that were tried. With 10: ... on the records
    that chose, ... on fresh ones; alpha = 0.05.]
    """
    found = np.array(
        [[one.reject.mean() for one in mcnemar_twice(tried, test.n, test.alike, test.alpha)] for tried in SETTINGS_COUNT.values]
    )
    x, at = np.array(SETTINGS_COUNT.values, float), np.array([float(test.tried)])
    return Picture(
        title=f"True H0 rejected, n = {test.n}",
        xlabel="settings that were tried",
        ylabel=f"share of {DATA_SETS} data sets",
        xlim=(0.0, MOST + 2.0),
        whole_x=True,
        ylim=(0.0, max(0.2, 1.15 * float(found.max()))),
        marks=(
            Curve(np.array([0.0, MOST + 2.0]), np.full(2, test.alpha), GREY, "alpha"),
            Curve(x, found[:, 0], VERMILLION, dashed=True),
            Curve(x, found[:, 1], BLUE),
            Points(at, np.array([test.level_same]), VERMILLION, f"records that chose: {format_plain(test.level_same, 3)}", open=True),
            Points(at, np.array([test.level_fresh]), BLUE, f"fresh records: {format_plain(test.level_fresh, 3)}"),
        ),
        text=f"Share of {DATA_SETS} data sets on which McNemar's test rejects a true H0, by the settings that were tried. "
        f"With {test.tried}: {format_plain(test.level_same, 3)} on the records that chose, {format_plain(test.level_fresh, 3)} on fresh ones; "
        f"alpha = {format_plain(test.alpha)}.",
    )


def tuning(*, tried: int = 20, n: int = 200, alike: float = 0.5, draw: int = 36, alpha: float = 0.05) -> TuningExplorer:
    """The best of many settings that are equally good, tested on the records that chose it and on fresh ones, with sliders.

    Parameters
    ----------
    tried : int
        Settings at the start: 1, 2, 3, 5, 10, 20 or 50.
    n : int
        Records at the start: 50, 100, 200 or 400.
    alike : float
        How alike the settings are, at the start: 0, 0.3, 0.5, 0.7 or 0.9.
    draw : int
        Which data set is shown at the start, 1 to 40.
    alpha : float
        Level at the start: 0.001, 0.005, 0.01, 0.02, 0.05, 0.1 or 0.2.
    """
    return TuningExplorer(tried=tried, n=n, alike=alike, draw=draw, alpha=alpha)
