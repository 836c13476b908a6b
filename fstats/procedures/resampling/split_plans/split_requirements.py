"""Checks of cross-validation splits.

A check reports the first requirement that the splits of a plan violate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....core.validation.check import format_received_value
from .block_regularized_cv import number_of_blocks

SplitMask = NDArray[np.bool]  # row: split; column: record; value: True if the set of this split contains the record

MAX_DEVIATIONS = 5  # maximum overlap: this number of standard deviations above the mean overlap of independent sets
# If more than this share of the pairs of repetitions overlap too much, an error is raised.  A smaller share can overlap too much
# by chance if groups stay whole but `groups` is not passed.
MAX_PAIR_SHARE = 3 / 4
# maximum difference between the size of a half and n / 2, in records (or groups); it is not 0, because block sizes may differ
HALF_SIZE_TOLERANCE = 2


@dataclass(frozen=True)
class Splits:
    """Masks of the training and test records of each split."""

    train: SplitMask
    test: SplitMask
    repeats: int
    groups: NDArray[np.int64] | None = None  # group of each record; None if no records have to stay together

    @property
    def splits_per_repetition(self) -> int:
        """Number of splits in one repetition."""
        return len(self.test) // self.repeats

    @property
    def n(self) -> int:
        """Number of records."""
        return self.test.shape[1]

    def repetition_text(self, repetition: int) -> str:
        """Return the numbers of the splits of a repetition as text."""
        first, last = repetition * self.splits_per_repetition + 1, (repetition + 1) * self.splits_per_repetition
        return f"split {first}" if first == last else f"splits {first} to {last}"

    def is_size_between(self, sides: SplitMask, low: Callable[[int], float], high: Callable[[int], float]) -> NDArray[np.bool]:
        """Return, for each row, whether its number of records or of groups lies between two bounds for the total number."""
        sizes = sides.sum(1)
        fits = (low(self.n) <= sizes) & (sizes <= high(self.n))
        if self.groups is not None:
            count = int(self.groups.max()) + 1
            group_counts = np.array([len(np.unique(self.groups[side])) for side in sides])
            fits |= (low(count) <= group_counts) & (group_counts <= high(count))
        return fits

    def as_unit_matrix(self, sides: SplitMask, of: NDArray[np.bool]) -> NDArray[np.float64]:
        """Return masks of selected records as 0 and 1, one column for each record or, if groups stay together, for each group."""
        if self.groups is None:
            return sides.astype(float)
        groups = np.unique(self.groups[of], return_inverse=True)[1]
        return np.array([np.bincount(groups, side) > 0 for side in sides], float)


@dataclass(frozen=True)
class Requirement:
    """A property that a plan requires of its splits."""

    description: str  # the requirement in words
    # function that describes the first violation of the requirement, or returns "" if there is none
    find_violation: Callable[[Splits], str]
    remedy: str = ""  # advice for splits that violate the requirement

    def __repr__(self) -> str:
        return f"<Requirement: {self.description}>"


def _find_shared_record(splits: Splits) -> str:
    both = splits.train & splits.test
    if not both.any():
        return ""
    k, record = np.argwhere(both)[0]
    return f"split {k + 1} trains and tests on the same record, {record}: the score would be too good"


def _check_whole_groups(splits: Splits) -> str:
    if splits.groups is None:
        return ""
    for k, (train, test) in enumerate(zip(splits.train, splits.test)):
        if len(both := np.intersect1d(splits.groups[train], splits.groups[test])):
            records = ", ".join(str(np.flatnonzero(side & (splits.groups == both[0]))[0]) for side in (train, test))
            return f"split {k + 1} trains and tests on the same group (that of the records {records}): the score would be too good"
    return ""


def _find_untested_record(splits: Splits) -> str:
    times = splits.test.reshape(splits.repeats, -1, splits.n).sum(1)
    if (times == 1).all():
        return ""
    i, record = np.argwhere(times != 1)[0]
    return f"got record {record} {times[i, record]} times in repetition {i + 1}, {splits.repetition_text(i)}"


def _check_halves(splits: Splits) -> str:
    for name, sides in (("tests", splits.test), ("trains", splits.train)):
        fits = splits.is_size_between(sides, lambda n: n / 2 - HALF_SIZE_TOLERANCE, lambda n: n / 2 + HALF_SIZE_TOLERANCE)
        if not fits.all():
            k = int(np.argmin(fits))
            return f"split {k + 1} {name} on {sides[k].sum()} of {splits.n} records"
    return ""


def _check_quarter_overlap(splits: Splits) -> str:
    blocks = number_of_blocks(splits.repeats)
    blocks_in_quarter = blocks // 4
    pairs = [(s, t) for s, t in combinations(range(len(splits.train)), 2) if s // 2 != t // 2]
    if not pairs:
        return ""
    common = np.array([splits.train[s] & splits.train[t] for s, t in pairs])
    fits = splits.is_size_between(common, lambda n: blocks_in_quarter * (n // blocks), lambda n: blocks_in_quarter * -(-n // blocks))
    if fits.all():
        return ""
    k = int(np.argmin(fits))
    s, t = pairs[k]
    return f"splits {s + 1} and {t + 1} share {common[k].sum()} of {splits.n}"


def _find_duplicate(splits: Splits) -> str:
    across = splits.splits_per_repetition
    for singular_verb, plural_verb, sides in (("tests", "test", splits.test), ("trains on", "train on", splits.train)):
        sets = [np.packbits(side).tobytes() for side in sides]
        seen: dict[Any, int] = {}
        for i in range(splits.repeats):
            repetition = frozenset(sets[i * across : (i + 1) * across])
            if repetition in seen:
                verb = singular_verb if across == 1 else plural_verb
                return f"{splits.repetition_text(i)} {verb} the same records as {splits.repetition_text(seen[repetition])}"
            seen[repetition] = i
    return ""


def _find_near_copies(splits: Splits) -> str:
    """Describe near-copies of splits: many pairs of splits share far more records than independent draws (hypergeometric)."""
    pairs = list(combinations(range(splits.repeats), 2))
    used = np.asarray((splits.train | splits.test).any(0))
    for name, sides in (("test", splits.test), ("training", splits.train)):
        units = splits.as_unit_matrix(sides[:, used], used)
        common, excess = _pairwise_overlap(units)
        by_repetition = (splits.repeats, splits.splits_per_repetition, splits.repeats, splits.splits_per_repetition)
        exceeds = np.asarray((excess > 0).reshape(by_repetition).any((1, 3)))
        copies = [pair for pair in pairs if exceeds[pair]]
        if len(copies) > MAX_PAIR_SHARE * len(pairs):
            i, j = copies[0]
            s, t = (int(k) for k in np.argwhere(excess.reshape(by_repetition)[i, :, j] > 0)[0])
            s, t = i * splits.splits_per_repetition + s, j * splits.splits_per_repetition + t
            what = "records" if splits.groups is None else "groups"
            return (
                f"the {name} sets of splits {s + 1} and {t + 1} share {common[s, t]:.0f} {what}, but independent draws share "
                f"{units[s].sum() * units[t].sum() / units.shape[1]:.3g} on average, and too many other pairs share too many, too"
            )
    return ""


def _pairwise_overlap(units: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the overlap of each pair of sets, and its excess over the limit for independent draws (hypergeometric)."""
    n, size = units.shape[1], units.sum(1)
    common, mean = units @ units.T, np.outer(size, size) / n
    deviation = np.sqrt(mean * np.outer(n - size, n - size) / (n * max(n - 1, 1)))
    return common, common - (mean + MAX_DEVIATIONS * deviation)


