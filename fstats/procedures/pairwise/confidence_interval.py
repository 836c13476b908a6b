"""Confidence intervals of the t-tests and of the rank tests, and what to say where there is no spread."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...core.hypothesis import NO_SPREAD_MESSAGE, HypothesisTest
from ...core.null_distribution import NullDistribution
from ...core.number_format import format_plain
from ...core.numerics.zero_division import product
from ...core.rejection_region import BOTH, LOWER, UPPER
from ...core.step import Step
from ...core.validation.result_checks import interval_ends
from ...core.value_types import Decision, Interval, Value
from .hodges_lehmann import OrderedSums

MANY = 200  # scores; with more the exact test takes long, and is done again only at an end that is the value of H0: others are closed


def t_interval(estimate: str, sentence: str, unit: str = "score") -> Step[Interval]:
    """The step ``ci`` around a step of that name: what the test would not reject at the same alpha."""
    low, high = rf"${estimate} - $critical_value\,$se", rf"${estimate} + $critical_value\,$se"
    formula = {BOTH: rf"[{low},\ {high}]", UPPER: rf"[{low},\ \infty)", LOWER: rf"(-\infty,\ {low}]"}

    def ci(test: Any) -> Interval:
        estimated = getattr(test, estimate)
        return test.tail.interval(test.critical_value, lambda c: estimated - product(c, test.se))

    return Step(ci, r"\mathrm{CI}", formula, by="tail", over="e", after=True, check=interval_ends, unit=unit, sentence=sentence)


def no_spread_note(test: Any, estimate: str, as_h0_says: str, otherwise: str) -> str:
    """Why a t-test without any spread in its data is answered as it is; empty where there is some."""
    if np.ndim(test.statistic) or test.se:
        return ""
    if getattr(test, estimate):
        away = otherwise.format(format_plain(getattr(test, estimate)))
        return f"{away}: {NO_SPREAD_MESSAGE}, hence p = {format_plain(test.pvalue)}; look for a mistake in the data."
    return f"{as_h0_says}: nothing speaks against H0."


def rank_interval_formulas(what: str, sums: str, reads: str = "") -> dict[str, str]:
    """The formulas of an interval between two of the ordered sums, by the alternative and by where the null distribution comes from."""
    ends = {
        "two-sided": r"that } $alpha / 2 \text{ leaves on either side",
        "greater": r"above which } $alpha \text{ is left",
        "less": r"below which } $alpha \text{ is left",
    }
    return {
        f"{alternative} {method}": rf"\text{{ordered {what} }} {sums} \text{{ {end}{roughly}}}{reads}"
        for method, roughly in (("exact", ""), ("normal", ", roughly"))
        for alternative, end in ends.items()
    }


def rank_interval(
    test: Any, ordered: OrderedSums, untied: NullDistribution, size: int, shifted: Callable[[Value], HypothesisTest]
) -> Interval:
    """The interval between two of the ordered differences, as far out as the untied rank test allows; infinite if it has no power.

    An end that the test itself, `shifted` by so much, rejects with all ties and zeros that are there then, is open.
    """
    level = test.alpha / 2 if test.alternative == "two-sided" else test.alpha
    c = np.floor(untied.low(level))
    powerless = c < 0  # no value of the statistic rejects
    last = len(ordered) - 1
    nothing = ordered.x[0] * 0
    low = nothing - np.inf if test.alternative == "less" or powerless else ordered[int(c)]
    high = nothing + np.inf if test.alternative == "greater" or powerless else ordered[last - int(c)]

    def rejected(end: Value) -> Decision:
        asked = np.isfinite(end) if test.method == "normal" or size <= MANY else np.equal(end, 0)
        return asked & shifted(np.where(asked, end, 0.0)[()]).reject if asked.any() else asked

    return Interval(low, high, rejected(low), rejected(high))


def interval_disagreement_note(test: Any, disregarded: str) -> str:
    """What to say where the interval, computed without ties, holds what the test rejects, or the other way round; else empty."""
    ends = None if "ci" in test.stated or np.ndim(test.get_or_default("reject", ())) else test.get_or_default("ci", None)
    if ends is None or ends.holds(0.0) != test.reject:
        return ""
    return f"The confidence interval disregards {disregarded}, and 0 lies {'in' if test.reject else 'outside'} it all the same."
