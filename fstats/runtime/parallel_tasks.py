"""Work that is cut into tasks: done here or by many workers, with a bar that shows how far it is."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any
from warnings import warn

from .optional_dependencies import require_extra

PATIENCE = 1.0  # seconds before the bar appears: what is done by then needs none
IN_A_PAGE = sys.platform == "wasi"  # Python in a browser has one worker, and no network


def each(
    work: Callable[..., Any],
    tasks: Iterable[tuple[Any, ...]],
    *,
    total: int,
    jobs: int = 1,
    progress: bool = True,
    title: str = "",
    apart: bool = False,
) -> Iterator[tuple[int, Any]]:
    """The number of each task and what came of ``work(*task)``, as they are finished: in any order if there are several workers.

    Parameters
    ----------
    work : callable
        What is to be done, a function that other processes can import or unpickle.
    tasks : iterable of tuples
        The arguments of each call, made when they are needed.
    total : int
        How many there are.
    jobs : int
        1 does everything here, in order; more are that many workers, -1 one for each core.  Who they are says
        :func:`joblib.parallel_config`: local processes, or the workers of a Dask cluster with ``backend="dask"``.
    progress : bool
        Whether a bar shows how far the work is, if somebody looks at it and it takes longer than a second: in a terminal on standard
        error; in a notebook, which shows what comes from there in red, on standard output.
    title : str
        What stands before the bar.
    apart : bool
        Whether each task travels alone, as large ones should; small ones go in batches.
    """
    _check_jobs(jobs)
    if jobs != 1 and IN_A_PAGE:
        warn(f"in a browser's page one worker does all the work: jobs={jobs} changes nothing", UserWarning, stacklevel=2)
        jobs = 1
    if jobs == 1 or total < 2:
        results: Iterator[tuple[int, Any]] = ((number, work(*task)) for number, task in enumerate(tasks))
    else:
        with require_extra("sklearn", "work by several workers"):
            from joblib import Parallel, delayed

        workers = Parallel(n_jobs=jobs, return_as="generator_unordered", batch_size=1 if apart else "auto")
        with undisturbed():  # which the processes that start here inherit: who began the work is interrupted, and ends them
            results = workers(delayed(_numbered)(number, work, *task) for number, task in enumerate(tasks))
    return _with_bar(results, total, title) if progress and _somebody_looks() else results


def _check_jobs(jobs: int) -> None:
    if isinstance(jobs, bool) or not isinstance(jobs, int) or jobs == 0:
        raise ValueError(f"jobs must be a whole number of workers, 1, 2, ..., or -1 for one on each core; got {repr(jobs)[:60]}")


def _numbered(number: int, work: Callable[..., Any], *task: Any) -> tuple[int, Any]:
    return number, work(*task)


def _in_a_notebook() -> bool:
    return "ipykernel" in sys.modules


def _somebody_looks() -> bool:
    """Whether standard error is a terminal or belongs to a notebook."""
    return _in_a_notebook() or bool(sys.stderr and sys.stderr.isatty())


def _with_bar(results: Iterator[Any], total: int, title: str) -> Iterator[Any]:
    try:
        from tqdm import tqdm
    except ImportError:  # then without
        return results
    shown = sys.stdout if _in_a_notebook() else sys.stderr
    bar: Iterator[Any] = iter(tqdm(results, desc=title, total=total, delay=PATIENCE, file=shown))
    return bar


@contextmanager
def undisturbed() -> Iterator[None]:
    """Ctrl-C changes nothing for a moment."""
    here = threading.current_thread() is threading.main_thread()
    before = signal.signal(signal.SIGINT, signal.SIG_IGN) if here else None
    try:
        yield
    finally:
        if here:
            signal.signal(signal.SIGINT, before)


def end_workers() -> None:
    """End the local processes that :func:`each` has started; else they wait for more work, for five minutes.

    They are killed, with what they have started, before anybody waits for them: an interrupt may have stopped who would tell them to end.
    """
    if "joblib.externals.loky" in sys.modules:
        from multiprocessing import active_children

        from joblib.externals.loky import get_reusable_executor
        from joblib.externals.loky.backend.utils import kill_process_tree

        with undisturbed():
            for process in active_children():
                if process.name.startswith("Loky"):
                    kill_process_tree(process)
            get_reusable_executor().shutdown(wait=True, kill_workers=True)


@contextmanager
def workers(backend: str = "loky", jobs: int = 1, scheduler: str | None = None) -> Iterator[None]:
    """Who does the work of :func:`each`, by name.

    Parameters
    ----------
    backend : str
        Of joblib: "loky" for processes here, "dask" for a cluster, or any other that it knows.
    jobs : int
        With "dask" and no scheduler: how many workers the cluster that is started here has; -1 lets Dask choose.
    scheduler : str, optional
        The address of a Dask cluster that is there.
    """
    _check_jobs(jobs)
    if scheduler and backend != "dask":
        raise ValueError(f"a scheduler is one of Dask's: backend must be dask; got {backend}")
    if backend == "loky":
        yield
        return
    if IN_A_PAGE:
        raise ValueError(f"a browser's page reaches no other workers: leave out backend={backend!r}, or compute where Python is installed")
    from joblib import parallel_config

    if backend != "dask":
        with parallel_config(backend=backend):
            yield
        return
    try:
        import distributed
    except ImportError:
        raise ValueError("the backend dask needs distributed: pip install distributed") from None
    client: Any = distributed.Client  # without types of its own
    started = {"n_workers": jobs if jobs > 0 else None, "threads_per_worker": 1, "dashboard_address": None}
    with client(scheduler) if scheduler else client(**started), parallel_config(backend="dask"):
        yield
