"""The explorers of many classifiers: each slider, and every number shown, against fresh tests."""

import numpy as np
import pytest
from shortcuts import assert_raises
from shown_numbers import LEVELS, numbers_of, shown_in

from fstats import BergmannHommel, Finner, Friedman, Hochberg, Holm, Hommel, Li, Nemenyi, OneWayAnova, RepeatedAnova, Shaffer, explore, plot
from fstats.core.number_format import format_plain, format_pvalue
from fstats.teaching.demonstrations.multiplicity_simulation import TABLES, Multiplicity, noise

SCORES = np.random.default_rng(11).normal(0.8, 0.05, (7, 5)).round(2)
LABELS = ["tree", "bayes", "svm", "knn", "net"]
PROCEDURES = (Nemenyi, Holm, Hochberg, Hommel, Finner, Li, Shaffer, BergmannHommel)


# -- ranking -----------------------------------------------------------------------------------------------------------------
def ranking():
    return explore.ranking(SCORES, LABELS, n=6, k=4)


MOVES = [
    {},
    {"score": 70},
    {"dataset": 3, "classifier": 2, "score": 97},
    {"n": 2},
    {"n": 7},
    {"k": 2},
    {"k": 5},
    *({"procedure": place} for place in range(len(PROCEDURES))),
    *({"alpha": place, "procedure": place} for place in range(len(LEVELS))),
    {"n": 7, "k": 5, "classifier": 5, "score": 95, "procedure": 6},
    {"dataset": 6, "n": 3, "score": 60},
    {"classifier": 4, "k": 3, "score": 60},
]


@pytest.mark.complete
@pytest.mark.parametrize("moves", MOVES, ids=lambda moves: " ".join(f"{k}={v}" for k, v in moves.items()) or "start")
def test_everything_shown_is_that_of_fresh_tests(moves):
    explorer = ranking()
    scores, at = SCORES.copy(), {"n": 6, "k": 4, "procedure": 0, "alpha": 4, "dataset": 1, "classifier": 1}
    for name, position in moves.items():
        explorer.move(**{name: position})
        if name == "score":
            scores[at["dataset"] - 1, at["classifier"] - 1] = position / 100
        else:
            at[name] = position
            at["dataset"], at["classifier"] = min(at["dataset"], at["n"]), min(at["classifier"], at["k"])
    table, labels, alpha = scores[: at["n"], : at["k"]], LABELS[: at["k"]], LEVELS[at["alpha"]]
    friedman, posthoc = Friedman(table, labels, alpha=alpha), PROCEDURES[at["procedure"]](table, labels, alpha=alpha)
    expected = numbers_of(friedman, posthoc)
    for name in [name for name in expected if name.startswith(("reject", "null"))]:  # of these two the procedure's is shown
        del expected[name]
    shown = shown_in(explorer)
    assert {name: text for name, text in shown.items() if not name.startswith(("reject", "null"))} == expected
    assert [shown[f"reject[{h}]"] for h in range(len(posthoc.pairs))] == [format_plain(reject) for reject in posthoc.reject]
    assert explorer.view["pictures"] == [plot.null(friedman).svg(), plot.critical_difference(posthoc).svg()]
    formally = ", but only formally, since the statistic is infinite" * friedman.is_degenerate
    decided = f"{friedman.decision} at alpha = {format_plain(friedman.alpha)} ({format_pvalue(friedman.pvalue, friedman.alpha)}){formally}."
    assert explorer.view["conclusion"].startswith(f"Friedman: {decided}")
    assert friedman.conclusion.startswith(decided.rstrip("."))
    assert posthoc.conclusion in explorer.view["conclusion"]
    assert ("A cautious reader stops here." in explorer.view["conclusion"]) == (not friedman.reject)
    assert {control["name"]: control["value"] for control in explorer.view["controls"]}.items() >= at.items()


def test_the_pictures_of_a_ranking_come_in_the_order_of_the_analysis():
    """The text of the stored picture tells Friedman's test before the pairs, as the conclusion does."""
    told = ranking().stored_text
    assert 0 < told.index("Null distribution of") < told.index("Critical difference diagram") < told.index("Friedman: ")


def test_the_ranking_explorer_refuses_what_its_sliders_cannot_show():
    assert_raises(lambda: explore.ranking(SCORES, n=8), "`n` must be between 2 and 7, the range of its slider; got 8")
    assert_raises(lambda: explore.ranking(SCORES, k=1), "`k` must be between 2 and 5")
    assert_raises(lambda: explore.ranking(SCORES, procedure="Dunn"), r"`procedure` must be 'Nemenyi' or 'Holm' .*; got 'Dunn'")
    assert_raises(lambda: explore.ranking(SCORES, alpha=0.03), "`alpha` must be one of")


