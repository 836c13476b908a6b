"""The search for neighbours of scikit-learn 0.20.2: the tree that decided which of those equally far were nearest.

A k-d tree halves the records at a median, and on whole numbers many records are the median.  Which of them go left was decided by a
quickselect that later versions replaced.  The neighbours are as near as before; where distances tie, they are others.
"""

from __future__ import annotations

from math import inf, log2
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .neighbours import K
from .splits import FoldNumbers

LEAF = 30  # records at which a node is no longer halved, about


class TreeUntil0202:
    """A k-d tree as scikit-learn built and searched it until version 0.20.2, in plain Python: for a few partitions, not for thousands.

    Parameters
    ----------
    x : array, shape (records, features)
        The training records.

    Examples
    --------
    >>> TreeUntil0202([[0.0], [1.0], [2.0], [3.0]]).nearest([2.2], 2)
    [3, 2]
    """

    def __init__(self, x: Any) -> None:
        self.x = np.asarray(x, float).tolist()
        self.order = list(range(len(self.x)))
        self.nodes = 2 ** int(log2(max(1, (len(self.x) - 1) / LEAF)) + 1) - 1
        self.node: dict[int, tuple[int, int, list[float], list[float]]] = {}  # where it begins and ends, and its lowest and highest values
        self._build(0, 0, len(self.x))

    def _build(self, node: int, start: int, end: int) -> None:
        columns = list(zip(*(self.x[i] for i in self.order[start:end])))
        low, high = [min(column) for column in columns], [max(column) for column in columns]
        self.node[node] = start, end, low, high
        if self._is_leaf(node):
            return
        widths = [b - a for a, b in zip(low, high)]
        middle = (end - start) // 2
        self.order[start:end] = self._halved(self.order[start:end], widths.index(max(widths)), middle)
        self._build(2 * node + 1, start, start + middle)
        self._build(2 * node + 2, start + middle, end)

    def _is_leaf(self, node: int) -> bool:
        start, end, *_ = self.node[node]
        return 2 * node + 1 >= self.nodes or end - start < 2

    def _halved(self, records: list[int], feature: int, middle: int) -> list[int]:
        """The quickselect of that version: whatever is less than the last record goes before it, and so on until the middle is found."""
        left, right = 0, len(records) - 1
        while True:
            place = left
            for i in range(left, right):
                if self.x[records[i]][feature] < self.x[records[right]][feature]:
                    records[i], records[place] = records[place], records[i]
                    place += 1
            records[place], records[right] = records[right], records[place]
            if place == middle:
                return records
            left, right = (place + 1, right) if place < middle else (left, place - 1)

    def nearest(self, point: list[float], k: int = K) -> list[int]:
        """The records that it finds nearest, the farthest first."""
        heap = [(inf, 0)] * k  # the farthest on top
        self._search(0, self._distance_to(0, point), point, heap)
        return [record for _, record in heap]

    def _search(self, node: int, away: float, point: list[float], heap: list[tuple[float, int]]) -> None:
        if away > heap[0][0]:
            return
        start, end, *_ = self.node[node]
        if self._is_leaf(node):
            for record in self.order[start:end]:
                distance = sum((a - b) ** 2 for a, b in zip(self.x[record], point))
                if distance < heap[0][0]:  # of those equally far, the first one found stays
                    _pushed(heap, distance, record)
            return
        halves = sorted((self._distance_to(half, point), half) for half in (2 * node + 1, 2 * node + 2))
        for distance, half in halves:
            self._search(half, distance, point, heap)

    def _distance_to(self, node: int, point: list[float]) -> float:
        _, _, low, high = self.node[node]
        return sum(max(a - value, 0.0, value - b) ** 2 for a, b, value in zip(low, high, point))


def _pushed(heap: list[tuple[float, int]], distance: float, record: int) -> None:
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


def former_neighbours(x: Any, y: Any, fold: FoldNumbers, folds: int) -> NDArray[np.int64]:
    """What ``KNeighborsClassifier()`` of version 0.20.2 predicted for each record in each split: shape (records, splits).

    Parameters
    ----------
    x : array, shape (records, features)
        Features.
    y : array of int, shape (records,)
        Classes, numbered from 0.
    fold : array, shape (records, splits)
        The fold in which each record is tested.
    folds : int
        How many there are.
    """
    x, y = np.asarray(x, float), np.asarray(y)
    predicted = np.empty(fold.shape, np.int64)
    for s in range(fold.shape[1]):
        for k in range(folds):
            test = fold[:, s] == k
            tree, classes = TreeUntil0202(x[~test]), y[~test]
            predicted[test, s] = [np.bincount(classes[tree.nearest(point)]).argmax() for point in x[test].tolist()]
    return predicted
