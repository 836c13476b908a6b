"""The signed-rank test against full enumeration of the signs, against SciPy, and on data that leave nothing to compute."""

from fractions import Fraction
from itertools import product
from math import sqrt

import numpy as np
import pytest
from scipy import stats

from fstats import SignedRank

ALTERNATIVES = ("two-sided", "less", "greater")
ZEROS = ("drop", "pratt", "split")
SCIPY_ZEROS = {"drop": "wilcox", "pratt": "pratt", "split": "zsplit"}  # the same three rules under other names
COURSE = [87, 68, 85, 75, 83, 90], [85, 70, 79, 78, 83, 85]
EXERCISE = ([95, 88, 90, 85, 92, 87, 91, 95, 82, 96, 88, 90, 85, 92, 87], [80, 70, 80, 60, 78, 80, 85, 70, 60, 80, 85, 78, 80, 78, 80])


# -- exact means exact: every way to share the ranks out -------------------------------------------------------------------
def shares(ranks, fixed):
    """The rank sums of all 2^n sign assignments: each rank is A's or it is not."""
    return np.array([fixed + sum(r for r, mine in zip(ranks, signs, strict=True) if mine) for signs in product((0, 1), repeat=len(ranks))])


def enumerated(test):
    """p, critical value and both tails of a test, from the list of all sums."""
    sums = shares([r for r in test.ranks if r > 0], test.zero_share if test.zeros == "split" else 0)
    below = (sums <= test.statistic).mean()
    p, level = (min(1, 2 * below), test.alpha / 2) if test.alternative == "two-sided" else (below, test.alpha)
    rejecting = [w for w in np.unique(sums) if (sums <= w).mean() <= level]
    return p, max(rejecting, default=-np.inf), sums


@pytest.mark.complete
@pytest.mark.parametrize("zeros", ZEROS)
def test_full_enumeration_with_ties_and_zeros(zeros):
    rng = np.random.default_rng(0)
    rejected = dict.fromkeys(ALTERNATIVES, 0)
    for _ in range(120):
        a, b = rng.integers(0, 6, (2, rng.integers(2, 10))) / 10 + [[rng.choice([-0.3, 0, 0.3])], [0]]
        alpha = rng.choice([0.01, 0.05, 0.1, 0.2])
        for alternative in ALTERNATIVES:
            test = SignedRank(a, b, zeros=zeros, alternative=alternative, alpha=alpha)
            p, critical, sums = enumerated(test)
            assert (test.pvalue, test.critical_value, test.reject) == (p, critical, p <= test.alpha)
            rejected[alternative] += int(test.reject)
        for w in np.unique(sums):  # both tails include w itself; the distribution is that of every alternative
            assert (test.null.at_most(w), test.null.at_least(w)) == ((sums <= w).mean(), (sums >= w).mean())
            assert test.null.at_most(w - 0.25) == (sums < w).mean()  # and hold between the values that occur
    assert min(rejected.values()) > 5


def test_the_values_and_chances_of_the_null_distribution():
    test = SignedRank(*COURSE)
    _, _, sums = enumerated(test)
    values, chances = test.null.atoms()
    assert (values.tolist(), chances.tolist()) == (sorted(set(sums.tolist())), [(sums == w).mean() for w in values])
    assert chances.sum() == 1


def exact_tail(ranks, w):
    """P(W <= w) as a fraction, one rank after the other in whole numbers (half units, so that shared ranks are whole)."""
    ways = {0: 1}
    for r in (int(2 * r) for r in ranks):
        grown = dict(ways)
        for total, count in ways.items():
            grown[total + r] = grown.get(total + r, 0) + count
        ways = grown
    return Fraction(sum(count for total, count in ways.items() if total <= 2 * w), 2 ** len(ranks))


@pytest.mark.complete
@pytest.mark.parametrize("n", [12, 25, 40, 50])
@pytest.mark.parametrize("digits", [1, 6], ids=["with ties", "without ties"])
def test_probabilities_are_the_exact_fractions_up_to_n_50(n, digits):
    a, b = np.random.default_rng(n).normal(0.8, 0.3, (2, n)).round(digits)
    test = SignedRank(a, b, alternative="less")
    ranks = test.ranks[test.ranks > 0]
    assert (len(set(ranks)) < len(ranks)) == (digits == 1)
    assert Fraction(float(test.pvalue)) == exact_tail(ranks, test.statistic)  # every bit of it
    assert (float(test.pvalue) * 2.0 ** len(ranks)).is_integer()


def test_beyond_n_53_probabilities_are_right_to_15_digits():
    a, b = np.random.default_rng(1).normal(0.8, 0.3, (2, 80)).round(1)
    test = SignedRank(a, b, alternative="less")
    assert test.pvalue == pytest.approx(float(exact_tail(test.ranks[test.ranks > 0], test.statistic)), rel=1e-14)


