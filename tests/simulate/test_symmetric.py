"""Sources on which H0 is true by symmetry: exchange what the roles exchange, and A becomes B."""

import numpy as np
import pytest
from shortcuts import assert_raises
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import Perceptron, SGDClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

import fstats
from fstats import BlockedFiveByTwoMcNemar, HoldOutMcNemar, simulate
from fstats.comparing.model_evaluation import check_model
from fstats.comparing.splits import Split
from fstats.procedures.resampling.cross_validation_tests import ALL_TESTS
from fstats.simulate.level_stress import FAST_TESTS

RNG = np.random.default_rng(3)
Y = RNG.integers(2, size=120)
X = RNG.normal(size=(120, 6)) + 0.8 * Y[:, np.newaxis]
NEW = RNG.normal(size=(300, 6)) + 0.4
SPLIT = Split(np.arange(0), np.arange(0), (0, 4), "a split")


def said(learner, x=X, y=Y, new=NEW, rng=5):
    """What a fresh copy says after training, as a comparison trains it on one split."""
    return check_model(learner, "learner").seeded_copy(rng, SPLIT).fit(x, y).predict(new)


def exchanged(x):
    return np.hstack([x[:, 3:], x[:, :3]])


@pytest.mark.complete
@pytest.mark.parametrize("learner", [Perceptron(), GaussianNB(), DecisionTreeClassifier(), SGDClassifier()], ids=repr)
def test_mirrored_features_exchange_the_learners(learner):
    a, b = simulate.mirrored(learner).learners
    assert (said(a) == said(b, exchanged(X), new=exchanged(NEW))).all()
    assert (said(b) == said(a, exchanged(X), new=exchanged(NEW))).all()
    assert (said(a) != said(b)).any()
    alone = check_model(learner, "learner")
    if not alone.unseeded_parameters:  # it is the learner itself, on its half
        assert (said(a) == alone.estimator.fit(X[:, :3], Y).predict(NEW[:, :3])).all()


@pytest.mark.complete
@pytest.mark.parametrize("split", range(12))
def test_each_training_draws_anew_and_alike_for_both_roles(split):
    # halves of the records: together they are the training set, class by class, and no record stands in both
    seen = []

    class Spy(GaussianNB):
        def fit(self, X, y):
            seen.append((X[:, 0].tolist(), y.tolist()))
            return super().fit(X, y)

    y = np.r_[np.zeros(7, int), np.ones(10, int)]
    x = np.arange(17.0)[:, np.newaxis]
    for one in simulate.record_halves(Spy()).learners:
        check_model(one, "learner").seeded_copy(split, SPLIT).fit(x, y)
    (first, y_first), (second, y_second) = seen
    assert (sorted(first + second), sorted((sum(y_first), sum(y_second)))) == (x[:, 0].tolist(), [5, 5])
    assert sorted((len(y_first), len(y_second))) == [8, 9]


@pytest.mark.complete
def test_who_gets_the_odd_record_is_a_coin():
    sizes = []

    class Spy(GaussianNB):
        def fit(self, X, y):
            sizes.append(len(y))
            return super().fit(X, y)

    a, _ = simulate.record_halves(Spy()).learners
    for rng in range(200):
        check_model(a, "learner").seeded_copy(rng, SPLIT).fit(X[:, :2][Y == 1][:31], np.ones(31, int))
    assert 65 < sizes.count(16) < 135
    assert set(sizes) == {15, 16}


@pytest.mark.complete
def test_a_coin_exchanges_two_learners():
    one, other = GaussianNB(), KNeighborsClassifier(1)
    alone = [one.fit(X, Y).predict(NEW), other.fit(X, Y).predict(NEW)]
    a, b = simulate.by_coin(GaussianNB(), KNeighborsClassifier(1)).learners
    heads = 0
    for rng in range(60):
        both = said(a, rng=rng), said(b, rng=rng)
        k = int((both[0] == alone[1]).all())
        assert (both[0] == alone[k]).all()
        assert (both[1] == alone[1 - k]).all()
        heads += k
    assert 12 < heads < 48


def test_two_seeds_are_drawn_anew_in_every_training():
    a, b = simulate.seeds(SGDClassifier()).learners
    assert (said(a) == said(a)).all()
    assert (said(a) != said(b)).any()
    assert any((said(a, rng=k) != said(a, rng=k + 1)).any() for k in range(5))
    assert_raises(lambda: simulate.seeds(Perceptron()), "must have random_state=None")
    assert_raises(lambda: simulate.seeds(GaussianNB()), "must have random_state=None")


@pytest.mark.parametrize("kind", [LinearDiscriminantAnalysis, GaussianNB])
def test_leaning_learners_are_exchanged_with_the_classes(kind):
    a, b = simulate.leaning(kind(priors=[0.7, 0.3]), kind(priors=[0.3, 0.7])).learners
    assert (said(a) == 1 - said(b, -X, 1 - Y, -NEW)).all()
    law = simulate.NormalClasses(features=3)
    assert np.allclose(law.means[0], -law.means[1])
    assert_raises(
        lambda: simulate.Symmetric(simulate.leaning(a, b), simulate.NormalClasses(share=0.2)),
        "must have two classes of equal size that mirror each other",
    )


