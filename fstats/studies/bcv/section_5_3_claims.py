"""What section 5.3 observes, each beside what the stored results say, from paired comparisons: all plans see the same data sets."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from ...core.value_types import Array
from ..claim_verdicts import Claim, Observations, clear_sign, partial_verdict
from ..study_files import format_rate as rate_told
from .bcv_power_curves import level_sign
from .random_partitions import LARGE_DIFFERENCE_POINT
from .table6 import PLANS, PartitionSets, partition_sets


def partition_claims(found: PartitionSets | None = None) -> Observations:
    """What section 5.3 observes, with verdicts from paired comparisons: all plans see the same data sets."""
    found = partition_sets() if found is None else found
    return Observations([*_level_claims(found), *_variance_claims(found), *_power_claims(found), *_distribution_claims(found)], "5.3")


def _mean_sign(apart: Array) -> int:
    """1 where a mean of differences is clearly above 0, -1 where it is clearly below."""
    return clear_sign(float(apart.mean()), float(np.sqrt(((apart - apart.mean()) ** 2).sum() + 1e-300) / len(apart)))


def _rejected(found: PartitionSets, point: str) -> dict[str, Array]:
    return {plan: np.asarray(found.test(plan, point).reject, float) for plan in PLANS}


def _squared_deviations(found: PartitionSets, point: str) -> dict[str, Array]:
    """Squared distances of E from its mean: their means are the variances."""
    e = {plan: np.asarray(found.test(plan, point).e) for plan in PLANS}
    return {plan: (x - x.mean()) ** 2 for plan, x in e.items()}


def _is_smallest(each: dict[str, Array]) -> list[int]:
    """Of each other plan, whether it is clearly above the blocked one."""
    return [_mean_sign(each[plan] - each["blocked"]) for plan in PLANS[1:]]


def _is_increasing(each: dict[str, Array]) -> list[int]:
    """Of each repetition more, whether it clearly adds something."""
    return [_mean_sign(each[more] - each[less]) for less, more in pairwise(PLANS[1:])]


def _level_claims(found: PartitionSets) -> Iterator[Claim]:
    where, each = "5.3, Table 6", _rejected(found, "0")
    told = ", ".join(f"{plan} {found.rate(plan, '0').rate:.3f}" for plan in PLANS)
    yield Claim(where, "The type I error is smallest with blocked partitions", partial_verdict(_is_smallest(each)), told)
    yield Claim(where, "It grows with RCP", partial_verdict(_is_increasing(each)), told)
    rates = {plan: found.rate(plan, "0") for plan in PLANS}
    signs = [-level_sign(rates[plan]) for plan in ("RCP = 3", "RCP = 4")]
    because = ", ".join(f"{plan} {rate_told(rates[plan])}" for plan in ("RCP = 3", "RCP = 4"))
    yield Claim(where, "With RCP above 2 it exceeds 0.05", partial_verdict(signs), because)


def _variance_claims(found: PartitionSets) -> Iterator[Claim]:
    for point, words in (("0", "without a difference"), (LARGE_DIFFERENCE_POINT, "with a large one")):
        each = _squared_deviations(found, point)
        told = ", ".join(f"{plan} {1e4 * found.variance(plan, point)[0]:.2f}" for plan in PLANS) + " (times 10,000)"
        yield Claim("5.3, Table 6", f"Var(E) is smallest with blocked partitions, {words}", partial_verdict(_is_smallest(each)), told)
        yield Claim("5.3, Table 6", f"It grows with RCP, {words}", partial_verdict(_is_increasing(each)), told)


def _power_claims(found: PartitionSets) -> Iterator[Claim]:
    each = _rejected(found, LARGE_DIFFERENCE_POINT)
    told = ", ".join(f"{plan} {found.rate(plan, LARGE_DIFFERENCE_POINT).rate:.3f}" for plan in PLANS)
    less = [-sign for sign in _is_increasing(each)]
    yield Claim("5.3, Figure 5", "At large differences power falls as RCP grows", partial_verdict(less), told)
    few = [_mean_sign(x["RCP = 4"] - x["blocked"]) for x in (_rejected(found, point) for point in ("0.1", "0.2"))]
    rates = [[f"{found.rate(plan, point).rate:.3f}" for plan in ("RCP = 4", "blocked")] for point in ("0.1", "0.2")]
    because = ", ".join(f"{worst} against {best} at lambda = {point}" for (worst, best), point in zip(rates, ("0.1", "0.2")))
    states = "(not said there) At small differences the worst partitions reject more often, as they do where there is none"
    yield Claim("5.3, Figure 5", states, partial_verdict(few), because)


def _distribution_claims(found: PartitionSets) -> Iterator[Claim]:
    for point, words in (("0", "without a difference"), (LARGE_DIFFERENCE_POINT, "with a large one")):
        roots = {plan: np.sqrt(np.asarray(found.test(plan, point).statistic)) for plan in PLANS}
        spread = {plan: (x - x.mean()) ** 2 for plan, x in roots.items()}
        told = ", ".join(f"{plan} {x.std(ddof=1):.2f}" for plan, x in roots.items()) + " (standard deviation of the root of M)"
        yield Claim(
            "5.3, Figure 6", f"McNemar's statistic spreads more widely as RCP grows, {words}", partial_verdict(_is_increasing(spread)), told
        )
        yield Claim("5.3, Figure 6", f"It is narrowest with blocked partitions, {words}", partial_verdict(_is_smallest(spread)), told)
