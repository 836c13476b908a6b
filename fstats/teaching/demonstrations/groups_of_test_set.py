"""An approach that is not recommended: to cut one test set into K groups, and to take their accuracies for scores of data sets."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.validation.check import numbers
from ...core.value_types import Array

PARTITIONS = 100


def group_accuracies(
    right_a: Any, right_b: Any, k: int, *, partitions: int = PARTITIONS, rng: np.random.Generator | int
) -> tuple[Array, Array]:
    """Accuracies of two classifiers in k equal groups of the records, for many random partitions at once.

    Parameters
    ----------
    right_a, right_b : array_like, shape (records,)
        Whether A and B are right on each record: 1 or 0.
    k : int
        Groups; a divisor of the number of records, from 2 to half of it.
    partitions : int
        Random partitions, each a repetition on the last axis.
    rng : numpy.random.Generator or int
        Where chance comes from.  The same seed shuffles the records in the same way whatever k is.

    Returns
    -------
    two arrays, shape (k, partitions)
        What :class:`fstats.PairedT` takes; A and B share their groups.

    Examples
    --------
    >>> a, b = group_accuracies([1, 1, 0, 1], [0, 0, 0, 0], 2, partitions=3, rng=0)
    >>> a.shape, (2 * a.mean(0)).tolist(), b.max()
    ((2, 3), [1.5, 1.5, 1.5], np.float64(0.0))
    """
    right = np.stack(correct_by_record(right_a, right_b), axis=-1)
    if not (possible := possible_group_counts(len(right))):
        cannot = f"{len(right)} records cannot be cut into equal groups of at least 2"
        raise ValueError(f"{cannot}; leave some out, so that their number has divisors")
    if k not in possible:
        raise ValueError(f"k must cut {len(right)} records into equal groups of at least 2: {', '.join(map(str, possible))}; got {k!r}")
    order = np.random.default_rng(rng).permuted(np.tile(np.arange(len(right)), (partitions, 1)), axis=1)
    accuracy = right[order].reshape(partitions, k, len(right) // k, 2).mean(2)
    return accuracy[..., 0].T, accuracy[..., 1].T


def possible_group_counts(records: int) -> list[int]:
    """The numbers of equal groups into which so many records can be cut, at least 2 groups and 2 records each."""
    return [k for k in range(2, records // 2 + 1) if records % k == 0]


def correct_by_record(right_a: Any, right_b: Any) -> tuple[Array, Array]:
    """Whether A and B are right on each record, 1 or 0."""
    a, b = numbers(right_a, "right_a"), numbers(right_b, "right_b")
    if a.shape != b.shape or a.ndim != 1:
        raise ValueError(f"right_a and right_b must be two lists of the same length; got shapes {a.shape} and {b.shape}")
    for name, x in (("right_a", a), ("right_b", b)):
        if not np.isin(x, (0, 1)).all():
            raise ValueError(f"{name} must say 1 (right) or 0 (wrong) for each record; got {x[~np.isin(x, (0, 1))][0]:g}")
    return a, b
