"""Both analyses of variance: by loops, by SciPy and statsmodels, on published examples, and where rivals err."""

import copy
import pickle
from html import unescape

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as some
from hypothesis.extra.numpy import arrays
from scipy import stats
from shortcuts import assert_raises, parametrize

from fstats import OneWayAnova, PairedT, RepeatedAnova, TwoSampleT
from fstats.core.step import NotStated

SEED = 50
PLANTS = {  # dried weights of plants, R's data set PlantGrowth (Dobson 1983, An introduction to statistical modelling)
    "ctrl": [4.17, 5.58, 5.18, 6.11, 4.50, 4.61, 5.17, 4.53, 5.33, 5.14],
    "trt1": [4.81, 4.17, 4.41, 3.59, 5.87, 3.83, 6.03, 4.89, 4.32, 4.69],
    "trt2": [6.31, 5.12, 5.54, 5.50, 5.37, 5.29, 4.92, 6.15, 5.80, 5.26],
}
# Field (2009), Discovering statistics using SPSS, chapter 13: seconds until each of eight people retches, by what they eat
FIELD = [[8, 7, 1, 6], [9, 5, 2, 5], [6, 2, 3, 8], [5, 3, 1, 9], [8, 4, 5, 8], [7, 5, 6, 7], [10, 2, 7, 2], [12, 6, 8, 1]]


# -- one way ----------------------------------------------------------------------------------------------------------------
def by_loops(groups):
    """Sums of squares between and within, from the definition."""
    everything = [y for group in groups for y in group]
    grand = sum(everything) / len(everything)
    between = within = 0.0
    for group in groups:
        mean = sum(group) / len(group)
        between += len(group) * (mean - grand) ** 2
        within += sum((y - mean) ** 2 for y in group)
    return between, within, len(everything)


def test_one_way_on_groups_of_any_sizes(rng):
    for _ in range(30):
        x = rng.normal(0.8, 0.05, (rng.integers(2, 9), rng.integers(2, 6)))
        test = OneWayAnova(x)
        between, within, n = by_loops(x.T.tolist())
        assert (test.ss_between, test.ss_within) == pytest.approx((between, within), rel=1e-12)
        assert (test.df, test.df_error) == (x.shape[1] - 1, n - x.shape[1])
        theirs = stats.f_oneway(*x.T)
        assert (test.statistic, test.pvalue) == pytest.approx((theirs.statistic, theirs.pvalue), rel=1e-11)
        assert test.effect_size == pytest.approx(between / (between + within), rel=1e-12)
    for _ in range(30):
        groups = [rng.normal(0.8, 0.05, size) for size in (*rng.integers(1, 9, rng.integers(1, 5)), 2)]
        test = OneWayAnova.from_groups(*groups)
        between, within, n = by_loops([group.tolist() for group in groups])
        assert (test.ss_between, test.ss_within, test.n) == pytest.approx((between, within, n), rel=1e-12)
        f = (between / (len(groups) - 1)) / (within / (n - len(groups)))
        assert test.statistic == pytest.approx(f, rel=1e-11)
        assert test.pvalue == pytest.approx(stats.f.sf(f, len(groups) - 1, n - len(groups)), rel=1e-10)


def test_plant_growth_and_published_summaries():
    test = OneWayAnova(pd.DataFrame(PLANTS))
    assert (test.statistic, test.pvalue) == (pytest.approx(4.846, abs=5e-4), pytest.approx(0.0159, abs=5e-5))
    assert test.table[:2].round(4).tolist() == [[3.7663, 2, 1.8832], [10.4921, 27, 0.3886]]
    assert test.labels.tolist() == ["ctrl", "trt1", "trt2"]
    x = np.array(list(PLANTS.values()))
    test = OneWayAnova.from_steps(sizes=[10, 10, 10], means=x.mean(1).round(3), variances=x.var(1, ddof=1).round(4))
    assert test.statistic == pytest.approx(4.846, abs=5e-3)
    assert [row.kind for row in test.worked() if row.name in ("sizes", "means", "n")] == ["stated", "stated", "step"]
    assert OneWayAnova.from_steps(ss_between=3.76634, df=2, ss_within=10.49209, df_error=27).pvalue == pytest.approx(0.01591, abs=5e-6)
    test = OneWayAnova([[1, 2, 6], [2, 3, 7], [3, 4, 8]])
    assert test.table.tolist() == [[42, 2, 21], [6, 6, 1], [48, 8, 0]]
    assert "  between  42   2  21\n   within   6   6   1\n    total  48   8   –" in repr(test)
    assert np.array_equal(OneWayAnova(np.stack([test.scores] * 3, -1)).table, np.stack([test.table] * 3, -1))


