"""The numbers that the room sent, as a picture to be read from the last row: dots on an axis, and what is right when it is said."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from ...core.number_format import plain
from ...plot.drawing.picture import Picture
from ...plot.drawing.picture_marks import BLUE, VERMILLION, Mark, Points, Room, VerticalLine, around

HALL = Room(960, 240, 26)  # pixels of a slide that has 1280, beside the address
COLUMNS, TALL = 48, 5  # of dots, one on the other; so many at least have room


def pictured(sent: Sequence[float], right: float | None) -> Picture:
    """Each number a dot.

    >>> pictured([3, 14, 14, 40], right=14)
    [picture: Numbers: 4, from 3 to 40, median 14. Right: 14.]
    """
    numbers = np.array(sent, float)
    low, high = _ends(numbers, right)
    places, seen, heights = np.clip(numbers, low, high), Counter[float](), list[float]()
    for column in np.round((places - low) / (high - low) * COLUMNS).tolist():
        seen[column] += 1
        heights.append(seen[column] - 0.5)
    tall = max([TALL, *seen.values()])
    marks: list[Mark] = [Points(places, np.array(heights), BLUE, radius=min(6.0, 45 / tall))]
    told = f"Numbers: {len(numbers)}"
    if len(numbers):
        told += f", from {plain(numbers.min())} to {plain(numbers.max())}, median {plain(float(np.median(numbers)))}"
    if right is not None:
        marks.append(VerticalLine(right, plain(right), VERMILLION, dashed=True))
    beyond = int(np.sum((numbers < low) | (numbers > high)))
    return Picture(
        title="",
        xlabel=f"{beyond} beyond the ends" if beyond else "",
        ylabel="",
        xlim=(low, high),
        ylim=(0.0, tall + 1.0),
        marks=tuple(marks),
        text=f"{told}." + ("" if right is None else f" Right: {plain(right)}."),
        yticks=False,
    )


def _ends(numbers: np.ndarray, right: float | None) -> tuple[float, float]:
    """Of an axis on which most are told apart: who sends a billion does not hide the others."""
    if not len(numbers):
        return (0.0, 1.0) if right is None else around([right], share=0.1)
    first, middle, third = np.quantile(numbers, [0.25, 0.5, 0.75])
    near = numbers[abs(numbers - middle) <= 4 * max(third - first, 0.05 * abs(middle), 1e-9)]
    return around(near, [middle] if right is None else [middle, right], share=0.06)
