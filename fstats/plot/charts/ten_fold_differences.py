"""The ten folds of a 5x2 cross-validation beside what chance among the records explains."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.number_format import format_plain
from ...core.validation.check import check_single_repetition
from ..drawing.picture import Picture
from ..drawing.picture_marks import BLUE, GREY, VERMILLION, Cells, Curve, Line, Mark, Points, axis_limits
from ..drawing.picture_options import with_picture_options

FOLD_OFFSET = 0.14  # of the middle of a repetition stand its two folds
Z_95 = 1.959964  # standard deviations to either side hold 95 %
POINTS = 100  # percentage points


@with_picture_options
def ten_folds(test: Any) -> Picture:
    r"""The accuracy differences of ten folds in five pairs, and the band in which 19 of 20 lie if training changes nothing.

    The two folds of a repetition then lie as far above the mean difference as below it, by chance among the records alone: each with
    the standard deviation :math:`\sqrt{E / n}`.

    Parameters
    ----------
    test : BlockedFiveByTwoMcNemar, BlockedFiveByTwoT
        A test on ten tables, of one comparison.

    >>> import fstats
    >>> tables = [[[[5, 2], [8, 35]]] * 2] * 4 + [[[[5, 2], [18, 25]], [[5, 12], [2, 31]]]]
    >>> fstats.plot.ten_folds(fstats.BlockedFiveByTwoMcNemar(tables))
    [picture: Accuracy differences of the two folds of five repetitions, in percentage points: 12 and 12; 12 and 12; 12 and 12; 12 and 12;
    32 and -20. Chance among records alone explains 1.44 to 20.2; 2 of 10 folds lie outside.]
    """
    if not hasattr(test, "imbalance"):
        raise TypeError(f"ten_folds takes a test on the ten tables of a blocked 5x2 cross-validation; got {type(test).__name__}")
    check_single_repetition(np.shape(test.statistic), "picture", "fstats.plot.ten_folds(test.at({}))", verb="draw")
    folds = POINTS * test.imbalance / (test.n / 2)
    middle, reach = float(folds.mean()), POINTS * Z_95 * float(np.sqrt(test.e / test.n))
    low, high = middle - reach, middle + reach
    x = np.arange(1.0, 6)[:, np.newaxis] + [-FOLD_OFFSET, FOLD_OFFSET]
    outside = (folds < low) | (folds > high)
    marks: list[Mark] = [
        Cells(np.array([3.0]), np.array([middle]), np.array([0.2]), 5.0, 2 * reach, outlined=False),
        Line((0.5, 5.5), (0.0, 0.0), GREY, 1.0),
        Curve(np.array([0.5, 5.5]), np.array([middle, middle]), BLUE),
        *(Line(tuple(place), tuple(pair), GREY, 1.5) for place, pair in zip(x.tolist(), folds.tolist())),
        Points(x[~outside], folds[~outside], BLUE, "within chance among records" if (~outside).any() else ""),
        Points(x[outside], folds[outside], VERMILLION, "outside" if outside.any() else "", open=True),
    ]
    pairs = "; ".join(f"{format_plain(one, 3)} and {format_plain(other, 3)}" for one, other in folds)
    return Picture(
        title=f"{outside.sum()} of 10 folds lie outside what records explain",
        xlabel="repetition",
        ylabel=f"{' minus '.join(test.sides)}, points",
        xlim=(0.5, 5.5),
        ylim=axis_limits(folds.ravel(), low, high, 0.0, share=0.12),
        marks=tuple(marks),
        text=f"Accuracy differences of the two folds of five repetitions, in percentage points: {pairs}. Chance among records alone "
        f"explains {format_plain(low, 3)} to {format_plain(high, 3)}; {outside.sum()} of 10 folds lie outside.",
        whole_x=True,
    )
