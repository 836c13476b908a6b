"""Scores over tasks and runs: plain loops, scipy, full enumeration of small bootstraps, rliable's numbers, coverage with few runs."""

from itertools import product

import numpy as np
import pytest
from scipy import stats
from shortcuts import parametrize

from fstats import DifferenceOfInterquartileMeans, InterquartileMean, PerformanceProfile, ProbabilityOfImprovement, RankSum
from fstats.procedures.repeated_runs.interquartile_mean import trimmed_mean
from fstats.procedures.repeated_runs.stratified_bootstrap import resample_counts

SEED = 33

# rliable's numbers for methods(), below
RLIABLE = {
    "estimates": (0.57815385, 0.43669231),
    "ends": [0.55192308, 0.60392308, 0.41753846, 0.45615385],
    "difference": (0.07526923, 0.03386538, 0.11655769),
    "profile": [0.91923077, 0.75384615, 0.48076923, 0.19615385, 0.05769231],
    "band": [[0.88846154, 0.71923077, 0.44615385, 0.16153846, 0.03461538], [0.94615385, 0.78461538, 0.51538462, 0.23076923, 0.08461538]],
    "improvement": (0.61730769, 0.56538462, 0.66899038),
}
BETTER, WORSE = [[0.9, 0.7, 0.4], [0.2, 0.5, 0.5]], [[0.6, 0.4, 0.1], [0.5, 0.3, 0.0]]


def methods():
    """Two methods on 26 tasks, A with 10 runs of each and B with 8, in hundredths."""
    rng, tasks = np.random.default_rng(1), np.linspace(0, 1, 26)[:, None]
    return (tasks + 0.1 + rng.normal(0, 0.2, (26, 10))).round(2), (tasks + rng.normal(0, 0.2, (26, 8))).round(2)


def every_resample(x):
    """All ways to draw the runs of each task again."""
    of_tasks = [[[task[j] for j in places] for places in product(range(len(task)), repeat=len(task))] for task in x]
    return [list(one) for one in product(*of_tasks)]


def assert_drawn_from(law, values):
    """Of the drawn values as many are below each place as of all values, within four standard errors; so are the ends of the middle."""
    values = np.sort(values)
    for at in np.unique(np.round(values, 9)):
        share = np.mean(values <= at + 1e-9)
        assert abs(law.at_most(at + 1e-9) - share) <= 4 * (share * (1 - share) / len(law.values)) ** 0.5 + 1e-12
    assert law.low(0.1) == pytest.approx(np.quantile(values, 0.1, method="inverted_cdf"), abs=1e-9)
    assert law.high(0.1) == pytest.approx(-np.quantile(-values, 0.1, method="inverted_cdf"), abs=1e-9)


# -- the interquartile mean ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("shape", [(1, 2), (1, 3), (2, 2), (3, 3), (5, 7), (26, 10)])
def test_iqm_by_a_plain_loop_and_by_scipy(shape, rng):
    x = rng.normal(size=shape)
    ordered = sorted(x.ravel().tolist())
    cut = len(ordered) // 4
    middle = ordered[cut : len(ordered) - cut]
    ours = InterquartileMean(x, target=0.3, draws=100)
    assert ours.iqm == pytest.approx(sum(middle) / len(middle), rel=1e-12)
    assert ours.iqm == pytest.approx(stats.trim_mean(x, 0.25, axis=None), rel=1e-12)
    assert ours.optimality_gap == pytest.approx(sum(max(0.3 - one, 0) for one in ordered) / len(ordered), rel=1e-12)


def test_the_mean_of_counted_runs_is_that_of_the_runs_written_out(rng):
    x = rng.integers(0, 9, 12) / 4
    drawn = rng.integers(0, 12, (12, 200))
    counts = np.array([(drawn == run).sum(0) for run in range(12)], float)
    np.testing.assert_allclose(trimmed_mean(x, counts, 3), stats.trim_mean(x[drawn], 0.25, axis=0), atol=1e-12)


@pytest.mark.parametrize("runs", [255, 256, 257, 300])
def test_every_run_may_be_drawn(rng, runs):
    """However many there are: the numbers of a few hundred are drawn in a smaller type."""
    counts = np.concatenate([*resample_counts(2, runs, 40, rng)], axis=-1)
    assert (counts.sum(1) == runs).all()
    assert (counts.sum(-1) > 9).all()  # about 40


