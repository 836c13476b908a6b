"""Data source with two features for which H0 is true by symmetry, for any number of records and any class probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from ..comparing.splits import Split
from ..core.validation import check
from ..core.value_types import Array
from .batch_classifiers import BatchClassifier, Memo
from .data_sources import ErrorRates
from .training_sources import LabelledRecords, Trained


@dataclass(eq=False)
class OneFeature(BatchClassifier):
    """Linear discriminant analysis of two classes by one feature, from class means, class shares and common variance (divisor n - 2).

    Parameters
    ----------
    feature : int
        Index of the column.

    Examples
    --------
    >>> model = OneFeature(feature=1).fit([[9, 0.0], [9, 1.0], [9, 4.0], [9, 5.0]], ["low", "low", "high", "high"])
    >>> model.predict([[0, 1.5], [0, 3.5]]).tolist()
    ['low', 'high']
    """

    feature: int = 0

    def fit(self, X: Any, y: Any) -> Self:
        """Estimate means, shares, and the common variance."""
        x, self._names = np.asarray(X, float)[:, self.feature], np.unique(np.asarray(y))
        codes = self._encode_labels(self._names, np.asarray(y))
        self._line = _log_odds_line(np.ones((1, len(x))), x, codes)[:, 0]
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the second class if this class is more probable, otherwise the first class."""
        intercept, slope = self._line
        return self._names[(intercept + slope * np.asarray(X, float)[:, self.feature] > 0).astype(int) % len(self._names)]

    def predict_on_splits(self, X: Any, y: NDArray[Any], splits: Sequence[Split], memo: Memo) -> list[NDArray[Any]]:  # noqa: ARG002
        """Return the predictions for the test set of each split."""
        x, names = np.asarray(X, float)[:, self.feature], np.unique(y)
        times = np.array([np.bincount(split.train, minlength=len(x)) for split in splits], float)
        intercept, slope = _log_odds_line(times, x, self._encode_labels(names, y))
        return [names[(intercept[k] + slope[k] * x[split.test] > 0).astype(int) % len(names)] for k, split in enumerate(splits)]

    @staticmethod
    def _encode_labels(names: NDArray[Any], y: NDArray[Any]) -> Array:
        if len(names) > 2:
            raise ValueError(f"OneFeature needs at most two classes; got {len(names)} classes")
        return (y == names[-1]).astype(float)


def _log_odds_line(times: Array, x: Array, codes: Array) -> Array:
    """Return intercept and slope of the log odds of the second class, for each row of training counts; shape (2, rows).

    If a class has no record, the other class is predicted.  If no class has any variance, the class with the nearer mean is predicted.
    """
    ones, zeros = times @ codes, times @ (1 - codes)
    both = (ones > 0) & (zeros > 0)
    n0, n1 = np.maximum(zeros, 1), np.maximum(ones, 1)
    mean0, mean1 = times @ (x * (1 - codes)) / n0, times @ (x * codes) / n1
    spread = times @ x**2 - zeros * mean0**2 - ones * mean1**2
    variance = np.maximum(spread, 0.0) / np.maximum(ones + zeros - 2, 1)
    # replace a variance of 0 by a tiny one: then the nearer mean determines the class, for any shares of the classes
    variance = np.where(variance > 0, variance, 1e-12)
    slope = np.where(both, (mean1 - mean0) / variance, 0.0)
    odds = np.log(n1 / n0)
    intercept = np.where(both, odds - slope * (mean0 + mean1) / 2, np.where(ones > 0, 1.0, -1.0))
    return np.array([intercept, slope])


_FIRST, _SECOND = OneFeature(0), OneFeature(1)


@dataclass(frozen=True)
class TwoFeatures(Trained):
    """Two classes that differ equally in two features: A sees only the first feature, B sees only the second feature.

    An exchange of the features exchanges the learners and does not change the distribution of the data.  Therefore both learners are
    equally good after any training, and H0 is true for any number of records and any share of the classes.

    Parameters
    ----------
    n : int
        Number of records.
    share : float
        Probability of the second class, between 0 and 1.
    apart : float
        Distance of the class means along each feature, in standard deviations.

    Examples
    --------
    >>> rates = TwoFeatures(n=100, apart=2.0).true_error_rates(50)
    >>> abs(rates.difference) < 0.01, 0.15 < rates.a < 0.18
    (True, True)
    """

    n: int = 100
    share: float = 0.5
    apart: float = 1.2

    def __post_init__(self) -> None:
        check.count(2)(self.n, "n")
        check.level(self.share, "share")
        if not np.isfinite(self.apart):
            raise ValueError(f"apart must be a number; got {self.apart!r}")

    @property
    def learners(self) -> tuple[OneFeature, OneFeature]:
        """A learner of the first feature, and a learner of the second feature."""
        return _FIRST, _SECOND

    def draw(self, rng: np.random.Generator, repetitions: int, n: int | None = None) -> list[LabelledRecords]:
        """Draw classes, then both features."""
        y = (rng.random((repetitions, n or self.n)) < self.share).astype(np.int64)
        x = rng.normal(size=(*y.shape, 2)) + self.apart * y[..., np.newaxis]
        return list(zip(x, y, strict=True))

    def true_error_rates(self, data_sets: int = 1000, *, rng: int = 0, n: int | None = None) -> ErrorRates:
        """Return error rates on new records after training on n records, by the normal distribution of each class."""
        size, count = int(check.count(1)(self.n if n is None else n, "n")), int(check.count(2)(data_sets, "data_sets"))
        errors = np.empty((2, count))
        for r, (x, y) in enumerate(self.draw(np.random.default_rng(rng), count, size)):
            for k in (0, 1):
                intercept, slope = (
                    _log_odds_line(np.ones((1, size)), x[:, k], y.astype(float))[:, 0]
                    if len(set(y.tolist())) > 1
                    else (2.0 * y[0] - 1, 0.0)
                )
                cut, up = (-intercept / slope, np.sign(slope)) if slope else (-np.inf if intercept > 0 else np.inf, 1.0)
                predicts_one = [float(ndtr(up * (mean - cut))) for mean in (0.0, self.apart)]
                errors[k, r] = (1 - self.share) * predicts_one[0] + self.share * (1 - predicts_one[1])
        return ErrorRates.of(errors[0], errors[1], size)
