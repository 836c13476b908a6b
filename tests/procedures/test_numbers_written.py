"""How probabilities and levels are written: never against the decision that stands beside them."""

import json
import re
from html import unescape

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some
from shortcuts import parametrize
from test_stated import SETTINGS, TESTS

import fstats
from fstats.core.number_format import digits_to_distinguish, format_confidence_level, format_level, format_plain, format_pvalue
from fstats.distributions.continuous_distributions import ChiSquared, FisherF, StudentT
from fstats.guide.report_parts import format_pvalue_for_paper
from fstats.plot.drawing.picture_marks import VerticalLine

probability = some.floats(0, 1, exclude_min=True)


def read(text):
    """The number in ``p = 0.05``."""
    return float(text.partition("= ")[2])


@given(probability, some.floats(1e-12, 0.999), some.sampled_from([0, 1e-15, 1e-9, 1e-6, 1e-4, -1e-15, -1e-9, -1e-6, -1e-4]))
def test_a_p_value_is_written_on_its_side_of_alpha(p, alpha, away):
    for one in (p, min(alpha * (1 + away), 1.0)):
        if one > 1e-300:
            assert (read(format_pvalue(one, alpha)) <= float(format_level(alpha, one))) == (one <= alpha)
        said = format_pvalue_for_paper(one, alpha)
        if said.startswith("p ="):
            assert (read(said) <= float(format_level(alpha, one))) == (one <= alpha)
        else:
            assert one <= alpha or one < 0.001 <= alpha


def settings_for(cls):
    return {name: value for name, value in SETTINGS.items() if name in cls.inputs}


def everything(test):
    said = fstats.report(test)
    return {
        "text": repr(test),
        "html": unescape(test._repr_html_()),
        "latex": test.to_latex(),
        "conclusion": test.conclusion,
        "report": said.text,
        "report latex": said.latex,
    }


@pytest.mark.parametrize("cls", TESTS, ids=lambda cls: cls.__name__)
def test_a_p_value_next_to_alpha_is_told_from_it_everywhere(cls):
    test = cls.from_steps(pvalue=0.0500004, **settings_for(cls))
    assert not test.reject
    for where, text in everything(test).items():
        assert "0.0500004" in text, where
        assert not re.search(r"p = 0\.050?\b(?!\d)", text), where
        assert r"0.05 \leq 0.05" not in text, where
    assert "0.0500004 > 0.05" in test.to_latex().replace("&", "")
    at_alpha = cls.from_steps(pvalue=0.05, **settings_for(cls))
    assert at_alpha.reject
    assert "(p = 0.05)" in at_alpha.conclusion


@pytest.mark.parametrize("cls", TESTS, ids=lambda cls: cls.__name__)
def test_what_is_too_small_for_a_float_is_said_to_be_so(cls):
    test = cls.from_steps(pvalue=5e-324, **settings_for(cls))
    shown = everything(test)
    for where, text in shown.items():
        assert "e-324" not in text, where
        assert "10^{-324}" not in text, where
    assert "(p < 1e-300)" in shown["conclusion"]
    assert "pvalue < 1e-300" in shown["text"]
    assert "p &< 10^{-300}" in shown["latex"]
    assert "< 1e-300" in shown["html"]
    assert "p < 0.001" in shown["report"]
    json.dumps(test.to_dict(), allow_nan=False)
    assert test.to_dict()["pvalue"] == 5e-324  # the number itself is kept


RARE = [
    fstats.PairedT(np.arange(1.0, 2001) * 1e-4 + 50, np.zeros(2000)),
    fstats.McNemarExact(0, 3000),
    fstats.SignTest(np.arange(1.0, 3001), np.zeros(3000)),
    fstats.Friedman(np.tile([1.0, 2, 3, 4], (800, 1)) + np.arange(800)[:, None]),
]


@pytest.mark.parametrize("test", RARE, ids=lambda test: type(test).__name__)
def test_pictures_say_so_too(test):
    assert test.pvalue < 1e-300
    assert test.pvalue > 0
    picture = test.plot()
    words = picture.text + picture.svg()
    assert "p < 1e-300" in picture.text
    assert "e-324" not in words
    assert "p = 0" not in words
    for text in everything(test).values():
        assert "e-324" not in text


def test_columns_of_p_values_are_written_alike():
    table = np.random.default_rng(0).normal(0, 1e-3, (2000, 3)) + np.array([0, 0, 5])
    control = fstats.BonferroniDunn(table, control="A")
    for test in (fstats.Nemenyi(table), control, fstats.Holm(table), fstats.TukeyHSD(table), fstats.Pairwise(table, using=fstats.PairedT)):
        assert (test.pvalues > 0).all()
        for text in (repr(test), unescape(test._repr_html_()), test.to_latex()):
            assert "e-324" not in text
            assert "10^{-324}" not in text
        assert "< 1e-300" in repr(test)
    near = fstats.Holm.from_pvalues([0.0500004, 0.9, 0.7])
    assert "0.0500004" in repr(fstats.Holm.from_pvalues([0.0500004], alpha=0.05))
    assert "e-05" not in repr(near)


def test_batches_span_what_can_be_said():
    assert "2 repetitions, < 1e-300 to 0.7744" in repr(fstats.McNemarExact([0, 5], [3000, 7]))


