"""Where a test has an interval, both say the same: what H0 claims lies inside if and only if the test does not reject."""

import numpy as np
import pytest
import scipy.stats as st
from test_every_test import CASES, discordant, every, independent, scores

from fstats import (
    BonferroniDunn,
    DifferenceOfProportions,
    EquivalenceSignedRank,
    EquivalenceT,
    FiveByTwoT,
    McNemarExact,
    McNemarMidP,
    Nemenyi,
    OneSampleT,
    PairedT,
    RankSum,
    SignedRank,
    TukeyHSD,
    TwoSampleT,
)
from fstats.hypothesis import HypothesisTest
from fstats.posthoc.tukey_hsd import TukeyKramer
from fstats.value import Interval

LEVELS = (1e-300, 1e-8, 0.001, 0.05, 0.1, 0.3, 0.49, 0.5, 0.7, 0.95)
# why an interval may disagree with its test: words of the sentence that stands beside it
REASONS = {
    SignedRank: "without ties or zeros",
    EquivalenceSignedRank: "without ties or zeros",
    RankSum: "untied test",
}
with_interval = [(name, alternative) for name, alternative in every if "ci" in CASES[name][0].steps]
agreeing = [(name, alternative) for name, alternative in with_interval if CASES[name][0] not in REASONS]


def claimed(test):
    """The value that H0 gives to what the interval is for."""
    return {McNemarExact: 1.0, McNemarMidP: 1.0, OneSampleT: getattr(test, "mu", 0)}.get(type(test), 0.0)


def rejects(test):
    """The decision that the interval gives, and where the value of H0 lies on an end of it (up to rounding)."""
    low, high = test.ci
    if isinstance(test, (EquivalenceT, EquivalenceSignedRank)):
        inside = (low >= -test.margin) & (high <= test.margin)
        return inside, np.isclose(low, -test.margin, rtol=1e-9, atol=0) | np.isclose(high, test.margin, rtol=1e-9, atol=0)
    h0 = claimed(test)
    scale = 1e-9 * np.maximum(abs(h0), 1e-3)
    return (low > h0) | (high < h0), (abs(low - h0) <= scale) | (abs(high - h0) <= scale)


def assert_agrees(test):
    for end in test.ci:
        assert not np.isnan(end).any()
    assert np.all(test.ci.low <= test.ci.high)
    outside, on_the_end = rejects(test)
    assert np.all(on_the_end | (outside == test.reject))


def levels_of(cls):
    return [alpha for alpha in LEVELS if alpha < 0.5] if cls in (EquivalenceT, EquivalenceSignedRank) else LEVELS


@pytest.mark.parametrize(("name", "alternative"), agreeing)
@pytest.mark.filterwarnings("error")
def test_interval_and_decision_agree(name, alternative):
    cls, data, settings, _ = CASES[name]
    for alpha in levels_of(cls):
        assert_agrees(cls(**data, **settings, alternative=alternative, alpha=alpha))


@pytest.mark.parametrize(
    ("name", "alternative"),
    [pair for pair in agreeing if CASES[pair[0]][0] in (PairedT, OneSampleT, TwoSampleT, EquivalenceT, McNemarExact, McNemarMidP)],
)
def test_interval_and_decision_agree_on_many_random_samples(name, alternative):
    cls, _, settings, _ = CASES[name]
    draw = scores if "a" in cls.inputs else independent if "x" in cls.inputs else discordant
    for seed in range(200, 240):
        n = 2 + seed % 6
        data = discordant(seed) if draw is discordant else draw(n, seed) if draw is scores else independent(n, n + 1, seed)
        if cls is OneSampleT:
            data = {"x": data["x"], "mu": 0.8}
        for alpha in (0.05, 0.3):
            assert_agrees(cls(**data, **settings, alternative=alternative, alpha=alpha))


