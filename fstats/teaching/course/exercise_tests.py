"""Statistical tests of exercises, defined in steps.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import import_module
from importlib.resources import files
from importlib.util import find_spec
from pkgutil import resolve_name
from types import new_class
from typing import Any

import numpy as np

from ...core.procedure import Procedure
from ...core.step import Step, input_field
from ...core.validation import check as checks
from ...core.value_types import Interval
from ...procedures.formula import evaluate_formula


def find_test(package: str, name: str) -> Any:
    """Find a test of an exercise: in the file steps.toml of its package, in the module ``steps`` of the package, or in ``fstats``."""
    tests = read_tests(package)
    if name in tests:
        return tests[name]
    own_module = import_module(f"{package}.steps") if find_spec(f"{package}.steps") else None
    return getattr(own_module, name, None) or resolve_name(f"{package.partition('.')[0]}.{name}")


@cache
def read_tests(package: str) -> Mapping[str, type[Procedure]]:
    """Build the tests of the file steps.toml in the package of an exercise; empty if there is no such file.

    Each test becomes an attribute of the package, by which it can be pickled.
    """
    path = files(package).joinpath("steps.toml")
    listed = tomllib.loads(path.read_text(encoding="utf-8"))["test"] if path.is_file() else []
    tests: dict[str, type[Procedure]] = {}
    for entry in listed:
        name = entry["name"]
        tests[name] = _build_test(package, tests, **entry)
        setattr(import_module(package), name, tests[name])
    return tests


def _build_test(
    package: str,
    earlier: Mapping[str, type[Procedure]],
    name: str,
    base: str,
    sentence: str,
    input: Iterable[Mapping[str, Any]] = (),
    step: Iterable[Mapping[str, Any]] = (),
    **attributes: Any,
) -> type[Procedure]:
    """Build a test from its entry: the base class, the inputs, and the steps in the order in which they are explained."""

    def find_class(name: str) -> Any:
        return earlier.get(name) or resolve_name(f"{package.partition('.')[0]}.{name}")

    if "tails" in attributes:
        attributes["tails"] = find_class(attributes["tails"]).tails
    inputs = {entry["name"]: _build_input(**entry) for entry in input}
    members = (
        {"__doc__": _in_one_line(sentence), "__module__": package, "__annotations__": dict.fromkeys(inputs, "Any")} | attributes | inputs
    )
    for entry in step:
        if "of" in entry:
            members |= {known: getattr(find_class(entry["of"]), known) for known in entry["names"]}
        else:
            members[entry["name"]] = _build_step(package, **entry)
    return new_class(name, (find_class(base),), exec_body=lambda namespace: namespace.update(members))


def _build_input(name: str, sentence: str, check: str | list[Any] = "", **about: Any) -> Any:
    """Build an input; its name is set by the class that contains it."""
    del name
    return input_field(sentence=_in_one_line(sentence), check=_find_check(check), **about)


def _build_step(
    package: str, name: str, symbol: str, sentence: str, formula: str = "", check: str | list[Any] = "", function: str = "", **options: Any
) -> Step[Any]:
    """Build a step that evaluates its formula, or calls a function of the module ``steps`` if the formula is in words."""

    def evaluate(test: Any) -> Any:
        over = type(test).over(name)
        value = evaluate_formula(test, formula, over)
        if over == "e":  # the index "e" denotes the two ends of an interval
            return Interval(*value)
        return np.float64(value) if isinstance(value, float) else value

    compute = getattr(import_module(f"{package}.steps"), function) if function else evaluate
    return Step(compute, symbol, formula, sentence=_in_one_line(sentence), check=_find_check(check), **options)


def _find_check(entry: str | list[Any]) -> Any:
    """Return a check by its name; the entry ``["count", 4]`` gives ``check.count(4)``."""
    if isinstance(entry, list):
        return getattr(checks, entry[0])(*entry[1:])
    return getattr(checks, entry) if entry else None


def _in_one_line(text: str) -> str:
    return " ".join(text.split())
