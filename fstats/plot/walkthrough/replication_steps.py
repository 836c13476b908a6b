"""Step-by-step plots of tests on repeated two-fold cross-validation.

They show differences or contingency tables in a grid, the estimate, its standard error, and the null distribution.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ...core.mathematics_in_names import plain_powers
from ...core.number_format import format_plain
from ...core.value_types import Array
from ..drawing.picture import Picture
from ..drawing.picture_marks import BLUE, GREEN, GREY, ORANGE, VERMILLION, Area, Cells, Curve, Label, Line, Links, Points, axis_limits
from .block_rows import MAX_BLOCKS, finite_ends, upright_interval
from .contingency_steps import cell_axes, frame
from .null_distribution_steps import null_distribution_steps
from .step_picture import StepMark, StepPicture

MAX_COUNT = 1000  # if a count is this large or larger, no counts are written into the ten tables
CELL = 1.4  # width of a cell of a table, divided by its height
TABLES_APART = 0.6  # space between the mean table and the effective table


def two_fold_steps(test: Any) -> list[StepPicture]:
    """Return the pictures of a test of differences on two folds: table of differences, differences as points, and null distribution."""
    first = next(name for name in ("means", "mean") if name in test.steps)
    points = replication_points(test, test.d, slot=1, since=first)
    return [difference_table(test, until="null"), points, null_distribution_steps(test)]


def blocked_t_steps(test: Any) -> list[StepPicture]:
    """Return the pictures of the blocked 5x2 t-test: ten tables, the difference of each repetition, and the null distribution."""
    points = replication_points(test, test.mean_of_repetition[:, None], slot=1, since="mean_of_repetition")
    return [ten_tables(test, until="null"), points, null_distribution_steps(test)]


def blocked_mcnemar_steps(test: Any) -> list[StepPicture]:
    """Return the pictures of the blocked 5x2 McNemar's test: ten tables, their mean, the effective table, and the null distribution."""
    tables = [ten_tables(test, until="null")] if "tables" in vars(test) else []
    return [*tables, effective_table(test, slot=1, since="mean_table"), null_distribution_steps(test)]


def difference_table(test: Any, **place: Any) -> StepPicture:
    """Return the table of the differences: a line for each replication with both folds, their mean and their variance.

    >>> import fstats
    >>> difference_table(fstats.BlockedThreeByTwoT([[1, 3], [2, 2], [3, 1]])).picture
    [picture: Differences on two folds of 3 replications: 1, 3; 2, 2; 3, 1.]
    """
    rows = len(test.d)
    columns = [("fold 1", test.d[:, 0], ""), ("fold 2", test.d[:, 1], "")]
    columns += [(words, getattr(test, name), name) for words, name in (("mean", "means"), ("variance", "variances")) if name in test.steps]
    cells = [tuple(plain_powers(format_plain(number)) for number in values) for _, values, _ in columns]
    width = [max(map(len, ("variance", *written))) for written in cells]  # a column of long numbers is wider
    ends = np.cumsum([0.0, *width]) * len(columns) / sum(width)

    def parts() -> Iterator[StepMark]:
        y = np.arange(rows, 0.0, -1.0) - 0.5
        for left, right, (words, _, step), written in zip(ends, ends[1:], columns, cells):
            x = (left + right) / 2
            shift = (ends[1] - x, 0.0) if step else (0.0, 0.0)  # a column of means slides from the middle of both folds to its place
            yield StepMark(Label(x, rows + 0.55, words, "middle", bold=True), step)
            shades = np.full(rows, 0.2 if step else 0.0)
            yield StepMark(Cells(np.full(rows, x), y, shades, right - left, 1.0, written), step, "", shift)
        if "estimate" in test.steps:
            across, down = (1, 1) if test.steps["estimate"].symbol == "d_{11}" else (2, rows)
            yield StepMark(frame(0.0, float(rows - down), float(ends[across]), down, BLUE), "estimate")

    listed = "; ".join(", ".join(map(format_plain, row)) for row in test.d)
    text = f"Differences on two folds of {rows} replications: {listed}."
    within = (0.0, float(len(columns))), (0.0, rows + 1.2)
    about = Picture("The table of differences", "", "replications", *within, (), text, xticks=False, yticks=False)
    return StepPicture.of(about, parts(), **place)


