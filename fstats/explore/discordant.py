"""The explorer of McNemar's tests: move the two discordant counts, the test, the level, the alternative."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from ..check import counts
from ..contingency.mcnemar import McNemar
from ..contingency.mcnemar_exact import McNemarExact, McNemarMidP
from ..hypothesis import HypothesisTest
from ..picture import Picture
from .explorer import Explorer
from .pairs import ALTERNATIVE
from .slider import LEVEL, Slider, counting

MOST = 60  # discordant records on either side
TWO_SIDED = Slider(ALTERNATIVE.name, ALTERNATIVE.label, ALTERNATIVE.values[:1])  # a squared statistic knows only one alternative
TESTS: dict[str, tuple[Callable[..., HypothesisTest], Slider[Any]]] = {
    "exact": (McNemarExact, ALTERNATIVE),
    "mid-p": (McNemarMidP, ALTERNATIVE),
    "χ², corrected": (partial(McNemar, correction=True), TWO_SIDED),
    "χ², plain": (partial(McNemar, correction=False), TWO_SIDED),
}
N01 = counting("n01", "Only B is right", 0, MOST)
N10 = counting("n10", "Only A is right", 0, MOST)
TEST = Slider("test", "Test", tuple(TESTS))


class DiscordantExplorer(Explorer[HypothesisTest]):
    """One of McNemar's tests on two counts.

    Parameters
    ----------
    n01, n10 : int
        Discordant records at the start, each from 0 to 60.
    alpha : float
        Level at the start, one of those of `LEVEL`.
    """

    def __init__(self, n01: Any, n10: Any, alpha: float) -> None:
        for name, count in (("n01", n01), ("n10", n10)):
            if not isinstance(counts(count, name), float) or count > MOST:
                raise ValueError(f"{name} must be one count from 0 to {MOST}, the ends of its slider; got {count!r}")
        super().__init__("McNemar's tests with sliders", n01=int(n01), n10=int(n10), test=0, alpha=LEVEL.position(alpha), alternative=0)

    @property
    def _chosen(self) -> tuple[Callable[..., HypothesisTest], Slider[Any]]:
        return TESTS[TEST.value(self._at["test"])]

    @property
    def sliders(self) -> Sequence[Slider[Any]]:
        """Both counts, the test, and what it can be asked."""
        return [N01, N10, TEST, LEVEL, self._chosen[1]]

    @property
    def test(self) -> HypothesisTest:
        """The test that is shown, computed afresh."""
        at = self.values
        return self._chosen[0](at["n01"], at["n10"], alpha=at["alpha"], alternative=at["alternative"])

    def pictures(self, test: HypothesisTest) -> Sequence[Picture]:
        """The null distribution."""
        return [test.plot()]


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
