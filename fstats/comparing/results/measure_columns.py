"""Detect tables whose columns are not classifiers.

Tables with columns of metrics, predictions or counts are refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ...core.metric_direction import DEFAULT_METRIC_NAME, is_loss_metric
from ...core.validation.pandas_labels import normalize_name
from . import column_names as names
from .cell_numbers import parse_column
from .metric_headings import are_loss_functions
from .reading_plan import IGNORED, ColumnScores, ReadingOptions, ReadingPlan, some
from .reading_question import ReadingQuestion
from .tabular_data import TabularData

POWERS = {"absolute error": 1, "squared error": 2}  # maps a metric to the power of the absolute errors


def ask_about_names_of_metrics(plan: ReadingPlan) -> None:
    """Raise an error if most columns of a wide table have names of metrics, not of classifiers; if only a few have, note a doubt."""
    free = [head for head, part in plan.scores.items() if part == ColumnScores(classifier=head)]
    heads = [head for head in free if names.is_metric_name(head)]
    if (plan.options.metric != DEFAULT_METRIC_NAME and not plan.metric) or plan.options.turned or are_loss_functions(free):
        return
    words = {head: {*names.words_of(head)} for head in free}
    common = set.intersection(*words.values()) if len(words) > 1 else set()
    measured = [head for head in free if names.known_words("measures") & (words[head] - common)]
    measures = [head for head in free if head in heads or head in measured or names.is_spread_heading(head)]
    # the columns are metrics of one classifier, if most headings name metrics, or if some name scores and others name losses
    if len(measures) * 2 > len(plan.scores) or len({*map(is_loss_metric, heads)}) > 1:
        raise _no_classifiers(plan, measures, free)
    if heads:
        plan.doubts.append(
            f"Columns with names of metrics were read as classifiers: {some(heads)}. Write ignore={heads!r} to leave them out."
        )


def errors_of_predictions(sheet: TabularData, options: ReadingOptions) -> tuple[TabularData, ReadingOptions]:
    """Return a table with the errors of the predictions of numbers, if the user states this metric; other tables unchanged."""
    truths = [head for head in sheet.heads if names.truth_rank(head) == 0]
    numeric = [head for head in sheet.heads if head not in truths and parse_column(sheet[head], sheet.decimal).is_numeric]
    heads = _predictions([head for head in numeric if not (names.is_identifier_heading(head) or names.is_count_heading(head))])
    if options.metric not in POWERS or len(truths) != 1 or len(heads) < 2:
        return sheet, options
    true, *predicted = (parse_column(sheet[head], sheet.decimal).numbers for head in [*truths, *heads])
    power, named = POWERS[options.metric], next((head for head in sheet.heads if names.is_identifier_heading(head)), None)
    records = [*map(str, range(1, len(true) + 1))] if named is None else sheet[named]
    pairs = [[(x, y) for x, y in zip(column, true, strict=True)] for column in predicted]
    errors = [["" if x is None or y is None else repr(round(abs(x - y) ** power, 10)) for x, y in column] for column in pairs]
    sheet = replace(sheet, heads=["record", *names.short_names(heads, names.is_prediction_heading)], columns=[records, *errors])
    note = f"The scores are the {options.metric}s of the predictions of {truths[0]!r}."
    return replace(sheet, notes=(*sheet.notes, note)), replace(options, data_set="record", ignore=None)


def _predictions(heads: Sequence[str]) -> list[str]:
    """Return the headings that name predictions; all headings if none does."""
    return [head for head in heads if names.is_prediction_heading(head)] or [*heads]


def refuse_predictions(plan: ReadingPlan) -> None:
    """Raise an error if a column holds the true labels of single examples, so that the other columns hold predictions or counts."""
    for head in [head for head in plan.sheet.heads if head in plan.free or plan.columns[head].reason != "stated"]:
        name, cells = normalize_name(head), plan.read_names(head)
        repeated = len({*cells}) < len(cells) or any(map(names.is_prediction_heading, plan.free))
        predicted = _predictions([other for other in plan.free if other != head and plan.has_decimals(other)])
        is_named = name in names.known_words("true_labels", "names") or any(map(names.is_prediction_heading, predicted))
        known = names.truth_rank(head) == 0 and (is_named or not plan.has_decimals(head))
        if known and len(predicted) > 1 and plan.has_decimals(head) and all(map(names.is_identifier_heading, plan.data_set)):
            raise plan.question(
                f"the column {head!r} ({some(cells)}) holds the true numbers, beside predictions. Write metric='absolute error' to compare "
                f"the absolute errors of {some(predicted)} on the records, or metric='squared error' for the squared errors"
            )
        if known and (name.startswith(("y_", "true", "gr")) or repeated):
            raise plan.question(
                f"the column {head!r} ({some(cells)}) seems to hold the true labels of single examples, beside "
                "predictions. Compute scores first, such as the accuracy of each classifier on each data set, or pass the predictions to "
                f"McNemar's test. Write ignore={head!r} if the other columns hold scores"
            )


def ask_about_several_measures(plan: ReadingPlan) -> None:
    """Raise an error if columns such as raw_auc, tpr@0.01 and fpr@0.01 hold several measures, but not each of them for each classifier."""
    free = plan.numeric
    if plan.options.turned or plan.options.metric != DEFAULT_METRIC_NAME or len(free) < 3 or are_loss_functions(free):
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
    ways += [f"scores={[*free]!r} if each of these columns is a classifier"] * (len(free) > 1 and names.bare_measures(free) != [*free])
    return plan.question(
        f"no column names the classifiers, and the columns of metrics ({some(measures)}) are not classifiers. Write {', or '.join(ways)}"
    )
