"""Lists, files and models by one call: the same test as by hand."""

import numpy as np
import pandas as pd
import pytest
from shortcuts import assert_raises
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.model_selection import StratifiedKFold, cross_val_score, train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import fstats
from fstats.procedures.resampling.cross_validation_tests import ALL_TESTS

A, B, C = [85, 70, 79, 78, 83], [87, 68, 85, 75, 83], [80, 69, 77, 79, 70]
BAYES, STUMP = GaussianNB(), DecisionTreeClassifier(max_depth=1, random_state=0)


@pytest.fixture
def file(tmp_path):
    def written(*lines, encoding="utf-8"):
        path = tmp_path / "room.csv"
        path.write_text("\n".join(lines) + "\n", encoding=encoding)
        return path

    return written


@pytest.mark.parametrize("test", [fstats.PairedT, fstats.SignedRank])
def test_two_lists_are_two_classifiers(test):
    assert fstats.apply_test(test, A, B, alternative="less").to_dict() == test(A, B, alternative="less").to_dict()


@pytest.mark.complete
@pytest.mark.parametrize("test", [fstats.Friedman, fstats.RepeatedAnova, fstats.OneWayAnova, fstats.Nemenyi, fstats.TukeyHSD])
def test_many_lists_are_the_columns_of_a_table(test):
    by_hand = test(np.transpose([A, B, C]), labels=["a", "b", "c"])
    assert fstats.apply_test(test, A, B, C, labels=["a", "b", "c"]).to_dict() == by_hand.to_dict()
    assert fstats.apply_test(test, np.transpose([A, B, C]), labels=["a", "b", "c"]).to_dict() == by_hand.to_dict()


@pytest.mark.filterwarnings("ignore:.*No column names the data sets")
def test_files_bring_names_and_predictions(file):
    path = file("data set, forest, tree", *(f"set {i}, {a}, {b}" for i, (a, b) in enumerate(zip(A, B))), encoding="utf-8-sig")
    for given in (path, str(path)):
        assert fstats.apply_test(fstats.PairedT, given).to_dict() == fstats.PairedT(A, B, labels=["forest", "tree"]).to_dict()
    table = file("p,q,r", *(f"{a},{b},{c}" for a, b, c in zip(A, B, C)), "")
    numbered = {"labels": ["p", "q", "r"], "data_sets": list("12345")}
    assert fstats.apply_test(fstats.Friedman, table).to_dict() == fstats.Friedman(np.transpose([A, B, C]), **numbered).to_dict()
    assert tuple(fstats.apply_test(fstats.Friedman, table, labels=["x", "y", "z"]).labels) == ("x", "y", "z")
    found = fstats.apply_test(fstats.PairedT, file("tree;bayes", "0,5;0,7", "0,25;1", "0,75;0,8"))
    assert (found.labels.tolist(), found.a.tolist(), found.b.tolist()) == (["tree", "bayes"], [0.5, 0.25, 0.75], [0.7, 1, 0.8])
    true, one, other = list("xxyyxy"), list("xyyyxx"), list("xxxxxx")
    by_hand = fstats.McNemarExact.from_predictions(true, one, other)
    assert fstats.apply_test(fstats.McNemarExact, true, one, other).to_dict() == by_hand.to_dict()
    path = file("truth,I,II", *map(",".join, zip(true, one, other)))
    assert tuple(fstats.apply_test(fstats.McNemarExact, path).labels) == ("I", "II")
    assert fstats.apply_test(fstats.McNemarExact, path).pvalue == by_hand.pvalue


