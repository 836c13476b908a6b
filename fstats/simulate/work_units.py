"""Run simulations in parallel and resume them.

The units of work do not depend on the number of workers, and a simulation continues after a crash.
"""

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
    """Do all units of a large work and return their results, in the order of the units.

    Parameters
    ----------
    work : callable
        Function ``work(unit, seed)``; the result is stored as JSON: numbers, text, and lists or dictionaries of numbers and text.
    units : sequence
        One entry for each unit, of any type that JSON can hold.
    arguments : mapping
        All values on which the results depend, as text and numbers that JSON can hold.
    rng : int
        Seed of the whole work.  The seed of a unit, a numpy SeedSequence, depends only on `rng` and on the number of the unit.
    jobs : int
        Number of workers; -1 uses all cores.  :func:`joblib.parallel_config` sets the kind of workers: local processes, or a Dask cluster
        with ``backend="dask"``.  The results do not depend on the number of workers.
    store : path, optional
        A file that stores the result of each unit at once, as a line of JSON.  If the run is killed, the same call continues where the
        run stopped; after a finished run the same call returns the results.  The first line describes the call that made the file.
        Only one run at a time may write to the file.
    progress : bool
        Whether to show a progress bar on standard error if the work takes longer than a second.

    Returns
    -------
    list
        The result of each unit, as read from JSON (tuples become lists), both for stored and for computed results.

    Raises
    ------
    ValueError
        If the store was made with other arguments, if the file is not a store, or if another run is writing to the store.

    Examples
    --------
    >>> from fstats.simulate import run
    >>> def mean(size, seed):
    ...     return float(np.random.default_rng(seed).normal(size=size).mean())
    >>> abs(run(mean, [10, 1000], arguments={"of": "normal numbers"})[1]) < 0.2
    True
    """
    if isinstance(rng, bool) or not isinstance(rng, (int, np.integer)) or rng < 0:
        raise ValueError(f"`rng` must be a whole number of at least 0, so that the computation can be repeated; got {rng!r}")
    listed = _json_round_trip(list(units))
    about = {
        "work": _qualified_name(work),
        "arguments": _json_round_trip(dict(arguments)),
        "rng": int(rng),
        "units": len(listed),
        "sha256 of units": hashlib.sha256(json.dumps(listed).encode()).hexdigest(),
    }
    checkpoint = CheckpointFile(store, about) if store is not None else None
    try:
        results: dict[int, Any] = dict(checkpoint.results) if checkpoint else {}
        missing = [number for number in range(len(listed)) if number not in results]
        tasks = ((work, listed[number], int(rng), number) for number in missing)
        for k, result in run_tasks(_run_unit, tasks, total=len(missing), jobs=jobs, progress=progress, title="units", single=True):
            results[missing[k]] = result
            if checkpoint:
                checkpoint.add(missing[k], result)
    finally:
        if checkpoint:
            checkpoint.close()
    return [results[number] for number in range(len(listed))]


def _run_unit(work: Callable[[Any, np.random.SeedSequence], Any], unit: Any, rng: int, number: int) -> Any:
    return _json_round_trip(work(unit, np.random.SeedSequence(rng, spawn_key=(number,))))


def _json_round_trip(value: Any) -> Any:
    """Convert a value to JSON and back, so that computed results are equal to stored results."""
    return json.loads(json.dumps(value, default=lambda x: x.tolist()))


def _qualified_name(work: Any) -> str:
    work = getattr(work, "func", work)  # a functools.partial object contains the function
    return f"{work.__module__}.{work.__qualname__}"
