"""Call a student's function and record its side effects.

The package and the sandbox both use this module.  The sandbox has no other folder of `teaching`, so this module imports no other folder.
"""

from __future__ import annotations

import ctypes
import sys
import threading
import time
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext, redirect_stdout
from copy import deepcopy
from dis import get_instructions
from io import StringIO, TextIOBase
from types import FrameType, FunctionType
from typing import Any, NamedTuple

import numpy as np

# Ready-made tests that a student's function may not call; other cells may call them, for example to check a result.
LIBRARY_TESTS = (
    "ttest_rel ttest_1samp ttest_ind ttest_ind_from_stats wilcoxon binomtest mannwhitneyu ranksums friedmanchisquare f_oneway "
    "permutation_test monte_carlo_test false_discovery_control tukey_hsd chi2_contingency multipletests"
)
LIBRARY_FOLDERS = ("scipy/stats/", "fstats/", "statsmodels/")  # folders of the libraries with ready-made tests
SECONDS = 5.0  # time limit of a call in seconds; it ends endless loops
TIMEOUT_MESSAGE = "no end within"
# Errors that a student's object may raise while it is read; KeyboardInterrupt and the marker's time limit are not among them.
STUDENT_ERRORS = (Exception, SystemExit, GeneratorExit)


class CallResult(NamedTuple):
    """Result of one call: value or error text, changed inputs, whether the function printed, and the ready-made test that it called."""

    value: Any = None
    raised: str = ""
    changed: tuple[str, ...] = ()
    printed: bool = False
    used: str = ""


class CallTimeout(BaseException):
    """Raised in a student's function that does not end; `except Exception` in the function does not catch this error."""


class LibraryTestCalled(BaseException):
    """Raised when a blocked ready-made test is called; the message names the test."""


class _DiscardingStream(TextIOBase):
    """A stream that discards text and records whether text was written."""

    def __init__(self) -> None:
        self.written = False

    def write(self, text: str, /) -> int:
        self.written = self.written or bool(text.strip())
        return len(text)


def call_function(function: Callable[..., Any], arguments: Mapping[str, Any], ready: Collection[str] | None = ()) -> CallResult:
    """Call a function with copies of its arguments.

    `ready` names functions, besides the ready-made tests, that must not be called.  If `ready` is None, the tests are blocked already, and
    the caller enforces the time limit.
    """
    own = {name: deepcopy(value) for name, value in arguments.items()}
    stream = _DiscardingStream()
    used: list[str] = []
    try:
        watched = nullcontext() if ready is None else _watched(used, ready)
        in_time = nullcontext() if ready is None else time_limit(SECONDS, CallTimeout)
        with warnings.catch_warnings(action="ignore"), redirect_stdout(stream), _empty_input(), watched, in_time:
            value = function(*own.values())
    except LibraryTestCalled as error:
        return CallResult(used=str(error), printed=stream.written)
    except CallTimeout:
        return CallResult(raised=f"{TIMEOUT_MESSAGE} {SECONDS:g} seconds", printed=stream.written)
    except KeyboardInterrupt:
        # the user has probably pressed Ctrl-C to end a long check, so raise the error again
        raise
    except BaseException as error:  # other errors must not end the notebook, not even the SystemExit of `exit()`
        return CallResult(raised=describe_error(error), printed=stream.written)
    changed = tuple(name for name, before in arguments.items() if not _unchanged(before, own[name]))
    return CallResult(value, changed=changed, printed=stream.written, used=used[0] if used else "")


def call_on_cases(function: Callable[..., Any], cases: Iterable[Mapping[str, Any]], ready: Collection[str] = ()) -> list[CallResult]:
    """Call a function on every case; after a call that did not end, the remaining cases are not tried."""
    calls: list[CallResult] = []
    for arguments in cases:
        calls.append(calls[-1] if calls and calls[-1].raised.startswith(TIMEOUT_MESSAGE) else call_function(function, arguments, ready))
    return calls


