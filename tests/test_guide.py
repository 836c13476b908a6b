"""Which test: complete, without contradiction, and the same in function, slider and diagram; and the sentence for a paper."""

import re
from itertools import product

import numpy as np
import pytest
from matplotlib.mathtext import MathTextParser

import fstats
from fstats import explore
from fstats.guide.diagram import decision, entries
from fstats.guide.questions import QUESTIONS
from fstats.guide.rules import RULES
from fstats.guide.which import Recommendation, Undecided, decided
from fstats.hypothesis import HypothesisTest
from fstats.number import plain

NAMES = [question.name for question in QUESTIONS]
COMBINATIONS = [dict(zip(NAMES, answers)) for answers in product(*(question.answers for question in QUESTIONS))]


# -- the table ---------------------------------------------------------------------------------------------------------------
def test_each_combination_of_answers_has_exactly_one_rule():
    assert len(COMBINATIONS) == 2 ** len(QUESTIONS)
    for answers in COMBINATIONS:
        assert sum(rule.fits(answers) for rule in RULES) == 1, answers


def test_every_rule_is_reached():
    reached = {id(decided(answers).rule) for answers in COMBINATIONS}
    assert reached == {id(rule) for rule in RULES}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: f"{rule.test} {' '.join(rule.when.values())}")
def test_a_rule_is_complete(rule):
    for name in (rule.test, *rule.then, *rule.avoid):
        assert isinstance(getattr(fstats, name), type), name
    assert rule.test not in rule.avoid
    assert rule.avoid
    for text in (rule.why, rule.assumes):
        assert text.endswith((".", ").", "]).", "interval."))
        assert "accept" not in text
    assert re.search(r"\(\d{4}\)|Wang and Li", rule.reference)
    assert re.fullmatch(r"\d\d_\w+", rule.notebook)
    for name, answer in rule.when.items():
        assert answer in next(question for question in QUESTIONS if question.name == name).answers


# -- the function ------------------------------------------------------------------------------------------------------------
def test_the_function_follows_the_table():
    for answers in COMBINATIONS:
        found = fstats.which_test(**answers)
        assert isinstance(found, Recommendation)
        assert found.test is getattr(fstats, next(rule for rule in RULES if rule.fits(answers)).test)
        assert found.rule.why in repr(found)
        assert f"fstats.{found.rule.test}" in found._repr_html_()


def test_open_questions_are_asked_one_by_one():
    """Whoever answers them in turn needs no question that does not matter, and comes to the same test."""
    for answers in COMBINATIONS:
        told = {}
        while isinstance(found := decided(told), Undecided):
            assert found.question.name not in told
            assert len({rule.test for rule in found.rules}) > 1 or len(found.rules) > 1
            told[found.question.name] = answers[found.question.name]
        assert found.rule.fits(answers)
        assert set(told) == set(found.rule.when)


def test_yes_and_no_may_be_true_and_false():
    asked = dict(aim="difference", classifiers="two", data_sets="many")
    assert fstats.which_test(**asked, paired=True, normal=True).test is fstats.PairedT
    assert fstats.which_test(**asked, paired=False, normal=False).test is fstats.RankSum


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        ({"classifiers": "three"}, r"classifiers must be 'two' or 'many' \(How many classifiers\?\); got 'three'"),
        ({"paired": "maybe"}, "paired must be 'yes' or 'no'"),
        ({"size": True}, "size must be 'large' or 'small'"),
    ],
)
def test_unknown_answers(answers, message):
    with pytest.raises(ValueError, match=message):
        fstats.which_test(**answers)


# -- the diagram and the slider ----------------------------------------------------------------------------------------------
def test_the_diagram_has_an_end_for_each_rule():
    ends = [entry for entry in entries() if entry.leads_to]
    assert sorted(entry.leads_to for entry in ends) == sorted(rule.test for rule in RULES)
    for entry in ends:
        assert decided(entry.answers).rule.test == entry.leads_to


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: f"{rule.test} {' '.join(rule.when.values())}")
def test_the_diagram_shows_one_way(rule):
    picture = decision(rule.when)
    bold = [mark.words for mark in picture.marks if getattr(mark, "bold", False)]
    assert len(bold) == len(rule.when)
    assert bold[-1].endswith(f"→  {rule.test}")
    assert picture.text.endswith(f": {rule.test}.")
    longest = max(mark.x + 8.6 * len(mark.words) for mark in picture.marks if hasattr(mark, "words"))
    assert longest < 640


