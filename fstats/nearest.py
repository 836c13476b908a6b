"""A name that is not known, and those that its writer may have meant."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher


def nearest_first(name: str, known: Iterable[str]) -> str:
    """What an error says of a name: the three nearest ones, then the others.

    >>> nearest_first("irsi", ["heart", "iris", "sonar", "wine", "yeast3"])
    "the nearest names are 'iris', 'wine', 'heart'; then there are sonar, yeast3"
    """
    listed = sorted(sorted(known), key=lambda other: -SequenceMatcher(None, name.lower(), other.lower()).ratio())
    return f"the nearest names are {', '.join(map(repr, listed[:3]))}; then there are {', '.join(listed[3:])}"
