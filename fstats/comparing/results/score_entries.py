"""Extract scores from arrays and DataFrames.

Each score entry has a classifier, a data set and a score.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np

from ...core.metric_direction import DEFAULT_METRIC_NAME, direction_text, is_loss_metric, read_direction
from ...core.numerics.floating_point_ties import printed_value
from ...core.validation.check import format_received_value
from ...core.validation.name_suggestions import format_names_by_similarity
from ...procedures.multiple.many_classifiers import default_labels
from .column_names import is_score_heading, is_time_heading
from .column_roles import plan_reading
from .planned_entries import read_entries
from .reading_plan import ARGUMENT_VALUES, SINGLE, Column, ReadingOptions, ReadingPlan, ScoreEntry, grouped, left_out, some
from .sklearn_results import entries_from_sklearn, has_sklearn_results
from .tabular_input import is_dataframe, read_dataframe


def entries_from_table(
    scores: Any, data_sets: Any, classifiers: Any, metric: str, options: ReadingOptions
) -> tuple[list[ScoreEntry], dict[str, Column], ReadingPlan | None]:
    """Return the entries of one table, the role of each column, and the plan by which a DataFrame was read."""
    plan = None
    if has_sklearn_results(scores):
        entries, roles = entries_from_sklearn(scores, data_sets, classifiers, metric)
        columns = {head: Column(role, "results of scikit-learn") for head, role in roles.items()}
    elif is_dataframe(scores):
        plan = plan_reading(read_dataframe(scores, options.named_columns, metric), options)
        entries, columns = entries_of_plan(plan, metric), plan.columns
    else:
        return entries_from_array(scores, data_sets, classifiers, metric), {}, None
    return entries if data_sets is classifiers is None else rename_entries(entries, data_sets, classifiers), columns, plan


def entries_of_plan(plan: ReadingPlan, metric: str) -> list[ScoreEntry]:
    """Return the scores of a planned table, of the stated metric if the table has it beside other metrics."""
    entries = read_entries(plan)
    name = plan.metric_name if metric == DEFAULT_METRIC_NAME else metric
    found = dict.fromkeys(entry.metric for entry in entries)
    if len(found) > 1:
        if metric != DEFAULT_METRIC_NAME and metric not in found:
            raise ValueError(f"{plan.sheet.name} has no metric {metric!r}; {format_names_by_similarity(metric, list(found))}")
        measured = {key: {entry.data_set for entry in entries if entry.metric == key and entry.value == entry.value} for key in found}
        if metric != DEFAULT_METRIC_NAME:
            return _entries_of_metric(plan, [entry for entry in entries if entry.metric == metric], measured[metric])
        if len({frozenset(data_sets) for data_sets in measured.values()}) > 1:
            counts = ", ".join(f"{key} on {len(data_sets)}" for key, data_sets in measured.items())
            most = max(measured, key=lambda key: (is_score_heading(key) and not is_time_heading(key), len(measured[key])))
            raise plan.question(
                f"not every metric was measured on every data set ({counts} of "
                f"{len(set().union(*measured.values()))} data sets). Choose one metric, for example metric={most!r}"
            )
    return [entry if entry.metric else ScoreEntry(*entry[:4], name, *entry[5:]) for entry in entries]


def _entries_of_metric(plan: ReadingPlan, entries: list[ScoreEntry], measured: set[str]) -> list[ScoreEntry]:
    """Return the entries of one metric on the data sets on which some classifier has a score; a doubt names the other data sets."""
    if others := [name for name in dict.fromkeys(entry.data_set for entry in entries) if name not in measured]:
        plan.doubts.append(f"Left out, because no classifier has {entries[0].metric} there: {some(others)}.")
        plan.changes.append(left_out("data sets", others, len(others) + len(measured), f"no classifier has {entries[0].metric} there"))
    return [entry for entry in entries if entry.data_set in measured]


def entries_from_array(scores: Any, data_sets: Any, classifiers: Any, metric: str) -> list[ScoreEntry]:
    """Return the entries of an array."""
    try:
        raw = np.asarray(scores)
        is_short = raw.dtype.kind == "f" and raw.itemsize < 8
        x = np.reshape([printed_value(value) for value in raw.flat], raw.shape) if is_short else raw.astype(float)
    except (TypeError, ValueError):
        raise TypeError(
            f"`scores` must be a DataFrame or a table of numbers, all rows of the same length; got {format_received_value(scores)}"
        ) from None
    if x.ndim not in (2, 3, 4) or not x.size:
        raise ValueError(
            "`scores` must have the shape (data sets, classifiers), (data sets, classifiers, folds) or (data sets, classifiers, folds, "
            f"seeds); got shape {x.shape}{ARGUMENT_VALUES['texts']['single_row'] * (x.ndim == 1)}"
        )
    if np.isinf(x).any():
        raise ValueError("`scores` must be finite; got an infinite score")
    rows = check_names(data_sets, [str(i + 1) for i in range(len(x))], "data_sets")
    names = check_names(classifiers, default_labels(x.shape[1]).tolist(), "classifiers")
    folds = [SINGLE] if x.ndim == 2 or (x.ndim == 4 and x.shape[2] == 1) else [str(f + 1) for f in range(x.shape[2])]
    seeds = [SINGLE] if x.ndim < 4 else [str(s + 1) for s in range(x.shape[3])]
    return [
        ScoreEntry(row, name, fold, seed, metric, value, f"row {i}, column {j} (counting from 0)")
        for i, row in enumerate(rows)
        for j, name in enumerate(names)
        for (fold, seed), value in zip(product(folds, seeds), np.ravel(x[i, j]).tolist(), strict=True)
    ]


def rename_entries(entries: list[ScoreEntry], data_sets: Any, classifiers: Any) -> list[ScoreEntry]:
    """Return the entries with new names of data sets and classifiers."""
    old = [list(dict.fromkeys(str(entry[k]) for entry in entries)) for k in (0, 1)]
    new = check_names(data_sets, old[0], "data_sets"), check_names(classifiers, old[1], "classifiers")
    rows, columns = (dict(zip(*pair, strict=True)) for pair in zip(old, new, strict=True))
    return [entry._replace(data_set=rows[entry.data_set], classifier=columns[entry.classifier]) for entry in entries]


def check_names(names: Any, defaults: list[str], what: str) -> list[str]:
    """Return the given names if they are different and equal in number to the default names; for None return the default names."""
    if names is None:
        return defaults
    listed = [names] if isinstance(names, str) else [str(name) for name in names]
    if len(listed) != len(defaults) or len(set(listed)) < len(listed):
        raise ValueError(f"{what} must be {len(defaults)} different names; got {', '.join(listed)}")
    return listed


def name_index(name: str, known: Sequence[str]) -> int:
    """Return the position of a name."""
    if name not in known:
        raise ValueError(f"there is no {name!r} among these results; {format_names_by_similarity(str(name), known)}")
    return known.index(name)


def name_indices(names: Any, known: Sequence[str], what: str) -> list[int]:
    """Return the positions of different names; all positions for None."""
    if names is None:
        return list(range(len(known)))
    listed = [names] if isinstance(names, str) else [str(name) for name in names]
    if not listed or len(set(listed)) < len(listed):
        raise ValueError(f"{what} must hold at least one name, and each name only once; got {', '.join(listed) or 'none'}")
    return [name_index(name, known) for name in listed]


def negate_loss_scores(
    entries: Sequence[ScoreEntry], why: Mapping[Any, str], higher: Any
) -> tuple[list[ScoreEntry], Mapping[Any, str], Any, list[str]]:
    """Convert negative losses (of scikit-learn's scorers, for example) to losses; return entries, reasons, directions and notes."""
    # remove the direction that Results.to_csv appends to the name of a metric
    for direction in (False, True):
        suffix = direction_text(not direction)
        if with_suffix := {entry.metric for entry in entries if entry.metric.endswith(suffix)}:
            entries = [entry._replace(metric=entry.metric.removesuffix(suffix)) for entry in entries]
            known = {name.removesuffix(suffix): direction for name in with_suffix}
            higher = {**known, **(higher if isinstance(higher, Mapping) else {} if higher is None else dict.fromkeys(known, higher))}
    metrics = dict.fromkeys(entry.metric for entry in entries)
    stated = higher if isinstance(higher, Mapping) else dict.fromkeys(metrics, higher)
    values = grouped((entry.metric, entry.value) for entry in entries)
    negated: dict[str, str] = {}
    for name in metrics:
        plain, least, most = name.removeprefix("neg_"), np.nanmin([0.0, *values[name]]), np.nanmax([0.0, *values[name]])
        if plain != name and is_loss_metric(plain) and most > 0 and stated.get(name) is None:
            raise ValueError(
                f"{name} must be below 0; got {most:g}. Write higher_is_better=False for losses, otherwise higher_is_better=True."
            )
        # a negative log-likelihood of densities may itself be below 0, so it is not taken for a loss with a changed sign
        below = least < 0 >= most and stated.get(name) is not False and read_direction(name) != (True, True)
        if below and plain not in metrics.keys() - {name} and (plain != name or (is_loss_metric(name) and stated.get(name) is None)):
            negated[name] = plain
    if not negated:
        return list(entries), why, higher, []
    directions = {negated.get(name, name): False if name in negated else direction for name, direction in stated.items()}
    directions |= dict.fromkeys(negated.values(), False)
    losses = [
        entry._replace(metric=negated[entry.metric], value=0.0 - entry.value) if entry.metric in negated else entry for entry in entries
    ]
    reasons = {(*key[:4], negated.get(key[4], key[4])): reason for key, reason in why.items()}
    changed = "All numbers of {} were below 0: their signs were changed, and lower is better."
    notes = [f"{name} is shown as the loss {loss}: lower is better." for name, loss in negated.items() if name != loss]
    return losses, reasons, directions, notes + [changed.format(name) for name, loss in negated.items() if name == loss]


def metric_directions(higher: Any, metrics: Sequence[str]) -> tuple[dict[str, bool], list[str]]:
    """Return for each metric whether higher is better, as stated or guessed from the name, and notes on guessed directions."""
    stated = higher if isinstance(higher, Mapping) else dict.fromkeys(metrics, higher)
    if wrong := [str(name) for name in stated if name not in metrics]:
        raise ValueError(
            f"`higher_is_better` must name metrics of the results; got {wrong[0]!r}; {format_names_by_similarity(wrong[0], metrics)}"
        )
    if not all(direction is None or isinstance(direction, (bool, np.bool)) for direction in stated.values()):
        raise TypeError(
            f"`higher_is_better` must be True or False, or a mapping of metrics to True or False; got {format_received_value(higher)}"
        )
    guessed = [name for name in metrics if stated.get(name) is None and is_loss_metric(name)]
    notes = [f"Lower is better, by the name {name} (write higher_is_better=True if higher is better)." for name in guessed]
    return {name: name not in guessed if stated.get(name) is None else bool(stated[name]) for name in metrics}, notes
