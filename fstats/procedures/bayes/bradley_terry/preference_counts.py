"""Counts of wins, losses and ties for pairs of classifiers.

The counts come from single judgements or from tables.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from ....core.validation import check, tables
from ....core.validation.pandas_labels import column_names, normalize_name
from ....core.value_types import Array
from ...multiple.many_classifiers import default_labels

TIE_WORDS = {"tie", "ties", "tied", "draw", "both", "true", "1", "yes", "1.0"}
NO_TIE_WORDS = {"", "false", "0", "no", "none", "nan", "0.0"}
FORMS = "(winner, loser), or (winner, loser, tie) with tie True or False"


class PairCounts(NamedTuple):
    """Numbers of wins of the first system of each pair, of wins of the second system, and of ties."""

    labels: list[str]
    wins: Array
    losses: Array
    ties: Array


def counts_from_matrix(wins: Any, ties: Any, labels: Any) -> PairCounts:
    """Return pair counts from ``wins[i][j]``, the number of wins of system i (row) against system j (column), and a table of ties."""
    won = _square(wins, "wins")
    names = labels
    if names is None:
        columns, rows = column_names(wins), getattr(wins, "index", None)
        if columns is not None and rows is not None and list(rows) != list(columns) and list(rows) != list(range(len(won))):
            raise ValueError(
                "`wins` must name the same systems in the same order in rows and columns; got the rows "
                f"{check.format_first_names(list(map(str, rows)))} and the columns {check.format_first_names(list(map(str, columns)))}. "
                "Write `wins.loc[systems, systems]`."
            )
        names = default_labels(len(won)) if columns is None else list(map(str, columns))
    names = tables.distinct_names(names, len(won), "labels", "system").tolist()
    tied = np.zeros_like(won) if ties is None else _square(ties, "ties")
    if tied.shape != won.shape:
        raise ValueError(f"`ties` must have as many rows as `wins`; got {len(tied)} rows in `ties` and {len(won)} rows in `wins`")
    if (tied != tied.T).any():
        if (tied * tied.T).any():
            raise ValueError("`ties` must be symmetric; got ties[i, j] different from ties[j, i] for some systems")
        tied = tied + tied.T  # only one half of the table holds ties, so the sum is symmetric
    first, second = np.triu_indices(len(won), 1)
    return PairCounts(names, won[first, second], won[second, first], tied[first, second])


def _square(value: Any, name: str) -> Array:
    heads = value.columns if hasattr(value, "iloc") and value.ndim == 2 else ()
    if text_columns := [head for head in heads if getattr(value[head].dtype, "kind", "") not in "biuf"]:
        text = text_columns[0]
        raise TypeError(
            f"`{name}` must hold only counts; got text in the column {text!r}. Make it the index by {name}.set_index({text!r})."
        )
    counts = np.array(value, float) if np.ndim(value) == 2 else np.asarray(value)
    if counts.ndim == 2 and counts.shape[0] == counts.shape[1]:
        # replace NaN on the diagonal by 0, because no system is compared with itself
        counts[np.isnan(counts) & np.eye(len(counts), dtype=bool)] = 0
    counts = np.asarray(check.counts(counts, name))
    if counts.ndim != 2 or counts.shape[0] != counts.shape[1] or len(counts) < 2:
        raise ValueError(
            f"`{name}` must be a square table with a row and a column for each of at least 2 systems; got shape {counts.shape}"
        )
    if np.diagonal(counts).any():
        j = int(np.flatnonzero(np.diagonal(counts))[0])
        raise ValueError(f"`{name}` must be 0 on the diagonal (no system meets itself); got {counts[j, j]:g} in row {j} (counting from 0)")
    return counts


def counts_from_judgements(judgements: Any) -> PairCounts:
    """Return pair counts from single judgements; the systems are in the order of their names."""
    lines = [_check_judgement(line, place) for place, line in enumerate(_parse_judgements(judgements))]
    if not lines:
        raise ValueError(f"`judgements` must hold at least one judgement; got none. Each judgement is {FORMS}.")
    labels = sorted({name for winner, loser, _ in lines for name in (winner, loser)})
    won, tied = np.zeros((2, len(labels), len(labels)))
    place_of = {name: j for j, name in enumerate(labels)}
    for winner, loser, tie in lines:
        i, j = place_of[winner], place_of[loser]
        if tie:
            tied[i, j] += 1
            tied[j, i] += 1
        else:
            won[i, j] += 1
    return counts_from_matrix(won, tied, labels)


def _parse_judgements(judgements: Any) -> Iterable[tuple[Any, ...]]:
    """Yield each judgement as a tuple (winner, loser, tie)."""
    heads = column_names(judgements)
    if heads is None:
        if isinstance(judgements, (str, Mapping)) or not isinstance(judgements, Iterable):
            raise TypeError(
                f"`judgements` must be a list or a DataFrame; got {check.format_received_value(judgements)}. Each judgement is {FORMS}."
            )
        for row in judgements:
            yield tuple(row.get(key) for key in ("winner", "loser", "tie")) if isinstance(row, Mapping) else tuple(row)
        return
    by_name = {normalize_name(head): head for head in heads}
    if {"model_a", "model_b", "winner"} <= by_name.keys() and "loser" not in by_name:
        yield from _parse_arena_rows(*(list(judgements[by_name[name]]) for name in ("model_a", "model_b", "winner")))
        return
    if not {"winner", "loser"} <= by_name.keys():
        raise ValueError(
            f"`judgements` must have the columns 'winner' and 'loser'; got the columns {check.format_first_names(list(map(str, heads)))}. "
            "Rename the columns."
        )
    columns = [list(judgements[by_name[name]]) for name in ("winner", "loser", "tie") if name in by_name]
    yield from zip(*columns, strict=True)


def _parse_arena_rows(first: list[Any], second: list[Any], winner: list[Any]) -> Iterable[tuple[Any, ...]]:
    """Yield the judgements in the table of a language model arena, which names two models, and the winner by position or by name."""
    for place, (a, b, won) in enumerate(zip(first, second, winner, strict=True)):
        word = normalize_name(won)
        if word in ("model_a", "a") or won == a:
            yield a, b, False
        elif word in ("model_b", "b") or won == b:
            yield b, a, False
        elif word.startswith("tie") or word in TIE_WORDS:
            yield a, b, True
        else:
            raise ValueError(f"`winner` must be model_a, model_b, tie, or one of the two systems; got {won!r} in judgement {place}")


def _check_judgement(line: tuple[Any, ...], place: int) -> tuple[str, str, bool]:
    if len(line) not in (2, 3) or any(name is None or str(name).strip() in ("", "nan") for name in line[:2]):
        raise ValueError(f"judgement {place} (counting from 0) must be {FORMS}; got {check.format_received_value(line)}")
    winner, loser = (str(name).strip() for name in line[:2])
    if winner == loser:
        raise ValueError(f"judgement {place} (counting from 0) must name two systems; got {winner!r} twice")
    word = str(line[2]).strip().lower() if len(line) == 3 else ""
    if word not in TIE_WORDS | NO_TIE_WORDS:
        raise ValueError(f"`tie` must be True or False; got {line[2]!r} in judgement {place} (counting from 0)")
    return winner, loser, word in TIE_WORDS


def disconnected_graph_note(met: Any, k: int) -> str:
    """Return a note if some of k systems are not connected by comparisons, even indirectly; ``met`` has an entry for each pair."""
    meeting = np.eye(k)
    meeting[np.triu_indices(k, 1)] = met
    if (np.linalg.matrix_power(meeting + meeting.T, k) > 0).all():
        return ""
    return "Some classifiers were never compared, not even through others: only the prior gives information about these pairs."
