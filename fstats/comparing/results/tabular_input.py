"""Cells of CSV files and DataFrames, with the place of each cell."""

from __future__ import annotations

import csv
import gzip
import os
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from io import StringIO
from math import nan
from pathlib import Path
from typing import Any

from ...core.numerics.floating_point_ties import printed_value
from ...core.validation.pandas_labels import column_names, data_set_levels, is_data_set_name, is_fold_name, is_seed_name

MISSING_VALUES = {"", "?", "-", "–", "na", "n/a", "nan", "null", "none", "<na>", "nat"}
CLASSIFIER_COLUMNS = {
    *("classifier", "model", "algorithm", "method", "learner", "estimator", "pipeline", "clf", "regressor", "system", "approach"),
    *("config", "configuration", "setting", "variant", "framework", "arm"),
}
METRIC_COLUMNS = {"metric", "measure", "scoring"}


@dataclass(frozen=True)
class TabularData:
    """Headings and columns of cells, unchanged from the source."""

    heads: list[str]
    columns: list[list[Any]]
    name: str
    numbers: Sequence[int]  # numbers of the rows
    line: str = "line"  # name of a row in errors
    counted: str = ""  # words on how rows are counted, if not as in an editor
    decimal: str = "."
    folds: tuple[str, ...] = ()  # index level that numbers the folds although its name is unknown

    def __getitem__(self, head: str) -> list[Any]:
        return self.columns[self.heads.index(head)]

    def number(self, row: int, head: str) -> float | None:
        """Return the number in a cell, nan if it is missing; None if it is not a number."""
        return parse_number(self[head][row], self.decimal)

    def rows(self, rows: Sequence[int]) -> str:
        """Describe some rows by the first few of their numbers."""
        numbers = [str(self.numbers[row]) for row in rows[:4]] + ["..."] * (len(rows) > 4)
        return f"{self.line}s {', '.join(numbers[:-1])} and {numbers[-1]}{self.counted}"

    def place(self, row: int, head: str) -> str:
        """Describe the place of a cell."""
        return f"{self.name}, {self.line} {self.numbers[row]}{self.counted}, column {head!r}"


def read_csv(path: str | os.PathLike[str], least: int = 2, what: str = "a line of heads with lines of scores below it") -> TabularData:
    """Read the cells of a CSV file, possibly gzipped; its separator is the most frequent of comma, semicolon and tab in the first line.

    Raise an error with the description `what` if there are fewer than `least` columns.
    """
    file = Path(path)
    text = _read_text(file)
    stated, _, rest = text.partition("\n")
    skipped = int(re.fullmatch(r"sep=.\s*", stated) is not None)  # Excel writes a line "sep=;" above the headings
    text = rest if skipped else text
    signs = re.findall("[,;\t]", text.partition("\n")[0]) or [","]
    separator = max(signs, key=signs.count)
    reader = csv.reader(StringIO(text, newline=""), delimiter=separator)
    lines = [(reader.line_num + skipped, [cell.strip() for cell in line]) for line in reader if "".join(line).strip()]
    if len(lines) < 2 or len(lines[0][1]) < least:
        raise ValueError(f"{file} must have {what}; the file has {len(lines)} lines")
    (_, heads), *below = lines
    for number, cells in below:
        if len(cells) != len(heads):
            raise ValueError(f"{file}, line {number}: {len(cells)} cells below {len(heads)} heads")
    columns = [list(column) for column in zip(*(cells for _, cells in below), strict=True)]
    return TabularData(heads, columns, file.name, [number for number, _ in below], decimal="." if separator == "," else ",")


def _read_text(file: Path) -> str:
    """Return the text of a file, unzipped, without a byte order mark."""
    if not file.is_file():
        raise FileNotFoundError(f"there is no file {file} (relative names start at {Path.cwd()})")
    content = gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        number = content[: error.start].count(b"\n") + 1
        raise ValueError(f"{file}, line {number}: the file must be UTF-8: save it again as UTF-8 (in Excel as 'CSV UTF-8')") from None


def is_dataframe(table: Any) -> bool:
    """Return whether a table is a DataFrame of pandas (or similar), or of another library that exports its columns."""
    return column_names(table) is not None and (hasattr(table, "iloc") or hasattr(table, "__arrow_c_stream__"))


def is_series(column: Any) -> bool:
    """Return whether a column is a Series of pandas or polars, or a similar object."""
    return hasattr(column, "name") and hasattr(column, "to_numpy") and hasattr(column, "__len__")


