"""Data source with two features for which H0 is true.

H0 is true by symmetry, for any number of records and class probabilities.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from ..core.validation import check
from ..core.value_types import Array
from .data_sources import ErrorRates
from .simulation_classifiers import SimulationClassifier
from .training_sources import LabelledRecords, Trained


@dataclass(eq=False)
class OneFeature(SimulationClassifier):
    """Linear discriminant analysis of two classes by one feature, with class means, class frequencies and common variance (divisor n - 2).

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
        self._names = np.unique(np.asarray(y))
        if len(self._names) > 2:
            raise ValueError(f"OneFeature needs at most two classes; got {len(self._names)} classes")
        self._line = _log_odds_line(np.asarray(X, float)[:, self.feature], np.asarray(y) == self._names[-1])
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the second class if this class is more probable, otherwise the first class."""
        intercept, slope = self._line
        return self._names[(intercept + slope * np.asarray(X, float)[:, self.feature] > 0).astype(int) % len(self._names)]


def _log_odds_line(x: Array, is_second: NDArray[np.bool]) -> tuple[float, float]:
    """Return intercept and slope of the log odds of the second class.

    If a class has no record, predict the other class.  If the variance is 0 in both classes, predict the class with the nearer mean.
    """
    if is_second.all() or not is_second.any():
        return (1.0 if is_second.all() else -1.0), 0.0
    first, second = x[~is_second], x[is_second]
    squares = ((first - first.mean()) ** 2).sum() + ((second - second.mean()) ** 2).sum()
    # replace 0 by a tiny variance: then the nearer mean determines the class, and the class frequencies have no effect
    variance = squares / max(len(x) - 2, 1) or 1e-12
    slope = (second.mean() - first.mean()) / variance
    return float(np.log(len(second) / len(first)) - slope * (first.mean() + second.mean()) / 2), float(slope)


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
            raise ValueError(f"`apart` must be a number; got {self.apart!r}")

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
                intercept, slope = _log_odds_line(x[:, k], y == 1)
                cut, up = (-intercept / slope, np.sign(slope)) if slope else (-np.inf if intercept > 0 else np.inf, 1.0)
                predicts_one = [float(ndtr(up * (mean - cut))) for mean in (0.0, self.apart)]
                errors[k, r] = (1 - self.share) * predicts_one[0] + self.share * (1 - predicts_one[1])
        return ErrorRates.of(errors[0], errors[1], size)
