"""Interactive explorer of an invalid t-test on one test set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from ... import plot
from ...core.number_format import format_plain, format_pvalue
from ...core.value_types import Array
from ...plot.drawing.picture import Picture
from ...plot.drawing.picture_marks import BLUE, VERMILLION, Curve, Points, VerticalLine
from ...procedures.pairwise.paired_t import PairedT
from ...teaching.demonstrations.groups_of_test_set import PARTITIONS, correct_by_record, group_accuracies, possible_group_counts
from ..widgets import LEVEL_SLIDER, Explorer, Slider, integer_slider

SEED = 2026
PARTITION = integer_slider("partition", "Random partition", 0, PARTITIONS - 1, "number {}".format)


class RandomGroupsExplorer(Explorer[PairedT]):
    """Explorer of a paired t-test on the accuracies in K random groups of one test set."""

    question = "Does p depend on a random partition that means nothing?"
    main_controls = ("k", "partition", "alpha")

    def __init__(self, right_a: Any, right_b: Any, k: int) -> None:
        right = correct_by_record(right_a, right_b)
        self._accuracies = cache(lambda k: group_accuracies(*right, k, rng=SEED))
        self._accuracies(k)  # raises a ValueError if the records cannot be divided into k groups
        n = len(right[0])
        self._k = Slider("k", "Groups K", possible_group_counts(n), lambda k: f"{k} times {n // k}")
        super().__init__("PairedT on K groups with sliders", **self._positions_of_values(k=k, partition=0, alpha=0.05))

    @property
    def sliders(self) -> Sequence[Slider[Any]]:
        """Sliders for the partition of the records, and the level."""
        return [self._k, PARTITION, LEVEL_SLIDER]

    @property
    def test(self) -> PairedT:
        """Current test, newly computed."""
        at = self.values
        a, b = self._accuracies(at["k"])
        return PairedT(a[:, at["partition"]], b[:, at["partition"]], alpha=at["alpha"])

    def pictures(self, test: PairedT) -> Sequence[Picture]:
        """Return the p-values of all partitions, the accuracies in the groups of the current partition, and the null distribution."""
        at = self.values
        pvalues = np.atleast_1d(PairedT(*self._accuracies(at["k"])).pvalue)
        return [pvalue_distribution(pvalues, at["partition"], test.alpha), relabel_as_groups(plot.scores(test)), test.plot()]


def pvalue_distribution(pvalues: Array, chosen: int, alpha: float) -> Picture:
    """Draw the p-values of all random partitions in ascending order, with a mark at the chosen partition.

    >>> pvalue_distribution(np.array([0.3, 0.01, 0.2]), 1, 0.05)
    [picture: p for 3 random partitions, in order: 0.01 to 0.3, half of them at most 0.2; 1 of 3 reject at alpha = 0.05. The partition
    shown has p = 0.01.]
    """
    n, p = len(pvalues), float(pvalues[chosen])
    rejecting = int((pvalues <= alpha).sum())
    x = np.sort(pvalues)
    at_most = np.arange(1.0, n + 1)
    chosen_point = np.array([p]), np.array([float((pvalues <= p).sum())])
    marks = (
        Curve(np.repeat(np.r_[0, x, 1], 2)[1:-1], np.repeat(np.r_[0, at_most], 2)),
        VerticalLine(alpha, f"alpha = {format_plain(alpha)}", VERMILLION, dashed=True, line=1),
        VerticalLine(p, format_pvalue(p, alpha), BLUE),
        Points(*chosen_point, BLUE, "the partition shown"),
    )
    text = (
        f"p for {n} random partitions, in order: {format_plain(x[0])} to {format_plain(x[-1])}, half of them at most "
        f"{format_plain(np.median(x))}; "
        f"{rejecting} of {n} reject at alpha = {format_plain(alpha)}. The partition shown has {format_pvalue(p, alpha)}."
    )
    title = f"{rejecting} of {n} random partitions reject"
    return Picture(title, "p", "partitions with p or less", (0.0, 1.0), (0.0, 1.35 * n), marks, text)


def relabel_as_groups(picture: Picture) -> Picture:
    """Rename the "data sets" in a picture of scores to groups, and the scores to accuracies."""
    title, text = (string.replace("data sets", "groups") for string in (picture.title, picture.text))
    return replace(picture, title=title, text=text, xlabel="group", ylabel="accuracy")


def groups(right_a: Any, right_b: Any, *, k: int = 10) -> RandomGroupsExplorer:
    """Explore a t-test on K random groups with sliders for the number of groups, the random partition and the level.

    The explorer shows why a t-test on random groups is not recommended: p depends on the partition, which is arbitrary.

    Parameters
    ----------
    right_a, right_b : array_like, shape (records,)
        Correctness of A and B on each record: 1 (right) or 0 (wrong).
    k : int
        Number of groups at the start, a divisor of the number of records.
    """
    return RandomGroupsExplorer(right_a, right_b, k)
