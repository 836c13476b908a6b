"""What a paper observes, statement by statement, each with a verdict from our numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from ..render.display_table import Table, TableDisplay

VERDICT_WORDS = {1: "holds", 0: "cannot be told", -1: "does not hold"}
CLEAR_STANDARD_ERRORS = 2.0  # standard errors
RULE = (
    "A rate keeps to 0.05, or does not, if its exact interval of 95 % lies to one side; other numbers differ if they do so by 2 standard "
    "errors. Otherwise it cannot be told."
)


class Claim(NamedTuple):
    """One statement of the paper, the verdict, and the numbers that it rests on."""

    where: str
    states: str
    verdict: str
    because: str


class Observations(TableDisplay):
    """Statements with verdicts: a table that can be gone through."""

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
    """A statement: 1 where it clearly holds, -1 where it clearly does not, 0 where it cannot be told."""
    return Claim(where, states, VERDICT_WORDS[sign], because)


def sign_of(holds: Any) -> int:
    """The sign of what is so or not."""
    return 1 if holds else -1


def clear_sign(number: float, se: float) -> int:
    """1 where a number is clearly above 0, -1 where it is clearly below.

    >>> clear_sign(0.3, 0.1), clear_sign(0.1, 0.1), clear_sign(-0.3, 0.1)
    (1, 0, -1)
    """
    return int(number > CLEAR_STANDARD_ERRORS * se) - int(number < -CLEAR_STANDARD_ERRORS * se)


def sign_of_all(signs: Iterable[int]) -> int:
    """Whether something holds everywhere: not if it clearly fails somewhere; it cannot be told if that may be."""
    return min(signs, default=0)


def partial_verdict(signs: Iterable[int]) -> str:
    """The verdict on something said of several cases: it may hold clearly in some of them only.

    >>> partial_verdict([1, 1]), partial_verdict([1, 0]), partial_verdict([0, 0]), partial_verdict([0, -1])
    ('holds', 'holds in part', 'cannot be told', 'does not hold')
    """
    every = list(signs)
    return "holds in part" if 1 in every and min(every) < 1 else VERDICT_WORDS[sign_of_all(every)]
