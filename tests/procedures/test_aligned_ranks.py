"""Friedman's aligned ranks: loops from the formulas, all ways to deal the ranks counted, levels simulated, and what others'
formula costs.
"""

from itertools import combinations, permutations, product

import numpy as np
import pandas as pd
import pytest
import scipy.stats as st

from fstats import Friedman, FriedmanAligned, Holm, PairwiseAligned, Shaffer, SignedRank


@pytest.fixture
def scores():
    x = np.random.default_rng(7).normal(0.8, 0.03, (12, 4)).round(2)  # with ties
    x[:, 2] -= 0.05
    return x


def as_printed(x):
    """The statistic of Garcia and others, term by term, for scores whose aligned ranks do not tie; and the ranks."""
    n, k = x.shape
    aligned = [[x[i, j] - sum(x[i]) / k for j in range(k)] for i in range(n)]
    every = sorted((value for row in aligned for value in row), reverse=True)
    ranks = [[1 + every.index(value) for value in row] for row in aligned]
    by_classifier = sum(sum(ranks[i][j] for i in range(n)) ** 2 for j in range(k))
    by_data_set = sum(sum(row) ** 2 for row in ranks)
    above = (k - 1) * (by_classifier - k * n**2 / 4 * (k * n + 1) ** 2)
    return above / (k * n * (k * n + 1) * (2 * k * n + 1) / 6 - by_data_set / k), ranks


@pytest.mark.parametrize(("n", "k"), [(2, 2), (5, 3), (12, 4), (30, 7)])
def test_the_statistic_is_the_printed_one(n, k):
    x = np.random.default_rng(n).normal(size=(n, k))
    t, ranks = as_printed(x)
    for ties in ("correct", "ignore"):
        test = FriedmanAligned(x, ties=ties)
        assert (test.ranks.tolist(), test.statistic) == (ranks, pytest.approx(t, rel=1e-10))
        assert test.pvalue == pytest.approx(st.chi2.sf(t, k - 1), rel=1e-9)


def test_ties_are_those_of_scipys_ranks(scores):
    test = FriedmanAligned(scores)
    aligned = (scores - scores.mean(1, keepdims=True)).round(10)  # what prints equal is equal
    ranks = st.rankdata(-aligned, axis=None).reshape(scores.shape)
    assert np.array_equal(test.ranks, ranks)
    assert len(np.unique(ranks)) < ranks.size
    middle = ranks.mean(1, keepdims=True)
    assert test.statistic == pytest.approx(3 * ((ranks.sum(0) - middle.sum()) ** 2).sum() / ((ranks - middle) ** 2).sum(), rel=1e-12)
    assert FriedmanAligned(scores, ties="ignore").statistic < test.statistic


def dealt(ranks):
    """The same ranks, dealt to the classifiers in every way."""
    for ways in product(*(list(permutations(row)) for row in ranks.tolist())):
        yield np.array(ways)


def test_moments_over_all_ways_to_deal_the_ranks():
    """The statistic has the mean of chi-squared, k - 1, and SE is the standard deviation of a difference: exactly, ties included."""
    test = FriedmanAligned(np.array([[3, 1, 1], [5, 1, 2], [1, 2, 2], [9, 9, 4]]))
    pairs = PairwiseAligned(test.scores)
    found = np.array([ranks.mean(0) for ranks in dealt(test.ranks)])
    assert len(found) == 6**4
    t = [2 * ((4 * mean - 4 * found.mean(0)) ** 2).sum() / test.within for mean in found]
    assert np.mean(t) == pytest.approx(test.df, rel=1e-12)
    for i, j in combinations(range(3), 2):
        assert np.sqrt(np.mean((found[:, i] - found[:, j]) ** 2)) == pytest.approx(pairs.se, rel=1e-12)


def test_two_classifiers():
    """z squared is the statistic, and both are a matter of the ranked differences, as in Wilcoxon's test."""
    x = np.random.default_rng(3).normal(0.2, 1, (9, 2))
    test, pairs = FriedmanAligned(x), PairwiseAligned(x)
    assert pairs.z[0] ** 2 == pytest.approx(test.statistic, rel=1e-12)
    d = x[:, 0] - x[:, 1]
    sign = np.sign(d) * (2 * st.rankdata(np.abs(d)) - 1)  # aligned, a difference stands at ranks that far apart
    assert (test.ranks[:, 1] - test.ranks[:, 0]).tolist() == sign.tolist()
    assert test.statistic == pytest.approx(sign.sum() ** 2 / (sign**2).sum(), rel=1e-12)
    assert SignedRank(x[:, 0], x[:, 1]).w_plus == ((sign[sign > 0] + 1) / 2).sum()


