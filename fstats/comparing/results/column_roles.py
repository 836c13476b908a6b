"""Assign a role to each column of a table: data set, classifier, fold, seed, metric, spread, scores, or ignored.

What the user states comes first, then exact names of columns, then parts of names, then the values.  Where two readings are possible,
an error names both, and the argument that chooses each.  A wide table has a column for each classifier; a long table has a column that
names the classifier of each row.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np

from ...core.metric_direction import is_loss_metric
from ...core.validation.name_suggestions import format_names_by_similarity
from ...core.validation.pandas_labels import FOLDS, OLD_INDEX, REPETITIONS, RUNS, is_seed_name, normalize_name
from . import column_names as names
from .cell_numbers import MISSING_VALUES, decimal_places
from .reading_plan import IGNORED, Column, ReadingOptions, ReadingPlan, Scores
from .tabular_input import TabularData
from .wide_columns import SEED_LIKE_HEADING, plan_score_columns

RUN_AS_FOLD = "run, counted as a fold"  # a column "run" may number splits or seeds
MAX_COLUMNS = 3_000  # more columns than this are no classifiers
FOLD_HEADING = re.compile(r"(?:fold|split|cv)[ _-]?(\d+)(?:_test_\w+)?", re.IGNORECASE)  # a column with the scores of one fold
SEED_HEADING = re.compile(r"(?:seed|random[ _]state)[ _-]?(\d+)", re.IGNORECASE)  # a column with the scores of one seed


def plan_reading(sheet: TabularData, options: ReadingOptions) -> ReadingPlan:
    """Return the plan by which a table is read, or raise an error with a question."""
    _check_sheet(sheet)
    if options.turned:
        sheet = sheet.turned()
    plan = ReadingPlan(sheet, options, rows=list(range(len(sheet.columns[0]) if sheet.columns else 0)), notes=list(sheet.notes))
    _apply_stated_roles(plan)
    _ignore_empty_columns(plan)
    is_long = _find_classifiers(plan)
    _find_parts(plan)
    _find_data_sets(plan, is_long)
    if is_long:
        _find_long_scores(plan)
    else:
        plan_score_columns(plan)
    _leave_out_summary_rows(plan)
    _check_plan(plan)
    if is_long:
        _ask_what_tells_rows_apart(plan)
    _check_repetition_names(plan)
    return plan


def as_list(heads: Sequence[str] | str | None) -> list[str]:
    """Return a single name, several names or None as a list."""
    return [heads] if isinstance(heads, str) else list(heads or ())


def _check_sheet(sheet: TabularData) -> None:
    if duplicates := [head for head, number in Counter(sheet.heads).items() if number > 1]:
        raise ValueError(
            f"{sheet.name} must have different headings; got {duplicates[0]!r} more than once: give each column its own heading (two lines "
            "of headings must be joined into one)"
        )
    if len(sheet.heads) > MAX_COLUMNS:
        raise ValueError(f"{sheet.name} must have at most {MAX_COLUMNS} columns; got {len(sheet.heads)}: is each column a classifier?")


# -- what the user states --------------------------------------------------------------------------------------------------------
def _apply_stated_roles(plan: ReadingPlan) -> None:
    options, sheet = plan.options, plan.sheet
    where = dict(options.where or {})
    pairs = [(head, "data set") for head in as_list(options.data_set)]
    pairs += [(head, "classifier") for head in as_list(options.classifier)]
    pairs += [(head, repetition_role(head, stated=True)) for head in as_list(options.fold)]
    pairs += [(head, "seed") for head in as_list(options.seed)]
    pairs += [(head, IGNORED) for head in as_list(options.ignore)]
    for head in [*(head for head, _ in pairs), *as_list(options.scores), *where]:
        if head not in sheet.heads:
            raise ValueError(f"{sheet.name} has no column {head!r}; {format_names_by_similarity(str(head), sheet.heads)}")
    for head, value in where.items():
        _select_rows(plan, head, [value] if isinstance(value, str) or not hasattr(value, "__iter__") else list(value))
    for head, role in pairs:
        if head in plan.columns:
            raise ValueError(
                f"a column of {sheet.name} must have one role; got {head!r} as {plan.columns[head].role} and as {role}: state this column once"
            )
        plan.give(head, role, "stated")
    plan.data_set, plan.classifier, plan.fold = as_list(options.data_set), as_list(options.classifier), as_list(options.fold)
    plan.seed, plan.folds_stated = options.seed, bool(options.fold)


def _select_rows(plan: ReadingPlan, head: str, values: Sequence[Any]) -> None:
    """Keep the rows whose cell in a column is one of the values."""
    cells, wanted = plan.names(head), [str(value) for value in values]
    numbers = {value for value in (_as_number(value) for value in wanted) if value is not None}
    kept = [row for row in plan.rows if cells[row] in wanted or (numbers and _as_number(cells[row]) in numbers)]
    if not kept:
        raise ValueError(
            f"{plan.sheet.name}: no line has {' or '.join(wanted)} in the column {head!r}; "
            f"{format_names_by_similarity(wanted[0], list(dict.fromkeys(cells)))}"
        )
    if len(kept) < len(plan.rows):
        plan.notes.append(f"Only the {len(kept)} of {len(plan.rows)} lines with {head} = {' or '.join(wanted)} were read, as stated by where=.")
    plan.rows = kept
    plan.give(head, f"only {' or '.join(wanted)}", "stated by where=")


def _as_number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _ignore_empty_columns(plan: ReadingPlan) -> None:
    listed = as_list(plan.options.scores)
    for head in plan.free:
        if head in listed:
            continue
        cells = plan.read_names(head)
        if (head == "" or OLD_INDEX.fullmatch(head)) and cells and all(cell == "" for cell in cells):
            plan.give(head, IGNORED, "it is empty")
        elif (head == "" or OLD_INDEX.fullmatch(head)) and _is_row_number_column(plan, head):
            plan.give(head, IGNORED, "it numbers the lines")


def _is_row_number_column(plan: ReadingPlan, head: str) -> bool:
    """Return whether a column holds different whole numbers and no negative numbers."""
    numbers = plan.numbers(head)
    return len({number for number in numbers if number >= 0 and float(number).is_integer()}) == len(numbers)


# -- classifiers and data sets ---------------------------------------------------------------------------------------------------
def _find_classifiers(plan: ReadingPlan) -> bool:
    """Find the column that names the classifier of each row; return whether there is one, so that the table is long."""
    if plan.classifier:
        return True
    listed, sheet = as_list(plan.options.scores), plan.sheet
    ranked = [(rank, head) for head in plan.free if head not in listed and (rank := names.classifier_rank(head)) >= 0 and not _has_decimals(plan, head)]
    if not ranked:
        return False if len(listed) > 1 else _find_unnamed_classifiers(plan)
    best = min(rank for rank, _ in ranked)
    found = [head for rank, head in ranked if rank == best]
    varying = [head for head in found if len({*plan.read_names(head)}) > 1] or found[:1]
    finest = [head for head in varying if all(plan.depends_on(other, [head]) for other in varying)]
    if not finest:
        first, second = varying[:2]
        raise ValueError(
            f"{sheet.name} has columns {' and '.join(map(repr, varying))}: both may name the classifier. Write classifier={first!r} or "
            f"classifier={second!r}; or classifier=[{first!r}, {second!r}] if a classifier is a combination of both"
        )
    _ask_whether_turned(plan, finest[0])
    _set_classifier(plan, finest[0], "its name")
    return True


def _set_classifier(plan: ReadingPlan, head: str, reason: str) -> None:
    plan.classifier = [head]
    plan.give(head, "classifier", reason)


def _has_decimals(plan: ReadingPlan, head: str) -> bool:
    return plan.is_numeric(head) and not plan.is_whole(head)


def _find_unnamed_classifiers(plan: ReadingPlan) -> bool:
    """Decide whether a table without a usual name for classifiers is long, from columns of text whose pairs name each row."""
    texts = [head for head in plan.free if plan.is_text(head) and not _is_part(plan, head)]
    named = [head for head in plan.free if names.data_set_rank(head) >= 0 and not _has_decimals(plan, head)]
    numeric = [head for head in plan.free if plan.is_numeric(head) and head not in named]
    others = [head for head in texts if head not in named and len({*plan.read_names(head)}) > 1]
    first = plan.data_set or sorted(named, key=names.data_set_rank)[:1]
    if not numeric or not others or (first and not _repeats(plan, first)):
        return False  # a row for each data set
    parts = [head for head in plan.free if _is_part(plan, head)]
    if first:
        fitting = [head for head in others if not plan.depends_on(head, first) and _is_unique(plan, [*first, head, *parts])]
        if len(fitting) == 1:
            _set_classifier(plan, fitting[0], f"with {first[0]!r} it names each line once")
            plan.doubts.append(f"The column {fitting[0]!r} was taken for the classifiers; if it is not, write classifier= with another column.")
            return True
        return False
    if len(others) < 2 or not _repeats(plan, others[:1]) or not _repeats(plan, others[1:2]):
        return False
    a, b = others[:2]
    raise ValueError(
        f"{plan.sheet.name}: the columns {a!r} ({_some(plan.read_names(a))}) and {b!r} ({_some(plan.read_names(b))}) hold names, and no "
        f"heading says which are the data sets: write data_set={a!r}, classifier={b!r}, or data_set={b!r}, classifier={a!r}"
    )


def _is_part(plan: ReadingPlan, head: str) -> bool:
    return names.is_metric_heading(head) or names.is_repetition_heading(head) or is_seed_name(head) or bool(_partitions(plan, head))


def _repeats(plan: ReadingPlan, heads: Sequence[str]) -> bool:
    return not _is_unique(plan, heads)


def _is_unique(plan: ReadingPlan, heads: Sequence[str]) -> bool:
    return len({*plan.lines_of(heads)}) == len(plan.rows)


def _some(cells: Sequence[str]) -> str:
    found = list(dict.fromkeys(cells))
    return ", ".join(found[:3]) + ", ..." * (len(found) > 3)


def _ask_whether_turned(plan: ReadingPlan, head: str) -> None:
    """Raise an error if each row is a classifier and the other columns seem to be the data sets."""
    if plan.options.turned or plan.data_set or _repeats(plan, [head]) or any(names.data_set_rank(other) >= 0 for other in plan.free if other != head):
        return
    numeric = [other for other in plan.free if other != head and plan.is_numeric(other)]
    metrics = [other for other in numeric if names.is_score_heading(other)]
    if any(_is_part(plan, other) for other in plan.free) or len(plan.rows) < 2:
        return
    if len(numeric) > 1 and len(metrics) * 2 < len(numeric):
        raise ValueError(
            f"{plan.sheet.name} seems to be turned: each line is one {head!r} ({_some(plan.read_names(head))}), and the columns "
            f"{_some(numeric)} seem to be data sets. Write turned=True to read a column for each data set; otherwise name the column of "
            "data sets by data_set="
        )
    if numeric:
        raise ValueError(
            f"{plan.sheet.name} has one line for each {head!r} ({_some(plan.read_names(head))}) and no column with the data set; the columns "
            f"are {', '.join(plan.sheet.heads[:8])}: a comparison needs the scores on each data set. Name the column of data sets by "
            "data_set=, or write turned=True if each column is a data set"
        )


def _find_data_sets(plan: ReadingPlan, is_long: bool) -> None:
    """Find the column that names the data sets."""
    if plan.data_set:
        return
    listed = as_list(plan.options.scores)
    free = [head for head in plan.free if head not in listed]
    ranked = sorted((rank, k) for k, head in enumerate(free) if (rank := names.data_set_rank(head)) >= 0 and not _has_decimals(plan, head))
    found = [free[k] for _, k in ranked]
    weak = [head for head in found if names.data_set_rank(head) >= 300]
    texts = [head for head in free if plan.is_text(head) and head not in found]
    if (found and found == weak and texts and free.index(texts[0]) < free.index(weak[0])) and not is_long:
        found = []
    varying = [head for head in found if len({*plan.read_names(head)}) > 1]
    if found:
        chosen = (varying or found)[0]
        plan.data_set = [chosen]
        plan.give(chosen, "data set", "its name")
        return
    if is_long:
        _find_unnamed_data_sets(plan, [head for head in texts if len({*plan.read_names(head)}) > 1] or texts[:1])
    elif free and (free[0] == "" or not plan.is_numeric(free[0])) and any(value is None for value in plan.parsed(free[0]).numbers):
        plan.data_set = [free[0]]
        plan.give(free[0], "data set", "the first column holds names")
        _ask_about_names_of_classifiers(plan, free)
    elif free and plan.columns.get("", Column("", "")).reason == "it numbers the lines" and not plan.fold and plan.seed is None:
        plan.notes.append("No column names the data sets: each line was read as one data set.")


def _find_unnamed_data_sets(plan: ReadingPlan, texts: Sequence[str]) -> None:
    """Take the only column of text for the data sets of a long table; ask if there are several."""
    finest = [head for head in texts if all(plan.depends_on(other, [head]) for other in texts)]
    if len(texts) == 1 or finest:
        (head,) = finest[:1] or texts[:1]
        plan.data_set = [head]
        plan.give(head, "data set", "the only other column of names" if len(texts) == 1 else "it determines the other columns of names")
        plan.doubts.append(f"The column {head!r} was taken for the data sets; if it is not, write data_set= with another column.")
    elif texts:
        raise ValueError(
            f"{plan.sheet.name} has a column {plan.classifier[0]!r} and other columns of names, {', '.join(map(repr, texts))}, but no heading "
            f"says which of them names the data sets: write data_set={texts[0]!r} or data_set={texts[1]!r}"
        )
    elif not (plan.fold or plan.seed):
        raise ValueError(
            f"{plan.sheet.name} has a column {plan.classifier[0]!r}, so a line for each score, but no column with the data set; the columns "
            f"are {', '.join(plan.sheet.heads)}: name the column of data sets by data_set="
        )


def _ask_about_names_of_classifiers(plan: ReadingPlan, free: Sequence[str]) -> None:
    """Raise an error if the first column holds names of classifiers, so that the table seems to be turned."""
    lines, heads = plan.read_names(free[0]), [head for head in free[1:] if plan.is_numeric(head)]
    if free[0] and names.data_set_rank(free[0]) >= 0:
        return
    classifiers, others = names.looks_like(lines, "classifiers"), names.looks_like(heads, "classifiers")
    if classifiers >= 2 and classifiers > len(lines) / 3 and (not others or names.looks_like(heads, "data_sets") > others):
        raise ValueError(
            f"{plan.sheet.name} seems to be turned: the lines {_some(lines)} have names of classifiers, and the columns {_some(heads)} seem "
            f"to be data sets. Write turned=True to read a column for each data set, or data_set={free[0]!r} to read a line for each data set"
        )


# -- folds, seeds, metrics, parts of the data ------------------------------------------------------------------------------------
def repetition_role(head: str, stated: bool = False) -> str:
    """Return the role of a column that numbers folds or repetitions."""
    name = normalize_name(head)
    if name in REPETITIONS:
        return "repetition"
    return "fold" if stated or (name.startswith(FOLDS) and name not in RUNS and "seed" not in name) else RUN_AS_FOLD


def _partitions(plan: ReadingPlan, head: str) -> set[str]:
    """Return the words for parts of the data, such as train and test, if a column holds nothing else."""
    if plan.is_numeric(head):
        return set()
    cells = {*plan.read_names(head)}
    return cells if cells and cells == names.partition_words(cells) else set()


def _find_parts(plan: ReadingPlan) -> None:
    """Find the columns of metrics, folds, seeds, and parts of the data such as train and test."""
    listed = as_list(plan.options.scores)
    for head in [head for head in plan.free if head not in listed]:
        if parts := _partitions(plan, head):
            if len(parts) > 1:
                options = " or ".join(f"where={{{head!r}: {part!r}}}" for part in sorted(parts))
                raise ValueError(
                    f"{plan.sheet.name}: the column {head!r} holds scores of different parts of the data, {', '.join(sorted(parts))}, which "
                    f"must not be averaged: choose one, {options}"
                )
            plan.give(head, IGNORED, f"it is {parts.pop()!r} on all lines")
        elif plan.metric is None and plan.is_text(head) and _holds_metrics(plan, head):
            plan.metric = head
            plan.give(head, "metric", "its name" if names.is_metric_heading(head) else "its cells are names of metrics")
    repeated = [head for head in plan.free if head not in listed and names.is_repetition_heading(head) and not _has_decimals(plan, head)]
    if not plan.fold:
        plan.fold = repeated or [head for head in plan.sheet.folds if head in plan.free]
        for head in plan.fold:
            plan.give(head, repetition_role(head), "its name" if head in repeated else "the other levels of the index have names")
    seeds = [head for head in plan.free if is_seed_name(head) and head not in listed]
    if len(both := [*([plan.seed] if plan.seed else []), *seeds]) > 1 and not listed:
        raise ValueError(
            f"{plan.sheet.name} has columns {' and '.join(map(repr, both))}, but only one can hold the seed of training: name it by seed=, a "
            "column that numbers splits by fold=, and columns of scores by scores=[...]"
        )
    if plan.seed is None and seeds:
        plan.seed = seeds[0]
        plan.give(seeds[0], "seed", "its name")


def _holds_metrics(plan: ReadingPlan, head: str) -> bool:
    if names.is_metric_heading(head):
        return True
    cells = {*plan.read_names(head)}
    return 1 < len(cells) <= 12 and all(names.is_score_heading(cell) for cell in cells) and names.classifier_rank(head) < 0


# -- scores of long tables -------------------------------------------------------------------------------------------------------
def _find_long_scores(plan: ReadingPlan) -> None:
    """Find the columns of scores of a long table, and ignore numbers that describe data sets, classifiers or lines."""
    listed, sheet = as_list(plan.options.scores), plan.sheet
    if listed:
        for head in listed:
            plan.scores[head] = Scores(metric="" if plan.metric and len(listed) == 1 else head)
            plan.give(head, "scores", "stated")
        for head in plan.free:
            plan.give(head, IGNORED, "scores= names other columns")
        return
    if _find_numbered_parts(plan):
        return
    for head in plan.free:
        if plan.is_text(head) or all(cell == "" for cell in plan.read_names(head)):
            plan.give(head, IGNORED, "it holds text" if plan.is_text(head) else "it is empty")
    free = plan.free
    for head in free:
        if names.is_spread_heading(head) and any(other != head and not names.is_spread_heading(other) for other in free):
            plan.give(head, f"spread of {names.without_spread(head) or 'the scores'}", "its name")
    seed_like = next((head for head in plan.free if SEED_LIKE_HEADING.search(head) and not is_seed_name(head)), "")
    if seed_like and len(plan.free) > 1:
        raise ValueError(
            f"{sheet.name}: the column {seed_like!r} seems to number seeds, not to hold scores: write seed={seed_like!r} for seeds of "
            f"training, fold={seed_like!r} for seeds of splits, or name the columns of scores by scores=[...]"
        )
    valued = [head for head in plan.free if names.is_value_heading(head)]
    recognized = [head for head in plan.free if names.is_score_heading(head)] if not (plan.metric and valued) else valued
    for head in plan.free:
        if head in recognized and not (normalize_name(head).endswith("rank") and len(recognized) > 1):
            continue
        if reason := _describes(plan, head, recognized):
            plan.give(head, IGNORED, reason, doubt=not names.is_count_heading(head) and "stands once" not in reason)
    for head in plan.free:
        plan.scores[head] = Scores(metric="" if plan.metric and len(plan.free) == 1 else head)
    for head in plan.scores:
        plan.give(head, "scores", "its name" if head in recognized else "no other role fits its numbers")


def _find_numbered_parts(plan: ReadingPlan) -> bool:
    """Read columns such as "fold 1", "fold 2" as the folds (or seeds) of the classifier of the row."""
    for pattern, taken, role in ((FOLD_HEADING, plan.fold, "fold"), (SEED_HEADING, plan.seed, "seed")):
        heads = [head for head in plan.free if plan.is_numeric(head)]
        matches = {head: match[1] for head in heads if (match := pattern.fullmatch(head))}
        if matches and len(matches) == len(heads) and not taken:
            for head, number in matches.items():
                plan.scores[head] = Scores(**{role: number})
                plan.give(head, f"scores of one {role}", "its name")
            for head in plan.free:
                plan.give(head, IGNORED, "it holds no scores of folds")
            return True
    return False


def _describes(plan: ReadingPlan, head: str, recognized: Sequence[str]) -> str:
    """Return the reason why a column of numbers holds no scores; empty if it may hold scores."""
    if head in recognized:
        return "ranks follow from the scores" if recognized != [head] else ""
    cells = plan.read_names(head)
    others = [other for other in plan.free if other != head and not (names.is_count_heading(other) or names.is_spread_heading(other))]
    if plan.metric and recognized:
        return "another column holds the values of the metrics"
    if names.is_summary_heading(head) and recognized and not is_loss_metric(head):
        return "it summarizes other numbers"
    if not others or len(plan.rows) < 2:
        return ""
    if len({*cells}) == 1:
        return "it is the same on all lines"
    if len({*plan.read_names(plan.classifier[0])}) > 1 and plan.data_set and _repeats(plan, plan.data_set) and plan.depends_on(head, plan.data_set):
        return "it stands once for each data set"
    if names.is_count_heading(head):
        return "its name is that of a number or a count"
    if recognized and plan.is_whole(head) and len({*cells}) == len(cells) and len(cells) > len({*plan.read_names(plan.classifier[0])}):
        return "it numbers the lines"
    if recognized and _repeats(plan, plan.classifier) and plan.depends_on(head, plan.classifier):
        return "it stands once for each classifier"
    return ""


# -- rows --------------------------------------------------------------------------------------------------------------------
def _leave_out_summary_rows(plan: ReadingPlan) -> None:
    """Leave out rows that summarize other rows, such as means and mean ranks, and rows without any cell."""
    for head in plan.data_set[:1]:
        cells, kept, dropped = plan.names(head), [], []
        for row in plan.rows:
            (dropped if names.is_summary_line(cells[row]) else kept).append(row)
        dropped = [row for row in dropped if len({cells[other].lower() for other in plan.rows}) > 1]
        if kept and dropped:
            plan.rows = kept
            listed = ", ".join(repr(name) for name in dict.fromkeys(cells[row] for row in dropped))
            plan.doubts.append(f"Left out as {'a summary' if len(dropped) == 1 else 'summaries'} of the other lines: {listed}.")
    if plan.classifier and len(plan.classifier) == 1:
        cells = plan.names(plan.classifier[0])
        dropped = [row for row in plan.rows if names.is_summary_line(cells[row])]
        if dropped and len(dropped) < len(plan.rows):
            plan.rows = [row for row in plan.rows if row not in {*dropped}]
            plan.doubts.append(f"Left out as no classifier: {', '.join(dict.fromkeys(cells[row] for row in dropped))}.")
    _leave_out_computed_rows(plan)


def _leave_out_computed_rows(plan: ReadingPlan) -> None:
    """Leave out a last row of a wide table that holds the means (or medians, or mean ranks) of the rows above, whatever its name."""
    heads = list(plan.scores)
    if plan.classifier or plan.fold or plan.seed or plan.metric or len(heads) < 2 or len(plan.rows) < 4:
        return
    table = np.array([plan.numbers(head) for head in heads]).T
    body, last = table[:-1], table[-1]
    if not np.isfinite(body).all() or not np.isfinite(last).all():
        return
    step = 10.0 ** -min(6, max(decimal_places(plan.sheet[head][plan.rows[-1]]) for head in heads))
    if step < body.std(0).min() / 5 and any(np.abs(value - last).max() <= step * 0.51 for value in (body.mean(0), np.median(body, 0), body.sum(0))):
        row = plan.rows.pop()
        name = plan.names(plan.data_set[0])[row] if plan.data_set else str(plan.sheet.numbers[row])
        plan.doubts.append(f"The last line {name!r} was left out: it holds the means, medians or sums of the lines above.")


def _check_plan(plan: ReadingPlan) -> None:
    """Check that there are scores and names."""
    sheet = plan.sheet
    if not plan.scores:
        raise ValueError(f"{sheet.name} has no column with scores; the columns are {', '.join(sheet.heads[:12])}: name them by scores=[...]")
    if plan.classifier and not plan.data_set and not (plan.fold or plan.seed):
        raise ValueError(
            f"{sheet.name} has a column {plan.classifier[0]!r}, so a line for each score, but no column with the data set; the columns are "
            f"{', '.join(sheet.heads)}: name the column of data sets by data_set="
        )
    if not plan.classifier and (seed := next((head for head in plan.scores if SEED_HEADING.fullmatch(head)), "")):
        raise ValueError(
            f"{sheet.name}: the column {seed!r} is a seed, not a classifier: add a column 'classifier' with the classifier of each line "
            "(another name by classifier=)"
        )
    for head in [*plan.data_set, *plan.classifier, *([plan.seed] if plan.seed else [])]:
        for row, cell in zip(plan.rows, plan.read_names(head)):
            if cell.lower() in MISSING_VALUES:
                what = "seed" if head == plan.seed else "name"
                remedy = ": write the seed; a classifier without seeds has a line for each seed" if head == plan.seed else ""
                raise ValueError(f"{sheet.place(row, head)}: the {what} is missing{remedy}")


def _ask_what_tells_rows_apart(plan: ReadingPlan) -> None:
    """Raise an error if several rows hold a score of the same name, and a column without a role tells these rows apart."""
    if _is_unique(plan, plan.keys):
        return
    keys = plan.lines_of(plan.keys)
    (most, count), *_ = Counter(keys).most_common(1)
    free = [head for head, column in plan.columns.items() if column.role == IGNORED and column.reason != "stated" or head in plan.scores]
    candidates = [
        head
        for head in free
        if not (head in plan.scores and (not plan.is_whole(head) or len(plan.scores) == 1 or names.is_score_heading(head)))
        and len({*plan.read_names(head)}) > 1
        and (plan.is_text(head) or len({*plan.read_names(head)}) < len(plan.rows))
        and not plan.depends_on(head, plan.keys)
    ]
    for size in (1, 2, 3):
        for chosen in combinations(candidates, size):
            if _is_unique(plan, [*plan.keys, *chosen]):
                _raise_question(plan, chosen, most, count)
    if candidates and Counter(keys).most_common()[-1][1] != count:
        _raise_question(plan, candidates[:1], most, count)
    telling = [head for head in candidates if plan.is_text(head)]
    if telling:
        _raise_question(plan, telling[:2], most, count)


def _raise_question(plan: ReadingPlan, chosen: Sequence[str], key: Sequence[str], count: int) -> None:
    rows = [row for row, other in zip(plan.rows, plan.lines_of(plan.keys)) if other == tuple(key)]
    which = " and ".join(map(repr, chosen))
    cells = {head: list(dict.fromkeys(plan.read_names(head))) for head in chosen}
    where = "{" + ", ".join(f"{head!r}: {found[0]!r}" for head, found in cells.items()) + "}"
    fold, names_of = ([*chosen] if len(chosen) > 1 else chosen[0]), [*plan.classifier, *chosen]
    raise ValueError(
        f"{plan.sheet.name}: {', '.join(filter(None, key))} stands {count} times, in {plan.sheet.rows(rows)}; the "
        f"column{'s' * (len(chosen) > 1)} {which} ({'; '.join(_some(found) for found in cells.values())}) tell{'s' * (len(chosen) == 1)} these "
        f"lines apart. Write where={where} to read only these lines, classifier={names_of!r} to compare each combination, "
        f"data_set={[*plan.data_set, *chosen]!r} if each combination is a data set of its own, or fold={fold!r} to average the lines"
    )


def _check_repetition_names(plan: ReadingPlan) -> None:
    """Treat seeds and runs that differ between the classifiers of a data set as names of repetitions, not as a crossed factor."""
    unit = [*plan.data_set, *plan.classifier, *([plan.metric] if plan.metric else [])]
    if plan.seed is not None and plan.fold and plan.columns[plan.seed].reason != "stated":
        if len({*plan.read_names(plan.seed)}) > 1 and plan.depends_on(plan.seed, [*unit, *plan.fold]) and _has_nested_seeds(plan, unit):
            seed, plan.seed = plan.seed, None
            plan.give(seed, IGNORED, "each fold has one seed, so the fold names the repetition")
            plan.notes.append(f"The column {seed!r} was ignored: each fold has one seed, so the folds number the repetitions.")
    if not plan.classifier or (plan.fold and (plan.folds_stated or len(plan.fold) > 1)):
        return
    for head, role in ((plan.fold[0] if plan.fold else None, "fold"), (plan.seed, "seed")):
        if head is None or (plan.fold and plan.seed) or plan.columns[head].reason == "stated":
            continue
        if _hangs_on_classifier(plan, head, unit):
            plan.renumber = role
            plan.notes.append(
                f"The column {head!r} names the repetitions of each classifier, different for each classifier; they were numbered 1, 2, ..."
            )


def _has_nested_seeds(plan: ReadingPlan, unit: Sequence[str]) -> bool:
    """Return whether the seed changes from fold to fold, so that a crossing of folds and seeds would be mostly empty."""
    seeds: dict[tuple[str, ...], set[str]] = {}
    folds: dict[tuple[str, ...], set[tuple[str, ...]]] = {}
    for key, seed, fold in zip(plan.lines_of(unit), plan.read_names(plan.seed or ""), plan.lines_of(plan.fold)):
        seeds.setdefault(key, set()).add(seed)
        folds.setdefault(key, set()).add(fold)
    return any(len(seeds[key]) > 1 or len({*map(frozenset, seeds.values())}) > 1 for key in seeds)


def _hangs_on_classifier(plan: ReadingPlan, head: str, unit: Sequence[str]) -> bool:
    """Return whether the names in a column differ between the classifiers of a data set, in more than a few places."""
    found: dict[tuple[str, ...], dict[tuple[str, ...], set[str]]] = {}
    for data_set, classifier, cell in zip(plan.lines_of(plan.data_set), plan.lines_of(plan.classifier), plan.read_names(head)):
        found.setdefault(data_set, {}).setdefault(classifier, set()).add(cell)
    groups = [[*parts.values()] for parts in found.values() if len(parts) > 1]
    return bool(groups) and sum(len(set().union(*parts)) >= 1.5 * max(map(len, parts)) for parts in groups) > len(groups) / 2


