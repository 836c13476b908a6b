"""Train/test splits of cross-validation and hold-out plans."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import count, islice
from math import ceil, comb, factorial, prod
from typing import Any, Literal

import numpy as np

from ....core.value_types import Integers
from ....runtime.optional_dependencies import require_extra
from . import split_requirements as asked
from .block_regularized_cv import BlockRegularizedCV, half_blocks, number_of_blocks
from .split_requirements import Requirement, SplitRequirementError, as_splits

MAX_DRAWS_PER_REPETITION = 100  # maximum number of draws for each repetition; an error is raised if they do not suffice


class DistinctRepetitions:
    """A scikit-learn splitter of random repetitions that draws again if a repetition occurs twice.

    Without duplicates, the splits are the same as those of the scikit-learn splitter from which they are drawn.
    """

    def __init__(self, draws: Callable[[int], Any], repeats: int, folds: int = 1) -> None:
        self.draws, self.repeats, self.folds = draws, repeats, folds

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:  # noqa: ARG002
        """Return the number of splits."""
        return self.repeats * self.folds

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[tuple[Integers, Integers]]:
        """Yield the training and test indices of each split."""
        seen: set[frozenset[bytes]] = set()
        drawn = self.draws(MAX_DRAWS_PER_REPETITION * self.repeats).split(X, y, groups)
        while repetition := list(islice(drawn, self.folds)):
            tested = frozenset(np.sort(test).tobytes() for _, test in repetition)
            if tested not in seen:
                seen.add(tested)
                yield from repetition
            if len(seen) == self.repeats:
                return
        raise ValueError(
            f"the records must allow {self.repeats} different splits; got only {len(seen)} different splits. Use more records or groups."
        )

    def __repr__(self) -> str:
        return f"DistinctRepetitions({self.draws(self.repeats)!r})"


def repeated_folds(splitter_class: Any, folds: int, random_state: Any, repeats: int) -> Any:
    """Create a splitter of repeated cross-validation."""
    return splitter_class(n_splits=folds, n_repeats=repeats, random_state=random_state)


@dataclass(frozen=True)
class Plan:
    """Plan of the splits that a test requires.

    `shape` is the shape of the results, with one entry for each split.  :meth:`splitter` returns a scikit-learn splitter for models.  For
    losses that do not depend on the training set, :meth:`test_positions` returns positions in shuffled records, which can be used for
    thousands of data sets at once.  Splits from other sources are allowed if they meet the requirements (`requires`);
    :meth:`check_splits` checks this.
    """

    kind: Literal["hold-out", "k-fold", "blocked"]
    repeats: int
    folds: int = 2
    test_share: float = 0.5

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the results: repetitions, then folds, without axes of length 1."""
        return tuple(size for size in (self.repeats, 1 if self.kind == "hold-out" else self.folds) if size > 1)

    @property
    def splits(self) -> int:
        """Number of splits; each model is trained once on each split."""
        return self.repeats * (1 if self.kind == "hold-out" else self.folds)

    def __str__(self) -> str:
        if self.kind == "hold-out":
            return f"{self.repeats} x hold-out, {self.test_share:.3g} of the records for testing"
        return f"{self.repeats} x {self.folds}-fold cross-validation{', block-regularized' if self.kind == 'blocked' else ''}"

    @property
    def test_train_ratio(self) -> float:
        """Test records divided by training records, as planned (if the records cannot be divided evenly, the actual ratio differs)."""
        return self.test_share / (1 - self.test_share) if self.kind == "hold-out" else 1 / (self.folds - 1)

    @property
    def requires(self) -> tuple[Requirement, ...]:
        """Requirements of the test on its splits, besides the number of splits."""
        different = (asked.DIFFERENT,) if self.repeats > 1 else ()
        exchangeable = (asked.EXCHANGEABLE,) if self.splits > 1 else ()
        once = () if self.kind == "hold-out" else (asked.ONCE,)
        halves = (asked.HALVES,) if once and self.folds == 2 else ()
        # QUARTERS: training sets of different repetitions share n / 4 records; independent halves share n / 4 only on average
        overlap = (asked.QUARTERS,) if self.kind == "blocked" else (asked.DRAWN_ANEW,) * len(different)
        return (asked.APART, asked.WHOLE_GROUPS, *different, *exchangeable, *once, *halves, *overlap)

    def check_splits(self, splits: Any, n: int, groups: Any = None) -> list[tuple[Integers, Integers]]:
        """Return the positions of given splits; raise SplitRequirementError if they do not meet the requirements of the plan.

        Parameters
        ----------
        splits : iterable of (train, test)
            Positions of the training and test records of each split (or True and False for all records), repetition by repetition.
        n : int
            Number of records.
        groups : array_like, optional
            Group of each record if groups stay whole; with groups, halves and overlaps are only as equal as the groups allow.

        Raises
        ------
        ValueError
            For another number of splits, positions outside the data set or listed twice, and splits that do not have a required
            property; the message names the property and the split.

        Examples
        --------
        >>> len(BLOCKED_FIVE_BY_TWO.check_splits(BlockRegularizedCV(random_state=0).split(range(100)), 100))
        10
        >>> BLOCKED_FIVE_BY_TWO.check_splits(FIVE_BY_TWO.splitter(0).split(range(100)), 100)
        Traceback (most recent call last):
            ...
        fstats.procedures.resampling.split_plans.split_requirements.SplitRequirementError: ... share a quarter ...; splits 1 and 5 share ...
        """
        pairs, masks = as_splits(splits, n, self.repeats, groups)
        if len(pairs) != self.splits:
            raise SplitRequirementError(f"`splits` must be the {self.splits} splits of {self}; got {len(pairs)} splits", asked.OTHER_NUMBER)
        for requirement in self.requires:
            if violation := requirement.find_violation(masks):
                raise SplitRequirementError(f"the plan {self} requires that {requirement.description}; {violation}", requirement.remedy)
        return pairs

    def splitter(self, random_state: Any = None, *, stratify: bool = False, groups: bool = False) -> Any:
        """Create a scikit-learn splitter for this plan, which never draws the same repetition twice."""
        if self.kind == "blocked":
            return BlockRegularizedCV(self.repeats, stratify=stratify, random_state=random_state)
        with require_extra("sklearn", "a splitter"):
            from sklearn import model_selection

        if groups:
            if self.kind == "k-fold" and self.repeats > 1:
                reason = "scikit-learn has no repeated k-fold splitter for groups"
                raise ValueError(
                    f"the plan {self} cannot keep groups together, because {reason}. Use a test on one k-fold or hold-out plan."
                )
            if self.kind == "k-fold":
                return model_selection.GroupKFold(self.folds, shuffle=True, random_state=random_state)
        if self.kind == "hold-out":
            ungrouped = model_selection.StratifiedShuffleSplit if stratify else model_selection.ShuffleSplit
            splitter_class = model_selection.GroupShuffleSplit if groups else ungrouped
            return DistinctRepetitions(partial(splitter_class, test_size=self.test_share, random_state=random_state), self.repeats)
        repeated = model_selection.RepeatedStratifiedKFold if stratify else model_selection.RepeatedKFold
        return DistinctRepetitions(partial(repeated_folds, repeated, self.folds, random_state), self.repeats, self.folds)

    def can_split(self, units: int) -> bool:
        """Return whether this plan can split a number of records (or whole groups), with different splits in each repetition."""
        return units >= self.parts and self._split_count(units) >= self.repeats

    @property
    def parts(self) -> int:
        """Number of parts of the records: training and test set, folds, or blocks."""
        return {"hold-out": 2, "k-fold": self.folds, "blocked": number_of_blocks(self.repeats)}[self.kind]

    @property
    def min_records(self) -> int:
        """Smallest number of records (or of whole groups) that the plan can split."""
        return next(units for units in count(2) if self.can_split(units))

    def test_size(self, units: int) -> int:
        """Return the number of test records in a hold-out split: a share of the records, rounded up as in scikit-learn."""
        return ceil(self.test_share * units - 1e-9)

    def _split_count(self, units: int) -> int:
        """Return the number of different ways to split the records; if it is huge, return a smaller number that is enough."""
        if self.kind == "hold-out":
            return comb(units, self.test_size(units))
        if self.kind == "blocked" or units > 5 * self.folds:
            # the exact number is huge; this smaller number is enough
            return self.repeats
        small, larger = divmod(units, self.folds)
        sizes = [small + 1] * larger + [small] * (self.folds - larger)
        return factorial(units) // (prod(map(factorial, sizes)) * factorial(larger) * factorial(self.folds - larger))

    @property
    def shuffles(self) -> int:
        """Number of shuffles of the records that the plan needs."""
        return 1 if self.kind == "blocked" else self.repeats

    def test_positions(self, n: int) -> list[tuple[int, Integers]]:
        """Return, for each split, the number of its shuffle and the positions of its test set in this shuffle."""
        if self.kind == "hold-out":
            tested = np.arange(self.test_size(n))
            return [(shuffle, tested) for shuffle in range(self.repeats)]
        if self.kind == "k-fold":
            folds = np.array_split(np.arange(n), self.folds)
            return [(shuffle, fold) for shuffle in range(self.repeats) for fold in folds]
        block = np.arange(n) % self.parts
        return [(0, np.flatnonzero(np.isin(block, half))) for first, second in half_blocks(self.repeats) for half in (second, first)]


HOLD_OUT_THIRD = Plan("hold-out", 1, test_share=1 / 3)
REPEATED_HOLD_OUT_THIRD = Plan("hold-out", 15, test_share=1 / 3)
REPEATED_HOLD_OUT_TENTH = Plan("hold-out", 15, test_share=1 / 10)
TEN_FOLD = Plan("k-fold", 1, folds=10)
TEN_TIMES_TEN_FOLD = Plan("k-fold", 10, folds=10)
FIVE_BY_TWO = Plan("k-fold", 5)
BLOCKED_THREE_BY_TWO = Plan("blocked", 3)
BLOCKED_FIVE_BY_TWO = Plan("blocked", 5)
