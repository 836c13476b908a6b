"""Step-by-step plots of the signed-rank test and the sign test.

They show differences, ranks of their sizes, signs, and the sums of both signs as stacks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from ...core.number_format import format_plain
from ...core.value_types import Array
from ..drawing.picture import Picture
from ..drawing.picture_marks import BLUE, GREY, VERMILLION, Cells, Curve, Label, Line, Links, Points
from .block_rows import (
    MAX_SEPARATE,
    MAX_SLIDING,
    SHADE,
    cell_width,
    finite_ends,
    has_space,
    picture_of_rows,
    point_radius,
    rank_cells,
    row_axes,
    stack,
    total,
    upright_interval,
)
from .null_distribution_steps import null_distribution_steps
from .paired_score_steps import scores_with_links
from .step_picture import StepMark, StepPicture

COLORS = {1: BLUE, -1: VERMILLION, 0: GREY}  # colour of each sign of a difference
# heights of the rows of data sets, ranks and signs, and of their cells, as shares of the largest difference
SET_ROW, RANK_ROW, SIGN_ROW, ROW_HEIGHT = -0.3, -0.62, -0.95, 0.3


def signed_rank_steps(test: Any) -> list[StepPicture]:
    """Return the pictures of a signed-rank test: scores, then stacks of ranks, then the null distribution; the differences below."""
    first = "zero_share" if test.zeros == "split" else "w_plus"
    sums = {"w_plus": test.ranks[test.d > 0], "w_minus": test.ranks[test.d < 0]}
    stacks = signed_stacks(test, ("The rank sums", "rank sum"), ("W+", "W−", "W"), sums, since=first, until="null")
    return [*differences_with_ranks(test, slot=1), *_scores(test, first), stacks, null_distribution_steps(test)]


def sign_test_steps(test: Any) -> list[StepPicture]:
    """Return the pictures of a sign test: scores, then the wins of both classifiers, then the null distribution; the differences below."""
    first = "zero_share" if test.zeros == "split" else "wins"
    sums = {"wins": np.ones(int((test.d > 0).sum())), "losses": np.ones(int((test.d < 0).sum()))}
    stacks = signed_stacks(test, ("The wins", "data sets won"), ("n+", "n−", "m"), sums, since=first, until="null")
    return [differences_with_signs(test, slot=1), *_scores(test, first), stacks, null_distribution_steps(test)]


def _scores(test: Any, until: str) -> list[StepPicture]:
    """Return the picture of the scores; an empty list if the differences were stated."""
    return [scores_with_links(test, until=until)] if "a" in vars(test) else []


def differences_with_signs(test: Any, **place: Any) -> StepPicture:
    """Return the picture of the differences, which get a colour and a shape for the classifier that wins.

    >>> import fstats
    >>> differences_with_signs(fstats.SignTest([85, 70, 79], [87, 68, 85])).picture
    [picture: Differences on 3 data sets, from -6 to 2. A is better on 1, B on 2.]
    """
    d, x = test.d, np.arange(1.0, len(test.d) + 1)
    top, since = float(np.abs(d).max()) or 1.0, {1: "wins", -1: "losses"}

    def parts() -> Iterator[StepMark]:
        yield from _arriving(d, x, top, since | {0: "n" if test.zeros == "drop" else ""})
        yield from _legend(test, since)
        yield from _signed(d, d, x, since)

    return StepPicture.of(_axes(test, "The differences", (0.4, len(d) + 0.6), top), parts(), **place)


def differences_with_ranks(test: Any, slot: int) -> list[StepPicture]:
    """Return the pictures of the differences: as they are, then ordered by size with ranks and signs, then with estimate and interval.

    >>> import fstats
    >>> [part.picture.ylabel for part in differences_with_ranks(fstats.SignedRank([85, 70, 79], [87, 68, 85]), slot=1)]
    ['difference', 'size |d|', 'difference']
    """
    d, n = test.d, len(test.d)
    top = float(np.abs(np.r_[d, float(test.estimate), finite_ends(test.ci)]).max()) or 1.0
    right, width = n + 0.6, 0.45 * n  # space at the right for the names of the rows and the interval
    x = np.arange(1.0, n + 1)

    def ordered() -> Iterator[StepMark]:
        yield from _ranked(test, x, top, right + width)
        for name, y, since in (("set", SET_ROW, "ranks"), ("rank", RANK_ROW, "ranks"), ("sign", SIGN_ROW, "signed_ranks")):
            middle = np.array([right + 0.2 * width])
            cells = Cells(middle, np.array([y * top]), np.zeros(1), 0.4 * width, ROW_HEIGHT * top, (name,), outlined=False)
            yield StepMark(cells, since)

    def estimated() -> Iterator[StepMark]:
        yield StepMark(Links(x, np.minimum(d, 0), np.maximum(d, 0)))
        yield from _signed(d, d, x, dict.fromkeys((1, -1, 0), ""))
        yield StepMark(Curve(np.array([0.4, right]), np.full(2, float(test.estimate)), VERMILLION, dashed=True), "estimate")
        words = format_plain(test.estimate)
        yield StepMark(Label(right + 0.04 * width, float(test.estimate), words, "start", VERMILLION, bold=True), "estimate")
        yield from upright_interval(test, right + 0.75 * width, (-1.15 * top, 1.15 * top), 0.08 * width)

    axes = _axes(test, "The differences", (0.4, right + width), top)
    sizes = replace(axes, title=f"{axes.title} and their ranks", ylabel="size |d|", least_ytick=0.0)  # rows of words are below 0
    until = {1: "ranks", -1: "ranks", 0: "n" if test.zeros == "drop" else "ranks"}
    arriving = list(_arriving(d, x, top, until))
    legend = list(_legend(test, dict.fromkeys((1, -1), "signed_ranks")))
    return [
        StepPicture.of(axes, [*arriving, *legend], slot, until="ranks"),
        StepPicture.of(sizes, [StepMark(arriving[0].mark), *legend, *ordered()], slot, "ranks", "estimate"),
        StepPicture.of(replace(axes, title="The estimate"), [StepMark(arriving[0].mark), *legend, *estimated()], slot, "estimate"),
    ]


def _ranked(test: Any, x: Array, top: float, span: float) -> Iterator[StepMark]:
    """Yield the sizes of the differences in their order, with the ranks and the signs in cells below."""
    d, ranks, size = test.d, test.ranks, np.abs(test.d)
    order = np.lexsort((size, ranks))
    order = order[ranks[order] > 0] if test.zeros == "drop" else order
    place_of = np.zeros(len(d))
    place_of[order] = np.arange(1.0, len(order) + 1)
    for part in np.array_split(order, len(order)) if 0 < len(order) <= MAX_SLIDING else [order]:
        first = part[0] if len(part) == 1 else None
        shift = (0.0, 0.0) if first is None else (float(x[first] - place_of[first]), float(d[first] - size[first]))
        yield StepMark(Links(place_of[part], np.zeros(len(part)), size[part]), "ranks", "", shift)
        yield StepMark(Points(place_of[part], size[part], GREY, radius=point_radius(len(d))), "ranks", "signed_ranks", shift)
    wide, is_outlined = cell_width(1, len(d)), len(d) <= MAX_SEPARATE
    sets = tuple(str(one + 1) if has_space(str(len(d)), wide, span) else "" for one in order.tolist())  # numbers of the data sets
    at, y = place_of[order], np.full(len(order), SET_ROW * top)
    yield StepMark(Cells(at, y, np.zeros(len(order)), wide, ROW_HEIGHT * top, sets, GREY, is_outlined), "ranks")
    yield from rank_cells(ranks, place_of, RANK_ROW * top, ROW_HEIGHT * top, "ranks", span)
    since = {1: "signed_ranks", -1: "signed_ranks"} | ({0: "signed_ranks"} if test.zeros == "split" else {})
    yield from _signed(size, d, place_of, since)
    for sign, words in ((1, "+"), (-1, "−")):
        at = place_of[np.sign(d) == sign]
        y, shades, written = np.full(len(at), SIGN_ROW * top), np.full(len(at), SHADE), words if has_space(words, wide, span) else ""
        cells = Cells(at, y, shades, wide, ROW_HEIGHT * top, (written,) * len(at), COLORS[sign], is_outlined)
        yield StepMark(cells, "signed_ranks")


def _axes(test: Any, title: str, xlim: tuple[float, float], top: float) -> Picture:
    """Return the empty picture of the differences."""
    d, (name_a, name_b) = test.d, test.sides
    text = f"Differences on {len(d)} data sets, from {format_plain(d.min())} to {format_plain(d.max())}."
    text += f" {name_a} is better on {(d > 0).sum()}, {name_b} on {(d < 0).sum()}."
    axes = f"{getattr(test, 'unit', '') or 'data set'}s", "difference"
    return Picture(title, *axes, xlim, (-1.15 * top, 1.15 * top), (), text, xticks=False)


def _arriving(d: Array, x: Array, top: float, until: dict[int, str]) -> Iterator[StepMark]:
    """Yield the differences, which slide from the scores above; `until` has the step at which the points of each sign disappear."""
    yield StepMark(Curve(np.array([0.4, len(d) + 0.6]), np.zeros(2), GREY), "d")
    for part in np.array_split(np.arange(len(d)), min(len(d), MAX_SLIDING)):
        yield StepMark(Links(x[part], np.minimum(d[part], 0), np.maximum(d[part], 0)), "d", "", (0.0, 2 * top))
        for sign in np.unique(np.sign(d[part])).tolist():
            same = part[np.sign(d[part]) == sign]
            yield StepMark(Points(x[same], d[same], GREY, radius=point_radius(len(d))), "d", until[sign], (0.0, 2 * top))


def _signed(y: Array, d: Array, x: Array, since: dict[int, str]) -> Iterator[StepMark]:
    """Yield points with the colour and the shape of the sign of their difference."""
    for sign, step in since.items():
        same = np.sign(d) == sign
        yield StepMark(Points(x[same], y[same], COLORS[sign], open=sign < 0, radius=point_radius(len(d))), step)


def _legend(test: Any, since: dict[int, str]) -> Iterator[StepMark]:
    """Yield marks without points, whose labels are in the legend from the step of their sign on."""
    for (sign, step), name in zip(since.items(), test.sides):
        yield StepMark(Points(np.empty(0), np.empty(0), COLORS[sign], f"{name} better", open=sign < 0), step)


def signed_stacks(test: Any, titles: tuple[str, str], names: tuple[str, str, str], sums: dict[str, Array], **place: Any) -> StepPicture:
    """Return the stacks of ranks, or of wins, of both signs, and the statistic, which is one of the two sums.

    >>> import fstats
    >>> test = fstats.SignedRank([85, 70, 79], [87, 68, 85])
    >>> signed_stacks(test, ("", ""), ("W+", "W-", "W"), {"w_plus": np.array([1.5]), "w_minus": np.array([1.5, 3])}).picture
    [picture: W+ is 1.5, W- is 4.5, and W is 1.5.]
    """
    values = {step: float(getattr(test, step)) for step in (*sums, "statistic")}
    longest = max(*values.values(), 1.0)
    span, statistic = 1.2 * longest, values["statistic"]
    share = float(test.zero_share) if test.zeros == "split" else 0.0

    def parts() -> Iterator[StepMark]:
        for row, sign, (step, sizes) in zip((3.0, 2.0), (1, -1), sums.items()):
            yield from stack(np.array([share]), row, GREY, "zero_share", span)
            yield from stack(np.sort(sizes), row, COLORS[sign], step, span, share, shift=(0.0, -3.0))
            yield total(format_plain(values[step]), values[step], row, step, span)
        source = next(row for row, step in zip((3.0, 2.0), sums) if values[step] == statistic)
        yield StepMark(Line((0.0, statistic), (1.0, 1.0), BLUE, 8.0), "statistic", "", (0.0, source - 1.0))
        yield total(format_plain(statistic), statistic, 1.0, "statistic", span, BLUE)

    text = "{} is {}, {} is {}, and {} is {}.".format(*(part for pair in zip(names, map(format_plain, values.values())) for part in pair))
    rows = [(name, "zero_share" if share else step) for name, step in zip(names, sums)] + [(names[2], "statistic")]
    return picture_of_rows(row_axes(*titles, (0.0, span), 3, text, whole_x=True), rows, parts(), **place)
