"""Effect of the order of folds on 5x2 cross-validation tests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...core.value_types import Array
from ...procedures.resampling.five_by_two.five_by_two_f import CombinedFiveByTwoF
from ...procedures.resampling.five_by_two.five_by_two_t import CombinedFiveByTwoT, FiveByTwoT

REPETITIONS, FOLDS = 5, 2


def renumber(d: Any, first: int) -> Array:
    """Renumber the same ten differences so that a given one comes first: its repetition first, and its fold first in the repetition.

    >>> renumber([[1, 2], [3, 4], [5, 6], [7, 8], [9, 10]], 3)
    array([[ 4,  3],
           [ 1,  2],
           [ 5,  6],
           [ 7,  8],
           [ 9, 10]])
    """
    d = np.asarray(d)
    i, k = divmod(first, FOLDS)
    others = [j for j in range(REPETITIONS) if j != i]
    return np.concatenate([d[[i]][:, [k, 1 - k]], d[others]])


def pvalues(d: Array, shifts: Array) -> Mapping[Any, Array]:
    """Compute the p-values of three tests if A were better by each shift; Dietterich's p-values for all ten numberings (rows).

    A shift changes all ten differences equally, so it does not change the variances.
    """
    shifted = d[..., np.newaxis] + shifts
    return {
        FiveByTwoT: np.array([FiveByTwoT(renumber(shifted, first)).pvalue for first in range(REPETITIONS * FOLDS)]),
        CombinedFiveByTwoF: np.asarray(CombinedFiveByTwoF(shifted).pvalue),
        CombinedFiveByTwoT: np.asarray(CombinedFiveByTwoT(shifted).pvalue),
    }
