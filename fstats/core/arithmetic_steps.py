"""Sums, means and quotients as steps of a worked example.

The formula and the code are generated from the same names.
"""

from __future__ import annotations

from typing import Any

from .numerics.sums_of_squares import standard_deviation
from .numerics.zero_division import ratio
from .step import Step
from .value_types import Value


def ratio_step(symbol: str, above: str, below: str, sentence: str, **options: Any) -> Step[Value]:
    """Return a step that divides one step or input by another; 0/0 is 0."""
    formula = rf"\frac{{${above}}}{{${below}}}"
    return Step(lambda test: ratio(getattr(test, above), getattr(test, below)), symbol, formula, sentence=sentence, **options)


def sum_step(symbol: str, values: str, index: str, sentence: str, *, axis: int = 0, **options: Any) -> Step[Any]:
    """Return a step that sums the entries of a step or input along an axis."""
    return Step(lambda test: getattr(test, values).sum(axis), symbol, rf"\sum_{index} ${values}", sentence=sentence, **options)


def mean_step(symbol: str, values: str, count: str, index: str, sentence: str, *, axis: int = 0, **options: Any) -> Step[Any]:
    """Return a step that averages the entries of a step or input along an axis; the step `count` is their number."""
    formula = rf"\frac{{1}}{{${count}}} \sum_{index} ${values}"
    return Step(lambda test: getattr(test, values).sum(axis) / getattr(test, count), symbol, formula, sentence=sentence, **options)


def sd_step(symbol: str, values: str, mean: str, count: str, index: str, sentence: str, **options: Any) -> Step[Value]:
    """Return a step that computes the standard deviation around the step `mean`, with the divisor `count` - 1."""
    formula = rf"\sqrt{{\frac{{1}}{{${count} - 1}} \sum_{index} (${values} - ${mean})^2}}"

    def compute(test: Any) -> Value:
        return standard_deviation(getattr(test, values), getattr(test, mean), getattr(test, count) - 1)

    return Step(compute, symbol, formula, sentence=sentence, **options)
