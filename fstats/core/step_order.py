"""Order in which the steps of a procedure are explained, and inheritance of checks and units by redefined steps."""

from __future__ import annotations

from typing import Any

from .step import Step


def inherit_check_and_unit(cls: type) -> None:
    """Give an overriding step the check and unit of the overridden step, unless the new step declares its own."""
    for name, value in vars(cls).items():
        if isinstance(value, Step):
            parent = next((known for k in cls.__mro__[1:] if isinstance(known := vars(k).get(name), Step)), value)
            value.check = parent.check if value.check is None else value.check
            value.unit = parent.unit if value.unit is None else value.unit


def ordered_steps(cls: type) -> dict[str, Step[Any]]:
    """Sort the steps so that each step comes after all steps in its formula."""
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
    """Return the steps in the order of their declaration; steps of a class with ``ending=True`` come last."""
    declared: dict[str, Step[Any]] = {}
    for klass in sorted(reversed(cls.__mro__), key=lambda k: bool(vars(k).get("_has_closing_steps"))):  # noqa: C414 (stable)
        for name, value in vars(klass).items():  # a step that a subclass redefines keeps its position
            if isinstance(value, Step):
                declared.setdefault(name, getattr(cls, name))
    return declared