@pytest.mark.parametrize("head", ["clusters", "text"])
@pytest.mark.parametrize("place", [0, 1, 2])
@pytest.mark.parametrize("texts", [[0, 0, 1, 1, 2, 2], list("xxyyzz")], ids=["numbered", "in words"])
@pytest.mark.parametrize("how", ["file", "DataFrame", "polars"])
def test_clusters_are_taken_by_the_name_of_their_column(file, head, place, texts, how):
    """Wherever they stand; a place would not tell which of three columns of numbers they are."""
    ours, theirs = [1, 0, 1, 1, 0, 1], [0, 0, 1, 0, 1, 1]
    columns = {"ours": ours, "theirs": theirs}
    table = dict([*columns.items()][:place]) | {head: texts} | dict([*columns.items()][place:])
    if how == "file":
        what = file(",".join(table), *(",".join(map(str, line)) for line in zip(*table.values())))
    else:
        what = pd.DataFrame(table) if how == "DataFrame" else pytest.importorskip("polars").DataFrame(table)
    if head == "text":
        words = r"the table must have a column 'clusters'; .* Rename a column to 'clusters', or write clusters="
        assert_raises(lambda: fstats.apply_test(fstats.ClusteredDifference, what), words)
    found = fstats.apply_test(fstats.ClusteredDifference, what, **({"clusters": "text"} if head == "text" else {}))
    assert (found.labels.tolist(), found.pvalue) == (["ours", "theirs"], fstats.ClusteredDifference(ours, theirs, texts).pvalue)


def test_the_heads_of_a_and_of_b_are_the_names_wherever_they_stand(file):
    """Not always the last two: each classifier may have true classes of its own."""
    y, one, other = [0, 1, 0, 1, 1, 0], [0.2, 0.9, 0.4, 0.3, 0.8, 0.1], [0.3, 0.6, 0.5, 0.7, 0.2, 0.4]
    path = file("truth,I,other truth,II", *(f"{t},{a},{t},{b}" for t, a, b in zip(y, one, other)))
    assert fstats.apply_test(fstats.UnpairedDeLong, path).to_dict() == fstats.UnpairedDeLong(y, one, y, other, labels=["I", "II"]).to_dict()


def test_differences_of_a_resampling_test(file):
    d = np.array([[1.0, 2.0], [0.5, 1.5], [2.0, 1.0], [0.0, 1.0], [1.0, 0.5]])
    assert fstats.apply_test(fstats.FiveByTwoT, d).pvalue == fstats.FiveByTwoT(d).pvalue
    path = file("first half,second half", *(f"{one},{other}" for one, other in d))
    assert fstats.apply_test(fstats.FiveByTwoT, path).to_dict() == fstats.FiveByTwoT(d).to_dict()


SPLITS = [test for test in ALL_TESTS if [name for name in test.inputs if name not in test.defaults and name != "test_train_ratio"] == ["d"]]


@pytest.mark.parametrize("test", SPLITS)
def test_differences_and_scores_of_splits_in_every_shape_that_a_room_brings(test, file):
    """One table, a list for each repetition, a table for each classifier, all splits in a row, and a file of each."""
    shape = test.plan.shape
    a, b = np.random.default_rng(3).integers(60, 90, size=(2, *shape)) / 100
    settings = {"test_train_ratio": 0.25} if "test_train_ratio" in {*test.inputs} - {*test.defaults} else {}
    by_hand = test(np.subtract(a, b).tolist(), **settings)
    flat = a.ravel().tolist(), b.ravel().tolist()
    named = file("I,II", *(f"{one},{other}" for one, other in zip(*flat)))
    brought = [([(a - b).tolist()], {}), ((a.tolist(), b.tolist()), {}), (flat, {}), ([named], {})]
    if len(shape) == 2:
        lines = ["first,second" if shape[1] == 2 else ",".join(f"fold {k}" for k in range(shape[1]))]
        as_table = file(*lines, *(",".join(map(str, line)) for line in a - b))
        brought += [((a - b).tolist(), {}), ((a.T.ravel(), b.T.ravel()), {"order": "folds"})]
        assert fstats.apply_test(test, as_table, **settings).pvalue == pytest.approx(float(by_hand.pvalue))
        file("I,II", *(f"{one},{other}" for one, other in zip(*flat)))  # there is one file in the folder
    brought.append(([pd.DataFrame({"I": flat[0], "II": flat[1]})], {}))
    for what, order in brought:
        found = fstats.apply_test(test, *what, **settings, **order)
        assert np.shape(found.pvalue) == ()
        assert float(found.pvalue) == pytest.approx(float(by_hand.pvalue), rel=1e-9), what
    assert tuple(fstats.apply_test(test, named, **settings).labels) == ("I", "II")


