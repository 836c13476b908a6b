"""Functions for mistakes whose formula is in words; mistakes.toml contains the names of these functions."""

from __future__ import annotations

from typing import Any

import numpy as np

from .steps import OneAndTwoSidedT


def absolute_t(test: OneAndTwoSidedT) -> Any:
    """Return the verdicts if |t| is compared with the one-sided critical value."""
    t, c = np.abs(test.statistic), test.one_sided_critical_value
    return np.array([t >= c, t >= c, t >= test.critical_value])
