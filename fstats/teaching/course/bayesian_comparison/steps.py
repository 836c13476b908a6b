"""Steps that the questions ask for, and the notebook sections that explain them."""

from __future__ import annotations

from scipy import special

from ....core.step import step
from ....core.validation import check
from ....core.value_types import Value
from ....procedures.bayes.bayesian_correlated_t import BayesianCorrelatedT


class AreasByHand(BayesianCorrelatedT):
    """Bayesian correlated t-test by hand: both limits of the rope in units of the posterior's scale, and the three areas."""

    @step("t_-", r"\frac{-$rope - $mean}{$scale}")
    def t_low(self) -> Value:
        """Distance of the lower limit of the rope from the mean, in units of the scale."""
        return (-self.rope - self.mean) / self.scale

    @step("t_+", r"\frac{$rope - $mean}{$scale}")
    def t_high(self) -> Value:
        """Distance of the upper limit of the rope from the mean, in units of the scale."""
        return (self.rope - self.mean) / self.scale

    @step("P_-", r"P(T \leq $t_low),\ T \sim t_{$df}", check=check.probability)
    def below(self) -> Value:
        """Probability that B is better by more than the rope."""
        return special.stdtr(self.df, self.t_low)

    @step("P_+", r"P(T \geq $t_high),\ T \sim t_{$df}", check=check.probability)
    def above(self) -> Value:
        """Probability that A is better by more than the rope."""
        return special.stdtr(self.df, -self.t_high)

    @step("P_0", "1 - $below - $above", check=check.probability)
    def inside(self) -> Value:
        """Probability that A and B are practically equivalent."""
        return 1 - self.below - self.above
