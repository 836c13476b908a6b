"""How a student's process is kept apart: by bubblewrap, or by weaker means where a lecturer allows them."""

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

DEVICES = ("null", "full", "random", "urandom")  # not zero: what is mapped of it is memory that no limit of a process counts
START_SECONDS = 120  # seconds that a worker may take to import its libraries, on any machine
UIDS = 60_000, 5_000  # where nobody lives


class SandboxUnavailable(RuntimeError):
    """There is no isolation of the kind that was asked for; the message says what to do."""


class BubblewrapSandbox:
    """A worker that is kept apart; it does one run after the other, and is started again where one could not be ended otherwise.

    Parameters
    ----------
    limits : Limits
        What a run may use.
    isolation : str
        "bubblewrap" or "weak".
    """

    def __init__(self, limits: Limits, isolation: str = "bubblewrap") -> None:
        if isolation == "bubblewrap" and not find_bubblewrap():
            raise SandboxUnavailable("bubblewrap is not installed")
        if not hasattr(os, "fork"):
            raise SandboxUnavailable("the weaker means need Linux or macOS: this system cannot fork a process")
        self.limits, self.isolation = limits, isolation
        self.uid = UIDS[0] + os.getpid() % UIDS[1] if os.geteuid() == 0 else 0
        if isolation == "weak" and not landlock_version() and not self.uid:
            raise SandboxUnavailable("the weaker means need Landlock, by which Linux keeps a process from files (from 5.13 on)")
        self._copies = isolation == "weak" and not landlock_version()  # then other users' rights keep it from where the package lies
        self._folder = tempfile.TemporaryDirectory(prefix="marking-", ignore_cleanup_errors=True)
        self._process: subprocess.Popen[bytes] | None = None
        self._socket: socket.socket
        self._running = 0  # the process of the submission that runs, as the worker counts processes
        try:
            self._lay_out()
            self._start()
        except OSError as error:
            self.close()
            raise SandboxUnavailable(f"{isolation}: {error}") from None
        except SandboxUnavailable:
            self.close()
            raise

    def close(self) -> None:
        """End the worker, and whatever still runs in it."""
        self._stop()
        self._folder.cleanup()

    # -- one run -------------------------------------------------------------------------------------------------------
    def run(self, job: Mapping[str, Any]) -> bytes:
        """Run the notebook of a job, as :func:`run_job` has it; what comes of it is returned as it came."""
        return run_job(job, self.begin, self.limits)

    @contextmanager
    def begin(self, times: Mapping[str, float]) -> Iterator[PipedProcess]:
        """A fresh process in which nothing of a submission has run."""
        strong = self.isolation == "bubblewrap"
        with tempfile.TemporaryDirectory(dir=self._folder.name + "/own", ignore_cleanup_errors=True) as own:
            if self.uid and not strong:
                os.chown(own, self.uid, self.uid)
            opened = {"folder": PRIVATE_FOLDER if strong else own, "limits": dict(times)}
            with self._forked() as guest:
                said = b""
                with suppress(ProcessEnded):
                    said = guest.ask(json.dumps(opened).encode() + b"\n", time.monotonic() + START_SECONDS)
                if said + b"\n" != ISOLATED:
                    raise SandboxUnavailable(f"the isolation ({self.isolation}) failed for a submission, which was not run")
                yield guest

    @contextmanager
    def _forked(self) -> Iterator[PipedProcess]:
        """A fork of the worker, which is started again if it has ended."""
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
            guest = PipedProcess(requests, answers, self.limits.output << 20, self._end)
            try:
                yield guest
            finally:
                guest.close()
            return
        raise SandboxUnavailable(f"the worker ({self.isolation}) ends whenever it is to run something, and says nothing")

    def _end(self, by_itself: bool) -> str:
        """Wait for the end of the process, or end it; why it ended, in words, and nothing if it need not have."""
        if not self._running:
            return ""
        if not by_itself:
            self._running = 0 if self.isolation == "bubblewrap" else self._running
            self._stop()
            self._running = 0
            return ""
        self._socket.settimeout(EXIT_SECONDS)
        told, self._running = self._said(4), 0
        if len(told) != 4:
            self._stop()
            return DEADLINE_MESSAGE
        (code,) = struct.unpack("i", told)
        if code == OUT_OF_TIME:
            return "it used more computing time than a cell may"
        if code == OUT_OF_MEMORY:
            return f"its processes took more than {self.limits.all_memory} MiB of memory together"
        by = code - 128  # if it is a signal; any other status says nothing
        return f"the system ended it (signal {by}: {_signal(by)})" if by > 0 else "its process ended itself"

    def _said(self, most: int) -> bytes:
        """What the worker says; nothing if it has ended, or is silent too long."""
        with suppress(OSError):
            return self._socket.recv(most)
        return b""

    # -- the worker ------------------------------------------------------------------------------------------------------
    def _lay_out(self) -> None:
        """A folder with links to Python, the libraries and the part of `fstats` that students' code may see.

        The links give every module a place beside which nothing else lies.
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
        for fonts in Path.home().glob(".cache/matplotlib/fontlist-*.json"):  # or matplotlib looks for fonts, which takes long
            shutil.copy2(fonts, house / "matplotlib")

    def _start(self) -> None:
        mine, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET if sys.platform == "linux" else socket.SOCK_STREAM)
        strong = self.isolation == "bubblewrap"
        house = "/house" if strong else self._folder.name
        links, ends = resolve_symlinks(allowed_paths())
        seen = [str(path) for path in ends]
        own = {(PACKAGE / entry).resolve() for entry in FSTATS_ENTRIES} if self._copies else set[Path]()
        settings = {
            "isolation": self.isolation,
            "uid": self.uid,
            "reads_all": bool(self.uid) and not strong and not all(_is_world_accessible(path) for path in ends if path not in own),
            "reads": [] if strong or not landlock_version() else [*seen, house],
            "writes": [] if strong else [f"/dev/{device}" for device in DEVICES],
            "limits": asdict(self.limits),
        }
        environment = {
            "PATH": "/usr/bin:/bin",
            "HOME": "/nonexistent",
            "LANG": "C.UTF-8",
            "MPLBACKEND": "Agg",
            "MPLCONFIGDIR": f"{PRIVATE_FOLDER}/matplotlib" if strong else f"{house}/matplotlib",
            "OMP_NUM_THREADS": "1",
            "OPENBLAS_NUM_THREADS": "1",
            "PYTHONHASHSEED": "0",
            "PYTHONPATH": os.pathsep.join([house, f"{house}/python", f"{house}/python/lib-dynload", f"{house}/libraries"]),
        }
        # without `site`, which would add the folders that a virtual environment, or the user, has for libraries
        worker = [
            str(python_executable()),
            "-B",
            "-P",
            "-s",
            "-S",
            "-m",
            "fstats.teaching.sandbox_runtime.fork_server",
            json.dumps(settings),
        ]
        command = [*self._walls(links, seen), *worker] if strong else worker
        with tempfile.TemporaryFile() as said:
            self._process = subprocess.Popen(
                command, stdin=theirs.fileno(), stdout=subprocess.DEVNULL, stderr=said, env=environment, cwd="/", start_new_session=True
            )
            theirs.close()
            self._socket = mine
            mine.settimeout(START_SECONDS)
            if self._said(5) != b"ready":
                self._stop()
                said.seek(0)
                why = said.read()[-500:].decode(errors="replace").strip().splitlines() or ["it says nothing"]
                raise SandboxUnavailable(f"the worker ({self.isolation}) does not start: {why[-1]}")

    def _stop(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            self._socket.close()
            if self.isolation == "weak":
                kill_descendants(process.pid)
            for group in filter(None, [process.pid, self._running if self.isolation == "weak" else 0]):  # bubblewrap ends what is inside
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(group, signal.SIGKILL)
            process.wait()

    def _walls(self, links: Mapping[Path, str], seen: list[str]) -> list[str]:
        """The command line of bubblewrap: what can be seen, all of it read-only, and what is a world of its own."""
        words = [find_bubblewrap(), "--die-with-parent", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts"]
        words += ["--unshare-cgroup-try", "--hostname", "worker"]
        by_root = ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]  # whose rights find the folders
        words += by_root if os.geteuid() == 0 else ["--unshare-user"]  # the worker then gives them up
        for parent in dict.fromkeys(parent for path in (*map(Path, seen), *links) for parent in [*reversed(path.parents)][1:]):
            words += ["--dir", str(parent)]  # which everybody may enter here, whoever may enter it outside
        for path in seen:
            words += ["--ro-bind", path, path]
        for link, to in links.items():
            words += ["--symlink", to, str(link)]
        words += ["--ro-bind", self._folder.name, "/house", "--tmpfs", "/dev", "--tmpfs", PRIVATE_FOLDER]
        if not any(path.is_relative_to("/tmp") for path in (*map(Path, seen), *links)):  # or it holds this Python, and can be read only
            words += ["--symlink", PRIVATE_FOLDER, "/tmp"]
        for device in DEVICES:
            words += ["--dev-bind", f"/dev/{device}", f"/dev/{device}"]
        for fonts in Path(self._folder.name).glob("matplotlib/*.json"):
            words += ["--ro-bind", str(fonts), f"{PRIVATE_FOLDER}/matplotlib/{fonts.name}"]
        words += ["--dir", "/dev/shm", "--remount-ro", "/dev", "--proc", "/proc", "--remount-ro", "/", "--chdir", "/", "--"]
        return words


def find_bubblewrap() -> str:
    """Where bubblewrap is; empty if it is not there."""
    return shutil.which("bwrap") or "" if sys.platform == "linux" else ""


def _signal(number: int) -> str:
    """A signal in words; some have none, and some no system has."""
    try:
        return signal.strsignal(number) or "without a name"
    except ValueError:
        return "unknown"


def _is_world_accessible(path: Path) -> bool:
    """Whether everybody may enter a folder, and those around it."""
    return all(folder.stat().st_mode & 0o001 for folder in path.resolve().parents)
