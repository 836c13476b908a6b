"""Input checks for cross-validation scores computed elsewhere.

The checks are of shapes, sums of counts, and splits.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core.validation import check
from ....core.validation.tables import distinct_names
from ....core.value_types import Array, broadcast_column
from ..split_plans.block_regularized_cv import check_groups
from ..split_plans.split_plan import Plan
from ..split_plans.split_requirements import split_list


def check_split_scores(plan: Plan, value: Any, name: str) -> Array:
    """Check finite numbers; the leading axes must be those of the plan."""
    x = check.numbers(value, name)
    if x.shape[: len(plan.shape)] != plan.shape:
        hint = f". Write `numpy.reshape({name}, {plan.shape})`." if x.shape == (plan.splits,) else ""
        raise ValueError(f"`{name}` must have the shape {plan.shape} of the plan {plan}; got shape {x.shape}{hint}")
    return x


def check_seed_scores(plan: Plan, score_a: Array, score_b: Array, seeds: Any, tables: Any) -> dict[str, Any]:
    """Return the names of the seeds, and both scores on each split with each seed."""
    if tables is not None:
        remedy = "Leave out `tables=`, or pass the scores of one seed without `seeds=`."
        raise ValueError(
            f"`tables` and `seeds` cannot be combined, because the mean of the tables of several seeds is not a table of counts. {remedy}"
        )
    axis = len(plan.shape)
    if score_a.ndim <= axis:
        raise ValueError(f"`score_a` must have an axis of seeds after the axes {plan.shape} of the plan {plan}; got shape {score_a.shape}")
    names = distinct_names(seeds, score_a.shape[axis], "seeds", "seed").tolist()
    a, b = (np.reshape(x, (plan.splits, *x.shape[axis:])) for x in (score_a, score_b))
    return {"seeds": tuple(names), "score_a_by_seed": a, "score_b_by_seed": b}


def check_tables(plan: Plan, value: Any, repetitions: tuple[int, ...], n: int | None) -> Array:
    """Check tables of counts, whose totals must agree with the plan."""
    x = np.asarray(check.counts(value, "tables"))
    if x.shape != (shape := (*plan.shape, 2, 2, *repetitions)):
        rule = "a table with the rows [A wrong, A right] and the columns [B wrong, B right] for each split"
        raise ValueError(f"`tables` must have the shape {shape}, with {rule}; got shape {x.shape}")
    axis = len(plan.shape)
    tested = x.sum((axis, axis + 1)).reshape(plan.repeats, -1, *repetitions)  # axes: plan repetitions, folds, independent repetitions
    if (tested == 0).any():
        i, j = np.argwhere(tested == 0)[0][:2] + 1
        raise ValueError(f"`tables` must count at least one record of each test set; got no record in repetition {i}, fold {j}")
    totals = tested.sum(1)
    if n is not None and (totals > n).any():
        raise ValueError(
            f"`tables` must count at most n = {n} records in each repetition; got {totals.max():g} records in repetition "
            f"{np.argwhere(totals > n)[0][0] + 1}"
        )
    if plan.kind != "hold-out" and (totals != (totals[0] if n is None else n)).any():
        got = ", ".join(f"{t:g}" for t in np.unique(totals)[:5]) + ("" if n is None else f" for n = {n}")
        raise ValueError(f"`tables` must count every record once in each repetition of the plan {plan}; got record counts {got}")
    return x


def split_sizes(plan: Plan, splits: Any, groups: Any, n: int | None) -> tuple[Array, Array, int]:
    """Return the numbers of training and test records in each split of the plan, and the number of all records."""
    pairs = split_list(splits)
    if groups is not None:
        n = len(groups) if n is None else n
        check_groups(groups, n)
    elif n is None:
        n = 1 + max((int(np.max(side)) for pair in pairs for side in pair if np.size(side)), default=0)
    positions = plan.check_splits(pairs, n, groups)
    train, test = (np.reshape([float(len(pair[side])) for pair in positions], plan.shape) for side in (0, 1))
    return train, test, n


def check_sizes(plan: Plan, n_train: Any, n_test: Any, tables: Array | None, n: int | None) -> tuple[Array | None, Array | None]:
    """Return the numbers of training and test records in each split."""
    if n_train is None and n_test is None:
        return None, None
    if n_train is None or n_test is None:
        raise ValueError("`n_train` and `n_test` must be given together. Pass both, or leave out both.")
    sizes = []
    for name, value in (("n_train", n_train), ("n_test", n_test)):
        x = np.asarray(check.count(1)(value, name), float)
        if x.shape not in ((), plan.shape):
            raise ValueError(f"`{name}` must be one number, or have the shape {plan.shape} of the plan {plan}; got shape {x.shape}")
        sizes.append(np.broadcast_to(x, plan.shape).copy())
    train, test = sizes
    if n is not None and (train + test > n).any():
        raise ValueError(f"n_train + n_test must be at most n = {n}; got {(train + test).max():g}")
    if tables is not None:
        axis = len(plan.shape)
        tested = tables.sum((axis, axis + 1))
        if (tested != broadcast_column(test, tested)).any():
            remedy = "Use the same test sets for `n_test` and `tables`."
            raise ValueError(f"`n_test` must be equal to the number of records in each table; got different numbers. {remedy}")
    return train, test


def check_records(plan: Plan, difference: Any, fold: Any, repetitions: tuple[int, ...], n: int | None) -> tuple[Array | None, Array | None]:
    """Check the differences on single records, and the fold that tested each record."""
    if difference is None and fold is None:
        return None, None
    if difference is None or fold is None:
        raise ValueError("`record_difference` and `record_fold` must be given together. Pass both, or leave out both.")
    if plan.kind == "hold-out" or plan.repeats > 1:
        got = f"the plan {plan}. Leave out `record_difference=`."
        raise ValueError(f"`record_difference` must come from one cross-validation, which tests each record once; got {got}")
    d, k = check.numbers(difference, "record_difference"), np.asarray(check.counts(fold, "record_fold"))
    if d.ndim == 0 or d.shape[1:] != repetitions or (n is not None and len(d) != n):
        raise ValueError(
            f"`record_difference` must have one row for each {'record' if n is None else f'of the {n} records'}, then the axes "
            f"{repetitions} of repetitions; got shape {d.shape}"
        )
    if k.shape not in (d.shape[:1], d.shape):
        raise ValueError(f"`record_fold` must hold the fold of each of the {len(d)} records; got shape {k.shape}")
    if len(np.unique(k)) != plan.folds:
        raise ValueError(f"`record_fold` must name all {plan.folds} folds; got the folds {', '.join(f'{x:g}' for x in np.unique(k)[:12])}")
    return d, k
