"""Detect tables whose columns are not classifiers.

Tables with columns of metrics, predictions or counts are refused.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...core.metric_direction import DEFAULT_METRIC_NAME, is_loss_metric
from ...core.validation.pandas_labels import normalize_name
from . import column_names as names
from .reading_plan import IGNORED, ColumnScores, ReadingPlan, some
from .reading_question import ReadingQuestion


def ask_about_names_of_metrics(plan: ReadingPlan) -> None:
    """Raise an error if most columns of a wide table have names of metrics, not of classifiers; if only a few have, note a doubt."""
    free = [head for head, part in plan.scores.items() if part == ColumnScores(classifier=head)]
    heads = [head for head in free if names.is_metric_name(head)]
    if (plan.options.metric != DEFAULT_METRIC_NAME and not plan.metric) or plan.options.turned or names.are_loss_functions(free):
        return
    words = {head: {*names.words_of(head)} for head in free}
    common = set.intersection(*words.values()) if len(words) > 1 else set()
    measures = [
        head for head in free if head in heads or names.is_spread_heading(head) or names.known_words("measures") & (words[head] - common)
    ]
    # the columns are metrics of one classifier, if most headings name metrics, or if some name scores and others name losses
    if len(measures) * 2 > len(plan.scores) or len({*map(is_loss_metric, heads)}) > 1:
        raise _no_classifiers(plan, measures, free)
    if heads:
        plan.doubts.append(
            f"Columns with names of metrics were read as classifiers: {some(heads)}. Write ignore={heads!r} to leave them out."
        )


def refuse_predictions(plan: ReadingPlan) -> None:
    """Raise an error if a column holds the true labels of single examples, so that the other columns hold predictions or counts."""
    for head in [head for head in plan.sheet.heads if head in plan.free or plan.columns[head].reason != "stated"]:
        name, cells = normalize_name(head), plan.read_names(head)
        repeated = len({*cells}) < len(cells) or any(map(names.is_prediction_heading, plan.free))
        known = names.truth_rank(head) == 0 and (name in names.known_words("true_labels", "names") or not plan.has_decimals(head))
        if known and (name.startswith(("y_", "true", "gr")) or repeated):
            raise plan.question(
                f"the column {head!r} ({some(cells)}) seems to hold the true labels of single examples, beside "
                "predictions. Compute scores first, such as the accuracy of each classifier on each data set, or pass the predictions to "
                f"McNemar's test. Write ignore={head!r} if the other columns hold scores"
            )


def ask_about_several_measures(plan: ReadingPlan) -> None:
    """Raise an error if columns such as raw_auc, tpr@0.01 and fpr@0.01 hold several measures, but not each of them for each classifier."""
    free = [head for head in plan.free if plan.is_numeric(head)]
    if plan.options.turned or plan.options.metric != DEFAULT_METRIC_NAME or len(free) < 3 or names.are_loss_functions(free):
        return
    measures = [head for head in free if names.score_words(head)]
    table = [np.array(plan.numbers(head)) for head in free]
    below = [head for head, x in zip(free, table) if np.nanmax(x) < 0]
    if measures and below and all(np.nanmin(x) >= 0 or head in below for head, x in zip(free, table)) and len(below) < len(free):
        raise _no_classifiers(plan, [*measures, *below], free)
    if (len(measures) * 3 > len(free) and names.are_several_measures(free)) or names.bare_measures(free):
        raise _no_classifiers(plan, measures, free)


def _no_classifiers(plan: ReadingPlan, measures: Sequence[str], free: Sequence[str]) -> ReadingQuestion:
    """Return an error: the columns are metrics, and no column names the classifiers."""
    texts = [head for head, column in plan.columns.items() if column.role in (IGNORED, "data set") and plan.is_text(head)]
    groups = [f"classifier={head!r} if its cells name them" for head in texts if plan.varies(head) and not plan.is_unique([head])]
    perhaps = f" ({' or '.join(map(repr, texts[:3]))}?)" * bool(texts)
    ways = groups[:3] or [f"classifier= with the column of classifiers{perhaps}"]
    ways += [f"scores={[*free]!r} if each of these columns is a classifier"] * (len(free) > 1)
    return plan.question(
        f"no column names the classifiers, and the columns of metrics ({some(measures)}) are not classifiers: a "
        f"comparison needs a score of each classifier on each data set. Write {', or '.join(ways)}"
    )