def replication_points(test: Any, values: Array, **place: Any) -> StepPicture:
    """Return the picture of the differences as points, with their means, the standard error, the statistic and the interval.

    >>> import fstats
    >>> test = fstats.BlockedThreeByTwoT([[1, 3], [2, 2], [3, 1]])
    >>> replication_points(test, test.d).picture
    [picture: Differences of 3 replications, from 1 to 3.]
    """
    rows, folds = values.shape
    center = next((name for name in ("estimate", "mean") if name in test.steps), "")
    spread = next(name for name in ("sum_of_squares", "variances", "repetition_sd", "se") if name in test.steps)
    estimate, se = (float(getattr(test, name)) if name in test.steps else 0.0 for name in (center, "se"))
    bottom, peak = axis_limits(values.ravel(), 0.0, -se, se, finite_ends(getattr(test, "ci", ())), share=0.1)
    top = peak + 0.25 * (peak - bottom)
    across, right = np.array([0.4, rows + 0.6]), 1.4 * rows + 0.6
    ruler = rows + 0.6 + 0.12 * rows

    def parts() -> Iterator[StepMark]:
        x = np.arange(1.0, rows + 1)
        if se:
            yield StepMark(Area(across, np.full(2, se), ORANGE, "± SE", low=np.full(2, -se)), "se")
        yield StepMark(Curve(np.array([0.4, right]), np.zeros(2), GREY))
        if "variances" in test.steps:
            yield StepMark(Links(x, values.min(1), values.max(1), VERMILLION), "variances")
        if center and test.steps[center].symbol == "d_{11}":  # the square is drawn first, so that the point appears inside it
            first = Points(np.array([0.88]), np.array([estimate]), GREEN, f"first {format_plain(estimate)}", open=True, radius=9.0)
            yield StepMark(first, center)
        for fold in range(folds):
            places, color = x + 0.12 * (2 * fold - 1) * (folds - 1), VERMILLION if fold else BLUE
            if spread != "variances":  # links from the points to 0 or to the mean
                pairs = np.minimum(values[:, fold], estimate), np.maximum(values[:, fold], estimate)
                yield StepMark(Links(places, *pairs, color if spread == "sum_of_squares" else VERMILLION), spread)
            yield StepMark(Points(places, values[:, fold], color, f"fold {fold + 1}" * (folds - 1), open=fold == 1, radius=5.0))
        for k in range(rows) if "means" in test.steps else ():
            yield StepMark(Curve(x[k] + np.array([-0.3, 0.3]), np.full(2, test.means[k])), "means")
        if center and test.steps[center].symbol != "d_{11}":
            yield StepMark(Curve(across, np.full(2, estimate), GREEN, f"mean of all {format_plain(estimate)}", dashed=True), center)
        if se and abs(estimate) <= MAX_BLOCKS * se:  # draw the estimate beside a ruler that is divided into standard errors
            sign, longest, wide = np.sign(estimate) or 1.0, max(abs(estimate), se), 0.03 * rows
            yield StepMark(Line((ruler - wide, ruler - wide), (0.0, estimate), GREEN, 6.0), "statistic")
            yield StepMark(Line((ruler + wide, ruler + wide), (0.0, sign * longest), ORANGE, 6.0), "statistic")
            for y in sign * se * np.arange(int(longest / se) + 1):
                yield StepMark(Line((ruler, ruler + 2 * wide), (y, y)), "statistic")
        if "sum_of_squares" in test.steps:
            yield StepMark(Label(0.5, top - 0.1 * (top - bottom), f"Q = {format_plain(test.sum_of_squares)}", bold=True), "sum_of_squares")
        words = f"{test.steps['statistic'].symbol} = {format_plain(test.statistic)}"
        yield StepMark(Label(right - 0.05, top - 0.1 * (top - bottom), words, "end", bold=True), "statistic")
        if "ci" in test.steps:
            yield from upright_interval(test, rows + 0.6 + 0.26 * rows, (bottom, peak), 0.02 * rows)

    unit = "repetitions" if "repetition_sd" in test.steps else "replications"
    text = f"Differences of {rows} {unit}, from {format_plain(values.min())} to {format_plain(values.max())}."
    about = Picture("The differences", f"{unit} 1 to {rows}", "difference", (0.4, right), (bottom, top), (), text, xticks=False)
    return StepPicture.of(about, parts(), **place)


