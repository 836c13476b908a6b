"""Null distributions of rank sums, counted exactly: ties and zeros included, any number of repetitions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .null import Array, Value
from .number import spanned

CELLS = 2**18  # of a table that is worked on at once: 2 MB, whatever the number of repetitions
Units = NDArray[np.int64]


class ExactSum:
    """A random sum of ``weights`` (n,) or (n, R): whole or half numbers, 0 for what is left out; plus ``fixed``.

    Repetitions with the same ties share one distribution; their tables are made a few at a time.
    """

    weights: Array
    fixed: Any

    def _tails_of(self, rows: Units) -> Array:  # noqa: ARG002
        """P(sum <= 0), P(sum <= 1), ... in units, for each row of sorted weights."""
        raise TypeError(f"{type(self).__name__} must say how its sums are counted")

    def _cells(self, rows: Units) -> int:
        """Size of the work for one row."""
        return int(rows.sum(1).max()) + 1

    @property
    def _reflected(self) -> tuple[ExactSum, Any]:
        """A distribution X' and a constant c such that c - X' is distributed as this one: upper tails are its lower ones."""
        raise TypeError(f"{type(self).__name__} must say what its mirror image is")

    @cached_property
    def _unit(self) -> float:
        return 0.5 if (self.weights % 1).any() else 1.0

    @cached_property
    def _patterns(self) -> tuple[Units, Units]:
        """The different sorted weights, and which of them each repetition has."""
        units = np.sort(np.rint(self.weights / self._unit).astype(np.int64), axis=0)
        seen: dict[bytes, int] = {}
        columns = np.ascontiguousarray(units.reshape(len(units), -1).T)
        which = np.array([seen.setdefault(column.tobytes(), len(seen)) for column in columns])
        rows = np.frombuffer(b"".join(seen), np.int64).reshape(len(seen), -1)
        return rows, which

    def _tables(self) -> Iterator[tuple[int, Array]]:
        """The tails of a few patterns at a time, with the number of the first pattern."""
        rows, _ = self._patterns
        if len(rows) == 1:
            yield 0, self._only_table
            return
        few = max(1, CELLS // self._cells(rows))
        for first in range(0, len(rows), few):
            yield first, self._tails_of(rows[first : first + few])

    @cached_property
    def _only_table(self) -> Array:
        rows, _ = self._patterns
        if self._cells(rows) > CELLS:
            return self._tails_of(rows)
        return _remembered(type(self), rows.tobytes(), getattr(self, "m", 0))  # type: ignore[arg-type]

    def at_most(self, x: Any) -> Value:
        """P(X <= x)."""
        _, which = self._patterns
        shape = np.broadcast_shapes(np.shape(x), self.weights.shape[1:])
        place = np.floor(np.broadcast_to(np.subtract(x, self.fixed) / self._unit, shape)).ravel()
        which = np.broadcast_to(which.reshape(self.weights.shape[1:]), shape).ravel()
        result = np.empty(place.shape)
        for first, table in self._tables():
            mine = (which >= first) & (which < first + len(table))
            k = place[mine]
            inside = table[which[mine] - first, np.clip(k, 0, table.shape[1] - 1).astype(np.int64)]
            result[mine] = np.where(k < 0, 0.0, inside)
        return result.reshape(shape)[()]

    def at_least(self, x: Any) -> Value:
        """P(X >= x)."""
        reflected, c = self._reflected
        return reflected.at_most(c - x)

    def low(self, alpha: float) -> Value:
        """The largest value c with P(X <= c) <= alpha; -inf if there is none."""
        rows, which = self._patterns
        lowest = np.empty(len(rows))
        for first, table in self._tables():
            last = (table <= alpha).sum(1) - 1
            reached = table[np.arange(len(table)), np.maximum(last, 0), None]
            atom = (table < reached).sum(1)  # step down to where mass lies
            nothing = (last < 0) | (reached[:, 0] == 0)  # no mass below, so no value fits
            lowest[first : first + len(table)] = np.where(nothing, -np.inf, atom * self._unit)
        return (lowest[which].reshape(self.weights.shape[1:]) + self.fixed)[()]

    def high(self, alpha: float) -> Value:
        """The smallest value c with P(X >= c) <= alpha; +inf if there is none."""
        reflected, c = self._reflected
        return c - reflected.low(alpha)

    def atoms(self) -> tuple[Array, Array]:
        """Values and their probabilities (of a single test)."""
        chances = np.diff(self._only_table[0], prepend=0.0)
        (k,) = np.nonzero(chances)
        return self.fixed + k * self._unit, chances[k]


@lru_cache(64)
def _remembered(kind: type[ExactSum], row: bytes, m: int) -> Array:
    """The table of one pattern of weights: data without ties have the same one again and again (at most 2 MB each)."""
    units = np.frombuffer(row, np.int64)
    again: ExactSum = kind(units, m)  # type: ignore[call-arg]
    table = again._tails_of(units[None])
    table.setflags(write=False)
    return table


@dataclass(frozen=True)
class RandomSigns(ExactSum):
    """``fixed`` plus the weights whose fair coin shows heads: all ways to share ranks out, equally likely.

    The counts behind the probabilities are whole numbers below 2**53 up to n = 53; beyond, each probability is right to 14
    digits.
    """

    weights: Array
    fixed: Any = 0.0

    def _tails_of(self, rows: Units) -> Array:
        """One more fair coin at a time."""
        chances = np.zeros((len(rows), int(rows.sum(1).max()) + 1))
        chances[:, 0] = 1
        last = chances.shape[1] - 1
        reached = 0
        for coin in rows.T:
            before = chances[:, : reached + 1] / 2
            chances[:, : reached + 1] = before  # tails: the sum stays
            for weight, mine in _shared(coin):  # heads: it grows by the weight
                grown = min(reached + weight, last)
                chances[mine, weight : grown + 1] += before[mine, : grown + 1 - weight]
            reached = min(reached + int(coin.max()), last)
        return np.minimum(chances.cumsum(1), 1)

    @property
    def _reflected(self) -> tuple[ExactSum, Any]:
        return self, 2 * self.fixed + self.weights.sum(0)  # heads and tails are alike

    def __str__(self) -> str:
        n = spanned((self.weights > 0).sum(0))
        return f"all 2^{n} ways to give {n} ranks a sign"


@dataclass(frozen=True)
class DrawnRanks(ExactSum):
    """The sum of ``m`` of the weights, drawn without replacement, less m (m + 1) / 2: every draw is equally likely.

    The counts behind the probabilities are whole numbers below 2**53 up to 57 weights.
    """

    weights: Array
    m: int

    @property
    def fixed(self) -> float:
        """What makes the least possible sum without ties 0."""
        return -self.m * (self.m + 1) / 2

    def _cells(self, rows: Units) -> int:
        return (self.m + 1) * self._most(rows)

    def _most(self, rows: Units) -> int:
        """The largest possible sum, and one."""
        return int(rows[:, len(rows[0]) - self.m :].sum(1).max()) + 1

    def _tails_of(self, rows: Units) -> Array:
        """One more weight at a time, drawn or not; the first axis behind the rows counts those drawn."""
        draws = np.zeros((len(rows), self.m + 1, self._most(rows)))
        draws[:, 0, 0] = 1
        for number, weights in enumerate(rows.T):
            most = min(number + 1, self.m)
            before = draws[:, :most].copy() / 2
            draws[:, : most + 1] /= 2  # a common factor that the end takes out again: it keeps large numbers of draws finite
            for weight, mine in _shared(weights):
                draws[mine, 1 : most + 1, weight:] += before[mine, :, : draws.shape[2] - weight]
        tails = draws[:, self.m].cumsum(1)
        return tails / tails[:, -1:]

    @property
    def _reflected(self) -> tuple[ExactSum, Any]:
        total = len(self.weights)
        return DrawnRanks(total + 1 - self.weights, self.m), self.m * (total - self.m)

    def __str__(self) -> str:
        return f"all ways to draw {self.m} of {len(self.weights)} ranks"


def _shared(weights: Units) -> Iterator[tuple[int, Any]]:
    """The different weights, and the rows that have each."""
    different = np.unique(weights)
    for weight in different:
        yield int(weight), slice(None) if len(different) == 1 else weights == weight
