"""Two learners that are equally good by symmetry, whatever learner they are made of: exchange their roles, and no law changes.

Each of these is an estimator that plays the role of A (0) or of B (1).  What is drawn in a training follows from `random_state` alone,
which both get alike on a split: the role decides which half, which seed, which side of the coin it takes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from copy import copy
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from ..comparing.model_evaluation import Model, check_model, short_repr, take_records
from ..comparing.splits import Split

MAX_SEED = 2**32 - 1  # the greatest seed that scikit-learn takes


@dataclass(eq=False)
class Role(ABC):
    """An estimator that plays one of two roles; scikit-learn need not be there to copy it."""

    learner: Model
    role: int
    random_state: Any = None

    said: ClassVar[str]

    def get_params(self, deep: bool = True) -> dict[str, Any]:  # noqa: ARG002
        """What a split decides."""
        return {"random_state": self.random_state}

    def set_params(self, **settings: Any) -> Self:
        """Take the seed of a split."""
        for name, value in settings.items():
            setattr(self, name, value)
        return self

    def __sklearn_clone__(self) -> Self:
        return copy(self)

    def fit(self, X: Any, y: Any) -> Self:
        """Train what the role trains, on what it trains on."""
        self._fitted = self._trained(X, np.asarray(y), np.random.default_rng([int(self.random_state or 0), 1]))
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """What it says."""
        found: NDArray[Any] = self._fitted.predict(X)
        return found

    @abstractmethod
    def _trained(self, X: Any, y: NDArray[Any], rng: np.random.Generator) -> Any:
        """The learner, fitted as the role has it."""

    @staticmethod
    def _fit(learner: Model, X: Any, y: NDArray[Any], seed: int) -> Any:
        return learner.seeded_copy(seed, _DUMMY_SPLIT).fit(X, y)


_DUMMY_SPLIT = Split(np.empty(0, np.int64), np.empty(0, np.int64), (0,), "a training")


class MirroredFeatures(Role):
    """The learner sees the first half of the features as A, the second as B; both halves follow the same law."""

    said = "each on its half of the features"

    def _half(self, X: Any) -> Any:
        half = X.shape[1] // 2
        return X[:, self.role * half : (self.role + 1) * half]

    def _trained(self, X: Any, y: NDArray[Any], rng: np.random.Generator) -> Any:
        return self._fit(self.learner, self._half(X), y, int(rng.integers(MAX_SEED)))

    def predict(self, X: Any) -> NDArray[Any]:
        """By its half of the features."""
        return super().predict(self._half(X))


class SeparateSeed(Role):
    """The same learner on the same records; A and B draw another seed each in every training."""

    said = "each with its own seed"

    def _trained(self, X: Any, y: NDArray[Any], rng: np.random.Generator) -> Any:
        return self._fit(self.learner, X, y, int(rng.integers(MAX_SEED, size=2)[self.role]))


class TrainingHalf(Role):
    """The same learner trains on one half of the training records as A, on the other as B: dealt by chance, class by class."""

    said = "each on its half of the training records"

    def _trained(self, X: Any, y: NDArray[Any], rng: np.random.Generator) -> Any:
        order = rng.permutation(len(y))
        order = order[np.argsort(y[order], kind="stable")]
        first = (self.role + int(rng.integers(2))) % 2  # who gets one more of a class of odd size
        seeds = rng.integers(MAX_SEED, size=2)
        mine = order[first::2]
        return self._fit(self.learner, take_records(X, mine), y[mine], int(seeds[self.role]))


@dataclass(eq=False)
class RandomRole(Role):
    """One learner trains as A and the other as B, or the other way round, as a coin falls in every training."""

    other: Model | None = None

    said: ClassVar[str] = "roles by a coin in every training"

    def _trained(self, X: Any, y: NDArray[Any], rng: np.random.Generator) -> Any:
        heads = (self.role + int(rng.integers(2))) % 2
        seed = int(rng.integers(MAX_SEED))
        return self._fit(self.other if heads and self.other else self.learner, X, y, seed)


class EqualPair(NamedTuple):
    """Two learners, the words for them, and whether they need records with mirrored features."""

    learners: tuple[Any, Any]
    said: str
    mirrored: bool = False
    leaning: bool = False


def mirrored(learner: Any) -> EqualPair:
    """One learner, seeing either half of the features: for records whose halves follow the same law."""
    return _equal_pair(MirroredFeatures, learner)


def seeds(learner: Any) -> EqualPair:
    """One learner with two seeds, which every training draws anew; it must depend on a seed, and leave it open.

    Raises
    ------
    ValueError
        For a learner without a parameter ``random_state`` that is None.
    """
    if not check_model(learner, "learner").unseeded_parameters:
        raise ValueError(f"learner must have a parameter random_state that is None, the seed that is drawn; got {short_repr(learner)}")
    return _equal_pair(SeparateSeed, learner)


def record_halves(learner: Any) -> EqualPair:
    """One learner, trained on either half of the training records."""
    return _equal_pair(TrainingHalf, learner)


def by_coin(one: Any, other: Any) -> EqualPair:
    """Two learners whose roles a coin exchanges in every training: as unstable as they are unlike."""
    a, b = check_model(one, "one"), check_model(other, "other")
    learners = tuple(RandomRole(a, role, other=b) for role in (0, 1))
    return EqualPair((learners[0], learners[1]), f"{short_repr(one)} and {short_repr(other)}, {RandomRole.said}")


def leaning(one: Any, other: Any) -> EqualPair:
    """Two learners that lean to either class, such as by mirrored priors: for records whose two classes mirror each other."""
    return EqualPair((one, other), f"{short_repr(one)} and {short_repr(other)}, leaning to either class", leaning=True)


def _equal_pair(kind: type[Role], learner: Any) -> EqualPair:
    one = check_model(learner, "learner")
    return EqualPair((kind(one, 0), kind(one, 1)), f"{short_repr(learner)}, {kind.said}", mirrored=kind is MirroredFeatures)
