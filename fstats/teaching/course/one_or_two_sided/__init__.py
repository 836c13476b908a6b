"""Exercise: one-sided and two-sided tests of three claims about the same scores."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import sqrt

from ....distributions.continuous_distributions import StudentT
from ..exercise_loader import load_exercise
from ..exercise_pictures import scores

SIMULATED = 100_000  # number of simulated experiments in the notebook


def draw(rng: np.random.Generator) -> dict[str, Any]:
    """Draw whole percents: A is better by so much that a one-sided test rejects and a two-sided test fails to reject."""
    alpha = float(rng.choice([0.01, 0.02, 0.05, 0.1]))
    while True:
        n = int(rng.integers(8, 11))
        d = rng.choice([-4, -3, -2, -1, 1, 2, 3, 4, 5, 6, 7], (n, 400), p=[0.05] * 4 + [0.15, 0.15] + [0.1] * 5)
        t, wins = d.mean(0) * sqrt(n) / d.std(0, ddof=1), (d > 0).sum(0)
        # t must lie between these limits, so that the p-value is not close to the level
        low, high = (StudentT(n - 1).high(share) for share in (alpha * 0.97, alpha * 0.53))
        fits = (t > low) & (t < high) & (wins > n / 2) & (wins < n)
        if fits.any():
            b = rng.integers(62, 91, n)
            return {"a": b + d[:, np.argmax(fits)], "b": b, "alpha": alpha}


def simulation_tolerance(test: Any) -> float:
    """Return four standard errors of the share that is counted among the simulated experiments."""
    share = float(test.level_after_looking)
    return float(4 * sqrt(share * (1 - share) / SIMULATED))


EXERCISE = load_exercise(
    __package__,
    draw,
    scores,
    q11={"tolerance": simulation_tolerance, "unlikely": lambda test: 1 - (1 - test.alpha) ** 2, "repetitions": lambda _: SIMULATED},
)