# -- SciPy ------------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("zeros", ZEROS)
@pytest.mark.parametrize("times", [1, pytest.param(3, marks=pytest.mark.slow)])
def test_scipy_permutes_small_samples_with_ties_and_zeros(zeros, alternative, times):
    rng = np.random.default_rng(3)
    for n in [4, 5, 6, 7, 8, 9] * times:
        d = rng.choice([-3.0, -2, -1, 0, 1, 2, 3, 4, 5], n)
        d[:2] = 0, 5  # at least one zero, and one difference
        theirs = stats.wilcoxon(d, zero_method=SCIPY_ZEROS[zeros], alternative=alternative, method="auto")
        ours = SignedRank(d, np.zeros(n), zeros=zeros, alternative=alternative)
        assert ours.pvalue == pytest.approx(theirs.pvalue, rel=1e-13)
        # SciPy's statistic is W+ in a one-sided test
        assert theirs.statistic == (ours.statistic if alternative == "two-sided" else ours.w_plus)


@pytest.mark.complete
@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("n", [4, 10, 20, 40])
def test_scipy_exact_without_ties(n, alternative):
    for seed in range(10):
        a, b = np.random.default_rng(seed).normal(size=(2, n))
        theirs = stats.wilcoxon(a, b, alternative=alternative, method="exact")
        assert SignedRank(a, b, alternative=alternative).pvalue == pytest.approx(theirs.pvalue, rel=1e-12)


@pytest.mark.complete
@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("zeros", ["drop", "pratt"])
def test_scipy_normal_approximation(zeros, alternative):
    # not "split": SciPy's variance for "zsplit" counts the zeros as if each still had a random sign
    rng = np.random.default_rng(4)
    for n in (8, 20, 60):
        a, b = rng.integers(0, 9, (2, n))
        theirs = stats.wilcoxon(a - b, zero_method=SCIPY_ZEROS[zeros], alternative=alternative, method="asymptotic", correction=False)
        assert SignedRank(a, b, zeros=zeros, alternative=alternative, method="normal").pvalue == pytest.approx(theirs.pvalue, rel=1e-12)


# -- large samples ----------------------------------------------------------------------------------------------------------
def test_exact_for_large_samples():
    differences = []
    for n in (10, 30, 100, 300):
        d = np.arange(1.0, n + 1) * np.where(np.arange(n) % 3, 1, -1)  # two of three positive, no ties
        exact, normal = (SignedRank(d, 0 * d, method=method, alternative="less").null for method in ("exact", "normal"))
        w = np.arange(0, n * (n + 1) / 2 + 1)
        differences.append(np.abs(exact.at_most(w) - normal.at_most(w + 0.5)).max())
    assert differences == sorted(differences, reverse=True)
    assert differences[0] < 0.01
    assert differences[-1] < 1e-3
    d = np.arange(1.0, 301)
    for method in ("exact", "normal"):
        test = SignedRank(d, 0 * d, method=method)
        assert 0 < test.pvalue < 1e-40
        assert test.reject
        assert np.isfinite(test.critical_value)
    assert SignedRank(d, 0 * d, alternative="less").pvalue == pytest.approx(1, abs=1e-14)
    assert SignedRank(d, 0 * d).pvalue == 2.0**-299  # two of the 2^300 ways
    # 2^-1199 is below the smallest float; it is still possible
    d = np.arange(1.0, 1201)
    assert 0 < SignedRank(d, 0 * d).pvalue < 1e-300
    assert 0 < SignedRank(np.tile(d, 5), np.zeros(6000), method="normal").pvalue < 1e-300


# -- the course -------------------------------------------------------------------------------------------------------------
def test_the_course_example_and_its_worked_lines():
    test = SignedRank(*COURSE, alpha=0.1)
    assert test.d.tolist() == [2, -2, 6, -3, 0, 5]
    assert test.ranks.tolist() == [1.5, 1.5, 5, 3, 0, 4]  # 0: the difference 0 has no rank
    assert test.signed_ranks.tolist() == [1.5, -1.5, 5, -3, 0, 4]
    assert (test.n, test.w_plus, test.w_minus, test.statistic) == (5, 10.5, 4.5, 4.5)
    assert (test.critical_value, test.pvalue, test.reject) == (0, 0.5, False)
    assert test.effect_size == 6 / 15
    rows = {row.name: row for row in SignedRank(*COURSE, alpha=0.1).worked()}
    assert (rows["w_plus"].substituted, rows["w_minus"].substituted) == ("1.5 + 5 + 4", "1.5 + 3")
    assert (rows["statistic"].substituted, rows["pvalue"].substituted) == (r"\min\{10.5, 4.5\}", r"\min\{1,\ 2\,P(W_0 \leq 4.5)\}")
    assert str(rows["null"].value) == "all 32 ways to put each of 5 ranks into the sum or not"
    assert "zero_share" not in rows  # only where zeros="split"
    (zero_shown_as_dash,) = [line.split() for line in repr(SignedRank(*COURSE)).splitlines() if line.split()[:1] == ["5"]]
    assert zero_shown_as_dash == ["5", "83", "83", "0", "–", "–"]