# -- the analysis of variance ------------------------------------------------------------------------------------------------
@pytest.mark.complete
@pytest.mark.parametrize("apart", [0, 5, 10, 30])
@pytest.mark.parametrize("bonus", [-20, 0, 3])
@pytest.mark.parametrize("alpha", [2, 4])
def test_both_analyses_follow_the_sliders(apart, bonus, alpha):
    explorer = explore.anova(SCORES, LABELS)
    explorer.move(apart=apart, bonus=bonus, alpha=alpha)
    scores = SCORES + (apart / 10 - 1) * (SCORES.mean(1, keepdims=True) - SCORES.mean())
    scores[:, -1] += bonus * 0.01
    repeated, one_way = RepeatedAnova(scores, LABELS, alpha=LEVELS[alpha]), OneWayAnova(scores, LABELS, alpha=LEVELS[alpha])
    assert shown_in(explorer) == numbers_of(repeated)
    for test in (repeated, one_way):
        assert f"F = {format_plain(test.statistic)}, p = {format_plain(test.pvalue)}" in explorer.view["conclusion"]
    assert ("but" in explorer.view["conclusion"]) == (repeated.reject != one_way.reject)
    for test, picture in zip((one_way, repeated), explorer.view["pictures"][1:]):
        assert f"F = {format_plain(test.statistic)}" in picture


def test_pulling_the_data_sets_apart_changes_one_analysis_only():
    explorer = explore.anova(SCORES, LABELS)
    before = explorer.test
    explorer.move(apart=30)
    assert explorer.test.repeated.statistic == pytest.approx(before.repeated.statistic, rel=1e-9)
    assert explorer.test.one_way.statistic < before.one_way.statistic


# -- multiplicity ------------------------------------------------------------------------------------------------------------
@pytest.mark.complete
@pytest.mark.parametrize("moves", [{}, {"n": 7}, {"k": 3}, {"k": 10, "n": 60}, {"shift": 0}, {"shift": 10, "alpha": 0}])
def test_the_simulation_is_that_of_a_plain_loop(moves):
    explorer = explore.multiplicity(n=12, k=4)
    explorer.move(**moves)
    at = {"n": 12, "k": 4, "shift": 4, "alpha": 4} | moves
    n, k, alpha = at["n"], at["k"], LEVELS[at["alpha"]]
    scores = noise()[:n, :k, :60].copy()
    scores[:, 0] += at["shift"] / 5
    test = explorer.test
    rejected = test._rejected(["no correction", "Bonferroni", "Holm", "Shaffer", "Nemenyi"])
    for r in range(60):  # of the 400 tables
        one = scores[:, :, r]
        p = Holm(one).pvalues
        assert (rejected[0][:, r] == (p <= alpha)).all()
        assert (rejected[1][:, r] == (p <= alpha / len(p))).all()
        for place, procedure in ((2, Holm), (3, Shaffer), (4, Nemenyi)):
            assert (rejected[place][:, r] == procedure(one, alpha=alpha).reject).all()
    found, false = ([f(reject) for reject in rejected] for f in (lambda x: x[0].mean(), lambda x: x[k - 1 :].any(0).mean()))
    np.testing.assert_array_equal(test.found, found)
    np.testing.assert_array_equal(test.false_alarms, false)
    assert test.power == np.mean([Friedman(table, ties="ignore", alpha=alpha).reject for table in np.moveaxis(all_tables(at), -1, 0)])
    shown = shown_in(explorer)
    assert (shown, shown["power"]) == (numbers_of(test), format_plain(test.power))


def all_tables(at):
    scores = noise()[: at["n"], : at["k"]].copy()
    scores[:, 0] += at["shift"] / 5
    return scores


def test_more_data_sets_bring_power_and_more_classifiers_cost_it():
    few, many = Multiplicity(15, 3, 0.8), Multiplicity(15, 9, 0.8)
    assert (np.diff(few.power_by_size) >= -0.02).all()
    assert many.found[1:].max() < few.found[1:].min()
    assert many.false_alarms[0] > 0.4 > 0.1 > many.false_alarms[1:].max()
    assert f"{TABLES} simulated tables" in few.conclusion
