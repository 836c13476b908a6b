"""Fault tolerance of a grading run: an error in one student's data is reported, and does not stop the run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from pathlib import Path
from traceback import extract_tb
from typing import TypeVar

from .sandbox.bubblewrap_sandbox import SandboxUnavailable

R = TypeVar("R")
T = TypeVar("T")
PACKAGE = Path(__file__).parents[2]
# errors of the current grading run; None outside of a run
_ERRORS: ContextVar[list[str] | None] = ContextVar("failures", default=None)


@contextmanager
def collect_errors() -> Iterator[list[str]]:
    """Collect the errors of :func:`run_or_default` in a list during this block; the errors are not raised."""
    errors: list[str] = []
    token = _ERRORS.set(errors)
    try:
        yield errors
    finally:
        _ERRORS.reset(token)


def run_or_default(what: str, work: Callable[[], T], instead: T) -> T:
    """Return ``work()``.  If ``work()`` fails, record that `what` failed, with the error and its place, and return `instead`.

    A missing sandbox is not the failure of a single notebook, and ends the whole run.
    """
    try:
        return work()
    except SandboxUnavailable:
        raise
    except Exception as error:
        if (errors := _ERRORS.get()) is None:
            raise
        errors.append(f"{what} failed: {describe_error(error)}.")
        return instead


def describe_error(error: BaseException) -> str:
    """Describe an error with the line of the package that raised it."""
    ours = [frame for frame in extract_tb(error.__traceback__) if Path(frame.filename).is_relative_to(PACKAGE)]
    place = f", {Path(ours[-1].filename).relative_to(PACKAGE).as_posix()} line {ours[-1].lineno}" if ours else ""
    return f"{type(error).__name__}: {error}{place}"


def run_rows_or_default(what: str, work: Callable[[Sequence[R]], T], rows: Sequence[R], names: Callable[[R], str], instead: T) -> T:
    """Return ``work(rows)``; if it fails, return the result for the rows that do not fail, and record the names of the failing rows."""
    if _ERRORS.get() is None:
        return work(rows)
    none: list[T] = []
    with collect_errors():  # the call with all rows failed, so call with single rows to find the rows that cause the error
        if result := run_or_default(what, lambda: [work(rows)], none):
            return result[0]

    def single(row: R) -> list[T]:
        return [work([row])]

    good = [row for row in rows if run_or_default(f"{what}, {names(row)},", partial(single, row), none)]
    return run_or_default(what, partial(work, good), instead) if good else instead
