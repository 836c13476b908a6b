"""Read scores from scikit-learn's ``cross_validate`` and parameter searches."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NoReturn

import numpy as np

from ...core.number_format import format_plain
from ...core.validation.check import format_received_value
from ...procedures.multiple.many_classifiers import default_labels
from ..model_names import format_setting
from .reading_plan import ARGUMENT_VALUES, SINGLE, ScoreEntry, grouped
from .tabular_data import TabularData

TIME_KEYS = {"fit_time", "score_time"}
SEARCH_SCORE_KEY = re.compile(r"split(\d+)_test_(\w+)")
CANDIDATE = "classifier, a candidate of a search"
CANDIDATE_WARNING, ACCEPTED_FORMS = (ARGUMENT_VALUES["texts"][name] for name in ("candidates", "accepted_forms"))


def is_cross_validate_result(value: Any) -> bool:
    """Return whether a value is a result of cross_validate, or such a result as a DataFrame: test scores, a number for each split."""
    heads = _column_names(value)
    tested = [head for head in heads if head.startswith("test_")]
    if not isinstance(value, Mapping):
        return bool(tested) and {*heads} >= TIME_KEYS and all(head in TIME_KEYS or head.startswith(("test_", "train_")) for head in heads)
    return bool(tested) and all(np.ndim(value[head]) == 1 for head in tested)


def is_search_result(value: Any) -> bool:
    """Return whether a value is a fitted search, its ``cv_results_``, or these results as a DataFrame."""
    heads = _column_names(getattr(value, "cv_results_", value))
    return "params" in heads and any(SEARCH_SCORE_KEY.fullmatch(head) for head in heads)


def candidate_lines(sheet: TabularData) -> TabularData:
    """Return a file of ``cv_results_`` as a long table: a line for each candidate and split; other tables are returned unchanged."""
    places = {(match[1], match[2]): head for head in sheet.heads if (match := SEARCH_SCORE_KEY.fullmatch(head))}
    if "params" not in sheet.heads or not places:
        return sheet
    folds, metrics = ([*dict.fromkeys(parts)] for parts in zip(*places, strict=True))
    names = [re.sub(r"[{}'\"]", "", str(cell)).replace(": ", "=") for cell in sheet["params"]]
    lines = [(row, fold) for row in range(len(names)) for fold in folds]
    scores = [[sheet[places[fold, metric]][row] if (fold, metric) in places else "" for row, fold in lines] for metric in metrics]
    columns = [[names[row] for row, _ in lines], [fold for _, fold in lines], *scores]
    numbers = [sheet.numbers[row] for row, _ in lines]
    return replace(sheet, heads=["classifier", "fold", *metrics], columns=columns, numbers=numbers, notes=(*sheet.notes, CANDIDATE_WARNING))


def has_sklearn_results(scores: Any) -> bool:
    """Return whether a value contains results of cross_validate or of searches."""
    # only the first part and the last part are checked, because a check of all parts of a long table would be slow
    parts = list(_nested_values(scores))
    return (
        is_cross_validate_result(scores)
        or is_search_result(scores)
        or any(has_sklearn_results(part) for part in (*parts[:1], *parts[1:][-1:]))
    )


def check_sklearn_results(scores: Any) -> Any:
    """Return results of scikit-learn; raise an error for any other value."""
    if not has_sklearn_results(scores):
        raise TypeError(
            f"results of scikit-learn must be results of cross_validate, or a fitted search; got {format_received_value(scores)}. Pass "
            f"{ACCEPTED_FORMS}."
        )
    return scores


def _column_names(value: Any) -> list[str]:
    """Return the names of the columns of a mapping or a DataFrame; return an empty list for any other value."""
    named = value if isinstance(value, Mapping) else getattr(value, "columns", ()) if hasattr(value, "iloc") else ()
    return [head for head in named if isinstance(head, str)]


def _nested_values(scores: Any) -> Iterable[Any]:
    return scores.values() if isinstance(scores, Mapping) else scores if isinstance(scores, (list, tuple)) else ()


def entries_from_sklearn(scores: Any, data_sets: Any, classifiers: Any, metric: str) -> tuple[list[ScoreEntry], dict[str, str]]:
    """Return the scores as entries, with the names in the mappings, and the role of each column."""
    entries: list[ScoreEntry] = []
    roles: dict[str, str] = {}
    for name, results in _results_by_data_set(scores, data_sets, classifiers).items():
        searched = is_search_result(results)
        by_classifier = (
            _candidate_scores(getattr(results, "cv_results_", results), roles)
            if searched
            else {str(key): _test_scores(result, roles) for key, result in results.items()}
        )
        _check_splits(name, by_classifier, {} if searched else results)
        for classifier, measured in by_classifier.items():
            for head, values in measured.items():
                of_metric = metric if head == "score" else head
                folds = [SINGLE] if len(values) == 1 else [str(k) for k in range(1, len(values) + 1)]
                place = f"{name}, {classifier}, test_{head}"
                entries += (
                    ScoreEntry(name, classifier, k, SINGLE, of_metric, value, f"{place}, split {k or 1}") for k, value in zip(folds, values)
                )
    return entries, roles


def _results_by_data_set(scores: Any, data_sets: Any, classifiers: Any) -> dict[str, Any]:
    """Return a mapping of each data set to a search, or to a mapping of classifiers to results of cross_validate."""
    parts = list(_nested_values(scores))
    if is_search_result(scores) or is_cross_validate_result(scores):
        return {"1": scores if is_search_result(scores) else {"A": scores}}
    if all(map(is_search_result, parts)):
        return _named_results(scores)
    if all(map(is_cross_validate_result, parts)):
        if isinstance(scores, Mapping) or _is_list_of_classifiers(parts, data_sets, classifiers, "a list"):
            return {"1": _lettered_results(scores)}
        return {str(k): {"A": part} for k, part in enumerate(parts, 1)}
    if not all(
        type(part) is type(parts[0]) and [*_nested_values(part)] and all(map(is_cross_validate_result, _nested_values(part)))
        for part in parts
    ):
        _check_unmixed_results(scores)
    sizes = {len(part) for part in parts} if isinstance(parts[0], (list, tuple)) else set()
    if len(sizes) > 1:
        raise ValueError(f"lists of results of cross_validate must be equally long; got lengths {' and '.join(map(str, sorted(sizes)))}")
    if sizes and isinstance(scores, Mapping) and not _is_list_of_classifiers(parts[0], data_sets, classifiers, "each list"):
        return {str(k): {name: part[k] for name, part in scores.items()} for k in range(*sizes)}
    return {name: _lettered_results(part) for name, part in _named_results(scores).items()}


def _is_list_of_classifiers(parts: Sequence[Any], data_sets: Any, classifiers: Any, what: str) -> bool:
    """Return whether the given names are names of classifiers on one data set, and not names of data sets of one classifier."""
    rows, names = ([given] if isinstance(given, str) else given for given in (data_sets, classifiers))
    as_many = [given is not None and len(given) == len(parts) for given in (names, rows)]
    if as_many[0] == as_many[1]:
        raise ValueError(
            f"{what} of cross_validate results must have names, of the classifiers or of the data sets; got {len(parts)} results and "
            f"{'names of both' if all(as_many) else 'not as many names'}. Write classifiers=[...] for one data set, or data_sets=[...] "
            "for one classifier."
        )
    return as_many[0]


def _named_results(scores: Any) -> dict[str, Any]:
    return {str(name): part for name, part in (scores.items() if isinstance(scores, Mapping) else enumerate(scores, 1))}


def _lettered_results(part: Any) -> Mapping[Any, Any]:
    return part if isinstance(part, Mapping) else dict(zip(default_labels(len(part)).tolist(), part))


def _check_unmixed_results(scores: Any) -> NoReturn:
    """Raise an error if searches stand beside classifiers in one table, or if results have different forms."""
    parts = [*_nested_values(scores)]
    if any(map(is_search_result, [*parts, *(value for part in parts for value in _nested_values(part))])):
        raise TypeError(
            "a classifier must have scores from cross_validate; got a fitted search, whose best score is too high. Write "
            "`cross_validate(search, X, y)`."
        )
    raise TypeError(f"results of scikit-learn must all have the same form; got {format_received_value(scores)}. Pass {ACCEPTED_FORMS}.")


def _test_scores(result: Any, roles: dict[str, str]) -> dict[str, list[float]]:
    """Return the scores of each metric on the splits."""
    heads = [head for head in _column_names(result) if head.startswith("test_")]
    roles.update(dict.fromkeys(heads, "scores of the splits, each a fold"))
    return {head.removeprefix("test_"): _score_array(result[head], head) for head in heads}


def _candidate_scores(results: Any, roles: dict[str, str]) -> dict[str, dict[str, list[float]]]:
    """Return the scores of each metric on the splits for each candidate of a search; its name lists the settings that differ."""
    if "n_resources" in results:
        raise ValueError(
            "the candidates of a search must be scored on the same records; got a search by halving. Compare the candidates of one round "
            "with cross_validate."
        )
    splits = sorted((int(match[1]), match[2], head) for head in _column_names(results) if (match := SEARCH_SCORE_KEY.fullmatch(head)))
    roles |= {"params": CANDIDATE} | {head: "scores of one fold" for _, _, head in splits}
    columns = grouped((metric, _score_array(results[head], head)) for _, metric, head in splits)
    candidates = enumerate(_candidate_names(list(results["params"])))
    return {name: {metric: [split[k] for split in parts] for metric, parts in columns.items()} for k, name in candidates}


def _candidate_names(candidates: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the names of candidates: the settings that differ; equal names get a number."""
    settings = [{key: _format_setting(value) for key, value in candidate.items()} for candidate in candidates]
    every = dict.fromkeys(key for candidate in settings for key in candidate)
    different = [key for key in every if len({candidate.get(key, "") for candidate in settings}) > 1] or list(every)
    counts: Counter[str] = Counter()
    for candidate in settings:
        name = ", ".join(f"{key}={candidate[key]}" for key in different if key in candidate)
        counts[name] += 1
        yield f"{name} ({counts[name]})" if counts[name] > 1 else name


