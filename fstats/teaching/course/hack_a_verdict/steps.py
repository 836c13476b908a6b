"""Functions for steps with verbal formulas or long lists in the exercise on choosing a seed."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from ....core.value_types import Array
from ....procedures.resampling.block_regularized.blocked_five_by_two_mcnemar import BlockedFiveByTwoMcNemar
from ....procedures.resampling.five_by_two.five_by_two_f import CombinedFiveByTwoF
from ....studies.fold_hacking.partition_scores import LearnerPair, verdict_signs
from ....studies.fold_hacking.partition_search import required_tries
from ....studies.fold_hacking.stored_partition_scores import stored, stored_halves


def load_comparison(data_set: str, left: str, right: str) -> LearnerPair:
    """Load the stored comparison of two learners, with all 10,000 partitions."""
    return stored(data_set, mode="as printed").pair(left, right)


kept_halves = cache(stored_halves)  # every mistake calls this function again, so its results are cached


def count_verdicts(signs: Any) -> Array:
    """Count the verdicts for A, for B, and for neither."""
    return np.array([(signs > 0).sum(), (signs < 0).sum(), (signs == 0).sum()], float)


def scores_of_a(test: Any) -> Any:
    """Return the accuracy of A in the five folds of the partition that you compute by hand."""
    return load_comparison(test.data_set, test.learner_a, test.learner_b).scores[0][:, test.one]


def scores_of_b(test: Any) -> Any:
    """Return the accuracy of B in the same folds."""
    return load_comparison(test.data_set, test.learner_a, test.learner_b).scores[1][:, test.one]


def claim(test: Any) -> Any:
    """Return the name of the learner that the two-sided test declares better on this partition; "neither" if it fails to reject."""
    if np.abs(test.statistic) < np.asarray(test.critical_value):
        return "neither"
    return test.learner_a if test.statistic > 0 else test.learner_b


def all_statistics(test: Any) -> Any:
    """Return the paired t of each stored partition; the index of a partition is its seed."""
    return load_comparison(test.data_set, test.learner_a, test.learner_b).t


def own_statistics(test: Any) -> Any:
    """Return the paired t of each of your seeds."""
    return test.t[test.first : test.first + test.seeds]


def first_seeds(test: Any) -> Any:
    """Return the first of your seeds that proves A better, the first that proves B better, and the first that proves neither."""
    c = test.critical_value
    return test.first + np.array([np.argmax(which) for which in (test.mine >= c, test.mine <= -c, np.abs(test.mine) < c)], float)


def required_partitions(test: Any) -> Any:
    """Return the smallest number of random partitions that contain, with the required probability, at least one with the wanted verdict."""
    return np.ceil(np.log(1 - test.chance) / np.log1p(-test.rate))


def required_own_seeds(test: Any) -> Any:
    """Return the smallest number of tries for the same probability, if the tries are drawn from your seeds without repetition."""
    return float(required_tries(test.seeds, test.hits, test.chance))


def first_seed_for_a(test: Any) -> Any:
    """Return the first of your seeds that proves A better."""
    return float(test.found[0])


def statistic_of_seed_for_a(test: Any) -> Any:
    """Return T of the first of your seeds whose test says that A is better."""
    seed = test.seed_for_a
    if not 0 <= seed < len(test.t):
        raise ValueError(f"the first entry of found must be one of the seeds from 0 to {len(test.t) - 1}; got {seed:g}")
    return test.t[int(seed)]


def corrected_verdicts(test: Any) -> Any:
    """Count the verdicts of the corrected resampled t-test for your seeds."""
    t = test.mine / np.sqrt(1 + test.n * test.test_train_ratio)
    return count_verdicts(verdict_signs(np.abs(t) >= test.critical_value, t))


def half_differences(test: Any) -> Any:
    """Return the accuracy of A minus accuracy of B on both halves of the five halvings of each repetition."""
    return kept_halves(test.data_set).differences(test.learner_a, test.learner_b)[..., : test.halvings]


def contingency_tables(test: Any) -> Any:
    """Return the contingency table of each half of five balanced halvings, for each repetition."""
    return kept_halves(test.data_set).tables(test.learner_a, test.learner_b)[..., : test.halvings]


def f_verdicts(test: Any) -> Any:
    """Count the verdicts of the combined 5x2 cv F-test for the repetitions of five random halvings."""
    return count_verdicts(verdict_signs(CombinedFiveByTwoF(test.half_d, alpha=test.alpha).reject, test.half_d.mean((0, 1))))


def mcnemar_verdicts(test: Any) -> Any:
    """Count the verdicts of the 5x2 BCV McNemar test for the repetitions of five balanced halvings."""
    mcnemar = BlockedFiveByTwoMcNemar(test.tables, alpha=test.alpha)
    return count_verdicts(verdict_signs(mcnemar.reject, mcnemar.n10 - mcnemar.n01))
