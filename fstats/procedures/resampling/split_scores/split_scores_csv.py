"""Read and write cross-validation scores as CSV files.

The first line holds the resampling plan.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from math import nan
from os import PathLike
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

import numpy as np

from ....core.value_types import Array
from ..split_plans.split_plan import Plan

HEADER_PREFIX = "# fstats.Scores"
CELLS = ("n00", "n01", "n10", "n11")  # cells of a contingency table by row (A wrong, A right) and column (B wrong, B right)
COLUMNS = ("part", "i", "j", "score_a", "score_b", *CELLS, "difference")
SIZES = ("n_train", "n_test")  # sizes of the training and test sets; older files do not have these columns
SEED = "seed"  # name of the last column; it exists only if each split was trained with several seeds


def write_scores(scores: Any, path: str | PathLike[str]) -> None:
    """Write one line for each split, record, half and replicate; numbers keep all digits."""
    plan = scores.plan
    named = "" if scores.labels is None else f"; labels={','.join(map(quote, scores.labels))}"
    with Path(path).open("w", newline="", encoding="utf-8") as file:
        fields = f"kind={plan.kind}; repeats={plan.repeats}; folds={plan.folds}; test_share={plan.test_share!r}"
        file.write(f"{HEADER_PREFIX}; {fields}{named}\n")
        table = csv.DictWriter(file, (*COLUMNS, *SIZES, *[SEED] * (scores.seeds is not None)), lineterminator="\n")
        table.writeheader()
        table.writerows(_lines(scores))


def _lines(scores: Any) -> Iterator[dict[str, Any]]:
    plan, across = scores.plan, scores.plan.splits // scores.plan.repeats
    seeds = [{}] if scores.seeds is None else [{SEED: seed} for seed in scores.seeds]
    both = (scores.score_a, scores.score_b) if scores.seeds is None else (scores.score_a_by_seed, scores.score_b_by_seed)
    pairs = (np.reshape(score, (plan.splits, len(seeds))).tolist() for score in both)
    tables = [[]] * plan.splits if scores.tables is None else np.reshape(scores.tables, (-1, 4)).astype(int).tolist()
    sizes: list[list[int]] = [[]] * plan.splits
    if scores.n_train is not None and scores.n_test is not None:
        sizes = np.stack([np.ravel(scores.n_train), np.ravel(scores.n_test)], 1).astype(int).tolist()
    for k, (of_a, of_b, table, size) in enumerate(zip(*pairs, tables, sizes, strict=True)):
        counts = dict(zip(CELLS, table)) | dict(zip(SIZES, size))
        for seed, a, b in zip(seeds, of_a, of_b, strict=True):
            yield dict(part="split", i=k // across + 1, j=k % across + 1, score_a=a, score_b=b) | counts | seed
    if scores.record_difference is not None and scores.record_fold is not None:
        for k, (d, fold) in enumerate(zip(scores.record_difference.tolist(), scores.record_fold.tolist(), strict=True)):
            yield dict(part="record", i=k + 1, j=int(fold), difference=d)
    replicates = None if scores.replicates is None else scores.replicates.reshape(plan.splits, -1)
    for part, differences in (("half", scores.halves), ("replicate", replicates)):
        for (i, j), d in [] if differences is None else np.ndenumerate(differences):
            yield dict(part=part, i=i + 1, j=j + 1, difference=float(d))


def read_scores(path: str | PathLike[str]) -> tuple[Plan, dict[str, Any]]:
    """Return the plan and the arrays by name; error messages name the line that does not fit."""
    with Path(path).open(newline="", encoding="utf-8") as file:
        plan, labels = _plan_of(file.readline().strip(), path)
        parts, seeds = _rows_by_part(csv.DictReader(file), path)
    by_seed = _by_seed(parts["split"], seeds, path) if any(seeds) else {"": parts["split"]}

    arrays: dict[str, Any] = {"seeds": list(by_seed)} if any(seeds) else {}
    for name in ("score_a", "score_b"):
        columns = [_split_column(lines, "split", name, plan, path).reshape(plan.shape) for lines in by_seed.values()]
        arrays[name] = np.stack(columns, -1) if any(seeds) else columns[0]
    (*_, split) = by_seed.values()
    if any(name in line for line in split for name in CELLS):
        arrays["tables"] = np.stack([_column(split, "split", name, path) for name in CELLS], 1).reshape(*plan.shape, 2, 2)
    if any(name in line for line in split for name in SIZES):
        arrays |= {name: _column(split, "split", name, path).reshape(plan.shape) for name in SIZES}
    if record := parts["record"]:
        arrays |= {key: _column(record, "record", name, path) for key, name in (("record_difference", "difference"), ("record_fold", "j"))}
    if parts["half"]:
        arrays["halves"] = _split_column(parts["half"], "half", "difference", plan, path)
    if parts["replicate"]:
        arrays["replicates"] = _split_column(parts["replicate"], "replicate", "difference", plan, path).reshape(*plan.shape, -1)
    return plan, arrays | labels


def _column(lines: list[dict[str, float]], part: str, name: str, path: Any) -> Array:
    """Return a column of one part of a file."""
    values = [line.get(name) for line in lines]
    if None in values:
        raise ValueError(f"the file {path} must have a value of {name} in line {values.index(None) + 1} of the part {part!r}")
    return np.array(values, float)


def _split_column(lines: list[dict[str, float]], part: str, name: str, plan: Plan, path: Any) -> Array:
    """Return a column as a table by i and j; the part "split" must have as many lines as the plan has splits."""
    i, j = (_column(lines, part, index, path) for index in "ij")
    rows, columns = (plan.repeats, plan.splits // plan.repeats) if part == "split" else (int(i.max()), int(j.max()))
    if not np.array_equal(np.stack([i, j], 1), [(k + 1, m + 1) for k in range(rows) for m in range(columns)]):
        raise ValueError(
            f"the part {part!r} of {path} must have one line for each i from 1 to {rows} and j from 1 to {columns}, sorted by i and then "
            f"by j, as in the plan {plan}; got {len(i)} lines or another order"
        )
    return _column(lines, part, name, path).reshape(rows, columns)


def _plan_of(opening: str, path: Any) -> tuple[Plan, dict[str, list[str]]]:
    """Return the plan in the first line of a file, and the labels if there are any."""
    fields = dict(part.partition("=")[::2] for part in opening.split("; ")[1:])
    try:
        if not opening.startswith(HEADER_PREFIX):
            raise ValueError
        plan = Plan(fields["kind"], int(fields["repeats"]), int(fields["folds"]), float(fields["test_share"]))  # type: ignore[arg-type]
    except (KeyError, ValueError):
        got = f"{opening[:60]!r} in {path}"
        raise ValueError(f"the first line of a file of scores must begin with {HEADER_PREFIX!r} and contain the plan; got {got}") from None
    return plan, {"labels": [unquote(name) for name in fields["labels"].split(",")]} if "labels" in fields else {}


def _rows_by_part(table: csv.DictReader[str], path: Any) -> tuple[dict[str, list[dict[str, float]]], list[str]]:
    """Return the lines of a file by part, without empty cells, and the seed of each split (empty if there is none)."""
    if missing := [name for name in COLUMNS if name not in (table.fieldnames or ())]:
        raise ValueError(f"line 2 of {path} must name the columns {', '.join(COLUMNS)}; missing columns are {', '.join(missing)}")
    parts: dict[str, list[dict[str, float]]] = {part: [] for part in ("split", "record", "half", "replicate")}
    seeds = []
    for number, line in enumerate(table, 3):
        if line["part"] not in parts:
            raise ValueError(f"`part` must be one of {', '.join(parts)} in line {number} of {path}; got {line['part']!r}")
        try:
            parts[line["part"]].append({name: float(line[name]) for name in COLUMNS[1:] + SIZES if line.get(name)})
        except ValueError as error:
            raise ValueError(f"line {number} of {path} must contain numbers: {error}") from None
        if line["part"] == "split":
            seeds.append((line.get(SEED) or "").strip())
            if any(seeds) and not all(seeds):
                raise ValueError(f"either all lines or no line must have a seed; line {number} of {path} differs from the lines above")
    return parts, seeds


def _by_seed(lines: list[dict[str, float]], seeds: list[str], path: Any) -> dict[str, list[dict[str, float]]]:
    """Return the lines of each seed, with the same order of splits; every split must have been trained with every seed."""
    lines_by_seed: dict[str, dict[str, dict[str, float]]] = {seed: {} for seed in seeds}
    splits: dict[str, dict[str, float]] = {}
    for line, seed in zip(lines, seeds, strict=True):
        split = f"i = {line.get('i', nan):g}, j = {line.get('j', nan):g}"
        if split in lines_by_seed[seed]:
            raise ValueError(f"the split {split} must have one line for the seed {seed} in {path}; got two lines")
        lines_by_seed[seed][split] = line
        first = splits.setdefault(split, line)
        if any(line.get(name) != first.get(name) for name in SIZES):
            raise ValueError(f"the split {split} must have the same {' and '.join(SIZES)} for every seed in {path}")
    for seed, line_of_split in lines_by_seed.items():
        if missing := [split for split in splits if split not in line_of_split]:
            raise ValueError(
                f"every split must have a line for every seed in {path}; the split {missing[0]} has no line for the seed {seed}"
                + (f", and {len(missing) - 1} more splits have none" if len(missing) > 1 else "")
            )
    return {seed: [line_of_split[split] for split in splits] for seed, line_of_split in lines_by_seed.items()}
