"""The explorer of the 5x2 cv t-test: each slider, and every number shown, against fresh tests."""

import re

import numpy as np
import pytest
from shown_numbers import LEVELS, numbers_of, shown_in

from fstats import CombinedFiveByTwoF, CombinedFiveByTwoT, FiveByTwoT, explore
from fstats.core.number_format import format_plain
from fstats.explore.resampling.five_by_two_explorer import ten_statistics_plot
from fstats.plot.drawing.picture_marks import BLUE, GREY, VERMILLION, Curve, Label, PictureSize, Points
from fstats.teaching.demonstrations.fold_numbering import pvalues, renumber

D = np.array([[-0.0246, -0.0211], [-0.0246, -0.0035], [-0.0737, -0.0106], [-0.0281, -0.0176], [-0.0316, -0.0035]])
START = {"first": 1, "shift": 0, "alpha": 4}
MOVES = [
    {},
    *({"first": place} for place in range(2, 11)),
    *({"shift": place} for place in (-20, -3, 1, 20)),
    *({"alpha": place} for place in (0, 3, 6)),
    {"first": 5, "shift": -4, "alpha": 5},
]
each_move = pytest.mark.parametrize("moves", MOVES, ids=lambda moves: " ".join(f"{k}={v}" for k, v in moves.items()) or "start")


def by_hand(moves):
    """The ten differences in the order in which a student would write them down, and the level."""
    at = START | moves
    i, k = (at["first"] - 1) // 2, (at["first"] - 1) % 2
    lines = [list(D[i])] + [list(D[j]) for j in range(5) if j != i]
    if k:
        lines[0] = lines[0][::-1]
    return np.array(lines) + at["shift"] * 0.005, LEVELS[at["alpha"]]


def moved(moves):
    """The explorer after these moves."""
    explorer = explore.five_by_two(D)
    explorer.move(**moves)
    return explorer


@pytest.mark.complete
@each_move
def test_everything_shown_is_that_of_a_fresh_test(moves):
    explorer = moved(moves)
    d, alpha = by_hand(moves)
    test = FiveByTwoT(d, alpha=alpha)
    shown = shown_in(explorer)
    assert shown == numbers_of(test)
    assert len(shown) > 10 + 5 + 5 + 8
    assert explorer.view["conclusion"] == test.conclusion
    assert {control["name"]: control["value"] for control in explorer.view["controls"]} == START | moves
    at = START | moves
    texts = [f"repetition {(at['first'] + 1) // 2}, fold {2 - at['first'] % 2}", format_plain(at["shift"] * 0.005), format_plain(alpha)]
    assert [control["text"] for control in explorer.view["controls"]] == texts


@pytest.mark.complete
@each_move
def test_the_ten_t_are_those_of_ten_numberings(moves):
    explorer = moved(moves)
    picture = explorer.pictures(explorer.test)[0]
    assert explorer.view["pictures"][0] == picture.svg()
    d, alpha = by_hand(moves)
    *points, on_top = [mark for mark in picture.marks if isinstance(mark, Points)]
    drawn = sorted(zip(*(np.concatenate([getattr(mark, axis) for mark in points]) for axis in "yx"), strict=True))
    se = np.sqrt(sum(np.var(line, ddof=1) for line in D) / 5)
    every = [(5.0 - i, (D[i, k] + (START | moves)["shift"] * 0.005) / se) for i in range(5) for k in range(2)]
    np.testing.assert_allclose(drawn, sorted(every), rtol=1e-9)
    first = (START | moves)["first"] - 1
    np.testing.assert_allclose([*on_top.y, *on_top.x], every[first], rtol=1e-9)
    rejecting = sum(FiveByTwoT([[x, y], *others], alpha=alpha).reject for x, y, others in orders(d))
    assert f"{rejecting} of 10 reject" in picture.title
    assert sum(len(mark.x) for mark in points if mark.color == VERMILLION) == rejecting
    assert f"chosen: t = {format_plain(FiveByTwoT(d).statistic)}" in [mark.words for mark in picture.marks if isinstance(mark, Label)]


def orders(d):
    """Each of the ten differences, the other one of its repetition, and the other repetitions."""
    for i in range(5):
        others = [list(line) for j, line in enumerate(d) if j != i]
        yield d[i, 0], d[i, 1], others
        yield d[i, 1], d[i, 0], others


