"""Null distributions of the tests for many classifiers, as pictures: chi-squared, F, and exact ones with values everywhere."""

from typing import Any

import numpy as np
import pytest
from shortcuts import parametrize

import fstats
from fstats.core.number_format import format_plain
from fstats.core.rejection_region import LOWER_TWICE
from fstats.plot.drawing.label_placement import count_overlaps
from fstats.plot.drawing.picture import Picture
from fstats.plot.drawing.picture_layout import PictureLayout
from fstats.plot.drawing.picture_marks import BLUE, DEFAULT_SIZE, GREY, ORANGE, Area, Bars, Curve, PictureSize, VerticalLine


def table(n: int, k: int, apart: float = 0.3, seed: int = 5) -> Any:
    """Scores of k classifiers that lie so far apart, in standard deviations."""
    return np.arange(k) * apart + np.random.default_rng(seed).normal(size=(n, k))


RIGHT = np.random.default_rng(1).integers(0, 2, (20, 4))
CURVES = {
    "Friedman": fstats.Friedman(table(14, 4)),
    "Friedman, 30 classifiers": fstats.Friedman(table(20, 30, 0.01)),
    "Friedman, 40 classifiers that differ much": fstats.Friedman(table(30, 40)),
    "ImanDavenport": fstats.ImanDavenport(table(14, 4)),
    "ImanDavenport, 20 classifiers": fstats.ImanDavenport(table(30, 20, 0.02)),
    "ImanDavenport, infinite": fstats.ImanDavenport([[3, 2, 1]] * 3),
    "Quade": fstats.Quade(table(14, 4)),
    "CochranQ": fstats.CochranQ(RIGHT),
    "OneWayAnova": fstats.OneWayAnova(table(9, 3)),
    "RepeatedAnova": fstats.RepeatedAnova(table(9, 3)),
}
EXACT = {
    "few values": fstats.Friedman(table(3, 3), method="exact"),
    "at irregular distances": fstats.Friedman(table(10, 3), method="exact"),
    "many": fstats.Friedman(table(5, 5), method="exact"),
    "very many": fstats.Friedman(table(12, 4).round(), method="exact"),
    "very many, two classifiers differ": fstats.Friedman(table(12, 4, 1.0), method="exact"),
    "all tied": fstats.Friedman(np.ones((4, 3)), method="exact"),
    "all agree": fstats.Friedman(table(12, 4, 100.0), method="exact"),
}
BOTH = CURVES | EXACT


def ruled(picture: Picture) -> dict[str, VerticalLine]:
    """The vertical lines by what their names begin with."""
    return {mark.label.split(" = ")[0]: mark for mark in picture.marks if isinstance(mark, VerticalLine)}


@pytest.mark.complete
@pytest.mark.parametrize("name", BOTH)
def test_symbols_are_written_without_latex(name: str) -> None:
    """In the title, on the axis, beside the line and in words; and it can be drawn both ways without a warning."""
    test = BOTH[name]
    symbol = "χ²" if isinstance(test, fstats.Friedman) else "Q" if isinstance(test, fstats.CochranQ) else "F"
    picture = test.plot()
    assert (picture.title, picture.xlabel) == (f"{symbol} when H0 is true", symbol)
    assert f"{symbol} = {format_plain(test.statistic)}" in picture.text
    assert set(ruled(picture)) == {symbol, "c"} if np.isfinite(test.critical_value) else {symbol}
    assert "\\" not in picture.svg() + picture.text
    drawn = [text.get_text() for text in picture.figure().axes[0].texts]
    assert sorted(drawn) == sorted(mark.label for mark in ruled(picture).values())


POSTERIORS = {
    "a posterior, long names": fstats.BayesianCorrelatedT(
        table(10, 1)[:, 0], 1 / 9, rope=0.3, labels=["a very long name", "the other long one"]
    ),
    "shares": fstats.BayesianSignTest(table(9, 1)[:, 0], np.zeros(9), rope=0.1, labels=["five neighbours", "seven neighbours"]),
}


@pytest.mark.complete
@pytest.mark.parametrize("name", BOTH | POSTERIORS)
def test_a_legend_is_seen_whole(name: str) -> None:
    """In as many rows as it needs: nothing is cut, it covers no words, it squeezes no axes, and one reads it row by row."""
    picture = (BOTH | POSTERIORS)[name].plot()
    made = picture.figure()
    (ax,) = made.axes
    legend = ax.get_legend()
    box = legend.get_window_extent()
    assert -0.5 <= box.x0 < box.x1 <= made.bbox.x1 + 0.5
    assert -0.5 <= box.y0 < box.y1 <= ax.xaxis.label.get_window_extent().y0
    assert ax.get_window_extent().width > 0.85 * made.bbox.width
    places = {text.get_text(): text.get_window_extent() for text in legend.get_texts()}
    read = sorted(places, key=lambda words: (-round(places[words].y0 / 10), places[words].x0))
    assert read == [mark.label for mark in picture.legend]


