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
from contextlib import suppress
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from selectors import EVENT_READ, DefaultSelector
from typing import Any, NamedTuple

from ..sandboxed.isolation import ISOLATED, OUT_OF_MEMORY, OUT_OF_TIME, OWN, kill_descendants

PACKAGE = Path(__file__).parents[2]
LEFT_OUT = ("course", "grading", "marking", "shelf", "shelf.py", "build.py", "cli.py", "lab.py")  # of fstats, where students' code runs
SYSTEM = ("/usr/lib", "/usr/lib64", "/usr/share/zoneinfo", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/localtime")
DEVICES = ("null", "full", "random", "urandom")  # not zero: what is mapped of it is memory that no limit of a process counts
STARTING = 120  # seconds that a worker may take to import its libraries, on any machine
UIDS = 60_000, 5_000  # where nobody lives


class NotIsolated(RuntimeError):
    """There is no isolation of the kind that was asked for; the message says what to do."""


@dataclass(frozen=True)
class Limits:
    """What one run of a submission may use."""

    cpu: float = 10  # seconds of computing, of each process
    wall: float = 20  # seconds until the run is ended, whatever it waits for
    memory: int = 512  # MiB, of each process, beyond what the libraries take
    all_memory: int = 1024  # MiB, of all its processes, beyond what each has from the start
    disk: int = 16  # MiB of temporary files, and the size of one file
    files: int = 64  # open at the same time
    processes: int = 8  # at the same time, threads included
    output: int = 4  # MiB that may be delivered


class Ran(NamedTuple):
    """What came back from one run: bytes that nobody has looked at yet, and why it ended early."""

    output: bytes
    ended: str


class Sandbox:
    """A worker that is kept apart; it runs one job after the other, and is started again where one could not be ended otherwise.

    Parameters
    ----------
    limits : Limits
        What a run may use.
    isolation : str
        "bubblewrap" or "weak".
    """

    def __init__(self, limits: Limits, isolation: str = "bubblewrap") -> None:
        if isolation == "bubblewrap" and not find_bubblewrap():
            raise NotIsolated("bubblewrap is not installed")
        if not hasattr(os, "fork"):
            raise NotIsolated("the weaker means need Linux or macOS: this system cannot fork a process")
        self.limits, self.isolation = limits, isolation
        self.uid = UIDS[0] + os.getpid() % UIDS[1] if os.geteuid() == 0 else 0
        self._folder = tempfile.TemporaryDirectory(prefix="marking-", ignore_cleanup_errors=True)
        self._process: subprocess.Popen[bytes] | None = None
        self._socket: socket.socket
        self._running = 0  # the process of the submission that runs, as the worker counts processes
        self._lay_out()
        try:
            self._start()
        except NotIsolated:
            self.close()
            raise

    def close(self) -> None:
        """End the worker, and whatever still runs in it."""
        self._stop()
        self._folder.cleanup()

    # -- one run -------------------------------------------------------------------------------------------------------
    def run(self, job: Mapping[str, Any]) -> Ran:
        """Run the cells of a job; what they deliver is returned as it came."""
        for _ in range(2):
            if self._process is None:
                self._start()
            with tempfile.TemporaryDirectory(prefix="submission-", ignore_cleanup_errors=True) as own, tempfile.TemporaryFile() as file:
                if self.isolation == "weak" and self.uid:
                    os.chown(own, self.uid, self.uid)
                file.write(json.dumps({**job, "folder": OWN if self.isolation == "bubblewrap" else own}).encode())
                file.seek(0)
                found = self._passed_on(file.fileno(), time.monotonic() + self.limits.wall)
            if found is not None:
                return found
        raise NotIsolated(f"the worker ({self.isolation}) ends whenever it is to run something, and says nothing")

    def _passed_on(self, job: int, deadline: float) -> Ran | None:
        """Hand a job to the worker and wait for its end; None if the worker had ended before it came to that."""
        result, theirs = os.pipe()
        with os.fdopen(result, "rb", buffering=0) as answers:
            try:
                socket.send_fds(self._socket, [b"job"], [job, theirs])
                self._running = struct.unpack("i", self._socket.recv(4))[0]
            except (OSError, struct.error):
                self._stop()
                return None
            finally:
                os.close(theirs)
            output, ended = _read_within(answers.fileno(), deadline, self.limits.output << 20)
        if ended:
            self._stop()
        ended = ended or self._status(deadline)
        if not ended and not output.startswith(ISOLATED):
            raise NotIsolated(f"the isolation ({self.isolation}) failed for a submission, which was not run")
        return Ran(output.removeprefix(ISOLATED), ended)

    def _status(self, deadline: float) -> str:
        """Why a run ended early, in words; empty if it did not."""
        self._socket.settimeout(max(0.01, deadline - time.monotonic()))
        if len(told := self._said(4)) != 4:
            self._stop()
            return "it did not end in time"
        self._running = 0
        (code,) = struct.unpack("i", told)
        if code == OUT_OF_TIME:
            return f"it used more than {self.limits.cpu:g} seconds of computing time"
        if code == OUT_OF_MEMORY:
            return f"its processes took more than {self.limits.all_memory} MiB of memory together"
        by = code - 128  # if it is a signal; any other status says nothing that the output does not
        return f"the system ended it (signal {by}: {_signal(by)})" if by > 0 else ""

    def _said(self, most: int) -> bytes:
        """What the worker says; nothing if it has ended, or is silent too long."""
        with suppress(OSError):
            return self._socket.recv(most)
        return b""

    # -- the worker ------------------------------------------------------------------------------------------------------
    def _lay_out(self) -> None:
        """A folder with the worker and the part of fstats that students' code may see."""
        house = Path(self._folder.name)
        house.chmod(0o755)
        shutil.copytree(PACKAGE, house / "fstats", ignore=shutil.ignore_patterns(*LEFT_OUT))
        (house / "matplotlib").mkdir()
        for fonts in Path.home().glob(".cache/matplotlib/fontlist-*.json"):  # or matplotlib looks for fonts, which takes long
            shutil.copy2(fonts, house / "matplotlib")

    def _start(self) -> None:
        mine, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET if sys.platform == "linux" else socket.SOCK_STREAM)
        strong = self.isolation == "bubblewrap"
        house = "/house" if strong else self._folder.name
        settings = {
            "isolation": self.isolation,
            "uid": self.uid,
            "reads": bool(self.uid) and not strong and not all(map(_is_open, _python())),
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
            "PYTHONPATH": os.pathsep.join([house, *map(str, libraries())]),
        }
        worker = [sys.executable, "-B", "-P", "-s", "-m", "fstats.teaching.sandboxed.worker", json.dumps(settings)]
        command = [*self._walls(), *worker] if strong else worker
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
                raise NotIsolated(f"the worker ({self.isolation}) does not start: {why[-1]}")

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

    def _walls(self) -> list[str]:
        """The command line of bubblewrap: what can be seen, all of it read-only, and what is a world of its own."""
        words = [find_bubblewrap(), "--die-with-parent", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts"]
        words += ["--unshare-cgroup-try", "--hostname", "worker"]
        by_root = ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]  # whose rights find the folders
        words += by_root if os.geteuid() == 0 else ["--unshare-user"]  # the worker then gives them up
        for name in SYSTEM:
            path = Path(name)
            if path.is_symlink() and path.is_dir():
                words += ["--symlink", os.readlink(path), name]
            elif path.exists():
                words += ["--ro-bind", name, name]
        seen = [path for path in _python() if not path.is_relative_to("/usr/lib")]
        for parent in dict.fromkeys(parent for path in seen for parent in reversed(path.parents)):
            words += ["--dir", str(parent)]  # which everybody may enter here, whoever may enter it outside
        for path in seen:
            words += ["--ro-bind", str(path), str(path)]
        for secret in (PACKAGE, PACKAGE.parent / "solutions", PACKAGE.parent / "tests"):  # where fstats is installed among the libraries
            if any(secret.is_relative_to(path) for path in seen) and secret.is_dir():
                words += ["--tmpfs", str(secret), "--remount-ro", str(secret)]
        words += ["--ro-bind", self._folder.name, "/house", "--tmpfs", "/dev", "--tmpfs", OWN]
        if not any(path.is_relative_to("/tmp") for path in seen):  # or it holds this Python, and can be read only
            words += ["--symlink", OWN, "/tmp"]
        for device in DEVICES:
            words += ["--dev-bind", f"/dev/{device}", f"/dev/{device}"]
        for fonts in Path(self._folder.name).glob("matplotlib/*.json"):
            words += ["--ro-bind", str(fonts), f"{OWN}/matplotlib/{fonts.name}"]
        words += ["--dir", "/dev/shm", "--remount-ro", "/dev", "--proc", "/proc", "--remount-ro", "/", "--chdir", "/", "--"]
        return words


