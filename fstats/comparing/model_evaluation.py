"""Fit and score a model on a train/test split."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy as shallow_copy
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
IMMUTABLE_TYPES = (int, float, str, type(None))


class Model(NamedTuple):
    """An unfitted copy of a caller's estimator, with the parameters that get a seed on each split."""

    name: str
    estimator: Any
    unseeded_parameters: list[str]

    def seeded_copy(self, rng: int, split: Split) -> Any:
        """Return a copy of the model for one split; the seeds of the copy depend only on the split."""
        is_simple = all(isinstance(value, IMMUTABLE_TYPES) for value in getattr(self.estimator, "__dict__", {"": ...}).values())
        # if all parameters are of immutable types, a shallow copy is safe, and it is faster than `clone`
        copy = shallow_copy(self.estimator) if is_simple else clone(self.estimator)
        if self.unseeded_parameters:
            seeds = np.random.SeedSequence(rng, spawn_key=split.key).generate_state(len(self.unseeded_parameters))
            copy.set_params(**dict(zip(self.unseeded_parameters, seeds.tolist())))
        return copy


def check_model(estimator: Any, name: str) -> Model:
    """Check a model of the caller; raise an error that says which methods the model lacks."""
    if isinstance(estimator, type):
        raise TypeError(f"`{name}` must be an estimator, not a class; got {estimator.__name__}. Write `{estimator.__name__}()`.")
    if missing := [f"no {method}" for method in ("fit", "predict") if not callable(getattr(estimator, method, None))]:
        raise TypeError(
            f"`{name}` must be an estimator with fit and predict; got {short_repr(estimator)}, which has {' and '.join(missing)}"
        )
    copy = clone(estimator)
    parameters = copy.get_params() if hasattr(copy, "get_params") else {}
    unseeded = sorted(key for key, value in parameters.items() if value is None and key.rpartition("__")[2] == "random_state")
    return Model(name, copy, unseeded)


def clone(estimator: Any) -> Any:
    """Return an unfitted copy; a deep copy for objects that are not estimators of scikit-learn."""
    with require_extra("sklearn", "a comparison of models"):
        from sklearn import base

    return base.clone(estimator, safe=False)


def is_regressor(estimator: Any) -> bool:
    """Return whether an estimator (or the last step of a pipeline, or the estimator of a search) is a regressor for scikit-learn."""
    from sklearn import base

    try:
        return bool(base.is_regressor(estimator))
    except (AttributeError, TypeError):  # the model is not a scikit-learn estimator
        return False


def short_repr(estimator: Any) -> str:
    """Return the repr of an estimator, at most 80 characters."""
    text = " ".join(repr(estimator).split())
    return text if len(text) <= 80 else text[:77] + "..."


def scorer_by_name(name: str) -> Scorer:
    """Return the scorer of scikit-learn with this name; if no scorer has this name, raise an error with the most similar names."""
    with require_extra("sklearn", "a scorer by name"):
        from sklearn.metrics import get_scorer, get_scorer_names
    known = get_scorer_names()
    if name not in known:
        raise ValueError(
            f"`scoring` must name a scorer of scikit-learn, or be a callable(estimator, X, y); got {format_received_value(name)}; "
            f"{format_nearest_names(name, known)}"
        )
    return get_scorer(name)


def resolve_scorer(scoring: Any) -> Scorer | None:
    """Return a scorer of scikit-learn by name, or a given callable; return None for accuracy, which needs no scorer."""
    if isinstance(scoring, str):
        return None if scoring == "accuracy" else scorer_by_name(scoring)
    if not callable(scoring):
        raise TypeError(
            "`scoring` must be the name of a scorer, such as 'accuracy' or 'f1_macro', or a callable(estimator, X, y); got "
            f"{format_received_value(scoring)}"
        )
    return scoring


class TrainingData(NamedTuple):
    """Data that are the same for every split."""

    y: Any
    truth: NDArray[Any]  # y as an array of labels
    classes: frozenset[Any]  # class labels in y; empty if the score is not accuracy
    rng: int
    score: Scorer | None
    weights: NDArray[Any] | None = None  # weights of the records; None for equal weights


class SplitOutcome(NamedTuple):
    """Result of one split, in the form that a store saves."""

    scores: Sequence[float]  # scores of A and B
    counts: Sequence[int]  # counts n00, n01, n10, n11; empty if the score is not accuracy
    # test set, and result on each record: 1 if only A is right, -1 if only B is right, otherwise 0
    tested: Any
    seconds: float
    sizes: Sequence[int]  # numbers of training records and test records


def score_split(models: tuple[Model, Model], X: Any, data: TrainingData, split: Split) -> dict[str, Any]:
    """Fit and score both models on a split; return a dict with the names of :class:`SplitOutcome`."""
    start, sizes = perf_counter(), (len(split.train), len(split.test))
    if data.score is not None:
        scores = [_fit_and_score(data.score, model, X, data, split) for model in models]
        return SplitOutcome(scores, (), None, perf_counter() - start, sizes)._asdict()
    a, b = (fit_and_check_predictions(model, X, data, split) for model in models)
    n, n_a, n_b, n11 = len(split.test), int(a.sum()), int(b.sum()), int((a & b).sum())
    tested = (split.test.tolist(), (a.astype(np.int8) - b).tolist()) if split.records else None
    counts = n - n_a - n_b + n11, n_b - n11, n_a - n11, n11
    return SplitOutcome((n_a / n, n_b / n), counts, tested, perf_counter() - start, sizes)._asdict()


