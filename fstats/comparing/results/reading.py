"""Scores from CSV files and DataFrames, wide (a column for each classifier) or long (a line for each score)."""

from __future__ import annotations

import csv
import gzip
import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import StringIO
from math import inf, nan
from pathlib import Path
from typing import Any, NamedTuple

from ...core.rows import FOLD_COLUMNS, data_set_levels, names_data_sets
from ...core.suggestions import nearest_first

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
    numbers: list[int] | None  # of the lines in an editor; None where the rows of a frame are counted from 0
    decimal: str = "."

    def rows(self, rows: Sequence[int]) -> str:
        """Which lines these are, the first few of them."""
        numbers = [str(row if self.numbers is None else self.numbers[row]) for row in rows[:4]] + ["..."] * (len(rows) > 4)
        listed = f"{', '.join(numbers[:-1])} and {numbers[-1]}"
        return f"rows {listed} (counting from 0)" if self.numbers is None else f"lines {listed}"

    def place(self, row: int, head: str) -> str:
        """Where a cell stands."""
        line = f"row {row} (counting from 0)" if self.numbers is None else f"line {self.numbers[row]}"
        return f"{self.name}, {line}, column {head!r}"


class Columns(NamedTuple):
    """Which column says what; None where no column says it."""

    data_set: list[str]
    classifier: str | None
    fold: list[str]
    metric: str | None
    scores: list[str]


def of_csv(path: str | os.PathLike[str], least: int = 2) -> Sheet:
    """The cells of a CSV file, possibly gzipped; separated by commas, semicolons or tabs, whichever its first line has most of.

    It has this many columns at least.
    """
    file = Path(path)
    if not file.is_file():
        raise FileNotFoundError(f"there is no file {file} (names count from {Path.cwd()})")
    content = gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        number = content[: error.start].count(b"\n") + 1
        raise ValueError(f"{file}, line {number}: the file must be written in UTF-8; save it so (in Excel as 'CSV UTF-8')") from None
    stated, _, rest = text.partition("\n")
    skipped = int(re.fullmatch(r"sep=.\s*", stated) is not None)  # what Excel writes above the heads
    text = rest if skipped else text
    found = Counter(sign for sign in text.partition("\n")[0] if sign in ",;\t")
    between = found.most_common(1)[0][0] if found else ","
    reader = csv.reader(StringIO(text, newline=""), delimiter=between)
    numbered = [(reader.line_num + skipped, line) for line in reader if any(cell.strip() for cell in line)]
    numbers, lines = [number for number, _ in numbered], [line for _, line in numbered]
    if len(lines) < 2 or len(lines[0]) < least:
        raise ValueError(f"{file} must have a line of heads with lines of scores below it; it has {len(lines)} lines")
    heads = [head.strip() for head in lines[0]]
    for number, line in numbered[1:]:
        if len(line) != len(heads):
            raise ValueError(f"{file}, line {number}: {len(line)} cells below {len(heads)} heads")
    return Sheet(heads, [[cell.strip() for cell in line] for line in lines[1:]], file.name, numbers[1:], "." if between == "," else ",")


def of_frame(frame: Any) -> Sheet:
    """The cells of a DataFrame, its index first where that holds names."""
    heads = [" ".join(map(str, head)) if isinstance(head, tuple) else str(head) for head in frame.columns]
    columns = [list(frame.iloc[:, k]) for k in range(len(heads))]
    index = frame.index
    if index.nlevels > 1:
        own = data_set_levels(index, "scores")
        for level in reversed(range(index.nlevels)):
            called = str(index.names[level])
            fold = level not in own and called.lower() not in CLASSIFIER_COLUMNS | METRIC_COLUMNS
            heads.insert(0, "fold" if fold and index.nlevels - len(own) == 1 else called)
            columns.insert(0, list(index.get_level_values(level)))
    elif type(index).__name__ != "RangeIndex":
        heads.insert(0, str(index.name) if index.name is not None and names_data_sets(str(index.name)) else "data set")
        columns.insert(0, list(index))
    return Sheet(heads, [list(line) for line in zip(*columns, strict=True)], "scores", None)


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
    return all(number_in(line[k], sheet.decimal) is not None for line in sheet.lines)


