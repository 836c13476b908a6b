"""Leave out rows that summarize other rows: means, medians, mean ranks, wins."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from . import column_names as names
from .cell_numbers import decimal_places
from .reading_plan import ReadingPlan, as_list

SUMMARY_WORDS = {
    *(
        "mean",
        "average",
        "avg",
        "median",
        "overall",
        "total",
        "best",
        "worst",
        "rank",
        "std",
        "drop",
        "gain",
        "gap",
        "delta",
        "improvement",
    ),
}


def leave_out_summary_rows(plan: ReadingPlan) -> None:
    """Leave out rows that summarize other rows, such as means and mean ranks, and rows without any cell."""
    repetitions = [([head], "summaries of the other lines") for head in (*plan.fold, *as_list(plan.seed))]
    for heads, what in ((plan.data_set, "summaries of the other lines"), (plan.classifier, "no classifiers"), *repetitions):
        if len(heads) == 1 and not (what == "no classifiers" and plan.columns[heads[0]].reason == "stated"):
            cells = plan.names(heads[0])
            turned = plan.options.turned
            summaries = {cell for cell in {*cells} if names.is_summary_line(cell) or (turned and _has_summary_word(cell))}
            if what == "no classifiers" and _are_methods(plan, summaries):
                continue
            dropped = [row for row in plan.rows if cells[row] in summaries] if summaries else []
            if dropped and len(dropped) < len(plan.rows):
                plan.rows = [row for row in plan.rows if row not in {*dropped}]
                plan.doubts.append(f"Left out as {what}: {', '.join(dict.fromkeys(repr(cells[row]) for row in dropped))}.")
    _leave_out_empty_rows(plan)
    _leave_out_computed_rows(plan)


def _are_methods(plan: ReadingPlan, found: Collection[str]) -> bool:
    """Return whether classifiers named Mean or Median hold numbers outside those of all others somewhere, so that they are methods."""
    keys = list(zip(*(plan.read_names(head) for head in (*plan.data_set, *plan.fold)))) or [()] * len(plan.rows)
    cells, numbers = plan.read_names(plan.classifier[0]), {head: plan.numbers(head) for head in plan.scores}
    if not found or not {cell.lower() for cell in found} <= {"mean", "median", "average", "max", "min"}:
        return False
    for values in numbers.values():
        for key in set(keys):
            rest = [x for x, cell, other in zip(values, cells, keys) if other == key and cell not in found and x == x]
            own = [x for x, cell, other in zip(values, cells, keys) if other == key and cell in found and x == x]
            if rest and own and (max(own) > max(rest) or min(own) < min(rest)):
                return True
    return False


def _has_summary_word(name: str) -> bool:
    """Return whether the name of a row that was a column, such as "Mean F1" or "Performance drop", has a word for a summary."""
    return names.is_summary_heading(name) or not SUMMARY_WORDS.isdisjoint(names.words_of(name))


def _leave_out_empty_rows(plan: ReadingPlan) -> None:
    """Leave out rows of a table of several columns of scores that hold no score at all."""
    heads = list(plan.scores)
    empty = [row for row in plan.rows if all((x := plan.parsed(head).numbers[row]) is not None and x != x for head in heads)]
    if len(heads) > 1 and empty and not plan.classifier and len(empty) < len(plan.rows):
        plan.rows = [row for row in plan.rows if row not in {*empty}]
        plan.doubts.append(f"Left out, because they hold no score: {plan.sheet.rows(empty)}.")


def _leave_out_computed_rows(plan: ReadingPlan) -> None:
    """Leave out a last row of a wide table that holds the means (or medians, or mean ranks) of the rows above, whatever its name."""
    heads = list(plan.scores)
    if plan.classifier or plan.fold or plan.seed or plan.metric is not None or len(heads) < 2 or len(plan.rows) < 4:
        return
    table = np.array([plan.numbers(head) for head in heads]).T
    body, last = table[:-1], table[-1]
    if not np.isfinite(body).all() or not np.isfinite(last).all():
        return
    step = 10.0 ** -min(6, max(decimal_places(plan.sheet[head][plan.rows[-1]]) for head in heads))
    if step < body.std(0).min() / 5 and any(
        np.abs(value - last).max() <= step * 0.51 for value in (body.mean(0), np.median(body, 0), body.sum(0))
    ):
        row = plan.rows.pop()
        name = plan.names(plan.data_set[0])[row] if plan.data_set else str(plan.sheet.numbers[row])
        plan.doubts.append(f"The last line {name!r} was left out: it holds the means, medians or sums of the lines above.")
