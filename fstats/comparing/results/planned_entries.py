"""Extract scores from the cells of a table.

A reading plan says what each cell means; signs that the plan is wrong are reported.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from math import isfinite, isinf

import numpy as np

from ...core.metric_direction import DEFAULT_METRIC_NAME, has_loss_affix, read_direction
from ...core.numerics.average_ranks import average_ranks
from .cell_numbers import ONE_COMMA, parse_column
from .column_names import (
    FOLD_HEADING,
    SEED_HEADING,
    is_rank_heading,
    is_score_heading,
    is_setting_heading,
    is_value_heading,
    known_pattern,
)
from .fold_plan import note_absent_folds
from .rank_columns import take_direction
from .reading_plan import ARGUMENT_VALUES, SINGLE, CellPlace, ReadingPlan, ScoreEntry, as_list, grouped, some
from .reading_question import ReadingQuestion
from .repeated_lines import check_unique_folds, combine_repeated, fold_of_rows, joined
from .score_units import ask_about_thousands, divide_counts, unify_units
from .spellings import take_off_footnotes, unify_spellings
from .wide_columns import is_numbered_series, numbered_series

ONE_POINT = re.compile(r"[-+]?[1-9]\d{0,2}\.\d{3}")
DATE = known_pattern("patterns", "dates", flags=re.IGNORECASE)
NUMBERS_INSIDE = re.compile(r"\d*\.?\d+")  # the numbers in brackets, without signs
LEVEL = re.compile(r"\b\d+(?:\.\d+)?\s?%[\s-]*(?:CI|KI|IC|confidence|Konfidenz)\w*", re.IGNORECASE)  # such as "95% CI"
ENOUGH = 12  # least number of scores whose small sizes suggest errors; fewer may be small by chance
MAX_TEXTS = 8  # largest number of different texts in columns of scores that may all mean a missing score


def read_entries(plan: ReadingPlan) -> list[ScoreEntry]:
    """Return the scores row by row."""
    take_off_footnotes(plan)
    unify_spellings(plan)
    divide_counts(plan)
    _divide_percents(plan)
    check_cells(plan)
    # folds are named "repetition, fold", so columns of repetitions come first
    plan.fold.sort(key=lambda head: head in plan.columns and plan.columns[head].role == "fold")
    entries = combine_repeated(plan, unify_units(plan, list(_iterate_entries(plan))))
    # sort by repetition, because a file may list the first folds of all repetitions before the second folds
    repetitions = {name: k for k, name in enumerate(dict.fromkeys(entry.fold.rpartition(", ")[0] for entry in entries))}
    entries.sort(key=lambda entry: repetitions[entry.fold.rpartition(", ")[0]])
    note_absent_folds(plan, entries)
    _note_forms(plan)
    _check_names(plan, entries)
    _ask_about_ranks(plan, entries)
    take_direction(plan)
    _doubt_directions(plan, entries)
    _doubt_marked_lowest(plan)
    if plan.sheet.line != "row" and len(found := {entry.classifier for entry in entries}) == 1:
        plan.doubts.append(f"There is only one classifier, {found.pop()!r}: a comparison needs at least two.")
    return entries


def _iterate_entries(plan: ReadingPlan) -> Iterator[ScoreEntry]:
    sheet, rows = plan.sheet, plan.rows
    # True if each row of a classifier has another metric
    measures = plan.metric is not None and plan.is_unique([*plan.classifier, *as_list(plan.metric)])
    numbered = any(part.fold or part.seed for part in plan.scores.values()) and bool(plan.classifier)
    single = not plan.data_set and (measures or numbered or bool(plan.fold or plan.seed))  # True if all rows belong to one data set
    if single and not measures:
        check_unique_folds(plan)
    data_sets = joined(plan, plan.data_set) or (["1"] * len(rows) if single else [str(k + 1) for k in range(len(rows))])
    parts = (plan.classifier, as_list(plan.metric), as_list(plan.seed))
    classifiers, metrics, seeds = (joined(plan, heads) or [""] * len(rows) for heads in parts)
    lines = list(zip(data_sets, classifiers, metrics, seeds, strict=True))
    folds = fold_of_rows(plan, lines)
    if plan.renumber:
        folds, seeds = _renumber(plan, lines, folds)
    several = len(plan.scores) > 1
    for head, part in plan.scores.items():
        numbers = plan.parsed(head).numbers
        values = [numbers[row] for row in rows]
        for row, value in zip(rows, values):
            if value is None or isinf(value):
                raise _question_about_text(plan, row, head)
        measured = [f"{metric} {part.metric}".strip() for metric in metrics] if several and plan.metric is not None else metrics
        yield from map(
            ScoreEntry._make,
            zip(
                [part.data_set] * len(rows) if part.data_set else data_sets,
                [part.classifier] * len(rows) if part.classifier else classifiers,
                [part.fold] * len(rows) if part.fold else folds,
                [part.seed] * len(rows) if part.seed else seeds,
                measured if plan.metric is not None else [part.metric] * len(rows),
                values,
                [CellPlace(sheet, row, head) for row in rows],
            ),
        )


def _question_about_text(plan: ReadingPlan, row: int, head: str) -> ReadingQuestion:
    """Return a question about the meaning of a cell without a finite number."""
    found = (str(plan.sheet[h][r]).strip() for h in plan.scores for r in plan.rows if (x := plan.parsed(h).numbers[r]) is None or isinf(x))
    texts, others = list(dict.fromkeys(found)), len(plan.scores) > (1 if plan.classifier else 2)
    absent = f", write na_values={(texts[0] if len(texts) == 1 else texts)!r} if the score is missing there"
    return ReadingQuestion(
        f"a score must be a finite number; got {str(plan.sheet[head][row])!r} in {plan.sheet.place(row, head)}. Correct the cell"
        f"{absent * (len(texts) <= MAX_TEXTS)}, or "
        + (f"write ignore={head!r} to leave the column out" if others else "name the columns that hold scores by scores=[...]")
    )


def _divide_percents(plan: ReadingPlan) -> None:
    """Divide numbers with a percent sign by 100 if the other scores of the same metric are proportions."""
    read = {*plan.rows}
    for metric in dict.fromkeys(part.metric for part in plan.scores.values()):
        columns = [plan.parsed(head) for head, part in plan.scores.items() if part.metric == metric]
        signed = [read.intersection(column.forms.get("%", ())) for column in columns]
        others = [column.numbers[row] or 0 for column, rows in zip(columns, signed) for row in read - rows]
        if (total := sum(map(len, signed))) and max(map(abs, filter(isfinite, others)), default=2) <= 1:
            for column, rows in zip(columns, signed):
                column.numbers[:] = [round(x / 100, 12) if k in rows and x else x for k, x in enumerate(column.numbers)]
            plan.notes.append(f"{total} number{'s' * (total > 1)} with a percent sign became proportions, as the other scores are.")


def _renumber(plan: ReadingPlan, lines: Sequence[tuple[str, str, str, str]], folds: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return new names of the folds and the seeds: the folds (or the seeds) of each classifier on each data set become 1, 2, ..."""
    numbers: dict[tuple[str, ...], dict[str, str]] = {}
    seeds = [line[3] for line in lines]
    known = [numbers.setdefault(line[:3], {}) for line in lines]
    renamed = [one.setdefault(name, str(len(one) + 1)) for one, name in zip(known, seeds if plan.renumber == "seed" else folds)]
    renamed = renamed if any(len(one) > 1 for one in known) else [SINGLE] * len(lines)
    return ([*folds], renamed) if plan.renumber == "seed" else (renamed, seeds)