def entries(sheet: Sheet, of: Columns) -> Iterator[FoundScore]:
    """The scores one by one.  Where all scores of a long sheet stand in equally many lines that nothing numbers, those are its folds."""
    at = {head: k for k, head in enumerate(sheet.heads)}
    seen: Counter[tuple[str, str, str]] = Counter()
    alone = _alone(sheet, of)
    as_columns = {head: found[1] for head in of.scores if of.classifier and not of.fold and (found := FOLD_HEAD.fullmatch(head))}
    if not of.classifier and (no := next((head for head in of.scores if head.lower() in RANKS), "")):
        raise ValueError(
            f"{sheet.name}: the column {no!r} is a summary and no classifier: leave it out, or name the others by scores=[...]"
        )
    if len(as_columns) < len(of.scores):
        as_columns = {}
    for row, line in enumerate(sheet.lines):
        data_set = str(line[at[of.data_set[0]]]) if of.data_set else str(row + 1)
        name = str(line[at[of.classifier]]) if of.classifier else ""
        metric = str(line[at[of.metric]]) if of.metric else ""
        seen[data_set, name, metric] += 1
        if of.data_set and data_set.strip().lower() in SUMMARIES:
            raise ValueError(f"{sheet.place(row, of.data_set[0])}: {data_set!r} is a summary and no data set: leave that line out")
        for words, column in ((data_set, of.data_set), (name, [of.classifier] if of.classifier else [])):
            if column and words.lower() in MISSING:
                raise ValueError(f"{sheet.place(row, str(column[0]))}: the name is missing")
        fold = ", ".join(str(line[at[one]]) for one in of.fold) if of.fold else ONLY if alone else str(seen[data_set, name, metric])
        for head in of.scores:
            value = number_in(line[at[head]], sheet.decimal)
            if value is None:
                raise ValueError(f"{sheet.place(row, head)}: {_no_number(str(line[at[head]]))}")
            if value in (inf, -inf):
                raise ValueError(f"{sheet.place(row, head)}: a score must be finite; got {value}")
            place = sheet.place(row, head)
            if head in as_columns:
                yield FoundScore(data_set, name, as_columns[head], metric, value, place)
            elif of.classifier:
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
    twice = next((key for key, count in counts.items() if count > 1), None)
    if twice and not of.classifier and (sheet.numbers or len(set(counts.values())) > 1):  # a frame may be made of equally many folds
        rows = [row for row, line in enumerate(sheet.lines) if tuple(str(line[k]) for k in places) == twice]
        raise ValueError(
            f"{sheet.name}: {twice[0]} stands in {sheet.rows(rows)}, and no column "
            f"numbers the folds: keep one of them, or number them in a "
            "column 'fold' (another name by fold=)"
        )
    if len(set(counts.values())) > 1 and of.classifier:
        many, most = counts.most_common(1)[0]
        raise ValueError(
            f"{sheet.name} has {', '.join(many)} {most} times and others {min(counts.values())} times, and no column numbers the folds: "
            "add a column 'fold', or name it by fold="
        )
    return set(counts.values()) == {1}


NUMBER = r"[-+]?[\d.,]+"
SPREAD = re.compile(rf"({NUMBER})\s*%?\s*(?:(?:±|\+/?-|\\pm)\s*{NUMBER}\s*%?|\({NUMBER}\s*%?\))")
RANKS = {"mean rank", "average rank", "avg rank", "avg. rank", "win/draw/loss", "w/d/l"}  # no classifiers
SUMMARIES = RANKS | {"mean", "average", "avg", "avg."}  # and no data sets
FOLD_HEAD = re.compile(r"(?:fold|split)[ _-]?(\d+)(?:_test_\w+)?", re.IGNORECASE)  # of a column that is one fold


def _no_number(cell: str) -> str:
    """What is wrong with a cell that is no number, and what to do."""
    plain = cell.strip().strip("$").strip()
    if spread := SPREAD.fullmatch(plain):
        return (
            f"{cell!r} is a mean with its spread, and the tests need the score alone: keep "
            f"{spread[1]!r}, or better, hand in the scores of the "
            "folds, a line for each, numbered in a column 'fold'"
        )
    if re.fullmatch(rf"{NUMBER}\s*%", plain):
        return f"{cell!r} has a sign of percent: write the number alone, {plain.rstrip('% ')!r}, in the whole file"
    if re.fullmatch(r"[-+]?\d+,\d+", plain):
        return f"{cell!r} has a decimal comma: write {plain.replace(',', '.')!r}, or separate the columns by semicolons"
    return f"{cell!r} is no number: write one, such as 0.5, or name the columns that hold scores by scores=[...]"


def number_in(cell: Any, decimal: str) -> float | None:
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
