"""Pack test decisions into text.

There is one bit for each data set.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def pack_bits(bits: NDArray[np.bool]) -> str:
    """Pack booleans into hexadecimal digits, the first data set in the highest bit."""
    return np.packbits(bits).tobytes().hex()


def unpack_bits(text: str, count: int) -> NDArray[np.bool]:
    """Unpack the booleans that :func:`pack_bits` has packed.

    >>> unpack_bits(pack_bits(np.array([True, False, True])), 3).tolist()
    [True, False, True]
    """
    return np.unpackbits(np.frombuffer(bytes.fromhex(text), np.uint8), count=count).astype(bool)
