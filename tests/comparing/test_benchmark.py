"""k pipelines on N data sets: the same scores as scikit-learn's, gaps that are named, and nothing lost by a kill or Ctrl-C."""

import json
import signal
import subprocess
import sys
import time

import numpy as np
import pandas
import pytest
from shortcuts import assert_each_raises, assert_raises, parametrize
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris, load_wine
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.metrics import get_scorer, make_scorer, matthews_corrcoef
from sklearn.model_selection import GroupKFold, KFold, RepeatedStratifiedKFold, ShuffleSplit, StratifiedKFold, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import fstats
from fstats.comparing.benchmark_splits import prepare_data_set, split_data_set

DATA = {"iris": load_iris(return_X_y=True), "wine": load_wine(return_X_y=True)}
MODELS = {"bayes": GaussianNB(), "stump": make_pipeline(StandardScaler(), DecisionTreeClassifier(max_depth=1))}


class Moody(ClassifierMixin, BaseEstimator):
    """Fails where there are more than so many features."""

    def __init__(self, most=10):
        self.most = most

    def fit(self, X, y):
        if X.shape[1] > self.most:
            raise RuntimeError(f"{X.shape[1]} features are too many\nfor me")
        self.answer_, self.classes_ = y[0], np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.answer_)


class Interrupts(Moody):
    """Is stopped by somebody on the second data set."""

    def fit(self, X, y):
        if X.shape[1] > 10:
            raise KeyboardInterrupt
        return super().fit(X, y)


@pytest.mark.complete
@parametrize("cv", StratifiedKFold(5, shuffle=True, random_state=1), RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=2))
def test_scores_are_those_of_scikit_learn(cv):
    scoring = ["accuracy", "f1_macro", "neg_log_loss"]
    results = fstats.benchmark(MODELS, DATA, scoring=scoring, cv=cv)
    assert results.metrics == ("accuracy", "f1_macro", "log_loss")
    assert not results["log_loss"].higher_is_better
    fixed = {"bayes": GaussianNB(), "stump": make_pipeline(StandardScaler(), DecisionTreeClassifier(max_depth=1, random_state=0))}
    for i, (X, y) in enumerate(DATA.values()):
        for j, model in enumerate(fixed.values()):
            plain = cross_validate(model, X, y, cv=cv, scoring=scoring)
            for metric, sign in zip(scoring, (1, 1, -1)):
                assert sign * results[metric.removeprefix("neg_")].fold_scores[i, j] == pytest.approx(plain[f"test_{metric}"], rel=1e-9)


@pytest.mark.complete
def test_the_same_call_gives_the_same_scores_whoever_works():
    models = {"tree": DecisionTreeClassifier(max_features=1), "again": DecisionTreeClassifier(max_features=1), "bayes": GaussianNB()}
    first, second = (fstats.benchmark(models, DATA, cv=StratifiedKFold(4, shuffle=True), jobs=jobs) for jobs in (1, 2))
    assert np.array_equal(first.fold_scores, second.fold_scores)
    assert np.array_equal(first.scores[:, 0], first.scores[:, 1])  # identical models have identical seeds
    assert not np.array_equal(first.fold_scores, fstats.benchmark(models, DATA, cv=StratifiedKFold(4, shuffle=True), rng=1).fold_scores)


