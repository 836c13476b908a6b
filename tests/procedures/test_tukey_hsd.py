"""Tukey's honest significant difference: by loops, by SciPy, as R prints it, and where a rival takes the wrong tail."""

import copy
import pickle
from itertools import combinations
from math import sqrt

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as some
from hypothesis.extra.numpy import arrays
from scipy import stats
from shortcuts import assert_raises, parametrize
from test_anova import PLANTS

from fstats import OneWayAnova, PairedT, RepeatedAnova, TukeyHSD, TwoSampleT
from fstats.procedures.posthoc.posthoc_comparison import Pair

SEED = 70


@pytest.mark.complete
def test_repeated_by_loops(rng):
    for _ in range(10):
        n, k = int(rng.integers(2, 9)), int(rng.integers(2, 6))
        x = rng.normal(0.8, 0.05, (n, k))
        test = TukeyHSD(x)
        grand = x.mean()
        error = sum((x[i, j] - x[i].mean() - x[:, j].mean() + grand) ** 2 for i in range(n) for j in range(k)) / ((k - 1) * (n - 1))
        for h, (j, m) in enumerate(combinations(range(k), 2)):
            q = (x[:, j].mean() - x[:, m].mean()) / sqrt(error / n)
            assert (test.pairs[h], test.q[h]) == (Pair("ABCDE"[j], "ABCDE"[m]), pytest.approx(q, rel=1e-9))
            assert test.pvalues[h] == pytest.approx(stats.studentized_range.sf(abs(q), k, (k - 1) * (n - 1)), abs=1e-8)
            assert test.reject[h] == (test.pvalues[h] <= 0.05)
        hsd = stats.studentized_range.ppf(0.95, k, (k - 1) * (n - 1)) * sqrt(error / n)
        assert test.hsd == pytest.approx(hsd, rel=1e-6)


@pytest.mark.complete
def test_independent_as_scipy(rng):
    for _ in range(5):
        x = rng.normal(0.8, 0.05, (rng.integers(2, 9), rng.integers(2, 6)))
        assert_as_scipy(TukeyHSD(x, design="independent"), list(x.T))
        groups = [rng.normal(0.8, 0.05, size) for size in (*rng.integers(2, 9, rng.integers(1, 5)), 12)]
        assert_as_scipy(TukeyHSD.from_groups(*groups), groups)
        assert_as_scipy(TukeyHSD.from_groups(*x.T), list(x.T))


def assert_as_scipy(test, groups):
    theirs = stats.tukey_hsd(*groups)
    limits = theirs.confidence_interval()
    for h, (j, m) in enumerate(combinations(range(len(groups)), 2)):
        assert test.differences[h] == pytest.approx(theirs.statistic[j, m], rel=1e-9)
        assert test.pvalues[h] == pytest.approx(theirs.pvalue[j, m], abs=1e-8)
        assert (test.ci.low[h], test.ci.high[h]) == pytest.approx((limits.low[j, m], limits.high[j, m]), abs=1e-7)


def test_plant_growth_and_its_error(rng):
    # TukeyHSD(aov(weight ~ group)); R subtracts the first from the second
    test = TukeyHSD(pd.DataFrame(PLANTS), design="independent")
    assert [str(pair) for pair in test.pairs] == ["ctrl – trt1", "ctrl – trt2", "trt1 – trt2"]
    np.testing.assert_allclose(-test.differences, [-0.371, 0.494, 0.865], atol=5e-4)
    np.testing.assert_allclose(test.pvalues, [0.3908711, 0.1979960, 0.0120064], atol=5e-7)
    np.testing.assert_allclose(-test.ci.high, [-1.0622161, -0.1972161, 0.1737839], atol=5e-7)
    np.testing.assert_allclose(-test.ci.low, [0.3202161, 1.1852161, 1.5562161], atol=5e-7)
    assert "trt2 is better than trt1" in test.conclusion
    assert "Fail to reject H0 for the other 2" in test.conclusion
    x = rng.normal(size=(7, 4, 5))
    repeated, one_way = RepeatedAnova(x), OneWayAnova(x)
    independent = TukeyHSD(x, design="independent"), one_way.ms_within, one_way.df_error
    for test, error, df in ((TukeyHSD(x), repeated.ms_error, repeated.df_error), independent):
        assert np.array_equal(test.ms_error, error)
        assert (test.df_error, test.null.df) == (df, df)


@pytest.mark.parametrize("design", ["repeated", "independent"])
def test_two_classifiers_are_a_t_test(rng, design):
    x = rng.normal(size=(9, 2, 30))
    t = (PairedT if design == "repeated" else TwoSampleT)(x[:, 0], x[:, 1])
    test = TukeyHSD(x, design=design)
    np.testing.assert_allclose(test.q[0], np.sqrt(2) * t.statistic, rtol=1e-9)
    np.testing.assert_allclose(test.pvalues[0], t.pvalue, rtol=1e-8)
    np.testing.assert_allclose(test.ci.low[0], t.ci.low, rtol=1e-8)


def test_critical_values_and_published_summaries():
    # a rival asks R for qtukey(alpha), the lower tail: .757 for 4 classifiers on 14 data sets each, where 3.753 is right
    test = TukeyHSD.from_steps(k=4, n=56, design="independent")
    assert (test.df_error, test.critical_value) == (52, pytest.approx(3.753, abs=5e-4))
    assert test.null.low(0.05) == pytest.approx(0.757, abs=5e-4)
    test = TukeyHSD.from_steps(means=[5.032, 4.661, 5.526], ms_error=0.3886, n=30, df_error=27, labels=list(PLANTS), design="independent")
    np.testing.assert_allclose(test.pvalues, [0.3909, 0.1980, 0.0120], atol=1e-4)
    expected = pytest.approx(stats.studentized_range.ppf(0.95, 4, 39) * sqrt(0.5 / 14), rel=1e-6)
    assert TukeyHSD.from_steps(k=4, n=14, ms_error=0.5).hsd == expected


