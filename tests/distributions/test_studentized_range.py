"""The studentized range against SciPy, against the cases that have a closed form, and against itself."""

from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, special, stats

from fstats.distributions.studentized_range import StudentizedRange

DEMSAR_TABLE_5A = {  # JMLR 7, page 16: the quantiles divided by the root of 2, for k = 2 to 10
    0.05: [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164],
    0.10: [1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920],
}


@pytest.mark.parametrize("df", [1, 2, 5, 12, 39, 120, np.inf])
@pytest.mark.parametrize("k", [2, 3, 6, 20])
def test_as_scipy(k, df):
    q = np.array([1.2, 3.9])
    ours = StudentizedRange(k, df)
    np.testing.assert_allclose(ours.at_most(q), stats.studentized_range.cdf(q, k, df), rtol=0, atol=1e-8)
    np.testing.assert_allclose(ours.at_least(q), stats.studentized_range.sf(q, k, df), rtol=0, atol=1e-8)


@pytest.mark.complete
@pytest.mark.parametrize(("k", "df"), [(3, 4), (4, 39), (10, np.inf)])
def test_quantiles_as_scipys(k, df):
    assert StudentizedRange(k, df).high(0.05) == pytest.approx(stats.studentized_range.ppf(0.95, k, df), rel=1e-7)
    assert StudentizedRange(k, df).low(0.05) == pytest.approx(stats.studentized_range.ppf(0.05, k, df), rel=1e-7)


# -- two means: Student's t and the normal distribution, to the last digits of the far tails ------------------------------------
def test_the_range_of_two_normal_values_is_a_difference():
    q = np.r_[0.001, 0.1, np.arange(0.5, 50)]
    two = StudentizedRange(2)
    np.testing.assert_allclose(two.at_least(q), special.erfc(q / 2), rtol=1e-11)  # 2 P(Z > q / sqrt 2), down to 1e-267
    np.testing.assert_allclose(two.at_most(q), special.erf(q / 2), rtol=1e-11)


@pytest.mark.parametrize("df", [1, 2, 3, 7.5, 30, 200, 5000])
def test_the_studentized_range_of_two_is_students_t(df):
    q = np.r_[0.001, 0.1, 1, 3, 7, 20, 50, 58]
    two = StudentizedRange(2, df)
    # to ten digits down to 1e-12; where less than 1e-18 is at stake, it is only known to be as small as that
    np.testing.assert_allclose(two.at_least(q), 2 * special.stdtr(df, -q / np.sqrt(2)), rtol=1e-10, atol=1e-18)
    # asked back from stdtr, as the quantiles of some versions of SciPy have ten right digits only
    assert 2 * special.stdtr(df, -two.high(0.05) / np.sqrt(2)) == pytest.approx(0.05, rel=1e-11)


@pytest.mark.parametrize("k", [3, 5, 12])
def test_far_out_one_pair_decides(k):
    # P(some pair lies q apart) is at most the sum over the pairs, and at least that less all pairs of pairs (Bonferroni)
    q = np.array([12.0, 20.0, 35.0])
    one = special.erfc(q / 2)
    tail = StudentizedRange(k).at_least(q)
    assert (tail <= comb(k, 2) * one * (1 + 1e-11)).all()
    # two pairs at once are far rarer: with a common member they lie sqrt(4/3) times as far out, without one sqrt(2) times
    both = 2 * comb(comb(k, 2), 2) * special.erfc(q / 2 * np.sqrt(4 / 3))
    assert (tail >= (comb(k, 2) * one - both) * (1 - 1e-11)).all()


def test_three_means_by_another_integral_and_by_simulation():
    for q in (0.7, 2.0, 3.5, 6.0):
        inside, _ = integrate.quad(
            lambda z, q=q: 3 * np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi) * (special.ndtr(z + q) - special.ndtr(z)) ** 2,
            -12,
            12,
            epsabs=1e-13,
        )
        assert StudentizedRange(3).at_most(q) == pytest.approx(inside, rel=1e-10)
    rng = np.random.default_rng(7)
    z, spread = rng.normal(size=(5, 100_000)), np.sqrt(rng.chisquare(6, 100_000) / 6)
    ranges = np.ptp(z, axis=0) / spread
    for q in (2.0, 4.0, 6.0):
        share = (ranges >= q).mean()
        assert StudentizedRange(5, 6).at_least(q) == pytest.approx(share, abs=4 * np.sqrt(share * (1 - share) / 100_000))


