"""Steps that the questions ask for, and the notebook sections that explain them."""

from __future__ import annotations

import numpy as np
from numpy import sqrt

from ....core.numerics.zero_division import ratio
from ....core.procedure import Procedure
from ....core.step import input_field, step
from ....core.value_types import Interval, Value
from ....distributions.continuous_distributions import StudentT
from ....procedures.pairwise.paired_t import PairedT

T_RANGE = r"\left[\frac{$mean - 0.05}{($sd + 0.05) / \sqrt{$n}},\ \frac{$mean + 0.05}{($sd - 0.05) / \sqrt{$n}}\right]"


class Claims(Procedure):
    """Conclusions from the printed numbers of a comparison, claim by claim."""

    n: int = input_field("n", "Claim 1: number of data sets.")
    mean: float = input_field(r"\bar d", "Claim 1: mean difference, new minus old, in points.")
    sd: float = input_field("s_d", "Claim 1: standard deviation of the differences.")
    t_printed: float = input_field(r"t_{\mathrm{printed}}", "Claim 1: printed t.")
    p_printed: float = input_field(r"p_{\mathrm{printed}}", "Claim 1: printed p-value.")
    baselines: int = input_field("b", "Number of old classifiers in the table.")
    variants: int = input_field("v", "Number of variants of the new classifier that were tried.")
    repeats: int = input_field("r", "Claim 2: repetitions of the cross-validation.")
    folds: int = input_field("k", "Claim 2: folds of each repetition.")
    fold_mean: float = input_field(r"\bar d_f", "Claim 2: mean difference over all folds, in points.")
    fold_sd: float = input_field("s_f", "Claim 2: standard deviation over all folds.")
    records: int = input_field("N", "Claim 3: records in the test set.")
    accuracy_a: float = input_field(r"\mathrm{acc}_A", "Claim 3: accuracy of the new classifier, in percent.")
    accuracy_b: float = input_field(r"\mathrm{acc}_B", "Claim 3: accuracy of the old classifier.")

    se, statistic, df, null = PairedT.se, PairedT.statistic, PairedT.df, PairedT.null

    @step("p", r"2\,P($null \geq |$statistic|)")
    def pvalue(self) -> Value:
        """Two-sided p-value of t."""
        return 2 * self.null.at_least(abs(self.statistic))

    @step(r"t_{\mathrm{range}}", T_RANGE, over="e")
    def t_range(self) -> Interval:
        """The smallest and the largest t that are possible, given the rounding of the mean and the standard deviation."""
        return Interval((self.mean - 0.05) / ((self.sd + 0.05) / sqrt(self.n)), (self.mean + 0.05) / ((self.sd - 0.05) / sqrt(self.n)))

    @step(r"p_{\mathrm{range}}", r"[2\,P($null \geq $t_printed + 0.005),\ 2\,P($null \geq $t_printed - 0.005)]", over="e")
    def p_range(self) -> Interval:
        """The smallest and the largest two-sided p-value that are possible, given the rounding of the printed t."""
        return Interval(2 * self.null.at_least(self.t_printed + 0.005), 2 * self.null.at_least(self.t_printed - 0.005))

    @step(r"p_{\mathrm{adj}}", r"\min\{1,\ $variants \cdot $baselines \cdot $pvalue\}")
    def p_adjusted(self) -> Value:
        """Bonferroni's adjusted p-value: the two-sided p-value times the number of comparisons (variants times old classifiers)."""
        return np.minimum(1, self.variants * self.baselines * self.pvalue)

    @step(r"\frac{n_2}{n_1}", r"\frac{1}{$folds - 1}")
    def ratio(self) -> float:
        """Number of test records divided by the number of training records, in each fold."""
        return 1 / (self.folds - 1)

    @step(r"\mathrm{SE}_f", r"\sqrt{\frac{1}{$repeats \cdot $folds} + $ratio}\;$fold_sd")
    def fold_se(self) -> Value:
        """Corrected resampled standard error of the mean difference over the folds."""
        return sqrt(1 / (self.repeats * self.folds) + self.ratio) * self.fold_sd

    @step("t_f", r"\frac{$fold_mean}{$fold_se}")
    def fold_t(self) -> Value:
        """Mean difference over the folds, divided by the corrected standard error."""
        return self.fold_mean / self.fold_se

    @step("p_f", r"2\,P(t_{$repeats \cdot $folds - 1} \geq |$fold_t|)")
    def fold_p(self) -> Value:
        """Two-sided p-value of the t over the folds; the degrees of freedom are the number of all folds minus one."""
        return 2 * StudentT(self.repeats * self.folds - 1).at_least(abs(self.fold_t))

    @step("n_{10}", r"$records \cdot (100 - $accuracy_b) / 100")
    def n10_most(self) -> Value:
        """The largest number of records on which the new classifier can be right and the old classifier wrong."""
        return np.rint(self.records * (100 - self.accuracy_b) / 100)

    @step("n_{01}", r"$records \cdot (100 - $accuracy_a) / 100")
    def n01_most(self) -> Value:
        """The largest number of records on which the new classifier can be wrong and the old classifier right."""
        return np.rint(self.records * (100 - self.accuracy_a) / 100)

    @step("D", "$n10_most - $n01_most")
    def lead(self) -> Value:
        """Lead of the new classifier in records: n10 - n01, fixed by the accuracies."""
        return self.n10_most - self.n01_most

    @step("M", r"\left[\frac{($lead - 1)^2}{$n10_most + $n01_most},\ \frac{($lead - 1)^2}{$lead}\right]", over="e")
    def mcnemar_range(self) -> Interval:
        """The smallest and the largest McNemar statistic (with continuity correction) that two classifiers of these accuracies can have."""
        return Interval((self.lead - 1) ** 2 / (self.n10_most + self.n01_most), ratio((self.lead - 1) ** 2, self.lead))
