"""Plan of a cross-validation on one data set, from the names of its folds: number of folds, absent folds, and sizes of the splits."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

from . import column_names
from .reading_plan import MAX_LISTED, ReadingOptions, ReadingPlan, ScoreEntry, as_list, grouped
from .reading_question import ReadingQuestion
from .tabular_data import TabularData
from .wide_columns import NUMBERED_NAME, numbered_groups

# a name of a fold without its number, such as iris_fold
FOLD_WORD = re.compile(rf"(?P<name>.*[^\W_])[\s._-]+(?P<word>{'|'.join(column_names.known_words('fold'))})", re.IGNORECASE)

USUAL_FOLDS = {*range(2, 11), 20}  # any other number may be that of the folds of several repetitions, numbered as one series


class FoldPlan(NamedTuple):
    """Number of folds of each repetition (0 if unknown), and the folds that the numbering leaves out, in words."""

    folds: int
    absent: tuple[str, ...] = ()


def find_fold_plan(names: Sequence[str]) -> FoldPlan:
    """Return the plan of folds with the names "fold", or "repetition, fold".

    >>> find_fold_plan(["0, 0", "0, 1", "0, 2", "1, 0", "1, 2"])
    FoldPlan(folds=3, absent=('repetition 1, fold 1',))
    >>> find_fold_plan(["0", "1", "3"]), find_fold_plan(["a, 1", "a, 2", "b, 3", "b, 4"])
    (FoldPlan(folds=4, absent=('fold 2',)), FoldPlan(folds=2, absent=()))
    """
    parts = (name.rpartition(", ") for name in names)
    groups = grouped((repetition, fold) for repetition, _, fold in parts)
    different = _whole_numbering([fold for folds in groups.values() for fold in folds])
    largest = max(map(len, groups.values()))
    if len(groups) > 1 and sum(map(len, groups.values())) == len({fold for folds in groups.values() for fold in folds}):
        # the numbers of folds run on from one repetition to the next
        few = [f"{largest - len(folds)} of {largest} folds of repetition {name}" for name, folds in groups.items() if len(folds) < largest]
        return FoldPlan(largest if largest > 1 else 0, tuple(few))
    absent = [
        f"{f'repetition {name}, ' * bool(name)}fold {fold}" for name, folds in groups.items() for fold in different if fold not in folds
    ]
    if len(different) < 2 or len(absent) > len(names):
        return FoldPlan(0)
    return FoldPlan(len(different), tuple(absent))


def _whole_numbering(names: Sequence[str]) -> list[str]:
    """Return the different names; if they are whole numbers, also the numbers that are missing between 0 or 1 and the largest."""
    known = list(dict.fromkeys(names))
    numbers = {int(name) for name in known if name.isdecimal()}
    if len(numbers) < len(known) or max(numbers) >= 2 * len(known):
        return known
    return [*known, *(str(k) for k in range(0 if 0 in numbers else 1, max(numbers)) if k not in numbers)]


def note_absent_folds(plan: ReadingPlan, entries: Sequence[ScoreEntry]) -> None:
    """Add a remark on folds of a data set that no classifier has."""
    folds = grouped(dict.fromkeys((entry.data_set, entry.fold) for entry in entries))
    plans = {data_set: find_fold_plan(names) for data_set, names in folds.items() if len(names) > 1}
    absent = [f"{f'{data_set}, ' * (len(folds) > 1)}{fold}" for data_set, found in plans.items() for fold in found.absent]
    if absent:
        more = f"; and {len(absent) - MAX_LISTED} more" * (len(absent) > MAX_LISTED)
        plan.remarks.append(f"Folds without a score of any classifier were left out: {'; '.join(absent[:MAX_LISTED])}{more}.")
        plan.changes.append(plan.remarks[-1])


def with_folds_of_names(sheet: TabularData, options: ReadingOptions) -> TabularData:
    """Return a table whose names, such as iris_fold1 and iris_fold2, are split into names of data sets and a column of folds or seeds.

    Other tables are returned unchanged, and names such as iris_1 only if the user says that they are numbered.
    """
    are_heads = any(len(group) > 1 for group in numbered_groups(sheet.heads).values())  # then numbered= refers to the columns
    stated = "" if are_heads else {"folds": "fold", "seeds": "seed"}.get(options.numbered or "", "")
    kept = {*as_list(options.ignore), *([] if stated else options.named_columns)}
    for place, head in enumerate(sheet.heads) if options.numbered != "classifiers" else ():
        cells = [str(cell).strip() for cell in sheet.columns[place]]
        groups = {} if head in kept or len(cells) < 2 or not NUMBERED_NAME.fullmatch(cells[0]) else numbered_groups(cells)
        if not groups or sum(map(len, groups.values())) < len({*cells}):
            continue
        words = {stem: found.groups() if (found := FOLD_WORD.fullmatch(stem)) else (stem, "") for stem in groups}
        role = "seed" if all(word.lower() == "seed" for _, word in words.values()) else "fold"
        is_named = stated or all(word for _, word in words.values())
        if "" in groups or role in sheet.heads or not is_named or len({*cells}) == len(groups):
            continue
        named = {cell: (words[stem][0], number) for stem, group in groups.items() for cell, number in group.items()}
        parts = [[named[cell][k] for cell in cells] for k in (0, 1)]
        role = stated or role
        note = f"The names in {head!r} were split into names and numbers of {role}s: {cells[0]} is {role} {parts[1][0]} of {parts[0][0]}."
        heads = [*sheet.heads[: place + 1], role, *sheet.heads[place + 1 :]]
        columns = [*sheet.columns[:place], *parts, *sheet.columns[place + 1 :]]
        return replace(sheet, heads=heads, columns=columns, notes=(*sheet.notes, note))
    return sheet


def parse_ratio(value: Any) -> float | None:
    """Return the stated ratio of test to training records, a number or a fraction as text."""
    try:
        ratio = None if value is None else float(Fraction(str(value).replace(" ", "")))
    except (ValueError, ZeroDivisionError):
        ratio = 0.0
    if ratio is not None and ratio <= 0:
        raise ValueError(f"test_train_ratio must be a number above 0, or a fraction such as '1/9'; got {value!r}")
    return ratio


def split_size_question(splits: int, has_folds: bool) -> ReadingQuestion:
    """Return the question how many records each split of one data set tests; repetitions without folds are no cross-validation."""
    one = [f"test_train_ratio='1/{splits - 1}' if it is one {splits}-fold cross-validation"] * has_folds
    ways = one + [f"test_train_ratio='1/{k - 1}' if each split tests 1/{k} of the records" for k in (10, 5, 3, 2) if k != splits or not one]
    return ReadingQuestion(
        f"nothing says how many records each of the {splits} splits of the data set tests, and the test depends on it. Write "
        f"{', or '.join(ways)}"
    )
