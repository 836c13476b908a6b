"""Data sets of OpenML, downloaded and stored by scikit-learn."""

from __future__ import annotations

from warnings import catch_warnings, simplefilter

import numpy as np

from ...runtime.optional_dependencies import require_extra
from ...runtime.parallel_tasks import IN_BROWSER
from .dataset import DataSet, encode_labels

DATA_FOLDER_VARIABLE = "FSTATS_DATA"  # environment variable that names a folder of CSV files
# Name of a data set -> its number on OpenML.
OPENML_IDS = {
    "australian": 40981,
    "car": 21,
    "cmc": 23,
    "credit": 29,
    "diabetes": 37,
    "german": 31,
    "hayes": 329,
    "heart": 53,
    "ionosphere": 59,
    "krvskp": 3,
    "letter": 6,
    "magic": 1120,
    "nursery": 26,
    "optdigits": 28,
    "page_block": 30,
    "pendigits": 32,
    "sonar": 40,
    "spambase": 44,
    "splice": 46,
    "transfusion": 1464,
    "wine_quality": 40498,
    "wisconsin": 15,
    "yeast": 181,
}

# Data sets that OpenML does not have or has only in another version.
FILE_ONLY_DATASETS = ("breastcan", "flare", "liver", "mammographic", "satellite47", "soybean", "yeast3")


def fetch_dataset(name: str) -> DataSet:
    """Download a data set of OpenML; categories are numbered in the order in which OpenML declares them."""
    with require_extra("sklearn", "a data set of OpenML"):
        from sklearn.datasets import fetch_openml

    number = OPENML_IDS[name]
    if IN_BROWSER:
        raise OSError(
            f"data set {name!r} is not part of fstats, and a web page cannot reach OpenML (data set {number}): add {name}.csv to the "
            "page, and write data_dir='.'"
        )
    try:
        with catch_warnings():
            simplefilter("ignore", UserWarning)  # hide scikit-learn's warnings about repeated attempts to download
            x, y = fetch_openml(data_id=number, as_frame=True, return_X_y=True, parser="auto", n_retries=1)
    except OSError as error:  # no connection to the internet or to OpenML
        raise OSError(
            f"data set {name!r} is not part of fstats, and OpenML (data set {number}) cannot be reached: {error}.  Write data_dir=FOLDER "
            f"with a folder that contains {name}.csv, or set the environment variable {DATA_FOLDER_VARIABLE} to this folder"
        ) from error
    columns = [x[head].cat.codes.where(x[head].notna()) if hasattr(x[head], "cat") else x[head] for head in x.columns]
    values = np.array(columns, np.float64).T
    if missing := np.argwhere(np.isnan(values)).tolist():
        row, column = missing[0]
        raise ValueError(f"data set {name!r} of OpenML, record {row + 1}, column {x.columns[column]!r}: the value is missing")
    return DataSet(name, values, encode_labels([str(value) for value in y]), f"OpenML, data set {number}")
