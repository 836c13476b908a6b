"""Noise is no data, and the size of the scores does not matter: two promises that every test on scores keeps.

The data are those of cases.py, scores of two decimals with many ties and zeros, and some degenerate ones.
"""

import pickle
import re

import numpy as np
import pandas as pd
import pytest
from cases import CASES, most_of, table, told
from hypothesis import given
from hypothesis import strategies as st
from shortcuts import assert_raises

import fstats
from fstats.core.numerics.floating_point_ties import (
    SHORT_FLOAT_NOISE,
    TIE_NOISE,
    decimal_scale,
    noise_free_difference,
    printed_decimals,
    relative_noise,
    to_double,
    unify_ties,
)
from fstats.core.numerics.sums_of_squares import standard_deviation
from fstats.testing.conformance import SCORE_CHECKS
from fstats.testing.procedure_checks import require_same_results

ON_SCORES = [name for name, (cls, *_) in CASES.items() if any(about["unit"] for about in cls.inputs.values())]


def made(name, change):
    """The test of a case, on data that have been changed."""
    cls, data, settings = CASES[name]
    return cls(**{key: change(value) if cls.inputs[key]["unit"] else value for key, value in (data | settings).items()})


# -- the size of the scores does not matter --------------------------------------------------------------------------------
def with_sizes(sizes, few):
    """Each test with these few sizes in every run, and with the others when everything is asked for."""
    others = [size for size in sizes if size not in few]
    return [
        *(pytest.param(name, few, id=f"{name}, few") for name in ON_SCORES),
        *(pytest.param(name, others, id=f"{name}, others", marks=pytest.mark.slow) for name in ON_SCORES),
    ]


@pytest.mark.parametrize(("name", "powers"), with_sizes([-900, -560, -283, -41, 41, 266, 520, 900], few=[-900, 41, 520]))
def test_a_power_of_two_changes_nothing(name, powers):
    once = made(name, np.asarray)
    for power in powers:
        with told(name, f"2**{power}"):
            scaled = made(name, lambda x, power=power: np.ldexp(x, power))
            require_same_results(once, scaled, 2.0**power, rtol=1e-12)
            for repetition in range(7):
                assert not re.search(r"\bnan\b", repr(scaled.at(repetition)))  # a source may be called Fernandez


def test_sizes_as_reported_and_in_a_batch():
    a, b = np.array([85, 70, 79, 78, 83.0]), np.array([87, 68, 85, 75, 90.0])
    for size in (1e155, 1e-165, 1e80, 1e-85):
        for cls in (fstats.PairedT, fstats.WelchT, fstats.TwoSampleT):
            once, scaled = cls(a, b), cls(a * size, b * size)
            np.testing.assert_allclose([scaled.statistic, scaled.pvalue], [once.statistic, once.pvalue], rtol=1e-12)
            np.testing.assert_allclose(scaled.ci, np.multiply(once.ci, size), rtol=1e-12)
        scores = table(6, 4, 1)["scores"][..., 0]
        np.testing.assert_allclose(fstats.RepeatedAnova(scores * size).epsilon_gg, fstats.RepeatedAnova(scores).epsilon_gg, rtol=1e-9)
    rng = np.random.default_rng(3)
    a, b = rng.normal(size=(2, 9, 5))
    sizes = 10.0 ** np.array([-250, -20, 0, 20, 250])
    np.testing.assert_allclose(fstats.PairedT(a * sizes, b * sizes).pvalue, fstats.PairedT(a, b).pvalue, rtol=1e-12)
    scores = rng.normal(size=(7, 3, 5))
    np.testing.assert_allclose(fstats.RepeatedAnova(scores * sizes).pvalue, fstats.RepeatedAnova(scores).pvalue, rtol=1e-12)
    assert fstats.RepeatedAnova(scores * sizes).at(4).worked()[0].name == "unit"  # squares in another unit say so
    assert fstats.RepeatedAnova(scores * sizes).at(2).worked()[0].name != "unit"


