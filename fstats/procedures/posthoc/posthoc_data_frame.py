"""What post-hoc tests found, as DataFrames: a row for each pair, or a matrix of classifiers by classifiers."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.validation.check import check_single_repetition

COLUMNS = ("differences", "z", "q", "pvalues", "adjusted", "reject", "ci_low", "ci_high", "effect_size")
ANTISYMMETRIC_COLUMNS = {"differences", "z", "effect_size"}  # change their sign with the order of the pair
INTERVAL_COLUMNS = {"ci_low": "ci_high", "ci_high": "ci_low"}
DIAGONAL_VALUES = {"pvalues": 1.0, "adjusted": 1.0, "reject": False, "differences": 0.0, "z": 0.0, "effect_size": 0.0}


def to_data_frame(test: Any, form: str, what: str | None) -> Any:
    """The pairs of a test (of a single table), or one value of each as a matrix."""
    if form not in ("pairs", "matrix"):
        raise ValueError(f"form must be 'pairs' or 'matrix'; got {form!r}")
    known = _values(test)
    check_single_repetition(np.shape(known["pvalues" if "pvalues" in known else "reject"])[1:], "frame", "test.at({}).to_frame()")
    try:
        from pandas import DataFrame, Index
    except ImportError:
        raise ImportError("to_frame needs pandas: pip install pandas") from None
    if form == "pairs":
        if what is not None:
            raise ValueError(f"what chooses the entries of a matrix, and form='pairs' shows all of them; got what={what!r}")
        named = all(isinstance(pair, tuple) for pair in test.pairs)  # and not the name of a hypothesis
        heads = {"first": [pair.first for pair in test.pairs], "second": [pair.second for pair in test.pairs]} if named else {}
        return DataFrame((heads or {"hypothesis": [str(pair) for pair in test.pairs]}) | known)
    what = what or ("adjusted" if "adjusted" in known else "pvalues")
    if what not in known:
        raise ValueError(f"what must be one of {', '.join(known)}; got {what!r}")
    labels = _labels(test)
    return DataFrame(to_matrix(test, what, known), Index(labels), Index(labels))


def to_matrix(test: Any, what: str, known: dict[str, Any] | None = None) -> Any:
    """Classifiers by classifiers: what was found of the row's classifier as the first and the column's as the second."""
    known = _values(test) if known is None else known
    labels = _labels(test)
    place = {label: k for k, label in enumerate(labels)}
    found = np.full((len(labels), len(labels)), np.nan, object if what == "reject" else float)
    np.fill_diagonal(found, DIAGONAL_VALUES.get(what, np.nan))
    back = known[INTERVAL_COLUMNS.get(what, what)]
    for pair, there, again in zip(test.pairs, known[what].tolist(), back.tolist(), strict=True):
        i, j = place[pair.first], place[pair.second]
        found[i, j] = there
        found[j, i] = -again if what in ANTISYMMETRIC_COLUMNS or what in INTERVAL_COLUMNS else again
    return found.astype(bool) if what == "reject" and all(isinstance(entry, bool) for entry in found.flat) else found


def _labels(test: Any) -> list[str]:
    """The classifiers: those of the test, or of the paired tests before it, or those that its pairs name."""
    for one in (test, test.__dict__.get("_source")):
        if (labels := getattr(one, "labels", None)) is not None:
            return [str(label) for label in labels]
    if not all(isinstance(pair, tuple) for pair in test.pairs):
        raise ValueError(f"a matrix needs pairs of classifiers; got {test.pairs[0]}: take form='pairs'")
    return list(dict.fromkeys(name for pair in test.pairs for name in pair))


def _values(test: Any) -> dict[str, Any]:
    """What the test says of each pair."""
    asked = (name for name in COLUMNS if name in test.steps and test.over(name) == "h")
    return {name: np.asarray(value) for name in asked if (value := test.get_or_default(name, None)) is not None}
