"""The paired bootstrap and the paired permutation of any metric: scikit-learn's metrics, full enumeration, SciPy, and simulated levels."""

from inspect import signature
from itertools import product

import numpy as np
import pytest
import scipy.stats as st
from shortcuts import assert_raises, parametrize
from sklearn import metrics as sk

import fstats
from fstats import DeLong, McNemarExact, Metric, PairedBootstrap, PairedPermutation
from fstats.procedures.metric_comparison.metrics import METRICS
from fstats.procedures.metric_comparison.resampling_distributions import Resamples

THEIRS = {
    "accuracy": sk.accuracy_score,
    "balanced_accuracy": sk.balanced_accuracy_score,
    "f1": lambda y, p: sk.f1_score(y, p, zero_division=0),
    "f1_macro": lambda y, p: sk.f1_score(y, p, average="macro", zero_division=0),
    "mcc": sk.matthews_corrcoef,
    "auc": lambda y, p: sk.roc_auc_score(y, p) if len(set(y)) == 2 else np.nan,
    "average_precision": lambda y, p: sk.average_precision_score(y, p) if len(set(y)) == 2 else np.nan,
    "log_loss": lambda y, p: sk.log_loss(y, p, labels=[0, 1]),
    "brier": sk.brier_score_loss,
    "rmse": lambda y, p: sk.mean_squared_error(y, p) ** 0.5,
    "mae": sk.mean_absolute_error,
}
OTHER = sorted(THEIRS.keys() ^ METRICS.keys())
assert OTHER == [], f"{OTHER}: each metric of METRICS needs another implementation in THEIRS, and its kind of data in `records`"
assert all(f'"{name}"' in str(Metric.__doc__) for name in METRICS), "the docstring of Metric names each metric of METRICS"
PROBABILITIES = ("auc", "average_precision", "log_loss", "brier")
quiet = pytest.mark.filterwarnings("ignore::UserWarning")  # scikit-learn's, of classes that are not there


def records(metric, n, seed, ahead=0.2):
    """True values and two predictions as a metric takes them, with ties and, but for two classes, a class that only B predicts."""
    rng = np.random.default_rng(seed)
    if metric in PROBABILITIES:
        y = (np.arange(n) % 3 == 0).astype(int)
        a, b = ((y * more + rng.random(n)) / 2 for more in (ahead + 0.4, 0.4))
        return y, a.clip(0.01, 0.99).round(1), b.clip(0.01, 0.99).round(1)
    if metric in ("rmse", "mae"):
        return rng.integers(0, 9, n), *(rng.normal(4, scale, n).round(1) for scale in (2, 3))
    k = 2 if metric == "f1" else 3
    y = rng.integers(0, k, n)
    a, b = (np.where(rng.random(n) < share, y, rng.integers(0, k + (k > 2) * more, n)) for share, more in ((0.5 + ahead, 0), (0.5, 1)))
    return y, a, b


def difference(metric, y, a, b):
    """By plain functions; positive where A is better."""
    found = THEIRS[metric](y, a) - THEIRS[metric](y, b)
    return found if METRICS[metric].higher_is_better else -found


@quiet
@pytest.mark.parametrize("metric", METRICS)
def test_a_metric_is_scikit_learns(metric):
    for seed, n in ((1, 9), (2, 40)):
        y, a, b = records(metric, n, seed)
        test = PairedBootstrap(y, a, b, metric=metric)
        assert (test.metric_a, test.metric_b) == pytest.approx((THEIRS[metric](y, a), THEIRS[metric](y, b)), rel=1e-12)
        assert test.statistic == pytest.approx(difference(metric, y, a, b), rel=1e-9, abs=1e-12)


