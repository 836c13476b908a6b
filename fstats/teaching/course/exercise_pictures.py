"""Pictures of an exercise's data that give no answer away."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ... import plot
from ...core.value_types import Array
from ...plot.drawing.picture import Picture
from ...plot.drawing.picture_marks import BLUE, GREY, Curve, Mark, Points


def scores(test: Any) -> Picture:
    """The scores of A and B, joined in pairs, without the usual title, which counts wins and works out means."""
    return replace(plot.scores(test), title="Scores of A and B", text=f"Scores of A and B on {len(test.a)} data sets, joined in pairs.")


def differences(d: Array, on: str, *levels: float, told: str = "") -> Picture:
    """The difference `on` each fold, say, in percentage points, with a line at each of these levels."""
    ends = (0.5, len(d) + 0.5)
    lines = (Curve(np.array(ends), np.full(2, level), GREY) for level in levels)
    text = f"Differences on {len(d)} {on}s, A minus B in percentage points: {', '.join(f'{x:g}' for x in d)}.{told}"
    limits = (min(*levels, float(d.min())) - 1, max(*levels, float(d.max())) + 1)
    marks: tuple[Mark, ...] = (*lines, Points(np.arange(1.0, len(d) + 1), d, BLUE))
    return Picture("Score of A less score of B", on, "percentage points", ends, limits, marks, text, whole_x=True)
