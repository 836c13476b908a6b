"""Pairs of learners that are equally good by symmetry.

All distributions stay the same if the learners exchange roles.

Each learner is an estimator in the role of A (0) or of B (1).  Random draws of a training depend only on `random_state`, which is the
same for both estimators on a split.  The role determines which half, which seed, or which side of the coin the estimator takes.
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
from .simulation_classifiers import SimulationClassifier

MAX_SEED = 2**32 - 1  # largest seed that scikit-learn accepts


@dataclass(eq=False)
class Role(SimulationClassifier, ABC):
    """An estimator in role A or role B, which can be copied without scikit-learn."""

    learner: Model
    role: int
    random_state: Any = None

    description: ClassVar[str]

    def get_params(self, deep: bool = True) -> dict[str, Any]:  # noqa: ARG002
        """Return the settings that depend on the split; the two roles of a comparison have the same settings."""
        return {"random_state": self.random_state}

    def __sklearn_clone__(self) -> Self:
        return copy(self)

    def fit(self, X: Any, y: Any) -> Self:
        """Train the learner according to its role."""
        self._fitted = self._fit_role(X, np.asarray(y), np.random.default_rng([int(self.random_state or 0), 1]))
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the predictions of the trained learner."""
        predicted: NDArray[Any] = self._fitted.predict(X)
        return predicted

    @abstractmethod
    def _fit_role(self, X: Any, y: NDArray[Any], rng: np.random.Generator) -> Any:
        """Return the learner after it is fitted according to its role."""

    @staticmethod
    def _fit(learner: Model, X: Any, y: NDArray[Any], seed: int) -> Any:
        return learner.seeded_copy(seed, _DUMMY_SPLIT).fit(X, y)


_DUMMY_SPLIT = Split(np.empty(0, np.int64), np.empty(0, np.int64), (0,), "a training")


class MirroredFeatures(Role):
    """The learner sees the first half of the features in role A, the second half in role B; both halves have the same distribution."""

    description = "each on its half of the features"

    def _half(self, X: Any) -> Any:
        half = X.shape[1] // 2
        return X[:, self.role * half : (self.role + 1) * half]

    def _fit_role(self, X: Any, y: NDArray[Any], rng: np.random.Generator) -> Any:
        return self._fit(self.learner, self._half(X), y, int(rng.integers(MAX_SEED)))

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the predictions from the half of the features that belongs to the role."""
        return super().predict(self._half(X))


class SeparateSeed(Role):
    """The same learner on the same records; A and B draw different seeds in every training."""

    description = "each with its own seed"

    def _fit_role(self, X: Any, y: NDArray[Any], rng: np.random.Generator) -> Any:
        return self._fit(self.learner, X, y, int(rng.integers(MAX_SEED, size=2)[self.role]))


class TrainingHalf(Role):
    """One learner trains on one half of the training records as A and on the other half as B; each class is halved at random."""

    description = "each on its half of the training records"

    def _fit_role(self, X: Any, y: NDArray[Any], rng: np.random.Generator) -> Any:
        order = rng.permutation(len(y))
        order = order[np.argsort(y[order], kind="stable")]
        # index of the half on which the learner is trained; random, because half 0 is larger if the number of records is odd
        first = (self.role + int(rng.integers(2))) % 2
        seeds = rng.integers(MAX_SEED, size=2)
        half = order[first::2]
        return self._fit(self.learner, take_records(X, half), y[half], int(seeds[self.role]))


@dataclass(eq=False)
class RandomRole(Role):
    """Two learners whose roles A and B are assigned at random (by a coin toss) in every training."""

    other: Model | None = None

    description: ClassVar[str] = "roles by a coin in every training"

    def _fit_role(self, X: Any, y: NDArray[Any], rng: np.random.Generator) -> Any:
        heads = (self.role + int(rng.integers(2))) % 2
        seed = int(rng.integers(MAX_SEED))
        return self._fit(self.other if heads and self.other else self.learner, X, y, seed)


class EqualPair(NamedTuple):
    """Two learners, their description, and the symmetry that the records must have."""

    learners: tuple[Any, Any]
    description: str
    mirrored: bool = False
    leaning: bool = False


def mirrored(learner: Any) -> EqualPair:
    """Return one learner on each half of the features; the two halves must have the same distribution."""
    return _equal_pair(MirroredFeatures, learner)


def seeds(learner: Any) -> EqualPair:
    """Return one learner with two seeds, drawn in every training; the seed of the learner must not be set.

    Raises
    ------
    ValueError
        If the learner has no parameter ``random_state``, or its value is not None.
    """
    if not check_model(learner, "learner").unseeded_parameters:
        raise ValueError(f"`learner` must have random_state=None, so that its seed can be drawn; got {short_repr(learner)}")
    return _equal_pair(SeparateSeed, learner)


def record_halves(learner: Any) -> EqualPair:
    """Return a pair: one learner, trained on each half of the training records."""
    return _equal_pair(TrainingHalf, learner)


def by_coin(one: Any, other: Any) -> EqualPair:
    """Return two learners with random roles in every training; the more the learners differ, the less stable is the training."""
    a, b = check_model(one, "one"), check_model(other, "other")
    learners = tuple(RandomRole(a, role, other=b) for role in (0, 1))
    return EqualPair((learners[0], learners[1]), f"{short_repr(one)} and {short_repr(other)}, {RandomRole.description}")


def leaning(one: Any, other: Any) -> EqualPair:
    """Return two learners that prefer opposite classes, for example by mirrored priors; the two classes of the records must be mirrored."""
    return EqualPair((one, other), f"{short_repr(one)} and {short_repr(other)}, leaning to either class", leaning=True)


def _equal_pair(kind: type[Role], learner: Any) -> EqualPair:
    model = check_model(learner, "learner")
    text = f"{short_repr(learner)}, {kind.description}"
    return EqualPair((kind(model, 0), kind(model, 1)), text, mirrored=kind is MirroredFeatures)
