"""File lock that lets only one process write.

The operating system releases the lock after a crash.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import IO

# The library filelock (version 4.3) could replace this file, but fstats would depend on a third library.
# some systems do not let other processes read a locked byte, so lock a byte beyond the end of any file
LOCK_OFFSET = 2**31 - 2


class FileInUseError(ValueError):
    """Error for a file that is locked by another process."""


class FileLock:
    """Lock of a file, held from the construction of the object to :meth:`close`."""

    def __init__(self, path: Path) -> None:
        self.file: IO[bytes] = path.open("ab")
        try:
            _lock(self.file)
        except BlockingIOError:
            self.file.close()
            raise FileInUseError(
                f"{path} is in use by another computation. Wait until the computation ends, stop the computation, or name another file."
            ) from None
        except OSError:  # the file system cannot lock files, so work without a lock
            pass

    def close(self) -> None:
        """Release the lock."""
        self.file.close()


if sys.platform == "win32":  # pragma: no cover
    import msvcrt

    def _lock(file: IO[bytes]) -> None:
        file.seek(LOCK_OFFSET)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError as error:  # Windows raises a general error for a locked file
            raise BlockingIOError from error
        finally:
            file.seek(0, os.SEEK_END)

elif sys.platform == "wasi":  # Python in a web page has no other processes

    def _lock(file: IO[bytes]) -> None:
        pass

else:
    import fcntl

    def _lock(file: IO[bytes]) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
