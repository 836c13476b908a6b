"""Encode integers as short text."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray


def encode_integers(numbers: ArrayLike) -> dict[str, Any]:
    """Encode an array of whole numbers as text.

    >>> decode_integers(encode_integers([[1, -2], [3, 4]])).tolist()
    [[1, -2], [3, 4]]
    """
    x = np.asarray(numbers)
    if x.dtype.kind not in "iu":
        raise TypeError(f"the numbers must be whole numbers; got numbers of type {x.dtype}")
    return {"shape": list(x.shape), "zlib": base64.b64encode(zlib.compress(x.astype("<i8").tobytes(), 9)).decode()}


def decode_integers(encoded: Mapping[str, Any]) -> NDArray[np.int64]:
    """Decode an array that :func:`encode_integers` has encoded."""
    numbers = np.frombuffer(zlib.decompress(base64.b64decode(encoded["zlib"])), "<i8")
    return numbers.reshape(encoded["shape"]).astype(np.int64)
