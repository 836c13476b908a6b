"""Confidence intervals of t-tests and rank tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...core.hypothesis import NO_SPREAD_MESSAGE, HypothesisTest
from ...core.null_distribution import NullDistribution
from ...core.number_format import format_plain
from ...core.numerics.zero_division import product
from ...core.rejection_region import BOTH, LOWER, UPPER, Tail
from ...core.step import Step
from ...core.validation.result_checks import interval_ends
from ...core.value_types import Decision, Interval, Value
from .hodges_lehmann import SortedPairSums

# The test is repeated at both ends of the interval to decide whether an end is open.  An exact test of more scores than this number is
# repeated only at an end that equals 0, the value under H0, because it takes long; other ends count as closed.
MAX_TESTED_AGAIN = 200


def interval_formulas(estimate: str, se: str) -> dict[Tail, str]:
    """Return the formulas of the interval around an estimate, for each rejection region."""
    low, high = rf"${estimate} - $critical_value\,${se}", rf"${estimate} + $critical_value\,${se}"
    return {BOTH: rf"[{low},\ {high}]", UPPER: rf"[{low},\ \infty)", LOWER: rf"(-\infty,\ {low}]"}


def t_interval(estimate: str, sentence: str, unit: str = "score") -> Step[Interval]:
    """Return the step ``ci``, the confidence interval around the step `estimate`: values that the test would not reject at alpha."""

    def ci(test: Any) -> Interval:
        estimated = getattr(test, estimate)
        return test.tail.interval(test.critical_value, lambda c: estimated - product(c, test.se))

    return Step(
        ci,
        r"\mathrm{CI}",
        interval_formulas(estimate, "se"),
        by="tail",
        over="e",
        after=True,
        check=interval_ends,
        unit=unit,
        sentence=sentence,
    )


def no_spread_note(test: Any, estimate: str, as_h0_says: str, otherwise: str) -> str:
    """Return a note on the result of a t-test whose data have no spread; return "" if there is spread."""
    if np.ndim(test.statistic) or test.se:
        return ""
    if getattr(test, estimate):
        cause = otherwise.format(format_plain(getattr(test, estimate)))
        return f"{cause}: {NO_SPREAD_MESSAGE}, hence p = {format_plain(test.pvalue)}; look for a mistake in the data."
    return f"{as_h0_says}: the data give no evidence against H0."


def rank_interval_formulas(name: str, sums: str, reads: str = "") -> dict[str, str]:
    """Return the formulas of an interval between two of the ordered sums, by alternative and method of the null distribution."""
    ends = {
        "two-sided": r"with } $alpha / 2 \text{ cut off at either end",
        "greater": r"with } $alpha \text{ cut off below",
        "less": r"with } $alpha \text{ cut off above",
    }
    return {
        f"{alternative} {method}": rf"\text{{ordered {name} }} {sums} \text{{ {end}{roughly}}}{reads}"
        for method, roughly in (("exact", ""), ("normal", ", roughly"))
        for alternative, end in ends.items()
    }


def rank_interval(
    test: Any, ordered: SortedPairSums, untied: NullDistribution, size: int, shifted: Callable[[Value], HypothesisTest]
) -> Interval:
    """Return the interval between two of the ordered differences: the values that the rank test without ties would not reject.

    The interval is infinite if the rank test can never reject.  An end of the interval is open if the test with all ties and zeros,
    `shifted` by this end, rejects H0.
    """
    level = test.alpha / 2 if test.alternative == "two-sided" else test.alpha
    c = np.floor(untied.low(level))
    powerless = c < 0  # True if even the smallest statistic does not reject H0
    last = len(ordered) - 1
    zeros = ordered.x[0] * 0
    low = zeros - np.inf if test.alternative == "less" or powerless else ordered[int(c)]
    high = zeros + np.inf if test.alternative == "greater" or powerless else ordered[last - int(c)]

    def is_rejected(end: Value) -> Decision:
        tested = np.isfinite(end) if test.method == "normal" or size <= MAX_TESTED_AGAIN else np.equal(end, 0)
        return tested & shifted(np.where(tested, end, 0.0)[()]).reject if tested.any() else tested

    return Interval(low, high, is_rejected(low), is_rejected(high))


def interval_disagreement_note(test: Any, disregarded: str) -> str:
    """Return a note if the confidence interval (computed without ties) contradicts the decision of the test; else return ""."""
    ends = None if "ci" in test.stated or np.ndim(test.get_or_default("reject", ())) else test.get_or_default("ci", None)
    if ends is None or ends.holds(0.0) != test.reject:
        return ""
    contains = "contains 0 although the test rejects" if test.reject else "does not contain 0 although the test does not reject"
    return f"The confidence interval ignores {disregarded}; therefore it {contains} H0."
