"""The explorer of the 5x2 BCV McNemar's test: each slider, and every number shown, against fresh tests."""

import re

import numpy as np
import pytest
from shown_numbers import LEVELS, numbers_of, shown_in

from fstats import BlockedFiveByTwoMcNemar, explore, plot
from fstats.core.number_format import format_plain
from fstats.explore.resampling.bcv_mcnemar_explorer import GRID
from fstats.plot.drawing.picture_marks import Curve, Line, Points, VerticalLine
from fstats.teaching.demonstrations.bcv_mcnemar_correlation import largest_rejecting_correlation, statistics_by_correlation

TABLES = np.random.default_rng(3).multinomial(80, [0.06, 0.05, 0.1, 0.79], (5, 2)).reshape(5, 2, 2, 2)
START = {"rho1": 10, "rho2": 10, "alpha": 4}
MOVES = [
    {},
    *({"rho1": place} for place in (0, 7, 20)),
    *({"rho2": place} for place in (0, 1, 9, 20)),
    *({"alpha": place} for place in range(len(LEVELS))),
    {"rho1": 0, "rho2": 0},
    {"rho1": 0, "rho2": 20, "alpha": 6},
    {"rho1": 3, "rho2": 8, "alpha": 2},
]
each_move = pytest.mark.parametrize("moves", MOVES, ids=lambda moves: " ".join(f"{k}={v}" for k, v in moves.items()) or "start")


def fresh(moves):
    at = START | moves
    return BlockedFiveByTwoMcNemar(TABLES, rho1=at["rho1"] / 20, rho2=at["rho2"] / 20, alpha=LEVELS[at["alpha"]])


def marks_of(picture, kind):
    return [mark for mark in picture.marks if isinstance(mark, kind)]


@each_move
def test_everything_shown_is_that_of_a_fresh_test(moves):
    explorer = explore.bcv_mcnemar(TABLES)
    explorer.move(**moves)
    test = fresh(moves)
    shown = shown_in(explorer)
    assert shown == numbers_of(test)
    assert len(shown) > 40 + 8 + 25  # ten tables, two more, the steps
    assert (explorer.view["conclusion"], explorer.view["pictures"][1]) == (test.conclusion, plot.null(test).svg())
    assert {control["name"]: control["value"] for control in explorer.view["controls"]} == START | moves
    assert [control["text"] for control in explorer.view["controls"]] == [format_plain(x) for x in (test.rho1, test.rho2, test.alpha)]


@each_move
def test_the_price_of_caution_is_that_of_fresh_tests(moves):
    explorer = explore.bcv_mcnemar(TABLES)
    explorer.move(**moves)
    test = fresh(moves)
    picture = explorer.pictures(explorer.test)[0]
    assert explorer.view["pictures"][0] == picture.svg()
    (curve,), (critical,), (recommended, here) = (marks_of(picture, kind) for kind in (Curve, Line, Points))
    for rho2, m in list(zip(curve.x, curve.y, strict=True))[::10]:
        assert m == pytest.approx(BlockedFiveByTwoMcNemar(TABLES, rho1=test.rho1, rho2=rho2).statistic, rel=1e-12)
    assert critical.y == (test.critical_value, test.critical_value)
    assert (here.x[0], here.y[0]) == (test.rho2, test.statistic)
    default = BlockedFiveByTwoMcNemar(TABLES)
    assert (recommended.x[0], recommended.y[0]) == (0.5, default.statistic)
    expected = (f"ρ₁ = ρ₂ = ½: p = {format_plain(default.pvalue)}", f"current: p = {format_plain(test.pvalue)}")
    assert (recommended.label, here.label) == expected
    words = f"The current rho2 = {format_plain(test.rho2)} gives M = {format_plain(test.statistic)} and p = {format_plain(test.pvalue)}"
    assert words in picture.text
    words = f"the recommended rho1 = rho2 = 0.5 gives M = {format_plain(default.statistic)} and p = {format_plain(default.pvalue)}"
    assert words in picture.text
    assert [rule.x for rule in marks_of(picture, VerticalLine)] == [(1 + test.rho1) / 2] * int(test.rho1 < 1)  # Theorem 2
    assert picture.ylim[1] > max(curve.y.max(), test.critical_value)


@pytest.mark.parametrize("alpha", LEVELS)
@pytest.mark.parametrize("rho1", [0, 0.25, 1])
@pytest.mark.parametrize("seed", range(4))
def test_up_to_which_rho2_h0_is_rejected(alpha, rho1, seed):
    tables = np.random.default_rng(seed).multinomial(60, [0.06, 0.05, 0.05 + 0.05 * seed, 0.84 - 0.05 * seed], (5, 2)).reshape(5, 2, 2, 2)
    test = BlockedFiveByTwoMcNemar(tables, rho1=rho1, alpha=alpha)
    last = largest_rejecting_correlation(test)
    if 1 + rho1 + 8 * last > 0.01 and last < 0.999:  # at the ends of what a correlation can be there is nothing to compare
        for rho2, rejects in ((last - 1e-6, True), (last + 1e-6, False)):
            assert test.assuming(rho2=rho2).reject == rejects
    rejected = [rho2 for rho2 in GRID if BlockedFiveByTwoMcNemar(tables, rho1=rho1, rho2=rho2, alpha=alpha).reject]
    assert max(rejected, default=-np.inf) <= last
    assert (statistics_by_correlation(test, GRID) >= test.critical_value).sum() == len(rejected)
    said = re.search(r"H0 is rejected ([^.]*\.?\d*)\.", explore.bcv_mcnemar(tables, rho1=rho1, alpha=alpha).pictures(test)[0].text)
    told = re.fullmatch(r"up to rho2 = (\d\.\d{3})", said[1])
    if told:  # never beyond the limit
        assert 0 <= last - float(told[1]) < 0.001
    expected = said[1] if told and 0 <= last < 1 else "for every rho2 from 0 to 1" if last >= 1 else "for no rho2 from 0 to 1"
    assert said[1] == expected


def test_caution_never_finds_more_and_classifiers_may_never_differ():
    moved = explore.bcv_mcnemar(TABLES, rho1=0.15, rho2=0.35, alpha=0.1)
    assert [control.value for control in moved.controls] == [3, 7, 5]
    assert "M falls as rho2 grows" in moved.pictures(moved.test)[0].text
    test = BlockedFiveByTwoMcNemar(TABLES)
    assert (np.diff(statistics_by_correlation(test, GRID)) <= 0).all()
    assert (np.diff([statistics_by_correlation(test.assuming(rho1=rho1), GRID) for rho1 in (0, 0.3, 0.6, 1)], axis=0) <= 0).all()
    tables = np.zeros((5, 2, 2, 2), int)
    tables[..., 1, 1] = 20
    explorer = explore.bcv_mcnemar(tables)
    explorer.move(rho2=0, alpha=6)
    assert "the data give no evidence against H0" in explorer.view["conclusion"]
    assert "H0 is rejected for no rho2 from 0 to 1" in explorer.pictures(explorer.test)[0].text
    assert largest_rejecting_correlation(explorer.test) == -np.inf
