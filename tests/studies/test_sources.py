"""Sources that train: learners on many splits at once, held against scikit-learn's and against fit and predict; error rates; bad input."""

import joblib
import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array
from scipy.special import expit
from shortcuts import assert_each_raises, assert_raises, parametrize
from sklearn.base import BaseEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB, MultinomialNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

import fstats
from fstats import simulate
from fstats.comparing.model_evaluation import check_model
from fstats.comparing.splits import Split
from fstats.procedures.resampling.cross_validation_tests import ALL_TESTS, TABLE_5
from fstats.runtime.file_lock import FileInUseError
from fstats.simulate.bcv_paper_sources import letter_weights
from fstats.simulate.exp6_population import exp6_records, exp6_rules, f1, f3
from fstats.simulate.logistic_regression import fit_logistic
from fstats.simulate.training_cache import TrainingCache, child_seed
from fstats.simulate.training_sources import error_rate


def records(n=60, features=2, classes=3, seed=0, whole=False):
    rng = np.random.default_rng(seed)
    y = rng.integers(classes, size=n)
    x = rng.normal(size=(n, features)) + y[:, np.newaxis]
    return np.round(2 * x) if whole else x, np.array(["ant", "bee", "cat"])[y]


def random_splits(n, rng, count=12):
    """Training and test sets of all kinds: small, large, out of order, and drawn with replacement."""
    found = []
    for k in range(count):
        order = rng.permutation(n)
        size = int(rng.integers(3, n - 3))
        train, test = order[:size], order[size:]
        if k % 3 == 2:
            train, test = rng.choice(train, size), rng.choice(test, n - size)
        found.append(Split(train, test, (0, k), f"split {k}"))
    return found


# -- learners ----------------------------------------------------------------------------------------------------------------
def assert_right_where_fit_and_predict_are(learner, x, y, splits, rng=0):
    """Where a source says that a learner is right on each split is where the learner is, fitted and asked alone."""
    model = check_model(learner, "learner")
    for split, found in zip(splits, TrainingCache(x, y, np.random.SeedSequence(0))._evaluate_learner(model, splits, rng)):
        alone = model.seeded_copy(rng, split).fit(x[split.train], y[split.train]).predict(x[split.test])
        assert found.tolist() == (alone == y[split.test]).tolist()


@pytest.mark.complete
@pytest.mark.parametrize("whole", [False, True], ids=["any numbers", "whole numbers with ties"])
@parametrize(
    "learner", simulate.Majority(), simulate.NearestNeighbour(), simulate.NearestNeighbour((3.0, 1.0)), ids=["majority", "1-NN", "weighted"]
)
def test_many_splits_at_once_equal_fit_and_predict(learner, whole):
    x, y = records(whole=whole)
    assert_right_where_fit_and_predict_are(learner, x, y, random_splits(len(y), np.random.default_rng(1)))


def test_logistic_regression_on_many_splits_equals_fit_and_predict_even_with_one_class():
    x, y = records(classes=2)
    splits = random_splits(len(y), np.random.default_rng(1))
    splits.append(Split(np.flatnonzero(y == "ant")[:5], np.arange(10), (0, 99), "one class"))
    assert_right_where_fit_and_predict_are(simulate.Logistic(), x, y, splits)
    only = splits[-1].train
    assert {*simulate.Logistic().fit(x[only], y[only]).predict(x).tolist()} == {"ant"}


@pytest.mark.complete
@pytest.mark.parametrize("features", [1, 2, 3])
def test_newtons_method_finds_what_scikit_learn_finds(features):
    rng = np.random.default_rng(features)
    x = rng.normal(size=(200, features))
    y = (rng.random(200) < 1 / (1 + np.exp(-x.sum(1)))).astype(int)
    ones = np.column_stack([np.ones(200), x])
    for of in rng.integers(0, 2, size=(9, 200)) > 0:
        coefficients = fit_logistic(ones[of], y[of])
        theirs = LogisticRegression(C=np.inf, tol=1e-12, max_iter=10_000).fit(x[of], y[of])
        assert coefficients == pytest.approx([*theirs.intercept_, *theirs.coef_[0]], abs=2e-5)
        assert ((ones @ coefficients > 0) == theirs.predict(x)).all()


