"""Steps that the questions ask for, and the notebook sections that explain them."""

from __future__ import annotations

import numpy as np
from numpy import sqrt

from ....core.numerics.zero_division import ratio
from ....core.step import step
from ....core.value_types import Array, Value
from ....distributions.continuous_distributions import FisherF
from ....procedures.resampling.five_by_two.five_by_two_f import CombinedFiveByTwoF
from ....procedures.resampling.five_by_two.five_by_two_t import FiveByTwoT


class FiveByTwoTests(FiveByTwoT):
    """Dietterich's t, Alpaydin's F and Yildiz' combined t: what do three tests say about the same ten differences?"""

    # One class contains the three tests, because a wrong variance is carried into all three.

    @step("c_d", r"$critical_value \cdot $se", after=True)
    def reach(self) -> Value:
        """Smallest absolute value of the first difference for which Dietterich's t rejects."""
        return self.critical_value * self.se

    @step(r"\text{numbering decides}", r"\min_{ik} |$d| < $reach \leq \max_{ik} |$d|", relation=r"\Leftrightarrow", after=True)
    def numbering_decides(self) -> np.bool:
        """Whether some of the ten differences would reject if they were the first one, and others would not."""
        return np.bool((abs(self.d) >= self.reach).any() and (abs(self.d) < self.reach).any())

    sum_of_squares = CombinedFiveByTwoF.sum_of_squares

    @step("F", r"\frac{$sum_of_squares}{2 \sum_i $variances}", after=True)
    def f(self) -> Value:
        """Alpaydin's F: sum of the ten squares, divided by twice the sum of the five variances."""
        return ratio(self.sum_of_squares, 2 * self.variances.sum())

    @step(r"\nu_1,\, \nu_2", r"(\#\{(i, k) : $d\},\ \#\{i : $variances\})", over="v", after=True)
    def f_degrees(self) -> Array:
        """Degrees of freedom of the numerator and denominator of F: one for each square, one for each variance."""
        return np.array([self.d.size, len(self.variances)])

    @step("p_F", r"P(F_{$f_degrees} \geq $f)", after=True)
    def f_pvalue(self) -> Value:
        """Probability, if H0 is true, of an F at least as large as the observed F."""
        return FisherF(*self.f_degrees).at_least(self.f)

    @step(r"t_{\mathrm{comb}}", r"\frac{\sqrt{10} \cdot \frac{1}{10} \sum_{ik} $d}{$se}", after=True)
    def combined(self) -> Value:
        """Yildiz' combined t: the mean of all ten differences, with a tenth of the variance of one difference."""
        return ratio(sqrt(10) * self.d.sum() / 10, self.se)

    @step(r"p_{\mathrm{comb}}", r"2\,P($null \geq |$combined|)", after=True)
    def combined_pvalue(self) -> Value:
        """Two-sided p-value of the combined t, on the same distribution as Dietterich's t."""
        return 2 * self.null.at_least(abs(self.combined))
