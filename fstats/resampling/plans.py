"""How records are split: each test's plan, what it requires, as a scikit-learn splitter and for many data sets at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import count
from math import ceil, comb, factorial, prod
from typing import Any, Literal

import numpy as np

from ..value import Integers
from . import requirements as asked
from .draws import DrawnOnce, repeated_folds
from .requirements import Requirement, Unmet, as_splits

# Columns of the two-level orthogonal array L8(2^7): block b is in the first half of repetition j if the bits of b that the
# mask selects have an even sum.  In this order the first five are Table 3 of the 5x2 BCV paper; L4(2^3) needs four blocks.
MASKS = {4: (2, 1, 3), 8: (4, 1, 2, 3, 5, 6, 7)}


def halves(repeats: int) -> list[tuple[list[int], list[int]]]:
    """The blocks of the two halves of each repetition; any two first halves share half of their blocks.

    >>> halves(3)
    [([0, 1], [2, 3]), ([0, 2], [1, 3]), ([0, 3], [1, 2])]
    """
    blocks = 4 if repeats <= 3 else 8
    parity = [[bin(block & mask).count("1") % 2 for block in range(blocks)] for mask in MASKS[blocks][:repeats]]
    first, second = ([[b for b in range(blocks) if odd[b] == half] for odd in parity] for half in (0, 1))
    return list(zip(first, second, strict=True))


class BlockRegularizedCV:
    """Splitter: m x 2 block-regularized cross-validation, a scikit-learn splitter.

    m times the records are cut into two halves, and each half once trains and once tests.  The halves are made of 4 blocks
    (m up to 3) or 8 blocks (m up to 7), so chosen by an orthogonal array that any two training sets of different repetitions
    share a quarter of the records, where random halves would share now more, now fewer.

    Parameters
    ----------
    n_repeats : int
        The number m of repetitions, 1 to 7.
    stratify : bool
        Whether each class is dealt to the blocks evenly.
    random_state : int, numpy Generator or None
        Which record goes to which block; the same number gives the same splits.

    Notes
    -----
    Splits 2j and 2j + 1 are the two folds of repetition j.  Any two training sets of different repetitions have n/4 records in
    common, up to 2; with ``stratify`` this holds in each class, too.  With ``groups`` whole groups are dealt to the blocks,
    and overlaps are only as equal as the groups allow.

    Raises
    ------
    ValueError, TypeError
        For a number of repetitions outside 1 to 7; when splitting, for fewer records (or groups) than blocks, and for a class
        with fewer members than blocks if stratified.

    References
    ----------
    Wang, Li and Li (2017), Choosing between two classification learning algorithms based on calibrated balanced 5x2 cross-validated
    F-test, Neural Processing Letters 46, pages 1 to 13.  Wang, Wang, Jia and Li (2014), Blocked 3x2 cross-validated t-test for
    comparing supervised classification learning algorithms, Neural Computation 26, pages 208 to 235.  Wang and Li,
    Block-regularized 5x2 cross-validated McNemar's test for comparing two classification algorithms, section 4.1 and Table 3.

    Examples
    --------
    >>> plan = BlockRegularizedCV(n_repeats=3, random_state=0)
    >>> train = [set(train.tolist()) for train, test in plan.split(range(16))]
    >>> [len(train[0] & other) for other in train[2:]]
    [4, 4, 4, 4]
    """

    def __init__(self, n_repeats: int = 5, *, stratify: bool = False, random_state: Any = None) -> None:
        if isinstance(n_repeats, bool) or not isinstance(n_repeats, (int, np.integer)):
            raise TypeError(f"n_repeats must be a whole number from 1 to 7; got {n_repeats!r}")
        if not 1 <= n_repeats <= 7:
            raise ValueError(f"n_repeats must lie between 1 and 7, for which an orthogonal array of 8 blocks is known; got {n_repeats}")
        self.n_repeats, self.stratify, self.random_state = n_repeats, stratify, random_state

    @property
    def n_blocks(self) -> int:
        """Number of blocks: 4 or 8."""
        return 4 if self.n_repeats <= 3 else 8

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:  # noqa: ARG002
        """Number of splits: two for each repetition."""
        return 2 * self.n_repeats

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[tuple[Integers, Integers]]:
        """Training and test indices of each split.

        Parameters
        ----------
        X : array_like
            Records; only their number matters.
        y : array_like, optional
            Class of each record, needed if stratified.
        groups : array_like, optional
            Records of the same group stay together.
        """
        block = self.blocks(X.shape[0] if hasattr(X, "shape") else len(X), y, groups)
        for first, second in halves(self.n_repeats):
            one, other = (np.flatnonzero(np.isin(block, half)) for half in (first, second))
            yield one, other
            yield other, one

    def blocks(self, n: int, y: Any = None, groups: Any = None) -> Integers:
        """The block of each record."""
        if groups is not None and len(groups) != n:
            raise ValueError(f"groups must name the group of each of the {n} records; got {len(groups)}")
        rng = np.random.default_rng(self.random_state)
        units, unit_of = (np.arange(n), np.arange(n)) if groups is None else np.unique(np.asarray(groups), return_inverse=True)
        if len(units) < self.n_blocks:
            what = "records" if groups is None else "groups"
            raise ValueError(
                f"{self.n_repeats} x 2 block-regularized cross-validation needs at least {self.n_blocks} {what}, one for each block; got {len(units)}"
            )
        order = rng.permutation(len(units))
        if self.stratify:
            order = order[np.argsort(self._classes(y, n, groups)[order], kind="stable")]  # shuffled within each class
        block = np.empty(len(units), np.int64)
        block[order] = rng.permutation(self.n_blocks)[np.arange(len(units)) % self.n_blocks]  # dealt like cards, on and on
        return block[unit_of]

    def _classes(self, y: Any, n: int, groups: Any) -> Integers:
        if groups is not None:
            raise ValueError(
                "stratify and groups cannot both be had: a group is dealt as a whole, whatever its classes; leave out one of them"
            )
        if y is None or len(y) != n:
            raise ValueError(f"stratify needs y, the class of each of the {n} records; got {'none' if y is None else len(y)}")
        names, classes, sizes = np.unique(np.asarray(y), return_inverse=True, return_counts=True)
        if (sizes < self.n_blocks).any():
            rare = int(np.argmin(sizes))
            raise ValueError(
                f"to stratify, each class needs at least {self.n_blocks} members, one for each block; class {names.tolist()[rare]!r} has {sizes[rare]}: "
                "use stratify=False, or merge or drop that class"
            )
        return classes

    def __repr__(self) -> str:
        return f"BlockRegularizedCV(n_repeats={self.n_repeats}, stratify={self.stratify}, random_state={self.random_state!r})"


@dataclass(frozen=True)
class Plan:
    """The splits that a test is made for.

    `shape` is that of the results, one entry for each split.  The same plan is a scikit-learn splitter for models
    (:meth:`splitter`), and, where losses do not depend on the training set, a list of positions in shuffled records
    (:meth:`cuts`), which serves thousands of data sets at once.  Splits made elsewhere serve as well if they have what the
    plan `requires`, which :meth:`checked` sees to.
    """

    kind: Literal["hold-out", "k-fold", "blocked"]
    repeats: int
    folds: int = 2
    test_share: float = 0.5

    @property
    def shape(self) -> tuple[int, ...]:
        """Of the results: repetitions, then folds, where there are several of both."""
        return tuple(size for size in (self.repeats, 1 if self.kind == "hold-out" else self.folds) if size > 1)

    @property
    def splits(self) -> int:
        """How many splits there are; each model is trained once in each."""
        return self.repeats * (1 if self.kind == "hold-out" else self.folds)

    def __str__(self) -> str:
        if self.kind == "hold-out":
            return f"{self.repeats} x hold-out, {self.test_share:.3g} of the records for testing"
        return f"{self.repeats} x {self.folds}-fold cross-validation{', block-regularized' if self.kind == 'blocked' else ''}"

    @property
    def test_train_ratio(self) -> float:
        """Records to test by records to train, as the plan has it (a number of records that cannot be divided makes it another)."""
        return self.test_share / (1 - self.test_share) if self.kind == "hold-out" else 1 / (self.folds - 1)

    @property
    def requires(self) -> tuple[Requirement, ...]:
        """What the test takes for granted about its splits, beside their number."""
        different = (asked.DIFFERENT,) if self.repeats > 1 else ()
        exchangeable = (asked.EXCHANGEABLE,) if self.splits > 1 else ()
        once = () if self.kind == "hold-out" else (asked.ONCE,)
        halves = (asked.HALVES,) if once and self.folds == 2 else ()
        overlap = (asked.QUARTERS,) if self.kind == "blocked" else (asked.DRAWN_ANEW,) * len(different)  # a quarter is what chance shares
        return (asked.APART, asked.WHOLE_GROUPS, *different, *exchangeable, *once, *halves, *overlap)

    def checked(self, splits: Any, n: int, groups: Any = None) -> list[tuple[Integers, Integers]]:
        """Splits that were made elsewhere, if they are what the plan requires; as positions.

        Parameters
        ----------
        splits : iterable of (train, test)
            The positions of the records on both sides of each split (or, for all records, True and False), repetition by repetition.
        n : int
            Number of records.
        groups : array_like, optional
            The group of each record, where groups stay whole; halves and overlaps are then as equal as groups allow.

        Raises
        ------
        ValueError
            For another number of splits, positions that are no records or stand twice, and for splits that lack a property which
            the plan requires: it names the property and the split.

        Examples
        --------
        >>> len(BLOCKED_FIVE_BY_TWO.checked(BlockRegularizedCV(random_state=0).split(range(100)), 100))
        10
        >>> BLOCKED_FIVE_BY_TWO.checked(FIVE_BY_TWO.splitter(0).split(range(100)), 100)
        Traceback (most recent call last):
            ...
        fstats.resampling.requirements.Unmet: ... share a quarter of the records; splits 1 and 5 share 27 of 100
        """
        pairs, found = as_splits(splits, n, self.repeats, groups)
        if len(pairs) != self.splits:
            raise Unmet(f"splits must be the {self.splits} of {self}, in its order; got {len(pairs)}", asked.OTHER_NUMBER)
        for requirement in self.requires:
            if where := requirement.broken(found):
                raise Unmet(f"{self} requires that {requirement.words}; {where}", requirement.instead)
        return pairs

    def splitter(self, random_state: Any = None, *, stratify: bool = False, groups: bool = False) -> Any:
        """A scikit-learn splitter for this plan.  It never draws the same repetition twice."""
        if self.kind == "blocked":
            return BlockRegularizedCV(self.repeats, stratify=stratify, random_state=random_state)
        from sklearn import model_selection

        if groups:
            if self.kind == "k-fold" and self.repeats > 1:
                raise ValueError(
                    f"{self} cannot keep groups together: scikit-learn has no repeated k-fold plan for groups; use a test on one k-fold or hold-out plan"
                )
            if self.kind == "k-fold":
                return model_selection.GroupKFold(self.folds, shuffle=True, random_state=random_state)
        if self.kind == "hold-out":
            shuffled = model_selection.StratifiedShuffleSplit if stratify else model_selection.ShuffleSplit
            made = model_selection.GroupShuffleSplit if groups else shuffled
            return DrawnOnce(partial(made, test_size=self.test_share, random_state=random_state), self.repeats)
        repeated = model_selection.RepeatedStratifiedKFold if stratify else model_selection.RepeatedKFold
        return DrawnOnce(partial(repeated_folds, repeated, self.folds, random_state), self.repeats, self.folds)

    def can_split(self, units: int) -> bool:
        """Whether so many records (or groups that stay whole) can be split by this plan, each repetition in another way."""
        return units >= self.parts and self._ways(units) >= self.repeats

    @property
    def parts(self) -> int:
        """Into how many parts the records are dealt: training and test set, folds, or blocks."""
        return {"hold-out": 2, "k-fold": self.folds, "blocked": 4 if self.repeats <= 3 else 8}[self.kind]

    @property
    def least(self) -> int:
        """The least number of records, or of groups, that it can split."""
        return next(units for units in count(2) if self.can_split(units))

    def _ways(self, units: int) -> int:
        """In how many ways the plan can split so many records, counted no further than needed."""
        if self.kind == "hold-out":
            return comb(units, ceil(self.test_share * units - 1e-9))
        if self.kind == "blocked" or units > 5 * self.folds:
            return self.repeats  # enough, and the count would be huge
        small, larger = divmod(units, self.folds)
        sizes = [small + 1] * larger + [small] * (self.folds - larger)
        return factorial(units) // (prod(map(factorial, sizes)) * factorial(larger) * factorial(self.folds - larger))

    @property
    def shuffles(self) -> int:
        """How many shuffles of the records the plan takes."""
        return 1 if self.kind == "blocked" else self.repeats

    def cuts(self, n: int) -> list[tuple[int, Integers]]:
        """For each split, which shuffle its test set is cut from, and the positions there."""
        if self.kind == "hold-out":
            tested = np.arange(int(np.ceil(self.test_share * n - 1e-9)))
            return [(shuffle, tested) for shuffle in range(self.repeats)]
        if self.kind == "k-fold":
            folds = np.array_split(np.arange(n), self.folds)
            return [(shuffle, fold) for shuffle in range(self.repeats) for fold in folds]
        dealt = np.arange(n) % (4 if self.repeats <= 3 else 8)
        return [(0, np.flatnonzero(np.isin(dealt, half))) for first, second in halves(self.repeats) for half in (second, first)]


HOLD_OUT_THIRD = Plan("hold-out", 1, test_share=1 / 3)
REPEATED_HOLD_OUT_THIRD = Plan("hold-out", 15, test_share=1 / 3)
REPEATED_HOLD_OUT_TENTH = Plan("hold-out", 15, test_share=1 / 10)
TEN_FOLD = Plan("k-fold", 1, folds=10)
TEN_TIMES_TEN_FOLD = Plan("k-fold", 10, folds=10)
FIVE_BY_TWO = Plan("k-fold", 5)
BLOCKED_THREE_BY_TWO = Plan("blocked", 3)
BLOCKED_FIVE_BY_TWO = Plan("blocked", 5)
