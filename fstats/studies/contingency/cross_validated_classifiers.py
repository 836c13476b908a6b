"""Four learners, cross-validated on many data sets and many partitions at once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ...core.value_types import Array

# x has the shape (data sets, records, features); fold, the fold of each record in each repetition of the cross-validation,
# (data sets, repetitions, records).  The classes y, zeros and ones, are the same in all data sets.
Folds = NDArray[np.int8]
CorrectRecords = NDArray[np.bool]  # (data sets, repetitions, records)
Learner = Callable[[Array, NDArray[np.int64], Folds], CorrectRecords]


def nearest_mean(x: Array, y: NDArray[np.int64], fold: Folds) -> CorrectRecords:
    """The class whose mean is nearer."""
    mean, _, _ = _moments(x, y, fold)
    return _nearest_class_correct(x, y, fold, mean, np.ones_like(mean), np.zeros(mean.shape[:-1]))


def naive_bayes(x: Array, y: NDArray[np.int64], fold: Folds) -> CorrectRecords:
    """Gaussian naive Bayes: each feature normal with a mean and a variance of its own in each class."""
    mean, variance, count = _moments(x, y, fold)
    return _nearest_class_correct(x, y, fold, mean, variance, np.log(variance).sum(-1) - 2 * np.log(count))


def _moments(x: Array, y: NDArray[np.int64], fold: Folds) -> tuple[Array, Array, Array]:
    """Means and variances of the features in each class of each training set, and its records: all minus those of the fold."""
    folds = int(fold.max()) + 1
    sets, repetitions, n = fold.shape
    member = (fold[:, :, np.newaxis] == np.arange(folds, dtype=np.int8)[:, np.newaxis]).reshape(sets, -1, n).astype(float)
    in_class = np.stack([y == 0, y == 1], 1).astype(float)  # records, classes
    powers = np.concatenate([np.ones_like(x[..., :1]), x, x**2], -1)
    parts = (powers[:, :, np.newaxis] * in_class[..., np.newaxis]).reshape(sets, n, -1)
    trained = parts.sum(1, keepdims=True) - member @ parts
    sums = trained.reshape(sets, repetitions, folds, 2, -1)
    features = x.shape[-1]
    count = sums[..., 0]
    mean = sums[..., 1 : 1 + features] / count[..., np.newaxis]
    return mean, sums[..., 1 + features :] / count[..., np.newaxis] - mean**2, count


def _nearest_class_correct(x: Array, y: NDArray[np.int64], fold: Folds, mean: Array, variance: Array, penalty: Array) -> CorrectRecords:
    """Whether each record is right if it goes to the class with the least squared distance plus penalty."""
    sets, repetitions = np.arange(len(x))[:, np.newaxis, np.newaxis], np.arange(fold.shape[1])[:, np.newaxis]
    distance = []
    for label in (0, 1):
        middle, spread = (moment[..., label, :][sets, repetitions, fold] for moment in (mean, variance))
        distance.append(((x[:, np.newaxis] - middle) ** 2 / spread).sum(-1) + penalty[..., label][sets, repetitions, fold])
    return (distance[1] < distance[0]) == (y == 1)


def nearest_neighbour(x: Array, y: NDArray[np.int64], fold: Folds) -> CorrectRecords:
    """The class of the nearest training record."""
    distance = ((x[:, :, np.newaxis] - x[:, np.newaxis]) ** 2).sum(-1)
    neighbours = np.argsort(distance, 2)[:, :, 1:]  # of each record, the nearest first; without itself
    right = np.empty(fold.shape, bool)
    waiting = np.ones(fold.shape, bool)  # for a neighbour in another fold
    for k in range(len(y) - 1):
        near = neighbours[:, :, k]
        if k < 3:  # while nearly all are waiting, whole arrays are faster
            there = np.take_along_axis(fold, near[:, np.newaxis], 2)
            found = waiting & (there != fold)
            np.copyto(right, (y[near] == y)[:, np.newaxis], where=found)
            waiting &= ~found
        else:
            one, repetition, record = np.nonzero(waiting)
            if not len(one):
                break
            other = near[one, record]
            found = fold[one, repetition, other] != fold[one, repetition, record]
            place = one[found], repetition[found], record[found]
            right[place] = y[other[found]] == y[record[found]]
            waiting[place] = False
    return right


def stump(x: Array, y: NDArray[np.int64], fold: Folds) -> CorrectRecords:
    """A decision tree of depth one: the feature and the threshold with the least Gini impurity; each side says its majority."""
    sets, repetitions, _ = fold.shape
    order = np.argsort(x, 1)  # of each feature
    right = np.empty(fold.shape, bool)
    for tested in range(int(fold.max()) + 1):
        best = np.full((sets, repetitions), -np.inf, np.float32)
        predicted = np.zeros(fold.shape, bool)
        for feature in range(x.shape[-1]):
            along = order[..., feature]
            values = np.take_along_axis(x[..., feature], along, 1)
            trains = np.take_along_axis(fold, along[:, np.newaxis], 2) != tested
            ones = trains & (y[along] == 1)[:, np.newaxis]
            below, ones_below = np.cumsum(trains, 2, dtype=np.float32), np.cumsum(ones, 2, dtype=np.float32)
            total, all_ones = below[..., -1:], ones_below[..., -1:]
            above, ones_above = total - below, all_ones - ones_below
            with np.errstate(divide="ignore", invalid="ignore"):
                gain = (ones_below**2 + (below - ones_below) ** 2) / below + (ones_above**2 + (above - ones_above) ** 2) / above
            gain[~trains | (above == 0)] = -np.inf  # a cut lies above a training record and below another
            cut = gain.argmax(2)[..., np.newaxis]
            reached = np.take_along_axis(gain, cut, 2)[..., 0]
            following = (trains & (below > np.take_along_axis(below, cut, 2))).argmax(2)  # the next training record
            across = np.arange(sets)[:, np.newaxis]
            threshold = (values[across, cut[..., 0]] + values[across, following]) / 2
            n_low, ones_low = (np.take_along_axis(count, cut, 2) for count in (below, ones_below))
            low, high = 2 * ones_low > n_low, 2 * (all_ones - ones_low) > total - n_low
            says = np.where(x[:, np.newaxis, :, feature] <= threshold[..., np.newaxis], low, high)
            better = reached > best
            best = np.where(better, reached, best)
            predicted = np.where(better[..., np.newaxis], says, predicted)
        right = np.where(fold == tested, predicted == (y == 1), right)
    return right


LEARNERS: dict[str, Learner] = {
    "nearest mean": nearest_mean,
    "naive Bayes": naive_bayes,
    "1-nearest neighbour": nearest_neighbour,
    "decision stump": stump,
}
