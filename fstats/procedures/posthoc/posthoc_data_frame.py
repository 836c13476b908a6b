"""Conversion of post hoc results to pandas DataFrames.

A DataFrame has a row for each pair, or is a square matrix.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.validation.check import check_single_repetition

COLUMNS = ("differences", "z", "q", "pvalues", "adjusted", "reject", "ci_low", "ci_high", "effect_size")
ANTISYMMETRIC_COLUMNS = {"differences", "z", "effect_size"}  # columns whose sign changes if the two classifiers are exchanged
INTERVAL_COLUMNS = {"ci_low": "ci_high", "ci_high": "ci_low"}
DIAGONAL_VALUES = {"pvalues": 1.0, "adjusted": 1.0, "reject": False, "differences": 0.0, "z": 0.0, "effect_size": 0.0}


def to_data_frame(test: Any, form: str, what: str | None) -> Any:
    """Return one row for each pair of a test (of a single table), or a matrix of one value of each pair."""
    if form not in ("pairs", "matrix"):
        raise ValueError(f"`form` must be 'pairs' or 'matrix'; got {form!r}")
    known = _values(test)
    check_single_repetition(np.shape(known["pvalues" if "pvalues" in known else "reject"])[1:], "frame", "test.at({}).to_frame()")
    try:
        from pandas import DataFrame, Index
    except ImportError:
        raise ImportError("to_frame needs pandas, which is not installed. Run `pip install pandas`.") from None
    if form == "pairs":
        if what is not None:
            got = f"what={what!r}. Add `form='matrix'`."
            raise ValueError(f"`what` must be left out for form='pairs', which shows all values; got {got}")
        is_paired = all(isinstance(pair, tuple) for pair in test.pairs)  # otherwise, test.pairs holds names of hypotheses
        heads = {"first": [pair.first for pair in test.pairs], "second": [pair.second for pair in test.pairs]} if is_paired else {}
        return DataFrame((heads or {"hypothesis": [str(pair) for pair in test.pairs]}) | known)
    what = what or ("adjusted" if "adjusted" in known else "pvalues")
    if what not in known:
        raise ValueError(f"`what` must be one of {', '.join(known)}; got {what!r}")
    labels = _labels(test)
    return DataFrame(to_matrix(test, what, known), Index(labels), Index(labels))


def to_matrix(test: Any, what: str, known: dict[str, Any] | None = None) -> Any:
    """Return a matrix of one value of each pair: the row is the first classifier of the pair, the column the second classifier."""
    known = _values(test) if known is None else known
    labels = _labels(test)
    position = {label: k for k, label in enumerate(labels)}
    matrix = np.full((len(labels), len(labels)), np.nan, object if what == "reject" else float)
    np.fill_diagonal(matrix, DIAGONAL_VALUES.get(what, np.nan))
    reverse = known[INTERVAL_COLUMNS.get(what, what)]
    for pair, value, reverse_value in zip(test.pairs, known[what].tolist(), reverse.tolist(), strict=True):
        i, j = position[pair.first], position[pair.second]
        matrix[i, j] = value
        matrix[j, i] = -reverse_value if what in ANTISYMMETRIC_COLUMNS or what in INTERVAL_COLUMNS else reverse_value
    return matrix.astype(bool) if what == "reject" and all(isinstance(entry, bool) for entry in matrix.flat) else matrix


def _labels(test: Any) -> list[str]:
    """Return the classifiers: labels of the test or of the paired tests from which the test was created, else names in the pairs."""
    for source in (test, test.__dict__.get("_source")):
        if (labels := getattr(source, "labels", None)) is not None:
            return [str(label) for label in labels]
    if not all(isinstance(pair, tuple) for pair in test.pairs):
        raise ValueError(f"form='matrix' needs pairs of classifiers; got the hypothesis {test.pairs[0]}. Write `form='pairs'`.")
    return list(dict.fromkeys(name for pair in test.pairs for name in pair))


def _values(test: Any) -> dict[str, Any]:
    """Return the known values of each pair, by name of the step."""
    names = (name for name in COLUMNS if name in test.steps and test.over(name) == "h")
    return {name: np.asarray(value) for name in names if (value := test.get_or_default(name, None)) is not None}
