"""Stored highest type I error rate of each test.

Its condition and its confidence interval are stored, too.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache, cached_property
from typing import Any, NamedTuple

from ...core.number_format import format_plain
from ...core.validation.name_suggestions import format_nearest_names
from ...plot.charts.level_power_frontier import LevelAndPower, level_power_frontier
from ...plot.charts.type_one_error_intervals import levels
from ...plot.drawing.picture import Picture
from ...render.display_table import Table, TableDisplay
from ...simulate.rejection_rates import Rate
from ..study_files import StoredStudy, provenance
from .search_conditions import CELLS, ORDINARY, SearchCondition
from .worst_case_search import ALPHA, DATA_SETS, LEVELS, SETTINGS, TESTS, rates_by_cell, run_all_stages

STORED = "stress.json"


class Worst(NamedTuple):
    """Test and its worst condition: the condition with most rejections among the conditions that were repeated on new data sets."""

    test: str
    cell: SearchCondition
    rejections: int
    repetitions: int  # number of data sets
    interval: tuple[float, float]  # simultaneous confidence interval for all tests and conditions

    @property
    def rate(self) -> float:
        """Share of the data sets on which the test rejected."""
        return self.rejections / self.repetitions

    @property
    def level(self) -> float:
        """Level of the test in the search."""
        return LEVELS.get(self.test, ALPHA)

    def verdict(self, alpha: float = ALPHA) -> str:
        """Return the verdict on the level (liberal, conservative or cannot be told), from the interval."""
        (low, high), alpha = self.interval, alpha * self.level / ALPHA
        return "liberal" if low > alpha else "conservative" if high < alpha else "cannot be told"

    @property
    def description(self) -> str:
        """Text on the rate and its condition, for readers who do not know this study.

        >>> print(stored().of("ResampledT").description)
        0.59 instead of 0.05 (nearest centroid, 1,500 records, spreads 1 and 4: the same learner twice, on features that mirror each ...
        """
        low, high = self.interval
        level = format_plain(self.level)
        beside = f" instead of {level}" if self.verdict() == "liberal" else f", not clearly above {level}"
        return f"{self.rate:.2f}{beside} ({self.cell.description}; interval {low:.2f} to {high:.2f})"

    @property
    def percentages(self) -> str:
        """The rate and its interval in percent.

        >>> stored().of("ResampledT").percentages
        '58.7 % (55 to 62)'
        """
        low, high = self.interval
        return f"{100 * self.rate:.1f} % ({100 * low:.0f} to {100 * high:.0f})"

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.rate:.3f} ({low:.3f} to {high:.3f})"


class Stress(TableDisplay, StoredStudy):
    """Worst level of each test: a table, with ``of(test)`` for one test and ``picture()`` for all."""

    @cached_property
    def comparison_count(self) -> int:
        """Number of pairs of a test and a condition; the intervals are simultaneous for all these pairs."""
        return len({(rate.test, rate.effect) for rate in self._rates("scan")})

    def _rates(self, *stages: str) -> list[Rate]:
        lines = [(unit, result) for unit, result in zip(self.units, self.results, strict=True) if unit["stage"] in stages]
        return rates_by_cell(*zip(*lines, strict=True)) if lines else []

    @cached_property
    def _confirmed(self) -> list[Worst]:
        share = ALPHA / self.comparison_count / 2  # error probability at each end of each interval (Bonferroni correction)
        return [Worst(*rate, rate.clopper_pearson_interval(share)) for rate in self._rates("confirm") if rate.repetitions]

    def of(self, test: Any, *, coin: bool = False) -> Worst:
        """Return the worst condition of a test, with ordinary training or with roles that a coin exchanges in every training.

        Parameters
        ----------
        test : class or str
            Test of the search, as a class or by its name.
        coin : bool
            Whether to return the worst condition with roles that a coin exchanges.

        Raises
        ------
        KeyError
            For a test that the search does not have.

        Examples
        --------
        >>> found = stored().of("BlockedFiveByTwoMcNemar")
        >>> found.verdict(), found.cell.kind in ("mirrored", "seeds", "halves", "leaning")
        ('liberal', True)
        """
        name = test if isinstance(test, str) else test.__name__
        candidates = [worst for worst in self._confirmed if worst.test == name and (worst.cell.kind in ORDINARY) != coin]
        if not candidates:
            raise KeyError(f"`test` must be a test with a stored level; got {name!r}; {format_nearest_names(name, SETTINGS)}")
        return max(candidates, key=lambda worst: worst.rate)

    @cached_property
    def powers(self) -> dict[str, list[Rate]]:
        """Power of each test at each condition with a false H0; tests that need further splits are left out."""
        rates: dict[str, list[Rate]] = {}
        for rate in self._rates("power"):
            rates.setdefault(str(rate.effect), []).append(rate)
        return rates

    def frontier(self, where: str = "Simple at 0.3", tests: Iterable[type] = ()) -> Picture:
        """Draw what power costs: the worst level of each ordinarily trained test against its power.

        Parameters
        ----------
        where : {"Simple at 0.3", "EXP6 at 0.5", "EXP6 at 0.8"}
            Condition with a false H0: a source of the study of the 5x2 BCV McNemar test, at one of its points.
        tests : iterable of classes, optional
            Tests in the picture; by default all tests.

        Examples
        --------
        >>> stored().frontier()
        [picture: The worst level found and the power of 20 tests at alpha = 0.05, the most powerful first. ...]
        """
        if where not in self.powers:
            raise KeyError(f"`where` must be one of {', '.join(self.powers)}; got {where!r}")
        names = {test.__name__ for test in tests}
        rates = [rate for rate in self.powers[where] if not names or rate.test in names]
        points = [LevelAndPower(rate.test, self.of(rate.test).rate, rate.rate) for rate in rates]
        return replace(level_power_frontier(points, ALPHA, chosen="BlockedFiveByTwoT"), ylabel=f"power on {where}")

    def scanned(self, test: str) -> list[Rate]:
        """Return the rates of a test in each condition of the scan, which has few data sets and only selects the worst conditions."""
        return [rate for rate in self._rates("scan", "closer") if rate.test == test]

    def __iter__(self) -> Iterator[Worst]:
        return iter(sorted((self.of(test) for test in TESTS), key=lambda worst: -worst.rate))

    @property
    def title(self) -> str:
        """Title of the table, with the level."""
        return f"The worst level found, alpha = {format_plain(ALPHA)}: H0 is true by symmetry, so that every rejection is a false alarm"

    @property
    def _table(self) -> Table:
        rows = [
            [worst.test, str(worst), str(worst.cell), str(by_coin := self.of(worst.test, coin=True)), str(by_coin.cell)] for worst in self
        ]
        notes = [
            f"A scan of up to {len(CELLS)} conditions chose the worst by few data sets each. These were counted again on "
            f"{_data_set_counts_text(self)} new data sets, and the largest rate of each test is shown. All intervals hold together, for "
            f"{self.comparison_count:,} pairs of a test and a condition, with 95 %.",
            "If a coin exchanges the roles in every training, the two learners differ in each training, but not on average: "
            "this instability is made on purpose.",
        ]
        return Table(["test", "worst level", "where", "worst with roles by a coin", "where"], rows, self.title, notes=notes)

    @property
    def guide_json(self) -> str:
        """What :func:`fstats.which_test` says of worst levels: the content of the file fstats/guide/worst_levels.json.

        The guide reads this file because the guide must not import a study.
        ``python -m fstats.studies.stress > fstats/guide/worst_levels.json`` writes the file.
        """
        texts, rows = {worst.test: worst.description for worst in self}, []
        powers = [{rate.test: rate.rate for rate in rates} for rates in self.powers.values()]
        for worst in self:
            if (by_coin := self.of(worst.test, coin=True)).rate > worst.rate:
                texts[worst.test] += f"; {by_coin.description}"
            power = [f"{100 * rates[worst.test]:.1f} %" if worst.test in rates else "–" for rates in powers]
            rows.append([worst.test, worst.percentages, by_coin.percentages, *power])
        heads = ["worst level (95 % interval)", "with roles by a coin", *(f"power, {where}" for where in self.powers)]
        return json.dumps({"texts": texts, "heads": heads, "rows": rows}, indent=1)

    def picture(self, tests: Iterable[type] = (), *, chosen: str = "") -> Picture:
        """Draw the worst levels in order, each with its interval, for the tests in `tests` (by default for all tests)."""
        names = {test.__name__ for test in tests}
        levels_shown = [worst for worst in self if not names or worst.test in names]
        xlabel = f"share of rejections of a true H0 ({_data_set_counts_text(levels_shown)} data sets)"
        return replace(levels(levels_shown, ALPHA, chosen=chosen), title="The worst level found", xlabel=xlabel)


def _data_set_counts_text(levels: Iterable[Worst]) -> str:
    """Return the number of data sets, or its range, as text."""
    repetitions = [worst.repetitions for worst in levels]
    most, least = max(repetitions), min(repetitions)
    return f"{most:,}" if most == least else f"{least:,} to {most:,}"


def study(*, data_sets: int = DATA_SETS, jobs: int = 1, store: Any = None, progress: bool = True) -> Stress:
    """Compute the whole study again; with a `store`, finished units are stored, and an interrupted computation continues with them."""
    units, results = run_all_stages(data_sets=data_sets, jobs=jobs, store=store, progress=progress)
    about = provenance(f"fstats reproduce stress --again --save {STORED}", "numpy", "scipy", "scikit-learn")
    return Stress(about, units, results)


@cache
def stored() -> Stress:
    """Return the study that is stored in the package.

    Examples
    --------
    >>> len(list(stored()))
    20
    """
    return Stress.stored(__package__, STORED)
