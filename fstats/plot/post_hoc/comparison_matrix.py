"""All pairwise comparisons at a glance: a square of classifiers by classifiers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations
from typing import Any

import numpy as np

from ...core.number_format import format_plain
from ..drawing.picture import Picture, picture_in_pixels
from ..drawing.picture_marks import BLUE, GREY, VERMILLION, Cells, Label, Mark
from ..drawing.picture_options import with_picture_options
from .critical_difference_layout import ROW, WIDTH, break_name, stacked_labels, text_width
from .post_hoc_summary import PostHocSummary, summarize_post_hoc

CELL_HEIGHT, CELL_WIDTH = 44.0, 62.0  # of a cell with a p-value
MAX_WITH_PVALUES = 8  # classifiers whose p-values have room
LEGEND_HEIGHT = 52.0  # for the two lines that explain the signs
LINE = 18.0  # and for a line more
MAX_READABLE = 30  # classifiers, of which a diagram is easier to read


@with_picture_options
def comparison_matrix(test: Any, *, across: float = WIDTH) -> Picture:
    """Which classifier is shown to be better than which: the row's than the column's (▲), or worse (▼), with adjusted p-values.

    Classifiers stand in the order of their mean ranks (or means), the best first; columns bear the numbers of the rows, or some of them
    where there is no room.  Of more than eight classifiers the p-values are left out; ``test.to_frame("matrix")`` has them.  Of more
    than thirty ``test.plot()``, a critical difference diagram, is easier to read, and the picture says so.

    >>> import fstats
    >>> fstats.plot.comparison_matrix(fstats.Nemenyi([[0.9, 0.7, 0.6]] * 5))
    [picture: Pairwise comparisons (Nemenyi, alpha = 0.05) of 3 classifiers. Shown to be better: A than C. Not shown to differ: A and B; B
    and C.]
    """
    found, k = summarize_post_hoc(test), len(summarize_post_hoc(test).names)
    names = [f"{i + 1}  {name}" for i, name in enumerate(found.names)]
    lines = [break_name(name, 0.45 * across) for name in names]
    left = max(text_width(line) for each in lines for line in each) + 8
    wide = min(CELL_WIDTH if k <= MAX_WITH_PVALUES else ROW, (across - left - 2) / k)
    tall = max(
        CELL_HEIGHT if k <= MAX_WITH_PVALUES else ROW if k <= MAX_READABLE else LINE, LINE * max(map(len, lines)) + 8 * (k <= MAX_READABLE)
    )
    high = ROW + k * tall + LEGEND_HEIGHT + LINE * (k > MAX_READABLE)
    room, signs = k <= MAX_WITH_PVALUES and wide >= text_width("1.000"), wide >= text_width("▲")
    every = next(step for step in (1, 2, 5, 10, 20, 50, 100, k) if step * wide >= text_width(f"{k}") + 4 or step == k)
    marks: list[Mark] = []
    for i, each in enumerate(lines):
        if i == 0 or (i + 1) % every == 0:
            marks.append(Label(left + (i + 0.5) * wide, -ROW / 2, str(i + 1), "middle"))
        marks += stacked_labels(left - 8, -(ROW + (i + 0.5) * tall), each, "end")
    pvalues = _pvalues(test) if room else {}
    for color, which in ((BLUE, "▲"), (VERMILLION, "▼"), (GREY, "")):
        cells = [pair for pair in permutations(range(k), 2) if _sign(found, *pair) == which]
        if not cells:
            continue
        x, y = (np.array([start + (cell[axis] + 0.5) * size for cell in cells]) for axis, start, size in ((1, left, wide), (0, ROW, tall)))
        marks.append(Cells(x, -y, np.full(len(cells), 0.6 if which else 0.06), wide, tall, color=color))
        for (i, j), right, down in zip(cells, x.tolist(), y.tolist(), strict=True):
            chance = _format_pvalue(pvalues.get(frozenset((found.names[i], found.names[j]))))
            marks += stacked_labels(right, -down, list(filter(None, (which * signs, chance))), "middle")
    better, worse = ("▲", "▼") if signs else ("upper right, blue:", "lower left, orange:")
    told = [
        f"{better} row shown to be better than column",
        f"{worse} worse; {'numbers: adjusted p-values' if room else 'empty: not shown to differ'}",
    ]
    told += [f"of {k} classifiers test.plot() is easier to read"] * (k > MAX_READABLE)
    marks += [Label(0.0, 12 - high + LINE * line, words) for line, words in enumerate(reversed(told))]
    usual = f"Pairwise comparisons ({found.test}, alpha = {format_plain(found.alpha)})"
    text = f"{usual} of {k} classifiers. {' '.join(_describe_pairs(found))}"
    return picture_in_pixels(usual, across, high, marks, text, lambda room: comparison_matrix(test, across=room))


def _sign(found: PostHocSummary, i: int, j: int) -> str:
    """Better, worse, or not shown to differ; classifiers stand in their order, the best first."""
    if j in found.alike[i] or found.control not in (None, i, j):
        return ""
    return "▲" if i < j else "▼"


def _format_pvalue(p: float | None) -> str:
    """An adjusted p-value in three decimals."""
    return "" if p is None else "<.001" if p < 0.001 else f"{p:.3f}".removeprefix("0")


def _pvalues(test: Any) -> dict[frozenset[str], float]:
    """The adjusted p-value of each pair."""
    adjusted = test.adjusted if "adjusted" in type(test).steps else test.pvalues
    return {frozenset(pair): float(p) for pair, p in zip(test.pairs, adjusted, strict=True)}


def _describe_pairs(found: PostHocSummary) -> Iterator[str]:
    pairs = [(i, j) for i, j in combinations(range(len(found.names)), 2) if found.control in (None, i, j)]
    better = [f"{found.names[i]} than {found.names[j]}" for i, j in pairs if j not in found.alike[i]]
    same = [f"{found.names[i]} and {found.names[j]}" for i, j in pairs if j in found.alike[i]]
    if better:
        yield f"Shown to be better: {'; '.join(better)}."
    if same:
        yield f"Not shown to differ: {'; '.join(same)}."
