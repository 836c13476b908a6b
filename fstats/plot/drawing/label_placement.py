"""Placement of the labels of vertical lines in a picture of any width.

A picture sets the row and the side of each label for the usual width. In a narrower picture, a label can cross the line of a higher label,
or overlap a label in the same row. Such labels are moved to another side or row.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import permutations, product


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
        return (replace(self, row=row, is_left=left) for row in range(rows) for left in (False, True))


def overlaps(label: LineLabel, other: LineLabel) -> bool:
    """Return whether the line of the other label crosses the label, or the two labels overlap.

    >>> overlaps(LineLabel(10, 30, 1, is_left=False), LineLabel(25, 30, 0, is_left=True))
    True
    >>> overlaps(LineLabel(10, 30, 0, is_left=False), LineLabel(25, 30, 1, is_left=True))
    False
    """
    (start, end), (low, high) = label.span, other.span
    return start < other.line_x < end if other.row < label.row else other.row == label.row and start < high and low < end


def count_overlaps(labels: Sequence[LineLabel]) -> int:
    """Return the number of overlaps between labels."""
    return sum(overlaps(label, other) for label, other in permutations(labels, 2))


def place_labels(labels: Sequence[LineLabel], low: float, high: float) -> Sequence[LineLabel]:
    """Return the labels at the positions with the fewest overlaps and the fewest labels beyond the ends; unchanged without overlaps.

    >>> labels = [LineLabel(208, 88, 0, is_left=True), LineLabel(129, 97, 1, is_left=False)]
    >>> [(label.row, label.is_left) for label in place_labels(labels, 55, 400)]
    [(1, False), (0, False)]
    """
    if not count_overlaps(labels):
        return labels

    def cost(others: Sequence[LineLabel]) -> tuple[int, int, int]:
        beyond = sum(label.span[0] < low or label.span[1] > high for label in others)
        rows, sides = (
            sum(getattr(label, what) != getattr(other, what) for label, other in zip(labels, others)) for what in ("row", "is_left")
        )
        return count_overlaps(others) + beyond, rows, sides

    return min(product(*(label.alternatives(len(labels)) for label in labels)), key=cost)
