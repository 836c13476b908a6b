"""Score entries from the cells of a table and a reading plan, and signs that the plan is wrong."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import count
from math import isinf

import numpy as np

from ...core.metric_direction import DEFAULT_METRIC_NAME, is_loss_metric
from ...core.numerics.average_ranks import average_ranks
from .cell_numbers import ONE_COMMA
from .column_names import FOLD_HEADING, SEED_HEADING, is_score_heading, is_value_heading
from .reading_plan import IGNORED, SINGLE, CellPlace, ReadingPlan, ScoreEntry, as_list, some
from .reading_question import ReadingQuestion
from .wide_columns import is_numbered_series, numbered_groups

FORM_NOTES = {
    "marks": "Signs beside numbers (bold, stars, daggers) were taken off {} cell{}.",
    "%": "Percent signs were taken off {} cell{}.",
    "comma": "Commas were read as decimal commas in {} cell{}.",
    "thousands": "Separators of thousands were taken out of {} cell{}.",
    "failed": "{} cell{} with a word for a failure, such as timeout, {} counted as missing.",
}


def read_entries(plan: ReadingPlan) -> list[ScoreEntry]:
    """Return the scores row by row."""
    check_cells(plan)
    entries = list(_iterate_entries(plan))
    _note_forms(plan)
    _check_names(plan, entries)
    _ask_about_ranks(plan, entries)
    _doubt_directions(plan, entries)
    if plan.sheet.line != "row" and len(found := {entry.classifier for entry in entries}) == 1:
        plan.doubts.append(f"There is only one classifier, {found.pop()!r}: a comparison needs at least two.")
    return entries


def _iterate_entries(plan: ReadingPlan) -> Iterator[ScoreEntry]:
    sheet, rows = plan.sheet, plan.rows
    # True if each row of a classifier has another metric
    measures = plan.metric is not None and plan.is_unique([*plan.classifier, *as_list(plan.metric)])
    single = not plan.data_set and (measures or bool(plan.fold or plan.seed))  # True if all rows belong to one data set
    if single and not measures:
        _check_unique_folds(plan)
    data_sets = _joined(plan, plan.data_set) or (["1"] * len(rows) if single else [str(k + 1) for k in range(len(rows))])
    empty = [""] * len(rows)
    classifiers = _joined(plan, plan.classifier) or empty
    metrics = plan.read_names(plan.metric) if plan.metric is not None else empty
    seeds = plan.read_names(plan.seed) if plan.seed else empty
    lines = list(zip(data_sets, classifiers, metrics, seeds, strict=True))
    folds = _fold_of_rows(plan, lines)
    if plan.renumber:
        folds, seeds = _renumber(plan, lines, folds)
    several = len(plan.scores) > 1
    for head, part in plan.scores.items():
        numbers = plan.parsed(head).numbers
        values = [numbers[row] for row in rows]
        for row, value in zip(rows, values):
            if value is None or isinf(value):
                raise ValueError(
                    f"a score must be a finite number; got {str(sheet[head][row])!r} in {sheet.place(row, head)}: correct the cell, or "
                    "name the columns that hold scores by scores=[...]"
                )
        measured = [f"{metric} {part.metric}".strip() for metric in metrics] if several and plan.metric is not None else metrics
        yield from map(
            ScoreEntry._make,
            zip(
                data_sets,
                [part.classifier] * len(rows) if part.classifier else classifiers,
                [part.fold] * len(rows) if part.fold else folds,
                [part.seed] * len(rows) if part.seed else seeds,
                measured if plan.metric is not None else [part.metric] * len(rows),
                values,
                [CellPlace(sheet, row, head) for row in rows],
            ),
        )


def _joined(plan: ReadingPlan, heads: Sequence[str]) -> list[str]:
    """Return one name for each row: the cells of the given columns, joined by commas."""
    return [", ".join(cells) for cells in plan.lines_of(heads)] if heads else []


def _fold_of_rows(plan: ReadingPlan, lines: Sequence[tuple[str, str, str, str]]) -> list[str]:
    """Return the name of the fold of each row.
    If no column names the folds, the rows with equal names are the folds 1, 2, ...; each name must have equally many rows.

    If there is a column of seeds, an error asks about rows with equal names.
    """
    sheet = plan.sheet
    if plan.fold:
        return _joined(plan, plan.fold)
    counts = Counter(lines)
    if len(counts) == len(lines):
        return [SINGLE] * len(lines)
    even = len(set(counts.values())) == 1
    seeded = plan.seed is not None or any(part.seed for part in plan.scores.values())
    if seeded and plan.renumber:
        return [SINGLE] * len(lines)
    # without seeds, equally many rows for each data set of a DataFrame are folds
    if seeded or (not plan.classifier and not (even and sheet.counted)):
        duplicate = next(line for line, number in counts.items() if number > 1)
        names = ", ".join(filter(None, [*duplicate[:3], f"seed {duplicate[3]}" * bool(duplicate[3])]))
        rows = [row for row, line in zip(plan.rows, lines) if line == duplicate]
        telling = [
            head
            for head, column in plan.columns.items()
            if column.role == IGNORED and plan.is_unique([*plan.keys, head]) and len({*plan.read_names(head)}) < len(plan.rows)
        ]
        if telling:
            cells = plan.read_names(telling[0])
            raise ReadingQuestion(
                f"{sheet.name} must have one line for {names}; got {sheet.rows(rows)}, which differ in {telling[0]!r} ({some(cells)}). "
                f"Write fold={telling[0]!r} to average the lines, where={{{telling[0]!r}: {cells[0]!r}}} to read only some, or "
                f"data_set={[*plan.data_set, telling[0]]!r} if each combination is a data set of its own"
            )
        raise ReadingQuestion(
            f"{sheet.name} must have one line for {names}, because no column holds the number of the fold; got {sheet.rows(rows)}: keep "
            "one line, or number the folds in a column 'fold' (another name by fold=)"
        )
    if not even:
        line, most = counts.most_common(1)[0]
        raise ReadingQuestion(
            f"{sheet.name} must have equally many lines for each name, because no column holds the number of the fold; got {most} for "
            f"{', '.join(filter(None, line))} and {min(counts.values())} for another name: add a column 'fold', or name the column by fold="
        )
    numbers = {line: count(1) for line in counts}
    return [str(next(numbers[line])) for line in lines]


def _renumber(plan: ReadingPlan, lines: Sequence[tuple[str, str, str, str]], folds: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return new names of the folds and the seeds: the folds (or the seeds) of each classifier on each data set become 1, 2, ..."""
    numbers: dict[tuple[str, ...], dict[str, str]] = {}
    named = [line[3] for line in lines] if plan.renumber == "seed" else folds
    renamed = []
    for line, name in zip(lines, named):
        known = numbers.setdefault(line[:3], {})
        renamed.append(known.setdefault(name, str(len(known) + 1)))
    if all(len(known) == 1 for known in numbers.values()):
        renamed = [SINGLE] * len(lines)
    return (list(folds), renamed) if plan.renumber == "seed" else (renamed, [line[3] for line in lines])


