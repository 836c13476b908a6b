"""Steps that the questions ask for, and the notebook sections that explain them."""

from __future__ import annotations

from ....core.step import input_field, step
from ....core.validation import check
from ....core.value_types import Value
from ....distributions.continuous_distributions import Normal
from ....procedures.pairwise.equivalence import EquivalenceT


class EquivalenceByHand(EquivalenceT):
    """Equivalence test by hand, the smallest margin that it would have shown, and the size of a study that could show equivalence."""

    margin: float = input_field(r"\delta", "The largest irrelevant difference, agreed before the data.", check=check.positive)
    beta: float = input_field(r"\beta", "Accepted probability of missing equivalence.", default=0.2, kw_only=True)

    @step("m", r"|$mean| + $critical_value\,$se", after=True)
    def margin_shown(self) -> Value:
        """The smallest margin at which the equivalence test would have rejected."""
        return abs(self.mean) + self.critical_value * self.se

    @step("n_*", r"\left(\frac{(z_{$alpha} + z_{$beta / 2})\,$sd}{$margin}\right)^2", after=True)
    def size(self) -> Value:
        """Number of data sets that shows equivalence with the required probability, if the true difference is 0 (normal
        approximation, not rounded).
        """
        z = Normal(0.0, 1.0)
        return ((z.high(self.alpha) + z.high(self.beta / 2)) * self.sd / self.margin) ** 2
