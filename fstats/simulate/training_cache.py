"""One data set on the bench: learners are trained on the splits of a plan, each once, and what they got right becomes scores."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from ..comparing.model_evaluation import Model, TrainingData, check_model, correct_predictions, fit_and_check_predictions
from ..comparing.splits import Records, Split, splits
from ..core.value_types import Array
from ..procedures.resampling.split_plans.split_plan import Plan
from ..procedures.resampling.split_scores.split_scores import DIVISIONS, REPLICATES, Scores
from . import fast_decision_trees

Seed = np.random.SeedSequence


def child_seed(seed: Seed, *key: int) -> Seed:
    """A seed that follows from another."""
    return Seed(seed.entropy, spawn_key=(*seed.spawn_key, *key))


class LearnerFailed(ValueError):
    """A learner that raised on a split, or predicted what is no class."""


@dataclass(frozen=True, eq=False, repr=False)
class TrainedScores(Scores):
    """Scores of many data sets, and on which of them a learner failed: there they stand for nothing."""

    failures: Mapping[int, str] = field(default_factory=dict)


class TrainingCache:
    """One data set, with what has been trained on it so far: sources that share a learner share its training.

    Parameters
    ----------
    X, y : array_like
        The records and their classes.
    seed : numpy SeedSequence
        Where the splits of each plan come from, whatever other plans there are: :meth:`rng` of a plan is the seed with which
        :func:`fstats.scores_on` finds the same scores.
    classes : frozenset, optional
        The classes of the population, of which a small data set may lack one; by default those that are there.
    """

    def __init__(self, X: Any, y: Any, seed: Seed, classes: frozenset[Any] = frozenset()) -> None:
        self.X, self.y, self.seed = X, np.asarray(y), seed
        self.classes = classes or frozenset(self.y.tolist())
        self.known: dict[Any, Any] = {}

    def rng(self, plan: Plan) -> int:
        """The seed of the splits of a plan."""
        return int(child_seed(self.seed, crc32(repr(plan).encode())).generate_state(1)[0])

    def splits(self, plan: Plan, part: str) -> list[Split]:
        """The splits of a plan, or the further ones that a test needs (halves, replicates)."""
        if (plan, part) not in self.known:
            records = Records(len(self.y), self.y, None, False, self.rng(plan), None, REPLICATES)
            self.known[plan, part] = list(splits(plan, part, records))
        found: list[Split] = self.known[plan, part]
        return found

    def right(self, learner: Any, plan: Plan, part: str) -> NDArray[np.bool]:
        """Whether a learner is right on each record of each test set, one after the other."""
        key = id(learner), plan, part  # the source that asks holds the learner
        if key not in self.known:
            self.known[key] = np.concatenate(self._judged(_model(learner), self.splits(plan, part), self.rng(plan)))
        found: NDArray[np.bool] = self.known[key]
        return found

    def _judged(self, one: Model, all_splits: Sequence[Split], rng: int) -> list[NDArray[np.bool]]:
        try:
            if hasattr(one.estimator, "on_splits"):
                said = one.estimator.on_splits(self.X, self.y, all_splits, self.known)
            elif fast_decision_trees.is_supported_tree(one.estimator, self.X):
                said = fast_decision_trees.predict_on_splits(one, self.X, self.y, all_splits, rng)
            else:
                data = TrainingData(self.y, self.y, self.classes, rng, None, None)
                return [fit_and_check_predictions(one, self.X, data, split) for split in all_splits]
            return [
                correct_predictions(labels, self.y[split.test], self.classes, one, split)
                for labels, split in zip(said, all_splits, strict=True)
            ]
        except (ValueError, TypeError) as error:
            raise LearnerFailed(str(error)) from error

    def scores(self, plan: Plan, needs: Collection[str], learner_a: Any, learner_b: Any) -> Scores:
        """What two learners score on the splits of a plan, as :func:`fstats.scores_on` finds it."""
        a, b = (self.right(learner, plan, "splits") for learner in (learner_a, learner_b))
        made = self.splits(plan, "splits")
        tested = np.array([len(split.test) for split in made])
        n_a, n_b, both = (_correct_counts(x, tested) for x in (a, b, a & b))
        found: dict[str, Any] = {
            "n_train": _reshape_to_plan([len(split.train) for split in made], plan),
            "n_test": _reshape_to_plan(tested, plan),
        }
        if "tables" in needs:
            found["tables"] = np.stack([tested - n_a - n_b + both, n_b - both, n_a - both, both], -1).reshape(*plan.shape, 2, 2)
        if "record_difference" in needs:
            difference, fold, where = np.empty(len(self.y)), np.empty(len(self.y)), np.concatenate([split.test for split in made])
            difference[where], fold[where] = a.astype(float) - b, np.repeat(np.arange(1.0, len(made) + 1), tested)
            found |= {"record_difference": difference, "record_fold": fold}
        if "halves" in needs:
            found["halves"] = self._differences(plan, "halves", learner_a, learner_b).reshape(DIVISIONS, plan.splits, 2).mean(1)
        if "replicates" in needs:
            found["replicates"] = self._differences(plan, "replicates", learner_a, learner_b).reshape(*plan.shape, -1)
        return Scores(plan, _reshape_to_plan(n_a / tested, plan), _reshape_to_plan(n_b / tested, plan), **found)

    def _differences(self, plan: Plan, part: str, learner_a: Any, learner_b: Any) -> Array:
        """Score of A less score of B on each of the further splits."""
        tested = np.array([len(split.test) for split in self.splits(plan, part)])
        a, b = (_correct_counts(self.right(learner, plan, part), tested) / tested for learner in (learner_a, learner_b))
        return a - b


def _model(learner: Any) -> Model:
    """A learner as :func:`fstats.compare` takes it."""
    return check_model(learner, type(learner).__name__)


def _correct_counts(right_: NDArray[np.bool], tested: NDArray[np.int64]) -> Array:
    """Right records of each test set."""
    return np.add.reduceat(right_.astype(float), np.concatenate([[0], np.cumsum(tested)[:-1]]))


def _reshape_to_plan(values: Any, plan: Plan) -> Array:
    return np.asarray(values, float).reshape(plan.shape)


def stack_scores(plan: Plan, needs: Collection[str], found: Sequence[Scores | str], n: int) -> TrainedScores:
    """The scores of many data sets as one batch; where a learner failed, its words are kept and two perfect models fill the place."""
    failures = {r: one for r, one in enumerate(found) if isinstance(one, str)}
    rows = [_perfect_scores(plan, needs, n) if isinstance(one, str) else one for one in found]
    parts = {one.name for one in fields(Scores)} - {"plan", "n_train", "n_test", "labels"}
    batch: dict[str, Any] = {
        name: np.stack([getattr(row, name) for row in rows], -1) for name in parts if getattr(rows[0], name) is not None
    }
    return TrainedScores(plan, n_train=rows[0].n_train, n_test=rows[0].n_test, failures=failures, **batch)


def _perfect_scores(plan: Plan, needs: Collection[str], n: int) -> Scores:
    tested = _reshape_to_plan([len(places) for _, places in plan.test_positions(n)], plan)
    tables = np.zeros((*plan.shape, 2, 2))
    tables[..., 1, 1] = tested
    parts: dict[str, Any] = {
        "tables": tables,
        "record_difference": np.zeros(n),
        "record_fold": np.repeat(np.arange(1.0, plan.splits + 1), tested.astype(int).ravel())[:n],
        "halves": np.zeros((DIVISIONS, 2)),
        "replicates": np.zeros((*plan.shape, REPLICATES)),
    }
    wanted = {*needs} | ({"record_fold"} if "record_difference" in needs else set())
    return Scores(
        plan,
        np.ones(plan.shape),
        np.ones(plan.shape),
        n_train=n - tested,
        n_test=tested,
        **{name: parts[name] for name in parts if name in wanted},
    )
