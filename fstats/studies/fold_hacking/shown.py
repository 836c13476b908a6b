"""How a comparison shows itself: the text's table, with the strip of T above it."""

from __future__ import annotations

from typing import Any

from ...render.table import Table
from .pictures import strip


def cells(row: Any) -> list[str]:
    """A row as it is printed: three decimals, two for T and p, a dash for what there is not.

    >>> from fstats.studies.fold_hacking.populations import TableRow
    >>> cells(TableRow("-", 0.9462, 0.9798, -146.0, 1.3e-8, 213, 0.0128))
    ['-', '0.946', '0.980', '-146.00', '0.00', '213', '0.0128']
    >>> cells(TableRow("+", None, None, None, None, None, 0.0))
    ['+', '—', '—', '—', '—', '—', '—']
    """
    if row.left is None or row.right is None or row.t is None or row.p is None:
        return [row.sign, *["—"] * 6]
    figures = [f"{row.left:.3f}", f"{row.right:.3f}", f"{row.t:.2f}".replace("-0.00", "0.00"), f"{row.p:.2f}"]
    return [row.sign, *figures, "—" if row.seed is None else str(row.seed), "—" if row.share is None else f"{row.share:.4f}"]


def heads(pair: Any) -> list[str]:
    """The columns."""
    return ["", pair.left, pair.right, "T", "p", "I", "D"]


def title(pair: Any) -> str:
    """What stands above."""
    population = pair.population
    return f"{population.name.upper()} ({population.mode}; {pair.test}; {len(population)} repetitions)"


def as_table(pair: Any) -> Table:
    """The table."""
    return Table(heads(pair), [cells(row) for row in pair.rows], title(pair), left=(0,))


def as_html(pair: Any) -> str:
    """The strip and the table."""
    return f'<div class="fstats">{strip(pair).svg()}</div>{as_table(pair)._repr_html_()}'