def ten_tables(test: Any, **place: Any) -> StepPicture:
    """Return the picture of the contingency tables of all folds: a column for each repetition, a line for each fold.

    >>> import fstats
    >>> ten_tables(fstats.BlockedFiveByTwoT([[[[5, 2], [8, 35]]] * 2] * 5)).picture
    [picture: Ten contingency tables of 50 records. Only A right 8, 8, 8, 8, 8, 8, 8, 8, 8, 8; only B right 2, 2, 2, 2, 2, 2, 2, 2, 2, 2.]
    """
    tables = np.asarray(test.tables)
    column: Array = np.repeat(np.arange(5.0), 2)
    line: Array = np.tile(np.arange(2.0), 5)
    is_written = tables.max() < MAX_COUNT

    def parts() -> Iterator[StepMark]:
        for u, v in np.ndindex(2, 2):
            counts = tables[:, :, u, v].ravel()
            color = GREY if u == v else BLUE if u else VERMILLION
            words = tuple(map(format_plain, counts)) if is_written else ()
            shades = np.full(10, 0.12 if u == v else 0.5)
            yield StepMark(Cells(1.05 * column + 0.5 * v, 2.3 * (1 - line) + 1 - u, shades, 0.5, 1.0, words, color))

    only_a, only_b = (", ".join(map(format_plain, tables[:, :, u, 1 - u].ravel())) for u in (1, 0))
    a, b = test.sides
    text = f"Ten contingency tables of {format_plain(tables[0, 0].sum())} records. Only {a} right {only_a}; only {b} right {only_b}."
    names = f"repetitions; left: {b} wrong", f"folds; top: {a} wrong"
    within = (-0.29, 4.99), (-0.6, 3.9)
    return StepPicture.of(Picture("The ten tables", *names, *within, (), text, xticks=False, yticks=False), parts(), **place)


def effective_table(test: Any, **place: Any) -> StepPicture:
    """Return the picture of the mean table and of the effective table, which has the size of t independent tables.

    >>> import fstats
    >>> effective_table(fstats.BlockedFiveByTwoMcNemar([[[[5, 2], [8, 35]]] * 2] * 5)).picture
    [picture: Mean table of ten tables: 5, 2, 8, 35. Effective table: 9.091, 3.636, 14.55, 63.64. M = 5.4.]
    """
    start = 2 * CELL + TABLES_APART
    statistic = f"M = {format_plain(test.statistic)}"

    def parts() -> Iterator[StepMark]:
        yield StepMark(Label(CELL, 2.35, "mean table", "middle", bold=True), "mean_table")
        yield StepMark(Label(start + CELL, 2.35, f"t = {format_plain(test.t)} tables", "middle", bold=True), "t")
        for left, name, suffix in ((0.0, "mean_table", ""), (start, "effective_table", "_effective")):
            for u, v in np.ndindex(2, 2):
                color = GREY if u == v else BLUE if u else VERMILLION
                at, words = (np.full(1, left + (v + 0.5) * CELL), np.full(1, 1.5 - u)), (format_plain(getattr(test, name)[u, v]),)
                shade = np.array([0.12 if u == v else 0.5])
                yield StepMark(Cells(*at, shade, CELL, 1.0, words, color), name, "", (-left, 0.0 if left else 4.0))
                if u != v:
                    yield StepMark(frame(left + v * CELL, 1.0 - u, CELL, 1.0, color), f"n{u}{v}{suffix}")
        yield StepMark(Label(CELL, -0.35, f"n = {format_plain(test.n)}", "middle"), "n")
        yield StepMark(Label(start + CELL, -0.35, statistic, "middle", bold=True), "statistic")

    mean, effective = (", ".join(map(format_plain, np.ravel(table))) for table in (test.mean_table, test.effective_table))
    text = f"Mean table of ten tables: {mean}. Effective table: {effective}. {statistic}."
    within = (-0.1, start + 2 * CELL + 0.1), (-0.7, 2.8)
    about = Picture("The mean of the tables", *cell_axes(test.sides), *within, (), text, xticks=False, yticks=False)
    return StepPicture.of(about, parts(), **place)
