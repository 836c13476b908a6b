"""k pipelines on N data sets: every split of every data set, every pipeline, every metric."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from ..core.metric_direction import is_loss_metric
from ..core.validation.keyword_arguments import with_suggestions
from ..runtime.checkpoint_file import versions_in
from ..runtime.library_versions import versions
from ..runtime.parallel_tasks import worker_backend
from .benchmark_splits import PreparedDataSet, prepare_data_set, regresses, split_data_set
from .datasets import DataSet, from_csv, load
from .model_comparison import resolve_seed
from .model_evaluation import Model, check_model
from .model_names import model_name
from .multimetric_scoring import Metrics, resolve_metrics, score_pipeline
from .results.column_roles import SINGLE, ScoreEntry
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
    """What do k pipelines score on N data sets?  Each is trained and scored on the same splits of each data set.

    Parameters
    ----------
    models : mapping of names to estimators, or list of estimators
        Any estimators or pipelines with ``fit`` and ``predict`` as scikit-learn's.  They are copied, never changed.  Those of a list are
        called by their classes.
    datasets : mapping of names to (X, y) or (X, y, groups), or list
        A list holds names that :func:`fstats.datasets.load` knows, paths of CSV files, or what that returns.
    scoring : str, callable, list or mapping of such
        Metrics: names of scikit-learn's scorers, or ``callable(estimator, X, y)``; higher is better.
    cv : int, splitter of scikit-learn, or mapping of data sets to lists of (train, test)
        A number is that of shuffled folds, stratified where y holds classes (never for regressors).  A splitter that shuffles without a
        seed of its own gets one that follows from ``rng``, so that the same call cuts the same folds again.
    rng : int or numpy Generator
        Seed of the splits and of the models.
    jobs : int
        How many workers train; -1 takes all cores.  The scores do not depend on it.
    backend, scheduler : str, optional
        Who the workers are: "loky" for processes here, "dask" for a cluster, which is started here or is at the address `scheduler`.
    store : path, optional
        A file that keeps each score as soon as it is there.  After a crash, a kill or Ctrl-C the same call goes on where it stopped, and
        nothing that was kept is lost; a power cut may lose the last second's scores.  A call with more models, or with more data sets
        behind those that were there, adds what is missing.
    data_dir : path, optional
        A folder of CSV files for data sets that are named; by default the environment variable FSTATS_DATA says it.
    progress : bool
        Whether a bar appears on standard error where it takes longer than a second.

    Returns
    -------
    Results
        With a score for each data set, pipeline, fold and metric.  A pipeline that fails on a split leaves a gap there that tells why; the
        others go on.  ``results.without_gaps(...)`` treats gaps by a stated policy before tests.

    Notes
    -----
    Every pipeline starts from a fresh copy on each split.  Each parameter called ``random_state`` (of nested estimators, too) that is
    None gets a seed that depends on ``rng``, data set and split alone; one that you set is left as it is.

    Raises
    ------
    ValueError, TypeError
        For models without ``fit`` or ``predict``, names that are not different, unknown scorers, data that cannot be split so, a store of
        another call; and where every pipeline failed on every split.

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
    pipelines, metrics, number = _models_by_name(models), resolve_metrics(scoring), resolve_seed(rng)
    data = [prepare_data_set(name, given) for name, given in _named_data_sets(datasets, data_dir)]
    if not data:
        raise ValueError("datasets must hold at least one data set; got none")
    names = [one.name for one in data]
    _check_unique_names(names, "datasets", " of names to (X, y)")
    if scoring == "accuracy" and any(regresses(one.estimator) for one in pipelines.values()):
        raise ValueError(
            "scoring='accuracy' is of classes, and some models are regressors: say scoring='neg_root_mean_squared_error', 'r2', or another "
            "scorer of numbers"
        )
    regression = all(regresses(one.estimator) for one in pipelines.values())
    cuts = [split_data_set(one, cv, number, place, regression) for place, one in enumerate(data)]
    units = [(i, s, name) for i, splits in enumerate(cuts) for s in range(len(splits)) for name in pipelines]
    tasks = ((pipelines[name], data[i].X, data[i].y, cuts[i][s], metrics, number) for i, s, name in units)
    about = partial(_store_description, pipelines, data, cuts, metrics, number, len(units))
    with worker_backend(backend, jobs, scheduler):
        found = run_trainings(
            *(score_pipeline, tasks, len(units), about, store),
            jobs=jobs,
            progress=progress,
            names=[json.dumps([names[i], i, s, name]) for i, s, name in units],  # the seeds depend on the place
            grows=("models", "data sets", "splits"),
        )
    results = _build_results(units, found, names, cuts, metrics)
    used = [versions("numpy", "scipy", "scikit-learn")] if store is None else versions_in(store)
    results.setup = {
        "plan": "splits of one's own" if isinstance(cv, Mapping) else f"{cv} folds" if isinstance(cv, int) else " ".join(repr(cv).split()),
        "seed": str(number),
        "models": ", ".join(f"{name} = {full_repr(one.estimator)}" for name, one in pipelines.items()),
        "versions": "; then ".join(", ".join(f"{name} {version}" for name, version in one.items()) for one in used),
    }
    return results


