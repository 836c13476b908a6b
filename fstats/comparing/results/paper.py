"""The table of a paper: means and standard deviations, the best in bold, mean ranks, wins, draws and losses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...render.table import Table, Written
from .tables import place

NONE = "–"
RANK_DIGITS = 3


class Score(NamedTuple):
    """One cell: a mean, with a standard deviation or without, and whether it is the best of its line."""

    mean: str
    sd: str
    best: bool


class PaperLine(NamedTuple):
    """What heads a line, and its cells."""

    head: str
    cells: list[Score | str]


def lines_of(of: Any, digits: int, sd: bool, percent: bool) -> list[PaperLine]:
    """A line for each data set.  The best are all whose mean is printed as the best one's: what looks equal is treated alike."""
    factor = 100 if percent else 1
    scores, spread = factor * of.scores, factor * of.sd
    found = []
    for data_set, means, sds in zip(of.data_sets, scores.tolist(), spread.tolist()):
        printed = ["" if mean != mean else f"{mean:z.{digits}f}" for mean in means]
        there = [float(one) for one in printed if one]
        best = (max if of.higher_is_better else min)(there) if there else None
        cells = [
            Score(one, f"{deviation:.{digits}f}" if sd and deviation == deviation else "", float(one) == best) if one else NONE
            for one, deviation in zip(printed, sds, strict=True)
        ]
        found.append(PaperLine(data_set, cells))
    return found


def summary(of: Any, digits: int, percent: bool, against: str | None) -> Iterator[PaperLine]:
    """Mean scores, mean ranks, wins/draws/losses of each against one; none of them where scores are missing."""
    if of.gaps:
        return
    means = (100 if percent else 1) * of.scores.mean(0)
    yield PaperLine("mean", _with_best([f"{mean:z.{digits}f}" for mean in means], of.higher_is_better))
    yield PaperLine("mean rank", _with_best([f"{rank:.{RANK_DIGITS}f}" for rank in of.mean_ranks], False))
    other = of.classifiers[int(np.argmin(of.mean_ranks))] if against is None else of.classifiers[place(against, of.classifiers)]
    record = ["/".join(map(str, reversed(wdl))) for wdl in of.wins_draws_losses(other)]
    yield PaperLine(f"win/draw/loss against {other}", [NONE if name == other else one for name, one in zip(of.classifiers, record)])


def _with_best(printed: Sequence[str], highest: bool) -> list[Score | str]:
    best = (max if highest else min)(map(float, printed))
    return [Score(one, "", float(one) == best) for one in printed]


def as_table(of: Any, digits: int = 3) -> Table:
    """The table for people, as text and as HTML."""
    lines: list[list[Any]] = []
    for line in [*lines_of(of, digits, True, False), *summary(of, digits, False, None)]:
        lines.append([line.head, *(_cell(cell) for cell in line.cells)])
    count = {len(names) for names in of.folds}
    folds = "" if count == {1} else f", mean ± standard deviation over {min(count)}{'' if len(count) == 1 else f' to {max(count)}'} folds"
    better = "" if of.higher_is_better else ", lower is better"
    title = f"{of.metric} of {size_of(of)}{folds}{better}"
    notes: list[Any] = [Written("* the best of its line", "Bold: the best of its line."), *of.notes]
    notes += [f"Missing: {gap}." for gap in of.gaps]
    return Table(["data set", *of.classifiers], lines, title, notes=notes, left=[0])


def size_of(of: Any) -> str:
    """How many classifiers on how many data sets."""
    k, n = len(of.classifiers), len(of.data_sets)
    return f"{k} classifier{'s' * (k != 1)} on {n} data set{'s' * (n != 1)}"


def _cell(cell: Score | str) -> Any:
    if isinstance(cell, str):
        return cell
    text = cell.mean + (f" ± {cell.sd}" if cell.sd else "")
    return Written(f"{text}*", f"<strong>{text}</strong>") if cell.best else text


def overview(of: Any) -> Table:
    """Several metrics at a glance: the mean rank of each classifier in each."""
    lines = []
    for metric in of.metrics:
        one = of[metric]
        cells = [NONE] * len(of.classifiers) if one.gaps else [f"{rank:.{RANK_DIGITS}f}" for rank in one.mean_ranks]
        lines.append([metric, *cells])
    size = f"{size_of(of)} in {len(of.metrics)} metrics"
    notes = [f"One metric: results[{of.metrics[0]!r}].", *of.notes, *(f"Missing: {gap}." for gap in of.gaps)]
    return Table(["mean rank", *of.classifiers], lines, f"Results of {size}", notes=notes, left=[0])


def as_latex(
    of: Any,
    *,
    digits: int,
    sd: bool,
    best: bool,
    ranks: bool,
    against: str | None,
    percent: bool,
    caption: str,
    label: str,
    transpose: bool,
    fit: bool,
) -> str:
    """The table for a paper."""
    from ...render import tabular
    from ...render.latex import words

    def cell(one: Score | str) -> str:
        if isinstance(one, str):
            return "--" if one == NONE else words(one)
        number = rf"\mathbf{{{one.mean}}}" if best and one.best else one.mean
        return f"${number} \\pm {one.sd}$" if one.sd else f"${number}$"

    body = [[words(line.head), *map(cell, line.cells)] for line in lines_of(of, digits, sd, percent)]
    below = [[words(line.head), *map(cell, line.cells)] for line in summary(of, digits, percent, against)] if ranks else []
    heads = ["Data set", *map(words, of.classifiers)]
    if below:
        below = [[line[0][:1].upper() + line[0][1:], *line[1:]] for line in below]
    remarks = [*of.notes, *(f"Missing: {gap}" for gap in of.gaps)]
    if transpose:
        turned = list(zip(heads, *body, *below, strict=True))
        heads, body, below = ["Classifier", *turned[0][1:]], [list(line) for line in turned[1:]], []
    blocks = [part for part in (body, below) if part]
    return tabular.as_latex(heads, blocks, caption=caption, label=label, remarks=remarks, fit=fit)
