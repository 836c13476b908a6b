"""What scikit-learn gives is taken as it is: results of cross_validate, alone, in mappings and in lists, and searches."""

import numpy as np
import pandas as pd
import pytest
from shortcuts import assert_raises, parametrize
from sklearn.datasets import load_iris, load_wine
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import fstats
from fstats import BayesianHierarchical, Friedman, KFoldT, PairedT, Results, apply_test

DATA = {"iris": load_iris(return_X_y=True), "wine": load_wine(return_X_y=True)}
MODELS = {"stump": DecisionTreeClassifier(max_depth=1, random_state=0), "bayes": GaussianNB()}
CV = StratifiedKFold(10, shuffle=True, random_state=1)
FOUND = {name: {model: cross_validate(one, *data, cv=CV) for model, one in MODELS.items()} for name, data in DATA.items()}
SCORES = np.array([[found["test_score"] for found in of.values()] for of in FOUND.values()])  # data sets, classifiers, folds
TURNED = {model: [FOUND[name][model] for name in DATA] for model in MODELS}
IRIS = FOUND["iris"]
GRID = {"max_depth": [1, 2, 3], "criterion": ["gini"]}
SEARCH = {
    name: GridSearchCV(MODELS["stump"], GRID, cv=4, scoring=["accuracy", "f1_macro"], refit="accuracy").fit(*data)
    for name, data in DATA.items()
}


@pytest.mark.every_case
@pytest.mark.parametrize("read", [Results, Results.from_cross_validate])
@parametrize(
    "found, names",
    (FOUND, {}),
    (TURNED, {"data_sets": [*DATA]}),
    ({name: [*of.values()] for name, of in FOUND.items()}, {"classifiers": [*MODELS]}),
    ([[*of.values()] for of in FOUND.values()], {"data_sets": [*DATA], "classifiers": [*MODELS]}),
    ({name: {model: pd.DataFrame(one) for model, one in of.items()} for name, of in FOUND.items()}, {}),
    ids=["mappings", "a list for each classifier", "a list for each data set", "lists of lists", "frames"],
)
def test_results_of_cross_validate_in_every_form(read, found, names):
    results = read(found, **names)
    assert (results.data_sets, results.classifiers, results.metrics) == (tuple(DATA), tuple(MODELS), ("score",))
    assert np.array_equal(results.fold_scores, SCORES)
    assert results.read_as == {"test_score": "scores of the splits, each a fold"}
    assert Friedman(results).mean_ranks.tolist() == Friedman(SCORES.mean(2)).mean_ranks.tolist()


def test_one_data_set_and_several_metrics():
    measured = {name: cross_validate(one, *DATA["iris"], cv=CV, scoring=["accuracy", "f1_macro"]) for name, one in MODELS.items()}
    results = Results(measured, data_sets=["iris"])
    assert results.metrics == ("accuracy", "f1_macro")
    assert np.array_equal(results["f1_macro"].fold_scores[0, 1], measured["bayes"]["test_f1_macro"])
    listed = Results([*IRIS.values()], classifiers=[*MODELS], metric="accuracy")
    assert (listed.classifiers, listed.metrics) == (tuple(MODELS), ("accuracy",))
    assert np.array_equal(listed.fold_scores, SCORES[:1])
    assert np.array_equal(Results({"iris": [*IRIS.values()]}, classifiers=[*MODELS]).fold_scores, SCORES[:1])
    one = Results(TURNED["bayes"], data_sets=[*DATA], classifiers="bayes")
    assert np.array_equal(one.fold_scores, SCORES[:, 1:])
    assert np.array_equal(Results(IRIS["bayes"]).fold_scores, SCORES[:1, 1:])