@pytest.mark.complete
@pytest.mark.parametrize("words", [3, 9, 14, 40])
def test_a_title_is_seen_whole(words: int) -> None:
    made = POSTERIORS["shares"].plot(title=" ".join(["verdicts"] * words)).figure()
    (ax,) = made.axes
    box = ax._left_title.get_window_extent()
    assert 0 <= box.x0 < box.x1 <= made.bbox.x1
    assert ax.bbox.y1 <= box.y0 < box.y1 <= made.bbox.y1
    assert ax.get_title(loc="left").split() == ["verdicts"] * words


@pytest.mark.every_case
@pytest.mark.parametrize("name", CURVES)
def test_the_critical_value_and_the_bulk_are_in_the_picture(name: str) -> None:
    """However many degrees of freedom there are: at most a tenth of the curve lies off it, and its peak does not."""
    test = CURVES[name]
    picture = test.plot()
    low, high = picture.xlim
    assert low == 0
    assert low < test.critical_value < high
    assert test.null.at_least(high) < 0.06
    (curve,) = (mark for mark in picture.marks if isinstance(mark, Curve))
    assert curve.y[12:].max() <= picture.ylim[1]
    rejects = next(mark for mark in picture.marks if isinstance(mark, Area) and mark.label.startswith("rejection region"))
    assert rejects.x[0] == test.critical_value
    share = np.trapezoid(rejects.y, rejects.x) + test.null.at_least(high)
    assert share == pytest.approx(0.05, rel=0.02)


@pytest.mark.parametrize("name", EXACT)
def test_the_bars_are_the_exact_chances(name: str) -> None:
    """All of them sum to 1 but for a tail too small to see, the hatched ones to p; none is too thin to see, none covers another."""
    test = EXACT[name]
    picture = test.plot()
    bars = [mark for mark in picture.marks if isinstance(mark, Bars)]
    of = {mark.color: mark for mark in bars}
    plain_bars, hatched = of[GREY], of[BLUE]
    assert hatched.height.sum() == pytest.approx(test.pvalue, abs=2e-4)
    heights: dict[float, float] = {}
    for x, height in ((x, height) for mark in bars for x, height in zip(mark.x.tolist(), mark.height.tolist())):
        heights[x] = max(height, heights.get(x, 0.0))  # the part of a step that rejects stands in front of the whole step
    assert sum(heights.values()) == pytest.approx(1, abs=2e-4)
    low, high = picture.xlim
    assert (high - low) / plain_bars.width < 560  # at least a pixel each
    assert (np.diff(sorted(heights)) > 0.99 * plain_bars.width).all()
    if len(plain_bars.x):
        assert plain_bars.x.max() < hatched.x.min()
    assert low <= test.statistic <= high
    for mark in bars:
        inside = (mark.x - mark.width / 2 >= low) & (mark.x + mark.width / 2 <= high)
        assert inside.all()


DISCRETE = EXACT | {
    f"{cls.__name__} {side} {alpha}": cls([3, 5, 1, 4, 9, 2, 8], [1, 2, 2, 0, 3, 4, 1], alternative=side, alpha=alpha)
    for cls in (fstats.SignedRank, fstats.RankSum, fstats.SignTest)
    for side in ("two-sided", "less", "greater")
    for alpha in (0.3, 0.05, 0.001)
}
DISCRETE |= {
    f"McNemarExact {n01} {side}": fstats.McNemarExact(n01, 9, alternative=side) for n01 in (0, 2, 30) for side in ("two-sided", "less")
}
DISCRETE["outline"] = fstats.SignedRank(table(80, 1)[:, 0] + 0.2, np.zeros(80))


@pytest.mark.parametrize("name", DISCRETE)
def test_the_rejection_region_is_seen_and_named(name: str) -> None:
    """It has its own color, its probability in the legend, and the bar of the statistic if and only if the test rejects."""
    test = DISCRETE[name]
    values, chances = test.null.atoms()
    pvalues = np.asarray(test.tail.pvalue(test.null, values))
    region = [mark for mark in test.plot().marks if isinstance(mark, Area | Bars) and mark.color == ORANGE]
    assert bool(region) == bool((pvalues <= test.alpha * (1 + 1e-9)).any())
    if not region:
        assert not test.reject
        return
    total = chances[pvalues <= test.alpha * (1 + 1e-9)].sum() * (2 if test.tail == LOWER_TWICE else 1)
    assert total <= test.alpha * (1 + 1e-9)
    assert [mark.label for mark in region if mark.label] == [f"rejection region, {format_plain(total)} in all"]
    if name != "outline" and not name.startswith("very many"):  # whose marks are not single values
        drawn = np.concatenate([mark.x for mark in region])
        assert bool(np.isclose(drawn, test.statistic).any()) == test.reject
        assert sum(mark.height.sum() for mark in region) == pytest.approx(total, abs=2e-4)


def test_very_many_values_are_put_together_in_steps() -> None:
    """One of which begins at the statistic, so that those that make up p are whole steps."""
    test = EXACT["very many"]
    values, chances = test.null.atoms()
    assert len(values) > 300
    bars = [mark for mark in test.plot().marks if isinstance(mark, Bars) and mark.color != ORANGE]
    assert bars[0].label == "probability of χ² under H0, in steps of 0.5"
    for middle, height in zip(np.r_[bars[0].x, bars[1].x], np.r_[bars[0].height, bars[1].height]):
        mine = (values >= middle - 0.25 - 1e-7) & (values < middle + 0.25 - 1e-7)
        assert height == pytest.approx(chances[mine].sum(), abs=1e-4)


