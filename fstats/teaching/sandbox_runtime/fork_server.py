"""Fork server that starts isolated processes for students' code.

The server starts in a separate folder, with an `fstats` that lacks the definitions of the exercises and the judge (see
`bubblewrap_sandbox`). The server itself never reads a submission.  The server passes two open files to the forked process, which reads
requests from the first file and writes answers to the second file.  The server therefore keeps nothing of one submission for the next
submission.

    python -m fstats.teaching.sandbox_runtime.fork_server SETTINGS

SETTINGS is JSON with the isolation, the uid, the limits and the readable paths; descriptor 0 is the socket to the marker.
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

if sys.platform != "win32":  # Windows has no fcntl; it imports this module, but calls none of its functions
    import fcntl

from . import process_isolation as isolation
from .landlock import add_rules, make_ruleset, restrict_self
from .notebook_runner import preload, serve_requests
from .process_isolation import LINUX

REQUESTS, ANSWERS, RULES = 4, 3, 5  # file descriptors in the process of a submission; RULES is closed as soon as its Landlock rules apply


def serve_forks(settings: Mapping[str, Any]) -> None:
    """Import the libraries; then fork one process for each received pair of files, until the socket is closed."""
    site.setquit()  # exit() and quit() are usually defined by the module `site`, which does not run here
    site.sethelper()
    marker = socket.socket(fileno=os.dup(0))
    marker.set_inheritable(False)
    _redirect_to_devnull(0, 1)
    warnings.filterwarnings("ignore")
    preload()
    allowed = make_ruleset(settings["reads"], settings["writes"]) if settings["reads"] else -1
    isolation.drop_user(settings["uid"], settings["reads_all"])
    if LINUX:
        LINUX.prctl(1, signal.SIGKILL, 0, 0, 0)  # PR_SET_PDEATHSIG: the kernel kills the server when the marker ends
        LINUX.prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER: orphaned processes become children of the server, so that it can kill them
    isolation.set_dumpable(False)  # submissions run as the same user as the server, and must not read its memory
    settings["limits"]["room"] = isolation.address_space_used()
    gc.collect()
    gc.freeze()  # keep the garbage collector from writing into existing objects, so that forked processes share their memory
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
        is_within_memory = isolation.wait_within_memory(pid, settings["limits"]["all_memory"])
        status = isolation.exit_status(pid, settings["limits"]["cpu"], ours=settings["isolation"] == "bubblewrap")
        if settings["isolation"] != "bubblewrap":
            _kill_leftovers(pid)
        marker.send(struct.pack("i", status if is_within_memory else isolation.OUT_OF_MEMORY))


def _kill_leftovers(pid: int) -> None:
    """Kill the remaining processes that a submission started; with bubblewrap, the kernel kills these processes."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)  # macOS has no /proc, so only the process group of the submission can be killed there
    isolation.kill_descendants(os.getpid())
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _redirect_to_devnull(*descriptors: int) -> None:
    devnull = os.open(os.devnull, os.O_RDWR)
    for descriptor in descriptors:
        os.dup2(devnull, descriptor)
    os.close(devnull)


def _run_isolated(settings: Mapping[str, Any], requests: int, answers: int, allowed: int) -> NoReturn:
    """Turn the current process into the process of one submission; the function never returns."""
    alone = settings["isolation"] == "bubblewrap"
    try:
        _redirect_to_devnull(2)
        os.setsid()
        if LINUX:
            LINUX.prctl(1, signal.SIGKILL, 0, 0, 0)  # PR_SET_PDEATHSIG: the kernel kills the process of a submission when the server ends
            # without this call, root owns the files in /proc that the process must write: the OOM score and the map of the user namespace
            isolation.set_dumpable(True)
            isolation.prefer_for_oom_kill()
            isolation.set_dumpable(alone)
        if alone:
            isolation.enter_namespaces(answers, settings["limits"]["cpu"])
            isolation.mount_private_folders(settings["limits"]["disk"])
        _assign_descriptors({ANSWERS: answers, REQUESTS: requests} | ({RULES: allowed} if allowed >= 0 else {}))
        with os.fdopen(REQUESTS, "rb") as file:
            opened = json.loads(file.readline())
            os.chdir(opened["folder"])
            os.environ.update(HOME=opened["folder"], TMPDIR=opened["folder"])
            if allowed >= 0:
                add_rules(RULES, [opened["folder"]])  # the folder of this submission is the only one that becomes accessible
            isolation.set_limits({**settings["limits"], **opened["limits"]})
            if LINUX:
                isolation.drop_capabilities(settings["reads_all"], alone, lambda: restrict_self(RULES) if allowed >= 0 else None)
            os.closerange(RULES, RULES + 1)
            os.write(ANSWERS, isolation.ISOLATED)
            serve_requests(file.readline, ANSWERS, lambda: isolation.set_cpu_limit(opened["limits"]["cpu"]), isolation.block_exec_and_open)
    finally:
        os._exit(0)  # end without exit handlers and without waiting for threads; the marker notices the end by itself


def _assign_descriptors(files: Mapping[int, int]) -> None:
    """Move open files to the given descriptor numbers, and close all other files."""
    above = {number: fcntl.fcntl(file, fcntl.F_DUPFD, 64) for number, file in files.items()}
    for number, file in above.items():
        os.dup2(file, number)
    os.closerange(max(files) + 1, 4096)


if __name__ == "__main__":
    serve_forks(json.loads(sys.argv[1]))