@parametrize("form", lambda s: s, lambda s: s.cv_results_, lambda s: pd.DataFrame(s.cv_results_), ids=["search", "dict", "frame"])
def test_the_candidates_of_a_search_and_a_warning_in_words(form):
    search, read = form(SEARCH["iris"]), [Results, Results.from_cross_validate]
    for results in [one(search) for one in read] + [Results.from_frame(search)] * isinstance(search, pd.DataFrame):
        assert results.classifiers == ("max_depth=1", "max_depth=2", "max_depth=3")
        table = SEARCH["iris"].cv_results_
        assert results["f1_macro"].scores[0] == pytest.approx(table["mean_test_f1_macro"], rel=1e-12)
        assert results["accuracy"].fold_scores[0, :, 2].tolist() == table["split2_test_accuracy"].tolist()
        assert results.read_as["params"] == "classifier, a candidate of a search"
        for text in (repr(results), results["accuracy"].to_latex(), results.select(classifiers="max_depth=1").notes[0]):
            assert "The winner was chosen by these same scores" in " ".join(text.split())
    assert "search" not in repr(Results(FOUND))


def test_a_search_on_each_data_set():
    results = Results(SEARCH)["accuracy"]
    assert results.data_sets == ("iris", "wine")
    for name, means in zip(results.data_sets, results.scores, strict=True):
        assert means == pytest.approx(SEARCH[name].cv_results_["mean_test_accuracy"], rel=1e-12)
    single = {name: GridSearchCV(MODELS["stump"], {"max_depth": [1, 2]}, cv=3).fit(*data) for name, data in DATA.items()}
    with pytest.warns(UserWarning, match="The winner was chosen by these same scores"):
        test = apply_test(Friedman, single)
    assert test.labels.tolist() == ["max_depth=1", "max_depth=2"]


def test_candidates_are_called_by_what_sets_them_apart():
    rate, bayes = np.float64(0.1), GaussianNB()
    params = [{"model": bayes, "rate": rate}, {"model": MODELS["stump"], "rate": rate}, {"model": bayes}]
    found = Results(
        {"params": [*params, params[0]], "split0_test_score": [1, 2, 3, 4], "split1_test_score": [1, 2, 3, np.nan]}, missing="keep"
    )
    names = ("GaussianNB, rate=0.1", "DecisionTreeClassifier, rate=0.1", "GaussianNB", "GaussianNB, rate=0.1 (2)")
    assert found.classifiers == tuple(f"model={name}" for name in names)
    assert [gap[:4] for gap in found.gaps] == [("1", "model=GaussianNB, rate=0.1 (2)", "", "2")]


@pytest.mark.parametrize("test", [PairedT, Friedman, fstats.SignedRank, fstats.Nemenyi])
def test_a_test_over_data_sets_takes_a_mean_of_each(test):
    expected = apply_test(test, *SCORES.mean(2).T, labels=[*MODELS])
    for found in ([FOUND], TURNED.values(), [Results(FOUND)]):
        again = apply_test(test, *found, **({"labels": [*MODELS]} if found is not FOUND else {}))
        assert again.to_dict()["labels"] == expected.to_dict()["labels"]
        assert repr(again.worked()[-1].value) == repr(expected.worked()[-1].value)


def test_tests_of_splits_take_two_of_them():
    assert apply_test(KFoldT, *IRIS.values(), labels=[*MODELS]).pvalue == KFoldT(SCORES[0, 0] - SCORES[0, 1]).pvalue
    assert apply_test(BayesianHierarchical, FOUND, rho=0.1, rope=0.01).data_sets.tolist() == [*DATA]


