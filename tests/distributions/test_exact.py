"""Exact null distributions: every probability against whole numbers, attained levels, large samples, and how far they reach."""

import tracemalloc
from collections import Counter
from fractions import Fraction
from itertools import accumulate, combinations, permutations, product
from math import comb, prod

import numpy as np
import pytest
from scipy import stats
from shortcuts import parametrize

from fstats import Friedman, ImanDavenport, McNemarExact, McNemarMidP, Quade, RankSum, SignedRank, SignTest, critical_values
from fstats.core.number_format import format_plain, format_power
from fstats.core.numerics.average_ranks import average_ranks
from fstats.distributions import mann_whitney_u
from fstats.distributions.exact_rank_distributions import DrawnRankSum, SignedRankSum
from fstats.distributions.hypergeometric_rank_sum import grouped_sum_cdf, tie_groups
from fstats.distributions.rank_sum_counting import count_draws_row, count_draws_rows
from fstats.distributions.symmetric_binomial import MAX_TABLE_N, MidPBinomial, SymmetricBinomial
from fstats.distributions.untied_signed_rank_sum import signed_rank_sum
from fstats.procedures.multiple.friedman_null_distribution import _row_permutations, permutation_count
from fstats.procedures.pairwise import hodges_lehmann, rank_sum, signed_rank
from fstats.procedures.pairwise.hodges_lehmann import SortedPairSums


# -- whole numbers, counted one by one ---------------------------------------------------------------------------------------
def ways_to_sign(ranks):
    """How many of the 2^n signs have each sum, by dictionary."""
    ways = {0: 1}
    for rank in ranks:
        grown = Counter(ways)
        for total, count in ways.items():
            grown[total + rank] += count
        ways = grown
    return ways


def ways_to_draw(ranks, m):
    """How many of the draws of m ranks have each sum."""
    ways = [Counter({0: 1}), *(Counter() for _ in range(m))]
    for rank in ranks:
        for drawn in range(m, 0, -1):
            for total, count in ways[drawn - 1].items():
                ways[drawn][total + rank] += count
    return ways[m]


def tails(ways):
    """Values, P(X <= value), P(X >= value): the fractions, each rounded once."""
    values = sorted(ways)
    below = list(accumulate(ways[x] for x in values))
    above = list(accumulate(ways[x] for x in reversed(values)))[::-1]
    total = below[-1]
    return np.array(values, float), [count / total for count in below], [count / total for count in above]


def untied_ways(n):
    """The same as ways_to_sign of 1, ..., n, faster."""
    ways = [1]
    for rank in range(1, n + 1):
        ways = [a + b for a, b in zip(ways + [0] * rank, [0] * rank + ways, strict=True)]
    return dict(enumerate(ways))


def assert_exactly(null, ways, least=0.0, at=slice(None)):
    """Both tails at every value are the correctly rounded fractions; attained levels are levels; what lies between is there too."""
    values, below, above = tails(ways)
    values = values + least
    values, below, above = values[at], below[at], above[at]
    assert null.at_most(values[0] - 0.25) == 0
    for x, down, up in zip(values, below, above, strict=True):
        assert (null.at_most(x), null.at_least(x)) == (down, up)
        if down < 0.5:  # near 1 neighbours are the same float
            assert null.low(down) == x
        if up < 0.5:
            assert null.high(up) == x


