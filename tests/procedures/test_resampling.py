"""Tests on resampled scores: each statistic against a plain loop from its source's formula, and what is known of each."""

from math import sqrt

import numpy as np
import pytest
import scipy.stats as st
from hypothesis import given
from hypothesis import strategies as some
from hypothesis.extra.numpy import arrays
from shortcuts import parametrize

import fstats

SEED = 50
close = pytest.approx


def draws(rng, *shape, times=20):
    """Differences of accuracies, different ones in each draw."""
    return [rng.normal(0.01, 0.02, shape).round(3) for _ in range(times)]


# -- plain loops from the sources' formulas -----------------------------------------------------------------------------
def mean_and_variance(x):
    """Mean, and sample variance with divisor J - 1."""
    total = 0.0
    for value in x:
        total += value
    mean, squares = total / len(x), 0.0
    for value in x:
        squares += (value - mean) ** 2
    return mean, squares / (len(x) - 1)


def within_replications(d):
    """s_i^2 of each replication, as Dietterich writes it."""
    variances = []
    for first, second in d:
        mean = (first + second) / 2
        variances.append((first - mean) ** 2 + (second - mean) ** 2)
    return variances


def assert_t(test, statistic, df):
    """A t statistic and its three p-values."""
    assert (test.statistic, test.df) == (close(statistic, rel=1e-12), df)
    assert test.pvalue == close(2 * st.t.sf(abs(statistic), df), rel=1e-10)
    assert test.assuming(alternative="greater").pvalue == close(st.t.sf(statistic, df), rel=1e-10)
    assert test.assuming(alternative="less").pvalue == close(st.t.cdf(statistic, df), rel=1e-10)


@parametrize("test_class, size", (fstats.ResampledT, 15), (fstats.ResampledT, 30), (fstats.KFoldT, 10), (fstats.KFoldT, 5))
def test_t_over_splits_as_if_independent(rng, test_class, size):
    for d in draws(rng, size):
        mean, variance = mean_and_variance(d)
        assert_t(test_class(d), mean / sqrt(variance / size), size - 1)
        assert test_class(d).statistic == close(st.ttest_1samp(d, 0).statistic, rel=1e-12)
        low, high = st.ttest_1samp(d, 0).confidence_interval()
        assert tuple(test_class(d).ci) == close((low, high), rel=1e-10)
        assert test_class(d).effect_size == close(mean / sqrt(variance), rel=1e-12)


@pytest.mark.parametrize(("size", "ratio"), [(15, 1 / 9), (15, 0.5), (30, 1 / 9), (10, 1 / 9)])
def test_the_corrected_resampled_t(rng, size, ratio):
    for d in draws(rng, size):
        mean, variance = mean_and_variance(d)
        assert_t(fstats.CorrectedResampledT(d, test_train_ratio=ratio), mean / sqrt((1 / size + ratio) * variance), size - 1)


def test_corrected_and_5x2_t_tests(rng):
    for d in draws(rng, 10, 10):
        mean, variance = mean_and_variance([x for line in d for x in line])
        assert_t(fstats.CorrectedRepeatedKFoldT(d), mean / sqrt((1 / (10 * 10) + 1 / 9) * variance), 99)
        assert fstats.CorrectedRepeatedKFoldT(d.ravel()).pvalue == fstats.CorrectedRepeatedKFoldT(d).pvalue
    for d in draws(rng, 5, 2):
        variances = within_replications(d)
        assert fstats.FiveByTwoT(d).variances == close(variances, rel=1e-12)
        assert fstats.FiveByTwoT(d).variances == close([(a - b) ** 2 / 2 for a, b in d], rel=1e-12)
        assert_t(fstats.FiveByTwoT(d), d[0][0] / sqrt(sum(variances) / 5), 5)
        mean = sum(x for line in d for x in line) / 10
        assert_t(fstats.CombinedFiveByTwoT(d), sqrt(10) * mean / sqrt(sum(variances) / 5), 5)  # as Yildiz writes it
        assert (
            fstats.FiveByTwoT(d).effect_size
            == fstats.CombinedFiveByTwoT(d).effect_size
            == close(mean / sqrt(sum(variances) / 5), rel=1e-12)
        )
    for d in draws(rng, 5, 2):
        reach = st.t.ppf(0.975, 5) * sqrt(sum(within_replications(d)) / 5)
        assert tuple(fstats.FiveByTwoT(d).ci) == close((d[0][0] - reach, d[0][0] + reach), rel=1e-10)
        reach /= sqrt(10)
        assert tuple(fstats.CombinedFiveByTwoT(d).ci) == close((d.mean() - reach, d.mean() + reach), rel=1e-9)


