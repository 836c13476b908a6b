"""Download data sets from OpenML."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from warnings import catch_warnings, simplefilter

import numpy as np

from ...runtime.optional_dependencies import require_extra
from ...runtime.parallel_tasks import IN_BROWSER
from .dataset import DataSet, encode_labels

DATA_FOLDER_VARIABLE = "FSTATS_DATA"  # environment variable that names a folder of CSV files
# maps the name of a data set to its number on OpenML
OPENML_IDS: dict[str, int] = tomllib.loads(files(__package__).joinpath("openml.toml").read_text(encoding="utf-8"))

# data sets that OpenML lacks, or that OpenML has only in another version
FILE_ONLY_DATASETS = ("breastcan", "flare", "liver", "mammographic", "satellite47", "soybean", "yeast3")


def fetch_dataset(name: str) -> DataSet:
    """Download a data set of OpenML; categories are numbered in the order in which OpenML declares them."""
    with require_extra("sklearn", "a data set of OpenML"):
        from sklearn.datasets import fetch_openml

    number = OPENML_IDS[name]
    if IN_BROWSER:
        raise OSError(
            f"data set {name!r} cannot be downloaded from OpenML in a web page (number {number}). Add {name}.csv to the page, and write "
            "`data_dir='.'`."
        )
    try:
        with catch_warnings():
            simplefilter("ignore", UserWarning)  # ignore scikit-learn's warnings about repeated downloads
            x, y = fetch_openml(data_id=number, as_frame=True, return_X_y=True, parser="auto", n_retries=1)
    except OSError as error:  # OpenML cannot be reached
        raise OSError(
            f"data set {name!r} cannot be downloaded from OpenML (number {number}): {error}. Write data_dir=FOLDER with a folder that "
            f"contains {name}.csv, or set the environment variable {DATA_FOLDER_VARIABLE}."
        ) from error
    columns = [x[head].cat.codes.where(x[head].notna()) if hasattr(x[head], "cat") else x[head] for head in x.columns]
    values = np.array(columns, np.float64).T
    if missing := np.argwhere(np.isnan(values)).tolist():
        row, column = missing[0]
        raise ValueError(f"data set {name!r} of OpenML has a missing value in record {row + 1}, column {x.columns[column]!r}")
    return DataSet(name, values, encode_labels([str(value) for value in y]), f"OpenML, data set {number}")