def test_newtons_method():
    apart, said = np.column_stack([np.ones(4), [0.0, 1, 2, 3]]), np.array([0, 0, 1, 1])
    found = fit_logistic(apart, said)  # separated: the boundary lies between them, in the middle
    assert -found[0] / found[1] == pytest.approx(1.5)
    assert found[1] > 10
    constant = fit_logistic(np.column_stack([np.ones(4), np.zeros(4)]), np.array([0, 0, 1, 0]))
    assert constant == pytest.approx([-np.log(3), 0])
    assert_raises(lambda: simulate.Logistic().fit(*records()), "logistic regression needs at most two classes; got 3")
    # with far records Newton's plain step can overshoot; the likelihood leads back
    for seed in range(20):
        rng = np.random.default_rng(seed)
        x = np.column_stack([np.ones(50), rng.standard_cauchy(50)])
        y = (rng.random(50) < 0.5).astype(int)
        assert (y - expit(x @ fit_logistic(x, y))) @ x == pytest.approx(0, abs=1e-4), "the slope of the likelihood at its maximum"


def test_nearest_neighbours():
    x, y = records(80, features=3)
    weights = (4.0, 1.0, 0.25)
    theirs = KNeighborsClassifier(1, algorithm="brute").fit(x[:50] * np.sqrt(weights), y[:50])
    ours = simulate.NearestNeighbour(weights).fit(x[:50], y[:50])
    assert ours.predict(x[50:]).tolist() == theirs.predict(x[50:] * np.sqrt(weights)).tolist()
    words = "`weights` must be 3 positive numbers"
    assert_each_raises(lambda wrong: simulate.NearestNeighbour(wrong).fit(x, y), ((1.0, 2.0), (1.0, 0.0, 1.0), (1.0, np.nan, 1.0)), words)
    x, y = np.array([[0.0], [2.0], [1.0]]), np.array(["b", "a", "b"])
    for order in ([0, 1], [1, 0]):
        assert simulate.NearestNeighbour().fit(x[order], y[order]).predict(x[2:]).tolist() == ["a"]
    x, y = np.arange(60.0)[:, np.newaxis], np.repeat([0, 1], 30)
    split = Split(np.array([0, 59]), np.arange(20, 40), (0, 0), "two train")
    assert simulate.NearestNeighbour().fit(x[split.train], y[split.train]).predict(x[split.test]).tolist() == [0] * 10 + [1] * 10


@pytest.mark.complete
@parametrize(
    "settings",
    {"criterion": "entropy", "min_samples_leaf": 2, "random_state": 0},
    {"min_samples_leaf": 5, "min_samples_split": 12, "max_depth": 3},
    {"criterion": "log_loss", "random_state": 7},
    {"max_features": 1, "random_state": 3},
    ids=str,
)
def test_trees_are_scikit_learns(settings):
    x, y = records(90, features=4, whole=True)
    splits = random_splits(90, np.random.default_rng(2), count=20)
    assert_right_where_fit_and_predict_are(DecisionTreeClassifier(**settings), x, y, splits, rng=11)
    missing = x.copy()
    missing[3, 1] = np.nan  # a tree can learn from it
    assert_right_where_fit_and_predict_are(DecisionTreeClassifier(**settings), missing, y, splits, rng=11)


# -- one data set: the scores are those of fstats.compare --------------------------------------------------------------------
SAME = ("score_a", "score_b", "tables", "record_difference", "record_fold", "halves", "replicates", "n_train", "n_test")


@pytest.mark.complete
@parametrize(
    "source",
    simulate.EXP6(0.3, n=40),
    simulate.Simple(0.5, n=41),
    simulate.Population(*records(200), GaussianNB(), DecisionTreeClassifier(max_depth=2), n=43),
    simulate.Population(*records(200, classes=2), simulate.Logistic(), simulate.NearestNeighbour((1.0, 5.0)), n=40),
    ids=["EXP6", "Simple", "any two", "own learners"],
)
def test_scores_of_one_data_set_are_those_of_compare(source):
    ((x, y),) = source.draw(np.random.default_rng(3), 1)
    bench = TrainingCache(x, y, np.random.SeedSequence(4))
    own = isinstance(source, simulate.Population) and isinstance(source.model_a, simulate.Logistic)
    few = [test for test in TABLE_5 if test.plan.splits <= 15] if isinstance(source, simulate.Population) else TABLE_5
    if own:  # the further splits are many: where learners are fast, and there alone
        few = [fstats.ConservativeZ, fstats.CorrectedPseudoBootstrapT]
    for plan in {test.plan for test in few}:
        tests = [test for test in few if test.plan == plan]
        needs = {need for test in tests for need in test.required_results}
        ours = bench.scores(plan, needs, *source.learners)
        theirs = fstats.scores_on(tests, *source.learners, x, y, rng=bench.rng(plan), progress=False)
        for name in SAME:
            if getattr(ours, name) is not None or name in needs:
                assert np.array_equal(getattr(ours, name), getattr(theirs, name)), (plan, name)


