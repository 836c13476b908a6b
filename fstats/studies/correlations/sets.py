"""Table 4: the data sets of the experiment, and which of them can be had."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from ...comparing.datasets import DataSet, from_csv
from ...comparing.datasets.files import file_of
from ...render.table import Table
from ..folder import folder_of
from .stored import kept


class Listed(NamedTuple):
    """A line of Table 4: its name there, records, features and classes; and the file that serves here."""

    printed: str
    records: int
    features: int
    classes: int
    file: str
    remark: str = ""


TABLE_4 = (
    Listed("artificial", 30654, 7, 10, "", "not at hand"),
    Listed("australian", 690, 14, 2, "australian"),
    Listed("balance", 625, 4, 3, "balance"),
    Listed("car", 1728, 6, 4, "car"),
    Listed("cmc", 1473, 9, 3, "cmc"),
    Listed("credit", 690, 15, 2, "credit", "without the 37 records that lack a value"),
    Listed("donors", 748, 4, 2, "", "the same data as transfusion, which stands once"),
    Listed("flare", 1388, 10, 2, "flare", "another variant"),
    Listed("german", 1000, 20, 2, "german", "the numeric file"),
    Listed("krvskp", 3196, 36, 2, "krvskp"),
    Listed("letter", 20000, 16, 26, "letter"),
    Listed("magic", 19020, 10, 2, "magic"),
    Listed("mammographic", 830, 5, 2, "mammographic"),
    Listed("nursery", 12960, 8, 5, "nursery"),
    Listed("optdigits", 5620, 64, 10, "optdigits"),
    Listed("page_block", 5473, 10, 5, "page_block"),
    Listed("pendigits", 10992, 16, 10, "pendigits"),
    Listed("pima", 768, 8, 2, "diabetes"),
    Listed("ringnorm", 7400, 20, 2, "ringnorm"),
    Listed("satellite47", 4435, 36, 6, "satellite47"),
    Listed("spambase", 4601, 57, 2, "spambase"),
    Listed("splice", 3190, 60, 3, "splice"),
    Listed("tic_tac_toe", 958, 9, 2, "tic_tac_toe"),
    Listed("titanic", 2201, 3, 2, "", "not at hand"),
    Listed("transfusion", 748, 4, 2, "transfusion"),
    Listed("twonorm", 7400, 20, 2, "twonorm"),
    Listed("wave", 5000, 40, 3, "wave"),
    Listed("wine_quality", 4898, 11, 7, "wine_quality"),
    Listed("yeast", 1484, 7, 10, "yeast", "the file of UCI has 8 numbers for each record"),
)
SETS = tuple(line.file for line in TABLE_4 if line.file)


def missing(names: Any, data_dir: Any = None) -> list[str]:
    """Which of the data sets the folder has no file of."""
    folder = folder_of(data_dir)
    return [name for name in names if file_of(name, folder) is None]


def data_set(name: str, data_dir: Any = None) -> DataSet:
    """A data set from its file."""
    if name not in SETS:
        raise ValueError(f"there is no data set {name!r} in this study; there are {', '.join(SETS)}")
    return _read(name, folder_of(data_dir))


@cache
def _read(name: str, folder: Path) -> DataSet:
    path = file_of(name, folder)
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
    found = kept()["sets"]
    lines = []
    for line in TABLE_4:
        printed = f"{line.records}, {line.features}, {line.classes}"
        one = found.get(line.file)
        ours = f"{one['records']}, {one['features']}, {one['classes']}" if one else "–"
        verdict = "agrees" if ours == printed else "differs" if one else "left out"
        lines.append([line.printed, printed, ours, f"{verdict}: {line.remark}" if line.remark else verdict])
    return Table(("data set", "printed", "ours", "verdict"), lines, "Table 4: records, features, classes")