def test_two_groups_are_the_two_sample_t_test(rng):
    x, y = rng.normal(size=7), rng.normal(0.5, 1, 12)
    t = TwoSampleT(x, y)
    test = OneWayAnova.from_groups(x, y)
    assert (test.statistic, test.pvalue) == pytest.approx((t.statistic**2, t.pvalue), rel=1e-11)


# -- groups as they come ------------------------------------------------------------------------------------------------------
@pytest.fixture
def ragged(rng):
    """Three groups of different sizes, five repetitions."""
    return OneWayAnova.from_groups(*(rng.normal(0.8, 0.05, (size, 5)) for size in (4, 2, 7)), labels=["tree", "bayes", "forest"], alpha=0.1)


def test_a_batch_of_ragged_groups(ragged):
    assert ragged.pvalue.shape == (5,)
    groups = [ragged._source.values[ragged._source.group == label] for label in ragged.labels]
    for r in range(5):
        theirs = stats.f_oneway(*(group[:, r] for group in groups))
        assert ragged.pvalue[r] == ragged.at(r).pvalue == pytest.approx(theirs.pvalue, rel=1e-11)
        assert ragged.at(r).alpha == 0.1


TRIPS = {"pickle": lambda test: pickle.loads(pickle.dumps(test)), "copy": copy.copy, "deepcopy": copy.deepcopy}


@pytest.mark.parametrize("trip", TRIPS.values(), ids=TRIPS.keys())
def test_ragged_groups_travel(ragged, trip):
    again = trip(ragged)
    assert np.array_equal(again.pvalue, ragged.pvalue)
    assert [row.name for row in again.worked()] == [row.name for row in ragged.worked()]
    assert not again.means.flags.writeable


def test_ragged_groups(ragged):
    test = ragged.at(0)
    names = [row.name for row in test.worked()]
    assert names[:10] == ["values", "group", "labels", "sizes", "means", "variances", "claim", "alpha", "n", "k"]
    assert len(set(names)) == len(names)
    assert "tree      4" in repr(test)
    for text in (" ".join(repr(test).split()), unescape(test._repr_html_()).replace("\xa0", " ")):
        assert test.conclusion in text
    assert r"\frac{1}{4} \sum_{i : g_i = \text{label}_j} y_i" in test.to_latex()
    assert (test.to_dict()["sizes"], test.to_dict()["pvalue"]) == ([4, 2, 7], test.pvalue)
    test = ragged.at(0)
    wrong = test.assuming(means=test.means + np.array([0, 0, 1]))
    assert wrong.statistic > test.statistic
    assert [row.kind for row in wrong.worked() if row.name == "means"] == ["step", "stated"]
    test = OneWayAnova.from_groups(pd.Series([1, 2, 4], name="tree"), [2.0, 3], pd.Series([5], name="bayes"))
    assert (test.labels.tolist(), test.variances.tolist()) == (["tree", "B", "bayes"], [pytest.approx(7 / 3), 0.5, 0])


