"""What the paper observes in section 5.1, each beside what the stored correlations say."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..bcv.claims import WORDS, Observation, Observations
from .cloud import Cloud, cloud

CLEARLY = 2.0  # standard errors


def observations(found: Cloud | None = None) -> Observations:
    """The three observations of section 5.1 with verdicts.

    Examples
    --------
    >>> [claim.verdict for claim in observations()][-1]
    'holds'
    """
    found = cloud() if found is None else found
    return Observations([*_first(found), *_second(found), *_third(found)], "5.1")


def _most(share: float) -> str:
    return WORDS[1 if share > 0.5 else -1]


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _first(found: Cloud) -> Iterator[Observation]:
    where, shares = "5.1, observation 1", found.shares
    inside = min(shares["rho1 <= 1/2"], shares["rho2 <= 1/2"])
    yield Observation(
        where,
        "Most values of rho1 and rho2 are lower than 0.5",
        _most(inside),
        f"rho1 {_percent(shares['rho1 <= 1/2'])}, rho2 {_percent(shares['rho2 <= 1/2'])}",
    )
    negative, clearly = float((found.rho1 < 0).mean()), float(np.mean([abs(one.rho1 or 0) > CLEARLY * one.se1 for one in found]))
    low, high = np.quantile(found.rho1, (0.05, 0.95))
    yield Observation(
        where,
        "rho1 varies around 0",
        WORDS[1 if low < 0 < high else -1],
        f"{_percent(negative)} below 0, median {np.median(found.rho1):+.2f}, 90 % from {low:+.2f} to {high:+.2f}; but {_percent(clearly)} differ from 0 clearly",
    )
    yield Observation(
        where, "rho2 is greater than 0", _most(shares["rho2 >= 0"]), f"{_percent(shares['rho2 >= 0'])}, the least {found.rho2.min():+.3f}"
    )
    yield Observation(
        where,
        "The bounds in Equation 10 hold with a high probability",
        WORDS[1 if shares["Eq. 10, all three"] > 0.9 else -1],
        _percent(shares["Eq. 10, all three"]),
    )


def _second(found: Cloud) -> Iterator[Observation]:
    where, share = "5.1, observation 2", found.shares["Theorem 2, rho2 < (1 + rho1)/2"]
    margin = (1 + found.rho1) / 2 - found.rho2
    other = Cloud(found.found, found.of, "binomial").shares["Theorem 2, rho2 < (1 + rho1)/2"]
    yield Observation(
        where,
        "All values lie below the line rho2 = (1 + rho1)/2, which confirms Theorem 2",
        WORDS[1 if share == 1 else -1],
        f"{_percent(share)}; it could not be otherwise: a variance, that of the difference of two repetitions, is never negative.  Divided by "
        f"2e(1 - e)/n instead, as sigma squared is defined in Theorem 1, {_percent(other)} do: counts vary more than those of independent records",
    )
    wide = float(np.median(margin))
    yield Observation(
        where,
        "There is a wide margin between the line and the points",
        WORDS[1 if wide > 0.1 else -1],
        f"rho2 lies below the line by {wide:.2f} in the median, by {np.quantile(margin, 0.05):.2f} or more for 95 % of the pairs, by {margin.min():.2f} at least",
    )


def _third(found: Cloud) -> Iterator[Observation]:
    share = found.shares["rho2 >= rho1"]
    yield Observation("5.1, observation 3", "The majority of values satisfy rho2 >= rho1", _most(share), _percent(share))
