"""Power and sample size: against statsmodels' published examples, enumeration, and simulation."""

from functools import partial
from itertools import pairwise, product
from math import comb

import numpy as np
import pytest
import scipy.stats as st
from scipy import integrate, special
from shortcuts import assert_each_raises, assert_raises

import fstats
from fstats import McNemarExact, OneSampleT, PairedT, RankSum, SignedRank, SignTest, TwoSampleT, WelchT, power, sample_size

ALTERNATIVES = ("two-sided", "less", "greater")


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_the_t_tests_follow_the_noncentral_t(alternative):
    c = st.t.ppf(0.975 if alternative == "two-sided" else 0.95, 19)
    law = st.nct(19, 0.4 * np.sqrt(20))
    by_scipy = {"two-sided": law.sf(c) + law.cdf(-c), "greater": law.sf(c), "less": law.cdf(-c)}[alternative]
    for test in (PairedT, OneSampleT):
        assert float(power(test, n=20, effect_size=0.4, alternative=alternative)) == pytest.approx(by_scipy, rel=1e-9, abs=1e-12)


def test_cohens_examples_and_simulation():
    # Cohen (1988): d = 0.5, two-sided 0.05, power 0.80 needs 64 in each group, or 34 pairs
    assert (sample_size(TwoSampleT, effect_size=0.5).n, sample_size(PairedT, effect_size=0.5).n) == (64, 34)
    assert power(TwoSampleT, n=63, effect_size=0.5).value < 0.8 <= power(TwoSampleT, n=64, effect_size=0.5).value
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
    assert (first, first.standard_error) == (again, pytest.approx(np.sqrt(first.value * (1 - first.value) / 2000)))
    other = power(test, n=12, effect_size=1, trials=2000, rng=6)
    assert other.value == pytest.approx(first.value, abs=5 * np.hypot(first.standard_error, other.standard_error))
    assert "standard error" in repr(first)


def test_ranks_cost_little_power_and_sizes_are_found():
    ranks, t = power(SignedRank, n=30, effect_size=0.5), power(PairedT, n=30, effect_size=0.5)
    assert 0.9 * t.value < ranks.value < t.value  # the efficiency is 3 / pi = 0.955 for large n
    found = sample_size(McNemarExact, effect_size=0.25)
    assert found.value >= 0.8
    assert all(power(McNemarExact, n=n, effect_size=0.25).value < 0.8 for n in range(1, found.n))
    found = sample_size(RankSum, effect_size=1.5, trials=2000)
    assert 8 <= found.n <= 12  # the t-test needs 9
    assert found.value >= 0.8


def test_what_cannot_be_asked():
    assert_raises(lambda: sample_size(PairedT, effect_size=0), "`effect_size` must not be 0")
    assert_raises(lambda: power(PairedT, n=1, effect_size=0.5), "`n` must be at least 2; got 1")
    assert_raises(lambda: sample_size(PairedT, effect_size=0.5, power=1), "`power` must be between 0 and 1")
    assert_raises(
        lambda: sample_size(PairedT, effect_size=-0.5, alternative="greater"), "Check the sign of `effect_size`, which may contradict"
    )


# -- extremes: held against quadrature, in another variable than the library's ------------------------------------------------
COUNTS = (SignTest, McNemarExact, fstats.McNemarMidP, fstats.McNemar)
SIZES = (2, 3, 4, 10, 100, 10_000, 1_000_000)
EFFECTS = (0.001, 0.03, 0.5, 3, 20)
LEVELS = (1e-8, 0.001, 0.05, 0.5)


