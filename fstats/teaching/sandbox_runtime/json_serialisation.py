"""Convert values to and from plain JSON, the format of messages between marker and sandbox."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from .plain_value import DEPTH, ENTRIES, FUNCTION, MAX_TEXT, ForeignObject, readable_value

# JSON of an answer that is still empty (...), and of a function that was given instead of a value
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
        return DOTS_JSON if x is ... else x

    try:
        value = readable_value(value)
    # an object of the submission may raise any error; in a sandbox, no user sends a KeyboardInterrupt
    except BaseException:
        return {"shown": f"an object of the type {type(value).__name__}"[:MAX_TEXT]}
    if value is FUNCTION:
        return FUNCTION_JSON
    if isinstance(value, ForeignObject):
        return {"shown": value.description}
    return {"tuple": as_json(value)} if isinstance(value, tuple) else as_json(value)


def deserialise(sent: Any) -> Any:
    """Return the value that :func:`serialise` sent, and a :class:`ForeignObject` for anything else; the input is untrusted."""
    is_tuple = isinstance(sent, dict) and sent.keys() == {"tuple"} and isinstance(sent["tuple"], list)
    try:
        value = _parse_plain(sent["tuple"] if is_tuple else sent, 0, iter(range(ENTRIES)))
    except StopIteration:
        return ForeignObject(f"more than {ENTRIES} entries")
    return tuple(value) if is_tuple else value


def _parse_plain(sent: Any, depth: int, left: Iterator[int]) -> Any:
    next(left)
    if sent is None or isinstance(sent, (bool, float)):
        return sent
    if isinstance(sent, int):
        return sent if abs(sent) < 2**63 else ForeignObject("a whole number that is too large")
    if isinstance(sent, str):
        return sent if len(sent) <= MAX_TEXT else ForeignObject(f"a text of {len(sent)} letters")
    if isinstance(sent, list):
        return [_parse_plain(entry, depth + 1, left) for entry in sent] if depth < DEPTH else ForeignObject("lists within lists")
    if sent == DOTS_JSON:
        return ...
    if sent == FUNCTION_JSON:
        return FUNCTION
    return ForeignObject(sent["shown"][:MAX_TEXT] if isinstance(sent, dict) and isinstance(sent.get("shown"), str) else "something else")
