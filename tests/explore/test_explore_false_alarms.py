"""The explorer of type I errors: every number against a fresh simulation, and a key press that is answered at once."""

import re
from time import process_time

import numpy as np
import pytest
from shortcuts import assert_raises, parametrize
from shown_numbers import LEVELS

from fstats import BlockedFiveByTwoT, FiveByTwoT, PairedT, explore
from fstats.core.number_format import format_plain
from fstats.plot.drawing.picture_marks import Label, Line
from fstats.procedures.resampling.cross_validation_tests import TABLE_5
from fstats.simulate import Epsilon, type_one_error
from fstats.teaching.demonstrations.type_one_error_simulation import NAMES, TypeOneErrorSimulation, simulate_rates

SLIDERS = {
    "test": NAMES,
    "n": (20, 50, 100, 200, 300, 600),
    "epsilon": (0.02, 0.05, 0.1, 0.2, 0.3, 0.5),
    "repetitions": (50, 100, 200, 400, 800),
    "alpha": LEVELS,
}
START = {"test": 1, "n": 4, "epsilon": 2, "repetitions": 2, "alpha": 4}
MOVES = [{}, {"test": 13}, {"n": 0}, {"n": 5, "epsilon": 5}, {"repetitions": 0, "test": 0}, {"alpha": 6}, {"alpha": 0, "epsilon": 0}]
each_move = pytest.mark.parametrize("moves", MOVES, ids=lambda moves: " ".join(f"{k}={v}" for k, v in moves.items()) or "start")


def fresh(moves):
    """The settings, and the simulation as a student would write it."""
    at = {name: SLIDERS[name][place] for name, place in (START | moves).items()}
    source = Epsilon(n=at["n"], epsilon=at["epsilon"])
    return at, type_one_error(TABLE_5, source, at["repetitions"], alpha=at["alpha"], progress=False)


@pytest.mark.complete
@each_move
def test_every_number_is_that_of_a_fresh_simulation(moves):
    explorer = explore.false_alarms()
    explorer.move(**moves)
    at, rates = fresh(moves)
    rate = rates[at["test"]]
    work = explorer.view["work"].replace("<wbr>", "")  # where a long name may be broken
    shown = dict(re.findall(r'data-step="(\w+)"><strong>([^<]*)<', work))
    low, high = rate.interval
    assert shown == {
        **{name: format_plain(value) if name != "test" else value for name, value in at.items() if name != "alpha"},
        "rejections": format_plain(rate.rejections),
        "rate": format_plain(rate.rate),
        "interval": f"[{format_plain(low)}, {format_plain(high)}]",
    }
    assert f"on {rate.rejections} of {at['repetitions']} data sets" in explorer.view["conclusion"]
    assert {control["name"]: control["value"] for control in explorer.view["controls"]} == START | moves


@pytest.mark.complete
@each_move
def test_the_picture_shows_all_tests_in_order(moves):
    explorer = explore.false_alarms()
    explorer.move(**moves)
    at, rates = fresh(moves)
    (picture,) = explorer.pictures(explorer.test)
    assert explorer.view["pictures"] == [picture.svg()]
    labels = [mark for mark in picture.marks if isinstance(mark, Label)]
    order = sorted(rates, key=lambda rate: -rate.rate)
    assert [label.words for label in labels] == [f"{rate.test}: {rate.rate:.3f}, {rate.verdict(at['alpha'])}" for rate in order]
    assert [label.words.split(":")[0] for label in labels if label.bold] == [at["test"]]
    assert [mark.x for mark in picture.marks if isinstance(mark, Line)] == [rate.interval for rate in order]


def test_some_tests_are_shown_and_others_are_named():
    some = [FiveByTwoT, BlockedFiveByTwoT]
    explorer = explore.false_alarms(some, test="BlockedFiveByTwoT")
    (picture,) = explorer.pictures(explorer.test)
    rates = type_one_error(some, Epsilon(n=300, epsilon=0.1), 200, progress=False)
    shown = {mark.words for mark in picture.marks if isinstance(mark, Label)}
    assert shown == {f"{rate.test}: {rate.rate:.3f}, {rate.verdict()}" for rate in rates}
    assert explorer.view["conclusion"].startswith("BlockedFiveByTwoT rejects a true H0 on")
    assert explorer.control("test").most == 1
    assert_raises(lambda: explore.false_alarms([FiveByTwoT, PairedT]), r"`tests` must be names from the list ResampledT, .*; got PairedT")


@parametrize("test, words", ("ResampledT", "is liberal"), ("NaiveKFoldMcNemar", "is conservative"), ("KFoldT", "too few data sets"))
def test_the_conclusion_says_no_more_than_the_interval(test, words):
    assert words in TypeOneErrorSimulation(test, 300, 0.1, 200).conclusion


@pytest.mark.complete
def test_a_key_press_is_answered_at_once():
    explorer = explore.false_alarms()
    spent = []
    for place in (0, 1, 2, 3, 4, 5, 0, 1, 2, 3):  # of the slider of error rates
        simulate_rates.cache_clear()
        start = process_time()
        explorer.move(epsilon=place)
        spent.append(process_time() - start)
    assert np.quantile(spent, 0.9) < 0.3  # 0.08 measured, of this process alone; 0.15 is wanted on an idle machine


def test_what_was_shown_before_is_not_simulated_again():
    explorer = explore.false_alarms(repetitions=100)
    explorer.move(n=2)
    start = explore.false_alarms(test="FiveByTwoT", n=50, epsilon=0.2, repetitions=50, alpha=0.1)
    assert [control.value for control in start.controls] == [2, 1, 3, 0, 5]
    known = simulate_rates.cache_info().misses
    explorer.move(test=3)
    explorer.move(n=4)
    assert simulate_rates.cache_info().misses == known
