"""Simulation of two classifiers that guess.

The simulation draws labels or counts.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ...core.hypothesis import Alternative
from ...core.validation import check
from ...simulate.rejection_rates import Rate
from . import exact_test_power as exact

Level = Literal["counts", "labels"]
Forced = Literal["each", "exactly"]
AT_ONCE = 2_000_000  # number of labels drawn together

PairedCounts = tuple[NDArray[np.int64], NDArray[np.int64]]


def draw_counts(N: int, r: float, classes: int, trials: int, rng: np.random.Generator, forced: Forced = "each") -> PairedCounts:
    """Draw two counts for each trial from a trinomial distribution: records with only system II right, records with only system I right."""
    known = round(r * N) if forced == "exactly" else 0
    outcome = exact.record_outcome(0.0 if forced == "exactly" else r, classes)
    s, f, _ = rng.multinomial(N - known, [outcome.s, outcome.f, 1 - outcome.s - outcome.f], trials).T
    return (s + rng.binomial(known, 1 - 1 / classes, trials), f) if known else (s, f)


def draw_labels(N: int, r: float, classes: int, trials: int, rng: np.random.Generator, forced: Forced = "each") -> PairedCounts:
    """Draw true class and both predicted classes of every record; count records with only system II right and only system I right."""
    labels = np.int8 if classes <= 127 else np.int64
    at_once = max(1, AT_ONCE // N)
    s, f = np.empty((2, trials), np.int64)
    for start in range(0, trials, at_once):
        shape = (N, min(at_once, trials - start))
        truth, first, second = rng.integers(classes, size=(3, *shape), dtype=labels)
        # all records have the same distribution, so system II may know the classes of the first records
        if forced == "exactly":
            second[: round(r * N)] = truth[: round(r * N)]
        else:
            second = np.where(rng.random(shape) < r, truth, second)
        right_1, right_2 = first == truth, second == truth
        s[start : start + shape[1]] = (right_2 & ~right_1).sum(0)
        f[start : start + shape[1]] = (right_1 & ~right_2).sum(0)
    return s, f


def simulated_power(
    N: int,
    r: float,
    classes: int = 10,
    *,
    trials: int = 1000,
    alpha: float = 0.05,
    alternative: Alternative = "less",
    level: Level = "counts",
    forced: Forced = "each",
    rng: Any = 0,
) -> Rate:
    """Simulate how often the exact test distinguishes a knowing system from a guessing one.

    Parameters
    ----------
    N : int
        Number of records in each trial, at least 1.
    r : float
        Share of the records, from 0 to 1, on which system II is forced to be right.
    classes : int
        Number of classes, from 2.
    trials : int
        Number of independent trials, at least 1.
    alpha : float
        Level of the test.
    alternative : {"less", "two-sided", "greater"}
        Alternative of the test: "less" claims that system I is less accurate; H0 then says that system II is not better.
    level : {"counts", "labels"}
        "labels" draws every label, as the blog post does; "counts" draws only the two counts from the same distribution and is dozens of
        times faster.
    forced : {"each", "exactly"}
        Two readings of "correct for r % of its predictions": forced on each record with probability r, or on exactly r N records (rounded).
    rng : int or numpy.random.Generator
        Seed or random generator; the same seed gives the same numbers.

    Returns
    -------
    Rate
        ``rejections``, ``rate``, and its Monte Carlo standard error ``se``.

    Raises
    ------
    ValueError, TypeError
        For N or trials below 1, r outside 0 to 1, fewer than 2 classes, unknown words, a level outside (0, 1).

    Examples
    --------
    >>> found = simulated_power(500, 0.05, trials=4000)
    >>> abs(found.rate - 0.6678) < 4 * found.se
    True
    """
    size, repetitions = (int(check.count(1)(exact.check_scalar(value, name), name)) for value, name in ((N, "N"), (trials, "trials")))
    share, kinds = float(exact.check_forced_rates(exact.check_scalar(r, "r"), "r")), exact.check_class_count(classes, "classes")
    tail = exact.tail_probability(check.level(alpha, "alpha"), exact.alternatives(alternative, "alternative"))
    draw = {"counts": draw_counts, "labels": draw_labels}[check.choice("counts", "labels")(level, "level")]
    check.choice("each", "exactly")(forced, "forced")
    s, f = draw(size, share, kinds, repetitions, np.random.default_rng(rng), forced)
    return Rate("McNemarExact", (size, share), int(is_rejected(s, f, tail, alternative).sum()), repetitions)


def is_rejected(s: NDArray[np.int64], f: NDArray[np.int64], tail: float, alternative: str) -> NDArray[np.bool]:
    """Return whether the exact test rejects in each trial; the critical value depends on the number of discordant records."""
    losses = exact.critical_losses(s + f, tail)
    return np.minimum(s, f) <= losses if alternative == "two-sided" else (f if alternative == "less" else s) <= losses
