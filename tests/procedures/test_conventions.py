"""What holds for every door: names from elsewhere and misspelt ones, seeds, splitters, weights, stores, width, and errors
that stay short.
"""

import inspect
import json
import re
import subprocess
import sys
from collections import Counter
from typing import get_type_hints

import numpy as np
import pandas as pd
import pytest
import sklearn
from cases import CASES, make, most_of
from shortcuts import assert_raises
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, KFold, RepeatedStratifiedKFold, cross_val_score, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import fstats
from fstats import datasets, simulate
from fstats.core.hypothesis import HypothesisTest
from fstats.core.validation.name_suggestions import NAMES_IN_OTHER_LIBRARIES, closest_name
from fstats.procedures.resampling.algorithm_comparison import TwoAlgorithms
from fstats.render import plain_text
from fstats.render.text_layout import terminal_width

X, Y = load_iris(return_X_y=True)
A, B = GaussianNB(), DecisionTreeClassifier(max_depth=2)

# -- names ---------------------------------------------------------------------------------------------------------------
OPEN = {"benchmark"}  # answered by its own room
FUNCTIONS = [thing for name in fstats.__all__ if inspect.isfunction(thing := getattr(fstats, name)) and name not in OPEN] + [
    simulate.run,
    simulate.type_one_error,
    simulate.power_curve,
    datasets.load,
    datasets.names,
]
CLASSES = list(dict.fromkeys(cls for cls, *_ in CASES.values()))


@pytest.mark.every_case
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_a_name_from_elsewhere_is_answered_with_ours(function):
    known = inspect.signature(function).parameters
    for theirs, ours in NAMES_IN_OTHER_LIBRARIES.items():
        if theirs in known:
            continue
        hint = f": did you mean '{ours}'" if ours in known else ""
        with pytest.raises(TypeError, match=re.escape(f"{function.__name__}() has no '{theirs}'{hint}")):
            function(**{theirs: 2})


@pytest.mark.every_case
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_a_misspelt_argument_is_answered_with_the_one_that_was_meant(function):
    for name, about in inspect.signature(function).parameters.items():
        if about.kind is about.VAR_KEYWORD or len(name) < 5:
            continue
        wrong = name[:1] + name[2:]
        with pytest.raises(TypeError, match=f"did you mean '{name}'"):
            function(**{wrong: 2})


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
def test_a_misspelt_input_or_step_is_answered_with_the_one_that_was_meant(cls):
    for name in (*cls.inputs, *cls.steps):
        wrong = f"{name}e" if len(name) > 4 else ""
        if not wrong or wrong in cls.steps or wrong in cls.inputs:
            continue
        right = closest_name(wrong, (*cls.inputs, *cls.steps))
        with pytest.raises(TypeError, match=f"{cls.__name__} has no '{wrong}': did you mean '{right}'"):
            cls.from_steps(**{wrong: 2})
        if name in cls.inputs:
            with pytest.raises(TypeError, match=f"{cls.__name__} has no '{wrong}': did you mean '"):
                cls(**{wrong: 2})
    case = next(name for name, (of, *_) in CASES.items() if of is cls)
    test = make(case, next(iter(getattr(cls, "tails", {"": 0}))))
    for name in cls.steps:
        with pytest.raises(AttributeError, match=f"{cls.__name__} has no '{name}x': did you mean '" if len(name) > 4 else "has no"):
            getattr(test, f"{name}x")


def test_packages_for_notebooks_and_authors_are_loaded_when_they_are_named():
    code = "import fstats; print(fstats.testing.check_test.__name__, fstats.explore.of.__name__)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "check_test of\n"
    assert not {"explore", "testing"} & {*fstats.__all__}  # `from fstats import *` needs no further package


