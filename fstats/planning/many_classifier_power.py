"""Power of tests for many classifiers by simulation."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy import sqrt

from ..core.validation import check
from ..core.value_types import Array
from ..procedures.multiple.friedman import Friedman
from ..procedures.multiple.friedman_aligned_ranks import FriedmanAligned
from ..procedures.multiple.iman_davenport import ImanDavenport
from ..procedures.multiple.many_classifiers import default_labels
from ..procedures.multiple.quade import Quade
from ..procedures.multiple.repeated_measures_anova import RepeatedAnova
from ..procedures.posthoc.posthoc_comparison import RankComparison, pair_positions

# maximum number of simulated scores in memory; their ranks need more memory
MAX_BLOCK_SIZE = 2**21
MAX_TEST_SCORES = 2**24  # maximum number of scores of one simulated test, which are in memory together
MAX_SCORES = 10**10  # maximum number of scores of all simulated tests; it limits the time
TABLE_TESTS = (Friedman, ImanDavenport, FriedmanAligned, Quade, RepeatedAnova, RankComparison)

PowerTarget = Literal["any", "each", "all"]


def is_many_classifier_test(test: type[Any]) -> bool:
    """Return whether a test takes a table of scores with a column for each classifier."""
    return issubclass(test, TABLE_TESTS)


def is_pairwise_test(test: type[Any]) -> bool:
    """Return whether a test compares pairs of classifiers."""
    return issubclass(test, RankComparison)


def true_means(value: Any, test: type[Any]) -> Array:
    """Return the true mean score of each classifier, in standard deviations of a score."""
    means = check.numbers(value, "effect_size")
    if means.ndim != 1 or len(means) < 2:
        rule = "the true mean score of each classifier in standard deviations of a score, such as [0, 0, 0.5]"
        raise ValueError(f"`effect_size` must be {rule}, for {test.__name__}; got {check.format_received_value(value)}")
    return means


def check_number_of_scores(n: int, columns: int, trials: int) -> None:
    """Check that the simulated tests have a feasible number of scores: `n` in each column of each test."""
    most = min(MAX_TEST_SCORES, MAX_SCORES // trials) // columns
    if n > most:
        fewer = " Write a smaller `trials=` to simulate fewer tests." if n * columns <= MAX_TEST_SCORES else ""
        raise ValueError(f"`n` must be at most {most:,} if {trials:,} tests are simulated; got {n:,}.{fewer}")


def simulated_power(
    test: type[Any], n: Any, means: Array, find: PowerTarget, trials: int, rng: Any, settings: dict[str, Any]
) -> tuple[float, float]:
    """Return the share of simulated tests that find the true differences, and its standard error."""
    if np.ndim(n):
        raise ValueError(f"`n` must be one number of data sets for {test.__name__}; got {check.format_received_value(n)}")
    size, k = int(check.count(2)(n, "n")), len(means)
    check_number_of_scores(size, k, trials)
    draw = np.random.default_rng(rng)
    labels = settings.get("labels", default_labels(k))
    total = squares = 0.0
    block = max(1, MAX_BLOCK_SIZE // (size * k))
    for start in range(0, trials, block):
        width = min(block, trials - start)
        scores = draw.normal(size=(size, k, width)) + means[:, None]
        if settings.get("higher_is_better") is False:
            scores = -scores
        detections = _detections(test(scores, **settings), means, np.asarray(labels), find)
        total += float(detections.sum())
        squares += float((detections**2).sum())
    share = total / trials
    return share, float(sqrt(max(squares / trials - share**2, 0.0) / trials))


def _detections(test: Any, means: Array, labels: Any, find: PowerTarget) -> Array:
    """Return, for each simulated table, whether the test finds an effect (1 or 0), or the share of true differences that it finds."""
    if not isinstance(test, RankComparison):
        return np.asarray(test.reject, float)
    first, second = pair_positions(test.pairs, labels)
    effects = means[first] - means[second]
    if not effects.any():
        # without true differences, every rejection is an error: return whether the test rejects H0 for any pair
        return np.asarray(test.reject, float).max(0)
    right = np.asarray(test.reject & (np.sign(test.differences) == np.sign(effects)[:, None]), float)[effects != 0]
    return {"any": right.max, "each": right.mean, "all": right.min}[find](0)