def test_failures_are_named_gaps():
    results = fstats.benchmark(
        MODELS | {"moody": Moody(), "stumped": GaussianNB(var_smoothing=-1)}, DATA, scoring=["accuracy", "f1_macro"], cv=3
    )
    (wine,) = (gap for gap in results.gaps if gap.classifier == "moody")
    assert wine == ("wine", "moody", "", "", "", "RuntimeError: 13 features are too many")
    assert sum(gap.classifier == "stumped" for gap in results.gaps) == 2
    one = results["accuracy"].without_gaps("drop classifiers")
    assert (one.classifiers, fstats.Friedman(one).n) == (("bayes", "stump"), 2)
    words = "every model failed on every split. Error of model 'a' on data set 'wine': RuntimeError: 13 features"
    assert_raises(lambda: fstats.benchmark({"a": Moody(), "b": Moody()}, {"wine": DATA["wine"]}, cv=2), words)

    def half(estimator, X, y):  # noqa: ARG001
        if X.shape[1] == 13:
            raise ValueError("no such metric here")
        return float("nan")

    results = fstats.benchmark(MODELS, DATA, scoring={"accuracy": "accuracy", "half": half, "mcc": make_scorer(matthews_corrcoef)}, cv=2)
    assert not results["accuracy"].gaps
    assert not results["mcc"].gaps
    why = {(gap.data_set, gap.metric): gap.why for gap in results.gaps}
    assert why["wine", "half"].endswith("ValueError: no such metric here")
    assert why["iris", "half"] == "scoring gave nan: the metric is not defined on this test set"


@pytest.mark.complete
@parametrize(
    "y",
    np.arange(60) % 3,
    np.arange(60) % 2 == 1,
    np.arange(60) % 3 + 0.0,
    np.array(["a", "bb", "c"] * 20),
    np.array(["a", "bb", "c"] * 20, object),
    pandas.Series(["a", "bb", "c"] * 20),
    pandas.Series(np.arange(60) % 3, index=np.arange(60)[::-1]),
    np.eye(3, dtype=int)[np.arange(60) % 3],  # labels in three columns: all must be right,
    ids=["whole numbers", "truths", "decimal numbers", "words", "objects", "a series of words", "a series of numbers", "three columns"],
)
def test_accuracy_that_is_counted_is_that_of_scikit_learn(y):
    data, cv = {"some": (np.random.default_rng(0).normal(size=(60, 2)), y)}, KFold(4, shuffle=True, random_state=0)
    models = {"one": DecisionTreeClassifier(max_depth=1, random_state=0), "three": DecisionTreeClassifier(max_depth=3, random_state=0)}
    by_name, by_scorer = (fstats.benchmark(models, data, cv=cv, scoring=one) for one in ("accuracy", get_scorer("accuracy")))
    np.testing.assert_array_equal(by_name.scores, by_scorer.scores)
    assert 0 < by_name.scores.min() < by_name.scores.max() < 1


def test_a_store_of_other_splits_is_refused(tmp_path):
    store, X = tmp_path / "run.jsonl", np.random.default_rng(0).normal(size=(12, 2))
    data, parts = {"some": (X, np.arange(12) % 2)}, np.arange(12).reshape(3, 4)
    cut = [(np.r_[parts[0], parts[1]], parts[2]), (np.r_[parts[1], parts[2]], parts[0])]
    moved = [(parts[0], np.r_[parts[1], parts[2]]), cut[1]]  # the same numbers in the same order, parted elsewhere
    models = {"a": DecisionTreeClassifier(random_state=0), "b": DecisionTreeClassifier(max_depth=1, random_state=0)}
    fstats.benchmark(models, data, cv={"some": cut}, store=store)
    words = "written for other arguments: splits: other values of some in this call"
    assert_each_raises(lambda other: fstats.benchmark(models, data, cv={"some": other}, store=store), (moved, cut[::-1]), words)


@pytest.mark.parametrize("jobs", [1, pytest.param(2, marks=pytest.mark.complete)])
def test_a_model_without_probabilities_keeps_its_other_scores(jobs):
    scoring = ["accuracy", "neg_log_loss", "f1_macro"]
    results = fstats.benchmark(MODELS | {"moody": Moody(99)}, DATA, scoring=scoring, cv=2, jobs=jobs)
    assert not results["accuracy"].gaps
    assert not results["f1_macro"].gaps
    assert {(gap.classifier, gap.metric) for gap in results.gaps} == {("moody", "log_loss")}
    assert all("predict_proba" in gap.why for gap in results.gaps)
    alone = fstats.benchmark(MODELS | {"moody": Moody(99)}, DATA, scoring="f1_macro", cv=2)
    np.testing.assert_array_equal(results["f1_macro"].scores, alone.scores)


