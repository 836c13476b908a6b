"""Functions that compute steps of the exercise on type I errors."""

from __future__ import annotations

from typing import Any

import numpy as np


def rounded_repetitions(test: Any) -> Any:
    """Return the number of repetitions without floating-point noise."""
    return np.round(np.float64(test.alpha * (1 - test.alpha) / test.wanted**2), 6)