@pytest.mark.complete
@quiet
@pytest.mark.parametrize("metric", METRICS)
def test_resamples_have_the_law_of_all_resamples(metric):
    """All 4^4 ways to draw four records, those without a metric left out; shares of 20,000 draws within four standard errors."""
    y, a, b = (x[[0, 3, 1, 4]] for x in records(metric, 5, 4))
    every = np.array([difference(metric, y[list(one)], a[list(one)], b[list(one)]) for one in product(range(4), repeat=4)])
    every = every[~np.isnan(every)].round(9)
    test = PairedBootstrap(y, a, b, metric=metric, draws=20_000)
    assert len(np.unique(every)) > 2
    for x in np.unique(every):
        truth = (every <= x).mean()
        assert test.resampled.at_most(x + 1e-8) == pytest.approx(truth, abs=4 * (truth * (1 - truth) / 20_000) ** 0.5 + 1e-12), (
            "if the metric has no value on some records, its function must return nan, as the one in THEIRS does; 0 is a value"
        )
    assert test.se == pytest.approx(every.std(), rel=0.03)


def test_records_drawn_one_by_one_and_as_counts_have_one_law():
    """Half of the scores tie so often that they are counted; those that differ slightly are drawn as records."""
    rng = np.random.default_rng(5)
    y = np.arange(600) % 2
    a, b = (y + rng.normal(0, 2, 600)).round(0), (y + rng.normal(0, 2, 600)).round(0)
    counted = PairedBootstrap(y, a, b, metric="rmse", draws=5_000)
    single = PairedBootstrap(y, a + rng.normal(0, 1e-9, 600), b, metric="rmse", draws=5_000)
    assert len(counted._joint[0].counts) * 8 <= 600 < len(single._joint[0].counts) * 8
    assert st.ks_2samp(counted.resampled.differences, single.resampled.differences).pvalue > 0.001


@pytest.mark.parametrize("metric", [*PROBABILITIES, "rmse", "mae"])
@pytest.mark.parametrize(("decimals", "cells_times_outcomes"), [(1, (0, 2**15)), (2, (2**15, np.inf)), (9, (0, 0))])
def test_sets_of_records_are_measured_as_if_they_were_written_out(metric, decimals, cells_times_outcomes):
    """A few outcomes are added by a matrix, more of them in their order, and none where hardly any comes twice."""
    rng = np.random.default_rng(19)
    y, (a, b) = rng.integers(0, 2, 2_000), rng.random((2, 2_000)).round(decimals)
    joint = PairedBootstrap(y, a, b, metric=metric)._joint[0]
    low, high = cells_times_outcomes
    assert (len(joint.counts) <= len(joint.y)) == (not high)
    assert low <= len(joint.counts) * len(joint.y) * (high > 0) <= high
    drawn = [rng.integers(0, 2_000, 2_000) for _ in range(3)]
    sets = np.array([np.bincount(joint.cell[places], minlength=len(joint.counts)) for places in drawn], float)
    expected = [[THEIRS[metric](y[places], side[places]) for places in drawn] for side in (a, b)]
    np.testing.assert_allclose(joint.metrics(sets), expected, rtol=1e-10)


def f1_of_columns(y, p, axis=-1):
    return 2 * (y * p).sum(axis) / (y + p).sum(axis)


@pytest.mark.parametrize("method", ["percentile", "BCa"])
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("metric", ["f1", "mae", "rmse"])
def test_intervals_are_scipys_from_the_same_resamples(metric, method, alternative):
    """SciPy draws; both make an interval of its draws, which may differ by what lies between two neighbours."""
    y, a, b = records(metric, 80, 6)
    ways = {
        "f1": lambda y, a, b, axis: f1_of_columns(y, a, axis) - f1_of_columns(y, b, axis),
        "mae": lambda y, a, b, axis: np.abs(b - y).mean(axis) - np.abs(a - y).mean(axis),
        "rmse": lambda y, a, b, axis: ((b - y) ** 2).mean(axis) ** 0.5 - ((a - y) ** 2).mean(axis) ** 0.5,
    }
    theirs = st.bootstrap((y, a, b), ways[metric], paired=True, n_resamples=4_999, method=method, alternative=alternative, rng=7)
    ours = PairedBootstrap(y, a, b, metric=metric, interval=method, alternative=alternative)
    ours = ours.assuming(resampled=Resamples(np.sort(theirs.bootstrap_distribution), 80))
    expected = theirs.confidence_interval
    assert tuple(ours.ci) == pytest.approx((expected.low, expected.high), abs=0.05 * ours.se)
    own = PairedBootstrap(y, a, b, metric=metric, interval=method, alternative=alternative)
    assert tuple(own.ci) == pytest.approx((expected.low, expected.high), abs=0.2 * ours.se)  # with draws of its own


