"""Detect the role of each column in a table of scores.

Roles are data set, classifier, fold, seed, metric, spread, scores, and ignored.

What the user states comes first, then exact names of columns, then parts of names, then the values.  Where two readings are possible,
an error names both, and the argument that chooses each.  A wide table has a column for each classifier; a long table has a column that
names the classifier of each row.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ...core.metric_direction import DEFAULT_METRIC_NAME, is_loss_metric
from ...core.validation.name_suggestions import format_names_by_similarity
from ...core.validation.pandas_labels import FOLDS, OLD_INDEX, REPETITIONS, RUNS, is_seed_name, normalize_name
from . import column_names as names
from .cell_numbers import MISSING_VALUES, parse_column, plain_number
from .cell_units import without_units
from .count_table import find_counts, refuse_totals, refuse_votes, with_computed_metrics
from .fold_plan import with_folds_of_names
from .long_tables import ask_what_tells_rows_apart, check_ignored_text, check_repetition_names, find_long_scores
from .measure_columns import errors_of_predictions
from .named_columns import LINE, ask_what_lines_are, find_classifiers, find_data_sets
from .reading_plan import IGNORED, RUN_AS_FOLD, ReadingOptions, ReadingPlan, as_list, some
from .reading_question import ReadingQuestion, TurnedTable
from .record_columns import refuse_answers
from .record_table import RIGHT_WORDS
from .sklearn_results import candidate_lines
from .summary_rows import leave_out_summary_rows
from .tabular_data import TabularData
from .wide_columns import is_numbered_series, plan_score_columns

TRACKER_PREFIX = names.known_pattern("patterns", "trackers", "^{}")
LIST = re.compile(r"\s*\[\s*[-+]?\d*\.\d[-+.\de,\s]*\]\s*")  # a list in a cell, such as "[0.91, 0.92]" or "[0.91 0.92]"
MAX_COLUMNS = 3_000  # maximum number of columns of a table


def plan_reading(sheet: TabularData, options: ReadingOptions) -> ReadingPlan:
    """Return the plan by which a table is read, or raise an error with a question."""
    if not (options.ignore or options.turned or _states_columns(options)):
        refuse_totals(sheet, RIGHT_WORDS)
        refuse_answers(sheet)
    given = sheet, options
    decimal = {"thousands": ".", "decimals": ","}.get(options.commas or "", sheet.decimal)
    metric, sheet = DEFAULT_METRIC_NAME, replace(sheet, decimal=decimal)
    sheet = without_units(
        sheet if options.turned else with_computed_metrics(candidate_lines(sheet), [*as_list(options.scores), *as_list(options.ignore)])
    )
    if options.turned:
        ignored = [head for head in as_list(options.ignore) if head in sheet.heads]
        sheet = sheet.turned(ignored)
        if not sheet.numbers:
            raise ReadingQuestion(f"{sheet.name} must have columns of numbers to be read transposed; got none. Write turned=False")
        options = replace(options, ignore=[head for head in as_list(options.ignore) if head not in ignored])
        if sheet.heads[1:2] != ["metric"] and options.higher_is_better is None and options.metric == DEFAULT_METRIC_NAME:
            metric = _common_loss(sheet)
    sheet, options = errors_of_predictions(with_folds_of_names(sheet, options), options)
    sheet, options, repeated = _number_repeated_heads(sheet, options)
    try:
        plan = _plan_different_heads(sheet, options, metric)
    except TurnedTable:
        if _states_columns(options):
            raise
        plan = plan_reading(given[0], replace(given[1], turned=True))
        plan.notes.append("Each line was read as a classifier, and each column as a data set, by the headings and the first column.")
        return plan
    except ValueError:
        if not repeated:
            raise
        plan = None
    used = [heading for head, heading in repeated.items() if plan is None or plan.columns[head].role != IGNORED]
    if plan is None or used:
        raise ReadingQuestion(
            f"{sheet.name} must have different headings; got {used[0]!r} more than once. Give each column its own heading (two lines "
            f"of headings must be joined into one), or write ignore={used[0]!r} to leave these columns out"
        )
    return plan


def _states_columns(options: ReadingOptions) -> bool:
    """Return whether the user states the role of a column (other than to ignore the column) or selects rows."""
    return bool(options.named_columns or as_list(options.scores) or options.where or options.numbered)


def _plan_different_heads(sheet: TabularData, options: ReadingOptions, metric: str) -> ReadingPlan:
    """Return the plan for reading a table whose headings are all different; raise an error with a question if roles are unclear."""
    if LINE not in sheet.heads and LINE in (*as_list(options.data_set), *as_list(options.fold), options.seed):
        numbers = [str(k + 1) for k in range(len(sheet.numbers))]
        sheet = replace(sheet, heads=[*sheet.heads, LINE], columns=[*sheet.columns, numbers])
    sheet, tracked = _without_prefixes(sheet, options)
    _check_sheet(sheet, [*as_list(options.ignore), *as_list(options.data_set), *as_list(options.classifier), *(options.where or ())])
    plan = ReadingPlan(
        sheet, options, rows=list(range(len(sheet.columns[0]) if sheet.columns else 0)), notes=list(sheet.notes), metric_name=metric
    )
    _apply_stated_roles(plan)
    _ignore_empty_columns(plan)
    for head in [head for head in plan.free if head not in tracked and tracked]:
        if plan.is_text(head) and (
            names.is_date_heading(head) or (plan.is_unique([head]) and head.lower() in ("name", "run id", "run_id", "id"))
        ):
            plan.give(head, IGNORED, "it names or dates the run of each line")
    is_long = find_classifiers(plan)
    _find_parts(plan)
    find_data_sets(plan, is_long)
    _join_metrics(plan)
    if is_long:
        find_long_scores(plan)
    else:
        plan_score_columns(plan)
    leave_out_summary_rows(plan)
    _check_plan(plan)
    if is_long:
        ask_what_tells_rows_apart(plan)
    check_repetition_names(plan)
    check_ignored_text(plan)
    ask_what_lines_are(plan)
    plan.close()
    return plan


def _without_prefixes(sheet: TabularData, options: ReadingOptions) -> tuple[TabularData, list[str]]:
    """Remove prefixes of experiment trackers, such as config. and metrics., from the headings; return the table and the new headings.

    Headings that the user states are not changed.  If two headings would become equal, no heading is changed.
    """
    higher = options.higher_is_better if isinstance(options.higher_is_better, Mapping) else {}
    stated = {options.metric, *higher, *(options.where or ()), *options.named_columns, *as_list(options.scores), *as_list(options.ignore)}
    heads = [head if head in stated else TRACKER_PREFIX.sub("", head) for head in sheet.heads]
    tracked = [head for head, old in zip(heads, sheet.heads) if head != old]
    if not tracked or len({*heads}) < len({*sheet.heads}):
        return sheet, []
    return replace(sheet, heads=heads), tracked


def _common_loss(sheet: TabularData) -> str:
    """Return the metric of a table whose columns are data sets; raise an error if lower is better only in some of the columns."""
    heads = sheet.columns[0]
    parts = {head: {head} if names.is_metric_name(head) or re.search(r"[↑↓]|\\(?:up|down)arrow", head) else set() for head in heads}
    for head in heads:
        parts[head] |= {metric for first in (False, True) if (metric := names.split_heading(head, first)[1]) and not parts[head]}
    heads = [head for head in heads if not names.is_summary_heading(head)]
    lower = [head for head in heads if any(map(is_loss_metric, parts[head]))]
    higher = [head for head in heads if head not in lower]
    if lower and higher:
        fewer = lower if len(lower) <= len(higher) else higher
        raise ReadingQuestion(
            f"the columns of {sheet.name} must be data sets of one metric; lower is better in {some(list(map(repr, lower)))}, but higher "
            f"seems to be better in {some(list(map(repr, higher)))}. Write ignore={fewer!r} to leave these columns out, or "
            "higher_is_better=True if higher is better in all columns (otherwise False)"
        )
    losses = {metric for head in lower for metric in parts[head] if metric != head}
    return DEFAULT_METRIC_NAME if not lower else losses.pop() if len(losses) == 1 and names.score_words(*losses) else "loss"


def _number_repeated_heads(sheet: TabularData, options: ReadingOptions) -> tuple[TabularData, ReadingOptions, dict[str, str]]:
    """Add numbers to repeated headings, as pandas does: ±, ±.1, ...
    Returns the table, the options, and a mapping from new headings to repeated headings.

    The mapping leaves out spreads and ranks, because the columns of spreads or ranks of all classifiers may have the same heading.
    """
    seen: Counter[str] = Counter()
    heads, ignored, repeated = [], as_list(options.ignore), dict[str, str]()
    for place, head in enumerate(sheet.heads, 1):
        heads.append((f"{head}.{seen[head]}" if head else f"column {place}") if seen[head] else head)
        ignored += [heads[-1]] * bool(seen[head] and head in ignored)
        if seen[head] and not (names.is_spread_heading(head) or names.is_rank_heading(head) or head in ignored):
            repeated |= {head: head, heads[-1]: head}
        seen[head] += 1
    return replace(sheet, heads=heads), replace(options, ignore=ignored), repeated


def _check_sheet(sheet: TabularData, stated: Sequence[str] = ()) -> None:
    refuse_votes(sheet)
    if len(answers := [*find_counts(sheet, RIGHT_WORDS).values()]) == 2:
        n01, n10 = (sum(a > b for a, b in zip(*pair)) for pair in (answers[::-1], answers))
        raise ValueError(
            f"{sheet.name} must hold scores of each classifier; got counts of records with right and wrong answers. Write "
            f"fstats.McNemarExact({n01}, {n10})."
        )
    _ask_about_lists(sheet, stated)
    if len(sheet.heads) > MAX_COLUMNS:
        raise ValueError(f"{sheet.name} must have at most {MAX_COLUMNS} columns; got {len(sheet.heads)}")


def _ask_about_lists(sheet: TabularData, stated: Sequence[str]) -> None:
    """Raise an error if cells hold lists of scores; lists of settings beside a column of scores are allowed."""
    scored = [head for head in sheet.heads if names.is_score_heading(head) and not names.is_time_heading(head)]
    numeric = any(parse_column(sheet[head], sheet.decimal).is_numeric for head in scored)
    lists = [head for head in sheet.heads if head not in stated and (head in scored or not numeric)]
    lists = [head for head in lists if len(cells := {*map(str, sheet[head])}) > 1 and all(map(LIST.fullmatch, cells))]
    if lists:
        raise ReadingQuestion(
            f"in {sheet.name}, the cells of the column {lists[0]!r} hold lists of numbers, such as {str(sheet[lists[0]][0])[:40]!r}. Write "
            f"a line for each number, numbered in a column 'fold' (in pandas frame.explode({lists[0]!r}), then groupby(...).cumcount()), "
            f"or write ignore={lists[0]!r} to leave the column out"
        )


# -- roles that the user states -------------------------------------------------------------------------------------------------
def _apply_stated_roles(plan: ReadingPlan) -> None:
    options, sheet = plan.options, plan.sheet
    where = dict(options.where or {})
    pairs = [(head, "data set") for head in as_list(options.data_set)]
    pairs += [(head, "classifier") for head in as_list(options.classifier)]
    folds, repetitions = as_list(options.fold), as_list(options.repetition)
    # if only one of the columns in fold= is named like folds, the others (such as seeds) number the repetitions
    if len(known := [head for head in folds if repetition_role(head) == "fold"]) == 1:
        repetitions, folds = [*repetitions, *(head for head in folds if head not in known)], known
    pairs += [(head, repetition_role(head, stated=True)) for head in folds] + [(head, "repetition") for head in repetitions]
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
                f"each column of {sheet.name} must have one role; got {head!r} as {plan.columns[head].role} and as {role}. State it once."
            )
        plan.give(head, role, "stated")
    plan.data_set, plan.classifier = as_list(options.data_set), as_list(options.classifier)
    plan.fold = [*as_list(options.repetition), *as_list(options.fold)]
    plan.seed, plan.folds_stated = options.seed, bool(options.fold)


def _select_rows(plan: ReadingPlan, head: str, values: Sequence[Any]) -> None:
    """Keep the rows whose cell in a column is one of the values."""
    cells, wanted = plan.names(head), [str(value) for value in values]
    numbers = {value for value in map(plain_number, wanted) if value is not None and value == value}
    kept = [row for row in plan.rows if cells[row] in wanted or (numbers and plain_number(cells[row]) in numbers)]
    if not kept:
        raise ValueError(
            f"in {plan.sheet.name}, no line has {' or '.join(wanted)} in the column {head!r}; "
            f"{format_names_by_similarity(wanted[0], list(dict.fromkeys(cells)))}"
        )
    if len(kept) < len(plan.rows):
        plan.notes.append(
            f"Only the {len(kept)} of {len(plan.rows)} lines with {head} = {' or '.join(wanted)} were read, as stated by where=."
        )
    plan.rows = kept
    plan.give(head, f"only {' or '.join(wanted)}", "stated by where=")


def _ignore_empty_columns(plan: ReadingPlan) -> None:
    listed = as_list(plan.options.scores)
    for head in [head for head in plan.free if head not in listed and (head == "" or OLD_INDEX.fullmatch(head))]:
        cells, numbers = plan.read_names(head), plan.numbers(head)
        if cells and not any(cells):
            plan.give(head, IGNORED, "it is empty")
        elif len({number for number in numbers if number >= 0 and float(number).is_integer()}) == len(numbers):
            plan.give(head, IGNORED, "it numbers the lines")


# -- folds, seeds, metrics, parts of the data ------------------------------------------------------------------------------------
def repetition_role(head: str, stated: bool = False) -> str:
    """Return the role of a column that numbers folds or repetitions."""
    name = normalize_name(head)
    word = names.without_accents(name)
    if name in REPETITIONS or word in names.known_words("fold", "repetitions"):
        return "repetition"
    known = name.startswith(FOLDS) or word in names.known_words("fold", "folds")
    is_run = name.startswith((*RUNS, "replic")) or "seed" in name  # such as "run_name"
    return "fold" if stated or (known and ("fold" in name or not is_run)) else RUN_AS_FOLD


def _find_parts(plan: ReadingPlan) -> None:
    """Find the columns of metrics, folds, seeds, and parts of the data such as train and test."""
    listed = as_list(plan.options.scores)
    for head in [head for head in plan.free if head not in listed]:
        if parts := plan.partitions(head):
            if len(parts) > 1:
                options = " or ".join(f"where={{{head!r}: {part!r}}}" for part in sorted(parts))
                raise plan.question(
                    f"the column {head!r} holds scores of different parts of the data ({', '.join(sorted(parts))}), "
                    f"which must not be averaged. Write {options} to read one part"
                )
            plan.give(head, IGNORED, f"it is {parts.pop()!r} on all lines")
        elif names.is_repetition_heading(head) and plan.varies(head) and names.begin_with_partitions(plan.read_names(head)):
            found = list(dict.fromkeys(plan.read_names(head)))
            raise plan.question(
                f"the column {head!r} holds parts of the data ({', '.join(found[:4])}), which are not folds. Write "
                f"where={{{head!r}: {found[-1]!r}}} to read one part, or data_set={head!r} if each part is a data set of its own"
            )
        elif plan.metric is None and plan.is_text(head) and _holds_metrics(plan, head):
            plan.metric = head
            plan.give(head, "metric", "its name" if names.is_metric_heading(head) else "its cells are names of metrics")
    repeated = [head for head in plan.free if head not in listed]
    repeated = [head for head in repeated if names.is_repetition_heading(head) or _numbers_experiments(plan, head)]
    repeated = [head for head in repeated if not (plan.has_decimals(head) or _counts_repetitions(plan, head))]
    repeated = [head for head in repeated if not _may_name_parts(plan, head)]
    if not plan.folds_stated:
        found = repeated or [head for head in plan.sheet.folds if head in plan.free]
        plan.fold = [*plan.fold, *found]
        roles = {head: repetition_role(head) for head in found}
        for head, role in roles.items():
            is_outer = "fold" in roles.values() and _numbers_experiments(plan, head)
            plan.give(
                head, "repetition" if is_outer else role, "its name" if head in repeated else "the other levels of the index have names"
            )
    seeds = [head for head in plan.free if is_seed_name(head) and head not in listed and not _counts_repetitions(plan, head)]
    if len(both := [*as_list(plan.seed), *seeds]) > 1 and not listed:
        raise ReadingQuestion(
            f"{plan.sheet.name} must have one column with the seed of training; got {' and '.join(map(repr, both))}. Name the seed by "
            "seed=, a column that numbers splits by fold=, and columns of scores by scores=[...]"
        )
    if plan.seed is None and seeds:
        plan.seed = seeds[0]
        plan.give(seeds[0], "seed", "its name")


def _join_metrics(plan: ReadingPlan) -> None:
    """Read the metrics as one score if each data set has its own metric, and all metrics have the same direction."""
    stated = plan.options.metric != DEFAULT_METRIC_NAME and plan.options.metric not in plan.sheet.heads
    if plan.metric is None or not plan.data_set or stated or not plan.varies(plan.metric):
        return
    metrics = list(dict.fromkeys(plan.read_names(plan.metric)))
    directions, each = {is_loss_metric(name) for name in metrics}, f"Each data set has its own metric ({some(metrics)})"
    named = [head for head in plan.numeric if names.is_score_heading(head) and not names.is_value_heading(head)]
    named = [head for head in named if not names.is_time_heading(head)]
    if not plan.depends_on(plan.metric, plan.data_set):
        return
    if len(directions) > 1 and named:
        plan.doubts.append(
            f"{each}: the columns {some(named)} were read by their own names. Write ignore= or scores= to choose columns, or where= to "
            "read the data sets of one metric."
        )
    elif len(directions) == 1 and plan.options.higher_is_better is None:
        plan.metric_name, better = ("loss", "lower") if is_loss_metric(metrics[0]) else ("score", "higher")
        verb = "is" if all(map(names.is_score_heading, metrics)) else "is assumed to be"
        plan.doubts.append(
            f"{each}, and {better} {verb} better for all of them: they were read as one score. Write metric= to read one metric."
        )
    else:
        return
    plan.give(plan.metric, IGNORED, "each data set has its own metric")
    plan.metric = None


def _numbers_experiments(plan: ReadingPlan, head: str) -> bool:
    """Return whether a column such as "experiment" numbers repetitions, and does not name settings."""
    known = names.without_accents(normalize_name(head)) in names.known_words("fold", "experiments")
    return known and plan.is_whole(head) and is_numbered_series([f"{x:.0f}" for x in {*plan.numbers(head)} if x == x])


def _may_name_parts(plan: ReadingPlan, head: str) -> bool:
    """Return whether a column may tell training scores from test scores: its name says so, and its cells are texts without digits."""
    is_named = normalize_name(head) in names.known_words("partition", "names")
    return is_named and plan.is_text(head) and not re.search(r"\d", "".join(plan.read_names(head)))


def _counts_repetitions(plan: ReadingPlan, head: str) -> bool:
    """Return whether a column such as "runs" counts the repetitions of each row, and does not number the repetitions."""
    counted = [f"{x:.0f}" for x in {*plan.numbers(head)} if x == x]
    return head.lower().endswith("s") and plan.is_numeric(head) and not is_numbered_series(counted)


def _holds_metrics(plan: ReadingPlan, head: str) -> bool:
    if names.is_metric_heading(head):
        return True
    cells = {*plan.read_names(head)}
    if any(map(names.FOLD_HEADING.fullmatch, cells)):  # the cells are names of folds, such as "split0_test_score"
        return False
    return 1 < len(cells) <= 12 and all(map(names.is_score_heading, cells)) and names.classifier_rank(head) < 0 > names.data_set_rank(head)


def _check_plan(plan: ReadingPlan) -> None:
    """Check that there are scores and names."""
    sheet = plan.sheet
    if not plan.scores:
        for head in [head for head, column in plan.columns.items() if column.reason == "it holds text"]:
            cells = [cell for cell in plan.read_names(head) if re.match(r"[-+]?\d*[.,]?\d", cell)]
            if 2 * len(cells) > len(plan.rows):
                raise ValueError(
                    f"{sheet.name} must hold scores; got numbers with different texts behind them in the column {head!r} ({some(cells)}). "
                    "Write all numbers in one unit."
                )
        raise ReadingQuestion(
            f"{sheet.name} has no column with scores; the columns are {', '.join(sheet.heads[:12])}. Name columns of scores by scores=[...]"
        )
    if plan.classifier and plan.data_set and plan.varies(plan.classifier[0]) and plan.depends_on(plan.classifier[0], plan.data_set):
        run = plan.data_set[0]
        ways = f". Write ignore={run!r} if it names the runs" * (plan.is_unique([run]) and plan.columns[run].reason != "stated")
        raise ReadingQuestion(
            f"in {sheet.name}, each {plan.data_set[0]!r} has lines of only one {plan.classifier[0]!r}, and cannot be compared. Name other "
            f"columns by data_set= and classifier={ways}"
        )
    if not plan.classifier and (seed := next((head for head in plan.scores if names.SEED_HEADING.fullmatch(head)), "")):
        raise ReadingQuestion(
            f"in {sheet.name}, the column {seed!r} is a seed, not a classifier. Add a column 'classifier' with the classifier of each "
            "line, or name such a column by classifier="
        )
    for head in [*plan.data_set, *plan.classifier, *as_list(plan.seed)]:
        for row, cell in zip(plan.rows, plan.read_names(head)):
            if cell.lower() in MISSING_VALUES:
                remedy = ". Write the seed. A classifier without seeds has a line for each seed." * (head == plan.seed)
                raise ValueError(f"every line must have a {'seed' if remedy else 'name'}; got none in {sheet.place(row, head)}{remedy}")
