"""Step-by-step plots of the analysis of variance (ANOVA).

They show scores with their means and residuals, sums of squares as bars, mean squares, F, and its null distribution.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...core.number_format import format_plain
from ...core.value_types import Array
from ..drawing.picture import Picture
from ..drawing.picture_marks import BLACK, BLUE, GREEN, GREY, VERMILLION, Area, Curve, Label, Line, Links, Points, axis_limits
from .null_distribution_steps import null_distribution_steps
from .rank_table_steps import MAX_NAME_LETTERS, diagram_steps
from .step_picture import StepMark, StepPicture

MAX_DOTS = 400  # maximum number of scores that are drawn as points; if there are more, the range of each classifier is drawn
MAX_WRITTEN = 4  # maximum number of classifiers whose means are written above their scores
MAX_TICKS = 20  # maximum F for which the bar of the classifiers' mean square has ticks, one error mean square apart


class AnovaTerm(NamedTuple):
    """Term of an analysis of variance: steps with its sum of squares and its mean square, words, and colour."""

    square: str
    mean_square: str
    words: str
    color: str


TERMS = (
    AnovaTerm("ss_between", "ms_between", "between the classifiers", BLUE),
    AnovaTerm("ss_classifiers", "ms_classifiers", "classifiers", BLUE),
    AnovaTerm("ss_datasets", "", "data sets", GREEN),
    AnovaTerm("ss_within", "ms_within", "within the classifiers", VERMILLION),
    AnovaTerm("ss_error", "ms_error", "residuals", VERMILLION),
)


def anova_steps(test: Any) -> list[StepPicture]:
    """Return the pictures of an analysis of variance: scores, sums of squares, mean squares, and the null distribution."""
    terms = [term for term in TERMS if term.square in test.steps]
    pictures = [null_distribution_steps(test)]
    if test.get_or_default("means", None) is not None:
        pictures.append(scores_with_means(test, until="null"))
    if test.get_or_default("ss_total", None) is not None:
        pictures.append(square_bars(test, terms, slot=1, since=terms[0].square, until=terms[0].mean_square))
    terms = [term for term in terms if term.mean_square]
    if all(test.get_or_default(term.mean_square, None) is not None for term in terms):
        pictures.append(mean_square_bars(test, terms, slot=1, since=terms[0].mean_square))
    return pictures


def tukey_steps(test: Any) -> list[StepPicture]:
    """Return the pictures of Tukey's test: scores with their means and residuals, and the diagram with the significant difference."""
    return [scores_with_means(test), diagram_steps(test, slot=1, since="means")]


def scores_with_means(test: Any, **place: Any) -> StepPicture:
    """Return the picture of the scores in a column for each classifier, with all means, and with the deviations from them.

    >>> import fstats
    >>> scores_with_means(fstats.RepeatedAnova([[1, 2, 4], [2, 4, 4], [3, 3, 4]])).picture
    [picture: Scores of A, B, C, with the means 2, 3, 4.]
    """
    means, names, columns = np.asarray(test.means), [str(name) for name in test.labels], _scores_of_classifiers(test)
    k, y = len(means), np.concatenate([np.empty(0), *columns])
    has_blocks = getattr(test, "design", "repeated") == "repeated"  # False for Tukey's test of independent groups
    is_repeated = len(y) > 0 and "residuals" in test.steps and has_blocks
    places = [j + 0.6 * (np.arange(len(column)) - (len(column) - 1) / 2) / len(column) for j, column in enumerate(columns, 1)]
    last = k + is_repeated + 0.6
    low, high = axis_limits(y if len(y) else means, share=0.08)  # scores are preferred, because means have rounding errors
    top = high + 0.3 * (high - low) if k <= MAX_WRITTEN else high

    def parts() -> Iterator[StepMark]:
        if 0 < len(y) <= MAX_DOTS:
            x = np.concatenate(places)
            fitted = y - test.residuals.T.ravel() if is_repeated else np.repeat(means, [len(column) for column in columns])
            until = "df_error" if "df_error" in test.steps else ""
            yield StepMark(_links(x, y, fitted, VERMILLION), "residuals" if is_repeated else "variances", until)
            yield StepMark(Points(x, y, GREY, radius=4.0))
        for j, column in enumerate(columns, 1):
            if len(y) > MAX_DOTS:
                yield StepMark(_links(np.array([j]), column.min(keepdims=True), column.max(keepdims=True), GREY))
        for j, mean in enumerate(means, 1):
            line = Curve(np.array([j - 0.38, j + 0.38]), np.full(2, mean), BLUE, "mean" if j == 1 else "")
            yield StepMark(line, "means")
            if k <= MAX_WRITTEN:
                yield StepMark(Label(j, top - 0.11 * (top - low), format_plain(mean), "middle", BLUE, bold=True), "means")
        center = test.get_or_default("grand_mean", None) if has_blocks and "grand_mean" in test.steps else None
        if center is not None:
            label = f"grand mean {format_plain(center)}"
            yield StepMark(Curve(np.array([0.4, last]), np.full(2, center), BLACK, label, dashed=True), "grand_mean")
            for step in {"ss_between", "ss_classifiers"} & test.steps.keys():
                for j, mean in enumerate(means, 1):
                    yield StepMark(Line((j, j), (float(center), float(mean)), BLUE, 6.0), step)
        if is_repeated and len(y) <= MAX_DOTS:
            heights = np.asarray(test.dataset_means)
            points = Points(places[0] + k, heights, GREEN, "data set mean", open=True, radius=5.0)
            yield StepMark(points, "dataset_means", "", (-(k + 1) / 2, 0.0))
            if "ss_datasets" in test.steps:
                yield StepMark(_links(places[0] + k, heights, np.full(len(heights), center), GREEN), "ss_datasets")

    who = ", ".join(names) if sum(map(len, names)) <= MAX_NAME_LETTERS else f"classifiers 1 to {k}"
    text = f"Scores of {who}, with the means {', '.join(map(format_plain, means))}."
    about = Picture("The scores", f"columns: {who}" + ", data sets" * is_repeated, "score", (0.4, last), (low, top), (), text, xticks=False)
    return StepPicture.of(about, parts(), **place)


