"""Data sets of the correlation study.

They are those in Table 4 of the 5x2 BCV McNemar paper, with their files.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from ...comparing.datasets import DataSet, from_csv
from ...comparing.datasets.csv_datasets import dataset_path
from ...render.display_table import Table
from ..data_folder import data_folder
from ..study_files import printed_figures
from .stored_correlations import stored_results


class PaperDataSet(NamedTuple):
    """Row of Table 4: printed name, numbers of records, features and classes, and the file that this study uses."""

    printed: str
    records: int
    features: int
    classes: int
    file: str
    remark: str = ""


TABLE_4 = tuple(PaperDataSet(name, *line) for name, line in printed_figures(__package__)["table_4"].items())
SETS = tuple(line.file for line in TABLE_4 if line.file)


def missing_files(names: Any, data_dir: Any = None) -> list[str]:
    """Return the data sets without a file in the folder."""
    folder = data_folder(data_dir)
    return [name for name in names if dataset_path(name, folder) is None]


def data_set(name: str, data_dir: Any = None) -> DataSet:
    """Read a data set from its file."""
    if name not in SETS:
        raise ValueError(f"`name` must be one of the data sets {', '.join(SETS)}; got {name!r}")
    return _read(name, data_folder(data_dir))


@cache
def _read(name: str, folder: Path) -> DataSet:
    path = dataset_path(name, folder)
    if path is None:
        raise ValueError(f"the data set {name} is missing. Add {name}.csv or {name}.csv.gz to the folder {folder}.")
    return from_csv(path)


def table4() -> Table:
    """Return Table 4: printed and our numbers of records, features and classes of each data set.

    Examples
    --------
    >>> table4().lines[2]
    ['balance', '625, 4, 3', '625, 4, 3', 'agrees']
    """
    results = stored_results()["sets"]
    lines = []
    for line in TABLE_4:
        printed = f"{line.records}, {line.features}, {line.classes}"
        result = results.get(line.file)
        ours = f"{result['records']}, {result['features']}, {result['classes']}" if result else "–"
        verdict = "agrees" if ours == printed else "differs" if result else "left out"
        lines.append([line.printed, printed, ours, f"{verdict}: {line.remark}" if line.remark else verdict])
    return Table(("data set", "printed", "ours", "verdict"), lines, "Table 4: records, features, classes")
