"""Base class of estimates of the probability of superiority.

It is the probability that classifier A beats classifier B.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from ...core.classifier_pair import TwoClassifiers
from ...core.number_format import format_plain
from ...core.step import input_field, step
from ...core.validation import check, result_checks
from ...core.value_types import Decision, Interval, Value
from ..limited_number import limited
from ..repeated_runs.stratified_bootstrap import CI, OUTSIDE

superiority_threshold = limited(check.level, lambda x: x > 0.5, "above 0.5, the probability for two equal classifiers")


class SuperiorityProbability(TwoClassifiers, ending=True):
    """Probability that A beats B, with its bootstrap distribution: interval, decision, and the three results of the source."""

    conclusion_row = ("reject", 0, "The result as text.")

    estimated_by: ClassVar[str] = "probability"

    gamma: float = input_field(
        r"\gamma", "Smallest probability of outperforming that matters.", check=superiority_threshold, default=0.75, kw_only=True
    )
    alpha: float = input_field(r"\alpha", OUTSIDE, check=check.level, default=0.05, kw_only=True)

    @step(r"\hat P", check=check.probability)
    def probability(self) -> Value:
        """Estimated probability that A beats B; a tie counts half."""
        raise TypeError(f"the class {type(self).__name__} must define the step 'probability'")

    @step(r"\hat P^*", relation=r"\sim")
    def resampled(self) -> Any:
        """Bootstrap distribution of the estimate."""
        raise TypeError(f"the class {type(self).__name__} must define the step 'resampled'")

    @step(r"\mathrm{CI}", CI, over="e", check=result_checks.interval_ends)
    def ci(self) -> Interval:
        """Percentile interval: the central part of the values of the resamples."""
        return Interval(self.resampled.low(self.alpha / 2), self.resampled.high(self.alpha / 2))

    @step(r"\text{reject } H_0", r"\min $ci > \frac{1}{2}", relation=r"\Leftrightarrow", check=result_checks.decisions)
    def reject(self) -> Decision:
        """Whether A outperforms B significantly: the whole interval lies above 1/2."""
        return np.greater(self.ci[0], 0.5)

    @step(r"\text{meaningful}", r"$reject \text{ and } \max $ci > $gamma", relation=r"\Leftrightarrow", check=result_checks.decisions)
    def meaningful(self) -> Decision:
        """Whether the result is significant and the upper end of the interval lies above gamma."""
        return np.logical_and(self.reject, np.greater(self.ci[1], self.gamma))

    # -- conclusion ------------------------------------------------------------------------------------------------------
    @property
    def verdict(self) -> str:
        """Name of the result, one of three (for a single comparison)."""
        if not self.reject:
            return "not significant"
        return "significant and meaningful" if self.meaningful else "significant, but not meaningful"

    @property
    def remark(self) -> str:
        """Note about properties of the given data."""
        return ""

    @property
    def conclusion(self) -> str:
        """The estimate, its interval and the result as text (for a single comparison)."""
        check.check_single_repetition(np.shape(self.probability), "conclusion", "test.at({}).conclusion")
        a, b = self.sides
        ends = f"{format_plain(self.ci.low)} to {format_plain(self.ci.high)}"
        estimate = f"{a} beats {b} with an estimated probability of {format_plain(self.probability)} (interval {ends})"
        return f"{estimate}: {self.verdict}, with gamma = {format_plain(self.gamma)}. {self.remark}".rstrip()
