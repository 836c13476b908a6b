"""What a reader sees in the pictures and lines of a walk: names of pairs, axes of sizes, cells of a table, and low tails."""

import re

import numpy as np
import pytest
from cases import CASES, ON_A_GRID, make

import fstats
from fstats.core.number_format import format_plain
from fstats.explore.walkthrough.walk import SIZES, Walk
from fstats.plot.drawing.picture_marks import BLUE, WHITE, Area, Bars, Cells, Label, Line, Points
from fstats.plot.walkthrough.pvalue_ladder_steps import pvalue_bars
from fstats.plot.walkthrough.step_pictures import step_pictures
from fstats.render.formula_line_breaks import break_piece
from fstats.render.latex import equation_parts

A, B = [85, 70, 79, 78, 83], [87, 68, 85, 75, 83]
EVERY = [name for name in CASES if name != ON_A_GRID]


def walk_of(name):
    return Walk(make(name, next(iter(getattr(CASES[name][0], "tails", {"": 0})), "")).at(0))


LADDERS = [name for name in EVERY if issubclass(CASES[name][0], fstats.Holm.__mro__[1])]


@pytest.mark.parametrize("name", LADDERS)
def test_pvalues_are_named_by_pairs_until_they_are_sorted(name):
    walk = walk_of(name)
    test, order = walk.test, walk.frame_numbers(walk.test)
    axes = [walk.pictures_at(number)[0] for number in (order["sorted_pvalues"] - 1, order["sorted_pvalues"])]
    assert [picture.xlabel.split()[0] for picture in axes] == ["pair", "rung"]
    for picture, pairs in zip(axes, (test.pairs, test.rungs)):
        below = [mark.words for mark in picture.marks if isinstance(mark, Label) and mark.y < 0]
        assert below == [str(part) for pair in pairs for part in (pair if isinstance(pair, tuple) else [pair])]
        assert not re.search(">-0", picture.svg(SIZES["wide"]))  # the rows of names have no number on the axis


def test_long_names_of_pairs_are_numbers_with_a_key_and_a_cut_bar_says_its_number():
    picture = pvalue_bars(fstats.Holm.from_pvalues([0.9, 0.01], labels=[("x" * 20, "y"), ("x" * 20, "z")]), is_sorted=False).picture
    assert picture.xlabel == f"pair (1 {'x' * 20}, 2 y, 3 z)"
    assert [mark.words for mark in picture.marks if isinstance(mark, Label)] == ["0.9", "1", "2", "1", "3"]
    assert [mark.color for mark in picture.marks if isinstance(mark, Line)] == [WHITE]


def test_a_setting_without_a_value_has_no_line():
    assert "control" not in [row.name for row in fstats.Holm([[1, 2, 3], [2, 3, 4]]).walk().frames[0].rows]


@pytest.mark.parametrize("name", EVERY)
def test_no_line_of_a_hypothesis_begins_with_a_comma_or_an_equals_sign(name):
    """Neither does any line begin with a comma; a formula of a step may go on with "= 3"."""
    for row in (row for frame in walk_of(name).frames for row in frame.rows):
        lines = [piece for part in equation_parts(row) for piece in break_piece(part)]
        assert not any(re.match(r"(\\text\{)?[,;]|=" if row.kind == "setting" else r"(\\text\{)?[,;]", line) for line in lines), lines


def test_ordered_differences_stand_above_an_axis_of_sizes():
    walk = fstats.SignedRank(A, B).walk()
    order = walk.frame_numbers(walk.test)
    shown = {name: walk.pictures_at(order[name])[-1] for name in ("d", "n", "ranks", "signed_ranks", "null", "estimate", "ci")}
    axes = {name: picture.ylabel for name, picture in shown.items()}
    assert {name for name, axis in axes.items() if axis == "size |d|"} == {"ranks", "signed_ranks", "null"}
    assert {axis for axis in axes.values() if axis != "size |d|"} == {"difference"}
    assert len({picture.ylim for picture in shown.values()}) == 1  # a bar that slides arrives with its length
    ticks = [re.findall(r'text-anchor="end">(-?[\d.]+)</text>', shown[name].svg(SIZES["wide"])) for name in ("d", "ranks")]
    assert [min(map(float, one)) < 0 for one in ticks] == [True, False]


