"""Run tasks in parallel with a progress bar."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any
from warnings import warn

from .optional_dependencies import require_extra

BAR_DELAY = 1.0  # seconds before the progress bar appears, so that short work shows no bar
IN_BROWSER = sys.platform == "wasi"  # True in a browser, where Python has one worker and no network


def run_tasks(
    work: Callable[..., Any],
    tasks: Iterable[tuple[Any, ...]],
    *,
    total: int,
    jobs: int = 1,
    progress: bool = True,
    title: str = "",
    single: bool = False,
) -> Iterator[tuple[int, Any]]:
    """Yield the number and the result of each finished task ``work(*task)``; several workers finish tasks in any order.

    Parameters
    ----------
    work : callable
        The function to call; other processes must be able to import or unpickle it.
    tasks : iterable of tuples
        The arguments of each call; the iterable is consumed when the arguments are needed.
    total : int
        Number of tasks.
    jobs : int
        1 runs everything in this process, in order; a larger number is the number of workers; -1 starts one worker for each core.
        :func:`joblib.parallel_config` chooses the workers: local processes, or those of a Dask cluster with ``backend="dask"``.
    progress : bool
        Whether to show a progress bar if the work takes longer than a second: in a terminal on standard error, in a notebook on
        standard output, because notebooks show standard error in red.  Without terminal or notebook there is no bar.
    title : str
        Text before the bar.
    single : bool
        Whether each task is sent to a worker separately, which is better for large tasks; small tasks are sent in batches.
    """
    _check_jobs(jobs)
    if jobs != 1 and IN_BROWSER:
        warn(f"Python in a browser has one worker only: jobs={jobs} has no effect", UserWarning, stacklevel=2)
        jobs = 1
    if jobs == 1 or total < 2:
        results: Iterator[tuple[int, Any]] = ((number, work(*task)) for number, task in enumerate(tasks))
    else:
        with require_extra("sklearn", "work with several workers"):
            from joblib import Parallel, delayed

        workers = Parallel(n_jobs=jobs, return_as="generator_unordered", batch_size=1 if single else "auto")
        # workers inherit this setting; Ctrl-C then interrupts only this process, which ends the workers
        with ignore_interrupts():
            results = workers(delayed(_numbered)(number, work, *task) for number, task in enumerate(tasks))
    return _with_bar(results, total, title) if progress and _has_viewer() else results


def _check_jobs(jobs: int) -> None:
    if isinstance(jobs, bool) or not isinstance(jobs, int) or jobs == 0:
        raise ValueError(f"`jobs` must be a number of workers (1, 2, ...), or -1 for one worker on each core; got {repr(jobs)[:60]}")


def _numbered(number: int, work: Callable[..., Any], *task: Any) -> tuple[int, Any]:
    return number, work(*task)


def _in_a_notebook() -> bool:
    return "ipykernel" in sys.modules


def _has_viewer() -> bool:
    """Return whether standard error is a terminal or the process runs a notebook."""
    return _in_a_notebook() or bool(sys.stderr and sys.stderr.isatty())


def _with_bar(results: Iterator[Any], total: int, title: str) -> Iterator[Any]:
    try:
        from tqdm import tqdm
    except ImportError:  # without tqdm, there is no progress bar
        return results
    stream = sys.stdout if _in_a_notebook() else sys.stderr
    bar: Iterator[Any] = iter(tqdm(results, desc=title, total=total, delay=BAR_DELAY, file=stream))
    return bar


@contextmanager
def ignore_interrupts() -> Iterator[None]:
    """Ignore Ctrl-C inside the block (without effect outside the main thread)."""
    is_main = threading.current_thread() is threading.main_thread()
    before = signal.signal(signal.SIGINT, signal.SIG_IGN) if is_main else None
    try:
        yield
    finally:
        if is_main:
            signal.signal(signal.SIGINT, before)


def end_workers() -> None:
    """End the local processes that :func:`run_tasks` has started; otherwise these processes wait for more work for five minutes.

    The processes are killed, together with their child processes, before the executor is shut down, because an interrupt may have
    stopped the thread that tells processes to end.
    """
    if "joblib.externals.loky" in sys.modules:
        from multiprocessing import active_children

        from joblib.externals.loky import get_reusable_executor
        from joblib.externals.loky.backend.utils import kill_process_tree

        with ignore_interrupts():
            for process in active_children():
                if process.name.startswith("Loky"):
                    kill_process_tree(process)
            get_reusable_executor().shutdown(wait=True, kill_workers=True)


@contextmanager
def worker_backend(backend: str = "loky", jobs: int = 1, scheduler: str | None = None) -> Iterator[None]:
    """Choose the workers of :func:`run_tasks` by the name of a backend.

    Parameters
    ----------
    backend : str
        A backend of joblib: "loky" for local processes, "dask" for a cluster, or another backend.
    jobs : int
        Number of workers of the cluster that is started if the backend is "dask" without scheduler; -1 lets Dask choose the number.
    scheduler : str, optional
        The address of an existing Dask cluster.
    """
    _check_jobs(jobs)
    if scheduler and backend != "dask":
        raise ValueError(f"`backend` must be 'dask' if `scheduler=` is given; got {backend!r}")
    if backend == "loky":
        yield
        return
    if IN_BROWSER:
        raise ValueError(f"Python in a browser has only one worker. Leave out backend={backend!r}, or use an installed Python.")
    from joblib import parallel_config

    if backend != "dask":
        with parallel_config(backend=backend):
            yield
        return
    try:
        import distributed
    except ImportError:
        raise ValueError("backend='dask' needs the package distributed, which is not installed. Run `pip install distributed`.") from None
    client: Any = distributed.Client  # distributed has no type hints
    started = {"n_workers": jobs if jobs > 0 else None, "threads_per_worker": 1, "dashboard_address": None}
    with client(scheduler) if scheduler else client(**started), parallel_config(backend="dask"):
        yield
