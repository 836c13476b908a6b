"""All recommended analyses of one question: each is the test that one makes by hand, and the sentence says no more than they do."""

import numpy as np
import pytest
from shortcuts import assert_raises, parametrize
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

import fstats
from fstats import PairedT, SignedRank, compare, multiverse
from fstats.guide.rules import RULES
from fstats.plot.drawing.picture_marks import Label, Points

A, B = [85, 70, 79, 78, 83, 88, 90], [82, 68, 75, 75, 83, 84, 91]


def test_analyses_on_scores_and_ways_to_rank():
    found = {(one.choices["test"], one.choices["data sets without a winner"]): one for one in multiverse(A, B, alpha=0.1).analyses}
    by_hand = {("PairedT", "kept"): PairedT(A, B, alpha=0.1)}
    by_hand |= {("SignedRank", zeros): SignedRank(A, B, zeros=zeros, alpha=0.1) for zeros in ("drop", "pratt", "split")}
    assert found.keys() == by_hand.keys()
    for choices, test in by_hand.items():
        assert (found[choices].test.pvalue, found[choices].rejects) == (test.pvalue, test.reject)
        assert found[choices].interval == (test.ci.low, test.ci.high)
    assert [one.choices["test"] for one in multiverse([85, 70, 79, 71, 72, 73], [82, 68, 75, 70, 70, 70]).analyses].count("SignedRank") == 1


def test_which_are_asked_says_the_guide():
    """Recommended for some answer to what the data leave open; what it warns of is left out with its reason."""
    every = multiverse(A, B)
    asked = {"aim": "difference", "classifiers": "two", "data_sets": "many", "paired": "yes"}
    rules = [rule for rule in RULES if asked.items() <= rule.when.items()]
    assert {one.choices["test"] for one in every.analyses} == {rule.test for rule in rules}
    assert "SignTest" in every.left_out
    assert every.left_out["KFoldT"] in [why for rule in rules for why in rule.avoid.values()]


@pytest.mark.complete
def test_on_models_each_analysis_is_what_compare_says():
    data, models = load_iris(return_X_y=True), (KNeighborsClassifier(), GaussianNB())
    every = multiverse(*models, data, seeds=2, metrics=("accuracy", "f1_macro"), progress=False)
    assert len(every.analyses) == 2 * 2 * 2
    for one in every.analyses:
        seed = int(one.choices["seed"].removeprefix("seed "))
        test = compare(*models, *data, test=getattr(fstats, one.choices["test"]), scoring=one.choices["metric"], rng=seed, progress=False)
        assert one.test.pvalue == test.pvalue
    expected = {"CalibratedFiveByTwoF", "CorrectedRepeatedKFoldT"}
    assert {one.choices["test"] for one in every.analyses if one.choices["metric"] == "f1_macro"} == expected
    for metric in ("accuracy", "f1_macro"):  # whose units differ
        effects = [one.effect for one in every.analyses if one.choices["metric"] == metric]
        assert effects == sorted(effects)
        assert f"(in {metric})" in every.conclusion
    calibrated = [one for one in every.analyses if one.choices["test"] == "CalibratedFiveByTwoF"]
    assert [one.interval for one in calibrated] == [None] * len(calibrated)
    assert all(f"{every.called(one)}: {one.effect:.4g}" in every.plot().text for one in calibrated)
    assert "no interval" in [mark.words for mark in every.plot().marks if isinstance(mark, Label)]
    assert every.plot().xlabel.endswith("KNeighborsClassifier - GaussianNB")
    alone = multiverse(*models, data, seeds=1, metrics="f1_macro", progress=False)
    assert {one.choices["metric"] for one in alone.analyses} == {"f1_macro"}


@parametrize(
    "a, b, words",
    (A, B, "1 of 4 analyses reject H0 at alpha = 0.05. Effects lie between 2.143 and 2.25."),
    (A, B, "The analyses that reject: PairedT, kept. The conclusion depends on the test"),
    ([1, 5, 2, 4, 9, 3], [3, 2, 4, 1, 8, 7], "0 of 2 analyses reject H0"),
    ([3, 5, 4, 6, 7, 9], [1, 3, 2, 4, 5, 7], "All see an effect of 2"),
    ([3, 5, 4, 6, 7, 9], [1, 3, 2, 4, 5, 7], "there is no spread to measure luck by"),
    ([90, 1, 1, 1, 1, 1], [1, 2, 2.1, 2.2, 2.3, 2.4], "Not even their sign is the same."),
    (np.arange(10) + 3.0, np.arange(10) % 4, "2 of 2 analyses reject H0"),
)
def test_the_sentence(a, b, words):
    said = multiverse(a, b).conclusion.replace("  ", " ")
    assert words in said
    assert said.endswith("All analyses use the same data, so their number is no evidence.")
    assert "hinges" not in said or 0 < multiverse(a, b).rejecting < len(multiverse(a, b).analyses)


@pytest.mark.parametrize(("a", "b"), [([0.81, 0.77, 0.9], [0.79, 0.75, 0.86]), ([5, 3, 4, 8, 2], [4, 1, 4, 3, 1])])
def test_what_could_not_have_rejected_is_no_analysis(a, b):
    every = multiverse(a, b)
    assert [one.choices["test"] for one in every.analyses] == ["PairedT"]
    assert every.conclusion.startswith("The one analysis, PairedT, ")
    assert "Left out, because these tests could not have rejected with so few data: SignedRank." in every.conclusion
    assert every.left_out["SignedRank"] == "with so few data no outcome could have rejected"


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@parametrize("a, b", (A, B), (B, A), ([0.81, 0.77, 0.9], [0.79, 0.75, 0.86]), ([0.8, 0.7, 0.9, 0.6], [0.8, 0.7, 0.9, 0.6]))
def test_all_effects_lie_inside_the_picture_and_endless_intervals_have_an_arrow(a, b, alternative):
    every = multiverse(a, b, alternative=alternative)
    picture = every.plot()
    low, high = picture.ylim
    for points in (mark for mark in picture.marks if isinstance(mark, Points)):
        assert (low < points.y).all()
        assert (points.y < high).all()
    words = [mark for mark in picture.marks if isinstance(mark, Label)]
    assert all(low <= word.y <= high for word in words)
    arrows = [word.words for word in words if word.words in ("↓", "↑")]
    assert len(arrows) == sum(not np.isfinite(end) for one in every.analyses for end in one.interval)
    beside = sorted(word.y for word in words if word.align == "start")
    assert min(np.diff(beside), default=1) > 0.05 * (high - low) / (len(beside) + 4)  # no two are printed over each other
    assert "inf" not in picture.text


def test_the_picture_and_the_table_say_the_same():
    every = multiverse(A, B)
    assert every.plot().text.startswith("4 analyses by their effect; 1 of them reject H0.")
    assert len(every.lines) == 4
    assert "Left out: SignTest" in repr(every)
    assert "<table" in every._repr_html_()


def test_what_is_refused():
    assert_raises(lambda: multiverse(KNeighborsClassifier(), GaussianNB(), load_iris(return_X_y=True), seeds=0), "seeds")
    assert_raises(lambda: multiverse(A, B, metric=("accuracy",)), "metric must be the name of the metric", TypeError)
    with pytest.raises(TypeError, match=r"got models\. Write `metrics="):
        multiverse(KNeighborsClassifier(), GaussianNB(), load_iris(return_X_y=True), metric="f1_macro")
