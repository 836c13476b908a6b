"""Sums for the computation of correlations.

The sums over samples give the correlations of the ten contingency tables.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from time import process_time
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from ...procedures.resampling.split_plans.split_plan import BLOCKED_FIVE_BY_TWO
from ...simulate.training_cache import TrainingCache, child_seed
from .correlation_classifiers import learners, without_sklearn_checks
from .correlation_datasets import SETS, data_set

# seed; samples of a data set, records of a sample, samples in a chunk, samples of a data set in a round
SEED, SAMPLES, RECORDS, CHUNK, ROUND = 2023, 1000, 300, 50, 200
LEARNERS = ("majority", "mean", "logistic", "SVM", "tree", "neighbours")
PAIRS = tuple(combinations(LEARNERS, 2))
FOLD = RECORDS // 2


def units(sets: Sequence[str] = SETS, samples: int = SAMPLES) -> list[dict[str, Any]]:
    """Divide the samples into chunks, in rounds over all data sets: an unfinished computation then has similar numbers of each set."""
    chunks = [(first, min(CHUNK, samples - first)) for first in range(0, samples, CHUNK)]
    rounds = [[chunk for chunk in chunks if chunk[0] // ROUND == k] for k in range(-(-samples // ROUND))]
    return [{"set": name, "chunk": first // CHUNK, "samples": size} for each in rounds for name in sets for first, size in each]


def losses_of_unit(
    unit: Mapping[str, Any], seed: np.random.SeedSequence, *, data_dir: Any = None, only: Sequence[str] = LEARNERS
) -> NDArray[np.int64]:
    """Return the loss (0 right, 1 wrong) of each learner on each record, shape (samples, learners, 5, 2, records of a fold)."""
    data = data_set(unit["set"], data_dir)
    seeds = np.random.SeedSequence(seed.entropy, spawn_key=(crc32(unit["set"].encode()), unit["chunk"]))
    losses = np.empty((unit["samples"], len(only), 5, 2, FOLD), np.int64)
    for r in range(unit["samples"]):
        records = np.random.default_rng(child_seed(seeds, 0, r)).choice(len(data.y), RECORDS, replace=False)
        cache = TrainingCache(data.x[records], data.y[records], child_seed(seeds, 1, r))
        with without_sklearn_checks():
            for k, name in enumerate(only):
                losses[r, k] = ~cache.correct_predictions(learners()[name], BLOCKED_FIVE_BY_TWO, "splits").reshape(5, 2, FOLD)
    return losses


def sums_of_unit(unit: Mapping[str, Any], seed: np.random.SeedSequence, *, data_dir: Any = None) -> dict[str, Any]:
    """Compute one unit: errors of each learner, and sums of disagreements and of differences in errors for each pair of learners.

    Let q be the count of a fold, and T the sum of the ten counts.  The unit contains the sums over samples of T, of T squared, of the ten q
    squared, and of the five products of the two folds of a repetition.
    """
    start = process_time()
    wrong = losses_of_unit(unit, seed, data_dir=data_dir)
    sums = {"errors": wrong.sum((0, 2, 3, 4)).tolist(), "seconds": round(process_time() - start, 2)}  # seconds of CPU time
    a, b = (wrong[:, [LEARNERS.index(pair[k]) for pair in PAIRS]] for k in (0, 1))
    for name, counts in (("disagreements", np.abs(a - b).sum(-1)), ("differences", (a - b).sum(-1))):
        sums[name] = moment_sums(counts).tolist()
    return sums


def moment_sums(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return four sums for each pair of learners, shape (pairs, 4), from counts of shape (samples, pairs, 5, 2).

    >>> moment_sums(np.arange(10).reshape(1, 1, 5, 2)).tolist()
    [[45, 2025, 285, 140]]
    """
    total = counts.sum((2, 3))
    return np.stack([total.sum(0), (total**2).sum(0), (counts**2).sum((0, 2, 3)), counts.prod(3).sum((0, 2))], -1)