def test_the_sliders_lead_where_the_table_says():
    explorer = explore.which_test()
    for answers in COMBINATIONS[::5]:
        explorer.reset()
        explorer.move(**{name: list(question.answers).index(answers[name]) for name, question in zip(NAMES, QUESTIONS)})
        found = fstats.which_test(**answers)
        assert explorer.answers == answers
        assert explorer.view["conclusion"] == f"Use fstats.{found.rule.test}. {found.rule.why}"
        assert explorer.view["pictures"] == [found.plot().svg()]
        for _, text in found.lines:
            assert text.replace("&", "&amp;")[:20].replace("'", "&#x27;") in explorer.view["work"]


# -- the sentence ------------------------------------------------------------------------------------------------------------
A, B = [85, 70, 79, 78, 83, 90], [87, 68, 85, 75, 83, 85]
TABLE = np.random.default_rng(4).normal(0.8, 0.05, (8, 4)).round(3)
TESTS = [
    fstats.PairedT(A, B),
    fstats.PairedT(A, B, alternative="greater", alpha=0.1),
    fstats.SignedRank(A, B),
    fstats.EquivalenceT(A, B, margin=10),
    fstats.WelchT(A, B[:4]),
    fstats.RankSum(A, B),
    fstats.SignTest(A, B),
    fstats.McNemarExact(4, 15),
    fstats.McNemar(30, 60),
    fstats.DifferenceOfProportions(80, 70, 100),
    fstats.Friedman(TABLE),
    fstats.ImanDavenport(TABLE),
    fstats.RepeatedAnova(TABLE),
]


@pytest.mark.parametrize("test", TESTS, ids=lambda test: type(test).__name__)
def test_the_sentence_tells_what_the_test_found(test):
    said = fstats.report(test)
    assert plain(test.statistic) in said.text
    assert ("p < 0.001" if test.pvalue < 0.001 else f"p = {test.pvalue:.3f}") in said.text
    assert plain(test.effect_size, 3) in said.text
    assert f"{test.decision} at alpha = {plain(test.alpha)}{test.verdict}. {test.remark}".rstrip() in said.text
    assert (test.alternative in said.text) == (test.alternative == "greater")
    if hasattr(type(test), "ci"):
        assert f"[{plain(test.ci.low)}, {plain(test.ci.high)}]" in said.text
        level = 100 * (1 - test.alpha * (2 if test.alternative == "equivalence" else 1))
        assert f"{plain(level)} % confidence interval" in said.text
    parser = MathTextParser("agg")
    formulas = re.findall(r"\$(.+?)\$", said.latex)
    assert len(formulas) >= 3
    for formula in formulas:
        parser.parse(f"${formula}$")


def test_degrees_of_freedom_stand_behind_the_statistic():
    assert "t(5) = " in str(fstats.report(fstats.PairedT(A, B)))
    assert "χ²(3) = " in str(fstats.report(fstats.Friedman(TABLE)))
    assert "F(3, 21) = " in str(fstats.report(fstats.RepeatedAnova(TABLE)))


def test_post_hoc_tests_report_each_comparison():
    holm = fstats.Holm(TABLE, labels=["a", "b", "c", "d"])
    said = fstats.report(holm)
    for pair, p in zip(holm.pairs, holm.adjusted):
        assert f"{pair}: {'p < 0.001' if p < 0.001 else f'p = {p:.3f}'}" in said.text
    assert "p adjusted for 6 comparisons" in said.text
    assert str(fstats.report(fstats.Nemenyi(TABLE))).startswith("Nemenyi's test, p adjusted for 6")


def test_what_cannot_be_reported():
    with pytest.raises(TypeError, match="report takes a test, such as"):
        fstats.report(0.03)
    batch = fstats.PairedT(np.ones((4, 3)), np.zeros((4, 3)))
    assert isinstance(batch, HypothesisTest)
    with pytest.raises(ValueError, match=r"a batch of shape \(3,\) has no one sentence; report one repetition, such as test.at\(0\)"):
        fstats.report(batch)
    with pytest.raises(ValueError, match="a batch has no one sentence"):
        fstats.report(fstats.Nemenyi(np.stack([TABLE, TABLE], -1)))
