"""What may be handed to a hierarchical comparison, each check with its error text."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core.validation import check, result_checks
from ....core.value_types import Array, Interval
from ..bayesian_correlated_t import correlation

MOST_NODES = 20


def split_correlation(value: Any, name: str) -> float:
    """The correlation of two differences that come from splits of the same records: one number from 0 to below 1."""
    x = correlation(value, name)
    if x >= 1:
        raise ValueError(f"{name} must be below 1, or the splits say nothing of the mean; got {x:g}")
    return x


def differences_by_data_set(value: Any, name: str) -> Array:
    """A line for each data set, and a column for each split."""
    try:
        x = check.numbers(value, name)
    except ValueError as error:
        if "different lengths" not in str(error):
            raise
        raise ValueError(
            f"{name} must have as many splits on each data set; got rows of different lengths: start from what the rows show, "
            "from_steps(n=[...], means=[...], sds=[...], mean_bound=..., rho=..., rope=...), as from_results does"
        ) from None
    if x.ndim < 2 or not x.size:
        raise ValueError(
            f"{name} must be a table, a line for each data set and a column for each split; got {check.format_received_value(value)}"
        )
    return x


def for_each_data_set(value_check: Any) -> Any:
    """A check of a list, an entry for each data set."""

    def checked(value: Any, name: str) -> Array:
        x = value_check(value, name)
        if np.ndim(x) == 0:
            raise ValueError(f"{name} must be a list, an entry for each data set; got {check.format_received_value(value)}")
        return np.asarray(x, float)

    return checked


def uniform_prior_bounds(value: Any, name: str) -> Interval:
    """The ends of a uniform prior: two numbers above 0, the lower one first; both may be the same."""
    found = result_checks.interval_ends(value, name)
    if np.ndim(found.low) or not 0 < found.low <= found.high < np.inf:
        raise ValueError(f"{name} must be a pair of numbers above 0; got {check.format_received_value(value)}")
    return Interval(np.float64(found.low), np.float64(found.high))


def reach_or_largest(value: Any, name: str) -> float | str:
    """How large the mean difference may be: one number above 0, or as large as the largest one seen."""
    if isinstance(value, str):
        return str(check.choice("largest")(value, name))
    return float(check.single_number(check.positive)(value, name))


node_count = check.single_number(check.count(3, MOST_NODES, "or it takes too long"))  # of a panel of the grid
