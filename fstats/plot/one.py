"""A picture shows one repetition of a batch."""

from __future__ import annotations


def only_one(repetitions: tuple[int, ...], how: str) -> None:
    """A picture shows one repetition: refuse a batch, and say how to draw one of it."""
    if repetitions:
        first = how.format(", ".join("0" * len(repetitions)))
        raise ValueError(f"a batch of shape {repetitions} has no one picture; draw one repetition, such as {first}")
