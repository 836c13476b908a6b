"""Verdicts on the claims in section 5.1 of a paper on 5x2 cross-validation."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..claim_verdicts import CLEAR_STANDARD_ERRORS, Claim, Observations, judge_claim, sign_of
from .correlation_estimates import Cloud, cloud


def observations(pairs: Cloud | None = None) -> Observations:
    """Return the three observations of section 5.1 with verdicts.

    Examples
    --------
    >>> [claim.verdict for claim in observations()][-1]
    'holds'
    """
    pairs = cloud() if pairs is None else pairs
    return Observations([*_observation_1(pairs), *_observation_2(pairs), *_observation_3(pairs)], "5.1")


def _is_majority(share: float) -> int:
    return sign_of(share > 0.5)


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _observation_1(pairs: Cloud) -> Iterator[Claim]:
    where, shares = "5.1, observation 1", pairs.shares
    lower = [shares[f"{rho} <= 1/2"] for rho in ("rho1", "rho2")]
    because = f"rho1 {_percent(lower[0])}, rho2 {_percent(lower[1])}"
    yield judge_claim(where, "Most values of rho1 and rho2 are lower than 0.5", _is_majority(min(lower)), because)
    negative = float((pairs.rho1 < 0).mean())
    clearly = float(np.mean([abs(pair.rho1 or 0) > CLEAR_STANDARD_ERRORS * pair.se1 for pair in pairs]))
    low, high = np.quantile(pairs.rho1, (0.05, 0.95))
    around = f"{_percent(negative)} below 0, median {np.median(pairs.rho1):+.2f}, 90 % from {low:+.2f} to {high:+.2f}"
    yield judge_claim(where, "rho1 varies around 0", sign_of(low < 0 < high), f"{around}; but {_percent(clearly)} differ from 0 clearly")
    positive, inside = shares["rho2 >= 0"], shares["Eq. 10, all three"]
    yield judge_claim(where, "rho2 is greater than 0", _is_majority(positive), f"{_percent(positive)}, the least {pairs.rho2.min():+.3f}")
    yield judge_claim(where, "The bounds in Equation 10 hold with a high probability", sign_of(inside > 0.9), _percent(inside))


def _observation_2(pairs: Cloud) -> Iterator[Claim]:
    where, theorem_2 = "5.1, observation 2", "Theorem 2, rho2 < (1 + rho1)/2"
    share, other = pairs.shares[theorem_2], Cloud(pairs.found, pairs.of, "binomial").shares[theorem_2]
    because = (
        f"{_percent(share)}; it could not be otherwise: a variance, that of the difference of two repetitions, is never negative.  "
        f"Divided by 2e(1 - e)/n instead, as sigma squared is defined in Theorem 1, {_percent(other)} do: "
        "counts vary more than those of independent records"
    )
    yield judge_claim(where, "All values lie below the line rho2 = (1 + rho1)/2, which confirms Theorem 2", sign_of(share == 1), because)
    margin = (1 + pairs.rho1) / 2 - pairs.rho2
    least, wide = np.quantile(margin, (0.05, 0.5))
    most = f"by {least:.2f} or more for 95 % of the pairs"
    because = f"rho2 lies below the line by {wide:.2f} in the median, {most}, by {margin.min():.2f} at least"
    yield judge_claim(where, "There is a wide margin between the line and the points", sign_of(wide > 0.1), because)


def _observation_3(pairs: Cloud) -> Iterator[Claim]:
    share = pairs.shares["rho2 >= rho1"]
    yield judge_claim("5.1, observation 3", "The majority of values satisfy rho2 >= rho1", _is_majority(share), _percent(share))
