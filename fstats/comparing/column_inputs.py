"""Columns of numbers as what a test takes: scores of each classifier, differences on splits, predictions, counts."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from os import PathLike
from typing import Any

import numpy as np

from ..core.classifier_pair import metric_settings
from ..core.validation import check
from ..procedures.resampling.algorithm_comparison import is_cross_validation_test
from ..procedures.resampling.split_scores.split_scores import Scores
from .results.tabular_input import is_series, parse_number, read_csv, read_dataframe

RATIO_INPUT = "test_train_ratio"  # stated by its name, never in a row with the differences


def read_columns(source: Any, named: Collection[str] = ()) -> tuple[list[str], list[list[Any]]]:
    """The names and the columns of a CSV file, or of a DataFrame.

    A first column of words beside columns of numbers only is left out, unless it is named.
    """
    sheet = read_csv(source, least=1) if isinstance(source, (str, PathLike)) else read_dataframe(source)
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
    """Numbers if all are numbers, otherwise words."""
    numbers = [parse_number(word, decimal) for word in column]
    return list(column) if None in numbers else numbers


def test_from_columns(test: Any, columns: Sequence[Any], names: Sequence[str] | None, settings: Mapping[str, Any]) -> Any:
    """The test on columns, and on their names where a file or a table brings them."""
    needed = _required_inputs(test, settings)
    if len(columns) == 1:
        settings = metric_settings(columns[0], test) | dict(settings)
    if names is None and len(columns) > 1 and all(map(is_series, columns)) and all(isinstance(column.name, str) for column in columns):
        names = [column.name for column in columns]
    if hasattr(test, "from_predictions"):
        if all(np.ndim(column) == 0 for column in columns):  # counted already
            return test(*_check_column_count(test, columns, needed), **settings)
        columns, names = _split_table(columns, names)
        if len(columns) != 3:
            raise _column_count_error(test, 3, "the true classes and what each of two classifiers says", len(columns))
        return test.from_predictions(*columns, **_settings_with_labels(names and names[1:], settings))
    if needed == ["d"] and is_cross_validation_test(test):
        return _test_from_split_scores(test, columns, names, settings)
    if is_cross_validation_test(test):
        return test(*_check_column_count(test, columns, needed), **settings)
    if "scores" in test.inputs:
        table = columns[0] if len(columns) == 1 else _stack_columns(columns)
        return test(table, **_settings_with_labels(names, settings))
    if len(needed) > 1:
        columns, names = _split_table(columns, names)
    if names and {"a", "b"} <= {*test.inputs}:
        columns, names, settings = _take_named_columns(test, columns, names, settings)
        needed = [name for name in needed if name not in settings]
    brought = _check_column_count(test, columns, needed)
    two = [k for k, name in enumerate(needed) if name in ("a", "b", "x", "y")]
    return test(*brought, **_settings_with_labels([names[k] for k in two] if names and len(two) == 2 else None, settings))


def extra_inputs(test: Any) -> list[str]:
    """The inputs that a test needs besides the scores of A and B: clusters, true classes."""
    about = getattr(test, "inputs", {})
    return [name for name in about if name not in ("a", "b") and name not in test.defaults and not about[name]["setting"]]


def _take_named_columns(
    test: Any, columns: Sequence[Any], names: Sequence[str], settings: Mapping[str, Any]
) -> tuple[list[Any], list[str], dict[str, Any]]:
    """The columns without those that the test takes by their names, or by the names that the settings say; these join the settings."""
    left, found = dict(zip(names, columns)), dict(settings)
    for name in extra_inputs(test):
        head = found.get(name, name)
        if isinstance(head, str) and head in left:
            found[name] = left.pop(head)
        elif isinstance(head, str) and (name in settings or [*test.inputs].index(name) > [*test.inputs].index("b")):  # no place tells it
            raise ValueError(
                f"a column must be said to hold the {name}: name it {name}, or write {name}= and its name; the table has "
                f"{check.format_first_names(names)}"
            )
    return [*left.values()], [*left], found


def _settings_with_labels(names: Sequence[str] | None, settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings, with names from the data where nobody has chosen others."""
    return ({"labels": list(names)} if names else {}) | dict(settings)


def _required_inputs(test: Any, settings: Mapping[str, Any]) -> list[str]:
    """The inputs that columns must bring.  Refuse a test that lacks something which only its user can know, such as a margin."""
    found = [name for name in test.inputs if name not in test.defaults and name not in settings and name != RATIO_INPUT]
    for name in found:
        if test.inputs[name]["setting"]:
            raise TypeError(f"{test.__name__} needs {name}: {test.inputs[name]['sentence'].rstrip('.')}; write apply_test(..., {name}=...)")
    return found