@pytest.mark.parametrize(("test_class", "df"), [(fstats.CombinedFiveByTwoF, 10), (fstats.CalibratedFiveByTwoF, 7)])
def test_the_5x2_f_tests(rng, test_class, df):
    for d in draws(rng, 5, 2):
        squares = sum(x**2 for line in d for x in line)
        test = test_class(d)
        assert test.statistic == close(squares / (2 * sum(within_replications(d))), rel=1e-12)
        assert (test.df, test.df_error) == (df, 5)
        assert test.pvalue == close(st.f.sf(test.statistic, df, 5), rel=1e-10)


def test_blocked_bootstrap_and_conservative_tests(rng):
    for d in draws(rng, 3, 2):
        mean = sum(x for line in d for x in line) / 6
        squares = sum((x - mean) ** 2 for line in d for x in line)
        assert_t(fstats.BlockedThreeByTwoT(d), mean / sqrt(squares / 6), 5)  # divided by 6 once
        assert fstats.BlockedThreeByTwoT(d).effect_size == close(mean / sqrt(squares / 5), rel=1e-12)
    for d, replicates in zip(draws(rng, 15), draws(rng, 15, 8), strict=True):
        means = [sum(replicates[j][r] for j in range(15)) / 15 for r in range(8)]
        _, variance = mean_and_variance(means)
        assert_t(fstats.PseudoBootstrapT(d, replicates), d.mean() / sqrt(variance), 7)
        corrected = fstats.CorrectedPseudoBootstrapT(d, replicates, test_train_ratio=1 / 9)
        assert_t(corrected, d.mean() / sqrt((1 + 15 / 9) * variance), 7)
        assert corrected.variance / fstats.PseudoBootstrapT(d, replicates).variance == close(8 / 3, rel=1e-12)
        assert fstats.CorrectedPseudoBootstrapT(d, replicates, test_train_ratio=0.5).variance == close(8.5 * variance, rel=1e-12)
    for d, halves in zip(draws(rng, 15), draws(rng, 10, 2), strict=True):
        squares = sum((one - other) ** 2 for one, other in halves)
        z = d.mean() / sqrt(squares / (2 * 10))
        test = fstats.ConservativeZ(d, halves)
        assert (test.statistic, test.pvalue) == (close(z, rel=1e-12), close(2 * st.norm.sf(abs(z)), rel=1e-10))
        assert tuple(test.ci) == close((d.mean() - 1.959963984540054 * test.se, d.mean() + 1.959963984540054 * test.se), rel=1e-10)


@pytest.mark.parametrize("labels", [list(range(5)), list("abcde"), [7.0, 3.0, 5.0, 4.0, 10.0]])
def test_the_cross_validated_z(rng, labels):
    for _ in range(10):
        d = rng.choice([-1, 0, 1], 43, p=[0.1, 0.7, 0.2])
        which = rng.permutation(np.arange(43) % 5)
        folds = [labels[k] for k in which]
        mean = sum(d) / 43
        out = sum((x - mean) ** 2 for x in d) / 43  # around the grand mean, divided by n
        inside = sum(mean_and_variance([x for x, k in zip(d, which, strict=True) if k == fold])[1] for fold in range(5)) / 5
        for variance, sigma in (("out", sqrt(out)), ("in", sqrt(inside))):
            z = mean / (sigma / sqrt(43))
            test = fstats.CrossValidatedZ(d, folds, variance=variance)
            assert (test.statistic, test.pvalue) == (close(z, rel=1e-12), close(2 * st.norm.sf(abs(z)), rel=1e-10))
            assert test.assuming(alternative="greater").pvalue == close(st.norm.sf(z), rel=1e-10)
            reach = st.norm.ppf(0.975) * sigma / sqrt(43)
            assert tuple(test.ci) == close((mean - reach, mean + reach), rel=1e-9)
            one_sided = test.assuming(alternative="greater")
            assert one_sided.ci.low == close(mean - st.norm.ppf(0.95) * sigma / sqrt(43), rel=1e-9)
            assert one_sided.reject == (one_sided.ci.low >= 0)  # Bayle and others' own test
            assert test.effect_size == close(mean / sigma, rel=1e-12)


