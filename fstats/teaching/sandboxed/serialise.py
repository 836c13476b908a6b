"""Values on their way between the marker and a submission: plain JSON both ways, and nothing that could be more."""

from __future__ import annotations

from typing import Any

import numpy as np

DEPTH, ENTRIES, WORDS = 6, 10_000, 200  # of a value that is delivered: lists within lists, numbers, letters
DOTS, FUNCTION = {"dots": 1}, {"callable": 1}  # what is still empty; a function where a value was asked for


def encoded(value: Any) -> Any:
    """A value of the marker: words and Python's numbers as they are, arrays and numpy's numbers with their type."""
    if isinstance(value, (np.ndarray, np.generic)):
        return {"array": value.tolist(), "dtype": value.dtype.str}
    return value


def decoded(value: Any) -> Any:
    """The same again, on the other side."""
    return np.array(value["array"], value["dtype"])[()] if isinstance(value, dict) else value


def serialise(value: Any) -> Any:
    """A value as JSON: numbers, words, yes and no, lists of them; `DOTS` for what is still empty, else what it was."""
    count = 0

    def one(x: Any, depth: int) -> Any:
        nonlocal count
        count += 1
        if count > ENTRIES:
            raise OverflowError
        kind = type(x)
        if x is ...:
            return DOTS
        if x is None or kind is bool or kind is float:
            return x
        if kind is int:
            return x if abs(x) < 2**63 else _shown(f"a whole number of {len(hex(x)) * 4} bits")
        if kind is str:
            return x if len(x) <= WORDS else _shown(f"a text of {len(x)} letters")
        if isinstance(x, (list, tuple)):
            return [one(entry, depth + 1) for entry in x] if depth < DEPTH else _shown("lists within lists")
        if isinstance(x, np.ndarray):
            if x.size > ENTRIES:
                raise OverflowError
            return one(np.asarray(x).tolist(), depth)
        if isinstance(x, (np.bool_, np.integer, np.floating, np.str_)):
            return one({"b": bool, "i": int, "u": int, "f": float, "U": str}[x.dtype.kind](x), depth)
        if kind.__module__.partition(".")[0] == "pandas" and hasattr(x, "to_numpy"):
            return one(x.to_numpy().tolist(), depth)
        return _strange(x)

    try:
        return one(value, 0)
    except OverflowError:
        return _shown(f"more than {ENTRIES} entries")
    except BaseException:  # an object of the submission's own; nobody is there to press Ctrl-C
        return _shown(f"an object of the type {type(value).__name__}")


def _strange(x: Any) -> dict[str, Any]:
    if callable(x) and not isinstance(x, type):
        return FUNCTION
    name = type(x).__name__
    return _shown(
        f"a whole {name}; asked for is one line of it" if type(x).__module__.startswith("fstats.") else f"an object of the type {name}"
    )


def _shown(words: str) -> dict[str, Any]:
    return {"shown": words[:200]}
