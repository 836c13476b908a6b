"""The Bradley-Terry model: its formula integrated, a chain of draws, the author's program, what dependence costs, odd data, ways in."""

from itertools import combinations, permutations

import numpy as np
import pytest
from scipy import special, stats
from shortcuts import assert_raises, parametrize

import fstats
from fstats import BradleyTerry, Results
from fstats.plot.drawing.picture_marks import Label, Points

# What the README of the model's author prints (bbtcomp, 20 data sets, 5 methods): wins, losses, ties; mean, share above 1/2, in the rope.
NAMES = ["lgbm", "svm", "rf", "dt", "knn"]
PRINTED = {
    ("lgbm", "svm"): ((9, 5, 6), (0.62, 0.96, 0.16)),
    ("lgbm", "rf"): ((7, 6, 7), (0.53, 0.66, 0.49)),
    ("lgbm", "dt"): ((18, 2, 0), (0.79, 1.00, 0.00)),
    ("lgbm", "knn"): ((11, 5, 4), (0.68, 1.00, 0.02)),
    ("svm", "rf"): ((5, 11, 4), (0.41, 0.10, 0.26)),
    ("svm", "dt"): ((13, 6, 1), (0.69, 1.00, 0.02)),
    ("svm", "knn"): ((9, 3, 8), (0.57, 0.85, 0.33)),
    ("rf", "dt"): ((14, 4, 2), (0.77, 1.00, 0.00)),
    ("rf", "knn"): ((11, 5, 4), (0.66, 0.99, 0.05)),
    ("dt", "knn"): ((6, 12, 2), (0.37, 0.03, 0.11)),
}
DRAWN = 4000  # by the author's program: four chains of a thousand


def of_counts(counts, **settings):
    """The model by its table of wins, losses and ties."""
    wins, losses, ties = np.array(counts).T
    return BradleyTerry.from_steps(wins=wins, losses=losses, ties=ties, **settings)