def test_the_fold_columns_of_the_cross_validated_z():
    test = fstats.CrossValidatedZ([1, 0, 1, 0, -1, -1, 0], ["b", "b", "a", "a", "a", "b", "b"], variance="in")
    assert (test.fold_sizes.tolist(), test.fold_means.tolist()) == ([3, 4], [0, 0])
    assert test.fold_variances == close([1, 2 / 3], rel=1e-12)
    assert "fold_variances" in repr(test)
    assert "fold_variances" not in repr(test.assuming(variance="out"))


@pytest.mark.parametrize("empty", ["zero", "drop"])
def test_the_naive_mcnemar_test(rng, empty):
    seen = set()
    for _ in range(60):
        n01, n10 = rng.integers(0, 4, (2, 10))
        total, df = 0.0, 0
        for a, b in zip(n01, n10, strict=True):
            if a + b:
                total += max(abs(int(a) - int(b)) - 1, 0) ** 2 / (a + b)
            df += bool(a + b) or empty == "zero"
        test = fstats.NaiveKFoldMcNemar(n01, n10, empty=empty)
        assert (test.statistic, test.df) == (close(total, rel=1e-12), df)
        assert test.pvalue == close(st.chi2.sf(total, df), rel=1e-10)
        assert test.effect_size == close((n10.sum() - n01.sum()) / (2 * (n01.sum() + n10.sum())), rel=1e-12)
        seen.add(df)
    assert (len(seen) > 1) == (empty == "drop")


# -- a variant is its parent with one step changed ----------------------------------------------------------------------
@parametrize(
    "parent, variant, changed",
    (fstats.ResampledT, fstats.KFoldT, {"n"}),  # K, where the other says J
    (fstats.ResampledT, fstats.CorrectedResampledT, {"se"}),
    (fstats.CorrectedResampledT, fstats.CorrectedRepeatedKFoldT, set()),
    (fstats.FiveByTwoT, fstats.CombinedFiveByTwoT, {"estimate", "se"}),
    (fstats.CombinedFiveByTwoF, fstats.CalibratedFiveByTwoF, {"df"}),
    (fstats.PseudoBootstrapT, fstats.CorrectedPseudoBootstrapT, {"variance"}),
    (fstats.McNemar, fstats.HoldOutMcNemar, set()),
    (fstats.DifferenceOfProportions, fstats.ProportionalZ, set()),
)
def test_a_variant_changes_one_step(parent, variant, changed):
    assert {name for name, step in variant.steps.items() if parent.steps.get(name) is not step} == changed
    assert list(parent.steps) == list(variant.steps)


