"""Printed and computed results of a blog post on contingency tables."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from ...core.number_format import format_plain
from ...render.display_table import Table
from ...render.printed_numbers import PrintedBesideOurs
from ..study_files import format_rate, join_as_text
from .exact_test_power import exact_power
from .guessing_simulation import simulated_power
from .repeated_fold_study import FoldStudy, stored

SIZES = tuple(range(50, 1001, 50))
RATES = (0.0, 0.01, 0.03, 0.05, 0.10)
TRIALS, SEED = 1000, 1997


def power_tables(*, trials: int = TRIALS, seed: int = SEED) -> tuple[Table, Table, Table]:
    """Return the figure of the post as tables: exact, simulated with counts, simulated with labels.

    Parameters
    ----------
    trials : int
        Number of trials in each cell, at least 1.
    seed : int
        Seed of both simulations.

    Examples
    --------
    >>> power_tables(trials=1)[0].lines[5]
    ['300', '0.0381', '0.0790', '0.2335', '0.4665', '0.9190']
    """
    heads = ("N", *(f"r = {format_plain(rate)}" for rate in RATES))
    grid = exact_power(np.array(SIZES)[:, np.newaxis], np.array(RATES))
    exact = [[str(n), *(f"{power:.4f}" for power in line)] for n, line in zip(SIZES, grid)]
    tables = [Table(heads, exact, "Probability that the exact test rejects at alpha = 0.05 (10 classes, one-sided)")]
    for level, words in (("counts", "counts drawn"), ("labels", "labels drawn")):
        simulate: Any = partial(simulated_power, trials=trials, level=level, rng=np.random.default_rng(seed))  # type: ignore[arg-type]
        rows = [[str(n), *(format_rate(simulate(n, rate)) for rate in RATES)] for n in SIZES]
        tables.append(Table(heads, rows, f"The same, simulated: share of {trials} trials ± standard error, {words}, seed {seed}"))
    return tables[0], tables[1], tables[2]


def statements() -> PrintedBesideOurs:
    """Compare each statement of the post about its figure with the exact result, for every N up to 1000.

    Examples
    --------
    >>> [figure.what for figure in statements().differing]
    ['N > 300, any r > 0.05: majority', 'r']
    """
    every, above = np.arange(1, 1001), np.arange(501, 1001) / 10_000
    none, three, five, little_more, ten = (exact_power(every, rate) for rate in (0.0, 0.03, 0.05, 0.0501, 0.10))
    rises = all((np.diff(exact_power(SIZES, rate)) > 0).all() for rate in RATES[1:])
    enough = float(above[exact_power(301, above) > 0.5][0])
    around = f"r = 0.05: {five[299]:.3f} at N = 300, {five[349]:.3f} at 350, a majority from N = {_majority_from(five)} on"
    nearly = f"{around}; at N = 301 it takes r = {enough:.4f}"  # note on "any r > 0.05", which is true only nearly
    # note on "only when N > 750": the smallest N with a majority
    when = f"{three[749]:.3f} at N = 750, a majority from N = {_majority_from(three)} on"
    rows = [
        ("r = 0: rejected in less than 5 %", "yes", bool((none < 0.05).all()), f"at most {none.max():.3f}, for any N up to 1000"),
        ("more and more with N, for all r > 0", "yes", rises, "N = 50, 100, ..., 1000"),
        ("N > 300, r = 0.10: majority", "yes", bool((ten[300:] > 0.5).all()), f"{ten[300]:.3f} at N = 301"),
        ("N > 300, any r > 0.05: majority", "yes", bool((little_more[300:] > 0.5).all()), nearly),
        ("r = 3 (%): majority only when N > 750", "yes", bool((three[:750] <= 0.5).all()), when),
        ("r", "3", 0.03, "3 % is meant: r is a rate elsewhere, as in 'r > 0.05'"),
    ]
    return PrintedBesideOurs(rows)


def _majority_from(power: Any) -> int:
    """Return the smallest N such that the test rejects with a probability above 1/2 for this N and all larger N."""
    return int(np.flatnonzero(power <= 0.5)[-1]) + 2


def reproduced(study: FoldStudy | None = None) -> str:
    """Return every table of the study as text; the results on folds come from `study`, by default from the package."""
    study = study or stored()
    parts: list[Any] = [*power_tables(), "What the post states, beside what is so", statements()]
    parts += [study.table(what, side) for side in ("less", "two-sided") for what in ("naive", "corrected")]
    return join_as_text([*parts, study.table("worth"), study.blocked_table, study.provenance])
