"""Functions that compute steps of the exercise on Holm's correction."""

from __future__ import annotations

from typing import Any

import numpy as np


def rejected_up_to_here(test: Any) -> Any:
    """Return whether this hypothesis and all hypotheses with smaller p-values are rejected."""
    return np.logical_and.accumulate(test.sorted_pvalues <= test.thresholds)
