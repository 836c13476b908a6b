"""Rate limits for requests to a server."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic


class RateLimit:
    """Token bucket for each name: spent tokens return as time passes; a name with all its tokens is forgotten."""

    def __init__(self, most: int, per_second: float, names: int = 4096, clock: Callable[[], float] = monotonic) -> None:
        self.most, self.per_second, self.names, self.clock = most, per_second, names, clock
        self._buckets: dict[str, tuple[float, float]] = {}

    def spend(self, name: str) -> bool:
        """Spend a token of a name; return False if the name has no token."""
        now = self.clock()
        if name not in self._buckets and len(self._buckets) >= self.names:
            self._buckets = {key: entry for key, entry in self._buckets.items() if self._current_tokens(entry, now) < self.most}
            if len(self._buckets) >= self.names:
                return False
        tokens = self._current_tokens(self._buckets.get(name, (float(self.most), now)), now)
        self._buckets[name] = (tokens - 1 if tokens >= 1 else tokens, now)
        return tokens >= 1

    def _current_tokens(self, entry: tuple[float, float], now: float) -> float:
        return min(float(self.most), entry[0] + self.per_second * (now - entry[1]))
