"""What goes wrong in words: the functions that mistakes.toml names."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....procedures.contingency.mcnemar import McNemar
from ....procedures.resampling.k_fold_t import KFoldT
from ....studies.fold_hacking.partition_scores import verdict_signs
from .steps import (
    SeedHacking,
    count_verdicts,
)


# -- the hunt ----------------------------------------------------------------------------------------------------------------------
def first_of(test: SeedHacking, for_a: Any, for_b: Any, for_neither: Any) -> Any:
    """The seeds of three places, counted from the first seed."""
    return test.first + np.array([for_a, for_b, for_neither], float)


def exchanged(test: SeedHacking) -> Any:
    """A and B exchanged."""
    t, c = test.mine, test.critical_value
    return first_of(test, np.argmax(t <= -c), np.argmax(t >= c), np.argmax(abs(t) < c))


def places_for_seeds(test: SeedHacking) -> Any:
    """Places for seeds."""
    t, c = test.mine, test.critical_value
    return np.array([np.argmax(t >= c), np.argmax(t <= -c), np.argmax(abs(t) < c)], float)


def most_extreme(test: SeedHacking) -> Any:
    """The most extreme seeds for the first ones."""
    return first_of(test, np.argmax(test.mine), np.argmin(test.mine), np.argmin(abs(test.mine)))


def limit_ignored(test: SeedHacking) -> Any:
    """The limit ignored."""
    return first_of(test, np.argmax(test.mine > 0), np.argmax(test.mine < 0), np.argmax(abs(test.mine) < test.critical_value))


# -- other judges ------------------------------------------------------------------------------------------------------------------


def ratio_upside_down(test: SeedHacking) -> Any:
    """N1 / n2 for n2 / n1."""
    return test.n - 1


def plain_t_of_ten(test: SeedHacking) -> Any:
    """Plain t of ten differences."""
    plain = KFoldT(test.half_d.reshape(10, -1), alpha=test.alpha)
    return count_verdicts(verdict_signs(plain.reject, plain.mean))


def tables_added_up(test: SeedHacking) -> Any:
    """Ten tables added up."""
    (_, n01), (n10, _) = test.tables.sum((0, 1))
    added = McNemar(n01, n10, alpha=test.alpha)
    return count_verdicts(verdict_signs(added.reject, n10 - n01))


def shares_of_seeds(test: SeedHacking) -> Any:
    """Shares of the seeds for counts."""
    return SeedHacking.corrected_verdicts.fn(test) / test.seeds


def shares_by_f(test: SeedHacking) -> Any:
    """Shares by the F-test for counts."""
    return SeedHacking.f_verdicts.fn(test) / test.halvings


def shares_by_mcnemar(test: SeedHacking) -> Any:
    """Shares by McNemar's test for counts."""
    return SeedHacking.mcnemar_verdicts.fn(test) / test.halvings