def test_the_course_exercise_and_its_critical_value():
    test = SignedRank(*EXERCISE, alpha=0.1)
    # the slide prints these ranks sorted, one below the other; in the order of the data sets they are
    assert test.ranks.tolist() == [10, 12, 6, 14.5, 8.5, 4.5, 3, 14.5, 13, 11, 1, 7, 2, 8.5, 4.5]
    assert (test.w_plus, test.w_minus, test.statistic) == (120, 0, 0)
    assert test.pvalue == 2 / 2**15
    assert test.reject
    # the slide reads 23, which is its entry for alpha = .05; its entry for .10 is 30, right for 15 ranks without ties
    without_ties = SignedRank.from_sample_size(15, alpha=0.1)
    assert without_ties.critical_value == 30
    # these ranks have ties, so that half ranks occur: 30.5 still rejects, 31 does not
    with_ties = SignedRank(*EXERCISE, alpha=0.1)
    assert with_ties.critical_value == 30.5
    for ranks, last, next_one in ((without_ties.ranks, 30, 31), (with_ties.ranks, 30.5, 31)):
        assert exact_tail(ranks, last) <= Fraction(1, 20) < exact_tail(ranks, next_one)
    test = SignedRank(*EXERCISE, alpha=0.1, alternative="greater")
    assert (test.statistic, test.pvalue, test.reject) == (0, 1 / 2**15, True)  # the sum on the side of B
    assert test.critical_value == 36.5  # 36 without ties
    assert exact_tail(test.ranks, 36.5) <= Fraction(1, 10) < exact_tail(test.ranks, 37)
    assert SignedRank(*EXERCISE, alternative="less").pvalue == 1


def test_the_statistic_is_the_sum_that_is_small_when_h0_is_wrong():
    for alternative, statistic in (("two-sided", 4.5), ("greater", 4.5), ("less", 10.5)):
        assert SignedRank(*COURSE, alternative=alternative).statistic == statistic


# -- degenerate data, ties and ranks ------------------------------------------------------------------------------------------
def test_few_data_and_p_at_alpha():
    test = SignedRank([1, 2, 3, 4, 5], [0, 0, 0, 0, 0])  # p = 2 / 2^5 at best
    assert (test.pvalue, test.critical_value, test.reject) == (0.0625, -np.inf, False)
    assert "With so few ranks, no outcome could have rejected H0 at this alpha." in test.conclusion
    assert "critical_value = none" in repr(test)
    assert r"= \text{none}" in test.to_latex()
    assert SignedRank([1, 2, 3, 4, 5, 6], [0] * 6).reject  # one more is enough
    test = SignedRank([1, 2, 3, 4, 5], [0, 0, 0, 0, 0], alpha=0.0625)
    assert (test.pvalue, test.critical_value, test.reject) == (0.0625, 0, True)


@pytest.mark.parametrize("zeros", ZEROS)
def test_the_sums_of_the_two_sides(zeros):
    d = np.random.default_rng(6).integers(-3, 4, (12, 50))
    test = SignedRank(d, 0 * d, zeros=zeros)
    zero = (d == 0).sum(0)
    ranked = {"drop": 12 - zero, "pratt": 12, "split": 12}[zeros]  # how many differences share the ranks 1, 2, 3, ...
    lost = zero * (zero + 1) / 2 if zeros == "pratt" else 0  # ranks that go to no side
    assert (test.w_plus + test.w_minus == ranked * (ranked + 1) / 2 - lost).all()
    assert np.array_equal(test.effect_size, (test.w_plus - test.w_minus) / (test.w_plus + test.w_minus))


def test_the_normal_approximation_of_the_exact_distribution():
    for zeros in ZEROS:
        d = np.array([2, -2, 6, -3, 0, 5, 0, 2])
        exact, normal = (SignedRank(d, 0 * d, zeros=zeros, method=method).null for method in ("exact", "normal"))
        values, chances = exact.atoms()
        mean = (values * chances).sum()
        assert (normal.mean, normal.sd) == (pytest.approx(mean), pytest.approx(sqrt(((values - mean) ** 2 * chances).sum())))
    null = SignedRank(*COURSE, method="normal").null
    theirs = stats.norm(null.mean, null.sd)
    for w in (-3, 0, 4.5, 7.5, 12, 40):
        assert (null.at_most(w), null.at_least(w)) == (pytest.approx(theirs.cdf(w), rel=1e-12), pytest.approx(theirs.sf(w), rel=1e-12))
    assert (null.low(0.05), null.high(0.05)) == pytest.approx((theirs.ppf(0.05), theirs.isf(0.05)))
    point = SignedRank([1, 2], [1, 2], method="normal").null  # no ranks: all of it lies on 0
    assert (point.at_most(-0.5), point.at_most(0), point.at_least(0), point.at_least(0.5)) == (0, 1, 1, 0)
    assert (point.low(0.05), point.high(0.05)) == (-np.inf, np.inf)
