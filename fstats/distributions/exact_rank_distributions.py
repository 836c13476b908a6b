"""Exact null distributions of rank sums with ties.

They are for the signed-rank and the rank-sum test, and allow zeros.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import comb, floor, isfinite
from typing import Any, ClassVar

import numpy as np

from ..core.number_format import format_range
from ..core.value_types import Array, Value
from . import mann_whitney_u
from . import rank_sum_counting as counting
from .hypergeometric_rank_sum import grouped_sum_cdf, operation_count, tie_groups, two_group_cdf
from .rank_sum_counting import IntegerWeights

MAX_BLOCK_SIZE = 2**18  # maximum number of table cells in a block of repetitions (2 MB)
MAX_SUMS = 2**24  # maximum number of different sums in a distribution (128 MB)
MAX_CELLS = 2**26  # maximum number of table cells for draws from ranks with ties (512 MB)
MAX_ADDITIONS = 2**33  # maximum number of additions for rank sums with groups of ties (about ten seconds)
MAX_FLOAT_COUNT = 2**1000  # counts below this limit can be converted to floats
ROUGH_APPROXIMATION_NOTE = "which is rough if one score makes up most of the sample"
MAX_INTEGER_RANKS = 150  # for 54 to 150 untied ranks, the sign assignments are counted with Python integers


class ExactRankSum:
    """A random sum of ``weights`` (n,) or (n, R), which are whole or half numbers (0: omitted entry), plus the constant ``fixed``.

    Repetitions with the same ties share one distribution; for different ties a few tables are computed at a time.
    """

    p_name: ClassVar[str] = "exact p"  # name of a p-value from this distribution
    weights: Array
    fixed: Any

    def _cdf_rows(self, rows: IntegerWeights) -> Array:  # noqa: ARG002
        """Return P(sum <= start), P(sum <= start + step), ... for rows of sorted weights; start is the least sum of all rows, in units."""
        raise TypeError(f"the class {type(self).__name__} must define the method _cdf_rows")

    def _start(self, rows: IntegerWeights) -> int:  # noqa: ARG002
        """Return the least possible sum of any row."""
        return 0

    def _largest(self, rows: IntegerWeights) -> int:
        """Return the largest possible sum of any row."""
        return int(rows.sum(1).max())

    def _cells(self, rows: IntegerWeights) -> int:
        """Return the number of table cells for one row."""
        return self._largest(rows) + 1

    def _step(self, rows: IntegerWeights) -> int:  # noqa: ARG002
        """Return the difference between neighbouring sums in the table of these rows, in units."""
        return 1

    @cached_property
    def _reflected(self) -> tuple[ExactRankSum, Any]:
        """Distribution X' and constant c such that c - X' has this distribution; the lower tails of X' give the upper tails."""
        raise TypeError(f"the class {type(self).__name__} must define the property _reflected")

    @cached_property
    def _unit(self) -> float:
        return 0.5 if (self.weights != np.rint(self.weights)).any() else 1.0

    @cached_property
    def _patterns(self) -> tuple[IntegerWeights, IntegerWeights]:
        """The different columns of sorted weights, and for each repetition the index of its column."""
        units = np.sort(np.rint(self.weights / self._unit).astype(np.int64), axis=0)
        if units.ndim == 1:
            return units[None], np.zeros(1, np.int64)
        columns = np.ascontiguousarray(units.reshape(len(units), -1).T)
        keys = columns @ _odd_numbers(columns.shape[1])  # a hash value for each column
        _, first, which = np.unique(keys, return_index=True, return_inverse=True)
        rows = columns[first]
        if not np.array_equal(rows[which], columns):
            rows, which = np.unique(columns, axis=0, return_inverse=True)
        return rows, which

    def _tables(self) -> Iterator[tuple[int, int, int, Array]]:
        """Yield, for a few patterns at a time: number of the first pattern, least sum, step, and cumulative probabilities."""
        rows, _ = self._patterns
        if len(rows) == 1:
            yield 0, *self._single_table
            return
        count = max(1, MAX_BLOCK_SIZE // self._cells(rows))
        for first in range(0, len(rows), count):
            part = rows[first : first + count]
            yield first, self._start(part), self._step(part), self._cdf_rows(part)

    @cached_property
    def _single_table(self) -> tuple[int, int, Array]:
        """The least sum, the step and the cumulative probabilities of the only pattern."""
        rows, _ = self._patterns
        start, step = self._start(rows), self._step(rows)
        sums = (self._largest(rows) - start) // step
        if sums >= 16 * MAX_BLOCK_SIZE:
            return start, step, self._cdf_rows(rows)
        cached = _cached_table if sums < MAX_BLOCK_SIZE else _cached_large_table
        return start, step, cached(type(self), rows.tobytes(), getattr(self, "m", 0))  # type: ignore[arg-type]

    def at_most(self, x: Any) -> Value:
        """Return P(X <= x)."""
        if self.weights.ndim == 1 and not np.ndim(x) and isfinite(x):
            return self._probability_of_one(x)
        _, which = self._patterns
        shape = np.broadcast_shapes(np.shape(x), self.weights.shape[1:])
        units = np.floor(np.broadcast_to(np.subtract(x, self.fixed) / self._unit, shape)).ravel()
        which = np.broadcast_to(which.reshape(self.weights.shape[1:]), shape).ravel()
        result = np.empty(units.shape)
        for first, start, step, table in self._tables():
            in_table = (which >= first) & (which < first + len(table))
            k = np.floor((units[in_table] - start) / step)
            inside = table[which[in_table] - first, np.clip(k, 0, table.shape[1] - 1).astype(np.int64)]
            result[in_table] = np.where(k < 0, 0.0, inside)
        return result.reshape(shape)[()]

    def _probability_of_one(self, x: Any) -> Value:
        """Return P(X <= x) for a single test, without the arrays of :meth:`at_most`, which take ten times as long."""
        start, step, table = self._single_table
        k = (floor((x - self.fixed) / self._unit) - start) // step
        return np.float64(0.0 if k < 0 else table[0, min(k, table.shape[1] - 1)])

    def at_least(self, x: Any) -> Value:
        """Return P(X >= x)."""
        reflected, c = self._reflected
        return reflected.at_most(c - x)

    def low(self, alpha: float) -> Value:
        """Return the largest value c with P(X <= c) <= alpha; -inf if no value has this property."""
        rows, which = self._patterns
        lowest = np.empty(len(rows))
        for first, start, step, table in self._tables():
            last = (table <= alpha).sum(1) - 1
            reached = table[np.arange(len(table)), np.maximum(last, 0), None]
            atom = (table < reached).sum(1)  # index of the largest possible sum c with P(X <= c) <= alpha
            impossible = (last < 0) | (reached[:, 0] == 0)  # True if no possible sum c has P(X <= c) <= alpha
            lowest[first : first + len(table)] = np.where(impossible, -np.inf, (start + atom * step) * self._unit)
        return (lowest[which].reshape(self.weights.shape[1:]) + self.fixed)[()]

    def high(self, alpha: float) -> Value:
        """Return the smallest value c with P(X >= c) <= alpha; +inf if no value has this property."""
        reflected, c = self._reflected
        return c - reflected.low(alpha)

    def atoms(self) -> tuple[Array, Array]:
        """Return the values of a single test and their probabilities, computed from the smaller tail, which keeps more digits."""
        (start, step, (below,)), (_, _, (mirrored,)) = self._single_table, self._reflected[0]._single_table
        above = mirrored[::-1]
        probability = np.where(below <= 0.5, np.diff(below, prepend=0.0), -np.diff(above, append=0.0))
        (k,) = np.nonzero(probability)
        return self.fixed + (start + k * step) * self._unit, probability[k]


@lru_cache(64)
def _odd_numbers(count: int) -> IntegerWeights:
    """Return a given number of odd 64-bit numbers, the multipliers of a hash function."""
    return np.random.default_rng(0).integers(2**62, size=count) * 2 + 1


def _compute_table(kind: type[ExactRankSum], row: bytes, m: int) -> Array:
    """Compute the table of one pattern of weights; its results are cached, because all data without ties have the same pattern."""
    units = np.frombuffer(row, np.int64)
    distribution: ExactRankSum = kind(units, m)  # type: ignore[call-arg]
    table = distribution._cdf_rows(units[None])
    table.setflags(write=False)
    return table


_cached_table = lru_cache(64)(_compute_table)  # cache of 64 tables of at most 2 MB each
_cached_large_table = lru_cache(2)(_compute_table)  # cache of 2 tables of at most 32 MB each


@dataclass(frozen=True)
class SignedRankSum(ExactRankSum):
    """``fixed`` plus the sum of the weights with a positive sign: all assignments of signs are equally likely.

    A probability is the exact fraction, correctly rounded, if the count of its outcomes is below 2**53 (always for n up to 53); without
    ties, all probabilities up to n = 150 are exact.  Other probabilities are correct to 13 digits.  The largest table has 2**24 sums,
    which suffices for n = 5,792 without ties and for n = 4,095 with ties.
    """

    weights: Array
    fixed: Any = 0.0

    def _cdf_rows(self, rows: IntegerWeights) -> Array:
        """Compute the table by adding one rank after the other, with a positive or a negative sign."""
        largest = self._largest(rows)
        if largest >= MAX_SUMS:
            raise ValueError(
                f"the exact distribution of {int((rows[0] > 0).sum()):,} ranks is too large; the limit is about 4,000 ranks with ties. "
                "Leave out method='exact', or write `method='normal'`."
            )
        is_one_row = largest > MAX_BLOCK_SIZE or (len(rows) == 1 and rows.shape[1] <= 53)
        tails = counting.sign_cdf_row(rows[0], largest)[None] if is_one_row else counting.sign_cdf_rows(rows, largest)
        if rows.shape[1] > 53:
            for row, tail in zip(rows, tails):
                most = int(row.sum())
                tail[most:] = 1.0
                n, unit = counting.untied_unit(row)
                if 53 < n <= MAX_INTEGER_RANKS:
                    tail[:most] = np.repeat([count / 2**n for count in counting.count_signs(n)], unit)[:most]
        return tails

    @cached_property
    def _reflected(self) -> tuple[ExactRankSum, Any]:
        # c - X' with X' = X: the distribution is symmetric, because both signs of each rank are equally likely
        return self, 2 * self.fixed + self.weights.sum(0)

    def __str__(self) -> str:
        return sign_assignments_text(format_range((self.weights > 0).sum(0)))


def sign_assignments_text(n: str) -> str:
    """Return the name of the distribution of the sum of the ranks that have one of the two signs; large numbers of ways are left out.

    >>> sign_assignments_text("5")
    'all 32 ways to put each of 5 ranks into the sum or not'
    """
    count = f"{2 ** int(n):,} " if n.isdecimal() and int(n) <= 20 else ""
    return f"all {count}ways to put each of {n} ranks into the sum or not"


@dataclass(frozen=True)
class DrawnRankSum(ExactRankSum):
    """The sum of ``m`` of the weights, drawn without replacement, minus m (m + 1) / 2: all draws are equally likely.

    A probability is the exact fraction, correctly rounded, if its counts are below 2**53, which is always true for up to 56 weights.
    Probabilities are also exact without ties up to 100 and 100 scores, and for two different weights up to 1,024 scores.  Other
    probabilities are correct to 12 digits.  The limit without ties is 2**23 pairs (2,896 and 2,896 scores).  The limit with ties is a
    table of 2**26 counts (about 320 and 320 scores; more if one sample is small or few weights are different).  Scores that are only
    right or wrong have two different weights.  For two different weights the distribution is the hypergeometric distribution of
    Fisher's exact test, and the rarer weight may occur up to 2**24 times.
    """

    weights: Array
    m: int

    @property
    def fixed(self) -> float:
        """Constant that shifts the least possible sum without ties to 0."""
        return -self.m * (self.m + 1) / 2

    def _start(self, rows: IntegerWeights) -> int:
        return int(rows[:, : self.m].sum(1).min())

    def _largest(self, rows: IntegerWeights) -> int:
        return int(rows[:, len(rows[0]) - self.m :].sum(1).max())

    def _cells(self, rows: IntegerWeights) -> int:
        return (self.m + 1) * (self._largest(rows) + 1)

    def _step(self, rows: IntegerWeights) -> int:
        """Return the step of a single row, the greatest common divisor of the differences of its weights; several rows have the step 1."""
        return _common_step(rows[0]) if len(rows) == 1 else 1

    def _cdf_rows(self, rows: IntegerWeights) -> Array:
        """Count the draws of all rows at once if the counts are small and therefore exact; otherwise count the draws row by row."""
        least, largest = self._start(rows), self._largest(rows)
        if self._cells(rows) <= MAX_BLOCK_SIZE // 8 and (total := comb(len(rows[0]), self.m)) < counting.MAX_EXACT_COUNT:
            return counting.count_draws_rows(rows, self.m)[:, least : largest + 1 : self._step(rows)].cumsum(1) / total
        if len(rows) == 1:
            return self._cdf_row(rows[0])[None]
        tails = np.ones((len(rows), largest - least + 1))
        for row, tail in zip(rows, tails):
            step = _common_step(row)
            values = np.repeat(self._cdf_row(row), step)
            start = int(row[: self.m].sum()) - least
            tail[:start] = 0.0
            tail[start : start + len(values) - step + 1] = values[: len(values) - step + 1]
        return tails

    def _cdf_row(self, row: IntegerWeights) -> Array:
        """Return P(sum <= least), P(sum <= least + step), ... of one row."""
        m, n = self.m, len(row) - self.m
        if problem := self._size_problem(row):
            raise ValueError(problem)
        if counting.untied_unit(row)[0] == len(row):
            return mann_whitney_u.cdf(m, n)
        steps = (row - row[0]) // _common_step(row)
        weights, sizes = tie_groups(steps)
        if len(sizes) == 2 and sizes.min() <= MAX_SUMS:
            return two_group_cdf(sizes, m)
        if self._count_table_size(steps) <= MAX_CELLS and (total := comb(m + n, m)) < MAX_FLOAT_COUNT:
            return counting.probabilities(counting.count_draws_row(steps, m).cumsum(), total)
        return grouped_sum_cdf(weights, sizes, m)

    def _size_problem(self, row: IntegerWeights) -> str:
        """Return an error message if the distribution of a row is too large to compute; otherwise an empty text."""
        m, n = self.m, len(row) - self.m
        if counting.untied_unit(row)[0] == len(row):
            limit, advice = "2,896 and 2,896 scores", "which is accurate at such sizes"
            return _too_large_message(m, n, "without", limit, advice) if m * n > mann_whitney_u.MAX_PAIRS else ""
        steps = (row - row[0]) // _common_step(row)
        weights, sizes = tie_groups(steps)
        cells = self._count_table_size(steps)
        is_small = (len(sizes) == 2 and sizes.min() <= MAX_SUMS) or (cells <= MAX_CELLS and comb(m + n, m) < MAX_FLOAT_COUNT)
        if is_small or (cells // (min(m, n) + 1) <= MAX_SUMS and operation_count(weights, sizes, m) <= MAX_ADDITIONS):
            return ""
        return _too_large_message(m, n, "with", "about 320 and 320 scores", ROUGH_APPROXIMATION_NOTE)

    def _count_table_size(self, steps: IntegerWeights) -> int:
        """Return the number of cells of a table with the counts of all sums of up to m drawn weights."""
        m, n = self.m, len(steps) - self.m
        return (min(m, n) + 1) * (int(steps[n:].sum() - steps[:m].sum()) + 1)

    @property
    def is_computable(self) -> bool:
        """Whether no repetition is too large to compute."""
        rows, _ = self._patterns
        return not any(map(self._size_problem, rows))

    @cached_property
    def _reflected(self) -> tuple[ExactRankSum, Any]:
        total = len(self.weights)
        return DrawnRankSum(total + 1 - self.weights, self.m), self.m * (total - self.m)

    def __str__(self) -> str:
        return f"all ways to draw {self.m} of {len(self.weights)} ranks"


def _common_step(row: IntegerWeights) -> int:
    """Return the greatest common divisor of the differences of the weights; 1 if all weights are equal."""
    return int(np.gcd.reduce(row - row[0])) or 1


def _too_large_message(m: int, n: int, ties: str, limit: str, normal: str) -> str:
    return (
        f"the exact distribution of {m:,} and {n:,} scores {ties} ties is too large; the limit is {limit}. Write method='normal', {normal}."
    )
