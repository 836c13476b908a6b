"""Data sets from a folder of CSV files."""

from __future__ import annotations

import os
from collections.abc import Sequence
from math import isinf, isnan
from pathlib import Path

import numpy as np

from ..results.tabular_input import TabularData, parse_number, read_csv
from .dataset import DataSet, encode_labels

MISSING_CLASS_VALUES = {"", "?", "na", "n/a", "nan", "null", "none"}  # of classes, among which there may be one called -


def dataset_path(name: str, folder: Path) -> Path | None:
    """The file of a data set, if the folder has it."""
    paths = (folder / f"{name}{ending}" for ending in (".csv", ".csv.gz"))
    return next((path for path in paths if path.is_file()), None)


def from_csv(path: str | os.PathLike[str]) -> DataSet:
    """A data set from a CSV file (gzipped or not; commas, semicolons or tabs): a header, numbers below it, the class in the last column.

    Parameters
    ----------
    path : path
        The file.  Classes may be whole numbers, which are kept, or text, which is numbered in alphabetical order.

    Raises
    ------
    ValueError
        For missing values, text, lines of another length or no records: it names the row (as in an editor) and the column; and for a
        first line of numbers, which is a record and no header.
    """
    path = Path(path)
    sheet = read_csv(path, what="a header, records below it, features and a class")
    if _is_header_missing(sheet.heads):
        names = ",".join([f"x{k}" for k in range(1, len(sheet.heads))] + ["class"])
        raise ValueError(
            f"{path} must begin with the names of its columns; its first line holds numbers, {','.join(sheet.heads)}: if that is a record, "
            f"write a line above it, such as {names}"
        )
    *columns, classes = sheet.columns
    records = zip(sheet.numbers, zip(*columns, strict=True), strict=True)
    x = np.array([_parse_record(cells, sheet, f"{path}, row {row}") for row, cells in records])
    if gaps := [row for row, word in zip(sheet.numbers, classes, strict=True) if word.lower() in MISSING_CLASS_VALUES]:
        raise ValueError(f"{path}, row {gaps[0]}, column {sheet.heads[-1]!r} (the class): the value is missing")
    return DataSet(path.name.removesuffix(".gz").removesuffix(".csv"), x, encode_labels(classes), f"the file {path.name}")


def _is_header_missing(heads: list[str]) -> bool:
    """Whether the first line is no header: numbers for features; but beside a class that has a name they may be counted, 0, 1, 2, ..."""
    features, named = heads[:-1], not _is_number(heads[-1])
    counted = any(features == [str(first + k) for k in range(len(features))] for first in (0, 1))
    return all(map(_is_number, features)) and not (named and counted)


def _is_number(cell: str) -> bool:
    value = parse_number(cell, ".")
    return value is not None and not isnan(value)


def _parse_record(cells: Sequence[str], sheet: TabularData, place: str) -> list[float]:
    """The numbers of a record."""
    found = []
    for cell, head in zip(cells, sheet.heads):
        value = parse_number(cell, sheet.decimal)
        if value is None:
            raise ValueError(f"{place}, column {head!r}: {cell!r} is no number; code text as numbers first")
        if isnan(value):
            raise ValueError(f"{place}, column {head!r}: the value is missing; leave out such records, or fill them in")
        if isinf(value):
            raise ValueError(f"{place}, column {head!r}: {cell!r} is no finite number")
        found.append(value)
    return found
