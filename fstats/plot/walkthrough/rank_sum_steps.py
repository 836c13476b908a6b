"""Step-by-step plots of the Wilcoxon rank-sum test.

They show the scores of both classifiers on one axis, their ranks, the rank sum as a stack, and its distribution.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ...core.number_format import format_plain
from ..drawing.picture import Picture
from ..drawing.picture_marks import BLUE, GREY, VERMILLION, Cells, Curve, Line, Points, axis_limits
from .block_rows import (
    MAX_SEPARATE,
    MAX_SLIDING,
    SHADE,
    block,
    cell_width,
    finite_ends,
    has_space,
    interval,
    picture_of_rows,
    point_radius,
    rank_cells,
    row_axes,
    stack,
    total,
)
from .null_distribution_steps import null_distribution_steps
from .step_picture import StepMark, StepPicture


def rank_sum_steps(test: Any) -> list[StepPicture]:
    """Return the pictures of a rank-sum test: scores with ranks, then the null distribution; the rank sum below, then the shift."""
    stacks = rank_sum_stack(test, slot=1, since="rank_sum", until="estimate")
    after = [scores_with_ranks(test, until="null"), shift_with_interval(test, slot=1, since="estimate")] if "x" in vars(test) else []
    return [*after, stacks, null_distribution_steps(test)]


def scores_with_ranks(test: Any, **place: Any) -> StepPicture:
    """Return the picture of the scores of both classifiers, which slide to the order of their ranks.

    >>> import fstats
    >>> scores_with_ranks(fstats.RankSum([1, 2, 3], [4, 5, 6])).picture
    [picture: Scores of A on 3 data sets, from 1 to 3, and of B on 3 other data sets, from 4 to 6.]
    """
    n_x, ranks, scores = len(test.x), test.ranks, np.r_[test.x, test.y]
    n = len(scores)
    is_a = np.arange(n) < n_x
    x, place_of = np.arange(1.0, n + 1), np.empty(n)
    place_of[np.lexsort((~is_a, ranks))] = x
    low, high = axis_limits(scores, share=0.12)
    step = 0.24 * (high - low)
    y, span = low - 0.4 * step, float(n)

    def parts() -> Iterator[StepMark]:
        for same, color, name in ((is_a, BLUE, test.sides[0]), (~is_a, VERMILLION, test.sides[1])):
            numbers = np.flatnonzero(same)
            yield StepMark(Points(np.empty(0), np.empty(0), color, str(name), open=color != BLUE))
            yield StepMark(Points(x[same], scores[same], color, open=color != BLUE, radius=point_radius(n)), "", "ranks")
            for part in np.array_split(numbers, len(numbers)) if n <= MAX_SLIDING else [numbers]:
                shift = (float(x[part][0] - place_of[part][0]), 0.0) if len(part) == 1 else (0.0, 0.0)
                yield StepMark(Points(place_of[part], scores[part], color, open=color != BLUE, radius=point_radius(n)), "ranks", "", shift)
        yield from rank_cells(ranks, place_of, y, 0.8 * step, "ranks", span)
        words = tuple(word if has_space(word, 1.0, span) else "" for word in map(format_plain, ranks[:n_x].tolist()))
        wide, is_outlined = cell_width(1, n), n <= MAX_SEPARATE
        own = Cells(place_of[:n_x], np.full(n_x, y - step), np.full(n_x, SHADE), wide, 0.8 * step, words, BLUE, is_outlined)
        yield StepMark(own, "rank_sum", "", (0.0, step))
        yield StepMark(Curve(np.array([0.4, n + 0.6]), np.full(2, low + 0.1 * step), GREY), "ranks")

    (name_a, name_b), ends = test.sides, [format_plain(end) for part in (test.x, test.y) for end in (part.min(), part.max())]
    text = f"Scores of {name_a} on {n_x} data sets, from {ends[0]} to {ends[1]}"
    text += f", and of {name_b} on {n - n_x} other data sets, from {ends[2]} to {ends[3]}."
    about = Picture(
        "The scores and their ranks", f"{test.unit}s", "score", (0.4, n + 0.6), (low - 2.0 * step, high), (), text, xticks=False
    )
    return StepPicture.of(about, parts(), **place)


def rank_sum_stack(test: Any, **place: Any) -> StepPicture:
    """Return the stack of the ranks of A, the least possible rank sum, and the statistic, which is the rest.

    >>> import fstats
    >>> rank_sum_stack(fstats.RankSum([1, 2, 3], [4, 5, 6])).picture
    [picture: The rank sum W of A is 6, the least possible rank sum 6, and U, the rest, 0.]
    """
    ranks, rank_sum, statistic = np.sort(test.ranks[: int(test.n_x)]), float(test.rank_sum), float(test.statistic)
    least, span = rank_sum - statistic, 1.2 * rank_sum

    def parts() -> Iterator[StepMark]:
        yield from stack(ranks, 3.0, BLUE, "rank_sum", span, shift=(0.0, 3.0))
        yield total(format_plain(rank_sum), rank_sum, 3.0, "rank_sum", span)
        yield StepMark(block(least / 2, 2.0, least, "", GREY), "statistic")
        yield total(format_plain(least), least, 2.0, "statistic", span)
        yield StepMark(Line((0.0, statistic), (1.0, 1.0), BLUE, 8.0), "statistic", "", (least, 2.0))
        yield total(format_plain(statistic), statistic, 1.0, "statistic", span, BLUE)

    text = f"The rank sum W of {test.sides[0]} is {format_plain(rank_sum)}, the least possible rank sum {format_plain(least)}"
    text += f", and U, the rest, {format_plain(statistic)}."
    axes = row_axes(f"The ranks of {test.sides[0]}", "rank sum", (0.0, span), 3, text, whole_x=True)
    return picture_of_rows(axes, (("W", "rank_sum"), ("min", "statistic"), ("U", "statistic")), parts(), **place)


def shift_with_interval(test: Any, **place: Any) -> StepPicture:
    """Return the picture of the estimated shift and its confidence interval.

    >>> import fstats
    >>> shift_with_interval(fstats.RankSum([1, 2, 3], [4, 5, 6])).picture
    [picture: The estimated shift is -3.]
    """
    estimate = float(test.estimate)
    xlim = axis_limits(0.0, estimate, finite_ends(test.ci), share=0.2)

    def parts() -> Iterator[StepMark]:
        yield StepMark(Curve(np.zeros(2), np.array([0.4, 2.6]), GREY))
        yield StepMark(Line((0.0, estimate), (2.0, 2.0), VERMILLION, 6.0), "estimate")
        yield total(format_plain(estimate), estimate, 2.0, "estimate", xlim[1] - xlim[0], VERMILLION)
        yield from interval(test, 1.0, xlim)

    axes = row_axes("The shift between the scores", "difference", xlim, 2, f"The estimated shift is {format_plain(estimate)}.")
    return picture_of_rows(axes, (("Δ", "estimate"), ("CI", "ci")), parts(), **place)
