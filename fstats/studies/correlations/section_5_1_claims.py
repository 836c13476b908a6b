"""What the paper observes in section 5.1, each beside what the stored correlations say."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..claim_verdicts import CLEARLY, Observation, Observations, said, yes
from .correlation_estimates import Cloud, cloud


def observations(found: Cloud | None = None) -> Observations:
    """The three observations of section 5.1 with verdicts.

    Examples
    --------
    >>> [claim.verdict for claim in observations()][-1]
    'holds'
    """
    found = cloud() if found is None else found
    return Observations([*_first(found), *_second(found), *_third(found)], "5.1")


def _most(share: float) -> int:
    return yes(share > 0.5)


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _first(found: Cloud) -> Iterator[Observation]:
    where, shares = "5.1, observation 1", found.shares
    lower = [shares[f"{rho} <= 1/2"] for rho in ("rho1", "rho2")]
    because = f"rho1 {_percent(lower[0])}, rho2 {_percent(lower[1])}"
    yield said(where, "Most values of rho1 and rho2 are lower than 0.5", _most(min(lower)), because)
    negative, clearly = float((found.rho1 < 0).mean()), float(np.mean([abs(one.rho1 or 0) > CLEARLY * one.se1 for one in found]))
    low, high = np.quantile(found.rho1, (0.05, 0.95))
    around = f"{_percent(negative)} below 0, median {np.median(found.rho1):+.2f}, 90 % from {low:+.2f} to {high:+.2f}"
    yield said(where, "rho1 varies around 0", yes(low < 0 < high), f"{around}; but {_percent(clearly)} differ from 0 clearly")
    positive, inside = shares["rho2 >= 0"], shares["Eq. 10, all three"]
    yield said(where, "rho2 is greater than 0", _most(positive), f"{_percent(positive)}, the least {found.rho2.min():+.3f}")
    yield said(where, "The bounds in Equation 10 hold with a high probability", yes(inside > 0.9), _percent(inside))


def _second(found: Cloud) -> Iterator[Observation]:
    where, theorem_2 = "5.1, observation 2", "Theorem 2, rho2 < (1 + rho1)/2"
    share, other = found.shares[theorem_2], Cloud(found.found, found.of, "binomial").shares[theorem_2]
    because = (
        f"{_percent(share)}; it could not be otherwise: a variance, that of the difference of two repetitions, is never negative.  "
        f"Divided by 2e(1 - e)/n instead, as sigma squared is defined in Theorem 1, {_percent(other)} do: "
        "counts vary more than those of independent records"
    )
    yield said(where, "All values lie below the line rho2 = (1 + rho1)/2, which confirms Theorem 2", yes(share == 1), because)
    margin = (1 + found.rho1) / 2 - found.rho2
    least, wide = np.quantile(margin, (0.05, 0.5))
    most = f"by {least:.2f} or more for 95 % of the pairs"
    because = f"rho2 lies below the line by {wide:.2f} in the median, {most}, by {margin.min():.2f} at least"
    yield said(where, "There is a wide margin between the line and the points", yes(wide > 0.1), because)


def _third(found: Cloud) -> Iterator[Observation]:
    share = found.shares["rho2 >= rho1"]
    yield said("5.1, observation 3", "The majority of values satisfy rho2 >= rho1", _most(share), _percent(share))
