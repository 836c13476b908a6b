"""How much one phone and one address may ask for: who asks faster waits, and the lecture goes on."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic


class RateLimit:
    """For each name a number of tokens, which come back as time passes; names that have all of theirs are forgotten."""

    def __init__(self, most: int, a_second: float, names: int = 4096, clock: Callable[[], float] = monotonic) -> None:
        self.most, self.a_second, self.names, self.clock = most, a_second, names, clock
        self._left: dict[str, tuple[float, float]] = {}

    def spend(self, name: str) -> bool:
        """Whether one more is allowed; if so, it is spent."""
        now = self.clock()
        if name not in self._left and len(self._left) >= self.names:
            self._left = {one: told for one, told in self._left.items() if self._tokens(told, now) < self.most}
            if len(self._left) >= self.names:
                return False
        tokens = self._tokens(self._left.get(name, (float(self.most), now)), now)
        self._left[name] = (tokens - 1 if tokens >= 1 else tokens, now)
        return tokens >= 1

    def _tokens(self, told: tuple[float, float], now: float) -> float:
        return min(float(self.most), told[0] + self.a_second * (now - told[1]))
