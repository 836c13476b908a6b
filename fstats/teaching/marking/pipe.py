"""What a process writes into a pipe, as long as that may last and as much as it may be."""

from __future__ import annotations

import os
import time
from selectors import EVENT_READ, DefaultSelector


def read_within(file: int, deadline: float, most: int) -> tuple[bytes, str]:
    """What comes from a pipe until it is closed, as long as it may last and as much as it may be."""
    parts: list[bytes] = []
    size = 0
    with DefaultSelector() as selector:
        selector.register(file, EVENT_READ)
        while (left := deadline - time.monotonic()) > 0:
            if not selector.select(left):
                continue
            part = os.read(file, 1 << 16)
            if not part:
                return b"".join(parts), ""
            parts.append(part)
            size += len(part)
            if size > most:
                return b"".join(parts)[:most], f"it delivered more than {most >> 20} MiB"
    return b"".join(parts), "it did not end in time"
