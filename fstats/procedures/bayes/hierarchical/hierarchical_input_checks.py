"""Input checks of the Bayesian hierarchical comparison."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core.validation import check, result_checks
from ....core.value_types import Array, Interval
from ..bayesian_correlated_t import correlation

MAX_NODES = 20


def split_correlation(value: Any, name: str) -> float:
    """Check the correlation of differences on two splits that share records: one number from 0 to below 1."""
    x = correlation(value, name)
    if x >= 1:
        raise ValueError(f"{name} must be below 1, otherwise the splits give no information about the mean; got {x:g}")
    return x


def differences_by_data_set(value: Any, name: str) -> Array:
    """Check differences with one row for each data set and one column for each split."""
    try:
        x = check.numbers(value, name)
    except ValueError as error:
        if "different lengths" not in str(error):
            raise
        raise ValueError(
            f"{name} must have equally many splits on each data set; got rows of different lengths: write summaries of the rows instead, "
            "from_steps(n=[...], means=[...], sds=[...], mean_bound=..., rho=..., rope=...), as from_results does"
        ) from None
    if x.ndim < 2 or not x.size:
        raise ValueError(
            f"{name} must be a table with a row for each data set and a column for each split; got {check.format_received_value(value)}"
        )
    return x


def for_each_data_set(value_check: Any) -> Any:
    """Create a check of a list with one entry for each data set."""

    def checked(value: Any, name: str) -> Array:
        x = value_check(value, name)
        if np.ndim(x) == 0:
            raise ValueError(f"{name} must be a list with one entry for each data set; got {check.format_received_value(value)}")
        return np.asarray(x, float)

    return checked


def uniform_prior_bounds(value: Any, name: str) -> Interval:
    """Check the ends of a uniform prior: two numbers above 0, the smaller one first; both may be equal."""
    ends = result_checks.interval_ends(value, name)
    if np.ndim(ends.low) or not 0 < ends.low <= ends.high < np.inf:
        raise ValueError(f"{name} must be a pair of numbers above 0; got {check.format_received_value(value)}")
    return Interval(np.float64(ends.low), np.float64(ends.high))


def reach_or_largest(value: Any, name: str) -> float | str:
    """Check the bound of the mean difference: one number above 0, or "largest"."""
    if isinstance(value, str):
        return str(check.choice("largest")(value, name))
    return float(check.single_number(check.positive)(value, name))


node_count = check.single_number(check.count(3, MAX_NODES, "or it takes too long"))  # check of the nodes in a panel of the grid
