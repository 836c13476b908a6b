"""Input checks for class labels.

The checks are of allowed types, missing labels, and labels that can be compared.
"""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Number, Real
from typing import Any

import numpy as np

from .check import as_array, format_index, format_received_value


def record_labels(value: Any, name: str, what: str = "class label") -> Any:
    """Return the labels of records, such as classes: numbers or text without missing entries."""
    x = as_array(value, name)
    if x.dtype.kind == "O" and all(isinstance(entry, str) for entry in x.flat):
        x = x.astype(str)  # pandas stores text with the dtype object
    if x.ndim == 0 or len(x) == 0:
        raise ValueError(f"`{name}` must be a list of {what}s, one for each record; got {format_received_value(value)}")
    missing = x != x if x.dtype.kind in "fc" else [_is_missing(entry) for entry in x.flat] if x.dtype.kind == "O" else False
    if np.any(missing):
        raise ValueError(f"`{name}` must hold a {what} for every record; got none at position {int(np.argmax(missing))} (counting from 0)")
    return x


def check_label_shape(labels: Any, x: Any, name: str, what: str, of: str) -> None:
    """Raise ValueError unless labels have the shape of the values of the records, or of their first axis."""
    if labels.shape not in (x.shape[:1], x.shape):
        raise ValueError(
            f"`{name}` must have the shape or the length of `{of}`, with a {what} for each record; got the shapes {labels.shape} and "
            f"{x.shape}"
        )


def class_labels(value: Any, name: str) -> Any:
    """Return labels of classes: text, truth values or whole numbers (also as floats), but no measurements or probabilities."""
    x = record_labels(value, name)
    if x.dtype.kind not in "fcO":
        return x
    whole = (
        np.isfinite(x) & (x == np.floor(x)) if x.dtype.kind == "f" else np.reshape([_is_class_label(entry) for entry in x.flat], x.shape)
    )
    if not whole.all():
        where = tuple(int(k) for k in np.argwhere(~whole)[0])
        raise ValueError(
            f"`{name}` must hold class labels (text, truth values or whole numbers); got {x[where]}{format_index(where)}. For scores or "
            "probabilities, write fstats.compare(..., scoring=...)."
        )
    return x


def label_kind(x: Any) -> str:
    """Return the kind of the labels of an array: "text", "bytes", "numbers", or several of these words joined by "and"."""
    if x.dtype.kind != "O":
        return {"U": "text", "S": "bytes"}.get(x.dtype.kind, "numbers")
    kinds = {"text" if isinstance(entry, str) else "bytes" if isinstance(entry, bytes) else "numbers" for entry in x.flat}
    return " and ".join(sorted(kinds))


def check_same_label_kind(values: Mapping[Any, Any]) -> None:
    """Raise TypeError if labels to compare are of different kinds: b"x" never equals "x", nor "1" the number 1."""
    kinds = {name: label_kind(x) for name, x in values.items()}
    if len(set(kinds.values())) == 1:
        return
    listed = f"{', '.join(list(kinds)[:-1])} and {list(kinds)[-1]}"
    if binary := [name for name, kind in kinds.items() if "bytes" in kind]:
        raise TypeError(
            f"{listed} must all be text or all be numbers; got bytes in {', '.join(binary)}. Write {binary[0]} = [label.decode() for "
            f"label in {binary[0]}]."
        )
    text = [name for name, kind in kinds.items() if "text" in kind]
    raise TypeError(f"{listed} must all be text or all be numbers; got text in {', '.join(text)} only. Convert the labels to one type.")


def _is_class_label(entry: Any) -> bool:
    """Return whether an entry may be a class label: any entry except a number that is not whole."""
    return not isinstance(entry, Number) or (isinstance(entry, Real) and float(entry).is_integer())


def _is_missing(entry: Any) -> bool:
    """Return whether an entry is None, nan, or a missing value that cannot be compared, such as pandas.NA."""
    try:
        return entry is None or bool(entry != entry)
    except TypeError:
        return True