def _check_unique_folds(plan: ReadingPlan) -> None:
    """Raise an error if a pair of fold and seed occurs twice and no column names the data sets."""
    heads = plan.keys
    lines = plan.lines_of(heads)
    line = Counter(lines).most_common(1)[0][0]
    rows = [row for row, other in zip(plan.rows, lines) if other == line]
    if len(rows) > 1:
        cells = ", ".join(f"{head} {cell}" for head, cell in zip(heads, line))
        raise ReadingQuestion(
            f"{plan.sheet.name} must have one line for {cells}, because no column names the data set; got {plan.sheet.rows(rows)}, and the "
            f"columns {', '.join(plan.sheet.heads)}: add a column 'data set', or name the column by data_set= (folds and seeds are not "
            "data sets)"
        )


# -- cells -------------------------------------------------------------------------------------------------------------------
def check_cells(plan: ReadingPlan) -> None:
    """Raise an error for a second number in cells, unless the sign ± says that it is a spread, or `cells` says to take the first number."""
    if plan.options.cells not in (None, "mean"):
        raise ValueError(f"cells must be 'mean', to read the number before ± or brackets; got {plan.options.cells!r}")
    read = {*plan.rows}
    if plan.sheet.decimal == "," and (point := _decimal_point_among_commas(plan)):
        raise ValueError(
            f"all numbers must be written in one way; got a point in {point}, but decimal commas in other numbers: nothing says whether "
            "the point separates thousands or decimals"
        )
    if plan.sheet.decimal == "." and (commas := _mixed_commas(plan)):
        raise ValueError(
            f"all numbers must be written in one way; got a comma with three digits in {commas}, and decimal commas in other numbers: "
            "nothing says whether commas separate thousands or decimals"
        )
    found = [(head, row, form) for head in plan.scores for form in "([" for row in plan.parsed(head).forms.get(form, ()) if row in read]
    total = len(found) + sum(len(plan.parsed(head).forms.get("±", ())) for head in plan.scores)
    remarks = bool(found) and all(plan.parsed(head).spreads.get(row) is None for head, row, _ in found)
    what = "a number and a remark" if remarks else "two numbers"
    if found and len(found) == len(plan.scores) * len(plan.rows) and _holds_ranks(plan):
        for head in plan.scores:
            plan.parsed(head).spreads.clear()
        plan.notes.append(f"{total} cells hold two numbers: the second is the rank of the first on its line, and did not count.")
        return
    if found and plan.options.cells is None:
        head, row, _ = found[0]
        cell = str(plan.sheet[head][row])
        inside = "a spread, an interval, or a count, such as the number of failed folds"
        raise ReadingQuestion(
            f"a cell must hold one number, but {cell!r} holds {what} ({plan.sheet.place(row, head)}; number of these cells: {len(found)}). "
            f"Nothing says what stands in brackets: {inside}. Write cells='mean' to read the number before the brackets, or keep one "
            "number in each cell"
        )
    if total:
        every = total == len(plan.scores) * len(plan.rows)
        second = (
            "the second stands beside it as its spread"
            if every and what == "two numbers"
            else f"the {'remark' if remarks else 'second'} did not count" + ", because not every cell has one" * (not every)
        )
        plan.notes.append(f"{total} cells hold {what}: the first was read as the score, and {second}.")


