"""Verdicts on the claims of a paper."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from ..render.display_table import Table, TableDisplay

VERDICT_WORDS = {1: "holds", 0: "cannot be told", -1: "does not hold"}
CLEAR_STANDARD_ERRORS = 2.0  # a number this many standard errors away from 0 is clearly above or below 0
RULE = (
    "A rate keeps or exceeds 0.05 if its exact 95 % interval lies on one side of it. Other numbers differ if they are more than "
    "2 standard errors apart. Otherwise it cannot be told."
)


class Claim(NamedTuple):
    """Statement of a paper, its verdict, and the numbers that support the verdict."""

    where: str
    states: str
    verdict: str
    because: str


class Observations(TableDisplay):
    """Table of statements with verdicts; iteration yields the claims."""

    def __init__(self, claims: Iterable[Claim], section: str = "5.2") -> None:
        self.claims, self.section = tuple(claims), section

    def __iter__(self) -> Iterator[Claim]:
        return iter(self.claims)

    def __len__(self) -> int:
        return len(self.claims)

    def __repr__(self) -> str:
        return "\n\n".join(f"{where}: {states}\n  {verdict.upper()}. {because}" for where, states, verdict, because in self.claims)

    @property
    def _table(self) -> Table:
        return Table(("where", "the paper", "verdict", "our numbers"), self.claims, f"What section {self.section} observes", notes=[RULE])


def judge_claim(where: str, states: str, sign: int, because: str) -> Claim:
    """Return a claim with the verdict of a sign: 1 clearly holds, -1 clearly does not hold, 0 cannot be told."""
    return Claim(where, states, VERDICT_WORDS[sign], because)


def sign_of(holds: Any) -> int:
    """Return 1 if the condition holds, otherwise -1."""
    return 1 if holds else -1


def clear_sign(number: float, se: float) -> int:
    """Return 1 if a number is clearly above 0, -1 if the number is clearly below 0, otherwise 0.

    >>> clear_sign(0.3, 0.1), clear_sign(0.1, 0.1), clear_sign(-0.3, 0.1)
    (1, 0, -1)
    """
    return int(number > CLEAR_STANDARD_ERRORS * se) - int(number < -CLEAR_STANDARD_ERRORS * se)


def sign_of_all(signs: Iterable[int]) -> int:
    """Return the sign of a claim about all cases: -1 if the claim clearly fails in a case, 0 if it may fail in a case, otherwise 1."""
    return min(signs, default=0)


def partial_verdict(signs: Iterable[int]) -> str:
    """Return the verdict on a statement about several cases; "holds in part" if only some cases are clear and none contradicts.

    >>> partial_verdict([1, 1]), partial_verdict([1, 0]), partial_verdict([0, 0]), partial_verdict([0, -1])
    ('holds', 'holds in part', 'cannot be told', 'does not hold')
    """
    signs = list(signs)
    return "holds in part" if 1 in signs and min(signs) < 1 else VERDICT_WORDS[sign_of_all(signs)]
