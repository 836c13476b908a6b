"""Base class of 5x2 cross-validation tests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy import sqrt

from ....core.numerics.floating_point_ties import DOUBLE_NOISE, round_noise_to_zero
from ....core.numerics.sums_of_squares import ScaledSquares
from ....core.numerics.zero_division import ratio
from ....core.step import input_field, step
from ....core.validation import check
from ....core.value_types import Array, Value
from ..algorithm_comparison import DIFFERENCE_OF_FOLD, TwoAlgorithms, differences_on_two_folds
from ..split_plans.split_plan import FIVE_BY_TWO


class FiveByTwoTest(ScaledSquares, TwoAlgorithms):
    """Base class of tests that use the differences on both folds of five replications and the variance within each replication."""

    names_by_index: ClassVar[Mapping[str, Any]] = {"k": ("fold 1", "fold 2")}

    plan = FIVE_BY_TWO
    measured = ("d",)
    parameter = r"\mu_d"
    compares = "mean score"

    d: Any = input_field("d_{ik}", DIFFERENCE_OF_FOLD, over="ik", check=differences_on_two_folds(5), unit="score")

    @step(r"\bar d_i", r"\frac{1}{2} \sum_k $d", over="i", unit="score")
    def means(self) -> Array:
        """Mean of the two differences of each replication."""
        return self.d.sum(1) / 2

    @step("s_i^2", r"\sum_k ($d - $means)^2", over="i", check=check.nonnegative, unit="score^2")
    def variances(self) -> Array:
        """Variance of the two differences of each replication (with divisor 2 - 1)."""
        spread = (self.in_units(self.d - self.means[:, np.newaxis]) ** 2).sum(1)
        return round_noise_to_zero(spread, DOUBLE_NOISE * self.in_units(self.means) ** 2)

    @step("d_z", r"\frac{\frac{1}{5} \sum_i $means}{\sqrt{\frac{1}{5} \sum_i $variances}}", after=True)
    def effect_size(self) -> Value:
        """Mean difference in standard deviations of one difference; compare effect sizes only between results of the same plan."""
        return ratio(round_noise_to_zero(self.means.sum(0) / 5, np.abs(self.means).max(0)), self.unit * sqrt(self.variances.sum(0) / 5))
