"""A splitter that draws random repetitions with scikit-learn and skips duplicates."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import numpy as np

from ....core.value_types import Integers

MAX_DRAWS_PER_REPETITION = 100  # draws for each wanted repetition before the splitter gives up


class DistinctRepetitions:
    """A scikit-learn splitter of random repetitions that draws again if a repetition occurs twice.

    Without duplicates, the splits are the same as those of the scikit-learn splitter from which they are drawn.
    """

    def __init__(self, draws: Callable[[int], Any], repeats: int, folds: int = 1) -> None:
        self.draws, self.repeats, self.folds = draws, repeats, folds

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:  # noqa: ARG002
        """Return the number of splits."""
        return self.repeats * self.folds

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[tuple[Integers, Integers]]:
        """Yield the training and test indices of each split."""
        seen: set[frozenset[bytes]] = set()
        drawn = self.draws(MAX_DRAWS_PER_REPETITION * self.repeats).split(X, y, groups)
        while repetition := list(islice(drawn, self.folds)):
            tested = frozenset(np.sort(test).tobytes() for _, test in repetition)
            if tested not in seen:
                seen.add(tested)
                yield from repetition
            if len(seen) == self.repeats:
                return
        raise ValueError(
            f"the plan needs {self.repeats} different splits; the number of possible splits is {len(seen)}: use more records or groups"
        )

    def __repr__(self) -> str:
        return f"DistinctRepetitions({self.draws(self.repeats)!r})"


def repeated_folds(splitter_class: Any, folds: int, random_state: Any, repeats: int) -> Any:
    """Create a splitter of repeated cross-validation."""
    return splitter_class(n_splits=folds, n_repeats=repeats, random_state=random_state)
