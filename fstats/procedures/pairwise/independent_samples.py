"""What the tests of two independent samples share: each classifier was scored on data sets of its own."""

from __future__ import annotations

from typing import Any

from ...core.classifier_pair import ComparisonOfTwo, ScoresOfTwo
from ...core.unit_of_analysis import OfUnits
from ...core.validation import check, paired_inputs
from ...core.validation.pandas_labels import seeds_are_rows
from ...core.value_types import Array


def runs(value: Any, name: str) -> Array:
    """A score for each data set, or for each run of one training, which pandas objects may number by seeds."""
    return check.scores(value.to_numpy() if seeds_are_rows(value) else value, name)


def averaged_runs(value: Any, name: str) -> Array:
    """The same, whose means are taken."""
    return check.averaged(value.to_numpy() if seeds_are_rows(value) else value, name)


class IndependentSamples(OfUnits, ScoresOfTwo, ComparisonOfTwo):
    """A test of two classifiers by samples of any sizes, with the same repetitions behind."""

    scored = ("x", "y")

    def __post_init__(self) -> None:
        paired_inputs.same_columns(self.__dict__.get("x"), self.__dict__.get("y"), ("x", "y"))
        super().__post_init__()
        paired_inputs.same_repetitions(self, "x", "y")
