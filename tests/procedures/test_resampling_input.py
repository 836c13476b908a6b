"""Tests on resampled scores: degenerate data are answered, wrong input is refused, batches and Scores come in."""

import numpy as np
import pytest
from shortcuts import assert_raises, parametrize

import fstats
from fstats.procedures.resampling.split_plans.split_plan import FIVE_BY_TWO, HOLD_OUT_THIRD, TEN_FOLD, Plan

OVER_SPLITS = [fstats.ResampledT, fstats.KFoldT, fstats.CorrectedResampledT]
T = [*OVER_SPLITS, fstats.CorrectedRepeatedKFoldT, fstats.FiveByTwoT, fstats.CombinedFiveByTwoT, fstats.BlockedThreeByTwoT]
F = [fstats.CombinedFiveByTwoF, fstats.CalibratedFiveByTwoF]
BOOTSTRAP = [fstats.PseudoBootstrapT, fstats.CorrectedPseudoBootstrapT]
COUNTS = [fstats.HoldOutMcNemar, fstats.ProportionalZ, fstats.NaiveKFoldMcNemar]
RATIO = {test: {"test_train_ratio": 1 / 9} for test in (fstats.CorrectedResampledT, fstats.CorrectedPseudoBootstrapT)}  # it must be stated
EVERY = [*T, *F, *BOOTSTRAP, fstats.ConservativeZ, fstats.CrossValidatedZ, *COUNTS]


def flat(test_class, value):
    """The test on differences that are all the same."""
    d = np.full(test_class.plan.shape, value)
    if test_class in BOOTSTRAP:
        return test_class(d, np.full((15, 6), value), **RATIO.get(test_class, {}))
    if test_class is fstats.ConservativeZ:
        return test_class(d, np.full((10, 2), value))
    if test_class is fstats.CrossValidatedZ:
        return test_class(np.full(30, value), np.arange(30) % 10)
    return test_class(d, **RATIO.get(test_class, {}))


# -- degenerate data ----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("value", [0.03, -0.03, 0.1, 1 / 3])
@pytest.mark.parametrize("test_class", [*T, *F, *BOOTSTRAP, fstats.ConservativeZ, fstats.CrossValidatedZ])
def test_a_difference_without_any_spread(test_class, value):
    test = flat(test_class, value)
    assert abs(test.statistic) == np.inf
    assert (test.pvalue, test.reject) == (0, True)
    assert "hence p = 0" in test.conclusion
    if test_class in T:
        assert test.statistic == test.effect_size == np.copysign(np.inf, value)
        assert (tuple(test.ci), test.assuming(alternative="less").pvalue) == (pytest.approx((value, value)), value > 0)


@pytest.mark.every_case
@pytest.mark.parametrize("test_class", [*T, *F])
def test_rounding_noise_is_no_spread(test_class):
    # 0.83 - 0.80 and 0.96 - 0.93 differ in the 17th digit
    a = np.resize([0.83, 0.96, 0.33], test_class.plan.shape)
    b = np.resize([0.80, 0.93, 0.30], test_class.plan.shape)
    assert len(np.unique(a - b)) > 1
    assert flat(test_class, 0.03).statistic == test_class(a - b, **RATIO.get(test_class, {})).statistic == np.inf
    scores = fstats.Scores(test_class.plan, a, np.nextafter(a, np.resize([0.0, 1.0, 1.0], a.shape)))
    assert (scores.difference != 0).any()
    assert test_class.from_scores(scores, **RATIO.get(test_class, {})).statistic == 0


def test_the_5x2_t_looks_at_one_difference_only():
    d = np.zeros((5, 2))
    d[1] = 0.02
    assert (fstats.FiveByTwoT(d).statistic, fstats.FiveByTwoT(d).pvalue) == (0, 1)
    assert (fstats.FiveByTwoT(d[[1, 0, 2, 3, 4]]).statistic, fstats.CombinedFiveByTwoT(d).statistic) == (np.inf, np.inf)


@pytest.mark.parametrize("test_class", [fstats.ResampledT, fstats.KFoldT, fstats.CombinedFiveByTwoT])
def test_a_liberal_test_says_so(test_class):
    assert "true H0" in flat(test_class, 0.0).conclusion
    assert "true H0" not in flat(fstats.CorrectedResampledT, 0.0).conclusion


