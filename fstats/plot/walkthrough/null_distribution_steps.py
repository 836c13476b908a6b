"""Step-by-step plots of the null distribution of a test.

First come the curve or the bars with the statistic, then p, then the critical values.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from ...core.null_distribution import DiscreteNull
from ...core.value_types import Array
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
    is_discrete = isinstance(test.null, DiscreteNull)
    critical = [mark.x for mark in picture.marks if isinstance(mark, Bars) and mark.color == ORANGE]
    parts = (part for mark in picture.marks for part in _steps_of(mark, is_discrete, np.concatenate([[], *critical])))
    return StepPicture.of(picture, parts, **{"since": "null", **place})


def _steps_of(mark: Mark, is_discrete: bool, critical: Array) -> Iterator[StepMark]:
    """Yield the parts of a mark; the bars of p and of the rejection region, which are at `critical`, are grey until their step."""
    color = getattr(mark, "color", "")
    is_critical = color == ORANGE or (isinstance(mark, VerticalLine) and color == VERMILLION)
    is_probability = isinstance(mark, Area | Bars) and mark.hatched and color == BLUE
    step = "critical_value" if is_critical else "pvalue" if is_probability else "null"
    if isinstance(mark, Bars) and is_probability:
        others = ~np.isin(mark.x, critical)
        yield StepMark(Bars(mark.x[others], mark.height[others], mark.width, GREY), "null", step)
    if isinstance(mark, Area | Bars) and is_critical and is_discrete:
        yield StepMark(replace(mark, color=GREY, label=""), "null", step)
    yield StepMark(mark, step)
