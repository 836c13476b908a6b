"""Printed and computed tables of the study of fold hacking.

They are Tables 1 to 4 of a text on the choice of folds.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from ...render.display_table import Table
from ...render.printed_numbers import PrintedBesideOurs
from ...simulate.rejection_rates import Rate, fisher_exact_pvalue
from ..study_files import printed_figures
from .fold_experiment import Mode
from .partition_scores import LearnerPair, TableRow
from .stored_partition_scores import stored

DASHES = ("—",) * 6
BONFERRONI_LEVEL = 0.05 / 13  # level of each of the thirteen tests of printed shares in tree_shares


class PrintedTable(NamedTuple):
    """Printed table: its number, data set, learners, and the rows with at least one number."""

    number: int
    name: str
    left: str
    right: str
    rows: dict[str, tuple[str, ...]]  # sign of a row -> the numbers printed in this row: left, right, T, p, I and D


PRINTED = tuple(PrintedTable(**row) for row in printed_figures(__package__)["table"])


def pairs(printed: PrintedTable, mode: Mode = "as printed") -> LearnerPair:
    """Return our comparison of the two learners of a printed table."""
    return stored(printed.name, mode=mode).pair(printed.left, printed.right)


def rows_beside(mode: Mode = "as printed") -> Table:
    """Return all forty printed rows (ten rows contain only dashes), each printed row above our row.

    Parameters
    ----------
    mode : {"as printed", "as it should be"}
        Mode of our results.

    Examples
    --------
    >>> rows_beside().lines[4]
    ['1', 'SONAR GNB KNN', 'printed', '-', '0.666', '0.811', '-106.50', '0.00', '4661', '0.5617']
    >>> rows_beside().lines[5]
    ['', '', 'ours', '-', '0.666', '0.811', '-106.50', '0.00', '4661', '0.5617']
    """
    lines = []
    for printed in PRINTED:
        names = f"{printed.name.upper()} {printed.left} {printed.right}"
        for row in pairs(printed, mode).rows:
            printed_row = printed.rows.get(row.sign, DASHES)
            lines.append([str(printed.number), names, "printed", row.sign, *printed_row, *["—"] * (6 - len(printed_row))])
            lines.append(["", "", "ours", *row.cells])
    heads = ["table", "", "", "row", "left", "right", "T", "p", "I", "D"]
    return Table(heads, lines, f"Printed rows and ours, {mode}", left=range(4))


def figures_beside() -> PrintedBesideOurs:
    """Compare each reproducible printed number of GNB and KNN with our number: accuracies, T, p, the extreme seed and the share.

    The tree of the text had no fixed seed.  In the tables of the tree, only the accuracies of the other learner are reproducible: the
    accuracy at the printed seed and the typical accuracy.

    Examples
    --------
    >>> beside = figures_beside()
    >>> len(beside.figures), len(beside.differing)
    (72, 0)
    """
    return PrintedBesideOurs(row for printed in PRINTED for row in _figures(printed, _rows(printed)))


def _rows(printed: PrintedTable) -> dict[str, TableRow]:
    """Return the computed rows at the extreme seeds, or at the printed seeds if the extreme seeds depend on the seed of the tree."""
    pair = pairs(printed)
    if "DTC" not in pair.labels:
        return {row.sign: row for row in pair.rows}
    return {sign: pair.typical if sign == "≈" else pair.row(int(printed_row[4]), sign) for sign, printed_row in printed.rows.items()}


def _figures(printed: PrintedTable, rows: dict[str, TableRow]) -> Iterator[tuple[str, str, Any]]:
    """Yield the place, the printed number and the computed number of each value that a seed determines."""
    learners = printed.left, printed.right
    for sign, printed_row in printed.rows.items():
        if sign not in rows:
            continue
        row, where = rows[sign], f"{printed.name.upper()} {sign}"
        if "DTC" not in learners:
            values = (row.left, row.right, row.t, row.p, row.seed, row.share)
            for head, figure, value in zip((*learners, "T", "p", "I", "D"), printed_row, values):
                yield f"{where} {head}", figure, value
        else:
            side = 0 if printed.left != "DTC" else 1
            seed = " beside DTC" if sign == "≈" else f" at I = {printed_row[4]}"
            yield f"{where} {learners[side]}{seed}", printed_row[side], (row.left, row.right)[side]


class TreeShare(NamedTuple):
    """Printed and computed share of the repetitions in a row of a table of the tree."""

    what: str
    printed: float
    ours: float
    repetitions: int

    @property
    def error(self) -> float:
        """Standard error of the difference of two independent shares, with half a case added to each sample."""
        share = ((self.printed + self.ours) * self.repetitions / 2 + 0.5) / (self.repetitions + 1)
        return float(np.sqrt(2 * share * (1 - share) / self.repetitions))

    @property
    def away(self) -> float:
        """Difference of printed and computed share in standard errors."""
        return (self.ours - self.printed) / self.error

    @property
    def agrees(self) -> bool:
        """Whether chance explains the difference (Fisher's exact test)."""
        first, second = (Rate(self.what, None, round(share * self.repetitions), self.repetitions) for share in (self.printed, self.ours))
        return fisher_exact_pvalue(first, second) >= BONFERRONI_LEVEL


def tree_shares() -> list[TreeShare]:
    """Return the printed and the computed share of the repetitions in each row of the tables of the tree.

    The tree of the text had no fixed seed, so only the distribution can be reproduced.  A share agrees unless Fisher's exact test of two
    independent samples says that chance does not explain the difference.  The level 0.05 is divided among the thirteen shares that are
    neither 0 nor 1.  (Printed and computed shares use the same folds, so chance explains even less.)  All shares except three differ by
    less than 1.5 standard errors, and no share differs by more than 1.9.

    Examples
    --------
    >>> all(share.agrees for share in tree_shares())
    True
    """
    shares = []
    for printed in (row for row in PRINTED if "DTC" in (row.left, row.right)):
        pair = pairs(printed)
        for sign, ours in pair.shares.items():
            printed_share = float(printed.rows[sign][5]) if sign in printed.rows else 0.0
            shares.append(TreeShare(f"{printed.name.upper()} {sign}", printed_share, ours, len(pair.population)))
    return shares


def shares_table() -> Table:
    """Return the printed and computed shares of the tree as a table."""
    shares = {share: "agrees" if share.agrees else "differs" for share in tree_shares()}
    lines = [[row.what, f"{row.printed:.4f}", f"{row.ours:.4f}", f"{row.away:+.1f}", verdict] for row, verdict in shares.items()]
    return Table(["", "printed D", "ours", "standard errors apart", ""], lines, "Shares of the tree's rows, printed and ours", left=(0, 4))
