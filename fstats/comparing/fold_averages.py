"""Mean scores over cross-validation folds."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.validation.check import numbers
from ..core.validation.keyword_arguments import with_suggestions
from ..core.validation.pandas_labels import FOLDS, data_set_levels, repetition_columns


@with_suggestions
def average_folds(scores: Any) -> Any:
    """Average the scores over the folds of each data set.

    The folds of one cross-validation share training data, so folds are not independent.  A test that treats folds as independent takes
    random variation for evidence.  The means of different data sets are practically independent, if the data sets are independent.

    Parameters
    ----------
    scores : array_like, shape (data sets, folds) or (data sets, folds, ...)
        Scores of one classifier on each fold of each data set; at least 1 fold.  Further axes are kept.
        Alternatively, a pandas Series or DataFrame with a row for each fold: its index holds data sets, or data sets and folds as named
        levels.  A column with numbers of folds or seeds ("fold", "seed", ...) is ignored.  Data sets may have different numbers of
        folds.

    Returns
    -------
    array, shape (data sets,) or (data sets, ...)
        For a pandas object with repeated data sets, the result is an object of the same kind with a row for each data set, in order of
        first appearance.

    Raises
    ------
    ValueError, TypeError
        If the scores are not a table of finite numbers.

    References
    ----------
    Demsar (2006), Statistical comparisons of classifiers over multiple data sets, JMLR 7, section 3.  Course slides T7, slide
    "Consideration about data collections", solution b.

    Examples
    --------
    >>> import fstats
    >>> fstats.average_folds([[0.75, 1.0], [0.5, 0.25]])
    array([0.875, 0.375])
    >>> import pandas as pd
    >>> fstats.average_folds(pd.Series([0.75, 1.0, 0.5], index=["iris", "iris", "wine"])).to_dict()
    {'iris': 0.875, 'wine': 0.5}
    """
    index: Any = getattr(scores, "index", None)
    if hasattr(index, "nlevels") and (index.nlevels > 1 or not index.is_unique):
        levels, numbering = data_set_levels(index), repetition_columns(scores)
        values = scores.drop(columns=numbering) if numbering else scores
        numbers(values, "scores")
        return values.groupby(level=levels, sort=False).mean()
    if named := [column for column in getattr(scores, "columns", ()) if isinstance(column, str) and not column.lower().startswith(FOLDS)]:
        raise ValueError(
            f"`scores` must have a row or a column for each fold; got one row for each data set and the column {named[0]!r}. If the "
            "columns are folds, pass scores.to_numpy(). If the columns are classifiers, nothing must be averaged."
        )
    table = numbers(scores, "scores")
    if table.ndim < 2 or table.shape[1] == 0:
        raise ValueError(f"`scores` must be a table with a row for each data set and a column for each fold; got shape {table.shape}")
    return np.asarray(table.mean(axis=1))
