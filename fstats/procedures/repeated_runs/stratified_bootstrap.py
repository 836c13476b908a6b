"""Stratified bootstrap of runs by task.

The runs of each task are resampled at random, or exactly where the bootstrap distribution is known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...core.classifier_pair import TwoClassifiers
from ...core.number_format import format_range
from ...core.numerics.floating_point_ties import DOUBLE_NOISE
from ...core.procedure import Procedure
from ...core.step import input_field, make_read_only
from ...core.validation import check
from ...core.validation.integer_precision import check_mean_precision
from ...core.value_types import Array, ScoresLike, Value, broadcast_column
from ..bayes.rope_comparison import draws, seed

OUTSIDE = "Probability outside the interval, half of it on either side."
TOLERANCE = 1e-9  # maximum rounding error of a sum of probabilities
MAX_BLOCK_SIZE = 2**17  # maximum number of runs drawn together


def run_scores(value: Any, name: str) -> Array:
    """Check scores of each task (first axis) in each run (second axis), at least two runs."""
    x = check.numbers(value, name)
    if x.ndim < 2 or x.shape[0] < 1 or x.shape[1] < 2:
        remedy = "With one score for each task, use SignedRank."
        raise ValueError(f"`{name}` must have the shape (tasks, seeds), with at least 2 seeds for each task; got shape {x.shape}. {remedy}")
    return check_mean_precision(x, name, (0, 1))


class LatticeDistribution:
    """Distribution of a share with the values 0, 1/max_count, ..., 1: a subclass defines `max_count` and the probabilities."""

    max_count: int

    def probabilities(self) -> Array:
        """Return the probability of each value, from 0 to 1."""
        raise TypeError(f"the class {type(self).__name__} must define the method probabilities")

    def at_most(self, x: Any) -> Value:
        """Return P(share <= x)."""
        probabilities = self.probabilities()
        reached = broadcast_column(np.arange(self.max_count + 1), probabilities) <= self.max_count * np.asarray(x) + TOLERANCE
        return np.asarray((probabilities * reached).sum(0))[()]

    def low(self, outside: float) -> Value:
        """Return the smallest share x with P(share <= x) >= outside."""
        return (self.probabilities().cumsum(0) < outside * (1 - TOLERANCE)).sum(0) / self.max_count

    def high(self, outside: float) -> Value:
        """Return the largest share x with P(share >= x) >= outside."""
        upper_tail = self.probabilities()[::-1].cumsum(0)
        return (self.max_count - (upper_tail < outside * (1 - TOLERANCE)).sum(0)) / self.max_count


def invert_fourier(transform: Any) -> Array:
    """Return the probabilities of whole numbers, along the first axis, from their Fourier transform."""
    probabilities: Array = np.fft.fft(transform, axis=0).real / len(transform)
    return np.where(probabilities > DOUBLE_NOISE, probabilities, 0.0)  # replace mere rounding error by 0


@dataclass(frozen=True)
class StratifiedShare(LatticeDistribution):
    """Exact bootstrap distribution of a share of hits: k draws with replacement from each task, with known shares (first axis).

    The number of hits of a task is binomial.  The Fourier transform of the sum over tasks is the product of the transforms of the tasks.

    >>> StratifiedShare(2, np.array([0.5, 1.0])).probabilities().round(12).tolist()
    [0.0, 0.0, 0.25, 0.5, 0.25]
    """

    k: int
    shares: Any

    @property
    def max_count(self) -> int:  # type: ignore[override]
        """Number of draws from all tasks."""
        return self.k * len(self.shares)

    def probabilities(self) -> Array:
        """Return the probability of each number of hits."""
        root = broadcast_column(np.exp(2j * np.pi * np.arange(self.max_count + 1) / (self.max_count + 1)), self.shares[:1])
        product = np.ones(root.shape[:1] + self.shares.shape[1:], complex)
        for share in self.shares:
            product *= (1 - share + share * root) ** self.k
        return invert_fourier(product)

    def __str__(self) -> str:
        return f"share of hits in {self.k} draws from each of {len(self.shares)} tasks, with shares {format_range(self.shares)}"


def resample_counts(tasks: int, seeds: int, count: int, random: np.random.Generator, min_seeds: int = 0) -> Iterator[Array]:
    """Yield blocks with the number of times that each run is drawn, (tasks, seeds, resamples); each task keeps its number of runs.

    The block size is computed for at least ``min_seeds`` runs, so that two methods can have blocks of the same size.
    """
    block_size = max(1, MAX_BLOCK_SIZE // (tasks * max(seeds, min_seeds)))
    kind: Any = np.uint8 if seeds < 2**8 else np.uint32
    for done in range(0, count, block_size):
        size = min(block_size, count - done)
        drawn = random.integers(0, seeds, (tasks, seeds, size), dtype=kind)
        places = (drawn + seeds * np.arange(tasks)[:, None, None]) * size + np.arange(size)
        yield np.bincount(places.ravel(), minlength=places.size).reshape(places.shape).astype(float)


@dataclass(frozen=True, eq=False)
class ResampledValues:
    """Values of a statistic in many resamples, in ascending order along the first axis; further axes are repetitions."""

    values: Array
    of: str

    @classmethod
    def from_repetitions(cls, found: list[Array], shape: tuple[int, ...], of: str) -> ResampledValues:
        """Create the object from the values of each repetition, in any order."""
        return cls(make_read_only(np.sort(np.array(found), axis=1).T.reshape(-1, *shape)), of)

    def at_most(self, x: Any) -> Value:
        """Return P(value <= x)."""
        return np.asarray((self.values <= np.asarray(x)).mean(0))[()]

    def low(self, outside: float) -> Value:
        """Return the smallest value x with P(value <= x) >= outside."""
        return self.values[self._quantile_position(outside)]

    def high(self, outside: float) -> Value:
        """Return the largest value x with P(value >= x) >= outside."""
        return self.values[len(self.values) - 1 - self._quantile_position(outside)]

    def error(self, outside: float, count: int) -> Value:
        """Return the standard error of the ends of the interval (the larger of the two), due to the random draws.

        The number of draws beyond an end is binomial.  The error is half the distance between the values with one standard deviation more
        and one standard deviation fewer draws beyond the end.
        """
        sd = np.sqrt(outside * (1 - outside) / count)
        first, last = self._quantile_position(max(outside - sd, 0.0)), self._quantile_position(outside + sd)
        low = self.values[last] - self.values[first]
        return np.maximum(low, self.values[count - 1 - first] - self.values[count - 1 - last]) / 2

    def _quantile_position(self, outside: float) -> int:
        count = len(self.values)
        return int(np.clip(np.ceil(outside * (1 - TOLERANCE) * count) - 1, 0, count - 1))

    def __str__(self) -> str:
        return f"{len(self.values)} {self.of}"


def bootstrap_values(x: Array, count: int, rng: int | list[int], statistic: Callable[[Array, Array], Array]) -> list[Array]:
    """Return a statistic of scores (tasks, seeds, ...) in many resamples, for each repetition, in the order of the draws.

    The statistic is a function of the runs of one repetition and of the number of times that each run counts.
    """
    tasks, seeds = x.shape[:2]
    flat = x.reshape(tasks * seeds, -1).T
    values: list[list[Array]] = [[] for _ in flat]
    for counts in resample_counts(tasks, seeds, count, np.random.default_rng(rng)):
        for row, runs in zip(values, flat):
            row.append(statistic(runs, counts.reshape(-1, counts.shape[-1])))
    return [np.concatenate(row) for row in values]


def bootstrap_distribution(of: str, x: Array, count: int, rng: int, statistic: Callable[[Array, Array], Array]) -> ResampledValues:
    """Return the sorted values of a statistic in many resamples."""
    tasks, seeds = x.shape[:2]
    description = f"{of} of {seeds} runs of each of {tasks} tasks (seed {rng})"
    return ResampledValues.from_repetitions(bootstrap_values(x, count, rng, statistic), x.shape[2:], description)


CI = r"[\min\{x : P($resampled \leq x) \geq $alpha / 2\},\ \max\{x : P($resampled \geq x) \geq $alpha / 2\}]"
ERROR = r"\max_\pm \frac{1}{2}\,|q_{p + h} - q_{p - h}|,\ q \text{ of } $resampled,\ p = $alpha / 2 \text{ or } 1 - $alpha / 2,\ "
ERROR += r"h = \sqrt{\frac{p (1 - p)}{$draws}}"


class BootstrapProcedure(Procedure):
    """Base class of procedures that resample runs at random, with a number of draws and a seed."""

    draws: int = input_field("m", "Number of random resamples.", check=draws, default=20_000, kw_only=True)
    rng: int = input_field(r"\text{seed}", "Seed of the random draws.", check=seed, default=0, kw_only=True)


class TwoMethodRuns(TwoClassifiers, BootstrapProcedure):
    """Scores of two methods on the same tasks, each with its own runs."""

    a: ScoresLike = input_field("a_{ij}", "Score of A on each task in each of its runs.", over="ij", check=run_scores, unit="score")
    b: ScoresLike = input_field("b_{il}", "Score of B on the same tasks, in its own runs.", over="il", check=run_scores, unit="score")

    def __post_init__(self) -> None:
        super().__post_init__()
        a, b = (self.__dict__[name].shape if name in self.__dict__ else () for name in ("a", "b"))
        if a and b and (a[0] != b[0] or a[2:] != b[2:]):
            got = f"the shapes {a} and {b}"
            raise ValueError(f"`a` and `b` must have equally many tasks (first axis) and repetitions (axes after the second); got {got}")
