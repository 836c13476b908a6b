"""Base class of the Bayesian sign and signed-rank tests.

Both tests count the data sets in each of three regions.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from ...core.classifier_pair import PairedScores, directed_step
from ...core.number_format import format_plain
from ...core.numerics.floating_point_ties import absolute_noise
from ...core.step import count_step, input_field, step
from ...core.validation import check
from ...core.validation.pandas_labels import check_unique_labels
from ...core.value_types import Array, ScoresLike
from ..pairwise.paired_t import PairedT
from .rope_comparison import RopeComparison


def scores_of_any_length(value: Any, name: str) -> Array:
    """Check scores along the first axis, one for each data set; a single score is enough, since there is a prior."""
    x = check.numbers(value, name)
    if x.ndim == 0 or not len(x):
        got = "an empty list" if x.ndim else f"the single number {check.format_received_value(value)}"
        raise ValueError(f"`{name}` must be a list with a score for each data set; got {got}")
    check_unique_labels(value, name)
    return x


def rope_sides(a: Array, b: Array, rope: float) -> Array:
    """Return 1 if A is better by more than the rope, -1 if B is better by more than the rope, else 0 (up to rounding noise)."""
    d, edge = a - b, rope + absolute_noise(a, b)
    return np.where(d > edge, 1.0, np.where(d < -edge, -1.0, 0.0))


class ScoresWithRope(PairedScores, RopeComparison):
    """Two columns of scores, and the number of data sets in each region."""

    in_report: ClassVar[Mapping[str, str]] = {"n": "n = {} data sets", "prior": "prior strength {}"}

    a: ScoresLike = input_field("s_A", "Scores of classifier A.", over="i", check=scores_of_any_length, unit="score")
    b: ScoresLike = input_field(
        "s_B", "Scores of classifier B, paired with A's.", over="i", check=scores_of_any_length, like="a", unit="score"
    )

    d = PairedT.d.restated("Difference on each data set; positive if A is better.", check=check.numbers)

    n = count_step("n", "d", "i", "Number of data sets.", check=check.count(1))

    _side_formula = r"1 \text{ if } $a - $b > $rope,\ -1 \text{ if } $a - $b < -$rope,\ \text{else } 0"

    @directed_step("e_i", _side_formula, over="i", check=check.number_between(-1, 1))
    def side(self) -> Array:
        """Region of each data set: 1 if A is better by more than the rope, -1 if B is better by more than the rope, 0 inside the rope."""
        return rope_sides(*self.terms, self.rope)

    @step("n_c", r"\#\{i : $side = -1\},\ \#\{i : $side = 0\},\ \#\{i : $side = 1\}", over="c", check=check.counts)
    def counts(self) -> Array:
        """Number of data sets in each region."""
        return np.array([(self.side == of).sum(0) for of in (-1, 0, 1)], float)

    @property
    def sparse_data_note(self) -> str:
        """Note about a single data set, or about data that all lie in one region."""
        counts = self.get_or_default("counts", None)
        if counts is None:
            return ""
        n, fullest = int(counts.sum()), int(np.argmax(counts))
        if n == 1:
            return f"There is only one data set, and the prior counts as {format_plain(self.get_or_default('prior', None))} more."
        if counts[fullest] == n:
            region_text = "inside the rope" if fullest == 1 else f"where {self.sides[fullest == 0]} is better"
            prior_note = "; only the prior supports the other outcomes." if self.get_or_default("expected", None)[fullest] < 1 else "."
            return f"{'Both' if n == 2 else f'All {n}'} data sets lie {region_text}{prior_note}"
        return ""
