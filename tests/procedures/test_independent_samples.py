"""Tests for two independent samples, and for one: against SciPy, plain loops, and full enumeration with ties."""

from itertools import combinations
from math import comb

import numpy as np
import pytest
import scipy.stats as st

from fstats import OneSampleT, RankSum, TwoSampleT, WelchT, critical_values

SEED = 20
ALTERNATIVES = ("two-sided", "less", "greater")
each_alternative = pytest.mark.parametrize("alternative", ALTERNATIVES)


# -- t ------------------------------------------------------------------------------------------------------------------
@each_alternative
def test_one_sample_t_is_scipys(rng, alternative):
    x = rng.normal(0.8, 0.05, 12)
    ours, theirs = OneSampleT(x, 0.78, alternative=alternative), st.ttest_1samp(x, 0.78, alternative=alternative)
    assert ours.pvalue == pytest.approx(theirs.pvalue, rel=1e-12)
    assert tuple(ours.ci) == pytest.approx(tuple(theirs.confidence_interval()), rel=1e-12)


@each_alternative
@pytest.mark.parametrize(("ours", "equal"), [(TwoSampleT, True), (WelchT, False)])
def test_two_sample_t_is_scipys(rng, alternative, ours, equal):
    x, y = rng.normal(0.8, 0.05, 12), rng.normal(0.78, 0.02, 7)
    test, theirs = ours(x, y, alternative=alternative), st.ttest_ind(x, y, equal_var=equal, alternative=alternative)
    assert (test.statistic, test.df) == (pytest.approx(theirs.statistic, rel=1e-12), pytest.approx(theirs.df, rel=1e-12))
    assert test.pvalue == pytest.approx(theirs.pvalue, rel=1e-12)
    assert tuple(test.ci) == pytest.approx(tuple(theirs.confidence_interval()), rel=1e-11)


def test_the_pooled_t_by_hand():
    # means 2 and 4, sums of squares 2 and 2: s^2 = 4 / 4, t = -2 / sqrt(1/3 + 1/3)
    test = TwoSampleT([1, 2, 3], [3, 4, 5])
    assert (test.sd, test.df) == (1, 4)
    assert (test.statistic, test.effect_size) == (pytest.approx(-2 / np.sqrt(2 / 3), rel=1e-15), -2)


@pytest.mark.parametrize("test_class", [TwoSampleT, WelchT])
def test_without_spread_there_is_an_answer(test_class):
    same, apart = test_class([0.8] * 3, [0.8] * 4), test_class([0.9] * 3, [0.8] * 4)
    assert (same.statistic, same.pvalue, same.effect_size) == (0, 1, 0)
    assert (apart.statistic, apart.pvalue, apart.effect_size) == (np.inf, 0, np.inf)
    assert same.df == apart.df == 5
    assert "all scores of B are equal, and A and B differ by 0.1: there is no spread to measure luck by" in apart.conclusion
    assert test_class([0.9] * 3, [0.8] * 4, alternative="less").pvalue == 1


def test_spread_and_pairing(rng):
    x, y = rng.normal(0, 1, 10), rng.normal(0, 10, 10)
    assert 9 < WelchT(x, y).df < TwoSampleT(x, y).df == 18
    from fstats import PairedT

    easy_to_hard = np.array([0.99, 0.9, 0.8, 0.7, 0.6, 0.5])
    a = easy_to_hard + np.array([0.010, 0.012, 0.009, 0.011, 0.010, 0.008])
    assert PairedT(a, easy_to_hard).pvalue < 0.001 < 0.5 < TwoSampleT(a, easy_to_hard).pvalue


# -- ranks --------------------------------------------------------------------------------------------------------------
def all_us(x, y):
    """U for each way to call len(x) of the scores A's: pairs in which A scores higher, ties by half; the real one first."""
    everything = np.concatenate([x, y])
    higher = (everything[:, None] > everything) + 0.5 * (everything[:, None] == everything)
    ways = [list(way) for way in combinations(range(len(everything)), len(x))]
    return np.array([higher[np.ix_(way, sorted(set(range(len(everything))) - set(way)))].sum() for way in ways])


