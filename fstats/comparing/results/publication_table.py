"""Table of results for a publication.

It shows means with standard deviations, best values in bold, mean ranks, wins, draws and losses.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, zip_longest
from typing import Any, NamedTuple

import numpy as np

from ...render.display_table import Table, TextAndHtml
from .column_names import RUN_HEADING
from .reading_plan import RUN_AS_FOLD, SINGLE
from .score_entries import name_index

EMPTY_CELL = "–"
DIGITS, RANK_DIGITS = 3, 3


class TableCell(NamedTuple):
    """A mean, its standard deviation (may be empty), and whether the mean is the best of its row."""

    mean: str
    sd: str
    best: bool


PublicationRow = tuple[str, list[TableCell | str]]  # heading and cells of a row


def decimal_places(digits: Any, percent: bool) -> int:
    """Return the number of decimals of scores."""
    places = (1 if percent else DIGITS) if digits is None else digits
    if isinstance(places, bool) or not isinstance(places, int) or not 0 <= places <= 15:
        raise ValueError(f"`digits` must be a whole number from 0 to 15; got {digits!r}")
    return places


def data_set_rows(results: Any, digits: int, sd: bool, percent: bool) -> Iterator[PublicationRow]:
    """Yield a row for each data set; every mean whose printed digits equal those of the best mean counts as best."""
    factor = 100 if percent else 1
    scores, spread = factor * results.scores, factor * results.sd
    for data_set, means, sds in zip(results.data_sets, scores.tolist(), spread.tolist()):
        printed = ["" if mean != mean else f"{mean:z.{digits}f}" for mean in means]
        spreads = [f"{deviation:.{digits}f}" if sd and deviation == deviation else "" for deviation in sds]
        yield data_set, _format_cells(printed, results.higher_is_better, spreads)


def summary_rows(results: Any, digits: int, percent: bool, against: str | None) -> Iterator[PublicationRow]:
    """Yield mean scores, mean ranks, and wins/draws/losses against one classifier; yield nothing if scores are missing."""
    if results.gaps:
        return
    means = (100 if percent else 1) * results.scores.mean(0)
    yield "mean", _format_cells([f"{mean:z.{digits}f}" for mean in means], results.higher_is_better)
    yield "mean rank", _format_cells([f"{rank:.{RANK_DIGITS}f}" for rank in results.mean_ranks], False)
    place = int(np.argmin(results.mean_ranks)) if against is None else name_index(against, results.classifiers)
    other = results.classifiers[place]
    record = ["/".join(map(str, reversed(wdl))) for wdl in results.wins_draws_losses(other)]
    yield f"win/draw/loss against {other}", [EMPTY_CELL if name == other else counts for name, counts in zip(results.classifiers, record)]


def _format_cells(printed: Sequence[str], highest: bool, spreads: Sequence[str] = ()) -> list[TableCell | str]:
    """Return the cells of a row; a cell is empty if its mean is missing."""
    best = (max if highest else min)((float(mean) for mean in printed if mean), default=None)
    return [
        TableCell(mean, spread, float(mean) == best) if mean else EMPTY_CELL for mean, spread in zip_longest(printed, spreads, fillvalue="")
    ]


def display_table(
    results: Any,
    digits: int | None = None,
    sd: bool = True,
    percent: bool = False,
    best: bool = True,
    ranks: bool = True,
    against: str | None = None,
    caption: str = "",
) -> Table:
    """Return the table as text and HTML."""
    places = decimal_places(digits, percent)
    all_lines = chain(data_set_rows(results, places, sd, percent), summary_rows(results, places, percent, against) if ranks else ())
    lines = [[head, *(_display_cell(cell, best) for cell in cells)] for head, cells in all_lines]
    spread = f", {averaging_note(results)}" if sd and results.sd_over else ""
    better = "" if results.higher_is_better else ", lower is better"
    title = f"{results.metric}{' in percent' * percent} of {size_text(results)}{spread}{better}"
    notes: list[Any] = [TextAndHtml("* the best of its line", "Bold: the best of its line.")] * best
    notes += [*_column_note(results), *results.notes]
    notes += [f"Missing: {gap}." for gap in results.gaps]
    return Table(["data set", *results.classifiers], lines, caption or title, notes=notes, left=[0])


def averaging_note(results: Any) -> str:
    """Return whether means and standard deviations are over folds, over seeds, or over folds with the mean over the seeds of each fold."""
    seeds = _count_range(results.seeds, "seeds")
    if results.sd_over == "table":
        return "mean ± spread, as the table states it"
    if results.sd_over == "seeds":
        return f"mean ± standard deviation over {seeds}"
    each = f", each fold the mean of {seeds}" if any(len(names) > 1 for names in results.seeds) else ""
    return f"mean ± standard deviation over {_count_range(results.folds, 'folds')}{each}"


def _count_range(names: Sequence[Sequence[str]], what: str) -> str:
    """Return the number of folds or seeds of the data sets, as a number or a range."""
    least, most = min(map(len, names)), max(map(len, names))
    return f"{least} {what}" if least == most else f"{least} to {most} {what}"


def _column_note(results: Any) -> list[str]:
    """Return notes on columns that were read as seeds or folds, because a reader may confuse seeds with folds."""
    roles = results.read_as.items()
    read = [f"column {head!r} as the {role}" for role in ("fold", "repetition", "seed") for head, assigned in roles if assigned == role]
    notes = [f"Read {', '.join(read)} of training."] if "seed" in results.read_as.values() else []
    for head in [head for head, assigned in roles if assigned == RUN_AS_FOLD]:
        is_wide = RUN_HEADING.fullmatch(head)  # each run has a column
        seed, fold = ("numbered='seeds'", "numbered='folds'") if is_wide else (f"seed={head!r}", f"fold={head!r}")
        notes.append(
            f"Column {head!r} was counted as a fold: if the runs are trainings with different seeds on the same splits, write {seed}; "
            f"otherwise write {fold}."
        )
        if is_wide:
            break
    numbered = any(role in ("repetition", RUN_AS_FOLD) or role.endswith("fold") for role in results.read_as.values())
    if results.read_as and not numbered and any(names != (SINGLE,) for names in results.folds):
        notes.append(
            "No column numbers the folds: lines of one data set were counted as folds; if the lines are trainings with several seeds, "
            "number the seeds in a column 'seed'."
        )
    return notes


def size_text(results: Any) -> str:
    """Return the numbers of classifiers and data sets."""
    k, n = len(results.classifiers), len(results.data_sets)
    return f"{k} classifier{'s' * (k != 1)} on {n} data set{'s' * (n != 1)}"


def _display_cell(cell: TableCell | str, best: bool) -> Any:
    if isinstance(cell, str):
        return cell
    text = cell.mean + (f" ± {cell.sd}" if cell.sd else "")
    return TextAndHtml(f"{text}*", f"<strong>{text}</strong>") if best and cell.best else text


def latex_cell(cell: TableCell | str, best: bool) -> str:
    """Return a cell of the table as LaTeX, optionally with the best of a row in bold."""
    from ...render.latex import escape_document_text

    if isinstance(cell, str):
        return "--" if cell == EMPTY_CELL else escape_document_text(cell)
    number = rf"\mathbf{{{cell.mean}}}" if best and cell.best else cell.mean
    return f"${number} \\pm {cell.sd}$" if cell.sd else f"${number}$"


def metric_overview(results: Any) -> Table:
    """Return a table for several metrics, with the mean rank of each classifier in each metric."""
    lines = []
    for metric in results.metrics:
        single = results[metric]
        cells = [EMPTY_CELL] * len(results.classifiers) if single.gaps else [f"{rank:.{RANK_DIGITS}f}" for rank in single.mean_ranks]
        lines.append([metric, *cells])
    size = f"{size_text(results)} in {len(results.metrics)} metrics"
    notes = [
        f"One metric: results[{results.metrics[0]!r}].",
        *_column_note(results),
        *results.notes,
        *(f"Missing: {gap}." for gap in results.gaps),
    ]
    return Table(["mean rank", *results.classifiers], lines, f"Results of {size}", notes=notes, left=[0])
