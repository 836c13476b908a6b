"""Critical difference diagram."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ...core.number_format import format_plain
from ..drawing.picture import Picture, picture_in_pixels
from ..drawing.picture_layout import wrap_words
from ..drawing.picture_marks import BLACK, BLUE, VERMILLION, Label, Line, Mark, Points, tick_positions
from ..drawing.picture_options import with_picture_options
from .critical_difference_layout import (
    BOLD,
    GAP,
    ROW,
    SPACE,
    TEXT,
    TICK,
    WIDTH,
    ClassifierLabel,
    DiagramLayout,
    RankAxis,
    align_axes,
    break_name,
    lay_out_labels,
    stacked_labels,
    text_width,
)
from .maximal_cliques import assign_levels
from .post_hoc_summary import PostHocSummary, summarize_post_hoc

LEVEL, DOT = 17.0, 5.5  # distance between two bars, and radius of a dot
ABOVE = 12.0  # depth of the text above the axis, from the top of the diagram
SLANT = 28.0  # width of the slanted lines to the names of an upright diagram
HEAD, BETWEEN = 26.0, 12.0  # for several diagrams: height of the heading of each diagram, and distance between diagrams
NON_MEMBER_NOTE = "A line that passes under a bar without a dot is not in that group."


COLORS = {"bars": BLUE, "differing": VERMILLION, "cd": VERMILLION, "highlight": VERMILLION}  # default colours


@with_picture_options
def critical_difference(
    test: Any, *, across: float = WIDTH, upright: bool = False, highlight: Any = (), colors: Mapping[str, str] | None = None
) -> Picture:
    """Draw the critical difference diagram of a post-hoc test of a single table: mean ranks, and which classifiers differ.

    A mapping, ``{"accuracy": test, "f1": other}``, gives a diagram for each metric, one below the other with a common axis. To draw a
    diagram on axes of your own figure, call ``critical_difference(test, ax=ax)`` for each metric.

    ``across`` is the width in pixels for text of height 15. ``picture.save("cd.pdf")`` redraws the picture for the column width of a
    publication, and ``picture.draw(ax)`` redraws the picture for the size of the axes. ``upright=True`` turns the axis for a narrow page,
    such as that of a phone: the best is on top, and the names stand below each other. ``highlight`` contains the names of one or several
    classifiers that are drawn bold and coloured. ``colors`` replaces the colours of "bars", "differing" (the squares of classifiers that
    differ from a control), "cd" and "highlight"; each colour is written "#rrggbb".

    Each classifier is joined by a line to its mean rank, the best on the right. A bar joins a group of classifiers of which no two are
    shown to differ, with a dot at each classifier of the group; every group that cannot be made larger has a bar. For Nemenyi's test a
    group is an interval of mean ranks. For other tests a group can have gaps: a line that passes under a bar without a dot does not belong
    to the group. With a control there is one bar, the bar of the control: classifiers with a dot are not shown to differ from the control,
    classifiers with a square are shown to differ. If the test has a critical difference, this length is drawn above the axis, and the bar
    of a control extends by the critical difference to both sides.

    The diagram follows Demsar (2006), Statistical comparisons of classifiers over multiple data sets, JMLR 7, Figure 1.

    >>> import fstats
    >>> fstats.plot.critical_difference(fstats.Nemenyi([[0.9, 0.7, 0.6]] * 5))
    [picture: Critical difference diagram (Nemenyi, alpha = 0.05) of 3 classifiers. Mean ranks from the best to the worst: A 1.00, B 2.00,
    C 3.00. Critical difference 1.48. Groups of which no two are shown to differ: A and B; B and C.]
    """
    palette, highlighted = _merge_colors(colors), [highlight] if isinstance(highlight, str) else [str(name) for name in highlight]
    tests = dict(test) if isinstance(test, Mapping) else {"": test}
    if not tests or isinstance(test, (list, tuple)):
        remedy = "Pass a mapping of headings to tests, {'accuracy': test, ...}."
        raise TypeError(f"each of several diagrams must have a heading; got a {type(test).__name__}. {remedy}")
    summaries = [summarize_post_hoc(posthoc) for posthoc in tests.values()]
    known = list(dict.fromkeys(name for summary in summaries for name in summary.names))
    if unknown := [name for name in highlighted if name not in known]:
        raise ValueError(f"`highlight` must name classifiers of the picture ({', '.join(known)}); got {unknown[0]!r}")
    marks: list[Mark] = []
    height = 0.0
    if upright:
        diagrams = [_upright_diagram(summary, across, highlighted, palette) for summary in summaries]
    else:
        layouts = align_axes([lay_out_labels(*_labels(each, highlighted, palette), each.axis_ends, across) for each in summaries])
        diagrams = [_diagram(summary, layout, palette) for summary, layout in zip(summaries, layouts)]
    for head, summary, (diagram_marks, depth) in zip(tests, summaries, diagrams):
        if isinstance(test, Mapping):
            marks.append(Label(0.0, -height - HEAD / 2, str(head), "start", bold=True))
            height += HEAD
        marks += _shift_down(diagram_marks, height, {mark.label for mark in marks if isinstance(mark, Points)})
        height += depth + (BETWEEN if summary is not summaries[-1] else 0)
    if any(summary.non_members_between for summary in summaries):
        for k, line in enumerate(wrap_words(NON_MEMBER_NOTE, lambda words: text_width(words) <= across)):
            height += TEXT if k else 24
            marks.append(Label(0.0, 12 - height, line))
    titles = dict.fromkeys(f"{each.statistic_name.capitalize()}s ({each.test}, alpha = {format_plain(each.alpha)})" for each in summaries)
    title = next(iter(titles)) if len(titles) == 1 else "Critical difference diagrams"
    text = " ".join(
        f"{head}: {each.description}" if isinstance(test, Mapping) else each.description for head, each in zip(tests, summaries)
    )
    options: dict[str, Any] = {"upright": upright, "highlight": highlighted, "colors": colors}
    legend = {mark.label for mark in marks if isinstance(mark, Points) and mark.label}
    title_lines = len(list(wrap_words(title, lambda words: BOLD * text_width(words) <= across)))
    beside = 70.0 + TEXT * (title_lines - 1) + (TEXT + 2) * (len(legend) - 1) if upright else 70.0
    return picture_in_pixels(title, across, height, marks, text, lambda wide: critical_difference(test, across=wide, **options), beside)


def _labels(
    summary: PostHocSummary, highlighted: Sequence[str], palette: Mapping[str, str]
) -> tuple[list[str], list[float], list[str], set[int], dict[int, str]]:
    """Return the names of the classifiers, their values, these as texts, the bold names, and the colours of names."""
    chosen = {i: palette["highlight"] for i, name in enumerate(summary.names) if name in highlighted}
    names = [name + " (control)" * (i == summary.control) for i, name in enumerate(summary.names)]
    bold = {*chosen, *([] if summary.control is None else [summary.control])}
    return names, summary.values, [summary.format_value(value) for value in summary.values], bold, chosen


def _diagram(summary: PostHocSummary, layout: DiagramLayout, palette: Mapping[str, str]) -> tuple[list[Mark], float]:
    """Return the marks and the depth of one diagram."""
    top = ABOVE + (36.0 if summary.critical_difference is None else 54.0)
    bars, deep = _bars(summary, layout.axis, top + LEVEL + 2, palette)
    return [*layout.marks(top, deep), *_axis_marks(summary, layout.axis, top, palette["cd"], layout.width), *bars], deep + layout.height


def _upright_diagram(
    summary: PostHocSummary, across: float, highlighted: Sequence[str], palette: Mapping[str, str]
) -> tuple[list[Mark], float]:
    """Return the marks and the depth of one diagram with a vertical axis: from left to right the axis, the bars, and the names."""
    names, values, numbers, bold, colors = _labels(summary, highlighted, palette)
    shortest = RankAxis(*summary.axis_ends, 0.0, ROW * len(names))
    wide = _bars(summary, shortest, LEVEL, palette)[1]  # width for the shortest axis; on a longer axis, the bars need no more columns
    has_length = summary.critical_difference is not None
    left = max(text_width(written) for _, written in _ticks(summary, shortest)) + (3 if has_length else 2) * GAP + 2 * DOT * has_length
    edge = left + wide + SLANT
    labels = [
        ClassifierLabel(
            break_name(number + SPACE + name, (across - edge - GAP) / (BOLD if i in bold else 1)), value, i in bold, colors.get(i, BLACK)
        )
        for i, (name, value, number) in enumerate(zip(names, values, numbers))
    ]
    height, top = sum(label.height for label in labels), ABOVE + LEVEL
    bottom = top + height
    axis = replace(shortest, right=height)
    marks = [*_turn([*_scale(summary, axis, 0.0), *_bars(summary, axis, LEVEL, palette)[0]], left, bottom)]
    depth = top
    for label in labels:
        start, end = axis.position(label.value) - bottom, -(depth + label.height / 2)
        depth += label.height
        marks.append(Line((left, left + wide, edge), (start, start, end), label.color, 1.6 if label.color == BLACK else 2.6))
        marks += stacked_labels(edge + GAP, end, label.lines, "start", label.color, label.bold)
    long, words = _critical_difference_label(summary, axis)
    if words:
        ends = (0.0, long) if long <= height else (0.0,)
        marks += [Line((DOT, DOT), (-top, -top - min(long, height)), palette["cd"], 4.0)]
        marks += [Line((0.0, 2 * DOT), (-top - end, -top - end), palette["cd"]) for end in ends]
        marks.append(Label(0.0, -ABOVE / 2, words, "start", palette["cd"], bold=True))
    marks.append(Label(max(left - GAP, 1.1 * text_width(words) + LEVEL) if words else left - GAP, -ABOVE / 2, "↑ better", "start"))
    return marks, bottom + TEXT / 2  # the last tick label reaches below the axis by half a line


def _turn(marks: Iterable[Mark], left: float, bottom: float) -> Iterator[Mark]:
    """Yield the marks of a horizontal axis as a vertical axis that begins at depth `bottom`; marks below the axis move to its right."""
    for mark in marks:
        if isinstance(mark, Label):
            yield replace(mark, x=left - 2 * GAP + 2, y=mark.x - bottom, align="end")
        elif isinstance(mark, Points):
            yield replace(mark, x=left - mark.y, y=mark.x - bottom)
        elif isinstance(mark, Line):
            yield replace(mark, x=tuple(left - y for y in mark.y), y=tuple(x - bottom for x in mark.x))


def _shift_down(marks: Sequence[Mark], depth: float, known_labels: Collection[str]) -> Iterator[Mark]:
    """Yield marks moved down by `depth`; labels in `known_labels` are removed from points, so that the legend has each label once."""
    for mark in marks:
        if isinstance(mark, Points):
            yield replace(mark, y=mark.y - depth, label="" if mark.label in known_labels else mark.label)
        elif isinstance(mark, Line):
            yield replace(mark, y=tuple(y - depth for y in mark.y))
        elif isinstance(mark, Label):
            yield replace(mark, y=mark.y - depth)


def _merge_colors(colors: Mapping[str, str] | None) -> dict[str, str]:
    """Return the default colours with the replacements of the caller."""
    for part, color in (colors or {}).items():
        if part not in COLORS:
            raise ValueError(f"the keys of `colors` must be names from the list {', '.join(map(repr, COLORS))}; got {part!r}")
        if not isinstance(color, str) or not re.fullmatch("#[0-9a-fA-F]{6}", color):
            raise ValueError(f"`colors[{part!r}]` must be written '#rrggbb', such as '#0072b2'; got {color!r}")
    return COLORS | dict(colors or {})


def _scale(summary: PostHocSummary, axis: RankAxis, top: float) -> Iterator[Mark]:
    """Yield the axis with its tick labels."""
    yield Line((axis.left, axis.right), (-top, -top))
    for tick, written in _ticks(summary, axis):
        x = axis.position(tick)
        yield Line((x, x), (-top, (7 if written else 4) - top))
        yield from [Label(x, 18 - top, written, "middle")] if written else []


def _critical_difference_label(summary: PostHocSummary, axis: RankAxis) -> tuple[float, str]:
    """Return the length of the critical difference on the axis and its text; the text is empty if the test has none."""
    if summary.critical_difference is None:
        return 0.0, ""
    long = axis.length(summary.critical_difference)
    label = f"{summary.critical_difference_name} = {summary.format_value(summary.critical_difference)}"
    return long, label + ", longer than the axis" * (long > axis.right - axis.left + 0.5)


def _axis_marks(summary: PostHocSummary, axis: RankAxis, top: float, color: str, across: float) -> Iterator[Mark]:
    """Yield the axis with its tick labels, and the critical difference above the axis."""
    left, right = axis.left, axis.right
    yield from _scale(summary, axis, top)
    better = "better →"
    long, label = _critical_difference_label(summary, axis)
    if not label:
        yield Label(right, -ABOVE, better, "end")
        return
    beyond = long > right - left + 0.5
    end = right if beyond else left + long
    room = 1.1 * text_width(label) + text_width(better) + LEVEL
    start = max(0.0, min(left, across - room))  # if the axis is short, both texts begin to the left of the axis
    yield Label(start, -ABOVE, label, "start", color, True)
    yield Label(max(right, start + room), -ABOVE, better, "end")
    bar = -ABOVE - 17
    yield Line((left, end), (bar, bar), color, 4.0)
    for x in (left, *(() if beyond else (end,))):
        yield Line((x, x), (bar - 6, bar + 6), color)


def _ticks(summary: PostHocSummary, axis: RankAxis) -> Iterator[tuple[float, str]]:
    """Yield the ticks and their labels: the best and the worst possible rank, and round ranks between best and worst."""
    low, high = sorted(summary.axis_ends)
    if summary.statistic_name != "mean rank":
        yield from (
            (tick, format_plain(tick)) for tick in tick_positions(low, high, most=max(2, int((axis.right - axis.left) / (2 * TICK))))
        )
        return
    room = TICK if high > 9 else 0.7 * TICK
    every = next(step for step in (1, 5, 10, 20, 50, high) if axis.length(step) >= room)
    for rank in range(1, int(high) + 1):
        yield rank, str(rank) if rank == 1 or rank % every == 0 else ""


def _bars(summary: PostHocSummary, axis: RankAxis, top: float, palette: Mapping[str, str]) -> tuple[list[Mark], float]:
    """Return the bars of all groups, and the depth below the lowest bar."""
    marks: list[Mark] = []
    places = [axis.position(value) for value in summary.values]
    spans = [(places[group[-1]], places[group[0]]) for group in summary.groups]
    if summary.control is not None and summary.critical_difference is not None:
        middle, long = places[summary.control], axis.length(summary.critical_difference)
        spans = [(max(middle - long, axis.left), min(middle + long, axis.right))]
        marks += [
            Line((x, x), (-top - 6, -top + 6), palette["bars"]) for x in (middle - long, middle + long) if axis.left <= x <= axis.right
        ]
    levels = assign_levels(spans, 2 * DOT + 14)
    dots: tuple[list[float], list[float]] = [], []
    for group, (low, high), level in zip(summary.groups, spans, levels):
        y = -(top + level * LEVEL)
        marks.append(Line((low, high), (y, y), palette["bars"], 4.0))
        dots[0].extend(places[i] for i in group)
        dots[1].extend([y] * len(group))
    if dots[0]:
        label = "joined by a bar: not shown to differ" if summary.control is None else "not shown to differ from the control"
        marks.append(Points(np.array(dots[0]), np.array(dots[1]), palette["bars"], label, radius=DOT))
    others = [place for i, place in enumerate(places) if i not in summary.groups[0]] if summary.control is not None else []
    if others:  # the squares are one level below the bar, so that they cover no dot
        levels.append(1)
        on_line = np.full(len(others), -top - LEVEL)
        marks.append(Points(np.array(others), on_line, palette["differing"], "shown to differ", open=True, radius=DOT + 1))
    return marks, top + LEVEL * (max(levels, default=-1) + 1)
