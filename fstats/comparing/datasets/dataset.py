"""Class for a data set with features and class labels."""

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
    """Records with their classes and their source; unpacks as ``x, y``.

    Parameters
    ----------
    name : str
        Name of the data set.
    x : array
        Features, shape (records, features).
    y : array of int
        Class of each record.
    source : str
        Description of the source.

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
        """Checksum of shape, features and classes in the given order of records; the checksum identifies the data of a result."""
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


def encode_labels(labels: list[str]) -> NDArray[np.int64]:
    """Return whole numbers unchanged; number other labels in alphabetical order."""
    try:
        values = np.array([float(label) for label in labels])
        if (values == np.rint(values)).all():
            return values.astype(np.int64)
    except ValueError:
        pass
    return np.unique(labels, return_inverse=True)[1].astype(np.int64)
