"""Treatment of missing scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...core.value_types import Array
from .reading_plan import MAX_LISTED
from .reading_question import ReadingQuestion

MISSING_POLICIES = {
    "refuse": "raise an error that names the missing scores",
    "keep": "keep missing scores as named gaps, which tests refuse",
    "average": "average the folds and seeds that have scores",
    "drop data sets": "leave out each data set with a gap",
    "drop classifiers": "leave out each classifier with a gap",
    "worst": "replace a gap by the worst score of any classifier there",
}
TWICE_WORST = "worst, worst"  # value of the argument `missing` that allows replacing more scores than MAX_INVENTED
MAX_INVENTED = 0.1  # maximum proportion of scores that missing="worst" replaces
MAX_LISTED_GAPS = 3  # maximum number of missing scores that an error message lists
Reasons = dict[str, dict[tuple[str, str], str]]  # maps a metric, and then (fold, seed), to the reason why the score is missing


class MissingScore(NamedTuple):
    """A missing score."""

    data_set: str
    classifier: str
    metric: str
    fold: str  # name of the fold; empty if there is only one fold, or if all folds are missing
    seed: str  # name of the seed; empty if there is only one seed, or if all seeds are missing
    why: str

    def __str__(self) -> str:
        parts = [self.metric] * bool(self.metric) + [f"fold {self.fold}"] * bool(self.fold) + [f"seed {self.seed}"] * bool(self.seed)
        return f"{', '.join([self.data_set, self.classifier, *parts])}: {self.why}"


def merge_reasons(reasons: Reasons, metrics: int, trainings: int) -> Iterator[tuple[str, str, str, str]]:
    """Yield metric, fold, seed and reason of each missing score of one classifier on a data set.

    A score that is missing in all metrics is yielded once, with an empty metric.  Scores that are missing for one reason in all trainings
    (each fold with each seed) are yielded once, with empty fold and seed.
    """
    first, *others = reasons.values()
    if len(reasons) == metrics and all(other.keys() == first.keys() for other in others):
        reasons = {"": list(reasons.values())[-1]}
    for metric, missing in reasons.items():
        if len(missing) == trainings and (trainings == 1 or len(set(missing.values())) == 1):
            yield metric, "", "", next(iter(missing.values()))
        else:
            yield from ((metric, fold, seed, reason) for (fold, seed), reason in missing.items())


def find_missing_scores(results: Any, why: Mapping[Any, str], places: Mapping[Any, str]) -> tuple[MissingScore, ...]:
    """Return all missing scores, merged; keys of reasons and places are (data set, classifier, fold, seed, metric)."""
    grouped: dict[tuple[str, str, str], Reasons] = {}
    for metric in results.metrics:
        missing = is_missing(results._tables[metric], results.folds, results.seeds)
        for i, j, f, s in np.argwhere(missing).tolist():
            key = results.data_sets[i], results.classifiers[j], results.folds[i][f], results.seeds[i][s], metric
            reason = why.get(key) or (f"missing ({places[key]})" if key in places else "there is no line for this score")
            grouped.setdefault((key[0], key[1], why.get(key, "")), {}).setdefault(metric, {})[key[2:4]] = reason
    trainings = {name: len(folds) * len(seeds) for name, folds, seeds in zip(results.data_sets, results.folds, results.seeds, strict=True)}
    return tuple(
        MissingScore(data_set, classifier, metric, fold, seed, reason)
        for (data_set, classifier, _), reasons in grouped.items()
        for metric, fold, seed, reason in merge_reasons(reasons, len(results.metrics), trainings[data_set])
    )


def format_missing_scores(gaps: Sequence[MissingScore]) -> str:
    """List the first few missing scores, and the number of further missing scores."""
    more = f"; and {len(gaps) - MAX_LISTED_GAPS} more" if len(gaps) > MAX_LISTED_GAPS else ""
    return "; ".join(map(str, gaps[:MAX_LISTED_GAPS])) + more


def filling_sentences(policy: str, gaps: Sequence[MissingScore], missing: Mapping[str, Any]) -> tuple[str, str]:
    """Return the sentences of a table and of a paper on missing scores that were averaged over, or that were replaced by the worst."""
    first, *others = missing.values()
    is_same = all(np.array_equal(first, other) for other in others)  # a run that failed has no score in any metric, and counts once
    count, where = int(sum(map(np.sum, [first] if is_same else missing.values()))), list(dict.fromkeys(gap.data_set for gap in gaps))
    place = ", ".join(where) if len(where) <= MAX_LISTED else f"{len(where)} data sets"
    counted = f"{count} missing score{'s' * (count > 1)}{f' of {len(missing)} metrics' * (not is_same)} ({place})"
    table, paper = {
        "average": (
            "Averaged over the folds and seeds that have scores",
            "The means are over the folds and seeds that have scores, without",
        ),
        "worst": ("Counted as the worst score there", "The worst score of any classifier there stands for"),
    }[policy]
    return f"{table}: {format_missing_scores(gaps)}.", f"{paper} {counted}."


def missing_scores_message(gaps: Sequence[MissingScore]) -> str:
    """Return an error message with the first missing scores and the remedy."""
    crossed = ", on each data set every fold with every seed" if any(gap.seed for gap in gaps) else ""
    policies = " or ".join(repr(key) for key in MISSING_POLICIES if key != "refuse")
    return f"scores must be complete{crossed}; {format_missing_scores(gaps)}: fill in gaps, or choose a policy by missing={policies}"


def check_policy(policy: Any, name: str = "missing") -> str:
    """Return the policy if it is known, or raise an error that lists all policies."""
    if policy in (TWICE_WORST, ["worst", "worst"], ("worst", "worst")):
        return TWICE_WORST
    if not isinstance(policy, str) or policy not in MISSING_POLICIES:
        policies = ", ".join(f"{key!r} ({meaning})" for key, meaning in MISSING_POLICIES.items())
        raise ValueError(f"{name} must be one of {policies}; got {policy!r}")
    return policy


def is_missing(scores: Array, folds: Sequence[Sequence[str]], seeds: Sequence[Sequence[str]]) -> Any:
    """Return which scores (data sets, classifiers, folds, seeds) are missing although the data set has that fold and that seed."""
    has_fold = np.arange(scores.shape[2]) < np.array([len(names) for names in folds])[:, None]
    has_seed = np.arange(scores.shape[3]) < np.array([len(names) for names in seeds])[:, None]
    return np.isnan(scores) & has_fold[:, None, :, None] & has_seed[:, None, None, :]


def check_invented_share(missing: Any, folds: Sequence[Sequence[str]], seeds: Sequence[Sequence[str]], policy: str) -> None:
    """Raise ValueError if the policy "worst" would replace more than a tenth of all scores; the policy "worst, worst" may replace more."""
    total = missing.shape[1] * sum(len(names) * len(numbers) for names, numbers in zip(folds, seeds, strict=True))
    if policy == "worst" and missing.sum() > MAX_INVENTED * total:
        raise ReadingQuestion(
            f"missing='worst' would replace {missing.sum()} of {total} scores, more than a tenth. Check how the table was read "
            "(results.reading), or write missing='average'. Write missing=('worst', 'worst') to replace all missing scores"
        )


def fill_with_mean(scores: Array, missing: Any) -> Array:
    """Replace missing scores by the mean of the scores of that classifier on the other folds and seeds of the data set."""
    counts = (~np.isnan(scores)).sum((2, 3), keepdims=True)
    means = np.nansum(scores, (2, 3), keepdims=True) / np.where(counts, counts, np.nan)
    return np.where(missing, means, scores)


def fill_with_worst(scores: Array, missing: Any, higher_is_better: bool) -> Array:
    """Replace missing scores by the worst score of any classifier on that fold with that seed, or else on that data set."""
    worst = np.fmin.reduce if higher_is_better else np.fmax.reduce  # np.fmin ignores nan, but np.minimum does not
    on_fold, on_set = worst(scores, axis=1, keepdims=True), worst(scores, axis=(1, 2, 3), keepdims=True)
    return np.where(missing, np.where(np.isnan(on_fold), on_set, on_fold), scores)