def test_a_store_of_other_data_sets_says_which_in_few_words(tmp_path):
    store = tmp_path / "run.jsonl"
    many = {f"iris{k}": DATA["iris"] for k in range(8)} | DATA
    fstats.benchmark(MODELS, many, cv=2, store=store)
    with pytest.raises(ValueError, match="data sets: iris0, iris1, iris2, iris3, iris4 and 4 more in the file only; splits: ") as error:
        fstats.benchmark(MODELS, {"wine": DATA["wine"]}, cv=2, store=store)
    assert len(str(error.value)) < 400 + len(str(store))
    changed = many | {"wine": (DATA["wine"][0] + 1, DATA["wine"][1])}
    assert_raises(
        lambda: fstats.benchmark(MODELS, changed, cv=2, store=store), "other arguments: data sets: other values of wine in this call. Name"
    )
    with pytest.raises(ValueError, match="models: stump in the file only; models: oak in this call only"):
        fstats.benchmark({"oak" if name == "stump" else name: one for name, one in MODELS.items()}, many, cv=2, store=store)
    assert json.loads(store.read_text().splitlines()[0])["versions"]["scikit-learn"]


def test_ctrl_c_loses_nothing(tmp_path):
    store = tmp_path / "run.jsonl"
    with pytest.raises(KeyboardInterrupt) as stopped:
        fstats.benchmark(MODELS | {"x": Interrupts()}, DATA, cv=3, store=store)
    assert stopped.value.__notes__ == [f"11 of 18 trainings are done and stored in {store}; the same call continues there"]
    kept = [json.loads(line) for line in store.read_text().splitlines()]
    assert sum("unit" in line for line in kept) == 11
    with pytest.raises(
        ValueError, match="was written for other arguments: x is 'Interrupts\\(\\)' in the file and 'Moody\\(\\)' in this call"
    ):
        fstats.benchmark(MODELS | {"x": Moody()}, DATA, cv=3, store=store)


KILLED = """
import sys, time, fstats
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB
class Slow(GaussianNB):
    def fit(self, X, y):
        time.sleep({pause})
        return super().fit(X, y)
results = fstats.benchmark({{"bayes": GaussianNB(), "slow": Slow()}}, {{"iris": load_iris(return_X_y=True)}}, cv=10, store=sys.argv[1])
print(results.fold_scores.tolist())
"""


@pytest.mark.slow  # tests/simulate kills one in every run
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_a_killed_run_goes_on_where_it_stopped(tmp_path):
    store = tmp_path / "run.jsonl"
    script = tmp_path / "script.py"
    script.write_text(KILLED.format(pause=0.3))
    running = subprocess.Popen([sys.executable, str(script), str(store)])
    deadline = time.monotonic() + 60
    while (not store.exists() or store.read_bytes().count(b'"unit"') < 4) and time.monotonic() < deadline:
        time.sleep(0.02)
    running.send_signal(signal.SIGKILL)
    running.wait()
    done = store.read_bytes().count(b'"unit":')
    assert 4 <= done < 20
    script.write_text(KILLED.format(pause=0))
    again = subprocess.run([sys.executable, str(script), str(store)], capture_output=True, text=True, check=True)
    lines = [json.loads(line) for line in store.read_text().splitlines()]
    assert sum("unit" in line for line in lines) == 20
    assert any(line.get("resumed") == done for line in lines)
    bayes, slow = np.array(json.loads(again.stdout))[0]
    assert np.array_equal(bayes, slow)
    assert len(bayes) == 10


def test_a_store_that_is_finished_trains_nothing(tmp_path):
    first = fstats.benchmark(MODELS, DATA, cv=2, store=tmp_path / "s.jsonl")
    size = (tmp_path / "s.jsonl").stat().st_size
    again = fstats.benchmark(MODELS, DATA, cv=2, store=tmp_path / "s.jsonl")
    assert np.array_equal(first.fold_scores, again.fold_scores)
    assert (tmp_path / "s.jsonl").stat().st_size == size
    for changed in (dict(rng=1), dict(scoring="f1_macro"), dict(cv=3)):
        with pytest.raises(ValueError, match="was written for other arguments"):
            fstats.benchmark(MODELS, DATA, **{"cv": 2, "store": tmp_path / "s.jsonl"} | changed)


