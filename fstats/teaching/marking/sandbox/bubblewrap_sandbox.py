"""Sandbox based on bubblewrap.

Weaker isolation is used only if the lecturer allows it.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ...sandbox_runtime.landlock import landlock_version
from ...sandbox_runtime.process_isolation import ISOLATED, OUT_OF_MEMORY, OUT_OF_TIME, PRIVATE_FOLDER, kill_descendants
from .allow_list import FSTATS_ENTRIES, PACKAGE, allowed_paths, python_executable, resolve_symlinks, standard_library, third_party_libraries
from .notebook_session import DEADLINE_MESSAGE, Limits, ProcessEnded, run_job
from .process_pipes import EXIT_SECONDS, PipedProcess

# /dev/zero is left out, because memory mapped from it would not count towards the memory limit of a process
DEVICES = ("null", "full", "random", "urandom")
START_SECONDS = 120  # maximum seconds for a worker to import its libraries, even on a slow machine
UIDS = 60_000, 5_000  # first user ID and number of user IDs for submissions; no real user has these IDs


class SandboxUnavailable(RuntimeError):
    """Error if the requested isolation is not available or leaks files; the message says what to do."""


class BubblewrapSandbox:
    """An isolated worker that performs one run after the other; the worker is restarted if a run cannot be ended in another way.

    Parameters
    ----------
    limits : Limits
        Resource limits of a run.
    isolation : str
        "bubblewrap" or "weak".
    """

    def __init__(self, limits: Limits, isolation: str = "bubblewrap") -> None:
        if isolation == "bubblewrap" and not find_bubblewrap():
            raise SandboxUnavailable("bubblewrap is not installed")
        if not hasattr(os, "fork"):
            raise SandboxUnavailable("the weaker isolation needs Linux or macOS, because another system cannot fork a process")
        self.limits, self.isolation = limits, isolation
        self.uid = UIDS[0] + os.getpid() % UIDS[1] if os.geteuid() == 0 else 0
        if isolation == "weak" and not landlock_version() and not self.uid:
            raise SandboxUnavailable("the weaker isolation needs Landlock, a part of Linux 5.13 or later that blocks access to files")
        # without Landlock, the user of the worker cannot read the folder of the package, so the package is copied
        self._copies = isolation == "weak" and not landlock_version()
        self._folder = tempfile.TemporaryDirectory(prefix="marking-", ignore_cleanup_errors=True)
        self._process: subprocess.Popen[bytes] | None = None
        self._socket: socket.socket
        self._running = 0  # process ID of the submission that runs in the worker; 0 if none runs
        try:
            self._make_root_folder()
            self._start()
        except OSError as error:
            self.close()
            raise SandboxUnavailable(f"the isolation ({isolation}) does not start: {error}") from None
        except SandboxUnavailable:
            self.close()
            raise

    def close(self) -> None:
        """Kill the worker and all processes in it."""
        self._stop()
        self._folder.cleanup()

    # -- one run -------------------------------------------------------------------------------------------------------
    def run(self, job: Mapping[str, Any]) -> bytes:
        """Run the notebook of a job with :func:`run_job`, and return its output unchanged."""
        return run_job(job, self.begin, self.limits)

    @contextmanager
    def begin(self, times: Mapping[str, float]) -> Iterator[PipedProcess]:
        """Provide a fresh process in which no code of a submission has run."""
        strong = self.isolation == "bubblewrap"
        with tempfile.TemporaryDirectory(dir=self._folder.name + "/own", ignore_cleanup_errors=True) as own:
            if self.uid and not strong:
                os.chown(own, self.uid, self.uid)
            opened = {"folder": PRIVATE_FOLDER if strong else own, "limits": dict(times)}
            with self._forked() as process:
                reply = b""
                with suppress(ProcessEnded):
                    reply = process.ask(json.dumps(opened).encode() + b"\n", time.monotonic() + START_SECONDS)
                if reply + b"\n" != ISOLATED:
                    raise SandboxUnavailable(f"the isolation ({self.isolation}) failed for a submission, and the submission was not run")
                yield process

    @contextmanager
    def _forked(self) -> Iterator[PipedProcess]:
        """Provide a fork of the worker; start the worker first if it does not run or has ended."""
        for _ in range(2):
            if self._process is None:
                self._start()
            theirs, requests = os.pipe()
            answers, ours = os.pipe()
            try:
                socket.send_fds(self._socket, [b"job"], [theirs, ours])
                self._running = struct.unpack("i", self._socket.recv(4))[0]
            except (OSError, struct.error):
                self._stop()
                os.close(requests)
                os.close(answers)
                continue
            finally:
                os.close(theirs)
                os.close(ours)
            process = PipedProcess(requests, answers, self.limits.output << 20, self._end)
            try:
                yield process
            finally:
                process.close()
            return
        raise SandboxUnavailable(f"the worker process ({self.isolation}) ends without a message at each attempt to run code")

    def _end(self, by_itself: bool) -> str:
        """Wait for the end of the process, or kill it; return why it ended (empty if it ended by itself in time)."""
        if not self._running:
            return ""
        if not by_itself:
            self._running = 0 if self.isolation == "bubblewrap" else self._running
            self._stop()
            self._running = 0
            return ""
        self._socket.settimeout(EXIT_SECONDS)
        status, self._running = self._receive(4), 0
        if len(status) != 4:
            self._stop()
            return DEADLINE_MESSAGE
        (code,) = struct.unpack("i", status)
        if code == OUT_OF_TIME:
            return "the code used more computing time than a cell may use"
        if code == OUT_OF_MEMORY:
            return f"its processes took more than {self.limits.all_memory} MiB of memory together"
        number = code - 128  # if positive, number of the signal that ended the process
        return f"the system ended it (signal {number}: {_signal(number)})" if number > 0 else "its process ended itself"

    def _receive(self, most: int) -> bytes:
        """Return the next message of the worker; empty if the worker has ended, or sends nothing for too long."""
        with suppress(OSError):
            return self._socket.recv(most)
        return b""

    # -- the worker ------------------------------------------------------------------------------------------------------
    def _make_root_folder(self) -> None:
        """Create a folder with links to Python, the libraries and the visible part of `fstats`.

        The links keep every module in a folder without other files.
        """
        house = Path(self._folder.name)
        house.chmod(0o755)
        ours = {f"fstats/{entry.rstrip('/')}": PACKAGE / entry for entry in FSTATS_ENTRIES}
        links = {} if self._copies else ours
        for name, path in ours.items() if self._copies else ():
            (house / name).parent.mkdir(parents=True, exist_ok=True)
            (shutil.copytree if path.is_dir() else shutil.copy2)(path, house / name)
        for folder, files in (("python", standard_library()), ("libraries", third_party_libraries())):
            links |= {f"{folder}/{name}": path for name, path in files.items()}
        for name, path in links.items():
            (house / name).parent.mkdir(parents=True, exist_ok=True)
            (house / name).symlink_to(path)
        (house / "matplotlib").mkdir()
        (house / "own").mkdir()
        (house / "own").chmod(0o711)
        # copy matplotlib's list of fonts, because matplotlib would otherwise search for fonts, which is slow
        for fonts in Path.home().glob(".cache/matplotlib/fontlist-*.json"):
            shutil.copy2(fonts, house / "matplotlib")

    def _start(self) -> None:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET if sys.platform == "linux" else socket.SOCK_STREAM)
        strong = self.isolation == "bubblewrap"
        house = "/house" if strong else self._folder.name
        links, ends = resolve_symlinks(allowed_paths())
        visible = [str(path) for path in ends]
        own = {(PACKAGE / entry).resolve() for entry in FSTATS_ENTRIES} if self._copies else set[Path]()
        settings = {
            "isolation": self.isolation,
            "uid": self.uid,
            "reads_all": bool(self.uid) and not strong and not all(_is_world_accessible(path) for path in ends if path not in own),
            "reads": [] if strong or not landlock_version() else [*visible, house],
            "writes": [] if strong else [f"/dev/{device}" for device in DEVICES],
            "limits": asdict(self.limits),
        }
        environment = {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "LANG": "C.UTF-8", "MPLBACKEND": "Agg", "PYTHONHASHSEED": "0"}
        environment |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        environment["MPLCONFIGDIR"] = f"{PRIVATE_FOLDER if strong else house}/matplotlib"
        environment["PYTHONPATH"] = os.pathsep.join([house, f"{house}/python", f"{house}/python/lib-dynload", f"{house}/libraries"])
        # -S: the module `site` would add library folders of a virtual environment or of the user
        options = ["-B", "-P", "-s", "-S", "-m", "fstats.teaching.sandbox_runtime.fork_server"]
        worker = [str(python_executable()), *options, json.dumps(settings)]
        command = [*self._bubblewrap_command(links, visible), *worker] if strong else worker
        with tempfile.TemporaryFile() as errors:
            self._process = subprocess.Popen(
                command, stdin=theirs.fileno(), stdout=subprocess.DEVNULL, stderr=errors, env=environment, cwd="/", start_new_session=True
            )
            theirs.close()
            self._socket = ours
            ours.settimeout(START_SECONDS)
            if self._receive(5) != b"ready":
                self._stop()
                errors.seek(0)
                why = errors.read()[-500:].decode(errors="replace").strip().splitlines() or ["the worker process gives no reason"]
                raise SandboxUnavailable(f"the worker process ({self.isolation}) does not start: {why[-1]}")

    def _stop(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            self._socket.close()
            if self.isolation == "weak":
                kill_descendants(process.pid)
            # if bubblewrap is used, the kernel kills all processes in the sandbox when the worker ends
            for group in filter(None, [process.pid, self._running if self.isolation == "weak" else 0]):
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(group, signal.SIGKILL)
            process.wait()

    def _bubblewrap_command(self, links: Mapping[Path, str], visible: list[str]) -> list[str]:
        """Return the command line of bubblewrap: all visible paths are read-only, and the namespaces are private."""
        command = [find_bubblewrap(), "--die-with-parent", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts"]
        command += ["--unshare-cgroup-try", "--hostname", "worker"]
        # if it runs as root, bubblewrap can read all folders; the worker drops the capabilities of root later
        as_root = ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
        command += as_root if os.geteuid() == 0 else ["--unshare-user"]
        for parent in dict.fromkeys(parent for path in (*map(Path, visible), *links) for parent in [*reversed(path.parents)][1:]):
            # create the parent folders, so that every user in the sandbox can enter them, whatever their permissions outside are
            command += ["--dir", str(parent)]
        for path in visible:
            command += ["--ro-bind", path, path]
        for link, to in links.items():
            command += ["--symlink", to, str(link)]
        command += ["--ro-bind", self._folder.name, "/house", "--tmpfs", "/dev", "--tmpfs", PRIVATE_FOLDER]
        # make /tmp a link to the writable folder, unless /tmp contains Python or a library
        if not any(path.is_relative_to("/tmp") for path in (*map(Path, visible), *links)):
            command += ["--symlink", PRIVATE_FOLDER, "/tmp"]
        for device in DEVICES:
            command += ["--dev-bind", f"/dev/{device}", f"/dev/{device}"]
        for fonts in Path(self._folder.name).glob("matplotlib/*.json"):
            command += ["--ro-bind", str(fonts), f"{PRIVATE_FOLDER}/matplotlib/{fonts.name}"]
        command += ["--dir", "/dev/shm", "--remount-ro", "/dev", "--proc", "/proc", "--remount-ro", "/", "--chdir", "/", "--"]
        return command


def find_bubblewrap() -> str:
    """Return the path of bubblewrap; empty if bubblewrap is not installed."""
    return shutil.which("bwrap") or "" if sys.platform == "linux" else ""


def _signal(number: int) -> str:
    """Return the description of a signal, or "without a name" or "unknown" if there is none."""
    try:
        return signal.strsignal(number) or "without a name"
    except ValueError:
        return "unknown"


def _is_world_accessible(path: Path) -> bool:
    """Return whether every user may enter the folders above a path."""
    return all(folder.stat().st_mode & 0o001 for folder in path.resolve().parents)
