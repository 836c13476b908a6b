"""Pictures of the data of an exercise.

A picture contains no answers.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ... import plot
from ...core.value_types import Array
from ...plot.drawing.picture import Picture
from ...plot.drawing.picture_marks import BLUE, GREY, VERMILLION, Curve, Mark, Points


def scores(test: Any) -> Picture:
    """Draw the scores of A and B, joined in pairs; the usual title is replaced, because it contains the wins and the means."""
    return replace(plot.scores(test), title="Scores of A and B", text=f"Scores of A and B on {len(test.a)} data sets, joined in pairs.")


def differences(d: Array, on: str, *levels: float, note: str = "") -> Picture:
    """Draw the differences on each fold or split (`on`), in percentage points, with a line at each of the given levels."""
    ends = (0.5, len(d) + 0.5)
    lines = (Curve(np.array(ends), np.full(2, level), GREY) for level in levels)
    text = f"Differences on {len(d)} {on}s, A minus B in percentage points: {', '.join(f'{x:g}' for x in d)}.{note}"
    limits = (min(*levels, float(d.min())) - 1, max(*levels, float(d.max())) + 1)
    marks: tuple[Mark, ...] = (*lines, Points(np.arange(1.0, len(d) + 1), d, BLUE))
    return Picture("Score of A minus score of B", on, "percentage points", ends, limits, marks, text, whole_x=True)


def discordant_counts(test: Any, top: float) -> Picture:
    """Draw the discordant counts of ten contingency tables, one after the other."""
    n01, n10, place = test.n01.ravel(), test.n10.ravel(), np.arange(1.0, 11)
    marks = Points(place, n01, BLUE, "n01: only B is right"), Points(place, n10, VERMILLION, "n10: only A is right", open=True)
    text = "Discordant records in the ten tables, n01 and n10: " + ", ".join(f"{x:g} and {y:g}" for x, y in zip(n01, n10)) + "."
    return Picture("Discordant records in each table", "table", "records", (0.5, 10.5), (-0.5, top), marks, text, whole_x=True)
