"""All defensible analyses of one question: each is the test that one makes by hand, and the sentence says no more than they do."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

import fstats
from fstats import PairedT, SignedRank, compare, multiverse
from fstats.guide.rules import RULES

A, B = [85, 70, 79, 78, 83, 88], [82, 68, 75, 75, 83, 84]


def test_on_scores_each_analysis_is_the_test_made_by_hand():
    found = {(one.choices["test"], one.choices["data sets without a winner"]): one for one in multiverse(A, B, alpha=0.1).analyses}
    by_hand = {("PairedT", "as they are"): PairedT(A, B, alpha=0.1)}
    by_hand |= {("SignedRank", zeros): SignedRank(A, B, zeros=zeros, alpha=0.1) for zeros in ("drop", "pratt", "split")}
    assert found.keys() == by_hand.keys()
    for choices, test in by_hand.items():
        assert (found[choices].test.pvalue, found[choices].rejects) == (test.pvalue, test.reject)
        assert found[choices].interval == (test.ci.low, test.ci.high)


def test_without_draws_there_is_one_way_to_rank():
    assert [one.choices["test"] for one in multiverse([85, 70, 79], [82, 68, 75]).analyses].count("SignedRank") == 1


def test_which_are_defensible_says_the_guide():
    """Recommended for some answer to what the data leave open; what it warns of is left out with its reason."""
    every = multiverse(A, B)
    asked = {"aim": "difference", "classifiers": "two", "data_sets": "many", "paired": "yes"}
    rules = [rule for rule in RULES if asked.items() <= rule.when.items()]
    assert {one.choices["test"] for one in every.analyses} == {rule.test for rule in rules}
    assert "SignTest" in every.left_out
    assert every.left_out["KFoldT"] in [why for rule in rules for why in rule.avoid.values()]


def test_on_models_each_analysis_is_what_compare_says():
    data, models = load_iris(return_X_y=True), (KNeighborsClassifier(), GaussianNB())
    every = multiverse(*models, data, seeds=2, metrics=("accuracy", "f1_macro"), progress=False)
    assert len(every.analyses) == 2 * 2 * 2
    for one in every.analyses:
        seed = int(one.choices["seed"].removeprefix("seed "))
        test = compare(*models, *data, test=getattr(fstats, one.choices["test"]), scoring=one.choices["metric"], rng=seed, progress=False)
        assert one.test.pvalue == test.pvalue
    assert {one.choices["test"] for one in every.analyses if one.choices["metric"] == "f1_macro"} == {
        "CalibratedFiveByTwoF",
        "CorrectedRepeatedKFoldT",
    }
    assert [one.effect for one in every.analyses] == sorted(one.effect for one in every.analyses)


@pytest.mark.parametrize(
    ("a", "b", "words"),
    [
        (A, B, "1 of 4 analyses reject H0 at alpha = 0.05. Effects lie between 2.667 and 3."),
        (A, B, "Those that do: PairedT, as they are. The conclusion hinges on a choice"),
        ([1, 5, 2, 4], [3, 2, 4, 1], "0 of 2 analyses reject H0"),
        ([3, 5, 4, 6], [1, 3, 2, 4], "All see an effect of 2"),
        (np.arange(10) + 3.0, np.arange(10) % 4, "2 of 2 analyses reject H0"),
    ],
)
def test_the_sentence(a, b, words):
    said = multiverse(a, b).conclusion.replace("  ", " ")
    assert words in said
    assert said.endswith("All read the same data, so that their number is no evidence.")
    assert "hinges" not in said or 0 < multiverse(a, b).rejecting < len(multiverse(a, b).analyses)


def test_the_picture_and_the_table_say_the_same():
    every = multiverse(A, B)
    assert every.plot().text.startswith("4 analyses by their effect; 1 of them reject H0.")
    assert len(every.lines) == 4
    assert "Left out: SignTest" in repr(every)
    assert "<table" in every._repr_html_()


def test_what_is_refused():
    with pytest.raises(ValueError, match="seeds"):
        multiverse(KNeighborsClassifier(), GaussianNB(), load_iris(return_X_y=True), seeds=0)
    with pytest.raises(TypeError, match="did you mean 'metrics'"):
        multiverse(A, B, metric=("accuracy",))