def test_a_batch_is_its_data_sets_one_by_one():
    source, test = simulate.EXP6(0.3, n=40), fstats.BlockedFiveByTwoMcNemar
    data = source.draw(np.random.default_rng(3), 3)
    seed = np.random.SeedSequence(4)
    batch = test.from_scores(source.scores(data, test.plan, test.required_results, seed))
    for r, (x, y) in enumerate(data):
        alone = fstats.compare(*source.learners, x, y, test, rng=TrainingCache(x, y, child_seed(seed, r)).rng(test.plan), progress=False)
        assert batch.at(r).pvalue == alone.pvalue


@pytest.mark.complete
def test_records_of_any_kind():
    x, y = records(120)
    frame = pd.DataFrame(x, columns=["a", "b"])
    found = [
        simulate.type_one_error(
            [fstats.KFoldT], simulate.Population(table, y, GaussianNB(), DecisionTreeClassifier(max_depth=1), n=40), 3, progress=False
        )
        for table in (x, frame)
    ]
    assert found[0].rejections.tolist() == found[1].rejections.tolist()
    counts = csr_array(np.round(np.abs(x)))
    sparse, dense = (simulate.Population(table, y, MultinomialNB(), simulate.Majority(), n=40) for table in (counts, counts.toarray()))
    tests = [fstats.HoldOutMcNemar]
    rejections = [simulate.type_one_error(tests, one, 8, progress=False).rejections.tolist() for one in (sparse, dense)]
    assert (rejections[0], sparse.true_error_rates(3)) == (rejections[1], dense.true_error_rates(3))
    texts = np.array([["green"], ["red"]] * 30)
    assert repr(simulate.Population(texts, ["a", "b"] * 30, simulate.Majority(), simulate.Majority())) != repr(
        simulate.Population(texts[::-1], ["a", "b"] * 30, simulate.Majority(), simulate.Majority())
    )


# -- the paper's sources -----------------------------------------------------------------------------------------------------
def test_exp6_as_it_is_printed():
    x, y = exp6_records()
    assert x.shape == (22_801, 2)
    rules = exp6_rules(*x.T)
    assert (rules.sum(0) >= 1).all()
    assert (rules.sum(0) == 2).sum() == 166  # the printed f3 crosses f1
    assert np.bincount(y)[1:].sum() == 22_801
    corners = [(2.0, 14.0), (1.0, 1.0), (10.0, 14.0), (10.0, 1.0), (2.0, 8.0)]
    assert [int(exp6_rules(*place).argmax()) + 1 for place in corners] == [1, 4, 5, 6, 3]
    crossing = [(8 - s * np.sqrt(64 - 4 * 386 / 26)) / 2 for s in (1, -1)]  # 26 x^2 - 208 x + 386 = 0
    assert [f1(place) for place in crossing] == pytest.approx([f3(place) for place in crossing])


@pytest.mark.complete
@pytest.mark.parametrize("omega", [0, -1, 1.5, np.nan])
def test_omega_has_its_range(omega):
    assert_raises(lambda: simulate.EXP6(omega), "`omega` must be above 0 and at most 1")


def test_error_rates_by_a_formula():
    assert simulate.Simple(0.0).true_error_rates(5).a == 0.5
    best = simulate.Simple(1.0).true_error_rates(50, n=500)
    assert 0.3085 < best.a < 0.3105
    assert (best.b, best.n, best.data_sets) == (0.5, 500, 50)
    assert (best.difference, simulate.Simple(-1.0).true_error_rates(50, n=500).a) == (best.a - 0.5, pytest.approx(best.a, abs=0.002))
    drawn = simulate.Simple(1.0, n=200)
    ((x, y), new) = drawn.draw(np.random.default_rng(0), 1)[0], simulate.Simple(1.0).draw(np.random.default_rng(1), 1, 100_000)[0]
    fitted = simulate.Logistic().fit(x, y)
    assert drawn.true_error_rate(fitted.coef) == pytest.approx((fitted.predict(new[0]) != new[1]).mean(), abs=0.006)


