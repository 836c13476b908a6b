"""Input checks for scores of several classifiers.

The scores are separate lists, or a dictionary of lists.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from .call_errors import join_words
from .check import as_array
from .paired_inputs import check_paired


class ScoreLists(NamedTuple):
    """Lists of scores, one for each classifier; `labels` and `data_sets` are None without names."""

    lists: list[Any]
    labels: list[str] | None
    data_sets: list[str] | None

    def columns(self, title: str) -> Any:
        """Return the lists as the columns of a table; raise ValueError unless they are paired."""
        names = [f"list {k}" for k in range(1, len(self.lists) + 1)] if self.labels is None else self.labels
        arrays = [as_array(entry, name) for name, entry in zip(names, self.lists)]
        if len({len(array) for array in arrays}) > 1:
            sizes = join_words([f"{len(array)} in {name}" for name, array in zip(names, arrays)])
            raise ValueError(
                f"{title} must be given lists of the same length, with a score for each data set; got {sizes}. Leave out data sets with "
                "missing scores. For independent groups, write OneWayAnova.from_groups(...)."
            )
        for name, entry, array in zip(names[1:], self.lists[1:], arrays[1:]):
            check_paired(names[0], name, {names[0]: self.lists[0], name: entry}, {names[0]: arrays[0], name: array})
        return np.column_stack(arrays)


def is_number_list(value: Any) -> bool:
    """Return whether a value is a list of two or more numbers (not a table, and not a single number)."""
    if isinstance(value, (str, Mapping)) or getattr(value, "shape", (0,))[1:]:
        return False
    try:
        array = np.asarray(value)
    except ValueError:  # np.asarray raises ValueError for rows of different lengths
        return False
    return array.ndim == 1 and array.size > 1 and array.dtype.kind in "biuf"


def score_lists_of_mapping(value: Any) -> ScoreLists | None:
    """Return the lists of a dictionary {classifier: scores}, or {classifier: {data set: score}}; None for other values."""
    if not isinstance(value, Mapping) or len(value) < 2:
        return None
    entries, rows = list(value.values()), None
    if all(isinstance(entry, Mapping) for entry in entries) and len({frozenset(entry) for entry in entries}) == 1:
        rows = list(entries[0])
        entries = [[entry[row] for row in rows] for entry in entries]
    if not all(map(is_number_list, entries)):
        return None
    return ScoreLists(entries, list(map(str, value)), None if rows is None else list(map(str, rows)))


def score_lists_of_arguments(values: Sequence[Any]) -> ScoreLists | None:
    """Return the lists of a call with two or more lists of numbers; None for other calls."""
    if len(values) < 2 or not all(map(is_number_list, values)):
        return None
    names = [getattr(value, "name", None) for value in values]
    named = all(isinstance(name, str) for name in names) and len(set(names)) == len(names)
    return ScoreLists(list(values), list(map(str, names)) if named else None, None)
