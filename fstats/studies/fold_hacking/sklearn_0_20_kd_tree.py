"""The search for neighbours of scikit-learn 0.20.2: the tree that decided which of those equally far were nearest.

A k-d tree halves the records at a median, and on whole numbers many records are the median.  Which of them go left was decided by a
quickselect that later versions replaced.  The neighbours are as near as before; where distances tie, they are others.  (That version
took a tree for any number of features.)
"""

from __future__ import annotations

from math import inf, log2
from typing import Any

import numpy as np

from .nearest_neighbours import K, majority_vote
from .prepared_records import Predicted, PreparedRecords
from .stratified_folds import FoldNumbers

LEAF_SIZE = 30  # records at which a node is no longer halved, about


class KDTreeUntil0202:
    """A k-d tree as scikit-learn built and searched it until version 0.20.2.

    Parameters
    ----------
    x : array, shape (records, features)
        The training records.

    Examples
    --------
    >>> KDTreeUntil0202([[0.0], [1.0], [2.0], [3.0]]).neighbours([[2.2]], 2)
    [[3, 2]]
    """

    def __init__(self, x: Any) -> None:
        self.x = np.asarray(x, float)
        self.columns = self.x.T.tolist()
        self.order = list(range(len(self.x)))
        self.nodes = 2 ** int(log2(max(1, (len(self.x) - 1) / LEAF_SIZE)) + 1) - 1
        self.node: dict[int, tuple[int, int]] = {}  # where it begins and where it ends
        self._build(0, 0, len(self.x))

    def _build(self, node: int, start: int, end: int) -> None:
        self.node[node] = start, end
        if self._is_leaf(node):
            return
        widths = np.ptp(self.x[self.order[start:end]], axis=0)
        middle = (end - start) // 2
        self.order[start:end] = self._halved(self.order[start:end], self.columns[int(widths.argmax())], middle)
        self._build(2 * node + 1, start, start + middle)
        self._build(2 * node + 2, start + middle, end)

    def _is_leaf(self, node: int) -> bool:
        start, end = self.node[node]
        return 2 * node + 1 >= self.nodes or end - start < 2

    def _halved(self, records: list[int], feature: list[float], middle: int) -> list[int]:
        """The quickselect of that version: whatever is less than the last record goes before it, and so on until the middle is found."""
        left, right = 0, len(records) - 1
        while True:
            place, last = left, feature[records[right]]
            for i in range(left, right):
                if feature[records[i]] < last:
                    records[i], records[place] = records[place], records[i]
                    place += 1
            records[place], records[right] = records[right], records[place]
            if place == middle:
                return records
            left, right = (place + 1, right) if place < middle else (left, place - 1)

    def neighbours(self, points: Any, k: int = K) -> list[list[int]]:
        """The records that it finds nearest to each point, the farthest first."""
        points = np.asarray(points, float)
        distances = sum_over_features((points[:, np.newaxis] - self.x[self.order]) ** 2).tolist()  # [point][place in the order]
        boxes = [self.x[self.order[start:end]] for start, end in (self.node[node] for node in sorted(self.node))]
        low, high = (np.array([side(box, axis=0) for box in boxes]) for side in (np.min, np.max))
        beyond = np.maximum(np.maximum(low - points[:, np.newaxis], 0.0), points[:, np.newaxis] - high)
        away = sum_over_features(beyond**2).tolist()  # [point][number of the node among those that are there]
        number = {node: i for i, node in enumerate(sorted(self.node))}
        found = []
        for at_node, at_place in zip(away, distances):
            heap = [(inf, 0)] * k  # the farthest on top
            self._search(0, {node: at_node[i] for node, i in number.items()}, at_place, heap)
            found.append([record for _, record in heap])
        return found

    def _search(self, node: int, away: dict[int, float], distances: list[float], heap: list[tuple[float, int]]) -> None:
        if away[node] > heap[0][0]:
            return
        start, end = self.node[node]
        if self._is_leaf(node):
            for place in range(start, end):
                if distances[place] < heap[0][0]:  # of those equally far, the first one found stays
                    _replace_farthest(heap, distances[place], self.order[place])
            return
        for half in sorted((2 * node + 1, 2 * node + 2), key=away.__getitem__):
            self._search(half, away, distances, heap)


def sum_over_features(squares: Any) -> Any:
    """Sums over the features, one after the other as that version added them: another order would round otherwise."""
    total = np.zeros(squares.shape[:-1])
    for feature in range(squares.shape[-1]):
        total += squares[..., feature]
    return total


def _replace_farthest(heap: list[tuple[float, int]], distance: float, record: int) -> None:
    """Put a record in the place of the farthest, and let it sink to where it belongs."""
    i = 0
    while True:
        below = [child for child in (2 * i + 1, 2 * i + 2) if child < len(heap)]
        farther = max(below, key=lambda child: heap[child][0], default=None)  # the first of two that are equally far
        if farther is None or heap[farther][0] <= distance:
            heap[i] = distance, record
            return
        heap[i] = heap[farther]
        i = farther


def predict_neighbours_until_0202(records: PreparedRecords, fold: FoldNumbers, folds: int) -> Predicted:
    """What ``KNeighborsClassifier()`` of version 0.20.2 predicted for each record in each split.

    Parameters
    ----------
    records, fold, folds
        As for :func:`.learners.naive_bayes`.
    """
    return majority_vote(records, fold, folds, _query_neighbours)


def _query_neighbours(records: PreparedRecords, train: Any, fold: Any, test: Any) -> Any:  # noqa: ARG001 (a tree answers for each record alone)
    return train[np.array(KDTreeUntil0202(records.x[train]).neighbours(records.x[test]))]
