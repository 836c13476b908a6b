"""Headings and cells of a table, as its source holds them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from . import column_names as names
from .cell_numbers import parse_column


@dataclass(frozen=True)
class TabularData:
    """Headings and columns of cells, unchanged from the source."""

    heads: list[str]
    columns: list[list[Any]]
    name: str
    numbers: Sequence[int]  # line number (or row number) of each row
    line: str = "line"  # word that error messages use for a row
    counted: str = ""  # text that error messages add to the number of a row, such as " of scores" for a column of scores
    decimal: str = "."
    folds: tuple[str, ...] = ()  # names of index levels that number the folds, if no heading says so
    notes: tuple[str, ...] = ()  # sentences on what the reader left out or assumed
    title: str = ""  # text above the headings of the table
    corner: str = ""  # if rows and columns were exchanged: heading of the column that now holds the headings
    units: Mapping[str, str] = field(default_factory=dict)  # maps a heading to the unit that was removed from its cells

    def __getitem__(self, head: str) -> list[Any]:
        return self.columns[self.heads.index(head)]

    def texts(self, head: str) -> list[str]:
        """Return the cells of a column as text."""
        return [str(cell).strip() for cell in self[head]]

    @property
    def different(self) -> dict[str, list[str]]:
        """The cells of each column as text, without columns with equal headings."""
        return {head: self.texts(head) for head in self.heads if self.heads.count(head) == 1}

    def turned(self, ignored: Collection[str] = ()) -> TabularData:
        """Return the table with rows and columns exchanged: the column of classifiers (or the first column) becomes the headings.

        Other columns of text are left out, and columns that are ignored.
        """
        read = [k for k, head in enumerate(self.heads) if head not in ignored]
        unique = [k for k in read if len({*map(str, self.columns[k])}) == len(self.columns[k])]
        named = [k for k in unique if names.classifier_rank(self.heads[k]) >= 0]
        first = min(named, key=lambda k: names.classifier_rank(self.heads[k]), default=read[0])
        texts = [k for k in read if k != first and parse_column(self.columns[k], self.decimal).is_text]
        others = [k for k in read if k != first and k not in texts]
        counts = [k for k in others if names.is_count_heading(self.heads[k]) and not self.heads[k].isdigit()]
        others = [k for k in others if k not in counts]
        if large := [k for k in others if self._is_tally(k, others)]:
            counts, others = sorted([*counts, *large]), [k for k in others if k not in large]
        left_out = ((texts, "they hold text"), (counts, "they seem to count something, by their names or their whole numbers"))
        listed = ((why, ", ".join(repr(self.heads[k]) for k in columns)) for columns, why in left_out if columns)
        notes = tuple(f"Left out, because {why}: {heads}." for why, heads in listed)
        heads = ["data set", *map(str, self.line_names(self.heads[first]))]
        columns = [[self.heads[k] for k in others], *(list(row) for row in zip(*(self.columns[k] for k in others)))]
        numbers = range(1, len(others) + 1)
        if joined := names.split_metrics(columns[0]):  # the heading "MGB-2 WER" contains a data set and a metric
            heads[1:1] = ["metric"]
            columns[:1] = [[stem for stem, _ in joined], [metric for _, metric in joined]]
        table = replace(self, heads=heads, columns=columns, numbers=numbers, line="column", counted=" of scores", folds=())
        return replace(table, notes=(*self.notes, *notes), corner=self.heads[first])

    def line_names(self, head: str) -> list[Any]:
        """Return the cells of a column that names the lines; numbers of a setting such as k are written as k = 3."""
        is_setting = names.is_setting_heading(head) and parse_column(self[head], self.decimal).is_numeric
        return [f"{head} = {cell}" for cell in self[head]] if is_setting else self[head]

    def _is_tally(self, column: int, others: Sequence[int]) -> bool:
        """Return whether a column holds whole numbers, some above 100, and all other columns hold numbers with decimals, at most 100."""
        cells = {k: [x for x in parse_column(self.columns[k], self.decimal).numbers if x is not None and x == x] for k in others}
        rest = [cells[k] for k in others if k != column]
        whole = all(float(x).is_integer() for x in cells[column])
        return whole and max(cells[column], default=0) > 100 and len(rest) > 2 and all(x and max(x) <= 100 and sum(x) % 1 for x in rest)

    def rows(self, rows: Sequence[int]) -> str:
        """Describe some rows by the first few of their numbers."""
        numbers = [str(self.numbers[row]) for row in rows[:4]] + ["..."] * (len(rows) > 4)
        if len(numbers) == 1:
            return f"{self.line} {numbers[0]}{self.counted}"
        return f"{self.line}s {', '.join(numbers[:-1])} and {numbers[-1]}{self.counted}"

    def place(self, row: int, head: str) -> str:
        """Describe the place of a cell."""
        return f"{self.name}, {self.line} {self.numbers[row]}{self.counted}, column {head!r}"
