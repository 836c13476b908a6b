"""The picture of what training sets have in common: its numbers against a plain count, its shades, its words."""

import re

import numpy as np
import pytest
from shortcuts import assert_raises, parametrize
from sklearn.model_selection import LeaveOneGroupOut, RepeatedStratifiedKFold

from fstats import BlockedFiveByTwoMcNemar, BlockRegularizedCV, plot
from fstats.core.number_format import format_plain
from fstats.plot.drawing.picture import Picture
from fstats.plot.drawing.picture_marks import BLACK, BLUE, WHITE, Cells, Label
from fstats.procedures.resampling.split_plans.split_plan import (
    BLOCKED_FIVE_BY_TWO,
    FIVE_BY_TWO,
    HOLD_OUT_THIRD,
    REPEATED_HOLD_OUT_TENTH,
    TEN_FOLD,
    TEN_TIMES_TEN_FOLD,
    Plan,
)


def counted(splitter, n, y=None, groups=None):
    """Records in common, by sets."""
    train = [set(train.tolist()) for train, _ in splitter.split(np.zeros((n, 1)), y, groups)]
    return np.array([[len(one & other) for other in train] for one in train])


def matrix_of(picture):
    """The cells of the matrix: by shade as a square, and what is written in them."""
    cells = next(mark for mark in picture.marks if isinstance(mark, Cells))
    k = round(len(cells.x) ** 0.5)
    by_place = np.lexsort((cells.x, -cells.y))  # from the top line down, from left to right
    return cells.shade[by_place].reshape(k, k), [cells.words[k] for k in by_place] if cells.words else []


@pytest.mark.parametrize("plan", [BLOCKED_FIVE_BY_TWO, FIVE_BY_TWO, TEN_FOLD, REPEATED_HOLD_OUT_TENTH, TEN_TIMES_TEN_FOLD], ids=str)
@pytest.mark.parametrize("n", [60, 151])
def test_shades_and_numbers_are_those_of_a_plain_count(plan, n):
    picture, common = plot.plan_overlap(plan, n, random_state=3), counted(plan.splitter(3), n)
    shade, words = matrix_of(picture)
    np.testing.assert_allclose(shade, common / common.max(), rtol=1e-12)
    digits = 3 if len(common) <= 12 else 2
    assert words == ([format_plain(share, digits) for share in (100 * common / n).ravel()] if len(common) <= 16 else [])


def test_the_words_name_the_least_and_the_most():
    assert plot.plan_overlap(BLOCKED_FIVE_BY_TWO, 200).text == (
        "The 10 training sets of 5 x 2-fold cross-validation, block-regularized, each with 50 % of the 200 records. "
        "Of their 45 pairs 5 have no record in common, the others share 25 % of all records (50 records)."
    )
    common = counted(FIVE_BY_TWO.splitter(1), 80)
    some = common[(common > 0) & ~np.eye(10, dtype=bool)]
    least, most = (format_plain(count / 0.8, 3) for count in (some.min(), some.max()))
    shares = f"{least} to {most} % of all records ({some.min()} to {some.max()} records)"
    assert some.min() < some.max()
    assert shares in plot.plan_overlap(FIVE_BY_TWO, 80, random_state=1).text
    assert "Any two share 80 % of all records (160 records)." in plot.plan_overlap(TEN_FOLD, 200).text
    assert plot.plan_overlap(Plan("k-fold", 1), 10).text.endswith("No two have a record in common.")
    assert "Of their 3 pairs 1 has no record in common" in plot.plan_overlap(Overlapping(), 9).text


class Overlapping:
    """Three training sets, of which the last shares records with both others."""

    def get_n_splits(self, *_):
        return 3

    def split(self, records, *_):
        everything = np.arange(len(records))
        for train in (everything[:3], everything[3:6], everything[2:5]):
            yield train, np.setdiff1d(everything, train)


def test_plans_and_splitters_give_the_same_picture():
    by_plan = plot.plan_overlap(BLOCKED_FIVE_BY_TWO, 90, random_state=2)
    assert plot.plan_overlap(BlockedFiveByTwoMcNemar, 90, random_state=2).svg() == by_plan.svg()
    by_splitter = plot.plan_overlap(BlockRegularizedCV(random_state=2), 90)
    assert np.array_equal(matrix_of(by_splitter)[0], matrix_of(by_plan)[0])
    assert "BlockRegularizedCV(n_repeats=5, stratify=False, random_state=2)" in by_splitter.text
    y = np.repeat([0, 1], 30)
    splitter = RepeatedStratifiedKFold(n_splits=2, n_repeats=3, random_state=0)
    shade, _ = matrix_of(plot.plan_overlap(splitter, y=y))
    common = counted(splitter, 60, y)
    np.testing.assert_allclose(shade, common / common.max())
    picture = plot.plan_overlap(LeaveOneGroupOut(), 60, groups=np.repeat(range(6), 10))
    assert "Any two share 66.7 % of all records (40 records)." in picture.text


