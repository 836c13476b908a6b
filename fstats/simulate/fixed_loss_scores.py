"""Simulate scores for many data sets at once.

The losses do not depend on training.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.value_types import Array
from ..procedures.resampling.split_plans.split_plan import Plan
from ..procedures.resampling.split_scores.split_scores import DIVISIONS, REPLICATES, Scores

NEITHER, ONLY_B, ONLY_A, BOTH = range(4)  # codes of outcomes: which algorithms predict a record correctly
Outcomes = NDArray[np.int8]  # codes of all records, an array of shape (data sets, records)


def shuffled_split_scores(correct: NDArray[np.bool], plan: Plan, needs: Collection[str], seed: np.random.SeedSequence) -> Scores:
    """Shuffle the records of each data set before each split or cross-validation of a plan; count right predictions in each test set.

    Parameters
    ----------
    correct : array, shape (2, n, repetitions)
        Whether A and B are right on each record.
    plan : Plan
        The splits.
    needs : collection of str
        The parts of the scores that are needed besides the score on each split.
    seed : SeedSequence
        Seed; each part has its own random numbers, so that an additional part does not change the other parts.
    """
    outcomes, n = _outcomes(correct), correct.shape[1]
    splits, halves, replicates = (
        np.random.default_rng(np.random.SeedSequence(seed.entropy, spawn_key=(*seed.spawn_key, k))) for k in range(3)
    )
    cuts, shuffled = plan.test_positions(n), outcomes.copy()
    n01, n10, n11 = np.empty((3, len(cuts), len(outcomes)))
    before = None
    for k, (shuffle, tested) in enumerate(cuts):
        if shuffle != before:
            splits.permuted(shuffled, axis=1, out=shuffled)
            before = shuffle
        drawn = shuffled[:, tested]
        n01[k], n10[k], n11[k] = ((drawn == outcome).sum(1) for outcome in (ONLY_B, ONLY_A, BOTH))
    sizes = np.array([len(tested) for _, tested in cuts])[:, np.newaxis]
    shape = (*plan.shape, len(outcomes))
    parts: dict[str, Any] = {}
    if "tables" in needs:
        parts["tables"] = np.stack([sizes - n01 - n10 - n11, n01, n10, n11], 1).reshape(*plan.shape, 2, 2, -1)
    if "record_difference" in needs:
        parts["record_difference"] = (shuffled.T == ONLY_A).astype(float) - (shuffled.T == ONLY_B)
        parts["record_fold"] = np.repeat(np.arange(1, len(cuts) + 1.0), sizes[:, 0])
    if "halves" in needs:
        parts["halves"] = _half_differences(outcomes, plan, len(cuts[0][1]), halves)
    if "replicates" in needs:
        parts["replicates"] = _replicate_differences(n01, n10, sizes, replicates).reshape(*plan.shape, REPLICATES, -1)
    tested = sizes.reshape(plan.shape).astype(float)
    parts |= {"n_train": n - tested, "n_test": tested}
    return Scores(plan, ((n10 + n11) / sizes).reshape(shape), ((n01 + n11) / sizes).reshape(shape), **parts)


def _outcomes(correct: NDArray[np.bool]) -> Outcomes:
    if correct.ndim != 3 or len(correct) != 2:
        raise ValueError(
            f"a source must return an array of shape (2, records, repetitions), True for right predictions; got shape {correct.shape}"
        )
    a, b = correct
    return np.ascontiguousarray((ONLY_A * a + ONLY_B * b).T.astype(np.int8))


def _half_differences(outcomes: Outcomes, plan: Plan, n_test: int, rng: np.random.Generator) -> Array:
    """Return mean differences on both halves of ten random divisions; each split tests the same positions of both halves."""
    repetitions, n = outcomes.shape
    size = n // 2
    shuffled, means = outcomes.copy(), np.empty((DIVISIONS, 2, repetitions))
    places = np.zeros((repetitions, size), np.int64)
    places[:, :n_test] = 1
    for m in range(DIVISIONS):
        rng.permuted(shuffled, axis=1, out=shuffled)
        times = np.zeros_like(places)  # number of splits that test each record
        for _ in range(plan.splits):
            times += rng.permuted(places, axis=1, out=places)
        for h in (0, 1):
            half = shuffled[:, h * size : (h + 1) * size]
            means[m, h] = (times * (half == ONLY_A) - times * (half == ONLY_B)).sum(1) / (plan.splits * n_test)
    return means


def _replicate_differences(n01: Array, n10: Array, sizes: NDArray[np.int64], rng: np.random.Generator) -> Array:
    """Return differences on test sets that are resampled with replacement, so that their counts are multinomial."""
    shape = (len(n01), REPLICATES, n01.shape[1])
    only_a = rng.binomial(sizes[..., np.newaxis], (n10 / sizes)[:, np.newaxis], shape)
    remaining = sizes[..., np.newaxis] - only_a
    # conditional probability of "only B is right", given that "only A is right" is false
    share = n01 / np.maximum(sizes - n10, 1)
    only_b = rng.binomial(remaining, share[:, np.newaxis], shape)
    return (only_a - only_b) / sizes[..., np.newaxis]
