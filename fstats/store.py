"""A file that keeps what is done of a long work: a line of JSON for each unit, taken up again after a crash."""

from __future__ import annotations

import json
import os
import platform
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from time import monotonic
from typing import IO, Any

from .lock import Lock

EVERY = 1.0  # seconds between two moments at which what is written is forced onto the disk


class Store:
    """A file that keeps units: what it was made from, then a line for each unit that is done.  It is locked until it is closed."""

    def __init__(self, path: str | os.PathLike[str], about: Mapping[str, Any]) -> None:
        self.path = Path(path)
        self.found: dict[int, Any] = {}
        self.forced = monotonic()
        self.file: IO[bytes] | None = None
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.lock = Lock(self.path)
        try:
            self._open(about)
        except BaseException:
            self.close()
            raise

    def _open(self, about: Mapping[str, Any]) -> None:
        """Read what is there already, or begin."""
        text = self.path.read_bytes()
        whole = text[: text.rfind(b"\n") + 1]  # a killed run may have left half a line behind
        if whole != text:
            with self.path.open("r+b") as file:
                file.truncate(len(whole))
        if not whole:
            self._write({"about": about} | _circumstances())
            return
        first, *lines = self._read(whole)
        self._compare(first, about)
        self.found = {line["unit"]: line["result"] for line in lines if "unit" in line}
        if len(self.found) < about["units"]:
            self._write({"resumed": len(self.found)} | _circumstances())

    def close(self) -> None:
        """Let others write; what was kept is on the disk."""
        if self.file is not None:
            self._force()
            self.file.close()
            self.file = None
        self.lock.close()

    def add(self, number: int, result: Any) -> None:
        """Keep a unit: a run that is killed after this has lost nothing; a power cut loses a second's work at most."""
        self._write({"unit": number, "result": result})

    def _write(self, line: Mapping[str, Any]) -> None:
        if self.file is None:
            self.file = self.path.open("ab")
        self.file.write(json.dumps(line).encode() + b"\n")
        self.file.flush()
        if monotonic() - self.forced >= EVERY:
            self._force()

    def _force(self) -> None:
        if self.file is not None:
            os.fsync(self.file.fileno())
            self.forced = monotonic()

    def _read(self, text: bytes) -> list[dict[str, Any]]:
        lines = []
        for number, line in enumerate(text.splitlines(), 1):
            try:
                lines.append(json.loads(line))
            except ValueError as error:
                raise ValueError(f"{self.path}: line {number} is no line of a store ({error}): name another file") from None
        return lines

    def _compare(self, first: Any, about: Mapping[str, Any]) -> None:
        there = first.get("about") if isinstance(first, dict) else None
        if not isinstance(there, dict):
            raise ValueError(f"{self.path} is no store: its first line does not tell what it was made from; name another file")
        if other := _differing(there, about):
            raise ValueError(
                f"{self.path} was made by other arguments: {'; '.join(other)}.  Name another file, or delete this one if it is not needed"
            )


def _differing(there: Mapping[str, Any], here: Mapping[str, Any]) -> list[str]:
    """Where two descriptions differ, in words."""
    found: list[str] = []
    for key in {**there, **here}:
        old, new = there.get(key), here.get(key)
        if isinstance(old, dict) and isinstance(new, dict):
            found += _differing(old, new)
        elif old != new:
            found.append(f"{key} is {old!r} there and {new!r} here")
    return found


def _circumstances() -> dict[str, Any]:
    """When, by what command and with which versions."""
    versions = {name: version(name) for name in ("fstats", "numpy", "scipy")}
    return {
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
        "command": sys.argv,
        "versions": {"python": platform.python_version(), **versions},
    }
