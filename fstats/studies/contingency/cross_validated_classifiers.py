"""Vectorized cross-validation of four classifiers.

Many data sets and partitions are computed together.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ...core.value_types import Array

# Shape of x: (data sets, records, features).  Shape of `fold`, the fold of each record in each repetition of the cross-validation:
# (data sets, repetitions, records).  The classes y, zeros and ones, are the same in all data sets.
Folds = NDArray[np.int8]
CorrectRecords = NDArray[np.bool]  # True for correctly predicted records, shape (data sets, repetitions, records)
Learner = Callable[[Array, NDArray[np.int64], Folds], CorrectRecords]


def nearest_mean(x: Array, y: NDArray[np.int64], fold: Folds) -> CorrectRecords:
    """Predict the class with the nearer mean, and return which records are classified correctly."""
    mean, _, _ = _moments(x, y, fold)
    return _nearest_class_correct(x, y, fold, mean, np.ones_like(mean), np.zeros(mean.shape[:-1]))


def naive_bayes(x: Array, y: NDArray[np.int64], fold: Folds) -> CorrectRecords:
    """Predict with Gaussian naive Bayes (independent normal features in each class), and return which records are classified correctly."""
    mean, variance, count = _moments(x, y, fold)
    return _nearest_class_correct(x, y, fold, mean, variance, np.log(variance).sum(-1) - 2 * np.log(count))


def _moments(x: Array, y: NDArray[np.int64], fold: Folds) -> tuple[Array, Array, Array]:
    """Return means, variances and counts for each class of each training set, computed as totals minus the sums of the test fold."""
    folds = int(fold.max()) + 1
    sets, repetitions, n = fold.shape
    member = (fold[:, :, np.newaxis] == np.arange(folds, dtype=np.int8)[:, np.newaxis]).reshape(sets, -1, n).astype(float)
    in_class = np.stack([y == 0, y == 1], 1).astype(float)  # shape (records, classes)
    powers = np.concatenate([np.ones_like(x[..., :1]), x, x**2], -1)
    parts = (powers[:, :, np.newaxis] * in_class[..., np.newaxis]).reshape(sets, n, -1)
    sums = (parts.sum(1, keepdims=True) - member @ parts).reshape(sets, repetitions, folds, 2, -1)
    features = x.shape[-1]
    count = sums[..., 0]
    mean = sums[..., 1 : 1 + features] / count[..., np.newaxis]
    return mean, sums[..., 1 + features :] / count[..., np.newaxis] - mean**2, count


def _nearest_class_correct(x: Array, y: NDArray[np.int64], fold: Folds, mean: Array, variance: Array, penalty: Array) -> CorrectRecords:
    """Return which records are classified correctly by the rule of the smallest squared distance plus penalty."""
    sets, repetitions = np.arange(len(x))[:, np.newaxis, np.newaxis], np.arange(fold.shape[1])[:, np.newaxis]
    distance = []
    for label in (0, 1):
        middle, spread = (moment[..., label, :][sets, repetitions, fold] for moment in (mean, variance))
        distance.append(((x[:, np.newaxis] - middle) ** 2 / spread).sum(-1) + penalty[..., label][sets, repetitions, fold])
    return (distance[1] < distance[0]) == (y == 1)


def nearest_neighbour(x: Array, y: NDArray[np.int64], fold: Folds) -> CorrectRecords:
    """Predict the class of the nearest training record, and return which records are classified correctly."""
    distance = ((x[:, :, np.newaxis] - x[:, np.newaxis]) ** 2).sum(-1)
    neighbours = np.argsort(distance, 2)[:, :, 1:]  # for each record, the other records in order of distance
    right = np.empty(fold.shape, bool)
    for data_set, repetition in np.ndindex(fold.shape[:2]):
        own, others = fold[data_set, repetition], neighbours[data_set]
        nearest = others[np.arange(len(y)), (own[others] != own[:, np.newaxis]).argmax(1)]  # nearest record in the training set
        right[data_set, repetition] = y[nearest] == y
    return right


def stump(x: Array, y: NDArray[np.int64], fold: Folds) -> CorrectRecords:
    """Predict with a decision tree of depth one (least Gini impurity), and return which records are classified correctly."""
    sets, repetitions, _ = fold.shape
    order = np.argsort(x, 1)  # for each feature, the records in ascending order of its value
    right = np.empty(fold.shape, bool)
    for tested in range(int(fold.max()) + 1):
        best = np.full((sets, repetitions), -np.inf, np.float32)
        predicted = np.zeros(fold.shape, bool)
        for feature in range(x.shape[-1]):
            sorted_records = order[..., feature]
            values = np.take_along_axis(x[..., feature], sorted_records, 1)
            trains = np.take_along_axis(fold, sorted_records[:, np.newaxis], 2) != tested
            ones = trains & (y[sorted_records] == 1)[:, np.newaxis]
            below, ones_below = np.cumsum(trains, 2, dtype=np.float32), np.cumsum(ones, 2, dtype=np.float32)
            total, all_ones = below[..., -1:], ones_below[..., -1:]
            above, ones_above = total - below, all_ones - ones_below
            with np.errstate(divide="ignore", invalid="ignore"):
                gain = (ones_below**2 + (below - ones_below) ** 2) / below + (ones_above**2 + (above - ones_above) ** 2) / above
            # a cut must lie between two training records, so the gain of other cuts is -inf
            gain[~trains | (above == 0)] = -np.inf
            cut = gain.argmax(2)[..., np.newaxis]
            reached = np.take_along_axis(gain, cut, 2)[..., 0]
            following = (trains & (below > np.take_along_axis(below, cut, 2))).argmax(2)  # index of the first training record above the cut
            across = np.arange(sets)[:, np.newaxis]
            threshold = (values[across, cut[..., 0]] + values[across, following]) / 2
            n_low, ones_low = (np.take_along_axis(count, cut, 2) for count in (below, ones_below))
            low, high = 2 * ones_low > n_low, 2 * (all_ones - ones_low) > total - n_low
            predictions = np.where(x[:, np.newaxis, :, feature] <= threshold[..., np.newaxis], low, high)
            better = reached > best
            best = np.where(better, reached, best)
            predicted = np.where(better[..., np.newaxis], predictions, predicted)
        right = np.where(fold == tested, predicted == (y == 1), right)
    return right


LEARNERS: dict[str, Learner] = {
    "nearest mean": nearest_mean,
    "naive Bayes": naive_bayes,
    "1-nearest neighbour": nearest_neighbour,
    "decision stump": stump,
}
