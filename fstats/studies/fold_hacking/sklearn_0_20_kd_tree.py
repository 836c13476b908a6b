"""Nearest neighbours by the k-d tree of scikit-learn 0.20.2, which breaks ties of distance in its own way.

A k-d tree halves the records at a median, and with whole numbers many records equal the median.  A quickselect, which later versions
replaced, decided which records at the median belong to the left half.  The neighbours are as near as in later versions; the choice differs
only among neighbours at equal distance.  (Version 0.20.2 used a tree for any number of features.)
"""

from __future__ import annotations

from math import inf, log2
from typing import Any, NamedTuple, Self

import numpy as np

from ...core.value_types import Array

K = 5  # number of voting neighbours, the default of scikit-learn
ROUNDING = 1e-10  # squared distances with a smaller relative difference are treated as equal
LEAF_SIZE = 30  # nodes with about this number of records or fewer are leaves


class KDTreeNode(NamedTuple):
    """Node of a k-d tree: the numbers of its records in the order of the tree, the limits of its features, and its halves."""

    records: list[int]
    low: Array
    high: Array
    halves: tuple[KDTreeNode, ...]  # the two child nodes; empty for a leaf

    def distance(self, point: Array) -> float:
        """Return the squared distance of a point from the nearest place within the limits."""
        return float(sum_over_features(np.maximum(np.maximum(self.low - point, 0.0), point - self.high) ** 2))


def neighbours_until_0202(x: Any, points: Any, k: int = K) -> list[list[int]]:
    """Return the k training records that scikit-learn 0.20.2 took for the nearest ones to each point, the farthest of these first.

    Parameters
    ----------
    x : array, shape (records, features)
        Training records.
    points : array, shape (points, features)
        Points.
    k : int
        Number of neighbours.

    Examples
    --------
    >>> neighbours_until_0202([[0.0], [1.0], [2.0], [3.0]], [[2.2]], 2)
    [[3, 2]]
    """
    x = np.asarray(x, float)
    levels = int(log2(max(1, (len(x) - 1) / LEAF_SIZE)) + 1)
    root = _build(x, list(range(len(x))), levels)
    nearest = []
    for point in np.asarray(points, float):
        heap = [(inf, 0)] * k  # heap of the k nearest records up to now, with the farthest on top
        _search(root, point, sum_over_features((point - x) ** 2).tolist(), heap)
        nearest.append([record for _, record in heap])
    return nearest


def _build(x: Array, records: list[int], levels: int) -> KDTreeNode:
    """Build the tree of these records, with at most `levels` levels."""
    low, high = x[records].min(0), x[records].max(0)
    if levels == 1 or len(records) < 2:
        return KDTreeNode(records, low, high, ())
    middle = len(records) // 2
    ordered = _quickselect(records, x[:, (high - low).argmax()].tolist(), middle)
    return KDTreeNode(ordered, low, high, tuple(_build(x, half, levels - 1) for half in (ordered[:middle], ordered[middle:])))


def _quickselect(records: list[int], feature: list[float], middle: int) -> list[int]:
    """Order the records by the quickselect algorithm of scikit-learn 0.20.2, until the middle record is at its final position."""
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


def _search(node: KDTreeNode, point: Array, distances: list[float], heap: list[tuple[float, int]]) -> None:
    """Put the records of a node that are nearer than the farthest record of the heap into the heap."""
    if node.distance(point) > heap[0][0]:
        return
    for record in () if node.halves else node.records:
        if distances[record] < heap[0][0]:  # an earlier record at equal distance is kept
            _replace_farthest(heap, distances[record], record)
    for half in sorted(node.halves, key=lambda half: half.distance(point)):
        _search(half, point, distances, heap)


def sum_over_features(squares: Array) -> Array:
    """Sum over the features one after the other, as version 0.20.2 did, because another order would round differently."""
    return np.cumsum(squares, axis=-1)[..., -1]


def _replace_farthest(heap: list[tuple[float, int]], distance: float, record: int) -> None:
    """Replace the farthest record of the heap by a new record, and move the new record down to its position."""
    i = 0
    while True:
        below = [child for child in (2 * i + 1, 2 * i + 2) if child < len(heap)]
        # of two children at equal distance, `max` returns the first
        farther = max(below, key=lambda child: heap[child][0], default=None)
        if farther is None or heap[farther][0] <= distance:
            heap[i] = distance, record
            return
        heap[i] = heap[farther]
        i = farther


class NeighboursUntil0202:
    """``KNeighborsClassifier()`` of version 0.20.2; only votes that depend on neighbours at equal distance need the tree."""

    def fit(self, x: Any, y: Any) -> Self:
        """Store the training records."""
        self.x, self.y = x, y
        return self

    def predict(self, x: Any) -> Any:
        """Return the majority class of the five nearest neighbours; the first class of several with equally many votes."""
        from scipy.spatial.distance import cdist

        distances = cdist(x, self.x, "sqeuclidean")
        fifth = np.partition(distances, K - 1, axis=1)[:, K - 1 : K]
        nearer, tied = distances < fifth * (1 - ROUNDING), np.abs(distances - fifth) <= fifth * ROUNDING
        numbers = np.arange(self.y.max() + 1)
        sure, open_votes = (votes @ (self.y[:, np.newaxis] == numbers).astype(int) for votes in (nearer, tied))
        places = K - nearer.sum(1, keepdims=True)  # number of votes that are left for the neighbours at equal distance
        least = sure + np.maximum(0, places - (tied.sum(1, keepdims=True) - open_votes)) - numbers / len(numbers)
        most = sure + np.minimum(open_votes, places) - numbers / len(numbers)
        winner = least.argmax(1)
        np.put_along_axis(most, winner[:, np.newaxis], -np.inf, 1)
        if len(doubtful := np.flatnonzero(most.max(1) > least.max(1))):
            voters = self.y[np.array(neighbours_until_0202(self.x, x[doubtful]))]
            winner[doubtful] = (voters[..., np.newaxis] == numbers).sum(1).argmax(1)
        return winner
