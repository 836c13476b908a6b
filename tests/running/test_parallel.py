"""Work for many, where there are not many."""

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from time import sleep

import pytest

from fstats.comparing.datasets import openml
from fstats.runtime import parallel_tasks


def test_what_a_page_of_a_browser_cannot_do_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """One worker does the work of many, which is told; a cluster and OpenML are out of reach."""
    monkeypatch.setattr(parallel_tasks, "IN_BROWSER", True)
    monkeypatch.setattr(openml, "IN_BROWSER", True)
    with pytest.warns(UserWarning, match="has one worker only: jobs=-1 has no effect"):
        assert list(parallel_tasks.run_tasks(pow, [(2, 3), (2, 4)], total=2, jobs=-1)) == [(0, 8), (1, 16)]
    with (
        pytest.raises(ValueError, match=r"Python in a browser has only one worker\. Leave out backend='dask'"),
        parallel_tasks.worker_backend("dask"),
    ):
        pass
    with pytest.raises(
        OSError, match=r"cannot be downloaded from OpenML in a web page .number 6.. Add letter\.csv to the page, and write `data_dir='\.'"
    ):
        openml.fetch_dataset("letter")


INTERRUPTED = """
import signal, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores the signal
from fstats import cli
from fstats.runtime.parallel_tasks import run_tasks

assert cli._run_command
cli._run_command = lambda *_: print("begun", flush=True) or list(run_tasks(time.sleep, [(60,)] * 4, total=4, jobs=2, progress=False))
raise SystemExit(cli.main(["course"]))
"""


def alive(group: int) -> list[str]:
    """The processes of a group, where the system tells them; those that have ended and whom nobody has asked for are none."""
    states = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            states.append(path.read_text().rpartition(")")[2].split())
    return [state for state, _, of, *_ in states if int(of) == group and state != "Z"]


@pytest.mark.complete
@pytest.mark.skipif(os.name != "posix", reason="a terminal interrupts all processes of its group")
@pytest.mark.parametrize("wait", [0.3, 0.6, 1.0, 2.0])
@pytest.mark.parametrize("times", [1, 2])
def test_who_interrupts_is_told_in_one_line_and_waits_for_nobody(wait: float, times: int) -> None:
    """While the workers start, and while they work; once, or twice as an impatient person does."""
    words = [sys.executable, "-c", INTERRUPTED]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        for _ in range(times):
            sleep(wait)
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGINT)
        try:
            _, said = process.communicate(timeout=30)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            raise
        assert process.returncode in (130, -signal.SIGINT)  # a shell shows 130 for both; the second interrupt may end Python itself
        assert said == "Interrupted. Finished work is kept: the same command continues with the rest.\n"
    assert any(sleep(0.1) or not alive(process.pid) for _ in range(100))
