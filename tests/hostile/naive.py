"""The graders that stand here to be fooled: student and judge in one process, as in most tools.

``checks``   the notebook's own `check` raises what is not right, and a locked cell that does not raise earns its points (nbgrader)
``asserts``  hidden tests run in the student's namespace after his cells (nbgrader, otter)
``pickles``  the student's process leaves its answers in a file of pickles, which the grader opens (otter's results)

A class is graded in one process, in a folder that holds what such folders hold: a secret, a key, other submissions, the grades.
Everything is bounded: an unprivileged process apart, few seconds, little memory, few processes.
"""

from __future__ import annotations

import ctypes
import json
import os
import pickle
import resource
import select
import signal
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import scipy.stats  # noqa: F401 - or each grader would import it again

from fstats.teaching.grading.task import Task

UID = 59_999  # of the graders, where the tests run as root


class Graded(NamedTuple):
    """What a grader gave to each notebook of a class, and how it ended."""

    points: list[float]
    reports: str
    ended: bool  # by itself, having graded everybody
    peak: int  # KiB


def grade(style: str, notebooks: Sequence[bytes], task: Task, course: Path, seconds: float) -> Graded:
    """Grade a class by one of the naive graders, in a process apart, which is ended after so many seconds."""
    read, write = os.pipe()
    quiet, loud = os.pipe()  # an input that never comes
    nanny = os.fork()
    if not nanny:
        os.setsid()
        if os.geteuid() == 0:
            os.setgroups([])
            os.setgid(UID)
            os.setuid(UID)
            ctypes.CDLL(None).prctl(4, 1, 0, 0, 0)  # PR_SET_DUMPABLE: as is who never was root
        for which, most in (
            (resource.RLIMIT_CPU, 20),
            (resource.RLIMIT_NPROC, 1000),
            (resource.RLIMIT_CORE, 0),
            (resource.RLIMIT_FSIZE, 64 << 20),
        ):
            resource.setrlimit(which, (most, most))
        said = os.open(course / "log.txt", os.O_RDWR | os.O_CREAT, 0o666)
        for mine, place in ((write, 60), (quiet, 0), (said, 1), (said, 2)):
            os.dup2(mine, place)
        os.dup2(60, 3)
        os.closerange(4, 4096)  # what pytest has open is nobody's business
        write = 3
        grader = os.fork()  # the nanny is the parent that a submission may want to kill
        if not grader:
            code = 1
            try:
                os.environ["NBGRADER_EXECUTION"] = "autograde"
                os.environ["COURSE_SECRET"] = (course / "secret.txt").read_text()
                os.chdir(course)
                sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - for as long as it lives
                sys.stdout = sys.stderr = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
                _grade(style, notebooks, task, course, write)
                code = 0
            except Exception:
                pass
            finally:
                sys.stdout.flush()
                import threading

                for thread in threading.enumerate():  # as any Python does at its end
                    if thread is not threading.current_thread() and not thread.daemon:
                        thread.join()
                os._exit(code)
        os.close(write)
        _, status = os.waitpid(grader, 0)
        os._exit(0 if status == 0 else 1)
    os.close(write)
    os.close(quiet)
    said, ended = _heard(read, nanny, time.monotonic() + seconds)
    os.close(read)
    os.close(loud)
    usage = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    points: list[float] = []
    reports = ""
    for line in said.decode(errors="replace").splitlines():
        try:
            report = json.loads(line)
            points.append(float(report["points"]))
            reports += report.get("feedback", "")
        except (ValueError, KeyError, TypeError):
            continue
    return Graded(points, reports, ended and len(points) >= len(notebooks), usage)


def _heard(read: int, nanny: int, deadline: float) -> tuple[bytes, bool]:
    """What the grader reports, and whether it and its nanny ended well; then nothing of them is left."""
    said, status = b"", None
    while status is None and time.monotonic() < deadline:
        if select.select([read], [], [], 0.02)[0]:
            said += os.read(read, 1 << 20)
        pid, found = os.waitpid(nanny, os.WNOHANG)
        status = found if pid else None
    while select.select([read], [], [], 0)[0]:
        part = os.read(read, 1 << 20)
        if not part:
            break
        said += part
    with suppress(ProcessLookupError):
        os.killpg(nanny, signal.SIGKILL)
    if status is None:
        os.waitpid(nanny, 0)
    return said, status == 0