scores = some.integers(2, 5).flatmap(
    lambda k: some.integers(2, 6).flatmap(lambda n: arrays(float, (n, k), elements=some.integers(-50, 50).map(lambda s: s / 10)))
)


@given(scores, some.sampled_from(["repeated", "independent"]))
def test_every_table_is_answered(x, design):
    test = TukeyHSD(x, design=design, alpha=0.1)
    assert ((test.pvalues >= 0) & (test.pvalues <= 1)).all()
    assert not np.isnan(test.q).any()
    clear = np.abs(test.pvalues - 0.1) > 1e-9  # floating point may put p on either side of alpha
    assert np.array_equal(test.reject[clear], (np.abs(test.q) >= test.critical_value)[clear])
    if test.se:  # decisions, intervals and p-values say the same
        assert np.array_equal(test.reject[clear], ((test.ci.low > 0) | (test.ci.high < 0))[clear])
    assert ((test.pvalues == 1) == (test.differences == 0)).all()
    assert "accept" not in test.conclusion


@given(scores)
def test_the_order_of_classifiers_does_not_matter(x):
    test, turned = TukeyHSD(x), TukeyHSD(x[:, ::-1])
    backwards = [
        list(combinations(range(x.shape[1]), 2)).index((x.shape[1] - 1 - m, x.shape[1] - 1 - j))
        for j, m in combinations(range(x.shape[1]), 2)
    ]
    np.testing.assert_allclose(turned.pvalues[backwards], test.pvalues, rtol=1e-9, atol=1e-15)
    np.testing.assert_allclose(turned.differences[backwards], -test.differences, rtol=1e-9, atol=1e-12)


def test_the_familywise_level_and_the_simultaneous_intervals():
    x = np.random.default_rng(8).normal(size=(6, 5, 4000)) + np.array([0, 1, 2, 3, 4.0])[:, None]
    for design in ("repeated", "independent"):
        low, high = TukeyHSD(x, design=design).ci
        truth = np.array([j - m for j, m in combinations(range(5), 2)])[:, None]
        assert ((low <= truth) & (truth <= high)).all(0).mean() == pytest.approx(0.95, abs=0.014)


# -- groups as they come ------------------------------------------------------------------------------------------------------
@pytest.fixture
def ragged(rng):
    """Three groups of different sizes, five repetitions."""
    return TukeyHSD.from_groups(*(rng.normal(0.8, 0.05, (size, 5)) for size in (4, 2, 7)), labels=["tree", "bayes", "forest"])


@parametrize("trip", lambda test: pickle.loads(pickle.dumps(test)), copy.copy, copy.deepcopy, ids=["pickle", "copy", "deepcopy"])
def test_ragged_groups_travel(ragged, trip):
    again = trip(ragged)
    assert type(again).__name__ == "TukeyKramer"
    assert np.array_equal(again.pvalues, ragged.pvalues)
    assert [row.name for row in again.at(1).worked()] == [row.name for row in ragged.at(1).worked()]


def test_ragged_groups(ragged):
    assert ragged.pvalues.shape == ragged.se.shape == (3, 5)
    for r in range(5):
        np.testing.assert_allclose(ragged.at(r).pvalues, ragged.pvalues[:, r], rtol=1e-12)
    assert_raises(lambda: ragged.conclusion, r"a batch of shape \(5,\) has no single conclusion")
    test = ragged.at(0)
    names = [row.name for row in test.worked()]
    assert (len(set(names)), names[:6]) == (len(names), ["values", "group", "labels", "sizes", "means", "variances"])
    assert "tree – forest" in repr(test)
    assert test.to_dict()["hsd"] == test.hsd.tolist()
    assert len(set(test.hsd)) == 3  # each pair of sizes has its own
    assert_raises(lambda: ragged.assuming(design="repeated"), "`design` must be 'independent'; got 'repeated'")
    assert_raises(lambda: TukeyHSD.from_groups([1, 2, 3]), "from_groups needs at least 2 groups")


# -- data that leave nothing to compute ------------------------------------------------------------------------------------------
def test_no_error_and_unknown_designs():
    # 0.9 - 0.8 and 0.4 - 0.3 differ in the 17th digit, which is no error; A and B are the same classifier
    test = TukeyHSD([[0.9, 0.9, 0.8], [0.4, 0.4, 0.3], [0.7, 0.7, 0.6]])
    assert (test.q.tolist(), test.pvalues.tolist()) == ([0, np.inf, np.inf], [1, 0, 0])
    assert test.ci.low.tolist() == test.differences.tolist()
    assert "The error of the analysis of variance is 0: there is no spread to measure luck by, hence p = 0" in test.conclusion
    assert "2 of 3 comparisons of mean scores, but only formally, since the statistics are infinite: A – C; B – C." in test.conclusion
    with_error = TukeyHSD([[0.9, 0.9, 0.8], [0.4, 0.4, 0.3], [0.7, 0.7, 0.5]])
    assert with_error.pvalues[0] == 1
    assert "error of the analysis of variance is 0" not in with_error.conclusion
