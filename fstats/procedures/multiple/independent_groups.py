"""Independent groups of any sizes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np

from ...core.numerics.floating_point_ties import round_noise_to_zero
from ...core.numerics.sums_of_squares import ScaledSquares
from ...core.numerics.zero_division import ratio
from ...core.procedure import Procedure
from ...core.step import input_field, step
from ...core.validation import check, class_labels, tables
from ...core.validation.pandas_labels import check_unique_labels
from ...core.value_types import Array, ScoresLike, broadcast_column
from .many_classifiers import default_labels


class Groups(ScaledSquares, Procedure):
    r"""Independent groups: how many scores has each classifier, what is their mean, and how far do they spread?

    Parameters
    ----------
    values : array_like, shape (n,) or (n, ...)
        All scores, one after the other.  Further axes are independent repetitions.
    group : array_like, shape (n,)
        The name of the classifier that each score belongs to.
    labels : list of str
        The names in the order in which they are shown.

    Examples
    --------
    >>> groups = Groups.of([[1, 3], [2, 3, 7]])
    >>> print(groups.labels, groups.sizes, groups.means, groups.variances)
    ['A' 'B'] [2 3] [2. 4.] [2. 7.]
    """

    names_by_index: ClassVar[Mapping[str, Any]] = {"j": "labels"}
    measured = ("values",)

    values: ScoresLike = input_field("y_i", "All scores, one after the other.", over="i", check=check.numbers)
    group: Any = input_field("g_i", "Whose score it is.", over="i", check=class_labels.record_labels)
    labels: Any = input_field(r"\text{label}_j", "Name of each classifier.", over="j")

    @classmethod
    def of(cls, groups: Sequence[Any], labels: Any = None) -> Self:
        """The groups as a caller has them, each a list of its own; a pandas Series may bring its name."""
        if len(groups) < 2:
            raise ValueError(
                f"from_groups needs at least 2 groups, each an argument of its own; got {len(groups)}: write from_groups(a, b, c), "
                "or from_groups(*groups) for a list of them"
            )
        if labels is None:
            named = [getattr(group, "name", None) for group in groups]
            labels = [letter if name is None else name for name, letter in zip(named, default_labels(len(groups)))]
        labels = tables.distinct_names(labels, len(groups), "labels")
        for group, label in zip(groups, labels):
            check_unique_labels(group, f"group {label}")
        parts = [check.numbers_of_min_length(1)(group, f"group {label}") for group, label in zip(groups, labels)]
        if len(shapes := {part.shape[1:] for part in parts}) > 1:
            raise ValueError(
                f"all groups must have the same repetitions behind their first axis; got {' and '.join(map(str, sorted(shapes)))}"
            )
        if max(map(len, parts)) < 2:
            raise ValueError(
                "at least one group must hold 2 scores or more; got one score each: with no spread inside a group there is no yardstick"
            )
        return cls(np.concatenate(parts), np.repeat(labels, [len(part) for part in parts]), labels)

    @step("n_j", r"\#\{i : $group = $labels\}", over="j")
    def sizes(self) -> Any:
        """Number of scores of each classifier."""
        return np.array([(self.group == label).sum() for label in self.labels])

    @step(r"\bar s_j", r"\frac{1}{$sizes} \sum_{i : $group = $labels} $values", over="j")
    def means(self) -> Array:
        """Mean score of each classifier."""
        totals = np.stack([self.values[self.group == label].sum(0) for label in self.labels])
        return totals / broadcast_column(self.sizes, totals)

    @step(r"\hat\sigma_j^2", r"\frac{1}{$sizes - 1} \sum_{i : $group = $labels} ($values - $means)^2", over="j")
    def variances(self) -> Array:
        """Variance of each classifier's scores (0 for a single score)."""
        away = [
            round_noise_to_zero(self.values[self.group == label] - mean, np.abs(self.values).max(0))
            for label, mean in zip(self.labels, self.means, strict=True)
        ]
        squares = np.stack([(self.in_units(part) ** 2).sum(0) for part in away])
        return np.asarray(ratio(squares, broadcast_column(self.sizes - 1, squares)))
