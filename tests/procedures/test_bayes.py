"""Bayesian comparisons: closed forms, plain loops, baycomp's figures, what degenerate data are answered, how the draws stray."""

import re
from itertools import product
from math import factorial, gamma

import numpy as np
import pytest
from scipy import integrate, special, stats
from shortcuts import assert_each_raises, assert_raises

import fstats
from fstats import BayesianCorrelatedT, BayesianSignedRank, BayesianSignTest
from fstats.plot import by_rope
from fstats.procedures.bayes.posterior_distributions import gamma_maximum_probabilities
from fstats.procedures.resampling.split_scores.split_scores import Scores

# The arrays of baycomp's own tests (tests/test_multiple.py, version 1.0.3), and the scores of Demsar (2006), Table 6, C4.5 and C4.5+m.
X, Y = [15, 16, 17, 24, 11, 12, 13, 14], [10, 13, 15, 24, 15, 82, 83, 84]
C45 = [0.763, 0.599, 0.954, 0.628, 0.882, 0.936, 0.661, 0.583, 0.775, 1.0, 0.94, 0.619, 0.972, 0.957]
C45_M = [0.768, 0.591, 0.971, 0.661, 0.888, 0.931, 0.668, 0.583, 0.838, 1.0, 0.962, 0.666, 0.981, 0.978]
U, V = [0.94, 0.91, 0.95, 0.90, 0.93, 0.96, 0.92, 0.94, 0.91, 0.95], [0.92, 0.90, 0.95, 0.91, 0.90, 0.93, 0.92, 0.92, 0.90, 0.94]


def within(p, figures, draws, systematic=0.0):
    """Whether probabilities agree with those of so many random draws, up to four standard errors."""
    p, figures = np.asarray(p), np.asarray(figures)
    return (np.abs(p - figures) <= 4 * np.sqrt(p * (1 - p) / draws) + 4 / draws + systematic).all()


# -- sign test: an integral that is a finite sum for whole numbers ----------------------------------------------------------------
def race(a, b, c):
    """P(the first of three gamma variables with whole parameters is the largest): inclusion and exclusion over finite sums."""

    def survives(k, m):  # P(X_a < both others), or < one of them for m = 0
        return sum(
            gamma(a + i + j) / (gamma(a) * factorial(i) * factorial(j) * (3 if m else 2) ** (a + i + j))
            for i, j in product(range(k), range(m or 1))
        )

    return 1 - survives(b, 0) - survives(c, 0) + survives(b, c)


