"""Resampling plans: what block-regularized cross-validation promises, and that a plan's splitter and its cuts are the same plan."""

import copy
import re
from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as some
from shortcuts import assert_raises
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.model_selection import GridSearchCV, check_cv, cross_val_score, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from fstats import BlockRegularizedCV
from fstats.procedures.resampling.split_plans import split_plan
from fstats.procedures.resampling.split_plans.block_regularized_cv import half_blocks
from fstats.procedures.resampling.split_plans.split_plan import BLOCKED_FIVE_BY_TWO, BLOCKED_THREE_BY_TWO, FIVE_BY_TWO, Plan

PLANS = {name: plan for name, plan in vars(split_plan).items() if isinstance(plan, Plan)}
SHAPES = {
    "HOLD_OUT_THIRD": (),
    "REPEATED_HOLD_OUT_THIRD": (15,),
    "REPEATED_HOLD_OUT_TENTH": (15,),
    "TEN_FOLD": (10,),
    "TEN_TIMES_TEN_FOLD": (10, 10),
    "FIVE_BY_TWO": (5, 2),
    "BLOCKED_THREE_BY_TWO": (3, 2),
    "BLOCKED_FIVE_BY_TWO": (5, 2),
}
each_plan = pytest.mark.parametrize("name", PLANS)
repeats = some.integers(2, 7)
sizes = some.integers(8, 400)
seeds = some.integers(0, 2**32 - 1)


def splits_of(splitter, n, y=None, groups=None):
    """The splits as pairs of sets."""
    return [(set(train.tolist()), set(test.tolist())) for train, test in splitter.split(np.zeros((n, 2)), y, groups)]