def above_by_quadrature(c, df, away):
    """P(T >= c) for c > 0, as the mean over the normal variable z of P(S <= z / c)."""

    def log_height(z):
        with np.errstate(divide="ignore"):
            return -((z - away) ** 2) / 2 + np.log(special.gammainc(df / 2, df * (z / c) ** 2 / 2))

    z = max(away, 0) + c * np.geomspace(1e-12, 1, 2000) * 10
    edge = c * (1 + np.linspace(-40, 40, 20_001) / np.sqrt(2 * df))  # where z / c passes S, the steeper the larger df
    z = np.concatenate([z, edge, np.geomspace(1e-12, max(away, 1) + 40, 20_000), away + np.linspace(-40, 40, 20_000)])
    z = np.unique(z[z > 0])
    heights = log_height(z)
    top = heights.max()
    if not np.isfinite(top):
        return 0.0  # below the smallest float
    near = z[heights > top - 45]
    first, last = max(near[0] - (near[1] - near[0]), 0), near[-1] * 1.001
    steps = edge[::250]
    ends = np.unique(np.concatenate([np.linspace(first, last, 25), steps[(steps > first) & (steps < last)]]))
    pieces = [integrate.fixed_quad(lambda z: np.exp(log_height(z) - top), a, b, n=60)[0] for a, b in pairwise(ends)]
    return sum(pieces) * np.exp(top) / np.sqrt(2 * np.pi)


@pytest.mark.complete
@pytest.mark.parametrize("n", SIZES)
def test_power_of_a_t_test_is_right_from_2_to_a_million(n):
    for effect, alpha, alternative in product(EFFECTS, LEVELS, ALTERNATIVES):
        found = power(PairedT, n=n, effect_size=effect, alpha=alpha, alternative=alternative).value
        assert 0 <= found <= 1
        tail, away = alpha / 2 if alternative == "two-sided" else alpha, effect * np.sqrt(n)
        c = -special.stdtrit(n - 1, tail)
        if tail == 0.5:  # the critical value is 0, whatever the degrees of freedom
            expected = special.ndtr(away if alternative == "greater" else -away)
        else:
            signs = {"two-sided": (1, -1), "greater": (1,), "less": (-1,)}[alternative]
            expected = sum(above_by_quadrature(c, n - 1, sign * away) for sign in signs)
        if expected > 1e-280:
            assert found == pytest.approx(expected, rel=1e-9)
        else:
            assert found < 1e-270


@pytest.mark.complete
def test_power_is_monotone_and_never_nan():
    for test, alternative, alpha in product((PairedT, TwoSampleT), ALTERNATIVES, (1e-8, 0.05, 0.5)):
        values = [power(test, n=n, effect_size=effect, alpha=alpha, alternative=alternative).value for effect in EFFECTS for n in SIZES]
        assert np.isfinite(values).all()
        rows = np.reshape(values, (len(EFFECTS), len(SIZES)))
        rising = -rows if alternative == "less" else rows
        assert (np.diff(rising, axis=0) >= -1e-12).all()
        assert (np.diff(rising, axis=1) >= -1e-12).all()
        if alternative == "two-sided":
            assert (rows >= alpha * (1 - 1e-9)).all()


