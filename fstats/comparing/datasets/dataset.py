"""What a data set is."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.value_types import Array


@dataclass(frozen=True, eq=False)
class DataSet:
    """Records with their classes, and where they come from; unpacks as ``x, y``.

    Parameters
    ----------
    name : str
        Its name.
    x : array
        Features, shape (records, features).
    y : array of int
        Class of each record.
    source : str
        Where it comes from, in words.

    Examples
    --------
    >>> from fstats.comparing.datasets import load
    >>> data = load("iris", data_dir="")
    >>> data
    iris: 150 records, 4 features, 3 classes; bundled with scikit-learn, with the two errors of the UCI copy
    >>> x, y = data
    >>> x.shape, data.sha256[:8]
    ((150, 4), 'afa5868d')
    """

    name: str
    x: Array
    y: NDArray[np.int64]
    source: str

    @property
    def sha256(self) -> str:
        """Checksum of shape, features and classes, in this order of the records: what a result was computed from."""
        shape = np.array(self.x.shape, "<i8")
        parts = (shape, np.ascontiguousarray(self.x, "<f8"), np.ascontiguousarray(self.y, "<i8"))
        return hashlib.sha256(b"".join(part.tobytes() for part in parts)).hexdigest()

    def __iter__(self) -> Iterator[Any]:
        return iter((self.x, self.y))

    def __len__(self) -> int:
        return len(self.y)

    def __repr__(self) -> str:
        records, features = self.x.shape
        return f"{self.name}: {records} records, {features} features, {len(np.unique(self.y))} classes; {self.source}"


def encode_labels(words: list[str]) -> NDArray[np.int64]:
    """Whole numbers as they are, other names numbered in alphabetical order."""
    try:
        values = np.array([float(word) for word in words])
        if (values == np.rint(values)).all():
            return values.astype(np.int64)
    except ValueError:
        pass
    return np.unique(words, return_inverse=True)[1].astype(np.int64)