def test_iqm_of_all_resamples():
    ours = InterquartileMean(BETTER, target=0.6, draws=100_000, alpha=0.2)
    every = every_resample(BETTER)
    assert len(every) == 27**2
    assert_drawn_from(ours.resampled, [stats.trim_mean(np.ravel(one), 0.25) for one in every])
    assert_drawn_from(ours.resampled_gap, [np.mean([max(0.6 - score, 0) for score in np.ravel(one)]) for one in every])
    assert tuple(ours.ci) == (ours.resampled.low(0.1), ours.resampled.high(0.1))


@pytest.mark.complete
def test_rliable_has_the_same_intervals():
    """Its numbers are those of rliable 1.2.0 with 200,000 resamples (the probability of improvement: 8,000; the profile: 20,000).

    In one run beside it, times of the processor: 50,000 resamples for the interquartile mean in a 19th of its time, those of the gap in a
    tenth, 2,000 for the probability of improvement in an 1,800th, the band of a profile at 101 thresholds, which needs no resamples
    here, in a 70th of the time of its 2,000.  It took no notice of `random_state`: two calls with the same one gave two intervals.
    """
    a, b = methods()
    ours = InterquartileMean(a, draws=50_000)
    assert (ours.iqm, ours.optimality_gap) == pytest.approx(RLIABLE["estimates"], abs=1e-8)
    assert [*ours.ci, *ours.gap_ci] == pytest.approx(RLIABLE["ends"], abs=5e-4)
    apart = DifferenceOfInterquartileMeans(a, b, draws=50_000)
    assert (apart.difference, *apart.ci) == pytest.approx(RLIABLE["difference"], abs=5e-4)
    assert apart.difference == pytest.approx(RLIABLE["difference"][0], abs=1e-8)
    profile = PerformanceProfile(a, [0.1, 0.3, 0.6, 0.9, 1.1])
    np.testing.assert_allclose(profile.profile, RLIABLE["profile"], atol=1e-8)
    np.testing.assert_allclose([profile.profile_low, profile.profile_high], RLIABLE["band"], atol=1.01 / 260)  # one run
    test = ProbabilityOfImprovement(a, b)
    assert test.probability == pytest.approx(RLIABLE["improvement"][0], abs=1e-8)
    assert tuple(test.ci) == pytest.approx(RLIABLE["improvement"][1:], abs=3e-3)


def test_the_error_of_drawing_is_what_other_seeds_show(rng):
    x = rng.normal(size=(4, 5))
    seeds = [InterquartileMean(x, draws=400, rng=seed) for seed in range(200)]
    spread = np.std([[one.ci.low, one.ci.high] for one in seeds], axis=0).max()
    assert np.mean([one.mc_error for one in seeds]) == pytest.approx(spread, rel=0.25)
    assert seeds[0].ci != seeds[1].ci
    assert InterquartileMean(x, draws=400, rng=1).ci == seeds[1].ci


@pytest.mark.complete
@parametrize(
    "seeds, iqm, band, level",
    (2, 0.80, 0.85, 0.05),
    (3, 0.88, 0.90, 0.035),
    (5, 0.91, 0.94, 0.03),
    pytest.param(10, 0.93, 0.95, 0.025, marks=pytest.mark.slow),
)
def test_coverage_and_level_that_the_docstrings_tell(seeds, iqm, band, level, rng):
    """2,000 trials of 10 tasks: standard errors of 0.009 at 0.8, 0.005 at 0.05.  The true interquartile mean is that of the pooled law."""
    tasks = np.linspace(0, 2, 10)[:, None, None]
    x, y = tasks + rng.normal(size=(10, seeds, 2000)), tasks + rng.normal(size=(10, seeds, 2000))
    mean = InterquartileMean(x, draws=400)  # the pooled law is symmetric about 1, and so is what is cut off
    assert np.mean((mean.ci.low <= 1) & (mean.ci.high >= 1)) == pytest.approx(iqm, abs=0.025)
    profile = PerformanceProfile(x, [1.0])
    assert np.mean((profile.profile_low <= 0.5) & (profile.profile_high >= 0.5)) == pytest.approx(band, abs=0.025)
    assert np.mean(ProbabilityOfImprovement(x, y, draws=1000).reject) == pytest.approx(level, abs=0.012)


