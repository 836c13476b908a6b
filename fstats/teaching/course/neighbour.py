"""A slip that somebody makes wherever a line has a certain formula."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple


class Neighbour(NamedTuple):
    """A slip at a step: its name, what was computed (as formula and as function), and what the student reads; where that is true of the test."""

    name: str
    formula: str
    function: Callable[[Any], Any]
    words: str
    where: Callable[[Any], bool] = lambda _: True


def of_null(*kinds: type) -> Callable[[Any], bool]:
    """Where the null distribution is one of these."""
    return lambda test: isinstance(test.null, kinds)


def one_spent_on_the_mean(test: Any) -> bool:
    """Where the degrees of freedom are n - 1."""
    return "df" in test.steps and test.steps["df"].template(test) == "$n - 1"


def as_of_independent_ones(test: Any) -> bool:
    """Where the standard error divides by the root of n, with no correction for what the differences share."""
    return "se" not in test.steps or test.steps["se"].template(test) == r"\frac{$sd}{\sqrt{$n}}"


def with_residuals(test: Any) -> bool:
    """Where residuals are worked out."""
    return "residuals" in test.steps