@pytest.mark.parametrize("test", [test for test in SPLITS if len(test.plan.shape) == 2])
def test_splits_in_another_shape_are_refused_with_the_shape_that_is_meant(test):
    repetitions, folds = test.plan.shape
    said = f"as {repetitions} lists of {folds}, a list for each repetition"
    for what in (
        [np.ones(repetitions)] * 2 if (repetitions, folds) != (2, repetitions) else [],  # means of repetitions are no splits
        [np.ones((folds, repetitions + 1))],
        [np.ones(folds)] * (repetitions + 1),
        [np.ones(folds)] * (repetitions - 1) + [np.ones(folds + 1)],
        [0.1, 0.2],
    ):
        with pytest.raises(ValueError, match=said):
            fstats.apply_test(test, *what)


def test_tables_counts_and_classes_are_taken_as_such():
    table = pd.DataFrame({"forest": A, "tree": B})
    assert fstats.apply_test(fstats.PairedT, table).to_dict() == fstats.PairedT(A, B, labels=["forest", "tree"]).to_dict()
    assert fstats.apply_test(fstats.SignedRank, np.transpose([A, B])).pvalue == fstats.SignedRank(A, B).pvalue
    words = pd.DataFrame({"truth": list("xxyyxy"), "I": list("xyyyxx"), "II": list("xxxxxx")})
    assert tuple(fstats.apply_test(fstats.McNemarExact, words).labels) == ("I", "II")
    assert fstats.apply_test(fstats.McNemarExact, 33, 15).to_dict() == fstats.McNemarExact(33, 15).to_dict()
    expected = fstats.DifferenceOfProportions(252, 237, 300).to_dict()
    assert fstats.apply_test(fstats.DifferenceOfProportions, 252, 237, 300).to_dict() == expected
    tables = np.tile([[50, 3], [6, 41]], (5, 2, 1, 1)).tolist()
    assert fstats.apply_test(fstats.BlockedFiveByTwoMcNemar, tables).to_dict() == fstats.BlockedFiveByTwoMcNemar(tables).to_dict()
    n01, n10 = [3, 1, 2, 4, 0, 1, 2, 3, 1, 2], [5, 6, 2, 7, 3, 4, 5, 2, 6, 4]
    assert fstats.apply_test(fstats.NaiveKFoldMcNemar, n01, n10).to_dict() == fstats.NaiveKFoldMcNemar(n01, n10).to_dict()
    y, a, b = [0, 0, 1, 1, 0, 1], [0.1, 0.4, 0.6, 0.9, 0.3, 0.7], [0.2, 0.5, 0.4, 0.8, 0.1, 0.6]
    assert fstats.apply_test(fstats.DeLong, y, a, b).to_dict() == fstats.DeLong(y, a, b).to_dict()


@pytest.mark.complete
def test_models_on_several_data_sets():
    data = [load(return_X_y=True) for load in (load_iris, load_wine, load_breast_cancer)]
    folds = StratifiedKFold(10, shuffle=True, random_state=3)
    scores = [[cross_val_score(model, X, y, cv=folds).mean() for X, y in data] for model in (BAYES, STUMP)]
    found = fstats.apply_test(fstats.PairedT, BAYES, STUMP, data=data, rng=3)
    assert found.d == pytest.approx(np.subtract(*scores))
    assert tuple(found.labels) == ("GaussianNB", "DecisionTreeClassifier")
    many = fstats.apply_test(
        fstats.Friedman, BAYES, STUMP, DecisionTreeClassifier(random_state=0), data=data, labels=["bayes", "stump", "tree"]
    )
    assert (many.n, many.k, tuple(many.labels)) == (3, 3, ("bayes", "stump", "tree"))


