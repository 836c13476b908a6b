"""The explorers of the opening notebook, against fresh fits and fresh tests."""

import re
from pathlib import Path

import numpy as np
import pytest
from shortcuts import assert_raises, parametrize
from shown_numbers import shown_in
from sklearn.datasets import load_wine
from sklearn.model_selection import StratifiedKFold, train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from fstats import explore
from fstats.core.number_format import format_plain

NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "00_start_here.ipynb"
X, Y = load_wine(return_X_y=True)


def tree(seed=None):
    return make_pipeline(StandardScaler(), DecisionTreeClassifier(max_features=3, random_state=seed))


@pytest.fixture(scope="module")
def made():
    return explore.randomness(tree(), GaussianNB(), X, Y, draws=3, folds=4, test_share=0.4)


@pytest.fixture
def draws(made):
    made.reset()
    return made


def fitted(model, split, cross):
    """A score computed anew, by hand."""
    if cross:
        parts = StratifiedKFold(4, shuffle=True, random_state=split).split(X, Y)
    else:
        parts = [train_test_split(np.arange(len(Y)), test_size=0.4, random_state=split, stratify=Y)]
    return 100 * np.mean([(model.fit(X[train], Y[train]).predict(X[test]) == Y[test]).mean() for train, test in parts])


# -- randomness ----------------------------------------------------------------------------------------------------------
@pytest.mark.complete
@pytest.mark.parametrize("cross", [0, 1])
@pytest.mark.parametrize("split", [0, 1])
@pytest.mark.parametrize("weights", [0, 1])
def test_every_score_is_that_of_a_fresh_fit(draws, weights, split, cross):
    for name, position in {"weights": weights, "split": split, "cross": cross, "draw": 2}.items():
        draws.move(**{name: position})
    a = np.array([fitted(tree(j * weights), j * split, cross) for j in (1, 2, 3)])
    b = np.array([fitted(GaussianNB(), j * split, cross) for j in (1, 2, 3)])
    shown, d = shown_in(draws), np.round(a - b, 9)
    for j in range(3):
        assert [shown[f"{name}[{j}]"] for name in "abd"] == [format_plain(a[j]), format_plain(b[j]), format_plain(d[j])]
    expected = {
        "here_a": a[1],
        "here_b": b[1],
        "mean_a": a.mean(),
        "sd_a": np.round(a.std(ddof=1), 9),
        "mean_b": b.mean(),
        "sd_b": np.round(b.std(ddof=1), 9),
        "mean": np.round(d.mean(), 9),
        "ahead": (d > 0).sum(),
        "behind": (d < 0).sum(),
        "draw": 2,
    }
    assert {name: shown[name] for name in expected} == {name: format_plain(value) for name, value in expected.items()}
    looks = "A looks better" if d[1] > 0 else "B looks better" if d[1] < 0 else "A and B look equal"
    neither = f", neither in {(d == 0).sum()}" if (d == 0).any() else ""
    assert draws.view["conclusion"] == (
        f"In draw 2 A scores {format_plain(a[1])} and B {format_plain(b[1])}, so {looks}; "
        f"of all 3 draws A is better in {(d > 0).sum()}, B in {(d < 0).sum()}{neither}."
    )
    assert f"Draw 2 is marked: A {format_plain(a[1])}, B {format_plain(b[1])}." in draws.view["pictures"][0]


def test_what_does_not_move(draws):
    assert np.ptp(draws.test.a) > 0  # it starts with the split drawn anew
    draws.move(split=0)
    assert np.ptp(draws.test.a) == np.ptp(draws.test.b) == 0
    draws.move(weights=1)
    assert np.ptp(draws.test.a) > 0
    assert np.ptp(draws.test.b) == 0  # naive Bayes has nothing random in it
    draws.reset()
    assert 0.5 < draws.test.shared < 0.7  # two random 60 % of the records share about 60 %
    draws.move(split=0)
    assert draws.test.shared == 1
    draws.move(cross=1)
    assert draws.test.shared == pytest.approx(2 / 3, abs=0.01)  # two of four folds are left out, of three
    draws.reset()
    before = draws.pictures(draws.test)[0].ylim
    draws.move(cross=1)
    assert draws.pictures(draws.test)[0].ylim == before
    assert before[0] < min(draws.test.a.min(), draws.test.b.min())


@pytest.mark.complete
def test_same_seeds_same_numbers(draws):
    again = explore.randomness(tree(), GaussianNB(), X, Y, draws=3, folds=4, test_share=0.4)
    for explorer in (again, draws):
        explorer.move(weights=1)
        explorer.move(cross=1)
    assert (again.view, repr(again.test)) == (draws.view, repr(draws.test))


def test_the_models_are_left_as_they_were():
    model = tree(17)
    explore.randomness(model, GaussianNB(), X, Y, draws=2, folds=3)
    assert model[-1].random_state == 17
    assert not hasattr(model[-1], "tree_")


@pytest.mark.complete
@parametrize(
    "change, rule, error",
    ({"model_a": GaussianNB}, "`model_a` must be a scikit-learn classifier, such as", TypeError),
    ({"model_b": 3}, "`model_b` must be a scikit-learn classifier.*; got 3", TypeError),
    ({"y": Y[1:]}, r"`x` must be a table with one row for each label in y; got shapes \(178, 13\) and \(177,\)"),
    ({"x": X[:, 0]}, "`x` must be a table"),
    ({"draws": 1}, "`draws` must be at least 2; got 1"),
    ({"folds": 2}, "`folds` must be at least 3; got 2"),
    ({"folds": 60}, "each fold; got 48 of the rarest class"),
    ({"test_share": 1.5}, "`test_share` must be between 0 and 1"),
)
def test_wrong_input_is_refused(change, error, rule):
    assert_raises(lambda: explore.randomness(**{"model_a": tree(), "model_b": GaussianNB(), "x": X, "y": Y} | change), rule, error)


def test_every_link_of_the_notebook_leads_somewhere():
    linked = set(re.findall(r"\]\(([\w./]+)\)", NOTEBOOK.read_text(encoding="utf-8")))
    assert len(linked) >= 3
    assert [name for name in linked if not (NOTEBOOK.parent / name).exists()] == []
