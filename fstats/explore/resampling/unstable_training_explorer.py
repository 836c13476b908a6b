"""Interactive explorer of tests under random training."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ... import plot
from ...core.number_format import format_plain
from ...core.value_types import Array
from ...plot.drawing.picture import Picture
from ...plot.drawing.picture_marks import GREY, Curve, compared_rates
from ...teaching.demonstrations.unstable_training_simulation import DATA_SETS, UnstableTraining, levels
from ..widgets import LEVEL_SLIDER, SimulationExplorer, Slider, integer_slider, step_slider

TRAINING_SD = step_slider("strays", "Standard deviation of a training (points)", 0, 16, 0.5)
RECORDS = Slider("n", "Number of records n", (200, 400, 800, 1600, 3200, 6400, 12_800))
SHARE = Slider("share", "Share of discordant records", (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4))
DRAW = integer_slider("draw", "Data set", 1, 40)


class UnstableTrainingExplorer(SimulationExplorer[UnstableTraining]):
    """Sliders for the instability of training, the number of records, the data set, the share of discordant records, and the level."""

    question = "How does unstable training affect a test that counts records?"
    main_controls = ("strays", "n", "draw")
    dragged = (("strays", 1, "mcnemar_level"),)  # the rejection rate of McNemar's test
    sliders = (TRAINING_SD, RECORDS, DRAW, SHARE, LEVEL_SLIDER)
    title = "Unstable training, simulated"
    simulation = UnstableTraining

    def pictures(self, test: UnstableTraining) -> Sequence[Picture]:
        """Return two pictures: the ten folds of one data set; the rejection rates of both tests by the instability of training."""
        return [plot.ten_folds(test.mcnemar), rejection_rate_by_instability_plot(test)]


def rejection_rate_by_instability_plot(test: UnstableTraining) -> Picture:
    """Draw how often both tests reject a true H0, by the standard deviation of a training.

    >>> rejection_rate_by_instability_plot(UnstableTraining(200, 0.2, 0.0, 1))
    [picture: Share of 400 data sets on which a true H0 is rejected, by the standard deviation of a training. At 0 points: McNemar's test
    ..., blocked t-test ...; alpha = 0.05.]
    """
    rejection_rates = np.array([levels(test.n, test.share, strays, test.alpha) for strays in TRAINING_SD.values])
    x, mcnemar, t = (np.asarray(values, float) for values in (TRAINING_SD.values, *rejection_rates.T))
    at: Array = np.array([test.strays])
    chosen = {
        f"{name}: {format_plain(level, 3)}": level for name, level in (("McNemar's", test.mcnemar_level), ("blocked t", test.t_level))
    }
    nominal = Curve(np.array([0.0, x[-1]]), np.full(2, test.alpha), GREY, "alpha")
    marks = compared_rates(nominal, x, mcnemar, t, at, chosen, dashed=True)
    text = (
        f"Share of {DATA_SETS} data sets on which a true H0 is rejected, by the standard deviation of a training. At "
        f"{format_plain(test.strays)} points: McNemar's test {format_plain(test.mcnemar_level, 3)}, blocked t-test "
        f"{format_plain(test.t_level, 3)}; alpha = {format_plain(test.alpha)}."
    )
    xlabel = "standard deviation of a training, percentage points"
    ylim = (0.0, max(0.2, 1.15 * float(rejection_rates.max())))
    title = f"True H0 rejected, n = {test.n:,}"
    return Picture(title, xlabel, f"share of {DATA_SETS} data sets", (-0.2, float(x[-1]) + 0.2), ylim, marks, text)


def unstable_training(
    *, strays: float = 5.0, n: int = 1600, share: float = 0.35, draw: int = 32, alpha: float = 0.05
) -> UnstableTrainingExplorer:
    """Explore two tests on ten tables of two equally good learners whose training is unstable, with sliders.

    Parameters
    ----------
    strays : float
        Standard deviation of the accuracy difference of a training, in percentage points, at the start: 0, 0.5, ..., 8.
    n : int
        Number of records at the start: 200, 400, 800, 1600, 3200, 6400 or 12,800.
    share : float
        Share of the records on which exactly one learner is right, at the start: 0.05, 0.1, ..., 0.4.
    draw : int
        Number of the data set that is shown at the start, 1 to 40.
    alpha : float
        Level at the start: 0.001, 0.005, 0.01, 0.02, 0.05, 0.1 or 0.2.
    """
    return UnstableTrainingExplorer(strays=strays, n=n, share=share, draw=draw, alpha=alpha)
