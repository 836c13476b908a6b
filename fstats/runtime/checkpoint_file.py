"""A file that keeps what is done of a long work: a line of JSON for each unit, taken up again after a crash."""

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

NAMED = 5  # names that an error tells before it only counts them
DIGESTS = (32, 40, 64)  # how many digits a digest has
BEGINS = b'{"about": '
EVERY = 1.0  # seconds between two moments at which what is written is forced onto the disk


class Store:
    """A file that keeps units: what it was made from, then a line for each unit that is done.  It is locked until it is closed."""

    def __init__(
        self, path: str | os.PathLike[str], about: Mapping[str, Any], names: Sequence[str] | None = None, grows: Sequence[str] = ()
    ) -> None:
        """Where units have lasting names, those parts of `about` that are called in `grows` may get more entries than they had."""
        self.path, self.names, self.grows = Path(path), names, grows
        self.found: dict[int, Any] = {}
        self.forced = monotonic()
        self.file: IO[bytes] | None = None
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.lock = FileLock(self.path)
        try:
            self._open(about)
        except BaseException:
            self.close()
            raise

    def _open(self, about: Mapping[str, Any]) -> None:
        """Read what is there already, or begin."""
        text = self.path.read_bytes()
        whole = text[: text.rfind(b"\n") + 1]  # a killed run may have left half a line behind
        first, *lines = self._read(whole) or [{"about": about} if BEGINS.startswith(text[: len(BEGINS)]) else {}]
        at_first = first.get("about") if isinstance(first, dict) else None
        grown = self._compare(next((line["grown"] for line in reversed(lines) if "grown" in line), at_first), about)
        if whole != text:  # and it is a store
            with self.path.open("r+b") as file:
                file.truncate(len(whole))
        if not whole:
            self._write({"about": about} | _circumstances())
            return
        place_of = {name: number for number, name in enumerate(self.names or ())}
        kept = [(line["unit"], line["result"]) for line in lines if "unit" in line]
        if grown and any(isinstance(unit, int) for unit, _ in kept):
            raise ValueError(f"{self.path} was begun before stores could grow: name another file for more models or data sets")
        numbered = ((unit if isinstance(unit, int) else place_of.get(unit), result) for unit, result in kept)
        self.found = {number: result for number, result in numbered if number is not None}
        if len(self.found) < about["units"]:
            self._write(({"grown": about} if grown else {"resumed": len(self.found)}) | _circumstances())

    def close(self) -> None:
        """Let others write; what was kept is on the disk."""
        if self.file is not None:
            self._force()
            self.file.close()
            self.file = None
        self.lock.close()

    def add(self, number: int, result: Any) -> None:
        """Keep a unit: a run that is killed after this has lost nothing; a power cut loses a second's work at most."""
        self._write({"unit": number if self.names is None else self.names[number], "result": result})

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

    def _compare(self, there: Any, about: Mapping[str, Any]) -> bool:
        """Whether there is more to do than the store was made for; an error if it was made for something else."""
        if not isinstance(there, dict):
            raise ValueError(f"{self.path} is no store: its first line does not tell what it was made from; name another file")
        if other := list(_differing(there, about)):
            if self.grows:  # then how many units there are follows from the names
                other = [one for one in other if not one.startswith("units is ")] or other
            same = {key: {name: about[key][name] for name in there.get(key, ()) if name in about[key]} for key in self.grows}
            if self.grows and not list(_differing(there, {**about, **same, "units": there.get("units")})):
                return True
            raise ValueError(
                f"{self.path} was made by other arguments: {'; '.join(other)}.  Name another file, or delete this one if it is not needed"
            )
        return False


def versions_in(path: str | os.PathLike[str]) -> list[dict[str, str]]:
    """The different versions with which a store was filled, in order."""
    lines = (json.loads(line) for line in Path(path).read_bytes().splitlines())
    found = [line["versions"] for line in lines if isinstance(line, dict) and "versions" in line]
    return [one for k, one in enumerate(found) if one not in found[:k]]


def _differing(there: Mapping[str, Any], here: Mapping[str, Any], of: str = "") -> Iterator[str]:
    """Where two descriptions differ, in words: what only one of them has is named, and what is told by a digest is not shown."""
    for where, one, other in (("there", there, here), ("here", here, there)):
        if keys := [key for key in one if key not in other]:
            yield f"{of + ': ' if of else ''}{_in_short(keys)} {where} only"
    unlike = []
    for key in (key for key in there if key in here):
        old, new = there[key], here[key]
        if isinstance(old, dict) and isinstance(new, dict):
            yield from _differing(old, new, key)
        elif old != new and of and _is_digest(old) and _is_digest(new):
            unlike.append(key)
        elif old != new:
            yield f"{key} is {old!r} there and {new!r} here"
    if unlike:
        yield f"{of}: {_in_short(unlike)} {'is another' if len(unlike) == 1 else 'are others'} here"


def _in_short(names: Sequence[str]) -> str:
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return ", ".join(map(str, names[:NAMED])) + more


def _is_digest(told: Any) -> bool:
    return isinstance(told, str) and len(told) in DIGESTS and set(told) <= set(hexdigits)


def _circumstances() -> dict[str, Any]:
    """When, by what command and with which versions."""
    return {
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
        "command": sys.argv,
        "versions": versions("numpy", "scipy", *(["scikit-learn"] if "sklearn" in sys.modules else [])),
    }
