"""Step-by-step plots of p-value adjustments.

They show the p-values as bars, sorted, each beside its threshold, and the first bar that fails.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ...core.number_format import format_plain
from ..drawing.picture import Picture
from ..drawing.picture_marks import BLUE, GREEN, GREY, VERMILLION, WHITE, Bars, Curve, Label, Line, Mark, Points
from .block_rows import has_space
from .rank_table_steps import MAX_NAME_LETTERS, diagram_steps, score_grids
from .step_picture import StepMark, StepPicture

HIGHEST = 4.0  # height of the picture, as a multiple of alpha; bars of higher p-values are cut
NAME_LINE = 0.2  # height of a line of names below the bars, as a share of the height of the picture


def ladder_steps(test: Any) -> list[StepPicture]:
    """Return the pictures of a stepwise procedure, such as Holm's: table, p-values, sorted p-values with thresholds, and diagram."""
    grids = score_grids(test, "pvalues") if "scores" in vars(test) else []
    return [
        *grids,
        pvalue_bars(test, is_sorted=False, since="pvalues" if grids else "", until="sorted_pvalues"),
        pvalue_bars(test, is_sorted=True, since="sorted_pvalues"),
        diagram_steps(test, slot=1, since="mean_ranks" if grids else "reject"),
    ]


def pvalue_bars(test: Any, is_sorted: bool, **place: Any) -> StepPicture:
    """Return the picture of the p-values in the order of the pairs, or sorted, with a threshold for each; the pairs are named below.

    >>> import fstats
    >>> pvalue_bars(fstats.Holm.from_pvalues([0.04, 0.01]), is_sorted=True).picture
    [picture: Sorted p-values with their thresholds: 0.01 (threshold 0.025), 0.04 (threshold 0.05).]
    """
    pvalues, ordered, thresholds = (np.asarray(one, dtype=float) for one in (test.pvalues, test.sorted_pvalues, test.thresholds))
    m, alpha = len(pvalues), float(test.alpha)
    top = min(max(float(pvalues.max()), alpha), HIGHEST * alpha)
    x, is_cut = np.arange(1.0, m + 1), bool(pvalues.max() > top)
    rejected = np.asarray(test.sorted_reject, dtype=bool)
    places = np.argsort(pvalues, kind="stable") if is_sorted else np.arange(m)
    names, key = _pair_names(test, m)
    low = -NAME_LINE * top * max(map(len, names), default=0)

    def parts() -> Iterator[StepMark]:
        for rank, origin in enumerate(places.tolist()):
            at, p = float(x[rank]), float(pvalues[origin])
            marks: list[Mark] = [Bars(x[rank : rank + 1], np.array([min(p, top)]), 0.6, GREY)]
            if p > top:  # the bar is cut: a white gap crosses it, and its p-value is above
                marks += [Line((at - 0.4, at + 0.4), (0.83 * top, 0.92 * top), WHITE, 5.0)]
                marks += [Label(at, 1.16 * top, words, "middle")] if has_space(words := format_plain(p, 2), 1.0, m) else []
            marks += [Label(at, -NAME_LINE * top * (k + 0.55), name, "middle") for k, name in enumerate(names[origin] if names else ())]
            yield from (StepMark(mark, "", "", (float(origin - rank), 0.0)) for mark in marks)
        for rank in range(m) if is_sorted else ():
            ends = np.array([x[rank] - 0.45, x[rank] + 0.45])
            yield StepMark(Curve(ends, np.full(2, thresholds[rank]), VERMILLION, "threshold" if rank == 0 else ""), "thresholds")
        for flags, color, words in ((rejected, BLUE, "rejected"), (~rejected, GREEN, "not rejected")) if is_sorted else ():
            marked = Points(x[flags], np.full(int(flags.sum()), 0.03 * top), color, words, open=color == GREEN)
            yield StepMark(marked, "sorted_reject")

    text = f"The p-values in the order of the pairs: {', '.join(map(format_plain, pvalues))}."
    if is_sorted:
        listed = ", ".join(f"{format_plain(p)} (threshold {format_plain(limit)})" for p, limit in zip(ordered, thresholds))
        text = f"Sorted p-values with their thresholds: {listed}."
    title, xlabel = ("The sorted p-values", "rung") if is_sorted else ("The p-values", "pair")
    axes = xlabel + key, f"p, cut at {format_plain(top)}" if is_cut else "p"
    within = (0.4, m + 0.6), (low, (1.3 if is_cut else 1.05) * top)
    about = Picture(title, *axes, *within, (), text, xticks=is_sorted or not names, whole_x=True, least_ytick=0.0)
    return StepPicture.of(about, parts(), **place)


def _pair_names(test: Any, m: int) -> tuple[list[tuple[str, ...]], str]:
    """Return the lines of words below the bar of each pair, and the key to the numbers that replace names that do not fit."""
    pairs = [tuple(map(str, pair)) if isinstance(pair, tuple) else (str(pair),) for pair in test.pairs]
    each = list(dict.fromkeys(name for pair in pairs for name in pair))
    if all(has_space(name, 1.0, m) for name in each):
        return pairs, ""
    key = ", ".join(f"{number} {name}" for number, name in enumerate(each, 1))
    if len(key) > 1.5 * MAX_NAME_LETTERS or not has_space(str(len(each)), 1.0, m):
        return [], ""
    return [tuple(str(each.index(name) + 1) for name in pair) for pair in pairs], f" ({key})"
