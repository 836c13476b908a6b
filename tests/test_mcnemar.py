"""McNemar's other tests and the difference of proportions: the cases in which rivals err are answered."""

from math import comb

import numpy as np
import pytest
import scipy.stats as st

from fstats import DifferenceOfProportions, McNemar, McNemarExact, McNemarMidP, PairedTable


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


@pytest.mark.parametrize("test_class", [McNemar, McNemarExact, McNemarMidP])
@pytest.mark.parametrize("n", [0, 1, 5, 20])
def test_equal_counts_never_speak_against_h0(test_class, n):
    # others print 0.1 (p = .752) for 5 and 5, and p = 0 for a classifier compared with itself
    test = test_class(n, n)
    assert (test.pvalue, test.reject, test.effect_size) == (1, False, 0)
    if test_class is McNemar:
        assert test.statistic == 0


def test_the_published_corrected_example():
    assert McNemar(11, 1).statistic == 6.75
    assert McNemar(11, 1).pvalue == pytest.approx(0.009375, abs=5e-7)
    assert McNemar(25, 15).statistic == 2.025
    assert McNemar(25, 15).pvalue == pytest.approx(0.1547, abs=5e-5)


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


def test_mid_p_one_sided():
    # of 4 discordant records A wins 3: P(N01 < 1) + P(N01 = 1) / 2 = (1 + 4 / 2) / 16
    assert McNemarMidP(1, 3, alternative="greater").pvalue == 3 / 16
    assert McNemarMidP(1, 3, alternative="less").pvalue == 1 - 3 / 16


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.1, 0.3])
def test_the_critical_value_of_mid_p_by_trying(alpha):
    for n in range(40):
        reject = [m for m in range(n // 2 + 1) if McNemarMidP(m, n - m).pvalue <= alpha]
        assert McNemarMidP.of_size(n, alpha=alpha).critical_value == max(reject, default=-np.inf)


def test_few_records_call_for_the_exact_test():
    assert "exact test" in McNemar(11, 1).conclusion
    assert "exact test" not in McNemar(25, 15).conclusion


def test_a_squared_statistic_has_no_direction():
    with pytest.raises(ValueError, match="alternative must be 'two-sided' for McNemar; got 'greater'"):
        McNemar(11, 1, alternative="greater")
    with pytest.raises(TypeError, match="correction must be True or False; got 1"):
        McNemar(11, 1, correction=1)


def test_the_difference_of_proportions_is_two_sided_unless_asked():
    # one rival returns the lower tail, .979, for this example; swapped, .0207
    test = DifferenceOfProportions(420, 395, 500)
    pooled = (420 + 395) / 1000
    z = (0.84 - 0.79) / np.sqrt(2 * pooled * (1 - pooled) / 500)
    assert test.statistic == pytest.approx(z, rel=1e-12)
    assert test.pvalue == pytest.approx(2 * st.norm.sf(z), rel=1e-12)
    assert DifferenceOfProportions(395, 420, 500).pvalue == pytest.approx(test.pvalue, rel=1e-12)
    assert DifferenceOfProportions(420, 395, 500, alternative="greater").pvalue == pytest.approx(st.norm.sf(z), rel=1e-12)


def test_the_difference_of_proportions_ignores_pairing():
    y = np.zeros(100, int)
    a, b = (
        np.r_[np.ones(10, int), np.zeros(90, int)],
        np.r_[np.ones(20, int), np.zeros(80, int)],
    )  # B errs wherever A does, and 10 times more
    ignoring, paired = DifferenceOfProportions.from_predictions(y, a, b), McNemarExact.from_predictions(y, a, b)
    assert (ignoring.correct_a, ignoring.correct_b, ignoring.n) == (90, 80, 100)
    assert np.array_equal(ignoring.table, paired.table)
    assert paired.pvalue == 2 / 2**10 < 0.01 < 0.04 < ignoring.pvalue
    assert "use a McNemar test" in ignoring.conclusion


@pytest.mark.parametrize("right", [0, 500])
def test_all_right_or_all_wrong(right):
    test = DifferenceOfProportions(right, right, 500)
    assert (test.statistic, test.pvalue, test.effect_size) == (0, 1, 0)
    assert "nothing speaks against H0" in test.conclusion


def test_more_right_than_records():
    with pytest.raises(ValueError, match="correct_a cannot be above n; got 501 right of 500 records"):
        DifferenceOfProportions(501, 400, 500)


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


def test_the_odds_ratio_without_any_record():
    assert McNemarExact(0, 0).odds_ratio == 1
    assert tuple(McNemarExact(0, 0).ci) == (0, np.inf)
    assert McNemarExact(0, 3).odds_ratio == np.inf


def test_the_paired_interval_covers_what_it_promises():
    # 2000 samples of 60 records; accuracies .7 and .6, and the errors go together
    rng = np.random.default_rng(60)
    cells = rng.multinomial(60, [0.25, 0.05, 0.15, 0.55], 2000)  # both wrong, B right only, A right only, both right
    y = np.zeros((60, 2000), int)
    a = np.stack([np.repeat([1, 1, 0, 0], row) for row in cells], axis=1)
    b = np.stack([np.repeat([1, 0, 1, 0], row) for row in cells], axis=1)
    low, high = PairedTable(y, a, b).difference_ci
    covered = ((low <= 0.1) & (high >= 0.1)).mean()
    assert covered == pytest.approx(0.95, abs=0.02)
    ignoring = DifferenceOfProportions.from_predictions(y, a, b).ci
    assert (high - low).mean() < 0.8 * (ignoring.high - ignoring.low).mean()


def test_the_paired_interval_by_hand():
    # 10 records, A right alone on 3, B right alone on 1: 2 / 12 and sqrt(4 + 1 - 4 / 12) / 12
    table = PairedTable([0] * 10, [0] * 9 + [1], [0] * 6 + [1] * 3 + [0])
    assert (table.n01, table.n10, table.difference) == (1, 3, 0.2)
    reach = st.norm.ppf(0.975) * np.sqrt(5 - 4 / 12) / 12
    assert tuple(table.difference_ci) == pytest.approx((2 / 12 - reach, 2 / 12 + reach), rel=1e-12)


def test_the_interval_of_independent_proportions_is_walds():
    low, high = DifferenceOfProportions(420, 395, 500).ci
    reach = st.norm.ppf(0.975) * np.sqrt((0.84 * 0.16 + 0.79 * 0.21) / 500)
    assert (low, high) == pytest.approx((0.05 - reach, 0.05 + reach), rel=1e-12)


def test_the_level_of_the_test_is_that_of_the_interval():
    y, a, b = [0] * 10, [0] * 9 + [1], [0] * 6 + [1] * 3 + [0]
    test = McNemarExact.from_predictions(y, a, b, alpha=0.2)
    assert test.difference == 0.2
    assert [row.name for row in test.worked()].count("alpha") == 1
    assert test.difference_ci == PairedTable(y, a, b, alpha=0.2).difference_ci