@pytest.mark.parametrize("cv", [3, KFold(3), KFold(3, shuffle=True), ShuffleSplit(2), RepeatedStratifiedKFold(n_repeats=1)], ids=str)
def test_splits_come_from_rng_and_the_place_of_the_data_set(cv):
    """Unless the splitter draws nothing; it stays as it was handed in."""
    data = prepare_data_set("iris", DATA["iris"])
    seeds = (1, 0), (1, 0), (2, 0), (1, 1)
    one, again, others, elsewhere = ([split.test.tolist() for split in split_data_set(data, cv, *seed)] for seed in seeds)
    assert one == again
    assert (one == others, one == elsewhere) == (str(cv) == str(KFold(3)),) * 2
    assert getattr(cv, "random_state", None) is None


def test_groups_regressors_lists_and_own_splits():
    X, y = DATA["iris"]
    groups = np.arange(150) // 5
    grouped = fstats.benchmark(MODELS, {"iris": (X, y, groups)}, cv=GroupKFold(3))
    plain = cross_validate(GaussianNB(), X, y, groups=groups, cv=GroupKFold(3))["test_score"]
    assert grouped.fold_scores[0, 0] == pytest.approx(plain)
    assert fstats.benchmark(MODELS, {"iris": (X, y, groups)}, cv=3).fold_scores.shape == (1, 2, 3)
    numbers = fstats.benchmark([LinearRegression(), Ridge()], {"a": (X[:, :2], X[:, 2]), "b": (X[:, 2:], X[:, 0])}, scoring="r2", cv=4)
    assert numbers.classifiers == ("LinearRegression", "Ridge")
    own = {"iris": [(np.arange(0, 150, 2), np.arange(1, 150, 2))]}
    assert fstats.benchmark(MODELS, {"iris": (X, y)}, cv=own).sd.shape == (1, 2)
    assert fstats.benchmark(MODELS, ["iris"], data_dir="", cv=2).data_sets == ("iris",)


@pytest.mark.slow
@pytest.mark.needs("distributed")
def test_a_cluster_by_name():
    plain = fstats.benchmark(MODELS, DATA, cv=2)
    assert np.array_equal(fstats.benchmark(MODELS, DATA, cv=2, jobs=2, backend="dask").fold_scores, plain.fold_scores)


