"""Type I errors of cross-validation tests in small samples.

The tests are those in Table 5 of the 5x2 BCV paper; the samples have few records and unequal classes.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np

from ...core.number_format import format_plain
from ...core.validation import check
from ...procedures.resampling.cross_validation_tests import TABLE_5
from ...render.display_table import Table, TableDisplay
from ...simulate import TwoFeatures
from ...simulate.rejection_rates import Rate, type_one_error
from ...simulate.work_units import run
from ..study_files import StoredStudy, format_rate, provenance, unit_sizes

SIZES, SHARES, ALPHA = (50, 100, 300), (0.5, 0.2), 0.05
SIZE_AND_SHARE = [(n, share) for share in SHARES for n in SIZES]
DATA_SETS, AT_ONCE = 2000, 50
STORED = "levels.json"


def rejections_of_unit(unit: Mapping[str, Any], _: np.random.SeedSequence) -> dict[str, int]:
    """Count the data sets of a unit on which each test rejects; the unit contains its own seed."""
    source = TwoFeatures(n=unit["n"], share=unit["share"])
    rates = type_one_error(TABLE_5, source, unit["data_sets"], rng=unit["seed"], alpha=ALPHA, progress=False)
    return {rate.test: rate.rejections for rate in rates}


class SmallSamples(TableDisplay, StoredStudy):
    """Type I errors of the tests of Table 5 for several numbers of records and shares of the second class.

    ``study.of(50, 0.2)`` lists the rates of all tests on 50 records if a fifth of the records belongs to the second class.
    """

    result_key, alpha = "rejected", ALPHA

    def of(self, n: int, share: float = 0.5) -> list[Rate]:
        """Return the rates of all tests for one number of records and one share of the second class."""
        for name, value, known in (("n", n, SIZES), ("share", share, SHARES)):
            if value not in known:
                raise ValueError(f"`{name}` must be one of {', '.join(map(format_plain, known))}, the simulated values; got {value!r}")
        parts = [k for k, unit in enumerate(self.units) if (unit["n"], unit["share"]) == (n, share)]
        total = sum(self.units[k]["data_sets"] for k in parts)
        return [Rate(test, (n, share), sum(self.results[k][test] for k in parts), total) for test in self.results[0]]

    @property
    def title(self) -> str:
        """Title of the table, with the level and the number of data sets."""
        total = self.of(SIZES[0])[0].repetitions
        what = "n records, share of the second class; ± standard error"
        return f"Type I error at alpha = {format_plain(ALPHA)}, {total} data sets for each column: {what}"

    @property
    def _table(self) -> Table:
        columns = [self.of(n, share) for n, share in SIZE_AND_SHARE]
        lines = [[rates[0].test, *(format_rate(rate) for rate in rates)] for rates in zip(*columns, strict=True)]
        return Table(["test", *(f"n = {n}, {format_plain(share)}" for n, share in SIZE_AND_SHARE)], lines, self.title)


def study(*, data_sets: int = DATA_SETS, jobs: int = 1, store: Any = None, progress: bool = True) -> SmallSamples:
    """Compute the whole study again; with a `store`, finished units are stored, and an interrupted computation continues with them."""
    total = int(check.count(1)(data_sets, "data_sets"))
    chunks = [{"data_sets": size, "seed": seed} for seed, size in enumerate(unit_sizes(total, AT_ONCE))]
    units: list[dict[str, Any]] = [{"n": n, "share": share, **chunk} for n, share in SIZE_AND_SHARE for chunk in chunks]
    sources = [repr(TwoFeatures(n=n, share=share)) for n, share in SIZE_AND_SHARE]
    settings = {"tests": [test.__name__ for test in TABLE_5], "sources": sources}
    results = run(rejections_of_unit, units, arguments=settings | {"alpha": ALPHA}, jobs=jobs, store=store, progress=progress)
    about = provenance(f"fstats reproduce small-samples --again --save {STORED}", "numpy", "scipy", settings=settings)
    return SmallSamples(about, units, results)


@cache
def stored() -> SmallSamples:
    """Return the study that is stored in the package.

    Examples
    --------
    >>> rates = {rate.test: rate.rate for rate in stored().of(50)}
    >>> rates["ResampledT"] > 0.2, rates["BlockedFiveByTwoMcNemar"] < 0.05
    (True, True)
    """
    return SmallSamples.stored(__package__, STORED)
