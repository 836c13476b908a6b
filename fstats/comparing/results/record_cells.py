"""The different cells in the columns of a table of test records, and what they may be besides answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from . import column_names as names
from .cell_numbers import MISSING_VALUES, plain_number
from .reading_plan import some
from .reading_question import ReadingQuestion
from .repeated_records import names_records, names_runs
from .tabular_data import TabularData

TRUE_CLASS, PREDICTION = "true class", "prediction"


class RecordCells:
    """The different cells of each column of a table, without missing cells."""

    def __init__(self, sheet: TabularData) -> None:
        self.sheet, self.rows = sheet, len(sheet.columns[0]) if sheet.columns else 0
        texts = {head: {*map(str.strip, map(str, column))} for head, column in zip(sheet.heads, sheet.columns, strict=True)}
        self.of = {head: {cell for cell in cells if cell.lower() not in MISSING_VALUES} for head, cells in texts.items()}
        self.words = {head: {*map(str.lower, cells)} for head, cells in self.of.items()}  # in lower case

    def labels(self, truth: str, heads: Sequence[str]) -> list[str]:
        """Return the columns whose cells are classes of the column `truth`."""
        found, classes = [], self.of[truth]
        for head in heads:
            cells = self.of[head]
            if cells and head != truth and (cells <= classes or (len(cells & classes) > 1 and len(cells) < self.rows)):
                found.append(head)
        named = [head for head in found if names.is_prediction_heading(head)]
        return named if len(named) > 1 else found  # other columns, such as "sex", may have the same cells by chance

    def graded(self, truth: str, heads: Sequence[str]) -> list[str]:
        """Return the columns of numbers from 0 to 1, if the column `truth` has two classes."""
        if len(self.of[truth]) != 2:
            return []
        numbers = {head: (plain_number(cell, self.sheet.decimal) for cell in self.of[head]) for head in heads if len(self.of[head]) > 2}
        return [head for head, found in numbers.items() if all(x is not None and 0 <= x <= 1 for x in found)]


def may_be_scores(table: RecordCells, rest: Sequence[str], answers: Sequence[str]) -> bool:
    """Return whether columns beside answers and names of records may be scores or their keys; raise a question about whole numbers."""
    if find_models(table, rest) or any(has_decimals(table, head) or (names_runs(head) and len(table.of[head]) > 1) for head in rest):
        return True
    whole = [head for head in rest if len(table.of[head]) > 1 and not names.is_count_heading(head) and not names_records(head)]
    whole = [head for head in whole if has_numbers(table, head)]
    if whole:
        raise ReadingQuestion(
            f"in {table.sheet.name}, the cells of {some(list(map(repr, answers)))} are 0 and 1, but {some(list(map(repr, whole)))} may be "
            f"scores. Write roles={dict.fromkeys(answers, PREDICTION)!r} if each line is a record and 1 is a right answer, or "
            f"roles={dict.fromkeys(answers, 'ignore')!r} if the numbers of {some(whole)} are scores"
        )
    return False


def has_numbers(table: RecordCells, head: str) -> bool:
    """Return whether all cells of a column are numbers."""
    return all(is_number(cell, table.sheet.decimal) for cell in table.of[head])


def has_decimals(table: RecordCells, head: str) -> bool:
    """Return whether a column holds numbers with decimals."""
    return any((plain_number(cell, table.sheet.decimal) or 0) % 1 for cell in table.of[head])


def find_models(table: RecordCells, heads: Sequence[str], limit: int = 0) -> list[str]:
    """Return the columns that name fewer classifiers than a limit, by default the number of lines."""
    return [head for head in heads if names.classifier_rank(head) in (0, 1) and 1 < len(table.of[head]) < (limit or table.rows)]


def is_number(cell: Any, decimal: str) -> bool:
    """Return whether a cell is a plain number."""
    return plain_number(str(cell), decimal) is not None
