"""DeLong's test: the matrices of the paper by a double loop, scikit-learn's AUC, levels simulated, and all that has no spread."""

import numpy as np
import pandas as pd
import pytest
import scipy.stats as st
from shortcuts import assert_raises, parametrize
from sklearn.metrics import roc_auc_score, roc_curve

import fstats
from fstats import DeLong, UnpairedDeLong
from fstats.plot.charts.roc_curves import roc_points


def psi(x, y):
    """One pair of records, as DeLong writes it."""
    return 1.0 if y < x else 0.5 if y == x else 0.0


def matrices(y, *scores):
    """AUCs, S10 and S01 of DeLong's paper: every pair of records, one by one."""
    positive, negative = np.flatnonzero(y), np.flatnonzero(1 - np.asarray(y))
    v10 = np.array([[np.mean([psi(s[i], s[j]) for j in negative]) for i in positive] for s in scores])
    v01 = np.array([[np.mean([psi(s[i], s[j]) for i in positive]) for j in negative] for s in scores])
    return v10.mean(1), np.atleast_2d(np.cov(v10)), np.atleast_2d(np.cov(v01)), len(positive), len(negative)


def drawn(seed, n=40, digits=1):
    """Classes and two correlated scores, with ties."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n) % 3 == 0).astype(int)
    both = rng.normal(size=n) + y
    return y, (both + rng.normal(size=n)).round(digits), (both + rng.normal(size=n) + 0.5 * y).round(digits)


@pytest.mark.complete
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("digits", [0, 1, 15])
def test_the_paper_by_a_double_loop(seed, digits):
    y, a, b = drawn(seed, digits=digits)
    auc, s10, s01, m, n = matrices(y, a, b)
    s = s10 / m + s01 / n
    test = DeLong(y, a, b)
    assert (test.auc_a, test.auc_b) == pytest.approx(tuple(auc), rel=1e-12)
    assert (test.auc_a, test.auc_b) == pytest.approx((roc_auc_score(y, a), roc_auc_score(y, b)), rel=1e-12)
    contrast = np.array([1, -1])
    assert test.se == pytest.approx(np.sqrt(contrast @ s @ contrast), rel=1e-10)
    assert (test.se_a**2, test.se_b**2) == pytest.approx((s[0, 0], s[1, 1]), rel=1e-10)
    assert test.correlation == pytest.approx(s[0, 1] / np.sqrt(s[0, 0] * s[1, 1]), rel=1e-9)
    z = contrast @ auc / np.sqrt(contrast @ s @ contrast)
    assert test.pvalue == pytest.approx(2 * st.norm.sf(abs(z)), rel=1e-9)
    assert tuple(test.ci) == pytest.approx(tuple(auc[0] - auc[1] + st.norm.ppf([0.025, 0.975]) * test.se), rel=1e-9)
    assert DeLong(y, a, b, alternative="greater").pvalue == pytest.approx(st.norm.sf(z), rel=1e-9)


@pytest.mark.complete
@pytest.mark.parametrize("seed", range(4))
def test_two_samples_by_a_double_loop(seed):
    y_a, a, _ = drawn(seed)
    y_b, _, b = drawn(seed + 50, n=27)
    variances = []
    for y, scores in ((y_a, a), (y_b, b)):
        _, s10, s01, m, n = matrices(y, scores)
        variances.append((s10 / m + s01 / n).item())
    test = UnpairedDeLong(y_a, a, y_b, b)
    assert test.se == pytest.approx(np.sqrt(sum(variances)), rel=1e-10)
    z = (roc_auc_score(y_a, a) - roc_auc_score(y_b, b)) / np.sqrt(sum(variances))
    assert (test.statistic, test.pvalue) == pytest.approx((z, 2 * st.norm.sf(abs(z))), rel=1e-9)


def test_auc_is_mann_and_whitneys_u_and_only_the_order_matters():
    y, a, b = drawn(9)
    test = DeLong(y, a, b)
    u = st.mannwhitneyu(a[y == 1], a[y == 0]).statistic
    assert test.auc_a == pytest.approx(u / (test.positives * test.negatives), rel=1e-12)
    negative = test.placements_a[y == 0]
    assert negative.mean() == pytest.approx(test.auc_a, rel=1e-12)  # seen from the other class it is the same
    y, a, b = drawn(10)
    test = DeLong(y, a, b)
    assert DeLong(y.astype(bool), np.exp(a), b * 1000 - 7).statistic == pytest.approx(test.statistic, rel=1e-12)
    assert DeLong(y, b, a).statistic == pytest.approx(-test.statistic, rel=1e-12)
    turned = DeLong(1 - y, -a, -b)  # the other class is the positive one
    assert turned.statistic == pytest.approx(test.statistic, rel=1e-10)
    assert DeLong(y, np.float32(a), b).statistic == pytest.approx(test.statistic, rel=1e-12)


def test_small_probabilities_are_no_ties():
    """Naive Bayes' probabilities span a hundred powers of ten: all of that is order, and scikit-learn's AUC knows it."""
    from sklearn.datasets import load_digits
    from sklearn.naive_bayes import MultinomialNB

    X, y = load_digits(return_X_y=True)
    y = (y == 8).astype(int)
    p = MultinomialNB().fit(X[:900], y[:900]).predict_proba(X[900:])[:, 1]
    assert (p < 1e-20).any()
    test = DeLong(y[900:], p, p)
    assert test.auc_a == pytest.approx(roc_auc_score(y[900:], p), abs=1e-12)
    assert UnpairedDeLong(y[900:], p, y[900:], -p).auc_b == pytest.approx(1 - test.auc_a, abs=1e-12)
    spread = np.sort(np.random.default_rng(0).uniform(-650, 0, 30))
    batch = DeLong(np.tile(y[900:930, None], 2), np.exp(np.stack([spread, spread[::-1]], 1)), np.stack([spread, spread[::-1]], 1))
    assert batch.d.tolist() == np.zeros((30, 2)).tolist()  # the order of the logarithms is that of the numbers


@pytest.mark.parametrize("unit", [1e-200, 1.0, 1e200])
def test_noise_of_a_small_score_ties(unit):
    a = unit * np.array([1e-9 * (0.1 + 0.2), 0.9, 1e-9 * 0.3, 0.5])
    assert (DeLong([1, 1, 0, 0], a, a).auc_a, DeLong([1, 1, 0, 0], a, a).ranks_a[[0, 2]].tolist()) == (0.625, [1.5, 1.5])


@pytest.mark.complete
def test_levels():
    """Both keep their level; two samples are taken for what they are, while pairs analysed as two samples lose most of their power."""
    rng = np.random.default_rng(1)
    n, r = 150, 4000
    y = np.repeat((np.arange(n) % 3 == 0).astype(int)[:, None], r, axis=1)
    common = rng.normal(size=(n, r)) + y
    a, b = common + 0.7 * rng.normal(size=(2, n, r))
    assert DeLong(y, a, b).reject.mean() == pytest.approx(0.05, abs=0.012)
    assert UnpairedDeLong(y, a, y, b).reject.mean() < 0.02
    apart = rng.normal(size=(n, r)) + y + 0.7 * rng.normal(size=(n, r))
    assert UnpairedDeLong(y, a, y, apart).reject.mean() == pytest.approx(0.05, abs=0.012)


PERFECT = [0.9, 0.8, 0.7, 0.3, 0.2, 0.1]
Y = [1, 1, 1, 0, 0, 0]


@parametrize(
    "a, b",
    (PERFECT, PERFECT),
    (PERFECT, [9, 8, 7, 3, 2, 1]),
    (PERFECT, [0.99, 0.98, 0.97, 0.96, 0.95, 0.94]),
    ([0.5] * 6, [0.1] * 6),
    ([0.1 + 0.2] * 3 + [0.3] * 3, [1.0] * 6),
    ([0.3, 0.6, 0.1, 0.5, 0.5, 0.2],) * 2,
    ids=["identical", "both perfect", "perfect, other scores", "all tied", "tied but for rounding", "identical, with ties"],
)
def test_without_spread_and_without_a_difference(a, b):
    for test in (DeLong(Y, a, b), DeLong(Y, a, b, alternative="less")):
        assert (test.difference, test.se, test.statistic, test.effect_size) == (0, 0, 0, 0)
        assert test.pvalue == (1 if test.alternative == "two-sided" else 0.5)
        assert "The AUCs are equal, and both rankings place every record equally: the data give no evidence against H0." in test.conclusion
    assert "nan" not in repr(DeLong(Y, a, b))


def test_equal_aucs_and_no_spread():
    test = DeLong(Y, [6, 5, 2, 4, 3, 1], [6, 4, 3, 5, 2, 1])
    assert (test.difference, test.statistic, test.pvalue) == (0, 0, 1)
    assert test.se > 0
    assert test.remark == ""
    test = DeLong(Y, PERFECT, PERFECT[::-1])
    assert (test.difference, test.se, test.statistic, test.pvalue) == (1, 0, np.inf, 0)
    assert test.ci == (1, 1)
    assert "The AUCs differ by 1, and the difference is the same for every record of a class" in test.conclusion
    assert "only formally" in test.conclusion
    assert test.correlation == 0
    unpaired = UnpairedDeLong(Y, PERFECT, Y, [0.5] * 6)
    assert (unpaired.statistic, unpaired.pvalue) == (np.inf, 0)
    assert "nan" not in repr(test) + repr(unpaired)


def test_other_input_that_is_refused():
    with pytest.raises(ValueError, match=r"at least 2 positive \(1\) records; got 0 of 6"):  # in the second repetition
        DeLong(np.stack([Y, [0] * 6], axis=1), np.ones((6, 2)), np.ones((6, 2)))
    assert_raises(lambda: UnpairedDeLong(Y, PERFECT, np.stack([Y, Y], 1), np.ones((6, 2))), r"same shape after the first axis")
    long = ["ill", "well"] * 5000
    with pytest.raises(TypeError) as caught:
        DeLong(long, np.ones(10000), np.ones(10000))
    assert len(str(caught.value)) < 250


def test_names_and_summaries():
    y, a, b = drawn(12)
    test = DeLong(y, pd.Series(a, name="forest"), pd.Series(b, name="logistic"))
    assert test.sides == ("forest", "logistic")
    assert "a difference in AUC between forest and logistic" in test.conclusion
    greater = DeLong(y, b + 2 * y, a, alternative="greater", labels=["new", "old"])
    assert "that new is better than old in AUC, by 0." in greater.conclusion
    test = DeLong.from_steps(auc_a=0.82, auc_b=0.73, se=0.041)
    assert test.pvalue == pytest.approx(2 * st.norm.sf(0.09 / 0.041), rel=1e-9)


@pytest.mark.parametrize("digits", [0, 1])
def test_the_curve_is_scikit_learns(digits):
    y, a, b = drawn(13, digits=digits)
    for scores in (a, b):
        alarms, found = roc_points(y, DeLong(y, scores, b).ranks_a)
        false, true, _ = roc_curve(y, scores, drop_intermediate=False)
        assert (alarms.tolist(), found.tolist()) == (pytest.approx(false.tolist()), pytest.approx(true.tolist()))
        assert np.trapezoid(found, alarms) == pytest.approx(roc_auc_score(y, scores), rel=1e-12)


def test_pictures():
    y, a, b = drawn(14)
    test = DeLong(y, a, b, labels=["forest", "logistic"])
    picture = fstats.plot.roc(test)
    assert picture.title == "ROC curves (DeLong)"
    assert picture.text.startswith(f"ROC curves on {y.sum()} positive and {(1 - y).sum()} negative records. forest, AUC {test.auc_a:.4g}: ")
    assert f"logistic: AUC {test.auc_b:.4g}" in picture.svg()
    assert picture.figure().axes
    assert "of A, " in fstats.plot.roc(UnpairedDeLong(y, a, y[:20], b[:20])).text
    assert test.plot().title == "z when H0 is true"
    with pytest.raises(TypeError, match=r"ROC curves need a test of two AUCs, .*; got PairedT"):
        fstats.plot.roc(fstats.PairedT([1, 2], [3, 5]))
    with pytest.raises(ValueError, match=r"Choose one repetition, such as fstats.plot.roc\(test.at\(0\)\)"):
        fstats.plot.roc(DeLong(*(np.stack([x, x], 1) for x in (y, a, b))))


def test_an_interval_with_impossible_differences_says_so():
    """With an end beyond 1 or -1 and only then; one-sided limits beyond are infinite and no statement."""
    few = [1, 1, 1, 0, 0, 0], [6, 5, 4, 3, 2, 1], [3, 1, 5, 4, 6, 2]
    for test in (fstats.DeLong(*few), fstats.DeLong(few[0], few[2], few[1]), fstats.UnpairedDeLong(*few[:2], few[0], few[2])):
        assert np.abs(test.ci).max() > 1
        assert test.remark.startswith("The interval contains impossible differences (beyond -1 or 1)")
    assert fstats.DeLong(*few, alternative="greater").remark == ""
