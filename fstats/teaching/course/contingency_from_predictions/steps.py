"""Functions that compute steps of the exercise on contingency tables."""

from __future__ import annotations

from typing import Any

import numpy as np


def is_a_right(test: Any) -> Any:
    """Return for each record whether A is right, as True or False instead of 1 or 0."""
    return test.pred_a == test.y_true


def is_b_right(test: Any) -> Any:
    """Return for each record whether B is right."""
    return test.pred_b == test.y_true


def count_outcomes(test: Any) -> Any:
    """Return the contingency table as numbers that are not whole-number types, like any other table of the package."""
    a, b = test.right_a, test.right_b
    return np.array([[(i & j).sum() for j in (~b, b)] for i in (~a, a)], float)
