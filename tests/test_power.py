"""Power and sample size: against statsmodels' published examples, enumeration, and simulation."""

from math import comb

import numpy as np
import pytest
import scipy.stats as st

from fstats import EquivalenceT, McNemarExact, OneSampleT, PairedT, RankSum, SignedRank, SignTest, TwoSampleT, WelchT, power, sample_size

ALTERNATIVES = ("two-sided", "less", "greater")


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_the_t_tests_follow_the_noncentral_t(alternative):
    c = st.t.ppf(0.975 if alternative == "two-sided" else 0.95, 19)
    law = st.nct(19, 0.4 * np.sqrt(20))
    by_scipy = {"two-sided": law.sf(c) + law.cdf(-c), "greater": law.sf(c), "less": law.cdf(-c)}[alternative]
    for test in (PairedT, OneSampleT):
        assert float(power(test, n=20, effect_size=0.4, alternative=alternative)) == pytest.approx(by_scipy, rel=1e-9, abs=1e-12)


def test_cohens_examples():
    # Cohen (1988): d = 0.5, two-sided 0.05, power 0.80 needs 64 in each group, or 34 pairs
    assert sample_size(TwoSampleT, effect_size=0.5).n == 64
    assert sample_size(PairedT, effect_size=0.5).n == 34
    assert power(TwoSampleT, n=63, effect_size=0.5).value < 0.8 <= power(TwoSampleT, n=64, effect_size=0.5).value


def test_simulation_agrees_with_the_closed_form():
    rng = np.random.default_rng(3)
    simulated = PairedT(rng.normal(0.5, 1, (20, 20_000)), np.zeros((20, 20_000))).reject.mean()
    exact = power(PairedT, n=20, effect_size=0.5)
    assert exact.standard_error == 0
    assert simulated == pytest.approx(exact.value, abs=4 * np.sqrt(exact.value * (1 - exact.value) / 20_000))


@pytest.mark.parametrize("test", [SignTest, McNemarExact])
def test_counts_are_summed_over_the_binomial_law(test):
    # n = 10, two-sided 0.05: reject at 0, 1, 9, 10 wins; A wins each with probability 0.8
    by_hand = sum(comb(10, k) * 0.8**k * 0.2 ** (10 - k) for k in (0, 1, 9, 10))
    assert power(test, n=10, effect_size=0.3).value == pytest.approx(by_hand, rel=1e-12)


@pytest.mark.parametrize("test", [PairedT, TwoSampleT, SignTest, McNemarExact])
def test_without_an_effect_power_is_at_most_alpha(test):
    for alpha in (0.01, 0.05, 0.1):
        assert power(test, n=15, effect_size=0, alpha=alpha).value <= alpha * (1 + 1e-9)


@pytest.mark.parametrize("test", [SignedRank, RankSum, WelchT])
def test_simulated_power_is_reproducible_and_says_its_error(test):
    first, again = (power(test, n=12, effect_size=1, trials=2000, rng=5) for _ in range(2))
    assert first == again
    assert first.standard_error == pytest.approx(np.sqrt(first.value * (1 - first.value) / 2000))
    other = power(test, n=12, effect_size=1, trials=2000, rng=6)
    assert other.value == pytest.approx(first.value, abs=5 * np.hypot(first.standard_error, other.standard_error))
    assert "standard error" in repr(first)


def test_ranks_cost_little_power_when_all_is_normal():
    ranks, t = power(SignedRank, n=30, effect_size=0.5), power(PairedT, n=30, effect_size=0.5)
    assert 0.9 * t.value < ranks.value < t.value  # the efficiency is 3 / pi = 0.955 for large n


def test_the_size_that_is_found_is_the_first_of_its_saw():
    found = sample_size(McNemarExact, effect_size=0.25)
    assert found.value >= 0.8
    assert all(power(McNemarExact, n=n, effect_size=0.25).value < 0.8 for n in range(1, found.n))


def test_simulated_size():
    found = sample_size(RankSum, effect_size=1.5, trials=2000)
    assert 8 <= found.n <= 12  # the t-test needs 9
    assert found.value >= 0.8


def test_what_cannot_be_asked():
    with pytest.raises(TypeError, match="power is not worked out for EquivalenceT"):
        power(EquivalenceT, n=10, effect_size=0.1)
    with pytest.raises(ValueError, match=r"effect_size must lie between -0.5 and 0.5, .*; got 0.7"):
        power(McNemarExact, n=10, effect_size=0.7)
    with pytest.raises(ValueError, match="effect_size must not be 0"):
        sample_size(PairedT, effect_size=0)
    with pytest.raises(ValueError, match="n must be at least 2; got 1"):
        power(PairedT, n=1, effect_size=0.5)
    with pytest.raises(ValueError, match="power must lie between 0 and 1"):
        sample_size(PairedT, effect_size=0.5, power=1)
    with pytest.raises(ValueError, match="direction of effect_size may be opposite"):
        sample_size(PairedT, effect_size=-0.5, alternative="greater")