def _build_results(
    units: Sequence[tuple[int, int, str]], found: Sequence[Any], names: Sequence[str], cuts: Sequence[Sequence[Split]], metrics: Metrics
) -> Results:
    """The scores in order, and the reasons of those that are missing."""
    entries: list[ScoreEntry] = []
    why: dict[Any, str] = {}
    for (i, s, name), trial in zip(units, found, strict=True):
        fold = str(s + 1) if len(cuts[i]) > 1 else SINGLE
        for metric in metrics.scorers:
            outcome = trial.get("error") or trial["scores"][metric]
            failed = isinstance(outcome, str)
            entries.append(ScoreEntry(names[i], name, fold, SINGLE, metric, float("nan") if failed else float(outcome), ""))
            if failed:
                why[names[i], name, fold, SINGLE, metric] = outcome
    if len(why) == len(entries):
        raise ValueError(f"every model failed on every split; the first, {units[0][2]} on {names[0]}: {next(iter(why.values()))}")
    # a scorer is the better the higher it is, whatever its name; one of a loss has a sign before it
    return Results._of_entries(entries, "score", {name: None if is_loss_metric(name) else True for name in metrics.scorers}, "keep", why)


def _check_unique_names(names: Sequence[str], what: str, mapping: str) -> None:
    if twice := [name for name in names if names.count(name) > 1]:
        raise ValueError(f"{what} must have different names; got {twice[0]!r} more than once: hand in a mapping{mapping}")


def _models_by_name(models: Any) -> dict[str, Model]:
    """Models by name."""
    if isinstance(models, Mapping):
        listed = [(str(name), one) for name, one in models.items()]
    elif isinstance(models, (list, tuple)):
        listed = [(str(one[0]), one[1]) if isinstance(one, tuple) and len(one) == 2 else (model_name(one), one) for one in models]
    else:
        raise TypeError(f"models must be a mapping of names to estimators, or a list of estimators; got {type(models).__name__}")
    _check_unique_names([name for name, _ in listed], "models", ", {'forest': RandomForestClassifier(), ...}")
    if len(listed) < 2:
        raise ValueError(f"models must hold at least 2 to compare; got {len(listed)}")
    return {name: check_model(one, f"models[{name!r}]") for name, one in listed}


def _named_data_sets(datasets: Any, folder: Any) -> list[tuple[str, Any]]:
    """Data sets with their names; those that are only named are loaded."""
    if isinstance(datasets, Mapping):
        return [(str(name), one) for name, one in datasets.items()]
    if isinstance(datasets, (str, os.PathLike)) or not isinstance(datasets, Iterable):
        raise TypeError(f"datasets must be a list of names, or a mapping of names to (X, y); got {datasets!r}")
    found: list[tuple[str, Any]] = []
    for one in datasets:
        if isinstance(one, os.PathLike) or (isinstance(one, str) and one.endswith((".csv", ".csv.gz"))):
            one = from_csv(one)
        elif isinstance(one, str):
            one = load(one, folder)
        if not isinstance(one, DataSet):
            raise TypeError(
                f"a list of datasets holds names, paths of CSV files or fstats.datasets.DataSet; got "
                f"{type(one).__name__}: hand in a mapping of names to (X, y)"
            )
        found.append((one.name, one))
    return found


def _store_description(
    pipelines: Mapping[str, Model], data: Sequence[PreparedDataSet], cuts: Sequence[Sequence[Split]], metrics: Metrics, rng: int, units: int
) -> dict[str, Any]:
    """What a store was made from: whatever the scores depend on."""
    from joblib import hash as digest

    return {
        "work": "fstats.benchmark",
        "models": {name: full_repr(one.estimator) for name, one in pipelines.items()},
        "data sets": {one.name: digest((one.X, one.y)) for one in data},
        "splits": {one.name: digest(_concatenate_splits(splits)) for one, splits in zip(data, cuts, strict=True)},
        "scoring": {name: full_repr(scorer) for name, scorer in metrics.scorers.items()},
        "rng": rng,
        "units": units,
    }


def _concatenate_splits(splits: Sequence[Split]) -> tuple[list[int], Any]:
    """All splits of a data set as one array and the sizes of its parts, since each array by itself costs a digest about as much."""
    parts = [part for split in splits for part in (split.train, split.test)]
    return [len(part) for part in parts], np.concatenate(parts)
