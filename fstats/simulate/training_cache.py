"""Cache of trained models on a data set.

Each learner is trained once on each split, and its right predictions are kept.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from ..comparing.model_evaluation import Model, TrainingData, check_model, fit_and_check_predictions
from ..comparing.splits import Records, Split, splits
from ..core.value_types import Array
from ..procedures.resampling.split_plans.split_plan import Plan
from ..procedures.resampling.split_scores.split_scores import DIVISIONS, REPLICATES, Scores

Seed = np.random.SeedSequence


def child_seed(seed: Seed, *key: int) -> Seed:
    """Return a seed derived from another seed."""
    return Seed(seed.entropy, spawn_key=(*seed.spawn_key, *key))


class LearnerFailed(ValueError):
    """Error of a learner that failed on a split, or predicted a label that is not a class."""


@dataclass(frozen=True, eq=False, repr=False)
class TrainedScores(Scores):
    """Scores of many data sets, with the failures of learners; scores of a failed data set are meaningless."""

    failures: Mapping[int, str] = field(default_factory=dict)


class TrainingCache:
    """One data set with all earlier trainings on this data set; sources that share a learner share its trainings.

    Parameters
    ----------
    X, y : array_like
        The records and their classes.
    seed : numpy SeedSequence
        Seed of the splits; each plan has its own seed, independent of other plans.  :meth:`rng` of a plan is the seed with which
        :func:`fstats.scores_on` gives the same scores.
    classes : frozenset, optional
        All classes of the population (a small data set may lack one); by default the classes in y.
    """

    def __init__(self, X: Any, y: Any, seed: Seed, classes: frozenset[Any] = frozenset()) -> None:
        self.X, self.y, self.seed = X, np.asarray(y), seed
        self.classes = classes or frozenset(self.y.tolist())
        self.cache: dict[Any, Any] = {}

    def rng(self, plan: Plan) -> int:
        """Return the seed of the splits of a plan."""
        return int(child_seed(self.seed, crc32(repr(plan).encode())).generate_state(1)[0])

    def splits(self, plan: Plan, part: str) -> list[Split]:
        """Return the splits of a plan, or the further splits that a test needs (halves, replicates)."""
        if (plan, part) not in self.cache:
            records = Records(len(self.y), self.y, None, False, self.rng(plan), None, REPLICATES)
            self.cache[plan, part] = list(splits(plan, part, records))
        cached: list[Split] = self.cache[plan, part]
        return cached

    def correct_predictions(self, learner: Any, plan: Plan, part: str) -> NDArray[np.bool]:
        """Return whether a learner is right on each record of all test sets, in order."""
        key = id(learner), plan, part  # the source keeps the learner in memory, so its id() is not used again
        if key not in self.cache:
            model = check_model(learner, type(learner).__name__)
            self.cache[key] = np.concatenate(self._evaluate_learner(model, self.splits(plan, part), self.rng(plan)))
        cached: NDArray[np.bool] = self.cache[key]
        return cached

    def _evaluate_learner(self, model: Model, all_splits: Sequence[Split], rng: int) -> list[NDArray[np.bool]]:
        try:
            data = TrainingData(self.y, self.y, self.classes, rng, None, None)
            return [fit_and_check_predictions(model, self.X, data, split) for split in all_splits]
        except (ValueError, TypeError) as error:
            raise LearnerFailed(str(error)) from error

    def scores(self, plan: Plan, needs: Collection[str], learner_a: Any, learner_b: Any) -> Scores:
        """Return the scores of two learners on the splits of a plan, as :func:`fstats.scores_on` does."""
        a, b = (self.correct_predictions(learner, plan, "splits") for learner in (learner_a, learner_b))
        plan_splits = self.splits(plan, "splits")
        tested = np.array([len(split.test) for split in plan_splits])
        n_a, n_b, both = (_correct_counts(x, tested) for x in (a, b, a & b))
        parts: dict[str, Any] = {
            "n_train": _reshape_to_plan([len(split.train) for split in plan_splits], plan),
            "n_test": _reshape_to_plan(tested, plan),
        }
        if "tables" in needs:
            parts["tables"] = np.stack([tested - n_a - n_b + both, n_b - both, n_a - both, both], -1).reshape(*plan.shape, 2, 2)
        if "record_difference" in needs:
            difference, fold, where = np.empty(len(self.y)), np.empty(len(self.y)), np.concatenate([split.test for split in plan_splits])
            difference[where], fold[where] = a.astype(float) - b, np.repeat(np.arange(1.0, len(plan_splits) + 1), tested)
            parts |= {"record_difference": difference, "record_fold": fold}
        if "halves" in needs:
            parts["halves"] = self._differences(plan, "halves", learner_a, learner_b).reshape(DIVISIONS, plan.splits, 2).mean(1)
        if "replicates" in needs:
            parts["replicates"] = self._differences(plan, "replicates", learner_a, learner_b).reshape(*plan.shape, -1)
        return Scores(plan, _reshape_to_plan(n_a / tested, plan), _reshape_to_plan(n_b / tested, plan), **parts)

    def _differences(self, plan: Plan, part: str, learner_a: Any, learner_b: Any) -> Array:
        """Return the score of A minus the score of B on each split of a part of the plan."""
        tested = np.array([len(split.test) for split in self.splits(plan, part)])
        a, b = (_correct_counts(self.correct_predictions(learner, plan, part), tested) / tested for learner in (learner_a, learner_b))
        return a - b


def _correct_counts(correct: NDArray[np.bool], tested: NDArray[np.int64]) -> Array:
    """Return the number of correct predictions in each test set."""
    return np.add.reduceat(correct.astype(float), np.concatenate([[0], np.cumsum(tested)[:-1]]))


def _reshape_to_plan(values: Any, plan: Plan) -> Array:
    return np.asarray(values, float).reshape(plan.shape)


def stack_scores(plan: Plan, needs: Collection[str], results: Sequence[Scores | str], n: int) -> TrainedScores:
    """Stack the scores of many data sets; if a learner failed, keep its error and replace the scores by scores of perfect models."""
    failures = {r: result for r, result in enumerate(results) if isinstance(result, str)}
    rows = [_perfect_scores(plan, needs, n) if isinstance(result, str) else result for result in results]
    parts = {part.name for part in fields(Scores)} - {"plan", "n_train", "n_test", "labels"}
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
    needed = {*needs} | ({"record_fold"} if "record_difference" in needs else set())
    chosen = {name: parts[name] for name in parts if name in needed}
    return Scores(plan, np.ones(plan.shape), np.ones(plan.shape), n_train=n - tested, n_test=tested, **chosen)