@parametrize(
    "groups, settings, message",
    ([[[1, 2], [3, 4]]], {}, r"from_groups needs at least 2 groups, each as a separate argument; got 1. Write from_groups\(a, b, c\)"),
    ([[1], [2], [3]], {}, "at least one group must hold 2 or more scores; got one score in each group"),
    ([[1, 2], []], {}, "`group B` must be a list of at least 1 numbers; got 0"),
    ([[1, 2], [3, np.nan]], {"labels": ["x", "y"]}, r"`group y` must hold finite numbers; got nan at position 1 \(counting from 0\)"),
    ([[1, 2], [3, 4]], {"labels": ["x", "x"]}, "`labels` must hold different names; got 'x' more than once"),
    ([[1, 2], [3, 4]], {"labels": ["x"]}, "`labels` must be a list of 2 names, one for each classifier; got x"),
    ([[[1, 2], [1, 2]], [[3], [4]]], {}, r"groups must have equally many repetitions .*; got shapes \(1,\) and \(2,\)"),
)
def test_groups_that_make_no_test(groups, settings, message):
    assert_raises(lambda: OneWayAnova.from_groups(*groups, **settings), message)


# -- repeated measures ---------------------------------------------------------------------------------------------------------
def blocks_by_loops(x):
    """Sums of squares of classifiers, data sets and error, the last by subtraction as textbooks do."""
    n, k = len(x), len(x[0])
    grand = sum(map(sum, x)) / (n * k)
    classifiers = n * sum((sum(line[j] for line in x) / n - grand) ** 2 for j in range(k))
    datasets = k * sum((sum(line) / k - grand) ** 2 for line in x)
    return classifiers, datasets, sum((s - grand) ** 2 for line in x for s in line) - classifiers - datasets


def test_repeated_by_loops(rng):
    for _ in range(30):
        x = rng.normal(0.8, 0.05, (rng.integers(2, 9), rng.integers(2, 6)))
        test = RepeatedAnova(x)
        classifiers, datasets, error = blocks_by_loops(x.tolist())
        assert (test.ss_classifiers, test.ss_datasets, test.ss_error) == pytest.approx((classifiers, datasets, error), rel=1e-9)
        n, k = x.shape
        f = classifiers / (k - 1) / (error / ((k - 1) * (n - 1)))
        assert test.statistic == pytest.approx(f, rel=1e-9)
        assert test.pvalue == pytest.approx(stats.f.sf(f, k - 1, (k - 1) * (n - 1)), rel=1e-8)
        assert test.effect_size == pytest.approx(classifiers / (classifiers + error), rel=1e-9)
        assert test.table[:, 1].sum() == 2 * (n * k - 1)


@pytest.mark.complete
@pytest.mark.filterwarnings("ignore")
def test_repeated_as_statsmodels(rng):
    from statsmodels.stats.anova import AnovaRM

    x = rng.normal(0.8, 0.05, (7, 4))
    long = pd.DataFrame({"score": x.ravel(), "on": np.repeat(range(7), 4), "by": np.tile(range(4), 7)})
    theirs = AnovaRM(long, "score", "on", within=["by"]).fit().anova_table.iloc[0]
    test = RepeatedAnova(x)
    assert (test.statistic, test.pvalue) == pytest.approx((theirs["F Value"], theirs["Pr > F"]), rel=1e-9)
    assert (test.df, test.df_error) == (theirs["Num DF"], theirs["Den DF"])


def test_fields_example_as_printed():
    test = RepeatedAnova(FIELD)
    assert (test.ss_classifiers, test.ss_error) == pytest.approx((83.125, 153.375), abs=5e-4)
    assert (test.statistic, test.pvalue) == (pytest.approx(3.794, abs=5e-4), pytest.approx(0.026, abs=5e-4))
    assert (test.mauchly_w, test.mauchly_statistic) == (pytest.approx(0.136, abs=5e-4), pytest.approx(11.406, abs=5e-4))
    assert (test.mauchly_df, test.mauchly_pvalue) == (5, pytest.approx(0.047, abs=5e-4))
    assert (test.epsilon_gg, test.epsilon_hf) == (pytest.approx(0.533, abs=5e-4), pytest.approx(0.666, abs=5e-4))
    assert (test.pvalue_gg, test.pvalue_hf) == (pytest.approx(0.063, abs=5e-4), pytest.approx(0.048, abs=5e-4))


