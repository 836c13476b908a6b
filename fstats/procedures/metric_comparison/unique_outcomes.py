"""Find the distinct outcomes of records, and count the records with each outcome."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.value_types import Integers

MAX_INTEGER_SPAN = 2**20  # largest range of whole numbers that are counted without sorting


def unique_with_counts(x: Any) -> tuple[Any, Integers, Integers]:
    """Return the sorted distinct entries, for each entry the index of its distinct value, and the count of each distinct value."""
    if x.dtype.kind in "iu" and len(x) and (span := int(x.max()) - (least := int(x.min()))) < MAX_INTEGER_SPAN:
        counts = np.bincount(places := x - least, minlength=span + 1)
        present = counts > 0
        return (np.flatnonzero(present) + least).astype(x.dtype), (present.cumsum() - 1)[places], counts[present]
    return np.unique(x, return_inverse=True, return_counts=True)
