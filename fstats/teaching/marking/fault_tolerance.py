"""What fails for one student, pair, picture or file is confined to it: everything else is written, and the report names it."""

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
_ERRORS: ContextVar[list[str] | None] = ContextVar("failures", default=None)  # of the run that goes on; None where nothing is confined


@contextmanager
def collect_errors() -> Iterator[list[str]]:
    """In this block what fails in :func:`run_or_default` is told in a list, and no error."""
    told: list[str] = []
    token = _ERRORS.set(told)
    try:
        yield told
    finally:
        _ERRORS.reset(token)


def run_or_default(what: str, work: Callable[[], T], instead: T) -> T:
    """The result of ``work()``; if it fails, `instead`, and a sentence about `what` failed, with the error and its place.

    That no wall stands is no failure of one notebook, and ends the run.
    """
    try:
        return work()
    except SandboxUnavailable:
        raise
    except Exception as error:
        if (told := _ERRORS.get()) is None:
            raise
        told.append(f"{what} failed: {describe_error(error)}.")
        return instead


def describe_error(error: BaseException) -> str:
    """An error with the line of the package at which it happened."""
    ours = [one for one in extract_tb(error.__traceback__) if Path(one.filename).is_relative_to(PACKAGE)]
    place = f", {Path(ours[-1].filename).relative_to(PACKAGE).as_posix()} line {ours[-1].lineno}" if ours else ""
    return f"{type(error).__name__}: {error}{place}"


def run_rows_or_default(what: str, work: Callable[[Sequence[R]], T], rows: Sequence[R], names: Callable[[R], str], instead: T) -> T:
    """The result of ``work(rows)``; if it fails, that of the rows with which it does not fail, each other one named."""
    if _ERRORS.get() is None:
        return work(rows)
    none: list[T] = []
    with collect_errors():  # whose fault it is, the single rows say
        if found := run_or_default(what, lambda: [work(rows)], none):
            return found[0]
    good = [row for row in rows if run_or_default(f"{what}, {names(row)},", partial(_run_single_row, work, row), none)]
    return run_or_default(what, partial(work, good), instead) if good else instead


def _run_single_row(work: Callable[[Sequence[R]], T], row: R) -> list[T]:
    return [work([row])]