@pytest.mark.complete
@pytest.mark.parametrize("every", [5, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("test", [PairedT, OneSampleT, TwoSampleT, *COUNTS])
def test_the_size_that_is_found_is_minimal(test, every):
    """Every fifth setting of a grid whose sides 5 does not divide, so that each value of each comes up; all where there is time."""
    effects = (0.05, 0.3, 0.5) if test in COUNTS else (0.001, 0.01, 0.5, 3, 20, 0.1)
    alternatives = test.tails if test in COUNTS else ("two-sided", "greater")
    settings = [*product(effects, (1e-8, 0.001, 0.05, 0.5), (0.5, 0.95), alternatives)][::every]
    assert all(len(set(values)) == size for values, size in zip(zip(*settings), (len(effects), 4, 2, len(alternatives))))
    for effect, alpha, target, alternative in settings:
        signed = -effect if alternative == "less" else effect
        settings = {"effect_size": signed, "alpha": alpha, "alternative": alternative}
        found = sample_size(test, power=target, **settings)
        assert found == power(test, n=found.n, **settings)
        assert found.value >= target
        least = 1 if test in COUNTS else 2
        assert found.n == least or power(test, n=found.n - 1, **settings).value < target


def test_sizes_that_the_noncentral_t_of_scipy_missed():
    assert sample_size(PairedT, effect_size=3, alpha=0.001).n == 7
    found = sample_size(PairedT, effect_size=0.01)
    assert found.n == 78_491  # 0.7999974 with one less, 0.8000024 with it, by mpmath with 40 digits
    assert found.value == pytest.approx(0.800002369072137, rel=1e-13)
    assert power(PairedT, n=78_490, effect_size=0.01).value == pytest.approx(0.799997372642546, rel=1e-13)
    assert power(PairedT, n=2, effect_size=-8, alpha=1e-8, alternative="greater").value == pytest.approx(1.2247e-38, rel=1e-3)


@pytest.mark.complete
@pytest.mark.parametrize("test", COUNTS)
def test_power_on_counts_and_its_first_tooth(test):
    for effect, alpha, target in product((0.15, 0.5), (0.001, 0.05, 0.3), (0.3, 0.8)):
        first = next(n for n in range(1, 260) if power(test, n=n, effect_size=effect, alpha=alpha).value >= target)
        assert sample_size(test, effect_size=effect, alpha=alpha, power=target).n == first
    names = ("losses", "wins") if test is SignTest else ("n01", "n10")
    for n, effect, alpha, alternative in product((1, 2, 7, 40), (-0.5, -0.2, 0, 0.1, 0.5), (1e-8, 0.05, 0.4, 0.5), test.tails):
        wins = np.arange(n + 1.0)
        rejected = test.from_steps(**dict(zip(names, (n - wins, wins))), alpha=alpha, alternative=alternative).reject
        chances = [comb(n, k) * (0.5 + effect) ** k * (0.5 - effect) ** (n - k) for k in range(n + 1)]
        found = power(test, n=n, effect_size=effect, alpha=alpha, alternative=alternative)
        assert found.value == pytest.approx(np.sum(np.array(chances)[rejected]), rel=1e-11, abs=1e-15)


def test_a_simulation_that_does_not_fit_in_memory_at_once_is_done_in_parts(monkeypatch):
    monkeypatch.setattr("fstats.planning.power.MAX_BLOCK_SIZE", 1000)
    found = power(WelchT, n=30, effect_size=0.7, trials=2000)
    assert found.value == pytest.approx(power(TwoSampleT, n=30, effect_size=0.7).value, abs=5 * found.standard_error)


@pytest.mark.complete
def test_where_the_search_gives_up_it_says_so():
    assert_raises(lambda: sample_size(PairedT, effect_size=1e-6), "no sample size up to 1,000,000,000 is enough")
    with pytest.raises(ValueError, match="no sample size up to 1,000,000,000 is enough"):
        sample_size(SignTest, effect_size=-0.1, alternative="greater")
    assert_raises(lambda: power(PairedT, n=(5, 7), effect_size=0.5), r"`n` must be one number for this test; got \(5, 7\)")
    with pytest.raises(ValueError, match=r"`n` must be one number or a pair \(n_x, n_y\) for this test; got \(5, 7, 9\)"):
        power(TwoSampleT, n=(5, 7, 9), effect_size=0.5)


@pytest.mark.parametrize("effect", [1e11, 1e12, 1e20, 1e300])
def test_an_effect_beyond_measure_is_found_at_once(effect):
    assert power(PairedT, n=4, effect_size=effect).value == 1
    assert power(PairedT, n=4, effect_size=-effect, alternative="greater").value == 0


@pytest.mark.parametrize("plan", [partial(power, n=10), sample_size])
def test_a_test_that_is_no_class_is_named(plan):
    with pytest.raises(TypeError, match=r"`test` must be a class of tests, such as fstats.PairedT or fstats.Friedman; got 'Friedman'"):
        plan("Friedman", effect_size=1)


OF_THREE = {fstats.Friedman: [0, 0, 1], fstats.Nemenyi: [0, 0, 1]}  # of the others one number
WRONG = [
    ({"find": "nonsense"}, ValueError, "`find` must be 'any' or 'each' or 'all'; got 'nonsense'"),
    ({"trials": 0}, ValueError, "`trials` must be at least 1; got 0"),
    ({"trials": "many"}, TypeError, "`trials` must hold numbers; got 'many'"),
    ({"rng": "x"}, TypeError, r"`rng` must be a seed \(a whole number from 0 on\), a numpy Generator, or None; got 'x'"),
    ({"rng": -1}, TypeError, "`rng` must be a seed .*; got -1"),
    ({"alpha": 2}, ValueError, "`alpha` must be between 0 and 1"),
    ({"alpah": 0.05}, TypeError, "alpha"),
    ({"effect_size": "large"}, TypeError, "`effect_size` must hold numbers; got 'large'"),
    ({"effect_size": np.nan}, ValueError, "`effect_size` must hold finite numbers; got nan"),
    ({"effect_size": [[0, 1], [0, 1]]}, ValueError, "`effect_size` must be"),
]


@pytest.mark.parametrize("test", [PairedT, OneSampleT, TwoSampleT, WelchT, SignedRank, RankSum, SignTest, McNemarExact, *OF_THREE])
@pytest.mark.parametrize(("wrong", "error", "message"), WRONG, ids=[str(wrong) for wrong, *_ in WRONG])
def test_every_test_refuses_the_same_arguments(test, wrong, error, message):
    """Exact or simulated, asked for the power or for a size: what makes no sense is refused, even where it would not be looked at."""
    asked = {"effect_size": OF_THREE.get(test, 0.3)} | wrong
    assert_raises(lambda: power(test, n=12, **asked), message, error)
    assert_raises(lambda: sample_size(test, **asked), message, error)


@pytest.mark.parametrize(("test", "columns"), [(SignedRank, 1), (RankSum, 2), (fstats.Friedman, 3), (fstats.Nemenyi, 3)])
def test_what_cannot_be_simulated_is_refused_with_its_limit(test, columns):
    """In memory all scores of a test, in time those of all tests; a search for a size stays below both."""
    effect = OF_THREE.get(test, 0.3)
    limit = f"{10**10 // 10_000 // columns:,}"
    for n, trials, most, advice in (
        (10**9, 10_000, limit, ""),
        (10**9, 1, f"{2**24 // columns:,}", ""),
        (10**6 + 1, 10_000, limit, r" Write a smaller `trials=` to simulate fewer tests\."),
        (20, 10**12, "0", r" Write a smaller `trials=` to simulate fewer tests\."),
    ):
        message = rf"`n` must be at most {most} if {trials:,} tests are simulated; got {n:,}\.{advice}$"
        assert_raises(partial(power, test, n=n, effect_size=effect, trials=trials), message, ValueError)


def test_what_is_blamed_is_what_is_wrong():
    for test in (fstats.TukeyHSD, fstats.DeLong, fstats.OneWayAnova, fstats.FiveByTwoT, fstats.EquivalenceT, fstats.Pairwise):
        for effect in (0.5, [0, 0, 1], 0):
            for asked in (partial(power, n=12), sample_size):
                with pytest.raises(TypeError, match=f"power is not available for {test.__name__}. Simulate"):
                    asked(test, effect_size=effect)
    words = "`test` must be a class of tests, such as"
    assert_each_raises(lambda test: sample_size(test, effect_size=0.5), (int, dict, "PairedT", fstats.Results), words, TypeError)
    for test in (PairedT, SignedRank, McNemarExact, fstats.Friedman):
        with pytest.raises(ValueError, match=f"`find` must be 'any' for {test.__name__}, which tests no pairs; got 'all'"):
            power(test, n=12, effect_size=OF_THREE.get(test, 0.3), find="all")
    assert_raises(
        lambda: sample_size(PairedT, effect_size=0.5, n=12), "`n` must be left out, because sample_size computes `n`; got 12", TypeError
    )
    for asked in (partial(power, n=10), sample_size):
        assert_raises(lambda asked=asked: asked(McNemarExact, effect_size=0.7), r"`effect_size` .* must be between -0.5 and 0.5; got 0.7")
    assert_raises(lambda: power(PairedT, n=[5, 6], effect_size=0.5), r"`n` must be one number for this test; got \[5, 6\]")
    assert power(TwoSampleT, n=[5, 6], effect_size=0.5).value == power(TwoSampleT, n=(5, 6), effect_size=0.5).value
