"""Training and test splits for the data sets of a benchmark."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any, NamedTuple

import numpy as np

from ..core.validation import class_labels
from ..core.validation.check import format_received_value
from .splits import Split


class PreparedDataSet(NamedTuple):
    """A data set in the form that models take."""

    name: str
    X: Any
    y: Any
    groups: Any


def prepare_data_set(name: str, given: Any) -> PreparedDataSet:
    """Check a data set of the caller; raise an error that names the part that does not fit."""
    try:
        X, y, *more = given
    except (TypeError, ValueError):
        raise TypeError(f"`datasets[{name!r}]` must be (X, y) or (X, y, groups); got {type(given).__name__}") from None
    if len(more) > 1:
        raise TypeError(f"`datasets[{name!r}]` must be (X, y) or (X, y, groups); got a tuple of length {2 + len(more)}")
    X = X.tocsr() if hasattr(X, "tocsr") else X if hasattr(X, "shape") else np.asarray(X)
    groups = class_labels.record_labels(more[0], "groups", "group") if more and more[0] is not None else None
    for what, column in (("y", y), ("groups", groups)):
        if column is not None and len(column) != X.shape[0]:
            raise ValueError(
                f"X and {what} of `datasets[{name!r}]` must have the same length; got the lengths {X.shape[0]} and {len(column)}"
            )
    return PreparedDataSet(name, X, y if hasattr(y, "shape") else np.asarray(y), groups)


def split_data_set(data: PreparedDataSet, cv: Any, rng: int, position: int, regression: bool = False) -> list[Split]:
    """Return all splits of a data set; splits for regressors are never stratified, even if the targets look like classes."""
    pairs = cv.get(data.name) if isinstance(cv, Mapping) else None
    if isinstance(cv, Mapping) and pairs is None:
        raise ValueError(f"`cv` must have splits for each data set; got none for {data.name!r}")
    if pairs is None:
        try:
            pairs = list(_seeded_splitter(data, cv, rng, position, regression).split(np.zeros(data.X.shape[0]), data.y, data.groups))
        except ValueError as error:
            advice = f". Pass datasets={{{data.name!r}: (X, y, groups), ...}}." if data.groups is None and "groups" in str(error) else ""
            raise ValueError(f"cv={cv!r} cannot split the data set {data.name!r} (error: {str(error).rstrip('.')}){advice}") from error
    splits = [
        Split(np.asarray(train), np.asarray(test), (3, position, s), f"split {s + 1} of {len(pairs)} of {data.name}")
        for s, (train, test) in enumerate(pairs)
    ]
    if not splits:
        raise ValueError(f"`cv` must give at least one split; got none for data set {data.name!r}")
    for split in splits:
        if not set(split.train.ravel().tolist()).isdisjoint(split.test.ravel().tolist()):
            raise ValueError(f"the training set and the test set of a split must not share records; got shared records in {split.name}")
    return splits


def _seeded_splitter(data: PreparedDataSet, cv: Any, rng: int, position: int, regression: bool) -> Any:
    """Return a splitter of scikit-learn with a seed, so that each call makes the same splits."""
    seed = int(np.random.SeedSequence(rng, spawn_key=(4, position)).generate_state(1)[0])
    if isinstance(cv, (int, np.integer)) and not isinstance(cv, bool):
        from sklearn.model_selection import GroupKFold, KFold, StratifiedGroupKFold, StratifiedKFold
        from sklearn.utils.multiclass import type_of_target

        if cv < 2:
            raise ValueError(f"`cv` must be a number of folds (at least 2) or a splitter of scikit-learn; got {cv}")
        classes = not regression and type_of_target(data.y) in ("binary", "multiclass")
        if data.groups is not None:
            return StratifiedGroupKFold(int(cv), shuffle=True, random_state=seed) if classes else GroupKFold(int(cv))
        return (StratifiedKFold if classes else KFold)(int(cv), shuffle=True, random_state=seed)
    if isinstance(cv, str) or not callable(getattr(cv, "split", None)):
        raise TypeError(
            "`cv` must be a number of folds, a splitter of scikit-learn, or a mapping of data sets to splits; got "
            f"{format_received_value(cv)}"
        )
    splitter = deepcopy(cv)
    if getattr(splitter, "random_state", seed) is None and getattr(splitter, "shuffle", True):
        splitter.random_state = seed
    return splitter
