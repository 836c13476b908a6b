"""Bootstrap and permutation distributions of a metric difference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from scipy import special

from ...core.numerics.floating_point_ties import DOUBLE_NOISE
from ...core.value_types import Array, Interval, Value
from ..multiple.friedman_null_distribution import Tails, tail_probability

BINS = 60  # maximum number of bins in a histogram


@dataclass(frozen=True)
class Resamples:
    """Differences on resamples, in ascending order along the first axis."""

    differences: Array
    records: int
    redraw_count: int = 0

    def at_most(self, x: Any) -> Value:
        """Return the share of the resamples with a difference of at most x."""
        return np.asarray(np.mean(self.differences <= np.asarray(x), 0))[()]

    def mid_share(self, x: Value) -> Value:
        """Return the share of resamples below x plus half of the share equal to x, limited so that the result is never 0 or 1."""
        noise = DOUBLE_NOISE * np.maximum(np.abs(x), np.abs(self.differences).max(0))
        share = np.mean(self.differences < x - noise, 0) / 2 + np.mean(self.differences <= x + noise, 0) / 2
        return np.clip(share, 1 / (len(self) + 1), len(self) / (len(self) + 1))

    def __len__(self) -> int:
        return len(self.differences)

    def __str__(self) -> str:
        return f"{len(self):,} resamples of {self.records:,} records"


@dataclass(frozen=True)
class BootstrapNull:
    """Null distribution from bootstrap resamples: observed difference minus the difference on a random resample.

    A true difference is rejected if hardly any resample is below this difference, or hardly any resample is above it.  The data count as
    one more resample, so that no probability is below 1 / (draws + 1).  `bias` and `acceleration` correct the probabilities (BCa).

    >>> null = BootstrapNull(Resamples(np.arange(-1.0, 98.0), 10), 40.0)
    >>> print(null.at_least(40.0), null.at_most(40.0), null.interval(0.04, 0.04))
    0.03 0.99 Interval(low=np.float64(2.0), high=np.float64(94.0))
    """

    p_name: ClassVar[str] = "bootstrap p"  # name of a p-value from this distribution
    resamples: Resamples
    observed: Any
    bias: Any = 0.0
    acceleration: Any = 0.0

    def _corrections(self, direction: int) -> tuple[Array, Array]:
        """Return bias and acceleration for shares of resamples up to a point (direction 1) or from a point upwards (direction -1)."""
        return direction * np.asarray(self.bias), direction * np.asarray(self.acceleration)

    def _corrected(self, share: Any, direction: int) -> Any:
        """Correct the share of resamples up to a point (direction 1) or from a point upwards (direction -1) for bias and acceleration."""
        bias, acceleration = self._corrections(direction)
        if not (bias.any() or acceleration.any()):
            return share
        z = special.ndtri(share) - bias
        with np.errstate(invalid="ignore", divide="ignore"):
            w = np.where((1 + acceleration * z > 0) & np.isfinite(z), z / (1 + acceleration * z), np.sign(z) * np.inf) - bias
        return np.maximum(special.ndtr(w), 1 / (len(self.resamples) + 1))

    def _share(self, x: Any, direction: int) -> Any:
        """Return the share of resamples up to x (direction 1) or from x upwards (direction -1); the data count as one more resample."""
        reached = direction * self.resamples.differences <= direction * np.asarray(x)
        return (reached.sum(0) + 1) / (len(self.resamples) + 1)

    def _tail_probability(self, x: Any, direction: int) -> Any:
        return self._corrected(self._share(x, direction), direction)[()]

    def draws_error(self, x: Any, direction: int) -> Any:
        """Return the standard error of P(X >= x) (direction 1) or P(X <= x) (direction -1) due to the number of draws.

        The same draws determine the share of resamples beyond a point and the bias, so both errors are joined (delta method).
        """
        bias, acceleration = self._corrections(direction)
        share, below = self._share(np.subtract(self.observed, x), direction), special.ndtr(bias)
        with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
            z = special.ndtri(share)
            slope = 1 / (1 + acceleration * (z - bias))
            corrected = (z - bias) * slope - bias
            of_share, of_bias = (slope**2 * np.exp((z**2 - corrected**2) / 2), (slope**2 + 1) * np.exp((bias**2 - corrected**2) / 2))
            joined = np.minimum(share, below) - share * below
            variance = of_share**2 * share * (1 - share) + of_bias**2 * below * (1 - below) - 2 * of_share * of_bias * joined
        return np.sqrt(np.maximum(np.where(slope > 0, np.nan_to_num(variance, posinf=0.0), 0.0), 0.0) / len(self.resamples))[()]

    def at_least(self, x: Any) -> Value:
        """Return P(X >= x)."""
        return np.asarray(self._tail_probability(np.subtract(self.observed, x), 1))[()]

    def at_most(self, x: Any) -> Value:
        """Return P(X <= x)."""
        return np.asarray(self._tail_probability(np.subtract(self.observed, x), -1))[()]

    def _end(self, alpha: float, direction: int) -> Value:
        """Return the first difference, from below (1) or from above (-1), with a tail probability above alpha; infinite if all have one."""
        d = np.asarray(self.resamples.differences)
        shares = (np.arange(len(d) + 1) + 1.0).reshape(-1, *(1,) * (d.ndim - 1)) / (len(d) + 1)
        rejected = (np.broadcast_to(self._corrected(shares, direction), (len(d) + 1, *d.shape[1:])) <= alpha).sum(0)
        place = np.maximum(rejected - 1, 0) if direction > 0 else np.minimum(len(d) - rejected, len(d) - 1)
        return np.where(rejected == 0, -direction * np.inf, np.take_along_axis(d, place[None], 0)[0])[()]

    def interval(self, below: float, above: float) -> Interval:
        """Return the interval of true differences that are not rejected at the given levels on either side; a level of 0 rejects none."""
        return Interval(self._end(below, 1), self._end(above, -1))

    # the ends of the interval are not rejected, so a critical value is the next floating-point number beyond an end
    def high(self, alpha: float) -> Value:
        """Return the smallest value c with P(X >= c) <= alpha; inf if there is none."""
        end = self._end(alpha, 1)
        return self.observed - end + np.spacing(2 * (np.abs(self.observed) + np.where(np.isinf(end), 0, np.abs(end))))

    def low(self, alpha: float) -> Value:
        """Return the largest value c with P(X <= c) <= alpha; -inf if there is none."""
        end = self._end(alpha, -1)
        return self.observed - end - np.spacing(2 * (np.abs(self.observed) + np.where(np.isinf(end), 0, np.abs(end))))

    def atoms(self) -> tuple[Array, Array]:
        """Return the distinct differences of the resamples and the share of resamples with each difference (for a single test)."""
        values, counts = np.unique(self.observed - self.resamples.differences, return_counts=True)
        return group_into_bins(values, counts / len(self.resamples), float(self.observed))

    def __str__(self) -> str:
        corrected = ", corrected for bias and acceleration" if np.any(self.bias) or np.any(self.acceleration) else ""
        return f"observed difference minus that of {self.resamples}{corrected}"


def _noise(values: Array, x: float) -> float:
    """Return the largest rounding error of a difference."""
    return 2 * DOUBLE_NOISE * float(np.abs(values).max() + abs(x))


@dataclass(frozen=True)
class PermutationNull:
    """Null distribution from random exchanges of the outcomes of each record: values with both tails, for each repetition."""

    tables: tuple[Tails, ...]
    shape: tuple[int, ...]
    draws: tuple[int, ...]  # number of random draws for each repetition; 0 if all permutations were evaluated

    @property
    def p_name(self) -> str:
        """Name of a p-value from this distribution."""
        return "permutation p" if any(self.draws) else "exact permutation p"

    def at_most(self, x: Any) -> Value:
        """Return P(X <= x)."""
        return tail_probability(self.tables, self.shape, x, _noise, upper=False)

    def at_least(self, x: Any) -> Value:
        """Return P(X >= x)."""
        return tail_probability(self.tables, self.shape, x, _noise, upper=True)

    def low(self, alpha: float) -> Value:
        """Return the largest value c with P(X <= c) <= alpha, minus a rounding margin; -inf if there is none."""
        # symmetric distribution: exchanging A and B on every record is also a permutation, and changes only the sign of the difference
        return -self.high(alpha)

    def high(self, alpha: float) -> Value:
        """Return the smallest value c with P(X >= c) <= alpha, minus a rounding margin; inf if there is none."""
        ends = [values[above <= alpha][0] if (above <= alpha).any() else np.inf for values, _, above in self.tables]
        return (np.array(ends) * (1 - DOUBLE_NOISE)).reshape(self.shape)[()]

    def atoms(self) -> tuple[Array, Array]:
        """Return the values and their probabilities (for a single test)."""
        values, _, above = self.tables[0]
        return group_into_bins(values, above - np.r_[above[1:], 0.0], 0.0)

    def __str__(self) -> str:
        ways = f"{max(self.draws):,} random ways" if all(self.draws) else "some or all ways" if any(self.draws) else "all ways"
        return f"difference after {ways} to exchange the outcomes"


def group_into_bins(values: Array, probabilities: Array, edge: float) -> tuple[Array, Array]:
    """Group many distinct values into bins for a picture; one bin begins at the edge; return middles and probabilities of bins."""
    if len(values) <= 2 * BINS:
        return values, probabilities
    width = (values[-1] - values[0]) / BINS
    steps, which = np.unique(np.floor((values - edge) / width), return_inverse=True)
    return edge + (steps + 0.5) * width, np.bincount(which, probabilities).astype(float)
