"""Which records train and which test: the splits of a plan, and the further ones that a few tests need."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..resampling.plans import Indices, Plan

DIVISIONS = 10  # of the records into two halves, for the conservative Z


class Split(NamedTuple):
    """A training set and a test set; the key of the seeds that models get there; its name in errors."""

    train: Indices
    test: Indices
    key: tuple[int, ...]
    name: str
    records: bool = False  # whether results are wanted record by record


class Records(NamedTuple):
    """What splitting has to know about the data."""

    n: int
    labels: NDArray[Any]
    groups: Any
    stratify: bool
    rng: int
    own: Sequence[tuple[Any, Any]] | None  # splits of the caller's
    replicates: int


def how_many(plan: Plan, part: str, records: Records) -> int:
    """Number of splits."""
    return plan.splits * {"splits": 1, "halves": 2 * DIVISIONS, "replicates": records.replicates}[part]


def splits(plan: Plan, part: str, records: Records) -> Iterator[Split]:
    """Those of the plan, those on halves of the records, or those with resampled records."""
    return {"splits": _splits, "halves": _halves, "replicates": _replicates}[part](plan, records)


def _splits(plan: Plan, records: Records) -> Iterator[Split]:
    apart = plan.kind == "k-fold" and plan.repeats == 1  # each record is tested once
    for k, (train, test) in enumerate(_pairs(plan, records)):
        yield Split(train, test, (0, k), f"split {k + 1} of {plan.splits} ({plan})", apart)


def _pairs(plan: Plan, records: Records) -> Iterable[tuple[Indices, Indices]]:
    if records.own is not None:
        return _checked(plan, records.n, records.own)
    if records.groups is not None and records.stratify:
        raise ValueError("stratify and groups cannot both be had: a group goes as a whole, whatever its classes; leave out one of them")
    if records.stratify and plan.kind == "k-fold":
        names, sizes = np.unique(records.labels, return_counts=True)
        if sizes.min() < plan.folds:
            rare = int(np.argmin(sizes))
            raise ValueError(
                f"to stratify {plan}, each class needs at least {plan.folds} members, one for each fold; class {names[rare].item()!r} has {sizes[rare]}: "
                "use stratify=False, or merge or drop that class"
            )
    splitter = plan.splitter(records.rng, stratify=records.stratify, groups=records.groups is not None)
    return _made(splitter.split(np.zeros(records.n), records.labels, records.groups), plan)


def _made(pairs: Iterator[tuple[Indices, Indices]], plan: Plan) -> Iterator[tuple[Indices, Indices]]:
    try:
        yield from pairs
    except ValueError as error:
        raise ValueError(f"these records cannot be split by {plan}: {error}") from error


def _checked(plan: Plan, n: int, own: Sequence[tuple[Any, Any]]) -> list[tuple[Indices, Indices]]:
    """A caller's splits, if they fit the plan."""
    pairs = [tuple(np.asarray(side) for side in pair) for pair in own]
    if len(pairs) != plan.splits:
        raise ValueError(f"splits must be the {plan.splits} of {plan}, in its order; got {len(pairs)}")
    tested = np.zeros((plan.repeats, n), int)
    for k, pair in enumerate(pairs):
        if len(pair) != 2 or any(side.ndim != 1 or side.dtype.kind not in "iu" or not len(side) for side in pair):
            raise ValueError(f"split {k + 1} must be a pair of lists, the positions of the records that train and of those that test")
        if any(side.min() < 0 or side.max() >= n for side in pair):
            raise ValueError(f"split {k + 1} must name records from 0 to {n - 1}; got {min(map(np.min, pair))} to {max(map(np.max, pair))}")
        if len(both := np.intersect1d(*pair)):
            raise ValueError(f"split {k + 1} trains and tests on the same record, {both[0]}: the score would be too good")
        np.add.at(tested[k * plan.repeats // plan.splits], pair[1], 1)
    if plan.kind != "hold-out" and (tested != 1).any():
        i, record = np.argwhere(tested != 1)[0]
        raise ValueError(
            f"in {plan} the folds of each repetition test every record once; got record {record} {tested[i, record]} times in repetition {i + 1}"
        )
    return pairs  # type: ignore[return-value]


def _halves(plan: Plan, records: Records) -> Iterator[Split]:
    """Ten times two disjoint halves; on both the plan's splits at the same positions, with test sets as large as on all records."""
    if records.own is not None or records.groups is not None:
        raise ValueError("the halves of the records, which this test needs, are drawn here and keep no groups: leave out splits and groups")
    from sklearn.model_selection import ShuffleSplit, StratifiedShuffleSplit

    n_test = int(np.ceil(plan.test_share * records.n - 1e-9))
    size, classes = records.n // 2, records.labels
    if size - n_test < 1:
        raise ValueError(f"halves of {records.n} records leave none to train on beside {n_test} that test: more records are needed")
    for m in range(DIVISIONS):
        seeds = np.random.SeedSequence(records.rng, spawn_key=(1, m))
        order = np.random.default_rng(seeds).permutation(records.n)
        if records.stratify:
            order = order[np.unique(classes[order], return_inverse=True)[1].argsort(kind="stable")]  # dealt class by class
        made = (StratifiedShuffleSplit if records.stratify else ShuffleSplit)(
            plan.repeats, test_size=n_test, random_state=int(seeds.generate_state(1)[0])
        )
        first, second = order[0::2][:size], order[1::2][:size]
        for j, (train, test) in enumerate(_made(made.split(np.zeros(size), classes[first]), plan)):
            for h, half in enumerate((first, second)):
                yield Split(half[train], half[test], (1, m, j, h), f"split {j + 1} on half {h + 1} of division {m + 1}")


def _replicates(plan: Plan, records: Records) -> Iterator[Split]:
    """Each split with its training set and its test set drawn anew, with replacement, each from itself."""
    for split in _splits(plan, records):
        for r in range(records.replicates):
            key = (2, split.key[1], r)
            rng = np.random.default_rng(np.random.SeedSequence(records.rng, spawn_key=(*key, 0)))
            train, test = (rng.choice(side, len(side)) for side in (split.train, split.test))
            yield Split(train, test, key, f"replicate {r + 1} of {split.name}")