# -- cells -------------------------------------------------------------------------------------------------------------------
def check_cells(plan: ReadingPlan) -> None:
    """Raise an error for a second number in cells, unless the sign ± says that it is a spread, or `cells` says to take the first number."""
    read = {*plan.rows}
    units: dict[str, dict[str, str]] = {}
    for head, part in plan.scores.items():
        units.setdefault(part.metric, {}).setdefault(plan.sheet.units.get(head, ""), head)
    if several := [each for each in units.values() if len(each) > 1]:
        listed = " and ".join(f"{unit or 'no unit'} in {head!r}" for unit, head in several[0].items())
        raise ValueError(f"all scores must have the same unit; got {listed}. Convert the scores to one unit.")
    ask_about_thousands(plan, {head: part.metric for head, part in plan.scores.items()})
    _check_marks(plan)
    found = [(head, row, form) for head in plan.scores for form in "([" for row in plan.parsed(head).forms.get(form, ()) if row in read]
    total = len(found) + sum(len(read.intersection(plan.parsed(head).forms.get("±", ()))) for head in plan.scores)
    remarks = bool(found) and all(plan.parsed(head).spreads.get(row) is None for head, row, _ in found)
    what = "a number and a remark" if remarks else "two numbers"
    second = _kind_of_second(plan) if found and len(found) == len(plan.scores) * len(plan.rows) else ""
    if " numbers: " in second:
        for head in plan.scores:
            plan.parsed(head).spreads.clear()
        plan.notes.append(f"{total} cells hold {second}, and did not count.")
        return
    if found and plan.options.cells is None and not (second and what == "two numbers"):
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


