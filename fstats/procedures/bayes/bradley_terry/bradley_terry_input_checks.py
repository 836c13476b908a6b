"""What may be handed to a Bradley-Terry model, each check with its error text."""

from __future__ import annotations

from typing import Any

from ....core.validation import check

FEWEST, MOST = 1_000, 1_000_000  # points
WIDEST = 2.0  # standard deviations of ln sigma: two of them are a factor of 55

point_count = check.single_number(check.count(FEWEST, MOST, "or it takes too long"))  # how many points, of which each set gets its part


def half_share(value: Any, name: str) -> float:
    """Half the width of a region around 1/2: one number from 0 to below 1/2."""
    x = check.single_number(check.nonnegative)(value, name)
    if x >= 0.5:
        raise ValueError(f"{name} must be below 0.5, a share of data sets; got {x:g}")
    return float(x)


def log_prior_sd(value: Any, name: str) -> float:
    """How far a logarithm strays by a prior: above 0, and not so far that numbers leave what a float holds."""
    x = check.single_number(check.positive)(value, name)
    if x > WIDEST:
        raise ValueError(f"{name} must be at most {WIDEST:g}, where sigma lies between 1/50 and 50 already; got {x:g}")
    return float(x)