def _scores_of_classifiers(test: Any) -> list[Array]:
    """Return the scores of each classifier; an empty list if only their summaries are known."""
    if "scores" in vars(test):
        return list(test.scores.T)
    groups = vars(test).get("_source")  # groups of unequal sizes
    return [groups.values[groups.group == label] for label in groups.labels] if "values" in getattr(groups, "inputs", ()) else []


def _links(x: Array, start: Array, end: Array, color: str) -> Links:
    """Return vertical lines between pairs of points."""
    return Links(x, np.minimum(start, end), np.maximum(start, end), color)


def _labelled_bar(row: int, term: AnovaTerm, value: float, step: str) -> Iterator[StepMark]:
    """Yield the horizontal bar of a term, and above it the words and the value."""
    yield StepMark(Label(0.0, row + 0.66, f"{term.words} {format_plain(value)}", bold=True), step)
    yield StepMark(_bar(row, 0.0, value, term.color), step)


def _bar(row: int, start: float, length: float, color: str) -> Area:
    """Return the horizontal bar of one row."""
    return Area(np.array([start, start + length]), np.full(2, row + 0.36), color, low=np.full(2, row + 0.06))


def square_bars(test: Any, terms: Sequence[AnovaTerm], **place: Any) -> StepPicture:
    """Return the picture of the sums of squares as bars, which slide together to the total.

    >>> import fstats
    >>> square_bars(fstats.OneWayAnova([[1, 2, 6], [2, 3, 7], [3, 4, 8]]), [TERMS[0], TERMS[3]]).picture
    [picture: Sums of squares: between the classifiers 42, within the classifiers 6, total 48.]
    """
    values, total, rows = [float(getattr(test, term.square)) for term in terms], float(test.ss_total), len(terms)

    def parts() -> Iterator[StepMark]:
        start = 0.0
        yield StepMark(Label(0.0, 0.66, f"total {format_plain(total)}", bold=True), "ss_total")
        for number, (term, value) in enumerate(zip(terms, values)):
            yield from _labelled_bar(rows - number, term, value, term.square)
            yield StepMark(_bar(0, start, value, term.color), "ss_total", "", (-start, float(rows - number)))
            start += value

    text = f"Sums of squares: {_list_terms(terms, values)}, total {format_plain(total)}."
    within = (0.0, 1.02 * total or 1.0), (0.0, rows + 1.0)
    return StepPicture.of(Picture("The sums of squares", "sum of squares", "", *within, (), text, yticks=False), parts(), **place)


def mean_square_bars(test: Any, terms: Sequence[AnovaTerm], **place: Any) -> StepPicture:
    """Return the picture of both mean squares as bars; the mean square of the error is laid along that of the classifiers.

    >>> import fstats
    >>> mean_square_bars(fstats.OneWayAnova([[1, 2, 6], [2, 3, 7], [3, 4, 8]]), [TERMS[0], TERMS[3]]).picture
    [picture: Mean squares: between the classifiers 21, within the classifiers 1. F = 21.]
    """
    values, ratio = [float(getattr(test, term.mean_square)) for term in terms], f"F = {format_plain(test.statistic)}"

    def parts() -> Iterator[StepMark]:
        for row, term, value in zip((2, 1), terms, values):
            yield from _labelled_bar(row, term, value, term.mean_square)
        ticks = int(test.statistic) if test.statistic <= MAX_TICKS else 0
        for tick in values[1] * np.arange(1, ticks + 1):
            yield StepMark(Line((tick, tick), (2.0, 2.42)), "statistic", "", (0.0, -1.0))
        yield StepMark(Label(0.0, 0.4, ratio, bold=True), "statistic")

    text = f"Mean squares: {_list_terms(terms, values)}. {ratio}."
    within = (0.0, 1.02 * max(values) or 1.0), (0.0, 3.0)
    return StepPicture.of(Picture("The mean squares", "mean square", "", *within, (), text, yticks=False), parts(), **place)


def _list_terms(terms: Sequence[AnovaTerm], values: Sequence[float]) -> str:
    """Return the words and the value of each term."""
    return ", ".join(f"{term.words} {format_plain(value)}" for term, value in zip(terms, values))
