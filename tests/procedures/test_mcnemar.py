"""McNemar's other tests and the difference of proportions: the cases in which rivals err are answered."""

import re
from math import comb

import numpy as np
import pytest
import scipy.special as sp
import scipy.stats as st
from scipy.optimize import minimize_scalar
from shortcuts import parametrize

from fstats import DifferenceOfProportions, HoldOutMcNemar, McNemar, McNemarExact, McNemarMidP, PairedTable


def chi_squared(n01, n10, correction):
    """McNemar's formula with Edwards' correction, which stops at 0."""
    return max(0, abs(n01 - n10) - correction) ** 2 / (n01 + n10) if n01 + n10 else 0


@pytest.mark.parametrize("correction", [True, False])
def test_mcnemar_by_the_formula(correction):
    for n01 in range(15):
        for n10 in range(15):
            test = McNemar(n01, n10, correction=correction)
            assert test.statistic == pytest.approx(chi_squared(n01, n10, correction), rel=1e-15)
            assert test.pvalue == pytest.approx(st.chi2.sf(test.statistic, 1), rel=1e-12)


@pytest.mark.every_case
@pytest.mark.parametrize("test_class", [McNemar, McNemarExact, McNemarMidP])
@pytest.mark.parametrize("n", [0, 1, 5, 20])
def test_equal_counts_never_speak_against_h0(test_class, n):
    # others print 0.1 (p = .752) for 5 and 5, and p = 0 for a classifier compared with itself
    test = test_class(n, n)
    assert (test.pvalue, test.reject, test.effect_size) == (1, False, 0)
    if test_class is McNemar:
        assert test.statistic == 0


def test_the_published_corrected_example():
    assert (McNemar(11, 1).statistic, McNemar(11, 1).pvalue) == (6.75, pytest.approx(0.009375, abs=5e-7))
    assert (McNemar(25, 15).statistic, McNemar(25, 15).pvalue) == (2.025, pytest.approx(0.1547, abs=5e-5))


