"""The hierarchical comparison: the model's formula in plain loops, a sampler, limits, what odd data are answered, and the ways in."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import signal, special, stats
from shortcuts import assert_raises

import fstats
from fstats import BayesianCorrelatedT, BayesianHierarchical
from fstats.plot.drawing.picture_marks import Area, Label, Line, Points
from fstats.procedures.bayes.hierarchical.data_set_likelihood import SplitLikelihood, log_marginal_likelihoods
from fstats.procedures.bayes.hierarchical.next_data_set_probabilities import expected_shares, most_probable_region
from fstats.procedures.bayes.hierarchical.population_posterior import df_prior_nodes
from fstats.procedures.bayes.hierarchical.quadrature_grid import QuadratureGrid, panel_nodes, refined_nodes

TWO = [[33, 23, 24, 17, 10], [27, 43, 30, 51, 30]]  # in thousandths, as all data here
SIX = [[-17, -20, 17, -4, 33], [29, 28, 26, 38, 19], [22, -7, -1, -9, 13], [4, -12, 40, -3, 2], [16, 40, 6, 22, 11], [-12, 29, 33, 10, 14]]
FIVE = [
    [4, 4, 24, 15, 45, -18, 17, 0, 32, -23],
    [6, 16, -16, 31, 15, 31, 30, -6, -3, 8],
    [25, 27, -3, -1, -5, 0, 6, 8, 50, 1],
    [5, 19, -8, 3, 11, 25, -15, 36, 4, 14],
    [23, 20, 27, 11, 7, 13, -12, 30, -7, -17],
]
# By `sampled` below, 256 chains of 12,000 sweeps: expected shares, probabilities, mean of mu_0, means of the mu_i; and standard errors.
SAMPLED = [
    (
        TWO,
        0.2,
        [*(0.219879, 0.100958, 0.679164, 0.192596, 0.0118346, 0.795569, 0.0175974), *(0.0225583, 0.0337877)],
        [0.00044, 0.00013, 0.00049, 0.0006, 0.0001, 0.00061, 3.6e-05, 2e-05, 2.3e-05],
    ),
    (
        SIX,
        0.2,
        [
            *(0.0591974, 0.253562, 0.687241, 0.0233766, 0.153728, 0.822896, 0.0149515),
            *(0.0118318, 0.0228097, 0.0108231, 0.0126724, 0.0169911, 0.0152562),
        ],
        [0.00019, 0.00041, 0.00053, 0.00018, 0.00051, 0.00057, 1.5e-05, 2.4e-05, 1.7e-05, 2.3e-05, 2.2e-05, 1.6e-05, 1.9e-05],
    ),
    (
        FIVE,
        0.1,
        [
            *(0.0228689, 0.466797, 0.510334, 0.00719629, 0.459581, 0.533223, 0.0101459),
            *(0.0101218, 0.0104271, 0.0103085, 0.00992504, 0.00998216),
        ],
        [0.00011, 0.00046, 0.00047, 9.8e-05, 0.00062, 0.00062, 7.1e-06, 9e-06, 8.5e-06, 8.5e-06, 8.4e-06, 8.1e-06],
    ),
]


def found_in(test):
    """The figures of `sampled`, by quadrature."""
    (one,) = test.population.posteriors
    middle = (one.fine.weights.sum((1, 2)) * one.fine.m).sum() * one.unit
    return np.r_[test.expected, test.probabilities, middle, test.shrunk]


def test_no_probability_leaves_0_and_1():
    """Whatever the weights add up to: of a dozen data sets they come to 1 and the noise of rounding."""
    (one,) = BayesianHierarchical(np.array(TWO) / 1000, rho=0.2, rope=0.01).population.posteriors
    grid = replace(one.fine, weights=2 * one.fine.weights)
    for shares in (expected_shares(grid, 1e-9), most_probable_region(grid, 1e-9)):
        assert 0 <= shares.min() < shares.max() == 1
    assert replace(one, fine=grid).at_most(1.0) == 1


@pytest.mark.complete
@pytest.mark.parametrize(("d", "rho", "mean", "se"), SAMPLED)
def test_a_sampler_finds_the_same(d, rho, mean, se):
    test = BayesianHierarchical(np.array(d) / 1000, rho=rho, rope=0.01)
    assert (np.abs(found_in(test) - mean) < 4 * np.array(se)).all()


def sampled(d, rho, rope, sweeps, chains, seed):
    """Metropolis steps for each mu_i, sigma_i, mu_0, sigma_0, df, shape and rate in turn, many chains at a time: means, standard errors."""
    rng, (q, n) = np.random.default_rng(seed), d.shape
    means, squares, sds = d.mean(1), ((d - d.mean(1)[:, None]) ** 2).sum(1), d.std(1, ddof=1)
    most_sd, most_scale, most = 1000 * sds.mean(), 1000 * means.std(ddof=1), np.abs(d).max()

    def normal(i, mu, sd):  # the logarithm of the density of the splits of data set i
        return -n * np.log(sd) - (n * (means[i] - mu) ** 2 / (1 + (n - 1) * rho) + squares[i] / (1 - rho)) / (2 * sd**2)

    def student(mu, m, s, y):
        return stats.t.logpdf(mu, 1 + y, m, s) if np.ndim(mu) == 1 else stats.t.logpdf(mu, 1 + y, m, s).sum(0)

    def gamma(y, a, b):
        return stats.gamma.logpdf(y, a, scale=1 / b)

    def step(old, new, gain):
        return np.where(np.log(rng.random(chains)) < gain, new, old)

    mu, sd = np.repeat(means[:, None], chains, 1), np.repeat(sds[:, None], chains, 1)
    m, s, y = np.full(chains, means.mean()), np.full(chains, means.std()), np.full(chains, 10.0)
    a, b, out = np.full(chains, 2.0), np.full(chains, 0.1), []
    for sweep in range(sweeps + sweeps // 4):
        for i in range(q):
            new = mu[i] + 0.5 * sds[i] * rng.normal(size=chains)
            mu[i] = step(mu[i], new, normal(i, new, sd[i]) + student(new, m, s, y) - normal(i, mu[i], sd[i]) - student(mu[i], m, s, y))
            new = sd[i] * np.exp(0.4 * rng.normal(size=chains))
            sd[i] = step(
                sd[i], new, np.where(new < most_sd, normal(i, mu[i], new) - normal(i, mu[i], sd[i]) + np.log(new / sd[i]), -np.inf)
            )
        new = m + s * rng.normal(size=chains) * rng.choice([0.1, 1.0], chains)
        m = step(m, new, np.where(np.abs(new) < most, student(mu, new, s, y) - student(mu, m, s, y), -np.inf))
        new = s * np.exp(rng.normal(size=chains) * rng.choice([0.3, 1.0], chains))
        s = step(s, new, np.where(new < most_scale, student(mu, m, new, y) - student(mu, m, s, y) + np.log(new / s), -np.inf))
        new = y * np.exp(1.2 * rng.normal(size=chains))
        y = step(y, new, student(mu, m, s, new) + gamma(new, a, b) - student(mu, m, s, y) - gamma(y, a, b) + np.log(new / y))
        new = rng.uniform(0.5, 5, chains)
        a = step(a, new, gamma(y, new, b) - gamma(y, a, b))
        new = rng.uniform(0.05, 0.15, chains)
        b = step(b, new, gamma(y, a, new) - gamma(y, a, b))
        ratio = np.exp(0.5 * rng.normal(size=chains))  # all mu_i towards mu_0, with sigma_0, or where that is small nothing moves
        new = m + (mu - m) * ratio
        gain = sum(normal(i, new[i], sd[i]) - normal(i, mu[i], sd[i]) for i in range(q)) + np.log(ratio)
        took = np.log(rng.random(chains)) < np.where(s * ratio < most_scale, gain, -np.inf)
        mu, s = np.where(took, new, mu), np.where(took, s * ratio, s)
        if sweep >= sweeps // 4:
            worse, better = special.stdtr(1 + y, (-rope - m) / s), special.stdtr(1 + y, (m - rope) / s)
            shares = np.array([worse, 1 - worse - better, better])
            out.append(np.r_[shares, shares.argmax(0) == np.arange(3)[:, None], m[None], mu])
    chain_means = np.mean(out, 0)
    return chain_means.mean(1), chain_means.std(1, ddof=1) / np.sqrt(chains)


@pytest.mark.slow
@pytest.mark.parametrize(("d", "rho", "mean", "se"), SAMPLED[:2])
def test_the_sampler_finds_them_again(d, rho, mean, se):
    test = BayesianHierarchical(np.array(d) / 1000, rho=rho, rope=0.01)
    again, error = sampled(np.array(d) / 1000, rho, 0.01, 3000, 128, 5)
    assert (np.abs(found_in(test) - again) < 4.5 * error).all()
    assert (np.abs(again - mean) < 4.5 * np.hypot(error, se)).all()


# -- the model's formula -----------------------------------------------------------------------------------------------------------
def test_the_integrals_of_one_data_set_by_two_dimensions():
    """The density of three correlated splits, integrated over mu and sigma, relative to that of another population."""
    d, rho, bound = np.array([0.3, 1.1, 0.7]), 0.2, 8.0
    splits = SplitLikelihood(np.array([3.0]), d.mean(keepdims=True), d.std(ddof=1, keepdims=True), rho, bound)
    inverse = np.linalg.inv((1 - rho) * np.eye(3) + rho)
    steps = np.r_[-np.logspace(4, -3, 36), np.logspace(-3, 4, 36)]
    sd, weights = panel_nodes(np.geomspace(1e-3, bound, 25), 8)

    def both(m, s, df):
        mu, own = panel_nodes(np.unique(np.r_[0.7 + steps, m + steps]), 8)
        away = d[:, None] - mu
        square = np.einsum("im,ij,jm->m", away, inverse, away)
        heights = (sd[:, None] ** -3 * np.exp(-square / (2 * sd[:, None] ** 2))).T @ weights * stats.t.pdf(mu, df, m, s) * own
        return heights.sum(), heights @ mu

    base, first = both(0.0, 1.0, 3.0)
    at, mean = log_marginal_likelihoods(splits, np.array([0.0]), 1.0, np.array([3.0]))
    assert mean[0, 0, 0] + d.mean() == pytest.approx(first / base, abs=1e-5)
    for m, s, df in ((1.0, 0.5, 1.5), (-2.0, 2.0, 9.0)):
        other, _ = log_marginal_likelihoods(splits, np.array([m]), s, np.array([df]))
        whole, _ = both(m, s, df)
        assert np.exp(other - at)[0, 0, 0] == pytest.approx(whole / base, rel=1e-5)


@pytest.mark.parametrize("n", [1, 2, 4, 9])
def test_the_likelihood_of_a_mean_is_an_integral_over_sigma(n):
    """Up to a factor; with a bound of sigma that the splits nearly reach."""
    rho, sd, bound, away = 0.2, 0.4 * (n > 1), 0.7, np.array([0.1, 0.5, 1.0, 2.0])
    splits = SplitLikelihood(np.array([float(n)]), np.zeros(1), np.array([sd]), rho, bound)
    sigma, weights = panel_nodes(np.geomspace(1e-3, bound, 40), 12)
    squares = n * away**2 / (1 + (n - 1) * rho) + (n - 1) * sd**2 / (1 - rho)
    heights = np.log(sigma**-n * np.exp(-squares[:, None] / (2 * sigma**2)) @ weights)
    found = splits.log_likelihood(np.array([0]), away[None])[0]
    assert found - found[0] == pytest.approx(heights - heights[0], abs=1e-6)


@pytest.mark.parametrize("n", [1, 2, 3, 10])
@pytest.mark.parametrize(("m", "s", "df"), [(0.1, 0.05, 3.0), (2.0, 1.0, 1.1), (9.0, 0.3, 4.0), (0.3, 25.0, 30.0)])
def test_the_integral_by_many_panels(n, m, s, df):
    """Panels that shrink towards both peaks, wherever they are; each peak is far narrower than what lies between their cuts."""
    splits = SplitLikelihood(np.array([float(n)]), np.array([0.1]), np.array([1.0]), 0.1, 1000.0)
    steps = np.r_[-np.logspace(5, -8, 79), np.logspace(-8, 5, 79)]
    mu, weights = panel_nodes(np.unique(np.r_[0.1 + steps, m + s * steps]), 12)
    heights = np.exp(splits.log_likelihood(np.array([0]), (mu - 0.1)[None])[0]) * stats.t.pdf(mu, df, m, s)
    found = np.exp(log_marginal_likelihoods(splits, np.array([m]), s, np.array([df]))[0])[0, 0, 0]
    assert found == pytest.approx(heights @ weights, rel=5e-5)


def by_loops(d, rho, rope, reach):
    """Posterior on a dense grid, straight from the model: sums over sigma, mu, df, sigma_0 and mu_0; shares, and means of the mu_i.

    What a population gives to the cells of mu is the same for each mu_0, but for a shift: a sum over mu is a convolution.
    """
    q, n = d.shape
    inverse = np.linalg.inv((1 - rho) * np.eye(n) + rho)
    cell, most = reach / 200, 800  # cells of mu and mu_0
    sd, mu = np.geomspace(1e-3, 1, 120), cell * np.arange(-most, most + 1)
    m = mu[abs(mu) < reach * (1 + 1e-9)]
    likelihood = []
    for row in d:
        away = row[:, None] - mu
        square = np.einsum("im,ij,jm->m", away, inverse, away)
        likelihood.append((sd[:, None] ** (1 - n) * np.exp(-square / (2 * sd[:, None] ** 2))).sum(0))  # d sigma is sigma d log sigma
    likelihood = np.array(likelihood) / np.max(likelihood, axis=1, keepdims=True)
    lists = np.concatenate([likelihood, likelihood * mu])
    edges = cell * (np.arange(-most - 200, most + 202) - 0.5)  # of the cells, seen from a mu_0
    y = np.geomspace(1e-3, 300, 24)
    a, b = np.linspace(0.5, 5, 46)[:, None], np.linspace(0.05, 0.15, 21)
    prior = np.array([stats.gamma.pdf(at, a, scale=1 / b).mean() * at for at in y])
    total, shares, wins, means = 0.0, np.zeros(3), np.zeros(3), np.zeros(q)
    for df, weight in zip(1 + y, prior):
        for scale in np.geomspace(1e-5, 1000 * d.mean(1).std(ddof=1), 64):
            kernel = np.diff(special.stdtr(df, edges / scale))
            sums = signal.fftconvolve(lists, kernel[None], mode="full", axes=1)
            own, moments = sums[:, most + 200 + most - 200 : most + 200 + most + 201].reshape(2, q, -1)
            own = np.maximum(own, 1e-300)
            post = own.prod(0) * weight * scale
            post[[0, -1]] /= 2
            worse, better = special.stdtr(df, (-rope - m) / scale), special.stdtr(df, (m - rope) / scale)
            three = np.array([worse, 1 - worse - better, better])
            total += post.sum()
            shares += three @ post
            wins += [post[three.argmax(0) == k].sum() for k in range(3)]
            means += (moments / own) @ post
    return shares / total, wins / total, means / total


@pytest.mark.complete
def test_two_data_sets_in_plain_loops():
    d = np.array(TWO) / 1000
    test = BayesianHierarchical(d, rho=0.2, rope=0.02, reach=0.06)
    shares, wins, means = by_loops(d, 0.2, 0.02, 0.06)
    np.testing.assert_allclose(test.expected, shares, atol=5e-4)
    np.testing.assert_allclose(test.probabilities, wins, atol=1e-3)  # that grid counts its nodes
    np.testing.assert_allclose(test.shrunk, means, atol=1e-5)


@pytest.mark.complete
def test_without_noise_it_is_a_fit_of_student_to_the_means():
    x = np.array([0.01, 0.03, -0.02, 0.015, 0.02, 0.16, 0.0, 0.012])
    test = BayesianHierarchical.from_steps(n=[50] * 8, means=x, sds=[1e-9] * 8, rho=0.1, rope=0.01, mean_bound=0.2)
    df, weights = df_prior_nodes((0.5, 5.0), (0.05, 0.15), 24)
    m, s = np.linspace(-0.2, 0.2, 401)[:, None, None], np.geomspace(1e-4, 1, 80)[:, None]
    height = special.gammaln((df + 1) / 2) - special.gammaln(df / 2) - np.log(df) / 2
    squares = sum(np.log1p(((one - m) / s) ** 2 / df) for one in x)
    heights = np.exp(8 * height - (df + 1) / 2 * squares) * s**-7 * weights  # d sigma_0 is sigma_0 d log sigma_0
    worse, better = special.stdtr(df, (-0.01 - m) / s), special.stdtr(df, (m - 0.01) / s)
    shares = np.array([worse, 1 - worse - better, better])
    np.testing.assert_allclose(test.expected, (shares * heights).sum((1, 2, 3)) / heights.sum(), atol=2e-4)
    np.testing.assert_allclose(test.shrunk, x, atol=1e-8)
    reached = heights.sum((1, 2)).cumsum() / heights.sum()
    np.testing.assert_allclose(test.credible, m.ravel()[reached.searchsorted([0.025, 0.975])], atol=7e-4)


@pytest.mark.complete
def test_intervals_hold_what_they_say():
    """Each end by the likelihood times what the others say, summed over a grid with other nodes."""
    d = np.array(SIX) / 1000
    test = BayesianHierarchical(d, rho=0.2, rope=0.01, nodes=3, alpha=0.1)
    (one,) = test.population.posteriors
    grid, splits = one.fine, one.splits
    mu = np.linspace(-0.1, 0.12, 1000) / one.unit
    for i in (1,):
        density = np.zeros(len(mu))
        for k in range(len(grid.s)):
            t = stats.t.pdf((mu[:, None, None] - grid.m[:, None]) / grid.s[k], grid.df) / grid.s[k]
            density = density + (t * (grid.weights[:, k] / np.exp(grid.logs[i][:, k]))).sum((1, 2))
        density = density * np.exp(splits.log_likelihood(np.array([i]), (mu - splits.mean[i])[None])[0])
        reached = (np.cumsum(density) - density / 2) / density.sum()
        ends = np.interp([0.05, 0.95], reached, mu) * one.unit
        assert [test.shrunk_low[i], test.shrunk_high[i]] == pytest.approx(ends, abs=8e-5)


def test_the_prior_of_the_degrees_of_freedom():
    df, weights = df_prior_nodes((0.5, 5.0), (0.05, 0.15), 24)
    assert weights.sum() == pytest.approx(1, abs=1e-12)
    drawn = np.random.default_rng(0)
    y = drawn.gamma(drawn.uniform(0.5, 5, 400_000), 1 / drawn.uniform(0.05, 0.15, 400_000))
    for function in (np.tanh, lambda x: 1 / (1 + x), lambda x: np.exp(-x / 20)):
        assert (function(df - 1) * weights).sum() == pytest.approx(function(y).mean(), abs=3e-3)


@pytest.mark.complete
def test_more_nodes_change_less_than_is_said():
    d = np.array(FIVE) / 1000
    fine = BayesianHierarchical(d, rho=0.1, rope=0.01, nodes=8).probabilities
    for nodes in (3, 5):
        test = BayesianHierarchical(d, rho=0.1, rope=0.01, nodes=nodes)
        assert (np.abs(test.probabilities - fine) <= test.grid_error + 1e-6).all()
        assert test.grid_error.max() < {3: 5e-3, 5: 3e-4}[nodes]


def test_a_polynomial_in_panels_is_integrated_as_one():
    edges = np.array([-1.0, 0.5, 2.0, 3.0])
    m, w = panel_nodes(edges, 4)
    weights = w * (m**3 + 10)
    grid = QuadratureGrid(edges, np.array([0.0, 1.0]), m, np.array([0.5]), np.array([3.0]), weights[:, None, None])
    for x in (-2.0, -1.0, 0.1, 2.0, 2.7, 3.0, 9.0):
        at = np.clip(x, -1, 3)
        assert grid.cdf(x)[0, 0] == pytest.approx((at**4 - 1) / 4 + 10 * (at + 1), abs=1e-12)
    finer, matrix = refined_nodes(edges, 4, [0.7, 2.2, 55.0])
    assert (finer**2 @ (matrix @ weights)) == pytest.approx((m**2 * weights).sum())  # of degree 5, which four nodes integrate
    assert len(finer) == 20


# -- signs, units, odd data -----------------------------------------------------------------------------------------------------------
def test_the_other_way_round_and_in_another_unit():
    d = np.array(SIX) / 1024
    test, turned = BayesianHierarchical(d, rho=0.2, rope=2**-7, nodes=3), BayesianHierarchical(-d, rho=0.2, rope=2**-7, nodes=3)
    for name in ("expected", "probabilities", "grid_error"):
        np.testing.assert_allclose(getattr(turned, name), getattr(test, name)[::-1], rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(turned.shrunk, -test.shrunk, rtol=1e-9)
    np.testing.assert_allclose(turned.shrunk_low, -test.shrunk_high, rtol=1e-9)
    np.testing.assert_allclose(turned.credible, [-test.credible.high, -test.credible.low], rtol=1e-9)
    assert turned.population.at_most(-0.01) == pytest.approx(1 - test.population.at_most(0.01), abs=1e-9)
    large = BayesianHierarchical(d * 2**40, rho=0.2, rope=2**33, nodes=3)
    assert (large.probabilities.tolist(), large.shrunk.tolist()) == (test.probabilities.tolist(), (test.shrunk * 2**40).tolist())


EQUAL, ENDLESS = "they have no spread to estimate random variation", "the posterior favours no value"
ODD = [
    ([[0, 0], [0, 0]], 0, [0, 1, 0], EQUAL),
    ([[0.02, 0.02]], 0.01, [0, 0, 1], EQUAL),
    ([[-0.02], [-0.02]], 0.01, [1, 0, 0], EQUAL),
    ([[0.01, 0.01]], 0.01, [0, 1, 0], EQUAL),
    ([[0.02]], 0.01, [0.5, 0, 0.5], ENDLESS),
    ([[0.02]], np.inf, [0, 1, 0], ENDLESS),
    ([[0.02, 0.03, 0.01]], 0.01, None, "There is only one data set: the results for other data sets come from the prior."),
    ([[0.02], [0.03], [-0.01]], 0.01, None, "With one split each"),
    ([[0.01, -0.01], [0.02, -0.02]], 0, [0.5, 0, 0.5], "All means are equal"),
    (
        [[0.02, 0.02], [0.03, 0.03], [0.01, 0.01]],
        0.01,
        None,
        "On 3 of 3 data sets all differences are equal: their standard deviation is set to a thousandth of that of the means",
    ),
    (
        [[0, 0, 0], [0.01, 0.02, 0.03], [0, -0.01, 0.02]],
        0.01,
        None,
        "On 1 of 3 data sets all differences are equal: their standard deviation is set to a thousandth of the mean one",
    ),
    ([[1e-300, 2e-300], [3e-300, 5e-300]], 0.01, [0, 1, 0], ""),
    ([[1, 2], [1e9, 2e9]], np.inf, [0, 1, 0], "With an infinite rope"),
]


@pytest.mark.parametrize(("d", "rope", "expected", "reason"), ODD)
def test_odd_data_are_answered(d, rope, expected, reason):
    test = BayesianHierarchical(d, rho=0.2, rope=rope, nodes=3)
    if expected is not None:
        np.testing.assert_allclose(test.probabilities, expected, atol=1e-6)
    assert (test.probabilities.sum(), test.expected.sum()) == (pytest.approx(1), pytest.approx(1))
    assert reason in test.conclusion
    for alpha in (0.05, 0.4):
        wide = BayesianHierarchical(d, rho=0.2, rope=rope, nodes=3, alpha=alpha)
        assert ((wide.shrunk_low <= wide.shrunk) & (wide.shrunk <= wide.shrunk_high)).all()
    for text in (repr(test), test.to_latex(), test._repr_html_(), test.plot().text, test.plot().svg(), fstats.report(test).text):
        assert "nan" not in text


def test_noisy_means_are_drawn_farther():
    rng = np.random.default_rng(3)
    noise = np.array([0.005] * 8 + [0.06])[:, None] * rng.normal(size=(9, 10))
    d = noise - noise.mean(1, keepdims=True) + np.array([0.0, 0.01, 0.02, 0.0, 0.01, 0.02, 0.005, 0.05, 0.05])[:, None]
    test = BayesianHierarchical(d, rho=0.1, rope=0.01, nodes=3)
    drawn = test.means - test.shrunk
    assert 0 < drawn[7] < 0.01 < drawn[8]  # the same mean, but one of them is noise for the most part
    assert ((test.shrunk_low < test.shrunk) & (test.shrunk < test.shrunk_high)).all()


# -- ways in, words, errors --------------------------------------------------------------------------------------------------------------
def test_results_bring_folds_and_names():
    scores = np.random.default_rng(1).normal(0.8, 0.02, (4, 3, 5))
    results = fstats.Results(scores, classifiers=["forest", "tree", "bayes"], data_sets=["iris", "wine", "heart", "glass"])
    test = BayesianHierarchical.from_results(results, labels=["tree", "forest"], rho=0.2, rope=0.01, nodes=3)
    plain = BayesianHierarchical(scores[:, 1] - scores[:, 0], rho=0.2, rope=0.01, nodes=3)
    assert (test.sides, test.data_sets.tolist()) == (("tree", "forest"), ["iris", "wine", "heart", "glass"])
    np.testing.assert_allclose(test.probabilities, plain.probabilities, rtol=1e-9)
    assert "heart" in repr(test)
    losses = fstats.Results(-scores, classifiers=results.classifiers, higher_is_better=False)
    again = BayesianHierarchical.from_results(losses, labels=["tree", "forest"], rho=0.2, rope=0.01, nodes=3)
    np.testing.assert_allclose(again.probabilities, plain.probabilities, rtol=1e-9)
    words = r"`labels` must name two classifiers, because `results` has 3: forest, tree, bayes"
    assert_raises(lambda: BayesianHierarchical.from_results(results, rho=0.2, rope=0.01), words)
    with pytest.raises(TypeError, match=r"`rho`, .*, must be stated"):
        BayesianHierarchical.from_results(results, labels=["tree", "forest"], rope=0.01)


def test_data_sets_may_have_different_numbers_of_folds():
    import pandas as pd

    lines = [(name, fold, 0.8 + 0.01 * fold + shift, 0.8) for name, k, shift in (("iris", 5, 0.0), ("wine", 3, 0.02)) for fold in range(k)]
    frame = pd.DataFrame(lines, columns=["data set", "fold", "forest", "tree"])
    test = BayesianHierarchical.from_results(fstats.Results.from_frame(frame), rho=0.2, rope=0.01, nodes=3)
    assert test.n.tolist() == [5, 3]
    np.testing.assert_allclose(test.means, [0.02, 0.03])
    np.testing.assert_allclose(test.sds, [0.01 * 2.5**0.5, 0.01])
    assert (float(test.mean_bound), test.probabilities.sum()) == (pytest.approx(0.04), pytest.approx(1))


def test_cross_validate_tells_scores_and_correlation():
    from sklearn.datasets import load_iris
    from sklearn.model_selection import KFold, RepeatedKFold, ShuffleSplit, cross_validate
    from sklearn.naive_bayes import GaussianNB
    from sklearn.tree import DecisionTreeClassifier

    X, y = load_iris(return_X_y=True)

    def pair(cv, **more):
        return [cross_validate(model, X, y, cv=cv, **more) for model in (GaussianNB(), DecisionTreeClassifier(max_depth=1))]

    folds = KFold(5, shuffle=True, random_state=0)
    a, b = pair(folds)
    test = BayesianCorrelatedT.from_cross_validate(a, b, cv=folds, rope=0.01, labels=["bayes", "stump"])
    assert (test.rho, test.n, test.sides) == (0.2, 5, ("bayes", "stump"))
    np.testing.assert_allclose(test.d, a["test_score"] - b["test_score"])
    assert BayesianCorrelatedT.from_cross_validate(a, b, cv=5, rope=0.01).rho == 0.2
    assert BayesianCorrelatedT.from_cross_validate(a, b, rope=0.01, rho=0.3).rho == 0.3
    repeated = RepeatedKFold(n_splits=5, n_repeats=2, random_state=0)
    found = BayesianCorrelatedT.from_cross_validate(*pair(repeated), cv=repeated, rope=0.01)
    assert (found.n, found.rho) == (10, 0.2)
    random = ShuffleSplit(4, test_size=0.3, random_state=0)
    assert BayesianCorrelatedT.from_cross_validate(*pair(random), cv=random, rope=0.01).rho == 0.3
    kept = pair(random, return_indices=True)
    assert BayesianCorrelatedT.from_cross_validate(*kept, rope=0.01).rho == pytest.approx(0.3)
    other = pair(ShuffleSplit(4, test_size=0.3, random_state=1), return_indices=True)
    with pytest.raises(ValueError, match="both models must be scored on the same splits"):
        BayesianCorrelatedT.from_cross_validate(kept[0], other[1], rope=0.01)
    assert_raises(lambda: BayesianCorrelatedT.from_cross_validate(a, b, rope=0.01), "needs the share of test records. Pass `cv`")
    with pytest.raises(ValueError, match=r"`cv` must be the splitter of the .* splits, or its number of folds, a divisor of .*; got 3"):
        BayesianCorrelatedT.from_cross_validate(a, b, cv=3, rope=0.01)
    with pytest.raises(ValueError, match=r"`a` must hold the key 'test_f1'; got test_score"):
        BayesianCorrelatedT.from_cross_validate(a, b, cv=5, score="test_f1", rope=0.01)
    with pytest.raises(TypeError, match=r"`a` must be the output of scikit-learn's cross_validate; got list"):
        BayesianCorrelatedT.from_cross_validate([0.9], b, cv=5, rope=0.01)


@pytest.mark.complete
def test_what_is_found_is_said_and_drawn():
    test = BayesianHierarchical(np.array(SIX) / 1000, rho=0.2, rope=0.01, labels=["forest", "tree"], nodes=4)
    assert test.conclusion.startswith("The most probable outcome on the next data set like these is, with probability 0.82")
    assert "Computed on a grid; with half its nodes no probability changes by more than 0.001." in test.conclusion
    assert "With probability 0.95 the mean of such data sets lies between" in test.conclusion
    picture = test.plot()
    assert "500 random points of probabilities of the regions" in picture.text
    shares = np.array([len(mark.x) for mark in picture.legend]) / 500
    assert shares == pytest.approx(test.probabilities, abs=4 * 0.5 / 500**0.5)
    np.testing.assert_allclose(test.posterior.draws(4000, 1).mean(1), test.expected, atol=0.02)
    assert fstats.report(test).text.startswith(
        "We compared forest against tree with the Bayesian hierarchical comparison (Corani et al., 2017): rope 0.01 either way, "
        "correlation 0.2,"
    )


def test_the_picture_of_shrinkage_shows_what_was_found():
    test = BayesianHierarchical(np.array(TWO) / 1000, rho=0.2, rope=0.01, nodes=3, data_sets=["iris", "wine and other liquids"])
    picture = fstats.plot.shrinkage(test)
    rope, first, second = (mark for mark in picture.marks if isinstance(mark, (Area, Line)))
    assert (rope.x.tolist(), [first.x, second.x]) == ([-0.01, 0.01], list(zip(test.shrunk_low, test.shrunk_high)))
    shown = {mark.label: mark for mark in picture.marks if isinstance(mark, Points)}
    assert shown["mean of its splits"].x.tolist() == test.means.tolist()
    assert shown["expected true mean"].x.tolist() == test.shrunk.tolist()
    assert shown["expected true mean"].y.tolist() == [first.y[0], second.y[0]] == [2, 1]  # the first data set at the top
    assert [mark.words for mark in picture.marks if isinstance(mark, Label)] == ["iris", "wine and othe…"]
    assert "wine and other liquids: 0.0362, expected 0.03" in picture.text
    wide = fstats.plot.shrinkage(test.assuming(rope=np.inf))
    assert "a rope without an end" in wide.text
    assert np.isfinite(wide.marks[0].x).all()
    endless = fstats.plot.shrinkage(BayesianHierarchical([[0.02]], rho=0, rope=0))
    assert all(np.isfinite(mark.x).all() for mark in endless.marks)
    with pytest.raises(TypeError, match=r"shrinkage\(\) needs a BayesianHierarchical, which estimates the mean of each data set; got P"):
        fstats.plot.shrinkage(fstats.PairedT([1, 2], [3, 5]))
    with pytest.raises(ValueError, match=r"Choose one repetition, such as fstats.plot.shrinkage\(test.at\(0\)\)"):
        fstats.plot.shrinkage(BayesianHierarchical(np.ones((2, 2, 2)), rho=0.2, rope=0))
