"""Where the names of vertical lines stand, in whatever room a picture has.

A picture says on which row and on which side of its line each name stands in the usual room.  With less room the same words reach
further: into a line that goes up to the name of a higher row, or into a name of their own row.  Then they change sides or rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import permutations, product


@dataclass(frozen=True)
class LineLabel:
    """A name: where its line stands, how long it is, its row (from the top, to which its line reaches), its side."""

    at: float
    wide: float
    row: int
    left: bool

    @property
    def span(self) -> tuple[float, float]:
        """From where to where it reaches."""
        return (self.at - self.wide, self.at) if self.left else (self.at, self.at + self.wide)

    def others(self, rows: int) -> Iterator[LineLabel]:
        """All places where it may stand, its own among them."""
        return (replace(self, row=row, left=left) for row in range(rows) for left in (False, True))


def overlaps(one: LineLabel, other: LineLabel) -> bool:
    """Whether the line of the other crosses this name, or its name covers part of it.

    >>> overlaps(LineLabel(10, 30, 1, left=False), LineLabel(25, 30, 0, left=True)), overlaps(LineLabel(10, 30, 0, left=False), LineLabel(25, 30, 1, left=True))
    (True, False)
    """
    (start, end), (low, high) = one.span, other.span
    return start < other.at < end if other.row < one.row else other.row == one.row and start < high and low < end


def count_overlaps(names: Sequence[LineLabel]) -> int:
    """How many names touch something of another one."""
    return sum(overlaps(one, other) for one, other in permutations(names, 2))


def place_labels(names: Sequence[LineLabel], low: float, high: float) -> Sequence[LineLabel]:
    """The names where they touch as little as possible, and reach as little as possible beyond the ends; unmoved if they touch nothing.

    >>> [(name.row, name.left) for name in place_labels([LineLabel(208, 88, 0, left=True), LineLabel(129, 97, 1, left=False)], 55, 400)]
    [(1, False), (0, False)]
    """
    if not count_overlaps(names):
        return names

    def faults(others: Sequence[LineLabel]) -> tuple[int, int, int]:
        beyond = sum(name.span[0] < low or name.span[1] > high for name in others)
        rows, sides = (sum(getattr(one, what) != getattr(other, what) for one, other in zip(names, others)) for what in ("row", "left"))
        return count_overlaps(others) + beyond, rows, sides

    return min(product(*(name.others(len(names)) for name in names)), key=faults)
