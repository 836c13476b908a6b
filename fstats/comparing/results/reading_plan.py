"""Plan for reading a table of scores.

The plan has the role of each column with its reason, skipped lines, and the direction of each metric.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import nan
from typing import Any, NamedTuple, TypeVar

from ...core.metric_direction import DEFAULT_METRIC_NAME
from ...render.display_table import Table, TableDisplay
from .cell_numbers import ParsedColumn, is_failure, parse_column, without_points
from .column_names import is_value_heading, known_names, partition_words
from .reading_question import ReadingQuestion
from .tabular_data import TabularData

ARGUMENT_VALUES = known_names("argument_values.toml")
ASSUMED = "assumed, because its name does not say"  # reason shown beside the direction of a metric whose name does not state the direction
SINGLE = ""  # name of a single fold or seed
IGNORED = "ignored"
RENUMBERED = "its name, numbered anew for each classifier"  # reason for the role of repetitions whose names differ between classifiers
RUN_AS_FOLD = "run, counted as a fold"  # role of a column "run" whose numbers may be splits or seeds
READING_DOUBTS = "table"  # key of `setup` under which the doubts about a table are stored
READING_CHANGES = "changes"  # key of `setup` for sentences of a paper on scores that were left out or filled in
FAR_SCALE = 20  # columns whose medians differ by this factor do not hold scores of one metric
MAX_LISTED = 12  # maximum number of data sets or classifiers named in a message


K = TypeVar("K")
V = TypeVar("V")


def grouped(pairs: Iterable[tuple[K, V]]) -> dict[K, list[V]]:
    """Return the values of each key, in their order.

    >>> grouped([("iris", 1), ("wine", 2), ("iris", 3)])
    {'iris': [1, 3], 'wine': [2]}
    """
    found: dict[K, list[V]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return found


class ScoreEntry(NamedTuple):
    """A score (nan if missing), and the place of the score in the source."""

    data_set: str
    classifier: str
    fold: str
    seed: str
    metric: str
    value: float
    place: Any  # place of the score in the source: a text, or an object that an error message converts to text


EMPTY_CELLS = {"", "nan", "none", "nat", "<na>"}  # texts of empty cells in files, and of missing values in data frames


class CellPlace(NamedTuple):
    """The place of a cell; it becomes text only if an error message names it."""

    sheet: TabularData
    row: int
    head: str

    def __str__(self) -> str:
        cell = str(self.sheet[self.head][self.row]).strip()
        is_told = is_failure(cell) or not (cell.lower() in EMPTY_CELLS or re.search(r"\d", cell))
        return self.sheet.place(self.row, self.head) + f": {cell!r}" * is_told


@dataclass(frozen=True)
class ReadingOptions:
    """What the user states about a table by arguments of `from_csv`, `from_frame` and `Results`."""

    data_set: Sequence[str] | str | None = None
    classifier: Sequence[str] | str | None = None
    fold: Sequence[str] | str | None = None
    repetition: Sequence[str] | str | None = None
    seed: str | None = None
    scores: Sequence[str] | str | None = None
    ignore: Sequence[str] | str | None = None
    where: Mapping[str, Any] | None = None
    cells: str | None = None
    turned: bool = False
    numbered: str | None = None
    na_values: Sequence[str] | str | None = None
    repeated: str | None = None
    spellings: str | None = None
    test_train_ratio: float | str | None = None
    points: str | None = None
    commas: str | None = None
    units: str | None = None
    metric: str = DEFAULT_METRIC_NAME
    higher_is_better: Any = None

    def __post_init__(self) -> None:
        for name, allowed in ARGUMENT_VALUES["others"].items():
            if (value := getattr(self, name)) not in (None, *allowed):
                raise ValueError(f"{name} must be {' or '.join(map(repr, allowed))}; got {value!r}")

    @property
    def named_columns(self) -> list[str]:
        """Columns whose role as names the user states."""
        return [name for heads in (self.data_set, self.classifier, self.fold, self.repetition, self.seed) for name in as_list(heads)]


READING_ARGUMENTS = tuple(name for name in ReadingOptions.__dataclass_fields__ if name not in ("metric", "higher_is_better"))


class Column(NamedTuple):
    """Role of a column, and the reason for it."""

    role: str
    reason: str


class ColumnScores(NamedTuple):
    """Classifier, fold, seed, metric and data set of a column of scores; a name is empty if another column holds it for each row."""

    classifier: str = ""
    fold: str = SINGLE
    seed: str = SINGLE
    metric: str = ""
    data_set: str = ""


@dataclass
class ReadingPlan:
    """How the table `sheet` is read."""

    sheet: TabularData
    options: ReadingOptions
    columns: dict[str, Column] = field(default_factory=dict)
    data_set: list[str] = field(default_factory=list)
    classifier: list[str] = field(default_factory=list)
    fold: list[str] = field(default_factory=list)
    seed: str | None = None
    metric: str | None = None
    scores: dict[str, ColumnScores] = field(default_factory=dict)
    rows: list[int] = field(default_factory=list)  # numbers of the rows to read
    notes: list[str] = field(default_factory=list)  # notes for the user, as sentences: what the reader did
    doubts: list[str] = field(default_factory=list)  # doubts, as sentences: guesses that would change the scores if they are wrong
    remarks: list[str] = field(default_factory=list)  # sentences on how repeated lines were treated
    changes: list[str] = field(default_factory=list)  # sentences of a paper on scores that were left out or averaged
    doubtful: list[str] = field(default_factory=list)  # columns ignored because of an uncertain guess
    undirected: dict[str, str] = field(default_factory=dict)  # maps a metric to the reason why its assumed direction may be wrong
    mixed_units: dict[str, str] = field(default_factory=dict)  # maps a metric to the question whether only some scores are in percent
    rescaled: set[tuple[str, int]] = field(default_factory=set)  # heading and row of scores that were multiplied by 100
    metric_name: str = DEFAULT_METRIC_NAME
    folds_stated: bool = False
    # directions that ranks and wins in the table imply, as pairs (whether lower is better, source)
    directions: list[tuple[bool, str]] = field(default_factory=list)
    renumber: str = ""  # "fold" or "seed" if the names of folds or seeds differ between the classifiers
    _parsed: dict[str, ParsedColumn] = field(default_factory=dict)
    _names: dict[str, list[str]] = field(default_factory=dict)

    @property
    def free(self) -> list[str]:
        """Headings of the columns without a role."""
        return [head for head in self.sheet.heads if head not in self.columns]

    @property
    def numeric(self) -> list[str]:
        """Headings of the columns of numbers without a role."""
        return [head for head in self.free if self.is_numeric(head)]

    def give(self, head: str, role: str, reason: str, doubt: bool = False) -> None:
        """Give a column its role."""
        self.columns[head] = Column(role, reason)
        if doubt:
            self.doubtful.append(head)

    def close(self) -> None:
        """Add doubts about the columns that were ignored for a reason that could be wrong, one sentence for each reason."""
        reasons = grouped((self.columns[head].reason, repr(head)) for head in self.doubtful)
        one, several = "The column {1} was ignored: {2}.", "The columns {0} and {1} were ignored: {3}."
        listed = ((several if heads[1:] else one, ", ".join(heads[:-1]), heads[-1], why) for why, heads in reasons.items())
        self.doubts[:0] = [text.format(first, last, why, _plural(why)) for text, first, last, why in listed]

    def doubt_direction(self, metrics: Sequence[str], why: str) -> None:
        """Add a doubt about metrics of which higher is only assumed to be better."""
        self.undirected = dict.fromkeys(metrics, "the numbers") | self.undirected
        self.doubts.append(
            f"Higher {some(metrics)} is assumed to be better{why}. Write higher_is_better=False if lower is better, or True."
        )

    def question(self, text: str) -> ReadingQuestion:
        """Return a question about the table."""
        return ReadingQuestion(f"in {self.sheet.name}, {text}")

    def parsed(self, head: str) -> ParsedColumn:
        """Return the numbers of a column."""
        if head not in self._parsed:
            cells, absent = self.sheet[head], as_list(self.options.na_values)
            cells = ["" if str(cell).strip() in absent else cell for cell in cells] if absent else cells
            cells = list(map(without_points, cells)) if self.options.points == "thousands" else cells
            self._parsed[head] = parse_column(cells, self.sheet.decimal)
        return self._parsed[head]

    def names(self, head: str) -> list[str]:
        """Return the cells of a column as text, for all rows of the sheet."""
        if head not in self._names:
            self._names[head] = [str(cell).strip() for cell in self.sheet[head]]
        return self._names[head]

    def rename(self, head: str, renamed: Mapping[str, str]) -> None:
        """Replace cells of a column of names by other names."""
        self._names[head] = [renamed.get(cell, cell) for cell in self.names(head)]

    def read_names(self, head: str) -> list[str]:
        """Return the cells of a column as text, for the rows that are read."""
        cells = self.names(head)
        return cells if len(self.rows) == len(cells) else [cells[row] for row in self.rows]

    def read_numbers(self, head: str) -> list[float | None]:
        """Return the numbers of a column in the rows that are read; None for other cells."""
        values = self.parsed(head).numbers
        return values if len(self.rows) == len(values) else [values[row] for row in self.rows]

    def numbers(self, head: str) -> list[float]:
        """Return the numbers of a column in the rows that are read; nan for other cells."""
        return [nan if value is None else value for value in self.read_numbers(head)]

    def is_numeric(self, head: str) -> bool:
        """Return whether the read cells of a column are numbers or missing, and not all missing."""
        values = self.read_numbers(head)
        return None not in values and any(value == value for value in values)

    def is_text(self, head: str) -> bool:
        """Return whether no read cell of a column is a number, and some cell has text."""
        values = self.read_numbers(head)
        return None in values and all(value is None or value != value for value in values)

    def is_whole(self, head: str) -> bool:
        """Return whether all read cells of a column are whole numbers that are not written with decimals."""
        cells, numbers = self.sheet[head], zip(self.rows, self.numbers(head))
        return self.is_numeric(head) and all(x != x or (float(x).is_integer() and "." not in str(cells[row])) for row, x in numbers)

    def lines_of(self, heads: Sequence[str]) -> list[tuple[str, ...]]:
        """Return the cells of some columns, row by row."""
        return list(zip(*map(self.read_names, heads))) if heads else [()] * len(self.rows)

    def count(self, heads: Sequence[str]) -> int:
        """Return the number of different combinations of cells in some columns."""
        return len({*self.lines_of(heads)})

    def depends_on(self, head: str, others: Sequence[str]) -> bool:
        """Return whether the cells of the other columns determine the cell of a column."""
        return self.count([*others, head]) == self.count(others)

    def is_unique(self, heads: Sequence[str]) -> bool:
        """Return whether the cells of some columns are different on all lines."""
        return self.count(heads) == len(self.rows)

    def has_decimals(self, head: str) -> bool:
        """Return whether a column holds numbers, and not only whole numbers."""
        return self.is_numeric(head) and not self.is_whole(head)

    def varies(self, head: str) -> bool:
        """Return whether the cells of a column differ."""
        return self.count([head]) > 1

    def partitions(self, head: str) -> set[str]:
        """Return the words for parts of the data, such as train and test, if a column holds nothing else."""
        cells = set() if self.is_numeric(head) else {*self.read_names(head)}
        return cells if cells == partition_words(cells) else set()

    @property
    def keys(self) -> list[str]:
        """Headings of all columns that name a score."""
        return [*self.data_set, *self.classifier, *self.fold, *as_list(self.seed), *as_list(self.metric)]


@dataclass(frozen=True, repr=False)
class Reading(TableDisplay):
    """How a table was read: columns with roles and reasons, directions of the metrics, what was left out, and doubts."""

    columns: Mapping[str, Column]
    directions: Mapping[str, str]  # maps a metric to its direction, and to the reason for this direction
    notes: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()  # sentences on how repeated lines and missing scores were treated
    undirected: Mapping[str, str] = field(default_factory=dict)  # maps a metric to the reason why higher may not be better
    mixed_units: Mapping[str, str] = field(default_factory=dict)  # maps a metric to the question whether only some scores are in percent
    changes: tuple[str, ...] = ()  # sentences of a paper on scores that were left out or filled in
    turned: bool = False  # whether each line was a classifier, and each column a data set
    test_train_ratio: float | None = None  # ratio of test to training records on each split, if it was stated

    def assumptions(self, metrics: Sequence[str]) -> list[str]:
        """Return a sentence on metrics of a table for which higher is only assumed to be better, because their names do not say."""
        unknown = [name for name in metrics if self.columns and self.directions[name] == f"higher is better: {ASSUMED}"]
        assumed = [name for name in unknown if not is_value_heading(name) and name not in self.undirected]
        return [f"Higher {some(assumed)} is assumed to be better: write higher_is_better=False if lower is better."] * bool(assumed)

    def warnings(self, metrics: Sequence[str]) -> list[str]:
        """Return the sentences on guesses that would change the scores if they are wrong, and on repeated lines and missing scores."""
        return [*self.doubts, *self.assumptions(metrics), *self.remarks]

    @property
    def _table(self) -> Table:
        columns = grouped((column, head or "(no heading)") for head, column in self.columns.items())
        lines = [[_list_heads(heads), column.role, column.reason] for column, heads in columns.items()]
        lines += [[metric, "metric", direction] for metric, direction in self.directions.items()]
        return Table(["column", "read as", "because"], lines, "How the table was read", notes=[*self.notes, *self.doubts, *self.remarks])


def left_out(what: str, found: Sequence[str], total: int, why: str, limit: int = MAX_LISTED) -> str:
    """Return a sentence of a paper on data sets or classifiers that were left out; of many, only the number.

    >>> left_out("data sets", ["wine"], 12, "scores are missing")
    'Of 12 data sets, 1 was left out because scores are missing: wine.'
    """
    verb, listed = "were" if len(found) > 1 else "was", f": {', '.join(found)}" * (len(found) <= limit)
    return f"Of {total} {what}, {len(found)} {verb} left out because {why}{listed}."


def as_list(heads: Sequence[str] | str | None) -> list[str]:
    """Return a single name, several names or None as a list."""
    return [heads] if isinstance(heads, str) else list(heads or ())


def some(cells: Sequence[str]) -> str:
    """Return the first few different cells as text.

    >>> some(["a", "b", "a", "c", "d"])
    'a, b, c, ...'
    """
    found = list(dict.fromkeys(cells))
    return ", ".join(found[:3]) + ", ..." * (len(found) > 3)


def _plural(reason: str) -> str:
    """Convert a reason that is worded for one column into a reason for several columns.

    >>> _plural("its name is that of a time"), _plural("it holds text")
    ('each name is that of a time', 'they hold text')
    """
    singular = {"it holds": "they hold", "it is": "each is", "it numbers": "they number", "it repeats": "they repeat", "its n": "each n"}
    for words, plural in singular.items():
        reason = reason.replace(words, plural)
    return reason


def _list_heads(heads: Sequence[str]) -> str:
    return ", ".join(heads[:4]) + (f", ... ({len(heads)} columns)" if len(heads) > 4 else "")
