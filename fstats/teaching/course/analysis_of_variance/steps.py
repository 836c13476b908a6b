"""Steps that the questions ask for, and the notebook sections that explain them."""

from __future__ import annotations

from ....core.step import step
from ....core.value_types import Value
from ....procedures.multiple.repeated_measures_anova import RepeatedAnova


class BothAnalyses(RepeatedAnova):
    """The repeated-measures analysis, and the one-way analysis of the same table.

    One class contains both analyses, so that a carried answer is never used for a step with the same name in the other analysis.
    """

    @step(r"\mathrm{SS}_W", r"\sum_{ij} ($scores - $means)^2", after=True)
    def ss_within(self) -> Value:
        """Sum of squares within the classifiers: deviations of the scores from the mean of their own classifier."""
        return ((self.scores - self.means) ** 2).sum()

    @step(r"\nu_W", "$k $n - $k", after=True)
    def df_within(self) -> int:
        """Degrees of freedom within: number of all scores minus one for each classifier's mean."""
        return self.k * self.n - self.k

    @step("F_1", r"\frac{$ms_classifiers}{$ss_within / $df_within}", after=True)
    def one_way(self) -> Value:
        """F of the one-way analysis."""
        return self.ms_classifiers / (self.ss_within / self.df_within)
