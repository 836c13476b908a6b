"""Naive Bayes and decision trees on many splits at once, with exactly the predictions of scikit-learn, even in ties.

The array `fold` contains the fold in which each record of each split is tested.  A classifier returns a prediction for each record, after
training on the other folds.  Naive Bayes needs sums, which one matrix product computes for many splits.  Nearest neighbours are in the
module nearest_neighbours.  If a prediction depends on rounding, or on the order of neighbours at equal distance, scikit-learn itself makes
this prediction.  The tree builder of scikit-learn grows the trees, without the usual input checks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .nearest_neighbours import nearest_neighbours
from .prepared_records import AT_ONCE, Predicted, PreparedRecords, doubtful_predictions
from .stratified_folds import FoldNumbers

__all__ = ["PreparedRecords", "naive_bayes", "nearest_neighbours", "tree"]

LIKELIHOOD_TOLERANCE = 1e-9  # if two log-likelihoods differ relatively by less than this, rounding may decide which of them is larger


# -- naive Bayes -------------------------------------------------------------------------------------------------------------
def naive_bayes(records: PreparedRecords, fold: FoldNumbers, folds: int) -> Predicted:
    """Return the predictions of ``GaussianNB()`` for each record in each split.

    Parameters
    ----------
    records : PreparedRecords
        Data set.
    fold : array of shape (records, splits)
        Fold in which each record is tested.
    folds : int
        Number of folds.
    """
    predicted = np.empty(fold.shape, np.int8)
    at_once = max(1, AT_ONCE // records.x.size)
    for start in range(0, fold.shape[1], at_once):
        part = fold[:, start : start + at_once].T
        classes, uncertain = _most_likely_class(records, part, folds)
        for s, train, test in doubtful_predictions(part, uncertain, folds):
            classes[s, test] = _sklearn_bayes(records, train, test)
        predicted[:, start : start + at_once] = classes.T
    return predicted


def _most_likely_class(records: PreparedRecords, fold: FoldNumbers, folds: int) -> tuple[Predicted, NDArray[np.bool]]:
    """Return the class with the highest log-likelihood, and whether rounding makes this class uncertain, shape (splits, records)."""
    splits, n = fold.shape
    d = records.x.shape[1]
    sizes, means, squares = [], [], []
    for members, centre, powers in records.centred:
        trained = (fold[:, np.newaxis, members] != np.arange(folds)[:, np.newaxis]).astype(np.float64)
        size = trained.sum(2)[..., np.newaxis]
        sums = (trained.reshape(splits * folds, -1) @ powers).reshape(splits, folds, 2 * d)
        with np.errstate(invalid="ignore", divide="ignore"):  # ignore warnings, because a class may be absent from a training set
            shift = sums[..., :d] / size
            squares.append(np.maximum(sums[..., d:] / size - shift**2, 0.0))
        sizes.append(size)
        means.append(shift + centre)
    # scikit-learn adds a billionth of the variance of all training records to each variance.
    total: Any = sum(sizes)
    overall = np.nansum([size * mean for size, mean in zip(sizes, means)], axis=0) / total
    spread = np.nansum([size * (square + (mean - overall) ** 2) for size, mean, square in zip(sizes, means, squares)], axis=0) / total
    added = 1e-9 * spread.max(-1, keepdims=True)
    # for each record, the number of the training set of the fold in which the record is tested
    training_sets = (np.arange(splits)[:, np.newaxis] * folds + fold).ravel()
    likelihood = np.empty((len(sizes), splits * n))
    for c, (size, mean, square) in enumerate(zip(sizes, means, squares)):
        variance = square + added
        with np.errstate(divide="ignore"):
            level = np.log(size / total)[..., 0] - 0.5 * np.log(2 * np.pi * variance).sum(-1)
        distance = np.take(mean.reshape(-1, d), training_sets, axis=0).reshape(splits, n, d)
        np.subtract(records.x, distance, out=distance)
        np.square(distance, out=distance)
        weights = np.take(1 / variance.reshape(-1, d), training_sets, axis=0).reshape(splits, n, d)
        likelihood[c] = level.ravel()[training_sets] - 0.5 * np.einsum("ijk,ijk->ij", distance, weights).ravel()
        likelihood[c][np.take(size.ravel() == 0, training_sets)] = -np.inf
    best = likelihood.argmax(0)
    first = np.take_along_axis(likelihood, best[np.newaxis], 0)[0]
    np.put_along_axis(likelihood, best[np.newaxis], -np.inf, 0)
    second = likelihood.max(0)
    with np.errstate(invalid="ignore"):
        is_sure = first - second > LIKELIHOOD_TOLERANCE * (1 + np.abs(second))
    is_sure |= np.isneginf(second) & np.isfinite(first)
    return best.astype(np.int8).reshape(splits, n), ~is_sure.reshape(splits, n)


def _sklearn_bayes(records: PreparedRecords, train: NDArray[np.int64], test: NDArray[np.int64]) -> Any:
    from sklearn.naive_bayes import GaussianNB

    return GaussianNB().fit(records.x[train], records.y[train]).predict(records.x[test])


# -- the tree ----------------------------------------------------------------------------------------------------------------
def tree(records: PreparedRecords, fold: FoldNumbers, folds: int, seeds: Sequence[int]) -> Predicted:
    """Return the predictions of ``DecisionTreeClassifier(random_state=seed)`` for each record in each split.

    Parameters
    ----------
    records, fold, folds
        As in :func:`naive_bayes`.
    seeds : sequence of int
        Seed of the trees of each split; the trees of all folds have the same seed, as in ``cross_val_score``.
    """
    from sklearn.tree._criterion import Gini
    from sklearn.tree._splitter import BestSplitter
    from sklearn.tree._tree import DepthFirstTreeBuilder, Tree

    features, deepest = records.x.shape[1], np.iinfo(np.int32).max
    predicted = np.empty(fold.shape, np.int8)
    rng = np.random.RandomState()
    for s, seed in enumerate(seeds):
        for k in range(folds):
            tested = fold[:, s] == k
            train, test = np.flatnonzero(~tested), np.flatnonzero(tested)
            target = records.target[train]
            present = np.bincount(records.y[train], minlength=records.classes) > 0
            if not present.all():  # the builder counts classes from 0, without gaps
                target = np.cumsum(present, dtype=np.float64)[records.y[train]][:, np.newaxis] - 1
            kinds = np.array([present.sum()], np.intp)
            rng.seed(seed)
            splitter = BestSplitter(Gini(1, kinds), features, 1, 0.0, rng, None)
            grown = Tree(features, kinds, 1)
            DepthFirstTreeBuilder(splitter, 2, 1, 0.0, deepest, 0.0).build(grown, records.single[train], target, None, None)
            answer = grown.predict(records.single[test]).reshape(len(test), -1).argmax(1)
            predicted[test, s] = answer if present.all() else np.flatnonzero(present)[answer]
    return predicted
