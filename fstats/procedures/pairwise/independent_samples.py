"""What the tests of two independent samples share: each classifier was scored on data sets of its own."""

from __future__ import annotations

from typing import Any

from ...core.classifier_pair import TwoClassifierScores, TwoClassifierTest
from ...core.unit_of_analysis import UnitOfAnalysis
from ...core.validation import check, paired_inputs
from ...core.validation.pandas_labels import has_seed_index
from ...core.value_types import Array


def sample_scores(value: Any, name: str) -> Array:
    """A score for each data set, or for each run of one training, which pandas objects may number by seeds."""
    return check.scores(value.to_numpy() if has_seed_index(value) else value, name)


def sample_scores_for_mean(value: Any, name: str) -> Array:
    """The same, whose means are taken."""
    return check.scores_for_mean(value.to_numpy() if has_seed_index(value) else value, name)


class IndependentSamples(UnitOfAnalysis, TwoClassifierScores, TwoClassifierTest):
    """A test of two classifiers by samples of any sizes, with the same repetitions behind."""

    scored = ("x", "y")

    def __post_init__(self) -> None:
        paired_inputs.check_same_columns(self.__dict__.get("x"), self.__dict__.get("y"), ("x", "y"))
        super().__post_init__()
        paired_inputs.check_same_repetitions(self, "x", "y")
