"""Design of the BCV study: sources, tests, points of the power curves, and printed numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...procedures.resampling.cross_validated_z import CrossValidatedZ
from ...procedures.resampling.cross_validation_tests import SOURCE_PAPER_TESTS, TABLE_5
from ...procedures.resampling.naive_k_fold_mcnemar import NaiveKFoldMcNemar
from ..study_files import printed_figures, unit_sizes

SEED, DATA_SETS, ALPHA = 2023, 1000, 0.05
# source -> number of data sets in a unit of work; the order of the sources determines the seeds, so it must not change
DATA_SETS_PER_UNIT = {"Epsilon": 100, "EXP6": 25, "Simple": 25, "letter": 25, "MNIST": 1, "MNIST small": 1, "MNIST test images": 1}
# sources of digits: the networks of the paper on the training images or on the test images, and smaller networks for a CPU
DIGITS = {"mnist": "MNIST", "mnist_test": "MNIST test images", "mnist_small": "MNIST small"}
DIGITS_REQUEST: dict[str, Any] = {"tests": "14", "points": {"0": 0.0}}
DIGITS_SETS = 100  # number of data sets that the paper draws from MNIST
SOURCES = tuple(name for name in DATA_SETS_PER_UNIT if name not in DIGITS.values())
# source -> number of data sets for type I errors; the 1,000 data sets of the paper would leave too many claims undecided
LEVEL_DATA_SETS = {"Epsilon": 20_000, "EXP6": 4_000, "Simple": 4_000}
LAMBDAS = tuple(f"{k / 10:g}" for k in range(11))  # values of lambda on the x-axis of Figure 4
# name of the point at which the learners are equally good after training on n records; at point "0", after training on n/2 records
AS_WRITTEN = "0 at n"
SIZES = {"EXP6": 300, "Simple": 1000, "letter": 300}
TESTS: dict[str, dict[str, tuple[Any, dict[str, Any]]]] = {
    "14": {test.__name__: (test, {}) for test in TABLE_5},
    "17": {test.__name__: (test, {}) for test in SOURCE_PAPER_TESTS},
    # the three tests without printed numbers in the paper
    "3": {test.__name__: (test, {}) for test in SOURCE_PAPER_TESTS if test not in TABLE_5},
    "readings": {  # other definitions of two tests whose printed numbers differ from the computed ones
        "NaiveKFoldMcNemar, empty folds dropped": (NaiveKFoldMcNemar, {"empty": "drop"}),
        "CrossValidatedZ, one-sided: A is better": (CrossValidatedZ, {"alternative": "greater"}),
        "CrossValidatedZ, one-sided: B is better": (CrossValidatedZ, {"alternative": "less"}),
    },
}

PRINTED: dict[str, list[str]] = printed_figures(__package__)["table_5"]

# Part of the study -> values of lambda in the order of computation: first type I errors, then three points of the power
# curves, then the remaining points.
PARTS = {
    "table5": ("0",),
    "readings": ("0",),
    "left_out": ("0",),
    "power": ("0.3", "0.6", "1"),
    "power2": ("0.1", "0.2", "0.4", "0.5", "0.7", "0.8", "0.9"),
}
# sources with two points for lambda = 0: equally good learners after training on n or on n/2 records
TWO_READING_SOURCES = ("EXP6", "letter")
# sources on which learners that are equally good after training on n/2 records differ after training on n records
UNEQUAL_AT_N = ("letter",)
# part of the study -> key of its tests in TESTS
TESTS_OF_PART = {"table5": "14", "readings": "readings", "left_out": "3", "power": "14", "power2": "14"}


def unit_ranges(name: str, total: int) -> list[dict[str, Any]]:
    """Return the units of work of a source, with the number of data sets in each unit."""
    return [{"source": name, "chunk": k, "data_sets": size} for k, size in enumerate(unit_sizes(total, DATA_SETS_PER_UNIT[name]))]


def unit_seed(unit: dict[str, Any], seed: np.random.SeedSequence) -> np.random.SeedSequence:
    """Return the seed of a unit: every part of the study uses the same data sets, so all points of a curve share their data sets."""
    return np.random.SeedSequence(seed.entropy, spawn_key=(list(DATA_SETS_PER_UNIT).index(unit["source"]), unit["chunk"]))
