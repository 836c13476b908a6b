"""The experiment: so many seeds, five stratified folds for each, three learners, and how many answers of each fold are right."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from ...comparing.datasets import DataSet, load
from ...core import check
from ...core.suggestions import nearest_first
from ...simulate.run import run
from ..study import printed
from .former_tree import former_neighbours
from .learners import PreparedRecords, naive_bayes, nearest_neighbours, tree
from .populations import LEARNERS, PartitionScores
from .records import Predicted
from .splits import FoldNumbers, Splitter, stratified, stratified_until_0_20_2

Mode = Literal["as printed", "as it should be"]
FOLDS, AT_ONCE = 5, 250  # seeds in one unit of work
SETS: tuple[str, ...] = tuple(printed(__package__)["sets"])


class Recipe(NamedTuple):
    """What a mode is."""

    first: int  # the first row that is used
    splitter: Splitter
    neighbours: Callable[[PreparedRecords, FoldNumbers, int], Predicted]


# The text lost the first row of each file, which was read as a header; its scikit-learn shuffled all classes with one seed, and took
# others of the neighbours that are equally far.
MODES: dict[Mode, Recipe] = {
    "as printed": Recipe(1, stratified_until_0_20_2, former_neighbours),
    "as it should be": Recipe(0, stratified, nearest_neighbours),
}


def recipe(mode: str) -> Recipe:
    """What a mode is, by its name."""
    check.one_of(*get_args(Mode))(mode, "mode")
    return MODES[mode]  # type: ignore[index]


def known(name: str) -> str:
    """The name of one of the eighteen data sets; of any other an error tells which it may have meant."""
    if name not in SETS:
        raise ValueError(f"the experiment was not made on {name!r}; {nearest_first(str(name), SETS)}")
    return name


def right_answers(unit: Mapping[str, int], seed: np.random.SeedSequence, x: Any, y: Any, mode: Mode) -> list[Any]:  # noqa: ARG001
    """One unit, the seeds from ``first`` to ``last``: how many answers are right, [seed][fold][learner].

    The seed of a repetition is that of its folds and of its trees; what the harness draws is not needed.
    """
    from threadpoolctl import threadpool_limits

    seeds = range(unit["first"], unit["last"] + 1)
    records = PreparedRecords(x, y)
    with threadpool_limits(1):  # threads inside a fit make small sets slower
        fold = MODES[mode].splitter(records.y, seeds, FOLDS)
        predicted = (
            naive_bayes(records, fold, FOLDS),
            MODES[mode].neighbours(records, fold, FOLDS),
            tree(records, fold, FOLDS, seeds),
        )
    return np.stack([right_in_folds(one == records.y[:, np.newaxis], fold, FOLDS) for one in predicted], 2).tolist()


def right_in_folds(right: NDArray[np.bool], fold: FoldNumbers, folds: int) -> NDArray[np.int64]:
    """How many are right in each fold, shape (splits, folds)."""
    return np.stack([(right & (fold == k)).sum(0) for k in range(folds)], 1)


def population(
    data: DataSet | str,
    *,
    mode: Mode = "as it should be",
    repeats: int = 1000,
    data_dir: str | os.PathLike[str] | None = None,
    jobs: int = 1,
    store: str | os.PathLike[str] | None = None,
    progress: bool = True,
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
        How many seeds.  Seed I is that of ``StratifiedKFold(5, shuffle=True, random_state=I)`` and of ``DecisionTreeClassifier(random_state=I)``.
    data_dir : path, optional
        A folder of CSV files, see :func:`fstats.datasets.load`.
    jobs : int
        How many workers; -1 takes all cores.  Who they are says :func:`joblib.parallel_config`: local processes, or a Dask cluster.
    store : path, optional
        A file that keeps each unit of 250 seeds as soon as it is done; the same call goes on where a killed run stopped.
    progress : bool
        Whether a bar appears on standard error.

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
    data = load(data, data_dir) if isinstance(data, str) else data
    chosen, total = recipe(mode), int(check.count(1)(repeats, "repeats"))
    x, y = data.x[chosen.first :], data.y[chosen.first :]
    sizes = np.bincount(chosen.splitter(y, [0], FOLDS)[:, 0], minlength=FOLDS)
    arguments = {
        "data set": data.name,
        "sha256 of data": data.sha256,
        "mode": mode,
        "learners": list(LEARNERS),
        "folds": FOLDS,
        "repeats": total,
        "scikit-learn": version("scikit-learn"),
    }
    work = partial(right_answers, x=x, y=y, mode=mode)
    found = run(work, units(total), arguments=arguments, jobs=jobs, store=store, progress=progress)
    return PartitionScores(data.name, mode, np.concatenate([np.array(part, np.int64) for part in found]), sizes, arguments)


def units(repeats: int) -> list[dict[str, int]]:
    """The seeds of each unit."""
    return [{"first": first, "last": min(first + AT_ONCE, repeats) - 1} for first in range(0, repeats, AT_ONCE)]


def experiment(
    *,
    names: Sequence[str] = SETS,
    modes: Sequence[Mode] = ("as printed", "as it should be"),
    repeats: int = 10_000,
    data_dir: str | os.PathLike[str] | None = None,
    jobs: int = 1,
    store: str | os.PathLike[str] | None = None,
    done: Callable[[PartitionScores], object] = lambda _: None,
) -> list[PartitionScores]:
    """The whole experiment: all sets in both modes, cheap ones first.

    Parameters
    ----------
    names : sequence of str
        Data sets.
    modes : sequence of str
        One or both.
    repeats : int
        Seeds of each.
    data_dir : path, optional
        A folder of CSV files.
    jobs : int
        How many workers.
    store : path, optional
        A folder with a file for each set and mode, from which an interrupted run goes on.
    done : callable
        Told of each population as soon as it is there.
    """
    found = []
    for mode in modes:
        for name in names:
            file = Path(store) / f"{name}_{mode.replace(' ', '_')}.jsonl" if store is not None else None
            found.append(population(name, mode=mode, repeats=repeats, data_dir=data_dir, jobs=jobs, store=file))
            done(found[-1])
    return found