def some(values, number=40):
    """Every so many of the values."""
    return slice(None, None, max(1, len(values) // number))


TIED = [[1.5, 1.5, 3, 4.5, 4.5, 6], [2, 2, 2, 4], [1, 2, 3.5, 3.5], [2.5] * 4, [1, 3, 3, 3, 5, 6.5, 6.5, 8, 9]]


@pytest.mark.parametrize("ranks", TIED, ids=str)
def test_tied_ranks_given_signs_or_drawn(ranks):
    assert_exactly(SignedRankSum(np.array(ranks)), ways_to_sign(ranks))
    for m in range(1, len(ranks)):
        assert_exactly(DrawnRankSum(np.array(ranks), m), ways_to_draw(ranks, m), -m * (m + 1) / 2)


@pytest.mark.parametrize("n", [*range(1, 12), 30, 52, 53, 54, 55, 64, 66, 80, 100, 149, 150])
def test_every_probability_of_signed_ranks_without_ties(n):
    ways = untied_ways(n)
    assert_exactly(SignedRankSum(np.arange(1.0, n + 1)), ways, at=some(ways))


@pytest.mark.parametrize("zeros", [0, 3])
def test_an_untied_sample_among_tied_ones_has_the_same_probabilities(zeros):
    untied = np.r_[np.zeros(zeros), np.arange(1.0, 71)]
    tied = np.r_[np.zeros(zeros), 1.5, 1.5, np.arange(3.0, 71)]
    batch = SignedRankSum(np.stack([untied, tied], axis=1))
    drawn = DrawnRankSum(np.stack([untied, tied], axis=1)[zeros:], 33)
    for x in (700.0, 900.0, 1200.0, 1242.0, 1300.0):
        singles = [SignedRankSum(column) for column in (untied, tied)]
        assert batch.at_most(x).tolist() == [null.at_most(x) for null in singles]
        singles_drawn = [DrawnRankSum(column[zeros:], 33) for column in (untied, tied)]
        assert drawn.at_most(x / 2).tolist() == [null.at_most(x / 2) for null in singles_drawn]
        assert drawn.at_least(x / 2).tolist() == [null.at_least(x / 2) for null in singles_drawn]


@parametrize("m, n", (1, 1), (1, 9), (9, 1), (3, 4), (10, 10), (28, 28), (29, 29), (30, 31), (12, 60), (60, 80), (100, 100))
def test_every_probability_of_drawn_ranks_without_ties(m, n):
    below = mann_whitney_u.cumulative_ways(m, n)
    assert below[-1] == comb(m + n, m)
    if m + n <= 20:
        ways = ways_to_draw(range(1, m + n + 1), m)
        assert below == list(accumulate(ways[x] for x in sorted(ways)))
    ways = dict(enumerate(np.diff(np.array([0, *below], object))))
    assert_exactly(DrawnRankSum(np.arange(1.0, m + n + 1), m), ways, at=some(ways))


@pytest.mark.complete
@pytest.mark.parametrize(("m", "n"), [(20, 20), (25, 35), (40, 24), (3, 90)])
@pytest.mark.parametrize("different", [6, 25])
def test_drawn_ranks_with_ties_beyond_small_samples(m, n, different):
    ranks = average_ranks(np.random.default_rng(m).integers(0, different, m + n).astype(float))
    ways = ways_to_draw((2 * ranks).astype(int).tolist(), m)
    values, below, above = tails(ways)
    null = DrawnRankSum(ranks, m)
    total = sum(ways.values())
    for x, down, up in list(zip(values / 2 - m * (m + 1) / 2, below, above, strict=True))[:: max(1, len(values) // 50)]:
        if total < 2**53 or down * total < 2**53:
            assert null.at_most(x) == down
        assert (null.at_most(x), null.at_least(x)) == (pytest.approx(down, rel=1e-13), pytest.approx(up, rel=1e-13))


def right_or_wrong(a, b, c, d):
    """The draw of a + b scores, a of them 1, beside c + d, and its U; scores are 1 and 0."""
    ranks = average_ranks(np.repeat([1.0, 0.0, 1.0, 0.0], [a, b, c, d]))
    m = a + b
    return DrawnRankSum(ranks, m), ranks[:m].sum() - m * (m + 1) / 2


def hypergeometric_tails(a, b, c, d):
    """P(X <= a) and P(X >= a) of the ones among a + b drawn, as fractions."""
    total, ones, m = a + b + c + d, a + c, a + b
    ways = {x: comb(ones, x) * comb(total - ones, m - x) for x in range(max(0, m - b - d), min(ones, m) + 1)}
    below = sum(count for x, count in ways.items() if x <= a)
    return Fraction(below, comb(total, m)), Fraction(comb(total, m) - below + ways[a], comb(total, m))


TWO_SCORES = [
    (3, 1, 2, 4),
    (30, 12, 25, 17),
    (512, 3, 506, 9),
    (495, 5, 790, 9),
    (700, 324, 10, 3),
    (1400, 600, 900, 1100),
    (2, 2500, 9, 2500),
]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("table", TWO_SCORES, ids=str)
def test_two_different_scores_follow_the_hypergeometric_law(table):
    null, u = right_or_wrong(*table)
    exactly_right = sum(table) <= 1024
    for found, fraction in zip((null.at_most(u), null.at_least(u)), hypergeometric_tails(*table), strict=True):
        assert found == (float(fraction) if exactly_right else pytest.approx(float(fraction), rel=1e-12))
    for alpha in (0.025, 0.3):  # the least extreme value that is a level
        assert null.at_most(null.low(alpha)) <= alpha < null.at_most(null.low(alpha) + sum(table) / 2)
        assert null.at_least(null.high(alpha)) <= alpha < null.at_least(null.high(alpha) - sum(table) / 2)
    values, chances = null.atoms()
    assert chances.sum() == pytest.approx(1)
    assert np.all(np.isclose(np.diff(values), sum(table) / 2))


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("table", [(4998, 2, 4991, 9), (60_000, 40_000, 59_700, 40_300), (300_000, 7, 299_990, 17)], ids=str)
def test_two_different_scores_are_fishers_exact_test(table):
    a, b, c, d = table
    null, u = right_or_wrong(*table)
    law = stats.hypergeom(sum(table), a + c, a + b)
    np.testing.assert_allclose([null.at_most(u), null.at_least(u)], [law.cdf(a), law.sf(a - 1)], rtol=1e-9)
    assert null.at_least(u) == pytest.approx(stats.fisher_exact([[a, b], [c, d]], "greater").pvalue, rel=1e-9)


@pytest.mark.filterwarnings("error")
def test_rank_sums_of_thousands_that_are_right_or_wrong():
    found = RankSum([1] * 512 + [0] * 3, [1] * 506 + [0] * 9)
    assert found.pvalue == pytest.approx(float(2 * hypergeometric_tails(512, 3, 506, 9)[1]), rel=1e-14)
    assert RankSum([1] * 4998 + [0] * 2, [1] * 4991 + [0] * 9).pvalue == pytest.approx(0.0652846825)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("m", "n", "different"), [(12, 9, 3), (40, 30, 3), (25, 35, 4), (50, 15, 3), (12, 30, 5)])
def test_groups_of_equal_ranks_are_drawn_as_single_ranks_are(m, n, different):
    row = np.sort(np.rint(2 * average_ranks(np.random.default_rng(m).integers(0, different, m + n).astype(float))).astype(np.int64))
    step = int(np.gcd.reduce(row - row[0]))
    weights, sizes = tie_groups((row - row[0]) // step)
    values, below, _ = tails(ways_to_draw(row.tolist(), m))
    places = np.rint((values - row[:m].sum()) / step).astype(int)
    found = grouped_sum_cdf(weights, sizes, m)
    assert len(found) == places[-1] + 1
    np.testing.assert_allclose(found[places], below, rtol=1e-13)


@pytest.mark.filterwarnings("error")
def test_three_different_scores_of_thousands():
    ranks = average_ranks(np.repeat([0.0, 1.0, 2.0, 0.0, 1.0, 2.0], [9, 30, 961, 20, 35, 945]))
    u = ranks[:1000].sum() - 1000 * 1001 / 2
    ways = Counter()  # by hand: so many of the 29 zeros and of the 65 ones among the 1,000 drawn
    for zeros in range(30):
        for ones in range(66):
            total = zeros * 15 + ones * 62 + (1000 - zeros - ones) * 1047.5
            ways[total - 1000 * 1001 / 2] += comb(29, zeros) * comb(65, ones) * comb(1906, 1000 - zeros - ones)
    below = Fraction(sum(count for x, count in ways.items() if x <= u), comb(2000, 1000))
    above = Fraction(sum(count for x, count in ways.items() if x >= u), comb(2000, 1000))
    null = DrawnRankSum(ranks, 1000)
    np.testing.assert_allclose([null.at_most(u), null.at_least(u)], [float(below), float(above)], rtol=1e-12)


def test_large_and_differing_ties():
    with pytest.raises(ValueError, match="method='normal', which is rough if one score makes up most of the sample"):
        RankSum(np.arange(6000) // 3, np.arange(6000) // 2, method="exact").null.at_most(0)
    columns = np.stack([np.repeat([1.0, 0.0, 1.0, 0.0], sizes) for sizes in ([500, 20, 501, 19], [480, 40, 490, 30])], axis=1)
    batch = RankSum(columns[:520], columns[520:])
    singles = [RankSum(column[:520], column[520:]) for column in columns.T]
    assert batch.pvalue.tolist() == [single.pvalue for single in singles]
    assert batch.critical_value.low.tolist() == [single.critical_value.low for single in singles]


def test_one_row_or_many_rows_are_counted_alike():
    rng = np.random.default_rng(0)
    for total in (2, 5, 9, 14):
        rows = np.sort(2 * average_ranks(rng.integers(0, 6, (total, 4)).astype(float)), axis=0).astype(np.int64).T
        for m in range(1, total):
            for row, counts in zip(rows, count_draws_rows(rows, m), strict=True):
                alone = count_draws_row(row, m)
                least = int(row[:m].sum())
                assert alone.tolist() == counts[least : least + len(alone)].tolist()
                assert alone.sum() == counts.sum() == comb(total, m)


def coins(n):
    """The ways of n fair coins."""
    return {k: comb(n, k) for k in range(n + 1)}


@pytest.mark.parametrize("n", [0, 1, 2, 3, 7, 12, 20, 52, 53, 54, 60, 99, 140, 333, MAX_TABLE_N])
def test_every_probability_of_fair_coins(n):
    assert_exactly(SymmetricBinomial(n), coins(n), at=some(range(n + 1)))
    _, below, _ = tails(coins(n))
    half = [Fraction(a + b, 2 ** (n + 1)) for a, b in zip([0, *accumulate(coins(n).values())], accumulate(coins(n).values()), strict=False)]
    k = np.arange(n + 1.0)
    for counts in (np.full(n + 1, n), np.full(n + 1, float(n))):
        assert SymmetricBinomial(counts).at_most(k).tolist() == below
        assert MidPBinomial(SymmetricBinomial(counts)).at_most(k).tolist() == [float(p) for p in half]
        assert MidPBinomial(SymmetricBinomial(counts)).at_least(n - k).tolist() == [float(p) for p in half]
    assert MidPBinomial(SymmetricBinomial(n)).at_most(n // 2) == float(half[n // 2])


@pytest.mark.parametrize("n", [MAX_TABLE_N + 1, 2000, pytest.param(5001, marks=pytest.mark.slow)])
def test_many_coins_are_right_to_12_digits(n):
    below = [count / 2**n for count in accumulate(coins(n).values())]
    k = np.arange(0.0, n + 1)
    seen = np.array(below) > 1e-300
    np.testing.assert_allclose(SymmetricBinomial(np.full(n + 1, n)).at_most(k)[seen], np.array(below)[seen], rtol=1e-12)


def test_numbers_of_coins_may_differ():
    n = np.array([0, 3, 3, 40, MAX_TABLE_N, MAX_TABLE_N + 1, 10**6])
    for x in (-1.0, 0.0, 2.5, 19.0, 250.0, 499_000.0):
        for null in (SymmetricBinomial, lambda count: MidPBinomial(SymmetricBinomial(count))):
            assert null(n).at_most(x).tolist() == [null(int(count)).at_most(x) for count in n]
            assert null(n).at_least(x).tolist() == [null(int(count)).at_least(x) for count in n]


@parametrize(
    "null",
    SymmetricBinomial(5),
    SymmetricBinomial(np.array([5, 700])),
    SymmetricBinomial(700),
    MidPBinomial(SymmetricBinomial(5)),
    SignedRankSum(np.arange(1.0, 6)),
)
def test_tails_at_infinity(null):
    for tail, end in ((null.at_most, np.inf), (null.at_least, -np.inf)):
        assert np.all(tail(end) == 1)
        assert np.all(tail(-end) == 0)


# -- attained levels ------------------------------------------------------------------------------------------------------------
def permuted(ranks):
    """How often Friedman's statistic (as a sum of squares of doubled rank sums) occurs, over all orders of each row but the first."""
    k = ranks.shape[1]
    ways = Counter({tuple(ranks[0].tolist()): 1})
    for row in ranks[1:].tolist():
        grown = Counter()
        for order in permutations(row):
            for sums, count in ways.items():
                grown[tuple(sorted(a + b for a, b in zip(sums, order, strict=True)))] += count
        ways = grown
    spread = Counter()
    for sums, count in ways.items():
        spread[sum((2 * x - len(ranks) * (k + 1)) ** 2 for x in sums)] += count
    return spread


def outcomes(test):
    """Tests of one kind with every outcome, and the exact p of each."""
    if test in (McNemarExact, McNemarMidP, SignTest):
        for n in (5, 8, 13, 60, 77, 140):
            below = [0, *accumulate(coins(n).values())]
            for few in range(n // 2 + 1):
                ways = below[few] + below[few + 1] if test is McNemarMidP else 2 * below[few + 1]
                p = min(Fraction(1), Fraction(ways, 2**n))
                half = p if test is McNemarMidP else Fraction(below[few + 1], 2**n)
                half = Fraction(ways, 2 ** (n + 1)) if test is McNemarMidP else half
                names = ("losses", "wins") if test is SignTest else ("n01", "n10")
                counts = dict(zip(names, (few, n - few), strict=True))
                yield lambda counts=counts, **settings: test.from_steps(**counts, **settings), p, half
    elif test is SignedRank:
        for n in (4, 9, 16, 31, 58, 90):
            ranks = np.arange(1.0, n + 1)
            below = list(accumulate(untied_ways(n).values()))
            for w in range(0, n * (n + 1) // 4, max(1, n // 8)):
                counts = {"ranks": ranks, "w_minus": float(w), "w_plus": ranks.sum() - w}
                p = Fraction(below[w], 2**n)
                yield lambda counts=counts, **settings: test.from_steps(**counts, **settings), min(Fraction(1), 2 * p), p
    elif test is RankSum:
        for m, n in ((3, 4), (8, 7), (20, 25), (33, 31)):
            below = mann_whitney_u.cumulative_ways(m, n)
            for u in range(0, m * n // 2, max(1, m * n // 40)):
                ranks = np.roll(np.arange(1.0, m + n + 1), m)  # A's m are the largest
                u_of_a, p = float(m * n - u), Fraction(below[u], below[-1])
                start = {"n_x": m, "n_y": n, "ranks": ranks}
                yield (
                    lambda start=start, u_of_a=u_of_a, **settings: test.from_steps(**start, **settings).assuming(statistic=u_of_a),
                    min(Fraction(1), 2 * p),
                    p,
                )


@pytest.mark.complete
@pytest.mark.parametrize("test", [McNemarExact, McNemarMidP, SignTest, SignedRank, RankSum])
def test_p_is_the_fraction_correctly_rounded_and_at_that_level_the_test_rejects(test):
    seen = 0
    for make, two_sided, one_sided in outcomes(test):
        for alternative, exact in (("two-sided", two_sided), ("greater", one_sided)):
            p = make(alternative=alternative).pvalue
            assert p == float(exact)
            if p <= 0.5:  # a larger level is refused
                at_the_level = make(alternative=alternative, alpha=float(p))
                assert at_the_level.reject
                statistic, c = at_the_level.statistic, at_the_level.critical_value
                low, high = c if isinstance(c, tuple) else (c, c)
                assert statistic == (high if test is RankSum else low)
                assert not make(alternative=alternative, alpha=float(np.nextafter(p, 0))).reject
            seen += 1
    assert seen > 100


FRIEDMAN = [
    [[1, 2, 3]] * 5,
    [[1, 2.5, 2.5], [1, 2, 3], [1.5, 1.5, 3], [2, 2, 2]],
    [[1, 2, 3, 4]] * 4,
    [[1.5, 1.5, 3, 4], [1, 2, 3.5, 3.5], [1, 3, 3, 3], [2, 2, 2, 4]],
    [[1, 2, 3, 4, 5]] * 3,
]


@pytest.mark.parametrize("ranks", FRIEDMAN, ids=str)
def test_permuted_ranks_have_the_exact_fractions_and_attained_levels(ranks):
    ranks = np.array(ranks, float)
    null = Friedman.from_steps(ranks=ranks, method="exact").null
    values, below, above = tails(permuted(ranks))
    own, _ = null.atoms()
    assert len(own) == len(values)
    assert (null.at_most(own[0] - 1), null.at_least(own[-1] + 1)) == (0, 0)
    for x, down, up in zip(own, below, above, strict=True):
        assert (null.at_most(x), null.at_least(x), null.high(up)) == (down, up, pytest.approx(x, rel=1e-11))
        assert null.low(down) == pytest.approx(x, rel=1e-11)


def test_orders_of_tied_ranks():
    for row in ([1, 2, 3], [2, 2, 5], [4, 4, 4], [1, 2, 2, 3, 3], [7]):
        lines = _row_permutations(tuple(row)).tolist()
        assert (sorted(map(tuple, lines)), len(lines)) == (sorted(set(permutations(row))), permutation_count(row))
    with pytest.raises(ValueError, match=r"the exact distribution of 3 x 13 ranks needs more than .* Use fstats.ImanDavenport"):
        _ = Friedman(np.random.default_rng(0).normal(size=(3, 13)), method="exact").pvalue


# -- large samples --------------------------------------------------------------------------------------------------------------
@pytest.mark.complete
@pytest.mark.parametrize(("m", "n"), [(100, 101), (101, 101), (101, 140), (150, 150), (4, 3000), (40, 700)])
def test_large_samples_against_whole_numbers(m, n):
    below = mann_whitney_u.count_ways(min(m, n), max(m, n), m * n // 2, object).cumsum()
    total = comb(m + n, m)
    exact = np.array([count / total for count in below.tolist()])
    seen = exact > 1e-300
    found = mann_whitney_u.probabilities(m, n).cumsum()
    np.testing.assert_allclose(found[: len(exact)][seen], exact[seen], rtol=1e-13)


@pytest.mark.complete
def test_the_lower_end_of_larger_samples_against_whole_numbers():
    m = n = 350
    below = mann_whitney_u.count_ways(m, n, 15_000, object).cumsum().tolist()
    exact = np.array([count / comb(m + n, m) for count in below])
    np.testing.assert_allclose(mann_whitney_u.probabilities(m, n).cumsum()[: len(exact)], exact, rtol=1e-12)


@pytest.mark.complete
@pytest.mark.parametrize(("m", "n"), [(1000, 1000), (300, 1500)])
def test_moments_of_very_large_samples(m, n):
    chances = mann_whitney_u.probabilities(m, n)
    u = np.arange(len(chances)) - m * n / 2
    total = m + n
    variance = m * n * (total + 1) / 12
    fourth = m * n * (total + 1) * (5 * m * n * total - 2 * (m * m + n * n) + 3 * m * n - 2 * total) / 240
    assert (len(chances), chances.tolist()) == (m * n + 1, chances[::-1].tolist())
    assert (chances >= 0).all()
    assert (chances.sum(), (chances * u**2).sum()) == (pytest.approx(1, rel=1e-13), pytest.approx(variance, rel=1e-13))
    assert (chances * u**4).sum() == pytest.approx(fourth, rel=1e-12)


@pytest.mark.complete
def test_a_thousand_scores_each():
    x = np.arange(1000.0)
    test = RankSum(x + 30.5, x)
    normal = RankSum(x + 30.5, x, method="normal")
    assert (test.pvalue, test.ci) == (pytest.approx(normal.pvalue, rel=2e-3), normal.ci)
    assert "p = " in repr(test)
    assert RankSum(x + 2000, x).pvalue > 0


def test_signed_ranks_beyond_whole_numbers():
    n = 300
    ways = np.zeros(n * (n + 1) // 2 + 1, object)
    ways[0] = 1
    for rank in range(1, n + 1):
        ways[rank:] += ways[:-rank].copy()
    exact = np.array([count / 2**n for count in ways.cumsum().tolist()])
    np.testing.assert_allclose(
        SignedRankSum(np.arange(1.0, n + 1)).at_most(np.arange(len(exact), dtype=float)[::97]), exact[::97], rtol=1e-14
    )


@pytest.mark.parametrize("n", [723, 725, 900])  # where one long row is counted differently from many short ones
def test_long_rows_of_signs(n):
    null = SignedRankSum(np.arange(1.0, n + 1))
    most = n * (n + 1) / 2
    assert null.at_most(most / 2) + null.at_least(most / 2 + 0.5) == pytest.approx(1, abs=1e-14)
    for k, count in enumerate([1, 2, 3, 5, 7, 10]):  # sums of different whole numbers: 0; 1; 2; 3 and 2 + 1; ...
        assert null.at_most(float(k)) == count * 2.0**-n
    assert null.at_most(most) == 1
    mean = most - null.at_most(np.arange(most + 1))[:-1].sum()
    assert mean == pytest.approx(most / 2, rel=1e-13)


# -- the reach --------------------------------------------------------------------------------------------------------------------
def too_large():
    rng = np.random.default_rng(0)
    tied = rng.integers(0, 50, (2, 1000)) / 10
    many = rng.normal(size=(2, 20_000))
    return {
        "RankSum with ties": (RankSum, tied, "1,000 and 1,000 scores with ties"),
        "RankSum without ties": (RankSum, many, "20,000 and 20,000 scores without ties"),
        "SignedRank with ties": (SignedRank, many.round(2), "ranks"),
    }


@pytest.mark.complete
@pytest.mark.parametrize("name", too_large())
def test_beyond_the_reach_exact_says_what_to_write_instead_and_normal_answers(name):
    test, (a, b), words = too_large()[name]
    for what in ("pvalue", "critical_value"):
        with pytest.raises(ValueError, match=rf"the exact distribution of .*{words}.* the limit is .*[Ww]rite .?method='normal'"):
            _ = getattr(test(a, b, method="exact"), what)
    normal, default = test(a, b, method="normal"), test(a, b)
    assert (default.method, default.pvalue, default.critical_value) == ("normal", normal.pvalue, normal.critical_value)
    assert "is too large to compute: p comes from the normal curve" in default.conclusion
    assert "too large" not in normal.conclusion
    assert 0 < normal.pvalue < 1
    assert normal.ci.low < normal.estimate < normal.ci.high
    assert "conclusion" in normal.to_dict()


def test_the_reach_is_known_before_anything_is_allocated(monkeypatch):
    def nothing(*_args, **_settings):
        raise MemoryError("a table was made")

    for name in ("count_draws_row", "count_draws_rows", "sign_cdf_rows", "sign_cdf_row"):
        monkeypatch.setattr(f"fstats.distributions.rank_sum_counting.{name}", nothing)
    monkeypatch.setattr(mann_whitney_u, "cdf", nothing)
    for name, (test, (a, b), _) in too_large().items():
        with pytest.raises(ValueError, match="the limit is"):
            _ = test(a, b, method="exact").pvalue
        assert name


@pytest.mark.parametrize("n", [1_501, pytest.param(2_000, marks=pytest.mark.complete)])
def test_many_ranks_without_ties_by_integrals_and_by_a_table(n):
    table, integrals = SignedRankSum(np.arange(1.0, n + 1)), signed_rank_sum(np.arange(n, 0.0, -1), 0.5)
    sums = np.floor(table.weights.sum() / 2 - np.sqrt((table.weights**2).sum() / 4) * np.linspace(-3, 40, 60))
    counted, integrated = table.at_most(sums), integrals.at_most(sums + 0.5)
    assert type(integrals) is not type(table)
    assert (counted < 1e-300).any()
    np.testing.assert_allclose(integrated, counted, rtol=2e-12, atol=1e-300)
    np.testing.assert_allclose(integrals.at_least(sums + 0.5), table.at_least(sums), rtol=2e-12, atol=1e-300)
    for alpha in (0.4, 0.025, 1e-9, 1e-250):
        assert (integrals.low(alpha), integrals.high(alpha)) == (table.low(alpha) + 0.5, table.high(alpha) + 0.5)
    assert integrals.at_most(-0.5) == 0


def test_the_bound_of_the_normal_curve_holds():
    """On tied ranks of few and of many data sets; the bound falls as 1 / sqrt(n)."""
    rng = np.random.default_rng(5)
    for n in (5, 20, 300):
        exact = SignedRank(rng.integers(1, 9, n) * 1.0, np.zeros(n), method="exact")
        normal = SignedRank.from_steps(ranks=exact.ranks, method="normal")
        x = np.arange(0, exact.ranks.sum() + 0.5, 0.5)
        off = np.abs(exact.null.at_most(x) - normal.null.at_most(x)).max()
        assert 0 < off <= normal.normal_error < 1.6 / n**0.5


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
@pytest.mark.parametrize("test", [SignedRank, RankSum])
def test_normal_computes_nothing_exact(test, alternative, monkeypatch):
    def forbidden(*_args):
        raise AssertionError("an exact distribution was made")

    monkeypatch.setattr(signed_rank, "signed_rank_sum", forbidden)
    monkeypatch.setattr(rank_sum, "DrawnRankSum", forbidden)
    a, b = np.random.default_rng(1).normal(size=(2, 40))
    one = test(a, b, method="normal", alternative=alternative)
    assert "approximation" in type(one).__doc__
    assert "roughly" in repr(one) or "roughly" in one.to_latex()
    low, high = one.ci
    assert low <= one.estimate <= high


@pytest.mark.complete
@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
@pytest.mark.parametrize("method", ["exact", "normal"])
def test_the_interval_holds_what_the_test_does_not_reject(method, alternative):
    rng = np.random.default_rng(2)
    for alpha in (0.03, 0.05, 0.2, 1 / 64, 2 / 35, 0.0009765625):
        for n_x, n_y in ((3, 4), (6, 9), (12, 12)):
            x, y = rng.normal(size=n_x), rng.normal(size=n_y)
            settings = {"method": method, "alternative": alternative, "alpha": alpha}
            for make in (
                lambda shift, x=x, settings=settings: SignedRank(x - shift, 0 * x, **settings),
                lambda shift, x=x, y=y, settings=settings: RankSum(x - shift, y, **settings),
            ):
                ends = make(0.0).ci
                for end, outwards in ((ends.low, -1), (ends.high, 1)):
                    if np.isfinite(end):
                        assert not make(end - outwards * 1e-6).reject
                        assert make(end + outwards * 1e-6).reject
                if not np.isfinite(ends.low) and not np.isfinite(ends.high):
                    assert not make(1e6).reject
                    assert not make(-1e6).reject


@pytest.mark.complete
def test_critical_values_of_large_samples():
    table = critical_values(RankSum, n=[(400, 500)], alpha=[0.05])
    assert table[400, 500][0.05] == pytest.approx(100_000 - 1.959964 * np.sqrt(400 * 500 * 901 / 12), abs=2)
    expected = pytest.approx(250_250 - 1.959964 * np.sqrt(250_250 * 2001 / 6), abs=2)
    assert critical_values(SignedRank, n=1000, alpha=0.05)[1000][0.05] == expected


# -- pairs in order -----------------------------------------------------------------------------------------------------------
@pytest.mark.complete
@pytest.mark.parametrize("kind", ["different", "with ties", "all equal", "two values", "far away", "tiny"])
@pytest.mark.parametrize("upper", [False, True])
def test_pairs_in_order_without_writing_all_of_them_down(kind, upper, monkeypatch):
    rng = np.random.default_rng(3)
    for n_x, n_y in ((1, 1), (2, 5), (7, 7), (30, 41)):
        x, y = rng.normal(size=n_x), rng.normal(size=n_x if upper else n_y)
        if kind == "with ties":
            x, y = x.round(1), y.round(1)
        elif kind == "all equal":
            x, y = 0 * x + 0.1, 0 * y + 0.2
        elif kind == "two values":
            x, y = np.sign(x), np.sign(y)
        elif kind == "far away":
            x, y = x + 1e6, y - 1e9
        elif kind == "tiny":
            x, y = x * 1e-200, y * 1e-200
        y = x if upper else y
        monkeypatch.setattr(hodges_lehmann, "MAX_STORED_SUMS", 2**22)
        whole = SortedPairSums(x, y, upper)
        written = [whole[k] for k in range(len(whole))]
        monkeypatch.setattr(hodges_lehmann, "MAX_STORED_SUMS", 8)
        searched = SortedPairSums(x, y, upper)
        found = [searched[k] for k in range(len(whole))]
        np.testing.assert_allclose(found, written, rtol=1e-13, atol=4 * np.spacing(np.abs(written).max()))
        assert (searched.median, searched[-1]) == (pytest.approx(np.median(written), rel=1e-13, abs=1e-300), found[-1])
        with pytest.raises(IndexError):
            _ = searched[len(whole)]


def test_of_many_pairs_few_are_in_memory(monkeypatch):
    x, y = np.random.default_rng(5).normal(size=(2, 400))
    monkeypatch.setattr(hodges_lehmann, "MAX_STORED_SUMS", 2**10)
    tracemalloc.start()
    found, (_, most) = SortedPairSums(x, y).median, tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert found == pytest.approx(np.median(x[:, None] + y), rel=1e-12)
    assert most < 10 * 8 * (400 + 2**10) < 8 * 400**2 / 8  # bytes


def test_pairs_in_order_of_many_repetitions(monkeypatch):
    x, y = np.random.default_rng(4).normal(size=(2, 9, 2, 3))
    whole = SortedPairSums(x, y)[20]
    monkeypatch.setattr(hodges_lehmann, "MAX_STORED_SUMS", 8)
    assert SortedPairSums(x, y)[20].tolist() == whole.tolist()


# -- complete agreement -----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("n", "k"), [(2, 2), (3, 2), (2, 3), pytest.param(3, 3, marks=pytest.mark.slow), (2, 4)])
@pytest.mark.parametrize("test", [ImanDavenport, Quade])
def test_the_probability_of_complete_agreement_is_that_of_all_permutations(test, n, k):
    lines = [line for line in product(range(k), repeat=k) if min(line) == 0]
    tables = product(lines, repeat=n) if len(lines) ** n < 8000 else ([line] * n for line in lines)
    probabilities = set()
    for table in tables:
        one = test(np.array(table, float) + 0.25)  # a table of 0, 1 and 2 may hold counts of wins
        if not np.isinf(one.statistic):
            continue
        orders = [sorted(permutations(line)) for line in table]
        batch = np.moveaxis(np.array(list(product(*orders)), float), 0, -1)
        exact = Fraction(int(np.isinf(test(batch).statistic).sum()), prod(map(len, orders)))
        assert f"the exact probability of this event is {format_plain(float(exact))}." in one.conclusion
        probabilities.add(exact)
    assert len(probabilities) == len({permutation_count(line) for line in lines} - {1})


@pytest.mark.parametrize("test", [ImanDavenport, Quade])
@pytest.mark.parametrize(("k", "n", "said"), [(20, 30, "6.344e-534"), (171, 2, "8.058e-310"), (171, 30, "1.907e-8964")])
def test_the_probability_of_complete_agreement_of_many_classifiers(test, k, n, said):
    words = test(np.tile(np.arange(float(k)), (n, 1))).conclusion
    assert words.endswith(f"the exact probability of this event is {said}.")
    ways = Fraction(prod(range(1, k + 1)) ** (n - 1))
    mantissa, exponent = said.split("e")
    assert float(Fraction(mantissa) * ways / Fraction(10) ** -int(exponent)) == pytest.approx(1, rel=5e-4)


def test_agreement_powers_and_draws():
    assert "the exact probability of this event without ties is 0.02778." in ImanDavenport.from_steps(n=3, k=3, chi_squared=6.0).conclusion
    for base, exponent in product((1, 2, 3, 6, 24, 720), (-700, -300, -3, -1, 1, 5, 400)):
        exact = Fraction(base) ** exponent
        written = format_power(base, exponent)
        if Fraction(1, 10**290) < exact < 10**290:
            assert written == format_plain(float(exact))
        else:
            mantissa, tens = written.split("e")
            assert Fraction(mantissa) * Fraction(10) ** int(tens) / exact == pytest.approx(1, rel=6e-4)
    scores = np.array([0.3, 0.1, 0.1, 0.5, 0.3, 0.9, 0.1])
    ranks = average_ranks(scores)
    sums = np.array([sum(draw) for draw in combinations(ranks, 3)]) - 6
    test = RankSum(scores[:3], scores[3:])
    observed = ranks[:3].sum() - 6
    assert test.pvalue == min(1, 2 * min((sums <= observed).sum() / 35, (sums >= observed).sum() / 35))
