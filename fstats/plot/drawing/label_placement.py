"""Label placement: no label may touch a line, a mark, hatching or another label.

A picture sets the place of each label for the usual width. A label of a vertical line that touches another line or label is moved to
another side or row. Any other label that touches something is moved up or down, or to the other side of its point.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import permutations, product

import numpy as np

from ...core.value_types import Array

GAP = 3.0  # minimum distance in pixels between a label and another line or label
BEYOND = 10  # a label beyond the left or right end is unreadable, so it counts as 10 overlaps
MAX_ROWS, MAX_LABELS = 3, 5  # maximum number of rows that are tried; if there are more labels than MAX_LABELS, no label is moved


@dataclass(frozen=True)
class LineLabel:
    """Label of a vertical line: x coordinate of the line, width, row (counted from the top; the line ends at this row), and side."""

    line_x: float
    width: float
    row: int
    is_left: bool

    @property
    def span(self) -> tuple[float, float]:
        """X coordinates of the left and right end of the label."""
        return (self.line_x - self.width, self.line_x) if self.is_left else (self.line_x, self.line_x + self.width)

    def alternatives(self, rows: int) -> Iterator[LineLabel]:
        """Return the label at all possible positions, including the current position."""
        places = product(range(rows), (False, True)) if self.width else [(self.row, self.is_left)]
        return (replace(self, row=row, is_left=left) for row, left in places)


def overlaps(label: LineLabel, other: LineLabel) -> bool:
    """Return whether the line of the other label crosses the label, or the two labels overlap.

    >>> overlaps(LineLabel(10, 30, 1, is_left=False), LineLabel(25, 30, 0, is_left=True))
    True
    >>> overlaps(LineLabel(10, 30, 0, is_left=False), LineLabel(25, 30, 1, is_left=True))
    False
    """
    (start, end), (low, high) = label.span, other.span
    if not label.width or other.row > label.row:
        return False
    if not other.width or other.row < label.row:
        far, near = GAP, -2.0  # near is negative, because a label already has a distance from its own line
        return start - (far if label.is_left else near) < other.line_x < end + (near if label.is_left else far)
    return start < high + GAP and low < end + GAP


def count_overlaps(labels: Sequence[LineLabel]) -> int:
    """Return the number of overlaps between labels."""
    return sum(overlaps(label, other) for label, other in permutations(labels, 2))


def place_labels(labels: Sequence[LineLabel], low: float, high: float) -> Sequence[LineLabel]:
    """Return the labels at the positions with the fewest labels beyond the ends and the fewest overlaps; unchanged without overlaps.

    >>> labels = [LineLabel(208, 88, 0, is_left=True), LineLabel(129, 97, 1, is_left=False)]
    >>> [(label.row, label.is_left) for label in place_labels(labels, 55, 400)]
    [(1, False), (0, False)]
    """
    if not count_overlaps(labels) or len(labels) > MAX_LABELS:
        return labels

    def cost(others: Sequence[LineLabel]) -> tuple[int, int, int]:
        beyond = sum(label.span[0] < low or label.span[1] > high for label in others)
        rows, sides = (
            sum(getattr(label, what) != getattr(other, what) for label, other in zip(labels, others)) for what in ("row", "is_left")
        )
        return count_overlaps(others) + BEYOND * beyond, rows, sides

    return min(product(*(label.alternatives(min(len(labels), MAX_ROWS)) for label in labels)), key=cost)


def count_touched(box: tuple[float, float, float, float], segments: Array) -> int:
    """Return how many line segments touch a box (left, top, right, bottom); a segment is a row: x, y, x, y of its ends, half its width.

    >>> count_touched((0, 0, 10, 10), np.array([[-5, 5, 15, 6, 1], [12, 0, 12, 9, 1], [11, 0, 11, 9, 2.0]]))
    2
    """
    start, end, half = segments[:, :2], segments[:, 2:4], segments[:, 4:]
    low, high, step = np.array(box[:2]) - half, np.array(box[2:]) + half, end - start
    with np.errstate(divide="ignore", invalid="ignore"):
        first, last = (low - start) / step, (high - start) / step
    inside = np.where((start > low) & (start < high), np.inf, -np.inf)
    enter = np.where(step == 0, -inside, np.minimum(first, last)).max(1)
    leave = np.where(step == 0, inside, np.maximum(first, last)).min(1)
    return int(((enter < leave) & (enter < 1) & (leave > 0)).sum())