@pytest.mark.complete
@quiet
@pytest.mark.parametrize("metric", METRICS)
def test_all_ways_to_exchange_by_plain_loops(metric):
    """Every one of 2^n; of AUC and average precision the ranks are exchanged."""
    y, a, b = records(metric, 7, 8)
    tests = {alternative: PairedPermutation(y, a, b, metric=metric, alternative=alternative) for alternative in PairedPermutation.tails}
    if metric in ("auc", "average_precision"):
        a, b = st.rankdata(a), st.rankdata(b)
    if metric in ("log_loss", "brier", "rmse", "mae"):
        plain = {"log_loss": lambda p: -np.log(np.where(y == 1, p, 1 - p)), "brier": lambda p: (p - y) ** 2}
        loss_a, loss_b = (plain.get(metric, lambda p: np.abs(p - y))(p) for p in (a, b))
        power = 2 if metric == "rmse" else 1
        means = [np.mean(np.where(way, loss_b, loss_a) ** power) ** (1 / power) for way in product([True, False], repeat=7)]
        others = means[::-1]  # the opposite way
        every = np.subtract(means, others)
    else:
        every = np.array([difference(metric, y, np.where(way, a, b), np.where(way, b, a)) for way in product([True, False], repeat=7)])
    found = tests["two-sided"].statistic
    more, less = (every >= found - 1e-9).mean(), (every <= found + 1e-9).mean()
    expected = {"two-sided": min(1, 2 * min(more, less)), "greater": more, "less": less}
    assert {alternative: test.pvalue for alternative, test in tests.items()} == pytest.approx(expected, rel=1e-12)
    assert {test.mc_error for test in tests.values()} == {0}


@pytest.mark.parametrize("metric", ["accuracy", "brier", "mae"])
def test_scipys_permutation_test(metric):
    y, a, b = records(metric, 10, 9)
    losses = {"accuracy": lambda p: p != y, "brier": lambda p: (p - y) ** 2, "mae": lambda p: np.abs(p - y)}[metric]
    theirs = st.permutation_test(
        (losses(b).astype(float), losses(a).astype(float)),
        lambda x, z, axis: x.mean(axis) - z.mean(axis),
        permutation_type="samples",
        n_resamples=np.inf,
    )
    assert PairedPermutation(y, a, b, metric=metric).pvalue == pytest.approx(theirs.pvalue, rel=1e-12)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_accuracy_is_mcnemars_to_the_last_digit(alternative):
    rng = np.random.default_rng(10)
    for n in [*range(2, 40), 100, 333, 900]:
        y, a, b = rng.integers(0, 3, (3, n))
        exact = McNemarExact.from_predictions(y, a, b, alternative=alternative)
        assert exact.n <= 500
        assert PairedPermutation(y, a, b, alternative=alternative).pvalue == exact.pvalue


