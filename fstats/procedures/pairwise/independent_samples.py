"""Base class of tests for two independent samples."""

from __future__ import annotations

from typing import Any

from ...core.classifier_pair import TwoClassifierScores, TwoClassifierTest
from ...core.unit_of_analysis import UnitOfAnalysis
from ...core.validation import check, paired_inputs
from ...core.validation.pandas_labels import has_seed_index
from ...core.value_types import Array


def sample_scores(value: Any, name: str) -> Array:
    """Return checked scores of data sets or training runs; the index of a pandas object may hold the seeds of the runs."""
    return check.scores(value.to_numpy() if has_seed_index(value) else value, name)


def sample_scores_for_mean(value: Any, name: str) -> Array:
    """Return checked scores of data sets or training runs for a test that averages the scores."""
    return check.scores_for_mean(value.to_numpy() if has_seed_index(value) else value, name)


class IndependentSamples(UnitOfAnalysis, TwoClassifierScores, TwoClassifierTest):
    """Test of two classifiers on independent samples; sample sizes may differ, but the numbers of repetitions must be equal."""

    scored = ("x", "y")

    def __post_init__(self) -> None:
        paired_inputs.check_same_columns(self.__dict__.get("x"), self.__dict__.get("y"), ("x", "y"))
        super().__post_init__()
        paired_inputs.check_same_repetitions(self, "x", "y")
