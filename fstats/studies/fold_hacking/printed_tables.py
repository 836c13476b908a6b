"""The printed Tables 1 to 4, beside ours."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from ...render.display_table import Table
from ...render.printed_numbers import PrintedBesideOurs
from ...simulate.rejection_rates import Rate, fisher_exact_pvalue
from ..study_files import printed_figures as as_printed
from .fold_experiment import Mode
from .partition_scores import LearnerPair, TableRow
from .stored_partition_scores import stored

DASHES = ("—",) * 6
BONFERRONI_LEVEL = 0.05 / 13  # no limit of the text's, see tree_shares


class PrintedTable(NamedTuple):
    """A printed table: where it stands, its data set, its learners, and its rows that are not all dashes."""

    number: int
    name: str
    left: str
    right: str
    rows: dict[str, tuple[str, ...]]  # left, right, T, p, I, D


PRINTED = tuple(PrintedTable(**one) for one in as_printed(__package__)["table"])


def pairs(printed: PrintedTable, mode: Mode = "as printed") -> LearnerPair:
    """Ours, for a printed table."""
    return stored(printed.name, mode=mode).pair(printed.left, printed.right)


def rows_beside(mode: Mode = "as printed") -> Table:
    """All forty printed rows, ten of them dashes, each above ours.

    Parameters
    ----------
    mode : {"as printed", "as it should be"}
        What ours is.

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
            there = printed.rows.get(row.sign, DASHES)
            lines.append([str(printed.number), names, "printed", row.sign, *there, *["—"] * (6 - len(there))])
            lines.append(["", "", "ours", *row.cells])
    heads = ["table", "", "", "row", "left", "right", "T", "p", "I", "D"]
    return Table(heads, lines, f"Printed rows and ours, {mode}", left=range(4))


def figures_beside() -> PrintedBesideOurs:
    """Each printed figure that a seed determines, of GNB and KNN, beside ours: accuracies, T, p, the extreme seed and the share.

    The tree had no fixed seed; of its tables only the accuracies of the other learner at the printed seed, and its typical one, are
    determined.

    Examples
    --------
    >>> beside = figures_beside()
    >>> len(beside.figures), len(beside.differing)
    (72, 0)
    """
    return PrintedBesideOurs(row for printed in PRINTED for row in _figures(printed, _rows(printed)))


def _rows(printed: PrintedTable) -> dict[str, TableRow]:
    """Ours: the extreme seeds, or, where another tree moves these, the printed ones."""
    pair = pairs(printed)
    if "DTC" not in pair.labels:
        return {row.sign: row for row in pair.rows}
    return {sign: pair.typical if sign == "≈" else pair.row(int(there[4]), sign) for sign, there in printed.rows.items()}


def _figures(printed: PrintedTable, rows: dict[str, TableRow]) -> Iterator[tuple[str, str, Any]]:
    """What a seed determines in these rows: where it stands, as it is printed, and ours."""
    learners = printed.left, printed.right
    for sign, there in printed.rows.items():
        if sign not in rows:
            continue
        row, where = rows[sign], f"{printed.name.upper()} {sign}"
        if "DTC" not in learners:
            values = (row.left, row.right, row.t, row.p, row.seed, row.share)
            for head, figure, value in zip((*learners, "T", "p", "I", "D"), there, values):
                yield f"{where} {head}", figure, value
        else:
            side = 0 if printed.left != "DTC" else 1
            seed = " beside DTC" if sign == "≈" else f" at I = {there[4]}"
            yield f"{where} {learners[side]}{seed}", there[side], (row.left, row.right)[side]


class TreeShare(NamedTuple):
    """A printed share of the tree's rows beside ours."""

    what: str
    printed: float
    ours: float
    repetitions: int

    @property
    def error(self) -> float:
        """Standard error of the difference of two independent samples of that size, with half a case added."""
        share = ((self.printed + self.ours) * self.repetitions / 2 + 0.5) / (self.repetitions + 1)
        return float(np.sqrt(2 * share * (1 - share) / self.repetitions))

    @property
    def away(self) -> float:
        """How many standard errors they are apart."""
        return (self.ours - self.printed) / self.error

    @property
    def agrees(self) -> bool:
        """Whether chance explains the difference (Fisher's exact test)."""
        there, here = (Rate(self.what, None, round(share * self.repetitions), self.repetitions) for share in (self.printed, self.ours))
        return fisher_exact_pvalue(there, here) >= BONFERRONI_LEVEL


def tree_shares() -> list[TreeShare]:
    """The share of the repetitions in each row of the tree's tables, printed and ours.

    The tree had no fixed seed, so that only its distribution can be reproduced.  A share agrees unless Fisher's exact test of two
    independent samples, at 0.05 shared among the thirteen shares that are neither 0 nor 1, says that chance does not explain the difference
    (both have the same folds, so that chance does even less).  All but three lie within 1.5 standard errors, and none is farther away
    than 1.9.

    Examples
    --------
    >>> all(share.agrees for share in tree_shares())
    True
    """
    found = []
    for printed in (one for one in PRINTED if "DTC" in (one.left, one.right)):
        pair = pairs(printed)
        for sign, ours in pair.shares.items():
            there = float(printed.rows[sign][5]) if sign in printed.rows else 0.0
            found.append(TreeShare(f"{printed.name.upper()} {sign}", there, ours, len(pair.population)))
    return found


def shares_table() -> Table:
    """The same as a table."""
    shares = {share: "agrees" if share.agrees else "differs" for share in tree_shares()}
    lines = [[one.what, f"{one.printed:.4f}", f"{one.ours:.4f}", f"{one.away:+.1f}", verdict] for one, verdict in shares.items()]
    return Table(["", "printed D", "ours", "standard errors apart", ""], lines, "Shares of the tree's rows, printed and ours", left=(0, 4))
