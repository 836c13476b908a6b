"""Description of an experiment for a paper.

It has scores, resampling plan, metric, seeds, models and library versions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from ..core.classifier_pair import TwoClassifiers
from ..core.metric_direction import DEFAULT_METRIC_NAME, LOWER_IS_BETTER_TEXT, ScoreProcedure
from ..core.number_format import format_plain
from ..core.step import NotStated
from ..runtime.library_versions import versions

# steps with the score of A and the score of B, and the name of the scores in the report ("" means the name of the test's metric)
SCORE_STEP_PAIRS = (("metric_a", "metric_b", ""), ("auc_a", "auc_b", ""), ("accuracy_a", "accuracy_b", ""), ("mean_x", "mean_y", "mean"))


def value_or_none(test: Any, name: str) -> Any:
    """Return the value of a step or an input; None if the test has no such step, or was started from summaries without this value."""
    try:
        return getattr(test, name) if name in type(test).steps or name in type(test).inputs else None
    except NotStated:
        return None


def plan_text(test: Any) -> str:
    """Return the plan of training and testing in words; empty if there was no plan, or if the plan is unknown."""
    if (results := source_scores(test)) is not None:
        return plan_without_comma(results.actual_plan)
    plan, n, ratio = getattr(type(test), "plan", None), value_or_none(test, "n"), value_or_none(test, "test_train_ratio")
    if plan is None or (n is not None and np.size(value_or_none(test, "d")) not in (1, plan.splits)):
        return ""
    if plan.kind == "hold-out" if ratio is None else abs(float(ratio) - plan.test_train_ratio) > 1e-9:
        return ""  # no plan is reported if the sizes of the test sets differ from the plan, or are unknown for a hold-out
    return plan_without_comma(plan)


def plan_without_comma(plan: Any) -> str:
    """Return a plan in words without a comma.

    >>> import fstats
    >>> plan_without_comma(fstats.CalibratedFiveByTwoF.plan)
    '5 x 2-fold cross-validation (block-regularized)'
    """
    first, _, rest = str(plan).partition(", ")
    return f"{first} ({rest})" if rest else first


def source_scores(test: Any) -> Any:
    """Return the scores on splits from which a test was made; None if the test was made from other data."""
    return getattr(test.__dict__.get("_source"), "results", None)


def scores_part(test: Any) -> str:
    """Return the scores of A and of B with their standard deviations, in words; empty if the scores are unknown."""
    if not isinstance(test, TwoClassifiers):
        return ""
    score_pair = _score_pair(test)
    if score_pair is None:
        return ""
    name, scores, deviations, over = score_pair
    if not all(np.ndim(score) == 0 for score in scores):
        return ""
    a, b = (
        f"{format_plain(score)} of {side}" + (f" (standard deviation {format_plain(deviation)}{over})" if deviation is not None else "")
        for score, side, deviation in zip(scores, test.sides, deviations)
    )
    return f"{name} {a} and {b}"


def _score_pair(test: Any) -> tuple[str, list[Any], list[Any], str] | None:
    """Return the name of the scores, the scores and standard deviations of A and B, and a text such as " over 10 splits"."""
    source = test.__dict__.get("_source")
    if (results := source_scores(test)) is not None:
        splits = [np.reshape(score, (results.plan.splits, -1)) for score in (results.score_a, results.score_b)]
        if splits[0].shape[1] > 1:
            return None
        deviations = [scores.std(ddof=1) if results.plan.splits > 1 else None for scores in splits]
        return f"mean {source.scoring}", [scores.mean() for scores in splits], deviations, f" over {results.plan.splits} splits"
    if (records := value_or_none(source, "records") if source is not None else None) is not None:
        return "accuracy", [source.correct_a / records, source.correct_b / records], [None, None], ""
    for first, second, word in SCORE_STEP_PAIRS:
        scores = [value_or_none(test, name) for name in (first, second)]
        if all(score is not None for score in scores):
            deviations = [value_or_none(test, name.replace("mean", "sd")) if word else None for name in (first, second)]
            return (test.compared if word else test.compares), scores, deviations, ""
    inputs = [test.__dict__.get(name) for name in test.scored]
    if not isinstance(test, ScoreProcedure) or not all(isinstance(x, np.ndarray) and x.ndim == 1 and x.dtype.kind == "f" for x in inputs):
        return None
    if not inputs[1].any():  # if the second input is all 0, the first input holds differences and not scores
        return None
    average, word = (np.mean, "mean") if "mean" in getattr(test, "compares", "") else (np.median, "median")
    return f"{word} {test.__dict__.get('metric', DEFAULT_METRIC_NAME)}", [average(x) for x in inputs], [None, None], ""


def setup_sentence(test: Any) -> str:
    """Return the setup as a sentence with all known parts: metric, plan, seeds, models with their settings, and versions."""
    return f"Setup: {'; '.join(f'{name} {value}' if name else value for name, value in _setup_items(test))}."


def _setup_items(test: Any) -> Iterator[tuple[str, str]]:
    source, stored = test.__dict__.get("_source"), stored_setup(test)
    procedure = test if isinstance(test, ScoreProcedure) else source
    metric = stored.get("metric") or getattr(source, "scoring", None)
    metric = metric or (procedure.__dict__.get("metric") if procedure is not None else None)
    if metric in (None, DEFAULT_METRIC_NAME) and isinstance(test, TwoClassifiers) and not isinstance(test, ScoreProcedure):
        metric = getattr(test, "compares", None)
    lower = isinstance(procedure, ScoreProcedure) and not procedure.__dict__.get("higher_is_better", True)
    if metric not in (None, DEFAULT_METRIC_NAME):
        yield "metric", f"{metric}{LOWER_IS_BETTER_TEXT if lower else ''}"
    elif lower:
        yield "", "lower is better"
    if plan := plan_text(test):
        yield "plan", plan
    if source_scores(test) is not None:
        yield "seed", str(source.rng)
        yield "models", " and ".join(f"{side} = {model}" for side, model in zip(test.sides, (source.model_a, source.model_b)))
    yield from ((name, value) for name, value in stored.items() if name not in ("metric", "versions", "unit"))
    yield "", stored.get("versions") or ", ".join(f"{name} {version}" for name, version in versions("numpy", "scipy").items())


def stored_setup(test: Any) -> Mapping[str, str]:
    """Return the setup stored in the results from which a test, or a preceding test, was made."""
    while test is not None:
        if setup := test.__dict__.get("_setup"):
            return dict(setup)
        test = test.__dict__.get("_source")
    return {}
