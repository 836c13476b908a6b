"""Alternative tests for the study of fold hacking.

The module computes how much their verdicts depend on the random partition.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...comparing.datasets import DataSet
from ...core.validation import check
from ...core.value_types import Array
from ...procedures.resampling.block_regularized.blocked_five_by_two_mcnemar import BlockedFiveByTwoMcNemar
from ...procedures.resampling.corrected_resampled_t import CorrectedResampledT
from ...procedures.resampling.five_by_two.five_by_two_f import CombinedFiveByTwoF
from ...procedures.resampling.split_plans.block_regularized_cv import BlockRegularizedCV
from ...procedures.resampling.split_plans.block_regularized_cv import half_blocks as halves_of_blocks
from .fold_classifiers import predict_classes
from .fold_experiment import correct_counts, load_data_set, prepare_unit, run_seeds
from .partition_scores import ALPHA, LEARNERS, PAIRS, LearnerPair, StoredCounts, VerdictSigns, verdict_signs
from .stratified_folds import FoldNumbers, stratified

REPEATS, AT_ONCE = 200, 50
SEEDS_PER_TEST = 10  # number of seeds (five-fold cross-validations) in a corrected repeated k-fold t-test


@dataclass(frozen=True, eq=False)
class Verdicts(VerdictSigns):
    """Verdicts of a test of two learners on one data set, for each random partition (or set of partitions)."""

    name: str
    left: str
    right: str
    test: str
    signs: NDArray[np.int8]


def repeated(pair: LearnerPair, together: int = SEEDS_PER_TEST) -> Verdicts:
    """Apply the corrected resampled t-test to several cross-validations together: seeds 0 to 9, 10 to 19, ...

    Parameters
    ----------
    pair : LearnerPair
        Two learners on one data set.
    together : int
        Number of seeds in one test.

    Examples
    --------
    >>> from fstats.studies import fold_hacking
    >>> repeated(fold_hacking.stored("wine", mode="as printed").pair("GNB", "KNN")).shares
    {'=': 0.0, '-': 0.0, '+': 1.0}
    """
    first, second = pair.scores
    d = (first - second)[:, : first.shape[1] // together * together]
    folds = len(d)
    d = d.reshape(folds, -1, together).transpose(0, 2, 1).reshape(folds * together, -1)
    test = CorrectedResampledT(d, test_train_ratio=1 / (folds - 1), alpha=ALPHA)
    name = f"{together} x corrected t"
    return Verdicts(pair.population.name, pair.left, pair.right, name, verdict_signs(test.reject, test.statistic))


# -- halves --------------------------------------------------------------------------------------------------------------------
class Halves(StoredCounts):
    """Numbers of right answers of each learner on one data set, in five random and five blocked halvings for each seed."""

    kind = "halves"
    random: NDArray[np.int64]  # numbers of right answers in five stratified halvings, shape (seeds, 5, halves, learners)
    blocked: NDArray[np.int64]  # numbers of right answers in five blocked halvings, shape (seeds, 5, halves, learners)
    # number of records on which only the left or only the right learner is right, shape (seeds, 5, halves, pairs, 2)
    alone: NDArray[np.int64]
    random_sizes: NDArray[np.int64]  # number of records in each half, shape (seeds, 5, halves)
    blocked_sizes: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.random)

    def differences(self, left: str, right: str) -> Array:
        """Return the accuracy of the left learner minus that of the right learner on each random half, shape (5, 2, seeds)."""
        accuracies = self.random / self.random_sizes[..., np.newaxis]
        return (accuracies[..., LEARNERS.index(left)] - accuracies[..., LEARNERS.index(right)]).transpose(1, 2, 0)

    def tables(self, left: str, right: str) -> Array:
        """Return contingency tables (left learner wrong/right, right learner wrong/right) of blocked halves, shape (5, 2, 2, 2, seeds)."""
        reversed_pair = (left, right) not in PAIRS
        alone = self.alone[..., PAIRS.index((right, left) if reversed_pair else (left, right)), :]
        won, lost = alone[..., int(reversed_pair)], alone[..., int(not reversed_pair)]
        both = self.blocked[..., LEARNERS.index(left)] - won
        neither = self.blocked_sizes - both - won - lost
        return np.array([[neither, lost], [won, both]]).transpose(3, 4, 0, 1, 2)

    def five_by_two_f(self, left: str, right: str) -> Verdicts:
        """Apply the combined 5x2 cv F-test to five random stratified halvings."""
        d = self.differences(left, right)
        test = CombinedFiveByTwoF(d, alpha=ALPHA)
        return Verdicts(self.name, left, right, "5x2 F", verdict_signs(test.reject, d.mean((0, 1))))

    def mcnemar(self, left: str, right: str) -> Verdicts:
        """Apply the 5x2 BCV McNemar test to the five blocked halvings."""
        tables = self.tables(left, right)
        test = BlockedFiveByTwoMcNemar(tables, alpha=ALPHA)
        difference = (tables[..., 1, 0, :] - tables[..., 0, 1, :]).sum((0, 1))
        return Verdicts(self.name, left, right, "BCV McNemar", verdict_signs(test.reject, difference))


def halvings(data: DataSet | str, *, repeats: int = REPEATS, data_dir: Any = None, **running: Any) -> Halves:
    """Compute five random and five blocked halvings for each seed, on all records, with the splitters of current scikit-learn.

    Random halving j of seed I is ``StratifiedKFold(2, shuffle=True, random_state=5 I + j)``.  The blocked halvings of seed I are those of
    ``BlockRegularizedCV(5, stratify=True, random_state=I)``.  Trees have seed I.

    Parameters
    ----------
    data : str or DataSet
        Data set, or its name.
    repeats : int
        Number of seeds.
    data_dir : path, optional
        Folder of CSV files.
    **running
        The arguments jobs, store and progress of :func:`fstats.simulate.run`; the store is a file.

    Examples
    --------
    >>> halvings("iris", repeats=4).mcnemar("GNB", "KNN").shares
    {'=': 1.0, '-': 0.0, '+': 0.0}
    """
    data, total = load_data_set(data, data_dir), int(check.count(1)(repeats, "repeats"))
    results, about = run_seeds(halvings_of_unit, data, total, AT_ONCE, {"repeats": total}, running)
    joined = {what: np.concatenate([np.array(part[what], np.int64) for part in results]) for what in results[0]}
    return Halves(data.name, about, **joined)


def halvings_of_unit(unit: Mapping[str, int], seed: np.random.SeedSequence, x: Any, y: Any) -> dict[str, Any]:  # noqa: ARG001
    """Compute one unit: the halvings of the seeds from ``first`` to ``last``."""
    with prepare_unit(unit, y) as (seeds, codes):
        random = stratified(codes, [5 * one + j for one in seeds for j in range(5)], 2)
        blocked = np.stack([column for one in seeds for column in blocked_halves(codes, one)], 1)
        counts = {}
        for name, fold in (("random", random), ("blocked", blocked)):
            right = predict_classes(x, codes, fold, 2, np.repeat(seeds, 5).tolist()) == codes[:, np.newaxis]
            counts[name] = correct_counts(right, fold, 2)
            counts[f"{name}_sizes"] = correct_counts(np.ones(fold.shape, bool), fold, 2)
        sides = [(right[LEARNERS.index(a)], right[LEARNERS.index(b)]) for a, b in PAIRS]
        alone = [[correct_counts(a & ~b, blocked, 2), correct_counts(b & ~a, blocked, 2)] for a, b in sides]
    counts["alone"] = np.array(alone).transpose(2, 3, 0, 1)
    return {name: part.reshape(len(seeds), 5, *part.shape[1:]).tolist() for name, part in counts.items()}


def blocked_halves(y: NDArray[np.int64], seed: int) -> list[FoldNumbers]:
    """Return, for each of the five blocked halvings of a seed, the half in which each record is tested."""
    block = BlockRegularizedCV(5, stratify=True, random_state=seed).blocks(len(y), y)
    return [np.isin(block, first).astype(np.int8) for first, _ in halves_of_blocks(5)]
