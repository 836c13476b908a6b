"""Data sources for which H0 is exactly true.

Any two learners are equally good on them, by symmetry.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from ..core.validation import check
from .data_sources import ErrorRates
from .simulation_classifiers import SimulationClassifier
from .symmetric_pairs import EqualPair
from .training_sources import LabelledRecords, Trained, error_rate

DEFAULT_SETTINGS = {"spread": 1.0, "tails": np.inf}


@dataclass(frozen=True, repr=False)
class NormalClasses:
    """Normal classes with variance 1, and a share of wrong labels.

    Two classes lie symmetrically around 0; the means of more than two classes are random, but the same for each object.

    Parameters
    ----------
    features : int
        Number of features that a learner sees.
    count : int
        Number of classes.
    share : float
        Probability of the last class; the other classes are equally probable.
    apart : float
        Distance of two means; for more than two classes, the typical distance.
    noise : float
        Share of the labels that are replaced by random labels; all classes are equally probable.
    spread : float
        Standard deviation of the last class; the other classes have standard deviation 1.
    tails : float
        Degrees of freedom of Student's t distribution of the features around their means: infinity gives the normal distribution, small
        numbers give heavy tails.
    """

    features: int = 10
    count: int = 2
    share: float = 0.5
    apart: float = 2.0
    noise: float = 0.0
    spread: float = 1.0
    tails: float = np.inf

    def __post_init__(self) -> None:
        check.count(1)(self.features, "features")
        check.count(2)(self.count, "count")
        check.level(self.share, "share")

    @cached_property
    def classes(self) -> frozenset[Any]:
        """All classes: 0, 1, ..."""
        return frozenset(range(self.count))

    @cached_property
    def means(self) -> NDArray[np.float64]:
        """Mean of each class, shape (count, features)."""
        if self.count == 2:
            mean = np.full(self.features, self.apart / 2 / np.sqrt(self.features))
            return np.array([-mean, mean])
        return np.random.default_rng(1).normal(size=(self.count, self.features)) * self.apart / np.sqrt(2 * self.features)

    def __repr__(self) -> str:
        """Return the settings as text; omit newer settings with default values, so that older stored results are still recognized."""
        changed = [name for name, default in DEFAULT_SETTINGS.items() if getattr(self, name) != default]
        names = ["features", "count", "share", "apart", "noise", *changed]
        return f"NormalClasses({', '.join(f'{name}={getattr(self, name)!r}' for name in names)})"

    def _deviations(self, rng: np.random.Generator, y: NDArray[np.int64]) -> NDArray[np.float64]:
        """Draw the deviations of the features from their means."""
        size = (len(y), self.features)
        drawn = rng.normal(size=size) if self.tails == np.inf else rng.standard_t(self.tails, size=size)
        return drawn * np.where(y == self.count - 1, self.spread, 1.0)[:, np.newaxis]

    def draw(self, rng: np.random.Generator, n: int, mirrored: bool) -> LabelledRecords:
        """Draw classes, features, then noise."""
        probabilities = np.r_[np.full(self.count - 1, (1 - self.share) / (self.count - 1)), self.share]
        y = rng.choice(self.count, size=n, p=probabilities)
        halves = [self.means[y] + self._deviations(rng, y) for _ in range(1 + mirrored)]
        return np.hstack(halves), np.where(rng.random(n) < self.noise, rng.integers(self.count, size=n), y)


@dataclass(frozen=True)
class Rules:
    """Two equally probable classes; each feature is the prediction of a rule that is right with a given probability.

    Parameters
    ----------
    accuracies : tuple of float
        Probability that each rule is right.
    """

    accuracies: tuple[float, ...] = (0.8, 0.7)
    classes: ClassVar[frozenset[Any]] = frozenset((0, 1))

    def draw(self, rng: np.random.Generator, n: int, mirrored: bool) -> LabelledRecords:  # noqa: ARG002
        """Draw classes, then the predictions of the rules."""
        y = rng.integers(2, size=n)
        wrong = rng.random((n, len(self.accuracies))) >= self.accuracies
        return np.where(wrong, 1 - y[:, np.newaxis], y[:, np.newaxis]), y


@dataclass(eq=False)
class OneRule(SimulationClassifier):
    """Predict the value of one feature; the training set has no effect."""

    feature: int = 0

    def fit(self, X: Any, y: Any) -> Self:  # noqa: ARG002
        """Learn nothing."""
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the values of the feature."""
        predicted: NDArray[Any] = X[:, self.feature]
        return predicted