def _find_time_order(splits: Splits) -> str:
    """Describe splits in the order of time: all splits train only on earlier test sets, or all only on later test sets."""
    train, test = np.packbits(splits.train, axis=1), np.packbits(splits.test, axis=1)
    common = np.array([(row & test).any(1) for row in train])  # [s, t] is True if split s trains on a record that split t tests
    before, after = np.triu(common).any(), np.tril(common).any()
    if before == after:
        return ""
    return f"no split trains on a record that {'it or a later' if after else 'it or an earlier'} one tests, as in a time series"


APART = Requirement("no split trains and tests on the same record", _find_shared_record)
WHOLE_GROUPS = Requirement("groups stay whole", _check_whole_groups)
ONCE = Requirement("the folds of each repetition test every record once", _find_untested_record)
HALVES = Requirement(
    "one half of the records trains and the other half tests", _check_halves, "if whole groups stay together, pass them as groups="
)
QUARTERS = Requirement(
    "any two training sets of different repetitions share a quarter of the records",
    _check_quarter_overlap,
    "use BlockRegularizedCV, which makes such splits; if whole groups stay together, pass them as groups=",
)
DIFFERENT = Requirement(
    "no split occurs twice",
    _find_duplicate,
    "A repeated split gives no new information. If random splits are equal by chance, use another random_state. "
    "Otherwise leave out `splits=`, and the test draws different splits",
)
DRAWN_ANEW = Requirement(
    "each repetition draws new training and test sets, so that they share no more than independent draws do",
    _find_near_copies,
    "Near-copies of a split give almost no new information. Leave out `splits=`, and the test draws new splits. "
    "If whole groups stay together, pass them as `groups=`",
)
EXCHANGEABLE = Requirement(
    "splits are random and exchangeable",
    _find_time_order,
    "If splits follow the order of time, use only the last one, with HoldOutMcNemar or McNemarExact.from_predictions",
)