@pytest.mark.complete
@pytest.mark.parametrize("test", [fstats.SignedRank, fstats.RankSum])
def test_the_outline_of_very_many_values_has_no_more_points_than_can_be_seen(test: Any) -> None:
    a, b = np.random.default_rng(0).normal(size=(2, 500))
    one = test(a, b)
    values, chances = one.null.atoms()
    assert len(values) > 100_000
    picture = one.plot()
    areas = [mark for mark in picture.marks if isinstance(mark, Area)]
    outline = [mark for mark in areas if not mark.hatched]
    assert max(mark.y.max() for mark in outline) == chances.max()
    assert (min(mark.x[0] for mark in outline), max(mark.x[-1] for mark in outline)) == (values[0], values[-1])
    assert sum(np.trapezoid(mark.y, mark.x) for mark in outline) == pytest.approx(1, abs=1e-3)
    assert len(outline) < len(areas)
    assert len(picture.svg()) < 200_000


def moved(picture: Picture) -> bool:
    """Whether the name of the critical value stands on the other side than it would by itself."""
    c, (low, high) = ruled(picture)["c"], picture.xlim
    near = min(c.x - low, high - c.x) < (high - low) / 4
    return picture.is_label_left(c) != ((c.x > (low + high) / 2) == near)


def test_the_line_of_the_statistic_does_not_cross_the_name_of_the_critical_value() -> None:
    pictures = [fstats.RepeatedAnova(table(12, 4, shift)).plot() for shift in np.linspace(0, 1, 21)]
    for picture in pictures:
        c, statistic = ruled(picture)["c"], ruled(picture)["F"]
        low, high = picture.xlim
        wide = 9.5 * len(c.label) / 562 * (high - low)  # of bold text in size 15
        start, end = (c.x - wide, c.x) if picture.is_label_left(c) else (c.x, c.x + wide)
        assert not start < statistic.x < end
    assert {moved(picture) for picture in pictures} == {True, False}


@pytest.mark.complete
@parametrize(
    "room", PictureSize(400, 224, 13), PictureSize(460, 258, 15), PictureSize(520, 291, 15), DEFAULT_SIZE, PictureSize(900, 400, 26)
)
def test_no_name_touches_a_line_or_a_name_in_a_room_for_two_pictures(room: PictureSize) -> None:
    """However long the words are there: wherever the statistic stands, -c, c and t leave each other alone."""
    b = np.array([87, 68, 85, 75, 83])
    for shift in np.linspace(-12, 12, 49):
        picture = fstats.PairedT(np.array([85, 70, 79, 78, 83]) + shift, b).plot()
        canvas = PictureLayout(picture, room)
        assert count_overlaps(list(canvas.line_labels.values())) == 0, picture.text
        assert all(0 <= min(name.span) < max(name.span) <= canvas.width for name in canvas.line_labels.values()), picture.text


@pytest.mark.parametrize("counts", [(3, 9), (1, 12), (10, 10), (30, 50)])
def test_a_name_moves_only_if_it_must(counts: tuple[int, int]) -> None:
    assert not moved(fstats.McNemar(*counts).plot())


def test_a_region_with_one_end_has_one() -> None:
    """Of a skew null: three scores out of eight, five of which tie, can be too high together but not too low."""
    test = fstats.RankSum([0, 0, 0], [0, 0, 1, 1, 1])
    assert np.isinf(test.critical_value.low)
    assert np.isfinite(test.critical_value.high)
    picture = test.plot()
    assert f"rejection region U >= {format_plain(test.critical_value.high)}." in picture.text
    assert "<=" not in picture.text
    assert "c" not in ruled(picture)
    assert "c'" in ruled(picture)


@pytest.mark.parametrize("name", [name for name in CURVES if "infinite" not in name])
def test_a_density_is_not_cut_off_below_its_peak(name: str) -> None:
    picture = CURVES[name].plot()
    (curve,) = [mark for mark in picture.marks if isinstance(mark, Curve)]
    assert np.max(curve.y) <= picture.ylim[1] / 1.3


def test_an_infinite_density_leaves_the_picture_without_a_flat_top() -> None:
    picture = fstats.OneWayAnova(table(9, 2)).plot()  # F with 1 degree of freedom
    (curve,) = [mark for mark in picture.marks if isinstance(mark, Curve)]
    assert curve.y[0] > 1000
    assert (curve.y > picture.ylim[1]).sum() <= 2


def test_a_tail_that_cannot_be_seen_is_said_in_the_legend() -> None:
    labels = [[mark.label for mark in fstats.McNemarMidP(*counts).plot().marks] for counts in ((28, 1), (12, 6))]
    assert "p = 5.774e-08, too small to be seen" in labels[0]
    assert not any("too small" in label for label in labels[1])
