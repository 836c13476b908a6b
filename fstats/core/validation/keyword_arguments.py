"""Errors for misspelt or missing keyword arguments.

Names of arguments in other libraries are recognized.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

from .call_errors import raise_for_wrong_call
from .name_suggestions import NAMES_IN_OTHER_LIBRARIES, closest_name, unknown_name_message

F = TypeVar("F", bound=Callable[..., Any])
# arguments that a function passes on to a test; they are not treated as misspelt arguments of the function
TEST_ARGUMENTS = frozenset({"metric", "unit", "labels", "alpha", "alternative", "higher_is_better"})
TAKES_KEYWORDS = 0x08  # flag of functions that take **keywords


def with_suggestions(function: F) -> F:
    """Make a function raise TypeError for a wrong call; the message suggests the name or the call that was probably meant.

    A function with ``**keywords`` (settings of a test) refuses only names that are similar to its own arguments; the test checks the
    other names.  A class method has the name of the class of the call in messages, because its own class may be a base class.

    >>> @with_suggestions
    ... def train(jobs=1, *, progress=True):
    ...     return jobs
    >>> train(n_jobs=2)
    Traceback (most recent call last):
    TypeError: train() has no 'n_jobs': did you mean 'jobs'? It has jobs, progress
    """
    code = cast(Any, function).__code__
    known = tuple(name for name in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount] if name not in ("self", "cls"))
    owner = code.co_varnames[:1]
    # name of the function, or of the class if the function is a constructor
    name_of_function = cast(Any, function).__qualname__.removesuffix(".__init__").rpartition(".")[2]
    passes_on = bool(code.co_flags & TAKES_KEYWORDS)
    own = frozenset(known)

    @wraps(function)
    def checked(*values: Any, **named: Any) -> Any:
        title = f"{values[0].__name__}.{name_of_function}" if owner == ("cls",) else name_of_function
        if not named.keys() <= own:
            allowed = own | TEST_ARGUMENTS if passes_on else own
            wrong = [
                name
                for name in named
                if name not in allowed and (not passes_on or closest_name(name, known) or name in NAMES_IN_OTHER_LIBRARIES)
            ]
            if wrong:
                raise TypeError(unknown_name_message(f"{title}()", wrong, known))
        try:
            return function(*values, **named)
        except TypeError as error:
            raise_for_wrong_call(error, title, function, values[owner in (("self",), ("cls",)) :], named)
            raise

    return cast(F, checked)
