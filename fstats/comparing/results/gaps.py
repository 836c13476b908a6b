"""What is missing among scores, and the stated ways to treat it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...core.value import Array

POLICIES = {
    "refuse": "an error names them",
    "keep": "they stay, named, and tests refuse them",
    "drop data sets": "each data set with a gap is left out",
    "drop classifiers": "each classifier with a gap is left out",
    "worst": "a gap counts as the worst score that any classifier has there",
}
LISTED = 3  # gaps that an error names
Reasons = dict[str, dict[str, str]]  # metric -> fold -> why a score is missing there


class Gap(NamedTuple):
    """A score that is missing."""

    data_set: str
    classifier: str
    metric: str
    fold: str  # empty where there is one score only, or all folds are missing
    why: str

    def __str__(self) -> str:
        where = f"{self.data_set}, {self.classifier}" + f", {self.metric}" * bool(self.metric) + f", fold {self.fold}" * bool(self.fold)
        return f"{where}: {self.why}"


def told_once(reasons: Reasons, metrics: int, folds: int) -> Iterator[tuple[str, str, str]]:
    """What one classifier lacks on a data set; what is missing in all metrics, or for one reason on all folds, once, under no name."""
    first, *others = reasons.values()
    if len(reasons) == metrics and all(other.keys() == first.keys() for other in others):
        reasons = {"": list(reasons.values())[-1]}
    for metric, on in reasons.items():
        if len(on) == folds and (folds == 1 or len(set(on.values())) == 1):
            yield metric, "", next(iter(on.values()))
        else:
            yield from ((metric, fold, reason) for fold, reason in on.items())


def listed(gaps: Sequence[Gap]) -> str:
    """The first few of them, and how many there are more."""
    more = f"; and {len(gaps) - LISTED} more" if len(gaps) > LISTED else ""
    return "; ".join(map(str, gaps[:LISTED])) + more


def check_policy(policy: Any, name: str = "missing") -> str:
    """One of the policies, or an error that tells them all."""
    if not isinstance(policy, str) or policy not in POLICIES:
        told = ", ".join(f"{key!r} ({what})" for key, what in POLICIES.items())
        raise ValueError(f"{name} must be one of {told}; got {policy!r}")
    return policy


def is_missing(folds: Array, cut: Sequence[int]) -> Any:
    """Which of the scores (data sets, classifiers, folds) are missing, though the data set has that fold."""
    there = np.arange(folds.shape[2]) < np.asarray(cut)[:, None]
    return np.isnan(folds) & there[:, None, :]


def worst_in_gaps(folds: Array, cut: Sequence[int], higher_is_better: bool) -> Array:
    """The same, each gap filled with the worst score that any classifier has on that fold, or where none has, on that data set."""
    worst = np.fmin.reduce if higher_is_better else np.fmax.reduce  # these pass over gaps
    on_fold, on_set = worst(folds, axis=1, keepdims=True), worst(folds, axis=(1, 2), keepdims=True)
    return np.where(is_missing(folds, cut), np.where(np.isnan(on_fold), on_set, on_fold), folds)
