"""Journal of votes to restore a poll after a crash.

A vote is written before it is counted.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from time import time
from typing import Any

MAX_AGE_HOURS = 3  # a journal that is older than this number of hours belongs to another lecture


class VoteJournal:
    """Append-only file of JSON lines; an incomplete last line is removed, and an old journal is replaced by an empty one."""

    def __init__(self, path: Path) -> None:
        self.path, self.lines = path, list[Any]()
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_file() and time() - path.stat().st_mtime > 3600 * MAX_AGE_HOURS:
            path.unlink()
        # only the owner may read the journal, because it contains secrets
        self._file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+b", buffering=0)
        data = self._file.read()
        complete = data[: data.rfind(b"\n") + 1]
        for line in complete.splitlines():
            try:
                self.lines.append(json.loads(line))
            except ValueError:  # a line may be incomplete, because the disk was full
                continue
        self._file.truncate(len(complete))
        self._file.seek(len(complete))

    def write(self, line: Any) -> None:
        """Append a line to the journal."""
        self._file.write(json.dumps(line).encode() + b"\n")

    def close(self, keep: bool = True) -> None:
        """Close the journal; delete the file unless `keep`."""
        self._file.close()
        if not keep:
            self.path.unlink(missing_ok=True)
