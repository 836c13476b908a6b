"""Split records into training and test sets by a resampling plan.

Some tests need extra splits.
"""

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
    """A training set and a test set, with a key that determines the seeds of the models and a name for error messages."""

    train: Integers
    test: Integers
    key: tuple[int, ...]
    name: str
    records: bool = False  # whether to keep the result on each test record


class Records(NamedTuple):
    """Properties of the data that determine the splits."""

    n: int
    labels: NDArray[Any]
    groups: Any
    stratify: bool
    rng: int
    custom_splits: Sequence[tuple[Any, Any]] | None  # splits that the caller has passed, or None
    replicates: int


def split_count(plan: Plan, part: str, records: Records) -> int:
    """Return the number of splits."""
    return plan.splits * {"splits": 1, "halves": 2 * DIVISIONS, "replicates": records.replicates}[part]


def splits(plan: Plan, part: str, records: Records) -> Iterator[Split]:
    """Yield the splits of the plan, the splits on halves of the records, or the splits with resampled records."""
    return {"splits": _plan_splits, "halves": _half_splits, "replicates": _bootstrap_splits}[part](plan, records)


def _plan_splits(plan: Plan, records: Records) -> Iterator[Split]:
    tested_once = plan.kind == "k-fold" and plan.repeats == 1  # True if exactly one split tests each record
    source = plan if records.custom_splits is None else "your own"
    for k, (train, test) in enumerate(_train_test_pairs(plan, records)):
        yield Split(train, test, (0, k), f"split {k + 1} of {plan.splits} ({source})", tested_once)


def _train_test_pairs(plan: Plan, records: Records) -> Iterable[tuple[Integers, Integers]]:
    if records.custom_splits is not None:
        return _check_custom_splits(plan, records, records.custom_splits)
    if records.groups is not None and records.stratify:
        raise ValueError(
            "`stratify` and `groups` cannot be combined, because all records of a group stay together. Leave out `stratify=` or `groups=`."
        )
    if records.stratify and plan.kind == "k-fold":
        check_class_sizes(records.labels, plan.folds, "fold", f" {plan}")
    splitter = plan.splitter(records.rng, stratify=records.stratify, groups=records.groups is not None)
    count, what = (records.n, "records") if records.groups is None else (len(np.unique(records.groups)), "groups")
    advice = "" if plan.can_split(count) else f"; {_tests_for_sample_size(count, what == 'groups')}"
    if advice and count >= plan.parts:
        raise ValueError(f"{plan} needs {plan.min_records} or more {what} (with fewer, splits repeat); got {count}{advice}")
    return _create_splits(splitter.split(np.zeros(records.n), records.labels, records.groups), plan, advice)


def _tests_for_sample_size(count: int, groups: bool) -> str:
    """Return the names of tests whose splits are possible with so few records or groups."""
    fit = [
        test.__name__
        for test in _tests_by_preference(groups)
        if test.plan.can_split(count) and not (groups and test.plan.kind == "k-fold" and test.plan.repeats > 1)
    ]
    if fit:
        return f"tests that are possible with so few are {', '.join(fit[:3])}"
    return f"no test is possible with so few {'groups' if groups else 'records'}: collect more"


def _tests_by_preference(groups: bool) -> list[type[TwoAlgorithms]]:
    """Return the tests that need no further splits; tests without a warning are first.

    For data with groups, leave out tests that count records.
    """
    tests = [test for test in ALL_TESTS if not test.further_splits() and not (groups and test.counts_records())]
    return sorted(tests, key=lambda test: bool(test.caution))


def _create_splits(pairs: Iterator[tuple[Integers, Integers]], plan: Plan, advice: str = "") -> Iterator[tuple[Integers, Integers]]:
    try:
        yield from pairs
    except ValueError as error:
        raise ValueError(f"{plan} cannot split the records (error: {str(error).rstrip('.')}){advice}") from error


def _check_custom_splits(plan: Plan, records: Records, custom_splits: Sequence[tuple[Any, Any]]) -> list[tuple[Integers, Integers]]:
    """Check the caller's splits against the plan; if they do not fit, raise an error that names tests for these splits."""
    if records.stratify:
        raise ValueError(
            "`stratify` and `splits` cannot be combined, because `stratify` changes only random splits. Leave out `stratify=` or `splits=`."
        )
    try:
        return plan.check_splits(custom_splits, records.n, records.groups)
    except SplitRequirementError as error:
        fit = [
            test.__name__
            for test in _tests_by_preference(records.groups is not None)
            if test.plan != plan and _is_suitable(test.plan, records, custom_splits)
        ]
        advice = error.remedy or "Leave out `splits=`, and the test draws its own splits"
        if fit:
            advice = f"Tests for these splits are {', '.join(fit[:3])}"
        raise ValueError(f"{error}. {advice}.") from None


def _is_suitable(plan: Plan, records: Records, custom_splits: Sequence[tuple[Any, Any]]) -> bool:
    try:
        return bool(plan.check_splits(custom_splits, records.n, records.groups))
    except ValueError:
        return False


def _half_splits(plan: Plan, records: Records) -> Iterator[Split]:
    """Divide the records into halves ten times, and yield the same splits of both halves.

    The test sets are as large as the test sets of all records.
    """
    if records.custom_splits is not None or records.groups is not None:
        raise ValueError("this test needs random halves of the records; got `splits` or `groups`. Leave out `splits=` and `groups=`.")
    from sklearn.model_selection import ShuffleSplit, StratifiedShuffleSplit

    n_test = plan.test_size(records.n)
    size, classes = records.n // 2, records.labels
    if size - n_test < 1:
        raise ValueError(
            f"half of the records must be more than a test set; got {records.n} records and test sets of {n_test} records. Use more "
            "records."
        )
    for m in range(DIVISIONS):
        seeds = np.random.SeedSequence(records.rng, spawn_key=(1, m))
        order = np.random.default_rng(seeds).permutation(records.n)
        if records.stratify:
            # sort by class, so that both halves have the same proportions of classes
            order = order[np.unique(classes[order], return_inverse=True)[1].argsort(kind="stable")]
        splitter = (StratifiedShuffleSplit if records.stratify else ShuffleSplit)(
            plan.repeats, test_size=n_test, random_state=int(seeds.generate_state(1)[0])
        )
        first, second = order[0::2][:size], order[1::2][:size]
        for j, (train, test) in enumerate(_create_splits(splitter.split(np.zeros(size), classes[first]), plan)):
            for h, half in enumerate((first, second)):
                yield Split(half[train], half[test], (1, m, j, h), f"split {j + 1} on half {h + 1} of division {m + 1}")


def _bootstrap_splits(plan: Plan, records: Records) -> Iterator[Split]:
    """Yield each split; the training set and the test set are resampled separately, with replacement."""
    for split in _plan_splits(plan, records):
        for r in range(records.replicates):
            key = (2, split.key[1], r)
            rng = np.random.default_rng(np.random.SeedSequence(records.rng, spawn_key=(*key, 0)))
            train, test = (rng.choice(side, len(side)) for side in (split.train, split.test))
            yield Split(train, test, key, f"replicate {r + 1} of {split.name}")
