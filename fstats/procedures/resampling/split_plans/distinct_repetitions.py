"""Random repetitions of which no two are the same, drawn by scikit-learn's splitters."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import numpy as np

from ....core.value_types import Integers

MAX_DRAWS_PER_REPETITION = 100  # draws for each one that is wanted, before it is said that there are no more


class DistinctRepetitions:
    """A scikit-learn splitter of random repetitions that draws again where it would repeat one: few records or groups allow few.

    Without repetitions it gives the splits of the splitter that it draws from.
    """

    def __init__(self, draws: Callable[[int], Any], repeats: int, folds: int = 1) -> None:
        self.draws, self.repeats, self.folds = draws, repeats, folds

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:  # noqa: ARG002
        """Number of splits."""
        return self.repeats * self.folds

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[tuple[Integers, Integers]]:
        """Training and test indices of each split."""
        seen: set[frozenset[bytes]] = set()
        drawn = self.draws(MAX_DRAWS_PER_REPETITION * self.repeats).split(X, y, groups)
        while repetition := list(islice(drawn, self.folds)):
            tested = frozenset(np.sort(test).tobytes() for _, test in repetition)
            if tested not in seen:
                seen.add(tested)
                yield from repetition
            if len(seen) == self.repeats:
                return
        raise ValueError(f"{self.repeats} different ways to split are needed; {len(seen)} were found: it takes more records or groups")

    def __repr__(self) -> str:
        return f"DrawnOnce({self.draws(self.repeats)!r})"


def repeated_folds(made: Any, folds: int, random_state: Any, repeats: int) -> Any:
    """So many repetitions of a cross-validation."""
    return made(n_splits=folds, n_repeats=repeats, random_state=random_state)
