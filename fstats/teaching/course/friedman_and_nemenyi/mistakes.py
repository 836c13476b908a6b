"""What goes wrong in words: the functions that mistakes.toml names."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....procedures.multiple.iman_davenport import ImanDavenport


def no_rank_left_out(test: ImanDavenport) -> Any:
    """No rank left out behind a tie."""
    return np.array([1.0 + (np.unique(line)[:, None] > line).sum(0) for line in test.scores])
