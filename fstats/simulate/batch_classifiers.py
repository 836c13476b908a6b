"""Learners that a simulation trains by the hundred thousand: on many splits of a data set at once.

What a learner is, :mod:`fstats.comparing.model_evaluation` says: an estimator with ``fit`` and ``predict``.  These are such estimators,
fit for :func:`fstats.compare`; and each has a second way, `on_splits`, which predicts the test sets of many splits together, with the same labels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from ..comparing.splits import Split
from ..core.value_types import Array
from .batch_logistic_regression import fit_logistic

Memo = dict[Any, Any]  # what is kept of one data set while its splits are gone through
SPLITS_PER_BLOCK = 100  # test records whose distances are computed together: they fit into a processor's cache
FIRST_NEIGHBOURS = 16  # neighbours among which one that trains is looked for first
MAX_EXACT_INTEGER = 2.0**20  # whole numbers below this have squared distances without rounding


class BatchClassifier:
    """A learner with the second way; here is what scikit-learn asks of every estimator, settings by name."""

    def get_params(self, deep: bool = True) -> dict[str, Any]:  # noqa: ARG002
        """Settings by name."""
        return {one.name: getattr(self, one.name) for one in fields(self)}  # type: ignore[arg-type]

    def set_params(self, **settings: Any) -> Self:
        """Change settings."""
        for name, value in settings.items():
            setattr(self, name, value)
        return self


@dataclass(eq=False)
class Majority(BatchClassifier):
    """The class that is most frequent in the training set, whatever the features are; of several the first in order.

    Examples
    --------
    >>> Majority().fit([[0], [0], [0]], ["b", "a", "b"]).predict([[5], [6]]).tolist()
    ['b', 'b']
    """

    def fit(self, X: Any, y: Any) -> Self:  # noqa: ARG002
        """Count the classes."""
        names, counts = np.unique(np.asarray(y), return_counts=True)
        self._class = names[counts.argmax()]
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """The same class for every record."""
        return np.full(X.shape[0] if hasattr(X, "shape") else len(X), self._class)

    def on_splits(self, X: Any, y: NDArray[Any], splits: Sequence[Split], memo: Memo) -> list[NDArray[Any]]:  # noqa: ARG002
        """What it predicts in the test set of each split."""
        names, codes = np.unique(y, return_inverse=True)
        most = [np.bincount(codes[split.train], minlength=len(names)).argmax() for split in splits]
        return [np.full(len(split.test), names[k]) for k, split in zip(most, splits)]


@dataclass(eq=False)
class Logistic(BatchClassifier):
    """Logistic regression of two classes without a penalty, as R's ``glm``: Newton's method, all splits of a data set at once.

    Where the classes can be separated, coefficients grow until the likelihood gains nothing more; of one class alone, that one is
    predicted.

    Examples
    --------
    >>> model = Logistic().fit([[0.0], [1.0], [2.0], [3.0]], ["no", "yes", "no", "yes"])
    >>> model.coef.round(4).tolist(), model.predict([[0.0], [3.0]]).tolist()
    ([-1.3623, 0.9082], ['no', 'yes'])
    """

    def fit(self, X: Any, y: Any) -> Self:
        """Estimate the intercept and the coefficient of each feature."""
        self._classes, codes = self._coded(np.asarray(y))
        x = _add_intercept(X)
        self.coef: Array = fit_logistic(x, codes, np.ones((1, len(x))))[0]
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """The second class where the linear predictor is above 0."""
        return self._classes[(_add_intercept(X) @ self.coef > 0).astype(int) % len(self._classes)]

    @staticmethod
    def _coded(y: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int64]]:
        names, codes = np.unique(y, return_inverse=True)
        if len(names) > 2:
            raise ValueError(f"logistic regression tells two classes apart; got {len(names)}")
        return names, codes

    def on_splits(self, X: Any, y: NDArray[Any], splits: Sequence[Split], memo: Memo) -> list[NDArray[Any]]:  # noqa: ARG002
        """What it predicts in the test set of each split."""
        names, codes = self._coded(y)
        x = _add_intercept(X)
        times = np.array([np.bincount(split.train, minlength=len(x)) for split in splits], float)
        start = fit_logistic(x, codes, np.ones((1, len(x))))[0]  # all records are a good guess at any part of them
        above = (fit_logistic(x, codes, times, start) @ x.T > 0).astype(int)
        found = [names[above[k, split.test] % len(names)] for k, split in enumerate(splits)]
        ones = times @ codes
        for k in np.flatnonzero((ones == 0) | (ones == times.sum(1))).tolist():  # one class alone, as fit knows it
            found[k] = np.full(len(splits[k].test), names[codes[splits[k].train[0]]])
        return found


def _add_intercept(X: Any) -> Array:
    x = np.asarray(X, float)
    return np.column_stack([np.ones(len(x)), x])


@dataclass(eq=False)
class NearestNeighbour(BatchClassifier):
    """The class of the nearest training record, squared differences being weighted feature by feature.

    Of classes whose records are equally near, the first in order is taken, in whatever order the records come.  Equally near is meant of
    the numbers in the computer: where features are not exact there, as multiples of 0.1 are not, rounding may tell two distances apart that
    are the same on paper.

    Parameters
    ----------
    weights : sequence of float, optional
        One positive number for each feature; all 1 if left out.

    Examples
    --------
    >>> model = NearestNeighbour(weights=(1.0, 100.0)).fit([[0, 0], [9, 1]], ["low", "high"])
    >>> model.predict([[8, 0], [1, 1]]).tolist()
    ['low', 'high']
    """

    weights: Any = None

    def fit(self, X: Any, y: Any) -> Self:
        """Keep the training records, class by class."""
        order = np.argsort(np.asarray(y), kind="stable")
        self._x, self._y = np.asarray(X, float)[order], np.asarray(y)[order]
        self.weights_for(self._x.shape[1])
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """The class of the nearest one."""
        (found,) = nearest_training_records(self._x, np.asarray(X, float), [self.weights_for(self._x.shape[1])])
        return self._y[found]

    def weights_for(self, features: int) -> tuple[float, ...]:
        """One for each of so many features."""
        weights = (1.0,) * features if self.weights is None else tuple(float(w) for w in self.weights)
        if len(weights) != features or not all(np.isfinite(w) and w > 0 for w in weights):
            raise ValueError(f"weights must be {features} positive numbers, one for each feature; got {self.weights!r}")
        return weights

    def on_splits(self, X: Any, y: NDArray[Any], splits: Sequence[Split], memo: Memo) -> list[NDArray[Any]]:
        """What it predicts in the test set of each split: of each record's neighbours, sorted once, the first that trains."""
        weights = self.weights_for(np.shape(X)[1])
        if ("neighbours", weights) not in memo:
            memo["neighbours", weights] = self._neighbours(np.asarray(X, float), y, weights, memo)
        neighbours = memo["neighbours", weights]
        found, trains = [], np.zeros(len(y), bool)
        for split in splits:
            trains[:] = False
            trains[split.train] = True
            near = neighbours[split.test, :FIRST_NEIGHBOURS]
            first = trains[near].argmax(1)
            nearest_one = near[np.arange(len(near)), first]
            for k in np.flatnonzero(~trains[nearest_one]):  # none of so few trains
                every = neighbours[split.test[k]]
                nearest_one[k] = every[trains[every].argmax()]
            found.append(y[nearest_one])
        return found

    @staticmethod
    def _neighbours(x: Array, y: NDArray[Any], weights: tuple[float, ...], memo: Memo) -> NDArray[np.int64]:
        """All records in the order of their distance from each; of equal distances, in the order of their classes."""
        groups, by_class = _equal_weight_groups([weights]), np.argsort(y, kind="stable")
        if ("squares", groups) not in memo:
            memo["squares", groups] = [_squared_distances(x[:, of], x[by_class][:, of]) for of in groups]
        distances = _weighted_distances(memo["squares", groups], groups, weights)
        return np.asarray(by_class[distances.argsort(1, kind="stable")])


