"""What the analyses of variance share: a table of scores, a table of sums of squares, and tail probabilities of F, chi-squared and q."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.hypothesis import SMALLEST_POSITIVE_FLOAT
from ...core.null_distribution import NullDistribution
from ...core.validation import check
from ...core.value_types import Array, Value


def group_variances(value: Any, name: str) -> Array:
    """A variance for each classifier."""
    return check.nonnegative(check.numbers_of_min_length(2)(value, name), name)


def table_from_rows(*rows: tuple[Any, ...]) -> Array:
    """A table from its lines, whose cells are numbers or have an entry for each repetition."""
    cells = np.broadcast_arrays(*(np.asarray(cell, float) for row in rows for cell in row))
    return np.stack(cells).reshape(len(rows), -1, *cells[0].shape)


def upper_tail_probability(null: NullDistribution, statistic: Any) -> Value:
    """P(null >= statistic) of a statistic that is never negative: 1 where it is 0, and 0 only where it is infinite."""
    tail = np.clip(null.at_least(statistic), SMALLEST_POSITIVE_FLOAT, 1.0)
    return np.where(np.equal(statistic, 0), 1.0, np.where(np.isinf(statistic), 0.0, tail))[()]
