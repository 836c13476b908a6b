"""Base class of F tests on ranks.

The p-value is exact if all data sets have the same ranks.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import factorial
from typing import Any, ClassVar, Literal

import numpy as np

from ...core.hypothesis import SMALLEST_POSITIVE_FLOAT, positive_pvalue
from ...core.number_format import format_power
from ...core.step import NotStated, step
from ...core.validation import check
from ...core.value_types import Value
from .friedman_null_distribution import permutation_count
from .many_classifiers import Omnibus, RankTable, check_rank_totals
from .one_way_anova import OneWayAnova


class RankFTest(RankTable, Omnibus, ending=True):
    """F test of ranks; if all data sets give the same ranks, F is infinite and p is the exact probability of equal ranks."""

    complete_agreement: ClassVar[str]  # clause for the case that all data sets have the same ranks (F is infinite)

    def _check_totals(self, known: Mapping[str, Any]) -> None:
        """Check that the given values are possible for ranks 1 to k on each data set."""
        super()._check_totals(known)
        check_rank_totals(known, "chi_squared")

    df = OneWayAnova.df.restated("Degrees of freedom of the classifiers.")

    @step(r"\nu_2", "($k - 1) ($n - 1)", check=check.count(1))
    def df_error(self) -> int:
        """Degrees of freedom of the residuals."""
        return (self.k - 1) * (self.n - 1)

    null = OneWayAnova.null.restated("Approximate distribution of F under H0: there is no difference among the classifiers.")

    @property
    def agreement(self) -> Literal["complete", "not complete"]:
        """Whether all data sets give the same ranks (in at least one repetition)."""
        known = self.get_or_default("ranks", None) is not None
        return "complete" if known and np.any(np.isinf(self.statistic)) else "not complete"

    @property
    def _infinite_statistic_note(self) -> str:
        """Explanation of an infinite statistic."""
        return f"{self.complete_agreement}, so F is infinite; {probability_of_agreement(self)}."

    _pvalue_formula: ClassVar = {
        "not complete": r"P($null \geq $statistic)",
        "complete": r"P($null \geq $statistic) \text{ where F is finite, else that all data sets have the same } $ranks",
    }

    @step("p", _pvalue_formula, by="agreement", over="$statistic", check=check.probability)
    def pvalue(self) -> Value:
        """Probability, if H0 is true, of a statistic at least as extreme as the observed statistic."""
        p = positive_pvalue(self.null.at_least(self.statistic), self.statistic)
        if self.agreement == "not complete":
            return p
        each = np.moveaxis(self.ranks.reshape(*self.ranks.shape[:2], -1), -1, 0)
        # probability under H0 that every row of ranks equals the first row
        exact = [max(1 / permutation_count(ranks[0]) ** (len(ranks) - 1), SMALLEST_POSITIVE_FLOAT) for ranks in each]
        return np.where(np.isinf(self.statistic), np.reshape(exact, np.shape(self.statistic)), p)[()]


def probability_of_agreement(test: Any) -> str:
    """Return the probability that all data sets get the same ranks by random permutation, as part of a sentence.

    If all rows of ranks are equal, each row except the first must be permuted into the order of the first row.
    """
    try:
        permutations, ties = permutation_count(test.ranks[0]), ""
    except NotStated:  # a test created from summary values has no ranks
        permutations, ties = factorial(test.k), " without ties"
    return f"the exact probability of this event{ties} is {format_power(permutations, 1 - test.n)}"
