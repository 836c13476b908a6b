"""Differences of a metric by their draws: the law of resamples, and the null distributions that follow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import special

from ...core.numerics.floating_point_ties import DOUBLE_NOISE
from ...core.value_types import Array, Interval, Value
from ..multiple.friedman_null_distribution import Tails, tail_probability

BINS = 60  # of a picture, where more values are different


@dataclass(frozen=True)
class Resamples:
    """Differences on resamples, in order along the first axis."""

    differences: Array
    records: int
    again: int = 0

    def at_most(self, x: Any) -> Value:
        """Share of the resamples with a difference of at most x."""
        return np.asarray(np.mean(self.differences <= np.asarray(x), 0))[()]

    def around(self, x: Value) -> Value:
        """Share of them below x, and half of those that tie with it, but never none or all."""
        noise = DOUBLE_NOISE * np.maximum(np.abs(x), np.abs(self.differences).max(0))
        share = np.mean(self.differences < x - noise, 0) / 2 + np.mean(self.differences <= x + noise, 0) / 2
        return np.clip(share, 1 / (len(self) + 1), len(self) / (len(self) + 1))

    def __len__(self) -> int:
        return len(self.differences)

    def __str__(self) -> str:
        return f"{len(self):,} resamples of {self.records:,} records"


@dataclass(frozen=True)
class FallenShort:
    """The null distribution that resamples give: by how much one of them, drawn at random, falls short of the difference found.

    So a value of the true difference is rejected where the resamples hardly reach below it, or above it; they are counted with one more,
    the records as they are, so that no probability is below 1 / (draws + 1).  `bias` and `acceleration` correct the probabilities (BCa).

    >>> null = FallenShort(Resamples(np.arange(-1.0, 98.0), 10), 40.0)
    >>> print(null.at_least(40.0), null.at_most(40.0), null.kept(0.04, 0.04))
    0.03 0.99 Interval(low=np.float64(2.0), high=np.float64(94.0))
    """

    resamples: Resamples
    found: Any
    bias: Any = 0.0
    acceleration: Any = 0.0

    def _corrected(self, share: Any, turned: int) -> Any:
        """What the share of resamples up to a point (turned: from it on) says of the true difference."""
        bias, acceleration = turned * np.asarray(self.bias), turned * np.asarray(self.acceleration)
        if not (bias.any() or acceleration.any()):
            return share
        z = special.ndtri(share) - bias
        with np.errstate(invalid="ignore", divide="ignore"):
            w = np.where((1 + acceleration * z > 0) & np.isfinite(z), z / (1 + acceleration * z), np.sign(z) * np.inf) - bias
        return np.maximum(special.ndtr(w), 1 / (len(self.resamples) + 1))

    def _counted(self, x: Any, turned: int) -> Any:
        reached = turned * self.resamples.differences <= turned * np.asarray(x)
        return self._corrected((reached.sum(0) + 1) / (len(self.resamples) + 1), turned)[()]

    def at_least(self, x: Any) -> Value:
        """P(X >= x)."""
        return np.asarray(self._counted(np.subtract(self.found, x), 1))[()]

    def at_most(self, x: Any) -> Value:
        """P(X <= x)."""
        return np.asarray(self._counted(np.subtract(self.found, x), -1))[()]

    def _end(self, alpha: float, turned: int) -> Value:
        """The first difference from below (turned: from above) that leaves more than alpha up to it; infinite where already less does."""
        d = np.asarray(self.resamples.differences)
        shares = (np.arange(len(d) + 1) + 1.0).reshape(-1, *(1,) * (d.ndim - 1)) / (len(d) + 1)
        passed = (np.broadcast_to(self._corrected(shares, turned), (len(d) + 1, *d.shape[1:])) <= alpha).sum(0)
        place = np.maximum(passed - 1, 0) if turned > 0 else np.minimum(len(d) - passed, len(d) - 1)
        return np.where(passed == 0, -turned * np.inf, np.take_along_axis(d, place[None], 0)[0])[()]

    def kept(self, below: float, above: float) -> Interval:
        """The true differences that are not rejected with these levels on either side; a level of 0 rejects none."""
        return Interval(self._end(below, 1), self._end(above, -1))

    # A hair on the other side of the end, which itself is kept.
    def high(self, alpha: float) -> Value:
        """The smallest value c with P(X >= c) <= alpha; inf if there is none."""
        end = self._end(alpha, 1)
        return self.found - end + np.spacing(2 * (np.abs(self.found) + np.where(np.isinf(end), 0, np.abs(end))))

    def low(self, alpha: float) -> Value:
        """The largest value c with P(X <= c) <= alpha; -inf if there is none."""
        end = self._end(alpha, -1)
        return self.found - end - np.spacing(2 * (np.abs(self.found) + np.where(np.isinf(end), 0, np.abs(end))))

    def atoms(self) -> tuple[Array, Array]:
        """Values and the shares of the resamples that have them (of a single test)."""
        values, counts = np.unique(self.found - self.resamples.differences, return_counts=True)
        return in_bins(values, counts / len(self.resamples), float(self.found))

    def __str__(self) -> str:
        corrected = ", corrected for bias and acceleration" if np.any(self.bias) or np.any(self.acceleration) else ""
        return f"difference found less that of {self.resamples}{corrected}"


def _noise(values: Array, one: float) -> float:
    """What rounding may add to a difference."""
    return 2 * DOUBLE_NOISE * float(np.abs(values).max() + abs(one))


@dataclass(frozen=True)
class Exchanged:
    """The null distribution when the outcomes of each record are exchanged at random: its values with both tails, for each repetition."""

    tables: tuple[Tails, ...]
    shape: tuple[int, ...]
    draws: tuple[int, ...]  # 0 where all ways were gone through

    def at_most(self, x: Any) -> Value:
        """P(X <= x)."""
        return tail_probability(self.tables, self.shape, x, _noise, upper=False)

    def at_least(self, x: Any) -> Value:
        """P(X >= x)."""
        return tail_probability(self.tables, self.shape, x, _noise, upper=True)

    def low(self, alpha: float) -> Value:
        """The largest value c with P(X <= c) <= alpha, a hair on the safe side; -inf if there is none."""
        return -self.high(alpha)  # A and B exchanged on every record is one of the ways, too

    def high(self, alpha: float) -> Value:
        """The smallest value c with P(X >= c) <= alpha, a hair on the safe side; inf if there is none."""
        ends = [values[above <= alpha][0] if (above <= alpha).any() else np.inf for values, _, above in self.tables]
        return (np.array(ends) * (1 - DOUBLE_NOISE)).reshape(self.shape)[()]

    def atoms(self) -> tuple[Array, Array]:
        """Values and their probabilities (of a single test)."""
        values, _, above = self.tables[0]
        return in_bins(values, above - np.r_[above[1:], 0.0], 0.0)

    def __str__(self) -> str:
        ways = f"{max(self.draws):,} random ways" if all(self.draws) else "some or all ways" if any(self.draws) else "all ways"
        return f"difference after {ways} to exchange the outcomes"


def in_bins(values: Array, chances: Array, edge: float) -> tuple[Array, Array]:
    """The same for a picture: of many different values the middles of steps, one of which begins at the edge."""
    if len(values) <= 2 * BINS:
        return values, chances
    width = (values[-1] - values[0]) / BINS
    steps, which = np.unique(np.floor((values - edge) / width), return_inverse=True)
    return edge + (steps + 0.5) * width, np.bincount(which, chances).astype(float)
