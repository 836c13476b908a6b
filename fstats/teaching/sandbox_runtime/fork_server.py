"""Imports the libraries once, then forks for each run a process that keeps itself apart and does what the marker asks it for.

It stands in a folder of its own, in an `fstats` without the exercises' definitions and the judge, and is started by `sandbox`.
The process that forks never sees a submission: it passes on two open files, from which the fork reads what to do and into which it
writes what comes of it; so nothing of one submission is left for the next.

    python -m fstats.teaching.sandbox_runtime.fork_server SETTINGS

SETTINGS is JSON: isolation, uid, limits, what may be read; descriptor 0 is the socket to the marker.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import site
import socket
import struct
import sys
import warnings
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, NoReturn

if sys.platform != "win32":  # where nothing of this runs; but the names are read there, too
    import fcntl

from .landlock import add_rules, make_ruleset, restrict_self
from .notebook_runner import preload, serve_requests
from .process_isolation import (
    ISOLATED,
    LINUX,
    OUT_OF_MEMORY,
    address_space_used,
    block_exec_and_open,
    drop_capabilities,
    drop_user,
    enter_namespaces,
    exit_status,
    kill_descendants,
    mount_private_folders,
    prefer_for_oom_kill,
    set_cpu_limit,
    set_dumpable,
    set_limits,
    wait_within_memory,
)

REQUESTS, ANSWERS, RULES = 4, 3, 5  # the descriptors of a submission's process, until the last one is obeyed


def serve_forks(settings: Mapping[str, Any]) -> None:
    """Import, then fork for each pair of files that comes, one after the other, until the socket is closed."""
    site.setquit()  # which, without the module `site`, nobody does
    site.sethelper()
    marker = socket.socket(fileno=os.dup(0))
    marker.set_inheritable(False)
    _redirect_to_devnull(0, 1)
    warnings.filterwarnings("ignore")
    preload()
    allowed = make_ruleset(settings["reads"], settings["writes"]) if settings["reads"] else -1
    drop_user(settings["uid"], settings["reads_all"])
    if LINUX:
        LINUX.prctl(1, signal.SIGKILL, 0, 0, 0)  # PR_SET_PDEATHSIG: it lives no longer than the marker does
        LINUX.prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER: whoever loses his parent is ours, and can be found
    set_dumpable(False)  # to nobody: what runs later under the same user cannot look into this memory
    settings["limits"]["room"] = address_space_used()
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
            _run_isolated(settings, files[0], files[1], allowed)
        marker.send(struct.pack("i", pid))
        for file in files:
            os.close(file)
        within = wait_within_memory(pid, settings["limits"]["all_memory"])
        ended = exit_status(pid, settings["limits"]["cpu"], ours=settings["isolation"] == "bubblewrap")
        if settings["isolation"] != "bubblewrap":
            _kill_leftovers(pid)
        marker.send(struct.pack("i", ended if within else OUT_OF_MEMORY))


def _kill_leftovers(pid: int) -> None:
    """End what a submission started and left; behind bubblewrap the kernel does."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)  # all that macOS lets us find
    kill_descendants(os.getpid())
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _redirect_to_devnull(*descriptors: int) -> None:
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in descriptors:
        os.dup2(nothing, descriptor)
    os.close(nothing)


def _run_isolated(settings: Mapping[str, Any], requests: int, answers: int, allowed: int) -> NoReturn:
    """Become the process of one submission; it never returns."""
    alone = settings["isolation"] == "bubblewrap"
    try:
        _redirect_to_devnull(2)
        os.setsid()
        if LINUX:
            LINUX.prctl(1, signal.SIGKILL, 0, 0, 0)  # and the submission no longer than the worker
            set_dumpable(True)  # or the files in /proc by which it goes first, and a user namespace is made, would be root's
            prefer_for_oom_kill()
            set_dumpable(alone)
        if alone:
            enter_namespaces(answers, settings["limits"]["cpu"])
            mount_private_folders(settings["limits"]["disk"])
        _assign_descriptors({ANSWERS: answers, REQUESTS: requests} | ({RULES: allowed} if allowed >= 0 else {}))
        with os.fdopen(REQUESTS, "rb") as file:
            opened = json.loads(file.readline())
            os.chdir(opened["folder"])
            os.environ.update(HOME=opened["folder"], TMPDIR=opened["folder"])
            if allowed >= 0:
                add_rules(RULES, [opened["folder"]])  # and no other submission's
            set_limits({**settings["limits"], **opened["limits"]})
            if LINUX:
                drop_capabilities(settings["reads_all"], alone, lambda: restrict_self(RULES) if allowed >= 0 else None)
            os.closerange(RULES, RULES + 1)
            os.write(ANSWERS, ISOLATED)
            serve_requests(file.readline, _write_all, lambda: set_cpu_limit(opened["limits"]["cpu"]), block_exec_and_open)
    finally:
        os._exit(0)  # without that word the marker knows; no handlers at exit, no waiting for threads


def _assign_descriptors(files: Mapping[int, int]) -> None:
    """Give open files these numbers, and close all others."""
    above = {number: fcntl.fcntl(file, fcntl.F_DUPFD, 64) for number, file in files.items()}
    for number, file in above.items():
        os.dup2(file, number)
    os.closerange(max(files) + 1, 4096)


def _write_all(line: bytes) -> None:
    while line:
        line = line[os.write(ANSWERS, line) :]


if __name__ == "__main__":
    serve_forks(json.loads(sys.argv[1]))