@dataclass(frozen=True, eq=False)
class DrawnRecords:
    """Records drawn with replacement from a table."""

    x: Any = field(repr=False)
    y: Any = field(repr=False)
    name: str = "records"

    @cached_property
    def classes(self) -> frozenset[Any]:
        """All classes of the table."""
        return frozenset(np.asarray(self.y).tolist())

    def draw(self, rng: np.random.Generator, n: int, mirrored: bool) -> LabelledRecords:
        """Draw records with replacement."""
        if mirrored:
            remedy = "Use two learners that differ in their seeds, in their halves of the records, or by exchange at random."
            raise ValueError(f"a source of records from a table has no mirrored features. {remedy}")
        chosen = rng.integers(len(self.y), size=n)
        return self.x[chosen], np.asarray(self.y)[chosen]


@dataclass(frozen=True, eq=False, repr=False)
class Symmetric(Trained):
    """Two learners that are equally good by symmetry, on data sets drawn from a distribution.

    Parameters
    ----------
    pair : EqualPair
        The learners; :func:`fstats.simulate.mirrored` and similar functions make them from any estimator.
    law : NormalClasses or DrawnRecords
        Distribution of the records.
    n : int
        Number of records in each data set.

    Raises
    ------
    ValueError
        If the pair needs a symmetry that the distribution does not have.

    Examples
    --------
    A forest of one tree on pure noise, with two seeds:

    >>> from sklearn.ensemble import RandomForestClassifier
    >>> from fstats.simulate import NormalClasses, Symmetric, seeds
    >>> source = Symmetric(seeds(RandomForestClassifier(1)), NormalClasses(features=2, apart=0.0), n=40)
    >>> (x, y), = source.draw(np.random.default_rng(0), 1)
    >>> x.shape, sorted(set(y.tolist()))
    ((40, 2), [0, 1])
    """

    pair: EqualPair
    law: Any
    n: int = 300

    def __post_init__(self) -> None:
        check.count(2)(self.n, "n")
        mirror = isinstance(self.law, NormalClasses) and (self.law.count, self.law.share, self.law.spread) == (2, 0.5, 1)
        if self.pair.leaning and not mirror:
            reason = "otherwise two learners that each prefer one class are not equally good"
            raise ValueError(f"the source must have two classes of equal size that mirror each other; got {self.law!r}: {reason}")

    def __repr__(self) -> str:
        return f"Symmetric({self.pair.description}; {self.law!r}, n={self.n})"

    @cached_property
    def classes(self) -> frozenset[Any]:  # type: ignore[override]
        """All classes of the distribution."""
        classes: frozenset[Any] = self.law.classes
        return classes

    @property
    def learners(self) -> tuple[Any, Any]:
        """The learners A and B."""
        return self.pair.learners

    def draw(self, rng: np.random.Generator, repetitions: int, n: int | None = None) -> list[LabelledRecords]:
        """Draw the data sets one after the other."""
        return [self.law.draw(rng, n or self.n, self.pair.mirrored) for _ in range(repetitions)]

    def true_error_rates(self, data_sets: int = 1000, *, rng: int = 0, n: int | None = None) -> ErrorRates:
        """Estimate the (equal) error rates of both learners after training on n records, with ten thousand new records."""
        size, draws = int(check.count(1)(self.n if n is None else n, "n")), np.random.default_rng(rng)
        (new,) = self.draw(draws, 1, 10_000)
        drawn = self.draw(draws, int(check.count(2)(data_sets, "data_sets")), size)
        a, b = zip(*([error_rate(learner, new, data, k) for learner in self.learners] for k, data in enumerate(drawn)))
        return ErrorRates.of(a, b, size)
