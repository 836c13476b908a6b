"""The explorer of one accuracy: every number shown is that of a fresh test, and the pictures say what SciPy says."""

from __future__ import annotations

import re

import pytest
import scipy.stats as st
from shortcuts import assert_raises
from shown_numbers import numbers_of
from test_explore import DataSteps

from fstats import BinomialProportion, OneSampleT, explore, plot
from fstats.explore.one_classifier.binomial_proportion_explorer import interval_rows

METHODS = ("wilson", "clopper-pearson", "jeffreys")
START = {"right": 19, "n": 20, "method": 0, "share": 10, "alpha": 4}
LEVELS = (0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2)
MOVES = [
    {},
    *({"right": right} for right in (0, 1, 20)),
    {"n": 200},
    {"n": 3},
    {"n": 1},
    {"n": 200, "right": 199},
    *({"method": method} for method in (1, 2)),
    *({"share": share} for share in (0, 19, 20)),
    *({"alpha": alpha} for alpha in range(7)),
    {"right": 0, "method": 2, "share": 0},
]


def fresh(moves: dict[str, int]) -> BinomialProportion:
    """The test at these positions, built as a student would build it."""
    at = START | moves
    right = min(at["right"], at["n"])
    return BinomialProportion(right, at["n"], round(0.05 * at["share"], 12), method=METHODS[at["method"]], alpha=LEVELS[at["alpha"]])


@pytest.mark.parametrize("moves", MOVES, ids=str)
def test_everything_shown_is_that_of_a_fresh_test(moves: dict[str, int]) -> None:
    """Numbers, pictures, conclusion; and the way back."""
    explorer, test = explore.binomial_proportion(), fresh(moves)
    first = explorer.view
    for control, position in moves.items():
        explorer.move(**{control: position})
    assert DataSteps(explorer.view["work"]).shown == numbers_of(test)
    assert explorer.view["pictures"] == [interval_rows(test).svg(), plot.coverage(test).svg()]
    assert explorer.view["conclusion"] == test.conclusion
    explorer.reset()
    assert explorer.view == first


def test_every_slider_changes_the_numbers() -> None:
    """A slider without effect would be a decoration."""
    for control in explore.binomial_proportion().controls:
        explorer = explore.binomial_proportion()
        before = explorer.view
        explorer.move(**{control.name: control.least if control.value != control.least else control.most})
        assert {part for part in before if explorer.view[part] != before[part]} >= {"controls", "work", "pictures"}, control.name


def test_the_rows_of_the_picture_are_scipys() -> None:
    """And the last row is the t interval, which ends above 1."""
    text = interval_rows(BinomialProportion(19, 20, method="jeffreys")).text
    shown = {name.strip(): (float(low), float(high)) for name, low, high in re.findall(r"([A-Z-a-z 01]+?) ([\d.]+) to ([\d.]+)[;.]", text)}
    other = st.binomtest(19, 20)
    for name, ends in (("Wilson", other.proportion_ci(0.95, "wilson")), ("Clopper-Pearson", other.proportion_ci(0.95, "exact"))):
        low, high = next(value for key, value in shown.items() if key.endswith(name))
        assert (low, high) == pytest.approx((ends.low, ends.high), abs=5e-5)
    assert f"t of the 0s and 1s {OneSampleT([1] * 19 + [0]).ci.low:.4f} to 1.055" in text


def test_at_most_all_records_are_right() -> None:
    """Fewer records take the right ones along."""
    explorer = explore.binomial_proportion(150, 160)
    explorer.move(n=100)
    assert explorer.values["right"] == explorer.control("right").most == 100
    assert_raises(lambda: explorer.move(right=101), "`right` must be between 0 and 100; got 101")
