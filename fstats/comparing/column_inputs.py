"""Conversion of table columns to the inputs of a test.

The inputs are scores, differences, predictions or counts.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from os import PathLike
from typing import Any

import numpy as np

from ..core.classifier_pair import metric_settings
from ..core.validation import check
from ..procedures.resampling.algorithm_comparison import is_cross_validation_test
from ..procedures.resampling.split_scores.split_scores import Scores
from .results.cell_numbers import plain_number
from .results.tabular_input import is_series, read_csv, read_dataframe

RATIO_INPUT = "test_train_ratio"  # this input is passed by name only, and never read from a column


def read_columns(source: Any, named: Collection[str] = ()) -> tuple[list[str], list[list[Any]]]:
    """Return the names and the columns of a CSV file or a DataFrame.

    A first column of text beside columns of numbers is ignored, unless `named` contains its name.
    """
    sheet = read_csv(source) if isinstance(source, (str, PathLike)) else read_dataframe(source)
    names, columns = sheet.heads, [_parse_column(column, sheet.decimal) for column in sheet.columns]
    if (
        len(columns) > 2
        and names[0] not in named
        and isinstance(columns[0][0], str)
        and not any(isinstance(value, str) for column in columns[1:] for value in column)
    ):
        return names[1:], columns[1:]
    return names, columns


def _parse_column(column: Sequence[str], decimal: str) -> list[Any]:
    """Return numbers if all entries are numbers, otherwise the entries as text."""
    numbers = [plain_number(entry, decimal) for entry in column]
    return list(column) if None in numbers else numbers


def test_from_columns(test: Any, columns: Sequence[Any], names: Sequence[str] | None, settings: Mapping[str, Any]) -> Any:
    """Return the test on columns, with the names of the columns if a file or a table has names."""
    required = _required_inputs(test, settings)
    if len(columns) == 1:
        settings = metric_settings(columns[0], test) | dict(settings)
    if names is None and len(columns) > 1 and all(map(is_series, columns)) and all(isinstance(column.name, str) for column in columns):
        names = [column.name for column in columns]
    if hasattr(test, "from_predictions"):
        if all(np.ndim(column) == 0 for column in columns):  # each input is a single count
            return test(*_check_column_count(test, columns, required), **settings)
        columns, names = _split_table(columns, names)
        if len(columns) != 3:
            raise _column_count_error(test, 3, "the true classes and the predictions of each of two classifiers", len(columns))
        return test.from_predictions(*columns, **_settings_with_labels(names and names[1:], settings))
    if required == ["d"] and is_cross_validation_test(test):
        return _test_from_split_scores(test, columns, names, settings)
    if is_cross_validation_test(test):
        return test(*_check_column_count(test, columns, required), **settings)
    if "scores" in test.inputs:
        table = columns[0] if len(columns) == 1 else _stack_columns(columns)
        return test(table, **_settings_with_labels(names, settings))
    if len(required) > 1:
        columns, names = _split_table(columns, names)
    if names and {"a", "b"} <= {*test.inputs}:
        columns, names, settings = _take_named_columns(test, columns, names, settings)
        required = [name for name in required if name not in settings]
    columns = _check_column_count(test, columns, required)
    scores = [k for k, name in enumerate(required) if name in ("a", "b", "x", "y")]
    return test(*columns, **_settings_with_labels([names[k] for k in scores] if names and len(scores) == 2 else None, settings))


def extra_inputs(test: Any) -> list[str]:
    """Return the inputs that a test needs besides the scores of A and B: clusters, true classes."""
    inputs = getattr(test, "inputs", {})
    return [name for name in inputs if name not in ("a", "b") and name not in test.defaults and not inputs[name]["setting"]]


def _take_named_columns(
    test: Any, columns: Sequence[Any], names: Sequence[str], settings: Mapping[str, Any]
) -> tuple[list[Any], list[str], dict[str, Any]]:
    """Move the columns of optional inputs, such as clusters, into the settings; return the other columns, their names and the settings."""
    remaining, settings_with_columns = dict(zip(names, columns)), dict(settings)
    for name in extra_inputs(test):
        head = settings_with_columns.get(name, name)
        if isinstance(head, str) and head in remaining:
            settings_with_columns[name] = remaining.pop(head)
        # the input must be a column, but no column has this name
        elif isinstance(head, str) and (name in settings or [*test.inputs].index(name) > [*test.inputs].index("b")):
            raise ValueError(
                f"the table must have a column {name!r}; got the columns {check.format_first_names(names)}. Rename a column to {name!r}, "
                f"or write {name}=COLUMN with the name of the column."
            )
    return [*remaining.values()], [*remaining], settings_with_columns


def _settings_with_labels(names: Sequence[str] | None, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings; if the settings have no labels, add the names from the data as labels."""
    return ({"labels": list(names)} if names else {}) | dict(settings)


