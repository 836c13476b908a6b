"""Bergmann-Hommel procedure."""

from __future__ import annotations

from functools import lru_cache
from math import comb
from typing import Any

import numpy as np

from ...core.step import make_read_only, step
from ...core.validation import check
from ...core.value_types import Array
from .holm import Holm
from .posthoc_comparison import pair_positions
from .stepwise_procedure import AllPairs

MAX_CLASSIFIERS = 9


class BergmannHommel(AllPairs, Holm):
    r"""Bergmann-Hommel procedure: which pairs of classifiers differ?

    Origin: published, Bergmann and Hommel (1988).

    The probability of at least one false rejection is at most alpha.

    Each hypothesis states that the two classifiers of a pair are equal.  If A = B and B = C, then A = C. Because of such relations, only
    some sets of pairs can be the set of all true hypotheses.  Each partition of the classifiers into groups of equal classifiers gives such
    an *exhaustive* set I of pairs.  A pair is rejected if each exhaustive set that contains the pair also contains a p-value of at most
    :math:`\alpha / |I|`:

    .. math:: \tilde p_h = \min\left\{1,\ \max_{I \ni h}\ |I| \min_{g \in I} p_g\right\}

    Parameters
    ----------
    control : None
        No control is possible, because the procedure uses logical relations among all pairs.
    scores, labels, data_sets, higher_is_better, metric, alpha
        As for :class:`fstats.Holm`.

    Attributes
    ----------
    pairs, pvalues, adjusted, reject, ladder
        As for :class:`fstats.Holm`.

    Notes
    -----
    Among the procedures of this package that control the familywise level for any dependence of the p-values, the Bergmann-Hommel
    procedure rejects most pairs.  The procedure examines all partitions, which takes time: 52 partitions for k = 5 classifiers, and
    21,147 for k = 9, the largest number allowed.

    A pair with a larger p-value may have a smaller adjusted p-value, and this order is correct.  A pair may be in a large exhaustive set
    without other small p-values; the next pair may be only in sets that other pairs exclude.  With p = 0.01 for A-B, 0.0101 for C-D,
    0.0001 for A-D and B-D, and 0.5 for A-C and B-C, the adjusted values of A-B and C-D are 0.03 and 0.02.  Some tables (Derrac et al.)
    print the running maximum of the adjusted p-values in the order of the p-values; at some levels the running maximum rejects fewer
    pairs.

    Raises
    ------
    ValueError, TypeError
        As for :class:`fstats.Friedman`; also if a control is given, a p-value is not between 0 and 1, the p-values are not one for
        each pair, or there are more than 9 classifiers.

    References
    ----------
    Bergmann and Hommel (1988), Improvements of general multiple test procedures for redundant systems of hypotheses, in Multiple
    Hypotheses Testing, Springer, pages 100 to 115.  Garcia and Herrera (2008), JMLR 9, section 2, pages 2680 to 2682 with Figure 1
    (the exhaustive sets), and its definition of adjusted p-values.  Derrac, Garcia, Molina and Herrera (2011), Swarm and
    Evolutionary Computation 1, Table 20.

    Examples
    --------
    Three classifiers have three pairs; the exhaustive sets are the set of all three pairs and each pair alone.

    >>> import fstats
    >>> fstats.BergmannHommel.from_pvalues([0.01, 0.02, 0.03]).adjusted
    array([0.03, 0.03, 0.03])
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        labels = self.__dict__.get("labels")
        if labels is not None and (k := len(labels)) > MAX_CLASSIFIERS:
            raise ValueError(
                f"BergmannHommel compares at most {MAX_CLASSIFIERS} classifiers; got {k} classifiers, with {bell_number(k):,} partitions "
                "to examine. Use `fstats.Shaffer`."
            )

    @step("B", r"\#\{\text{partitions of } 1, \ldots, $k\}")
    def partitions(self) -> int:
        """Number of partitions of the classifiers into groups of equal classifiers; each partition gives an exhaustive set of pairs."""
        return bell_number(int(self.k))

    _most_true_formula = (
        r"\max\left\{|I| : I \ni $order,\ p_g > \frac{$alpha}{|I|} \text{ for all other } g \in I\right\} \text{ of } $pairs, $pvalues"
    )

    @step("t_r", _most_true_formula, over="r", check=check.counts)
    def most_true(self) -> Any:
        """Size of the largest exhaustive set that contains the pair and that no p-value of another pair excludes."""
        sets = exhaustive_sets(self.pairs)
        sizes = sets.sum(1, keepdims=True)

        def largest(p: Array) -> Array:
            p_in_set = np.where(sets, p, np.inf)
            ascending = np.sort(np.column_stack([p_in_set, np.full(len(sets), np.inf)]), axis=1)
            smallest, second = ascending[:, :1], ascending[:, 1:2]
            smallest_other = np.where(p_in_set == smallest, second, smallest)
            return np.where(sets & (smallest_other > self.alpha / sizes), sizes, 0).max(0)

        return np.take_along_axis(np.apply_along_axis(largest, 0, self.pvalues), self.order - 1, 0).astype(int)

    @step(
        r"\tilde p_{(r)}",
        r"\min\left\{1,\ \max_{I \ni h}\ |I| \min_{g \in I} p_g\right\} \text{ of } $pvalues \text{ for "
        r"} h = $order \text{ and exhaustive sets } I \text{ of } $pairs",
        over="r",
    )
    def sorted_adjusted(self) -> Array:
        """Smallest level at which each exhaustive set that contains the pair also contains a p-value that is low enough."""
        sets = exhaustive_sets(self.pairs)

        def adjusted(p: Array) -> Array:
            smallest = np.where(sets, p, np.inf).min(1) * sets.sum(1)
            return np.where(sets, smallest[:, np.newaxis], 0.0).max(0)

        return np.minimum(1, np.take_along_axis(np.apply_along_axis(adjusted, 0, self.pvalues), self.order - 1, 0))


def exhaustive_sets(pairs: Any) -> Any:
    """Return the sets of pairs that can be exactly the true hypotheses: a row for each set, a column for each pair."""
    labels = np.array(list(dict.fromkeys(name for pair in pairs for name in pair)))
    groups = partitions(len(labels))[1:]
    first, second = pair_positions(pairs, labels)
    return groups[:, first] == groups[:, second]


@lru_cache(MAX_CLASSIFIERS)
def partitions(k: int) -> Any:
    """Return all partitions of k classifiers into groups: a row for each partition, with the group of every classifier.

    >>> print(partitions(3))
    [[0 1 2]
     [0 0 0]
     [0 0 1]
     [0 1 0]
     [0 1 1]]
    """
    groups = np.zeros((1, 1), np.int8)
    for _ in range(k - 1):  # each step adds a classifier to an existing group or to a new group
        choices = groups.max(1) + 2
        joined = np.concatenate([np.arange(count) for count in choices])
        groups = np.column_stack([np.repeat(groups, choices, axis=0), joined.astype(np.int8)])
    # move the last row to the front: in this row, each classifier is a group of its own, so no hypothesis is true
    return make_read_only(np.roll(groups, 1, axis=0))


@lru_cache
def bell_number(k: int) -> int:
    """Return the number of partitions of k objects (Bell number)."""
    return sum(comb(k - 1, j) * bell_number(j) for j in range(k)) if k else 1
