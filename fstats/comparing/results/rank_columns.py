"""Find the columns of ranks that stand beside the columns of scores in a wide table."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...core.value_types import Array
from .column_names import is_rank_heading
from .reading_plan import IGNORED, ReadingPlan
from .reading_question import ReadingQuestion


def ignore_ranks(plan: ReadingPlan) -> None:
    """Ignore columns that hold the ranks of another column; raise an error for columns that have a name and numbers of ranks."""
    table = {head: np.array(plan.numbers(head)) for head in plan.free if plan.is_numeric(head)}
    named = [head for head in table if is_rank_heading(head)]
    halves = [head for head, x in table.items() if np.nanmin(x) >= 1 < np.nanmax(x) <= len(table) and _are_halves(x)]
    scores = [head for head in table if head not in (*named, *halves)]
    # if almost all columns may be ranks, the columns without a heading for ranks are scores
    if len(scores) < 2:
        scores, halves = [head for head in table if head not in named], []
    if not (named or halves) or len(scores) < 2 or len(plan.rows) < 3:
        return
    values = np.array([table[head] for head in scores])
    ranks = np.array(list(ranks_on_lines(values)))
    asked = []
    for head in dict.fromkeys([*named, *halves]):
        x = table[head]
        # number of rows whose ranks differ; differences are normal on a row of means, and on rows whose scores are tied after rounding
        differing = (~np.isnan(x) & (ranks != x)).sum(axis=-1).min()
        if differing <= (len(x) // 4 if head in named else 0):
            plan.give(head, IGNORED, "it holds the ranks of a classifier", doubt=True)
        elif head in named and np.nanmin(x) >= 1 and (_are_halves(x) or np.nanmax(x) <= len(scores) or np.nanmax(values) <= 1):
            asked.append(head)
    if asked:
        raise ReadingQuestion(
            f"{plan.sheet.name} seems to hold ranks, not scores of a classifier, in {', '.join(map(repr, asked))}: write "
            f"ignore={(asked if asked[1:] else asked[0])!r} to leave the ranks out, or scores={[*scores, *asked]!r} if these are scores of "
            "classifiers"
        )


def _are_halves(x: Array) -> bool:
    """Return whether all finite numbers are whole or end with .5, as ranks are."""
    return bool((2 * x[np.isfinite(x)] % 1 == 0).all())


def ranks_on_lines(values: Array) -> Iterator[Array]:
    """Return the ranks of each classifier (first axis) on each line, from the smallest and from the largest; ties in the usual ways."""
    for x in (values, -values):
        low, high = (np.transpose([np.searchsorted(np.sort(line), line, side) for line in x.T]) for side in ("left", "right"))
        yield from (low + 1, (low + high + 1) / 2, high)
