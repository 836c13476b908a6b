"""The explorer of an approach that is not recommended: cut one test set into K groups, t-test the K pairs of accuracies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from .. import plot
from ..check import numbers
from ..hypothesis import HypothesisTest
from ..number import p_beside, plain
from ..pairwise.paired_t import PairedT
from ..picture import BLUE, VERMILLION, Curve, Picture, Points, VerticalLine
from ..value import Array
from .explorer import Control, Explorer
from .pairs import LEVELS, position_of

PARTITIONS, SEED = 100, 2026


def group_accuracies(
    right_a: Any, right_b: Any, k: int, *, partitions: int = PARTITIONS, rng: np.random.Generator | int
) -> tuple[Array, Array]:
    """Accuracies of two classifiers in k equal groups of the records, for many random partitions at once.

    Parameters
    ----------
    right_a, right_b : array_like, shape (records,)
        Whether A and B are right on each record: 1 or 0.
    k : int
        Groups; a divisor of the number of records, from 2 to half of it.
    partitions : int
        Random partitions, each a repetition on the last axis.
    rng : numpy.random.Generator or int
        Where chance comes from.  The same seed shuffles the records in the same way whatever k is.

    Returns
    -------
    two arrays, shape (k, partitions)
        What :class:`fstats.PairedT` takes; A and B share their groups.

    Examples
    --------
    >>> a, b = group_accuracies([1, 1, 0, 1], [0, 0, 0, 0], 2, partitions=3, rng=0)
    >>> a.shape, (2 * a.mean(0)).tolist(), b.max()
    ((2, 3), [1.5, 1.5, 1.5], np.float64(0.0))
    """
    right = np.stack(_right(right_a, right_b), axis=-1)
    if not (possible := divisors(len(right))):
        raise ValueError(
            f"{len(right)} records cannot be cut into equal groups of at least 2; leave some out, so that their number has divisors"
        )
    if k not in possible:
        raise ValueError(f"k must cut {len(right)} records into equal groups of at least 2: {', '.join(map(str, possible))}; got {k!r}")
    order = np.random.default_rng(rng).permuted(np.tile(np.arange(len(right)), (partitions, 1)), axis=1)
    accuracy = right[order].reshape(partitions, k, len(right) // k, 2).mean(2)
    return accuracy[..., 0].T, accuracy[..., 1].T


def divisors(records: int) -> list[int]:
    """The numbers of equal groups into which so many records can be cut, at least 2 groups and 2 records each."""
    return [k for k in range(2, records // 2 + 1) if records % k == 0]


def _right(right_a: Any, right_b: Any) -> tuple[Array, Array]:
    a, b = numbers(right_a, "right_a"), numbers(right_b, "right_b")
    if a.shape != b.shape or a.ndim != 1:
        raise ValueError(f"right_a and right_b must be two lists of the same length; got shapes {a.shape} and {b.shape}")
    for name, x in (("right_a", a), ("right_b", b)):
        if not np.isin(x, (0, 1)).all():
            raise ValueError(f"{name} must say 1 (right) or 0 (wrong) for each record; got {x[~np.isin(x, (0, 1))][0]:g}")
    return a, b


def over_partitions(pvalues: Array, chosen: int, alpha: float) -> Picture:
    """How p differs from one partition of the records to the next.

    >>> over_partitions(np.array([0.3, 0.01, 0.2]), 1, 0.05)
    [picture: p for 3 random partitions, in order: 0.01 to 0.3, half of them at most 0.2; 1 of 3 reject at alpha = 0.05. The partition shown has p = 0.01.]
    """
    n, p = len(pvalues), float(pvalues[chosen])
    rejecting = int((pvalues <= alpha).sum())
    x = np.sort(pvalues)
    at_most = np.arange(1.0, n + 1)
    here = np.array([p]), np.array([float((pvalues <= p).sum())])
    return Picture(
        title=f"{rejecting} of {n} random partitions reject",
        xlabel="p",
        ylabel="partitions with at most this p",
        xlim=(0.0, 1.0),
        ylim=(0.0, 1.35 * n),
        marks=(
            Curve(np.repeat(np.r_[0, x, 1], 2)[1:-1], np.repeat(np.r_[0, at_most], 2)),
            VerticalLine(alpha, f"alpha = {plain(alpha)}", VERMILLION, dashed=True, line=1),
            VerticalLine(p, p_beside(p, alpha), BLUE),
            Points(*here, BLUE, "the partition shown"),
        ),
        text=f"p for {n} random partitions, in order: {plain(x[0])} to {plain(x[-1])}, half of them at most {plain(np.median(x))}; "
        f"{rejecting} of {n} reject at alpha = {plain(alpha)}. The partition shown has {p_beside(p, alpha)}.",
    )


class GroupsExplorer(Explorer):
    """A paired t-test on the accuracies in K random groups of one test set.

    Parameters
    ----------
    right_a, right_b : array_like
        Whether A and B are right on each record.
    k : int
        Groups at the start.
    """

    def __init__(self, right_a: Any, right_b: Any, k: int) -> None:
        self._right = _right(right_a, right_b)
        self._cut(k)
        self._possible = divisors(len(self._right[0]))
        self._first = {"k": self._possible.index(k), "partition": 0, "alpha": position_of(0.05)}
        super().__init__("PairedT on K groups with sliders")

    def _cut(self, k: int) -> None:
        self.a, self.b = group_accuracies(*self._right, k, rng=SEED)

    def _start(self) -> None:
        self._at = dict(self._first)
        self._cut(self._k)

    def _take(self, moved: Mapping[str, int]) -> None:
        self._at |= moved
        if "k" in moved:
            self._cut(self._k)

    @property
    def _k(self) -> int:
        return self._possible[self._at["k"]]

    @property
    def controls(self) -> Sequence[Control]:
        """The sliders as they stand."""
        at, k = self._at, self._k
        return [
            Control("k", "Groups K", 0, len(self._possible) - 1, at["k"], f"{k} times {len(self._right[0]) // k}"),
            Control("partition", "Random partition", 0, PARTITIONS - 1, at["partition"], f"number {at['partition']}"),
            Control("alpha", "Level alpha", 0, len(LEVELS) - 1, at["alpha"], plain(LEVELS[at["alpha"]])),
        ]

    @property
    def test(self) -> HypothesisTest:
        """The test that is shown, computed afresh."""
        shown = self._at["partition"]
        return PairedT(self.a[:, shown], self.b[:, shown], alpha=LEVELS[self._at["alpha"]])

    def pictures(self, test: HypothesisTest) -> Sequence[Picture]:
        """The accuracies in the groups, the null distribution, and p for all partitions."""
        return [
            of_groups(plot.scores(test)),
            test.plot(),
            over_partitions(np.atleast_1d(PairedT(self.a, self.b).pvalue), self._at["partition"], test.alpha),
        ]


def of_groups(picture: Picture) -> Picture:
    """A picture of scores whose "data sets" are groups of one."""
    title, text = (words.replace("data sets", "groups") for words in (picture.title, picture.text))
    return replace(picture, title=title, text=text, xlabel="group", ylabel="accuracy")


def groups(right_a: Any, right_b: Any, *, k: int = 10) -> GroupsExplorer:
    """K groups and a t-test, with sliders: the number of groups, which random partition, the level.

    It shows why this is not recommended: the partition, which means nothing, moves p.

    Parameters
    ----------
    right_a, right_b : array_like, shape (records,)
        Whether A and B are right on each record: 1 or 0.
    k : int
        Groups at the start, a divisor of the number of records.
    """
    return GroupsExplorer(right_a, right_b, k)
