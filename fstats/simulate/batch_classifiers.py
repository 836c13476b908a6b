"""Classifiers for simulations with very many trainings; these classifiers learn on many splits of a data set at once.

The classifiers are estimators with ``fit`` and ``predict`` (:mod:`fstats.comparing.model_evaluation`), so :func:`fstats.compare` takes
them.  Each classifier also has a method `predict_on_splits`, which predicts the test sets of many splits together; the predicted labels
are the same as with ``fit`` and ``predict``.
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

Memo = dict[Any, Any]  # intermediate results for one data set, shared by its splits
SPLITS_PER_BLOCK = 100  # number of test records whose distances are computed together and fit into the cache of a processor
FIRST_NEIGHBOURS = 16  # number of neighbours among which a training record is searched first
MAX_EXACT_INTEGER = 2.0**20  # squared distances of smaller whole numbers have no rounding error


class BatchClassifier:
    """A classifier that can predict on many splits at once; this base class has the settings by name that scikit-learn requires."""

    def get_params(self, deep: bool = True) -> dict[str, Any]:  # noqa: ARG002
        """Return the settings by name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]

    def set_params(self, **settings: Any) -> Self:
        """Change settings."""
        for name, value in settings.items():
            setattr(self, name, value)
        return self


@dataclass(eq=False)
class Majority(BatchClassifier):
    """Predict the most frequent class of the training set for every record; if several classes are most frequent, the first in order.

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
        """Return the same class for every record."""
        return np.full(X.shape[0] if hasattr(X, "shape") else len(X), self._class)

    def predict_on_splits(self, X: Any, y: NDArray[Any], splits: Sequence[Split], memo: Memo) -> list[NDArray[Any]]:  # noqa: ARG002
        """Return the predictions for the test set of each split."""
        names, codes = np.unique(y, return_inverse=True)
        majority = [np.bincount(codes[split.train], minlength=len(names)).argmax() for split in splits]
        return [np.full(len(split.test), names[k]) for k, split in zip(majority, splits)]


@dataclass(eq=False)
class Logistic(BatchClassifier):
    """Logistic regression of two classes without a penalty, like R's ``glm``, by Newton's method, on all splits of a data set at once.

    If the classes can be separated, coefficients grow until the likelihood no longer increases.  If the training set has only one
    class, this class is predicted.

    Examples
    --------
    >>> model = Logistic().fit([[0.0], [1.0], [2.0], [3.0]], ["no", "yes", "no", "yes"])
    >>> model.coef.round(4).tolist(), model.predict([[0.0], [3.0]]).tolist()
    ([-1.3623, 0.9082], ['no', 'yes'])
    """

    def fit(self, X: Any, y: Any) -> Self:
        """Estimate the intercept and the coefficient of each feature."""
        self._classes, codes = self._encode_labels(np.asarray(y))
        x = _add_intercept(X)
        self.coef: Array = fit_logistic(x, codes, np.ones((1, len(x))))[0]
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the second class if the linear predictor is above 0, otherwise the first."""
        return self._classes[(_add_intercept(X) @ self.coef > 0).astype(int) % len(self._classes)]

    @staticmethod
    def _encode_labels(y: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int64]]:
        names, codes = np.unique(y, return_inverse=True)
        if len(names) > 2:
            raise ValueError(f"logistic regression needs at most two classes; got {len(names)} classes")
        return names, codes

    def predict_on_splits(self, X: Any, y: NDArray[Any], splits: Sequence[Split], memo: Memo) -> list[NDArray[Any]]:  # noqa: ARG002
        """Return the predictions for the test set of each split."""
        names, codes = self._encode_labels(y)
        x = _add_intercept(X)
        times = np.array([np.bincount(split.train, minlength=len(x)) for split in splits], float)
        start = fit_logistic(x, codes, np.ones((1, len(x))))[0]  # the fit on all records gives the start values for each training set
        above = (fit_logistic(x, codes, times, start) @ x.T > 0).astype(int)
        predictions = [names[above[k, split.test] % len(names)] for k, split in enumerate(splits)]
        ones = times @ codes
        for k in np.flatnonzero((ones == 0) | (ones == times.sum(1))).tolist():  # loop over the training sets that contain only one class
            predictions[k] = np.full(len(splits[k].test), names[codes[splits[k].train[0]]])
        return predictions


def _add_intercept(X: Any) -> Array:
    x = np.asarray(X, float)
    return np.column_stack([np.ones(len(x)), x])


