"""The exact McNemar test against fractions of whole numbers, against SciPy, and from predictions to counts."""

from fractions import Fraction
from math import comb, erfc, sqrt

import numpy as np
import pytest
from scipy import stats
from shortcuts import assert_raises, parametrize

from fstats import McNemarExact, PairedTable

ALTERNATIVES = ("two-sided", "less", "greater")


def heads(n, low, high):
    """The chance that n tosses of a fair coin show low to high heads, as a fraction."""
    return Fraction(sum(comb(n, k) for k in range(low, high + 1)), 2**n)


def exact_p(n01, n10, alternative):
    """The definition: how likely is a split of the discordant records at least as extreme as this one?"""
    n = n01 + n10
    if alternative == "greater":  # A better: as few of n01, or fewer
        return heads(n, 0, n01)
    if alternative == "less":  # A worse: as few of n10, or fewer
        return heads(n, 0, n10)
    return min(Fraction(1), 2 * heads(n, 0, min(n01, n10)))


# -- p ----------------------------------------------------------------------------------------------------------------------
@pytest.mark.complete
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_all_small_tables_against_fractions_and_scipy(alternative):
    n01, n10 = (counts.ravel() for counts in np.mgrid[:25, :25])
    test = McNemarExact(n01, n10, alternative=alternative)
    for k, (i, j) in enumerate(zip(n01.tolist(), n10.tolist(), strict=True)):
        exact = exact_p(i, j, alternative)
        assert test.pvalue[k] == pytest.approx(float(exact), rel=1e-13)
        if i + j:
            theirs = stats.binomtest(j, i + j, alternative=alternative)  # how often A is right
            assert test.pvalue[k] == pytest.approx(theirs.pvalue, rel=1e-11)
        assert test.reject[k] == (exact <= Fraction("0.05"))


def test_few_records_and_p_at_alpha():
    test = McNemarExact(5, 0)
    assert (test.pvalue, test.critical_value, test.reject) == (2 / 32, -np.inf, False)
    assert "With so few discordant records, no outcome could have rejected H0 at this alpha." in test.conclusion
    assert McNemarExact(6, 0).reject
    assert McNemarExact(6, 0).remark == ""
    test = McNemarExact(5, 0, alpha=2 / 32)
    assert (test.pvalue, test.critical_value, test.reject) == (2 / 32, 0, True)


def test_statistic_and_effect_size():
    # s: records that system I gets wrong and II right; f: the other way round.  "II is better than I" has
    # p = P(S >= s), the sum from s to s + f.  With A = I and B = II this claims that A is worse: "less".
    for s, f in [(11, 1), (7, 3), (3, 7), (0, 4), (4, 0), (30, 14)]:
        p = sum(comb(s + f, k) for k in range(s, s + f + 1)) * 0.5 ** (s + f)
        assert McNemarExact(n01=s, n10=f, alternative="less").pvalue == pytest.approx(p, rel=1e-13)
    for alternative, statistic in (("two-sided", 3), ("greater", 9), ("less", 3)):
        assert McNemarExact(9, 3, alternative=alternative).statistic == statistic
    assert McNemarExact(11, 1).effect_size == 1 / 12 - 1 / 2
    assert McNemarExact([0, 4, 2, 0], [4, 0, 2, 0]).effect_size.tolist() == [0.5, -0.5, 0, 0]


def test_large_counts():
    n = 1_001_000
    test = McNemarExact(500_000, 501_000)
    # so near the middle of so many records the normal approximation with continuity correction has five digits
    z = (501_000 - 500_000 - 1) / sqrt(n)
    assert test.pvalue == pytest.approx(erfc(z / sqrt(2)), rel=1e-5)
    assert test.critical_value == pytest.approx(n / 2 - 1.959964 * sqrt(n) / 2, abs=1)
    wins = np.arange(500_500, 519_000, 100)
    p = McNemarExact(n - wins, wins).pvalue
    assert (np.diff(p) < 0).all()  # the more wins, the smaller p
    assert ((p > 0) & (p <= 1)).all()
    assert McNemarExact(0, 10**9).pvalue > 0  # too small for a float, but possible


