"""What the paper observes in section 5.2, each beside what the results say: typed in are its statements, and questions of ours, marked so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from ...render.table import Table
from ...simulate.rates import Rate
from ..study import told
from .calibration import apart
from .design import DATA_SETS, LAMBDAS, PRINTED, SIZES, SOURCES, UNEQUAL_AT_N
from .figures import printed_error
from .power import CLEARLY, OURS, PowerCurves, keeps_its_level, paired
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

    def __init__(self, claims: Iterable[Observation], section: str = "5.2") -> None:
        self.claims, self.section = tuple(claims), section

    def __iter__(self) -> Iterator[Observation]:
        return iter(self.claims)

    def __len__(self) -> int:
        return len(self.claims)

    def __repr__(self) -> str:
        return "\n\n".join(f"{where}: {states}\n  {verdict.upper()}. {because}" for where, states, verdict, because in self.claims)

    def _repr_html_(self) -> str:
        rule = (
            "A rate keeps to 0.05, or does not, if its exact interval of 95 % lies to one side; other numbers differ if they do so by 2 standard "
            "errors. Otherwise it cannot be told."
        )
        return Table(
            ("where", "the paper", "verdict", "our numbers"), self.claims, f"What section {self.section} observes", notes=[rule]
        )._repr_html_()


def all_of(signs: Iterable[int]) -> int:
    """Whether something holds everywhere: not if it clearly fails somewhere; it cannot be told if that may be."""
    return min(signs, default=0)


def in_part(signs: Iterable[int]) -> str:
    """The verdict on something said of several cases: it may hold clearly in some of them only.

    >>> in_part([1, 1]), in_part([1, 0]), in_part([0, 0]), in_part([0, -1])
    ('holds', 'holds in part', 'cannot be told', 'does not hold')
    """
    every = list(signs)
    return "holds in part" if 1 in every and min(every) < 1 else WORDS[all_of(every)]


def claims(found: Rejections | None = None, folder: Any = None) -> Observations:
    """The numbered observations of section 5.2 and what it says about the smallest and the most powerful, with verdicts.

    Parameters
    ----------
    found : Rejections, optional
        By default those that are kept in the package.
    folder : path, optional
        Where error rates were made again; by default the package's.
    """
    found = stored() if found is None else found
    table = Table5(found)
    there = [source for source in table.data_sets if all((source, test) in table.cells for test in PRINTED)]
    observed = [*_observation_1(table, there), *_observation_2(table, there)] if there else []
    rates = [*_error_rates(folder), *_error_rates_of_simple(folder), *_calibrated(folder), *_true_null(table, folder)]
    return Observations([*observed, *_figure_4(found), *rates, *_left_out(table)])


def _rates(table: Table5, test: str, sources: Sequence[str]) -> dict[str, Rate]:
    return {source: table[source, test].ours for source in sources}


def _listed(rates: dict[str, Rate]) -> str:
    return ", ".join(f"{source} {told(rate)}" for source, rate in rates.items())


def _observation_1(table: Table5, there: Sequence[str]) -> Iterable[Observation]:
    where = "5.2, observation 1"
    for test, name in ((OURS, "the 5x2 BCV McNemar test"), ("NaiveKFoldMcNemar", "the naive K-fold McNemar test")):
        rates = _rates(table, test, there)
        kept = WORDS[all_of(map(keeps_its_level, rates.values()))]
        yield Observation(where, f"All type I errors of {name} are lower than 0.05", kept, _listed(rates))
    for test, name in (("BlockedThreeByTwoT", "the blocked 3x2 CV t-test"), ("CalibratedFiveByTwoF", "the calibrated 5x2 BCV F-test")):
        rates = _rates(table, test, there)
        good = sum(keeps_its_level(rate) >= 0 for rate in rates.values())  # reasonable: not clearly above
        most = WORDS[1 if 2 * good > len(rates) else -1]
        yield Observation(where, f"The majority of type I errors of {name} are reasonable", most, _listed(rates))
    for test, name in (("KFoldT", "the K-fold CV t-test"), ("CrossValidatedZ", "the K-fold CV-CI Z-test")):
        rate = table["Epsilon", test].ours if "Epsilon" in there else None
        if rate:
            yield Observation(
                where, f"On Epsilon {name} has a reasonable type I error", WORDS[1 if keeps_its_level(rate) >= 0 else -1], told(rate)
            )
        rates = _rates(table, test, [source for source in there if source != "Epsilon"])
        above = WORDS[all_of(-keeps_its_level(rate) for rate in rates.values())]
        yield Observation(where, f"On all other data sets {name} exceeds 0.05", above, _listed(rates))
    for test, name in (("ResampledT", "the repeated hold-out t-test"), ("CombinedFiveByTwoT", "the combined 5x2 CV t-test")):
        rates = _rates(table, test, there)
        above = WORDS[all_of(-keeps_its_level(rate) for rate in rates.values())]
        yield Observation(where, f"All type I errors of {name} are larger than 0.05", above, _listed(rates))


def _observation_2(table: Table5, there: Sequence[str]) -> Iterable[Observation]:
    where = "5.2, observation 2"
    least, parts = 0, []
    for source in there:
        ours, lower = table.found.rejected(source, "0", OURS), []
        for cell in table:
            if cell.source == source and cell.printed is not None and cell.test != OURS:
                apart, se = paired(ours, table.found.rejected(source, "0", cell.test))
                lower += [f"{cell.test} {told(cell.ours)}"] * (apart > CLEARLY * se)
        least += not lower
        parts.append(
            f"{source}: {told(table[source, OURS].ours)}, " + (f"clearly smaller: {', '.join(lower)}" if lower else "none clearly smaller")
        )
    yield Observation(
        where,
        "Over the data sets the 5x2 BCV McNemar test almost achieves the smallest type I errors",
        f"none clearly smaller on {least} of {len(there)}",
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
        other = "; for a test that trains on more than half, each lambda is another difference" if source in UNEQUAL_AT_N else ""
        yield Observation(
            "5.2, Figure 4",
            f"On {source} the 5x2 BCV McNemar test is the most powerful of the tests with reasonable type I errors",
            WORDS[-1 if lost else int(won > 0)],  # at large effects all tests find out, and none leads
            "; ".join(parts)
            + other
            + (f"; not run: lambda = {', '.join(missing)}" if (missing := [lam for lam in LAMBDAS if lam not in power.points]) else ""),
        )
        yield _steepest(power)


def _steepest(power: PowerCurves) -> Observation:
    """Of the tests with reasonable type I errors, whose curve rises most from one lambda to the next?"""
    steps = {test: [b.rate - a.rate for a, b in pairwise(power[test])] for test in power.reasonable}
    best = {test: int(np.argmax(each)) for test, each in steps.items()}
    rival = max((test for test in steps if test != OURS), key=lambda test: max(steps[test]), default="")
    if not rival or OURS not in steps:
        return Observation(
            "5.2, Figure 4", f"On {power.source} its power curve is more skewed than the others'", WORDS[0], "no other test to compare"
        )

    def rise(test: str) -> Any:
        low, high = (np.asarray(power.found.rejected(power.source, power.points[best[test] + k], test), float) for k in (0, 1))
        least = min(len(low), len(high), DATA_SETS)  # the first data sets are the same ones at every point
        return high[:least] - low[:least]

    apart = rise(OURS) - rise(rival)
    lead, se = float(apart.mean()), float(apart.std() / np.sqrt(len(apart)))
    told_of = "; ".join(f"{test} +{max(steps[test]):.3f} after lambda = {power.points[best[test]]}" for test in (OURS, rival))
    sign = int(lead > CLEARLY * se) - int(lead < -CLEARLY * se)
    states = f"On {power.source} its power curve is more skewed than the others' (read as: its largest rise from one lambda to the next is the largest)"
    return Observation("5.2, Figure 4", states, WORDS[sign], told_of)


def _error_rates(folder: Any) -> Iterable[Observation]:
    """What is said of Figure 3: of 1,000 training sets where these are kept, of the 200 of the calibration otherwise."""
    many = {(one["source"], one["n"]): one for one in kept("errors", folder)}
    for one in kept("calibration", folder):
        if one["source"] == "EXP6":
            best = many.get(("EXP6", one["n"]), one)
            for what, printed, error, se in (
                ("the true error rate of C4.5", "12.27", best["tree"]["error"], best["tree"]["se"]),
                ("at omega = 1 that of FNN", "8.21", *(best["nearest"][name][best["values"].index(1.0)] for name in ("errors", "se"))),
            ):
                z = (float(printed) - 100 * error) / printed_error(100 * se, best["data_sets"])
                because = f"{100 * error:.2f} ± {100 * se:.2f} % ({best['data_sets']} training sets), z = {z:+.1f}"
                states = f"On EXP6 {what} is {printed} % (read as: training sets of {one['n']})"
                yield Observation("5.2, Figure 3", states, WORDS[1 if abs(z) <= CLEARLY else -1], because)
            omega = one["settings"]["0"]
            yield Observation(
                "5.2, Figure 3",
                f"Both are equal at omega = 0.29 (training sets of {one['n']})",
                WORDS[1 if abs(omega - 0.29) <= 0.02 else -1],
                f"omega = {omega:.3f}",
            )
        errors = one["nearest"]["errors"]
        falls = all(later < earlier for earlier, later in pairwise(errors))
        way = "falls as omega grows to 1" if one["source"] == "EXP6" else "grows with v"
        yield Observation(
            "5.2, Figure 3",
            f"On {one['source']} the error rate of FNN {way} (training sets of {one['n']})",
            WORDS[1 if falls else -1],
            ", ".join(f"{100 * e:.1f} %" for e in errors),
        )
        if one["source"] == "letter":
            v = one["settings"]["0"]
            yield Observation(
                "5.2, Figure 3",
                f"On letter both are equal at v = 30.09 (training sets of {one['n']})",
                "another tree, another v",
                f"v = {v:.2f} with CART; the paper's tree is R's",
            )


def _error_rates_of_simple(folder: Any) -> Iterable[Observation]:
    for one in kept("errors", folder):
        if one["source"] == "Simple":
            errors, se = one["logistic"]["errors"], one["logistic"]["se"]
            falls = all(later < earlier for earlier, later in pairwise(errors))
            listed = ", ".join(f"{100 * e:.1f} %" for e in errors)
            yield Observation(
                "5.2, Figure 3", "On Simple the error rate of LR decreases when Delta increases", WORDS[1 if falls else -1], listed
            )
            same = abs(errors[0] - one["majority"]) <= CLEARLY * max(se[0], 1e-9)
            yield Observation(
                "5.2, Figure 3",
                "On Simple, at Delta = 0, LR and MAJ err equally often",
                WORDS[1 if same else -1],
                f"{100 * errors[0]:.2f} and {100 * one['majority']:.2f} %",
            )


def _true_null(table: Table5, folder: Any) -> Iterable[Observation]:
    """Is H0 true for all tests?  Those on nine tenths of the records train other learners than those on one half."""
    found = {(one["source"], one["n"]): one for one in kept("calibration", folder)}
    for source in table.data_sets:
        half, full = (found.get((source, SIZES.get(source, 0) // k)) for k in (2, 1))
        if half and full:
            value = half["settings"]["0"]
            by, se = apart(full, value), float(np.hypot(full["tree"]["se"], np.mean(full["nearest"]["se"])))
            yield Observation(
                "5.2, lambda = 0 (not asked there)",
                f"On {source} H0 is true for every test (error rates that are equal after training on {half['n']} records are so on {full['n']})",
                WORDS[1 if abs(by) <= CLEARLY * se else -1],
                f"after training on {full['n']}, tree less nearest neighbour: {100 * by:+.2f} ± {100 * se:.2f} percent",
            )


def _calibrated(folder: Any) -> Iterable[Observation]:
    """Are both learners equally good at lambda = 0?  The setting was found with 200 training sets; these are more."""
    for one in kept("errors", folder):
        if "tree" in one and "0" in one["points"]:
            k = one["points"].index("0")
            by, se = one["tree"]["error"] - one["nearest"]["errors"][k], one["nearest"]["se_difference"][k]
            states = f"On {one['source']} both learners err equally often at lambda = 0 (after training on {one['n']})"
            because = f"tree less nearest neighbour: {100 * by:+.2f} ± {100 * se:.2f} percent ({one['data_sets']} training sets)"
            yield Observation("5.2, lambda = 0 (not asked there)", states, WORDS[1 if abs(by) <= CLEARLY * se else -1], because)


def _left_out(table: Table5) -> Iterable[Observation]:
    """The three tests that the paper leaves out, because others found them less powerful and more expensive."""
    for test in LEFT_OUT:
        rates = {source: table[source, test].ours for source in table.data_sets if (source, test) in table.cells}
        if rates:
            signs = [keeps_its_level(rate) for rate in rates.values()]
            yield Observation(
                "5.2 (not asked there)",
                f"The type I error of {test}, which is left out, is reasonable",
                WORDS[-1 if min(signs) < 0 else 1],
                _listed(rates),
            )
