"""The numbers that the room sent, as a picture to be read from the last row: dots on an axis, and what is right when it is said."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from ...core.number_format import format_plain
from ...plot.drawing.picture import Picture
from ...plot.drawing.picture_marks import BLUE, VERMILLION, Mark, PictureSize, Points, VerticalLine, axis_limits

SLIDE_SIZE = PictureSize(960, 240, 26)  # pixels of a slide that has 1280, beside the address
DOT_COLUMNS, MIN_ROWS = 48, 5  # of dots, one on the other; so many at least have room


def answer_dot_plot(sent: Sequence[float], right: float | None) -> Picture:
    """Each number a dot.

    >>> answer_dot_plot([3, 14, 14, 40], right=14)
    [picture: Numbers: 4, from 3 to 40, median 14. Right: 14.]
    """
    numbers = np.array(sent, float)
    low, high = _axis_limits(numbers, right)
    places, seen, heights = np.clip(numbers, low, high), Counter[float](), list[float]()
    for column in np.round((places - low) / (high - low) * DOT_COLUMNS).tolist():
        seen[column] += 1
        heights.append(seen[column] - 0.5)
    tall = max([MIN_ROWS, *seen.values()])
    marks: list[Mark] = [Points(places, np.array(heights), BLUE, radius=min(6.0, 45 / tall))]
    told = f"Numbers: {len(numbers)}"
    if len(numbers):
        told += f", from {format_plain(numbers.min())} to {format_plain(numbers.max())}, median {format_plain(float(np.median(numbers)))}"
    if right is not None:
        marks.append(VerticalLine(right, format_plain(right), VERMILLION, dashed=True))
    beyond = int(np.sum((numbers < low) | (numbers > high)))
    return Picture(
        title="",
        xlabel=f"{beyond} beyond the ends" if beyond else "",
        ylabel="",
        xlim=(low, high),
        ylim=(0.0, tall + 1.0),
        marks=tuple(marks),
        text=f"{told}." + ("" if right is None else f" Right: {format_plain(right)}."),
        yticks=False,
    )


def _axis_limits(numbers: np.ndarray, right: float | None) -> tuple[float, float]:
    """Of an axis on which most are told apart: who sends a billion does not hide the others."""
    if not len(numbers):
        return (0.0, 1.0) if right is None else axis_limits([right], share=0.1)
    first, middle, third = np.quantile(numbers, [0.25, 0.5, 0.75])
    near = numbers[abs(numbers - middle) <= 4 * max(third - first, 0.05 * abs(middle), 1e-9)]
    return axis_limits(near, [middle] if right is None else [middle, right], share=0.06)
