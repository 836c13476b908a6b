"""Where a test has an interval, both say the same: what H0 claims lies inside if and only if the test does not reject."""

import copy
import pickle
import re

import numpy as np
import pytest
import scipy.stats as st
from cases import CASES, discordant, every, independent, scores
from shortcuts import assert_raises, parametrize

import fstats
from fstats.core.hypothesis import HypothesisTest, format_confidence_interval
from fstats.core.value_types import Interval
from fstats.procedures.posthoc.tukey_hsd import TukeyKramer
from fstats.render.html import mathml, render_html

LEVELS = (1e-300, 1e-8, 0.001, 0.05, 0.1, 0.3, 0.49, 0.5)
# why an interval may disagree with its test: words of the sentence that stands beside it
REASONS = {
    fstats.SignedRank: "the test with ties and zeros rejects",
    fstats.EquivalenceSignedRank: "without ties and zeros",
    fstats.RankSum: "test without ties",
    fstats.BinomialProportion: "may disagree with the exact test",
}
with_interval = [(name, alternative) for name, alternative in every if alternative and "ci" in CASES[name][0].steps]
agreeing = [(name, alternative) for name, alternative in with_interval if CASES[name][0] not in REASONS]


def claimed(test):
    """The value that H0 gives to what the interval is for."""
    return {fstats.McNemarExact: 1.0, fstats.McNemarMidP: 1.0, fstats.OneSampleT: getattr(test, "mu", 0)}.get(type(test), 0.0)


def rejects(test):
    """The decision that the interval gives, and where the value of H0 lies on an end of it (up to rounding)."""
    low, high = test.ci
    if isinstance(test, (fstats.EquivalenceT, fstats.EquivalenceSignedRank)):
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


def shifted(test, by):
    """The same test of scores of A that are lower by so much."""
    first, second = test.scored
    settings = {name: getattr(test, name) for name in ("zeros", "method", "alternative", "alpha") if name in test.inputs}
    return type(test)(getattr(test, first) - by, getattr(test, second), **settings)