def _fit_and_score(scorer: Scorer, model: Model, X: Any, data: TrainingData, split: Split) -> float:
    """Fit one model on the training set, and return its score on the test set."""
    fitted = _fit_copy(model, X, data, split)
    try:
        score = scorer(fitted, take_records(X, split.test), take_records(data.y, split.test))
    except Exception as error:
        raise ValueError(_scoring_error_message(scorer, model, split, error)) from error
    try:
        value = float(score)
    except (TypeError, ValueError):
        raise TypeError(f"`scoring` must give one number; got {format_received_value(score)} for {model.name} in {split.name}") from None
    if not np.isfinite(value):
        raise ValueError(f"`scoring` must be defined on each test set; got {value} for {model.name} in {split.name}")
    return value


def fit_and_check_predictions(model: Model, X: Any, data: TrainingData, split: Split) -> NDArray[np.bool]:
    """Fit one model on the training set, and return whether it is right on each record of the test set."""
    fitted = _fit_copy(model, X, data, split)
    try:
        predicted = fitted.predict(take_records(X, split.test))
    except Exception as error:
        raise ValueError(_fit_error_message(model, data.truth[split.train], split, error)) from error
    return correct_predictions(predicted, data.truth[split.test], data.classes, model, split)


def _fit_copy(model: Model, X: Any, data: TrainingData, split: Split) -> Any:
    """Return a fresh copy of a model, fitted on the training set."""
    try:
        copy = model.seeded_copy(data.rng, split)
        weighted = {} if data.weights is None else {sample_weight_parameter(model): data.weights[split.train]}
        copy.fit(take_records(X, split.train), take_records(data.y, split.train), **weighted)
    except Exception as error:
        raise ValueError(_fit_error_message(model, data.truth[split.train], split, error)) from error
    return copy


def sample_weight_parameter(model: Model) -> str:
    """Return the name of the argument of fit that takes the weights of the records; in a pipeline the last step takes the weights."""
    name, last = "sample_weight", model.estimator
    while steps := getattr(last, "steps", None):
        step, last = steps[-1]
        name = f"{step}__{name}"
    try:
        parameters = signature(last.fit).parameters
    except (TypeError, ValueError):  # a `fit` method that is not written in Python may have no signature
        return name
    if "sample_weight" not in parameters and all(each.kind is not each.VAR_KEYWORD for each in parameters.values()):
        raise TypeError(
            f"{model.name} must have a method fit with the argument sample_weight; got {short_repr(model.estimator)}. Leave out "
            "`sample_weight=`, or use another model."
        )
    return name


def take_records(x: Any, where: NDArray[Any]) -> Any:
    """Return the selected records of an array, a sparse matrix, a pandas object or a list."""
    if isinstance(x, np.ndarray):
        return x[where]
    from sklearn.utils import _safe_indexing

    return _safe_indexing(x, where)


def correct_predictions(predicted: Any, truth: NDArray[Any], classes: frozenset[Any], model: Model, split: Split) -> NDArray[np.bool]:
    """Return whether each prediction is right; every record needs one prediction, and every prediction must be a class of y."""
    predicted = np.asarray(predicted)
    if predicted.shape != truth.shape:
        raise ValueError(
            f"{model.name} must predict one label for each record of the test set; got shape "
            f"{predicted.shape} for {len(truth)} records in {split.name}"
            + (
                ". Let predict end in `.ravel()`."
                if predicted.shape == (len(truth), 1)
                else ". If the predictions are not labels, write `scoring=...`."
            )
        )
    if predicted.dtype.kind in "fcO":
        try:
            class_labels.class_labels(predicted, f"{model.name}.predict(X)")
        except ValueError as error:
            raise ValueError(f"invalid predictions in {split.name}: {error}") from None
    if class_labels.label_kind(predicted) != class_labels.label_kind(truth):
        raise TypeError(
            f"{model.name} must predict labels of the type of `y`; got {predicted.item(0)!r} in {split.name}, but `y` holds "
            f"{truth.item(0)!r}"
        )
    right: NDArray[np.bool] = predicted == truth
    # in a set, labels of different types with the same value are equal, such as 1, 1.0 and True
    if unknown := set(predicted[~right].tolist()) - classes:
        examples = ", ".join(sorted(map(repr, classes))[:5])
        raise ValueError(
            f"{model.name} must predict classes of `y`, such as {examples}; got {min(map(repr, unknown))} in {split.name}. Predict the "
            "labels of `y`, or write another `scoring=`."
        )
    return right


def _fit_error_message(model: Model, classes: NDArray[Any], split: Split, error: Exception) -> str:
    one_class = classes.ndim == 1 and not (classes != classes[0]).any()
    hint = f" (its training set holds only the class {classes[0].item()!r}; write stratify=True in compare)" if one_class else ""
    return f"{model.name}, {short_repr(model.estimator)}, failed, {split.name}: {type(error).__name__}: {error}{hint}"


def _scoring_error_message(score: Scorer, model: Model, split: Split, error: Exception) -> str:
    text = f"scoring failed for {model.name}, {short_repr(model.estimator)}, {split.name}: {type(error).__name__}: {error}"
    if not isinstance(score, FunctionType):
        return text
    scorer = f"sklearn.metrics.make_scorer({score.__name__})"
    return f"{text} (a function is called with (estimator, X, y); for a metric, which takes (y_true, y_pred), write scoring={scorer})"
