"""p-values that others computed: the names that they bring along, and the way in for who hands them over as scores."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any

import numpy as np

from ...core.procedure import Procedure
from ...core.validation.check import format_received_value


def pvalues_with_names(p: Any, labels: Any) -> tuple[Any, Any]:
    """p-values in a row, and the names of their hypotheses: those of a mapping, of a Series' index, of a square DataFrame."""
    if isinstance(p, Mapping):
        return list(p.values()), list(p) if labels is None else labels
    if is_matrix(p):
        return _pvalues_of_matrix(p, labels)
    index: Any = getattr(p, "index", None)
    named = labels is None and np.ndim(p) == 1 and hasattr(index, "nlevels") and type(index).__name__ != "RangeIndex"
    return p, list(index) if named else labels


def is_matrix(table: Any) -> bool:
    """Whether it is a DataFrame of classifiers by classifiers."""
    columns, index = (getattr(table, axis, ()) for axis in ("columns", "index"))
    if not hasattr(index, "nlevels") or len(index) != len(columns):
        return False
    return list(index) == list(columns) and all(isinstance(name, str) for name in columns)


def _pvalues_of_matrix(matrix: Any, labels: Any) -> tuple[Any, Any]:
    """The p-value of each pair, of which a half that is empty (nan) tells nothing."""
    names = [str(name) for name in matrix.columns]
    if labels is not None:
        raise ValueError(f"a matrix names its pairs itself, {', '.join(names)}; got labels={labels!r}: leave them out")
    x = np.asarray(matrix, float)
    upper, lower = (np.array([half[i, j] for i, j in combinations(range(len(names)), 2)]) for half in (x, x.T))
    differ = np.flatnonzero(np.abs(upper - lower) > 1e-12)
    pairs = list(combinations(names, 2))
    if len(differ):
        first, second = pairs[differ[0]]
        raise ValueError(
            f"a matrix of p-values must be symmetric, or have one half empty; got {upper[differ[0]]:g} for {first} and {second}, but "
            f"{lower[differ[0]]:g} for {second} and {first}: hand in {{(first, second): p, ...}}"
        )
    return np.where(np.isnan(upper), lower, upper), pairs


def reject_pvalues_as_scores(test: type, found: Any) -> None:
    """Raise an error for p-values, or a test, in the place of scores, which names the way in for them."""
    if isinstance(found, Procedure) and hasattr(test, "from_test"):
        raise TypeError(f"scores must be a table; got the test {type(found).__name__}: write {test.__name__}.from_test(test)")
    if not _is_pvalue_list(found) and not is_matrix(found):
        return
    if not _is_pvalue_list(found) and not _is_pvalue_matrix(np.asarray(found)):
        return
    own = hasattr(test, "from_pvalues")
    ladder = f"{test.__name__}.from_pvalues(p)" if own else f"Holm.from_pvalues(p), since {test.__name__} needs the scores themselves"
    raise ValueError(
        f"scores must be a table, a line for each data set and a column for each classifier; got {format_received_value(found)}: if these are p-values, "
        f"take {ladder}"
    )


def _is_pvalue_matrix(x: Any) -> bool:
    """Whether a square of numbers may hold p-values: none is above 1, and both of a pair are alike, or one is missing."""
    lower, upper = x[np.tril_indices(len(x), -1)], x.T[np.tril_indices(len(x), -1)]
    both = ~(np.isnan(lower) | np.isnan(upper) | (lower == 0) | (upper == 0))
    return bool(np.nanmax(x) <= 1 and np.allclose(lower[both], upper[both]))


def _is_pvalue_list(found: Any) -> bool:
    """Whether it is a list of numbers, or a mapping to them, and no table."""
    values = list(found.values()) if isinstance(found, Mapping) else found
    try:
        return np.ndim(values) == 1 and np.asarray(values).dtype.kind in "iufb"
    except ValueError:  # rows of different lengths
        return False