# end of an error message: the number of splits differs from the plan
OTHER_NUMBER = "CorrectedResampledT(d, test_train_ratio=...) accepts the differences on any number of splits"


class SplitRequirementError(ValueError):
    """Splits that do not meet a requirement of their plan."""

    def __init__(self, text: str, remedy: str = "") -> None:
        super().__init__(text)
        self.remedy = remedy


def split_list(splits: Any) -> list[Any]:
    """Return the splits as a list, which can be iterated more than once."""
    if hasattr(splits, "split") or not isinstance(splits, Iterable):
        remedy = "Write splits=list(splitter.split(X, y)), with groups if the splitter needs them."
        raise TypeError(f"`splits` must be a list of pairs (train, test); got {format_received_value(splits)}. {remedy}")
    return list(splits)


def as_splits(pairs: Any, n: int, repeats: int, groups: Any = None) -> tuple[list[tuple[Any, Any]], Splits]:
    """Return the checked training and test positions of each split, and masks of the same records."""
    positions = [_positions(pair, k, n) for k, pair in enumerate(split_list(pairs), 1)]
    train, test = np.zeros((2, len(positions), n), bool)
    for k, pair in enumerate(positions):
        train[k, pair[0]] = test[k, pair[1]] = True
    numbers = None if groups is None else np.unique(np.asarray(groups), return_inverse=True)[1]
    return positions, Splits(train, test, repeats, numbers)


def _positions(pair: Any, k: int, n: int) -> tuple[Any, Any]:
    """Return the training set and the test set of split k as positions of records."""
    try:
        sides = [np.asarray(side) for side in pair]
    except (TypeError, ValueError):
        sides = []
    sides = [np.flatnonzero(side) if side.dtype.kind == "b" and side.shape == (n,) else side for side in sides]
    if len(sides) != 2 or any(side.ndim != 1 or side.dtype.kind not in "iu" or not len(side) for side in sides):
        rule = f"positions of the training records and of the test records, or True and False for all {n} records"
        raise ValueError(f"split {k} must be a pair of lists: {rule}")
    low, high = min(side.min() for side in sides), max(side.max() for side in sides)
    if low < 0 or high >= n:
        raise ValueError(f"split {k} must hold record numbers from 0 to {n - 1}; got numbers from {low} to {high}")
    for name, side in zip(("training", "test"), sides):
        times = np.bincount(side, minlength=n)
        if (times > 1).any():
            record = int(np.argmax(times > 1))
            raise ValueError(f"split {k} must hold each record once in its {name} set; got record {record} {times[record]} times")
    return sides[0], sides[1]
