"""The paired t-test against the slides' formula, SciPy, and data that leave nothing to compute."""

from math import sqrt

import numpy as np
import pytest
from scipy import stats

from fstats import PairedT

ALTERNATIVES = ("two-sided", "less", "greater")
COURSE = [85, 70, 79, 78, 83], [87, 68, 85, 75, 83]


def random_scores(seed, n):
    """Two classifiers of similar quality on n data sets."""
    return np.random.default_rng(seed).normal(0.8, 0.05, (2, n))


# -- the right numbers ----------------------------------------------------------------------------------------------------
def slides(a, b):
    """T7, "Parametric case: the paired t-test", in plain Python: mean, standard deviation, t."""
    d = [x - y for x, y in zip(a, b, strict=True)]
    m = len(d)
    mean = sum(d) / m
    deviation = sqrt(sum((x - mean) ** 2 for x in d) / (m - 1))
    return mean, deviation, mean / (deviation / sqrt(m))


@pytest.mark.complete
@pytest.mark.parametrize("n", [2, 3, 5, 15, 100])
def test_the_formula_of_the_slides(n):
    for seed in range(20):
        a, b = random_scores(seed, n)
        test = PairedT(a, b)
        assert (test.mean, test.sd, test.statistic) == pytest.approx(slides(a.tolist(), b.tolist()), rel=1e-11)
        assert test.df == n - 1


@pytest.mark.complete
@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("n", [2, 3, 5, 15, 100])
def test_scipy(n, alternative):
    for seed in range(20):
        a, b = random_scores(seed, n)
        for level in (0.01, 0.05, 0.2):
            ours = PairedT(a, b, alternative=alternative, alpha=level)
            theirs = stats.ttest_rel(a, b, alternative=alternative)
            # t to 12 digits relative to its standard error, or the cancellation in a mean near 0 would count
            assert ours.statistic == pytest.approx(theirs.statistic, rel=1e-12, abs=1e-12)
            assert ours.pvalue == pytest.approx(theirs.pvalue, rel=1e-12)
            assert tuple(ours.ci) == pytest.approx(tuple(theirs.confidence_interval(1 - level)), rel=1e-11, abs=1e-13)


def test_the_course_example_and_its_two_slips():
    test = PairedT(*COURSE)
    assert (test.d.tolist(), test.mean, test.sd) == ([-2, 2, -6, 3, 0], -0.6, pytest.approx(3.5777, abs=5e-5))
    assert (test.se, test.statistic) == (pytest.approx(1.6, rel=1e-15), pytest.approx(-0.375, rel=1e-15))
    assert (test.critical_value, test.pvalue) == (pytest.approx(2.776, abs=5e-4), pytest.approx(0.727, abs=5e-4))
    assert not test.reject
    assert (tuple(test.ci), test.effect_size) == (pytest.approx((-5.0423, 3.8423), abs=5e-5), pytest.approx(-0.6 / 3.57770876))
    # the slide divides by M where its formula says M - 1 (3.2 for 3.578), and by sqrt(5 - 1) where it says sqrt(5)
    test = PairedT(*COURSE)
    assert (sqrt((test.d**2).mean() - test.mean**2), -0.6 / (3.2 / sqrt(5 - 1))) == (pytest.approx(3.2), pytest.approx(test.statistic))
    assert -0.6 / (test.sd / sqrt(5)) == pytest.approx(test.statistic)
    assert test.assuming(sd=3.2).statistic == pytest.approx(-0.419, abs=5e-4)
    rows = {row.name: row for row in PairedT(*COURSE).worked()}
    assert rows["d"].substituted == "85 - 87"  # of the first data set
    assert rows["mean"].substituted == r"\frac{1}{5} (-2 + 2 - 6 + 3 + 0)"
    assert rows["sd"].substituted == r"\sqrt{\frac{1}{5 - 1} \sum_i (d_i - \left(-0.6\right))^2}"
    assert (rows["se"].substituted, rows["statistic"].substituted) == (r"\frac{3.578}{\sqrt{5}}", r"\frac{-0.6}{1.6}")
    assert (rows["pvalue"].substituted, rows["reject"].substituted) == (r"2\,P(T_0 \geq |-0.375|)", r"0.7267 > 0.05")
    assert rows["ci"].formula.startswith(r"[\bar d - c\,\mathrm{SE}")
    assert "with 4 degrees of freedom" in str(rows["null"].value)


