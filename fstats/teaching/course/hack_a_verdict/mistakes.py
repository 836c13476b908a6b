"""What goes wrong in words: the functions that mistakes.toml names."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....procedures.contingency.mcnemar import McNemar
from ....procedures.resampling.k_fold_t import KFoldT
from ....studies.fold_hacking.partition_scores import signed
from .steps import (
    Hacked,
    count_verdicts,
)


# -- the hunt ----------------------------------------------------------------------------------------------------------------------
def first_of(test: Hacked, for_a: Any, for_b: Any, for_neither: Any) -> Any:
    """The seeds of three places, counted from the first seed."""
    return test.first + np.array([for_a, for_b, for_neither], float)


def exchanged(test: Hacked) -> Any:
    """A and B exchanged."""
    t, c = test.mine, test.critical_value
    return first_of(test, np.argmax(t <= -c), np.argmax(t >= c), np.argmax(abs(t) < c))


def places_for_seeds(test: Hacked) -> Any:
    """Places for seeds."""
    t, c = test.mine, test.critical_value
    return np.array([np.argmax(t >= c), np.argmax(t <= -c), np.argmax(abs(t) < c)], float)


def most_extreme(test: Hacked) -> Any:
    """The most extreme seeds for the first ones."""
    return first_of(test, np.argmax(test.mine), np.argmin(test.mine), np.argmin(abs(test.mine)))


def limit_ignored(test: Hacked) -> Any:
    """The limit ignored."""
    return first_of(test, np.argmax(test.mine > 0), np.argmax(test.mine < 0), np.argmax(abs(test.mine) < test.critical_value))


# -- other judges ------------------------------------------------------------------------------------------------------------------


def ratio_upside_down(test: Hacked) -> Any:
    """N1 / n2 for n2 / n1."""
    return test.n - 1


def plain_t_of_ten(test: Hacked) -> Any:
    """Plain t of ten differences."""
    plain = KFoldT(test.half_d.reshape(10, -1), alpha=test.alpha)
    return count_verdicts(signed(plain.reject, plain.mean))


def tables_added_up(test: Hacked) -> Any:
    """Ten tables added up."""
    (_, n01), (n10, _) = test.tables.sum((0, 1))
    added = McNemar(n01, n10, alpha=test.alpha)
    return count_verdicts(signed(added.reject, n10 - n01))


def shares_of_seeds(test: Hacked) -> Any:
    """Shares of the seeds for counts."""
    return Hacked.corrected_verdicts.fn(test) / test.seeds


def shares_by_f(test: Hacked) -> Any:
    """Shares by the F-test for counts."""
    return Hacked.f_verdicts.fn(test) / test.halvings


def shares_by_mcnemar(test: Hacked) -> Any:
    """Shares by McNemar's test for counts."""
    return Hacked.mcnemar_verdicts.fn(test) / test.halvings