@parametrize(
    "test",
    fstats.PairedT([1.0, 2, 3], [0.0, 1, 2]),
    fstats.OneSampleT([0.7, 0.7, 0.7], mu=0.5),
    fstats.TwoSampleT([1, 1], [2, 2]),
    fstats.FiveByTwoT(np.full((5, 2), 0.1)),
    fstats.EquivalenceT([1.0, 2, 3], [1.0, 2, 3], margin=0.1),
    ids=lambda test: type(test).__name__,
)
def test_only_an_infinite_statistic_has_p_0(test):
    assert np.isinf(test.statistic)
    assert test.pvalue == 0
    assert "(p = 0)" in test.conclusion
    json.dumps(test.to_dict(), allow_nan=False)
    assert test.to_dict()["statistic"] in ("inf", "-inf")


def test_statistic_and_critical_value_are_told_apart():
    test = fstats.PairedT.from_steps(df=9, statistic=StudentT(9).high(0.025) - 1e-7)
    assert not test.reject
    said = test.plot().text
    assert "lies outside the rejection region" in said
    shown = [float(x) for x in re.findall(r"statistic t = ([-\d.]+) lies outside .* >= ([\d.]+)\.", said)[0]]
    assert shown[0] < shown[1]
    rules = [mark.label for mark in test.plot().marks if isinstance(mark, VerticalLine)]
    assert len({label.partition("= ")[2] for label in rules if not label.startswith("-c")}) == 2
    rows = dict(re.findall(r"(statistic|critical_value) = ([\d.]+)", repr(test)))
    assert float(rows["statistic"]) < float(rows["critical_value"])
    assert digits_to_distinguish(1.0, 2.0) == 4


# -- levels of intervals -------------------------------------------------------------------------------------------------------
@given(some.floats(1e-320, 0.999))
def test_no_interval_is_certain(alpha):
    said = format_confidence_level(alpha)
    assert said != "100"
    if not said.startswith("100 ("):
        assert float(said) == pytest.approx(100 * (1 - alpha), abs=max(0.005, 10 * alpha))
        assert 100 - float(said) == pytest.approx(100 * alpha, rel=0.1, abs=0.0051)


def test_levels_in_reports():
    a, b = [85, 70, 79, 78, 83], [87, 68, 85, 75, 83]
    for alpha, level in ((0.05, "95 %"), (0.1, "90 %"), (0.05 / 3, "98.33 %"), (1e-5, "99.999 %"), (0.001, "99.9 %"), (0.123, "87.7 %")):
        said = fstats.report(fstats.PairedT(a, b, alpha=alpha))
        assert f", {level} confidence interval" in said.text
        assert rf", {level[:-2]}\,\% confidence interval" in said.latex
    assert ", 90 % confidence interval" in fstats.report(fstats.EquivalenceT(a, b, margin=5)).text
    assert ", 10 % confidence interval" in fstats.report(fstats.EquivalenceT(a, b, margin=5, alpha=0.45)).text


@pytest.mark.parametrize("cls", [fstats.EquivalenceT, fstats.EquivalenceSignedRank])
def test_a_test_of_equivalence_has_a_level_below_a_half(cls):
    for alpha in (0.5, 0.6):
        with pytest.raises(ValueError, match=rf"`alpha` must be below 0.5 for an equivalence test, .* 1 - 2 \* alpha; got {alpha}"):
            cls([1, 2, 4], [1, 2, 3], margin=1, alpha=alpha)
    low, high = cls([1, 2, 4], [1, 2, 3], margin=1, alpha=0.49).ci
    assert low <= high


def test_the_middle_of_students_t_is_0():
    assert all(StudentT(df).low(0.5) == 0 == StudentT(df).high(0.5) for df in (0.5, 1, 2.94, 9, 10**6))
    np.testing.assert_array_equal(StudentT(np.array([1, 4])).low(0.5), [0, 0])


@pytest.mark.parametrize("null", [StudentT(1), StudentT(3), StudentT(9), StudentT(2.94), FisherF(3, 20), FisherF(5, 10), ChiSquared(3)])
@pytest.mark.parametrize("alpha", [0.05, 1e-8, 1e-99, 1e-101, 1e-150])
def test_critical_values_at_the_smallest_levels(null, alpha):
    c = null.high(alpha)
    assert np.isfinite(c)
    assert c > 0
    assert null.at_least(c) == pytest.approx(alpha, rel=1e-9)


def test_plain_numbers_and_one_degree_of_freedom():
    expected = ["0.05", "6.104e-05", "-0.375", "3", "inf", "yes", "–"]
    assert [format_plain(x) for x in (0.05, 6.104e-05, -0.375, 3.0, np.inf, True, None)] == expected
    assert format_plain(1e-305) == "1e-305"  # only probabilities are cut off
    assert (str(StudentT(1)), str(ChiSquared(1))) == ("Student's t with 1 degree of freedom", "chi-squared with 1 degree of freedom")
    assert str(ChiSquared(np.array([1, 1]))) == "chi-squared with 1 degree of freedom"
    assert str(ChiSquared(2)) == "chi-squared with 2 degrees of freedom"
    assert str(StudentT(np.array([1, 4]))) == "Student's t with 1 to 4 degrees of freedom"
