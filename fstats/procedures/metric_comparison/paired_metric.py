"""What the two comparisons by any metric share: predictions of the same records, the metric of each, their difference."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from ...core.classifier_pair import TwoClassifierTest
from ...core.metric_direction import LOWER_IS_BETTER_TEXT
from ...core.number_format import format_plain
from ...core.numerics.floating_point_ties import round_noise_to_zero
from ...core.numerics.zero_division import ratio
from ...core.rejection_region import ASYMMETRIC_TAILS
from ...core.step import input_field, make_read_only, step
from ...core.validation import check
from ...core.value_types import Value
from ...core.worked_example_row import Row
from ..auc.placement_values import hard_prediction_note
from ..bayes.rope_comparison import draws, seed
from .joint_outcomes import Joint
from .metrics import METRICS, Metric, get_metric, record_values

DIFFERENCE_FORMULAS = {True: "$metric_a - $metric_b", False: "$metric_b - $metric_a"}


class PairedMetric(TwoClassifierTest):
    """A metric of two classifiers on the same records; a subclass says how its difference strays."""

    tails = ASYMMETRIC_TAILS
    parameter = "D"
    estimated_by = "statistic"

    y_true: Any = input_field("y_i", "True value of each record.", over="i", check=record_values)
    a: Any = input_field(r"\hat y_A", "Prediction of each record by A.", over="i", check=record_values, like="y_true")
    b: Any = input_field(r"\hat y_B", "Prediction of each record by B.", over="i", check=record_values, like="y_true")
    metric: Any = input_field(r"\text{metric}", "What is compared.", check=get_metric, default=METRICS["accuracy"], kw_only=True)
    draws: int = input_field("B", "Random draws.", check=draws, default=9_999, kw_only=True)
    rng: int = input_field(r"\text{seed}", "From which the random draws follow.", check=seed, default=0, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        values = self.__dict__
        if not {"y_true", "a", "b"} <= values.keys():
            return
        if len(values["y_true"]) < 2:
            raise ValueError(f"y_true must hold at least 2 records; got {len(values['y_true'])}: with fewer there is nothing to draw from")
        checked = self.metric.checked(values["y_true"], values["a"], values["b"])
        values |= {name: make_read_only(value) for name, value in zip(("y_true", "a", "b"), checked, strict=True)}

    @property
    def compares(self) -> str:  # type: ignore[override]
        """The metric."""
        return str(self.metric.words)

    @property
    def higher_is_better(self) -> bool:
        """Whether high values of the metric are good."""
        return bool(self.metric.higher_is_better)

    @property
    def direction(self) -> str:
        """That lower is better, in brackets; empty where the higher is."""
        return "" if self.higher_is_better else LOWER_IS_BETTER_TEXT

    @property
    def size_in_words(self) -> str:
        """The metric of A and of B, and by how much one of them is ahead."""
        size = super().size_in_words
        return f", {format_plain(self.metric_a)} against {format_plain(self.metric_b)}{size}" if size else ""

    @cached_property
    def _joint(self) -> list[Joint]:
        """The joint outcomes of each repetition."""
        metric: Metric = self.metric
        y, a, b = (x.reshape(len(x), -1) for x in (self.y_true, self.a, self.b))
        return [Joint(metric, y[:, r], a[:, r], b[:, r]) for r in range(y.shape[1])]

    def _of_each(self, found: Callable[[Joint], Any]) -> Any:
        """Numbers that follow from joint outcomes, with the axes of repetitions behind their own."""
        each = np.array([found(joint) for joint in self._joint], float)
        return np.moveaxis(each, 0, -1).reshape((*each.shape[1:], *self.y_true.shape[1:]))[()]

    def _metric_of(self, side: int) -> Value:
        found: Value = self._of_each(lambda joint: joint.of(joint.counts[None])[side][0])
        if np.isnan(found).any():
            raise ValueError(f"metric must be defined on these records; {self.metric.words} gave nan")
        return found

    @step("n", r"\#\{i : $y_true\}", check=check.count(2))
    def n(self) -> int:
        """Number of records."""
        return len(self.y_true)

    @step("M_A", r"\text{metric of } $a \text{ for } $y_true <- $b $metric")
    def metric_a(self) -> Value:
        """The metric of A."""
        return self._metric_of(0)

    @step("M_B", r"\text{metric of } $b \text{ for } $y_true <- $a $metric")
    def metric_b(self) -> Value:
        """The metric of B."""
        return self._metric_of(1)

    @step("D", DIFFERENCE_FORMULAS, by="higher_is_better")
    def statistic(self) -> Value:
        """Difference of the metric; positive if A is better."""
        away = self.metric_a - self.metric_b if self.higher_is_better else self.metric_b - self.metric_a
        return np.asarray(round_noise_to_zero(away, np.maximum(np.abs(self.metric_a), np.abs(self.metric_b))))[()]

    @step("D / M_B", r"\frac{$statistic}{|$metric_b|}", after=True)
    def effect_size(self) -> Value:
        """How large the difference is beside B's metric: 0.1 where A is better by a tenth of it."""
        return ratio(self.statistic, np.abs(self.metric_b))

    @property
    def leaning(self) -> Value:
        """Above 0 where A is better."""
        return self.statistic

    @property
    def doubt(self) -> str:
        """That probabilities are classes."""
        inputs = [self.__dict__.get(name) for name in self.scored]
        return hard_prediction_note(self.metric.words, self.sides, inputs) if self.metric.graded else ""

    def _rows(self) -> Iterator[Row]:
        """The metric by its name."""
        for row in super()._rows():
            yield replace(row, value=row.value.name) if row.name == "metric" else row
