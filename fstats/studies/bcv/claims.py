"""What the paper observes in section 5.2, each beside what the stored results say: nothing here is typed in but the paper's words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ...simulate.rates import Rate
from ...table import Table
from .calibration import apart
from .design import LAMBDAS, SIZES, SOURCES
from .power import CLEARLY, OURS, PowerCurves, keeps_its_level
from .stored import Rejections, kept, stored
from .table5 import Table5

WORDS = {1: "holds", 0: "cannot be told", -1: "does not hold"}
LEFT_OUT = ("PseudoBootstrapT", "CorrectedPseudoBootstrapT", "ConservativeZ")


class Observation(NamedTuple):
    """One statement of the paper, the verdict, and the numbers that it rests on."""

    where: str
    states: str
    verdict: str
    because: str


class Observations:
    """Statements with verdicts: a table that can be gone through."""

    def __init__(self, claims: Iterable[Observation]) -> None:
        self.claims = tuple(claims)

    def __iter__(self) -> Iterator[Observation]:
        return iter(self.claims)

    def __len__(self) -> int:
        return len(self.claims)

    def __repr__(self) -> str:
        return "\n\n".join(f"{where}: {states}\n  {verdict.upper()}. {because}" for where, states, verdict, because in self.claims)

    def _repr_html_(self) -> str:
        rule = "A rate keeps to 0.05, or does not, if it lies 2 Monte Carlo standard errors to one side; otherwise it cannot be told."
        return Table(("where", "the paper", "verdict", "our numbers"), self.claims, "What section 5.2 observes", notes=[rule])._repr_html_()


def told(rate: Rate) -> str:
    """A rate with its standard error."""
    return f"{rate.rate:.3f} ± {rate.se:.3f}"


def all_of(signs: Iterable[int]) -> int:
    """Whether something holds everywhere: not if it clearly fails somewhere; it cannot be told if that may be."""
    return min(signs, default=0)


def claims(found: Rejections | None = None) -> Observations:
    """The numbered observations of section 5.2 and what it says about the smallest and the most powerful, with verdicts."""
    found = stored() if found is None else found
    table = Table5(found)
    there = list(table.data_sets)
    return Observations([*_observation_1(table, there), *_observation_2(table, there), *_figure_4(found), *_error_rates(), *_true_null(table), *_left_out(table)])


def _rates(table: Table5, test: str, sources: Sequence[str]) -> dict[str, Rate]:
    return {source: table[source, test].ours for source in sources}


def _listed(rates: dict[str, Rate]) -> str:
    return ", ".join(f"{source} {told(rate)}" for source, rate in rates.items())


def _observation_1(table: Table5, there: Sequence[str]) -> Iterable[Observation]:
    where = "5.2, observation 1"
    for test, name in ((OURS, "the 5x2 BCV McNemar test"), ("NaiveKFoldMcNemar", "the naive K-fold McNemar test")):
        rates = _rates(table, test, there)
        yield Observation(where, f"All type I errors of {name} are lower than 0.05", WORDS[all_of(map(keeps_its_level, rates.values()))], _listed(rates))
    for test, name in (("BlockedThreeByTwoT", "the blocked 3x2 CV t-test"), ("CalibratedFiveByTwoF", "the calibrated 5x2 BCV F-test")):
        rates = _rates(table, test, there)
        good, bad = (sum(keeps_its_level(rate) == sign for rate in rates.values()) for sign in (1, -1))
        sign = int(2 * good > len(rates)) - int(2 * bad >= len(rates))
        yield Observation(where, f"The majority of type I errors of {name} are reasonable", WORDS[sign], _listed(rates))
    for test, name in (("KFoldT", "the K-fold CV t-test"), ("CrossValidatedZ", "the K-fold CV-CI Z-test")):
        rate = table["Epsilon", test].ours
        yield Observation(where, f"On Epsilon {name} has a reasonable type I error", WORDS[1 if keeps_its_level(rate) >= 0 else -1], told(rate))
        rates = _rates(table, test, [source for source in there if source != "Epsilon"])
        yield Observation(where, f"On all other data sets {name} exceeds 0.05", WORDS[all_of(-keeps_its_level(rate) for rate in rates.values())], _listed(rates))
    for test, name in (("ResampledT", "the repeated hold-out t-test"), ("CombinedFiveByTwoT", "the combined 5x2 CV t-test")):
        rates = _rates(table, test, there)
        yield Observation(where, f"All type I errors of {name} are larger than 0.05", WORDS[all_of(-keeps_its_level(rate) for rate in rates.values())], _listed(rates))


def _observation_2(table: Table5, there: Sequence[str]) -> Iterable[Observation]:
    where = "5.2, observation 2"
    first, parts = [], []
    for source in there:
        cells = [cell for cell in table if cell.source == source and cell.printed is not None]
        least = min(cells, key=lambda cell: cell.ours.rejections)
        ours = table[source, OURS].ours
        first.append(ours.rejections <= least.ours.rejections)
        others = f", {least.test} {told(least.ours)}" if not first[-1] else ""
        parts.append(f"{source}: {'smallest' if first[-1] else 'not smallest'}, {told(ours)}{others}")
    yield Observation(
        where,
        "Over the data sets the 5x2 BCV McNemar test almost achieves the smallest type I errors",
        f"smallest on {sum(first)} of {len(first)}",
        "; ".join(parts),
    )
    rates = _rates(table, OURS, there)
    sign = all_of(keeps_its_level(rate) for rate in rates.values())
    yield Observation(where, "They are obviously smaller than 0.05", WORDS[sign], _listed(rates))


def _figure_4(found: Rejections) -> Iterable[Observation]:
    """Most powerful, point by point, on the same data sets."""
    for source in SOURCES[1:]:
        power = PowerCurves(source, found)
        if len(power.points) < 2 or OURS not in power.tests:
            continue
        rivals = list(power.rivals())
        lost, won = (sum(rival.verdict == sign for rival in rivals) for sign in (-1, 1))
        parts = [
            f"lambda = {one.point}: {one.ours.rate:.3f}, best other {one.best.test} {one.best.rate:.3f} (lead {one.lead:+.3f} ± {one.se:.3f})"
            for one in rivals
        ]
        yield Observation(
            "5.2, Figure 4",
            f"On {source} the 5x2 BCV McNemar test is the most powerful of the tests with reasonable type I errors",
            WORDS[-1 if lost else int(won > 0)],  # at large effects all tests find out, and none leads
            "; ".join(parts) + (f"; not run: lambda = {', '.join(missing)}" if (missing := [lam for lam in LAMBDAS if lam not in power.points]) else ""),
        )


def _error_rates() -> Iterable[Observation]:
    """What is said of Figure 3."""
    for one in kept("calibration"):
        if one["source"] == "EXP6":
            error, se = 100 * one["tree"]["error"], 100 * one["tree"]["se"]
            sign = 1 if abs(error - 12.27) <= CLEARLY * se + 0.005 else -1
            yield Observation("5.2, Figure 3", f"On EXP6 the true error rate of C4.5 is 12.27 % (read as: training sets of {one['n']})", WORDS[sign], f"{error:.2f} ± {se:.2f} %")
            error, se = (100 * one["nearest"][name][-1] for name in ("errors", "se"))
            sign = 1 if abs(error - 8.21) <= CLEARLY * se + 0.005 else -1
            yield Observation("5.2, Figure 3", f"At omega = 1 that of FNN is 8.21 % (training sets of {one['n']})", WORDS[sign], f"{error:.2f} ± {se:.2f} %")
            omega = one["settings"]["0"]
            yield Observation("5.2, Figure 3", f"Both are equal at omega = 0.29 (training sets of {one['n']})", WORDS[1 if abs(omega - 0.29) <= 0.02 else -1], f"omega = {omega:.3f}")
        errors = one["nearest"]["errors"]
        falls = all(later < earlier for earlier, later in pairwise(errors))
        way = "falls as omega grows to 1" if one["source"] == "EXP6" else "grows with v"
        yield Observation("5.2, Figure 3", f"On {one['source']} the error rate of FNN {way} (training sets of {one['n']})", WORDS[1 if falls else -1], ", ".join(f"{100 * e:.1f} %" for e in errors))
        if one["source"] == "letter":
            v = one["settings"]["0"]
            yield Observation("5.2, Figure 3", f"On letter both are equal at v = 30.09 (training sets of {one['n']})", "another tree, another v", f"v = {v:.2f} with CART; the paper's tree is R's")


def _true_null(table: Table5) -> Iterable[Observation]:
    """Is H0 true for all tests?  Those on nine tenths of the records train other learners than those on one half."""
    found = {(one["source"], one["n"]): one for one in kept("calibration")}
    for source in table.data_sets:
        half, full = (found.get((source, SIZES.get(source, 0) // k)) for k in (2, 1))
        if half and full:
            value = half["settings"]["0"]
            by, se = apart(full, value), float(np.hypot(full["tree"]["se"], np.mean(full["nearest"]["se"])))
            yield Observation(
                "5.2, lambda = 0",
                f"On {source} H0 is true (error rates equal after training on {half['n']} records; so they should be on {full['n']})",
                WORDS[1 if abs(by) <= CLEARLY * se else -1],
                f"after training on {full['n']}, tree less nearest neighbour: {100 * by:+.2f} ± {100 * se:.2f} percent",
            )


def _left_out(table: Table5) -> Iterable[Observation]:
    """The three tests that the paper leaves out."""
    for test in LEFT_OUT:
        rates = {source: table[source, test].ours for source in table.data_sets if (source, test) in table.cells}
        if rates:
            yield Observation("5.2, left out", f"{test} is less worth having than the corrected resampled t-test", "its level: " + WORDS[all_of(map(keeps_its_level, rates.values()))], _listed(rates))
