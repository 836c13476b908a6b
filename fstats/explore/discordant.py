"""The explorer of McNemar's tests: move the two discordant counts, the test, the level, the alternative."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from ..check import counts
from ..contingency.mcnemar import McNemar
from ..contingency.mcnemar_exact import McNemarExact, McNemarMidP
from ..hypothesis import Alternative, HypothesisTest
from ..number import plain
from .explorer import Control, Explorer
from .pairs import ALTERNATIVES, LEVELS, position_of

MOST = 60  # discordant records on either side
TESTS: tuple[tuple[str, Callable[..., HypothesisTest], tuple[Alternative, ...]], ...] = (
    ("exact", McNemarExact, ALTERNATIVES),
    ("mid-p", McNemarMidP, ALTERNATIVES),
    ("χ², corrected", partial(McNemar, correction=True), ("two-sided",)),
    ("χ², plain", partial(McNemar, correction=False), ("two-sided",)),
)


class DiscordantExplorer(Explorer):
    """One of McNemar's tests on two counts.

    Parameters
    ----------
    n01, n10 : int
        Discordant records at the start, each from 0 to 60.
    alpha : float
        Level at the start, one of `LEVELS`.
    """

    def __init__(self, n01: Any, n10: Any, alpha: float) -> None:
        for name, count in (("n01", n01), ("n10", n10)):
            if not isinstance(counts(count, name), float) or count > MOST:
                raise ValueError(f"{name} must be one count from 0 to {MOST}, the ends of its slider; got {count!r}")
        self._first = {"n01": int(n01), "n10": int(n10), "test": 0, "alpha": position_of(alpha), "alternative": 0}
        super().__init__("McNemar's tests with sliders")

    def _start(self) -> None:
        self._at = dict(self._first)

    def _take(self, moved: Mapping[str, int]) -> None:
        self._at |= moved
        self._at["alternative"] = min(self._at["alternative"], len(self._choice[2]) - 1)  # a squared statistic knows only one

    @property
    def _choice(self) -> tuple[str, Callable[..., HypothesisTest], tuple[Alternative, ...]]:
        return TESTS[self._at["test"]]

    @property
    def controls(self) -> Sequence[Control]:
        """The sliders as they stand."""
        at, (name, _, alternatives) = self._at, self._choice
        return [
            Control("n01", "Only B is right", 0, MOST, at["n01"], plain(at["n01"])),
            Control("n10", "Only A is right", 0, MOST, at["n10"], plain(at["n10"])),
            Control("test", "Test", 0, len(TESTS) - 1, at["test"], name),
            Control("alpha", "Level alpha", 0, len(LEVELS) - 1, at["alpha"], plain(LEVELS[at["alpha"]])),
            Control("alternative", "Alternative", 0, len(alternatives) - 1, at["alternative"], alternatives[at["alternative"]]),
        ]

    @property
    def test(self) -> HypothesisTest:
        """The test that is shown, computed afresh."""
        at, (_, test_class, alternatives) = self._at, self._choice
        return test_class(at["n01"], at["n10"], alpha=LEVELS[at["alpha"]], alternative=alternatives[at["alternative"]])


def discordant(n01: int, n10: int, *, alpha: float = 0.05) -> DiscordantExplorer:
    """McNemar's tests with sliders: move the two discordant counts, the test, the level, the alternative.

    Parameters
    ----------
    n01, n10 : int
        Records that only B and only A gets right, at the start; from 0 to 60.
    alpha : float
        Level at the start: 0.001, 0.005, 0.01, 0.02, 0.05, 0.1 or 0.2.
    """
    return DiscordantExplorer(n01, n10, alpha)
