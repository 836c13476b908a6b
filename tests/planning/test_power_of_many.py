"""Power and sizes for many classifiers: against a loop over single tests, against exact power, by what is found; and how far
intervals hold.
"""

import numpy as np
import pytest
from shortcuts import assert_raises, parametrize

import fstats
from fstats import BonferroniDunn, Friedman, FriedmanAligned, Holm, ImanDavenport, Nemenyi, PairedT, RepeatedAnova, power, sample_size
from fstats.core.numerics.average_ranks import descending_row_ranks

ON_TABLES = [Friedman, ImanDavenport, FriedmanAligned, fstats.Quade, RepeatedAnova, Nemenyi, Holm, fstats.Shaffer]


@pytest.mark.parametrize("test", ON_TABLES)
def test_the_batch_is_a_loop_over_single_tests(test):
    found = power(test, n=8, effect_size=[0, 0.3, 1.2], trials=60, rng=5)
    scores = np.random.default_rng(5).normal(size=(8, 3, 60)) + np.array([0, 0.3, 1.2])[:, None]
    rejected = []
    for r in range(60):
        one = test(scores[..., r])
        if issubclass(test, fstats.procedures.posthoc.posthoc_comparison.RankComparison):
            rejected.append(any(no and d < 0 for no, d in zip(one.reject, one.differences)))  # the later of a pair is the better one
        else:
            rejected.append(one.reject)
    assert found.value == pytest.approx(np.mean(rejected), rel=1e-12)
    assert (found.standard_error, found.n) == (pytest.approx(np.sqrt(found.value * (1 - found.value) / 60), rel=1e-9), 8)
    assert found.how == "60 simulated tests"


@pytest.mark.parametrize("test", [Friedman, ImanDavenport, FriedmanAligned, RepeatedAnova])
def test_without_a_difference_it_is_the_level(test):
    assert power(test, n=20, effect_size=[1, 1, 1, 1], alpha=0.1).value == pytest.approx(0.1, abs=0.015)


def test_two_classifiers_in_an_analysis_of_variance_are_a_t_test():
    """Exact: the difference of two scores has the variance 2."""
    exact = power(PairedT, n=12, effect_size=0.9 / np.sqrt(2)).value
    found = power(RepeatedAnova, n=12, effect_size=[0.0, 0.9], trials=20_000)
    assert found.value == pytest.approx(exact, abs=4 * found.standard_error)


def test_what_is_found():
    """Of six pairs three differ; the shares lie in order, and each is that of a loop."""
    settings = dict(n=15, effect_size=[0, 0, 0, 1.2], trials=500, rng=2)
    some, share, every = (power(Nemenyi, find=find, **settings) for find in ("any", "each", "all"))
    assert some.value > share.value > every.value > 0
    scores = np.random.default_rng(2).normal(size=(15, 4, 500)) + np.array([0, 0, 0, 1.2])[:, None]
    found = Nemenyi(scores)
    right = np.array([found.reject[h] & (found.differences[h] < 0) for h in (2, 4, 5)])  # A - D, B - D, C - D
    assert (some.value, share.value, every.value) == pytest.approx((right.any(0).mean(), right.mean(), right.all(0).mean()))
    assert share.standard_error == pytest.approx(right.mean(0).std() / np.sqrt(500))
    false = power(Nemenyi, n=15, effect_size=[0, 0, 0, 0]).value
    assert false == pytest.approx(0.045, abs=0.015)  # the familywise level


def test_settings_are_those_of_the_test_and_sizes_follow():
    settings = dict(n=10, effect_size=[0, 0.5, 1.5], trials=400)
    assert power(Friedman, alpha=0.2, **settings).value > power(Friedman, **settings).value
    errors = power(Nemenyi, higher_is_better=False, **settings)
    assert errors.value == power(Nemenyi, **settings).value  # better is better, whichever way it is written
    control = power(BonferroniDunn, control="poor", labels=["poor", "fair", "good"], find="all", **settings)
    assert 0 < control.value < power(BonferroniDunn, control="poor", labels=["poor", "fair", "good"], **settings).value
    found = sample_size(Friedman, effect_size=[0, 0, 1], trials=1000)
    assert found.value >= 0.8 > power(Friedman, n=found.n - 1, effect_size=[0, 0, 1], trials=1000).value
    assert (
        sample_size(Nemenyi, effect_size=[0, 0, 1], find="all", trials=1000).n > sample_size(Nemenyi, effect_size=[0, 0, 1], trials=1000).n
    )


@pytest.mark.every_case
@parametrize(
    "call, error, message",
    (
        lambda: power(Friedman, n=10, effect_size=0.5),
        ValueError,
        r"true mean score of each classifier .* such as \[0, 0, 0.5\], for .*; got 0.5",
    ),
    (lambda: power(Friedman, n=1, effect_size=[0, 1]), ValueError, "`n` must be at least 2; got 1"),
    (lambda: power(Nemenyi, n=9, effect_size=[0, 1], find="most"), ValueError, "`find` must be 'any' or 'each' or 'all'; got 'most'"),
    (lambda: sample_size(Nemenyi, effect_size=[1, 1, 1]), ValueError, r"must not be 1 for all classifiers, .*; got \[1, 1, 1\]"),
    (lambda: power(BonferroniDunn, n=9, effect_size=[0, 1]), TypeError, "control"),
    (lambda: power(fstats.CochranQ, n=9, effect_size=[0, 1]), TypeError, "power is not available for CochranQ. Simulate batches"),
    (lambda: power(fstats.TukeyHSD, n=9, effect_size=[0, 1]), TypeError, "power is not available for TukeyHSD. Simulate batches"),
    (lambda: power(Friedman, n=(9, 9), effect_size=[0, 1]), ValueError, r"`n` must be one number of data sets for Friedman; got \(9, 9\)"),
    (lambda: power(Friedman, n=9, effect_size=[0, 1], alhpa=0.1), TypeError, "did you mean 'alpha'"),
)
def test_what_is_refused(call, error, message):
    assert_raises(call, message, error)


def coverage(test, draw, pairs, sign=1):
    """In what share of the tables the intervals hold all true differences of mean ranks."""
    true = descending_row_ranks(draw(100_000, 1)).mean((0, 2))
    apart = np.array([sign * (true[j] - true[i]) for i, j in pairs])[:, None]
    return ((test.ci_low <= apart) & (apart <= test.ci_high)).all(0).mean()


@pytest.mark.complete
@parametrize(
    "means, trading, least, most",
    ((0, 0, 0, 0), 0, 0.94, 0.965),
    ((0, 0, 0, 1), 0, 0.96, 0.99),
    ((0, 1, 2, 3), 0, 0.99, 1),
    ((0, 0, 0, 0), 4, 0.87, 0.92),
    ids=["alike", "one is better", "all differ", "two trade places"],
)
def test_how_far_the_intervals_of_rank_differences_hold(means, trading, least, most):
    """As the docstring says: at their level where all are alike, cautious where some are better, too narrow where two trade places."""
    rng = np.random.default_rng(11)

    def draw(n, r):
        x = rng.normal(size=(n, 4, r)) + np.array(means)[:, None]
        side = trading * rng.choice([-1, 1], size=(n, r))
        x[:, 0] += side
        x[:, 1] -= side
        return x

    test = Nemenyi(draw(30, 4000))
    assert least <= coverage(test, draw, [(i, j) for i in range(4) for j in range(i + 1, 4)]) <= most
