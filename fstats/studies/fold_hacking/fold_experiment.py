"""The experiment: so many seeds, five stratified folds for each, three learners, and how many answers of each fold are right."""

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
from .fold_classifiers import PreparedRecords, naive_bayes, nearest_neighbours, tree
from .partition_scores import LEARNERS, PartitionScores
from .prepared_records import Predicted
from .sklearn_0_20_kd_tree import predict_neighbours_until_0202
from .stratified_folds import FoldNumbers, Splitter, stratified, stratified_until_0_20_2

Mode = Literal["as printed", "as it should be"]
FOLDS, AT_ONCE = 5, 250  # seeds in one unit of work
SETS: tuple[str, ...] = tuple(printed_figures(__package__)["sets"])


class ExperimentMode(NamedTuple):
    """What a mode is."""

    first: int  # the first row that is used
    splitter: Splitter
    neighbours: Callable[[PreparedRecords, FoldNumbers, int], Predicted]


# The text lost the first row of each file, which was read as a header; its scikit-learn shuffled all classes with one seed, and took
# others of the neighbours that are equally far.
MODES: dict[Mode, ExperimentMode] = {
    "as printed": ExperimentMode(1, stratified_until_0_20_2, predict_neighbours_until_0202),
    "as it should be": ExperimentMode(0, stratified, nearest_neighbours),
}


def experiment_mode(mode: str) -> ExperimentMode:
    """What a mode is, by its name."""
    check.choice(*get_args(Mode))(mode, "mode")
    return MODES[mode]  # type: ignore[index]


def check_data_set_name(name: str) -> str:
    """The name of one of the eighteen data sets; of any other an error tells which it may have meant."""
    if name not in SETS:
        raise ValueError(f"the experiment was not made on {name!r}; {format_names_by_similarity(str(name), SETS)}")
    return name


def correct_counts_of_unit(unit: Mapping[str, int], seed: np.random.SeedSequence, x: Any, y: Any, mode: Mode) -> list[Any]:  # noqa: ARG001
    """One unit, the seeds from ``first`` to ``last``: how many answers are right, [seed][fold][learner].

    The seed of a repetition is that of its folds and of its trees; what the harness draws is not needed.
    """
    with prepare_unit(unit, x, y) as (seeds, records):
        fold = MODES[mode].splitter(records.y, seeds, FOLDS)
        fixed = [learner(records, fold, FOLDS) for learner in (naive_bayes, MODES[mode].neighbours)]
        predicted = [*fixed, tree(records, fold, FOLDS, seeds)]
    return np.stack([correct_counts(one == records.y[:, np.newaxis], fold, FOLDS) for one in predicted], 2).tolist()


def correct_counts(right: NDArray[np.bool], fold: FoldNumbers, folds: int) -> NDArray[np.int64]:
    """How many are right in each fold, shape (splits, folds)."""
    return np.stack([(right & (fold == k)).sum(0) for k in range(folds)], 1)


@contextmanager
def prepare_unit(unit: Mapping[str, int], x: Any, y: Any) -> Iterator[tuple[range, PreparedRecords]]:
    """The seeds of a unit, from ``first`` to ``last``, and the records, for one thread: more make small sets slower."""
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1):
        yield range(unit["first"], unit["last"] + 1), PreparedRecords(x, y)


def load_data_set(data: DataSet | str, data_dir: Any) -> DataSet:
    """A data set, or the one of that name."""
    return load(data, data_dir) if isinstance(data, str) else data


def run_seeds(
    work: Any, data: DataSet, total: int, at_once: int, told: Mapping[str, Any], running: Mapping[str, Any], first: int = 0
) -> tuple[list[Any], dict[str, Any]]:
    """What comes of each unit of so many seeds, on the records from the first that is used, and what that depends on."""
    about = {"data set": data.name, "sha256 of data": data.sha256, **told, "scikit-learn": version("scikit-learn")}
    units = [{"first": start, "last": min(start + at_once, total) - 1} for start in range(0, total, at_once)]
    return run(partial(work, x=data.x[first:], y=data.y[first:]), units, arguments=about, **running), about


def population(
    data: DataSet | str, *, mode: Mode = "as it should be", repeats: int = 1000, data_dir: Any = None, **running: Any
) -> PartitionScores:
    """The experiment on one data set: seeds 0, 1, ..., repeats - 1.

    Parameters
    ----------
    data : str or DataSet
        A data set, or the name of one that :func:`fstats.datasets.load` knows.
    mode : {"as it should be", "as printed"}
        "as printed" leaves out the first row, cuts folds and takes neighbours that are equally far as scikit-learn did until version
        0.20.2: what the text did.
    repeats : int
        How many seeds.  Seed I is that of ``StratifiedKFold(5, shuffle=True, random_state=I)`` and of
        ``DecisionTreeClassifier(random_state=I)``.
    data_dir : path, optional
        A folder of CSV files, see :func:`fstats.datasets.load`.
    **running
        jobs, store and progress, as in :func:`fstats.simulate.run`; the store is a file, with a line for each 250 seeds.

    Returns
    -------
    PartitionScores
        All repetitions, with the accuracies and the comparison of any two learners.

    Raises
    ------
    ValueError
        For an unknown data set or mode, a class with fewer members than folds, or a store that was made by other arguments.

    Examples
    --------
    >>> iris = population("iris", mode="as printed", repeats=214)
    >>> round(float(iris.pair("GNB", "KNN").t[213]), 6)
    -146.0
    """
    data, chosen, total = load_data_set(data, data_dir), experiment_mode(mode), int(check.count(1)(repeats, "repeats"))
    sizes = np.bincount(chosen.splitter(data.y[chosen.first :], [0], FOLDS)[:, 0], minlength=FOLDS)
    told = {"mode": mode, "learners": list(LEARNERS), "folds": FOLDS, "repeats": total}
    found, about = run_seeds(partial(correct_counts_of_unit, mode=mode), data, total, AT_ONCE, told, running, chosen.first)
    return PartitionScores(data.name, mode, np.concatenate([np.array(part, np.int64) for part in found]), sizes, about)
