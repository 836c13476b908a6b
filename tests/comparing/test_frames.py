"""DataFrames and Series of any library: what polars and pyarrow hold is read as what pandas holds, and goes out as that."""

import importlib
import sys

import numpy as np
import pandas as pd
import pytest
from shortcuts import assert_raises, parametrize

import fstats
from fstats import Friedman, PairedT, Results, apply_test

NAMES, SETS = ["forest", "tree", "bayes"], ["iris", "wine", "heart", "glass"]
SCORES = np.random.default_rng(3).uniform(0.6, 0.9, (4, 3, 5)).round(3)  # data sets, classifiers, folds
WIDE = {"data set": SETS} | {name: SCORES[:, j].mean(1).tolist() for j, name in enumerate(NAMES)}
LONG = {
    "data set": [SETS[i] for i, _, _ in np.ndindex(SCORES.shape)],
    "classifier": [NAMES[j] for _, j, _ in np.ndindex(SCORES.shape)],
    "fold": [f + 1 for _, _, f in np.ndindex(SCORES.shape)],
    "accuracy": SCORES.ravel().tolist(),
}
MAKE = {"pandas": "DataFrame", "polars": "DataFrame", "pyarrow": "table"}


@pytest.fixture(params=["pandas", *(pytest.param(name, marks=pytest.mark.needs(name)) for name in ("polars", "pyarrow"))])
def library(request):
    return request.param


@pytest.fixture
def frame(library):
    return getattr(importlib.import_module(library), MAKE[library])


@pytest.mark.parametrize("read", [Results, Results.from_frame])
def test_frames_are_read_alike(frame, read):
    wide, long = read(frame(WIDE)), read(frame(LONG))
    assert wide.data_sets == long.data_sets == tuple(SETS)
    assert wide.classifiers == long.classifiers == tuple(NAMES)
    assert np.array_equal(long.fold_scores, SCORES)
    assert wide.scores == pytest.approx(long.scores, rel=1e-12)
    assert long.read_as == {"data set": "data set", "classifier": "classifier", "fold": "fold", "accuracy": "scores"}
    gap = dict(LONG, accuracy=[None, *LONG["accuracy"][1:]])
    assert_raises(lambda: read(frame(gap)), r"iris, forest, fold 1: missing \(scores, row 0 \(counting from 0\), column 'accuracy'\)")


def test_out_and_in_again(library):
    kind = importlib.import_module(library)
    results = Results({"accuracy": SCORES, "f1": SCORES / 2}, data_sets=SETS, classifiers=NAMES)
    long, wide = results.to_frame("long", backend=library), results["f1"].to_frame(backend=library)
    for one in (long, wide):
        assert type(one).__module__.partition(".")[0] == kind.__name__
    assert np.array_equal(Results(long)["f1"].fold_scores, SCORES / 2)
    again = Results(wide)
    assert (again.data_sets, again.classifiers) == (tuple(SETS), tuple(NAMES))
    assert again.scores == pytest.approx(results["f1"].scores, rel=1e-15)


def test_tests_take_them_with_their_names(frame):
    numbers = {name: WIDE[name] for name in NAMES}
    for test in (Friedman, fstats.Nemenyi, fstats.Holm, fstats.Pairwise, fstats.RepeatedAnova):
        for made in (test(frame(numbers)), apply_test(test, frame(numbers)), test(Results(frame(WIDE)))):
            assert made.labels.tolist() == NAMES
    two = {name: WIDE[name] for name in NAMES[:2]}
    expected = PairedT(*two.values()).pvalue
    for test in (PairedT(frame(two)), apply_test(PairedT, frame(two))):
        assert (test.labels.tolist(), test.pvalue) == (NAMES[:2], pytest.approx(expected, rel=1e-12))
    words = r"got text in some of the columns data set, forest, tree, bayes. Write `fstats.Results\(scores\)"
    assert_raises(lambda: Friedman(frame(WIDE)), words, TypeError)


def test_a_column_of_words_names_the_data_sets_for_apply_test(library, frame):
    if library != "pandas":  # whose names stand in the index
        test = apply_test(PairedT, frame({name: WIDE[name] for name in ["data set", *NAMES[:2]]}))
        assert (test.labels.tolist(), apply_test(Friedman, frame(WIDE)).n) == (NAMES[:2], 4)


