"""The steps of a class, in the order in which they are explained."""

from __future__ import annotations

from typing import Any

from .step import Step


def inherit_check_and_unit(cls: type) -> None:
    """A step that a variant changes keeps the range and the unit of its values, unless it says others."""
    for name, value in vars(cls).items():
        if isinstance(value, Step):
            changed = next((known for k in cls.__mro__[1:] if isinstance(known := vars(k).get(name), Step)), value)
            value.check = changed.check if value.check is None else value.check
            value.unit = changed.unit if value.unit is None else value.unit


def ordered_steps(cls: type) -> dict[str, Step[Any]]:
    """The steps, each after everything that its formula needs."""
    declared, steps = _declared_steps(cls), dict[str, Step[Any]]()

    def explain(name: str) -> None:
        if name in declared and name not in steps:
            for slot in declared[name].slots:
                explain(slot)
            steps[name] = declared[name]

    for name in sorted(declared, key=lambda name: declared[name].after):
        explain(name)
    return steps


def _declared_steps(cls: type) -> dict[str, Step[Any]]:
    """The steps in the order in which they are written down, those that close every test of a family last."""
    declared: dict[str, Step[Any]] = {}
    for klass in sorted(reversed(cls.__mro__), key=lambda k: bool(vars(k).get("_ending"))):  # noqa: C414 (stable)
        for name, value in vars(klass).items():  # a step that a variant changes keeps its place
            if isinstance(value, Step):
                declared.setdefault(name, getattr(cls, name))
    return declared
