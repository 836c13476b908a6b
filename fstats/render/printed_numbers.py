"""Compare printed numbers with computed numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from ..core.number_format import format_plain
from .display_table import WARNING_STYLE, Table, TableDisplay, TextAndHtml, emphasize


def rounding_tolerance(printed: str) -> float:
    """Return half a unit of the last printed digit: the largest difference that rounding alone can explain.

    >>> rounding_tolerance("-0.375"), rounding_tolerance("23"), rounding_tolerance("6.1e-5")
    (0.0005, 0.5, 5e-07)
    """
    match = re.fullmatch(r"[-+−]?\d*\.?(\d*)(?:e([-+]?\d+))?", printed.strip())
    if not match or not re.search(r"\d", printed):
        raise ValueError(f"a printed number must be the text of a number, such as '-0.375'; got {printed!r}")
    return float(f"0.5e{int(match[2] or 0) - len(match[1])}")


@dataclass(frozen=True)
class PrintedNumber:
    """Printed number: its description, the printed text, the computed number, and a note on a difference."""

    what: str
    printed: str
    ours: Any
    note: str = ""

    @property
    def agrees(self) -> bool:
        """Whether the computed number rounds to the printed number (text and None must be equal exactly)."""
        try:
            printed = float(self.printed.replace("−", "-"))
        except ValueError:
            return format_plain(self.ours) == self.printed
        if self.ours is None or isinstance(self.ours, (str, bool)):
            return False
        return abs(printed - float(self.ours)) <= rounding_tolerance(self.printed) * (1 + 1e-9)


class PrintedBesideOurs(TableDisplay):
    """Table that shows the numbers printed in a source beside the numbers computed here.

    Parameters
    ----------
    rows : iterable of tuples
        ``(what, printed, ours)`` or ``(what, printed, ours, note)``; `printed` is the text of the source, because the
        tolerance is half a unit of the last printed digit.

    Examples
    --------
    >>> PrintedBesideOurs([("t", "-0.375", -0.37500001), ("critical value", "23", 30, "the entry for 0.05")])
                        printed    ours
      t                  -0.375  -0.375  agrees
      critical value         23      30  differs: the entry for 0.05
    """

    def __init__(self, rows: Iterable[tuple[Any, ...]]) -> None:
        self.figures = tuple(PrintedNumber(*row) for row in rows)

    @property
    def differing(self) -> list[PrintedNumber]:
        """Printed numbers that differ from the computed numbers by more than rounding."""
        return [figure for figure in self.figures if not figure.agrees]

    @property
    def _table(self) -> Table:
        lines = []
        for figure in self.figures:
            verdict = ": ".join(filter(None, ["agrees" if figure.agrees else "differs", figure.note]))
            lines.append([figure.what, figure.printed, figure.ours, verdict if figure.agrees else emphasize(verdict, WARNING_STYLE)])
        return Table(["", "printed", "ours", TextAndHtml("", "verdict")], lines, left=(0, 3))
