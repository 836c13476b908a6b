"""The sign test, tests of equivalence, and the Hodges-Lehmann intervals of the signed-rank test."""

from math import comb

import numpy as np
import pytest
import scipy.stats as st
from test_bayes import C45, C45_M

from fstats import EquivalenceSignedRank, EquivalenceT, PairedT, SignedRank, SignTest, critical_values

SEED = 30


# -- signs --------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_the_sign_test_is_binomial(rng, alternative):
    for _ in range(30):
        a, b = rng.integers(0, 6, (2, 14)) / 10
        wins, losses = int((a > b).sum()), int((a < b).sum())
        theirs = st.binomtest(wins, wins + losses, alternative=alternative)
        assert SignTest(a, b, alternative=alternative).pvalue == pytest.approx(theirs.pvalue, rel=1e-12)


def test_the_sign_test_of_demsar_with_zeros_and_ties():
    # Demsar counts 11 of 14 wins (ties split) and calls it significant at 0.05; the exact p is 0.0574
    test = SignTest(C45_M, C45, zeros="split")
    assert (test.wins, test.losses, test.n) == (11, 3, 14)
    assert test.pvalue == pytest.approx(0.0574, abs=5e-5)
    assert not test.reject
    test = SignTest([2, 2, 1, 1, 1], [1, 1, 1, 1, 1], zeros="split")
    assert (test.zero_share, test.wins, test.losses, test.n) == (1, 3, 1, 4)
    # one rival takes 1 - cdf(x) and prints p = 0 for five wins of five; 8 of 10 is .109
    assert SignTest([1] * 5, [0] * 5).pvalue == 2 / 2**5
    assert SignTest([1] * 8 + [0] * 2, [0] * 8 + [1] * 2).pvalue == pytest.approx(0.109, abs=5e-4)
    table = critical_values(SignTest, n=range(5, 26), alpha=[0.05, 0.10])
    for n in table:
        for level in (0.05, 0.10):
            fits = [m for m in range(n) if 2 * sum(comb(n, k) for k in range(m + 1)) / 2**n <= level]
            assert table[n][level] == max(fits, default=None)
    assert table[5] == {0.05: None, 0.10: 0}


# -- equivalence --------------------------------------------------------------------------------------------------------
def test_equivalence_is_two_one_sided_tests_and_an_interval(rng):
    for _ in range(20):
        a, b = rng.normal(0.8, 0.02, (2, 12))
        margin = float(rng.uniform(0.001, 0.05))
        lower = st.ttest_1samp(a - b, -margin, alternative="greater").pvalue
        upper = st.ttest_1samp(a - b, margin, alternative="less").pvalue
        assert EquivalenceT(a, b, margin=margin).pvalue == pytest.approx(max(lower, upper), rel=1e-12)
    for _ in range(50):
        a, b = rng.normal(0.8, 0.02, (2, 12))
        test = EquivalenceT(a, b, margin=0.015)
        low, high = test.ci
        assert test.reject == (low > -0.015 and high < 0.015)
        ninety = PairedT(a, b, alpha=0.10).ci  # the interval at 1 - 2 alpha
        assert tuple(test.ci) == pytest.approx(tuple(ninety), rel=1e-12)
    # the course asks "is A equivalent to B?" and concludes from p >= alpha; with a margin of 2 points nothing is shown
    a, b = [85, 70, 79, 78, 83], [87, 68, 85, 75, 83]
    assert not PairedT(a, b).reject
    assert not EquivalenceT(a, b, margin=2).reject
    assert "not evidence that they differ" in EquivalenceT(a, b, margin=2).conclusion
    same, apart = EquivalenceT([1, 2, 3], [1, 2, 3], margin=0.5), EquivalenceT([2, 3, 4], [1, 2, 3], margin=0.5)
    assert (same.pvalue, apart.pvalue) == (0, 1)
    assert "All differences are 0, within the margin: there is no spread" in same.conclusion
    assert "All differences are 1, beyond the margin: there is no spread" in apart.conclusion
    assert "no evidence against H0" not in same.conclusion  # as it would in the t-test, whose H0 is the other one
    on_it = EquivalenceT([2, 3, 4], [1, 2, 3], margin=1)
    assert "no evidence either way" in on_it.conclusion
    assert on_it.pvalue == 0.5  # exactly on the margin: H0, without evidence either way


def test_equivalence_by_ranks(rng):
    for _ in range(20):
        a, b = rng.integers(0, 40, (2, 10)) / 10
        margin = float(rng.integers(1, 8)) / 10
        d = np.round(a - b, 10)
        ones = []
        for raised in (d + margin, margin - d):  # W-, by counting, of the differences seen from either margin
            ranks = st.rankdata(np.abs(np.round(raised, 10))[np.round(raised, 10) != 0])
            signs = np.sign(np.round(raised, 10))[np.round(raised, 10) != 0]
            ways = (np.arange(2 ** len(ranks))[:, None] >> np.arange(len(ranks))) & 1
            ones.append((ways @ ranks <= ranks[signs < 0].sum()).mean())
        assert EquivalenceSignedRank(a, b, margin=margin).pvalue == pytest.approx(max(ones), rel=1e-13)
    test = EquivalenceSignedRank([1, -1, 2, -2, 0], [0] * 5, margin=3)
    assert "A and B differ by less than 3" in test.conclusion
    assert test.reject
    assert test.ci == (-np.inf, np.inf) or -3 < test.ci.low < test.ci.high < 3


# -- Hodges and Lehmann -------------------------------------------------------------------------------------------------
def test_intervals_of_signed_ranks(rng):
    d = rng.normal(size=10)
    zero = np.zeros(10)
    low, high = SignedRank(d, zero).ci
    assert SignedRank(d - (low + 1e-9), zero).pvalue > 0.05 >= SignedRank(d - (low - 1e-9), zero).pvalue
    assert SignedRank(d - (high - 1e-9), zero).pvalue > 0.05 >= SignedRank(d - (high + 1e-9), zero).pvalue
    d = rng.normal(size=7)
    means = [(d[i] + d[j]) / 2 for i in range(7) for j in range(i, 7)]
    assert SignedRank(d, np.zeros(7)).estimate == pytest.approx(np.median(means), rel=1e-12)
    assert SignedRank([1, 2, 3], [0, 0, 0]).ci == (-np.inf, np.inf)
    assert SignedRank([1, 2, 3, 4, 5], [0] * 5, alternative="greater").ci == (1, np.inf)
