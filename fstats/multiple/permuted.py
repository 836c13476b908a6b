"""Friedman's null distribution, counted exactly: every order of the ranks in each row is equally likely."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..null import Array, Value

Whole = NDArray[np.int64]
HAIR = 1e-12
MOST = 40_000_000  # rows of rank sums that are made in one step


@dataclass(frozen=True)
class PermutedRows:
    """Friedman's statistic of ``ranks`` (N, k) or (N, k, R) when each row is permuted at random.

    A permutation of the columns does not change the statistic, so only the sorted rank sums are counted: a table of rank sums
    and their probabilities grows by one row of ranks at a time.
    """

    ranks: Array
    correction: Any = 1.0

    @cached_property
    def _tables(self) -> list[tuple[Array, Array]]:
        """For each repetition the values of the statistic, ascending, and the chance of each or a larger one."""
        n, k = self.ranks.shape[:2]
        rows = np.sort(np.rint(2 * self.ranks).astype(np.int64), axis=1).reshape(n, k, -1)
        share = np.broadcast_to(np.asarray(self.correction, float), self.ranks.shape[2:]).ravel()
        known: dict[bytes, tuple[Whole, Array]] = {}
        tables = []
        for r in range(rows.shape[2]):
            mine = rows[np.lexsort(rows[:, :, r].T), :, r]  # the order of the rows does not matter
            if (key := mine.tobytes()) not in known:
                known[key] = _spreads(mine)
            spread, chance = known[key]
            scale = 3 / (n * k * (k + 1)) / (share[r] or 1.0)
            tables.append((spread * scale, chance))
        return tables

    def _looked_up(self, x: Any, upper: bool) -> Value:
        shape = np.broadcast_shapes(np.shape(x), self.ranks.shape[2:])
        result = np.empty(shape)
        for place, (one, r) in zip(np.ndindex(shape), self._each(x, shape)):
            values, chance = self._tables[r]
            inside = np.r_[chance, 0.0]
            tolerance = 1e-9 * (1 + abs(one))  # a value of the statistic may differ in its last digits
            if upper:
                result[place] = inside[np.searchsorted(values, one - tolerance, side="left")]
            else:
                result[place] = 1 - inside[np.searchsorted(values, one + tolerance, side="right")]
        return result[()]

    def _each(self, x: Any, shape: tuple[int, ...]) -> Any:
        """Each asked value with the number of its repetition."""
        repetitions = np.broadcast_to(np.arange(len(self._tables)).reshape(self.ranks.shape[2:]), shape)
        return zip(np.broadcast_to(np.asarray(x, float), shape).ravel().tolist(), repetitions.ravel().tolist())

    def at_most(self, x: Any) -> Value:
        """P(X <= x)."""
        return self._looked_up(x, upper=False)

    def at_least(self, x: Any) -> Value:
        """P(X >= x)."""
        return self._looked_up(x, upper=True)

    # Critical values lie a hair on the safe side: a statistic may differ from them in its last binary digits.

    def low(self, alpha: float) -> Value:
        """The largest value c with P(X <= c) <= alpha; -inf if there is none."""
        lowest = []
        for values, chance in self._tables:
            fits = 1 - np.r_[chance[1:], 0.0] <= alpha
            lowest.append(values[fits][-1] * (1 + HAIR) if fits.any() else -np.inf)
        return np.array(lowest).reshape(self.ranks.shape[2:])[()]

    def high(self, alpha: float) -> Value:
        """The smallest value c with P(X >= c) <= alpha; inf if there is none."""
        highest = [values[chance <= alpha][0] * (1 - HAIR) if (chance <= alpha).any() else np.inf for values, chance in self._tables]
        return np.array(highest).reshape(self.ranks.shape[2:])[()]

    def atoms(self) -> tuple[Array, Array]:
        """Values and their probabilities (of a single test)."""
        values, chance = self._tables[0]
        return values, chance - np.r_[chance[1:], 0.0]

    def __str__(self) -> str:
        n, k = self.ranks.shape[:2]
        return f"all {k}!^{n} ways to order {k} ranks on each of {n} data sets"


def _spreads(rows: Whole) -> tuple[Whole, Array]:
    """For rows of doubled ranks: the sums of squared deviations of the doubled rank sums, and P(that or more)."""
    n, k = rows.shape
    sums: Whole = rows[:1]
    chances: Array = np.ones(1)  # the first row may stay as it is
    for done, row in enumerate(rows[1:], 2):
        orders = np.array(sorted(set(permutations(row.tolist()))), np.int64)  # with ties some orders are the same, equally often
        if len(sums) * len(orders) > MOST:
            raise ValueError(
                f"the exact distribution of {n} x {k} ranks needs more than {MOST:,} rank sums after {done} rows: use method='chi-squared' "
                "(or fewer data sets or classifiers)"
            )
        grown = np.sort((sums[:, None] + orders).reshape(-1, k), axis=1)
        base = np.int64(2 * n * k + 1)
        code = grown[:, : k - 1] @ base ** np.arange(k - 1, dtype=np.int64) if (k - 1) * np.log2(float(base)) < 62 else None
        weights = np.repeat(chances / len(orders), len(orders))
        if code is None:
            sums, place = np.unique(grown, axis=0, return_inverse=True)
        else:
            _, first, place = np.unique(code, return_index=True, return_inverse=True)
            sums = grown[first]
        chances = np.asarray(np.bincount(place.ravel(), weights), float)
    spread, place = np.unique(((sums - n * (k + 1)) ** 2).sum(1), return_inverse=True)
    chance = np.bincount(place.ravel(), chances)
    return spread, np.minimum(chance[::-1].cumsum()[::-1], 1.0)