def test_public_names_are_ours_alone():
    assert dir(fstats) == sorted([*fstats.__all__, "__version__"])
    slips = ("PairdT", "friedman", "compareall", "Delong", "WilcoxonSignedRank")
    for wrong, right in zip(slips, ("PairedT", "Friedman", "compare_all", "DeLong", "SignedRank")):
        with pytest.raises(AttributeError, match=f"fstats has no '{wrong}': did you mean '{right}'"):
            getattr(fstats, wrong)
    with pytest.raises(AttributeError, match=r"fstats has no 'xyz'; the nearest names are '\w+', '\w+', '\w+'; dir\(fstats\) lists all$"):
        _ = fstats.xyz
    assert not hasattr(fstats, "_repr_html_")  # what notebooks ask for is looked for in vain


def test_the_command_tells_its_version():
    done = subprocess.run([sys.executable, "-m", "fstats.cli", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == f"fstats {fstats.__version__}\n"


def test_the_answer_of_compare_has_a_type():
    assert get_type_hints(fstats.compare)["return"] is HypothesisTest
    assert isinstance(fstats.compare(A, B, X, Y), HypothesisTest)


# -- seeds ---------------------------------------------------------------------------------------------------------------
def test_seeds():
    """A number and a generator give the same again; None gives others, and the answer says which."""
    one, other = (fstats.compare(B, A, X, Y, rng=None) for _ in range(2))
    assert one.rng != other.rng
    assert fstats.compare(B, A, X, Y, rng=one.rng).scores.difference.tolist() == one.scores.difference.tolist()
    drawn = [fstats.compare(B, A, X, Y, rng=np.random.default_rng(4)).rng for _ in range(2)]
    assert drawn[0] == drawn[1]
    assert fstats.compare_all(A, B, X, Y, tests=[fstats.FiveByTwoT], rng=None).rows
    assert fstats.scores_on(fstats.FiveByTwoT, A, B, X, Y, rng=None).difference.shape == (5, 2)
    for rng in (None, np.random.default_rng(1)):
        assert 0 < fstats.power(fstats.SignedRank, n=20, effect_size=0.5, trials=50, rng=rng).value < 1
        assert 0 < fstats.power(fstats.Friedman, n=20, effect_size=[0, 0.4], trials=50, rng=rng).value < 1
        list(fstats.BlockRegularizedCV(random_state=rng).split(X))
    with pytest.raises(ValueError, match=r"`rng` must be a whole number from 0 .*, a numpy Generator, or None for a random seed; got '1'"):
        fstats.compare(A, B, X, Y, rng="1")


# -- scikit-learn's doors --------------------------------------------------------------------------------------------------
def test_our_splitter_is_cloned():
    ours = fstats.BlockRegularizedCV(3, stratify=True, random_state=7)
    copy = clone(ours)
    assert copy is not ours
    assert copy.get_params() == ours.get_params() == {"n_repeats": 3, "stratify": True, "random_state": 7}
    assert repr(clone(GridSearchCV(B, {"max_depth": [1, 2]}, cv=ours)).cv) == repr(ours)
    assert ours.set_params(n_repeats=5).n_blocks == 8
    assert_raises(lambda: ours.set_params(n_repeats=9), "`n_repeats` must be between 1 and 7")
    assert_raises(lambda: ours.set_params(n_repeat=3), "BlockRegularizedCV has no 'n_repeat': did you mean 'n_repeats'")


def test_groups_are_routed_to_our_splitter():
    groups, ours = np.arange(150) // 10, fstats.BlockRegularizedCV(random_state=0)
    directly = cross_val_score(A, X, Y, groups=groups, cv=ours)
    with sklearn.config_context(enable_metadata_routing=True):
        routed = cross_val_score(A, X, Y, params={"groups": groups}, cv=clone(ours))
        search = GridSearchCV(B, {"max_depth": [1]}, cv=ours).fit(X, Y, groups=groups)
        assert "families" not in str(ours.get_metadata_routing())
        renamed = fstats.BlockRegularizedCV(random_state=0).set_split_request(groups="families")
        named = cross_val_score(A, X, Y, params={"families": groups}, cv=clone(renamed))
        assert_raises(lambda: cross_val_score(A, X, Y, params={"groups": groups}, cv=renamed), "groups", TypeError)
    assert routed.tolist() == named.tolist() == directly.tolist()
    assert routed.tolist() != cross_val_score(A, X, Y, cv=ours).tolist()
    assert search.n_splits_ == 10


def test_splits_may_be_a_splitter():
    cv = RepeatedStratifiedKFold(n_splits=2, n_repeats=5, random_state=3)
    listed = fstats.compare(A, B, X, Y, test=fstats.FiveByTwoT, splits=list(cv.split(X, Y)))
    assert fstats.compare(A, B, X, Y, test=fstats.FiveByTwoT, splits=cv).pvalue == listed.pvalue
    assert fstats.scores_on(fstats.FiveByTwoT, A, B, X, Y, splits=cv).difference.tolist() == listed.scores.difference.tolist()
    groups = np.arange(150) // 10
    ours = fstats.BlockRegularizedCV(random_state=0)
    of_groups = fstats.compare(A, B, X, Y, splits=ours, groups=groups)
    assert of_groups.scores.difference.ravel() == pytest.approx(
        cross_val_score(A, X, Y, groups=groups, cv=ours)
        - cross_val_score(clone(B).set_params(random_state=0), X, Y, groups=groups, cv=ours),
        abs=0.03,  # the tree breaks ties by its seed
    )
    with pytest.raises(ValueError, match="KFoldT"):  # a splitter of another plan: which tests it fits
        fstats.compare(A, B, X, Y, test=fstats.FiveByTwoT, splits=KFold(10, shuffle=True, random_state=0))
    with pytest.raises(ValueError, match=r"splits=KFold\(.*\) cannot split the given records: Cannot have number of splits n_splits=200"):
        fstats.compare(A, B, X, Y, splits=KFold(200))


@pytest.mark.parametrize("test", [fstats.FiveByTwoT, fstats.CombinedFiveByTwoT, fstats.CombinedFiveByTwoF, fstats.CalibratedFiveByTwoF])
def test_ten_numbers_of_cross_validate(test):
    """In the order of scikit-learn's repeated splitters, or told otherwise; the tests look at which two belong together."""
    a, b = np.random.default_rng(5).normal(0.8, 0.05, (2, 10))
    table = test((a - b).reshape(5, 2))
    for ways in ((a, b), ({"test_score": a, "fit_time": b}, {"test_score": b}), (pd.Series(a), b.tolist())):
        assert test.from_cross_validate(*ways).pvalue == pytest.approx(table.pvalue, rel=1e-12)
    by_fold = [x.reshape(5, 2).T.ravel() for x in (a, b)]
    assert test.from_cross_validate(*by_fold, order="folds").pvalue == pytest.approx(table.pvalue, rel=1e-12)
    assert test.from_cross_validate(*by_fold).pvalue != pytest.approx(table.pvalue, rel=1e-3)
    assert test.from_cross_validate({"test_f1": a}, {"test_f1": b}, metric="test_f1", alpha=0.1).alpha == 0.1
    assert test.from_cross_validate(np.stack([a, b], 1), np.stack([b, a], 1)).pvalue.shape == (2,)
    assert_raises(lambda: test(a - b), r"got shape \(10,\)\. For the results of cross_validate, use from_cross_validate\(a, b, order=...\)")
    with pytest.raises(ValueError, match=r"`a` must have one score for each of the 10 splits of .*; got a list of length 9"):
        test.from_cross_validate(a[:9], b[:9])
    assert_raises(lambda: test.from_cross_validate(a, b, order="random"), "`order` must be 'repetitions' or 'folds'; got 'random'")
    with pytest.raises(ValueError, match=r"`metric` must be a key of `b`; got 'test_score', but `b` has 'test_f1'"):
        test.from_cross_validate(a, {"test_f1": b, "fit_time": b})


def test_what_cross_validate_gives_is_what_compare_finds():
    cv = RepeatedStratifiedKFold(n_splits=2, n_repeats=5, random_state=0)
    models = GaussianNB(), KNeighborsClassifier()
    found = fstats.CombinedFiveByTwoF.from_cross_validate(*(cross_validate(model, X, Y, cv=cv) for model in models))
    assert found.pvalue == fstats.compare(*models, X, Y, test=fstats.CombinedFiveByTwoF, splits=cv).pvalue


# -- weights ---------------------------------------------------------------------------------------------------------------
def test_weights_of_records():
    """A whole weight is a record that trains so often; a pipeline hands it to its last step; a test set counts each record once."""
    weights = np.where(Y == 2, 5.0, 1.0)
    splits = list(RepeatedStratifiedKFold(n_splits=2, n_repeats=5, random_state=0).split(X, Y))
    model = make_pipeline(StandardScaler(), LogisticRegression())
    test = fstats.compare(A, model, X, Y, test=fstats.FiveByTwoT, splits=splits, sample_weight=weights)
    train, held_out = splits[0]
    often = np.repeat(train, weights[train].astype(int))
    assert test.scores.score_a[0, 0] == GaussianNB().fit(X[often], Y[often]).score(X[held_out], Y[held_out])
    fitted = clone(model).fit(X[train], Y[train], logisticregression__sample_weight=weights[train])
    assert test.scores.score_b[0, 0] == fitted.score(X[held_out], Y[held_out])
    words = r"model_b must have a method fit with the argument sample_weight; got KNeighborsClassifier\(\). Leave out `sample_weight=`"
    assert_raises(lambda: fstats.compare(A, KNeighborsClassifier(), X, Y, sample_weight=weights), words, TypeError)
    with pytest.raises(
        ValueError, match=r"`sample_weight` must be one list with the weight of each of the 150 records; got shape \(149,\)"
    ):
        fstats.compare(A, B, X, Y, sample_weight=weights[1:])
    assert_raises(lambda: fstats.compare(A, B, X, Y, sample_weight=-weights), "`sample_weight` cannot be negative; got -1")


# -- nothing is lost ---------------------------------------------------------------------------------------------------------
class Stops(ClassifierMixin, BaseEstimator):
    """A classifier at whose fourth training somebody presses Ctrl-C."""

    trained = 0
    last = 4

    def fit(self, X, y):
        type(self).trained += 1
        if type(self).trained == type(self).last:
            raise KeyboardInterrupt
        self.model_ = GaussianNB().fit(X, y)
        self.classes_ = self.model_.classes_
        return self

    def predict(self, X):
        return self.model_.predict(X)


def test_after_ctrl_c_the_same_call_goes_on(tmp_path):
    store = tmp_path / "here" / "results.jsonl"
    Stops.trained, Stops.last = 0, 4
    with pytest.raises(KeyboardInterrupt) as stopped:
        fstats.compare(Stops(), B, X, Y, store=store)
    assert stopped.value.__notes__ == [f"3 of 10 trainings of each model are done and stored in {store}; the same call continues there"]
    done = fstats.compare(Stops(), B, X, Y, store=store)
    assert Stops.trained == 4 + 7
    without = fstats.compare(Stops(), B, X, Y)
    assert np.array_equal(done.d, without.d)
    assert done.pvalue == without.pvalue
    again = Stops.trained
    assert fstats.compare(Stops(), B, X, Y, store=store).pvalue == done.pvalue  # from the store alone
    assert Stops.trained == again
    Stops.trained, Stops.last = 0, 2
    with pytest.raises(KeyboardInterrupt) as stopped:
        fstats.compare(Stops(), B, X, Y)
    assert stopped.value.__notes__ == ["1 of 10 trainings of each model are done and lost, because there is no store="]
    Stops.trained, Stops.last = 0, 0


@pytest.mark.complete
@pytest.mark.parametrize("test", [fstats.CrossValidatedZ, fstats.ConservativeZ, fstats.CorrectedResampledT, fstats.BlockedFiveByTwoMcNemar])
def test_a_store_gives_back_what_was_found(test, tmp_path):
    """Also halves, records one by one, and the counts; and another test on the same plan reads the same store."""
    store = tmp_path / "store"
    first = fstats.compare(A, B, X[::3], Y[::3], test=test, store=store)
    kept = fstats.compare(A, B, X[::3], Y[::3], test=test, store=store)
    for name in first.steps:
        value = getattr(first, name)
        if isinstance(value, (float, np.ndarray)):
            assert np.array_equal(getattr(kept, name), value), name
    assert len(store.read_text().splitlines()) == 1 + json.loads(store.read_text().splitlines()[0])["about"]["units"]


def test_a_store_is_of_one_comparison(tmp_path):
    store = tmp_path / "store"
    cv = KFold(10, shuffle=True, random_state=0)
    fstats.compare(A, B, X, Y, test=fstats.KFoldT, splits=cv, store=store)
    assert fstats.scores_on(fstats.KFoldT, A, B, X, Y, splits=cv, store=store).difference.shape == (10,)
    for other, said in (
        ({"rng": 1}, "rng is 0 in the file and 1 in this call"),
        ({"scoring": "f1_macro"}, "scoring is 'accuracy' in the file and "),
        ({"sample_weight": np.ones(150)}, "sample_weight is '' in the file"),
        ({"splits": KFold(10, shuffle=True, random_state=1)}, "splits is "),
    ):
        with pytest.raises(ValueError, match=re.escape(said)):
            fstats.compare(A, B, X, Y, test=fstats.KFoldT, store=store, **({"splits": cv} | other))
    with pytest.raises(ValueError, match=r"models is \['GaussianNB\(\)', .* in the file and"):
        fstats.compare(A, DecisionTreeClassifier(max_depth=3), X, Y, test=fstats.KFoldT, splits=cv, store=store)
    assert_raises(lambda: fstats.compare(A, B, X + 1, Y, test=fstats.KFoldT, splits=cv, store=store), "records is ")


# -- 80 columns --------------------------------------------------------------------------------------------------------------
@pytest.fixture
def terminal(monkeypatch):
    """As if a terminal of 80 columns showed it."""
    for module in ("fstats.render.plain_text", "fstats.render.display_table"):
        monkeypatch.setattr(f"{module}.terminal_width", lambda: 80)


def longest(shown):
    return max(map(len, shown.split("\n")))


@pytest.mark.parametrize("name", most_of(CASES))
@pytest.mark.usefixtures("terminal")
def test_what_a_test_shows_fits_a_terminal(name):
    for alternative in getattr(CASES[name][0], "tails", {"": 0}):
        batch = make(name, alternative)
        for test in (batch, batch.at(0), batch.at(3)):
            assert longest(repr(test)) <= 80


@pytest.mark.parametrize("name", CASES)
def test_what_a_test_shows_fits_a_page_and_nothing_is_lost(name, monkeypatch):
    """In a file, a pipe or a doctest no line is wider than 100; each row, each entry and each word that a wide one has stands there."""
    for alternative in getattr(CASES[name][0], "tails", {"": 0}):
        batch = make(name, alternative)
        for test in (batch, batch.at(0), batch.at(3)):
            shown = repr(test)
            assert longest(shown) <= 100
            with monkeypatch.context() as wider:
                wider.setattr(plain_text, "terminal_width", lambda: 10_000)
                wide = repr(test)
            assert Counter(wide.split()) <= Counter(shown.split())  # what heads the lines of a broken table stands there again
            assert set(wide.split()) == set(shown.split())


def test_the_same_words_stand_there_whatever_the_width(monkeypatch):
    test = fstats.PairedT([85, 70, 79, 78, 83], [87, 68, 85, 75, 83], labels=["random forest", "logistic regression"])
    page = repr(test)
    assert 90 < longest(page) <= 100
    for width in (60, 80, 120):
        monkeypatch.setattr(plain_text, "terminal_width", lambda width=width: width)
        narrow = repr(test)
        assert longest(narrow) <= width
        assert narrow.split() == page.split()


def test_numbers_in_columns_that_a_page_has_no_room_for_go_on_below():
    """The first column, which heads the lines, stands in every part; no line is broken within a number."""
    x = np.random.default_rng(0).normal(size=(4, 30)).round(6)
    labels = [f"classifier {k}" for k in range(30)]
    shown = repr(fstats.Friedman(x, labels=labels))
    assert longest(shown) <= 100
    heads = [line for line in shown.split("\n") if line.startswith("  i  ")]
    assert len(heads) > 4
    assert all(f"{number:.4g}" in shown.split() for number in x.flat)
    assert set(labels) <= {" ".join(pair) for line in heads for pair in zip(*[iter(line.split()[1:])] * 2)}


def test_where_no_terminal_is_text_is_as_wide_as_a_page(monkeypatch):
    class Closed:
        def isatty(self):
            raise ValueError

    class Terminal:
        def isatty(self):
            return True

    assert terminal_width() == 100
    for stdout, columns in ((None, 100), (Closed(), 100), (Terminal(), 72)):
        monkeypatch.setattr("sys.stdout", stdout)
        monkeypatch.setenv("COLUMNS", "72")
        assert terminal_width() == columns


@pytest.mark.usefixtures("terminal")
def test_tables_fit_a_terminal():
    table = fstats.compare_all(A, B, X, Y, tests=[fstats.FiveByTwoT, fstats.KFoldT, fstats.CorrectedResampledT])
    assert longest(repr(table)) <= 80
    assert "CorrectedResampledT" in repr(table)
    for shown in (fstats.power(fstats.Friedman, n=9, effect_size=[0, 1], trials=50), fstats.BlockRegularizedCV(5, random_state=1)):
        assert longest(repr(shown)) <= 80
    assert longest(repr(fstats.critical_values(fstats.SignedRank, n=range(5, 26), alpha=[0.10, 0.05, 0.02, 0.01]))) <= 80


# -- short errors ------------------------------------------------------------------------------------------------------------
LONG = 1500
HOSTILE = {
    "words": np.array(["a rather long name of a class"] * LONG),
    "objects": np.array([object()] * LONG),
    "nan": np.r_[np.ones(LONG), np.nan],
    "a dict": {f"key {k}": k for k in range(LONG)},
    "lists of lists": [[1, 2]] * LONG + [[1]],
    "mixed": [1, "two", None] * LONG,
    "negative": np.full(LONG, -1.5),
    "a table": np.ones((LONG, 3)),
    "a frame": pd.DataFrame({"y": ["x"] * LONG}),
    "a series": pd.Series(["well", "ill"] * LONG),
    "a long text": "no " * LONG,
}
MOST = 700


def refused(call):
    """What is said where something is refused."""
    try:
        call()
    except (ValueError, TypeError) as error:
        return str(error)
    return ""


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
def test_an_error_never_dumps_the_data(cls):
    data, settings = next((data, settings) for of, data, settings in CASES.values() if of is cls)
    one = {name: value[..., 0] if np.ndim(value) else value for name, value in data.items()}
    said = []
    for name in (*data, *settings, "alpha", "labels", "alternative"):
        for hostile in HOSTILE.values():
            said.append(refused(lambda name=name, hostile=hostile: cls(**(one | settings | {name: hostile}))))
    assert any(said)
    assert max(map(len, said)) <= MOST, max(said, key=len)[:2000]


@pytest.mark.every_case
@pytest.mark.parametrize("name", ["X", "y", "groups", "splits", "sample_weight", "scoring", "rng", "model_a", "test", "jobs", "stratify"])
def test_nor_does_compare(name):
    for hostile in HOSTILE.values():
        given = {"model_a": A, "model_b": B, "X": X, "y": Y} | {name: hostile}
        assert len(refused(lambda given=given: fstats.compare(**given))) <= MOST


@pytest.mark.complete
def test_nor_does_a_step_that_is_stated():
    for cls in (fstats.PairedT, fstats.Friedman, fstats.DeLong, TwoAlgorithms):
        for step in cls.steps:
            for hostile in HOSTILE.values():
                assert len(refused(lambda cls=cls, step=step, hostile=hostile: cls.from_steps(**{step: hostile}))) <= MOST
