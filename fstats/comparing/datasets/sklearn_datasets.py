"""Data sets that are bundled with scikit-learn."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...runtime.optional_dependencies import require_extra
from .dataset import DataSet


def _sklearn_dataset(name: str, function: str, source: str = "bundled with scikit-learn", **corrections: float) -> DataSet:
    with require_extra("sklearn", "a bundled data set"):
        from sklearn import datasets

    x, y = getattr(datasets, function)(return_X_y=True)
    x = np.array(x, np.float64)
    for place, value in corrections.items():  # "r34c3=0.2" sets row 34, column 3 to 0.2
        row, column = map(int, place[1:].split("c"))
        x[row, column] = value
    return DataSet(name, x, y.astype(np.int64), source)


def _iris() -> DataSet:
    """Load Fisher's iris data in the version of UCI with two wrong rows, because the literature uses this version."""
    errors = dict(r34c3=0.1, r37c1=3.1, r37c2=1.5)
    return _sklearn_dataset("iris", "load_iris", "bundled with scikit-learn, with the two errors of the UCI copy", **errors)


BUNDLED: dict[str, Callable[[], DataSet]] = {
    "iris": _iris,
    "wine": lambda: _sklearn_dataset("wine", "load_wine", r171c9=9.9),  # scikit-learn's copy has 9.899999 instead of 9.9
    "breast_cancer": lambda: _sklearn_dataset("breast_cancer", "load_breast_cancer"),
    "digits": lambda: _sklearn_dataset("digits", "load_digits"),
}
