"""Which records train and which test: the splits of a plan, and the further ones that a few tests need."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..core.value_types import Integers
from ..procedures.resampling.algorithm_comparison import TwoAlgorithms
from ..procedures.resampling.cross_validation_tests import ALL_TESTS
from ..procedures.resampling.split_plans.block_regularized_cv import check_class_sizes
from ..procedures.resampling.split_plans.split_plan import Plan
from ..procedures.resampling.split_plans.split_requirements import SplitRequirementError
from ..procedures.resampling.split_scores.split_scores import DIVISIONS


class Split(NamedTuple):
    """A training set and a test set; the key of the seeds that models get there; its name in errors."""

    train: Integers
    test: Integers
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


def split_count(plan: Plan, part: str, records: Records) -> int:
    """Number of splits."""
    return plan.splits * {"splits": 1, "halves": 2 * DIVISIONS, "replicates": records.replicates}[part]


def splits(plan: Plan, part: str, records: Records) -> Iterator[Split]:
    """Those of the plan, those on halves of the records, or those with resampled records."""
    return {"splits": _plan_splits, "halves": _half_splits, "replicates": _bootstrap_splits}[part](plan, records)


def _plan_splits(plan: Plan, records: Records) -> Iterator[Split]:
    apart = plan.kind == "k-fold" and plan.repeats == 1  # each record is tested once
    of = plan if records.own is None else "your own"
    for k, (train, test) in enumerate(_train_test_pairs(plan, records)):
        yield Split(train, test, (0, k), f"split {k + 1} of {plan.splits} ({of})", apart)


def _train_test_pairs(plan: Plan, records: Records) -> Iterable[tuple[Integers, Integers]]:
    if records.own is not None:
        return _check_custom_splits(plan, records, records.own)
    if records.groups is not None and records.stratify:
        raise ValueError("stratify and groups cannot both be had: a group goes as a whole, whatever its classes; leave out one of them")
    if records.stratify and plan.kind == "k-fold":
        check_class_sizes(records.labels, plan.folds, "fold", f" {plan}")
    splitter = plan.splitter(records.rng, stratify=records.stratify, groups=records.groups is not None)
    count, what = (records.n, "records") if records.groups is None else (len(np.unique(records.groups)), "groups")
    advice = "" if plan.can_split(count) else f"; {_tests_for_sample_size(count, what == 'groups')}"
    if advice and count >= plan.parts:
        raise ValueError(f"{plan} needs at least {plan.min_records} {what}, or it repeats itself; got {count}{advice}")
    return _create_splits(splitter.split(np.zeros(records.n), records.labels, records.groups), plan, advice)


def _tests_for_sample_size(count: int, groups: bool) -> str:
    """The tests whose splits so few records or groups allow."""
    fit = [
        test.__name__
        for test in _tests_by_preference(groups)
        if test.plan.can_split(count) and not (groups and test.plan.kind == "k-fold" and test.plan.repeats > 1)
    ]
    if fit:
        return f"tests that so few allow are {', '.join(fit[:3])}"
    return f"so few {'groups' if groups else 'records'} allow no test; get more"


def _tests_by_preference(groups: bool) -> list[type[TwoAlgorithms]]:
    """The tests that need no further splits (with groups, those that count no records), those first that need no word of caution."""
    tests = [test for test in ALL_TESTS if not test.further_splits() and not (groups and test.counts_records())]
    return sorted(tests, key=lambda test: bool(test.caution))


def _create_splits(pairs: Iterator[tuple[Integers, Integers]], plan: Plan, advice: str = "") -> Iterator[tuple[Integers, Integers]]:
    try:
        yield from pairs
    except ValueError as error:
        raise ValueError(f"these records cannot be split by {plan}: {str(error).rstrip('.')}{advice}") from error


def _check_custom_splits(plan: Plan, records: Records, own: Sequence[tuple[Any, Any]]) -> list[tuple[Integers, Integers]]:
    """A caller's splits, if they are what the plan requires; if not, which tests they fit."""
    if records.stratify:
        raise ValueError("stratify says how splits are drawn, and yours are: leave out the argument stratify= or splits=")
    try:
        return plan.check_splits(own, records.n, records.groups)
    except SplitRequirementError as error:
        fit = [
            test.__name__
            for test in _tests_by_preference(records.groups is not None)
            if test.plan != plan and _suitable_tests(test.plan, records, own)
        ]
        advice = error.remedy or "leave out the argument splits=, and they are drawn as the test needs them"
        if fit:
            advice = f"tests that these splits fit are {', '.join(fit[:3])}"
        raise ValueError(f"{error}: {advice}") from None


def _suitable_tests(plan: Plan, records: Records, own: Sequence[tuple[Any, Any]]) -> bool:
    try:
        return bool(plan.check_splits(own, records.n, records.groups))
    except ValueError:
        return False


def _half_splits(plan: Plan, records: Records) -> Iterator[Split]:
    """Ten times two disjoint halves; on both the plan's splits at the same positions, with test sets as large as on all records."""
    if records.own is not None or records.groups is not None:
        raise ValueError(
            "the halves of the records, which this test needs, are drawn here and keep no groups: leave out the arguments splits= and "
            "groups="
        )
    from sklearn.model_selection import ShuffleSplit, StratifiedShuffleSplit

    n_test = plan.test_size(records.n)
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
        for j, (train, test) in enumerate(_create_splits(made.split(np.zeros(size), classes[first]), plan)):
            for h, half in enumerate((first, second)):
                yield Split(half[train], half[test], (1, m, j, h), f"split {j + 1} on half {h + 1} of division {m + 1}")


def _bootstrap_splits(plan: Plan, records: Records) -> Iterator[Split]:
    """Each split with its training set and its test set drawn anew, with replacement, each from itself."""
    for split in _plan_splits(plan, records):
        for r in range(records.replicates):
            key = (2, split.key[1], r)
            rng = np.random.default_rng(np.random.SeedSequence(records.rng, spawn_key=(*key, 0)))
            train, test = (rng.choice(side, len(side)) for side in (split.train, split.test))
            yield Split(train, test, key, f"replicate {r + 1} of {split.name}")