@parametrize("sphericity, epsilon, p", ("greenhouse-geisser", "epsilon_gg", "pvalue_gg"), ("huynh-feldt", "epsilon_hf", "pvalue_hf"))
def test_the_chosen_factor_decides(sphericity, epsilon, p):
    test = RepeatedAnova(FIELD, sphericity=sphericity)
    assert (
        test.pvalue
        == getattr(test, p)
        == pytest.approx(stats.f.sf(test.statistic, 3 * getattr(test, epsilon), 21 * getattr(test, epsilon)), rel=1e-12)
    )
    assert test.critical_value == pytest.approx(stats.f.isf(0.05, 3 * getattr(test, epsilon), 21 * getattr(test, epsilon)), rel=1e-9)
    names = [row.name for row in test.worked()]
    assert names.index(epsilon) < names.index("null") < names.index("mauchly_w")
    assert test.reject == (sphericity == "huynh-feldt")  # .063 and .048: the choice matters, so it is made beforehand


def test_two_classifiers_are_the_paired_t_test(rng):
    x = rng.normal(0.8, 0.05, (9, 2, 50))
    t = PairedT(x[:, 0], x[:, 1])
    for sphericity in ("assumed", "greenhouse-geisser", "huynh-feldt"):
        test = RepeatedAnova(x, sphericity=sphericity)
        np.testing.assert_allclose(test.statistic, t.statistic**2, rtol=1e-9)
        np.testing.assert_allclose(test.pvalue, t.pvalue, rtol=1e-9)
    for trivial in (test.epsilon_gg, test.epsilon_hf, test.mauchly_w, test.mauchly_pvalue):
        assert (trivial == 1).all()


def test_looney_and_kuncheva():
    # five records, three classifiers: with (k - 1) N = 10 below p is .0441, with (k - 1)(N - 1) = 8 it is .0531
    test = RepeatedAnova([[0, 0, 1], [0, 0, 1], [0, 0, 1], [0, 0, 1], [0, 1, 0]])
    assert (test.statistic, test.df_error) == (pytest.approx(4.333, abs=5e-4), 8)
    assert test.pvalue == pytest.approx(0.0531, abs=5e-5)
    assert not test.reject
    assert stats.f.sf(test.statistic, 2, 10) == pytest.approx(0.0441, abs=5e-5)
    # Kuncheva (2004), Combining pattern classifiers, chapter 1: F = 3.873, printed p = .022 with 200 degrees of freedom below
    counts = {"111": 80, "110": 2, "100": 2, "011": 9, "010": 1, "001": 3, "000": 3}
    test = RepeatedAnova([[int(c) for c in pattern] for pattern, count in counts.items() for _ in range(count)])
    assert (test.means.tolist(), test.statistic) == ([0.84, 0.92, 0.92], pytest.approx(3.873, abs=5e-4))
    assert (test.df, test.df_error) == (2, 198)
    assert test.pvalue == pytest.approx(stats.f.sf(test.statistic, 2, 198), rel=1e-12)
    assert test.pvalue != pytest.approx(stats.f.sf(test.statistic, 2, 200), rel=1e-4)


# -- sphericity ------------------------------------------------------------------------------------------------------------------
def centred(x):
    """The doubly centred covariance matrix."""
    s = np.cov(x, rowvar=False)
    return s - s.mean(0) - s.mean(1)[:, None] + s.mean()


@pytest.mark.parametrize(("n", "k"), [(6, 3), (12, 5), (4, 4), (3, 6)])
def test_three_ways_to_epsilon(rng, n, k):
    x = rng.normal(size=(n, k)) * np.arange(1, k + 1)
    test = RepeatedAnova(x)
    c = centred(x)
    np.testing.assert_allclose(test.covariance, c, rtol=0, atol=1e-12 * np.abs(c).max())
    box = k**2 * (np.diag(s := np.cov(x, rowvar=False)).mean() - s.mean()) ** 2
    box /= (k - 1) * ((s**2).sum() - 2 * k * (s.mean(0) ** 2).sum() + k**2 * s.mean() ** 2)
    values = np.linalg.eigvalsh(c)
    directions = np.linalg.qr(np.c_[np.ones(k), rng.normal(size=(k, k - 1))])[0][:, 1:]  # any at right angles to the mean
    m = directions.T @ s @ directions
    for epsilon in (box, values.sum() ** 2 / ((k - 1) * (values**2).sum()), np.trace(m) ** 2 / ((k - 1) * (m**2).sum())):
        assert test.epsilon_gg == pytest.approx(epsilon, rel=1e-9)
    if n >= k:
        assert test.mauchly_w == pytest.approx(np.linalg.det(m) / (np.trace(m) / (k - 1)) ** (k - 1), rel=1e-6, abs=1e-12)


