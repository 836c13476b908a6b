"""What goes wrong in words: the functions that mistakes.toml names."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....procedures.pairwise.clustered_difference import ClusteredDifference
from ....procedures.pairwise.one_sample_t import OneSampleT


def error_of_means(test: ClusteredDifference) -> Any:
    """Of the families, each of which counts alike."""
    return _of_means(test).se


def t_of_means(test: ClusteredDifference) -> Any:
    """Whether their mean is 0."""
    return _of_means(test).statistic


def _of_means(test: ClusteredDifference) -> OneSampleT:
    return OneSampleT([test.d[test.clusters == g].mean() for g in np.unique(test.clusters)], 0.0)
