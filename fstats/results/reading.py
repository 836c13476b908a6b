"""Scores from CSV files and DataFrames, wide (a column for each classifier) or long (a line for each score)."""

from __future__ import annotations

import csv
import gzip
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import StringIO
from math import inf, nan
from pathlib import Path
from typing import Any, NamedTuple

from ..nearest import nearest_first
from ..rows import FOLD_COLUMNS, data_set_levels, names_data_sets

MISSING = {"", "?", "-", "–", "na", "n/a", "nan", "null", "none", "<na>", "nat"}
CLASSIFIER_COLUMNS = {"classifier", "model", "algorithm", "method", "learner", "estimator", "pipeline", "clf"}
METRIC_COLUMNS = {"metric", "measure", "scoring"}
ONLY = ""  # the fold of a score that is the only one


class FoundScore(NamedTuple):
    """One score, missing where it is nan, and the place where it stood."""

    data_set: str
    classifier: str
    fold: str
    metric: str
    value: float
    place: str


@dataclass(frozen=True)
class Sheet:
    """Heads and lines of cells, as they were read."""

    heads: list[str]
    lines: list[list[Any]]
    name: str
    first: int | None  # the number of the first line in an editor; None where the rows of a frame are counted from 0
    decimal: str = "."

    def place(self, row: int, head: str) -> str:
        """Where a cell stands."""
        line = f"row {row} (counting from 0)" if self.first is None else f"line {self.first + row}"
        return f"{self.name}, {line}, column {head!r}"


class Columns(NamedTuple):
    """Which column says what; None where no column says it."""

    data_set: list[str]
    classifier: str | None
    fold: list[str]
    metric: str | None
    scores: list[str]


def of_csv(path: str | os.PathLike[str]) -> Sheet:
    """The cells of a CSV file, possibly gzipped; separated by commas, semicolons or tabs, whichever its first line has most of."""
    file = Path(path)
    content = gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        number = content[: error.start].count(b"\n") + 1
        raise ValueError(f"{file}, line {number}: the file must be written in UTF-8; save it so (in Excel as 'CSV UTF-8')") from None
    found = Counter(sign for sign in text.partition("\n")[0] if sign in ",;\t")
    between = found.most_common(1)[0][0] if found else ","
    lines = [line for line in csv.reader(StringIO(text, newline=""), delimiter=between) if any(cell.strip() for cell in line)]
    if len(lines) < 2 or len(lines[0]) < 2:
        raise ValueError(f"{file} must have a line of heads with lines of scores below it; it has {len(lines)} lines")
    heads = [head.strip() for head in lines[0]]
    for number, line in enumerate(lines[1:], 2):
        if len(line) != len(heads):
            raise ValueError(f"{file}, line {number}: {len(line)} cells below {len(heads)} heads")
    return Sheet(heads, [[cell.strip() for cell in line] for line in lines[1:]], file.name, 2, "." if between == "," else ",")


def of_frame(frame: Any, name: str = "scores") -> Sheet:
    """The cells of a DataFrame, its index first where that holds names."""
    heads = [" ".join(map(str, head)) if isinstance(head, tuple) else str(head) for head in frame.columns]
    columns = [list(frame.iloc[:, k]) for k in range(len(heads))]
    index = frame.index
    if index.nlevels > 1:
        own = data_set_levels(index, name)
        for level in reversed(range(index.nlevels)):
            called = str(index.names[level])
            fold = level not in own and called.lower() not in CLASSIFIER_COLUMNS | METRIC_COLUMNS
            heads.insert(0, "fold" if fold and index.nlevels - len(own) == 1 else called)
            columns.insert(0, list(index.get_level_values(level)))
    elif type(index).__name__ != "RangeIndex":
        heads.insert(0, str(index.name) if index.name is not None and names_data_sets(str(index.name)) else "data set")
        columns.insert(0, list(index))
    return Sheet(heads, [list(line) for line in zip(*columns, strict=True)], name, None)


