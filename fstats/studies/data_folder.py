"""The folder of data files that a study reads."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from ..comparing.datasets.openml import DATA_FOLDER_VARIABLE


def data_folder(data_dir: Any = None) -> Path:
    """The folder as named, or by the environment variable FSTATS_DATA.

    Raises
    ------
    ValueError
        If none is named, or there is none of that name.
    """
    named = os.environ.get(DATA_FOLDER_VARIABLE) if data_dir is None else data_dir
    if not named:
        raise ValueError(
            f"the data sets are read from a folder that you name: data_dir=..., or the environment variable {DATA_FOLDER_VARIABLE}"
        )
    if not Path(named).is_dir():
        raise ValueError(f"there is no folder {str(named)!r}, in which the data sets should lie")
    return Path(named)