@pytest.mark.parametrize("a", [(1, 1, 1), (1, 2, 3), (5, 2, 1), (7, 7, 2), (1, 12, 4), (9, 1, 15)])
def test_the_largest_of_three_is_a_finite_sum(a):
    expected = [race(*a[k:], *a[:k]) for k in range(3)]
    np.testing.assert_allclose(gamma_maximum_probabilities(np.array(a, float)[:, None]).ravel(), expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("a", [(0.5, 1.5, 2.25), (0.01, 3, 3), (40.5, 45, 41), (1000, 1010, 990.5), (1e-3, 1e-3, 1.0)])
def test_the_largest_of_three_by_adaptive_quadrature(a):
    found = gamma_maximum_probabilities(np.array(a, float)[:, None]).ravel()
    for k in range(3):
        i, j, m = np.roll(a, -k)

        def height(u, i=i, j=j, m=m):  # over the quantiles of the first
            x = special.gammaincinv(i, u)
            return special.gammainc(j, x) * special.gammainc(m, x)

        assert found[k] == pytest.approx(integrate.quad(height, 0, 1, limit=400, epsabs=1e-9)[0], abs=2e-7)
    assert found.sum() == pytest.approx(1, abs=1e-14)


@pytest.mark.parametrize(("b", "c"), [(1e-3, 1e-3), (0.02, 0.5), (1e-9, 3.0), (1e-5, 2e-5), (30.0, 1e-4), (2e3, 2.05e3), (1e6, 1e6 + 700)])
def test_small_and_large_parameters_by_the_incomplete_beta_function(b, c):
    expected = special.betainc(b, c, 0.5)  # that the third share is above one half
    assert BayesianSignTest.from_steps(concentration=[0, b, c]).probabilities == pytest.approx([0, 1 - expected, expected], abs=3e-12)


def test_as_parameters_vanish_or_grow_without_end():
    for a in ([1e-10, 2e-10, 3e-10], [1e-200, 1e-200, 4e-200], [0, 1e-300, 0]):  # all of the mass at a corner, by the parameters
        expected = np.array(a) / sum(a)
        assert BayesianSignTest.from_steps(concentration=a).probabilities == pytest.approx(expected, abs=2e-9)
    a = np.array([1e12, 1e12 - 1e6, 5])  # nearly normal around their means
    assert BayesianSignTest.from_steps(concentration=a).p_worse == pytest.approx(special.ndtr(0.5**0.5), abs=1e-6)
    assert BayesianSignTest([9, 8], [1, 2], rope=0, prior=1e9).probabilities.tolist() == [0, 1, 0]
    words = r"`prior` must be at most 1e\+09 data sets; got 1e\+300"
    assert_each_raises(lambda make: make([9, 8], [1, 2], rope=0, prior=1e300), (BayesianSignTest, BayesianSignedRank), words)


def test_regions_and_the_place_of_the_prior():
    test = BayesianSignTest([9, 8, 7, 6], [1, 2, 3, 4], rope=0)  # Dirichlet(0, 1, 4)
    assert (test.p_better, test.p_worse) == (pytest.approx(1 - 0.5**4, abs=1e-14), 0)
    for won, prior in product((1, 3, 10), (0.5, 1, 2.5)):
        test = BayesianSignTest(np.ones(won), np.zeros(won), rope=0.5, prior=prior)
        assert test.p_rope == pytest.approx(special.betainc(won, prior, 0.5), rel=1e-12)
    found = {
        place: BayesianSignTest(X, Y, rope=2.5, prior=2, place=place).concentration.tolist() for place in ("worse", "equivalent", "better")
    }
    assert found == {"worse": [6, 2, 2], "equivalent": [4, 4, 2], "better": [4, 2, 4]}


# 1,000,000 draws of baycomp 1.0.3, SignTest.probs(X, Y, rope, prior, random_state=1): left, rope, right, where left is our A
SIGNS = [
    (1, 1, "equivalent", (0.299185, 0.117946, 0.582869)),
    (1, 0.5, "better", (0.411341, 0.026656, 0.562003)),
    (1, 0.5, "worse", (0.270949, 0.024903, 0.704148)),
    (2.5, 1, "equivalent", (0.118757, 0.298652, 0.582591)),
    (2.5, 0.5, "better", (0.221298, 0.134816, 0.643886)),
    (3, 1, "equivalent", (0.021483, 0.489451, 0.489066)),
    (3, 0.5, "worse", (0.024836, 0.27185, 0.703314)),
    (5, 1, "equivalent", (0.0, 0.855514, 0.144486)),
    (5, 0.5, "better", (0.005563, 0.769331, 0.225106)),
    (100, 1, "equivalent", (0.000001, 0.999999, 0.0)),
]


@pytest.mark.every_case
@pytest.mark.parametrize(("rope", "prior", "place", "drawn"), SIGNS)
def test_baycomp_draws_the_same_sign_test(rope, prior, place, drawn):
    test = BayesianSignTest(X, Y, rope=rope, prior=prior, place=place)
    assert within(test.probabilities[::-1], drawn, 1_000_000, systematic=2e-4)  # baycomp adds 0.0001 to each parameter


def test_baycomp_draws_the_same_sign_test_on_demsars_scores():
    for rope, drawn in ((0.0101, (0.0, 0.787836, 0.212164)), (0.0045, (0.005387, 0.01865, 0.975963))):
        assert within(BayesianSignTest(C45, C45_M, rope=rope).probabilities[::-1], drawn, 1_000_000, systematic=2e-4)


# -- signed-rank test: random weights ---------------------------------------------------------------------------------------------
def in_a_loop(d, rope, weights):
    """The three shares of one draw, pair by pair."""
    shares = np.zeros(3)
    for (v, x), (w, y) in product(zip(weights, d), repeat=2):
        shares[1 + (x + y > 2 * rope) - (x + y < -2 * rope)] += v * w
    return shares


def test_the_shares_are_those_of_a_loop_over_pairs():
    test = BayesianSignedRank(X, Y, rope=2.4, draws=100, rng=5)
    d = np.r_[0, np.subtract(X, Y)]
    (weights,) = test.posterior._weights(100, 5)
    looped = np.array([in_a_loop(d, 2.4, row) for row in weights]).T
    np.testing.assert_allclose(test.posterior.draws(100, 5), looped, atol=1e-14)
    assert (test.probabilities.tolist(), weights.sum(1)) == ([np.mean(looped.argmax(0) == k) for k in range(3)], pytest.approx(1))
    many = np.concatenate([*BayesianSignedRank(X, Y, rope=2.4).posterior._weights(20_000, 1)])
    assert many.mean(0) == pytest.approx(np.r_[0.5, np.ones(8)] / 8.5, abs=0.005)  # Dirichlet(1/2, 1, ..., 1)
    assert many.var(0) == pytest.approx(np.r_[0.5 * 8, np.full(8, 7.5)] / (8.5**2 * 9.5), rel=0.1)


def test_pairs_and_expected_shares_in_a_loop():
    a = np.r_[0.5, np.ones(8)]
    for rope in (0, 1, 2.4, 3, 40, 100):
        test = BayesianSignedRank(X, Y, rope=rope, draws=100)
        d = np.subtract(X, Y)
        pairs, expected = np.zeros(3), np.zeros(3)
        for i, j in product(range(8), repeat=2):
            pairs[1 + (d[i] + d[j] > 2 * rope) - (d[i] + d[j] < -2 * rope)] += i <= j
        z = np.r_[0, d]
        for i, j in product(range(9), repeat=2):
            expected[1 + (z[i] + z[j] > 2 * rope) - (z[i] + z[j] < -2 * rope)] += a[i] * (a[j] + (i == j)) / (8.5 * 9.5)
        assert test.pairs.tolist() == pairs.tolist()
        np.testing.assert_allclose(test.expected, expected, atol=1e-13)


# 200,000 draws of baycomp 1.0.3, SignedRankTest.sample(x, y, rope, random_state=1), with its prior of 1/2: left, rope, right
RANKS = [
    (X, Y, 2.4, (0.057775, 0.139815, 0.80241), (0.16126081, 0.25712508, 0.58161411)),
    (X, Y, 3.1, (0.009595, 0.24927, 0.741135), (0.0744354, 0.34395049, 0.58161411)),
    (X, Y, 100, (0.0, 1.0, 0.0), (0.0, 1.0, 0.0)),
    (C45, C45_M, 0.0101, (0.0, 0.32865, 0.67135), (0.0, 0.435017, 0.564983)),
]


@pytest.mark.parametrize(("a", "b", "rope", "drawn", "mean"), RANKS)
def test_baycomp_draws_the_same_signed_rank_test(a, b, rope, drawn, mean):
    test = BayesianSignedRank(a, b, rope=rope)
    assert within(test.probabilities[::-1], drawn, 40_000)  # 50,000 draws here, 200,000 there
    np.testing.assert_allclose(test.expected[::-1], mean, atol=0.002)


def test_one_data_set_in_closed_form_and_the_error_of_draws():
    # The weight of the data set is Beta(1, s), and A's share 1 - (1 - w)^2 if the mean with the prior's 0 lies beyond the
    # rope, else w^2.
    for s, (rope, share) in product((0.5, 1, 3), ((1, 1 - np.sqrt(0.5)), (2, np.sqrt(0.5)))):
        assert within(BayesianSignedRank([3], [0], rope=rope, prior=s).p_better, stats.beta(1, s).sf(share), 50_000)
    probabilities = np.array([BayesianSignedRank(X, Y, rope=2.4, draws=400, rng=seed).probabilities for seed in range(150)])
    claimed = BayesianSignedRank(X, Y, rope=2.4, draws=400, rng=200).mc_error
    assert (probabilities.std(0) / claimed == pytest.approx(np.ones(3), abs=0.3)) is True


def test_the_seed_makes_the_draws():
    def one(rng):
        return BayesianSignedRank(X, Y, rope=2.4, draws=300, rng=rng)

    assert one(3).probabilities.tolist() == one(np.int64(3)).probabilities.tolist()
    assert one(np.random.default_rng(3)).probabilities.tolist() == one(np.random.default_rng(3)).probabilities.tolist()
    assert one(3).probabilities.tolist() != one(4).probabilities.tolist()
    fresh = one(None)
    assert fresh.rng != one(None).rng
    assert fresh.probabilities.tolist() == one(fresh.rng).probabilities.tolist()  # the seed is kept
    assert_each_raises(one, (-1, 0.5, "0", True), "`rng` must be a whole number of at least 0, a numpy Generator or None; got ", TypeError)


# -- correlated t-test: Student's t -----------------------------------------------------------------------------------------------
# baycomp 1.0.3, two_on_single(U, V, rope, runs): left, rope, right (with a rope of 0 left and right)
TS = [
    (0.005, 1, (0.8615065849791781, 0.12830984075969243, 0.01018357426112948)),
    (0.005, 2, (0.8038935922052741, 0.1676399530928102, 0.028466454701915667)),
    (0.01, 1, (0.6257519845431598, 0.3715343257689506, 0.0027136896878895422)),
    (0.03, 1, (0.0077800389835079335, 0.9921862806151135, 3.368040137852191e-05)),
    (0.03, 2, (0.02308094709042835, 0.9767003580194943, 0.00021869489007741993)),
    (0, 1, (0.9607074881558553, 0.0, 0.03929251184414473)),
    (0, 2, (0.9211060105249506, 0.0, 0.07889398947504944)),
]


@pytest.mark.parametrize(("rope", "runs", "figures"), TS)
def test_baycomp_has_the_same_correlated_t(rope, runs, figures):
    test = BayesianCorrelatedT(np.subtract(U, V), rho=runs / 10, rope=rope)
    np.testing.assert_allclose(test.probabilities[::-1], figures, rtol=1e-9, atol=1e-15)


def test_the_figures_printed_in_baycomps_documentation():
    """functions.rst prints four probabilities of one ten-fold comparison: three say what mean and scale are, the fourth must follow."""
    left, right, below, inside, above = 0.4145119975061462, 0.5854880024938538, 0.2858446417379, 0.2691518716880249, 0.445003486573
    ratio = stats.t(9).ppf(right)  # mean / scale, by ten folds
    scale = 0.5 / (stats.t(9).isf(below) - ratio)
    test = BayesianCorrelatedT.from_steps(n=10, mean=ratio * scale, scale=scale, rope=0.5)
    np.testing.assert_allclose(test.probabilities, [below, inside, above], atol=1e-10)
    assert test.assuming(rope=0.0).p_worse == pytest.approx(left, abs=1e-12)


@pytest.mark.complete
def test_the_posterior_by_quadrature_over_mean_and_spread():
    """The flat prior in mu and log sigma, the likelihood of equally correlated normal differences, and no formula for the answer."""
    d, rho, rope = np.array([0.8, 1.9, 3.1, 0.4, 2.2]), 0.2, 0.9
    n, inverse = len(d), np.linalg.inv((1 - rho) * np.eye(5) + rho)
    mu, sigma = np.linspace(-60, 60, 24001), np.exp(np.linspace(-3, 6, 400))
    away = d[:, None] - mu
    square = np.einsum("im,ij,jm->m", away, inverse, away)
    heights = (sigma[:, None] ** -n * np.exp(-square / (2 * sigma[:, None] ** 2))).sum(0)  # d sigma / sigma is d log sigma
    heights /= heights.sum()
    parts = [heights[mu < -rope].sum(), heights[np.abs(mu) <= rope].sum(), heights[mu > rope].sum()]
    np.testing.assert_allclose(BayesianCorrelatedT(d, rho=rho, rope=rope).probabilities, parts, atol=2e-3)


def test_with_a_rope_of_0_it_is_the_one_sided_p_value():
    d = np.random.default_rng(2).normal(0.01, 0.02, (15, 30))
    test = BayesianCorrelatedT(d, rho=0.1, rope=0)
    p = fstats.CorrectedResampledT(d, test_train_ratio=1 / 9, alternative="greater")
    np.testing.assert_allclose(test.p_worse, p.pvalue, rtol=1e-10)
    np.testing.assert_allclose(test.scale, p.se, rtol=1e-12)
    np.testing.assert_allclose(test.credible, fstats.CorrectedResampledT(d, test_train_ratio=1 / 9).ci, rtol=1e-9)


def test_small_probabilities_keep_their_digits():
    for mean in (-3, 3):
        test = BayesianCorrelatedT.from_steps(n=30, mean=mean, scale=0.1, rope=1)
        far, near = stats.t(29, mean, 0.1).cdf(-1), stats.t(29, mean, 0.1).cdf(1)
        expected = [far, near - far, stats.t(29, mean, 0.1).sf(1)] if mean > 0 else None
        if expected:
            np.testing.assert_allclose(test.probabilities, expected, rtol=1e-9)
        else:
            np.testing.assert_allclose(test.probabilities[0], 1, rtol=1e-12)
            assert 0 < test.p_better < test.p_rope < 1e-15


def test_scores_on_splits_tell_the_correlation():
    rng = np.random.default_rng(1)
    plan = fstats.CorrectedRepeatedKFoldT.plan
    a, b = rng.normal(0.8, 0.02, (2, *plan.shape))
    scores = Scores.from_arrays(plan, a, b, labels=["forest", "tree"])
    test = BayesianCorrelatedT.from_scores(scores, rope=0.01)
    assert test.rho == pytest.approx(0.1)
    assert (test.n, test.sides) == (100, ("forest", "tree"))
    np.testing.assert_allclose(test.probabilities, BayesianCorrelatedT((a - b).ravel(), rho=0.1, rope=0.01).probabilities)
    assert BayesianCorrelatedT.from_scores(scores, rope=0.01, rho=0.3).rho == 0.3
    plan = fstats.CorrectedResampledT.plan
    with pytest.raises(ValueError, match=r"must contain the numbers of training and test records for BayesianCorrelatedT"):
        BayesianCorrelatedT.from_scores(Scores.from_arrays(plan, a.ravel()[:15], b.ravel()[:15]), rope=0.01)


# -- degenerate data --------------------------------------------------------------------------------------------------------------
SAME, ENDLESS = "they have no spread to estimate random variation", "the posterior favours no value"
DEGENERATE = [
    ([0.02, 0.02, 0.02], 0.1, 0.01, [0, 0, 1], SAME),
    ([-0.02, -0.02, -0.02], 0.1, 0.01, [1, 0, 0], SAME),
    ([0.01, 0.01, 0.01], 0.1, 0.01, [0, 1, 0], SAME),  # on an end of the rope
    ([0.3 - 0.2, 0.3 - 0.2], 0.1, 0.1, [0, 1, 0], SAME),
    ([0, 0, 0], 0, 0, [0, 1, 0], SAME),
    ([0, 0], 0.1, 0.5, [0, 1, 0], SAME),
    ([0.02], 0.1, 0.01, [0.5, 0, 0.5], ENDLESS),
    ([0.02], 0.1, 0, [0.5, 0, 0.5], ENDLESS),
    ([0.02, 0.03, 0.04], 1, 0.01, [0.5, 0, 0.5], ENDLESS),
    ([0.02], 0, np.inf, [0, 1, 0], ENDLESS),
    ([0.02, 0.02], 0, np.inf, [0, 1, 0], SAME),
    ([-0.5, 0.7, 0.1], 0.1, np.inf, [0, 1, 0], "With an infinite rope no difference is relevant"),
]


@pytest.mark.parametrize(("d", "rho", "rope", "expected", "reason"), DEGENERATE)
def test_degenerate_differences_are_answered(d, rho, rope, expected, reason):
    test = BayesianCorrelatedT(d, rho=rho, rope=rope)
    assert test.probabilities.tolist() == expected
    assert reason in test.conclusion
    for text in (repr(test), test.to_latex(), test._repr_html_(), test.plot().text, test.plot().svg()):
        assert "nan" not in text
    batch = BayesianCorrelatedT(np.stack([d, np.linspace(0.1, 0.3, len(d))], 1), rho=rho, rope=rope)
    assert batch.probabilities[:, 0].tolist() == expected
    assert not np.isnan(batch.credible).any()


@pytest.mark.parametrize("cls", [BayesianSignTest, BayesianSignedRank])
def test_degenerate_scores_are_answered(cls):
    equal = cls([0.5] * 6, [0.5] * 6, rope=0)
    assert equal.probabilities.tolist() == [0, 1, 0]
    assert "All 6 data sets lie inside the rope" in equal.conclusion
    assert "With a rope of 0 only an exact tie is equivalent" in equal.conclusion
    inside = cls(np.linspace(0.5, 0.505, 6), [0.5] * 6, rope=0.01)
    assert inside.probabilities.tolist() == [0, 1, 0]
    won = cls([0.9] * 20, [0.5] * 20, rope=0.01)
    assert won.p_worse == 0 and won.p_better > 0.99  # noqa: PT018
    assert "All 20 data sets lie where A is better; only the prior supports the other outcomes." in won.conclusion
    assert "A is better" in cls([0.5] * 3, [0.9] * 3, rope=0.01, labels=["B is not A", "A is better"]).conclusion
    one = cls([0.9], [0.5], rope=0.01)
    assert "There is only one data set" in one.conclusion
    assert "Both data sets lie inside the rope." in cls([0.5] * 2, [0.5] * 2, rope=0).conclusion
    assert (one.probabilities.sum(), cls([0.9, 0.1], [0.5, 0.4], rope=np.inf).probabilities.tolist()) == (pytest.approx(1), [0, 1, 0])
    for test in (equal, inside, won, one):
        for text in (repr(test), test.to_latex(), test.plot().text, test.plot().svg(), fstats.report(test).text):
            assert "nan" not in text


def test_shares_without_prior_or_draws():
    test = BayesianSignTest([0.9, 0.8], [0.5, 0.5], rope=0.01, prior=0)
    assert (test.probabilities.tolist(), test.decided.tolist()) == ([0, 0, 1], [False, False, True])
    a = np.r_[np.random.default_rng(0).normal(0.05, 0.01, 30), -0.03]
    test = BayesianSignedRank(a, 0 * a, rope=0.01, draws=200)
    assert test.p_worse == 0
    assert "with less than 1 in 200, that B is better by more than 0.01" in test.conclusion
    certain = BayesianSignedRank(a[:30], 0 * a[:30], rope=0.01, draws=200)
    assert "with 0, that B is better by more than 0.01;" in certain.conclusion


@pytest.mark.parametrize("cls", [BayesianSignTest, BayesianSignedRank])
def test_rounding_noise_does_not_leave_the_rope(cls):
    a, b = np.array([0.88, 0.69, 0.3, 0.75]), np.array([0.85, 0.66, 0.27, 0.78])
    assert ((a - b) > 0.03).any()  # by the last digit
    assert (cls(a, b, rope=0.03).side.tolist(), cls(a, b, rope=0.03).probabilities.tolist()) == ([0, 0, 0, 0], [0, 1, 0])
    assert cls(a.astype("f4"), b.astype("f4"), rope=0.03).probabilities.tolist() == [0, 1, 0]
    assert cls(a, b, rope=0.0299).side.tolist() == [1, 1, 1, -1]


# -- words and errors -------------------------------------------------------------------------------------------------------------
def test_what_is_decided_is_said():
    d = np.array([0.031, 0.029, 0.03, 0.028, 0.033])
    for rope, region, said in ((0.01, "A is better by more than 0.01", "1 - 4.9e-05"), (0.05, "they differ by at most 0.05", "0.9999")):
        test = BayesianCorrelatedT(d, rho=0.2, rope=rope)
        assert test.conclusion.startswith(f"The truth on this data set is, with probability {said}, that {region}; with ")
        assert "The first probability is at least 0.95, so the data decide for the first outcome." in test.conclusion
    open_ = BayesianCorrelatedT(d, rho=0.2, rope=0.03)
    assert "No probability reaches 0.95: the data do not decide the question." in open_.conclusion
    assert "reject" not in open_.conclusion.lower()
    assert "p =" not in repr(test)
    assert "No probability reaches" in test.assuming(alpha=1e-9).conclusion
    message = r"a batch of shape \(2,\) has no single conclusion. Choose one repetition, such as test.at\(0\).conclusion"
    assert_raises(lambda: BayesianCorrelatedT(np.stack([d, d], 1), rho=0.2, rope=0.01).conclusion, message)


@pytest.mark.parametrize("wanted", [0.9499999, 0.95000003, 0.949999999, 0.9504])
def test_a_probability_is_printed_on_its_side_of_the_level(wanted):
    test = BayesianCorrelatedT(np.array([-1, 0, 1]) + special.stdtrit(2, wanted) / 3**0.5, rho=0, rope=0)
    printed = float(re.search(r"with probability ([\d.]+), that A is better;", test.conclusion)[1])
    assert (printed >= 0.95) == test.decided[2] == (wanted > 0.95) == ("so the data decide for the first" in test.conclusion)
    row = re.search(r"A better +([\d.]+) +(yes|no)", repr(test))
    assert (float(row[1]) >= 0.95) == (row[2] == "yes") == (wanted > 0.95)


def test_two_that_are_probable_enough_decide_nothing():
    test = BayesianCorrelatedT([-1, 1], rho=0.1, rope=0, alpha=0.5)
    assert test.decided.tolist() == [True, False, True]
    assert "More than one probability is at least 0.5, so there is no decision: alpha must be below 1/2 for a decision" in test.conclusion


@pytest.mark.parametrize("cls", [BayesianSignTest, BayesianSignedRank])
@pytest.mark.parametrize("prior", [1e-6, 0.5, 3])
def test_the_prior_is_said_to_be_as_strong_as_it_is(cls, prior):
    """A weak one is not "most of" an answer, and where it lies with the data nothing is left of it."""
    assert f"There is only one data set, and the prior counts as {prior:g} more." in cls([0.9], [0.5], rope=0.01, prior=prior).conclusion
    won = cls([0.9] * 3, [0.5] * 3, rope=0.01, prior=prior)
    assert ("only the prior supports" in won.conclusion) == (won.expected[2] < 1)
    assert "All 3 data sets lie inside the rope. " in cls([0.9] * 3, [0.5] * 3, rope=np.inf, prior=prior).conclusion


def test_the_report_speaks_of_probability():
    said = fstats.report(BayesianSignTest(C45, C45_M, rope=0.0101, labels=["C4.5", "C4.5+m"]))
    assert said.text.startswith(
        "We compared C4.5 against C4.5+m with the Bayesian sign test (Benavoli et al., 2017): rope 0.0101 either way, n = 14 data sets, "
        "prior strength 1, median score "
    )
    assert ". The most frequent outcome on data sets like these is" in said.text
    assert re.search(r"; with 0\.21\d*, that C4\.5\+m is better by more than 0\.0101; with ", said.text)
    assert not re.search(r"\breject|significan|\bp =", said.text)
    started = fstats.report(BayesianSignTest.from_steps(concentration=[3, 5, 1], rope=1)).text
    assert started.startswith("Bayesian sign test (Benavoli et al., 2017): rope 1 either way, prior strength 1. The most frequent outcome")
    with pytest.raises(ValueError, match=r"a batch of shape .* has no single sentence"):
        fstats.report(BayesianSignTest(np.ones((3, 2)), np.zeros((3, 2)), rope=0))


def test_the_guide_knows_the_bayesian_answer():
    found = fstats.which_test(aim="difference", classifiers="two", data_sets="many", paired=True, normal=False)
    assert found.bayesian is BayesianSignedRank
    assert "fstats.BayesianSignedRank" in repr(found)
    few = fstats.which_test(aim="equivalence", data_sets="one", results="scores", size="small", paired=True)
    assert few.bayesian is BayesianCorrelatedT
    of_records = fstats.which_test(aim="difference", classifiers="two", data_sets="one", results="records", paired=True, size="small")
    assert of_records.bayesian is None


def test_each_report_says_of_what_the_probabilities_are():
    scores, d = ([0.9, 0.8, 0.7], [0.5, 0.5, 0.5]), [0.1, 0.2, 0.15]
    hierarchical = fstats.BayesianHierarchical([d, d[::-1]], rho=0.1, rope=0.01, nodes=3)
    for test, asked in (
        (BayesianSignTest(*scores, rope=0.01), "The most frequent outcome on data sets like these is, with probability "),
        (BayesianSignedRank(*scores, rope=0), "For the mean over two such data sets the most frequent outcome is, with probability "),
        (BayesianCorrelatedT(d, rho=0.1, rope=0.01), "The truth on this data set is, with probability "),
        (hierarchical, "The most probable outcome on the next data set like these is, with probability "),
    ):
        said = fstats.report(test).text
        assert f". {asked}" in said
        _, first, second, third, _ = re.split(r", with probability |; with |\. (?=The|No)", said[said.index(asked) :])
        best = "A is better by more than 0.01" if test.rope else "A is better"
        assert first.endswith(f", that {best}")
        for told in (first, second, third):
            assert re.fullmatch(r"[^,;]*\d, that ([AB] is better|they (differ|are equal))[^,;]*", told)


def test_one_of_something_and_an_endless_rope_are_said_as_one_says_them():
    one = fstats.report(BayesianCorrelatedT([0.1], rho=0.1, rope=0.01)).text
    assert ", n = 1 split, correlation 0.1, mean difference 0.1, scale of the posterior infinite. The truth" in one
    endless = fstats.report(BayesianSignTest([0.9], [0.5], rope=np.inf)).text
    assert endless.startswith("Bayesian sign test (Benavoli et al., 2017): infinite rope, n = 1 data set, ")
    assert ", that they differ by at most infinity; with 0, that B is better by more than infinity; " in endless


# -- pictures ---------------------------------------------------------------------------------------------------------------------
def test_pictures_say_what_they_show():
    test = BayesianCorrelatedT(np.subtract(U, V), rho=0.1, rope=0.005, labels=["forest", "tree"])
    picture = test.plot()
    assert "Probability of tree better 0.01018, equivalent 0.1283, forest better 0.8615." in picture.text
    areas = list(picture.legend)
    expected = pytest.approx(test.probabilities.tolist(), abs=2e-3)
    assert [float(np.trapezoid(area.height if hasattr(area, "height") else area.y, area.x)) for area in areas] == expected
    assert "from 0 to 0.03. With a rope of 0.005: tree better 0.01018" in by_rope(test, np.linspace(0, 0.03, 7)).text
    ranks = BayesianSignedRank(C45, C45_M, rope=0.0101)
    points = ranks.plot().legend
    assert sum(len(mark.x) for mark in points) == 500
    shares = np.array([len(mark.x) for mark in points]) / 500
    assert within(ranks.probabilities, shares, 500)
    for mark in points:  # inside the triangle
        assert ((mark.y >= -1e-12) & (mark.y <= 2 * mark.x + 1e-12) & (mark.y <= 2 - 2 * mark.x + 1e-12)).all()
    words = r"a batch of shape \(2,\) has no single picture. Choose one repetition, such as test.at\(0\).plot\(\)"
    assert_raises(lambda: BayesianSignTest(np.ones((3, 2)), np.zeros((3, 2)), rope=0).plot(), words)
