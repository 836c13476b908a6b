"""Steps that the questions ask for, and the notebook sections that explain them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from ....core.procedure import Procedure
from ....core.step import input_field, step
from ....core.validation import check
from ....core.value_types import Array
from ....procedures.posthoc.hochberg import Hochberg
from ....procedures.posthoc.holm import Holm


class HolmsLadder(Procedure):
    """A new classifier compared with several rivals: from which of them does it differ?"""

    names_by_index: ClassVar[Mapping[str, Any]] = {"h": "rivals"}

    rivals: Any = input_field("H_h", "Classifiers that were compared with the new classifier.", over="h")
    pvalues: Any = input_field("p_h", "Unadjusted p-value of the new classifier against each rival.", over="h", check=check.probabilities)
    alpha: float = input_field(r"\alpha", "Familywise level.", check=check.level, default=0.05, kw_only=True)

    m, order, sorted_pvalues = Holm.m, Holm.order, Holm.sorted_pvalues
    most_true, thresholds = Holm.most_true, Holm.thresholds
    adjusted, reject = Holm.adjusted, Holm.reject

    @step("b_h", r"\min\{1,\ $m\,$pvalues\}", over="h")
    def bonferroni(self) -> Array:
        """Bonferroni's adjusted p-value of each hypothesis, in the order of the table."""
        return np.minimum(1, self.m * self.pvalues)

    @step(r"\text{reject } H_{(r)}", r"$sorted_pvalues \leq $thresholds \text{ up to here}", relation=r"\Leftrightarrow", over="r")
    def sorted_reject(self) -> Any:
        """Whether each hypothesis is rejected, in the order of the p-values, the smallest first."""
        return np.logical_and.accumulate(self.sorted_pvalues <= self.thresholds)

    @step("a_r", r"$most_true\,$sorted_pvalues", over="r")
    def raised(self) -> Array:
        """Each p-value multiplied by the number of hypotheses that can still be true."""
        return self.most_true * self.sorted_pvalues

    @step(r"\tilde p_{(r)}", r"\min\{1,\ \max\{$raised,\ \tilde p_{(r - 1)}\}\}", over="r")
    def sorted_adjusted(self) -> Array:
        """Holm's adjusted p-values in ascending order: the smallest familywise level at which each hypothesis is rejected."""
        return np.minimum(1, np.maximum.accumulate(self.raised))


class HochbergsLadder(HolmsLadder):
    """Hochberg's procedure: it has Holm's thresholds, but starts at the largest p-value."""

    sorted_adjusted, sorted_reject = Hochberg.sorted_adjusted, Hochberg.sorted_reject
