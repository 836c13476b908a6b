"""Matrix plot of all pairwise comparisons of classifiers."""

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

CELL_HEIGHT, CELL_WIDTH = 44.0, 62.0  # size in pixels of a cell with a p-value
MAX_WITH_PVALUES = 8  # maximum number of classifiers for which cells contain p-values
LEGEND_HEIGHT = 52.0  # height of the legend (two lines)
LINE = 18.0  # height of each additional line of text
MAX_READABLE = 30  # above this number of classifiers, a critical difference diagram is easier to read


@with_picture_options
def comparison_matrix(test: Any, *, across: float = WIDTH) -> Picture:
    """Draw whether the classifier of a row is shown to be better (▲) or worse (▼) than that of a column, with adjusted p-values.

    Classifiers are sorted by their mean ranks (or means), the best first. The columns have the numbers of the rows; if space is short,
    only some columns have numbers. For more than eight classifiers the picture has no p-values; ``test.to_frame("matrix")`` contains the
    p-values. For more than thirty classifiers ``test.plot()``, a critical difference diagram, is easier to read, and the picture says so.

    >>> import fstats
    >>> fstats.plot.comparison_matrix(fstats.Nemenyi([[0.9, 0.7, 0.6]] * 5))
    [picture: Pairwise comparisons (Nemenyi, alpha = 0.05) of 3 classifiers. Shown to be better: A than C. Not shown to differ: A and B; B
    and C.]
    """
    summary, k = summarize_post_hoc(test), len(summarize_post_hoc(test).names)
    names = [f"{i + 1}  {name}" for i, name in enumerate(summary.names)]
    lines = [break_name(name, 0.45 * across) for name in names]
    left = max(text_width(line) for each in lines for line in each) + 8
    cell_width = min(CELL_WIDTH if k <= MAX_WITH_PVALUES else ROW, (across - left - 2) / k)
    cell_height = max(
        CELL_HEIGHT if k <= MAX_WITH_PVALUES else ROW if k <= MAX_READABLE else LINE, LINE * max(map(len, lines)) + 8 * (k <= MAX_READABLE)
    )
    height = ROW + k * cell_height + LEGEND_HEIGHT + LINE * (k > MAX_READABLE)
    has_pvalues, has_signs = k <= MAX_WITH_PVALUES and cell_width >= text_width("1.000"), cell_width >= text_width("▲")
    number_step = next(step for step in (1, 2, 5, 10, 20, 50, 100, k) if step * cell_width >= text_width(f"{k}") + 4 or step == k)
    marks: list[Mark] = []
    for i, each in enumerate(lines):
        if i == 0 or (i + 1) % number_step == 0:
            marks.append(Label(left + (i + 0.5) * cell_width, -ROW / 2, str(i + 1), "middle"))
        marks += stacked_labels(left - 8, -(ROW + (i + 0.5) * cell_height), each, "end")
    pvalues = _pvalues(test) if has_pvalues else {}
    for color, sign in ((BLUE, "▲"), (VERMILLION, "▼"), (GREY, "")):
        cells = [pair for pair in permutations(range(k), 2) if _sign(summary, *pair) == sign]
        if not cells:
            continue
        x, y = (
            np.array([start + (cell[axis] + 0.5) * size for cell in cells])
            for axis, start, size in ((1, left, cell_width), (0, ROW, cell_height))
        )
        marks.append(Cells(x, -y, np.full(len(cells), 0.6 if sign else 0.06), cell_width, cell_height, color=color))
        for (i, j), right, down in zip(cells, x.tolist(), y.tolist(), strict=True):
            pvalue = _format_pvalue(pvalues.get(frozenset((summary.names[i], summary.names[j]))))
            marks += stacked_labels(right, -down, list(filter(None, (sign * has_signs, pvalue))), "middle")
    better, worse = ("▲", "▼") if has_signs else ("upper right, blue:", "lower left, orange:")
    legend = [
        f"{better} row shown to be better than column",
        f"{worse} worse; {'numbers: adjusted p-values' if has_pvalues else 'empty: not shown to differ'}",
    ]
    legend += [f"for {k} classifiers test.plot() is easier to read"] * (k > MAX_READABLE)
    marks += [Label(0.0, 12 - height + LINE * line, words) for line, words in enumerate(reversed(legend))]
    title = f"Pairwise comparisons ({summary.test}, alpha = {format_plain(summary.alpha)})"
    text = f"{title} of {k} classifiers. {' '.join(_describe_pairs(summary))}"
    return picture_in_pixels(title, across, height, marks, text, lambda width: comparison_matrix(test, across=width))


def _sign(summary: PostHocSummary, i: int, j: int) -> str:
    """Return the sign of a cell: better, worse, or "" if the classifiers are not shown to differ; classifiers are sorted, best first."""
    if j in summary.not_different[i] or summary.control not in (None, i, j):
        return ""
    return "▲" if i < j else "▼"


def _format_pvalue(p: float | None) -> str:
    """Return an adjusted p-value as text with three decimals."""
    return "" if p is None else "<.001" if p < 0.001 else f"{p:.3f}".removeprefix("0")


def _pvalues(test: Any) -> dict[frozenset[str], float]:
    """Return the adjusted p-value of each pair."""
    adjusted = test.adjusted if "adjusted" in type(test).steps else test.pvalues
    return {frozenset(pair): float(p) for pair, p in zip(test.pairs, adjusted, strict=True)}


def _describe_pairs(summary: PostHocSummary) -> Iterator[str]:
    pairs = [(i, j) for i, j in combinations(range(len(summary.names)), 2) if summary.control in (None, i, j)]
    better = [f"{summary.names[i]} than {summary.names[j]}" for i, j in pairs if j not in summary.not_different[i]]
    not_different = [f"{summary.names[i]} and {summary.names[j]}" for i, j in pairs if j in summary.not_different[i]]
    if better:
        yield f"Shown to be better: {'; '.join(better)}."
    if not_different:
        yield f"Not shown to differ: {'; '.join(not_different)}."
