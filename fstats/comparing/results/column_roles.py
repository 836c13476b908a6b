"""Roles of the columns of a table (data set, classifier, fold, seed, metric, scores), and the scores as entries.

A wide table has a column for each classifier.  A long table has a column that names the classifier of each row.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import count
from math import isinf
from typing import NamedTuple

from ...core.validation import pandas_labels as rows
from ...core.validation.name_suggestions import format_names_by_similarity
from ...core.validation.pandas_labels import FOLDS, OLD_INDEX, REPETITIONS, RUNS, is_data_set_name, is_fold_name, is_seed_name
from .tabular_input import CLASSIFIER_COLUMNS, METRIC_COLUMNS, MISSING_VALUES, TabularData

RUN_AS_FOLD = "run, counted as a fold"  # a column "run" may number splits or seeds
SINGLE = ""  # name of a fold or seed that is the only one
NUMBER = r"[-+]?[\d.,]+"
MEAN_WITH_SPREAD = re.compile(rf"({NUMBER})\s*%?\s*(?:(?:±|\+/?-|\\pm)\s*{NUMBER}\s*%?|\({NUMBER}\s*%?\))")
SUMMARY_ROW_NAMES = {"mean rank", "average rank", "avg rank", "avg. rank", "win/draw/loss", "w/d/l"}  # rows of summaries, no classifiers
NON_CLASSIFIER_HEADING = re.compile(r"(?:^|[_ .-])(?:seeds?|times?|init)$", re.IGNORECASE)  # fit_time, train_seed, ...
SEED_LIKE_HEADING = re.compile(r"(?:^|[_ .-])(?:seeds?|rng)(?:[_ .-]?(?:id|no|nr|number|index|idx))?$", re.IGNORECASE)  # seed_id, ...
FOLD_HEADING = re.compile(r"(?:fold|split)[ _-]?(\d+)(?:_test_\w+)?", re.IGNORECASE)  # a column with the scores of one fold
SEED_HEADING = re.compile(r"(?:seed|random[ _]state)[ _-]?(\d+)", re.IGNORECASE)  # a column with the scores of one seed


class ScoreEntry(NamedTuple):
    """A score (nan if missing), and the place of the score in the source."""

    data_set: str
    classifier: str
    fold: str
    seed: str
    metric: str
    value: float
    place: str


class ColumnRoles(NamedTuple):
    """The column of each role; None if no column has the role."""

    data_set: str | None
    classifier: str | None
    fold: list[str]
    seed: str | None
    metric: str | None
    scores: list[str]
    folds_stated: bool = False

    @property
    def read_as(self) -> dict[str, str]:
        """Role of each column, in words."""
        pairs = [(self.data_set, "data set"), (self.classifier, "classifier"), *((head, self._kind(head)) for head in self.fold)]
        roles = {head: role for head, role in [*pairs, (self.seed, "seed"), (self.metric, "metric")] if head is not None}
        numbered = "fold" if self.folds_in_heads else "seed" if self.seeds_in_heads else ""
        kind = "classifier" if self.classifier is None else numbered
        return roles | dict.fromkeys(self.scores, f"scores of one {kind}" if kind else "scores")

    def _kind(self, head: str) -> str:
        """Return the role of a column that numbers folds or repetitions."""
        name = head.lower()
        if name in REPETITIONS:
            return "repetition"
        return "fold" if self.folds_stated or (name.startswith(FOLDS) and name not in RUNS and "seed" not in name) else RUN_AS_FOLD

    @property
    def folds_in_heads(self) -> dict[str, str]:
        """The fold of each column of scores, if every column of scores is a fold of the classifier of the row; otherwise empty."""
        return {} if self.fold else self._numbered(FOLD_HEADING)

    @property
    def seeds_in_heads(self) -> dict[str, str]:
        """The seed of each column of scores, if every column of scores is a seed of the classifier of the row; otherwise empty."""
        return {} if self.seed else self._numbered(SEED_HEADING)

    def _numbered(self, heads: re.Pattern[str]) -> dict[str, str]:
        numbers = {head: match[1] for head in self.scores if (match := heads.fullmatch(head))}
        return numbers if self.classifier is not None and len(numbers) == len(self.scores) else {}


# -- roles of the columns ----------------------------------------------------------------------------------------------------
def assign_column_roles(
    sheet: TabularData,
    data_set: str | None = None,
    classifier: str | None = None,
    fold: Sequence[str] | str | None = None,
    seed: str | None = None,
    scores: Sequence[str] | str | None = None,
) -> ColumnRoles:
    """Assign a role to each column, as stated or from the heading of the column; all remaining columns hold scores."""
    numbering, listed = as_list(fold), as_list(scores)
    stated = [head for head in (data_set, classifier, *numbering, seed, *listed) if head is not None]
    _check_heads(sheet, stated, seed)
    free = [head for head in sheet.heads if head not in stated]
    classifiers = [classifier] if classifier else [head for head in free if head.lower() in CLASSIFIER_COLUMNS]
    folds = numbering or [head for head in free if is_fold_name(head)] or [head for head in sheet.folds if head in free]
    seeds = [seed] if seed else [head for head in free if is_seed_name(head)]
    metrics = [head for head in free if head.lower() in METRIC_COLUMNS] if classifiers else []
    free = [head for head in free if head not in (*classifiers, *folds, *seeds, *metrics)]
    names = data_set or _data_set_column(sheet, free)
    score_columns = listed or _score_columns(sheet, [head for head in free if head != names], wide=not classifiers)
    _check_roles(sheet, classifiers, names, score_columns, parts=bool(folds or seeds))
    _check_seeds(sheet, seeds, classifiers, [] if listed else score_columns)
    first = [heads[0] if heads else None for heads in (classifiers, seeds, metrics)]
    return ColumnRoles(names, first[0], folds, first[1], first[2], score_columns, bool(numbering))


def _score_columns(sheet: TabularData, free: Sequence[str], wide: bool) -> list[str]:
    """Return the score columns among the remaining columns, without the row numbers that pandas writes as first column."""
    columns = [head for head in free if not (head == "" or OLD_INDEX.fullmatch(head)) or not _is_row_number_column(sheet, head)]
    if wide and (no := next((head for head in columns if NON_CLASSIFIER_HEADING.search(head) or rows.is_metadata_column(head)), "")):
        raise ValueError(
            f"{sheet.name}: the column {no!r} seems to be no classifier: leave out the column, write data_set={no!r} if it names the data "
            f"sets or seed={no!r} if the column numbers seeds, or name the classifiers by scores=[...]"
        )
    if (
        not wide
        and len(columns) > 1
        and (no := next((head for head in columns if SEED_LIKE_HEADING.search(head) and not is_seed_name(head)), ""))
    ):
        raise ValueError(
            f"{sheet.name}: the column {no!r} seems to number seeds, not to hold scores: write seed={no!r} for seeds of training, "
            f"fold={no!r} for seeds of splits, or name the columns of scores by scores=[...]"
        )
    return columns


def _is_row_number_column(sheet: TabularData, head: str) -> bool:
    """Return whether a column holds different whole numbers and no negative numbers."""
    numbers = [sheet.number(row, head) for row in range(len(sheet[head]))]
    return len({number for number in numbers if number is not None and number >= 0 and number.is_integer()}) == len(numbers)


def as_list(names: Sequence[str] | str | None) -> list[str]:
    """Return a single name, several names or None as a list."""
    return [names] if isinstance(names, str) else list(names or ())


def _data_set_column(sheet: TabularData, free: Sequence[str]) -> str | None:
    """Return the first column that is named like data sets; otherwise the first column of all, if it has no heading or holds text."""
    if named := [head for head in free if is_data_set_name(head)]:
        return named[0]
    if free and (free[0] == "" or any(sheet.number(row, free[0]) is None for row in range(len(sheet[free[0]])))):
        return free[0]
    return None


def _check_heads(sheet: TabularData, stated: Sequence[str], seed: str | None) -> None:
    """Check that headings are unique, that stated columns exist, and that the seed column has no other role."""
    if seed is not None and stated.count(seed) > 1:
        raise ValueError(f"a column of {sheet.name} must have one role; got {seed!r} by seed= and again: state this column once")
    if duplicates := [head for head, number in Counter(sheet.heads).items() if number > 1]:
        raise ValueError(f"{sheet.name} must have different heads; got {duplicates[0]!r} more than once")
    for column in stated:
        if column not in sheet.heads:
            raise ValueError(f"{sheet.name} has no column {column!r}; {format_names_by_similarity(column, sheet.heads)}")


def _check_roles(sheet: TabularData, classifiers: Sequence[str], data_set: str | None, scores: Sequence[str], parts: bool) -> None:
    """Check that at most one column names classifiers, and that there are scores and data sets (or parts of one data set)."""
    if len(classifiers) > 1:
        raise ValueError(
            f"{sheet.name} has columns {' and '.join(map(repr, classifiers))}: state by classifier= which column names the classifier"
        )
    if classifiers and data_set is None and not parts:
        raise ValueError(
            f"{sheet.name} has a column {classifiers[0]!r}, so a line for each score, but no column with the data set; the columns are "
            f"{', '.join(sheet.heads)}: name the column of data sets by data_set="
        )
    if not scores:
        raise ValueError(f"{sheet.name} has no column with scores; the columns are {', '.join(sheet.heads)}")


def _check_seeds(sheet: TabularData, seeds: Sequence[str], classifiers: Sequence[str], scores: Sequence[str]) -> None:
    """Check that at most one column numbers the seeds, and that no classifier or metric is named like a seed."""
    if len(both := [*seeds, *(head for head in scores if is_seed_name(head))]) > 1:
        raise ValueError(
            f"{sheet.name} has columns {' and '.join(map(repr, both))}, but only one can hold the seed of training: name it by seed=, a "
            "column that numbers splits by fold=, and columns of scores by scores=[...]"
        )
    if not classifiers and (seed_head := next((head for head in scores if SEED_HEADING.fullmatch(head)), "")):
        raise ValueError(
            f"{sheet.name}: the column {seed_head!r} is a seed, not a classifier: add a column 'classifier' with the classifier of each "
            "line (another name by classifier=)"
        )


def read_entries(sheet: TabularData, roles: ColumnRoles) -> Iterator[ScoreEntry]:
    """Yield the scores row by row."""
    size = len(sheet[roles.scores[0]])
    if single := roles.data_set is None and bool(roles.fold or roles.seed):  # all rows are parts of one data set
        _check_unique_folds(sheet, roles)
    numbers = ["1" if single else str(row + 1) for row in range(size)]
    data_sets = numbers if roles.data_set is None else list(map(str, sheet[roles.data_set]))
    names = ([""] * size if head is None else [str(cell) for cell in sheet[head]] for head in (roles.classifier, roles.metric, roles.seed))
    lines = list(zip(data_sets, *names, strict=True))
    folds, folds_in_heads, seeds_in_heads = _fold_of_rows(sheet, roles, lines), roles.folds_in_heads, roles.seeds_in_heads
    if roles.classifier is None and (no := next((head for head in roles.scores if head.lower() in SUMMARY_ROW_NAMES), "")):
        raise ValueError(
            f"{sheet.name}: the column {no!r} is a summary, no classifier: leave out the column, or name the classifiers by scores=[...]"
        )
    for row, (data_set, name, metric, seed) in enumerate(lines):
        _check_row_names(sheet, roles, row, data_set, name, seed)
        for head in roles.scores:
            if roles.classifier is None:
                key = head, folds[row], seed, ""
            elif folds_in_heads or seeds_in_heads:
                key = name, folds_in_heads.get(head, folds[row]), seeds_in_heads.get(head, seed), metric
            else:
                measured = metric if roles.metric is not None and len(roles.scores) == 1 else f"{metric} {head}".strip()
                key = name, folds[row], seed, measured
            yield ScoreEntry(data_set, *key, _parse_score(sheet, row, head), sheet.place(row, head))


def _check_unique_folds(sheet: TabularData, roles: ColumnRoles) -> None:
    """Raise an error for a repeated pair of fold and seed, if no column names the data set."""
    heads = [head for head in (*roles.fold, roles.seed, roles.classifier, roles.metric) if head is not None]
    lines = list(zip(*(map(str, sheet[head]) for head in heads), strict=True))
    line = Counter(lines).most_common(1)[0][0]
    rows = [row for row, other in enumerate(lines) if other == line]
    if len(rows) > 1:
        cells = ", ".join(f"{head} {cell}" for head, cell in zip(heads, line))
        raise ValueError(
            f"{sheet.name}: {cells} is in {sheet.rows(rows)}, and no column names the data set; heads: {', '.join(sheet.heads)}: add a "
            "column 'data set', or name the column by data_set= (folds and seeds are not data sets)"
        )


def _fold_of_rows(sheet: TabularData, roles: ColumnRoles, lines: Sequence[tuple[str, str, str, str]]) -> list[str]:
    """Return the fold of each row, from columns that number folds; without such columns, equally many rows with equal names are folds.

    If there is a column of seeds, rows with equal names are refused.
    """
    if roles.fold:
        return [", ".join(map(str, cells)) for cells in zip(*(sheet[head] for head in roles.fold), strict=True)]
    counts = Counter(lines)
    if len(counts) == len(lines):
        return [SINGLE] * len(lines)
    even = len(set(counts.values())) == 1
    in_dataframe = even and sheet.counted  # a DataFrame may hold the same number of folds of each data set
    if roles.seed is not None or roles.seeds_in_heads or (roles.classifier is None and not in_dataframe):
        duplicate = next(line for line, number in counts.items() if number > 1)
        names = ", ".join(filter(None, [*duplicate[:3], f"seed {duplicate[3]}" * bool(duplicate[3])]))
        rows = [row for row, line in enumerate(lines) if line == duplicate]
        raise ValueError(
            f"{sheet.name}: {names} is in {sheet.rows(rows)}, and no column numbers the folds: keep one row, or number the folds in "
            "a column 'fold' (another name by fold=)"
        )
    if not even:
        line, most = counts.most_common(1)[0]
        raise ValueError(
            f"{sheet.name} has {', '.join(filter(None, line))} {most} times and others {min(counts.values())} times, and no column "
            "numbers the folds: add a column 'fold', or name the column by fold="
        )
    numbers = {line: count(1) for line in counts}
    return [str(next(numbers[line])) for line in lines]


def _check_row_names(sheet: TabularData, roles: ColumnRoles, row: int, data_set: str, name: str, seed: str) -> None:
    """Raise an error for rows without names, and for rows that summarize other rows."""
    if roles.data_set is not None and (rows.normalize_name(data_set) in rows.SUMMARIES or data_set.strip().lower() in SUMMARY_ROW_NAMES):
        raise ValueError(f"{sheet.place(row, roles.data_set)}: {data_set!r} is a summary, not a data set: leave that line out")
    for value, column in ((data_set, roles.data_set), (name, roles.classifier)):
        if column is not None and value.lower() in MISSING_VALUES:
            raise ValueError(f"{sheet.place(row, column)}: the name is missing")
    if roles.seed is not None and seed.lower() in MISSING_VALUES:
        raise ValueError(
            f"{sheet.place(row, roles.seed)}: the seed is missing: write the seed; a classifier without seeds has a line for each seed"
        )


def _parse_score(sheet: TabularData, row: int, head: str) -> float:
    """Return the score in a cell, nan if the score is missing."""
    value = sheet.number(row, head)
    if value is None:
        raise ValueError(f"{sheet.place(row, head)}: {_number_error(str(sheet[head][row]))}")
    if isinf(value):
        raise ValueError(f"{sheet.place(row, head)}: a score must be finite; got {value}")
    return value


def _number_error(cell: str) -> str:
    """Return the reason why a cell is not a number, and the remedy."""
    plain = cell.strip().strip("$").strip()
    if spread := MEAN_WITH_SPREAD.fullmatch(plain):
        return (
            f"{cell!r} is a mean with its spread, and the tests need only the score: keep {spread[1]!r}, or better, pass the scores of "
            "the folds, a line for each fold, numbered in a column 'fold'"
        )
    if re.fullmatch(rf"{NUMBER}\s*%", plain):
        return f"{cell!r} has a percent sign: write the number only, {plain.rstrip('% ')!r}, in the whole file"
    if re.fullmatch(r"[-+]?\d+,\d+", plain):
        return f"{cell!r} has a decimal comma: write {plain.replace(',', '.')!r}, or separate the columns by semicolons"
    return f"{cell!r} is not a number: write a number, such as 0.5, or name the columns that hold scores by scores=[...]"
