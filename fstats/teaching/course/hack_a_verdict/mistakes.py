"""Common wrong calculations in the exercise on p-hacking."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....procedures.contingency.mcnemar import McNemar
from ....procedures.resampling.k_fold_t import KFoldT
from ....studies.fold_hacking.partition_scores import verdict_signs
from .steps import corrected_verdicts, count_verdicts, f_verdicts, first_seeds, mcnemar_verdicts


# -- the search --------------------------------------------------------------------------------------------------------------------
def first_of(test: Any, for_a: Any, for_b: Any, for_neither: Any) -> Any:
    """Return the seeds at three positions, counted from the first seed."""
    return test.first + np.array([for_a, for_b, for_neither], float)


def exchanged(test: Any) -> Any:
    """Return the seeds with A and B exchanged."""
    return first_seeds(test)[[1, 0, 2]]


def places_for_seeds(test: Any) -> Any:
    """Return positions instead of seeds."""
    t, c = test.mine, test.critical_value
    return np.array([np.argmax(t >= c), np.argmax(t <= -c), np.argmax(abs(t) < c)], float)


def most_extreme(test: Any) -> Any:
    """Return the most extreme seeds instead of the first seeds with each verdict."""
    return first_of(test, np.argmax(test.mine), np.argmin(test.mine), np.argmin(abs(test.mine)))


def limit_ignored(test: Any) -> Any:
    """Return the first seeds with a positive and a negative T, without the critical value."""
    return first_of(test, np.argmax(test.mine > 0), np.argmax(test.mine < 0), np.argmax(abs(test.mine) < test.critical_value))


# -- other tests -------------------------------------------------------------------------------------------------------------------


def ratio_upside_down(test: Any) -> Any:
    """Return n1 / n2 instead of n2 / n1."""
    return test.n - 1


def plain_t_of_ten(test: Any) -> Any:
    """Return the verdicts of the plain t-test on ten differences."""
    plain = KFoldT(test.half_d.reshape(10, -1), alpha=test.alpha)
    return count_verdicts(verdict_signs(plain.reject, plain.mean))


def tables_added_up(test: Any) -> Any:
    """Return the verdicts of McNemar's test on the sum of ten tables."""
    (_, n01), (n10, _) = test.tables.sum((0, 1))
    added = McNemar(n01, n10, alpha=test.alpha)
    return count_verdicts(verdict_signs(added.reject, n10 - n01))


def shares_of_seeds(test: Any) -> Any:
    """Return shares of the seeds instead of counts."""
    return corrected_verdicts(test) / test.seeds


def shares_by_f(test: Any) -> Any:
    """Return shares of the F-test's verdicts instead of counts."""
    return f_verdicts(test) / test.halvings


def shares_by_mcnemar(test: Any) -> Any:
    """Return shares of the verdicts of McNemar's test instead of counts."""
    return mcnemar_verdicts(test) / test.halvings
