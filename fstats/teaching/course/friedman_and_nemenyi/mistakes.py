"""Common wrong calculations in the exercise on Friedman's test."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....procedures.multiple.iman_davenport import ImanDavenport


def no_rank_left_out(test: ImanDavenport) -> Any:
    """Return ranks in which no rank is left out after a tie."""
    return np.array([1.0 + (np.unique(line)[:, None] > line).sum(0) for line in test.scores])
