"""Drop the summary rows of a table.

Summary rows hold means, medians, mean ranks or wins of the other rows.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from itertools import permutations

import numpy as np

from ...core.value_types import Array
from . import column_names as names
from .cell_numbers import decimal_places
from .rank_columns import note_directions, ranks_on_lines
from .reading_plan import ReadingPlan, as_list, left_out

QUANTILE = re.compile(r"\d+(?:\.\d+)?\s?%")  # names such as '25%' of the rows of quantiles that DataFrame.describe of pandas returns


def leave_out_summary_rows(plan: ReadingPlan) -> None:
    """Leave out rows that summarize other rows, such as means and mean ranks, and rows without any cell."""
    repetitions = [([head], "summaries of the other lines") for head in (*plan.fold, *as_list(plan.seed))]
    for heads, what in ((plan.data_set, "summaries of the other lines"), (plan.classifier, "no classifiers"), *repetitions):
        if len(heads) == 1 and not (what == "no classifiers" and plan.columns[heads[0]].reason == "stated"):
            cells = plan.names(heads[0])
            summaries = {cell for cell in {*cells} if names.is_summary_line(cell) or (plan.options.turned and _has_summary_word(cell))}
            if len(summaries) > 1 and {*cells} > summaries and all(map(QUANTILE.fullmatch, {*cells} - summaries)):
                raise ValueError(
                    f"{plan.sheet.name} must hold scores; got only statistics of scores ({', '.join(dict.fromkeys(cells))}). Write a line "
                    "for each data set or fold."
                )
            if summaries and heads in (plan.data_set, plan.classifier):
                compared = _names_of_scores(plan, heads[0], summaries)
                # if one of these names of classifiers is a summary, all of them are
                if compared and not (what == "no classifiers" and len(compared) < len(summaries)):
                    summaries -= {*compared}
                    plan.doubts.append(
                        f"The name {', '.join(map(repr, compared))} is that of a summary, but its numbers are not computed from the "
                        "others: it was compared."
                    )
            dropped = [row for row in plan.rows if cells[row] in summaries] if summaries else []
            if dropped and len(dropped) < len(plan.rows):
                plan.rows = [row for row in plan.rows if row not in {*dropped}]
                plan.doubts.append(f"Left out as {what}: {', '.join(dict.fromkeys(repr(cells[row]) for row in dropped))}.")
                note_directions(plan, dropped)
    _leave_out_empty_rows(plan)
    _leave_out_computed_rows(plan)


def _names_of_scores(plan: ReadingPlan, head: str, found: Collection[str]) -> list[str]:
    """Return the names such as Mean or total that are those of classifiers, or of data sets above other data sets, and not of summaries.

    Their numbers lie among the scores of the other names, and are not computed from these scores.
    """
    keys, cells = plan.lines_of([other for other in plan.keys if other != head]), plan.read_names(head)
    columns = {key: k for k, key in enumerate(dict.fromkeys(keys))}
    listed = list(dict.fromkeys(cells))
    tables = []
    for score in plan.scores:
        table = np.full((len(listed), len(columns)), np.nan)
        for key, cell, value in zip(keys, cells, plan.numbers(score)):
            table[listed.index(cell), columns[key]] = value
        tables.append(table)
    tables = tables if plan.classifier else [np.hstack(tables)]
    step = 10.0 ** -max(decimal_places(cell) for score in plan.scores for cell in plan.sheet[score])
    others, centres = [k for k, name in enumerate(listed) if name not in found], names.known_words("spread", "centres")
    compared = []
    for k, name in enumerate(listed):
        is_method = head in plan.classifier
        if name in found and (is_method or (k < max(others) and not centres & {*names.words_of(name)})):
            above = [j for j in others if j < k]
            near = others if is_method or len(above) < 3 else above  # rows below may be further summaries
            last = max((j for j in range(k) if listed[j] in found), default=-1) + 1  # a mean may be that of the lines directly above
            blocks = [near, *[[*range(last, k)]] * (k - last > 1)]
            compared += [name] * all(
                np.isfinite(table[k]).any()
                and is_among(table[k], table[near])
                and not any(is_summary_of(table[k], table[block], step) for block in blocks)
                for table in tables
            )
    return compared


def is_among(cells: Array, others: Array) -> bool:
    """Return whether the median of numbers lies in the range of other numbers, and none is outside by more than the width of the range."""
    low, high = np.nanmin(others), np.nanmax(others)
    return bool(low <= np.nanmedian(cells) <= high and np.nanmin(cells) >= 2 * low - high and np.nanmax(cells) <= 2 * high - low)


def summaries(table: Array) -> dict[str, Array]:
    """Return the largest, smallest, mean, ... number of each column of a table, each with its name."""
    found = {"largest": table.max(0), "smallest": table.min(0), "mean": table.mean(0), "median": np.median(table, 0)}
    found |= {"standard deviation": table.std(0, ddof=1)} if len(table) > 1 else {}
    return found | {"population standard deviation": table.std(0)} | ({"variance": table.var(0, ddof=1)} if len(table) > 2 else {})


def is_summary_of(cells: Array, others: Array, step: float) -> bool:
    """Return whether most numbers are a mean, median, extreme, sum, spread or difference of the other numbers of their line.

    The numbers may differ by the rounding step.
    """
    kinds = [*summaries(others).values(), others.sum(0), *(one - other for one, other in permutations(others[:20], 2))]
    known = np.isfinite(others).all(0) & np.isfinite(cells)
    return bool(known.any()) and any((np.abs(kind - cells)[known] <= 1.1 * step).mean() >= 0.75 for kind in kinds)


def _has_summary_word(name: str) -> bool:
    """Return whether the name of a row contains a word for a summary, such as "Mean F1" or "Performance drop"."""
    return names.is_summary_heading(name) or not names.known_words("summary").isdisjoint(names.words_of(name))


def _leave_out_empty_rows(plan: ReadingPlan) -> None:
    """Leave out rows that hold no score, if the table has several columns of scores."""
    heads = list(plan.scores)
    empty = [row for row in plan.rows if all((x := plan.parsed(head).numbers[row]) is not None and x != x for head in heads)]
    if len(heads) > 1 and empty and not plan.classifier and len(empty) < len(plan.rows):
        plan.rows = [row for row in plan.rows if row not in {*empty}]
        plan.doubts.append(f"Left out, because they hold no score: {plan.sheet.rows(empty)}.")
        if plan.data_set:
            found = [", ".join(plan.names(head)[row] for head in plan.data_set) for row in empty]
            plan.changes.append(left_out("lines", found, len(plan.rows) + len(empty), "they hold no score"))


def _leave_out_computed_rows(plan: ReadingPlan) -> None:
    """Leave out the last rows of a wide table that are computed from the rows above (means, mean ranks, ...); their names do not matter."""
    heads = list(plan.scores)
    both = plan.data_set and plan.fold
    if plan.classifier or both or plan.seed or plan.metric is not None or len(heads) < 2 or len(plan.rows) < 4:
        return
    table = np.array([plan.numbers(head) for head in heads]).T
    earliest = max(3, len(table) - 6)
    steps = [10.0 ** -min(6, max(decimal_places(plan.sheet[head][row]) for head in heads)) for row in plan.rows[earliest:]]
    for first in range(earliest, len(table)):
        body = table[:first]
        computed = [_is_computed(body, line, step) for line, step in zip(table[first:], steps[first - earliest :])]
        if computed[0] and all(known or _is_outside(body, line) for known, line in zip(computed, table[first:])):
            break
    else:
        return
    plan.rows, dropped = plan.rows[:first], plan.rows[first:]
    note_directions(plan, dropped)
    keys = [*plan.data_set, *plan.fold]
    cells = plan.names(keys[0]) if keys else list(map(str, plan.sheet.numbers))
    listed, several = ", ".join(repr(cells[row]) for row in dropped), len(dropped) > 1
    plan.doubts.append(
        f"The last line{'s' * several} {listed} {'were' if several else 'was'} left out: {'they hold' if several else 'it holds'} the "
        "means, medians, sums, spreads, wins or mean ranks of the lines above."
    )


def _is_outside(body: Array, line: Array) -> bool:
    """Return whether each number of a row is below or above all numbers of its column in the rows above."""
    return bool(np.isfinite(body).all() and ((line < body.min(0)) | (line > body.max(0))).all())


def _is_computed(body: Array, line: Array, step: float) -> bool:
    """Return whether a row holds a summary of the rows above: means, medians, sums, standard deviations, mean ranks or wins.

    The numbers may differ by the rounding step.
    """
    if not np.isfinite(body).all() or not np.isfinite(line).all():
        return False
    outside, k = _is_outside(body, line), body.shape[1]
    if not outside and step >= body.std(0).min() / 5:
        return False
    values = [body.mean(0), np.median(body, 0), body.sum(0), *([np.exp(np.log(body).mean(0))] if (body > 0).all() else ())]
    within = line.min() >= 1 and line.max() <= k
    if within:
        values += [ranks.mean(1) for ranks in ranks_on_lines(body.T)]
    if outside:
        best = (body == extreme for extreme in (body.max(1, keepdims=True), body.min(1, keepdims=True)))
        values += [body.std(0), body.std(0, ddof=1), *(wins.sum(0) for wins in best)]
        # mean ranks of scores before rounding may differ from mean ranks after rounding, but have the same sum
        if k > 2 and within and abs(line.sum() - k * (k + 1) / 2) <= 0.51 * k * step:
            return True
    return any(np.abs(value - line).max() <= step * (0.51 + (k > 2) / 2 / len(body) ** 0.5) for value in values)