def tied_data(seed, n, m=None, width=40):
    """Whole numbers, so that nothing is rounded: in every other repetition few different ones, and mostly 0."""
    rng = np.random.default_rng(seed)
    a, b = rng.integers(-3, 5, (n, width)), rng.integers(-2, 4, (m or n, width))
    a[:, ::2] *= rng.random((n, width // 2)) < 0.4
    b[:, ::2] *= rng.random((m or n, width // 2)) < 0.4
    return a, b


rank_tests = [
    (fstats.SignedRank, {"zeros": zeros, "method": method}) for zeros in ("drop", "pratt", "split") for method in ("exact", "normal")
]
rank_tests += [(fstats.RankSum, {"method": method}) for method in ("exact", "normal")]
each_rank_test = pytest.mark.parametrize(("cls", "settings"), rank_tests)


def levels_of(cls):
    return [alpha for alpha in LEVELS if alpha < 0.5] if cls in (fstats.EquivalenceT, fstats.EquivalenceSignedRank) else LEVELS


@pytest.mark.every_case
@pytest.mark.parametrize(("name", "alternative"), agreeing)
def test_interval_and_decision_agree(name, alternative):
    cls, data, settings = CASES[name]
    for alpha in levels_of(cls):
        assert_agrees(cls(**data, **settings, alternative=alternative, alpha=alpha))


@pytest.mark.parametrize(
    ("name", "alternative"),
    [
        pair
        for pair in agreeing
        if CASES[pair[0]][0]
        in (fstats.PairedT, fstats.OneSampleT, fstats.TwoSampleT, fstats.EquivalenceT, fstats.McNemarExact, fstats.McNemarMidP)
    ],
)
def test_interval_and_decision_agree_on_many_random_samples(name, alternative):
    cls, _, settings = CASES[name]
    draw = scores if "a" in cls.inputs else independent if "x" in cls.inputs else discordant
    for seed in range(200, 240):
        n = 2 + seed % 6
        data = discordant(seed) if draw is discordant else draw(n, seed) if draw is scores else independent(n, n + 1, seed)
        if cls is fstats.OneSampleT:
            data = {"x": data["x"], "mu": 0.8}
        for alpha in (0.05, 0.3):
            assert_agrees(cls(**data, **settings, alternative=alternative, alpha=alpha))


@pytest.mark.parametrize("cls", [fstats.McNemarExact, fstats.McNemarMidP])
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
            assert_agrees(fstats.SignedRank(a, b, alternative=alternative, alpha=alpha))
            assert_agrees(fstats.RankSum(a, b[: n - 1] if n > 2 else b, alternative=alternative, alpha=alpha))
            if alternative == "two-sided":
                assert_agrees(fstats.EquivalenceSignedRank(a, b, margin=1.0, alpha=alpha))


@pytest.mark.parametrize("cls", REASONS)
def test_an_interval_that_may_disagree_says_why(cls):
    assert REASONS[cls] in cls.ci.sentence


@pytest.mark.complete
@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_all_small_pairs_of_proportions(alternative):
    a, b = (x.ravel() for x in np.meshgrid(np.arange(21), np.arange(13)))
    for alpha in LEVELS:
        assert_agrees(fstats.DifferenceOfProportions(a, b, np.full(len(a), 20), np.full(len(a), 12), alternative=alternative, alpha=alpha))


def test_reasons_are_needed():
    # the tests whose intervals may disagree do so somewhere: otherwise they belong to those that are held to agree
    tied = fstats.SignedRank([1, 1, 1, 1, 1, 0, 0], [0, 0, 0, 0, 0, 0, 0], alpha=0.0625)
    assert rejects(tied)[0] != tied.reject
    near = fstats.BinomialProportion(1, 8)
    assert near.ci.holds(0.5) == near.reject
    assert "although the test does not reject H0" in near.conclusion


@pytest.mark.parametrize(
    "name", [name for name, (cls, *_) in CASES.items() if cls in (fstats.Nemenyi, fstats.BonferroniDunn, fstats.TukeyHSD, TukeyKramer)]
)
def test_simultaneous_intervals_agree_with_the_decisions(name):
    cls, data, settings = CASES[name]
    for alpha in (0.001, 0.05, 0.1, 0.3, 0.5):
        test = cls(**data, **settings, alpha=alpha)
        outside = (test.ci_low > 0) | (test.ci_high < 0)
        on_the_end = np.isclose(test.pvalues, alpha, rtol=1e-6) | (abs(test.ci_low) < 1e-9) | (abs(test.ci_high) < 1e-9)
        assert (on_the_end | (outside == test.reject)).all()
        assert isinstance(test.ci, Interval)


@pytest.mark.parametrize(("n01", "n10"), [(11, 1), (1, 7), (0, 5), (5, 0), (7, 7), (25, 15), (3, 300)])
@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_the_mid_p_interval_by_its_definition(n01, n10, alternative):
    # at each end the count itself, by half, and all beyond it have the probability alpha (alpha / 2 two-sided)
    test = fstats.McNemarMidP(n01, n10, alternative=alternative)
    level = 0.025 if alternative == "two-sided" else 0.05
    for end, wins in ((test.ci.low, n10), (1 / test.ci.high if test.ci.high else np.inf, n01)):
        if end > 0:
            law = st.binom(n01 + n10, end / (1 + end))
            assert law.sf(wins) + law.pmf(wins) / 2 == pytest.approx(level, rel=1e-8)
    exact = fstats.McNemarExact(n01, n10, alternative=alternative).ci
    assert exact.low <= test.ci.low <= test.ci.high <= exact.high


def test_published_intervals_and_the_list_of_tests():
    # Fagerland, Lydersen and Laake (2014), Statistics in Medicine 33: airway hyper-responsiveness, 1 and 7 discordant pairs
    low, high = fstats.McNemarMidP(7, 1).ci
    assert (round(float(low), 3), round(float(high), 3)) == (0.006, 0.924)
    held = {CASES[name][0] for name, _ in agreeing} | REASONS.keys()
    assert held == {cls for cls, *_ in CASES.values() if issubclass(cls, HypothesisTest) and "ci" in cls.steps}
    assert fstats.FiveByTwoT in held


# -- which ends belong to it ------------------------------------------------------------------------------------------------
@each_rank_test
@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_an_end_of_a_rank_interval_is_open_where_the_very_test_rejects_it(cls, settings, alternative):
    seen = set()
    for n, alpha in ((4, 0.3), (6, 0.05), (7, 0.1), (12, 0.05)):
        for a, b in (tied_data(n, n), np.random.default_rng(n).normal(size=(2, n, 20)).round(3)):  # with many ties and zeros, and with none
            test = cls(a, b, **settings, alternative=alternative, alpha=alpha)
            for end, opened in zip(test.ci, (test.ci.open_low, test.ci.open_high)):
                finite = np.isfinite(end)
                rejected = shifted(test, np.where(finite, end, 0)).reject & (test.ci.low < test.ci.high)  # a single value is held
                assert np.array_equal(opened, rejected | ~finite)
                seen |= set(opened[finite].tolist())
    assert seen == {True, False}


@each_rank_test
@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
@pytest.mark.parametrize("every", [4, pytest.param(1, marks=pytest.mark.slow)])
def test_a_rank_interval_holds_0_if_and_only_if_that_is_not_rejected_or_the_conclusion_says_why(cls, settings, alternative, every):
    on_an_end = told = 0
    for n, alpha in ((3, 0.05), (6, 0.0625), (6, 0.25), (9, 0.05), (20, 0.3)):
        batch = cls(*tied_data(10 + n, n), **settings, alternative=alternative, alpha=alpha)
        for r in range(0, 40, every):
            test = batch.at(r)
            differs = test.ci.holds(0) == test.reject
            assert ("The confidence interval ignores ties" in test.conclusion) == differs
            told += differs
            on_an_end += 0 in test.ci and bool(test.reject)
    assert told < 200 / every / 4
    assert on_an_end


def test_what_an_interval_without_ties_cannot_follow_is_said():
    normal = fstats.SignedRank([1, 1, 1], [0, 0, 0], alternative="greater", method="normal")
    assert (normal.reject, normal.ci) == (True, (-np.inf, np.inf))
    assert normal.conclusion.endswith(
        "The confidence interval ignores ties and zeros; therefore it contains 0 although the test rejects H0."
    )
    beyond = fstats.SignedRank([-2, 1, 1, 1], [0] * 4, alternative="greater", alpha=0.45)
    assert (beyond.reject, beyond.ci.low) == (False, 1)
    assert beyond.conclusion.endswith(
        "The confidence interval ignores ties and zeros; therefore it does not contain 0 although the test does not reject H0."
    )
    few = fstats.RankSum([1, 3, 3, 3], [0, 2, 2, 2, 2], alternative="greater")
    assert few.conclusion.endswith("The confidence interval ignores ties; therefore it contains 0 although the test rejects H0.")
    stated = fstats.SignedRank.from_steps(d=np.array([1, 1, 1, 1, 1, 2]), ci=(1, 2))
    assert "The confidence interval ignores" not in stated.conclusion  # nobody knows how that one was found


@pytest.mark.complete
def test_the_interval_of_equivalence_by_ranks_lies_within_the_margin_if_and_only_if_that_is_shown_or_it_is_said():
    shown, told, on_an_end = set(), 0, 0
    for n, alpha in ((5, 0.04), (6, 0.1), (9, 0.05)):
        batch = fstats.EquivalenceSignedRank(*tied_data(30 + n, n), margin=2, alpha=alpha)
        for test in map(batch.at, range(40)):
            inside = bool(test.ci.low >= -2 and test.ci.high <= 2 and not test.ci.holds(-2) and not test.ci.holds(2))
            assert ("The confidence interval ignores ties and zeros" in test.conclusion) == (inside != test.reject)
            shown.add(inside)
            on_an_end += inside and bool({-2, 2} & set(test.ci))
            told += inside != test.reject
    assert shown == {True, False}
    assert on_an_end
    assert told < 40


@pytest.mark.parametrize("cls", [fstats.McNemarExact, fstats.McNemarMidP])
@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_equal_odds_lie_in_the_interval_of_an_exact_test_if_and_only_if_it_does_not_reject_them(cls, alternative):
    n01, n10 = np.meshgrid(np.arange(9), np.arange(9))
    for k in range(1, 11):  # levels that p comes to exactly
        test = cls(n01, n10, alternative=alternative, alpha=0.5**k)
        on_an_end = [np.isclose(end, 1, rtol=1e-12) for end in test.ci]
        low, high = (np.where(near, 1, end) for near, end in zip(on_an_end, test.ci))  # as they are printed
        assert np.array_equal(Interval(low, high, test.ci.open_low, test.ci.open_high).holds(1), ~test.reject)


def test_limits_and_noise_of_intervals():
    d = np.r_[np.zeros(150), np.arange(1.0, 61)]
    test = fstats.SignedRank(d, 0 * d)
    assert (test.reject, test.ci.low, test.ci.open_low, test.ci.open_high) == (True, 0, True, False)
    assert shifted(test, test.ci.high).reject  # so that it would be open among few
    x = np.random.default_rng(0).normal(size=300)
    assert not fstats.RankSum(x, x[::-1] + 0.001).ci.has_an_open_end
    # 0.1 + 0.2 and 0.3 tie: no difference between them, nor between what is shifted by such an end.
    a, b = np.array([0.1 + 0.2, 0.7, 0.8, 0.9]), np.array([0.3, 0.1, 0.2, 0.25])
    test = fstats.RankSum(a, b, alpha=0.2)
    exact = fstats.RankSum(np.round(100 * a), np.round(100 * b), alpha=0.2)
    assert [test.ci.open_low, test.ci.open_high] == [exact.ci.open_low, exact.ci.open_high]
    assert 0 in fstats.RankSum([0.1 + 0.2] * 3 + [0.7], [0.3] * 4, alpha=0.3).ci
    for seed in range(20):
        a, b = np.random.default_rng(seed).integers(60, 66, (2, 9))
        for cls in (fstats.SignedRank, fstats.RankSum):
            whole, shares = (cls(a / unit, b / unit, alpha=0.1).ci for unit in (1, 100))
            assert (whole.open_low, whole.open_high) == (shares.open_low, shares.open_high)


ONE_OPEN = fstats.SignedRank([1] * 5 + [0, 0], [0] * 7, alpha=0.0625)


def test_the_brackets_are_the_same_everywhere():
    test = ONE_OPEN
    assert (test.ci, test.reject) == ((0, 1), True)
    assert re.search(r"  ci = \(0, 1\] ", repr(test))
    assert r"(0,\ 1]" in test.to_latex()
    words = '<td style="vertical-align:top;width:18%;overflow-wrap:anywhere" data-step="ci"><strong>(0, 1]</strong></td>'
    assert words in test._repr_html_()
    assert "<strong>(0, 1]</strong>" in render_html(test, mathml)  # as explorers show it
    assert "confidence interval (0, 1]" in fstats.report(test).text
    assert r"confidence interval $(0,\ 1]$" in fstats.report(test).latex
    assert r"confidence interval (0, 1\]" in fstats.report(test).markdown
    assert test.conclusion.endswith("by 1 (with 93.75 % confidence above 0 and at most 1).")
    assert (test.to_dict()["ci"], test.to_dict()["ci_open"]) == ([0, 1], [True, False])
    turned = fstats.SignedRank(test.b, test.a, alpha=0.0625)
    assert turned.conclusion.endswith("that A is worse than B in typical score, by 1 (with 93.75 % confidence above 0 and at most 1).")
    assert repr(turned.ci).endswith(", open_low=np.False_, open_high=np.True_)")
    assert_raises(lambda: fstats.SignedRank.from_steps(d=test.d, ci=(0.5, 1), alpha=0.0625), r"ci = \(0, 1\] follows from d, alpha")
    assert "ci_open" not in fstats.PairedT([1, 2, 4], [0, 2, 1]).to_dict()
    assert re.search(r"  ci = \[-?[\d.]+, [\d.]+\] ", repr(fstats.PairedT([1, 2, 4], [0, 2, 1])))


@parametrize(
    "interval, words",
    (Interval(1.0, 2.0), "between 1 and 2"),
    (Interval(1.0, 2.0, open_low=True), "above 1 and at most 2"),
    (Interval(1.0, 2.0, open_high=True), "at least 1 and below 2"),
    (Interval(1.0, 2.0, True, True), "above 1 and below 2"),
    (Interval(1.0, np.inf), "at least 1"),
    (Interval(1.0, np.inf, open_low=True), "above 1"),
    (Interval(-np.inf, 2.0), "at most 2"),
    (Interval(-np.inf, 2.0, open_high=True), "below 2"),
)
def test_the_words_for_an_interval(interval, words):
    assert format_confidence_interval(interval, 0.05) == f" (with 95 % confidence {words})"
    mirrored = interval.mirrored()
    assert [mirrored.holds(-x) for x in (1, 1.5, 2)] == [interval.holds(x) for x in (1, 1.5, 2)]


def test_brackets_of_intervals():
    interval = Interval(np.array([0.0, 1.0, 0.0]), np.array([1.0, 1.0, np.inf]), open_low=np.array([True, True, False]))
    low, high = interval
    assert (len(interval), interval[0] is low, interval[-1] is high) == (2, True, True)
    for same in (interval, pickle.loads(pickle.dumps(interval)), copy.copy(interval), copy.deepcopy(interval), interval._replace(low=low)):
        assert type(same) is Interval
        assert same.open_low.tolist() == [True, False, False]  # a single value is held
        assert same.open_high.tolist() == [False, False, True]  # infinity is not
        assert [same.holds(x).tolist() for x in (0, 1)] == [[False, False, True], [True, True, True]]
    assert (Interval(0.0, 1.0), repr(Interval(0.0, np.inf))) == ((0.0, 1.0), "Interval(low=0.0, high=inf)")
    a, b = tied_data(3, 7)
    batch = fstats.SignedRank(a, b, alpha=0.1)
    assert batch.ci.has_an_open_end
    assert batch.to_dict()["ci_open"] == [batch.ci.open_low.tolist(), batch.ci.open_high.tolist()]
    for again in (batch, pickle.loads(pickle.dumps(batch)), copy.deepcopy(batch)):
        assert np.array_equal(again.ci.open_low, batch.ci.open_low)
    for r in range(40):
        for one in (batch.at(r), batch.assuming(ci=batch.ci).at(r)):
            assert one.ci == (batch.ci.low[r], batch.ci.high[r])
            assert (one.ci.open_low, one.ci.open_high) == (batch.ci.open_low[r], batch.ci.open_high[r])
    stated = fstats.SignedRank.from_steps(ci=Interval(0.0, 0.02, open_low=True))
    for test in (stated, pickle.loads(pickle.dumps(stated)), stated.assuming(alpha=0.1)):
        assert test.ci.written(str) == "(0.0, 0.02]"
    assert fstats.SignedRank.from_steps(d=ONE_OPEN.d, ci=(0, 1), alpha=0.0625).ci == (0, 1)  # a paper's brackets are not held against it
