"""Exercise on the simulation of type I error rates."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ....plot.drawing.picture import Picture
from ....plot.drawing.picture_marks import BLACK, BLUE, GREY, VERMILLION, Line, Mark, Points, VerticalLine
from ..exercise_loader import load_exercise

ROWS = 20  # number of intervals for independent data sets in the picture, and also for folds


def simulation_tolerance(rate: str) -> Callable[[Any], float]:
    """Return a function for four standard errors of the difference of two simulations; rates of mistakes must differ by more."""

    def tolerance(test: Any) -> float:
        share = float(getattr(test, rate))
        return 4 * float(np.sqrt(2 * share * (1 - share) / test.repetitions))

    return tolerance


def repetitions_of(test: Any) -> int:
    """Return the number of repetitions by which a count is divided to give a rate."""
    return int(test.repetitions)


def draw(rng: np.random.Generator) -> dict[str, Any]:
    """Draw the settings of one student, with so few data sets that a mistake has a clear effect."""
    alpha = float(rng.choice([0.05, 0.1]))
    n = int(rng.choice([4, 5] if alpha == 0.05 else [5, 6, 7, 8]))
    while True:
        others = int(rng.choice([500, 1000, 2000, 4000]))
        observed = float(rng.integers(20, 140)) / 1000
        distance = abs(observed - alpha) / np.sqrt(alpha * (1 - alpha) / others)
        if 0.4 < distance < 1.6 or 2.3 < distance < 3.6:  # accept only a rate for which the decision is neither close nor obvious
            break
    data: dict[str, Any] = {"n": n, "alpha": alpha, "repetitions": int(rng.choice([200_000, 250_000, 300_000]))}
    data |= {"wanted": float(rng.choice([0.002, 0.001, 0.0005])), "observed": observed, "others": others}
    return data | {"folds": int(rng.choice([6, 8, 10])), "rho": float(rng.choice([0.2, 0.25, 0.3, 0.35, 0.4]))}


def picture(test: Any) -> Picture:
    """Draw confidence intervals under a true H0: from independent data sets, and from folds that share records."""
    rng = np.random.default_rng([test.folds, round(100 * test.rho)])
    noise = rng.normal(size=(2 * ROWS, test.folds))
    noise[:ROWS] = np.sqrt(test.rho) * rng.normal(size=(ROWS, 1)) + np.sqrt(1 - test.rho) * noise[:ROWS]
    means = noise.mean(1)
    half = test.critical_folds * noise.std(1, ddof=1) / np.sqrt(test.folds)
    missed = np.abs(means) > half
    height = np.r_[0.0:ROWS, ROWS + 2.0 : 2 * ROWS + 2]
    reach = 1.05 * float((np.abs(means) + half).max())
    ends = zip((means - half).tolist(), (means + half).tolist(), height.tolist(), missed.tolist(), strict=True)
    marks: list[Mark] = [VerticalLine(0.0, "true mean", GREY, dashed=True)]
    marks += [Line((low, high), (y, y), BLACK if out else GREY, 4.0 if out else 1.5) for low, high, y, out in ends]
    marks.append(Points(means[ROWS:], height[ROWS:], BLUE, f"{test.folds} independent data sets", radius=3.0))
    marks.append(Points(means[:ROWS], height[:ROWS], VERMILLION, f"{test.folds} folds of one data set", open=True, radius=3.0))
    axes = "mean difference A - B, with the confidence interval of the t-test", "repetition"
    text = (
        f"Means of {test.folds} differences with the confidence intervals of the t-test, {ROWS} times from independent data sets (dots, "
        f"above) and {ROWS} times from folds of one data set (squares, below). The true mean is 0 everywhere. The intervals that do not "
        f"contain it are thick and black: {missed[ROWS:].sum()} above, {missed[:ROWS].sum()} below."
    )
    limits = (-reach, reach), (-1.0, 2 * ROWS + 7.0)
    return Picture(f"{2 * ROWS} estimates of a true mean of 0", *axes, *limits, tuple(marks), text, yticks=False, height=1.5)


EXERCISE = load_exercise(
    __package__,
    draw,
    picture,
    q1={"tolerance": simulation_tolerance("size"), "unlikely": lambda test: test.alpha, "repetitions": repetitions_of},
    q2={"tolerance": simulation_tolerance("size_z"), "repetitions": repetitions_of},
    q3={"tolerance": simulation_tolerance("size_one"), "unlikely": lambda test: 1 - (1 - test.alpha) ** 2, "repetitions": repetitions_of},
    q8={"tolerance": simulation_tolerance("size_folds"), "repetitions": repetitions_of},
)
