"""Sizes, means and variances of independent groups."""

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


class IndependentGroups(ScaledSquares, Procedure):
    r"""Number, mean and variance of the scores of each classifier in independent groups.

    Parameters
    ----------
    values : array_like, shape (n,) or (n, ...)
        All scores of all groups in one list.  Further axes are independent repetitions.
    group : array_like, shape (n,)
        Name of the classifier of each score.
    labels : list of str
        Names of the classifiers in display order.

    Examples
    --------
    >>> groups = IndependentGroups.from_lists([[1, 3], [2, 3, 7]])
    >>> print(groups.labels, groups.sizes, groups.means, groups.variances)
    ['A' 'B'] [2 3] [2. 4.] [2. 7.]
    """

    names_by_index: ClassVar[Mapping[str, Any]] = {"j": "labels"}
    measured = ("values",)

    values: ScoresLike = input_field("y_i", "All scores of all groups.", over="i", check=check.numbers)
    group: Any = input_field("g_i", "Classifier of each score.", over="i", check=class_labels.record_labels)
    labels: Any = input_field(r"\text{label}_j", "Name of each classifier.", over="j")

    @classmethod
    def from_lists(cls, groups: Sequence[Any], labels: Any = None) -> Self:
        """Return the groups from one list of scores for each classifier; the name of a pandas Series is used as label."""
        if len(groups) < 2:
            remedy = "Write from_groups(a, b, c), or from_groups(*groups) for a list of groups."
            raise ValueError(f"from_groups needs at least 2 groups, each as a separate argument; got {len(groups)}. {remedy}")
        if labels is None:
            names = [getattr(group, "name", None) for group in groups]
            labels = [letter if name is None else name for name, letter in zip(names, default_labels(len(groups)))]
        labels = tables.distinct_names(labels, len(groups), "labels")
        for group, label in zip(groups, labels):
            check_unique_labels(group, f"group {label}")
        parts = [check.numbers_of_min_length(1)(group, f"group {label}") for group, label in zip(groups, labels)]
        if len(shapes := {part.shape[1:] for part in parts}) > 1:
            raise ValueError(
                f"all groups must have equally many repetitions (axes after the first); got shapes {' and '.join(map(str, sorted(shapes)))}"
            )
        if max(map(len, parts)) < 2:
            remedy = "Add scores, because the test needs the spread within groups."
            raise ValueError(f"at least one group must hold 2 or more scores; got one score in each group. {remedy}")
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
        """Variance of the scores of each classifier (0 for a single score)."""
        deviations = [
            round_noise_to_zero(self.values[self.group == label] - mean, np.abs(self.values).max(0))
            for label, mean in zip(self.labels, self.means, strict=True)
        ]
        squares = np.stack([(self.in_units(part) ** 2).sum(0) for part in deviations])
        return np.asarray(ratio(squares, broadcast_column(self.sizes - 1, squares)))
