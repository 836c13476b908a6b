"""Suggestions for misspelt keyword arguments, and for argument names of other libraries."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

from .name_suggestions import NAMES_IN_OTHER_LIBRARIES, closest_name, unknown_name_message

F = TypeVar("F", bound=Callable[..., Any])
# names of arguments that are never treated as misspelt
TEST_ARGUMENTS = frozenset({"metric", "unit", "labels", "alpha", "alternative", "higher_is_better"})
TAKES_KEYWORDS = 0x08  # bit in the code flags of a function that takes **keywords


def with_suggestions(function: F) -> F:
    """Make a function raise TypeError for an unknown keyword argument; the message suggests the name that was probably meant.

    A function with ``**keywords`` (settings of a test) refuses only names that are similar to its own arguments; the test checks the
    other names.

    >>> @with_suggestions
    ... def train(jobs=1, *, progress=True):
    ...     return jobs
    >>> train(n_jobs=2)
    Traceback (most recent call last):
    TypeError: train() has no 'n_jobs': did you mean 'jobs'? It has jobs, progress
    """
    code = cast(Any, function).__code__
    known = tuple(name for name in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount] if name not in ("self", "cls"))
    title = cast(Any, function).__qualname__.removesuffix(".__init__").rpartition(".")[2]  # a constructor has the name of its class
    passes_on = bool(code.co_flags & TAKES_KEYWORDS)
    own = frozenset(known)

    @wraps(function)
    def checked(*values: Any, **named: Any) -> Any:
        if not named.keys() <= own:
            allowed = own | TEST_ARGUMENTS if passes_on else own
            wrong = [
                name
                for name in named
                if name not in allowed and (not passes_on or closest_name(name, known) or name in NAMES_IN_OTHER_LIBRARIES)
            ]
            if wrong:
                raise TypeError(unknown_name_message(f"{title}()", wrong, known))
        return function(*values, **named)

    return cast(F, checked)
