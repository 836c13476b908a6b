"""Steps that the questions ask for, and the notebook sections that explain them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy import sqrt
from scipy import special

from ....core.classifier_pair import TwoClassifierTest
from ....core.rejection_region import SYMMETRIC_TAILS
from ....core.step import input_field, step
from ....core.validation import check
from ....core.value_types import Array, Value
from ....procedures.pairwise.paired_t import PairedT
from ....procedures.resampling.block_regularized.blocked_five_by_two_t import BlockedFiveByTwoT, below_one
from ....procedures.resampling.five_by_two.five_by_two_t import FiveByTwoT


class TablesThatScatter(TwoClassifierTest):
    """Ten tables of a blocked 5x2 cross-validation: how much do the tables vary, and do the learners differ?"""

    tails = SYMMETRIC_TAILS
    parameter, compares = r"\mu_d", "accuracy"
    names_by_index: ClassVar[Mapping[str, Any]] = {"k": ("fold 1", "fold 2")}

    n01: Any = input_field("n_{01}", "Records that A gets wrong and B right, in each repetition and fold.", over="jk", check=check.counts)
    n10: Any = input_field("n_{10}", "Records that A gets right and B wrong.", over="jk", check=check.counts, like="n01")
    n: Any = input_field("n", "Number of records; each record is tested once in every repetition.", check=check.positive)
    rho: Any = input_field(r"\rho", "Correlation between the contributions of training in two repetitions.", check=below_one)

    @step("D", "$n10 - $n01", over="jk")
    def imbalance(self) -> Array:
        """Records that only A gets right minus records that only B gets right, in each repetition and fold."""
        return self.n10 - self.n01

    @step(r"\bar D_j", r"\frac{1}{2} \sum_k $imbalance", over="j")
    def imbalance_of_repetition(self) -> Array:
        """Mean imbalance of the two folds of each repetition."""
        return self.imbalance.sum(1) / 2

    @step("S", r"\sum_{jk} ($imbalance - $imbalance_of_repetition)^2")
    def apart(self) -> Value:
        """Sum of the ten squared deviations of the folds from the mean of their own repetition."""
        return ((self.imbalance - self.imbalance_of_repetition[:, np.newaxis]) ** 2).sum()

    @step("S_0", r"\frac{1}{2} \sum_{jk} ($n01 + $n10)")
    def expected(self) -> Value:
        """Expected sum of squares if only records varied: half of the discordant records."""
        return (self.n01 + self.n10).sum() / 2

    @step(r"\hat\varphi", r"\frac{$apart}{$expected}")
    def scatter(self) -> Value:
        """Scatter: ratio of the observed sum of squares to the sum of squares that chance among records explains."""
        return self.apart / self.expected

    @step("c_5", r"\min\{x : P(\chi^2_5 \geq x) \leq $alpha / 2\}")
    def quantile(self) -> Value:
        """Value that chi-squared with 5 degrees of freedom exceeds with probability alpha / 2."""
        return special.chdtri(5, self.alpha / 2)

    @step("L", r"\frac{5\,$scatter}{$quantile}")
    def low(self) -> Value:
        """Lower limit of the confidence interval of the scatter, from five differences between two folds."""
        return 5 * self.scatter / self.quantile

    @step(r"\bar d_j", r"\frac{2\,$imbalance_of_repetition}{$n}", over="j")
    def mean_of_repetition(self) -> Array:
        """Accuracy of A minus accuracy of B in each repetition."""
        return 2 * self.imbalance_of_repetition / self.n

    mean = BlockedFiveByTwoT.mean
    repetition_sd = BlockedFiveByTwoT.repetition_sd

    @step("E", r"\frac{1}{5\,$n} \sum_{jk} ($n01 + $n10)")
    def e(self) -> Value:
        """Share of the records on which exactly one classifier is right."""
        return (self.n01 + self.n10).sum() / (5 * self.n)

    @step(r"\mathrm{SE}_0", r"\sqrt{\frac{$e}{$n}}")
    def records_se(self) -> Value:
        """Standard error of the mean difference under H0, if only records varied."""
        return sqrt(self.e / self.n)

    correction = BlockedFiveByTwoT.correction

    @step(r"\mathrm{SE}", r"\sqrt{$records_se^2 + $correction\,$repetition_sd^2}")
    def se(self) -> Value:
        """Standard error under H0, including the variation of training."""
        return sqrt(self.records_se**2 + self.correction * self.repetition_sd**2)

    statistic = PairedT.statistic

    @step(r"\nu", r"\frac{$se^4}{\frac{$records_se^4}{$n\,$e} + \frac{($correction\,$repetition_sd^2)^2}{4}}")
    def df(self) -> Value:
        """Degrees of freedom, by Satterthwaite's rule."""
        return self.se**4 / (self.records_se**4 / (self.n * self.e) + (self.correction * self.repetition_sd**2) ** 2 / 4)

    null = FiveByTwoT.null
