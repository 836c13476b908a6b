"""Verdicts on the claims in section 5.3 of a paper on 5x2 cross-validation.

The verdicts come from comparisons on the same data sets.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from ...core.value_types import Array
from ..claim_verdicts import Claim, Observations, clear_sign, partial_verdict
from ..study_files import format_rate
from .bcv_power_curves import level_sign
from .random_partitions import LARGE_DIFFERENCE_POINT
from .table6 import PLANS, PartitionSets, partition_sets

CASES = (("0", "without a difference"), (LARGE_DIFFERENCE_POINT, "with a large one"))


def partition_claims(sets: PartitionSets | None = None) -> Observations:
    """Return the claims of section 5.3 with verdicts from paired comparisons, because all plans use the same data sets."""
    sets = partition_sets() if sets is None else sets
    return Observations([*_level_claims(sets), *_variance_claims(sets), *_power_claims(sets), *_distribution_claims(sets)], "5.3")


def _mean_sign(d: Array) -> int:
    """Return 1 if the mean of the differences is clearly above 0, -1 if the mean is clearly below 0, otherwise 0."""
    return clear_sign(float(d.mean()), float(np.sqrt(((d - d.mean()) ** 2).sum() + 1e-300) / len(d)))


def _rejected(sets: PartitionSets, point: str) -> dict[str, Array]:
    return {plan: np.asarray(sets.test(plan, point).reject, float) for plan in PLANS}


def _squared_deviations(sets: PartitionSets, point: str) -> dict[str, Array]:
    """Return the squared deviations of E from its mean; the mean of these squared deviations is the variance of E."""
    e = {plan: np.asarray(sets.test(plan, point).e) for plan in PLANS}
    return {plan: (x - x.mean()) ** 2 for plan, x in e.items()}


def _is_smallest(values: dict[str, Array]) -> list[int]:
    """Return, for each random plan, 1 if its mean is clearly above the mean of the blocked plan, -1 if clearly below, otherwise 0."""
    return [_mean_sign(values[plan] - values["blocked"]) for plan in PLANS[1:]]


def _is_increasing(values: dict[str, Array]) -> list[int]:
    """Return, for each additional repetition of a partition, 1 if it clearly increases the values, -1 if it decreases them, otherwise 0."""
    return [_mean_sign(values[more] - values[less]) for less, more in pairwise(PLANS[1:])]


def _level_claims(sets: PartitionSets) -> Iterator[Claim]:
    where, values = "5.3, Table 6", _rejected(sets, "0")
    numbers = ", ".join(f"{plan} {sets.rate(plan, '0').rate:.3f}" for plan in PLANS)
    yield Claim(where, "The type I error is smallest with blocked partitions", partial_verdict(_is_smallest(values)), numbers)
    yield Claim(where, "It grows with RCP", partial_verdict(_is_increasing(values)), numbers)
    rates = {plan: sets.rate(plan, "0") for plan in PLANS}
    signs = [-level_sign(rates[plan]) for plan in ("RCP = 3", "RCP = 4")]
    because = ", ".join(f"{plan} {format_rate(rates[plan])}" for plan in ("RCP = 3", "RCP = 4"))
    yield Claim(where, "With RCP above 2 it exceeds 0.05", partial_verdict(signs), because)


def _variance_claims(sets: PartitionSets) -> Iterator[Claim]:
    where = "5.3, Table 6"
    for point, words in CASES:
        values = _squared_deviations(sets, point)
        numbers = ", ".join(f"{plan} {1e4 * sets.variance(plan, point)[0]:.2f}" for plan in PLANS) + " (times 10,000)"
        yield Claim(where, f"Var(E) is smallest with blocked partitions, {words}", partial_verdict(_is_smallest(values)), numbers)
        yield Claim(where, f"It grows with RCP, {words}", partial_verdict(_is_increasing(values)), numbers)


def _power_claims(sets: PartitionSets) -> Iterator[Claim]:
    values = _rejected(sets, LARGE_DIFFERENCE_POINT)
    numbers = ", ".join(f"{plan} {sets.rate(plan, LARGE_DIFFERENCE_POINT).rate:.3f}" for plan in PLANS)
    less = [-sign for sign in _is_increasing(values)]
    yield Claim("5.3, Figure 5", "At large differences power falls as RCP grows", partial_verdict(less), numbers)
    signs = [_mean_sign(x["RCP = 4"] - x["blocked"]) for x in (_rejected(sets, point) for point in ("0.1", "0.2"))]
    rates = [[f"{sets.rate(plan, point).rate:.3f}" for plan in ("RCP = 4", "blocked")] for point in ("0.1", "0.2")]
    because = ", ".join(f"{worst} against {best} at lambda = {point}" for (worst, best), point in zip(rates, ("0.1", "0.2")))
    states = "(not said there) At small differences the worst partitions reject more often, as they do where there is none"
    yield Claim("5.3, Figure 5", states, partial_verdict(signs), because)


def _distribution_claims(sets: PartitionSets) -> Iterator[Claim]:
    where = "5.3, Figure 6"
    for point, words in CASES:
        roots = {plan: np.sqrt(np.asarray(sets.test(plan, point).statistic)) for plan in PLANS}
        spread = {plan: (x - x.mean()) ** 2 for plan, x in roots.items()}
        numbers = ", ".join(f"{plan} {x.std(ddof=1):.2f}" for plan, x in roots.items()) + " (standard deviation of the root of M)"
        states = f"McNemar's statistic spreads more widely as RCP grows, {words}"
        yield Claim(where, states, partial_verdict(_is_increasing(spread)), numbers)
        yield Claim(where, f"It is narrowest with blocked partitions, {words}", partial_verdict(_is_smallest(spread)), numbers)