def test_what_a_plan_means():
    assert [
        cls.plan.shape
        for cls in (fstats.ResampledT, fstats.KFoldT, fstats.CorrectedResampledT, fstats.ConservativeZ, fstats.PseudoBootstrapT)
    ] == [(15,), (10,), (15,), (15,), (15,)]
    assert fstats.CorrectedRepeatedKFoldT.plan.shape == (10, 10)
    assert fstats.FiveByTwoT.plan == fstats.CombinedFiveByTwoT.plan == fstats.CombinedFiveByTwoF.plan != fstats.CalibratedFiveByTwoF.plan
    assert fstats.CalibratedFiveByTwoF.plan.shape == fstats.FiveByTwoT.plan.shape == (5, 2)
    assert (fstats.BlockedThreeByTwoT.plan.shape, fstats.ProportionalZ.plan) == ((3, 2), fstats.HoldOutMcNemar.plan)
    assert fstats.CrossValidatedZ.plan == fstats.NaiveKFoldMcNemar.plan == fstats.KFoldT.plan
    assert fstats.ResampledT.plan.test_share == 1 / 3
    for cls in (fstats.CorrectedResampledT, fstats.CorrectedPseudoBootstrapT):  # how much is tested, only the splits can tell
        assert "test_train_ratio" not in cls.defaults
        assert cls.plan.test_train_ratio == close(1 / 9, rel=1e-12)
    assert 1 / (fstats.CorrectedRepeatedKFoldT.plan.folds - 1) == fstats.CorrectedRepeatedKFoldT.defaults["test_train_ratio"]
    assert fstats.ResampledT.plan.test_train_ratio == close(1 / 2, rel=1e-12)
    assert fstats.FiveByTwoT.plan.test_train_ratio == fstats.CalibratedFiveByTwoF.plan.test_train_ratio == 1
    assert "315 times" in fstats.ConservativeZ.__doc__
    assert fstats.ConservativeZ.plan.splits * (1 + 2 * 10) == 315


@pytest.mark.parametrize("test_class", [fstats.PseudoBootstrapT, fstats.CorrectedPseudoBootstrapT])
def test_a_derivation_says_so(test_class):
    assert "A derivation, not a confirmed test" in test_class.__doc__
    stated = {"test_train_ratio": 1 / 9} if test_class is fstats.CorrectedPseudoBootstrapT else {}
    test = test_class([0.1, 0.2, 0.1], [[0.1, 0.2], [0.1, 0.3], [0.0, 0.1]], **stated)
    for shown in (repr(test), test._repr_html_(), test.to_latex()):
        assert "do not cite it" in shown


def test_the_docstring_says_which_side_the_paper_seems_to_test():
    assert "fit the one-sided" in " ".join(fstats.CrossValidatedZ.__doc__.split())


# -- published and known ------------------------------------------------------------------------------------------------
@pytest.mark.every_case
@parametrize(
    "test, printed",
    (fstats.ResampledT.from_sample_size(15), 2.145),
    (fstats.KFoldT.from_sample_size(10), 2.262),
    (fstats.CorrectedResampledT.from_sample_size(15), 2.145),
    (fstats.CorrectedRepeatedKFoldT.from_sample_size(100), 1.984),
    (fstats.FiveByTwoT(np.ones((5, 2))), 2.571),
    (fstats.CombinedFiveByTwoT(np.ones((5, 2))), 2.571),
    (fstats.BlockedThreeByTwoT(np.ones((3, 2))), 2.571),
    (fstats.CombinedFiveByTwoF(np.ones((5, 2))), 4.735),
    (fstats.CalibratedFiveByTwoF(np.ones((5, 2))), 4.876),
    (fstats.NaiveKFoldMcNemar([1] * 10, [0] * 10), 18.307),
    (fstats.HoldOutMcNemar(1, 0), 3.841),
    (fstats.ProportionalZ(1, 0, 1), 1.960),
    ids=lambda value: type(value).__name__,
)
def test_critical_values(test, printed):
    assert test.critical_value == close(printed, abs=5e-4)


def test_a_published_correlated_t_test():
    # baycomp's documentation (functions.rst, two_on_single): accuracies of naive Bayes and J48 in ten folds, its data file
    # accuracies.txt, row sonar; without a region of practical equivalence the posterior probability is our one-sided p
    nbc = [94.203, 92.754, 95.652, 91.176, 92.647, 91.176, 92.647, 92.647, 86.765, 91.176]
    j48 = [92.754, 92.754, 89.855, 89.706, 95.588, 89.706, 95.588, 94.118, 91.176, 92.647]
    test = fstats.CorrectedResampledT(np.subtract(nbc, j48), test_train_ratio=1 / 9)
    assert test.assuming(alternative="less").pvalue == close(0.4145119975061462, rel=1e-9)
    assert test.assuming(alternative="greater").pvalue == close(0.5854880024938538, rel=1e-9)
    # and with the region from -0.5 to 0.5: the same distribution, moved
    assert test.null.at_least((0.5 - test.mean) / test.se) == close(0.28584464173791, rel=1e-9)
    assert test.null.at_most((-0.5 - test.mean) / test.se) == close(0.4450034865740651, rel=1e-9)