@contextmanager
def time_limit(seconds: float, error: type[BaseException], clock: Callable[[], float] = time.monotonic) -> Iterator[None]:
    """Limit the duration of a block of code: another thread raises an error in the current thread.

    The method works in every thread and on every system; a signal would work on some systems only, and only in the main thread.  Code that
    waits inside a library ends when the library returns.  The parameter `clock` may be slower than real time, for example the CPU time of a
    thread.
    """
    here, over, turn = threading.get_ident(), threading.Event(), threading.Lock()
    until = clock() + seconds

    def watch() -> None:
        # look up this function only inside the thread, because browsers have neither threads nor this function
        raising, left = ctypes.pythonapi.PyThreadState_SetAsyncExc, seconds
        while not over.wait(left):
            left = until - clock()
            if left > 0:
                continue
            left = seconds  # the code may catch the error, so it is raised again after each interval
            with turn:
                if not over.is_set():
                    raising(ctypes.c_ulong(here), ctypes.py_object(error))

    watcher = threading.Thread(target=watch, daemon=True)
    try:
        watcher.start()
    except RuntimeError:
        # without threads there is no limit here; the marker has its own limits, and a page in a browser has a "Stop" button
        yield
        return
    try:
        yield
    finally:
        while True:  # the time-limit error may arrive at any call, so all calls are inside of this `try`
            try:
                with turn:
                    over.set()
                for _ in range(9):  # an error that the other thread has already sent arrives during this loop
                    pass
                break
            except error:
                continue


@contextmanager
def _empty_input() -> Iterator[None]:
    """Replace the standard input by an empty one: `input()` does not wait, and `exit()` closes only the replacement."""
    before = sys.stdin
    sys.stdin = StringIO()
    try:
        yield
    finally:
        sys.stdin = before


def library_test_profiler(ready: Collection[str], tell: Callable[[str], object]) -> Callable[[FrameType, str, Any], None]:
    """Return a profile function that reports calls of ready-made tests; tests are recognised by the folder of their file."""
    names = frozenset({*LIBRARY_TESTS.split(), *ready})

    def enter(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event != "call" or (code.co_name not in names and code.co_name not in ("__post_init__", "rank")):
            return
        name, path = code.co_name, code.co_filename.replace("\\", "/")
        if name == "__post_init__":  # every procedure of fstats calls __post_init__ of the base class
            if path.endswith("fstats/core/procedure.py"):
                tell(f"fstats.{type(frame.f_locals['self']).__name__}")
        elif name == "rank":
            if "rankdata" in names and "pandas/" in path:
                tell("pandas's rank")
        elif package := next((folder.partition("/")[0] for folder in LIBRARY_FOLDERS if folder in path), ""):
            tell(f"{package}'s {name}")

    return enter


@contextmanager
def _watched(used: list[str], ready: Collection[str]) -> Iterator[None]:
    """Record the names of ready-made tests that are called inside of this block."""
    enter = library_test_profiler(ready, used.append)
    before, of_threads = sys.getprofile(), threading.getprofile()
    sys.setprofile(enter)
    threading.setprofile(enter)  # the function may start threads, which need their own profile function
    try:
        yield
    finally:
        sys.setprofile(before)
        threading.setprofile(of_threads)


def _unchanged(before: Any, after: Any) -> bool:
    try:
        return bool(np.array_equal(before, after, equal_nan=np.asarray(before).dtype.kind == "f"))
    except STUDENT_ERRORS:  # if an input can no longer be compared, the function has changed it
        return False


def describe_error(error: BaseException) -> str:
    """Describe an error in one line, even if the error itself cannot be displayed."""
    try:
        text = " ".join(str(error).split())
    except STUDENT_ERRORS:
        text = "(an error that cannot be shown)"
    return f"{type(error).__name__}: {text[:300]}" if text else type(error).__name__


def is_stub(function: Callable[..., Any]) -> bool:
    """Return whether a function has no body yet, so that the function does nothing and returns dots (`...`) or None."""
    code = function.__code__ if isinstance(function, FunctionType) else None
    idle, loads = {"RESUME", "NOP", "RETURN_VALUE", "CACHE"}, {"LOAD_CONST", "RETURN_CONST", "LOAD_COMMON_CONSTANT"}
    lines = get_instructions(code) if code else ()
    return code is not None and all(line.opname in idle or (line.opname in loads and line.argval in (None, ...)) for line in lines)
