"""Which tests flip, and how often: the whole experiment judged."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import grid
from .judged import Verdicts, repeated
from .populations import PAIRS
from .run import SETS, Mode
from .store import stored, stored_halves, stored_trees
from .tables import figures_beside, kinds, rows_beside, shares_table

TESTS = ("plain t", "corrected t", "corrected t, 10 x 5 folds", "5x2 F", "5x2 BCV McNemar")


def verdicts(test: str, mode: Mode = "as it should be") -> list[Verdicts]:
    """What a test says of each of the 54 comparisons.

    The t-tests judge the stored folds of a mode, the others the stored halvings of all records.

    Parameters
    ----------
    test : str
        One of `TESTS`.
    mode : {"as it should be", "as printed"}
        Which folds.
    """
    found = []
    for name in SETS:
        for left, right in PAIRS:
            if test in ("plain t", "corrected t"):
                pair = stored(name, mode=mode).pair(left, right, test)  # type: ignore[arg-type]
                found.append(Verdicts(name, left, right, test, pair.verdicts))
            elif test == TESTS[2]:
                found.append(repeated(stored(name, mode=mode).pair(left, right)))
            elif test == TESTS[3]:
                found.append(stored_halves(name).five_by_two_f(left, right))
            elif test == TESTS[4]:
                found.append(stored_halves(name).mcnemar(left, right))
            else:
                raise ValueError(f"test must be one of {', '.join(map(repr, TESTS))}; got {test!r}")
    return found


def kinds_by_test(mode: Mode = "as it should be", draws: int | None = None) -> dict[str, tuple[int, int, int]]:
    """For each test, in how many of the 54 comparisons its partitions lead to one, two or three verdicts.

    Parameters
    ----------
    mode : {"as it should be", "as printed"}
        Which folds the t-tests judge.
    draws : int, optional
        How many partitions of each comparison are looked at: the more, the more verdicts.  By default as many as every test has.
    """
    found = {test: verdicts(test, mode) for test in TESTS}
    least = min(len(one.signs) for all_ in found.values() for one in all_) if draws is None else draws
    return {test: _kinds([len(np.unique(one.signs[:least])) for one in all_]) for test, all_ in found.items()}


def _kinds(numbers: list[int]) -> tuple[int, int, int]:
    return numbers.count(1), numbers.count(2), numbers.count(3)


class Judges:
    """A line for each test; shows itself as a table."""

    heads = ("test", "partitions", "1 verdict", "2", "3", "disagree", "at most", "opposite")

    def __init__(self, mode: Mode) -> None:
        self.mode = mode
        self.lines: list[list[Any]] = []
        counts = kinds_by_test(mode)
        for test in TESTS:
            found = verdicts(test, mode)
            chance = [one.disagreement for one in found]
            both = sum(one.shares["-"] > 0 and one.shares["+"] > 0 for one in found)
            self.lines.append([test, str(len(found[0].signs)), *counts[test], f"{np.mean(chance):.3f}", f"{max(chance):.3f}", both])

    def __repr__(self) -> str:
        return f"{self._title}\n\n{grid.as_text(self.heads, self.lines)}"

    def _repr_html_(self) -> str:
        return f'<div class="fstats"><p>{self._title}</p>{grid.as_html(self.heads, self.lines)}</div>'

    @property
    def _title(self) -> str:
        least = min(int(line[1]) for line in self.lines)
        return (
            f"54 comparisons, {self.mode}: those with one, two, three verdicts among {least} partitions; the chance that two random "
            "partitions disagree, on average and at most; and comparisons in which all partitions of the test lead to opposite verdicts"
        )


def judges(mode: Mode = "as it should be") -> Judges:
    """Each test on all 54 comparisons: how often does the verdict depend on the random partition?

    Parameters
    ----------
    mode : {"as it should be", "as printed"}
        Which folds the t-tests judge.
    """
    return Judges(mode)


def by_tree() -> str:
    """What the tree's own seed changes, folds being the same: a line for each data set, as text."""
    lines = []
    for name in SETS:
        trees = stored_trees(name)
        shares = trees.shares("KNN", "=")
        lines.append([name, f"{trees.changes('GNB'):.3f}", f"{trees.changes('KNN'):.3f}", f"{min(shares):.2f}", f"{max(shares):.2f}"])
    return grid.as_text(["data set", "GNB-DTC changes", "KNN-DTC changes", "least D of =", "most D of ="], lines)


def reproduced() -> str:
    """Every table of the study as text."""
    parts: list[Any] = []
    for mode in ("as printed", "as it should be"):
        parts += [
            rows_beside(mode),
            f"{mode}: comparisons with one, two, three verdicts: {', '.join(map(str, kinds(mode)))} (printed: 6, 39, 9)",
        ]
    parts += ["Every figure that a seed determines", figures_beside(), "The tree's shares", shares_table()]
    parts += [judges("as printed"), judges(), "Chance that another seed of the tree changes the verdict on the same folds", by_tree()]
    return "\n\n".join(part if isinstance(part, str) else repr(part) for part in parts)
