"""Type I errors of tests in a paper on 5x2 cross-validation (Table 5).

Printed and computed numbers are compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ...render.display_table import Table, TableDisplay
from ...simulate.rejection_rates import Rate, fisher_exact_pvalue
from ..study_files import format_rate
from .bcv_design import ALPHA, AS_WRITTEN, DATA_SETS, PRINTED, SOURCES, TESTS, UNEQUAL_AT_N
from .stored_rejections import Rejections, stored


@dataclass(frozen=True)
class ErrorBeside:
    """Printed and computed type I error of one test on one source."""

    source: str
    test: str
    printed: str | None  # printed type I error; None for the three tests that the paper omits
    ours: Rate
    reading: str = ""
    printed_sets: int = DATA_SETS  # number of data sets from which the printed rate was computed

    @property
    def printed_rate(self) -> Rate:
        """The printed number as a count of rejections."""
        return Rate(self.test, None, round(float(self.printed or 0) * self.printed_sets), self.printed_sets)

    @property
    def printed_se(self) -> float:
        """Standard error of the printed number."""
        return self.printed_rate.se

    @property
    def p(self) -> float:
        """P-value of Fisher's exact test of the hypothesis that printed and computed decisions have the same rate."""
        return fisher_exact_pvalue(self.printed_rate, self.ours)

    @property
    def z(self) -> float:
        """Difference of computed and printed rate in standard errors; always finite, because neither standard error is 0."""
        return (float(self.printed or 0) - self.ours.rate) / float(np.hypot(self.printed_se, self.ours.se))


