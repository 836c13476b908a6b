"""Common wrong calculations in the exercise on contingency tables."""

from __future__ import annotations

from typing import Any

import numpy as np


def test_of_independence(test: Any) -> Any:
    """Return the chi-squared statistic of independence for the table."""
    (a, b), (c, d) = test.table
    margins = (a + b) * (c + d) * (a + c) * (b + d)
    size = a + b + c + d
    return size * np.maximum(0, np.abs(a * d - b * c) - size / 2) ** 2 / margins


def unpaired_proportions(test: Any) -> Any:
    """Return the squared z statistic of two independent proportions."""
    pooled = (test.right_a.mean() + test.right_b.mean()) / 2
    return test.difference**2 / (2 * pooled * (1 - pooled) / test.records)
