"""What scikit-learn's ``cross_validate`` and its searches give, as scores: of whom, on which data set, on which split."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NoReturn

import numpy as np

from ...core.number_format import format_plain
from ...core.validation.check import format_received_value
from ...procedures.multiple.many_classifiers import default_labels
from ..model_names import format_setting
from .column_roles import SINGLE, ScoreEntry

TIME_KEYS = {"fit_time", "score_time"}
SEARCH_SCORE_KEY = re.compile(r"split(\d+)_test_(\w+)")
CANDIDATE = "classifier, a candidate of a search"
CANDIDATE_WARNING = (
    "These are candidates of a search, and its winner was chosen on these very scores, which flatter it: to judge the winner, "
    "cross-validate the search itself, cross_validate(search, X, y), or test it on new data."
)
ACCEPTED_FORMS = (
    "{data set: {classifier: cross_validate(...)}}; {classifier: cross_validate(...)} for one data set; lists of these with "
    "data_sets=[...] or classifiers=[...] to say what they are of; or a fitted search, or {data set: search}"
)


def is_cross_validate_result(found: Any) -> bool:
    """Whether it is what cross_validate returns, or a DataFrame of that: scores of test sets, a number for each split."""
    heads = _column_names(found)
    tested = [head for head in heads if head.startswith("test_")]
    if not isinstance(found, Mapping):
        return bool(tested) and {*heads} >= TIME_KEYS and all(head in TIME_KEYS or head.startswith(("test_", "train_")) for head in heads)
    return bool(tested) and all(np.ndim(found[head]) == 1 for head in tested)


def is_search_result(found: Any) -> bool:
    """Whether it is a fitted search, its ``cv_results_``, or a DataFrame of these."""
    heads = _column_names(getattr(found, "cv_results_", found))
    return "params" in heads and any(SEARCH_SCORE_KEY.fullmatch(head) for head in heads)


def has_sklearn_results(scores: Any) -> bool:
    """Whether results of cross_validate, or of searches, are anywhere in it."""
    parts = list(_nested_values(scores))  # of which the ends tell: a long table of numbers is not searched
    return (
        is_cross_validate_result(scores)
        or is_search_result(scores)
        or any(has_sklearn_results(one) for one in (*parts[:1], *parts[1:][-1:]))
    )


def check_sklearn_results(scores: Any) -> Any:
    """The same, if it is from scikit-learn."""
    if not has_sklearn_results(scores):
        raise TypeError(
            f"results of scikit-learn are what cross_validate returns, or a fitted search; got {format_received_value(scores)}: hand in {ACCEPTED_FORMS}"
        )
    return scores


def _column_names(found: Any) -> list[str]:
    """The names of its columns, if it has some."""
    named = found if isinstance(found, Mapping) else getattr(found, "columns", ()) if hasattr(found, "iloc") else ()
    return [head for head in named if isinstance(head, str)]


def _nested_values(scores: Any) -> Iterable[Any]:
    return scores.values() if isinstance(scores, Mapping) else scores if isinstance(scores, (list, tuple)) else ()


def entries_from_sklearn(scores: Any, data_sets: Any, classifiers: Any, metric: str) -> tuple[list[ScoreEntry], dict[str, str]]:
    """The scores one by one, called as the mappings say, and what was taken for what."""
    on = _results_by_data_set(scores, data_sets, classifiers)
    entries: list[ScoreEntry] = []
    roles: dict[str, str] = {}
    for name, of in on.items():
        searched = is_search_result(of)
        known = (
            _candidate_scores(getattr(of, "cv_results_", of), roles)
            if searched
            else {str(key): _test_scores(one, roles) for key, one in of.items()}
        )
        _check_splits(name, known, {} if searched else of)
        for classifier, measured in known.items():
            for head, values in measured.items():
                told = metric if head == "score" else head
                folds = [SINGLE] if len(values) == 1 else [str(k) for k in range(1, len(values) + 1)]
                where = f"{name}, {classifier}, test_{head}"
                entries += (ScoreEntry(name, classifier, k, SINGLE, told, one, f"{where}, split {k or 1}") for k, one in zip(folds, values))
    return entries, roles


def _results_by_data_set(scores: Any, data_sets: Any, classifiers: Any) -> dict[str, Any]:
    """For each data set a search, or what cross_validate gave for each classifier."""
    parts = list(_nested_values(scores))
    if is_search_result(scores) or is_cross_validate_result(scores):
        return {"1": scores if is_search_result(scores) else {"A": scores}}
    if all(map(is_search_result, parts)):
        return _named_results(scores)
    if all(map(is_cross_validate_result, parts)):
        if isinstance(scores, Mapping) or _is_list_of_classifiers(parts, data_sets, classifiers, "a list"):
            return {"1": _lettered_results(scores)}
        return {str(k): {"A": one} for k, one in enumerate(parts, 1)}
    if not all(
        type(part) is type(parts[0]) and [*_nested_values(part)] and all(map(is_cross_validate_result, _nested_values(part)))
        for part in parts
    ):
        _check_unmixed_results(scores)
    many = {len(part) for part in parts} if isinstance(parts[0], (list, tuple)) else set()
    if len(many) > 1:
        raise ValueError(f"lists of results of cross_validate must be of one length; got {' and '.join(map(str, sorted(many)))} of them")
    if many and isinstance(scores, Mapping) and not _is_list_of_classifiers(parts[0], data_sets, classifiers, "each list"):
        return {str(k): {name: part[k] for name, part in scores.items()} for k in range(*many)}
    return {name: _lettered_results(part) for name, part in _named_results(scores).items()}


def _is_list_of_classifiers(parts: Sequence[Any], data_sets: Any, classifiers: Any, what: str) -> bool:
    """Whether a list is of several classifiers on one data set, or of one classifier on several: as the names say that were handed in."""
    rows, names = ([given] if isinstance(given, str) else given for given in (data_sets, classifiers))
    as_many = [given is not None and len(given) == len(parts) for given in (names, rows)]
    if as_many[0] == as_many[1]:
        raise ValueError(
            f"{what} of results of cross_validate must say what they are of; got {len(parts)} of them, and "
            f"{'both names' if all(as_many) else 'no names for them'}: write classifiers=[...] if they are of several classifiers on one "
            "data set, data_sets=[...] if they are of one classifier on several"
        )
    return as_many[0]


def _named_results(scores: Any) -> dict[str, Any]:
    return {str(name): part for name, part in (scores.items() if isinstance(scores, Mapping) else enumerate(scores, 1))}


def _lettered_results(part: Any) -> Mapping[Any, Any]:
    return part if isinstance(part, Mapping) else dict(zip(default_labels(len(part)).tolist(), part))


def _check_unmixed_results(scores: Any) -> NoReturn:
    """A search among classifiers, or a mixture."""
    if any(is_search_result(one) for part in _nested_values(scores) for one in _nested_values(part)) or any(
        map(is_search_result, _nested_values(scores))
    ):
        raise TypeError(
            "a classifier must bring scores of splits; got a search, whose best score was chosen among many on these splits and is too "
            "good: cross-validate the search itself, cross_validate(search, X, y), and hand in what that gives"
        )
    raise TypeError(f"results of scikit-learn must all be of one form; got {format_received_value(scores)}: hand in {ACCEPTED_FORMS}")


def _test_scores(found: Any, roles: dict[str, str]) -> dict[str, list[float]]:
    """The scores of each metric on the splits."""
    heads = [head for head in _column_names(found) if head.startswith("test_")]
    roles.update(dict.fromkeys(heads, "scores of the splits, each a fold"))
    return {head.removeprefix("test_"): _score_array(found[head], head) for head in heads}


def _candidate_scores(found: Any, roles: dict[str, str]) -> dict[str, dict[str, list[float]]]:
    """The same of each candidate of a search, called by what sets it apart from the others."""
    if "n_resources" in found:
        raise ValueError(
            "the candidates of a search must be scored on the same records; got a search by halving, whose later rounds have more: compare "
            "those of one round by cross_validate"
        )
    splits = sorted((int(match[1]), match[2], head) for head in _column_names(found) if (match := SEARCH_SCORE_KEY.fullmatch(head)))
    roles |= {"params": CANDIDATE} | {head: "scores of one fold" for _, _, head in splits}
    columns = {(metric, split): _score_array(found[head], head) for split, metric, head in splits}
    metrics = dict.fromkeys(metric for _, metric, _ in splits)
    return {
        name: {metric: [column[k] for (of, _), column in columns.items() if of == metric] for metric in metrics}
        for k, name in enumerate(_candidate_names(list(found["params"])))
    }


def _candidate_names(candidates: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """What candidates are called: by the settings that differ among them; who is there twice is numbered."""
    settings = [{key: _format_setting(value) for key, value in one.items()} for one in candidates]
    every = dict.fromkeys(key for one in settings for key in one)
    apart = [key for key in every if len({one.get(key, "") for one in settings}) > 1] or list(every)
    seen: Counter[str] = Counter()
    for one in settings:
        name = ", ".join(f"{key}={one[key]}" for key in apart if key in one)
        seen[name] += 1
        yield f"{name} ({seen[name]})" if seen[name] > 1 else name


def _format_setting(value: Any) -> str:
    value = value.item() if isinstance(value, np.generic) else value
    if isinstance(value, str):
        return value
    return format_plain(value) if isinstance(value, float) else format_setting(value) or format_received_value(value)


def _score_array(values: Any, head: str) -> list[float]:
    try:
        found = np.asarray(values, float)
    except (TypeError, ValueError):
        found = np.empty(0)
    if found.ndim != 1 or not found.size or np.isinf(found).any():
        raise ValueError(f"{head} must hold a finite number for each split (nan where a fit failed); got {format_received_value(values)}")
    return found.tolist()


def _check_splits(data_set: str, known: Mapping[str, Mapping[str, list[float]]], found: Mapping[Any, Any]) -> None:
    """All classifiers were scored on the same splits of a data set, as far as their numbers and kept indices tell."""
    (first, of_first), *others = ((name, {len(values) for values in measured.values()}) for name, measured in known.items())
    for name, many in others:
        if many != of_first:
            got = " and ".join(map(str, (*sorted(of_first), *sorted(many))))
            raise ValueError(
                f"on {data_set} all classifiers must be scored on the same splits; got {got} of them for {first} and {name}: hand the same "
                "cv, with a random_state, to each cross_validate"
            )
    kept = {str(name): one["indices"]["test"] for name, one in found.items() if "indices" in one}
    for name, tests in kept.items():
        if any(not np.array_equal(one, other) for one, other in zip(tests, next(iter(kept.values())))):
            raise ValueError(
                f"on {data_set} all classifiers must be scored on the same splits; got other test sets for {next(iter(kept))} than for "
                f"{name}: hand the same cv, with a random_state, to each cross_validate"
            )
