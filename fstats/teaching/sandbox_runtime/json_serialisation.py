"""Values on their way between the marker and a submission: plain JSON both ways, and nothing that could be more."""

from __future__ import annotations

from typing import Any

import numpy as np

from .plain_value import NotPlainValue, plain_value

MAX_TEXT = 200  # letters of a text that is delivered
DOTS_JSON, FUNCTION_JSON = {"dots": 1}, {"callable": 1}  # what is still empty; a function where a value was asked for


def encode(value: Any) -> Any:
    """A value of the marker: words and Python's numbers as they are, arrays and numpy's numbers with their type."""
    if isinstance(value, (np.ndarray, np.generic)):
        return {"array": value.tolist(), "dtype": value.dtype.str}
    return value


def decode(value: Any) -> Any:
    """The same again, on the other side."""
    return np.array(value["array"], value["dtype"])[()] if isinstance(value, dict) else value


def serialise(value: Any) -> Any:
    """A value as JSON: numbers, words, yes and no, lists of them; `DOTS_JSON` for what is still empty, else what it was."""

    def one(x: Any) -> Any:
        if isinstance(x, (list, tuple)):
            return [one(entry) for entry in x]
        if type(x) is int and abs(x) >= 2**63:
            return _shown(f"a whole number of {len(hex(x)) * 4} bits")
        if type(x) is str and len(x) > MAX_TEXT:
            return _shown(f"a text of {len(x)} letters")
        return DOTS_JSON if x is ... else x

    try:
        return one(plain_value(value))
    except NotPlainValue as what:
        return _describe_foreign(value, str(what))
    except BaseException:  # an object of the submission's own; nobody is there to press Ctrl-C
        return _shown(f"an object of the type {type(value).__name__}")


def _describe_foreign(x: Any, what: str) -> dict[str, Any]:
    if callable(x) and not isinstance(x, type):
        return FUNCTION_JSON
    is_ours = type(x).__module__.startswith("fstats.")
    return _shown(f"a whole {type(x).__name__}; asked for is one line of it" if is_ours else what)


def _shown(words: str) -> dict[str, Any]:
    return {"shown": words[:200]}
