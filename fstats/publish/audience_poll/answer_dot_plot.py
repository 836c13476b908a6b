"""Dot plot of the numbers sent by the audience.

The right number is added when it is revealed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from ...core.number_format import format_plain
from ...plot.drawing.picture import Picture
from ...plot.drawing.picture_marks import BLUE, VERMILLION, Mark, PictureSize, Points, VerticalLine, axis_limits

# width, height and font size of the plot in pixels, on a slide with a width of 1280 pixels
SLIDE_SIZE = PictureSize(960, 240, 26)
DOT_COLUMNS, MIN_ROWS = 48, 5  # number of columns of dots, and minimum number of dots that fit in a column


def answer_dot_plot(values: Sequence[float], right: float | None) -> Picture:
    """Draw each number as a dot, with a line at the right number if it is given.

    >>> answer_dot_plot([3, 14, 14, 40], right=14)
    [picture: Numbers: 4, from 3 to 40, median 14. Right: 14.]
    """
    numbers = np.array(values, float)
    low, high = _axis_limits(numbers, right)
    places, column_counts, heights = np.clip(numbers, low, high), Counter[float](), list[float]()
    for column in np.round((places - low) / (high - low) * DOT_COLUMNS).tolist():
        column_counts[column] += 1
        heights.append(column_counts[column] - 0.5)
    tall = max([MIN_ROWS, *column_counts.values()])
    marks: list[Mark] = [Points(places, np.array(heights), BLUE, radius=min(6.0, 45 / tall))]
    text = f"Numbers: {len(numbers)}"
    if len(numbers):
        text += f", from {format_plain(numbers.min())} to {format_plain(numbers.max())}, median {format_plain(float(np.median(numbers)))}"
    text += "."
    if right is not None:
        marks.append(VerticalLine(right, format_plain(right), VERMILLION, dashed=True))
        text += f" Right: {format_plain(right)}."
    beyond = int(np.sum((numbers < low) | (numbers > high)))
    xlabel = f"{beyond} beyond the ends" if beyond else ""
    return Picture("", xlabel, "", (low, high), (0.0, tall + 1.0), tuple(marks), text, yticks=False)


def _axis_limits(numbers: np.ndarray, right: float | None) -> tuple[float, float]:
    """Return the limits of an axis on which most numbers can be distinguished; the axis leaves out extreme numbers such as a billion."""
    if not len(numbers):
        return (0.0, 1.0) if right is None else axis_limits([right], share=0.1)
    first, middle, third = np.quantile(numbers, [0.25, 0.5, 0.75])
    near = numbers[abs(numbers - middle) <= 4 * max(third - first, 0.05 * abs(middle), 1e-9)]
    return axis_limits(near, [middle] if right is None else [middle, right], share=0.06)
