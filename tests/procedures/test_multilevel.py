"""The multilevel comparison: its model on a plain grid and by draws, limits, how often it is wrong, odd data, the picture."""

import numpy as np
import pytest
from scipy import stats
from shortcuts import parametrize

import fstats
from fstats import BayesianMultilevel, RepeatedAnova
from fstats.plot.drawing.picture_marks import Label, Points

SCORES = np.random.default_rng(4).normal([0.5, 0.2, 0.0, -0.1], 1, (8, 4))


def on_a_grid(scores, rope, prior):
    """The model in its own words: sigma and tau on a grid, and given both the effects normal; shares of a pair, and what is kept."""
    n, k = scores.shape
    b = scores.mean(0) - scores.mean()
    e = scores - scores.mean(1, keepdims=True) - b
    ss = (e**2).sum()
    sd = np.sqrt(ss / ((n - 1) * (k - 1)))
    sigma, tau = sd * np.exp(np.linspace(-2, 2, 241))[:, None], sd * np.exp(np.linspace(-14, 7, 1201))
    variance = tau**2 + sigma**2 / n  # of each b_j, of which k - 1 are free
    log = -(n - 1) * (k - 1) * np.log(sigma) - ss / (2 * sigma**2) - (k - 1) / 2 * np.log(variance) - (b**2).sum() / (2 * variance)
    log = log + stats.halfcauchy.logpdf(tau / sigma, scale=prior) - np.log(sigma) + np.log(tau)  # d tau = tau d ln tau; uniform in ln sigma
    weight = np.exp(log - log.max())
    weight /= weight.sum()
    kept = tau**2 / variance
    mean, scale = kept * (b[0] - b[1]), np.sqrt(2 * kept * sigma**2 / n)
    return [
        (weight * stats.norm.cdf(-rope, mean, scale)).sum(),
        (weight * stats.norm.sf(rope, mean, scale)).sum(),
        (weight * kept).sum(),
        (weight * mean).sum(),
        lambda x: (weight * stats.norm.cdf(x, mean, scale)).sum(),
    ]


@pytest.mark.complete
@pytest.mark.parametrize(("rope", "prior", "rows"), [(0.0, 1.0, 8), (0.3, 1.0, 8), (0.3, 0.1, 3), (0.1, 5.0, 2)])
def test_on_a_plain_grid_it_is_the_same(rope, prior, rows):
    scores = SCORES[:rows]
    test = BayesianMultilevel(scores, rope=rope, prior=prior)
    worse, better, kept, mean, below = on_a_grid(scores, rope, prior)
    assert test.probabilities[0, [0, 2]] == pytest.approx([worse, better], abs=5e-6)
    assert (test.kept, test.estimates[0]) == (pytest.approx(kept, abs=5e-6), pytest.approx(mean, abs=5e-6))
    assert [below(test.low[0]), below(test.high[0])] == pytest.approx([0.025, 0.975], abs=5e-6)


@pytest.mark.complete
def test_draws_from_prior_and_model_that_look_like_the_data_had_such_effects():
    """Approximate Bayesian computation with two methods and two data sets: what was true where the data came out nearly so."""
    rng = np.random.default_rng(0)
    ratio = np.abs(rng.standard_cauchy(2_000_000))
    z = ratio * rng.normal(size=(2, ratio.size))  # effects in units of sigma
    noise = rng.normal(size=(2, ratio.size))
    away = (z[0] - z[1]) / 2 + (noise[0] - noise[1]) / 2 / np.sqrt(2)  # b_0: half the difference of two means of two
    left = rng.normal(size=ratio.size)  # the one free residual; the sum of its squares is chi-squared with 1 degree of freedom
    like = np.abs(away / np.abs(left) - 1) < 0.01  # sigma is free: only the ratio of b_0 to the root of SS_E tells something
    test = BayesianMultilevel.from_steps(n=2, effects=[1.0, -1.0], ss_error=1.0, labels=["new", "old"], rope=0)
    true = (z[0] > z[1])[like]
    error = np.sqrt(true.mean() * (1 - true.mean()) / like.sum())
    assert test.probabilities[0, 2] == pytest.approx(true.mean(), abs=4 * error + 0.003)


def test_without_shrinking_it_is_the_analysis_of_variance():
    """Effects that are large beside luck are believed as they are, with Student's interval around them."""
    scores = SCORES + 1000 * np.arange(4)
    test, anova = BayesianMultilevel(scores, rope=0), RepeatedAnova(scores)
    assert test.kept == pytest.approx(1, abs=1e-5)
    df = anova.df_error - 1  # far out half a Cauchy falls as 1 / t^2, which takes one more
    half = stats.t.ppf(0.975, df) * np.sqrt(2 / 8 * anova.ss_error / df)
    assert test.high - test.low == pytest.approx(np.full(6, 2 * half), rel=1e-4)


def test_units_signs_and_the_order_of_the_methods():
    test = BayesianMultilevel(SCORES, rope=0.2)
    for by in (1e-3, 1e6, 1e200, 1e-200):
        other = BayesianMultilevel(SCORES * by, rope=0.2 * by)
        assert (other.probabilities, other.low / by) == (pytest.approx(test.probabilities, abs=1e-9), pytest.approx(test.low, abs=1e-9))
    assert BayesianMultilevel(SCORES + 7 * np.arange(8)[:, None], rope=0.2).probabilities == pytest.approx(test.probabilities, abs=1e-9)
    losses = BayesianMultilevel(-SCORES, rope=0.2, higher_is_better=False)
    assert losses.probabilities == pytest.approx(test.probabilities, abs=1e-12)
    back = BayesianMultilevel(SCORES[:, ::-1], rope=0.2)
    assert back.probabilities[::-1][[0, 1, 3, 2, 4, 5]][[0]] == pytest.approx(test.probabilities[[0]][:, ::-1], abs=1e-9)


