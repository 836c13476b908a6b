"""Whatever a student's code raises is an answer like any other, `exit()` as well; only Ctrl-C, which is the person's, ends a check."""

import _thread
import asyncio
import builtins
import ctypes
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, NoReturn

import pytest

from fstats import exercise
from fstats.teaching.course.catalogue import exercise_names
from fstats.teaching.grading.question import Choice, Function
from fstats.teaching.grading.task import Task
from fstats.teaching.sandbox_runtime.function_call import call_function, describe_error, is_stub
from fstats.teaching.sandbox_runtime.json_serialisation import serialise


class Stop(BaseException):
    """No Exception."""


def by(error: BaseException) -> Callable[..., NoReturn]:
    """A call that raises."""

    def raises(*_: Any) -> NoReturn:
        raise error

    return raises


RAISING: dict[str, Callable[[], Any]] = {
    "SystemExit": sys.exit,
    "SystemExit: done": lambda: sys.exit("done"),
    "SystemExit: None": lambda: builtins.exit(),
    "SystemExit: 3": lambda: builtins.quit(3),
    "GeneratorExit": by(GeneratorExit()),
    "StopIteration": by(StopIteration()),
    "Stop": by(Stop()),
    "CancelledError": by(asyncio.CancelledError()),
    "RecursionError: deep": by(RecursionError("deep")),
    "EOFError: EOF when reading a line": lambda: input("your answer: "),
}
FUNCTIONS = [
    (name, question.key) for name in exercise_names() for question in exercise(name).exercise.questions if isinstance(question, Function)
]


# -- functions -------------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("raised", RAISING)
@pytest.mark.parametrize(("name", "key"), FUNCTIONS)
def test_a_function_that_raises_is_told_what(name: str, key: str, raised: str) -> None:
    """And what to do; the next answer is looked at as ever, and what is read from stays open."""
    task, stdin = exercise(name), sys.stdin
    said = task.check(key, lambda *_: RAISING[raised]())
    assert said.verdict == "unreadable"
    assert said.lines[0].startswith(f"Your function raised {raised}")
    assert ("return the value instead" if raised.startswith("SystemExit") else "repeat this call") in said.lines[0]
    assert sys.stdin is stdin
    assert not stdin.closed
    assert task.check(key, lambda *_: "three").verdict == "unreadable"
    assert [verdict for question, _, verdict in task.progress().entries if question == key] == ["unreadable"]
    assert not task.is_right(key, lambda *_: RAISING[raised]())


def test_a_function_that_ends_python_on_some_data_only_is_told_so() -> None:
    def leaves(sizes: Any) -> Any:
        if len(set(sizes)) < len(sizes):
            sys.exit("ties are not supported")
        return sizes.argsort().argsort() + 1.0

    said = exercise("write_your_own_test").check("q1", leaves)
    assert said.lines[0].startswith("Your function raised SystemExit: ties are not supported; exit(), quit()")


def test_a_function_is_called_where_no_thread_could_end_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a page, whose Python has no threads, and nothing that raises an error in another one."""
    monkeypatch.setattr(threading.Thread, "start", by(RuntimeError("can't start new thread")))
    monkeypatch.delattr(ctypes, "pythonapi")
    assert call_function(lambda a: a + 1, {"a": 2}).value == 3


def interrupted(interrupts: Callable[[], None]) -> Callable[..., None]:
    """A function that is interrupted, and would go on for a while."""

    def waits(*_: Any) -> None:
        interrupts()
        until = time.monotonic() + 4
        while time.monotonic() < until:
            time.sleep(0.01)

    return waits


def test_ctrl_c_ends_a_check() -> None:
    """Python's own handler raises it, wherever the check is; then everything is as before."""
    task, before = exercise("write_your_own_test"), (sys.stdin, sys.stdout, sys.getprofile())
    former = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores the signal
    try:
        with pytest.raises(KeyboardInterrupt):
            task.check("q2", interrupted(_thread.interrupt_main))
    finally:
        signal.signal(signal.SIGINT, former)
    assert (sys.stdin, sys.stdout, sys.getprofile()) == before
    assert task.check("q2", lambda a, b: 0.5).verdict == "unknown"  # noqa: ARG005


# -- objects ---------------------------------------------------------------------------------------------------------------------
def odd(method: str, error: type[BaseException]) -> Any:
    """An object one of whose methods raises."""

    def raises(*_: Any, **__: Any) -> NoReturn:
        raise error

    kind = list if method == "__iter__" else object
    return type("Odd", (kind,), {method: raises, "__hash__": lambda self: 0})()  # noqa: ARG005