def test_epsilon_from_a_covariance_matrix_as_printed():
    # the covariances of the scores themselves do as well as those of the residuals: the common part cancels
    s = np.cov(FIELD, rowvar=False)
    test = RepeatedAnova.from_steps(covariance=s, k=4, n=8, df=3, df_error=21, statistic=3.794, sphericity="greenhouse-geisser")
    assert test.epsilon_gg == pytest.approx(RepeatedAnova(FIELD).epsilon_gg, rel=1e-12)
    assert test.pvalue == pytest.approx(0.0626, abs=5e-5)


tables = some.integers(2, 6).flatmap(
    lambda k: some.integers(2, 7).flatmap(lambda n: arrays(float, (n, k), elements=some.integers(-50, 50).map(lambda s: s / 10)))
)


@given(tables)
def test_every_table_is_answered(x):
    test = RepeatedAnova(x)
    n, k = x.shape
    assert 1 / (k - 1) <= test.epsilon_gg <= test.epsilon_hf <= 1
    assert 0 <= test.pvalue <= 1
    # fewer degrees of freedom are more cautious, except where F is small
    assert test.statistic < 1.5 or test.pvalue <= test.pvalue_hf * (1 + 1e-9) <= test.pvalue_gg * (1 + 2e-9)
    assert (test.pvalue == 0) == np.isinf(test.statistic)
    assert 0 <= test.effect_size <= 1
    if n >= k:
        assert 0 <= test.mauchly_w <= 1
        assert 0 <= test.mauchly_pvalue <= 1
    one_way = OneWayAnova(x)
    assert 0 <= one_way.pvalue <= 1
    assert one_way.ss_total == pytest.approx(test.ss_total, rel=1e-9, abs=1e-12)
    assert one_way.ss_between == pytest.approx(test.ss_classifiers, rel=1e-9, abs=1e-12)


@given(tables, some.floats(0.01, 100), some.integers(-3, 3))
def test_neither_unit_nor_data_sets_matter(x, unit, shift):
    test = RepeatedAnova(x)
    other = RepeatedAnova(x * unit + shift * np.arange(len(x))[:, None])
    assert other.statistic == pytest.approx(test.statistic, rel=1e-6, abs=1e-9)
    assert other.epsilon_gg == pytest.approx(test.epsilon_gg, rel=1e-6)


def test_mauchly():
    # with two contrasts W has the distribution function W^((N - 2) / 2)
    for n in (3, 5, 20):
        x = np.random.default_rng(n).normal(size=(n, 3))
        test = RepeatedAnova(x)
        assert test.mauchly_pvalue == pytest.approx(test.mauchly_w ** ((n - 2) / 2), rel=1e-9)
    x = np.random.default_rng(5).normal(size=(12, 5, 20_000))  # spherical
    assert (RepeatedAnova(x).mauchly_pvalue <= 0.05).mean() == pytest.approx(0.05, abs=0.006)
    # Of equal variances it is 1, which the noise of rounding exceeds in some units.
    w = RepeatedAnova(np.array([[0.0, 1, 2], [1, 2, 0], [2, 0, 1]])[:, :, None] * np.arange(1, 100) / 10 + 0.1).mauchly_w
    assert (w.max(), w) == (1, pytest.approx(1))
    test = RepeatedAnova([[1, 2, 4, 3], [2, 1, 4, 5], [1, 3, 5, 2]])
    for name in ("mauchly_w", "mauchly_pvalue"):
        with pytest.raises(
            NotStated,
            match=(
                rf"RepeatedAnova\.{name} cannot be computed: Mauchly's test "
                rf"needs at least as many .*; got 3 data sets and 4 classifiers"
            ),
        ):
            getattr(test, name)
    names = [row.name for row in test.worked()]
    assert "mauchly_w" not in names
    assert "pvalue_gg" in names


