"""Familywise errors of tests for all pairs, and of the analysis of variance before them, without sphericity."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from ...core.number_format import format_plain
from ...core.validation import check
from ...core.value_types import Array
from ...procedures.multiple.repeated_measures_anova import RepeatedAnova
from ...procedures.pairwise.paired_t import PairedT
from ...procedures.pairwise.signed_rank import SignedRank
from ...procedures.posthoc.holm import Holm
from ...procedures.posthoc.nemenyi import Nemenyi
from ...procedures.posthoc.pairwise_tests import Pairwise
from ...procedures.posthoc.tukey_hsd import TukeyHSD
from ...render.display_table import Table, TableDisplay
from ...simulate.rejection_rates import Rate
from ...simulate.work_units import run
from ..study_files import StoredStudy, format_rate, provenance, unit_sizes

ALPHA, TABLES, AT_ONCE = 0.05, 10_000, 500
STORED = "levels.json"


class ScoreSetting(NamedTuple):
    """Normal scores of k classifiers on n data sets, alike but that those of some have a larger standard deviation."""

    k: int
    noisy: int  # how many
    times: int  # as large
    n: int

    def __str__(self) -> str:
        return f"{self.noisy} of {self.k} with {self.times} times the spread, n = {self.n}"

    def drawn(self, tables: int, seed: int) -> Array:
        """So many tables of scores."""
        deviations = np.where(np.arange(self.k) < self.noisy, float(self.times), 1.0)
        return np.random.default_rng([*self, seed]).normal(size=(self.n, self.k, tables)) * deviations[:, None]


SCORE_SETTINGS = [ScoreSetting(k, noisy, times, n) for (k, noisy), times, n in product(((5, 1), (8, 2)), (1, 2, 5), (10, 15, 30))]
TESTS: Mapping[str, Callable[[Array], Any]] = {  # on which tables anything is rejected
    "RepeatedAnova": lambda scores: RepeatedAnova(scores).pvalue <= ALPHA,
    "RepeatedAnova, Greenhouse-Geisser": lambda scores: RepeatedAnova(scores).pvalue_gg <= ALPHA,
    "TukeyHSD": lambda scores: TukeyHSD(scores).reject.any(0),
    "Holm on PairedT": lambda scores: Holm.from_test(Pairwise(scores, using=PairedT)).reject.any(0),
    "Holm on SignedRank": lambda scores: Holm.from_test(Pairwise(scores, using=SignedRank)).reject.any(0),
    "Nemenyi": lambda scores: Nemenyi(scores).reject.any(0),
}


def rejections_of_unit(unit: Mapping[str, Any], _: np.random.SeedSequence) -> dict[str, int]:
    """On how many tables of a unit each test rejects anything; the unit names its own seed."""
    scores = ScoreSetting(*unit["company"]).drawn(unit["tables"], unit["seed"])
    return {name: int(np.count_nonzero(rejects(scores))) for name, rejects in TESTS.items()}


class PostHocLevels(TableDisplay, StoredStudy):
    """Familywise errors: a line for each company of classifiers, a column for each test; ``study.of("TukeyHSD")`` lists those of one."""

    result_key = "rejected"

    def of(self, test: str) -> list[Rate]:
        """How often a test rejects anything, in each company."""
        if test not in TESTS:
            raise KeyError(f"no test of this study is called {test}; it has {', '.join(TESTS)}")
        found = {company: [0, 0] for company in SCORE_SETTINGS}
        for unit, result in zip(self.units, self.results, strict=True):
            numbers = found[ScoreSetting(*unit["company"])]
            numbers[0] += result[test]
            numbers[1] += unit["tables"]
        return [Rate(test, company, *numbers) for company, numbers in found.items()]

    def worst(self, test: str, k: int) -> Rate:
        """The company of k classifiers in which a test rejects most often."""
        return max((rate for rate in self.of(test) if rate.effect.k == k), key=lambda rate: rate.rate)

    @property
    def title(self) -> str:
        """What was done."""
        tables = self.of("Nemenyi")[0].repetitions
        return (
            f"How often anything is rejected at alpha = {format_plain(ALPHA)} where all true means are equal, {tables:,} tables for each line; "
            "± standard error"
        )

    @property
    def _table(self) -> Table:
        columns = [self.of(test) for test in TESTS]
        return Table(
            ["classifiers", *TESTS], [[str(rates[0].effect), *map(format_rate, rates)] for rates in zip(*columns, strict=True)], self.title
        )


def study(*, tables: int = TABLES, jobs: int = 1, store: Any = None, progress: bool = True) -> PostHocLevels:
    """Make the whole study again; a `store` keeps each unit as soon as it is done, and a run that was interrupted goes on from it."""
    total = int(check.count(1)(tables, "tables"))
    units = [
        {"company": list(company), "tables": size, "seed": seed}
        for company in SCORE_SETTINGS
        for seed, size in enumerate(unit_sizes(total, AT_ONCE))
    ]
    results = run(rejections_of_unit, units, arguments={"tests": list(TESTS), "alpha": ALPHA}, jobs=jobs, store=store, progress=progress)
    return PostHocLevels(provenance(f"fstats reproduce post-hoc --again --save {STORED}", "numpy", "scipy"), units, results)


@cache
def stored() -> PostHocLevels:
    """The study as it is kept in the package.

    Examples
    --------
    >>> [round(stored().worst(test, k=5).rate, 2) > 0.06 for test in ("TukeyHSD", "Holm on PairedT")]
    [True, False]
    """
    return PostHocLevels.stored(__package__, STORED)