# -- the critical value -------------------------------------------------------------------------------------------------------
@pytest.mark.complete
@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("alpha", ["0.10", "0.05", "0.01"])
def test_critical_value_by_trying_every_count(alternative, alpha):
    level = Fraction(alpha) / (2 if alternative == "two-sided" else 1)
    for n in range(61):
        rejecting = [k for k in range(n + 1) if heads(n, 0, k) <= level]
        test = McNemarExact.from_steps(n=n, alternative=alternative, alpha=float(alpha))
        assert test.critical_value == max(rejecting, default=-np.inf)


# -- from predictions -----------------------------------------------------------------------------------------------------------
Y_TRUE = ["cat", "cat", "dog", "dog", "cow", "cow", "cow"]
PRED_A = ["cat", "dog", "dog", "dog", "cow", "cat", "dog"]  # right on the records 1, 3, 4, 5
PRED_B = ["cat", "cat", "cat", "dog", "cat", "dog", "dog"]  # right on the records 1, 2, 4


def test_the_table_of_predictions():
    table = PairedTable(Y_TRUE, PRED_A, PRED_B)
    assert table.table.tolist() == [[2, 1], [2, 2]]  # [both wrong, only B right], [only A right, both right]
    assert (table.n01, table.n10) == (1, 2)
    assert PairedTable(["x"] * 3, ["y"] * 3, ["z"] * 3).table.tolist() == [[3, 0], [0, 0]]


NUMBER = {"cat": 0, "dog": 1, "cow": 2}


@parametrize(
    "form",
    list,
    tuple,
    np.array,
    lambda labels: np.array(labels, object),
    lambda labels: [NUMBER[label] for label in labels],
    lambda labels: [float(NUMBER[label]) for label in labels],
    lambda labels: np.array([NUMBER[label] for label in labels], np.int8),
    ids=["list", "tuple", "array", "objects", "numbers", "floats", "small integers"],
)
def test_predictions_may_be_text_or_numbers(form):
    test = McNemarExact.from_predictions(form(Y_TRUE), form(PRED_A), form(PRED_B))
    assert (test.n01, test.n10) == (1, 2)
    assert test.pvalue == 1


def test_containers_of_predictions():
    test = McNemarExact.from_predictions(np.array(Y_TRUE, object), PRED_A, np.array(PRED_B))
    assert (test.n01, test.n10) == (1, 2)
    import pandas

    y, a, b = (pandas.Series(labels, index=list("abcdefg")) for labels in (Y_TRUE, PRED_A, PRED_B))
    assert McNemarExact.from_predictions(y, a, b).n10 == 2
    assert McNemarExact.from_predictions(y, a.to_list(), b.astype("category")).n10 == 2
    assert_raises(lambda: McNemarExact.from_predictions(y, a[::-1], b), "`y_true` and `pred_a` must have equal labels")


def test_from_predictions():
    test = McNemarExact.from_predictions(Y_TRUE, PRED_A, PRED_B, alternative="greater")
    names = [row.name for row in test.worked()]
    assert names[:3] == ["y_true", "pred_a", "pred_b"]
    assert names.index("table") < names.index("n01") < names.index("n") < names.index("pvalue")
    assert (names.count("n01"), test.table.tolist(), test.alternative) == (1, [[2, 1], [2, 2]], "greater")
    assert test.pvalue == McNemarExact(1, 2, alternative="greater").pvalue
    y, a, b = np.random.default_rng(0).integers(0, 3, (3, 40, 6))
    batch = McNemarExact.from_predictions(y, a, b)
    for r in range(6):
        single = McNemarExact.from_predictions(y[:, r], a[:, r], b[:, r])
        assert (batch.n01[r], batch.n10[r], batch.pvalue[r]) == (single.n01, single.n10, single.pvalue)
        assert batch.at(r).table.tolist() == single.table.tolist()
