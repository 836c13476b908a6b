"""Train one pipeline on one split, and score it in several metrics."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np

from ..core.metric_direction import is_loss_metric
from .model_evaluation import Model, scorer_by_name, take_records
from .splits import Split


@dataclass(frozen=True)
class Metrics:
    """Scorers by name; the predictions of a model are computed only once for several metrics."""

    scorers: Mapping[str, Any]
    together: Any  # scorer of scikit-learn that computes several metrics together
    alone: Mapping[str, Any]  # mapping from each metric to a scorer that computes only this metric


def resolve_metrics(scoring: Any) -> Metrics:
    """Check the metrics of a caller."""
    from sklearn.metrics import check_scoring

    if isinstance(scoring, str) or callable(scoring):
        scoring = [scoring]
    if isinstance(scoring, Mapping):
        listed = [(str(name), metric) for name, metric in scoring.items()]
    elif isinstance(scoring, (list, tuple, set)):
        listed = [(_metric_name(metric), metric) for metric in scoring]
    else:
        raise TypeError(f"scoring must be a metric, a list or a mapping of names to metrics; got {scoring!r}")
    names = [name for name, _ in listed]
    if not names or len(set(names)) < len(names):
        raise ValueError(f"scoring must name at least one metric, and each metric once; got {', '.join(names) or 'none'}")
    for name, metric in listed:
        if not isinstance(metric, str) and not callable(metric):
            raise TypeError(
                f"scoring[{name!r}] must be the name of a scorer, such as 'accuracy', or a callable(estimator, X, y); got {metric!r}"
            )
    for name, metric in listed:
        if is_loss_metric(name) and callable(metric) and getattr(metric, "_sign", 1) > 0:
            raise ValueError(
                f"scoring {name!r} has the name of a loss, but higher values of a scorer must be better: use a scorer of scikit-learn "
                "such as 'neg_root_mean_squared_error', or make_scorer(function, greater_is_better=False), or rename a function that "
                f"returns the negative loss to 'neg_{name}'"
            )
    scorers = {name: scorer_by_name(metric) if isinstance(metric, str) else metric for name, metric in listed}
    alone = scorers | {name: _accuracy for name, metric in listed if metric == "accuracy"}
    return Metrics(scorers, check_scoring(scoring=scorers, raise_exc=False), alone)


def _metric_name(metric: Any) -> str:
    """Return the name of a metric; a scorer made from a function has the name of the function."""
    if isinstance(metric, str):
        return metric
    return str(getattr(metric, "__name__", None) or getattr(getattr(metric, "_score_func", None), "__name__", repr(metric)))


def score_pipeline(model: Model, X: Any, y: Any, split: Split, metrics: Metrics, rng: int) -> dict[str, Any]:
    """Return the scores by metric (for an undefined score, the reason as text), or the error of the training."""
    try:
        fitted = model.seeded_copy(rng, split)
        fitted.fit(take_records(X, split.train), take_records(y, split.train))
    except Exception as error:  # an error of one model does not stop the evaluation of the other models
        return {"error": _error_text(error)}
    return {
        "scores": {
            name: _finite_score(outcome)
            for name, outcome in _joint_scores(fitted, take_records(X, split.test), take_records(y, split.test), metrics)
        }
    }


def _joint_scores(fitted: Any, X: Any, y: Any, metrics: Metrics) -> Iterable[tuple[str, Any]]:
    """Score several metrics together, or separately if scikit-learn fails, for example because a model lacks a method for a metric."""
    if len(metrics.scorers) > 1:
        try:
            return dict(metrics.together(fitted, X, y)).items()
        except Exception:  # compute each score separately, to find out which metric failed and why
            pass
    return [(name, _single_score(scorer, fitted, X, y)) for name, scorer in metrics.alone.items()]


def _accuracy(fitted: Any, X: Any, y: Any) -> float:
    """Return the accuracy; for arrays of labels it is counted directly, because checks of scikit-learn can take as long as a fit."""
    predicted, truth = fitted.predict(X), np.asarray(y)
    plain = type(predicted) is np.ndarray and predicted.ndim == 1 and predicted.shape == truth.shape
    if plain and predicted.dtype.kind == truth.dtype.kind and truth.dtype.kind in "biuU":
        return float((predicted == truth).mean())
    from sklearn.metrics import accuracy_score

    return float(accuracy_score(y, predicted))


def _single_score(scorer: Any, fitted: Any, X: Any, y: Any) -> Any:
    try:
        return scorer(fitted, X, y)
    except Exception as error:
        return _error_text(error)


def _finite_score(outcome: Any) -> float | str:
    """Return a finite score, or the reason why the score is missing."""
    if isinstance(outcome, str):  # the text of a traceback
        return " ".join((outcome.strip().splitlines() or ["no score"])[-1].split())[:300]
    try:
        value = float(outcome)
    except (TypeError, ValueError):
        return f"scoring must give one number; got {outcome!r}"[:300]
    return value if isfinite(value) else f"scoring gave {value}: the metric is not defined on this test set"


def _error_text(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[0] if lines else ''}"[:300].rstrip(": .")