def nearest_training_records(train: Array, test: Array, weights: Sequence[tuple[float, ...]]) -> list[NDArray[np.int64]]:
    """The place of the nearest training record, for each of several weightings.

    >>> [found.tolist() for found in nearest_training_records(np.array([[0.0, 0], [9, 1]]), np.array([[8.0, 0]]), [(1, 1), (1, 100)])]
    [[1], [0]]
    """
    groups = _equal_weight_groups(weights)
    found = np.empty((len(weights), len(test)), np.int64)
    for start in range(0, len(test), SPLITS_PER_BLOCK):
        block = test[start : start + SPLITS_PER_BLOCK]
        squares = [_squared_distances(block[:, of], train[:, of]) for of in groups]
        for k, each in enumerate(weights):
            found[k, start : start + SPLITS_PER_BLOCK] = _weighted_distances(squares, groups, each).argmin(1)
    return list(found)


def _equal_weight_groups(weights: Sequence[tuple[float, ...]]) -> tuple[tuple[int, ...], ...]:
    """Features of equal weight, which are added up before they are weighted: of whole numbers, nothing is rounded then."""
    of_each = list(zip(*weights, strict=True))  # feature by feature
    return tuple(tuple(k for k, w in enumerate(of_each) if w == weight) for weight in dict.fromkeys(of_each))


def _squared_distances(a: Array, b: Array) -> Array:
    """Squared distances of each to each; through products where that is exact, and then the result is the same."""
    if all(np.abs(x).max(initial=0) < MAX_EXACT_INTEGER and np.array_equal(x, np.rint(x)) for x in (a, b)):
        whole: Array = (a**2).sum(1)[:, np.newaxis] + (b**2).sum(1) - 2 * (a @ b.T)
        return whole
    return sum(((a[:, k, np.newaxis] - b[:, k]) ** 2 for k in range(a.shape[1])), np.zeros((len(a), len(b))))


def _weighted_distances(squares: Sequence[Array], groups: Sequence[tuple[int, ...]], weights: tuple[float, ...]) -> Array:
    """Sums of weighted squares, in units of the first weight."""
    if len(squares) == 1:
        return squares[0]
    first = weights[groups[0][0]]
    found: Array = squares[1] * (weights[groups[1][0]] / first)
    found += squares[0]
    for square, of in zip(squares[2:], groups[2:], strict=True):
        found += square * (weights[of[0]] / first)
    return found