def _kind_of_second(plan: ReadingPlan) -> str:
    """Return the meaning of the numbers in brackets, by these numbers and by the text above the table; empty if it is unknown."""
    values = np.array([[plan.parsed(head).numbers[row] for head in plan.scores] for row in plan.rows], dtype=float)
    cells = [[re.split(r"[(\[]", str(plan.sheet[head][row])) for head in plan.scores] for row in plan.rows]
    inside = [[NUMBERS_INSIDE.findall(LEVEL.sub("", cell[-1])) for cell in line] for line in cells]
    counts, title = {len(each) for line in inside for each in line}, plan.sheet.title.lower()
    if not np.isfinite(values).all() or len(counts) != 1 or any("," in cell[0] for line in cells for cell in line):
        return ""
    seconds = np.array(inside, dtype=float)
    if counts == {2} and ((seconds[..., 0] <= values) & (values <= seconds[..., 1])).all():
        return "three numbers: the others are an interval around the first"
    lowest, highest = (counts == {1} and np.array_equal(average_ranks(sign * values, axis=1), seconds[..., 0]) for sign in (1, -1))
    if (lowest or highest) and len(plan.rows) > 1 and (len(plan.scores) > 2 or "rank" in title):
        plan.directions.append((lowest, "the rank behind each number"))
        return "two numbers: the second is the rank of the first on its line"
    return "a spread" if counts == {1} and re.search(r"\bstandard (?:deviation|error)s?\b|\bstd\b|\bsd\b", title) else ""


def _check_marks(plan: ReadingPlan) -> None:
    """Raise an error for a number such as 1.234, or 1,234 in a table with decimal points, if other numbers have decimal commas."""
    has_points = plan.sheet.decimal == "."
    if has_points and not any("comma" in plan.parsed(head).forms for head in plan.scores):
        return
    cells = [(head, row, str(plan.sheet[head][row]).strip()) for head in plan.scores for row in plan.rows]
    form, what, mark = (ONE_COMMA, "a comma", "These commas") if has_points else (ONE_POINT, "a point", "The point")
    place = next((CellPlace(plan.sheet, row, head) for head, row, cell in cells if form.fullmatch(cell)), None)
    if place and any(re.fullmatch(r"[-+]?\d+,\d+", cell) and not (has_points and form.fullmatch(cell)) for _, _, cell in cells):
        raise ValueError(
            f"all numbers must be written in the same way; got {what} in {place} and decimal commas in other numbers. {mark} may separate "
            "thousands or decimals."
        )


def _note_forms(plan: ReadingPlan) -> None:
    """Add notes on the signs that were removed from cells, such as percent signs."""
    read = {*plan.rows}
    for form, text in ARGUMENT_VALUES["forms"].items():
        number = sum(len(read.intersection(plan.parsed(head).forms.get(form, ()))) for head in plan.scores)
        if number:
            plan.notes.append(text.format(number, "s" * (number > 1), "were" if number > 1 else "was"))


