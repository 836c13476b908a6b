"""Tables with one row for each test record: predictions and true class, or right and wrong answers of the classifiers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from operator import eq
from typing import Any

from . import column_names as names
from .cell_numbers import MISSING_VALUES, plain_number
from .reading_plan import left_out
from .reading_question import ReadingQuestion
from .record_cells import PREDICTION, TRUE_CLASS
from .repeated_records import FAMILY
from .tabular_data import TabularData

# maps a word for a right answer to words for a wrong answer; the keys of SURE_WORDS can only mean a right answer
SURE_WORDS, OTHER_WORDS = (
    {words[0]: {*words[1:]} for words in map(str.split, names.known_names()["answers"][part])} for part in ("sure", "other")
)
RIGHT_WORDS = SURE_WORDS | OTHER_WORDS
SUCCESS_WORDS = {*SURE_WORDS, "success", "solved", "exact", "em"}  # words in the heading of a column that says whether answers are right
RECORD_ROLES = (TRUE_CLASS, PREDICTION, FAMILY)
DROP, WRONG, KEEP = "drop records", "wrong", "keep"  # values of `missing` for test records


@dataclass(frozen=True)
class RecordTable:
    """Columns of a table of test records: the true class (empty for right and wrong answers), the classifiers, the families."""

    sheet: TabularData
    truth: str
    classifiers: tuple[str, ...]
    family: str
    right: str = ""  # cell text that means "right answer", if the table has no true classes
    missing: str = ""  # policy for records with a missing cell: DROP, WRONG, KEEP or empty
    # columns of records, classifiers and predictions of a long table
    long: tuple[tuple[str, ...], str, str] = ((), "", "")
    spelled: Mapping[str, str] = field(default_factory=dict)  # maps other spellings of classes to the classes
    is_counted: bool = False  # whether the cells of the file are counts of records
    asked: ReadingQuestion | None = None  # question about the lines or the classes, which comes before that about missing cells

    @property
    def names(self) -> dict[str, str]:
        """Names of the classifiers by their headings: the headings without a word such as "prediction" that all of them share."""
        short = names.short_names(self.classifiers, tells_success if self.right else names.is_prediction_heading)
        short = names.short_names(short, names.is_prediction_heading)
        return dict(zip(self.classifiers, self.classifiers if {*short} & {*self.sheet.heads} else short, strict=True))

    @cached_property
    def _used(self) -> list[str]:
        """Headings of the columns that are compared."""
        return [head for head in (self.truth, *self.classifiers, self.family) if head]

    @property
    def _needed(self) -> list[str]:
        """Headings of the columns in which a missing cell excludes the record."""
        return {DROP: self._used, WRONG: [head for head in (self.truth, self.family) if head]}.get(self.missing, [])

    def _gaps(self, heads: Sequence[str]) -> list[tuple[int, str]]:
        """Return row and heading of each missing cell in some columns."""
        return [(row, head) for head in heads for row, cell in enumerate(self.sheet[head]) if str(cell).strip().lower() in MISSING_VALUES]

    @cached_property
    def _rows(self) -> list[int]:
        """Numbers of the rows that count."""
        without = {row for row, _ in self._gaps(self._needed)}
        return [row for row in range(len(self.sheet.columns[0])) if row not in without]

    @property
    def changes(self) -> list[str]:
        """Sentences of a paper on records with a missing cell, which were left out or counted as wrong."""
        total, count = len(self.sheet.columns[0]), len({row for row, _ in self._gaps(self._used)})
        left, why = total - len(self._rows), "a class is missing"
        found = [left_out("records", [""] * left, total, why, limit=0)] * bool(left)
        wrong = (count - left) * (self.missing == WRONG)
        return found + [f"Of {total} records, {wrong} with a missing prediction counted as wrong."] * bool(wrong)

    @property
    def question(self) -> ReadingQuestion | None:
        """The question about repeated records, spellings of classes, or missing cells; None if there is none, or if it is answered."""
        if self.asked or self.missing or not (gaps := self._gaps(self._used)):
            return self.asked
        (row, head), count = gaps[0], len({row for row, _ in gaps})
        cell = str(self.sheet[head][row]).strip()
        ways = [f"missing={DROP!r} to leave these records out"]
        ways += [f"missing={WRONG!r} to count missing predictions as wrong answers"] * (not self.is_ranking)
        ways += [f"missing={KEEP!r} if {cell!r} is a class"] * bool(cell and self.truth and not self.long[1])
        return ReadingQuestion(
            f"in {self.sheet.name}, {count} of {len(self.sheet.columns[0])} records have a missing cell, the first in "
            f"{self.sheet.place(row, head)}{f': {cell!r}' * bool(cell)}. Write {', or '.join(ways)}"
        )

    def column(self, head: str) -> list[Any]:
        """Return the cells of a column, with numbers in the place of their texts."""
        cells = self._texts(head)
        values = {cell: plain_number(cell, self.sheet.decimal) for cell in {*cells}}  # parse equal cells only once (faster)
        return [cell if (value := values[cell]) is None or value != value else value for cell in cells]

    def _texts(self, head: str) -> list[str]:
        """Return the cells of a column in the rows that count."""
        cells = self.sheet.texts(head)
        return [cells[row] for row in self._rows]

    @cached_property
    def is_ranking(self) -> bool:
        """Whether the classifiers give scores, and not classes, for two true classes."""
        if not self.truth or len({*self.column(self.truth)} - MISSING_VALUES) != 2:
            return False
        columns = [[cell for cell in self.column(head) if str(cell).lower() not in MISSING_VALUES] for head in self.classifiers]
        return all(len({*column}) > 2 and not any(isinstance(cell, str) for cell in column) for column in columns)

    @cached_property
    def variables(self) -> dict[str, Any]:
        """Values of the variables that tests take: y, columns, clusters."""
        if self.is_ranking:
            return {"y": self.column(self.truth), "columns": {name: self.column(head) for head, name in self.names.items()}}
        columns = {name: [int(cell.lower() == self.right) for cell in self._texts(head)] for head, name in self.names.items()}
        if self.truth:
            truth = self.column(self.truth)
            columns = {name: [*map(int, map(eq, self.column(head), truth))] for head, name in self.names.items()}
        return {"columns": columns, "clusters": self.column(self.family) if self.family else None}

    def code(self, file: str, content: bytes) -> list[str]:
        """Return lines of Python that read the variables from a file with this content."""
        if self.is_counted:
            runs = ((name, groupby(answers)) for name, answers in self.variables["columns"].items())
            listed = ((name, " + ".join(f"[{answer}] * {len([*run])}" for answer, run in each)) for name, each in runs)
            table = ", ".join(f"{name!r}: {answers}" for name, answers in listed)
            return [f"table = pandas.DataFrame({{{table}}})", "columns = {name: table[name] for name in table}"]
        encoding = _encoding(content)
        ids, model, predicted = self.long
        found = {str(self.sheet[head][row]).strip() for row, head in self._gaps(self._used)} - {""} if self.missing else set[str]()
        options = f", encoding={encoding!r}" * bool(encoding) + ", dtype=str" * (
            not self.truth or self.missing == KEEP or bool(self.spelled)
        )
        options += ", keep_default_na=False" if self.missing == KEEP else f", na_values={sorted(found)!r}" * bool(found)
        lines = [f"table = pandas.read_csv({file!r}, sep=None, engine='python'{options})"]
        if self.spelled:
            heads = [self.truth, predicted] if model else [self.truth, *self.classifiers]
            lines.append(f"table[{heads!r}] = table[{heads!r}].apply(lambda column: column.str.strip()).replace({dict(self.spelled)!r})")
        if model:
            index = f"index={[*ids, *[self.truth] * bool(self.truth)]!r}, columns={model!r}, values={predicted!r}"
            lines.append(f"table = table.pivot({index}).rename(columns=str).reset_index()")
        lines += [f"table = table.dropna(subset={self._needed!r})"] * bool(self._needed)
        if any(head != name for head, name in self.names.items()):
            lines.append(f"table = table.rename(columns={self.names!r})")
        cells = "table[name]" if self.is_ranking else f"(table[name] == table[{self.truth!r}]).astype(int)"
        if not self.truth:
            cells = f"(table[name].str.lower() == {self.right!r}).astype(int)"
        lines += [f"columns = {{name: {cells} for name in {[*self.names.values()]!r}}}"] + [f"y = table[{self.truth!r}]"] * self.is_ranking
        return lines + [f"clusters = table[{self.family!r}]"] * bool(self.family)


def _encoding(content: bytes) -> str:
    """Return the encoding of a file for pandas; empty for UTF-8, which pandas assumes."""
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return "utf-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else "cp1252"
    return ""


def tells_success(head: str) -> bool:
    """Return whether a heading says that its column tells whether answers are right."""
    return not SUCCESS_WORDS.isdisjoint(names.words_of(head))
