"""From the folds of a cross-validation to one score for each data set."""

from __future__ import annotations

from typing import Any

import numpy as np

from .check import numbers
from .null import Array


def average_folds(scores: Any) -> Array:
    """One score for each data set: the mean over its folds.

    The folds of one cross-validation share training data and so are not independent; a test on the folds as if they were takes
    chance for evidence.  One mean for each data set is as good as independent, if the data sets are.

    Parameters
    ----------
    scores : array_like, shape (data sets, folds) or (data sets, folds, ...)
        Scores of one classifier on each fold of each data set; at least 1 fold.  Further axes are kept.

    Returns
    -------
    array, shape (data sets,) or (data sets, ...)

    Raises
    ------
    ValueError, TypeError
        For anything but a table of finite numbers.

    Examples
    --------
    >>> import fstats
    >>> fstats.average_folds([[0.75, 1.0], [0.5, 0.25]])
    array([0.875, 0.375])
    """
    table = numbers(scores, "scores")
    if table.ndim < 2 or table.shape[1] == 0:
        raise ValueError(f"scores must be a table with a row for each data set and a column for each fold; got shape {table.shape}")
    return np.asarray(table.mean(axis=1))
