"""What is missing among scores, and the stated ways to treat it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...core.value_types import Array

MISSING_POLICIES = {
    "refuse": "an error names them",
    "keep": "they stay, named, and tests refuse them",
    "drop data sets": "each data set with a gap is left out",
    "drop classifiers": "each classifier with a gap is left out",
    "worst": "a gap counts as the worst score that any classifier has there",
}
MAX_LISTED_GAPS = 3  # gaps that an error names
Reasons = dict[str, dict[tuple[str, str], str]]  # metric -> (fold, seed) -> why a score is missing there


class MissingScore(NamedTuple):
    """A score that is missing."""

    data_set: str
    classifier: str
    metric: str
    fold: str  # empty where there is one score only, or all folds are missing
    why: str

    @property
    def seed(self) -> str:
        """Of a gap of one seed (:class:`MissingSeedScore`) its name; here none."""
        return ""

    def __str__(self) -> str:
        return f"{_describe_place(self)}: {self.why}"


class MissingSeedScore(NamedTuple):
    """A score that is missing where there are several seeds."""

    data_set: str
    classifier: str
    metric: str
    fold: str
    seed: str
    why: str

    def __str__(self) -> str:
        return f"{_describe_place(self)}, seed {self.seed}: {self.why}"


def _describe_place(gap: MissingScore | MissingSeedScore) -> str:
    return f"{gap.data_set}, {gap.classifier}" + f", {gap.metric}" * bool(gap.metric) + f", fold {gap.fold}" * bool(gap.fold)


def merge_reasons(reasons: Reasons, metrics: int, trainings: int) -> Iterator[tuple[str, str, str, str]]:
    """What one classifier lacks on a data set: metric, fold, seed, why.

    What is missing in all metrics, or for one reason in all trainings (each fold with each seed), is told once, under no name.
    """
    first, *others = reasons.values()
    if len(reasons) == metrics and all(other.keys() == first.keys() for other in others):
        reasons = {"": list(reasons.values())[-1]}
    for metric, on in reasons.items():
        if len(on) == trainings and (trainings == 1 or len(set(on.values())) == 1):
            yield metric, "", "", next(iter(on.values()))
        else:
            yield from ((metric, fold, seed, reason) for (fold, seed), reason in on.items())


def find_missing_scores(results: Any, why: Mapping[Any, str], seen: Mapping[Any, str]) -> tuple[MissingScore | MissingSeedScore, ...]:
    """All that is missing, in few words; reasons and places are known by (data set, classifier, fold, seed, metric)."""
    lost: dict[tuple[str, str, str], Reasons] = {}
    for metric in results.metrics:
        missing = is_missing(results._tables[metric], results.folds, results.seeds)
        for i, j, f, s in np.argwhere(missing).tolist():
            key = results.data_sets[i], results.classifiers[j], results.folds[i][f], results.seeds[i][s], metric
            reason = why.get(key) or (f"missing ({seen[key]})" if key in seen else "there is no line for it")
            lost.setdefault((key[0], key[1], why.get(key, "")), {}).setdefault(metric, {})[key[2:4]] = reason
    trainings = {name: len(folds) * len(seeds) for name, folds, seeds in zip(results.data_sets, results.folds, results.seeds, strict=True)}
    return tuple(
        MissingSeedScore(data_set, classifier, metric, fold, seed, reason)
        if seed
        else MissingScore(data_set, classifier, metric, fold, reason)
        for (data_set, classifier, _), reasons in lost.items()
        for metric, fold, seed, reason in merge_reasons(reasons, len(results.metrics), trainings[data_set])
    )


def format_missing_scores(gaps: Sequence[MissingScore | MissingSeedScore]) -> str:
    """The first few of them, and how many there are more."""
    more = f"; and {len(gaps) - MAX_LISTED_GAPS} more" if len(gaps) > MAX_LISTED_GAPS else ""
    return "; ".join(map(str, gaps[:MAX_LISTED_GAPS])) + more


def missing_scores_message(gaps: Sequence[MissingScore | MissingSeedScore]) -> str:
    """That scores are missing, the first of them, and what to do."""
    crossed = ", on each data set every fold with every seed" if any(gap.seed for gap in gaps) else ""
    ways = " or ".join(repr(key) for key in MISSING_POLICIES if key != "refuse")
    return f"scores must be complete{crossed}; {format_missing_scores(gaps)}: fill in what is missing, or say what to do by missing={ways}"


def check_policy(policy: Any, name: str = "missing") -> str:
    """One of the policies, or an error that tells them all."""
    if not isinstance(policy, str) or policy not in MISSING_POLICIES:
        told = ", ".join(f"{key!r} ({what})" for key, what in MISSING_POLICIES.items())
        raise ValueError(f"{name} must be one of {told}; got {policy!r}")
    return policy


def is_missing(scores: Array, folds: Sequence[Sequence[str]], seeds: Sequence[Sequence[str]]) -> Any:
    """Which of the scores (data sets, classifiers, folds, seeds) are missing, though the data set has that fold and that seed."""
    has_fold = np.arange(scores.shape[2]) < np.array([len(names) for names in folds])[:, None]
    has_seed = np.arange(scores.shape[3]) < np.array([len(names) for names in seeds])[:, None]
    return np.isnan(scores) & has_fold[:, None, :, None] & has_seed[:, None, None, :]


def fill_with_worst(scores: Array, missing: Any, higher_is_better: bool) -> Array:
    """The same, each gap filled with the worst score that any classifier has on that fold with that seed, or where none has, on that
    data set.
    """
    worst = np.fmin.reduce if higher_is_better else np.fmax.reduce  # these pass over gaps
    there, on_set = worst(scores, axis=1, keepdims=True), worst(scores, axis=(1, 2, 3), keepdims=True)
    return np.where(missing, np.where(np.isnan(there), on_set, there), scores)
