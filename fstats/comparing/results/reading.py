"""From a sheet to its scores, one by one: which column says what, by stated rules, and what each cell of scores is a score of.

A wide sheet has a column for each classifier, a long one a column that names the classifier of each line.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from math import isinf
from typing import NamedTuple

from ...core.rows import FOLD_COLUMNS, names_data_sets
from ...core.suggestions import nearest_first
from .sheet import CLASSIFIER_COLUMNS, METRIC_COLUMNS, MISSING, Sheet

ONLY = ""  # the fold of a score that is the only one
NUMBER = r"[-+]?[\d.,]+"
SPREAD = re.compile(rf"({NUMBER})\s*%?\s*(?:(?:±|\+/?-|\\pm)\s*{NUMBER}\s*%?|\({NUMBER}\s*%?\))")
RANKS = {"mean rank", "average rank", "avg rank", "avg. rank", "win/draw/loss", "w/d/l"}  # no classifiers
SUMMARIES = RANKS | {"mean", "average", "avg", "avg."}  # and no data sets
FOLD_HEAD = re.compile(r"(?:fold|split)[ _-]?(\d+)(?:_test_\w+)?", re.IGNORECASE)  # of a column that is one fold


class FoundScore(NamedTuple):
    """One score, missing where it is nan, and the place where it stood."""

    data_set: str
    classifier: str
    fold: str
    metric: str
    value: float
    place: str


class Columns(NamedTuple):
    """Which column says what; None where no column says it."""

    data_set: str | None
    classifier: str | None
    fold: list[str]
    metric: str | None
    scores: list[str]


# -- which column says what --------------------------------------------------------------------------------------------------
def columns_of(
    sheet: Sheet,
    data_set: str | None = None,
    classifier: str | None = None,
    fold: str | None = None,
    scores: Sequence[str] | str | None = None,
) -> Columns:
    """Which column says what: as stated, or by its head; what is left over holds scores."""
    listed = [scores] if isinstance(scores, str) else list(scores or ())
    stated = [one for one in (data_set, classifier, fold, *listed) if one is not None]
    _check_heads(sheet, stated)
    free = [head for head in sheet.heads if head not in stated]
    classifiers = [classifier] if classifier else _called(CLASSIFIER_COLUMNS, free)
    folds = [fold] if fold else _called(FOLD_COLUMNS, free)
    metrics = _called(METRIC_COLUMNS, free) if classifiers else []
    free = [head for head in free if head not in (*classifiers, *folds, *metrics)]
    own = data_set or _naming_data_sets(sheet, free)
    left = listed or [head for head in free if head != own]
    _check_roles(sheet, classifiers, own, left)
    return Columns(own, classifiers[0] if classifiers else None, folds, metrics[0] if metrics else None, left)


def _called(names: set[str], heads: Sequence[str]) -> list[str]:
    return [head for head in heads if head.lower() in names]


def _naming_data_sets(sheet: Sheet, free: Sequence[str]) -> str | None:
    """The first column that is called so; or else the first of all, if it has no head or holds words."""
    if called := [head for head in free if names_data_sets(head)]:
        return called[0]
    if free and (free[0] == "" or any(sheet.number(row, free[0]) is None for row in range(len(sheet[free[0]])))):
        return free[0]
    return None


def _check_heads(sheet: Sheet, stated: Sequence[str]) -> None:
    """No head stands twice, and those that are stated are there."""
    if twice := [head for head, count in Counter(sheet.heads).items() if count > 1]:
        raise ValueError(f"{sheet.name} must have different heads; got {twice[0]!r} more than once")
    for column in stated:
        if column not in sheet.heads:
            raise ValueError(f"{sheet.name} has no column {column!r}; {nearest_first(column, sheet.heads)}")


def _check_roles(sheet: Sheet, classifiers: Sequence[str], data_set: str | None, scores: Sequence[str]) -> None:
    """One column at most names the classifier, a long sheet has one that names the data set, and some column holds scores."""
    if len(classifiers) > 1:
        raise ValueError(
            f"{sheet.name} has columns {' and '.join(map(repr, classifiers))}: say which one names the classifier by classifier="
        )
    if classifiers and data_set is None:
        raise ValueError(
            f"{sheet.name} has a column {classifiers[0]!r}, so a line for each score, but none that names the data set; it has "
            f"{', '.join(sheet.heads)}: name the column by data_set="
        )
    if not scores:
        raise ValueError(f"{sheet.name} has no column with scores; it has {', '.join(sheet.heads)}")


# -- the scores --------------------------------------------------------------------------------------------------------------
def entries(sheet: Sheet, of: Columns) -> Iterator[FoundScore]:
    """The scores one by one, from the first line on."""
    count = len(sheet[of.scores[0]])
    data_sets = [str(row + 1) for row in range(count)] if of.data_set is None else [str(cell) for cell in sheet[of.data_set]]
    names, metrics = ([""] * count if head is None else [str(cell) for cell in sheet[head]] for head in (of.classifier, of.metric))
    lines = list(zip(data_sets, names, metrics, strict=True))
    folds, as_columns = _folds(sheet, of, lines), _folds_as_columns(of)
    if of.classifier is None and (no := next((head for head in of.scores if head.lower() in RANKS), "")):
        raise ValueError(
            f"{sheet.name}: the column {no!r} is a summary and no classifier: leave it out, or name the others by scores=[...]"
        )
    for row, (data_set, name, metric) in enumerate(lines):
        _check_names(sheet, of, row, data_set, name)
        for head in of.scores:
            if of.classifier is None:
                what = head, folds[row], ""
            elif as_columns:
                what = name, as_columns[head], metric
            else:
                what = name, folds[row], metric if of.metric is not None and len(of.scores) == 1 else f"{metric} {head}".strip()
            yield FoundScore(data_set, *what, _score(sheet, row, head), sheet.place(row, head))


def _folds(sheet: Sheet, of: Columns, lines: Sequence[tuple[str, str, str]]) -> list[str]:
    """The fold of each line: as columns number it; or else the lines that say the same, if they are equally many, are its folds."""
    if of.fold:
        return [", ".join(map(str, cells)) for cells in zip(*(sheet[head] for head in of.fold), strict=True)]
    counts = Counter(lines)
    if len(counts) == len(lines):
        return [ONLY] * len(lines)
    even = len(set(counts.values())) == 1
    if of.classifier is None and (not even or not sheet.counted):  # a frame may be made of equally many folds
        twice = next(line for line, count in counts.items() if count > 1)
        rows = [row for row, line in enumerate(lines) if line == twice]
        raise ValueError(
            f"{sheet.name}: {twice[0]} stands in {sheet.rows(rows)}, and no column numbers the folds: keep one of them, or number them in "
            "a column 'fold' (another name by fold=)"
        )
    if not even:
        many, most = counts.most_common(1)[0]
        raise ValueError(
            f"{sheet.name} has {', '.join(filter(None, many))} {most} times and others {min(counts.values())} times, and no column numbers "
            "the folds: add a column 'fold', or name it by fold="
        )
    seen: Counter[tuple[str, str, str]] = Counter()
    folds = []
    for line in lines:
        seen[line] += 1
        folds.append(str(seen[line]))
    return folds


def _folds_as_columns(of: Columns) -> dict[str, str]:
    """The fold of each column of scores, where every one is a fold of the classifier that its line names; or else none."""
    found = {head: number[1] for head in of.scores if (number := FOLD_HEAD.fullmatch(head))}
    return found if of.classifier is not None and not of.fold and len(found) == len(of.scores) else {}


def _check_names(sheet: Sheet, of: Columns, row: int, data_set: str, name: str) -> None:
    """A line names what it is about, and is no summary of others."""
    if of.data_set is not None and data_set.strip().lower() in SUMMARIES:
        raise ValueError(f"{sheet.place(row, of.data_set)}: {data_set!r} is a summary and no data set: leave that line out")
    for words, column in ((data_set, of.data_set), (name, of.classifier)):
        if column is not None and words.lower() in MISSING:
            raise ValueError(f"{sheet.place(row, column)}: the name is missing")


def _score(sheet: Sheet, row: int, head: str) -> float:
    """The score in a cell, nan where it is missing."""
    value = sheet.number(row, head)
    if value is None:
        raise ValueError(f"{sheet.place(row, head)}: {_no_number(str(sheet[head][row]))}")
    if isinf(value):
        raise ValueError(f"{sheet.place(row, head)}: a score must be finite; got {value}")
    return value


def _no_number(cell: str) -> str:
    """What is wrong with a cell that is no number, and what to do."""
    plain = cell.strip().strip("$").strip()
    if spread := SPREAD.fullmatch(plain):
        return (
            f"{cell!r} is a mean with its spread, and the tests need the score alone: keep {spread[1]!r}, or better, hand in the scores of "
            "the folds, a line for each, numbered in a column 'fold'"
        )
    if re.fullmatch(rf"{NUMBER}\s*%", plain):
        return f"{cell!r} has a sign of percent: write the number alone, {plain.rstrip('% ')!r}, in the whole file"
    if re.fullmatch(r"[-+]?\d+,\d+", plain):
        return f"{cell!r} has a decimal comma: write {plain.replace(',', '.')!r}, or separate the columns by semicolons"
    return f"{cell!r} is no number: write one, such as 0.5, or name the columns that hold scores by scores=[...]"
