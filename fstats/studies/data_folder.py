"""Folder with the data files of the studies."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from ..comparing.datasets.openml import DATA_FOLDER_VARIABLE


def data_folder(data_dir: Any = None) -> Path:
    """Return the given folder, by default the folder that the environment variable FSTATS_DATA names.

    Raises
    ------
    ValueError
        If neither the argument nor the variable names a folder, or if the folder does not exist.
    """
    folder = os.environ.get(DATA_FOLDER_VARIABLE) if data_dir is None else data_dir
    if not folder:
        remedy = f"Write data_dir=..., or set the environment variable {DATA_FOLDER_VARIABLE}."
        raise ValueError(f"`data_dir` must name the folder of the data sets; got none. {remedy}")
    if not Path(folder).is_dir():
        raise ValueError(f"`data_dir` must be a folder with the data sets; there is no folder {str(folder)!r}")
    return Path(folder)
