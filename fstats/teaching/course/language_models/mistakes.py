"""Common wrong calculations in the exercise on language models."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....procedures.pairwise.clustered_difference import ClusteredDifference
from ....procedures.pairwise.one_sample_t import OneSampleT


def error_of_means(test: ClusteredDifference) -> Any:
    """Return the standard error of the mean of the family means, in which each family counts equally."""
    return _of_means(test).se


def t_of_means(test: ClusteredDifference) -> Any:
    """Return the t statistic of the family means."""
    return _of_means(test).statistic


def _of_means(test: ClusteredDifference) -> OneSampleT:
    return OneSampleT([test.d[test.clusters == g].mean() for g in np.unique(test.clusters)], 0.0)