@pytest.mark.complete
def test_a_million_records():
    """Counts of outcomes: 4 for accuracy, in all ways to exchange 300,000 records; 27 for macro-F1 of three classes."""
    rng = np.random.default_rng(11)
    y = rng.integers(0, 3, 10**6)
    a, b = (np.where(rng.random(10**6) < share, y, 0) for share in (0.8, 0.7985))
    exact = McNemarExact.from_predictions(y, a, b)
    assert PairedPermutation(y, a, b).pvalue == pytest.approx(exact.pvalue, rel=1e-8)
    resampled = PairedBootstrap(y, a, b, metric="f1_macro")
    assert resampled.statistic == pytest.approx(difference("f1_macro", y, a, b), rel=1e-9)
    se = (exact.n - (exact.n10 - exact.n01) ** 2 / 1e6) ** 0.5 / 1e6
    assert PairedBootstrap(y, a, b).se == pytest.approx(se, rel=0.03)  # of 9,999 draws: within four standard errors of 0.7 %


def mean_distance(y, p):
    return np.abs(y - p).mean()


@pytest.mark.complete
def test_the_standard_error_of_auc_is_delongs():
    """Of 4,999 draws: within four standard errors of 1 %."""
    y, a, b = equal_auc(np.random.default_rng(17), 1_000, 1)
    test = PairedBootstrap(y[:, 0], a[:, 0], b[:, 0], metric="auc", draws=4_999)
    delong = DeLong(y[:, 0], a[:, 0], b[:, 0])
    assert (test.statistic, test.se) == (pytest.approx(delong.difference, rel=1e-9), pytest.approx(delong.se, rel=0.04))


def test_few_records_that_differ_are_too_few_for_the_bootstrap():
    """All four in favour of A: p is twice the chance to miss them, far below the exact one."""
    wrong = np.r_[np.ones(4, int), np.zeros(6, int)]
    test = PairedBootstrap(np.zeros(10, int), np.zeros(10, int), wrong, draws=99_999)
    assert test.pvalue == pytest.approx(2 * 0.6**10, abs=4 * test.mc_error)
    assert PairedPermutation(np.zeros(10, int), np.zeros(10, int), wrong).pvalue == 0.125


@pytest.mark.complete
def test_random_ways_stray_about_all_ways():
    """A function of your own is called once for each way: 1,000 of 2^14 here; over 60 seeds p strays as mc_error says."""
    y, a, b = records("mae", 14, 12)
    own = Metric(mean_distance, higher_is_better=False)
    exact = PairedPermutation(y, a, b, metric="mae").pvalue
    drawn = [PairedPermutation(y, a, b, metric=own, draws=1_000, rng=seed) for seed in range(60)]
    found = np.array([test.pvalue for test in drawn])
    assert found.mean() == pytest.approx(exact, abs=4 * drawn[0].mc_error / 60**0.5 + 1 / 1_001)
    assert found.std() == pytest.approx(np.mean([test.mc_error for test in drawn]), rel=0.35)
    assert "p comes from 1,000 random exchanges" in drawn[0].conclusion


@pytest.mark.complete
def test_a_metric_of_your_own_is_the_one_with_a_name():
    y, a, b = records("f1_macro", 30, 13)
    own = Metric(THEIRS["f1_macro"], higher_is_better=True, name="my F1")
    ours, named = (PairedBootstrap(y, a, b, metric=metric, draws=200, interval="BCa") for metric in (own, "f1_macro"))
    assert (ours.statistic, ours.acceleration) == pytest.approx((named.statistic, named.acceleration), rel=1e-9)
    assert "a difference in my F1 between A and B" in ours.claim
    assert "metric = my F1" in repr(ours)
    loss = Metric(lambda y, p: 1 - THEIRS["f1_macro"](y, p), higher_is_better=False, name="loss")
    assert PairedBootstrap(y, a, b, metric=loss).statistic == pytest.approx(named.statistic, rel=1e-9)


