"""The blocked 5x2 cross-validated t-test: by a loop, by McNemar's test where training changes nothing, by enumeration and simulation."""

from itertools import combinations
from math import sqrt

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar

from fstats import BlockedFiveByTwoMcNemar, BlockedFiveByTwoT
from fstats.procedures.resampling.split_plans.split_plan import BLOCKED_FIVE_BY_TWO

TEST = BlockedFiveByTwoT


def tables(rng, most=12, fold=60):
    """Ten tables of as many records each, whatever they may be."""
    found = rng.integers(most, size=(5, 2, 2, 2))
    found[..., 1, 1] = fold - found[..., 0, 0] - found[..., 0, 1] - found[..., 1, 0]
    return found


def same_each_time(n01, n10, fold=100):
    """Training changes nothing: each repetition finds the same, the first fold one half of it."""
    halves = (n01 // 2, n10 // 2), (n01 - n01 // 2, n10 - n10 // 2)
    return [[[[0, b], [c, fold - b - c]] for b, c in halves]] * 5


@pytest.mark.parametrize("rho", [0, 1 / 8, 1 / 2])
@pytest.mark.parametrize("seed", range(4))
def test_by_a_loop(seed, rho):
    found = tables(np.random.default_rng(seed))
    n, discordant, means = 120, 0, []
    for repetition in found.tolist():
        won = sum(fold[1][0] for fold in repetition)
        lost = sum(fold[0][1] for fold in repetition)
        means.append((won - lost) / n)
        discordant += won + lost
    mean, e = sum(means) / 5, discordant / 5 / n
    between = sum((one - mean) ** 2 for one in means) / 4
    of_records, of_training = e / n, (0.2 + rho / (1 - rho)) * between
    se = sqrt(of_records + of_training)
    df = se**4 / (of_records**2 / (n * e) + of_training**2 / 4)
    test = TEST(found, rho=rho)
    assert (test.statistic, test.df) == (pytest.approx(mean / se), pytest.approx(df))
    assert test.pvalue == pytest.approx(2 * stats.t.sf(abs(mean / se), df))
    assert TEST(found, rho=rho, alternative="greater").pvalue == pytest.approx(stats.t.sf(mean / se, df))


@pytest.mark.parametrize(("n01", "n10"), [(0, 1), (3, 3), (4, 15), (20, 41)])
def test_where_training_changes_nothing_it_is_mcnemars_test_of_all_records(n01, n10):
    test = TEST(same_each_time(n01, n10))
    known = mcnemar([[0, n01], [n10, 0]], exact=False, correction=False)
    assert (test.statistic**2, test.repetition_sd, test.df) == (pytest.approx(known.statistic), 0, pytest.approx(n01 + n10))
    assert np.sign(test.statistic) == np.sign(n10 - n01)


def test_its_level_on_fixed_losses_by_enumeration():
    """Of so many discordant records each is won with probability 1/2: all outcomes, exactly."""
    levels = []
    for k in range(1, 100):
        won = np.arange(k + 1)
        batch = np.stack([same_each_time(k - one, one) for one in won.tolist()], -1)
        levels.append(stats.binom.pmf(won, k, 0.5)[TEST(batch).reject].sum())
    assert max(levels) == pytest.approx(0.0599, abs=5e-5)  # of 64 discordant records, by counts that come in steps
    assert np.mean(levels) < 0.05
    assert max(levels[:5]) == 0  # five discordant records can show nothing: 2 / 2**5 is above 0.05


@pytest.mark.complete
@pytest.mark.parametrize("order", [2, 3, 4])
def test_effects_of_several_records_correlate_between_repetitions_as_said(order):
    """An effect on training that hinges on so many records: two repetitions correlate by 2**(1 - order)."""
    n, draws = 64, 20_000
    halves = [train for train, _ in BLOCKED_FIVE_BY_TWO.splitter(0).split(range(n))]
    signs = np.random.default_rng(order).choice([-1.0, 1.0], size=(draws, n))
    means = np.stack([elementary(signs[:, train], order) for train in halves]).reshape(5, 2, draws).mean(1)
    pairs = [np.corrcoef(means[i], means[j])[0, 1] for i, j in combinations(range(5), 2)]
    # of n records, not of very many: the share of such groups of one half that another half holds, too
    share = np.prod([(n / 4 - k) / (n / 2 - k) for k in range(order)])
    assert (np.mean(pairs), 2 * share) == (pytest.approx(2 * share, abs=0.015), pytest.approx(2.0 ** (1 - order), rel=0.25))
    rho = 2 * share
    between = means.var(0, ddof=1).mean()
    assert means.mean(0).var() == pytest.approx((1 / 5 + rho / (1 - rho)) * between, rel=0.05)


def elementary_by_half(halves, signs):
    """The sum of each half, in pairs."""
    return np.array([signs[train].sum() for train in halves]).reshape(5, 2)


def elementary(x, order):
    """The sum over all groups of so many columns of their product, by Newton's identities."""
    sums = [np.ones(len(x))]
    powers = [(x**k).sum(1) for k in range(1, order + 1)]
    for k in range(1, order + 1):
        sums.append(sum((-1) ** (i - 1) * sums[k - i] * powers[i - 1] for i in range(1, k + 1)) / k)
    return sums[order]


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("seed", range(3))
def test_the_interval_holds_what_is_not_rejected(seed, alternative):
    test = TEST(tables(np.random.default_rng(seed)), alternative=alternative)
    critical = abs(test.critical_value)
    for end in (test.ci.low, test.ci.high):
        if np.isfinite(end):
            about_end = (test.e - 2 * end * test.mean + end**2) / test.n + test.correction * test.repetition_sd**2
            assert abs(test.mean - end) == pytest.approx(critical * sqrt(about_end))
    assert test.ci.holds(0.0) != test.reject


def test_few_records_exclude_no_difference():
    test = TEST(same_each_time(1, 0, fold=2))
    assert (test.ci.low, test.ci.high) == (-np.inf, np.inf)


@pytest.mark.parametrize("n", [4, 6, 8, 10, 20])
@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.1])
def test_the_interval_and_the_decision_agree_where_one_wins_every_record(n, alpha):
    """The records do not stray about their mean; whether that excludes a difference of 0, their number decides."""
    test = TEST([[[[0, 0], [n // 2, 0]]] * 2] * 5, alpha=alpha)
    assert test.reject == (test.critical_value**2 <= n)
    assert test.reject != test.ci.holds(0.0)
    assert tuple(test.ci) == ((1, 1) if test.reject else (-np.inf, np.inf))


def test_without_disagreement():
    test = TEST(same_each_time(0, 0))
    assert (test.statistic, test.pvalue, test.df, test.effect_size) == (0, 1, 4, 0)
    assert test.remark.startswith(
        "The classifiers are right and wrong on the same records: the data give no evidence against H0. The interval"
    )
    few = TEST(same_each_time(0, 0, fold=2))
    assert (few.ci.low, few.ci.high) == (-np.inf, np.inf)


def test_records_and_training():
    # An effect that each record has on its own is the same in all repetitions: their means correlate by 1, and s_J is 0.
    halves = [train for train, _ in BLOCKED_FIVE_BY_TWO.splitter(0).split(range(64))]
    effects = elementary_by_half(halves, np.random.default_rng(1).choice([-1.0, 1.0], size=64))
    assert np.ptp(effects.mean(1)) == 0
    assert np.ptp(effects) > 0
    # One repetition is won by far, another lost by far: four degrees of freedom and a bit.
    far = np.array([[[[0, 40], [0, 10]]] * 2, [[[0, 0], [40, 10]]] * 2] * 2 + [[[[0, 20], [20, 10]]] * 2])
    test = TEST(far)
    assert test.statistic == 0
    assert 4 < test.df < 5
    assert test.scatter == 0  # of the two folds of a repetition, which are alike here


def test_sides_published_means_and_correlations():
    found = tables(np.random.default_rng(7))
    one, other = TEST(found), TEST(np.swapaxes(found, 2, 3))
    assert (one.statistic, one.pvalue, one.effect_size) == (-other.statistic, other.pvalue, -other.effect_size)
    assert one.effect_size == pytest.approx(BlockedFiveByTwoMcNemar(found).effect_size)
    test = TEST.from_steps(n=100, e=0.2, mean=0.12, repetition_sd=0)
    assert (round(test.statistic, 4), round(test.df, 4), round(test.pvalue, 4)) == (2.6833, 20, 0.0143)
    found = np.stack([tables(np.random.default_rng(seed)) for seed in range(3)], -1)
    batch = TEST(found, rho=[0, 0.125, 0.5])
    for r, rho in enumerate((0, 0.125, 0.5)):
        assert [batch.at(r).pvalue, batch.pvalue[r]] == pytest.approx([TEST(found[..., r], rho=rho).pvalue] * 2, rel=1e-12)
    with pytest.raises(
        ValueError, match=r"`rho` must be one number, or one number for each repetition of the tables; got shape \(2,\) for"
    ):
        TEST(found[..., 0], rho=[0.1, 0.2])


@pytest.mark.parametrize("rho", [-0.1, 1, 1.5])
def test_a_correlation_that_cannot_be(rho):
    with pytest.raises(ValueError, match=r"`rho` \(the correlation of two repetitions\) must be at least 0 and below 1; got"):
        TEST(same_each_time(1, 2), rho=rho)
