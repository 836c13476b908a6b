"""Interactive explorer of overlapping training sets."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from ...core.number_format import format_plain
from ...core.value_types import Array
from ...plot.drawing.picture import Picture
from ...plot.drawing.picture_marks import BLUE, GREY, VERMILLION, Curve, Points, compared_rates
from ...teaching.demonstrations.overlapping_splits import MOST_SPLITS, OverlappingSplits
from ..widgets import SimulationExplorer, Slider, integer_slider

SPLITS = integer_slider("splits", "Number of splits J", 2, MOST_SPLITS)
SHARE = Slider(
    "share",
    "Share of test records",
    (0.05, 0.1, 0.2, 1 / 3, 0.5, 2 / 3),
    lambda share: f"{format_plain(share, 2)}: n2 / n1 = {format_plain(share / (1 - share), 2)}",
)
SHOWN = (2, 3, 5, 8, 12, 16, 20, 25, 30)  # numbers of splits for which the curves are computed


class OverlappingSplitsExplorer(SimulationExplorer[OverlappingSplits]):
    """Sliders for the number of splits and the share of test records."""

    question = "How uncertain is a mean over splits of the same records?"
    main_controls = ("splits", "share")
    dragged = (("splits", 0, "true_sd"), ("splits", 1, "naive_rejections"))
    sliders = (SPLITS, SHARE)
    title = "Overlapping splits, simulated"
    simulation = OverlappingSplits

    def pictures(self, test: OverlappingSplits) -> Sequence[Picture]:
        """Return two pictures by the number of splits: true and estimated uncertainty; rejection rates of the two tests."""
        return [standard_deviation_plot(test), rejection_rate_plot(test)]


def values_by_splits(test: OverlappingSplits, *names: str) -> tuple[Array, ...]:
    """Return numbers of splits and the values of some steps; the current number is included, so that its points lie on the curves."""
    numbers = sorted({*SHOWN, test.splits})
    simulations = [test if number == test.splits else _cached_simulation(number, test.share) for number in numbers]
    steps = [[float(getattr(simulation, name)) for simulation in simulations] for name in names]
    return np.array(numbers, float), *map(np.array, steps)


_cached_simulation = cache(OverlappingSplits)  # a simulation is slow, so a cache keeps its results


def standard_deviation_plot(test: OverlappingSplits) -> Picture:
    """Draw the true standard deviation of the mean, and the estimates of the two tests, by the number of splits.

    >>> standard_deviation_plot(OverlappingSplits(15, 0.1))
    [picture: Standard deviation of the mean difference by the number of splits. With 15: true ..., estimated by the plain t-test ...,
    corrected ....]
    """
    x, true, naive, corrected = values_by_splits(test, "true_sd", "naive_sd", "corrected_sd")
    at = np.array([float(test.splits)])
    marks = (
        Curve(x, true, GREY),
        Curve(x, naive, VERMILLION),
        Curve(x, corrected, BLUE),
        Points(at, np.array([test.true_sd]), GREY, "true"),
        Points(at, np.array([test.naive_sd]), VERMILLION, "plain t-test", open=True),
        Points(at, np.array([test.corrected_sd]), BLUE, "corrected"),
    )
    opening = f"Standard deviation of the mean difference by the number of splits. With {test.splits}: true {format_plain(test.true_sd, 3)}"
    text = f"{opening}, estimated by the plain t-test {format_plain(test.naive_sd, 3)}, corrected {format_plain(test.corrected_sd, 3)}."
    title = "More splits: the plain t-test underestimates"
    ylim = (0.0, float(max(true.max(), naive.max(), corrected.max())) * 1.15)
    return Picture(title, "number of splits J", "sd of the mean", (0.0, MOST_SPLITS + 1.0), ylim, marks, text, whole_x=True)


def rejection_rate_plot(test: OverlappingSplits) -> Picture:
    """Draw how often each test rejects a true H0, by the number of splits.

    >>> rejection_rate_plot(OverlappingSplits(15, 0.1))
    [picture: Share of data sets in which a true H0 is rejected, by the number of splits. With 15: plain t-test ..., corrected ....]
    """
    x, naive, corrected = values_by_splits(test, "naive_rejections", "corrected_rejections")
    at = np.array([float(test.splits)])
    chosen = {"plain t-test": test.naive_rejections, "corrected": test.corrected_rejections}
    marks = compared_rates(Curve(np.array([0.0, MOST_SPLITS + 1.0]), np.full(2, 0.05), GREY), x, naive, corrected, at, chosen)
    opening = f"Share of data sets in which a true H0 is rejected, by the number of splits. With {test.splits}"
    text = f"{opening}: plain t-test {format_plain(test.naive_rejections, 3)}, corrected {format_plain(test.corrected_rejections, 3)}."
    ylim = (0.0, max(0.25, float(naive.max())) * 1.15)
    title = "True H0 rejected at alpha = 0.05"
    return Picture(title, "number of splits J", "share of data sets", (0.0, MOST_SPLITS + 1.0), ylim, marks, text, whole_x=True)


def overlap(*, splits: int = 15) -> OverlappingSplitsExplorer:
    """Explore a mean over random splits with sliders: its true spread, and the estimates of the plain and the corrected t-test.

    Parameters
    ----------
    splits : int
        Number of splits at the start, 2 to 30.
    """
    return OverlappingSplitsExplorer(splits=splits, share=0.1)
