"""From judgements of two systems at a time, or their counts, to the wins, losses and ties of each pair."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, Self

import numpy as np

from ...core import check, tables
from ...core.procedure import Procedure
from ...core.rows import heads_of, in_one_spelling
from ...core.value import Array
from ..multiple.table import letters

WORDS_OF_TIES = {"tie", "ties", "tied", "draw", "both", "true", "1", "yes", "1.0"}
NO_TIE = {"", "false", "0", "no", "none", "nan", "0.0"}
FORMS = "(winner, loser), or (winner, loser, tie) with tie True or False; or a DataFrame with columns 'winner', 'loser' and perhaps 'tie'"


class WinsOfPairs(NamedTuple):
    """How often the first of each pair won, the second, and neither."""

    labels: list[str]
    wins: Array
    losses: Array
    ties: Array


def of_matrix(wins: Any, ties: Any, labels: Any) -> WinsOfPairs:
    """From ``wins[i][j]``, how often the system of line i won against that of column j, and as many ties of the two."""
    won = _square(wins, "wins")
    names = labels
    if names is None:
        columns, lines = heads_of(wins), getattr(wins, "index", None)
        if columns is not None and lines is not None and list(lines) != list(columns) and list(lines) != list(range(len(won))):
            raise ValueError(
                f"wins must name the same systems in the same order along both sides; got {check.first_few(list(map(str, lines)))} and "
                f"{check.first_few(list(map(str, columns)))}: wins.loc[systems, systems] puts them so"
            )
        names = letters(len(won)) if columns is None else list(map(str, columns))
    names = tables.distinct_names(names, len(won), "labels", "system").tolist()
    tied = np.zeros_like(won) if ties is None else _square(ties, "ties")
    if tied.shape != won.shape:
        raise ValueError(f"ties must have a line and a column for each system, as wins have; got {len(tied)} and {len(won)}")
    if (tied != tied.T).any():
        if (tied * tied.T).any():
            raise ValueError("ties must be the same number for i against j as for j against i; got others")
        tied = tied + tied.T  # only one half was filled in
    first, second = np.triu_indices(len(won), 1)
    return WinsOfPairs(names, won[first, second], won[second, first], tied[first, second])


def _square(value: Any, name: str) -> Array:
    heads = value.columns if hasattr(value, "iloc") and value.ndim == 2 else ()
    if words := [head for head in heads if getattr(value[head].dtype, "kind", "") not in "biuf"]:
        raise TypeError(
            f"{name} must hold counts alone; got a column {words[0]!r} of words: make it the index, {name}.set_index({words[0]!r})"
        )
    counts = np.array(value, float) if np.ndim(value) == 2 else np.asarray(value)
    if counts.ndim == 2 and counts.shape[0] == counts.shape[1]:
        counts[np.isnan(counts) & np.eye(len(counts), dtype=bool)] = 0  # nothing meets itself, however it is written
    counts = np.asarray(check.counts(counts, name))
    if counts.ndim != 2 or counts.shape[0] != counts.shape[1] or len(counts) < 2:
        raise ValueError(f"{name} must be a square table, a line and a column for each of at least 2 systems; got shape {counts.shape}")
    if np.diagonal(counts).any():
        j = int(np.flatnonzero(np.diagonal(counts))[0])
        raise ValueError(f"{name} must have zeros in its diagonal, for no system meets itself; got {counts[j, j]:g} in place {j}")
    return counts


def of_judgements(judgements: Any) -> WinsOfPairs:
    """From one line for each judgement; systems in the order of their names."""
    lines = [_checked(line, place) for place, line in enumerate(_lines(judgements))]
    if not lines:
        raise ValueError(f"judgements must hold at least one; got none: each is {FORMS}")
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
    return of_matrix(won, tied, labels)


def _lines(judgements: Any) -> Iterable[tuple[Any, ...]]:
    """The judgements one by one, (winner, loser, tie)."""
    heads = heads_of(judgements)
    if heads is None:
        if isinstance(judgements, (str, Mapping)) or not isinstance(judgements, Iterable):
            raise TypeError(f"judgements must be a list, an entry for each; got {check.in_short(judgements)}: each is {FORMS}")
        for one in judgements:
            yield tuple(one.get(key) for key in ("winner", "loser", "tie")) if isinstance(one, Mapping) else tuple(one)
        return
    by_name = {in_one_spelling(head): head for head in heads}
    if {"model_a", "model_b", "winner"} <= by_name.keys() and "loser" not in by_name:
        yield from _of_an_arena(*(list(judgements[by_name[name]]) for name in ("model_a", "model_b", "winner")))
        return
    if not {"winner", "loser"} <= by_name.keys():
        raise ValueError(
            f"judgements must have columns 'winner' and 'loser'; got {check.first_few(list(map(str, heads)))}: rename them (of a tie "
            "either system is the winner, and 'tie' is True)"
        )
    columns = [list(judgements[by_name[name]]) for name in ("winner", "loser", "tie") if name in by_name]
    yield from zip(*columns, strict=True)


def _of_an_arena(first: list[Any], second: list[Any], winner: list[Any]) -> Iterable[tuple[Any, ...]]:
    """Judgements in the layout of arenas of language models: two models, and which of them won, by its place or its name."""
    for place, (a, b, won) in enumerate(zip(first, second, winner, strict=True)):
        word = in_one_spelling(won)
        if word in ("model_a", "a") or won == a:
            yield a, b, False
        elif word in ("model_b", "b") or won == b:
            yield b, a, False
        elif word.startswith("tie") or word in WORDS_OF_TIES:
            yield a, b, True
        else:
            raise ValueError(f"winner must be model_a, model_b or tie, or the name of one of both; got {won!r} in judgement {place}")


def _checked(line: tuple[Any, ...], place: int) -> tuple[str, str, bool]:
    if len(line) not in (2, 3) or any(name is None or str(name).strip() in ("", "nan") for name in line[:2]):
        raise ValueError(f"judgement {place} (counting from 0) must be {FORMS}; got {check.in_short(line)}")
    winner, loser = (str(name).strip() for name in line[:2])
    if winner == loser:
        raise ValueError(f"judgement {place} (counting from 0) must name two systems; got {winner!r} twice")
    word = str(line[2]).strip().lower() if len(line) == 3 else ""
    if word not in WORDS_OF_TIES | NO_TIE:
        raise ValueError(f"tie must be True or False; got {line[2]!r} in judgement {place} (counting from 0)")
    return winner, loser, word in WORDS_OF_TIES


def unconnected(met: Any, k: int) -> str:
    """A remark if some of k systems never met others, not even through third ones; ``met`` has an entry for each pair."""
    meeting = np.eye(k)
    meeting[np.triu_indices(k, 1)] = met
    if (np.linalg.matrix_power(meeting + meeting.T, k) > 0).all():
        return ""
    return "Some classifiers were never compared, not even through others: of these pairs the prior alone speaks."


class OfPreferences(Procedure):
    """What can start from counts of wins, losses and ties."""

    @classmethod
    def from_wins(cls, wins: Any, *, ties: Any = None, labels: Any = None, **settings: Any) -> Self:
        """The model by counts of preferences, each a judgement of its own: ``BradleyTerry.from_wins([[0, 30], [20, 0]])``.

        Parameters
        ----------
        wins : array_like or DataFrame, shape (k, k)
            ``wins[i][j]`` is how often the system of line i was preferred to that of column j; zeros in the diagonal.
        ties : array_like, shape (k, k), optional
            How often neither was: the same number at both places of a pair, or one half of the table filled in.
        labels : list of str, optional
            Names of the systems; by default a DataFrame's column names, or A, B, C, ...
        **settings
            As for the class.  Each judgement counts as one (``counted="independent"``), and sentences speak of judgements (`unit`).  Where
            the same people or questions come again and again they are less independent than that, and intervals too short.
        """
        return cls._of_counts(of_matrix(wins, ties, labels), settings)

    @classmethod
    def from_judgements(cls, judgements: Any, **settings: Any) -> Self:
        """The same by single judgements: ``BradleyTerry.from_judgements([("A", "B"), ("A", "C", True)])``.

        Parameters
        ----------
        judgements : list or DataFrame
            Of each ``(winner, loser)``, or ``(winner, loser, tie)`` with `tie` True or False; or a DataFrame with these columns.
        """
        return cls._of_counts(of_judgements(judgements), settings)

    @classmethod
    def _of_counts(cls, found: WinsOfPairs, settings: Mapping[str, Any]) -> Self:
        if idle := settings.keys() & {"higher_is_better", "metric", "scores", "data_sets"}:
            raise TypeError(f"{', '.join(sorted(idle))} is of scores, and who won is known: leave it out")
        return cls.from_steps(**found._asdict(), **({"counted": "independent", "unit": "judgement"} | dict(settings)))