def test_what_the_author_s_program_prints_comes_out_again():
    rounded = [(won + (ties + 1) // 2, lost + (ties + 1) // 2, 0) for (won, lost, ties), _ in PRINTED.values()]  # as it shares ties out
    test = of_counts(rounded, labels=NAMES, counted="independent", points=2**17)
    assert [tuple(pair) for pair in test.pairs] == [*PRINTED]
    mean, above, inside = np.array([printed for _, printed in PRINTED.values()]).T
    assert test.estimates == pytest.approx(mean, abs=0.005 + 3 * 0.1 / np.sqrt(DRAWN))
    for ours, printed in ((test.superior, above), (test.probabilities[:, 1], inside)):
        assert (np.abs(ours - printed) < 0.005 + 4 * np.sqrt(ours * (1 - ours) / DRAWN) + 1e-4).all()


def by_quadrature(won, lost, tau, of):
    """The posterior mean of something of pi, of two methods: over their difference, in standard deviations of its prior, and ln sigma."""
    t, log_sigma = np.linspace(-9, 9, 12000)[:, None], np.linspace(-6 * tau, 6 * tau, 241)
    delta = np.sqrt(2) * np.exp(log_sigma) * t
    wins = -won * np.logaddexp(0, -delta) - lost * np.logaddexp(0, delta)
    weight = np.exp(wins - wins.max()) * stats.norm.pdf(t) * stats.norm.pdf(log_sigma, 0, tau)
    return (weight * of(special.expit(delta))).sum() / weight.sum()


@pytest.mark.complete
@pytest.mark.parametrize(("won", "lost", "tau"), [(3, 1, 0.5), (0, 0, 0.5), (20, 0, 0.5), (7.5, 9.5, 1.5), (400, 380, 0.2)])
def test_of_two_methods_it_is_the_integral(won, lost, tau):
    test = BradleyTerry.from_steps(labels=["new", "old"], won=[won], lost=[lost], tau=tau, points=2**16)
    error = max(4 * float(test.mc_error), 1e-4)
    assert test.estimates[0] == pytest.approx(by_quadrature(won, lost, tau, lambda pi: pi), abs=2e-4)
    assert test.superior[0] == pytest.approx(by_quadrature(won, lost, tau, lambda pi: pi > 0.5), abs=max(error, 0.002))
    assert test.probabilities[0, 2] == pytest.approx(by_quadrature(won, lost, tau, lambda pi: pi > 0.55), abs=max(error, 0.002))
    for end, outside in ((test.low[0], 0.025), (test.high[0], 0.975)):
        assert by_quadrature(won, lost, tau, lambda pi, end=end: pi <= end) == pytest.approx(outside, abs=0.003)


def walked(won, lost, k, tau, steps, rng):
    """A random walk of Metropolis through abilities and log sigma, many chains beside each other: the second way to the posterior."""
    pairs, chains = list(combinations(range(k), 2)), 400

    def height(x):
        beta, log_sigma = x[:k], x[k]
        found = -(beta**2).sum(0) / (2 * np.exp(2 * log_sigma)) - k * log_sigma - log_sigma**2 / (2 * tau**2)
        for (i, j), a, b in zip(pairs, won, lost, strict=True):
            found = found - a * np.logaddexp(0, beta[j] - beta[i]) - b * np.logaddexp(0, beta[i] - beta[j])
        return found

    x = rng.normal(0, 0.3, (k + 1, chains))
    now, kept = height(x), []
    for step in range(steps):
        to = x + rng.normal(0, 0.35, x.shape)
        there = height(to)
        goes = np.log(rng.random(chains)) < there - now
        x, now = np.where(goes, to, x), np.where(goes, there, now)
        if step >= steps // 4 and not step % 10:
            kept.append(x[:k])
    return np.concatenate(kept, axis=1)


@pytest.mark.complete
def test_a_chain_of_draws_finds_the_same():
    test = BradleyTerry(np.random.default_rng(3).normal([0.8, 0.2, 0, -0.3], 1, (9, 4)))
    beta = walked(test.won, test.lost, 4, 0.5, 3000, np.random.default_rng(0))
    chance = np.array([special.expit(beta[i] - beta[j]) for i, j in combinations(range(4), 2)])
    assert test.estimates == pytest.approx(chance.mean(1), abs=0.005)
    assert test.superior == pytest.approx((chance > 0.5).mean(1), abs=0.012)
    assert test.probabilities[:, 1] == pytest.approx((np.abs(chance - 0.5) <= 0.05).mean(1), abs=0.012)
    assert test.best == pytest.approx(np.bincount(beta.argmax(0), minlength=4) / beta.shape[1], abs=0.012)
    assert test.abilities == pytest.approx((beta - beta.mean(0)).mean(1), abs=0.02)
    assert np.array([test.low, test.high]) == pytest.approx(np.quantile(chance, [0.025, 0.975], axis=1), abs=0.015)


@pytest.mark.complete
@pytest.mark.parametrize("k", [3, 12])
def test_the_error_of_the_points_is_what_it_says(k):
    scores = np.random.default_rng(k).normal(0, 1, (20, k)) + np.linspace(0, 1, k)
    exact = BradleyTerry(scores, points=2**17).probabilities
    for points in (2**11, 2**14):
        test = BradleyTerry(scores, points=points)
        assert np.abs(test.probabilities - exact).max() < 4 * test.mc_error
        assert all(one.effective_sample_size > 0.6 * points for one in test.posterior.tables[0])


def test_wins_of_a_data_set_hang_together_as_it_is_said():
    for k in (2, 3, 4, 5):
        orders = np.array(list(permutations(range(k))))  # all rankings of methods that are alike: each as probable
        wins = (orders[:, :, None] > orders[:, None]).sum(2)
        assert np.var(wins[:, 0] - wins[:, 1]) == pytest.approx(k * (k + 1) / 6)
        assert BradleyTerry.from_steps(labels=[*"ABCDE"[:k]]).worth == pytest.approx((k / 2) / (k * (k + 1) / 6))


def simulated(k, n, spread, tables, counted):
    """How often a winner is decided for where there is none, and how often intervals hold the truth; and both standard errors."""
    rng = np.random.default_rng([k, n])
    beta = rng.normal(0, spread, (k, tables))
    test = BradleyTerry(rng.gumbel(size=(n, k, tables)) + beta, counted=counted, points=2**10)  # the model's orders (Luce, Yellott)
    first, second = np.triu_indices(k, 1)
    truth = special.expit(beta[first] - beta[second])
    found = test.decided[:, [0, 2]].any((0, 1)), ((test.low <= truth) & (truth <= test.high)).mean(0)
    return [(float(one.mean()), float(one.std() / np.sqrt(tables))) for one in found]


@pytest.mark.complete
@parametrize(
    "k, n, counted, false, held",
    (12, 10, "independent", 0.96, 0.67),
    (12, 10, "dependent", 0.15, 0.96),
    pytest.param(12, 40, "independent", 0.88, 0.67, marks=pytest.mark.slow),
    pytest.param(12, 40, "dependent", 0.10, 0.96, marks=pytest.mark.slow),
    pytest.param(5, 10, "independent", 0.38, 0.86, marks=pytest.mark.slow),
    pytest.param(5, 10, "dependent", 0.11, 0.965, marks=pytest.mark.slow),
    pytest.param(5, 40, "independent", 0.29, 0.85, marks=pytest.mark.slow),
    pytest.param(5, 40, "dependent", 0.08, 0.957, marks=pytest.mark.slow),
)
def test_what_independence_costs(k, n, counted, false, held):
    """The figures of the docstring; they come from 400 tables."""
    tables = 60 if n == 10 and k == 12 else 400
    (share, error), _ = simulated(k, n, 0.0, tables, counted)
    assert share == pytest.approx(false, abs=4 * np.hypot(max(error, 0.01), 0.018))
    _, (share, error) = simulated(k, n, 0.5, tables, counted)
    assert share == pytest.approx(held, abs=0.01 + 4 * np.hypot(error, 0.004))


def test_ties_are_half_a_win_of_either_and_noise_is_a_tie():
    test = BradleyTerry([[0.1 + 0.2, 0.3], [1, 0], [0, 1], [2, 2]])
    assert (test.wins, test.losses, test.ties) == ([1], [1], [2])
    assert (test.won, test.lost) == ([2], [2])
    assert test.estimates[0] == pytest.approx(0.5, abs=0.002)


@parametrize("scores", np.ones((5, 3)), np.arange(30.0).reshape(10, 3), np.arange(2000.0)[:, None] + [0, 1e-3, 2e-3, 0], [[1, 0], [1, 0]])
def test_degenerate_tables_get_an_answer(scores):
    test = BradleyTerry(scores, points=2**12)
    for name in ("abilities", "best", "estimates", "low", "high", "superior", "probabilities", "mc_error"):
        assert np.isfinite(getattr(test, name)).all()
    assert (test.best.sum(), test.probabilities.sum(1)) == (pytest.approx(1), pytest.approx(1))
    assert (test.low <= test.estimates).all()
    assert (test.estimates <= test.high).all()
    assert "nan" not in test.conclusion


def test_the_better_side_and_the_order_of_the_columns_do_not_matter():
    scores = np.random.default_rng(5).normal([1, 0, 0], 1, (12, 3))
    test, turned = BradleyTerry(scores), BradleyTerry(-scores, higher_is_better=False)
    assert (turned.estimates == test.estimates).all()
    back = BradleyTerry(scores[:, ::-1])
    assert back.abilities[::-1] == pytest.approx(test.abilities, abs=0.01)
    assert back.estimates[[2, 1, 0]] == pytest.approx(1 - test.estimates, abs=0.005)
    assert (BradleyTerry(np.exp(3 * scores)).estimates == test.estimates).all()  # only orders count


def test_results_with_folds_may_tie_where_folds_do_not_tell_apart():
    folds = np.random.default_rng(1).normal(0, 1, (6, 3, 5)) + np.array([0.5, 0.0, 0.0])[:, None]
    results = Results(folds, classifiers=["a", "b", "c"])
    plainly, locally = BradleyTerry.from_results(results), BradleyTerry.from_results(results, local=0.4)
    assert (plainly.ties.sum(), plainly.labels.tolist()) == (0, ["a", "b", "c"])
    for pair, wins, losses, ties in zip(combinations(range(3), 2), locally.wins, locally.losses, locally.ties, strict=True):
        sides = []
        for one in folds:
            d = one[pair[0]] - one[pair[1]]
            sides.append(0 if abs(d.mean()) <= 0.4 * d.std(ddof=1) else np.sign(d.mean()))
        assert (wins, losses, ties) == (sides.count(1), sides.count(-1), sides.count(0))
    assert_raises(lambda: BradleyTerry.from_results(Results(folds[..., :1]), local=0.4), "two folds")


def test_the_sentence_says_who_beats_whom_and_what_is_open():
    test = of_counts([(20, 0, 0), (19, 1, 0), (10, 10, 0)], labels=["new", "old", "older"])
    assert "Best first: new, older, old." in test.conclusion
    assert "better on a share above 0.55 of data sets like these: new than older, old." in test.conclusion
    assert "Open: 1 of 3 pairs." in test.conclusion
    alike = of_counts([(2000, 2000, 0)], labels=["new", "old"])
    assert "With probability 0.95 or more each, practically equivalent: new and old." in alike.conclusion
    assert "too extreme" in of_counts([(1, 0, 0)] * 3, labels=[*"abc"], counted="independent").conclusion


def test_the_picture_shows_each_pair_or_those_with_the_best():
    few = BradleyTerry(np.random.default_rng(0).normal(0, 1, (10, 4)), labels=["one", "two", "three", "four"])
    picture = few.plot()
    assert len([mark for mark in picture.marks if isinstance(mark, Label)]) == 6
    (points,) = [mark for mark in picture.marks if isinstance(mark, Points)]
    assert (points.x >= 0.5).all()  # the more able one stands first
    only = fstats.plot.pair_intervals(few, against="two")
    assert sorted(mark.words for mark in only.marks if isinstance(mark, Label)) == ["two - four", "two - one", "two - three"]
    many = BradleyTerry(np.random.default_rng(0).normal(0, 1, (10, 8)), points=2**10)
    assert len([mark for mark in many.plot().marks if isinstance(mark, Label)]) == 7
    assert_raises(lambda: fstats.plot.pair_intervals(few, against="five"), "`against` must be one of")
    assert_raises(lambda: fstats.plot.pair_intervals(fstats.Nemenyi(np.eye(3))), "BradleyTerry", TypeError)


@pytest.mark.parametrize("tau", [0.01, 0.5, 2.0])
@pytest.mark.parametrize("scores", [np.ones((4, 3)), np.arange(60.0).reshape(20, 3), np.arange(12.0) + np.zeros((40, 12))])
def test_every_width_of_the_prior_has_an_answer(scores, tau):
    test = BradleyTerry(scores, tau=tau, points=2**12)
    assert np.isfinite(test.probabilities).all()
    assert ("ends of intervals are imprecise" in test.conclusion) == (test.posterior.tables[0][0].effective_sample_size < 0.05 * 2**12)
    assert ("No classifier is better than another." in test.conclusion) == (scores == 1).all()


def test_points_that_are_rough_say_so():
    assert "so the ends of intervals are imprecise: use more points." in BradleyTerry(np.arange(12.0) + np.zeros((40, 12))).conclusion
    assert "imprecise" not in BradleyTerry(np.arange(60.0).reshape(20, 3)).conclusion
