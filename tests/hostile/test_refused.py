"""Under the same user, without a wall around it: a process that the kernel looks after changes nothing of what others have."""

import json
import os
import platform
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from fstats.teaching.sandbox_runtime.process_isolation import LINUX
from fstats.teaching.sandbox_runtime.seccomp_filter import MACHINES

TRIES = """
import json, os, resource, shutil, socket, sys
from fstats.teaching.sandbox_runtime.process_isolation import LINUX, _install_filter, set_cpu_limit
from fstats.teaching.sandbox_runtime.seccomp_filter import seccomp_program
victim, door, other = sys.argv[1], sys.argv[2], int(sys.argv[3])
LINUX.prctl(38, 1, 0, 0, 0)
_install_filter(seccomp_program(False))
forbidden = {
    "rights": lambda: os.chmod(victim, 0),
    "rights of an open file": lambda: os.fchmod(os.open(victim, os.O_RDONLY), 0),
    "owner": lambda: os.chown(victim, os.getuid(), os.getgid()),
    "times": lambda: os.utime(victim, (1, 1)),
    "notes": lambda: os.setxattr(victim, "user.x", b"1"),
    "limits": lambda: resource.prlimit(other, resource.RLIMIT_NOFILE, (7, 7)),
    "turn": lambda: os.setpriority(os.PRIO_PROCESS, other, 19),
    "processors": lambda: os.sched_setaffinity(other, {0}),
    "a signal": lambda: os.kill(other, 15),
    "a socket that is a file": lambda: socket.socket(socket.AF_UNIX).connect(door),
    "a socket for letters": lambda: socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(b"x", door),
}
allowed = {
    "a pair": lambda: socket.socketpair(),
    "own limits": lambda: resource.prlimit(0, resource.RLIMIT_NOFILE),
    "own limits by name": lambda: resource.prlimit(os.getpid(), resource.RLIMIT_NOFILE, (50, 50)),
    "time": lambda: set_cpu_limit(100),
    "files": lambda: open(os.devnull, "w").write("x"),
    "a copy": lambda: shutil.copyfile(os.devnull, victim + "2"),
}
def passes(one):
    try: one()
    except PermissionError: return False
    return True
print(json.dumps([[name for name, one in tries.items() if passes(one)] for tries in (forbidden, allowed)] + [[*allowed]]))
"""


@pytest.mark.skipif(LINUX is None or platform.machine() not in MACHINES, reason="Linux, on a machine whose calls are known")
def test_nothing_of_others_is_changed(tmp_path: Path) -> None:
    """Neither files nor processes of the same user, nor is there a way to speak to them."""
    victim, door = tmp_path / "victim", tmp_path / "door"
    victim.write_text("mine")
    before = victim.stat()
    with socket.socket(socket.AF_UNIX) as listens, subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as other:
        listens.bind(str(door))
        listens.listen()
        command = [sys.executable, "-c", TRIES, str(victim), str(door), str(other.pid)]
        said = subprocess.run(command, capture_output=True, text=True, check=True, env={**os.environ, "PYTHONPATH": os.getcwd()})
        passed, allowed, every = json.loads(said.stdout)
        other.communicate(b"\n")
        assert other.returncode == 0
    assert (passed, allowed) == ([], every)
    assert (victim.stat().st_mode, victim.stat().st_mtime_ns) == (before.st_mode, before.st_mtime_ns)