@pytest.mark.parametrize("kind", ["pandas", pytest.param("polars", marks=pytest.mark.needs("polars"))])
def test_series_bring_their_names(kind):
    make = importlib.import_module(kind).Series
    columns = [make(name=name, **({"data": WIDE[name]} if kind == "pandas" else {"values": WIDE[name]})) for name in NAMES]
    results = Results(columns)
    assert (results.classifiers, results.scores.shape) == (tuple(NAMES), (4, 3))
    assert results.scores[:, 1].tolist() == WIDE["tree"]
    assert apply_test(Friedman, *columns).labels.tolist() == NAMES
    assert PairedT(*columns[:2]).labels.tolist() == NAMES[:2]
    with pytest.raises(ValueError, match=r"different names of classifiers; got forest \(length 4\), forest \(length 4\). Name each Series"):
        Results([columns[0], columns[0]])


def test_series_and_mappings_bring_the_data_sets_or_are_asked():
    frame = pd.DataFrame(WIDE).set_index("data set")
    assert Results([frame[name] for name in NAMES]).data_sets == tuple(SETS)
    with pytest.raises(ValueError, match=r"the same index, with the data sets in the same order; got different indices\. Join"):
        Results([frame["forest"], frame["tree"][::-1]])
    message = r"got shape \(4,\). A single row may hold data sets or folds"
    assert_raises(lambda: Results({name: WIDE[name] for name in NAMES}), message)


@pytest.mark.needs("polars")
def test_without_narwhals_pandas_works_and_the_error_names_it(monkeypatch):
    polars = importlib.import_module("polars")
    monkeypatch.setitem(sys.modules, "narwhals", None)
    assert Results(pd.DataFrame(WIDE)).to_frame().shape == (4, 3)
    for call in (lambda: Results(polars.DataFrame(WIDE)), lambda: Results(SCORES).to_frame(backend="polars")):
        assert_raises(call, "need narwhals, which is not installed. Run `pip install narwhals", ModuleNotFoundError)


def test_an_unknown_backend_is_refused():
    assert_raises(lambda: Results(SCORES).to_frame(backend="dask"), "`backend` must be 'pandas', 'polars' or 'pyarrow'; got 'dask'")


@pytest.mark.parametrize("read", [Results, Results.from_frame])
@pytest.mark.parametrize("done", ["concat", "sort", "filter", "shuffle"])
@pytest.mark.parametrize("sets", [["d31", "d37", "d40", "d44"], [31, 37, 40, 44]], ids=["words", "numbers"])
def test_numbers_of_rows_are_no_data_sets_where_a_column_names_them(read, done, sets):
    """After a concat, a sort or a filter the index of pandas holds where rows once stood; taken for data sets it pairs 31 with 44."""
    one = pd.DataFrame({"method": "a", "dataset": sets, "accuracy": [0.9, 0.8, 0.7, 0.6]})
    other = pd.DataFrame({"method": "b", "dataset": sets[::-1], "accuracy": [0.58, 0.68, 0.78, 0.88]})
    both = pd.concat([one, other])
    frame = {
        "concat": both,
        "sort": both.reset_index(drop=True).sort_values("accuracy"),
        "filter": pd.concat([both.assign(dataset="left out").head(2), both], ignore_index=True).iloc[2:],
        "shuffle": both.reset_index(drop=True).sample(frac=1, random_state=1),
    }[done]
    results = read(frame)
    assert (sorted(results.data_sets), sorted(results.classifiers)) == (list(map(str, sets)), ["a", "b"])
    better = results.scores[:, results.classifiers.index("a")] > results.scores[:, results.classifiers.index("b")]
    assert better.all()


@pytest.mark.parametrize("read", [Results, Results.from_frame])
@parametrize(
    "heads, remedy",
    (["method", "thing", "accuracy"], {"data_set": "thing"}),
    (["data set", "seed", "seeds", "tree"], {"seed": "seed", "scores": ["tree"]}),
)
def test_the_remedy_of_a_refusal_is_taken_by_every_door(read, heads, remedy):
    cells = {"method": list("aabb"), "thing": [1, 2, 1, 2], "data set": list("wxyz"), "seed": [1] * 4, "seeds": [1] * 4}
    frame = pd.DataFrame({head: cells.get(head, [0.5, 0.6, 0.7, 0.8]) for head in heads})
    assert_raises(lambda: read(frame), rf"{next(iter(remedy))}=")
    assert read(frame, **remedy).scores.size
