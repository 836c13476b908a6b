"""Effect of the random seed of a decision tree on the verdict of a test, with the same folds."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...comparing.datasets import DataSet
from ...core.validation import check
from .fold_classifiers import predict_classes
from .fold_experiment import FOLDS, correct_counts, load_data_set, prepare_unit, run_seeds
from .partition_scores import PartitionScores, StoredCounts
from .stratified_folds import stratified

SPLITS, TREES, AT_ONCE = 50, 5, 25
FIRST_TREE_SEED = 10_000  # first seed of the trees; it is larger than all seeds of the fold experiment


class TreeSeeds(StoredCounts):
    """Results on the first partitions of one data set, with several seeds of the tree on each partition."""

    kind = "trees"
    # number of right answers, shape (seeds of the tree, splits, folds, learners); only the tree differs along the first axis
    right: NDArray[np.int64]
    sizes: NDArray[np.int64]  # number of records in each fold

    @property
    def populations(self) -> list[PartitionScores]:
        """Results of the fold experiment on these partitions, one object for each seed of the tree."""
        return [PartitionScores(self.name, "as it should be", right, self.sizes) for right in self.right]

    def shares(self, other: str, sign: str) -> list[float]:
        """Return the share of one verdict for each seed of the tree.

        Parameters
        ----------
        other : {"GNB", "KNN"}
            Learner that is compared with the tree.
        sign : {"=", "-", "+"}
            Verdict: no significant difference, the right learner is better, or the left learner is better.
        """
        return [scores.pair(other, "DTC").shares[sign] for scores in self.populations]

    def changes(self, other: str) -> float:
        """Return the probability that another seed of the tree changes the verdict on the same folds.

        Parameters
        ----------
        other : {"GNB", "KNN"}
            Learner that is compared with the tree.
        """
        signs = np.array([scores.pair(other, "DTC").verdicts for scores in self.populations])  # shape (seeds of the tree, splits)
        trees = len(signs)
        same = sum((signs == value).sum(0) * ((signs == value).sum(0) - 1) for value in (-1, 0, 1)) / (trees * (trees - 1))
        return float(1 - np.mean(same))


def tree_seeds(data: DataSet | str, *, splits: int = SPLITS, trees: int = TREES, data_dir: Any = None, **running: Any) -> TreeSeeds:
    """Run the experiment "as it should be" with fold seeds 0, 1, ..., splits - 1, and on each partition with tree seeds 10000, 10001, ...

    Parameters
    ----------
    splits : int
        Number of seeds of the folds.
    trees : int
        Number of seeds of the tree, at least 2.
    data, data_dir, **running
        The arguments of :func:`.alternative_tests.halvings`.

    Examples
    --------
    >>> round(tree_seeds("iris", splits=20, trees=2).changes("KNN"), 4)
    0.05
    """
    data = load_data_set(data, data_dir)
    rows, lines = int(check.count(1)(splits, "splits")), int(check.count(2)(trees, "trees"))
    results, about = run_seeds(partial(tree_counts_of_unit, trees=lines), data, rows, AT_ONCE, {"splits": rows, "trees": lines}, running)
    right = np.concatenate([np.array(part, np.int64) for part in results], 1)
    return TreeSeeds(data.name, about, right=right, sizes=np.bincount(stratified(data.y, [0], FOLDS)[:, 0], minlength=FOLDS))


def tree_counts_of_unit(unit: Mapping[str, int], seed: np.random.SeedSequence, x: Any, y: Any, trees: int) -> list[Any]:  # noqa: ARG001
    """Compute one unit: numbers of right answers as nested lists [tree][seed of the folds][fold][learner]."""
    with prepare_unit(unit, y) as (seeds, codes):
        fold = stratified(codes, seeds, FOLDS)
        predicted = [predict_classes(x, codes, fold, FOLDS, [FIRST_TREE_SEED + k] * len(seeds)) for k in range(trees)]
    return [correct_counts(classes == codes[:, np.newaxis], fold, FOLDS).tolist() for classes in predicted]
