"""Fast classifiers of the correlation study.

Their predictions are exactly those of scikit-learn.

The paper uses seven classifiers from R and Weka.  This study uses the scikit-learn equivalents of six classifiers.  The seventh, RIPPER,
is left out, because its Python library only separates two classes, and half of the data sets have more classes.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from ...core.value_types import Array
from ...simulate.simulation_classifiers import Majority, SimulationClassifier
from ..study_files import printed_figures

RIDGE = 1e-8  # penalty of Weka on squared coefficients; it corresponds to C = 1 / (2 RIDGE) in scikit-learn
NEIGHBOURS = 5
TIE_TOLERANCE = 1e-6  # relative distances are limited to the range from this value to 1 minus this value, as in the R package kknn
ROUNDING_DIGITS = 9  # squared distances and votes are rounded to this number of decimal places, so that rounding errors do not break ties


class LearnerDescription(NamedTuple):
    """Classifier of the paper: its name, its implementation in the paper, and its implementation here."""

    name: str
    paper: str
    here: str


*DESCRIBED, LEFT_OUT = (LearnerDescription(**entry) for entry in printed_figures(__package__)["learner"])


@cache
def learners() -> dict[str, Any]:
    """Return the six learners by name; each call returns the same objects."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.svm import SVC
    from sklearn.tree import DecisionTreeClassifier

    return {
        "majority": Majority(),
        "mean": NearestMean(),
        "logistic": Scaled(LogisticRegression(C=0.5 / RIDGE), "standard"),
        "SVM": Scaled(SVC(kernel="linear"), "unit"),
        "tree": DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2, random_state=0),
        "neighbours": TriangularNeighbours(),
    }


@contextmanager
def without_sklearn_checks() -> Iterator[None]:
    """Context in which scikit-learn skips repeated input checks and gives no warnings about missing convergence."""
    from sklearn import config_context
    from sklearn.exceptions import ConvergenceWarning

    quiet = warnings.catch_warnings(action="ignore", category=ConvergenceWarning)
    with config_context(assume_finite=True, skip_parameter_validation=True), quiet:
        yield


@dataclass(eq=False)
class NearestMean(SimulationClassifier):
    """Classifier that predicts the class with the nearest mean (Euclidean distance); if two means are equally near, the first class.

    Examples
    --------
    >>> NearestMean().fit([[0.0], [2.0], [9.0]], ["low", "low", "high"]).predict([[4.0], [6.0]]).tolist()
    ['low', 'high']
    """

    def fit(self, X: Any, y: Any) -> Self:
        """Compute the mean of each class."""
        x = np.asarray(X, float)
        self._classes, codes, counts = np.unique(y, return_inverse=True, return_counts=True)
        own = codes[:, np.newaxis] == np.arange(len(counts))
        self._means = own.T.astype(float) @ x / counts[:, np.newaxis]
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class of the nearest mean."""
        return self._classes[_squared_distances(np.asarray(X, float), self._means).argmin(1)]


@dataclass(eq=False)
class Scaled(SimulationClassifier):
    """Estimator of scikit-learn with features scaled by the training set; if all training records have one class, it is predicted.

    Parameters
    ----------
    estimator : estimator
        Object with ``fit`` and ``predict``; the object itself is fitted, not a copy.
    to : {"standard", "unit"}
        Scaling to mean 0 and standard deviation 1, or to minimum 0 and maximum 1.  A constant feature becomes 0.

    Examples
    --------
    >>> from sklearn.svm import SVC
    >>> Scaled(SVC(kernel="linear"), "unit").fit([[0.0], [1.0], [8.0], [9.0]], [0, 0, 1, 1]).predict([[3.0], [6.0]]).tolist()
    [0, 1]
    """

    estimator: Any
    to: Literal["standard", "unit"]

    def fit(self, X: Any, y: Any) -> Self:
        """Scale the features, then fit the estimator."""
        x, y = np.asarray(X, float), np.asarray(y)
        self._at, self._by = (x.mean(0), x.std(0)) if self.to == "standard" else (x.min(0), np.ptp(x, 0))
        self._by = _nonzero_scale(self._by, x)
        self._alone = y[:1] if (y == y[0]).all() else None
        if self._alone is None:
            self.estimator.fit((x - self._at) / self._by, y)
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Scale the features in the same way, then predict with the estimator."""
        x = (np.asarray(X, float) - self._at) / self._by
        return np.repeat(self._alone, len(x)) if self._alone is not None else np.asarray(self.estimator.predict(x))


@dataclass(eq=False)
class TriangularNeighbours(SimulationClassifier):
    """Five nearest neighbours on standardized features; a neighbour at distance d has weight 1 - d/d_6 (d_6: distance of the sixth one).

    Neighbours at the same distance are ordered as in the training set; if several classes have the same weight, the first is predicted.

    Examples
    --------
    Six training records at 0, 1, 2, 3, 4 and 5: near 0 the weights are about 1, 4/5, 3/5, 2/5 and 1/5.

    >>> TriangularNeighbours().fit([[0.0], [1], [2], [3], [4], [5]], list("abbaab")).predict([[0.0]]).tolist()
    ['a']
    """

    def fit(self, X: Any, y: Any) -> Self:
        """Store the training records."""
        x = np.asarray(X, float)
        if len(x) <= NEIGHBOURS:
            reason = f"the record after the {NEIGHBOURS} nearest neighbours scales the distances"
            raise ValueError(f"`X` must have at least {NEIGHBOURS + 1} records, because {reason}; got {len(x)} records")
        self._by = _nonzero_scale(x.std(0), x)
        self._x = x / self._by
        self._classes, self._codes = np.unique(y, return_inverse=True)
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class with the largest weight."""
        squares = np.round(_squared_distances(np.asarray(X, float) / self._by, self._x), ROUNDING_DIGITS)
        near = squares.argsort(1, kind="stable")[:, : NEIGHBOURS + 1]
        distances = np.sqrt(np.take_along_axis(squares, near, 1))
        weights = 1 - np.clip(distances[:, :-1] / np.maximum(distances[:, -1:], TIE_TOLERANCE), TIE_TOLERANCE, 1 - TIE_TOLERANCE)
        votes = np.zeros((len(near), len(self._classes)))
        for k in range(NEIGHBOURS):
            votes[np.arange(len(near)), self._codes[near[:, k]]] += weights[:, k]
        return self._classes[np.round(votes, ROUNDING_DIGITS).argmax(1)]


def _squared_distances(a: Array, b: Array) -> Array:
    """Return squared Euclidean distances of each a to each b; the fixed order of the sum over features makes all machines round alike."""
    from scipy.spatial.distance import cdist

    return cdist(a, b, "sqeuclidean")


def _nonzero_scale(scale: Array, x: Array) -> Array:
    """Return scales for division; a feature that is constant up to rounding has scale 1."""
    scale[scale <= 1e-12 * np.abs(x).max(0)] = 1.0
    return scale
