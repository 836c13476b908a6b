"""Mistakes that students often make in many exercises.

A mistake is possible in every exercise that uses a certain formula.

Common mistakes never influence which data a student gets.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from importlib.resources import files
from string import Template
from typing import Any

import numpy as np

from ...core.procedure import Procedure
from ...distributions import continuous_distributions
from ...distributions.exact_rank_distributions import SignedRankSum
from ..grading.exercise import Exercise, Tests
from ..grading.mistakes.mistake import Mistake
from ..grading.question import Question
from .critical_value_table.steps import PRINTED, ROWS

# condition name -> function that returns whether the reply to a common mistake is true for a test
CONDITIONS: Mapping[str, Callable[[Any], bool]] = {
    "one_spent_on_the_mean": lambda test: "df" in test.steps and test.steps["df"].template(test) == "$n - 1",
    # True if the test has no standard error, or if it is sd / sqrt(n), without a correction for dependent differences
    "as_of_independent_ones": lambda test: "se" not in test.steps or test.steps["se"].template(test) == r"\frac{$sd}{\sqrt{$n}}",
    "with_residuals": lambda test: "residuals" in test.steps,
}

# mistake name -> function that computes the wrong value, for mistakes whose formula is written in words
FUNCTIONS: Mapping[str, Callable[[Any], Any]] = {
    "divided_by_n_further_up": lambda t: (t.mean + t.margin) / (t.se * np.sqrt((len(t.d) - 1) / len(t.d))),
    "all_on_which_anyone_is_wrong": lambda t: t.records - int(np.asarray(t.table)[1, 1]),
    "the_other_end": lambda t: t.n * (t.n + 1) // 2 - _rank_sum_limit(t.n, t.alpha),
    "the_right_ones_counted": lambda t: sum(_rank_sum_limit(n, t.column) == cell for n, cell in zip(ROWS, PRINTED[t.column], strict=True)),
    "both_cells_in_which_one_is_wrong": lambda t: float(np.asarray(t.table)[0, 1] + np.asarray(t.table)[1, 0]),
    "a_share_for_the_count": lambda t: np.asarray(t.table)[0, 1] / np.sum(t.table),
    "a_share_for_the_probability": lambda t: t.wins / t.coins.n,
    "no_rank_left_out_behind_a_tie": lambda t: np.searchsorted(np.unique(abs(t.d[t.d != 0])), abs(t.d)) + (t.d != 0.0),
    "from_fold_to_mean": lambda t: abs(t.d[:, 0] - t.means),
    "from_fold_to_fold": lambda t: 2 * abs(t.d[:, 0] - t.means),
    "thresholds_for_p": lambda t: np.full(len(t.pvalues), t.alpha / t.m),
    "one_less_of_each": lambda t: continuous_distributions.FisherF(*(np.asarray(t.f_degrees) - 1)).at_least(t.f),
}


def _rank_sum_limit(n: int, alpha: float) -> float:
    """Return the largest value of the smaller rank sum that rejects H0, for the ranks 1 to n."""
    return float(SignedRankSum(np.arange(1.0, n + 1)).low(alpha / 2))


@cache
def _mistakes_by_formula() -> Mapping[str, list[dict[str, Any]]]:
    """Map each formula to its common mistakes."""
    data = tomllib.loads(files(__package__).joinpath("common_mistakes.toml").read_text(encoding="utf-8"))
    return {line["formula"]: line["neighbour"] for line in data["line"]}


def with_common_mistakes(exercise: Exercise) -> Exercise:
    """Add the common mistakes of each value that an exercise asks for."""
    tests, mistakes = Tests(exercise.given), []
    for question in exercise.questions:
        if isinstance(question, Question):
            tested = exercise.tested(question)
            entries = _mistakes_by_formula().get(tested.steps[question.step].template(tests[tested]), ())
            mistakes += [_build_mistake(entry, question, tested) for entry in entries if _is_applicable(entry, tests[tested])]
    return replace(exercise, neighbours=tuple(mistakes))


def _is_applicable(entry: Mapping[str, Any], test: Procedure) -> bool:
    """Return whether a mistake can occur in a test: the test has all values of the wrong formula, and the reply is true for it."""
    has_all = all(name in test.steps or name in test.inputs for name in Template(entry["formula"]).get_identifiers())
    kinds = tuple(getattr(continuous_distributions, name) for name in entry.get("null", ()))
    is_true = "where" not in entry or CONDITIONS[entry["where"]](test)
    return has_all and is_true and (not kinds or isinstance(test.null, kinds))  # type: ignore[attr-defined]


def _build_mistake(entry: Mapping[str, Any], question: Question, tested: type[Procedure]) -> Mistake:
    function = FUNCTIONS[entry["function"]] if "function" in entry else None
    reply = " ".join(entry["words"].split())
    return Mistake.of(tested, question.step, entry["formula"], entry["name"], question.see, reply, only=(question.key,), function=function)
