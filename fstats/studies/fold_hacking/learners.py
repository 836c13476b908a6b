"""Three learners of scikit-learn on many splits at once, with its own predictions, ties included.

A table of folds says in which fold each record of each split is tested; a learner answers with a prediction for each, trained on the
other folds.  Naive Bayes needs sums, and those of many splits are one matrix product.  The neighbours of a record are sorted once and
walked in each split past those that are not trained on.  Where a prediction hinges on rounding or on the order of what is equally far,
scikit-learn itself is asked.  Trees are grown by scikit-learn's builder, without the checks of input around it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .splits import Folds

Predicted = NDArray[np.int8]  # the class of each record in each split, by its number: (records, splits)

CLOSE = 1e-9  # log-likelihoods that differ by less, relative to their size, may be ranked by rounding alone
K = 5  # neighbours that vote: scikit-learn's default
AT_ONCE = 200_000  # numbers that are worked on together: few enough to stay near the processor


class Records:
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


# -- naive Bayes -------------------------------------------------------------------------------------------------------------
def naive_bayes(records: Records, fold: Folds, folds: int) -> Predicted:
    """What ``GaussianNB()`` predicts for each record in each split.

    Parameters
    ----------
    records : Records
        The data set.
    fold : array of shape (records, splits)
        The fold in which each record is tested.
    folds : int
        How many there are.
    """
    predicted = np.empty(fold.shape, np.int8)
    at_once = max(1, AT_ONCE // records.x.size)
    for start in range(0, fold.shape[1], at_once):
        part = fold[:, start : start + at_once].T
        found, unsure = _likeliest(records, part, folds)
        for s, train, test in _doubtful(part, unsure, folds):
            found[s, test] = _asked_bayes(records, train, test)
        predicted[:, start : start + at_once] = found.T
    return predicted


def _likeliest(records: Records, fold: Folds, folds: int) -> tuple[Predicted, NDArray[np.bool]]:
    """The class of the highest log-likelihood, shape (splits, records), and where it is not clear which that is."""
    splits, n = fold.shape
    d = records.x.shape[1]
    sizes, means, squares = [], [], []
    for where, centre, powers in records.centred:
        trained = (fold[:, np.newaxis, where] != np.arange(folds)[:, np.newaxis]).astype(np.float64)
        size = trained.sum(2)[..., np.newaxis]
        sums = (trained.reshape(splits * folds, -1) @ powers).reshape(splits, folds, 2 * d)
        with np.errstate(invalid="ignore", divide="ignore"):  # a class may be absent from a training set
            shift = sums[..., :d] / size
            squares.append(np.maximum(sums[..., d:] / size - shift**2, 0.0))
        sizes.append(size)
        means.append(shift + centre)
    # The variance of all training records, of which scikit-learn adds a billionth to each variance: within classes and between them.
    total = sum(sizes)
    overall = np.nansum([size * mean for size, mean in zip(sizes, means)], axis=0) / total
    spread = np.nansum([size * (square + (mean - overall) ** 2) for size, mean, square in zip(sizes, means, squares)], axis=0) / total
    added = 1e-9 * spread.max(-1, keepdims=True)
    own = (np.arange(splits)[:, np.newaxis] * folds + fold).ravel()  # the training set for which each record is tested
    likelihood = np.empty((len(sizes), splits * n))
    for c, (size, mean, square) in enumerate(zip(sizes, means, squares)):
        variance = square + added
        with np.errstate(divide="ignore"):
            level = np.log(size / total)[..., 0] - 0.5 * np.log(2 * np.pi * variance).sum(-1)
        away = np.take(mean.reshape(-1, d), own, axis=0).reshape(splits, n, d)
        np.subtract(records.x, away, out=away)
        np.square(away, out=away)
        weights = np.take(1 / variance.reshape(-1, d), own, axis=0).reshape(splits, n, d)
        likelihood[c] = level.ravel()[own] - 0.5 * np.einsum("ijk,ijk->ij", away, weights).ravel()
        likelihood[c][np.take(size.ravel() == 0, own)] = -np.inf
    best = likelihood.argmax(0)
    first = np.take_along_axis(likelihood, best[np.newaxis], 0)[0]
    np.put_along_axis(likelihood, best[np.newaxis], -np.inf, 0)
    second = likelihood.max(0)
    with np.errstate(invalid="ignore"):
        sure = first - second > CLOSE * (1 + np.abs(second))
    sure |= np.isneginf(second) & np.isfinite(first)
    return best.astype(np.int8).reshape(splits, n), ~sure.reshape(splits, n)


def _asked_bayes(records: Records, train: NDArray[np.int64], test: NDArray[np.int64]) -> Any:
    from sklearn.naive_bayes import GaussianNB

    return GaussianNB().fit(records.x[train], records.y[train]).predict(records.x[test])


# -- nearest neighbours ------------------------------------------------------------------------------------------------------
def nearest_neighbours(records: Records, fold: Folds, folds: int) -> Predicted:
    """What ``KNeighborsClassifier()`` predicts for each record in each split.

    Parameters
    ----------
    records : Records
        The data set.
    fold : array of shape (records, splits)
        The fold in which each record is tested.
    folds : int
        How many there are.
    """
    predicted = np.empty(fold.shape, np.int8)
    at_once = max(1, AT_ONCE // len(records))
    for start in range(0, fold.shape[1], at_once):
        part = np.ascontiguousarray(fold[:, start : start + at_once])
        found, unsure = _walked(records, part, folds)
        for width in (48, Neighbours.MOST):  # most ties end soon
            _counted(records, part, found, unsure, width)
        for s, train, test in _doubtful(part.T, unsure.T, folds):
            found[test, s] = _asked_neighbours(records, train, np.flatnonzero(part[:, s] == part[test[0], s]), test)
        predicted[:, start : start + at_once] = found
    return predicted


def _walked(records: Records, fold: Folds, folds: int) -> tuple[Predicted, NDArray[np.bool]]:
    """The vote of the first five on the list that are trained on, and where a sixth is as far as the fifth (or five are not found)."""
    near = records.neighbours
    steps = min(near.order.shape[1], int(2 * K * folds / (folds - 1)) + 6)  # rarely too few, and those are counted on below
    found = np.zeros(fold.shape, np.int8)
    votes = np.zeros((records.classes, *fold.shape), np.int8)
    unsure = np.zeros(fold.shape, bool)
    level = np.zeros(fold.shape, bool)  # whether the fifth was found and all since are as far
    for step in range(steps):
        other = near.order[:, step]
        trained = np.take(fold, other, axis=0) != fold
        level &= ~near.starts[:, step, np.newaxis]
        unsure |= level & trained
        trained &= found < K
        found += trained
        level |= trained & (found == K)
        voting = records.y[other]
        for c in range(records.classes):
            votes[c] += trained & (voting == c)[:, np.newaxis]
    at_an_end = steps == near.order.shape[1] == len(records) - 1
    unsure |= (found < K) | (level & (not at_an_end))
    return votes.argmax(0).astype(np.int8), unsure


def _counted(records: Records, fold: Folds, found: Predicted, unsure: NDArray[np.bool], width: int) -> None:
    """Where it cannot change the vote who of those equally far is taken, the vote is known: write it, and strike out the doubt."""
    order, starts = records.neighbours.order[:, :width], records.neighbours.starts[:, :width]
    whole = order.shape[1] == len(records) - 1
    rows, columns = np.nonzero(unsure)
    at_once = max(1, AT_ONCE // order.shape[1])
    for start in range(0, len(rows), at_once):
        i, s = rows[start : start + at_once], columns[start : start + at_once]
        other = order[i]
        trained = fold[other, s[:, np.newaxis]] != fold[i, s][:, np.newaxis]
        so_far = np.cumsum(trained, axis=1, dtype=np.int16)
        fifth = (so_far < K).sum(1)  # the place of the fifth; the length of the list if there is none
        group = np.cumsum(starts[i], axis=1, dtype=np.int16)
        last = np.take_along_axis(group, np.minimum(fifth, group.shape[1] - 1)[:, np.newaxis], 1)
        ended = (fifth < group.shape[1]) & (whole | (group[:, -1] > last[:, 0]))
        certain, tied = trained & (group < last), trained & (group == last)
        voting = records.y[other]
        sure = np.stack([(certain & (voting == c)).sum(1) for c in range(records.classes)])
        open_ = np.stack([(tied & (voting == c)).sum(1) for c in range(records.classes)])
        places = K - sure.sum(0)
        most = sure + np.minimum(open_, places)
        least = sure + np.maximum(0, places - (open_.sum(0) - open_))
        winner = least.argmax(0)
        mine = np.take_along_axis(least, winner[np.newaxis], 0)[0]
        np.put_along_axis(most, winner[np.newaxis], -1, 0)
        lower = np.arange(records.classes)[:, np.newaxis] < winner  # of two classes with equal votes the first is predicted
        clear = ended & np.where(lower, most < mine, most <= mine).all(0)
        found[i[clear], s[clear]] = winner[clear]
        unsure[i[clear], s[clear]] = False


def _asked_neighbours(records: Records, train: NDArray[np.int64], fold: NDArray[np.int64], test: NDArray[np.int64]) -> Any:
    """The vote that scikit-learn counts, for some records of a fold."""
    x, y = records.x, records.y
    if x.shape[1] <= 15 and K < len(train) // 2:  # the rule of algorithm="auto": below, a tree, which answers for each record alone
        from sklearn.neighbors import KDTree

        near = KDTree(x[train], leaf_size=30).query(x[test], K, return_distance=False)
        votes = (y[train][near][..., np.newaxis] == np.arange(records.classes)).sum(1)
        return votes.argmax(1)
    from sklearn.metrics._pairwise_distances_reduction import ArgKminClassMode

    asked = test if records.whole else fold  # products of matrices round together, unless there is nothing to round
    names, voting = np.unique(y[train], return_inverse=True)
    shares = ArgKminClassMode.compute(
        x[asked],
        x[train],
        k=K,
        weights="uniform",
        Y_labels=voting,
        unique_Y_labels=np.arange(len(names)),
        metric="euclidean",
        metric_kwargs={},
        strategy="parallel_on_X",
    )
    return names[shares.argmax(1)][np.searchsorted(asked, test)]


def _doubtful(fold: Folds, unsure: NDArray[np.bool], folds: int) -> Iterator[tuple[int, NDArray[np.int64], NDArray[np.int64]]]:
    """Each split and fold with doubtful predictions: the split, the training records, and the doubtful records."""
    for s in np.flatnonzero(unsure.any(1)).tolist():
        for k in range(folds):
            test = np.flatnonzero(unsure[s] & (fold[s] == k))
            if len(test):
                yield s, np.flatnonzero(fold[s] != k), test


# -- the tree ----------------------------------------------------------------------------------------------------------------
def tree(records: Records, fold: Folds, folds: int, seeds: Sequence[int]) -> Predicted:
    """What ``DecisionTreeClassifier(random_state=seed)`` predicts for each record in each split.

    Parameters
    ----------
    records : Records
        The data set.
    fold : array of shape (records, splits)
        The fold in which each record is tested.
    folds : int
        How many there are.
    seeds : sequence of int
        The seed of the trees of each split; every fold begins with it anew, as ``cross_val_score`` has it.
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
                target = (np.cumsum(present) - 1.0)[records.y[train]][:, np.newaxis]
            kinds = np.array([present.sum()], np.intp)
            rng.seed(seed)
            splitter = BestSplitter(Gini(1, kinds), features, 1, 0.0, rng, None)
            grown = Tree(features, kinds, 1)
            DepthFirstTreeBuilder(splitter, 2, 1, 0.0, deepest, 0.0).build(grown, records.single[train], target, None, None)
            answer = grown.predict(records.single[test]).reshape(len(test), -1).argmax(1)
            predicted[test, s] = answer if present.all() else np.flatnonzero(present)[answer]
    return predicted
