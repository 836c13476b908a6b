"""Input checks of the Bradley-Terry model."""

from __future__ import annotations

from typing import Any

from ....core.validation import check

MIN_POINTS, MAX_POINTS = 1_000, 1_000_000
MAX_LOG_SD = 2.0  # largest standard deviation of ln sigma; two standard deviations are a factor of 55

point_count = check.single_number(check.count(MIN_POINTS, MAX_POINTS, "or it takes too long"))  # total number of points in all sets


def half_share(value: Any, name: str) -> float:
    """Check half the width of a region around 1/2: one number from 0 to below 1/2."""
    x = check.single_number(check.nonnegative)(value, name)
    if x >= 0.5:
        raise ValueError(f"{name} must be a share of data sets below 0.5; got {x:g}")
    return float(x)


def log_prior_sd(value: Any, name: str) -> float:
    """Check the prior standard deviation of a logarithm: above 0, and small enough for floating-point numbers."""
    x = check.single_number(check.positive)(value, name)
    if x > MAX_LOG_SD:
        raise ValueError(
            f"{name} must be at most {MAX_LOG_SD:g}, because with this value sigma already lies between 1/50 and 50; got {x:g}"
        )
    return float(x)
