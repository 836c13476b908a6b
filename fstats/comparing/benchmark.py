"""Benchmark of many scikit-learn pipelines on many data sets.

Each pipeline is scored on every split in every metric.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from ..core.metric_direction import is_loss_metric
from ..core.validation.check import format_received_value
from ..core.validation.keyword_arguments import with_suggestions
from ..runtime.checkpoint_file import versions_in
from ..runtime.library_versions import versions
from ..runtime.parallel_tasks import worker_backend
from .benchmark_splits import PreparedDataSet, prepare_data_set, split_data_set
from .datasets import DataSet, from_csv, load
from .model_comparison import resolve_seed
from .model_evaluation import Model, check_model, is_regressor
from .model_names import model_name
from .multimetric_scoring import Scorers, resolve_metrics, score_pipeline
from .results.reading_plan import SINGLE, ScoreEntry
from .results.results import Results
from .splits import Split
from .training_jobs import StorePath, full_repr, run_trainings


@with_suggestions
def benchmark(
    models: Any,
    datasets: Any,
    *,
    scoring: Any = "accuracy",
    cv: Any = 10,
    rng: Any = 0,
    jobs: int = 1,
    backend: str = "loky",
    scheduler: str | None = None,
    store: StorePath = None,
    data_dir: str | os.PathLike[str] | None = None,
    progress: bool = True,
) -> Results:
    """Train and score k pipelines on the same splits of each of N data sets.

    Parameters
    ----------
    models : mapping of names to estimators, or list of estimators
        Any estimators or pipelines with ``fit`` and ``predict`` as in scikit-learn.  The models are copied, never changed.  Models of a
        list are named by their classes.
    datasets : mapping of names to (X, y) or (X, y, groups), or list
        A list holds names for :func:`fstats.datasets.load`, paths of CSV files, or data sets that this function returns.
    scoring : str, callable, or list or mapping of such metrics
        Metrics: names of scikit-learn's scorers, or ``callable(estimator, X, y)``; higher is better.
    cv : int, splitter of scikit-learn, or mapping of data sets to lists of (train, test)
        A number of shuffled folds, stratified if y holds classes (never for regressors).  If a splitter shuffles and has no seed, it
        gets a seed derived from ``rng``, so that the same call makes the same folds again.
    rng : int or numpy Generator
        Seed of the splits and of the models.
    jobs : int
        Number of workers; -1 uses all cores.  The scores do not depend on the number of workers.
    backend, scheduler : str, optional
        "loky" for local processes, "dask" for a cluster.  The cluster is started locally, or `scheduler` is its address.
    store : path, optional
        A file that stores each score at once.  After a crash, a kill or Ctrl-C the same call continues where the run stopped, and no
        stored score is lost; a power cut may lose the scores of the last second.  A call with more models, or with more data sets after
        the earlier data sets, adds the missing scores.
    data_dir : path, optional
        A folder of CSV files for data sets given by name; default: the environment variable FSTATS_DATA.
    progress : bool
        Whether to show a progress bar on standard error if the work takes longer than a second.

    Returns
    -------
    Results
        A score for each data set, pipeline, fold and metric.  If a pipeline fails on a split, the score is missing and the reason is
        stored; the other pipelines continue.  ``results.without_gaps(...)`` treats missing scores by a stated policy before tests.

    Notes
    -----
    Every pipeline starts from a fresh copy on each split.  Each parameter called ``random_state`` (also of nested estimators) that is None
    gets a seed that depends only on ``rng``, data set and split.  A ``random_state`` that you set is not changed.

    Raises
    ------
    ValueError, TypeError
        If a model has no ``fit`` or ``predict``, if names are duplicate, if a scorer is unknown, if data cannot be split as required,
        if the store was made by another call, or if every pipeline failed on every split.

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> import fstats
    >>> models = {"bayes": GaussianNB(), "stump": DecisionTreeClassifier(max_depth=1)}
    >>> results = fstats.benchmark(models, ["iris", "wine"], cv=5, data_dir="")
    >>> results.scores.round(2)
    array([[0.95, 0.67],
           [0.98, 0.64]])
    """
    pipelines, scorers, seed = _models_by_name(models), resolve_metrics(scoring), resolve_seed(rng)
    data = [prepare_data_set(name, value) for name, value in _named_data_sets(datasets, data_dir)]
    if not data:
        raise ValueError("`datasets` must hold at least one data set; got none")
    names = [data_set.name for data_set in data]
    _check_unique_names(names, "datasets", " of names to (X, y)")
    are_regressors = [is_regressor(model.estimator) for model in pipelines.values()]
    if scoring == "accuracy" and any(are_regressors):
        raise ValueError(
            "scoring='accuracy' can be used only with classifiers; got a regressor. Write `scoring='r2'`, or another scorer for regressors."
        )
    cuts = [split_data_set(data_set, cv, seed, position, all(are_regressors)) for position, data_set in enumerate(data)]
    units = [(i, s, name) for i, splits in enumerate(cuts) for s in range(len(splits)) for name in pipelines]
    tasks = ((pipelines[name], data[i].X, data[i].y, cuts[i][s], scorers, seed) for i, s, name in units)
    about = partial(_store_description, pipelines, data, cuts, scorers, seed, len(units))
    with worker_backend(backend, jobs, scheduler):
        trainings = run_trainings(
            *(score_pipeline, tasks, len(units), about, store),
            jobs=jobs,
            progress=progress,
            # the splits of a data set depend on its position i, so the name of each unit of work contains i
            names=[json.dumps([names[i], i, s, name]) for i, s, name in units],
            grows=("models", "data sets", "splits"),
        )
    results = _build_results(units, trainings, names, cuts, scorers)
    used_versions = [versions("numpy", "scipy", "scikit-learn")] if store is None else versions_in(store)
    results.setup = {
        "plan": "splits of one's own" if isinstance(cv, Mapping) else f"{cv} folds" if isinstance(cv, int) else " ".join(repr(cv).split()),
        "seed": str(seed),
        "models": ", ".join(f"{name} = {full_repr(model.estimator)}" for name, model in pipelines.items()),
        "versions": "; then ".join(", ".join(f"{name} {version}" for name, version in used.items()) for used in used_versions),
    }
    return results


def _build_results(
    units: Sequence[tuple[int, int, str]], trainings: Sequence[Any], names: Sequence[str], cuts: Sequence[Sequence[Split]], scorers: Scorers
) -> Results:
    """Return the scores as Results, with the reason for each missing score."""
    entries: list[ScoreEntry] = []
    reasons: dict[Any, str] = {}
    for (i, s, name), trial in zip(units, trainings, strict=True):
        fold = str(s + 1) if len(cuts[i]) > 1 else SINGLE
        for metric in scorers:
            outcome = trial.get("error") or trial["scores"][metric]
            failed = isinstance(outcome, str)
            entries.append(ScoreEntry(names[i], name, fold, SINGLE, metric, float("nan") if failed else float(outcome), ""))
            if failed:
                reasons[names[i], name, fold, SINGLE, metric] = outcome
    if len(reasons) == len(entries):
        raise ValueError(
            f"every model failed on every split. Error of model {units[0][2]!r} on data set {names[0]!r}: {next(iter(reasons.values()))}"
        )
    # for every scorer a higher score is better; None lets Results change the sign of the negative losses that scorers of losses return
    directions = {name: None if is_loss_metric(name) else True for name in scorers}
    return Results._from_entries(entries, directions, reasons)


def _check_unique_names(names: Sequence[str], what: str, mapping: str) -> None:
    if duplicates := [name for name in names if names.count(name) > 1]:
        raise ValueError(f"{what} must have different names; got {duplicates[0]!r} more than once. Pass a mapping{mapping}.")


def _models_by_name(models: Any) -> dict[str, Model]:
    """Check the models, and return them by name."""
    if isinstance(models, Mapping):
        listed = [(str(name), model) for name, model in models.items()]
    elif isinstance(models, (list, tuple)):
        listed = [
            (str(model[0]), model[1]) if isinstance(model, tuple) and len(model) == 2 else (model_name(model), model) for model in models
        ]
    else:
        raise TypeError(f"`models` must be a mapping of names to estimators, or a list of estimators; got {type(models).__name__}")
    _check_unique_names([name for name, _ in listed], "models", ", {'forest': RandomForestClassifier(), ...}")
    if len(listed) < 2:
        raise ValueError(f"`models` must hold at least 2 models; got {len(listed)}")
    return {name: check_model(model, f"models[{name!r}]") for name, model in listed}


def _named_data_sets(datasets: Any, folder: Any) -> list[tuple[str, Any]]:
    """Return pairs of a name and a data set; data sets that are given by name or path are loaded."""
    if isinstance(datasets, Mapping):
        return [(str(name), value) for name, value in datasets.items()]
    if isinstance(datasets, (str, os.PathLike)) or not isinstance(datasets, Iterable):
        raise TypeError(f"`datasets` must be a list of names, or a mapping of names to (X, y); got {format_received_value(datasets)}")
    named: list[tuple[str, Any]] = []
    for value in datasets:
        if isinstance(value, os.PathLike) or (isinstance(value, str) and value.endswith((".csv", ".csv.gz"))):
            value = from_csv(value)
        elif isinstance(value, str):
            value = load(value, folder)
        if not isinstance(value, DataSet):
            raise TypeError(
                "each entry of `datasets` must be a name, the path of a CSV file, or a fstats.datasets.DataSet; got "
                f"{type(value).__name__}. For arrays, pass a mapping of names to (X, y)."
            )
        named.append((value.name, value))
    return named


def _store_description(
    pipelines: Mapping[str, Model], data: Sequence[PreparedDataSet], cuts: Sequence[Sequence[Split]], scorers: Scorers, rng: int, units: int
) -> dict[str, Any]:
    """Return all values on which the scores depend; a store compares them with the values of later calls."""
    from joblib import hash as digest

    return {
        "work": "fstats.benchmark",
        "models": {name: full_repr(model.estimator) for name, model in pipelines.items()},
        "data sets": {data_set.name: digest((data_set.X, data_set.y)) for data_set in data},
        "splits": {data_set.name: digest(_concatenate_splits(splits)) for data_set, splits in zip(data, cuts, strict=True)},
        "scoring": {name: full_repr(scorer) for name, scorer in scorers.items()},
        "rng": rng,
        "units": units,
    }


def _concatenate_splits(splits: Sequence[Split]) -> tuple[list[int], Any]:
    """Return the sizes of all sets, and all splits joined into one array, because the digest of one array is fast to compute."""
    parts = [part for split in splits for part in (split.train, split.test)]
    return [len(part) for part in parts], np.concatenate(parts)
