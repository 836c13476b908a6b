"""A data set prepared for many splits, and where a prediction is in doubt."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .stratified_folds import FoldNumbers

Predicted = NDArray[np.int8]  # the class of each record in each split, by its number: (records, splits)
AT_ONCE = 200_000  # numbers that are worked on together: few enough to stay near the processor


class PreparedRecords:
    """A data set prepared for many splits: features, classes numbered from 0, and what all splits share."""

    def __init__(self, x: Any, y: Any) -> None:
        self.x = np.ascontiguousarray(x, dtype=np.float64)
        names, coded = np.unique(np.asarray(y), return_inverse=True)
        self.y = coded.astype(np.int64)
        self.classes = len(names)
        self.single = self.x.astype(np.float32)  # what trees see
        self.target = np.ascontiguousarray(self.y[:, np.newaxis], np.float64)  # and how their builder wants the classes

    def __len__(self) -> int:
        return len(self.y)

    @cached_property
    def whole(self) -> bool:
        """Whether all features are whole numbers so small that distances are exact."""
        return bool((self.x == np.rint(self.x)).all() and np.abs(self.x).max() < 1e6)

    @cached_property
    def neighbours(self) -> Neighbours:
        """The neighbours of each record, nearest first."""
        return Neighbours(self.x)

    @cached_property
    def centred(self) -> list[tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]]:
        """For each class its records, a centre, and the features and their squares from there.

        The centre is a median that occurs, so that a feature that is constant in the training records of a class is 0 there and
        has no variance, as in scikit-learn, not a variance of 1e-17.
        """
        found = []
        for c in range(self.classes):
            where = np.flatnonzero(self.y == c)
            centre = np.sort(self.x[where], axis=0)[len(where) // 2]
            away = self.x[where] - centre
            found.append((where, centre, np.hstack([away, away**2])))
        return found


class Neighbours:
    """For each record the others, nearest first, and which of them are equally far as far as rounding lets one see."""

    MOST = 512  # of each record; who needs more is handed to scikit-learn

    def __init__(self, x: NDArray[np.float64]) -> None:
        n, most = len(x), min(len(x) - 1, self.MOST)
        self.order = np.empty((n, most), np.int32)
        self.starts = np.empty((n, most), bool)  # whether a neighbour is farther than the one before
        norms = (x**2).sum(1)
        for i in range(n):
            far = ((x - x[i]) ** 2).sum(1)
            far[i] = -1.0
            order = np.argsort(far, kind="stable")[1 : most + 1]
            # Brute force in scikit-learn takes squared distances from norms and products, whose rounding is that of the norms.
            hidden = 1e-10 * far[order] + 1e-13 * (norms[i] + norms[order])
            self.order[i] = order
            self.starts[i] = np.diff(far[order], prepend=-1.0) > hidden


def doubtful_predictions(
    fold: FoldNumbers, unsure: NDArray[np.bool], folds: int
) -> Iterator[tuple[int, NDArray[np.int64], NDArray[np.int64]]]:
    """Each split and fold with doubtful predictions: the split, the training records, and the doubtful records."""
    for s in np.flatnonzero(unsure.any(1)).tolist():
        for k in range(folds):
            test = np.flatnonzero(unsure[s] & (fold[s] == k))
            if len(test):
                yield s, np.flatnonzero(fold[s] != k), test