# -- what is refused ----------------------------------------------------------------------------------------------------
def test_leaving_out_one_record_at_a_time():
    d = [1, 0, -1, 1, 1]
    # "out" does not ask for folds
    assert fstats.CrossValidatedZ(d, range(5)).statistic == fstats.CrossValidatedZ(d, [0, 1, 0, 1, 0]).statistic


# -- half-way starts and batches ----------------------------------------------------------------------------------------
def test_from_published_summaries():
    expected = pytest.approx(0.02 / (0.03 * np.sqrt(1 / 15 + 0.5)))
    assert fstats.CorrectedResampledT.from_steps(n=15, mean=0.02, sd=0.03, test_train_ratio=0.5).statistic == expected
    assert fstats.CorrectedRepeatedKFoldT.from_steps(n=100, mean=0.02, sd=0.03).df == 99
    assert fstats.FiveByTwoT.from_steps(estimate=0.03, variances=[2e-4] * 5).statistic == pytest.approx(0.03 / np.sqrt(2e-4))
    assert fstats.CombinedFiveByTwoF.from_steps(statistic=4.8, df=10, df_error=5).reject
    assert not fstats.CalibratedFiveByTwoF.from_steps(statistic=4.8, df_error=5).reject
    assert fstats.CrossValidatedZ.from_steps(mean=0.02, sd=0.3, n=300).statistic == pytest.approx(0.02 / 0.3 * np.sqrt(300))


def test_shapes_of_folds():
    square = np.random.default_rng(52).normal(size=(10, 10))
    assert fstats.CorrectedRepeatedKFoldT(square).pvalue.shape == ()
    assert fstats.KFoldT(square).pvalue.shape == fstats.CorrectedResampledT(square, 1 / 9).pvalue.shape == (10,)  # ten repetitions
    rng = np.random.default_rng(52)
    d, folds = rng.integers(-1, 2, (30, 6, 2)), rng.permutation(30) % 5
    for variance in ("out", "in"):
        short = fstats.CrossValidatedZ(d, folds, variance=variance)
        long = fstats.CrossValidatedZ(d, np.broadcast_to(folds[:, None, None], d.shape), variance=variance)
        np.testing.assert_allclose(short.statistic, long.statistic, rtol=1e-12)
        assert short.at(4, 1).statistic == pytest.approx(fstats.CrossValidatedZ(d[:, 4, 1], folds, variance=variance).statistic, rel=1e-12)
    assert (fstats.FiveByTwoT(np.zeros((5, 2, 3))).remark, fstats.CombinedFiveByTwoF(np.zeros((5, 2, 3))).remark) == ("", "")


# -- from scores --------------------------------------------------------------------------------------------------------
def made(plan, rng, *more):
    """Scores of two models on a plan, with everything that a test may need."""
    counts = rng.integers(0, 9, (*plan.shape, 2, 2, *more)).astype(float)
    k = len(plan.shape)
    n = counts.sum((k, k + 1))
    right_a, right_b = counts.sum(k + 1).take(1, axis=k), counts.sum(k).take(1, axis=k)
    return fstats.Scores(
        plan,
        right_a / n,
        right_b / n,
        tables=counts,
        record_difference=rng.integers(-1, 2, (60, *more)).astype(float),
        record_fold=np.arange(60) % 10,
        halves=rng.normal(size=(10, 2, *more)),
        replicates=rng.normal(size=(15, 6, *more)),
        n_train=np.full(plan.shape, 40.0),
        n_test=np.full(plan.shape, 20.0),
    )


