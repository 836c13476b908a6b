"""Read standard deviations beside the means in a table.

They stand after ±, in brackets, or in a column of their own.
"""

from __future__ import annotations

from collections.abc import Iterable

from .column_names import without_spread
from .reading_plan import ReadingPlan, ScoreEntry

SPREAD_OF = "spread of "  # first words of the role of a column of spreads
Spreads = dict[tuple[str, str, str], float]  # maps (data set, classifier, metric) to the standard deviation beside the mean


def stated_spreads(plan: ReadingPlan, entries: Iterable[ScoreEntry]) -> Spreads:
    """Return the spread of each score; empty unless each score has one and stands for a whole data set."""
    beside = _spread_columns(plan)
    spreads: Spreads = {}
    for entry in entries:
        head, row = entry.place.head, entry.place.row
        spread = plan.parsed(beside[head]).numbers[row] if head in beside else plan.parsed(head).spreads.get(row)
        if spread is not None and (head, row) in plan.rescaled:
            spread *= 100
        key = entry.data_set, entry.classifier, entry.metric
        if spread is None or key in spreads:
            return {}
        spreads[key] = spread
    return spreads


def _spread_columns(plan: ReadingPlan) -> dict[str, str]:
    """Return a mapping of columns of scores to the columns with the spreads of these scores."""
    named = {column.role.removeprefix(SPREAD_OF): head for head, column in plan.columns.items() if column.role.startswith(SPREAD_OF)}
    if len(named) == len(plan.scores) == 1:
        return dict(zip(plan.scores, named.values()))
    return {head: named[name] for head in plan.scores for name in (head, without_spread(head)) if name in named}
