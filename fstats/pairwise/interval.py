"""Confidence intervals of the t-tests and of the rank tests, and what to say where there is no spread."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..check import ends
from ..degenerate import product
from ..hypothesis import NO_MEASURE
from ..null import Null
from ..number import plain
from ..step import Step, step
from ..tail import BOTH, LOWER, UPPER
from ..value import Interval
from .ordered import OrderedSums


def t_interval(estimate: str, sentence: str) -> Step[Interval]:
    """The step ``ci`` around a step of that name: what the test would not reject at the same alpha."""
    low, high = rf"${estimate} - $critical_value\,$se", rf"${estimate} + $critical_value\,$se"
    formula = {BOTH: rf"[{low},\ {high}]", UPPER: rf"[{low},\ \infty)", LOWER: rf"(-\infty,\ {low}]"}

    def ci(test: Any) -> Interval:
        estimated = getattr(test, estimate)
        found: Interval = test.tail.interval(test.critical_value, lambda c: estimated - product(c, test.se))
        return found

    ci.__doc__ = sentence
    return step(r"\mathrm{CI}", formula, by="tail", over="e", after=True, check=ends)(ci)


def no_spread(test: Any, estimate: str, as_h0_says: str, otherwise: str) -> str:
    """Why a t-test without any spread in its data is answered as it is; empty where there is some."""
    if np.ndim(test.statistic) or test.se:
        return ""
    if getattr(test, estimate):
        away = otherwise.format(plain(getattr(test, estimate)))
        return f"{away}: {NO_MEASURE}, hence p = {plain(test.pvalue)}; look for a mistake in the data."
    return f"{as_h0_says}: nothing speaks against H0."


def rank_interval(ordered: OrderedSums, untied: Null, alpha: float, alternative: str) -> Interval:
    """The interval between two of the ordered differences, as far out as the untied rank test allows; open if it has no power."""
    level = alpha / 2 if alternative == "two-sided" else alpha
    c = np.floor(untied.low(level))
    powerless = c < 0  # no value of the statistic rejects
    last = len(ordered) - 1
    nothing = ordered.x[0] * 0
    low = nothing - np.inf if alternative == "less" or powerless else ordered[int(c)]
    high = nothing + np.inf if alternative == "greater" or powerless else ordered[last - int(c)]
    return Interval(low, high)
