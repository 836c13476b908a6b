"""What each of two classifiers scored, by which plan, and the setup of an experiment: what a paper tells beside the test itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from ..core.classifier_pair import TwoClassifiers
from ..core.metric_direction import DEFAULT_METRIC_NAME, LOWER_IS_BETTER_TEXT, ScoreProcedure
from ..core.number_format import format_plain
from ..core.step import NotStated
from ..runtime.library_versions import versions

# Steps that hold what A and what B scored, and what that is in words; without words it is the metric of the test.
SCORE_STEP_PAIRS = (("metric_a", "metric_b", ""), ("auc_a", "auc_b", ""), ("accuracy_a", "accuracy_b", ""), ("mean_x", "mean_y", "mean"))


def value_or_none(test: Any, name: str) -> Any:
    """The value of a step or an input, or None where the test has none or was started from summaries that do not tell it."""
    try:
        return getattr(test, name) if name in type(test).steps or name in type(test).inputs else None
    except NotStated:
        return None


def plan_text(test: Any) -> str:
    """The plan by which algorithms were trained and tested; empty where there was none, or nobody said which."""
    if (results := source_scores(test)) is not None:
        return plan_without_comma(results.actual_plan)
    plan, n, ratio = getattr(type(test), "plan", None), value_or_none(test, "n"), value_or_none(test, "test_train_ratio")
    if plan is None or (n is not None and np.size(value_or_none(test, "d")) not in (1, plan.splits)):
        return ""
    if plan.kind == "hold-out" if ratio is None else abs(float(ratio) - plan.test_train_ratio) > 1e-9:
        return ""  # how many records tested is not said, or it was another share
    return plan_without_comma(plan)


def plan_without_comma(plan: Any) -> str:
    """A plan in words without a comma.

    >>> import fstats
    >>> plan_without_comma(fstats.CalibratedFiveByTwoF.plan)
    '5 x 2-fold cross-validation (block-regularized)'
    """
    first, _, more = str(plan).partition(", ")
    return f"{first} ({more})" if more else first


def source_scores(test: Any) -> Any:
    """The scores on splits that a test was made from; None where there are none."""
    return getattr(test.__dict__.get("_source"), "results", None)


def scores_part(test: Any) -> str:
    """What A and what B scored, and how far that strays; empty where it is not known."""
    if not isinstance(test, TwoClassifiers):
        return ""
    found = _score_pair(test)
    if found is None:
        return ""
    what, scores, spreads, over = found
    if not all(np.ndim(score) == 0 for score in scores):
        return ""
    (a, b), strays = test.sides, [f" (standard deviation {format_plain(spread)}{over})" if spread is not None else "" for spread in spreads]
    return f"{what} {format_plain(scores[0])} of {a}{strays[0]} and {format_plain(scores[1])} of {b}{strays[1]}"


def _score_pair(test: Any) -> tuple[str, list[Any], list[Any], str] | None:
    """What is told, of A and of B, their standard deviations and over what these are."""
    source = test.__dict__.get("_source")
    if (results := source_scores(test)) is not None:
        splits = [np.reshape(score, (results.plan.splits, -1)) for score in (results.score_a, results.score_b)]
        if splits[0].shape[1] > 1:
            return None
        spreads = [one.std(ddof=1) if results.plan.splits > 1 else None for one in splits]
        return f"mean {source.scoring}", [one.mean() for one in splits], spreads, f" over {results.plan.splits} splits"
    if (records := value_or_none(source, "records") if source is not None else None) is not None:
        return "accuracy", [source.correct_a / records, source.correct_b / records], [None, None], ""
    for first, second, word in SCORE_STEP_PAIRS:
        scores = [value_or_none(test, name) for name in (first, second)]
        if all(score is not None for score in scores):
            spreads = [value_or_none(test, name.replace("mean", "sd")) if word else None for name in (first, second)]
            return (test.compared if word else test.compares), scores, spreads, ""
    inputs = [test.__dict__.get(name) for name in test.scored]
    if not isinstance(test, ScoreProcedure) or not all(isinstance(x, np.ndarray) and x.ndim == 1 and x.dtype.kind == "f" for x in inputs):
        return None
    middle, word = (np.mean, "mean") if "mean" in getattr(test, "compares", "") else (np.median, "median")
    return f"{word} {test.__dict__.get('metric', DEFAULT_METRIC_NAME)}", [middle(x) for x in inputs], [None, None], ""


def setup_sentence(test: Any) -> str:
    """The setup as a sentence: metric, plan, seeds, models with their settings, and versions, as far as they are known."""
    return f"Setup: {'; '.join(f'{what} {told}' if what else told for what, told in _setup_items(test))}."


def _setup_items(test: Any) -> Iterator[tuple[str, str]]:
    source, kept = test.__dict__.get("_source"), stored_setup(test)
    one = test if isinstance(test, ScoreProcedure) else source
    metric = kept.get("metric") or getattr(source, "scoring", None) or (one.__dict__.get("metric") if one is not None else None)
    if metric in (None, DEFAULT_METRIC_NAME) and isinstance(test, TwoClassifiers) and not isinstance(test, ScoreProcedure):
        metric = getattr(test, "compares", None)
    lower = isinstance(one, ScoreProcedure) and not one.__dict__.get("higher_is_better", True)
    if metric not in (None, DEFAULT_METRIC_NAME):
        yield "metric", f"{metric}{LOWER_IS_BETTER_TEXT if lower else ''}"
    elif lower:
        yield "", "lower is better"
    if plan := plan_text(test):
        yield "plan", plan
    if source_scores(test) is not None:
        yield "seed", str(source.rng)
        yield "models", " and ".join(f"{side} = {model}" for side, model in zip(test.sides, (source.model_a, source.model_b)))
    yield from ((what, told) for what, told in kept.items() if what not in ("metric", "versions"))
    yield "", kept.get("versions") or ", ".join(f"{name} {version}" for name, version in versions("numpy", "scipy").items())


def stored_setup(test: Any) -> Mapping[str, str]:
    """The setup that results remember, of a test on them or after such a test."""
    while test is not None:
        if found := test.__dict__.get("_setup"):
            return dict(found)
        test = test.__dict__.get("_source")
    return {}
