"""How much ten tables scatter beside what independent records would: by loops, by simulation, and what is said of it."""

import re
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import fstats
from fstats import BlockedFiveByTwoMcNemar, NaiveKFoldMcNemar
from fstats.procedures.resampling.block_regularized.fold_contingency_tables import true_level
from fstats.procedures.resampling.split_plans.block_regularized_cv import half_blocks
from fstats.simulate import Epsilon
from fstats.studies import stress

SEED = np.random.SeedSequence(5)
TEST = BlockedFiveByTwoMcNemar


def tables(rng, most=12):
    """Ten tables of 100 records each, whatever they may be."""
    found = rng.integers(most, size=(5, 2, 2, 2))
    found[..., 1, 1] = 100 - found[..., 0, 0] - found[..., 0, 1] - found[..., 1, 0]
    return found


@pytest.mark.parametrize("seed", range(5))
def test_scatter_by_loops(seed):
    found = tables(np.random.default_rng(seed))
    test, above, below = TEST(found), 0.0, 0
    for repetition in found:
        first, second = (int(fold[1, 0] - fold[0, 1]) for fold in repetition)
        above += (first - second) ** 2
        below += sum(int(fold[1, 0] + fold[0, 1]) for fold in repetition)
    assert test.scatter == pytest.approx(above / below)
    low, high = (5 * above / below / stats.chi2.isf(tail, 5) for tail in (0.025, 0.975))
    assert test.scatter_interval == pytest.approx((low, high))
    n01, n10 = np.random.default_rng(seed).integers(12, size=(2, 10))
    d = [int(b - a) for a, b in zip(n01, n10)]
    expected = np.var(d, ddof=1) * 10 / (n01 + n10).sum()
    assert NaiveKFoldMcNemar(n01, n10).scatter == pytest.approx(expected)


def test_independent_records_scatter_once():
    agree = np.zeros((5, 2, 2, 2), int)
    agree[..., 1, 1] = 50
    assert (TEST(agree).scatter, tuple(TEST(agree).scatter_interval)) == (0, (0, 0))
    assert NaiveKFoldMcNemar([0] * 10, [0] * 10).scatter == 0
    source = Epsilon(n=400, epsilon=0.3)
    drawn = source.draw(np.random.default_rng(1), 2000)
    scatter = TEST.from_scores(source.scores(drawn, TEST.plan, {"tables"}, SEED)).scatter
    assert abs(scatter.mean() - 1) < 4 * np.sqrt(2 / 5 / 2000)
    assert stats.kstest(5 * scatter, stats.chi2(5).cdf).pvalue > 0.001
    ten = NaiveKFoldMcNemar.from_scores(source.scores(drawn, NaiveKFoldMcNemar.plan, {"tables"}, SEED)).scatter
    assert abs(ten.mean() - 1) < 4 * np.sqrt(2 / 9 / 2000)


@pytest.mark.complete
@pytest.mark.parametrize("scatter", [1.0, 1.5, 4.0, 8.0])
def test_the_level_under_scatter_is_that_of_records_and_training(scatter):
    # eight blocks of records, the same in all repetitions, and for each of the ten splits what training adds; unit: one fold's variance
    rng, repetitions = np.random.default_rng(2), 200_000
    blocks = rng.normal(size=(8, repetitions)) / 2
    folds = [[blocks[list(half)].sum(0) for half in pair] for pair in half_blocks(5)]
    imbalance = np.array(folds) + np.sqrt(scatter - 1) * rng.normal(size=(5, 2, repetitions))
    assert abs(imbalance[:, 0] - imbalance[:, 1]).var() > 0
    assert np.mean((imbalance[:, 0] - imbalance[:, 1]) ** 2) / 2 == pytest.approx(scatter, rel=0.02)
    rejected = imbalance.mean((0, 1)) ** 2 / (11 / 20) >= stats.chi2.isf(0.05, 1)
    expected = true_level(scatter, 11 / 20, 0.05)
    assert rejected.mean() == pytest.approx(expected, abs=4 * np.sqrt(0.25 / repetitions))


