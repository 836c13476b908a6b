"""Null distributions of rank sums, counted exactly: ties and zeros included, any number of repetitions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import comb
from typing import Any

import numpy as np

from ..core.number_format import format_range
from ..core.value_types import Array, Value
from . import mann_whitney_u
from .hypergeometric_rank_sum import grouped_sum_cdf, operation_count, tie_groups, two_group_cdf
from .rank_sum_counting import (
    EXACT,
    IntegerWeights,
    count_draws_row,
    count_draws_rows,
    count_signs,
    probabilities,
    sign_cdf_row,
    sign_cdf_rows,
    untied_unit,
)

CELLS = 2**18  # of a table that is worked on at once: 2 MB, whatever the number of repetitions
MOST_SUMS = 2**24  # of a distribution: 128 MB
MOST_CELLS = 2**26  # of the table behind the sums of drawn ranks with ties: 512 MB
MOST_WORK = 2**33  # additions behind the sums of ranks in groups: some ten seconds
LARGEST = 2**1000  # counts below it are finite as floats
ROUGH_APPROXIMATION_NOTE = "which is rough where one score makes up most of the sample"
WHOLE = 150  # ranks without ties up to which the ways to give them signs are counted in whole numbers of any length


class ExactRankSum:
    """A random sum of ``weights`` (n,) or (n, R): whole or half numbers, 0 for what is left out; plus ``fixed``.

    Repetitions with the same ties share one distribution; their tables are made a few at a time.
    """

    weights: Array
    fixed: Any

    def _tails_of(self, rows: IntegerWeights) -> Array:  # noqa: ARG002
        """P(sum <= start), P(sum <= start + step), ... in units, for each row of sorted weights; start is the least sum of any."""
        raise TypeError(f"{type(self).__name__} must say how its sums are counted")

    def _start(self, rows: IntegerWeights) -> int:  # noqa: ARG002
        """The least sum that any row allows."""
        return 0

    def _largest(self, rows: IntegerWeights) -> int:
        """The largest sum that any row allows."""
        return int(rows.sum(1).max())

    def _cells(self, rows: IntegerWeights) -> int:
        """Size of the work for one row."""
        return self._largest(rows) + 1

    def _step(self, rows: IntegerWeights) -> int:  # noqa: ARG002
        """What neighbouring sums in the table of these rows differ by, in units."""
        return 1

    @cached_property
    def _reflected(self) -> tuple[ExactRankSum, Any]:
        """A distribution X' and a constant c such that c - X' is distributed as this one: upper tails are its lower ones."""
        raise TypeError(f"{type(self).__name__} must say what its mirror image is")

    @cached_property
    def _unit(self) -> float:
        return 0.5 if (self.weights != np.rint(self.weights)).any() else 1.0

    @cached_property
    def _patterns(self) -> tuple[IntegerWeights, IntegerWeights]:
        """The different sorted weights, and which of them each repetition has."""
        units = np.sort(np.rint(self.weights / self._unit).astype(np.int64), axis=0)
        columns = np.ascontiguousarray(units.reshape(len(units), -1).T)
        keys = columns @ _odd_numbers(columns.shape[1])  # a number for each; two patterns hardly ever have the same
        _, first, which = np.unique(keys, return_index=True, return_inverse=True)
        rows = columns[first]
        if not np.array_equal(rows[which], columns):
            rows, which = np.unique(columns, axis=0, return_inverse=True)
        return rows, which

    def _tables(self) -> Iterator[tuple[int, int, int, Array]]:
        """The tails of a few patterns at a time, with the number of the first pattern, the sum at which they start and the step."""
        rows, _ = self._patterns
        if len(rows) == 1:
            yield 0, self._start(rows), self._step(rows), self._only_table
            return
        few = max(1, CELLS // self._cells(rows))
        for first in range(0, len(rows), few):
            part = rows[first : first + few]
            yield first, self._start(part), self._step(part), self._tails_of(part)

    @cached_property
    def _only_table(self) -> Array:
        rows, _ = self._patterns
        sums = (self._largest(rows) - self._start(rows)) // self._step(rows)
        if sums >= 16 * CELLS:
            return self._tails_of(rows)
        remembered = _cached_table if sums < CELLS else _cached_large_table
        return remembered(type(self), rows.tobytes(), getattr(self, "m", 0))  # type: ignore[arg-type]

    def at_most(self, x: Any) -> Value:
        """P(X <= x)."""
        _, which = self._patterns
        shape = np.broadcast_shapes(np.shape(x), self.weights.shape[1:])
        place = np.floor(np.broadcast_to(np.subtract(x, self.fixed) / self._unit, shape)).ravel()
        which = np.broadcast_to(which.reshape(self.weights.shape[1:]), shape).ravel()
        result = np.empty(place.shape)
        for first, start, step, table in self._tables():
            mine = (which >= first) & (which < first + len(table))
            k = np.floor((place[mine] - start) / step)
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
        for first, start, step, table in self._tables():
            last = (table <= alpha).sum(1) - 1
            reached = table[np.arange(len(table)), np.maximum(last, 0), None]
            atom = (table < reached).sum(1)  # step down to where mass lies
            nothing = (last < 0) | (reached[:, 0] == 0)  # no mass below, so no value fits
            lowest[first : first + len(table)] = np.where(nothing, -np.inf, (start + atom * step) * self._unit)
        return (lowest[which].reshape(self.weights.shape[1:]) + self.fixed)[()]

    def high(self, alpha: float) -> Value:
        """The smallest value c with P(X >= c) <= alpha; +inf if there is none."""
        reflected, c = self._reflected
        return c - reflected.low(alpha)

    def atoms(self) -> tuple[Array, Array]:
        """Values and their probabilities (of a single test), each from the tail in which it is not lost beside 1."""
        below, above = self._only_table[0], self._reflected[0]._only_table[0][::-1]
        chances = np.where(below <= 0.5, np.diff(below, prepend=0.0), -np.diff(above, append=0.0))
        (k,) = np.nonzero(chances)
        rows, _ = self._patterns
        return self.fixed + (self._start(rows) + k * self._step(rows)) * self._unit, chances[k]


@lru_cache(64)
def _odd_numbers(count: int) -> IntegerWeights:
    """So many different odd numbers, which products of 64 bits spread over all that there are."""
    return np.random.default_rng(0).integers(2**62, size=count) * 2 + 1


def _compute_table(kind: type[ExactRankSum], row: bytes, m: int) -> Array:
    """The table of one pattern of weights: data without ties have the same one again and again."""
    units = np.frombuffer(row, np.int64)
    again: ExactRankSum = kind(units, m)  # type: ignore[call-arg]
    table = again._tails_of(units[None])
    table.setflags(write=False)
    return table


_cached_table = lru_cache(64)(_compute_table)  # at most 2 MB each
_cached_large_table = lru_cache(2)(_compute_table)  # at most 32 MB each


@dataclass(frozen=True)
class SignedRankSum(ExactRankSum):
    """``fixed`` plus the weights whose fair coin shows heads: all ways to share ranks out, equally likely.

    Each probability is the exact fraction, correctly rounded, where the count behind it is below 2**53 (so all of them up to n =
    53), and without ties up to n = 150; beyond, it is right to 13 digits.  The reach is a table of 2**24 sums: n = 5,792 without
    ties, 4,095 with.
    """

    weights: Array
    fixed: Any = 0.0

    def _tails_of(self, rows: IntegerWeights) -> Array:
        """One more fair coin at a time."""
        largest = self._largest(rows)
        if largest >= MOST_SUMS:
            raise ValueError(
                f"the exact distribution of {int((rows[0] > 0).sum()):,} ranks needs a table of {largest + 1:,} sums, but exact reaches "
                f"only {MOST_SUMS:,} (about 4,000 ranks): write method='normal', which is close at such sizes"
            )
        tails = sign_cdf_row(rows[0], largest)[None] if largest > CELLS else sign_cdf_rows(rows, largest)
        if rows.shape[1] > 53:
            for row, mine in zip(rows, tails):
                most = int(row.sum())
                mine[most:] = 1.0
                n, unit = untied_unit(row)
                if 53 < n <= WHOLE:
                    mine[:most] = np.repeat([count / 2**n for count in count_signs(n)], unit)[:most]
        return tails

    @cached_property
    def _reflected(self) -> tuple[ExactRankSum, Any]:
        return self, 2 * self.fixed + self.weights.sum(0)  # heads and tails are alike

    def __str__(self) -> str:
        n = format_range((self.weights > 0).sum(0))
        return f"all 2^{n} ways to give {n} ranks a sign"


@dataclass(frozen=True)
class DrawnRankSum(ExactRankSum):
    """The sum of ``m`` of the weights, drawn without replacement, less m (m + 1) / 2: every draw is equally likely.

    Each probability is the exact fraction, correctly rounded, where the counts behind it are below 2**53 (so all of them up to 56
    weights), without ties up to 100 and 100, and with two different weights up to 1,024; beyond, it is right to 12 digits.  The
    reach is 2**23 pairs without ties (2,896 and 2,896), a table of 2**26 counts with ties (about 320 and 320; more where one sample
    is small or where few weights are different).  With two different weights, as from scores that are right or wrong, the law is the
    hypergeometric one, that of Fisher's exact test, and there is hardly a limit: 2**24 of the rarer weight.
    """

    weights: Array
    m: int

    @property
    def fixed(self) -> float:
        """What makes the least possible sum without ties 0."""
        return -self.m * (self.m + 1) / 2

    def _start(self, rows: IntegerWeights) -> int:
        return int(rows[:, : self.m].sum(1).min())

    def _largest(self, rows: IntegerWeights) -> int:
        return int(rows[:, len(rows[0]) - self.m :].sum(1).max())

    def _cells(self, rows: IntegerWeights) -> int:
        return (self.m + 1) * (self._largest(rows) + 1)

    def _step(self, rows: IntegerWeights) -> int:
        """All sums of one row differ by multiples of what its weights differ by; several rows share a table of all units."""
        return _common_step(rows[0]) if len(rows) == 1 else 1

    def _tails_of(self, rows: IntegerWeights) -> Array:
        """All rows at once where the counts are small, so that either way gives the same digits; else one after the other."""
        least, largest = self._start(rows), self._largest(rows)
        if self._cells(rows) <= CELLS // 8 and (total := comb(len(rows[0]), self.m)) < EXACT:
            return count_draws_rows(rows, self.m)[:, least : largest + 1 : self._step(rows)].cumsum(1) / total
        if len(rows) == 1:
            return self._tails_of_one(rows[0])[None]
        tails = np.ones((len(rows), largest - least + 1))
        for row, mine in zip(rows, tails):
            step = _common_step(row)
            own = np.repeat(self._tails_of_one(row), step)
            start = int(row[: self.m].sum()) - least
            mine[:start] = 0.0
            mine[start : start + len(own) - step + 1] = own[: len(own) - step + 1]
        return tails

    def _tails_of_one(self, row: IntegerWeights) -> Array:
        """P(sum <= least), P(sum <= least + step), ... of one row."""
        m, n = self.m, len(row) - self.m
        pairs = m * n
        if untied_unit(row)[0] == len(row):
            if pairs > mann_whitney_u.MOST:
                reach = f"{mann_whitney_u.MOST:,} (2,896 and 2,896 scores)"
                raise ValueError(_too_large_message(m, n, "without", f"{pairs:,} pairs", reach, "which is close at such sizes"))
            return mann_whitney_u.cdf(m, n)
        steps = (row - row[0]) // _common_step(row)
        weights, sizes = tie_groups(steps)
        if len(sizes) == 2 and sizes.min() <= MOST_SUMS:
            return two_group_cdf(sizes, m)
        sums = int(steps[n:].sum() - steps[:m].sum()) + 1
        cells = (min(m, n) + 1) * sums
        total = comb(m + n, m)
        if cells <= MOST_CELLS and total < LARGEST:
            return probabilities(count_draws_row(steps, m).cumsum(), total)
        if sums <= MOST_SUMS and operation_count(weights, sizes, m) <= MOST_WORK:
            return grouped_sum_cdf(weights, sizes, m)
        raise ValueError(
            _too_large_message(
                m,
                n,
                "with",
                f"a table of {cells:,} counts",
                f"{MOST_CELLS:,} (about 320 and 320 scores)",
                f"an approximation, {ROUGH_APPROXIMATION_NOTE}",
            )
        )

    @cached_property
    def _reflected(self) -> tuple[ExactRankSum, Any]:
        total = len(self.weights)
        return DrawnRankSum(total + 1 - self.weights, self.m), self.m * (total - self.m)

    def __str__(self) -> str:
        return f"all ways to draw {self.m} of {len(self.weights)} ranks"


def _common_step(row: IntegerWeights) -> int:
    """The largest whole number that all differences of the weights are multiples of; 1 if they are all equal."""
    return int(np.gcd.reduce(row - row[0])) or 1


def _too_large_message(m: int, n: int, ties: str, needs: str, reach: str, normal: str) -> str:
    return (
        f"the exact distribution of {m:,} and {n:,} scores {ties} ties needs {needs}, but exact reaches only {reach}: "
        f"write method='normal', {normal}"
    )
