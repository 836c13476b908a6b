"""Data sets from a folder of CSV files."""

from __future__ import annotations

import csv
import gzip
import os
from pathlib import Path

import numpy as np

from .dataset import DataSet, numbered

MISSING = {"", "?", "na", "n/a", "nan", "null", "none"}


def file_of(name: str, folder: Path) -> Path | None:
    """The file of a data set, if the folder has it."""
    paths = (folder / f"{name}{ending}" for ending in (".csv", ".csv.gz"))
    return next((path for path in paths if path.is_file()), None)


def from_csv(path: str | os.PathLike[str]) -> DataSet:
    """A data set from a CSV file, possibly gzipped: a header, numbers below it, the class in the last column.

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
    with gzip.open(path, "rt", encoding="utf-8", newline="") if path.suffix == ".gz" else path.open(encoding="utf-8", newline="") as file:
        lines = [line for line in enumerate(csv.reader(file), 1) if line[1]]
    if len(lines) < 2 or len(lines[0][1]) < 2:
        raise ValueError(f"{path} must have a header, records below it, features and a class; it has {len(lines)} lines")
    (_, heads), *records = lines
    if _is_record(heads):
        names = ",".join([f"x{k}" for k in range(1, len(heads))] + ["class"])
        raise ValueError(
            f"{path} must begin with the names of its columns; its first line holds numbers, {','.join(heads)}: if that is a record, "
            f"write a line above it, such as {names}"
        )
    for row, line in records:
        if len(line) != len(heads):
            raise ValueError(f"{path}, row {row}: {len(line)} values below {len(heads)} column names")
    x = np.array([[_number(cell, path, row, head) for cell, head in zip(line[:-1], heads)] for row, line in records])
    if gaps := [row for row, line in records if line[-1].strip().lower() in MISSING]:
        raise ValueError(f"{path}, row {gaps[0]}, column {heads[-1]!r} (the class): the value is missing")
    name = path.name.removesuffix(".gz").removesuffix(".csv")
    return DataSet(name, x, numbered([line[-1].strip() for _, line in records]), f"the file {path.name}")


def _is_record(heads: list[str]) -> bool:
    """Whether the first line is no header: numbers for features; but beside a class that has a name they may be counted, 0, 1, 2, ..."""
    features, named = heads[:-1], not _is_number(heads[-1])
    counted = any(features == [str(first + k) for k in range(len(features))] for first in (0, 1))
    return all(map(_is_number, features)) and not (named and counted)


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _number(cell: str, path: Path, row: int, head: str) -> float:
    if cell.strip().lower() in MISSING:
        raise ValueError(f"{path}, row {row}, column {head!r}: the value is missing; leave out such records, or fill them in")
    try:
        value = float(cell)
    except ValueError:
        raise ValueError(f"{path}, row {row}, column {head!r}: {cell!r} is no number; code text as numbers first") from None
    if not np.isfinite(value):
        raise ValueError(f"{path}, row {row}, column {head!r}: {cell!r} is no finite number")
    return value