@pytest.mark.every_case
@parametrize(
    "call, message, error",
    (lambda: Results([*IRIS.values()]), r"got 2 results and not as many names. Write classifiers=\[...\] for one data set"),
    (lambda: Results(TURNED), "each list of cross_validate results must have names, of the classifiers or of the data sets"),
    (lambda: Results(TURNED, data_sets=["a", "b"], classifiers=["c", "d"]), "and names of both. Write"),
    (lambda: Results({"a": [*IRIS.values()], "b": [IRIS["bayes"]]}, classifiers=["a"]), "be equally long; got lengths 1 and 2"),
    (
        lambda: Results({"tree": IRIS["stump"], "tuned": SEARCH["iris"]}),
        "got a fitted search, whose best score is too high",
        TypeError,
    ),
    (lambda: Results({"iris": IRIS | {"tuned": SEARCH["iris"]}}), r"Write `cross_validate\(search, X, y\)`", TypeError),
    (lambda: Results([IRIS["stump"], 3]), "must all have the same form; got .*. Pass {data set: {classifier: cross_val", TypeError),
    (lambda: Results.from_cross_validate([[1, 2]]), r"or a fitted search; got \[\[1, 2\]\]. Pass", TypeError),
    (
        lambda: Results({"a": IRIS["stump"], "b": cross_validate(GaussianNB(), *DATA["iris"], cv=5)}, data_sets=["iris"]),
        "scored on the same splits of .*; got 10 and 5 splits for a and b. Pass the same `cv`",
    ),
    (lambda: Results({"a": {"test_score": ["good"]}}), "test_score must hold a finite number for each split"),
    (
        lambda: Results(SEARCH["iris"].cv_results_ | {"n_resources": [1, 2, 3]}),
        "got a search by halving. Compare the candidates of one round",
    ),
    (lambda: apply_test(PairedT, *IRIS.values()), "got splits of one data set. Pass"),
    (lambda: apply_test(Friedman, IRIS), "needs scores on several data sets"),
    (
        lambda: apply_test(PairedT, TURNED["stump"], [IRIS["bayes"]]),
        "must have one list of results of cross_validate, one for each data set",
    ),
    (lambda: apply_test(KFoldT, SEARCH["iris"]), "got other inputs. .*, or the scores of two candidates of a search"),
    (lambda: apply_test(fstats.McNemarExact, *IRIS.values()), "Pass `y` and the results of cross_val_predict"),
)
def test_what_is_refused(call, error, message):
    assert_raises(call, message, error)


def test_kept_indices_show_other_splits():
    def kept(seed):
        cv = StratifiedKFold(5, shuffle=True, random_state=seed)
        return cross_validate(GaussianNB(), *DATA["iris"], cv=cv, return_indices=True)

    assert Results({"a": kept(1), "b": kept(1)}).classifiers == ("a", "b")
    with pytest.raises(ValueError, match=r"got different test sets for a and b\. Pass the same `cv` with a random_state to each"):
        Results({"a": kept(1), "b": kept(2)})


@pytest.mark.complete
def test_a_fitted_search_with_data_is_a_model():
    search = GridSearchCV(MODELS["stump"], {"max_depth": [1, 2]}, cv=2).fit(*DATA["iris"])
    test = apply_test(PairedT, search, GaussianNB(), data=[*DATA.values()])
    assert test.labels.tolist() == ["GridSearchCV", "GaussianNB"]


def test_metrics_whose_names_begin_with_test_are_metrics():
    tables = {"test_accuracy": SCORES, "test_f1": 1 - SCORES}
    assert Results(tables).metrics == ("test_accuracy", "test_f1")


@pytest.mark.complete
@pytest.mark.parametrize("test", [fstats.KFoldT, fstats.CorrectedRepeatedKFoldT])
def test_scores_on_different_splits_are_not_paired(test):
    from sklearn.model_selection import RepeatedStratifiedKFold, cross_validate

    X, y = load_iris(return_X_y=True)
    repeats = 1 if test is fstats.KFoldT else 10
    found = [
        cross_validate(
            GaussianNB(), X, y, cv=RepeatedStratifiedKFold(n_splits=10, n_repeats=repeats, random_state=seed), return_indices=True
        )
        for seed in (0, 0, 5)
    ]
    assert apply_test(test, *found[:2]).mean == 0
    assert_raises(lambda: apply_test(test, *found[1:]), "scored on the same splits; got different splits")


@pytest.mark.parametrize("test", [fstats.CorrectedResampledT, fstats.CorrectedRepeatedKFoldT])
def test_one_cross_validation_is_told_which_corrected_test_takes_it(test):
    found = [cross_validate(model, *DATA["iris"], cv=10) for model in (MODELS["stump"], GaussianNB())]
    remedy = r"got a list of length 10. .* CorrectedResampledT\(a - b, test_train_ratio=.* 1/\(folds - 1\).* only on its own plan"
    assert_raises(lambda: apply_test(test, *found, test_train_ratio=1 / 9), remedy)
    a, b = (one["test_score"] for one in found)
    assert fstats.CorrectedResampledT(a - b, test_train_ratio=1 / 9).n == 10
    assert_raises(lambda: apply_test(fstats.ResampledT, *found), r"got a list of length 10$")
