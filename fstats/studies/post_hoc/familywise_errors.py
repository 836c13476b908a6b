"""Familywise type I errors of post hoc tests and ANOVA.

The scores violate sphericity.
"""

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
    """Setting of normal scores: k classifiers on n data sets with equal means; some classifiers have a larger standard deviation."""

    k: int
    noisy: int  # number of classifiers with a larger standard deviation
    times: int  # larger standard deviation divided by the usual one
    n: int

    def __str__(self) -> str:
        return f"{self.noisy} of {self.k} with {self.times} times the spread, n = {self.n}"

    def draw(self, tables: int, seed: int) -> Array:
        """Draw tables of scores."""
        deviations = np.where(np.arange(self.k) < self.noisy, float(self.times), 1.0)
        return np.random.default_rng([*self, seed]).normal(size=(self.n, self.k, tables)) * deviations[:, None]


SCORE_SETTINGS = [ScoreSetting(k, noisy, times, n) for (k, noisy), times, n in product(((5, 1), (8, 2)), (1, 2, 5), (10, 15, 30))]
# name of a test -> function that returns, for each of many tables, whether the test rejects any hypothesis
TESTS: Mapping[str, Callable[[Array], Any]] = {
    "RepeatedAnova": lambda scores: RepeatedAnova(scores).pvalue <= ALPHA,
    "RepeatedAnova, Greenhouse-Geisser": lambda scores: RepeatedAnova(scores).pvalue_gg <= ALPHA,
    "TukeyHSD": lambda scores: TukeyHSD(scores).reject.any(0),
    "Holm on PairedT": lambda scores: Holm.from_test(Pairwise(scores, using=PairedT)).reject.any(0),
    "Holm on SignedRank": lambda scores: Holm.from_test(Pairwise(scores, using=SignedRank)).reject.any(0),
    "Nemenyi": lambda scores: Nemenyi(scores).reject.any(0),
}


def rejections_of_unit(unit: Mapping[str, Any], _: np.random.SeedSequence) -> dict[str, int]:
    """Count the tables of a unit on which each test rejects any hypothesis; the unit contains its own seed."""
    scores = ScoreSetting(*unit["company"]).draw(unit["tables"], unit["seed"])
    return {name: int(np.count_nonzero(rejects(scores))) for name, rejects in TESTS.items()}


class PostHocLevels(TableDisplay, StoredStudy):
    """Familywise errors: a row for each score setting, a column for each test; ``study.of("TukeyHSD")`` lists one column."""

    result_key = "rejected"

    def of(self, test: str) -> list[Rate]:
        """Return the familywise error rate of a test in each setting."""
        if test not in TESTS:
            raise KeyError(f"`test` must be one of {', '.join(TESTS)}; got {test!r}")
        counts = {setting: [0, 0] for setting in SCORE_SETTINGS}
        for unit, result in zip(self.units, self.results, strict=True):
            numbers = counts[ScoreSetting(*unit["company"])]
            numbers[0] += result[test]
            numbers[1] += unit["tables"]
        return [Rate(test, setting, *numbers) for setting, numbers in counts.items()]

    def worst(self, test: str, k: int) -> Rate:
        """Return the largest familywise error rate of a test among the settings with k classifiers."""
        return max((rate for rate in self.of(test) if rate.effect.k == k), key=lambda rate: rate.rate)

    @property
    def title(self) -> str:
        """Title of the table, with the level and the number of tables."""
        tables = self.of("Nemenyi")[0].repetitions
        what = f"How often anything is rejected at alpha = {format_plain(ALPHA)} if all true means are equal"
        return f"{what}, {tables:,} tables for each line; ± standard error"

    @property
    def _table(self) -> Table:
        columns = [self.of(test) for test in TESTS]
        lines = [[str(rates[0].effect), *map(format_rate, rates)] for rates in zip(*columns, strict=True)]
        return Table(["classifiers", *TESTS], lines, self.title)


def study(*, tables: int = TABLES, jobs: int = 1, store: Any = None, progress: bool = True) -> PostHocLevels:
    """Compute the whole study again; with a `store`, finished units are stored, and an interrupted computation continues with them."""
    total = int(check.count(1)(tables, "tables"))
    units = [
        {"company": list(setting), "tables": size, "seed": seed}
        for setting in SCORE_SETTINGS
        for seed, size in enumerate(unit_sizes(total, AT_ONCE))
    ]
    results = run(rejections_of_unit, units, arguments={"tests": list(TESTS), "alpha": ALPHA}, jobs=jobs, store=store, progress=progress)
    return PostHocLevels(provenance(f"fstats reproduce post-hoc --again --save {STORED}", "numpy", "scipy"), units, results)


@cache
def stored() -> PostHocLevels:
    """Return the study that is stored in the package.

    Examples
    --------
    >>> [round(stored().worst(test, k=5).rate, 2) > 0.06 for test in ("TukeyHSD", "Holm on PairedT")]
    [True, False]
    """
    return PostHocLevels.stored(__package__, STORED)
