"""Two models on one split: fitted on its training set, scored on its test set."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy as shallow
from inspect import signature
from time import perf_counter
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..core.validation import class_labels
from ..core.validation.check import format_received_value
from ..core.validation.name_suggestions import format_nearest_names
from ..runtime.optional_dependencies import require_extra
from .splits import Split

Scorer = Callable[[Any, Any, Any], Any]


class Model(NamedTuple):
    """An unfitted copy of a caller's estimator, and which of its parameters each split gives a seed."""

    name: str
    estimator: Any
    unseeded: list[str]
    plain: bool  # whether it holds numbers and words only, so that the cheapest copy will do

    def fresh(self, rng: int, split: Split) -> Any:
        """A copy for one split; its seeds depend on the split alone."""
        copy = shallow(self.estimator) if self.plain else clone(self.estimator)
        if self.unseeded:
            seeds = np.random.SeedSequence(rng, spawn_key=split.key).generate_state(len(self.unseeded))
            copy.set_params(**dict(zip(self.unseeded, seeds.tolist())))
        return copy


def check_model(estimator: Any, name: str) -> Model:
    """What a caller hands in as a model, or an error that says what it lacks."""
    if isinstance(estimator, type):
        raise TypeError(f"{name} must be an estimator, not a class; got {estimator.__name__}: write {estimator.__name__}()")
    if lost := [f"no {what}" for what in ("fit", "predict") if not callable(getattr(estimator, what, None))]:
        raise TypeError(f"{name} must be an estimator with fit and predict; got {short_repr(estimator)}, which has {' and '.join(lost)}")
    copy = clone(estimator)
    parameters = copy.get_params() if hasattr(copy, "get_params") else {}
    unseeded = sorted(key for key, value in parameters.items() if value is None and key.rpartition("__")[2] == "random_state")
    held = getattr(copy, "__dict__", {})
    plain = held.keys() == parameters.keys() and all(isinstance(value, (bool, int, float, str, type(None))) for value in held.values())
    return Model(name, copy, unseeded, plain)


def clone(estimator: Any) -> Any:
    """An unfitted copy; of what is no estimator of scikit-learn a deep one."""
    with require_extra("sklearn", "a comparison of models"):
        from sklearn import base

    return base.clone(estimator, safe=False)


def is_regressor(estimator: Any) -> bool:
    """Whether scikit-learn knows an estimator, or that at the end of a pipeline or in a search, for a regressor."""
    from sklearn import base

    try:
        return bool(base.is_regressor(estimator))
    except (AttributeError, TypeError):  # no estimator of scikit-learn
        return False


def short_repr(estimator: Any) -> str:
    """An estimator in a few words."""
    text = " ".join(repr(estimator).split())
    return text if len(text) <= 80 else text[:77] + "..."


def scorer_by_name(name: str) -> Scorer:
    """The scorer that scikit-learn has by this name, or an error with the nearest names."""
    with require_extra("sklearn", "a scorer by name"):
        from sklearn.metrics import get_scorer, get_scorer_names
    known = get_scorer_names()
    if name not in known:
        raise ValueError(
            f"scoring must name a scorer of scikit-learn, or be a callable(estimator, X, y); got {name!r}: {format_nearest_names(name, known)}"
        )
    return get_scorer(name)


def resolve_scorer(scoring: Any) -> Scorer | None:
    """A scorer of scikit-learn by name, or a callable; None for accuracy, which is counted here."""
    if isinstance(scoring, str):
        return None if scoring == "accuracy" else scorer_by_name(scoring)
    if not callable(scoring):
        raise TypeError(
            f"scoring must be the name of a scorer, such as 'accuracy' or 'f1_macro', or a "
            f"callable(estimator, X, y); got {format_received_value(scoring)}"
        )
    return scoring


class TrainingData(NamedTuple):
    """What every split reads."""

    y: Any
    truth: NDArray[Any]  # y as an array
    classes: frozenset[Any]  # those of y; none unless scored by accuracy
    rng: int
    score: Scorer | None
    weights: NDArray[Any] | None = None  # of the records, where they are not alike


class SplitOutcome(NamedTuple):
    """What came of one split, as a store keeps it."""

    scores: Sequence[float]  # of A and of B
    counts: Sequence[int]  # n00, n01, n10, n11; none unless scored by accuracy
    tested: Any  # the test set and, record by record, right or wrong of A less that of B, where asked for
    seconds: float
    sizes: Sequence[int]  # records that train and that test


def score_split(models: tuple[Model, Model], X: Any, data: TrainingData, split: Split) -> dict[str, Any]:
    """Fit both models on the training set and score them on the test set; what was found, by the names of :class:`SplitOutcome`."""
    start, sizes = perf_counter(), (len(split.train), len(split.test))
    if data.score is not None:  # each on its own copy of the records: a model may write on what it gets
        scores = [_fit_and_score(data.score, one, X, data, split) for one in models]
        return SplitOutcome(scores, (), None, perf_counter() - start, sizes)._asdict()
    a, b = (fit_and_check_predictions(one, X, data, split) for one in models)
    n, n_a, n_b, n11 = len(split.test), int(a.sum()), int(b.sum()), int((a & b).sum())
    tested = (split.test.tolist(), (a.astype(np.int8) - b).tolist()) if split.records else None
    counts = n - n_a - n_b + n11, n_b - n11, n_a - n11, n11
    return SplitOutcome((n_a / n, n_b / n), counts, tested, perf_counter() - start, sizes)._asdict()


