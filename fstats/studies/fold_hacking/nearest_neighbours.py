"""Nearest neighbours in many splits at once: neighbours are sorted once; each split skips the neighbours outside its training set."""

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

    For more than 15 features scikit-learn uses brute force; the number of threads then affects the choice among equally near neighbours.

    Parameters
    ----------
    records, fold, folds
        As in :func:`.fold_classifiers.naive_bayes`.
    """
    return majority_vote(records, fold, folds, _sklearn_neighbours)


def majority_vote(records: PreparedRecords, fold: FoldNumbers, folds: int, query: NeighbourQuery) -> Predicted:
    """Return the majority class of the five nearest neighbours; `query` chooses among neighbours at equal distance where this matters."""
    predicted = np.empty(fold.shape, np.int8)
    at_once = max(1, AT_ONCE // len(records))
    for start in range(0, fold.shape[1], at_once):
        part = np.ascontiguousarray(fold[:, start : start + at_once])
        classes, uncertain = _vote_of_sorted_neighbours(records, part, folds)
        for width in (48, Neighbours.MOST):  # try a short list of neighbours first, which is long enough for most ties
            _resolve_irrelevant_ties(records, part, classes, uncertain, width)
        for s, train, test in doubtful_predictions(part.T, uncertain.T, folds):
            neighbours = query(records, train, np.flatnonzero(part[:, s] == part[test[0], s]), test)
            classes[test, s] = (records.y[neighbours][..., np.newaxis] == np.arange(records.classes)).sum(1).argmax(1)
        predicted[:, start : start + at_once] = classes
    return predicted


def _vote_of_sorted_neighbours(records: PreparedRecords, fold: FoldNumbers, folds: int) -> tuple[Predicted, NDArray[np.bool]]:
    """Return the vote of the first five training records in the list, and whether this vote is uncertain (a tie, or fewer than five)."""
    neighbours = records.neighbours
    steps = min(neighbours.order.shape[1], int(2 * K * folds / (folds - 1)) + 6)  # number of steps that is enough for nearly all records
    count = np.zeros(fold.shape, np.int8)
    votes = np.zeros((records.classes, *fold.shape), np.int8)
    uncertain = np.zeros(fold.shape, bool)
    level = np.zeros(fold.shape, bool)  # level is True if all neighbours after the fifth have the same distance as the fifth
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
    """Write the votes that do not depend on the choice among neighbours at equal distance, and mark these votes as certain."""
    order, starts = records.neighbours.order[:, :width], records.neighbours.starts[:, :width]
    whole = order.shape[1] == len(records) - 1
    rows, columns = np.nonzero(uncertain)
    at_once = max(1, AT_ONCE // order.shape[1])
    for start in range(0, len(rows), at_once):
        i, s = rows[start : start + at_once], columns[start : start + at_once]
        other = order[i]
        trained = fold[other, s[:, np.newaxis]] != fold[i, s][:, np.newaxis]
        trained_before = np.cumsum(trained, axis=1, dtype=np.int16)
        fifth = (trained_before < K).sum(1)  # index of the fifth neighbour, or the length of the list if there are fewer
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
        lower = np.arange(records.classes)[:, np.newaxis] < winner  # if two classes have equal votes, the first class is predicted
        clear = ended & np.where(lower, most < winner_votes, most <= winner_votes).all(0)
        predicted[i[clear], s[clear]] = winner[clear]
        uncertain[i[clear], s[clear]] = False


def _sklearn_neighbours(records: PreparedRecords, train: NDArray[np.int64], fold: NDArray[np.int64], test: NDArray[np.int64]) -> Any:
    """Return the neighbours that scikit-learn finds for some records of a fold, by the search in ``predict`` without its input checks."""
    x = records.x
    if x.shape[1] <= 15 and len(train) // 2 > K:  # under this condition, scikit-learn's algorithm="auto" uses a search tree
        from sklearn.neighbors import KDTree

        neighbours = KDTree(x[train], leaf_size=30).query(x[test], K, return_distance=False)
    else:
        from sklearn.metrics._pairwise_distances_reduction import ArgKmin

        # if distances are rounded, query all records of the fold, because rounding in matrix products depends on all of them
        query = test if records.whole else fold
        nearest = ArgKmin.compute(X=x[query], Y=x[train], k=K, metric="euclidean", metric_kwargs={}, strategy="auto", return_distance=False)
        neighbours = nearest[np.searchsorted(query, test)]
    return train[neighbours]