def test_from_published_summaries():
    test = PairedT.from_steps(n=5, mean=-0.6, sd=3.5777)
    full = PairedT(*COURSE)
    for step in ("se", "statistic", "df", "pvalue", "critical_value", "effect_size"):
        assert getattr(test, step) == pytest.approx(getattr(full, step), rel=1e-5)
    assert "d" not in {row.name for row in test.worked()}


# -- the three alternatives -----------------------------------------------------------------------------------------------
def test_one_sided_values_and_intervals():
    two, less, greater = (PairedT(*COURSE, alternative=alternative) for alternative in ALTERNATIVES)
    assert less.pvalue < 0.5 < greater.pvalue  # A is worse on average
    assert (less.pvalue + greater.pvalue, two.pvalue) == (pytest.approx(1), pytest.approx(2 * less.pvalue))
    less, greater = (PairedT(*COURSE, alternative=alternative) for alternative in ("less", "greater"))
    assert greater.critical_value == -less.critical_value == pytest.approx(stats.t.ppf(0.95, 4))
    assert (less.ci.low, greater.ci.high, less.ci.high) == (-np.inf, np.inf, pytest.approx(-0.6 + 2.1318 * 1.6, abs=1e-3))
    assert greater.ci.low == pytest.approx(-0.6 - 2.1318 * 1.6, abs=1e-3)


# -- degenerate data ------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("alternative", "p"), [("two-sided", 0), ("greater", 0), ("less", 1)])
def test_differences_all_equal_and_positive(alternative, p):
    test = PairedT([4, 5, 6], [1, 2, 3], alternative=alternative)
    assert (test.sd, test.statistic, test.pvalue, test.effect_size) == (0, np.inf, p, np.inf)
    assert test.reject == (p == 0)
    assert test.remark == f"All differences are 3: there is no spread to measure luck by, hence p = {p}; look for a mistake in the data."
    assert test.remark in test.conclusion
    assert tuple(test.ci) == {"two-sided": (3, 3), "greater": (3, np.inf), "less": (-np.inf, 3)}[alternative]


def test_what_prints_equal_is_equal():
    # 0.88 - 0.85 and 0.69 - 0.66 differ in the 17th digit; no spread may come of that
    test = PairedT([0.88, 0.69, 0.80], [0.85, 0.66, 0.77])
    assert len(set(test.d.tolist())) == 1
    assert (test.sd, test.statistic, test.pvalue) == (0, np.inf, 0)
    # 0.1 + 0.2 and 0.3 differ in the 17th digit; a t of such differences would be infinite
    test = PairedT([0.1 + 0.2] * 5, [0.3] * 5)
    assert test.d.tolist() == [0] * 5
    assert (test.statistic, test.pvalue, test.effect_size) == (0, 1, 0)
    test = PairedT([0.8300001, 0.83, 0.83], [0.80, 0.80, 0.80])
    assert 1e-8 < test.sd < 1e-6
    assert np.isfinite(test.statistic)


def test_degenerate_repetitions_in_a_batch():
    d = np.array([[1, 1, 1], [2, 2, 2], [0, 0, 0], [-2, -2, -2], [1, 2, 4]], float).T
    test = PairedT(d, np.zeros_like(d))
    assert (test.statistic[:4].tolist(), test.pvalue[:4].tolist()) == ([np.inf, np.inf, 0, -np.inf], [0, 0, 1, 0])
    assert test.effect_size[:4].tolist() == [np.inf, np.inf, 0, -np.inf]
    assert 0 < test.pvalue[4] < 1
    assert not np.isnan([*test.ci]).any()
    assert test.remark == ""  # a batch has no one remark


def test_few_data_sets_and_small_p():
    # t = 1e10 with 999 degrees of freedom has p far below the smallest float
    test = PairedT.from_steps(n=1000, mean=1e10, sd=sqrt(1000))
    assert (test.statistic, test.df) == (pytest.approx(1e10), 999)
    assert 0 < test.pvalue < 1e-300
    assert 0 < PairedT.from_steps(df=999, statistic=np.array([1e10, 3.0])).pvalue[0] < 1e-300
    assert PairedT.from_steps(df=999, statistic=1e10, alternative="less").pvalue == 1
    test = PairedT([1, 3], [0, 0])
    assert test.df == 1
    assert test.statistic == pytest.approx(2)  # mean 2, deviation sqrt 2, standard error 1
    assert test.pvalue == pytest.approx(1 - 2 * np.arctan(2) / np.pi)  # Student's t with 1 df is Cauchy's distribution