def _read_within(file: int, deadline: float, most: int) -> tuple[bytes, str]:
    """What comes from a pipe until it is closed, as long as it may last and as much as it may be."""
    parts: list[bytes] = []
    size = 0
    with DefaultSelector() as selector:
        selector.register(file, EVENT_READ)
        while (left := deadline - time.monotonic()) > 0:
            if not selector.select(left):
                continue
            part = os.read(file, 1 << 16)
            if not part:
                return b"".join(parts), ""
            parts.append(part)
            size += len(part)
            if size > most:
                return b"".join(parts)[:most], f"it delivered more than {most >> 20} MiB"
    return b"".join(parts), "it did not end in time"


def find_bubblewrap() -> str:
    """Where bubblewrap is; empty if it is not there."""
    return shutil.which("bwrap") or "" if sys.platform == "linux" else ""


def libraries() -> list[Path]:
    """The folders in which the libraries lie."""
    specs = (find_spec(name) for name in ("numpy", "scipy", "matplotlib", "IPython"))
    found = [Path(spec.origin).parent.parent for spec in specs if spec is not None and spec.origin is not None]
    return list(dict.fromkeys(found))


def _python() -> Iterator[Path]:
    """The files and folders of this Python and its libraries, and not what else may lie beside them."""
    for prefix in dict.fromkeys(Path(prefix) for prefix in (sys.base_prefix, sys.base_exec_prefix, sys.prefix, sys.exec_prefix)):
        yield from (prefix / name for name in ("bin", "lib", "lib64", "pyvenv.cfg") if (prefix / name).exists())
    yield from libraries()


def _signal(number: int) -> str:
    """A signal in words; some have none, and some no system has."""
    try:
        return signal.strsignal(number) or "without a name"
    except ValueError:
        return "unknown"


def _is_open(path: Path) -> bool:
    """Whether everybody may enter a folder, and those around it."""
    return all(folder.stat().st_mode & 0o001 for folder in path.resolve().parents)
