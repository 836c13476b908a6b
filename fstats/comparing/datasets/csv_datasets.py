"""Load data sets from a folder of CSV files."""

from __future__ import annotations

import os
from collections.abc import Sequence
from math import isinf, isnan
from pathlib import Path

import numpy as np

from ..results.cell_numbers import plain_number
from ..results.tabular_data import TabularData
from ..results.tabular_input import read_csv
from .dataset import DataSet, encode_labels

MISSING_CLASS_VALUES = {"", "?", "na", "n/a", "nan", "null", "none"}  # "-" may be the name of a class, so it is not in this set


def dataset_path(name: str, folder: Path) -> Path | None:
    """Return the path of a data set in the folder, or None."""
    paths = (folder / f"{name}{ending}" for ending in (".csv", ".csv.gz"))
    return next((path for path in paths if path.is_file()), None)


def from_csv(path: str | os.PathLike[str]) -> DataSet:
    """Read a data set from a CSV file (gzipped or not; commas, semicolons or tabs): a header, numbers, and the class in the last column.

    Parameters
    ----------
    path : path
        The file.  Classes may be whole numbers, which stay unchanged, or text, which is numbered in alphabetical order.

    Raises
    ------
    ValueError
        If the file has missing values, text, rows of another length or no records (the error names the row, counted as in an editor,
        and the column), or if the first line holds numbers (a record instead of a header).
    """
    path = Path(path)
    sheet = read_csv(path, what="a header, records below it, features and a class")
    if _is_header_missing(sheet.heads):
        names = ",".join([f"x{k}" for k in range(1, len(sheet.heads))] + ["class"])
        raise ValueError(
            f"the first line of {path} must hold the names of the columns; got {','.join(sheet.heads)}. Write a line of names above the "
            f"first record, such as {names}."
        )
    *columns, classes = sheet.columns
    records = zip(sheet.numbers, zip(*columns, strict=True), strict=True)
    x = np.array([_parse_record(cells, sheet, f"{path}, row {row}") for row, cells in records])
    missing = [row for row, label in zip(sheet.numbers, classes, strict=True) if label.lower() in MISSING_CLASS_VALUES]
    if missing:
        raise ValueError(
            f"every record must have a class; got none in {path}, row {missing[0]}, column {sheet.heads[-1]!r}. Fill in the class, or "
            "leave out the record."
        )
    return DataSet(path.name.removesuffix(".gz").removesuffix(".csv"), x, encode_labels(classes), f"the file {path.name}")


def _is_header_missing(heads: list[str]) -> bool:
    """Return whether the first line is a record instead of headings: its features are numbers, and not the numbers of the columns."""
    features, named = heads[:-1], not _is_number(heads[-1])
    counted = any(features == [str(first + k) for k in range(len(features))] for first in (0, 1))
    return all(map(_is_number, features)) and not (named and counted)


def _is_number(cell: str) -> bool:
    value = plain_number(cell, ".")
    return value is not None and not isnan(value)


def _parse_record(cells: Sequence[str], sheet: TabularData, place: str) -> list[float]:
    """Return the features of a record."""
    values = []
    for cell, head in zip(cells, sheet.heads):
        value = plain_number(cell, sheet.decimal)
        if value is None:
            raise ValueError(f"features must be numbers; got {cell!r} in {place}, column {head!r}. Encode text as numbers first.")
        if isnan(value):
            raise ValueError(
                f"every record must have all features; got no value in {place}, column {head!r}. Fill in a value, or leave out the record."
            )
        if isinf(value):
            raise ValueError(f"features must be finite; got {cell!r} in {place}, column {head!r}")
        values.append(value)
    return values
