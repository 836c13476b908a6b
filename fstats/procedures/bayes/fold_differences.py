"""From the folds of a cross-validation to differences of two classifiers: what results hold, and what scikit-learn returns."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any

import numpy as np

from ...core.classifier_pair import classifier_names
from ...core.numerics.floating_point_ties import noise_free_difference
from ...core.validation import check, tables
from ...core.validation.paired_inputs import check_same_splits
from ...core.value_types import Array


def differences_on_folds(results: Any, labels: Any, who: str) -> tuple[list[str], list[Array], list[int]]:
    """The names of two classifiers, and on each data set the differences on its folds, positive where the first is better."""
    if not hasattr(results, "fold_scores"):
        raise TypeError(f"results must be fstats.Results; got {type(results).__name__}: call {who} itself with a table of differences")
    np.asarray(results)  # gaps are refused there, with their places
    names = list(results.classifiers)
    if labels is None and len(names) != 2:
        raise ValueError(
            f"labels must name two of the classifiers {check.format_first_names(names)}, A first: {who}.from_results(results, labels=[...])"
        )
    chosen = classifier_names(names if labels is None else labels, "labels").tolist()
    a, b = (names.index(tables.known_name(name, names, "labels")) for name in chosen)
    first, second = (a, b) if results.higher_is_better else (b, a)
    counts = [len(folds) for folds in results.folds]
    rows = [noise_free_difference(table[first, :n], table[second, :n]) for table, n in zip(results.fold_scores, counts, strict=True)]
    return chosen, rows, counts


def wins_by_folds(results: Any, local: float, who: str) -> tuple[list[str], Array, Array, Array]:
    """The classifiers, and on how many data sets of each pair the first is better, the second, and neither.

    On a data set neither is where the mean difference is at most ``local`` standard deviations of the differences on its folds.
    """
    labels, found = list(results.classifiers), []
    for pair in combinations(labels, 2):
        rows = differences_on_folds(results, pair, who)[1]
        if alone := [name for name, row in zip(results.data_sets, rows) if len(row) < 2]:
            raise ValueError(f"local needs two folds or more of each data set; got one of {check.format_first_names(alone)}")
        side = [np.sign(row.mean()) * (abs(row.mean()) > local * row.std(ddof=1)) for row in rows]
        found.append([side.count(1), side.count(-1), side.count(0)])
    wins, losses, ties = np.array(found).T
    return labels, wins, losses, ties


def cross_validate_scores(found: Any, name: str, score: str) -> Array:
    """The scores on the splits, from the dictionary that scikit-learn's cross_validate returns."""
    if not isinstance(found, Mapping):
        raise TypeError(f"{name} must be what scikit-learn's cross_validate returns; got {type(found).__name__}")
    if score not in found:
        there = [key for key in map(str, found) if key.startswith("test_")]
        raise ValueError(
            f"{name} has no {score!r}; its scores are {check.format_first_names(there) or 'none'}: write score={(there or ['test_score'])[0]!r}"
        )
    x = check.numbers(found[score], f"{name}[{score!r}]")
    if x.ndim != 1 or not len(x):
        raise ValueError(f"{name}[{score!r}] must be a list of scores, one for each split; got shape {x.shape}")
    return x


def test_fraction(found: tuple[Any, Any], cv: Any, splits: int) -> float | None:
    """The share of the records that a split tests: by the splits themselves, where both results hold them, or by what cut them.

    None where neither tells it.
    """
    check_same_splits(*found)
    if all(one.get("indices") is not None for one in found):
        train, test = (sum(map(len, found[0]["indices"][part])) for part in ("train", "test"))
        return test / (train + test)
    if cv is None:
        return None
    if isinstance(size := getattr(cv, "test_size", None), float):  # random splits
        return size
    folds = getattr(cv, "cvargs", {}).get("n_splits") or getattr(cv, "n_splits", cv)
    if hasattr(cv, "test_size") or isinstance(folds, bool) or not isinstance(folds, (int, np.integer)) or folds < 2:
        return None
    if splits % folds:
        raise ValueError(f"cv must be what cut the splits; got {folds} folds for {splits} splits")
    return 1 / int(folds)