def test_laws_are_what_they_say():
    rng = np.random.default_rng(0)
    x, y = simulate.NormalClasses(features=3, share=0.2, apart=1.5, noise=0.1).draw(rng, 40_000, True)
    assert x.shape == (40_000, 6)
    assert abs(y.mean() - (0.9 * 0.2 + 0.05)) < 0.01
    for half in (x[:, :3], x[:, 3:]):  # both alike, and independent within a class
        assert abs(np.linalg.norm(half[y == 1].mean(0) - half[y == 0].mean(0)) - 1.5 * 0.9 * (0.18 / 0.23 + 0.72 / 0.77 - 1)) < 0.3
    means = simulate.NormalClasses(features=10, count=10, apart=4.0).means
    apart = [np.linalg.norm(a - b) for k, a in enumerate(means) for b in means[:k]]
    assert 3 < np.mean(apart) < 5
    x, y = simulate.Rules((0.8, 0.7)).draw(rng, 40_000, False)
    assert np.abs((x == y[:, np.newaxis]).mean(0) - [0.8, 0.7]).max() < 0.01
    law = simulate.DrawnRecords(X, Y)
    x, y = law.draw(rng, 50, False)
    assert x.shape == (50, 6)
    assert_raises(lambda: law.draw(rng, 50, True), "no mirrored features")


def test_the_rule_of_the_issue_that_began_it():
    # a choice by a coin between rules right on .8 and on .7 of the records: false alarms that a loop over coins counts as well
    source = simulate.Symmetric(simulate.by_coin(simulate.OneRule(0), simulate.OneRule(1)), simulate.Rules(), n=300)
    found = simulate.type_one_error([HoldOutMcNemar], source, 100, progress=False)["HoldOutMcNemar"]
    x, y = simulate.Rules().draw(np.random.default_rng(9), 100 * 4000, False)
    right = (x == y[:, np.newaxis]).reshape(4000, 100, 2)  # a third of 300 records tests
    only = (right & ~right[..., ::-1]).sum(1)
    chi = np.maximum(0, abs(only[:, 0] - only[:, 1]) - 1) ** 2 / only.sum(1)
    low, high = found.interval
    assert low < (chi >= 3.841459).mean() < high


def test_sources_are_equally_good_and_tell_what_they_are():
    for source in (
        simulate.Symmetric(simulate.mirrored(Perceptron()), simulate.NormalClasses(), 100),
        simulate.Symmetric(simulate.record_halves(DecisionTreeClassifier()), simulate.DrawnRecords(X, Y, "drawn"), 80),
    ):
        found = source.true_error_rates(25)
        assert abs(found.difference) < 4 * found.se_difference
        assert found.se_difference > 0
    assert repr(simulate.Symmetric(simulate.mirrored(Perceptron()), simulate.NormalClasses(), 100)) == (
        "Symmetric(Perceptron(), each on its half of the features; "
        "NormalClasses(features=10, count=2, share=0.5, apart=2.0, noise=0.0), n=100)"
    )


# -- a reader's own learners -------------------------------------------------------------------------------------------------
@pytest.mark.complete
def test_stress_with_own_learners(tmp_path):
    kept = tmp_path / "kept.jsonl"
    how = {"tests": [HoldOutMcNemar, BlockedFiveByTwoMcNemar], "data_sets": 12, "n": 60, "progress": False}
    found = simulate.stress(GaussianNB(), SGDClassifier(), X, Y, store=kept, **how)
    assert list(found.rates) == ["GaussianNB, halves", "SGDClassifier, halves", "SGDClassifier, two seeds"]
    assert [rate.test for rate in found] == ["HoldOutMcNemar", "BlockedFiveByTwoMcNemar"]
    assert all(rate.repetitions == 12 for of in found.rates.values() for rate in of)
    again = simulate.stress(GaussianNB(), SGDClassifier(), X, Y, store=kept, **how)  # from what was kept
    assert repr(again) == repr(found)
    assert fstats.plot.levels(found).text.startswith("Type I errors at alpha = 0.05")
    # by the means of the simulations: the same source, drawn from other seeds, is not far
    rate = simulate.type_one_error(
        [HoldOutMcNemar], simulate.Symmetric(simulate.seeds(SGDClassifier()), simulate.DrawnRecords(X, Y), 60), 40, progress=False
    )["HoldOutMcNemar"]
    assert abs(rate.rate - found.rates["SGDClassifier, two seeds"][0].rate) < 5 * np.hypot(rate.se, 0.14)


def test_names_and_refusals():
    found = simulate.stress(GaussianNB(), GaussianNB(var_smoothing=0.1), X, Y, tests=[HoldOutMcNemar], data_sets=2, progress=False)
    assert list(found.rates) == ["GaussianNB, halves", "GaussianNB (learner_b), halves"]
    assert_raises(lambda: simulate.stress(GaussianNB(), GaussianNB(), X, Y[1:]), "for each record; got 120 records in X and 119 in y")
    assert_raises(lambda: simulate.stress(GaussianNB(), GaussianNB(), X, Y, data_sets=0), "data_sets")
    assert_raises(lambda: simulate.stress(GaussianNB(), GaussianNB(), X, Y, tests=[fstats.PairedT]), "test on resampled scores", TypeError)
    assert_raises(
        lambda: simulate.stress(GaussianNB(), GaussianNB(), X, Y, n=6, tests=[BlockedFiveByTwoMcNemar], progress=False), "records"
    )


def test_the_default_tests_need_ten_trainings_at_most():
    assert {test.__name__ for test in ALL_TESTS} - {test.__name__ for test in FAST_TESTS} == {
        *("ResampledT", "CorrectedResampledT", "PseudoBootstrapT", "CorrectedPseudoBootstrapT"),
        *("CorrectedRepeatedKFoldT", "ConservativeZ"),
    }
