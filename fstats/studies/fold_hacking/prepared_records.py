"""Prepare a data set for many splits, and find the splits and folds with doubtful predictions."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .stratified_folds import FoldNumbers

Predicted = NDArray[np.int8]  # index of the predicted class of each record in each split, shape (records, splits)
AT_ONCE = 200_000  # number of values that are processed together, small enough for the cache of the CPU


class PreparedRecords:
    """Data set prepared for many splits: features, classes numbered from 0, and values that all splits share."""

    def __init__(self, x: Any, y: Any) -> None:
        self.x = np.ascontiguousarray(x, dtype=np.float64)
        names, coded = np.unique(np.asarray(y), return_inverse=True)
        self.y = coded.astype(np.int64)
        self.classes = len(names)
        self.single = self.x.astype(np.float32)  # features in the precision that trees need
        self.target = np.ascontiguousarray(self.y[:, np.newaxis], np.float64)  # classes in the form that the tree builder needs

    def __len__(self) -> int:
        return len(self.y)

    @cached_property
    def whole(self) -> bool:
        """Whether all features are whole numbers that are small enough for exact distances."""
        return bool((self.x == np.rint(self.x)).all() and np.abs(self.x).max() < 1e6)

    @cached_property
    def neighbours(self) -> Neighbours:
        """Neighbours of each record, nearest first."""
        return Neighbours(self.x)

    @cached_property
    def centred(self) -> list[tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]]:
        """For each class: its records, a centre, and the features minus the centre and their squares.

        The centre is a median that occurs in the data.  A feature that is constant in the training records of a class then becomes 0 and
        has variance 0, as in scikit-learn, not a variance of 1e-17.
        """
        moments = []
        for c in range(self.classes):
            members = np.flatnonzero(self.y == c)
            centre = np.sort(self.x[members], axis=0)[len(members) // 2]
            deviation = self.x[members] - centre
            moments.append((members, centre, np.hstack([deviation, deviation**2])))
        return moments


class Neighbours:
    """Neighbours of each record, nearest first, and which neighbours are at equal distance within rounding."""

    MOST = 512  # maximum number of neighbours of a record; scikit-learn makes the predictions that need more neighbours

    def __init__(self, x: NDArray[np.float64]) -> None:
        n, most = len(x), min(len(x) - 1, self.MOST)
        self.order = np.empty((n, most), np.int32)
        self.starts = np.empty((n, most), bool)  # whether a neighbour is farther away than the previous neighbour
        norms = (x**2).sum(1)
        for i in range(n):
            distance = ((x - x[i]) ** 2).sum(1)
            distance[i] = -1.0
            order = np.argsort(distance, kind="stable")[1 : most + 1]
            # Brute force in scikit-learn computes squared distances from norms and products, with the rounding error of the norms.
            rounding = 1e-10 * distance[order] + 1e-13 * (norms[i] + norms[order])
            self.order[i] = order
            self.starts[i] = np.diff(distance[order], prepend=-1.0) > rounding


def doubtful_predictions(
    fold: FoldNumbers, uncertain: NDArray[np.bool], folds: int
) -> Iterator[tuple[int, NDArray[np.int64], NDArray[np.int64]]]:
    """Yield each split and fold with doubtful predictions: the split, the training records, and the doubtful records."""
    for s in np.flatnonzero(uncertain.any(1)).tolist():
        for k in range(folds):
            test = np.flatnonzero(uncertain[s] & (fold[s] == k))
            if len(test):
                yield s, np.flatnonzero(fold[s] != k), test
