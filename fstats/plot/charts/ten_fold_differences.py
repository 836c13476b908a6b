"""Plot of the ten score differences of 5x2 cross-validation.

It also shows their expected range under chance.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.number_format import format_plain
from ...core.validation.check import check_single_repetition
from ..drawing.picture import Picture
from ..drawing.picture_marks import BLUE, GREY, VERMILLION, Cells, Curve, Line, Mark, Points, axis_limits
from ..drawing.picture_options import with_picture_options

FOLD_OFFSET = 0.14  # horizontal distance of a fold from the middle of its repetition
Z_95 = 1.959964  # number of standard deviations around the mean that contain 95 % of a normal distribution
POINTS = 100  # converts proportions to percentage points


@with_picture_options
def ten_folds(test: Any) -> Picture:
    r"""Draw the accuracy differences of ten folds in five pairs, and the band that contains 19 of 20 differences if training has no effect.

    Without an effect of training, the two folds of a repetition are equally far above and below the mean difference. Only random records
    then cause the distances, with the standard deviation :math:`\sqrt{E / n}`.

    Parameters
    ----------
    test : BlockedFiveByTwoMcNemar, BlockedFiveByTwoT
        Test of a single comparison, computed from ten tables.

    >>> import fstats
    >>> tables = [[[[5, 2], [8, 35]]] * 2] * 4 + [[[[5, 2], [18, 25]], [[5, 12], [2, 31]]]]
    >>> fstats.plot.ten_folds(fstats.BlockedFiveByTwoMcNemar(tables))
    [picture: Accuracy differences of the two folds of five repetitions, in percentage points: 12 and 12; 12 and 12; 12 and 12; 12 and 12;
    32 and -20. Random records alone explain 1.44 to 20.2; 2 of 10 folds lie outside.]
    """
    if not hasattr(test, "imbalance"):
        raise TypeError(f"ten_folds() needs a test on the ten tables of a blocked 5x2 cross-validation; got {type(test).__name__}")
    check_single_repetition(np.shape(test.statistic), "picture", "fstats.plot.ten_folds(test.at({}))")
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
        Points(x[~outside], folds[~outside], BLUE, "explained by random records" if (~outside).any() else ""),
        Points(x[outside], folds[outside], VERMILLION, "outside" if outside.any() else "", open=True),
    ]
    pairs = "; ".join(f"{format_plain(first, 3)} and {format_plain(second, 3)}" for first, second in folds)
    text = (
        f"Accuracy differences of the two folds of five repetitions, in percentage points: {pairs}. Random records alone "
        f"explain {format_plain(low, 3)} to {format_plain(high, 3)}; {outside.sum()} of 10 folds lie outside."
    )
    title = f"{outside.sum()} of 10 folds: not explained by random records"
    ylim = axis_limits(folds.ravel(), low, high, 0.0, share=0.12)
    return Picture(title, "repetition", f"{' minus '.join(test.sides)}, points", (0.5, 5.5), ylim, tuple(marks), text, whole_x=True)
