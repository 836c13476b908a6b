"""Conversion to and from plain JSON, the only form of the values that the marker and a submission exchange."""

from __future__ import annotations

from typing import Any

import numpy as np

from .plain_value import NotPlainValue, plain_value

MAX_TEXT = 200  # maximal number of characters of a delivered text
# JSON for an answer that is still empty, and for a function where a value is expected
DOTS_JSON, FUNCTION_JSON = {"dots": 1}, {"callable": 1}


def encode(value: Any) -> Any:
    """Encode a value of the marker: arrays and NumPy numbers with their type, all other values unchanged."""
    if isinstance(value, (np.ndarray, np.generic)):
        return {"array": value.tolist(), "dtype": value.dtype.str}
    return value


def decode(value: Any) -> Any:
    """Decode a value that :func:`encode` encoded."""
    return np.array(value["array"], value["dtype"])[()] if isinstance(value, dict) else value


def serialise(value: Any) -> Any:
    """Return a number, text, boolean or list as JSON; `DOTS_JSON` for an empty answer, and a description of any other value."""

    def as_json(x: Any) -> Any:
        if isinstance(x, (list, tuple)):
            return [as_json(entry) for entry in x]
        if type(x) is int and abs(x) >= 2**63:
            return _shown(f"a whole number of {len(hex(x)) * 4} bits")
        if type(x) is str and len(x) > MAX_TEXT:
            return _shown(f"a text of {len(x)} letters")
        return DOTS_JSON if x is ... else x

    try:
        return as_json(plain_value(value))
    except NotPlainValue as error:
        return _describe_foreign(value, str(error))
    except BaseException:  # an object of the submission may raise any error; Ctrl-C cannot happen here
        return _shown(f"an object of the type {type(value).__name__}")


def _describe_foreign(x: Any, description: str) -> dict[str, Any]:
    if callable(x) and not isinstance(x, type):
        return FUNCTION_JSON
    is_ours = type(x).__module__.startswith("fstats.")
    return _shown(f"a whole {type(x).__name__}; asked for is one line of it" if is_ours else description)


def _shown(words: str) -> dict[str, Any]:
    return {"shown": words[:200]}
