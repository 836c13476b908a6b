"""Scores in two units: shares of 1 beside percent, and numbers whose points or commas may separate thousands."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from math import nan

import numpy as np

from ...core.metric_direction import DEFAULT_METRIC_NAME, is_loss_metric
from .cell_numbers import ONE_COMMA, POINTS
from .column_names import is_count_heading, known_words, words_of
from .reading_plan import CellPlace, ReadingPlan, ScoreEntry, some

APART = 10  # least ratio of the smallest percentage to the largest share of 1, because few scores are below 10 %


def unify_units(plan: ReadingPlan, entries: list[ScoreEntry]) -> list[ScoreEntry]:
    """Return the scores in one unit if the user says that some are shares of 1; add a doubt if some may be, and nothing says so."""
    named = {metric: metric or plan.metric_name for metric in sorted({one.metric for one in entries})}
    shares = {metric: found for metric, name in named.items() if (found := _shares(name, metric, entries))}
    if plan.options.units == "same":
        return entries
    for metric, found in shares.items():
        name, percent = named[metric], [one for one in entries if one.metric == metric and one.value > 1]
        of_all = f"of {len(found) + len(percent)} numbers of {name!r}"
        if plan.options.units == "percent":
            plan.remarks.append(f"{len(found)} {of_all} were shares of 1, and were read as percent: {_places(found)}.")
            plan.changes.append(plan.remarks[-1])
        else:
            few, where, others = (found, "at most", "above") if len(found) <= len(percent) else (percent, "above", "at most")
            is_apart = not {x.classifier for x in found} & {x.classifier for x in percent}
            if is_apart and plan.options.scores:
                continue  # the user has said that these columns are the scores
            # if whole classifiers seem to differ in the unit, units='same' is not offered
            may_be_same = ", or units='same' if all are in one unit" * (not is_apart)
            plan.mixed_units[name] = (
                f"{len(few)} {of_all} are {where} 1 ({_places(few)}), and all others {others} 1, as if some scores were shares and others "
                f"percent. Write units='percent' to read all as percent{may_be_same}"
            )
            plan.doubts.append(f"{plan.mixed_units[name]}.")
    if plan.options.units is None:
        return entries
    plan.rescaled = {(one.place.head, one.place.row) for found in shares.values() for one in found if isinstance(one.place, CellPlace)}
    changed = {one[:5] for found in shares.values() for one in found}
    # without rounding, 100 * 0.57 would be 56.99999999999999
    return [one._replace(value=round(100 * one.value, 10)) if one[:5] in changed and one.value <= 1 else one for one in entries]


def divide_counts(plan: ReadingPlan) -> None:
    """Divide counts, such as those of right answers, by the number of records that another column holds for each line."""
    others, words = [head for head in plan.columns if head not in plan.scores], known_words("counted", "other_counts")
    sizes = [head for head in others if is_count_heading(head) and not words & {*words_of(head)} and plan.is_whole(head)]
    sizes = [head for head in sizes if plan.columns[head].reason != "stated"]
    if plan.options.metric != DEFAULT_METRIC_NAME or plan.metric is not None:
        return
    for metric in dict.fromkeys(part.metric for part in plan.scores.values()):
        heads, name = [head for head, part in plan.scores.items() if part.metric == metric], metric or plan.metric_name
        counts = np.array([plan.numbers(head) for head in heads])
        fitting = [size for size in sizes if (counts <= plan.numbers(size)).all()]
        fitting = [size for size in fitting if {"test", "total"} & {*words_of(size)}] or fitting
        if known_words("counted").isdisjoint(words_of(name)) or not all(map(plan.is_whole, heads)) or not counts.max() > 1:
            continue
        if not fitting:
            plan.doubts.append(f"The counts of {name} were compared as they are, although they grow with the number of records.")
            continue
        if len(fitting) > 1:
            ways = " or ".join(f"ignore={size!r}" for size in fitting)
            raise plan.question(
                f"{name!r} must be divided by a number of records; got several such columns, {some(fitting)}. Write {ways} to divide by "
                "another"
            )
        totals, of_all = plan.parsed(fitting[0]).numbers, f"{name} / {fitting[0]}"
        for head in heads:
            plan.parsed(head).numbers[:] = [x / (n or nan) if x is not None else x for x, n in zip(plan.parsed(head).numbers, totals)]
            plan.scores[head] = plan.scores[head]._replace(metric=metric and of_all)
        plan.metric_name = plan.metric_name if metric else of_all
        plan.doubts.append(f"The counts of {name} were divided by the numbers of records in {fitting[0]!r}, line by line.")


def _shares(name: str, metric: str, entries: Sequence[ScoreEntry]) -> list[ScoreEntry]:
    """Return the scores of a metric that seem to be shares of 1 beside percent; none if all scores have one unit."""
    words = {*words_of(name)}
    if is_loss_metric(name) and (not words & known_words("error_shares") or {"squared", "absolute", "mean"} & words):
        return []
    found = [one for one in entries if one.metric == metric and one.value == one.value]
    values = np.array([one.value for one in found])
    small, large = values[values <= 1], values[values > 1]
    if not small.size or not large.size or values.min() < 0 or values.max() > 100 or not (small % 1).any():
        return []
    is_apart = large.min() >= APART * small.max() and 100 * np.median(small) >= large.min() / 2
    return [one for one in found if one.value <= 1] if is_apart else []


def _places(found: Sequence[ScoreEntry]) -> str:
    """Return where scores are: their data sets, or their classifiers if these are fewer."""
    data_sets, classifiers = {one.data_set for one in found}, {one.classifier for one in found}
    return some([one.data_set if len(data_sets) <= len(classifiers) else one.classifier for one in found])


def ask_about_thousands(plan: ReadingPlan, columns: Mapping[str, str]) -> None:
    """Raise an error if a metric has scores such as 2.005 and whole numbers such as 739, and nothing says what points or commas mean.

    The mapping gives the metric of each column.
    """
    for mark, name, form in ((".", "points", POINTS), (",", "commas", ONE_COMMA)):
        stated = getattr(plan.options, name)
        cells: dict[str, list[str]] = {}
        for head, metric in columns.items() if stated is None and (mark == "." or plan.sheet.decimal == ",") else ():
            texts = (cell.strip() for cell in (plan.sheet[head][row] for row in plan.rows) if isinstance(cell, str))
            cells.setdefault(metric, []).extend(cell for cell in texts if re.search(r"\d", cell))
        for found in cells.values():
            marked, whole = [cell for cell in found if form.fullmatch(cell)], [cell for cell in found if cell.isdigit()]
            if marked and len(marked) + len(whole) == len(found) and any(int(cell) >= 100 for cell in whole):
                raise plan.question(
                    f"the {name} in numbers such as {marked[0]} may separate thousands or decimals: {marked[0]} "
                    f"stands beside {next(cell for cell in whole if int(cell) >= 100)}. Write {name}='thousands' if {marked[0]} means "
                    f"{marked[0].replace(mark, '')}, or {name}='decimals' if not"
                )
