"""The tree has a seed of its own: what it changes while the folds stay as they are."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import partial
from importlib.metadata import version
from typing import Any

import numpy as np

from ...comparing.datasets import DataSet, load
from ...core import check
from ...simulate.run import run
from .learners import PreparedRecords, naive_bayes, nearest_neighbours, tree
from .populations import LEARNERS, PartitionScores
from .run import FOLDS, right_in_folds
from .splits import stratified

SPLITS, TREES, AT_ONCE = 50, 5, 25
FIRST = 10_000  # the seeds of these trees come after those of the experiment


class TreeSeeds:
    """The first partitions of one data set, each with several seeds of the tree.

    Parameters
    ----------
    name : str
        Of the data set.
    right : array of int, shape (trees, splits, folds, learners)
        Right answers; only those of the tree change along the first axis.
    sizes : array of int, shape (folds,)
        Records of each fold.
    about : mapping, optional
        How the numbers came about.
    """

    def __init__(self, name: str, right: Any, sizes: Any, about: Mapping[str, Any] | None = None) -> None:
        self.name, self.about = name, dict(about or {})
        self.arrays = {"right": np.asarray(right), "sizes": np.asarray(sizes)}

    @property
    def populations(self) -> list[PartitionScores]:
        """The experiment on these partitions, once for each seed of the tree."""
        return [PartitionScores(self.name, "as it should be", right, self.arrays["sizes"]) for right in self.arrays["right"]]

    def shares(self, other: str, sign: str) -> list[float]:
        """The share of one verdict for each seed of the tree.

        Parameters
        ----------
        other : {"GNB", "KNN"}
            The learner that the tree is compared with.
        sign : {"=", "-", "+"}
            The verdict.
        """
        return [one.pair(other, "DTC").shares[sign] for one in self.populations]

    def changes(self, other: str) -> float:
        """Probability that on the same folds another seed of the tree leads to another verdict.

        Parameters
        ----------
        other : {"GNB", "KNN"}
            The learner that the tree is compared with.
        """
        signs = np.array([one.pair(other, "DTC").verdicts for one in self.populations])  # trees, splits
        trees = len(signs)
        same = sum((signs == value).sum(0) * ((signs == value).sum(0) - 1) for value in (-1, 0, 1)) / (trees * (trees - 1))
        return float(1 - np.mean(same))


def tree_seeds(
    data: DataSet | str,
    *,
    splits: int = SPLITS,
    trees: int = TREES,
    data_dir: str | os.PathLike[str] | None = None,
    jobs: int = 1,
    store: str | os.PathLike[str] | None = None,
    progress: bool = True,
) -> TreeSeeds:
    """Seeds 0, 1, ..., splits - 1 of the folds "as it should be", each with the seeds 10000, 10001, ... of the tree.

    Parameters
    ----------
    data : str or DataSet
        A data set, or its name.
    splits : int
        Seeds of the folds.
    trees : int
        Seeds of the tree, at least 2.
    data_dir : path, optional
        A folder of CSV files.
    jobs : int
        How many workers.
    store : path, optional
        A file from which an interrupted run goes on.
    progress : bool
        Whether a bar appears.

    Examples
    --------
    >>> round(tree_seeds("iris", splits=20, trees=2).changes("KNN"), 4)
    0.05
    """
    data = load(data, data_dir) if isinstance(data, str) else data
    rows, lines = int(check.count(1)(splits, "splits")), int(check.count(2)(trees, "trees"))
    arguments = {
        "data set": data.name,
        "sha256 of data": data.sha256,
        "splits": rows,
        "trees": lines,
        "scikit-learn": version("scikit-learn"),
    }
    parts = [{"first": first, "last": min(first + AT_ONCE, rows) - 1} for first in range(0, rows, AT_ONCE)]
    found = run(partial(regrown, x=data.x, y=data.y, trees=lines), parts, arguments=arguments, jobs=jobs, store=store, progress=progress)
    right = np.concatenate([np.array(part, np.int64) for part in found], 1)
    sizes = np.bincount(stratified(data.y, [0], FOLDS)[:, 0], minlength=FOLDS)
    return TreeSeeds(data.name, right, sizes, arguments)


def regrown(unit: Mapping[str, int], seed: np.random.SeedSequence, x: Any, y: Any, trees: int) -> list[Any]:  # noqa: ARG001
    """One unit: right answers [tree][seed of the folds][fold][learner]."""
    from threadpoolctl import threadpool_limits

    seeds = range(unit["first"], unit["last"] + 1)
    records = PreparedRecords(x, y)
    with threadpool_limits(1):
        fold = stratified(records.y, seeds, FOLDS)
        fixed = [learner(records, fold, FOLDS) for learner in (naive_bayes, nearest_neighbours)]
        grown = [tree(records, fold, FOLDS, [FIRST + k] * len(seeds)) for k in range(trees)]
    right = [[right_in_folds(one == records.y[:, np.newaxis], fold, FOLDS) for one in (*fixed, mine)] for mine in grown]
    return np.array(right).transpose(0, 2, 3, 1).reshape(trees, len(seeds), FOLDS, len(LEARNERS)).tolist()
