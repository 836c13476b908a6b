"""Nearest neighbours in many splits at once: sorted once, and walked in each split past those that are not trained on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .prepared_records import AT_ONCE, Neighbours, Predicted, PreparedRecords, doubtful_predictions
from .stratified_folds import FoldNumbers

K = 5  # neighbours that vote: scikit-learn's default

# (records, those trained on, the fold of a doubtful prediction, the doubtful ones) -> the numbers of the neighbours of these
NeighbourQuery = Callable[[PreparedRecords, NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]], NDArray[np.int64]]


def nearest_neighbours(records: PreparedRecords, fold: FoldNumbers, folds: int) -> Predicted:
    """What ``KNeighborsClassifier()`` predicts for each record in each split, with one thread.

    (Of neighbours that are equally far, brute force, which scikit-learn takes for more than 15 features, may choose others with another
    number of threads.)

    Parameters
    ----------
    records, fold, folds
        As for :func:`.learners.naive_bayes`.
    """
    return majority_vote(records, fold, folds, _sklearn_neighbours)


def majority_vote(records: PreparedRecords, fold: FoldNumbers, folds: int, asked: NeighbourQuery) -> Predicted:
    """The class of most of the five nearest; where it hinges on which of those equally far are taken, ``asked`` says which."""
    predicted = np.empty(fold.shape, np.int8)
    at_once = max(1, AT_ONCE // len(records))
    for start in range(0, fold.shape[1], at_once):
        part = np.ascontiguousarray(fold[:, start : start + at_once])
        found, unsure = _vote_of_sorted_neighbours(records, part, folds)
        for width in (48, Neighbours.MOST):  # most ties end soon
            _resolve_irrelevant_ties(records, part, found, unsure, width)
        for s, train, test in doubtful_predictions(part.T, unsure.T, folds):
            near = asked(records, train, np.flatnonzero(part[:, s] == part[test[0], s]), test)
            found[test, s] = (records.y[near][..., np.newaxis] == np.arange(records.classes)).sum(1).argmax(1)
        predicted[:, start : start + at_once] = found
    return predicted


def _vote_of_sorted_neighbours(records: PreparedRecords, fold: FoldNumbers, folds: int) -> tuple[Predicted, NDArray[np.bool]]:
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


def _resolve_irrelevant_ties(records: PreparedRecords, fold: FoldNumbers, found: Predicted, unsure: NDArray[np.bool], width: int) -> None:
    """Where it cannot change the vote who of those equally far is taken, the vote is known: write it, and strike out the doubt."""
    order, starts = records.neighbours.order[:, :width], records.neighbours.starts[:, :width]
    whole = order.shape[1] == len(records) - 1
    rows, columns = np.nonzero(unsure)
    at_once = max(1, AT_ONCE // order.shape[1])
    for start in range(0, len(rows), at_once):
        i, s = rows[start : start + at_once], columns[start : start + at_once]
        other = order[i]
        trained = fold[other, s[:, np.newaxis]] != fold[i, s][:, np.newaxis]
        trained_before = np.cumsum(trained, axis=1, dtype=np.int16)
        fifth = (trained_before < K).sum(1)  # the place of the fifth; the length of the list if there is none
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


def _sklearn_neighbours(records: PreparedRecords, train: NDArray[np.int64], fold: NDArray[np.int64], test: NDArray[np.int64]) -> Any:
    """The neighbours that scikit-learn finds for some records of a fold: its own search, which ``predict`` wraps in checks."""
    x = records.x
    if x.shape[1] <= 15 and len(train) // 2 > K:  # the rule of algorithm="auto": below, a tree, which answers for each record alone
        from sklearn.neighbors import KDTree

        near = KDTree(x[train], leaf_size=30).query(x[test], K, return_distance=False)
    else:
        from sklearn.metrics._pairwise_distances_reduction import ArgKmin

        asked = test if records.whole else fold  # products of matrices round together, unless there is nothing to round
        found = ArgKmin.compute(X=x[asked], Y=x[train], k=K, metric="euclidean", metric_kwargs={}, strategy="auto", return_distance=False)
        near = found[np.searchsorted(asked, test)]
    return train[near]
