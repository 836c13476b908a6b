"""Nearest neighbours in many splits at once: sorted once for all splits; each split skips the neighbours it does not train on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .prepared_records import AT_ONCE, Neighbours, Predicted, PreparedRecords, doubtful_predictions
from .stratified_folds import FoldNumbers

K = 5  # number of neighbours that vote: the default of scikit-learn

# (records, training records, fold of a doubtful prediction, doubtful records) -> numbers of the neighbours of the doubtful records
NeighbourQuery = Callable[[PreparedRecords, NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]], NDArray[np.int64]]


def nearest_neighbours(records: PreparedRecords, fold: FoldNumbers, folds: int) -> Predicted:
    """Return the predictions of ``KNeighborsClassifier()`` for each record in each split, with one thread.

    For more than 15 features scikit-learn uses brute force, which may choose other neighbours at equal distance with another number of
    threads.

    Parameters
    ----------
    records, fold, folds
        As in :func:`.fold_classifiers.naive_bayes`.
    """
    return majority_vote(records, fold, folds, _sklearn_neighbours)


def majority_vote(records: PreparedRecords, fold: FoldNumbers, folds: int, query: NeighbourQuery) -> Predicted:
    """Return the class of most of the five nearest; where the choice among neighbours at equal distance matters, ask `query`."""
    predicted = np.empty(fold.shape, np.int8)
    at_once = max(1, AT_ONCE // len(records))
    for start in range(0, fold.shape[1], at_once):
        part = np.ascontiguousarray(fold[:, start : start + at_once])
        classes, uncertain = _vote_of_sorted_neighbours(records, part, folds)
        for width in (48, Neighbours.MOST):  # most ties end soon
            _resolve_irrelevant_ties(records, part, classes, uncertain, width)
        for s, train, test in doubtful_predictions(part.T, uncertain.T, folds):
            neighbours = query(records, train, np.flatnonzero(part[:, s] == part[test[0], s]), test)
            classes[test, s] = (records.y[neighbours][..., np.newaxis] == np.arange(records.classes)).sum(1).argmax(1)
        predicted[:, start : start + at_once] = classes
    return predicted


def _vote_of_sorted_neighbours(records: PreparedRecords, fold: FoldNumbers, folds: int) -> tuple[Predicted, NDArray[np.bool]]:
    """Return the vote of the first five training records in the list, and where it is uncertain (a tie, or fewer than five)."""
    neighbours = records.neighbours
    steps = min(neighbours.order.shape[1], int(2 * K * folds / (folds - 1)) + 6)  # rarely too few; the rest is computed below
    count = np.zeros(fold.shape, np.int8)
    votes = np.zeros((records.classes, *fold.shape), np.int8)
    uncertain = np.zeros(fold.shape, bool)
    level = np.zeros(fold.shape, bool)  # whether the fifth was found and all later ones are at equal distance
    for step in range(steps):
        other = neighbours.order[:, step]
        trained = np.take(fold, other, axis=0) != fold
        level &= ~neighbours.starts[:, step, np.newaxis]
        uncertain |= level & trained
        trained &= count < K
        count += trained
        level |= trained & (count == K)
        voting = records.y[other]
        for c in range(records.classes):
            votes[c] += trained & (voting == c)[:, np.newaxis]
    at_an_end = steps == neighbours.order.shape[1] == len(records) - 1
    uncertain |= (count < K) | (level & (not at_an_end))
    return votes.argmax(0).astype(np.int8), uncertain


def _resolve_irrelevant_ties(
    records: PreparedRecords, fold: FoldNumbers, predicted: Predicted, uncertain: NDArray[np.bool], width: int
) -> None:
    """Settle votes that do not depend on the choice among neighbours at equal distance: write them, and clear their doubt."""
    order, starts = records.neighbours.order[:, :width], records.neighbours.starts[:, :width]
    whole = order.shape[1] == len(records) - 1
    rows, columns = np.nonzero(uncertain)
    at_once = max(1, AT_ONCE // order.shape[1])
    for start in range(0, len(rows), at_once):
        i, s = rows[start : start + at_once], columns[start : start + at_once]
        other = order[i]
        trained = fold[other, s[:, np.newaxis]] != fold[i, s][:, np.newaxis]
        trained_before = np.cumsum(trained, axis=1, dtype=np.int16)
        fifth = (trained_before < K).sum(1)  # place of the fifth; length of the list if there is none
        group = np.cumsum(starts[i], axis=1, dtype=np.int16)
        last = np.take_along_axis(group, np.minimum(fifth, group.shape[1] - 1)[:, np.newaxis], 1)
        ended = (fifth < group.shape[1]) & (whole | (group[:, -1] > last[:, 0]))
        certain, tied = trained & (group < last), trained & (group == last)
        voting = records.y[other]
        sure = np.stack([(certain & (voting == c)).sum(1) for c in range(records.classes)])
        undecided = np.stack([(tied & (voting == c)).sum(1) for c in range(records.classes)])
        places = K - sure.sum(0)
        most = sure + np.minimum(undecided, places)
        least = sure + np.maximum(0, places - (undecided.sum(0) - undecided))
        winner = least.argmax(0)
        winner_votes = np.take_along_axis(least, winner[np.newaxis], 0)[0]
        np.put_along_axis(most, winner[np.newaxis], -1, 0)
        lower = np.arange(records.classes)[:, np.newaxis] < winner  # of two classes with equal votes, the first is predicted
        clear = ended & np.where(lower, most < winner_votes, most <= winner_votes).all(0)
        predicted[i[clear], s[clear]] = winner[clear]
        uncertain[i[clear], s[clear]] = False


def _sklearn_neighbours(records: PreparedRecords, train: NDArray[np.int64], fold: NDArray[np.int64], test: NDArray[np.int64]) -> Any:
    """Return the neighbours that scikit-learn finds for some records of a fold, by the search that ``predict`` wraps in checks."""
    x = records.x
    if x.shape[1] <= 15 and len(train) // 2 > K:  # the rule of algorithm="auto": here a tree, which answers for each record separately
        from sklearn.neighbors import KDTree

        neighbours = KDTree(x[train], leaf_size=30).query(x[test], K, return_distance=False)
    else:
        from sklearn.metrics._pairwise_distances_reduction import ArgKmin

        query = test if records.whole else fold  # matrix products round together, unless there is nothing to round
        nearest = ArgKmin.compute(X=x[query], Y=x[train], k=K, metric="euclidean", metric_kwargs={}, strategy="auto", return_distance=False)
        neighbours = nearest[np.searchsorted(query, test)]
    return train[neighbours]
