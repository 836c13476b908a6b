"""Plot of scores of many classifiers on many data sets."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.mathematics_in_names import plain_name
from ...core.number_format import format_plain
from ...core.validation.check import check_single_repetition
from ..drawing.picture import Picture
from ..drawing.picture_marks import BLUE, GREY, VERMILLION, Curve, Label, Mark, Points
from ..drawing.picture_options import with_picture_options

MAX_LABEL_LETTERS = 54  # if all names together have more letters, numbers replace them; the alternative text lists the names


@with_picture_options
def profiles(test: Any) -> Picture:
    """Draw the scores of each classifier in a single table, with a line for each data set, and the mean of each classifier.

    >>> import fstats
    >>> fstats.plot.profiles(fstats.Friedman([[1, 2], [3, 5], [2, 2]]))
    [picture: Scores of 2 classifiers on 3 data sets, each data set a line. Mean of A 2, of B 3.]
    """
    scores, labels = test.scores, test.labels
    check_single_repetition(np.shape(scores)[2:], "picture", "fstats.plot.profiles(test.at({}))")
    (n, k), means = scores.shape, scores.mean(0)
    places = np.arange(1.0, k + 1)
    low, high = float(scores.min()), float(scores.max())
    margin = (high - low) * 0.12 or 1.0
    named = k * max(len(plain_name(str(label))) + 1 for label in labels) <= MAX_LABEL_LETTERS
    marks: tuple[Mark, ...] = (
        *(Curve(places, line, GREY) for line in scores),
        Points(np.tile(places, n), scores.ravel(), BLUE, "score"),
        Points(places, means, VERMILLION, "mean", open=True),
        *(Label(float(x), high + margin, str(label), "middle") for x, label in zip(places, labels) if named),
    )
    opening = f"Scores of {k} classifiers on {n} data sets, each data set a line"
    text = f"{opening}. Mean of {', of '.join(f'{label} {format_plain(mean)}' for label, mean in zip(labels, means))}."
    xlabel = "classifier" + ", in the order of the table" * (not named)
    within = (0.5, k + 0.5), (low - margin / 2, high + 1.8 * margin)
    return Picture("Scores, each data set a line", xlabel, "score", *within, marks, text, whole_x=True)
