"""One call of a function that a student wrote: what came back, and what else it did.

Here and in the marker's worker, which has this file and none of the rest of the folder: it imports only what both have.
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

# The tests of other packages: whoever is asked to write one may compare with them, and not call them.
LIBRARY_TESTS = (
    "ttest_rel ttest_1samp ttest_ind ttest_ind_from_stats wilcoxon binomtest mannwhitneyu ranksums friedmanchisquare f_oneway "
    "permutation_test monte_carlo_test false_discovery_control tukey_hsd chi2_contingency multipletests"
)
LIBRARY_FOLDERS = ("scipy/stats/", "fstats/", "statsmodels/")  # in which they stand
SECONDS = 5.0  # after which a call is ended: a loop without end
TIMEOUT_MESSAGE = "no end within"
STUDENT_ERRORS = (
    Exception,
    SystemExit,
    GeneratorExit,
)  # what an object may raise that is only looked at: no Ctrl-C, no end of our patience


class CallResult(NamedTuple):
    """What one call did: its value, or its error in words; inputs that it changed; whether it printed; a ready-made test that it called."""

    value: Any = None
    raised: str = ""
    changed: tuple[str, ...] = ()
    printed: bool = False
    used: str = ""


class CallTimeout(BaseException):
    """Raised in a student's function that does not come to an end; no `except Exception` of his stops it."""


class LibraryTestCalled(BaseException):
    """Raised where a ready-made test is called that is not there; the message says which."""


class _DiscardingStream(TextIOBase):
    """A stream that keeps nothing, and knows whether something came."""

    def __init__(self) -> None:
        self.written = False

    def write(self, text: str, /) -> int:
        self.written = self.written or bool(text.strip())
        return len(text)


def call_function(function: Callable[..., Any], arguments: Mapping[str, Any], ready: Collection[str] | None = ()) -> CallResult:
    """Call a function with copies of its arguments; `ready` names functions besides the tests that it should not call (None: they
    are not there, and somebody else sees to its end).
    """
    own = {name: deepcopy(value) for name, value in arguments.items()}
    said = _DiscardingStream()
    used: list[str] = []
    try:
        watched = nullcontext() if ready is None else _watched(used, ready)
        in_time = nullcontext() if ready is None else time_limit(SECONDS, CallTimeout)
        with warnings.catch_warnings(action="ignore"), redirect_stdout(said), _nothing_to_read(), watched, in_time:
            value = function(*own.values())
    except LibraryTestCalled as one:
        return CallResult(used=str(one), printed=said.written)
    except CallTimeout:
        return CallResult(raised=f"{TIMEOUT_MESSAGE} {SECONDS:g} seconds", printed=said.written)
    except KeyboardInterrupt:  # Ctrl-C ends a long check: nothing tells it from one that a function raises, which none does by a slip
        raise
    except BaseException as error:  # whatever else a student's function may raise; `exit()` is no reason to end the notebook
        return CallResult(raised=describe_error(error), printed=said.written)
    changed = tuple(name for name, before in arguments.items() if not _unchanged(before, own[name]))
    return CallResult(value, changed=changed, printed=said.written, used=used[0] if used else "")


def call_on_cases(function: Callable[..., Any], cases: Iterable[Mapping[str, Any]], ready: Collection[str] = ()) -> list[CallResult]:
    """Call a function on every case; behind one that does not come to an end, no other is tried."""
    calls: list[CallResult] = []
    for arguments in cases:
        calls.append(calls[-1] if calls and calls[-1].raised.startswith(TIMEOUT_MESSAGE) else call_function(function, arguments, ready))
    return calls