def test_models_on_one_data_set():
    X, y = load_iris(return_X_y=True)
    yours = fstats.apply_test(fstats.BlockedFiveByTwoMcNemar, BAYES, STUMP, data=(X, y), rng=1)
    assert yours.pvalue == fstats.compare(BAYES, STUMP, X, y, fstats.BlockedFiveByTwoMcNemar, rng=1).pvalue
    train, test, y_train, y_test = train_test_split(X, y, test_size=0.5, random_state=1, stratify=y)
    right = [clone(model).fit(train, y_train).predict(test) == y_test for model in (BAYES, STUMP)]
    found = fstats.apply_test(fstats.McNemarExact, BAYES, STUMP, data=(X, y), rng=1)
    assert (found.n01, found.n10) == ((right[1] & ~right[0]).sum(), (right[0] & ~right[1]).sum())


def test_what_is_refused_says_what_to_do(file):
    iris, apply, paired = load_iris(return_X_y=True), fstats.apply_test, fstats.PairedT
    for call, said, *error in (
        (lambda: apply(paired), "needs data after the test; got none. Pass columns, the path of a CSV file, or models", TypeError),
        (lambda: apply(paired, A, B, C), "PairedT needs 2 columns, the scores of each classifier; got 3"),
        (lambda: apply(paired, A), "PairedT needs 2 columns, the scores of each classifier; got 1"),
        (lambda: apply(fstats.Friedman, A, B, C[:3]), "all lists must have the same length, .* got the lengths 5, 5, 3"),
        (lambda: apply(fstats.Friedman, A, B, list("vwxyz")), "`list 3` must hold numbers", TypeError),
        (lambda: apply("PairedT", A, B), "must be the class of a test; got .*. Write the class without parentheses", TypeError),
        (lambda: apply(A, B), "must be the class of a test; got .*. Write the class without parentheses", TypeError),
        (lambda: apply(paired(A, B), A, B), "must be the class of a test; got .*. Write the class without parentheses", TypeError),
        (lambda: apply(fstats.BayesianSignedRank, A, B), r"needs rope \(.*\). Write `apply_test\(\.\.\., rope=\.\.\.\)", TypeError),
        (lambda: apply(fstats.BlockedFiveByTwoMcNemar, A, B), "needs 1 column, tables: Counts of records: A and B"),
        (lambda: apply(fstats.FiveByTwoT, [[1, 2], [3]]), "the rows of `d` must have the same length"),
        (lambda: apply(fstats.McNemarExact, A, B), "McNemarExact needs 3 columns, the true classes"),
        (lambda: apply(paired, A, B, data=iris), "`data=` can be used only with models; got no models", TypeError),
        (lambda: apply(paired, BAYES, A, data=iris), "Pass only models", TypeError),
        (lambda: apply(paired, BAYES, STUMP), "models need training data", TypeError),
        (lambda: apply(paired, BAYES, STUMP, data=iris), "needs scores on several data sets; got one data set"),
        (lambda: apply(fstats.FiveByTwoT, BAYES, STUMP, data=[iris]), "FiveByTwoT needs one data set"),
        (lambda: apply(fstats.McNemarExact, BAYES, STUMP, STUMP, data=iris), "compares two models; got 3 models"),
        (lambda: apply(paired, file("a,b"), B), "a string must be the path of a file, and the only input; got 2 inputs", TypeError),
        (lambda: apply(paired, file("a,b")), "a line of headings with lines of scores below it; got 1 line"),
        (lambda: apply(paired, file("")), "lines of scores below it; got no line"),
        (lambda: apply(paired, "nowhere.csv"), "there is no file nowhere.csv", FileNotFoundError),
        (lambda: apply(paired, file("a,b", "1,2", "3")), "line 3 of room.csv has 1 cells below 2 headings"),
    ):
        assert_raises(call, said, *error)
