"""Read and check p-values for multiple testing procedures."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any

import numpy as np

from ...core.procedure import Procedure
from ...core.validation.check import format_received_value


def pvalues_with_names(p: Any, labels: Any) -> tuple[Any, Any]:
    """Return p-values as a list, and the names of their hypotheses from a mapping, the index of a Series or a square DataFrame."""
    if isinstance(p, Mapping):
        return [getattr(value, "pvalue", value) for value in p.values()], list(p) if labels is None else labels
    if is_matrix(p):
        return _pvalues_of_matrix(p, labels)
    index: Any = getattr(p, "index", None)
    named = labels is None and np.ndim(p) == 1 and hasattr(index, "nlevels") and type(index).__name__ != "RangeIndex"
    return p, list(index) if named else labels


def is_matrix(table: Any) -> bool:
    """Return whether a table is a square DataFrame of classifiers by classifiers."""
    columns, index = (getattr(table, axis, ()) for axis in ("columns", "index"))
    if not hasattr(index, "nlevels") or len(index) != len(columns):
        return False
    return list(index) == list(columns) and all(isinstance(name, str) for name in columns)


def _pvalues_of_matrix(matrix: Any, labels: Any) -> tuple[Any, Any]:
    """Return the p-value of each pair and the pairs; one half of the matrix may be empty (nan)."""
    names = [str(name) for name in matrix.columns]
    if labels is not None:
        got = f"labels={format_received_value(labels)} and a matrix with the names {', '.join(names)}"
        raise ValueError(f"`labels` must be left out if the matrix has names; got {got}")
    x = np.asarray(matrix, float)
    upper, lower = (np.array([half[i, j] for i, j in combinations(range(len(names)), 2)]) for half in (x, x.T))
    differ = np.flatnonzero(np.abs(upper - lower) > 1e-12)
    pairs = list(combinations(names, 2))
    if len(differ):
        first, second = pairs[differ[0]]
        got = f"{upper[differ[0]]:g} for {first} and {second}, but {lower[differ[0]]:g} for {second} and {first}"
        raise ValueError(f"a matrix of p-values must be symmetric, or have one half empty; got {got}. Write {{(first, second): p, ...}}.")
    return np.where(np.isnan(upper), lower, upper), pairs


def reject_pvalues_as_scores(test: type, scores: Any) -> None:
    """Raise an error that names the right method if p-values, or a test, are passed as scores."""
    if isinstance(scores, Procedure) and hasattr(test, "from_test"):
        raise TypeError(f"`scores` must be a table; got the test {type(scores).__name__}. Write `{test.__name__}.from_test(test)`.")
    if not _is_pvalue_list(scores) and not (is_matrix(scores) and _is_pvalue_matrix(np.asarray(scores))):
        return
    has_method = hasattr(test, "from_pvalues")
    remedy = f"{test.__name__}.from_pvalues(p)" if has_method else f"Holm.from_pvalues(p), because {test.__name__} needs scores"
    got = f"{format_received_value(scores)}. If these are p-values, write {remedy}."
    raise ValueError(f"`scores` must be a table with a row for each data set and a column for each classifier; got {got}")


def _is_pvalue_matrix(x: Any) -> bool:
    """Return whether a square table may hold p-values: values up to 1, symmetric or with one half empty."""
    lower, upper = x[np.tril_indices(len(x), -1)], x.T[np.tril_indices(len(x), -1)]
    both = ~(np.isnan(lower) | np.isnan(upper) | (lower == 0) | (upper == 0))
    return bool(np.nanmax(x) <= 1 and np.allclose(lower[both], upper[both]))


def _is_pvalue_list(scores: Any) -> bool:
    """Return whether the scores are a plain list of numbers, or a mapping to numbers, and not a table."""
    values = list(scores.values()) if isinstance(scores, Mapping) else scores
    try:
        return np.ndim(values) == 1 and np.asarray(values).dtype.kind in "iufb"
    except ValueError:  # np.ndim raises ValueError for rows of different lengths
        return False