@pytest.mark.complete
@pytest.mark.parametrize(("k", "n"), [(2, 20), (4, 20)])
def test_levels_and_what_independent_ranks_would_cost(k, n):
    """Both keep their level; the standard error of ranks dealt anywhere, sqrt(k (k N + 1) / 6), does not, by the factor k / (k - 1)."""
    rng = np.random.default_rng(k)
    x = rng.normal(size=(n, k, 20_000)) + 5 * rng.normal(size=(n, 1, 20_000))
    test, pairs = FriedmanAligned(x), PairwiseAligned(x)
    assert (test.reject.mean(), (pairs.pvalues <= 0.05).mean()) == (pytest.approx(0.05, abs=0.008), pytest.approx(0.05, abs=0.008))
    anywhere = np.sqrt(k * (k * n + 1) / 6)
    rejected = (2 * st.norm.sf(np.abs(pairs.differences) / anywhere) <= 0.05).mean()
    assert rejected == pytest.approx({2: 0.163, 4: 0.087}[k], abs=0.01)
    assert rejected == pytest.approx(2 * st.norm.sf(1.96 * np.sqrt((k - 1) / k)), abs=0.01)


def test_sizes_of_differences_count():
    """Friedman's ranks see seven wins of nine; the aligned ranks see that the losses are the small ones."""
    x = np.array([[9, 1], [8, 1], [9, 2], [7, 1], [8, 2], [9, 4], [6, 2], [1, 2], [2, 3]], float)
    assert not Friedman(x).reject
    assert FriedmanAligned(x).reject
    assert FriedmanAligned(x * 3 + np.arange(9)[:, None]).statistic == pytest.approx(FriedmanAligned(x).statistic, rel=1e-12)


def test_procedures_take_it_from_there(scores):
    names = ["tree", "bayes", "svm", "knn"]
    frame = pd.DataFrame(scores, columns=names)
    test, pairs = FriedmanAligned(frame), PairwiseAligned(frame)
    holm = Holm.from_test(test)
    assert np.array_equal(holm.pvalues, pairs.pvalues)
    assert holm.adjusted == pytest.approx(Holm.from_pvalues(pairs.pvalues).adjusted, rel=1e-12)
    assert "is better than svm" in holm.conclusion
    assert "svm is better" not in holm.conclusion
    assert [row.name for row in holm.worked()].count("conclusion") == 1
    assert np.array_equal(Shaffer.from_test(test).adjusted, Shaffer.from_test(pairs).adjusted)
    against = Holm.from_test(test, control="svm")
    assert [str(pair) for pair in against.pairs] == ["tree – svm", "bayes – svm", "knn – svm"]
    assert against.reject.any()
    assert Holm.from_test(FriedmanAligned(-frame, higher_is_better=False)).conclusion == holm.conclusion
    batch = Holm.from_test(FriedmanAligned(np.stack([scores, scores[::-1] + 1], axis=-1)))
    assert batch.at(1).adjusted == pytest.approx(holm.adjusted, rel=1e-12)


def test_pictures(scores):
    test = FriedmanAligned(scores)
    assert test.plot().title == "T when H0 is true"
    picture = Holm.from_test(test).plot()
    assert picture.title == "Mean aligned ranks (Holm of aligned ranks, alpha = 0.05)"
    assert f"C {test.mean_ranks.max():.4g}" in picture.text
    assert "\\" not in picture.svg()
    assert "(control)" in Holm.from_test(test, control="B").plot().svg()


def test_degenerate_tables_and_noise():
    same = FriedmanAligned(np.outer([0.1, 0.7, 0.3], np.ones(3)))
    assert (same.statistic, same.pvalue, same.effect_size) == (0, 1, 0)
    assert same.conclusion.endswith("the data give no evidence against H0.")
    pairs = PairwiseAligned(same.scores)
    assert (pairs.se, pairs.pvalues.tolist()) == (0, [1, 1, 1])
    all_alike = FriedmanAligned(np.add.outer([0.1, 0.7, 0.3, 0.9], [0.3, 0.2, 0.1]))  # the same aligned scores: ties across data sets
    assert (all_alike.effect_size, all_alike.statistic) == (pytest.approx(1), pytest.approx(8))
    assert 0 < PairwiseAligned(all_alike.scores).pvalues.min() < 0.01
    # Thirds: three whole numbers whose mean is none still tie across data sets; and so do decimals, in double precision and in single.
    whole = np.array([[1, 0, 1], [5, 4, 5], [1000003, 1000002, 1000003], [7, 7, 6]])
    assert np.unique(FriedmanAligned(whole).ranks).tolist() == [4.5, 10.5]
    decimals = np.array([[0.71, 0.70, 0.71], [0.05, 0.04, 0.05], [0.93, 0.92, 0.93], [0.07, 0.07, 0.06]])
    assert np.unique(FriedmanAligned(decimals).ranks).tolist() == [4.5, 10.5]
    assert np.unique(FriedmanAligned(decimals.astype("f4")).ranks).tolist() == [4.5, 10.5]


def test_one_pair_and_stated_values():
    pairs = PairwiseAligned([[3, 1], [1, 5], [1, 7]])
    assert pairs.conclusion == "No decision: the p-value of a single pair needs no adjustment."
    assert Holm.from_test(pairs).adjusted[0] == pairs.pvalues[0]
    assert FriedmanAligned.from_steps(n=24, k=4, statistic=13.0).reject
