"""A file that one run at a time writes to: the operating system holds the lock, and lets go when the process ends, however it ends."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import IO

LOCK_OFFSET = 2**31 - 2  # a byte far behind the end of any store: where locks bar others from reading, they bar them from nothing


class FileInUseError(ValueError):
    """Another run writes to the file."""


class FileLock:
    """Held from the call to :meth:`close`."""

    def __init__(self, path: Path) -> None:
        self.file: IO[bytes] = path.open("ab")
        try:
            _take(self.file)
        except BlockingIOError:
            self.file.close()
            raise FileInUseError(f"{path} is in use by another run: wait for its end, stop it, or name another file") from None
        except OSError:  # a file system that has no locks: then nobody can be kept out
            pass

    def close(self) -> None:
        """Let go."""
        self.file.close()


if sys.platform == "win32":  # pragma: no cover
    import msvcrt

    def _take(file: IO[bytes]) -> None:
        file.seek(LOCK_OFFSET)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError as error:  # the one way in which Windows says no
            raise BlockingIOError from error
        finally:
            file.seek(0, os.SEEK_END)

elif sys.platform == "wasi":  # in a page of the web site, where no other run can be

    def _take(file: IO[bytes]) -> None:
        pass

else:
    import fcntl

    def _take(file: IO[bytes]) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