# -- checks of the numbers -----------------------------------------------------------------------------------------------------
def _check_names(plan: ReadingPlan, entries: Sequence[ScoreEntry]) -> None:
    """Raise an error, or add a doubt, if data sets have names of folds, or if their names differ only by a number (iris_1 and iris_2)."""
    data_sets = list(dict.fromkeys(entry.data_set for entry in entries))
    _ask_about_fold_names(plan, data_sets)
    _doubt_groups(plan, data_sets)
    groups, series, equal = numbered_series([name for name in data_sets if not re.fullmatch(r"[\s._-]*\d+", name.strip())])
    covered = sum(map(len, groups.values()))
    if len(groups) < 2 or all(map(DATE.fullmatch, data_sets)) or not plan.data_set or plan.options.numbered == "classifiers":
        _doubt_variants(plan, data_sets)
        return
    example = [name for group in groups.values() for name in group][:4]
    if series and equal and covered == len(data_sets) and plan.columns[plan.data_set[0]].reason != "stated":
        ways = "numbered='folds' to read them as folds, numbered='seeds' as trainings with different seeds, or "
        ways *= not plan.options.numbered  # if stated, numbered= refers to the columns
        raise plan.question(
            f"the names of the data sets {', '.join(example)}, ... differ only by a number at the end, and seem to be repetitions on "
            f"{len(groups)} data sets. Write {ways}data_set={plan.data_set[0]!r} if each is a data set of its own"
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
    # names such as 1, 2, 3 or f1, f2, f3 may be folds, unless the heading of their column says that they are data sets
    unnamed = plan.options.turned or plan.columns[head].reason != "its name"
    numbers = [name.removeprefix("f") for name in data_sets] if unnamed else []
    numbered = (numbers != [*data_sets] or plan.options.turned) and all(map(str.isdecimal, numbers)) and is_numbered_series(numbers)
    # "s1" may mean a subject instead of a split, so the second character must be a letter
    if seeds or numbered or all(FOLD_HEADING.fullmatch(name) and name[1].isalpha() for name in data_sets):
        role = "seed" if seeds and head else "fold"
        other = f"seed={head!r} if they are trainings with different seeds, " * (role == "fold" and data_sets[0].lower().startswith("run"))
        raise plan.question(
            f"the lines {some(data_sets)} have names of {role}s, not of data sets. Write {role}={head!r} to read "
            f"them as {role}s of one data set, {other}or data_set={head!r} if each line is a data set of its own"
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


def _doubt_variants(plan: ReadingPlan, data_sets: Sequence[str]) -> None:
    """Add a doubt if the names of the data sets are numbers, or combine each of several names with each of several settings."""
    is_stated = bool(plan.data_set) and plan.columns[plan.data_set[0]].reason == "stated"
    found, numbers = plan.remarks if is_stated else plan.doubts, parse_column(data_sets, plan.sheet.decimal)
    if len(data_sets) > 1 and all(map(DATE.fullmatch, data_sets)):
        found.append(
            f"The data sets are named by dates ({some(data_sets)}): data of one source at different times are not independent, so that "
            "p may be too small."
        )
        return
    if numbers.is_numeric and (any(value and value % 1 for value in numbers.numbers) or any(map(is_setting_heading, plan.data_set))):
        found.append(f"The data sets are named by numbers ({some(data_sets)}): settings of one data set are not independent data sets.")
    for separator in "_-/@:, ":
        pairs = [name.rpartition(separator)[::2] for name in data_sets]
        stems, ends = ({pair[side] for pair in pairs} for side in (0, 1))
        if "" not in stems | ends and min(len(stems), len(ends)) > 1 and len(stems) * len(ends) == len(data_sets):
            others = some(sorted(map(str.strip, ends)))
            found.append(
                f"The {len(data_sets)} names {some(data_sets)} combine {len(stems)} names with {len(ends)} others ({others}): data sets "
                "with a common part are not independent, so that p is too small. Average the lines of each data set, or choose one."
            )
            return


def _doubt_directions(plan: ReadingPlan, entries: Sequence[ScoreEntry]) -> None:
    """Add a doubt about the direction of a metric if its name is unknown and its numbers may be costs or errors."""
    stated = plan.options.higher_is_better
    if stated is not None and not isinstance(stated, Mapping):
        return
    usual = plan.metric_name if plan.options.metric == DEFAULT_METRIC_NAME else plan.options.metric
    named = ((one.metric or usual, one.value) for one in entries if one.value == one.value and not one.metric.endswith("is better)"))
    found = grouped((name, value) for name, value in named if (stated or {}).get(name) is None)
    # True if the table is not a DataFrame and was not written by to_csv
    stranger = plan.sheet.line != "row" and plan.sheet.heads[:2] != ["data set", "classifier"]
    large = [name for name, x in found.items() if max(map(abs, x)) > 100 and (is_value_heading(name) or not is_score_heading(name))]
    # a word such as "negative" reverses a direction that the rest of the name does not say
    reversed_names = {name for name in found if read_direction(name) == (None, True)}
    low = [name for name, x in found.items() if stranger and name not in large and (name in reversed_names or _may_be_errors(name, x))]
    if DEFAULT_METRIC_NAME in found and not {*large, *low} and all(has_loss_affix(name) for name in {one.classifier for one in entries}):
        low = [DEFAULT_METRIC_NAME]
    # these weaker signs give no warning, but the results desk asks for the direction
    few = [name for name, x in found.items() if stranger and _may_be_errors(name, x, 1, 1 / 2)]
    plan.undirected |= dict.fromkeys([*few, *low], "the numbers") | dict.fromkeys(large, "numbers above 100")
    for listed, what in ((large, "numbers above 100"), (low, "its numbers" if len(low) == 1 else "their numbers")):
        if listed:
            plan.doubt_direction(listed, f": {what} may be costs or errors")


def _doubt_marked_lowest(plan: ReadingPlan) -> None:
    """Add a doubt if the lowest scores are in bold or starred, although higher is assumed to be better."""
    heads, name = list(plan.scores), plan.metric_name if plan.options.metric == DEFAULT_METRIC_NAME else plan.options.metric
    if plan.options.higher_is_better is not None or plan.classifier or len(heads) < 2 or name.endswith("is better)"):
        return
    marks = ([row in plan.parsed(head).forms.get("marks", ()) for head in heads] for row in plan.rows)
    values = zip(zip(*map(plan.numbers, heads)), marks)
    lines = [(line, [x for x, one in zip(line, marked) if one]) for line, marked in values if 0 < sum(marked) < len(heads)]
    best = [(min(found) == min(line), max(found) == max(line)) for line, found in lines]
    lowest = len(best) * 2 > len(plan.rows) and sum(low and not high for low, high in best) > 0.8 * len(best)
    if lowest and read_direction(name)[0] is not True:
        plan.doubt_direction([name], ", although the lowest numbers of the lines are in bold or starred")


def _may_be_errors(name: str, values: Sequence[float], enough: int = ENOUGH, share: float = 1 / 3) -> bool:
    """Return whether the numbers of a metric with an unknown name are not proportions, or are mostly small, as errors are."""
    x = np.array(values)
    if not is_value_heading(name):
        return not is_score_heading(name) and read_direction(name)[0] is None and bool(x.min() < 0 or x.max() > 1 or np.median(x) < 0.5)
    return len(x) >= enough and bool(x.min() < 0 or np.median(x) < share * (1 if x.max() <= 1 else 100))


def _ask_about_ranks(plan: ReadingPlan, entries: Sequence[ScoreEntry]) -> None:
    """Raise an error that asks for the direction if the numbers on each data set are the ranks 1, 2, ..., k."""
    if plan.options.higher_is_better is not None:
        return
    tables = grouped(((one.metric, one.data_set, one.fold, one.seed), one.value) for one in entries if one.value == one.value)
    for metric in dict.fromkeys(key[0] for key in tables):
        lines = [np.sort(values) for key, values in tables.items() if key[0] == metric]
        k = max(map(len, lines))
        if k < 3 or len(lines) < 2 or "rank" in f"{metric} {plan.options.metric} {plan.metric_name}".lower():
            continue
        sums = all(abs(line.sum() - len(line) * (len(line) + 1) / 2) <= 0.011 * len(line) for line in lines)
        ranks = sums and all(1 <= line[0] <= line[-1] <= len(line) for line in lines)
        title, last = plan.sheet.title.lower(), re.search(rf"\b{k}\s*(?:=|is)\s*(?:the )?best", plan.sheet.title.lower())
        is_named = any(map(is_rank_heading, title.split())) or all(map(is_rank_heading, plan.scores))
        if ranks and is_named and not (metric or last or plan.classifier) and plan.metric_name == DEFAULT_METRIC_NAME:
            plan.metric_name = "rank"
            plan.notes.append("The metric is rank, and lower is better, as the headings or the text above the table say.")
        elif ranks and any(len({*line.tolist()}) == k for line in lines):
            whole = all((2 * line % 1 == 0).all() for line in lines)
            ranks_held = f"the ranks 1 to {k}" if whole else f"mean ranks of {k} classifiers"
            raise plan.question(
                f"every line holds {ranks_held}. Write higher_is_better=False if rank 1 is the best, or True if rank "
                f"{k} is the best. If possible, pass the scores, from which the tests compute ranks with ties"
            )
