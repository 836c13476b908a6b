"""Score differences of two classifiers on cross-validation folds.

They come from Results or from scikit-learn's cross_validate.
"""

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
    """Return the names of two classifiers, and their differences on the folds of each data set, positive if the first is better."""
    if not hasattr(results, "fold_scores"):
        raise TypeError(
            f"`results` must be a fstats.Results; got {type(results).__name__}. For a table of differences, write `{who}(d, ...)`."
        )
    np.asarray(results)  # raises an error that states the position if a score is missing
    names = list(results.classifiers)
    if labels is None and len(names) != 2:
        listed = check.format_first_names(names)
        raise ValueError(
            f"`labels` must name two classifiers, because `results` has {len(names)}: {listed}. Write `{who}.from_results(results, "
            f"labels=[{names[0]!r}, {names[-1]!r}])`."
        )
    chosen = classifier_names(names if labels is None else labels, "labels").tolist()
    a, b = (names.index(tables.known_name(name, names, "labels")) for name in chosen)
    first, second = (a, b) if results.higher_is_better else (b, a)
    pairs = (table[[first, second], : len(folds)] for table, folds in zip(results.fold_scores, results.folds, strict=True))
    rows = [noise_free_difference(*pair[:, ~np.isnan(pair).any(0)]) for pair in pairs]  # with missing="average", some folds have no score
    return chosen, rows, [*map(len, rows)]


def wins_by_folds(results: Any, local: float, who: str) -> tuple[list[str], Array, Array, Array]:
    """Return the classifiers, and for each pair the numbers of data sets with the first better, the second better, and neither better.

    Neither classifier is better if the mean difference is at most ``local`` standard deviations of the differences on the folds.
    """
    labels, counts = list(results.classifiers), []
    for pair in combinations(labels, 2):
        rows = differences_on_folds(results, pair, who)[1]
        if single_fold := [name for name, row in zip(results.data_sets, rows) if len(row) < 2]:
            listed = check.format_first_names(single_fold)
            raise ValueError(f"`local` needs at least two folds of each data set; got one fold of {listed}. Leave out `local=`.")
        side = [np.sign(row.mean()) * (abs(row.mean()) > local * row.std(ddof=1)) for row in rows]
        counts.append([side.count(1), side.count(-1), side.count(0)])
    wins, losses, ties = np.array(counts).T
    return labels, wins, losses, ties


def cross_validate_scores(result: Any, name: str, score: str) -> Array:
    """Return the scores on the splits, from the output of scikit-learn's cross_validate."""
    if not isinstance(result, Mapping):
        raise TypeError(f"`{name}` must be the output of scikit-learn's cross_validate; got {type(result).__name__}")
    if score not in result:
        test_keys = [key for key in map(str, result) if key.startswith("test_")]
        got = check.format_first_names(test_keys) or "no scores"
        raise ValueError(f"`{name}` must hold the key {score!r}; got {got}. Write `score={(test_keys or ['test_score'])[0]!r}`.")
    x = check.numbers(result[score], f"{name}[{score!r}]")
    if x.ndim != 1 or not len(x):
        raise ValueError(f"`{name}[{score!r}]` must be a list of scores, one for each split; got shape {x.shape}")
    return x


def test_fraction(results: tuple[Any, Any], cv: Any, splits: int) -> float | None:
    """Return the share of the records that a split tests, from the split indices in both results, or else from ``cv``.

    The returned share is None if it cannot be determined.
    """
    check_same_splits(*results)
    if all(result.get("indices") is not None for result in results):
        train, test = (sum(map(len, results[0]["indices"][part])) for part in ("train", "test"))
        return test / (train + test)
    if cv is None:
        return None
    if isinstance(size := getattr(cv, "test_size", None), float):  # as in ShuffleSplit, where test_size is the share of test records
        return size
    folds = getattr(cv, "cvargs", {}).get("n_splits") or getattr(cv, "n_splits", cv)
    if hasattr(cv, "test_size") or isinstance(folds, bool) or not isinstance(folds, (int, np.integer)) or folds < 2:
        return None
    if splits % folds:
        raise ValueError(f"`cv` must be the splitter of the {splits} splits, or its number of folds, a divisor of {splits}; got {folds}")
    return 1 / int(folds)
