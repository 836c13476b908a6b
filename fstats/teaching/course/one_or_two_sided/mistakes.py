"""What goes wrong in words: the functions that mistakes.toml names."""

from __future__ import annotations

from typing import Any

import numpy as np

from .steps import OneAndTwoSidedT


def absolute_t(test: OneAndTwoSidedT) -> Any:
    """|t| compared in a one-sided test."""
    t, c = np.abs(test.statistic), test.one_sided_critical_value
    return np.array([t >= c, t >= c, t >= test.critical_value])
