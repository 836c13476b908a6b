"""How records are split: each test's plan, what it requires, as a scikit-learn splitter and for many data sets at once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import count
from math import ceil, comb, factorial, prod
from typing import Any, Literal

import numpy as np

from ....core.value_types import Integers
from ....runtime.optional_dependencies import require_extra
from . import split_requirements as asked
from .block_regularized_cv import BlockRegularizedCV, half_blocks, number_of_blocks
from .distinct_repetitions import DistinctRepetitions, repeated_folds
from .split_requirements import Requirement, SplitRequirementError, as_splits


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
        fstats.procedures.resampling.split_plans.split_requirements.SplitRequirementError: ... share a quarter of the records; splits 1 and 5 share ...
        """
        pairs, found = as_splits(splits, n, self.repeats, groups)
        if len(pairs) != self.splits:
            raise SplitRequirementError(f"splits must be the {self.splits} of {self}, in its order; got {len(pairs)}", asked.OTHER_NUMBER)
        for requirement in self.requires:
            if where := requirement.broken(found):
                raise SplitRequirementError(f"{self} requires that {requirement.words}; {where}", requirement.instead)
        return pairs

    def splitter(self, random_state: Any = None, *, stratify: bool = False, groups: bool = False) -> Any:
        """A scikit-learn splitter for this plan.  It never draws the same repetition twice."""
        if self.kind == "blocked":
            return BlockRegularizedCV(self.repeats, stratify=stratify, random_state=random_state)
        with require_extra("sklearn", "a splitter"):
            from sklearn import model_selection

        if groups:
            if self.kind == "k-fold" and self.repeats > 1:
                raise ValueError(
                    f"{self} cannot keep groups together: scikit-learn has no repeated k-fold plan "
                    f"for groups; use a test on one k-fold or hold-out plan"
                )
            if self.kind == "k-fold":
                return model_selection.GroupKFold(self.folds, shuffle=True, random_state=random_state)
        if self.kind == "hold-out":
            shuffled = model_selection.StratifiedShuffleSplit if stratify else model_selection.ShuffleSplit
            made = model_selection.GroupShuffleSplit if groups else shuffled
            return DistinctRepetitions(partial(made, test_size=self.test_share, random_state=random_state), self.repeats)
        repeated = model_selection.RepeatedStratifiedKFold if stratify else model_selection.RepeatedKFold
        return DistinctRepetitions(partial(repeated_folds, repeated, self.folds, random_state), self.repeats, self.folds)

    def can_split(self, units: int) -> bool:
        """Whether so many records (or groups that stay whole) can be split by this plan, each repetition in another way."""
        return units >= self.parts and self._ways(units) >= self.repeats

    @property
    def parts(self) -> int:
        """Into how many parts the records are dealt: training and test set, folds, or blocks."""
        return {"hold-out": 2, "k-fold": self.folds, "blocked": number_of_blocks(self.repeats)}[self.kind]

    @property
    def least(self) -> int:
        """The least number of records, or of groups, that it can split."""
        return next(units for units in count(2) if self.can_split(units))

    def tested_of(self, units: int) -> int:
        """How many of so many records test in a hold-out split: its share of them, rounded up as scikit-learn does."""
        return ceil(self.test_share * units - 1e-9)

    def _ways(self, units: int) -> int:
        """In how many ways the plan can split so many records, counted no further than needed."""
        if self.kind == "hold-out":
            return comb(units, self.tested_of(units))
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
            tested = np.arange(self.tested_of(n))
            return [(shuffle, tested) for shuffle in range(self.repeats)]
        if self.kind == "k-fold":
            folds = np.array_split(np.arange(n), self.folds)
            return [(shuffle, fold) for shuffle in range(self.repeats) for fold in folds]
        dealt = np.arange(n) % self.parts
        return [(0, np.flatnonzero(np.isin(dealt, half))) for first, second in half_blocks(self.repeats) for half in (second, first)]


HOLD_OUT_THIRD = Plan("hold-out", 1, test_share=1 / 3)
REPEATED_HOLD_OUT_THIRD = Plan("hold-out", 15, test_share=1 / 3)
REPEATED_HOLD_OUT_TENTH = Plan("hold-out", 15, test_share=1 / 10)
TEN_FOLD = Plan("k-fold", 1, folds=10)
TEN_TIMES_TEN_FOLD = Plan("k-fold", 10, folds=10)
FIVE_BY_TWO = Plan("k-fold", 5)
BLOCKED_THREE_BY_TWO = Plan("blocked", 3)
BLOCKED_FIVE_BY_TWO = Plan("blocked", 5)