def _required_inputs(test: Any, settings: Mapping[str, Any]) -> list[str]:
    """Return the names of the inputs that columns must hold; raise an error if a setting such as a margin is missing."""
    required = [name for name in test.inputs if name not in test.defaults and name not in settings and name != RATIO_INPUT]
    for name in required:
        if test.inputs[name]["setting"]:
            raise TypeError(
                f"{test.__name__} needs {name} ({test.inputs[name]['sentence'].rstrip('.')}). Write `apply_test(..., {name}=...)`."
            )
    return required


def _check_column_count(test: Any, columns: Sequence[Any], required: Sequence[str]) -> Sequence[Any]:
    """Return the columns if their number is the number of inputs; otherwise raise an error that names the inputs."""
    if len(columns) != len(required):
        which = (
            "the scores of each classifier"
            if required == ["a", "b"]
            else "; ".join(f"{name}: {test.inputs[name]['sentence'].rstrip('.')}" for name in required)
        )
        raise _column_count_error(test, len(required), which, len(columns))
    return columns


def _column_count_error(test: Any, count: int, which: str, got: int) -> ValueError:
    return ValueError(f"{test.__name__} needs {count} column{'s' if count > 1 else ''}, {which}; got {got}")


def _split_table(columns: Sequence[Any], names: Sequence[str] | None) -> tuple[Sequence[Any], Sequence[str] | None]:
    """Split a single table into its columns, with their names if it has names."""
    if len(columns) != 1 or np.ndim(columns[0]) != 2:
        return columns, names
    heads = [str(name) for name in getattr(columns[0], "columns", ())]
    return list(np.transpose(np.asarray(columns[0]))), names or heads or None


def _stack_columns(columns: Sequence[Any]) -> Any:
    """Return a table with these columns."""
    lists = [check.numbers(column, f"list {k}") for k, column in enumerate(columns, 1)]
    if len({column.shape for column in lists}) > 1:
        sizes = check.format_first_names([str(np.size(column)) for column in lists])
        raise ValueError(f"all lists must have the same length, with a score for each data set in the same order; got the lengths {sizes}")
    return np.transpose(lists)


# -- splits of one data set ------------------------------------------------------------------------------------------------------
def _test_from_split_scores(test: Any, columns: Sequence[Any], names: Sequence[str] | None, settings: Mapping[str, Any]) -> Any:
    """Return a test of the differences on splits; the columns hold the differences, or the scores of both classifiers.

    If the plan has repetitions and folds, each row of a table or a file, or each list, is a repetition.  Otherwise two lists hold the
    scores of the two classifiers.
    """
    lines = test.plan.shape  # shape of the plan: (repetitions, folds) or (splits,)
    if hasattr(columns[0], "columns"):  # the input is a DataFrame, which is read like a CSV file
        columns, names = _split_table(columns, names)
    if len(columns) == 1:
        d = _squeeze_column(check.numbers(columns[0], "d"))
        try:
            return test(d, **settings)
        except ValueError as refused:
            if d.shape[: len(lines)] == lines:
                raise
            raise ValueError(f"{test.__name__} must be given {split_input_description(test)}; got a table of shape {d.shape}") from refused
    lists = [check.numbers(column, f"list {k}") for k, column in enumerate(columns, 1)]
    if len({column.shape for column in lists}) == 1:
        if names and np.stack(lists, axis=1).shape == lines:  # each row of the file is one repetition of the cross-validation
            return test(np.stack(lists, axis=1), **settings)
        if (len(lists), *lists[0].shape) == lines:
            return test(np.stack(lists), **settings)
        if len(lists) == 2:
            labelled = _settings_with_labels(names, settings)
            if len(lines) == 2 and lists[0].shape == lines:
                return test.from_scores(Scores.from_arrays(test.plan, *lists), **labelled)
            if len(lines) == 2 and lists[0].shape[:1] == (test.plan.splits,):
                return test.from_cross_validate(*lists, **labelled)
            if len(lines) < 2:
                return test(lists[0] - lists[1], **labelled)
    got = check.format_first_names([" x ".join(map(str, column.shape)) or "a number" for column in lists])
    raise ValueError(f"{test.__name__} must be given {split_input_description(test)}; got {len(lists)} lists of the shapes {got}")


def split_input_description(test: Any) -> str:
    """Describe the inputs of a test of differences on splits."""
    lines = test.plan.shape
    if len(lines) < 2:
        return "a list of differences, one for each split, or two lists of the same length, the scores of A and of B"
    repetitions, folds = lines
    return (
        f"differences A minus B as {repetitions} lists of {folds}, a list for each repetition, or the scores of A and of B, each in this "
        f"form or as one list of {repetitions * folds}"
    )


def _squeeze_column(table: Any) -> Any:
    """Return a table that has one column as a one-dimensional array; return other tables unchanged."""
    return table[:, 0] if table.ndim == 2 and table.shape[1] == 1 else table