def _grade(style: str, notebooks: Sequence[bytes], task: Task, course: Path, report: int) -> None:
    gradebook = open(course / "grades.csv", "r+", encoding="utf-8")  # noqa: SIM115 - open for as long as it grades, as a database is
    secret = os.environ["COURSE_SECRET"]
    right = dict(_right(task))
    for notebook in notebooks:
        points, feedback = globals()[f"_{style}"](json.loads(notebook.decode("utf-8")), right, secret)
        os.write(report, json.dumps({"points": points, "feedback": feedback}).encode() + b"\n")
    gradebook.close()


def _right(task: Task) -> Any:
    for question in task.exercise.questions:
        if hasattr(question, "options"):
            yield question.key, "abcdefgh"[question.order(task.token).index(0)]
        elif not hasattr(question, "takes"):
            value = getattr(task._tests[task.exercise.tested(question)], question.step)
            yield question.key, value.tolist() if isinstance(value, np.ndarray) else value


def _cells(notebook: Mapping[str, Any]) -> Any:
    if notebook["metadata"].get("kernelspec", {}).get("name", "python3") != "python3":
        raise RuntimeError("no such kernel")
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            yield "".join(cell["source"]), cell["metadata"].get("nbgrader", {})


def _run(source: str, space: dict[str, Any], feedback: list[str]) -> bool:
    try:
        exec(compile(source, "<cell>", "exec"), space)
        return True
    except Exception as error:
        feedback.append(str(error))
        return False


def _checks(notebook: Mapping[str, Any], right: Mapping[str, Any], secret: str) -> tuple[float, str]:  # noqa: ARG001
    space: dict[str, Any] = {"__name__": "__main__"}
    points, feedback = 0.0, []
    for source, marks in _cells(notebook):
        if not marks.get("locked"):
            _run(source, space, feedback)
        elif _run(f"__shown = {source}", space, feedback):  # as nbgrader does: the number that is shown, or all points
            shown = space["__shown"]
            feedback.append(shown._repr_html_() if hasattr(shown, "_repr_html_") else repr(shown))
            try:
                points += float(repr(shown))
            except ValueError:
                points += marks["points"]
    return points, "\n".join(feedback)


def _asserts(notebook: Mapping[str, Any], right: Mapping[str, Any], secret: str) -> tuple[float, str]:  # noqa: ARG001
    space: dict[str, Any] = {"__name__": "__main__"}
    feedback: list[str] = []
    expressions = {}
    for source, marks in _cells(notebook):
        if marks.get("locked"):
            expressions[marks["grade_id"]] = source.partition(",")[2].rstrip(" )\n"), marks["points"]
        else:
            _run(source, space, feedback)
    points = 0.0
    for key, (expression, worth) in expressions.items():
        expected = right[key]
        numbers = not isinstance(expected, str)
        test = (
            f"assert not np.any(abs({expression} - np.array({expected!r}, float)) > 0.005), {expression}"
            if numbers
            else f"assert {expression} == {expected!r}"
        )
        points += worth * _run(test, space, feedback)
    return points, "\n".join(feedback)


def _pickles(notebook: Mapping[str, Any], right: Mapping[str, Any], secret: str) -> tuple[float, str]:  # noqa: ARG001
    space: dict[str, Any] = {"__name__": "__main__"}
    feedback: list[str] = []
    for source, marks in _cells(notebook):
        if not marks.get("locked"):
            _run(source, space, feedback)
    with open("answers.pickle", "wb") as file:
        pickle.dump(space.get("mean"), file)
    with open("answers.pickle", "rb") as file:
        return float(pickle.load(file) == right["q2"]), "\n".join(feedback)