# -- the difference of two of them -----------------------------------------------------------------------------------------------------
def test_differences_by_loops_and_of_all_resamples():
    # Runs written out as often as they were drawn, A's and B's apart, and averaged by SciPy.
    a, b = (side[:5].round(1) for side in methods())
    test = DifferenceOfInterquartileMeans(a, b, draws=300, rng=6)
    means = []
    for which, side in enumerate((a, b)):
        counts = np.concatenate([*resample_counts(*side.shape, 300, np.random.default_rng([which, 6]))], axis=2)
        means.append([stats.trim_mean(np.repeat(side.ravel(), counts[:, :, k].ravel().astype(int)), 0.25) for k in range(300)])
    np.testing.assert_allclose(test.resampled.values, np.sort(np.subtract(*means)), atol=1e-12)
    assert test.difference == pytest.approx(stats.trim_mean(a.ravel(), 0.25) - stats.trim_mean(b.ravel(), 0.25), rel=1e-12)
    # All 16 of A with all 729 of B: independent of each other.
    a = np.array(BETTER)[:, :2]
    test = DifferenceOfInterquartileMeans(a, WORSE, draws=100_000, alpha=0.2)
    one, other = ([stats.trim_mean(np.ravel(way), 0.25) for way in every_resample(side)] for side in (a, WORSE))
    assert_drawn_from(test.resampled, np.subtract.outer(one, other).ravel())
    assert tuple(test.ci) == (test.resampled.low(0.1), test.resampled.high(0.1))


@pytest.mark.complete
def test_a_difference_where_the_two_intervals_overlap():
    a, b = methods()
    a = a - 0.03
    test, turned = DifferenceOfInterquartileMeans(a, b, labels=["new", "old"]), DifferenceOfInterquartileMeans(b, a)
    (_, high), (low, _) = InterquartileMean(b).ci, InterquartileMean(a).ci
    assert low < high
    assert test.reject
    assert "(interval 0.00375 to 0.08706); new is better than old. With 8 runs" in test.conclusion
    assert turned.difference == -test.difference
    assert tuple(turned.ci) == pytest.approx((-test.ci.high, -test.ci.low), abs=5 * test.mc_error)
    assert "B is better than A" in turned.conclusion
    assert "there is no evidence which of the two is better" in DifferenceOfInterquartileMeans(BETTER, BETTER).conclusion


@pytest.mark.complete
@parametrize(
    "tasks, seeds, coverage",
    (5, 3, 0.88),
    (5, 5, 0.92),
    pytest.param(26, 3, 0.89, marks=pytest.mark.slow),
    pytest.param(26, 10, 0.935, marks=pytest.mark.slow),
)
def test_coverage_of_the_difference(tasks, seeds, coverage, rng):
    """2,000 trials, standard errors of 0.007: the pooled laws of both are symmetric about 1, and B's spread is three times A's."""
    of_task = np.linspace(0, 2, tasks)[:, None, None]
    a, b = (of_task + spread * rng.normal(size=(tasks, seeds, 2000)) for spread in (1, 3))
    assert 1 - np.mean(DifferenceOfInterquartileMeans(a, b, draws=400).reject) == pytest.approx(coverage, abs=0.025)


def test_noise_and_improvement():
    test = DifferenceOfInterquartileMeans([[0.1 + 0.2, 0.1 + 0.2]], [[0.3, 0.3]])
    assert (test.difference, bool(test.reject)) == (0, False)
    assert "All runs of a task are equal" in test.conclusion
    assert DifferenceOfInterquartileMeans([[2, 2]], [[1, 1]]).reject
    a, b = methods()
    test, of_tasks = ProbabilityOfImprovement(a, b, draws=100), []
    for one, other in zip(a, b, strict=True):
        of_tasks.append(sum((x > y) + (x == y) / 2 for x in one for y in other) / (len(one) * len(other)))
    np.testing.assert_allclose(test.task_probabilities, of_tasks)
    np.testing.assert_allclose(of_tasks, [stats.mannwhitneyu(*pair).statistic / 80 for pair in zip(a, b, strict=True)])
    assert test.probability == pytest.approx(np.mean(of_tasks), rel=1e-12)
    assert 2 * test.task_probabilities[0] - 1 == pytest.approx(RankSum(a[0], b[0]).effect_size)


# -- the probability of improvement ----------------------------------------------------------------------------------------------------
@pytest.mark.complete
def test_improvement_of_all_resamples():
    a, b = np.array(BETTER)[:, :2], WORSE
    test = ProbabilityOfImprovement(a, b, draws=100_000, alpha=0.2)

    def improved(one, other):
        return np.mean([np.mean([(x > y) + (x == y) / 2 for x, y in product(*pair)]) for pair in zip(one, other, strict=True)])

    assert_drawn_from(test.resampled, [improved(*pair) for pair in product(every_resample(a), every_resample(b))])


