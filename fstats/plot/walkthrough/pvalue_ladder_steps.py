"""Adjustments of p-values, step by step: the p-values as bars, sorted, each beside its threshold, and the first bar that fails."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ...core.number_format import format_plain
from ..drawing.picture import Picture
from ..drawing.picture_marks import BLUE, GREEN, GREY, VERMILLION, Bars, Curve, Points
from .rank_table_steps import diagram_steps, score_grids
from .step_picture import StepMark, StepPicture

HIGHEST = 4.0  # height of the picture, as a multiple of alpha; bars of higher p-values are cut


def ladder_steps(test: Any) -> list[StepPicture]:
    """Return the pictures of a stepwise procedure, such as Holm's: table, sorted p-values with thresholds, and diagram."""
    grids = score_grids(test, "pvalues") if "scores" in vars(test) else []
    return [
        *grids,
        pvalue_bars(test, since="pvalues" if grids else ""),
        diagram_steps(test, slot=1, since="mean_ranks" if grids else "reject"),
    ]


def pvalue_bars(test: Any, **place: Any) -> StepPicture:
    """Return the picture of the p-values: in the order of the pairs, then sorted, with a threshold for each.

    >>> import fstats
    >>> pvalue_bars(fstats.Holm.from_pvalues([0.04, 0.01])).picture
    [picture: Sorted p-values with their thresholds: 0.01 (threshold 0.025), 0.04 (threshold 0.05).]
    """
    pvalues, ordered, thresholds = (np.asarray(one, dtype=float) for one in (test.pvalues, test.sorted_pvalues, test.thresholds))
    m, alpha = len(pvalues), float(test.alpha)
    top = min(max(float(pvalues.max()), alpha), HIGHEST * alpha)
    x = np.arange(1.0, m + 1)
    rejected = np.asarray(test.sorted_reject, dtype=bool)

    def parts() -> Iterator[StepMark]:
        yield StepMark(Bars(x, pvalues, 0.6, GREY), "", "sorted_pvalues")
        places = np.argsort(pvalues, kind="stable")
        for rank, origin in enumerate(places):
            bar = Bars(x[rank : rank + 1], ordered[rank : rank + 1], 0.6, GREY)
            yield StepMark(bar, "sorted_pvalues", "", (float(origin - rank), 0.0))
        for rank in range(m):
            ends = np.array([x[rank] - 0.45, x[rank] + 0.45])
            yield StepMark(Curve(ends, np.full(2, thresholds[rank]), VERMILLION, "threshold" if rank == 0 else ""), "thresholds")
        for flags, color, words in ((rejected, BLUE, "rejected"), (~rejected, GREEN, "not rejected")):
            marked = Points(x[flags], np.full(int(flags.sum()), 0.03 * top), color, words, open=color == GREEN)
            yield StepMark(marked, "sorted_reject")

    listed = ", ".join(f"{format_plain(p)} (threshold {format_plain(limit)})" for p, limit in zip(ordered, thresholds))
    cut = f", cut at {format_plain(top)}" if pvalues.max() > top else ""
    within = (0.4, m + 0.6), (0.0, 1.05 * top)
    text = f"Sorted p-values with their thresholds: {listed}."
    return StepPicture.of(Picture("The p-values", "rung", f"p{cut}", *within, (), text, whole_x=True), parts(), **place)