def test_steps_say_which_differences_they_use():
    """n leaves out differences of 0, the estimate and the interval do not; the interval has no word that needs a course."""
    said = {row.name: row.sentence for row in fstats.SignedRank(A, B).worked()}
    assert "a difference of 0 is not counted" in said["n"]
    assert "also of the differences of 0" in said["estimate"]
    assert "all differences, also those of 0" in said["ci"]


@pytest.mark.parametrize("name", EVERY)
def test_no_value_has_a_caret(name):
    assert not [row.name for row in walk_of(name).test.worked() if "^" in str(row.value)]


RIGHT = np.random.default_rng(2).random((3, 30)) < [[0.5], [0.8], [0.6]]


@pytest.mark.parametrize("test", [fstats.McNemar, fstats.McNemarExact, fstats.McNemarMidP])
def test_the_four_cells_lie_as_in_the_printed_table(test):
    walk = test.from_predictions(*RIGHT.astype(int)).walk()
    empty, *_ = walk.pictures_at(0)
    assert empty.title == "The records in four cells"  # the form is there before its numbers
    assert not [mark for mark in empty.marks if isinstance(mark, Label | Points)]
    drawn, *_ = walk.pictures_at(walk.frame_numbers(walk.test)["table"])
    counts = [mark for mark in drawn.marks if isinstance(mark, Label)]
    rows = [[mark.words for mark in sorted(counts, key=lambda mark: mark.x) if (mark.y > 1) == is_top] for is_top in (True, False)]
    assert rows == [[format_plain(count) for count in row] for row in np.asarray(walk.test.table)]
    a, b = walk.test.sides
    assert (drawn.xlabel, drawn.ylabel) == (f"{b} wrong | {b} right", f"{a} right | {a} wrong")


@pytest.mark.parametrize("name", EVERY)
def test_a_tail_that_cannot_be_seen_is_said_beside_its_p_value(name):
    test = walk_of(name).test
    for picture in (part.picture for part in step_pictures(test) if part.picture.title.endswith("when H0 is true")):
        blue = [mark for mark in picture.marks if isinstance(mark, Bars | Area) and mark.color == BLUE]
        tall = [mark.height if isinstance(mark, Bars) else mark.y for mark in blue]
        labels = " ".join(getattr(mark, "label", "") for mark in picture.marks)
        if tall:
            assert ("too small to be seen" in labels) == (max(heights.max(initial=0) for heights in tall) < 0.02 * picture.ylim[1] / 1.35)


def test_a_low_tail_of_a_density_is_said_too():
    """The tail of lesson 03, and that of a t-test with a tiny p, lie on the axis."""
    for test in (fstats.McNemar(n01=3, n10=14), fstats.PairedT.from_steps(n=20, mean=3.0, sd=2.0)):
        assert any("too small to be seen" in getattr(mark, "label", "") for mark in test.plot().marks)


@pytest.mark.parametrize("lines", [4, 9, 12, 15, 40])
def test_rank_sums_stand_below_their_columns(lines):
    """A table whose numbers have no space keeps the names and the sums of its columns."""
    walk = fstats.Friedman(np.random.default_rng(lines).random((lines, 4)).round(3)).walk()
    grid = next(picture for picture in walk.pictures_at(walk.frame_numbers(walk.test)["rank_sums"]) if picture.title == "The ranks")
    words = [mark.words for mark in grid.marks if isinstance(mark, Label)]
    assert words == [*map(format_plain, walk.test.rank_sums), "A", "B", "C", "D"]


def test_the_cells_of_ten_tables_lie_as_in_the_printed_table():
    test = fstats.BlockedFiveByTwoMcNemar([[[[5, 2], [8, 35]]] * 2] * 5)
    pictures = {part.picture.title: part.picture for part in step_pictures(test)}
    for title, counts in (("The ten tables", ["5", "2", "8", "35"]), ("The mean of the tables", ["5", "2", "8", "35"])):
        cells = [(mark.x[0], mark.y[0], mark.words[0]) for mark in pictures[title].marks if isinstance(mark, Cells)][:4]
        assert [words for _, _, words in sorted(cells, key=lambda cell: (-cell[1], cell[0]))] == counts
