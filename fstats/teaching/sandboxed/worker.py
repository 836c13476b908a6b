"""The other side: imports the libraries once, then forks for each submission a process that keeps itself apart and runs the cells.

It stands in a folder of its own, in an `fstats` without the exercises' definitions and the judge, and is started by `sandbox`.
Up to `run_cells` it is our code only.  The process that forks never sees a submission: it passes on two open files, from which
the fork reads what to run and into which it writes what comes back; so nothing of one submission is left for the next.

    python -m fstats.teaching.sandboxed.worker SETTINGS    as JSON: isolation, uid, limits, libraries; descriptor 0 is the socket to the
    marker
"""

from __future__ import annotations

import gc
import json
import os
import signal
import socket
import struct
import sys
import warnings
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, NoReturn

from .isolation import (
    ISOLATED,
    LINUX,
    OUT_OF_MEMORY,
    give_up_rights,
    goes_first,
    how_it_ended,
    kill_descendants,
    limited,
    lower_user,
    own_folders,
    own_namespaces,
    room,
    visible,
    wait_within_memory,
)
from .running import preload, run_cells


def serve(settings: Mapping[str, Any]) -> None:
    """Import, then fork for each pair of files that comes, one after the other, until the socket is closed."""
    marker = socket.socket(fileno=os.dup(0))
    marker.set_inheritable(False)
    _nothing_to_read_or_say(0, 1)
    warnings.filterwarnings("ignore")
    preload()
    lower_user(settings["uid"], settings["reads"])
    if LINUX:
        LINUX.prctl(1, signal.SIGKILL, 0, 0, 0)  # PR_SET_PDEATHSIG: it lives no longer than the marker does
        LINUX.prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER: whoever loses his parent is ours, and can be found
    visible(False)  # to nobody: what runs later under the same user cannot look into this memory
    settings["limits"]["room"] = room()
    gc.collect()
    gc.freeze()  # the forks share these pages as long as nobody writes into them
    marker.send(b"ready")
    while True:
        message, files, _, _ = socket.recv_fds(marker, 16, 2)
        if not message or len(files) != 2:
            return
        pid = os.fork()
        if not pid:
            marker.close()
            _isolated(settings, *files)
        marker.send(struct.pack("i", pid))
        for file in files:
            os.close(file)
        within = wait_within_memory(pid, settings["limits"]["all_memory"])
        ended = how_it_ended(pid, settings["limits"]["cpu"], ours=settings["isolation"] == "bubblewrap")
        if settings["isolation"] != "bubblewrap":
            _nothing_is_left(pid)
        marker.send(struct.pack("i", ended if within else OUT_OF_MEMORY))


def _nothing_is_left(pid: int) -> None:
    """End what a submission started and left; behind bubblewrap the kernel does."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)  # all that macOS lets us find
    kill_descendants(os.getpid())
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _nothing_to_read_or_say(*descriptors: int) -> None:
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in descriptors:
        os.dup2(nothing, descriptor)
    os.close(nothing)


def _isolated(settings: Mapping[str, Any], task: int, result: int) -> NoReturn:
    """Become the process of one submission; it never returns."""
    try:
        _nothing_to_read_or_say(2)
        os.setsid()
        if LINUX:
            LINUX.prctl(1, signal.SIGKILL, 0, 0, 0)  # and the submission no longer than the worker
            visible(True)  # or the files in /proc by which it goes first, and a user namespace is made, would be root's
            goes_first()
            visible(settings["isolation"] == "bubblewrap")
        if settings["isolation"] == "bubblewrap":
            own_namespaces(result, settings["limits"]["cpu"])
            own_folders(settings["limits"]["disk"])
        with os.fdopen(task, encoding="utf-8") as file:
            job = json.load(file)
        os.dup2(result, 3)
        os.closerange(4, 4096)
        os.chdir(job["folder"])
        os.environ.update(HOME=job["folder"], TMPDIR=job["folder"])
        limited(settings["limits"])
        if LINUX:
            give_up_rights(settings["reads"], alone=settings["isolation"] == "bubblewrap")
        os.write(3, ISOLATED)
    except BaseException:
        os._exit(1)  # without that word, so that the marker knows
    try:
        run_cells(job, 3)
    finally:
        os._exit(0)  # no handlers at exit, no waiting for threads


if __name__ == "__main__":
    serve(json.loads(sys.argv[1]))
