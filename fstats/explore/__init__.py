"""Explorers for notebooks: sliders on the left hand, a recomputed test on the right.

``paired_t(a, b)`` and ``signed_rank(a, b)`` show a test whose data, size, level and alternative move.
"""

from .paired_t import paired_t
from .signed_rank import signed_rank

__all__ = ["paired_t", "signed_rank"]
