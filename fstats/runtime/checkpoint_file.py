"""Checkpoint files to resume interrupted computations.

A file has one line of JSON for each finished unit.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from string import hexdigits
from time import monotonic
from typing import IO, Any

from .file_lock import FileLock
from .library_versions import versions

MAX_NAMES = 5  # maximum number of names that an error message lists
DIGEST_LENGTHS = (32, 40, 64)
FIRST_BYTES = b'{"about": '
SYNC_SECONDS = 1.0  # minimum time in seconds between two calls of fsync


class CheckpointFile:
    """A checkpoint file: the arguments of the computation, then a line for each finished unit; the file is locked until it is closed."""

    def __init__(
        self, path: str | os.PathLike[str], about: Mapping[str, Any], names: Sequence[str] | None = None, grows: Sequence[str] = ()
    ) -> None:
        """Open or create the file; `about` holds the arguments of the computation.

        If units have `names`, the parts of `about` that are listed in `grows` may get further entries in a later run.
        """
        self.path, self.names, self.grows = Path(path), names, grows
        self.results: dict[int, Any] = {}
        self.last_sync = monotonic()
        self.file: IO[bytes] | None = None
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.lock = FileLock(self.path)
        try:
            self._open(about)
        except BaseException:
            self.close()
            raise

    def _open(self, about: Mapping[str, Any]) -> None:
        """Read the finished units of an existing file, or write the first line of a new one."""
        text = self.path.read_bytes()
        complete = text[: text.rfind(b"\n") + 1]  # a process that was killed leaves an incomplete last line
        first, *lines = self._read(complete) or [{"about": about} if FIRST_BYTES.startswith(text[: len(FIRST_BYTES)]) else {}]
        first_about = first.get("about") if isinstance(first, dict) else None
        grown = self._compare(next((line["grown"] for line in reversed(lines) if "grown" in line), first_about), about)
        # the other lines have shown that this is a checkpoint file, so the incomplete line can be removed
        if complete != text:
            with self.path.open("r+b") as file:
                file.truncate(len(complete))
        if not complete:
            self._write({"about": about} | _run_details())
            return
        number_of = {name: number for number, name in enumerate(self.names or ())}
        units = [(line["unit"], line["result"]) for line in lines if "unit" in line]
        if grown and any(isinstance(unit, int) for unit, _ in units):
            raise ValueError(f"{self.path} has an old format, which cannot store more models or data sets. Name another file.")
        numbered = ((unit if isinstance(unit, int) else number_of.get(unit), result) for unit, result in units)
        self.results = {number: result for number, result in numbered if number is not None}
        if len(self.results) < about["units"]:
            self._write(({"grown": about} if grown else {"resumed": len(self.results)}) | _run_details())

    def close(self) -> None:
        """Force all lines onto the disk, close the file and release the lock."""
        if self.file is not None:
            self._sync()
            self.file.close()
            self.file = None
        self.lock.close()

    def add(self, number: int, result: Any) -> None:
        """Write a finished unit; a run that is killed later loses no finished unit, a power cut loses at most the work of a second."""
        self._write({"unit": number if self.names is None else self.names[number], "result": result})

    def _write(self, line: Mapping[str, Any]) -> None:
        if self.file is None:
            self.file = self.path.open("ab")
        self.file.write(json.dumps(line).encode() + b"\n")
        self.file.flush()
        if monotonic() - self.last_sync >= SYNC_SECONDS:
            self._sync()

    def _sync(self) -> None:
        if self.file is not None:
            os.fsync(self.file.fileno())
            self.last_sync = monotonic()

    def _read(self, text: bytes) -> list[dict[str, Any]]:
        lines = []
        for number, line in enumerate(text.splitlines(), 1):
            try:
                lines.append(json.loads(line))
            except ValueError as error:
                raise ValueError(f"line {number} of {self.path} is not a line of a checkpoint file ({error}). Name another file.") from None
        return lines

    def _compare(self, stored: Any, about: Mapping[str, Any]) -> bool:
        """Return whether this run has more units than the stored run; raise an error if other arguments differ."""
        if not isinstance(stored, dict):
            raise ValueError(
                f"the first line of the checkpoint file {self.path} must contain the arguments of a computation. Name another file."
            )
        if differences := list(_differences(stored, about)):
            # different models or data sets also change the number of units, so do not report this number
            if self.grows:
                differences = [text for text in differences if not text.startswith("units is ")] or differences
            same = {key: {name: about[key][name] for name in stored.get(key, ()) if name in about[key]} for key in self.grows}
            if self.grows and not list(_differences(stored, {**about, **same, "units": stored.get("units")})):
                return True
            raise ValueError(
                f"the checkpoint file {self.path} was written for other arguments: {'; '.join(differences)}. Name another file, or delete "
                f"{self.path.name}."
            )
        return False


def versions_in(path: str | os.PathLike[str]) -> list[dict[str, str]]:
    """Return the different library versions with which a checkpoint file was written, in order."""
    lines = (json.loads(line) for line in Path(path).read_bytes().splitlines())
    all_versions = [line["versions"] for line in lines if isinstance(line, dict) and "versions" in line]
    return [entry for k, entry in enumerate(all_versions) if entry not in all_versions[:k]]


def _differences(stored: Mapping[str, Any], current: Mapping[str, Any], part: str = "") -> Iterator[str]:
    """Yield the differences between stored and current arguments in words; a digest is not shown."""
    for where, about, other in (("in the file", stored, current), ("in this call", current, stored)):
        if keys := [key for key in about if key not in other]:
            yield f"{part + ': ' if part else ''}{_first_names(keys)} {where} only"
    changed_digests = []
    for key in (key for key in stored if key in current):
        old, new = stored[key], current[key]
        if isinstance(old, dict) and isinstance(new, dict):
            yield from _differences(old, new, key)
        elif old != new and part and _is_digest(old) and _is_digest(new):
            changed_digests.append(key)
        elif old != new:
            yield f"{key} is {old!r} in the file and {new!r} in this call"
    if changed_digests:
        yield f"{part}: other values of {_first_names(changed_digests)} in this call"


def _first_names(names: Sequence[str]) -> str:
    more = f" and {len(names) - MAX_NAMES} more" if len(names) > MAX_NAMES else ""
    return ", ".join(map(str, names[:MAX_NAMES])) + more


def _is_digest(value: Any) -> bool:
    return isinstance(value, str) and len(value) in DIGEST_LENGTHS and set(value) <= set(hexdigits)


def _run_details() -> dict[str, Any]:
    """Return time, command and library versions of this run."""
    return {
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
        "command": sys.argv,
        "versions": versions("numpy", "scipy", *(["scikit-learn"] if "sklearn" in sys.modules else [])),
    }
