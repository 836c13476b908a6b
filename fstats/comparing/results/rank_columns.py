"""Ranks, wins and winners in a table of scores: they are no scores, but say whether higher or lower scores are better."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from ...core.metric_direction import DEFAULT_METRIC_NAME, direction_text, read_direction
from ...core.value_types import Array
from .column_names import is_rank_heading, is_value_heading
from .reading_plan import IGNORED, ReadingPlan
from .reading_question import ReadingQuestion

WINS = re.compile(r"\s*(\d+)\s*[/-]\s*(\d+)\s*[/-]\s*(\d+)\s*")  # wins, ties and losses


def ignore_ranks(plan: ReadingPlan) -> None:
    """Ignore columns that hold the ranks of another column; raise an error for columns that have a name and numbers of ranks."""
    table = {head: np.array(plan.numbers(head)) for head in plan.numeric}
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
        # number of rows in which the column differs from computed ranks; rows of means, and ties after rounding, cause a few differences
        differing = (~np.isnan(x) & (ranks != x)).sum(axis=-1)
        if differing.min() <= (len(x) // 4 if head in named else 0):
            _note_direction(plan, differing.reshape(2, -1).min(1), f"the column {head!r} of ranks")
            plan.give(head, IGNORED, "it holds the ranks of a classifier", doubt=True)
        elif head in named and np.nanmin(x) >= 1 and (_are_halves(x) or np.nanmax(x) <= len(scores) or np.nanmax(values) <= 1):
            asked.append(head)
    if asked:
        raise ReadingQuestion(
            f"in {plan.sheet.name}, {', '.join(map(repr, asked))} may hold ranks, not scores of a classifier. Write "
            f"ignore={(asked if asked[1:] else asked[0])!r} to leave ranks out, or scores={[*scores, *asked]!r} if these are scores of "
            "classifiers"
        )


def _note_direction(plan: ReadingPlan, errors: Iterable[float], source: str) -> None:
    """Store the direction with the smaller of two errors (if lower is better, if higher is better), unless they are similar."""
    lower, higher = errors
    if 2 * min(lower, higher) < max(lower, higher):
        plan.directions.append((bool(lower < higher), source))


def note_directions(plan: ReadingPlan, rows: Sequence[int]) -> None:
    """Store which direction of the scores fits the mean ranks, or the numbers of wins, in rows that were left out."""
    heads = list(plan.scores)
    scores = np.array([plan.numbers(head) for head in heads])
    if plan.classifier or plan.fold or len(heads) < 2 or not np.isfinite(scores).all():
        return
    k, n = scores.shape
    ranks = np.array([ranks.mean(1) for ranks in ranks_on_lines(scores)])
    best = np.array([(scores == scores.min(0)).sum(1), (scores == scores.max(0)).sum(1)])
    lower = np.array([[(one < other).sum() for other in scores] for one in scores])  # lower[i, j]: on how many lines i is below j
    for row in rows:
        cells = [str(plan.sheet[head][row]) for head in heads]
        source = f"the line {plan.names(plan.data_set[0])[row] if plan.data_set else plan.sheet.numbers[row]!r}"
        counts = np.array([WINS.findall(cell) for cell in cells if WINS.fullmatch(cell.strip())], dtype=float).reshape(-1, 3)
        line = np.array([plan.parsed(head).numbers[row] for head in heads], dtype=float)
        if len(counts) == k and {*counts.sum(1)} <= {n, n * (k - 1)}:  # wins on n lines, or in n * (k - 1) comparisons
            wins = best if counts.sum() == n * k else (lower.sum(1), lower.sum(0))
            _note_direction(plan, (np.abs(counts[:, 0] - each).sum() for each in wins), source)
        elif np.isfinite(line).all() and line.min() >= 1 and line.max() <= k and abs(line.sum() - k * (k + 1) / 2) <= 0.06 * k:
            _note_direction(plan, np.abs(ranks - line).sum(1).reshape(2, 3).min(1), source)
        elif np.isfinite(line).all() and (line % 1 == 0).all() and n <= line.sum() <= best.sum(1).max():
            _note_direction(plan, np.abs(best - line).sum(1), source)


def note_winners(plan: ReadingPlan) -> None:
    """Store which direction of the scores fits a column with the name of the best classifier of each line."""
    scores = {head: plan.numbers(head) for head in plan.scores}
    for head in [head for head, column in plan.columns.items() if column.role == IGNORED and plan.is_text(head)]:
        cells = plan.read_names(head)
        if len(scores) > 1 and {*cells} <= {*scores}:
            lines = list(zip(cells, zip(*scores.values()), range(len(cells))))
            wrong = [sum(scores[cell][k] != end(line) for cell, line, k in lines) for end in (min, max)]
            _note_direction(plan, wrong, f"the column {head!r}")


def take_direction(plan: ReadingPlan) -> None:
    """Take the direction on which ranks, wins and winners agree; add a doubt if the name of the metric says the opposite."""
    stated, name = plan.options.metric != DEFAULT_METRIC_NAME, plan.metric_name
    if plan.options.higher_is_better is not None or plan.metric or not plan.directions or any(part.metric for part in plan.scores.values()):
        return
    name = plan.options.metric if stated else name
    (lower, source), known = plan.directions[0], None if is_value_heading(name) else read_direction(name)[0]
    agree = {lower for lower, _ in plan.directions} == {lower}
    if agree and known is None and not stated:
        plan.metric_name = name + direction_text(lower)
        plan.undirected.pop(name, None)
        plan.doubts = [doubt for doubt in plan.doubts if not doubt.startswith(f"Higher {name} is assumed to be better")]
        plan.notes.append(f"{'Lower' if lower else 'Higher'} is better, as {source} says.")
    elif not agree or lower != bool(known):
        plan.undirected.setdefault(name.removesuffix(direction_text(bool(known))), "the numbers")
        plan.doubts.append(
            f"{'Lower' if known else 'Higher'} {name} is assumed to be better, but {source} says the opposite. Write "
            "higher_is_better=False if lower is better, or True."
        )


def _are_halves(x: Array) -> bool:
    """Return whether all finite numbers are whole or end with .5, as ranks are."""
    return bool((2 * x[np.isfinite(x)] % 1 == 0).all())


def ranks_on_lines(values: Array) -> Iterator[Array]:
    """Return the ranks of each classifier (first axis) on each line, from the smallest and from the largest; ties in the usual ways."""
    for x in (values, -values):
        low, high = (np.transpose([np.searchsorted(np.sort(line), line, side) for line in x.T]) for side in ("left", "right"))
        yield from (low + 1, (low + high + 1) / 2, high)