def test_probabilities_of_several_classes_as_the_documentation_hands_them_in():
    rng = np.random.default_rng(18)
    y, a, b = rng.integers(0, 4, 60), rng.dirichlet(np.ones(4), 60), rng.dirichlet(np.ones(4) * 3, 60)
    came = np.eye(4)[y]
    log = PairedBootstrap(np.ones(60), a[came == 1], b[came == 1], metric="log_loss", draws=100)
    assert (log.metric_a, log.metric_b) == pytest.approx([sk.log_loss(y, p) for p in (a, b)], rel=1e-12)
    mean = Metric(lambda _, loss: loss.mean(), higher_is_better=False, name="Brier score")
    brier = PairedBootstrap(y, *(((p - came) ** 2).sum(1) for p in (a, b)), metric=mean, draws=100)
    loops = [sum((p[i, k] - (y[i] == k)) ** 2 for i in range(60) for k in range(4)) / 60 for p in (a, b)]
    assert (brier.metric_a, brier.metric_b) == pytest.approx(loops, rel=1e-12)
    if "scale_by_half" in signature(sk.brier_score_loss).parameters:  # from 1.7 on it takes more than two classes
        assert loops == pytest.approx([sk.brier_score_loss(y, p) for p in (a, b)], rel=1e-12)
    two = np.c_[1 - a[:, 0], a[:, 0]]
    assert ((two - np.eye(2)[y % 2]) ** 2).sum(1).mean() == pytest.approx(2 * METRICS["brier"].function(y % 2, a[:, 0]).mean())


# -- what there is to say of degenerate data ---------------------------------------------------------------------------------------
def on_all_twenty(_, p):
    return 1.0 if len(set(p)) == 20 else np.nan


def test_one_class_may_be_absent_from_a_resample():
    y, a, b = np.r_[1, 1, np.zeros(18, int)], np.arange(20)[::-1] % 7, np.arange(20)[::-1] % 5
    test = PairedBootstrap(y, a, b, metric="auc", draws=1_000)
    share = test.resampled.redraw_count / (1_000 + test.resampled.redraw_count)
    assert share == pytest.approx(0.9**20, abs=4 * (0.9**20 * (1 - 0.9**20) / 1_138) ** 0.5)  # no positive record
    assert f"{test.resampled.redraw_count} more resamples without AUC were replaced." in test.conclusion
    with pytest.raises(ValueError, match="`metric` must be defined on most resamples; hardly was undefined on"):
        PairedBootstrap(y, a, b, metric=Metric(on_all_twenty, True, "hardly"), draws=100).worked()


@pytest.mark.parametrize("cls", [PairedBootstrap, PairedPermutation])
@pytest.mark.parametrize("metric", METRICS)
def test_the_same_predictions(cls, metric):
    y, a, _ = records(metric, 20, 14)
    test = cls(y, a, a, metric=metric)
    assert (test.statistic, test.pvalue, test.effect_size, bool(test.reject)) == (0, 1, 0, False)
    assert test.conclusion.endswith("no evidence against H0.")
    assert "nan" not in repr(test)


def test_resamples_that_are_all_alike_and_sizes_of_numbers():
    test = PairedBootstrap([1, 0], [1, 0], [0, 1], interval="BCa", draws=999)
    assert (test.statistic, test.pvalue, test.se, tuple(test.ci)) == (1, 0.002, 0, (1, 1))
    assert "in every resample: there is no spread to measure luck by, and p depends only on the number of resamples" in test.conclusion
    assert PairedPermutation([1, 0], [1, 0], [0, 1]).pvalue == 0.5
    assert "so few differing records (2) no result could reject" in PairedPermutation([1, 0], [1, 0], [0, 1]).conclusion
    y, a, b = records("rmse", 25, 15)
    once = PairedBootstrap(y, a, b, metric="rmse", draws=300)
    for size in (1e-150, 1e155):
        scaled = PairedBootstrap(y * size, a * size, b * size, metric="rmse", draws=300)
        assert (scaled.pvalue, tuple(scaled.ci)) == (once.pvalue, pytest.approx(np.multiply(once.ci, size), rel=1e-9))


# -- levels ---------------------------------------------------------------------------------------------------------------------------
def coin(rng, p, like):
    return (rng.random(like.shape) < p).astype(int)