def _fit_and_score(of: Scorer, one: Model, X: Any, data: TrainingData, split: Split) -> float:
    """Fit one model on the training set: its score on the test set."""
    fitted = _fit_copy(one, X, data, split)
    try:
        score = of(fitted, take_records(X, split.test), take_records(data.y, split.test))
    except Exception as error:
        raise ValueError(_scoring_error_message(of, one, split, error)) from error
    try:
        value = float(score)
    except (TypeError, ValueError):
        raise TypeError(f"scoring must give one number; got {format_received_value(score)} for {one.name}, {split.name}") from None
    if not np.isfinite(value):
        raise ValueError(f"scoring gave {value} for {one.name}, {split.name}: the score is not defined on this test set")
    return value


def fit_and_check_predictions(one: Model, X: Any, data: TrainingData, split: Split) -> NDArray[np.bool]:
    """Fit one model on the training set: whether it is right on each record of the test set."""
    fitted = _fit_copy(one, X, data, split)
    try:
        predicted = fitted.predict(take_records(X, split.test))
    except Exception as error:
        raise ValueError(_fit_error_message(one, data.truth[split.train], split, error)) from error
    return correct_predictions(predicted, data.truth[split.test], data.classes, one, split)


def _fit_copy(one: Model, X: Any, data: TrainingData, split: Split) -> Any:
    """A fresh copy, fitted on the training set."""
    try:
        copy = one.fresh(data.rng, split)
        weighted = {} if data.weights is None else {sample_weight_parameter(one): data.weights[split.train]}
        copy.fit(take_records(X, split.train), take_records(data.y, split.train), **weighted)
    except Exception as error:
        raise ValueError(_fit_error_message(one, data.truth[split.train], split, error)) from error
    return copy


def sample_weight_parameter(one: Model) -> str:
    """What the weights of records are called where a model is fitted: of a pipeline, its last step takes them."""
    name, last = "sample_weight", one.estimator
    while steps := getattr(last, "steps", None):
        word, last = steps[-1]
        name = f"{word}__{name}"
    try:
        parameters = signature(last.fit).parameters
    except (TypeError, ValueError):  # a fit of another language does not tell
        return name
    if "sample_weight" not in parameters and all(each.kind is not each.VAR_KEYWORD for each in parameters.values()):
        raise TypeError(
            f"{one.name}, {short_repr(one.estimator)}, takes no sample_weight when it is fitted: leave out the weights, or take another model"
        )
    return name


def take_records(x: Any, where: NDArray[Any]) -> Any:
    """Some records of an array, a sparse matrix, a pandas object or a list."""
    if isinstance(x, np.ndarray):
        return x[where]
    from sklearn.utils import _safe_indexing

    return _safe_indexing(x, where)


def correct_predictions(predicted: Any, truth: NDArray[Any], classes: frozenset[Any], one: Model, split: Split) -> NDArray[np.bool]:
    """Whether each prediction is right; it must be a class of y, and there must be one for each record."""
    predicted = np.asarray(predicted)
    if predicted.shape != truth.shape:
        raise ValueError(
            f"{one.name} must predict one label for each record of the test set; got shape "
            f"{predicted.shape} for {len(truth)} records, {split.name}"
            + (": let predict end in .ravel()" if predicted.shape == (len(truth), 1) else "; whatever is no label needs scoring=")
        )
    if predicted.dtype.kind in "fcO":
        try:
            class_labels.class_labels(predicted, f"what {one.name} predicts")
        except ValueError as error:
            raise ValueError(f"{error}, {split.name}") from None
    if class_labels.label_kind(predicted) != class_labels.label_kind(truth):
        raise TypeError(f"{one.name} must predict labels like those of y; got {predicted[0]!r} for {truth[0]!r}, {split.name}")
    right: NDArray[np.bool] = predicted == truth
    if unknown := set(predicted[~right].tolist()) - classes:  # 1, 1.0 and True are the same
        some = ", ".join(sorted(map(repr, classes))[:5])
        raise ValueError(
            f"{one.name} must predict classes of y, such as {some}; got {min(map(repr, unknown))}, "
            f"{split.name}: give the labels of y, or another scoring="
        )
    return right


def _fit_error_message(one: Model, classes: NDArray[Any], split: Split, error: Exception) -> str:
    alone = classes.ndim == 1 and not (classes != classes[0]).any()
    hint = f" (its training set holds one class only, {classes[0].item()!r}: compare has stratify=True for that)" if alone else ""
    return f"{one.name}, {short_repr(one.estimator)}, failed, {split.name}: {type(error).__name__}: {error}{hint}"


def _scoring_error_message(score: Scorer, one: Model, split: Split, error: Exception) -> str:
    text = f"scoring failed for {one.name}, {short_repr(one.estimator)}, {split.name}: {type(error).__name__}: {error}"
    if not isinstance(score, FunctionType):
        return text
    made = f"sklearn.metrics.make_scorer({score.__name__})"
    return f"{text} (a function is called with (estimator, X, y); of a metric, which takes (y_true, y_pred), make a scorer: scoring={made})"
