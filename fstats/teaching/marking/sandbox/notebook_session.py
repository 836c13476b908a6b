"""Run a notebook in a sandbox.

A session requests cells, answers and function calls.

The process that runs a student's code knows the current cell only.  The process knows neither the later cells, nor the data on which
functions are tried, nor the identifiers of later answers.  Each function is called in a separate process, in which the notebook has never
run.  If a process ends, or a limit ends the process, the current cell is lost, and the other cells run again without the lost cell.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from secrets import token_hex
from typing import Any, Protocol

from ...sandbox_runtime.function_call import TIMEOUT_MESSAGE
from ...sandbox_runtime.json_serialisation import DOTS_JSON

DEADLINE_MESSAGE = "the code did not end in time"
MAX_CALLS = 4  # ratio of the time limit of a cell to the time limit of a function call
MAX_LOST_CELLS = 3  # maximum number of cells that are lost before the run ends
NOISE = 1000  # maximum number of lines that a process writes before its answer
MODULES, MODULE = 200, 100  # maximum number of modules that a function imports, and maximum length of their names
TOTAL_TIME_FACTOR = 3  # time limit of all cells together divided by the time limit of one cell


class ProcessEnded(Exception):
    """Error if the process that ran a notebook has ended; the message gives the reason."""


class SandboxProcess(Protocol):
    """Interface of a process in a sandbox."""

    def ask(self, request: bytes, until: float) -> bytes:
        """Send a request line, and return the answer line; raise `ProcessEnded` if no answer arrives before `until`."""


class SandboxBackend(Protocol):
    """A sandbox that runs submissions."""

    @property
    def isolation(self) -> str:
        """Name of the isolation."""

    def run(self, job: Mapping[str, Any]) -> bytes:
        """Run a job in the sandbox."""

    def close(self) -> None:
        """End the sandbox."""


@dataclass(frozen=True)
class Limits:
    """Resource limits of a submission."""

    cpu: float = 10  # maximum computing time of a cell in seconds; an exercise may allow more
    wall: float = 20  # maximum elapsed time of a cell in seconds, including time in which it waits
    memory: int = 512  # maximum memory of each process in MiB, without the libraries
    all_memory: int = 1024  # maximum memory of all processes together in MiB, not counting their memory at the start
    disk: int = 16  # maximum total size of all temporary files in MiB, and maximum size of each file
    files: int = 64  # maximum number of open files
    processes: int = 8  # maximum number of processes and threads at the same time
    output: int = 4  # maximum size of the output in MiB

    def times_for(self, job: Mapping[str, Any]) -> dict[str, float]:
        """Return the time limits of a run: `cpu` and `wall` of a cell, scaled for the exercise, and the total limits of all cells."""
        factor = job.get("seconds", Limits.cpu) / Limits.cpu
        times = {"cpu": self.cpu * factor, "wall": self.wall * factor}
        return times | {f"all_{name}": TOTAL_TIME_FACTOR * seconds for name, seconds in times.items()}


StartProcess = Callable[[Mapping[str, float]], AbstractContextManager[SandboxProcess]]


def run_job(job: Mapping[str, Any], begin: StartProcess, limits: Limits) -> bytes:
    """Run the notebook of a job and call its functions on test data; return each result as a line of JSON.

    Parameters
    ----------
    job : mapping
        "exercise", "token", "data", "questions": the task that the notebook opens.  "cells": the cells to run; a cell with a key is a
        check.  "cases", "ready": by question, the inputs of its function, and the names that the function must not call.  "skip":
        numbers of cells that are not run.  "seconds": computing time of a cell.  A job with "walk" alone scans for leaks and runs no
        notebook.
    begin : callable
        ``begin(times)`` provides a fresh process in a sandbox, with the time limits `times`.
    limits : Limits
        Resource limits of the run.
    """
    run = _Run(job, begin, limits.times_for(job))
    if "walk" in job:
        return json.dumps(run.scan_for_leaks()).encode()
    while not run.run_all_cells():
        pass
    run.call_functions()
    run.lines += [{"noise": True}] * run.noise
    return b"".join(json.dumps(line).encode() + b"\n" for line in run.lines)


class _Run:
    """Run of one notebook; after a lost cell, the run starts again without the lost cells."""

    def __init__(self, job: Mapping[str, Any], begin: StartProcess, times: Mapping[str, float]) -> None:
        self.job, self.begin, self.times = job, begin, times
        self.until = time.monotonic() + times["all_wall"]
        self.lost: dict[int, str] = dict.fromkeys(job.get("skip", ()), "")
        self.functions: dict[str, dict[str, Any]] = {}
        self.lines: list[dict[str, Any]] = []
        self.noise = False

    def scan_for_leaks(self) -> dict[str, Any]:
        """Return the files of the course that a process in the sandbox can see."""
        try:
            with self.begin(self.times) as process:
                return self._ask(process, do="walk", what=self.job["walk"])
        except ProcessEnded as why:
            return {"paths": 0, "found": [f"nothing, since the scan did not finish: {why}"]}

    def run_all_cells(self) -> bool:
        """Run all cells that are not lost; return whether no further attempt is needed."""
        self.lines, self.functions, position = [], {}, -1
        try:
            with self.begin(self.times) as process:
                for position in self._run_cells(process):  # noqa: B007 - the last position is needed after the loop
                    pass
        except ProcessEnded as error:
            why = str(error)
            is_over = time.monotonic() >= self.until or len(self.lost) - len(self.job.get("skip", ())) >= MAX_LOST_CELLS
            if is_over or position in self.lost or position < 0:
                self.lines.append({"over": self._name(position), "why": why})
                return True
            self.lost[position] = why
            return False
        for number, because in self.lost.items():
            self.lines.append({"lost": self._name(number), "number": number, "why": because})
        self.lines.append({"end": True})
        return True

    def _name(self, number: int) -> str:
        return self.job["cells"][number]["name"] if 0 <= number < len(self.job["cells"]) else ""

    def _run_cells(self, process: SandboxProcess) -> Iterator[int]:
        """Request each cell; yield the number of the cell before the cell runs."""
        job = self.job
        self._ask(process, do="open", **{name: job[name] for name in ("exercise", "token", "data", "questions")})
        waiting: dict[str, int] = {}
        for number, cell in enumerate(job["cells"]):
            yield number
            if number in self.lost:
                continue
            if cell["key"]:
                if self._read_answer(process, cell):
                    waiting.pop(cell["key"], None)
                else:
                    waiting[cell["key"]] = number
            elif isinstance(raised := self._ask(process, do="run", source=cell["source"], name=cell["name"]).get("raised"), str):
                self.lines.append({"cell": cell["name"], "raised": raised})
        # some answers were empty when they were checked, but a later cell may have assigned them, so read them again
        for number in waiting.values():
            yield number
            self._read_answer(process, job["cells"][number])

    def _read_answer(self, process: SandboxProcess, cell: Mapping[str, Any]) -> bool:
        """Record the value that a check reads; return whether the value exists."""
        key = cell["key"]
        answer = self._ask(process, do="look", source=cell["source"], key=key, function=key in self.job["cases"])
        self.functions.pop(key, None)
        if isinstance(answer.get("function"), str):
            self.functions[key] = answer
            return True
        self.lines.append({"key": key, **{name: answer[name] for name in ("value", "missing", "own") if name in answer}})
        return "missing" not in answer and answer.get("value") not in (DOTS_JSON, None)

    def _ask(self, process: SandboxProcess, seconds: float = 0, **request: Any) -> dict[str, Any]:
        """Return the answer to a request within a time limit; all other output of the process is recorded as noise."""
        name, until = token_hex(8), min(self.until, time.monotonic() + (seconds or self.times["wall"]))
        line = json.dumps({"id": name, **request}).encode() + b"\n"
        for _ in range(NOISE):
            answer = parse_line(process.ask(line, until))
            if answer.pop("id", None) == name:
                return answer
            self.noise, line = True, b""
        raise ProcessEnded("the code wrote too often into the channel for its answers")

    # -- functions -----------------------------------------------------------------------------------------------------------------
    def call_functions(self) -> None:
        """Call each function on its cases, in a process in which nothing else of the notebook runs."""
        for key, function in self.functions.items():
            cases, ready = self.job["cases"][key], self.job["ready"].get(key, ())
            calls: list[dict[str, Any]] = []
            self.until = time.monotonic() + self.times["all_wall"]
            try:
                with self.begin(self.times) as process:
                    imports = _names(function.get("imports"))
                    error = self._ask(process, do="take", function=function["function"], imports=imports, ready=ready)
                    # if the function cannot be received, the error is the result for every case
                    while len(calls) < len(cases) and not error:
                        calls.append(self._ask(process, do="call", inputs=cases[len(calls)], seconds=self.times["wall"] / MAX_CALLS))
                    calls += [error] * (len(cases) - len(calls))
            except ProcessEnded as why:
                seconds = self.times["wall"] / MAX_CALLS
                raised = f"{TIMEOUT_MESSAGE} {seconds:g} seconds" if str(why) == DEADLINE_MESSAGE else f"an end: {why}"
                self.lines += [] if str(why) == DEADLINE_MESSAGE else [{"over": f"the function of {key}", "why": str(why)}]
                calls += [{"value": None, "raised": raised}] * (len(cases) - len(calls))
            self.lines.append({"key": key, "calls": calls, "stub": function.get("stub") is True, "own": function.get("own") is True})


def _names(sent: Any) -> list[str]:
    """Return the names of modules that a function needs according to its notebook."""
    return [name for name in sent if isinstance(name, str) and len(name) < MODULE][:MODULES] if isinstance(sent, list) else []


def pop_line(received: bytearray) -> bytes | None:
    """Remove and return the first line of the received bytes, if the line is complete."""
    end = received.find(b"\n")
    if end < 0:
        return None
    line = bytes(received[:end])
    del received[: end + 1]  # `del` works in place, and does not copy the other bytes
    return line


def parse_line(text: bytes) -> dict[str, Any]:
    """Parse a line of JSON; a foreign line gives an empty mapping."""
    try:
        line = json.loads(text)
    except (ValueError, RecursionError, MemoryError):
        return {}
    return line if isinstance(line, dict) else {}
