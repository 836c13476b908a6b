"""Interactive explorer of the bias from tuning on the test set."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...core.number_format import format_plain
from ...plot.drawing.picture import Picture
from ...plot.drawing.picture_marks import GREY, Curve, compared_rates
from ...teaching.demonstrations.tuning_on_test_set import ACCURACY, DATA_SETS, MOST, TuningOnTestSet, choose_best_setting, mcnemar_twice
from ..widgets import LEVEL_SLIDER, SimulationExplorer, Slider, integer_slider

SETTINGS_COUNT = Slider("tried", "Number of settings tried", (1, 2, 3, 5, 10, 20, MOST))
RECORDS = Slider("n", "Number of records n", (50, 100, 200, 400))
SIMILARITY = Slider("alike", "Similarity of the settings", (0.0, 0.3, 0.5, 0.7, 0.9))
DRAW = integer_slider("draw", "Data set", 1, 40)


class TuningExplorer(SimulationExplorer[TuningOnTestSet]):
    """Sliders for the number of settings, the records, the similarity of the settings, the data set that is shown, and the level."""

    question = "How good is the best of many settings really?"
    main_controls = ("tried", "n", "alike")
    dragged = (("tried", 1, "level_same"),)  # the rejection rate on the records that chose the setting
    sliders = (SETTINGS_COUNT, RECORDS, SIMILARITY, DRAW, LEVEL_SLIDER)
    title = "Tuned and tested, simulated"
    simulation = TuningOnTestSet

    def pictures(self, test: TuningOnTestSet) -> Sequence[Picture]:
        """Return two pictures by the number of settings: accuracy on the choosing and on fresh records; rejection rates of the test."""
        return [accuracy_by_settings_plot(test), rejection_rate_by_settings_plot(test)]


def accuracy_by_settings_plot(test: TuningOnTestSet) -> Picture:
    """Draw the mean accuracy of the best setting on the records that were used to choose it and on fresh records.

    >>> accuracy_by_settings_plot(TuningOnTestSet(10, 50, 0.5, 1))
    [picture: Mean accuracy of the best setting by the number of settings; the true accuracy is 75 %. With 10: ... % on the records that
    chose it, ... % on fresh records; in this data set ... and ... %.]
    """
    results = [choose_best_setting(tried, test.n, test.alike) for tried in SETTINGS_COUNT.values]
    same, fresh = (100 * np.array([getattr(result, name).mean() for result in results]) for name in ("reported", "fresh"))
    x, at = np.array(SETTINGS_COUNT.values, float), np.array([float(test.tried)])
    shown = np.array([[100 * test.reported], [100 * test.fresh]])
    here = list(SETTINGS_COUNT.values).index(test.tried)
    low, high = min(same.min(), fresh.min(), shown.min()), max(same.max(), fresh.max(), shown.max())
    true = Curve(np.array([0.0, MOST + 2.0]), np.full(2, 100 * ACCURACY), GREY, f"true: {format_plain(100 * ACCURACY)}")
    chosen = {f"{name}: {format_plain(y, 3)}": y for name, y in zip(("choosing records", "fresh records"), shown[:, 0])}
    marks = compared_rates(true, x, same, fresh, at, chosen, dashed=True)
    text = (
        f"Mean accuracy of the best setting by the number of settings; the true accuracy is {format_plain(100 * ACCURACY)} %. With "
        f"{test.tried}: {format_plain(same[here], 3)} % on the records that chose it, {format_plain(fresh[here], 3)} % on fresh records; "
        f"in this data set {format_plain(shown[0, 0], 3)} and {format_plain(shown[1, 0], 3)} %."
    )
    ylim = (float(low) - 1.0, float(high) + 1.0)
    title = "Accuracy of the chosen setting"
    return Picture(title, "number of settings tried", "accuracy, %", (0.0, MOST + 2.0), ylim, marks, text, whole_x=True)


def rejection_rate_by_settings_plot(test: TuningOnTestSet) -> Picture:
    """Draw how often McNemar's test rejects a true H0, by the number of settings.

    >>> rejection_rate_by_settings_plot(TuningOnTestSet(10, 50, 0.5, 1))
    [picture: Share of 400 data sets on which McNemar's test rejects a true H0, by the number of settings tried. With 10: ... on the records
    that chose the setting, ... on fresh records; alpha = 0.05.]
    """
    rejection_rates = np.array(
        [[result.reject.mean() for result in mcnemar_twice(tried, test.n, test.alike, test.alpha)] for tried in SETTINGS_COUNT.values]
    )
    x, at = np.array(SETTINGS_COUNT.values, float), np.array([float(test.tried)])
    levels = (("choosing records", test.level_same), ("fresh records", test.level_fresh))
    chosen = {f"{name}: {format_plain(level, 3)}": level for name, level in levels}
    nominal = Curve(np.array([0.0, MOST + 2.0]), np.full(2, test.alpha), GREY, "alpha")
    marks = compared_rates(nominal, x, rejection_rates[:, 0], rejection_rates[:, 1], at, chosen, dashed=True)
    text = (
        f"Share of {DATA_SETS} data sets on which McNemar's test rejects a true H0, by the number of settings tried. With {test.tried}: "
        f"{format_plain(test.level_same, 3)} on the records that chose the setting, {format_plain(test.level_fresh, 3)} on fresh records; "
        f"alpha = {format_plain(test.alpha)}."
    )
    ylim = (0.0, max(0.2, 1.15 * float(rejection_rates.max())))
    title = f"True H0 rejected, n = {test.n}"
    return Picture(title, "number of settings tried", f"share of {DATA_SETS} data sets", (0.0, MOST + 2.0), ylim, marks, text, whole_x=True)


def tuning(*, tried: int = 20, n: int = 200, alike: float = 0.5, draw: int = 36, alpha: float = 0.05) -> TuningExplorer:
    """Explore with sliders the best of many equally good settings, tested on the records used to choose it and on fresh records.

    Parameters
    ----------
    tried : int
        Number of settings at the start: 1, 2, 3, 5, 10, 20 or 50.
    n : int
        Number of records at the start: 50, 100, 200 or 400.
    alike : float
        Similarity of the settings at the start: 0, 0.3, 0.5, 0.7 or 0.9.
    draw : int
        Number of the data set that is shown at the start, 1 to 40.
    alpha : float
        Level at the start: 0.001, 0.005, 0.01, 0.02, 0.05, 0.1 or 0.2.
    """
    return TuningExplorer(tried=tried, n=n, alike=alike, draw=draw, alpha=alpha)
