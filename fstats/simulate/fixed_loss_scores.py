"""Scores of many data sets at once, if losses do not depend on training: shuffle the records, split the records and count the losses."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.value_types import Array
from ..procedures.resampling.split_plans.split_plan import Plan
from ..procedures.resampling.split_scores.split_scores import DIVISIONS, REPLICATES, Scores

# Each record is coded as one number; the sum over a test set holds three counts of 21 bits each: n01, n10 and n11.
BITS_PER_COUNT = 21
MAX_COUNT = 2**BITS_PER_COUNT - 1  # maximum number of records

Packed = NDArray[np.uint64]


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
    packed, n = _pack_counts(correct), correct.shape[1]
    splits, halves, replicates = (
        np.random.default_rng(np.random.SeedSequence(seed.entropy, spawn_key=(*seed.spawn_key, k))) for k in range(3)
    )
    cuts, shuffled = plan.test_positions(n), packed.copy()
    counted = np.empty((len(cuts), len(packed)), np.uint64)
    before = None
    for k, (shuffle, tested) in enumerate(cuts):
        if shuffle != before:
            splits.permuted(shuffled, axis=1, out=shuffled)
            before = shuffle
        counted[k] = shuffled[:, _position_slice(tested)].sum(1)
    sizes = np.array([len(tested) for _, tested in cuts])[:, np.newaxis]
    n01, n10, n11 = _unpack_counts(counted)
    shape = (*plan.shape, len(packed))
    parts: dict[str, Any] = {}
    if "tables" in needs:
        parts["tables"] = np.stack([sizes - n01 - n10 - n11, n01, n10, n11], 1).reshape(*plan.shape, 2, 2, -1)
    if "record_difference" in needs:
        only_b, only_a, _ = _unpack_counts(shuffled.T)
        parts["record_difference"] = np.ascontiguousarray(only_a - only_b)
        parts["record_fold"] = np.repeat(np.arange(1, len(cuts) + 1.0), sizes[:, 0])
    if "halves" in needs:
        parts["halves"] = _half_differences(packed, plan, len(cuts[0][1]), halves)
    if "replicates" in needs:
        parts["replicates"] = _replicate_differences(n01, n10, sizes, replicates).reshape(*plan.shape, REPLICATES, -1)
    tested = sizes.reshape(plan.shape).astype(float)
    parts |= {"n_train": n - tested, "n_test": tested}
    return Scores(plan, ((n10 + n11) / sizes).reshape(shape), ((n01 + n11) / sizes).reshape(shape), **parts)


def _pack_counts(correct: NDArray[np.bool]) -> Packed:
    """Return one number for each record of each data set, shape (data sets, records)."""
    if correct.ndim != 3 or len(correct) != 2:
        rule = "a source must draw an array that tells which predictions are right, with shape (2, records, repetitions)"
        raise ValueError(f"{rule}; got {correct.shape}")
    if correct.shape[1] > MAX_COUNT:
        raise ValueError(f"n must be at most {MAX_COUNT} records, because larger counts cannot be stored; got {correct.shape[1]}")
    a, b = (np.ascontiguousarray(part.T).astype(np.uint64) for part in correct)
    return (b & ~a) | ((a & ~b) << np.uint64(BITS_PER_COUNT)) | ((a & b) << np.uint64(2 * BITS_PER_COUNT))


def _unpack_counts(counted: Packed) -> tuple[Array, Array, Array]:
    n01, n10, n11 = (((counted >> np.uint64(k * BITS_PER_COUNT)) & np.uint64(MAX_COUNT)).astype(float) for k in range(3))
    return n01, n10, n11


def _position_slice(places: NDArray[np.int64]) -> Any:
    """Return consecutive positions as a slice, which needs no copy."""
    first, last = int(places[0]), int(places[-1])
    return slice(first, last + 1) if last - first + 1 == len(places) else places


def _half_differences(packed: Packed, plan: Plan, n_test: int, rng: np.random.Generator) -> Array:
    """Return mean differences on the two halves of each of ten divisions; the same splits test the same positions of both halves."""
    repetitions, n = packed.shape
    size = n // 2
    shuffled, means = packed.copy(), np.empty((DIVISIONS, 2, repetitions))
    places = np.zeros((repetitions, size), np.uint64)
    places[:, :n_test] = 1
    for m in range(DIVISIONS):
        rng.permuted(shuffled, axis=1, out=shuffled)
        times = np.zeros_like(places)  # times counts how often the record at each position is tested
        for _ in range(plan.splits):
            times += rng.permuted(places, axis=1, out=places)
        for h in (0, 1):
            n01, n10, _ = _unpack_counts((shuffled[:, h * size : (h + 1) * size] * times).sum(1))
            means[m, h] = (n10 - n01) / (plan.splits * n_test)
    return means


def _replicate_differences(n01: Array, n10: Array, sizes: NDArray[np.int64], rng: np.random.Generator) -> Array:
    """Return differences on test sets that are resampled with replacement; the counts are multinomial draws."""
    shape = (len(n01), REPLICATES, n01.shape[1])
    only_a = rng.binomial(sizes[..., np.newaxis], (n10 / sizes)[:, np.newaxis], shape)
    remaining = sizes[..., np.newaxis] - only_a
    share = n01 / np.maximum(sizes - n10, 1)  # share of n01 among the records that are not counted in n10
    only_b = rng.binomial(remaining, share[:, np.newaxis], shape)
    return (only_a - only_b) / sizes[..., np.newaxis]
