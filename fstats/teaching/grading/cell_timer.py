"""How long the cells of a notebook compute, so that a student hears at home of what would be stopped where it is marked."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any


class Stopwatch:
    """The computing time of the slowest cell of a shell since somebody asked.

    Parameters
    ----------
    shell : object
        IPython's shell, whose events begin and end a cell.
    clock : callable
        Seconds of computing of this process.
    """

    def __init__(self, shell: Any, clock: Callable[[], float] = time.process_time) -> None:
        self.shell, self._clock = shell, clock
        self._slowest = 0.0
        self._began: float | None = None
        shell.events.register("pre_run_cell", self._begin)
        shell.events.register("post_run_cell", self._end)

    def _begin(self, *_: Any) -> None:
        self._began = self._clock()

    def _end(self, *_: Any) -> None:
        self._slowest, self._began = max(self._slowest, self._so_far()), None

    def _so_far(self) -> float:
        """Of the cell that runs."""
        return 0.0 if self._began is None else self._clock() - self._began

    def take(self) -> float:
        """The seconds of the slowest cell since the last time, the one that runs included."""
        found, self._slowest = max(self._slowest, self._so_far()), 0.0
        return found


_WATCHES: list[Stopwatch] = []  # the one of this notebook, as soon as it opens an exercise


def watch_cells() -> None:
    """Begin to watch the cells of this notebook, once; nothing outside a notebook."""
    module = sys.modules.get("IPython")
    shell = module.get_ipython() if module is not None and hasattr(module, "get_ipython") else None
    if hasattr(shell, "events") and not any(one.shell is shell for one in _WATCHES):
        _WATCHES[:] = [Stopwatch(shell)]


def too_slow(limit: float) -> str:
    """What to say of the slowest cell since the last check, if it takes more than half of the time that it may; else nothing."""
    slowest = max((one.take() for one in _WATCHES), default=0.0)
    if slowest <= limit / 2:
        return ""
    return (
        f"A cell computed for {slowest:.0f} seconds here; where this notebook is marked, a cell may compute for {limit:g}. "
        "Work on whole columns in place of single numbers, or on fewer of them."
    )
