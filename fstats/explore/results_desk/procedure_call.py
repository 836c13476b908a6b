"""Call of a test on the data of a comparison, to be run or to be written as a line of Python."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import reduce
from importlib.resources import files
from typing import Any, NamedTuple

from ...guide.recommendation import public_class

# maps a test on records to the function to call, and its arguments as Python expressions
RECORD_CALLS: dict[str, list[str]] = tomllib.loads((files(__package__) / "record_calls.toml").read_text(encoding="utf-8"))
DEFAULTS = {"alpha": 0.05, "alternative": "two-sided", "higher_is_better": None, "metric": "score"}


def takes_table(name: str) -> bool:
    """Return whether a test takes the scores of several classifiers at once."""
    return bool({"scores", "correct"} & {*public_class(name).inputs})


def pair_variables(a: Any, b: Any) -> dict[str, Any]:
    """Return the values of all expressions of the columns of two classifiers."""
    values = {"a": a, "b": b, "sum(a)": sum(a), "sum(b)": sum(b), "len(a)": len(a)}
    differences = {"a - b": a - b, "b - a": b - a} if hasattr(a, "dtype") and len(a) == len(b) else {}
    halves = {f"({name}).reshape(5, 2)": d.reshape(5, 2) for name, d in differences.items() if len(d) == 10}
    return values | differences | halves


class ProcedureCall(NamedTuple):
    """Call of a class or its constructor; inputs are expressions of variables, or calls."""

    name: str
    inputs: tuple[Any, ...]
    settings: Mapping[str, Any]

    def run(self, values: Mapping[str, Any]) -> Any:
        """Return the test with the values of its inputs."""
        function = reduce(getattr, self.name.split(".")[1:], public_class(self.name.split(".")[0]))
        return function(*(part.run(values) if isinstance(part, ProcedureCall) else values[part] for part in self.inputs), **self.settings)

    @property
    def needs_columns(self) -> bool:
        """Whether an input is an expression of the columns of two classifiers."""
        return any(isinstance(part, str) and re.search(r"\b[ab]\b", part) for part in self.inputs)

    def __str__(self) -> str:
        values = ((name, f"fstats.{value.__name__}" if isinstance(value, type) else repr(value)) for name, value in self.settings.items())
        settings = (f"{name}={value}" for name, value in values)
        return f"fstats.{self.name}({', '.join([*map(str, self.inputs), *settings])})"


def call_procedure(name: str, comparison: Any, pair: tuple[str, ...]) -> ProcedureCall:
    """Return the call of a test for all classifiers of a comparison, or with `pair` for two of them."""
    test, given, records, kind = public_class(name), comparison.settings, comparison.records, comparison.kind
    inputs, settings = {*test.inputs}, dict[str, Any]()
    names = pair or comparison.classifiers
    called, variables = name, ["a", "b"]
    if kind == "data sets" and not pair and ("scores" in inputs or {"a", "b"} <= inputs):
        variables = ["results"]
    elif records and name in RECORD_CALLS:
        called, *variables = RECORD_CALLS[name]
    elif "d" in inputs and "a" not in inputs:
        difference = "a - b" if comparison.results.higher_is_better else "b - a"
        variables = [f"({difference}).reshape(5, 2)" if "FiveByTwo" in name else difference]
        settings |= {"test_train_ratio": comparison.results.test_train_ratio} if name == "CorrectedResampledT" else {}
    settings |= {"method": "exact"} if name == "Friedman" and comparison.is_exact else {}
    if variables != ["results"] and "labels" in inputs and len(names) > 1:
        settings["labels"] = [*names]
    if variables == ["a", "b"] and not records:
        known = {"metric": comparison.results.metric, "higher_is_better": comparison.results.higher_is_better}
        settings |= {setting: value for setting, value in known.items() if setting in inputs}
        unit = {"runs": "run", "data sets": comparison.unit}.get(kind, "")
        settings |= {"unit": unit} if unit not in ("", "data set") and "unit" in inputs else {}
    settings |= {"metric": "accuracy"} if kind == "records" and "metric" in inputs else {}
    if "margin" in inputs and given["margin"] is None:
        raise ValueError(f"{name} needs a margin in the unit of the scores: the largest difference that does not matter")
    has_sides = len(names) == 2 and test.defaults.get("alternative") == "two-sided"
    stated = inputs & {"alpha", "margin", "rope", *["alternative"] * has_sides}
    settings |= {setting: given[setting] for setting in given if setting in stated and given[setting] is not None}
    return ProcedureCall(called, tuple(variables), {k: v for k, v in settings.items() if DEFAULTS.get(k, NotImplemented) != v})
