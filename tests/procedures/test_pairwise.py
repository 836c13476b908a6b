"""One paired test for each pair: the batch is the single tests, errors are turned round, and procedures take it from there."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
import scipy.stats as st
from shortcuts import assert_raises

from fstats import BergmannHommel, EquivalenceT, Friedman, Hochberg, Holm, PairedT, Pairwise, Shaffer, SignedRank, SignTest, WelchT

TESTS = [SignedRank, PairedT, SignTest]
each = pytest.mark.parametrize("paired", TESTS)


@pytest.fixture
def scores():
    x = np.random.default_rng(42).normal(0.8, 0.03, (12, 4)).round(2)
    x[:, 2] -= 0.05
    return x


@each
def test_the_batch_is_the_single_tests(paired, scores):
    tests = Pairwise(scores, using=paired)
    for h, (i, j) in enumerate(combinations(range(4), 2)):
        alone = paired(scores[:, i], scores[:, j])
        expected = pytest.approx((alone.statistic, alone.pvalue, alone.effect_size), rel=1e-12)
        assert (tests.statistic[h], tests.pvalues[h], tests.effect_size[h]) == expected
        assert str(tests.pairs[h]) == f"{'ABCD'[i]} – {'ABCD'[j]}"


def test_scipy_agrees():
    x = np.random.default_rng(43).normal(size=(15, 3))  # no ties
    i, j = np.triu_indices(3, 1)
    assert Pairwise(x, using=PairedT).pvalues == pytest.approx(st.ttest_rel(x[:, i], x[:, j]).pvalue, rel=1e-12)
    assert Pairwise(x).pvalues == pytest.approx(st.wilcoxon(x[:, i], x[:, j], method="exact").pvalue, rel=1e-12)


def test_one_pair_and_a_control(scores):
    tests = Pairwise(pd.DataFrame(scores, columns=["tree", "bayes", "svm", "knn"]))
    one = tests.test_of("tree", "svm")
    assert isinstance(one, SignedRank)
    assert (one.pvalue, tests.test_of("svm", "tree").effect_size) == (tests.pvalues[1], -one.effect_size)
    assert "W^+" in one.to_latex()
    assert_raises(lambda: tests.test_of("tree", "forest"), "`second` must be one of the labels tree, bayes, svm, knn; got 'forest'")
    tests = Pairwise(scores, control="B")
    assert [str(pair) for pair in tests.pairs] == ["A – B", "C – B", "D – B"]
    assert tests.pvalues == pytest.approx(Pairwise(scores).pvalues[[0, 3, 4]], rel=1e-12)
    assert np.array_equal(Holm.from_test(Pairwise(scores), control="B").adjusted, Holm.from_test(tests).adjusted)
    assert_raises(lambda: Pairwise(scores, control="E"), "`control` must be one of the labels A, B, C, D; got 'E'")
    assert_raises(lambda: Shaffer.from_test(tests), "Shaffer needs all 3 pairs of 3 classifiers, each once; got the pairs")
    tests = Pairwise(scores)
    assert not hasattr(tests, "reject")
    assert tests.conclusion.startswith("No decision: each of the 6 p-values concerns only its own pair")
    assert tests.conclusion in " ".join(repr(tests).split())
    assert "using = SignedRank" in repr(tests)
    assert (tests.to_dict()["test"], tests.to_dict()["using"]) == ("Pairwise", "SignedRank")


@pytest.mark.parametrize("procedure", [Holm, Hochberg, Shaffer, BergmannHommel])
def test_procedures_follow(procedure, scores):
    tests = Pairwise(scores, labels=["w", "x", "y", "z"])
    test = procedure.from_test(tests, alpha=0.1)
    assert np.array_equal(test.adjusted, procedure.from_pvalues(tests.pvalues, labels=tests.pairs).adjusted)
    names = [row.name for row in test.worked()]
    assert names[: len(tests.worked()) - 1] == [row.name for row in tests.worked()][:-1]  # its rows come first
    assert len(set(names)) == len(names)  # and each once
    assert (names.count("conclusion"), names[-1], test.to_dict()["test"]) == (1, "conclusion", procedure.__name__)
    assert test.to_dict()["adjusted"] == test.adjusted.tolist()
    again = test.assuming(alpha=0.01)
    assert np.array_equal(again.effect_size, tests.effect_size)
    assert [row.name for row in again.worked()] == names


def test_the_conclusion_says_who_is_better(scores):
    for turned, settings in ((scores, {}), (1 - scores, {"higher_is_better": False})):
        test = Holm.from_test(Pairwise(turned, **settings))
        assert test.reject[[1, 3, 5]].any()
        assert "A is better than C" in test.conclusion
        assert "C is better" not in test.conclusion


@each
def test_identical_classifiers(paired):
    tests = Pairwise(np.repeat(np.arange(6.0)[:, None], 3, axis=1), using=paired)
    assert (tests.pvalues == 1).all()
    assert (tests.effect_size == 0).all()
    assert not Holm.from_test(tests).reject.any()


def test_winners_without_spread_or_direction():
    tests = Pairwise.from_steps(pvalues=[0.001, 0.5, 0.5], pairs=[("A", "B"), ("A", "C"), ("B", "C")])
    assert Holm.from_test(tests).conclusion.startswith("Reject H0 at alpha = 0.05 for 1 of 3 comparisons: A and B differ.")
    x = np.arange(6.0)[:, None] + [0, 1, 1]
    test = Holm.from_test(Pairwise(x, using=PairedT))
    assert test.adjusted.tolist() == [0, 0, 1]
    assert "B is better than A; C is better than A." in test.conclusion
    # unlike mean ranks: a third classifier that falls between two others doubles what Friedman's ranking says of their difference
    rng = np.random.default_rng(45)
    two = rng.normal([0.4, 0], size=(20, 2))
    beside, between = (np.column_stack([two, third]) for third in (rng.normal(size=20) - 9, two.mean(1)))
    assert Pairwise(beside).pvalues[0] == Pairwise(between).pvalues[0] == SignedRank(*two.T).pvalue
    assert Holm(between).z[0] == pytest.approx(2 * Holm(beside).z[0], rel=1e-12)


@pytest.mark.parametrize("wrong", [Friedman, EquivalenceT, WelchT, "SignedRank", SignedRank([1, 2, 3], [1, 1, 1]), dict])
def test_the_test_must_be_for_pairs(wrong, scores):
    assert_raises(lambda: Pairwise(scores, using=wrong), r"`using` must be the class of a two-sided test of paired scores; got", TypeError)