def test_the_limits_that_the_docstring_names():
    assert (true_level(1.5, 11 / 20, 0.05), true_level(1.5 + 1e-9, 11 / 20, 0.01)) == (pytest.approx(0.05), pytest.approx(0.01))
    assert true_level(1.5, 10 / 20, 0.05) > 0.05


def test_a_remark_where_it_endangers_the_level_and_only_there():
    assert TEST(np.tile([[5, 2], [8, 35]], (5, 2, 1, 1))).remark == ""
    torn = np.tile([[5, 2], [2, 91]], (5, 2, 1, 1))
    torn[:, 0], torn[:, 1] = [[5, 20], [2, 73]], [[5, 2], [20, 73]]
    test = TEST(torn)
    assert test.scatter == pytest.approx(36**2 / 44)
    assert test.remark.startswith("The two folds of a repetition differ 29.5 times as much as independent records would (11 to 180)")
    bound = "43% of data sets instead of 5% (24% to 73%), otherwise more often"
    estimate = f"If the splits differ independently, it rejects a true H0 in about {bound}."
    assert f"This test allows for 1.5 times. {estimate} A p-value just below 0.05 is weak evidence." in test.remark
    assert test.remark in fstats.BlockedFiveByTwoMcNemar(torn).conclusion
    assert "allows for 6 times" in TEST(torn, rho1=1, rho2=1).remark
    both = TEST(torn, rho1=0, rho2=0.9).remark
    assert "No ten tables can have such correlations" in both
    assert "The two folds of a repetition differ" in both


def test_effects_of_training_that_all_splits_share_do_not_show_in_the_scatter():
    # the same amount in every fold: the scatter remains 1, and the level is far above the estimate, which is therefore no bound
    rng, repetitions = np.random.default_rng(4), 50_000
    blocks = rng.normal(size=(8, repetitions)) / 2
    folds = np.array([[blocks[list(half)].sum(0) for half in pair] for pair in half_blocks(5)]) + 0.5 * rng.normal(size=repetitions)
    assert np.mean((folds[:, 0] - folds[:, 1]) ** 2) / 2 == pytest.approx(1, rel=0.02)
    rejected = folds.mean((0, 1)) ** 2 / (11 / 20) >= stats.chi2.isf(0.05, 1)
    assert rejected.mean() > 2 * true_level(1.0, 11 / 20, 0.05)
    stored = {(worst.test, str(worst.cell)): (worst.rejections, worst.repetitions) for worst in stress.stored()._confirmed}
    cells = (
        "nearest centroid on mirrored features, spreads 1 and 4, n = 1,500",
        "naive Bayes on mirrored features, heavy tails, n = 1,500",
    )
    assert [stored[TEST.__name__, cell] for cell in cells] == [(365, 4000), (1071, 4000)]
    for text in (TEST.__doc__, (Path(fstats.__file__).parent / "publish" / "differences.toml").read_text(encoding="utf-8")):
        assert re.search(r"rejected\s+365\s+of\s+4,?000\s+true\s+hypotheses", text)


def test_records_that_training_decides_anew_leave_the_level_below():
    # half of the discordant records change sides in every training: what records contribute is less, and the level is below the estimate
    rng, repetitions = np.random.default_rng(3), 50_000
    blocks = rng.normal(size=(8, repetitions)) / 2
    folds = np.array([[blocks[list(half)].sum(0) for half in pair] for pair in half_blocks(5)])
    imbalance = np.sqrt(0.5) * folds + np.sqrt(3.5) * rng.normal(size=(5, 2, repetitions))  # scatter 4
    rejected = imbalance.mean((0, 1)) ** 2 / (11 / 20) >= stats.chi2.isf(0.05, 1)
    assert 0.05 < rejected.mean() < true_level(4.0, 11 / 20, 0.05)
