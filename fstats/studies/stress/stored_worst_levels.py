"""What the bench found: for each test the worst level, where, and how sure that is."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache, cached_property
from typing import Any, NamedTuple

from ...core.number_format import format_plain
from ...plot.charts.level_power_frontier import LevelAndPower, level_power_frontier
from ...plot.charts.type_one_error_intervals import levels
from ...plot.drawing.picture import Picture
from ...render.display_table import Table, TableDisplay
from ...simulate.rejection_rates import Rate
from ..study_files import StoredStudy, provenance
from .search_conditions import CELLS, ORDINARY, SearchCondition
from .worst_case_search import ALPHA, DATA_SETS, SETTINGS, TESTS, CellCounts, counts_by_cell, run_all_stages

STORED = "stress.json"


class Worst(NamedTuple):
    """A test and the cell in which it rejected most often, of those that were counted on fresh data sets."""

    test: str
    cell: SearchCondition
    rejections: int
    repetitions: int  # data sets
    interval: tuple[float, float]  # which holds for all tests and cells together

    @property
    def rate(self) -> float:
        """Share of the data sets on which it rejected."""
        return self.rejections / self.repetitions

    def verdict(self, alpha: float = ALPHA) -> str:
        """What the interval says of the level."""
        low, high = self.interval
        return "liberal" if low > alpha else "conservative" if high < alpha else "cannot be told"

    @property
    def in_words(self) -> str:
        """The rate and the place, for whoever does not know the bench.

        >>> print(stored().of("ResampledT").in_words)
        0.58 instead of 0.05 (ridge, 1,000 records, classes 9 : 1: the same learner twice, on features that mirror each other; interval ...
        """
        low, high = self.interval
        beside = f" instead of {format_plain(ALPHA)}" if self.verdict() == "liberal" else f", not clearly above {format_plain(ALPHA)}"
        return f"{self.rate:.2f}{beside} ({self.cell.in_words}; interval {low:.2f} to {high:.2f})"

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.rate:.3f} ({low:.3f} to {high:.3f})"


class Stress(TableDisplay, StoredStudy):
    """The worst level of each test: a table, with ``of(test)`` for one of them and ``picture()`` for all."""

    @cached_property
    def looked_at(self) -> int:
        """Tests by cells, over which all intervals hold together."""
        return len({(one.test, one.cell) for one in self._counts(("scan",))})

    def _counts(self, stages: tuple[str, ...]) -> list[CellCounts]:
        lines = [(unit, result) for unit, result in zip(self.units, self.results, strict=True) if unit["stage"] in stages]
        return counts_by_cell(*zip(*lines, strict=True)) if lines else []

    @cached_property
    def _confirmed(self) -> list[Worst]:
        share = ALPHA / self.looked_at / 2  # left out at either end: Bonferroni
        found = [Rate(one.test, one.cell, one.rejections, one.data_sets) for one in self._counts(("confirm",)) if one.data_sets]
        return [Worst(*rate, rate.clopper_pearson_interval(share)) for rate in found]

    def of(self, test: Any, *, coin: bool = False) -> Worst:
        """The worst cell of a test: with learners trained as they are, or where a coin exchanges two learners in every training.

        Parameters
        ----------
        test : class or str
            One of the tests of the bench.
        coin : bool
            Whether cells of the second kind are meant.

        Raises
        ------
        KeyError
            For a test that the bench does not know.

        Examples
        --------
        >>> found = stored().of("BlockedFiveByTwoMcNemar")
        >>> found.verdict(), found.cell.kind in ("mirrored", "seeds", "halves", "leaning")
        ('liberal', True)
        """
        name = test if isinstance(test, str) else test.__name__
        found = [one for one in self._confirmed if one.test == name and (one.cell.kind in ORDINARY) != coin]
        if not found:
            raise KeyError(f"the bench has no test called {name}; it has {', '.join(SETTINGS)}")
        return max(found, key=lambda one: one.rate)

    @cached_property
    def powers(self) -> dict[str, list[Rate]]:
        """How often each test finds out that H0 is false, by where; tests that need further splits are left out."""
        found: dict[str, list[Rate]] = {}
        for one in self._counts(("power",)):
            found.setdefault(str(one.cell), []).append(Rate(one.test, one.cell, one.rejections, one.data_sets))
        return found

    def frontier(self, where: str = "Simple at 0.3", tests: Iterable[type] = ()) -> Picture:
        """What power costs: the worst level of each test that trains as it is, against its power.

        Parameters
        ----------
        where : {"Simple at 0.3", "EXP6 at 0.5", "EXP6 at 0.8"}
            Where H0 is false: sources of the study of the 5x2 BCV McNemar test, at one of their points.
        tests : iterable of classes, optional
            Those that are shown; all if none is named.

        Examples
        --------
        >>> stored().frontier()
        [picture: The worst level found and the power of 20 tests at alpha = 0.05, the most powerful first. ...]
        """
        if where not in self.powers:
            raise KeyError(f"the bench has no power on {where}; it has {', '.join(self.powers)}")
        names = {test.__name__ for test in tests}
        rates = [rate for rate in self.powers[where] if not names or rate.test in names]
        points = [LevelAndPower(rate.test, self.of(rate.test).rate, rate.rate) for rate in rates]
        return replace(level_power_frontier(points, ALPHA, chosen="BlockedFiveByTwoT"), ylabel=f"power on {where}")

    def scanned(self, test: str) -> list[CellCounts]:
        """What the scan counted of a test, cell by cell: few data sets each, by which the worst cells were chosen."""
        return [one for one in self._counts(("scan", "closer")) if one.test == test]

    def __iter__(self) -> Iterator[Worst]:
        return iter(sorted((self.of(test) for test in TESTS), key=lambda one: -one.rate))

    @property
    def title(self) -> str:
        """What is shown."""
        return f"The worst level found, alpha = {format_plain(ALPHA)}: H0 is true by symmetry, so that every rejection is a false alarm"

    @property
    def _table(self) -> Table:
        rows = [[one.test, str(one), str(one.cell), str(by := self.of(one.test, coin=True)), str(by.cell)] for one in self]
        notes = [
            f"A scan of {len(CELLS)} cells chose some by few data sets each; these were counted again on {_data_set_counts_text(self)} fresh ones, "
            f"and the largest rate of each test is shown. Intervals hold together for all {self.looked_at:,} pairs of a test and a cell, "
            "with 95 %.",
            "Where roles are exchanged by a coin in every training, the two learners differ in each training and not on average: "
            "instability made on purpose.",
        ]
        return Table(["test", "worst level", "where", "worst with roles by a coin", "where"], rows, self.title, notes=notes)

    @property
    def for_the_guide(self) -> str:
        """What :func:`fstats.which_test` says of each test: the file fstats/guide/worst_levels.json, which lies below all studies.

        ``python -m fstats.studies.stress > fstats/guide/worst_levels.json`` writes it.
        """
        return json.dumps({one.test: one.in_words for one in self}, indent=1)

    def picture(self, tests: Iterable[type] = (), *, chosen: str = "") -> Picture:
        """The worst levels in order, each with its interval: of all tests, or of those that are named."""
        names = {test.__name__ for test in tests}
        found = [one for one in self if not names or one.test in names]
        told = f"share of {_data_set_counts_text(found)} data sets on which a true H0 is rejected"
        return replace(levels(found, ALPHA, chosen=chosen), title="The worst level found", xlabel=told)


def _data_set_counts_text(found: Iterable[Worst]) -> str:
    """By how many data sets figures were found."""
    repetitions = [one.repetitions for one in found]
    most, least = max(repetitions), min(repetitions)
    return f"{most:,}" if most == least else f"{least:,} to {most:,}"


def study(*, data_sets: int = DATA_SETS, jobs: int = 1, store: Any = None, progress: bool = True) -> Stress:
    """Make the whole study again; a `store` keeps each unit as soon as it is done, and a run that was interrupted goes on from it."""
    units, results = run_all_stages(data_sets=data_sets, jobs=jobs, store=store, progress=progress)
    about = provenance(f"fstats reproduce stress --again --save {STORED}", "numpy", "scipy", "scikit-learn")
    return Stress(about, units, results)


@cache
def stored() -> Stress:
    """The study as it is kept in the package.

    Examples
    --------
    >>> len(list(stored()))
    20
    """
    return Stress.stored(__package__, STORED)
