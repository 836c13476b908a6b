"""Step-by-step plots of the Friedman test and other tests on ranks.

They show the scores, the ranks in each line, the mean ranks on an axis, and the diagram or the null distribution.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from ...core.hypothesis import HypothesisTest
from ...core.number_format import format_plain
from ...core.value_types import Array
from ..drawing.picture import Picture
from ..drawing.picture_marks import BLUE, GREEN, GREY, VERMILLION, Cells, Curve, Label, Line, Links, Points
from ..post_hoc.critical_difference_diagram import critical_difference
from .block_rows import has_space
from .null_distribution_steps import null_distribution_steps
from .step_picture import StepMark, StepPicture

MAX_LINES = 9  # numbers are written into the cells if there are at most this number of data sets and of classifiers
MAX_TALL_LINES = 15  # maximum number of data sets for numbers in the cells of a picture that covers two slots
MAX_NAME_LETTERS = 48  # if all names together have more letters, numbers replace them
DIAGRAM_WIDTH = 476.0  # width in pixels of a critical difference diagram


def rank_test_steps(test: Any) -> list[StepPicture]:
    """Return the pictures of Friedman's test and of tests like it: scores, ranks, mean ranks, and the null distribution."""
    pictures = [*score_grids(test, "null"), mean_rank_axis(test, slot=1, since="mean_ranks")]
    return [*pictures, null_distribution_steps(test)] if isinstance(test, HypothesisTest) else pictures


def post_hoc_steps(test: Any) -> list[StepPicture]:
    """Return the pictures of a post-hoc test of a table of ranks: scores, ranks, and the critical difference diagram."""
    if "scores" not in vars(test):  # a test that starts from p-values has no table of scores
        return [diagram_steps(test)]
    return [*score_grids(test), diagram_steps(test, slot=1, since="mean_ranks")]


def score_grids(test: Any, until: str = "") -> list[StepPicture]:
    """Return the grid of the scores, and the grid of the ranks that replaces it.

    With 10 to 15 data sets, both grids cover two slots, which leaves room for the numbers, until the mean ranks need the slot below.
    """
    names = [str(name) for name in test.labels]
    best = test.scores if getattr(test, "higher_is_better", True) else -test.scores
    spread = np.ptp(best) or 1.0
    shades = 1 - (test.ranks - 1) / max(len(names) - 1, 1)
    sums = test.rank_sums if "rank_sums" in test.steps else ()
    rows = 2 if MAX_LINES < len(best) <= MAX_TALL_LINES else 1
    times = [("ranks", "mean_ranks", 2), ("mean_ranks", until, 1)] if rows == 2 else [("ranks", until, 1)]
    return [
        number_grid("The scores", test.scores, (best - best.min()) / spread, names, until="ranks", rows=rows),
        *(number_grid("The ranks", test.ranks, shades, names, sums, since=since, until=end, rows=high) for since, end, high in times),
    ]


def number_grid(title: str, numbers: Array, shades: Array, names: list[str], sums: Any = (), **place: Any) -> StepPicture:
    """Return the picture of a table: a line for each data set, a column for each classifier, and a darker shade for a better number.

    The `sums` of the columns appear below the table at the step ``rank_sums``. The names and the sums remain if the numbers have no space.

    >>> number_grid("The ranks", np.array([[1.0, 2.0], [2.0, 1.0]]), np.array([[1.0, 0.0], [0.0, 1.0]]), ["A", "B"]).picture
    [picture: The ranks of A, B on 2 data sets: 1, 2; 2, 1.]
    """
    n, k = numbers.shape
    column, line = (index.ravel() for index in np.meshgrid(np.arange(1.0, k + 1), np.arange(1.0, n + 1)))
    most = MAX_TALL_LINES if place.get("rows") == 2 else MAX_LINES
    words = tuple(map(format_plain, numbers.ravel())) if n <= most and k <= MAX_LINES else ()
    cells = Cells(column, n + 1 - line, 0.75 * shades.ravel(), 1.0, 1.0, words)
    who = ", ".join(names) if sum(map(len, names)) <= MAX_NAME_LETTERS else f"classifiers 1 to {k}"
    text = f"{title} of {who} on {n} data sets"
    text += f": {'; '.join(', '.join(map(format_plain, row)) for row in numbers.tolist())}." if words else "."
    # names of classifiers that need more space than a column has are listed below the table, with the numbers of their columns
    is_headed, is_named = k <= MAX_LINES, all(has_space(name, 1.0, k) for name in names)
    if is_headed and not is_named and who != f"classifiers 1 to {k}":
        who = ", ".join(f"{j} {name}" for j, name in enumerate(names, 1))
    high = 1.0 if n <= most else 0.16 * n  # height of a line of words above or below the table
    heads = [Label(j, n + 0.5 + high / 2, name if is_named else str(j), "middle") for j, name in enumerate(names * is_headed, 1)]
    totals = [Label(j, 0.5 - 0.8 * high, format_plain(one), "middle") for j, one in enumerate(sums, 1)] if is_headed else []
    within = (0.5, k + 0.5), (0.5 - 1.6 * high * bool(totals), n + 0.5 + high * is_headed)
    about = Picture(title, "classifiers" if is_headed and is_named else who, "data sets", *within, (), text, xticks=False, yticks=False)
    return StepPicture.of(about, [StepMark(cells), *(StepMark(one, "rank_sums") for one in totals), *map(StepMark, heads)], **place)


