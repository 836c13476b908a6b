"""Train and score two models on cross-validation splits.

Each model is trained once on every split that the chosen tests need.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..core.validation import check, class_labels
from ..core.value_types import Array
from ..procedures.resampling.split_plans.split_plan import Plan
from ..procedures.resampling.split_plans.split_requirements import split_list
from ..procedures.resampling.split_scores.split_scores import DIVISIONS, REPLICATES, Scores
from .model_evaluation import (
    Model,
    Scorer,
    SplitOutcome,
    TrainingData,
    check_model,
    is_regressor,
    resolve_scorer,
    sample_weight_parameter,
    score_split,
    short_repr,
)
from .model_names import distinct_model_names
from .splits import Records, Split, split_count, splits
from .training_jobs import StorePath, full_repr, run_trainings

RequestedPlans = Mapping[Plan, Collection[str]]  # maps a plan to the further splits that a test needs: "halves" or "replicates"


class PlanScores(NamedTuple):
    """Scores on a plan, and the training time of each part of the plan, summed over all workers."""

    scores: Scores
    seconds: dict[str, float]


@dataclass(frozen=True)
class ModelComparison:
    """Two models and the data, after all checks."""

    models: tuple[Model, Model]
    X: Any
    y: Any
    records: Records
    score: Scorer | None
    weights: Array | None = None

    @classmethod
    def from_arguments(
        cls,
        model_a: Any,
        model_b: Any,
        X: Any,
        y: Any,
        *,
        rng: Any = 0,
        scoring: Any = "accuracy",
        groups: Any = None,
        stratify: bool = False,
        splits: Any = None,
        sample_weight: Any = None,
        replicates: int = REPLICATES,
    ) -> ModelComparison:
        """Check the arguments of a caller; raise an error that names the argument that does not fit."""
        models = check_model(model_a, "model_a"), check_model(model_b, "model_b")
        X = X.tocsr() if hasattr(X, "tocsr") else X
        score = resolve_scorer(scoring)
        n = X.shape[0] if hasattr(X, "shape") else len(X)
        labels = (class_labels.class_labels if score is None else class_labels.record_labels)(y, "y")
        checked_groups = None if groups is None else _check_groups(groups)
        for name, column in (("y", y), ("groups", groups)):
            if column is not None and len(column) != n:
                raise ValueError(f"`X` and `{name}` must have the same length; got the lengths {n} and {len(column)}")
            _check_same_row_order(X, column, name)
        if score is None:
            _check_countable_labels(labels, models)
        if hasattr(splits, "split") and callable(getattr(splits, "get_n_splits", None)):
            splits = splits_from_splitter(splits, X, y, groups)
        records = Records(
            n,
            labels,
            checked_groups,
            check.boolean(stratify, "stratify"),
            resolve_seed(rng),
            None if splits is None else split_list(splits),
            int(check.count(2)(replicates, "replicates")),
        )
        weights = None if sample_weight is None else _check_sample_weight(sample_weight, X, n, models)
        return cls(models, X, y if hasattr(y, "shape") else labels, records, score, weights)

    def train_and_score(
        self, requested: RequestedPlans, *, jobs: int = 1, progress: bool = True, store: StorePath = None
    ) -> dict[Plan, PlanScores]:
        """Train and score both models on all splits of all plans; a store saves the results."""
        parts = [(plan, part) for plan, further in requested.items() for part in ("splits", *further)]
        # all trainings may take hours, so check the splits of all further plans before the first training
        for plan, part in parts[1:]:
            self.check_splits(plan, part)
        sizes = [split_count(plan, part, self.records) for plan, part in parts]
        total, what = sum(sizes), "trainings of each model"
        about = partial(self._store_description, parts, total)
        results = run_trainings(score_split, self._training_tasks(parts), total, about, store, jobs=jobs, progress=progress, what=what)
        outcomes = [SplitOutcome(**result) for result in results]
        ends = np.cumsum(sizes)
        by_part = {key: outcomes[end - size : end] for key, size, end in zip(parts, sizes, ends, strict=True)}
        return {
            plan: self._plan_scores(plan, {part: by_part[plan, part] for part in ("splits", *further)})
            for plan, further in requested.items()
        }

    def check_splits(self, plan: Plan, part: str) -> None:
        """Raise an error if the records cannot be split by the plan."""
        next(splits(plan, part, self.records))

    def _training_tasks(self, parts: Sequence[tuple[Plan, str]]) -> Iterator[tuple[tuple[Model, Model], Any, TrainingData, Split]]:
        classes = frozenset(self.records.labels.tolist()) if self.score is None else frozenset()
        data = TrainingData(self.y, self.records.labels, classes, self.records.rng, self.score, self.weights)
        for plan, part in parts:
            for split in splits(plan, part, self.records):
                yield self.models, self.X, data, split

    def _store_description(self, parts: Sequence[tuple[Plan, str]], trainings: int) -> dict[str, Any]:
        """Return all values on which the results depend; a store compares them with the values of later calls."""
        from joblib import hash as digest

        records = self.records
        return {
            "work": "fstats.compare",
            "models": [full_repr(model.estimator) for model in self.models],
            "records": digest((self.X, self.y)),
            "groups": digest(records.groups) if records.groups is not None else "",
            "sample_weight": digest(self.weights) if self.weights is not None else "",
            "splits": digest([(np.asarray(train), np.asarray(test)) for train, test in records.custom_splits])
            if records.custom_splits is not None
            else "",
            "plans": [f"{plan}: {part}" for plan, part in parts],
            "stratify": records.stratify,
            "replicates": records.replicates,
            "scoring": "accuracy" if self.score is None else full_repr(self.score),
            "rng": records.rng,
            "units": trainings,
        }

    def _plan_scores(self, plan: Plan, outcomes: Mapping[str, list[SplitOutcome]]) -> PlanScores:
        rows = outcomes["splits"]
        a, b = (np.array([row.scores[k] for row in rows]).reshape(plan.shape) for k in (0, 1))
        train, test = (np.array([row.sizes[k] for row in rows], float).reshape(plan.shape) for k in (0, 1))
        difference = fold = tables = halves = replicates = None
        if self.score is None:
            tables = np.array([row.counts for row in rows], float).reshape(*plan.shape, 2, 2)
        if rows[0].tested is not None:
            difference, fold = np.empty(self.records.n), np.empty(self.records.n)
            for k, row in enumerate(rows):
                difference[row.tested[0]], fold[row.tested[0]] = row.tested[1], k + 1
        if "halves" in outcomes:
            halves = _score_differences(outcomes["halves"]).reshape(DIVISIONS, plan.splits, 2).mean(1)
        if "replicates" in outcomes:
            replicates = _score_differences(outcomes["replicates"]).reshape(*plan.shape, -1)
        names = distinct_model_names(*(model.estimator for model in self.models))
        scores = Scores(plan, a, b, tables, difference, fold, halves, replicates, train, test, names)
        return PlanScores(scores, {part: sum(row.seconds for row in rows) for part, rows in outcomes.items()})


def _score_differences(rows: Sequence[SplitOutcome]) -> Array:
    """Return the score of A minus the score of B on each split."""
    return np.array([row.scores[0] - row.scores[1] for row in rows])


def _check_groups(groups: Any) -> NDArray[Any]:
    """Check the groups of the records."""
    labels: NDArray[Any] = class_labels.record_labels(groups, "groups", "group")
    if labels.ndim != 1:
        hint = check.column_shape_hint("groups", labels.shape)
        raise ValueError(f"`groups` must be one list with the group of each record; got shape {labels.shape}{hint}")
    return labels


def _check_countable_labels(labels: NDArray[Any], models: tuple[Model, Model]) -> None:
    """Raise an error for y with several columns and for regressors, whose predictions cannot be counted as right or wrong."""
    if labels.ndim != 1:
        hint = check.column_shape_hint("y", labels.shape) or ". Pass one column of labels, or another `scoring=`."
        raise ValueError(f"`y` must be one list of labels, because right predictions are counted; got shape {labels.shape}{hint}")
    for model in models:
        if is_regressor(model.estimator):
            raise ValueError(
                f"{model.name} must be a classifier, because the test counts right predictions; got a regressor, "
                f"{short_repr(model.estimator)}. Use a test of scores, with scoring='r2' for regressors."
            )


def _check_same_row_order(X: Any, column: Any, name: str) -> None:
    """Raise an error if a column has the row labels of X in another order, because records are paired by position."""
    indices: list[Any] = [getattr(x, "index", None) for x in (X, column)]
    first, second = indices
    if not hasattr(first, "equals") or not hasattr(second, "equals") or first.equals(second):
        return
    if set(first) == set(second):
        raise ValueError(
            f"`X` and `{name}` must have their rows in the same order; got the row labels {list(first)[:5]} and {list(second)[:5]}. Put "
            "the rows in the same order."
        )


def splits_from_splitter(splitter: Any, X: Any, y: Any, groups: Any) -> list[tuple[Any, Any]]:
    """Return the splits of a splitter like those of scikit-learn."""
    try:
        return list(splitter.split(X, y, groups))
    except Exception as error:
        raise ValueError(f"splits={short_repr(splitter)} cannot split the given records: {str(error).rstrip('.')}") from error


def _check_sample_weight(value: Any, X: Any, n: int, models: tuple[Model, Model]) -> Array:
    """Check the weight of each record; both models must accept weights."""
    weights = np.asarray(check.nonnegative(value, "sample_weight"))
    if weights.shape != (n,):
        raise ValueError(
            f"`sample_weight` must be one list with the weight of each of the {n} records; got shape {weights.shape}"
            + check.column_shape_hint("sample_weight", weights.shape)
        )
    _check_same_row_order(X, value, "sample_weight")
    for model in models:
        sample_weight_parameter(model)
    return weights


def resolve_seed(rng: Any) -> int:
    """Return a seed that scikit-learn accepts: the given number, or a seed drawn from the generator; None draws a random seed."""
    if rng is None:
        return int(np.random.SeedSequence().generate_state(1)[0])
    if isinstance(rng, np.random.Generator):
        return int(rng.integers(2**32))
    if isinstance(rng, bool) or not isinstance(rng, (int, np.integer)) or not 0 <= rng < 2**32:
        raise ValueError(
            "`rng` must be a whole number from 0 to 2**32 - 1, a numpy Generator, or None for a random seed; got "
            f"{check.format_received_value(rng)}"
        )
    return int(rng)
