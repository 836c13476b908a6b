"""Neighbour search of scikit-learn 0.20.2 by a k-d tree, which chose other neighbours at equal distance than later versions.

A k-d tree halves the records at a median, and with whole numbers many records equal the median.  A quickselect, which later versions
replaced, decided which records at the median belong to the left half.  The neighbours are as near as in later versions; the choice differs
only among neighbours at equal distance.  (Version 0.20.2 used a tree for any number of features.)
"""

from __future__ import annotations

from math import inf, log2
from typing import Any

import numpy as np

from .nearest_neighbours import K, majority_vote
from .prepared_records import Predicted, PreparedRecords
from .stratified_folds import FoldNumbers

LEAF_SIZE = 30  # approximate number of records at which a node is no longer halved


class KDTreeUntil0202:
    """K-d tree as scikit-learn built and searched it until version 0.20.2.

    Parameters
    ----------
    x : array, shape (records, features)
        Training records.

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
        self.node: dict[int, tuple[int, int]] = {}  # start and end of the records of each node
        self._build(0, 0, len(self.x))

    def _build(self, node: int, start: int, end: int) -> None:
        self.node[node] = start, end
        if self._is_leaf(node):
            return
        widths = np.ptp(self.x[self.order[start:end]], axis=0)
        middle = (end - start) // 2
        self.order[start:end] = self._quickselect(self.order[start:end], self.columns[int(widths.argmax())], middle)
        self._build(2 * node + 1, start, start + middle)
        self._build(2 * node + 2, start + middle, end)

    def _is_leaf(self, node: int) -> bool:
        start, end = self.node[node]
        return 2 * node + 1 >= self.nodes or end - start < 2

    def _quickselect(self, records: list[int], feature: list[float], middle: int) -> list[int]:
        """Order the records by the quickselect of version 0.20.2, until the middle record is at its final position."""
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
        """Return the k nearest records to each point, the farthest of these records first."""
        points = np.asarray(points, float)
        # distances[point][place]: place is the position in the order of the tree
        distances = sum_over_features((points[:, np.newaxis] - self.x[self.order]) ** 2).tolist()
        boxes = [self.x[self.order[start:end]] for start, end in (self.node[node] for node in sorted(self.node))]
        low, high = (np.array([side(box, axis=0) for box in boxes]) for side in (np.min, np.max))
        beyond = np.maximum(np.maximum(low - points[:, np.newaxis], 0.0), points[:, np.newaxis] - high)
        node_distances = sum_over_features(beyond**2).tolist()  # node_distances[point][node]: node is the position of the node in the tree
        number = {node: i for i, node in enumerate(sorted(self.node))}
        nearest = []
        for at_node, at_place in zip(node_distances, distances):
            heap = [(inf, 0)] * k  # heap of the k nearest records; the farthest of these records is on top
            self._search(0, {node: at_node[i] for node, i in number.items()}, at_place, heap)
            nearest.append([record for _, record in heap])
        return nearest

    def _search(self, node: int, node_distances: dict[int, float], distances: list[float], heap: list[tuple[float, int]]) -> None:
        if node_distances[node] > heap[0][0]:
            return
        start, end = self.node[node]
        if self._is_leaf(node):
            for place in range(start, end):
                if distances[place] < heap[0][0]:  # a record at equal distance does not replace an earlier record
                    _replace_farthest(heap, distances[place], self.order[place])
            return
        for half in sorted((2 * node + 1, 2 * node + 2), key=node_distances.__getitem__):
            self._search(half, node_distances, distances, heap)


def sum_over_features(squares: Any) -> Any:
    """Sum over the features one after the other, as version 0.20.2 did, because another order would round differently."""
    total = np.zeros(squares.shape[:-1])
    for feature in range(squares.shape[-1]):
        total += squares[..., feature]
    return total


def _replace_farthest(heap: list[tuple[float, int]], distance: float, record: int) -> None:
    """Replace the farthest record of the heap by a new record, and move the new record down to its position."""
    i = 0
    while True:
        below = [child for child in (2 * i + 1, 2 * i + 2) if child < len(heap)]
        # if two children have equal distance, the first child is chosen
        farther = max(below, key=lambda child: heap[child][0], default=None)
        if farther is None or heap[farther][0] <= distance:
            heap[i] = distance, record
            return
        heap[i] = heap[farther]
        i = farther


def predict_neighbours_until_0202(records: PreparedRecords, fold: FoldNumbers, folds: int) -> Predicted:
    """Return the predictions of ``KNeighborsClassifier()`` of version 0.20.2 for each record in each split.

    Parameters
    ----------
    records, fold, folds
        As in :func:`.fold_classifiers.naive_bayes`.
    """
    return majority_vote(records, fold, folds, _query_neighbours)


def _query_neighbours(records: PreparedRecords, train: Any, fold: Any, test: Any) -> Any:  # noqa: ARG001 (a tree answers for each record alone)
    return train[np.array(KDTreeUntil0202(records.x[train]).neighbours(records.x[test]))]
