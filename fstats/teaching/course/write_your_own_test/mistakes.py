"""Common wrong calculations in the exercise on writing tests."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core.numerics.zero_division import ratio
from ....distributions.exact_rank_distributions import SignedRankSum
from ....procedures.pairwise.paired_t import PairedT
from .steps import CountedSignedRank


def one_rank_for_the_tied(test: CountedSignedRank) -> Any:
    """Return ranks in which ties use up only one rank."""
    return np.unique(test.sizes, return_inverse=True)[1].astype(float) + 1


def infinity_without_sign(test: PairedT) -> Any:
    """Return t without the sign of infinity."""
    t = ratio(test.mean, test.se)
    return np.abs(t) if np.isinf(t) else t


def ranks_of_a_table(test: CountedSignedRank) -> Any:
    """Return the distribution for ranks without ties, which tables contain."""
    return SignedRankSum(np.arange(0.0, len(test.ranks) + 1))