@pytest.mark.parametrize("more", [(), (4,), (3, 2)])
@pytest.mark.parametrize("test_class", EVERY)
def test_each_test_takes_what_it_needs_from_scores(test_class, more):
    s = made(test_class.plan, np.random.default_rng(53), *more)
    counts = np.moveaxis(s.tables, (len(s.plan.shape), len(s.plan.shape) + 1), (0, 1))
    test = test_class.from_scores(s, alpha=0.1)
    by_hand = {
        fstats.HoldOutMcNemar: lambda: fstats.HoldOutMcNemar(counts[0, 1], counts[1, 0]),
        fstats.NaiveKFoldMcNemar: lambda: fstats.NaiveKFoldMcNemar(counts[0, 1], counts[1, 0]),
        fstats.ProportionalZ: lambda: fstats.ProportionalZ(counts[1].sum(0), counts[:, 1].sum(0), counts.sum((0, 1))),
        fstats.CrossValidatedZ: lambda: fstats.CrossValidatedZ(s.record_difference, s.record_fold),
        fstats.ConservativeZ: lambda: fstats.ConservativeZ(s.difference, s.halves),
        fstats.PseudoBootstrapT: lambda: fstats.PseudoBootstrapT(s.difference, s.replicates),
        fstats.CorrectedPseudoBootstrapT: lambda: fstats.CorrectedPseudoBootstrapT(s.difference, s.replicates, 1 / 2),
        fstats.CorrectedResampledT: lambda: fstats.CorrectedResampledT(s.difference, 1 / 2),
        fstats.CorrectedRepeatedKFoldT: lambda: fstats.CorrectedRepeatedKFoldT(s.difference, 1 / 2),
    }.get(test_class, lambda: test_class(s.difference))()
    assert (test.alpha, np.shape(test.pvalue)) == (0.1, more)
    np.testing.assert_array_equal(test.statistic, by_hand.statistic)
    np.testing.assert_array_equal(test.pvalue, by_hand.pvalue)


def test_positive_is_better_for_a():
    better, worse = np.full((5, 2), 0.9), np.linspace(0.7, 0.8, 10).reshape(5, 2)
    test = fstats.FiveByTwoT.from_scores(fstats.Scores(FIVE_BY_TWO, better, worse), alternative="greater")
    assert test.statistic > 0
    assert test.reject
    table = np.array([[5, 2], [14, 60]])  # A is right where B is wrong on 14 records
    assert fstats.HoldOutMcNemar.from_scores(fstats.Scores(HOLD_OUT_THIRD, np.float64(0.9), np.float64(0.8), tables=table)).effect_size > 0


@pytest.mark.every_case
@pytest.mark.parametrize("test_class", EVERY)
def test_scores_of_another_plan(test_class):
    other = Plan("k-fold", 1, folds=3)
    message = rf"{test_class.__name__} needs scores on the splits of the plan .*; got scores on 1 x 3-fold cross-validation"
    assert_raises(lambda: test_class.from_scores(made(other, np.random.default_rng(54))), message)


def test_a_test_for_blocks_does_not_take_random_halves():
    message = "splits of the plan 5 x 2-fold cross-validation, block-regularized; got scores on 5 x 2-fold"
    assert_raises(lambda: fstats.CalibratedFiveByTwoF.from_scores(made(FIVE_BY_TWO, np.random.default_rng(55))), message)


@parametrize(
    "test_class, message",
    (fstats.HoldOutMcNemar, "right and wrong records"),
    (fstats.ProportionalZ, "right and wrong records"),
    (fstats.NaiveKFoldMcNemar, "right and wrong records"),
    (fstats.CrossValidatedZ, "a difference for each record"),
    (fstats.ConservativeZ, "halves of the records"),
    (fstats.PseudoBootstrapT, "after resampling each split"),
    (fstats.CorrectedPseudoBootstrapT, "after resampling each split"),
    (fstats.CorrectedResampledT, r"the numbers of training and test records \(n_train, n_test\). .* or state test_train_ratio"),
)
def test_scores_without_what_the_test_needs(test_class, message):
    bare = np.ones(test_class.plan.shape)
    with pytest.raises(ValueError, match=f"{test_class.__name__} needs a result that `scores` does not contain: .*{message}"):
        test_class.from_scores(fstats.Scores(test_class.plan, bare, bare))


def test_scores_and_test_sets():
    a, b = np.random.default_rng(56).normal(0.8, 0.02, (2, 10))
    assert fstats.KFoldT.from_scores(fstats.Scores(TEN_FOLD, a, b)).pvalue == fstats.PairedT(a, b).pvalue
    tables = np.ones((5, 2, 2, 2), int)
    tables[2, 1] = 0
    with pytest.raises(ValueError, match="`tables` must count at least one record of each test set; got no record in repetition 3, fold 2"):
        fstats.Scores.from_arrays(FIVE_BY_TWO, np.ones((5, 2)), np.ones((5, 2)), tables=tables)
