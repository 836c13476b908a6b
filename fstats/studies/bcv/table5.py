"""Table 5: how often each test rejects a true H0, printed beside ours."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ...render.display_table import Table, TableDisplay
from ...simulate.rejection_rates import Rate, fisher_exact_pvalue
from ..study_files import format_rate
from .bcv_design import ALPHA, AS_WRITTEN, DATA_SETS, PRINTED, SOURCES, TESTS, UNEQUAL_AT_N
from .stored_rejections import Rejections, stored

READINGS = {  # of the two tests whose printed figures ours do not meet everywhere
    "NaiveKFoldMcNemar": ("NaiveKFoldMcNemar, empty folds dropped",),
    "CrossValidatedZ": ("CrossValidatedZ, one-sided: A is better", "CrossValidatedZ, one-sided: B is better"),
}


@dataclass(frozen=True)
class ErrorBeside:
    """One type I error: as printed, and as found here."""

    source: str
    test: str
    printed: str | None  # None for the three tests that the paper leaves out
    ours: Rate
    reading: str = ""
    printed_sets: int = DATA_SETS  # on which the printed figure rests

    @property
    def there(self) -> Rate:
        """The printed figure as a count."""
        return Rate(self.test, None, round(float(self.printed or 0) * self.printed_sets), self.printed_sets)

    @property
    def printed_se(self) -> float:
        """Standard error of the printed figure."""
        return self.there.se

    @property
    def p(self) -> float:
        """How likely the two lie so far apart if both have the same rate (Fisher's exact test)."""
        return fisher_exact_pvalue(self.there, self.ours)

    @property
    def z(self) -> float:
        """How many standard errors lie between the two; infinite never, since neither error is 0."""
        return (float(self.printed or 0) - self.ours.rate) / float(np.hypot(self.printed_se, self.ours.se))


class Table5(TableDisplay):
    """Type I errors of all tests on four sources, printed / ours / z.

    ``for cell in table`` goes through it; ``table["Simple", "CrossValidatedZ"]`` is one cell, with `printed`, `ours` (rate and se) and `z`;
    ``table.differing`` are those that chance does not explain, ``table.readings`` what else was tried there, and
    ``table.level("letter", "KFoldT")`` is the rate where H0 is true for that test.
    """

    def __init__(self, found: Rejections) -> None:
        self.found = found
        asked = ((source, test) for test in TESTS["17"] for source in SOURCES)
        self.cells = {(cell.source, cell.test): cell for cell in self._beside(asked)}

    def _beside(self, asked: Iterable[Sequence[str]]) -> list[ErrorBeside]:
        """Printed and ours of all that is asked for and there."""
        return [cell for one in asked if (cell := self._cell(*one))]

    def _cell(self, source: str, test: str, point: str = "0", reading: str = "", name: str = "") -> ErrorBeside | None:
        """A test on a source, perhaps at another point or by another name; None where nothing is kept of it."""
        rate = self.found.rate(source, point, name or test)
        printed = PRINTED[test][SOURCES.index(source)] if test in PRINTED else None
        return ErrorBeside(source, test, printed, rate, reading) if rate else None

    def rates(self, test: str, sources: Iterable[str]) -> dict[str, Rate]:
        """How often a test rejects a true H0 on some sources."""
        return {source: self[source, test].ours for source in sources}

    def __iter__(self) -> Iterator[ErrorBeside]:
        return iter(self.cells.values())

    def __getitem__(self, key: tuple[str, str]) -> ErrorBeside:
        if key not in self.cells:
            raise KeyError(f"there is no result for {key}; sources are {', '.join(SOURCES)}")
        return self.cells[key]

    def level(self, source: str, test: str) -> Rate | None:
        """The type I error of a test where H0 is true for it; None where that was not tried.

        On letter no setting makes both learners equally good after training on n/2 records and on n.  There, a test that trains on halves
        is read where the learners are equally good at n/2 (which is `ours`), one that trains on nine tenths where they are at n; for one
        that trains on two thirds H0 is true at neither.
        """
        cell = self[source, test]
        share = 1 / (1 + TESTS["17"][test][0].plan.test_train_ratio)  # of the records, that is trained on
        if source not in UNEQUAL_AT_N or share == 0.5:
            return cell.ours
        return self.found.rate(source, AS_WRITTEN, test) if share > 0.75 else None

    @property
    def least(self) -> float:
        """The smallest p that chance lets pass: with a probability of at most 0.05 one of all cells lies below (Bonferroni)."""
        return ALPHA / max(sum(cell.printed is not None for cell in self), 1)

    @property
    def differing(self) -> list[ErrorBeside]:
        """The cells in which the printed figure and ours differ by more than chance."""
        return [cell for cell in self if cell.printed is not None and cell.p < self.least]

    @property
    def left_out(self) -> list[ErrorBeside]:
        """The cells of the tests that the paper leaves out."""
        return [cell for cell in self if cell.printed is None]

    @property
    def every_reading(self) -> list[ErrorBeside]:
        """What the other readings of two tests give on every source."""
        asked = [(test, reading) for test, readings in READINGS.items() for reading in readings]
        return self._beside((source, test, "0", reading, reading) for test, reading in asked for source in SOURCES)

    @property
    def readings(self) -> list[ErrorBeside]:
        """For each test that differs somewhere, what its other readings give on every source; and on letter, what another
        lambda = 0 gives.
        """
        differing = {(cell.source, cell.test) for cell in self.differing}
        at_n = [one for one in self.as_written if (one.source, one.test) in differing]
        return at_n + [one for one in self.every_reading if one.test in {test for _, test in differing}]

    @property
    def as_written(self) -> list[ErrorBeside]:
        """The same where training sets of all n records, as the paper says, make the true error rates equal, and not those of n/2."""
        return self._beside((source, test, AS_WRITTEN, "true error rates equal at n") for source in SOURCES for test in PRINTED)

    @property
    def data_sets(self) -> dict[str, int]:
        """On how many data sets the tests judged, for each source."""
        return {cell.source: cell.ours.repetitions for cell in self}

    @property
    def title(self) -> str:
        """What is shown."""
        sizes = ", ".join(f"{source} {count}" for source, count in self.data_sets.items())
        return f"Type I errors at alpha = 0.05, printed / ours ± standard error / z.  Data sets: {sizes}."

    @staticmethod
    def _told(cell: ErrorBeside | None) -> str:
        if cell is None:
            return "–"
        ours = format_rate(cell.ours)
        return f"– / {ours}" if cell.printed is None else f"{cell.printed} / {ours} / {cell.z:+.1f}"

    @property
    def notes(self) -> list[str]:
        """Where printed figures and ours differ by more than chance, and what other readings give there."""
        said = []
        for cell in self.differing:
            tried = [one for one in self.readings if (one.source, one.test) == (cell.source, cell.test)]
            more = "; ".join(f"{one.reading.partition(', ')[2] or one.reading}: {one.ours.rate:.3f} (z = {one.z:+.1f})" for one in tried)
            both = f"printed {cell.printed} ± {cell.printed_se:.3f}, ours {format_rate(cell.ours)}, z = {cell.z:+.1f}, p = {cell.p:.1g}"
            said.append(f"{cell.test} on {cell.source}: {both}" + f"; other readings: {more}" * bool(more) + ".")
        return said

    @property
    def _table(self) -> Table:
        there = [*self.data_sets]
        rows = {test: [self.cells.get((source, test)) for source in there] for test in TESTS["17"]}
        lines = [[test, *map(self._told, cells)] for test, cells in rows.items() if any(cells)]
        above = [f"Fisher's exact p below {self.least:.1g} is more than chance explains among so many cells:"] * bool(self.notes)
        return Table(["test", *there] if lines else [], lines or [["none"]], self.title, notes=[*above, *self.notes])


def rates_of(cells: Sequence[ErrorBeside], title: str) -> Table:
    """Some type I errors, one in a line."""
    away = [f"{cell.z:+.1f}" if cell.printed else "–" for cell in cells]
    lines = [[cell.source, cell.reading or cell.test, cell.printed or "–", format_rate(cell.ours), z] for cell, z in zip(cells, away)]
    return Table(("source", "test", "printed", "ours", "z"), lines, title)


def table5() -> Table5:
    """Table 5 from the stored results: printed / ours / z.

    Examples
    --------
    >>> table = table5()
    >>> cell = table["Epsilon", "BlockedFiveByTwoMcNemar"]
    >>> cell.printed, round(cell.ours.rate, 2), abs(cell.z) < 3
    ('0.025', 0.03, True)
    """
    return Table5(stored())
