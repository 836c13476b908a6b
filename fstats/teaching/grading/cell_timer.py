"""Timer of notebook cells, which warns students about cells that are too slow for the marking."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

from .student_lines.code_history import record_failure


class Stopwatch:
    """Measure the computing time of the slowest cell since the last request.

    Parameters
    ----------
    shell : object
        IPython's shell, whose events mark the begin and end of a cell.
    clock : callable
        Returns the CPU time of this process in seconds.
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
        """Return the computing time that the running cell has used."""
        return 0.0 if self._began is None else self._clock() - self._began

    def take(self) -> float:
        """Return the seconds of the slowest cell since the last request, including the running cell."""
        slowest, self._slowest = max(self._slowest, self._so_far()), 0.0
        return slowest


_WATCHES: list[Stopwatch] = []  # one stopwatch for this notebook; the list is empty until an exercise is opened


def watch_cells() -> None:
    """Start to time the cells of this notebook and to record their errors; do nothing outside a notebook or if it has started already."""
    module = sys.modules.get("IPython")
    shell = module.get_ipython() if module is not None and hasattr(module, "get_ipython") else None
    if hasattr(shell, "events") and not any(one.shell is shell for one in _WATCHES):
        _WATCHES[:] = [Stopwatch(shell)]
        shell.events.register("post_run_cell", record_failure)  # type: ignore[union-attr]


def too_slow(limit: float) -> str:
    """Warn if the slowest cell since the last check took more than half of the allowed time; else return an empty text."""
    slowest = max((one.take() for one in _WATCHES), default=0.0)
    if slowest <= limit / 2:
        return ""
    return (
        f"A cell computed for {slowest:.0f} seconds; when this notebook is marked, a cell may compute for {limit:g} seconds. "
        "Compute with whole arrays instead of single numbers, or with fewer numbers."
    )