def columns_of(sheet: Sheet, data_set: str | None, classifier: str | None, fold: str | None, scores: Sequence[str] | str | None) -> Columns:
    """Which column says what: as stated, or by its name."""
    if twice := [head for head, count in Counter(sheet.heads).items() if count > 1]:
        raise ValueError(f"{sheet.name} must have different heads; got {twice[0]!r} more than once")
    listed = [scores] if isinstance(scores, str) else None if scores is None else list(scores)
    for column in (data_set, classifier, fold, *(listed or [])):
        if column is not None and column not in sheet.heads:
            raise ValueError(f"{sheet.name} has no column {column!r}; {nearest_first(column, sheet.heads)}")

    def called(names: set[str], taken: Sequence[str]) -> list[str]:
        return [head for head in sheet.heads if head.lower() in names and head not in taken]

    stated = [one for one in (data_set, classifier, fold, *(listed or [])) if one is not None]
    classifiers = [classifier] if classifier else called(CLASSIFIER_COLUMNS, stated)
    folds = [fold] if fold else called(FOLD_COLUMNS, [*stated, *classifiers])
    metrics = called(METRIC_COLUMNS, [*stated, *classifiers, *folds]) if classifiers else []
    taken = [*classifiers, *folds, *metrics, *(listed or [])]
    free = [head for head in sheet.heads if head not in taken]
    if data_set:
        own = [data_set]
    else:
        own = [head for head in free if names_data_sets(head)][:1]
        if not own and free and (free[0] == "" or not _holds_numbers(sheet, free[0])):
            own = free[:1]
    if len(classifiers) > 1:
        raise ValueError(
            f"{sheet.name} has columns {' and '.join(map(repr, classifiers))}: say which one names the classifier by classifier="
        )
    if classifiers and not own:
        raise ValueError(
            f"{sheet.name} has a column {classifiers[0]!r}, so a line for each score, but none that names the data set; it has "
            f"{', '.join(sheet.heads)}: name the column by data_set="
        )
    left = listed or [head for head in free if head not in own]
    if not left:
        raise ValueError(f"{sheet.name} has no column with scores; it has {', '.join(sheet.heads)}")
    return Columns(own, classifiers[0] if classifiers else None, folds, metrics[0] if metrics else None, left)


def _holds_numbers(sheet: Sheet, head: str) -> bool:
    """Whether all cells of a column are numbers, or missing."""
    k = sheet.heads.index(head)
    return all(_value(line[k], sheet.decimal) is not None for line in sheet.lines)


def entries(sheet: Sheet, of: Columns) -> Iterator[FoundScore]:
    """The scores one by one.  Where a data set stands in several lines and nothing numbers them, they are its folds in their order."""
    at = {head: k for k, head in enumerate(sheet.heads)}
    seen: Counter[tuple[str, str, str]] = Counter()
    alone = _alone(sheet, of)
    for row, line in enumerate(sheet.lines):
        data_set = str(line[at[of.data_set[0]]]) if of.data_set else str(row + 1)
        name = str(line[at[of.classifier]]) if of.classifier else ""
        metric = str(line[at[of.metric]]) if of.metric else ""
        seen[data_set, name, metric] += 1
        for words, column in ((data_set, of.data_set), (name, [of.classifier] if of.classifier else [])):
            if column and words.lower() in MISSING:
                raise ValueError(f"{sheet.place(row, str(column[0]))}: the name is missing")
        fold = ", ".join(str(line[at[one]]) for one in of.fold) if of.fold else ONLY if alone else str(seen[data_set, name, metric])
        for head in of.scores:
            value = _value(line[at[head]], sheet.decimal)
            if value is None:
                raise ValueError(
                    f"{sheet.place(row, head)}: {str(line[at[head]])!r} is no number: write one, such as 0.5, or name the columns that hold scores by scores=[...]"
                )
            if value in (inf, -inf):
                raise ValueError(f"{sheet.place(row, head)}: a score must be finite; got {value}")
            place = sheet.place(row, head)
            if of.classifier:
                yield FoundScore(
                    data_set, name, fold, metric if of.metric and len(of.scores) == 1 else f"{metric} {head}".strip(), value, place
                )
            else:
                yield FoundScore(data_set, head, fold, "", value, place)


def _alone(sheet: Sheet, of: Columns) -> bool:
    """Whether each data set (with each classifier, in each metric) stands in one line; if not, in equally many."""
    keys = [*of.data_set, *([of.classifier] if of.classifier else []), *([of.metric] if of.metric else [])]
    if of.fold or not of.data_set:
        return not of.fold
    places = [sheet.heads.index(key) for key in keys]
    counts = Counter(tuple(str(line[k]) for k in places) for line in sheet.lines)
    if len(set(counts.values())) > 1 and of.classifier:
        many, most = counts.most_common(1)[0]
        raise ValueError(
            f"{sheet.name} has {', '.join(many)} {most} times and others {min(counts.values())} times, and no column numbers the folds: "
            "add a column 'fold', or name it by fold="
        )
    return set(counts.values()) == {1}


def _value(cell: Any, decimal: str) -> float | None:
    """A number, nan where it is missing; None for what is no number."""
    if isinstance(cell, str):
        if cell.strip().lower() in MISSING:
            return nan
        cell = cell.strip()
        cell = cell.replace(",", ".") if decimal == "," and cell.count(",") == 1 and "." not in cell else cell
    elif cell is None or type(cell).__name__ in ("NAType", "NaTType"):
        return nan
    try:
        return float(cell)
    except (TypeError, ValueError):
        return None
