"""Lines of JSON that outlive the process which writes them: each is handed to the system before what it tells counts."""

from __future__ import annotations

import json
import os
from pathlib import Path
from time import time
from typing import Any

MAX_AGE_HOURS = 3  # after which a lecture is another one


class VoteJournal:
    """A file to which lines are only added; a last line that was torn is cut off, and what was written long ago is begun anew."""

    def __init__(self, path: Path) -> None:
        self.path, self.lines = path, list[Any]()
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_file() and time() - path.stat().st_mtime > 3600 * MAX_AGE_HOURS:
            path.unlink()
        self._file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+b", buffering=0)  # it holds what only the lecturer knows
        data = self._file.read()
        whole = data[: data.rfind(b"\n") + 1]
        for line in whole.splitlines():
            try:
                self.lines.append(json.loads(line))
            except ValueError:  # of a disk that was full: the next lines tell their own
                continue
        self._file.truncate(len(whole))
        self._file.seek(len(whole))

    def write(self, line: Any) -> None:
        """Add a line."""
        self._file.write(json.dumps(line).encode() + b"\n")

    def close(self, keep: bool = True) -> None:
        """Write no more; what need not be kept is no longer there."""
        self._file.close()
        if not keep:
            self.path.unlink(missing_ok=True)
