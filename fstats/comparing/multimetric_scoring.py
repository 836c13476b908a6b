"""One pipeline on one split: its score in each metric, or why there is none."""

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
    """Scorers by name; together they ask a model once for what several of them need."""

    scorers: Mapping[str, Any]
    together: Any  # scikit-learn's scorer of several metrics
    alone: Mapping[str, Any]  # the scorers again, where one is asked by itself


def resolve_metrics(scoring: Any) -> Metrics:
    """What a caller hands in as metrics."""
    from sklearn.metrics import check_scoring

    if isinstance(scoring, str) or callable(scoring):
        scoring = [scoring]
    if isinstance(scoring, Mapping):
        listed = [(str(name), one) for name, one in scoring.items()]
    elif isinstance(scoring, (list, tuple, set)):
        listed = [(_metric_name(one), one) for one in scoring]
    else:
        raise TypeError(f"scoring must be a metric, a list or a mapping of names to metrics; got {scoring!r}")
    names = [name for name, _ in listed]
    if not names or len(set(names)) < len(names):
        raise ValueError(f"scoring must name different metrics, at least one; got {', '.join(names) or 'none'}")
    for name, one in listed:
        if not isinstance(one, str) and not callable(one):
            raise TypeError(
                f"scoring[{name!r}] must be the name of a scorer, such as 'accuracy', or a callable(estimator, X, y); got {one!r}"
            )
    for name, one in listed:
        if is_loss_metric(name) and callable(one) and getattr(one, "_sign", 1) > 0:
            raise ValueError(
                f"scoring {name!r} is called as a loss, and a scorer is the better the higher it is: take scikit-learn's "
                "'neg_root_mean_squared_error' and its like, make_scorer(function, greater_is_better=False), or a name such as "
                f"'neg_{name}' for a function that gives the loss with its sign turned"
            )
    scorers = {name: scorer_by_name(one) if isinstance(one, str) else one for name, one in listed}
    alone = scorers | {name: _accuracy for name, one in listed if one == "accuracy"}
    return Metrics(scorers, check_scoring(scoring=scorers, raise_exc=False), alone)


def _metric_name(one: Any) -> str:
    """What a metric is called: by its name, a scorer made of a function by the function's."""
    if isinstance(one, str):
        return one
    return str(getattr(one, "__name__", None) or getattr(getattr(one, "_score_func", None), "__name__", repr(one)))


def score_pipeline(one: Model, X: Any, y: Any, split: Split, metrics: Metrics, rng: int) -> dict[str, Any]:
    """Scores by metric, text where one could not be told; or the error that training ended in."""
    try:
        fitted = one.fresh(rng, split)
        fitted.fit(take_records(X, split.train), take_records(y, split.train))
    except Exception as error:  # whatever a model may end in, the others go on
        return {"error": _error_text(error)}
    return {
        "scores": {
            name: _finite_score(outcome)
            for name, outcome in _joint_scores(fitted, take_records(X, split.test), take_records(y, split.test), metrics)
        }
    }


def _joint_scores(fitted: Any, X: Any, y: Any, metrics: Metrics) -> Iterable[tuple[str, Any]]:
    """Several metrics together; each by itself where scikit-learn refuses all, as where a model lacks what one of them asks."""
    if len(metrics.scorers) > 1:
        try:
            return dict(metrics.together(fitted, X, y)).items()
        except Exception:  # which metric it is, and why, is told below
            pass
    return [(name, _single_score(scorer, fitted, X, y)) for name, scorer in metrics.alone.items()]


def _accuracy(fitted: Any, X: Any, y: Any) -> float:
    """The share of right labels: counted where both are plain lists of labels, as what scikit-learn checks first can cost a whole fit."""
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
    """A finite number, or why there is none."""
    if isinstance(outcome, str):  # the trace of an error
        return " ".join((outcome.strip().splitlines() or ["no score"])[-1].split())[:300]
    try:
        value = float(outcome)
    except (TypeError, ValueError):
        return f"scoring must give one number; got {outcome!r}"[:300]
    return value if isfinite(value) else f"scoring gave {value}: the metric is not defined on this test set"


def _error_text(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[0] if lines else ''}"[:300].rstrip(": .")
