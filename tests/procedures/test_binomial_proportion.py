"""One accuracy: p, critical values, intervals and coverage against plain loops and SciPy, and what little or strange data give."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pytest
import scipy.stats as st
from shortcuts import assert_raises, parametrize

from fstats import BinomialProportion, OneSampleT, power, report, sample_size
from fstats.distributions.binomial import Binomial
from fstats.planning.binomial_power import ProportionPower
from fstats.procedures.contingency.proportion_interval import METHOD_NAMES, expected_half_width, proportion_interval

ALTERNATIVES = ("two-sided", "less", "greater")
SHARES = (0.0, 0.01, 0.1, 0.3, 1 / 3, 0.5, 0.75, 0.9, 1.0)
SIZES = (1, 2, 3, 8, 20, 37)


def by_fractions(right, n, share):
    """All two-sided and one-sided p-values by the definition, exactly."""
    chances = [comb(n, k) * share**k * (1 - share) ** (n - k) for k in range(n + 1)]
    improbable = sum(chance for chance in chances if chance <= chances[right])
    return {"two-sided": improbable, "less": sum(chances[: right + 1]), "greater": sum(chances[right:])}


# -- the test ------------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("n", [1, 2, 7, 20])
@pytest.mark.parametrize("share", [Fraction(0), Fraction(1, 10), Fraction(1, 3), Fraction(1, 2), Fraction(7, 8), Fraction(1)])
def test_p_by_its_definition_in_fractions(n, share):
    for right in range(n + 1):
        for alternative, expected in by_fractions(right, n, share).items():
            p = BinomialProportion(right, n, float(share), alternative=alternative).pvalue
            assert p == pytest.approx(float(expected), rel=1e-12, abs=1e-300)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_p_and_intervals_are_those_of_scipy(alternative):
    for n, share in product(SIZES, SHARES):
        for right in range(0, n + 1, 1 + n // 8):
            other = st.binomtest(right, n, share, alternative=alternative)
            test = BinomialProportion(right, n, share, alternative=alternative)
            assert test.pvalue == pytest.approx(other.pvalue, rel=1e-10, abs=1e-300)
            for method, name in (("wilson", "wilson"), ("clopper-pearson", "exact")):
                ends = other.proportion_ci(0.95, name)
                assert tuple(test.assuming(method=method).ci) == pytest.approx((ends.low, ends.high), abs=1e-9)


@pytest.mark.parametrize(
    ("right", "n", "share"), [(490_500, 1_000_000, 0.49), (3, 10**9, 1e-9), (99_990_000, 10**8, 0.9999), (10, 10**6, 0.5)]
)
def test_p_of_many_records(right, n, share):
    assert BinomialProportion(right, n, share).pvalue == pytest.approx(max(st.binomtest(right, n, share).pvalue, 5e-324), rel=1e-6)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("alpha", [1e-300, 1e-8, 0.001, 0.05, 0.1, 0.3, 0.5])
def test_the_critical_values_bound_the_counts_that_reject(alternative, alpha):
    for n, share in product((1, 2, 5, 20), SHARES):
        count = np.arange(n + 1.0)
        test = BinomialProportion(count, np.full(n + 1, n), share, alternative=alternative, alpha=alpha)
        low, high = test.tail.region(test.critical_value)
        inside = ((count <= low) & np.isfinite(low)) | ((count >= high) & np.isfinite(high))
        assert np.array_equal(inside, test.reject)


def test_two_sided_is_not_twice_the_smaller_tail():
    test = BinomialProportion(7, 12, 0.3)
    assert test.pvalue < 2 * BinomialProportion(7, 12, 0.3, alternative="greater").pvalue


# -- the intervals -------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("n", SIZES)
def test_jeffreys_ends_are_beta_quantiles_and_0_and_1(n):
    for right in range(n + 1):
        low, high = BinomialProportion(right, n, method="jeffreys").ci
        law = st.beta(right + 0.5, n - right + 0.5)
        assert low == pytest.approx(0.0 if right == 0 else law.ppf(0.025), abs=1e-12)
        assert high == pytest.approx(1.0 if right == n else law.ppf(0.975), abs=1e-12)


@pytest.mark.parametrize("n", SIZES)
def test_each_interval_holds_what_defines_it(n):
    """Wilson: the score at each end is z; Clopper-Pearson: each tail at its end is alpha / 2."""
    z = st.norm.ppf(0.975)
    for right in range(n + 1):
        for end, side in zip(BinomialProportion(right, n).ci, (1, -1)):
            if 0 < end < 1:
                assert side * (right / n - end) / np.sqrt(end * (1 - end) / n) == pytest.approx(z, rel=1e-9)
        low, high = BinomialProportion(right, n, method="clopper-pearson").ci
        assert low == 0 if right == 0 else st.binom.sf(right - 1, n, low) == pytest.approx(0.025, rel=1e-9)
        assert high == 1 if right == n else st.binom.cdf(right, n, high) == pytest.approx(0.025, rel=1e-9)


@pytest.mark.parametrize("method", METHOD_NAMES)
def test_intervals_stay_within_0_and_1_where_the_t_interval_does_not(method):
    for right, n in ((0, 1), (1, 1), (0, 20), (20, 20), (19, 20), (10, 10)):
        for alternative in ALTERNATIVES:
            low, high = BinomialProportion(right, n, method=method, alternative=alternative).ci
            assert 0 <= low < high <= 1
    assert tuple(OneSampleT([1] * 10).ci) == (1, 1)
    assert OneSampleT([1] * 19 + [0]).ci.high > 1.05


@pytest.mark.parametrize("method", METHOD_NAMES)
def test_right_and_wrong_exchanged_mirror_the_interval(method):
    for right in range(14):
        low, high = BinomialProportion(right, 13, method=method).ci
        assert tuple(BinomialProportion(13 - right, 13, method=method).ci) == pytest.approx((1 - high, 1 - low), abs=1e-12)


# -- coverage ------------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("method", METHOD_NAMES)
@pytest.mark.parametrize("n", [1, 7, 30])
def test_coverage_is_the_sum_over_all_counts(method, n):
    shares = np.r_[np.linspace(0, 1, 57), BinomialProportion(n // 2, n, method=method).ci]
    found = BinomialProportion.coverage(n, shares, method=method, alpha=0.1)
    ends = [BinomialProportion(k, n, method=method, alpha=0.1).ci for k in range(n + 1)]
    expected = [sum(st.binom.pmf(k, n, share) for k in range(n + 1) if ends[k].holds(share)) for share in shares]
    np.testing.assert_allclose(found, expected, atol=1e-12)
    if method == "clopper-pearson":
        assert found.min() >= 0.9


def test_one_method_is_conservative_and_two_are_right_on_average():
    # Brown, Cai and DasGupta (2001), section 3: Clopper-Pearson is conservative, the other two are right on average
    shares = np.linspace(0.0005, 0.9995, 1000)
    means = {method: BinomialProportion.coverage(50, shares, method=method).mean() for method in METHOD_NAMES}
    assert means["clopper-pearson"] > 0.965
    assert abs(means["wilson"] - 0.95) < 0.005
    assert abs(means["jeffreys"] - 0.95) < 0.005


def test_the_picture_of_coverage_says_its_range():
    from fstats.plot import coverage

    text = coverage(BinomialProportion(19, 20, method="clopper-pearson")).text
    assert "95 % interval by Clopper-Pearson's method with n = 20 records" in text
    assert "from 0.958 to 1" in text
    assert_raises(lambda: coverage(OneSampleT([1, 2, 3])), r"coverage\(\) needs a BinomialProportion; got OneSampleT", TypeError)
    with pytest.raises(ValueError, match=r"has no single picture. Choose one repetition, such as fstats.plot.coverage\(test.at\(0\)\)"):
        coverage(BinomialProportion([1, 2], [4, 4]))


# -- where the counts come from ------------------------------------------------------------------------------------------------
def test_records_are_counted():
    flags = np.array([[1, 0], [1, 1], [0, 0], [1, 0]])
    batch = BinomialProportion.from_records(flags, share=0.6)
    assert batch.right.tolist() == [3, 1]
    assert batch.n == 4
    truth, said = list("xxyy"), list("xyyy")
    assert BinomialProportion.from_records(truth, said).to_dict() == BinomialProportion(3, 4).to_dict()
    assert BinomialProportion.from_records([True, False]).right == 1


# -- degenerate data, and words ------------------------------------------------------------------------------------------------
@parametrize(
    "test, p, remark",
    (BinomialProportion(1, 1), 1, "no count could have rejected H0"),
    (BinomialProportion(0, 20, 0), 1, "no record could be right: a single one would disprove H0"),
    (BinomialProportion(1, 20, 0), 5e-324, "no record could be right: a single one disproves H0"),
    (BinomialProportion(20, 20, 1), 1, "no record could be wrong: a single one would disprove H0"),
    (BinomialProportion(19, 20, 1), 5e-324, "no record could be wrong: a single one disproves H0"),
    (BinomialProportion(14, 20, 0.7), 1, "The accuracy is exactly the share under H0: the data give no evidence against H0."),
    (BinomialProportion(1, 8), 9 / 128, "it does not contain 0.5 although the test does not reject H0"),
    (BinomialProportion(20, 20), 2.0**-19, ""),
)
def test_little_and_strange_data_have_an_answer(test, p, remark):
    assert test.pvalue == pytest.approx(p, rel=1e-12)
    assert remark in test.remark
    assert bool(remark) == bool(test.remark)
    assert "nan" not in repr(test)


def test_the_sentences():
    assert BinomialProportion(19, 20).conclusion.endswith("above 0.5, at 0.95 (with 95 % confidence between 0.7639 and 0.9911).")
    assert "(with 95 % confidence at least 0.804)" in BinomialProportion(19, 20, alternative="greater").conclusion
    assert "do not show that the true accuracy differs from 0.9" in BinomialProportion(19, 20, 0.9).conclusion
    text = report(BinomialProportion(19, 20, method="jeffreys")).text
    assert "n = 20 records, share under H0 0.5, accuracy 0.95, 95 % confidence interval by Jeffreys's method [0.7892, 0.9946]" in text


# -- plans ---------------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_power_is_the_sum_over_the_counts_that_reject(alternative):
    for n, share, effect in product((1, 5, 40), (0.2, 0.5, 0.9), (-0.15, 0.0, 0.1)):
        rejected = BinomialProportion(np.arange(n + 1), np.full(n + 1, n), share, alternative=alternative).reject
        expected = st.binom.pmf(np.arange(n + 1), n, share + effect)[rejected].sum()
        found = power(BinomialProportion, n=n, effect_size=effect, share=share, alternative=alternative)
        assert found.value == pytest.approx(expected, rel=1e-9, abs=1e-15)
        assert found.standard_error == 0


@pytest.mark.parametrize(
    ("effect", "share", "alternative"), [(0.1, 0.8, "two-sided"), (0.3, 0.5, "greater"), (-0.1, 0.1, "less"), (0.06, 0.5, "two-sided")]
)
def test_the_smallest_size_of_the_saw_is_found(effect, share, alternative):
    settings = dict(share=share, alternative=alternative)
    found = sample_size(BinomialProportion, effect_size=effect, **settings)
    every = ProportionPower(share + effect, settings).power(np.arange(1, found.n + 200))
    assert found.n == 1 + int(np.argmax(every >= 0.8))
    assert found.value == pytest.approx(every[found.n - 1], rel=1e-12)
    if found.n > 50:
        assert (every[found.n :] < 0.8).any()  # a larger size may have less power


@pytest.mark.parametrize("method", METHOD_NAMES)
@pytest.mark.parametrize("accuracy", [None, 0.5, 0.95])
def test_the_size_for_a_margin_is_the_smallest(method, accuracy):
    found = sample_size(BinomialProportion, margin=0.06, accuracy=accuracy, method=method)

    def half_width(n):
        ends = [BinomialProportion(k, n, method=method).ci for k in range(n + 1)]
        halves = np.array([float(end.high - end.low) / 2 for end in ends])
        return halves.max() if accuracy is None else float(st.binom.pmf(np.arange(n + 1), n, accuracy) @ halves)

    assert found.value == pytest.approx(half_width(found.n), rel=1e-9)
    assert found.value <= 0.06 < half_width(found.n - 1)
    assert repr(found).startswith("half-width 0.0")


def test_the_widest_interval_is_that_of_half_the_records():
    for method, n in product(METHOD_NAMES, range(1, 80)):
        low, high = proportion_interval(np.arange(n + 1.0), np.float64(n), method, 0.05)
        assert expected_half_width(n, None, method, 0.05) == pytest.approx((high - low).max() / 2, rel=1e-12)


def test_margin_and_power_together():
    found = sample_size(BinomialProportion, margin=0.05, effect_size=0.1, share=0.8)
    assert found.n == sample_size(BinomialProportion, margin=0.05).n == 381
    assert found.value > 0.99


# -- the distribution ------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("n", "share"), [(1, 0.5), (12, 0.0), (12, 1.0), (40, 0.3), (10_000, 0.999)])
def test_the_distribution_is_scipys(n, share):
    law, null = st.binom(n, share), Binomial(n, share)
    for k in {-1, 0, 1, n // 2, n - 1, n, n + 1}:
        assert null.at_most(k) == pytest.approx(law.cdf(k), rel=1e-10, abs=1e-300)
        assert null.at_least(k) == pytest.approx(law.sf(k - 1), rel=1e-10, abs=1e-300)
    x, chances = null.atoms()
    np.testing.assert_allclose(chances, law.pmf(x), rtol=1e-9, atol=1e-300)
    assert chances.sum() == pytest.approx(1, rel=1e-9)
    assert Binomial(np.array([n]), share).low(0.05)[0] == null.low(0.05)
