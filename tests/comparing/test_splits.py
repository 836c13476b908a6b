"""Splits and the tests made on them: ratios come from the splits, splits are what the plan requires, and predictions are classes."""

import pickle
import re
from decimal import Decimal
from functools import partial

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as some
from shortcuts import assert_each_raises, assert_raises, parametrize
from sklearn import model_selection
from sklearn.base import BaseEstimator
from sklearn.datasets import load_breast_cancer
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import RandomForestRegressor
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import accuracy_score, make_scorer
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import fstats
from fstats.core.validation import class_labels
from fstats.procedures.resampling.cross_validation_tests import ALL_TESTS
from fstats.procedures.resampling.split_plans import split_plan
from fstats.procedures.resampling.split_plans.split_plan import Plan
from fstats.simulate import Epsilon, type_one_error

N = 240
RNG = np.random.default_rng(12)
Y = np.arange(N) % 2
X = RNG.normal(size=(N, 2)) + Y[:, np.newaxis]
GROUPS = RNG.permutation(np.arange(N) % 30)  # thirty groups of eight
UNEVEN = np.sort(RNG.integers(0, 16, N) ** 2 // 12)  # some groups much larger than others
BAYES, STUMP = GaussianNB(), DecisionTreeClassifier(max_depth=1, random_state=0)
PLANS = {name: plan for name, plan in vars(split_plan).items() if isinstance(plan, Plan)}
each_plan = pytest.mark.parametrize("plan", PLANS.values(), ids=PLANS)
BY_RATIO = [test for test in ALL_TESTS if "test_train_ratio" in test.inputs]


def split(splitter, y=Y, groups=GROUPS):
    """The splits of a splitter, which may want groups (others warn that they do not)."""
    return list(splitter.split(np.zeros(len(y)), y, **({"groups": groups} if "Group" in type(splitter).__name__ else {})))


def fits(test, splits, groups=None):
    """Whether splits are what the plan of a test requires."""
    try:
        return bool(test.plan.check_splits(splits, N, groups))
    except ValueError:
        return False


# -- ratios -----------------------------------------------------------------------------------------------------------------
def test_tests_that_use_a_ratio_and_the_ratio_matters():
    assert {*BY_RATIO} == {fstats.CorrectedResampledT, fstats.CorrectedPseudoBootstrapT, fstats.CorrectedRepeatedKFoldT}
    x, y = load_breast_cancer(return_X_y=True)
    own = list(model_selection.ShuffleSplit(15, test_size=1 / 3, random_state=0).split(x))
    test = fstats.compare(LinearDiscriminantAnalysis(), KNeighborsClassifier(), x, y, fstats.CorrectedResampledT, splits=own)
    assert (test.test_train_ratio, test.pvalue) == (190 / 379, pytest.approx(0.0510, abs=5e-5))
    assert fstats.CorrectedResampledT(test.d, test_train_ratio=1 / 9).pvalue == pytest.approx(0.0019, abs=5e-5)  # what it was taken for
    assert not test.reject


OWN = {
    fstats.CorrectedResampledT: model_selection.ShuffleSplit(15, test_size=0.3, random_state=1),
    fstats.CorrectedPseudoBootstrapT: model_selection.ShuffleSplit(15, test_size=40, train_size=50, random_state=1),
    fstats.CorrectedRepeatedKFoldT: model_selection.RepeatedKFold(n_splits=10, n_repeats=10, random_state=1),
}


def by_definition(splits):
    tested, trained = sum(len(test) for _, test in splits), sum(len(train) for train, _ in splits)
    return tested / trained


@pytest.mark.complete
@pytest.mark.parametrize("test_class", BY_RATIO)
def test_the_ratio_is_that_of_the_splits_on_every_way(test_class, tmp_path):
    splits = split(OWN[test_class])
    test = fstats.compare(BAYES, STUMP, X, Y, test_class, splits=splits)
    ratio = by_definition(splits)
    assert test.test_train_ratio == pytest.approx(ratio, rel=1e-14)
    assert test.pvalue == pytest.approx(test.assuming(test_train_ratio=ratio).pvalue, rel=1e-12)
    scores = fstats.scores_on(test_class, BAYES, STUMP, X, Y, splits=splits)
    assert scores.n_test.tolist() == np.reshape([len(tested) for _, tested in splits], test_class.plan.shape).tolist()
    assert scores.n_train.tolist() == np.reshape([len(trained) for trained, _ in splits], test_class.plan.shape).tolist()
    assert test_class.from_scores(scores).pvalue == test.pvalue
    scores.save(tmp_path / "scores.csv")
    assert test_class.from_scores(fstats.Scores.load(tmp_path / "scores.csv")).pvalue == test.pvalue
    arrays = {"score_a": scores.score_a, "score_b": scores.score_b, "replicates": scores.replicates}
    for way in ({"splits": splits}, {"n_train": scores.n_train, "n_test": scores.n_test}):
        assert test_class.from_scores(fstats.Scores.from_arrays(test_class.plan, **arrays, **way)).pvalue == test.pvalue


@pytest.mark.complete
@pytest.mark.parametrize("groups", [GROUPS, UNEVEN, np.arange(N) % 12], ids=["even", "uneven", "few"])
@pytest.mark.parametrize("test_class", [fstats.CorrectedResampledT, fstats.CorrectedPseudoBootstrapT])
def test_the_ratio_of_groups(test_class, groups):
    drawn = list(test_class.plan.splitter(3, groups=True).split(X, Y, groups))
    test = fstats.compare(BAYES, STUMP, X, Y, test_class, groups=groups, rng=3)
    assert test.test_train_ratio == pytest.approx(by_definition(drawn), rel=1e-14)


@pytest.mark.complete
def test_the_ratio_in_a_table_of_verdicts():
    few = np.arange(N) % 12
    verdicts = fstats.compare_all(BAYES, STUMP, X, Y, [fstats.CorrectedResampledT, fstats.CorrectedPseudoBootstrapT], groups=few)
    assert [verdict.test.test_train_ratio for verdict in verdicts] == [pytest.approx(40 / 200)] * 2  # two of twelve groups are tested
    for verdict in fstats.compare_all(BAYES, STUMP, X[:99], Y[:99], BY_RATIO):
        assert verdict.test.test_train_ratio == pytest.approx(1 / 9 if verdict.name == "CorrectedRepeatedKFoldT" else 10 / 89, rel=1e-14)


def test_simulated_sources_know_theirs():
    seen = []

    class Noting(fstats.CorrectedResampledT):
        def __post_init__(self):
            super().__post_init__()
            if "d" in self.__dict__:
                seen.append(float(self.test_train_ratio))

    Noting.plan = Plan("hold-out", 15, test_share=1 / 3)
    type_one_error([Noting], Epsilon(n=100), 10, rng=1, progress=False)
    assert set(seen) == {34 / 66}
    type_one_error({"wrong": (Noting, {"test_train_ratio": 1 / 9})}, Epsilon(n=100), 10, rng=1, progress=False)  # a study of what it costs
    assert seen[-1] == 1 / 9


@parametrize(
    "test_class, data", (fstats.CorrectedResampledT, [np.ones(15)]), (fstats.CorrectedPseudoBootstrapT, [np.ones(15), np.ones((15, 3))])
)
def test_without_splits_the_ratio_must_be_stated(test_class, data):
    message = r"`test_train_ratio`, .*, must be stated. Write test_train_ratio=1/9 if each split tests 10 % of the records"
    assert_raises(lambda: test_class(*data), message, TypeError)
    assert test_class(*data, test_train_ratio=1 / 9).test_train_ratio == 1 / 9
    with pytest.raises(LookupError, match="the computation needs test_train_ratio"):
        _ = test_class.from_steps(d=np.ones(15), **({"replicates": data[1]} if data[1:] else {})).se
    assert test_class.from_steps(statistic=2.5, df=14).pvalue == pytest.approx(0.02546, abs=1e-5)  # what is not needed need not be stated
    with pytest.raises(TypeError, match=r"`test_train_ratio` must be left out, because the splits determine the ratio\. For another ratio"):
        fstats.compare(BAYES, STUMP, X, Y, test_class, test_train_ratio=1 / 9)
    bare = fstats.Scores(test_class.plan, np.ones(15), np.zeros(15), replicates=np.ones((15, 3)))
    assert test_class.from_scores(bare, test_train_ratio=0.3).test_train_ratio == 0.3
    assert_raises(lambda: test_class.from_scores(bare), r"the numbers of training and test records \(n_train, n_test\)")


def test_folds_that_train_on_all_others_have_one_ratio_whatever_their_sizes():
    unequal = fstats.Scores.from_arrays(
        split_plan.TEN_TIMES_TEN_FOLD, np.ones((10, 10)), np.ones((10, 10)), splits=split(OWN[fstats.CorrectedRepeatedKFoldT])[:100], n=N
    )
    assert unequal.test_train_ratio == pytest.approx(1 / 9, rel=1e-15)
    assert fstats.Scores.from_arrays(split_plan.TEN_TIMES_TEN_FOLD, np.ones((10, 10)), np.ones((10, 10))).test_train_ratio == 1 / 9
    assert fstats.CorrectedRepeatedKFoldT(np.ones((10, 10))).test_train_ratio == 1 / 9


HOLD_OUT = dict(plan=split_plan.REPEATED_HOLD_OUT_TENTH, score_a=np.ones(15), score_b=np.zeros(15))


@pytest.mark.every_case
@parametrize(
    "arrays, words",
    ({"n_test": 10}, "`n_train` and `n_test` must be given together"),
    ({"n_test": 10, "n_train": 0}, "`n_train` must be at least 1; got 0"),
    ({"n_test": 10.5, "n_train": 90}, "`n_test` must be a count .*; got 10.5"),
    ({"n_test": [10] * 14, "n_train": 90}, r"`n_test` must be one number, or have the shape \(15,\)"),
    ({"n_test": 20, "n_train": 90, "n": 100}, r"n_train \+ n_test must be at most n = 100; got 110"),
    ({"n_test": 9, "n_train": 90, "tables": np.full((15, 2, 2), 2)}, "`n_test` must be equal to the number of records in each table"),
    ({"n_test": 9, "n_train": 90, "splits": []}, "`n_train` and `n_test` must be left out if `splits` is given"),
    ({"groups": [1, 2]}, "`groups` must be given together with `splits`; got only"),
    ({"splits": [([0], [1])] * 15}, "no split occurs twice"),
    ({"splits": [([0], [1])] * 15, "groups": [1]}, "`groups` must have one entry for each of the .* records; got 1"),
)
def test_sizes_from_elsewhere_are_checked(arrays, words):
    if "splits" in arrays and "groups" in arrays:
        arrays["n"] = 2
    assert_raises(lambda: fstats.Scores.from_arrays(**HOLD_OUT, **arrays), words)


def test_files_and_scores_say_what_was_tested(tmp_path):
    scores = fstats.Scores.from_arrays(**HOLD_OUT, n_train=90, n_test=10)
    path = tmp_path / "scores.csv"
    scores.save(path)
    lines = path.read_text().splitlines()
    path.write_text("\n".join([lines[0], *(line.rsplit(",", 2)[0] for line in lines[1:])]) + "\n")
    old = fstats.Scores.load(path)
    assert (old.n_train, old.test_train_ratio) == (None, None)
    assert old.score_a.tolist() == scores.score_a.tolist()
    of_three = fstats.Scores.from_arrays(**HOLD_OUT, n_train=2, n_test=1)
    assert str(of_three).startswith("15 splits (15 x hold-out, 0.1 of the records")
    assert str(fstats.Scores.from_arrays(**HOLD_OUT, n_train=60, n_test=30)).startswith("15 splits (15 x hold-out, 0.333 of the records")
    several = (([0, 1], [1, 1]), "2 repetitions, mean score 0.5 of A and 1 of B")
    for scores, said in (((0.9, 0.75), "score 0.9 of A and 0.75 of B"), several):
        one = fstats.Scores.from_arrays(split_plan.HOLD_OUT_THIRD, *map(np.asarray, scores))
        assert str(one) == f"1 split (1 x hold-out, 0.333 of the records for testing), {said}"


# -- splits that fit ----------------------------------------------------------------------------------------------------------
# what each plan takes, of scikit-learn's splitters and ours; the second entry says whether groups are named, too
FITTING = {
    "HOLD_OUT_THIRD": [
        model_selection.ShuffleSplit(1, test_size=1 / 3),
        model_selection.StratifiedShuffleSplit(1, test_size=0.5),
        model_selection.GroupShuffleSplit(1, test_size=0.4),
        model_selection.PredefinedSplit(np.where(np.arange(N) < 100, -1, 0)),
        model_selection.TimeSeriesSplit(2),
    ],
    "REPEATED_HOLD_OUT_THIRD": [
        model_selection.ShuffleSplit(15, test_size=1 / 3),
        model_selection.ShuffleSplit(15, test_size=20, train_size=50),
        model_selection.StratifiedShuffleSplit(15, test_size=0.1),
        model_selection.GroupShuffleSplit(15, test_size=0.2),
        model_selection.KFold(15, shuffle=True),
    ],
    "TEN_FOLD": [
        model_selection.KFold(10),
        model_selection.KFold(10, shuffle=True),
        model_selection.StratifiedKFold(10, shuffle=True),
        model_selection.GroupKFold(10),
        model_selection.StratifiedGroupKFold(10),
        model_selection.PredefinedSplit(np.arange(N) % 10),
        model_selection.RepeatedKFold(n_splits=10, n_repeats=1),
    ],
    "TEN_TIMES_TEN_FOLD": [
        model_selection.RepeatedKFold(n_splits=10, n_repeats=10),
        model_selection.RepeatedStratifiedKFold(n_splits=10, n_repeats=10),
    ],
    "FIVE_BY_TWO": [
        model_selection.RepeatedKFold(n_splits=2, n_repeats=5),
        model_selection.RepeatedStratifiedKFold(n_splits=2, n_repeats=5),
        fstats.BlockRegularizedCV(5),
    ],
    "BLOCKED_THREE_BY_TWO": [fstats.BlockRegularizedCV(3), fstats.BlockRegularizedCV(3, stratify=True)],
    "BLOCKED_FIVE_BY_TWO": [fstats.BlockRegularizedCV(5), fstats.BlockRegularizedCV(5, stratify=True)],
}
FITTING["REPEATED_HOLD_OUT_TENTH"] = FITTING["REPEATED_HOLD_OUT_THIRD"]
fitting = pytest.mark.parametrize(("name", "splitter"), [(name, one) for name in FITTING for one in FITTING[name]], ids=str)


@fitting
def test_splits_of_ones_own_serve_every_test_on_their_plan(name, splitter):
    plan = PLANS[name]
    own = split(splitter)[-1:] if isinstance(splitter, model_selection.TimeSeriesSplit) else split(splitter)
    grouped = "Group" in type(splitter).__name__
    assert len(plan.check_splits(own, N)) == len(plan.check_splits(own, N, GROUPS if grouped else None)) == plan.splits
    for test_class in ALL_TESTS:
        if test_class.plan == plan and test_class is not fstats.ConservativeZ:
            test = fstats.compare(Coin(0), Coin(1), X, Y, test_class, splits=own, groups=GROUPS if grouped else None)
            assert 0 <= test.pvalue <= 1


class Coin(BaseEstimator):
    def __init__(self, seed=0):
        self.seed = seed

    def fit(self, _x, _y):
        return self

    def predict(self, x):
        return np.random.default_rng(self.seed).integers(0, 2, len(x))


def test_every_plan_has_splitters_also_by_groups():
    assert FITTING.keys() == PLANS.keys()
    ten, six = np.arange(N) % 10, np.arange(N) % 6
    assert fits(fstats.KFoldT, split(model_selection.LeaveOneGroupOut(), groups=ten), ten)
    assert fits(fstats.CorrectedResampledT, split(model_selection.LeavePGroupsOut(2), groups=six), six)
    halves = [pair for seed in range(5) for pair in split(model_selection.GroupKFold(2, shuffle=True, random_state=seed), groups=UNEVEN)]
    assert fits(fstats.CombinedFiveByTwoF, halves, UNEVEN)
    with pytest.raises(ValueError, match=r"one half of the records trains and the other half tests; split 1 tests on .*pass them as"):
        fstats.compare(BAYES, STUMP, X, Y, fstats.CombinedFiveByTwoF, splits=halves)


sizes = some.integers(20, 90)
seeds = some.integers(0, 2**31)


@given(some.sampled_from(list(PLANS.values())), sizes, seeds, some.booleans())
@example(split_plan.FIVE_BY_TWO, 6, 0, False)
@example(split_plan.TEN_TIMES_TEN_FOLD, 11, 0, False)
@example(split_plan.REPEATED_HOLD_OUT_TENTH, 15, 0, False)
def test_what_a_plan_draws_is_what_it_requires(plan, n, seed, stratify):
    y = np.arange(n) % 2
    assert len(plan.check_splits(plan.splitter(seed, stratify=stratify).split(np.zeros(n), y), n)) == plan.splits


@given(some.sampled_from([plan for plan in PLANS.values() if plan.kind != "k-fold" or plan.repeats == 1]), some.integers(11, 40), seeds)
@example(split_plan.REPEATED_HOLD_OUT_TENTH, 11, 0)  # of 55 ways to choose two groups, 15 different ones
@example(split_plan.REPEATED_HOLD_OUT_THIRD, 6, 0)  # all there are
def test_what_a_plan_draws_of_groups_is_what_it_requires(plan, count, seed):
    rng = np.random.default_rng(seed)
    groups = rng.permutation(np.repeat([f"g{k}" for k in range(count)], rng.integers(1, 9, count)))
    drawn = plan.splitter(seed, groups=True).split(np.zeros(len(groups)), None, groups)
    assert len(plan.check_splits(drawn, len(groups), groups)) == plan.splits


@each_plan
def test_where_nothing_is_repeated_the_draws_are_scikit_learns(plan):
    theirs = {
        "hold-out": model_selection.ShuffleSplit(plan.repeats, test_size=plan.test_share, random_state=5),
        "k-fold": model_selection.RepeatedKFold(n_splits=plan.folds, n_repeats=plan.repeats, random_state=5),
        "blocked": fstats.BlockRegularizedCV(min(plan.repeats, 7), random_state=5),
    }[plan.kind]
    for ours, other in zip(split(plan.splitter(5)), split(theirs), strict=True):
        assert all(np.array_equal(one, another) for one, another in zip(ours, other, strict=True))


# -- splits that do not -------------------------------------------------------------------------------------------------------
def chosen(plan):
    """Splits of a plan, to be spoilt."""
    return [(train.copy(), test.copy()) for train, test in plan.splitter(7).split(np.zeros(N))]


SPLITS = "REPEATED_HOLD_OUT_THIRD REPEATED_HOLD_OUT_TENTH"
FOLDS = "TEN_FOLD TEN_TIMES_TEN_FOLD"
HALVES = "FIVE_BY_TWO BLOCKED_THREE_BY_TWO BLOCKED_FIVE_BY_TWO"
BLOCKS = "BLOCKED_THREE_BY_TWO BLOCKED_FIVE_BY_TWO"


def moved(pairs, k, count):
    """Records moved from the training set to the test set of a split, and back in the other of its repetition."""
    (train, test), other = pairs[k], k + 1 if k % 2 == 0 else k - 1
    more = np.r_[test, train[:count]], train[count:]
    pairs[k], pairs[other] = (more[1], more[0]), (more[0], more[1])
    return pairs


def exchanged(pair, k):
    """A split with one record of the training set for one of the test set."""
    train, test = (side.copy() for side in pair)
    train[k], test[k] = test[k], train[k]
    return train, test


FOLDS_OF = {100: 10, 10: 2}


def turned(folds, k):
    """Folds of which the first two have exchanged a record."""
    tests = [test.copy() for _, test in folds]
    tests[0][k], tests[1][k] = tests[1][k], tests[0][k]
    return [(np.setdiff1d(np.arange(N), test), test) for test in tests]


SPOILT = {
    "one more": lambda pairs: [*pairs, pairs[0]],
    "seen in training": lambda pairs: [(np.r_[pairs[0][0], pairs[0][1][:1]], pairs[0][1]), *pairs[1:]],
    "the first again and again": lambda pairs: pairs[:1] * len(pairs),
    "twice": lambda pairs: [*pairs[:14], pairs[3]],
    "the same test set, other training records": lambda pairs: [(np.delete(pairs[0][0], k), pairs[0][1]) for k in range(15)],
    "the same folds": lambda pairs: pairs[:10] * 10,
    "the same halves": lambda pairs: pairs[:2] * (len(pairs) // 2),
    "the same halves, swapped": lambda pairs: [*pairs[:2], *pairs[1::-1], *pairs[4:]],
    "one training set": lambda pairs: [(pairs[0][0], np.random.default_rng(k).choice(pairs[0][1], 20, replace=False)) for k in range(15)],
    "all but one": lambda pairs: [exchanged(pairs[0], k) for k in range(15)],
    "nearly one training set": lambda pairs: [
        (np.delete(pairs[0][0], k), np.random.default_rng(k).choice(pairs[0][1], 6, replace=False)) for k in range(15)
    ],
    "a few unlike the others": lambda pairs: [*(exchanged(pairs[0], k) for k in range(14)), pairs[1]],
    "nearly the same folds": lambda pairs: [
        pair for i in range(len(pairs) // FOLDS_OF[len(pairs)]) for pair in turned(pairs[: FOLDS_OF[len(pairs)]], i)
    ],
    "another order": lambda pairs: [*pairs[1:], pairs[0]],
    "overlapping test sets": lambda pairs: [(pairs[0][0][1:], np.r_[pairs[0][1], pairs[0][0][0]]), *pairs[1:]],
    "uneven halves": lambda pairs: moved(pairs, 2, 5),
    "half of a half": lambda pairs: [(train[:60], test) for train, test in pairs],
    "random halves": lambda pairs: split(model_selection.RepeatedKFold(n_splits=2, n_repeats=len(pairs) // 2, random_state=0)),
    "a series of time": lambda pairs: split(model_selection.TimeSeriesSplit(len(pairs))),
    "a window through time": lambda pairs: split(
        model_selection.TimeSeriesSplit(len(pairs), max_train_size=N // len(pairs), test_size=2, gap=1)
    ),
    "back through time, records in any order": lambda pairs: [
        tuple(np.random.default_rng(0).permutation(N)[side] for side in pair)
        for pair in split(model_selection.TimeSeriesSplit(len(pairs)))[::-1]
    ],
}
REFUSALS = {  # the plans, and what is said of the spoilt splits
    "one more": (f"HOLD_OUT_THIRD {SPLITS} {FOLDS} {HALVES}", r"`splits` must be the \d+ splits of .*; got \d+ splits"),
    "seen in training": (
        f"HOLD_OUT_THIRD {SPLITS} {FOLDS} {HALVES}",
        "requires that no split trains and tests on the same record; split 1 trains and tests on the same record",
    ),
    "the first again and again": (SPLITS, "no split occurs twice; split 2 tests the same records as split 1"),
    "twice": (SPLITS, "no split occurs twice; split 15 tests the same records as split 4"),
    "the same test set, other training records": (SPLITS, "no split occurs twice; split 2 tests the same records as split 1"),
    "the same folds": ("TEN_TIMES_TEN_FOLD", "no split occurs twice; splits 11 to 20 test the same records as splits 1 to 10"),
    "the same halves": (HALVES, "no split occurs twice; splits 3 to 4 test the same records as splits 1 to 2"),
    "the same halves, swapped": (HALVES, "splits 3 to 4 test the same records as splits 1 to 2"),
    "one training set": (SPLITS, "no split occurs twice; split 2 trains on the same records as split 1"),
    "all but one": (SPLITS, r"the test sets of splits 1 and 2 share \d+ records, but independent draws share [\d.]+ on average"),
    "nearly one training set": (
        SPLITS,
        r"the training sets of splits 1 and 2 share \d+ records, but independent draws share [\d.]+ on average",
    ),
    "a few unlike the others": (SPLITS, r"share no more than independent draws do; the test sets of splits 1 and 2"),
    "nearly the same folds": (
        "TEN_TIMES_TEN_FOLD FIVE_BY_TWO",
        r"share no more than independent draws do; the test sets of splits \d+ and \d+ share",
    ),
    "another order": (f"TEN_TIMES_TEN_FOLD {HALVES}", r"test every record once; got record \d+ [02] times in repetition 1, splits 1 to"),
    "overlapping test sets": (f"{FOLDS} {HALVES}", r"test every record once; got record \d+ 2 times in repetition 1"),
    "uneven halves": (HALVES, r"one half of the records trains and the other half tests; split [34] tests on 12[56] of 240 records"),
    "half of a half": (HALVES, "split 1 trains on 60 of 240 records"),
    "random halves": (
        BLOCKS,
        r"any two training sets of different repetitions share a quarter of the records; splits 1 and 3 share \d+ of 240",
    ),
    "a series of time": (
        f"{SPLITS} {FOLDS} {HALVES}",
        "splits are random and exchangeable; no split trains on a record that it or a later one tests",
    ),
    "a window through time": (f"{SPLITS} {FOLDS} {HALVES}", "no split trains on a record that it or a later one tests"),
    "back through time, records in any order": (SPLITS, "no split trains on a record that it or an earlier one tests"),
}
spoilt = [(what, name) for what, (names, _) in REFUSALS.items() for name in names.split()]


@pytest.mark.parametrize(("what", "name"), spoilt)
def test_splits_that_are_not_the_plans(what, name):
    plan, spoil, (_, words) = PLANS[name], SPOILT[what], REFUSALS[what]
    assert_raises(lambda: plan.check_splits(spoil(chosen(plan)), N), words)
    tests = [test for test in ALL_TESTS if test.plan == plan and test is not fstats.ConservativeZ]
    assert_each_raises(lambda test: fstats.compare(Untouched(), Untouched(), X, Y, test, splits=spoil(chosen(plan))), tests, words)
    assert_raises(lambda: fstats.scores_on(plan, Untouched(), Untouched(), X, Y, splits=spoil(chosen(plan))), words)
    assert_raises(lambda: fstats.Scores.from_arrays(plan, np.ones(plan.shape), np.ones(plan.shape), splits=spoil(chosen(plan)), n=N), words)


class Untouched(BaseEstimator):
    """A model that must never be trained."""

    def fit(self, _x, _y):
        raise AssertionError("trained")

    predict = fit


@pytest.mark.parametrize("name", PLANS)
def test_every_requirement_of_a_plan_is_broken_by_one_of_these(name):
    plan, said = PLANS[name], []
    for what in (what for what, of in spoilt if of == name):
        with pytest.raises(ValueError, match=r"require|must be") as error:
            plan.check_splits(SPOILT[what](chosen(plan)), N)
        said.append(str(error.value))
    for requirement in plan.requires:
        whole = requirement.description == "groups stay whole"  # see below
        assert whole or any(f"requires that {requirement.description};" in text for text in said), requirement


@each_plan
def test_groups_that_are_not_whole(plan):
    pairs = chosen(plan)
    plan.check_splits(pairs, N)
    message = r"requires that groups stay whole; split 1 trains and tests on the same group \(that of the records \d+, \d+\)"
    assert_raises(lambda: plan.check_splits(pairs, N, GROUPS), message)


def advised(error):
    return re.search(r"(?:these splits|so few) are ([^.]*)\.?$", str(error.value))[1].split(", ")


OUT_OF_BAG = [
    (np.unique(drawn), np.setdiff1d(np.arange(N), drawn)) for drawn in (np.random.default_rng(k).integers(0, N, N) for k in range(15))
]


@pytest.mark.complete
@pytest.mark.parametrize("size", [0.02, 0.1, 1 / 3, 0.5, 0.8])
def test_independent_draws_pass_whatever_their_form(size):
    plan, of_groups = split_plan.REPEATED_HOLD_OUT_THIRD, 0
    for seed in range(20):
        plan.check_splits(split(model_selection.ShuffleSplit(15, test_size=size, random_state=seed)), N)
        for groups in (GROUPS, UNEVEN, np.minimum(np.arange(N) // 3, 20)):  # the last holds a group of most records
            own = split(model_selection.GroupShuffleSplit(15, test_size=max(size, 0.1), random_state=seed), groups=groups)
            if len({tuple(test) for _, test in own}) == 15:
                plan.check_splits(own, N, groups)
                plan.check_splits(own, N)  # and where nobody says that there are groups
                of_groups += 1
    assert of_groups > 20  # the rest drew a split twice
    plan.check_splits(OUT_OF_BAG, N)
    many = np.arange(2400) % 6
    plan.check_splits(model_selection.LeavePGroupsOut(2).split(many, many, many), 2400)


def test_two_splits_that_are_the_same_by_chance():
    few = np.arange(N) % 7
    own = split(model_selection.GroupShuffleSplit(15, test_size=2 / 7, random_state=0), groups=few)
    with pytest.raises(ValueError, match=r"equal by chance, use another random_state. Otherwise leave out `splits="):
        fstats.compare(Untouched(), Untouched(), X, Y, fstats.CorrectedResampledT, splits=own, groups=few)


@parametrize(
    "test_class, own, expected",
    (fstats.BlockedFiveByTwoMcNemar, model_selection.RepeatedKFold(n_splits=2, n_repeats=5, random_state=0), "CombinedFiveByTwoF"),
    (fstats.KFoldT, model_selection.ShuffleSplit(15, test_size=0.2, random_state=0), "CorrectedResampledT"),
    (fstats.CorrectedResampledT, model_selection.KFold(10), "CrossValidatedZ"),
    (fstats.CorrectedRepeatedKFoldT, fstats.BlockRegularizedCV(random_state=0), "FiveByTwoT"),
    (fstats.ResampledT, model_selection.ShuffleSplit(1, random_state=0), "HoldOutMcNemar"),
)
def test_the_error_names_tests_that_fit(test_class, own, expected):
    splits = split(own)
    with pytest.raises(ValueError, match="Tests for these splits are") as error:
        fstats.compare(BAYES, STUMP, X, Y, test_class, splits=splits)
    assert expected in advised(error)
    by_name = {test.__name__: test for test in ALL_TESTS}
    assert all(fits(by_name[name], splits) for name in advised(error))


@pytest.mark.parametrize("count", [2, 3, 4, 6, 8, 9, 10, 11, 12])
@pytest.mark.parametrize("test_class", [test for test in ALL_TESTS if test is not fstats.ConservativeZ])
def test_few_groups(test_class, count):
    groups = np.array([f"g{k}" for k in range(count)])[np.arange(N) % count]
    plan = test_class.plan
    if plan.kind == "k-fold" and plan.repeats > 1:
        assert_raises(lambda: fstats.compare(Untouched(), Untouched(), X, Y, test_class, groups=groups), "cannot keep groups together")
        return
    if plan.can_split(count):
        assert fstats.compare(Coin(0), Coin(1), X, Y, test_class, groups=groups).pvalue <= 1
        return
    none = count < 4  # two or three groups allow a hold-out alone, and its tests count records as if they were independent
    words = "no test is possible with so few groups: collect more" if none else "tests that are possible with so few are"
    with pytest.raises(ValueError, match=rf"groups.* {count}.*{words}") as error:
        fstats.compare(Untouched(), Untouched(), X, Y, test_class, groups=groups)
    for name in () if none else advised(error):
        assert not next(test for test in ALL_TESTS if test.__name__ == name).counts_records()
        allowed = next(test for test in ALL_TESTS if test.__name__ == name)
        assert fstats.compare(Coin(0), Coin(1), X, Y, allowed, groups=groups).pvalue <= 1


BY_RECORD = {"HoldOutMcNemar", "ProportionalZ", "NaiveKFoldMcNemar", "CrossValidatedZ", "BlockedFiveByTwoMcNemar", "BlockedFiveByTwoT"}


@pytest.mark.parametrize("every", [3, pytest.param(1, marks=pytest.mark.slow)])
def test_with_groups_the_tests_that_count_records_say_what_they_take_for_granted(every):
    words = "Records of the same group are not independent, but this test assumes independence"
    verdicts = fstats.compare_all(BAYES, STUMP, X, Y, groups=GROUPS)
    assert {verdict.name for verdict in verdicts if words in verdict.test.remark} == BY_RECORD
    for verdict in [*verdicts][::every]:
        test, by_record = verdict.test, verdict.name in BY_RECORD
        alone = fstats.compare(BAYES, STUMP, X, Y, type(test), groups=GROUPS)
        for one in (test, alone, pickle.loads(pickle.dumps(alone)), alone.assuming(alpha=0.01)):
            assert one.conclusion.count(words) == by_record
            assert next(row.value for row in one.worked() if row.name == "grouped") is True
        assert test.pvalue == alone.pvalue == type(test).from_scores(alone.scores).pvalue
    for verdict in fstats.compare_all(BAYES, STUMP, X, Y, [test for test in ALL_TESTS if test is not fstats.ConservativeZ][::every]):
        assert words not in verdict.test.conclusion
        assert "grouped" not in {row.name for row in verdict.test.worked()}


def test_splits_of_groups_are_not_given_to_tests_that_count_records():
    own = split(model_selection.GroupKFold(10))
    with pytest.raises(ValueError, match=r"Tests for these splits are KFoldT.$"):
        fstats.compare(Untouched(), Untouched(), X, Y, fstats.CorrectedResampledT, splits=own, groups=GROUPS)


def test_the_least_that_a_plan_can_split():
    assert {name: plan.min_records for name, plan in PLANS.items()} == {
        "HOLD_OUT_THIRD": 2,
        "REPEATED_HOLD_OUT_THIRD": 6,  # 15 pairs of six
        "REPEATED_HOLD_OUT_TENTH": 11,  # ten alone are ten ways
        "TEN_FOLD": 10,
        "TEN_TIMES_TEN_FOLD": 11,  # ten records in ten folds are one way
        "FIVE_BY_TWO": 5,  # four records in halves are three ways
        "BLOCKED_THREE_BY_TWO": 4,
        "BLOCKED_FIVE_BY_TWO": 8,
    }
    message = (
        r"15 x hold-out, .* needs 11 or more records .with fewer, splits repeat.; got 10; "
        "tests that are possible with so few are"
    )
    assert_raises(lambda: fstats.compare(BAYES, STUMP, X[:10], Y[:10], fstats.CorrectedResampledT), message)
    with pytest.raises(ValueError, match=r"10 x 10-fold .* needs 11 or more records .with fewer, splits repeat.; got 10"):
        fstats.compare(BAYES, STUMP, X[:10], Y[:10], fstats.CorrectedRepeatedKFoldT)


# -- how splits are written ---------------------------------------------------------------------------------------------------
def test_masks_lists_and_generators_are_splits():
    own = split(model_selection.KFold(10))
    expected = fstats.compare(BAYES, STUMP, X, Y, fstats.KFoldT, splits=own).pvalue
    masks = [tuple(np.isin(np.arange(N), side) for side in pair) for pair in own]
    lists = [tuple(side.tolist() for side in pair) for pair in own]
    for form in (
        masks,
        lists,
        [tuple(mask.tolist() for mask in pair) for pair in masks],
        [pd.Series(pair) for pair in lists],
        iter(own),
        np.array(own, object),
    ):
        assert fstats.compare(BAYES, STUMP, X, Y, fstats.KFoldT, splits=form).pvalue == expected
    # gone through twice: for the splits and for the replicates
    repeated = (pair for pair in split(model_selection.ShuffleSplit(15, random_state=0)))
    assert fstats.compare(Coin(0), Coin(1), X, Y, fstats.CorrectedPseudoBootstrapT, splits=repeated).pvalue <= 1


@pytest.mark.every_case
@parametrize(
    "change, words, error",
    (lambda _: 10, r"`splits` must be a list of pairs \(train, test\); got 10", TypeError),
    (lambda own: [*own[:9], (own[9][0], own[9][1] - N)], "split 10 must hold record numbers from 0 to 239; got numbers from -24 to 215"),
    (
        lambda own: [*own[:9], (own[9][0], np.r_[own[9][1], 239])],
        "split 10 must hold each record once in its test set; got record 239 2 times",
    ),
    (
        lambda own: [(np.r_[own[0][0], 100, 100], own[0][1]), *own[1:]],
        "split 1 must hold each record once in its training set; got record 100 3 times",
    ),
    (lambda own: [(np.ones(7, bool), own[0][1]), *own[1:]], "split 1 must be a pair of lists: .* True and False for all 240 records"),
    (lambda own: [own[0][0], *own[1:]], "split 1 must be a pair of lists"),
    (lambda own: [3, *own[1:]], "split 1 must be a pair of lists"),
    (lambda own: [*own[:9], ([0, 1], [N])], "split 10 must hold record numbers from 0 to 239; got numbers from 0 to 240"),
    (lambda own: [*own[:9], (own[9][0][:0], [2])], "split 10 must be a pair of lists"),
    (lambda own: [(own[0][0], own[0][1], [1]), *own[1:]], "split 1 must be a pair of lists"),
    (lambda own: [(own[0][0], own[0][1].astype(float)), *own[1:]], "split 1 must be a pair of lists"),
)
def test_what_is_no_list_of_splits(change, error, words):
    splits = change(split(model_selection.KFold(10)))
    assert_raises(lambda: fstats.compare(Untouched(), Untouched(), X, Y, fstats.KFoldT, splits=splits), words, error)


def test_stratify_and_groups_beside_splits_of_ones_own():
    own = split(model_selection.KFold(10))
    message = "`stratify` and `splits` cannot be combined, because .* Leave out `stratify=` or `splits=`"
    assert_raises(lambda: fstats.compare(Untouched(), Untouched(), X, Y, fstats.KFoldT, splits=own, stratify=True), message)
    compare = partial(fstats.compare, Untouched(), Untouched(), X, Y, fstats.KFoldT)
    assert_raises(lambda: compare(splits=own, groups=GROUPS), "requires that groups stay whole")
    message = "`groups` must hold a group for every record; got none at"
    assert_raises(lambda: compare(groups=np.where(GROUPS, GROUPS, np.nan)), message)


def test_rows_in_another_order_are_no_pairs():
    frame, y, groups = pd.DataFrame(X), pd.Series(Y), pd.Series(GROUPS)
    expected = fstats.compare(BAYES, STUMP, X, Y, fstats.KFoldT).pvalue
    assert fstats.compare(BAYES, STUMP, frame, y, fstats.KFoldT).pvalue == expected
    # other names for the rows, no other order
    assert fstats.compare(BAYES, STUMP, frame.set_axis(range(500, 500 + N)), y, fstats.KFoldT).pvalue == expected
    for name, wrong in (("y", {"y": y[::-1]}), ("groups", {"groups": groups.sort_values(), "y": y})):
        with pytest.raises(ValueError, match=f"`X` and `{name}` must have their rows in the same order; got the row labels"):
            fstats.compare(Untouched(), Untouched(), frame, test=fstats.KFoldT, **wrong)
    with pytest.raises(ValueError, match=r"`groups` must be one list with the group of each record; got shape \(240, 1\)"):
        fstats.compare(Untouched(), Untouched(), frame, y, fstats.KFoldT, groups=groups.to_frame())


# -- predictions are classes --------------------------------------------------------------------------------------------------
REAL = (
    r"must hold class labels \(text, truth values or whole numbers\); got .*\. "
    "For scores or probabilities, .*scoring="
)


@pytest.mark.every_case
@parametrize(
    "labels",
    [0, 1],
    [0.0, 1.0],
    np.array([0, 1], np.float32),
    [-1.0, 3e9],
    [True, False],
    ["0.5", "no"],
    np.array([1, "a", 2.0, True], object),
    pd.Series(["x", "y"]),
    pd.Series([0, 1], dtype="Int64"),
    pd.Categorical(["x", "y"]),
)
def test_what_may_name_a_class(labels):
    assert len(class_labels.class_labels(labels, "y")) == len(labels)


@parametrize(
    "labels",
    [0, 0.5],
    [0.1, 0.2],
    np.array([1, 1.5], np.float32),
    [1.0, np.inf],
    [1 + 2j, 1],
    np.array([1, 0.5], object),
    np.array([1, Decimal("0.5")], object),
)
def test_what_names_no_class(labels):
    assert_raises(lambda: class_labels.class_labels(labels, "y"), "`y` " + REAL)


@parametrize(
    "make",
    fstats.PairedTable,
    *(test.from_predictions for test in (fstats.McNemar, fstats.McNemarExact, fstats.McNemarMidP, fstats.DifferenceOfProportions)),
)
def test_real_numbers_are_no_predictions(make):
    y, a, b = [0, 1, 1, 0], [0, 1, 0, 0], [1, 1, 1, 0]
    make(y, a, b)
    make(y, np.array(a, float), np.array(b, bool))
    for place, name in enumerate(("y_true", "pred_a", "pred_b")):
        lists = [np.array(one, float) for one in (y, a, b)]
        lists[place] = lists[place] * 0.8 + 0.1
        with pytest.raises(ValueError, match=f"`{name}` {REAL}"):
            make(*lists)
    # a class that no record has is wrong, nothing more
    assert fstats.PairedTable(y, [2, 1, 1, 0], b).n01 == fstats.PairedTable(y, [1, 1, 1, 0], b).n01


class Probable(LogisticRegression):
    def predict(self, x):
        return self.predict_proba(x)[:, 1]


REGRESSORS = [
    Ridge(),
    KNeighborsRegressor(),
    RandomForestRegressor(5),
    make_pipeline(StandardScaler(), Ridge()),
    model_selection.GridSearchCV(Ridge(), {"alpha": [1, 2]}),
]


@pytest.mark.parametrize("model", REGRESSORS, ids=lambda model: type(model).__name__)
def test_regressors_are_not_scored_by_right_and_wrong(model):
    whole = (10 * X[:, 0]).round().astype(int)  # numbers that would pass for classes
    for ask in (fstats.compare, fstats.compare_all, partial(fstats.scores_on, fstats.KFoldT)):
        for name, models in (("model_a", (model, BAYES)), ("model_b", (BAYES, model))):
            words = f"{name} must be a classifier, because .* right .*; got a regressor, .*. Use a test of scores"
            with pytest.raises(ValueError, match=words):
                ask(*models, X, whole)
    assert fstats.compare(Ridge(), Ridge(9), X, whole, fstats.KFoldT, scoring="r2").pvalue <= 1


@pytest.mark.every_case
@pytest.mark.parametrize("model", [Probable()], ids=lambda model: type(model).__name__)
@pytest.mark.parametrize("test_class", ALL_TESTS)
def test_models_of_real_numbers_are_not_scored_as_labels(test_class, model):
    assert_raises(lambda: fstats.compare(model, BAYES, X, Y, test_class), rf"in split 1 of .*: `model_a.predict.X.` {REAL}")
    assert_raises(lambda: fstats.compare(BAYES, model, X, Y, test_class), rf"in split 1 of .*: `model_b.predict.X.` {REAL}")


def test_real_y_needs_a_scoring():
    y = X @ [1.0, 2.0]
    assert_each_raises(lambda ask: ask(Ridge(), Ridge(100), X, y), (fstats.compare, fstats.compare_all), "`y` " + REAL)
    assert_raises(lambda: fstats.scores_on(fstats.KFoldT, Ridge(), Ridge(100), X, y), "`y` " + REAL)
    assert fstats.compare(Ridge(), Ridge(100), X, y, fstats.KFoldT, scoring="r2").pvalue < 1


class Shifted(GaussianNB):
    """Numbers the classes anew, and forgets the way back."""

    by = 1

    def predict(self, x):
        return super().predict(x) + self.by


@pytest.mark.parametrize("by", [1, 1.0, 5])
def test_a_class_that_y_does_not_have(by):
    model = Shifted()
    model.by = Shifted.by = by
    message = r"model_b must predict classes of `y`, such as 0, 1; got [256](\.0)? in split 1 of 10 .*\. Predict the labels of `y`"
    assert_raises(lambda: fstats.compare(BAYES, model, X, Y), message)


@pytest.mark.complete
@pytest.mark.parametrize("y", [Y, Y.astype(float), Y.astype(bool), pd.Series(Y, dtype="Int64")], ids=["int", "float", "bool", "Int64"])
def test_one_and_1_and_true_are_the_same_class(y):
    expected = fstats.compare(BAYES, Coin(3), X, Y).scores.tables
    for kind in (int, float, bool, object):
        assert fstats.compare(BAYES, Cast(kind), X, y).scores.tables.tolist() == expected.tolist()


class Cast(Coin):
    """The same guesses in another type."""

    def __init__(self, kind=int):
        self.kind = kind

    def predict(self, x):
        return np.random.default_rng(3).integers(0, 2, len(x)).astype(self.kind)


def test_a_hold_out_may_walk_through_time():
    assert fstats.compare(BAYES, STUMP, X, Y, fstats.HoldOutMcNemar, splits=split(model_selection.TimeSeriesSplit(5))[-1:]).pvalue <= 1


@pytest.mark.complete
@pytest.mark.parametrize("tested", [0.1, 0.2, 1 / 3])
@pytest.mark.parametrize("test_class", [fstats.ResampledT, fstats.CorrectedResampledT])
@pytest.mark.parametrize("planned", [fstats.ResampledT, fstats.CorrectedResampledT])
def test_scores_fit_a_hold_out_by_what_was_tested(planned, test_class, tested):
    own = split(model_selection.ShuffleSplit(15, test_size=tested, random_state=0))
    scores = fstats.scores_on(planned, BAYES, STUMP, X, Y, splits=own)
    if planned is test_class or tested == pytest.approx(test_class.plan.test_share):
        assert test_class.from_scores(scores).pvalue == fstats.compare(BAYES, STUMP, X, Y, test_class, splits=own).pvalue
    else:
        assert_raises(lambda: test_class.from_scores(scores), f"got scores on 15 x hold-out, {tested:.3g} of the records for testing")


def test_a_column_is_no_list():
    column = Y[:, np.newaxis]
    words = r"table has one column. Write {}.ravel\(\), or select the column of a DataFrame with df\[\"target\"\]"
    for y in (column, pd.DataFrame(column)):
        with pytest.raises(ValueError, match=r"`y` must be one list of labels.*got shape \(240, 1\).*" + words.format("y")):
            fstats.compare(Untouched(), Untouched(), X, y)
        with pytest.raises(ValueError, match="`groups` must be one list.*" + words.format("groups")):
            fstats.compare(Untouched(), Untouched(), X, Y, groups=y)
    for place, name in enumerate(("y_true", "pred_a", "pred_b")):
        lists = [Y, Y, Y]
        lists[place] = column
        with pytest.raises(ValueError, match=words.format(name)):
            fstats.McNemar.from_predictions(*lists)
    with pytest.raises(ValueError, match=r"one label for each record of the test set; got shape \(24, 1\).*Let predict end in `.ravel\(\)"):
        fstats.compare(Column(), BAYES, X, Y, fstats.KFoldT)


class Column(Coin):
    def predict(self, x):
        return super().predict(x)[:, np.newaxis]


def test_a_metric_is_no_scorer():
    words = r"scoring failed for model_a, GaussianNB\(\), split 1 of 10 .*\(estimator, X, y\).*make_scorer\(accuracy_score\)"
    with pytest.raises(ValueError, match=words) as error:
        fstats.compare(BAYES, STUMP, X, Y, fstats.KFoldT, scoring=accuracy_score)
    assert error.value.__cause__ is not None
    expected = fstats.compare(BAYES, STUMP, X, Y, fstats.KFoldT).pvalue
    assert fstats.compare(BAYES, STUMP, X, Y, fstats.KFoldT, scoring=make_scorer(accuracy_score)).pvalue == expected
    with pytest.raises(ValueError, match=r"scoring failed for model_a, Coin.*predict_proba'?$"):
        fstats.compare(Coin(), STUMP, X, Y, fstats.KFoldT, scoring=reading_probabilities())
    with pytest.raises(ValueError, match=r"model_a, .*, failed, split 1"):  # the training
        fstats.compare(Untouched(), STUMP, X, Y, fstats.KFoldT, scoring="f1")


def reading_probabilities():
    """A scorer that is an object."""

    class Reading:
        def __call__(self, model, x, _):
            return model.predict_proba(x)[0, 0]

    return Reading()


def test_a_missing_group_or_fold_is_no_class():
    with pytest.raises(ValueError, match=r"`folds` must hold a fold for every record; got none at position 1"):
        fstats.CrossValidatedZ([0, 1, 0, 1], [1, np.nan, 2, 2])
