"""The explorer of multiplicity: what data sets buy, and what classifiers cost, in simulated tables of scores."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, ClassVar

import numpy as np

from .. import check
from ..multiple.friedman import Friedman
from ..number import plain
from ..picture import BLUE, GREY, VERMILLION, Curve, Label, Line, Picture, Points, VerticalLine
from ..posthoc.holm import Holm
from ..posthoc.nemenyi import Nemenyi
from ..posthoc.shaffer import Shaffer
from ..procedure import Procedure
from ..step import given, step
from ..value import Array
from .explorer import Control, Explorer
from .pairs import LEVELS, position_of

MOST_DATASETS, MOST_CLASSIFIERS, TABLES = 60, 10, 400
SIZES = tuple(range(5, MOST_DATASETS + 1, 5))
RULES = ("no correction", "Bonferroni", "Holm", "Shaffer", "Nemenyi")


@cache
def noise() -> Array:
    """The same chance for all positions of the sliders, so that what changes is what was moved."""
    drawn = np.random.default_rng(2006).normal(size=(MOST_DATASETS, MOST_CLASSIFIERS, TABLES))
    drawn.setflags(write=False)
    return drawn


class Multiplicity(Procedure):
    """Multiplicity: how often is a difference found, and how often one that is not there?

    Tables of scores are simulated: k classifiers on n data sets, all alike but for the first, which is better by `shift`
    standard deviations.
    """

    names_by_index: ClassVar[Mapping[str, Any]] = {"q": "rules", "g": "sizes"}

    n: int = given("N", "Number of data sets.", check=check.count(2))
    k: int = given("k", "Number of classifiers.", check=check.count(3))
    shift: float = given(r"\delta", "How much better the first classifier is, in standard deviations.", check=check.nonnegative)
    alpha: float = given(r"\alpha", "Level of each procedure.", check=check.level, default=0.05, kw_only=True)

    @step("m", r"\frac{$k ($k - 1)}{2}")
    def pairs(self) -> int:
        """Pairs of classifiers: tests to be made."""
        return self.k * (self.k - 1) // 2

    @step(r"\mathrm{E}", r"\frac{($k - 1)($k - 2)}{2}\,$alpha")
    def expected(self) -> float:
        """False alarms to be expected among the pairs that are alike, if each is tested at alpha."""
        return (self.k - 1) * (self.k - 2) / 2 * self.alpha

    @step("q", r"\text{procedures}", over="q")
    def rules(self) -> Any:
        """The procedures."""
        return np.array(RULES)

    @step(r"P_q", r"P(\text{first found better than second}) \text{ by } $rules; \ $n, $k, $shift, $alpha", over="q")
    def found(self) -> Array:
        """Share of the tables in which the first classifier is found to differ from the second: it does."""
        return np.array([reject[0].mean() for reject in self._rejected(self.rules)])

    @step(r"F_q", r"P(\text{any false alarm}) \text{ by } $rules; \ $n, $k, $shift, $alpha", over="q")
    def false_alarms(self) -> Array:
        """Share of the tables in which any two of the others are found to differ: they do not."""
        return np.array([reject[self.k - 1 :].any(0).mean() for reject in self._rejected(self.rules)])

    @step("N_g", r"5, 10, \ldots", over="g")
    def sizes(self) -> Any:
        """Numbers of data sets."""
        return np.array(SIZES)

    @step("P_g", r"P(\text{Friedman rejects}) \text{ for } $sizes; \ $k, $shift, $alpha", over="g")
    def power_by_size(self) -> Array:
        """Share of the tables in which Friedman's test rejects, by the number of data sets."""
        sums = _ranks(self.k, self.shift).cumsum(0)
        return np.array([self._friedman(sums[n - 1], int(n)).reject.mean() for n in self.sizes])

    @step("P", r"P(\text{Friedman rejects}) \text{ for } $n; \ $k, $shift, $alpha")
    def power(self) -> float:
        """Share of the tables in which Friedman's test rejects."""
        return float(self._friedman(_ranks(self.k, self.shift)[: self.n].sum(0), self.n).reject.mean())

    def _friedman(self, rank_sums: Array, n: int) -> Friedman:
        return Friedman.from_steps(rank_sums=rank_sums, n=n, k=self.k, ties="ignore", alpha=self.alpha)

    def _rejected(self, rules: Any) -> list[Any]:
        """Which pairs each procedure rejects, those with the first classifier first."""
        holm = Holm.from_steps(mean_ranks=_ranks(self.k, self.shift)[: self.n].mean(0), n=self.n, k=self.k, alpha=self.alpha)
        nemenyi = Nemenyi.from_steps(n=self.n, k=self.k, alpha=self.alpha)
        decided: dict[str, Callable[[], Any]] = {
            "no correction": lambda: holm.pvalues <= self.alpha,
            "Bonferroni": lambda: holm.pvalues <= self.alpha / len(holm.pairs),
            "Holm": lambda: holm.reject,
            "Shaffer": lambda: Shaffer.from_pvalues(holm.pvalues, alpha=self.alpha).reject,
            "Nemenyi": lambda: abs(holm.differences) >= nemenyi.cd,  # the same as its p-values say, and much faster
        }
        return [decided[rule]() for rule in rules]

    @property
    def conclusion(self) -> str:
        """What the simulation shows, in words."""
        shown = {rule: (round(100 * found), round(100 * false)) for rule, found, false in zip(self.rules, self.found, self.false_alarms)}
        (plain_found, plain_false), (holm_found, holm_false) = shown["no correction"], shown["Holm"]
        return (
            f"In {TABLES} simulated tables with {self.n} data sets and {self.k} classifiers, Friedman's test rejects in {round(100 * float(self.power))} %. "
            f"{self.pairs} pairs tested without correction: the first is told from the second in {plain_found} %, with a false alarm in {plain_false} %. "
            f"Holm: {holm_found} % and {holm_false} %. (Monte Carlo standard error: at most {100 * 0.5 / TABLES**0.5:.1f} points.)"
        )