def of_different_repetitions(splits):
    """Pairs of training sets from different repetitions."""
    return [(splits[s][0], splits[t][0]) for s, t in combinations(range(len(splits)), 2) if s // 2 != t // 2]


# -- the orthogonal array ------------------------------------------------------------------------------------------------
TABLE_3 = [  # of the paper: the blocks of S and of T
    ("1 2 3 4", "5 6 7 8"),
    ("1 3 5 7", "2 4 6 8"),
    ("1 2 5 6", "3 4 7 8"),
    ("1 4 5 8", "2 3 6 7"),
    ("1 3 6 8", "2 4 5 7"),
]


def test_five_repetitions_are_table_3_of_the_paper():
    assert half_blocks(5) == [tuple([int(block) - 1 for block in half.split()] for half in line) for line in TABLE_3]


@pytest.mark.parametrize("m", range(1, 8))
def test_the_halves_are_orthogonal(m):
    blocks = 4 if m <= 3 else 8
    for first, second in half_blocks(m):
        assert len(first) == len(second) == blocks // 2
        assert sorted(first + second) == list(range(blocks))
    for one, other in combinations(half_blocks(m), 2):
        for half in one:
            for against in other:
                assert len(set(half) & set(against)) == blocks // 4


# -- properties of the splitter ------------------------------------------------------------------------------------------
@pytest.mark.complete
@given(repeats, sizes, seeds)
@example(2, 8, 0)
@example(7, 12, 1)  # as unequal as it gets: four blocks of one record, four of two
def test_each_repetition_tests_every_record_once(m, n, seed):
    splitter = BlockRegularizedCV(m, random_state=seed)
    splits = splits_of(splitter, n)
    assert len(splits) == splitter.get_n_splits() == 2 * m
    for train, test in splits:
        assert train | test == set(range(n))
        assert not train & test
        assert abs(len(test) - n / 2) <= 2
    for j in range(m):  # the two folds change places
        assert splits[2 * j] == splits[2 * j + 1][::-1]


@given(repeats, sizes, seeds)
@example(4, 12, 0)
def test_training_sets_share_a_quarter_of_the_records(m, n, seed):
    for one, other in of_different_repetitions(splits_of(BlockRegularizedCV(m, random_state=seed), n)):
        assert abs(len(one & other) - n / 4) <= 2


@pytest.mark.complete
@pytest.mark.parametrize("m", range(2, 8))
def test_training_sets_share_a_quarter_for_every_n(m):
    for n in range(8, 121):
        for seed in range(3):
            for one, other in of_different_repetitions(splits_of(BlockRegularizedCV(m, random_state=seed), n)):
                assert abs(len(one & other) - n / 4) < 2
                assert n % 8 or len(one & other) == n / 4


@given(repeats, some.lists(some.integers(8, 40), min_size=1, max_size=5), seeds)
def test_stratified_this_holds_in_every_class_and_in_total(m, class_sizes, seed):
    y = np.random.default_rng(seed).permutation(np.repeat([f"class {k}" for k in range(len(class_sizes))], class_sizes))
    splitter = BlockRegularizedCV(m, stratify=True, random_state=seed)
    splits = splits_of(splitter, len(y), y)
    for name in [None, *np.unique(y)]:
        members = set(range(len(y))) if name is None else set(np.flatnonzero(y == name).tolist())
        for train, _ in splits:
            assert abs(len(train & members) - len(members) / 2) <= 2
        for one, other in of_different_repetitions(splits):
            assert abs(len(one & other & members) - len(members) / 4) <= 2
    blocks = splitter.blocks(len(y), y)
    for name in np.unique(y):  # dealt like cards
        assert np.ptp(np.bincount(blocks[y == name], minlength=splitter.n_blocks)) <= 1
    assert np.ptp(np.bincount(blocks, minlength=splitter.n_blocks)) <= 1


@given(repeats, some.integers(8, 30), some.integers(1, 6), seeds)
def test_groups_stay_together(m, groups, most, seed):
    rng = np.random.default_rng(seed)
    group = rng.permutation(np.repeat([f"g{k}" for k in range(groups)], rng.integers(1, most + 1, groups)))
    for train, test in splits_of(BlockRegularizedCV(m, random_state=seed), len(group), groups=group):
        assert not set(group[list(train)]) & set(group[list(test)])
        assert len(train) + len(test) == len(group)
        assert abs(len(set(group[list(test)])) - groups / 2) <= 2


@given(repeats, sizes, seeds)
def test_the_seed_decides(m, n, seed):
    splits = splits_of(BlockRegularizedCV(m, random_state=seed), n)
    assert splits_of(BlockRegularizedCV(m, random_state=seed), n) == splits
    assert splits_of(BlockRegularizedCV(m, random_state=np.random.default_rng(seed)), n) == splits


def test_splits_follow_from_the_seed_and_records_are_shuffled_evenly():
    seen = {str(splits_of(BlockRegularizedCV(random_state=seed), 40)) for seed in [*range(5), None]}
    assert len(seen) == 6
    # over many seeds each record stands in each block equally often, and any two records equally often in the same block
    n, seeds = 16, 700
    blocks = np.array([BlockRegularizedCV(random_state=seed).blocks(n) for seed in range(seeds)])
    counts = np.array([np.bincount(column, minlength=8) for column in blocks.T])
    expected = seeds / 8
    assert ((counts - expected) ** 2 / expected).sum() < 200  # chi-squared with 16 x 7 degrees of freedom: .999999 quantile 193
    together = (blocks[:, :, None] == blocks[:, None, :]).sum(0)[np.triu_indices(n, 1)]
    share = 1 / (n - 1)  # of the other records one is in the same block
    assert abs(together - seeds * share).max() < 5 * np.sqrt(seeds * share * (1 - share))


# -- in scikit-learn -----------------------------------------------------------------------------------------------------
X, Y = make_classification(60, random_state=0)


def test_it_is_a_scikit_learn_splitter():
    splitter = BlockRegularizedCV(3, stratify=True, random_state=1)
    assert check_cv(splitter) is splitter
    scores = cross_val_score(GaussianNB(), X, Y, cv=splitter)
    by_hand = [GaussianNB().fit(X[train], Y[train]).score(X[test], Y[test]) for train, test in splitter.split(X, Y)]
    assert scores.tolist() == by_hand
    groups = np.repeat(range(15), 4)
    assert len(cross_validate(GaussianNB(), X, Y, cv=BlockRegularizedCV(), groups=groups)["test_score"]) == 10
    search = GridSearchCV(DecisionTreeClassifier(random_state=0), {"max_depth": [1, 2]}, cv=BlockRegularizedCV(2, random_state=4))
    copied = clone(search)
    assert copied.cv is not search.cv
    assert (splits_of(copied.cv, 60), clone(search).fit(X, Y).n_splits_) == (splits_of(search.cv, 60), 4)


@pytest.mark.parametrize("splitter", [BlockRegularizedCV(), BlockRegularizedCV(7, stratify=True, random_state=3)])
def test_what_it_prints_makes_it_again(splitter):
    assert vars(eval(repr(splitter))) == vars(splitter) == vars(copy.deepcopy(splitter))


def test_lists_frames_and_sparse_matrices_are_records():
    import pandas
    from scipy import sparse

    splitter = BlockRegularizedCV(3, stratify=True, random_state=0)
    expected = splits_of(splitter, 60, Y)
    for records, y in ((X.tolist(), Y.tolist()), (pandas.DataFrame(X), pandas.Series(Y)), (sparse.csr_array(X), Y)):
        assert [(set(train.tolist()), set(test.tolist())) for train, test in splitter.split(records, y)] == expected


# -- what is refused -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("m", "least"), [(1, 4), (3, 4), (4, 8), (5, 8)])
def test_too_few_records_or_groups(m, least):
    splitter = BlockRegularizedCV(m)
    assert len(splits_of(splitter, least)) == 2 * m
    with pytest.raises(ValueError, match=f"{m} x 2 block-regularized .* at least {least} records, one for each block; got {least - 1}"):
        next(splitter.split(np.zeros(least - 1)))
    assert_raises(lambda: next(splitter.split(np.zeros(60), groups=[0, 1] * 30)), f"at least {least} groups, one for each block; got 2")


def test_a_rare_class_is_named_and_counted():
    y = ["cat"] * 20 + ["dog"] * 12 + ["newt"] * 7
    with pytest.raises(ValueError, match=r"at least 8 members, .*; class 'newt' has 7. Use stratify=False, or merge or drop that class"):
        next(BlockRegularizedCV(stratify=True).split(np.zeros(39), y))
    assert len(splits_of(BlockRegularizedCV(3, stratify=True), 39, y)) == 6  # four blocks can be filled
    assert len(splits_of(BlockRegularizedCV(), 39, y)) == 10


@pytest.mark.parametrize("m", [0, 8, -1])
def test_the_number_of_repetitions_has_ends(m):
    assert_raises(lambda: BlockRegularizedCV(m), f"`n_repeats` must be between 1 and 7, .*; got {m}")


@pytest.mark.parametrize("m", [2.0, "5", True, None])
def test_the_number_of_repetitions_is_a_whole_number(m):
    assert_raises(lambda: BlockRegularizedCV(m), f"`n_repeats` must be a whole number from 1 to 7; got {re.escape(repr(m))}", TypeError)


def test_stratify_and_groups_need_classes_and_names():
    splitter = BlockRegularizedCV(stratify=True)
    assert_raises(lambda: next(splitter.split(np.zeros(20))), "`stratify` needs y, the class of each of the 20 records; got none")
    assert_raises(lambda: next(splitter.split(np.zeros(20), [0] * 19)), "`stratify` needs y, the class of each of the 20 records; got 19")
    assert_raises(lambda: next(splitter.split(np.zeros(20), [0] * 20, range(20))), "`stratify` and `groups` cannot be combined")
    with pytest.raises(ValueError, match="`groups` must have one entry for each of the 20 records; got 19 entries"):
        next(BlockRegularizedCV().split(np.zeros(20), groups=range(19)))


# -- a plan, twice -------------------------------------------------------------------------------------------------------
@each_plan
def test_shape_and_number_of_splits(name):
    plan = PLANS[name]
    assert plan.shape == SHAPES[name]
    assert plan.splits == len(plan.test_positions(100)) == plan.splitter(0).get_n_splits()
    assert plan.splits == int(np.prod(plan.shape))
    assert len({shuffle for shuffle, _ in plan.test_positions(100)}) == plan.shuffles == (1 if plan.kind == "blocked" else plan.repeats)


@pytest.mark.complete
@each_plan
def test_splitter_and_cuts_hold_out_as_many_records(name):
    plan = PLANS[name]
    for n in range(20, 331):
        cuts = [len(tested) for _, tested in plan.test_positions(n)]
        split = [len(test) for _, test in plan.splitter(0).split(np.zeros(n))]
        if plan.kind == "blocked" and n % 8:  # which blocks are larger is drawn by the splitter
            assert max(abs(one - n / 2) for one in cuts + split) <= 2
        else:
            assert cuts == split, n


@each_plan
def test_cuts_are_splits(name):
    plan = PLANS[name]
    for n in (20, 100, 123):
        tested = Counter()
        for k, (shuffle, positions) in enumerate(plan.test_positions(n)):
            assert len(set(positions.tolist())) == len(positions) < n
            assert set(positions.tolist()) < set(range(n))
            repetition = k // (1 if plan.kind == "hold-out" else plan.folds)
            assert shuffle == (0 if plan.kind == "blocked" else repetition)
            tested.update((repetition, position) for position in positions.tolist())
        if plan.kind != "hold-out":  # each repetition tests each record once
            assert tested == Counter((repetition, position) for repetition in range(plan.repeats) for position in range(n))


@pytest.mark.parametrize("plan", [BLOCKED_THREE_BY_TWO, BLOCKED_FIVE_BY_TWO], ids=str)
def test_blocked_cuts_are_the_blocked_splits_of_some_shuffle(plan):
    # of n = 48 records: if the splitter's blocks are numbered as the cuts deal them, training sets are the same
    n, splitter = 48, plan.splitter(3)
    blocks = splitter.blocks(n)
    position = np.argsort(blocks, kind="stable").reshape(splitter.n_blocks, -1).T.ravel()  # block 0, 1, 2, ..., 0, 1, ...
    for (_, cut), (_, test) in zip(plan.test_positions(n), splitter.split(np.zeros(n)), strict=True):
        assert set(position[cut].tolist()) == set(test.tolist())


def test_only_blocks_make_overlaps_equal():
    def overlaps(plan, seed):
        return {len(one & other) for one, other in of_different_repetitions(splits_of(plan.splitter(seed), 80))}

    for seed in range(10):
        assert overlaps(BLOCKED_FIVE_BY_TWO, seed) == {20}
        assert len(overlaps(FIVE_BY_TWO, seed)) > 2  # random halves share now more, now fewer


@each_plan
def test_stratified_splitters_keep_the_classes(name):
    y = np.repeat([0, 1], [200, 40])
    for _, test in PLANS[name].splitter(0, stratify=True).split(np.zeros(240), y):
        assert y[test].mean() == pytest.approx(1 / 6, abs=0.02)


@each_plan
def test_group_splitters_keep_groups_together(name):
    plan, group = PLANS[name], np.repeat(range(30), 8)
    if plan.kind == "k-fold" and plan.repeats > 1:
        assert_raises(lambda: plan.splitter(0, groups=True), re.escape(f"{plan} cannot keep groups together"))
        return
    splits = list(plan.splitter(0, groups=True).split(np.zeros(240), None, group))
    assert len(splits) == plan.splits
    for train, test in splits:
        assert not set(group[train]) & set(group[test])


def test_plans_are_named_by_what_they_do():
    assert str(BLOCKED_FIVE_BY_TWO) == "5 x 2-fold cross-validation, block-regularized"
    assert str(split_plan.HOLD_OUT_THIRD) == "1 x hold-out, 0.333 of the records for testing"
    assert FIVE_BY_TWO == Plan("k-fold", 5) != BLOCKED_FIVE_BY_TWO
    assert len(set(PLANS.values())) == len(PLANS) == 8
