"""Steps that the questions ask for, and the notebook sections that explain them."""

from __future__ import annotations

from typing import Any

from numpy import sqrt

from ....core.step import input_field, step
from ....core.validation import check
from ....core.value_types import Value
from ....procedures.resampling.algorithm_comparison import SplitMeanT


class NaiveAndCorrectedT(SplitMeanT):
    """Resampled t-tests: is A better than B, if splits are treated as independent, and if they are treated as dependent?"""

    n_train: Any = input_field("n_1", "Number of training records in each split.", check=check.positive)
    n_test: Any = input_field("n_2", "Number of test records in each split.", check=check.positive)

    @step(r"\mathrm{SE}_0", r"\frac{$sd}{\sqrt{$n}}")
    def naive_se(self) -> Value:
        """Standard error of the mean difference, if the splits were independent."""
        return self.sd / sqrt(self.n)

    @step("t_0", r"\frac{$mean}{$naive_se}")
    def naive_statistic(self) -> Value:
        """Mean difference divided by the standard error for independent splits."""
        return self.mean / self.naive_se

    @step("p_0", r"2\,P($null \geq |$naive_statistic|)")
    def naive_pvalue(self) -> Value:
        """Two-sided p-value, if the splits were independent."""
        return 2 * self.null.at_least(abs(self.naive_statistic))

    @step("q", r"\frac{$n_test}{$n_train}")
    def test_by_train(self) -> Value:
        """Number of test records divided by the number of training records."""
        return self.n_test / self.n_train

    @step("f", r"\frac{1}{$n} + $test_by_train")
    def factor(self) -> Value:
        """Factor that turns the variance over the splits (the square of s_d) into the variance of the mean."""
        return 1 / self.n + self.test_by_train

    @step(r"\mathrm{SE}", r"\sqrt{$factor}\,$sd")
    def se(self) -> Value:
        """Corrected standard error of the mean difference, for splits that share records."""
        return sqrt(self.factor) * self.sd

    @step("J_*", r"\frac{1}{$factor}", after=True)
    def worth(self) -> Value:
        """Number of independent splits with the same s_d whose mean would be as precise as your mean."""
        return 1 / self.factor