# -- noise is no data ------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("name", "tens"), with_sizes([-12, -3, -2, 2, 3, 7], few=[-3]))
def test_a_power_of_ten_changes_nothing(name, tens):
    once = made(name, np.asarray)
    for ten in tens:
        with told(name, f"10**{ten}"):
            require_same_results(once, made(name, lambda x, ten=ten: np.asarray(x) * 10.0**ten), 10.0**ten)


@pytest.mark.parametrize("name", ON_SCORES)
def test_a_short_type_that_holds_the_decimals_changes_nothing(name):
    once = made(name, np.asarray)
    for short in ("f4", "f2"):
        with told(name, short):
            require_same_results(once, made(name, lambda x, short=short: np.asarray(x).astype(short)), rtol=1e-15)


@pytest.mark.parametrize("places", [1, 2, 3, 4, 5, 6])
def test_float32_decides_as_float64(places):
    a, b = np.random.default_rng(places).normal(0.85, 0.03, (2, 12, 500)).clip(0, 0.999).round(places)
    for cls in (fstats.SignedRank, fstats.SignTest, fstats.PairedT):
        assert np.array_equal(cls(a, b).pvalue, cls(a.astype("f4"), b.astype("f4")).pvalue)
    scores = np.stack([a, b, b[::-1]], 1)
    assert np.array_equal(fstats.Friedman(scores).pvalue, fstats.Friedman(scores.astype("f4")).pvalue)


def test_shares_of_records_computed_in_float32_tie_as_in_float64():
    """No decimals here: 5/6 - 4/6 and 3/6 - 2/6 tie, in whatever type they were computed."""
    right = np.random.default_rng(8).integers(70, 90, (2, 12, 400))
    a, b = right / 90
    short = right.astype("f4") / np.float32(90)
    assert np.array_equal(fstats.SignedRank(a, b).ranks, fstats.SignedRank(*right).ranks)
    assert np.array_equal(fstats.SignedRank(*short).ranks, fstats.SignedRank(*right).ranks)
    assert np.array_equal(fstats.SignTest(*short).pvalue, fstats.SignTest(*right).pvalue)
    assert np.array_equal(fstats.EquivalenceSignedRank(*short, margin=0.1).pvalue, fstats.EquivalenceSignedRank(*right, margin=9).pvalue)
    rows = np.stack([*right, right[0][::-1]], 1)
    assert np.array_equal(fstats.Friedman(rows.astype("f4") / np.float32(90)).ranks, fstats.Friedman(rows).ranks)
    np.testing.assert_array_equal(fstats.RankSum(*short).ranks, fstats.RankSum(*right).ranks)