# thousandths of a percentage point, naive Bayes less AODE on anneal, ten times ten folds (the same file)
ANNEAL = """
    -2223 -1111 -2223 -1111 -1111 -1111 -1111 0 -2247 -3370 -1111 -1111 -2222 -1111 -1111 -1111 -1111 -6667 -6742 0 -3333 -3333 -2222
    -4445 -1112 -1111 -1111 0 -1124 -4494 -2222 -2222 -1111 -4445 0 -5556 -1111 -3333 -2247 -2247 0 -1111 -2223 -1111 -3333 -1111
    -4445 0 0 -5618 -3334 -3333 -2222 0 -2223 -3334 -1111 -2223 -3371 -1124 -1111 -1111 -2222 0 -5555 -1111 -2222 0 -2247 -1123 0
    -2222 -1111 -1111 -1111 -2222 -1111 0 -1124 -3371 -1111 -1111 -1111 -2222 -3333 -2222 -1112 0 -4494 -2247 -2222 0 -2222 -6667
    -2222 0 -1111 -2222 -2247 0"""


def test_published_and_smallest_tables():
    # Benavoli, Corani, Demsar and Zaffalon (2017), Time for a change, JMLR 18: probabilities of "better", "equivalent within one
    # percentage point" and "worse", from accuracies that the file rounds to three decimals
    test = fstats.CorrectedRepeatedKFoldT(np.array(ANNEAL.split(), float) / 1000)
    assert test.null.at_least((1 - test.mean) / test.se) == close(3.0353909763469744e-07, rel=0.01)
    assert test.null.at_most((-1 - test.mean) / test.se) == close(0.9542966354882696, abs=5e-5)
    assert [fstats.HoldOutMcNemar(n, 0).reject for n in range(8)] == [False] * 6 + [True] * 2


def test_fixed_losses_tie_the_5x2_tests_together(rng):
    # If no prediction depends on the training set then both folds of a replication test all records between them, and each
    # replication has the same mean D.  With normal D and contrasts, of one variance: t^2 = 5 t_5^2 and F = 1/2 + t^2 / 10.
    mean, contrast = rng.normal(size=20_000), rng.normal(size=(5, 20_000))
    d = np.stack([mean + contrast, mean - contrast], axis=1)
    t, f = fstats.CombinedFiveByTwoT(d), fstats.CombinedFiveByTwoF(d)
    t5 = mean / np.sqrt((contrast**2).sum(0) / 5)
    np.testing.assert_allclose(t.statistic, sqrt(5) * t5, rtol=1e-9)
    np.testing.assert_allclose(f.statistic, 0.5 + t.statistic**2 / 10, rtol=1e-9)
    # hence their type I errors: .302 where 5 % are promised, .033, .032, and .082 of the blocked 3x2 t, which is a t_3 there
    blocked = fstats.BlockedThreeByTwoT(d[:3])
    np.testing.assert_allclose(blocked.statistic, mean / np.sqrt((contrast[:3] ** 2).sum(0) / 3), rtol=1e-9)
    errors = [
        (t, 2 * st.t.sf(st.t.ppf(0.975, 5) / sqrt(5), 5), 0.302),
        (f, 2 * st.t.sf(sqrt(2 * (st.f.ppf(0.95, 10, 5) - 0.5)), 5), 0.033),
        (fstats.CalibratedFiveByTwoF(d), 2 * st.t.sf(sqrt(2 * (st.f.ppf(0.95, 7, 5) - 0.5)), 5), 0.032),
        (blocked, 2 * st.t.sf(st.t.ppf(0.975, 5), 3), 0.082),
    ]
    for test, exact, printed in errors:
        assert (exact, test.reject.mean()) == (close(printed, abs=5e-4), close(exact, abs=4 * sqrt(exact * (1 - exact) / 20_000)))


# -- properties ---------------------------------------------------------------------------------------------------------
a_difference = some.integers(-60, 60).map(lambda k: k / 300)


