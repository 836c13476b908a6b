"""Common wrong calculations in the exercise on one-sided tests."""

from __future__ import annotations

from typing import Any

import numpy as np


def absolute_t(test: Any) -> Any:
    """Return the verdicts if |t| is compared with the one-sided critical value."""
    t, c = np.abs(test.statistic), test.one_sided_critical_value
    return np.array([t >= c, t >= c, t >= test.critical_value])