def _holds_ranks(plan: ReadingPlan) -> bool:
    """Return whether the second number of each cell is the rank of the first number on its line, from either end."""
    values = np.array([[plan.parsed(head).numbers[row] for head in plan.scores] for row in plan.rows], dtype=float)
    seconds = np.array([[plan.parsed(head).spreads.get(row, np.nan) for head in plan.scores] for row in plan.rows], dtype=float)
    if len(plan.scores) < 3 or len(plan.rows) < 2 or not np.isfinite(values).all():
        return False
    return any(np.array_equal(average_ranks(sign * values, axis=1), seconds) for sign in (1, -1))


def _decimal_point_among_commas(plan: ReadingPlan) -> CellPlace | None:
    """Return the place of a number with a point and three digits, such as 1.234, if other numbers have decimal commas."""
    cells = [(head, row, str(plan.sheet[head][row])) for head in plan.scores for row in plan.rows]
    if not any(re.fullmatch(r"[-+]?\d+,\d+", cell.strip()) for _, _, cell in cells):
        return None
    return next(
        (CellPlace(plan.sheet, row, head) for head, row, cell in cells if re.fullmatch(r"[-+]?[1-9]\d{0,2}\.\d{3}", cell.strip())), None
    )


def _mixed_commas(plan: ReadingPlan) -> CellPlace | None:
    """Return the place of a number such as 1,234 if other numbers have decimal commas."""
    read = {*plan.rows}
    if not any(read.intersection(plan.parsed(head).forms.get("comma", ())) for head in plan.scores):
        return None
    cells = ((head, row) for head in plan.scores for row in plan.parsed(head).forms.get("thousands", ()) if row in read)
    return next((CellPlace(plan.sheet, row, head) for head, row in cells if ONE_COMMA.search(str(plan.sheet[head][row]))), None)


def _note_forms(plan: ReadingPlan) -> None:
    """Add notes on the signs that were removed from cells, such as percent signs."""
    read = {*plan.rows}
    for form, text in FORM_NOTES.items():
        number = sum(len(read.intersection(plan.parsed(head).forms.get(form, ()))) for head in plan.scores)
        if number:
            plan.notes.append(text.format(number, "s" * (number > 1), "were" if number > 1 else "was"))


# -- checks of the numbers -----------------------------------------------------------------------------------------------------
def _check_names(plan: ReadingPlan, entries: Sequence[ScoreEntry]) -> None:
    """Raise an error, or add a doubt, if data sets have names of folds, or if their names differ only by a number (iris_1 and iris_2)."""
    data_sets = list(dict.fromkeys(entry.data_set for entry in entries))
    _ask_about_fold_names(plan, data_sets)
    _doubt_groups(plan, data_sets)
    groups = {stem: group for stem, group in numbered_groups(data_sets).items() if stem and len(group) > 1}
    covered = sum(map(len, groups.values()))
    if len(groups) < 2 or not plan.data_set or plan.options.numbered == "classifiers":
        return
    series = all(is_numbered_series(list(group.values())) for group in groups.values())
    equal = len({frozenset(group.values()) for group in groups.values()}) == 1
    example = [name for group in groups.values() for name in group][:4]
    if series and equal and covered == len(data_sets) and plan.columns[plan.data_set[0]].reason != "stated":
        raise ReadingQuestion(
            f"in {plan.sheet.name}, the names of the data sets {', '.join(example)}, ... differ only by a number at the end: they seem to "
            f"be repetitions on {len(groups)} data sets, not {len(data_sets)} data sets. Write data_set={plan.data_set[0]!r} if each is a "
            "data set of its own; otherwise number the repetitions in a column 'fold' beside the name of the data set"
        )
    plan.doubts.append(
        f"The data sets {', '.join(example)} differ only by a number at the end: each was read as a data set of its own; tests need "
        "independent data sets, not repetitions."
    )


