"""Invalid t-test on the accuracies in groups of one test set."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.validation.check import numbers
from ...core.value_types import Array

PARTITIONS = 100


def group_accuracies(
    right_a: Any, right_b: Any, k: int, *, partitions: int = PARTITIONS, rng: np.random.Generator | int
) -> tuple[Array, Array]:
    """Compute the accuracies of two classifiers in k equal groups of the records, for many random partitions at once.

    Parameters
    ----------
    right_a, right_b : array_like, shape (records,)
        For each record, whether A and B are right: 1 or 0.
    k : int
        Number of groups; a divisor of the number of records, from 2 to half of it.
    partitions : int
        Number of random partitions; the last axis of the result.
    rng : numpy.random.Generator or int
        Source of randomness. The same seed shuffles the records in the same way for every k.

    Returns
    -------
    two arrays, shape (k, partitions)
        Input for :class:`fstats.PairedT`; A and B have the same groups.

    Examples
    --------
    >>> a, b = group_accuracies([1, 1, 0, 1], [0, 0, 0, 0], 2, partitions=3, rng=0)
    >>> a.shape, (2 * a.mean(0)).tolist(), b.max()
    ((2, 3), [1.5, 1.5, 1.5], np.float64(0.0))
    """
    right = np.stack(correct_by_record(right_a, right_b), axis=-1)
    if not (possible := possible_group_counts(len(right))):
        remedy = "Leave out records until their number is not prime."
        raise ValueError(f"`right_a` and `right_b` must split into equal groups of at least 2 records; got {len(right)} records. {remedy}")
    if k not in possible:
        raise ValueError(
            f"`k` must be one of {', '.join(map(str, possible))}, because {len(right)} records must form equal groups of at least 2 "
            f"records; got {k!r}"
        )
    order = np.random.default_rng(rng).permuted(np.tile(np.arange(len(right)), (partitions, 1)), axis=1)
    accuracy = right[order].reshape(partitions, k, len(right) // k, 2).mean(2)
    return accuracy[..., 0].T, accuracy[..., 1].T


def possible_group_counts(records: int) -> list[int]:
    """Return the possible numbers of equal groups of the records, with at least 2 groups and 2 records in each group."""
    return [k for k in range(2, records // 2 + 1) if records % k == 0]


def correct_by_record(right_a: Any, right_b: Any) -> tuple[Array, Array]:
    """Convert the inputs to arrays of 1 (right) or 0 (wrong), and check them."""
    a, b = numbers(right_a, "right_a"), numbers(right_b, "right_b")
    if a.shape != b.shape or a.ndim != 1:
        raise ValueError(f"`right_a` and `right_b` must be two lists of the same length; got shapes {a.shape} and {b.shape}")
    for name, x in (("right_a", a), ("right_b", b)):
        if not np.isin(x, (0, 1)).all():
            raise ValueError(f"`{name}` must hold 1 (right) or 0 (wrong) for each record; got {x[~np.isin(x, (0, 1))][0]:g}")
    return a, b
