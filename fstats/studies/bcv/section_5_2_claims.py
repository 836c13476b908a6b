"""Verdicts on the claims in section 5.2 of a paper on 5x2 cross-validation.

Additional questions have verdicts, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from ...simulate.rejection_rates import Rate
from ..claim_verdicts import CLEAR_STANDARD_ERRORS, Claim, Observations, clear_sign, judge_claim, sign_of, sign_of_all
from ..study_files import format_rate
from .bcv_design import DATA_SETS, LAMBDAS, PRINTED, SIZES, SOURCES, UNEQUAL_AT_N
from .bcv_power_curves import BCV_MCNEMAR, PowerCurves, level_sign, paired_difference
from .calibration import error_difference
from .error_rate_figures import exp6_rates
from .stored_rejections import Rejections, stored, stored_results
from .table5 import Table5

LEFT_OUT = ("PseudoBootstrapT", "CorrectedPseudoBootstrapT", "ConservativeZ")
FIGURE_3, FIGURE_4, ADDITIONAL_CLAIM = "5.2, Figure 3", "5.2, Figure 4", "5.2, lambda = 0 (not asked there)"


def claims(rejections: Rejections | None = None, folder: Any = None) -> Observations:
    """Return the claims of section 5.2 with verdicts: the numbered observations, the claims on power, and our own questions.

    Parameters
    ----------
    rejections : Rejections, optional
        Decisions of the tests; by default the decisions stored in the package.
    folder : path, optional
        Folder with error rates that were computed again; by default the error rates of the package.
    """
    rejections = stored() if rejections is None else rejections
    table = Table5(rejections)
    complete_sources = [source for source in table.data_sets if all((source, test) in table.cells for test in PRINTED)]
    observations = [*_observation_1(table, complete_sources), *_observation_2(table, complete_sources)] if complete_sources else []
    rates = [*_error_rates(folder), *_error_rates_of_simple(folder), *_calibration_claim(folder), *_true_null_claim(table, folder)]
    return Observations([*observations, *_figure_4(rejections), *rates, *_excluded_tests_claim(table)])


def _format_rates(rates: dict[str, Rate]) -> str:
    return ", ".join(f"{source} {format_rate(rate)}" for source, rate in rates.items())


def _has_level(rates: dict[str, Rate]) -> int:
    """Judge the claim that all rates are at most 0.05: 1 if it holds, -1 if it does not hold, 0 if the data cannot tell."""
    return sign_of_all(map(level_sign, rates.values()))


def _exceeds_level(rates: dict[str, Rate]) -> int:
    """Judge the claim that all rates exceed 0.05: 1 if it holds, -1 if it does not hold, 0 if the data cannot tell."""
    return sign_of_all(-level_sign(rate) for rate in rates.values())


def _is_mostly_reasonable(rates: dict[str, Rate]) -> int:
    """Judge the claim that more than half of the rates are reasonable, which means not clearly above 0.05: 1 if it holds, otherwise -1."""
    return sign_of(2 * sum(level_sign(rate) >= 0 for rate in rates.values()) > len(rates))


def _observation_1(table: Table5, complete_sources: Sequence[str]) -> Iterable[Claim]:
    where = "5.2, observation 1"

    def levels(states: str, test: str, holds: Any, sources: Sequence[str] = complete_sources) -> Claim:
        rates = table.rates(test, sources)
        return judge_claim(where, states, holds(rates), _format_rates(rates))

    for test, name in ((BCV_MCNEMAR, "the 5x2 BCV McNemar test"), ("NaiveKFoldMcNemar", "the naive K-fold McNemar test")):
        yield levels(f"All type I errors of {name} are lower than 0.05", test, _has_level)
    for test, name in (("BlockedThreeByTwoT", "the blocked 3x2 CV t-test"), ("CalibratedFiveByTwoF", "the calibrated 5x2 BCV F-test")):
        yield levels(f"The majority of type I errors of {name} are reasonable", test, _is_mostly_reasonable)
    for test, name in (("KFoldT", "the K-fold CV t-test"), ("CrossValidatedZ", "the K-fold CV-CI Z-test")):
        if "Epsilon" in complete_sources:
            rates = table.rates(test, ["Epsilon"])
            states = f"On Epsilon {name} has a reasonable type I error"
            yield judge_claim(where, states, _is_mostly_reasonable(rates), format_rate(rates["Epsilon"]))
        others = [source for source in complete_sources if source != "Epsilon"]
        yield levels(f"On all other data sets {name} exceeds 0.05", test, _exceeds_level, others)
    for test, name in (("ResampledT", "the repeated hold-out t-test"), ("CombinedFiveByTwoT", "the combined 5x2 CV t-test")):
        yield levels(f"All type I errors of {name} are larger than 0.05", test, _exceeds_level)


def _observation_2(table: Table5, complete_sources: Sequence[str]) -> Iterable[Claim]:
    where, rates = "5.2, observation 2", table.rates(BCV_MCNEMAR, complete_sources)
    least, parts = 0, []
    for source in complete_sources:
        ours, lower = table.rejections.rejected(source, "0", BCV_MCNEMAR), []
        for cell in table:
            if cell.source == source and cell.printed is not None and cell.test != BCV_MCNEMAR:
                difference = paired_difference(ours, table.rejections.rejected(source, "0", cell.test))
                lower += [f"{cell.test} {format_rate(cell.ours)}"] * (clear_sign(*difference) > 0)
        least += not lower
        smaller = f"clearly smaller: {', '.join(lower)}" if lower else "none clearly smaller"
        parts.append(f"{source}: {format_rate(rates[source])}, {smaller}")
    states = "Over the data sets the 5x2 BCV McNemar test almost achieves the smallest type I errors"
    yield Claim(where, states, f"none clearly smaller on {least} of {len(complete_sources)}", "; ".join(parts))
    yield judge_claim(where, "They are obviously smaller than 0.05", _has_level(rates), _format_rates(rates))


def _figure_4(rejections: Rejections) -> Iterable[Claim]:
    """Compare the power of the 5x2 BCV McNemar test with its most powerful competitor at each point, on the same data sets."""
    for source in SOURCES[1:]:
        power = PowerCurves(source, rejections)
        if len(power.points) < 2 or BCV_MCNEMAR not in power.tests:
            continue
        rivals = list(power.rivals())
        lost, won = (sum(rival.verdict == sign for rival in rivals) for sign in (-1, 1))
        because = "; ".join(
            f"lambda = {rival.point}: {rival.ours.rate:.3f}, best other {rival.best.test} "
            f"{rival.best.rate:.3f} (lead {rival.lead:+.3f} ± {rival.se:.3f})"
            for rival in rivals
        )
        if source in UNEQUAL_AT_N:
            because += "; for a test that trains on more than half, each lambda is another difference"
        if missing := [lam for lam in LAMBDAS if lam not in power.points]:
            because += f"; not run: lambda = {', '.join(missing)}"
        states = f"On {source} the 5x2 BCV McNemar test is the most powerful of the tests with reasonable type I errors"
        # the claim holds if the test is clearly best at one point and nowhere worse; for large effects, all tests reject and none is best
        yield judge_claim(FIGURE_4, states, -1 if lost else int(won > 0), because)
        yield _steepest(power)


def _steepest(power: PowerCurves) -> Claim:
    """Compare the largest rises of the power curves between neighbouring lambdas, among tests with reasonable type I errors."""
    states = f"On {power.source} its power curve is more skewed than the others'"
    steps = {test: [b.rate - a.rate for a, b in pairwise(power[test])] for test in power.reasonable}
    best = {test: int(np.argmax(each)) for test, each in steps.items()}
    rival = max((test for test in steps if test != BCV_MCNEMAR), key=lambda test: max(steps[test]), default="")
    if not rival or BCV_MCNEMAR not in steps:
        return judge_claim(FIGURE_4, states, 0, "no other test to compare")

    def rise(test: str) -> Any:
        low, high = (np.asarray(power.rejections.rejected(power.source, power.points[best[test] + k], test), float) for k in (0, 1))
        # both points share only their first data sets (at most DATA_SETS), so the comparison uses only these
        least = min(len(low), len(high), DATA_SETS)
        return high[:least] - low[:least]

    lead = rise(BCV_MCNEMAR) - rise(rival)
    because = "; ".join(f"{test} +{max(steps[test]):.3f} after lambda = {power.points[best[test]]}" for test in (BCV_MCNEMAR, rival))
    sign = clear_sign(float(lead.mean()), float(lead.std() / np.sqrt(len(lead))))
    return judge_claim(FIGURE_4, f"{states} (read as: its largest rise from one lambda to the next is the largest)", sign, because)


def _is_decreasing(errors: Sequence[float]) -> int:
    """Return 1 if each error rate is lower than the previous rate, otherwise -1."""
    return sign_of(all(later < earlier for earlier, later in pairwise(errors)))


def _percents(errors: Sequence[float]) -> str:
    return ", ".join(f"{100 * error:.1f} %" for error in errors)


def _error_rates(folder: Any) -> Iterable[Claim]:
    """Judge the claims on Figure 3, from 1,000 stored training sets or, if these are missing, from the 200 of the calibration."""
    for result in stored_results("calibration", folder):
        source, n, equal, errors = result["source"], result["n"], result["settings"]["0"], result["nearest"]["errors"]
        if source == "EXP6":
            for learner, what in (("tree", "the true error rate of C4.5"), ("nearest", "at omega = 1 that of FNN")):
                rate = exp6_rates(folder)[learner, n]
                because = f"{rate.error:.2f} ± {rate.se:.2f} % ({rate.data_sets} training sets), z = {rate.z:+.1f}"
                states = f"On EXP6 {what} is {rate.printed} % (read as: training sets of {n})"
                yield judge_claim(FIGURE_3, states, sign_of(abs(rate.z) <= CLEAR_STANDARD_ERRORS), because)
            states = f"Both are equal at omega = 0.29 (training sets of {n})"
            yield judge_claim(FIGURE_3, states, sign_of(abs(equal - 0.29) <= 0.02), f"omega = {equal:.3f}")
        way = "falls as omega grows to 1" if source == "EXP6" else "grows with v"
        states = f"On {source} the error rate of FNN {way} (training sets of {n})"
        yield judge_claim(FIGURE_3, states, _is_decreasing(errors), _percents(errors))
        if source == "letter":
            states, because = f"On letter both are equal at v = 30.09 (training sets of {n})", "with CART; the paper's tree is R's"
            yield Claim(FIGURE_3, states, "another tree, another v", f"v = {equal:.2f} {because}")


def _error_rates_of_simple(folder: Any) -> Iterable[Claim]:
    for result in stored_results("errors", folder):
        if result["source"] == "Simple":
            errors, se, majority = result["logistic"]["errors"], result["logistic"]["se"], result["majority"]
            states = "On Simple the error rate of LR decreases when Delta increases"
            yield judge_claim(FIGURE_3, states, _is_decreasing(errors), _percents(errors))
            same = sign_of(abs(errors[0] - majority) <= CLEAR_STANDARD_ERRORS * max(se[0], 1e-9))
            because = f"{100 * errors[0]:.2f} and {100 * majority:.2f} %"
            yield judge_claim(FIGURE_3, "On Simple, at Delta = 0, LR and MAJ err equally often", same, because)


def _equal_error_claim(states: str, trained: str, by: float, se: float, more: str = "") -> Claim:
    """Judge the claim that tree and nearest neighbour have equal error rates."""
    because = f"{trained}tree less nearest neighbour: {100 * by:+.2f} ± {100 * se:.2f} percent{more}"
    return judge_claim(ADDITIONAL_CLAIM, states, sign_of(not clear_sign(by, se)), because)


def _true_null_claim(table: Table5, folder: Any) -> Iterable[Claim]:
    """Judge whether H0 is true for all tests, although some tests train on nine tenths of the records and others on half."""
    calibrations = {(result["source"], result["n"]): result for result in stored_results("calibration", folder)}
    for source in table.data_sets:
        half, full = (calibrations.get((source, SIZES.get(source, 0) // k)) for k in (2, 1))
        if half and full:
            equal = f"error rates that are equal after training on {half['n']} records are so on {full['n']}"
            se = float(np.hypot(full["tree"]["se"], np.mean(full["nearest"]["se"])))
            states, trained = f"On {source} H0 is true for every test ({equal})", f"after training on {full['n']}, "
            yield _equal_error_claim(states, trained, error_difference(full, half["settings"]["0"]), se)


def _calibration_claim(folder: Any) -> Iterable[Claim]:
    """Judge whether both learners are equally good at lambda = 0: this check has more training sets than the 200 of the calibration."""
    for result in stored_results("errors", folder):
        if "tree" in result and "0" in result["points"]:
            k = result["points"].index("0")
            by, se = result["tree"]["error"] - result["nearest"]["errors"][k], result["nearest"]["se_difference"][k]
            states = f"On {result['source']} both learners err equally often at lambda = 0 (after training on {result['n']})"
            yield _equal_error_claim(states, "", by, se, f" ({result['data_sets']} training sets)")


def _excluded_tests_claim(table: Table5) -> Iterable[Claim]:
    """Judge the three tests that the paper leaves out because other authors found these tests less powerful and more expensive."""
    for test in LEFT_OUT:
        if rates := table.rates(test, [source for source in table.data_sets if (source, test) in table.cells]):
            states = f"The type I error of {test}, which is left out, is reasonable"
            yield judge_claim("5.2 (not asked there)", states, sign_of(min(map(level_sign, rates.values())) >= 0), _format_rates(rates))
