"""Journal of a poll: a file of JSON lines that survives a crash; each line is written before it takes effect."""

from __future__ import annotations

import json
import os
from pathlib import Path
from time import time
from typing import Any

MAX_AGE_HOURS = 3  # an older journal belongs to another lecture


class VoteJournal:
    """Append-only file of JSON lines; an incomplete last line is removed, and an old journal is started anew."""

    def __init__(self, path: Path) -> None:
        self.path, self.lines = path, list[Any]()
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_file() and time() - path.stat().st_mtime > 3600 * MAX_AGE_HOURS:
            path.unlink()
        self._file = os.fdopen(
            os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+b", buffering=0
        )  # only the lecturer may read it: it contains secrets
        data = self._file.read()
        complete = data[: data.rfind(b"\n") + 1]
        for line in complete.splitlines():
            try:
                self.lines.append(json.loads(line))
            except ValueError:  # written on a full disk: skip the line and read on
                continue
        self._file.truncate(len(complete))
        self._file.seek(len(complete))

    def write(self, line: Any) -> None:
        """Append a line."""
        self._file.write(json.dumps(line).encode() + b"\n")

    def close(self, keep: bool = True) -> None:
        """Close the journal; delete the file unless `keep`."""
        self._file.close()
        if not keep:
            self.path.unlink(missing_ok=True)
