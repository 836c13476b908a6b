"""Sources on which H0 is true exactly, by symmetry, for any learner: every rejection there is a false alarm."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from ..core.validation import check
from .batch_classifiers import BatchClassifier
from .data_sources import ErrorRates
from .symmetric_pairs import EqualPair
from .training_sources import LabelledRecords, Trained, error_rate


class RecordLaw(Protocol):
    """Draws records with their classes; its ``repr`` names its settings."""

    def draw(self, rng: np.random.Generator, n: int, mirrored: bool) -> LabelledRecords:
        """So many records; mirrored ones have every feature twice, two draws that are independent in each class."""

    @property
    def classes(self) -> frozenset[Any]:
        """All classes, of which a data set may lack one."""


DEFAULT_SETTINGS = {"spread": 1.0, "tails": np.inf}


@dataclass(frozen=True, repr=False)
class NormalClasses:
    """Classes that are normal around their means, with variance 1, and labels of which a share is wrong.

    Two classes lie on either side of 0, so that they mirror each other; more have their means drawn once and for all.

    Parameters
    ----------
    features : int
        How many features a learner sees.
    count : int
        How many classes.
    share : float
        Of the last class; the others are equally frequent.
    apart : float
        Distance of two means, of more than two classes the typical one.
    noise : float
        Share of the labels that are drawn anew, from all classes alike.
    spread : float
        Standard deviation of the last class; that of the others is 1.
    tails : float
        Degrees of freedom of Student's t, which features follow around their means: infinite is normal, few are heavy tails.
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
        """0, 1, ..."""
        return frozenset(range(self.count))

    @cached_property
    def means(self) -> NDArray[np.float64]:
        """The mean of each class, shape (count, features)."""
        if self.count == 2:
            along = np.full(self.features, self.apart / 2 / np.sqrt(self.features))
            return np.array([-along, along])
        return np.random.default_rng(1).normal(size=(self.count, self.features)) * self.apart / np.sqrt(2 * self.features)

    def __repr__(self) -> str:
        """Its settings; the later ones only where they are not the usual ones, so that what was stored is still recognized."""
        told = (
            "features",
            "count",
            "share",
            "apart",
            "noise",
            *(name for name, usual in DEFAULT_SETTINGS.items() if getattr(self, name) != usual),
        )
        return f"NormalClasses({', '.join(f'{name}={getattr(self, name)!r}' for name in told)})"

    def _around(self, rng: np.random.Generator, y: NDArray[np.int64]) -> NDArray[np.float64]:
        """How far each feature lies from its mean."""
        size = (len(y), self.features)
        drawn = rng.normal(size=size) if self.tails == np.inf else rng.standard_t(self.tails, size=size)
        return drawn * np.where(y == self.count - 1, self.spread, 1.0)[:, np.newaxis]

    def draw(self, rng: np.random.Generator, n: int, mirrored: bool) -> LabelledRecords:
        """Classes, features, then noise."""
        chances = np.r_[np.full(self.count - 1, (1 - self.share) / (self.count - 1)), self.share]
        y = rng.choice(self.count, size=n, p=chances)
        halves = [self.means[y] + self._around(rng, y) for _ in range(1 + mirrored)]
        wrong = rng.random(n) < self.noise
        return np.hstack(halves), np.where(wrong, rng.integers(self.count, size=n), y)


@dataclass(frozen=True)
class Rules:
    """Fair classes, and a feature for each of several rules: what it says, right with a probability of its own.

    Parameters
    ----------
    accuracies : tuple of float
        How often each rule is right.
    """

    accuracies: tuple[float, ...] = (0.8, 0.7)
    classes: ClassVar[frozenset[Any]] = frozenset((0, 1))

    def draw(self, rng: np.random.Generator, n: int, mirrored: bool) -> LabelledRecords:  # noqa: ARG002
        """Classes, then what the rules say."""
        y = rng.integers(2, size=n)
        wrong = rng.random((n, len(self.accuracies))) >= self.accuracies
        return np.where(wrong, 1 - y[:, np.newaxis], y[:, np.newaxis]), y


@dataclass(eq=False)
class OneRule(BatchClassifier):
    """Says what one feature says, whatever it was trained on."""

    feature: int = 0

    def fit(self, X: Any, y: Any) -> Self:  # noqa: ARG002
        """Learn nothing."""
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """The feature."""
        found: NDArray[Any] = X[:, self.feature]
        return found


@dataclass(frozen=True, eq=False)
class DrawnRecords:
    """Records drawn with replacement from a table of them."""

    x: Any = field(repr=False)
    y: Any = field(repr=False)
    name: str = "records"

    @cached_property
    def classes(self) -> frozenset[Any]:
        """Those of the table."""
        return frozenset(np.asarray(self.y).tolist())

    def draw(self, rng: np.random.Generator, n: int, mirrored: bool) -> LabelledRecords:
        """Some of them, perhaps one twice."""
        if mirrored:
            raise ValueError("records from a table have no mirrored features: take seeds, halves of the records, or roles by a coin")
        chosen = rng.integers(len(self.y), size=n)
        return self.x[chosen], np.asarray(self.y)[chosen]


@dataclass(frozen=True, eq=False, repr=False)
class Symmetric(Trained):
    """Two learners that are equally good by symmetry, on data sets drawn from a law.

    Parameters
    ----------
    pair : EqualPair
        The learners: :func:`fstats.simulate.mirrored` and its likes make them of any estimator.
    law : NormalClasses or DrawnRecords
        Where the records come from.
    n : int
        Records in each data set.

    Raises
    ------
    ValueError
        For a pair whose symmetry the law does not have.

    Examples
    --------
    Two seeds, and nothing else: a forest of one tree on noise.

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
            raise ValueError(
                f"learners that lean to either class are equally good where two classes of equal share mirror each other; got {self.law!r}"
            )

    def __repr__(self) -> str:
        return f"Symmetric({self.pair.said}; {self.law!r}, n={self.n})"

    @cached_property
    def classes(self) -> frozenset[Any]:  # type: ignore[override]
        """All classes of the law."""
        found: frozenset[Any] = self.law.classes
        return found

    @property
    def learners(self) -> tuple[Any, Any]:
        """A and B."""
        return self.pair.learners

    def draw(self, rng: np.random.Generator, repetitions: int, n: int | None = None) -> list[LabelledRecords]:
        """Data sets, one after the other."""
        return [self.law.draw(rng, n or self.n, self.pair.mirrored) for _ in range(repetitions)]

    def true_error_rates(self, data_sets: int = 1000, *, rng: int = 0, n: int | None = None) -> ErrorRates:
        """After training on n records, on ten thousand new ones; that they are equal is known without it."""
        size, draws = int(check.count(1)(self.n if n is None else n, "n")), np.random.default_rng(rng)
        (new,) = self.draw(draws, 1, 10_000)
        drawn = self.draw(draws, int(check.count(2)(data_sets, "data_sets")), size)
        a, b = zip(*([error_rate(one, new, data, k) for one in self.learners] for k, data in enumerate(drawn)))
        return ErrorRates.of(a, b, size)
