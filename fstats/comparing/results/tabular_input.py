"""Read the cells of tables in files, text and DataFrames.

Each cell remembers its row and column.
"""

from __future__ import annotations

import gc
import math
from collections.abc import Collection, Sequence
from typing import Any

from ...core.validation.pandas_labels import column_names, data_set_levels, is_data_set_name, is_fold_name, is_seed_name
from . import column_names as names
from .tabular_data import TabularData
from .text_tables import SCORES_BELOW, read_text_table


def read_csv(source: Any, what: str = SCORES_BELOW) -> TabularData:
    """Read the cells of a table in a file, an open file or a text; raise an error with the description `what` if there is no table.

    Cells that were read before are returned unchanged.
    """
    if isinstance(source, TabularData):
        return source
    collects = gc.isenabled()
    gc.disable()  # without this line, the garbage collector would take half of the time for a million rows
    try:
        return read_text_table(source, what)
    finally:
        if collects:
            gc.enable()


def is_dataframe(table: Any) -> bool:
    """Return whether a table is a DataFrame of any library, a Series whose index has levels (data set, classifier), or several Series.

    Cells that were read before count, too.
    """
    if isinstance(table, TabularData) or (is_series(table) and getattr(getattr(table, "index", None), "nlevels", 1) > 1):
        return True
    if isinstance(table, (list, tuple)):
        return len(table) > 0 and all(map(is_series, table))
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
            "DataFrames of libraries other than pandas need narwhals, which is not installed. Run `pip install narwhals`.", name="narwhals"
        ) from None
    return narwhals


def _read_series(listed: Sequence[Any]) -> TabularData:
    """Read the cells of several Series: first the data sets if the index names them, then a named column for each Series."""
    heads = [str(series.name) for series in listed]
    if len({*heads} - {"None", ""}) < len(heads) or len({len(series) for series in listed}) > 1:
        raise ValueError(
            "several Series must have the same length and different names of classifiers; got "
            f"{', '.join((f'{head} (length {len(series)})' for head, series in zip(heads, listed)))}. Name each Series, or pass a "
            "DataFrame."
        )
    indices = ([] if (index := getattr(series, "index", None)) is None else _index_columns(index, ())[0] for series in listed)
    first, *others = indices
    if any(other != first for other in others):
        raise ValueError(
            "all Series must have the same index, with the data sets in the same order; got different indices. Join them in a DataFrame."
        )
    return _build_tabular_data([*first, *((head, _series_cells(series)) for head, series in zip(heads, listed))])


def read_dataframe(frame: Any, stated: Collection[str] = (), metric: str = "score") -> TabularData:
    """Read the cells of a DataFrame (first the index, if the index holds names) or of Series, which hold the metric if they have no name.

    An index level in `stated` keeps its name.  Cells that were read before are returned unchanged.
    """
    if isinstance(frame, (TabularData, list, tuple)):
        return frame if isinstance(frame, TabularData) else _read_series(frame)
    if not hasattr(frame, "iloc"):
        table = import_narwhals().from_native(frame, eager_only=True)
        return _build_tabular_data([(str(head), _series_cells(table.get_column(head))) for head in table.columns])
    if not hasattr(frame, "columns"):
        frame = frame.to_frame(metric if frame.name is None else frame.name)
    columns, folds = _index_columns(frame.index, stated)
    if columns and columns[0][0] == "data set" and any(name is not None and is_data_set_name(name) for name in frame.columns.names):
        # the headings of the DataFrame are data sets, so the index holds classifiers
        columns = [("classifier", cells) for _, cells in columns]
    if stacked := _stack_columns(frame, columns):
        return _build_tabular_data(stacked, folds)
    numbered = not frame.index.has_duplicates and frame.index.dtype.kind in "iu"
    if list(frame.index.names) == [None] and any(
        is_data_set_name(head) or (numbered and (is_fold_name(head) or is_seed_name(head))) for head in map(str, frame.columns)
    ):
        columns = []  # ignore numbers that remain in the index after a concat, a sort or a filter
    for k, head in enumerate(frame.columns):
        columns.append((" ".join(map(str, head)) if isinstance(head, tuple) else str(head), _series_cells(frame.iloc[:, k])))
    return _build_tabular_data(columns, folds)


def _stack_columns(frame: Any, index: Sequence[tuple[str, list[Any]]]) -> list[tuple[str, list[Any]]]:
    """Return the columns of a long table if the headings have two levels: names, and metrics (or means and spreads)."""
    levels, size = range(frame.columns.nlevels), len(frame)
    labels = [[str(label) for label in frame.columns.get_level_values(level)] for level in levels]
    metrics = [k for k in levels if all(map(_is_measure, labels[k]))]
    others = [k for k in levels if k not in metrics]
    roles = all(_is_role(frame.columns.names[k]) for k in others)
    if not others or len(levels) < 2 or frame.columns.has_duplicates or not (roles or (metrics and len(others) == 1)):
        return []
    measures = list(zip(*(labels[k] for k in metrics))) or [("score",)] * len(frame.columns)
    blocks = list(dict.fromkeys(zip(*(labels[k] for k in others))))
    table: dict[str, list[Any]] = {}
    for k, (metric, block) in enumerate(zip(measures, zip(*(labels[k] for k in others)))):
        cells = table.setdefault(" ".join(metric), [math.nan] * (size * len(blocks)))
        first = blocks.index(block) * size
        cells[first : first + size] = _series_cells(frame.iloc[:, k])
    rows = index or [("data set", [str(row + 1) for row in range(size)])]
    heads = ["classifier" if frame.columns.names[k] is None else str(frame.columns.names[k]) for k in others]
    named = [(head, [block[j] for block in blocks for _ in range(size)]) for j, head in enumerate(heads)]
    return [*((head, cells * len(blocks)) for head, cells in rows), *named, *table.items()]


def _is_role(level: Any) -> bool:
    known = (is_seed_name, is_fold_name, is_data_set_name)
    return level is not None and (names.classifier_rank(str(level)) == 0 or any(is_known(level) for is_known in known))


def _is_measure(name: str) -> bool:
    return names.is_score_heading(name) or names.is_spread_heading(name) or names.is_summary_heading(name)


def _build_tabular_data(columns: Sequence[tuple[str, list[Any]]], folds: tuple[str, ...] = ()) -> TabularData:
    heads, cells = [head for head, _ in columns], [column for _, column in columns]
    return TabularData(heads, cells, "scores", range(len(cells[0]) if cells else 0), "row", " (counting from 0)", folds=folds)


def _series_cells(column: Any) -> list[Any]:
    """Return the cells of a Series; float16 and float32 numbers keep their type, because a conversion would change their printed values."""
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
        known = is_data_set_name(head) or names.classifier_rank(head) == 0
        return ([] if type(index).__name__ == "RangeIndex" else [(head if known else "data set", list(index))]), ()
    named = data_set_levels(index, "scores")
    others = [
        level for level in range(index.nlevels) if level not in named and not is_seed_name(heads[level]) and heads[level] not in stated
    ]
    folds = tuple(heads[level] for level in others if names.classifier_rank(heads[level]) < 0 and not names.is_metric_heading(heads[level]))
    return [(head, list(index.get_level_values(level))) for level, head in enumerate(heads)], folds if len(others) == 1 else ()