@contextmanager
def time_limit(seconds: float, error: type[BaseException], clock: Callable[[], float] = time.monotonic) -> Iterator[None]:
    """End what runs here if it takes too long, in whatever thread and on whatever system: another thread raises an error in this one.

    A signal would do it on some systems, in the main thread only.  What waits in a library's own code ends when that returns.  The
    clock may be one that is slower than time, as that of a thread's own computing.
    """
    here, over, turn = threading.get_ident(), threading.Event(), threading.Lock()
    until = clock() + seconds

    def watch() -> None:
        raising, left = ctypes.pythonapi.PyThreadState_SetAsyncExc, seconds  # a page's Python has neither this nor threads
        while not over.wait(left):
            left = until - clock()
            if left > 0:
                continue
            left = seconds  # until it is raised again, should somebody have taken it for his own
            with turn:
                if not over.is_set():
                    raising(ctypes.c_ulong(here), ctypes.py_object(error))

    watcher = threading.Thread(target=watch, daemon=True)
    try:
        watcher.start()
    except RuntimeError:  # no thread to be had, as in the marker's worker, which has limits of its own, and in a page, which has "Stop"
        yield
        return
    try:
        yield
    finally:
        while not over.is_set():
            try:
                with turn:
                    over.set()
                for _ in range(9):  # one that is on its way arrives here
                    pass
            except error:
                continue


@contextmanager
def _nothing_to_read() -> Iterator[None]:
    """An empty input: `input()` waits for nobody, and `exit()`, which closes what is read from, closes nothing of ours."""
    before = sys.stdin
    sys.stdin = StringIO()
    try:
        yield
    finally:
        sys.stdin = before


def library_test_profiler(ready: Collection[str], tell: Callable[[str], object]) -> Callable[[FrameType, str, Any], None]:
    """A profile function that tells which ready-made tests are entered, by the files in which they stand."""
    names = frozenset({*LIBRARY_TESTS.split(), *ready})

    def enter(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event != "call" or (code.co_name not in names and code.co_name not in ("__post_init__", "rank")):
            return
        name, place = code.co_name, code.co_filename.replace("\\", "/")
        if name == "__post_init__":  # each procedure comes by here
            if place.endswith("fstats/core/procedure.py"):
                tell(f"fstats.{type(frame.f_locals['self']).__name__}")
        elif name == "rank":
            if "rankdata" in names and "pandas/" in place:
                tell("pandas's rank")
        elif package := next((one.partition("/")[0] for one in LIBRARY_FOLDERS if one in place), ""):
            tell(f"{package}'s {name}")

    return enter


@contextmanager
def _watched(used: list[str], ready: Collection[str]) -> Iterator[None]:
    """Write down which ready-made tests are entered."""
    enter = library_test_profiler(ready, used.append)
    before, of_threads = sys.getprofile(), threading.getprofile()
    sys.setprofile(enter)
    threading.setprofile(enter)  # those that are started from now on
    try:
        yield
    finally:
        sys.setprofile(before)
        threading.setprofile(of_threads)


def _unchanged(before: Any, after: Any) -> bool:
    try:
        return bool(np.array_equal(before, after, equal_nan=np.asarray(before).dtype.kind == "f"))
    except STUDENT_ERRORS:  # an input that cannot even be compared is no longer what it was
        return False


def describe_error(error: BaseException) -> str:
    """An error in words, whatever it is made of."""
    try:
        text = " ".join(str(error).split())
    except STUDENT_ERRORS:
        text = "(an error that cannot be shown)"
    return f"{type(error).__name__}: {text[:300]}" if text else type(error).__name__


def is_stub(function: Callable[..., Any]) -> bool:
    """Whether a function has no body yet: nothing happens in it but that dots, or nothing, come back."""
    code = function.__code__ if isinstance(function, FunctionType) else None
    idle, loads = {"RESUME", "NOP", "RETURN_VALUE", "CACHE"}, {"LOAD_CONST", "RETURN_CONST", "LOAD_COMMON_CONSTANT"}
    lines = get_instructions(code) if code else ()
    return code is not None and all(line.opname in idle or (line.opname in loads and line.argval in (None, ...)) for line in lines)
