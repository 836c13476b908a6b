"""The parts of a variance and the probability of outperforming: loops from the sources, other ways to the same, and simulation."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from shortcuts import assert_each_raises, assert_raises, parametrize

import fstats
from fstats import ProbabilityOfOutperforming, VarianceParts, VariancePartsOfDataSets
from fstats.procedures.training_variance.probability_of_outperforming import WinShareDistribution

SEED = 20


def drawn(rng, sizes, sds, repetitions):
    """Differences of data sets with splits and seeds that both are nested in them, and so many repetitions; 0 is the true mean."""
    k, i, j = sizes
    shapes = (k, 1, 1), (k, i, 1), (k, 1, j), (k, i, j)
    return sum(sd * rng.normal(size=(*shape, repetitions)) for sd, shape in zip(sds, shapes, strict=True))


# -- parts of the variance: other ways to the same -------------------------------------------------------------------------
def mean_squares_by_loops(d):
    """Those of a table, added up cell by cell: splits, seeds, rest."""
    n, m = len(d), len(d[0])
    grand = sum(sum(row) for row in d) / (n * m)
    rows = [sum(row) / m for row in d]
    columns = [sum(row[j] for row in d) / n for j in range(m)]
    left = sum((d[i][j] - rows[i] - columns[j] + grand) ** 2 for i in range(n) for j in range(m))
    return (
        m * sum((row - grand) ** 2 for row in rows) / (n - 1),
        n * sum((column - grand) ** 2 for column in columns) / (m - 1),
        left / ((n - 1) * (m - 1)),
        grand,
    )


def test_data_sets_by_loops(rng):
    d = rng.normal(size=(5, 3))
    splits, seeds, left, grand = mean_squares_by_loops(d.tolist())
    parts = VarianceParts(d)
    np.testing.assert_allclose(parts.ms, [splits, seeds, left])
    np.testing.assert_allclose(parts.solved, [(splits - left) / 3, (seeds - left) / 5, left])
    np.testing.assert_allclose(parts.components, np.maximum(parts.solved, 0))
    np.testing.assert_allclose(parts.shares, parts.components / parts.components.sum())
    np.testing.assert_allclose(parts.variance, parts.components @ [1 / 5, 1 / 3, 1 / 15])
    np.testing.assert_allclose([parts.mean, parts.se], [grand, parts.variance**0.5])
    d = drawn(rng, (4, 5, 3), (2, 1, 1, 1), 1)[..., 0]
    of_each = np.array([mean_squares_by_loops(table.tolist()) for table in d])
    splits, seeds, left, _ = of_each.mean(0)
    own = 15 * np.var(of_each[:, 3], ddof=1)
    parts = VariancePartsOfDataSets(d)
    np.testing.assert_allclose(parts.ms, [splits, seeds, left, own])
    np.testing.assert_allclose(parts.solved, [(splits - left) / 3, (seeds - left) / 5, left, (own - splits - seeds + left) / 15])
    np.testing.assert_allclose(parts.variance, parts.components @ [1 / 20, 1 / 12, 1 / 60, 1 / 4])
    d = drawn(rng, (6, 4, 3), (3, 1, 1, 1), 1)[..., 0]
    parts = VariancePartsOfDataSets(d)
    assert (parts.solved > 0).all()
    assert parts.variance == pytest.approx(np.var(d.mean((1, 2)), ddof=1) / 6)  # whatever the parts, the means tell it


def squares_of_projections(d, factors):
    """Sums of squares and degrees of freedom, each factor (a code for each cell) after those before it, by least squares."""
    y, x, found, before = d.ravel(), np.ones((d.size, 1)), [], (0.0, 0)
    for codes in factors:
        x = np.hstack([x, codes.ravel()[:, None] == np.unique(codes)])
        fit = x @ np.linalg.lstsq(x, y - y.mean(), rcond=None)[0]
        fit -= fit.mean()
        now = float(fit @ fit), int(np.linalg.matrix_rank(x)) - 1
        found.append((now[0] - before[0], now[1] - before[1]))
        before = now
    away = y - y.mean()
    return np.transpose([*found, (float(away @ away) - before[0], d.size - 1 - before[1])])


def test_least_squares_agree(rng):
    d = rng.normal(size=(3, 4, 2))
    h, i, j = np.indices(d.shape)
    many = VariancePartsOfDataSets(d)
    np.testing.assert_allclose(np.roll([many.ss, many.df], 1, axis=1), squares_of_projections(d, [h, 10 * h + i, 10 * h + j]))
    one = VarianceParts(d[0])
    np.testing.assert_allclose([one.ss, one.df], squares_of_projections(d[0], [i[0], j[0]]))


@pytest.mark.complete
def test_statsmodels_agrees(rng):
    api = pytest.importorskip("statsmodels.formula.api")
    from statsmodels.stats.anova import anova_lm

    d = rng.normal(size=(3, 4, 2))
    h, i, j = (index.ravel() for index in np.indices(d.shape))
    frame = pd.DataFrame({"d": d.ravel(), "h": h, "i": i, "j": j})
    parts = VariancePartsOfDataSets(d)
    table = anova_lm(api.ols("d ~ C(h) + C(h):C(i) + C(h):C(j)", frame).fit())
    np.testing.assert_allclose(table["sum_sq"], np.roll(parts.ss, 1))
    np.testing.assert_allclose(table["df"], np.roll(parts.df, 1))


def test_shrout_and_fleiss_call_the_share_icc():
    d = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
    parts = VarianceParts(d)  # their Table 4: ICC(2, 1), ICC(3, 1) and ICC(2, 4)
    targets, judges, left = parts.components
    expected = [0.29, 0.71, 0.62]
    assert [round(icc, 2) for icc in (parts.shares[0], targets / (targets + left), targets / (targets + (judges + left) / 4))] == expected
    f = parts.ms[0] / parts.ms[2]
    low, high = ((f / stats.f.ppf(p, 5, 15) - 1) / 4 for p in (0.975, 0.025))
    np.testing.assert_allclose([parts.ratio_low[0], parts.ratio_high[0]], [low, high])


# -- and by simulation -------------------------------------------------------------------------------------------------------
def test_estimates_are_unbiased_and_intervals_exact(rng):
    truth = np.array([0.0, 1.5, 0.5, 1.0]) ** 2
    for cls, d, own in (
        (VarianceParts, drawn(rng, (1, 5, 4), (0, 1.5, 0.5, 1), 20_000)[0], truth[1:]),
        (VariancePartsOfDataSets, drawn(rng, (3, 4, 3), (0, 1.5, 0.5, 1), 20_000), np.roll(truth, -1)),
    ):
        parts = cls(d, alpha=0.1)
        error = parts.solved.std(1) / 20_000**0.5
        assert (abs(parts.solved.mean(1) - own) < 4 * error).all()
        if not own[-1]:
            assert (parts.solved[-1] < 0).mean() > 0.5
        ratios = own[:2, None] / own[2]
        held = ((parts.ratio_low <= ratios) & (ratios <= parts.ratio_high)).mean(1)
        assert (abs(held - 0.9) < 4 * (0.09 / 20_000) ** 0.5).all()


def test_the_variance_of_the_mean_is_what_means_do(rng):
    expected = (1 + 1 / 4 + 0.25 / 2 + 1 / 8) / 3
    assert VariancePartsOfDataSets(drawn(rng, (3, 4, 2), (1, 1, 0.5, 1), 20_000)).mean.var() == pytest.approx(expected, rel=0.04)
    truth = VariancePartsOfDataSets.from_steps(components=[1, 0.25, 1, 1], n_data_sets=3, n_splits=4, n_seeds=2)
    assert truth.variance == pytest.approx(expected)


# -- a plan --------------------------------------------------------------------------------------------------------------------
@parametrize(
    "parts",
    VarianceParts([[1, 2, 5], [4, 6, 7], [0, 3, 2.5]]),
    VariancePartsOfDataSets([[[0, 2], [4, 7]], [[8, 12], [14, 17]], [[3, 3], [2, 5]]], alpha=0.1),
    ids=lambda parts: type(parts).__name__,
)
def test_a_plan_has_the_power_and_not_a_seed_more_than_it_needs(parts):
    def reached(need):
        sizes = [need.splits, need.seeds, need.splits * need.seeds]
        of_cell = np.divide(1, [*sizes, 1][: len(parts.components)]) @ parts.components
        shift = 1.7 / (of_cell / need.data_sets) ** 0.5
        return stats.norm.sf(stats.norm.isf(parts.alpha / 2) - shift)

    plan = parts.needed(1.7, power=0.9)
    assert len(plan) > 3
    for need in plan:
        assert reached(need) >= 0.9 - 1e-9
        assert need.runs == need.data_sets * need.splits * need.seeds
        last = "seeds" if need.data_sets == 1 else "data_sets"
        fewer = need._replace(**{last: getattr(need, last) - 1})
        assert getattr(fewer, last) == 0 or reached(fewer) < 0.9


def test_plans_of_splits_and_seeds(rng):
    parts = VarianceParts([[0, 2], [4, 6]])
    assert VarianceParts.from_steps(components=parts.components).needed(2.8) == parts.needed(2.8)
    plan = VarianceParts(rng.normal(size=(6, 4)) + rng.normal(size=(6, 1))).needed(0.4)
    seeds = [need.seeds for need in plan]
    assert seeds == sorted(seeds, reverse=True)
    parts = VarianceParts(np.arange(12.0).reshape(2, 3, 2))
    assert_raises(lambda: parts.needed(1), r"a batch of shape \(2,\) has no single plan")
    for wrong, said in ((0, "`delta` must be above 0"), (-1, "`delta` must be above 0")):
        with pytest.raises(ValueError, match=said):
            parts.at(0).needed(wrong)
    assert_raises(lambda: parts.at(0).needed(1, power=0.02), "`power` must be above")
    assert_raises(lambda: parts.at(0).needed(1, power=1.0), "`power` must be between 0 and 1")


# -- degenerate data -----------------------------------------------------------------------------------------------------------
def test_an_estimate_below_0_is_seen_and_counts_as_0():
    parts = VarianceParts([[1, 0], [0, 1]])
    assert (parts.ms.tolist(), parts.solved.tolist(), parts.components.tolist()) == ([0, 0, 1], [-0.5, -0.5, 1], [0, 0, 1])
    assert parts.variance == 0.25
    assert parts.remark.startswith("The estimate for splits and seeds is below 0")
    assert "100 % from the rest" in parts.conclusion
    assert parts.ratio_low.tolist() == parts.ratio_high.tolist() == [0, 0]


@pytest.mark.parametrize("value", [0.0, 0.1])
def test_without_spread_there_are_no_parts(value):
    for parts in (VarianceParts(np.full((3, 3), value)), VariancePartsOfDataSets(np.full((2, 3, 3), value))):
        assert not parts.components.any()
        assert not parts.shares.any()
        assert parts.se == 0
        assert "The differences have no spread" in parts.conclusion
        assert ("mistake in the data" in parts.conclusion) == (value != 0)
        assert {need.runs for need in parts.needed(1)} >= {1}


def test_what_is_refused_and_said():
    assert_each_raises(lambda shape: VarianceParts(np.zeros(shape)), ((1, 5), (5, 1), (5,), ()), r"both at least 2; .*OneSampleT")
    words = r"each at least 2; .*use VarianceParts"
    assert_each_raises(lambda shape: VariancePartsOfDataSets(np.zeros(shape)), ((1, 5, 5), (5, 1, 5), (5, 5)), words)
    assert "The components do not contain the variation between data sets" in VarianceParts([[1, 2], [3, 5]]).conclusion
    assert "do not reduce the variation between data sets" in VariancePartsOfDataSets(np.eye(8).reshape(4, 4, 4)).conclusion


# -- the probability of outperforming -----------------------------------------------------------------------------------------
@pytest.mark.parametrize("d", [(1, 1, 1, -1), (1, 0, 0, -1), (1, 1, 0, 1), (-1, -1, -1, 1), (0, 0, 1, 1)])
def test_every_resample_counted(d):
    points = {1: 1.0, 0: 0.5, -1: 0.0}
    shares = np.sort([sum(points[one] for one in drawn) / 4 for drawn in product(d, repeat=4)])
    test = ProbabilityOfOutperforming(d, np.zeros(4))
    for k in range(9):
        assert test.resampled.at_most(k / 8) == pytest.approx((shares <= k / 8).mean())
    for alpha in (0.01, 0.03, 0.1, 0.3):
        low, high = ProbabilityOfOutperforming(d, np.zeros(4), alpha=alpha).ci
        assert low == next(x for x in shares if (shares <= x).mean() >= alpha / 2)
        assert high == next(x for x in shares[::-1] if (shares >= x).mean() >= alpha / 2)


@pytest.mark.parametrize("n", [5, 17, 29])
def test_scipy_draws_the_same_interval(n, rng):
    a, b = rng.integers(0, 6, (2, n))
    test, points = ProbabilityOfOutperforming(a, b), (a > b) + (a == b) / 2
    drawn = stats.bootstrap((points,), np.mean, method="percentile", n_resamples=50_000, batch=5000, rng=rng)
    assert tuple(test.ci) == pytest.approx(tuple(drawn.confidence_interval))
    below = [(drawn.bootstrap_distribution <= end + 1e-9).mean() for end in test.ci]
    np.testing.assert_allclose(below, [test.resampled.at_most(end) for end in test.ci], atol=4 * 0.5 / 50_000**0.5)


def test_exchanging_the_two_mirrors_everything(rng):
    a, b = rng.integers(0, 4, (2, 12, 200))
    one, other = ProbabilityOfOutperforming(a, b), ProbabilityOfOutperforming(b, a)
    np.testing.assert_allclose(one.probability, 1 - other.probability)
    np.testing.assert_allclose(one.ci, (1 - other.ci.high, 1 - other.ci.low))
    assert not (one.reject & other.reject).any()


@parametrize("wins, verdict", (60, "not significant"), (66, "significant, but not meaningful"), (85, "significant and meaningful"))
def test_the_three_results_of_the_source(wins, verdict):
    test = ProbabilityOfOutperforming(np.r_[np.ones(wins), -np.ones(100 - wins)], np.zeros(100))
    low, high = (stats.binom(100, wins / 100).ppf(p) / 100 for p in (0.025, 0.975))
    assert (tuple(test.ci), test.verdict, test.reject) == ((low, high), verdict, low > 0.5)
    assert test.meaningful == (low > 0.5 and high > 0.75)
    assert f": {verdict}, with gamma = 0.75." in test.conclusion


def test_sample_sizes_levels_and_power_of_the_docstring():
    at_half = ProbabilityOfOutperforming(np.r_[np.ones(8), -np.ones(2)], np.zeros(10))
    assert at_half.ci.low == 0.5
    assert not at_half.reject
    test = ProbabilityOfOutperforming(np.r_[np.ones(66), -np.ones(34)], np.zeros(100))
    assert not ProbabilityOfOutperforming(test.a, test.b, gamma=float(test.ci.high)).meaningful
    test = ProbabilityOfOutperforming([1, 2], [0, 0])
    z = stats.norm.isf(0.05)
    assert test.sample_size == 29 == np.ceil((2 * z / (6**0.5 * 0.25)) ** 2)
    assert np.ceil((2 * z / (2 * 0.25)) ** 2) == 44
    rate = ProbabilityOfOutperforming.rejection_rate
    told = " ".join(ProbabilityOfOutperforming.__doc__.split())
    assert f"{rate(5):.3f} with 5, {rate(10):.3f} with 10 and {rate(29):.3f} with 29, instead of 0.025" in told
    assert f"power at P = 0.75 is {rate(29, 0.75):.2f} with 29 pairs and {rate(44, 0.75):.2f} with 44" in told


@pytest.mark.complete
@pytest.mark.parametrize("n", [5, 10, 29])
def test_rejection_rates_by_enumeration_and_simulation(n, rng):
    rate = 0.0
    for wins in range(n + 1):
        d = np.r_[np.ones(wins), -np.ones(n - wins)]
        rate += stats.binom(n, 0.5).pmf(wins) * ProbabilityOfOutperforming(d, np.zeros(n)).reject
    assert ProbabilityOfOutperforming.rejection_rate(n) == pytest.approx(rate, rel=1e-10)
    a, b = rng.normal(size=(2, n, 20_000))
    assert abs(ProbabilityOfOutperforming(a, b).reject.mean() - rate) < 4 * (rate * (1 - rate) / 20_000) ** 0.5


@pytest.mark.complete
def test_many_pairs_keep_the_level_that_resampling_grants():
    assert ProbabilityOfOutperforming.rejection_rate(1000) == pytest.approx(0.025, abs=0.004)
    assert ProbabilityOfOutperforming.rejection_rate(1000, 1.0) == pytest.approx(1)


@pytest.mark.slow
def test_pairs_that_share_records_keep_no_level(rng):
    n, rho = 29, 1 / 3
    common, own = rng.normal(size=(1, 20_000)), rng.normal(size=(n, 20_000))
    d = rho**0.5 * common + (1 - rho) ** 0.5 * own  # correlated as splits with a third to test are taken to be
    assert ProbabilityOfOutperforming(d, np.zeros_like(d)).reject.mean() > 8 * 0.025


def test_pairs_that_go_one_way_and_noise():
    won, lost, tied = (
        ProbabilityOfOutperforming(d, np.zeros(4), labels=["forest", "tree"]) for d in (np.ones(4), -np.ones(4), np.zeros(4))
    )
    assert (tuple(won.ci), tuple(lost.ci), tuple(tied.ci)) == ((1, 1), (0, 0), (0.5, 0.5))
    assert [bool(test.reject) for test in (won, lost, tied)] == [True, False, False]
    assert "All 4 pairs are won by forest: all resamples are equal and show no random variation" in won.conclusion
    assert "has probability 0.0625" in won.conclusion
    assert "won by tree" in lost.conclusion
    assert "No pair has a winner" in tied.conclusion
    assert ProbabilityOfOutperforming([0.1 + 0.2, 0.5], [0.3, 0.4]).ties == 1
    words = r"`gamma` must be (between 0 and 1|above 0\.5)"
    assert_each_raises(lambda wrong: ProbabilityOfOutperforming([1, 2], [0, 0], gamma=wrong), (0.5, 0.2, 1.0), words)


def test_resamples_and_unpaired_runs():
    chances = WinShareDistribution(200, np.array([30.0, 150.0]), np.zeros(2)).probabilities()
    np.testing.assert_allclose(chances[::2].T, [stats.binom(200, p).pmf(np.arange(201)) for p in (0.15, 0.75)], atol=1e-12)
    assert not chances[1::2].any()
    a, b = [3, 5, 7.0], [1, 4, 6.0]
    share = np.mean([(x > y) + (x == y) / 2 for x, y in product(a, b)])
    assert fstats.RankSum(a, b).effect_size == pytest.approx(2 * share - 1)