def _check_column_count(test: Any, columns: Sequence[Any], needed: Sequence[str]) -> Sequence[Any]:
    """The columns, if they are as many as the test has inputs; otherwise it is said which."""
    if len(columns) != len(needed):
        which = (
            "the scores of each classifier"
            if needed == ["a", "b"]
            else "; ".join(f"{name}: {test.inputs[name]['sentence'].rstrip('.')}" for name in needed)
        )
        raise _column_count_error(test, len(needed), which, len(columns))
    return columns


def _column_count_error(test: Any, many: int, which: str, got: int) -> ValueError:
    return ValueError(f"{test.__name__} needs {many} column{'s' if many > 1 else ''}, {which}; got {got}")


def _split_table(columns: Sequence[Any], names: Sequence[str] | None) -> tuple[Sequence[Any], Sequence[str] | None]:
    """The columns of a table that was handed in as one thing, and their names if it has some."""
    if len(columns) != 1 or np.ndim(columns[0]) != 2:
        return columns, names
    heads = [str(name) for name in getattr(columns[0], "columns", ())]
    return list(np.transpose(np.asarray(columns[0]))), names or heads or None


def _stack_columns(columns: Sequence[Any]) -> Any:
    """A table whose columns these are."""
    found = [check.numbers(column, f"list {k}") for k, column in enumerate(columns, 1)]
    if len({column.shape for column in found}) > 1:
        many = check.format_first_names([str(np.size(column)) for column in found])
        raise ValueError(f"the lists must be of one length, a score for each data set in the same order; got {many} scores")
    return np.transpose(found)


# -- splits of one data set ------------------------------------------------------------------------------------------------------
def _test_from_split_scores(test: Any, columns: Sequence[Any], names: Sequence[str] | None, settings: Mapping[str, Any]) -> Any:
    """A test of the differences on splits, from these differences or from the scores of both classifiers.

    Where the plan has repetitions and folds, a line is a repetition: of a table, of a file, or a list for each.  Two things are otherwise
    the two classifiers.
    """
    lines = test.plan.shape  # repetitions and folds, or splits
    if hasattr(columns[0], "columns"):  # a DataFrame, which is read as a file is
        columns, names = _split_table(columns, names)
    if len(columns) == 1:
        d = _squeeze_column(check.numbers(columns[0], "d"))
        try:
            return test(d, **settings)
        except ValueError as refused:
            if d.shape[: len(lines)] == lines:
                raise
            raise ValueError(f"{test.__name__} needs {split_input_description(test)}; got a table of shape {d.shape}") from refused
    found = [check.numbers(column, f"list {k}") for k, column in enumerate(columns, 1)]
    shapes = {column.shape for column in found}
    if len(shapes) == 1:
        if names and np.stack(found, axis=1).shape == lines:  # a file with a line for each repetition
            return test(np.stack(found, axis=1), **settings)
        if (len(found), *found[0].shape) == lines:
            return test(np.stack(found), **settings)
        if len(found) == 2:
            labelled = _settings_with_labels(names, settings)
            if len(lines) == 2 and found[0].shape == lines:
                return test.from_scores(Scores.from_arrays(test.plan, *found), **labelled)
            if len(lines) == 2 and found[0].shape[:1] == (test.plan.splits,):
                return test.from_cross_validate(*found, **labelled)
            if len(lines) < 2:
                return test(found[0] - found[1], **labelled)
    got = check.format_first_names([" x ".join(map(str, column.shape)) or "a number" for column in found])
    raise ValueError(f"{test.__name__} needs {split_input_description(test)}; got {len(found)} lists of {got}")


def split_input_description(test: Any) -> str:
    """What a test of differences on splits takes, in words."""
    lines = test.plan.shape
    if len(lines) < 2:
        return "the list of differences A less B, one for each split; or two lists of one length, the scores of A and of B"
    repetitions, folds = lines
    line = ", ".join(f"d{{0}}{k}" for k in range(1, folds + 1)) if folds < 4 else f"d{{0}}1, ..., d{{0}}{folds}"
    first, second = (f"[{line.format(k)}]" for k in (1, 2))
    return (
        f"the differences A less B as {repetitions} lists of {folds}, a list for each repetition, {first}, {second}, ...; or the scores of "
        f"A and of B, each as {repetitions} such lists ([[...], [...], ...]) or as {repetitions * folds} in a row, repetition by repetition"
    )


def _squeeze_column(table: Any) -> Any:
    """A table of one column as that column."""
    return table[:, 0] if table.ndim == 2 and table.shape[1] == 1 else table
