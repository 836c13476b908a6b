"""From a sheet to its scores, one by one: which column says what, by stated rules, and what each cell of scores is a score of.

A wide sheet has a column for each classifier, a long one a column that names the classifier of each line.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from math import isinf
from typing import NamedTuple

from ...core.validation import pandas_labels as rows
from ...core.validation.name_suggestions import format_names_by_similarity
from ...core.validation.pandas_labels import FOLDS, OLD_INDEX, REPETITIONS, RUNS, is_data_set_name, is_fold_name, is_seed_name
from .tabular_input import CLASSIFIER_COLUMNS, METRIC_COLUMNS, MISSING_VALUES, TabularData

RUN_AS_FOLD = "run, counted as a fold"  # a number of a split or of a seed: its name does not tell
SINGLE = ""  # the fold, or the seed, of a score that is the only one
NUMBER = r"[-+]?[\d.,]+"
MEAN_WITH_SPREAD = re.compile(rf"({NUMBER})\s*%?\s*(?:(?:±|\+/?-|\\pm)\s*{NUMBER}\s*%?|\({NUMBER}\s*%?\))")
SUMMARY_ROW_NAMES = {"mean rank", "average rank", "avg rank", "avg. rank", "win/draw/loss", "w/d/l"}  # no classifiers
NON_CLASSIFIER_HEADING = re.compile(r"(?:^|[_ .-])(?:seeds?|times?|init)$", re.IGNORECASE)  # fit_time, train_seed, ...
SEED_LIKE_HEADING = re.compile(
    r"(?:^|[_ .-])(?:seeds?|rng)(?:[_ .-]?(?:id|no|nr|number|index|idx))?$", re.IGNORECASE
)  # train_seed, seed_id, ...
FOLD_HEADING = re.compile(r"(?:fold|split)[ _-]?(\d+)(?:_test_\w+)?", re.IGNORECASE)  # of a column that is one fold
SEED_HEADING = re.compile(r"(?:seed|random[ _]state)[ _-]?(\d+)", re.IGNORECASE)  # and of one that is one seed


class ScoreEntry(NamedTuple):
    """One score, missing where it is nan, and the place where it stood."""

    data_set: str
    classifier: str
    fold: str
    seed: str
    metric: str
    value: float
    place: str


class ColumnRoles(NamedTuple):
    """Which column says what; None where no column says it."""

    data_set: str | None
    classifier: str | None
    fold: list[str]
    seed: str | None
    metric: str | None
    scores: list[str]
    folds_stated: bool = False

    @property
    def read_as(self) -> dict[str, str]:
        """What each of these columns was taken for."""
        named = [(self.data_set, "data set"), (self.classifier, "classifier"), *((head, self._kind(head)) for head in self.fold)]
        told = {head: what for head, what in [*named, (self.seed, "seed"), (self.metric, "metric")] if head is not None}
        numbered = "fold" if self.folds_in_heads else "seed" if self.seeds_in_heads else ""
        kind = "classifier" if self.classifier is None else numbered
        return told | dict.fromkeys(self.scores, f"scores of one {kind}" if kind else "scores")

    def _kind(self, head: str) -> str:
        """What a column numbers, among what is counted as folds."""
        word = head.lower()
        if word in REPETITIONS:
            return "repetition"
        return "fold" if self.folds_stated or (word.startswith(FOLDS) and word not in RUNS and "seed" not in word) else RUN_AS_FOLD

    @property
    def folds_in_heads(self) -> dict[str, str]:
        """The fold of each column of scores, where every one is a fold of the classifier that its line names; or else none."""
        return {} if self.fold else self._numbered(FOLD_HEADING)

    @property
    def seeds_in_heads(self) -> dict[str, str]:
        """The same of seeds."""
        return {} if self.seed else self._numbered(SEED_HEADING)

    def _numbered(self, heads: re.Pattern[str]) -> dict[str, str]:
        found = {head: number[1] for head in self.scores if (number := heads.fullmatch(head))}
        return found if self.classifier is not None and len(found) == len(self.scores) else {}


# -- which column says what --------------------------------------------------------------------------------------------------
def assign_column_roles(
    sheet: TabularData,
    data_set: str | None = None,
    classifier: str | None = None,
    fold: Sequence[str] | str | None = None,
    seed: str | None = None,
    scores: Sequence[str] | str | None = None,
) -> ColumnRoles:
    """Which column says what: as stated, or by its head; what is left over holds scores."""
    numbering, listed = as_list(fold), as_list(scores)
    stated = [one for one in (data_set, classifier, *numbering, seed, *listed) if one is not None]
    _check_heads(sheet, stated, seed)
    free = [head for head in sheet.heads if head not in stated]
    classifiers = [classifier] if classifier else _matching_headings(CLASSIFIER_COLUMNS, free)
    folds = numbering or [head for head in free if is_fold_name(head)] or [head for head in sheet.folds if head in free]
    seeds = [seed] if seed else [head for head in free if is_seed_name(head)]
    metrics = _matching_headings(METRIC_COLUMNS, free) if classifiers else []
    free = [head for head in free if head not in (*classifiers, *folds, *seeds, *metrics)]
    own = data_set or _data_set_column(sheet, free)
    left = listed or _score_columns(sheet, [head for head in free if head != own], wide=not classifiers)
    _check_roles(sheet, classifiers, own, left, parts=bool(folds or seeds))
    _check_seeds(sheet, seeds, classifiers, [] if listed else left)
    first = [of[0] if of else None for of in (classifiers, seeds, metrics)]
    return ColumnRoles(own, first[0], folds, first[1], first[2], left, bool(numbering))


def _score_columns(sheet: TabularData, free: Sequence[str], wide: bool) -> list[str]:
    """The columns of scores among those that are left: not the numbers of the lines, which pandas writes first."""
    found = [head for head in free if not (head == "" or OLD_INDEX.fullmatch(head)) or not _is_row_number_column(sheet, head)]
    if wide and (no := next((head for head in found if NON_CLASSIFIER_HEADING.search(head) or rows.is_metadata_column(head)), "")):
        raise ValueError(
            f"{sheet.name}: the column {no!r} seems to be no classifier: leave it out, say data_set={no!r} if it names the data sets or "
            f"seed={no!r} if it numbers the seeds, or name the classifiers by scores=[...]"
        )
    if (
        not wide
        and len(found) > 1
        and (no := next((head for head in found if SEED_LIKE_HEADING.search(head) and not is_seed_name(head)), ""))
    ):
        raise ValueError(
            f"{sheet.name}: the column {no!r} seems to number seeds and to hold no scores: say seed={no!r} if models were trained from "
            f"them, fold={no!r} if they cut the splits, or name the columns of scores by scores=[...]"
        )
    return found


def _is_row_number_column(sheet: TabularData, head: str) -> bool:
    """Whether a column holds different whole numbers, of which none is below 0."""
    numbers = [sheet.number(row, head) for row in range(len(sheet[head]))]
    return len({one for one in numbers if one is not None and one >= 0 and one.is_integer()}) == len(numbers)


def as_list(names: Sequence[str] | str | None) -> list[str]:
    """One name, several or none."""
    return [names] if isinstance(names, str) else list(names or ())


def _matching_headings(names: set[str], heads: Sequence[str]) -> list[str]:
    return [head for head in heads if head.lower() in names]


def _data_set_column(sheet: TabularData, free: Sequence[str]) -> str | None:
    """The first column that is called so; or else the first of all, if it has no head or holds words."""
    if called := [head for head in free if is_data_set_name(head)]:
        return called[0]
    if free and (free[0] == "" or any(sheet.number(row, free[0]) is None for row in range(len(sheet[free[0]])))):
        return free[0]
    return None


def _check_heads(sheet: TabularData, stated: Sequence[str], seed: str | None) -> None:
    """No head stands twice, and those that are stated are there, the one of seeds for nothing else."""
    if seed is not None and stated.count(seed) > 1:
        raise ValueError(f"a column of {sheet.name} says one thing; got {seed!r} by seed= and again: state it once")
    if twice := [head for head, count in Counter(sheet.heads).items() if count > 1]:
        raise ValueError(f"{sheet.name} must have different heads; got {twice[0]!r} more than once")
    for column in stated:
        if column not in sheet.heads:
            raise ValueError(f"{sheet.name} has no column {column!r}; {format_names_by_similarity(column, sheet.heads)}")


def _check_roles(sheet: TabularData, classifiers: Sequence[str], data_set: str | None, scores: Sequence[str], parts: bool) -> None:
    """One column at most names the classifier, and some column holds scores; a long sheet names the data set, or has parts of one."""
    if len(classifiers) > 1:
        raise ValueError(
            f"{sheet.name} has columns {' and '.join(map(repr, classifiers))}: say which one names the classifier by classifier="
        )
    if classifiers and data_set is None and not parts:
        raise ValueError(
            f"{sheet.name} has a column {classifiers[0]!r}, so a line for each score, but none that names the data set; it has "
            f"{', '.join(sheet.heads)}: name the column by data_set="
        )
    if not scores:
        raise ValueError(f"{sheet.name} has no column with scores; it has {', '.join(sheet.heads)}")


def _check_seeds(sheet: TabularData, seeds: Sequence[str], classifiers: Sequence[str], scores: Sequence[str]) -> None:
    """One column at most tells the seed; what is called a seed is neither classifier nor metric."""
    if len(both := [*seeds, *(head for head in scores if is_seed_name(head))]) > 1:
        raise ValueError(
            f"{sheet.name} has columns {' and '.join(map(repr, both))}, and only one can say from which seed a model was trained: name it "
            "by seed=, one that numbers splits by fold=, and those that hold scores by scores=[...]"
        )
    if not classifiers and (one := next((head for head in scores if SEED_HEADING.fullmatch(head)), "")):
        raise ValueError(
            f"{sheet.name}: the column {one!r} is a seed and no classifier: add a column 'classifier' that names it for each line (another "
            "name by classifier=)"
        )


def read_entries(sheet: TabularData, of: ColumnRoles) -> Iterator[ScoreEntry]:
    """The scores one by one, from the first line on."""
    count = len(sheet[of.scores[0]])
    if of_one := of.data_set is None and bool(of.fold or of.seed):  # parts of one data set
        _check_unique_folds(sheet, of)
    data_sets = ["1" if of_one else str(row + 1) for row in range(count)] if of.data_set is None else list(map(str, sheet[of.data_set]))
    told = ([""] * count if head is None else [str(cell) for cell in sheet[head]] for head in (of.classifier, of.metric, of.seed))
    lines = list(zip(data_sets, *told, strict=True))
    folds, folds_in_heads, seeds_in_heads = _fold_of_rows(sheet, of, lines), of.folds_in_heads, of.seeds_in_heads
    if of.classifier is None and (no := next((head for head in of.scores if head.lower() in SUMMARY_ROW_NAMES), "")):
        raise ValueError(
            f"{sheet.name}: the column {no!r} is a summary and no classifier: leave it out, or name the others by scores=[...]"
        )
    for row, (data_set, name, metric, seed) in enumerate(lines):
        _check_row_names(sheet, of, row, data_set, name, seed)
        for head in of.scores:
            if of.classifier is None:
                what = head, folds[row], seed, ""
            elif folds_in_heads or seeds_in_heads:
                what = name, folds_in_heads.get(head, folds[row]), seeds_in_heads.get(head, seed), metric
            else:
                measured = metric if of.metric is not None and len(of.scores) == 1 else f"{metric} {head}".strip()
                what = name, folds[row], seed, measured
            yield ScoreEntry(data_set, *what, _parse_score(sheet, row, head), sheet.place(row, head))


def _check_unique_folds(sheet: TabularData, of: ColumnRoles) -> None:
    """Each fold, with each seed, stands there once, if no column names the data set."""
    heads = [head for head in (*of.fold, of.seed, of.classifier, of.metric) if head is not None]
    lines = list(zip(*(map(str, sheet[head]) for head in heads), strict=True))
    line = Counter(lines).most_common(1)[0][0]
    rows = [row for row, other in enumerate(lines) if other == line]
    if len(rows) > 1:
        told = ", ".join(f"{head} {cell}" for head, cell in zip(heads, line))
        raise ValueError(
            f"{sheet.name}: {told} stands in {sheet.rows(rows)}, and no column names the data set; it has {', '.join(sheet.heads)}: add a "
            "column 'data set', or name it by data_set= (folds and seeds are no data sets)"
        )


def _fold_of_rows(sheet: TabularData, of: ColumnRoles, lines: Sequence[tuple[str, str, str, str]]) -> list[str]:
    """The fold of each line: as columns number it; or else the lines that say the same, if they are equally many, are its folds.

    Beside a column of seeds nothing is guessed.
    """
    if of.fold:
        return [", ".join(map(str, cells)) for cells in zip(*(sheet[head] for head in of.fold), strict=True)]
    counts = Counter(lines)
    if len(counts) == len(lines):
        return [SINGLE] * len(lines)
    even = len(set(counts.values())) == 1
    in_a_frame = even and sheet.counted  # which may be made of equally many folds
    if of.seed is not None or of.seeds_in_heads or (of.classifier is None and not in_a_frame):
        twice = next(line for line, count in counts.items() if count > 1)
        told = ", ".join(filter(None, [*twice[:3], f"seed {twice[3]}" * bool(twice[3])]))
        rows = [row for row, line in enumerate(lines) if line == twice]
        raise ValueError(
            f"{sheet.name}: {told} stands in {sheet.rows(rows)}, and no column numbers the folds: keep one of them, or number them in "
            "a column 'fold' (another name by fold=)"
        )
    if not even:
        many, most = counts.most_common(1)[0]
        raise ValueError(
            f"{sheet.name} has {', '.join(filter(None, many))} {most} times and others {min(counts.values())} times, and no column numbers "
            "the folds: add a column 'fold', or name it by fold="
        )
    seen: Counter[tuple[str, ...]] = Counter()
    folds = []
    for line in lines:
        seen[line] += 1
        folds.append(str(seen[line]))
    return folds


def _check_row_names(sheet: TabularData, of: ColumnRoles, row: int, data_set: str, name: str, seed: str) -> None:
    """A line names what it is about, and is no summary of others."""
    if of.data_set is not None and (rows.normalize_name(data_set) in rows.SUMMARIES or data_set.strip().lower() in SUMMARY_ROW_NAMES):
        raise ValueError(f"{sheet.place(row, of.data_set)}: {data_set!r} is a summary and no data set: leave that line out")
    for words, column in ((data_set, of.data_set), (name, of.classifier)):
        if column is not None and words.lower() in MISSING_VALUES:
            raise ValueError(f"{sheet.place(row, column)}: the name is missing")
    if of.seed is not None and seed.lower() in MISSING_VALUES:
        raise ValueError(
            f"{sheet.place(row, of.seed)}: the seed is missing: write it; a classifier that trains without one has a line for each seed"
        )


def _parse_score(sheet: TabularData, row: int, head: str) -> float:
    """The score in a cell, nan where it is missing."""
    value = sheet.number(row, head)
    if value is None:
        raise ValueError(f"{sheet.place(row, head)}: {_number_error(str(sheet[head][row]))}")
    if isinf(value):
        raise ValueError(f"{sheet.place(row, head)}: a score must be finite; got {value}")
    return value


def _number_error(cell: str) -> str:
    """What is wrong with a cell that is no number, and what to do."""
    plain = cell.strip().strip("$").strip()
    if spread := MEAN_WITH_SPREAD.fullmatch(plain):
        return (
            f"{cell!r} is a mean with its spread, and the tests need the score alone: keep {spread[1]!r}, or better, hand in the scores of "
            "the folds, a line for each, numbered in a column 'fold'"
        )
    if re.fullmatch(rf"{NUMBER}\s*%", plain):
        return f"{cell!r} has a sign of percent: write the number alone, {plain.rstrip('% ')!r}, in the whole file"
    if re.fullmatch(r"[-+]?\d+,\d+", plain):
        return f"{cell!r} has a decimal comma: write {plain.replace(',', '.')!r}, or separate the columns by semicolons"
    return f"{cell!r} is no number: write one, such as 0.5, or name the columns that hold scores by scores=[...]"
