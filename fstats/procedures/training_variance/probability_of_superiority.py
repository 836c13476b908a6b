"""How often does A beat B: what its interval comes to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np

from ...core.classifier_pair import TwoClassifiers
from ...core.number_format import format_plain
from ...core.step import input_field, step
from ...core.validation import check, result_checks
from ...core.value_types import Decision, Interval, Value
from ...core.worked_example_row import Row
from ..repeated_runs.stratified_bootstrap import CI


def superiority_threshold(value: Any, name: str) -> float:
    """A probability that matters: one number above 1/2 and below 1."""
    x = check.level(value, name)
    if x <= 0.5:
        raise ValueError(f"{name} must lie above 0.5, the probability of a fair coin; got {x:g}")
    return x


class SuperiorityProbability(TwoClassifiers, ending=True):
    """The probability that A beats B, with its law in resamples: interval, decision, and the three results of the source."""

    estimated_by: ClassVar[str] = "probability"

    gamma: float = input_field(
        r"\gamma", "The probability of outperforming that matters.", check=superiority_threshold, default=0.75, kw_only=True
    )
    alpha: float = input_field(
        r"\alpha", "What the interval leaves outside, half of it on either side.", check=check.level, default=0.05, kw_only=True
    )

    @step(r"\hat P", check=check.probability)
    def probability(self) -> Value:
        """Estimated probability that A beats B, a tie counted by half."""
        raise TypeError(f"{type(self).__name__} must say how often A beats B")

    @step(r"\hat P^*", relation=r"\sim")
    def resampled(self) -> Any:
        """What the estimate becomes when runs are drawn again."""
        raise TypeError(f"{type(self).__name__} must say what is resampled")

    @step(r"\mathrm{CI}", CI, over="e", check=result_checks.interval_ends)
    def ci(self) -> Interval:
        """Percentile interval: the middle of all resamples."""
        return Interval(self.resampled.low(self.alpha / 2), self.resampled.high(self.alpha / 2))

    @step(r"\text{reject } H_0", r"\min $ci > \frac{1}{2}", relation=r"\Leftrightarrow", check=result_checks.decisions)
    def reject(self) -> Decision:
        """Whether A outperforms B significantly: the interval lies above 1/2, its ends included."""
        return np.greater(self.ci[0], 0.5)

    @step(r"\text{meaningful}", r"$reject \text{ and } \max $ci > $gamma", relation=r"\Leftrightarrow", check=result_checks.decisions)
    def meaningful(self) -> Decision:
        """Whether the probability may also be as large as matters."""
        return np.logical_and(self.reject, np.greater(self.ci[1], self.gamma))

    # -- in words --------------------------------------------------------------------------------------------------------
    @property
    def verdict(self) -> str:
        """Which of the three results it is (of a single comparison)."""
        if not self.reject:
            return "not significant"
        return "significant and meaningful" if self.meaningful else "significant, but not meaningful"

    @property
    def remark(self) -> str:
        """What must be known about these data."""
        return ""

    @property
    def conclusion(self) -> str:
        """The estimate, its interval and the result in words (of a single comparison)."""
        check.check_single_repetition(np.shape(self.probability), "conclusion", "test.at({}).conclusion")
        a, b = self.sides
        ends = f"{format_plain(self.ci.low)} to {format_plain(self.ci.high)}"
        found = f"{a} beats {b} with an estimated probability of {format_plain(self.probability)} (interval {ends})"
        return f"{found}: {self.verdict}, with gamma = {format_plain(self.gamma)}. {self.remark}".rstrip()

    def _rows(self) -> Iterator[Row]:
        """One row for each input and step, and the conclusion of a single comparison."""
        yield from super()._rows()
        if "reject" in self.__dict__ and not np.ndim(self.reject):
            yield Row("conclusion", "", "", "", "", self.conclusion, "The result in words.", "", "conclusion")
