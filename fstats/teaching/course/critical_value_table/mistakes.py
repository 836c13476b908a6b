"""Common wrong calculations in the exercise on critical values."""

from __future__ import annotations

from typing import Any

from .steps import last_where_true, rank_sum_probabilities, rank_sum_tail_probabilities


def not_halved(test: Any) -> Any:
    """Return the critical value with alpha instead of alpha / 2."""
    return last_where_true(rank_sum_tail_probabilities(test.n) <= test.alpha)


def one_too_far(test: Any) -> Any:
    """Return the critical value if P(W < w) is used instead of P(W <= w)."""
    return last_where_true(rank_sum_tail_probabilities(test.n) <= test.alpha / 2) + 1


def single_sums(test: Any) -> Any:
    """Return the critical value if P(W = w) is used instead of P(W <= w)."""
    return last_where_true(rank_sum_probabilities(test.n) <= test.alpha / 2)
