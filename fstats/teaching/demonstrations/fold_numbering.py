"""Ten differences of five times two-fold cross-validation, numbered in other ways and shifted: what three tests make of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...core.value_types import Array
from ...procedures.resampling.five_by_two.five_by_two_f import CombinedFiveByTwoF
from ...procedures.resampling.five_by_two.five_by_two_t import CombinedFiveByTwoT, FiveByTwoT

REPETITIONS, FOLDS = 5, 2


def renumber(d: Any, first: int) -> Array:
    """The same ten differences, numbered so that one of them comes first: its repetition before the others, its fold before the other.

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
    """The p-values of the tests on this plan if A were better by each of some shifts; of Dietterich's for all ten numberings (lines).

    A shift moves all ten differences alike, so it leaves the variances as they are.
    """
    shifted = d[..., np.newaxis] + shifts
    return {
        FiveByTwoT: np.array([FiveByTwoT(renumber(shifted, first)).pvalue for first in range(REPETITIONS * FOLDS)]),
        CombinedFiveByTwoF: np.asarray(CombinedFiveByTwoF(shifted).pvalue),
        CombinedFiveByTwoT: np.asarray(CombinedFiveByTwoT(shifted).pvalue),
    }
