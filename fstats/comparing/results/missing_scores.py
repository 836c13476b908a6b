"""Treatment of missing scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np

from ...core.value_types import Array
from .reading_plan import ARGUMENT_VALUES, MAX_LISTED
from .reading_question import ReadingQuestion

REMEDIES = [policy for policy in ARGUMENT_VALUES["policies"]["missing"] if policy not in ("refuse", "keep")]
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
        pairs = (("data set", self.data_set), ("classifier", self.classifier))
        named = [f"{what} {name}" if name.isdigit() else name for what, name in pairs]
        parts = [self.metric] * bool(self.metric) + [fold_in_words(self.fold)] * bool(self.fold) + [f"seed {self.seed}"] * bool(self.seed)
        return f"{', '.join([*named, *parts])}: {self.why}"


def fold_in_words(fold: str) -> str:
    """Return the name of a fold with words for its parts.

    >>> fold_in_words("9, 3"), fold_in_words("3")
    ('repetition 9, fold 3', 'fold 3')
    """
    repetition, _, number = fold.rpartition(", ")
    return f"{f'repetition {repetition}, ' * bool(repetition)}fold {number}"


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
    is_same = all(np.array_equal(first, other) for other in others)  # a failed run lacks the scores of all metrics, and is counted once
    count, where = int(sum(map(np.sum, [first] if is_same else missing.values()))), list(dict.fromkeys(gap.data_set for gap in gaps))
    place = ", ".join(where) if len(where) <= MAX_LISTED else f"{len(where)} data sets"
    counted = f"{count} missing score{'s' * (count > 1)}{f' of {len(missing)} metrics' * (not is_same)} ({place})"
    table, paper = ARGUMENT_VALUES["filled"][policy]
    return f"{table}: {format_missing_scores(gaps)}.", f"{paper} {counted}."


def missing_scores_message(gaps: Sequence[MissingScore], policies: Sequence[Any], seed: str = "") -> str:
    """Return an error message with the first missing scores and the remedies: the policies that work for these gaps.

    The scores of a column `seed` may also be independent runs, whose numbers may differ.
    """
    crossed = ", on each data set every fold with every seed" if any(gap.seed for gap in gaps) else ""
    remedies = f", or choose a policy by missing={' or '.join(map(repr, policies))}" * bool(policies)
    unpaired = f", or write seed={seed!r}, missing='keep' if nothing pairs the runs" * bool(seed)
    if seed:  # `seed` is given only for one data set, so name the classifier and the run
        gaps = [gap._replace(data_set=gap.classifier, classifier=f"{seed} {gap.fold or gap.seed}", fold="", seed="") for gap in gaps]
    return f"scores must be complete{crossed}; {format_missing_scores(gaps)}: fill in gaps{unpaired}{remedies}"


def check_policy(policy: Any, name: str = "missing") -> str:
    """Return the policy if it is known, or raise an error that lists all policies."""
    if policy in (TWICE_WORST, ["worst", "worst"], ("worst", "worst")):
        return TWICE_WORST
    check_value("missing", policy, name)
    return str(policy)


def check_value(argument: str, value: Any, name: str) -> None:
    """Raise an error that lists all values of an argument, if a value is not one of them."""
    policies = ARGUMENT_VALUES["policies"][argument]
    if not isinstance(value, str) or value not in policies:
        raise ValueError(f"`{name}` must be one of {', '.join(map(repr, policies))}; got {value!r}")


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
            f"missing='worst' would replace {missing.sum()} of {total} scores, more than a tenth. Check `results.reading`, or write "
            "missing=('worst', 'worst') to replace all missing scores"
        )


def working_policies(results: Any, policies: Sequence[Any] = REMEDIES) -> list[Any]:
    """Return the policies that remove the gaps of results; the others would end in an error."""
    found: list[Any] = []
    for policy in (*policies, ("worst", "worst")):
        if policy in policies or not found:  # offer to replace more than a tenth only if nothing else is possible
            with suppress(ValueError):
                results.without_gaps(policy)
                found.append(policy)
    return found


def change_folds(results: Any, policy: str, missing: Mapping[str, Any]) -> tuple[dict[str, Array], dict[str, Any]]:
    """Return the scores after the policy "average" or "drop folds", and the names of the folds and of the seeds."""
    is_single = len(results.data_sets) == 1
    if policy == "average" and is_single:
        others = working_policies(results, REMEDIES[1:])
        raise ReadingQuestion(
            "`missing` must not be 'average' for a single data set, because it would invent the score of a fold or seed; "
            f"{missing_scores_message(results.gaps, others)}"
        )
    tables, folds, seeds = results._tables, results.folds, results.seeds
    if policy != "average":
        tables, folds, seeds = _drop_folds(tables, missing, folds, seeds)
    pairs = [(gap, results.data_sets.index(gap.data_set), results.classifiers.index(gap.classifier)) for gap in results.gaps]
    empty = [gap for gap, i, j in pairs if any(np.isnan(table[i, j]).all() for table in tables.values())]
    if empty or (is_single and len(folds[0]) == len(seeds[0]) == 1):
        need = "several folds or seeds without a gap" if is_single else "a score of each classifier on each data set"
        others = working_policies(results, REMEDIES[2:])  # policies that do not need other folds
        raise ReadingQuestion(f"missing={policy!r} needs {need}; {missing_scores_message(empty or results.gaps, others)}")
    return tables, {"folds": tuple(folds), "seeds": tuple(seeds)}


def _drop_folds(
    tables: Mapping[str, Array], missing: Mapping[str, Any], folds: Sequence[Sequence[str]], seeds: Sequence[Sequence[str]]
) -> tuple[dict[str, Array], list[tuple[str, ...]], list[tuple[str, ...]]]:
    """Return the tables without folds that have a gap (without seeds, if there is one fold), and the names of the other folds and seeds."""
    changed = {metric: np.full_like(table, np.nan) for metric, table in tables.items()}
    names = [tuple(map(tuple, folds)), tuple(map(tuple, seeds))]
    kept: list[list[tuple[str, ...]]] = [[*names[0]], [*names[1]]]
    for i, (fold_names, seed_names) in enumerate(zip(*names, strict=True)):
        axis = 0 if len(fold_names) > 1 else 1
        gaps = np.any([absent[i].any(axis=0) for absent in missing.values()], axis=0).any(axis=1 - axis)
        places = [k for k in range(len(names[axis][i])) if not gaps[k]]
        kept[axis][i] = tuple(names[axis][i][k] for k in places)
        shape = len(places) if axis == 0 else len(fold_names), len(places) if axis else len(seed_names)
        for metric, table in tables.items():
            changed[metric][i, :, : shape[0], : shape[1]] = table[i].take(places, axis + 1)[:, : shape[0], : shape[1]]
    sizes = max(map(len, kept[0])), max(map(len, kept[1]))
    return {metric: table[:, :, : sizes[0], : sizes[1]] for metric, table in changed.items()}, kept[0], kept[1]


def mean_of_known(scores: Array, axis: int | tuple[int, ...]) -> Array:
    """Return the means of the scores that are not missing; nan where all are missing."""
    counts = (~np.isnan(scores)).sum(axis)
    return np.asarray(np.nansum(scores, axis) / np.where(counts, counts, np.nan))


def fill_with_worst(scores: Array, missing: Any, higher_is_better: bool) -> Array:
    """Replace missing scores by the worst score of any classifier on that fold with that seed, or else on that data set."""
    worst = np.fmin.reduce if higher_is_better else np.fmax.reduce  # np.fmin ignores nan, but np.minimum does not
    on_fold, on_set = worst(scores, axis=1, keepdims=True), worst(scores, axis=(1, 2, 3), keepdims=True)
    return np.where(missing, np.where(np.isnan(on_fold), on_set, on_fold), scores)
