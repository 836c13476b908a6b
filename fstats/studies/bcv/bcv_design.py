"""Design of the experiments: sources, points of the power curves, tests, and the printed numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...procedures.resampling.cross_validated_z import CrossValidatedZ
from ...procedures.resampling.cross_validation_tests import SOURCE_PAPER_TESTS, TABLE_5
from ...procedures.resampling.naive_k_fold_mcnemar import NaiveKFoldMcNemar
from ..study_files import printed_figures, unit_sizes

SEED, DATA_SETS, ALPHA = 2023, 1000, 0.05
DATA_SETS_PER_UNIT = {"Epsilon": 100, "EXP6": 25, "Simple": 25, "letter": 25, "MNIST": 1, "MNIST small": 1}  # data sets in a unit of work
DIGITS = {"mnist": "MNIST", "mnist_small": "MNIST small"}  # at the paper's scale, and at a scale that a CPU can compute
DIGITS_SETS = 100  # data sets of digits, as in the paper
SOURCES = tuple(name for name in DATA_SETS_PER_UNIT if name not in DIGITS.values())
LEVEL_DATA_SETS = {"Epsilon": 20_000, "EXP6": 4_000, "Simple": 4_000}  # 1,000, as in the paper, leave too many verdicts open
LAMBDAS = tuple(f"{k / 10:g}" for k in range(11))  # the x axis of Figure 4
AS_WRITTEN = "0 at n"  # lambda = 0 if the true error rates are equal after training on n records, not on n/2
SIZES = {"EXP6": 300, "Simple": 1000, "letter": 300}
TESTS: dict[str, dict[str, tuple[Any, dict[str, Any]]]] = {
    "14": {test.__name__: (test, {}) for test in TABLE_5},
    "17": {test.__name__: (test, {}) for test in SOURCE_PAPER_TESTS},
    "3": {test.__name__: (test, {}) for test in SOURCE_PAPER_TESTS if test not in TABLE_5},  # tests without printed numbers
    "readings": {  # other readings of two tests whose printed numbers differ from ours
        "NaiveKFoldMcNemar, empty folds dropped": (NaiveKFoldMcNemar, {"empty": "drop"}),
        "CrossValidatedZ, one-sided: A is better": (CrossValidatedZ, {"alternative": "greater"}),
        "CrossValidatedZ, one-sided: B is better": (CrossValidatedZ, {"alternative": "less"}),
    },
}

PRINTED: dict[str, list[str]] = printed_figures(__package__)["table_5"]

# Parts of the study in their order, with the points of each.  Type I errors come first; of the power curves, few points come first.
PARTS = {
    "table5": ("0",),
    "readings": ("0",),
    "left_out": ("0",),
    "power": ("0.3", "0.6", "1"),
    "power2": ("0.1", "0.2", "0.4", "0.5", "0.7", "0.8", "0.9"),
}
TWO_READING_SOURCES = ("EXP6", "letter")  # sources on which lambda = 0 is tested in both readings
UNEQUAL_AT_N = ("letter",)  # learners that are equally good after training on n/2 records are not after training on n
TESTS_OF_PART = {"table5": "14", "readings": "readings", "left_out": "3", "power": "14", "power2": "14"}  # tests of each part


def unit_ranges(name: str, total: int) -> list[dict[str, Any]]:
    """Return the units of a source, with the number of data sets in each."""
    return [{"source": name, "chunk": k, "data_sets": size} for k, size in enumerate(unit_sizes(total, DATA_SETS_PER_UNIT[name]))]


def unit_seed(unit: dict[str, Any], seed: np.random.SeedSequence) -> np.random.SeedSequence:
    """Return the seed of a unit: the same data sets in every part of the study, so that all points of a curve share them."""
    return np.random.SeedSequence(seed.entropy, spawn_key=(list(DATA_SETS_PER_UNIT).index(unit["source"]), unit["chunk"]))