@pytest.mark.parametrize("cls", [McNemarExact, McNemarMidP])
def test_all_small_tables(cls):
    n01, n10 = np.meshgrid(np.arange(13), np.arange(13))
    for alternative in cls.tails:
        for alpha in LEVELS:
            assert_agrees(cls(n01, n10, alternative=alternative, alpha=alpha))


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_rank_tests_agree_without_ties_and_zeros(alternative):
    rng = np.random.default_rng(0)
    for n in (2, 3, 5, 9):
        a, b = rng.normal(size=(2, n, 40))
        for alpha in (1e-8, 0.05, 0.1, 0.3):
            assert_agrees(SignedRank(a, b, alternative=alternative, alpha=alpha))
            assert_agrees(RankSum(a, b[: n - 1] if n > 2 else b, alternative=alternative, alpha=alpha))
            if alternative == "two-sided":
                assert_agrees(EquivalenceSignedRank(a, b, margin=1.0, alpha=alpha))


@pytest.mark.parametrize("cls", REASONS)
def test_an_interval_that_may_disagree_says_why(cls):
    assert REASONS[cls] in cls.ci.sentence


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_all_small_pairs_of_proportions(alternative):
    a, b = (x.ravel() for x in np.meshgrid(np.arange(21), np.arange(13)))
    for alpha in LEVELS:
        assert_agrees(DifferenceOfProportions(a, b, np.full(len(a), 20), np.full(len(a), 12), alternative=alternative, alpha=alpha))


def test_reasons_are_needed():
    # the tests whose intervals may disagree do so somewhere: otherwise they belong to those that are held to agree
    tied = SignedRank([1, 1, 1, 1, 1, 0, 0], [0, 0, 0, 0, 0, 0, 0], alpha=0.0625)
    assert rejects(tied)[0] != tied.reject


@pytest.mark.parametrize("name", [name for name, (cls, *_) in CASES.items() if cls in (Nemenyi, BonferroniDunn, TukeyHSD, TukeyKramer)])
def test_simultaneous_intervals_agree_with_the_decisions(name):
    cls, data, settings, _ = CASES[name]
    for alpha in (0.001, 0.05, 0.1, 0.3, 0.9):
        test = cls(**data, **settings, alpha=alpha)
        outside = (test.ci_low > 0) | (test.ci_high < 0)
        on_the_end = np.isclose(test.pvalues, alpha, rtol=1e-6) | (abs(test.ci_low) < 1e-9) | (abs(test.ci_high) < 1e-9)
        assert (on_the_end | (outside == test.reject)).all()
        assert isinstance(test.ci, Interval)


@pytest.mark.parametrize(("n01", "n10"), [(11, 1), (1, 7), (0, 5), (5, 0), (7, 7), (25, 15), (3, 300)])
@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_the_mid_p_interval_by_its_definition(n01, n10, alternative):
    # at each end the count itself, by half, and all beyond it have the probability alpha (alpha / 2 two-sided)
    test = McNemarMidP(n01, n10, alternative=alternative)
    level = 0.025 if alternative == "two-sided" else 0.05
    for end, wins in ((test.ci.low, n10), (1 / test.ci.high if test.ci.high else np.inf, n01)):
        if end > 0:
            law = st.binom(n01 + n10, end / (1 + end))
            assert law.sf(wins) + law.pmf(wins) / 2 == pytest.approx(level, rel=1e-8)
    exact = McNemarExact(n01, n10, alternative=alternative).ci
    assert exact.low <= test.ci.low <= test.ci.high <= exact.high


def test_the_published_mid_p_interval():
    # Fagerland, Lydersen and Laake (2014), Statistics in Medicine 33: airway hyper-responsiveness, 1 and 7 discordant pairs
    low, high = McNemarMidP(7, 1).ci
    assert (round(float(low), 3), round(float(high), 3)) == (0.006, 0.924)


def test_every_test_with_an_interval_is_held_to_it():
    held = {CASES[name][0] for name, _ in agreeing} | REASONS.keys()
    assert held == {cls for cls, *_ in CASES.values() if issubclass(cls, HypothesisTest) and "ci" in cls.steps}
    assert FiveByTwoT in held