# -- the level, and what happens without sphericity --------------------------------------------------------------------------------
def test_levels_with_and_without_sphericity():
    x = np.random.default_rng(3).normal(size=(6, 4, 20_000))
    for test_class in (OneWayAnova, RepeatedAnova):
        assert test_class(x).reject.mean() == pytest.approx(0.05, abs=0.006)
    rng = np.random.default_rng(4)
    x = rng.normal(size=(8, 1, 2000)) * 10 + rng.normal(size=(8, 3, 2000)) + np.array([0, 0, 2])[:, None]
    assert RepeatedAnova(x).reject.mean() > 0.8
    assert OneWayAnova(x).reject.mean() < 0.01
    x = np.random.default_rng(6).normal(size=(10, 4, 20_000)) * np.array([1, 1, 1, 8])[:, None]
    assert RepeatedAnova(x).reject.mean() > 0.07
    assert RepeatedAnova(x, sphericity="greenhouse-geisser").reject.mean() == pytest.approx(0.05, abs=0.008)


# -- data that leave nothing to compute ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize("test_class", [OneWayAnova, RepeatedAnova])
@parametrize(
    "x",
    np.full((5, 3), 0.8),
    np.repeat([[0.1], [0.2], [0.7]], 3, axis=1),  # a classifier compared with itself
    [[0.1, 0.2, 0.3], [0.2, 0.3, 0.1], [0.3, 0.1, 0.2]],  # equal means,
)
def test_equal_means_never_speak_against_h0(test_class, x):
    test = test_class(x)
    assert (test.statistic, test.pvalue, test.effect_size, test.reject) == (0, 1, 0, False)
    assert "All means are equal: the data give no evidence against H0." in test.conclusion


def test_degenerate_scores():
    test = OneWayAnova([[0.1, 0.7, 0.7]] * 3)
    assert (test.statistic, test.pvalue, test.effect_size) == (np.inf, 0, 1)
    assert "The scores of every classifier are all equal: there is no spread to measure luck by, hence p = 0" in test.conclusion
    test = OneWayAnova.from_groups([0.7, 0.7], [0.1])
    assert (test.statistic, test.pvalue) == (np.inf, 0)
    # 0.9 - 0.8, 0.4 - 0.3 and 0.7 - 0.6 differ in the 17th digit, which is no spread
    test = RepeatedAnova([[0.9, 0.8, 0.7], [0.4, 0.3, 0.2], [0.7, 0.6, 0.5]])
    assert (test.statistic, test.pvalue, test.effect_size) == (np.inf, 0, 1)
    assert (test.epsilon_gg, test.epsilon_hf, test.mauchly_w, test.mauchly_pvalue) == (1, 1, 1, 1)
    assert (test.pvalue_gg, test.pvalue_hf) == (0, 0)
    assert "differ by the same amount on every data set: there is no spread to measure luck by, hence p = 0" in test.conclusion
    test = RepeatedAnova([[0.1, 0.2, 0.5], [0.2, 0.3, 0.1], [0.5, 0.6, 0.2], [0.3, 0.4, 0.9]])
    assert (test.mauchly_w, test.mauchly_statistic, test.mauchly_pvalue) == (0, np.inf, 0)
    assert test.epsilon_gg == 0.5  # the lower bound: there is only one direction
    test = RepeatedAnova([[1, 2, 4], [2, 5, 3]])
    assert test.epsilon_gg == test.epsilon_hf == 0.5
    assert test.df_error == 2


def test_summaries_need_no_scores():
    test = RepeatedAnova.from_steps(n=8, k=4, ss_classifiers=83.125, ss_error=153.375)
    assert test.pvalue == pytest.approx(0.0256, abs=5e-5)
    assert "covariance" not in [row.name for row in test.worked()]
    assert_raises(lambda: test.epsilon_gg, "epsilon_gg cannot be computed: the computation needs scores", NotStated)
