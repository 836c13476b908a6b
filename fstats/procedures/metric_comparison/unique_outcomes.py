"""Which outcomes are different, and how often each comes."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.value_types import Integers

MAX_INTEGER_SPAN = 2**20  # of whole numbers that are counted in their places


def unique_with_counts(x: Any) -> tuple[Any, Integers, Integers]:
    """The different entries in order, which of them each entry is, and how often each comes; whole numbers near each other unsorted."""
    if x.dtype.kind in "iu" and len(x) and (span := int(x.max()) - (least := int(x.min()))) < MAX_INTEGER_SPAN:
        counts = np.bincount(places := x - least, minlength=span + 1)
        there = counts > 0
        return (np.flatnonzero(there) + least).astype(x.dtype), (there.cumsum() - 1)[places], counts[there]
    return np.unique(x, return_inverse=True, return_counts=True)
