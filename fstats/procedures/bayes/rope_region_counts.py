"""Scores on many data sets, compared with a prior that counts as a few data sets more: what sign test and signed-rank test share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from ...core.classifier_pair import PairedScores, directed_formula
from ...core.number_format import format_plain
from ...core.numerics.floating_point_ties import absolute_noise, noise_free_difference
from ...core.step import input_field, step
from ...core.validation import check
from ...core.validation.pandas_labels import check_unique_labels
from ...core.value_types import Array, ScoresLike
from .rope_comparison import RopeComparison


def scores_of_any_length(value: Any, name: str) -> Array:
    """One score for each data set along the first axis; one is enough, since there is a prior."""
    x = check.numbers(value, name)
    if x.ndim == 0 or not len(x):
        got = "an empty list" if x.ndim else f"the single number {check.format_received_value(value)}"
        raise ValueError(f"{name} must be a list of scores, one for each data set and at least one; got {got}")
    check_unique_labels(value, name)
    return x


def rope_sides(a: Array, b: Array, rope: float) -> Array:
    """1 where A is better by more than the rope, -1 where B is, else 0; what lies on an end but for rounding noise lies inside."""
    d, edge = a - b, rope + absolute_noise(a, b)
    return np.where(d > edge, 1.0, np.where(d < -edge, -1.0, 0.0))


class ScoresWithRope(PairedScores, RopeComparison):
    """Two columns of scores, and how many data sets lie in each region."""

    in_report: ClassVar[Mapping[str, str]] = {"n": "n = {} data sets", "prior": "prior strength {}"}

    a: ScoresLike = input_field("s_A", "Scores of classifier A.", over="i", check=scores_of_any_length, unit="score")
    b: ScoresLike = input_field(
        "s_B", "Scores of classifier B, paired with A's.", over="i", check=scores_of_any_length, like="a", unit="score"
    )

    @step("d_i", directed_formula("$a - $b"), by="higher_is_better", over="i", check=check.numbers, unit="score")
    def d(self) -> Array:
        """Difference on each data set; positive where A is better."""
        return noise_free_difference(*self.terms)

    @step("n", r"\#\{i : $d\}", check=check.count(1))
    def n(self) -> int:
        """Number of data sets."""
        return len(self.d)

    @step(
        "e_i",
        directed_formula(r"1 \text{ if } $a - $b > $rope,\ -1 \text{ if } $a - $b < -$rope,\ \text{else } 0"),
        by="higher_is_better",
        over="i",
        check=check.number_between(-1, 1),
    )
    def side(self) -> Array:
        """In which region the data set lies: 1 where A is better by more than the rope, -1 where B is, 0 inside."""
        return rope_sides(*self.terms, self.rope)

    @step("n_c", r"\#\{i : $side = -1\},\ \#\{i : $side = 0\},\ \#\{i : $side = 1\}", over="c", check=check.counts)
    def counts(self) -> Array:
        """Number of data sets in each region."""
        return np.array([(self.side == of).sum(0) for of in (-1, 0, 1)], float)

    @property
    def one_or_none(self) -> str:
        """What must be known of a single data set, and of data that all lie in one region."""
        counts = self.known("counts")
        if counts is None:
            return ""
        n, whole = int(counts.sum()), int(np.argmax(counts))
        if n == 1:
            return f"There is only one data set, and the prior counts as {format_plain(self.known('prior'))} more."
        if counts[whole] == n:
            where = "inside the rope" if whole == 1 else f"where {self.sides[whole == 0]} is better"
            rest = "; only the prior speaks for the other outcomes." if self.known("expected")[whole] < 1 else "."
            return f"{'Both' if n == 2 else f'All {n}'} data sets lie {where}{rest}"
        return ""