def test_true_error_rates_over_a_population():
    x, y = records(300)
    always = simulate.Population(x, y, simulate.Majority(), simulate.NearestNeighbour(), n=30)
    found = always.true_error_rates(40)
    data = always.draw(np.random.default_rng(0), 40, 30)
    by_hand = [(simulate.NearestNeighbour().fit(*each).predict(x) != y).mean() for each in data]
    assert (found.b, found.se_b) == (pytest.approx(np.mean(by_hand)), pytest.approx(np.std(by_hand, ddof=1) / np.sqrt(40)))
    most = [(simulate.Majority().fit(*each).predict(x) != y).mean() for each in data]
    assert found.se_difference == pytest.approx(np.std(np.subtract(most, by_hand), ddof=1) / np.sqrt(40))
    assert always.true_error_rates(40, n=10).b > found.b  # fewer train, more err
    assert error_rate(GaussianNB(), (x, y), (x, y)) == pytest.approx((GaussianNB().fit(x, y).predict(x) != y).mean())
    assert simulate.Epsilon(epsilon=0.1, advantage=0.02).true_error_rates() == (pytest.approx(0.1), pytest.approx(0.12), 0, 0, 0, 300, 0)


class NamesTheRare(BaseEstimator):
    """Always the rare class, whether the training set has it or not."""

    def fit(self, x, y):  # noqa: ARG002
        return self

    def predict(self, x):
        return np.ones(len(x), int)


def test_small_data_sets_and_failing_learners():
    # With 3 % of the records in one class, half of the data sets of 20 records are without it.
    x, y = np.arange(100.0)[:, np.newaxis], (np.arange(100) < 3).astype(int)
    rare = simulate.Population(x, y, NamesTheRare(), simulate.Majority(), n=20)
    assert sum(not of.any() for _, of in rare.draw(np.random.default_rng(0), 30)) > 5
    found = simulate.type_one_error([fstats.KFoldT], rare, 30, progress=False)
    assert (found["KFoldT"].repetitions, found.failures) == (30, ({},))
    x, y = np.arange(100.0)[:, np.newaxis], (np.arange(100) < 10).astype(int)
    often = simulate.Population(x, y, LogisticRegression(), simulate.Majority(), n=10)
    alone = [k for k, (_, of) in enumerate(often.draw(np.random.default_rng(0), 20, 10)) if len(set(of.tolist())) == 1]
    words = rf"a learner failed on {len(alone)} of 20 training sets of 10 records \(first: training set {alone[0] + 1}, .*ValueError"
    assert_raises(lambda: often.true_error_rates(20), words)


def test_letter_says_where_it_looks(tmp_path, monkeypatch):
    monkeypatch.delenv("FSTATS_DATA", raising=False)
    draw = np.random.default_rng(0)
    words = r"needs the folder of letter\.csv\.gz; got no folder. Write data_dir=\.\.\., or set the environment variable"
    assert_raises(lambda: simulate.Letter(20).draw(draw, 1), words)
    assert_raises(lambda: simulate.Letter(20, data_dir=tmp_path).draw(draw, 1), "UCI letter cannot be read from")
    (tmp_path / "letter.csv.gz").write_bytes(b"other")
    monkeypatch.setenv("FSTATS_DATA", str(tmp_path / "."))
    assert_raises(lambda: simulate.Letter(20).draw(draw, 1), "of UCI letter must have the checksum sha256")
    assert_raises(lambda: simulate.Letter(0.5), r"`v` must be between 1 and 50; got 0\.5")
    assert repr(simulate.Letter(20, data_dir=tmp_path)) == "Letter(v=20, n=300)"


def test_distances_and_populations():
    # C1 = 1 3 9 16 counts v times, C2 = 2 4 6 7 8 10 12 14 15 once, C3 = 5 11 13 1/v times
    assert letter_weights(4.0) == (4, 1, 4, 1, 0.25, 1, 1, 1, 4, 1, 0.25, 1, 0.25, 1, 1, 4)
    x, y = records(20)
    for arguments, error, words in (
        ((x[:5], y, GaussianNB(), simulate.Majority()), ValueError, "`x` and `y` must have an entry for each record; got 5 records"),
        ((x, ["a"] * 20, GaussianNB(), simulate.Majority()), ValueError, r"records of at least two classes; got only the classes \['a'\]"),
        ((x, y, GaussianNB, simulate.Majority()), TypeError, "`model_a` must be an estimator, not a class"),
        ((x, y, GaussianNB(), object()), TypeError, "`model_b` must be an estimator with fit and predict"),
    ):
        with pytest.raises(error, match=words):
            simulate.Population(*arguments)
    assert repr(simulate.Population(x, y, simulate.Majority(), simulate.Logistic(), n=9)).startswith("Population(20 records, sha256 ")
    assert repr(simulate.Population(x, y, simulate.Majority(), simulate.Logistic())) != repr(
        simulate.Population(x + 1, y, simulate.Majority(), simulate.Logistic())
    )


