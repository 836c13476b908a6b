"""Simulation of the power of multiple comparisons.

The number of data sets and the number of classifiers vary.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, ClassVar

import numpy as np

from ...core.procedure import Procedure
from ...core.step import input_field, step
from ...core.validation import check
from ...core.value_types import Array
from ...procedures.multiple.friedman import Friedman
from ...procedures.posthoc.holm import Holm
from ...procedures.posthoc.nemenyi import Nemenyi
from ...procedures.posthoc.shaffer import Shaffer

MOST_DATASETS, MOST_CLASSIFIERS, TABLES = 60, 10, 400
SIZES = tuple(range(5, MOST_DATASETS + 1, 5))
PROCEDURES = ("no correction", "Bonferroni", "Holm", "Shaffer", "Nemenyi")


@cache
def noise() -> Array:
    """Draw the same normal noise for all sizes and shifts, so that tables differ only in size and shift."""
    noise = np.random.default_rng(2006).normal(size=(MOST_DATASETS, MOST_CLASSIFIERS, TABLES))
    noise.setflags(write=False)
    return noise


datasets = check.count(2, MOST_DATASETS, "as large as the simulated tables are")
classifiers = check.count(3, MOST_CLASSIFIERS, datasets.why)  # the minimum is 3: the two compared classifiers and another one


def check_procedures(value: Any, name: str) -> Any:
    """Check the names of procedures."""
    return np.array([check.choice(*PROCEDURES)(str(rule), name) for rule in value])


class Multiplicity(Procedure):
    """Multiplicity: how often is a true difference found, and how often is a difference found that does not exist?

    The simulated tables hold scores of k classifiers on n data sets. The first classifier is better by `shift` standard
    deviations; all other classifiers are equally good.
    """

    names_by_index: ClassVar[Mapping[str, Any]] = {"q": "rules", "g": "sizes"}

    n: int = input_field("N", "Number of data sets.", check=datasets)
    k: int = input_field("k", "Number of classifiers.", check=classifiers)
    shift: float = input_field(r"\delta", "Advantage of the first classifier, in standard deviations.", check=check.nonnegative)
    alpha: float = input_field(r"\alpha", "Level of each procedure.", check=check.level, default=0.05, kw_only=True)

    @step("m", r"\frac{$k ($k - 1)}{2}")
    def pairs(self) -> int:
        """Number of pairs of classifiers, which is the number of tests."""
        return self.k * (self.k - 1) // 2

    @step(r"\mathrm{E}", r"\frac{($k - 1)($k - 2)}{2}\,$alpha")
    def expected(self) -> float:
        """Expected number of false alarms among the pairs of equally good classifiers, if each pair is tested at alpha."""
        return (self.k - 1) * (self.k - 2) / 2 * self.alpha

    @step("q", r"\text{procedures}", over="q", check=check_procedures)
    def rules(self) -> Any:
        """Names of the procedures."""
        return np.array(PROCEDURES)

    @step(r"P_q", r"P(\text{first found better than second by procedure } q) <- $rules, $n, $k, $shift, $alpha", over="q")
    def found(self) -> Array:
        """Share of the tables in which the true difference between the first and the second classifier is found."""
        return np.array([reject[0].mean() for reject in self._rejected(self.rules)])

    @step(r"F_q", r"P(\text{any false alarm by procedure } q) <- $rules, $n, $k, $shift, $alpha", over="q")
    def false_alarms(self) -> Array:
        """Share of the tables with a false alarm: a difference found between two classifiers that are equally good."""
        return np.array([reject[self.k - 1 :].any(0).mean() for reject in self._rejected(self.rules)])

    @step("N_g", r"5, 10, \ldots", over="g", check=datasets)
    def sizes(self) -> Any:
        """Numbers of data sets."""
        return np.array(SIZES)

    @step("P_g", r"P(\text{Friedman rejects}) \text{ for } $sizes <- $k, $shift, $alpha", over="g")
    def power_by_size(self) -> Array:
        """Share of the tables in which Friedman's test rejects, by the number of data sets."""
        sums = _ranks(self.k, self.shift).cumsum(0)
        return np.array([self._friedman(sums[n - 1], n).reject.mean() for n in map(int, self.sizes)])

    @step("P", r"P(\text{Friedman rejects}) <- $n, $k, $shift, $alpha")
    def power(self) -> float:
        """Share of the tables in which Friedman's test rejects."""
        return float(self._friedman(_ranks(self.k, self.shift)[: self.n].sum(0), self.n).reject.mean())

    def _friedman(self, rank_sums: Array, n: int) -> Friedman:
        return Friedman.from_steps(rank_sums=rank_sums, n=n, k=self.k, ties="ignore", alpha=self.alpha)

    def _rejected(self, rules: Any) -> list[Any]:
        """Return the rejected pairs of each procedure; pairs with the first classifier come first."""
        holm = Holm.from_steps(mean_ranks=_ranks(self.k, self.shift)[: self.n].mean(0), n=self.n, k=self.k, alpha=self.alpha)
        nemenyi = Nemenyi.from_steps(n=self.n, k=self.k, alpha=self.alpha)
        decided: dict[str, Callable[[], Any]] = {
            "no correction": lambda: holm.pvalues <= self.alpha,
            "Bonferroni": lambda: holm.pvalues <= self.alpha / len(holm.pairs),
            "Holm": lambda: holm.reject,
            "Shaffer": lambda: Shaffer.from_pvalues(holm.pvalues, alpha=self.alpha).reject,
            # the critical difference gives the same decisions as Nemenyi's p-values, and is much faster
            "Nemenyi": lambda: abs(holm.differences) >= nemenyi.cd,
        }
        return [decided[rule]() for rule in rules]

    @property
    def conclusion(self) -> str:
        """What the simulation shows, in words."""
        rates = {rule: (round(100 * power), round(100 * false)) for rule, power, false in zip(self.rules, self.found, self.false_alarms)}
        (plain_power, plain_false), (holm_power, holm_false) = rates["no correction"], rates["Holm"]
        tables = f"{TABLES} simulated tables with {self.n} data sets and {self.k} classifiers"
        return (
            f"In {tables}, Friedman's test rejects in {round(100 * float(self.power))} %. Tests of the {self.pairs} pairs without "
            f"correction find the difference between the first two classifiers in {plain_power} % of the tables, and give a false alarm "
            f"in {plain_false} %; Holm's procedure in {holm_power} % and {holm_false} %. "
            f"(Monte Carlo standard error: at most {100 * 0.5 / TABLES**0.5:.1f} points.)"
        )


@cache
def _ranks(k: int, shift: float) -> Array:
    """Rank the simulated tables, with MOST_DATASETS rows each."""
    scores = noise()[:, :k].copy()
    scores[:, 0] += shift
    return Friedman(scores).ranks
