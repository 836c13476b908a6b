"""Tables with one row for each test record: predictions and true class, or right and wrong answers of the classifiers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from operator import eq
from typing import Any

from ...core.validation.pandas_labels import normalize_name
from .cell_numbers import MISSING_VALUES, plain_number
from .column_names import known_words
from .tabular_input import TabularData

TRUE_CLASS, PREDICTION, FAMILY = "true class", "prediction", "family"
FAMILIES = {"family", "passage", "text", "topic", "cluster", "group", "patient", "document", "subject"}
RIGHT_WORDS = {"1": {"0"}, "1.0": {"0.0"}, "true": {"false"}, "right": {"wrong"}, "correct": {"incorrect", "wrong"}, "yes": {"no"}}


@dataclass(frozen=True)
class RecordTable:
    """Columns of a table of test records: the true class (empty for right and wrong answers), the classifiers, the families."""

    sheet: TabularData
    truth: str
    classifiers: tuple[str, ...]
    family: str
    right: str = ""  # cell text that means "right answer", if the table has no true classes

    def column(self, head: str) -> list[Any]:
        """Return the cells of a column: numbers, if all cells are numbers."""
        cells = [*map(str.strip, map(str, self.sheet[head]))]
        numbers = {cell: plain_number(cell, self.sheet.decimal) for cell in {*cells}}  # parse equal cells only once (faster)
        return cells if None in numbers.values() else [numbers[cell] for cell in cells]

    @cached_property
    def is_ranking(self) -> bool:
        """Whether the classifiers give scores, and not classes, for two true classes."""
        if not self.truth or len({*self.column(self.truth)}) != 2:
            return False
        return all(len({*(column := self.column(head))}) > 2 and not isinstance(column[0], str) for head in self.classifiers)

    @cached_property
    def variables(self) -> dict[str, Any]:
        """Values of the variables that tests take: y, columns, clusters."""
        if self.is_ranking:
            return {"y": self.column(self.truth), "columns": {head: self.column(head) for head in self.classifiers}}
        truth = self.column(self.truth) if self.truth else []
        columns = {
            head: [*map(int, map(eq, self.column(head), truth))]
            if truth
            else [int(str(cell).strip().lower() == self.right) for cell in self.sheet[head]]
            for head in self.classifiers
        }
        return {"columns": columns, "clusters": self.column(self.family) if self.family else None}

    def code(self, file: str) -> list[str]:
        """Return lines of Python that read the variables from a file."""
        names = f"for name in {[*self.classifiers]!r}"
        cells = "table[name]" if self.is_ranking else f"(table[name] == table[{self.truth!r}]).astype(int)"
        if not self.truth:
            cells = f"(table[name].astype(str).str.lower() == {self.right!r}).astype(int)"
        lines = [f"table = pandas.read_csv({file!r}, sep=None, engine='python')", f"columns = {{name: {cells} {names}}}"]
        lines += [f"y = table[{self.truth!r}]"] * self.is_ranking
        return lines + [f"clusters = table[{self.family!r}]"] * bool(self.family)


def find_records(sheet: TabularData, roles: Mapping[str, str]) -> RecordTable | None:
    """Return the columns of a table of test records; None if the table seems to hold scores."""
    cells = {head: {*map(str.strip, map(str, {*column}))} for head, column in zip(sheet.heads, sheet.columns, strict=True)}
    repeated = {head for head in sheet.heads if sheet.heads.count(head) > 1 and head not in roles}
    if any(word.lower() in MISSING_VALUES for words in cells.values() for word in words):
        return None
    stated = {role: [head for head in sheet.heads if roles.get(head) == role] for role in (TRUE_CLASS, PREDICTION, FAMILY)}
    free = [head for head in sheet.heads if head not in roles and head not in repeated]
    rows = len(sheet.columns[0]) if sheet.columns else 0
    truths = stated[TRUE_CLASS] or [
        h for h in free if normalize_name(h) in known_words("true_labels", "names") | {"y", "class", "target"} and len(cells[h]) < rows
    ]
    families = stated[FAMILY] or [head for head in free if normalize_name(head) in FAMILIES and len(cells[head]) < rows]
    others = [head for head in free if head not in (*truths, *families)]
    family = families[0] if families else ""
    if truths:
        truth = truths[0]
        label = [h for h in others if cells[h] <= cells[truth] or (len(cells[h] & cells[truth]) > 1 and len(cells[h]) < rows)]
        graded = [head for head in others if len(cells[head]) > 2 and all(_is_share(cell, sheet.decimal) for cell in cells[head])]
        found = stated[PREDICTION] or label or (graded if len(cells[truth]) == 2 else [])
        # it is unclear which of the columns with equal headings holds the predictions of a classifier
        is_unclear = any(cells[head] <= cells[truth] for head in repeated)
        return RecordTable(sheet, truth, tuple(found), family) if found and not is_unclear else None
    for right, wrong in ({} if repeated else RIGHT_WORDS).items():
        words = {head: {cell.lower() for cell in cells[head]} for head in stated[PREDICTION] or others}
        found = [head for head in words if words[head] <= {right, *wrong} and rows > 1]
        identified = [head for head in words if head not in found and len(words[head]) == rows]
        if len(found) > 1 and len(found) + len(identified) == len(words) and len({frozenset(words[head]) for head in found}) <= 3:
            return RecordTable(sheet, "", tuple(found), family, right)
    return None


def _is_share(cell: str, decimal: str) -> bool:
    number = plain_number(cell, decimal)
    return number is not None and 0 <= number <= 1
