"""Pictures of walks of rank tests and of tests of means: numbers, places and labels in each frame."""

import re

import numpy as np
import pytest
from cases import every, make

import fstats
from fstats.core.mathematics_in_names import plain_powers
from fstats.core.number_format import format_plain
from fstats.explore.walkthrough.walk import SIZES, Walk
from fstats.plot.drawing.picture_layout import PictureLayout
from fstats.plot.drawing.picture_marks import Label
from fstats.plot.walkthrough.step_pictures import step_pictures

FAMILIES = ("SignedRank", "SignTest", "RankSum", "OneSampleT", "TwoSampleT", "WelchT")
MANY = np.random.default_rng(5).normal([[0.8], [0.79]], 0.02, (2, 150)).round(3)
STATED = {
    "course": fstats.SignedRank([87, 68, 85, 75, 83, 90], [85, 70, 79, 78, 83, 85], alpha=0.1),
    "all equal": fstats.SignedRank([1, 2, 3], [1, 2, 3]),
    "differences": fstats.SignedRank.from_steps(d=[2.0, -1.0, 3.0]),
    "many differences": fstats.SignedRank(*MANY),
    "no winner": fstats.SignTest([1, 2], [1, 2], zeros="split"),
    "many scores": fstats.RankSum(*MANY),
    "infinite t": fstats.TwoSampleT([1, 1, 1], [2, 2, 2]),
    "t = 0": fstats.WelchT([1, 1, 1], [1, 1, 1]),
    "large t": fstats.TwoSampleT(MANY[0], MANY[1] - 5),
    "one value": fstats.OneSampleT([1, 1, 1], mu=80),
}
CASES = [(name, side, k) for name, side in every if name.split()[0] in FAMILIES for k in (0, 3, 6)]
TESTS = STATED | {f"{name} {side} {k}": make(name, side).at(k) for name, side, k in CASES}


@pytest.mark.parametrize("name", TESTS)
def test_a_frame_shows_steps_without_overlap(name):
    test = TESTS[name]
    pictures, order = step_pictures(test), Walk(test).frame_numbers(test)
    values = [value for row in test.worked() for value in np.ravel(getattr(test, row.name, np.nan)).tolist()]
    written = {plain_powers(format_plain(value)) for value in values if isinstance(value, int | float)}
    if "rank_sum" in order:
        written.add(plain_powers(format_plain(test.rank_sum - test.statistic)))  # the least possible rank sum
    for frame in range(max(order.values()) + 1):
        slots = [part.slot for part in pictures if part.at_frame(frame, order) is not None]
        assert len(slots) == len(set(slots)), "two pictures at the same place"
    for part in pictures[: -1 if len(pictures) > 1 else None]:  # the last picture is the null distribution
        assert "nan" not in part.svg(order)
        numbers = [label.words for label in part.picture.marks if isinstance(label, Label) and re.search(r"\d", label.words)]
        assert {words.removesuffix(" SE") for words in numbers} <= written
        for size in SIZES.values():
            places = PictureLayout(part.picture, size).label_places
            assert not [label.words for label, place in places.items() if place.touched], "a label touches a mark"


def test_ties_share_a_rank_and_the_stacks_are_the_rank_sums():
    pictures = {part.picture.title: part for part in step_pictures(STATED["course"])}
    cells = [part for part in pictures["The differences and their ranks"].parts if part.since == "ranks" and hasattr(part.mark, "words")]
    assert [(cell.mark.words, cell.mark.width) for cell in cells[1:3]] == [(("3", "4", "5"), 0.9), (("1.5",), 1.9)]
    for step, words in {"w_plus": "1.5 4 5", "w_minus": "1.5 3"}.items():
        blocks = [part.mark for part in pictures["The rank sums"].parts if part.since == step and not isinstance(part.mark, Label)]
        assert " ".join(word for block in blocks for word in block.words) == words
        assert sum(block.width for block in blocks) == getattr(STATED["course"], step)
