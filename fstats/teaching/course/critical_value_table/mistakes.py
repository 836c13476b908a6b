"""What goes wrong in words: the functions that mistakes.toml names."""

from __future__ import annotations

from typing import Any

from .steps import Entry, chances, last, tails


def not_halved(test: Entry) -> Any:
    """Alpha not halved."""
    return last(tails(test.n) <= test.alpha)


def one_too_far(test: Entry) -> Any:
    """P(W < w) for P(W <= w)."""
    return last(tails(test.n) <= test.alpha / 2) + 1


def single_sums(test: Entry) -> Any:
    """P(W = w) for P(W <= w)."""
    return last(chances(test.n) <= test.alpha / 2)
