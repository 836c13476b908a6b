"""Bergmann and Hommel's procedure."""

from __future__ import annotations

from functools import lru_cache
from math import comb
from typing import Any

import numpy as np

from ...core.step import step
from ...core.validation import check
from ...core.value_types import Array
from .holm import Holm
from .posthoc_comparison import places
from .stepwise_procedure import AllPairs

MAX_CLASSIFIERS = 9  # classifiers
CELLS = 2**22  # p-values that are worked on at once


class BergmannHommel(AllPairs, Holm):
    r"""Bergmann-Hommel procedure: which pairs of classifiers differ, when none that are alike may be told apart?

    If A = B and B = C then A = C: only some sets of pairs can be exactly the true ones.  These *exhaustive* sets I come from
    the partitions of the classifiers into groups that are alike.  A pair is rejected if each exhaustive set with it contains a
    p-value of at most :math:`\alpha / |I|`:

    .. math:: \tilde p_h = \min\left\{1,\ \max_{I \ni h}\ |I| \min_{g \in I} p_g\right\}

    Parameters
    ----------
    control : None
        There is none to choose: the procedure reckons with what all pairs together allow.
    scores, labels, data_sets, higher_is_better, metric, alpha
        As for :class:`fstats.Holm`.

    Attributes
    ----------
    pairs, pvalues, adjusted, reject, ladder
        As for :class:`fstats.Holm`.

    Notes
    -----
    Of the procedures here that ask nothing of how the p-values depend on each other this one rejects most.  Its cost is that of
    looking at all partitions: 52 for k = 5 classifiers, 21,147 for k = 9, the most that is allowed.

    Adjusted p-values need not grow with the p-values, which is no mistake: one pair may be in a large set in which no other
    pair speaks, while the next, with a larger p-value, is only in sets that others have settled.  With p = 0.01 for A-B, 0.0101
    for C-D, 0.0001 for A-D and B-D, and 0.5 for A-C and B-C, the adjusted values of A-B and C-D are 0.03 and 0.02.  Some tables
    (Derrac et al.) print the running maximum along the ladder instead, which at some levels rejects less.

    Raises
    ------
    ValueError, TypeError
        As for :class:`fstats.Friedman`; for a control, p-values that are not between 0 and 1 or not one for each pair, and for
        more than 9 classifiers.

    References
    ----------
    Bergmann and Hommel (1988), Improvements of general multiple test procedures for redundant systems of hypotheses, in Multiple
    Hypotheses Testing, Springer, pages 100 to 115.  Garcia and Herrera (2008), JMLR 9, section 2, pages 2680 to 2682 with Figure 1
    (the exhaustive sets), and its definition of adjusted p-values.  Derrac, Garcia, Molina and Herrera (2011), Swarm and
    Evolutionary Computation 1, Table 20.

    Examples
    --------
    Exhaustive sets of the three pairs of three classifiers: all three, or each alone.

    >>> import fstats
    >>> fstats.BergmannHommel.from_pvalues([0.01, 0.02, 0.03]).adjusted
    array([0.03, 0.03, 0.03])
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        labels = self.__dict__.get("labels")
        if labels is not None and (k := len(labels)) > MAX_CLASSIFIERS:
            raise ValueError(
                f"BergmannHommel is limited to k = {MAX_CLASSIFIERS} classifiers ({bell_number(MAX_CLASSIFIERS):,} partitions into "
                f"groups); got k = {k}, which has {bell_number(k):,}: use fstats.Shaffer"
            )

    @step("B", r"\#\{\text{partitions of } 1, \ldots, $k\}")
    def partitions(self) -> int:
        """In how many ways the classifiers fall into groups that are alike; each way has its exhaustive set of true pairs."""
        return bell_number(int(self.k))

    @step(
        "t_r",
        r"\max\left\{|I| : I \ni $order,\ p_g > \frac{$alpha}{|I|} \text{ for all other } g \in I\right\} \text{ of } $pairs, $pvalues",
        over="r",
        check=check.counts,
    )
    def most_true(self) -> Any:
        """Size of the largest exhaustive set with this pair in which no other pair has a p-value low enough to reject it."""
        sets, p = exhaustive_sets(self.pairs), self.pvalues
        sizes = sets.sum(1)

        def largest(p: Array) -> Array:
            low = np.where(sets[:, :, None], p, np.inf)
            first = low.argmin(1)[:, None]
            least = np.take_along_axis(low, first, 1)
            np.put_along_axis(low, first, np.inf, 1)
            others = np.where(np.arange(len(p))[:, None] == first, low.min(1)[:, None], least)  # the least p of the other pairs
            open_still = sets[:, :, None] & (others > self.alpha / sizes[:, None, None])
            return np.where(open_still, sizes[:, None, None], 0).max(0)

        return np.take_along_axis(_apply_in_blocks(largest, p, len(sets)), self.order - 1, 0).astype(int)

    @step(
        r"\tilde p_{(r)}",
        r"\min\left\{1,\ \max_{I \ni h}\ |I| \min_{g \in I} p_g\right\} \text{ of } $pvalues \text{ for "
        r"} h = $order \text{ and exhaustive sets } I \text{ of } $pairs",
        over="r",
    )
    def sorted_adjusted(self) -> Array:
        """Smallest level at which each exhaustive set with the pair on this rung holds a p-value low enough; nothing is walked."""
        sets = exhaustive_sets(self.pairs)
        sizes = sets.sum(1)

        def adjusted(p: Array) -> Array:
            least = np.where(sets[:, :, None], p, np.inf).min(1) * sizes[:, None]
            return np.where(sets[:, :, None], least[:, None], 0.0).max(0)

        return np.minimum(1, np.take_along_axis(_apply_in_blocks(adjusted, self.pvalues, len(sets)), self.order - 1, 0))


def _apply_in_blocks(function: Any, p: Array, sets: int) -> Array:
    """A function of p-values, one column for each repetition, on a few repetitions at a time."""
    flat = p.reshape(len(p), -1)
    few = max(1, CELLS // (sets * len(p)))
    parts = [function(flat[:, first : first + few]) for first in range(0, flat.shape[1], few)]
    return np.concatenate(parts, axis=1).reshape(p.shape)


def exhaustive_sets(pairs: Any) -> Any:
    """Which pairs can be exactly the true ones: a line for each set, a column for each pair."""
    labels = np.array(list(dict.fromkeys(name for pair in pairs for name in pair)))
    groups = partitions(len(labels))[1:]
    first, second = places(pairs, labels)
    return groups[:, first] == groups[:, second]


@lru_cache(MAX_CLASSIFIERS)
def partitions(k: int) -> Any:
    """All ways for k classifiers to fall into groups: a line for each, with the group of every classifier.

    >>> print(partitions(3))
    [[0 1 2]
     [0 0 0]
     [0 0 1]
     [0 1 0]
     [0 1 1]]
    """
    groups = np.zeros((1, 1), np.int8)
    for _ in range(k - 1):  # the next classifier joins one of the groups, or opens a new one
        choices = groups.max(1) + 2
        joined = np.concatenate([np.arange(count) for count in choices])
        groups = np.column_stack([np.repeat(groups, choices, axis=0), joined.astype(np.int8)])
    groups = np.roll(groups, 1, axis=0)  # the last has a group for each classifier: no pair is true
    groups.setflags(write=False)
    return groups


@lru_cache
def bell_number(k: int) -> int:
    """In how many ways k things fall into groups: Bell's number."""
    return sum(comb(k - 1, j) * bell_number(j) for j in range(k)) if k else 1
