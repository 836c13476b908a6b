"""Results from the table that a caller passes to a test."""

from __future__ import annotations

from typing import Any
from warnings import warn

from .named_columns import LINE
from .reading_plan import READING_ARGUMENTS
from .reading_question import ReadingQuestion
from .results import Results


def results_from_table(source: Any, settings: dict[str, Any]) -> Results:
    """Return results from a file, a text or a DataFrame; arguments that say how a table is read are taken out of the settings.

    A caller names a test on data sets, so lines without names are read as data sets, with a warning.
    """
    if isinstance(source, Results):
        return source
    stated: dict[str, Any] = {name: settings[name] for name in ("metric", "higher_is_better") if name in settings}
    stated |= {name: settings.pop(name) for name in (*READING_ARGUMENTS, "missing") if name in settings and name != "test_train_ratio"}
    try:
        return (Results.from_frame if hasattr(source, "columns") else Results.from_csv)(source, **stated)
    except ReadingQuestion as question:
        if {"data_set": LINE} not in [answer for answer, _ in question.answers]:
            raise
    results, doubt = Results.from_csv(source, **stated, data_set=LINE), "No column names the data sets: each line was read as one data set."
    warn(doubt, stacklevel=3)
    return results._with(results._tables, **results._remark(doubt))