def equally_accurate(rng, n, trials):
    """40 % of the records are hard, and guessed by either."""
    y, hard = rng.integers(0, 2, (n, trials)), rng.random((n, trials)) < 0.4
    return y, *(np.where(hard & (rng.random((n, trials)) < 0.5), 1 - y, y) for _ in range(2))


def equal_f1(rng, n, trials):
    """A is precise and B finds more: one F1 by other ways, with one positive record in five."""
    y = coin(rng, 0.2, np.empty((n, trials)))
    truth = 2 * 0.6 * 0.2 / (0.6 * 0.2 + 0.01 * 0.8 + 0.2)
    alarms = (2 * 0.9 * 0.2 / truth - 0.9 * 0.2 - 0.2) / 0.8
    return y, *(np.where(y == 1, coin(rng, hit, y), coin(rng, alarm, y)) for hit, alarm in ((0.6, 0.01), (0.9, alarms)))


def equal_auc(rng, n, trials):
    """What A and B see of a record has half of its variance in common."""
    y = np.tile((np.arange(n) % 4 == 0).astype(int)[:, None], trials)
    seen = rng.normal(size=(n, trials))
    return y, *(y + seen + rng.normal(size=(n, trials)) for _ in range(2))


def rare_blunders(power):
    """A is mostly nearly right and seldom far off, B always off by about as much: one mean of |error|^power."""

    def draw(rng, n, trials):
        y = np.zeros((n, trials))
        return y, rng.exponential(1, y.shape), (1.0 if power == 1 else np.sqrt(2 - 0.01)) + rng.normal(0, 0.1, y.shape)

    return draw


# Law, metric, records: levels of percentile, BCa and permutation at 0.05.  They are those of 4,000 data sets (2,000 where slow); here
# 500 are drawn, so that a level of 0.05 has a standard error of 0.010, and one of 0.18 of 0.017.
LEVELS = {
    "accuracy, 20": (equally_accurate, "accuracy", 20, 0.042, 0.095, 0.004),
    "F1, 100": (equal_f1, "f1", 100, 0.050, 0.043, 0.052),
    "MAE, 20": (rare_blunders(1), "mae", 20, 0.098, 0.089, 0.082),
}
SLOW = {
    "RMSE, 20": (rare_blunders(2), "rmse", 20, 0.184, 0.146, 0.181),
    "accuracy, 50": (equally_accurate, "accuracy", 50, 0.043, 0.050, 0.023),
    "AUC, 40": (equal_auc, "auc", 40, 0.054, 0.065, 0.047),
    "RMSE, 100": (rare_blunders(2), "rmse", 100, 0.097, 0.078, 0.107),
}


@pytest.mark.complete
@parametrize(
    "law, metric, n, percentile, bca, exchanged",
    *(pytest.param(*one, id=name) for name, one in LEVELS.items()),
    *(pytest.param(*one, id=name, marks=pytest.mark.slow) for name, one in SLOW.items()),
)
def test_levels(law, metric, n, percentile, bca, exchanged):
    """At alpha = 0.05, with 999 draws; coverage is 1 less these, as an interval and its p are one."""
    data = law(np.random.default_rng(16), n, 500)
    settings = {"metric": metric, "draws": 999}
    tests = (PairedBootstrap(*data, **settings), PairedBootstrap(*data, interval="BCa", **settings), PairedPermutation(*data, **settings))
    for test, level in zip(tests, (percentile, bca, exchanged)):
        assert test.reject.mean() == pytest.approx(level, abs=4 * (level * (1 - level) / 500) ** 0.5)
    assert tests[1].reject.mean() == pytest.approx(1 - tests[1].ci.holds(0).mean(), abs=0.002)


