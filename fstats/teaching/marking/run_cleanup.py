"""Nothing is left behind: one folder for all temporary files of a run, and workers that end when nobody waits for them any more."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ...runtime.file_lock import FileInUseError, FileLock
from ...runtime.parallel_tasks import end_workers

PREFIX, LOCK_FILE = "grading-", "in_use"
GRACE_SECONDS = 60  # seconds after which a folder that nobody holds is nobody's
POLL_SECONDS = 0.5  # seconds from one look to the next, whether the run is still there


@contextmanager
def temporary_run_folder() -> Iterator[None]:
    """A folder for the temporary files of a run, and of all its workers; whatever ends the run, it goes.

    The workers are ended first.  Where the run itself was killed, they see to the folder; where it had none, the next run does.
    """
    before, known = os.environ.get("TMPDIR"), tempfile.tempdir
    _remove_stale_folders(Path(tempfile.gettempdir()))
    folder = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-"))
    folder.chmod(0o711)  # by weaker means a submission runs under another user, whose own folder lies in it
    held = FileLock(folder / LOCK_FILE)
    os.environ["TMPDIR"] = tempfile.tempdir = str(folder)
    try:
        yield
    finally:
        end_workers()
        tempfile.tempdir = known
        os.environ.pop("TMPDIR")
        os.environ |= {"TMPDIR": before} if before else {}
        held.close()
        shutil.rmtree(folder, ignore_errors=True)


def _remove_stale_folders(place: Path) -> None:
    """Remove the folders of runs that were killed: nobody holds them."""
    for folder in place.glob(f"{PREFIX}*"):
        with suppress(OSError, FileInUseError):  # somebody else's, or in use
            is_new = (
                not (folder / LOCK_FILE).exists() and time.time() - folder.stat().st_mtime < GRACE_SECONDS
            )  # its run is about to hold it
            if os.access(folder, os.W_OK) and not folder.is_symlink() and not is_new:
                FileLock(folder / LOCK_FILE).close()
                shutil.rmtree(folder, ignore_errors=True)


def exit_with_parent_run(stop: Callable[[], None]) -> None:
    """In a worker: when the run that started it has been killed, stop what it started, remove the folder of the run, and end."""
    name, folder = multiprocessing.current_process().name, Path(tempfile.gettempdir())
    if name == "MainProcess" or any(one.name == PREFIX for one in threading.enumerate()):
        return
    is_ours = name.startswith("Loky") and folder.name.startswith(PREFIX)  # started by the run itself, which may be dead already
    run = int(folder.name.split("-")[1]) if is_ours else os.getppid()

    def look() -> None:
        while os.getppid() == run:
            time.sleep(POLL_SECONDS)
        with suppress(Exception):
            stop()
        if folder.name.startswith(PREFIX):
            shutil.rmtree(folder, ignore_errors=True)
        os._exit(1)

    threading.Thread(target=look, name=PREFIX, daemon=True).start()
