"""Clean up temporary files and processes after grading."""

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
GRACE_SECONDS = 60  # an unlocked folder that is older than this number of seconds belongs to a killed run
POLL_SECONDS = 0.5  # seconds between two checks that the process of the run still exists


@contextmanager
def temporary_run_folder() -> Iterator[None]:
    """Provide a folder for the temporary files of a run and all its workers; the folder is removed at any kind of end of the run.

    The workers are ended first.  If the run is killed, the workers remove the folder; if the run had no workers, the next run removes it.
    """
    before, known = os.environ.get("TMPDIR"), tempfile.tempdir
    _remove_stale_folders(Path(tempfile.gettempdir()))
    folder = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-"))
    folder.chmod(0o711)  # under weak isolation, submissions run as another user, who must be able to enter this folder
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
    """Remove the folders of killed runs, which are not locked."""
    for folder in place.glob(f"{PREFIX}*"):
        with suppress(OSError, FileInUseError):  # skip a folder of another user, and a folder in use
            # a new folder may not be locked yet, because a run creates its folder a moment before it locks the folder
            is_new = not (folder / LOCK_FILE).exists() and time.time() - folder.stat().st_mtime < GRACE_SECONDS
            if os.access(folder, os.W_OK) and not folder.is_symlink() and not is_new:
                FileLock(folder / LOCK_FILE).close()
                shutil.rmtree(folder, ignore_errors=True)


def exit_with_parent_run(stop: Callable[[], None]) -> None:
    """Watch, in a worker, whether its run is killed; then call `stop`, remove the folder of the run, and exit."""
    name, folder = multiprocessing.current_process().name, Path(tempfile.gettempdir())
    if name == "MainProcess" or any(thread.name == PREFIX for thread in threading.enumerate()):
        return
    # a worker of Loky reads the process ID of the run from the name of the folder, because the run may have ended already
    is_ours = name.startswith("Loky") and folder.name.startswith(PREFIX)
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
