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

from ...sandbox_runtime.landlock import version as landlock
from ...sandbox_runtime.process_isolation import ISOLATED, OUT_OF_MEMORY, OUT_OF_TIME, OWN, kill_descendants
from .allow_list import OF_FSTATS, PACKAGE, everything, of_libraries, of_python, python, resolved
from .notebook_session import LATE, Gone, Limits, delivered_by
from .process_pipes import ENDING, PipedGuest

DEVICES = ("null", "full", "random", "urandom")  # not zero: what is mapped of it is memory that no limit of a process counts
STARTING = 120  # seconds that a worker may take to import its libraries, on any machine
UIDS = 60_000, 5_000  # where nobody lives


class SandboxUnavailable(RuntimeError):
    """There is no isolation of the kind that was asked for; the message says what to do."""


class Sandbox:
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
        if isolation == "weak" and not landlock() and not self.uid:
            raise SandboxUnavailable("the weaker means need Landlock, by which Linux keeps a process from files (from 5.13 on)")
        self._copies = isolation == "weak" and not landlock()  # then other users' rights keep it from where the package lies
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
        """Run the notebook of a job, as :func:`delivered_by` has it; what comes of it is returned as it came."""
        return delivered_by(job, self.begin, self.limits)

    @contextmanager
    def begin(self, times: Mapping[str, float]) -> Iterator[PipedGuest]:
        """A fresh process in which nothing of a submission has run."""
        strong = self.isolation == "bubblewrap"
        with tempfile.TemporaryDirectory(dir=self._folder.name + "/own", ignore_cleanup_errors=True) as own:
            if self.uid and not strong:
                os.chown(own, self.uid, self.uid)
            opened = {"folder": OWN if strong else own, "limits": dict(times)}
            with self._forked() as guest:
                said = b""
                with suppress(Gone):
                    said = guest.ask(json.dumps(opened).encode() + b"\n", time.monotonic() + STARTING)
                if said + b"\n" != ISOLATED:
                    raise SandboxUnavailable(f"the isolation ({self.isolation}) failed for a submission, which was not run")
                yield guest

    @contextmanager
    def _forked(self) -> Iterator[PipedGuest]:
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
            guest = PipedGuest(requests, answers, self.limits.output << 20, self._end)
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
        self._socket.settimeout(ENDING)
        told, self._running = self._said(4), 0
        if len(told) != 4:
            self._stop()
            return LATE
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
        ours = {f"fstats/{entry.rstrip('/')}": PACKAGE / entry for entry in OF_FSTATS}
        links = {} if self._copies else ours
        for name, path in ours.items() if self._copies else ():
            (house / name).parent.mkdir(parents=True, exist_ok=True)
            (shutil.copytree if path.is_dir() else shutil.copy2)(path, house / name)
        for folder, files in (("python", of_python()), ("libraries", of_libraries())):
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
        links, ends = resolved(everything())
        seen = [str(path) for path in ends]
        own = {(PACKAGE / entry).resolve() for entry in OF_FSTATS} if self._copies else set[Path]()
        settings = {
            "isolation": self.isolation,
            "uid": self.uid,
            "reads_all": bool(self.uid) and not strong and not all(_is_open(path) for path in ends if path not in own),
            "reads": [] if strong or not landlock() else [*seen, house],
            "writes": [] if strong else [f"/dev/{device}" for device in DEVICES],
            "limits": asdict(self.limits),
        }
        environment = {
            "PATH": "/usr/bin:/bin",
            "HOME": "/nonexistent",
            "LANG": "C.UTF-8",
            "MPLBACKEND": "Agg",
            "MPLCONFIGDIR": f"{OWN}/matplotlib" if strong else f"{house}/matplotlib",
            "OMP_NUM_THREADS": "1",
            "OPENBLAS_NUM_THREADS": "1",
            "PYTHONHASHSEED": "0",
            "PYTHONPATH": os.pathsep.join([house, f"{house}/python", f"{house}/python/lib-dynload", f"{house}/libraries"]),
        }
        # without `site`, which would add the folders that a virtual environment, or the user, has for libraries
        worker = [str(python()), "-B", "-P", "-s", "-S", "-m", "fstats.teaching.sandbox_runtime.fork_server", json.dumps(settings)]
        command = [*self._walls(links, seen), *worker] if strong else worker
        with tempfile.TemporaryFile() as said:
            self._process = subprocess.Popen(
                command, stdin=theirs.fileno(), stdout=subprocess.DEVNULL, stderr=said, env=environment, cwd="/", start_new_session=True
            )
            theirs.close()
            self._socket = mine
            mine.settimeout(STARTING)
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
        words += ["--ro-bind", self._folder.name, "/house", "--tmpfs", "/dev", "--tmpfs", OWN]
        if not any(path.is_relative_to("/tmp") for path in (*map(Path, seen), *links)):  # or it holds this Python, and can be read only
            words += ["--symlink", OWN, "/tmp"]
        for device in DEVICES:
            words += ["--dev-bind", f"/dev/{device}", f"/dev/{device}"]
        for fonts in Path(self._folder.name).glob("matplotlib/*.json"):
            words += ["--ro-bind", str(fonts), f"{OWN}/matplotlib/{fonts.name}"]
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


def _is_open(path: Path) -> bool:
    """Whether everybody may enter a folder, and those around it."""
    return all(folder.stat().st_mode & 0o001 for folder in path.resolve().parents)
