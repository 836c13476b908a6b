"""What the plans of the tests ask of their splits: each requirement in words, with the place where splits do not meet it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....core.validation.check import format_received_value
from .block_regularized_cv import number_of_blocks

SplitMask = NDArray[np.bool]  # a line for each split, a column for each record: whether it is there

MAX_DEVIATIONS = 5  # standard deviations above what two independent draws share on average
MAX_PAIR_SHARE = (
    3 / 4
)  # of all pairs: where groups stay whole and nobody says so, chance takes records far together, but hardly in so many pairs
HALF_SIZE_TOLERANCE = 2  # records (or groups) by which halves may miss one half: blocks of unequal size can make so much


@dataclass(frozen=True)
class Splits:
    """Which records train and which test in each split."""

    train: SplitMask
    test: SplitMask
    repeats: int
    groups: NDArray[np.int64] | None = None  # the number of each record's group, where groups stay together

    @property
    def across(self) -> int:
        """Splits of one repetition."""
        return len(self.test) // self.repeats

    @property
    def n(self) -> int:
        """Records."""
        return self.test.shape[1]

    def of(self, repetition: int) -> str:
        """The splits of a repetition, in words."""
        first, last = repetition * self.across + 1, (repetition + 1) * self.across
        return f"split {first}" if first == last else f"splits {first} to {last}"

    def within(self, sides: SplitMask, low: Callable[[int], float], high: Callable[[int], float]) -> NDArray[np.bool]:
        """Of each line, whether it holds a number of units between two bounds for that many in all; units are records or, as
        well, groups.
        """
        held = sides.sum(1)
        fits = (low(self.n) <= held) & (held <= high(self.n))
        if self.groups is not None:
            count = int(self.groups.max()) + 1
            whole = np.array([len(np.unique(self.groups[side])) for side in sides])
            fits |= (low(count) <= whole) & (whole <= high(count))
        return fits

    def in_units(self, sides: SplitMask, of: NDArray[np.bool]) -> NDArray[np.float64]:
        """Sides of some of the records as 0 and 1, a column for each record or, where groups stay together, for each group."""
        if self.groups is None:
            return sides.astype(float)
        groups = np.unique(self.groups[of], return_inverse=True)[1]
        return np.array([np.bincount(groups, side) > 0 for side in sides], float)


@dataclass(frozen=True)
class Requirement:
    """Something that a plan asks of its splits."""

    words: str  # what must hold
    broken: Callable[[Splits], str]  # where it does not, in words; empty where it does
    instead: str = ""  # what to do if no test fits the splits as they are

    def __repr__(self) -> str:
        return f"<Requirement: {self.words}>"


def _apart(splits: Splits) -> str:
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


def _once(splits: Splits) -> str:
    times = splits.test.reshape(splits.repeats, -1, splits.n).sum(1)
    if (times == 1).all():
        return ""
    i, record = np.argwhere(times != 1)[0]
    return f"got record {record} {times[i, record]} times in repetition {i + 1}, {splits.of(i)}"


def _check_halves(splits: Splits) -> str:
    for name, sides in (("tests", splits.test), ("trains", splits.train)):
        fits = splits.within(sides, lambda n: n / 2 - HALF_SIZE_TOLERANCE, lambda n: n / 2 + HALF_SIZE_TOLERANCE)
        if not fits.all():
            k = int(np.argmin(fits))
            return f"split {k + 1} {name} on {sides[k].sum()} of {splits.n} records"
    return ""


def _check_quarter_overlap(splits: Splits) -> str:
    blocks = number_of_blocks(splits.repeats)
    in_a_quarter = blocks // 4
    pairs = [(s, t) for s, t in combinations(range(len(splits.train)), 2) if s // 2 != t // 2]
    if not pairs:
        return ""
    common = np.array([splits.train[s] & splits.train[t] for s, t in pairs])
    fits = splits.within(common, lambda n: in_a_quarter * (n // blocks), lambda n: in_a_quarter * -(-n // blocks))
    if fits.all():
        return ""
    k = int(np.argmin(fits))
    s, t = pairs[k]
    return f"splits {s + 1} and {t + 1} share {common[k].sum()} of {splits.n}"


def _different(splits: Splits) -> str:
    for one, several, sides in (("tests", "test", splits.test), ("trains on", "train on", splits.train)):
        sets = [np.packbits(side).tobytes() for side in sides]
        seen: dict[Any, int] = {}
        for i in range(splits.repeats):
            repetition = frozenset(sets[i * splits.across : (i + 1) * splits.across])
            if repetition in seen:
                return f"{splits.of(i)} {one if splits.across == 1 else several} the same records as {splits.of(seen[repetition])}"
            seen[repetition] = i
    return ""


def _drawn_anew(splits: Splits) -> str:
    """What two independent draws share follows the hypergeometric law; near-copies share far more, in pair after pair."""
    pairs = list(combinations(range(splits.repeats), 2))
    used = np.asarray((splits.train | splits.test).any(0))
    for name, sides in (("test", splits.test), ("training", splits.train)):
        units = splits.in_units(sides[:, used], used)
        common, excess = _pairwise_overlap(units)
        by_repetition = (splits.repeats, splits.across, splits.repeats, splits.across)
        far = np.asarray((excess > 0).reshape(by_repetition).any((1, 3)))
        copies = [pair for pair in pairs if far[pair]]
        if len(copies) > MAX_PAIR_SHARE * len(pairs):
            i, j = copies[0]
            s, t = (int(k) for k in np.argwhere(excess.reshape(by_repetition)[i, :, j] > 0)[0])
            s, t = i * splits.across + s, j * splits.across + t
            what = "records" if splits.groups is None else "groups"
            return (
                f"the {name} sets of splits {s + 1} and {t + 1} share {common[s, t]:.0f} {what} where independent draws share "
                f"{units[s].sum() * units[t].sum() / units.shape[1]:.3g} on average, and so do too many others"
            )
    return ""


def _pairwise_overlap(units: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """What each two sets share, and by how much that lies beyond what independent draws of these sizes share (hypergeometric law)."""
    n, size = units.shape[1], units.sum(1)
    common, mean = units @ units.T, np.outer(size, size) / n
    deviation = np.sqrt(mean * np.outer(n - size, n - size) / (n * max(n - 1, 1)))
    return common, common - (mean + MAX_DEVIATIONS * deviation)


def _exchangeable(splits: Splits) -> str:
    """Splits that walk through time train on nothing that they or any later split tests; earlier test sets they do train on."""
    train, test = np.packbits(splits.train, axis=1), np.packbits(splits.test, axis=1)
    common = np.array([(one & test).any(1) for one in train])  # [s, t]: s trains on something that t tests
    before, after = np.triu(common).any(), np.tril(common).any()
    if before == after:
        return ""
    return f"no split trains on a record that {'it or a later' if after else 'it or an earlier'} one tests, as in a series of time"


APART = Requirement("no split trains and tests on the same record", _apart)
WHOLE_GROUPS = Requirement("groups stay whole", _check_whole_groups)
ONCE = Requirement("the folds of each repetition test every record once", _once)
HALVES = Requirement(
    "one half of the records trains and the other half tests", _check_halves, "where whole groups stay together, say so by groups="
)
QUARTERS = Requirement(
    "any two training sets of different repetitions share a quarter of the records",
    _check_quarter_overlap,
    "BlockRegularizedCV makes such splits; where whole groups stay together, say so by groups=",
)
DIFFERENT = Requirement(
    "no split is there twice",
    _different,
    "what is repeated tells nothing new; where splits drawn at random are the same by chance, draw with another random_state, "
    "otherwise leave out the argument splits=, and different ones are drawn",
)
DRAWN_ANEW = Requirement(
    "each repetition draws training and test sets anew, so that they share no more than independent draws do",
    _drawn_anew,
    "near-copies of a split tell next to nothing new; leave out the argument splits=, and they are drawn anew; "
    "where whole groups stay together, say so by groups=",
)
EXCHANGEABLE = Requirement(
    "splits are random, any one as good as any other",
    _exchangeable,
    "of splits in the order of time take the last alone, with HoldOutMcNemar or McNemarExact.from_predictions",
)

# What to do with another number of splits than the plan has.
OTHER_NUMBER = "CorrectedResampledT(d, test_train_ratio=...) takes the differences on any number of splits"


class SplitRequirementError(ValueError):
    """Splits that do not meet a requirement of their plan."""

    def __init__(self, text: str, instead: str = "") -> None:
        super().__init__(text)
        self.instead = instead


def split_list(splits: Any) -> list[Any]:
    """Splits as a list, which can be gone through more than once."""
    if hasattr(splits, "split") or not isinstance(splits, Iterable):
        raise TypeError(
            f"splits must be a list of pairs (train, test); got {format_received_value(splits)}: write "
            f"splits=list(splitter.split(X, y)), with groups where it needs them"
        )
    return list(splits)


def as_splits(pairs: Any, n: int, repeats: int, groups: Any = None) -> tuple[list[tuple[Any, Any]], Splits]:
    """Training and test positions of each split, checked one by one, and the same as tables of yes and no."""
    found = [_positions(pair, k, n) for k, pair in enumerate(split_list(pairs), 1)]
    train, test = np.zeros((2, len(found), n), bool)
    for k, pair in enumerate(found):
        train[k, pair[0]] = test[k, pair[1]] = True
    numbers = None if groups is None else np.unique(np.asarray(groups), return_inverse=True)[1]
    return found, Splits(train, test, repeats, numbers)


def _positions(pair: Any, k: int, n: int) -> tuple[Any, Any]:
    """The two sides of split k as positions of records."""
    try:
        sides = [np.asarray(side) for side in pair]
    except (TypeError, ValueError):
        sides = []
    sides = [np.flatnonzero(side) if side.dtype.kind == "b" and side.shape == (n,) else side for side in sides]
    if len(sides) != 2 or any(side.ndim != 1 or side.dtype.kind not in "iu" or not len(side) for side in sides):
        raise ValueError(
            f"split {k} must be a pair of lists, the positions of the records that train and of "
            f"those that test (or, for all {n} records, True and False)"
        )
    low, high = min(side.min() for side in sides), max(side.max() for side in sides)
    if low < 0 or high >= n:
        raise ValueError(f"split {k} must name records from 0 to {n - 1}; got {low} to {high}")
    for name, side in zip(("training", "test"), sides):
        times = np.bincount(side, minlength=n)
        if (times > 1).any():
            record = int(np.argmax(times > 1))
            raise ValueError(f"split {k} must name each record once in its {name} set; got record {record} {times[record]} times")
    return sides[0], sides[1]