class Table5(TableDisplay):
    """Type I errors of all tests on four sources: printed rate, our rate and their difference z in standard errors.

    ``for cell in table`` iterates over the cells.  ``table["Simple", "CrossValidatedZ"]`` is one cell, with `printed`, `ours` (rate and se)
    and `z`.  ``table.differing`` are the cells whose difference chance does not explain, and ``table.readings`` are other readings of the
    tests in these cells.  ``table.level("letter", "KFoldT")`` is the rate of the test KFoldT at a point where H0 is true for this test.
    """

    def __init__(self, rejections: Rejections) -> None:
        self.rejections = rejections
        keys = ((source, test) for test in TESTS["17"] for source in SOURCES)
        self.cells = {(cell.source, cell.test): cell for cell in self._comparisons(keys)}

    def _comparisons(self, keys: Iterable[Sequence[str]]) -> list[ErrorBeside]:
        """Return the requested cells for which results are stored."""
        return [cell for key in keys if (cell := self._cell(*key))]

    def _cell(self, source: str, test: str, point: str = "0", reading: str = "", name: str = "") -> ErrorBeside | None:
        """Return the cell of a test on a source, optionally at another point or under another name; None if nothing is stored."""
        rate = self.rejections.rate(source, point, name or test)
        printed = PRINTED[test][SOURCES.index(source)] if test in PRINTED else None
        return ErrorBeside(source, test, printed, rate, reading) if rate else None

    def rates(self, test: str, sources: Iterable[str]) -> dict[str, Rate]:
        """Return how often a test rejects a true H0 on some sources."""
        return {source: self[source, test].ours for source in sources}

    def __iter__(self) -> Iterator[ErrorBeside]:
        return iter(self.cells.values())

    def __getitem__(self, key: tuple[str, str]) -> ErrorBeside:
        if key not in self.cells:
            raise KeyError(f"`key` must be a pair of a source (one of {', '.join(SOURCES)}) and a test with a result; got {key!r}")
        return self.cells[key]

    def level(self, source: str, test: str) -> Rate | None:
        """Return the type I error of a test at a point where H0 is true for it, or None if there is no such result.

        On letter no setting makes both learners equally good after training on n/2 records and after training on n records.  For a test
        that trains on halves, the level is the rate at the point with equal learners after n/2 records (this rate is `ours`).  For a test
        that trains on nine tenths, the level is the rate at the point with equal learners after n records.  For a test that trains on two
        thirds, H0 is true at neither point.
        """
        cell = self[source, test]
        share = 1 / (1 + TESTS["17"][test][0].plan.test_train_ratio)  # share of the records in a training set of the test
        if source not in UNEQUAL_AT_N or share == 0.5:
            return cell.ours
        return self.rejections.rate(source, AS_WRITTEN, test) if share > 0.75 else None

    @property
    def bonferroni_threshold(self) -> float:
        """Bonferroni threshold for p: if only chance is at work, any cell is below the threshold with probability at most 0.05."""
        return ALPHA / max(sum(cell.printed is not None for cell in self), 1)

    @property
    def differing(self) -> list[ErrorBeside]:
        """Cells in which the difference of printed and computed number is larger than chance explains."""
        return [cell for cell in self if cell.printed is not None and cell.p < self.bonferroni_threshold]

    @property
    def excluded_tests(self) -> list[ErrorBeside]:
        """Cells of the three tests that the paper leaves out."""
        return [cell for cell in self if cell.printed is None]

    @property
    def all_readings(self) -> list[ErrorBeside]:
        """Other readings of two tests, on every source."""
        readings = TESTS["readings"]
        return self._comparisons((source, name.partition(",")[0], "0", name, name) for name in readings for source in SOURCES)

    @property
    def readings(self) -> list[ErrorBeside]:
        """Other readings, on every source, of each test with a differing cell; on letter, also another setting of lambda = 0."""
        differing = {(cell.source, cell.test) for cell in self.differing}
        at_n = [cell for cell in self.full_size_readings if (cell.source, cell.test) in differing]
        return at_n + [cell for cell in self.all_readings if cell.test in {test for _, test in differing}]

    @property
    def full_size_readings(self) -> list[ErrorBeside]:
        """Cells at the setting at which the true error rates are equal after training on n records (as the paper says), not on n/2."""
        return self._comparisons((source, test, AS_WRITTEN, "true error rates equal at n") for source in SOURCES for test in PRINTED)

    @property
    def data_sets(self) -> dict[str, int]:
        """Number of data sets for each source."""
        return {cell.source: cell.ours.repetitions for cell in self}

    @property
    def title(self) -> str:
        """Title of the table, with the numbers of data sets."""
        sizes = ", ".join(f"{source} {count}" for source, count in self.data_sets.items())
        return f"Type I errors at alpha = 0.05, printed / ours ± standard error / z.  Data sets: {sizes}."

    @staticmethod
    def _format_cell(cell: ErrorBeside | None) -> str:
        if cell is None:
            return "–"
        ours = format_rate(cell.ours)
        return f"– / {ours}" if cell.printed is None else f"{cell.printed} / {ours} / {cell.z:+.1f}"

    @property
    def notes(self) -> list[str]:
        """Notes on differences beyond chance, with the results of other readings."""
        notes = []
        for cell in self.differing:
            tried = [one for one in self.readings if (one.source, one.test) == (cell.source, cell.test)]
            more = "; ".join(f"{one.reading.partition(', ')[2] or one.reading}: {one.ours.rate:.3f} (z = {one.z:+.1f})" for one in tried)
            both = f"printed {cell.printed} ± {cell.printed_se:.3f}, ours {format_rate(cell.ours)}, z = {cell.z:+.1f}, p = {cell.p:.1g}"
            notes.append(f"{cell.test} on {cell.source}: {both}" + f"; other readings: {more}" * bool(more) + ".")
        return notes

    @property
    def _table(self) -> Table:
        sources = [*self.data_sets]
        rows = {test: [self.cells.get((source, test)) for source in sources] for test in TESTS["17"]}
        lines = [[test, *map(self._format_cell, cells)] for test, cells in rows.items() if any(cells)]
        notes = self.notes
        if notes:
            notes = [f"Fisher's exact p below {self.bonferroni_threshold:.1g} is more than chance explains among so many cells:", *notes]
        return Table(["test", *sources] if lines else [], lines or [["none"]], self.title, notes=notes)


def rates_of(cells: Sequence[ErrorBeside], title: str) -> Table:
    """Return a table of type I errors with one cell in each row."""
    away = [f"{cell.z:+.1f}" if cell.printed else "–" for cell in cells]
    lines = [[cell.source, cell.reading or cell.test, cell.printed or "–", format_rate(cell.ours), z] for cell, z in zip(cells, away)]
    return Table(("source", "test", "printed", "ours", "z"), lines, title)


def table5() -> Table5:
    """Return Table 5 from the stored results: printed rate / our rate / z.

    Examples
    --------
    >>> table = table5()
    >>> cell = table["Epsilon", "BlockedFiveByTwoMcNemar"]
    >>> cell.printed, round(cell.ours.rate, 2), abs(cell.z) < 3
    ('0.025', 0.03, True)
    """
    return Table5(stored())
