"""What the room said, as a picture to be read from the last row: bars for choices, dots on an axis for numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

import numpy as np

from ...core.number import plain
from ...plot.marks import BLUE, GREEN, VERMILLION, Label, Line, Mark, Points, Room, VerticalLine, around
from ...plot.picture import Picture
from .asked import Asked, Sent

HALL = Room(900, 300, 28)  # pixels of a slide that has 1280, beside the address
COLUMNS = 48  # of dots, one on the other


def pictured(asked: Asked, votes: Collection[Sent], answered: bool) -> Picture:
    """The votes on a question; what is right is marked when it has been answered."""
    if asked.choices:
        return _bars([sum(sent == k for sent in votes) for k in range(len(asked.choices))], asked.right if answered else ())
    return _dots(asked.names, [sent for sent in votes if isinstance(sent, tuple)], asked.number if answered else None)


def _bars(counts: Sequence[int], right: Sequence[bool]) -> Picture:
    most, every, marks, told = max(1, *counts), max(1, sum(counts)), list[Mark](), []
    for k, count in enumerate(counts):
        y, is_right = float(len(counts) - k), k < len(right) and right[k]
        words = f"{count} ({100 * count / every:.0f} %)" + ", right" * is_right
        marks.append(Line((0.0, float(count)), (y, y), GREEN if is_right else BLUE, 26.0))
        marks.append(Label(-0.09 * most, y, chr(ord("A") + k), bold=True))
        marks.append(Label(count + 0.02 * most, y, f"{words} ✓" if is_right else words, bold=is_right))
        told.append(f"{chr(ord('A') + k)}: {words}")
    return Picture(
        title="",
        xlabel="",
        ylabel="",
        xlim=(-0.1 * most, 1.6 * most),
        ylim=(0.4, len(counts) + 0.6),
        marks=tuple(marks),
        text=f"Votes: {sum(counts)}. {'; '.join(told)}.",
        yticks=False,
        xticks=False,
        height=0.35 + 0.2 * len(counts),
    )


def _dots(names: Sequence[str], sent: Sequence[Sequence[float]], right: float | None) -> Picture:
    columns = np.array(sent, float).reshape(-1, len(names)).T
    low, high = _ends(columns.ravel(), right)
    places = np.clip(columns, low, high)
    step = (high - low) / COLUMNS
    stacks = [Counter(np.round((row - low) / step).tolist()) for row in places]
    tall = max([6, *(many for stack in stacks for many in stack.values())])
    marks, told = list[Mark](), list[str]()
    for k, (name, row) in enumerate(zip(names, columns)):
        base, seen = float(len(names) - 1 - k), Counter[float]()
        heights = []
        for column in np.round((places[k] - low) / step).tolist():
            seen[column] += 1
            heights.append(base + 0.8 * (seen[column] - 0.5) / tall)
        marks.append(Points(places[k], np.array(heights), BLUE, radius=min(6.0, 60 / tall)))
        if len(names) > 1:
            marks.append(Label(low, base + 0.86, name, bold=True))
        told.append(
            f"{name}: " + (f"{plain(row.min())} to {plain(row.max())}, median {plain(float(np.median(row)))}" if len(row) else "none")
        )
    if right is not None:
        marks.append(VerticalLine(right, plain(right), VERMILLION, dashed=True))
        told.append(f"right: {plain(right)}")
    beyond = int(np.sum((columns < low) | (columns > high)))
    return Picture(
        title="",
        xlabel=f"{beyond} beyond the ends" if beyond else "",
        ylabel="",
        xlim=(low, high),
        ylim=(0.0, len(names) + 0.2),
        marks=tuple(marks),
        text=f"Numbers: {columns.shape[1]}. {'; '.join(told)}.",
        yticks=False,
        height=0.5 + 0.5 * len(names),
    )


def _ends(numbers: np.ndarray, right: float | None) -> tuple[float, float]:
    """Of an axis on which most are told apart: who sends a billion does not hide the others."""
    if not len(numbers):
        return (0.0, 1.0) if right is None else around([right], share=0.1)
    first, middle, third = np.quantile(numbers, [0.25, 0.5, 0.75])
    far = 4 * max(third - first, 0.05 * abs(middle), 1e-9)
    near = numbers[abs(numbers - middle) <= far]
    return around(near, [middle] if right is None else [middle, right], share=0.06)
