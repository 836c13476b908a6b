"""Step-by-step plots of the null distribution of a test.

First come the curve or the bars with the statistic, then p, then the critical values.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from ..charts.null_distribution_plot import null
from ..drawing.picture_marks import BLUE, GREY, ORANGE, VERMILLION, Area, Bars, Mark, VerticalLine
from .step_picture import StepMark, StepPicture


def null_distribution_steps(test: Any, **place: Any) -> StepPicture:
    """Return the picture of the null distribution of a test with the steps at which its marks appear.

    >>> import fstats
    >>> steps = null_distribution_steps(fstats.PairedT([85, 70, 79, 78, 83], [87, 68, 85, 75, 83]))
    >>> [(type(part.mark).__name__, part.since) for part in steps.parts][:3]
    [('Area', 'critical_value'), ('Area', 'critical_value'), ('Area', 'pvalue')]
    """
    picture = null(test)
    return StepPicture.of(picture, (part for mark in picture.marks for part in _steps_of(mark)), **{"since": "null", **place})


def _steps_of(mark: Mark) -> Iterator[StepMark]:
    """Yield the parts of a mark; the bars that add up to p, and those of the rejection region, are grey until their step."""
    color = getattr(mark, "color", "")
    is_critical = color == ORANGE or (isinstance(mark, VerticalLine) and color == VERMILLION)
    is_probability = isinstance(mark, Area | Bars) and mark.hatched and color == BLUE
    step = "critical_value" if is_critical else "pvalue" if is_probability else "null"
    if isinstance(mark, Bars) and step != "null":
        yield StepMark(replace(mark, color=GREY, hatched=False, label=""), "null", step)
    yield StepMark(mark, step)
