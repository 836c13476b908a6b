"""The 5x2 BCV McNemar's test: the paper's equations, theorems and lemmas, each against a plain loop, enumeration or simulation."""

import math
from itertools import product

import numpy as np
import pytest
import scipy.stats as st
from shortcuts import assert_raises, parametrize

from fstats import BlockedFiveByTwoMcNemar, BlockRegularizedCV, Scores, TablePosteriors
from fstats.procedures.resampling.block_regularized.contingency_table_posterior import EffectivePosteriors
from fstats.procedures.resampling.split_plans.block_regularized_cv import half_blocks
from fstats.procedures.resampling.split_plans.split_plan import BLOCKED_FIVE_BY_TWO, FIVE_BY_TWO

CORRELATIONS = [(0.5, 0.5), (0, 0.5), (0, 0), (0.5, 0), (0.3, 0.2), (-0.2, 0.1), (1, 1)]
RATES = ("e", "r", "q_a", "q_b")


def draw(seed, n=83, cells=(0.1, 0.06, 0.12, 0.72), repetitions=()):
    """Ten tables; the folds of a repetition hold n records together, the first one less if n is odd."""
    rng = np.random.default_rng(seed)
    folds = [rng.multinomial(size, cells, (5, *repetitions)) for size in (n // 2, n - n // 2)]
    return np.moveaxis(np.stack(folds, 1), -1, 2).reshape(5, 2, 2, 2, *repetitions)


def same_each_time(n01, n10, n=40):
    """Ten tables of classifiers that do not depend on what they were trained on: any way to halve the discordant records."""
    table = np.zeros((5, 2, 2, 2), int)
    for j, (a, b) in enumerate(zip((0, 1, 2, 3, 4), (4, 3, 2, 1, 0), strict=True)):
        first, other = min(a, n01), min(b, n10)
        table[j] = [[[0, first], [other, n - first - other]], [[0, n01 - first], [n10 - other, n - n01 - n10 + first + other]]]
    return table


# -- the equations -------------------------------------------------------------------------------------------------------
def by_the_equations(tables, rho1, rho2):
    """Equations 6 to 14, one after the other, in loops."""
    mean = {(u, v): sum(int(tables[j][k][u][v]) for j in range(5) for k in range(2)) / 10 for u in (0, 1) for v in (0, 1)}  # 6
    n = 2 * sum(mean.values())
    e = sum((int(tables[j][k][0][1]) + int(tables[j][k][1][0])) / (n / 2) / 10 for j in range(5) for k in range(2))  # 7
    variance = (1 + rho1 + 8 * rho2) / (5 * n) * e * (1 - e)  # 8
    effective = {cell: 10 * count / (1 + rho1 + 8 * rho2) for cell, count in mean.items()}  # 11
    n_effective = 5 * n / (1 + rho1 + 8 * rho2)  # 12
    m = (abs(effective[0, 1] - effective[1, 0]) - 1) ** 2 / (effective[0, 1] + effective[1, 0])  # 13
    t = 10 / (1 + rho1 + 8 * rho2)
    again = t * (abs(mean[0, 1] - mean[1, 0]) - 1 / t) ** 2 / (mean[0, 1] + mean[1, 0])  # 14
    assert m == pytest.approx(again, rel=1e-9)
    return {
        "mean_table": mean,
        "n": n,
        "e": e,
        "variance": variance,
        "t": t,
        "effective_table": effective,
        "n_effective": n_effective,
        "m": m,
    }


@pytest.mark.parametrize(("rho1", "rho2"), CORRELATIONS)
@pytest.mark.parametrize("seed", range(5))
def test_the_steps_by_plain_loops(seed, rho1, rho2):
    tables = draw(seed)
    test = BlockedFiveByTwoMcNemar(tables, rho1=rho1, rho2=rho2)
    expected = by_the_equations(tables.tolist(), rho1, rho2)
    for name in ("n", "e", "variance", "t", "n_effective"):
        assert getattr(test, name) == pytest.approx(expected[name], rel=1e-12)
    for name in ("mean_table", "effective_table"):
        for cell, count in expected[name].items():
            assert getattr(test, name)[cell] == pytest.approx(count, rel=1e-12)
    n00, n01, n10, n11 = test.mean_table.ravel()
    assert (test.r, test.q_a) == (pytest.approx(n01 / (n01 + n10), rel=1e-12), pytest.approx(n01 / (n01 + n11), rel=1e-12))
    assert test.q_b == pytest.approx(n00 / (n00 + n10), rel=1e-12)
    assert test.effect_size == pytest.approx((n10 - n01) / (n01 + n10) / 2, rel=1e-12)
    if abs(test.n01_effective - test.n10_effective) > 1:  # below it the literal formula is not what a test should answer
        assert test.statistic == pytest.approx(expected["m"], rel=1e-9)
    else:
        assert test.statistic == 0
    assert test.pvalue == pytest.approx(st.chi2.sf(test.statistic, 1), rel=1e-12)
    assert test.critical_value == pytest.approx(st.chi2.isf(0.05, 1), rel=1e-12)


@pytest.mark.every_case
@pytest.mark.parametrize("seed", range(10))
def test_with_the_recommended_correlations_it_is_equation_15(seed):
    tables = draw(seed, cells=(0.1, 0.04, 0.16, 0.7))
    n01, n10 = tables[:, :, 0, 1].mean(), tables[:, :, 1, 0].mean()
    assert abs(n01 - n10) > 11 / 20
    assert BlockedFiveByTwoMcNemar(tables).statistic == pytest.approx(20 * (abs(n01 - n10) - 11 / 20) ** 2 / (11 * (n01 + n10)), rel=1e-12)


def test_a_batch_of_correlations_is_many_tests():
    rho1, rho2 = np.array([0.0, 0.5, 0.5]), np.array([0.5, 0.5, 0.1])
    tables = draw(3)
    batch = BlockedFiveByTwoMcNemar(np.repeat(tables[..., None], 3, -1), rho1=rho1, rho2=rho2)
    for r in range(3):
        one = BlockedFiveByTwoMcNemar(tables, rho1=rho1[r], rho2=rho2[r])
        assert batch.statistic[r] == one.statistic == batch.at(r).statistic
        np.testing.assert_array_equal(batch.at(r).modes, one.modes)


# -- Theorem 1: the variance of E ----------------------------------------------------------------------------------------
N, RUNS = 64, 12_000
BLOCK = np.random.default_rng(7).permutation(np.arange(N) % 8)
TESTED = [np.flatnonzero(np.isin(BLOCK, half)) for pair in half_blocks(5) for half in reversed(pair)]  # of each split, two a repetition


def tables_of(disagree, a_wrong):
    """Contingency tables of ten splits from (10, n/2, runs) records: A or B is wrong where they disagree, else both are right."""
    n01 = (disagree & a_wrong).sum(1)
    n10 = (disagree & ~a_wrong).sum(1)
    cells = [np.zeros_like(n01), n01, n10, disagree.shape[1] - n01 - n10]
    return np.moveaxis(np.stack(cells), 0, 1).reshape(5, 2, 2, 2, -1)


def correlated(e, copied, paired, sign, rng):
    """Disagreements on the ten test sets, each with probability e.

    With probability `copied` a record's disagreement is the same in all splits that test it: folds of different repetitions
    share half of their records, so rho2 = copied**2 / 2.  With probability `paired` it is that of its partner in the other fold
    of the repetition (or the opposite, if sign is -1, which keeps the probability only for e = 1/2): rho1 = sign * paired**2.
    """
    fixed = rng.random((N, RUNS)) < e
    disagree = np.empty((10, N // 2, RUNS), bool)
    for split, tested in enumerate(TESTED):
        if split % 2 == 0:
            partner = rng.random((N // 2, RUNS)) < e
        elif sign < 0:
            partner = ~partner
        which = rng.random((N // 2, RUNS))
        fresh = rng.random((N // 2, RUNS)) < e
        disagree[split] = np.where(which < copied, fixed[tested], np.where(which < copied + paired, partner, fresh))
    return disagree


@pytest.mark.complete
@parametrize(
    "e, copied, paired, sign",
    (0.2, 1, 0, 1),
    (0.2, 0.7, 0.3, 1),
    (0.3, 0.5, 0.5, 1),
    (0.5, 0.4, 0.6, -1),
    (0.1, 0, 1, 1),
    ids=["fixed losses", "trained", "trained more", "folds against each other", "no common records"],
)
def test_theorem_1_by_simulation(e, copied, paired, sign):
    rng = np.random.default_rng(11)
    disagree = correlated(e, copied, paired, sign, rng)
    rho1, rho2 = sign * paired**2, copied**2 / 2
    each = disagree.mean(1)  # E of each split
    sigma2 = 2 * e * (1 - e) / N
    correlation = np.cov(each) / sigma2
    within = np.mean([correlation[2 * j, 2 * j + 1] for j in range(5)])
    between = np.mean([correlation[s, t] for s, t in product(range(10), repeat=2) if s // 2 != t // 2])
    assert (np.diag(correlation).mean(), within) == (pytest.approx(1, abs=0.02), pytest.approx(rho1, abs=0.02))
    assert between == pytest.approx(rho2, abs=0.02)
    test = BlockedFiveByTwoMcNemar(tables_of(disagree, rng.random(disagree.shape) < 0.5), rho1=rho1, rho2=rho2)
    theorem = (1 + rho1 + 8 * rho2) / (5 * N) * e * (1 - e)
    assert test.e.var() == pytest.approx(theorem, rel=4 * np.sqrt(2 / RUNS))  # four standard errors of a variance
    # the step puts the estimate E for e: on average e(1 - e) less the variance of E
    assert test.variance.mean() == pytest.approx(theorem * (1 - theorem / (e * (1 - e))), rel=0.01)


def test_lemma_3_holds_for_the_splits_of_the_plan():
    # losses that do not depend on the training set: E has the variance e(1 - e)/n of a single look at all records
    wrong = np.random.default_rng(3).random((N, RUNS)) < 0.25
    splits = list(BlockRegularizedCV(random_state=5).split(np.zeros(N)))
    assert len(splits) == 10
    each = np.stack([wrong[test].mean(0) for _, test in splits])
    assert each.mean(0).var() == pytest.approx(0.25 * 0.75 / N, rel=4 * np.sqrt(2 / RUNS))
    np.testing.assert_allclose(each.mean(0), wrong.mean(0), atol=1e-12)  # each record counts five times of ten
    test = BlockedFiveByTwoMcNemar.from_steps(n=N, e=0.25, rho1=0, rho2=0.5)
    assert test.variance == pytest.approx(0.25 * 0.75 / N, rel=1e-12)


def test_theorem_2_is_what_any_ten_correlated_tables_must_obey():
    # the correlation matrix of the ten E has the eigenvalues 1 - rho1, 1 + rho1 - 2 rho2 and 1 + rho1 + 8 rho2: none is negative
    for rho1, rho2 in CORRELATIONS:
        matrix = np.full((10, 10), float(rho2))
        for j in range(5):
            matrix[2 * j : 2 * j + 2, 2 * j : 2 * j + 2] = [[1, rho1], [rho1, 1]]
        expected = [1 - rho1] * 5 + [1 + rho1 - 2 * rho2] * 4 + [1 + rho1 + 8 * rho2]
        np.testing.assert_allclose(np.linalg.eigvalsh(matrix), sorted(expected), atol=1e-12)
    tables = draw(1)
    assert "No ten tables can have such correlations" in BlockedFiveByTwoMcNemar(tables, rho1=0, rho2=0.6).conclusion
    for rho1, rho2 in ((0.5, 0.5), (0, 0.5), (0, 0)):  # the recommended ones, and Lemma 3's, which are the limit
        assert "correlations" not in BlockedFiveByTwoMcNemar(tables, rho1=rho1, rho2=rho2).conclusion


@pytest.mark.parametrize(("rho1", "rho2", "size"), [(0.5, 0.5, 0.0235), (0, 0.5, 0.0316), (0.5, 0, 0.253), (0, 0, 0.355)])
def test_the_type_one_error_on_epsilon(rho1, rho2, size):
    # n = 300, error rates .05 and .15 on the first half, exchanged on the second; sizes from 200,000 repetitions of a plain program
    n, runs = 300, 4000
    rng = np.random.default_rng(21)
    rates = np.repeat([[0.05, 0.15], [0.15, 0.05]], n // 2, axis=0)
    order = rng.permutation(n)
    a, b = ((rng.random((n, runs)) < rates[order, k, None]) for k in (0, 1))
    tables = [
        [[(u & v).sum(0) for v in (b[test], ~b[test])] for u in (a[test], ~a[test])] for _, test in BLOCKED_FIVE_BY_TWO.test_positions(n)
    ]
    test = BlockedFiveByTwoMcNemar(np.reshape(tables, (5, 2, 2, 2, runs)), rho1=rho1, rho2=rho2)
    assert (test.n == n).all()
    assert test.reject.mean() == pytest.approx(size, abs=4 * np.sqrt(size * (1 - size) / runs))


# -- Theorem 3: the effective table --------------------------------------------------------------------------------------
@pytest.mark.parametrize(("rho1", "rho2"), CORRELATIONS)
def test_the_five_constraints_of_theorem_3(rho1, rho2):
    test = BlockedFiveByTwoMcNemar(draw(2), rho1=rho1, rho2=rho2)
    n00, n01, n10, n11 = test.effective_table.ravel()
    # the modes of Beta posteriors with flat priors, by looking for the highest density
    grid = np.linspace(0, 1, 100_001)
    for name, a, b in (("e", n01 + n10, n00 + n11), ("r", n01, n10), ("q_a", n01, n11), ("q_b", n00, n10)):
        assert grid[st.beta.logpdf(grid, a + 1, b + 1).argmax()] == pytest.approx(getattr(test, name), abs=1e-5)
    assert test.e * (1 - test.e) / test.n_effective == pytest.approx(test.variance, rel=1e-12)


def test_no_other_table_meets_the_five_constraints():
    # rates fix the four shares, and the variance fixes the total: solving the constraints gives the table back
    test = BlockedFiveByTwoMcNemar(draw(4), rho1=0.2, rho2=0.3)
    total = test.e * (1 - test.e) / test.variance
    n01, n10 = total * test.e * test.r, total * test.e * (1 - test.r)
    n11, n00 = n01 * (1 - test.q_a) / test.q_a, n10 * test.q_b / (1 - test.q_b)
    np.testing.assert_allclose(test.effective_table, [[n00, n01], [n10, n11]], rtol=1e-12)
    assert n00 + n01 + n10 + n11 == pytest.approx(total, rel=1e-12)


# -- Lemmas 1 and 2, Corollary 1: posteriors of one table ----------------------------------------------------------------
def test_lemma_1_by_enumeration():
    n, (p00, p01, p10, p11) = 6, (0.15, 0.2, 0.3, 0.35)
    chance = {}  # of each table of n records
    for n00, n01, n10 in product(range(n + 1), repeat=3):
        if (n11 := n - n00 - n01 - n10) >= 0:
            ways = math.factorial(n) // math.prod(map(math.factorial, (n00, n01, n10, n11)))
            chance[n00, n01, n10, n11] = ways * p00**n00 * p01**n01 * p10**n10 * p11**n11
    assert sum(chance.values()) == pytest.approx(1)
    given = {  # what is counted, among what, with which probability
        "e": (lambda t: t[1] + t[2], lambda t: sum(t), p01 + p10),
        "r": (lambda t: t[1], lambda t: t[1] + t[2], p01 / (p01 + p10)),
        "q_a": (lambda t: t[1], lambda t: t[1] + t[3], p01 / (p01 + p11)),
        "q_b": (lambda t: t[0], lambda t: t[0] + t[2], p00 / (p00 + p10)),
    }
    for counted, among, probability in given.values():
        for whole in range(n + 1):
            here = {t: p for t, p in chance.items() if among(t) == whole}
            for count in range(whole + 1) if here else ():
                share = sum(p for t, p in here.items() if counted(t) == count) / sum(here.values())
                assert share == pytest.approx(st.binom.pmf(count, whole, probability), rel=1e-9)
    big = TablePosteriors(np.array([[p00, p01], [p10, p11]]) * 10**6)  # the estimators estimate these
    assert [getattr(big, name) for name in given] == pytest.approx([probability for *_, probability in given.values()])


@pytest.mark.complete
@pytest.mark.parametrize("lam", [0.5, 1, 2, 5.5])
def test_lemma_2_by_prior_times_likelihood(lam):
    posteriors = TablePosteriors([[6, 3], [8, 23]], lam=lam, alpha=0.1)
    binomials = {"e": (11, 40), "r": (3, 11), "q_a": (3, 26), "q_b": (6, 14)}
    grid = (np.arange(200_000) + 0.5) / 200_000
    for k, (count, whole) in enumerate(binomials.values()):
        weight = st.beta.pdf(grid, lam, lam) * st.binom.pmf(count, whole, grid)
        weight /= weight.sum()
        assert posteriors.means[k] == pytest.approx((weight * grid).sum(), rel=1e-6)
        assert posteriors.modes[k] == pytest.approx(grid[weight.argmax()], abs=1e-5)
        reached = weight.cumsum()
        assert posteriors.credible_low[k] == pytest.approx(grid[reached.searchsorted(0.05)], abs=2e-5)
        assert posteriors.credible_high[k] == pytest.approx(grid[reached.searchsorted(0.95)], abs=2e-5)
    np.testing.assert_array_equal(posteriors.beta_a - lam, [11, 3, 3, 6])
    np.testing.assert_array_equal(posteriors.beta_b - lam, [29, 8, 23, 8])


def test_corollary_1_holds_for_flat_priors_only():
    table = [[6, 3], [8, 23]]
    flat = TablePosteriors(table)
    estimators = np.array([getattr(flat, name) for name in RATES])
    np.testing.assert_allclose(estimators, [11 / 40, 3 / 11, 3 / 26, 6 / 14], rtol=1e-15)
    np.testing.assert_allclose(flat.modes, estimators, rtol=1e-12)
    pulled, pushed = TablePosteriors(table, lam=3).modes, TablePosteriors(table, lam=0.5).modes
    assert (abs(pulled - 0.5) < abs(estimators - 0.5)).all()  # towards the middle
    assert (abs(pushed - 0.5) > abs(estimators - 0.5)).all()
    test = BlockedFiveByTwoMcNemar(draw(5))
    np.testing.assert_allclose(test.modes, [getattr(test, name) for name in RATES], rtol=1e-12)
    assert not np.isclose(test.assuming(lam=2.0).modes, test.modes, rtol=1e-3).any()
    assert test.assuming(lam=2.0).pvalue == test.pvalue  # the priors do not concern the decision


def test_the_posteriors_of_the_test_are_those_of_its_effective_table():
    test = BlockedFiveByTwoMcNemar(draw(6), lam=2, alpha=0.1)
    alone = EffectivePosteriors(test.t * test.mean_table, lam=2, alpha=0.1)
    for name in ("beta_a", "beta_b", "modes", "means"):
        np.testing.assert_array_equal(getattr(test, name), getattr(alone, name))
        np.testing.assert_array_equal(getattr(test.posteriors, name), getattr(alone, name))
    assert test.posteriors.alpha == 0.1


@pytest.mark.parametrize("lam", [0.5, 1, 3])
def test_rates_of_no_records_stand_in_the_middle(lam):
    nothing = TablePosteriors([[0, 0], [0, 0]], lam=lam)
    assert [nothing.e, nothing.r, nothing.q_a, nothing.q_b] == [0.5] * 4
    # Beta(1/2, 1/2) is lowest in the middle and highest at both ends: the lower one is told
    np.testing.assert_array_equal(nothing.modes, 0.0 if lam < 1 else 0.5)
    np.testing.assert_array_equal(nothing.means, 0.5)
    np.testing.assert_array_equal(nothing.shares, 0.25)
    alike = TablePosteriors([[4, 0], [0, 9]], lam=lam)
    assert (alike.e, alike.r) == (0, 0.5)


@pytest.mark.every_case
@parametrize(
    "counts, mode",
    ([0.2, 0], 1),
    ([0, 0.2], 0),
    ([3, 0], 1),
    ([0.2, 3], 0),
    ([3, 0.2], 1),
    ([0.2, 0.2], 0),
    ([0.2, 0.3], 0),
    ([0.3, 0.2], 1),
    ([0.5, 0.5], 0.5),
)
def test_a_density_that_is_highest_at_an_end(counts, mode):
    # with lambda below 1 and hardly any record a parameter is below 1, and the formula of the mode does not hold
    test = EffectivePosteriors([[0, counts[0]], [counts[1], 50]], lam=0.5)
    grid = np.linspace(1e-6, 1 - 1e-6, 10_001)
    density = st.beta.pdf(grid, test.beta_a[1], test.beta_b[1])
    assert test.modes[1] == mode
    if counts[0] != counts[1]:
        assert grid[density.argmax()] == pytest.approx(mode, abs=1e-5)
    assert density[np.abs(grid - mode).argmin()] >= density.max() * (1 - 1e-9)


# -- figures -------------------------------------------------------------------------------------------------------------
def test_what_ten_tables_are_worth_and_the_fewest_records_that_reject():
    test = BlockedFiveByTwoMcNemar(draw(1))
    assert test.t == 20 / 11
    assert 1 / test.t == pytest.approx(11 / 20)  # the continuity correction in terms of the mean table
    assert BlockedFiveByTwoMcNemar(draw(1), rho1=0).t == 2  # Lemma 3: two folds, all records once
    assert test.n_effective == pytest.approx(83 * 10 / 11)
    # classifiers that do not depend on the training set: the mean table is half of all records, M = (10/11) (|N01 - N10| - 1.1)**2 / N
    for n01, n10 in product(range(9), repeat=2):
        test = BlockedFiveByTwoMcNemar(same_each_time(n01, n10))
        assert (test.n01, test.n10) == (n01 / 2, n10 / 2)
        total, apart = n01 + n10, max(abs(n01 - n10) - 1.1, 0)
        assert test.statistic == pytest.approx(10 / 11 * apart**2 / total if total else 0, rel=1e-12)
    least = [n for n in range(9) if BlockedFiveByTwoMcNemar(same_each_time(n, 0)).reject]
    assert least == [7, 8]


@parametrize("n01, n10, literal", (1, 0, 3.68), (1, 1, 2.75), (5, 0, 0.009), (0, 5, 0.009), ids=["one", "one each", "five", "five of B"])
def test_hardly_any_record_does_not_speak_against_h0(n01, n10, literal):
    # so many discordant records in all ten tables; taken literally, equation 15 would answer M = 3.68 (p = .055) to a single one
    tables = np.zeros((5, 2, 2, 2), int)
    tables[..., 1, 1] = 20
    for k, (count, cell) in enumerate(((n01, (0, 1)), (n10, (1, 0)))):
        for each in range(count):
            tables[(each, k, *cell)] += 1
            tables[each, k, 1, 1] -= 1
    assert 20 * (abs(n01 - n10) / 10 - 11 / 20) ** 2 / (11 * (n01 + n10) / 10) == pytest.approx(literal, abs=0.006)
    test = BlockedFiveByTwoMcNemar(tables, alpha=0.1)
    assert (test.statistic, test.pvalue, test.reject) == (0, 1, False)


def test_a_difference_of_just_the_correction_is_nothing():
    # rho1 = 0, rho2 = 1/2: t = 2, and means of .6 and 1.1 lie 1/2 apart, up to rounding noise that must not count
    assert abs(2 * 0.6 - 2 * 1.1) - 1 > 0
    tables = np.zeros((5, 2, 2, 2), int)
    tables[..., 0, 1] = [[2, 0], [2, 0], [2, 0], [0, 0], [0, 0]]
    tables[..., 1, 0] = [[3, 3], [3, 2], [0, 0], [0, 0], [0, 0]]
    tables[..., 1, 1] = 20 - tables.sum((2, 3))
    test = BlockedFiveByTwoMcNemar(tables, rho1=0, rho2=0.5)
    assert (test.n01, test.n10) == (0.6, 1.1)
    assert (test.statistic, test.pvalue) == (0, 1)


def test_the_number_of_records_is_whole():
    # tenths do not add up exactly: 60 + 57.4 + 22.3 + 10.3 is not quite 150
    tables = np.zeros((5, 2, 2, 2), int)
    for cell, total in (((0, 0), 600), ((0, 1), 574), ((1, 0), 223)):
        parts = [total // 10 + (k < total % 10) for k in range(10)]
        tables[(..., *cell)] = np.reshape(parts, (5, 2))
    tables[..., 1, 1] = 150 - tables.sum((2, 3))
    assert tables[..., 1, 1].sum() == 103
    test = BlockedFiveByTwoMcNemar(tables)
    assert 2 * test.mean_table.ravel().cumsum()[-1] != 300
    assert test.n == 300


def test_identical_and_swapped_classifiers():
    tables = np.zeros((5, 2, 2, 2), int)
    tables[..., 0, 0], tables[..., 1, 1] = 7, 33
    test = BlockedFiveByTwoMcNemar(tables)
    assert (test.statistic, test.pvalue, test.reject, test.effect_size, test.r, test.variance) == (0, 1, False, 0, 0.5, 0)
    assert "no evidence against H0" in test.conclusion
    never_right = BlockedFiveByTwoMcNemar(tables[:, :, ::-1, ::-1] * [[1, 0], [0, 0]])
    assert (never_right.q_a, never_right.pvalue) == (0.5, 1)
    tables = draw(8)
    one, other = BlockedFiveByTwoMcNemar(tables), BlockedFiveByTwoMcNemar(np.swapaxes(tables, 2, 3))
    assert (one.pvalue, one.effect_size) == (other.pvalue, pytest.approx(-other.effect_size, rel=1e-12))
    assert one.effect_size > 0  # A is right more often


def test_mean_tables_and_scores():
    test = BlockedFiveByTwoMcNemar.from_steps(mean_table=[[5.1, 2], [8, 34.9]])
    assert (test.n, test.statistic) == (100, pytest.approx(20 / 11 * (6 - 11 / 20) ** 2 / 10, rel=1e-12))
    tables = draw(9, repetitions=(3,))
    accuracy = [tables[:, :, 1].sum(2) / tables.sum((2, 3)), tables[:, :, :, 1].sum(2) / tables.sum((2, 3))]
    test = BlockedFiveByTwoMcNemar.from_scores(Scores(BLOCKED_FIVE_BY_TWO, *accuracy, tables=tables), rho2=0.3)
    np.testing.assert_array_equal(test.statistic, BlockedFiveByTwoMcNemar(tables, rho2=0.3).statistic)
    with pytest.raises(ValueError, match=r"BlockedFiveByTwoMcNemar needs .*right and wrong"):
        BlockedFiveByTwoMcNemar.from_scores(Scores(BLOCKED_FIVE_BY_TWO, *accuracy))
    with pytest.raises(ValueError, match=f"needs scores on the splits of .*{BLOCKED_FIVE_BY_TWO}.* on {FIVE_BY_TWO}"):
        BlockedFiveByTwoMcNemar.from_scores(Scores(FIVE_BY_TWO, *accuracy, tables=tables))


# -- scores, and what is refused -----------------------------------------------------------------------------------------
def test_a_wrong_repetition_is_named():
    tables = draw(1)
    tables[2, 0, 1, 1] += 1
    assert_raises(lambda: BlockedFiveByTwoMcNemar(tables), "got 83 records in repetition 1 and 84 in repetition 3")
    tables = draw(1, repetitions=(4,))
    tables[3, 1, 1, 1, 2] += 5
    assert_raises(lambda: BlockedFiveByTwoMcNemar(tables), "got 83 records in repetition 1 and 88 in repetition 4")


def test_raw_tables_are_whole_and_shown_as_ten_lines():
    assert EffectivePosteriors([[0.5, 1], [2, 3]]).n == 6.5
    assert_raises(lambda: EffectivePosteriors([[-1, 1], [2, 3]]), "`table` cannot be negative; got -1")
    test = BlockedFiveByTwoMcNemar(draw(1))
    lines = [line.split() for line in repr(test).splitlines()]
    shown = [line[2:] for line in lines if len(line) == 6 and line[0][:-1].isdigit() and line[0].endswith(",")]
    assert [[int(x) for x in line] for line in shown] == test.tables.reshape(10, 4).tolist()
    assert "A wrong, B right" in repr(test)
    html = test._repr_html_()
    assert f'<th scope="row">5, 2</th><td data-step="tables[9,0]">{test.tables[4, 1, 0, 0]:g}</td>' in html
