"""Train many models, one after the other or in parallel, and store each result at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from ..runtime.checkpoint_file import CheckpointFile
from ..runtime.parallel_tasks import run_tasks

StorePath = str | PathLike[str] | None


def run_trainings(
    work: Callable[..., Any],
    tasks: Iterable[tuple[Any, ...]],
    total: int,
    about: Callable[[], Mapping[str, Any]],
    store: StorePath,
    *,
    jobs: int,
    progress: bool,
    what: str = "trainings",
    names: Sequence[str] | None = None,
    grows: Sequence[str] = (),
) -> list[Any]:
    """Run all tasks and return their results; `about` describes the call that makes a store (all values on which results depend)."""
    from sklearn import get_config

    checkpoint = None if store is None else CheckpointFile(store, about(), names, grows)
    results: dict[int, Any] = dict(checkpoint.results) if checkpoint else {}
    try:
        missing = [number for number in range(total) if number not in results]
        numbers, config = frozenset(missing), get_config()
        calls = ((config, work, *task) for number, task in enumerate(tasks) if number in numbers)
        for k, result in run_tasks(_with_sklearn_config, calls, total=len(missing), jobs=jobs, progress=progress, title="trainings"):
            results[missing[k]] = result
            if checkpoint:
                checkpoint.add(missing[k], result)
    except KeyboardInterrupt as stopped:
        where = "lost, because there is no store=" if store is None else f"stored in {Path(fspath(store))}; the same call continues there"
        stopped.add_note(f"{len(results)} of {total} {what} are done and {where}")
        raise
    finally:
        if checkpoint:
            checkpoint.close()
    return [results[number] for number in range(total)]


def _with_sklearn_config(config: dict[str, Any], work: Callable[..., Any], *task: Any) -> Any:
    """Run a task with the current settings of scikit-learn, which workers do not inherit."""
    from sklearn import config_context

    with config_context(**config):
        return work(*task)


def full_repr(thing: Any) -> str:
    """Return a text that identifies a model or a scorer."""
    from joblib import hash as digest

    try:
        # scikit-learn shortens long texts unless N_CHAR_MAX is large
        text = " ".join(thing.__repr__(N_CHAR_MAX=10**6).split())
    except TypeError:
        text = " ".join(repr(thing).split())
    return text if " at 0x" not in text else f"{type(thing).__name__} {getattr(thing, '__qualname__', '') or digest(thing)}"
