"""Counts of test results over random partitions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ...core.validation import check
from ...render.display_table import Table
from ..study_files import join_as_text
from .alternative_tests import Verdicts, repeated
from .fold_experiment import MODES, SETS, Mode
from .partition_scores import PAIRS
from .printed_tables import figures_beside, rows_beside, shares_table
from .stored_partition_scores import stored, stored_halves, stored_trees

TESTS = ("plain t", "corrected t", "10 x corrected t", "5x2 F", "BCV McNemar")


def verdicts(test: str, mode: Mode = "as it should be") -> list[Verdicts]:
    """Return the verdicts of a test on each of the 54 comparisons.

    The t-tests use the stored folds of the given mode; all other tests use the stored halvings of all records.

    Parameters
    ----------
    test : str
        Name of the test: one of `TESTS`.
    mode : {"as it should be", "as printed"}
        Mode of the folds.
    """
    if test not in TESTS:
        raise ValueError(f"`test` must be one of {', '.join(map(repr, TESTS))}; got {test!r}")
    return [_verdicts(test, mode, name, *pair) for name in SETS for pair in PAIRS]


def _verdicts(test: str, mode: Mode, name: str, left: str, right: str) -> Verdicts:
    if test in TESTS[3:]:
        return getattr(stored_halves(name), {"5x2 F": "five_by_two_f", "BCV McNemar": "mcnemar"}[test])(left, right)
    population = stored(name, mode=mode)
    if test == "10 x corrected t":
        return repeated(population.pair(left, right))
    return Verdicts(name, left, right, test, population.pair(left, right, test).verdicts)  # type: ignore[arg-type]


def count_verdicts(signs: Iterable[Any]) -> tuple[int, int, int]:
    """Count the comparisons with one, two and three different verdicts."""
    kind_counts = [len(np.unique(test_signs)) for test_signs in signs]
    return kind_counts.count(1), kind_counts.count(2), kind_counts.count(3)


def kinds(mode: Mode = "as printed", test: Any = "plain t") -> tuple[int, int, int]:
    """Count how many of the 54 comparisons have one, two and three different verdicts.

    The text counts 6, 39 and 9 comparisons, but does not name nine of its data sets.

    Parameters
    ----------
    mode : {"as printed", "as it should be"}
        Mode of the folds.
    test : {"plain t", "corrected t"}
        The test.

    Examples
    --------
    >>> sum(kinds())
    54
    """
    return count_verdicts(verdict.signs for verdict in verdicts(test, mode))


def kinds_by_test(mode: Mode = "as it should be", draws: int | None = None) -> dict[str, tuple[int, int, int]]:
    """Count for each test how many of the 54 comparisons have one, two or three verdicts over its partitions.

    Parameters
    ----------
    mode : {"as it should be", "as printed"}
        Mode of the folds for the t-tests.
    draws : int, optional
        Number of partitions of each comparison; more partitions lead to more verdicts.  By default the largest number that all tests have.

    Raises
    ------
    ValueError
        For more partitions than some test has, because counts over different numbers of partitions cannot be compared.

    Examples
    --------
    >>> counts = kinds_by_test("as printed")
    >>> counts["plain t"][0] < counts["10 x corrected t"][0]
    True
    """
    most = common_partition_count(mode)
    first = most if draws is None else int(check.count(1, most, "the partitions that every test has")(draws, "draws"))
    return {test: count_verdicts(verdict.signs[:first] for verdict in verdicts(test, mode)) for test in TESTS}


def common_partition_count(mode: Mode = "as it should be") -> int:
    """Return the number of partitions of each comparison that all tests have.

    >>> common_partition_count()
    200
    """
    return min(len(verdict.signs) for test in TESTS for verdict in verdicts(test, mode))


def judges(mode: Mode = "as it should be") -> Table:
    """Return a table that shows, for each test, how often its verdict on 54 comparisons depends on the random partition.

    Parameters
    ----------
    mode : {"as it should be", "as printed"}
        Mode of the folds for the t-tests.

    Examples
    --------
    >>> [line[0] for line in judges("as printed").lines]
    ['plain t', 'corrected t', '10 x corrected t', '5x2 F', 'BCV McNemar']
    """
    lines: list[list[Any]] = []
    draws, counts = common_partition_count(mode), kinds_by_test(mode)
    for test in TESTS:
        test_verdicts = verdicts(test, mode)
        disagreements = [verdict.disagreement for verdict in test_verdicts]
        both = sum({-1, 1} <= set(verdict.signs[:draws].tolist()) for verdict in test_verdicts)
        shares = f"{np.mean(disagreements):.3f}", f"{max(disagreements):.3f}"
        lines.append([test, str(len(test_verdicts[0].signs)), *counts[test], both, *shares])
    heads = ["test", "partitions", "1 verdict", "2", "3", "opposite", "disagree", "at most"]
    notes = [
        f"One, two, three verdicts: number of comparisons of 54, over the first {draws} partitions, which every test has.",
        "Opposite: comparisons in which some of these partitions prove A better than B and others prove B better than A.",
        "Disagree: the probability that two random partitions lead to different verdicts, on average over the comparisons, and at most.",
    ]
    return Table(heads, lines, f"54 comparisons, {mode}: how much each test depends on the random partition", notes=notes)


def by_tree() -> Table:
    """Return a table of the effect of the seed of the tree on the same folds, with one row for each data set."""
    lines, sizes = [], set()
    for name in SETS:
        trees = stored_trees(name)
        sizes.add(trees.arrays["right"].shape[:2])
        shares = trees.shares("KNN", "=")
        lines.append([name, f"{trees.changes('GNB'):.3f}", f"{trees.changes('KNN'):.3f}", f"{min(shares):.2f}", f"{max(shares):.2f}"])
    heads = ["data set", "GNB-DTC changes", "KNN-DTC changes", "least D of KNN = DTC", "most"]
    title = "Chance that another seed of the tree changes the verdict on the same folds, and how far it moves D"
    ((seeds, partitions),) = sizes
    share = f"each D is a share of only {partitions}, in steps of {1 / partitions:g}"
    notes = [f"From {seeds} seeds of the tree on the first {partitions} partitions: {share}."]
    return Table(heads, lines, title, notes=notes, left=(0,))


def reproduced() -> str:
    """Return every table of the study as text."""
    parts: list[Any] = []
    for mode in MODES:
        counts = ", ".join(map(str, kinds(mode)))
        parts += [rows_beside(mode), f"{mode}: comparisons with one, two, three verdicts: {counts} (printed: 6, 39, 9)"]
    parts += ["Every figure that a seed determines", figures_beside()]
    parts += [shares_table(), judges("as printed"), judges(), by_tree()]
    return join_as_text(parts)
