"""An F of ranks is infinite where all data sets rank the classifiers alike; how probable that is, is known exactly."""

from __future__ import annotations

from collections.abc import Mapping
from math import factorial
from typing import Any, Literal

import numpy as np

from ...core.hypothesis import SMALLEST_POSITIVE_FLOAT, positive_pvalue
from ...core.number_format import format_power
from ...core.step import NotStated, step
from ...core.validation import check
from ...core.value_types import Array, Value
from ...distributions.continuous_distributions import FisherF
from .friedman_null_distribution import arrangements
from .many_classifiers import Omnibus, Ranking, ranks_add_up


class AllAgree(Ranking, Omnibus, ending=True):
    """An F of ranks, infinite where all data sets rank the classifiers alike: the probability of that is known, and is p."""

    def _check_totals(self, known: Mapping[str, Any]) -> None:
        """Ranks 1 to k are shared out on each data set."""
        super()._check_totals(known)
        ranks_add_up(known, "chi_squared")

    @step(r"\nu_1", "$k - 1", check=check.count(1))
    def df(self) -> int:
        """Degrees of freedom of the classifiers."""
        return self.k - 1

    @step(r"\nu_2", "($k - 1) ($n - 1)", check=check.count(1))
    def df_error(self) -> int:
        """Degrees of freedom of the disagreement."""
        return (self.k - 1) * (self.n - 1)

    @step("F_0", r"F_{$df,\ $df_error}", relation=r"\sim")
    def null(self) -> FisherF:
        """Approximate distribution of the statistic under H0: all classifiers are alike."""
        return FisherF(self.df, self.df_error)

    @property
    def agreement(self) -> Literal["complete", "not complete"]:
        """Whether the ranks agree completely (in one repetition at least)."""
        known = self.get_or_default("ranks", None) is not None
        return "complete" if known and np.any(np.isinf(self.statistic)) else "not complete"

    @step(
        "p",
        {
            "not complete": r"P($null \geq $statistic)",
            "complete": r"P($null \geq $statistic) \text{ where F is finite, else that all data sets have the same } $ranks",
        },
        by="agreement",
        over="$statistic",
        check=check.probability,
    )
    def pvalue(self) -> Value:
        """Probability, if H0 is true, of a statistic at least as extreme as this one."""
        p = positive_pvalue(self.null.at_least(self.statistic), self.statistic)
        if self.agreement == "not complete":
            return p
        each = np.moveaxis(self.ranks.reshape(*self.ranks.shape[:2], -1), -1, 0)
        exact = [_chance(ranks) for ranks in each]
        return np.where(np.isinf(self.statistic), np.reshape(exact, np.shape(self.statistic)), p)[()]


def _chance(ranks: Array) -> float:
    """How probable it is, if the ranks of each data set are permuted, that all of them come into the order of the first."""
    return max(1 / arrangements(ranks[0]) ** (len(ranks) - 1), SMALLEST_POSITIVE_FLOAT)


def probability_of_agreement(test: Any) -> str:
    """How probable it is, by permuting the ranks of each data set, that all data sets rank the classifiers as the first one does.

    All rows hold the same ranks then, and so the same ties; each but the first must fall into the order of the first.
    """
    try:
        orders, ties = arrangements(test.ranks[0]), ""
    except NotStated:  # started from summaries
        orders, ties = factorial(test.k), " without ties"
    return f"the exact probability of that{ties} is {format_power(orders, 1 - test.n)}"
