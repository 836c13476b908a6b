"""The table of a paper: means and standard deviations, the best in bold, mean ranks, wins, draws and losses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, zip_longest
from typing import Any, NamedTuple

import numpy as np

from ...render.display_table import Table, TextAndHtml
from .column_roles import RUN_AS_FOLD, SINGLE
from .score_entries import name_index

EMPTY_CELL = "–"
DIGITS, RANK_DIGITS = 3, 3


class TableCell(NamedTuple):
    """One cell: a mean, with a standard deviation or without, and whether it is the best of its line."""

    mean: str
    sd: str
    best: bool


PublicationRow = tuple[str, list[TableCell | str]]  # what heads it, and its cells


def decimal_places(digits: Any, percent: bool) -> int:
    """How many decimals scores have."""
    found = (1 if percent else DIGITS) if digits is None else digits
    if isinstance(found, bool) or not isinstance(found, int) or not 0 <= found <= 15:
        raise ValueError(f"digits must be a whole number from 0 to 15; got {digits!r}")
    return found


def data_set_rows(of: Any, digits: int, sd: bool, percent: bool) -> Iterator[PublicationRow]:
    """A line for each data set.  The best are all whose mean is printed as the best one's: what looks equal is treated alike."""
    factor = 100 if percent else 1
    scores, spread = factor * of.scores, factor * of.sd
    for data_set, means, sds in zip(of.data_sets, scores.tolist(), spread.tolist()):
        printed = ["" if mean != mean else f"{mean:z.{digits}f}" for mean in means]
        spreads = [f"{deviation:.{digits}f}" if sd and deviation == deviation else "" for deviation in sds]
        yield data_set, _format_cells(printed, of.higher_is_better, spreads)


def summary_rows(of: Any, digits: int, percent: bool, against: str | None) -> Iterator[PublicationRow]:
    """Mean scores, mean ranks, wins/draws/losses of each against one; none of them where scores are missing."""
    if of.gaps:
        return
    means = (100 if percent else 1) * of.scores.mean(0)
    yield "mean", _format_cells([f"{mean:z.{digits}f}" for mean in means], of.higher_is_better)
    yield "mean rank", _format_cells([f"{rank:.{RANK_DIGITS}f}" for rank in of.mean_ranks], False)
    other = of.classifiers[int(np.argmin(of.mean_ranks))] if against is None else of.classifiers[name_index(against, of.classifiers)]
    record = ["/".join(map(str, reversed(wdl))) for wdl in of.wins_draws_losses(other)]
    yield f"win/draw/loss against {other}", [EMPTY_CELL if name == other else one for name, one in zip(of.classifiers, record)]


def _format_cells(printed: Sequence[str], highest: bool, spreads: Sequence[str] = ()) -> list[TableCell | str]:
    """The cells of a line, without a number where none is printed."""
    best = (max if highest else min)((float(one) for one in printed if one), default=None)
    return [
        TableCell(one, spread, float(one) == best) if one else EMPTY_CELL for one, spread in zip_longest(printed, spreads, fillvalue="")
    ]


def display_table(
    of: Any,
    digits: int = DIGITS,
    sd: bool = True,
    percent: bool = False,
    best: bool = True,
    ranks: bool = True,
    against: str | None = None,
    caption: str = "",
) -> Table:
    """The table for people, as text and as HTML."""
    all_lines = chain(data_set_rows(of, digits, sd, percent), summary_rows(of, digits, percent, against) if ranks else ())
    lines = [[head, *(_display_cell(cell, best) for cell in cells)] for head, cells in all_lines]
    spread = f", {averaging_note(of)}" if sd and of.sd_over else ""
    better = "" if of.higher_is_better else ", lower is better"
    title = f"{of.metric}{' in percent' * percent} of {size_text(of)}{spread}{better}"
    notes: list[Any] = [TextAndHtml("* the best of its line", "Bold: the best of its line.")] * best + [*_column_note(of), *of.notes]
    notes += [f"Missing: {gap}." for gap in of.gaps]
    return Table(["data set", *of.classifiers], lines, caption or title, notes=notes, left=[0])


def averaging_note(of: Any) -> str:
    """What the means and the standard deviations of the table are over: folds, seeds, or folds of which each is the mean of its seeds."""
    seeds = _count_range(of.seeds, "seeds")
    if of.sd_over == "seeds":
        return f"mean ± standard deviation over {seeds}"
    each = f", each the mean of {seeds}" if any(len(names) > 1 for names in of.seeds) else ""
    return f"mean ± standard deviation over {_count_range(of.folds, 'folds')}{each}"


def _count_range(names: Sequence[Sequence[str]], what: str) -> str:
    """The number of folds or seeds of the data sets, or from which to which number."""
    least, most = min(map(len, names)), max(map(len, names))
    return f"{least} {what}" if least == most else f"{least} to {most} {what}"


def _column_note(of: Any) -> list[str]:
    """Which columns were taken for seeds and folds, where one was for seeds or nothing tells: they are easily mistaken for one another."""
    roles = of.read_as.items()
    told = [f"column {head!r} as the {role}" for role in ("fold", "repetition", "seed") for head, taken_for in roles if taken_for == role]
    notes = [f"Read {', '.join(told)} of training."] if "seed" in of.read_as.values() else []
    notes += [
        f"Column {head!r} was counted as a fold: if its runs trained from other seeds on the same splits, read it by seed={head!r}; else "
        f"say fold={head!r}."
        for head, taken_for in roles
        if taken_for == RUN_AS_FOLD
    ]
    numbered = any(role in ("repetition", RUN_AS_FOLD) or role.endswith("fold") for role in of.read_as.values())
    if of.read_as and not numbered and any(names != (SINGLE,) for names in of.folds):
        notes.append(
            "No column numbers the folds: lines of the same data set were counted as such; if they were trained from several seeds, number "
            "them in a column 'seed'."
        )
    return notes


def size_text(of: Any) -> str:
    """How many classifiers on how many data sets."""
    k, n = len(of.classifiers), len(of.data_sets)
    return f"{k} classifier{'s' * (k != 1)} on {n} data set{'s' * (n != 1)}"


def _display_cell(cell: TableCell | str, best: bool) -> Any:
    if isinstance(cell, str):
        return cell
    text = cell.mean + (f" ± {cell.sd}" if cell.sd else "")
    return TextAndHtml(f"{text}*", f"<strong>{text}</strong>") if best and cell.best else text


def latex_cell(cell: TableCell | str, best: bool) -> str:
    """A cell of the table for LaTeX, the best of a line in bold if that is wanted."""
    from ...render.latex import escape_document_text

    if isinstance(cell, str):
        return "--" if cell == EMPTY_CELL else escape_document_text(cell)
    number = rf"\mathbf{{{cell.mean}}}" if best and cell.best else cell.mean
    return f"${number} \\pm {cell.sd}$" if cell.sd else f"${number}$"


def metric_overview(of: Any) -> Table:
    """Several metrics at a glance: the mean rank of each classifier in each."""
    lines = []
    for metric in of.metrics:
        one = of[metric]
        cells = [EMPTY_CELL] * len(of.classifiers) if one.gaps else [f"{rank:.{RANK_DIGITS}f}" for rank in one.mean_ranks]
        lines.append([metric, *cells])
    size = f"{size_text(of)} in {len(of.metrics)} metrics"
    notes = [f"One metric: results[{of.metrics[0]!r}].", *_column_note(of), *of.notes, *(f"Missing: {gap}." for gap in of.gaps)]
    return Table(["mean rank", *of.classifiers], lines, f"Results of {size}", notes=notes, left=[0])
