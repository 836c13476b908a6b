"""Under the same user, without a wall around it: a process that the kernel looks after changes nothing of what others have."""

import json
import os
import platform
import socket
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from fstats.teaching.sandbox_runtime.process_isolation import LINUX
from fstats.teaching.sandbox_runtime.seccomp_filter import MACHINES

SCRIPTS = tomllib.loads(Path(__file__).with_name("scripts.toml").read_text(encoding="utf-8"))["test_refused"]


@pytest.mark.skipif(LINUX is None or platform.machine() not in MACHINES, reason="Linux, on a machine whose calls are known")
def test_nothing_of_others_is_changed(tmp_path: Path) -> None:
    """Neither files nor processes of the same user, nor is there a way to speak to them."""
    victim, door = tmp_path / "victim", tmp_path / "door"
    victim.write_text("mine")
    before = victim.stat()
    with socket.socket(socket.AF_UNIX) as listens, subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as other:
        listens.bind(str(door))
        listens.listen()
        command = [sys.executable, "-c", SCRIPTS["TRIES"], str(victim), str(door), str(other.pid)]
        said = subprocess.run(command, capture_output=True, text=True, check=True, env={**os.environ, "PYTHONPATH": os.getcwd()})
        passed, allowed, every = json.loads(said.stdout)
        other.communicate(b"\n")
        assert other.returncode == 0
    assert (passed, allowed) == ([], every)
    assert (victim.stat().st_mode, victim.stat().st_mtime_ns) == (before.st_mode, before.st_mtime_ns)