def decided_for_a_winner(k, n, tables, spreads=1.0):
    """In which share of tables of k methods that are all alike somebody is said to be better."""
    test = BayesianMultilevel(np.random.default_rng([k, n]).normal(size=(n, k, tables)) * spreads, rope=0)
    return float(test.decided[:, [0, 2]].any((0, 1)).mean())


@pytest.mark.complete
@parametrize("k, n", (3, 10), (12, 10), *(pytest.param(k, n, marks=pytest.mark.slow) for k, n in ((5, 10), (5, 40), (12, 40))))
def test_among_methods_that_are_alike_few_winners_are_found(k, n):
    """With all pairs looked at, at 0.95 each, and no correction but the model's."""
    assert decided_for_a_winner(k, n, 400) == pytest.approx(0.05, abs=4 * np.sqrt(0.05 * 0.95 / 400))


@pytest.mark.slow
@pytest.mark.parametrize(("k", "n", "share"), [(5, 10, 0.092), (12, 40, 0.128)])
def test_unequal_spreads_find_more(k, n, share):
    spreads = np.linspace(0.2, 2, k)[:, None]
    assert decided_for_a_winner(k, n, 400, spreads) == pytest.approx(share, abs=4 * np.sqrt(2 * share * (1 - share) / 400))


@pytest.mark.slow
@pytest.mark.parametrize(("k", "n"), [(3, 40), (5, 10), (12, 10)])
def test_intervals_hold_as_often_as_it_is_said(k, n):
    rng = np.random.default_rng([1, k, n])
    beta = rng.normal(0, 0.3, (k, 200))
    test = BayesianMultilevel(rng.normal(size=(n, k, 200)) + beta, rope=0)
    first, second = np.triu_indices(k, 1)
    assert 0.91 < ((test.low <= beta[first] - beta[second]) & (beta[first] - beta[second] <= test.high)).mean() < 0.98


@parametrize(
    "scores, says",
    (np.ones((3, 3)), "There are no residuals"),
    (np.arange(3.0) + np.zeros((4, 3)), "There are no residuals"),
    ([[0.1 + 0.2, 0.3], [0.6, 0.6]], "There are no residuals"),
    ([[1, 2], [2, 1]], ""),
    ([[1e299, 2e299], [2e299, 1e299]], ""),
)
def test_degenerate_tables_get_an_answer(scores, says):
    for rope in (0.0, 0.5, float("inf")):
        test = BayesianMultilevel(scores, rope=rope)
        for name in ("kept", "shrunk", "estimates", "low", "high", "probabilities"):
            assert np.isfinite(getattr(test, name)).all()
        assert test.probabilities.sum(1) == pytest.approx(1)
        assert says in test.conclusion
        assert "nan" not in test.conclusion
        assert test.plot().svg()


def test_what_only_shrinks_is_not_decided_for():
    """One method of twelve is ahead by luck: alone its pair would be decided for."""
    found = 0
    for seed in range(20):
        scores = np.random.default_rng(seed).normal(size=(10, 12))
        best, worst = scores.mean(0).argmax(), scores.mean(0).argmin()
        alone = fstats.BayesianSignedRank(scores[:, best], scores[:, worst], rope=0, draws=1000)
        together = BayesianMultilevel(scores, rope=0)
        assert not together.decided[:, [0, 2]].any() or alone.decided.any()
        found += bool(alone.decided.any()) and not together.decided[:, [0, 2]].any()
    assert found >= 15


def test_sentence_report_and_picture():
    test = BayesianMultilevel(SCORES + np.array([3, 0, 0, 0]), rope=0.1, labels=["one", "two", "three", "four"])
    assert test.conclusion.startswith("Best first: one, ")
    assert "better by more than 0.1 in mean score: one than " in test.conclusion
    assert fstats.report(test).text.startswith(
        "Bayesian multilevel comparison (composed in fstats, not published): rope 0.1 either way, k = 4 classifiers, n"
    )
    picture = test.plot()
    assert next(mark.words for mark in picture.marks if isinstance(mark, Label)).startswith("one - ")
    (points,) = [mark for mark in picture.marks if isinstance(mark, Points)]
    assert (points.x >= 0).all()


@pytest.mark.complete
def test_more_nodes_change_nothing(monkeypatch):
    from fstats.procedures.bayes import multilevel_posterior

    for scores in (SCORES, np.random.default_rng(1).normal(size=(40, 16)) + np.linspace(0, 1, 16), SCORES[:2], SCORES * [1, 1, 1, 50]):
        test = BayesianMultilevel(scores, rope=0.1)
        found = np.c_[test.probabilities, test.low, test.high]
        with monkeypatch.context() as patched:
            patched.setattr(multilevel_posterior, "NODES", 400)
            patched.setattr(multilevel_posterior, "NEGLIGIBLE_EXPONENT", 36.0)
            again = BayesianMultilevel(scores, rope=0.1)
            assert found == pytest.approx(np.c_[again.probabilities, again.low, again.high], abs=3e-8)


def test_where_all_tie_nobody_comes_first():
    assert BayesianMultilevel(np.ones((4, 3)), rope=0.5).conclusion.startswith(
        "No classifier is better than another. With probability 0.95 or more"
    )
    assert BayesianMultilevel(SCORES, rope=0.1).conclusion.startswith("Best first: ")