def _format_setting(value: Any) -> str:
    value = value.item() if isinstance(value, np.generic) else value
    if isinstance(value, str):
        return value
    return format_plain(value) if isinstance(value, float) else format_setting(value) or format_received_value(value)


def _score_array(values: Any, head: str) -> list[float]:
    try:
        array = np.asarray(values, float)
    except (TypeError, ValueError):
        array = np.empty(0)
    if array.ndim != 1 or not array.size or np.isinf(array).any():
        raise ValueError(f"{head} must hold a finite number for each split (nan if a fit failed); got {format_received_value(values)}")
    return array.tolist()


def _check_splits(data_set: str, scores: Mapping[str, Mapping[str, list[float]]], results: Mapping[Any, Any]) -> None:
    """Check that all classifiers were scored on the same splits of a data set: the numbers, and the stored indices, must be equal."""
    sizes = {name: sorted({len(values) for values in measured.values()}) for name, measured in scores.items()}
    first, least = next(iter(sizes.items()))
    unlike = [f"{' and '.join(map(str, [*least, *n]))} splits for {first} and {name}" for name, n in sizes.items() if n != least]
    indices = {str(name): result["indices"]["test"] for name, result in results.items() if "indices" in result}
    for name, tests in indices.items():
        if any(not np.array_equal(test, other) for test, other in zip(tests, next(iter(indices.values())))):
            unlike.append(f"different test sets for {next(iter(indices))} and {name}")
    if unlike:
        raise ValueError(
            f"all classifiers must be scored on the same splits of {data_set}; got {unlike[0]}. Pass the same `cv` with a random_state "
            "to each cross_validate."
        )
