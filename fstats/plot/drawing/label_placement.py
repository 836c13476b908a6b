"""Where the names of vertical lines stand, in whatever room a picture has.

A picture says on which row and on which side of its line each name stands in the usual room.  With less room the same words reach
further: into a line that goes up to the name of a higher row, or into a name of their own row.  Then they change sides or rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import permutations, product


@dataclass(frozen=True)
class Name:
    """A name: where its line stands, how long it is, its row (from the top, to which its line reaches), its side."""

    at: float
    wide: float
    row: int
    left: bool

    @property
    def span(self) -> tuple[float, float]:
        """From where to where it reaches."""
        return (self.at - self.wide, self.at) if self.left else (self.at, self.at + self.wide)

    def others(self, rows: int) -> Iterator[Name]:
        """All places where it may stand, its own among them."""
        return (replace(self, row=row, left=left) for row in range(rows) for left in (False, True))


def touches(one: Name, other: Name) -> bool:
    """Whether the line of the other crosses this name, or its name covers part of it.

    >>> touches(Name(10, 30, 1, left=False), Name(25, 30, 0, left=True)), touches(Name(10, 30, 0, left=False), Name(25, 30, 1, left=True))
    (True, False)
    """
    (start, end), (low, high) = one.span, other.span
    return start < other.at < end if other.row < one.row else other.row == one.row and start < high and low < end


def touching(names: Sequence[Name]) -> int:
    """How many names touch something of another one."""
    return sum(touches(one, other) for one, other in permutations(names, 2))


def arranged(names: Sequence[Name], low: float, high: float) -> Sequence[Name]:
    """The names where they touch as little as possible, and reach as little as possible beyond the ends; unmoved if they touch nothing.

    >>> [(name.row, name.left) for name in arranged([Name(208, 88, 0, left=True), Name(129, 97, 1, left=False)], 55, 400)]
    [(1, False), (0, False)]
    """
    if not touching(names):
        return names

    def faults(others: Sequence[Name]) -> tuple[int, int, int]:
        beyond = sum(name.span[0] < low or name.span[1] > high for name in others)
        rows, sides = (sum(getattr(one, what) != getattr(other, what) for one, other in zip(names, others)) for what in ("row", "left"))
        return touching(others) + beyond, rows, sides

    return min(product(*(name.others(len(names)) for name in names)), key=faults)