@parametrize(
    "arguments, message, error",
    (dict(models=GaussianNB()), "`models` must be a mapping of names to estimators, or a list of estimators; got GaussianNB", TypeError),
    (dict(models=[GaussianNB(), GaussianNB()]), "models must have different names; got 'GaussianNB' more than once. Pass a mapping"),
    (dict(models={"a": GaussianNB()}), "`models` must hold at least 2 models; got 1"),
    (dict(models={"a": GaussianNB(), "b": 3}), r"`models\['b'\]` must be an estimator with fit and predict; got 3", TypeError),
    (dict(datasets="iris"), "`datasets` must be a list of names, or a mapping", TypeError),
    (dict(datasets={"iris": 3}), r"datasets\['iris'\]` must be \(X, y\) or \(X, y, groups\); got int", TypeError),
    (
        dict(datasets={"a": ([[1], [2]], [1])}),
        r"X and y of `datasets\['a'\]` must have the same length; got the lengths 2 and 1",
    ),
    (dict(datasets=["irs"], data_dir=""), "there is no data set 'irs'"),
    (dict(cv=1), r"`cv` must be a number of folds \(at least 2\)"),
    (dict(cv="five"), "`cv` must be a number of folds, a splitter of scikit-learn, or a mapping", TypeError),
    (dict(cv={"wine": []}), "`cv` must have splits for each data set; got none for 'iris'"),
    (dict(cv={"iris": [([0, 1], [1, 2])], "wine": [([0], [1])]}), "must not share records; got shared records in split 1 of 1 of iris"),
    (dict(scoring=[]), "`scoring` must name at least one metric, and each metric once; got none"),
    (dict(scoring=["accuracy", 3]), r"scoring\['3'\] must be the name of a scorer", TypeError),
    (dict(scoring="acuracy"), "`scoring` must name a scorer of scikit-learn.*got 'acuracy'; the nearest names are 'accuracy'"),
    (dict(scoring=["f1_macro", "acuracy"]), "got 'acuracy'; the nearest names are 'accuracy'"),
    (dict(datasets=[]), "`datasets` must hold at least one data set; got none"),
    (dict(datasets={}), "`datasets` must hold at least one data set; got none"),
    (dict(models=[GaussianNB, Moody()]), r"models\['GaussianNB'\]` must be an estimator, not a class", TypeError),
    (dict(cv=GroupKFold(2)), r"cannot split the data set 'iris' .*. Pass datasets=\{'iris': \(X, y, groups\), ...\}"),
    (dict(n_jobs=2), r"benchmark\(\) has no 'n_jobs': did you mean 'jobs'", TypeError),
    (dict(random_state=2), "has no 'random_state': did you mean 'rng'", TypeError),
    (dict(jobs=0), "`jobs` must be a number of workers"),
)
def test_what_is_refused(arguments, error, message):
    assert_raises(lambda: fstats.benchmark(**{"models": MODELS, "datasets": DATA, "cv": 2} | arguments), message, error)


def kept_units(store):
    return [line for line in store.read_text().splitlines() if '"unit"' in line]


def test_a_finished_store_grows_by_a_model_and_by_a_data_set(tmp_path):
    store = tmp_path / "kept.jsonl"
    first = fstats.benchmark(MODELS, DATA, cv=3, store=store)
    begun = kept_units(store)
    more = MODELS | {"tree": DecisionTreeClassifier()}
    grown = fstats.benchmark(more, DATA, cv=3, store=store)
    assert kept_units(store)[: len(begun)] == begun
    assert len(kept_units(store)) == len(begun) + 3 * len(DATA)  # trained: the new model alone
    np.testing.assert_array_equal(grown.fold_scores[:, : len(MODELS)], first.fold_scores)
    data = {**DATA, "half": tuple(part[::2] for part in next(iter(DATA.values())))}
    wider = fstats.benchmark(more, data, cv=3, store=store)
    assert len(kept_units(store)) == len(begun) + 3 * len(DATA) + 3 * len(more)
    np.testing.assert_array_equal(wider.fold_scores, fstats.benchmark(more, data, cv=3).fold_scores)
    size = store.stat().st_size
    np.testing.assert_array_equal(fstats.benchmark(more, data, cv=3, store=store).fold_scores, wider.fold_scores)
    assert store.stat().st_size == size
    assert_raises(lambda: fstats.benchmark(MODELS, DATA, cv=3, store=store), "written for other arguments: models: tree in the file only")
    changed = more | {"stump": DecisionTreeClassifier(max_depth=2)}
    assert_raises(lambda: fstats.benchmark(changed, data, cv=3, store=store), "written for other arguments")


def test_regressions_are_not_stratified():
    """Not even where their targets are few whole numbers: then scikit-learn would warn, and cut otherwise."""
    X = np.random.default_rng(0).normal(size=(60, 3))
    y = np.round(3 * X[:, 0])
    found = fstats.benchmark({"ridge": Ridge(), "mean": DummyRegressor()}, {"some": (X, y)}, cv=5, scoring="r2", rng=3)
    seed = int(np.random.SeedSequence(3, spawn_key=(4, 0)).generate_state(1)[0])
    for j, model in enumerate((Ridge(), DummyRegressor())):
        plain = cross_validate(model, X, y, cv=KFold(5, shuffle=True, random_state=seed), scoring="r2")
        assert found.fold_scores[0, j] == pytest.approx(plain["test_score"], rel=1e-9)
