"""Runs drawn again within their tasks: what a statistic becomes, by its law where that is known, else by drawing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...core.classifier_pair import TwoClassifiers
from ...core.number_format import format_range
from ...core.numerics.floating_point_ties import DOUBLE_NOISE
from ...core.procedure import Procedure
from ...core.step import input_field
from ...core.validation import check
from ...core.validation.integer_precision import check_mean_precision
from ...core.value_types import Array, ScoresLike, Value, broadcast_column
from ..bayes.rope_comparison import draws, seed

TOLERANCE = 1e-9  # what rounding may add to a sum of chances
AT_ONCE = 2**17  # runs that are drawn at a time


def run_scores(value: Any, name: str) -> Array:
    """Scores of each task (the first axis) in each run (the second), at least two runs."""
    x = check.numbers(value, name)
    if x.ndim < 2 or x.shape[0] < 1 or x.shape[1] < 2:
        raise ValueError(
            f"{name} must have the shape (tasks, seeds), at least 1 task and 2 seeds of each; got {x.shape}: with one run of each task "
            "nothing tells the luck of a seed (signed ranks of the tasks ask for none)"
        )
    return check_mean_precision(x, name, (0, 1))


class LatticeDistribution:
    """The law of a share that takes the values 0, 1/most, ..., 1: a subclass knows `most` and the chances."""

    most: int

    def chances(self) -> Array:
        """Probability of each value, from 0 to 1."""
        raise TypeError(f"{type(self).__name__} must say how probable each value is")

    def at_most(self, x: Any) -> Value:
        """P(share <= x)."""
        chances = self.chances()
        reached = broadcast_column(np.arange(self.most + 1), chances) <= self.most * np.asarray(x) + TOLERANCE
        return np.asarray((chances * reached).sum(0))[()]

    def low(self, outside: float) -> Value:
        """The least share that so much of the resamples, or more, do not exceed."""
        return (self.chances().cumsum(0) < outside * (1 - TOLERANCE)).sum(0) / self.most

    def high(self, outside: float) -> Value:
        """The largest share that so much of the resamples, or more, reach."""
        return (self.most - (self.chances()[::-1].cumsum(0) < outside * (1 - TOLERANCE)).sum(0)) / self.most


def invert_fourier(transform: Any) -> Array:
    """The chances of whole numbers whose Fourier transform this is, along the first axis."""
    found: Array = np.fft.fft(transform, axis=0).real / len(transform)
    return np.where(found > DOUBLE_NOISE, found, 0.0)  # what is less is rounding


@dataclass(frozen=True)
class StratifiedShare(LatticeDistribution):
    """The share of hits among k draws with replacement from each task, whose share of hits is known (the first axis): every resample.

    A task's number of hits is binomial; that of all tasks has the product of their Fourier transforms.

    >>> StratifiedShare(2, np.array([0.5, 1.0])).chances().round(12).tolist()
    [0.0, 0.0, 0.25, 0.5, 0.25]
    """

    k: int
    shares: Any

    @property
    def most(self) -> int:  # type: ignore[override]
        """Number of draws from all tasks."""
        return self.k * len(self.shares)

    def chances(self) -> Array:
        """Probability of each number of hits."""
        turn = broadcast_column(np.exp(2j * np.pi * np.arange(self.most + 1) / (self.most + 1)), self.shares[:1])
        product = np.ones(turn.shape[:1] + self.shares.shape[1:], complex)
        for share in self.shares:
            product *= (1 - share + share * turn) ** self.k
        return invert_fourier(product)

    def __str__(self) -> str:
        return f"share of hits in {self.k} draws from each of {len(self.shares)} tasks, where {format_range(self.shares)} hit"


def resample_counts(tasks: int, seeds: int, count: int, random: np.random.Generator, room: int = 0) -> Iterator[Array]:
    """How often each run is drawn, (tasks, seeds, resamples), as many resamples at a time as fit; each task keeps its number of runs."""
    most = max(1, AT_ONCE // (tasks * max(seeds, room)))
    kind: Any = np.uint8 if seeds < 2**8 else np.uint32
    for done in range(0, count, most):
        here = min(most, count - done)
        drawn = random.integers(0, seeds, (tasks, seeds, here), dtype=kind)
        places = (drawn + seeds * np.arange(tasks)[:, None, None]) * here + np.arange(here)
        yield np.bincount(places.ravel(), minlength=places.size).reshape(places.shape).astype(float)


@dataclass(frozen=True, eq=False)
class ResampledValues:
    """The values of a statistic in many resamples: in order along the first axis, further ones are repetitions."""

    values: Array
    of: str

    @classmethod
    def each(cls, found: list[Array], shape: tuple[int, ...], of: str) -> ResampledValues:
        """From the values of each repetition, in any order."""
        values = np.sort(np.array(found), axis=1).T.reshape(-1, *shape)
        values.setflags(write=False)
        return cls(values, of)

    def at_most(self, x: Any) -> Value:
        """P(value <= x)."""
        return np.asarray((self.values <= np.asarray(x)).mean(0))[()]

    def low(self, outside: float) -> Value:
        """The least value that so much of the resamples, or more, do not exceed."""
        return self.values[self._place(outside)]

    def high(self, outside: float) -> Value:
        """The largest value that so much of the resamples, or more, reach."""
        return self.values[len(self.values) - 1 - self._place(outside)]

    def error(self, outside: float, count: int) -> Value:
        """Standard error of either end, the larger one: how far it strays by the chance of the draws.

        So many draws beyond an end are a binomial number; half of what lies between the ends of one standard deviation more and one
        less is the error.
        """
        away = np.sqrt(outside * (1 - outside) / count)
        near, far = self._place(max(outside - away, 0.0)), self._place(outside + away)
        low = self.values[far] - self.values[near]
        return np.maximum(low, self.values[count - 1 - near] - self.values[count - 1 - far]) / 2

    def _place(self, outside: float) -> int:
        count = len(self.values)
        return int(np.clip(np.ceil(outside * (1 - TOLERANCE) * count) - 1, 0, count - 1))

    def __str__(self) -> str:
        return f"{len(self.values)} {self.of}"


def bootstrap_values(x: Array, count: int, rng: int | list[int], statistic: Callable[[Array, Array], Array]) -> list[Array]:
    """A statistic of scores (tasks, seeds, ...) in many resamples, those of each repetition as they were drawn.

    The statistic takes the runs of one repetition and how often each counts.
    """
    tasks, seeds = x.shape[:2]
    flat = x.reshape(tasks * seeds, -1).T
    found: list[list[Array]] = [[] for _ in flat]
    for counts in resample_counts(tasks, seeds, count, np.random.default_rng(rng)):
        for row, one in zip(found, flat):
            row.append(statistic(one, counts.reshape(-1, counts.shape[-1])))
    return [np.concatenate(row) for row in found]


def bootstrap_distribution(of: str, x: Array, count: int, rng: int, statistic: Callable[[Array, Array], Array]) -> ResampledValues:
    """The same in order."""
    tasks, seeds = x.shape[:2]
    said = f"{of} of {seeds} runs of each of {tasks} tasks (seed {rng})"
    return ResampledValues.each(bootstrap_values(x, count, rng, statistic), x.shape[2:], said)


CI = r"[\min\{x : P($resampled \leq x) \geq $alpha / 2\},\ \max\{x : P($resampled \geq x) \geq $alpha / 2\}]"
ERROR = r"\max_\pm \frac{1}{2}\,|q_{p + h} - q_{p - h}|,\ q \text{ of } $resampled,\ p = $alpha / 2 \text{ or } 1 - $alpha / 2,\ "
ERROR += r"h = \sqrt{\frac{p (1 - p)}{$draws}}"


class BootstrapProcedure(Procedure):
    """What draws runs again at random: how often, and from which seed."""

    draws: int = input_field("m", "Random resamples.", check=draws, default=20_000, kw_only=True)
    rng: int = input_field(r"\text{seed}", "From which the random draws follow.", check=seed, default=0, kw_only=True)


class TwoMethodRuns(TwoClassifiers, BootstrapProcedure):
    """Two methods on the same tasks, each with runs of its own."""

    a: ScoresLike = input_field("a_{ij}", "Scores of A on each task in each of its runs.", over="ij", check=run_scores, unit="score")
    b: ScoresLike = input_field("b_{il}", "Scores of B on the same tasks, in runs of its own.", over="il", check=run_scores, unit="score")

    def __post_init__(self) -> None:
        super().__post_init__()
        a, b = (self.__dict__[name].shape if name in self.__dict__ else () for name in ("a", "b"))
        if a and b and (a[0] != b[0] or a[2:] != b[2:]):
            raise ValueError(
                f"a and b must hold the same tasks in the same order along the first axis, and the same repetitions behind the second; got "
                f"{a} and {b}"
            )
