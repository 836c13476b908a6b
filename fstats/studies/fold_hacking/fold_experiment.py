"""Cross-validation of three learners with many random seeds.

The experiment counts right predictions in five stratified folds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from importlib.metadata import version
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from ...comparing.datasets import DataSet, load
from ...core.validation import check
from ...core.validation.name_suggestions import format_names_by_similarity
from ...simulate.work_units import run
from ..study_files import printed_figures
from .fold_classifiers import current_neighbours, predict_classes
from .partition_scores import LEARNERS, PartitionScores
from .sklearn_0_20_kd_tree import NeighboursUntil0202
from .stratified_folds import FoldNumbers, Splitter, stratified, stratified_until_0_20_2

Mode = Literal["as printed", "as it should be"]
FOLDS, AT_ONCE = 5, 250  # number of folds; number of seeds in a unit of work
SETS: tuple[str, ...] = tuple(printed_figures(__package__)["sets"])


class ExperimentMode(NamedTuple):
    """Settings of a mode of the experiment."""

    first: int  # index of the first row used in a data file
    splitter: Splitter
    neighbours: Callable[[], Any]  # function that returns an untrained nearest-neighbours classifier


# The authors of the text lost the first row of each file, because it was read as a header.  Their old version of scikit-learn
# shuffled all classes with one seed, and broke ties between neighbours in another way than current versions.
MODES: dict[Mode, ExperimentMode] = {
    "as printed": ExperimentMode(1, stratified_until_0_20_2, NeighboursUntil0202),
    "as it should be": ExperimentMode(0, stratified, current_neighbours),
}


def experiment_mode(mode: str) -> ExperimentMode:
    """Return the settings of a mode by its name."""
    check.choice(*get_args(Mode))(mode, "mode")
    return MODES[mode]  # type: ignore[index]


def check_data_set_name(name: str) -> str:
    """Return the name of one of the eighteen data sets; for any other name raise ValueError with similar names."""
    if name not in SETS:
        raise ValueError(f"`name` must be a data set of the experiment; got {name!r}; {format_names_by_similarity(str(name), SETS)}")
    return name


def correct_counts_of_unit(unit: Mapping[str, int], seed: np.random.SeedSequence, x: Any, y: Any, mode: Mode) -> list[Any]:  # noqa: ARG001
    """Compute one unit: numbers of right answers as nested lists [seed][fold][learner], for the seeds from ``first`` to ``last``.

    The folds and the trees of a repetition have the same seed; the argument `seed` is not used.
    """
    with prepare_unit(unit, y) as (seeds, codes):
        fold = MODES[mode].splitter(codes, seeds, FOLDS)
        right = predict_classes(x, codes, fold, FOLDS, seeds, MODES[mode].neighbours) == codes[:, np.newaxis]
    return correct_counts(right, fold, FOLDS).tolist()


def correct_counts(right: NDArray[np.bool], fold: FoldNumbers, folds: int) -> NDArray[np.int64]:
    """Count the right answers in each fold: shape (splits, folds), or (splits, folds, learners) for several learners."""
    return np.stack([(right & (fold == k)).sum(-2).T for k in range(folds)], 1)


@contextmanager
def prepare_unit(unit: Mapping[str, int], y: Any) -> Iterator[tuple[range, NDArray[np.int64]]]:
    """Yield the seeds of a unit, and classes numbered from 0, with one thread only: more threads slow down work on small data sets."""
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1):
        yield range(unit["first"], unit["last"] + 1), np.unique(y, return_inverse=True)[1].astype(np.int64)


def load_data_set(data: DataSet | str, data_dir: Any) -> DataSet:
    """Return a data set, or load it by its name."""
    return load(data, data_dir) if isinstance(data, str) else data


def run_seeds(
    work: Any, data: DataSet, total: int, at_once: int, facts: Mapping[str, Any], running: Mapping[str, Any], first: int = 0
) -> tuple[list[Any], dict[str, Any]]:
    """Compute the units of all seeds on the records from `first` on; return the results and a description of the settings and data."""
    about = {"data set": data.name, "sha256 of data": data.sha256, **facts, "scikit-learn": version("scikit-learn")}
    units = [{"first": start, "last": min(start + at_once, total) - 1} for start in range(0, total, at_once)]
    return run(partial(work, x=data.x[first:], y=data.y[first:]), units, arguments=about, **running), about


def population(
    data: DataSet | str, *, mode: Mode = "as it should be", repeats: int = 1000, data_dir: Any = None, **running: Any
) -> PartitionScores:
    """Run the fold experiment on one data set with the seeds 0, 1, ..., repeats - 1.

    Parameters
    ----------
    data : str or DataSet
        Data set, or the name of one that :func:`fstats.datasets.load` knows.
    mode : {"as it should be", "as printed"}
        "as printed" repeats the procedure of the text: the first row is left out, and folds and neighbours at equal distance are chosen
        as in scikit-learn until version 0.20.2.
    repeats : int
        Number of seeds.  Seed I is the seed of ``StratifiedKFold(5, shuffle=True, random_state=I)`` and of
        ``DecisionTreeClassifier(random_state=I)``.
    data_dir : path, optional
        Folder of CSV files, see :func:`fstats.datasets.load`.
    **running
        The arguments jobs, store and progress of :func:`fstats.simulate.run`; the store is a file with one line for every 250 seeds.

    Returns
    -------
    PartitionScores
        All repetitions, with the accuracies and the comparison of any two learners.

    Raises
    ------
    ValueError
        For an unknown data set or mode, a class with fewer members than folds, or a store that was made with other arguments.

    Examples
    --------
    >>> iris = population("iris", mode="as printed", repeats=214)
    >>> round(float(iris.pair("GNB", "KNN").t[213]), 6)
    -146.0
    """
    data, settings, total = load_data_set(data, data_dir), experiment_mode(mode), int(check.count(1)(repeats, "repeats"))
    sizes = np.bincount(settings.splitter(data.y[settings.first :], [0], FOLDS)[:, 0], minlength=FOLDS)
    facts = {"mode": mode, "learners": list(LEARNERS), "folds": FOLDS, "repeats": total}
    results, about = run_seeds(partial(correct_counts_of_unit, mode=mode), data, total, AT_ONCE, facts, running, settings.first)
    return PartitionScores(data.name, mode, np.concatenate([np.array(part, np.int64) for part in results]), sizes, about)
