"""A notebook that runs behind a wall, asked from outside: cell by cell, answer by answer, call by call.

What runs a student's code holds the cell that runs and nothing of what comes later: neither the data on which functions are tried nor
the channel of any answer but the next.  Each function is called in a process of its own, where the notebook has never run.  Where a
process ends, or is ended by a limit, its cell is lost; the others run once more without it.
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

DEADLINE_MESSAGE = "it did not end in time"
MAX_CALLS = 4  # calls of a function may each last so many times less long than a cell
MAX_LOST_CELLS = 3  # cells that may be lost; behind one more the run is over
NOISE = 1000  # lines that are none of ours, in the place of one answer
MODULES, MODULE = 200, 100  # names of modules that a function may bring, and letters of one
TOTAL_TIME_FACTOR = 3  # all cells of a run together may take so many times what one may


class ProcessEnded(Exception):
    """The process that ran a notebook has ended; the message says why."""


class SandboxProcess(Protocol):
    """A process behind a wall."""

    def ask(self, request: bytes, until: float) -> bytes:
        """One line for another; `ProcessEnded` if none comes until then."""


class SandboxBackend(Protocol):
    """What submissions run behind."""

    @property
    def isolation(self) -> str:
        """Its name."""

    def run(self, job: Mapping[str, Any]) -> bytes:
        """Do a job behind it."""

    def close(self) -> None:
        """End it."""


@dataclass(frozen=True)
class Limits:
    """What a submission may use."""

    cpu: float = 10  # seconds of computing of one cell, where the exercise needs no more
    wall: float = 20  # seconds until a cell is ended, whatever it waits for
    memory: int = 512  # MiB, of each process, beyond what the libraries take
    all_memory: int = 1024  # MiB, of all its processes, beyond what each has from the start
    disk: int = 16  # MiB of temporary files, and the size of one file
    files: int = 64  # open at the same time
    processes: int = 8  # at the same time, threads included
    output: int = 4  # MiB that may be delivered

    def of(self, job: Mapping[str, Any]) -> dict[str, float]:
        """The times of one run: `cpu` and `wall` of a cell, as the exercise needs them, and of all of them together."""
        times = job.get("seconds", Limits.cpu) / Limits.cpu
        one = {"cpu": self.cpu * times, "wall": self.wall * times}
        return one | {f"all_{name}": TOTAL_TIME_FACTOR * seconds for name, seconds in one.items()}


StartProcess = Callable[[Mapping[str, float]], AbstractContextManager[SandboxProcess]]


def run_job(job: Mapping[str, Any], begin: StartProcess, limits: Limits) -> bytes:
    """Run the notebook of a job and try its functions; what came of it, a line of JSON each.

    Parameters
    ----------
    job : mapping
        "exercise", "token", "data", "questions": what the notebook is opened with.  "cells": what is run; one with a key is a check.
        "cases", "ready": by question, the inputs on which its function is called, and what it should not call.  "skip": the numbers
        of cells that are not run.  "seconds": of computing that a cell may take.  Or "walk" alone: what to look for, where no notebook
        runs at all.
    begin : callable
        ``begin(times)``: a fresh process behind a wall, which may compute as long as `times` say.
    limits : Limits
        What it may use.
    """
    run = _Run(job, begin, limits.of(job))
    if "walk" in job:
        return json.dumps(run.walk()).encode()
    while not run.through():
        pass
    run.call_functions()
    run.lines += [{"noise": True}] * run.noise
    return b"".join(json.dumps(line).encode() + b"\n" for line in run.lines)


class _Run:
    """The run of one notebook, begun again without the cells that were lost."""

    def __init__(self, job: Mapping[str, Any], begin: StartProcess, times: Mapping[str, float]) -> None:
        self.job, self.begin, self.times = job, begin, times
        self.until = time.monotonic() + times["all_wall"]
        self.lost: dict[int, str] = dict.fromkeys(job.get("skip", ()), "")
        self.functions: dict[str, dict[str, Any]] = {}
        self.lines: list[dict[str, Any]] = []
        self.noise = False

    def walk(self) -> dict[str, Any]:
        """What of the course a process behind the wall sees."""
        try:
            with self.begin(self.times) as guest:
                return self._ask(guest, do="walk", what=self.job["walk"])
        except ProcessEnded as why:
            return {"paths": 0, "found": [f"nothing, since the walk came to no end: {why}"]}

    def through(self) -> bool:
        """Run all cells that are not lost; whether that was the last time."""
        self.lines, self.functions, at = [], {}, -1
        try:
            with self.begin(self.times) as guest:
                for at in self._all(guest):  # noqa: B007 - the place where it ends is needed
                    pass
        except ProcessEnded as error:
            why = str(error)
            if (
                at in self.lost
                or at < 0
                or len(self.lost) - len(self.job.get("skip", ())) >= MAX_LOST_CELLS
                or time.monotonic() >= self.until
            ):
                self.lines.append({"over": self._name(at), "why": why})
                return True
            self.lost[at] = why
            return False
        for number, because in self.lost.items():
            self.lines.append({"lost": self._name(number), "number": number, "why": because})
        self.lines.append({"end": True})
        return True

    def _name(self, number: int) -> str:
        return self.job["cells"][number]["name"] if 0 <= number < len(self.job["cells"]) else ""

    def _all(self, guest: SandboxProcess) -> Iterator[int]:
        """Ask for each cell; yields the number of the one that runs next."""
        job = self.job
        self._ask(guest, do="open", **{name: job[name] for name in ("exercise", "token", "data", "questions")})
        waiting: dict[str, int] = {}
        for number, cell in enumerate(job["cells"]):
            yield number
            if number in self.lost:
                continue
            if cell["key"]:
                if self._look(guest, cell):
                    waiting.pop(cell["key"], None)
                else:
                    waiting[cell["key"]] = number
            elif isinstance(raised := self._ask(guest, do="run", source=cell["source"], name=cell["name"]).get("raised"), str):
                self.lines.append({"cell": cell["name"], "raised": raised})
        for number in waiting.values():  # what was empty where its check stands may have come later
            yield number
            self._look(guest, job["cells"][number])

    def _look(self, guest: SandboxProcess, cell: Mapping[str, Any]) -> bool:
        """Note what a check looks at; whether there is anything."""
        key = cell["key"]
        found = self._ask(guest, do="look", source=cell["source"], key=key, function=key in self.job["cases"])
        self.functions.pop(key, None)
        if isinstance(found.get("function"), str):
            self.functions[key] = found
            return True
        self.lines.append({"key": key, **{name: found[name] for name in ("value", "missing", "own") if name in found}})
        return "missing" not in found and found.get("value") not in (DOTS_JSON, None)

    def _ask(self, guest: SandboxProcess, seconds: float = 0, **request: Any) -> dict[str, Any]:
        """What comes of a request, within so many seconds; whatever else the process writes is noted as noise."""
        name, until = token_hex(8), min(self.until, time.monotonic() + (seconds or self.times["wall"]))
        line = json.dumps({"id": name, **request}).encode() + b"\n"
        for _ in range(NOISE):
            answer = parse_line(guest.ask(line, until))
            if answer.pop("id", None) == name:
                return answer
            self.noise, line = True, b""
        raise ProcessEnded("it wrote into the channel of the answers, again and again")

    # -- functions -----------------------------------------------------------------------------------------------------------------
    def call_functions(self) -> None:
        """Call each function on its cases, in a process where nothing else of the notebook runs."""
        for key, found in self.functions.items():
            cases, ready = self.job["cases"][key], self.job["ready"].get(key, ())
            calls: list[dict[str, Any]] = []
            self.until = time.monotonic() + self.times["all_wall"]
            try:
                with self.begin(self.times) as guest:
                    taken = self._ask(guest, do="take", function=found["function"], imports=_names(found.get("imports")), ready=ready)
                    while len(calls) < len(cases) and not taken:  # what goes wrong before it is called goes wrong on every case
                        calls.append(self._ask(guest, do="call", inputs=cases[len(calls)], seconds=self.times["wall"] / MAX_CALLS))
                    calls += [taken] * (len(cases) - len(calls))
            except ProcessEnded as why:
                late = self.times["wall"] / MAX_CALLS
                raised = f"{TIMEOUT_MESSAGE} {late:g} seconds" if str(why) == DEADLINE_MESSAGE else f"an end: {why}"
                self.lines += [] if str(why) == DEADLINE_MESSAGE else [{"over": f"the function of {key}", "why": str(why)}]
                calls += [{"value": None, "raised": raised}] * (len(cases) - len(calls))
            self.lines.append({"key": key, "calls": calls, "stub": found.get("stub") is True, "own": found.get("own") is True})


def _names(said: Any) -> list[str]:
    """The names of modules that a notebook says its function needs."""
    return [name for name in said if isinstance(name, str) and len(name) < MODULE][:MODULES] if isinstance(said, list) else []


def pop_line(came: bytearray) -> bytes | None:
    """Take the first line off what came, if it is whole."""
    end = came.find(b"\n")
    if end < 0:
        return None
    line = bytes(came[:end])
    del came[: end + 1]  # which copies nothing
    return line


def parse_line(text: bytes) -> dict[str, Any]:
    """What a line says; nothing if it is none of ours."""
    try:
        line = json.loads(text)
    except (ValueError, RecursionError, MemoryError):
        return {}
    return line if isinstance(line, dict) else {}
