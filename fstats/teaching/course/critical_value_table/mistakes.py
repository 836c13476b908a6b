"""What goes wrong in words: the functions that mistakes.toml names."""

from __future__ import annotations

from typing import Any

from .steps import CriticalValueEntry, last_where_true, rank_sum_probabilities, rank_sum_tail_probabilities


def not_halved(test: CriticalValueEntry) -> Any:
    """Alpha not halved."""
    return last_where_true(rank_sum_tail_probabilities(test.n) <= test.alpha)


def one_too_far(test: CriticalValueEntry) -> Any:
    """P(W < w) for P(W <= w)."""
    return last_where_true(rank_sum_tail_probabilities(test.n) <= test.alpha / 2) + 1


def single_sums(test: CriticalValueEntry) -> Any:
    """P(W = w) for P(W <= w)."""
    return last_where_true(rank_sum_probabilities(test.n) <= test.alpha / 2)