@cache
def _ranks(k: int, shift: float) -> Array:
    """Ranks in the simulated tables, MOST_DATASETS lines each."""
    scores = noise()[:, :k].copy()
    scores[:, 0] += shift
    return Friedman(scores).ranks


class MultiplicityExplorer(Explorer):
    """Sliders for the number of data sets, of classifiers, the difference, and the level."""

    def __init__(self, n: int, k: int, alpha: float) -> None:
        self._first = {"n": n, "k": k, "shift": 4, "alpha": position_of(alpha)}
        for name, number, least, most in (("n", n, 5, MOST_DATASETS), ("k", k, 3, MOST_CLASSIFIERS)):
            if not least <= number <= most:
                raise ValueError(f"{name} must lie between {least} and {most}, the ends of its slider; got {number}")
        super().__init__("Power and the price of multiplicity, simulated")

    def _start(self) -> None:
        self._at = dict(self._first)

    def _take(self, moved: Mapping[str, int]) -> None:
        self._at |= moved

    @property
    def controls(self) -> Sequence[Control]:
        """The sliders as they stand."""
        at = self._at
        return [
            Control("n", "Number of data sets", 5, MOST_DATASETS, at["n"], plain(at["n"])),
            Control("k", "Number of classifiers", 3, MOST_CLASSIFIERS, at["k"], f"{at['k']}: {at['k'] * (at['k'] - 1) // 2} pairs"),
            Control("shift", "The first is better by", 0, 10, at["shift"], f"{plain(at['shift'] / 5)} standard deviations"),
            Control("alpha", "Level alpha", 0, len(LEVELS) - 1, at["alpha"], plain(LEVELS[at["alpha"]])),
        ]

    @property
    def test(self) -> Multiplicity:  # type: ignore[override]
        """The simulation for the sliders as they stand."""
        at = self._at
        return Multiplicity(at["n"], at["k"], at["shift"] / 5, alpha=LEVELS[at["alpha"]])

    def pictures(self, test: Any) -> Sequence[Picture]:
        """Friedman's power by the number of data sets; what each procedure finds, and its false alarms."""
        return [power_picture(test), price_picture(test)]


def power_picture(test: Multiplicity) -> Picture:
    """Friedman's power by the number of data sets, with a point where the sliders stand.

    >>> power_picture(Multiplicity(20, 4, 0.8))
    [picture: Friedman's test rejects in 10 % of the tables with 5 data sets, and in 98 % with 60. With 20 it is 57 %.]
    """
    first, last = (round(100 * share) for share in test.power_by_size[[0, -1]])
    return Picture(
        title="More data sets, more power",
        xlabel="number of data sets",
        ylabel="share of tables rejected",
        xlim=(0.0, MOST_DATASETS + 2.0),
        ylim=(0.0, 1.05),
        marks=(
            Curve(test.sizes.astype(float), test.power_by_size, GREY),
            Points(np.array([float(test.n)]), np.array([test.power]), BLUE, f"{test.n} data sets: {plain(test.power)}"),
        ),
        text=f"Friedman's test rejects in {first} % of the tables with {SIZES[0]} data sets, and in {last} % with {SIZES[-1]}. With {test.n} it is {round(100 * test.power)} %.",
        whole_x=True,
    )


def price_picture(test: Multiplicity) -> Picture:
    """What each procedure finds, and its false alarms.

    >>> price_picture(Multiplicity(20, 4, 0.8))
    [picture: Share of tables in which the first classifier is told from the second, and in which there is a false alarm: no correction ... %.]
    """
    rows = np.arange(float(len(test.rules)), 0, -1)
    said = [f"{rule} {round(100 * f)} % and {round(100 * a)} %" for rule, f, a in zip(test.rules, test.found, test.false_alarms)]
    return Picture(
        title=f"The price of {test.pairs} pairs",
        xlabel="share of tables",
        ylabel="",
        xlim=(-0.02, 1.02),
        ylim=(0.4, len(rows) + 1.35),
        marks=(
            *(Line((0.0, 1.0), (float(y), float(y)), GREY, 1.0) for y in rows),
            *(Label(1.0, float(y) + 0.24, str(rule), "end") for y, rule in zip(rows, test.rules)),
            VerticalLine(test.alpha, f"alpha = {plain(test.alpha)}", VERMILLION, dashed=True),
            Points(test.false_alarms, rows, VERMILLION, "false alarm", open=True),
            Points(test.found, rows, BLUE, "first told from second"),
        ),
        text=f"Share of tables in which the first classifier is told from the second, and in which there is a false alarm: {'; '.join(said)}.",
        yticks=False,
    )


def multiplicity(*, n: int = 20, k: int = 5, alpha: float = 0.05) -> MultiplicityExplorer:
    """Simulated tables of scores with sliders: more data sets bring power, more classifiers cost it.

    Parameters
    ----------
    n : int
        Data sets at the start, 5 to 60.
    k : int
        Classifiers at the start, 3 to 10.
    alpha : float
        Level at the start: 0.001, 0.005, 0.01, 0.02, 0.05, 0.1 or 0.2.
    """
    return MultiplicityExplorer(n, k, alpha)
