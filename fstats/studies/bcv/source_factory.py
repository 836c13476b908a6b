"""Data sources of a study of 5x2 cross-validation tests by name."""

from __future__ import annotations

from typing import Any

from ...simulate import EXP6, Epsilon, Letter, Simple
from .mnist_digits import SCALE_OF_SOURCE, Digits


def make_source(name: str, value: float | None, data_dir: Any = None) -> Any:
    """Return the source with this name; `value` is the setting of its learners or classes (omega, delta or v)."""
    if name == "Epsilon":
        return Epsilon(n=300, epsilon=0.1)
    assert value is not None
    if name in SCALE_OF_SOURCE:
        return Digits(value, SCALE_OF_SOURCE[name], data_dir=data_dir)
    return {"EXP6": EXP6, "Simple": Simple}[name](value) if name != "letter" else Letter(value, data_dir=data_dir)
