"""Timing of calls in pairs, and the lines of the table that ``python -m tests.benchmarks`` prints."""

import os
import statistics
import subprocess
import sys
import tempfile
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

import numpy as np

Work = Callable[[], object]


def seconds(work: Work, times: int = 1) -> float:
    """How long one call takes, on average over so many."""
    start = perf_counter()
    for _ in range(times):
        work()
    return (perf_counter() - start) / times


def in_turn(ours: Work, rival: Work, rounds: int, times: tuple[int, int] = (1, 1)) -> tuple[float, float]:
    """Medians of both, measured A B A B; `times` calls make up one measurement of each."""
    ours(), rival()  # the first call pays for imports and caches
    pairs = [(seconds(ours, times[0]), seconds(rival, times[1])) for _ in range(rounds)]
    return statistics.median(a for a, _ in pairs), statistics.median(b for _, b in pairs)


def alone(work: Work, rounds: int, times: int = 1) -> float:
    """The median where there is no rival."""
    work()
    return statistics.median(seconds(work, times) for _ in range(rounds))


def new_process(*arguments: str) -> Work:
    """Return a call that runs Python in a new process; its modules are compiled only once, as those of an installed package are."""
    compiled = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    compiled["PYTHONPYCACHEPREFIX"] = str(Path(tempfile.gettempdir()) / "fstats-benchmarks")
    return lambda: subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL, env=compiled)


def peak_memory(work: Work) -> float:
    """The most memory in use at once during one call, in bytes."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def same(ours: object, rival: object) -> None:
    """A race between two different answers would mean nothing."""
    np.testing.assert_allclose(np.asarray(ours, float), np.asarray(rival, float), rtol=1e-9)


def unit(value: float) -> str:
    """Seconds as a reader wants them."""
    for size, name in ((1, "s"), (1e-3, "ms"), (1e-6, "us")):
        if value >= size:
            return f"{value / size:.3g} {name}"
    return f"{value:.2g} s"


def line(what: str, ours: str, rival: str = "", ratio: str = "", target: str = "", met: bool | None = None) -> None:
    """One line of the table, as soon as it is known."""
    verdict = "" if met is None else "met" if met else "NOT met"
    print(f"{what:<58} {ours:>22} {rival:>10} {ratio:>8}  {target:<10} {verdict}", flush=True)


def faster(what: str, ours: float, rival: float, least: float) -> None:
    """A line for "at least so many times as fast"."""
    line(what, unit(ours), unit(rival), f"{rival / ours:.4g}x", f">= {least:g}x", rival / ours >= least)


def slower(what: str, ours: float, rival: float, most: float) -> None:
    """A line for "at most so many times as long"."""
    line(what, unit(ours), unit(rival), f"{ours / rival:.3g}x", f"<= {most:g}x", ours / rival <= most)


def race(what: str, ours: Work, rival: Work, rounds: int, times: tuple[int, int] = (1, 1), *, least: float) -> None:
    """A line for two ways to the same numbers."""
    same(ours(), rival())
    faster(what, *in_turn(ours, rival, rounds, times), least)


def within(what: str, limit: float, work: Work, rounds: int, times: int = 1) -> None:
    """A line for what has no rival, but a limit."""
    took = alone(work, rounds, times)
    line(what, unit(took), target=f"< {unit(limit)}", met=took < limit)
