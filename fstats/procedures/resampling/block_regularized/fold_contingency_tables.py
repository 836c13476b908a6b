"""Input checks for the contingency tables of 5x2 cross-validation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy import special

from ....core.classifier_pair import TwoClassifiers
from ....core.number_format import format_plain
from ....core.numerics.zero_division import ratio
from ....core.step import input_field, step
from ....core.validation import check
from ....core.value_types import Array, CountsLike, Interval, Value

COUNTS_OF_FOLDS = "Counts of records: A and B wrong or right, in repetition j, fold k."


def ten_tables(value: Any, name: str) -> Array:
    """Check counts for five repetitions, two folds, A wrong or right, B wrong or right; each repetition tests the same records."""
    x = np.asarray(check.counts(value, name))
    if x.shape[:4] != (5, 2, 2, 2):
        raise ValueError(
            f"`{name}` must have the shape (5, 2, 2, 2), repetitions x folds x A (wrong, right) x B (wrong, right); got shape {x.shape}"
        )
    folds = x.sum((2, 3))
    if (folds == 0).any():
        j, k = np.argwhere(folds == 0)[0][:2] + 1
        raise ValueError(f"`{name}` must count at least one record in every fold; got no record in fold {k} of repetition {j}")
    totals = folds.sum(1)
    if (totals != totals[0]).any():
        j, *where = map(int, np.argwhere(totals != totals[0])[0])
        raise ValueError(
            f"`{name}` must count every record once in each repetition; got {totals[0][tuple(where)]:g} records in repetition 1 and "
            f"{totals[j][tuple(where)]:g} in repetition {j + 1}"
        )
    return x


def check_correlation_shape(inputs: Mapping[str, Any], *names: str) -> None:
    """Raise ValueError unless a correlation is one number, or one number for each repetition of the tables."""
    repetitions = np.shape(inputs["tables"])[4:] if "tables" in inputs else None
    for name in names:
        if repetitions is not None and np.shape(inputs[name]) not in ((), repetitions):
            got = f"shape {np.shape(inputs[name])} for repetitions of shape {repetitions}"
            raise ValueError(f"`{name}` must be one number, or one number for each repetition of the tables; got {got}")


class TablesOfFolds(TwoClassifiers):
    """Steps of the tests on ten contingency tables: the tables, and the scatter between the two folds of a repetition."""

    tables: CountsLike = input_field(
        "n_{uv,k}^{(j)}", "Records by whether A and B are wrong or right, in repetition j, fold k.", over="jkuv", check=ten_tables
    )

    @step("n_{01,jk}", r"$tables \text{ at } u = 0,\ v = 1", over="jk", after=True, check=check.counts, aside=True)
    def n01_of_fold(self) -> Array:
        """Number of records of each fold that A gets wrong and B right."""
        return self.tables[:, :, 0, 1]

    @step("n_{10,jk}", r"$tables \text{ at } u = 1,\ v = 0", over="jk", after=True, check=check.counts, aside=True)
    def n10_of_fold(self) -> Array:
        """Number of records of each fold that A gets right and B wrong."""
        return self.tables[:, :, 1, 0]

    @step("D_{jk}", "$n10_of_fold - $n01_of_fold", over="jk", after=True, aside=True)
    def imbalance(self) -> Array:
        """Imbalance of each fold: number of records that only A gets right minus number of records that only B gets right."""
        return self.n10_of_fold - self.n01_of_fold

    @step(r"\bar D_j", r"\frac{1}{2} \sum_k $imbalance", over="j", after=True, aside=True)
    def imbalance_of_repetition(self) -> Array:
        """Mean imbalance of the two folds of each repetition."""
        return self.imbalance.sum(1) / 2

    _scatter_formula = r"\frac{2 \sum_{jk} ($imbalance - $imbalance_of_repetition)^2}{\sum_{jk} ($n01_of_fold + $n10_of_fold)}"

    @step(r"\hat\varphi", _scatter_formula, after=True, check=check.nonnegative)
    def scatter(self) -> Value:
        """Scatter: variability between the two folds of a repetition, relative to independent records; above 1 if training adds to it."""
        apart = self.imbalance - self.imbalance_of_repetition[:, np.newaxis]
        return ratio(2 * (apart**2).sum((0, 1)), (self.n01_of_fold + self.n10_of_fold).sum((0, 1)))


def scatter_interval(scatter: Value, alpha: float) -> Interval:
    """Return the confidence interval of the scatter for normal imbalances; the five differences are orthogonal in the blocks."""
    return Interval(*(5 * scatter / special.chdtri(5, tail) for tail in (alpha / 2, 1 - alpha / 2)))


def is_scattered(interval: Interval) -> bool:
    """Return whether the tables of one comparison clearly scatter more than independent records would."""
    return not np.ndim(interval.low) and bool(interval.low > 1)


def true_level(scatter: Value, assumed: Value, alpha: float) -> Value:
    """Return the level of a test on the mean of ten tables if training adds independent amounts to all ten splits: no upper bound.

    ``assumed`` is the variance that the test assumes, as a multiple of the variance of one fold's imbalance.  The contribution of the
    records is the same in all five repetitions.  The contribution of the records is at most one half of the variance that independent
    records give one fold, and smaller if training determines which records a classifier gets right.  The contribution of training,
    treated as independent between the folds, is averaged over ten folds.  The total variance is then at most 1/2 + (scatter - 1)/10; it is
    larger if several splits share an effect of training.  The returned level is the probability that a chi-squared statistic with this
    variance exceeds the critical value (without the continuity correction, which is small in large tables).

    >>> [round(float(true_level(scatter, 11 / 20, 0.05)), 3) for scatter in (1, 1.5, 8)]
    [0.04, 0.05, 0.185]
    """
    return special.chdtrc(1, special.chdtri(1, alpha) * assumed / (0.5 + (np.maximum(scatter, 1) - 1) / 10))[()]


def scatter_note(scatter: Any, interval: Interval, assumed: Any, alpha: float) -> str:
    """Return a note that explains tables that scatter more than independent records would."""
    low, high = (format_plain(float(f"{end:.2g}")) for end in interval)
    low_level, high_level = (f"{true_level(end, assumed, alpha):.0%}" for end in interval)
    return (
        f"The two folds of a repetition differ {scatter:.1f} times as much as independent records would ({low} to {high}): training "
        f"differs from split to split. This test allows for {format_plain(max(1.0, 10 * assumed - 4))} times. If the splits differ "
        f"independently, it rejects a true H0 in about {true_level(scatter, assumed, alpha):.0%} of data sets instead of {alpha:.0%} "
        f"({low_level} to {high_level}), otherwise more often. A p-value just below {format_plain(alpha)} is weak evidence."
    )