@pytest.mark.complete
@each_move
def test_p_by_shift_is_that_of_fresh_tests(moves):
    explorer = moved(moves)
    picture = explorer.pictures(explorer.test)[1]
    d, alpha = by_hand(moves)
    here = (START | moves)["shift"] * 0.005
    expected = [test(d, alpha=alpha).pvalue for test in (FiveByTwoT, CombinedFiveByTwoF, CombinedFiveByTwoT)]
    points = [mark for mark in picture.marks if isinstance(mark, Points)]
    assert [(mark.x[0], mark.y[0]) for mark in points] == [(pytest.approx(here), pytest.approx(p)) for p in expected]
    curves = [mark for mark in picture.marks if isinstance(mark, Curve)]
    assert [curve.color for curve in curves].count(GREY) == 9
    for point in points:  # lies on its curve
        (curve,) = [curve for curve in curves if curve.color == point.color]
        assert np.interp(here, curve.x, curve.y) == pytest.approx(point.y[0], abs=1e-12)
    (level,) = [curve for curve in curves if curve.color == VERMILLION]
    assert set(level.y) == {alpha}
    (top,) = [curve for curve in curves if curve.color == BLUE]
    for shift, p in list(zip(top.x, top.y, strict=True))[::40]:
        assert FiveByTwoT(by_hand({"first": (START | moves)["first"]})[0] + shift).pvalue == pytest.approx(p)


def test_what_numbering_and_shifts_leave():
    moved_first = explore.five_by_two(D, first=4, step=0.002, alpha=0.1)
    assert [control.value for control in moved_first.controls] == [4, 0, 5]
    assert re.search(r"The ten t of the same ten differences, from -\d", moved_first.pictures(moved_first.test)[0].text)
    for first in range(10):
        other = renumber(D, first)
        assert (other[0, 0], sorted(map(sorted, other.tolist()))) == (D.ravel()[first], sorted(map(sorted, D.tolist())))
    assert len({float(FiveByTwoT(renumber(D, first)).statistic) for first in range(10)}) == 8  # two differences occur twice
    f = [float(CombinedFiveByTwoF(renumber(D, first)).statistic) for first in range(10)]
    np.testing.assert_allclose(f, f[0])  # F does not mind
    found = pvalues(D, np.array([0.0, -D.mean()]))
    assert found[FiveByTwoT].shape == (10, 2)
    assert found[CombinedFiveByTwoT][1] == pytest.approx(1.0)  # the mean is 0
    assert found[CombinedFiveByTwoT][0] == pytest.approx(CombinedFiveByTwoT(D).pvalue)


@pytest.mark.complete
@pytest.mark.parametrize("d", [np.zeros((5, 2)), np.full((5, 2), 0.1), np.array([[0.0, 0.0]] * 4 + [[0.1, 0.1]])])
def test_differences_without_spread(d):
    explorer = explore.five_by_two(d)
    explorer.move(shift=3)
    assert "no replication has any spread" in explorer.view["conclusion"]
    assert all(np.isfinite(mark.x).all() for mark in explorer.pictures(explorer.test)[0].marks if isinstance(mark, Points))


HALL, PHONE = PictureSize(386, 216, 13, 240), PictureSize(237, 195, 13, 240)
NAMED = re.compile(r'<text x="([\d.]+)" y="([\d.]+)"[^>]*?(?:text-anchor="(\w+)")?[^>]*>(chosen: |-?c = )([^<]*)</text>')


@pytest.mark.complete
@pytest.mark.parametrize("room", [HALL, PHONE], ids=["hall", "phone"])
@pytest.mark.parametrize("d", [D, np.array([[1.4, 1.76], [0.7, 1.41], [3.16, 1.76], [1.4, 3.87], [4.91, 0]])], ids=["explorer", "lesson"])
def test_names_in_the_picture_of_ten_do_not_cover_each_other(d, room):
    """A letter is about 0.6 of the size of text wide and 0.75 high."""
    for first in range(10):
        picture = ten_statistics_plot(d, FiveByTwoT(renumber(d, first)), first, tight=room is PHONE)
        boxes = []
        for x, y, anchor, begin, rest in NAMED.findall(picture.svg(room)):
            wide = 0.6 * room.text * len(begin + rest)
            left = float(x) - {"": 0, "start": 0, "middle": wide / 2, "end": wide}[anchor]
            boxes.append((left, left + wide, float(y) - 0.75 * room.text, float(y)))
        assert len(boxes) == (2 if room is PHONE else 3)
        assert room is HALL or picture.title.startswith(f"Black: t = {format_plain(FiveByTwoT(renumber(d, first)).statistic)};")
        for k, (left, right, top, bottom) in enumerate(boxes):
            for other in boxes[:k]:
                assert right <= other[0] or other[1] <= left or bottom <= other[2] or other[3] <= top, (first, boxes)
