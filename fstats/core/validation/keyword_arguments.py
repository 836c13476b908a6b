"""Calls whose arguments are misspelt, or spelt as elsewhere, are answered with the name that was meant."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

from .name_suggestions import NAMES_IN_OTHER_LIBRARIES, closest_name, unknown_name_message

F = TypeVar("F", bound=Callable[..., Any])
TEST_ARGUMENTS = frozenset({"metric", "unit", "labels", "alpha", "alternative", "higher_is_better"})  # what tests take, however near it is
MAX_LISTED_ARGUMENTS = 0x08  # the flag of a function that takes further arguments by name


def with_suggestions(function: F) -> F:
    """The same function; an argument that it does not have is an error that says which one was meant.

    A function that hands further arguments on (to a test, as its settings) refuses only what is near to one of its own; what it hands
    on is checked where it arrives.

    >>> @with_suggestions
    ... def train(jobs=1, *, progress=True):
    ...     return jobs
    >>> train(n_jobs=2)
    Traceback (most recent call last):
    TypeError: train() has no 'n_jobs': did you mean 'jobs'? It has jobs, progress
    """
    code = cast(Any, function).__code__
    known = tuple(name for name in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount] if name not in ("self", "cls"))
    called = cast(Any, function).__qualname__.removesuffix(".__init__").rpartition(".")[2]  # of a class its own name
    hands_on = bool(code.co_flags & MAX_LISTED_ARGUMENTS)
    own = frozenset(known)

    @wraps(function)
    def checked(*values: Any, **named: Any) -> Any:
        if not named.keys() <= own:
            handed_on = own | TEST_ARGUMENTS if hands_on else own
            wrong = [
                name
                for name in named
                if name not in handed_on and (not hands_on or closest_name(name, known) or name in NAMES_IN_OTHER_LIBRARIES)
            ]
            if wrong:
                raise TypeError(unknown_name_message(f"{called}()", wrong, known))
        return function(*values, **named)

    return cast(F, checked)
