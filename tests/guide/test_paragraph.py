"""The paragraph for a paper is complete: plan, both scores, scatter, metric, setup, for every public procedure."""

import re

import numpy as np
import pytest
from cases import CASES, make
from shortcuts import assert_raises
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import fstats
from fstats.core.classifier_pair import TwoClassifiers


def single(name):
    try:
        test = make(name, "two-sided")
    except ValueError:
        test = make(name, "equivalence")
    return test.at(1)


@pytest.mark.parametrize("name", CASES)
def test_every_public_procedure_is_reported(name):
    test = single(name)
    said = fstats.report(test)
    assert said.text.startswith(type(test).__doc__.partition(":")[0].strip())
    assert said.text.endswith(".")
    assert len(said.text) > len(name) + 20
    assert "nan" not in said.text
    assert said.latex
    assert said.markdown
    if isinstance(test, TwoClassifiers) and "a" in type(test).inputs and hasattr(type(test), "pvalue"):
        a = np.asarray(test.a)
        if a.ndim == 1 and a.dtype.kind == "f" and not {"y_true", "y_true_a"} & type(test).inputs.keys():
            assert re.search(r"(mean|median) score [-\d.e]+ of A and [-\d.e]+ of B", said.text)


def test_numbers_counts_and_accuracies_of_a_paragraph():
    assert_raises(lambda: fstats.report([1, 2]), r"report takes a test, such as fstats\.PairedT\(a, b\); got list", TypeError)
    # A number that stands twice in a paragraph is written the same way: the mean rank, and the end of the spread.
    test = fstats.Friedman(np.random.default_rng(3).normal([0, 0.5, 2], 1, (8, 3)))
    best, worst = test.mean_ranks.min(), test.mean_ranks.max()
    said = str(fstats.report(test))
    assert f"from {best:.4g}" in said
    assert (said.count(f"{best:.4g}"), said.count(f"{worst:.4g}")) == (2, 2)
    said = str(fstats.report(fstats.McNemarExact(4, 15, labels=["forest", "tree"])))
    assert "n10 = 15 (only forest right), n01 = 4 (only tree right)" in said
    y = np.arange(40) % 2
    a, b = np.where(np.arange(40) % 10 == 0, 1 - y, y), np.where(np.arange(40) % 4 == 0, 1 - y, y)
    said = str(fstats.report(fstats.McNemarExact.from_predictions(y, a, b)))
    assert "accuracy 0.9 of A and 0.75 of B" in said


@pytest.fixture(scope="module")
def compared():
    return fstats.compare(GaussianNB(), DecisionTreeClassifier(max_depth=1), *load_iris(return_X_y=True), rng=7)


def test_what_was_compared_is_told(compared):
    said = str(fstats.report(compared, setup=True))
    assert "on 5 x 2-fold cross-validation (block-regularized)" in said
    a, b = (np.ravel(one) for one in (compared.scores.score_a, compared.scores.score_b))
    assert (
        f"mean accuracy {a.mean():.4g} of GaussianNB (standard deviation {a.std(ddof=1):.4g} over 10 splits) and "
        f"{b.mean():.4g} of DecisionTreeClassifier (standard deviation {b.std(ddof=1):.4g} over 10 splits)"
    ) in said
    for part in ("metric accuracy", "seed 7", "DecisionTreeClassifier(max_depth=1)", f"fstats {fstats.__version__}", "numpy "):
        assert part in said[said.index("Setup: ") :]
    assert "Setup" not in str(fstats.report(compared))


def test_results_and_stores_remember_their_setup(tmp_path):
    models = {"bayes": GaussianNB(), "stump": DecisionTreeClassifier(max_depth=1)}
    for store in (None, tmp_path / "kept.jsonl"):
        results = fstats.benchmark(models, ["iris", "wine"], cv=3, rng=5, data_dir="", scoring=["accuracy", "f1_macro"], store=store)
        for again in range(2 if store else 1):
            if again:
                results = fstats.benchmark(
                    models, ["iris", "wine"], cv=3, rng=5, data_dir="", scoring=["accuracy", "f1_macro"], store=store
                )
            for test in (fstats.PairedT, fstats.Friedman):
                said = str(fstats.report(test(results["f1_macro"]), setup=True))
                setup = said[said.index("Setup: ") :]
                for part in (
                    *("metric f1_macro", "data sets iris, wine", "each score the mean of 3 folds", "plan 3 folds", "seed 5"),
                    *("bayes = GaussianNB(), stump = DecisionTreeClassifier(max_depth=1)", "scikit-learn ", "numpy "),
                ):
                    assert part in setup
    assert str(fstats.report(fstats.PairedT([1, 2, 4], [2, 3, 3]), setup=True)).count("Setup: ") == 1


def test_of_losses_the_difference_says_which_way_round():
    said = str(fstats.report(fstats.PairedT([1, 2, 3.5], [2, 2.5, 4], labels=["good", "bad"], metric="RMSE")))
    assert "mean RMSE 2.167 of good and 2.833 of bad" in said
    assert "mean difference (bad minus good) 0.6667" in said
