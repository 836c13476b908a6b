"""Train and score a pipeline with several metrics."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import Any

from ..core.metric_direction import is_loss_metric
from ..core.validation.check import format_received_value
from .model_evaluation import Model, scorer_by_name, take_records
from .splits import Split

Scorers = Mapping[str, Any]  # maps the name of a metric to a scikit-learn scorer, or to another callable(estimator, X, y)


def resolve_metrics(scoring: Any) -> Scorers:
    """Check the metrics of a caller, and return their scorers."""
    if isinstance(scoring, str) or callable(scoring):
        scoring = [scoring]
    if isinstance(scoring, Mapping):
        listed = [(str(name), metric) for name, metric in scoring.items()]
    elif isinstance(scoring, (list, tuple, set)):
        listed = [(_metric_name(metric), metric) for metric in scoring]
    else:
        raise TypeError(f"`scoring` must be a metric, a list or a mapping of names to metrics; got {format_received_value(scoring)}")
    names = [name for name, _ in listed]
    if not names or len(set(names)) < len(names):
        raise ValueError(f"`scoring` must name at least one metric, and each metric once; got {', '.join(names) or 'none'}")
    for name, metric in listed:
        if not isinstance(metric, str) and not callable(metric):
            raise TypeError(
                f"scoring[{name!r}] must be the name of a scorer, or a callable(estimator, X, y); got {format_received_value(metric)}"
            )
    for name, metric in listed:
        if is_loss_metric(name) and callable(metric) and getattr(metric, "_sign", 1) > 0:
            raise ValueError(
                f"scoring {name!r} has the name of a loss, but higher values of a scorer must be better. Write a scorer such as "
                "'neg_root_mean_squared_error', or make_scorer(function, greater_is_better=False); rename a function that returns the "
                f"negative loss to 'neg_{name}'."
            )
    return {name: scorer_by_name(metric) if isinstance(metric, str) else metric for name, metric in listed}


def _metric_name(metric: Any) -> str:
    """Return the name of a metric; a scorer made from a function has the name of the function."""
    if isinstance(metric, str):
        return metric
    return str(getattr(metric, "__name__", None) or getattr(getattr(metric, "_score_func", None), "__name__", repr(metric)))


def score_pipeline(model: Model, X: Any, y: Any, split: Split, scorers: Scorers, rng: int) -> dict[str, Any]:
    """Return the scores by metric (for an undefined score, the reason as text), or the error of the training."""
    try:
        fitted = model.seeded_copy(rng, split)
        fitted.fit(take_records(X, split.train), take_records(y, split.train))
    except Exception as error:  # an error of one model must not stop the evaluation of the others
        return {"error": _error_text(error)}
    outcomes = _joint_scores(fitted, take_records(X, split.test), take_records(y, split.test), scorers)
    return {"scores": {name: _finite_score(outcome) for name, outcome in outcomes.items()}}


def _joint_scores(fitted: Any, X: Any, y: Any, scorers: Scorers) -> dict[str, Any]:
    """Score several metrics together, or separately if scikit-learn fails, for example because a model lacks a method for a metric."""
    from sklearn.metrics import check_scoring

    if len(scorers) > 1:
        try:  # one prediction is enough if all metrics are scored together
            return dict(check_scoring(scoring=scorers, raise_exc=False)(fitted, X, y))
        except Exception:  # score each metric separately below, to find the metric that fails
            pass
    return {name: _single_score(scorer, fitted, X, y) for name, scorer in scorers.items()}


def _single_score(scorer: Any, fitted: Any, X: Any, y: Any) -> Any:
    try:
        return scorer(fitted, X, y)
    except Exception as error:
        return _error_text(error)


def _finite_score(outcome: Any) -> float | str:
    """Return a finite score, or the reason why the score is missing."""
    if isinstance(outcome, str):  # for a metric that failed, scikit-learn returns the traceback as text
        return " ".join((outcome.strip().splitlines() or ["no score"])[-1].split())[:300]
    try:
        value = float(outcome)
    except (TypeError, ValueError):
        return f"scoring must give one number; got {outcome!r}"[:300]
    return value if isfinite(value) else f"scoring gave {value}: the metric is not defined on this test set"


def _error_text(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[0] if lines else ''}"[:300].rstrip(": .")