@parametrize(
    "arguments, error, message",
    ((TEN_FOLD,), ValueError, r"plan_overlap\(\) needs `n`, the number of records, or `y`, their classes; got neither"),
    ((HOLD_OUT_THIRD, 30), ValueError, "got 1 x hold-out, .* which has only one training set"),
    ((BLOCKED_FIVE_BY_TWO, 7), ValueError, "needs at least 8 records"),
    ((TEN_FOLD, 1), ValueError, "`n` must be at least 2; got 1"),
    ((TEN_FOLD, "many"), TypeError, "`n` must hold numbers"),
)
def test_what_cannot_be_drawn(arguments, error, message):
    assert_raises(lambda: plot.plan_overlap(*arguments), message, error)


# -- cells ---------------------------------------------------------------------------------------------------------------
def luminance(color):
    """As the guidelines for accessible web content define it."""
    parts = [int(color[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    return np.dot([0.2126, 0.7152, 0.0722], [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts])


@pytest.mark.parametrize("color", [BLUE, "#000000", "#e69f00"])
def test_words_in_cells_can_be_read_at_every_shade(color):
    shade = np.linspace(0, 1, 101)
    cells = Cells(shade, shade, shade, 1, 1, color=color)
    lights = np.array([luminance(fill) for fill in cells.fill_colors])
    assert (cells.fill_colors[0], cells.fill_colors[-1]) == (WHITE, color)
    assert (np.diff(lights) < 0).all()  # the order of the values is one of brightness, whatever colours one sees
    for ink, light in zip(cells.text_colors, lights, strict=True):
        one, other = sorted([luminance(ink), light])
        assert (other + 0.05) / (one + 0.05) >= 4.5
    assert cells.text_colors[0] == BLACK


def test_both_media_draw_every_cell_where_it_belongs():
    cells = Cells(np.array([1.0, 2.0, 3.0]), np.array([1.0, 1.0, 2.0]), np.array([0.0, 1.0, 1.0]), 1.0, 1.0, ("a", "<b>", "c"))
    picture = Picture("Title", "x", "y", (0.0, 4.0), (0.0, 4.0), (cells,), "text")
    svg = picture.svg()
    paths = re.findall(r'<path d="((?:M[\d. ]+h[\d.]+v[\d.]+h-[\d.]+Z)+)" fill="var\(--fstats-blue,(#\w+)\)" fill-opacity="([\d.]+)"', svg)
    assert [(path.count("M"), fill, float(full)) for path, fill, full in paths] == [(1, BLUE, 0), (2, BLUE, 1)]
    assert "&lt;b&gt;" in svg
    across, down = (640 - 64 - 14) / 4, (330 - 36 - 46) / 4  # pixels for 1: the picture without its margins
    corners = [tuple(map(float, corner)) for corner in re.findall(r"M([\d.]+) ([\d.]+)h", paths[1][0])]
    np.testing.assert_allclose(corners, [(64 + 1.5 * across, 284 - 1.5 * down), (64 + 2.5 * across, 284 - 2.5 * down)], atol=0.06)
    ax = picture.figure().axes[0]
    boxes = [path.get_extents().bounds for path in ax.collections[0].get_paths()]
    assert boxes == [(0.5, 0.5, 1.0, 1.0), (1.5, 0.5, 1.0, 1.0), (2.5, 1.5, 1.0, 1.0)]
    assert [text.get_text() for text in ax.texts] == ["a", "<b>", "c"]


@pytest.mark.complete
@pytest.mark.parametrize("plan", [BLOCKED_FIVE_BY_TWO, REPEATED_HOLD_OUT_TENTH, TEN_TIMES_TEN_FOLD], ids=str)
def test_nothing_leaves_the_picture(plan):
    picture = plot.plan_overlap(plan, 200)
    for mark in picture.marks:
        if isinstance(mark, Cells):
            assert (mark.x - mark.width / 2).min() >= picture.xlim[0]
            assert (mark.x + mark.width / 2).max() <= picture.xlim[1]
            assert (mark.y - mark.height / 2).min() >= picture.ylim[0]
        else:
            assert isinstance(mark, Label)
            wide = 10 * len(mark.words)  # a letter at most
            left = mark.x - {"start": 0, "middle": wide / 2, "end": wide}[mark.align]
            assert picture.xlim[0] <= left < left + wide <= picture.xlim[1]
    assert len(picture.svg()) < 300_000
    assert picture.png().startswith(b"\x89PNG")
