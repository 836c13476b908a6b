"""Plot of two ROC curves."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.number_format import format_plain
from ...core.validation.check import check_single_repetition
from ...core.value_types import Array
from ..drawing.picture import Picture
from ..drawing.picture_marks import BLUE, GREY, VERMILLION, Label, Line, Mark, Points
from ..drawing.picture_options import with_picture_options


@with_picture_options
def roc(test: Any) -> Picture:
    """Draw the ROC curves of both classifiers: true positive rate against false positive rate.

    Each point belongs to a threshold: records with at least this score are classified as positive. Records with equal scores change
    together, which makes a sloping line. The area below a curve is its AUC; a curve on the diagonal (AUC 1/2) is as good as guessing.

    Parameters
    ----------
    test : DeLong or UnpairedDeLong
        Test of a single comparison, computed from scores.

    >>> import fstats
    >>> fstats.plot.roc(fstats.DeLong([1, 1, 0, 0], [0.9, 0.8, 0.3, 0.1], [0.9, 0.6, 0.7, 0.1]))
    [picture: ROC curves on 2 positive and 2 negative records. A, AUC 1: true positive rate 1 without false alarms. B, AUC 0.75: true
    positive rate 0.5 without false alarms.]
    """
    name = type(test).__name__
    if not {"placements_a", "placements_b"} <= getattr(type(test), "steps", {}).keys():
        raise TypeError(f"ROC curves need a test of two AUCs, such as fstats.DeLong(y, a, b); got {name}")
    check_single_repetition(np.shape(test.a)[1:], "picture", "fstats.plot.roc(test.at({}))")
    paired = "y_true" in test.inputs
    y_a, y_b = (test.y_true, test.y_true) if paired else (test.y_true_a, test.y_true_b)
    marks: list[Mark] = [Line((0.0, 1.0), (0.0, 1.0), GREY, 1.0)]
    descriptions = []
    for k, (side, y, ranks, auc, ink) in enumerate(
        ((test.sides[0], y_a, test.ranks_a, test.auc_a, BLUE), (test.sides[1], y_b, test.ranks_b, test.auc_b, VERMILLION))
    ):
        false_positive_rates, true_positive_rates = roc_points(y, ranks)
        marks.append(Line(tuple(false_positive_rates.tolist()), tuple(true_positive_rates.tolist()), ink, 3.0 - k))
        corners = slice(1, -1) if len(false_positive_rates) <= 42 else slice(0, 0)
        height = 0.2 - 0.09 * k
        marks += [
            Points(false_positive_rates[corners], true_positive_rates[corners], ink, open=bool(k), radius=4.0),
            Points(np.array([0.53]), np.array([height]), ink, open=bool(k), radius=6.0),
            Label(0.56, height - 0.02, f"{side}: AUC {format_plain(auc)}", color=ink, bold=True),
        ]
        descriptions.append(
            f"{side}, AUC {format_plain(auc)}: true positive rate "
            f"{format_plain(true_positive_rates[false_positive_rates == 0].max())} without false alarms."
        )
    sizes = [f"{int(y.sum())} positive and {int((1 - y).sum())} negative records" for y in (y_a, y_b)]
    where = sizes[0] if paired else f"{sizes[0]} of {test.sides[0]}, {sizes[1]} of {test.sides[1]}"
    text = f"ROC curves on {where}. {' '.join(descriptions)}"
    xlabel = "false positive rate (share of the negative records)"
    ylabel = "true positive rate (share of the positive records)"
    return Picture(f"ROC curves ({name})", xlabel, ylabel, (-0.02, 1.02), (-0.02, 1.04), tuple(marks), text, height=1.4)


def roc_points(y: Array, ranks: Array) -> tuple[Array, Array]:
    """Return false positive rates and true positive rates at the corners of an ROC curve, beginning with the strictest threshold."""
    levels, place = np.unique(-ranks, return_inverse=True)
    true_positive_rates, false_positive_rates = (
        np.r_[0.0, np.bincount(place, weights, len(levels)).cumsum() / weights.sum()] for weights in (y, 1 - y)
    )
    return false_positive_rates, true_positive_rates