def mean_rank_axis(test: Any, **place: Any) -> StepPicture:
    """Return the picture of the mean ranks on an axis, with their distances from the mean of all ranks.

    >>> import fstats
    >>> mean_rank_axis(fstats.Friedman([[0.9, 0.8, 0.7], [0.8, 0.9, 0.7]])).picture
    [picture: Mean ranks of 3 classifiers: A 1.5, B 1.5, C 3.]
    """
    ranks = np.asarray(test.mean_ranks)
    names = [str(name) for name in test.labels]
    k = len(names)
    middle = (k + 1) / 2
    by_rank = np.argsort(ranks, kind="stable")
    height = np.empty(k)
    # each name is below the names of all better ranks and ends at its line, so that no line crosses a name
    height[by_rank] = np.linspace(1.0, 4.0, k)
    below = -0.15 - 0.25 * height  # each distance from the mean of all ranks is drawn at its own depth, so that none covers another

    def parts() -> Iterator[StepMark]:
        yield StepMark(Curve(np.array([1.0, k]), np.zeros(2), GREY))
        for x, y, low, name in zip(ranks.tolist(), height.tolist(), below.tolist(), names):
            yield StepMark(Links(np.array([x]), np.zeros(1), np.array([y - 0.3])), "", "", (0.0, 2.0))
            yield StepMark(Points(np.array([x]), np.zeros(1), BLUE), "", "", (0.0, 2.0))
            yield StepMark(Label(x - 0.02, y, name, "end"), "", "", (0.0, 2.0))
            yield StepMark(Line((middle, x), (low, low), VERMILLION, 2.5), "statistic")
        fair = f"mean of all ranks {format_plain(middle)}"
        yield StepMark(Curve(np.full(2, middle), np.array([-1.2, 0.0]), GREEN, fair, dashed=True), "statistic")

    listed = ", ".join(f"{name} {format_plain(rank)}" for name, rank in zip(names, ranks))
    within = (0.6, k + 0.4), (-1.2, 4.8)
    about = Picture(
        "The mean ranks", "mean rank (1 is the best)", "", *within, (), f"Mean ranks of {k} classifiers: {listed}.", yticks=False
    )
    return StepPicture.of(about, parts(), **place)


def diagram_steps(test: Any, **place: Any) -> StepPicture:
    """Return the critical difference diagram, part by part: the mean ranks, the critical difference, and the groups."""
    picture = replace(critical_difference(test, across=DIAGRAM_WIDTH), title="")  # the text of the walkthrough names the test and its level

    def step_of(mark: Any) -> str:
        color = getattr(mark, "color", "")
        difference = next((name for name in ("cd", "hsd") if name in test.steps and color == VERMILLION), "")
        return "reject" if color == BLUE or isinstance(mark, Points) else difference

    def shortened(mark: Any) -> Any:  # shorten labels, so that the legend fits in one row
        return replace(mark, label=mark.label.removesuffix(" from the control")) if isinstance(mark, Points) else mark

    return StepPicture.of(picture, (StepMark(shortened(mark), step_of(mark)) for mark in picture.marks), **place)