@given(arrays(float, (5, 2), elements=a_difference))
def test_the_5x2_tests_for_a_and_b_exchanged(d):
    for test_class in (fstats.FiveByTwoT, fstats.CombinedFiveByTwoT):
        one, other = test_class(d), test_class(-d)
        assert (other.statistic, other.pvalue) == (-one.statistic, one.pvalue)
        assert other.assuming(alternative="less").pvalue == one.assuming(alternative="greater").pvalue
        assert one.assuming(alternative="less").pvalue + one.assuming(alternative="greater").pvalue == close(1)
        assert not np.isnan(one.statistic)
    assert fstats.CombinedFiveByTwoF(-d).statistic == fstats.CombinedFiveByTwoF(d).statistic


@given(arrays(float, (5, 2), elements=a_difference), some.permutations(range(5)))
def test_only_the_5x2_t_minds_the_order_of_the_replications(d, order):
    for test_class in (fstats.CombinedFiveByTwoT, fstats.CombinedFiveByTwoF, fstats.CalibratedFiveByTwoF):
        assert test_class(d[order]).statistic == close(test_class(d).statistic, rel=1e-9)
    assert fstats.FiveByTwoT(d[order]).estimate == d[order[0], 0]


@given(arrays(float, 15, elements=a_difference), some.sampled_from([0.01, 1 / 9, 0.5, 3.0]))
def test_the_correction_never_rejects_more(d, ratio):
    plain, corrected = fstats.ResampledT(d), fstats.CorrectedResampledT(d, test_train_ratio=ratio)
    assert corrected.pvalue >= plain.pvalue
    assert plain.assuming(se=corrected.se).statistic == corrected.statistic
    if plain.se:
        assert corrected.se / plain.se == close(sqrt(1 + 15 * ratio), rel=1e-12)


@given(arrays(float, 12, elements=some.sampled_from([-1.0, 0.0, 1.0])), some.permutations(range(12)))
def test_the_order_of_the_records_does_not_matter(d, order):
    folds = np.arange(12) % 3
    for variance in ("out", "in"):
        one, other = fstats.CrossValidatedZ(d, folds, variance=variance), fstats.CrossValidatedZ(d[order], folds[order], variance=variance)
        assert other.statistic == close(one.statistic, rel=1e-12)


@given(arrays(np.int64, (2, 10), elements=some.integers(0, 5)))
def test_folds_of_equal_counts_never_speak_against_h0(counts):
    n01, n10 = counts
    test = fstats.NaiveKFoldMcNemar(n01, n10)
    assert (test.statistics[n01 == n10] == 0).all()
    assert (test.statistics <= fstats.McNemar(n01, n10, correction=False).statistic).all()
    assert np.array_equal(test.statistics, fstats.McNemar(n01, n10).statistic)
    assert fstats.NaiveKFoldMcNemar(n01, n10, empty="drop").pvalue <= test.pvalue


def test_one_difference_against_the_mean_of_all_ten_is_told():
    d = np.array([[0.2, 0.19], *[[-0.1, -0.11]] * 4])
    words = "But the mean of all ten differences, -0.045, has the other sign"
    test = fstats.FiveByTwoT(d)
    assert test.reject
    assert words in test.remark
    assert words in test.conclusion
    assert words.replace("-0.045", "0.045") in fstats.FiveByTwoT(-d).remark
    assert words in fstats.FiveByTwoT(d, alternative="greater").remark
    assert fstats.FiveByTwoT(d, alternative="less").remark == ""  # nothing is claimed
    assert fstats.FiveByTwoT(np.abs(d)).remark == ""
    level = np.array([[0.2, 0.19], [-0.39, 0.0], *[[0.1, -0.1]] * 3])  # sums to noise
    assert "other sign" not in fstats.FiveByTwoT(level, alpha=0.5).remark
    assert "other sign" not in fstats.CombinedFiveByTwoT(d, alpha=0.5).remark
    assert fstats.FiveByTwoT(np.stack([d, -d], 2)).remark == ""
    assert fstats.FiveByTwoT.from_steps(statistic=5.0, df=5).conclusion
