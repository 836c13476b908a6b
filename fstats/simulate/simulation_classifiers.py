"""Fast classifiers for simulations.

The classifiers are estimators with ``fit`` and ``predict`` (:mod:`fstats.comparing.model_evaluation`), so :func:`fstats.compare` takes
them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from ..core.validation.check import format_received_value
from ..core.value_types import Array
from .logistic_regression import fit_logistic

# distances are computed for this number of test records at a time, so that they fit into the processor's cache
RECORDS_PER_BLOCK = 100
MAX_EXACT_INTEGER = 2.0**20  # squared distances of smaller whole numbers have no rounding error


class SimulationClassifier:
    """A classifier for simulations; this base class has the methods for settings that scikit-learn requires."""

    def get_params(self, deep: bool = True) -> dict[str, Any]:  # noqa: ARG002
        """Return the settings by name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]

    def set_params(self, **settings: Any) -> Self:
        """Change settings."""
        for name, value in settings.items():
            setattr(self, name, value)
        return self


@dataclass(eq=False)
class Majority(SimulationClassifier):
    """Predict the most frequent class of the training set for every record; of equally frequent classes, predict the first in order.

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


@dataclass(eq=False)
class Logistic(SimulationClassifier):
    """Logistic regression of two classes without a penalty, like R's ``glm``, by Newton's method.

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
        self._classes, codes = np.unique(np.asarray(y), return_inverse=True)
        if len(self._classes) > 2:
            raise ValueError(f"logistic regression needs at most two classes; got {len(self._classes)} classes")
        self.coef = fit_logistic(_add_intercept(X), codes)
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the second class if the linear predictor is above 0, otherwise the first."""
        return self._classes[(_add_intercept(X) @ self.coef > 0).astype(int) % len(self._classes)]


def _add_intercept(X: Any) -> Array:
    x = np.asarray(X, float)
    return np.column_stack([np.ones(len(x)), x])


@dataclass(eq=False)
class NearestNeighbour(SimulationClassifier):
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
        return self._y[nearest_training_records(self._x, np.asarray(X, float), self.weights_for(self._x.shape[1]))]

    def weights_for(self, features: int) -> tuple[float, ...]:
        """Return the weights for this number of features."""
        weights = (1.0,) * features if self.weights is None else tuple(float(w) for w in self.weights)
        if len(weights) != features or not all(np.isfinite(w) and w > 0 for w in weights):
            raise ValueError(
                f"`weights` must be {features} positive numbers, one for each feature; got {format_received_value(self.weights)}"
            )
        return weights


def nearest_training_records(train: Array, test: Array, weights: Sequence[float]) -> NDArray[np.int64]:
    """Return the index of the nearest training record of each test record.

    >>> [nearest_training_records(np.array([[0.0, 0], [9, 1]]), np.array([[8.0, 0]]), (1, w)).tolist() for w in (1, 100)]
    [[1], [0]]
    """
    blocks = (test[start : start + RECORDS_PER_BLOCK] for start in range(0, len(test), RECORDS_PER_BLOCK))
    return np.concatenate([_weighted_distances(block, train, weights).argmin(1) for block in blocks])


def _weighted_distances(a: Array, b: Array, weights: Sequence[float]) -> Array:
    """Return sums of weighted squared differences for all pairs of records, divided by the first weight.

    Squares of features with equal weights are added before they are weighted, so whole numbers cause no rounding error.
    """
    groups = {weight: [k for k, other in enumerate(weights) if other == weight] for weight in weights}
    return sum(_squared_distances(a[:, group], b[:, group]) * (weight / weights[0]) for weight, group in groups.items())  # type: ignore[return-value]


def _squared_distances(a: Array, b: Array) -> Array:
    """Return the squared distances of all pairs, by a matrix product (faster) if it has no rounding error."""
    if all(np.abs(x).max(initial=0) < MAX_EXACT_INTEGER and np.array_equal(x, np.rint(x)) for x in (a, b)):
        whole: Array = (a**2).sum(1)[:, np.newaxis] + (b**2).sum(1) - 2 * (a @ b.T)
        return whole
    return sum(((a[:, k, np.newaxis] - b[:, k]) ** 2 for k in range(a.shape[1])), np.zeros((len(a), len(b))))
