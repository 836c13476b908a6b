"""What goes wrong in words: the functions that mistakes.toml names."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core.numerics.zero_division import ratio
from ....distributions.exact_rank_distributions import SignedRankSum
from ....procedures.pairwise.paired_t import PairedT
from .steps import CountedSignedRank


def one_rank_for_the_tied(test: CountedSignedRank) -> Any:
    """Ties take up one rank."""
    return np.unique(test.sizes, return_inverse=True)[1].astype(float) + 1


def infinity_without_sign(test: PairedT) -> Any:
    """The sign of infinity is lost."""
    t = ratio(test.mean, test.se)
    return np.abs(t) if np.isinf(t) else t


def ranks_of_a_table(test: CountedSignedRank) -> Any:
    """Ranks of a table for the ranks with ties."""
    return SignedRankSum(np.arange(0.0, len(test.ranks) + 1))
