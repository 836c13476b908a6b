"""Verbal labels of effect sizes (small, medium, large)."""

from __future__ import annotations

from typing import Any

import numpy as np

# lower limits of a small, a medium and a large effect (Cohen 1988), for means (d), differences of a proportion from 1/2 (g),
# differences of transformed proportions (h), correlations (r, and Kendall's W) and shares of variance (eta squared)
MAGNITUDES = {
    "d": (0.2, 0.5, 0.8),
    "d_z": (0.2, 0.5, 0.8),
    "h": (0.2, 0.5, 0.8),
    "g": (0.05, 0.15, 0.25),
    "r": (0.1, 0.3, 0.5),
    "W": (0.1, 0.3, 0.5),
    r"\eta^2": (0.01, 0.06, 0.14),
    r"\eta_p^2": (0.01, 0.06, 0.14),
}


def cohen_magnitude(symbol: str, size: Any) -> str:
    """Return Cohen's word for an effect of this size, in brackets; empty for kinds of effect without such words and for an infinite effect.

    >>> cohen_magnitude("W", 0.31), cohen_magnitude("d_z", -0.1), cohen_magnitude("B / A", 0.5)
    (' (medium)', ' (negligible)', '')
    """
    if symbol not in MAGNITUDES or np.isinf(size):
        return ""
    return f" ({('negligible', 'small', 'medium', 'large')[sum(abs(float(size)) >= least for least in MAGNITUDES[symbol])]})"
