"""Demonstrations as procedures: each formula reads what its code reads, each step follows from its slots, and their limits are told."""

from string import Template

import numpy as np
import pytest
from cases import assert_same
from shortcuts import assert_raises, parametrize
from sklearn.naive_bayes import GaussianNB

from fstats.studies.contingency.contingency_simulation_procedure import ContingencySimulation
from fstats.studies.contingency.repeated_folds_procedure import RepeatedFolds
from fstats.teaching.demonstrations.language_models import TwoModels
from fstats.teaching.demonstrations.multiplicity_simulation import Multiplicity
from fstats.teaching.demonstrations.overlapping_splits import RECORDS, OverlappingSplits
from fstats.teaching.demonstrations.sources_of_randomness import RepeatedScores, SourcesOfRandomness
from fstats.teaching.demonstrations.t_test_and_signed_rank import TTestAndSignedRank
from fstats.teaching.demonstrations.tuning_on_test_set import TuningOnTestSet
from fstats.teaching.demonstrations.type_one_error_simulation import TypeOneErrorSimulation
from fstats.teaching.demonstrations.unstable_training_simulation import UnstableTraining
from fstats.testing.check_assertions import read_names

A, B = [85, 70, 79, 78, 83, 81, 77], [87, 68, 85, 75, 83, 80, 70]
SHOWN = {
    type(test).__name__: test
    for test in (
        TTestAndSignedRank(A, B),
        ContingencySimulation(300, 0.05, 10, 100),
        RepeatedScores(A, B, shared=0.5, draw=2),
        TypeOneErrorSimulation("KFoldT", 60, 0.2, 40),
        Multiplicity(20, 4, 0.8),
        OverlappingSplits(15, 0.1),
        RepeatedFolds(5, 2),
        TuningOnTestSet(10, 50, 0.5, 3),
        TwoModels(50, 0.8, 5, 2, 3),
        UnstableTraining(200, 0.3, 5.0, 2),
    )
}
each_step = pytest.mark.parametrize(
    ("name", "step"), [(name, step) for name, test in SHOWN.items() for step in test.steps if test.steps[step].formula]
)


@each_step
def test_each_step_follows_from_the_slots_of_its_formula(name, step):
    test = SHOWN[name]
    assert read_names(test, test.steps[step].fn) == set(Template(test.steps[step].formula).get_identifiers())
    test = SHOWN[name]
    again = type(test).from_steps(**{slot: getattr(test, slot) for slot in test.steps[step].slots})
    assert_same(getattr(again, step), getattr(test, step))


def test_fewer_rules_and_a_negative_t():
    every = Multiplicity(20, 4, 0.8)
    some = every.assuming(rules=["Holm", "no correction"], sizes=[10, 60])
    np.testing.assert_array_equal(some.found, every.found[[2, 0]])
    np.testing.assert_array_equal(some.power_by_size, every.power_by_size[[1, -1]])
    assert_raises(lambda: every.assuming(rules=["Tukey"]), r"`rules` must be 'no correction' or 'Bonferroni' .*; got 'Tukey'")
    assert_raises(lambda: every.assuming(sizes=[61]), "`sizes` must be at most 60, as large as the simulated tables are")
    assert TTestAndSignedRank.from_steps(t=-2.5).t == -2.5


@pytest.mark.every_case
@parametrize(
    "make, message",
    (lambda: OverlappingSplits(31, 0.1), "`splits` must be at most 30, the number of splits that are drawn of each data set; got 31"),
    (lambda: OverlappingSplits(1, 0.1), "`splits` must be at least 2; got 1"),
    (lambda: OverlappingSplits(2, 0.11), "`share` must be a whole number of records divided by 60, such as 7/60; got 0.11"),
    (lambda: OverlappingSplits(2, 0.001), "`share` must be a whole number of records divided by 60, such as 1/60; got 0.001"),
    (lambda: OverlappingSplits(2, 1.0), "`share` must be between 0 and 1"),
    (lambda: Multiplicity(61, 4, 0), "`n` must be at most 60, as large as the simulated tables are; got 61"),
    (lambda: Multiplicity(20, 11, 0), "`k` must be at most 10, as large as the simulated tables are; got 11"),
    (lambda: RepeatedScores(A, B, shared=0.5, draw=8), "`draw` must be the number of a draw, from 1 to .*; got 8"),
    (lambda: RepeatedScores(A, B, shared=1.5), "`shared` must be between 0 and 1; got 1.5"),
    (lambda: UnstableTraining(201, 0.3, 5.0, 1), "`n` must be a multiple of 8, the number of blocks; got 201"),
    (lambda: UnstableTraining(200, 0.3, 5.0, 401), "`draw` must be at most 400, as many data sets as are drawn; got 401"),
)
def test_what_is_not_there_cannot_be_shown(make, message):
    assert_raises(make, message)


@pytest.mark.parametrize("tested", [1, 7, 59])
def test_every_whole_number_of_records_can_be_tested(tested):
    test = OverlappingSplits(3, tested / RECORDS)
    assert test.ratio == pytest.approx(tested / (RECORDS - tested))
    assert np.isfinite([test.true_sd, test.naive_sd, test.corrected_sd]).all()


def test_no_score_is_computed_twice():
    fits = []

    class Counted(GaussianNB):
        def fit(self, x, y):
            fits.append(len(y))
            return super().fit(x, y)

    x, y = np.random.default_rng(1).normal(size=(40, 2)), np.tile([0, 1], 20)
    chance = SourcesOfRandomness(Counted(), GaussianNB(), x, y, draws=3, folds=4, test_share=0.5)
    first = chance.scores(True, True, True)
    assert len(fits) == 3 * 4  # each draw, each fold
    np.testing.assert_array_equal(chance.scores(True, True, True), first)
    chance.scores(False, True, True)  # naive Bayes has no weights to draw
    assert len(fits) == 3 * 4


def test_the_share_in_common_is_that_of_the_smaller_training_set():
    """Eleven records in three folds: the training sets hold 7, 7 and 8, and two of them leave out two folds."""
    rng = np.random.default_rng(3)
    sources = SourcesOfRandomness(GaussianNB(), GaussianNB(), rng.normal(size=(11, 2)), [0] * 6 + [1] * 5, draws=2, folds=3, test_share=0.3)
    trained = [set(train) for train, _ in sources._parts(0, True)]
    sizes = sorted(map(len, trained))
    assert sizes == [7, 7, 8]
    common = [11 - (11 - len(s)) - (11 - len(t)) for s, t in ((trained[0], trained[1]), (trained[0], trained[2]), (trained[1], trained[2]))]
    smaller = [min(len(trained[i]), len(trained[j])) for i, j in ((0, 1), (0, 2), (1, 2))]
    assert sources.shared_training_fraction(False, True) == pytest.approx(np.mean(np.divide(common, smaller)))
    assert sources.shared_training_fraction(False, True) != pytest.approx(np.mean(np.divide(common, [max(sizes), max(sizes), min(sizes)])))
