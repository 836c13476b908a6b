"""Base class of paired tests for any metric."""

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
from ...core.step import count_step, input_field, make_read_only, step
from ...core.validation import check
from ...core.value_types import Value
from ...core.worked_example_row import Row
from ..auc.placement_values import hard_prediction_note
from ..bayes.rope_comparison import draws, seed
from .joint_outcomes import JointOutcomes
from .metrics import METRICS, Metric, get_metric, record_values

DIFFERENCE_FORMULAS = {True: "$metric_a - $metric_b", False: "$metric_b - $metric_a"}


class PairedMetric(TwoClassifierTest):
    """Difference of a metric of two classifiers on the same records; a subclass defines its distribution."""

    tails = ASYMMETRIC_TAILS
    parameter = "D"
    estimated_by = "statistic"

    y_true: Any = input_field("y_i", "True value of each record.", over="i", check=record_values)
    a: Any = input_field(r"\hat y_A", "Prediction of each record by A.", over="i", check=record_values, like="y_true")
    b: Any = input_field(r"\hat y_B", "Prediction of each record by B.", over="i", check=record_values, like="y_true")
    metric: Any = input_field(r"\text{metric}", "Metric that is compared.", check=get_metric, default=METRICS["accuracy"], kw_only=True)
    draws: int = input_field("B", "Number of random draws.", check=draws, default=9_999, kw_only=True)
    rng: int = input_field(r"\text{seed}", "Seed of the random draws.", check=seed, default=0, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        values = self.__dict__
        if not {"y_true", "a", "b"} <= values.keys():
            return
        if len(values["y_true"]) < 2:
            raise ValueError(f"`y_true` must hold at least 2 records; got {len(values['y_true'])}")
        checked = self.metric.check_inputs(values["y_true"], values["a"], values["b"])
        values |= {name: make_read_only(value) for name, value in zip(("y_true", "a", "b"), checked, strict=True)}

    @property
    def compares(self) -> str:  # type: ignore[override]
        """Name of the compared metric."""
        return str(self.metric.display_name)

    @property
    def higher_is_better(self) -> bool:
        """Whether higher values of the metric are better."""
        return bool(self.metric.higher_is_better)

    @property
    def direction(self) -> str:
        """Note in brackets that lower is better; empty if higher is better."""
        return "" if self.higher_is_better else LOWER_IS_BETTER_TEXT

    @property
    def effect_text(self) -> str:
        """Size of the difference as text: the metrics of A and of B, and their difference."""
        size = super().effect_text
        return f", {format_plain(self.metric_a)} against {format_plain(self.metric_b)}{size}" if size else ""

    @cached_property
    def _joint(self) -> list[JointOutcomes]:
        """Joint outcomes of each repetition."""
        metric: Metric = self.metric
        y, a, b = (x.reshape(len(x), -1) for x in (self.y_true, self.a, self.b))
        return [JointOutcomes(metric, y[:, r], a[:, r], b[:, r]) for r in range(y.shape[1])]

    def _map_repetitions(self, function: Callable[[JointOutcomes], Any]) -> Any:
        """Return the values of a function of the joint outcomes, with the axes of the repetitions last."""
        values = np.array([function(joint) for joint in self._joint], float)
        return np.moveaxis(values, 0, -1).reshape((*values.shape[1:], *self.y_true.shape[1:]))[()]

    def _metric_of(self, side: int) -> Value:
        values: Value = self._map_repetitions(lambda joint: joint.metrics(joint.counts[None])[side][0])
        if np.isnan(values).any():
            raise ValueError(f"`metric` must be defined on these records; {self.metric.display_name} gave nan. Use another metric.")
        return values

    n = count_step("n", "y_true", "i", "Number of records.", check=check.count(2))

    @step("M_A", r"\text{metric of } $a \text{ for } $y_true <- $b $metric")
    def metric_a(self) -> Value:
        """Metric of A."""
        return self._metric_of(0)

    @step("M_B", r"\text{metric of } $b \text{ for } $y_true <- $a $metric")
    def metric_b(self) -> Value:
        """Metric of B."""
        return self._metric_of(1)

    @step("D", DIFFERENCE_FORMULAS, by="higher_is_better")
    def statistic(self) -> Value:
        """Difference of the metrics of A and B; positive if A is better."""
        difference = self.metric_a - self.metric_b if self.higher_is_better else self.metric_b - self.metric_a
        return np.asarray(round_noise_to_zero(difference, np.maximum(np.abs(self.metric_a), np.abs(self.metric_b))))[()]

    @step("D / M_B", r"\frac{$statistic}{|$metric_b|}", after=True)
    def effect_size(self) -> Value:
        """Relative difference: difference divided by the metric of B; 0.1 if A is better by a tenth of the metric of B."""
        return ratio(self.statistic, np.abs(self.metric_b))

    @property
    def difference_sign(self) -> Value:
        """Observed difference of the metrics; above 0 if A is better."""
        return self.statistic

    @property
    def input_warning(self) -> str:
        """Warning that the scores look like predicted classes."""
        inputs = [self.__dict__.get(name) for name in self.scored]
        return hard_prediction_note(self.metric.display_name, self.sides, inputs) if self.metric.uses_scores else ""

    def _rows(self) -> Iterator[Row]:
        """Yield the rows of a worked example; the metric is shown by its name."""
        for row in super()._rows():
            yield replace(row, value=row.value.name) if row.name == "metric" else row
