"""From two estimators to a worked test: against scikit-learn's own loops, with every kind of data, any number of workers, and bad input."""

import pickle
import warnings
from functools import partial

import joblib
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from shortcuts import assert_raises, parametrize
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.compose import make_column_transformer
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier, VotingClassifier
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import cross_val_predict, cross_val_score, train_test_split
from sklearn.naive_bayes import GaussianNB, MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier

import fstats
from fstats import CombinedFiveByTwoF, ConservativeZ, FiveByTwoT, KFoldT, PairedT, PseudoBootstrapT, Scores, compare, compare_all, scores_on
from fstats.comparing.model_comparison import ModelComparison
from fstats.comparing.splits import splits as splits_of
from fstats.procedures.resampling.cross_validation_tests import ALL_TESTS
from fstats.procedures.resampling.split_plans import split_plan
from fstats.runtime.parallel_tasks import run_tasks

PLANS = sorted({test.plan for test in ALL_TESTS}, key=str)
N = 60


def records(n=N, seed=0):
    """Two overlapping classes in three columns."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    return rng.normal(size=(n, 3)) + y[:, np.newaxis] * [1.0, 0.5, 0], y


X, Y = records()
BAYES, STUMP = GaussianNB(), DecisionTreeClassifier(max_depth=1, random_state=0)
RANDOM_TREE = DecisionTreeClassifier(splitter="random", max_features=1)


def same_scores(one, other):
    assert one.plan == other.plan
    for field in Scores.__dataclass_fields__:
        a, b = getattr(one, field), getattr(other, field)
        assert (a is None) == (b is None), field
        assert np.array_equal(a, b), field


# -- the numbers are those of scikit-learn's own loops --------------------------------------------------------------------
@pytest.mark.complete
@pytest.mark.parametrize("plan", PLANS, ids=str)
def test_scores_are_those_of_cross_val_score_on_the_plans_splitter(plan):
    scoring = "neg_log_loss" if plan == split_plan.BLOCKED_FIVE_BY_TWO else "accuracy"
    scores = scores_on(plan, BAYES, STUMP, X, Y, rng=3, scoring=scoring)
    for model, ours in ((BAYES, scores.score_a), (STUMP, scores.score_b)):
        theirs = cross_val_score(clone(model), X, Y, cv=plan.splitter(3), scoring=scoring)
        assert (ours.shape, np.ravel(ours)) == (plan.shape, pytest.approx(theirs, abs=1e-14))


def test_stratified_and_grouped_splits_are_those_of_the_splitter():
    groups = np.arange(N) // 3
    theirs = cross_val_score(BAYES, X, Y, cv=split_plan.TEN_FOLD.splitter(5, stratify=True))
    assert scores_on(KFoldT, BAYES, STUMP, X, Y, rng=5, stratify=True).score_a.tolist() == theirs.tolist()
    theirs = cross_val_score(BAYES, X, Y, groups=groups, cv=split_plan.TEN_FOLD.splitter(5, groups=True))
    assert scores_on(KFoldT, BAYES, STUMP, X, Y, rng=5, groups=pd.Series(groups)).score_a.tolist() == theirs.tolist()


def test_tables_and_records_by_a_loop():
    scores = scores_on(split_plan.TEN_FOLD, BAYES, STUMP, X, Y, rng=1)
    cv = split_plan.TEN_FOLD.splitter(1)
    a, b = (cross_val_predict(clone(model), X, Y, cv=cv) == Y for model in (BAYES, STUMP))
    assert scores.record_difference.tolist() == (a.astype(int) - b).tolist()
    for k, (_, test) in enumerate(cv.split(X)):
        assert (scores.record_fold[test] == k + 1).all()
        for u in (0, 1):
            for v in (0, 1):
                assert scores.tables[k, u, v] == sum((a[r], b[r]) == (u, v) for r in test)


def test_every_test_by_its_own_call_with_its_settings():
    cv = list(split_plan.BLOCKED_FIVE_BY_TWO.splitter(7).split(X))
    tables = np.zeros((10, 2, 2))
    for k, (train, test) in enumerate(cv):
        a, b = (clone(model).fit(X[train], Y[train]).predict(X[test]) == Y[test] for model in (BAYES, STUMP))
        np.add.at(tables[k], (a.astype(int), b.astype(int)), 1)
    test = compare(BAYES, STUMP, X, Y, fstats.BlockedFiveByTwoT, rng=7, alpha=0.1)
    assert test.tables.tolist() == tables.reshape(5, 2, 2, 2).tolist()
    assert (test.statistic, test.alpha) == (fstats.BlockedFiveByTwoT(tables.reshape(5, 2, 2, 2).astype(int)).statistic, 0.1)
    default = compare(BAYES, STUMP, X, Y, rng=7, alpha=0.1)
    assert (type(default), default.alpha) == (fstats.CalibratedFiveByTwoF, 0.1)
    shares = (tables[:, 1, 0] - tables[:, 0, 1]) / tables.sum((1, 2))
    np.testing.assert_allclose(default.d, shares.reshape(5, 2), atol=1e-15)
    assert default.pvalue == fstats.CalibratedFiveByTwoF(default.d).pvalue
    test = compare(BAYES, STUMP, X, Y, FiveByTwoT, alternative="greater")
    assert compare(BAYES, STUMP, X, Y, alternative="greater").pvalue == test.pvalue
    other = compare(STUMP, BAYES, X, Y, FiveByTwoT, alternative="less")
    assert (test.alternative, test.pvalue, test.statistic) == ("greater", other.pvalue, -other.statistic)
    assert compare(BAYES, STUMP, X, Y, fstats.NaiveKFoldMcNemar, empty="drop").empty == "drop"


# -- the worked answer ------------------------------------------------------------------------------------------------------
def test_the_results_on_the_splits_are_the_first_rows(tmp_path):
    test = compare(BAYES, STUMP, X, Y, FiveByTwoT, rng=2)
    rows = {row.name: row for row in test.worked()}
    assert list(rows)[:5] == ["labels", "model_a", "model_b", "scoring", "rng"]
    assert list(rows)[5:11] == ["scores", "split", "score_a", "score_b", "only_a", "only_b"]
    assert (rows["model_a"].value, rows["scoring"].value, rows["rng"].value) == ("GaussianNB()", "accuracy", 2)
    assert test.split.tolist()[:3] == ["1.1", "1.2", "2.1"]
    assert np.array_equal(test.score_a - test.score_b, np.ravel(test.d))
    assert test.only_a.tolist() == np.ravel(test.scores.tables[:, :, 1, 0]).tolist()
    assert test.only_b.tolist() == np.ravel(test.scores.tables[:, :, 0, 1]).tolist()
    text, html, plain = repr(test), test._repr_html_(), test.to_dict()
    assert "  5.2" in text
    assert "GaussianNB()" in html
    assert plain["only_a"] == test.only_a.tolist()
    assert r"s_A" in test.to_latex()
    again = pickle.loads(pickle.dumps(test))
    assert again.pvalue == test.pvalue
    assert np.array_equal(again.score_a, test.score_a)
    test.scores.save(tmp_path / "scores.csv")
    assert FiveByTwoT.from_scores(Scores.load(tmp_path / "scores.csv")).pvalue == test.pvalue


def test_without_counts_there_are_no_columns_of_counts():
    test = compare(BAYES, STUMP, X, Y, CombinedFiveByTwoF, scoring="roc_auc")
    names = [row.name for row in test.worked()]
    assert "score_b" in names
    assert "only_a" not in names
    assert test.scores.tables is None
    assert compare(BAYES, STUMP, X, Y, fstats.HoldOutMcNemar).split.tolist() == ["1"]


# -- identical models -------------------------------------------------------------------------------------------------------
@pytest.mark.complete
def test_identical_models_have_p_1_in_every_test():
    verdicts = compare_all(RANDOM_TREE, clone(RANDOM_TREE), X, Y, stratify=True)
    assert [verdict.test.pvalue for verdict in verdicts] == [1] * len(ALL_TESTS)
    assert verdicts.conclusion.startswith(f"0 of {len(ALL_TESTS)} tests reject")


def test_they_do_draw_lots():
    # that p = 1 is no accident of a deterministic model: another seed gives another tree
    scores = scores_on(FiveByTwoT, RANDOM_TREE, clone(RANDOM_TREE).set_params(random_state=1), X, Y)
    assert (scores.score_a != scores.score_b).any()


class Majority(ClassifierMixin, BaseEstimator):
    """Notes the seeds that it gets, and predicts one class."""

    seen: list = []  # noqa: RUF012

    def __init__(self, random_state=None):
        self.random_state = random_state

    def fit(self, _, y):
        Majority.seen.append(self.random_state)
        self.classes_, counts = np.unique(y, return_counts=True)
        self.most_ = self.classes_[counts.argmax()]
        return self

    def predict(self, X):
        return np.full(len(X), self.most_)


def seeds_of(model, **settings):
    Majority.seen = []
    scores_on(FiveByTwoT, model, clone(model), X, Y, **settings)
    return Majority.seen


def test_seeds_of_models():
    seen = seeds_of(Majority())
    assert (seen[0::2], len(set(seen)), seen) == (seen[1::2], 10, seeds_of(Majority()))
    assert set(seen).isdisjoint(seeds_of(Majority(), rng=1))
    # the models of a pipeline get them, too, and whatever the plan: the first ten of 15 splits have the same
    assert seen == seeds_of(make_pipeline(StandardScaler(), Majority()))
    Majority.seen = []
    scores_on(split_plan.REPEATED_HOLD_OUT_THIRD, Majority(), BAYES, X, Y)
    assert Majority.seen[:10] == seen[0::2]
    seen = seeds_of(VotingClassifier([("one", Majority()), ("two", Majority())]))
    assert len(set(seen)) == 20
    assert sorted(seen[:2]) == sorted(seen[2:4])  # of the first split, of A and of B
    assert seeds_of(Majority(random_state=4)) == [4] * 20
    one, other = (scores_on(FiveByTwoT, BAYES, STUMP, X, Y, rng=np.random.default_rng(6)) for _ in range(2))
    same_scores(one, other)
    rng = np.random.default_rng(6)
    first, second = (scores_on(FiveByTwoT, BAYES, STUMP, X, Y, rng=rng) for _ in range(2))
    same_scores(one, first)
    assert not np.array_equal(first.score_a, second.score_a)


# -- workers ----------------------------------------------------------------------------------------------------------------
TWO = [FiveByTwoT, fstats.CrossValidatedZ]


def numbers(verdicts):
    return [(verdict.name, verdict.test.pvalue, verdict.trainings) for verdict in verdicts]


@pytest.mark.parametrize(("backend", "jobs"), [("threading", 4), pytest.param("loky", 2, marks=pytest.mark.slow)])
def test_any_number_of_workers_gives_the_same_answer(backend, jobs):
    alone = compare_all(RANDOM_TREE, BAYES, X, Y, TWO)
    with joblib.parallel_config(backend=backend):
        assert numbers(alone) == numbers(compare_all(RANDOM_TREE, BAYES, X, Y, TWO, jobs=jobs))


@pytest.mark.complete
@pytest.mark.filterwarnings("default")  # what a cluster warns of is its own affair
def test_the_workers_of_a_dask_cluster_give_the_same_answer(distributed):
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None) as cluster,
        distributed.Client(cluster),
        joblib.parallel_config(backend="dask"),
    ):
        far = compare_all(RANDOM_TREE, BAYES, X, Y, TWO, jobs=-1)
    assert numbers(far) == numbers(compare_all(RANDOM_TREE, BAYES, X, Y, TWO))


@pytest.mark.parametrize("jobs", [0, 1.5, True, "all"])
def test_numbers_of_workers_that_are_none(jobs):
    assert_raises(lambda: compare(BAYES, STUMP, X, Y, jobs=jobs), r"`jobs` must be a number of workers \(1, 2, ...\), or -1 .*; got")


def test_no_bar_where_nobody_looks(capsys):
    compare(BAYES, STUMP, X, Y)
    assert capsys.readouterr() == ("", "")


def test_a_bar_where_somebody_looks(capsys, monkeypatch):
    import tqdm

    monkeypatch.setattr(tqdm, "tqdm", partial(tqdm.tqdm, disable=False))  # conftest.py switches bars off, for the notebooks' sake
    monkeypatch.setattr("fstats.runtime.parallel_tasks._has_viewer", lambda: True)
    monkeypatch.setattr("fstats.runtime.parallel_tasks._in_a_notebook", lambda: False)
    monkeypatch.setattr("fstats.runtime.parallel_tasks.BAR_DELAY", 0)
    assert [result for _, result in run_tasks(pow, [(2, 3), (3, 2)], total=2, title="powers")] == [8, 9]
    shown = capsys.readouterr()
    assert "powers: 100%" in shown.err
    assert shown.out == ""
    monkeypatch.setattr("fstats.runtime.parallel_tasks._in_a_notebook", lambda: True)  # which shows standard error in red
    assert [result for _, result in run_tasks(pow, [(2, 3), (3, 2)], total=2, title="powers")] == [8, 9]
    shown = capsys.readouterr()
    assert "powers: 100%" in shown.out
    assert shown.err == ""
    compare(BAYES, STUMP, X, Y, progress=False)
    assert capsys.readouterr() == ("", "")
    monkeypatch.setattr("fstats.runtime.parallel_tasks.BAR_DELAY", 60)
    compare(BAYES, STUMP, X, Y)  # done before anybody gets impatient
    assert capsys.readouterr() == ("", "")


# -- the caller's estimators and data ---------------------------------------------------------------------------------------
def test_estimators_and_data_are_not_touched():
    forest = RandomForestClassifier(n_estimators=2, random_state=np.random.RandomState(0)).fit(X, Y)
    pipeline = make_pipeline(StandardScaler(copy=False), LogisticRegression()).fit(X.copy(), Y)
    before = pickle.dumps((forest, pipeline, X, Y))
    compare(forest, pipeline, X, Y, KFoldT)
    assert pickle.dumps((forest, pipeline, X, Y)) == before
    writer = make_pipeline(StandardScaler(copy=False), GaussianNB())
    assert compare(writer, STUMP, X * 100, Y, KFoldT).score_b.tolist() == compare(BAYES, STUMP, X * 100, Y, KFoldT).score_b.tolist()


@pytest.mark.complete
@parametrize(
    "given_as",
    lambda X, y: (pd.DataFrame(X, index=range(500, 500 + len(X))), pd.Series(y, index=range(500, 500 + len(X)))),
    lambda X, y: (X.tolist(), y.tolist()),
    lambda X, y: (X, np.array(["no", "yes"])[y]),
    lambda X, y: (pd.DataFrame(X), pd.Series(np.array(["no", "yes"])[y])),
    lambda X, y: (X, pd.Categorical(np.array(["no", "yes"])[y])),
    lambda X, y: (X, np.array(["no", "yes"], object)[y]),
    lambda X, y: (X, y.astype(bool)),
    lambda X, y: (X, y.astype(float)),
    ids=["pandas", "lists", "text", "pandas text", "categories", "objects", "truth values", "floats"],
)
def test_data_in_any_form(given_as):
    expected = compare(BAYES, STUMP, X, Y)
    assert compare(BAYES, STUMP, *given_as(X, Y)).scores.tables.tolist() == expected.scores.tables.tolist()


@pytest.mark.complete
@pytest.mark.parametrize("form", [sparse.csr_matrix, sparse.coo_matrix, sparse.csc_array])
def test_sparse_records(form):
    counts = np.random.default_rng(1).poisson(1 + Y[:, np.newaxis], (N, 4))
    one, other = MultinomialNB(), MultinomialNB(alpha=100)
    assert compare(one, other, form(counts), Y).scores.tables.tolist() == compare(one, other, counts, Y).scores.tables.tolist()


def test_text_and_columns_in_pipelines():
    words = [["good fine", "bad poor fine"][k] + " thing" * (r % 3) for r, k in enumerate(Y)]
    reader = make_pipeline(CountVectorizer(), MultinomialNB())
    test = compare(reader, make_pipeline(CountVectorizer(), DummyClassifier()), words, Y, KFoldT)
    assert test.score_a.tolist() == [1] * 10
    frame = pd.DataFrame({"colour": np.array(["red", "blue"])[Y], "size": X[:, 0]})
    columns = make_column_transformer((OneHotEncoder(), ["colour"]), ("passthrough", ["size"]))
    assert compare(make_pipeline(columns, LogisticRegression()), DummyClassifier(), frame, Y, KFoldT).score_a.tolist() == [1] * 10


def test_regression_with_a_scorer():
    y = X @ [1.0, 2, 3]
    test = compare(Ridge(0.01), Ridge(1000), X, y, CombinedFiveByTwoF, scoring="r2")
    assert test.to_dict()["scoring"] == "r2"
    assert (test.score_a > test.score_b).all()

    def own(model, X, y):
        return -abs(model.predict(X) - y).max()

    assert compare(Ridge(0.01), Ridge(1000), X, y, CombinedFiveByTwoF, scoring=own).to_dict()["scoring"] == "own"


def test_models_that_are_no_estimators_of_scikit_learn():
    class Bare:
        def fit(self, _, y):
            self.most = np.bincount(y).argmax()

        def predict(self, X):
            return [self.most] * len(X)

    model = Bare()
    assert (compare(model, DummyClassifier(), X, Y).scores.tables[..., 0, 1] >= 0).all()
    assert vars(model) == {}


# -- the further splits -----------------------------------------------------------------------------------------------------
def of(n=N, **settings):
    return ModelComparison.from_arguments(BAYES, STUMP, *records(n), **settings).records


@pytest.mark.parametrize("stratify", [False, True])
@pytest.mark.parametrize("n", [60, 61])
def test_halves_of_the_records(n, stratify):
    found = list(splits_of(ConservativeZ.plan, "halves", of(n, stratify=stratify)))
    assert len(found) == 300
    full = next(iter(splits_of(ConservativeZ.plan, "splits", of(n))))
    divisions = np.empty((10, 15, 2), object)
    for split in found:
        _, m, j, h = split.key
        divisions[m, j, h] = split
        assert len(split.test) == len(full.test)  # n2 is that of all records
        assert len(split.train) == n // 2 - len(full.test)
        assert not set(split.train) & set(split.test)
    halves = [[set(pair.train) | set(pair.test) for pair in division[0]] for division in divisions]
    for division, (first, second) in zip(divisions, halves, strict=True):
        assert not first & second
        for j in range(15):
            assert [set(pair.train) | set(pair.test) for pair in division[j]] == [first, second]
        if stratify:
            y = records(n)[1]
            assert all(abs(y[sorted(half)].mean() - 0.5) < 0.04 for half in (first, second))
            assert all(abs(y[division[j][h].test].mean() - 0.5) <= 0.34 for j in range(15) for h in (0, 1))
    assert len({frozenset(first) for first, _ in halves}) == 10


def test_both_halves_are_split_at_the_same_places():
    # seen through one division: the record at place p of one half tests whenever that at place p of the other does
    found = list(splits_of(ConservativeZ.plan, "halves", of()))[:30]
    tests = [np.array([np.isin(np.arange(N), split.test) for split in found[h::2]]) for h in (0, 1)]
    patterns = [sorted(map(tuple, one[:, one.any(0)].T)) for one in tests]
    assert patterns[0] == patterns[1]


@pytest.mark.complete
def test_315_trainings_make_the_conservative_z():
    verdict = compare_all(BAYES, STUMP, X, Y, [ConservativeZ])["ConservativeZ"]
    assert verdict.trainings == 315
    scores, record = verdict.test.scores, of()
    by_hand = np.empty((2, 15, 2))  # two of the ten divisions
    for split in list(splits_of(ConservativeZ.plan, "halves", record))[:60]:
        a, b = (clone(model).fit(X[split.train], Y[split.train]).score(X[split.test], Y[split.test]) for model in (BAYES, STUMP))
        by_hand[split.key[1:]] = a - b
    assert scores.halves[:2] == pytest.approx(by_hand.mean(1), abs=1e-14)


def test_replicates_stay_on_their_side():
    plain = list(splits_of(PseudoBootstrapT.plan, "splits", of()))
    drawn = list(splits_of(PseudoBootstrapT.plan, "replicates", of(replicates=3)))
    assert len(drawn) == 45
    for split in drawn:
        base = plain[split.key[1]]
        for side, whole in ((split.train, base.train), (split.test, base.test)):
            assert len(side) == len(whole)
            assert set(side) <= set(whole)
    assert len({tuple(split.train) for split in drawn}) == 45
    assert all(len(set(split.train)) < len(split.train) for split in drawn)  # some records are there twice
    scores = scores_on([PseudoBootstrapT, fstats.CorrectedPseudoBootstrapT], BAYES, STUMP, X, Y, replicates=3)
    assert scores.replicates.shape == (15, 3)
    split = drawn[3 * 4 + 2]
    a, b = (clone(model).fit(X[split.train], Y[split.train]).score(X[split.test], Y[split.test]) for model in (BAYES, STUMP))
    assert scores.replicates[4, 2] == pytest.approx(a - b, abs=1e-14)


def test_groups_are_never_split():
    groups = np.arange(N) // 4
    for plan in (split_plan.TEN_FOLD, split_plan.REPEATED_HOLD_OUT_TENTH, split_plan.BLOCKED_FIVE_BY_TWO, split_plan.HOLD_OUT_THIRD):
        for split in splits_of(plan, "splits", of(groups=groups)):
            assert not set(groups[split.train]) & set(groups[split.test])
    assert_raises(lambda: compare(BAYES, STUMP, X, Y, FiveByTwoT, groups=groups), "5 x 2-fold cross-validation cannot keep groups together")
    assert_raises(lambda: compare(BAYES, STUMP, X, Y, KFoldT, groups=groups, stratify=True), "`stratify` and `groups` cannot be combined")
    with pytest.raises(ValueError, match=r"this test needs random halves of the records; got `splits` or `groups`"):
        compare(BAYES, STUMP, X, Y, ConservativeZ, groups=groups)


# -- splits of the caller's -------------------------------------------------------------------------------------------------
@pytest.mark.complete
def test_mlxtends_tests_on_its_own_splits():
    # mlxtend cuts each time by train_test_split with a seed below 32767 from RandomState(random_seed); fold 1 trains on the first part
    from mlxtend import evaluate

    rng, own = np.random.RandomState(9), []
    for _ in range(5):
        first, second = train_test_split(np.arange(N), test_size=0.5, random_state=rng.randint(0, 32767))
        own += [(first, second), (second, first)]
    for test, theirs in ((FiveByTwoT, evaluate.paired_ttest_5x2cv), (CombinedFiveByTwoF, evaluate.combined_ftest_5x2cv)):
        for scoring in ("accuracy", "roc_auc"):
            ours = compare(BAYES, STUMP, X, Y, test, splits=own, scoring=scoring)
            expected = theirs(clone(BAYES), clone(STUMP), X, Y, scoring=scoring, random_seed=9)
            assert (ours.statistic, ours.pvalue) == pytest.approx(expected, rel=1e-9)


def test_splits_of_the_plan_change_nothing_and_random_halves_follow_none():
    own = list(split_plan.FIVE_BY_TWO.splitter(0).split(X))
    assert compare(BAYES, STUMP, X, Y, FiveByTwoT, splits=own).pvalue == compare(BAYES, STUMP, X, Y, FiveByTwoT).pvalue

    with pytest.raises(ValueError, match=r"got `splits` or `groups`. Leave out `splits=`"):
        compare(BAYES, STUMP, X, Y, ConservativeZ, splits=list(ConservativeZ.plan.splitter(0).split(X)))


# -- bad input --------------------------------------------------------------------------------------------------------------
@parametrize(
    "models, words",
    ((StandardScaler(), BAYES), r"`model_a` must be an estimator with fit and predict; got StandardScaler\(\), which has no predict"),
    ((BAYES, "bayes"), "`model_b` must be .* got 'bayes', which has no fit and no predict"),
    ((BAYES, GaussianNB), r"`model_b` must be an estimator, not a class; got GaussianNB. Write `GaussianNB\(\)"),
    ((make_pipeline(StandardScaler()), BAYES), "`model_a` must be .* which has no predict"),
)
def test_what_is_no_model(models, words):
    assert_raises(lambda: compare(*models, X, Y), words, TypeError)


class Odd(ClassifierMixin, BaseEstimator):
    """Predicts whatever it is told."""

    def __init__(self, make=None):
        self.make = make

    def fit(self, _, y):
        self.y_ = y
        return self

    def predict(self, X):
        return self.make(len(X))


@parametrize(
    "make, words, error",
    (
        lambda n: np.r_[np.nan, np.zeros(n - 1)],
        r"invalid predictions in split 1 of 10.*: `model_b.predict\(X\)` must hold a class label for every record; got none at position 0",
    ),
    (lambda n: np.array([None] * n), "model_b.predict.X.. must hold a class label for every record"),
    (lambda n: np.zeros((n, 1)), r"model_b must predict one label for each record.* shape \(30, 1\) for 30 records in split 1 of 10"),
    (lambda n: np.zeros(n + 3), "model_b must predict one label for each record"),
    (
        lambda n: np.full(n, "yes"),
        "model_b must predict labels of the type of `y`; got 'yes' in split 1 of 10",
        TypeError,
    ),
)
def test_predictions_that_are_no_labels(make, error, words):
    assert_raises(lambda: compare(BAYES, Odd(make), X, Y), words, error)


def test_a_model_that_fails_says_where():
    def fail(n):
        raise KeyError(f"no column {n}")

    with pytest.raises(ValueError, match=r"model_b, Odd\(.*, failed, split 1 of 10 \(5 x 2-fold .*\): KeyError: 'no column 30'$") as error:
        compare(BAYES, Odd(fail), X, Y)
    assert isinstance(error.value.__cause__, KeyError)


def test_training_sets_that_are_too_small():
    rare = np.r_[np.ones(2, int), np.zeros(N - 2, int)]
    halves = [(np.r_[0, 1, order[:28]], order[28:]) for order in (np.random.default_rng(k).permutation(np.arange(2, N)) for k in range(5))]
    own = [pair for half, other in halves for pair in ((half, other), (other, half))]
    words = r"model_a, LogisticRegression\(\), failed, split 2 of 10 .*ValueError: .*holds only the class 0; write stratify=True in compare"
    assert_raises(lambda: compare(LogisticRegression(), DummyClassifier(), X, rare, FiveByTwoT, splits=own), words)
    compare(LogisticRegression(), DummyClassifier(), X, rare, FiveByTwoT, stratify=True)
    rare = np.r_[np.ones(9, int), np.zeros(N - 9, int)]
    with pytest.raises(ValueError, match=r"to stratify 1 x 10-fold cross-validation, each class needs at least 10 members.* class 1 has 9"):
        compare(BAYES, STUMP, X, rare, KFoldT, stratify=True)
    with pytest.raises(ValueError, match=r"1 x 10-fold cross-validation cannot split the records \(error: .*n_splits=10"):
        compare(BAYES, STUMP, X[:8], Y[:8], KFoldT)
    assert_raises(lambda: compare(BAYES, STUMP, X[:6], Y[:6]), r"needs at least 8 records, one for each block; got 6")
    Majority.seen = []
    assert_raises(
        lambda: compare(Majority(), STUMP, X[:2], Y[:2], ConservativeZ),
        "half of the records .*; got 2 records and test sets of 1",
    )
    assert Majority.seen == []  # it is said before the training, not after


@pytest.mark.every_case
@parametrize(
    "arguments, words, error",
    ({"y": Y[:-1]}, "`X` and `y` must have the same length; got the lengths 60 and 59"),
    ({"groups": Y[:-1], "test": KFoldT}, "`X` and `groups` must have the same length; got the lengths 60 and 59"),
    ({"y": np.where(Y, np.nan, 0.0)}, "`y` must hold a class label for every record"),
    ({"y": np.stack([Y, Y], 1)}, r"`y` must be one list of labels, because right predictions are counted; got shape \(60, 2\)"),
    ({"test": PairedT}, "`test` must be the class of a test on resampled scores, .*; got PairedT", TypeError),
    ({"test": "FiveByTwoT"}, "`test` must be the class of a test on resampled scores, .*; got 'FiveByTwoT'", TypeError),
    ({"rng": -1}, r"`rng` must be a whole number from 0 to 2\*\*32 - 1, a numpy Generator, or None for a random seed; got -1"),
    ({"rng": 1.5}, "`rng` must be a whole number"),
    ({"alpha": 5}, "`alpha` must be between 0 and 1"),
    ({"alternative": "better"}, "`alternative` must be 'two-sided'"),
    ({"alternativ": "greater"}, "CalibratedFiveByTwoF has no 'alternativ': did you mean 'alternative'", TypeError),
    ({"tables": 3}, "CalibratedFiveByTwoF has no 'tables'; it has ", TypeError),
    ({"stratify": "yes"}, "`stratify` must be True or False", TypeError),
    ({"scoring": 3, "test": KFoldT}, "`scoring` must be the name of a scorer", TypeError),
    ({"scoring": lambda *_: "high", "test": KFoldT}, "`scoring` must give one number; got 'high' for model_a in split 1 of 10", TypeError),
    ({"scoring": lambda *_: np.nan, "test": KFoldT}, "`scoring` must be defined on each test set; got nan for model_a in split 1 of 10"),
    ({"scoring": "f1", "test": fstats.BlockedFiveByTwoT}, "BlockedFiveByTwoT needs scoring='accuracy', because .*; got scoring='f1'"),
    ({"scoring": "f1", "test": fstats.CrossValidatedZ}, "CrossValidatedZ needs scoring='accuracy', because it counts right predictions"),
)
def test_arguments_that_do_not_fit(arguments, error, words):
    assert_raises(lambda: compare(BAYES, STUMP, X, arguments.pop("y", Y), **arguments), words, error)


def test_what_is_refused_before_training():
    Majority.seen = []
    assert_raises(lambda: compare(Majority(), Majority(), X, Y, alternative="better"), "alternative")
    assert Majority.seen == []
    with pytest.raises(ValueError, match=r"all tests must use the same plan of splits; got FiveByTwoT \(5 x 2-fold.*KFoldT \(1 x 10-fold"):
        scores_on([FiveByTwoT, KFoldT], BAYES, STUMP, X, Y)
    assert_raises(lambda: scores_on("5x2", BAYES, STUMP, X, Y), "`plan` must be the class of a test on resampled scores", TypeError)
    assert_raises(lambda: scores_on(PseudoBootstrapT, BAYES, STUMP, X, Y, replicates=1), "`replicates` must be at least 2")


# -- all tests together -----------------------------------------------------------------------------------------------------
@pytest.mark.complete
def test_all_tests_agree_with_each_alone():
    verdicts = compare_all(BAYES, RANDOM_TREE, X, Y, rng=4, alpha=0.1)
    assert [verdict.name for verdict in verdicts] == [test.__name__ for test in ALL_TESTS]
    for test in (FiveByTwoT, fstats.BlockedFiveByTwoMcNemar, fstats.CrossValidatedZ, PseudoBootstrapT):
        alone = compare(BAYES, RANDOM_TREE, X, Y, test, rng=4, alpha=0.1)
        assert (verdicts[test].test.pvalue, verdicts[test].test.alpha) == (alone.pvalue, 0.1)
    rejections = sum(bool(verdict.test.reject) for verdict in verdicts)
    assert verdicts.conclusion.startswith(f"{rejections} of {len(ALL_TESTS)} tests reject H0 at alpha = 0.1")
    trainings = {verdict.name: verdict.trainings for verdict in verdicts}
    assert (trainings["ConservativeZ"], trainings["PseudoBootstrapT"], trainings["CorrectedResampledT"]) == (315, 240, 15)
    assert all(verdict.seconds > 0 for verdict in verdicts)


def test_the_table_of_verdicts():
    verdicts = compare_all(BAYES, STUMP, X, Y, [FiveByTwoT, KFoldT], rng=1)
    text, html, plain = repr(verdicts), verdicts._repr_html_(), verdicts.to_dict()
    assert len(verdicts) == 2
    assert "A = GaussianNB() and B = DecisionTreeClassifier(max_depth=1, random_state=0), 60 records, rng = 1" in text
    for verdict, line in zip(verdicts, plain["verdicts"], strict=True):
        assert (line["pvalue"], line["plan"]) == (verdict.test.pvalue, str(verdict.test.plan))
        assert f"{verdict.test.statistic:.4g}" in text
        assert f'<th scope="row" style="text-align:left">{verdict.name}</th>' in html
        assert verdict.decision == ("reject" if verdict.test.reject else "fail to reject")
    assert "2 tests reject H0 at alpha = 0.05" in verdicts.conclusion
    assert_raises(lambda: verdicts["SignTest"], r"no result of SignTest \(not computed\); .* are FiveByTwoT, KFoldT", KeyError)


def test_what_cannot_be_asked_is_left_out_with_the_reason():
    verdicts = compare_all(BAYES, DummyClassifier(), X, Y, groups=np.arange(N) // 4, scoring=lambda *_: 0.5)
    assert {verdict.name for verdict in verdicts} | verdicts.left_out.keys() == {test.__name__ for test in ALL_TESTS}
    assert "because it counts right predictions" in verdicts.left_out["HoldOutMcNemar"]
    assert "cannot keep groups" in verdicts.left_out["FiveByTwoT"]
    assert "got `splits` or `groups`" in verdicts.left_out["ConservativeZ"]
    assert "Left out: HoldOutMcNemar: " in repr(verdicts)
    assert "Left out: <code>HoldOutMcNemar</code>: " in verdicts._repr_html_()
    assert_raises(lambda: verdicts[FiveByTwoT], r"no result of FiveByTwoT \(.*cannot keep groups", KeyError)
    with pytest.raises(ValueError, match="because it counts right predictions"):  # asked for by name
        compare_all(BAYES, STUMP, X, Y, [fstats.HoldOutMcNemar], scoring="f1")


# -- scores from elsewhere, and files ---------------------------------------------------------------------------------------
@given(st.data())
def test_a_file_brings_back_every_bit(tmp_path_factory, data):
    plan = data.draw(st.sampled_from(PLANS))
    numbers = st.floats(-1e300, 1e300)  # beyond, results refuse them

    def draw(shape):
        size = int(np.prod(shape))
        return np.resize(data.draw(st.lists(numbers, min_size=min(size, 5), max_size=min(size, 5))), shape)

    n, more = 40, {}
    if data.draw(st.booleans()):
        split = data.draw(st.integers(0, n // plan.folds - 1))
        more["tables"] = np.broadcast_to([[split, 1], [2, n // 2]], (*plan.shape, 2, 2))
    if plan == split_plan.TEN_FOLD and data.draw(st.booleans()):
        more |= dict(record_difference=draw((n,)), record_fold=np.arange(n) % 10 + 1)
    if data.draw(st.booleans()):
        more["halves"] = draw((10, 2))
    if data.draw(st.booleans()):
        more["replicates"] = draw((*plan.shape, 4))
    scores = Scores.from_arrays(plan, draw(plan.shape), draw(plan.shape), **more)
    path = tmp_path_factory.mktemp("scores") / "scores.csv"
    scores.save(path)
    same_scores(Scores.load(path), scores)
    table = pd.read_csv(path, comment="#")
    assert (table.part == "split").sum() == plan.splits


def five_by_two(**more):
    return dict(plan=split_plan.FIVE_BY_TWO, score_a=np.full((5, 2), 0.5), score_b=np.full((5, 2), 0.25)) | more


TABLES = np.broadcast_to([[1, 2], [3, 4]], (5, 2, 2, 2))
UNEVEN = TABLES.copy()
UNEVEN[3, 1, 0, 0] = 2
TEN = dict(plan=split_plan.TEN_FOLD, score_a=np.ones(10), score_b=np.ones(10))


@pytest.mark.every_case
@parametrize(
    "arrays, words, error",
    (five_by_two(plan="5x2"), "`plan` must be the Plan of a test", TypeError),
    (
        five_by_two(score_a=np.ones(10)),
        r"`score_a` must have the shape \(5, 2\) .*; got shape \(10,\). Write `numpy.reshape\(score_a, \(5, 2\)\)",
    ),
    (five_by_two(score_b=np.ones((2, 5))), r"`score_b` must have the shape \(5, 2\) of the plan 5 x 2-fold .*; got shape \(2, 5\)"),
    (five_by_two(score_b=np.ones((5, 2, 3))), "`score_a` and `score_b` must have the same shape"),
    (five_by_two(score_b=np.full((5, 2), np.nan)), r"`score_b` must hold finite numbers; got nan at position \(0, 0\)"),
    (five_by_two(tables=TABLES[..., 0]), r"`tables` must have the shape \(5, 2, 2, 2\)"),
    (five_by_two(tables=TABLES - 2), "`tables` must be a count .*; got -1"),
    (five_by_two(tables=TABLES / 2), "`tables` must be a count .*; got 0.5"),
    (five_by_two(tables=TABLES * 0), "`tables` must count at least one record of each test set; got no record in repetition 1, fold 1"),
    (
        five_by_two(tables=UNEVEN),
        "`tables` must count every record once in each repetition .*; got record counts 20, 21",
    ),
    (five_by_two(tables=TABLES, n=19), "`tables` must count at most n = .* records in each repetition; got 20 records in repetition 1"),
    (five_by_two(tables=TABLES, n=21), "every record once in each repetition .*; got record counts 20 for n = 21"),
    (five_by_two(record_difference=[0, 1], record_fold=[1, 2]), "tests each record once; got the plan 5 x 2-fold"),
    (five_by_two(halves=np.ones((2, 10))), r"`halves` must have the shape \(10, 2\), divisions by halves; got shape \(2, 10\)"),
    (five_by_two(replicates=np.ones((5, 2))), "`replicates` must have the shape"),
    (TEN | dict(record_difference=[0, 1]), "`record_difference` and `record_fold` must be given together"),
    (TEN | dict(record_difference=[0, 1], record_fold=[1, 2]), "`record_fold` must name all 10 folds; got the folds 1, 2"),
    (TEN | dict(record_difference=np.zeros(20), record_fold=np.arange(10)), "`record_fold` must hold the fold of each"),
    (TEN | dict(record_difference=np.zeros(20), record_fold=np.arange(20) % 10, n=30), "one row for each of the 30 records"),
)
def test_scores_from_elsewhere_are_checked(arrays, error, words):
    assert_raises(lambda: Scores.from_arrays(**arrays), words, error)


def test_scores_from_elsewhere_serve_a_test(tmp_path):
    scores = Scores.from_arrays(**five_by_two(score_a=[[0.9, 0.8]] * 5, tables=TABLES, n=20))
    assert FiveByTwoT.from_scores(scores).pvalue == FiveByTwoT(scores.difference).pvalue
    batch = Scores.from_arrays(split_plan.FIVE_BY_TWO, np.random.default_rng(0).random((5, 2, 7)), np.zeros((5, 2, 7)))
    assert FiveByTwoT.from_scores(batch).pvalue.shape == batch.repetitions == (7,)
    assert str(batch).startswith("10 splits (5 x 2-fold cross-validation), 7 repetitions, mean score 0.")
    assert repr(scores).endswith("; with tables>")
    batch = Scores.from_arrays(split_plan.FIVE_BY_TWO, np.ones((5, 2, 7)), np.zeros((5, 2, 7)))
    words = r"a file must hold the scores of one comparison; got a batch of shape \(7,\)"
    assert_raises(lambda: batch.save(tmp_path / "scores.csv"), words)


@pytest.mark.every_case
@parametrize(
    "change, words",
    (lambda text: text.replace("# fstats.Scores", "# scores"), "the first line of a file of scores must begin with '# fstats.Scores'"),
    (lambda text: text.replace("repeats=5", "repeats=many"), "the first line of a file of scores must"),
    (lambda text: text.replace("score_b", "b"), "line 2 of .* must name the columns .*; missing columns are score_b"),
    (
        lambda text: text.replace("split,5,2", "split,5,3"),
        r"the part 'split' of .* must have one line for each i from 1 to 5 and j from 1 to 2, sorted by i",
    ),
    (lambda text: text[: text.index("split,5,2")], "sorted by i and then by j.*; got 9 lines"),
    (lambda text: text.replace("split,3,1", "spilt,3,1"), "`part` must be one of split, record, .* in line 7 .*; got 'spilt'"),
    (lambda text: text.replace("split,3,1,0.5", "split,3,1,half"), "line 7 of .* must contain numbers: could not convert"),
    (lambda text: text.replace("split,3,1,0.5", "split,3,1,"), "must have a value of score_a in line 5 of the part 'split'"),
    (lambda text: text.replace("split,3,1,0.5", "split,3,1,nan"), "`score_a` must hold finite numbers"),
    (lambda text: text.replace("0.25,1,2", "0.25,1,-2"), "`tables` must be a count"),
)
def test_files_that_do_not_fit(tmp_path, change, words):
    path = tmp_path / "scores.csv"
    Scores.from_arrays(**five_by_two(tables=TABLES)).save(path)
    text = path.read_text()
    assert change(text) != text
    path.write_text(change(text))
    assert_raises(lambda: Scores.load(path), words)


def test_scores_of_another_plan_and_warnings():
    words = "KFoldT needs scores on the splits of the plan 1 x 10-fold cross-validation; got scores on 5 x 2-fold"
    assert_raises(lambda: KFoldT.from_scores(Scores.from_arrays(**five_by_two())), words)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        compare(LogisticRegression(max_iter=1), BAYES, X, Y, KFoldT)
    assert any("converge" in str(one.message) for one in caught)


def test_the_first_rows_are_typeset_like_all_others():
    from matplotlib.mathtext import MathTextParser

    from fstats.render.latex import equation

    parser = MathTextParser("agg")
    for row in compare(BAYES, STUMP, X, Y, KFoldT).worked()[:10]:
        parser.parse(f"${equation(row)}$")
        assert row.sentence.endswith(".")
