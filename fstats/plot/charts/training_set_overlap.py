"""Matrix plot of the overlap of training sets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ...core.number_format import format_plain
from ...core.validation import check
from ...core.value_types import Array
from ..drawing.picture import Picture, picture_in_pixels
from ..drawing.picture_marks import Cells, Label, Mark, tick_positions
from ..drawing.picture_options import with_picture_options

# lengths, and distances from the upper left corner, in pixels of a picture of the usual size
WIDTH, SIDE, LEFT, TOP = 616.0, 440.0, 70.0, 52.0
MAX_WITH_NUMBERS, MAX_WITH_THREE_DIGITS = 16, 12  # cells have numbers for up to 16 training sets, with three digits for up to 12
OUTLINED = 12.0  # minimum size in pixels of cells with an outline


@with_picture_options
def plan_overlap(plan: Any, n: Any = None, *, y: Any = None, groups: Any = None, random_state: Any = 0) -> Picture:
    """Draw, for every pair of training sets of a plan, the share of all records that both training sets contain.

    Parameters
    ----------
    plan : Plan, resampling test or scikit-learn splitter
        Plan or splitter; for a test (its class), the plan that the test needs is drawn.
    n : int, optional
        Number of records; not needed if y is given.
    y : array_like, optional
        Class of each record, for a stratified splitter.
    groups : array_like, optional
        Group of each record, for a splitter that keeps groups together.
    random_state : int
        Seed with which a Plan shuffles the records; a splitter has its own seed.

    >>> import fstats
    >>> fstats.plot.plan_overlap(fstats.BlockedFiveByTwoMcNemar, 200)
    [picture: The 10 training sets of 5 x 2-fold cross-validation, block-regularized, each with 50 % of the 200 records. Of their 45 pairs
    5 have no record in common, the others share 25 % of all records (50 records).]
    """
    if n is None and y is None:
        raise ValueError("plan_overlap() needs `n`, the number of records, or `y`, their classes; got neither")
    n, plan = check.count(2)(len(y) if n is None else n, "n"), getattr(plan, "plan", plan)
    splitter = plan.splitter(random_state) if hasattr(plan, "splitter") else plan
    member = np.zeros((splitter.get_n_splits(np.zeros((n, 1)), y, groups), n))
    for row, (train, _) in zip(member, splitter.split(np.zeros((n, 1)), y, groups), strict=True):
        row[train] = 1
    if len(member) < 2:
        raise ValueError(f"`plan` must have several splits; got {plan}, which has only one training set")
    common = (member @ member.T).round()
    cell = min(48.0, SIDE / len(member))
    marks = [*_overlap_cells(100 * common / n, cell), *(_colour_scale(100 * common.max() / n) if len(member) > MAX_WITH_NUMBERS else ())]
    title, high = f"Records that two training sets share, in % of {n}", TOP + cell * len(member) + 8
    return picture_in_pixels(title, WIDTH, high, marks, _describe(common, n, str(plan)))


def _overlap_cells(percent: Array, cell: float) -> Iterator[Mark]:
    """Yield a cell for each pair of training sets, and the numbers of the training sets at the left and at the top."""
    k = len(percent)
    lines, columns = (axis.ravel() + 0.5 for axis in np.indices((k, k)).astype(float))
    words = tuple(format_plain(share, 3 if k <= MAX_WITH_THREE_DIGITS else 2) for share in percent.ravel()) if k <= MAX_WITH_NUMBERS else ()
    shade: Array = percent.ravel() / percent.max()
    yield Cells(LEFT + cell * columns, -TOP - cell * lines, shade, cell, cell, words, outlined=cell >= OUTLINED)
    yield Label(LEFT, -TOP + 36, "training set")
    every = next(step for step in (1, 5, 10, 20, 50, 100, k) if step * cell >= 26)
    for number in range(1, k + 1):
        if number == 1 or number % every == 0:
            yield Label(LEFT + (number - 0.5) * cell, -TOP + 12, str(number), "middle")
            yield Label(LEFT - 8, -TOP - (number - 0.5) * cell, str(number), "end")


def _colour_scale(most: float) -> Iterator[Mark]:
    """Yield a legend of the shades beside the matrix."""
    left = LEFT + SIDE + 20
    steps = np.array(tick_positions(0.0, most, most=5))
    depths: Array = -TOP - 12 - 24 * np.arange(float(len(steps)))
    yield Cells(np.full(len(steps), left + 12), depths, steps / most, 24.0, 24.0)
    for step, depth in zip(steps.tolist(), depths.tolist()):
        yield Label(left + 32, depth, f"{format_plain(step)} %")


def _describe(common: Array, n: int, plan: str) -> str:
    """Return a text with the sizes of the training sets and their overlaps."""
    k = len(common)
    sizes, pairs = np.diag(common), common[np.triu_indices(k, 1)]
    disjoint, others = int((pairs == 0).sum()), pairs[pairs > 0]
    description = f"share {_format_range(others / n * 100)} % of all records ({_format_range(others)} records)" if len(others) else ""
    if disjoint:
        alone = f"Of their {len(pairs)} pairs {disjoint} {'has' if disjoint == 1 else 'have'} no record in common"
        description = f"{alone}, the others {description}" if description else "No two have a record in common"
    else:
        description = f"Any two {description}"
    return f"The {k} training sets of {plan}, each with {_format_range(sizes / n * 100)} % of the {n} records. {description}."


def _format_range(numbers: Array) -> str:
    low, high = format_plain(numbers.min(), 3), format_plain(numbers.max(), 3)
    return low if low == high else f"{low} to {high}"