# -- bad input ---------------------------------------------------------------------------------------------------------------
def test_a_plan_that_the_records_are_too_few_for_is_refused_before_anything_is_trained():
    source = simulate.Population(*records(50), GaussianNB(), simulate.Majority(), n=6)
    with pytest.raises(ValueError, match="5 x 2 block-regularized cross-validation needs at least 8 records"):
        simulate.type_one_error([fstats.BlockedFiveByTwoMcNemar], source, 2, progress=False)
    assert_raises(lambda: source.true_error_rates(1), "`data_sets` must be at least 2; got 1")


class Fragile(BaseEstimator):
    """Fails where a training set holds a record above a limit."""

    def __init__(self, limit=2.5):
        self.limit = limit

    def fit(self, X, y):
        if X.max() > self.limit:
            raise RuntimeError("too large")
        self.most = y[0]
        return self

    def predict(self, X):
        return np.full(len(X), self.most)


def test_a_learner_that_raises_is_named_and_the_run_goes_on():
    x, y = np.r_[np.zeros((60, 1)), [[9.0]]], np.r_[["a", "b"] * 30, ["a"]]
    source = simulate.Population(x, y, Fragile(), simulate.Majority(), n=12)
    tests = [fstats.KFoldT, fstats.FiveByTwoT]
    found = simulate.type_one_error(tests, source, 20, chunk=7, progress=False)
    fail = [r for r in range(20) if r in found.failures[0]]
    assert 0 < len(fail) < 20
    assert found["KFoldT"].repetitions == found["FiveByTwoT"].repetitions == 20 - len(fail)
    assert f"A learner failed on {len(fail)} data set" in repr(found)
    assert f"first on data set {fail[0] + 1}: " in repr(found)
    (note,) = found.notes
    assert "RuntimeError: too large" in note
    assert "split " in note
    assert note.partition(":")[0] in found._repr_html_()
    assert set(found.to_dict()["failures"][0]) == {str(r) for r in fail}
    healthy = simulate.type_one_error(tests, simulate.Population(x[:-1], y[:-1], Fragile(), simulate.Majority(), n=12), 20, progress=False)
    assert (healthy.notes, healthy["KFoldT"].repetitions) == ([], 20)
    never = simulate.type_one_error(tests, simulate.Population(x, y, Fragile(-1), simulate.Majority(), n=12), 3, progress=False)
    assert never["KFoldT"].repetitions == 0
    assert np.isnan(never["KFoldT"].rate)


def test_where_a_learner_fails_every_test_is_answered():
    source = simulate.Population(*records(40), Fragile(-1.0), simulate.Majority(), n=24)
    for test in ALL_TESTS:
        scores = source.scores(source.draw(np.random.default_rng(0), 2), test.plan, test.required_results, np.random.SeedSequence(0))
        assert list(scores.failures) == [0, 1]
        assert not test.from_scores(scores).reject.any()


def test_a_store_in_use_is_refused_and_free_again_afterwards(tmp_path):
    path = tmp_path / "store.jsonl"

    def second(unit, seed):  # noqa: ARG001
        message = r"store\.jsonl is in use by another computation. Wait until the .* ends, stop the computation, or name another file"
        assert_raises(lambda: simulate.run(lambda *_: 1, [1], arguments={}, store=path), message, FileInUseError)
        return unit

    assert simulate.run(second, [1, 2], arguments={}, store=path) == [1, 2]
    assert simulate.run(second, [1, 2], arguments={}, store=path) == [1, 2]  # kept: nothing is done
    assert_raises(lambda: simulate.run(second, [1, 2], arguments={"other": 1}, store=path), "was written for other arguments")
    assert simulate.run(second, [1, 2], arguments={}, store=path) == [1, 2]  # a refusal holds no lock


def test_a_file_system_without_locks_stops_nobody(tmp_path, monkeypatch):
    def none(_):
        raise OSError("no locks available")

    monkeypatch.setattr("fstats.runtime.file_lock._lock", none)
    assert simulate.run(lambda unit, _: unit, [1], arguments={}, store=tmp_path / "a.jsonl") == [1]


# -- any number of workers ---------------------------------------------------------------------------------------------------
@pytest.mark.complete
@pytest.mark.filterwarnings("ignore")
def test_a_cluster_finds_the_same(distributed):
    tests, points = [fstats.BlockedFiveByTwoMcNemar, fstats.KFoldT], [0.3, 1.0]

    def curve(jobs):
        return simulate.power_curve(tests, lambda omega: simulate.EXP6(omega, n=40), points, 6, chunk=3, jobs=jobs, progress=False)

    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None) as cluster:  # noqa: SIM117
        with distributed.Client(cluster), joblib.parallel_config(backend="dask"):
            there = curve(2)
    assert there.rejections.tolist() == curve(1).rejections.tolist()
