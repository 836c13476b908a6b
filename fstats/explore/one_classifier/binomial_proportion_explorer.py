"""Interactive explorer of the confidence interval for an accuracy."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...core.number_format import format_plain
from ...core.validation.check import count
from ...plot.charts.coverage_plot import coverage
from ...plot.drawing.picture import Picture
from ...plot.drawing.picture_marks import BLACK, BLUE, GREY, VERMILLION, Label, Line, Mark, Points, VerticalLine
from ...procedures.contingency.binomial_proportion import BinomialProportion
from ...procedures.contingency.proportion_interval import METHOD_NAMES
from ...procedures.pairwise.one_sample_t import OneSampleT
from ..widgets import LEVEL_SLIDER, DragHandle, Explorer, Slider, integer_slider, step_slider

MOST = 200  # maximum number of records
N = integer_slider("n", "Records", 1, MOST)
METHOD = Slider("method", "Interval", tuple(METHOD_NAMES), METHOD_NAMES.__getitem__)
SHARE = step_slider("share", "Share under H0", 0, 20, 0.05)


class BinomialProportionExplorer(Explorer[BinomialProportion]):
    """Explorer of the interval and the test of one accuracy."""

    question = "How sure is one accuracy?"
    main_controls = ("n", "right", "method")

    def __init__(self, right: int, n: int, share: float, method: str, alpha: float) -> None:
        size = N.position(n)
        if count(0)(right, "right") > size:
            raise ValueError(f"`right` must be at most n; got {right} right of {size} records")
        super().__init__(
            "One accuracy with sliders",
            right=int(right),
            n=size,
            method=METHOD.position(method),
            share=SHARE.position(share),
            alpha=LEVEL_SLIDER.position(alpha),
        )

    @property
    def sliders(self) -> Sequence[Slider[float | str]]:
        """Sliders for both counts, the method, the share under H0, and the level; at most all records are right."""
        right = integer_slider("right", "Right records", 0, self._slider_positions["n"])
        return [N, right, METHOD, SHARE, LEVEL_SLIDER]

    @property
    def test(self) -> BinomialProportion:
        """Current test, newly computed."""
        return BinomialProportion(**self.values)

    def pictures(self, test: BinomialProportion) -> Sequence[Picture]:
        """Return the intervals of all methods, and the coverage of the selected method."""
        return [interval_rows(test), coverage(test)]

    def drag_handles(self, test: BinomialProportion) -> Sequence[DragHandle]:
        """Return the handle on the accuracy in the row of the selected method."""
        n, row = int(test.n), float(len(METHOD_NAMES) - list(METHOD_NAMES).index(test.method))
        control = self.control("right")
        places = np.arange(n + 1) / n
        return [DragHandle(0, float(test.accuracy), row, "x", control, places.tolist(), f"{control.label}: the mark in the picture")]


def interval_rows(test: BinomialProportion) -> Picture:
    """Draw the interval of each method, and below them the t interval of the 0s and 1s, which may end above 1.

    >>> interval_rows(BinomialProportion(19, 20))
    [picture: 95 % intervals for 19 right of 20 records: Wilson 0.7639 to 0.9911; Clopper-Pearson 0.7513 to 0.9987; Jeffreys 0.7892 to
    0.9946; t of the 0s and 1s 0.8453 to 1.055. The share under H0 is 0.5.]
    """
    right, n = int(test.right), int(test.n)
    rows = [(name, test.assuming(method=method).ci, method == test.method) for method, name in METHOD_NAMES.items()]
    if n > 1:
        rows.append(("t of the 0s and 1s", OneSampleT([1] * right + [0] * (n - right), alpha=test.alpha).ci, False))
    marks: list[Mark] = [VerticalLine(float(test.share), "H0", VERMILLION, dashed=True)]
    # if the accuracy is high, the labels are on the left, where the intervals leave space
    is_high = bool(test.accuracy >= 0.5)
    # grey line at the end of the scale that is near the intervals: 1 for a high accuracy, otherwise 0
    marks.append(Line((float(is_high),) * 2, (0.0, 4.6), GREY, 1.0))
    for y, (name, (low, high), chosen) in zip((3.0, 2.0, 1.0, 0.2), rows):
        ends = float(max(low, -0.45)), float(min(high, 1.45))
        marks += [Line(ends, (y, y), BLUE if chosen else GREY, 7.0 if chosen else 3.0)]
        text = f"{name}: {low:.3f} to {high:.3f}"
        marks += [Label(-0.13 if is_high else 1.13, y + 0.3, text, "start" if is_high else "end", BLACK, chosen)]
    marks += [
        Points(np.array([float(test.accuracy)]), np.array([y]), BLUE if chosen else GREY, radius=6.0 if chosen else 3.0)
        for y, (_, _, chosen) in zip((3.0, 2.0, 1.0, 0.2), rows)
    ]
    described = "; ".join(f"{name} {format_plain(low)} to {format_plain(high)}" for name, (low, high), _ in rows)
    return Picture(
        title=f"{right} of {n} records right: accuracy {format_plain(test.accuracy)}",
        xlabel="true accuracy",
        ylabel="",
        xlim=(-0.15, 1.15),
        ylim=(0.0, 4.6),
        marks=tuple(marks),
        text=f"{format_plain(100 * (1 - test.alpha))} % intervals for {right} right of {n} records: {described}. The share under H0 is "
        f"{format_plain(test.share)}.",
        yticks=False,
    )


def binomial_proportion(
    right: int = 19, n: int = 20, *, share: float = 0.5, method: str = "wilson", alpha: float = 0.05
) -> BinomialProportionExplorer:
    """Explore one accuracy with sliders: move the number of right records, of all records, the method, the share under H0, the level.

    Parameters
    ----------
    right : int
        Number of right records at the start.
    n : int
        Number of records at the start, from 1 to 200.
    share : float
        Share of right records under H0 at the start: a multiple of 0.05.
    method : {"wilson", "clopper-pearson", "jeffreys"}
        Method of the interval at the start.
    alpha : float
        Level at the start: 0.001, 0.005, 0.01, 0.02, 0.05, 0.1 or 0.2.
    """
    return BinomialProportionExplorer(right, n, share, method, alpha)