def import_narwhals() -> Any:
    """Import narwhals, a library that reads and makes DataFrames of libraries other than pandas."""
    try:
        import narwhals
    except ModuleNotFoundError:
        raise ModuleNotFoundError(
            "DataFrames of other libraries than pandas need narwhals, which is not installed: pip install narwhals", name="narwhals"
        ) from None
    return narwhals


def read_series(listed: Sequence[Any]) -> TabularData:
    """Read the cells of several Series: first the data sets if the index names them, then a named column for each Series."""
    heads = [str(series.name) for series in listed]
    if len({*heads} - {"None", ""}) < len(heads) or len({len(series) for series in listed}) > 1:
        raise ValueError(
            "several Series must have the same length, and different names (those of the classifiers); got "
            f"{', '.join(f'{head} ({len(series)})' for head, series in zip(heads, listed))}: name each Series, or pass a DataFrame"
        )
    indices = ([] if (index := getattr(series, "index", None)) is None else _index_columns(index, ())[0] for series in listed)
    first, *others = indices
    if any(other != first for other in others):
        raise ValueError(
            "Series side by side must have one index, the same data sets in the same order; got different indices: join them in a DataFrame"
        )
    return _build_tabular_data([*first, *((head, _series_cells(series)) for head, series in zip(heads, listed))])


def read_dataframe(frame: Any, stated: Collection[str] = ()) -> TabularData:
    """Read the cells of a DataFrame (first the index, if the index holds names); an index level in `stated` keeps its name."""
    if not hasattr(frame, "iloc"):
        table = import_narwhals().from_native(frame, eager_only=True)
        return _build_tabular_data([(str(head), _series_cells(table.get_column(head))) for head in table.columns])
    columns, folds = _index_columns(frame.index, stated)
    numbered = not frame.index.has_duplicates and frame.index.dtype.kind in "iu"
    if list(frame.index.names) == [None] and any(
        is_data_set_name(head) or (numbered and (is_fold_name(head) or is_seed_name(head))) for head in map(str, frame.columns)
    ):
        columns = []  # row numbers that remain after a concat, a sort or a filter are not names
    for k, head in enumerate(frame.columns):
        columns.append((" ".join(map(str, head)) if isinstance(head, tuple) else str(head), _series_cells(frame.iloc[:, k])))
    return _build_tabular_data(columns, folds)


def _build_tabular_data(columns: Sequence[tuple[str, list[Any]]], folds: tuple[str, ...] = ()) -> TabularData:
    heads, cells = [head for head, _ in columns], [column for _, column in columns]
    return TabularData(heads, cells, "scores", range(len(cells[0]) if cells else 0), "row", " (counting from 0)", folds=folds)


def _series_cells(column: Any) -> list[Any]:
    """Return the cells of a Series; numbers of a short type keep their type, because conversion would change the printed values."""
    short = str(getattr(column, "dtype", "")).lower() in ("float16", "float32")
    return list(column.to_numpy()) if short else list(column)


def _index_columns(index: Any, stated: Collection[str]) -> tuple[list[tuple[str, list[Any]]], tuple[str, ...]]:
    """Return the levels of an index as columns, and the level that numbers the folds.

    A single level names the data sets, or (if its name says so) folds or seeds.  Among several levels, the only level with an unknown
    name numbers the folds.
    """
    heads = [str(name) for name in index.names]
    if index.nlevels == 1:
        (head,) = heads
        if is_seed_name(head) or is_fold_name(head) or head in stated:
            return [(head, list(index))], ()
        return ([] if type(index).__name__ == "RangeIndex" else [(head if is_data_set_name(head) else "data set", list(index))]), ()
    named = data_set_levels(index, "scores")
    others = [
        level for level in range(index.nlevels) if level not in named and not is_seed_name(heads[level]) and heads[level] not in stated
    ]
    folds = tuple(heads[level] for level in others if heads[level].lower() not in CLASSIFIER_COLUMNS | METRIC_COLUMNS)
    return [(head, list(index.get_level_values(level))) for level, head in enumerate(heads)], folds if len(others) == 1 else ()


def parse_number(cell: Any, decimal: str) -> float | None:
    """Return the number in a cell, nan if it is missing; None if it is not a number."""
    text = str(cell).strip()  # `str` converts None, NA and NaT as well
    if text.lower() in MISSING_VALUES:
        return nan
    if isinstance(cell, str) and decimal == "," and text.count(",") == 1 and "." not in text:
        cell = text.replace(",", ".")
    try:
        return printed_value(cell)
    except (TypeError, ValueError):
        return None