def _ask_about_fold_names(plan: ReadingPlan, data_sets: Sequence[str]) -> None:
    """Raise an error if all data sets have names of folds or seeds, such as fold_0 and fold_1."""
    if len(data_sets) < 2 or len(plan.data_set) != 1 or plan.columns[plan.data_set[0]].reason == "stated":
        return
    head, seeds = plan.data_set[0], all(map(SEED_HEADING.fullmatch, data_sets))
    # a name such as "s1" may mean a subject instead of a split
    if seeds or all(FOLD_HEADING.fullmatch(name) and name[1].isalpha() for name in data_sets):
        role = "seed" if seeds and head else "fold"
        raise ReadingQuestion(
            f"in {plan.sheet.name}, the lines {some(data_sets)} have names of {role}s, not of data sets: write {role}={head!r} to read "
            f"them as {role}s of one data set, or data_set={head!r} if each line is a data set of its own"
        )


def _doubt_groups(plan: ReadingPlan, data_sets: Sequence[str]) -> None:
    """Add a doubt if the table holds a data set and also its parts, such as mmlu, mmlu_stem and mmlu_humanities."""
    parts_of: dict[str, list[str]] = {name: [] for name in data_sets}
    for part in data_sets:
        for separator in re.finditer("[_:/-]", part):
            parts_of.get(part[: separator.start()], []).append(part)
    for name, parts in parts_of.items():
        if len(parts) > 1:
            plan.doubts.append(
                f"The data set {name} stands beside {some(parts)}: it seems to be their mean, which would count them twice. Leave out "
                "the mean or its parts, by results.select(data_sets=[...])."
            )


def _doubt_directions(plan: ReadingPlan, entries: Sequence[ScoreEntry]) -> None:
    """Add a doubt about the direction of a metric if its name is unknown and its numbers may be costs or errors."""
    if plan.options.higher_is_better is not None:
        return
    found: dict[str, list[float]] = {}
    for entry in entries:
        if entry.value == entry.value and not entry.metric.endswith("is better)"):
            name = entry.metric or (plan.metric_name if plan.options.metric == DEFAULT_METRIC_NAME else plan.options.metric)
            found.setdefault(name, []).append(entry.value)
    # True if the table is neither a DataFrame nor a file that Results.to_csv has written
    stranger = plan.sheet.line != "row" and plan.sheet.heads[:2] != ["data set", "classifier"]
    large = [name for name, x in found.items() if max(map(abs, x)) > 100 and (is_value_heading(name) or not is_score_heading(name))]
    low = [name for name, x in found.items() if stranger and name not in large and _may_be_errors(name, x)]
    for listed, what in ((large, "numbers above 100"), (low, "its numbers" if len(low) == 1 else "their numbers")):
        if listed:
            plan.doubts.append(
                f"Higher {some(listed)} is assumed to be better: {what} may be costs or errors. Write higher_is_better=False "
                "if lower is better, or True."
            )


def _may_be_errors(name: str, values: Sequence[float]) -> bool:
    """Return whether the numbers of a metric with an unknown name are not proportions, or are mostly small, as errors are."""
    x = np.array(values)
    if not is_value_heading(name):
        return not is_score_heading(name) and not is_loss_metric(name) and bool(x.min() < 0 or x.max() > 1 or np.median(x) < 0.5)
    return len(x) >= 12 and bool(x.min() < 0 or np.median(x) < (1 if x.max() <= 1 else 100) / 3)


def _ask_about_ranks(plan: ReadingPlan, entries: Sequence[ScoreEntry]) -> None:
    """Raise an error that asks for the direction if the numbers on each data set are the ranks 1, 2, ..., k."""
    if plan.options.higher_is_better is not None:
        return
    tables: dict[tuple[str, str, str, str], list[float]] = {}
    for entry in entries:
        if entry.value == entry.value:
            tables.setdefault((entry.metric, entry.data_set, entry.fold, entry.seed), []).append(entry.value)
    for metric in dict.fromkeys(key[0] for key in tables):
        lines = [np.sort(values) for key, values in tables.items() if key[0] == metric]
        k = max(map(len, lines))
        if k < 3 or len(lines) < 2 or "rank" in f"{metric} {plan.options.metric}".lower():
            continue
        ranks = all(
            line[0] >= 1 and line[-1] <= (n := len(line)) and np.isclose(line.sum(), n * (n + 1) / 2, rtol=0, atol=0.011 * n)
            for line in lines
        )
        if ranks and any(len({*line.tolist()}) == k for line in lines):
            whole = all((2 * line % 1 == 0).all() for line in lines)
            ranks_held = f"the ranks 1 to {k}" if whole else f"mean ranks of {k} classifiers"
            raise ReadingQuestion(
                f"in {plan.sheet.name}, every line holds {ranks_held}: write higher_is_better=False if rank 1 is the best, or True if rank "
                f"{k} is the best. If possible, pass the scores, from which the tests compute ranks with ties"
            )
