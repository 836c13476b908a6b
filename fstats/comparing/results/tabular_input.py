"""The cells of CSV files and DataFrames, each with the place where it stands."""

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
    """Heads and columns of cells, as they were read."""

    heads: list[str]
    columns: list[list[Any]]
    name: str
    numbers: Sequence[int]  # of the lines
    line: str = "line"
    counted: str = ""  # from where, if not as in an editor
    decimal: str = "."
    folds: tuple[str, ...] = ()  # the level of an index that must number the folds, since it names nothing that is known

    def __getitem__(self, head: str) -> list[Any]:
        return self.columns[self.heads.index(head)]

    def number(self, row: int, head: str) -> float | None:
        """The number in a cell, nan where it is missing; None for what is no number."""
        return parse_number(self[head][row], self.decimal)

    def rows(self, rows: Sequence[int]) -> str:
        """Which lines these are, the first few of them."""
        numbers = [str(self.numbers[row]) for row in rows[:4]] + ["..."] * (len(rows) > 4)
        return f"{self.line}s {', '.join(numbers[:-1])} and {numbers[-1]}{self.counted}"

    def place(self, row: int, head: str) -> str:
        """Where a cell stands."""
        return f"{self.name}, {self.line} {self.numbers[row]}{self.counted}, column {head!r}"


def read_csv(path: str | os.PathLike[str], least: int = 2, what: str = "a line of heads with lines of scores below it") -> TabularData:
    """The cells of a CSV file, possibly gzipped; separated by commas, semicolons or tabs, whichever its first line has most of.

    It has this many columns at least, and should be what is said.
    """
    file = Path(path)
    text = _read_text(file)
    stated, _, rest = text.partition("\n")
    skipped = int(re.fullmatch(r"sep=.\s*", stated) is not None)  # what Excel writes above the heads
    text = rest if skipped else text
    signs = re.findall("[,;\t]", text.partition("\n")[0]) or [","]
    between = max(signs, key=signs.count)
    reader = csv.reader(StringIO(text, newline=""), delimiter=between)
    lines = [(reader.line_num + skipped, [cell.strip() for cell in line]) for line in reader if "".join(line).strip()]
    if len(lines) < 2 or len(lines[0][1]) < least:
        raise ValueError(f"{file} must have {what}; it has {len(lines)} lines")
    (_, heads), *below = lines
    for number, cells in below:
        if len(cells) != len(heads):
            raise ValueError(f"{file}, line {number}: {len(cells)} cells below {len(heads)} heads")
    columns = [list(column) for column in zip(*(cells for _, cells in below), strict=True)]
    return TabularData(heads, columns, file.name, [number for number, _ in below], decimal="." if between == "," else ",")


def _read_text(file: Path) -> str:
    """What a file holds, unzipped, without the mark that some programs put first."""
    if not file.is_file():
        raise FileNotFoundError(f"there is no file {file} (names count from {Path.cwd()})")
    content = gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        number = content[: error.start].count(b"\n") + 1
        raise ValueError(f"{file}, line {number}: the file must be written in UTF-8; save it so (in Excel as 'CSV UTF-8')") from None


def is_dataframe(table: Any) -> bool:
    """Whether it is a DataFrame: pandas' (or what is called alike), or one of another library that hands out its columns."""
    return column_names(table) is not None and (hasattr(table, "iloc") or hasattr(table, "__arrow_c_stream__"))


def is_series(column: Any) -> bool:
    """Whether it is a Series of pandas or polars, or what is called alike."""
    return hasattr(column, "name") and hasattr(column, "to_numpy") and hasattr(column, "__len__")


def import_narwhals() -> Any:
    """The library that reads and makes DataFrames of all others."""
    try:
        import narwhals
    except ModuleNotFoundError:
        raise ModuleNotFoundError(
            "DataFrames of other libraries than pandas pass through narwhals, which is not installed: pip install narwhals", name="narwhals"
        ) from None
    return narwhals


