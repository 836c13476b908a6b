"""All pairwise comparisons at a glance: a square of classifiers by classifiers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations
from typing import Any

import numpy as np

from ...core.number_format import plain
from ..drawing.picture import Picture, in_pixels
from ..drawing.picture_marks import BLUE, GREY, VERMILLION, Cells, Label, Mark
from ..drawing.picture_options import placed
from .critical_difference_layout import ROW, WIDTH, broken, stacked, width
from .post_hoc_summary import Findings, findings

HIGH, WIDE = 44.0, 62.0  # of a cell with a p-value
FEW = 8  # classifiers whose p-values have room
BELOW = 52.0  # for the two lines that explain the signs
LINE = 18.0  # and for a line more
MANY = 30  # classifiers, of which a diagram is easier to read


@placed
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
    found, k = findings(test), len(findings(test).names)
    names = [f"{i + 1}  {name}" for i, name in enumerate(found.names)]
    lines = [broken(name, 0.45 * across) for name in names]
    left = max(width(line) for each in lines for line in each) + 8
    wide = min(WIDE if k <= FEW else ROW, (across - left - 2) / k)
    tall = max(HIGH if k <= FEW else ROW if k <= MANY else LINE, LINE * max(map(len, lines)) + 8 * (k <= MANY))
    high = ROW + k * tall + BELOW + LINE * (k > MANY)
    room, signs = k <= FEW and wide >= width("1.000"), wide >= width("▲")
    every = next(step for step in (1, 2, 5, 10, 20, 50, 100, k) if step * wide >= width(f"{k}") + 4 or step == k)
    marks: list[Mark] = []
    for i, each in enumerate(lines):
        if i == 0 or (i + 1) % every == 0:
            marks.append(Label(left + (i + 0.5) * wide, -ROW / 2, str(i + 1), "middle"))
        marks += stacked(left - 8, -(ROW + (i + 0.5) * tall), each, "end")
    pvalues = _pvalues(test) if room else {}
    for color, which in ((BLUE, "▲"), (VERMILLION, "▼"), (GREY, "")):
        cells = [pair for pair in permutations(range(k), 2) if _sign(found, *pair) == which]
        if not cells:
            continue
        x, y = (np.array([start + (cell[axis] + 0.5) * size for cell in cells]) for axis, start, size in ((1, left, wide), (0, ROW, tall)))
        marks.append(Cells(x, -y, np.full(len(cells), 0.6 if which else 0.06), wide, tall, color=color))
        for (i, j), right, down in zip(cells, x.tolist(), y.tolist(), strict=True):
            chance = _written(pvalues.get(frozenset((found.names[i], found.names[j]))))
            marks += stacked(right, -down, list(filter(None, (which * signs, chance))), "middle")
    better, worse = ("▲", "▼") if signs else ("upper right, blue:", "lower left, orange:")
    told = [
        f"{better} row shown to be better than column",
        f"{worse} worse; {'numbers: adjusted p-values' if room else 'empty: not shown to differ'}",
    ]
    told += [f"of {k} classifiers test.plot() is easier to read"] * (k > MANY)
    marks += [Label(0.0, 12 - high + LINE * line, words) for line, words in enumerate(reversed(told))]
    usual = f"Pairwise comparisons ({found.test}, alpha = {plain(found.alpha)})"
    text = f"{usual} of {k} classifiers. {' '.join(_in_words(found))}"
    return in_pixels(usual, across, high, marks, text, lambda room: comparison_matrix(test, across=room))


def _sign(found: Findings, i: int, j: int) -> str:
    """Better, worse, or not shown to differ; classifiers stand in their order, the best first."""
    if j in found.alike[i] or found.control not in (None, i, j):
        return ""
    return "▲" if i < j else "▼"


def _written(p: float | None) -> str:
    """An adjusted p-value in three decimals."""
    return "" if p is None else "<.001" if p < 0.001 else f"{p:.3f}".removeprefix("0")


def _pvalues(test: Any) -> dict[frozenset[str], float]:
    """The adjusted p-value of each pair."""
    adjusted = test.adjusted if "adjusted" in type(test).steps else test.pvalues
    return {frozenset(pair): float(p) for pair, p in zip(test.pairs, adjusted, strict=True)}


def _in_words(found: Findings) -> Iterator[str]:
    pairs = [(i, j) for i, j in combinations(range(len(found.names)), 2) if found.control in (None, i, j)]
    better = [f"{found.names[i]} than {found.names[j]}" for i, j in pairs if j not in found.alike[i]]
    same = [f"{found.names[i]} and {found.names[j]}" for i, j in pairs if j in found.alike[i]]
    if better:
        yield f"Shown to be better: {'; '.join(better)}."
    if same:
        yield f"Not shown to differ: {'; '.join(same)}."