@pytest.mark.parametrize("test", [PairedBootstrap, PairedPermutation])
@pytest.mark.parametrize("value", [np.inf, -np.inf, np.nan])
def test_a_metric_of_ones_own_must_be_finite(test, value):
    own = fstats.Metric(lambda _, p: value if (p == 0).any() else 1.0, False, "surprise")
    y = [1, 0, 1, 1, 0, 1]
    made = test(y, y, [1] * 6, metric=own)
    assert_raises(lambda: made.pvalue, r"`metric` must be (finite|defined).*; surprise (was infinite|gave nan|was undefined)")
    rare = fstats.Metric(lambda _, p: np.inf if (p == 0).sum() > 2 else float(p.mean()), False, "surprise")
    made = test(y * 4, [*[1] * 4, 0, *[1] * 19], [0, *[1] * 22, 0], metric=rare, draws=2000)
    assert_raises(lambda: made.pvalue, r"`metric` must be finite, .*; surprise was infinite")


@pytest.mark.complete
@pytest.mark.parametrize("method", ["percentile", "BCa"])
def test_the_error_of_p_is_how_far_it_strays_over_seeds(method):
    """For BCa the draws determine the bias, too: the error is about 1.5 times that of the percentile method."""
    rng = np.random.default_rng(5)
    y = rng.integers(0, 2, 40)
    a, b = (np.clip(rng.beta(2, 2, 40) * scale + shift * y, 0.001, 0.999) for scale, shift in ((0.6, 0.25), (0.7, 0.22)))
    for alternative in ("two-sided", "greater", "less"):
        settings = {"metric": "brier", "draws": 1_000, "interval": method, "alternative": alternative}
        drawn = [PairedBootstrap(y, a, b, rng=seed, **settings) for seed in range(120)]
        stray = np.std([test.pvalue for test in drawn], ddof=1)
        assert stray == pytest.approx(np.mean([test.mc_error for test in drawn]), rel=0.22)


def test_the_spread_of_tiny_and_huge_losses_is_no_zero_and_no_overflow():
    rng = np.random.default_rng(1)
    y, a, b = rng.random((3, 30))
    plain = PairedBootstrap(y, a, b, metric="mae", draws=200)
    for scale in (2.0**-900, 2.0**900):
        test = PairedBootstrap(y * scale, a * scale, b * scale, metric="mae", draws=200)
        assert (test.se / scale, test.remark) == (plain.se, plain.remark)


def test_of_few_records_that_differ_it_is_said_what_is_exact():
    few = PairedBootstrap([1] * 10, [1] * 10, [0] * 4 + [1] * 6)
    assert few.remark.endswith("The two differ on only 4 records, so p is rough: McNemarExact is exact there.")
    assert "McNemarExact is exact there" in fstats.report(few).text
    of_f1 = PairedBootstrap([1, 0] * 20, [1, 0] * 20, [0, 0] + [1, 0] * 19, metric="f1")
    assert of_f1.remark.endswith("The two differ on only 1 record, so p is rough: PairedPermutation is exact there.")
    assert "rough" not in PairedBootstrap([1] * 100, [1] * 60 + [0] * 40, [0] * 30 + [1] * 70).remark


def test_saturated_probabilities_are_ranked_but_for_noise():
    """As DeLong does; scikit-learn puts the noise in order too, and log-odds have none."""
    from sklearn.datasets import load_digits
    from sklearn.naive_bayes import GaussianNB

    X, y = load_digits(return_X_y=True)
    y = y % 2
    model = GaussianNB().fit(X[:900], y[:900])
    p, logs = model.predict_proba(X[900:])[:, 1], model.predict_joint_log_proba(X[900:])
    odds = logs[:, 1] - logs[:, 0]
    assert PairedBootstrap(y[900:], p, odds, metric="auc", draws=100).metric_a == fstats.DeLong(y[900:], p, odds).auc_a
    for metric, theirs in (("auc", sk.roc_auc_score), ("average_precision", sk.average_precision_score)):
        test = PairedBootstrap(y[900:], p, odds, metric=metric, draws=100)
        assert test.metric_b == pytest.approx(theirs(y[900:], odds), rel=1e-12)
        assert abs(test.metric_a - theirs(y[900:], p)) < 0.02