# -- it fits itself -------------------------------------------------------------------------------------------------------
@given(st.integers(2, 25), st.one_of(st.integers(1, 200), st.just(np.inf)), st.floats(0, 30))
def test_both_tails_share_out_one(k, df, q):
    null = StudentizedRange(k, df)
    assert null.at_most(q) + null.at_least(q) == pytest.approx(1, abs=1e-12)
    assert 0 <= null.at_least(q) <= 1 + 1e-13
    assert null.at_least(q + 0.01) <= null.at_least(q) + 1e-13


@given(st.integers(2, 25), st.one_of(st.integers(1, 200), st.just(np.inf)), st.floats(1e-6, 0.999))
def test_quantiles_invert(k, df, alpha):
    null = StudentizedRange(k, df)
    assert null.at_least(null.high(alpha)) == pytest.approx(alpha, rel=1e-9)
    assert null.at_most(null.low(alpha)) == pytest.approx(alpha, rel=1e-9)


@pytest.mark.parametrize("alpha", DEMSAR_TABLE_5A)
def test_demsars_table_of_critical_values(alpha):
    # he rounds some down: 2.3437 is printed as 2.343, and 2.9483 as 2.949
    ours = [StudentizedRange(k).high(alpha) / np.sqrt(2) for k in range(2, 11)]
    np.testing.assert_allclose(ours, DEMSAR_TABLE_5A[alpha], rtol=0, atol=0.0011)


@pytest.mark.parametrize(("k", "df", "printed"), [(3, 10, 3.88), (4, 20, 3.96), (5, 60, 3.98), (3, 4, 5.04), (10, 120, 4.56)])
def test_the_printed_table_of_the_studentized_range(k, df, printed):
    assert StudentizedRange(k, df).high(0.05) == pytest.approx(printed, abs=0.0051)  # upper 5 % points, as in every textbook


@pytest.mark.every_case
@pytest.mark.parametrize("df", [1, 8, np.inf])
@pytest.mark.parametrize("k", [2, 3, 9])
def test_the_density_is_the_slope(k, df):
    null, q, h = StudentizedRange(k, df), np.array([0.5, 2.0, 4.0]), 1e-5
    np.testing.assert_allclose(null.density(q), (null.at_most(q + h) - null.at_most(q - h)) / (2 * h), rtol=1e-6)


def test_more_means_spread_further():
    for df in (3, 30, np.inf):
        highs = [StudentizedRange(k, df).high(0.05) for k in range(2, 15)]
        assert (np.diff(highs) > 0).all()
    assert StudentizedRange(4, 1e6).high(0.05) == pytest.approx(StudentizedRange(4).high(0.05), rel=1e-5)


def test_batches_ends_and_words():
    q = np.random.default_rng(1).uniform(0, 9, (3, 7, 5))
    null = StudentizedRange(4, 12)
    together = null.at_least(q)
    assert together.shape == q.shape
    for place in np.ndindex(q.shape):
        assert together[place] == pytest.approx(null.at_least(q[place]), rel=1e-12)
    assert isinstance(null.at_least(3.0), float)
    for df in (1, 10, np.inf):
        null = StudentizedRange(5, df)
        assert (null.at_most(0.0), null.at_least(np.inf)) == (0, 0)
        assert null.at_least(0.0) == pytest.approx(1, abs=1e-13) == null.at_most(np.inf)
        assert null.at_least(-1.0) == null.at_least(0.0)
    assert str(StudentizedRange(4)) == "studentized range of 4 with infinitely many degrees of freedom"
    assert str(StudentizedRange(3, 12)) == "studentized range of 3 with 12 degrees of freedom"
