"""Table 4: the data sets of the experiment, and which of them can be had."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from ...comparing.datasets import DataSet, from_csv
from ...comparing.datasets.csv_datasets import dataset_path
from ...render.display_table import Table
from ..data_folder import data_folder
from ..study_files import printed_figures as as_printed
from .stored_correlations import stored_results


class PaperDataSet(NamedTuple):
    """A line of Table 4: its name there, records, features and classes; and the file that serves here."""

    printed: str
    records: int
    features: int
    classes: int
    file: str
    remark: str = ""


TABLE_4 = tuple(PaperDataSet(name, *line) for name, line in as_printed(__package__)["table_4"].items())
SETS = tuple(line.file for line in TABLE_4 if line.file)


def missing_files(names: Any, data_dir: Any = None) -> list[str]:
    """Which of the data sets the folder has no file of."""
    folder = data_folder(data_dir)
    return [name for name in names if dataset_path(name, folder) is None]


def data_set(name: str, data_dir: Any = None) -> DataSet:
    """A data set from its file."""
    if name not in SETS:
        raise ValueError(f"there is no data set {name!r} in this study; there are {', '.join(SETS)}")
    return _read(name, data_folder(data_dir))


@cache
def _read(name: str, folder: Path) -> DataSet:
    path = dataset_path(name, folder)
    if path is None:
        raise ValueError(f"{name} is missing: there is neither {name}.csv nor {name}.csv.gz in {folder}")
    return from_csv(path)


def table4() -> Table:
    """Table 4, printed beside ours: records, features and classes of each data set.

    Examples
    --------
    >>> table4().lines[2]
    ['balance', '625, 4, 3', '625, 4, 3', 'agrees']
    """
    found = stored_results()["sets"]
    lines = []
    for line in TABLE_4:
        printed = f"{line.records}, {line.features}, {line.classes}"
        one = found.get(line.file)
        ours = f"{one['records']}, {one['features']}, {one['classes']}" if one else "–"
        verdict = "agrees" if ours == printed else "differs" if one else "left out"
        lines.append([line.printed, printed, ours, f"{verdict}: {line.remark}" if line.remark else verdict])
    return Table(("data set", "printed", "ours", "verdict"), lines, "Table 4: records, features, classes")
