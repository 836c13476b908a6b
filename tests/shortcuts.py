"""Shorter forms of pytest.raises and pytest.mark.parametrize, and tables of calls that are refused."""

import builtins
import tomllib
from collections.abc import Callable, Iterable
from operator import attrgetter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fstats


def assert_raises(call: Callable[[], Any], match: str, error: type[BaseException] | tuple[type[BaseException], ...] = ValueError) -> None:
    """Check that a call raises an error with these words."""
    with pytest.raises(error, match=match):
        call()


def assert_each_raises(call: Callable[[Any], Any], values: Iterable[Any], match: str, error: Any = ValueError) -> None:
    """Check that a call raises an error with these words for each of these values."""
    for value in values:
        with pytest.raises(error, match=match):
            call(value)


def parametrize(names: str, *cases: Any, **options: Any) -> pytest.MarkDecorator:
    """Mark a test that runs once for each case; names are separated by commas, and a last one, error, is ValueError if a case has none."""
    if names.endswith(", error"):
        cases = tuple((*case, ValueError) if len(case) == names.count(",") else case for case in cases)
    return pytest.mark.parametrize(names, cases, **options)


def refused_calls(path: Path) -> list[tuple[Any, ...]]:
    """Return a row for each call of a table: the call, its arguments, words of the refusal, and the error if it is not a ValueError."""
    found: list[tuple[Any, ...]] = []
    for calls, (first, *rows) in tomllib.loads(path.read_text(encoding="utf-8")).items():
        given, rows = (first, rows) if isinstance(first, dict) else ({}, [first, *rows])
        found += [(call, given | own, *says) for call in calls.split() for own, *says in rows]
    return found


def argument(value: Any) -> Any:
    """Return a table of ones or zeros by its shape, a class by its name, and any other value itself."""
    match value:
        case {"ones": shape}:
            return np.ones(shape)
        case {"zeros": shape}:
            return np.zeros(shape)
        case {"class": name}:
            return getattr(fstats, name)
    return value


def assert_refused(call: str, given: dict[str, Any], message: str, error: str = "ValueError") -> None:
    """Check that a function or class of the package refuses these arguments with these words."""
    arguments = {name: argument(value) for name, value in given.items()}
    assert_raises(lambda: attrgetter(call)(fstats)(**arguments), message, getattr(builtins, error))
