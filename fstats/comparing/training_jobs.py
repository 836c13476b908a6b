"""Many trainings: done here or by workers, and each kept in a store, where there is one, as soon as it is done."""

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
    """What came of each task, as a store keeps it; `about` says what a store is made from: whatever the results depend on."""
    from sklearn import get_config

    kept = None if store is None else CheckpointFile(store, about(), names, grows)
    found: dict[int, Any] = dict(kept.results) if kept else {}
    try:
        todo = [number for number in range(total) if number not in found]
        left, config = frozenset(todo), get_config()
        calls = ((config, work, *task) for number, task in enumerate(tasks) if number in left)
        for k, result in run_tasks(_with_sklearn_config, calls, total=len(todo), jobs=jobs, progress=progress, title="trainings"):
            found[todo[k]] = result
            if kept:
                kept.add(todo[k], result)
    except KeyboardInterrupt as stopped:
        where = "lost, as there is no store=" if store is None else f"kept in {Path(fspath(store))}; the same call goes on there"
        stopped.add_note(f"{len(found)} of {total} {what} are done and {where}")
        raise
    finally:
        if kept:
            kept.close()
    return [found[number] for number in range(total)]


def _with_sklearn_config(config: dict[str, Any], work: Callable[..., Any], *task: Any) -> Any:
    """The work under scikit-learn's settings as they are here, which workers elsewhere do not know."""
    from sklearn import config_context

    with config_context(**config):
        return work(*task)


def full_repr(thing: Any) -> str:
    """A model or a scorer in words that tell it from any other."""
    from joblib import hash as digest

    try:
        words = " ".join(thing.__repr__(N_CHAR_MAX=10**6).split())  # scikit-learn's, not cut off
    except TypeError:
        words = " ".join(repr(thing).split())
    return words if " at 0x" not in words else f"{type(thing).__name__} {getattr(thing, '__qualname__', '') or digest(thing)}"
