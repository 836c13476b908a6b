"""Both models trained on every split that some tests need, each split once, and the results as scores."""

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

RequestedPlans = Mapping[Plan, Collection[str]]  # the plans, and the parts of each beyond its splits: halves, replicates


class PlanScores(NamedTuple):
    """The scores on a plan, and how long the trainings of each part took, all workers together."""

    scores: Scores
    seconds: dict[str, float]


@dataclass(frozen=True)
class ModelComparison:
    """Two models and the data, checked."""

    models: tuple[Model, Model]
    X: Any
    y: Any
    records: Records
    score: Scorer | None
    weights: Array | None = None

    @classmethod
    def of(
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
        """What a caller hands in, or an error that says what does not fit."""
        models = check_model(model_a, "model_a"), check_model(model_b, "model_b")
        X = X.tocsr() if hasattr(X, "tocsr") else X
        score = resolve_scorer(scoring)
        n = X.shape[0] if hasattr(X, "shape") else len(X)
        labels = (class_labels.class_labels if score is None else class_labels.record_labels)(y, "y")
        of_groups = None if groups is None else _check_groups(groups)
        for name, column in (("y", y), ("groups", groups)):
            if column is not None and len(column) != n:
                raise ValueError(f"X and {name} must have an entry for each record; got {n} records in X and {len(column)} in {name}")
            _check_same_row_order(X, column, name)
        if score is None:
            _check_countable_labels(labels, models)
        if hasattr(splits, "split") and callable(getattr(splits, "get_n_splits", None)):
            splits = splits_from_splitter(splits, X, y, groups)
        records = Records(
            n,
            labels,
            of_groups,
            check.boolean(stratify, "stratify"),
            resolve_seed(rng),
            None if splits is None else split_list(splits),
            int(check.count(2)(replicates, "replicates")),
        )
        weights = None if sample_weight is None else _check_sample_weight(sample_weight, X, n, models)
        return cls(models, X, y if hasattr(y, "shape") else labels, records, score, weights)

    def outcomes(self, wanted: RequestedPlans, *, jobs: int = 1, progress: bool = True, store: StorePath = None) -> dict[Plan, PlanScores]:
        """Train on all splits of all plans in one go; a store keeps what is done."""
        parts = [(plan, part) for plan, more in wanted.items() for part in ("splits", *more)]
        for plan, part in parts[1:]:  # what cannot be split is refused now, and not after hours of training on the first
            self.check_splits(plan, part)
        sizes = [split_count(plan, part, self.records) for plan, part in parts]
        total, what = sum(sizes), "trainings of each model"
        about = partial(self._about, parts, total)
        done = run_trainings(score_split, self._tasks(parts), total, about, store, jobs=jobs, progress=progress, what=what)
        found = [SplitOutcome(**result) for result in done]
        ends = np.cumsum(sizes)
        of = {key: found[end - size : end] for key, size, end in zip(parts, sizes, ends, strict=True)}
        return {plan: self._outcome(plan, {part: of[plan, part] for part in ("splits", *more)}) for plan, more in wanted.items()}

    def check_splits(self, plan: Plan, part: str) -> None:
        """Raise an error if the records cannot be split so."""
        next(splits(plan, part, self.records))

    def _tasks(self, parts: Sequence[tuple[Plan, str]]) -> Iterator[tuple[tuple[Model, Model], Any, TrainingData, Split]]:
        classes = frozenset(self.records.labels.tolist()) if self.score is None else frozenset()
        data = TrainingData(self.y, self.records.labels, classes, self.records.rng, self.score, self.weights)
        for plan, part in parts:
            for split in splits(plan, part, self.records):
                yield self.models, self.X, data, split

    def _about(self, parts: Sequence[tuple[Plan, str]], trainings: int) -> dict[str, Any]:
        """What a store was made from: whatever the results depend on."""
        from joblib import hash as digest

        of = self.records
        return {
            "work": "fstats.compare",
            "models": [full_repr(one.estimator) for one in self.models],
            "records": digest((self.X, self.y)),
            "groups": digest(of.groups) if of.groups is not None else "",
            "sample_weight": digest(self.weights) if self.weights is not None else "",
            "splits": digest([(np.asarray(train), np.asarray(test)) for train, test in of.own]) if of.own is not None else "",
            "plans": [f"{plan}: {part}" for plan, part in parts],
            "stratify": of.stratify,
            "replicates": of.replicates,
            "scoring": "accuracy" if self.score is None else full_repr(self.score),
            "rng": of.rng,
            "units": trainings,
        }

    def _outcome(self, plan: Plan, found: Mapping[str, list[SplitOutcome]]) -> PlanScores:
        rows = found["splits"]
        a, b = (np.array([row.scores[k] for row in rows]).reshape(plan.shape) for k in (0, 1))
        train, test = (np.array([row.sizes[k] for row in rows], float).reshape(plan.shape) for k in (0, 1))
        difference = fold = tables = halves = replicates = None
        if self.score is None:
            tables = np.array([row.counts for row in rows], float).reshape(*plan.shape, 2, 2)
        if rows[0].tested is not None:
            difference, fold = np.empty(self.records.n), np.empty(self.records.n)
            for k, row in enumerate(rows):
                difference[row.tested[0]], fold[row.tested[0]] = row.tested[1], k + 1
        if "halves" in found:
            halves = _score_differences(found["halves"]).reshape(DIVISIONS, plan.splits, 2).mean(1)
        if "replicates" in found:
            replicates = _score_differences(found["replicates"]).reshape(*plan.shape, -1)
        names = distinct_model_names(*(one.estimator for one in self.models))
        scores = Scores(plan, a, b, tables, difference, fold, halves, replicates, train, test, names)
        return PlanScores(scores, {part: sum(row.seconds for row in rows) for part, rows in found.items()})


def _score_differences(rows: Sequence[SplitOutcome]) -> Array:
    """A less B on each split."""
    return np.array([row.scores[0] - row.scores[1] for row in rows])


def _check_groups(groups: Any) -> NDArray[Any]:
    """The group of each record."""
    found: NDArray[Any] = class_labels.record_labels(groups, "groups", "group")
    if found.ndim != 1:
        hint = check.column_shape_hint("groups", found.shape)
        raise ValueError(f"groups must be one list, the group of each record; got shape {found.shape}{hint}")
    return found


def _check_countable_labels(labels: NDArray[Any], models: tuple[Model, Model]) -> None:
    """What is right or wrong is one label for each record, and comes from a classifier."""
    if labels.ndim != 1:
        hint = check.column_shape_hint("y", labels.shape) or ": give another scoring"
        raise ValueError(f"y must be one list of labels to count right and wrong ones; got shape {labels.shape}{hint}")
    for one in models:
        if is_regressor(one.estimator):
            raise ValueError(
                f"{one.name} must be a classifier to count right and wrong predictions; got a regressor, {short_repr(one.estimator)}: give a "
                "scoring of numbers, such as scoring='r2' or scoring='neg_root_mean_squared_error', with a test of differences on splits"
            )


def _check_same_row_order(X: Any, column: Any, name: str) -> None:
    """Refuse labelled rows of which the same stand in another order: records are paired by position."""
    indices: list[Any] = [getattr(x, "index", None) for x in (X, column)]
    first, second = indices
    if not hasattr(first, "equals") or not hasattr(second, "equals") or first.equals(second):
        return
    if set(first) == set(second):
        raise ValueError(
            f"X and {name} are paired by position, but the rows of {name} stand in another order; got {list(first)[:5]} and "
            f"{list(second)[:5]}: put both in the same order first"
        )


def splits_from_splitter(splitter: Any, X: Any, y: Any, groups: Any) -> list[tuple[Any, Any]]:
    """The splits of a splitter of scikit-learn's kind."""
    try:
        return list(splitter.split(X, y, groups))
    except Exception as error:
        raise ValueError(f"splits={short_repr(splitter)} cannot split these records: {str(error).rstrip('.')}") from error


def _check_sample_weight(value: Any, X: Any, n: int, models: tuple[Model, Model]) -> Array:
    """A weight for each record, which both models must know what to do with."""
    weights = np.asarray(check.nonnegative(value, "sample_weight"))
    if weights.shape != (n,):
        raise ValueError(
            f"sample_weight must be one list, the weight of each of the {n} records; got shape {weights.shape}"
            + check.column_shape_hint("sample_weight", weights.shape)
        )
    _check_same_row_order(X, value, "sample_weight")
    for one in models:
        sample_weight_parameter(one)
    return weights


def resolve_seed(rng: Any) -> int:
    """A whole number that scikit-learn takes for a seed: as given, or drawn from a generator; None draws one that nobody knows before."""
    if rng is None:
        return int(np.random.SeedSequence().generate_state(1)[0])
    if isinstance(rng, np.random.Generator):
        return int(rng.integers(2**32))
    if isinstance(rng, bool) or not isinstance(rng, (int, np.integer)) or not 0 <= rng < 2**32:
        raise ValueError(
            f"rng must be a whole number from 0 to 2**32 - 1, a numpy Generator, or None for a seed by chance; got {check.format_received_value(rng)}"
        )
    return int(rng)
