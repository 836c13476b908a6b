"""What goes wrong: the right test with one wrong step each."""

from __future__ import annotations

from typing import Any

from ....procedures.pairwise.sign_test import SignTest
from ...grading.mistake import slip
from .. import shared
from .steps import RELATIVES


@slip(SignTest, "wins", r"\#\{i : $d < 0\}", "wins of B for wins of A", RELATIVES, only=("q1",))
def losses_for_wins(test: SignTest) -> Any:
    """You counted the data sets on which B wins. A higher score is better, so A wins where a is larger than b: count
    those.
    """
    return (test.d < 0).sum(0)


@slip(SignTest, "n", r"\#\{i : $d\}", "draws counted", RELATIVES)
def draws_counted(test: SignTest) -> Any:
    """You counted the data sets without a winner, too. They speak for neither side, and the coin was thrown only where
    somebody won: leave them out.
    """
    return len(test.d)


one_tail = shared.lower_tail.on(
    SignTest,
    "one tail",
    RELATIVES,
    """That is one tail. Nobody said beforehand who would win, so a result as lopsided the other way would have counted as
    well: double it.
    """,
)


this_result_only = shared.this_result_only.on(
    SignTest,
    "this very result only",
    RELATIVES,
    """That is twice the probability of exactly this result. The p-value is about results at least as extreme: add those
    with fewer wins for the loser.
    """,
)


without_this_result = shared.without_this_result.on(
    SignTest,
    "this very result left out",
    RELATIVES,
    """You added the results with still fewer wins for the loser, but left out the result itself. "At least as extreme"
    includes it. (In Python, range(k) ends before k.)
    """,
)
