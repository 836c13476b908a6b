"""Steps that the questions ask for, and the notebook sections that explain them."""

from __future__ import annotations

from typing import Any

from numpy import sqrt

from ....core.step import step
from ....core.value_types import Value
from ....procedures.posthoc.nemenyi import Nemenyi


class ByCriticalDifference(Nemenyi):
    """Nemenyi's test computed by hand, so that a wrong critical difference is carried forward."""

    @step(r"\mathrm{CD}", r"$q_alpha \sqrt{\frac{$k ($k + 1)}{6\,$n}}")
    def cd(self) -> Value:
        """Critical difference: the smallest distance of two mean ranks that is significant."""
        return self.q_alpha * sqrt(self.k * (self.k + 1) / (6 * self.n))

    @step(r"\text{reject } H_h", r"|$differences| \geq $cd", relation=r"\Leftrightarrow", over="h")
    def reject(self) -> Any:
        """Whether each pair differs: A - B, A - C, A - D, B - C, B - D, C - D."""
        return abs(self.differences) >= self.cd