@dataclass(eq=False)
class NearestNeighbour(BatchClassifier):
    """Predict the class of the nearest training record; squared differences are weighted by feature.

    If records of several classes are equally near, the first class in order is predicted, whatever the order of the records.  Computed
    distances are compared without a tolerance: if features have rounding errors, such as multiples of 0.1, two distances that are
    mathematically equal may differ.

    Parameters
    ----------
    weights : sequence of float, optional
        One positive number for each feature; by default all weights are 1.

    Examples
    --------
    >>> model = NearestNeighbour(weights=(1.0, 100.0)).fit([[0, 0], [9, 1]], ["low", "high"])
    >>> model.predict([[8, 0], [1, 1]]).tolist()
    ['low', 'high']
    """

    weights: Any = None

    def fit(self, X: Any, y: Any) -> Self:
        """Store the training records, sorted by class."""
        order = np.argsort(np.asarray(y), kind="stable")
        self._x, self._y = np.asarray(X, float)[order], np.asarray(y)[order]
        self.weights_for(self._x.shape[1])
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class of the nearest training record."""
        (nearest,) = nearest_training_records(self._x, np.asarray(X, float), [self.weights_for(self._x.shape[1])])
        return self._y[nearest]

    def weights_for(self, features: int) -> tuple[float, ...]:
        """Return the weights for this number of features."""
        weights = (1.0,) * features if self.weights is None else tuple(float(w) for w in self.weights)
        if len(weights) != features or not all(np.isfinite(w) and w > 0 for w in weights):
            raise ValueError(f"weights must be {features} positive numbers, one for each feature; got {self.weights!r}")
        return weights

    def predict_on_splits(self, X: Any, y: NDArray[Any], splits: Sequence[Split], memo: Memo) -> list[NDArray[Any]]:
        """Return the predictions for the test set of each split: classes of the first training record among the sorted neighbours."""
        weights = self.weights_for(np.shape(X)[1])
        if ("neighbours", weights) not in memo:
            memo["neighbours", weights] = self._sorted_neighbours(np.asarray(X, float), y, weights, memo)
        neighbours = memo["neighbours", weights]
        predictions, trains = [], np.zeros(len(y), bool)
        for split in splits:
            trains[:] = False
            trains[split.train] = True
            near = neighbours[split.test, :FIRST_NEIGHBOURS]
            first = trains[near].argmax(1)
            nearest = near[np.arange(len(near)), first]
            # loop over the test records that have no training record among their first neighbours
            for k in np.flatnonzero(~trains[nearest]):
                every = neighbours[split.test[k]]
                nearest[k] = every[trains[every].argmax()]
            predictions.append(y[nearest])
        return predictions

    @staticmethod
    def _sorted_neighbours(x: Array, y: NDArray[Any], weights: tuple[float, ...], memo: Memo) -> NDArray[np.int64]:
        """Return all records sorted by their distance from each record; equal distances are sorted by class."""
        groups, by_class = _equal_weight_groups([weights]), np.argsort(y, kind="stable")
        if ("squares", groups) not in memo:
            memo["squares", groups] = [_squared_distances(x[:, group], x[by_class][:, group]) for group in groups]
        distances = _weighted_distances(memo["squares", groups], groups, weights)
        return np.asarray(by_class[distances.argsort(1, kind="stable")])


def nearest_training_records(train: Array, test: Array, weights: Sequence[tuple[float, ...]]) -> list[NDArray[np.int64]]:
    """Return the index of the nearest training record of each test record, for each of several weightings.

    >>> nearest = nearest_training_records(np.array([[0.0, 0], [9, 1]]), np.array([[8.0, 0]]), [(1, 1), (1, 100)])
    >>> [indices.tolist() for indices in nearest]
    [[1], [0]]
    """
    groups = _equal_weight_groups(weights)
    nearest = np.empty((len(weights), len(test)), np.int64)
    for start in range(0, len(test), SPLITS_PER_BLOCK):
        block = test[start : start + SPLITS_PER_BLOCK]
        squares = [_squared_distances(block[:, group], train[:, group]) for group in groups]
        for k, each in enumerate(weights):
            nearest[k, start : start + SPLITS_PER_BLOCK] = _weighted_distances(squares, groups, each).argmin(1)
    return list(nearest)


def _equal_weight_groups(weights: Sequence[tuple[float, ...]]) -> tuple[tuple[int, ...], ...]:
    """Group features of equal weight; sums over a group before weighting have no rounding error for whole numbers."""
    of_each = list(zip(*weights, strict=True))  # for each feature, the tuple of its weights
    return tuple(tuple(k for k, w in enumerate(of_each) if w == weight) for weight in dict.fromkeys(of_each))


def _squared_distances(a: Array, b: Array) -> Array:
    """Return the squared distances of all pairs, computed by matrix products if the products are exact."""
    if all(np.abs(x).max(initial=0) < MAX_EXACT_INTEGER and np.array_equal(x, np.rint(x)) for x in (a, b)):
        whole: Array = (a**2).sum(1)[:, np.newaxis] + (b**2).sum(1) - 2 * (a @ b.T)
        return whole
    return sum(((a[:, k, np.newaxis] - b[:, k]) ** 2 for k in range(a.shape[1])), np.zeros((len(a), len(b))))


def _weighted_distances(squares: Sequence[Array], groups: Sequence[tuple[int, ...]], weights: tuple[float, ...]) -> Array:
    """Return sums of weighted squares, in units of the first weight."""
    if len(squares) == 1:
        return squares[0]
    first = weights[groups[0][0]]
    distances: Array = squares[1] * (weights[groups[1][0]] / first)
    distances += squares[0]
    for square, group in zip(squares[2:], groups[2:], strict=True):
        distances += square * (weights[group[0]] / first)
    return distances