def test_exchanging_the_two_turns_p_around():
    a, b = methods()
    one, other = ProbabilityOfImprovement(a, b), ProbabilityOfImprovement(b, a)
    assert one.probability == pytest.approx(1 - other.probability)
    assert one.ci.low == pytest.approx(1 - other.ci.high, abs=5 * one.mc_error)
    assert one.reject
    assert not other.reject
    assert "A beats B with an estimated probability of 0.6173" in one.conclusion
    assert "significant, but not meaningful" in one.conclusion


def test_sizes_wins_and_noise(rng):
    a, b = methods()
    low, wide = rng.normal(size=(26, 1)), rng.uniform(0.1, 9, (26, 1))
    test, other = ProbabilityOfImprovement(a, b), ProbabilityOfImprovement((a - low) / wide, (b - low) / wide)
    assert (test.probability, test.ci) == (other.probability, other.ci)
    assert InterquartileMean(a).iqm != pytest.approx(InterquartileMean((a - low) / wide).iqm, rel=0.1)
    assert ProbabilityOfImprovement([[0.1 + 0.2, 0.3]], [[0.3, 0.3]]).probability == 0.5
    assert PerformanceProfile([[0.1 + 0.2, 0.4]], [0.3]).profile == [0.5]


# -- the profile -----------------------------------------------------------------------------------------------------------------------
def test_profile_by_a_plain_loop_and_of_all_resamples():
    thresholds = [0.1, 0.4, 0.45, 0.9]
    ours = PerformanceProfile(BETTER, thresholds, alpha=0.2)
    every = np.reshape(every_resample(BETTER), (27**2, 6))
    for k, at in enumerate(thresholds):
        shares = np.sort([sum(score > at for score in one) / 6 for one in every])
        assert ours.profile[k] == sum(score > at for task in BETTER for score in task) / 6
        for hits in range(7):
            assert ours.resampled.at_most(hits / 6)[k] == pytest.approx(np.mean(shares <= hits / 6 + 1e-9), abs=1e-12)
        assert ours.profile_low[k] == pytest.approx(next(x for x in shares if np.mean(shares <= x) >= 0.1))
        assert ours.profile_high[k] == pytest.approx(next(x for x in shares[::-1] if np.mean(shares >= x) >= 0.1))


@pytest.mark.complete
@pytest.mark.parametrize(("tasks", "apart", "seeds"), [(1, 0, 2), (5, 0, 3), (10, 2, 2), (10, 0, 20)])
def test_whole_profiles_lie_within_the_simultaneous_margin(tasks, apart, seeds, rng):
    """2,000 trials, standard error 0.005.  SciPy's Kolmogorov distance, of a pooled law, is the same where the tasks are alike."""
    of_task, thresholds = np.linspace(0, apart, tasks), np.linspace(-3, 3 + apart, 200)
    x = of_task[:, None, None] + rng.normal(size=(tasks, seeds, 2000))
    ours = PerformanceProfile(x, thresholds)
    away = np.abs(ours.profile - stats.norm.sf(thresholds[:, None], of_task).mean(1)[:, None]).max(0)
    assert np.mean(away <= ours.simultaneous) >= 0.95 - 0.01
    if not apart:
        exact = stats.kstwo.ppf(0.95, tasks * seeds)
        assert exact < ours.simultaneous < 1.15 * exact
        assert np.mean(away <= ours.simultaneous) == pytest.approx(stats.kstwo.cdf(ours.simultaneous, tasks * seeds), abs=0.025)


# -- what is refused, and what is said ---------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("shape", [(3,), (3, 1), (0, 3)])
def test_runs_must_be_a_table_of_tasks_and_seeds(shape):
    for made in (InterquartileMean, lambda x: PerformanceProfile(x, [0]), lambda x: ProbabilityOfImprovement(x, x)):
        with pytest.raises(ValueError, match=r"must have the shape \(tasks, seeds\), with at least 2 seeds for each task"):
            made(np.zeros(shape))


def test_runs_that_are_alike_and_refusals():
    alike = InterquartileMean([[1, 1], [2, 2]])
    assert tuple(alike.ci) == (1.5, 1.5)
    assert "All runs of a task are equal" in alike.conclusion
    won, lost = (ProbabilityOfImprovement(*pair, labels=["new", "old"]) for pair in (([[3, 4]], [[1, 2]]), ([[1, 2]], [[3, 4]])))
    assert (won.probability, lost.probability, bool(won.reject), bool(lost.reject)) == (1, 0, True, False)
    assert "Every run of new beats every run of the other on every task: all resamples are equal" in won.conclusion
    assert "Every run of old" in lost.conclusion
    assert "the level is higher than nominal (0.025)" in ProbabilityOfImprovement(BETTER, WORSE).conclusion
    assert "too short" in InterquartileMean(BETTER).conclusion