@pytest.mark.parametrize("check", SCORE_CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("name", most_of(ON_SCORES))
def test_units_and_noise(name, check):
    check(made(name, np.asarray))


@given(st.lists(st.integers(0, 1000), min_size=4, max_size=12), st.integers(0, 1000), st.sampled_from([1e-3, 1e-2, 0.1, 1.0, 1e3, 1e9]))
def test_differences_of_decimals_tie_where_those_of_whole_numbers_do(marks, b, unit):
    whole = fstats.SignedRank(marks, [b] * len(marks))
    assert np.array_equal(fstats.SignedRank(np.multiply(marks, unit), [b * unit] * len(marks)).ranks, whole.ranks)


def test_what_was_reported():
    equivalence = fstats.EquivalenceT([0.69] * 3, [0.66] * 3, margin=0.03)
    assert (equivalence.statistic, equivalence.pvalue) == (0, 0.5)  # exactly the margin: no evidence either way
    assert "equal to the margin" in equivalence.conclusion
    assert fstats.Symmetry([0.1] * 3).skewness == 0
    prints_003 = [s + 0.03 - s for s in (0.85, 0.66, 0.77, 0.1, 0.5, 0.9, 0.31)]
    assert len(set(prints_003)) > 1
    assert (fstats.Normality(prints_003).statistic, fstats.Normality(prints_003).pvalue) == (1, 1)
    assert not fstats.Outliers([0.3, 0.3, 0.3, 0.3, 0.1 + 0.2]).outside.any()
    assert fstats.Outliers([0.3, 0.3, 0.3, 0.3, 0.31]).outside.tolist() == [False] * 4 + [True]


WHOLE = [2**36, 2**40, 10**13, 2**44 - 1000, 2**44, 2**53 + 1, 2**62, 10**30]
HOW = {
    "list": lambda x: x.tolist(),
    "int64": lambda x: x.astype("i8"),
    "uint64": lambda x: x.astype("u8"),
    "objects": lambda x: x.astype(object),
    "beside a fraction": lambda x: [*x.tolist(), np.float64(0.5)],
}
IN_PAIRS = ["PairedT", "EquivalenceT", "SignedRank", "EquivalenceSignedRank", "SignTest"]


def shifted(name, base):
    """The test of a case, on its scores as whole numbers and then so much larger, which changes no difference."""
    cls, data, settings = CASES[name]
    scores = {key for key in data if cls.inputs[key]["unit"]}

    def whole(key, value):
        if not cls.inputs[key]["unit"]:
            return value
        hundredths = np.rint(np.asarray(value) * 100)
        return hundredths.astype(np.int64).astype(object) + base if key in scores else hundredths

    return cls(**{key: whole(key, value) for key, value in (data | settings).items()})


@pytest.mark.parametrize("name", [name for name in ON_SCORES if {"a", "x", "scores"} & CASES[name][1].keys()])
def test_differences_of_whole_numbers_are_exact_or_an_error_names_the_limit(name):
    once = shifted(name, 0)
    for base in WHOLE:
        with told(name, base):
            try:
                large = shifted(name, base)
            except ValueError as refused:
                assert re.search(r"2\*\*(44|30)", str(refused))  # noqa: PT017 (either is right, silence is not)
                assert base >= 2**44 - 1000 or name not in IN_PAIRS
            else:
                assert base < 2**44
                require_same_results(once, large, rtol=1e-4, shifted=True)


@pytest.mark.every_case
@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("base", [2**53, 2**60])
@pytest.mark.parametrize("cls", [fstats.PairedT, fstats.SignedRank, fstats.SignTest, fstats.TwoSampleT, fstats.RankSum])
def test_no_whole_number_is_rounded_in_silence(cls, base, how):
    a, b = (base + np.array(steps, object) for steps in ([1, 3, 5, 8], [0, 1, 2, 3]))
    with pytest.raises(ValueError, match=r"must hold whole numbers up to 2\*\*44 = 17,592,186,044,416.*Subtract the same number"):
        cls(HOW[how](a), HOW[how](b))
    assert_raises(lambda: cls(pd.Series(a, dtype="uint64"), pd.Series(b, dtype="uint64")), r"2\*\*44")
    assert_raises(lambda: fstats.Friedman(pd.DataFrame({"forest": a.astype("i8"), "tree": [0.5, 0.25, 0.75, 0.5]})), r"2\*\*44")


def test_what_was_reported_of_whole_numbers():
    """Right is p = .0486, of the differences 1, 2, 3, 5."""
    a, b = [2**53 + 1, 2**53 + 3, 2**53 + 5, 2**53 + 8], [2**53, 2**53 + 1, 2**53 + 2, 2**53 + 3]
    assert round(float(fstats.PairedT(*(np.subtract(x, 2**53) for x in (a, b))).pvalue), 4) == 0.0486
    assert_raises(lambda: fstats.PairedT(a, b), "9,007,199,254,740,993")
    assert_raises(lambda: fstats.SignedRank([10**30 + 1, 10**30 + 2, 5], [10**30, 10**30, 9]), "whole numbers up to")
    assert fstats.McNemar(2**50, 1).statistic == pytest.approx(2.0**50)  # counts have no noise


@pytest.mark.parametrize("base", [0, 10**6, 10**11, 10**13])
def test_whole_numbers_are_exact(base):
    a = base + np.array([1, 2, 4, 3, 7, 5], np.int64)
    b = np.full(6, base)
    for cls in (fstats.PairedT, fstats.SignedRank, fstats.SignTest):
        assert cls(a, b).pvalue == cls(a - base, b - base).pvalue
    assert fstats.RankSum(a, b + 3).pvalue == fstats.RankSum(a - base, b - base + 3).pvalue
    rows = base + np.array([[1, 2, 3], [1, 3, 2], [2, 3, 1], [1, 2, 3]], np.int64)
    expected = (fstats.Friedman(rows - base).pvalue, fstats.Quade(rows - base).pvalue)
    assert (fstats.Friedman(rows).pvalue, fstats.Quade(rows).pvalue) == expected


def test_the_rule():
    assert relative_noise(np.array([0.1, 0.7])) == TIE_NOISE
    assert relative_noise(np.array([1, 2, 3])) == relative_noise(np.array([1.0, -2.0, 0.0])) == 0
    assert relative_noise(np.array([0.1, 0.7]), to_double(np.array([0.1, 1 / 3], "f4"))) == SHORT_FLOAT_NOISE[4]  # the coarsest type of all
    assert relative_noise(np.array([2.0**60, 2.0**61])) == TIE_NOISE  # whole because a double has no room for more
    assert relative_noise(np.array([[1, 0.5], [2, 0.25]])).tolist() == [0, TIE_NOISE]  # each repetition for itself
    assert printed_decimals(np.array([0.88, 0.85, 100], "f4"))[0].tolist() == [0.88, 0.85, 100]
    assert printed_decimals(np.array([1 / 3], "f4"))[0][0] == np.float32(1 / 3)
    assert noise_free_difference(np.array([0.3, 0.7]), np.array([0.1 + 0.2, 0.4])).tolist()[0] == 0
    steps = np.arange(4) * TIE_NOISE
    assert len(set(unify_ties(1 + steps, TIE_NOISE))) == 1  # neighbours that tie are all one
    assert len(set(unify_ties(1 + 3 * steps, TIE_NOISE))) == 4
    assert len(set(unify_ties(np.array([1e-17, -1e-17]), TIE_NOISE))) == 1  # noise has any sign
    expected = pytest.approx([2**0.5 * 1e200, 2**0.5 * 1e-200], rel=1e-12)
    assert standard_deviation(np.array([[3e200, 3e-200], [5e200, 5e-200]]), np.array([4e200, 4e-200]), 1).tolist() == expected


# -- what a referee found --------------------------------------------------------------------------------------------------
def test_noise_around_zero_has_any_sign():
    """5.6e-17 and -2.8e-17 print as 0 beside scores of 0.3: no classifier is better there."""
    scores = np.array([[0.1 + 0.2 - 0.3, 0.3 - 0.2 - 0.1]] * 8 + [[0.3, 0.3]] * 2)
    assert (scores[0] != 0).all()
    for cls in (fstats.Friedman, fstats.Quade, fstats.ImanDavenport):
        assert cls(scores).pvalue == 1
    assert fstats.Nemenyi(np.array([[0.3, 1e-17, -1e-17]] * 30)).differences[2] == 0
    assert not fstats.Holm([[0.5, 5e-17, -2e-17]] * 8).reject[2]
    x, y = np.r_[np.full(8, 1e-17), 0.1], np.r_[np.full(8, -1e-17), 0.1]
    assert fstats.RankSum(x, y).pvalue == fstats.SignedRank(x, y).pvalue == 1


def test_columns_of_two_types_and_doubles():
    f = np.float32
    a = f([0.91, 0.97, 0.79, 0.8, 0.98, 0.79, 0.67, 0.69, 0.97, 0.61, 0.91, 0.85])
    b = f([11 / 12, 0.99, 0.81, 0.8, 0.99, 0.81, 0.68, 0.69, 1, 0.64, 0.88, 0.85])
    test = fstats.SignedRank(a, b)
    assert test.n == 9
    assert test.pvalue == fstats.SignedRank(*(np.r_[x[:1].astype(float), x[1:].astype(float).round(2)] for x in (a, b))).pvalue
    assert fstats.SignTest(f([0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 1 / 3]), f([0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3])).n == 1
    again = pickle.loads(pickle.dumps(test))
    assert again.n == test.at().n == 9  # the type is not forgotten
    a = np.array([0.88, 0.69, 0.75, 0.91, 0.6, 0.83, 0.77, 0.92, 0.71, 0.86])
    frame = pd.DataFrame({"a": a, "b": a.astype("f4")})
    for cls in (fstats.Friedman, fstats.Quade, fstats.ImanDavenport):
        assert cls(frame).pvalue == 1
    assert fstats.SignTest(frame["a"], frame["b"]).n == 0
    # Quarters near 2 million fill the 24 digits of a float32; handed in as doubles they are exact.
    a = np.array([2097160.25 + 10_000 * i for i in range(6)])
    b = a - np.arange(1, 7)
    assert fstats.SignedRank(a, b).pvalue == fstats.SignedRank(4 * a, 4 * b).pvalue == 0.03125
    assert fstats.PairedT(a, b).pvalue == pytest.approx(fstats.PairedT(np.arange(1, 7), np.zeros(6)).pvalue)
    half = np.r_[5000000.5, 5000010 + 10 * np.arange(7)]
    assert fstats.SignedRank(half, half - np.arange(1, 9)).pvalue == 2 / 2**8


@pytest.mark.parametrize("cls", [fstats.SignedRank, fstats.SignTest, fstats.PairedT])
def test_each_repetition_is_judged_by_itself(cls):
    z = np.arange(1, 7) / 10
    x, y = 1e13 + np.array([3, 4, 5, 6, 7, 8]), np.full(6, 1e13)
    batch = cls(np.c_[x, z], np.c_[y, z + 0.1])
    assert batch.pvalue[0] == cls(x, y).pvalue == batch.at(0).pvalue
    assert batch.pvalue[1] == cls(z, z + 0.1).pvalue == batch.at(1).pvalue


def test_few_decimals_are_those_of_each_repetition():
    """Beside scores of a thousand million a difference in the seventh decimal is none; in a repetition of its own it is one."""
    large, small = 1e9 + np.arange(6), np.array([0.3, 0.3000001, 0.5, 0.5, 0.7, 0.7000001])
    batch = fstats.SignedRank(np.c_[large, small], np.c_[large + 1, np.full(6, 0.3)])
    assert batch.ranks[:, 1].tolist() == fstats.SignedRank(small, np.full(6, 0.3)).ranks.tolist() == [0, 1, 2.5, 2.5, 4, 5]
    assert decimal_scale(np.c_[large, small]) is None
    assert decimal_scale(np.c_[large, small.round(1)]) == 10
    assert decimal_scale(small, np.array([0.1 + 0.2])) is None
    assert decimal_scale(np.array([0.1 + 0.2, 0.25])) == 100


@pytest.mark.parametrize("margins", [[1e12, 1.001], [17e12, 0.03], [1000.0, 1e-13]])
def test_a_margin_is_that_of_its_repetition(margins):
    x, y = np.random.default_rng(1).integers(0, 9, (2, 10, 2)) / 1.0
    batch = fstats.EquivalenceSignedRank(x, y, margin=np.array(margins))
    alone = [fstats.EquivalenceSignedRank(x[:, r], y[:, r], margin=margins[r]).pvalue for r in range(2)]
    assert batch.pvalue.tolist() == alone
    assert np.ptp(alone) > 0


@pytest.mark.every_case
@pytest.mark.parametrize("size", [1e150, 1e300])
@pytest.mark.parametrize("cls", [fstats.PairedT, fstats.WelchT, fstats.TwoSampleT, fstats.SignedRank, fstats.RankSum, fstats.SignTest])
def test_a_repetition_of_any_size_beside_an_ordinary_one_is_answered_without_a_warning(cls, size):
    x, y = np.random.default_rng(0).normal(0.8, 0.1, (2, 10, 2)) * [1, size]
    batch, alone = cls(x, y).pvalue, [cls(x[:, r], y[:, r]).pvalue for r in range(2)]
    np.testing.assert_allclose(batch, alone, rtol=1e-12)
    assert alone[1] == pytest.approx(cls(x[:, 1] / size, y[:, 1] / size).pvalue, rel=1e-9)


def test_a_huge_score_silences_no_other():
    a = np.r_[-1e10, 0.7 + 0.02 * np.arange(9)]
    b = np.r_[-1e10, a[1:] - 0.005]
    assert (fstats.SignTest(a, b).n, fstats.Friedman(np.c_[a, b]).pvalue) == (9, pytest.approx(0.0027, abs=5e-5))