METHODS = ("__repr__", "__array__", "__eq__", "__len__", "__iter__", "__float__")
ODD = [(method, error) for method in METHODS for error in (SystemExit, GeneratorExit, ValueError)]


def one_of_each_kind() -> Iterator[tuple[str, str]]:
    """A question for a number, a column, a table, yes or no, a name, a choice, a function."""
    yield from [
        ("paired_t_by_hand", "q3"),
        ("paired_t_by_hand", "q1"),
        ("friedman_and_nemenyi", "q1"),
        ("paired_t_by_hand", "q9"),
        ("paired_t_by_hand", "q10"),
        ("hack_a_verdict", "q5"),
        ("write_your_own_test", "q1"),
    ]


@pytest.mark.parametrize(("method", "error"), ODD)
@pytest.mark.parametrize(("name", "key"), list(one_of_each_kind()))
def test_an_object_that_raises_is_not_what_was_asked_for(name: str, key: str, method: str, error: type[BaseException]) -> None:
    task = exercise(name)
    for value in (odd(method, error), [odd(method, error)], [..., odd(method, error)]):
        assert task.check(key, value).verdict in ("unreadable", "unanswered")
    for value in ((lambda *_: odd(method, error)), (lambda *_: [odd(method, error)]), (lambda *_: [..., odd(method, error)])):
        assert task.check(key, value).verdict in ("unreadable", "unanswered")


def test_an_object_that_is_called_may_raise_wherever_it_is_looked_at() -> None:
    """Its attributes, its comparison; and the words of its error."""

    class Caller:
        __hash__ = None  # type: ignore[assignment]

        def __call__(self, *_: Any) -> float:
            return 0.5

        def __getattr__(self, name: str) -> NoReturn:
            raise SystemExit

        def __eq__(self, other: object) -> bool:
            raise SystemExit

    class Mute(Exception):
        def __str__(self) -> str:
            raise SystemExit

    task = exercise("write_your_own_test")
    for _ in range(2):
        assert task.check("q2", Caller()).verdict == "unknown"
    assert not is_stub(Caller())
    assert describe_error(Mute()) == "Mute: (an error that cannot be shown)"
    assert "raised Mute: (an error that cannot be shown)" in task.check("q2", lambda *_: by(Mute())()).lines[0]


def test_a_function_is_empty_where_dots_or_nothing_come_back() -> None:
    """Whatever a version of Python makes of these lines: a number is an answer."""

    def documented() -> Any:
        """What it should do."""

    assert all(is_stub(one) for one in (lambda: ..., lambda: None, documented))
    assert not any(is_stub(one) for one in (lambda: 0, lambda: 0.5, lambda: "d", lambda: all))


def test_ctrl_c_is_not_taken_for_an_answer() -> None:
    task = exercise("paired_t_by_hand")
    with pytest.raises(KeyboardInterrupt):
        task.check("q3", type("Odd", (Fraction,), {"numerator": property(by(KeyboardInterrupt()))})(1))
    with pytest.raises(KeyboardInterrupt):
        call_function(by(KeyboardInterrupt()), {})


# -- in the marker's worker ------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("error", [SystemExit, GeneratorExit, KeyboardInterrupt, ValueError])
def test_a_value_that_raises_is_delivered_as_an_object(error: type[BaseException]) -> None:
    """One call of a function whose value cannot be read must not hide the others; a list is what Python keeps in it."""
    assert serialise(odd("__array__", error)) == {"shown": "an object of the type Odd: write numpy.array(...) around it"}
    assert serialise(type("Odd", (Fraction,), {"numerator": property(by(error))})(1)) == {"shown": "an object of the type Odd"}
    assert serialise(type("Odd", (list,), {"__iter__": lambda _: (_ for _ in ()).throw(error)})([1, 2])) == [1, 2]


def test_the_choices_and_values_of_all_exercises_read_what_ends_python() -> None:
    for name in exercise_names():
        task: Task = exercise(name)
        for question in task.exercise.questions:
            for method in ("__repr__", "__array__"):
                said = task.check(question.key, odd(method, SystemExit))
                assert said.verdict == "unreadable", (name, question.key)
                assert not isinstance(question, Choice) or "a letter from a to" in said.lines[0].lower()
