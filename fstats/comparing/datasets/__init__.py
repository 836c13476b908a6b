"""Load data sets by name.

The sources are CSV files, scikit-learn, OpenML and generators.

from fstats import datasets

x, y = datasets.load("iris")                     # bundled
x, y = datasets.load("balance")                  # generated: equal to the published file, row by row
x, y = datasets.load("sonar", "folder/of/csv")   # from sonar.csv or sonar.csv.gz in the folder; without a folder, from OpenML

The environment variable FSTATS_DATA may name the folder.
"""

from __future__ import annotations

import os
from pathlib import Path

from ...core.validation.keyword_arguments import with_suggestions
from ...core.validation.name_suggestions import format_names_by_similarity
from .csv_datasets import dataset_path, from_csv
from .dataset import DataSet
from .generated_datasets import GENERATED
from .openml import DATA_FOLDER_VARIABLE, FILE_ONLY_DATASETS, OPENML_IDS, fetch_dataset
from .sklearn_datasets import BUNDLED

__all__ = ["DataSet", "from_csv", "load", "names"]


@with_suggestions
def load(name: str, data_dir: str | os.PathLike[str] | None = None) -> DataSet:
    """Load a data set by its name.

    Sources are tried in this order: a folder of CSV files, the data sets of scikit-learn, the generator of the data set, and OpenML through
    scikit-learn (which stores downloaded data sets).

    Parameters
    ----------
    name : str
        A name such as ``"iris"``; :func:`names` lists all names.  With a folder, also the name of any file in the folder: ``"mine"``
        for ``mine.csv`` or ``mine.csv.gz``.
    data_dir : path, optional
        A folder of CSV files: a header, numbers below it, the class in the last column.  The default is the folder in the environment
        variable FSTATS_DATA, if the variable is set; ``""`` means no folder.

    Returns
    -------
    DataSet
        ``x``, ``y``, ``source`` and ``sha256``; unpacks as ``x, y``.

    Raises
    ------
    ValueError
        If the name is unknown (the error lists the known names, the most similar names first), or if a file has missing values, text or
        a row of another length (the error names row and column).
    OSError
        If the data set is only on OpenML, and OpenML cannot be reached.

    Notes
    -----
    The order of the records matters: in another order the same seed gives other folds.  ``balance``, ``iris`` and ``wine`` have the
    rows of the UCI files in the same order; ``tic_tac_toe`` has the rows in another order.  The MONK's problems are generated as all
    432 examples of their rule; the UCI files hold a training set (with noise in the third problem) and all 432 examples.  Data sets
    with a known distribution (``twonorm``, ``ringnorm``, ``wave``) are samples drawn with a seed of this package, not the samples of
    the published files.  ``ringnorm`` follows Breiman's definition; the features in the usual file of ``ringnorm`` are about 950 times
    as large.

    Examples
    --------
    >>> load("balance", data_dir="").x[:3].tolist()
    [[1.0, 1.0, 1.0, 1.0], [1.0, 1.0, 1.0, 2.0], [1.0, 1.0, 1.0, 3.0]]
    >>> load("irs", data_dir="")
    Traceback (most recent call last):
        ...
    ValueError: there is no data set 'irs'; the nearest names are 'iris', ...
    """
    if not isinstance(name, str):
        raise TypeError(f"`name` must be the name of a data set, such as 'iris'; got {name!r}")
    folder = data_dir if data_dir is not None else os.environ.get(DATA_FOLDER_VARIABLE)
    if folder and not Path(folder).is_dir():
        raise ValueError(f"`data_dir` must be a folder of CSV files; there is no folder {str(folder)!r}")
    if folder and (path := dataset_path(name, Path(folder))):
        return from_csv(path)
    for generators in (BUNDLED, GENERATED):
        if name in generators:
            return generators[name]()
    if name in OPENML_IDS:
        return fetch_dataset(name)
    if name in FILE_ONLY_DATASETS:
        raise ValueError(
            f"data set {name!r} must be read from a file. Write data_dir=FOLDER with a folder that contains {name}.csv, or set the "
            f"environment variable {DATA_FOLDER_VARIABLE}."
        )
    raise ValueError(f"there is no data set {name!r}; {format_names_by_similarity(name, names(folder or None))}")


@with_suggestions
def names(data_dir: str | os.PathLike[str] | None = None) -> list[str]:
    """Return all names that :func:`load` accepts.

    Parameters
    ----------
    data_dir : path, optional
        A folder of CSV files; the result contains the names of these files.

    Examples
    --------
    >>> "iris" in names()
    True
    """
    folder = Path(data_dir) if data_dir is not None else None
    files = [path.name.removesuffix(".gz").removesuffix(".csv") for path in folder.glob("*.csv*")] if folder and folder.is_dir() else []
    return sorted({*BUNDLED, *GENERATED, *OPENML_IDS, *FILE_ONLY_DATASETS, *files})
