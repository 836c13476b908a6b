"""Analysis of variance (ANOVA) table."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.hypothesis import SMALLEST_POSITIVE_FLOAT
from ...core.null_distribution import NullDistribution
from ...core.validation import check
from ...core.value_types import Array, Value


def group_variances(value: Any, name: str) -> Array:
    """Return the checked variances, one for each classifier."""
    return check.nonnegative(check.numbers_of_min_length(2)(value, name), name)


def table_from_rows(*rows: tuple[Any, ...]) -> Array:
    """Return a table of the given rows; a cell is a number, or an array with one entry for each repetition."""
    cells = np.broadcast_arrays(*(np.asarray(cell, float) for row in rows for cell in row))
    return np.stack(cells).reshape(len(rows), -1, *cells[0].shape)


def upper_tail_probability(null: NullDistribution, statistic: Any) -> Value:
    """Return P(null >= statistic) for a nonnegative statistic: 1 if the statistic is 0, and 0 only if the statistic is infinite."""
    tail = np.clip(null.at_least(statistic), SMALLEST_POSITIVE_FLOAT, 1.0)
    return np.where(np.equal(statistic, 0), 1.0, np.where(np.isinf(statistic), 0.0, tail))[()]
