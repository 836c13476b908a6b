"""The explorer of tuning: its law by plain loops, its numbers against fresh tests, what the lesson says of it."""

import numpy as np
import pytest
from scipy.special import ndtri
from shortcuts import assert_raises

from fstats import McNemarMidP, explore
from fstats.teaching.demonstrations.tuning_on_test_set import ACCURACY, DATA_SETS, MOST, TuningOnTestSet, choose_best_setting, mcnemar_twice


@pytest.mark.complete
@pytest.mark.parametrize(("tried", "n", "alike"), [(1, 50, 0.0), (7, 60, 0.5), (50, 50, 0.9)])
def test_the_law_record_by_record(tried, n, alike):
    rng, found = np.random.default_rng(2000), choose_best_setting(tried, n, alike)
    for i in range(3):
        shared, own = rng.standard_normal((2, 1, n)), rng.standard_normal((2, MOST + 1, n))
        right = [
            [
                [alike**0.5 * shared[h, 0, r] + (1 - alike) ** 0.5 * own[h, j, r] < ndtri(ACCURACY) for r in range(n)]
                for j in range(tried + 1)
            ]
            for h in (0, 1)
        ]
        best = max(range(1, tried + 1), key=lambda j: sum(right[0][j]))
        assert (found.reported[i], found.fresh[i]) == (sum(right[0][best]) / n, sum(right[1][best]) / n)
        for half, (n01, n10) in zip(right, (found.same, found.other), strict=True):
            assert n01[i] == sum(b and not a for a, b in zip(half[best], half[0], strict=True))
            assert n10[i] == sum(a and not b for a, b in zip(half[best], half[0], strict=True))


@pytest.mark.complete
@pytest.mark.parametrize("moves", [{}, {"tried": 0, "n": 0}, {"tried": 6, "alike": 4}, {"draw": 7, "alpha": 6}])
def test_every_number_is_that_of_fresh_tests(moves):
    explorer = explore.tuning()
    explorer.move(**moves)
    at = explorer.values
    found = choose_best_setting(at["tried"], at["n"], at["alike"])
    k = at["draw"] - 1
    assert explorer.test.p_same == McNemarMidP(found.same[0][k], found.same[1][k]).pvalue
    assert explorer.test.p_fresh == McNemarMidP(found.other[0][k], found.other[1][k]).pvalue
    rejected = [bool(McNemarMidP(n01, n10, alpha=at["alpha"]).reject) for n01, n10 in zip(*found.same, strict=True)]
    assert explorer.test.level_same == np.mean(rejected)


def test_the_chosen_setting_is_no_better_and_looks_better():
    # On fresh records it has the true accuracy, within four Monte Carlo standard errors, however many were tried.
    for tried in (1, 10, 50):
        fresh = choose_best_setting(tried, 200, 0.5).fresh
        assert fresh.mean() == pytest.approx(ACCURACY, abs=4 * fresh.std() / np.sqrt(DATA_SETS))
    # One setting makes no alarm, the best of twenty does, and fresh records take it back.
    explorer = explore.tuning()
    chosen_of_many = explorer.test
    explorer.move(tried=0)
    assert explorer.test.reported < chosen_of_many.reported
    assert chosen_of_many.p_same <= 0.05 < min(explorer.test.p_same, chosen_of_many.p_fresh)


def test_choosing_on_the_test_records_fools_the_test():
    levels = [mcnemar_twice(tried, 200, 0.5, 0.05) for tried in (1, 5, 20, 50)]
    same, fresh = ([test.reject.mean() for test in tests] for tests in zip(*levels, strict=True))
    assert list(same) == sorted(same)
    assert same[0] < 0.08 < 0.15 < same[2]
    assert max(fresh) < 0.08
    assert_raises(lambda: TuningOnTestSet(51, 50, 0.5, 1), "`tried` must be at most 50")