def read_series(listed: Sequence[Any]) -> TabularData:
    """The cells of Series, a column each by its name, behind the names of the data sets, where their index holds some."""
    heads = [str(one.name) for one in listed]
    if len({*heads} - {"None", ""}) < len(heads) or len({len(one) for one in listed}) > 1:
        raise ValueError(
            "Series side by side must be of one length and have different names, those of the classifiers; got "
            f"{', '.join(f'{head} ({len(one)})' for head, one in zip(heads, listed))}: name them, or hand in a DataFrame"
        )
    first, *others = ([] if (index := getattr(one, "index", None)) is None else _index_columns(index, ())[0] for one in listed)
    if any(other != first for other in others):
        raise ValueError(
            "Series side by side must have one index, the same data sets in the same order; got others: join them in a DataFrame"
        )
    return _build_tabular_data([*first, *((head, _series_cells(one)) for head, one in zip(heads, listed))])


def read_dataframe(frame: Any, stated: Collection[str] = ()) -> TabularData:
    """The cells of a DataFrame, its index first where that holds names; a level that the caller states keeps its name."""
    if not hasattr(frame, "iloc"):
        table = import_narwhals().from_native(frame, eager_only=True)
        return _build_tabular_data([(str(head), _series_cells(table.get_column(head))) for head in table.columns])
    columns, folds = _index_columns(frame.index, stated)
    numbered = not frame.index.has_duplicates and frame.index.dtype.kind in "iu"
    if list(frame.index.names) == [None] and any(
        is_data_set_name(head) or (numbered and (is_fold_name(head) or is_seed_name(head))) for head in map(str, frame.columns)
    ):
        columns = []  # what is left of the numbers of rows after a concat, a sort or a filter names nothing
    for k, head in enumerate(frame.columns):
        columns.append((" ".join(map(str, head)) if isinstance(head, tuple) else str(head), _series_cells(frame.iloc[:, k])))
    return _build_tabular_data(columns, folds)


def _build_tabular_data(columns: Sequence[tuple[str, list[Any]]], folds: tuple[str, ...] = ()) -> TabularData:
    heads, cells = [head for head, _ in columns], [column for _, column in columns]
    return TabularData(heads, cells, "scores", range(len(cells[0]) if cells else 0), "row", " (counting from 0)", folds=folds)


def _series_cells(column: Any) -> list[Any]:
    """The cells of a Series; numbers of a short type keep it, or they would no longer be what they print."""
    short = str(getattr(column, "dtype", "")).lower() in ("float16", "float32")
    return list(column.to_numpy()) if short else list(column)


def _index_columns(index: Any, stated: Collection[str]) -> tuple[list[tuple[str, list[Any]]], tuple[str, ...]]:
    """The levels of an index as columns: one level names data sets, or folds or seeds if it is called so; of several the one that
    names nothing known the folds.
    """
    heads = [str(name) for name in index.names]
    if index.nlevels == 1:
        (head,) = heads
        if is_seed_name(head) or is_fold_name(head) or head in stated:
            return [(head, list(index))], ()
        return ([] if type(index).__name__ == "RangeIndex" else [(head if is_data_set_name(head) else "data set", list(index))]), ()
    own = data_set_levels(index, "scores")
    others = [level for level in range(index.nlevels) if level not in own and not is_seed_name(heads[level]) and heads[level] not in stated]
    folds = tuple(heads[level] for level in others if heads[level].lower() not in CLASSIFIER_COLUMNS | METRIC_COLUMNS)
    return [(head, list(index.get_level_values(level))) for level, head in enumerate(heads)], folds if len(others) == 1 else ()


def parse_number(cell: Any, decimal: str) -> float | None:
    """A number, nan where it is missing; None for what is no number."""
    words = str(cell).strip()  # of None, NA and NaT, too
    if words.lower() in MISSING_VALUES:
        return nan
    if isinstance(cell, str) and decimal == "," and words.count(",") == 1 and "." not in words:
        cell = words.replace(",", ".")
    try:
        return printed_value(cell)
    except (TypeError, ValueError):
        return None