@pytest.mark.complete
@each_alternative
def test_the_rank_sum_test_counts_every_way(rng, alternative):
    for _ in range(150):
        x, y = rng.integers(0, 5, rng.integers(2, 6)) / 10, rng.integers(0, 5, rng.integers(2, 6)) / 10
        us = all_us(x, y)
        below, above = (us <= us[0]).mean(), (us >= us[0]).mean()
        test = RankSum(x, y, alternative=alternative, alpha=0.2)
        assert test.statistic == us[0]
        assert test.pvalue == pytest.approx({"less": below, "greater": above}.get(alternative, min(1, 2 * min(below, above))), rel=1e-14)
        low, high = test.critical_value if alternative == "two-sided" else (test.critical_value, test.critical_value)
        level = 0.1 if alternative == "two-sided" else 0.2
        if alternative != "greater":
            assert low == max((u for u in us if (us <= u).mean() <= level), default=-np.inf)
        if alternative != "less":
            assert high == min((u for u in us if (us >= u).mean() <= level), default=np.inf)


@each_alternative
def test_the_rank_sum_test_without_ties_is_scipys(rng, alternative):
    x, y = rng.normal(size=(2, 20))
    exact = st.mannwhitneyu(x, y, alternative=alternative, method="exact")
    assert RankSum(x, y, alternative=alternative).pvalue == pytest.approx(exact.pvalue, rel=1e-12)
    x, y = rng.integers(0, 9, (2, 15))
    theirs = st.mannwhitneyu(x, y, alternative=alternative, method="asymptotic", use_continuity=False)
    assert RankSum(x, y, method="normal", alternative=alternative).pvalue == pytest.approx(theirs.pvalue, rel=1e-12)


def test_equal_scores_and_large_samples(rng):
    x, y = rng.normal(size=(2, 150))
    exact, normal = RankSum(x, y), RankSum(x, y, method="normal")
    assert exact.pvalue == pytest.approx(normal.pvalue, abs=0.002)
    assert RankSum(np.arange(60), np.arange(60) + 100).pvalue == pytest.approx(2 / comb(120, 60), rel=1e-12)
    for method in ("exact", "normal"):
        test = RankSum([0.8] * 3, [0.8] * 4, method=method)
        assert (test.pvalue, test.effect_size, test.reject) == (1, 0, False)
        assert "All scores are equal" in test.conclusion


def test_intervals_and_tables_of_critical_values(rng):
    x, y = rng.normal(size=10), rng.normal(size=8)
    low, high = RankSum(x, y).ci
    assert RankSum(x - (low + 1e-9), y).pvalue > 0.05 >= RankSum(x - (low - 1e-9), y).pvalue
    assert RankSum(x - (high - 1e-9), y).pvalue > 0.05 >= RankSum(x - (high + 1e-9), y).pvalue
    assert low < RankSum(x, y).estimate == np.median(x[:, None] - y) < high
    x, y = rng.normal(size=(2, 9))
    assert (RankSum(x, y, alternative="greater").ci.high, RankSum(x, y, alternative="less").ci.low) == (np.inf, -np.inf)
    assert RankSum(x[:2], y[:2]).ci == (-np.inf, np.inf)  # too few for any statement
    table = critical_values(RankSum, n=[(3, 3), (4, 4), (5, 5), (8, 10)], alpha=[0.05, 0.01])
    # Mann and Whitney's table, two-sided at 0.05 and 0.01: the largest U that rejects
    assert ([table[n][0.05] for n in table], [table[n][0.01] for n in table]) == ([None, 0, 2, 17], [None, None, 0, 11])
    assert critical_values(RankSum, n=[(5, 5)], alpha=0.05, alternative="less")[5, 5][0.05] == 4
    assert critical_values(RankSum, n=[(5, 5)], alpha=0.05, alternative="greater")[5, 5][0.05] == 25 - 4