def test_mid_p_counts_the_observed_value_by_half():
    for n01 in range(12):
        for n10 in range(12):
            n, m = n01 + n10, min(n01, n10)
            mid = 2 * (sum(comb(n, k) for k in range(m)) + comb(n, m) / 2) / 2**n
            test = McNemarMidP(n01, n10)
            assert test.pvalue == pytest.approx(mid, rel=1e-13)
            assert test.pvalue <= McNemarExact(n01, n10).pvalue
    assert McNemarMidP(11, 1).pvalue == pytest.approx(0.00342, abs=5e-6)
    assert McNemarMidP(25, 15).pvalue == pytest.approx(0.1173, abs=5e-5)
    # of 4 discordant records A wins 3: P(N01 < 1) + P(N01 = 1) / 2 = (1 + 4 / 2) / 16
    assert (McNemarMidP(1, 3, alternative="greater").pvalue, McNemarMidP(1, 3, alternative="less").pvalue) == (3 / 16, 1 - 3 / 16)


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.1, 0.3])
def test_the_critical_value_of_mid_p_by_trying(alpha):
    for n in range(40):
        reject = [m for m in range(n // 2 + 1) if McNemarMidP(m, n - m).pvalue <= alpha]
        assert McNemarMidP.from_sample_size(n, alpha=alpha).critical_value == max(reject, default=-np.inf)


def test_few_records_and_direction():
    assert "use mid-p: fstats.McNemarMidP(" in McNemar(11, 1).conclusion
    assert "mid-p" not in McNemar(25, 15).conclusion


def test_the_difference_of_proportions():
    # one rival returns the lower tail, .979, for this example; swapped, .0207
    test = DifferenceOfProportions(420, 395, 500)
    pooled = (420 + 395) / 1000
    z = (0.84 - 0.79) / np.sqrt(2 * pooled * (1 - pooled) / 500)
    assert (test.statistic, test.pvalue) == (pytest.approx(z, rel=1e-12), pytest.approx(2 * st.norm.sf(z), rel=1e-12))
    assert DifferenceOfProportions(395, 420, 500).pvalue == pytest.approx(test.pvalue, rel=1e-12)
    assert DifferenceOfProportions(420, 395, 500, alternative="greater").pvalue == pytest.approx(st.norm.sf(z), rel=1e-12)
    y = np.zeros(100, int)
    a, b = ((np.arange(100) < wrong).astype(int) for wrong in (10, 20))  # B errs wherever A does, and 10 times more
    ignoring, paired = DifferenceOfProportions.from_predictions(y, a, b), McNemarExact.from_predictions(y, a, b)
    assert (ignoring.correct_a, ignoring.correct_b, ignoring.n) == (90, 80, 100)
    assert np.array_equal(ignoring.table, paired.table)
    assert paired.pvalue == 2 / 2**10 < 0.01 < 0.04 < ignoring.pvalue
    assert "use a McNemar test" in ignoring.conclusion


# -- intervals ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("n01", "n10"), [(11, 1), (1, 11), (0, 5), (7, 7), (25, 15)])
def test_the_odds_ratio_has_clopper_and_pearsons_interval(n01, n10):
    share = st.binomtest(n10, n01 + n10).proportion_ci(0.95, method="exact")
    low, high = McNemarExact(n01, n10).ci
    assert low == pytest.approx(share.low / (1 - share.low), rel=1e-9)
    assert high == (np.inf if share.high == 1 else pytest.approx(share.high / (1 - share.high), rel=1e-9))
    assert low <= McNemarExact(n01, n10).odds_ratio <= high


@pytest.mark.parametrize("alternative", ["greater", "less"])
def test_one_sided_odds_ratios(alternative):
    share = st.binomtest(9, 12, alternative=alternative).proportion_ci(0.95, method="exact")
    low, high = McNemarExact(3, 9, alternative=alternative).ci
    assert low == pytest.approx(share.low / (1 - share.low), rel=1e-9)
    assert high == (np.inf if share.high == 1 else pytest.approx(share.high / (1 - share.high), rel=1e-9))


def test_the_paired_interval_by_hand_and_its_coverage():
    assert (McNemarExact(0, 0).odds_ratio, tuple(McNemarExact(0, 0).ci)) == (1, (0, np.inf))
    assert McNemarExact(0, 3).odds_ratio == np.inf
    # 2000 samples of 60 records; accuracies .7 and .6, and the errors go together
    rng = np.random.default_rng(60)
    cells = rng.multinomial(60, [0.25, 0.05, 0.15, 0.55], 2000).tolist()  # both wrong, B right only, A right only, both right
    y = np.zeros((60, 2000), int)
    a = np.stack([np.repeat([1, 1, 0, 0], row) for row in cells], axis=1)
    b = np.stack([np.repeat([1, 0, 1, 0], row) for row in cells], axis=1)
    low, high = PairedTable(y, a, b).difference_ci
    assert ((low <= 0.1) & (high >= 0.1)).mean() == pytest.approx(0.95, abs=0.02)
    ignoring = DifferenceOfProportions.from_predictions(y, a, b).ci
    assert (high - low).mean() < 0.8 * (ignoring.high - ignoring.low).mean()
    # 10 records, A right alone on 3, B right alone on 1: 2 / 12 and sqrt(4 + 1 - 4 / 12) / 12
    table = PairedTable([0] * 10, [0] * 9 + [1], [0] * 6 + [1] * 3 + [0])
    assert (table.n01, table.n10, table.difference) == (1, 3, 0.2)
    reach = st.norm.ppf(0.975) * np.sqrt(5 - 4 / 12) / 12
    assert tuple(table.difference_ci) == pytest.approx((2 / 12 - reach, 2 / 12 + reach), rel=1e-12)


@parametrize(
    "counts, printed",
    ((56, 48, 70, 80), (0.0533, 0.3377)),
    ((420, 395, 500), (0.0019, 0.0982)),
    ((0, 0, 10), (-0.2775, 0.2775)),
    ((10, 0, 10), (0.6777, 1)),
)
def test_the_interval_of_independent_proportions_is_the_score_interval(counts, printed):
    """56 of 70 against 48 of 80: Newcombe (1998), Statistics in Medicine 17, method 5; without successes z^2 / (n + z^2)."""
    assert tuple(DifferenceOfProportions(*counts).ci) == pytest.approx(printed, abs=5e-5)


def likeliest(right_a, n_a, right_b, n_b, apart):
    """The accuracy of A that explains the counts best if B's is lower by that much, by search."""

    def unlikely(p):
        q = np.clip(p - apart, 0, 1)
        return -sum(sp.xlogy(*term) for term in ((right_a, p), (n_a - right_a, 1 - p), (right_b, q), (n_b - right_b, 1 - q)))

    return minimize_scalar(unlikely, bounds=(max(apart, 0), min(1 + apart, 1)), method="bounded", options={"xatol": 1e-12}).x


@pytest.mark.parametrize("seed", range(60))
def test_the_ends_of_the_score_interval_are_just_not_rejected(seed):
    rng = np.random.default_rng([8, seed])
    n_a, n_b = rng.integers(2, 300, 2)
    right_a, right_b = rng.integers(0, n_a + 1), rng.integers(0, n_b + 1)
    for end, z in zip(DifferenceOfProportions(right_a, right_b, n_a, n_b).ci, (1.959964, -1.959964)):
        p = likeliest(right_a, n_a, right_b, n_b, end)
        q = p - end
        assert (right_a / n_a - right_b / n_b - end) / np.sqrt(p * (1 - p) / n_a + q * (1 - q) / n_b) == pytest.approx(z, abs=1e-4)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_the_interval_of_proportions_holds_0_where_h0_is_not_rejected(alternative):
    rng = np.random.default_rng(80)
    n, n_b = rng.integers(1, 60, (2, 3000))
    test = DifferenceOfProportions(rng.integers(0, n + 1), rng.integers(0, n_b + 1), n, n_b, alternative=alternative)
    assert test.reject.any()
    np.testing.assert_array_equal((test.ci.low <= 0) & (test.ci.high >= 0), ~test.reject)


def test_the_interval_at_extreme_sizes():
    sizes = np.array([1, 2, 7, 1000, 10**6, 10**9])
    n, n_b = (axis.ravel() for axis in np.meshgrid(sizes, sizes))
    for share_a, share_b in ((0, 0), (0, 1), (1, 1), (0.5, 0.5), (1e-6, 0), (0.999, 1), (0.3, 0.3001)):
        test = DifferenceOfProportions(np.round(share_a * n), np.round(share_b * n_b), n, n_b)
        assert np.isfinite([test.ci.low, test.ci.high]).all()
        assert (test.ci.low >= -1).all()
        assert (test.ci.high <= 1).all()
        assert ((test.ci.low <= test.difference + 1e-9) & (test.difference <= test.ci.high + 1e-9)).all()
        np.testing.assert_array_equal((test.ci.low <= 0) & (test.ci.high >= 0), ~test.reject)


@pytest.mark.parametrize("n", [1, 5, 50, 5000])
@pytest.mark.parametrize("share", [0, 1])
def test_records_that_are_all_alike_leave_a_difference_open(n, share):
    """Wald's interval has no width there: five records would prove equivalence at any margin."""
    z = st.norm.ppf(0.95)
    assert DifferenceOfProportions(share * n, share * n, n, alpha=0.1).ci.high == pytest.approx(z**2 / (n + z**2), rel=1e-6)


@pytest.mark.parametrize("counts", [(45, 160, 50, 200), (3, 40, 7, 41), (0, 9, 10, 1000), (250, 1, 300, 2), (420, 395, 500, 500)])
def test_two_test_sets_of_different_sizes(counts):
    right_a, right_b, n_a, n_b = counts
    test = DifferenceOfProportions(*counts)
    pooled = (right_a + right_b) / (n_a + n_b)
    z = (right_a / n_a - right_b / n_b) / np.sqrt(pooled * (1 - pooled) * (1 / n_a + 1 / n_b))
    assert test.statistic == pytest.approx(z, rel=1e-12)
    from statsmodels.stats import proportion

    for alternative, theirs in (("two-sided", "two-sided"), ("greater", "larger"), ("less", "smaller")):
        expected = proportion.proportions_ztest([right_a, right_b], [n_a, n_b], alternative=theirs)
        ours = DifferenceOfProportions(*counts, alternative=alternative)
        assert (ours.statistic, ours.pvalue) == pytest.approx(expected, rel=1e-9)
    swapped = DifferenceOfProportions(right_b, right_a, n_b, n_a)
    assert (swapped.statistic, swapped.pvalue) == pytest.approx((-test.statistic, test.pvalue), rel=1e-12)
    assert ("use a McNemar test" in test.conclusion) == (n_a == n_b)
    assert swapped.ci == pytest.approx((-test.ci.high, -test.ci.low), abs=1e-12)


def test_one_size_is_the_size_of_both():
    one, two = DifferenceOfProportions(420, 395, 500), DifferenceOfProportions(420, 395, 500, 500)
    assert (one.n_b, one.statistic, one.ci) == (500, two.statistic, two.ci)
    assert DifferenceOfProportions.from_steps(correct_a=420, correct_b=395, n=500).pvalue == one.pvalue
    assert DifferenceOfProportions.from_steps(correct_a=45, correct_b=160, n=50, n_b=200).pvalue == pytest.approx(0.0997, abs=5e-5)


@pytest.mark.parametrize("counts", [(7, 9, 7, 9), (0, 0, 7, 9)])
def test_all_right_or_all_wrong_on_different_records(counts):
    test = DifferenceOfProportions(*counts)
    assert (test.statistic, test.pvalue) == (0, 1)
    assert test.ci.low < -0.2
    assert test.ci.high > 0.2


def test_level_of_the_interval_and_the_remark():
    y, a, b = [0] * 10, [0] * 9 + [1], [0] * 6 + [1] * 3 + [0]
    test = McNemarExact.from_predictions(y, a, b, alpha=0.2)
    assert (test.difference, [row.name for row in test.worked()].count("alpha")) == (0.2, 1)
    assert test.difference_ci == PairedTable(y, a, b, alpha=0.2).difference_ci
    for test in (McNemar(11, 1), HoldOutMcNemar(11, 1)):
        (call,) = re.findall(r"fstats\.(McNemarMidP\(.*?\))\.$", test.remark)
        assert eval(call, {"McNemarMidP": McNemarMidP, "test": test}).pvalue == McNemarMidP(11, 1).pvalue
