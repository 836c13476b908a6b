"""Clustered records: a plain loop, statsmodels, clusters of one, levels simulated, and all that is refused."""

import numpy as np
import pandas as pd
import pytest
from shortcuts import parametrize

from fstats import ClusteredDifference, PairedT


def families(seed, sizes, shared=1.0, repetitions=()):
    """Differences that share their luck in families of these sizes; nothing of it is a true difference."""
    rng = np.random.default_rng(seed)
    clusters = np.repeat(np.arange(len(sizes)), sizes)
    luck = rng.normal(0, shared, (len(sizes), *repetitions))[clusters]
    return luck + rng.normal(size=luck.shape), clusters


@pytest.mark.parametrize("sizes", [(2, 3, 1, 6), (1, 1, 1), (4, 4, 4, 4, 4), (1, 40)])
def test_by_a_plain_loop(sizes):
    d, clusters = families(1, sizes)
    n, mean, total = len(d), sum(d) / len(d), 0.0
    for g in range(len(sizes)):
        total += sum(d[i] - mean for i in range(n) if clusters[i] == g) ** 2
    se = (len(sizes) / (len(sizes) - 1) * total) ** 0.5 / n
    test = ClusteredDifference(d, np.zeros(n), clusters)
    assert (test.se, test.statistic, test.df) == pytest.approx((se, mean / se, len(sizes) - 1), rel=1e-12)
    assert (test.unit, test.effective_n) == ("record", pytest.approx(np.var(d, ddof=1) / se**2, rel=1e-12))


@pytest.mark.parametrize("seed", range(5))
def test_statsmodels_agrees(seed):
    """The robust covariance of a regression on nothing but a constant, but for its factor (n - 1) / (n - K), which is 1 here."""
    linear = pytest.importorskip("statsmodels.regression.linear_model")
    d, clusters = families(seed, np.random.default_rng(seed).integers(1, 9, 12))
    theirs = linear.OLS(d, np.ones(len(d))).fit(cov_type="cluster", cov_kwds={"groups": clusters}, use_t=True)
    ours = ClusteredDifference(d, np.zeros(len(d)), clusters)
    assert (ours.se, ours.statistic, ours.pvalue) == pytest.approx((theirs.bse[0], theirs.tvalues[0], theirs.pvalues[0]), rel=1e-10)
    assert tuple(ours.ci) == pytest.approx(tuple(theirs.conf_int()[0]), rel=1e-10)


def test_clusters_of_one_and_of_equal_size_are_paired_t_tests():
    d, _ = families(3, [1] * 20)
    ours, paired = ClusteredDifference(d, np.zeros(20), np.arange(20)), PairedT(d, np.zeros(20))
    expected = pytest.approx((paired.se, paired.statistic, paired.df, paired.pvalue), rel=1e-13)
    assert (ours.se, ours.statistic, ours.df, ours.pvalue) == expected
    assert (ours.design_effect, ours.effective_n) == pytest.approx((1, 20), rel=1e-13)
    # The factor G / (G - 1) is what makes it so.
    d, clusters = families(4, [5] * 9)
    means = pd.Series(d).groupby(clusters).mean()
    ours, paired = ClusteredDifference(d, np.zeros(45), clusters), PairedT(means, np.zeros(9))
    assert (ours.se, ours.df, ours.pvalue) == pytest.approx((paired.se, paired.df, paired.pvalue), rel=1e-12)


def test_names_of_clusters_and_the_order_of_records_do_not_matter():
    d, clusters = families(5, (2, 5, 3, 4))
    order = np.random.default_rng(5).permutation(len(d))
    ours = ClusteredDifference(d, np.zeros(len(d)), clusters)
    other = ClusteredDifference(d[order], np.zeros(len(d)), np.array(["w", "x", "y", "z"])[clusters][order])
    assert other.pvalue == pytest.approx(ours.pvalue, rel=1e-12)


# Levels at alpha = 0.05 with 20,000 trials: the Monte Carlo standard error is 0.0015 at 0.05.  Clusters of ten alike records.
@pytest.mark.complete
@parametrize(
    "sizes, naive, level",
    ([10] * 5, 0.42, 0.05),
    ([10] * 30, 0.40, 0.05),
    ([100] + [10] * 9, 0.75, 0.19),
    ([40] * 2 + [5] * 28, 0.53, 0.09),
    ids=["5 alike", "30 alike", "one large of 10", "two large of 30"],
)
def test_levels_with_few_clusters_and_with_large_ones(sizes, naive, level):
    d, clusters = families(6, sizes, repetitions=(20_000,))
    assert np.mean(ClusteredDifference(d, np.zeros_like(d), clusters).reject) == pytest.approx(level, abs=0.01)
    assert np.mean(PairedT(d, np.zeros_like(d)).reject) == pytest.approx(naive, abs=0.01)


def test_many_records_take_no_loop_over_clusters():
    """A million records in 100,000 families."""
    d, clusters = families(7, [10] * 100_000)
    assert ClusteredDifference(d, np.zeros(len(d)), clusters).design_effect == pytest.approx(1 + 9 * 0.5, rel=0.02)


def test_no_spread_between_clusters():
    equal = ClusteredDifference([1, -1, 2, -2], [0] * 4, list("xxyy"))
    expected = (0, 1, "The differences add up to 0 in every cluster: the data give no evidence against H0.")
    assert (equal.statistic, equal.pvalue, equal.remark) == expected
    ahead = ClusteredDifference([1, 3, 0, 4], [0] * 4, list("xxyy"))
    assert (ahead.statistic, ahead.pvalue) == (np.inf, 0)
    assert ahead.remark.startswith("The mean difference is 2 in every cluster: there is no spread to measure luck by")
