"""Units of work: done by any number of workers with the same numbers, kept as they come, taken up again after a crash."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ..core.validation.keyword_arguments import with_suggestions
from ..runtime.checkpoint_file import CheckpointFile
from ..runtime.parallel_tasks import run_tasks


@with_suggestions
def run(
    work: Callable[[Any, np.random.SeedSequence], Any],
    units: Sequence[Any],
    *,
    arguments: Mapping[str, Any],
    rng: int = 0,
    jobs: int = 1,
    store: str | os.PathLike[str] | None = None,
    progress: bool = True,
) -> list[Any]:
    """Do every unit of a large work and return what came of them, in the order of the units.

    Parameters
    ----------
    work : callable
        ``work(unit, seed)``; what it returns is kept as JSON: numbers, text, lists and dictionaries of them.
    units : sequence
        One entry for each unit, anything that JSON can hold.
    arguments : mapping
        What the work depends on, in words and numbers that JSON can hold.
    rng : int
        Seed of the whole; that of a unit, a numpy SeedSequence, follows from it and the unit's number alone.
    jobs : int
        How many workers; -1 takes all cores.  Who they are says :func:`joblib.parallel_config`: local processes, or a Dask cluster with
        ``backend="dask"``.  The numbers do not depend on it.
    store : path, optional
        A file that keeps each unit as soon as it is done, a line of JSON.  If the run is killed, the same call goes on where it
        stopped; of a finished run it returns the results.  The first line tells what the file was made from.  One run at a time writes
        to it: a second is refused.
    progress : bool
        Whether a bar appears on standard error where it takes longer than a second.

    Returns
    -------
    list
        What came of each unit, as JSON gives it back (tuples are lists), whether it was kept or computed.

    Raises
    ------
    ValueError
        For a store that was made by other arguments, a file that is none, or a store that another run is writing to.

    Examples
    --------
    >>> from fstats.simulate import run
    >>> def mean(size, seed):
    ...     return float(np.random.default_rng(seed).normal(size=size).mean())
    >>> abs(run(mean, [10, 1000], arguments={"of": "normal numbers"})[1]) < 0.2
    True
    """
    if isinstance(rng, bool) or not isinstance(rng, (int, np.integer)) or rng < 0:
        raise ValueError(f"rng must be a whole number not below 0, from which a run can be repeated; got {rng!r}")
    listed = _json_round_trip(list(units))
    about = {
        "work": _qualified_name(work),
        "arguments": _json_round_trip(dict(arguments)),
        "rng": int(rng),
        "units": len(listed),
        "sha256 of units": hashlib.sha256(json.dumps(listed).encode()).hexdigest(),
    }
    kept = CheckpointFile(store, about) if store is not None else None
    try:
        results: dict[int, Any] = dict(kept.results) if kept else {}
        todo = [number for number in range(len(listed)) if number not in results]
        tasks = ((work, listed[number], int(rng), number) for number in todo)
        for k, result in run_tasks(_run_unit, tasks, total=len(todo), jobs=jobs, progress=progress, title="units", single=True):
            results[todo[k]] = result
            if kept:
                kept.add(todo[k], result)
    finally:
        if kept:
            kept.close()
    return [results[number] for number in range(len(listed))]


def _run_unit(work: Callable[[Any, np.random.SeedSequence], Any], unit: Any, rng: int, number: int) -> Any:
    return _json_round_trip(work(unit, np.random.SeedSequence(rng, spawn_key=(number,))))


def _json_round_trip(value: Any) -> Any:
    """As it comes back from a file."""
    return json.loads(json.dumps(value, default=lambda x: x.tolist()))


def _qualified_name(work: Any) -> str:
    work = getattr(work, "func", work)  # what is partially applied
    return f"{work.__module__}.{work.__qualname__}"
